// SPDX-License-Identifier: Apache-2.0
#include "la/dense/dense.h"

#include "matrix.h"

// By hand: L = [1; 2 1; -1 3 1], D = diag(2, -1, 3).
TEST(an_indefinite_matrix_factors_as_by_hand)
{
    double A[] = {2, 99, 99, 4, 7, 99, -2, -7, -4};
    double d[3];
    CHECK_INT(ut_ldl_factor(3, A, 3, d, 0.0), 3);
    CHECK_NEAR(d[0], 2.0, 0.0);
    CHECK_NEAR(d[1], -1.0, 0.0);
    CHECK_NEAR(d[2], 3.0, 0.0);
    CHECK_NEAR(A[3], 2.0, 0.0);
    CHECK_NEAR(A[6], -1.0, 0.0);
    CHECK_NEAR(A[7], 3.0, 0.0);
    CHECK_NEAR(A[1], 99.0, 0.0);
    CHECK_NEAR(A[2], 99.0, 0.0);
    CHECK_NEAR(A[5], 99.0, 0.0);
    // A (1, 1, 1) = (4, 4, -13)
    double x[] = {4, 4, -13};
    ut_ldl_solve(3, A, 3, d, x);
    CHECK_NEAR(x[0], 1.0, 0.0);
    CHECK_NEAR(x[1], 1.0, 0.0);
    CHECK_NEAR(x[2], 1.0, 0.0);
}

// Quasi-definite: the first half of the diagonal is n and the rest -n, so every pivot is safe
// without exchanges.
static double* random_quasidefinite(utArena* arena, utRng* rng, int n, int ld)
{
    double* A = random_symmetric(arena, rng, n, ld, n);
    for (int i = n / 2; i < n; i++) {
        A[at(ld, i, i)] = -n;
    }
    return A;
}

// What lies above the diagonal and beyond column n must be neither read nor written.
static void spoil_outside(int n, double* A, int ld)
{
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < ld; j++) {
            A[at(ld, i, j)] = (double)NAN;
        }
    }
}

static void check_outside_spoilt(int n, const double* A, int ld)
{
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < ld; j++) {
            CHECK(isnan(A[at(ld, i, j)]));
        }
    }
}

// |A - L D L^T| <= gamma_n+2 |L||D||L^T|: theorem 9.3 of Higham with U = D L^T, where forming
// d l costs up to two roundings more; the check's own sums add gamma_n+2 of the same.
static void check_product(int n, const double* A, const double* L, int ld, const double* d)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double value = 0.0;
            double size = 0.0;
            for (int k = 0; k <= j; k++) {
                double left = k == i ? 1.0 : L[at(ld, i, k)];
                double right = k == j ? 1.0 : L[at(ld, j, k)];
                value += left * d[k] * right;
                size += fabs(left * d[k] * right);
            }
            double bound = 2.0 * rounding_bound(n + 2) * size;
            if (!CHECK_NEAR(value, A[at(ld, i, j)], bound)) {
                return;
            }
        }
    }
}

TEST(the_product_of_the_ldl_factors_is_the_matrix_within_the_rounding_bound)
{
    utRng rng = ut_rng(30, 0);
    for (int n = 0; n <= 150; n += 1 + n / 6) {
        utArena arena = test_arena();
        const int ld = n + 3;
        double* A = random_quasidefinite(&arena, &rng, n, ld);
        double* L = copy_doubles(&arena, A, n, ld);
        double d[151];
        spoil_outside(n, L, ld);
        CHECK_INT(ut_ldl_factor(n, L, ld, d, 0.0), n);
        check_product(n, A, L, ld, d);
        check_outside_spoilt(n, L, ld);
        for (int i = 0; i < n; i++) {
            CHECK((d[i] > 0.0) == (i < n / 2));
        }
    }
}

// (A + E) x = b with |E| <= gamma_3n+3 |L||D||L^T| (Higham, theorem 9.4, and three roundings for
// D), and the residual is computed with an error of gamma_n+1 (|A||x| + |b|).
TEST(ldl_solutions_satisfy_their_equations_within_the_rounding_bound)
{
    utRng rng = ut_rng(31, 0);
    for (int n = 1; n <= 60; n += 1 + n / 6) {
        utArena arena = test_arena();
        double* A = random_quasidefinite(&arena, &rng, n, n);
        double* b = random_doubles(&arena, &rng, 1, n);
        double* L = copy_doubles(&arena, A, n, n);
        double* x = copy_doubles(&arena, b, 1, n);
        double d[60];
        CHECK_INT(ut_ldl_factor(n, L, n, d, 0.0), n);
        spoil_outside(n, L, n);
        ut_ldl_solve(n, L, n, d, x);
        for (int i = 0; i < n; i++) {
            double residual = b[i];
            double bound = rounding_bound(n + 1) * fabs(b[i]);
            for (int j = 0; j < n; j++) {
                residual -= A[at(n, i, j)] * x[j];
                bound += rounding_bound(n + 1) * fabs(A[at(n, i, j)] * x[j]);
                for (int k = 0; k <= i && k <= j; k++) {
                    double left = k == i ? 1.0 : L[at(n, i, k)];
                    double right = k == j ? 1.0 : L[at(n, j, k)];
                    bound += rounding_bound(3 * n + 3) * fabs(left * d[k] * right * x[j]);
                }
            }
            CHECK_NEAR(residual, 0.0, bound);
        }
    }
}

