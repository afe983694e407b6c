// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton: steps by hand, exact answers, and enumeration as the independent judge.
#include "test.h"

#include "lcp/internal.h"

#include <string.h>
#include <uptack/lcp_problems.h>

enum { MOST = 64 };

static utLcpInfo newton_from(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z)
{
    utLcpInfo info = {.residual = -1.0};
    CHECK_INT(ut_lcp_solve(lcp, UT_LCP_NEWTON, def, scratch, z, &info), UT_OK);
    return info;
}

static utLcpInfo newton(const utLcp* lcp, double* z)
{
    const utLcpDef def = ut_lcp_def();
    return newton_from(lcp, &def, test_arena(), z);
}

static void check_vector(int n, const double* got, const double* want, double tolerance)
{
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(got[i], want[i], tolerance * fmax(1.0, fabs(want[i])));
    }
}

// ---- active-set steps ---------------------------------------------------------------------------

// At z = 0 both slacks are negative, so the first step solves 2 z_1 + z_2 = 5, z_1 + 2 z_2 = 6.
TEST(one_step_suffices_when_the_sign_of_q_tells_the_states)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    double z[2];
    utLcpInfo info = newton(&(utLcp){.n = 2, .M = M, .q = q}, z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_INT(info.iterations, 1);
    CHECK_INT(info.factorizations, 1);
    check_vector(2, z, (double[]){4. / 3, 7. / 3}, 1e-15);
}

// Not symmetric: 2 z_1 + z_2 = 4, -z_1 + 3 z_2 = 2; the transpose would give (2, 0).
TEST(the_block_is_not_taken_for_its_transpose)
{
    const double M[] = {2, 1, -1, 3}, q[] = {-4, -2};
    double z[2];
    CHECK_INT(newton(&(utLcp){.n = 2, .M = M, .q = q}, z).outcome, UT_LCP_SOLVED);
    check_vector(2, z, (double[]){10. / 7, 8. / 7}, 1e-15);
}

TEST(a_warm_start_in_the_right_states_needs_one_step)
{
    double M[MOST], q[MOST], z[8];
    // Murty's upper triangle takes the cold start several steps
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            M[i * 8 + j] = i == j ? 1.0 : j > i ? 2.0 : 0.0;
        }
        q[i] = -1.0;
    }
    const utLcp lcp = {.n = 8, .M = M, .q = q};
    utLcpDef def = ut_lcp_def();
    CHECK(newton_from(&lcp, &def, test_arena(), z).iterations > 1);
    z[7] = 1.1;
    def.warm_start = true;
    utLcpInfo info = newton_from(&lcp, &def, test_arena(), z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_INT(info.iterations, 1);
    check_vector(8, z, (double[]){0, 0, 0, 0, 0, 0, 0, 1}, 1e-15);
}

// z_1 is free: w_1 = z_1 + z_2 - z_3 + 1 = 0. Boxed z_2 in [-1, 1] would go to 3, and z_3 in
// [2, 5] below 2. By hand z_2 = 1, z_3 = 2, z_1 = 0, w_2 = 1 - 3 <= 0 and w_3 = 2 + 1 >= 0.
TEST(free_and_boxed_unknowns_end_where_their_slacks_allow)
{
    const double M[] = {1, 1, -1, 0, 1, 0, 0, 0, 1}, q[] = {1, -3, 1};
    const double lo[] = {0, -1, 2}, hi[] = {0, 1, 5};
    double z[3];
    utLcp lcp = {.n = 3, .M = M, .q = q, .free_count = 1, .lo = lo, .hi = hi};
    CHECK_INT(newton(&lcp, z).outcome, UT_LCP_SOLVED);
    check_vector(3, z, (double[]){0, 1, 2}, 1e-15);
}

