// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithm and power against the C library's long double, and by their special cases.
#include "la/power.h"

#include "test.h"

#include <float.h>
#include <math.h>

// What is asked of the reference: a rounding of its own that is small beside ours. The x87's and
// IEEE quad precision have it.
enum { REFERENCE_IS_FINER = LDBL_MANT_DIG >= 64 };

// |got - want| in units of the last place of want; want is off by 2^-11 of them or less.
static double ulps(double got, long double want)
{
    int e;
    frexpl(want, &e);
    e = e < DBL_MIN_EXP ? DBL_MIN_EXP : e;
    return (double)(fabsl((long double)got - want) / ldexpl(1.0L, e - DBL_MANT_DIG));
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

TEST(exponentials_are_within_six_tenths_of_a_unit_in_the_last_place)
{
    utRng rng = ut_rng(60, 0);
    double wide = 0.0, narrow = 0.0, subnormal = 0.0;
    for (int i = 0; i < 200000 && REFERENCE_IS_FINER; i++) {
        const double x = ut_rng_range(&rng, -708.0, 709.7);
        const double y = ut_rng_range(&rng, -2.0, 2.0);
        const double z = ut_rng_range(&rng, -745.0, -708.5);
        wide = larger(wide, ulps(ut_exp(x), expl((long double)x)));
        narrow = larger(narrow, ulps(ut_exp(y), expl((long double)y)));
        subnormal = larger(subnormal, ulps(ut_exp(z), expl((long double)z)));
    }
    test_note("worst of 2e5: %.4f, %.4f near 0, %.4f subnormal", wide, narrow, subnormal);
    CHECK(wide <= 0.6 && narrow <= 0.6);
    CHECK(subnormal <= 1.1);
}

TEST(logarithms_are_within_six_tenths_of_a_unit_in_the_last_place)
{
    utRng rng = ut_rng(61, 0);
    double wide = 0.0, narrow = 0.0;
    for (int i = 0; i < 200000 && REFERENCE_IS_FINER; i++) {
        const double x = ldexp(1.0 + ut_rng_uniform(&rng), ut_rng_below(&rng, 2098) - 1074);
        const double y = 1.0 + ldexp(ut_rng_range(&rng, -1.0, 1.0), -1 - ut_rng_below(&rng, 50));
        wide = larger(wide, ulps(ut_log(x), logl((long double)x)));
        narrow = larger(narrow, ulps(ut_log(y), logl((long double)y)));
    }
    test_note("worst of 2e5: %.4f, %.4f near 1", wide, narrow);
    CHECK(wide <= 0.6 && narrow <= 0.6);
}

TEST(powers_are_within_seven_tenths_of_a_unit_in_the_last_place)
{
    utRng rng = ut_rng(62, 0);
    double worst = 0.0, subnormal = 0.0;
    for (int i = 0; i < 200000 && REFERENCE_IS_FINER; i++) {
        // from bases near 1 with large exponents to large bases with small ones
        const int e = i % 3 == 0 ? ut_rng_below(&rng, 2000) - 1000 : 0;
        const double x = i % 3 == 1 ? 1.0 + ldexp(ut_rng_range(&rng, -0.5, 0.5), -i % 40)
                                    : ldexp(1.0 + ut_rng_uniform(&rng), e);
        const double y = ut_rng_range(&rng, -745.0, 709.0) / log(x);
        const long double want = powl((long double)x, (long double)y);
        if (x == 1.0 || !(want <= (long double)DBL_MAX)) {
            continue;
        }
        double* into = want >= (long double)DBL_MIN ? &worst : &subnormal;
        *into = larger(*into, ulps(ut_pow(x, y), want));
    }
    test_note("worst of 2e5: %.4f, %.4f subnormal", worst, subnormal);
    CHECK(worst <= 0.7);
    CHECK(subnormal <= 1.2);
}

TEST(exponentials_and_logarithms_at_the_ends_of_their_range)
{
    const double inf = (double)INFINITY;
    CHECK(ut_exp(0.0) == 1.0 && ut_exp(-0.0) == 1.0);
    CHECK(ut_exp(inf) == inf && ut_exp(-inf) == 0.0);
    // the largest double is e^709.78271289338397..., half the smallest e^-745.1332191019412...
    CHECK(isfinite(ut_exp(709.782712893384)) && ut_exp(709.7827128933841) == inf);
    CHECK(ut_exp(-745.1332191019411) == 0x1p-1074 && ut_exp(-745.1332191019413) == 0.0);
    CHECK(isnan(ut_exp((double)NAN)));

    CHECK(ut_log(1.0) == 0.0 && !signbit(ut_log(1.0)));
    CHECK(ut_log(0.0) == -inf && ut_log(-0.0) == -inf && ut_log(inf) == inf);
    CHECK(isnan(ut_log(-1.0)) && isnan(ut_log(-inf)) && isnan(ut_log((double)NAN)));
    // 744.4400719213812621..., 709.78271289338399673... by hand from ln 2 = 0.69314718055994530942
    CHECK_NEAR(ut_log(0x1p-1074), -744.44007192138126, 0.0);
    CHECK_NEAR(ut_log(DBL_MAX), 709.782712893384, 0.0);
}

TEST(powers_at_the_ends_of_their_range)
{
    const double inf = (double)INFINITY;
    CHECK(ut_pow(0.0, 0.0) == 1.0 && ut_pow(inf, 0.0) == 1.0 && ut_pow(1.0, inf) == 1.0);
    CHECK(ut_pow(0.0, 0.5) == 0.0 && ut_pow(0.0, -0.5) == inf);
    CHECK(ut_pow(inf, 0.5) == inf && ut_pow(inf, -0.5) == 0.0);
    CHECK(ut_pow(2.0, inf) == inf && ut_pow(2.0, -inf) == 0.0);
    CHECK(ut_pow(0.5, inf) == 0.0 && ut_pow(0.5, -inf) == inf);
    CHECK(ut_pow(2.0, DBL_MAX) == inf && ut_pow(2.0, -DBL_MAX) == 0.0);
    CHECK(ut_pow(2.0, 0x1p-1074) == 1.0 && ut_pow(DBL_MAX, -0x1p-1074) == 1.0);
    CHECK(isnan(ut_pow(-1.0, 0.5)) && isnan(ut_pow((double)NAN, 0.0)) &&
          isnan(ut_pow(1.0, (double)NAN)));
    // roots of squares and cubes are exact to rounding
    CHECK(ut_pow(9.0, 0.5) == 3.0 && ut_pow(4.0, 1.5) == 8.0 && ut_pow(2.0, -3.0) == 0.125);
}
