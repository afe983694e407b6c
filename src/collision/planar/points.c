// SPDX-License-Identifier: Apache-2.0
// The contact points of two figures: find the two sides that face each other at the gap, and the
// ends of their common stretch.
//
// n is the normal of the gap, from a to b, and t its tangent. With n upwards, a's side faces up and
// runs against t, and b's side faces down and runs along t.
#include "internal.h"

// The side at a corner whose normal is closest to `direction`; of two equal sides the one that
// starts at the corner. @return -1 for a core of one corner
static int facing_side(const FlatCore* core, int corner, utVec2 direction)
{
    if (core->count < 2) {
        return -1;
    }
    const int before = ut_flat_previous(core, corner);
    const double ahead = ut_vec2_dot(ut_flat_side(core, corner).normal, direction);
    const double behind = ut_vec2_dot(ut_flat_side(core, before).normal, direction);
    return behind > ahead + UT_FLAT_SLOP ? before : corner;
}

static void add(FlatPoints* points, utVec2 point, utVec2 normal, double gap, uint32_t feature_a,
                uint32_t feature_b)
{
    const bool finite =
        fabs(point.x) + fabs(point.y) <= DBL_MAX && fabs(normal.x) + fabs(normal.y) <= 2.0;
    if (gap <= points->margin && finite && points->count < UT_FLAT_TOUCH_MAX) {
        const uint64_t feature = (uint64_t)feature_a << 32 | feature_b;
        points->touch[points->count++] = (utFlatTouch){point, normal, gap, feature};
    }
}

// Add a corner of the core of a (or b) at `height` along the normal from the other core.
static void add_corner(const FlatCore* a, const FlatCore* b, bool of_b, int corner, utVec2 normal,
                       double height, uint32_t feature_a, uint32_t feature_b, FlatPoints* points)
{
    const double gap = height - (a->radius + b->radius);
    const double inward = of_b ? -(b->radius + 0.5 * gap) : a->radius + 0.5 * gap;
    const utVec2 x = ut_flat_corner(of_b ? b : a, corner);
    add(points, ut_vec2_add_scaled(x, inward, normal), normal, gap, feature_a, feature_b);
}

// ---- two sides ----------------------------------------------------------------------------------

// A side projected to the tangent.
typedef struct Stretch {
    int side;
    int corner[2];   // its lower and its upper end
    double place[2]; // positions of the ends, from the corner where the gap was measured
} Stretch;

// The sides that face each other, and their common stretch.
typedef struct Facing {
    Stretch a, b;
    bool of_b[2];  // is the lower (upper) end of the common stretch a corner of b?
    double length; // of the common stretch; negative: distance between the sides along the tangent
    double slop;
} Facing;

static Stretch find_stretch(const FlatCore* core, int side, bool is_b, utVec2 t, utVec2 origin)
{
    const int from = side, to = ut_flat_next(core, side);
    Stretch s = {.side = side, .corner = {is_b ? from : to, is_b ? to : from}};
    for (int k = 0; k < 2; k++) {
        s.place[k] = ut_vec2_dot(t, ut_vec2_sub(ut_flat_corner(core, s.corner[k]), origin));
    }
    return s;
}

// @return false when no two sides face each other
static bool find_facing(const FlatCore* a, const FlatCore* b, const FlatGap* gap, Facing* facing)
{
    const utVec2 n = gap->normal, t = ut_flat_tangent(n);
    const int i = gap->a_side >= 0 ? gap->a_side : facing_side(a, gap->a_corner, n);
    const int j = gap->b_side >= 0 ? gap->b_side : facing_side(b, gap->b_corner, ut_vec2_negate(n));
    if (i < 0 || j < 0 || !(ut_vec2_dot(ut_flat_side(a, i).normal, n) > UT_FLAT_FACING) ||
        !(ut_vec2_dot(ut_flat_side(b, j).normal, n) < -UT_FLAT_FACING)) {
        return false;
    }
    const utVec2 origin =
        gap->b_corner >= 0 ? ut_flat_corner(b, gap->b_corner) : ut_flat_corner(a, gap->a_corner);
    facing->a = find_stretch(a, i, false, t, origin);
    facing->b = find_stretch(b, j, true, t, origin);
    const double small = a->reach < b->reach ? a->reach : b->reach;
    const double large = a->reach < b->reach ? b->reach : a->reach;
    facing->slop = fmax(UT_FLAT_SLOP * small, UT_FLAT_ROUNDING * large);

    // ends at the same position count as a's
    const double *pa = facing->a.place, *pb = facing->b.place;
    facing->of_b[0] = pb[0] > pa[0] + facing->slop;
    facing->of_b[1] = pb[1] < pa[1] - facing->slop;
    const double low = facing->of_b[0] ? pb[0] : pa[0];
    const double high = facing->of_b[1] ? pb[1] : pa[1];
    facing->length = high - low;
    return facing->length > -facing->slop;
}

static uint32_t end_feature(const Facing* facing, int end, bool of_b)
{
    const Stretch* s = of_b ? &facing->b : &facing->a;
    return facing->of_b[end] == of_b ? ut_flat_corner_feature(s->corner[end])
                                     : ut_flat_side_feature(s->side);
}

