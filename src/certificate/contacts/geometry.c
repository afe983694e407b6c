// SPDX-License-Identifier: Apache-2.0
// Geometry test: do contacts lie between the two shapes that they name?
//
// With p the contact's point, n its normal and g its gap, p - g n / 2 must lie on the surface of
// the first shape and p + g n / 2 on the surface of the second, and n must be a normal of one of
// them: the first shape has no point further along n, or the second has none further against n. The
// test uses the shapes' own distance and support functions, not the collision module.
#include <string.h>

#include "surface.h"

// ---- one shape, in its own frame ----------------------------------------------------------------

// Signed distance of a point from the surface, negative inside.
static double box_distance(utVec3 half, utVec3 x)
{
    const utVec3 out =
        ut_vec3(x.x - ut_clamp(x.x, -half.x, half.x), x.y - ut_clamp(x.y, -half.y, half.y),
                x.z - ut_clamp(x.z, -half.z, half.z));
    const double outside = ut_vec3_norm(out);
    if (outside > 0.0) {
        return outside;
    }
    return fmax(fmax(fabs(x.x) - half.x, fabs(x.y) - half.y), fabs(x.z) - half.z);
}

// The same for a cylinder, from the rectangle in (r, z): r from its axis, z along it.
static double cylinder_distance(double radius, double half, utVec3 x)
{
    const double r = sqrt(x.x * x.x + x.y * x.y) - radius;
    const double z = fabs(x.z) - half;
    return r > 0.0 && z > 0.0 ? sqrt(r * r + z * z) : fmax(r, z);
}

// With F = |x / size|^2 - 1 the distance is |F| / |grad F| to first order. The first order is
// enough, because a point for which higher orders matter fails the test by far.
static double ellipsoid_distance(utVec3 size, utVec3 x)
{
    const utVec3 e = ut_vec3(x.x / size.x, x.y / size.y, x.z / size.z);
    const utVec3 slope = ut_vec3(e.x / size.x, e.y / size.y, e.z / size.z);
    const double gradient = 2.0 * ut_vec3_norm(slope);
    return gradient > 0.0 ? fabs(ut_vec3_dot(e, e) - 1.0) / gradient : HUGE_VAL;
}

// ---- hulls --------------------------------------------------------------------------------------

// Distance from one face of a hull, split into triangles from its first corner.
static double face_distance(const utHull* hull, int f, utVec3 x)
{
    const int* corner = hull->face_vertex + hull->face_start[f];
    const int corners = hull->face_start[f + 1] - hull->face_start[f];
    double nearest = HUGE_VAL;
    for (int k = 1; k + 1 < corners; k++) {
        const Triangle t = {
            .v = {hull->vertex[corner[0]], hull->vertex[corner[k]], hull->vertex[corner[k + 1]]},
            .normal = hull->normal[f]};
        nearest = fmin(nearest, ut_certify_triangle_distance(&t, x));
    }
    return nearest;
}

// Distance of x from the plane of a face, positive outside.
static double plane_distance(const utHull* hull, int f, utVec3 x)
{
    return ut_vec3_dot(hull->normal[f], x) - hull->offset[f];
}

// Distance from the faces of a hull. The face whose plane lies deepest below x is as a rule the
// nearest one: it comes first, and few others remain whose planes are nearer than that.
static double hull_distance(const utHull* hull, utVec3 x)
{
    int first = 0;
    double highest = -HUGE_VAL;
    for (int f = 0; f < hull->faces; f++) {
        const double height = plane_distance(hull, f, x);
        first = height > highest ? f : first;
        highest = height > highest ? height : highest;
    }
    double nearest = face_distance(hull, first, x);
    for (int f = 0; f < hull->faces; f++) {
        if (fabs(plane_distance(hull, f, x)) < nearest) {
            nearest = fmin(nearest, face_distance(hull, f, x));
        }
    }
    return nearest;
}

static double hull_support(const utHull* hull, utVec3 n)
{
    double largest = -HUGE_VAL;
    for (int i = 0; i < hull->vertices; i++) {
        const double height = ut_vec3_dot(n, hull->vertex[i]);
        largest = height > largest ? height : largest;
    }
    return largest;
}

