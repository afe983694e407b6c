// SPDX-License-Identifier: Apache-2.0
// Problems with exact answers: families that defeat pivoting, problems without or with many
// solutions, cycling, and boxed problems that broke simulators. The answers were found in rational
// arithmetic or by hand, as each test says; none comes from our own solvers.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/lcp.h>

enum { MOST = 64 };

static utLcpInfo solve(const utLcp* lcp, utLcpSolver solver, utLcpDef def, double* z)
{
    utLcpInfo info = {.residual = -1.0};
    CHECK_INT(ut_lcp_solve(lcp, solver, &def, test_arena(), z, &info), UT_OK);
    return info;
}

static void check_vector(const double* z, const double* want, int n, double tolerance)
{
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(z[i], want[i], tolerance * fmax(1.0, fabs(want[i])));
    }
}

// ---- 1: exponential families
// ---------------------------------------------------------------------

typedef enum Family { UPPER, LOWER, UPPER_GRADED, LOWER_GRADED, FATHI } Family;

static void family_problem(Family family, int n, double* M, double* q)
{
    bool upper = family == UPPER || family == UPPER_GRADED;
    bool graded = family == UPPER_GRADED || family == LOWER_GRADED;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int least = i < j ? i : j;
            double triangle = i == j ? 1.0 : (i < j) == upper ? 2.0 : 0.0;
            double fathi = i == j ? 4.0 * i + 1.0 : 4.0 * least + 2.0;
            M[i * n + j] = family == FATHI ? fathi : triangle;
        }
        q[i] = graded ? -(ldexp(1.0, n + 1) - ldexp(1.0, i + 1)) : -1.0;
    }
}

static void family_answer(Family family, int n, double* z)
{
    memset(z, 0, (size_t)n * sizeof *z);
    switch (family) {
    case UPPER:
        z[n - 1] = 1.0;
        break;
    case UPPER_GRADED:
        z[n - 1] = ldexp(1.0, n);
        break;
    case LOWER_GRADED:
        z[0] = ldexp(1.0, n + 1) - 2.0;
        break;
    default:
        z[0] = 1.0;
    }
}

TEST(exponential_families_have_their_unique_answers_by_every_solver)
{
    static const int sizes[] = {3, 4, 6, 8};
    static const utLcpSolver by[] = {UT_LCP_AUTO, UT_LCP_LEMKE, UT_LCP_PIVOT, UT_LCP_NEWTON,
                                     UT_LCP_ENUMERATE};
    double M[MOST * MOST], q[MOST], z[MOST], want[MOST];
    for (int f = UPPER; f <= FATHI; f++) {
        for (int s = 0; s < 4; s++) {
            int n = sizes[s];
            family_problem((Family)f, n, M, q);
            family_answer((Family)f, n, want);
            for (int k = 0; k < 5; k++) {
                utLcpInfo info = solve(&(utLcp){.n = n, .M = M, .q = q}, by[k], ut_lcp_def(), z);
                CHECK_INT(info.outcome, UT_LCP_SOLVED);
                check_vector(z, want, n, 1e-9);
            }
        }
    }
}

// Pivots of Lemke with covering vector e and no scaling, counted in rational arithmetic. With q =
// -e all ratios of the first step tie: the count is that of the tie rule, and only a graded q fixes
// it.
TEST(lemke_takes_the_pivots_that_exact_arithmetic_takes_on_the_exponential_families)
{
    double M[MOST * MOST], q[MOST], z[MOST];
    utLcpDef def = ut_lcp_def();
    def.equilibrate = false;
    for (int n = 3; n <= 10; n++) {
        const int many = 1 << n;
        for (int f = UPPER; f <= FATHI; f++) {
            family_problem((Family)f, n, M, q);
            utLcpInfo info = solve(&(utLcp){.n = n, .M = M, .q = q}, UT_LCP_LEMKE, def, z);
            CHECK_INT(info.outcome, UT_LCP_SOLVED);
            CHECK(info.iterations <= many);
            if (f == UPPER_GRADED || f == LOWER_GRADED) {
                CHECK_INT(info.iterations, f == UPPER_GRADED ? many : 2);
            }
        }
    }
}

