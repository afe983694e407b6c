// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// The value of a text that is a number from its first to its last character; NaN when it is not.
static double value_of(const char* text)
{
    double value = (double)NAN;
    const char* end = text + strlen(text);
    return ut_number_read(text, end, &value) == end ? value : (double)NAN;
}

// How many characters at the front of a text are read as a number.
static int taken(const char* text)
{
    double value = 0.0;
    const char* behind = ut_number_read(text, text + strlen(text), &value);
    return behind != NULL ? (int)(behind - text) : -1;
}

TEST(numbers_are_read_in_all_their_forms)
{
    CHECK_NEAR(value_of("0"), 0.0, 0.0);
    CHECK_NEAR(value_of("5"), 5.0, 0.0);
    CHECK_NEAR(value_of("+5"), 5.0, 0.0);
    CHECK_NEAR(value_of("-5"), -5.0, 0.0);
    CHECK_NEAR(value_of("5."), 5.0, 0.0);
    CHECK_NEAR(value_of(".5"), 0.5, 0.0);
    CHECK_NEAR(value_of("-.5"), -0.5, 0.0);
    CHECK_NEAR(value_of("007"), 7.0, 0.0);
    CHECK_NEAR(value_of("1e3"), 1000.0, 0.0);
    CHECK_NEAR(value_of("1E+3"), 1000.0, 0.0);
    CHECK_NEAR(value_of("25e-2"), 0.25, 0.0);
    CHECK_NEAR(value_of("5.e1"), 50.0, 0.0);
    CHECK_NEAR(value_of("-1.5e-3"), -0.0015, 0.0);
    CHECK_NEAR(value_of("1e0000000000000000000000000000000003"), 1000.0, 0.0);
}

TEST(reading_stops_where_the_number_stops)
{
    CHECK_INT(taken("1e"), 1);
    CHECK_INT(taken("1e+"), 1);
    CHECK_INT(taken("1e-x"), 1);
    CHECK_INT(taken("1ex"), 1);
    CHECK_INT(taken("1e5e5"), 3);
    CHECK_INT(taken("1.2.3"), 3);
    CHECK_INT(taken("1,5"), 1);
    CHECK_INT(taken("0x10"), 1);
    CHECK_INT(taken("12 34"), 2);
    CHECK_INT(taken("5.]"), 2);
}

TEST(what_is_no_number_is_not_read)
{
    static const char* const none[] = {"",    ".",   "-",   "+",        "-.", "e5",  ".e5",
                                       " 1",  "\n1", "--1", "+-1",      "x",  "inf", "-inf",
                                       "nan", "NaN", ",5",  "infinity", "..1"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        double value = 42.0;
        CHECK(ut_number_read(none[i], none[i] + strlen(none[i]), &value) == NULL);
        CHECK_NEAR(value, 42.0, 0.0);
    }
}

TEST(nothing_is_looked_at_behind_the_end)
{
    const char* text = "12345.75e2";
    static const double want[] = {1, 12, 123, 1234, 12345, 12345, 12345.7, 12345.75, 12345.75};
    for (int size = 1; size <= 9; size++) {
        // a copy of just this size, so that a sanitizer sees a look behind it
        char* copy = malloc((size_t)size);
        double value = 0.0;
        CHECK(copy != NULL);
        if (copy == NULL) {
            return;
        }
        memcpy(copy, text, (size_t)size);
        CHECK(ut_number_read(copy, copy + size, &value) == copy + (size < 9 ? size : 8));
        CHECK_NEAR(value, want[size - 1], 0.0);
        free(copy);
    }
}

TEST(zero_keeps_its_sign)
{
    CHECK(same_bits(value_of("0"), 0.0));
    CHECK(same_bits(value_of("-0"), -0.0));
    CHECK(same_bits(value_of("-0.000e55"), -0.0));
    CHECK(same_bits(value_of("0e999999999999999999999"), 0.0));
}

