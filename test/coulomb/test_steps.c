// SPDX-License-Identifier: Apache-2.0
// The second-order solvers by themselves, on problems that are made from their answer: impulses and
// velocities that keep the law are chosen, and q is what leads from one to the other. Near such an
// answer Newton's method squares its error, which no wrong derivative does.
#include <math.h>
#include <string.h>

#include "coulomb/solvers/second_order.h"
#include "forms.h"
#include "test.h"

enum { CONTACTS = 4, JOINTS = 2, MOST = 3 * CONTACTS + JOINTS, DOF = 18 };

// A problem with its answer, as W and as M and J.
typedef struct Made {
    int N;
    double mu[CONTACTS];
    double M[DOF * DOF];
    double J[MOST * DOF];
    double f[DOF];
    double b[MOST];
    double W[MOST * MOST];
    double q[MOST];
    double r[MOST]; // the answer
    double u[MOST];
} Made;

// Stick, slip, open, slip; then joints with any impulse.
static void choose_answer(const utSection* section, utRng* rng, Made* p)
{
    const int d = section->dimension;
    memset(p->r, 0, sizeof p->r);
    memset(p->u, 0, sizeof p->u);
    for (int i = 0; i < CONTACTS; i++) {
        double* r = p->r + (ptrdiff_t)d * i;
        double* u = p->u + (ptrdiff_t)d * i;
        p->mu[i] = 0.3 + 0.2 * i;
        r[0] = i == 2 ? 0.0 : ut_rng_range(rng, 1.0, 2.0);
        u[0] = i == 2 ? ut_rng_range(rng, 0.5, 1.0) : 0.0;
        double back[2] = {0.0, 0.0};
        double point[2] = {0.0, 0.0};
        for (int k = 1; k < d; k++) {
            u[k] = i == 0 ? 0.0 : ut_rng_range(rng, 0.5, 1.5);
            r[k] = i == 0 ? 0.3 * p->mu[i] * r[0] : 0.0;
            back[k - 1] = -u[k];
        }
        ut_section_support_point(section, back, point);
        for (int k = 1; k < d && i % 2 == 1; k++) {
            r[k] = p->mu[i] * r[0] * point[k - 1];
        }
    }
    for (int j = d * CONTACTS; j < p->N; j++) {
        p->r[j] = ut_rng_range(rng, -1.0, 1.0);
    }
}

