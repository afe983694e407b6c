// SPDX-License-Identifier: Apache-2.0
// Mass properties of meshes, as MuJoCo defines them, and their frames.
//
// The surface's centroid c is the mean of the triangles' centres, weighted by area. A triangle with
// the centre m, the unit normal n and the area A makes a pyramid with a point p, of volume
//
//     V = n . (m - p) A / 3        centre of mass: 3/4 m + 1/4 p
//
// A first pass with p = c gives the centre of mass, a second one about that centre gives volume and
// inertia. The kind `legacy` counts every V as positive, `shell` uses A in place of V.
#include "mesh_asset.h"

#include <string.h>

#include "internal.h"

static const double MIN_MEASURE = 1e-15; // least area, m^2, and volume, m^3, as in MuJoCo

// ---- triangles ----------------------------------------------------------------------------------

// A mesh while its mass is computed.
typedef struct Surface {
    const utVec3* vertex;
    int triangles;
    const int* triangle;
    utMeshInertia kind;
} Surface;

typedef struct Triangle {
    utVec3 a, b, c;
    utVec3 centre, normal;
    double area; // 0 when it is too small to have a normal
} Triangle;

static Triangle triangle_at(const Surface* s, int i, utVec3 origin)
{
    const int* corner = s->triangle + (size_t)3 * (size_t)i;
    Triangle t = {.a = ut_vec3_sub(s->vertex[corner[0]], origin),
                  .b = ut_vec3_sub(s->vertex[corner[1]], origin),
                  .c = ut_vec3_sub(s->vertex[corner[2]], origin)};
    t.centre = ut_vec3_scale(ut_vec3_add(t.a, ut_vec3_add(t.b, t.c)), 1.0 / 3.0);
    t.normal = ut_vec3_cross(ut_vec3_sub(t.b, t.a), ut_vec3_sub(t.c, t.a));
    const double length = ut_vec3_norm(t.normal);
    t.area = length >= MIN_MEASURE ? 0.5 * length : 0.0;
    t.normal = ut_vec3_scale(t.normal, t.area > 0.0 ? 1.0 / length : 0.0);
    return t;
}

// The pyramid from the origin to a triangle; its area for a shell.
static double measure(const Surface* s, const Triangle* t)
{
    if (s->kind == UT_MESH_INERTIA_SHELL) {
        return t->area;
    }
    const double volume = ut_vec3_dot(t->centre, t->normal) * t->area / 3.0;
    return s->kind == UT_MESH_INERTIA_LEGACY ? fabs(volume) : volume;
}

// @return the area
static double find_centroid(const Surface* s, utVec3* centroid)
{
    double area = 0.0;
    utVec3 sum = ut_vec3_zero();
    for (int i = 0; i < s->triangles; i++) {
        const Triangle t = triangle_at(s, i, ut_vec3_zero());
        area += t.area;
        sum = ut_vec3_add_scaled(sum, t.area, t.centre);
    }
    *centroid = area > 0.0 ? ut_vec3_scale(sum, 1.0 / area) : sum;
    return area;
}

// @return the volume about the centroid
static double find_centre(const Surface* s, utVec3 centroid, utVec3* centre)
{
    double volume = 0.0;
    utVec3 sum = ut_vec3_zero();
    for (int i = 0; i < s->triangles; i++) {
        const Triangle t = triangle_at(s, i, centroid);
        const double V = measure(s, &t);
        volume += V;
        // 3/4 m + 1/4 p relative to p
        sum = ut_vec3_add_scaled(sum, 0.75 * V, t.centre);
    }
    *centre = ut_vec3_add(centroid, ut_vec3_scale(sum, volume != 0.0 ? 1.0 / volume : 0.0));
    return volume;
}