TEST(a_pivot_limit_is_reported_as_a_limit)
{
    double M[MOST * MOST], q[MOST], z[MOST];
    family_problem(UPPER_GRADED, 12, M, q);
    utLcpDef def = ut_lcp_def();
    def.equilibrate = false;
    def.max_iterations = 100;
    utLcpInfo info = solve(&(utLcp){.n = 12, .M = M, .q = q}, UT_LCP_LEMKE, def, z);
    CHECK_INT(info.outcome, UT_LCP_ITERATIONS);
    CHECK_INT(info.iterations, 100);
}

TEST(auto_is_not_stopped_by_exponential_families_of_forty_unknowns)
{
    double M[MOST * MOST], q[MOST], z[MOST], want[MOST];
    for (int f = UPPER; f <= FATHI; f++) {
        family_problem((Family)f, 40, M, q);
        family_answer((Family)f, 40, want);
        utLcpInfo info = solve(&(utLcp){.n = 40, .M = M, .q = q}, UT_LCP_AUTO, ut_lcp_def(), z);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        check_vector(z, want, 40, 1e-9);
    }
}

// ---- 2: growth and scale
// -------------------------------------------------------------------------

static void growth_problem(int n, double* M, double* q)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = i == j ? 1.0 : j < i ? -1.0 : 0.0;
        }
        q[i] = -1.0;
    }
}

// By forward substitution z_i = 2^(i-1): 15 decades at n = 50.
TEST(a_solution_over_fifteen_decades_is_right_in_every_component)
{
    double M[MOST * MOST], q[MOST], z[MOST];
    static const utLcpSolver by[] = {UT_LCP_AUTO, UT_LCP_LEMKE, UT_LCP_PIVOT, UT_LCP_NEWTON};
    const int n = 50;
    growth_problem(n, M, q);
    for (int k = 0; k < 4; k++) {
        utLcpInfo info = solve(&(utLcp){.n = n, .M = M, .q = q}, by[k], ut_lcp_def(), z);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(z[i] / ldexp(1.0, i), 1.0, 1e-12);
        }
    }
    utLcpDef plain = ut_lcp_def();
    plain.equilibrate = false;
    CHECK_INT(solve(&(utLcp){.n = n, .M = M, .q = q}, UT_LCP_LEMKE, plain, z).iterations, n + 1);
}

// (S M T, S q) has the solution T^-1 z.
TEST(diagonal_scaling_by_seven_decades_does_not_change_the_basis)
{
    double M[MOST * MOST], q[MOST], z[MOST], scale[MOST];
    static const utLcpSolver by[] = {UT_LCP_AUTO, UT_LCP_LEMKE, UT_LCP_PIVOT};
    for (int f = UPPER; f <= FATHI + 1; f++) {
        const int n = 8;
        double want[MOST];
        if (f <= FATHI) {
            family_problem((Family)f, n, M, q);
            family_answer((Family)f, n, want);
        } else {
            growth_problem(n, M, q);
            for (int i = 0; i < n; i++) {
                want[i] = ldexp(1.0, i);
            }
        }
        for (int i = 0; i < n; i++) {
            scale[i] = pow(10.0, i % 7 - 3);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                M[i * n + j] *= scale[i] * scale[j];
            }
            q[i] *= scale[i];
        }
        for (int k = 0; k < 3; k++) {
            utLcpInfo info = solve(&(utLcp){.n = n, .M = M, .q = q}, by[k], ut_lcp_def(), z);
            CHECK_INT(info.outcome, UT_LCP_SOLVED);
            for (int i = 0; i < n; i++) {
                CHECK_NEAR(z[i] * scale[i], want[i], 1e-9 * fmax(1.0, want[i]));
            }
        }
    }
}

// ---- 3: none, many, isolated
// ---------------------------------------------------------------------

typedef struct Small {
    const char* name;
    int n;
    double M[16];
    double q[4];
    utLcpOutcome outcome; // of auto
    int count;            // basic solutions
    double z[3][4];       // up to three of them, in any order
    int pivots;           // of Lemke with cover e, -1 where it is not stated
    bool ray;             // Lemke with cover e ends on a ray
} Small;

