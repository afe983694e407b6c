// SPDX-License-Identifier: Apache-2.0
// Is the velocity of a solution the only one (uptack/uniqueness.h)?
#ifndef UPTACK_COULOMB_UNIQUENESS_VELOCITY_H
#define UPTACK_COULOMB_UNIQUENESS_VELOCITY_H

#include "solved_problem.h"

/// Try to prove that every solution has these velocities. @return UT_ERR_CAPACITY
utStatus ut_velocity_prove(const SolvedProblem* solved, utArena scratch, bool* proved);

/// The claim of the report.
/// @param determined the velocities determine the impulses: L is 0
/// @return UT_ERR_CAPACITY
utStatus ut_velocity_claim(const SolvedProblem* solved, bool determined, utArena scratch,
                           utVelocityClaim* claim);

#endif
