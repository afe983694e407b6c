// SPDX-License-Identifier: Apache-2.0
// Projected Gauss-Seidel: sweeps by hand, and limits against enumeration.
#include "test.h"

#include "lcp/internal.h"

#include <string.h>
#include <uptack/lcp_problems.h>

static utLcpInfo sweep(const utLcp* lcp, utLcpDef def, double* z)
{
    utLcpInfo info = {.residual = -1.0};
    CHECK_INT(ut_lcp_solve(lcp, UT_LCP_PGS, &def, test_arena(), z, &info), UT_OK);
    return info;
}

static utLcpDef sweeps(int count)
{
    utLcpDef def = ut_lcp_def();
    def.max_iterations = count;
    return def;
}

static void check_vector(int n, const double* got, const double* want, double tolerance)
{
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(got[i], want[i], tolerance);
    }
}

// Two unknowns, both active. By hand: z = (4/3, 7/3) makes w = 0.
static const double M2[] = {2, 1, 1, 2};
static const double q2[] = {-5, -6};
static const utLcp two_active = {.n = 2, .M = M2, .q = q2};

// From zero z_1 = 5/2 and then, with this z_1 already, z_2 = (6 - 5/2) / 2; again z_1 = (5 -
// 7/4)/2, z_2 = (6 - 13/8) / 2.
TEST(each_unknown_uses_those_just_renewed)
{
    double z[2];
    CHECK_INT(sweep(&two_active, sweeps(1), z).outcome, UT_LCP_ITERATIONS);
    check_vector(2, z, (double[]){2.5, 1.75}, 0.0);
    CHECK_INT(sweep(&two_active, sweeps(2), z).iterations, 2);
    check_vector(2, z, (double[]){1.625, 2.1875}, 0.0);
}

// 3/2 of the way: z_1 = 3/2 * 5/2, then w_2 = 15/4 - 6 and z_2 = 3/2 * 9/8.
TEST(relaxation_goes_that_much_further)
{
    double z[2];
    utLcpDef def = sweeps(1);
    def.relaxation = 1.5;
    sweep(&two_active, def, z);
    check_vector(2, z, (double[]){3.75, 1.6875}, 0.0);
}

