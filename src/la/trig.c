// SPDX-License-Identifier: Apache-2.0
// Sine, cosine and arc tangent computed with + - * / only, so that all machines give the same bits.
//
// Intermediate results are unevaluated sums of two doubles, and the final result is rounded once.
// Angles are reduced to [-pi/4, pi/4], where a Taylor series is used: its first terms with twice the
// digits, the others in plain doubles.
#include <uptack/vec.h>

#include <string.h>

#include "wide.h"

static const Wide pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const Wide half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// ---- reduction: x = quadrant pi/2 + r, |r| <= pi/4 ----------------------------------------------

// pi/2 = A + B + C + D; A, B and C have 33 bits, so their products with a 20-bit integer are exact
static int reduce_moderate(double x, Wide* r)
{
    const double A = 0x1.921fb544p+0, B = 0x1.0b4611a6p-34, C = 0x1.3198a2ep-69;
    const double D = 0x1.b839a252049c1p-104;
    const double two_over_pi = 0x1.45f306dc9c883p-1;
    const int quadrant = (int)(x * two_over_pi + (x < 0.0 ? -0.5 : 0.5));
    const double n = quadrant;

    const Wide b = wide_sum(x - n * A, -(n * B));
    const Wide c = wide_sum(b.hi, -(n * C));
    *r = wide_ordered_sum(c.hi, (c.lo + b.lo) - n * D);
    return quadrant;
}

// 64 zero bits, then the binary digits of 2/pi.
static const uint32_t two_over_pi_bits[] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046,
};

enum { WORDS = 6 };

