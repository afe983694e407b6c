// SPDX-License-Identifier: Apache-2.0
// ut_turning for machines with AVX2, without FMA: the directions are three lanes of a vector. Every lane
// has the operations of turning.c in their order, so the bits are the same.
#include "la/internal.h"

#ifdef UT_AVX2

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#include "turning.h"

typedef double Lanes __attribute__((vector_size(32)));

// Three vectors, one per lane.
typedef struct Vectors {
    Lanes x, y, z;
} Vectors;

// a . v of each lane
static inline Lanes along(double a, double b, double c, const Vectors* v)
{
    return a * v->x + b * v->y + c * v->z;
}

void ut_turning_avx2(const utMat3* R, const utMat3* Y, utVec3 x, const utVec3 d[3], double out[3])
{
    const Vectors D = {{d[0].x, d[1].x, d[2].x, 0.0},
                       {d[0].y, d[1].y, d[2].y, 0.0},
                       {d[0].z, d[1].z, d[2].z, 0.0}};
    const Vectors c = {x.y * D.z - x.z * D.y, x.z * D.x - x.x * D.z, x.x * D.y - x.y * D.x};
    const Vectors t = {along(R->m[0][0], R->m[1][0], R->m[2][0], &c),
                       along(R->m[0][1], R->m[1][1], R->m[2][1], &c),
                       along(R->m[0][2], R->m[1][2], R->m[2][2], &c)};
    const Vectors w = {along(Y->m[0][0], Y->m[0][1], Y->m[0][2], &t),
                       along(Y->m[1][0], Y->m[1][1], Y->m[1][2], &t),
                       along(Y->m[2][0], Y->m[2][1], Y->m[2][2], &t)};
    const Lanes square = t.x * w.x + t.y * w.y + t.z * w.z;
    for (int k = 0; k < 3; k++) {
        out[k] = square[k];
    }
}

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
