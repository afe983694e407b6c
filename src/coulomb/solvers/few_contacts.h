// SPDX-License-Identifier: Apache-2.0
// The first try of `auto` at a few contacts with a dense W.
#ifndef UPTACK_COULOMB_SOLVERS_FEW_CONTACTS_H
#define UPTACK_COULOMB_SOLVERS_FEW_CONTACTS_H

#include "coulomb/internal.h"

/// Try Newton from r = 0 on the stack. Problems of other kinds are left alone.
/// @param r, info  filled when `solved`, else unchanged
/// @return UT_OK or UT_ERR_CAPACITY
utStatus ut_few_contacts(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                         double* r, utCoulombInfo* info, bool* solved);

#endif
