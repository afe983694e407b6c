// SPDX-License-Identifier: Apache-2.0
// What the two halves of the judge share: measures of one moment, and their story over time.
#ifndef UPTACK_BENCH_ENGINES_JUDGE_H
#define UPTACK_BENCH_ENGINES_JUDGE_H

#include "engines.h"

/// Over all pairs that overlap at one moment.
typedef struct Overlaps {
    int pairs;
    double deepest, depth, square; ///< the largest depth, the sum, the sum of squares
} Overlaps;

/// @param at room for a frame a geom
Overlaps judge_overlaps(const World* world, const BodyState* states, utFrame* at);

double judge_kinetic(const World* world, const BodyState* states);

/// Of gravity, 0 at the origin.
double judge_potential(const World* world, const BodyState* states);

#endif