static const Small smalls[] = {
    {"infeasible", 1, {-1}, {-1}, UT_LCP_NONE, 0, {{0}}, -1, true},
    {"zero", 1, {0}, {-1}, UT_LCP_NONE, 0, {{0}}, -1, true},
    {"feasible, unsolvable", 2, {0, 1, 0, 1}, {-1, 1}, UT_LCP_NONE, 0, {{0}}, 1, true},
    {"three",
     2,
     {1, 2, 2, 1},
     {-1, -1},
     UT_LCP_SOLVED,
     3,
     {{1, 0}, {0, 1}, {1. / 3, 1. / 3}},
     -1,
     false},
    {"continuum", 2, {1, 1, 1, 1}, {-1, -1}, UT_LCP_SOLVED, 2, {{1, 0}, {0, 1}}, -1, false},
    {"Pang isolated",
     3,
     {0, -1, -1, 1, 0, 0, -1, 0, 0},
     {0, -1, 1},
     UT_LCP_SOLVED,
     1,
     {{1, 0, 0}},
     -1,
     false},
    {"Pang perturbed",
     3,
     {0, -1, -1, 1, 0, 0, -1, 0, 0},
     {-0.0001, -1, 1},
     UT_LCP_NONE,
     0,
     {{0}},
     4,
     true},
    {"infinite, perturbed",
     3,
     {0, -1, 1, 1, 0, 0, -1, 0, 0},
     {-0.0001, -1, 1},
     UT_LCP_SOLVED,
     1,
     {{1, 0, 0.0001}},
     -1,
     false},
    {"CPS 4.4.7",
     3,
     {0, -1, 2, 2, 0, -2, -1, 1, 0},
     {-3, 6, -1},
     UT_LCP_SOLVED,
     1,
     {{0, 1, 3}},
     5,
     false},
    {"CPS 4.4.16", 2, {1, -1, -1, 1}, {1, -1}, UT_LCP_SOLVED, 1, {{0, 1}}, -1, false},
    {"bimatrix",
     4,
     {0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0},
     {-1, -1, -1, -1},
     UT_LCP_SOLVED,
     3,
     {{0, 1. / 15, 0, 1. / 15}, {1. / 90, 4. / 90, 1. / 90, 4. / 90}, {0.1, 0, 0.1, 0}},
     1,
     true},
    {"CPS 4",
     4,
     {11, 0, 10, -1, 0, 11, 10, -1, 10, 10, 21, -1, 1, 1, 1, 0},
     {50, 50, 10, -6},
     UT_LCP_SOLVED,
     1,
     {{2, 2, 2, 92}},
     -1,
     false},
    {"CPS 4bis",
     4,
     {11, 0, 10, -1, 0, 11, 10, -1, 10, 10, 21, -1, 1, 1, 1, 0},
     {50, 50, 23, -6},
     UT_LCP_SOLVED,
     1,
     {{3, 3, 0, 83}},
     -1,
     false},
    {"ortiz",
     4,
     {3, 1, 0, -1, -1, 2, 1, 1, 0, 1, 3, -1, 0, 0, 1, 2},
     {-2, 1, -1, 1},
     UT_LCP_SOLVED,
     1,
     {{2. / 3, 0, 1. / 3, 0}},
     -1,
     false},
    {"deudeu", 2, {2, 1, 1, 2}, {-5, -6}, UT_LCP_SOLVED, 1, {{4. / 3, 7. / 3}}, -1, false},
};

static bool is_among(const double* z, const Small* s)
{
    for (int k = 0; k < s->count && k < 3; k++) {
        double distance = 0.0;
        for (int i = 0; i < s->n; i++) {
            distance = fmax(distance, fabs(z[i] - s->z[k][i]));
        }
        if (distance <= 1e-9 * 100.0) {
            return true;
        }
    }
    return false;
}

TEST(small_problems_have_all_their_solutions_and_no_other)
{
    for (size_t p = 0; p < sizeof smalls / sizeof *smalls; p++) {
        const Small* s = &smalls[p];
        utLcp lcp = {.n = s->n, .M = s->M, .q = s->q};
        double Z[8 * 4];
        int count = -1;
        utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_all(&lcp, &def, test_arena(), 8, Z, &count), UT_OK);
        bool ok = CHECK_INT(count, s->count);
        for (int k = 0; k < count && k < 8; k++) {
            ok = CHECK(is_among(Z + k * s->n, s)) && ok;
        }
        if (!ok) {
            test_note("problem \"%s\"", s->name);
        }
    }
}

