// SPDX-License-Identifier: Apache-2.0
// Time of impact by conservative advancement.
//
// Let n be the direction of the gap at time t, from a to b. The separation along the fixed
// direction n,
//
//     s(t + D) = min over b of n.x - max over a of n.x   <=   gap(t + D),
//
// is a lower bound of the gap for any n. A point at r from its body's origin moves by
// n.x(t + D) = n.(p + v D) + (n + D n x w).r + remainder, |remainder| <= |w|^2 |r| D^2 / 2. With
// the support function h of the shape
//
//     max over a of n.x(t + D)  <=  n.(p + v D) + h(n + D n x w) + |w|^2 R D^2 / 2.
//
// The right-hand side is convex in D, so the lower bound of s is concave. It starts above the
// target, so if it is above the target at D it was above it all the way. The largest such D is a
// safe step, and for small D it is optimal to second order. For long steps the coarser bound |n x
// w| R D, without tilting n, may allow more.
//
// A plane that turns is not covered by this bound, nor are meshes and height fields. There the step
// uses only that the gap changes no faster than any point moves.
#include "collision/internal.h"

#define TARGET_TOLERANCE 1e-6 // relative to the target gap
#define POSE_ROUNDING 1e-14 // relative to the coordinates: their rounding limits the gap's accuracy
#define BEYOND_REACH 1.01 // gaps above the target plus this multiple of the travel are not measured

enum {
    MAX_STEPS = 1000,   // of the advancement
    MAX_BISECTIONS = 40 // per step
};

// A moving shape.
typedef struct MovingShape {
    const utShape* shape;
    utFrame start, at;
    utMotion motion;
    double extent; // radius of a ball about the origin that holds a convex shape, m
    double radius; // the same, but 0 for a sphere, because turning does not change a sphere
    bool convex;   // it has a support function
} MovingShape;

static MovingShape moving_shape(const utShape* shape, utFrame at, utMotion motion)
{
    const bool convex = ut_shape_is_convex(shape->kind);
    const double extent = convex ? ut_shape_radius(shape) : 0.0;
    const bool ball = shape->kind == UT_SHAPE_SPHERE;
    if (ball) {
        motion.angular = ut_vec3_zero();
    }
    return (MovingShape){shape, at, at, motion, extent, ball ? 0.0 : extent, convex};
}

static void advance_to(MovingShape* m, double t)
{
    const utVec3 turn = ut_vec3_scale(m->motion.angular, t);
    m->at.R = ut_mat3_mul(ut_quat_to_mat3(ut_quat_exp(turn)), m->start.R);
    m->at.p = ut_vec3_add_scaled(m->start.p, t, m->motion.linear);
}

static bool turns(const MovingShape* m)
{
    return ut_vec3_dot(m->motion.angular, m->motion.angular) > 0.0;
}

// ---- reach along a direction --------------------------------------------------------------------

// One shape and a direction n that points out of it.
typedef struct Reach {
    const MovingShape* shape;
    utVec3 n;
    utVec3 tilt;    // n x w
    double forward; // n.p, with p relative to `origin`; its rate is `speed`
    double speed;
    double flat;  // largest rate of the support by turning, m/s
    double curve; // coefficient of D^2 for the remainder, m/s^2
} Reach;

static Reach reach_along(const MovingShape* m, utVec3 origin, utVec3 n)
{
    const utVec3 tilt = ut_vec3_cross(n, m->motion.angular);
    return (Reach){m,
                   n,
                   tilt,
                   ut_vec3_dot(n, ut_vec3_sub(m->at.p, origin)),
                   ut_vec3_dot(n, m->motion.linear),
                   ut_vec3_norm(tilt) * m->radius,
                   0.5 * ut_vec3_dot(m->motion.angular, m->motion.angular) * m->radius};
}

// h: support of the shape along d from its origin; the origin of a plane is on its surface.
static double support(const MovingShape* m, utVec3 d)
{
    if (!m->convex) {
        return 0.0;
    }
    const utVec3 local = ut_mat3_tmul_vec(m->at.R, d);
    return ut_vec3_dot(local, ut_shape_support(m->shape, local));
}

// Upper bound of the positions along n of all points of the shape after D.
static double reach_tilted(const Reach* r, double D)
{
    return r->forward + r->speed * D + support(r->shape, ut_vec3_add_scaled(r->n, D, r->tilt)) +
           r->curve * D * D;
}

// ---- steps --------------------------------------------------------------------------------------

