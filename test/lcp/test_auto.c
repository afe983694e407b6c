// SPDX-License-Identifier: Apache-2.0
// What the table of solvers promises: choices, outcomes, statuses, memory, nothing touched on
// failure.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/lcp_problems.h>

static const double M2[] = {2, 1, 1, 2};
static const double q2[] = {-5, -6};
static const utLcp two = {.n = 2, .M = M2, .q = q2};

TEST(names_and_solvers_go_together)
{
    static const char* const names[] = {"auto", "lemke", "pivot", "pgs", "newton", "enumerate"};
    for (int s = 0; s < UT_LCP_SOLVER_COUNT; s++) {
        utLcpSolver found = UT_LCP_SOLVER_COUNT;
        CHECK_TEXT(ut_lcp_solver_name((utLcpSolver)s), names[s]);
        CHECK(ut_lcp_solver_find(names[s], &found) && found == (utLcpSolver)s);
    }
    utLcpSolver untouched = UT_LCP_PGS;
    CHECK(!ut_lcp_solver_find("path", &untouched) && untouched == UT_LCP_PGS);
    CHECK_TEXT(ut_lcp_outcome_name(UT_LCP_SOLVED), "solved");
    CHECK_TEXT(ut_lcp_outcome_name(UT_LCP_RAY), "ray");
    CHECK_TEXT(ut_lcp_outcome_name(UT_LCP_ITERATIONS), "iterations");
    CHECK_TEXT(ut_lcp_outcome_name(UT_LCP_NONE), "none");
}

TEST(auto_says_whose_answer_it_is)
{
    double z[64];
    utLcpInfo info;
    utLcpDef def = ut_lcp_def();
    CHECK_INT(ut_lcp_solve(&two, UT_LCP_AUTO, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.solver, UT_LCP_PIVOT);

    utArena arena = test_arena();
    utLcpProblem problem;
    CHECK_INT(ut_lcp_family_create(UT_LCP_SKEW, 40, 1, &arena, &problem), UT_OK);
    CHECK_INT(ut_lcp_solve(&problem.lcp, UT_LCP_AUTO, &def, arena, z, &info), UT_OK);
    CHECK_INT(info.solver, UT_LCP_LEMKE);

    // no solution and small: only going through all cases can tell
    utLcp none = {.n = 2, .M = (double[]){0, 1, 0, 1}, .q = (double[]){-1, 1}};
    CHECK_INT(ut_lcp_solve(&none, UT_LCP_AUTO, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_NONE);
    CHECK_INT(info.solver, UT_LCP_ENUMERATE);
}

// w_1 = -z_1 - 1 can never be nonnegative: y = e_1 has M'y = -e_1 <= 0 and q'y < 0. With 30
// unknowns enumeration is out of reach, and the Farkas vector is all there is.
TEST(a_large_problem_with_a_farkas_vector_is_proved_to_have_no_solution)
{
    enum { N = 30 };
    double M[N * N] = {0}, q[N], z[N], ray[N];
    for (int i = 0; i < N; i++) {
        M[i * N + i] = i == 0 ? -1.0 : 1.0;
        q[i] = -1.0;
    }
    utLcpDef def = ut_lcp_def();
    def.ray = ray;
    utLcpInfo info;
    utLcp lcp = {.n = N, .M = M, .q = q};
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_NONE);
    CHECK_NEAR(ray[0], 1.0, 0.0);
}

// The subset-sum problem (no subset of 40 copies of 2 adds up to 41) has no solution, no Farkas
// vector and too many cases: all that can be said is that a ray was met.
TEST(what_is_neither_solved_nor_disproved_is_a_ray)
{
    enum { K = 20, N = K + 2 };
    double M[N * N] = {0}, q[N], z[N], ray[N] = {0};
    for (int i = 0; i < K; i++) {
        M[i * N + i] = -1.0;
        M[K * N + i] = 2.0;
        M[(K + 1) * N + i] = -2.0;
        q[i] = 1.0;
    }
    M[K * N + K] = -1.0;
    M[(K + 1) * N + K + 1] = -1.0;
    q[K] = -21.0;
    q[K + 1] = 21.0;
    utLcpDef def = ut_lcp_def();
    def.ray = ray;
    utLcpInfo info;
    utLcp lcp = {.n = N, .M = M, .q = q};
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_RAY);
    double size = 0.0;
    for (int i = 0; i < N; i++) {
        size = fmax(size, fabs(ray[i]));
    }
    CHECK_NEAR(size, 1.0, 0.0);
}

// ---- statuses
// ------------------------------------------------------------------------------------

static void check_refused(const utLcp* lcp, const utLcpDef* def, utStatus status)
{
    for (int s = 0; s < UT_LCP_SOLVER_COUNT; s++) {
        double z[] = {7.0, 7.0};
        utLcpInfo info = {.iterations = 7};
        CHECK_INT(ut_lcp_solve(lcp, (utLcpSolver)s, def, test_arena(), z, &info), status);
        CHECK(z[0] == 7.0 && z[1] == 7.0 && info.iterations == 7);
    }
}