// Add the end of the common stretch away from the gap. A corner above the other's side gets the
// normal of that side and must lie over it. A corner below the side is inside the overlap and gets
// the normal of the gap.
static void add_other_end(const FlatCore* a, const FlatCore* b, const FlatGap* gap,
                          const Facing* facing, int end, FlatPoints* points)
{
    const bool of_b = facing->of_b[end];
    const int corner = of_b ? facing->b.corner[end] : facing->a.corner[end];
    const FlatSide side = of_b ? ut_flat_side(a, facing->a.side) : ut_flat_side(b, facing->b.side);
    const utVec2 x = ut_vec2_sub(ut_flat_corner(of_b ? b : a, corner), side.from);
    double height = ut_vec2_dot(side.normal, x);
    utVec2 normal = gap->normal;
    if (height >= 0.0) {
        const double u = ut_vec2_dot(side.along, x);
        if (!(u >= -facing->slop && u <= side.length + facing->slop)) {
            return;
        }
        normal = of_b ? side.normal : ut_vec2_negate(side.normal);
    } else {
        height /= fabs(ut_vec2_dot(side.normal, normal));
    }
    height = height > gap->gap ? height : gap->gap;
    add_corner(a, b, of_b, corner, normal, height, end_feature(facing, end, false),
               end_feature(facing, end, true), points);
}

// Add the end of the common stretch at the gap. For parallel sides the corner of the gap may lie
// beside the other side; all heights are equal, so the end of the common stretch replaces it.
static void add_first_end(const FlatCore* a, const FlatCore* b, const FlatGap* gap,
                          const Facing* facing, int end, FlatPoints* points)
{
    const Stretch* inner = facing->of_b[end] ? &facing->b : &facing->a;
    const bool beside = fabs(inner->place[end]) > facing->slop;
    const bool of_b = beside ? facing->of_b[end] : gap->b_corner >= 0;
    const int corner = beside ? inner->corner[end] : of_b ? gap->b_corner : gap->a_corner;
    add_corner(a, b, of_b, corner, gap->normal, gap->gap, end_feature(facing, end, false),
               end_feature(facing, end, true), points);
}

// Sides that meet at their ends only: one point between two corners.
// @return false when the common stretch is short because one of the sides is
static bool add_ends_meeting(const FlatCore* a, const FlatCore* b, const FlatGap* gap,
                             const Facing* facing, FlatPoints* points)
{
    const int end = fabs(facing->a.place[1] - facing->b.place[0]) <= facing->slop ? 1 : 0;
    if (!(fabs(facing->a.place[end] - facing->b.place[1 - end]) <= facing->slop)) {
        return false;
    }
    const int i = facing->a.corner[end], j = facing->b.corner[1 - end];
    const bool of_b = gap->a_corner != i && gap->b_corner == j;
    add_corner(a, b, of_b, of_b ? j : i, gap->normal, gap->gap, ut_flat_corner_feature(i),
               ut_flat_corner_feature(j), points);
    return true;
}

static void add_single_point(const FlatCore* a, const FlatCore* b, const FlatGap* gap,
                             FlatPoints* points)
{
    const bool of_b = gap->b_corner >= 0;
    const uint32_t feature_a = gap->a_side >= 0 ? ut_flat_side_feature(gap->a_side)
                                                : ut_flat_corner_feature(gap->a_corner);
    const uint32_t feature_b = gap->b_side >= 0 ? ut_flat_side_feature(gap->b_side)
                                                : ut_flat_corner_feature(gap->b_corner);
    add_corner(a, b, of_b, of_b ? gap->b_corner : gap->a_corner, gap->normal, gap->gap, feature_a,
               feature_b, points);
}

void ut_flat_points(const FlatCore* a, const FlatCore* b, const FlatGap* gap, FlatPoints* points)
{
    Facing facing;
    const bool face = find_facing(a, b, gap, &facing);
    if (face && facing.length > facing.slop) {
        const bool low = gap->b_corner >= 0 ? gap->b_corner == facing.b.corner[0]
                                            : gap->a_corner == facing.a.corner[0];
        add_first_end(a, b, gap, &facing, low ? 0 : 1, points);
        add_other_end(a, b, gap, &facing, low ? 1 : 0, points);
    } else if (!face || !add_ends_meeting(a, b, gap, &facing, points)) {
        add_single_point(a, b, gap, points);
    }
}

// ---- over a half-plane --------------------------------------------------------------------------

static void add_over_halfplane(const FlatCore* b, int corner, FlatPoints* points)
{
    const utVec2 x = ut_flat_corner(b, corner), n = {0.0, 1.0};
    const double gap = x.y - b->radius;
    add(points, ut_vec2(x.x, 0.5 * gap), n, gap, ut_flat_side_feature(0),
        ut_flat_corner_feature(corner));
}

void ut_flat_points_over(const FlatCore* b, FlatPoints* points)
{
    int lowest = 0;
    double height = ut_flat_corner(b, 0).y;
    for (int i = 1; i < b->count; i++) {
        const double y = ut_flat_corner(b, i).y;
        if (y < height) {
            height = y;
            lowest = i;
        }
    }
    add_over_halfplane(b, lowest, points);
    const int side = facing_side(b, lowest, ut_vec2(0.0, -1.0));
    if (side >= 0) {
        add_over_halfplane(b, side == lowest ? ut_flat_next(b, side) : side, points);
    }
}