// The largest step, at most `most`, after which two convex shapes, or one and a plane, are
// certainly not nearer than the target.
static double step_along(const MovingShape* a, const MovingShape* b, utVec3 n, double target,
                         double most)
{
    const Reach ra = reach_along(a, a->at.p, n);
    const Reach rb = reach_along(b, a->at.p, ut_vec3_negate(n));
    const double now = -reach_tilted(&ra, 0.0) - reach_tilted(&rb, 0.0);
    const double speed = ra.speed + rb.speed + ra.flat + rb.flat;
    if (!(now > target)) {
        return 0.0;
    }
    const double coarse = speed * most <= now - target ? most : (now - target) / speed;
    if (coarse == most) {
        return most;
    }
    // the concave bound is above the target at `low` and below it at `high`
    double low = coarse, high = most;
    if (-reach_tilted(&ra, low) - reach_tilted(&rb, low) < target) {
        return coarse;
    }
    if (-reach_tilted(&ra, high) - reach_tilted(&rb, high) >= target) {
        return most;
    }
    for (int i = 0; i < MAX_BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if (-reach_tilted(&ra, middle) - reach_tilted(&rb, middle) >= target) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Bound on the speed of any point of b relative to the frame of a within the time `most`. The
// rotation of a moves points far from its origin fastest.
static double relative_speed(const MovingShape* a, const MovingShape* b, double most)
{
    const utVec3 v = ut_vec3_sub(b->motion.linear, a->motion.linear);
    const double linear = ut_vec3_norm(v);
    const double far = ut_vec3_norm(ut_vec3_sub(b->at.p, a->at.p)) + linear * most + b->extent;
    return linear + ut_vec3_norm(a->motion.angular) * far +
           ut_vec3_norm(b->motion.angular) * b->radius;
}

// The same bound for any pair with a convex shape.
static double closing_speed(const MovingShape* a, const MovingShape* b, double most)
{
    return a->convex ? relative_speed(b, a, most) : relative_speed(a, b, most);
}

// A safe step for two shapes that are `gap` apart.
static double safe_step(const MovingShape* a, const MovingShape* b, const utGap* gap, double target,
                        double most)
{
    const bool flat_a = a->shape->kind == UT_SHAPE_PLANE && !turns(a);
    const bool flat_b = b->shape->kind == UT_SHAPE_PLANE && !turns(b);
    if ((a->convex || flat_a) && (b->convex || flat_b)) {
        return step_along(a, b, gap->normal, target, most);
    }
    const double speed = closing_speed(a, b, most);
    return speed * most <= gap->gap - target ? most : (gap->gap - target) / speed;
}

// The gap, up to a distance that the shapes cannot close within the time `most`.
static utStatus find_gap(const MovingShape* a, const MovingShape* b, double target, double most,
                         utGap* gap)
{
    const double limit = target + BEYOND_REACH * most * closing_speed(a, b, most);
    return ut_gap_within(a->shape, a->at, b->shape, b->at, limit, gap);
}

static bool is_finite(utMotion m)
{
    const double entry[6] = {m.linear.x,  m.linear.y,  m.linear.z,
                             m.angular.x, m.angular.y, m.angular.z};
    return ut_all_finite(6, entry);
}

bool ut_time_of_impact(const utShape* a, utFrame A, utMotion a_motion, const utShape* b, utFrame B,
                       utMotion b_motion, double h, double target, double* time)
{
    const bool usable = h >= 0.0 && h <= DBL_MAX && target > 0.0 && target <= DBL_MAX;
    if (!usable || !is_finite(a_motion) || !is_finite(b_motion) || !ut_pair_usable(a, &A, b, &B)) {
        return false;
    }
    MovingShape ma = moving_shape(a, A, a_motion), mb = moving_shape(b, B, b_motion);
    utGap gap;
    if (find_gap(&ma, &mb, target, h, &gap) != UT_OK) {
        return false;
    }
    // a gap this close to the target meets it
    const double near =
        TARGET_TOLERANCE * target + POSE_ROUNDING * (ut_vec3_norm(A.p) + ut_vec3_norm(B.p));
    double t = 0.0;
    for (int i = 0; i < MAX_STEPS && gap.gap > target + near; i++) {
        const double D = safe_step(&ma, &mb, &gap, target, h - t);
        if (!(D < h - t)) {
            return false;
        }
        // the step is below the resolution of t: this is the time of impact
        if (!(t + D > t)) {
            break;
        }
        t += D;
        advance_to(&ma, t);
        advance_to(&mb, t);
        if (find_gap(&ma, &mb, target, h - t, &gap) != UT_OK) {
            break;
        }
    }
    *time = t;
    return true;
}