// By hand 4 z_n + z_t = 6 with z_t = -z_n gives z_n = 2. One step is enough only because the bound
// moves with the normal within it.
TEST(a_sliding_tangent_moves_with_its_normal)
{
    const double M[] = {4, 1, 1, 3}, q[] = {-6, 5}, lo[] = {0, -1}, hi[] = {HUGE_VAL, 1};
    const int findex[] = {-1, 0};
    double z[2];
    utLcp lcp = {.n = 2, .M = M, .q = q, .lo = lo, .hi = hi, .findex = findex};
    utLcpInfo info = newton(&lcp, z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_INT(info.iterations, 1);
    check_vector(2, z, (double[]){2, -2}, 1e-15);
}

// Two coincident contacts of a planar scene, sticking: a singular block of rank two with two zero
// rows. The sums solve B (n, t) = b.
TEST(a_singular_block_is_solved_for_what_it_determines)
{
    const double B[3][3] = {{0.0424296, -0.0139791, 0}, {-0.0139791, 0.0698999, 0}, {0, 0, 0}};
    const double b[3] = {1.67162, 2.08376, 0};
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
    CHECK_INT(newton(&lcp, z).outcome, UT_LCP_SOLVED);
    const double det = B[0][0] * B[1][1] - B[0][1] * B[1][0];
    CHECK_NEAR(z[0] + z[3], (B[1][1] * b[0] - B[0][1] * b[1]) / det, 1e-8);
    CHECK_NEAR(z[1] + z[4], (B[0][0] * b[1] - B[1][0] * b[0]) / det, 1e-8);
    CHECK_NEAR(z[0] + z[3], 52.69082, 1e-5);
}

// 1 on the diagonal, -1 below: z_i = 2^(i-1) up to 2^99, whose slacks cancel far below rounding.
TEST(the_last_refinement_sees_through_cancellation)
{
    enum { N = 100 };
    utArena arena = test_arena();
    utLcpProblem p;
    double z[N];
    CHECK_INT(ut_lcp_family_create(UT_LCP_CSIZMADIA, N, 0, &arena, &p), UT_OK);
    const utLcpDef def = ut_lcp_def();
    utLcpInfo info = newton_from(&p.lcp, &def, arena, z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(z[i] / ldexp(1.0, i), 1.0, 1e-14);
    }
}

// ---- along the path -----------------------------------------------------------------------------

// Full steps alone go round in circles here: {1} {1,2} {2,3} {1,3} {1,2} ...
TEST(a_cycle_of_full_steps_is_left)
{
    const double M[] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, q[] = {-1, -1, -1};
    double z[3] = {1, 0, 0};
    utLcpDef def = ut_lcp_def();
    def.warm_start = true;
    utLcpInfo info = newton_from(&(utLcp){.n = 3, .M = M, .q = q}, &def, test_arena(), z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    check_vector(3, z, (double[]){1. / 3, 1. / 3, 1. / 3}, 1e-14);
}

// Where pivoting takes 2^n pivots, steps do not grow with n.
TEST(exponential_families_are_not_noticed)
{
    static const utLcpFamily families[] = {UT_LCP_MURTY_UPPER, UT_LCP_MURTY_LOWER,
                                           UT_LCP_MURTY_LOWER_GRADED, UT_LCP_FATHI};
    for (int f = 0; f < 4; f++) {
        for (int n = 10; n <= 50; n += 20) {
            utArena arena = test_arena();
            utLcpProblem p;
            double z[MOST];
            CHECK_INT(ut_lcp_family_create(families[f], n, 0, &arena, &p), UT_OK);
            const utLcpDef def = ut_lcp_def();
            utLcpInfo info = newton_from(&p.lcp, &def, arena, z);
            CHECK_INT(info.outcome, UT_LCP_SOLVED);
            CHECK(info.iterations <= 30);
            check_vector(n, z, p.z, 1e-9);
        }
    }
}

// The body is held between two walls: a d >= 0 with M d = 0 and q.d = 0, so no z has w > 0 and the
// path exists only with what is added to M.
TEST(a_wedged_body_is_solved)
{
    const double M[] = {1, -1, 0, -1, 1, 0, 0, 0, 1}, q[] = {-1, 1, -1};
    double z[3];
    CHECK_INT(newton(&(utLcp){.n = 3, .M = M, .q = q}, z).outcome, UT_LCP_SOLVED);
    CHECK_NEAR(z[0] - z[1], 1.0, 1e-9);
    CHECK_NEAR(z[2], 1.0, 1e-9);
}

TEST(a_scaled_problem_has_the_scaled_answer)
{
    const double M[] = {3, 1, 0, -1, -1, 2, 1, 1, 0, 1, 3, -1, 0, 0, 1, 2}, q[] = {-2, 1, -1, 1};
    const double want[] = {2. / 3, 0, 1. / 3, 0};
    const double s[] = {1e-3, 1e2, 1, 1e3};
    double A[16], b[4], z[4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            A[i * 4 + j] = s[i] * M[i * 4 + j] * s[j];
        }
        b[i] = s[i] * q[i];
    }
    CHECK_INT(newton(&(utLcp){.n = 4, .M = A, .q = b}, z).outcome, UT_LCP_SOLVED);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(s[i] * z[i], want[i], 1e-12);
    }
}

