// SPDX-License-Identifier: Apache-2.0
/// @file flat.h
/// Plane figures, for planar worlds: checks, areas, mass properties, bounds, and contact points.
///
/// Like the shapes of geom.h a figure is given in its own frame. Everything is two-dimensional:
/// densities are per area, and a contact point has one tangent, its normal turned by -90 degrees
/// (ut_flat_tangent).
///
/// Functions may be called from several threads at once as long as they do not share objects that
/// they write to.
#ifndef UPTACK_FLAT_H
#define UPTACK_FLAT_H

#include <uptack/geom_flat.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- figures ------------------------------------------------------------------------------------

/// @return "half-plane", "circle", "capsule", "rectangle" or "polygon"; never NULL
UT_API const char* ut_flat_kind_name(utFlatKind kind);

/// Check a figure.
/// @return UT_ERR_ARGUMENT, with the reason in err:
///         - a size that the kind uses is not positive and finite (a capsule's half length may be
///           0);
///         - a polygon has fewer than three corners, or a corner that is not finite or equals the
///           one before it;
///         - its corners are in clockwise order;
///         - it is not convex. A corner nearly on the line of its neighbours (sine of the turn
///           below 1e-9) is not convex either; leave it out.
UT_API utStatus ut_flat_check(const utFlatShape* shape, utError* err);

/// Area, m^2; 0 for a half-plane.
UT_API double ut_flat_area(const utFlatShape* shape);

typedef struct utFlatMass {
    double mass;   ///< kg
    utVec2 center; ///< centre of mass in the figure's frame, m
    double moment; ///< polar moment of inertia about the centre of mass, kg m^2
} utFlatMass;

/// Mass properties for a uniform density, kg/m^2; all 0 for a half-plane.
UT_API utFlatMass ut_flat_mass(const utFlatShape* shape, double density);

/// Support map: the point of a figure farthest along a direction, in the figure's frame. If there
/// are several, the choice is deterministic. For a half-plane the result is the origin.
/// @param direction any length but 0
UT_API utVec2 ut_flat_support(const utFlatShape* shape, utVec2 direction);

/// A rectangle along the world's axes.
typedef struct utFlatBounds {
    utVec2 low;
    utVec2 high;
} utFlatBounds;

/// The least rectangle along the world's axes around a figure. That of a half-plane is infinite,
/// except on the side of a normal that is along an axis.
UT_API utFlatBounds ut_flat_bounds(const utFlatShape* shape, utFlatFrame at);

// ---- contact ------------------------------------------------------------------------------------

enum { UT_FLAT_TOUCH_MAX = 2 /**< most points of one pair */ };

/// A contact point between figures a and b.
typedef struct utFlatTouch {
    utVec2 point;  ///< world: halfway between the two outlines
    utVec2 normal; ///< world, unit, from a to b
    double gap;    ///< m, negative where the figures overlap
    uint64_t
        feature; ///< numbers of the two features in contact, a's in the upper 32 bits; constant
                 ///< while the same features are in contact
} utFlatTouch;

/// Number of the feature corner i. A rectangle's corners start at the lower left. A capsule's caps
/// are corners 0 (at -x) and 1. A circle is one corner.
static inline uint32_t ut_flat_corner_feature(int corner)
{
    return 2 * (uint32_t)corner + 1;
}

/// Number of the feature side i, which goes from corner i to the next. A capsule's sides are 0
/// (below) and 1. A half-plane is one side.
static inline uint32_t ut_flat_side_feature(int side)
{
    return 2 * (uint32_t)side + 2;
}

/// The contact points, at most two, of figures that are closer than `margin`. The least gap is that
/// of the pair up to rounding: the distance of the nearest points, or minus the shortest
/// translation that separates the figures.
///
/// Two sides that face each other have a point at each end of their common stretch, if it is within
/// the margin. Each point is a corner of one figure and a side of the other. A corner outside of
/// the other figure gets the normal of that side; points inside an overlap share one normal.
/// Half-planes have no contact with each other. The result for (b, a) is that for (a, b) with
/// opposite normals and exchanged halves of the features, bit for bit, except for equal figures in
/// the same place.
///
/// Ends of sides within 1e-8 of the smaller figure's radius count as one, and a corner that far
/// beside a side is over the side, so that a resting pair keeps its features. The least gap and its
/// normal are computed without this tolerance. The time is proportional to the sum of the corners.
/// @param A, B   frames of the figures in the world
/// @param margin m
/// @param touch  UT_FLAT_TOUCH_MAX entries, sorted by feature
/// @return number of points. It is 0 when the figures are farther apart, when a number is not
///         finite or above 1e100, when a size is negative, when a polygon has fewer than 3 corners,
///         or when a frame's cosine^2 + sine^2 differs from 1 by more than 1e-6. For other figures
///         that ut_flat_check rejects, the points are finite but undefined.
UT_API int ut_flat_collide(const utFlatShape* a, utFlatFrame A, const utFlatShape* b, utFlatFrame B,
                           double margin, utFlatTouch* touch);

#ifdef __cplusplus
}
#endif

#endif
