// SPDX-License-Identifier: Apache-2.0
// Geometry test of planar worlds: as geometry.c, for the figures of the plane. With p the contact's
// point, n its normal and g its gap, p - g n / 2 must lie on the outline of the first figure and
// p + g n / 2 on the outline of the second, and n must be a normal of one of them.
#include "certificate/internal.h"

static double dot(utVec2 a, utVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static double norm(double x, double y)
{
    return sqrt(x * x + y * y);
}

// ---- one figure, in its own frame ---------------------------------------------------------------

// Distance of x from the outline, from inside or outside.
static double rectangle_distance(utVec2 half, utVec2 x)
{
    const double over_x = fabs(x.x) - half.x, over_y = fabs(x.y) - half.y;
    if (over_x > 0.0 && over_y > 0.0) {
        return norm(over_x, over_y);
    }
    return fabs(fmax(over_x, over_y));
}

static double segment_distance(utVec2 a, utVec2 b, utVec2 x)
{
    const utVec2 along = {b.x - a.x, b.y - a.y}, from = {x.x - a.x, x.y - a.y};
    const double t = dot(from, along) / dot(along, along);
    const double within = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return norm(from.x - within * along.x, from.y - within * along.y);
}

static double polygon_distance(const utFlatShape* shape, utVec2 x)
{
    double nearest = HUGE_VAL;
    for (int k = 0; k < shape->corners; k++) {
        const utVec2 a = shape->corner[k], b = shape->corner[(k + 1) % shape->corners];
        nearest = fmin(nearest, segment_distance(a, b, x));
    }
    return nearest;
}

// Distance of x from the points of a figure whose outward unit normal may be n. Such a point of a
// circle or capsule is a point of its core plus radius n.
static double outline_distance(const utFlatShape* shape, utVec2 x, utVec2 n)
{
    const utVec2 core = {x.x - shape->size.x * n.x, x.y - shape->size.x * n.y};
    switch (shape->kind) {
    case UT_FLAT_HALFPLANE:
        return fabs(x.y);
    case UT_FLAT_CIRCLE:
        return norm(core.x, core.y);
    case UT_FLAT_CAPSULE:
        return norm(core.x - ut_clamp(core.x, -shape->size.y, shape->size.y), core.y);
    case UT_FLAT_RECTANGLE:
        return rectangle_distance(shape->size, x);
    case UT_FLAT_POLYGON:
        return polygon_distance(shape, x);
    case UT_FLAT_KIND_COUNT:
        break;
    }
    return HUGE_VAL;
}

static double polygon_support(const utFlatShape* shape, utVec2 n)
{
    double largest = -HUGE_VAL;
    for (int k = 0; k < shape->corners; k++) {
        largest = fmax(largest, dot(n, shape->corner[k]));
    }
    return largest;
}

// The largest n . x over a figure, for a unit n.
static double support(const utFlatShape* shape, utVec2 n)
{
    const utVec2 s = shape->size;
    switch (shape->kind) {
    case UT_FLAT_HALFPLANE:
        // finite only along its normal
        return n.y > 0.0 && fabs(n.x) <= ORTHONORMAL ? 0.0 : HUGE_VAL;
    case UT_FLAT_CIRCLE:
        return s.x;
    case UT_FLAT_CAPSULE:
        return s.x + s.y * fabs(n.x);
    case UT_FLAT_RECTANGLE:
        return s.x * fabs(n.x) + s.y * fabs(n.y);
    case UT_FLAT_POLYGON:
        return polygon_support(shape, n);
    case UT_FLAT_KIND_COUNT:
        break;
    }
    return HUGE_VAL;
}

// ---- one contact --------------------------------------------------------------------------------

static utVec2 turn_back(double cosine, double sine, utVec2 a)
{
    return ut_vec2(cosine * a.x + sine * a.y, cosine * a.y - sine * a.x);
}

// Is the frame n, n turned by -90 degrees, and the plane's normal, with n in the plane?
static bool frame_is_valid(const utPlane* plane, const utContact* c)
{
    const utVec3 turned = ut_vec3_cross(c->frame[0], plane->normal);
    return fabs(ut_vec3_norm(c->frame[0]) - 1.0) <= ORTHONORMAL &&
           fabs(ut_vec3_dot(c->frame[0], plane->normal)) <= ORTHONORMAL &&
           ut_vec3_norm(ut_vec3_sub(turned, c->frame[1])) <= ORTHONORMAL &&
           ut_vec3_norm(ut_vec3_sub(plane->normal, c->frame[2])) <= ORTHONORMAL;
}

// Transform a point and a direction into the frame of a geom's figure.
static void to_figure(const Judge* judge, const utPlane* plane, int geom, utVec2* x, utVec2* n)
{
    const utModelGeom* g = &judge->model->geom[geom];
    const utFrame body = judge->kin_contact.body[g->body];
    const utVec2 at = ut_plane_in(plane, body.p);
    const utVec2 turn = ut_plane_in(plane, ut_mat3_mul_vec(body.R, plane->x));
    const utFlatFrame in = g->in_flat;
    const utVec2 from_body = turn_back(turn.x, turn.y, ut_vec2(x->x - at.x, x->y - at.y));
    *x = turn_back(in.cosine, in.sine,
                   ut_vec2(from_body.x - in.position.x, from_body.y - in.position.y));
    *n = turn_back(in.cosine, in.sine, turn_back(turn.x, turn.y, *n));
}

double ut_certify_planar_contact_error(const Judge* judge, const utContact* c)
{
    const utPlane plane = ut_plane(judge->model->options.planar);
    if (!frame_is_valid(&plane, c)) {
        return HUGE_VAL;
    }
    const int explicit_point = ut_certify_point(judge, c);
    if (explicit_point >= 0) {
        return ut_certify_point_error(judge, c, explicit_point);
    }
    const int geoms[2] = {c->geom1, c->geom2};
    const utVec2 point = ut_plane_in(&plane, c->point);
    const utVec2 normal = ut_plane_in(&plane, c->frame[0]);
    double error = 0.0;            // distance from the outlines, m
    double slant[2];               // how much further the figures extend along the normal, m
    double size = fabs(c->gap);    // of the shapes, m
    double rounding = DBL_EPSILON; // of coordinates, m
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0;
        const utModelGeom* geom = &judge->model->geom[geoms[side]];
        const double back = -0.5 * sign * c->gap;
        utVec2 x = ut_vec2(point.x + back * normal.x, point.y + back * normal.y);
        utVec2 n = ut_vec2(sign * normal.x, sign * normal.y);
        to_figure(judge, &plane, geoms[side], &x, &n);
        error = ut_larger(error, outline_distance(&geom->flat, x, n));
        slant[side] = fabs(support(&geom->flat, n) - dot(n, x));
        size += isfinite(geom->radius) ? geom->radius : 0.0;
        rounding += COORDINATE_ROUNDING *
                    (norm(point.x, point.y) + ut_vec3_norm(judge->kin_contact.body[geom->body].p));
    }
    error = ut_larger(error, slant[0] < slant[1] ? slant[0] : slant[1]);
    return error <= rounding ? 0.0 : error / size;
}