TEST(auto_gives_small_problems_their_right_outcome)
{
    for (size_t p = 0; p < sizeof smalls / sizeof *smalls; p++) {
        const Small* s = &smalls[p];
        utLcp lcp = {.n = s->n, .M = s->M, .q = s->q};
        double z[4];
        utLcpInfo info = solve(&lcp, UT_LCP_AUTO, ut_lcp_def(), z);
        bool ok = CHECK_INT(info.outcome, s->outcome);
        if (info.outcome == UT_LCP_SOLVED) {
            ok = CHECK(info.residual <= 1e-10) && ok;
        }
        if (!ok) {
            test_note("problem \"%s\"", s->name);
        }
    }
}

TEST(lemke_ends_on_a_ray_just_where_theory_says_and_after_as_many_pivots)
{
    utLcpDef def = ut_lcp_def();
    def.equilibrate = false;
    for (size_t p = 0; p < sizeof smalls / sizeof *smalls; p++) {
        const Small* s = &smalls[p];
        utLcp lcp = {.n = s->n, .M = s->M, .q = s->q};
        double z[4], ray[4] = {0};
        def.ray = ray;
        utLcpInfo info = solve(&lcp, UT_LCP_LEMKE, def, z);
        bool ok = CHECK_INT(info.outcome, s->ray ? UT_LCP_RAY : UT_LCP_SOLVED);
        if (s->pivots >= 0) {
            ok = CHECK_INT(info.iterations, s->pivots) && ok;
        }
        if (!ok) {
            test_note("problem \"%s\"", s->name);
        }
    }
}

// -I with q = e: every 0-1 vector solves it, and z = 0 at once.
TEST(minus_identity_has_two_to_the_n_solutions)
{
    enum { N = 6 };
    double M[N * N] = {0}, q[N], z[N], Z[64 * N];
    for (int i = 0; i < N; i++) {
        M[i * N + i] = -1.0;
        q[i] = 1.0;
    }
    utLcp lcp = {.n = N, .M = M, .q = q};
    int count = 0;
    utLcpDef def = ut_lcp_def();
    CHECK_INT(ut_lcp_all(&lcp, &def, test_arena(), 64, Z, &count), UT_OK);
    CHECK_INT(count, 64);
    int seen = 0;
    for (int k = 0; k < count && k < 64; k++) {
        int number = 0;
        for (int i = 0; i < N; i++) {
            double entry = Z[k * N + i];
            CHECK(entry == 0.0 || fabs(entry - 1.0) <= 1e-12);
            number |= (entry > 0.5) << i;
        }
        seen += number;
    }
    CHECK_INT(seen, 63 * 64 / 2);
    CHECK_INT(solve(&lcp, UT_LCP_AUTO, ut_lcp_def(), z).outcome, UT_LCP_SOLVED);
    utLcpInfo lemke = solve(&lcp, UT_LCP_LEMKE, ut_lcp_def(), z);
    CHECK_INT(lemke.iterations, 0);
    CHECK_NEAR(z[0], 0.0, 0.0);
}

// ---- 4: subset sum
// -------------------------------------------------------------------------------

