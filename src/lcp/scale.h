// SPDX-License-Identifier: Apache-2.0
// Equilibration: positive diagonal scalings R, C by powers of two, so that the entries of R M C are
// of order one and no bit of the problem is lost.
//
// (R M C, R q) has the solution C^-1 z and the slack R w: the same basis, the same signs.
#ifndef UPTACK_LCP_SCALE_H
#define UPTACK_LCP_SCALE_H

/// Balance the largest entries of rows and columns. Rows or columns of zeros keep 1.
/// @param work n entries
void ut_scale_find(int n, const double* M, double* row, double* col, double* work);

/// The same with row = col, for a symmetric M: the scaled matrix stays symmetric.
void ut_scale_find_symmetric(int n, const double* M, double* scale);

#endif