// The pivots of the Hilbert matrix are d_k = (k!)^4 / ((2k)! (2k+1)!). Rounding moves d_k relative
// to itself by at most gamma_k times the condition of the leading block, here below 4 e^(3.5 k).
TEST(the_pivots_of_a_hilbert_matrix_are_the_closed_form)
{
    utArena arena = test_arena();
    double* H = hilbert(&arena, 9);
    double d[9];
    CHECK_INT(ut_ldl_factor(9, H, 9, d, 0.0), 9);
    double exact = 1.0;
    for (int k = 0; k < 9; k++) {
        CHECK_NEAR(d[k], exact, exact * rounding_bound(k + 2) * 4.0 * exp(3.5 * (k + 1)));
        // from k to k+1: (k+1)^4 / ((2k+1) (2k+2)^2 (2k+3))
        double next = k + 1;
        exact *= next * next / (4.0 * (2.0 * k + 1.0) * (2.0 * k + 3.0));
    }
}

TEST(a_zero_pivot_stops_the_ldl_factorization_at_its_index)
{
    // by hand: pivots 2, then 2 - 2*1*1 = 0
    double A[] = {2, 0, 0, 2, 2, 0, 0, 1, 5};
    double d[3];
    CHECK_INT(ut_ldl_factor(3, A, 3, d, 0.0), 1);
    double B[] = {-1e-9};
    CHECK_INT(ut_ldl_factor(1, B, 1, d, 1e-9), 0);
    CHECK_INT(ut_ldl_factor(1, B, 1, d, 0.999e-9), 1);
}

TEST(a_nan_stops_the_ldl_factorization_at_its_row)
{
    utRng rng = ut_rng(32, 0);
    for (int row = 0; row < 60; row += 7) {
        utArena arena = test_arena();
        double* A = random_quasidefinite(&arena, &rng, 60, 60);
        double d[60];
        A[at(60, row, row / 2)] = (double)NAN;
        CHECK_INT(ut_ldl_factor(60, A, 60, d, 0.0), row);
    }
}

// Two ways to the same factor: each is off by about gamma_n times entries up to 1.5 n, and for the
// quasi-definite matrices here (|L||D||L^T| <= 3 |A|, condition below 3) that reaches d at most
// ninefold; L is smaller than d by a factor n.
static void check_same_factor(int n, const double* L, const double* d, const double* M,
                              const double* e, int ld)
{
    const double tolerance = 2.0 * rounding_bound(4 * n + 4) * 1.5 * (n + 1) * 9.0;
    CHECK_NEAR(largest_difference(1, n, d, n, e, n), 0.0, tolerance);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(largest_difference(1, i, L + at(ld, i, 0), ld, M + at(ld, i, 0), ld), 0.0,
                   tolerance);
    }
}

TEST(rank_one_changes_of_either_sign_give_the_factor_of_the_changed_matrix)
{
    utRng rng = ut_rng(33, 0);
    for (int n = 1; n <= 70; n += 1 + n / 4) {
        for (int sign = -1; sign <= 1; sign++) {
            utArena arena = test_arena();
            const int ld = n + 2;
            const double alpha = 0.9 * sign;
            double* A = random_quasidefinite(&arena, &rng, n, ld);
            double* x = random_doubles(&arena, &rng, 1, n);
            double* L = copy_doubles(&arena, A, n, ld);
            double d[70], e[70];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    A[at(ld, i, j)] += alpha * x[i] * x[j];
                }
            }
            spoil_outside(n, L, ld);
            CHECK_INT(ut_ldl_factor(n, L, ld, d, 0.0), n);
            CHECK(ut_ldl_update(n, L, ld, d, alpha, x, 0.0));
            check_outside_spoilt(n, L, ld);
            CHECK_INT(ut_ldl_factor(n, A, ld, e, 0.0), n);
            check_same_factor(n, L, d, A, e, ld);
        }
    }
}

