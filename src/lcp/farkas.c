// SPDX-License-Identifier: Apache-2.0
// Farkas vectors, which prove that a problem has no solution.
#include "internal.h"

// Relative to the sum of the sizes of the terms. q'y must be negative by far more than rounding, because
// a proof must be certain. Entries of M'y may exceed zero by the rounding of some hundred terms.
static const double CLEARLY_NEGATIVE = 1e-9;
static const double ROUNDING = 1e-13;

// Farkas: with y >= 0 (any sign on free rows), M'y <= 0 (= 0 for free unknowns) and q'y < 0, every
// feasible z would give 0 <= y'w = (M'y)'z + q'y < 0. Each sum is compared with its rounding.
bool ut_lcp_proves_none(const utLcp* lcp, const double* y)
{
    if (!ut_lcp_is_plain(lcp)) {
        return false;
    }
    const int n = lcp->n;
    double gain = 0.0;
    double gain_size = 0.0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(y[i]) || (i >= lcp->free_count && y[i] < 0.0)) {
            return false;
        }
        gain += lcp->q[i] * y[i];
        gain_size += fabs(lcp->q[i] * y[i]);
    }
    if (!(gain < -CLEARLY_NEGATIVE * gain_size)) {
        return false;
    }
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        double size = 0.0;
        for (int i = 0; i < n; i++) {
            double term = ut_lcp_row(lcp, i)[j] * y[i];
            sum += term;
            size += fabs(term);
        }
        double bound = ROUNDING * size;
        if (!(sum <= bound) || (j < lcp->free_count && !(sum >= -bound))) {
            return false;
        }
    }
    return true;
}
