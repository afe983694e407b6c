// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "test.h"

static int by_name(const void* a, const void* b)
{
    return strcmp(a, b);
}

static bool is_model(const char* name)
{
    const char* dot = strrchr(name, '.');
    return dot != NULL && (strcmp(dot, ".xml") == 0 || strcmp(dot, ".urdf") == 0);
}

static void add_files(const char* folder, Files* files)
{
    DIR* dir = opendir(folder);
    const struct dirent* entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[FILES_PATH];
        struct stat info;
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "defects") == 0 ||
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path ||
            stat(path, &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode)) {
            add_files(path, files);
        } else if (is_model(entry->d_name) && CHECK(files->count < FILES_MAX)) {
            memcpy(files->path[files->count++], path, sizeof path);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

void files_list(const char* folder, Files* files)
{
    files->count = 0;
    add_files(folder, files);
    qsort(files->path, (size_t)files->count, FILES_PATH, by_name);
}
