// SPDX-License-Identifier: Apache-2.0
// Tests of many numbers at once.
#include "scalar.h"

#include "la/dense/kernel.h"

bool ut_all_finite(size_t count, const double* x)
{
    enum { STRIP = 4096 }; // entries per call of ut_max_abs, whose count is an int
    for (size_t k = 0; x != NULL && k < count; k += STRIP) {
        const size_t left = count - k;
        if (!isfinite(ut_max_abs(left < STRIP ? (int)left : STRIP, x + k))) {
            return false;
        }
    }
    return true;
}
