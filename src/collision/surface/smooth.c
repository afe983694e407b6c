// SPDX-License-Identifier: Apache-2.0
// Cylinders and ellipsoids against one triangle, edge or vertex.
//
// With x(n) the point of the shape that is lowest along n and p a point of an edge, the gap along a
// normal n of the edge is n.(x(n) - p). Its slope, when n turns about the edge, is n'.(x(n) - p):
// halving the range of normals by its sign finds the largest gap.
//
// Features of a cylinder: its lower and upper cap, its side, points of the lower and the upper rim
// (lowest there, a third of a turn before and behind it; and the four on its axes, for one that
// stands upright), the rims themselves, where a cap's rim crosses an edge, first and second, and
// four more points of an upright one, between its axes.
#include "internal.h"

enum {
    CAP = 1,           // + 1: upper
    SIDE = 3,          //
    RIM_LOWEST = 4,    // + 1: upper
    RIM_THIRD = 6,     // + 0, 1; + 2: upper
    RIM_AXIS = 10,     // + 0 ... 3; + 4: upper
    RIM = 18,          // + 1: upper
    RIM_CROSSING = 20, // + 0, 1; + 2: upper
    RIM_BETWEEN = 24   // + 0 ... 3; + 4: upper
};

static void add(Pair* pair, utVec3 foot, utVec3 n, double gap, int fa, uint32_t fb)
{
    if (gap <= pair->margin) {
        const double lowest = ut_pair_lowest(pair, n) - ut_vec3_dot(n, foot);
        ut_clusters_add(&pair->clusters,
                        &(Meeting){foot, n, gap, (uint32_t)fa, fb, gap > lowest + pair->slop});
    }
}

// ---- a triangle ---------------------------------------------------------------------------------

static void meet_point(Pair* pair, const Patch* patch, utVec3 x, int feature)
{
    const utVec3 n = patch->t.normal;
    const double height = ut_vec3_dot(n, ut_vec3_sub(x, patch->t.v[0]));
    if (height > pair->margin || !ut_patch_holds(patch, x, pair->slop) ||
        (height < -pair->slop && !ut_pair_leaves_by(pair, patch, x, height))) {
        return;
    }
    add(pair, ut_vec3_add_scaled(x, -height, n), n, height, feature, ut_feature_plane(patch));
}

// Upright: eight points of the cap, always the same ones.
static void meet_cap(Pair* pair, const Patch* patch, int cap)
{
    const double r = pair->shape->size.x, z = cap == 0 ? -pair->shape->size.y : pair->shape->size.y;
    static const double c[4] = {1.0, 0.0, -1.0, 0.0}, s[4] = {0.0, 1.0, 0.0, -1.0};
    static const double eighth = 0.70710678118654752;
    for (int i = 0; i < 4; i++) {
        const utVec3 between = ut_vec3(r * eighth * (c[i] - s[i]), r * eighth * (c[i] + s[i]), z);
        meet_point(pair, patch, ut_vec3(r * c[i], r * s[i], z), RIM_AXIS + 4 * cap + i);
        meet_point(pair, patch, between, RIM_BETWEEN + 4 * cap + i);
    }
}

// Else the lowest points of both rims, and two more of the lower one.
static void cylinder_meets_face(Pair* pair, const Patch* patch)
{
    const double r = pair->shape->size.x, h = pair->shape->size.y;
    const utVec3 n = patch->t.normal;
    const int cap = n.z > 0.0 ? 0 : 1;
    const double across = sqrt(n.x * n.x + n.y * n.y);
    // so that what is left out lies deeper by no more than this, times 0.08 r
    if (across <= 0.5 * UT_SLOP) {
        meet_cap(pair, patch, cap);
        return;
    }
    const double x = -n.x / across, y = -n.y / across, z = cap == 0 ? -h : h;
    const double half = 0.5, third = 0.86602540378443865;
    meet_point(pair, patch, ut_vec3(r * x, r * y, z), RIM_LOWEST + cap);
    meet_point(pair, patch, ut_vec3(r * x, r * y, -z), RIM_LOWEST + 1 - cap);
    for (int i = 0; i < 2; i++) {
        const double s = i == 0 ? third : -third;
        const utVec3 p = ut_vec3(r * (-half * x - s * y), r * (s * x - half * y), z);
        meet_point(pair, patch, p, RIM_THIRD + 2 * cap + i);
    }
}

