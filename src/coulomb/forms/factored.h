// SPDX-License-Identifier: Apache-2.0
// A local problem with a symmetric W as a global one with unit masses.
#ifndef UPTACK_COULOMB_FORMS_FACTORED_H
#define UPTACK_COULOMB_FORMS_FACTORED_H

#include "coulomb/internal.h"

/// Is W dense, and symmetric but for rounding? Whether it is semidefinite need not be known, because
/// the judge uses W itself.
bool ut_coulomb_factorable(const utCoulomb* problem);

/// The problem with W = J J' and unit masses, as one node.
/// @param global borrows from the problem and from the arena
/// @return UT_OK or UT_ERR_CAPACITY
utStatus ut_coulomb_factored(const utCoulomb* problem, utArena* arena, utCoulomb* global);

#endif
