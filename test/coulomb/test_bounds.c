// SPDX-License-Identifier: Apache-2.0
// Scalar rows with bounds: limits, dry friction of joints, forces that are limited. The oracles are
// closed forms and, for problems in the plane, boxed LCPs: |r_t| <= mu r_n is a bound with a
// friction index there, so one LCP holds contacts and rows alike.
#include <math.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/lcp.h>
#include <uptack/vec.h>

#include "test.h"

static const utCoulombSolver SOLVERS[] = {UT_COULOMB_AUTO, UT_COULOMB_IPM, UT_COULOMB_PROXIMAL,
                                          UT_COULOMB_NEWTON, UT_COULOMB_NSGS};
enum { SOLVER_COUNT = sizeof SOLVERS / sizeof *SOLVERS };

// ---- closed forms -------------------------------------------------------------------------------

// One row, W = 1/2, u = r / 2 + q, r within bounds.
TEST(one_row_stays_within_its_bounds)
{
    static const struct {
        double low, high, q, r;
    } cases[] = {
        {0, HUGE_VAL, -1, 2},                                // a limit that the row runs into
        {0, HUGE_VAL, 1, 0},                                 // a limit that the row leaves
        {-HUGE_VAL, 0, 1, -2},                               // the other end
        {-1, 1, 0.25, -0.5},                                 // dry friction that holds,
        {-1, 1, 3, -1},                                      // and that does not
        {-1, 1, -3, 1},        {-HUGE_VAL, HUGE_VAL, 3, -6}, // no bounds: a joint
        {0.5, 0.5, 3, 0.5},                                  // equal bounds
    };
    const double W[] = {0.5};
    const utCoulombDef def = ut_coulomb_def();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const utCoulomb problem = {.dimension = 3,
                                   .bilaterals = 1,
                                   .low = &cases[c].low,
                                   .high = &cases[c].high,
                                   .W = W,
                                   .q = &cases[c].q};
        for (int s = 0; s < SOLVER_COUNT; s++) {
            double r[1];
            utCoulombInfo info;
            CHECK_INT(ut_coulomb_solve(&problem, SOLVERS[s], &def, test_arena(), r, &info), UT_OK);
            CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
            CHECK_NEAR(r[0], cases[c].r, 6e-8); // E V / W, V <= 3
        }
    }
}

// A block of 1 kg on the ground, g h = 0.1, held back by a joint with dry friction 0.02 N s and
// pushed to 1 m/s. The contact takes mu r_n = 0.03, the joint its bound: u = 1 - 0.03 - 0.02.
// Pushed to 0.04 m/s it stops, however the two share the load.
TEST(a_contact_and_a_row_share_the_load)
{
    const double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double J[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0};
    const double b[] = {0, 0, 0, 0};
    const double mu[] = {0.3};
    const double low[] = {-0.02};
    const double high[] = {0.02};
    const utSection circle = ut_section_circle();
    const utCoulombDef def = ut_coulomb_def();
    for (int slow = 0; slow < 2; slow++) {
        const double f[] = {-0.1, slow ? 0.04 : 1.0, 0};
        const utCoulomb problem = {.dimension = 3,
                                   .contacts = 1,
                                   .bilaterals = 1,
                                   .low = low,
                                   .high = high,
                                   .mu = mu,
                                   .section = &circle,
                                   .dof = 3,
                                   .M = M,
                                   .J = J,
                                   .f = f,
                                   .b = b};
        for (int s = 0; s < SOLVER_COUNT; s++) {
            double r[4];
            double u[4];
            utCoulombInfo info;
            utCoulombVerdict verdict;
            CHECK_INT(ut_coulomb_solve(&problem, SOLVERS[s], &def, test_arena(), r, &info), UT_OK);
            CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
            CHECK_INT(ut_coulomb_judge(&problem, false, r, test_arena(), u, &verdict), UT_OK);
            CHECK_NEAR(r[0], 0.1, 3e-8);
            CHECK_NEAR(u[1], slow ? 0.0 : 0.95, 3e-8);
            CHECK_NEAR(r[1] + r[3], slow ? -0.04 : -0.05, 3e-8);
            CHECK(fabs(r[3]) <= 0.02);
        }
    }
}