// ---- any shape ----------------------------------------------------------------------------------

// Distance of x from the points of a convex shape or plane whose outward unit normal may be n. A
// sphere or capsule is a core (point or segment) with a radius: its point with the normal n is a
// core point plus radius n. For a capsule this point may lie inside the shape and still be valid.
static double surface_distance(const utShape* shape, utVec3 x, utVec3 n)
{
    const utVec3 core = ut_vec3_add_scaled(x, -shape->size.x, n);
    switch (shape->kind) {
    case UT_SHAPE_PLANE:
        return fabs(x.z);
    case UT_SHAPE_SPHERE:
        return ut_vec3_norm(core);
    case UT_SHAPE_CAPSULE:
        return ut_vec3_norm(
            ut_vec3(core.x, core.y, core.z - ut_clamp(core.z, -shape->size.y, shape->size.y)));
    case UT_SHAPE_BOX:
        return fabs(box_distance(shape->size, x));
    case UT_SHAPE_CYLINDER:
        return fabs(cylinder_distance(shape->size.x, shape->size.y, x));
    case UT_SHAPE_ELLIPSOID:
        return ellipsoid_distance(shape->size, x);
    case UT_SHAPE_HULL:
        return hull_distance(shape->hull, x);
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return HUGE_VAL;
}

// The largest n . x over a convex shape or a plane, for a unit n.
static double support(const utShape* shape, utVec3 n)
{
    const utVec3 s = shape->size;
    switch (shape->kind) {
    case UT_SHAPE_PLANE:
        // finite only along its normal
        return n.z > 0.0 && fabs(n.x) + fabs(n.y) <= ORTHONORMAL ? 0.0 : HUGE_VAL;
    case UT_SHAPE_SPHERE:
        return s.x;
    case UT_SHAPE_CAPSULE:
        return s.x + s.y * fabs(n.z);
    case UT_SHAPE_BOX:
        return s.x * fabs(n.x) + s.y * fabs(n.y) + s.z * fabs(n.z);
    case UT_SHAPE_CYLINDER:
        return s.x * sqrt(n.x * n.x + n.y * n.y) + s.y * fabs(n.z);
    case UT_SHAPE_ELLIPSOID:
        return ut_vec3_norm(ut_vec3(s.x * n.x, s.y * n.y, s.z * n.z));
    case UT_SHAPE_HULL:
        return hull_support(shape->hull, n);
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return HUGE_VAL;
}

typedef struct Fit {
    double distance; // of the point from the surface, m
    double slant;    // how much further the shape extends along the normal, m
} Fit;

// ---- one contact --------------------------------------------------------------------------------

// The size that errors are compared with. Meshes and height fields count 0, because they may be
// arbitrarily larger than the body that touches them.
static double geom_size(const Judge* judge, int geom)
{
    const utModelGeom* of = &judge->model->geom[geom];
    return ut_shape_is_convex(of->shape.kind) ? of->radius : 0.0;
}

static bool frame_orthonormal(const utVec3* axis)
{
    const utVec3 third = ut_vec3_sub(ut_vec3_cross(axis[0], axis[1]), axis[2]);
    return fabs(ut_vec3_norm(axis[0]) - 1.0) <= ORTHONORMAL &&
           fabs(ut_vec3_norm(axis[1]) - 1.0) <= ORTHONORMAL &&
           fabs(ut_vec3_dot(axis[0], axis[1])) <= ORTHONORMAL &&
           ut_vec3_norm(third) <= 2.0 * ORTHONORMAL;
}

// A geom on one side of the last contact.
typedef struct LastGeom {
    int geom; // -1: none
    utFrame frame;
    double distance; // of the frame from the world's origin, m
    double size;
    bool known;     // the next two belong to the frame of the last contact
    utVec3 n;       // outward normal, in the geom's frame
    double support; // along n, for convex shapes and planes
} LastGeom;

// The geoms and the frame of the last contact. Contacts of one pair follow each other, and most of
// them have the same frame.
typedef struct Last {
    LastGeom side[2];
    utVec3 frame[3]; // of the contact
    bool orthonormal;
} Last;

static bool is_orthonormal(const utContact* c, Last* last)
{
    if (memcmp(last->frame, c->frame, sizeof last->frame) != 0) {
        memcpy(last->frame, c->frame, sizeof last->frame);
        last->orthonormal = frame_orthonormal(c->frame);
        last->side[0].known = last->side[1].known = false;
    }
    return last->orthonormal;
}

static bool is_surface(const utShape* shape)
{
    return shape->kind == UT_SHAPE_MESH || shape->kind == UT_SHAPE_HEIGHTS;
}

// Set a side of the last contact to a geom and a normal. The contact's frame is that of `last`.
static void find_side(const Judge* judge, int geom, utVec3 normal, LastGeom* last)
{
    const utShape* shape = &judge->model->geom[geom].shape;
    if (last->geom != geom) {
        *last = (LastGeom){.geom = geom, .size = geom_size(judge, geom)};
        last->frame = ut_geom_frame(&judge->kin_contact, geom);
        last->distance = ut_vec3_norm(last->frame.p);
    }
    if (!last->known) {
        last->n = ut_mat3_tmul_vec(last->frame.R, normal);
        last->support = is_surface(shape) ? 0.0 : support(shape, last->n);
        last->known = true;
    }
}

// @param x in the geom's frame
static Fit fit_of(const utShape* shape, const LastGeom* of, utVec3 x)
{
    if (is_surface(shape)) {
        const SurfacePoint point = ut_certify_surface_point(shape, x, of->n);
        return (Fit){point.distance, ut_certify_surface_slant(&point)};
    }
    return (Fit){surface_distance(shape, x, of->n), fabs(of->support - ut_vec3_dot(of->n, x))};
}

// @param last of the contact before; updated
static double contact_error(const Judge* judge, const utContact* c, Last* last)
{
    if (!is_orthonormal(c, last)) {
        return HUGE_VAL;
    }
    const int point = ut_certify_point(judge, c);
    if (point >= 0) {
        return ut_certify_point_error(judge, c, point);
    }
    if (c->geom1 >= judge->model->ngeom || c->geom2 >= judge->model->ngeom) {
        return HUGE_VAL; // a site touches in explicit contacts only
    }
    double error = 0.0;            // distance from the surfaces, m
    double slant[2];               // how much further the shapes extend along the normal, m
    double size = fabs(c->gap);    // of the shapes, m
    double rounding = DBL_EPSILON; // of coordinates, m
    const double distance = ut_vec3_norm(c->point);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0;
        const int geom = side == 0 ? c->geom1 : c->geom2;
        LastGeom* of = &last->side[side];
        find_side(judge, geom, ut_vec3_scale(c->frame[0], sign), of);
        const utVec3 touched = ut_vec3_add_scaled(c->point, -0.5 * sign * c->gap, c->frame[0]);
        const utVec3 x = ut_frame_point_inverse(of->frame, touched);
        const Fit fit = fit_of(&judge->model->geom[geom].shape, of, x);
        error = ut_larger(error, fit.distance);
        slant[side] = fit.slant;
        size += of->size;
        rounding += COORDINATE_ROUNDING * (distance + of->distance);
    }
    error = ut_larger(error, slant[0] < slant[1] ? slant[0] : slant[1]);
    return error <= rounding ? 0.0 : error / size;
}

double ut_certify_geometry(const Judge* judge)
{
    const bool planar = judge->model->options.planar != UT_PLANAR_NONE;
    double largest = 0.0;
    Last last = {.side = {{.geom = -1}, {.geom = -1}}}; // a frame of zeros is not orthonormal
    for (int i = 0; i < judge->report->contacts; i++) {
        const utContact* c = &judge->report->contact[i];
        largest = ut_larger(largest, planar ? ut_certify_planar_contact_error(judge, c)
                                            : contact_error(judge, c, &last));
    }
    return largest;
}
