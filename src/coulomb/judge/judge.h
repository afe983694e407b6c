// SPDX-License-Identifier: Apache-2.0
// What the judge makes of impulses before it weighs them.
#ifndef UPTACK_COULOMB_JUDGE_JUDGE_H
#define UPTACK_COULOMB_JUDGE_JUDGE_H

#include "coulomb/internal.h"

/// What a verdict is made of.
typedef struct Motion {
    double* u;     ///< N: velocities with the impulses
    double* q;     ///< N: without them
    double* trace; ///< contacts, then scalar rows: tr(A_gg)
} Motion;

/// Fill them for a problem with masses, dense or by bodies; all its numbers are finite.
/// @param definite false when M is not positive definite; nothing is filled then
/// @return UT_OK, or UT_ERR_CAPACITY
utStatus ut_judge_bodies(const utCoulomb* problem, const double* r, utArena scratch, Motion* motion,
                         bool* definite);

#endif
