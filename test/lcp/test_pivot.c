// SPDX-License-Identifier: Apache-2.0
// Principal pivoting: symmetric and not, singular, boxed, warm; against enumeration and planted
// answers.
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/lcp_problems.h>

static utLcpInfo pivot(const utLcp* lcp, utLcpDef def, utArena scratch, double* z)
{
    utLcpInfo info = {.residual = -1.0};
    CHECK_INT(ut_lcp_solve(lcp, UT_LCP_PIVOT, &def, scratch, z, &info), UT_OK);
    return info;
}

TEST(planted_answers_of_p_matrices_are_found)
{
    static const utLcpFamily families[] = {UT_LCP_DOMINANT, UT_LCP_SKEW, UT_LCP_SPD};
    static const int sizes[] = {1, 2, 5, 17, 60, 150};
    for (size_t f = 0; f < 3; f++) {
        for (int s = 0; s < 6; s++) {
            for (uint64_t seed = 0; seed < 5; seed++) {
                utArena arena = test_arena();
                utLcpProblem problem;
                int n = sizes[s];
                CHECK_INT(ut_lcp_family_create(families[f], n, seed, &arena, &problem), UT_OK);
                double* z = UT_PUSH(&arena, double, n);
                utLcpInfo info = pivot(&problem.lcp, ut_lcp_def(), arena, z);
                CHECK_INT(info.outcome, UT_LCP_SOLVED);
                // condition numbers stay below 1e4 in these families
                for (int i = 0; i < n; i++) {
                    CHECK_NEAR(z[i], problem.z[i], 1e-10);
                }
            }
        }
    }
}

// w = M z + q is unique for semidefinite M even where z is not.
TEST(singular_semidefinite_problems_are_solved)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        utArena arena = test_arena();
        utLcpProblem problem;
        int n = 2 + (int)seed;
        CHECK_INT(ut_lcp_family_create(UT_LCP_PSD, n, seed, &arena, &problem), UT_OK);
        double* z = UT_PUSH(&arena, double, n);
        double* w = UT_PUSH(&arena, double, n);
        double* planted = UT_PUSH(&arena, double, n);
        utLcpInfo info = pivot(&problem.lcp, ut_lcp_def(), arena, z);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        ut_lcp_slack(&problem.lcp, z, w);
        ut_lcp_slack(&problem.lcp, problem.z, planted);
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(w[i], planted[i], 1e-9);
        }
    }
}

// Four feet under one table top: normals only, rank 3. The sum of the forces is the weight, and the
// moments vanish: m = 4, g h = 0.0981, feet at (+-1, +-2), centre off by (0.3, 0.4).
TEST(a_table_on_four_feet_carries_its_weight)
{
    static const double feet[4][2] = {{1, 2}, {-1, 2}, {-1, -2}, {1, -2}};
    const double mass = 4.0, inertia_x = 5.0, inertia_y = 2.0, off_x = 0.3, off_y = 0.4;
    double M[16], q[4], z[4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            M[i * 4 + j] = 1.0 / mass + (feet[i][1] - off_y) * (feet[j][1] - off_y) / inertia_x +
                           (feet[i][0] - off_x) * (feet[j][0] - off_x) / inertia_y;
        }
        q[i] = -0.0981;
    }
    CHECK_INT(pivot(&(utLcp){.n = 4, .M = M, .q = q}, ut_lcp_def(), test_arena(), z).outcome,
              UT_LCP_SOLVED);
    double sum = 0.0, about_x = 0.0, about_y = 0.0;
    for (int i = 0; i < 4; i++) {
        sum += z[i];
        about_x += z[i] * (feet[i][1] - off_y);
        about_y += z[i] * (feet[i][0] - off_x);
    }
    CHECK_NEAR(sum, mass * 0.0981, 1e-13);
    CHECK_NEAR(about_x, 0.0, 1e-13);
    CHECK_NEAR(about_y, 0.0, 1e-13);
}

// M = (1 -1; -1 1), q = (1, -3): z = (1, 1) direction has M y = 0 and q'y = -2 < 0, so w >= 0 has
// no solution; the vector itself is the proof.
TEST(an_infeasible_semidefinite_problem_ends_on_a_ray_that_proves_it)
{
    static const double M[] = {1, -1, -1, 1};
    utLcp lcp = {.n = 2, .M = M, .q = (double[]){1, -3}};
    double z[2], ray[2] = {0, 0};
    utLcpDef def = ut_lcp_def();
    def.ray = ray;
    CHECK_INT(pivot(&lcp, def, test_arena(), z).outcome, UT_LCP_RAY);
    CHECK_NEAR(ray[0], 1.0, 1e-15);
    CHECK_NEAR(ray[1], 1.0, 1e-15);
    utLcpInfo info;
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_NONE);
    CHECK_INT(info.solver, UT_LCP_PIVOT);
}

// A symmetric matrix that is not semidefinite is nothing for an active set: it must not be
// believed.
TEST(an_indefinite_symmetric_problem_is_left_to_others)
{
    static const double M[] = {1, 2, 2, 1};
    utLcp lcp = {.n = 2, .M = M, .q = (double[]){-1, -1}};
    double z[2];
    utLcpInfo info = pivot(&lcp, ut_lcp_def(), test_arena(), z);
    CHECK((info.outcome == UT_LCP_SOLVED) == (ut_lcp_residual(&lcp, z) <= 1e-10));
    utLcpDef def = ut_lcp_def();
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
}

