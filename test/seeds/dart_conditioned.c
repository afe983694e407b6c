// SPDX-License-Identifier: Apache-2.0
// Row D27: an ill-conditioned matrix A on which a solver fails, and the two treatments of the note's section 5
// (Tan, Siu and Liu): a diagonal times 1 + epsilon, and E and mu times the step.
#include "cases.h"

static const double H = 0.01, HEAVY = 1e8, MU_BOX = 0.5, HEADING = 0.13;

// A box of 1e8 kg on its four corners that slides at 1 m/s. The blocks of A with inverse masses are 1e-8 of
// those with E and mu, and 4 contacts of 8 directions leave A singular besides.
typedef struct Heavy {
    double M[36], J[72], f[6], b[12], mu[4];
    utSection section;
    utCoulomb problem;
} Heavy;

static void make_heavy(Heavy* box)
{
    const double side = 0.2, height = 0.1;
    const double flat = (side * side + height * height) / 3.0, upright = 2.0 * side * side / 3.0;
    const double inertia[] = {1, 1, 1, flat, flat, upright};
    const double v[] = {cos(HEADING), sin(HEADING), -GRAVITY * H, 0, 0, 0};
    const utVec3 axis[] = {ut_vec3(0, 0, 1), ut_vec3(1, 0, 0), ut_vec3(0, 1, 0)};
    *box = (Heavy){.section = polygon(UT_SECTION_INSCRIBED, 8, 0.0)};
    for (int i = 0; i < 6; i++) {
        box->M[7 * i] = HEAVY * inertia[i];
        box->f[i] = box->M[7 * i] * v[i];
    }
    for (int k = 0; k < 12; k++) {
        const int corner = k / 3;
        const utVec3 at = ut_vec3(corner & 1 ? side : -side, corner & 2 ? side : -side, -height);
        const utVec3 n = axis[k % 3], turn = ut_vec3_cross(at, n);
        memcpy(box->J + 6 * k, (double[]){n.x, n.y, n.z, turn.x, turn.y, turn.z},
               6 * sizeof(double));
        box->mu[corner] = MU_BOX;
    }
    box->problem = (utCoulomb){.dimension = 3,
                               .contacts = 4,
                               .mu = box->mu,
                               .section = &box->section,
                               .dof = 6,
                               .M = box->M,
                               .J = box->J,
                               .f = box->f,
                               .b = box->b};
}

// Solve by Newton's method. @return the largest error of v: friction is along the vertex on x
static double newton(const Heavy* box, double epsilon, double scale, utLcpOutcome* outcome)
{
    utArena arena = test_arena();
    utPolyhedralDef def = form_of(UT_POLYHEDRAL_FORCE, UT_POLYHEDRAL_MIXED);
    def.regularization = epsilon;
    def.scale = scale;
    const Solved s = solve_form(&box->problem, &def, UT_LCP_NEWTON, &arena);
    const double want[] = {cos(HEADING) - MU_BOX * GRAVITY * H, sin(HEADING), 0, 0, 0, 0};
    double v[6];
    velocities(&box->problem, s.r, v);
    *outcome = s.info.outcome;
    return distance(6, v, want);
}

// Singular values within the rank: the largest over the smallest.
static double condition_on_the_range(const Heavy* box, double scale)
{
    utArena arena = test_arena();
    utPolyhedralDef def = form_of(UT_POLYHEDRAL_FORCE, UT_POLYHEDRAL_MIXED);
    def.scale = scale;
    utPolyhedral form;
    double s[64];
    int rank;
    CHECK_INT(ut_polyhedral_create(&box->problem, &def, &arena, &form, NULL), UT_OK);
    CHECK_INT(form.lcp.n, 4 + 32 + 4);
    CHECK_INT(ut_matrix_singular(form.lcp.n, form.lcp.n, form.lcp.M, arena, s), UT_OK);
    CHECK_INT(ut_matrix_rank(form.lcp.n, form.lcp.n, form.lcp.M, 0.0, arena, &rank), UT_OK);
    CHECK(rank < form.lcp.n);
    return s[0] / s[rank - 1];
}

TEST(D27_both_treatments_cure_newtons_failure_on_a_heavy_box)
{
    Heavy box;
    make_heavy(&box);
    utLcpOutcome outcome;
    const double before = newton(&box, 0.0, 1.0, &outcome);
    CHECK_INT(outcome, UT_LCP_ITERATIONS);
    CHECK(before > 1e-6);
    const double epsilon = newton(&box, 1e-13, 1.0, &outcome);
    CHECK_INT(outcome, UT_LCP_SOLVED);
    CHECK_NEAR(epsilon, 0.0, 1e-10);
    const double scaled = newton(&box, 0.0, H, &outcome);
    CHECK_INT(outcome, UT_LCP_SOLVED);
    CHECK_NEAR(scaled, 0.0, 1e-10);
    const double plain = condition_on_the_range(&box, 1.0);
    const double cured = condition_on_the_range(&box, H);
    CHECK(cured < 0.02 * plain);
    test_note("newton: error of v %.1e m/s plain (outcome iterations), %.1e with epsilon 1e-13, "
              "%.1e scaled; condition on the range %.1e, scaled %.1e",
              before, epsilon, scaled, plain, cured);
}
