// The signed gap of two shapes, whichever they are.
//
// As in collide.c every pair is computed in one order only, so that (b, a) gives the bits of
// (a, b): lower kind first, and between equals in an order that the shapes themselves decide.
#include "collision/convex.h"

// ---- what can be used ---------------------------------------------------------------------------

// 0 times a number that is not finite is NaN, and stays so in a sum
static double zero_of(utVec3 x)
{
    return 0.0 * x.x + 0.0 * x.y + 0.0 * x.z;
}

static bool is_usable(const utShape* shape, const utFrame* at)
{
    if ((unsigned)shape->kind >= UT_SHAPE_KIND_COUNT) {
        return false;
    }
    double sum = zero_of(at->p);
    for (int i = 0; i < 3; i++) {
        sum += zero_of(ut_mat3_row(at->R, i));
    }
    utVec3 size = shape->size;
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        size.y = size.z = 0.0;
        break;
    case UT_SHAPE_CAPSULE:
    case UT_SHAPE_CYLINDER:
        size.z = 0.0;
        break;
    case UT_SHAPE_BOX:
    case UT_SHAPE_ELLIPSOID:
        break;
    case UT_SHAPE_HULL:
        size = ut_vec3_zero();
        sum = shape->hull != NULL && shape->hull->vertices > 0 ? sum : 1.0;
        break;
    default:
        size = ut_vec3_zero();
        break;
    }
    const bool negative = size.x < 0.0 || size.y < 0.0 || size.z < 0.0;
    return sum + zero_of(size) == 0.0 && !negative;
}

// ---- the order of a pair ------------------------------------------------------------------------

// -1, 0, 1 as x is over, at or below y: the larger comes first
static int larger_first(double x, double y)
{
    return x > y ? -1 : x < y ? 1 : 0;
}

static int compare_sizes(const utShape* a, const utShape* b)
{
    if (a->kind == UT_SHAPE_HULL) {
        const int order = larger_first(a->hull->vertices, b->hull->vertices);
        return order != 0 ? order : larger_first(a->hull->size, b->hull->size);
    }
    const double x[3] = {a->size.x, a->size.y, a->size.z};
    const double y[3] = {b->size.x, b->size.y, b->size.z};
    int order = 0;
    for (int i = 0; i < 3 && order == 0; i++) {
        order = larger_first(x[i], y[i]);
    }
    return order;
}

static int compare_rotations(const utMat3* A, const utMat3* B)
{
    int order = 0;
    for (int i = 0; i < 9 && order == 0; i++) {
        order = larger_first(A->m[i / 3][i % 3], B->m[i / 3][i % 3]);
    }
    return order;
}

// Does b come before a? "Low" is along a direction that is perpendicular to nothing in particular.
static bool is_reversed(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B)
{
    if (a->kind != b->kind) {
        return a->kind > b->kind;
    }
    static const utVec3 up = {0.2360679775, 0.5772156649, 0.7818314825};
    int order = larger_first(ut_shape_volume(a), ut_shape_volume(b));
    order = order != 0 ? order : compare_sizes(a, b);
    order = order != 0 ? order : larger_first(ut_vec3_dot(up, ut_vec3_sub(B->p, A->p)), 0.0);
    order = order != 0 ? order : compare_rotations(&A->R, &B->R);
    return order > 0;
}

// ---- pairs --------------------------------------------------------------------------------------

// The lowest point of a convex shape over the plane says it all.
static utGap plane_gap(const utFrame* A, const utShape* b, const utFrame* B)
{
    const utVec3 n = ut_mat3_column(A->R, 2);
    const utVec3 down = ut_mat3_tmul_vec(B->R, ut_vec3_negate(n));
    const utVec3 low = ut_mat3_mul_vec(B->R, ut_shape_support(b, down));
    const utVec3 apart = ut_vec3_add(ut_vec3_sub(B->p, A->p), low);
    const double height = ut_vec3_dot(n, apart);
    const double size = ut_vec3_norm(low) + ut_vec3_norm(ut_vec3_sub(B->p, A->p));
    utGap gap = {.gap = height, .normal = n, .on_b = ut_vec3_add(B->p, low)};
    gap.on_a = ut_vec3_add_scaled(gap.on_b, -height, n);
    gap.error = 1e-14 * size;
    return gap;
}

static utGap convex_gap(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B)
{
    const utFrame AB = {ut_mat3_mul(ut_mat3_transpose(A->R), B->R),
                        ut_mat3_tmul_vec(A->R, ut_vec3_sub(B->p, A->p))};
    const Convex first = ut_convex(a, ut_frame_identity()), second = ut_convex(b, AB);
    const ConvexGap found = ut_convex_gap(&first, &second, ut_vec3_zero(), HUGE_VAL);
    return (utGap){.gap = found.gap,
                   .normal = ut_mat3_mul_vec(A->R, found.normal),
                   .on_a = ut_frame_point(*A, found.on_a),
                   .on_b = ut_frame_point(*A, found.on_b),
                   .error = found.error};
}

// Meshes and height fields against a convex shape: not yet.
static utStatus surface_gap(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                            utGap* gap)
{
    (void)a;
    (void)A;
    (void)b;
    (void)B;
    (void)gap;
    return UT_ERR_ARGUMENT;
}

static utStatus ordered_gap(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                            utGap* gap)
{
    const bool convex_a = ut_shape_is_convex(a->kind), convex_b = ut_shape_is_convex(b->kind);
    if (!convex_a && !convex_b) {
        return UT_ERR_ARGUMENT;
    }
    if (!convex_b || (!convex_a && a->kind != UT_SHAPE_PLANE)) {
        return surface_gap(a, A, b, B, gap);
    }
    *gap = convex_a ? convex_gap(a, A, b, B) : plane_gap(A, b, B);
    return UT_OK;
}

utStatus ut_gap(const utShape* a, utFrame A, const utShape* b, utFrame B, utGap* gap)
{
    if (!is_usable(a, &A) || !is_usable(b, &B)) {
        return UT_ERR_ARGUMENT;
    }
    if (!is_reversed(a, &A, b, &B)) {
        return ordered_gap(a, &A, b, &B, gap);
    }
    utGap turned;
    UT_TRY(ordered_gap(b, &B, a, &A, &turned));
    *gap =
        (utGap){turned.gap, ut_vec3_negate(turned.normal), turned.on_b, turned.on_a, turned.error};
    return UT_OK;
}