void ut_smooth_meets_face(Pair* pair, const Patch* patch)
{
    if (pair->shape->kind == UT_SHAPE_CYLINDER) {
        cylinder_meets_face(pair, patch);
    } else {
        const utVec3 x = ut_shape_support(pair->shape, ut_vec3_negate(patch->t.normal));
        meet_point(pair, patch, x, ROUND_FEATURE);
    }
}

// ---- an edge ------------------------------------------------------------------------------------

typedef struct Ridge {
    const Patch* patch;
    int k;
    utVec3 a, along;
    double length;
    double face; // the larger gap of its two triangles
} Ridge;

static void ridge_add(Pair* pair, const Ridge* ridge, double s, utVec3 n, double gap, int fa,
                      uint32_t fb)
{
    // out by a triangle where that is shorter
    if (gap < -pair->slop && gap < ridge->face - pair->slop) {
        return;
    }
    const utVec3 n1 = ridge->patch->t.normal, n2 = ridge->patch->beyond[ridge->k];
    n = ut_same_normal(n, n1, UT_NEAR_PARALLEL)   ? n1
        : ut_same_normal(n, n2, UT_NEAR_PARALLEL) ? n2
                                                  : n;
    add(pair, ut_vec3_add_scaled(ridge->a, s, ridge->along), n, gap, fa, fb);
}

// The stretch of an edge between s[0] and s[1], cut to its own length.
// @param cut features of the shape at the ends of the stretch, `whole` where the edge itself ends
static void add_stretch(Pair* pair, const Ridge* ridge, const double s[2], utVec3 n, double gap0,
                        double slope, const int cut[2], int whole)
{
    const double low = fmax(s[0], 0.0), high = fmin(s[1], ridge->length);
    if (!(low <= high + pair->slop)) {
        return;
    }
    for (int end = 0; end < 2; end++) {
        const double at = end == 0 ? low : high;
        const bool own = end == 0 ? s[0] < 0.0 : s[1] > ridge->length;
        const int vertex = ridge->patch->t.corner[(ridge->k + end) % 3];
        ridge_add(pair, ridge, at, n, gap0 + slope * at, own ? whole : cut[end],
                  own ? ut_feature_vertex(vertex) : ut_feature_edge(ridge->patch, ridge->k));
    }
}

// a cap that the edge lies along: the chord
static void ridge_meets_cap(Pair* pair, const Ridge* ridge, int cap)
{
    const double r = pair->shape->size.x, h = pair->shape->size.y, up = cap == 0 ? -1.0 : 1.0;
    const utVec3 n = ut_vec3(0.0, 0.0, -up), d = ridge->along, a = ridge->a;
    if (fabs(d.z) > UT_NEAR_PARALLEL ||
        !ut_patch_arc_holds(ridge->patch, ridge->k, n, UT_NEAR_PARALLEL)) {
        return;
    }
    const double middle = -(a.x * d.x + a.y * d.y);
    const double off = a.x * d.y - a.y * d.x;
    const double square = r * r - off * off;
    if (!(square > 0.0)) {
        return;
    }
    const double half = sqrt(square);
    const int first = RIM_CROSSING + 2 * cap;
    add_stretch(pair, ridge, (double[2]){middle - half, middle + half}, n, up * a.z - h, up * d.z,
                (int[2]){first, first + 1}, CAP + cap);
}

