// SPDX-License-Identifier: Apache-2.0
// Two convex shapes by their support functions alone: the signed gap and where it is taken.
//
//     gap = max over unit n of  -h_B(-n) - h_A(n)  when they stand apart (n from A to B),
//     gap = the same maximum, negative, when they overlap: minus the least translation that parts
//     them
//
// Computed in A's frame with the frame of B relative to it, so that it does not matter where in the
// world the pair stands. Everything that allocates nothing and asks no one: arrays on the stack, of
// a fixed size; a fixed number of iterations at most; always an answer with its own error bound.
#ifndef UPTACK_COLLISION_CONVEX_CONVEX_H
#define UPTACK_COLLISION_CONVEX_CONVEX_H

#include <uptack/collision.h>

/// A convex shape as GJK sees it: a core, grown by a radius. Spheres (ellipsoids with
/// equal axes are such) are points, capsules segments: what is round is added in the end, exactly.
typedef struct Convex {
    const utShape* shape;
    utFrame at;    ///< in the frame of the pair
    double radius; ///< of what the core is grown by: a ball's, a capsule's; else 0
    bool point;    ///< the core is its centre
    double size;   ///< largest extent, m
} Convex;

Convex ut_convex(const utShape* shape, utFrame at);

/// The point of the core farthest along d (any length but 0), in the frame of the pair, and which:
/// vertices of boxes, hulls and segments have ids, points of smooth shapes have -1.
utVec3 ut_convex_support(const Convex* convex, utVec3 d, int* id);

/// What the search ended with; in the frame of the pair.
typedef struct ConvexGap {
    double gap;    ///< with radii
    utVec3 normal; ///< unit, from a to b
    utVec3 on_a;   ///< on the surfaces, radii included
    utVec3 on_b;
    double error; ///< |gap - true gap| is at most this
    int corners;  ///< of the simplex or face of A - B that the nearest point is on: 1 ... 3
    int a_id[3];  ///< ids of its support points
    int b_id[3];
} ConvexGap;

/// The signed gap of two convex shapes: GJK with signed volumes on the cores; EPA where the cores
/// overlap; then, where a smooth shape (cylinder, ellipsoid) is part of it, Newton's iteration on
/// the touching conditions, kept only when it lowers the error bound.
/// @param guess a direction to begin with, from a to b; 0: none. A hint only: the result is the
/// same
///              up to its error
/// @param far   cores whose distance less the radii is known to be over this need no more: gap is
///              then a lower bound > far, and error is HUGE_VAL
ConvexGap ut_convex_gap(const Convex* a, const Convex* b, utVec3 guess, double far);

#endif
