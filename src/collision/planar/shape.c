// SPDX-License-Identifier: Apache-2.0
// Plane figures: names, checks, areas, mass properties, bounds.
#include "internal.h"

static const double pi = 3.14159265358979323846;

const char* ut_flat_kind_name(utFlatKind kind)
{
    switch (kind) {
    case UT_FLAT_HALFPLANE:
        return "half-plane";
    case UT_FLAT_CIRCLE:
        return "circle";
    case UT_FLAT_CAPSULE:
        return "capsule";
    case UT_FLAT_RECTANGLE:
        return "rectangle";
    case UT_FLAT_POLYGON:
        return "polygon";
    case UT_FLAT_KIND_COUNT:
        break;
    }
    return "unknown figure";
}

// ---- checks -------------------------------------------------------------------------------------

static utStatus check_size(const utFlatShape* shape, const char* what, double size,
                           bool may_be_zero, utError* err)
{
    if ((size > 0.0 || (may_be_zero && size == 0.0)) && size <= UT_FLAT_LARGEST) {
        return UT_OK;
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "%s: the %s is %g m; it must be %s and finite",
                        ut_flat_kind_name(shape->kind), what, size,
                        may_be_zero ? "0 or positive" : "positive");
}

static utStatus check_corners(const utFlatShape* polygon, utError* err)
{
    const int n = polygon->corners;
    if (n < 3 || polygon->corner == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "polygon: %d corners; it needs at least 3",
                            polygon->corner == NULL ? 0 : n);
    }
    for (int i = 0; i < n; i++) {
        const utVec2 x = polygon->corner[i];
        if (!(fabs(x.x) <= UT_FLAT_LARGEST && fabs(x.y) <= UT_FLAT_LARGEST)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "polygon: corner %d is (%g, %g); it must be finite", i, x.x, x.y);
        }
        const utVec2 before = polygon->corner[i > 0 ? i - 1 : n - 1];
        if (x.x == before.x && x.y == before.y) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "polygon: corner %d equals the one before; leave it out", i);
        }
    }
    return UT_OK;
}

static bool is_upward(utVec2 d)
{
    return d.y > 0.0 || (d.y == 0.0 && d.x > 0.0);
}

// A polygon with left turns only is convex unless it winds around more than once. Its sides turn
// from downward to upward once per revolution.
static utStatus check_turns(const utFlatShape* polygon, utError* err)
{
    const int n = polygon->corners;
    const utVec2* x = polygon->corner;
    int rounds = 0;
    for (int i = 0; i < n; i++) {
        const utVec2 in = ut_vec2_sub(x[i], x[i > 0 ? i - 1 : n - 1]);
        const utVec2 out = ut_vec2_sub(x[i + 1 < n ? i + 1 : 0], x[i]);
        if (!(ut_vec2_cross(in, out) > UT_FLAT_MIN_TURN * (ut_vec2_norm(in) * ut_vec2_norm(out)))) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "polygon: not convex: no left turn at corner %d (%g, %g); use the "
                                "convex hull or leave the corner out",
                                i, x[i].x, x[i].y);
        }
        rounds += !is_upward(in) && is_upward(out);
    }
    if (rounds != 1) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "polygon: not convex: it winds around %d times; use its convex hull",
                            rounds);
    }
    return UT_OK;
}

static utStatus check_polygon(const utFlatShape* polygon, utError* err)
{
    UT_TRY(check_corners(polygon, err));
    if (ut_flat_area(polygon) < 0.0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "polygon: the corners are in clockwise order; reverse them");
    }
    return check_turns(polygon, err);
}

utStatus ut_flat_check(const utFlatShape* shape, utError* err)
{
    switch (shape->kind) {
    case UT_FLAT_HALFPLANE:
        return UT_OK;
    case UT_FLAT_CIRCLE:
        return check_size(shape, "radius", shape->size.x, false, err);
    case UT_FLAT_CAPSULE:
        UT_TRY(check_size(shape, "radius", shape->size.x, false, err));
        return check_size(shape, "half length", shape->size.y, true, err);
    case UT_FLAT_RECTANGLE:
        UT_TRY(check_size(shape, "half extent along x", shape->size.x, false, err));
        return check_size(shape, "half extent along y", shape->size.y, false, err);
    case UT_FLAT_POLYGON:
        return check_polygon(shape, err);
    case UT_FLAT_KIND_COUNT:
        break;
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "kind %d is not a figure; use one of utFlatKind",
                        (int)shape->kind);
}

// ---- mass ---------------------------------------------------------------------------------------