TEST(sweeps_end_at_the_solution)
{
    double z[2];
    utLcpInfo info = sweep(&two_active, ut_lcp_def(), z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_INT(info.factorizations, 0);
    check_vector(2, z, (double[]){4. / 3, 7. / 3}, 1e-9);
}

// M is not symmetric: with rows and columns exchanged the second sweep would differ.
TEST(slacks_are_taken_along_rows)
{
    const double M[] = {2, 1, -1, 4}, q[] = {-4, -2};
    double z[2];
    sweep(&(utLcp){.n = 2, .M = M, .q = q}, sweeps(1), z);
    check_vector(2, z, (double[]){2, 1}, 0.0);
    sweep(&(utLcp){.n = 2, .M = M, .q = q}, sweeps(2), z);
    check_vector(2, z, (double[]){1.5, 0.875}, 0.0);
}

TEST(a_warm_start_at_the_solution_needs_one_sweep)
{
    double z[] = {4. / 3, 7. / 3};
    utLcpDef def = ut_lcp_def();
    def.warm_start = true;
    utLcpInfo info = sweep(&two_active, def, z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_INT(info.iterations, 1);
}

// z_1 is free and may be negative, z_2 stays within [-1, 1/2] and z_3 is at least 1. One sweep by
// hand: z_1 = -2, z_2 = clamp(3) and z_3 = max(1, -5).
TEST(free_and_boxed_unknowns_are_clamped_to_what_they_have)
{
    const double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {2, -3, 5};
    const double lo[] = {0, -1, 1}, hi[] = {0.25, 0.5, HUGE_VAL};
    double z[3];
    utLcp lcp = {.n = 3, .M = M, .q = q, .free_count = 1, .lo = lo, .hi = hi};
    CHECK_INT(sweep(&lcp, ut_lcp_def(), z).outcome, UT_LCP_SOLVED);
    check_vector(3, z, (double[]){-2, 0.5, 1}, 0.0);
}

// ---- friction -----------------------------------------------------------------------------------

// DART's case: b = A (1, 0.2, -0.1) within the cone, so that is the answer.
TEST(a_sticking_contact_has_the_impulse_it_was_made_from)
{
    const double M[] = {4, 0.5, 0, 0.5, 3, 0.25, 0, 0.25, 2.5};
    const double q[] = {-(4 + 0.1), -(0.5 + 0.6 - 0.025), -(0.05 - 0.25)};
    const double lo[] = {0, -0.5, -0.5}, hi[] = {HUGE_VAL, 0.5, 0.5};
    const int findex[] = {-1, 0, 0};
    double z[3];
    utLcp lcp = {.n = 3, .M = M, .q = q, .lo = lo, .hi = hi, .findex = findex};
    CHECK_INT(sweep(&lcp, ut_lcp_def(), z).outcome, UT_LCP_SOLVED);
    check_vector(3, z, (double[]){1, 0.2, -0.1}, 1e-9);
}

// The normal of the same sweep sets the bound: z_n = 2, and the tangent that wants 3 gets 2 mu.
TEST(bounds_follow_the_normal_within_the_sweep)
{
    const double M[] = {2, 0, 0, 1}, q[] = {-4, -3}, lo[] = {0, -0.5}, hi[] = {HUGE_VAL, 0.5};
    const int findex[] = {-1, 0};
    double z[2];
    utLcp lcp = {.n = 2, .M = M, .q = q, .lo = lo, .hi = hi, .findex = findex};
    sweep(&lcp, sweeps(1), z);
    check_vector(2, z, (double[]){2, 1}, 0.0);
}

// Two coincident contacts of a planar scene: rows and columns 3 and 6 are zero. Only the sums n and
// t over both matter, and sliding with t = -n gives n = b_n / (B_nn - B_nt) by hand.
TEST(a_planar_scene_keeps_its_third_direction_at_zero)
{
    const double B[3][3] = {{0.0923023, 0.0247589, 0}, {0.0247589, 0.0137374, 0}, {0, 0, 0}};
    const double b[3] = {0.00365796, 0.000140769, 0};
    double M[36], q[6], z[6], lo[6], hi[6];
    const int findex[] = {-1, 0, 0, -1, 3, 3};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            M[i * 6 + j] = B[i % 3][j % 3];
        }
        q[i] = -b[i % 3];
        lo[i] = i % 3 == 0 ? 0 : -1;
        hi[i] = i % 3 == 0 ? HUGE_VAL : 1;
    }
    utLcp lcp = {.n = 6, .M = M, .q = q, .lo = lo, .hi = hi, .findex = findex};
    CHECK_INT(sweep(&lcp, ut_lcp_def(), z).outcome, UT_LCP_SOLVED);
    const double normal = 0.00365796 / (0.0923023 - 0.0247589);
    CHECK_NEAR(z[0] + z[3], normal, 1e-9);
    CHECK_NEAR(z[1] + z[4], -normal, 1e-9);
    CHECK_NEAR(z[2], 0.0, 0.0);
    CHECK_NEAR(z[5], 0.0, 0.0);
}

// ---- what it cannot do --------------------------------------------------------------------------

TEST(a_row_without_a_positive_diagonal_is_not_swept)
{
    const struct {
        double M[4], q[2];
    } cases[] = {
        {{0, 1, 1, 1}, {-1, -1}},  // sees the other unknown
        {{0, 0, 1, 1}, {0, -1}},   // is seen by it
        {{-1, 0, 0, 1}, {-1, -1}}, // negative
        {{0, 0, 0, 1}, {-1, -1}},  // unseen, but q asks for an upper bound
    };
    for (int c = 0; c < 4; c++) {
        double z[2] = {7, 7};
        utLcpInfo info = sweep(&(utLcp){.n = 2, .M = cases[c].M, .q = cases[c].q}, ut_lcp_def(), z);
        CHECK_INT(info.outcome, UT_LCP_ITERATIONS);
        CHECK_INT(info.iterations, 0);
        check_vector(2, z, (double[]){0, 0}, 0.0);
    }
}

