// SPDX-License-Identifier: Apache-2.0
// Whole files into an arena.
#include <uptack/base.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const size_t default_limit = (size_t)1 << 30;

// The C library need not say why it failed.
static const char* reason(int code)
{
    return code != 0 ? strerror(code) : "unknown reason";
}

static const char* advice(int code)
{
#ifdef EISDIR
    if (code == EISDIR) {
        return "name a file in it";
    }
#endif
    return "check that it is a file that may be read";
}

static utStatus too_long(const char* path, size_t limit, utError* err)
{
    return ut_error_at(err, UT_ERR_IO, path, 0, 0,
                       "longer than the %zu bytes accepted here; check that it is the right file",
                       limit);
}

static utStatus no_room(const char* path, size_t room, utError* err)
{
    return ut_error_at(err, UT_ERR_CAPACITY, path, 0, 0,
                       "longer than the %zu bytes of memory kept for it; give a larger arena",
                       room);
}

// Read all of `file` as the next push of `keep`. The bytes go where the push will be, since how
// many they are is known only at their end: a pipe has no size.
static utStatus read_all(FILE* file, const char* path, size_t limit, utArena* keep, utText* text,
                         utError* err)
{
    utArena rest = *keep;
    char* data = ut_arena_push(&rest, 0, 1);
    if (data == NULL || ut_arena_left(&rest) == 0) {
        return no_room(path, 0, err);
    }
    const size_t room = ut_arena_left(&rest) - 1; // one byte is for the final 0
    const size_t most = limit < room ? limit : room;

    errno = 0;
    const size_t size = fread(data, 1, most, file);
    const bool more = size == most && fgetc(file) != EOF;
    const int code = errno;
    if (ferror(file)) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "cannot be read: %s; %s", reason(code),
                           advice(code));
    }
    if (more) {
        return limit <= room ? too_long(path, limit, err) : no_room(path, room, err);
    }

    ut_arena_push(keep, size + 1, 1);
    data[size] = 0;
    *text = (utText){data, size};
    return UT_OK;
}

utStatus ut_text_read(const char* path, size_t limit, utArena* keep, utText* text, utError* err)
{
    if (limit == 0) {
        limit = default_limit;
    }
    if (strcmp(path, "-") == 0) {
        return read_all(stdin, "standard input", limit, keep, text, err);
    }

    errno = 0;
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0,
                           "cannot be opened: %s; check the path and who may read it",
                           reason(errno));
    }
    const utStatus status = read_all(file, path, limit, keep, text, err);
    fclose(file);
    return status;
}