TEST(unusable_problems_are_refused_and_named)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    static const double id[] = {1, 0, 0, 1};
    const struct {
        utLcp lcp;
        const char* message;
    } bad[] = {
        {{.n = 0, .M = M2, .q = q2}, "n is 0; at least one unknown is needed"},
        {{.n = -3, .M = M2, .q = q2}, "n is -3; at least one unknown is needed"},
        {{.n = 2, .M = NULL, .q = q2}, "M and q are needed"},
        {{.n = 2, .M = M2, .q = NULL}, "M and q are needed"},
        {{.n = 2, .M = (double[]){1, 0, nan, 1}, .q = q2}, "M[1][0] is not a finite number"},
        {{.n = 2, .M = (double[]){1, inf, 0, 1}, .q = q2}, "M[0][1] is not a finite number"},
        {{.n = 2, .M = M2, .q = (double[]){0, -inf}}, "q[1] is not a finite number"},
        {{.n = 2, .M = id, .q = q2, .free_count = 3}, "free is 3; it lies between 0 and n = 2"},
        {{.n = 2, .M = id, .q = q2, .free_count = -1}, "free is -1; it lies between 0 and n = 2"},
        {{.n = 2, .M = id, .q = q2, .lo = (double[]){0, 2}, .hi = (double[]){1, 1}},
         "the bounds of unknown 1 are 2 and 1; lo <= hi is needed"},
        {{.n = 2, .M = id, .q = q2, .lo = (double[]){0, nan}},
         "the bounds of unknown 1 are nan and inf; lo <= hi is needed"},
        {{.n = 2, .M = id, .q = q2, .findex = (int[]){-1, 2}},
         "findex[1] is 2; it names another unknown, or is -1"},
        {{.n = 2, .M = id, .q = q2, .findex = (int[]){-1, 1}},
         "findex[1] is 1; it names another unknown, or is -1"},
        {{.n = 2, .M = id, .q = q2, .findex = (int[]){1, 0}},
         "findex[0] is 1, which is not a plain unknown with lo >= 0"},
        {{.n = 2, .M = id, .q = q2, .lo = (double[]){-1, 0}, .findex = (int[]){-1, 0}},
         "findex[1] is 0, which is not a plain unknown with lo >= 0"},
    };
    utLcpDef def = ut_lcp_def();
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        utError err = {0};
        CHECK_INT(ut_lcp_check(&bad[b].lcp, &err), UT_ERR_ARGUMENT);
        CHECK_TEXT(err.message, bad[b].message);
        check_refused(&bad[b].lcp, &def, UT_ERR_ARGUMENT);
    }
}

TEST(settings_that_did_not_come_from_the_def_function_are_refused)
{
    utLcpDef def = {.tolerance = 1e-10, .relaxation = 1.0};
    check_refused(&two, &def, UT_ERR_DEF);
    const double nan = (double)NAN;
    const double tolerances[] = {0.0, -1.0, nan, (double)INFINITY};
    for (int k = 0; k < 4; k++) {
        def = ut_lcp_def();
        def.tolerance = tolerances[k];
        check_refused(&two, &def, UT_ERR_DEF);
    }
    const double relaxations[] = {0.0, 2.0, -1.0, nan};
    for (int k = 0; k < 4; k++) {
        def = ut_lcp_def();
        def.relaxation = relaxations[k];
        check_refused(&two, &def, UT_ERR_DEF);
    }
    def = ut_lcp_def();
    def.max_iterations = -1;
    check_refused(&two, &def, UT_ERR_DEF);
    const double covers[] = {0.0, -1.0, nan};
    for (int k = 0; k < 3; k++) {
        def = ut_lcp_def();
        def.cover = (double[]){1.0, covers[k]};
        check_refused(&two, &def, UT_ERR_DEF);
    }
    def = ut_lcp_def();
    utArena keep = test_arena();
    utLcpWarm warm;
    CHECK_INT(ut_lcp_warm_create(3, &keep, &warm), UT_OK);
    def.warm = &warm;
    check_refused(&two, &def, UT_ERR_DEF);
    check_refused(&two, NULL, UT_ERR_DEF);
}

TEST(a_start_that_is_not_finite_is_refused)
{
    utLcpDef def = ut_lcp_def();
    def.warm_start = true;
    utLcpInfo info;
    double z[] = {1.0, (double)NAN};
    CHECK_INT(ut_lcp_solve(&two, UT_LCP_NEWTON, &def, test_arena(), z, &info), UT_ERR_ARGUMENT);
    CHECK_INT(ut_lcp_solve(&two, UT_LCP_AUTO, &def, test_arena(), NULL, &info), UT_ERR_ARGUMENT);
    CHECK_INT(ut_lcp_solve(&two, UT_LCP_SOLVER_COUNT, &def, test_arena(), z, &info),
              UT_ERR_ARGUMENT);
}

// ---- memory -------------------------------------------------------------------------------------

