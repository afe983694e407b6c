// SPDX-License-Identifier: Apache-2.0
// The entry to all formats, and MuJoCo's two binary ones, which are arrays behind a short header.
#include "io/mesh/decode.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// ---- messages -----------------------------------------------------------------------------------

utStatus ut_decode_fail(const Decode* d, size_t byte, const char* format, ...)
{
    char what[sizeof d->err->message];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return ut_error_at(d->err, UT_ERR_FORMAT, d->file, 0, 0, "byte %zu: %.200s", byte, what);
}

utStatus ut_decode_fail_at(const Decode* d, const char* at, const char* format, ...)
{
    char what[sizeof d->err->message];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    int line = 1;
    const char* begin = d->text.data;
    for (const char* c = d->text.data; c < at; c++) {
        if (*c == '\n') {
            line++;
            begin = c + 1;
        }
    }
    return ut_error_at(d->err, UT_ERR_FORMAT, d->file, line, (int)(at - begin) + 1, "%s", what);
}

utStatus ut_decode_no_memory(const Decode* d)
{
    return ut_error_at(d->err, UT_ERR_MEMORY, d->file, 0, 0, "memory is short");
}

utStatus ut_decode_count(const Decode* d, uint64_t vertices, uint64_t triangles)
{
    if (vertices > (uint64_t)d->limits->vertices || vertices > INT_MAX / 16) {
        return ut_error_at(d->err, UT_ERR_FORMAT, d->file, 0, 0,
                           "more than %d vertices; utLimits.vertices sets the limit",
                           d->limits->vertices);
    }
    if (triangles > (uint64_t)d->limits->triangles || triangles > INT_MAX / 16) {
        return ut_error_at(d->err, UT_ERR_FORMAT, d->file, 0, 0,
                           "more than %d triangles; utLimits.triangles sets the limit",
                           d->limits->triangles);
    }
    return UT_OK;
}

bool ut_coordinate_good(double x)
{
    return isfinite((float)x);
}

// ---- MSH ----------------------------------------------------------------------------------------

// Four counts (vertices, normals, texture coordinates, triangles) and their arrays, little-endian.
utStatus ut_msh_decode(const Decode* d, MeshData* data)
{
    enum { HEADER = 16 };
    if (d->text.size < HEADER) {
        return ut_decode_fail(d, d->text.size, "the file ends within its header of 16 bytes");
    }
    if (memcmp(d->text.data, "$MeshFormat", 11) == 0) {
        return ut_decode_fail(d, 0, "this is a file of Gmsh; convert it to STL or OBJ");
    }
    uint64_t count[4];
    for (int k = 0; k < 4; k++) {
        count[k] = ut_little_u32(d->text.data + 4 * k);
    }
    const uint64_t expected = HEADER + 12 * count[0] + 12 * count[1] + 8 * count[2] + 12 * count[3];
    if (expected != d->text.size) {
        return ut_decode_fail(d, 0,
                              "the header asks for %llu bytes but the file has %zu; is it a binary "
                              "MSH file of MuJoCo?",
                              (unsigned long long)expected, d->text.size);
    }
    UT_TRY(ut_decode_count(d, count[0], count[3]));
    data->vertices = (int)count[0];
    data->triangles = (int)count[3];
    data->vertex = UT_PUSH(d->keep, double, 3 * count[0] + 1);
    data->triangle = UT_PUSH(d->keep, int, 3 * count[3] + 1);
    if (data->vertex == NULL || data->triangle == NULL) {
        return ut_decode_no_memory(d);
    }
    for (size_t k = 0; k < 3 * count[0]; k++) {
        data->vertex[k] = (double)ut_little_float(d->text.data + HEADER + 4 * k);
        if (!ut_coordinate_good(data->vertex[k])) {
            return ut_decode_fail(d, HEADER + 4 * k, "a coordinate of vertex %zu is not finite",
                                  k / 3);
        }
    }
    const size_t faces = (size_t)(d->text.size - 12 * count[3]);
    for (size_t k = 0; k < 3 * count[3]; k++) {
        const uint32_t v = ut_little_u32(d->text.data + faces + 4 * k);
        if (v >= count[0]) {
            return ut_decode_fail(d, faces + 4 * k, "triangle %zu has vertex %u; there are %d",
                                  k / 3, (unsigned)v, data->vertices);
        }
        data->triangle[k] = (int)v;
    }
    return UT_OK;
}