TEST(bounds_in_the_wrong_order_are_refused)
{
    const double W[] = {1};
    const double q[] = {0};
    const double low[] = {1};
    const double high[] = {0};
    const utCoulomb problem = {
        .dimension = 2, .bilaterals = 1, .low = low, .high = high, .W = W, .q = q};
    utError err;
    CHECK_INT(ut_coulomb_check(&problem, &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, "row 0 is bounded by 1 and 0; the first may not be above the second");
}

// ---- the judge ----------------------------------------------------------------------------------

// W = 1/2, so m = 2; bounds -1, 1; q = 3, V = 3. At r = -1 all is well; at r = -0.5 the row could
// take 0.5 more: e = 0.5 / 2. Beyond the bound it is an excess too.
TEST(the_judge_measures_bounded_rows_like_contacts)
{
    const double W[] = {0.5};
    const double q[] = {3};
    const double low[] = {-1};
    const double high[] = {1};
    const utCoulomb problem = {
        .dimension = 2, .bilaterals = 1, .low = low, .high = high, .W = W, .q = q};
    static const struct {
        double r, E, cone;
    } cases[] = {{-1, 0, 0}, {-0.5, 0.25 / 3, 0}, {-1.5, 0.25 / 3, 0.5 / 6}, {1, 1.0 / 3, 0}};
    for (size_t c = 0; c < 4; c++) {
        utCoulombVerdict verdict;
        CHECK_INT(ut_coulomb_judge(&problem, false, &cases[c].r, test_arena(), NULL, &verdict),
                  UT_OK);
        CHECK_NEAR(verdict.E, cases[c].E, 1e-15);
        CHECK_NEAR(verdict.cone, cases[c].cone, 1e-15);
        CHECK_NEAR(verdict.bilateral, 0.0, 0.0);
        CHECK_INT(verdict.contact, 0);
    }
}

// ---- against boxed LCPs -------------------------------------------------------------------------

enum { CONTACTS = 3, ROWS = 5, N = 2 * CONTACTS + ROWS, DOF = 14 };

typedef struct Case {
    double M[DOF * DOF], f[DOF], J[N * DOF], b[N], W[N * N], q[N];
    double mu[CONTACTS], low[ROWS], high[ROWS];
} Case;

// Unit masses, so that W = J J'.
static void make_case(utRng* rng, Case* c)
{
    memset(c, 0, sizeof *c);
    for (int k = 0; k < DOF; k++) {
        c->M[k * DOF + k] = 1.0;
        c->f[k] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int k = 0; k < N * DOF; k++) {
        c->J[k] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < DOF; k++) {
            c->q[i] += c->J[i * DOF + k] * c->f[k];
        }
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < DOF; k++) {
                c->W[i * N + j] += c->J[i * DOF + k] * c->J[j * DOF + k];
            }
        }
    }
    for (int i = 0; i < CONTACTS; i++) {
        c->mu[i] = ut_rng_range(rng, 0.0, 0.8);
    }
    for (int j = 0; j < ROWS; j++) {
        c->low[j] = j == 0 ? -HUGE_VAL : j < 3 ? 0.0 : -ut_rng_range(rng, 0.0, 0.3);
        c->high[j] = j < 3 ? HUGE_VAL : ut_rng_range(rng, 0.0, 0.3);
    }
}

// The scaled residual of r as the solution of a boxed LCP.
static double lcp_residual(const Case* c, const double* r)
{
    double lo[N], hi[N];
    int findex[N];
    for (int i = 0; i < N; i++) {
        const bool contact = i < 2 * CONTACTS;
        const bool tangent = contact && i % 2 == 1;
        lo[i] = tangent ? -c->mu[i / 2] : contact ? 0.0 : c->low[i - 2 * CONTACTS];
        hi[i] = tangent ? c->mu[i / 2] : contact ? HUGE_VAL : c->high[i - 2 * CONTACTS];
        findex[i] = tangent ? i - 1 : -1;
    }
    const utLcp lcp = {.n = N, .M = c->W, .q = c->q, .lo = lo, .hi = hi, .findex = findex};
    return ut_lcp_residual(&lcp, r);
}

