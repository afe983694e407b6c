// SPDX-License-Identifier: Apache-2.0
// The signed gap of two convex polygons.
//
// Let P be the Minkowski difference, all b - a. Its boundary consists of one segment per side of a,
// displaced by the corner of b farthest against the side's normal, and likewise for the sides of b.
// The gap is the distance of the origin from P, or minus its depth in P:
//
//     apart:        the least distance of such a corner from its side (a segment)
//     overlapping:  the largest signed height of such a corner over its side (a line)
//
// While the sides of one polygon are visited in order, the farthest corner moves around the other
// polygon, so the time is proportional to the sum of their corners.
#include "internal.h"

FlatSide ut_flat_side(const FlatCore* core, int i)
{
    // the difference of the corners as given, because far from the origin digits would be lost
    const utVec2 from = core->corner[i], to = core->corner[ut_flat_next(core, i)];
    const utVec2 edge = ut_flat_turn(&core->at, ut_vec2_sub(to, from));
    const double length = ut_vec2_norm(edge);
    FlatSide side = {.from = ut_flat_corner(core, i)};
    if (length > UT_FLAT_SHORTEST) {
        side.length = length;
        side.along = ut_vec2(edge.x / side.length, edge.y / side.length);
        side.normal = ut_vec2(side.along.y, -side.along.x);
    }
    return side;
}

// ---- the farthest corner ------------------------------------------------------------------------

// The farthest corner along d, in the core's own frame, of all corners.
static int farthest_of_all(const FlatCore* core, utVec2 d)
{
    int best = 0;
    double most = ut_vec2_dot(d, core->corner[0]);
    for (int i = 1; i < core->count; i++) {
        const double x = ut_vec2_dot(d, core->corner[i]);
        if (x > most) {
            most = x;
            best = i;
        }
    }
    return best;
}

// The same, searched counter-clockwise from a corner that was farthest for a direction up to a
// right angle earlier. Up to the farthest corner each corner is farther than the one before.
static int farthest_from(const FlatCore* core, utVec2 d, int start)
{
    int best = start;
    double most = ut_vec2_dot(d, core->corner[start]);
    for (int k = 1; k < core->count; k++) {
        const int next = ut_flat_next(core, best);
        const double x = ut_vec2_dot(d, core->corner[next]);
        if (!(x > most)) {
            break;
        }
        most = x;
        best = next;
    }
    return best;
}

// ---- corners over sides -------------------------------------------------------------------------

// A corner of one core over a side of the other.
typedef struct CornerOverSide {
    bool b_has_side;
    int side, corner;
    int end;         // end of the side nearest to the corner; -1: an interior point is nearest
    double height;   // of the corner over the line of the side
    double distance; // of the corner from the side
    utVec2 normal;   // of the side
} CornerOverSide;

static CornerOverSide measure(const FlatCore* with_side, int side_index, const FlatSide* side,
                              const FlatCore* with_corner, int corner)
{
    const utVec2 x = ut_vec2_sub(ut_flat_corner(with_corner, corner), side->from);
    const double u = ut_vec2_dot(side->along, x);
    CornerOverSide over = {.side = side_index, .corner = corner, .end = -1, .normal = side->normal};
    over.height = ut_vec2_dot(side->normal, x);
    over.distance = fabs(over.height);
    if (!(u >= 0.0 && side->length > 0.0)) {
        over.end = side_index;
        over.distance = ut_vec2_norm(x);
    } else if (u > side->length) {
        over.end = ut_flat_next(with_side, side_index);
        over.distance = ut_vec2_norm(
            ut_vec2_sub(ut_flat_corner(with_corner, corner), ut_flat_corner(with_side, over.end)));
    }
    return over;
}

typedef struct GapSearch {
    bool has_axis;
    CornerOverSide axis;    // the farthest corner highest over its side: the separating axis
    CornerOverSide nearest; // the nearest corner of all
    double size;
} GapSearch;

// Near an end of a side the distances to the end and to the interior differ by less than rounding.
// Then the interior gives the better normal.
static bool is_nearer(const CornerOverSide* x, const CornerOverSide* best, double size)
{
    const double preference = UT_FLAT_EPSILON * size * ((x->end < 0) - (best->end < 0));
    return x->distance < best->distance + preference;
}

