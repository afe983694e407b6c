// SPDX-License-Identifier: Apache-2.0
// The scenes of this benchmark and the files of a folder.
#define _POSIX_C_SOURCE 200809L
#include "bench_coulomb.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int contacts;
    int rows, columns; // of a wall
} sizes[SCENE_GROUPS] = {{4, 1, 1}, {10, 1, 2}, {34, 2, 3}, {100, 3, 5}, {334, 5, 9}};

// files go by their contacts: up to 50, up to 150, more
static const int file_limits[2] = {50, 150};

const char* group_name(int group)
{
    static const char* const names[GROUPS] = {
        "scenes of about 4 contacts",   "scenes of about 10 contacts",
        "scenes of about 34 contacts",  "scenes of about 100 contacts",
        "scenes of about 334 contacts", "files of up to 50 contacts",
        "files of 51 to 150 contacts",  "files of more than 150 contacts"};
    return names[group];
}

// ---- scenes -------------------------------------------------------------------------------------

enum { SCENES = 7 };

static utFrictionDef scene_def(int scene, const char** name)
{
    static const struct {
        const char* name;
        utFrictionScene scene;
        double ratio;
        double jitter;
        uint64_t seed;
    } scenes[SCENES] = {
        {"stack", UT_FRICTION_STACK, 1.0, 0.0, 0},
        {"stack-1000", UT_FRICTION_STACK, 1000.0, 0.0, 0},
        {"wall", UT_FRICTION_WALL, 1.0, 0.0, 0},
        {"wedge", UT_FRICTION_WEDGE, 1.0, 0.05, 1},
        {"pile-1", UT_FRICTION_PILE, 10.0, 0.0, 1},
        {"pile-2", UT_FRICTION_PILE, 10.0, 0.0, 2},
        {"pile-3", UT_FRICTION_PILE, 10.0, 0.0, 3},
    };
    utFrictionDef def = ut_friction_def(scenes[scene].scene);
    def.ratio = scenes[scene].ratio;
    def.jitter = scenes[scene].jitter;
    def.seed = scenes[scene].seed;
    def.push = ut_vec3(0.5, 0.2, 0.0);
    def.sparse = true;
    *name = scenes[scene].name;
    return def;
}

static int add_scenes(Source* sources, int capacity)
{
    int count = 0;
    for (int size = 0; size < SCENE_GROUPS; size++) {
        for (int scene = 0; scene < SCENES && count < capacity; scene++) {
            const char* name;
            Source* source = &sources[count++];
            *source = (Source){.group = size, .contacts = sizes[size].contacts};
            source->def = scene_def(scene, &name);
            source->def.rows = sizes[size].rows;
            source->def.columns = sizes[size].columns;
            snprintf(source->name, sizeof source->name, "%s", name);
        }
    }
    return count;
}

// ---- files --------------------------------------------------------------------------------------

// `fc d nc nnz` begins a file. @return false when it does not
static bool look_at(const char* path, int* dimension, int* contacts)
{
    FILE* file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    bool good = fscanf(file, "fc %d %d", dimension, contacts) == 2;
    fclose(file);
    return good;
}

static int by_group_and_name(const void* a, const void* b)
{
    const Source* x = a;
    const Source* y = b;
    int size = (x->contacts > y->contacts) - (x->contacts < y->contacts);
    return size != 0 ? size : strcmp(x->name, y->name);
}

static int add_files(const char* folder, Source* sources, int capacity, int* plane)
{
    int count = 0;
    DIR* dir = opendir(folder);
    for (struct dirent* entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        const char* dot = strrchr(entry->d_name, '.');
        Source file = {.group = GROUPS - 1};
        int dimension;
        if (dot == NULL || strcmp(dot, ".fc") != 0 || count == capacity) {
            continue;
        }
        int length = snprintf(file.path, sizeof file.path, "%s/%s", folder, entry->d_name);
        if (length >= (int)sizeof file.path || !look_at(file.path, &dimension, &file.contacts)) {
            continue;
        }
        if (dimension != 3) {
            (*plane)++;
            continue;
        }
        for (int g = 1; g >= 0; g--) {
            file.group = file.contacts <= file_limits[g] ? SCENE_GROUPS + g : file.group;
        }
        snprintf(file.name, sizeof file.name, "%.*s", (int)(dot - entry->d_name), entry->d_name);
        sources[count++] = file;
    }
    if (dir != NULL) {
        closedir(dir);
    }
    qsort(sources, (size_t)count, sizeof *sources, by_group_and_name);
    return count;
}

int sources_find(const char* files, Source* sources, int capacity, int* plane)
{
    *plane = 0;
    int count = add_scenes(sources, capacity);
    if (files != NULL) {
        count += add_files(files, sources + count, capacity - count, plane);
    }
    return count;
}
