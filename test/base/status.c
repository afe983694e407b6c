// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#include <stdio.h>
#include <string.h>

TEST(the_library_has_the_version_of_its_headers)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", UT_VERSION_MAJOR, UT_VERSION_MINOR, UT_VERSION_PATCH);
    CHECK_INT(ut_version(), UT_VERSION);
    CHECK_TEXT(ut_version_text(), text);
}

TEST(every_status_has_words_of_its_own)
{
    for (int a = 0; a < UT_STATUS_COUNT; a++) {
        CHECK(strlen(ut_status_text((utStatus)a)) > 0);
        for (int b = 0; b < a; b++) {
            CHECK(strcmp(ut_status_text((utStatus)a), ut_status_text((utStatus)b)) != 0);
        }
    }
    CHECK_TEXT(ut_status_text(UT_ERR_FORMAT), "malformed input");
}

TEST(a_status_that_does_not_exist_still_has_words)
{
    CHECK_TEXT(ut_status_text(UT_STATUS_COUNT), "unknown status");
    CHECK_TEXT(ut_status_text((utStatus)1000), "unknown status");
}

static utStatus try_then_count(utStatus status, int* calls)
{
    UT_TRY(status);
    (*calls)++;
    return UT_OK;
}

TEST(try_goes_on_only_when_ok)
{
    int calls = 0;
    CHECK(try_then_count(UT_OK, &calls) == UT_OK);
    CHECK(try_then_count(UT_ERR_IO, &calls) == UT_ERR_IO);
    CHECK_INT(calls, 1);
}
