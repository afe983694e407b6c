// The judge, by hand: what it measures, what it refuses to be fooled by.
#include "test.h"

#include <math.h>
#include <uptack/lcp.h>

static const double M2[] = {2, 1, 1, 2};
static const double q2[] = {-5, -6};
static const utLcp two = {.n = 2, .M = M2, .q = q2};

TEST(an_exact_solution_has_residual_zero)
{
    // M z = (4, 8): w = (-1 + 5, 2 + ...) by hand for q = (-4, -8), z = (0, 4)
    utLcp lcp = {.n = 2, .M = M2, .q = (double[]){-4, -8}};
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){0, 4}), 0.0, 0.0);
}

// max|M| = 2, max|q| = 6, so s = 1/3. z = 0: w = q, and min(0, w_i/6) is -5/6 and -1.
TEST(the_residual_is_the_worst_scaled_minimum)
{
    CHECK_NEAR(ut_lcp_residual(&two, (double[]){0, 0}), 1.0, 0.0);
    // z = (3, 3): w = (4, 3): min(1, 4/6) and min(1, 3/6)
    CHECK_NEAR(ut_lcp_residual(&two, (double[]){3, 3}), 4.0 / 6.0, 1e-16);
    // a negative z counts by its own size: z = (-3, 6): w = (-5, 3): min(-1, -5/6), min(2, 1/2)
    CHECK_NEAR(ut_lcp_residual(&two, (double[]){-3, 6}), 1.0, 1e-16);
}

TEST(scaling_the_whole_problem_leaves_the_residual_alone)
{
    double M[4], q[2];
    const double z[] = {1.3, 2.4};
    const double base = ut_lcp_residual(&two, z);
    for (int k = -40; k <= 40; k += 8) {
        for (int i = 0; i < 4; i++) {
            M[i] = ldexp(M2[i], k);
        }
        q[0] = ldexp(q2[0], -2 * k);
        q[1] = ldexp(q2[1], -2 * k);
        double zs[] = {ldexp(z[0], -3 * k), ldexp(z[1], -3 * k)};
        CHECK_NEAR(ut_lcp_residual(&(utLcp){.n = 2, .M = M, .q = q}, zs), base, 0.0);
    }
}

TEST(nothing_that_is_not_finite_passes)
{
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int b = 0; b < 3; b++) {
        CHECK(ut_lcp_residual(&two, (double[]){bad[b], 0}) == (double)INFINITY);
        CHECK(ut_lcp_residual(&two, (double[]){4. / 3, bad[b]}) == (double)INFINITY);
        utLcp lcp = {.n = 2, .M = M2, .q = (double[]){1, bad[b]}};
        CHECK(ut_lcp_residual(&lcp, (double[]){0, 0}) == (double)INFINITY);
        lcp = (utLcp){.n = 2, .M = (double[]){1, 0, bad[b], 1}, .q = q2};
        CHECK(ut_lcp_residual(&lcp, (double[]){0, 0}) == (double)INFINITY);
    }
}

// 1e16 + 1 - 1e16 - 1 is 0; in plain double it is -1.
TEST(slacks_do_not_suffer_from_cancellation)
{
    static const double M[] = {1e16, 1, -1e16, 0, 1, 0, 0, 0, 1};
    double w[3];
    utLcp lcp = {.n = 3, .M = M, .q = (double[]){-1, -1, -1}};
    ut_lcp_slack(&lcp, (double[]){1, 1, 1}, w);
    CHECK_NEAR(w[0], 0.0, 0.0);
    // products that do not fit a double: (1 + 2^-30)^2 - 1 - 2^-29 = 2^-60
    double a = 1.0 + ldexp(1.0, -30);
    lcp = (utLcp){.n = 1, .M = &a, .q = (double[]){-1.0 - ldexp(1.0, -29)}};
    ut_lcp_slack(&lcp, &a, w);
    CHECK_NEAR(w[0], ldexp(1.0, -60), 0.0);
}

