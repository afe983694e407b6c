// SPDX-License-Identifier: Apache-2.0
// Small plain problems, which `auto` first tries on the stack: against all cases, with exact integer slacks,
// and the residual of a small problem beside that of the same problem in a larger one.
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/lcp_problems.h>

#include "lcp/solvers/small.h"

enum { MOST = UT_LCP_SMALL_MAX };

static utLcpInfo solve(const utLcp* lcp, utLcpSolver solver, utArena scratch, double* z)
{
    const utLcpDef def = ut_lcp_def();
    utLcpInfo info = {.residual = -1.0};
    CHECK_INT(ut_lcp_solve(lcp, solver, &def, scratch, z, &info), UT_OK);
    return info;
}

// An integer between -most and most.
static double integer(utRng* rng, int most)
{
    return floor(ut_rng_range(rng, (double)-most, most + 1.0));
}

// Does z solve the problem, up to rounding of its own entries? Sums of integers times z are formed in long
// double, without the residual's code.
static bool obeys(const utLcp* lcp, const double* z)
{
    for (int i = 0; i < lcp->n; i++) {
        long double w = (long double)lcp->q[i], size = fabsl((long double)lcp->q[i]);
        for (int j = 0; j < lcp->n; j++) {
            const long double term = (long double)lcp->M[i * lcp->n + j] * (long double)z[j];
            w += term;
            size += fabsl(term);
        }
        const long double rounding = 1e-12L * (size + 1.0L);
        if (!(z[i] >= 0.0) || !(w >= -rounding) || !(z[i] <= 1e-12 || w <= rounding)) {
            return false;
        }
    }
    return true;
}

// Kinds of matrices of small integers, so that ties, duplicate rows and singular blocks are common.
enum { ANY, POSITIVE, SEMIDEFINITE, FRICTION, KINDS };

// B B' with B n x 2, or plus a multiple of 1
static void fill_square(int n, double shift, utRng* rng, double* M)
{
    double B[2 * MOST];
    for (int k = 0; k < 2 * n; k++) {
        B[k] = integer(rng, 2);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = B[2 * i] * B[2 * j] + B[2 * i + 1] * B[2 * j + 1] + (i == j) * shift;
        }
    }
}

static void fill(int kind, int n, utRng* rng, double* M, double* q)
{
    for (int k = 0; k < n; k++) {
        q[k] = integer(rng, 3);
    }
    if (kind == POSITIVE || kind == SEMIDEFINITE) {
        fill_square(n, kind == POSITIVE ? 1.0 : 0.0, rng, M);
        return;
    }
    for (int k = 0; k < n * n; k++) {
        M[k] = integer(rng, 2);
    }
    if (kind == FRICTION) {
        // a copositive matrix with a last row and column of opposite signs and a zero between them
        fill_square(n, 0.0, rng, M);
        for (int k = 0; k < n; k++) {
            const double e = k == 0 ? 1.0 : k < n - 1 ? -1.0 : 0.0;
            M[(n - 1) * n + k] = e;
            M[k * n + n - 1] = k == 0 || k == n - 1 ? 0.0 : 1.0;
        }
    }
}

