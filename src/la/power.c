// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithm and power.
//
// The argument is reduced to the neighbourhood of a table entry, which has twice the digits of a
// double. The remaining correction is small and needs a few terms of a series in plain doubles.
#include "power.h"

#include "wide.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// ---- powers of two ------------------------------------------------------------------------------

// 2^e for -1022 <= e <= 1023
static double power_of_two(int e)
{
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// x 2^e for x near 1, in two multiplications, because 2^e alone may be out of range
static double scaled(double x, int e)
{
    const int half = e / 2;
    return x * power_of_two(half) * power_of_two(e - half);
}

// x = m 2^e for finite x > 0, with m in [1/sqrt(2), sqrt(2)] up to an ulp. @return e
static int split(double x, double* m)
{
    int e = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        e = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    e += (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
    memcpy(m, &bits, sizeof bits);
    if (*m > 0x1.6a09e667f3bcdp+0) {
        *m *= 0.5;
        e++;
    }
    return e;
}

// ---- exponential --------------------------------------------------------------------------------

// 2^(j / 32)
static const Wide roots_of_two[32] = {
    {0x1.0000000000000p+0, 0.0},
    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
    {0x1.44e086061892dp+0, 0x1.89b7a04ef80d0p-59},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
    {0x1.9c49182a3f090p+0, 0x1.c7c46b071f2bep-56},
    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
    {0x1.f50765b6e4540p+0, 0x1.9d3e12dd8a18bp-54},
};

// e^x - 1 - x = x^2 series(x) for |x| <= ln(2) / 64; the first omitted term is below 2^-67
static double exp_rest(double x)
{
    const double series =
        1.0 / 2.0 +
        x * (1.0 / 6.0 +
             x * (1.0 / 24.0 + x * (1.0 / 120.0 + x * (1.0 / 720.0 + x * (1.0 / 5040.0)))));
    return x * x * series;
}

// e^(x.hi + x.lo) = 2^(n / 32) e^r, n = 32 e + j
static double exp_wide(Wide x)
{
    if (isnan(x.hi)) {
        return x.hi;
    }
    if (x.hi > 710.0) {
        return (double)INFINITY;
    }
    if (x.hi < -746.0) {
        return 0.0;
    }
    // ln(2)/32 = A + B + C; A and B have 36 bits, so their products with n, of 16 bits, are exact
    const double A = 0x1.62e42fefap-6, B = 0x1.cf79abc9ep-45, C = 0x1.d9cc01f97b57ap-84;
    const double scale = 0x1.71547652b82fep+5;
    const int n = (int)(x.hi * scale + (x.hi < 0.0 ? -0.5 : 0.5));
    const Wide near = wide_sum(x.hi - n * A, -(n * B));
    const Wide r = wide_sum(near.hi, near.lo + (x.lo - n * C));
    const double rest = r.hi + (r.lo + exp_rest(r.hi));

    const int j = n & 31;
    const Wide root = roots_of_two[j];
    return scaled(root.hi + (root.lo + root.hi * rest), (n - j) / 32);
}

double ut_exp(double x)
{
    return exp_wide((Wide){x, 0.0});
}

// ---- logarithm ----------------------------------------------------------------------------------

enum { FIRST_LOG = 22 };

// ln(j / 32) from j = FIRST_LOG on
static const Wide log_table[] = {
    {-0x1.7fafa3bd8151cp-2, 0x1.219024acd3b77p-58},
    {-0x1.522ae0738a3d8p-2, 0x1.8f7e9b38a6979p-57},
    {-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56},
    {-0x1.f991c6cb3b379p-3, -0x1.f665066f980a2p-57},
    {-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57},
    {-0x1.5bf406b543db2p-3, 0x1.1f5b44c0df7e7p-61},
    {-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58},
    {-0x1.9335e5d594989p-4, 0x1.478a85704ccb7p-58},
    {-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58},
    {-0x1.0415d89e74444p-5, -0x1.c05cf1d753622p-59},
    {0.0, 0.0},
    {0x1.f829b0e783300p-6, 0x1.33e3f04f1ef23p-60},
    {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59},
    {0x1.6f0d28ae56b4cp-4, -0x1.906d99184b992p-58},
    {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60},
    {0x1.29552f81ff523p-3, 0x1.301771c407dbfp-57},
    {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58},
    {0x1.9525a9cf456b4p-3, 0x1.d904c1d4e2e26p-57},
    {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57},
    {0x1.fb9186d5e3e2bp-3, -0x1.caaae64f21acbp-57},
    {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61},
    {0x1.2e8e2bae11d31p-2, -0x1.8f4cdb95ebdf9p-56},
    {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56},
    {0x1.5d1bdbf5809cap-2, 0x1.4236383dc7fe1p-56},
};

// ln x for finite x > 0: with x = m 2^e and c = j/32 nearest to m,
//   ln x = e ln 2 + ln c + 2 (s + s^3/3 + s^5/5 + ...),  s = (m - c) / (m + c),  |s| < 1/88
static Wide log_wide(double x)
{
    double m;
    const int e = split(x, &m);
    const int j = (int)(32.0 * m + 0.5);
    const double c = j / 32.0;
    const Wide log_c = log_table[j - FIRST_LOG];

    const double top = m - c; // exact
    const Wide bottom = wide_sum(m, c);
    const double s = top / bottom.hi;
    const Wide p = wide_product(s, bottom.hi);
    const double s_lo = (((top - p.hi) - p.lo) - s * bottom.lo) / bottom.hi;
    const double z = s * s;
    const double cubic = s * z * (1.0 / 3.0 + z * (1.0 / 5.0 + z * (1.0 / 7.0 + z * (1.0 / 9.0))));

    // ln 2 in two parts; the first has 42 bits, so its multiples are exact
    const Wide a = wide_sum(e * 0x1.62e42fefa38p-1, log_c.hi);
    const Wide b = wide_sum(a.hi, 2.0 * s);
    const double lo = e * 0x1.ef35793c76730p-45 + log_c.lo;
    return wide_ordered_sum(b.hi, b.lo + (a.lo + (lo + 2.0 * (s_lo + cubic))));
}

double ut_log(double x)
{
    if (!(x > 0.0)) {
        return x == 0.0 ? -(double)INFINITY : (double)NAN;
    }
    if (isinf(x)) {
        return x;
    }
    const Wide log_x = log_wide(x);
    return log_x.hi + log_x.lo;
}

// ---- power --------------------------------------------------------------------------------------

double ut_pow(double x, double y)
{
    if (isnan(x) || isnan(y) || x < 0.0) {
        return (double)NAN;
    }
    if (y == 0.0 || x == 1.0) {
        return 1.0;
    }
    // if x or y is zero or infinite the result is 0, 1 or infinity
    if (x == 0.0 || isinf(x) || isinf(y)) {
        return (x > 1.0) == (y > 0.0) ? (double)INFINITY : 0.0;
    }
    const Wide log_x = log_wide(x);
    const double about = y * log_x.hi;
    if (fabs(about) > 750.0) {
        return exp_wide((Wide){about, 0.0});
    }
    // if the product is too small to be split exactly, e^product rounds to 1 anyway
    Wide z = wide_product(y, log_x.hi);
    z.lo += y * log_x.lo;
    return exp_wide(wide_ordered_sum(z.hi, z.lo));
}
