// SPDX-License-Identifier: Apache-2.0
// A hull against its definition.
#ifndef UPTACK_TEST_GEOM_CHECK_HULL_H
#define UPTACK_TEST_GEOM_CHECK_HULL_H

#include <uptack/geom.h>

/// What is wrong with a hull of points: NULL when it is a valid convex polyhedron, its features
/// agree with each other, all points are within it to 1e-9 of its size and all its vertices among
/// them, in their order. @param maximal no two faces that share an edge may lie in one plane
const char* hull_fault(const utHull* hull, int count, const utVec3* point, bool maximal);

/// A hull of points in the arena, and nothing when there is none. @param err may be NULL
bool build_hull(int count, const utVec3* point, utArena* arena, utHull* hull, utError* err);

#endif
