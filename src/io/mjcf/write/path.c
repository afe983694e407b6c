// SPDX-License-Identifier: Apache-2.0
// Paths of mesh files, relative to the folder of the text.
#include <string.h>

#include "writer.h"

// The bytes that two paths share up to a slash.
static size_t shared_folders(const char* a, const char* b)
{
    size_t shared = 0;
    for (size_t i = 0; a[i] != 0 && a[i] == b[i]; i++) {
        shared = a[i] == '/' ? i + 1 : shared;
    }
    return shared;
}

// The number of folders in the rest of a path; -1 when one of them is "..", which cannot be undone.
static int folders_in(const char* path)
{
    int count = 0;
    for (const char* at = path; *at != 0;) {
        const char* slash = strchr(at, '/');
        const size_t size = slash != NULL ? (size_t)(slash - at) : strlen(at);
        if (size == 2 && at[0] == '.' && at[1] == '.') {
            return -1;
        }
        count += slash != NULL && size > 0 && !(size == 1 && at[0] == '.');
        at = slash != NULL ? slash + 1 : at + size;
    }
    return count;
}

void ut_write_path(Writer* w, const char* attribute, const char* path)
{
    const char* folder = w->how->folder;
    if (folder == NULL || (path[0] == '/') != (folder[0] == '/')) {
        ut_write_text(w, attribute, path); // absolute, or nothing to be relative to
        return;
    }
    const size_t shared = shared_folders(path, folder);
    const int up = folders_in(folder + shared);
    if (up < 0 || up >= WRITER_MAX_UP) {
        ut_write_text(w, attribute, path);
        return;
    }
    const char* piece[WRITER_MAX_UP + 1];
    for (int i = 0; i < up; i++) {
        piece[i] = "../";
    }
    piece[up] = path + shared;
    ut_write_list(w, attribute, up + 1, piece, "");
}