// Masses of 1 to 2, coupled in pairs but for the first and the last, and rows of J of about unit
// length that all meet.
static void choose_bodies(utRng* rng, Made* p)
{
    memset(p->M, 0, sizeof p->M);
    for (int i = 0; i < DOF; i++) {
        p->M[i * DOF + i] = ut_rng_range(rng, 1.0, 2.0);
        p->f[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int i = 1; i < DOF - 1; i += 2) {
        p->M[i * DOF + i + 1] = -0.5;
        p->M[(i + 1) * DOF + i] = -0.5;
    }
    for (int k = 0; k < p->N; k++) {
        for (int i = 0; i < DOF; i++) {
            p->J[k * DOF + i] = (i == k) + ut_rng_range(rng, -0.1, 0.1);
        }
    }
}

// x = M^-1 x by hand: M has blocks of one and two
static void divide(const Made* p, double* x)
{
    x[0] /= p->M[0];
    x[DOF - 1] /= p->M[DOF * DOF - 1];
    for (int i = 1; i < DOF - 1; i += 2) {
        const double a = p->M[i * DOF + i];
        const double c = p->M[i * DOF + i + 1];
        const double e = p->M[(i + 1) * DOF + i + 1];
        const double y = (e * x[i] - c * x[i + 1]) / (a * e - c * c);
        x[i + 1] = (a * x[i + 1] - c * x[i]) / (a * e - c * c);
        x[i] = y;
    }
}

// W = J M^-1 J', plus a skew part; then q and b for the answer.
static void find_rest(double skew, Made* p)
{
    for (int k = 0; k < p->N; k++) {
        double x[DOF];
        memcpy(x, p->J + (ptrdiff_t)k * DOF, sizeof x);
        divide(p, x);
        for (int l = 0; l < p->N; l++) {
            double sum = skew * (k < l) - skew * (k > l);
            for (int i = 0; i < DOF; i++) {
                sum += p->J[l * DOF + i] * x[i];
            }
            p->W[l * p->N + k] = sum;
        }
    }
    double v[DOF];
    memcpy(v, p->f, sizeof v);
    for (int k = 0; k < p->N; k++) {
        for (int i = 0; i < DOF; i++) {
            v[i] += p->J[k * DOF + i] * p->r[k];
        }
    }
    divide(p, v);
    for (int k = 0; k < p->N; k++) {
        p->q[k] = p->u[k];
        p->b[k] = p->u[k];
        for (int l = 0; l < p->N; l++) {
            p->q[k] -= p->W[k * p->N + l] * p->r[l];
        }
        for (int i = 0; i < DOF; i++) {
            p->b[k] -= p->J[k * DOF + i] * v[i];
        }
    }
}

// @param skew of W; the global form has none
static void make(const utSection* section, double skew, int seed, Made* p)
{
    utRng rng = ut_rng(31, (uint64_t)seed);
    p->N = section->dimension * CONTACTS + JOINTS;
    choose_answer(section, &rng, p);
    choose_bodies(&rng, p);
    find_rest(skew, p);
}

static utCoulomb local_form(const Made* p, const utSection* section)
{
    return (utCoulomb){.dimension = section->dimension,
                       .contacts = CONTACTS,
                       .bilaterals = JOINTS,
                       .mu = p->mu,
                       .section = section,
                       .W = p->W,
                       .q = p->q};
}

static utCoulomb global_form(const Made* p, const utSection* section)
{
    utCoulomb problem = local_form(p, section);
    problem.W = NULL;
    problem.q = NULL;
    problem.dof = DOF;
    problem.M = p->M;
    problem.J = p->J;
    problem.f = p->f;
    problem.b = p->b;
    return problem;
}

static void all_forms(const Made* p, const utSection* section, utArena* keep,
                      utCoulomb form[FORM_COUNT])
{
    // one node that every group touches; J by groups is J itself
    int* start = UT_PUSH(keep, int, 2);
    int* first = UT_PUSH(keep, int, CONTACTS + JOINTS + 1);
    int* node = UT_PUSH(keep, int, CONTACTS + JOINTS);
    utCoulombBlocks* blocks = UT_PUSH(keep, utCoulombBlocks, 1);
    start[0] = 0;
    start[1] = DOF;
    for (int g = 0; g <= CONTACTS + JOINTS; g++) {
        first[g] = g;
    }
    memset(node, 0, (CONTACTS + JOINTS) * sizeof *node);
    *blocks = (utCoulombBlocks){1, start, p->M, first, node, p->J};
    form[FORM_GLOBAL] = global_form(p, section);
    form[FORM_BLOCKS] = form[FORM_GLOBAL];
    form[FORM_BLOCKS].M = NULL;
    form[FORM_BLOCKS].J = NULL;
    form[FORM_BLOCKS].blocks = blocks;
    form[FORM_LOCAL] = local_form(p, section);
    form[FORM_ROWS] = form_in_rows(&form[FORM_LOCAL], keep);
}

// The answer, each entry off by up to `by`.
static void move_away(const Made* p, double by, double* r)
{
    utRng rng = ut_rng(32, 0);
    for (int k = 0; k < p->N; k++) {
        r[k] = p->r[k] + ut_rng_range(&rng, -by, by);
    }
}

static double distance(const Made* p, const double* r)
{
    double most = 0.0;
    for (int k = 0; k < p->N; k++) {
        most = fmax(most, fabs(r[k] - p->r[k]));
    }
    return most;
}

// Case c: every section in every form, with a symmetric W.
enum { SECTIONS = 3, CASES = SECTIONS * FORM_COUNT };

static const utSection* section_of(int c)
{
    static utSection section[SECTIONS];
    section[0] = ut_section_segment();
    section[1] = ut_section_circle();
    CHECK_INT(ut_section_polygon(UT_SECTION_CIRCUMSCRIBED, 8, 0.2, &section[2], NULL), UT_OK);
    return &section[c % SECTIONS];
}

static const Made* take_case(int c, utArena* arena, utCoulomb* problem)
{
    const utSection* section = section_of(c);
    Made* p = UT_PUSH(arena, Made, 1);
    utCoulomb form[FORM_COUNT];
    make(section, 0.0, c, p);
    all_forms(p, section, arena, form);
    *problem = form[c / SECTIONS];
    return p;
}

// ---- Newton -------------------------------------------------------------------------------------

// An error of 1e-3 becomes about 1e-6, 1e-12 and rounding: three steps. |W^-1| is below 10 here, so
// an E of 1e-12 leaves less than 1e-10.
TEST(newton_squares_its_error_for_any_W)
{
    for (int c = 0; c < SECTIONS * 2 * 2 * 2; c++) {
        const utSection* P = section_of(c);
        const bool natural = c / 3 % 2 == 1;
        utArena arena = test_arena();
        Made* p = UT_PUSH(&arena, Made, 1);
        make(P, c / 6 % 2 == 1 ? 0.2 : 0.0, c, p);
        const utCoulomb dense = local_form(p, P);
        const utCoulomb problem = c / 12 == 1 ? form_in_rows(&dense, &arena) : dense;
        System system;
        double r[MOST];
        int count = 0;
        CHECK_INT(ut_system_create(&problem, false, &arena, &system), UT_OK);
        move_away(p, 1e-3, r);
        CHECK_INT(
            ut_newton_run(&system, natural, (NewtonSteps){.limit = 20}, 1e-12, arena, r, &count),
            UT_OK);
        CHECK(count <= 3);
        CHECK_NEAR(distance(p, r), 0.0, 1e-10);
    }
}

// ---- proximal Newton ----------------------------------------------------------------------------

// One outer step divides the error by about 1 / e = 1e4, and two Newton steps solve its inner
// problem: 1e-6 becomes about 1e-10. |W^-1| is below 10 and V below 10.
TEST(the_live_proximal_newton_polishes_in_a_few_steps)
{
    for (int c = 0; c < CASES; c++) {
        utArena arena = test_arena();
        utCoulomb problem;
        const Made* p = take_case(c, &arena, &problem);
        System system;
        double r[MOST];
        int count = 0;
        CHECK_INT(ut_system_create(&problem, false, &arena, &system), UT_OK);
        move_away(p, 1e-6, r);
        const Proximal live = ut_proximal_live();
        CHECK_INT(ut_proximal_run(&system, &live, 1e-9, arena, r, &count), UT_OK);
        CHECK(count <= 3);
        CHECK_NEAR(distance(p, r), 0.0, 1e-8);
    }
}

// ---- the interior point -------------------------------------------------------------------------

// An open contact ends without an impulse, although every iterate has one there.
TEST(the_interior_point_leaves_no_impulse_at_an_open_contact)
{
    for (int c = 0; c < CASES; c++) {
        utArena arena = test_arena();
        utCoulomb problem;
        const Made* p = take_case(c, &arena, &problem);
        const int d = problem.dimension;
        if (ut_coulomb_polygonal(&problem)) {
            continue;
        }
        utCoulombDef def = ut_coulomb_def();
        utCoulombInfo info;
        double r[MOST];
        def.tolerance = 1e-6;
        def.no_fallback = true;
        CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_IPM, &def, arena, r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        CHECK_NEAR(distance(p, r), 0.0, 1e-4); // |W^-1| V E, below 10 each
        for (int k = 2 * d; k < 3 * d; k++) {
            CHECK_NEAR(r[k], 0.0, 0.0);
        }
    }
}

// ---- what they share ----------------------------------------------------------------------------

// The error that solvers compute equals that of the judge, which shares only the law with it.
TEST(solvers_compute_the_error_of_the_judge)
{
    for (int c = 0; c < CASES; c++) {
        utArena arena = test_arena();
        utCoulomb problem;
        const Made* p = take_case(c, &arena, &problem);
        System system;
        CHECK_INT(ut_system_create(&problem, false, &arena, &system), UT_OK);
        for (int k = 0; k < p->N; k++) {
            double r[MOST];
            double bilateral;
            utCoulombVerdict verdict;
            memcpy(r, p->r, sizeof r);
            r[k] += 1e-3;
            const double E = ut_system_error(&system, r, &bilateral);
            CHECK_INT(ut_coulomb_judge(&problem, false, r, arena, NULL, &verdict), UT_OK);
            CHECK_NEAR(E, verdict.E, 1e-13);
            CHECK_NEAR(bilateral, verdict.bilateral, 1e-13);
            CHECK_NEAR(ut_system_scale(&system, r), verdict.V, 1e-13);
            CHECK(verdict.E + verdict.bilateral > 1e-5);
        }
    }
}

TEST(a_limit_of_steps_is_kept)
{
    static const utCoulombSolver solvers[] = {UT_COULOMB_PROXIMAL, UT_COULOMB_NEWTON};
    const utSection circle = ut_section_circle();
    utArena arena = test_arena();
    Made* p = UT_PUSH(&arena, Made, 1);
    make(&circle, 0.0, 0, p);
    const utCoulomb problem = local_form(p, &circle);
    for (int s = 0; s < 2; s++) {
        for (int limit = 1; limit <= 2; limit++) {
            utCoulombDef def = ut_coulomb_def();
            utCoulombInfo info;
            double r[MOST];
            def.max_iterations = limit;
            def.no_fallback = true;
            CHECK_INT(ut_coulomb_solve(&problem, solvers[s], &def, arena, r, &info), UT_OK);
            CHECK_INT(info.outcome, UT_COULOMB_ITERATIONS);
            CHECK_INT(info.iterations, limit);
        }
    }
}
