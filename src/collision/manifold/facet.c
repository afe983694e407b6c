// SPDX-License-Identifier: Apache-2.0
// The facet of a shape that faces a direction: a face, an edge, or single points.
#include "manifold.h"

static utVec3 to_pair(const Solid* solid, utVec3 x)
{
    return ut_frame_point(solid->at, x);
}

// ---- boxes and hulls ----------------------------------------------------------------------------

static bool face_reaches(const utHull* hull, int f, utVec3 d, double most)
{
    for (int k = hull->face_start[f]; k < hull->face_start[f + 1]; k++) {
        if (ut_vec3_dot(d, hull->vertex[hull->face_vertex[k]]) >= most) {
            return true;
        }
    }
    return false;
}

// Of the faces that contain the farthest point along d, the one whose normal is closest to d; the
// first of nearly equal ones. @return -1: none
static int best_face(const utHull* hull, utVec3 d, double slop)
{
    double reach = -HUGE_VAL;
    for (int i = 0; i < hull->vertices; i++) {
        reach = ut_larger(reach, ut_vec3_dot(d, hull->vertex[i]));
    }
    int best = -1;
    double most = 0.0;
    for (int f = 0; f < hull->faces; f++) {
        const double along = ut_vec3_dot(d, hull->normal[f]);
        if (along > most + UT_FACING_TIE && face_reaches(hull, f, d, reach - slop)) {
            most = along;
            best = f;
        }
    }
    return best;
}

// The face as a polygon. A face with more than MAX_FACET_CORNERS corners is thinned evenly.
static void polygon(const Solid* solid, int f, Facet* facet)
{
    const utHull* hull = &solid->core.hull;
    const int start = hull->face_start[f], corners = hull->face_start[f + 1] - start;
    const int stride = (corners + MAX_FACET_CORNERS - 1) / MAX_FACET_CORNERS;
    *facet = (Facet){.normal = ut_mat3_mul_vec(solid->at.R, hull->normal[f]), .face = true};
    facet->feature = ut_solid_face(solid, f);
    for (int k = 0; k < corners; k += stride) {
        const int i = facet->corners++, v = hull->face_vertex[start + k];
        facet->x[i] = to_pair(solid, hull->vertex[v]);
        facet->corner[i] = ut_solid_corner(solid, v);
        facet->edge[i] = ut_solid_edge(solid, hull->face_edge[start + k]);
    }
    facet->edges = facet->corners;
}

// The farthest corner as a facet.
static void corner_alone(const Solid* solid, utVec3 d, Facet* facet)
{
    int id;
    *facet = (Facet){.normal = d, .corners = 1, .radius = solid->convex.radius};
    facet->x[0] = ut_convex_support(&solid->convex, d, &id);
    facet->corner[0] = ut_solid_corner(solid, id);
}

// ---- cylinders and capsules ---------------------------------------------------------------------

static void cap_of(const Solid* solid, int cap, Facet* facet)
{
    const utVec3 axis = ut_mat3_column(solid->at.R, 2);
    const double half = solid->shape->size.y;
    facet->normal = cap == 0 ? ut_vec3_negate(axis) : axis;
    facet->face = facet->disc = true;
    facet->feature = CYLINDER_CAP + cap;
    facet->cap = cap;
    facet->centre = ut_vec3_add_scaled(solid->at.p, half, facet->normal);
    facet->rim = solid->shape->size.x;
}

static void cylinder_facing(const Solid* solid, utVec3 d, Facet* facet)
{
    const utVec3 local = ut_mat3_tmul_vec(solid->at.R, d);
    const RimPoints rim = ut_rim_points(solid->shape, local);
    *facet = (Facet){.normal = d, .corners = rim.count};
    for (int i = 0; i < rim.count; i++) {
        facet->x[i] = to_pair(solid, rim.x[i]);
        facet->corner[i] = rim.feature[i];
    }
    if (!rim.upright) {
        facet->edges = 1;
        facet->edge[0] = CYLINDER_SIDE;
    }
    // a cap seen edge-on covers nothing
    if (fabs(local.z) > UT_EDGE_ON) {
        cap_of(solid, rim.cap, facet);
    }
}

