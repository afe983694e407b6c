// SPDX-License-Identifier: Apache-2.0
// Lemke: against enumeration where theory promises an answer, warm starts, rays, free unknowns.
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/lcp_problems.h>

static utLcpInfo lemke(const utLcp* lcp, utLcpDef def, utArena scratch, double* z)
{
    utLcpInfo info = {.residual = -1.0};
    CHECK_INT(ut_lcp_solve(lcp, UT_LCP_LEMKE, &def, scratch, z, &info), UT_OK);
    return info;
}

// ---- X4: against enumeration
// ---------------------------------------------------------------------

// Classes in which Lemke with a positive cover ends in a solution whenever there is one:
// P-matrices, positive semidefinite and strictly copositive ones.
TEST(lemke_agrees_with_enumeration_in_the_classes_where_it_is_proved)
{
    static const utLcpFamily families[] = {UT_LCP_DOMINANT, UT_LCP_SKEW, UT_LCP_SPD, UT_LCP_PSD,
                                           UT_LCP_COPOSITIVE};
    int compared = 0;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (int n = 1; n <= 10; n++) {
            for (uint64_t seed = 0; seed < (n < 9 ? 20 : 5); seed++) {
                utArena arena = test_arena();
                utLcpProblem problem;
                CHECK_INT(ut_lcp_family_create(families[f], n, seed, &arena, &problem), UT_OK);
                double z[10], other[10];
                utLcpDef def = ut_lcp_def();
                utLcpInfo by_cases;
                utLcpInfo info = lemke(&problem.lcp, def, arena, z);
                CHECK_INT(
                    ut_lcp_solve(&problem.lcp, UT_LCP_ENUMERATE, &def, arena, other, &by_cases),
                    UT_OK);
                CHECK_INT(info.outcome, by_cases.outcome);
                CHECK_INT(info.outcome, UT_LCP_SOLVED);
                for (int i = 0; problem.unique && i < n; i++) {
                    CHECK_NEAR(z[i], other[i], 1e-8);
                }
                compared++;
            }
        }
    }
    test_note("%d problems, no false ray", compared);
}

// Semidefinite problems without a solution: a ray is the right answer there, and only there.
TEST(lemke_meets_a_ray_on_a_semidefinite_problem_just_when_it_is_infeasible)
{
    int rays = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        enum { N = 6 };
        utArena arena = test_arena();
        utLcpProblem problem;
        CHECK_INT(ut_lcp_family_create(UT_LCP_PSD, N, seed, &arena, &problem), UT_OK);
        double q[N], z[N], other[N];
        utRng rng = ut_rng(seed, 5);
        for (int i = 0; i < N; i++) {
            q[i] = ut_rng_range(&rng, -1.0, 1.0);
        }
        utLcp lcp = problem.lcp;
        lcp.q = q;
        utLcpDef def = ut_lcp_def();
        utLcpInfo by_cases, by_auto;
        utLcpInfo info = lemke(&lcp, def, arena, z);
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_ENUMERATE, &def, arena, other, &by_cases), UT_OK);
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, arena, other, &by_auto), UT_OK);
        CHECK((info.outcome == UT_LCP_RAY) == (by_cases.outcome == UT_LCP_NONE));
        CHECK_INT(by_auto.outcome, by_cases.outcome);
        rays += info.outcome == UT_LCP_RAY;
    }
    CHECK(rays > 20 && rays < 180);
}

// ---- rays
// ----------------------------------------------------------------------------------------

// On a secondary ray z and w stay nonnegative: with direction u (and z0 constant or falling away)
// M u >= 0 wherever z0 does not grow; here M u = -u leaves only z0 to pay for it.
TEST(the_ray_of_an_infeasible_problem_is_returned)
{
    double z[1], ray[1] = {0};
    utLcpDef def = ut_lcp_def();
    def.ray = ray;
    utLcp lcp = {.n = 1, .M = (double[]){-1}, .q = (double[]){-1}};
    CHECK_INT(lemke(&lcp, def, test_arena(), z).outcome, UT_LCP_RAY);
    CHECK_NEAR(ray[0], 1.0, 0.0);
}

