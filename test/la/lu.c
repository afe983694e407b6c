// SPDX-License-Identifier: Apache-2.0
#include "la/dense/dense.h"

#include "matrix.h"

// By hand: the pivots are 4 and 3/2, rows swap.
TEST(a_two_by_two_matrix_factors_as_by_hand)
{
    double A[] = {2, 3, 4, 3};
    int perm[2];
    CHECK_INT(ut_lu_factor(2, A, 2, perm, 0.0), 2);
    CHECK_INT(perm[0], 1);
    CHECK_INT(perm[1], 0);
    CHECK_NEAR(A[0], 4.0, 0.0);
    CHECK_NEAR(A[1], 3.0, 0.0);
    CHECK_NEAR(A[2], 0.5, 0.0);
    CHECK_NEAR(A[3], 1.5, 0.0);

    // 2x + 3y = 8, 4x + 3y = 10
    double x[2];
    ut_lu_solve(2, A, 2, perm, (double[]){8, 10}, x);
    CHECK_NEAR(x[0], 1.0, 0.0);
    CHECK_NEAR(x[1], 2.0, 0.0);
}

// The three loops of the textbook.
static int textbook_lu(int n, double* A, int ld, int* perm)
{
    for (int i = 0; i < n; i++) {
        perm[i] = i;
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(A[at(ld, i, k)]) > fabs(A[at(ld, pivot, k)])) {
                pivot = i;
            }
        }
        for (int j = 0; j < n; j++) {
            double keep = A[at(ld, k, j)];
            A[at(ld, k, j)] = A[at(ld, pivot, j)];
            A[at(ld, pivot, j)] = keep;
        }
        int row = perm[k];
        perm[k] = perm[pivot];
        perm[pivot] = row;
        for (int i = k + 1; i < n; i++) {
            A[at(ld, i, k)] /= A[at(ld, k, k)];
            for (int j = k + 1; j < n; j++) {
                A[at(ld, i, j)] -= A[at(ld, i, k)] * A[at(ld, k, j)];
            }
        }
    }
    return n;
}

TEST(the_blocked_factor_has_the_bits_of_the_textbook_loops_at_every_size)
{
    utRng rng = ut_rng(10, 0);
    for (int n = 0; n <= 130; n += n < 60 ? 1 : 7) {
        utArena arena = test_arena();
        const int ld = n + 3;
        double* A = random_doubles(&arena, &rng, n, ld);
        double* B = copy_doubles(&arena, A, n, ld);
        int perm[130], want[130];
        CHECK_INT(ut_lu_factor(n, A, ld, perm, 0.0), n);
        textbook_lu(n, B, ld, want);
        // the columns beyond n are compared too: they must be as they were
        CHECK(memcmp(A, B, sizeof(double) * (size_t)n * (size_t)ld) == 0);
        CHECK(memcmp(perm, want, sizeof(int) * (size_t)n) == 0);
    }
}

// |P A - L U| <= gamma_n |L||U| (Higham, theorem 9.3); the check's own sums add gamma_n+1 of the
// same, so twice gamma_n+1 stands for both.
static void check_product(int n, const double* A, const double* LU, int ld, const int* perm)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double value = 0.0;
            double size = 0.0;
            for (int k = 0; k <= i && k <= j; k++) {
                double term = (k == i ? 1.0 : LU[at(ld, i, k)]) * LU[at(ld, k, j)];
                value += term;
                size += fabs(term);
            }
            double bound = 2.0 * rounding_bound(n + 1) * size;
            if (!CHECK_NEAR(value, A[at(ld, perm[i], j)], bound)) {
                return;
            }
        }
    }
}

TEST(the_product_of_the_factors_is_the_permuted_matrix_within_the_rounding_bound)
{
    utRng rng = ut_rng(11, 0);
    const int sizes[] = {1, 2, 5, 17, 48, 49, 96, 150};
    for (int s = 0; s < 8; s++) {
        utArena arena = test_arena();
        const int n = sizes[s];
        double* A = random_doubles(&arena, &rng, n, n);
        double* LU = copy_doubles(&arena, A, n, n);
        int perm[150];
        CHECK_INT(ut_lu_factor(n, LU, n, perm, 0.0), n);
        check_product(n, A, LU, n, perm);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                CHECK(fabs(LU[at(n, i, j)]) <= 1.0);
            }
        }
    }
}

