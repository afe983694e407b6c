// SPDX-License-Identifier: Apache-2.0
// Enumeration, the oracle of the other solvers: its answers against hand calculation and against
// corners found in whole numbers by Cramer's rule.
#include "test.h"

#include "lcp/internal.h"

#include <string.h>

enum { ROOM = 64, MOST = UT_LCP_ENUMERATE_MAX };

static utLcpInfo enumerate(const utLcp* lcp, double* z)
{
    utLcpInfo info = {.residual = -1.0};
    utLcpDef def = ut_lcp_def();
    CHECK_INT(ut_lcp_solve(lcp, UT_LCP_ENUMERATE, &def, test_arena(), z, &info), UT_OK);
    return info;
}

static int find_all(const utLcp* lcp, double* Z)
{
    int count = -1;
    utLcpDef def = ut_lcp_def();
    CHECK_INT(ut_lcp_all(lcp, &def, test_arena(), ROOM, Z, &count), UT_OK);
    return count;
}

static void check_vector(int n, const double* got, const double* want)
{
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(got[i], want[i], 1e-13);
    }
}

// ---- cases --------------------------------------------------------------------------------------

// z = 0 has w = -1 < 0; then z_1 = 1 gives w_2 = 2 - 1 > 0: the second case of four.
TEST(cases_are_visited_with_the_first_unknown_fastest)
{
    const double M[] = {1, 2, 2, 1};
    const double q[] = {-1, -1};
    const utLcp lcp = {.n = 2, .M = M, .q = q};
    double z[2], Z[ROOM * 2];

    utLcpInfo info = enumerate(&lcp, z);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_INT(info.iterations, 2);
    check_vector(2, z, (double[]){1, 0});

    CHECK_INT(find_all(&lcp, Z), 3);
    check_vector(6, Z, (double[]){1, 0, 0, 1, 1. / 3, 1. / 3});
}

// w = -z on [-1, 1]: w(-1) = 1 >= 0 at lo, w(0) = 0 between, w(1) = -1 <= 0 at hi.
TEST(a_boxed_unknown_is_tried_at_lo_between_and_at_hi)
{
    const double M[] = {-1}, q[] = {0}, lo[] = {-1}, hi[] = {1};
    double Z[ROOM];
    CHECK_INT(find_all(&(utLcp){.n = 1, .M = M, .q = q, .lo = lo, .hi = hi}, Z), 3);
    check_vector(3, Z, (double[]){-1, 0, 1});
}

TEST(the_slack_has_the_sign_that_its_bound_asks_for)
{
    const double M[] = {1}, lo[] = {-1}, hi[] = {2};
    const double q[] = {5, -1, -5};
    const double want[] = {-1, 1, 2};
    for (int i = 0; i < 3; i++) {
        double z;
        utLcpInfo info = enumerate(&(utLcp){.n = 1, .M = M, .q = q + i, .lo = lo, .hi = hi}, &z);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        CHECK_INT(info.iterations, i + 1);
        CHECK_NEAR(z, want[i], 0.0);
    }
}

// By hand 2 z_1 + z_2 = 4 and -z_1 + 3 z_2 = 2. With the rows exchanged (and another q) z_1 belongs
// to -z_1 + 3 z_2 = 2, and w_2 = 2 z_1 + z_2 + 4 = 7 z_2 leaves z_2 = 0, z_1 = -2 with w_2 = 0: two
// cases meet in one solution.
TEST(a_free_unknown_solves_its_own_row_and_no_other)
{
    const double M[] = {2, 1, -1, 3};
    const double q[] = {-4, -2};
    const double swapped[] = {-1, 3, 2, 1};
    const double q_swapped[] = {-2, 4};
    double z[2];
    CHECK_INT(enumerate(&(utLcp){.n = 2, .M = M, .q = q, .free_count = 1}, z).outcome,
              UT_LCP_SOLVED);
    check_vector(2, z, (double[]){10. / 7, 8. / 7});

    double Z[ROOM * 2];
    const utLcp meeting = {.n = 2, .M = swapped, .q = q_swapped, .free_count = 1};
    CHECK_INT(find_all(&meeting, Z), 1);
    check_vector(2, Z, (double[]){-2, 0});
}

