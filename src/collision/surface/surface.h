// SPDX-License-Identifier: Apache-2.0
// A convex shape against a fixed surface: a mesh or a height field.
//
// The nearest or deepest points are a pair of features, and each feature of a surface has its own
// range of normals: a triangle has one normal; a convex edge those between its two triangles; a
// vertex those that have all its edges below. Flat and concave edges (internal edges) have none, so
// a plane stays a plane however it is triangulated. At a border the range ends at the outward
// direction.
//
// Where the shape penetrates a triangle it is pushed out along the outward normal, unless it is
// less deep below a neighbour across a convex edge: then that neighbour is the exit.
//
// Feature numbers of a surface, 32 bits: kind << 30 | number.
//     1  a plane: 30-bit hash of its normal in the surface's frame, rounded to 1e-6. All triangles
//     of
//        one plane have the same number, so a corner keeps its feature when it slides from one to
//        the next.
//     2  an edge: 3 triangle + k, of the triangle with the lower number
//     3  a vertex: its index
// Feature numbers of hulls: 3 i + 1 for vertex i, 3 i + 2 for edge i, 3 i + 3 for face i. Those of
// the other shapes are in collision/internal.h.
#ifndef UPTACK_COLLISION_SURFACE_SURFACE_H
#define UPTACK_COLLISION_SURFACE_SURFACE_H

#include "collision/internal.h"

/// a is convex, b a mesh or a height field; m has room for UT_TOUCH_MAX points.
PairCollide ut_collide_surface;

#endif
