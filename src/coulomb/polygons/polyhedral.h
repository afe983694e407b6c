// SPDX-License-Identifier: Apache-2.0
// What the files that write friction problems as LCPs share. Letters as in uptack/polyhedral.h.
#ifndef UPTACK_COULOMB_POLYGONS_POLYHEDRAL_H
#define UPTACK_COULOMB_POLYGONS_POLYHEDRAL_H

#include <uptack/polyhedral.h>

#include "coulomb/internal.h"

/// A problem on its way to `out`.
typedef struct Writing {
    const utCoulomb* problem;
    const utPolyhedralDef* def;
    utCoulomb local; // the same as dense W and q
    const double* M; // FULL: dof x dof
    const double* J; // FULL: N x dof
    int n;           // unknowns, before any elimination
    int free_count;
    double* A; // n x n
    double* q; // n
    int* stick;
    int* first;
    double* direction;
    double* rho;
    utPolyhedralUnknown* unknown; // n
    utPolyhedral out;
} Writing;

/// Entry (i, j) of the matrix.
static inline double* ut_writing_at(const Writing* w, int i, int j)
{
    return w->A + (size_t)i * (size_t)w->n + (size_t)j;
}

/// |(a, b)|, by operations that are the same everywhere.
static inline double ut_polyhedral_length(double a, double b)
{
    const double most = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    if (!(most > 0.0)) {
        return 0.0;
    }
    a /= most;
    b /= most;
    return most * sqrt(a * a + b * b);
}

/// How many directions (or lines) a section has in a model, and number j of them.
int ut_polyhedral_directions(utPolyhedralModel model, const utSection* section);
void ut_polyhedral_direction(utPolyhedralModel model, const utSection* section, int j, double* d);

// ---- the acceleration model ---------------------------------------------------------------------

/// How many lines a section has.
int ut_peiret_lines(const utSection* section);

/// Line number j of it.
void ut_peiret_line(const utSection* section, int j, double* e);

/// Fill `rho`, as given or by the rule.
void ut_peiret_inertias(Writing* w);

/// The blocks E, mu and rho.
void ut_peiret_fill(Writing* w);

// ---- the solver ---------------------------------------------------------------------------------

/// @param answered the attempt that did: 1 by the model that suits the sections, 2 by the other
///                 one, both by Lemke's method; 3 and 4 by Newton's, 5 and 6 by `auto`; 0: none
utStatus ut_coulomb_lcp_attempts(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                                 double* r, utCoulombInfo* info, int* answered);

CoulombSolve ut_coulomb_lcp;

#endif
