// SPDX-License-Identifier: Apache-2.0
#include "test.h"
#include "base/internal.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* full(double value)
{
    static char text[UT_NUMBER_SIZE];
    const int size = ut_number_write(value, text);
    CHECK_INT(size, strlen(text));
    return text;
}

static const char* brief(double value)
{
    static char text[UT_NUMBER_SIZE];
    const int size = ut_number_write_short(value, text);
    CHECK_INT(size, strlen(text));
    return text;
}

TEST(numbers_are_written_with_17_digits)
{
    CHECK_TEXT(full(0.0), "0");
    CHECK_TEXT(full(-0.0), "-0");
    CHECK_TEXT(full(5.0), "5");
    CHECK_TEXT(full(0.1), "0.10000000000000001");
    CHECK_TEXT(full(-1.5e-3), "-0.0015");
    CHECK_TEXT(full(1e22), "1e+22");
    CHECK_TEXT(full(DBL_MAX), "1.7976931348623157e+308");
    CHECK_TEXT(full(-DBL_MIN), "-2.2250738585072014e-308");
    CHECK_TEXT(full(0x1p-1074), "4.9406564584124654e-324");
}

TEST(short_numbers_have_no_more_digits_than_they_need)
{
    CHECK_TEXT(brief(0.0), "0");
    CHECK_TEXT(brief(-0.0), "-0");
    CHECK_TEXT(brief(5.0), "5");
    CHECK_TEXT(brief(0.1), "0.1");
    CHECK_TEXT(brief(-1.5e-3), "-0.0015");
    CHECK_TEXT(brief(123456789012345.0), "123456789012345");
    CHECK_TEXT(brief(0x1p53), "9007199254740992");       // 16 digits
    CHECK_TEXT(brief(0.1 + 0.2), "0.30000000000000004"); // the well-known 17
    // with 16 digits it would be 1.797693134862316e+308, which overflows
    CHECK_TEXT(brief(DBL_MAX), "1.7976931348623157e+308");
    CHECK_TEXT(brief(0x1p-1074), "5e-324"); // the next ones are 0 and 1e-323
}

TEST(what_is_not_finite_is_written_as_a_word)
{
    CHECK_TEXT(full(HUGE_VAL), "inf");
    CHECK_TEXT(full(-HUGE_VAL), "-inf");
    CHECK_TEXT(full((double)NAN), "nan");
    CHECK_TEXT(full(-(double)NAN), "nan");
    CHECK_TEXT(brief(HUGE_VAL), "inf");
    CHECK_TEXT(brief(-HUGE_VAL), "-inf");
    CHECK_TEXT(brief((double)NAN), "nan");
}

TEST(whatever_the_decimal_point_it_becomes_a_point)
{
    char text[UT_NUMBER_SIZE];
    CHECK_INT(ut_number_plain("-1,5e-05", text), 8);
    CHECK_TEXT(text, "-1.5e-05");
    CHECK_INT(ut_number_plain("1\xd9\xab"
                              "25",
                              text), // U+066B, two bytes, the point of ps_AF
              4);
    CHECK_TEXT(text, "1.25");
    ut_number_plain("-1.7976931348623157e+308", text);
    CHECK_TEXT(text, "-1.7976931348623157e+308");
    ut_number_plain("12", text);
    CHECK_TEXT(text, "12");
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

// The same by the C library alone: the first of 15, 16 and 17 digits that strtod reads back, of 1
// to 17 for subnormal numbers.
static const char* brief_by_printf(double value)
{
    static char text[64];
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return text;
}

TEST(random_numbers_are_written_as_by_printf)
{
    utRng rng = ut_rng(4, 0);
    int wrong = 0;
    for (int i = 0; i < 50000; i++) {
        // all exponents, ordinary sizes, short decimals, and subnormals of all lengths
        const double value = i % 4 == 0   ? random_double(&rng)
                             : i % 4 == 1 ? ut_rng_range(&rng, -1000.0, 1000.0)
                             : i % 4 == 2 ? ut_rng_below(&rng, 1000000) / 1000.0
                                          : (double)(ut_rng_u64(&rng) >> (12 + i % 52)) * 0x1p-1074;
        char want[64];
        snprintf(want, sizeof want, "%.17g", value);
        wrong += strcmp(full(value), want) != 0;
        wrong += strcmp(brief(value), brief_by_printf(value)) != 0;
    }
    CHECK_INT(wrong, 0);
}

TEST(a_locale_with_another_decimal_point_changes_nothing_in_writing)
{
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "ps_AF.UTF-8", "ps_AF",      "de_DE"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_NUMERIC, names[i]) != NULL) {
            any = true;
            CHECK_TEXT(full(0.1), "0.10000000000000001");
            CHECK_TEXT(full(-2.5e20), "-2.5e+20");
            CHECK_TEXT(brief(0.1), "0.1");
        }
    }
    setlocale(LC_NUMERIC, "C");
    if (!any) {
        test_skip("no locale with a decimal comma is installed");
    }
}
