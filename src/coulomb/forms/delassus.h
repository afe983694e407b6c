// SPDX-License-Identifier: Apache-2.0
// Any form of a problem as a dense local one, for solvers that want it, and a dense one by rows.
#ifndef UPTACK_COULOMB_FORMS_DELASSUS_H
#define UPTACK_COULOMB_FORMS_DELASSUS_H

#include "coulomb/internal.h"

/// The problem as W and q, dense: W = J M^-1 J' (to the bit symmetric), q = J M^-1 f + b; mu and
/// sections are the problem's. A dense local problem is taken as it is.
/// @param local borrows from the problem and from the arena
/// @return UT_OK, UT_ERR_CAPACITY, or UT_ERR_ARGUMENT when M is not positive definite
utStatus ut_coulomb_delassus(const utCoulomb* problem, utArena* arena, utCoulomb* local);

/// Share of the entries of a dense W that are not 0.
double ut_coulomb_fill(const utCoulomb* problem);

/// A dense W by its rows, without the zeros. @param rows borrows from both
/// @return UT_OK or UT_ERR_CAPACITY
utStatus ut_coulomb_by_rows(const utCoulomb* problem, utArena* arena, utCoulomb* rows);

#endif
