// SPDX-License-Identifier: Apache-2.0
// What is detected in.
#ifndef UPTACK_BENCH_SCENE_H
#define UPTACK_BENCH_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "contender.h"

typedef enum SceneKind {
    SCENE_GRID,   ///< columns of ten boxes, each resting on the one below
    SCENE_HEAP,   ///< boxes turned at random and spheres, packed so that they touch all around
    SCENE_MOVING, ///< the heap stirred: everybody moves and turns at about 1 m/s and 1 rad/s
    SCENES
} SceneKind;

const char* scene_name(SceneKind kind);
const char* scene_what(SceneKind kind);

/// A plane and `count` - 1 bodies over it, at a time.
/// @param time s: only the moving scene looks at it; from 0 on, the same for the same time
void scene_make(SceneKind kind, int count, double time, Body* body);

/// Two bodies that stand `gap` apart along a normal of both, m, or overlap by as much: turned at
/// random, or every other one resting on the other.
void scene_pair(BodyKind a, BodyKind b, uint64_t seed, double gap, Body body[2]);

#endif
