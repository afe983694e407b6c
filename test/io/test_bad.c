// SPDX-License-Identifier: Apache-2.0
// Malformed models: expected.txt lists the files of test/bad/mjcf, each with its exact error. Lines
// and columns were counted independently of the reader.
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <uptack/io.h>

// The formatted error of loading a file, "" when it loads.
static void load(const char* path, bool strict, char* text, size_t size)
{
    utModelDef* def = NULL;
    utMjcfDef how = ut_mjcf_def();
    how.strict = strict;
    utNotes notes = {0};
    utError err = {0};
    text[0] = 0;
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    const utStatus status = ut_mjcf_load(path, &how, def, &notes, &err);
    if (status == UT_OK) {
        ut_notes_destroy(&notes);
    } else {
        CHECK_INT(err.status, status);
        ut_error_format(&err, text, size);
    }
    ut_model_def_destroy(def);
}

TEST(bad_models_are_refused_where_they_are_wrong)
{
    utArena arena = test_arena();
    utText list;
    utError err;
    if (!CHECK(ut_text_read("test/bad/mjcf/expected.txt", 0, &arena, &list, &err) == UT_OK)) {
        return;
    }
    int files = 0;
    for (char* line = (char*)list.data; *line != 0;) {
        char* end = strchr(line, '\n');
        char* blank = strchr(line, ' ');
        if (!CHECK(end != NULL && blank != NULL && blank < end)) {
            return;
        }
        *end = *blank = 0;
        char path[256], got[700];
        snprintf(path, sizeof path, "test/bad/mjcf/%s", line);
        load(path, false, got, sizeof got);
        CHECK_TEXT(got, blank + 1);
        files++;
        line = end + 1;
    }
    test_note("%d files", files);
    CHECK(files >= 200);
}

TEST(strict_makes_the_first_note_with_physics_an_error)
{
    char got[700];
    load("test/io/models/noted.xml", false, got, sizeof got);
    CHECK_TEXT(got, "");
    load("test/io/models/noted.xml", true, got, sizeof got);
    CHECK_TEXT(got, "test/io/models/noted.xml:8:11: error: option.wind: not supported; without "
                    "--strict (utMjcfDef.strict) it is ignored");
    // strict accepts attributes for viewers
    load("test/io/models/pictures.xml", true, got, sizeof got);
    CHECK_TEXT(got, "");
}
