// SPDX-License-Identifier: Apache-2.0
// A sphere or a capsule against a cylinder: a point, and how far it is from the cylinder.
//
// The cylinder comes second, but its frame is the one to compute in; normals there go from the
// cylinder to the round shape.
#include "collision/manifold/manifold.h"

// The point of a cylinder's surface nearest to x.
typedef struct Foot {
    utVec3 at;
    utVec3 n;        // outward
    double distance; // of x along n; negative inside
    double across;   // of x from the axis
} Foot;

static utVec3 away_from_axis(utVec3 x, double across)
{
    return across > 0.0 ? ut_vec3(x.x / across, x.y / across, 0.0) : ut_vec3(1.0, 0.0, 0.0);
}

static Foot find_foot(const utShape* cylinder, utVec3 x)
{
    const double r = cylinder->size.x, h = cylinder->size.y, up = x.z < 0.0 ? -1.0 : 1.0;
    Foot foot = {.across = sqrt(x.x * x.x + x.y * x.y)};
    const double over = fabs(x.z) - h, beside = foot.across - r;
    if (beside <= 0.0 && over >= beside) {
        foot.n = ut_vec3(0.0, 0.0, up);
        foot.distance = over;
        foot.at = ut_vec3(x.x, x.y, up * h);
        return foot;
    }
    const utVec3 out = away_from_axis(x, foot.across);
    if (over <= 0.0) {
        foot.n = out;
        foot.distance = beside;
        foot.at = ut_vec3(r * out.x, r * out.y, x.z);
        return foot;
    }
    foot.at = ut_vec3(r * out.x, r * out.y, up * h);
    foot.n = out;
    foot.distance = ut_split(ut_vec3(beside * out.x, beside * out.y, up * over), &foot.n);
    return foot;
}

// what counts as on a cap or on the side, as of every manifold
static int feature_of(const utShape* cylinder, utVec3 x, double slop)
{
    const int upper = x.z < 0.0 ? 0 : 1;
    const bool cap = fabs(x.z) >= cylinder->size.y - slop;
    const bool side = sqrt(x.x * x.x + x.y * x.y) >= cylinder->size.x - slop;
    return !cap ? CYLINDER_SIDE : side ? CYLINDER_RIM + upper : CYLINDER_CAP + upper;
}

// half of what the two are large by
static double slop_of(double round, const utShape* cylinder)
{
    return UT_SLOP * (round + ut_larger(cylinder->size.x, cylinder->size.y));
}

// a ball of radius r whose centre has this foot
static void add_ball(const utFrame* cylinder, const Foot* foot, double r, int fa, int fb,
                     Manifold* m)
{
    const double gap = foot->distance - r;
    const utVec3 n = ut_mat3_mul_vec(cylinder->R, foot->n);
    const utVec3 point = ut_vec3_add_scaled(ut_frame_point(*cylinder, foot->at), 0.5 * gap, n);
    ut_manifold_add(m, point, ut_vec3_negate(n), gap, fa, fb);
}

void ut_collide_sphere_cylinder(const utShape* a, const utFrame* A, const utShape* b,
                                const utFrame* B, Manifold* m)
{
    m->complete = true;
    const Foot foot = find_foot(b, ut_frame_point_inverse(*B, A->p));
    if (foot.distance - a->size.x <= m->margin) {
        const int feature = feature_of(b, foot.at, slop_of(a->size.x, b));
        add_ball(B, &foot, a->size.x, ROUND_FEATURE, feature, m);
    }
}

// ---- capsule ------------------------------------------------------------------------------------

// A capsule's core in the cylinder's frame, seen from the end that is nearer.
typedef struct Shaft {
    utVec3 x, u; // that end, the unit direction from there to the other
    double length;
    int end;
} Shaft;

