// SPDX-License-Identifier: Apache-2.0
// The law of a contact linearized at a solution (uptack/uniqueness.h): one piece for each status
// that the contact may have nearby.
#ifndef UPTACK_COULOMB_UNIQUENESS_LINEARIZED_LAW_H
#define UPTACK_COULOMB_UNIQUENESS_LINEARIZED_LAW_H

#include "solved_problem.h"

enum { MAX_PIECES = 4 }; // of a contact

/// Changes of impulse and velocity: dr = sum_k y_k column_k - kappa across (across . du) for any
/// numbers y_k, and row_k . du = 0.
typedef struct LawPiece {
    int count;           // of columns and rows
    double column[3][3]; // directions in which the impulse may change
    double row[3][3];    // directions in which the velocity may not change
    double kappa;        // N s per m/s: how the friction impulse turns with the slip velocity
    double across[3];    // the tangent across the slip direction
} LawPiece;

/// The pieces that contact i may be on.
/// @param determined the velocities determine the impulses
/// @param piece      MAX_PIECES entries
/// @return how many, 0 when linearized pieces do not describe the contact
int ut_law_pieces(const SolvedProblem* solved, bool determined, int i, LawPiece* piece);

#endif
