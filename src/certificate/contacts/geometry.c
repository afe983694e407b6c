// SPDX-License-Identifier: Apache-2.0
// Do contacts lie between the shapes they name?
//
// With p the contact's point, n its normal and g its gap, p - g n / 2 is on the surface of the
// first shape and p + g n / 2 on that of the second; and n is a normal of one of them there: the
// first shape has no point further along n, or the second none further against it. This is found
// from the shapes' own distances and supports, not by asking the collision module again.
#include "surface.h"

static const double ORTHONORMAL = 1e-12; // how far the axes of a contact may be from that

// ---- one shape, in its own frame ----------------------------------------------------------------

// Signed distance of a point from the surface, negative within.
static double box_distance(utVec3 half, utVec3 x)
{
    const utVec3 out =
        ut_vec3(x.x - clamp(x.x, half.x), x.y - clamp(x.y, half.y), x.z - clamp(x.z, half.z));
    const double outside = ut_vec3_norm(out);
    if (outside > 0.0) {
        return outside;
    }
    return fmax(fmax(fabs(x.x) - half.x, fabs(x.y) - half.y), fabs(x.z) - half.z);
}

// the same of the flat figure that a cylinder is made of: r from its axis, z along it
static double cylinder_distance(double radius, double half, utVec3 x)
{
    const double r = sqrt(x.x * x.x + x.y * x.y) - radius;
    const double z = fabs(x.z) - half;
    return r > 0.0 && z > 0.0 ? sqrt(r * r + z * z) : fmax(r, z);
}

// With F = |x / size|^2 - 1 the distance is |F| / |grad F| to first order, and that is what is
// asked: a point for which the orders differ is far off.
static double ellipsoid_distance(utVec3 size, utVec3 x)
{
    const utVec3 e = ut_vec3(x.x / size.x, x.y / size.y, x.z / size.z);
    const utVec3 slope = ut_vec3(e.x / size.x, e.y / size.y, e.z / size.z);
    const double steep = 2.0 * ut_vec3_norm(slope);
    return steep > 0.0 ? fabs(ut_vec3_dot(e, e) - 1.0) / steep : HUGE_VAL;
}

// ---- hulls --------------------------------------------------------------------------------------

// All faces of a hull, as triangles from their first corner.
static double hull_distance(const utHull* hull, utVec3 x)
{
    double nearest = HUGE_VAL;
    for (int f = 0; f < hull->faces; f++) {
        const int* corner = hull->face_vertex + hull->face_start[f];
        const int corners = hull->face_start[f + 1] - hull->face_start[f];
        if (fabs(ut_vec3_dot(hull->normal[f], x) - hull->offset[f]) >= nearest) {
            continue;
        }
        for (int k = 1; k + 1 < corners; k++) {
            const Triangle t = {.v = {hull->vertex[corner[0]], hull->vertex[corner[k]],
                                      hull->vertex[corner[k + 1]]},
                                .normal = hull->normal[f]};
            nearest = fmin(nearest, ut_certify_triangle_distance(&t, x));
        }
    }
    return nearest;
}

static double hull_support(const utHull* hull, utVec3 n)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < hull->vertices; i++) {
        most = fmax(most, ut_vec3_dot(n, hull->vertex[i]));
    }
    return most;
}

// ---- any shape ----------------------------------------------------------------------------------

// How far x is from where the outward unit normal n may touch a convex shape or a plane. A round
// shape is touched where a ball about a point of its core has the normal n: of a capsule that lies
// askew this can be within it, and holds all the same.
static double surface_distance(const utShape* shape, utVec3 x, utVec3 n)
{
    const utVec3 core = ut_vec3_add_scaled(x, -shape->size.x, n);
    switch (shape->kind) {
    case UT_SHAPE_PLANE:
        return fabs(x.z);
    case UT_SHAPE_SPHERE:
        return ut_vec3_norm(core);
    case UT_SHAPE_CAPSULE:
        return ut_vec3_norm(ut_vec3(core.x, core.y, core.z - clamp(core.z, shape->size.y)));
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
        // finite along its normal alone
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
    double distance; // of a point from the surface
    double slant;    // how much further the shape reaches along the normal
} Fit;

static Fit fit_of(const utShape* shape, utVec3 x, utVec3 n)
{
    if (shape->kind == UT_SHAPE_MESH || shape->kind == UT_SHAPE_HEIGHTS) {
        const SurfaceSpot spot = ut_certify_spot(shape, x, n);
        return (Fit){spot.distance, ut_certify_spot_slant(&spot)};
    }
    return (Fit){surface_distance(shape, x, n), fabs(support(shape, n) - ut_vec3_dot(n, x))};
}

// ---- one contact --------------------------------------------------------------------------------

static utFrame geom_frame(const Judge* judge, int geom)
{
    const utModelGeom* g = &judge->model->geom[geom];
    return ut_frame_mul(judge->touch.body[g->body], g->in_body);
}

// What an error is compared with: the size of what moves. A surface may be a whole landscape.
static double geom_size(const Judge* judge, int geom)
{
    const utShape* shape = &judge->model->geom[geom].shape;
    return ut_shape_is_convex(shape->kind) ? ut_shape_radius(shape) : 0.0;
}

static bool frame_orthonormal(const utVec3* axis)
{
    const utVec3 third = ut_vec3_sub(ut_vec3_cross(axis[0], axis[1]), axis[2]);
    return fabs(ut_vec3_norm(axis[0]) - 1.0) <= ORTHONORMAL &&
           fabs(ut_vec3_norm(axis[1]) - 1.0) <= ORTHONORMAL &&
           fabs(ut_vec3_dot(axis[0], axis[1])) <= ORTHONORMAL &&
           ut_vec3_norm(third) <= 2.0 * ORTHONORMAL;
}

static double contact_distance(const Judge* judge, const utContact* c)
{
    if (!frame_orthonormal(c->frame)) {
        return HUGE_VAL;
    }
    const int point = ut_certify_point(judge, c);
    if (point >= 0) {
        return ut_certify_point_distance(judge, c, point);
    }
    const int geoms[2] = {c->geom1, c->geom2};
    double off = 0.0;              // from the surfaces
    double slanted[2];             // how much further the shapes reach along the normal
    double size = fabs(c->gap);    // of the shapes
    double rounding = DBL_EPSILON; // of coordinates
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0;
        const utFrame at = geom_frame(judge, geoms[side]);
        const utShape* shape = &judge->model->geom[geoms[side]].shape;
        const utVec3 touched = ut_vec3_add_scaled(c->point, -0.5 * sign * c->gap, c->frame[0]);
        const utVec3 x = ut_frame_point_inverse(at, touched);
        const utVec3 n = ut_mat3_tmul_vec(at.R, ut_vec3_scale(c->frame[0], sign));
        const Fit fit = fit_of(shape, x, n);
        off = larger(off, fit.distance);
        slanted[side] = fit.slant;
        size += geom_size(judge, geoms[side]);
        rounding += 16.0 * DBL_EPSILON * (ut_vec3_norm(c->point) + ut_vec3_norm(at.p));
    }
    off = larger(off, slanted[0] < slanted[1] ? slanted[0] : slanted[1]);
    return off <= rounding ? 0.0 : off / size;
}

double ut_certify_geometry(const Judge* judge)
{
    const bool planar = judge->model->options.planar != UT_PLANAR_NONE;
    double most = 0.0;
    for (int i = 0; i < judge->report->contacts; i++) {
        const utContact* c = &judge->report->contact[i];
        most =
            larger(most, planar ? ut_certify_flat_distance(judge, c) : contact_distance(judge, c));
    }
    return most;
}
