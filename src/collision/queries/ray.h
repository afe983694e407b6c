// SPDX-License-Identifier: Apache-2.0
// Rays against surfaces that do not move, as ut_ray asks for them.
#ifndef UPTACK_COLLISION_QUERIES_RAY_H
#define UPTACK_COLLISION_QUERIES_RAY_H

#include <uptack/collision.h>

/// Where a ray meets a mesh or a height field first, everything in the shape's own frame. Both are
/// in surface*.c.
/// @param shape     of that kind, its data there
/// @param from, direction  finite; direction is unit up to rounding
/// @param far       >= 0, may be INFINITY
/// @param hit       distance in [0, far] and outward unit normal; the point is not set. A ray that
///                  starts within the solid: distance 0, the normal is not looked at
/// @return false when it does not meet it within `far`
bool ut_ray_mesh(const utShape* shape, utVec3 from, utVec3 direction, double far, utRayHit* hit);
bool ut_ray_heights(const utShape* shape, utVec3 from, utVec3 direction, double far, utRayHit* hit);

#endif
