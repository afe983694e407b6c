// SPDX-License-Identifier: Apache-2.0
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

// The scales by hand: P = 6, T_i the sizes of a row's terms, S_i = max(|q_i|, min(T_i, 6)).
TEST(the_residual_is_the_worst_row_in_its_own_scale)
{
    // z = 0: w = q, and S = |q|
    CHECK_NEAR(ut_lcp_residual(&two, (double[]){0, 0}), 1.0, 0.0);
    // z = (3, 3): T = (9, 9), S = (6, 6), C = (2/6, 2/6), w = (4, 3): min(1, 4/6) and min(1, 3/6)
    CHECK_NEAR(ut_lcp_residual(&two, (double[]){3, 3}), 4.0 / 6.0, 1e-16);
    // a negative z counts by its own size: z = (-3, 6): w = (-5, 3): min(-1, -5/6), min(2, 1/2)
    CHECK_NEAR(ut_lcp_residual(&two, (double[]){-3, 6}), 1.0, 1e-16);
    // terms smaller than P: z = (1, 0): T = (2, 1), S = (5, 6), w = (-3, -5)
    CHECK_NEAR(ut_lcp_residual(&two, (double[]){1, 0}), 5.0 / 6.0, 1e-16);
}

// M = I, so that nothing connects the rows: each is judged as if it were alone.
TEST(a_large_row_hides_nothing_in_another_one)
{
    for (double big = 1.0; big < 1e60; big *= 1e10) {
        utLcp lcp = {.n = 2, .M = (double[]){1, 0, 0, 1}, .q = (double[]){-big, -1}};
        CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){big, 1}), 0.0, 0.0);
        CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){big, 0}), 1.0, 0.0);
        CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){big, 1.5}), 0.5, 0.0);
        CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){big, -1}), 2.0, 0.0); // w = -2
    }
}

// The same two rows as neighbours: down to the rounding of the large one (1e-16) an error of order
// one in the small one exceeds every tolerance.
TEST(a_large_row_hides_in_its_neighbour_no_more_than_its_rounding)
{
    for (double big = 1.0; big < 1e15; big *= 10) {
        const double M[] = {1, 1.0 / (2.0 * big), 0, 1};
        utLcp lcp = {.n = 2, .M = M, .q = (double[]){-big - 0.5 / big, -1}};
        CHECK(ut_lcp_residual(&lcp, (double[]){big, 1}) <= 1e-15);
        CHECK(ut_lcp_residual(&lcp, (double[]){big, 0}) > 1e-9);
        CHECK(ut_lcp_residual(&lcp, (double[]){big, 2}) > 1e-9);
    }
}

// w_1 + w_2 = -2 whatever z is: there is no solution, and far out along (1, 1) there is none
// either.
TEST(unknowns_that_run_away_do_not_make_a_slack_small)
{
    utLcp lcp = {.n = 2, .M = (double[]){1, -1, -1, 1}, .q = (double[]){-1, -1}};
    for (double far = 0.0; far < 1e14; far = 10.0 * far + 1.0) {
        CHECK(ut_lcp_residual(&lcp, (double[]){far, far}) > 1e-10);
    }
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){1e4, 1e4}), 1.0, 0.0);
}

// Terms of 1e12 that cancel to 1, solved by hand: z = (2, 2 - 1e-12) rounded to double misses by
// a rounding of the terms, which is forgiven; 30 roundings are not.
TEST(an_exact_solution_rounded_to_double_passes)
{
    utLcp lcp = {.n = 2, .M = (double[]){1e12, -1e12, 0, 1}, .q = (double[]){-1, -2 + 1e-12}};
    CHECK(ut_lcp_residual(&lcp, (double[]){2, 2 - 1e-12}) <= 1e-10);
    CHECK(ut_lcp_residual(&lcp, (double[]){2 * (1 + 0x1p-48), 2 - 1e-12}) > 1e-10);
}

