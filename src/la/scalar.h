// SPDX-License-Identifier: Apache-2.0
// Comparisons of single numbers that treat NaN the same way everywhere.
#ifndef UPTACK_LA_SCALAR_H
#define UPTACK_LA_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/// x moved into [low, high]; NaN stays NaN
static inline double ut_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/// The larger number. NaN counts as the largest, so the maximum of a list with a NaN is NaN.
static inline double ut_larger(double a, double b)
{
    return b <= a || isnan(a) ? a : b;
}

/// Is every entry finite? @param x count entries
bool ut_entries_finite(size_t count, const double* x);

/// The same; NULL counts as no entries.
static inline bool ut_all_finite(size_t count, const double* x)
{
    return x == NULL || count == 0 || ut_entries_finite(count, x);
}

#endif
