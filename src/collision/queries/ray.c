// SPDX-License-Identifier: Apache-2.0
// Rays against shapes, in the shape's own frame: x(t) = o + t d.
//
// A ray is inside a convex shape for one interval of t and enters at its start. The interval of an
// intersection of regions is the intersection of their intervals. A capsule is the union of a shaft
// and two balls; the ray enters with the first of them.
#include "ray.h"

#include "collision/internal.h"

// The interval in which a ray is inside a region, and the outward normal where it enters.
typedef struct Span {
    double enter, leave;
    utVec3 normal; // of any length
} Span;

static const Span everywhere = {-HUGE_VAL, HUGE_VAL, {0.0, 0.0, 0.0}};
static const Span nowhere = {HUGE_VAL, -HUGE_VAL, {0.0, 0.0, 0.0}};

// ---- regions ------------------------------------------------------------------------------------

static Span intersect_spans(Span a, Span b)
{
    Span both = b.enter > a.enter ? b : a;
    both.leave = b.leave < a.leave ? b.leave : a.leave;
    return both;
}

// The half space normal . x <= offset.
static Span half_space(utVec3 o, utVec3 d, utVec3 normal, double offset)
{
    const double height = ut_vec3_dot(normal, o) - offset, speed = ut_vec3_dot(normal, d);
    Span span = everywhere;
    if (speed < 0.0) {
        span.enter = -height / speed;
        span.normal = normal;
    } else if (speed > 0.0) {
        span.leave = -height / speed;
    } else if (!(height <= 0.0)) {
        span = nowhere;
    }
    return span;
}

// The slab |x| <= half between two planes across an axis.
static Span slab(double o, double d, double half, utVec3 axis)
{
    if (d == 0.0) {
        return fabs(o) <= half ? everywhere : nowhere;
    }
    const double sign = d > 0.0 ? 1.0 : -1.0;
    return (Span){(-sign * half - o) / d, (sign * half - o) / d, ut_vec3_scale(axis, -sign)};
}

// The ball |x| <= r. The ray is inside within sqrt(r^2 - m^2) of m, its point nearest to the
// centre. This avoids differences of large squares for rays from far away.
static Span ball(utVec3 o, utVec3 d, double r)
{
    const double square = ut_vec3_dot(d, d), nearest = -ut_vec3_dot(o, d) / square;
    const utVec3 m = ut_vec3_add_scaled(o, nearest, d);
    const double rest = (r * r - ut_vec3_dot(m, m)) / square;
    if (!(rest >= 0.0)) {
        return nowhere;
    }
    const double half = sqrt(rest);
    return (Span){nearest - half, nearest + half, ut_vec3_add_scaled(m, -half, d)};
}

// The infinite cylinder x^2 + y^2 <= r^2.
static Span tube(utVec3 o, utVec3 d, double r)
{
    const utVec3 across = ut_vec3(o.x, o.y, 0.0), speed = ut_vec3(d.x, d.y, 0.0);
    if (!(ut_vec3_dot(speed, speed) > 0.0)) {
        return ut_vec3_dot(across, across) <= r * r ? everywhere : nowhere;
    }
    return ball(across, speed, r);
}

// ---- shapes -------------------------------------------------------------------------------------

static Span box_span(utVec3 o, utVec3 d, utVec3 half)
{
    const Span x = slab(o.x, d.x, half.x, ut_vec3(1.0, 0.0, 0.0));
    const Span y = slab(o.y, d.y, half.y, ut_vec3(0.0, 1.0, 0.0));
    const Span z = slab(o.z, d.z, half.z, ut_vec3(0.0, 0.0, 1.0));
    return intersect_spans(intersect_spans(x, y), z);
}

static Span cylinder_span(utVec3 o, utVec3 d, double r, double h)
{
    return intersect_spans(tube(o, d, r), slab(o.z, d.z, h, ut_vec3(0.0, 0.0, 1.0)));
}

static Span unite_spans(Span a, Span b)
{
    if (!(a.enter <= a.leave)) {
        return b;
    }
    if (!(b.enter <= b.leave)) {
        return a;
    }
    Span both = b.enter < a.enter ? b : a;
    both.leave = b.leave > a.leave ? b.leave : a.leave;
    return both;
}

static Span capsule_span(utVec3 o, utVec3 d, double r, double h)
{
    const Span low = ball(ut_vec3(o.x, o.y, o.z + h), d, r);
    const Span high = ball(ut_vec3(o.x, o.y, o.z - h), d, r);
    return unite_spans(cylinder_span(o, d, r, h), unite_spans(low, high));
}

