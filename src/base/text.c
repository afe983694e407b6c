// SPDX-License-Identifier: Apache-2.0
// Reads complete files into an arena.
#include <uptack/base.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const size_t DEFAULT_LIMIT = (size_t)1 << 30; // bytes

// The C library may fail without a code.
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

static utStatus no_memory(const char* path, size_t size, utError* err)
{
    return ut_error_at(err, UT_ERR_CAPACITY, path, 0, 0,
                       "longer than the %zu bytes of memory kept for it; give a larger arena",
                       size);
}

static utStatus cannot_read(const char* path, int code, utError* err)
{
    return ut_error_at(err, UT_ERR_IO, path, 0, 0, "cannot be read: %s; %s", reason(code),
                       advice(code));
}

// The bytes of a file while it is read: the last push of `arena`, which uses its block to the end.
typedef struct Buffer {
    utArena arena;
    char* data;
    size_t size; // bytes read so far
} Buffer;

// Bytes that fit before the final 0.
static size_t room_of(const Buffer* b)
{
    return (size_t)(b->arena.end - (unsigned char*)b->data) - 1;
}

// Move the bytes to a block that is at least twice as large. @return false when there is no memory
static bool enlarge(Buffer* b)
{
    const size_t room = room_of(b) + 1;
    char* data = room <= SIZE_MAX / 2 ? ut_arena_push(&b->arena, 2 * room, 1) : NULL;
    if (data == NULL) {
        return false;
    }
    memcpy(data, b->data, b->size);
    b->data = data;
    return true;
}

static bool at_end(FILE* file)
{
    const int next = fgetc(file);
    return next == EOF || ungetc(next, file) == EOF;
}

// Read all of `file`. Its size is not asked for, because a pipe has none.
static utStatus read_all(FILE* file, const char* path, size_t limit, utArena* keep, utText* text,
                         utError* err)
{
    Buffer b = {.arena = *keep};
    b.data = ut_arena_push(&b.arena, 1, 1);
    if (b.data == NULL) {
        return no_memory(path, 0, err);
    }
    errno = 0;
    for (;;) {
        const size_t most = limit < room_of(&b) ? limit : room_of(&b);
        b.size += fread(b.data + b.size, 1, most - b.size, file);
        if (b.size < most || at_end(file)) {
            break;
        }
        if (b.size == limit) {
            return too_long(path, limit, err);
        }
        if (!enlarge(&b)) {
            return no_memory(path, b.size, err);
        }
    }
    if (ferror(file)) {
        return cannot_read(path, errno, err);
    }

    // keep only the bytes that were read and the final 0
    b.arena.next = (unsigned char*)b.data;
    ut_arena_push(&b.arena, b.size + 1, 1);
    *keep = b.arena;
    b.data[b.size] = 0;
    *text = (utText){b.data, b.size};
    return UT_OK;
}

// Is a file longer than the limit? Pipes, which have no size, are not.
static bool is_longer(FILE* file, size_t limit)
{
    const long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    (void)fseek(file, 0, SEEK_SET);
    errno = 0;
    return end > 0 && end < LONG_MAX && (unsigned long)end > limit;
}

utStatus ut_text_read(const char* path, size_t limit, utArena* keep, utText* text, utError* err)
{
    if (limit == 0) {
        limit = DEFAULT_LIMIT;
    }
    if (strcmp(path, "-") == 0) {
        return read_all(stdin, "standard input", limit, keep, text, err);
    }

    errno = 0;
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        return ut_error_at(err, errno == ENOMEM ? UT_ERR_MEMORY : UT_ERR_IO, path, 0, 0,
                           "cannot be opened: %s; check the path and who may read it",
                           reason(errno));
    }
    const utStatus status = is_longer(file, limit) ? too_long(path, limit, err)
                                                   : read_all(file, path, limit, keep, text, err);
    fclose(file);
    return status;
}
