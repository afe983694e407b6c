// SPDX-License-Identifier: Apache-2.0
// A model of test/oracle/traps in a state, and its figures by our own functions, under the names that
// tools/mujoco-traps.mjs gives them.
#ifndef UPTACK_TEST_ORACLE_TRAP_H
#define UPTACK_TEST_ORACLE_TRAP_H

#include "figures.h"
#include "support/mujoco_terms.h"

enum { TRAP_MOST = 4096 }; ///< numbers of a figure

typedef struct Trap {
    const utModel* model;
    const double *q, *v, *ctrl, *act;
    utKinematics kin;
    MujocoTerms terms;
    utArena scratch;
} Trap;

/// Compute a figure. @param got TRAP_MOST entries
/// @param scale receives the size of the summands that may have cancelled; 0: none did
/// @return the number of entries; -1 when there is no figure of this name
int trap_figure(const Trap* trap, const char* name, double* got, double* scale);

#endif
