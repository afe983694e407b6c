// SPDX-License-Identifier: Apache-2.0
// Equilibration by powers of two.
#include "equilibrate.h"

#include "la/dense/kernel.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SWEEPS = 3 }; // of Ruiz's iteration; each one halves the range of exponents

// A power of two within a factor 2 of 1 / sqrt(x); 1 for zero and subnormal numbers.
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
    // Ruiz: divide all rows and columns by the square roots of their largest entries
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
    // the diagonal of a positive semidefinite matrix bounds its entries; for other matrices a row
    // with a diagonal entry of zero or below takes its first entry that is not zero
    for (int i = 0; i < n; i++) {
        const double* r = M + (size_t)i * (size_t)n;
        double most = r[i];
        for (int j = 0; !(most > 0.0) && j < n; j++) {
            most = fabs(r[j]);
        }
        scale[i] = inverse_root(most);
    }
}

double ut_scale_power_of_two(double x)
{
    if (!(x > 0.0 && x < HUGE_VAL)) {
        return 1.0;
    }
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, exponent - 1);
}