// Pfrommer's two-sided friction with its rows stacked the wrong way round: an antidiagonal matrix,
// no solution while the block slides, and a secondary ray.
TEST(a_wrong_row_order_ends_on_a_ray_and_the_right_one_does_not)
{
    const double dt = 0.01, mu_g = 0.5 * 9.81;
    static const double starts[][2] = {{1, 0}, {0, 1}, {0, 0}, {0, 0}};
    static const double forces[] = {0, 0, 6, -6};
    static const double want[][2] = {{0.95095, 0}, {0, 0.95095}, {0.01095, 0}, {0, 0.01095}};
    for (int k = 0; k < 4; k++) {
        double up = starts[k][0] / dt, down = starts[k][1] / dt, z[2];
        double q[] = {down - up - forces[k] + mu_g, up - down + forces[k] + mu_g};
        utLcp right = {.n = 2, .M = (double[]){1 / dt, 0, 0, 1 / dt}, .q = q};
        CHECK_INT(lemke(&right, ut_lcp_def(), test_arena(), z).outcome, UT_LCP_SOLVED);
        CHECK_NEAR(z[0], want[k][0], 1e-12);
        CHECK_NEAR(z[1], want[k][1], 1e-12);

        utLcp wrong = {.n = 2, .M = (double[]){0, 1 / dt, 1 / dt, 0}, .q = (double[]){q[1], q[0]}};
        CHECK_INT(lemke(&wrong, ut_lcp_def(), test_arena(), z).outcome, UT_LCP_RAY);
        utLcpInfo info;
        utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_solve(&wrong, UT_LCP_AUTO, &def, test_arena(), z, &info), UT_OK);
        CHECK_INT(info.outcome, UT_LCP_NONE);
    }
}

// ---- covers and scaling
// --------------------------------------------------------------------------

TEST(the_cover_changes_the_path_and_not_the_answer_of_a_p_matrix)
{
    enum { N = 12 };
    int differ = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        utArena arena = test_arena();
        utLcpProblem problem;
        CHECK_INT(ut_lcp_family_create(UT_LCP_SKEW, N, seed, &arena, &problem), UT_OK);
        double z[N], again[N], cover[N];
        utRng rng = ut_rng(seed, 1);
        for (int i = 0; i < N; i++) {
            cover[i] = ut_rng_range(&rng, 0.01, 10.0);
        }
        utLcpDef def = ut_lcp_def();
        utLcpInfo info = lemke(&problem.lcp, def, arena, z);
        def.cover = cover;
        utLcpInfo other = lemke(&problem.lcp, def, arena, again);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        CHECK_INT(other.outcome, UT_LCP_SOLVED);
        differ += info.iterations != other.iterations;
        for (int i = 0; i < N; i++) {
            CHECK_NEAR(z[i], problem.z[i], 1e-10);
            CHECK_NEAR(again[i], problem.z[i], 1e-10);
        }
    }
    CHECK(differ > 5);
}

// A bimatrix game (CPS 4.4.23) has M >= 0 with a zero diagonal. z0 drives out some w_r, z_r enters,
// and its column y = -M_r + d M_rr / d_r <= 0 blocks nothing: a ray after one pivot, whatever
// positive cover d is taken. The game has three equilibria all the same.
TEST(a_bimatrix_game_defeats_every_positive_cover_and_not_auto)
{
    static const double M[] = {0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0};
    static const double q[] = {-1, -1, -1, -1};
    static const double equilibria[3][4] = {
        {0, 1. / 15, 0, 1. / 15}, {1. / 90, 4. / 90, 1. / 90, 4. / 90}, {0.1, 0, 0.1, 0}};
    utLcp lcp = {.n = 4, .M = M, .q = q};
    double z[4];
    utRng rng = ut_rng(23, 0);
    for (int k = 0; k < 50; k++) {
        double cover[4];
        for (int i = 0; i < 4; i++) {
            cover[i] = ut_rng_range(&rng, 0.01, 100.0);
        }
        utLcpDef def = ut_lcp_def();
        def.equilibrate = false;
        def.cover = cover;
        utLcpInfo info = lemke(&lcp, def, test_arena(), z);
        CHECK_INT(info.outcome, UT_LCP_RAY);
        CHECK_INT(info.iterations, 1);
    }
    utLcpInfo info;
    utLcpDef def = ut_lcp_def();
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    double nearest = 1.0;
    for (int k = 0; k < 3; k++) {
        double distance = 0.0;
        for (int i = 0; i < 4; i++) {
            distance = fmax(distance, fabs(z[i] - equilibria[k][i]));
        }
        nearest = fmin(nearest, distance);
    }
    CHECK_NEAR(nearest, 0.0, 1e-14);
}