// ---- friction -----------------------------------------------------------------------------------

// One contact, rows (normal, tangent), M = diag(2, 1): the normal carries 4 / 2 = 2 and the tangent
// wants 3, or -3, but gets mu z_n = 0.5 * 2.
TEST(a_tangent_stops_at_mu_times_its_normal)
{
    const double M[] = {2, 0, 0, 1}, lo[] = {0, -0.5}, hi[] = {HUGE_VAL, 0.5};
    const int findex[] = {-1, 0};
    for (int sign = -1; sign <= 1; sign += 2) {
        const double q[] = {-4, -3.0 * sign};
        double Z[ROOM * 2];
        utLcp lcp = {.n = 2, .M = M, .q = q, .lo = lo, .hi = hi, .findex = findex};
        CHECK_INT(find_all(&lcp, Z), 1);
        check_vector(2, Z, (double[]){2, sign});
    }
}

// By hand 4 z_n + z_t = 6 with z_t = -z_n gives z_n = 2, and w_t = z_n + 3 z_t + 5 = 1 >= 0 at lo.
TEST(a_sliding_tangent_acts_on_its_normal)
{
    const double M[] = {4, 1, 1, 3}, q[] = {-6, 5}, lo[] = {0, -1}, hi[] = {HUGE_VAL, 1};
    const int findex[] = {-1, 0};
    double Z[ROOM * 2];
    utLcp lcp = {.n = 2, .M = M, .q = q, .lo = lo, .hi = hi, .findex = findex};
    CHECK_INT(find_all(&lcp, Z), 1);
    check_vector(2, Z, (double[]){2, -2});
}

// The tangent comes first, which no solver may rely on.
TEST(a_friction_index_may_point_forward)
{
    const double M[] = {3, 1, 1, 4}, q[] = {5, -6}, lo[] = {-1, 0}, hi[] = {1, HUGE_VAL};
    const int findex[] = {1, -1};
    double Z[ROOM * 2];
    utLcp lcp = {.n = 2, .M = M, .q = q, .lo = lo, .hi = hi, .findex = findex};
    CHECK_INT(find_all(&lcp, Z), 1);
    check_vector(2, Z, (double[]){-2, 2});
}

// ---- singular cases -----------------------------------------------------------------------------

TEST(a_continuum_is_told_by_its_corners)
{
    const double M[] = {1, 1, 1, 1}, q[] = {-1, -1};
    double Z[ROOM * 2];
    CHECK_INT(find_all(&(utLcp){.n = 2, .M = M, .q = q}, Z), 2);
    check_vector(4, Z, (double[]){1, 0, 0, 1});
}

// No complementary basis of this one is regular (Pang): all of them are polyhedra of one point.
TEST(an_isolated_solution_of_singular_cases_is_found)
{
    const double M[] = {0, -1, -1, 1, 0, 0, -1, 0, 0}, q[] = {0, -1, 1};
    double Z[ROOM * 3];
    CHECK_INT(find_all(&(utLcp){.n = 3, .M = M, .q = q}, Z), 1);
    check_vector(3, Z, (double[]){1, 0, 0});
}

TEST(what_has_no_solution_is_proved_to_have_none)
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
        double z[3], Z[ROOM * 3];
        utLcp lcp = {.n = none[p].n, .M = none[p].M, .q = none[p].q};
        utLcpInfo info = enumerate(&lcp, z);
        CHECK_INT(info.outcome, UT_LCP_NONE);
        CHECK_INT(info.iterations, 1 << lcp.n);
        CHECK_INT(find_all(&lcp, Z), 0);
    }
}

// w_1 = q_1 whatever z is: no solution, told apart from rounding where it is far from that.
TEST(a_violation_near_rounding_proves_nothing)
{
    const double M[] = {0, 0, 0, 1};
    const double q[3][2] = {{-1e-11, -1}, {-5e-10, -1}, {-1e-8, -1}};
    const utLcpOutcome want[] = {UT_LCP_ITERATIONS, UT_LCP_ITERATIONS, UT_LCP_NONE};
    for (int p = 0; p < 3; p++) {
        double z[2];
        CHECK_INT(enumerate(&(utLcp){.n = 2, .M = M, .q = q[p]}, z).outcome, want[p]);
    }
}

