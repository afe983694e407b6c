// SPDX-License-Identifier: Apache-2.0
// Checks of meshes and height fields, and of the geoms that refer to them.
#include "model/internal.h"
#include "model/mesh_asset.h"

static bool finite_vec3(utVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static utStatus check_vertices(const utMeshDef* mesh, Label label, utError* err)
{
    if (mesh->vertices < 4 || mesh->vertex == NULL) {
        return UT_MODEL_FAIL(err, mesh->origin, "%s has %d vertices; a mesh needs at least 4",
                             label.text, mesh->vertex != NULL ? mesh->vertices : 0);
    }
    for (size_t k = 0; k < 3 * (size_t)mesh->vertices; k++) {
        if (!isfinite(mesh->vertex[k])) {
            return UT_MODEL_FAIL(err, mesh->origin, "vertex %zu of %s is not finite", k / 3,
                                 label.text);
        }
    }
    if (mesh->triangles < 0 || (mesh->triangles > 0 && mesh->triangle == NULL)) {
        return UT_MODEL_FAIL(err, mesh->origin, "%s has %d triangles but no array of them",
                             label.text, mesh->triangles);
    }
    if (mesh->mass_triangles < 0 || mesh->mass_triangles > mesh->triangles) {
        return UT_MODEL_FAIL(err, mesh->origin, "mass_triangles of %s is %d; it has %d triangles",
                             label.text, mesh->mass_triangles, mesh->triangles);
    }
    for (size_t k = 0; k < 3 * (size_t)mesh->triangles; k++) {
        if (mesh->triangle[k] < 0 || mesh->triangle[k] >= mesh->vertices) {
            return UT_MODEL_FAIL(err, mesh->origin,
                                 "triangle %zu of %s has vertex %d; there are 0 to %d", k / 3,
                                 label.text, mesh->triangle[k], mesh->vertices - 1);
        }
    }
    return UT_OK;
}

static utStatus check_mesh(const utModelDef* def, int i, utError* err)
{
    const utMeshDef* mesh = ut_model_mesh_def(def, i);
    const Label label = ut_model_mesh_label(def, i);
    UT_TRY(ut_model_check_cookie(mesh->cookie, UT_MESH_DEF_COOKIE, label, "ut_mesh_def", err));
    UT_TRY(check_vertices(mesh, label, err));
    utQuat unit;
    if (!finite_vec3(mesh->scale) || mesh->scale.x * mesh->scale.y * mesh->scale.z == 0.0) {
        return UT_MODEL_FAIL(err, mesh->origin, "scale of %s must be finite and not 0", label.text);
    }
    if (!finite_vec3(mesh->refpos) || !ut_model_unit(mesh->refquat, &unit)) {
        return UT_MODEL_FAIL(err, mesh->origin,
                             "refpos and refquat of %s must be finite, and refquat not 0",
                             label.text);
    }
    if ((unsigned)mesh->inertia >= UT_MESH_INERTIA_COUNT) {
        return UT_MODEL_FAIL(err, mesh->origin, "inertia of %s is %d; there are 0 to %d",
                             label.text, (int)mesh->inertia, UT_MESH_INERTIA_COUNT - 1);
    }
    if (mesh->max_hull_vertices != -1 && mesh->max_hull_vertices < 4) {
        return UT_MODEL_FAIL(err, mesh->origin,
                             "max_hull_vertices of %s is %d; it must be above 3, or -1 for all",
                             label.text, mesh->max_hull_vertices);
    }
    return UT_OK;
}

static utStatus check_heights(const utModelDef* def, int i, utError* err)
{
    const utHeightsDef* heights = ut_model_heights_def(def, i);
    const Label label = ut_model_heights_label(def, i);
    UT_TRY(ut_model_check_cookie(heights->cookie, UT_HEIGHTS_DEF_COOKIE, label, "ut_heights_def",
                                 err));
    if (heights->columns < 2 || heights->rows < 2 || heights->height == NULL) {
        return UT_MODEL_FAIL(err, heights->origin,
                             "%s has %d rows and %d columns; it needs at least 2 of each",
                             label.text, heights->rows, heights->columns);
    }
    for (int k = 0; k < 4; k++) {
        if (!(heights->size[k] > 0.0 && isfinite(heights->size[k]))) {
            return UT_MODEL_FAIL(err, heights->origin,
                                 "size[%d] of %s is %s; it must be positive and finite", k,
                                 label.text, ut_model_number(heights->size[k]).text);
        }
    }
    for (size_t k = 0; k < (size_t)heights->rows * (size_t)heights->columns; k++) {
        if (!isfinite(heights->height[k])) {
            return UT_MODEL_FAIL(err, heights->origin, "height %zu of %s is not finite", k,
                                 label.text);
        }
    }
    return UT_OK;
}

static bool fits_mesh(utShapeKind kind)
{
    return ut_shape_is_convex(kind) || kind == UT_SHAPE_MESH;
}

// Check the references of a geom. Its other fields are checked once its shape is known.
static utStatus check_geom(const utModelDef* def, int i, utError* err)
{
    const utGeomDef* geom = ut_model_geom_def(def, i);
    const Label label = ut_model_geom_label(def, i);
    if (geom->mesh >= def->mesh.count || geom->heights >= def->heights.count) {
        return UT_MODEL_FAIL(
            err, geom->origin, "%s refers to mesh %d and height field %d; there are %d and %d",
            label.text, geom->mesh, geom->heights, def->mesh.count, def->heights.count);
    }
    if ((geom->mesh >= 0 && !fits_mesh(geom->shape.kind)) ||
        (geom->heights >= 0 && geom->shape.kind != UT_SHAPE_HEIGHTS)) {
        return UT_MODEL_FAIL(err, geom->origin, "%s is a %s, which cannot take a %s", label.text,
                             ut_shape_kind_name(geom->shape.kind),
                             geom->mesh >= 0 ? "mesh" : "height field");
    }
    if (ut_geom_is_mesh(geom) && geom->shell) {
        return UT_MODEL_FAIL(
            err, geom->origin,
            "%s is a mesh with shell; set the inertia of the mesh to shell instead", label.text);
    }
    if (geom->mesh >= 0 && !(geom->fit_scale > 0.0 && isfinite(geom->fit_scale))) {
        return UT_MODEL_FAIL(err, geom->origin, "fit_scale of %s is %s; it must be positive",
                             label.text, ut_model_number(geom->fit_scale).text);
    }
    return UT_OK;
}

utStatus ut_model_check_assets(const utModelDef* def, utError* err)
{
    for (int i = 0; i < def->mesh.count; i++) {
        UT_TRY(check_mesh(def, i, err));
    }
    for (int i = 0; i < def->heights.count; i++) {
        UT_TRY(check_heights(def, i, err));
    }
    for (int i = 0; i < def->geom.count; i++) {
        const utGeomDef* geom = ut_model_geom_def(def, i);
        UT_TRY(ut_model_check_cookie(geom->cookie, UT_GEOM_DEF_COOKIE, ut_model_geom_label(def, i),
                                     "ut_geom_def", err));
        UT_TRY(check_geom(def, i, err));
    }
    return UT_OK;
}
