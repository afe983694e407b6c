// SPDX-License-Identifier: Apache-2.0
// What the parts of the judge share: measures of one moment, of one step, and their story over time.
#ifndef UPTACK_BENCH_ENGINES_JUDGE_H
#define UPTACK_BENCH_ENGINES_JUDGE_H

#include "engines.h"

// ---- one moment ---------------------------------------------------------------------------------

/// Over all pairs that overlap at one moment.
typedef struct Overlaps {
    int pairs;
    double deepest, depth, square; ///< the largest depth, the sum, the sum of squares
} Overlaps;

/// Frames of all geoms.
void judge_place(const World* world, const BodyState* states, utFrame* at);

/// @param at room for a frame a geom
Overlaps judge_overlaps(const World* world, const BodyState* states, utFrame* at);

double judge_kinetic(const World* world, const BodyState* states);

/// Of gravity, 0 at the origin.
double judge_potential(const World* world, const BodyState* states);

/// Of the springs of servos, less the work that constant forces did since the start.
double judge_driven(const World* world, const BodyState* states);

/// Of a hinge since the start, in (-pi, pi].
double judge_hinge_angle(const World* world, int body, const BodyState* states);

// ---- one step -----------------------------------------------------------------------------------

/// Shapes touch within this gap, m.
#define JUDGE_TOUCH 1e-3

/// A point where an impulse may act, from body[0] on body[1].
typedef struct Touch {
    int body[2];   ///< -1: the world
    utVec3 arm[2]; ///< from the centres of mass to the point, world
    utVec3 normal; ///< from body[0] to body[1]
    double mu;
} Touch;

typedef struct Touches {
    Touch* at; ///< to be freed
    int count, room;
} Touches;

/// All contact points of the pairs that touch at the start or at the end of a step, as they are at
/// the start and as they are at the end. @param before_at, after_at frames of the geoms
void judge_touches(const World* world, const BodyState* before, const utFrame* before_at,
                   const BodyState* after, const utFrame* after_at, Touches* touches);

/// The momentum that no admissible impulse explains, as a fraction of gravity's impulse: see
/// residual.c. @param before, after the states at the two ends of one step of length world->dt
double judge_residual(const World* world, const BodyState* before, const BodyState* after);

#endif