// ---- warm starts
// ---------------------------------------------------------------------------------

static utContactLcp contact_problem(int contacts, uint64_t seed, utArena* arena)
{
    utContactLcpDef def = ut_contact_lcp_def();
    def.contacts = contacts;
    def.seed = seed;
    utContactLcp contact;
    CHECK_INT(ut_contact_lcp_create(&def, arena, &contact), UT_OK);
    return contact;
}

TEST(a_solve_started_from_its_own_basis_takes_no_pivot)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        utArena arena = test_arena();
        utContactLcp contact = contact_problem(10, seed, &arena);
        const int n = contact.lcp.n;
        utLcpWarm warm;
        CHECK_INT(ut_lcp_warm_create(n, &arena, &warm), UT_OK);
        double* z = UT_PUSH(&arena, double, n);
        double* again = UT_PUSH(&arena, double, n);
        utLcpDef def = ut_lcp_def();
        def.warm = &warm;
        utLcpInfo cold = lemke(&contact.lcp, def, arena, z);
        CHECK_INT(cold.outcome, UT_LCP_SOLVED);
        CHECK(cold.iterations > 0);

        utLcpInfo info = lemke(&contact.lcp, def, arena, again);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        CHECK_INT(info.iterations, 0);
        CHECK_INT(info.factorizations, 1);
        def.same_matrix = true;
        info = lemke(&contact.lcp, def, arena, again);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        CHECK_INT(info.iterations, 0);
        CHECK_INT(info.factorizations, 0);
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(again[i], z[i], 1e-9 * fmax(1.0, fabs(z[i])));
        }
    }
}

// The answer is the judge's: from any basis, good or absurd, it must be a solution.
TEST(any_warm_start_leads_to_a_solution)
{
    int from_near = 0, from_cold = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        utArena arena = test_arena();
        utContactLcp contact = contact_problem(8, seed, &arena);
        const int n = contact.lcp.n;
        utLcpWarm warm;
        CHECK_INT(ut_lcp_warm_create(n, &arena, &warm), UT_OK);
        double* z = UT_PUSH(&arena, double, n);
        double* q = UT_PUSH(&arena, double, n);
        utLcpDef def = ut_lcp_def();
        from_cold += lemke(&contact.lcp, def, arena, z).iterations;

        // a slightly other q from the old basis
        def.warm = &warm;
        CHECK_INT(lemke(&contact.lcp, def, arena, z).outcome, UT_LCP_SOLVED);
        utRng rng = ut_rng(seed, 3);
        for (int i = 0; i < n; i++) {
            bool slip_row = i >= contact.rows;
            q[i] = contact.lcp.q[i] + (slip_row ? 0.0 : ut_rng_range(&rng, 0.0, 1e-3));
        }
        utLcp other = contact.lcp;
        other.q = q;
        def.same_matrix = true;
        utLcpInfo info = lemke(&other, def, arena, z);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        from_near += info.iterations;

        // a random set of unknowns: mostly singular, then the start is dropped
        for (int i = 0; i < n; i++) {
            warm.active[i] = (unsigned char)ut_rng_below(&rng, 2);
        }
        def.same_matrix = false;
        CHECK_INT(lemke(&contact.lcp, def, arena, z).outcome, UT_LCP_SOLVED);
    }
    test_note("pivots: %d cold, %d from a neighbour's basis", from_cold, from_near);
    CHECK(from_near * 3 < from_cold);
}

// ---- free unknowns
// -------------------------------------------------------------------------------