TEST(small_problems_of_integers_have_the_outcome_of_all_cases)
{
    int solved[KINDS] = {0}, none[KINDS] = {0}, far = 0;
    for (int t = 0; t < 6000; t++) {
        const int kind = t % KINDS;
        utRng rng = ut_rng(0x736d616cu, (uint64_t)t);
        double M[36], q[6], z[6], other[6];
        const utLcp lcp = {.n = 1 + t / KINDS % 6, .M = M, .q = q};
        fill(kind, lcp.n, &rng, M, q);
        const utLcpInfo found = solve(&lcp, UT_LCP_AUTO, test_arena(), z);
        const utLcpInfo cases = solve(&lcp, UT_LCP_ENUMERATE, test_arena(), other);
        if (found.solver == UT_LCP_NEWTON && cases.outcome == UT_LCP_NONE) {
            far += found.outcome == UT_LCP_SOLVED; // z of 1e14, whose rounding hides a slack of 1
            continue;
        }
        CHECK((found.outcome == UT_LCP_SOLVED) == (cases.outcome == UT_LCP_SOLVED));
        if (found.outcome == UT_LCP_SOLVED) {
            CHECK(obeys(&lcp, z));
            CHECK(found.residual == ut_lcp_residual(&lcp, z));
        }
        // the answer for a positive definite matrix is unique
        for (int i = 0; kind == POSITIVE && i < lcp.n; i++) {
            CHECK_NEAR(z[i], other[i], 1e-11);
        }
        solved[kind] += found.outcome == UT_LCP_SOLVED;
        none[kind] += found.outcome == UT_LCP_NONE;
    }
    CHECK_INT(solved[POSITIVE], 1500);
    CHECK(far <= 5);
    CHECK(solved[ANY] > 200 && none[ANY] > 200);
    CHECK(solved[SEMIDEFINITE] > 200 && none[SEMIDEFINITE] > 50);
    CHECK(solved[FRICTION] > 200);
}

// Planted answers of P-matrices are unique, and those of contact problems are checked in long double.
TEST(small_problems_of_all_sizes_have_their_planted_answers)
{
    static const utLcpFamily families[] = {UT_LCP_DOMINANT, UT_LCP_SKEW, UT_LCP_SPD};
    for (int n = 1; n <= MOST + 1; n++) {
        for (uint64_t seed = 0; seed < 60; seed++) {
            utArena arena = test_arena();
            utLcpProblem problem;
            double z[MOST + 1];
            CHECK_INT(ut_lcp_family_create(families[seed % 3], n, seed, &arena, &problem), UT_OK);
            const utLcpInfo info = solve(&problem.lcp, UT_LCP_AUTO, arena, z);
            CHECK_INT(info.outcome, UT_LCP_SOLVED);
            for (int i = 0; i < n; i++) {
                CHECK_NEAR(z[i], problem.z[i], 1e-9 * (1.0 + fabs(problem.z[i])));
            }
        }
    }
}

TEST(small_contact_problems_are_solved_far_below_the_tolerance)
{
    for (uint64_t seed = 0; seed < 400; seed++) {
        utContactLcpDef def = ut_contact_lcp_def();
        utArena arena = test_arena();
        utContactLcp contact;
        double z[MOST];
        def.directions = 4;
        def.contacts = 1 + (int)(seed % 5);
        def.mass_ratio = 1e4;
        def.redundant = 1.0 / 3.0;
        def.seed = seed;
        CHECK_INT(ut_contact_lcp_create(&def, &arena, &contact), UT_OK);
        CHECK(contact.lcp.n <= MOST);
        const utLcpInfo info = solve(&contact.lcp, UT_LCP_AUTO, arena, z);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        CHECK(info.residual <= UT_LCP_SAFE_SHARE * UT_LCP_TOLERANCE);
        CHECK(info.residual == ut_lcp_residual(&contact.lcp, z));
    }
}

// A method that fails is replaced by the next one, which no answer shows: each of them by itself.
TEST(each_quick_method_finds_the_planted_answers_of_its_kind)
{
    int by_four = 0, by_blocks = 0, by_lemke = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        utArena arena = test_arena();
        utLcpProblem problem;
        SmallAnswer answer;
        const int n = 1 + (int)seed % 16;
        const int four = 1 + (int)seed % 4;
        CHECK_INT(ut_lcp_family_create(UT_LCP_SPD, n, seed, &arena, &problem), UT_OK);
        by_blocks += ut_small_blocks(&problem.lcp, UT_LCP_TOLERANCE, &answer);
        CHECK_NEAR(answer.z[0], problem.z[0], 1e-9 * (1.0 + fabs(problem.z[0])));
        by_lemke += ut_small_lemke(&problem.lcp, UT_LCP_TOLERANCE, &answer);
        CHECK_NEAR(answer.z[n - 1], problem.z[n - 1], 1e-9 * (1.0 + fabs(problem.z[n - 1])));
        CHECK_INT(ut_lcp_family_create(UT_LCP_SPD, four, seed, &arena, &problem), UT_OK);
        by_four += ut_small_four(&problem.lcp, UT_LCP_TOLERANCE, &answer);
        CHECK_NEAR(answer.z[0], problem.z[0], 1e-9 * (1.0 + fabs(problem.z[0])));
    }
    test_note("of 500: four %d, blocks %d, lemke %d", by_four, by_blocks, by_lemke);
    CHECK(by_four >= 495 && by_blocks >= 495 && by_lemke >= 495);
}

