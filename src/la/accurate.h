// SPDX-License-Identifier: Apache-2.0
// Sums that do not hinge on rounding, for those who judge.
#ifndef UPTACK_LA_ACCURATE_H
#define UPTACK_LA_ACCURATE_H

/// w_i = q_i + A_i . z for each row i, accumulated as if in twice the working precision (products
/// split after Veltkamp and Dekker, sums after Knuth) and rounded once. Columns whose z is 0 are
/// not looked at. Entries beyond 1e300 or so give NaN. w overlaps none of the others.
/// @param A rows x n, row-major with leading dimension ld
void ut_rows_accurate(int rows, int n, const double* A, int ld, const double* z, const double* q,
                      double* w);

#endif
