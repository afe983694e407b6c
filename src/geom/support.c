// SPDX-License-Identifier: Apache-2.0
// Support points: the farthest point of a convex shape along a direction.
#include "internal.h"

static utVec3 box_support(utVec3 half, utVec3 d)
{
    return ut_vec3(d.x < 0.0 ? -half.x : half.x, d.y < 0.0 ? -half.y : half.y,
                   d.z < 0.0 ? -half.z : half.z);
}

// r d / |d|; any point of length r when d is 0. Avoids squares that underflow or overflow.
static utVec3 ball_support(double r, utVec3 d)
{
    const double norm = ut_vec3_norm(d);
    if (norm > 1e-140 && norm < 1e140) {
        return ut_vec3_scale(d, r / norm);
    }
    utVec3 unit;
    return ut_vec3_normalize(d, &unit) ? ut_vec3_scale(unit, r) : ut_vec3(0.0, 0.0, r);
}

// A point of the rim; the centre of a cap when d is along the axis.
static utVec3 cylinder_support(double r, double h, utVec3 d)
{
    const utVec3 across = ut_vec3(d.x, d.y, 0.0);
    const bool along_axis = d.x == 0.0 && d.y == 0.0;
    const utVec3 rim = along_axis ? ut_vec3_zero() : ball_support(r, across);
    return ut_vec3(rim.x, rim.y, d.z < 0.0 ? -h : h);
}

// With S = diag(size): S^2 d / |S d|.
static utVec3 ellipsoid_support(utVec3 size, utVec3 d)
{
    const utVec3 e = ball_support(1.0, ut_vec3(size.x * d.x, size.y * d.y, size.z * d.z));
    return ut_vec3(size.x * e.x, size.y * e.y, size.z * e.z);
}

utVec3 ut_shape_support(const utShape* shape, utVec3 d)
{
    const utVec3 size = shape->size;
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return ball_support(size.x, d);
    case UT_SHAPE_CAPSULE: {
        const utVec3 ball = ball_support(size.x, d);
        return ut_vec3(ball.x, ball.y, ball.z + (d.z < 0.0 ? -size.y : size.y));
    }
    case UT_SHAPE_BOX:
        return box_support(size, d);
    case UT_SHAPE_CYLINDER:
        return cylinder_support(size.x, size.y, d);
    case UT_SHAPE_ELLIPSOID:
        return ellipsoid_support(size, d);
    case UT_SHAPE_HULL:
        return shape->hull->vertex[ut_hull_support(shape->hull, d)];
    case UT_SHAPE_PLANE:
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return ut_vec3_zero();
}
