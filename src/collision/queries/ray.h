// SPDX-License-Identifier: Apache-2.0
// Rays against meshes and height fields, used by ut_ray.
#ifndef UPTACK_COLLISION_QUERIES_RAY_H
#define UPTACK_COLLISION_QUERIES_RAY_H

#include <uptack/collision.h>

/// The first hit of a ray with a mesh or a height field, in the shape's own frame.
/// @param shape     a mesh or height field with its data
/// @param from, direction  finite; direction is unit up to rounding
/// @param far       >= 0, may be INFINITY
/// @param hit       distance in [0, far] and outward unit normal; the point is not set. For a ray
///                  that starts inside the solid the distance is 0 and the normal is undefined
/// @return false when there is no hit within `far`
bool ut_ray_mesh(const utShape* shape, utVec3 from, utVec3 direction, double far, utRayHit* hit);
bool ut_ray_heights(const utShape* shape, utVec3 from, utVec3 direction, double far, utRayHit* hit);

#endif
