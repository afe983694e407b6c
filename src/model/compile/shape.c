// SPDX-License-Identifier: Apache-2.0
// Hulls, meshes and height fields. The model has its own copy of each, because the caller may change
// or free the original. Data that several geoms share is copied once.
#include "model/internal.h"

#include <stddef.h>
#include <string.h>

#include "geom/mesh_tree.h"

// ---- structs and their arrays -------------------------------------------------------------------

enum { MAX_ARRAYS = 10 }; // of a hull, which has the most

// An array that a struct points to.
typedef struct Array {
    size_t pointer; ///< offset of the pointer in the struct
    size_t count;
    size_t size; ///< of an entry
} Array;

// A struct and the arrays that it points to.
typedef struct Data {
    const void* from; ///< NULL: none
    size_t size;
    int arrays;
    Array array[MAX_ARRAYS];
} Data;

static void add_array(Data* data, size_t pointer, int count, size_t size)
{
    data->array[data->arrays++] = (Array){pointer, (size_t)count, size};
}

static Data hull_data(const utHull* hull)
{
    Data data = {.from = hull, .size = sizeof *hull};
    const int twice = 2 * hull->edges; // each edge has two ends and two faces
    add_array(&data, offsetof(utHull, vertex), hull->vertices, sizeof *hull->vertex);
    add_array(&data, offsetof(utHull, vertex_start), hull->vertices + 1, sizeof(int));
    add_array(&data, offsetof(utHull, neighbour), twice, sizeof(int));
    add_array(&data, offsetof(utHull, normal), hull->faces, sizeof *hull->normal);
    add_array(&data, offsetof(utHull, offset), hull->faces, sizeof *hull->offset);
    add_array(&data, offsetof(utHull, face_start), hull->faces + 1, sizeof(int));
    add_array(&data, offsetof(utHull, face_vertex), twice, sizeof(int));
    add_array(&data, offsetof(utHull, face_edge), twice, sizeof(int));
    add_array(&data, offsetof(utHull, edge_vertex), twice, sizeof(int));
    add_array(&data, offsetof(utHull, edge_face), twice, sizeof(int));
    return data;
}

static Data mesh_data(const utMesh* mesh)
{
    Data data = {.from = mesh, .size = sizeof *mesh};
    const int sides = 3 * mesh->triangles;
    add_array(&data, offsetof(utMesh, vertex), mesh->vertices, sizeof *mesh->vertex);
    add_array(&data, offsetof(utMesh, triangle), sides, sizeof *mesh->triangle);
    add_array(&data, offsetof(utMesh, adjacent), sides, sizeof *mesh->adjacent);
    add_array(&data, offsetof(utMesh, convex), sides, sizeof *mesh->convex);
    add_array(&data, offsetof(utMesh, normal), mesh->triangles, sizeof *mesh->normal);
    add_array(&data, offsetof(utMesh, node), mesh->nodes, sizeof *mesh->node);
    return data;
}

static Data heights_data(const utHeights* heights)
{
    Data data = {.from = heights, .size = sizeof *heights};
    add_array(&data, offsetof(utHeights, height), heights->rows * heights->columns,
              sizeof *heights->height);
    return data;
}

// @return {0} for shapes that their size determines
static Data data_of(const utShape* shape)
{
    switch (shape->kind) {
    case UT_SHAPE_HULL:
        return hull_data(shape->hull);
    case UT_SHAPE_MESH:
        return mesh_data(shape->mesh);
    case UT_SHAPE_HEIGHTS:
        return heights_data(shape->heights);
    case UT_SHAPE_PLANE:
    case UT_SHAPE_SPHERE:
    case UT_SHAPE_CAPSULE:
    case UT_SHAPE_BOX:
    case UT_SHAPE_CYLINDER:
    case UT_SHAPE_ELLIPSOID:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return (Data){0};
}

// ---- copies -------------------------------------------------------------------------------------

static const void* data_address(const utShape* shape)
{
    return shape->kind == UT_SHAPE_HULL      ? (const void*)shape->hull
           : shape->kind == UT_SHAPE_MESH    ? (const void*)shape->mesh
           : shape->kind == UT_SHAPE_HEIGHTS ? (const void*)shape->heights
                                             : NULL;
}

// The last geom of the model before `geom` that was described with the same data; -1 for none.
static int shared_with(const Work* work, int geom)
{
    const int* described = work->scratch.described_geom;
    const void* data = data_address(&ut_model_geom_def(work->def, described[geom])->shape);
    for (int i = geom - 1; i >= 0 && data != NULL; i--) {
        if (data_address(&ut_model_geom_def(work->def, described[i])->shape) == data) {
            return i;
        }
    }
    return -1;
}

static void* copy_bytes(utArena* keep, const void* from, size_t count, size_t size)
{
    void* copy = ut_arena_push(keep, count, size);
    if (copy != NULL && count > 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

// Copy the struct and its arrays. @return NULL when memory is short
static void* copy_data(utArena* keep, const Data* data)
{
    unsigned char* copy = copy_bytes(keep, data->from, 1, data->size);
    for (int k = 0; copy != NULL && k < data->arrays; k++) {
        const Array* part = &data->array[k];
        const void* array;
        memcpy(&array, copy + part->pointer, sizeof array);
        array = copy_bytes(keep, array, part->count, part->size);
        memcpy(copy + part->pointer, &array, sizeof array);
    }
    return copy;
}

void ut_model_keep_shape(Work* work, int geom)
{
    utShape* shape = &work->array.geom[geom].shape;
    const Data data = data_of(shape);
    if (data.from == NULL) {
        return;
    }
    const int shared = shared_with(work, geom);
    const void* copy =
        shared >= 0 ? data_address(&work->array.geom[shared].shape) : copy_data(&work->keep, &data);
    switch (shape->kind) {
    case UT_SHAPE_HULL:
        shape->hull = copy;
        break;
    case UT_SHAPE_MESH:
        shape->mesh = copy;
        break;
    default:
        shape->heights = copy;
        break;
    }
}
