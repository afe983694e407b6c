// SPDX-License-Identifier: Apache-2.0
#include "scale.h"

#include "la/dense/kernel.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SWEEPS = 3 }; // of Ruiz's iteration; each halves the exponents of the spread

// a power of two within a factor 2 of 1 / sqrt(x); 1 for a zero or a subnormal
static double inverse_root(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023; // x >= 0: no sign bit
    if (exponent == -1023) {
        return 1.0;
    }
    bits = (uint64_t)(1023 - exponent / 2) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

void ut_scale_find(int n, const double* M, double* row, double* col, double* work)
{
    for (int i = 0; i < n; i++) {
        row[i] = 1.0;
        col[i] = 1.0;
    }
    // Ruiz: divide rows and columns by the roots of their largest entries, all at once
    bool balanced = false;
    for (int sweep = 0; !balanced && sweep < SWEEPS; sweep++) {
        balanced = true;
        memset(work, 0, (size_t)n * sizeof *work);
        for (int i = 0; i < n; i++) {
            double most = ut_max_scaled(n, M + (size_t)i * (size_t)n, col, row[i], work);
            double factor = inverse_root(most);
            row[i] *= factor;
            balanced = balanced && factor >= 0.5 && factor <= 2.0;
        }
        for (int j = 0; j < n; j++) {
            double factor = inverse_root(work[j]);
            col[j] *= factor;
            balanced = balanced && factor >= 0.5 && factor <= 2.0;
        }
    }
}

void ut_scale_find_symmetric(int n, const double* M, double* scale)
{
    // a positive semidefinite matrix is bounded by its diagonal, so the diagonal is enough; others
    // take the row's largest entry where it is zero or negative
    for (int i = 0; i < n; i++) {
        const double* r = M + (size_t)i * (size_t)n;
        double most = r[i];
        for (int j = 0; !(most > 0.0) && j < n; j++) {
            most = fabs(r[j]);
        }
        scale[i] = inverse_root(most);
    }
}
