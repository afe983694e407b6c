// SPDX-License-Identifier: Apache-2.0
// Cylinders and ellipsoids against one triangle, edge or vertex.
//
// Let x(n) be the point of the shape that is lowest along n, and p a point of an edge. The gap
// along a normal n of the edge is n.(x(n) - p), and its derivative, when n turns about the edge, is
// n'.(x(n) - p). Bisection of the range of normals by the sign of the derivative finds the largest
// gap.
#include "internal.h"

static void add(SurfacePair* pair, utVec3 on_surface, utVec3 n, double gap, int feature_a,
                uint32_t feature_b)
{
    if (gap <= pair->margin) {
        const double lowest = ut_surface_pair_lowest(pair, n) - ut_vec3_dot(n, on_surface);
        ut_clusters_add(&pair->clusters, &(SurfacePoint){on_surface, n, gap, (uint32_t)feature_a,
                                                         feature_b, gap > lowest + pair->slop});
    }
}

// ---- a triangle ---------------------------------------------------------------------------------

static void add_point(SurfacePair* pair, const Patch* patch, utVec3 x, int feature)
{
    const utVec3 n = patch->t.normal;
    const double height = ut_vec3_dot(n, ut_vec3_sub(x, patch->t.v[0]));
    if (height > pair->margin || !ut_patch_holds(patch, x, pair->slop) ||
        (height < -pair->slop && !ut_surface_pair_exits_by(pair, patch, x, height))) {
        return;
    }
    add(pair, ut_vec3_add_scaled(x, -height, n), n, height, feature, ut_feature_plane(patch));
}

// An upright cylinder: eight fixed points of the cap.
static void add_cap(SurfacePair* pair, const Patch* patch, int cap)
{
    const double r = pair->shape->size.x, z = cap == 0 ? -pair->shape->size.y : pair->shape->size.y;
    static const double c[4] = {1.0, 0.0, -1.0, 0.0}, s[4] = {0.0, 1.0, 0.0, -1.0};
    static const double eighth = 0.70710678118654752;
    for (int i = 0; i < 4; i++) {
        const utVec3 between = ut_vec3(r * eighth * (c[i] - s[i]), r * eighth * (c[i] + s[i]), z);
        add_point(pair, patch, ut_vec3(r * c[i], r * s[i], z), CYLINDER_RIM_AXIS + 4 * cap + i);
        add_point(pair, patch, between, CYLINDER_RIM_BETWEEN + 4 * cap + i);
    }
}

// Upright: the cap. Otherwise the lowest points of both rims, and two more points of the lower rim.
static void cylinder_meets_face(SurfacePair* pair, const Patch* patch)
{
    const double r = pair->shape->size.x, h = pair->shape->size.y;
    const utVec3 n = patch->t.normal;
    const int cap = n.z > 0.0 ? 0 : 1;
    const double across = sqrt(n.x * n.x + n.y * n.y);
    if (across <= UT_UPRIGHT_SINE) {
        add_cap(pair, patch, cap);
        return;
    }
    const double x = -n.x / across, y = -n.y / across, z = cap == 0 ? -h : h;
    const double half = 0.5, third = 0.86602540378443865;
    add_point(pair, patch, ut_vec3(r * x, r * y, z), CYLINDER_RIM_LOWEST + cap);
    add_point(pair, patch, ut_vec3(r * x, r * y, -z), CYLINDER_RIM_LOWEST + 1 - cap);
    for (int i = 0; i < 2; i++) {
        const double s = i == 0 ? third : -third;
        const utVec3 p = ut_vec3(r * (-half * x - s * y), r * (s * x - half * y), z);
        add_point(pair, patch, p, CYLINDER_RIM_THIRD + 2 * cap + i);
    }
}

void ut_smooth_collide_face(SurfacePair* pair, const Patch* patch)
{
    if (pair->shape->kind == UT_SHAPE_CYLINDER) {
        cylinder_meets_face(pair, patch);
    } else {
        const utVec3 x = ut_shape_support(pair->shape, ut_vec3_negate(patch->t.normal));
        add_point(pair, patch, x, ROUND_FEATURE);
    }
}

