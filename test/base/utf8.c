// SPDX-License-Identifier: Apache-2.0
#include "test.h"
#include "base/internal.h"

#include <string.h>

static size_t size_of_first(const char* text)
{
    return ut_utf8_size(text, text + strlen(text));
}

TEST(utf8_characters_have_one_to_four_bytes)
{
    CHECK_INT(size_of_first("a"), 1);
    CHECK_INT(size_of_first("\xc2\x80"), 2);         // U+0080, the first of two
    CHECK_INT(size_of_first("\xdf\xbf"), 2);         // U+07FF, the last of two
    CHECK_INT(size_of_first("\xe0\xa0\x80"), 3);     // U+0800
    CHECK_INT(size_of_first("\xed\x9f\xbf"), 3);     // U+D7FF, before the surrogates
    CHECK_INT(size_of_first("\xee\x80\x80"), 3);     // U+E000, behind them
    CHECK_INT(size_of_first("\xf0\x90\x80\x80"), 4); // U+10000
    CHECK_INT(size_of_first("\xf4\x8f\xbf\xbf"), 4); // U+10FFFF, the last
}

TEST(bytes_that_are_not_utf8_are_seen)
{
    CHECK_INT(size_of_first("\x80"), 0);             // a continuation
    CHECK_INT(size_of_first("\xc0\x80"), 0);         // overlong 0
    CHECK_INT(size_of_first("\xc1\xbf"), 0);         // overlong
    CHECK_INT(size_of_first("\xe0\x9f\xbf"), 0);     // overlong
    CHECK_INT(size_of_first("\xed\xa0\x80"), 0);     // a surrogate
    CHECK_INT(size_of_first("\xf0\x8f\xbf\xbf"), 0); // overlong
    CHECK_INT(size_of_first("\xf4\x90\x80\x80"), 0); // above U+10FFFF
    CHECK_INT(size_of_first("\xf5\x80\x80\x80"), 0);
    CHECK_INT(size_of_first("\xff"), 0);
    CHECK_INT(size_of_first("\xe2\x82"), 0);  // cut short
    CHECK_INT(size_of_first("\xe2\x82z"), 0); // the third is no continuation
    CHECK_INT(ut_utf8_size("", ""), 0);
}

TEST(a_fit_never_splits_a_character)
{
    const char* text = "a\xe2\x82\xac"
                       "b"; // a, euro sign, b
    CHECK_INT(ut_utf8_fit(text, 5, 9), 5);
    CHECK_INT(ut_utf8_fit(text, 5, 5), 5);
    CHECK_INT(ut_utf8_fit(text, 5, 4), 4);
    CHECK_INT(ut_utf8_fit(text, 5, 3), 1);
    CHECK_INT(ut_utf8_fit(text, 5, 2), 1);
    CHECK_INT(ut_utf8_fit(text, 5, 1), 1);
    CHECK_INT(ut_utf8_fit(text, 5, 0), 0);
    // without any character there is nothing to split
    CHECK_INT(ut_utf8_fit("\x80\x80\x80\x80\x80\x80\x80", 7, 6), 6);
    CHECK_INT(ut_utf8_fit("\x80\x80\x80", 3, 1), 1);
}
