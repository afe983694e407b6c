// SPDX-License-Identifier: Apache-2.0
// A convex shape against a surface that does not move: a mesh or a height field.
//
// Whatever of the two is nearest or deepest is a pair of features, and each feature of a surface
// has its own range of normals: a triangle one, an edge that bends down those between its two
// triangles, a vertex those that have all its edges below. Flat and concave edges have none, so a
// plane stays a plane however it is cut. A border ends at the direction straight out.
//
// Where the shape reaches below a triangle it is pushed out along the outward normal, unless it is
// less deep below a neighbour behind a convex edge: then that one is the way out.
//
// Features of a surface, 32 bits: kind << 30 | number.
//     1  a plane: 30 bits made of its normal in the surface's frame, rounded to 1e-6. Triangles of
//        one plane have one number, so a corner keeps its feature when it slides from one into
//        another.
//     2  an edge: 3 triangle + k, of the lower of its two triangles
//     3  a vertex, by its number
// Features of hulls: 3 i + 1 for vertex i, 3 i + 2 for edge i, 3 i + 3 for face i. Boxes and round
// shapes have those of internal.h. A cylinder's: see surface/smooth.c. Rays: ray.h.
#ifndef UPTACK_COLLISION_SURFACE_SURFACE_H
#define UPTACK_COLLISION_SURFACE_SURFACE_H

#include "collision/internal.h"

/// a is convex, b a mesh or a height field; m has room for UT_TOUCH_MAX touches.
PairCollide ut_collide_surface;

#endif
