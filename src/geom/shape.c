// SPDX-License-Identifier: Apache-2.0
// Shapes: names, checks, volumes and mass properties.
#include <stdio.h>

#include "internal.h"

static const double pi = 3.14159265358979323846;

const char* ut_shape_kind_name(utShapeKind kind)
{
    switch (kind) {
    case UT_SHAPE_PLANE:
        return "plane";
    case UT_SHAPE_SPHERE:
        return "sphere";
    case UT_SHAPE_CAPSULE:
        return "capsule";
    case UT_SHAPE_BOX:
        return "box";
    case UT_SHAPE_CYLINDER:
        return "cylinder";
    case UT_SHAPE_ELLIPSOID:
        return "ellipsoid";
    case UT_SHAPE_HULL:
        return "hull";
    case UT_SHAPE_MESH:
        return "mesh";
    case UT_SHAPE_HEIGHTS:
        return "heights";
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return "unknown shape";
}

static utStatus check_size(const utShape* shape, const char* what, double size, bool may_be_zero,
                           utError* err)
{
    if ((size > 0.0 || (may_be_zero && size == 0.0)) && size <= DBL_MAX) {
        return UT_OK;
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "%s: the %s is %g m; it must be %s and finite",
                        ut_shape_kind_name(shape->kind), what, size,
                        may_be_zero ? "0 or positive" : "positive");
}

static utStatus check_round(const utShape* shape, bool may_be_flat, utError* err)
{
    UT_TRY(check_size(shape, "radius", shape->size.x, false, err));
    return check_size(shape, "half length", shape->size.y, may_be_flat, err);
}

static utStatus check_three(const utShape* shape, const char* what, utError* err)
{
    const double size[3] = {shape->size.x, shape->size.y, shape->size.z};
    for (int i = 0; i < 3; i++) {
        char name[48];
        snprintf(name, sizeof name, "%s along %c", what, "xyz"[i]);
        UT_TRY(check_size(shape, name, size[i], false, err));
    }
    return UT_OK;
}

// A hull, mesh or height field must have its data.
static utStatus check_data(const utShape* shape, const void* data, utError* err)
{
    return data != NULL
               ? UT_OK
               : ut_error_set(err, UT_ERR_ARGUMENT, "%s: its data are missing; build it first",
                              ut_shape_kind_name(shape->kind));
}

utStatus ut_shape_check(const utShape* shape, utError* err)
{
    switch (shape->kind) {
    case UT_SHAPE_PLANE:
        return UT_OK;
    case UT_SHAPE_SPHERE:
        return check_size(shape, "radius", shape->size.x, false, err);
    case UT_SHAPE_CAPSULE:
        return check_round(shape, true, err);
    case UT_SHAPE_CYLINDER:
        return check_round(shape, false, err);
    case UT_SHAPE_BOX:
        return check_three(shape, "half extent", err);
    case UT_SHAPE_ELLIPSOID:
        return check_three(shape, "semi-axis", err);
    case UT_SHAPE_HULL:
        return check_data(shape, shape->hull, err);
    case UT_SHAPE_MESH:
        return check_data(shape, shape->mesh, err);
    case UT_SHAPE_HEIGHTS:
        UT_TRY(check_data(shape, shape->heights, err));
        return check_three(shape, "half extent", err);
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "kind %d is not a shape; use one of utShapeKind",
                        (int)shape->kind);
}

bool ut_shape_is_convex(utShapeKind kind)
{
    return kind > UT_SHAPE_PLANE && kind < UT_SHAPE_MESH;
}

static double ball_volume(double radius)
{
    return 4.0 / 3.0 * pi * (radius * radius * radius);
}

// volume of a capsule between its caps
static double shaft_volume(const utShape* capsule)
{
    return pi * (capsule->size.x * capsule->size.x) * (2.0 * capsule->size.y);
}

double ut_shape_volume(const utShape* shape)
{
    const utVec3 size = shape->size;
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return ball_volume(size.x);
    case UT_SHAPE_CAPSULE:
        return shaft_volume(shape) + ball_volume(size.x);
    case UT_SHAPE_BOX:
        return 8.0 * (size.x * size.y * size.z);
    case UT_SHAPE_CYLINDER:
        return shaft_volume(shape);
    case UT_SHAPE_ELLIPSOID:
        return 4.0 / 3.0 * pi * (size.x * size.y * size.z);
    case UT_SHAPE_HULL:
        return shape->hull->volume;
    case UT_SHAPE_PLANE:
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return 0.0;
}

static utVec3 sphere_inertia(const utShape* sphere, double density)
{
    const double mass = density * ball_volume(sphere->size.x);
    const double each = 0.4 * mass * (sphere->size.x * sphere->size.x);
    return ut_vec3(each, each, each);
}

// A cylinder and two half balls. The centre of mass of a half ball is 3/8 r from its flat side.
// Moved outwards by h its moment across the axis is 2/5 r^2 + h^2 + 3/4 r h per kg.
static utVec3 capsule_inertia(const utShape* capsule, double density)
{
    const double r = capsule->size.x, h = capsule->size.y;
    const double shaft = density * shaft_volume(capsule);
    const double caps = density * ball_volume(r);
    const double across =
        shaft * (0.25 * r * r + h * h / 3.0) + caps * (0.4 * r * r + h * h + 0.75 * r * h);
    const double along = shaft * (0.5 * r * r) + caps * (0.4 * r * r);
    return ut_vec3(across, across, along);
}

static utVec3 box_inertia(const utShape* box, double density)
{
    const double third = density * ut_shape_volume(box) / 3.0;
    const double xx = box->size.x * box->size.x;
    const double yy = box->size.y * box->size.y;
    const double zz = box->size.z * box->size.z;
    return ut_vec3(third * (yy + zz), third * (xx + zz), third * (xx + yy));
}

static utVec3 cylinder_inertia(const utShape* cylinder, double density)
{
    const double r = cylinder->size.x, h = cylinder->size.y;
    const double mass = density * shaft_volume(cylinder);
    const double across = mass * (0.25 * r * r + h * h / 3.0);
    return ut_vec3(across, across, mass * (0.5 * r * r));
}

static utVec3 ellipsoid_inertia(const utShape* ellipsoid, double density)
{
    const double fifth = density * ut_shape_volume(ellipsoid) / 5.0;
    const double xx = ellipsoid->size.x * ellipsoid->size.x;
    const double yy = ellipsoid->size.y * ellipsoid->size.y;
    const double zz = ellipsoid->size.z * ellipsoid->size.z;
    return ut_vec3(fifth * (yy + zz), fifth * (xx + zz), fifth * (xx + yy));
}

utInertia ut_shape_inertia(const utShape* shape, double density)
{
    utVec3 moments = ut_vec3_zero();
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        moments = sphere_inertia(shape, density);
        break;
    case UT_SHAPE_CAPSULE:
        moments = capsule_inertia(shape, density);
        break;
    case UT_SHAPE_BOX:
        moments = box_inertia(shape, density);
        break;
    case UT_SHAPE_CYLINDER:
        moments = cylinder_inertia(shape, density);
        break;
    case UT_SHAPE_ELLIPSOID:
        moments = ellipsoid_inertia(shape, density);
        break;
    case UT_SHAPE_HULL:
        return ut_hull_inertia(shape->hull, density);
    case UT_SHAPE_PLANE:
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return ut_inertia(density * ut_shape_volume(shape), ut_vec3_zero(), ut_mat3_diagonal(moments));
}