TEST(a_rank_one_change_that_leaves_no_pivot_is_refused)
{
    double L[] = {1, 0, 0, 1};
    double d[] = {1, 2};
    CHECK(!ut_ldl_update(2, L, 2, d, -2.0, (double[]){0, 1}, 0.0));
    double e[] = {1, 2};
    CHECK(!ut_ldl_update(2, L, 2, e, 1.0, (double[]){(double)NAN, 0}, 0.0));
    // through zero to the other sign is no obstacle: 2 - 3 = -1
    double f[] = {1, 2};
    CHECK(ut_ldl_update(2, L, 2, f, -3.0, (double[]){0, 1}, 0.0));
    CHECK_NEAR(f[1], -1.0, 0.0);
}

TEST(growing_a_factor_row_by_row_gives_the_factor_of_the_whole)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(34, 0);
    enum { N = 61, LD = 64 };
    double* A = random_quasidefinite(&arena, &rng, N, LD);
    double* L = new_doubles(&arena, N, LD);
    double d[N], e[N];
    spoil_outside(N, L, LD);
    for (int n = 0; n < N; n++) {
        L[at(LD, n, n)] = 7.0;
        CHECK(ut_ldl_append(n, L, LD, d, A + at(LD, n, 0), A[at(LD, n, n)], 0.0));
        CHECK_NEAR(L[at(LD, n, n)], 7.0, 0.0);
    }
    check_outside_spoilt(N, L, LD);
    CHECK_INT(ut_ldl_factor(N, A, LD, e, 0.0), N);
    check_same_factor(N, L, d, A, e, LD);
}

TEST(a_row_that_leaves_no_pivot_is_not_appended)
{
    // [1 2; 2 4] is singular
    double L[] = {0, 0, 0, 0};
    double d[] = {0, 5};
    CHECK(ut_ldl_append(0, L, 2, d, NULL, 1.0, 0.0));
    CHECK(!ut_ldl_append(1, L, 2, d, (double[]){2}, 4.0, 0.0));
    CHECK_NEAR(d[0], 1.0, 0.0);
    CHECK_NEAR(d[1], 5.0, 0.0);
    CHECK(!ut_ldl_append(1, L, 2, d, (double[]){(double)NAN}, 4.0, 0.0));
    CHECK(ut_ldl_append(1, L, 2, d, (double[]){2}, 3.0, 0.0));
    CHECK_NEAR(d[1], -1.0, 0.0);
}

TEST(a_row_may_be_appended_from_where_it_will_stand)
{
    double L[] = {0, 0, 2, 0};
    double d[] = {4, 0};
    CHECK(ut_ldl_append(1, L, 2, d, L + 2, 4.0, 0.0));
    CHECK_NEAR(L[2], 0.5, 0.0);
    CHECK_NEAR(d[1], 3.0, 0.0);
}

TEST(removing_any_row_gives_the_factor_of_what_is_left)
{
    utRng rng = ut_rng(35, 0);
    enum { N = 41, LD = 43 };
    for (int k = 0; k < N; k += k < 10 ? 1 : 5) {
        utArena arena = test_arena();
        double* A = random_quasidefinite(&arena, &rng, N, LD);
        double* L = copy_doubles(&arena, A, N, LD);
        double* rest = new_doubles(&arena, N, LD);
        double d[N], e[N], work[N];
        spoil_outside(N, L, LD);
        CHECK_INT(ut_ldl_factor(N, L, LD, d, 0.0), N);
        CHECK(ut_ldl_remove(N, k, L, LD, d, work, 0.0));
        check_outside_spoilt(N, L, LD);
        for (int i = 0; i < N - 1; i++) {
            for (int j = 0; j <= i; j++) {
                rest[at(LD, i, j)] = A[at(LD, i + (i >= k), j + (j >= k))];
            }
        }
        CHECK_INT(ut_ldl_factor(N - 1, rest, LD, e, 0.0), N - 1);
        check_same_factor(N - 1, L, d, rest, e, LD);
    }
}

// [0 1; 1 1] has no first pivot, and is what is left of [1 1 0; 1 0 1; 0 1 1] without its first
// row.
TEST(removing_a_row_that_the_rest_cannot_do_without_is_refused)
{
    double L[] = {1, 0, 0, 1, 0, 0, 0, 1, 1};
    double d[3], work[3];
    CHECK_INT(ut_ldl_factor(3, L, 3, d, 0.0), 3);
    CHECK(!ut_ldl_remove(3, 0, L, 3, d, work, 0.0));
}