// A mixed problem [M_ff M_fc; M_cf M_cc] kept mixed, eliminated, and by hand.
TEST(keeping_free_unknowns_and_eliminating_them_give_the_same_answer)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        enum { N = 14, FREE = 5 };
        utArena arena = test_arena();
        utLcpProblem problem;
        CHECK_INT(ut_lcp_family_create(UT_LCP_SKEW, N, seed, &arena, &problem), UT_OK);
        utLcp mixed = problem.lcp;
        mixed.free_count = FREE;
        double kept[N], gone[N], w[N];
        utLcpDef def = ut_lcp_def();
        CHECK_INT(lemke(&mixed, def, arena, kept).outcome, UT_LCP_SOLVED);
        def.eliminate_free = true;
        CHECK_INT(lemke(&mixed, def, arena, gone).outcome, UT_LCP_SOLVED);
        ut_lcp_slack(&mixed, kept, w);
        bool negative = false;
        for (int i = 0; i < N; i++) {
            CHECK_NEAR(kept[i], gone[i], 1e-9);
            CHECK(i >= FREE || fabs(w[i]) <= 1e-12);
            CHECK(i < FREE || (kept[i] >= 0.0 && w[i] >= -1e-12 && kept[i] * w[i] <= 1e-12));
            negative = negative || (i < FREE && kept[i] < 0.0);
        }
        CHECK(negative || seed != 0);
    }
}

// The free block is zero: the multiplier of x1 + x2 = 2 in min ½|x|² - 3 x1, x >= 0. By hand x =
// (2, 0) and the multiplier is 1 (row 1: 2 - 3 + y = 0, row 2: 0 + y = 1 >= 0).
TEST(a_free_multiplier_without_a_diagonal_is_found)
{
    static const double M[] = {0, -1, -1, 1, 1, 0, 1, 0, 1};
    utLcp lcp = {.n = 3, .M = M, .q = (double[]){2, -3, 0}, .free_count = 1};
    double z[3];
    CHECK_INT(lemke(&lcp, ut_lcp_def(), test_arena(), z).outcome, UT_LCP_SOLVED);
    CHECK_NEAR(z[0], 1.0, 1e-14);
    CHECK_NEAR(z[1], 2.0, 1e-14);
    CHECK_NEAR(z[2], 0.0, 1e-14);
    utLcpDef def = ut_lcp_def();
    def.eliminate_free = true;
    CHECK_INT(lemke(&lcp, def, test_arena(), z).outcome, UT_LCP_SOLVED);
    CHECK_NEAR(z[1], 2.0, 1e-14);
}

// The same equation twice: the multipliers share the load in any way, x is what it was.
TEST(redundant_equations_leave_the_unknowns_as_they_are)
{
    static const double M[] = {0, 0, -1, -1, 0, 0, -1, -1, 1, 1, 1, 0, 1, 1, 0, 1};
    utLcp lcp = {.n = 4, .M = M, .q = (double[]){2, 2, -3, 0}, .free_count = 2};
    double z[4];
    CHECK_INT(lemke(&lcp, ut_lcp_def(), test_arena(), z).outcome, UT_LCP_SOLVED);
    CHECK_NEAR(z[0] + z[1], 1.0, 1e-13);
    CHECK_NEAR(z[2], 2.0, 1e-13);
    CHECK_NEAR(z[3], 0.0, 1e-13);

    // with the load turned round the multipliers are negative: 2 - 1 + y = 0, and 0 + 5 + y = 4 >=
    // 0
    lcp.q = (double[]){2, 2, -1, 5};
    CHECK_INT(lemke(&lcp, ut_lcp_def(), test_arena(), z).outcome, UT_LCP_SOLVED);
    CHECK_NEAR(z[0] + z[1], -1.0, 1e-13);
    CHECK_NEAR(z[2], 2.0, 1e-13);
    CHECK_NEAR(z[3], 0.0, 1e-13);
}

