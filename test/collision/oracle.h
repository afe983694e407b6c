// SPDX-License-Identifier: Apache-2.0
// An independent judge of manifolds: support functions and membership of the shapes, by their
// definitions, and a search over directions.
//
// For a unit direction n let apart(n) = min over b of n.x - max over a of n.x. The signed distance
// of two convex bodies is the largest apart(n) of all n, whether they overlap or not. So a gap with
// apart(normal) = gap is a lower bound; two points of the bodies that are `gap` apart along the
// normal show that it is the distance of separated ones; and for overlapping ones no direction
// may have a larger apart(n).
#ifndef TEST_COLLISION_ORACLE_H
#define TEST_COLLISION_ORACLE_H

#include <math.h>
#include <string.h>
#include <uptack/collision.h>

#include "test.h"

// Coordinates are below 8 and pass some 100 operations: 100 x 8 x 1.1e-16, rounded up.
static const double rounding = 1e-13;

static inline utShape sphere(double r)
{
    return (utShape){.kind = UT_SHAPE_SPHERE, .size = {r, 0.0, 0.0}};
}

static inline utShape capsule(double r, double h)
{
    return (utShape){.kind = UT_SHAPE_CAPSULE, .size = {r, h, 0.0}};
}

static inline utShape box(double x, double y, double z)
{
    return (utShape){.kind = UT_SHAPE_BOX, .size = {x, y, z}};
}

static inline utShape plane(void)
{
    return (utShape){.kind = UT_SHAPE_PLANE, .size = {0.0, 0.0, 0.0}};
}

static inline utFrame at(double x, double y, double z)
{
    return ut_frame(ut_mat3_identity(), ut_vec3(x, y, z));
}

static inline utFrame turned(utVec3 axis, double angle, utVec3 p)
{
    return ut_frame(ut_quat_to_mat3(ut_quat_from_axis_angle(axis, angle)), p);
}

static inline utVec3 random_unit(utRng* rng)
{
    utVec3 n;
    const double x = ut_rng_normal(rng), y = ut_rng_normal(rng);
    if (!ut_vec3_normalize(ut_vec3(x, y, ut_rng_normal(rng)), &n)) {
        n = ut_vec3(0.0, 0.0, 1.0);
    }
    return n;
}

// max of n.x over the shape
static inline double reach(const utShape* shape, const utFrame* F, utVec3 n)
{
    const utVec3 d = ut_mat3_tmul_vec(F->R, n);
    const double centre = ut_vec3_dot(n, F->p);
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return centre + shape->size.x;
    case UT_SHAPE_CAPSULE:
        return centre + shape->size.x + shape->size.y * fabs(d.z);
    case UT_SHAPE_BOX:
        return centre + shape->size.x * fabs(d.x) + shape->size.y * fabs(d.y) +
               shape->size.z * fabs(d.z);
    default:
        break;
    }
    return centre;
}

static inline double apart(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                           utVec3 n)
{
    return -reach(b, B, ut_vec3_negate(n)) - reach(a, A, n);
}

// how far a point is outside the shape, 0 inside
static inline double outside(const utShape* shape, const utFrame* F, utVec3 x)
{
    const utVec3 y = ut_frame_point_inverse(*F, x);
    const utVec3 s = shape->size;
    utVec3 d = ut_vec3(0.0, 0.0, y.z > 0.0 ? y.z : 0.0);
    double r = 0.0;
    if (shape->kind == UT_SHAPE_SPHERE) {
        d = y;
        r = s.x;
    } else if (shape->kind == UT_SHAPE_CAPSULE) {
        d = ut_vec3(y.x, y.y, y.z - fmin(fmax(y.z, -s.y), s.y));
        r = s.x;
    } else if (shape->kind == UT_SHAPE_BOX) {
        d = ut_vec3(fmax(fabs(y.x) - s.x, 0.0), fmax(fabs(y.y) - s.y, 0.0),
                    fmax(fabs(y.z) - s.z, 0.0));
    }
    return fmax(ut_vec3_norm(d) - r, 0.0);
}

static inline int deepest(const utTouch* touch, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++) {
        best = touch[i].gap < touch[best].gap ? i : best;
    }
    return best;
}

