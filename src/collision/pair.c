// What every function of two shapes asks first: can they be used, and in which order do they come?
#include "collision/internal.h"

// ---- what can be used ---------------------------------------------------------------------------

// 0 times a number that is not finite is NaN, and stays so in a sum
static double zero_of(utVec3 x)
{
    return 0.0 * x.x + 0.0 * x.y + 0.0 * x.z;
}

// the sizes that a kind reads; 0 for the others
static utVec3 sizes_read(const utShape* shape)
{
    const utVec3 s = shape->size;
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return ut_vec3(s.x, 0.0, 0.0);
    case UT_SHAPE_CAPSULE:
    case UT_SHAPE_CYLINDER:
        return ut_vec3(s.x, s.y, 0.0);
    case UT_SHAPE_BOX:
    case UT_SHAPE_ELLIPSOID:
    case UT_SHAPE_HEIGHTS:
        return s;
    default:
        return ut_vec3_zero();
    }
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

bool ut_shape_usable(const utShape* shape, const utFrame* at)
{
    if ((unsigned)shape->kind >= UT_SHAPE_KIND_COUNT || !has_data(shape)) {
        return false;
    }
    const utVec3 size = sizes_read(shape);
    double sum = zero_of(at->p) + zero_of(size);
    for (int i = 0; i < 3; i++) {
        sum += zero_of(ut_mat3_row(at->R, i));
    }
    return sum == 0.0 && !(size.x < 0.0 || size.y < 0.0 || size.z < 0.0);
}

// ---- the order of a pair ------------------------------------------------------------------------

// -1, 0, 1 as x is over, at or below y: the larger comes first
static int larger_first(double x, double y)
{
    return x > y ? -1 : x < y ? 1 : 0;
}

static int compare_rotations(const utMat3* A, const utMat3* B)
{
    for (int i = 0; i < 9; i++) {
        const int order = larger_first(A->m[i / 3][i % 3], B->m[i / 3][i % 3]);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

static int compare_points(utVec3 a, utVec3 b)
{
    int order = larger_first(a.x, b.x);
    order = order != 0 ? order : larger_first(a.y, b.y);
    return order != 0 ? order : larger_first(a.z, b.z);
}

static int compare_hulls(const utHull* a, const utHull* b)
{
    int order = larger_first(a->vertices, b->vertices);
    order = order != 0 ? order : larger_first(a->size, b->size);
    for (int i = 0; i < a->vertices && order == 0 && a != b; i++) {
        order = compare_points(a->vertex[i], b->vertex[i]);
    }
    return order;
}

static int compare_shapes(const utShape* a, const utShape* b)
{
    const int order = larger_first(ut_shape_volume(a), ut_shape_volume(b));
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
    order = order != 0 ? order : larger_first(ut_vec3_dot(up, ut_vec3_sub(B->p, A->p)), 0.0);
    order = order != 0 ? order : compare_rotations(&A->R, &B->R);
    return order > 0;
}
