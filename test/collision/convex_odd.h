// SPDX-License-Identifier: Apache-2.0
// Input that a careless caller might pass: sizes of nothing, poses that are none, flat hulls.
#ifndef TEST_COLLISION_CONVEX_ODD_H
#define TEST_COLLISION_CONVEX_ODD_H

#include "convex_cases.h"

// zeros, denormals, numbers whose squares overflow, and what is no number
static inline double odd_number(utRng* rng)
{
    static const double odd[] = {0.0,     -0.0,   1.0,   -1.0,    1e-300,   1e300,
                                 DBL_MIN, 1e-12,  1e12,  DBL_MAX, HUGE_VAL, (double)NAN,
                                 0.5,     1e-160, 1e160, 1e-310,  -HUGE_VAL};
    const int count = (int)(sizeof odd / sizeof *odd);
    return ut_rng_below(rng, 3) == 0 ? odd[ut_rng_below(rng, count)] : ut_rng_range(rng, 0.0, 2.0);
}

static inline void odd_shape(utRng* rng, OwnShape* own)
{
    const utShapeKind kind = (utShapeKind)ut_rng_below(rng, UT_SHAPE_MESH);
    random_shape_of(rng, kind, 1.0, own);
    if (kind == UT_SHAPE_HULL) {
        // flat, or all one point, or broken
        const int form = ut_rng_below(rng, 4);
        for (int i = 0; i < own->hull.vertices; i++) {
            own->vertex[i].z *= form == 0 ? 0.0 : 1.0;
            own->vertex[i] = form == 1 ? own->vertex[0] : own->vertex[i];
            own->vertex[i].y = form == 2 ? odd_number(rng) : own->vertex[i].y;
        }
    } else if (ut_rng_below(rng, 2) == 0) {
        own->shape.size = ut_vec3(odd_number(rng), odd_number(rng), odd_number(rng));
    }
}

static inline utFrame odd_frame(utRng* rng)
{
    utFrame at = ut_frame(random_turn(rng), ut_vec3_scale(random_direction(rng), 0.5));
    const int form = ut_rng_below(rng, 6);
    if (form == 0) {
        at.p = ut_vec3(odd_number(rng), odd_number(rng), odd_number(rng));
    } else if (form == 1) {
        at.R.m[ut_rng_below(rng, 3)][ut_rng_below(rng, 3)] = odd_number(rng);
    } else if (form < 4) {
        at.p = ut_vec3_zero();
    }
    return at;
}

#endif