// The integral of x x^T over a tetrahedron with one corner at the origin is
// V/20 (s s^T + a a^T + b b^T + c c^T) with s = a + b + c; over a triangle A/12 of the same.
// @return the volume
static double find_inertia(const Surface* s, utVec3 centre, utMat3* inertia)
{
    const double divisor = s->kind == UT_MESH_INERTIA_SHELL ? 12.0 : 20.0;
    double volume = 0.0;
    utMat3 P = ut_mat3_zero();
    for (int i = 0; i < s->triangles; i++) {
        const Triangle t = triangle_at(s, i, centre);
        const double V = measure(s, &t);
        volume += V;
        const utVec3 sum = ut_vec3_add(t.a, ut_vec3_add(t.b, t.c));
        const utMat3 squares =
            ut_mat3_add(ut_mat3_add(ut_mat3_outer(sum, sum), ut_mat3_outer(t.a, t.a)),
                        ut_mat3_add(ut_mat3_outer(t.b, t.b), ut_mat3_outer(t.c, t.c)));
        P = ut_mat3_add(P, ut_mat3_scale(squares, V / divisor));
    }
    const double trace = P.m[0][0] + P.m[1][1] + P.m[2][2];
    *inertia = ut_mat3_sub(ut_mat3_diagonal(ut_vec3(trace, trace, trace)), P);
    return volume;
}

// ---- vertices and triangles ---------------------------------------------------------------------

static void place_vertices(const utMeshDef* def, utVec3* vertex)
{
    utQuat ref;
    ut_model_unit(def->refquat, &ref);
    const utMat3 R = ut_quat_to_mat3(ref);
    for (int i = 0; i < def->vertices; i++) {
        const double* x = def->vertex + (size_t)3 * (size_t)i;
        const utVec3 v = ut_mat3_tmul_vec(R, ut_vec3_sub(ut_vec3(x[0], x[1], x[2]), def->refpos));
        vertex[i] = ut_vec3(def->scale.x * v.x, def->scale.y * v.y, def->scale.z * v.z);
    }
}

static void copy_triangles(const utMeshDef* def, int* triangle)
{
    const bool mirrored = def->scale.x * def->scale.y * def->scale.z < 0.0;
    for (int i = 0; i < def->triangles; i++) {
        const int* from = def->triangle + (size_t)3 * (size_t)i;
        int* to = triangle + (size_t)3 * (size_t)i;
        to[0] = from[0];
        to[1] = from[mirrored ? 2 : 1];
        to[2] = from[mirrored ? 1 : 2];
    }
}

// A surface of the hull's own vertices, its faces divided into triangles.
static utStatus surface_of_hull(const utHull* hull, utArena* keep, Surface* surface)
{
    // a face of n corners has n - 2 triangles, and every edge has two corners
    const int triangles = 2 * hull->edges - 2 * hull->faces;
    int* triangle = UT_PUSH(keep, int, 3 * (size_t)triangles + 1);
    if (triangle == NULL) {
        return UT_ERR_MEMORY;
    }
    int* at = triangle;
    for (int f = 0; f < hull->faces; f++) {
        const int begin = hull->face_start[f];
        for (int k = begin + 1; k + 1 < hull->face_start[f + 1]; k++, at += 3) {
            at[0] = hull->face_vertex[begin];
            at[1] = hull->face_vertex[k];
            at[2] = hull->face_vertex[k + 1];
        }
    }
    surface->vertex = hull->vertex;
    surface->triangles = triangles;
    surface->triangle = triangle;
    return UT_OK;
}

// ---- checks -------------------------------------------------------------------------------------

static Label mesh_label(const utMeshDef* def)
{
    return ut_model_label("mesh", def->name, 0);
}

// Triangles without area have no side.
static utStatus check_orientation(const utMeshDef* def, const Surface* s, utArena scratch,
                                  utError* err)
{
    int* triangle = UT_PUSH(&scratch, int, 3 * (size_t)s->triangles + 1);
    if (triangle == NULL) {
        return UT_ERR_MEMORY;
    }
    int count = 0, edge[2];
    for (int i = 0; i < s->triangles; i++) {
        if (triangle_at(s, i, ut_vec3_zero()).area > 0.0) {
            memcpy(triangle + (size_t)3 * (size_t)count++, s->triangle + (size_t)3 * (size_t)i,
                   3 * sizeof *triangle);
        }
    }
    UT_TRY(ut_mesh_turned_edge(def->vertices, count, triangle, scratch, edge));
    if (edge[0] < 0) {
        return UT_OK;
    }
    return UT_MODEL_FAIL(err, def->origin,
                         "%s: triangles at the edge between vertices %d and %d face different "
                         "ways; turn them, or use another inertia than exact",
                         mesh_label(def).text, edge[0], edge[1]);
}