// The side, where it crosses the edge or lies along it: the axis against the edge, less r.
static void ridge_meets_side(Pair* pair, const Ridge* ridge)
{
    const double r = pair->shape->size.x, h = pair->shape->size.y;
    const utVec3 d = ridge->along, a = ridge->a;
    utVec3 n;
    // along x z
    const utVec3 k = ut_vec3(d.y, -d.x, 0.0);
    const double square = ut_vec3_dot(k, k);
    if (!(square > UT_NEAR_PARALLEL * UT_NEAR_PARALLEL)) {
        const utVec3 in = ut_vec3(-a.x, -a.y, 0.0);
        if (ut_vec3_normalize(in, &n) &&
            ut_patch_arc_holds(ridge->patch, ridge->k, n, UT_NEAR_PARALLEL)) {
            const double turn = d.z < 0.0 ? -1.0 : 1.0;
            const double s[2] = {-turn * a.z - h, -turn * a.z + h};
            const int cut[2] = {d.z < 0.0 ? RIM + 1 : RIM, d.z < 0.0 ? RIM : RIM + 1};
            add_stretch(pair, ridge, s, n, ut_vec3_norm(in) - r, -ut_vec3_dot(n, d), cut, SIDE);
        }
        return;
    }
    ut_vec3_normalize(k, &n);
    const double s = -(a.x * d.x + a.y * d.y) / square;
    const double z = a.z + s * d.z;
    if (!(s >= -pair->slop && s <= ridge->length + pair->slop && fabs(z) <= h + pair->slop)) {
        return;
    }
    for (int turn = 0; turn < 2; turn++) {
        const utVec3 m = turn == 0 ? n : ut_vec3_negate(n);
        if (ut_patch_arc_holds(ridge->patch, ridge->k, m, UT_NEAR_PARALLEL)) {
            ridge_add(pair, ridge, s, m, -ut_vec3_dot(m, a) - r, SIDE,
                      ut_feature_edge(ridge->patch, ridge->k));
        }
    }
}

// slope of the gap at the normal n
static double turn_slope(const Pair* pair, const Ridge* ridge, utVec3 n, utVec3* x)
{
    *x = ut_shape_support(pair->shape, ut_vec3_negate(n));
    return ut_vec3_dot(ut_vec3_cross(ridge->along, n), ut_vec3_sub(*x, ridge->a));
}

// Where the surface of the shape curves: the largest gap within the range of normals.
static void ridge_meets_curve(Pair* pair, const Ridge* ridge)
{
    utVec3 low = ridge->patch->t.normal, high = ridge->patch->beyond[ridge->k], x, y;
    if (!(turn_slope(pair, ridge, low, &x) > pair->slop) ||
        !(turn_slope(pair, ridge, high, &y) < -pair->slop)) {
        return;
    }
    // 1.1e-16 is 2^-53
    for (int i = 0; i < 54; i++) {
        utVec3 n, z;
        if (!ut_vec3_normalize(ut_vec3_add(low, high), &n)) {
            n = ridge->patch->out[ridge->k];
        }
        if (turn_slope(pair, ridge, n, &z) > 0.0) {
            low = n;
            x = z;
        } else {
            high = n;
            y = z;
        }
    }
    // a jump is a flat or straight part: those are found by themselves
    const double s = ut_vec3_dot(ut_vec3_sub(x, ridge->a), ridge->along);
    if (!(ut_vec3_norm(ut_vec3_sub(x, y)) <= 4.0 * pair->slop) ||
        !(s >= -pair->slop && s <= ridge->length + pair->slop)) {
        return;
    }
    const double gap = ut_vec3_dot(low, ut_vec3_sub(x, ridge->a));
    const int feature = pair->shape->kind == UT_SHAPE_ELLIPSOID ? ROUND_FEATURE
                        : x.z < 0.0                             ? RIM
                                                                : RIM + 1;
    ridge_add(pair, ridge, s, low, gap, feature, ut_feature_edge(ridge->patch, ridge->k));
}

void ut_smooth_meets_edge(Pair* pair, const Patch* patch, int k)
{
    Ridge ridge = {patch, k, patch->t.v[k], patch->along[k], patch->length[k], 0.0};
    const utVec3 n1 = patch->t.normal, n2 = patch->beyond[k];
    ridge.face = fmax(ut_pair_lowest(pair, n1) - ut_vec3_dot(n1, ridge.a),
                      ut_pair_lowest(pair, n2) - ut_vec3_dot(n2, ridge.a));
    if (pair->shape->kind == UT_SHAPE_CYLINDER) {
        ridge_meets_cap(pair, &ridge, 0);
        ridge_meets_cap(pair, &ridge, 1);
        ridge_meets_side(pair, &ridge);
    }
    ridge_meets_curve(pair, &ridge);
}

// ---- a vertex -----------------------------------------------------------------------------------

static void fan_add(Pair* pair, const Fan* fan, utVec3 n, double gap, int fa)
{
    if (gap < -pair->slop && gap < ut_fan_gap(pair, fan) - pair->slop) {
        return;
    }
    add(pair, fan->at, ut_fan_snap(fan, n), gap, fa, fan->id);
}

