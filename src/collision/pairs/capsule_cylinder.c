// SPDX-License-Identifier: Apache-2.0
// A sphere or a capsule against a cylinder, computed from the distance of a point to the cylinder.
//
// The computation is in the frame of the cylinder, which is the second shape. Normals in that frame
// point from the cylinder to the round shape.
#include "collision/manifold/manifold.h"

// tilt against the caps and the side above which an end of the core is surely the nearest point
#define MIN_TILT 1e-6

// The point of the cylinder's surface nearest to x.
typedef struct NearestPoint {
    utVec3 at;
    utVec3 n;         // outward
    double distance;  // of x along n; negative inside
    double from_axis; // distance of x from the axis
} NearestPoint;

static utVec3 away_from_axis(utVec3 x, double from_axis)
{
    return from_axis > 0.0 ? ut_vec3(x.x / from_axis, x.y / from_axis, 0.0)
                           : ut_vec3(1.0, 0.0, 0.0);
}

static NearestPoint find_nearest(const utShape* cylinder, utVec3 x)
{
    const double r = cylinder->size.x, h = cylinder->size.y, up = x.z < 0.0 ? -1.0 : 1.0;
    NearestPoint nearest = {.from_axis = sqrt(x.x * x.x + x.y * x.y)};
    const double over = fabs(x.z) - h, beside = nearest.from_axis - r;
    if (beside <= 0.0 && over >= beside) {
        nearest.n = ut_vec3(0.0, 0.0, up);
        nearest.distance = over;
        nearest.at = ut_vec3(x.x, x.y, up * h);
        return nearest;
    }
    const utVec3 out = away_from_axis(x, nearest.from_axis);
    if (over <= 0.0) {
        nearest.n = out;
        nearest.distance = beside;
        nearest.at = ut_vec3(r * out.x, r * out.y, x.z);
        return nearest;
    }
    nearest.at = ut_vec3(r * out.x, r * out.y, up * h);
    nearest.n = out;
    nearest.distance =
        ut_norm_and_unit(ut_vec3(beside * out.x, beside * out.y, up * over), &nearest.n);
    return nearest;
}

// slop for half the size of both shapes
static double slop_of(double round, const utShape* cylinder)
{
    return UT_FEATURE_SLOP * (round + ut_larger(cylinder->size.x, cylinder->size.y));
}

// Add a ball of radius r; `nearest` belongs to its centre.
static void add_ball(const utFrame* cylinder, const NearestPoint* nearest, double r, int feature_a,
                     int feature_b, Manifold* m)
{
    const double gap = nearest->distance - r;
    const utVec3 n = ut_mat3_mul_vec(cylinder->R, nearest->n);
    const utVec3 point = ut_vec3_add_scaled(ut_frame_point(*cylinder, nearest->at), 0.5 * gap, n);
    ut_manifold_add(m, point, ut_vec3_negate(n), gap, feature_a, feature_b);
}

void ut_collide_sphere_cylinder(const utShape* a, const utFrame* A, const utShape* b,
                                const utFrame* B, Manifold* m)
{
    m->complete = true;
    const NearestPoint nearest = find_nearest(b, ut_frame_point_inverse(*B, A->p));
    if (nearest.distance - a->size.x <= m->margin) {
        const int feature = ut_cylinder_feature(b, nearest.at, slop_of(a->size.x, b));
        add_ball(B, &nearest, a->size.x, ROUND_FEATURE, feature, m);
    }
}

// ---- capsule ------------------------------------------------------------------------------------

// The core of a capsule in the cylinder's frame, seen from one end.
typedef struct CapsuleCore {
    utVec3 x, u; // that end, and the unit direction to the other end
    double length;
    int end;
} CapsuleCore;