TEST(scaling_rows_and_columns_leaves_the_verdict_alone)
{
    enum { N = 7 };
    double M[N * N], q[N], z[N];
    utRng rng = ut_rng(5, 0);
    for (int trial = 0; trial < 200; trial++) {
        // w = 0 where z > 0 and w > 0 elsewhere, but for one row that is off by 1 % of its terms
        const int wrong = trial % N;
        for (int i = 0; i < N; i++) {
            z[i] = i % 2 == 0 ? ut_rng_range(&rng, 0.5, 1.0) : 0.0;
        }
        for (int i = 0; i < N; i++) {
            double sum = 0.0, size = 0.0;
            for (int j = 0; j < N; j++) {
                M[i * N + j] = ut_rng_range(&rng, -1.0, 1.0) + (i == j ? 3.0 : 0.0);
                sum += M[i * N + j] * z[j];
                size += fabs(M[i * N + j] * z[j]);
            }
            q[i] = (i % 2 == 0 ? 0.0 : size) - sum;
            q[i] -= i == wrong ? (i % 2 == 0 ? 0.01 : 1.01) * size : 0.0;
        }
        for (int scaled = 0; scaled < 2; scaled++) {
            const double e = ut_lcp_residual(&(utLcp){.n = N, .M = M, .q = q}, z);
            CHECK(e > 1e-5 && e <= 1.0);
            for (int i = 0; i < N; i++) { // by powers of ten from -3 to 3, as units differ
                const double s = pow(10.0, (i + trial) % 7 - 3), t = pow(10.0, (2 * i) % 7 - 3);
                q[i] *= s;
                z[i] /= t;
                for (int j = 0; j < N; j++) {
                    M[i * N + j] *= s;
                    M[j * N + i] *= t;
                }
            }
        }
    }
}

// Where no row sees an unknown any difference from its bound counts whole; a row of zeros counts by
// its own q.
TEST(rows_and_columns_of_zeros_are_judged)
{
    utLcp lcp = {.n = 2, .M = (double[]){0, 0, 0, 1}, .q = (double[]){1e-9, -1}};
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){0, 1}), 0.0, 0.0);
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){1e-9, 1}), 1.0, 0.0);
    lcp.q = (double[]){-1e-30, -1};
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){0, 1}), 1.0, 0.0);
    lcp.q = (double[]){0, -1};
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){7, 1}), 0.0, 0.0);
}

// One huge entry of q beside rows that have nothing to do with it, or hardly anything.
TEST(solvers_find_small_unknowns_beside_huge_ones)
{
    static const double identity[] = {1, 0, 0, 1};
    static const double pair[] = {1, 0, 0, 0, 2, 1.999, 0, 1.999, 2};
    static const double four[] = {1, 0,       0,      0,      0, 1.9305, -1.6773, 1.9532,
                                  0, -1.6773, 3.9851, 2.7536, 0, 1.9532, 2.7536,  10.268};
    const utLcp lcps[] = {
        {.n = 2, .M = identity, .q = (double[]){-1e11, -1}},
        {.n = 2, .M = identity, .q = (double[]){-1e15, -1}},
        {.n = 3, .M = pair, .q = (double[]){-1e12, -5, -5.0001}},
        {.n = 4, .M = four, .q = (double[]){-1e12, 0.373, -0.117, -0.786}},
    };
    for (int k = 0; k < 4; k++) {
        for (int s = 0; s < UT_LCP_SOLVER_COUNT; s++) {
            double z[4], w[4];
            utLcpInfo info;
            utLcpDef def = ut_lcp_def();
            if (k == 3 && s == UT_LCP_PIVOT) {
                continue; // not a P-matrix: nothing is promised
            }
            def.max_iterations = s == UT_LCP_PGS ? 1000000 : 0; // the pair is nearly singular
            CHECK_INT(ut_lcp_solve(&lcps[k], (utLcpSolver)s, &def, test_arena(), z, &info), UT_OK);
            if (!CHECK_INT(info.outcome, UT_LCP_SOLVED)) {
                test_note("problem %d by %s", k, ut_lcp_solver_name((utLcpSolver)s));
            }
            ut_lcp_slack(&lcps[k], z, w);
            CHECK_NEAR(z[0] / -lcps[k].q[0], 1.0, 0x1p-52);
            for (int i = 1; i < lcps[k].n; i++) {
                CHECK(z[i] >= 0.0 && w[i] >= -1e-8 && fmin(z[i], w[i]) <= 1e-8);
            }
        }
    }
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

// w = (z0 - 4, z1 + 1), scales 4 and 1.
TEST(free_rows_count_their_slack_alone)
{
    utLcp lcp = {.n = 2, .M = (double[]){1, 0, 0, 1}, .q = (double[]){-4, 1}, .free_count = 1};
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){4, 0}), 0.0, 0.0);
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){3, 0}), 0.25, 0.0);
    lcp.q = (double[]){4, 1};
    CHECK_NEAR(ut_lcp_residual(&lcp, (double[]){-4, 0}), 0.0, 0.0);
}

// One unknown, w = z + q, bounds -1 and 2, |q| = 4 = S = 1/C.
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