// The neighbours of the farthest corner are tested too, because rounding decides which corner is
// farthest from a parallel side.
static void test_side(const FlatCore* with_side, int i, const FlatSide* side,
                      const FlatCore* with_corner, int farthest, bool b_has_side, GapSearch* search)
{
    const int corner[3] = {farthest, ut_flat_next(with_corner, farthest),
                           ut_flat_previous(with_corner, farthest)};
    const int count = with_corner->count < 3 ? with_corner->count : 3;
    for (int k = 0; k < count; k++) {
        CornerOverSide over = measure(with_side, i, side, with_corner, corner[k]);
        over.b_has_side = b_has_side;
        if (is_nearer(&over, &search->nearest, search->size)) {
            search->nearest = over;
        }
        if (k == 0 && side->length > 0.0 &&
            (!search->has_axis || over.height > search->axis.height)) {
            search->has_axis = true;
            search->axis = over;
        }
    }
}

static void test_sides(const FlatCore* with_side, const FlatCore* with_corner, bool b_has_side,
                       GapSearch* search)
{
    enum { FULL_SEARCH_CORNERS = 16 }; // corners up to which a full search is fast enough
    utVec2 before = {0.0, 0.0};
    int farthest = 0;
    const int sides = with_side->count > 1 ? with_side->count : 0;
    for (int i = 0; i < sides; i++) {
        const FlatSide side = ut_flat_side(with_side, i);
        const utVec2 d = ut_flat_turn_back(&with_corner->at, ut_vec2_negate(side.normal));
        const bool near =
            with_corner->count > FULL_SEARCH_CORNERS && ut_vec2_dot(before, side.normal) > 0.0;
        farthest = near ? farthest_from(with_corner, d, farthest) : farthest_of_all(with_corner, d);
        test_side(with_side, i, &side, with_corner, farthest, b_has_side, search);
        before = side.normal;
    }
}

// ---- the gap ------------------------------------------------------------------------------------

static FlatGap gap_at_side(const CornerOverSide* over)
{
    FlatGap gap = {over->height, over->normal, over->side, -1, -1, over->corner};
    if (over->b_has_side) {
        gap =
            (FlatGap){over->height, ut_vec2_negate(over->normal), -1, over->side, over->corner, -1};
    }
    return gap;
}

// Both sides of a core without area are equally near: take the side that faces the corner.
static CornerOverSide from_outside(const CornerOverSide* over, double size)
{
    CornerOverSide outside = *over;
    if (over->height < -UT_FLAT_ROUNDING * size) {
        outside.side = over->side == 0 ? 1 : 0;
        outside.height = -over->height;
        outside.normal = ut_vec2_negate(over->normal);
    }
    return outside;
}

// @param fallback_normal the normal when the corners coincide
static FlatGap gap_at_corners(const FlatCore* a, int i, const FlatCore* b, int j, double size,
                              utVec2 fallback_normal)
{
    const utVec2 d = ut_vec2_sub(ut_flat_corner(b, j), ut_flat_corner(a, i));
    const double distance = ut_vec2_norm(d);
    FlatGap gap = {distance, fallback_normal, -1, -1, i, j};
    if (distance > UT_FLAT_ROUNDING * size && distance > 0.0) {
        gap.normal = ut_vec2(d.x / distance, d.y / distance);
    }
    return gap;
}

FlatGap ut_flat_gap(const FlatCore* a, const FlatCore* b)
{
    const double size =
        a->reach + b->reach + ut_vec2_norm(ut_vec2_sub(b->at.position, a->at.position));
    utVec2 fallback_normal = {0.0, 1.0};
    GapSearch search = {.nearest = {.distance = HUGE_VAL, .end = -1}, .size = size};
    test_sides(a, b, false, &search);
    test_sides(b, a, true, &search);
    const CornerOverSide* nearest = &search.nearest;
    if (search.has_axis) {
        // Beside the ends of a core without area the height over its line is 0 at any distance, so
        // the distance decides there. Elsewhere height and distance vanish together.
        const double height = search.axis.height;
        const bool beside =
            height > -UT_FLAT_ROUNDING * size && nearest->distance > UT_FLAT_AMBIGUOUS * size;
        if (!(height > 0.0 || beside)) {
            return gap_at_side(&search.axis);
        }
        fallback_normal = gap_at_side(&search.axis).normal;
    }
    if (!(nearest->distance <= DBL_MAX)) {
        return gap_at_corners(a, 0, b, 0, size, fallback_normal);
    }
    if (nearest->end < 0) {
        const CornerOverSide over = from_outside(nearest, size);
        return gap_at_side(&over);
    }
    const int i = nearest->b_has_side ? nearest->corner : nearest->end;
    const int j = nearest->b_has_side ? nearest->end : nearest->corner;
    return gap_at_corners(a, i, b, j, size, fallback_normal);
}