// Two free unknowns that M sees only as their sum, z_1 + z_2 = 1 twice: a line of solutions, told
// by one of its points. A contradiction has none.
TEST(a_line_of_solutions_is_told_by_one_of_its_points)
{
    const double M[] = {1, 1, 1, 1};
    const double same[] = {-1, -1}, contradiction[] = {-1, -2};
    double Z[ROOM * 2], z[2];
    CHECK_INT(find_all(&(utLcp){.n = 2, .M = M, .q = same, .free_count = 2}, Z), 1);
    CHECK_NEAR(Z[0] + Z[1], 1.0, 1e-15);
    CHECK_INT(enumerate(&(utLcp){.n = 2, .M = M, .q = contradiction, .free_count = 2}, z).outcome,
              UT_LCP_NONE);
}

// Subset sum (Chung) with fourteen weights: 2^16 cases, of which only those of a right subset hold.
// All weights are even, so an odd sum cannot be reached.
TEST(sixteen_unknowns_are_found_or_proved_impossible)
{
    enum { WEIGHTS = 14, N = WEIGHTS + 2 };
    static double M[N * N], q[N];
    double z[N];
    for (int b = 100; b <= 101; b++) {
        memset(M, 0, sizeof M);
        for (int i = 0; i < WEIGHTS; i++) {
            double a = 2.0 * (i + 1);
            M[i * N + i] = -1.0;
            q[i] = 1.0;
            M[WEIGHTS * N + i] = a;
            M[(WEIGHTS + 1) * N + i] = -a;
        }
        M[WEIGHTS * N + WEIGHTS] = -1.0;
        M[(WEIGHTS + 1) * N + WEIGHTS + 1] = -1.0;
        q[WEIGHTS] = -b;
        q[WEIGHTS + 1] = b;
        utLcpInfo info = enumerate(&(utLcp){.n = N, .M = M, .q = q}, z);
        CHECK_INT(info.outcome, b == 100 ? UT_LCP_SOLVED : UT_LCP_NONE);
        double sum = 0.0;
        for (int i = 0; i < WEIGHTS; i++) {
            sum += 2.0 * (i + 1) * z[i];
        }
        CHECK_NEAR(sum, b == 100 ? 100.0 : 0.0, 1e-12);
    }
}

// ---- whole numbers ------------------------------------------------------------------------------

// A problem of three unknowns in small whole numbers, NONE for no bound.
enum { N3 = 3, UNBOUNDED = 99 };

typedef struct Whole {
    int M[N3][N3];
    int q[N3];
    int lo[N3];
    int hi[N3];
    int findex[N3];
} Whole;

// A plane a.z = a[3].
typedef struct Plane {
    int a[N3 + 1];
} Plane;

static int whole_planes(const Whole* p, Plane* planes)
{
    int count = 0;
    for (int i = 0; i < N3; i++) {
        planes[count++] = (Plane){{p->M[i][0], p->M[i][1], p->M[i][2], -p->q[i]}};
        const int bounds[2] = {p->lo[i], p->hi[i]};
        for (int b = 0; b < 2; b++) {
            if (bounds[b] != UNBOUNDED) {
                Plane at = {{0}};
                at.a[i] = 1;
                at.a[p->findex[i] >= 0 ? p->findex[i] : N3] +=
                    p->findex[i] >= 0 ? -bounds[b] : bounds[b];
                planes[count++] = at;
            }
        }
    }
    return count;
}

