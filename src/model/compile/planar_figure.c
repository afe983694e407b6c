// SPDX-License-Identifier: Apache-2.0
// The plane figure of a geom in a planar world: the outline of its projection along the normal.
//
// Frames of bodies are turned about the normal only, so that a geom's figure has a constant frame in
// the body.
#include "model/internal.h"

// ---- directions ---------------------------------------------------------------------------------

static bool is_normal(const utPlane* plane, utVec3 axis)
{
    return ut_vec3_norm(ut_vec3_cross(plane->normal, axis)) <= PLANE_TOLERANCE;
}

static bool lies_in(const utPlane* plane, utVec3 axis)
{
    return fabs(ut_vec3_dot(plane->normal, axis)) <= PLANE_TOLERANCE;
}

// The frame at a geom's position whose x axis has a given direction of the plane.
static utFlatFrame frame_along(const utPlane* plane, utVec3 pos, utVec3 x)
{
    const utVec2 d = ut_plane_in(plane, x);
    const double length = sqrt(d.x * d.x + d.y * d.y);
    return (utFlatFrame){ut_plane_in(plane, pos), d.x / length, d.y / length};
}

// ---- figures of simple shapes -------------------------------------------------------------------

// A box of which one axis is the normal: a rectangle along the other two axes.
static bool box_figure(const utPlane* plane, const utGeomDef* geom, utMat3 R, utFlatShape* flat,
                       utFlatFrame* at)
{
    const double half[3] = {geom->shape.size.x, geom->shape.size.y, geom->shape.size.z};
    for (int k = 0; k < 3; k++) {
        if (is_normal(plane, ut_mat3_column(R, k))) {
            const int one = k == 0 ? 1 : 0, two = k == 2 ? 1 : 2;
            *flat = ut_flat_shape(UT_FLAT_RECTANGLE, half[one], half[two]);
            *at = frame_along(plane, geom->pos, ut_mat3_column(R, one));
            return true;
        }
    }
    return false;
}

// A capsule or cylinder: a circle when its axis z is the normal; a capsule or rectangle when z lies
// in the plane.
static bool round_figure(const utPlane* plane, const utGeomDef* geom, utVec3 z, utFlatShape* flat,
                         utFlatFrame* at)
{
    const double radius = geom->shape.size.x, half = geom->shape.size.y;
    if (is_normal(plane, z)) {
        *flat = ut_flat_shape(UT_FLAT_CIRCLE, radius, 0.0);
        *at = frame_along(plane, geom->pos, plane->x);
        return true;
    }
    if (!lies_in(plane, z)) {
        return false;
    }
    *flat = geom->shape.kind == UT_SHAPE_CAPSULE ? ut_flat_shape(UT_FLAT_CAPSULE, radius, half)
                                                 : ut_flat_shape(UT_FLAT_RECTANGLE, half, radius);
    *at = frame_along(plane, geom->pos, z);
    return true;
}

// A plane whose normal z lies in the world's plane: a half-plane with y = z.
static bool plane_figure(const utPlane* plane, const utGeomDef* geom, utVec3 z, utFlatShape* flat,
                         utFlatFrame* at)
{
    if (!lies_in(plane, z)) {
        return false;
    }
    *flat = ut_flat_shape(UT_FLAT_HALFPLANE, 0.0, 0.0);
    *at = frame_along(plane, geom->pos, ut_vec3_cross(z, plane->normal));
    return true;
}

// ---- hulls --------------------------------------------------------------------------------------

static utVec2 project(const utPlane* plane, utMat3 R, const utHull* hull, int i)
{
    return ut_plane_in(plane, ut_mat3_mul_vec(R, hull->vertex[i]));
}