// Known hard cases, with their answers as exact hexadecimal doubles.
TEST(hard_cases_are_rounded_to_nearest_even)
{
    static const struct {
        const char* text;
        double value;
    } hard[] = {
        // 2^53 + 1 lies between 2^53 and 2^53 + 2, and 2^53 is the even one
        {"9007199254740992", 0x1p53},
        {"9007199254740993", 0x1p53},
        {"9007199254740993.0000000000000000000000000000000000000000000000001",
         0x1.0000000000001p53},
        {"9007199254740992.9999999999999999999999999999999999999999999999999", 0x1p53},
        {"9007199254740994", 0x1.0000000000001p53},
        {"9007199254740995", 0x1.0000000000002p53},
        {"9007199254740997", 0x1.0000000000002p53},
        // above 2^52 doubles are whole, so halves are ties: 8.5e15 is even and 8.5e15 + 1 odd
        {"8500000000000000.5", 8500000000000000.0},
        {"8500000000000001.5", 8500000000000002.0},
        {"8500000000000000.50000000000000000000001", 8500000000000001.0},
        // around the smallest normal number; these two once hung PHP and Java
        {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
        {"2.2250738585072012e-308", 0x1p-1022},
        {"2.2250738585072014e-308", 0x1p-1022},
        // around the smallest number of all, 2^-1074 = 4.94...e-324, and its half
        {"4.9406564584124654e-324", 0x1p-1074},
        {"5e-324", 0x1p-1074},
        {"2.4703282292062327e-324", 0.0},
        {"2.4703282292062328e-324", 0x1p-1074},
        {"7.4109846876186981e-324", 0x1p-1074},
        {"7.4109846876186982e-324", 0x1p-1073},
        // around the largest
        {"1.7976931348623157e308", DBL_MAX},
        {"1.7976931348623158e308", DBL_MAX},
        {"17976931348623157e292", DBL_MAX},
        // powers of ten that are exact, and the first that is not: 10^23 lies in the middle between
        // 0x1.52d02c7e14af6p76 and 0x1.52d02c7e14af7p76 up to 2^23
        {"1e22", 0x1.0f0cf064dd592p73},
        {"1e23", 0x1.52d02c7e14af6p76},
        {"0.1", 0x1.999999999999ap-4},
        {"0.3", 0x1.3333333333333p-2},
        // sizes that only look extreme
        {"0.00000000000000000000000000000000000000000000000001e50", 1.0},
        {"100000000000000000000000000000000000000000000000000e-50", 1.0},
        // pi with more digits than a double has
        {"3.14159265358979323846264338327950288419716939937510582097494", 0x1.921fb54442d18p1},
    };
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
        if (!CHECK(same_bits(value_of(hard[i].text), hard[i].value))) {
            test_note("%s is %a, expected %a", hard[i].text, value_of(hard[i].text), hard[i].value);
        }
    }
}

TEST(a_number_that_overflows_is_not_read)
{
    // the middle between the largest double and 2^1024 is 1.797693134862315807e308
    static const char* const large[] = {"1.7976931348623159e308",
                                        "-1.7976931348623159e308",
                                        "1e309",
                                        "123e307",
                                        "1e999999999999999999999",
                                        "0.000001e400"};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        double value = 42.0;
        CHECK(ut_number_read(large[i], large[i] + strlen(large[i]), &value) == NULL);
        CHECK_NEAR(value, 42.0, 0.0);
    }
}

TEST(a_number_that_underflows_is_zero_with_its_sign)
{
    CHECK(same_bits(value_of("1e-324"), 0.0));
    CHECK(same_bits(value_of("-1e-400"), -0.0));
    CHECK(same_bits(value_of("-123456789e-999999999999999999999999"), -0.0));
}

// ---- long inputs --------------------------------------------------------------------------------

enum { DIGITS = 1200 };