static void shaft(const Solid* solid, utVec3 d, Facet* facet)
{
    const double half = solid->shape->size.y;
    *facet = (Facet){.normal = d, .corners = 2, .edges = 1, .radius = solid->shape->size.x};
    facet->x[0] = to_pair(solid, ut_vec3(0.0, 0.0, -half));
    facet->x[1] = to_pair(solid, ut_vec3(0.0, 0.0, half));
    facet->corner[0] = CAPSULE_END_LOW;
    facet->corner[1] = CAPSULE_END_HIGH;
    facet->edge[0] = CAPSULE_SHAFT;
}

// ---- facets -------------------------------------------------------------------------------------

bool ut_facet_face(const Solid* solid, utVec3 d, double slop, Facet* facet)
{
    const utVec3 local = ut_mat3_tmul_vec(solid->at.R, d);
    if (solid->shape->kind == UT_SHAPE_CYLINDER) {
        const utVec3 up = ut_vec3(0.0, 0.0, local.z < 0.0 ? -1.0 : 1.0);
        cylinder_facing(solid, ut_mat3_mul_vec(solid->at.R, up), facet);
        facet->edges = 0;
        return true;
    }
    const int f = best_face(&solid->core.hull, local, slop);
    if (f >= 0) {
        polygon(solid, f, facet);
    }
    return f >= 0;
}

void ut_facet_facing(const Solid* solid, utVec3 d, double slop, Facet* facet)
{
    if (solid->shape->kind == UT_SHAPE_CYLINDER) {
        cylinder_facing(solid, d, facet);
    } else if (solid->shape->kind == UT_SHAPE_CAPSULE && solid->shape->size.y > 0.0) {
        shaft(solid, d, facet);
    } else if (!ut_facet_face(solid, d, slop, facet)) {
        corner_alone(solid, d, facet);
    } else if (!(ut_vec3_dot(facet->normal, d) > UT_EDGE_ON)) {
        facet->face = false;
    }
}

static bool edge_line(const Solid* solid, utVec3 d, double slop, Facet* facet)
{
    const utHull* hull = &solid->core.hull;
    const utVec3 local = ut_mat3_tmul_vec(solid->at.R, d);
    double reach = -HUGE_VAL;
    for (int i = 0; i < hull->vertices; i++) {
        reach = ut_larger(reach, ut_vec3_dot(local, hull->vertex[i]));
    }
    int found = -1;
    for (int g = 0; g < hull->edges && hull->faces > 0; g++) {
        const utVec3 p = hull->vertex[hull->edge_vertex[2 * g]];
        const utVec3 q = hull->vertex[hull->edge_vertex[2 * g + 1]];
        if (ut_vec3_dot(local, p) >= reach - slop && ut_vec3_dot(local, q) >= reach - slop) {
            if (found >= 0) {
                return false;
            }
            found = g;
        }
    }
    if (found < 0) {
        return false;
    }
    *facet = (Facet){.normal = d, .corners = 2, .edges = 1};
    for (int i = 0; i < 2; i++) {
        const int v = hull->edge_vertex[2 * found + i];
        facet->x[i] = to_pair(solid, hull->vertex[v]);
        facet->corner[i] = ut_solid_corner(solid, v);
    }
    facet->edge[0] = ut_solid_edge(solid, found);
    return true;
}

bool ut_facet_line(const Solid* solid, utVec3 d, double slop, Facet* facet)
{
    const utShapeKind kind = solid->shape->kind;
    if (kind == UT_SHAPE_BOX || kind == UT_SHAPE_HULL) {
        return edge_line(solid, d, slop, facet);
    }
    const double along = ut_vec3_dot(ut_mat3_column(solid->at.R, 2), d);
    const double half = solid->shape->size.y;
    if ((kind != UT_SHAPE_CYLINDER && kind != UT_SHAPE_CAPSULE) || !(half > 0.0) ||
        !(fabs(along) * half <= slop)) {
        return false;
    }
    if (kind == UT_SHAPE_CAPSULE) {
        shaft(solid, d, facet);
    } else {
        cylinder_facing(solid, d, facet);
        facet->corners = 2;
    }
    return true;
}
