// SPDX-License-Identifier: Apache-2.0
// Small functions that the files of law share.
#ifndef UPTACK_LAW_INTERNAL_H
#define UPTACK_LAW_INTERNAL_H

#include <float.h>
#include <math.h>
#include <uptack/law.h>

static inline bool section_usable(const utSection* section)
{
    return section != NULL && section->cookie == UT_SECTION_COOKIE;
}

/// Number of entries of a contact's vectors; 1 for an invalid section, because every output has at
/// least one entry to fill with NaN.
static inline int dimension_of(const utSection* section)
{
    return section_usable(section) ? section->dimension : 1;
}

static inline bool law_usable(const utLaw* law)
{
    return section_usable(law->section) && law->mu >= 0.0 && law->mu <= DBL_MAX &&
           law->torsional >= 0.0 && law->torsional <= DBL_MAX && law->rolling >= 0.0 &&
           law->rolling <= DBL_MAX;
}

static inline bool all_finite(int n, const double* x)
{
    bool finite = true;
    for (int i = 0; i < n; i++) {
        finite = finite && fabs(x[i]) <= DBL_MAX;
    }
    return finite;
}

/// Exponent of the power of two by which x is divided so that squares of its entries neither
/// overflow nor underflow; 0 when x needs no scaling. x is finite.
static inline int scale_exponent(int n, const double* x)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
    }
    int exponent = 0;
    if (largest > 0.0 && !(largest > 0x1p-400 && largest < 0x1p400)) {
        frexp(largest, &exponent);
    }
    return exponent;
}

/// |x| without overflow or underflow of the squares; x is finite.
static inline double length(int n, const double* x)
{
    const int exponent = scale_exponent(n, x);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double part = exponent == 0 ? x[i] : ldexp(x[i], -exponent);
        sum += part * part;
    }
    return exponent == 0 ? sqrt(sum) : ldexp(sqrt(sum), exponent);
}

/// The first entry of factor k, counted from the normal.
static inline int factor_begin(const utSection* section, int k)
{
    return k == 0 ? 1 : section->factor_end[k - 1];
}

/// |x_k| of factor k. @param x dimension - 1 entries, without the normal
static inline double factor_length(const utSection* section, int k, const double* x)
{
    const int begin = factor_begin(section, k);
    return length(section->factor_end[k] - begin, x + begin - 1);
}

static inline double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/// Index of the direction of `units` with the largest product with x; `product` receives that
/// product, >= 0. The loop tests each pair of opposite directions once.
static inline int farthest(int count, const double units[][2], const double x[2], double* product)
{
    const int half = count / 2;
    int best = 0;
    *product = -1.0;
    for (int j = 0; j < half; j++) {
        const double along = dot2(units[j], x);
        if (fabs(along) > *product) {
            *product = fabs(along);
            best = along < 0.0 ? j + half : j;
        }
    }
    return best;
}

#endif
