// SPDX-License-Identifier: Apache-2.0
// Dense factorizations in place, row-major with a leading dimension, without allocation.
//
// A factorization stops at a pivot that is not larger than `tiny` in size, or NaN. The caller chooses
// `tiny`, because only the caller knows the scale of the matrix.
#ifndef UPTACK_LA_DENSE_DENSE_H
#define UPTACK_LA_DENSE_DENSE_H

#include <stdbool.h>
#include <uptack/base.h>

/// rows x columns doubles. @return NULL when there is no memory or their size overflows
static inline double* ut_matrix_push(utArena* arena, int rows, int columns)
{
    return (double*)ut_arena_take(arena, (size_t)rows, (size_t)columns * sizeof(double));
}

// ---- Cholesky: A = L L^T, A symmetric positive definite -----------------------------------------

/// Factor in place: the lower triangle of A becomes L; the upper one is neither read nor written.
/// @return n, or the index of the first pivot (before its square root) that is not > tiny
int ut_chol_factor(int n, double* A, int ld, double tiny);

/// x = (L L^T)^-1 x
void ut_chol_solve(int n, const double* L, int ld, double* x);

/// x = L^-1 x, so that |x|^2 becomes x'A^-1 x.
void ut_chol_half_solve(int n, const double* L, int ld, double* x);

// ---- LDL^T: A = L D L^T, L unit lower, D diagonal with entries of either sign -------------------

/// Factor in place without pivoting: the strict lower triangle becomes L, d the diagonal of D. The
/// diagonal of A is overwritten; the upper triangle is neither read nor written.
/// @return n, or the index of the first pivot with !(|d| > tiny)
int ut_ldl_factor(int n, double* A, int ld, double* d, double tiny);

/// x = (L D L^T)^-1 x
void ut_ldl_solve(int n, const double* L, int ld, const double* d, double* x);

/// L D L^T + alpha x x^T by the sign-safe rank-one recurrence; x is destroyed.
/// @return false when a pivot with !(|d| > tiny) appears; L and d are then invalid
bool ut_ldl_update(int n, double* L, int ld, double* d, double alpha, double* x, double tiny);

/// Append a row and column: `row` holds A_new,0..n-1 and may be row n of L itself, `diagonal` is
/// A_new,new. Writes row n of L and d[n]. O(n^2).
/// @return false, with nothing changed but row n of L, when !(|d[n]| > tiny)
bool ut_ldl_append(int n, double* L, int ld, double* d, const double* row, double diagonal,
                   double tiny);

/// Delete row and column k; later rows move up. O((n-k)^2 + n (n-k)).
/// @param work n entries @return false when the factor cannot be updated; it is then invalid
bool ut_ldl_remove(int n, int k, double* L, int ld, double* d, double* work, double tiny);

// ---- LU: P A = L U with row pivoting ------------------------------------------------------------

/// Factor in place (blocked; L unit lower below the diagonal, U above). perm[i] is the row of A
/// that became row i. @return n, or the index of the first column that has no pivot > tiny in size
/// or holds a NaN on or below the diagonal
int ut_lu_factor(int n, double* A, int ld, int* perm, double tiny);

/// x = A^-1 b; b and x must not overlap
void ut_lu_solve(int n, const double* LU, int ld, const int* perm, const double* b, double* x);

#endif