// Twice the signed area of a triangle, positive when it is counter-clockwise.
static double area_of(utVec2 a, utVec2 b, utVec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double distance(utVec2 a, utVec2 b)
{
    return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

// Seen from a, is c to the right of b, or in line with b and further away?
static bool is_outer(utVec2 a, utVec2 b, utVec2 c)
{
    const double area = area_of(a, b, c);
    const double straight = STRAIGHT_SINE * distance(a, b) * distance(a, c);
    return area < -straight || (area <= straight && distance(a, c) > distance(a, b));
}

// The convex outline of the projected hull by gift wrapping, counter-clockwise from its lowest
// corner. @param corner hull->vertices entries @return the number of corners, below 3 when the
// outline has no area
static int outline(const utPlane* plane, utMat3 R, const utHull* hull, utVec2* corner)
{
    const int n = hull->vertices;
    int first = 0;
    double size = 0.0;
    for (int i = 1; i < n; i++) {
        const utVec2 a = project(plane, R, hull, i), low = project(plane, R, hull, first);
        size = fmax(size, distance(a, low));
        first = a.y < low.y || (a.y == low.y && a.x < low.x) ? i : first;
    }
    int count = 0;
    utVec2 at = project(plane, R, hull, first);
    do {
        corner[count++] = at;
        int next = -1;
        for (int i = 0; i < n; i++) {
            const utVec2 c = project(plane, R, hull, i);
            if (distance(at, c) <= SAME_CORNER_DISTANCE * size) {
                continue;
            }
            if (next < 0 || is_outer(at, project(plane, R, hull, next), c)) {
                next = i;
            }
        }
        if (next < 0) {
            return 0;
        }
        at = project(plane, R, hull, next);
    } while (count < n && distance(at, corner[0]) > SAME_CORNER_DISTANCE * size);
    return count;
}

static bool hull_has_area(const utPlane* plane, const utGeomDef* geom, utMat3 R)
{
    const utHull* hull = geom->shape.hull;
    const utVec2 a = project(plane, R, hull, 0);
    double size = 0.0, area = 0.0;
    int far = 0;
    for (int i = 1; i < hull->vertices; i++) {
        const double d = distance(a, project(plane, R, hull, i));
        far = d > size ? i : far;
        size = fmax(size, d);
    }
    for (int i = 1; i < hull->vertices; i++) {
        area =
            fmax(area, fabs(area_of(a, project(plane, R, hull, far), project(plane, R, hull, i))));
    }
    return area > MIN_OUTLINE_AREA * size * size;
}

// ---- any shape ----------------------------------------------------------------------------------

// @param corner room for the corners of a hull; NULL: only test whether the geom has a figure
static bool figure(utPlanar planar, const utGeomDef* geom, utVec2* corner, utFlatShape* flat,
                   utFlatFrame* at)
{
    const utPlane plane = ut_plane(planar);
    utQuat quat;
    ut_model_unit(geom->quat, &quat);
    const utMat3 R = ut_quat_to_mat3(quat);
    const utVec3 z = ut_mat3_column(R, 2);
    switch (geom->shape.kind) {
    case UT_SHAPE_SPHERE:
        *flat = ut_flat_shape(UT_FLAT_CIRCLE, geom->shape.size.x, 0.0);
        *at = frame_along(&plane, geom->pos, plane.x);
        return true;
    case UT_SHAPE_BOX:
        return box_figure(&plane, geom, R, flat, at);
    case UT_SHAPE_CAPSULE:
    case UT_SHAPE_CYLINDER:
        return round_figure(&plane, geom, z, flat, at);
    case UT_SHAPE_PLANE:
        return plane_figure(&plane, geom, z, flat, at);
    case UT_SHAPE_HULL:
        if (!hull_has_area(&plane, geom, R)) {
            return false;
        }
        *at = frame_along(&plane, geom->pos, plane.x);
        *flat = ut_flat_polygon(corner != NULL ? outline(&plane, R, geom->shape.hull, corner) : 3,
                                corner);
        return flat->corners >= 3;
    case UT_SHAPE_ELLIPSOID:
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return false;
}

bool ut_model_has_figure(utPlanar planar, const utGeomDef* geom)
{
    utFlatShape flat;
    utFlatFrame at;
    return figure(planar, geom, NULL, &flat, &at);
}

// The largest number of corners that the figure of a geom can have, 0 for figures without corners.
static int max_corners(const utModelDef* def, const utGeomDef* geom)
{
    const bool planar = def->options.planar != UT_PLANAR_NONE;
    return planar && geom->shape.kind == UT_SHAPE_HULL ? geom->shape.hull->vertices : 0;
}

void ut_model_fill_figure(Work* work, int i)
{
    const utGeomDef* def = ut_model_geom_def(work->def, work->scratch.described_geom[i]);
    const utPlanar planar = work->def->options.planar;
    utModelGeom* geom = &work->array.geom[i];
    geom->flat = ut_flat_shape(UT_FLAT_KIND_COUNT, 0.0, 0.0);
    geom->in_flat = ut_flat_frame(0.0, 0.0);
    if (planar == UT_PLANAR_NONE) {
        return;
    }
    const int corners = max_corners(work->def, def);
    utVec2* corner = corners > 0 ? UT_PUSH(&work->keep, utVec2, corners) : NULL;
    utFlatShape flat;
    utFlatFrame at;
    if (!ut_arena_failed(&work->keep) && figure(planar, def, corner, &flat, &at)) {
        geom->flat = flat;
        geom->in_flat = at;
    }
}
