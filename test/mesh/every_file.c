// SPDX-License-Identifier: Apache-2.0
// Every mesh and picture below $UPTACK_DATA is decoded; files of Gmsh, which MuJoCo uses for soft
// bodies, are refused as such.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "files.h"

typedef struct Tally {
    int meshes, pictures, gmsh;
} Tally;

static void decode(const char* path, bool picture, Tally* tally)
{
    utArena memory;
    utText bytes;
    utError err = {0};
    CHECK_INT(ut_arena_create(0, NULL, &memory), UT_OK);
    MeshData mesh;
    HeightsData heights;
    if (CHECK_INT(ut_text_read(path, 0, &memory, &bytes, &err), UT_OK)) {
        const utStatus status = picture
                                    ? ut_heights_decode(bytes, path, NULL, &memory, &heights, &err)
                                    : ut_mesh_decode(bytes, path, NULL, &memory, &mesh, &err);
        const bool gmsh = status != UT_OK && strstr(err.message, "Gmsh") != NULL;
        if (!CHECK(status == UT_OK || gmsh)) {
            test_note("%s: %s", path, err.message);
        }
        tally->gmsh += gmsh;
        tally->meshes += status == UT_OK && !picture;
        tally->pictures += status == UT_OK && picture;
    }
    ut_arena_destroy(&memory);
}

static bool ends_with(const char* name, const char* small, const char* large)
{
    const size_t length = strlen(name);
    return length > 4 &&
           (strcmp(name + length - 4, small) == 0 || strcmp(name + length - 4, large) == 0);
}

static void walk(const char* folder, Tally* tally)
{
    DIR* dir = opendir(folder);
    const struct dirent* entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[1000];
        struct stat info;
        const char* name = entry->d_name;
        if (name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path ||
            stat(path, &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode)) {
            walk(path, tally);
        } else if (ends_with(name, ".png", ".PNG")) {
            decode(path, true, tally);
        } else if (ends_with(name, ".stl", ".STL") || ends_with(name, ".obj", ".OBJ") ||
                   ends_with(name, ".msh", ".MSH")) {
            decode(path, false, tally);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

TEST(every_public_mesh_is_decoded)
{
    const char* data = getenv("UPTACK_DATA");
    if (data == NULL) {
        test_skip("UPTACK_DATA is not set");
        return;
    }
    Tally tally = {0};
    walk(data, &tally);
    test_note("%d meshes, %d pictures, %d files of Gmsh", tally.meshes, tally.pictures, tally.gmsh);
    CHECK(tally.meshes > 300);
}