// ---- an edge ------------------------------------------------------------------------------------

// Edge k of a patch.
typedef struct SurfaceEdge {
    const Patch* patch;
    int k;
    utVec3 a, along; // start and unit direction
    double length;
    double face; // the larger gap of its two triangles
} SurfaceEdge;

static void edge_add(SurfacePair* pair, const SurfaceEdge* edge, double s, utVec3 n, double gap,
                     int feature_a, uint32_t feature_b)
{
    // an adjacent triangle gives a shorter exit
    if (gap < -pair->slop && gap < edge->face - pair->slop) {
        return;
    }
    const utVec3 n1 = edge->patch->t.normal, n2 = edge->patch->neighbour_normal[edge->k];
    n = ut_same_normal(n, n1, UT_PARALLEL_SINE)   ? n1
        : ut_same_normal(n, n2, UT_PARALLEL_SINE) ? n2
                                                  : n;
    add(pair, ut_vec3_add_scaled(edge->a, s, edge->along), n, gap, feature_a, feature_b);
}

// Add the stretch of an edge between s[0] and s[1], clipped to the edge.
// @param cut   features of the shape at the ends of the stretch
// @param whole feature of the shape where the edge itself ends
static void add_stretch(SurfacePair* pair, const SurfaceEdge* edge, const double s[2], utVec3 n,
                        double gap0, double slope, const int cut[2], int whole)
{
    const double low = fmax(s[0], 0.0), high = fmin(s[1], edge->length);
    if (!(low <= high + pair->slop)) {
        return;
    }
    for (int end = 0; end < 2; end++) {
        const double at = end == 0 ? low : high;
        const bool own = end == 0 ? s[0] < 0.0 : s[1] > edge->length;
        const int vertex = edge->patch->t.corner[(edge->k + end) % 3];
        edge_add(pair, edge, at, n, gap0 + slope * at, own ? whole : cut[end],
                 own ? ut_feature_vertex(vertex) : ut_feature_edge(edge->patch, edge->k));
    }
}

// A cap parallel to the edge: the chord.
static void edge_meets_cap(SurfacePair* pair, const SurfaceEdge* edge, int cap)
{
    const double r = pair->shape->size.x, h = pair->shape->size.y, up = cap == 0 ? -1.0 : 1.0;
    const utVec3 n = ut_vec3(0.0, 0.0, -up), d = edge->along, a = edge->a;
    if (fabs(d.z) > UT_PARALLEL_SINE ||
        !ut_patch_arc_holds(edge->patch, edge->k, n, UT_PARALLEL_SINE)) {
        return;
    }
    const double middle = -(a.x * d.x + a.y * d.y);
    const double from_axis = a.x * d.y - a.y * d.x;
    const double square = r * r - from_axis * from_axis;
    if (!(square > 0.0)) {
        return;
    }
    const double half = sqrt(square);
    const int first = CYLINDER_RIM_CROSSING + 2 * cap;
    add_stretch(pair, edge, (double[2]){middle - half, middle + half}, n, up * a.z - h, up * d.z,
                (int[2]){first, first + 1}, CYLINDER_CAP + cap);
}