// text = text times factor plus term, by hand on decimal digits
static void decimal_multiply_add(char* text, int factor, int term)
{
    const size_t size = strlen(text);
    int carry = term;
    for (size_t i = size; i-- > 0;) {
        carry += (text[i] - '0') * factor;
        text[i] = (char)('0' + carry % 10);
        carry /= 10;
    }
    for (; carry > 0; carry /= 10) {
        memmove(text + 1, text, strlen(text) + 1);
        text[0] = (char)('0' + carry % 10);
    }
}

// The decimal digits of m 5^k; with "e-k" behind them they are exactly m 2^-k.
static void digits_of(uint64_t m, int k, char* text)
{
    snprintf(text, DIGITS, "%llu", (unsigned long long)m);
    for (int i = 0; i < k; i++) {
        decimal_multiply_add(text, 5, 0);
    }
}

// (2 a + 1) 2^-k with a of 53 bits is the middle between a 2^(1-k) and (a + 1) 2^(1-k). Written out
// it goes to the even one, and by one unit in the last of its hundreds of digits to either side.
static void check_middle(uint64_t a, int k)
{
    char digits[DIGITS];
    char text[DIGITS + 64];
    digits_of(2 * a + 1, k, digits);
    const double below = ldexp((double)a, 1 - k);
    const double above = ldexp((double)(a + 1), 1 - k);

    snprintf(text, sizeof text, "%se-%d", digits, k);
    CHECK(same_bits(value_of(text), a % 2 == 0 ? below : above));

    snprintf(text, sizeof text, "%s0000000000000000000000001e-%d", digits, k + 25);
    CHECK(same_bits(value_of(text), above));

    // an odd multiple of 5^k ends in 5
    digits[strlen(digits) - 1] = '4';
    snprintf(text, sizeof text, "%s9999999999999999999999999e-%d", digits, k + 25);
    CHECK(same_bits(value_of(text), below));
}

TEST(middles_between_doubles_are_ties_to_their_last_digit)
{
    utRng rng = ut_rng(1, 0);
    for (int k = 1; k <= 1075; k += k < 100 ? 1 : 13) {
        const uint64_t a = UINT64_C(1) << 52 | ut_rng_u64(&rng) >> 12;
        check_middle(a, k);
    }
    // the longest: the largest significand at the smallest exponent, 767 digits
    check_middle((UINT64_C(1) << 53) - 1, 1075);
    // subnormal ones, and half of the smallest
    check_middle(0, 1075);
    check_middle(1, 1075);
    check_middle(2, 1075);
    check_middle((UINT64_C(1) << 52) - 1, 1075);
}

// 2^53 + 1 with so many zeros behind the point, then a one that no buffer holds.
TEST(a_digit_far_behind_still_breaks_a_tie)
{
    static char text[100100];
    for (int zeros = 1; zeros < 100000; zeros *= 3) {
        const int size = snprintf(text, sizeof text, "9007199254740993.");
        memset(text + size, '0', (size_t)zeros);
        text[size + zeros] = 0;
        CHECK_NEAR(value_of(text), 9007199254740992.0, 0.0);
        memcpy(text + size + zeros, "1", 2);
        CHECK_NEAR(value_of(text), 9007199254740994.0, 0.0);
    }
}

TEST(thousands_of_zeros_are_only_zeros)
{
    static char zeros[20000];
    static char text[20100];
    memset(zeros, '0', sizeof zeros - 1);
    snprintf(text, sizeof text, "0.%s125e20001", zeros); // 0.125 10^(20001 - 19999)
    CHECK_NEAR(value_of(text), 12.5, 0.0);
    snprintf(text, sizeof text, "125%se-20000", zeros); // 125 10^(19999 - 20000)
    CHECK_NEAR(value_of(text), 12.5, 0.0);
}

// ---- against the C library ----------------------------------------------------------------------

static int random_digits(utRng* rng, char* text, int count)
{
    for (int i = 0; i < count; i++) {
        text[i] = (char)('0' + ut_rng_below(rng, 10));
    }
    text[count] = 0;
    return count;
}

