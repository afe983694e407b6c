// SPDX-License-Identifier: Apache-2.0
// Ranks, null spaces and orthonormal bases of a few hundred rows.
#ifndef UPTACK_COULOMB_UNIQUENESS_ROW_BASIS_H
#define UPTACK_COULOMB_UNIQUENESS_ROW_BASIS_H

#include "coulomb/internal.h"

/// Rows C = R'Q by modified Gram-Schmidt with pivoting; the rows of Q are orthonormal.
typedef struct RowBasis {
    int rows;       // of C
    int n;          // their length
    int rank;       // rows of Q
    double* Q;      // at most min(rows, n) x n
    double* R;      // at most min(rows, n) x rows
    int* pivot;     // min(rows, n): which row of C became row k of Q
    bool* is_pivot; // rows: did this row of C become one of Q?
    double kept;    // smallest pivot, 0 when rank = 0
    double dropped; // largest remainder of a row that did not become one of Q
} RowBasis;

/// Take the memory of a basis. The caller checks ut_arena_failed.
void ut_row_basis_push(int rows, int n, utArena* scratch, RowBasis* basis);

/// Find the basis.
/// @param rows, n   at most those of the push
/// @param C         rows x n, destroyed
/// @param tolerance a row depends on the others when its part outside them is at most this long
void ut_row_basis_find(int rows, int n, double* C, double tolerance, RowBasis* basis);

/// y with C'y = 0, where y = 1 at row `dependent` and 0 at all others that are no pivots.
/// @param dependent a row that is no pivot  @param y rows entries
void ut_row_basis_null(const RowBasis* basis, int dependent, double* y);

/// y with C'y = w for w = Q'z, where y = 0 at all rows that are no pivots.
/// @param z rank entries  @param y rows entries
void ut_row_basis_solve(const RowBasis* basis, const double* z, double* y);

#endif
