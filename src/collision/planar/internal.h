// SPDX-License-Identifier: Apache-2.0
// Private parts of plane collision. Every figure but the half-plane is a convex polygon, its core,
// grown by a radius. The core of a circle has one corner. The core of a capsule has two corners and
// two sides, one the reverse of the other. So one method serves all figures.
#ifndef UPTACK_COLLISION_PLANAR_INTERNAL_H
#define UPTACK_COLLISION_PLANAR_INTERNAL_H

#include <uptack/flat.h>

// ---- tolerances ---------------------------------------------------------------------------------

/// Ends of sides this close count as one, relative to the smaller figure; as UT_FEATURE_SLOP.
#define UT_FLAT_SLOP 1e-8

/// Least cosine between a side's normal and the contact normal, for sides that face each other.
#define UT_FLAT_FACING 1e-5

/// Largest coordinate, m: products of four coordinates must stay finite.
#define UT_FLAT_LARGEST 1e100

/// Rounding of a distance, relative to the size of the pair; an ambiguous distance is below ten
/// times that.
#define UT_FLAT_ROUNDING 1e-14
#define UT_FLAT_AMBIGUOUS 1e-13

/// Rounding of one operation, relative to the size of the pair.
#define UT_FLAT_EPSILON 1e-15

/// Length of a side below which its square has lost digits, m.
#define UT_FLAT_SHORTEST 1e-140

/// Largest error of cosine^2 + sine^2 in a frame.
#define UT_FLAT_FRAME_ERROR 1e-6

/// Allowance of the quick rejection for frames that are not exact rotations.
#define UT_FLAT_REACH_ALLOWANCE 1e-9

/// Least sine of the turn at a corner of a convex polygon.
#define UT_FLAT_MIN_TURN 1e-9

// ---- vectors ------------------------------------------------------------------------------------

static inline utVec2 ut_vec2_sub(utVec2 a, utVec2 b)
{
    return ut_vec2(a.x - b.x, a.y - b.y);
}

/// a + s b
static inline utVec2 ut_vec2_add_scaled(utVec2 a, double s, utVec2 b)
{
    return ut_vec2(a.x + s * b.x, a.y + s * b.y);
}

static inline double ut_vec2_dot(utVec2 a, utVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static inline double ut_vec2_cross(utVec2 a, utVec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static inline double ut_vec2_norm(utVec2 a)
{
    return sqrt(ut_vec2_dot(a, a));
}

static inline utVec2 ut_vec2_negate(utVec2 a)
{
    return ut_vec2(-a.x, -a.y);
}

static inline utVec2 ut_flat_turn(const utFlatFrame* at, utVec2 a)
{
    return ut_vec2(at->cosine * a.x - at->sine * a.y, at->sine * a.x + at->cosine * a.y);
}

static inline utVec2 ut_flat_turn_back(const utFlatFrame* at, utVec2 a)
{
    return ut_vec2(at->cosine * a.x + at->sine * a.y, at->cosine * a.y - at->sine * a.x);
}

// ---- cores --------------------------------------------------------------------------------------

typedef struct FlatCore {
    int count;
    const utVec2* corner; ///< in the figure's frame: the polygon's corners or `own`
    utVec2 own[4];
    utFlatFrame at; ///< in the frame of the pair
    double radius;
    double reach; ///< distance of the farthest point of the figure from its origin
} FlatCore;

/// @return false for an unusable figure: a half-plane, too few corners, or a size that is negative
///         or not finite
bool ut_flat_core(const utFlatShape* shape, FlatCore* core);

/// Corner i in the frame of the pair.
static inline utVec2 ut_flat_corner(const FlatCore* core, int i)
{
    return ut_vec2_add_scaled(core->at.position, 1.0, ut_flat_turn(&core->at, core->corner[i]));
}

static inline int ut_flat_next(const FlatCore* core, int i)
{
    return i + 1 < core->count ? i + 1 : 0;
}

static inline int ut_flat_previous(const FlatCore* core, int i)
{
    return i > 0 ? i - 1 : core->count - 1;
}

/// A side in the frame of the pair; the normal of a side of length 0 is 0.
typedef struct FlatSide {
    utVec2 from;
    utVec2 along;  ///< unit
    utVec2 normal; ///< unit, outward
    double length;
} FlatSide;

FlatSide ut_flat_side(const FlatCore* core, int i);

// ---- the gap ------------------------------------------------------------------------------------

/// The gap of two cores: between a corner of one and a side of the other, or between two corners.
typedef struct FlatGap {
    double gap;             ///< of the cores
    utVec2 normal;          ///< unit, from a to b
    int a_side, b_side;     ///< -1: a corner
    int a_corner, b_corner; ///< -1: a side
} FlatGap;

/// The signed gap of two cores, exact also for cores without area.
FlatGap ut_flat_gap(const FlatCore* a, const FlatCore* b);

// ---- points -------------------------------------------------------------------------------------

typedef struct FlatPoints {
    double margin;
    int count;
    utFlatTouch touch[UT_FLAT_TOUCH_MAX]; ///< in the frame of the pair
} FlatPoints;

/// Add the contact points of two figures whose cores have the gap `gap`.
void ut_flat_points(const FlatCore* a, const FlatCore* b, const FlatGap* gap, FlatPoints* points);

/// Add the contact points of a figure over the half-plane y <= 0 of the frame of the pair.
void ut_flat_points_over(const FlatCore* b, FlatPoints* points);

#endif
