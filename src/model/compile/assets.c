// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields that geoms refer to, and geoms with their final shapes. Geoms of one asset
// share its hull. A mesh that no geom refers to is not built.
#include "model/internal.h"

#include <string.h>

#include "model/mesh_asset.h"

// ---- building -----------------------------------------------------------------------------------

// A mesh with the shapes that geoms need; NULL: not built yet.
typedef struct BuiltMesh {
    MeshAsset* asset;
    utHull* hull;
    utMesh* surface;
} BuiltMesh;

typedef struct Build {
    const utModelDef* def;
    utArena* memory;
    utArena scratch;
    utError* err;
    BuiltMesh* mesh;
    utHeights** heights; // NULL: not built yet
    bool* paired;        // per geom: it is in an explicit pair
} Build;

// Report a shape that cannot be built, at the geom that needs it.
static utStatus shape_status(const Build* b, int geom, utStatus status, const utError* why,
                             const char* advice)
{
    if (status != UT_ERR_ARGUMENT) {
        return status == UT_ERR_CAPACITY ? UT_ERR_MEMORY : status;
    }
    return UT_MODEL_FAIL(b->err, ut_model_geom_def(b->def, geom)->origin, "%s: %.120s; %s",
                         ut_model_geom_label(b->def, geom).text, why->message, advice);
}

static utStatus build_asset(const Build* b, int mesh)
{
    BuiltMesh* built = &b->mesh[mesh];
    if (built->asset != NULL) {
        return UT_OK;
    }
    MeshAsset* asset = UT_PUSH(b->memory, MeshAsset, 1);
    if (asset == NULL) {
        return UT_ERR_MEMORY;
    }
    UT_TRY(ut_mesh_asset(ut_model_mesh_def(b->def, mesh), b->memory, b->scratch, asset, b->err));
    built->asset = asset;
    return UT_OK;
}

static utStatus build_hull(const Build* b, int geom, int mesh)
{
    BuiltMesh* built = &b->mesh[mesh];
    if (built->hull != NULL) {
        return UT_OK;
    }
    utHull* hull = UT_PUSH(b->memory, utHull, 1);
    if (hull == NULL) {
        return UT_ERR_MEMORY;
    }
    utError why = {0};
    const int most = ut_model_mesh_def(b->def, mesh)->max_hull_vertices;
    const utStatus status =
        ut_mesh_asset_hull(built->asset, most, b->memory, b->scratch, hull, &why);
    UT_TRY(shape_status(b, geom, status, &why,
                        "let a thin box collide instead, or set contype and conaffinity to 0"));
    built->hull = hull;
    return UT_OK;
}

static utStatus build_surface(const Build* b, int geom, int mesh)
{
    BuiltMesh* built = &b->mesh[mesh];
    if (built->surface != NULL) {
        return UT_OK;
    }
    utMesh* surface = UT_PUSH(b->memory, utMesh, 1);
    if (surface == NULL) {
        return UT_ERR_MEMORY;
    }
    utError why = {0};
    const MeshAsset* a = built->asset;
    const utStatus status = a->triangles > 0
                                ? ut_mesh_build(a->vertices, a->vertex, a->triangles, a->triangle,
                                                b->memory, b->scratch, surface, &why)
                                : ut_error_set(&why, UT_ERR_ARGUMENT, "its mesh has no triangles");
    UT_TRY(shape_status(b, geom, status, &why, "let its convex hull collide instead"));
    built->surface = surface;
    return UT_OK;
}

// Map the heights to 0 ... size[2].
static utStatus build_heights(const Build* b, int geom, int i)
{
    const utHeightsDef* def = ut_model_heights_def(b->def, i);
    const size_t count = (size_t)def->rows * (size_t)def->columns;
    utHeights* heights = UT_PUSH(b->memory, utHeights, 1);
    double* height = UT_PUSH(b->memory, double, count);
    if (heights == NULL || height == NULL) {
        return UT_ERR_MEMORY;
    }
    double low = def->height[0], high = def->height[0];
    for (size_t k = 1; k < count; k++) {
        low = fmin(low, def->height[k]);
        high = fmax(high, def->height[k]);
    }
    for (size_t k = 0; k < count; k++) {
        height[k] = high > low ? (def->height[k] - low) / (high - low) * def->size[2] : 0.0;
    }
    utError why = {0};
    const utStatus status = ut_heights_build(def->columns, def->rows, height, heights, &why);
    UT_TRY(shape_status(b, geom, status, &why, "check the heights"));
    b->heights[i] = heights;
    return UT_OK;
}

