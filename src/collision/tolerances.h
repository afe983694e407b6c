// SPDX-License-Identifier: Apache-2.0
// Tolerances of the collision module, each with its reason.
//
// Lengths are relative to the size of the pair (about the sum of the half extents), so that a
// result does not depend on the unit of length. Rounding errors are about 1e-15 of the size, the
// noise of a resting body is about 1e-9 of its size, and gaps are promised to 1e-9 of the size. The
// tolerances of the gap search are in convex/internal.h, those of plane figures in
// planar/internal.h.
#ifndef UPTACK_COLLISION_TOLERANCES_H
#define UPTACK_COLLISION_TOLERANCES_H

// ---- ties: so that a resting pair keeps its features --------------------------------------------

/// Sine of the angle below which two directions count as parallel: well above the tilt of resting
/// bodies.
#define UT_PARALLEL_SINE 1e-5

/// Gaps that differ by less count as equal when an axis is chosen: above rounding, below the
/// promise.
#define UT_GAP_TIE 1e-10

/// Slop of features: a point this far beyond the side of a face still counts as on it, and depths
/// that differ by less count as equal. Ten times the noise of a resting body.
#define UT_FEATURE_SLOP 1e-8

/// Points closer than this many slops are one point: both features of both points may be off by the
/// slop.
#define UT_SAME_PLACE 4.0

/// Of areas or distances that differ by less than this fraction, the first in the order of features
/// wins. Well above the effect of the noise of a resting body.
#define UT_TIE 1e-6

/// Cosines that differ by less count as equal when the most direct face is chosen.
#define UT_FACING_TIE 1e-9

/// Gaps of a manifold that differ from the gap of the pair by less are as deep: below the promise
/// of 1e-9, above the noise of a resting cap's points.
#define UT_GAP_TOLERANCE 5e-10

/// Normals closer than this are one normal: a cluster of a surface's contact points has one.
#define UT_SAME_NORMAL 1e-9

// ---- degenerate directions ----------------------------------------------------------------------

/// Sine of the angle between two edges below which their common normal is not used: its error is
/// rounding divided by this sine, about 1e-9.
#define UT_MIN_EDGE_SINE 1e-7

/// Square of the same sine for extra points, which need no exact normal: 1e-3 squared.
#define UT_MIN_CROSSING_SQUARE 1e-6

/// A vector shorter than this is rounding and has no direction.
#define UT_VANISHING 1e-14

/// Cosine below which a facet is seen edge-on and covers nothing.
#define UT_EDGE_ON 0.02

/// Cosine above which two normals point in about the same direction (60 degrees). Extra points with
/// other normals would push the shapes sideways.
#define UT_SIMILAR_NORMAL 0.5

/// Largest sine of the slope at which a shape may continue from a corner, end, rim or edge towards
/// the other shape (30 degrees). If it is steeper, another feature is nearer.
#define UT_STEEPEST 0.5

/// Sine of the tilt below which a cylinder counts as upright: its cap gets fixed points, and the
/// omitted points of the rim are deeper by at most 0.08 r times this sine.
#define UT_UPRIGHT_SINE (0.5 * UT_FEATURE_SLOP)

/// Difference of two normals below which they are the same exit over an edge of a surface.
#define UT_SAME_EXIT 1e-3

// ---- lengths ------------------------------------------------------------------------------------

/// Enlarges a reach before a test that may be generous but must not miss: a thousand times
/// rounding.
#define UT_REACH_ALLOWANCE 1e-12

/// A common stretch shorter than this yields one contact point instead of two.
#define UT_MIN_STRETCH 1e-6

/// An extra point closer than this to a known point adds nothing to the manifold.
#define UT_MIN_SPACING 1e-6

#endif
