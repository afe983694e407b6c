// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "program.h"

#ifndef __EMSCRIPTEN__

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 400 };

static char folder[] = "/tmp/uptack-test-XXXXXX";

// The files asked for so far.
typedef struct File {
    char name[16];
    char path[sizeof folder + 16];
} File;

static File files[MAX_FILES];
static int file_count;

static void remove_folder(void)
{
    for (int i = 0; i < file_count; i++) {
        unlink(files[i].path);
    }
    rmdir(folder);
}

const char* program(void)
{
    static bool have_folder;
    const char* path = getenv("UPTACK_CLI");
    if (path == NULL) {
        test_skip("UPTACK_CLI does not name the program");
        return NULL;
    }
    if (!have_folder) {
        have_folder = mkdtemp(folder) != NULL;
        atexit(remove_folder);
    }
    return have_folder ? path : NULL;
}

const char* program_folder(void)
{
    return folder;
}

const char* path_in_folder(const char* name)
{
    for (int i = 0; i < file_count; i++) {
        if (strcmp(files[i].name, name) == 0) {
            return files[i].path;
        }
    }
    if (!CHECK(file_count < MAX_FILES && strlen(name) < sizeof files->name)) {
        return files[0].path;
    }
    File* file = &files[file_count++];
    snprintf(file->name, sizeof file->name, "%s", name);
    snprintf(file->path, sizeof file->path, "%s/%s", folder, name);
    return file->path;
}

const char* write_file(const char* name, const char* text)
{
    const char* path = path_in_folder(name);
    FILE* file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
    return path;
}

void read_file(const char* name, char* text, size_t room)
{
    FILE* file = fopen(path_in_folder(name), "rb");
    size_t size = 0;
    if (CHECK(file != NULL)) {
        size = fread(text, 1, room - 1, file);
        fclose(file);
    }
    text[size] = 0;
}

bool has(const char* text, const char* part)
{
    const bool there = strstr(text, part) != NULL;
    if (!there) {
        test_note("no \"%s\" in \"%s\"", part, text);
    }
    return there;
}

#endif
