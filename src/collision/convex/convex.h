// SPDX-License-Identifier: Apache-2.0
// Signed gap and nearest points of two convex shapes, from their support functions alone.
//
//     gap = max over unit n of  -h_B(-n) - h_A(n)     (n points from A to B)
//
// where h is the support function. The maximum is the distance of shapes that are apart. For shapes
// that overlap it is negative: minus the length of the shortest translation that separates them.
//
// The computation is in A's frame, with the frame of B relative to it, so the position of the pair
// in the world does not matter. It uses fixed-size arrays on the stack and a limited number of
// iterations, and always returns a result with an error bound.
#ifndef UPTACK_COLLISION_CONVEX_CONVEX_H
#define UPTACK_COLLISION_CONVEX_CONVEX_H

#include <uptack/collision.h>

/// A convex shape for GJK: a core, grown by a radius. The core of a sphere (or of an ellipsoid with
/// equal axes) is a point, that of a capsule a segment. The radius is added at the end, exactly.
typedef struct Convex {
    const utShape* shape;
    utFrame at;    ///< in the frame of the pair
    double radius; ///< rounding radius of a sphere or capsule; else 0
    bool point;    ///< the core is a single point, its centre
    double size;   ///< largest extent, m
} Convex;

Convex ut_convex(const utShape* shape, utFrame at);

/// The point of the core farthest along d (any length but 0), in the frame of the pair. `id`
/// receives the index of the vertex for boxes, hulls and segments, and -1 for smooth shapes.
utVec3 ut_convex_support(const Convex* convex, utVec3 d, int* id);

/// Result of the search, in the frame of the pair.
typedef struct ConvexGap {
    double gap;    ///< with the radii
    utVec3 normal; ///< unit, from a to b
    utVec3 on_a;   ///< on the surfaces, with the radii
    utVec3 on_b;
    double error; ///< bound of |gap - true gap|
} ConvexGap;

/// The signed gap of two convex shapes: GJK with signed volumes on the cores, EPA where the cores
/// overlap, and for smooth shapes (cylinder, ellipsoid) Newton's iteration on the contact
/// conditions, whose result is used only if it improves the bounds.
/// @param guess direction to start with, from a to b; 0: none. It changes the result only within
///              its error
/// @param far   stop as soon as the gap is known to exceed this value: gap is then a lower bound
///              > far, and error is HUGE_VAL
ConvexGap ut_convex_gap(const Convex* a, const Convex* b, utVec3 guess, double far);

#endif