TEST(contacts_joints_limits_and_dry_friction_agree_with_a_boxed_lcp)
{
    const utSection segment = ut_section_segment();
    const utCoulombDef def = ut_coulomb_def();
    utRng rng = ut_rng(71, 0);
    int solved[SOLVER_COUNT] = {0};
    const int count = 100;
    for (int k = 0; k < count; k++) {
        Case c;
        make_case(&rng, &c);
        utCoulomb problem = {.dimension = 2,
                             .contacts = CONTACTS,
                             .bilaterals = ROWS,
                             .low = c.low,
                             .high = c.high,
                             .mu = c.mu,
                             .section = &segment};
        if (k % 2 == 0) {
            problem.W = c.W;
            problem.q = c.q;
        } else {
            problem.dof = DOF;
            problem.M = c.M;
            problem.J = c.J;
            problem.f = c.f;
            problem.b = c.b;
        }
        for (int s = 0; s < SOLVER_COUNT; s++) {
            double r[N];
            utCoulombInfo info;
            CHECK_INT(ut_coulomb_solve(&problem, SOLVERS[s], &def, test_arena(), r, &info), UT_OK);
            if (info.outcome == UT_COULOMB_SOLVED) {
                solved[s]++;
                // E is over V, the residual over max|q|; both scale slips by at most |W| of 14
                CHECK(lcp_residual(&c, r) <= 1e-6);
            }
        }
    }
    for (int s = 0; s < SOLVER_COUNT; s++) {
        test_note("%s: %d of %d", ut_coulomb_solver_name(SOLVERS[s]), solved[s], count);
    }
    CHECK_INT(solved[0], count);
}

// ---- components of one vector -------------------------------------------------------------------

// A point that moves in a plane is to stand still: three rows in the world's axes, of which two are
// independent. The plane's normal is n = (0.002, 1, 0.02) / |n|; along it the rows ask for 2e-13
// m/s that nothing can move, which is rounding. No row needs more than that: u = 2e-13 n. Scaled by
// masses of their own, the first row would be off by 2e-13 / 0.002 = 1e-10 m/s.
TEST(rounding_along_a_direction_that_nothing_moves_stays_as_small_as_it_is)
{
    const double c = 2e-13, size = sqrt(1.0 + 0.002 * 0.002 + 0.02 * 0.02);
    const utVec3 n = ut_vec3(0.002 / size, 1.0 / size, 0.02 / size);
    utVec3 t1, t2;
    ut_tangent_basis(n, &t1, &t2);
    const double M[] = {0.04, 0.0, 0.0, 4.0};
    const double J[] = {t1.x, t2.x, t1.y, t2.y, t1.z, t2.z};
    const double f[] = {0.0012, -0.08}, b[] = {c * n.x, c * n.y, c * n.z};
    const double low[] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    const double high[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    const int vector[] = {0, 0, 0};
    const utCoulomb problem = {.dimension = 3,
                               .bilaterals = 3,
                               .low = low,
                               .high = high,
                               .vector = vector,
                               .dof = 2,
                               .M = M,
                               .f = f,
                               .J = J,
                               .b = b};
    utCoulombDef def = ut_coulomb_def();
    def.tolerance = 1e-9; // of E; a tenth of it for rows without bounds, V = 0.03 m/s
    for (int s = 0; s < SOLVER_COUNT; s++) {
        double r[3];
        utCoulombInfo info;
        CHECK_INT(ut_coulomb_solve(&problem, SOLVERS[s], &def, test_arena(), r, &info), UT_OK);
        if (!CHECK_INT(info.outcome, UT_COULOMB_SOLVED)) {
            test_note("solver %d: %g", s, info.verdict.bilateral);
        }
        CHECK(info.iterations <= 60);
    }
}