// For density 1: a fan of triangles from the first corner. A triangle with sides p, q from there
// has the area p x q / 2, the centre (p + q) / 3 and the moment (p x q) (p.p + p.q + q.q) / 12.
static utFlatMass polygon_mass(const utFlatShape* polygon)
{
    if (polygon->corners < 3 || polygon->corner == NULL) {
        return (utFlatMass){0};
    }
    const utVec2 origin = polygon->corner[0];
    utFlatMass sum = {0};
    for (int i = 1; i + 1 < polygon->corners; i++) {
        const utVec2 p = ut_vec2_sub(polygon->corner[i], origin);
        const utVec2 q = ut_vec2_sub(polygon->corner[i + 1], origin);
        const double area = 0.5 * ut_vec2_cross(p, q);
        const double square = ut_vec2_dot(p, p) + ut_vec2_dot(p, q) + ut_vec2_dot(q, q);
        sum.mass += area;
        sum.center = ut_vec2_add_scaled(sum.center, area / 3.0, ut_vec2(p.x + q.x, p.y + q.y));
        sum.moment += area * square / 6.0;
    }
    if (!(fabs(sum.mass) > 0.0)) {
        return (utFlatMass){0.0, origin, 0.0};
    }
    const utVec2 c = ut_vec2(sum.center.x / sum.mass, sum.center.y / sum.mass);
    sum.moment -= sum.mass * ut_vec2_dot(c, c);
    sum.center = ut_vec2(origin.x + c.x, origin.y + c.y);
    return sum;
}

// Two half discs at the ends of a rectangle of length 2 h. The centre of area of a half disc is
// 4 r / (3 pi) from its diameter, so about the capsule's centre both discs have the moment
// m r^2 / 2 + m h^2 + 2 m h 4 r / (3 pi).
static double capsule_moment(double r, double h)
{
    const double disc = pi * (r * r), shaft = 4.0 * h * r;
    return shaft * (h * h + r * r) / 3.0 +
           disc * (0.5 * (r * r) + h * h + 8.0 * h * r / (3.0 * pi));
}

static utFlatMass unit_mass(const utFlatShape* shape)
{
    const double x = shape->size.x, y = shape->size.y;
    utFlatMass mass = {0};
    switch (shape->kind) {
    case UT_FLAT_CIRCLE:
        mass.mass = pi * (x * x);
        mass.moment = mass.mass * (0.5 * (x * x));
        break;
    case UT_FLAT_CAPSULE:
        mass.mass = pi * (x * x) + 4.0 * x * y;
        mass.moment = capsule_moment(x, y);
        break;
    case UT_FLAT_RECTANGLE:
        mass.mass = 4.0 * x * y;
        mass.moment = mass.mass * (x * x + y * y) / 3.0;
        break;
    case UT_FLAT_POLYGON:
        return polygon_mass(shape);
    case UT_FLAT_HALFPLANE:
    case UT_FLAT_KIND_COUNT:
        break;
    }
    return mass;
}

double ut_flat_area(const utFlatShape* shape)
{
    return unit_mass(shape).mass;
}

utFlatMass ut_flat_mass(const utFlatShape* shape, double density)
{
    utFlatMass mass = unit_mass(shape);
    mass.mass *= density;
    mass.moment *= density;
    return mass;
}

// ---- support and bounds -------------------------------------------------------------------------

static utVec2 farthest_corner(int count, const utVec2* corner, utVec2 d)
{
    int best = 0;
    for (int i = 1; i < count; i++) {
        best = ut_vec2_dot(d, corner[i]) > ut_vec2_dot(d, corner[best]) ? i : best;
    }
    return corner[best];
}

utVec2 ut_flat_support(const utFlatShape* shape, utVec2 direction)
{
    FlatCore core;
    if (!ut_flat_core(shape, &core)) {
        return ut_vec2(0.0, 0.0);
    }
    const utVec2 x = farthest_corner(core.count, core.corner, direction);
    utVec3 unit;
    ut_vec3_normalize(ut_vec3(direction.x, direction.y, 0.0), &unit);
    return ut_vec2_add_scaled(x, core.radius, ut_vec2(unit.x, unit.y));
}

static utFlatBounds halfplane_bounds(utFlatFrame at)
{
    const utVec2 n = {-at.sine, at.cosine};
    utFlatBounds bounds = {{-HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    if (n.x == 0.0 && n.y > 0.0) {
        bounds.high.y = at.position.y;
    } else if (n.x == 0.0 && n.y < 0.0) {
        bounds.low.y = at.position.y;
    } else if (n.y == 0.0 && n.x > 0.0) {
        bounds.high.x = at.position.x;
    } else if (n.y == 0.0 && n.x < 0.0) {
        bounds.low.x = at.position.x;
    }
    return bounds;
}

utFlatBounds ut_flat_bounds(const utFlatShape* shape, utFlatFrame at)
{
    if (shape->kind == UT_FLAT_HALFPLANE) {
        return halfplane_bounds(at);
    }
    FlatCore core;
    if (!ut_flat_core(shape, &core)) {
        return (utFlatBounds){at.position, at.position};
    }
    core.at = at;
    utFlatBounds bounds = {ut_flat_corner(&core, 0), ut_flat_corner(&core, 0)};
    for (int i = 1; i < core.count; i++) {
        const utVec2 x = ut_flat_corner(&core, i);
        bounds.low = ut_vec2(fmin(bounds.low.x, x.x), fmin(bounds.low.y, x.y));
        bounds.high = ut_vec2(fmax(bounds.high.x, x.x), fmax(bounds.high.y, x.y));
    }
    bounds.low = ut_vec2(bounds.low.x - core.radius, bounds.low.y - core.radius);
    bounds.high = ut_vec2(bounds.high.x + core.radius, bounds.high.y + core.radius);
    return bounds;
}
