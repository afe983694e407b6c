// SPDX-License-Identifier: Apache-2.0
#include "la/dense/dense.h"

#include "matrix.h"

// By hand: L = [2 0 0; 1 3 0; -1 2 1].
TEST(a_positive_definite_matrix_factors_as_by_hand)
{
    double A[] = {4, 99, 99, 2, 10, 99, -2, 5, 6};
    CHECK_INT(ut_chol_factor(3, A, 3, 0.0), 3);
    const double want[] = {2, 99, 99, 1, 3, 99, -1, 2, 1};
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(A[i], want[i], 0.0);
    }
    // A (1, 1, 1) = (4, 17, 9)
    double x[] = {4, 17, 9};
    ut_chol_solve(3, A, 3, x);
    CHECK_NEAR(x[0], 1.0, 0.0);
    CHECK_NEAR(x[1], 1.0, 0.0);
    CHECK_NEAR(x[2], 1.0, 0.0);
}

// The upper triangle and the columns beyond n hold NaNs, which would spread if they were read.
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

// |A - L L^T| <= gamma_n+1 |L||L^T| (Higham, theorem 10.3); the check's own sums add gamma_n+1 of
// the same.
static void check_product(int n, const double* A, const double* L, int ld)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double value = 0.0;
            double size = 0.0;
            for (int k = 0; k <= j; k++) {
                value += L[at(ld, i, k)] * L[at(ld, j, k)];
                size += fabs(L[at(ld, i, k)] * L[at(ld, j, k)]);
            }
            double bound = 2.0 * rounding_bound(n + 1) * size;
            if (!CHECK_NEAR(value, A[at(ld, i, j)], bound)) {
                return;
            }
        }
    }
}

TEST(the_product_of_the_cholesky_factor_is_the_matrix_within_the_rounding_bound)
{
    utRng rng = ut_rng(20, 0);
    for (int n = 0; n <= 150; n += 1 + n / 6) {
        utArena arena = test_arena();
        const int ld = n + 3;
        double* A = random_symmetric(&arena, &rng, n, ld, n);
        double* L = copy_doubles(&arena, A, n, ld);
        spoil_outside(n, L, ld);
        CHECK_INT(ut_chol_factor(n, L, ld, 0.0), n);
        check_product(n, A, L, ld);
        check_outside_spoilt(n, L, ld);
    }
}

// |b - A x| <= gamma_3n+1 |L||L^T||x| (Higham, theorem 10.4) + gamma_n+1 (|A||x| + |b|). By Cauchy
// and Schwarz (|L||L^T|)_ij <= sqrt(a_ii a_jj), here n.
TEST(cholesky_solutions_satisfy_their_equations_within_the_rounding_bound)
{
    utRng rng = ut_rng(21, 0);
    for (int n = 1; n <= 60; n += 1 + n / 6) {
        utArena arena = test_arena();
        double* A = random_symmetric(&arena, &rng, n, n, n);
        double* b = random_doubles(&arena, &rng, 1, n);
        double* L = copy_doubles(&arena, A, n, n);
        double* x = copy_doubles(&arena, b, 1, n);
        CHECK_INT(ut_chol_factor(n, L, n, 0.0), n);
        spoil_outside(n, L, n);
        ut_chol_solve(n, L, n, x);
        for (int i = 0; i < n; i++) {
            double residual = b[i];
            double bound = rounding_bound(n + 1) * fabs(b[i]);
            for (int j = 0; j < n; j++) {
                residual -= A[at(n, i, j)] * x[j];
                bound += rounding_bound(n + 1) * fabs(A[at(n, i, j)] * x[j]);
                bound += rounding_bound(3 * n + 1) * n * fabs(x[j]);
            }
            CHECK_NEAR(residual, 0.0, bound);
        }
    }
}

TEST(the_first_pivot_that_is_not_positive_stops_the_cholesky_factorization)
{
    // by hand: pivots 1, 1, then 2 - 1 - 1 = 0
    double A[] = {1, 0, 0, 0, 1, 0, 1, 1, 2};
    CHECK_INT(ut_chol_factor(3, A, 3, 0.0), 2);
    double B[] = {-1};
    CHECK_INT(ut_chol_factor(1, B, 1, 0.0), 0);
    double C[] = {1e-9};
    CHECK_INT(ut_chol_factor(1, C, 1, 1e-9), 0);
    // row 100 repeats row 30, so its pivot is a rounding error, below 1e-9 either way
    utArena arena = test_arena();
    utRng rng = ut_rng(22, 0);
    double* D = random_symmetric(&arena, &rng, 120, 120, 120.0);
    for (int j = 0; j < 120; j++) {
        D[at(120, 100, j)] = D[at(120, 30, j)];
    }
    D[at(120, 100, 100)] = D[at(120, 30, 30)];
    CHECK_INT(ut_chol_factor(120, D, 120, 1e-9), 100);
}

TEST(a_nan_stops_the_cholesky_factorization_at_its_row)
{
    utRng rng = ut_rng(23, 0);
    for (int row = 0; row < 60; row += 7) {
        utArena arena = test_arena();
        double* A = random_symmetric(&arena, &rng, 60, 60, 60.0);
        A[at(60, row, row / 2)] = (double)NAN;
        CHECK_INT(ut_chol_factor(60, A, 60, 0.0), row);
    }
}