// Scale to the unit ball: y = x / size, and the normal is y / size.
static Span ellipsoid_span(utVec3 o, utVec3 d, utVec3 size)
{
    const utVec3 p = ut_vec3(o.x / size.x, o.y / size.y, o.z / size.z);
    const utVec3 v = ut_vec3(d.x / size.x, d.y / size.y, d.z / size.z);
    Span span = ball(p, v, 1.0);
    span.normal = ut_vec3(span.normal.x / size.x, span.normal.y / size.y, span.normal.z / size.z);
    return span;
}

static Span hull_span(utVec3 o, utVec3 d, const utHull* hull)
{
    Span span = everywhere;
    for (int f = 0; f < hull->faces; f++) {
        span = intersect_spans(span, half_space(o, d, hull->normal[f], hull->offset[f]));
    }
    return hull->faces > 0 ? span : nowhere;
}

static Span span_of(const utShape* shape, utVec3 o, utVec3 d)
{
    const utVec3 size = shape->size;
    switch (shape->kind) {
    case UT_SHAPE_PLANE:
        return half_space(o, d, ut_vec3(0.0, 0.0, 1.0), 0.0);
    case UT_SHAPE_SPHERE:
        return ball(o, d, size.x);
    case UT_SHAPE_CAPSULE:
        return capsule_span(o, d, size.x, size.y);
    case UT_SHAPE_BOX:
        return box_span(o, d, size);
    case UT_SHAPE_CYLINDER:
        return cylinder_span(o, d, size.x, size.y);
    case UT_SHAPE_ELLIPSOID:
        return ellipsoid_span(o, d, size);
    case UT_SHAPE_HULL:
        return shape->hull != NULL ? hull_span(o, d, shape->hull) : nowhere;
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return nowhere;
}

// ---- hits ---------------------------------------------------------------------------------------

// The hit in the shape's frame, without the point. A ray that starts inside hits at distance 0.
static bool hit_local(const utShape* shape, utVec3 o, utVec3 d, double far, utRayHit* hit)
{
    if (shape->kind == UT_SHAPE_MESH) {
        return shape->mesh != NULL && ut_ray_mesh(shape, o, d, far, hit);
    }
    if (shape->kind == UT_SHAPE_HEIGHTS) {
        return shape->heights != NULL && ut_ray_heights(shape, o, d, far, hit);
    }
    const Span span = span_of(shape, o, d);
    if (!(span.enter <= span.leave && span.leave >= 0.0 && span.enter <= far)) {
        return false;
    }
    hit->distance = span.enter > 0.0 ? span.enter : 0.0;
    hit->normal = span.normal;
    return true;
}

// Is everything finite, and no size that the kind uses negative?
static bool is_usable(const utShape* shape, const utFrame* at, utVec3 from, utVec3 direction)
{
    if ((unsigned)shape->kind >= UT_SHAPE_KIND_COUNT) {
        return false;
    }
    const double entry[9] = {at->p.x, at->p.y,     at->p.z,     from.x,     from.y,
                             from.z,  direction.x, direction.y, direction.z};
    if (!ut_all_finite(9, entry) || !ut_all_finite(9, &at->R.m[0][0])) {
        return false;
    }
    const int count = ut_shape_size_count(shape->kind);
    const double size[3] = {shape->size.x, shape->size.y, shape->size.z};
    for (int i = 0; i < count; i++) {
        if (!(size[i] >= 0.0 && size[i] <= DBL_MAX)) {
            return false;
        }
    }
    return true;
}

bool ut_ray(const utShape* shape, utFrame at, utVec3 from, utVec3 direction, double far,
            utRayHit* hit)
{
    if (!is_usable(shape, &at, from, direction) || !(far >= 0.0)) {
        return false;
    }
    const utVec3 o = ut_frame_point_inverse(at, from), d = ut_mat3_tmul_vec(at.R, direction);
    utRayHit found;
    utVec3 normal;
    if (!hit_local(shape, o, d, far, &found)) {
        return false;
    }
    // inside, or a shape without a surface (a single point)
    const bool within = !(found.distance > 0.0) || !ut_vec3_normalize(found.normal, &normal);
    *hit = (utRayHit){found.distance, ut_vec3_add_scaled(from, found.distance, direction),
                      within ? ut_vec3_negate(direction) : ut_mat3_mul_vec(at.R, normal)};
    return true;
}