// ---- against enumeration ------------------------------------------------------------------------

// Unique solutions of P-matrices, with free, plain and boxed unknowns mixed.
TEST(newton_agrees_with_enumeration_on_p_matrices)
{
    enum { N = 8 };
    static const utLcpFamily families[] = {UT_LCP_DOMINANT, UT_LCP_SKEW, UT_LCP_SPD};
    utRng rng = ut_rng(6, 0);
    double lo[N], hi[N], z[N], want[N];
    for (int f = 0; f < 3; f++) {
        for (uint64_t seed = 0; seed < 200; seed++) {
            utArena arena = test_arena();
            utLcpProblem p;
            utLcpInfo info;
            const utLcpDef def = ut_lcp_def();
            CHECK_INT(ut_lcp_family_create(families[f], N, seed, &arena, &p), UT_OK);
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
            CHECK_INT(newton_from(&lcp, &def, arena, z).outcome, UT_LCP_SOLVED);
            check_vector(N, z, want, 1e-9);
        }
    }
}

// Friction by index on random symmetric positive definite problems of three contacts: whatever
// Newton calls solved meets its conditions, and it solves nearly all that have a solution.
TEST(newton_solves_what_enumeration_finds_solvable_with_friction)
{
    enum { N = 9 };
    static const int findex[N] = {-1, 0, 0, -1, 3, 3, -1, 6, 6};
    double lo[N], hi[N], z[N], all[N];
    int solvable = 0, solved = 0;
    for (int i = 0; i < N; i++) {
        lo[i] = i % 3 == 0 ? 0.0 : -0.5;
        hi[i] = i % 3 == 0 ? HUGE_VAL : 0.5;
    }
    for (uint64_t seed = 0; seed < 200; seed++) {
        utArena arena = test_arena();
        utLcpProblem p;
        utLcpInfo info;
        const utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_family_create(UT_LCP_SPD, N, seed, &arena, &p), UT_OK);
        utLcp lcp = p.lcp;
        lcp.lo = lo;
        lcp.hi = hi;
        lcp.findex = findex;
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_ENUMERATE, &def, arena, all, &info), UT_OK);
        const bool has = info.outcome == UT_LCP_SOLVED;
        info = newton_from(&lcp, &def, arena, z);
        CHECK(has || info.outcome != UT_LCP_SOLVED);
        CHECK(info.outcome != UT_LCP_SOLVED || info.residual <= 1e-10);
        solvable += has;
        solved += info.outcome == UT_LCP_SOLVED;
    }
    test_note("%d of %d solvable problems with friction solved", solved, solvable);
    CHECK(solvable > 100 && solved >= solvable - solvable / 50);
}

// ---- contact problems ---------------------------------------------------------------------------

// The first two of each contact's friction directions as rows bounded by the normal: (n, t1, t2).
static utLcp with_friction_index(const utContactLcp* contact, utArena* keep)
{
    const int n = 3 * contact->contacts;
    double* M = UT_PUSH(keep, double, n* n);
    double* q = UT_PUSH(keep, double, n);
    double* lo = UT_PUSH(keep, double, n);
    double* hi = UT_PUSH(keep, double, n);
    int* findex = UT_PUSH(keep, int, n);
    int* from = UT_PUSH(keep, int, n);
    for (int i = 0; i < n; i++) {
        const int c = i / 3;
        const bool normal = i % 3 == 0;
        const double mu = contact->scene.contacts[c].mu;
        from[i] = normal ? c : contact->contacts + c * contact->directions + i % 3 - 1;
        q[i] = contact->lcp.q[from[i]];
        lo[i] = normal ? 0.0 : -mu;
        hi[i] = normal ? HUGE_VAL : mu;
        findex[i] = normal ? -1 : 3 * c;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = ut_lcp_row(&contact->lcp, from[i])[from[j]];
        }
    }
    return (utLcp){.n = n, .M = M, .q = q, .lo = lo, .hi = hi, .findex = findex};
}

