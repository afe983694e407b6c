// SPDX-License-Identifier: Apache-2.0
// Powers for random sizes and masses.
#ifndef UPTACK_PROBLEMS_POWER_H
#define UPTACK_PROBLEMS_POWER_H

#include <math.h>

/// base^u for u in [0, 1) and base > 0 by square roots, because all machines give the same bits for
/// them.
static inline double ut_problems_power(double base, double u)
{
    double root = base;
    double result = 1.0;
    for (int bit = 0; bit < 30; bit++) {
        root = sqrt(root);
        u *= 2.0;
        if (u >= 1.0) {
            u -= 1.0;
            result *= root;
        }
    }
    return result;
}

#endif
