// SPDX-License-Identifier: Apache-2.0
// Volume, centre and moments of a polyhedron: sums over tetrahedra from a point inside to the
// triangles of its faces. With a, b, c relative to that point and D = a . (b x c), a tetrahedron
// has
//
//     volume D / 6,   integral of x: D / 24 s,
//     integral of x x^T: D / 120 (s s^T + a a^T + b b^T + c c^T),   s = a + b + c
//
// All D are positive, and the terms stay small far from the origin, because the point is inside.
#include "internal.h"

// Sums of D, D s and D (s s^T + a a^T + b b^T + c c^T).
typedef struct Sums {
    double volume;
    utVec3 first;
    utMat3 second;
} Sums;

static void add_tetrahedron(utVec3 a, utVec3 b, utVec3 c, Sums* sums)
{
    const double D = ut_vec3_dot(a, ut_vec3_cross(b, c));
    const utVec3 s = ut_vec3_add(a, ut_vec3_add(b, c));
    const utMat3 squares = ut_mat3_add(ut_mat3_add(ut_mat3_outer(s, s), ut_mat3_outer(a, a)),
                                       ut_mat3_add(ut_mat3_outer(b, b), ut_mat3_outer(c, c)));
    sums->volume += D;
    sums->first = ut_vec3_add_scaled(sums->first, D, s);
    sums->second = ut_mat3_add(sums->second, ut_mat3_scale(squares, D));
}

static Sums sum_about(const utHull* hull, utVec3 origin)
{
    Sums sums = {0.0, ut_vec3_zero(), ut_mat3_zero()};
    for (int f = 0; f < hull->faces; f++) {
        const int begin = hull->face_start[f];
        const utVec3 a = ut_vec3_sub(hull->vertex[hull->face_vertex[begin]], origin);
        for (int k = begin + 1; k + 1 < hull->face_start[f + 1]; k++) {
            const utVec3 b = ut_vec3_sub(hull->vertex[hull->face_vertex[k]], origin);
            const utVec3 c = ut_vec3_sub(hull->vertex[hull->face_vertex[k + 1]], origin);
            add_tetrahedron(a, b, c, &sums);
        }
    }
    return sums;
}

// Mean of the corners, computed relative to the first, so that no digits are lost far from the
// origin.
static utVec3 mean_of_corners(const utHull* hull)
{
    utVec3 sum = ut_vec3_zero();
    for (int i = 0; i < hull->vertices; i++) {
        sum = ut_vec3_add(sum, ut_vec3_sub(hull->vertex[i], hull->vertex[0]));
    }
    return ut_vec3_add_scaled(hull->vertex[0], 1.0 / hull->vertices, sum);
}

void ut_hull_measure(utHull* hull)
{
    const utVec3 origin = mean_of_corners(hull);
    const Sums sums = sum_about(hull, origin);
    hull->volume = sums.volume / 6.0;
    hull->center = ut_vec3_add_scaled(origin, 0.25 / sums.volume, sums.first);
}

utInertia ut_hull_inertia(const utHull* hull, double density)
{
    const utMat3 C = ut_mat3_scale(sum_about(hull, hull->center).second, density / 120.0);
    const double trace = C.m[0][0] + C.m[1][1] + C.m[2][2];
    const utMat3 I = ut_mat3_sub(ut_mat3_diagonal(ut_vec3(trace, trace, trace)), C);
    return ut_inertia(density * hull->volume, hull->center, I);
}
