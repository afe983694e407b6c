// SPDX-License-Identifier: Apache-2.0
// Random pairs of convex shapes, of all sizes and in awkward places.
#ifndef TEST_COLLISION_CONVEX_CASES_H
#define TEST_COLLISION_CONVEX_CASES_H

#include "convex_oracle.h"

enum { HULL_VERTICES = 12 };

/// A shape with room for a hull of its own.
typedef struct OwnShape {
    utShape shape;
    utHull hull;
    utVec3 vertex[HULL_VERTICES];
} OwnShape;

typedef struct Case {
    OwnShape a, b;
    utFrame A, B;
    int placed; ///< how, see place
} Case;

static inline utVec3 random_direction(utRng* rng)
{
    utVec3 n;
    const double x = ut_rng_normal(rng), y = ut_rng_normal(rng);
    if (!ut_vec3_normalize(ut_vec3(x, y, ut_rng_normal(rng)), &n)) {
        n = ut_vec3(0.0, 0.0, 1.0);
    }
    return n;
}

/// A positive number of any order between two.
static inline double random_order(utRng* rng, double low, double high)
{
    return low * exp(ut_rng_uniform(rng) * log(high / low));
}

// ---- shapes -------------------------------------------------------------------------------------

static inline int hull_points(utRng* rng, utVec3* vertex)
{
    static const utVec3 tetrahedron[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const int kind = ut_rng_below(rng, 4);
    int count = 0;
    if (kind == 0) {
        for (; count < 4; count++) {
            vertex[count] = tetrahedron[count];
        }
    } else if (kind == 1) {
        for (; count < 8; count++) {
            vertex[count] = ut_vec3(count & 1 ? 1 : -1, count & 2 ? 1 : -1, count & 4 ? 1 : -1);
        }
    } else if (kind == 2) {
        for (; count < 10; count++) {
            const double angle = 0.4 * 3.14159265358979 * (count / 2);
            vertex[count] = ut_vec3(cos(angle), sin(angle), count % 2 ? 1 : -1);
        }
    } else {
        const int points = 5 + ut_rng_below(rng, HULL_VERTICES - 4);
        for (; count < points; count++) {
            vertex[count] = random_direction(rng);
        }
    }
    return count;
}

static inline void make_hull(utRng* rng, utVec3 size, OwnShape* own)
{
    own->hull = (utHull){.vertices = hull_points(rng, own->vertex)};
    double extent = 0.0;
    for (int i = 0; i < own->hull.vertices; i++) {
        const utVec3 x = own->vertex[i];
        own->vertex[i] = ut_vec3(size.x * x.x, size.y * x.y, size.z * x.z);
        extent = fmax(extent, 2.0 * ut_vec3_norm(own->vertex[i]));
    }
    own->hull.vertex = own->vertex;
    own->hull.size = extent;
    own->hull.volume = size.x * size.y * size.z;
    own->shape = (utShape){.kind = UT_SHAPE_HULL, .hull = &own->hull};
}

static inline void random_shape_of(utRng* rng, utShapeKind kind, double scale, OwnShape* own)
{
    double s[3];
    for (int i = 0; i < 3; i++) {
        s[i] = scale * ut_rng_range(rng, 0.1, 1.0);
    }
    // a quarter is thin in one or two directions, a few are as regular as can be
    const int form = ut_rng_below(rng, 16);
    const int thin = ut_rng_below(rng, 3);
    if (form < 4) {
        s[thin] = scale * random_order(rng, 1e-3, 1e-1);
        s[(thin + 1) % 3] = form == 0 ? scale * random_order(rng, 1e-3, 1e-1) : s[(thin + 1) % 3];
        s[(thin + 2) % 3] = scale;
    } else if (form < 6) {
        s[0] = s[1] = s[2] = scale;
    }
    const utVec3 size = ut_vec3(s[0], s[1], s[2]);
    own->shape = ut_shape(kind, size);
    if (kind == UT_SHAPE_HULL) {
        make_hull(rng, size, own);
    }
}

// ---- places -------------------------------------------------------------------------------------

static inline utMat3 random_turn(utRng* rng)
{
    static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double* e = axis[ut_rng_below(rng, 3)];
    const utVec3 along = ut_vec3(e[0], e[1], e[2]);
    const double quarter = 1.57079632679489662 * ut_rng_below(rng, 4);
    const utVec3 any = random_direction(rng);
    switch (ut_rng_below(rng, 6)) {
    case 0:
        return ut_mat3_identity();
    case 1:
        return ut_quat_to_mat3(ut_quat_from_axis_angle(along, quarter));
    case 2: // nearly a quarter turn
        return ut_quat_to_mat3(
            ut_quat_mul(ut_quat_from_axis_angle(any, random_order(rng, 1e-12, 1e-2)),
                        ut_quat_from_axis_angle(along, quarter)));
    default:
        return ut_quat_to_mat3(ut_quat_from_axis_angle(any, ut_rng_range(rng, 0.0, 3.2)));
    }
}

// a direction that means something to the pair: a normal of a face, a common normal of edges
static inline utVec3 telling_direction(utRng* rng, const Case* c)
{
    utVec3 n = random_direction(rng);
    const utVec3 i = ut_mat3_column(c->A.R, ut_rng_below(rng, 3));
    const utVec3 j = ut_mat3_column(c->B.R, ut_rng_below(rng, 3));
    const int kind = ut_rng_below(rng, 5);
    if (kind == 0) {
        n = i;
    } else if (kind == 1) {
        n = j;
    } else if (kind == 2) {
        utVec3 k;
        n = ut_vec3_normalize(ut_vec3_cross(i, j), &k) ? k : n;
    }
    return ut_rng_below(rng, 2) == 0 ? n : ut_vec3_negate(n);
}

static inline utVec3 world_support(const utShape* shape, const utFrame* at, utVec3 n)
{
    return ut_frame_point(*at, ut_shape_support(shape, ut_mat3_tmul_vec(at->R, n)));
}

// Touching with the farthest points along n, slid aside within what faces and edges there allow
// and beyond, then moved along n by delta.
static inline void place(utRng* rng, double size, Case* c)
{
    const utVec3 n = telling_direction(rng, c);
    c->B.p = c->A.p;
    const utVec3 a = world_support(&c->a.shape, &c->A, n);
    const utVec3 b = world_support(&c->b.shape, &c->B, ut_vec3_negate(n));
    const utVec3 touching = ut_vec3_sub(a, b);
    const double along = ut_vec3_dot(n, touching);
    utVec3 p = touching;
    double delta = 0.0;
    c->placed = ut_rng_below(rng, 6);
    if (c->placed == 0) { // deep, or concentric
        p = ut_vec3_scale(n, along * (ut_rng_below(rng, 3) == 0 ? 0.0 : ut_rng_uniform(rng)));
    } else if (c->placed == 1) { // anywhere
        p = ut_vec3_scale(n, along * ut_rng_range(rng, 0.0, 2.0));
    } else if (c->placed == 2) { // far
        delta = size * random_order(rng, 1e-3, 1e3);
    } else if (c->placed == 3) { // grazing at a point
        delta = ut_rng_below(rng, 4) == 0 ? 0.0 : size * random_order(rng, 1e-15, 1e-2);
        delta *= ut_rng_below(rng, 2) == 0 ? 1.0 : -1.0;
    } else { // grazing, slid aside
        utVec3 t1, t2;
        ut_tangent_basis(n, &t1, &t2);
        const double slide = 0.5 * size * ut_rng_uniform(rng);
        p = ut_vec3_add_scaled(p, slide * ut_rng_range(rng, -1.0, 1.0), t1);
        p = ut_vec3_add_scaled(p, slide * ut_rng_range(rng, -1.0, 1.0), t2);
        delta = size * random_order(rng, 1e-12, 0.3) * (ut_rng_below(rng, 2) == 0 ? 1.0 : -1.0);
    }
    c->B.p = ut_vec3_add(c->A.p, ut_vec3_add_scaled(p, delta, n));
}

static inline void random_case(utRng* rng, utShapeKind a, utShapeKind b, Case* c)
{
    static const double scales[4] = {1e-4, 1.0, 1.0, 1e3};
    const double scale = scales[ut_rng_below(rng, 4)];
    double other = scale;
    if (ut_rng_below(rng, 4) == 0) {
        other = scale * random_order(rng, 1e-3, 1.0);
    }
    random_shape_of(rng, a, scale, &c->a);
    random_shape_of(rng, b, other, &c->b);
    c->A.R = random_turn(rng);
    c->B.R = ut_rng_below(rng, 4) == 0 ? c->A.R : random_turn(rng);
    c->A.p = ut_vec3_scale(random_direction(rng), scale);
    place(rng, other, c);
}

#endif
