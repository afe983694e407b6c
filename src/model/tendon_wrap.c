// SPDX-License-Identifier: Apache-2.0
// Wrapping around a sphere or a cylinder. Both reduce to a circle in a plane: the plane through the
// sphere's centre and the two points, or the plane across the cylinder's axis. Along that axis a
// path on the cylinder rises evenly, because it is a straight line on the unrolled surface.
#include "model/tendon_path.h"

static const double TWO_PI = 6.28318530717958647693;
// m^2 and m: nearer points count as one
static const double SAME = 1e-15;
// rad: tangent points of a path that barely touches have errors of the square root of rounding
static const double ROUNDING = 1e-6;

// A path in the plane of the circle, which has its centre at the origin.
typedef struct FlatWrap {
    utVec2 point[2];
    double arc;
} FlatWrap;

static double dot2(utVec2 a, utVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static double cross2(utVec2 a, utVec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static utVec2 combine(double s, utVec2 a, double t, utVec2 b)
{
    return ut_vec2(s * a.x + t * b.x, s * a.y + t * b.y);
}

// The point of the segment from a to b that is nearest to the origin. @param fraction of the segment
static utVec2 nearest_to_origin(utVec2 a, utVec2 b, double* fraction)
{
    const utVec2 along = combine(1.0, b, -1.0, a);
    const double s = -dot2(along, a) / dot2(along, along);
    *fraction = s;
    return combine(1.0, a, s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s, along);
}

// Do the segments a b and c d have a common point?
static bool segments_meet(utVec2 a, utVec2 b, utVec2 c, utVec2 d)
{
    const utVec2 ab = combine(1.0, b, -1.0, a), cd = combine(1.0, d, -1.0, c);
    const utVec2 ca = combine(1.0, a, -1.0, c);
    const double determinant = cross2(ab, cd);
    if (fabs(determinant) < SAME) {
        return false;
    }
    const double s = cross2(cd, ca) / determinant, t = cross2(ab, ca) / determinant;
    return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

// The point where the tangent through p touches the circle. @param turn 1: counterclockwise from p
static utVec2 tangent_point(utVec2 p, double radius, double turn)
{
    const double square = dot2(p, p);
    const double along = radius * radius / square;
    const double across = turn * radius * sqrt(square - radius * radius) / square;
    return combine(along, p, across, ut_vec2(-p.y, p.x));
}

// ---- outside ------------------------------------------------------------------------------------

// One of the two ways around. @param turn 1: the path goes counterclockwise round the circle
static FlatWrap go_around(const utVec2 p[2], double radius, double turn)
{
    FlatWrap w = {.point = {tangent_point(p[0], radius, turn), tangent_point(p[1], radius, -turn)}};
    const double angle =
        ut_atan2(turn * cross2(w.point[0], w.point[1]), dot2(w.point[0], w.point[1]));
    // an angle just below 0 is rounding: the path barely touches
    w.arc = radius * (angle < -ROUNDING ? angle + TWO_PI : fmax(angle, 0.0));
    return w;
}

static bool is_crossed(const utVec2 p[2], const FlatWrap* w)
{
    return segments_meet(p[0], w->point[0], p[1], w->point[1]);
}

// Is the way around nearer to the side, or without a side shorter? Crossed ways are the last choice.
static double goodness(const utVec2 p[2], const utVec2* side, const FlatWrap* w)
{
    const utVec2 sum = combine(1.0, w->point[0], 1.0, w->point[1]);
    const utVec2 chord = combine(1.0, w->point[0], -1.0, w->point[1]);
    const double size = sqrt(dot2(sum, sum));
    const double good = side == NULL ? -dot2(chord, chord)
                        : size > 0.0 ? dot2(sum, *side) / size
                                     : 0.0;
    return is_crossed(p, w) ? -HUGE_VAL : good;
}

static bool wrap_outside(const utVec2 p[2], double radius, const utVec2* side, FlatWrap* w)
{
    const double square = radius * radius;
    const utVec2 along = combine(1.0, p[1], -1.0, p[0]);
    if (!(dot2(p[0], p[0]) >= square && dot2(p[1], p[1]) >= square && radius > SAME &&
          dot2(along, along) > SAME)) {
        return false;
    }
    double fraction;
    const utVec2 nearest = nearest_to_origin(p[0], p[1], &fraction);
    if (dot2(nearest, nearest) > square && (side == NULL || dot2(*side, nearest) >= 0.0)) {
        return false;
    }
    const FlatWrap clockwise = go_around(p, radius, -1.0), counter = go_around(p, radius, 1.0);
    *w = goodness(p, side, &clockwise) > goodness(p, side, &counter) ? clockwise : counter;
    return !is_crossed(p, w);
}

// ---- inside -------------------------------------------------------------------------------------

// Distances of the point at angle x on the circle from a point at the distance d and angle 0: its
// derivative by x over the radius, and the derivative of that.
static double slope(double radius, double d, double x, double* rate)
{
    double sine, cosine;
    ut_sincos(x, &sine, &cosine);
    const double distance = sqrt(d * d + radius * radius - 2.0 * d * radius * cosine);
    const double first = d * sine / distance;
    *rate = d * cosine / distance - first * first * radius / distance;
    return first;
}

// The angle from p0 at which the sum of the distances from p0 and p1 is least: Newton's method
// within a bracket. @param between the angle between p0 and p1
static double least_angle(double radius, double d0, double d1, double between)
{
    double low = 0.0, high = between, x = 0.5 * between;
    for (int k = 0; k < 100 && high - low > 0.0; k++) {
        double rate0, rate1;
        const double f = slope(radius, d0, x, &rate0) - slope(radius, d1, between - x, &rate1);
        low = f < 0.0 ? x : low;
        high = f < 0.0 ? high : x;
        const double newton = x - f / (rate0 + rate1);
        const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
        if (next == x || !(fabs(next - x) > 1e-16 * between)) {
            break;
        }
        x = next;
    }
    return x;
}

// The path must pass through the circle: a path beside it is pulled onto the rim.
static bool wrap_inside(const utVec2 p[2], double radius, FlatWrap* w)
{
    const double d0 = sqrt(dot2(p[0], p[0])), d1 = sqrt(dot2(p[1], p[1]));
    const utVec2 along = combine(1.0, p[1], -1.0, p[0]);
    if (!(d0 > radius && d1 > radius && radius > SAME)) {
        return false;
    }
    double fraction = 0.0;
    if (dot2(along, along) > SAME) {
        const utVec2 nearest = nearest_to_origin(p[0], p[1], &fraction);
        if (fraction > 0.0 && fraction < 1.0 && dot2(nearest, nearest) <= radius * radius) {
            return false;
        }
    }
    const double turn = cross2(p[0], p[1]);
    const double between = ut_atan2(fabs(turn), dot2(p[0], p[1]));
    const double x = least_angle(radius, d0, d1, between);
    double sine, cosine;
    ut_sincos(turn < 0.0 ? -x : x, &sine, &cosine);
    const utVec2 touch =
        combine(radius * cosine / d0, p[0], radius * sine / d0, ut_vec2(-p[0].y, p[0].x));
    *w = (FlatWrap){.point = {touch, touch}};
    return true;
}

// ---- in space -----------------------------------------------------------------------------------

// Axes of the plane through the sphere's centre and the two points. When these three are on one
// line, any plane through it serves.
static bool sphere_axes(const utVec3 p[2], utVec3 axis[2])
{
    utVec3 normal;
    if (!ut_vec3_normalize(p[0], &axis[0])) {
        return false;
    }
    if (!(ut_vec3_norm(ut_vec3_cross(p[0], p[1])) >= SAME) ||
        !ut_vec3_normalize(ut_vec3_cross(p[0], p[1]), &normal)) {
        const utVec3 a = ut_vec3(fabs(axis[0].x), fabs(axis[0].y), fabs(axis[0].z));
        const bool y = a.y > a.x && a.y > a.z, z = a.z > a.x && a.z > a.y;
        const utVec3 other = ut_vec3(y || z ? 1.0 : 0.0, y ? 0.0 : 1.0, z ? 0.0 : 1.0);
        ut_vec3_normalize(ut_vec3_cross(axis[0], other), &normal);
    }
    axis[1] = ut_vec3_cross(normal, axis[0]);
    return true;
}

// Let the path on a cylinder rise evenly from p0 to p1.
static void rise(const utVec3 p[2], const utVec2 flat[2], const FlatWrap* f, TendonWrap* wrap)
{
    double straight[2];
    for (int k = 0; k < 2; k++) {
        const utVec2 free = combine(1.0, f->point[k], -1.0, flat[k]);
        straight[k] = sqrt(dot2(free, free));
    }
    const double all = straight[0] + f->arc + straight[1];
    const double height = p[1].z - p[0].z;
    wrap->point[0].z = p[0].z + height * straight[0] / all;
    wrap->point[1].z = p[0].z + height * (straight[0] + f->arc) / all;
    const double rise = wrap->point[1].z - wrap->point[0].z;
    wrap->arc = sqrt(f->arc * f->arc + rise * rise);
}

bool ut_tendon_wrap(bool cylinder, double radius, const utVec3 p[2], const utVec3* side,
                    TendonWrap* wrap)
{
    utVec3 axis[2] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    if (!cylinder && !sphere_axes(p, axis)) {
        return false;
    }
    utVec2 flat[2];
    for (int k = 0; k < 2; k++) {
        flat[k] = ut_vec2(ut_vec3_dot(p[k], axis[0]), ut_vec3_dot(p[k], axis[1]));
    }
    // only the direction of the side counts
    utVec2 flat_side = {0.0, 0.0};
    const bool inside = side != NULL && ut_vec3_norm(*side) < radius;
    if (side != NULL) {
        flat_side = ut_vec2(ut_vec3_dot(*side, axis[0]), ut_vec3_dot(*side, axis[1]));
    }
    FlatWrap f;
    if (inside ? !wrap_inside(flat, radius, &f)
               : !wrap_outside(flat, radius, side != NULL ? &flat_side : NULL, &f)) {
        return false;
    }
    wrap->arc = f.arc;
    for (int k = 0; k < 2; k++) {
        wrap->point[k] =
            ut_vec3_add_scaled(ut_vec3_scale(axis[0], f.point[k].x), f.point[k].y, axis[1]);
    }
    if (cylinder) {
        rise(p, flat, &f, wrap);
    }
    return true;
}
