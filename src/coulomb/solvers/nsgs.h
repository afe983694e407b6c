// SPDX-License-Identifier: Apache-2.0
// What the ways of sweeping share: the loop around them.
#ifndef UPTACK_COULOMB_SOLVERS_NSGS_H
#define UPTACK_COULOMB_SOLVERS_NSGS_H

#include "coulomb/internal.h"

/// One way of sweeping over a problem.
typedef struct Sweeps {
    const utCoulomb* problem; ///< what is judged
    bool direct;              ///< there is nothing to sweep: settle gives the answer
    void* self;
    void (*sweep)(void* self, double* r);
    void (*settle)(void* self, double* r); ///< called before r is judged
} Sweeps;

/// Sweep until the judge would be content with half of the tolerance; r is the best iterate then.
utStatus ut_nsgs_iterate(const Sweeps* sweeps, const utCoulombDef* def, utArena scratch, double* r,
                         int* count);

/// Problems by bodies, or with W in rows.
CoulombSolve ut_nsgs_sparse;

#endif