// climb from n by steps to the best of eight neighbours, halving them when there is none
static inline double climb(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                           utVec3 n, double step, double least_step)
{
    double best = apart(a, A, b, B, n);
    for (int move = 0; move < 60 && step > least_step; move++) {
        utVec3 t1, t2, next = n;
        ut_tangent_basis(n, &t1, &t2);
        double most = best;
        for (int i = 0; i < 8; i++) {
            static const double c[8] = {1, 0.7071, 0, -0.7071, -1, -0.7071, 0, 0.7071};
            utVec3 m = ut_vec3_add_scaled(n, step * c[i], t1);
            ut_vec3_normalize(ut_vec3_add_scaled(m, step * c[(i + 6) % 8], t2), &m);
            const double value = apart(a, A, b, B, m);
            if (value > most) {
                most = value;
                next = m;
            }
        }
        step = most > best ? step : 0.5 * step;
        best = most;
        n = next;
    }
    return best;
}

// The largest apart(n) that a search finds: 128 directions, spread evenly, and the best four of
// them climbed.
static inline double search_apart(const utShape* a, const utFrame* A, const utShape* b,
                                  const utFrame* B)
{
    enum { DIRECTIONS = 128, CLIMBS = 4 };
    double value[DIRECTIONS];
    utVec3 direction[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; i++) {
        const double z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, r = sqrt(1.0 - z * z);
        const double angle = 2.399963229728653 * i; // golden
        direction[i] = ut_vec3(r * cos(angle), r * sin(angle), z);
        value[i] = apart(a, A, b, B, direction[i]);
    }
    double best = -HUGE_VAL;
    for (int k = 0; k < CLIMBS; k++) {
        int most = 0;
        for (int i = 1; i < DIRECTIONS; i++) {
            most = value[i] > value[most] ? i : most;
        }
        best = fmax(best, climb(a, A, b, B, direction[most], 0.2, 1e-5));
        value[most] = -HUGE_VAL;
    }
    return best;
}

// the point of a box, or of a capsule's or sphere's core, that is nearest to x
static inline utVec3 nearest(const utShape* shape, const utFrame* F, utVec3 x)
{
    const utVec3 y = ut_frame_point_inverse(*F, x), s = shape->size;
    const bool round = shape->kind != UT_SHAPE_BOX;
    const utVec3 h = round ? ut_vec3(0.0, 0.0, shape->kind == UT_SHAPE_CAPSULE ? s.y : 0.0) : s;
    return ut_frame_point(*F, ut_vec3(fmin(fmax(y.x, -h.x), h.x), fmin(fmax(y.y, -h.y), h.y),
                                      fmin(fmax(y.z, -h.z), h.z)));
}

// The largest apart(n) over the axes of both shapes, their cross products, and the connection that
// projecting to and fro ends at: for nearly parallel boxes and capsules, where a search gets stuck
// on ridges.
static inline double axes_apart(const utShape* a, const utFrame* A, const utShape* b,
                                const utFrame* B)
{
    double best = -HUGE_VAL;
    for (int k = 0; k < 16; k++) {
        utVec3 n = ut_mat3_column(k < 3 ? A->R : B->R, k % 3);
        if (k >= 6 && k < 15) {
            ut_vec3_normalize(
                ut_vec3_cross(ut_mat3_column(A->R, (k - 6) / 3), ut_mat3_column(B->R, (k - 6) % 3)),
                &n);
        } else if (k == 15) {
            utVec3 x = A->p, y = B->p;
            for (int i = 0; i < 500; i++) {
                x = nearest(a, A, y);
                y = nearest(b, B, x);
            }
            ut_vec3_normalize(ut_vec3_sub(y, x), &n);
        }
        if (ut_vec3_norm(n) > 0.5) {
            best = fmax(best, apart(a, A, b, B, n));
            best = fmax(best, apart(a, A, b, B, ut_vec3_negate(n)));
        }
    }
    return best;
}

// every point lies halfway between points of the two shapes
static inline bool points_are_on_both(const utShape* a, const utFrame* A, const utShape* b,
                                      const utFrame* B, const utTouch* touch, int count,
                                      double tolerance)
{
    for (int i = 0; i < count; i++) {
        const utTouch* t = &touch[i];
        const utVec3 x = ut_vec3_add_scaled(t->point, -0.5 * t->gap, t->normal);
        const utVec3 y = ut_vec3_add_scaled(t->point, 0.5 * t->gap, t->normal);
        if (!(outside(a, A, x) <= tolerance && outside(b, B, y) <= tolerance)) {
            return false;
        }
        if (!(fabs(ut_vec3_norm(t->normal) - 1.0) <= 1e-14)) {
            return false;
        }
    }
    return true;
}

// features ascend, so none comes twice
static inline bool features_ascend(const utTouch* touch, int count)
{
    for (int i = 1; i < count; i++) {
        if (touch[i].feature <= touch[i - 1].feature) {
            return false;
        }
    }
    return true;
}

#endif
