// SPDX-License-Identifier: Apache-2.0
/// @file matrix.h
/// Singular values, rank and condition number of a dense matrix.
///
///     double A[] = {1, 2, 2, 4};
///     int rank;
///     ut_matrix_rank(2, 2, A, 0.0, scratch, &rank);   // 1
///
/// The method is one-sided Jacobi rotation. It is slow, but the error of every singular value is
/// about one rounding of the largest one, and all machines give the same bits. Functions may be
/// called from several threads at once when each thread has its own scratch arena.
#ifndef UPTACK_MATRIX_H
#define UPTACK_MATRIX_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The singular values, largest first.
/// @param A rows x cols, row-major  @param s min(rows, cols) entries
/// @return UT_ERR_ARGUMENT when an entry is not finite, UT_ERR_CAPACITY when there is no memory
UT_API utStatus ut_matrix_singular(int rows, int cols, const double* A, utArena scratch, double* s);

/// The number of singular values larger than `tolerance` times the largest one.
/// @param tolerance 0: 64 max(rows, cols) times the rounding of a double
UT_API utStatus ut_matrix_rank(int rows, int cols, const double* A, double tolerance,
                               utArena scratch, int* rank);

/// The largest singular value divided by the smallest; INFINITY when the smallest is 0.
UT_API utStatus ut_matrix_condition(int rows, int cols, const double* A, utArena scratch,
                                    double* condition);

#ifdef __cplusplus
}
#endif

#endif
