// SPDX-License-Identifier: Apache-2.0
// What a path names. Systems without POSIX do not say.
#define _DEFAULT_SOURCE
#include "file_kind.h"

#include <stddef.h>

#if defined(__unix__) || defined(__APPLE__)

#include <sys/stat.h>

const char* ut_file_stream_kind(const char* path)
{
    struct stat file;
    if (stat(path, &file) != 0) {
        return NULL;
    }
    if (S_ISCHR(file.st_mode) || S_ISBLK(file.st_mode)) {
        return "a device";
    }
    return S_ISFIFO(file.st_mode) ? "a pipe" : S_ISSOCK(file.st_mode) ? "a socket" : NULL;
}

#else

const char* ut_file_stream_kind(const char* path)
{
    (void)path;
    return NULL;
}

#endif
