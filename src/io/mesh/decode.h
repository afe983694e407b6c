// SPDX-License-Identifier: Apache-2.0
// Shared by the decoders: numbers in bytes, messages, and a list of vertices without duplicates.
#ifndef UPTACK_IO_MESH_DECODE_H
#define UPTACK_IO_MESH_DECODE_H

#include "io/mesh/mesh_file.h"

#include <string.h>

// One file being decoded.
typedef struct Decode {
    utText text;
    const char* file;
    const utLimits* limits;
    utArena* keep; // holds the result and everything that is needed on the way
    utError* err;
} Decode;

// ---- numbers ------------------------------------------------------------------------------------

static inline uint32_t ut_little_u32(const char* at)
{
    const unsigned char* b = (const unsigned char*)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint32_t ut_big_u32(const char* at)
{
    const unsigned char* b = (const unsigned char*)at;
    return (uint32_t)b[3] | (uint32_t)b[2] << 8 | (uint32_t)b[1] << 16 | (uint32_t)b[0] << 24;
}

// A number of single precision.
static inline float ut_little_float(const char* at)
{
    const uint32_t bits = ut_little_u32(at);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Is a coordinate finite, also in single precision?
bool ut_coordinate_good(double x);

// ---- messages -----------------------------------------------------------------------------------

// An error at a byte: "file: error: byte 84: ...". @return UT_ERR_FORMAT
utStatus ut_decode_fail(const Decode* d, size_t byte, const char* format, ...) UT_PRINTF(3, 4);
// An error at a place of a text file: "file:3:7: error: ...". @return UT_ERR_FORMAT
utStatus ut_decode_fail_at(const Decode* d, const char* at, const char* format, ...)
    UT_PRINTF(3, 4);
utStatus ut_decode_no_memory(const Decode* d);
// Check counts against the limits. @return UT_ERR_FORMAT
utStatus ut_decode_count(const Decode* d, uint64_t vertices, uint64_t triangles);

// ---- triangles without shared vertices ----------------------------------------------------------

// STL repeats the corners of its triangles. Give equal corners one number, in the order of their
// first appearance. @param corner 9 coordinates per triangle
utStatus ut_decode_corners(const Decode* d, int triangles, const float* corner, MeshData* data);

// Divide a polygon into triangles. @param corners at least 3 @param triangle 3 (corners - 2) entries
void ut_polygon_divide(int corners, const int* corner, const double* vertex, int* triangle);

// ---- formats ------------------------------------------------------------------------------------

utStatus ut_stl_decode(const Decode* d, MeshData* data);
utStatus ut_obj_decode(const Decode* d, MeshData* data);
utStatus ut_msh_decode(const Decode* d, MeshData* data);
utStatus ut_dae_decode(const Decode* d, MeshData* data);
utStatus ut_png_decode(const Decode* d, HeightsData* data);

// Decompress zlib data (RFC 1950, 1951) of exactly `size` bytes. @param from place of its first byte
// in the file, for messages
utStatus ut_inflate(const Decode* d, utText data, size_t from, unsigned char* out, size_t size);

#endif
