// SPDX-License-Identifier: Apache-2.0
// What the files of law share among themselves.
#ifndef UPTACK_LAW_INTERNAL_H
#define UPTACK_LAW_INTERNAL_H

#include <float.h>
#include <math.h>
#include <uptack/law.h>

static inline bool section_usable(const utSection* section)
{
    return section != NULL && section->cookie == UT_DEF_COOKIE;
}

/// Entries of a contact's vectors: those of a section that cannot be used have at least one.
static inline int entries(const utSection* section)
{
    return section_usable(section) ? section->dimension : 1;
}

static inline bool law_usable(const utLaw* law)
{
    return section_usable(law->section) && law->mu >= 0.0 && law->mu <= DBL_MAX;
}

static inline bool all_finite(int n, const double* x)
{
    bool finite = true;
    for (int i = 0; i < n; i++) {
        finite = finite && fabs(x[i]) <= DBL_MAX;
    }
    return finite;
}

/// The power of two by which x has to be divided before its entries may be squared: 0 when they may
/// as they are. x is finite.
static inline int scale_of(int n, const double* x)
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

/// |x| over the whole range of a double; x is finite and n at most 3.
static inline double length(int n, const double* x)
{
    const int exponent = scale_of(n, x);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double part = exponent == 0 ? x[i] : ldexp(x[i], -exponent);
        sum += part * part;
    }
    return exponent == 0 ? sqrt(sum) : ldexp(sqrt(sum), exponent);
}

static inline double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/// The direction of `units` with the largest product with x; `most` is that product, >= 0. Opposite
/// directions are looked at together.
static inline int farthest(int count, const double units[][2], const double x[2], double* most)
{
    const int half = count / 2;
    int best = 0;
    *most = -1.0;
    for (int j = 0; j < half; j++) {
        const double along = dot2(units[j], x);
        if (fabs(along) > *most) {
            *most = fabs(along);
            best = along < 0.0 ? j + half : j;
        }
    }
    return best;
}

#endif