// a = (3,5,7,11): w_i = 1 - z_i; w_5 = a'z - b - z_5; w_6 = b - a'z - z_6.
TEST(subset_sums_are_found_or_proved_impossible_and_a_ray_claims_nothing)
{
    enum { N = 6 };
    static const double a[] = {3, 5, 7, 11};
    static const struct {
        double b;
        int count;
        double z[4];
    } cases[] = {{15, 1, {1, 1, 1, 0}}, {16, 1, {0, 1, 0, 1}}, {18, 1, {0, 0, 1, 1}}, {4, 0, {0}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double M[N * N] = {0}, q[N] = {1, 1, 1, 1, -cases[c].b, cases[c].b}, z[N], Z[4 * N];
        for (int i = 0; i < 4; i++) {
            M[i * N + i] = -1.0;
            M[4 * N + i] = a[i];
            M[5 * N + i] = -a[i];
        }
        M[4 * N + 4] = -1.0;
        M[5 * N + 5] = -1.0;
        utLcp lcp = {.n = N, .M = M, .q = q};
        utLcpDef unscaled = ut_lcp_def();
        unscaled.equilibrate = false;
        CHECK_INT(solve(&lcp, UT_LCP_LEMKE, unscaled, z).outcome, UT_LCP_RAY);
        utLcpInfo info = solve(&lcp, UT_LCP_AUTO, ut_lcp_def(), z);
        CHECK_INT(info.outcome, cases[c].count > 0 ? UT_LCP_SOLVED : UT_LCP_NONE);
        int count = -1;
        utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_all(&lcp, &def, test_arena(), 4, Z, &count), UT_OK);
        CHECK_INT(count, cases[c].count);
        if (cases[c].count > 0) {
            check_vector(z, cases[c].z, 4, 1e-9);
            check_vector(Z, cases[c].z, 4, 1e-9);
        }
    }
}

// ---- 5: cycling
// ----------------------------------------------------------------------------------

TEST(block_pivoting_leaves_a_known_cycle)
{
    static const double M[] = {1, 2, 0, 0, 1, 2, 2, 0, 1};
    static const double Mt[] = {1, 0, 2, 2, 1, 0, 0, 2, 1};
    static const double q[] = {-1, -1, -1};
    static const double want[] = {1. / 3, 1. / 3, 1. / 3};
    double z[3];
    utLcp lcp = {.n = 3, .M = M, .q = q};

    // from {1} swapping all wrong indices goes round {1,2} {2,3} {1,3} for ever
    utArena keep = test_arena();
    utLcpWarm warm;
    CHECK_INT(ut_lcp_warm_create(3, &keep, &warm), UT_OK);
    warm.valid = true;
    memcpy(warm.active, (unsigned char[]){1, 0, 0}, 3);
    utLcpDef def = ut_lcp_def();
    def.warm = &warm;
    utLcpInfo info;
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_PIVOT, &def, keep, z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    check_vector(z, want, 3, 1e-12);

    utLcpDef plain = ut_lcp_def();
    plain.equilibrate = false;
    CHECK_INT(solve(&lcp, UT_LCP_LEMKE, plain, z).iterations, 4);
    check_vector(z, want, 3, 1e-12);
    CHECK_INT(solve(&(utLcp){.n = 3, .M = Mt, .q = q}, UT_LCP_LEMKE, plain, z).iterations, 6);
    check_vector(z, want, 3, 1e-12);
}

// ---- 6: boxed, with a friction index
// -------------------------------------------------------------

// The conditions themselves, written out: w = A x - b, |x_t| <= mu x_n.
static void check_friction(const double* A, const double* b, double mu, const double* x)
{
    double size = 0.0;
    for (int i = 0; i < 6; i++) {
        size = fmax(size, fabs(b[i]));
    }
    for (int i = 0; i < 6; i++) {
        double w = -b[i];
        for (int j = 0; j < 6; j++) {
            w += A[i * 6 + j] * x[j];
        }
        const double small = 1e-9 * size;
        if (i % 3 == 0) {
            CHECK(x[i] >= 0.0 && w >= -small);
            CHECK(x[i] <= 1e-9 || fabs(w) <= small);
        } else {
            double bound = mu * x[i / 3 * 3];
            double slack = 1e-9 * (1.0 + bound);
            CHECK(fabs(x[i]) <= bound + slack);
            CHECK(fabs(w) <= small || (w > 0.0 && x[i] <= -bound + slack) ||
                  (w < 0.0 && x[i] >= bound - slack));
        }
    }
}

static void friction_problem(const double* b, double mu, double* q, double* lo, double* hi,
                             int* findex)
{
    for (int i = 0; i < 6; i++) {
        bool normal = i % 3 == 0;
        q[i] = -b[i];
        lo[i] = normal ? 0.0 : -mu;
        hi[i] = normal ? (double)INFINITY : mu;
        findex[i] = normal ? -1 : i / 3 * 3;
    }
}

