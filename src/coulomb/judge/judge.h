// SPDX-License-Identifier: Apache-2.0
// Velocities and effective masses that belong to impulses: the basis of a verdict.
#ifndef UPTACK_COULOMB_JUDGE_JUDGE_H
#define UPTACK_COULOMB_JUDGE_JUDGE_H

#include "coulomb/internal.h"

typedef struct Motion {
    double* u;     ///< N: velocities with the impulses
    double* q;     ///< N: velocities without impulses
    double* trace; ///< contacts, then scalar rows: the trace of A_gg
} Motion;

/// Find the motion of a problem with masses, dense or by bodies, whose numbers are all finite.
/// @param definite false when M is not positive definite; the motion is then undefined
/// @return UT_OK, or UT_ERR_CAPACITY
utStatus ut_judge_motion(const utCoulomb* problem, const double* r, utArena scratch, Motion* motion,
                         bool* definite);

#endif
