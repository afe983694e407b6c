// SPDX-License-Identifier: Apache-2.0
// An independent judge of signed gaps, in extended precision and by definitions alone.
//
// With g(n) = min of n.(b - a) over points a of A and b of B, the gap of two convex bodies is the
// largest g(n) over unit n. So every n proves a lower bound. Upper bounds are proved
//   - of bodies that stand apart: by any two of their points;
//   - of polytopes that overlap: by trying all normals of faces and common normals of edges;
//   - of all others: by the proofs of convex_proof.h.
#ifndef TEST_COLLISION_CONVEX_ORACLE_H
#define TEST_COLLISION_CONVEX_ORACLE_H

#include <math.h>
#include <uptack/collision.h>

#include "test.h"

typedef long double Real;

typedef struct V3 {
    Real x, y, z;
} V3;

static inline V3 v3(Real x, Real y, Real z)
{
    return (V3){x, y, z};
}

static inline V3 v3_of(utVec3 a)
{
    return v3((Real)a.x, (Real)a.y, (Real)a.z);
}

static inline V3 v3_add(V3 a, Real s, V3 b)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline Real v3_dot(V3 a, V3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline V3 v3_cross(V3 a, V3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline Real v3_norm(V3 a)
{
    return sqrtl(v3_dot(a, a));
}

static inline V3 v3_unit(V3 a)
{
    const Real norm = v3_norm(a);
    return norm > 0.0L ? v3(a.x / norm, a.y / norm, a.z / norm) : v3(0.0L, 0.0L, 1.0L);
}

// ---- bodies -------------------------------------------------------------------------------------

/// The core of a convex shape, placed relative to some origin.
typedef struct Body {
    const utShape* shape;
    V3 axis[3];
    V3 p;
    Real radius; ///< of what the core is grown by
} Body;

static inline Body body_of(const utShape* shape, utFrame at, utVec3 origin)
{
    Body body = {.shape = shape};
    for (int i = 0; i < 3; i++) {
        body.axis[i] = v3_of(ut_mat3_column(at.R, i));
    }
    body.p = v3_add(v3_of(at.p), -1.0L, v3_of(origin));
    const bool round = shape->kind == UT_SHAPE_SPHERE || shape->kind == UT_SHAPE_CAPSULE;
    body.radius = round ? (Real)shape->size.x : 0.0L;
    return body;
}

static inline V3 to_world(const Body* body, V3 y)
{
    V3 x = v3_add(body->p, y.x, body->axis[0]);
    x = v3_add(x, y.y, body->axis[1]);
    return v3_add(x, y.z, body->axis[2]);
}

static inline V3 direction_to_local(const Body* body, V3 n)
{
    return v3(v3_dot(body->axis[0], n), v3_dot(body->axis[1], n), v3_dot(body->axis[2], n));
}

static inline V3 local_support(const utShape* shape, V3 d)
{
    const V3 s = v3_of(shape->size);
    switch (shape->kind) {
    case UT_SHAPE_CAPSULE:
        return v3(0.0L, 0.0L, d.z < 0.0L ? -s.y : s.y);
    case UT_SHAPE_BOX:
        return v3(copysignl(s.x, d.x), copysignl(s.y, d.y), copysignl(s.z, d.z));
    case UT_SHAPE_CYLINDER: {
        const Real across = sqrtl(d.x * d.x + d.y * d.y);
        const Real k = across > 0.0L ? s.x / across : 0.0L;
        return v3(k * d.x, k * d.y, copysignl(s.y, d.z));
    }
    case UT_SHAPE_ELLIPSOID: {
        const V3 e = v3_unit(v3(s.x * d.x, s.y * d.y, s.z * d.z));
        return v3(s.x * e.x, s.y * e.y, s.z * e.z);
    }
    case UT_SHAPE_HULL: {
        V3 best = v3_of(shape->hull->vertex[0]);
        for (int i = 1; i < shape->hull->vertices; i++) {
            const V3 x = v3_of(shape->hull->vertex[i]);
            best = v3_dot(d, x) > v3_dot(d, best) ? x : best;
        }
        return best;
    }
    default:
        return v3(0.0L, 0.0L, 0.0L);
    }
}

static inline V3 body_support(const Body* body, V3 n)
{
    return to_world(body, local_support(body->shape, direction_to_local(body, n)));
}

/// The point of B - A that is least far along n.
static inline V3 apart_point(const Body* a, const Body* b, V3 n)
{
    return v3_add(body_support(b, v3(-n.x, -n.y, -n.z)), -1.0L, body_support(a, n));
}

static inline Real apart_value(const Body* a, const Body* b, V3 n)
{
    return v3_dot(n, apart_point(a, b, n));
}

// ---- features of polytopes ----------------------------------------------------------------------

enum { MAX_NORMALS = 40, MAX_EDGES = 40 };

typedef struct Features {
    int normals, edges;
    V3 normal[MAX_NORMALS]; ///< of faces, in the world, each once
    V3 top[MAX_NORMALS];    ///< a point of that face
    V3 edge[MAX_EDGES];
} Features;

static inline V3 v3_negate(V3 a)
{
    return v3(-a.x, -a.y, -a.z);
}

// The side of the plane through x with the normal n that all vertices are on: 1 below, -1 above, 0
// on both.
static inline int all_on_one_side(const utHull* hull, V3 x, V3 n)
{
    int above = 0, below = 0;
    for (int m = 0; m < hull->vertices; m++) {
        const Real h = v3_dot(n, v3_add(v3_of(hull->vertex[m]), -1.0L, x));
        above += h > 1e-12L * (Real)hull->size;
        below += h < -1e-12L * (Real)hull->size;
    }
    return above == 0 ? 1 : below == 0 ? -1 : 0;
}

static inline void add_face(V3 n, V3 top, Features* f)
{
    for (int i = 0; i < f->normals; i++) {
        if (v3_norm(v3_add(f->normal[i], -1.0L, n)) < 1e-12L) {
            return;
        }
    }
    if (CHECK(f->normals < MAX_NORMALS)) {
        f->normal[f->normals] = n;
        f->top[f->normals++] = top;
    }
}

// All planes of three vertices that have everything on one side; two vertices are on an edge when
// they are on two of these. In the hull's own frame.
static inline void hull_features(const utHull* hull, Features* f)
{
    for (int i = 0; i < hull->vertices; i++) {
        for (int j = i + 1; j < hull->vertices; j++) {
            const V3 x = v3_of(hull->vertex[i]), e = v3_add(v3_of(hull->vertex[j]), -1.0L, x);
            for (int k = j + 1; k < hull->vertices; k++) {
                const V3 l = v3_add(v3_of(hull->vertex[k]), -1.0L, x);
                const V3 n = v3_unit(v3_cross(e, l));
                const int side = all_on_one_side(hull, x, n);
                if (side != 0) {
                    add_face(side > 0 ? n : v3_negate(n), x, f);
                }
            }
        }
    }
    for (int i = 0; i < hull->vertices; i++) {
        for (int j = i + 1; j < hull->vertices; j++) {
            const V3 x = v3_of(hull->vertex[i]), y = v3_of(hull->vertex[j]);
            int on = 0;
            for (int k = 0; k < f->normals; k++) {
                const Real hx = v3_dot(f->normal[k], v3_add(x, -1.0L, f->top[k]));
                const Real hy = v3_dot(f->normal[k], v3_add(y, -1.0L, f->top[k]));
                on += fmaxl(fabsl(hx), fabsl(hy)) <= 2e-12L * (Real)hull->size;
            }
            if (on >= 2 && CHECK(f->edges < MAX_EDGES)) {
                f->edge[f->edges++] = v3_unit(v3_add(y, -1.0L, x));
            }
        }
    }
}

static inline V3 direction_to_world(const Body* body, V3 d)
{
    const V3 xy = v3_add(v3_add(v3(0.0L, 0.0L, 0.0L), d.x, body->axis[0]), d.y, body->axis[1]);
    return v3_add(xy, d.z, body->axis[2]);
}

static inline void find_features(const Body* body, Features* f)
{
    f->normals = f->edges = 0;
    const V3 s = v3_of(body->shape->size);
    if (body->shape->kind == UT_SHAPE_BOX) {
        const Real half[3] = {s.x, s.y, s.z};
        for (int i = 0; i < 3; i++) {
            f->edge[f->edges++] = body->axis[i];
            add_face(body->axis[i], v3_add(body->p, half[i], body->axis[i]), f);
            add_face(v3_negate(body->axis[i]), v3_add(body->p, -half[i], body->axis[i]), f);
        }
    } else if (body->shape->kind == UT_SHAPE_CAPSULE && body->shape->size.y > 0.0) {
        f->edge[f->edges++] = body->axis[2];
    } else if (body->shape->kind == UT_SHAPE_HULL) {
        hull_features(body->shape->hull, f);
        for (int i = 0; i < f->normals; i++) {
            f->normal[i] = direction_to_world(body, f->normal[i]);
            f->top[i] = to_world(body, f->top[i]);
        }
        for (int i = 0; i < f->edges; i++) {
            f->edge[i] = direction_to_world(body, f->edge[i]);
        }
    }
}

// ---- membership ---------------------------------------------------------------------------------

/// Signed distance of a point from the core's surface, negative inside: exact outside of spheres,
/// capsules, boxes and cylinders, to first order of ellipsoids, the largest distance from a plane
/// of a face of hulls. @param f of a hull
static inline Real core_surface(const Body* body, const Features* f, V3 x)
{
    const V3 from = v3_add(x, -1.0L, body->p), y = direction_to_local(body, from);
    const V3 s = v3_of(body->shape->size);
    switch (body->shape->kind) {
    case UT_SHAPE_CAPSULE:
        return v3_norm(v3(y.x, y.y, y.z - fmaxl(-s.y, fminl(s.y, y.z))));
    case UT_SHAPE_BOX: {
        const V3 d = v3(fabsl(y.x) - s.x, fabsl(y.y) - s.y, fabsl(y.z) - s.z);
        const Real most = fmaxl(d.x, fmaxl(d.y, d.z));
        return most < 0.0L ? most
                           : v3_norm(v3(fmaxl(d.x, 0.0L), fmaxl(d.y, 0.0L), fmaxl(d.z, 0.0L)));
    }
    case UT_SHAPE_CYLINDER: {
        const Real across = hypotl(y.x, y.y) - s.x, along = fabsl(y.z) - s.y;
        const Real most = fmaxl(across, along);
        return most < 0.0L ? most : hypotl(fmaxl(across, 0.0L), fmaxl(along, 0.0L));
    }
    case UT_SHAPE_ELLIPSOID: {
        const V3 u = v3(y.x / s.x, y.y / s.y, y.z / s.z);
        const Real k = v3_norm(u);
        const Real slope = v3_norm(v3(u.x / s.x, u.y / s.y, u.z / s.z));
        return slope > 0.0L ? (k - 1.0L) * k / slope : -fminl(s.x, fminl(s.y, s.z));
    }
    case UT_SHAPE_HULL: {
        Real most = -HUGE_VALL;
        for (int i = 0; i < f->normals; i++) {
            most = fmaxl(most, v3_dot(f->normal[i], v3_add(x, -1.0L, f->top[i])));
        }
        return most;
    }
    default:
        return v3_norm(y);
    }
}

#endif