// (A + E) x = b with |E| <= gamma_3n P^T |L||U| (Higham, theorem 9.4), and the residual itself is
// computed with an error of gamma_n+1 (|A||x| + |b|).
static void check_solution(int n, const double* A, const double* LU, const int* perm,
                           const double* b, const double* x)
{
    for (int i = 0; i < n; i++) {
        double residual = b[i];
        double size = fabs(b[i]);
        double factors = 0.0;
        for (int j = 0; j < n; j++) {
            double a = A[at(n, i, j)];
            residual -= a * x[j];
            size += fabs(a * x[j]);
            int row = 0;
            while (perm[row] != i) {
                row++;
            }
            for (int k = 0; k <= row && k <= j; k++) {
                double l = k == row ? 1.0 : LU[at(n, row, k)];
                factors += fabs(l * LU[at(n, k, j)] * x[j]);
            }
        }
        double bound = rounding_bound(3 * n) * factors + rounding_bound(n + 1) * size;
        CHECK_NEAR(residual, 0.0, bound);
    }
}

TEST(solutions_satisfy_their_equations_within_the_rounding_bound)
{
    utRng rng = ut_rng(12, 0);
    for (int n = 1; n <= 60; n += 1 + n / 8) {
        utArena arena = test_arena();
        double* A = random_doubles(&arena, &rng, n, n);
        double* b = random_doubles(&arena, &rng, 1, n);
        double* LU = copy_doubles(&arena, A, n, n);
        double x[60];
        int perm[60];
        CHECK_INT(ut_lu_factor(n, LU, n, perm, 0.0), n);
        ut_lu_solve(n, LU, n, perm, b, x);
        check_solution(n, A, LU, perm, b, x);
    }
}

// det H_n = c_n^4 / c_2n with c_n = 1! 2! ... (n-1)!. The relative error of the computed one is at
// most the sum over entries of |inverse_ji dA_ij| <= n gamma_n ||H^-1|| ||H|| (growth is 1 for a
// positive definite matrix up to the row exchanges); the condition of H_6 is 1.5e7.
TEST(the_determinant_of_a_hilbert_matrix_is_the_closed_form)
{
    utArena arena = test_arena();
    double* H = hilbert(&arena, 6);
    int perm[6];
    CHECK_INT(ut_lu_factor(6, H, 6, perm, 0.0), 6);
    double determinant = 1.0;
    for (int i = 0; i < 6; i++) {
        determinant *= H[at(6, i, i)];
    }
    const double exact = 5.3672998873586550e-18; // 1 / 186313420339200000
    CHECK_NEAR(fabs(determinant), exact, exact * 6.0 * rounding_bound(6) * 1.5e7);
}

// Column 2 is the sum of columns 0 and 1, in small integers that round nowhere when the pivots are
// powers of two.
TEST(a_singular_matrix_stops_at_the_first_column_without_a_pivot)
{
    double A[] = {2, 0, 2, 1, 0, 4, 4, 1, 1, 2, 3, 1, 2, 4, 6, 5};
    int perm[4];
    CHECK_INT(ut_lu_factor(4, A, 4, perm, 0.0), 2);

    double zero[9] = {0};
    CHECK_INT(ut_lu_factor(3, zero, 3, perm, 0.0), 0);
}

TEST(a_pivot_must_be_larger_than_tiny)
{
    double A[] = {1, 0, 0, 1e-9};
    double B[] = {1, 0, 0, -1e-9};
    int perm[2];
    CHECK_INT(ut_lu_factor(2, A, 2, perm, 1e-9), 1);
    CHECK_INT(ut_lu_factor(2, B, 2, perm, 0.999e-9), 2);
}

TEST(a_nan_stops_the_factorization_at_the_first_column_that_it_reaches)
{
    utRng rng = ut_rng(13, 0);
    for (int n = 1; n <= 70; n += 23) {
        for (int column = 0; column < n; column += 5) {
            utArena arena = test_arena();
            double* A = random_doubles(&arena, &rng, n, n);
            int perm[70];
            A[at(n, n - 1, column)] = (double)NAN;
            // the NaN stands in the last row: if that row becomes a pivot before, its column is
            // spoilt all the same
            CHECK_INT(ut_lu_factor(n, A, n, perm, 0.0), column);
        }
    }
}
