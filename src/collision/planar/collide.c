// SPDX-License-Identifier: Apache-2.0
// Two plane figures: validity, order, and conversion of their contact points to the world.
//
// Every pair is computed in one order only: the lower kind first, and for equal kinds in an order
// that depends on the figures alone. So (b, a) gives the same bits as (a, b). The computation is in
// the frame of the first figure, so the position in the world does not matter.
#include "internal.h"

#include "collision/internal.h"

// ---- validity -----------------------------------------------------------------------------------

static bool is_length(double x)
{
    return x >= 0.0 && x <= UT_FLAT_LARGEST;
}

static bool is_point(utVec2 x)
{
    return is_length(fabs(x.x)) && is_length(fabs(x.y));
}

static bool is_frame(const utFlatFrame* at)
{
    const double square = at->cosine * at->cosine + at->sine * at->sine;
    return is_point(at->position) && fabs(square - 1.0) <= UT_FLAT_FRAME_ERROR;
}

// Are the data present that decide the order of a pair?
static bool is_shape(const utFlatShape* shape)
{
    return (unsigned)shape->kind < UT_FLAT_KIND_COUNT &&
           (shape->kind != UT_FLAT_POLYGON || (shape->corners >= 3 && shape->corner != NULL));
}

static void set_own(FlatCore* core, int count, double x, double y)
{
    const utVec2 own[4] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
    core->count = count;
    core->corner = core->own;
    for (int i = 0; i < count; i++) {
        core->own[i] = own[i];
    }
}

static bool measure_reach(FlatCore* core)
{
    double square = 0.0;
    for (int i = 0; i < core->count; i++) {
        if (!is_point(core->corner[i])) {
            return false;
        }
        square = fmax(square, ut_vec2_dot(core->corner[i], core->corner[i]));
    }
    core->reach = sqrt(square) + core->radius;
    return true;
}

bool ut_flat_core(const utFlatShape* shape, FlatCore* core)
{
    const utVec2 size = shape->size;
    *core = (FlatCore){.at = ut_flat_frame(0.0, 0.0)};
    switch (shape->kind) {
    case UT_FLAT_CIRCLE:
        core->radius = size.x;
        set_own(core, 1, 0.0, 0.0);
        break;
    case UT_FLAT_CAPSULE:
        core->radius = size.x;
        set_own(core, 2, size.y, 0.0);
        break;
    case UT_FLAT_RECTANGLE:
        set_own(core, 4, size.x, size.y);
        break;
    case UT_FLAT_POLYGON:
        core->count = shape->corners;
        core->corner = shape->corner;
        return is_shape(shape) && measure_reach(core);
    case UT_FLAT_HALFPLANE:
    case UT_FLAT_KIND_COUNT:
    default:
        return false;
    }
    const bool one_size = shape->kind == UT_FLAT_CIRCLE;
    return is_length(size.x) && (one_size || is_length(size.y)) && measure_reach(core);
}

// ---- the order of a pair ------------------------------------------------------------------------

static int compare_corners(const utFlatShape* a, const utFlatShape* b)
{
    int order = 0;
    for (int i = 0; i < a->corners && order == 0; i++) {
        order = ut_larger_first(a->corner[i].x, b->corner[i].x);
        order = order != 0 ? order : ut_larger_first(a->corner[i].y, b->corner[i].y);
    }
    return order;
}

static int compare_frames(const utFlatFrame* A, const utFlatFrame* B)
{
    // The lower of two equal figures comes first. "Low" is along a direction that is perpendicular
    // to no usual direction, so small motions do not change the order of a stack.
    static const utVec2 up = {0.2360679775, 0.7818314825};
    const utVec2 w = ut_vec2_sub(B->position, A->position);
    int order = ut_larger_first(ut_vec2_dot(up, w), 0.0);
    order = order != 0 ? order : ut_larger_first(w.x, 0.0);
    order = order != 0 ? order : ut_larger_first(A->cosine, B->cosine);
    return order != 0 ? order : ut_larger_first(A->sine, B->sine);
}

// Does b come before a?
static bool is_reversed(const utFlatShape* a, const utFlatFrame* A, const utFlatShape* b,
                        const utFlatFrame* B)
{
    if (a->kind != b->kind) {
        return a->kind > b->kind;
    }
    if (a->kind == UT_FLAT_POLYGON) {
        if (a->corners != b->corners) {
            return a->corners > b->corners;
        }
        const int order = compare_frames(A, B);
        return (order != 0 ? order : compare_corners(a, b)) > 0;
    }
    int order = ut_larger_first(a->size.x, b->size.x);
    if (order == 0 && a->kind != UT_FLAT_CIRCLE) {
        order = ut_larger_first(a->size.y, b->size.y);
    }
    return (order != 0 ? order : compare_frames(A, B)) > 0;
}

// ---- a pair in order ----------------------------------------------------------------------------

// The frame B relative to A.
static utFlatFrame relative(const utFlatFrame* A, const utFlatFrame* B)
{
    const utVec2 axis = ut_flat_turn_back(A, ut_vec2(B->cosine, B->sine));
    const utVec2 w = ut_flat_turn_back(A, ut_vec2_sub(B->position, A->position));
    return (utFlatFrame){w, axis.x, axis.y};
}

static void find_points(const utFlatShape* a, const utFlatFrame* A, const utFlatShape* b,
                        const utFlatFrame* B, FlatPoints* points)
{
    FlatCore core_a, core_b;
    if (!ut_flat_core(b, &core_b)) {
        return;
    }
    core_b.at = relative(A, B);
    if (a->kind == UT_FLAT_HALFPLANE) {
        ut_flat_points_over(&core_b, points);
        return;
    }
    if (!ut_flat_core(a, &core_a)) {
        return;
    }
    const double reach = core_a.reach + core_b.reach;
    const double distance = ut_vec2_norm(core_b.at.position);
    if (distance - reach * (1.0 + UT_FLAT_REACH_ALLOWANCE) >
        points->margin + UT_FLAT_REACH_ALLOWANCE * distance) {
        return;
    }
    const FlatGap gap = ut_flat_gap(&core_a, &core_b);
    ut_flat_points(&core_a, &core_b, &gap, points);
}

static utFlatTouch to_world(const utFlatTouch* touch, const utFlatFrame* A, bool reversed)
{
    utFlatTouch t = *touch;
    t.point = ut_vec2_add_scaled(A->position, 1.0, ut_flat_turn(A, t.point));
    t.normal = ut_flat_turn(A, t.normal);
    if (reversed) {
        t.normal = ut_vec2_negate(t.normal);
        t.feature = t.feature << 32 | t.feature >> 32;
    }
    return t;
}

int ut_flat_collide(const utFlatShape* a, utFlatFrame A, const utFlatShape* b, utFlatFrame B,
                    double margin, utFlatTouch* touch)
{
    if (!is_shape(a) || !is_frame(&A) || !is_shape(b) || !is_frame(&B)) {
        return 0;
    }
    const bool reversed = is_reversed(a, &A, b, &B);
    const utFlatFrame* first = reversed ? &B : &A;
    FlatPoints points = {.margin = margin};
    find_points(reversed ? b : a, first, reversed ? a : b, reversed ? &A : &B, &points);
    for (int i = 0; i < points.count; i++) {
        touch[i] = to_world(&points.touch[i], first, reversed);
    }
    if (points.count == 2 && touch[0].feature > touch[1].feature) {
        const utFlatTouch moving = touch[0];
        touch[0] = touch[1];
        touch[1] = moving;
    }
    return points.count;
}