// above or below a cap, beside or within the side, or beyond a rim
static void cylinder_meets_vertex(Pair* pair, const Fan* fan)
{
    const double r = pair->shape->size.x, h = pair->shape->size.y;
    const utVec3 v = fan->at;
    const double across = sqrt(v.x * v.x + v.y * v.y), up = v.z < 0.0 ? -1.0 : 1.0;
    const double over = fabs(v.z) - h, beside = across - r;
    const int upper = v.z < 0.0 ? 0 : 1;
    const utVec3 cap = ut_vec3(0.0, 0.0, -up);
    const utVec3 side = across > 0.0 ? ut_vec3(-v.x / across, -v.y / across, 0.0) : cap;
    const bool cap_may = beside <= pair->slop && ut_fan_holds(fan, cap, UT_NEAR_PARALLEL);
    const bool side_may =
        across > 0.0 && over <= pair->slop && ut_fan_holds(fan, side, UT_NEAR_PARALLEL);
    if (over > pair->slop && beside > pair->slop) {
        const utVec3 d = ut_vec3_add(ut_vec3_scale(cap, over), ut_vec3_scale(side, beside));
        utVec3 n;
        if (ut_vec3_normalize(d, &n) && ut_fan_holds(fan, n, 1e-12)) {
            fan_add(pair, fan, n, ut_vec3_norm(d), RIM + upper);
        }
    } else if (cap_may && !(side_may && beside > over)) {
        fan_add(pair, fan, cap, over, CAP + upper);
    } else if (side_may) {
        fan_add(pair, fan, side, beside, SIDE);
    }
}

// With semi-axes a the nearest point to v is x_i = a_i^2 v_i / (a_i^2 + t), where t is the largest
// root of sum (a_i v_i / (a_i^2 + t))^2 = 1.
static double ellipse_sum(const double a[3], const double v[3], double t, double x[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double below = a[i] * a[i] + t;
        const double part = below > 0.0 ? a[i] * v[i] / below : v[i] != 0.0 ? HUGE_VAL : 0.0;
        x[i] = a[i] * part;
        sum += part * part;
    }
    return sum;
}

static void nearest_on_ellipsoid(const double a[3], const double v[3], double x[3])
{
    int thin = 0;
    double norm = 0.0;
    for (int i = 0; i < 3; i++) {
        thin = a[i] < a[thin] ? i : thin;
        norm += v[i] * v[i] * a[i] * a[i];
    }
    // the sum falls with t: it is over 1, or all of it there is, at the low end, and at most 1 at
    // the high one, where even a sphere of the least axis is reached
    double low = -a[thin] * a[thin], high = sqrt(norm) + low;
    high = high > low ? high : low;
    for (int i = 0; i < 200 && high > low; i++) {
        const double t = 0.5 * (low + high);
        if (t == low || t == high) {
            break;
        }
        if (ellipse_sum(a, v, t, x) > 1.0) {
            low = t;
        } else {
            high = t;
        }
    }
    const double sum = ellipse_sum(a, v, high, x);
    // in the middle plane of the thinnest axis, deep inside: straight out along it
    if (sum < 1.0 && v[thin] == 0.0) {
        x[thin] = a[thin] * sqrt(1.0 - sum);
    }
}

static void ellipsoid_meets_vertex(Pair* pair, const Fan* fan)
{
    const utVec3 size = pair->shape->size;
    const double a[3] = {size.x, size.y, size.z}, v[3] = {fan->at.x, fan->at.y, fan->at.z};
    double x[3];
    nearest_on_ellipsoid(a, v, x);
    const utVec3 in = ut_vec3(-x[0] / (a[0] * a[0]), -x[1] / (a[1] * a[1]), -x[2] / (a[2] * a[2]));
    utVec3 n;
    if (ut_vec3_normalize(in, &n) && ut_fan_holds(fan, n, 1e-12)) {
        fan_add(pair, fan, n, ut_vec3_dot(n, ut_vec3_sub(ut_of(x), fan->at)), ROUND_FEATURE);
    }
}

void ut_smooth_meets_vertex(Pair* pair, const Fan* fan)
{
    if (pair->shape->kind == UT_SHAPE_CYLINDER) {
        cylinder_meets_vertex(pair, fan);
    } else {
        ellipsoid_meets_vertex(pair, fan);
    }
}