static utLcpInfo solve_friction(const double* A, const double* b, double mu, utLcpSolver solver,
                                double* x)
{
    double q[6], lo[6], hi[6];
    int findex[6];
    friction_problem(b, mu, q, lo, hi, findex);
    utLcp lcp = {.n = 6, .M = A, .q = q, .lo = lo, .hi = hi, .findex = findex};
    return solve(&lcp, solver, ut_lcp_def(), x);
}

static void twin(const double B[9], const double b3[3], double A[36], double b[6])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            A[i * 6 + j] = B[i % 3 * 3 + j % 3];
        }
        b[i] = b3[i % 3];
    }
}

static const utLcpSolver friction_solvers[] = {UT_LCP_AUTO, UT_LCP_LEMKE};

TEST(coincident_contacts_stick_with_the_right_sum)
{
    double A[36], b[6], x[6];
    twin((double[]){0.0424296, -0.0139791, 0, -0.0139791, 0.0698999, 0, 0, 0, 0},
         (double[]){1.67162, 2.08376, 0}, A, b);
    // the 2 x 2 block by Cramer's rule
    double det = 0.0424296 * 0.0698999 - 0.0139791 * 0.0139791;
    double normal = (1.67162 * 0.0698999 + 0.0139791 * 2.08376) / det;
    double tangent = (0.0424296 * 2.08376 + 0.0139791 * 1.67162) / det;
    CHECK_NEAR(normal, 52.69082, 1e-4);
    for (int k = 0; k < 2; k++) {
        CHECK_INT(solve_friction(A, b, 1.0, friction_solvers[k], x).outcome, UT_LCP_SOLVED);
        CHECK_NEAR(x[0] + x[3], normal, 1e-9 * normal);
        CHECK_NEAR(x[1] + x[4], tangent, 1e-9 * normal);
        check_friction(A, b, 1.0, x);
    }
}

TEST(coincident_contacts_slide_with_the_right_sum)
{
    double A[36], b[6], x[6];
    twin((double[]){0.0923023, 0.0247589, 0, 0.0247589, 0.0137374, 0, 0, 0, 0},
         (double[]){0.00365796, 0.000140769, 0}, A, b);
    const double normal = 0.00365796 / (0.0923023 - 0.0247589);
    for (int k = 0; k < 2; k++) {
        CHECK_INT(solve_friction(A, b, 1.0, friction_solvers[k], x).outcome, UT_LCP_SOLVED);
        CHECK_NEAR(x[0] + x[3], normal, 1e-9 * normal);
        CHECK_NEAR(x[1] + x[4], -normal, 1e-9 * normal);
        check_friction(A, b, 1.0, x);
    }
}

TEST(near_duplicates_and_huge_friction_bounds_meet_their_conditions)
{
    static const double near_pair[36] = {
        0.348223, 0.12244,  0, 0.223228, 0.122446, 0, 0.12244,  0.63095, 0, 0.37244,  0.630938, 0,
        0,        0,        0, 0,        0,        0, 0.223228, 0.37244, 0, 0.348222, 0.372434, 0,
        0.122446, 0.630938, 0, 0.372434, 0.630926, 0, 0,        0,       0, 0,        0,        0};
    static const double near_b[] = {-0.0124998, 0.0250006, 0, 0.0124996, 0.0249994, 0};
    static const double huge[36] = {2.5, 0,      -0.005, 1.5,    0, -0.005, 0,     2.9901, 0,
                                    0,   1.9901, 0,      -0.005, 0, 2.4901, 0.005, 0,      2.4901,
                                    1.5, 0,      0.005,  2.5,    0, 0.005,  0,     1.9901, 0,
                                    0,   2.9901, 0,      -0.005, 0, 2.4901, 0.005, 0,      2.4901};
    static const double huge_b[] = {0.01, 0, -1e-8, 0.01, 0, -1e-8};
    double x[6];
    for (int k = 0; k < 2; k++) {
        CHECK_INT(solve_friction(near_pair, near_b, 1.0, friction_solvers[k], x).outcome,
                  UT_LCP_SOLVED);
        check_friction(near_pair, near_b, 1.0, x);
        CHECK_INT(solve_friction(huge, huge_b, 10000.0, friction_solvers[k], x).outcome,
                  UT_LCP_SOLVED);
        check_friction(huge, huge_b, 10000.0, x);
    }
}