// v += w m over 192 bits, most significant word first, without the carry out of the top. With `shift`
// the product is added one word higher.
static void add_product(uint32_t v[WORDS], const uint32_t w[WORDS], uint32_t m, int shift)
{
    uint64_t carry = 0;
    for (int k = WORDS - 1 - shift; k >= 0; k--) {
        carry += (uint64_t)w[k + shift] * m + v[k];
        v[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

// For x = m 2^e only a window of the digits of 2/pi is needed (Payne and Hanek, SIGNUM 18, 1983):
// digits of weight 4 and more in the product are whole turns, and the next 192 bits give 137 correct
// bits after the point. That suffices, because no double is closer to a multiple of pi/2 than about
// 2^-62.
static int reduce_large(double x, Wide* r)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t m = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x10000000000000);
    const int e = (int)(bits >> 52 & 0x7ff) - 1075;

    // the first digit of the window has weight 2 in 2^e 2/pi
    const int first = 64 + e - 2;
    uint32_t w[WORDS];
    for (int k = 0; k < WORDS; k++) {
        const uint32_t* digits = two_over_pi_bits + first / 32 + k;
        const uint64_t two_words = (uint64_t)digits[0] << 32 | digits[1];
        w[k] = (uint32_t)(two_words >> (32 - first % 32));
    }
    uint32_t v[WORDS] = {0};
    add_product(v, w, (uint32_t)m, 0);
    add_product(v, w, (uint32_t)(m >> 32), 1);

    // two binary digits are the quadrant; the rest is a fraction, moved to [-1/2, 1/2]
    int quadrant = (int)(v[0] >> 30);
    const bool over = (v[0] >> 29 & 1) != 0;
    if (over) {
        quadrant++;
        uint64_t carry = 1;
        for (int k = WORDS - 1; k >= 0; k--) {
            carry += (uint32_t)~v[k];
            v[k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    v[0] &= 0x3fffffff;

    Wide fraction = {0.0, 0.0};
    double weight = 0x1p-190;
    for (int k = WORDS - 1; k >= 0; k--, weight *= 0x1p32) {
        const Wide s = wide_ordered_sum(v[k] * weight, fraction.hi);
        fraction = (Wide){s.hi, s.lo + fraction.lo};
    }
    const Wide p = wide_product(fraction.hi, half_pi.hi);
    *r = wide_ordered_sum(p.hi, p.lo + (fraction.hi * half_pi.lo + fraction.lo * half_pi.hi));
    if (over != (x < 0.0)) {
        *r = (Wide){-r->hi, -r->lo};
    }
    return x < 0.0 ? -quadrant : quadrant;
}

static int reduce(double x, Wide* r)
{
    if (fabs(x) <= 0.5 * half_pi.hi) {
        *r = (Wide){x, 0.0};
        return 0;
    }
    return fabs(x) < 0x1p20 ? reduce_moderate(x, r) : reduce_large(x, r);
}

// ---- sine and cosine ----------------------------------------------------------------------------

// 1/5! - z/7! + z^2/9! - ... and 1/4! - z/6! + z^2/8! - ...
static const double sin_series[] = {
    1.0 / 120.0,        -1.0 / 5040.0,          1.0 / 362880.0,          -1.0 / 39916800.0,
    1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0,
};
static const double cos_series[] = {
    1.0 / 24.0,        -1.0 / 720.0,         1.0 / 40320.0,          -1.0 / 3628800.0,
    1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0, -1.0 / 6402373705728000.0,
};

static inline double polynomial(const double* c, int count, double z)
{
    double value = c[count - 1];
    for (int k = count - 2; k >= 0; k--) {
        value = c[k] + z * value;
    }
    return value;
}

static Wide square(Wide r)
{
    Wide z = wide_product(r.hi, r.hi);
    z.lo += 2.0 * r.hi * r.lo;
    return z;
}

// sin r = r + r z (-1/6 + z series(z)), z = r^2
static inline double sin_reduced(Wide r, Wide z)
{
    if (r.hi == 0.0) {
        return r.hi;
    }
    // the double nearest to 1/6 is 2^-55 / 3 too small
    Wide p = wide_ordered_sum(-1.0 / 6.0, z.hi * polynomial(sin_series, 7, z.hi));
    p.lo -= 0x1p-55 / 3.0;
    Wide t = wide_product(z.hi, p.hi);
    t.lo += z.hi * p.lo + z.lo * p.hi;
    Wide cubic = wide_product(r.hi, t.hi);
    cubic.lo += r.hi * t.lo;

    const Wide s = wide_ordered_sum(r.hi, cubic.hi);
    return s.hi + (s.lo + (cubic.lo + r.lo * (1.0 + t.hi)));
}

// cos r = 1 - z/2 + z^2 series(z), z = r^2
static inline double cos_reduced(Wide z)
{
    const double quartic = z.hi * z.hi * polynomial(cos_series, 8, z.hi);
    const Wide s = wide_ordered_sum(1.0, -0.5 * z.hi);
    return s.hi + (s.lo + (quartic - z.lo * (0.5 - z.hi / 12.0)));
}

// sin(quadrant pi/2 + r)
static double sin_in_quadrant(int quadrant, Wide r)
{
    const Wide z = square(r);
    const double s = (quadrant & 1) != 0 ? cos_reduced(z) : sin_reduced(r, z);
    return (quadrant & 2) != 0 ? -s : s;
}

double ut_sin(double x)
{
    if (!isfinite(x)) {
        return (double)NAN;
    }
    Wide r;
    const int quadrant = reduce(x, &r);
    return sin_in_quadrant(quadrant, r);
}

double ut_cos(double x)
{
    if (!isfinite(x)) {
        return (double)NAN;
    }
    Wide r;
    const int quadrant = reduce(x, &r);
    return sin_in_quadrant(quadrant + 1, r);
}

void ut_sincos(double x, double* sine, double* cosine)
{
    if (!isfinite(x)) {
        *sine = (double)NAN;
        *cosine = (double)NAN;
        return;
    }
    Wide r;
    const int quadrant = reduce(x, &r);
    const Wide z = square(r);
    const double s = sin_reduced(r, z), c = cos_reduced(z);
    const bool swapped = (quadrant & 1) != 0;
    *sine = swapped ? c : s;
    *cosine = swapped ? s : c;
    *sine = (quadrant & 2) != 0 ? -*sine : *sine;
    *cosine = ((quadrant + 1) & 2) != 0 ? -*cosine : *cosine;
}

// ---- arc tangent --------------------------------------------------------------------------------

// atan(k / 16)
static const Wide atan_sixteenths[17] = {
    {0.0, 0.0},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// atan u = u + u z series(z), z = u^2
static const double atan_series[] = {-1.0 / 3.0, 1.0 / 5.0, -1.0 / 7.0, 1.0 / 9.0, -1.0 / 11.0};

// atan(a / b) for 0 < a <= b: with c = k/16 nearest to a/b,
//   atan(a / b) = atan(c) + atan(u),  u = (a - c b) / (b + c a),  |u| <= 1/32
static Wide atan_quotient(double a, double b)
{
    const double ratio = a / b;
    if (ratio < 0x1p-60) {
        return (Wide){ratio, 0.0};
    }
    // scale by a power of two, because products must not overflow or underflow
    if (b > 0x1p500 || b < 0x1p-400) {
        const double scale = b > 1.0 ? 0x1p-600 : 0x1p600;
        a *= scale;
        b *= scale;
    }
    const int k = (int)(16.0 * ratio + 0.5);
    const double c = k / 16.0;
    const Wide cb = wide_product(c, b);
    const Wide ca = wide_product(c, a);
    const Wide above = wide_sum(a, -cb.hi);
    const Wide below = wide_ordered_sum(b, ca.hi);
    const Wide top = wide_sum(above.hi, above.lo - cb.lo);
    const double bottom_lo = below.lo + ca.lo;

    const double u = top.hi / below.hi;
    const Wide p = wide_product(u, below.hi);
    const double u_lo = (((top.hi - p.hi) - p.lo) + (top.lo - u * bottom_lo)) / below.hi;
    const double z = u * u;
    const double cubic = u * z * polynomial(atan_series, 5, z);

    const Wide s = wide_sum(atan_sixteenths[k].hi, u);
    return wide_ordered_sum(s.hi, s.lo + (atan_sixteenths[k].lo + (u_lo + cubic)));
}

double ut_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) {
        return (double)NAN;
    }
    double a = fabs(y);
    double b = fabs(x);
    // for two infinities the angle is 45 degrees, for two zeros 0
    if (isinf(a) && isinf(b)) {
        a = 1.0;
        b = 1.0;
    }
    const bool steep = a > b;
    Wide angle = {0.0, 0.0};
    if (a > 0.0 && b > 0.0) {
        angle = steep ? atan_quotient(b, a) : atan_quotient(a, b);
    }

    // extend the result from the first octant to the half plane
    const bool left = signbit(x) != 0;
    if (steep || left) {
        const Wide from = steep ? half_pi : pi;
        const double sign = steep && left ? 1.0 : -1.0;
        const Wide s = wide_ordered_sum(from.hi, sign * angle.hi);
        angle = (Wide){s.hi, s.lo + (from.lo + sign * angle.lo)};
    }
    return copysign(angle.hi + angle.lo, y);
}