// The side of the cylinder, crossing the edge or parallel to it: distance of the axis minus r.
static void edge_meets_side(SurfacePair* pair, const SurfaceEdge* edge)
{
    const double r = pair->shape->size.x, h = pair->shape->size.y;
    const utVec3 d = edge->along, a = edge->a;
    utVec3 n;
    // d x z
    const utVec3 k = ut_vec3(d.y, -d.x, 0.0);
    const double square = ut_vec3_dot(k, k);
    if (!(square > UT_PARALLEL_SINE * UT_PARALLEL_SINE)) {
        const utVec3 in = ut_vec3(-a.x, -a.y, 0.0);
        if (ut_vec3_normalize(in, &n) &&
            ut_patch_arc_holds(edge->patch, edge->k, n, UT_PARALLEL_SINE)) {
            const double turn = d.z < 0.0 ? -1.0 : 1.0;
            const double s[2] = {-turn * a.z - h, -turn * a.z + h};
            const int cut[2] = {d.z < 0.0 ? CYLINDER_RIM + 1 : CYLINDER_RIM,
                                d.z < 0.0 ? CYLINDER_RIM : CYLINDER_RIM + 1};
            add_stretch(pair, edge, s, n, ut_vec3_norm(in) - r, -ut_vec3_dot(n, d), cut,
                        CYLINDER_SIDE);
        }
        return;
    }
    ut_vec3_normalize(k, &n);
    const double s = -(a.x * d.x + a.y * d.y) / square;
    const double z = a.z + s * d.z;
    if (!(s >= -pair->slop && s <= edge->length + pair->slop && fabs(z) <= h + pair->slop)) {
        return;
    }
    for (int turn = 0; turn < 2; turn++) {
        const utVec3 m = turn == 0 ? n : ut_vec3_negate(n);
        if (ut_patch_arc_holds(edge->patch, edge->k, m, UT_PARALLEL_SINE)) {
            edge_add(pair, edge, s, m, -ut_vec3_dot(m, a) - r, CYLINDER_SIDE,
                     ut_feature_edge(edge->patch, edge->k));
        }
    }
}

// Derivative of the gap at the normal n.
static double turn_slope(const SurfacePair* pair, const SurfaceEdge* edge, utVec3 n, utVec3* x)
{
    *x = ut_shape_support(pair->shape, ut_vec3_negate(n));
    return ut_vec3_dot(ut_vec3_cross(edge->along, n), ut_vec3_sub(*x, edge->a));
}

// A curved part of the shape: the largest gap within the range of normals, by bisection.
static void edge_meets_curve(SurfacePair* pair, const SurfaceEdge* edge)
{
    utVec3 low = edge->patch->t.normal, high = edge->patch->neighbour_normal[edge->k], x, y;
    if (!(turn_slope(pair, edge, low, &x) > pair->slop) ||
        !(turn_slope(pair, edge, high, &y) < -pair->slop)) {
        return;
    }
    // 54 halvings reduce the range to rounding
    for (int i = 0; i < 54; i++) {
        utVec3 n, z;
        if (!ut_vec3_normalize(ut_vec3_add(low, high), &n)) {
            n = edge->patch->outward[edge->k];
        }
        if (turn_slope(pair, edge, n, &z) > 0.0) {
            low = n;
            x = z;
        } else {
            high = n;
            y = z;
        }
    }
    // a jump of x means a flat or straight part, which is handled separately
    const double s = ut_vec3_dot(ut_vec3_sub(x, edge->a), edge->along);
    if (!(ut_vec3_norm(ut_vec3_sub(x, y)) <= UT_SAME_PLACE * pair->slop) ||
        !(s >= -pair->slop && s <= edge->length + pair->slop)) {
        return;
    }
    const double gap = ut_vec3_dot(low, ut_vec3_sub(x, edge->a));
    const int feature = pair->shape->kind == UT_SHAPE_ELLIPSOID ? ROUND_FEATURE
                        : x.z < 0.0                             ? CYLINDER_RIM
                                                                : CYLINDER_RIM + 1;
    edge_add(pair, edge, s, low, gap, feature, ut_feature_edge(edge->patch, edge->k));
}

void ut_smooth_collide_edge(SurfacePair* pair, const Patch* patch, int k)
{
    SurfaceEdge edge = {patch, k, patch->t.v[k], patch->along[k], patch->length[k], 0.0};
    const utVec3 n1 = patch->t.normal, n2 = patch->neighbour_normal[k];
    edge.face = fmax(ut_surface_pair_lowest(pair, n1) - ut_vec3_dot(n1, edge.a),
                     ut_surface_pair_lowest(pair, n2) - ut_vec3_dot(n2, edge.a));
    if (pair->shape->kind == UT_SHAPE_CYLINDER) {
        edge_meets_cap(pair, &edge, 0);
        edge_meets_cap(pair, &edge, 1);
        edge_meets_side(pair, &edge);
    }
    edge_meets_curve(pair, &edge);
}

// ---- a vertex -----------------------------------------------------------------------------------

