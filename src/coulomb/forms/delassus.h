// SPDX-License-Identifier: Apache-2.0
// Any form of a problem as a dense local one, W and q, and parts of a problem as dense matrices.
#ifndef UPTACK_COULOMB_FORMS_DELASSUS_H
#define UPTACK_COULOMB_FORMS_DELASSUS_H

#include "coulomb/internal.h"

/// The problem with a dense W and q: W = J M^-1 J' (symmetric to the bit), q = J M^-1 f + b. A
/// dense local problem is returned unchanged.
/// @param local borrows from the problem and from the arena
/// @return UT_OK, UT_ERR_CAPACITY, or UT_ERR_ARGUMENT when M is not positive definite
utStatus ut_coulomb_delassus(const utCoulomb* problem, utArena* arena, utCoulomb* local);

/// The same with known factors of the nodes' masses. @param factors one after the other, row-major, for
/// a problem by bodies; NULL: not known
utStatus ut_coulomb_delassus_with(const utCoulomb* problem, const double* factors, utArena* arena,
                                  utCoulomb* local);

/// W of a local problem as a dense matrix. @param W N x N, written
void ut_coulomb_spread_W(const utCoulomb* problem, double* W);

/// M and J of a problem given by blocks as dense matrices.
/// @param M dof x dof, written  @param J N x dof, written
void ut_coulomb_spread_blocks(const utCoulomb* problem, double* M, double* J);

/// Fraction of the entries of a dense W that are not 0.
double ut_coulomb_filled_fraction(const utCoulomb* problem);

/// A problem with a dense W as one whose W is given by rows, without zeros.
/// @param rows borrows from the problem and from the arena
/// @return UT_OK or UT_ERR_CAPACITY
utStatus ut_coulomb_by_rows(const utCoulomb* problem, utArena* arena, utCoulomb* rows);

#endif
