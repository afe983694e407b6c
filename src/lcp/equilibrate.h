// SPDX-License-Identifier: Apache-2.0
// Equilibration: diagonal scalings R and C by powers of two that make the entries of R M C of order
// one without rounding.
//
// (R M C, R q) has the solution C^-1 z and the slack R w, so active sets and signs stay the same.
#ifndef UPTACK_LCP_EQUILIBRATE_H
#define UPTACK_LCP_EQUILIBRATE_H

/// Balance the largest entries of rows and columns. A row or column of zeros has the scale 1.
/// @param work n entries
void ut_scale_find(int n, const double* M, double* row, double* col, double* work);

/// The same with row = col, for a symmetric M: the scaled matrix stays symmetric.
void ut_scale_find_symmetric(int n, const double* M, double* scale);

/// The largest power of two up to x; 1 when x is zero or not finite.
double ut_scale_power_of_two(double x);

#endif
