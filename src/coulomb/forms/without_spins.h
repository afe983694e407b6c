// SPDX-License-Identifier: Apache-2.0
// A problem with torsional or rolling friction without it: only the rows of the contact points.
#ifndef UPTACK_COULOMB_FORMS_WITHOUT_SPINS_H
#define UPTACK_COULOMB_FORMS_WITHOUT_SPINS_H

#include "coulomb/internal.h"

/// Leave out the rows of angular velocity of a problem by bodies.
/// @param scratch holds the arrays of `flat`, whose dimension is 3
utStatus ut_coulomb_without_spins(const utCoulomb* problem, utArena* scratch, utCoulomb* flat);

#endif