TEST(an_unseen_unknown_rests_where_its_slack_puts_it)
{
    const double M[] = {0}, lo[] = {-3}, hi[] = {-1};
    const double q[] = {5, 0, -5}, want[] = {-3, -1, -1};
    for (int i = 0; i < 3; i++) {
        double z;
        utLcp lcp = {.n = 1, .M = M, .q = q + i, .lo = lo, .hi = hi};
        CHECK_INT(sweep(&lcp, ut_lcp_def(), &z).outcome, UT_LCP_SOLVED);
        CHECK_NEAR(z, want[i], 0.0);
    }
}

// Each sweep multiplies by nine; there is no solution to run to.
TEST(sweeps_that_run_away_leave_finite_numbers)
{
    const double M[] = {1, -3, -3, 1}, q[] = {-1, -1};
    double z[2];
    utLcpInfo info = sweep(&(utLcp){.n = 2, .M = M, .q = q}, ut_lcp_def(), z);
    CHECK_INT(info.outcome, UT_LCP_ITERATIONS);
    CHECK(isfinite(z[0]) && isfinite(z[1]) && isfinite(info.residual));
}

// ---- against enumeration ------------------------------------------------------------------------

// Symmetric positive definite, some unknowns free and the others plain or boxed: one solution.
TEST(sweeps_agree_with_enumeration_on_positive_definite_problems)
{
    enum { N = 8 };
    utRng rng = ut_rng(5, 0);
    double lo[N], hi[N], z[N], want[N];
    for (uint64_t seed = 0; seed < 200; seed++) {
        utArena arena = test_arena();
        utLcpProblem p;
        utLcpInfo info;
        utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_family_create(UT_LCP_SPD, N, seed, &arena, &p), UT_OK);
        for (int i = 0; i < N; i++) {
            bool boxed = ut_rng_below(&rng, 2) == 1;
            lo[i] = boxed ? -0.1 : 0.0;
            hi[i] = boxed ? 0.2 : HUGE_VAL;
        }
        utLcp lcp = p.lcp;
        lcp.lo = lo;
        lcp.hi = hi;
        lcp.free_count = ut_rng_below(&rng, 3);
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_ENUMERATE, &def, arena, want, &info), UT_OK);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        def.max_iterations = 20000;
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_PGS, &def, arena, z, &info), UT_OK);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        check_vector(N, z, want, 1e-7);
    }
}

// A string of forty knots: the textbook's relaxation for it, 2 / (1 + sin(pi / 41)), about 1.86.
TEST(relaxation_shortens_the_sweeps_over_a_string)
{
    utArena arena = test_arena();
    utLcpProblem p;
    double z[40];
    CHECK_INT(ut_lcp_family_create(UT_LCP_OBSTACLE, 40, 1, &arena, &p), UT_OK);
    utLcpDef def = sweeps(100000);
    utLcpInfo slow = {0}, fast = {0};
    CHECK_INT(ut_lcp_solve(&p.lcp, UT_LCP_PGS, &def, arena, z, &slow), UT_OK);
    def.relaxation = 1.86;
    CHECK_INT(ut_lcp_solve(&p.lcp, UT_LCP_PGS, &def, arena, z, &fast), UT_OK);
    CHECK_INT(slow.outcome, UT_LCP_SOLVED);
    CHECK_INT(fast.outcome, UT_LCP_SOLVED);
    CHECK(fast.iterations < slow.iterations);
    test_note("%d sweeps, %d with relaxation", slow.iterations, fast.iterations);
}
