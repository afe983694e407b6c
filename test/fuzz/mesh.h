// SPDX-License-Identifier: Apache-2.0
// Shared by the targets that decode meshes and height fields: whatever the bytes, they are decoded or
// rejected with a message, without memory beyond a multiple of their size; a mesh that is decoded
// compiles or is rejected.
#ifndef UPTACK_TEST_FUZZ_MESH_H
#define UPTACK_TEST_FUZZ_MESH_H

#include "fuzz.h"

#include <math.h>

#include "io/mesh/decode.h"

enum { MEMORY_PER_BYTE = 400, MAX_COMPILED_VERTICES = 200 };

/// Coordinates and triangles of a tetrahedron.
static const float corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t face[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static inline void put(uint8_t** at, const void* bytes, size_t size)
{
    memcpy(*at, bytes, size); // tests run on little-endian machines
    *at += size;
}

/// Memory for an input of this size.
static inline utArena fuzz_memory(size_t size)
{
    static unsigned char memory[(size_t)MEMORY_PER_BYTE * FUZZ_ROOM + 4096];
    return ut_arena_on(memory, MEMORY_PER_BYTE * size + 4096);
}

/// Compile a mesh that was decoded.
static inline void compile_mesh(const MeshData* data)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    MUST(ut_model_def_create(NULL, &def) == UT_OK);
    utMeshDef mesh = ut_mesh_def();
    mesh.vertices = data->vertices;
    mesh.vertex = data->vertex;
    mesh.triangles = data->triangles;
    mesh.triangle = data->triangle;
    mesh.mass_triangles = data->first_object;
    utGeomDef geom = ut_geom_def(0, UT_SHAPE_HULL, ut_vec3_zero());
    geom.mesh = ut_model_def_mesh(def, &mesh);
    MUST(ut_model_def_geom(def, &geom) == 0);
    MUST(ut_model_compile(def, NULL, &model, &err) == UT_OK || err.message[0] != '\0');
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}

/// Decode and compile a mesh. @param name its ending tells the format
static inline void fuzz_mesh(const uint8_t* data, size_t size, const char* name)
{
    utArena keep = fuzz_memory(size);
    utError err = {0};
    MeshData mesh;
    const utText text = {(const char*)data, size};
    const utStatus status = ut_mesh_decode(text, name, NULL, &keep, &mesh, &err);
    MUST(status == UT_OK || (status == UT_ERR_FORMAT && err.message[0] != '\0'));
    if (status != UT_OK) {
        return;
    }
    for (int i = 0; i < 3 * mesh.triangles; i++) {
        MUST(mesh.triangle[i] >= 0 && mesh.triangle[i] < mesh.vertices);
    }
    for (int i = 0; i < 3 * mesh.vertices; i++) {
        MUST(isfinite(mesh.vertex[i]));
    }
    if (mesh.vertices < MAX_COMPILED_VERTICES) {
        compile_mesh(&mesh);
    }
}

/// Decode a height field. @param name its ending tells the format
static inline void fuzz_heights(const uint8_t* data, size_t size, const char* name)
{
    utArena keep = fuzz_memory(size);
    utError err = {0};
    HeightsData heights;
    utLimits limits = ut_limits();
    limits.pixels = FUZZ_ROOM; // a compressed picture may be larger than its file
    const utText text = {(const char*)data, size};
    const utStatus status = ut_heights_decode(text, name, &limits, &keep, &heights, &err);
    MUST(status == UT_OK || (status == UT_ERR_FORMAT && err.message[0] != '\0') ||
         status == UT_ERR_MEMORY);
    for (int i = 0; status == UT_OK && i < heights.rows * heights.columns; i++) {
        MUST(isfinite(heights.height[i]));
    }
}

#endif