// Redundant contacts and masses over four decades. Without friction always; with friction, which is
// not monotone, nearly always and in about as many steps as here, which no change should spoil.
TEST(contact_problems_are_solved_nearly_always)
{
    static const struct {
        int directions, contacts, problems, least, most_steps;
        bool index;
    } kinds[] = {
        {0, 10, 200, 200, 4, false}, {0, 40, 50, 50, 8, false}, {4, 4, 100, 96, 20, false},
        {4, 12, 50, 47, 35, false},  {4, 4, 200, 198, 6, true}, {4, 12, 100, 96, 15, true},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int solved = 0;
        int steps = 0;
        for (int seed = 0; seed < kinds[k].problems; seed++) {
            utArena arena = test_arena();
            utContactLcpDef made = ut_contact_lcp_def();
            made.directions = kinds[k].directions;
            made.contacts = kinds[k].contacts;
            made.seed = (uint64_t)seed;
            utContactLcp contact;
            double z[100];
            CHECK_INT(ut_contact_lcp_create(&made, &arena, &contact), UT_OK);
            const utLcp lcp = kinds[k].index ? with_friction_index(&contact, &arena) : contact.lcp;
            const utLcpDef def = ut_lcp_def();
            utLcpInfo info = newton_from(&lcp, &def, arena, z);
            solved += info.outcome == UT_LCP_SOLVED;
            steps += info.iterations;
        }
        const double mean = (double)steps / kinds[k].problems;
        test_note("%d of %d with %d contacts and %d directions%s, %.1f steps", solved,
                  kinds[k].problems, kinds[k].contacts, kinds[k].directions,
                  kinds[k].index ? " by index" : "", mean);
        CHECK(solved >= kinds[k].least);
        CHECK(mean <= kinds[k].most_steps);
    }
}

// ---- what it cannot do --------------------------------------------------------------------------

TEST(a_problem_without_solution_ends_with_the_limit)
{
    const struct {
        int n;
        double M[9], q[3];
    } none[] = {
        {1, {-1}, {-1}},
        {1, {0}, {-1}},
        {2, {0, 1, 0, 1}, {-1, 1}},
        {3, {0, -1, -1, 1, 0, 0, -1, 0, 0}, {-0.0001, -1, 1}},
    };
    for (int p = 0; p < 4; p++) {
        double z[3];
        utLcpInfo info = newton(&(utLcp){.n = none[p].n, .M = none[p].M, .q = none[p].q}, z);
        CHECK_INT(info.outcome, UT_LCP_ITERATIONS);
        CHECK(info.iterations <= 100);
        CHECK(isfinite(info.residual));
    }
}

TEST(the_limit_on_steps_is_kept)
{
    utArena arena = test_arena();
    utLcpProblem p;
    double z[40];
    CHECK_INT(ut_lcp_family_create(UT_LCP_FATHI, 40, 0, &arena, &p), UT_OK);
    utLcpDef def = ut_lcp_def();
    for (int limit = 1; limit < 12; limit++) {
        def.max_iterations = limit;
        utLcpInfo info = newton_from(&p.lcp, &def, arena, z);
        CHECK_INT(info.iterations, limit);
        CHECK_INT(info.outcome, UT_LCP_ITERATIONS);
    }
}

TEST(newton_without_memory_is_a_status)
{
    static unsigned char memory[1 << 16];
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    const utLcp lcp = {.n = 2, .M = M, .q = q};
    const utLcpDef def = ut_lcp_def();
    utLcpInfo info;
    double z[2];
    // 24 pushes of a cache line each, beside the copy of z
    for (size_t size = 0; size < sizeof memory - 1; size += size < 2000 ? 50 : 10000) {
        const utStatus status =
            ut_lcp_solve(&lcp, UT_LCP_NEWTON, &def, ut_arena_on(memory + 1, size), z, &info);
        CHECK_INT(status, size <= 23 * 64 ? UT_ERR_CAPACITY : size < 25 * 64 ? status : UT_OK);
    }
}