TEST(long_sums_agree_with_long_double)
{
    enum { N = 37 };
    double M[N * N], q[N], z[N], w[N];
    utRng rng = ut_rng(11, 0);
    for (int i = 0; i < N * N; i++) {
        M[i] = ut_rng_range(&rng, -1.0, 1.0) * ldexp(1.0, ut_rng_below(&rng, 40) - 20);
    }
    for (int i = 0; i < N; i++) {
        q[i] = ut_rng_range(&rng, -1.0, 1.0);
        z[i] = ut_rng_uniform(&rng);
    }
    ut_lcp_slack(&(utLcp){.n = N, .M = M, .q = q}, z, w);
    for (int i = 0; i < N; i++) {
        long double sum = (long double)q[i];
        long double size = fabsl((long double)q[i]);
        for (int j = 0; j < N; j++) {
            long double term = (long double)M[i * N + j] * (long double)z[j];
            sum += term;
            size += fabsl(term);
        }
        // long double sums err by N 2^-64 of their size, ours by one rounding to double
        long double bound = N * 0x1p-63L * size + 0x1p-53L * fabsl(sum);
        CHECK(fabsl((long double)w[i] - sum) <= bound);
    }
}

// max|q| = 4, max|M| = 1: s = 1/4. w = (z0 - 4, z1 + 1).
TEST(free_rows_count_their_slack_alone)
{
    utLcp lcp = {.n = 2, .M = (double[]){1, 0, 0, 1}, .q = (double[]){-4, 1}, .free_count = 1};
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){4, 0}), 0.0, 0.0);
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){3, 0}), 0.25, 0.0);
    lcp.q = (double[]){4, 1};
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){-4, 0}), 0.0, 0.0);
}

// One unknown, w = z + q, bounds -1 and 2, |q| = 4 = 1/s.
TEST(boxed_rows_count_the_distance_to_the_nearest_case)
{
    double q = -4.0;
    utLcp lcp = {.n = 1, .M = (double[]){1}, .q = &q, .lo = (double[]){-1}, .hi = (double[]){2}};
    // w = -2 at the upper bound: right. A little inside, the nearest case is the bound itself
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){2}), 0.0, 0.0);
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){1.9}), 0.025, 1e-16);
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){2.5}), 0.125, 0.0);
    q = 4.0;
    // w = 3 at the lower bound: right; beyond it: not
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){-1}), 0.0, 0.0);
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){-2}), 0.25, 0.0);
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){2}), 0.75, 0.0);
}

// Unknown 1 is bounded by half of unknown 0. M = I, q = (-2, -8): z0 = 2, z1 = 1, w1 = -7 <= 0.
TEST(a_friction_index_moves_the_bounds)
{
    utLcp lcp = {.n = 2,
                 .M = (double[]){1, 0, 0, 1},
                 .q = (double[]){-2, -8},
                 .lo = (double[]){0, -0.5},
                 .hi = (double[]){(double)INFINITY, 0.5},
                 .findex = (int[]){-1, 0}};
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){2, 1}), 0.0, 0.0);
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){2, 2}), 0.125, 0.0);
    CHECK(ut_lcp_residual(&lcp, (double[]){2, 8}) > 0.5);
}

TEST(running_out_of_sweeps_is_an_answer_with_its_residual)
{
    double z[2];
    utLcpInfo info;
    utLcpDef def = ut_lcp_def();
    def.max_iterations = 1;
    CHECK_INT(ut_lcp_solve(&two, UT_LCP_PGS, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_ITERATIONS);
    CHECK_NEAR(info.residual, ut_lcp_residual(&two, z), 0.0);
    CHECK(info.residual > def.tolerance);
}

// No solver's word counts: a tolerance that double precision cannot meet is not met.
TEST(no_solver_calls_an_answer_solved_that_misses_the_tolerance)
{
    utLcpDef def = ut_lcp_def();
    def.tolerance = 1e-300;
    for (int s = 0; s < UT_LCP_SOLVER_COUNT; s++) {
        double z[2];
        utLcpInfo info;
        CHECK_INT(ut_lcp_solve(&two, (utLcpSolver)s, &def, test_arena(), z, &info), UT_OK);
        CHECK((info.outcome == UT_LCP_SOLVED) == (info.residual <= def.tolerance));
    }
}
