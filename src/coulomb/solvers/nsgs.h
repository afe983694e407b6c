// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel: the loop around the sweeps, which problems in dense and in sparse form share.
#ifndef UPTACK_COULOMB_SOLVERS_NSGS_H
#define UPTACK_COULOMB_SOLVERS_NSGS_H

#include "coulomb/internal.h"

/// A problem prepared for sweeps.
typedef struct Sweeps {
    const utCoulomb* problem; ///< the problem that is judged
    bool direct;              ///< there are no contacts: `complete` gives the answer
    void* self;
    void (*sweep)(void* self, double* r);
    void (*complete)(void* self, double* r); ///< called before r is judged
} Sweeps;

/// Sweep until the judge passes r at half of the tolerance. r becomes the best iterate.
/// @param count receives the number of sweeps
utStatus ut_nsgs_iterate(const Sweeps* sweeps, const utCoulombDef* def, utArena scratch, double* r,
                         int* count);

/// Gauss-Seidel on problems by bodies, or with W in rows.
CoulombSolve ut_nsgs_sparse;

#endif
