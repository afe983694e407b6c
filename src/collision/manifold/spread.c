// SPDX-License-Identifier: Apache-2.0
#include "collision/internal.h"

// Twice the signed area of the triangle a b x, seen along n.
static double area(utVec3 n, utVec3 a, utVec3 b, utVec3 x)
{
    return ut_vec3_dot(n, ut_vec3_cross(ut_vec3_sub(b, a), ut_vec3_sub(x, a)));
}

double ut_spread_gain(utVec3 normal, int count, const utVec3* kept, utVec3 x)
{
    if (count == 1) {
        return ut_vec3_norm(ut_vec3_sub(x, kept[0]));
    }
    if (count == 2) {
        return fabs(area(normal, kept[0], kept[1], x));
    }
    if (count > 3) {
        double nearest = HUGE_VAL;
        for (int i = 0; i < count; i++) {
            nearest = fmin(nearest, ut_vec3_norm(ut_vec3_sub(x, kept[i])));
        }
        return nearest;
    }
    const double turn = area(normal, kept[0], kept[1], kept[2]) < 0.0 ? -1.0 : 1.0;
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        most = ut_larger(most, -turn * area(normal, kept[i], kept[(i + 1) % 3], x));
    }
    return most;
}
