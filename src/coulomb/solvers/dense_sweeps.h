// SPDX-License-Identifier: Apache-2.0
// A short try of Gauss-Seidel on a dense W.
#ifndef UPTACK_COULOMB_SOLVERS_DENSE_SWEEPS_H
#define UPTACK_COULOMB_SOLVERS_DENSE_SWEEPS_H

#include "coulomb/internal.h"

/// Do the sweeps support this problem? They need a dense W, circular sections in space and no scalar
/// rows.
bool ut_dense_sweeps_apply(const utCoulomb* problem);

/// Sweep from r = 0 while the sweeps converge fast, until they have converged to `tolerance`.
/// @param r N: receives the impulses, each in its cone; unchanged where the sweeps do not converge
/// @param converged are they likely to be an answer?
/// @return UT_OK or UT_ERR_CAPACITY
utStatus ut_dense_sweeps_run(const utCoulomb* problem, double tolerance, utArena scratch, double* r,
                             bool* converged);

#endif
