// SPDX-License-Identifier: Apache-2.0
// Numbers with twice the digits of a double: unevaluated sums of two doubles (double-double).
#ifndef UPTACK_LA_WIDE_H
#define UPTACK_LA_WIDE_H

/// The number hi + lo, where lo is below the last digit of hi.
typedef struct Wide {
    double hi, lo;
} Wide;

/// a + b exactly (Knuth).
static inline Wide wide_sum(double a, double b)
{
    const double s = a + b;
    const double from_b = s - a;
    return (Wide){s, (a - (s - from_b)) + (b - from_b)};
}

/// a + b exactly when |a| >= |b| or a = 0 (Dekker).
static inline Wide wide_ordered_sum(double a, double b)
{
    const double s = a + b;
    return (Wide){s, b - (s - a)};
}

/// a = hi + lo with at most 26 bits each (Veltkamp); |a| below 2^996.
static inline Wide wide_halves(double a)
{
    const double t = 134217729.0 * a; // 2^27 + 1
    const double hi = t - (t - a);
    return (Wide){hi, a - hi};
}

/// a b exactly (Dekker), if nothing overflows or underflows.
static inline Wide wide_product(double a, double b)
{
    const double p = a * b;
    const Wide x = wide_halves(a);
    const Wide y = wide_halves(b);
    return (Wide){p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

#endif
