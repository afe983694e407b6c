// SPDX-License-Identifier: Apache-2.0
// Every public model that loads is written as MJCF and read again: the hash of the model is the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/load.h>

#include "files.h"
#include "test.h"

// @return the hash of a description's model; 0 when it does not compile
static uint64_t hash_of(const utModelDef* def)
{
    utModel* model = NULL;
    utError err = {0};
    if (ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        test_note("%s", err.message);
        return 0;
    }
    const uint64_t hash = model->hash;
    ut_model_destroy(model);
    return hash;
}

// The folder of a file, with its slash.
static void folder_of(const char* path, char folder[FILES_PATH])
{
    const char* slash = strrchr(path, '/');
    (void)snprintf(folder, FILES_PATH, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 0, path);
}

// @return false when the file does not load
static bool round_trip(const char* path, bool plain)
{
    utModelDef *def = NULL, *again = NULL;
    utText text = {0};
    utError err = {0};
    utNotes unwritten = {0};
    utArena memory;
    utMjcfWriteDef how = ut_mjcf_write_def();
    char folder[FILES_PATH];
    folder_of(path, folder);
    how.plain = plain;
    how.folder = folder;
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_model_def_create(NULL, &again), UT_OK);
    CHECK_INT(ut_arena_create(0, NULL, &memory), UT_OK);
    const bool loads = ut_describe(path, NULL, def, NULL, &err) == UT_OK && hash_of(def) != 0;
    if (loads) {
        // the text stands where the file stood, so that paths of meshes lead to the same files
        if (!CHECK_INT(ut_mjcf_write(def, &how, &memory, &text, &unwritten, &err), UT_OK) ||
            !CHECK_INT(ut_mjcf_read(text, path, NULL, again, NULL, &err), UT_OK)) {
            test_note("%s:%d:%d: %s", path, err.line, err.column, err.message);
        } else if (strstr(text.data, "name=\"geom#") == NULL && // named for the custom text
                   !CHECK(unwritten.count > 0 || hash_of(again) == hash_of(def))) {
            test_note("%s%s: another model", path, plain ? " (plain)" : "");
        }
        for (int i = 0; i < unwritten.count; i++) {
            test_note("%s: not written: %s", path, unwritten.note[i].what);
        }
    }
    ut_notes_destroy(&unwritten);
    ut_arena_destroy(&memory);
    ut_model_def_destroy(again);
    ut_model_def_destroy(def);
    return loads;
}

TEST(models_that_are_written_and_read_again_are_the_same)
{
    static const char* const folders[] = {"models", "urdf", "../cases"};
    static Files files;
    const char* data = getenv("UPTACK_DATA");
    int models = 0;
    if (data == NULL) {
        test_skip("UPTACK_DATA is not set: no public models");
        return;
    }
    for (int k = 0; k < 3; k++) {
        char path[FILES_PATH];
        (void)snprintf(path, sizeof path, "%s/%s", data, folders[k]);
        files_list(path, &files);
        for (int i = 0; i < files.count; i++) {
            models += round_trip(files.path[i], false) ? 1 : 0;
            (void)round_trip(files.path[i], true);
        }
    }
    test_note("%d models are the same after a round trip", models);
}