// ---- geoms --------------------------------------------------------------------------------------

static bool collides(const Build* b, int i)
{
    const utGeomDef* geom = ut_model_geom_def(b->def, i);
    return geom->contype != 0 || geom->conaffinity != 0 || b->paired[i];
}

// Pairs are checked later, so their numbers may be out of range.
static void mark_pairs(Build* b)
{
    const unsigned geoms = (unsigned)b->def->geom.count;
    memset(b->paired, 0, geoms * sizeof *b->paired);
    for (int i = 0; i < b->def->pair.count; i++) {
        const utPairDef* pair = ut_model_pair_def(b->def, i);
        const int geom[2] = {pair->geom1, pair->geom2};
        for (int k = 0; k < 2; k++) {
            if ((unsigned)geom[k] < geoms) {
                b->paired[geom[k]] = true;
            }
        }
    }
}

// A mesh that does not collide needs no hull: take a box about its frame that contains it.
static utShape box_around(const MeshAsset* asset)
{
    const utBounds b = asset->bounds;
    const utVec3 half =
        ut_vec3(fmax(b.high.x, -b.low.x), fmax(b.high.y, -b.low.y), fmax(b.high.z, -b.low.z));
    const double least = 1e-6 * fmax(half.x, fmax(half.y, half.z)); // also for a flat mesh
    return ut_shape(UT_SHAPE_BOX,
                    ut_vec3(fmax(half.x, least), fmax(half.y, least), fmax(half.z, least)));
}

static utStatus resolve_mesh(const Build* b, int i, utGeomDef* geom, const MeshAsset** of_geom)
{
    const int mesh = geom->mesh;
    UT_TRY(build_asset(b, mesh));
    const MeshAsset* asset = b->mesh[mesh].asset;
    ut_geom_fit(geom, asset);
    if (!ut_geom_is_mesh(geom)) {
        return UT_OK;
    }
    *of_geom = asset;
    if (!collides(b, i)) {
        geom->shape = box_around(asset);
    } else if (geom->shape.kind == UT_SHAPE_HULL) {
        UT_TRY(build_hull(b, i, mesh));
        geom->shape.hull = b->mesh[mesh].hull;
    } else {
        UT_TRY(build_surface(b, i, mesh));
        geom->shape.mesh = b->mesh[mesh].surface;
    }
    return UT_OK;
}

static utStatus resolve_heights(const Build* b, int i, utGeomDef* geom)
{
    if (b->heights[geom->heights] == NULL) {
        UT_TRY(build_heights(b, i, geom->heights));
    }
    const double* size = ut_model_heights_def(b->def, geom->heights)->size;
    geom->shape.heights = b->heights[geom->heights];
    geom->shape.size = ut_vec3(size[0], size[1], size[3]);
    return UT_OK;
}

utStatus ut_model_resolve_assets(const utModelDef* def, utArena* memory, utArena scratch,
                                 Assets* assets, utError* err)
{
    const int geoms = def->geom.count;
    Build b = {.def = def,
               .memory = memory,
               .scratch = scratch,
               .err = err,
               .mesh = UT_PUSH(memory, BuiltMesh, def->mesh.count),
               .heights = UT_PUSH(memory, utHeights*, def->heights.count),
               .paired = UT_PUSH(memory, bool, geoms)};
    utGeomDef* geom = UT_PUSH(memory, utGeomDef, geoms);
    const MeshAsset** of_geom = UT_PUSH(memory, const MeshAsset*, geoms);
    if (ut_arena_failed(memory) || geom == NULL || of_geom == NULL) {
        return UT_ERR_MEMORY;
    }
    mark_pairs(&b);
    for (int i = 0; i < def->mesh.count; i++) {
        b.mesh[i] = (BuiltMesh){0};
    }
    for (int i = 0; i < def->heights.count; i++) {
        b.heights[i] = NULL;
    }
    for (int i = 0; i < geoms; i++) {
        geom[i] = *ut_model_geom_def(def, i);
        of_geom[i] = NULL;
        if (geom[i].mesh >= 0) {
            UT_TRY(resolve_mesh(&b, i, &geom[i], &of_geom[i]));
        } else if (geom[i].heights >= 0) {
            UT_TRY(resolve_heights(&b, i, &geom[i]));
        }
    }
    *assets = (Assets){.def = *def, .of_geom = of_geom};
    assets->def.geom = (List){geom, geoms, geoms};
    return UT_OK;
}
