// SPDX-License-Identifier: Apache-2.0
// Matrix-vector products in twice the working precision, for residuals.
#ifndef UPTACK_LA_ACCURATE_H
#define UPTACK_LA_ACCURATE_H

/// w_i = q_i + A_i . z for each row i, accumulated as if in twice the working precision (products
/// split after Veltkamp and Dekker, sums after Knuth) and rounded once. Columns with z = 0 are not
/// read. Entries above about 1e300 give NaN. w does not overlap other arguments.
/// @param A rows x n, row-major with leading dimension ld
void ut_rows_accurate(int rows, int n, const double* A, int ld, const double* z, const double* q,
                      double* w);

#endif