static CapsuleCore find_core(const utShape* a, const utFrame* A, const utFrame* B, int end)
{
    const utVec3 axis = ut_mat3_tmul_vec(B->R, ut_mat3_column(A->R, 2));
    const utVec3 centre = ut_frame_point_inverse(*B, A->p);
    const double s = end == 0 ? -1.0 : 1.0;
    return (CapsuleCore){.x = ut_vec3_add_scaled(centre, s * a->size.y, axis),
                         .u = ut_vec3_scale(axis, -s),
                         .length = 2.0 * a->size.y,
                         .end = end == 0 ? CAPSULE_END_LOW : CAPSULE_END_HIGH};
}

// Height that the core gains over the cap until it leaves the area above the cap or ends.
static double rise_over_cap(const utShape* cylinder, const CapsuleCore* core,
                            const NearestPoint* nearest)
{
    const double rise = ut_vec3_dot(core->u, nearest->n);
    const double slope = sqrt(core->u.x * core->u.x + core->u.y * core->u.y);
    const double to_rim = cylinder->size.x - nearest->from_axis;
    const double run = slope * core->length > to_rim ? to_rim / slope : core->length;
    return rise * run;
}

static bool is_point_within(const CapsuleCore* core, utVec3 x, double reach)
{
    const utVec3 w = ut_vec3_sub(x, core->x);
    const double along = ut_vec3_dot(w, core->u);
    const double s = along < 0.0 ? 0.0 : along > core->length ? core->length : along;
    const utVec3 d = ut_vec3_add_scaled(w, -s, core->u);
    return !(ut_vec3_dot(d, d) > reach * reach);
}

// May anything else be within reach: the other end, or points of the rims?
static bool may_have_more(const utShape* cylinder, const CapsuleCore* core,
                          const NearestPoint* nearest, double reach, double slop)
{
    const utVec3 other = ut_vec3_add_scaled(core->x, core->length, core->u);
    if (!(find_nearest(cylinder, other).distance > reach)) {
        return true;
    }
    const RimPoints rim = ut_rim_points(cylinder, nearest->n);
    for (int i = 0; i < 4; i++) {
        const utVec3 difference = ut_vec3_sub(rim.x[i], nearest->at);
        const bool same = ut_vec3_dot(difference, difference) <= slop * slop;
        if (!same && is_point_within(core, rim.x[i], reach)) {
            return true;
        }
    }
    return false;
}

// The contact is a single point if one end is outside, the core leads away from the cylinder there,
// and nothing else is within reach.
static bool add_end(const utShape* a, const CapsuleCore* core, const utShape* b, const utFrame* B,
                    Manifold* m)
{
    const double r = a->size.x, size = r + core->length + b->size.x + b->size.y;
    const double slop = slop_of(r + a->size.y, b),
                 reach = r + m->margin + UT_REACH_ALLOWANCE * size;
    const NearestPoint nearest = find_nearest(b, core->x);
    const double rise = ut_vec3_dot(core->u, nearest.n);
    if (!(nearest.distance > slop && rise > UT_PARALLEL_SINE)) {
        return false;
    }
    if (nearest.distance - r > m->margin) {
        m->complete = true;
        return true;
    }
    const int feature = ut_cylinder_feature(b, nearest.at, slop);
    const bool cap = feature == CYLINDER_CAP || feature == CYLINDER_CAP + 1;
    const double steepness = fabs(nearest.n.z);
    // reject ends nearly above a cap and cores nearly parallel to the side
    if (cap ? !(nearest.distance + rise_over_cap(b, core, &nearest) > reach)
            : !(steepness < 1.0 - MIN_TILT && rise > MIN_TILT)) {
        return false;
    }
    if (may_have_more(b, core, &nearest, reach, slop)) {
        return false;
    }
    add_ball(B, &nearest, r, core->end, feature, m);
    m->complete = true;
    return true;
}

void ut_collide_capsule_cylinder(const utShape* a, const utFrame* A, const utShape* b,
                                 const utFrame* B, Manifold* m)
{
    for (int end = 0; end < 2 && a->size.y > 0.0; end++) {
        const CapsuleCore core = find_core(a, A, B, end);
        if (add_end(a, &core, b, B, m)) {
            return;
        }
    }
    ut_collide_convex(a, A, b, B, m);
}
