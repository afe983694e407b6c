// SPDX-License-Identifier: Apache-2.0
// What the parts of the convex search share: the difference D = B - A of two cores and its points.
//
// For a unit n from A to B let g(n) = min of n.x over D. Every g(n) is a lower bound of the signed
// gap of the cores, and the largest one is the gap. The search keeps the best n it has met and,
// beside it, an upper bound: the distance of two points while the cores stand apart, minus the
// distance of the nearest face of a polytope within D while they overlap.
#ifndef UPTACK_COLLISION_CONVEX_INTERNAL_H
#define UPTACK_COLLISION_CONVEX_INTERNAL_H

#include "convex.h"

/// Tolerances relative to ConvexPair.size.
#define UT_CORE_TOUCH 1e-12    ///< cores nearer than this are left to the expanding polytope
#define UT_CORE_FLAT 1e-13     ///< D that is no thicker than this is flat
#define UT_CORE_ROUNDING 2e-14 ///< what rounding may add to a bound

typedef struct ConvexPair {
    const Convex* a;
    const Convex* b;
    double size; ///< extents of both and the distance of their origins: rounding scales with it
    bool smooth; ///< one of them at least is an ellipsoid or a cylinder
    double wall; ///< radius of a cylinder of which only the axis is in D; else 0
    utVec3 axis; ///< that axis
} ConvexPair;

/// A point of D with the points of A and B that it is made of.
typedef struct Corner {
    utVec3 w; ///< b - a
    utVec3 a, b;
    int a_id, b_id;
} Corner;

/// The point of D that is least far along n: g(n) = n.w / |n|.
Corner ut_convex_corner(const ConvexPair* pair, utVec3 n);

/// The part of D that the origin is nearest to.
typedef struct Simplex {
    int count; ///< 1 ... 4
    Corner corner[4];
    double weight[4]; ///< of the nearest point
    utVec3 v;         ///< the nearest point
} Simplex;

/// What is known so far of the gap between the cores.
typedef struct Known {
    double lower;  ///< the largest g(n) met
    double upper;  ///< the gap is no more than this
    utVec3 normal; ///< unit, lower = g(normal)
    Simplex at;    ///< where that was: the points that the touching points are made of
} Known;

/// How far the points of known->at are from facing each other along the normal.
double ut_known_off(const Known* known);

// ---- GJK (gjk.c) --------------------------------------------------------------------------------

typedef enum GjkOutcome {
    GJK_APART, ///< known.at is the nearest simplex
    GJK_FAR,   ///< the lower bound is over `far`
    GJK_TOUCH, ///< the origin is in the simplex known.at, or within UT_CORE_TOUCH of it
} GjkOutcome;

/// Carry on from known->at, which holds one corner at least.
/// @param tolerance relative: end when upper - lower is no more; 0: when nothing is nearer
GjkOutcome ut_gjk(const ConvexPair* pair, double far, double tolerance, Known* known);

/// Reduce a simplex to the corners that its point nearest to the origin is on.
/// @return false when the origin is within a simplex of four
bool ut_simplex_nearest(Simplex* simplex);

// ---- EPA (epa.c) --------------------------------------------------------------------------------

/// Other places where the largest g(n) may be, when the polytope ran out of room.
enum { EPA_STARTS = 16 };

typedef struct EpaStarts {
    int count;
    utVec3 normal[EPA_STARTS];
} EpaStarts;

/// The gap of cores that overlap or touch, from the simplex known->at. With pair->wall, D is grown
/// by a disc and known->at is within D before that; then known->upper is no bound.
void ut_epa(const ConvexPair* pair, Known* known, EpaStarts* starts);

// ---- smooth shapes (convex_smooth.c) ------------------------------------------------------------

/// Climb from the direction n, near the features that the corners of `at` are on, to the nearest
/// largest g(n), by Newton's iteration; keep it when it is better than what is known.
/// @param n, at not part of `known`
/// @param all   try all features of cylinders, not only those that look along n
/// @return whether the touching conditions are fulfilled there, up to rounding
bool ut_smooth_climb(const ConvexPair* pair, utVec3 n, const Simplex* at, bool all, Known* known);

#endif
