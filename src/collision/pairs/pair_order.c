// SPDX-License-Identifier: Apache-2.0
// Validity and order of a pair of shapes, checked first by every function of two shapes.
#include "collision/internal.h"

// ---- validity -----------------------------------------------------------------------------------

// number of entries of utShape.size that a kind uses
static const uint8_t size_count[UT_SHAPE_KIND_COUNT] = {
    [UT_SHAPE_SPHERE] = 1,   [UT_SHAPE_CAPSULE] = 2,   [UT_SHAPE_BOX] = 3,
    [UT_SHAPE_CYLINDER] = 2, [UT_SHAPE_ELLIPSOID] = 3, [UT_SHAPE_HEIGHTS] = 3,
};

int ut_shape_size_count(utShapeKind kind)
{
    return size_count[kind];
}

// the sizes that the kind uses, 0 for the others
static utVec3 sizes_read(const utShape* shape)
{
    const int count = size_count[shape->kind];
    return ut_vec3(count > 0 ? shape->size.x : 0.0, count > 1 ? shape->size.y : 0.0,
                   count > 2 ? shape->size.z : 0.0);
}

static bool has_data(const utShape* shape)
{
    switch (shape->kind) {
    case UT_SHAPE_HULL:
        return shape->hull != NULL && shape->hull->vertices > 0;
    case UT_SHAPE_MESH:
        return shape->mesh != NULL;
    case UT_SHAPE_HEIGHTS:
        return shape->heights != NULL;
    default:
        return true;
    }
}

static bool is_known(const utShape* shape)
{
    return (unsigned)shape->kind < UT_SHAPE_KIND_COUNT &&
           (shape->kind < UT_SHAPE_HULL || has_data(shape));
}

static bool is_negative(utVec3 size)
{
    return (size.x < 0.0) | (size.y < 0.0) | (size.z < 0.0);
}

// Finite only if all terms are finite.
static double sum_of_entries(const utFrame* at, utVec3 size)
{
    const double(*R)[3] = at->R.m;
    const double x = R[0][0] + R[0][1] + R[0][2], y = R[1][0] + R[1][1] + R[1][2];
    const double z = R[2][0] + R[2][1] + R[2][2], p = at->p.x + at->p.y + at->p.z;
    return (x + y) + (z + p) + (size.x + size.y + size.z);
}

bool ut_shape_usable(const utShape* shape, const utFrame* at)
{
    if (!is_known(shape)) {
        return false;
    }
    const utVec3 size = sizes_read(shape);
    return fabs(sum_of_entries(at, size)) <= DBL_MAX && !is_negative(size);
}

bool ut_pair_usable(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B)
{
    if (!is_known(a) || !is_known(b)) {
        return false;
    }
    const utVec3 s = sizes_read(a), t = sizes_read(b);
    return fabs(sum_of_entries(A, s) + sum_of_entries(B, t)) <= DBL_MAX && !is_negative(s) &&
           !is_negative(t);
}

// ---- the order of a pair ------------------------------------------------------------------------

static int compare_rotations(const utMat3* A, const utMat3* B)
{
    for (int i = 0; i < 9; i++) {
        const int order = ut_larger_first(A->m[i / 3][i % 3], B->m[i / 3][i % 3]);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

static int compare_points(utVec3 a, utVec3 b)
{
    int order = ut_larger_first(a.x, b.x);
    order = order != 0 ? order : ut_larger_first(a.y, b.y);
    return order != 0 ? order : ut_larger_first(a.z, b.z);
}

static int compare_hulls(const utHull* a, const utHull* b)
{
    int order = ut_larger_first(a->vertices, b->vertices);
    order = order != 0 ? order : ut_larger_first(a->size, b->size);
    for (int i = 0; i < a->vertices && order == 0 && a != b; i++) {
        order = compare_points(a->vertex[i], b->vertex[i]);
    }
    return order;
}

static int compare_shapes(const utShape* a, const utShape* b)
{
    const int order = ut_larger_first(ut_shape_volume(a), ut_shape_volume(b));
    if (order != 0) {
        return order;
    }
    return a->kind == UT_SHAPE_HULL ? compare_hulls(a->hull, b->hull)
                                    : compare_points(sizes_read(a), sizes_read(b));
}

bool ut_pair_reversed(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B)
{
    if (a->kind != b->kind) {
        return a->kind > b->kind;
    }
    static const utVec3 up = {0.2360679775, 0.5772156649, 0.7818314825};
    int order = compare_shapes(a, b);
    order = order != 0 ? order : ut_larger_first(ut_vec3_dot(up, ut_vec3_sub(B->p, A->p)), 0.0);
    order = order != 0 ? order : compare_rotations(&A->R, &B->R);
    order = order != 0 ? order
                       : compare_points(A->p, B->p); // side by side, at the same height along `up`
    return order > 0;
}