// Digits of some length with a point somewhere and perhaps an exponent.
static void random_decimal(utRng* rng, char* text)
{
    static const int most[] = {3, 9, 17, 20, 25, 40, 400, 900};
    const int reach = ut_rng_below(rng, 2) ? 30 : 360;
    char* p = text;
    if (ut_rng_below(rng, 3) == 0) {
        *p++ = ut_rng_below(rng, 2) ? '-' : '+';
    }
    const int shape = ut_rng_below(rng, 16);
    const int count = 1 + ut_rng_below(rng, most[shape < 8 ? shape : shape % 5]);
    const int whole = ut_rng_below(rng, count + 1);
    p += random_digits(rng, p, whole);
    if (whole < count || ut_rng_below(rng, 2)) {
        *p++ = '.';
    }
    p += random_digits(rng, p, count - whole);
    if (ut_rng_below(rng, 4) > 0) {
        sprintf(p, "%c%d", ut_rng_below(rng, 2) ? 'e' : 'E', ut_rng_below(rng, 2 * reach) - reach);
    }
}

static double random_double(utRng* rng)
{
    double value;
    do {
        const uint64_t bits = ut_rng_u64(rng);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

// A random double to some number of digits: few make it a neighbour of the double, many a number
// that needs all of them, and a last digit put behind makes it miss the double by next to nothing.
static void random_printed(utRng* rng, char* text)
{
    const int digits = ut_rng_below(rng, 4) ? 14 + ut_rng_below(rng, 6) : ut_rng_below(rng, 780);
    const int size = sprintf(text, "%.*e", digits, random_double(rng));
    char* e = strchr(text, 'e');
    if (digits > 0 && ut_rng_below(rng, 2)) {
        memmove(e + 1, e, (size_t)(text + size + 1 - e));
        *e = (char)('0' + ut_rng_below(rng, 10));
    }
}

// @return whether both refuse the text or both read the same bits and stop at the same place
static bool agrees_with_strtod(const char* text)
{
    char* want_end;
    const double want = strtod(text, &want_end);
    double got = (double)NAN;
    const char* got_end = ut_number_read(text, text + strlen(text), &got);
    if (isinf(want)) {
        return got_end == NULL;
    }
    if (want_end == text) {
        return got_end == NULL;
    }
    return got_end == want_end && same_bits(got, want);
}

TEST(two_hundred_thousand_random_texts_are_read_as_by_strtod)
{
    utRng rng = ut_rng(2, 0);
    char text[2048];
    int wrong = 0;
    for (int i = 0; i < 200000; i++) {
        if (i % 2 == 0) {
            random_decimal(&rng, text);
        } else {
            random_printed(&rng, text);
        }
        if (!agrees_with_strtod(text) && wrong++ < 5) {
            test_note("differs from strtod: %s", text);
        }
    }
    CHECK_INT(wrong, 0);
}

TEST(every_power_of_ten_is_read_as_by_strtod)
{
    char text[64];
    for (int e = -400; e <= 400; e++) {
        for (int m = 1; m < 100; m += 7) {
            snprintf(text, sizeof text, "%de%d", m, e);
            if (!agrees_with_strtod(text)) {
                CHECK(agrees_with_strtod(text));
                test_note("differs from strtod: %s", text);
            }
        }
    }
}

TEST(a_locale_with_another_decimal_point_changes_nothing_in_reading)
{
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "ps_AF.UTF-8", "ps_AF",      "de_DE"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_NUMERIC, names[i]) != NULL) {
            any = true;
            CHECK(strcmp(localeconv()->decimal_point, ".") != 0);
            CHECK_NEAR(value_of("1.5"), 1.5, 0.0);
            CHECK_INT(taken("1,5"), 1);
            CHECK(same_bits(value_of("2.2250738585072012e-308"), DBL_MIN));
        }
    }
    setlocale(LC_NUMERIC, "C");
    if (!any) {
        test_skip("no locale with a decimal comma is installed");
    }
}
