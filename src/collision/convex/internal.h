// SPDX-License-Identifier: Apache-2.0
// Private parts of the gap search: the Minkowski difference D = B - A of two cores, and its points.
//
// For a unit vector n from A to B let g(n) = min of n.x over D. Every g(n) is a lower bound of the
// signed gap of the cores, and the largest g(n) is the gap. The search keeps the best n found so
// far, and an upper bound: the distance of two points while the cores are apart, or minus the
// distance of the nearest face of a polytope inside D while they overlap.
#ifndef UPTACK_COLLISION_CONVEX_INTERNAL_H
#define UPTACK_COLLISION_CONVEX_INTERNAL_H

#include "convex.h"

// ---- tolerances, relative to ConvexPair.size ----------------------------------------------------

/// Rounding of g(n) and of a length: a few units in the last place.
#define UT_CORE_EPSILON 1e-15

/// Rounding that may add up in a bound of the gap; part of the reported error.
#define UT_CORE_ROUNDING 2e-14

/// A D that is no thicker than this is flat: above UT_CORE_ROUNDING.
#define UT_CORE_FLAT 1e-13

/// Cores nearer than this count as touching and go to EPA: the direction of a shorter vector is
/// inaccurate by more than 1e-3.
#define UT_CORE_TOUCH 1e-12

/// Misalignment of the nearest points above which they are searched for again: a thousandth of the
/// promised accuracy of 1e-9.
#define UT_CORE_MISALIGNED 1e-12

typedef struct ConvexPair {
    const Convex* a;
    const Convex* b;
    double size;        ///< extents of both shapes plus the distance of their origins, m
    bool smooth;        ///< at least one shape is an ellipsoid or a cylinder
    double disc_radius; ///< radius of a cylinder that is replaced by its axis in D; else 0
    utVec3 axis;        ///< axis of that cylinder
} ConvexPair;

/// A point of D with the points of A and B that it is the difference of.
typedef struct Corner {
    utVec3 w; ///< b - a
    utVec3 a, b;
    int a_id, b_id;
} Corner;

/// The point of D with the least n.x: g(n) = n.w / |n|.
Corner ut_difference_support(const ConvexPair* pair, utVec3 n);

/// The simplex of D nearest to the origin.
typedef struct Simplex {
    int count; ///< 1 ... 4
    Corner corner[4];
    double weight[4]; ///< of the corners in the nearest point
    utVec3 v;         ///< the nearest point
} Simplex;

/// Bounds of the gap between the cores, as known so far.
typedef struct GapBounds {
    double lower;    ///< the largest g(n) found
    double upper;    ///< upper bound of the gap
    utVec3 normal;   ///< unit, lower = g(normal)
    Simplex simplex; ///< corners whose points give the nearest points
} GapBounds;

/// Distance by which the nearest points are not aligned with the normal.
double ut_bounds_misalignment(const GapBounds* bounds);

// ---- GJK (gjk.c) --------------------------------------------------------------------------------

typedef enum GjkOutcome {
    GJK_APART, ///< bounds.simplex is the nearest simplex
    GJK_FAR,   ///< the lower bound exceeds `far`
    GJK_TOUCH, ///< the origin is in bounds.simplex, or within UT_CORE_TOUCH of it
} GjkOutcome;

/// Continue from bounds->simplex, which holds at least one corner.
/// @param tolerance relative: stop when upper - lower is at most this; 0: when nothing is nearer
GjkOutcome ut_gjk(const ConvexPair* pair, double far, double tolerance, GapBounds* bounds);

/// Reduce a simplex to the corners of the face that holds its point nearest to the origin.
/// @return false when the origin is inside a simplex of four corners
bool ut_simplex_nearest(Simplex* simplex);

// ---- EPA (epa.c) --------------------------------------------------------------------------------

/// Other directions that may have the largest g(n), when the polytope reached its largest size.
enum { MAX_EPA_STARTS = 16 };

typedef struct EpaStarts {
    int count;
    utVec3 normal[MAX_EPA_STARTS];
} EpaStarts;

/// The gap of cores that overlap or touch, from bounds->simplex. With pair->disc_radius > 0, D is
/// grown by a disc, bounds->simplex belongs to D before that, and bounds->upper is no bound.
void ut_epa(const ConvexPair* pair, GapBounds* bounds, EpaStarts* starts);

// ---- smooth shapes (newton.c) -------------------------------------------------------------------

/// Refine the direction n by Newton's iteration to a local maximum of g(n), for the features that
/// the corners of `at` lie on. The result is kept if it is better than the known bounds.
/// @param n, at copies, not part of `bounds`
/// @param all   try all features of cylinders, not only those that face n
/// @return are the contact conditions fulfilled up to rounding?
bool ut_newton_refine(const ConvexPair* pair, utVec3 n, const Simplex* at, bool all,
                      GapBounds* bounds);

#endif
