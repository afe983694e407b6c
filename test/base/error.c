// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#include <string.h>

static const char* formatted(const utError* err)
{
    static char text[1024];
    ut_error_format(err, text, sizeof text);
    return text;
}

TEST(an_error_with_a_place_reads_file_line_column)
{
    utError err;
    CHECK(ut_error_at(&err, UT_ERR_FORMAT, "a.json", 3, 14, "bad %s; try %d", "x", 7) ==
          UT_ERR_FORMAT);
    CHECK(err.status == UT_ERR_FORMAT);
    CHECK_INT(err.line, 3);
    CHECK_INT(err.column, 14);
    CHECK_TEXT(err.file, "a.json");
    CHECK_TEXT(err.message, "bad x; try 7");
    CHECK_TEXT(formatted(&err), "a.json:3:14: error: bad x; try 7");
}

TEST(what_is_unknown_about_the_place_is_left_out)
{
    utError err;
    ut_error_at(&err, UT_ERR_IO, "a.json", 0, 0, "gone");
    CHECK_TEXT(formatted(&err), "a.json: error: gone");
    ut_error_at(&err, UT_ERR_IO, "a.json", 5, 0, "gone");
    CHECK_TEXT(formatted(&err), "a.json:5: error: gone");
    ut_error_at(&err, UT_ERR_IO, "a.json", 0, 5, "gone");
    CHECK_TEXT(formatted(&err), "a.json: error: gone");
    ut_error_at(&err, UT_ERR_IO, NULL, 5, 6, "gone");
    CHECK_TEXT(formatted(&err), "5:6: error: gone");
    ut_error_at(&err, UT_ERR_IO, NULL, 0, 0, "gone");
    CHECK_TEXT(formatted(&err), "error: gone");
}

TEST(an_error_without_a_place_forgets_the_one_before)
{
    utError err;
    ut_error_at(&err, UT_ERR_FORMAT, "a.json", 3, 14, "first");
    CHECK(ut_error_set(&err, UT_ERR_DEF, "dt is %d", -1) == UT_ERR_DEF);
    CHECK(err.status == UT_ERR_DEF);
    CHECK_TEXT(formatted(&err), "error: dt is -1");
}

TEST(nobody_has_to_want_the_error)
{
    CHECK(ut_error_set(NULL, UT_ERR_IO, "%d", 1) == UT_ERR_IO);
    CHECK(ut_error_at(NULL, UT_ERR_IO, "f", 1, 1, "%d", 1) == UT_ERR_IO);
}

TEST(an_error_may_quote_itself)
{
    utError err;
    ut_error_at(&err, UT_ERR_FORMAT, "a.json", 3, 14, "bad mesh");
    ut_error_at(&err, UT_ERR_FORMAT, err.file, err.line, err.column, "body b: %s", err.message);
    CHECK_TEXT(formatted(&err), "a.json:3:14: error: body b: bad mesh");
}

// 255 bytes fit. 127 two-byte characters are 254; the 128th would need two more.
TEST(a_long_message_is_cut_between_characters)
{
    char text[1001] = "";
    for (int i = 0; i < 500; i++) {
        memcpy(text + (size_t)i * 2, "\xc3\xa9", 3);
    }
    utError err;
    ut_error_at(&err, UT_ERR_FORMAT, text, 1, 1, "%s", text);
    CHECK_INT(strlen(err.message), 254);
    CHECK_INT(strlen(err.file), 254);
    CHECK(memcmp(err.message, text, 254) == 0);
    CHECK_INT(strlen(formatted(&err)), 254 + strlen(":1:1: error: ") + 254);
}

TEST(a_formatted_error_is_cut_to_the_room_there_is)
{
    utError err;
    ut_error_at(&err, UT_ERR_FORMAT, "a", 1, 2,
                "\xe2\x82\xac"
                "b");
    char text[32];
    ut_error_format(&err, text, 8);
    CHECK_TEXT(text, "a:1:2: ");

    // "a:1:2: error: " is 14 bytes, the euro sign takes 3 and 'b' one
    ut_error_format(&err, text, 17);
    CHECK_TEXT(text, "a:1:2: error: ");
    ut_error_format(&err, text, 18);
    CHECK_TEXT(text, "a:1:2: error: \xe2\x82\xac");
    ut_error_format(&err, text, 1);
    CHECK_TEXT(text, "");
}