static utStatus check_measure(const utMeshDef* def, double volume, utError* err)
{
    if (volume >= MIN_MEASURE) {
        return UT_OK;
    }
    return UT_MODEL_FAIL(err, def->origin,
                         volume < 0.0
                             ? "%s: its volume is negative, so its triangles face inward; turn them"
                             : "%s: its volume is too small; with inertia shell it is a thin "
                               "surface with a mass per area",
                         mesh_label(def).text);
}

// ---- the asset ----------------------------------------------------------------------------------

// The triangles that give the mass: those of the mesh or of its hull.
static utStatus find_surface(const utMeshDef* def, const MeshAsset* asset, utArena* scratch,
                             utArena spare, Surface* surface, utError* err)
{
    const int first = def->mass_triangles;
    *surface = (Surface){asset->vertex, first > 0 ? first : asset->triangles, asset->triangle,
                         def->inertia};
    if (def->triangles > 0 && def->inertia != UT_MESH_INERTIA_CONVEX) {
        return def->inertia == UT_MESH_INERTIA_EXACT
                   ? check_orientation(def, surface, *scratch, err)
                   : UT_OK;
    }
    utHull hull;
    utError why = {0};
    const int most = def->triangles > 0 ? def->max_hull_vertices : -1;
    const utStatus status = ut_mesh_asset_hull(asset, most, scratch, spare, &hull, &why);
    if (status == UT_ERR_ARGUMENT) {
        return UT_MODEL_FAIL(err, def->origin, "%s: %s", mesh_label(def).text, why.message);
    }
    UT_TRY(status);
    return surface_of_hull(&hull, scratch, surface);
}

static utStatus find_mass(const utMeshDef* def, const Surface* surface, MeshAsset* asset,
                          utError* err)
{
    utVec3 centroid;
    utMat3 inertia;
    if (!(find_centroid(surface, &centroid) >= MIN_MEASURE)) {
        return UT_MODEL_FAIL(err, def->origin, "%s: its surface is too small",
                             mesh_label(def).text);
    }
    UT_TRY(check_measure(def, find_centre(surface, centroid, &asset->pos), err));
    asset->volume = find_inertia(surface, asset->pos, &inertia);
    UT_TRY(check_measure(def, asset->volume, err));
    ut_principal_axes(inertia, &asset->moments, &asset->quat);
    const double sum = asset->moments.x + asset->moments.y + asset->moments.z;
    if (!(isfinite(sum) && isfinite(asset->volume) && asset->moments.z >= 0.0)) {
        return UT_MODEL_FAIL(err, def->origin,
                             "%s: its inertia is not that of a solid; check its triangles and its "
                             "scale",
                             mesh_label(def).text);
    }
    return UT_OK;
}

// Move the vertices to the own frame, and measure their bounding box there.
static void centre_vertices(MeshAsset* asset)
{
    const utMat3 R = ut_quat_to_mat3(asset->quat);
    asset->bounds =
        (utBounds){ut_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), ut_vec3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
    utBounds* b = &asset->bounds;
    for (int i = 0; i < asset->vertices; i++) {
        const utVec3 v = ut_mat3_tmul_vec(R, ut_vec3_sub(asset->vertex[i], asset->pos));
        asset->vertex[i] = v;
        b->low = ut_vec3(fmin(b->low.x, v.x), fmin(b->low.y, v.y), fmin(b->low.z, v.z));
        b->high = ut_vec3(fmax(b->high.x, v.x), fmax(b->high.y, v.y), fmax(b->high.z, v.z));
    }
}

utStatus ut_mesh_asset(const utMeshDef* def, utArena* keep, utArena scratch, MeshAsset* asset,
                       utError* err)
{
    MeshAsset made = {
        .vertices = def->vertices,
        .vertex = UT_PUSH(keep, utVec3, def->vertices),
        .triangles = def->triangles,
        .triangle = UT_PUSH(keep, int, 3 * (size_t)def->triangles + 1),
    };
    if (made.vertex == NULL || made.triangle == NULL) {
        return UT_ERR_MEMORY;
    }
    place_vertices(def, made.vertex);
    copy_triangles(def, made.triangle);
    Surface surface;
    UT_TRY(find_surface(def, &made, keep, scratch, &surface, err));
    UT_TRY(find_mass(def, &surface, &made, err));
    centre_vertices(&made);
    *asset = made;
    return UT_OK;
}