// ---- the residual -------------------------------------------------------------------------------

// The same problem among rows that it is not connected with and that have no error: M = 1, q = 1, z = 0.
// More than UT_LCP_SMALL_MAX unknowns take the general code.
static double residual_among_others(const utLcp* lcp, const double* z)
{
    enum { ALL = MOST + 8 };
    static double M[ALL * ALL];
    double q[ALL], all[ALL];
    memset(M, 0, sizeof M);
    for (int i = 0; i < ALL; i++) {
        M[i * ALL + i] = 1.0;
        q[i] = 1.0;
        all[i] = 0.0;
    }
    for (int i = 0; i < lcp->n; i++) {
        memcpy(M + (ptrdiff_t)i * ALL, lcp->M + (ptrdiff_t)i * lcp->n,
               (size_t)lcp->n * sizeof(double));
        q[i] = lcp->q[i];
        all[i] = z[i];
    }
    return ut_lcp_residual(&(utLcp){.n = ALL, .M = M, .q = q}, all);
}

TEST(the_residual_of_a_small_problem_is_that_of_the_general_code)
{
    int nonzero = 0, parts = 0;
    for (int t = 0; t < 4000; t++) {
        utRng rng = ut_rng(0x72657369u, (uint64_t)t);
        double M[144], q[12], z[12];
        const utLcp lcp = {.n = 1 + t % 12, .M = M, .q = q};
        const double fill_share = ut_rng_range(&rng, 0.0, 1.0);
        for (int k = 0; k < lcp.n * lcp.n; k++) {
            const bool present = ut_rng_range(&rng, 0.0, 1.0) < fill_share;
            M[k] = present ? ldexp(ut_rng_range(&rng, -1.0, 1.0), (int)integer(&rng, 20)) : 0.0;
            parts += !present;
        }
        for (int k = 0; k < lcp.n; k++) {
            const double chance = ut_rng_range(&rng, 0.0, 1.0);
            q[k] =
                chance < 0.2 ? 0.0 : ldexp(ut_rng_range(&rng, -1.0, 1.0), (int)integer(&rng, 20));
            z[k] = chance > 0.6 ? 0.0 : ldexp(ut_rng_range(&rng, 0.0, 1.0), (int)integer(&rng, 30));
            z[k] = t % 10 == 0 ? -z[k] : z[k];
        }
        const double small = ut_lcp_residual(&lcp, z);
        const double general = residual_among_others(&lcp, z);
        CHECK_NEAR(small, general, 1e-13 * general);
        nonzero += small > 0.0;
    }
    CHECK(nonzero > 3000 && parts > 10000);
}

TEST(a_small_problem_that_is_not_finite_is_rejected_and_nothing_changes)
{
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int n = 1; n <= 9; n++) {
        for (int k = 0; k < n * n + n; k++) {
            double M[81], q[9], z[9];
            utLcpInfo info = {.iterations = -7};
            const utLcpDef def = ut_lcp_def();
            const utLcp lcp = {.n = n, .M = M, .q = q};
            for (int i = 0; i < n * n; i++) {
                M[i] = i % (n + 1) == 0 ? 2.0 : 0.0;
            }
            for (int i = 0; i < n; i++) {
                q[i] = -1.0;
                z[i] = 7.0;
            }
            *(k < n * n ? &M[k] : &q[k - n * n]) = bad[k % 3];
            CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, test_arena(), z, &info),
                      UT_ERR_ARGUMENT);
            CHECK(z[0] == 7.0 && z[n - 1] == 7.0 && info.iterations == -7);
            CHECK(ut_lcp_residual(&lcp, z) == HUGE_VAL);
        }
    }
}