static int determinant(const int* a, const int* b, const int* c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Where three planes meet, as z / d with d > 0. @return false when they do not meet in one point
static bool meet(const Plane* p, const Plane* q, const Plane* r, int* z, int* d)
{
    *d = determinant(p->a, q->a, r->a);
    const int sign = *d < 0 ? -1 : 1;
    for (int i = 0; i < N3; i++) {
        Plane x = *p, y = *q, v = *r;
        x.a[i] = p->a[N3];
        y.a[i] = q->a[N3];
        v.a[i] = r->a[N3];
        z[i] = sign * determinant(x.a, y.a, v.a);
    }
    *d *= sign;
    return *d != 0;
}

static bool whole_solves(const Whole* p, const int* z, int d)
{
    for (int i = 0; i < N3; i++) {
        const int k = p->findex[i];
        const int scale = k < 0 ? d : z[k] > 0 ? z[k] : 0;
        const bool has_lo = p->lo[i] != UNBOUNDED, has_hi = p->hi[i] != UNBOUNDED;
        const int over = has_lo ? z[i] - p->lo[i] * scale : 1;
        const int under = has_hi ? p->hi[i] * scale - z[i] : 1;
        int w = p->q[i] * d;
        for (int j = 0; j < N3; j++) {
            w += p->M[i][j] * z[j];
        }
        bool ok = over >= 0 && under >= 0 &&
                  (w == 0 || (w > 0 && has_lo && over == 0) || (w < 0 && has_hi && under == 0));
        if (!ok) {
            return false;
        }
    }
    return true;
}

// All corners of the solution set: points where three of the planes meet and that are solutions.
static int whole_corners(const Whole* p, double Z[][N3])
{
    Plane planes[3 * N3];
    const int count = whole_planes(p, planes);
    int found = 0;
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            for (int c = b + 1; c < count; c++) {
                int z[N3], d;
                if (!meet(&planes[a], &planes[b], &planes[c], z, &d) || !whole_solves(p, z, d)) {
                    continue;
                }
                const double point[N3] = {(double)z[0] / d, (double)z[1] / d, (double)z[2] / d};
                bool known = false;
                for (int s = 0; s < found; s++) {
                    known = known || memcmp(Z[s], point, sizeof point) == 0;
                }
                if (!known) {
                    memcpy(Z[found++], point, sizeof point);
                }
            }
        }
    }
    return found;
}

static Whole random_whole(utRng* rng)
{
    Whole p;
    const int kind = ut_rng_below(rng, 3); // plain, boxed, friction
    const int spread = 1 + ut_rng_below(rng, 2);
    for (int i = 0; i < N3; i++) {
        for (int j = 0; j < N3; j++) {
            p.M[i][j] = ut_rng_below(rng, 2 * spread + 1) - spread;
        }
        p.q[i] = ut_rng_below(rng, 4) - 2;
        p.lo[i] = 0;
        p.hi[i] = UNBOUNDED;
        p.findex[i] = -1;
        if (kind == 1) {
            p.lo[i] = -ut_rng_below(rng, 3);
            p.hi[i] = p.lo[i] + ut_rng_below(rng, 4);
        } else if (kind == 2 && i > 0) {
            p.lo[i] = -1;
            p.hi[i] = 1;
            p.findex[i] = 0;
        }
    }
    return p;
}

TEST(all_corners_agree_with_cramers_rule_in_whole_numbers)
{
    utRng rng = ut_rng(17, 0);
    int solvable = 0, several = 0;
    const int problems = 3000;
    for (int t = 0; t < problems; t++) {
        const Whole p = random_whole(&rng);
        double M[N3 * N3], q[N3], lo[N3], hi[N3], Z[ROOM * N3], want[84][N3], z[N3];
        for (int i = 0; i < N3; i++) {
            for (int j = 0; j < N3; j++) {
                M[i * N3 + j] = p.M[i][j];
            }
            q[i] = p.q[i];
            lo[i] = p.lo[i];
            hi[i] = p.hi[i] == UNBOUNDED ? HUGE_VAL : p.hi[i];
        }
        const utLcp lcp = {.n = N3, .M = M, .q = q, .lo = lo, .hi = hi, .findex = p.findex};
        const int count = whole_corners(&p, want);
        solvable += count > 0;
        several += count > 1;

        if (!CHECK_INT(find_all(&lcp, Z), count)) {
            test_note("problem %d", t);
            return;
        }
        for (int s = 0; s < count; s++) {
            bool met = false;
            for (int k = 0; k < count; k++) {
                const double* x = Z + (ptrdiff_t)k * N3;
                met = met || (fabs(x[0] - want[s][0]) < 1e-12 && fabs(x[1] - want[s][1]) < 1e-12 &&
                              fabs(x[2] - want[s][2]) < 1e-12);
            }
            CHECK(met);
        }
        CHECK_INT(enumerate(&lcp, z).outcome, count > 0 ? UT_LCP_SOLVED : UT_LCP_NONE);

        // without room to remember them, none is counted twice either
        const utLcpDef def = ut_lcp_def();
        int counted = -1;
        CHECK_INT(ut_lcp_all(&lcp, &def, test_arena(), 0, NULL, &counted), UT_OK);
        CHECK_INT(counted, count);
    }
    test_note("%d of %d solvable, %d with several corners", solvable, problems, several);
    CHECK(solvable > problems / 4 && solvable < problems && several > problems / 20);
}

