// SPDX-License-Identifier: Apache-2.0
/// @file flat.h
/// Figures of the plane, for planar worlds: sizes, areas, mass properties, bounds, and where two of
/// them touch.
///
/// Like the solid shapes of geom.h a figure stands in a frame of its own. What lies out of the
/// plane is not known here: densities are per area, and a point of contact has one tangent, which
/// is its normal turned by -90 degrees (ut_flat_tangent).
#ifndef UPTACK_FLAT_H
#define UPTACK_FLAT_H

#include <uptack/geom_flat.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- figures ------------------------------------------------------------------------------------

/// @return "half-plane", "circle", "capsule", "rectangle" or "polygon"; never NULL
UT_API const char* ut_flat_kind_name(utFlatKind kind);

/// Can the other functions make sense of it?
/// @return UT_ERR_ARGUMENT, and err says what and where: a size that is not positive and finite
///         where the kind reads it (a capsule's half length may be 0); a polygon of fewer than
///         three corners, with one that is not finite or repeats the one before, that goes round
///         clockwise, or that is not convex; a corner that all but lies on the line of its
///         neighbours (the sine of the turn is below 1e-9) is not convex either: leave it out
UT_API utStatus ut_flat_check(const utFlatShape* shape, utError* err);

/// Area, m^2; 0 for a half-plane.
UT_API double ut_flat_area(const utFlatShape* shape);

typedef struct utFlatMass {
    double mass;   ///< kg
    utVec2 center; ///< in the figure's frame, m
    double moment; ///< polar moment of inertia about the centre, kg m^2
} utFlatMass;

/// Mass properties for a uniform density, kg/m^2; all 0 for a half-plane.
UT_API utFlatMass ut_flat_mass(const utFlatShape* shape, double density);

/// The point of a figure that is farthest along a direction, in the figure's frame; of several one
/// of them, always the same. A half-plane has none: its origin. @param direction any length but 0
UT_API utVec2 ut_flat_support(const utFlatShape* shape, utVec2 direction);

typedef struct utFlatBounds {
    utVec2 low;
    utVec2 high;
} utFlatBounds;

/// The least rectangle along the world's axes around a figure. A half-plane's reaches to infinity
/// except against a normal that is along an axis.
UT_API utFlatBounds ut_flat_bounds(const utFlatShape* shape, utFlatFrame at);

// ---- contact ------------------------------------------------------------------------------------

enum { UT_FLAT_TOUCH_MAX = 2 /**< points of one pair */ };

/// One point of contact between figures a and b.
typedef struct utFlatTouch {
    utVec2 point;     ///< world: halfway between the two outlines
    utVec2 normal;    ///< world, unit, from a to b
    double gap;       ///< m, signed: negative where they overlap
    uint64_t feature; ///< which features of a and b meet here, a's in the upper half: the same for
                      ///< as long as they do
} utFlatTouch;

/// Features: corner i of a polygon is 2 i + 1, its side from corner i to the next 2 i + 2. A
/// rectangle begins at its lower left corner. A capsule's caps are corners 0 (at -x) and 1, its
/// sides 0 (below) and 1. A circle is one corner, a half-plane one side.
static inline uint32_t ut_flat_corner_feature(int corner)
{
    return 2 * (uint32_t)corner + 1;
}
static inline uint32_t ut_flat_side_feature(int side)
{
    return 2 * (uint32_t)side + 2;
}

/// All points, at most two, where figures are closer than `margin`. The least gap is that of the
/// pair, up to rounding: the distance of the nearest points, or minus the least translation that
/// parts them. Where sides face each other there is a point at each end of what they have in
/// common, so long as it is within the margin: each a corner of one against the side of the other,
/// with that side's normal where the corner stands clear of it; in an overlap both have one normal.
/// Half-planes never touch each other. The result for (b, a) is that for (a, b) with the normals
/// turned and the halves of the features exchanged, bit for bit (but where a and b are alike and in
/// one place).
///
/// So that a resting pair keeps its features, ends of sides that lie over each other to 1e-8 of the
/// smaller figure's reach count as one, a corner of one and the same figure for as long as they do;
/// and a corner that far beside a side is over it. The least gap and its normal know no such
/// allowance. The time grows with the sum of the corners.
/// @param A, B   frames of the figures in the world
/// @param margin m
/// @param touch  UT_FLAT_TOUCH_MAX entries, ascending in their features
/// @return how many; 0 when the figures are further apart, when anything is not finite or over
///         1e100, a size negative, a polygon has fewer than 3 corners, or a frame's cosine^2 +
///         sine^2 is not 1 to 1e-6. For what else ut_flat_check refuses the points are finite but
///         without meaning.
UT_API int ut_flat_collide(const utFlatShape* a, utFlatFrame A, const utFlatShape* b, utFlatFrame B,
                           double margin, utFlatTouch* touch);

#ifdef __cplusplus
}
#endif

#endif
