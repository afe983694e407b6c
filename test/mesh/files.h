// SPDX-License-Identifier: Apache-2.0
// Small files in memory, for the tests of decoders.
#ifndef UPTACK_TEST_MESH_FILES_H
#define UPTACK_TEST_MESH_FILES_H

#include <string.h>

#include "io/mesh/mesh_file.h"
#include "test.h"

/// Bytes under construction.
typedef struct Bytes {
    unsigned char data[4096];
    size_t size;
} Bytes;

static inline void put_little(Bytes* b, uint32_t x)
{
    for (int k = 0; k < 4; k++) {
        b->data[b->size++] = (unsigned char)(x >> 8 * k);
    }
}

static inline void put_float(Bytes* b, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_little(b, bits);
}

static inline void put_zeros(Bytes* b, size_t count)
{
    memset(b->data + b->size, 0, count);
    b->size += count;
}

static inline utText text_of(const Bytes* b)
{
    return (utText){(const char*)b->data, b->size};
}

static inline utText text(const char* words)
{
    return (utText){words, strlen(words)};
}

/// Check that a mesh is refused with this message, which follows "file:line:col: error: ".
static inline void check_refused(utText bytes, const char* file, const char* want)
{
    utArena arena = test_arena();
    MeshData data;
    utError err = {0};
    char got[600];
    CHECK_INT(ut_mesh_decode(bytes, file, NULL, &arena, &data, &err), UT_ERR_FORMAT);
    ut_error_format(&err, got, sizeof got);
    CHECK_TEXT(got, want);
}

#endif
