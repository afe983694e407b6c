// SPDX-License-Identifier: Apache-2.0
// The face of one box against the face of another.
#ifndef UPTACK_COLLISION_MANIFOLD_CLIP_H
#define UPTACK_COLLISION_MANIFOLD_CLIP_H

#include "collision/internal.h"

/// The part of the second brick's facing face that lies in front of a face of the first: its
/// corners, in order around it, with their heights over that face.
/// @param axis, sign the face of the first brick; spots->normal is set to its normal
void ut_clip_faces(const Bricks* pair, int axis, double sign, Spots* spots);

#endif
