// SPDX-License-Identifier: Apache-2.0
// Clipping a box face to another box face.
#ifndef UPTACK_COLLISION_MANIFOLD_BOX_FACE_CLIP_H
#define UPTACK_COLLISION_MANIFOLD_BOX_FACE_CLIP_H

#include "collision/internal.h"

/// Clip the facing face of the second box to the area in front of a face of the first. The result
/// is the corners in order around the polygon, with their heights over the face.
/// @param axis, sign the face of the first box; points->normal is set to its normal
void ut_clip_faces(const BoxPair* pair, int axis, double sign, BoxPoints* points);

#endif
