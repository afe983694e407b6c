// SPDX-License-Identifier: Apache-2.0
/// @file matrix.h
/// What a dense matrix is good for: singular values, rank and condition number.
///
///     double A[] = {1, 2, 2, 4};
///     int rank;
///     ut_matrix_rank(2, 2, A, 0.0, scratch, &rank);   // 1
///
/// By one-sided Jacobi rotations: slow, but every singular value is known to about rounding times
/// the largest, and the same bits come out everywhere.
#ifndef UPTACK_MATRIX_H
#define UPTACK_MATRIX_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Scratch bytes of each function below; SIZE_MAX when that overflows.
UT_API size_t ut_matrix_scratch(int rows, int cols);

/// The singular values, largest first.
/// @param A rows x cols, row-major  @param s min(rows, cols) entries
/// @return UT_ERR_ARGUMENT when an entry is not finite, UT_ERR_CAPACITY
UT_API utStatus ut_matrix_singular(int rows, int cols, const double* A, utArena scratch, double* s);

/// How many singular values are more than `tolerance` times the largest.
/// @param tolerance 0: 64 max(rows, cols) times the rounding of a double
UT_API utStatus ut_matrix_rank(int rows, int cols, const double* A, double tolerance,
                               utArena scratch, int* rank);

/// The largest singular value over the smallest of all; INFINITY when that is 0.
UT_API utStatus ut_matrix_condition(int rows, int cols, const double* A, utArena scratch,
                                    double* condition);

#ifdef __cplusplus
}
#endif

#endif