// Contradicting equations x = 1 and x = 2.
TEST(contradicting_equations_are_not_solved)
{
    static const double M[] = {0, 0, 1, 0, 0, 1, -1, -1, 1};
    utLcp lcp = {.n = 3, .M = M, .q = (double[]){-1, -2, 0}, .free_count = 2};
    double z[3];
    CHECK_INT(lemke(&lcp, ut_lcp_def(), test_arena(), z).outcome, UT_LCP_RAY);
    utLcpInfo info;
    utLcpDef def = ut_lcp_def();
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_NONE);
}

// ---- friction by index
// ---------------------------------------------------------------------------

// The boxed problem of a scene: rows n, t1, t2 of each contact, |z_t| <= mu z_n.
static utLcp box_friction(const utContactLcp* contact, utArena* arena)
{
    const int p = contact->contacts;
    const int n = 3 * p;
    double* M = UT_PUSH(arena, double, n* n);
    double* q = UT_PUSH(arena, double, n);
    double* lo = UT_PUSH(arena, double, n);
    double* hi = UT_PUSH(arena, double, n);
    int* findex = UT_PUSH(arena, int, n);
    for (int i = 0; i < n; i++) {
        // with four directions the first two of a contact are t1 and t2
        int from = i % 3 == 0 ? i / 3 : p + 4 * (i / 3) + i % 3 - 1;
        double mu = contact->scene.contacts[i / 3].mu;
        for (int j = 0; j < n; j++) {
            int to = j % 3 == 0 ? j / 3 : p + 4 * (j / 3) + j % 3 - 1;
            M[i * n + j] = contact->lcp.M[from * contact->lcp.n + to];
        }
        q[i] = contact->lcp.q[from];
        lo[i] = i % 3 == 0 ? 0.0 : -mu;
        hi[i] = i % 3 == 0 ? (double)INFINITY : mu;
        findex[i] = i % 3 == 0 ? -1 : i / 3 * 3;
    }
    return (utLcp){.n = n, .M = M, .q = q, .lo = lo, .hi = hi, .findex = findex};
}

// Copositive in the form that Lemke is given, and gaps >= 0, so a solution exists and is found.
TEST(box_friction_of_every_scene_is_solved)
{
    int solved = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        utArena arena = test_arena();
        utContactLcp contact = contact_problem(1 + (int)seed % 25, seed, &arena);
        utLcp lcp = box_friction(&contact, &arena);
        double* z = UT_PUSH(&arena, double, lcp.n);
        solved += lemke(&lcp, ut_lcp_def(), arena, z).outcome == UT_LCP_SOLVED;
        for (int i = 0; i < lcp.n; i++) {
            double bound = lcp.hi[i] * z[i / 3 * 3];
            CHECK(i % 3 == 0 ? z[i] >= 0.0 : fabs(z[i]) <= bound + 1e-9 * (1.0 + bound));
        }
    }
    CHECK_INT(solved, 150);
}

// Bounds 0.2 z0 and 0.5 z0 with z0 = 2 and M = I: z1 is clamped to [0.4, 1].
TEST(bounds_that_are_not_symmetric_follow_their_index)
{
    static const double q1[] = {-8.0, 3.0, -0.7};
    static const double want[] = {1.0, 0.4, 0.7};
    static const utLcpSolver by[] = {UT_LCP_LEMKE, UT_LCP_PIVOT, UT_LCP_AUTO, UT_LCP_ENUMERATE};
    for (int k = 0; k < 3; k++) {
        utLcp lcp = {.n = 2,
                     .M = (double[]){1, 0, 0, 1},
                     .q = (double[]){-2, q1[k]},
                     .lo = (double[]){0, 0.2},
                     .hi = (double[]){(double)INFINITY, 0.5},
                     .findex = (int[]){-1, 0}};
        for (int b = 0; b < 4; b++) {
            double z[2];
            utLcpInfo info;
            utLcpDef def = ut_lcp_def();
            CHECK_INT(ut_lcp_solve(&lcp, by[b], &def, test_arena(), z, &info), UT_OK);
            CHECK_INT(info.outcome, UT_LCP_SOLVED);
            CHECK_NEAR(z[0], 2.0, 1e-14);
            CHECK_NEAR(z[1], want[k], 1e-14);
        }
    }
}
