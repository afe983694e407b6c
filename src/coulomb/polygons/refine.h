// SPDX-License-Identifier: Apache-2.0
// Polygons in the place of circles, finer where it matters: another way to a start near a solution.
#ifndef UPTACK_COULOMB_POLYGONS_REFINE_H
#define UPTACK_COULOMB_POLYGONS_REFINE_H

#include "coulomb/internal.h"

/// Polygons, one a contact, in memory of their own.
typedef struct Refined {
    utArena memory;
    utSection* section; ///< contacts
    int* section_of;    ///< contacts
    double* u;          ///< N
} Refined;

/// Is this way open: contacts in space given by W, with circles and nothing else, and not too many?
bool ut_refined_open(const utCoulomb* problem);

/// Begin with squares. @return UT_ERR_MEMORY
utStatus ut_refined_begin(const utCoulomb* problem, Refined* refined);

/// Solve with the polygons at hand by Lemke's method, then give more edges to those whose contact
/// slips or nearly does.
/// @param r      N, receives the impulses
/// @param count  pivots, added to
/// @param finer  false when no polygon could be made finer, or the LCP would become too large
utStatus ut_refined_solve(const utCoulomb* problem, Refined* refined, double* r, int* count,
                          bool* finer);

void ut_refined_end(Refined* refined);

#endif
