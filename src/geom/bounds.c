// How far shapes reach.
#include <uptack/geom.h>

double ut_shape_radius(const utShape* shape)
{
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return shape->size.x;
    case UT_SHAPE_CAPSULE:
        return shape->size.x + shape->size.y;
    case UT_SHAPE_BOX:
        return ut_vec3_norm(shape->size);
    case UT_SHAPE_PLANE:
        return HUGE_VAL;
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return 0.0;
}

// A half space is bounded on one side of one axis, and that only when its normal n is along it.
static void bound_plane(double n, double n2, double n3, double p, double* low, double* high)
{
    const bool along = n2 == 0.0 && n3 == 0.0;
    *low = along && n < 0.0 ? p : -HUGE_VAL;
    *high = along && n > 0.0 ? p : HUGE_VAL;
}

static utBounds plane_bounds(utFrame at)
{
    const utVec3 n = ut_mat3_column(at.R, 2);
    utBounds bounds;
    bound_plane(n.x, n.y, n.z, at.p.x, &bounds.low.x, &bounds.high.x);
    bound_plane(n.y, n.z, n.x, at.p.y, &bounds.low.y, &bounds.high.y);
    bound_plane(n.z, n.x, n.y, at.p.z, &bounds.low.z, &bounds.high.z);
    return bounds;
}

// how far a box turned by R reaches along world axis i
static double box_reach(utMat3 R, int i, utVec3 half)
{
    return fabs(R.m[i][0]) * half.x + fabs(R.m[i][1]) * half.y + fabs(R.m[i][2]) * half.z;
}

utBounds ut_shape_bounds(const utShape* shape, utFrame at)
{
    utVec3 reach = ut_vec3_zero();
    const double r = shape->size.x;
    switch (shape->kind) {
    case UT_SHAPE_PLANE:
        return plane_bounds(at);
    case UT_SHAPE_SPHERE:
        reach = ut_vec3(r, r, r);
        break;
    case UT_SHAPE_CAPSULE: {
        const utVec3 end = ut_vec3_scale(ut_mat3_column(at.R, 2), shape->size.y);
        reach = ut_vec3(fabs(end.x) + r, fabs(end.y) + r, fabs(end.z) + r);
        break;
    }
    case UT_SHAPE_BOX:
        reach = ut_vec3(box_reach(at.R, 0, shape->size), box_reach(at.R, 1, shape->size),
                        box_reach(at.R, 2, shape->size));
        break;
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return (utBounds){ut_vec3_sub(at.p, reach), ut_vec3_add(at.p, reach)};
}
