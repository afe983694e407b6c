// SPDX-License-Identifier: Apache-2.0
// Malformed files: each folder of test/bad has a list, expected.txt, of its files with their exact errors.
// Lines, columns and bytes were counted independently of the readers.
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <uptack/io.h>

#include "io/mesh/mesh_file.h"

// Load a file and format its error. @param text "" when the file loads
typedef void LoadFile(const char* path, char* text, size_t size);

static bool has_ending(const char* path, const char* ending)
{
    const char* dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ending) == 0;
}

static utStatus read_model(const char* path, bool strict, utModelDef* def, utError* err)
{
    utMjcfDef mjcf = ut_mjcf_def();
    utUrdfDef urdf = ut_urdf_def();
    mjcf.strict = urdf.strict = strict;
    return has_ending(path, ".urdf") ? ut_urdf_load(path, &urdf, def, NULL, err)
                                     : ut_mjcf_load(path, &mjcf, def, NULL, err);
}

static void load_model(const char* path, bool strict, char* text, size_t size)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    text[0] = 0;
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    utStatus status = read_model(path, strict, def, &err);
    if (status == UT_OK) {
        status = ut_model_compile(def, NULL, &model, &err);
    }
    if (status != UT_OK) {
        CHECK_INT(err.status, status);
        CHECK(model == NULL);
        ut_error_format(&err, text, size);
    }
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}

static void load_tolerantly(const char* path, char* text, size_t size)
{
    load_model(path, false, text, size);
}

static void load_strictly(const char* path, char* text, size_t size)
{
    load_model(path, true, text, size);
}

static void decode(const char* path, char* text, size_t size)
{
    utArena arena;
    utText whole;
    MeshData mesh;
    HeightsData heights;
    utError err = {0};
    text[0] = 0;
    CHECK(ut_arena_create(0, NULL, &arena) == UT_OK);
    utStatus status = ut_text_read(path, 0, &arena, &whole, &err);
    if (status == UT_OK) {
        status = has_ending(path, ".png") || has_ending(path, ".bin")
                     ? ut_heights_decode(whole, path, NULL, &arena, &heights, &err)
                     : ut_mesh_decode(whole, path, NULL, &arena, &mesh, &err);
    }
    if (status != UT_OK) {
        CHECK_INT(err.status, status);
        ut_error_format(&err, text, size);
    }
    ut_arena_destroy(&arena);
}

// @return the number of files
static int check_folder(const char* folder, LoadFile* load)
{
    utArena arena = test_arena();
    utText list;
    utError err;
    char path[256], got[700];
    snprintf(path, sizeof path, "test/bad/%s/expected.txt", folder);
    if (!CHECK(ut_text_read(path, 0, &arena, &list, &err) == UT_OK)) {
        return 0;
    }
    int files = 0;
    for (char* line = (char*)list.data; *line != 0; files++) {
        char* end = strchr(line, '\n');
        char* blank = strchr(line, ' ');
        if (!CHECK(end != NULL && blank != NULL && blank < end)) {
            return files;
        }
        *end = *blank = 0;
        snprintf(path, sizeof path, "test/bad/%s/%s", folder, line);
        load(path, got, sizeof got);
        CHECK_TEXT(got, blank + 1);
        line = end + 1;
    }
    return files;
}

TEST(bad_files_are_refused_where_they_are_wrong)
{
    static const struct {
        const char* folder;
        LoadFile* load;
        int least; // files
    } folders[] = {
        {"mjcf", load_tolerantly, 430}, {"urdf", load_tolerantly, 90},
        {"strict", load_strictly, 20},  {"dae", decode, 30},
        {"mesh", decode, 75},
    };
    int all = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const int files = check_folder(folders[i].folder, folders[i].load);
        test_note("%d files in test/bad/%s", files, folders[i].folder);
        CHECK(files >= folders[i].least);
        all += files;
    }
    test_note("%d bad files", all);
}

TEST(strict_makes_the_first_note_with_physics_an_error)
{
    char got[700];
    load_tolerantly("test/io/models/noted.xml", got, sizeof got);
    CHECK_TEXT(got, "");
    load_strictly("test/io/models/noted.xml", got, sizeof got);
    CHECK_TEXT(got, "test/io/models/noted.xml:8:11: error: option.wind: not supported; without "
                    "--strict (utMjcfDef.strict) it is ignored");
    // strict accepts attributes for viewers
    load_strictly("test/io/models/pictures.xml", got, sizeof got);
    CHECK_TEXT(got, "");
}
