// SPDX-License-Identifier: Apache-2.0
// Sine, cosine and arc tangent against a reference that shares nothing with them: pi comes from
// Machin's formula in 1500 bits, an argument is reduced by adding up its powers of two modulo
// 2 pi, and Taylor's series is summed with twice the digits of a double.
#include <uptack/vec.h>

#include "test.h"

#include <string.h>

// ---- fixed point: word 0 before the point, the others behind it ---------------------------------

enum {
    LONG = 48,     // words of pi
    SHORT = 12,    // words of a reduced argument
    POWERS = 1024, // of two, up to the largest in a double
};

static void fixed_add(int words, uint32_t* a, const uint32_t* b)
{
    uint64_t carry = 0;
    for (int k = words - 1; k >= 0; k--) {
        carry += (uint64_t)a[k] + b[k];
        a[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void fixed_negate(int words, uint32_t* a)
{
    uint64_t carry = 1;
    for (int k = words - 1; k >= 0; k--) {
        carry += (uint32_t)~a[k];
        a[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void fixed_subtract(int words, uint32_t* a, const uint32_t* b)
{
    uint32_t minus[LONG];
    memcpy(minus, b, (size_t)words * sizeof *minus);
    fixed_negate(words, minus);
    fixed_add(words, a, minus);
}

static void fixed_multiply(int words, uint32_t* a, uint32_t factor)
{
    uint64_t carry = 0;
    for (int k = words - 1; k >= 0; k--) {
        carry += (uint64_t)a[k] * factor;
        a[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void fixed_divide(int words, uint32_t* a, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int k = 0; k < words; k++) {
        rest = rest << 32 | a[k];
        a[k] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
}

// a += factor atan(1 / m)
static void add_arc_tangent(uint32_t* a, uint32_t factor, uint32_t m, bool minus)
{
    uint32_t power[LONG] = {factor};
    fixed_divide(LONG, power, m);
    for (uint32_t k = 1; k < 800; k += 2) {
        uint32_t term[LONG];
        memcpy(term, power, sizeof term);
        fixed_divide(LONG, term, k);
        if ((k % 4 == 1) != minus) {
            fixed_add(LONG, a, term);
        } else {
            fixed_subtract(LONG, a, term);
        }
        fixed_divide(LONG, power, m * m);
    }
}

// ---- twice the digits ---------------------------------------------------------------------------

typedef struct Twice {
    double hi, lo;
} Twice;

static Twice twice_sum(Twice a, Twice b)
{
    double s = a.hi + b.hi;
    double v = s - a.hi;
    double error = (a.hi - (s - v)) + (b.hi - v) + (a.lo + b.lo);
    return (Twice){s + error, error - ((s + error) - s)};
}

static Twice twice_product(Twice a, Twice b)
{
    const double split = 134217729.0;
    double a1 = split * a.hi - (split * a.hi - a.hi);
    double b1 = split * b.hi - (split * b.hi - b.hi);
    double a2 = a.hi - a1;
    double b2 = b.hi - b1;
    double p = a.hi * b.hi;
    double error = ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2 + (a.hi * b.lo + a.lo * b.hi);
    return (Twice){p + error, error - ((p + error) - p)};
}

static Twice twice_inverse(double a)
{
    // one Newton step from the rounded inverse
    Twice x = {1.0 / a, 0.0};
    Twice ax = twice_product((Twice){a, 0.0}, x);
    Twice error = twice_sum((Twice){1.0, 0.0}, (Twice){-ax.hi, -ax.lo});
    return twice_sum(x, twice_product(x, error));
}

// ---- the reference ------------------------------------------------------------------------------

typedef struct Reference {
    uint32_t half_pi[LONG];
    uint32_t power[POWERS][SHORT]; // 2^e modulo 2 pi
    Twice inverse_factorial[30];
} Reference;

static const Reference* reference(void)
{
    static Reference ref;
    static bool ready;
    if (ready) {
        return &ref;
    }
    // pi/2 = 8 atan(1/5) - 2 atan(1/239)
    add_arc_tangent(ref.half_pi, 8, 5, false);
    add_arc_tangent(ref.half_pi, 2, 239, true);

    uint32_t two_pi[LONG];
    uint32_t power[LONG] = {1};
    memcpy(two_pi, ref.half_pi, sizeof two_pi);
    fixed_multiply(LONG, two_pi, 4);
    for (int e = 0; e < POWERS; e++) {
        memcpy(ref.power[e], power, sizeof ref.power[e]);
        fixed_multiply(LONG, power, 2);
        uint32_t less[LONG];
        memcpy(less, power, sizeof less);
        fixed_subtract(LONG, less, two_pi);
        if (less[0] >> 31 == 0) {
            memcpy(power, less, sizeof power);
        }
    }

    ref.inverse_factorial[0] = (Twice){1.0, 0.0};
    for (int k = 1; k < 30; k++) {
        ref.inverse_factorial[k] = twice_product(ref.inverse_factorial[k - 1], twice_inverse(k));
    }
    ready = true;
    return &ref;
}

// |x| = quadrant pi/2 + r
static int reduce_reference(double x, Twice* r)
{
    const Reference* ref = reference();
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
    e -= 53;
    if (fabs(x) < 0.5) {
        *r = (Twice){fabs(x), 0.0};
        return 0;
    }

    uint32_t a[SHORT] = {0};
    for (int bit = 0; bit < 53; bit++) {
        int p = e + bit;
        if ((m >> bit & 1) == 0) {
            continue;
        }
        if (p >= 0) {
            fixed_add(SHORT, a, ref->power[p]);
        } else {
            uint32_t digit[SHORT] = {0};
            digit[1 + (-p - 1) / 32] = UINT32_C(1) << (31 - (-p - 1) % 32);
            fixed_add(SHORT, a, digit);
        }
    }
    uint32_t multiple[SHORT];
    const int quadrant = (int)((a[0] + 0x1p-32 * a[1]) / 1.5707963267948966 + 0.5);
    memcpy(multiple, ref->half_pi, sizeof multiple);
    fixed_multiply(SHORT, multiple, (uint32_t)quadrant);
    fixed_subtract(SHORT, a, multiple);
    const bool negative = a[0] >> 31 != 0;
    if (negative) {
        fixed_negate(SHORT, a);
    }
    *r = (Twice){0.0, 0.0};
    double weight = ldexp(1.0, -32 * (SHORT - 1));
    for (int k = SHORT - 1; k >= 0; k--, weight *= 0x1p32) {
        *r = twice_sum(*r, (Twice){a[k] * weight, 0.0});
    }
    if (negative) {
        *r = (Twice){-r->hi, -r->lo};
    }
    return quadrant;
}

// the odd part of exp(i r) / i for first = 1, the even part for first = 0
static Twice series(Twice r, int first)
{
    const Reference* ref = reference();
    Twice z = twice_product(r, r);
    Twice value = {0.0, 0.0};
    for (int k = 26 + first; k >= first; k -= 2) {
        value = twice_product(value, (Twice){-z.hi, -z.lo});
        value = twice_sum(value, ref->inverse_factorial[k]);
    }
    return first == 1 ? twice_product(value, r) : value;
}

static void sincos_reference(double x, Twice* sine, Twice* cosine)
{
    Twice r;
    const int quadrant = reduce_reference(x, &r);
    Twice s = series(r, 1);
    Twice c = series(r, 0);
    *sine = (quadrant & 1) != 0 ? c : s;
    *cosine = (quadrant & 1) != 0 ? s : c;
    if (((quadrant & 2) != 0) != (x < 0.0)) {
        *sine = (Twice){-sine->hi, -sine->lo};
    }
    if (((quadrant + 1) & 2) != 0) {
        *cosine = (Twice){-cosine->hi, -cosine->lo};
    }
}

// |got - want| in units of the last place of want
static double ulps(double got, Twice want)
{
    int e;
    frexp(want.hi, &e);
    e = e < -1021 ? -1021 : e;
    return fabs(ldexp((got - want.hi) - want.lo, 53 - e));
}

typedef struct Worst {
    double error;
    double at[2];
} Worst;

static void keep_worst(Worst* worst, double error, double x, double y)
{
    // turned so that a NaN stays
    if (!(error <= worst->error)) {
        *worst = (Worst){error, {x, y}};
    }
}

static void try_angle(double x, Worst* sine, Worst* cosine)
{
    Twice s, c;
    sincos_reference(x, &s, &c);
    keep_worst(sine, ulps(ut_sin(x), s), x, 0.0);
    keep_worst(cosine, ulps(ut_cos(x), c), x, 0.0);
}

// ---- facts --------------------------------------------------------------------------------------

TEST(the_reference_agrees_with_pi_in_digits_and_the_known_hard_argument)
{
    // pi/2 = 1.921fb54442d18469898cc51701b839a252049c1114cf98e... in hexadecimal
    const Reference* ref = reference();
    CHECK_INT(ref->half_pi[0], 1);
    CHECK_INT(ref->half_pi[1], 0x921fb544);
    CHECK_INT(ref->half_pi[2], 0x42d18469);
    CHECK_INT(ref->half_pi[3], 0x898cc517);
    CHECK_INT(ref->half_pi[4], 0x01b839a2);
    CHECK_INT(ref->half_pi[5], 0x52049c11);
    // the double closest to a multiple of pi/2; the digits are those of a computation with 1300
    // bits
    Twice s, c;
    sincos_reference(ldexp(6381956970095103.0, 797), &s, &c);
    CHECK_NEAR(s.hi, 1.0, 0.0);
    CHECK_NEAR(c.hi, -4.6871659242546277e-19, 0.0);
}

TEST(sine_and_cosine_are_within_one_unit_of_the_last_place_everywhere)
{
    utRng rng = ut_rng(40, 0);
    Worst sine = {0}, cosine = {0};
    for (int i = 0; i < 500000; i++) {
        int e = ut_rng_below(&rng, 1064) - 40;
        double m = 1.0 + ut_rng_uniform(&rng);
        try_angle(ldexp((i & 1) != 0 ? m : -m, e), &sine, &cosine);
    }
    for (int i = 0; i < 300000; i++) {
        try_angle(ut_rng_range(&rng, -10.0, 10.0), &sine, &cosine);
    }
    test_note("worst of 8e5: sin %.4f ulp at %a, cos %.4f ulp at %a", sine.error, sine.at[0],
              cosine.error, cosine.at[0]);
    CHECK(sine.error <= 0.55);
    CHECK(cosine.error <= 0.55);
}

TEST(near_multiples_of_a_quarter_turn_nothing_is_lost)
{
    utRng rng = ut_rng(41, 0);
    Worst sine = {0}, cosine = {0};
    for (int i = 0; i < 200000; i++) {
        // the doubles around k pi/4 for k of up to 52 bits
        int drop = 12 + ut_rng_below(&rng, 52);
        double k = (double)(ut_rng_u64(&rng) >> drop);
        double x = k * 0.78539816339744831;
        try_angle(x, &sine, &cosine);
        try_angle(nextafter(x, 0.0), &sine, &cosine);
    }
    try_angle(ldexp(6381956970095103.0, 797), &sine, &cosine);
    try_angle(DBL_MAX, &sine, &cosine);
    // on both sides of where one reduction hands over to the other
    try_angle(0x1p20, &sine, &cosine);
    try_angle(nextafter(0x1p20, 0.0), &sine, &cosine);
    try_angle(0.78539816339744828, &sine, &cosine);
    try_angle(0.78539816339744839, &sine, &cosine);
    test_note("worst of 4e5: sin %.4f ulp at %a, cos %.4f ulp at %a", sine.error, sine.at[0],
              cosine.error, cosine.at[0]);
    CHECK(sine.error <= 0.55);
    CHECK(cosine.error <= 0.55);
}

TEST(sine_is_odd_and_cosine_is_even_to_the_bit_and_sincos_is_both)
{
    utRng rng = ut_rng(42, 0);
    for (int i = 0; i < 20000; i++) {
        int e = ut_rng_below(&rng, 2000) - 1000;
        double x = ldexp(1.0 + ut_rng_uniform(&rng), e);
        double s, c;
        ut_sincos(x, &s, &c);
        CHECK(s == ut_sin(x) && c == ut_cos(x));
        CHECK(ut_sin(-x) == -s && ut_cos(-x) == c);
    }
}

TEST(small_angles_zeros_and_what_is_not_finite)
{
    CHECK(ut_sin(0.0) == 0.0 && !signbit(ut_sin(0.0)));
    CHECK(ut_sin(-0.0) == 0.0 && signbit(ut_sin(-0.0)));
    CHECK(ut_cos(0.0) == 1.0 && ut_cos(-0.0) == 1.0);
    CHECK(ut_sin(DBL_MIN) == DBL_MIN);
    CHECK(ut_sin(-0x1p-1074) == -0x1p-1074);
    CHECK(ut_sin(0x1p-30) == 0x1p-30 && ut_cos(0x1p-30) == 1.0);
    const double bad[] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
    for (int i = 0; i < 3; i++) {
        double s, c;
        ut_sincos(bad[i], &s, &c);
        CHECK(isnan(ut_sin(bad[i])) && isnan(ut_cos(bad[i])) && isnan(s) && isnan(c));
    }
}

// One Newton step from the C library's angle a: a + (y cos a - x sin a) / (x cos a + y sin a) has
// an error of the third power of a's own. x and y are scaled to the size of 1 before.
static Twice atan2_reference(double y, double x)
{
    Twice s, c;
    double a = atan2(y, x);
    int e;
    frexp(fmax(fabs(x), fabs(y)), &e);
    x = ldexp(x, -e);
    y = ldexp(y, -e);
    sincos_reference(a, &s, &c);
    Twice minus_x = {-x, 0.0};
    Twice off = twice_sum(twice_product((Twice){y, 0.0}, c), twice_product(minus_x, s));
    double step = off.hi / (x * c.hi + y * s.hi);
    return twice_sum((Twice){a, 0.0}, (Twice){step, 0.0});
}

TEST(the_arc_tangent_is_within_one_unit_of_the_last_place)
{
    utRng rng = ut_rng(43, 0);
    Worst worst = {0};
    for (int i = 0; i < 300000; i++) {
        double y = ut_rng_range(&rng, -1.0, 1.0);
        double x = ut_rng_range(&rng, -1.0, 1.0);
        if (i % 3 == 1) {
            // quotients of any size, and numbers of any size
            x = ldexp(x, ut_rng_below(&rng, 1600) - 800);
            y *= ldexp(x, ut_rng_below(&rng, 200) - 100);
        } else if (i % 3 == 2) {
            // next to a sixteenth and to the middle between two, where the table changes
            y = nextafter(x * ut_rng_below(&rng, 33) / 32.0, y);
        }
        keep_worst(&worst, ulps(ut_atan2(y, x), atan2_reference(y, x)), y, x);
    }
    test_note("worst of 3e5: atan2 %.4f ulp at (%a, %a)", worst.error, worst.at[0], worst.at[1]);
    CHECK(worst.error <= 0.55);
}

TEST(the_arc_tangent_keeps_its_accuracy_at_the_ends_of_the_range)
{
    // a small quotient is its own arc tangent, also when it is subnormal
    CHECK(ut_atan2(0x1.8p-1074 + 0x1p-1073, 1.0) == 0x1.8p-1074 + 0x1p-1073);
    CHECK(ut_atan2(3e-200, 1e100) == 3e-200 / 1e100);
    CHECK(ut_atan2(1e-300, 1e300) == 0.0);
    CHECK(ut_atan2(-1e300, 1e-300) == -1.5707963267948966);
    CHECK(ut_atan2(1e-300, -1e300) == 3.1415926535897931);
    // 45 degrees however large or small
    CHECK(ut_atan2(DBL_MAX, DBL_MAX) == 0.78539816339744828);
    CHECK(ut_atan2(0x1p-1074, 0x1p-1074) == 0.78539816339744828);
    CHECK(ut_atan2(0x1p-1074, -0x1p-1074) == 2.3561944901923448);
    // atan(1/2) = 0.46364760900080611621...
    CHECK(ut_atan2(0x1p-1074, 0x1p-1073) == 0.46364760900080609);
    CHECK(ut_atan2(0x1p1022, 0x1p1023) == 0.46364760900080609);
}

// F.10.1.4 of the C standard.
TEST(the_arc_tangent_of_zeros_infinities_and_nans_is_that_of_annex_f)
{
    const double pi = 3.1415926535897931;
    const double inf = (double)INFINITY;
    const double nan = (double)NAN;
    const double cases[][3] = {
        {0.0, -0.0, pi},      {0.0, 0.0, 0.0},
        {0.0, -1.0, pi},      {0.0, 1.0, 0.0},
        {1.0, 0.0, pi / 2.0}, {1.0, -0.0, pi / 2.0},
        {1.0, -inf, pi},      {1.0, inf, 0.0},
        {inf, 1.0, pi / 2.0}, {inf, -1.0, pi / 2.0},
        {inf, 0.0, pi / 2.0}, {inf, -inf, 3.0 * pi / 4.0},
        {inf, inf, pi / 4.0}, {0.0, inf, 0.0},
        {0.0, -inf, pi},      {0x1p-1074, -0.0, pi / 2.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double y = cases[i][0], x = cases[i][1], want = cases[i][2];
        CHECK(ut_atan2(y, x) == want && !signbit(ut_atan2(y, x)));
        CHECK(ut_atan2(-y, x) == -want && signbit(ut_atan2(-y, x)));
    }
    CHECK(isnan(ut_atan2(nan, 1.0)) && isnan(ut_atan2(1.0, nan)) && isnan(ut_atan2(nan, nan)));
    CHECK(isnan(ut_atan2(nan, inf)) && isnan(ut_atan2(0.0, nan)));
}
