// SPDX-License-Identifier: Apache-2.0
// Tests of many numbers at once.
#include "scalar.h"

// 0 x is 0 for a finite x and NaN otherwise, and a sum with a NaN is NaN in any order.
bool ut_entries_finite(size_t count, const double* x)
{
    enum { LANES = 4 };
    double zero[LANES] = {0.0, 0.0, 0.0, 0.0};
    size_t k = 0;
    for (; k + LANES <= count; k += LANES) {
        for (size_t lane = 0; lane < LANES; lane++) {
            zero[lane] += 0.0 * x[k + lane];
        }
    }
    for (; k < count; k++) {
        zero[0] += 0.0 * x[k];
    }
    return (zero[0] + zero[1]) + (zero[2] + zero[3]) == 0.0;
}