// ---- limits -------------------------------------------------------------------------------------

TEST(solutions_beyond_the_room_are_counted_and_not_stored)
{
    const double M[] = {-1, 0, 0, 0, -1, 0, 0, 0, -1}, q[] = {1, 1, 1};
    const utLcp lcp = {.n = 3, .M = M, .q = q};
    const utLcpDef def = ut_lcp_def();
    double Z[3 * 3] = {0, 0, 0, 0, 0, 0, 7, 7, 7};
    int count = -1;
    CHECK_INT(ut_lcp_all(&lcp, &def, test_arena(), 2, Z, &count), UT_OK);
    CHECK_INT(count, 8);
    check_vector(9, Z, (double[]){0, 0, 0, 1, 0, 0, 7, 7, 7});
    CHECK_INT(ut_lcp_all(&lcp, &def, test_arena(), 0, NULL, &count), UT_OK);
    CHECK_INT(count, 8);
}

TEST(too_many_unknowns_or_cases_are_refused)
{
    enum { N = MOST + 1 };
    static double M[N * N], q[N], lo[N], hi[N], z[N];
    for (int i = 0; i < N; i++) {
        M[i * N + i] = 1.0;
        hi[i] = 1.0;
    }
    const utLcpDef def = ut_lcp_def();
    utLcpInfo info;
    int count = -1;
    utLcp lcp = {.n = N, .M = M, .q = q};
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_ENUMERATE, &def, test_arena(), z, &info), UT_ERR_ARGUMENT);
    CHECK_INT(ut_lcp_all(&lcp, &def, test_arena(), 0, NULL, &count), UT_ERR_ARGUMENT);

    // three states each: 3^12 cases are taken, 3^13 are not
    for (int n = 12; n <= 13; n++) {
        lcp = (utLcp){.n = n, .M = M, .q = q, .lo = lo, .hi = hi};
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_ENUMERATE, &def, test_arena(), z, &info),
                  n == 12 ? UT_OK : UT_ERR_ARGUMENT);
    }
    CHECK_INT(count, -1);
}

TEST(a_limit_on_cases_proves_nothing)
{
    const double M[] = {0, 1, 0, 1}, q[] = {-1, 1};
    const utLcp lcp = {.n = 2, .M = M, .q = q};
    utLcpDef def = ut_lcp_def();
    utLcpInfo info;
    double z[2];
    def.max_iterations = 3;
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_ENUMERATE, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_ITERATIONS);
    CHECK_INT(info.iterations, 3);
}

TEST(enumeration_without_memory_is_a_status)
{
    static unsigned char memory[1 << 16];
    const double M[] = {1}, q[] = {-1};
    const utLcp lcp = {.n = 1, .M = M, .q = q};
    const utLcpDef def = ut_lcp_def();
    utLcpInfo info;
    double z = 7.0;
    const utArena little = ut_arena_on(memory, 8000); // the affine functions alone need 9 kB
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_ENUMERATE, &def, little, &z, &info), UT_ERR_CAPACITY);
    CHECK_NEAR(z, 7.0, 0.0);
    const utArena enough = ut_arena_on(memory, sizeof memory);
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_ENUMERATE, &def, enough, &z, &info), UT_OK);
    CHECK_NEAR(z, 1.0, 0.0);
}
