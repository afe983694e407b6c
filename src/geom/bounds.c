// SPDX-License-Identifier: Apache-2.0
// Bounding radii and bounding boxes of shapes.
#include "bounds.h"

static double farthest(int count, const utVec3* point)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, ut_vec3_norm(point[i]));
    }
    return most;
}

double ut_shape_radius(const utShape* shape)
{
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return shape->size.x;
    case UT_SHAPE_CAPSULE:
        return shape->size.x + shape->size.y;
    case UT_SHAPE_BOX:
        return ut_vec3_norm(shape->size);
    case UT_SHAPE_CYLINDER:
        return sqrt(shape->size.x * shape->size.x + shape->size.y * shape->size.y);
    case UT_SHAPE_ELLIPSOID:
        return fmax(shape->size.x, fmax(shape->size.y, shape->size.z));
    case UT_SHAPE_HULL:
        return farthest(shape->hull->vertices, shape->hull->vertex);
    case UT_SHAPE_MESH:
        return farthest(shape->mesh->vertices, shape->mesh->vertex);
    case UT_SHAPE_HEIGHTS:
        return ut_vec3_norm(
            ut_vec3(shape->size.x, shape->size.y, fmax(shape->size.z, fabs(shape->heights->high))));
    case UT_SHAPE_PLANE:
        return HUGE_VAL;
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return 0.0;
}

// A half space is bounded on one side of an axis, and only if its normal n is along that axis.
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

// Half extent along world axis i of a box turned by R.
static double box_reach(utMat3 R, int i, utVec3 half)
{
    return fabs(R.m[i][0]) * half.x + fabs(R.m[i][1]) * half.y + fabs(R.m[i][2]) * half.z;
}

static double length2(double x, double y)
{
    return sqrt(x * x + y * y);
}

static double ellipsoid_reach(utMat3 R, int i, utVec3 half)
{
    const double x = R.m[i][0] * half.x, y = R.m[i][1] * half.y, z = R.m[i][2] * half.z;
    return sqrt(x * x + y * y + z * z);
}

static utBounds points_bounds(int count, const utVec3* point, utFrame at)
{
    utBounds bounds = ut_bounds_empty();
    for (int i = 0; i < count; i++) {
        ut_bounds_include(&bounds, ut_frame_point(at, point[i]));
    }
    return bounds;
}

// The bounds of a box that is turned and moved.
static utBounds box_bounds(utBounds box, utFrame at)
{
    const utVec3 half = ut_vec3_scale(ut_vec3_sub(box.high, box.low), 0.5);
    const utVec3 center = ut_frame_point(at, ut_vec3_scale(ut_vec3_add(box.low, box.high), 0.5));
    const utVec3 reach =
        ut_vec3(box_reach(at.R, 0, half), box_reach(at.R, 1, half), box_reach(at.R, 2, half));
    return (utBounds){ut_vec3_sub(center, reach), ut_vec3_add(center, reach)};
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
    case UT_SHAPE_CYLINDER: {
        // a disc of radius r extends by r sqrt(1 - c^2) along an axis at the cosine c to its normal
        const utVec3 z = ut_mat3_column(at.R, 2);
        const double h = shape->size.y;
        reach =
            ut_vec3(h * fabs(z.x) + r * length2(z.y, z.z), h * fabs(z.y) + r * length2(z.x, z.z),
                    h * fabs(z.z) + r * length2(z.x, z.y));
        break;
    }
    case UT_SHAPE_ELLIPSOID:
        reach =
            ut_vec3(ellipsoid_reach(at.R, 0, shape->size), ellipsoid_reach(at.R, 1, shape->size),
                    ellipsoid_reach(at.R, 2, shape->size));
        break;
    case UT_SHAPE_HULL:
        return points_bounds(shape->hull->vertices, shape->hull->vertex, at);
    case UT_SHAPE_MESH:
        return box_bounds(shape->mesh->bounds, at);
    case UT_SHAPE_HEIGHTS: {
        const utVec3 s = shape->size;
        return box_bounds((utBounds){ut_vec3(-s.x, -s.y, fmin(-s.z, shape->heights->low)),
                                     ut_vec3(s.x, s.y, shape->heights->high)},
                          at);
    }
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return (utBounds){ut_vec3_sub(at.p, reach), ut_vec3_add(at.p, reach)};
}