// ---- height fields ------------------------------------------------------------------------------

// The numbers of rows and columns, then the heights, little-endian.
static utStatus read_heights(const Decode* d, HeightsData* data)
{
    enum { HEADER = 8 };
    if (d->text.size < HEADER) {
        return ut_decode_fail(d, d->text.size, "the file ends within its header of 8 bytes");
    }
    const uint64_t rows = ut_little_u32(d->text.data), columns = ut_little_u32(d->text.data + 4);
    // compare by division, because the product of two large counts overflows
    const uint64_t numbers = (d->text.size - HEADER) / 4;
    if (rows == 0 || columns == 0 || d->text.size % 4 != 0 || numbers % rows != 0 ||
        numbers / rows != columns) {
        return ut_decode_fail(
            d, 0, "the header says %llu rows and %llu columns, but %llu numbers follow",
            (unsigned long long)rows, (unsigned long long)columns, (unsigned long long)numbers);
    }
    if (numbers > (uint64_t)d->limits->pixels) {
        return ut_error_at(d->err, UT_ERR_FORMAT, d->file, 0, 0,
                           "more than %d heights; utLimits.pixels sets the limit",
                           d->limits->pixels);
    }
    data->rows = (int)rows;
    data->columns = (int)columns;
    data->height = UT_PUSH(d->keep, double, numbers);
    if (data->height == NULL) {
        return ut_decode_no_memory(d);
    }
    for (size_t k = 0; k < numbers; k++) {
        data->height[k] = (double)ut_little_float(d->text.data + HEADER + 4 * k);
        if (!isfinite(data->height[k])) {
            return ut_decode_fail(d, HEADER + 4 * k, "height %zu is not finite", k);
        }
    }
    return UT_OK;
}

// ---- by name ------------------------------------------------------------------------------------

// Does a name end so? Capital letters do not matter.
static bool ends_with(const char* name, const char* ending)
{
    const size_t size = strlen(name), length = strlen(ending);
    for (size_t k = 0; size >= length && k < length; k++) {
        const char c = name[size - length + k];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != ending[k]) {
            return false;
        }
    }
    return size >= length;
}

utStatus ut_mesh_decode(utText text, const char* file, const utLimits* limits, utArena* keep,
                        MeshData* data, utError* err)
{
    const utLimits defaults = ut_limits();
    const Decode d = {text, file, limits != NULL ? limits : &defaults, keep, err};
    *data = (MeshData){0};
    if (ends_with(file, ".stl")) {
        return ut_stl_decode(&d, data);
    }
    if (ends_with(file, ".obj")) {
        return ut_obj_decode(&d, data);
    }
    if (ends_with(file, ".msh")) {
        return ut_msh_decode(&d, data);
    }
    if (ends_with(file, ".dae")) {
        return ut_dae_decode(&d, data);
    }
    return ut_error_at(err, UT_ERR_FORMAT, file, 0, 0,
                       "unknown kind of mesh file; convert it to .stl, .obj, .dae or .msh");
}

utStatus ut_heights_decode(utText text, const char* file, const utLimits* limits, utArena* keep,
                           HeightsData* data, utError* err)
{
    const utLimits defaults = ut_limits();
    const Decode d = {text, file, limits != NULL ? limits : &defaults, keep, err};
    *data = (HeightsData){0};
    const bool png = text.size >= 4 && memcmp(text.data, "\x89PNG", 4) == 0;
    return png || ends_with(file, ".png") ? ut_png_decode(&d, data) : read_heights(&d, data);
}