// Random bounds on both sides, some infinite, some equal; P-matrices, so enumeration has one
// answer.
TEST(boxed_problems_agree_with_enumeration)
{
    static const utLcpFamily families[] = {UT_LCP_SPD, UT_LCP_SKEW};
    int at_upper = 0;
    for (uint64_t seed = 0; seed < 120; seed++) {
        enum { N = 7 };
        utArena arena = test_arena();
        utLcpProblem problem;
        CHECK_INT(ut_lcp_family_create(families[seed % 2], N, seed, &arena, &problem), UT_OK);
        double lo[N], hi[N], z[N], want[N];
        utRng rng = ut_rng(seed, 8);
        for (int i = 0; i < N; i++) {
            int kind = ut_rng_below(&rng, 5);
            lo[i] = kind == 1 || kind == 2 ? -(double)INFINITY : ut_rng_range(&rng, -0.5, 0.2);
            hi[i] = kind == 0 || kind == 2 ? (double)INFINITY : ut_rng_range(&rng, 0.2, 0.6);
            hi[i] = kind == 4 && i == 0 ? lo[i] : hi[i];
        }
        utLcp lcp = problem.lcp;
        lcp.lo = lo;
        lcp.hi = hi;
        utLcpInfo by_cases;
        utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_ENUMERATE, &def, arena, want, &by_cases), UT_OK);
        CHECK_INT(by_cases.outcome, UT_LCP_SOLVED);
        static const utLcpSolver by[] = {UT_LCP_PIVOT, UT_LCP_LEMKE, UT_LCP_AUTO};
        for (int k = 0; k < 3; k++) {
            utLcpInfo info;
            CHECK_INT(ut_lcp_solve(&lcp, by[k], &def, arena, z, &info), UT_OK);
            CHECK_INT(info.outcome, UT_LCP_SOLVED);
            for (int i = 0; i < N; i++) {
                CHECK_NEAR(z[i], want[i], 1e-9);
                at_upper += z[i] == hi[i];
            }
        }
    }
    CHECK(at_upper > 100);
}

TEST(a_warm_solve_with_the_same_matrix_factors_nothing)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        enum { N = 80 };
        utArena arena = test_arena();
        utLcpProblem problem;
        CHECK_INT(ut_lcp_family_create(UT_LCP_SPD, N, seed, &arena, &problem), UT_OK);
        utLcpWarm warm;
        CHECK_INT(ut_lcp_warm_create(N, &arena, &warm), UT_OK);
        double z[N], q[N], again[N];
        utLcpDef def = ut_lcp_def();
        def.warm = &warm;
        CHECK_INT(pivot(&problem.lcp, def, arena, z).outcome, UT_LCP_SOLVED);
        utRng rng = ut_rng(seed, 1);
        for (int i = 0; i < N; i++) {
            q[i] = problem.lcp.q[i] + ut_rng_range(&rng, -0.02, 0.02);
        }
        utLcp other = problem.lcp;
        other.q = q;
        def.same_matrix = true;
        utLcpInfo info = pivot(&other, def, arena, z);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        CHECK_INT(info.factorizations, 0);
        CHECK(info.iterations < 20);
        CHECK_INT(pivot(&other, ut_lcp_def(), arena, again).outcome, UT_LCP_SOLVED);
        for (int i = 0; i < N; i++) {
            CHECK_NEAR(z[i], again[i], 1e-10);
        }

        // a start that is wrong everywhere costs pivots, not the answer
        for (int i = 0; i < N; i++) {
            warm.active[i] = !warm.active[i];
        }
        CHECK_INT(pivot(&other, def, arena, z).outcome, UT_LCP_SOLVED);
        for (int i = 0; i < N; i++) {
            CHECK_NEAR(z[i], again[i], 1e-10);
        }
    }
}

// Obstacle: the second difference of z is q where z > 0. By hand for n = 3, q = (-1, -1, -1): z =
// (3/2, 2, 3/2); with q = (-1, 3, -1): z = (1/2, 0, 1/2), w2 = 2.
TEST(a_string_over_a_floor_lifts_where_it_is_pushed)
{
    static const double M[] = {2, -1, 0, -1, 2, -1, 0, -1, 2};
    double z[3];
    pivot(&(utLcp){.n = 3, .M = M, .q = (double[]){-1, -1, -1}}, ut_lcp_def(), test_arena(), z);
    CHECK_NEAR(z[0], 1.5, 1e-15);
    CHECK_NEAR(z[1], 2.0, 1e-15);
    CHECK_NEAR(z[2], 1.5, 1e-15);
    pivot(&(utLcp){.n = 3, .M = M, .q = (double[]){-1, 3, -1}}, ut_lcp_def(), test_arena(), z);
    CHECK_NEAR(z[0], 0.5, 1e-15);
    CHECK_NEAR(z[1], 0.0, 0.0);
    CHECK_NEAR(z[2], 0.5, 1e-15);
}