// Bytes that a solve takes, wherever they start, and its answer.
static size_t bytes_of(const utLcp* lcp, utLcpSolver solver, const utLcpDef* def, double* z)
{
    utArena arena;
    utLcpInfo info;
    CHECK_INT(ut_arena_create((size_t)1 << 22, NULL, &arena), UT_OK);
    CHECK_INT(ut_lcp_solve(lcp, solver, def, arena, z, &info), UT_OK);
    const size_t bytes = ut_arena_peak(&arena) + UT_ARENA_ALIGNMENT;
    ut_arena_destroy(&arena);
    return bytes;
}

// The same answer from an arena that has to grow at every push.
static void check_growing(const utLcp* lcp, utLcpSolver solver, const utLcpDef* def,
                          const double* want)
{
    utArena arena;
    utLcpInfo info;
    double z[40];
    CHECK_INT(ut_arena_create(64, NULL, &arena), UT_OK);
    CHECK_INT(ut_lcp_solve(lcp, solver, def, arena, z, &info), UT_OK);
    CHECK(memcmp(z, want, (size_t)lcp->n * sizeof *z) == 0);
    ut_arena_destroy(&arena);
}

// Plain, mixed, boxed and friction-index problems of each size, exactly the bytes of another solve.
static void check_scratch(const utLcp* lcp, utLcpDef def, bool exact)
{
    for (int s = 0; s < UT_LCP_SOLVER_COUNT; s++) {
        if (s == UT_LCP_ENUMERATE && lcp->n > 6) {
            continue;
        }
        double z[40];
        const size_t need = bytes_of(lcp, (utLcpSolver)s, &def, z);
        check_growing(lcp, (utLcpSolver)s, &def, z);
        unsigned char* memory = malloc(need);
        utLcpInfo info = {0};
        CHECK(memory != NULL);
        CHECK_INT(ut_lcp_solve(lcp, (utLcpSolver)s, &def, ut_arena_on(memory, need), z, &info),
                  UT_OK);
        if (exact) {
            // and with room for next to nothing it says so, wherever it runs out
            for (size_t room = 0; room < need / 2; room += 64 + need / 23) {
                memset(z, 0, sizeof z);
                utLcpInfo untouched = {.iterations = -5};
                utStatus status = ut_lcp_solve(lcp, (utLcpSolver)s, &def, ut_arena_on(memory, room),
                                               z, &untouched);
                CHECK(status == UT_ERR_CAPACITY || status == UT_OK);
                CHECK(status == UT_OK || (untouched.iterations == -5 && z[0] == 0.0));
            }
        }
        free(memory);
    }
}

TEST(a_solve_needs_the_same_memory_again_and_less_is_reported)
{
    for (int n = 1; n <= 40; n += n < 6 ? 1 : 17) {
        utArena arena = test_arena();
        utLcpProblem problem;
        CHECK_INT(ut_lcp_family_create(UT_LCP_SKEW, n, 3, &arena, &problem), UT_OK);
        double lo[40], hi[40];
        int findex[40];
        for (int i = 0; i < n; i++) {
            lo[i] = i % 3 == 0 ? 0.0 : i % 5 == 1 ? -(double)INFINITY : -0.3;
            hi[i] = i % 3 == 0 ? (double)INFINITY : i % 5 == 2 ? (double)INFINITY : 0.4;
            findex[i] = i % 3 == 0 ? -1 : i / 3 * 3;
        }
        utLcpDef def = ut_lcp_def();
        utLcp lcp = problem.lcp;
        check_scratch(&lcp, def, true);
        lcp.free_count = n / 2;
        check_scratch(&lcp, def, false);
        def.eliminate_free = true;
        check_scratch(&lcp, def, false);

        // a free block of rank zero, which is split
        double* M = UT_PUSH(&arena, double, n* n);
        memcpy(M, lcp.M, (size_t)n * (size_t)n * sizeof *M);
        for (int i = 0; i < n / 2; i++) {
            memset(M + i * n, 0, (size_t)n * sizeof *M);
        }
        lcp.M = M;
        check_scratch(&lcp, def, false);

        lcp = problem.lcp;
        lcp.lo = lo;
        lcp.hi = hi;
        check_scratch(&lcp, ut_lcp_def(), true);
        lcp.findex = findex;
        check_scratch(&lcp, ut_lcp_def(), false);
        utArena keep = arena;
        utLcpWarm warm;
        CHECK_INT(ut_lcp_warm_create(n, &keep, &warm), UT_OK);
        utArena small = ut_arena_on(keep.next, 256);
        CHECK_INT(ut_lcp_warm_create(n, &small, &warm), UT_ERR_CAPACITY);
    }
}

TEST(every_solver_solves_the_same_small_problem)
{
    for (int s = 0; s < UT_LCP_SOLVER_COUNT; s++) {
        double z[2];
        utLcpInfo info;
        utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_solve(&two, (utLcpSolver)s, &def, test_arena(), z, &info), UT_OK);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        CHECK_NEAR(z[0], 4.0 / 3.0, 1e-9);
        CHECK_NEAR(z[1], 7.0 / 3.0, 1e-9);
    }
}