static Shaft find_shaft(const utShape* a, const utFrame* A, const utFrame* B, int end)
{
    const utVec3 axis = ut_mat3_tmul_vec(B->R, ut_mat3_column(A->R, 2));
    const utVec3 centre = ut_frame_point_inverse(*B, A->p);
    const double s = end == 0 ? -1.0 : 1.0;
    return (Shaft){.x = ut_vec3_add_scaled(centre, s * a->size.y, axis),
                   .u = ut_vec3_scale(axis, -s),
                   .length = 2.0 * a->size.y,
                   .end = end == 0 ? END_LOW : END_HIGH};
}

// How far the core has risen where it leaves what is over the cap, or ends.
static double rise_over_cap(const utShape* cylinder, const Shaft* shaft, const Foot* foot)
{
    const double rise = ut_vec3_dot(shaft->u, foot->n);
    const double slope = sqrt(shaft->u.x * shaft->u.x + shaft->u.y * shaft->u.y);
    const double room = cylinder->size.x - foot->across;
    const double run = slope * shaft->length > room ? room / slope : shaft->length;
    return rise * run;
}

static bool is_point_within(const Shaft* shaft, utVec3 x, double reach)
{
    const utVec3 w = ut_vec3_sub(x, shaft->x);
    const double along = ut_vec3_dot(w, shaft->u);
    const double s = along < 0.0 ? 0.0 : along > shaft->length ? shaft->length : along;
    const utVec3 d = ut_vec3_add_scaled(w, -s, shaft->u);
    return !(ut_vec3_dot(d, d) > reach * reach);
}

// May anything else be within reach: the other end, or points of the rims?
static bool has_more(const utShape* cylinder, const Shaft* shaft, const Foot* foot, double reach,
                     double slop)
{
    const utVec3 other = ut_vec3_add_scaled(shaft->x, shaft->length, shaft->u);
    if (!(find_foot(cylinder, other).distance > reach)) {
        return true;
    }
    const RimPoints rim = ut_rim_points(cylinder, foot->n);
    for (int i = 0; i < 4; i++) {
        const utVec3 off = ut_vec3_sub(rim.x[i], foot->at);
        const bool same = ut_vec3_dot(off, off) <= slop * slop;
        if (!same && is_point_within(shaft, rim.x[i], reach)) {
            return true;
        }
    }
    return false;
}

// One end of the core outside, from where the core goes on away from the cylinder, and nothing else
// of it near: a single point.
static bool add_end(const utShape* a, const Shaft* shaft, const utShape* b, const utFrame* B,
                    Manifold* m)
{
    const double r = a->size.x, size = r + shaft->length + b->size.x + b->size.y;
    const double slop = slop_of(r + a->size.y, b), reach = r + m->margin + 1e-12 * size;
    const Foot foot = find_foot(b, shaft->x);
    const double rise = ut_vec3_dot(shaft->u, foot.n);
    if (!(foot.distance > slop && rise > UT_NEAR_PARALLEL)) {
        return false;
    }
    if (foot.distance - r > m->margin) {
        m->complete = true;
        return true;
    }
    const int feature = feature_of(b, foot.at, slop);
    const bool cap = feature == CYLINDER_CAP || feature == CYLINDER_CAP + 1;
    const double steepness = fabs(foot.n.z);
    // neither all but over a cap nor with a line along the side
    if (cap ? !(foot.distance + rise_over_cap(b, shaft, &foot) > reach)
            : !(steepness < 1.0 - 1e-6 && rise > 1e-6)) {
        return false;
    }
    if (has_more(b, shaft, &foot, reach, slop)) {
        return false;
    }
    add_ball(B, &foot, r, shaft->end, feature, m);
    m->complete = true;
    return true;
}

void ut_collide_capsule_cylinder(const utShape* a, const utFrame* A, const utShape* b,
                                 const utFrame* B, Manifold* m)
{
    for (int end = 0; end < 2 && a->size.y > 0.0; end++) {
        const Shaft shaft = find_shaft(a, A, B, end);
        if (add_end(a, &shaft, b, B, m)) {
            return;
        }
    }
    ut_collide_convex(a, A, b, B, m);
}