// w = A x - b, so q = -b.
TEST(the_lemke_tests_of_a_simulator_come_out)
{
    double z[3];
    utLcpInfo info = solve(&(utLcp){.n = 1, .M = (double[]){1}, .q = (double[]){1.5}}, UT_LCP_LEMKE,
                           ut_lcp_def(), z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_NEAR(z[0], 0.0, 0.0);

    static const double A2[] = {3.12, 0.1877, 0.1877, 3.254};
    info = solve(&(utLcp){.n = 2, .M = A2, .q = (double[]){0.00662, 0.006711}}, UT_LCP_LEMKE,
                 ut_lcp_def(), z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_NEAR(z[0] + z[1], 0.0, 0.0);
    solve(&(utLcp){.n = 2, .M = A2, .q = (double[]){-0.00662, -0.006711}}, UT_LCP_LEMKE,
          ut_lcp_def(), z);
    CHECK_NEAR(z[0], 0.00200468, 5e-9);
    CHECK_NEAR(z[1], 0.00194675, 5e-9);

    info = solve(&(utLcp){.n = 1, .M = (double[]){0}, .q = (double[]){-1}}, UT_LCP_LEMKE,
                 ut_lcp_def(), z);
    CHECK_INT(info.outcome, UT_LCP_RAY);
    CHECK_NEAR(z[0], 0.0, 0.0);

    // b = A (1, 0.2, -0.1)
    static const double A3[] = {4, 0.5, 0, 0.5, 3, 0.25, 0, 0.25, 2.5};
    utLcp boxed = {.n = 3,
                   .M = A3,
                   .q = (double[]){-4.1, -1.075, 0.2},
                   .lo = (double[]){0, -0.5, -0.5},
                   .hi = (double[]){(double)INFINITY, 0.5, 0.5},
                   .findex = (int[]){-1, 0, 0}};
    static const utLcpSolver by[] = {UT_LCP_AUTO, UT_LCP_LEMKE,  UT_LCP_PIVOT,
                                     UT_LCP_PGS,  UT_LCP_NEWTON, UT_LCP_ENUMERATE};
    for (int k = 0; k < 6; k++) {
        info = solve(&boxed, by[k], ut_lcp_def(), z);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        check_vector(z, (double[]){1.0, 0.2, -0.1}, 3, 1e-9);
    }
}

// ---- 7: contact with closed forms
// ----------------------------------------------------------------

// A block of mass m on a plane, step h, at rest, pushed by f along x: unknowns (p_n, p_+x, p_-x,
// lambda). It sticks when f <= mu m g with impulse (m g h, -f h); else it slides at (f - mu m g) h
// / m.
TEST(a_pushed_block_sticks_and_slides_as_coulomb_says)
{
    const double m = 2.0, g = 9.81, h = 0.01, mu = 0.5;
    static const double pushes[] = {0.0, 5.0, 9.80, 9.82, 30.0};
    static const utLcpSolver by[] = {UT_LCP_AUTO, UT_LCP_LEMKE, UT_LCP_ENUMERATE};
    for (int k = 0; k < 3; k++) {
        for (int p = 0; p < 5; p++) {
            double f = pushes[p];
            double M[16] = {1 / m, 0,      0,     0, 0,  1 / m, -1 / m, 1,
                            0,     -1 / m, 1 / m, 1, mu, -1,    -1,     0};
            double q[4] = {-g * h, f * h / m, -f * h / m, 0};
            double z[4];
            utLcp lcp = {.n = 4, .M = M, .q = q};
            CHECK_INT(solve(&lcp, by[k], ut_lcp_def(), z).outcome, UT_LCP_SOLVED);
            double v = (f * h + z[1] - z[2]) / m;
            double limit = mu * m * g;
            CHECK_NEAR(z[0], m * g * h, 1e-12);
            CHECK_NEAR(v, f <= limit ? 0.0 : (f - limit) * h / m, 1e-12);
            CHECK_NEAR(z[1] - z[2], f <= limit ? -f * h : -limit * h, 1e-12);
        }
    }
}
