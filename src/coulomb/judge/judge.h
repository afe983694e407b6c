// SPDX-License-Identifier: Apache-2.0
// Velocities and effective masses that belong to impulses: the basis of a verdict.
#ifndef UPTACK_COULOMB_JUDGE_JUDGE_H
#define UPTACK_COULOMB_JUDGE_JUDGE_H

#include "coulomb/internal.h"

/// Masses and Jacobians as the judge uses them (velocities.c).
typedef struct JudgeBodies JudgeBodies;

typedef struct Motion {
    double* u;           ///< N: velocities with the impulses
    double* q;           ///< N: velocities without impulses, known from ut_judge_masses on
    double* trace;       ///< contacts, then scalar rows: the trace of A_gg
    JudgeBodies* bodies; ///< NULL: local form
} Motion;

/// A problem about to be judged. What does not depend on the impulses is computed once.
typedef struct Judge {
    const utCoulomb* problem;
    bool finite; ///< all numbers of the problem are finite, and M is positive definite
    bool brief;  ///< verdicts leave `relative` 0
    Motion motion;
} Judge;

/// @param arena holds what the judge needs
utStatus ut_judge_create(const utCoulomb* problem, utArena* arena, Judge* judge);

/// The same for a problem whose numbers are finite. @param brief verdicts leave `relative` 0
utStatus ut_judge_create_checked(const utCoulomb* problem, bool brief, utArena* arena,
                                 Judge* judge);

/// The verdict on r; judge->motion.u are its velocities where judge->finite and r is finite.
utCoulombVerdict ut_judge_verdict(Judge* judge, bool convex, const double* r);

/// Cholesky factors of the masses of a problem by bodies, one after the other; NULL: there are none.
const double* ut_judge_factors(const Judge* judge);

/// Factor the masses of a problem with masses, dense or by bodies, whose numbers are all finite. Find the
/// traces and the velocities without impulses. @param definite false when M is not positive definite
/// @return UT_OK, or UT_ERR_CAPACITY
utStatus ut_judge_masses(const utCoulomb* problem, utArena* scratch, Motion* motion,
                         bool* definite);

/// The velocities with impulses r: in working precision if a bound on their rounding is below `rounding`,
/// else their rows are summed as if in twice the working precision.
/// @return true when motion->q was summed again, too
bool ut_judge_motion(const utCoulomb* problem, const double* r, double rounding, Motion* motion);

#endif
