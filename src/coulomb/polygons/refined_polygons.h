// SPDX-License-Identifier: Apache-2.0
// Polygons in the place of circles, finer where it matters: another way to a start near a solution.
#ifndef UPTACK_COULOMB_POLYGONS_REFINED_POLYGONS_H
#define UPTACK_COULOMB_POLYGONS_REFINED_POLYGONS_H

#include "coulomb/internal.h"

/// One polygon per contact.
typedef struct RefinedPolygons {
    utSection* section; ///< contacts
    int* section_of;    ///< contacts
    double* u;          ///< N: velocities of the last solution
} RefinedPolygons;

/// Does this method apply: contacts in space given by W, all with circular friction, no bilateral
/// rows, and not too many?
bool ut_refined_applies(const utCoulomb* problem);

/// Begin with squares. @return UT_ERR_CAPACITY
utStatus ut_refined_begin(const utCoulomb* problem, utArena* scratch, RefinedPolygons* refined);

/// Solve with the current polygons by Lemke's method, then give more edges to the polygons of
/// contacts that slip or nearly do.
/// @param r      N, receives the impulses
/// @param count  pivots, added to
/// @param finer  false when no polygon could be made finer, or the LCP would become too large
utStatus ut_refined_solve(const utCoulomb* problem, utArena scratch, RefinedPolygons* refined,
                          double* r, int* count, bool* finer);

#endif