static void vertex_add(SurfacePair* pair, const Fan* fan, utVec3 n, double gap, int feature_a)
{
    if (gap < -pair->slop && gap < ut_fan_gap(pair, fan) - pair->slop) {
        return;
    }
    add(pair, fan->at, ut_fan_snap(fan, n), gap, feature_a, fan->id);
}

// The vertex is above or below a cap, beside or inside the side, or beyond a rim.
static void cylinder_meets_vertex(SurfacePair* pair, const Fan* fan)
{
    const double r = pair->shape->size.x, h = pair->shape->size.y;
    const utVec3 v = fan->at;
    const double across = sqrt(v.x * v.x + v.y * v.y), up = v.z < 0.0 ? -1.0 : 1.0;
    const double over = fabs(v.z) - h, beside = across - r;
    const int upper = v.z < 0.0 ? 0 : 1;
    const utVec3 cap = ut_vec3(0.0, 0.0, -up);
    const utVec3 side = across > 0.0 ? ut_vec3(-v.x / across, -v.y / across, 0.0) : cap;
    const bool cap_may = beside <= pair->slop && ut_fan_holds(fan, cap, UT_PARALLEL_SINE);
    const bool side_may =
        across > 0.0 && over <= pair->slop && ut_fan_holds(fan, side, UT_PARALLEL_SINE);
    if (over > pair->slop && beside > pair->slop) {
        const utVec3 d = ut_vec3_add(ut_vec3_scale(cap, over), ut_vec3_scale(side, beside));
        utVec3 n;
        if (ut_vec3_normalize(d, &n) && ut_fan_holds(fan, n, UT_REACH_ALLOWANCE)) {
            vertex_add(pair, fan, n, ut_vec3_norm(d), CYLINDER_RIM + upper);
        }
    } else if (cap_may && !(side_may && beside > over)) {
        vertex_add(pair, fan, cap, over, CYLINDER_CAP + upper);
    } else if (side_may) {
        vertex_add(pair, fan, side, beside, CYLINDER_SIDE);
    }
}

// For semi-axes a the point nearest to v is x_i = a_i^2 v_i / (a_i^2 + t), where t is the largest
// root of sum (a_i v_i / (a_i^2 + t))^2 = 1.
static double ellipse_sum(const double a[3], const double v[3], double t, double x[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double below = a[i] * a[i] + t;
        const double term = below > 0.0 ? a[i] * v[i] / below : v[i] != 0.0 ? HUGE_VAL : 0.0;
        x[i] = a[i] * term;
        sum += term * term;
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
    // The sum decreases with t. It is at least 1 (or never reaches 1) at the low end, and at most 1
    // at the high end, where it is so even for a sphere with the least semi-axis.
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
    // v is in the symmetry plane of the thinnest axis, deep inside: exit along that axis
    if (sum < 1.0 && v[thin] == 0.0) {
        x[thin] = a[thin] * sqrt(1.0 - sum);
    }
}

static void ellipsoid_meets_vertex(SurfacePair* pair, const Fan* fan)
{
    const utVec3 size = pair->shape->size;
    const double a[3] = {size.x, size.y, size.z}, v[3] = {fan->at.x, fan->at.y, fan->at.z};
    double x[3];
    nearest_on_ellipsoid(a, v, x);
    const utVec3 in = ut_vec3(-x[0] / (a[0] * a[0]), -x[1] / (a[1] * a[1]), -x[2] / (a[2] * a[2]));
    utVec3 n;
    if (ut_vec3_normalize(in, &n) && ut_fan_holds(fan, n, UT_REACH_ALLOWANCE)) {
        vertex_add(pair, fan, n, ut_vec3_dot(n, ut_vec3_sub(ut_vec3_from(x), fan->at)),
                   ROUND_FEATURE);
    }
}

void ut_smooth_collide_vertex(SurfacePair* pair, const Fan* fan)
{
    if (pair->shape->kind == UT_SHAPE_CYLINDER) {
        cylinder_meets_vertex(pair, fan);
    } else {
        ellipsoid_meets_vertex(pair, fan);
    }
}
