// SPDX-License-Identifier: Apache-2.0
// The signed gap of any two shapes.
//
// Every pair is computed in one order only (pair_order.c).
#include "collision/convex/convex.h"
#include "collision/internal.h"

// error bound of a height over a plane or triangle, relative to the size: some 50 roundings
#define PLANE_ROUNDING 1e-14

// ---- pairs --------------------------------------------------------------------------------------

// The gap is the height of the lowest point of the convex shape over the plane.
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
    gap.error = PLANE_ROUNDING * size;
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

// Meshes and height fields are left to surface_gap.
static utStatus ordered_gap(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                            utGap* gap)
{
    const bool convex_a = ut_shape_is_convex(a->kind), convex_b = ut_shape_is_convex(b->kind);
    if (!convex_b || !(convex_a || a->kind == UT_SHAPE_PLANE)) {
        return UT_ERR_ARGUMENT;
    }
    *gap = convex_a ? convex_gap(a, A, b, B) : plane_gap(A, b, B);
    return UT_OK;
}

utStatus ut_gap(const utShape* a, utFrame A, const utShape* b, utFrame B, utGap* gap)
{
    if (!ut_shape_usable(a, &A) || !ut_shape_usable(b, &B)) {
        return UT_ERR_ARGUMENT;
    }
    if (!ut_pair_reversed(a, &A, b, &B)) {
        return ordered_gap(a, &A, b, &B, gap);
    }
    utGap swapped;
    UT_TRY(ordered_gap(b, &B, a, &A, &swapped));
    *gap = (utGap){swapped.gap, ut_vec3_negate(swapped.normal), swapped.on_b, swapped.on_a,
                   swapped.error};
    return UT_OK;
}

// ---- surfaces -----------------------------------------------------------------------------------

static bool is_surface(const utShape* shape)
{
    return shape->kind == UT_SHAPE_MESH || shape->kind == UT_SHAPE_HEIGHTS;
}

// The manifold contains the nearest point of all that are within its margin.
static utGap surface_gap(const utShape* a, utFrame A, const utShape* b, utFrame B, double limit)
{
    utTouch touch[UT_TOUCH_MAX];
    const int count = ut_collide(a, A, b, B, limit, touch);
    utGap gap = {.gap = limit};
    gap.error = PLANE_ROUNDING * (ut_vec3_norm(A.p) + ut_vec3_norm(B.p) + limit);
    for (int i = 0; i < count; i++) {
        if (i == 0 || touch[i].gap < gap.gap) {
            gap.gap = touch[i].gap;
            gap.normal = touch[i].normal;
            gap.on_a = ut_vec3_add_scaled(touch[i].point, -0.5 * touch[i].gap, touch[i].normal);
            gap.on_b = ut_vec3_add_scaled(touch[i].point, 0.5 * touch[i].gap, touch[i].normal);
        }
    }
    return gap;
}

utStatus ut_gap_within(const utShape* a, utFrame A, const utShape* b, utFrame B, double limit,
                       utGap* gap)
{
    if (!is_surface(a) && !is_surface(b)) {
        return ut_gap(a, A, b, B, gap);
    }
    if (!(limit >= 0.0 && limit <= DBL_MAX) || !ut_pair_usable(a, &A, b, &B) ||
        !(ut_shape_is_convex(a->kind) || ut_shape_is_convex(b->kind))) {
        return UT_ERR_ARGUMENT;
    }
    *gap = surface_gap(a, A, b, B, limit);
    return UT_OK;
}
