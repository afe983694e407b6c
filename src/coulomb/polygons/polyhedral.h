// SPDX-License-Identifier: Apache-2.0
// Friction problems written as LCPs: declarations that the two models and the solver share. Letters
// as in uptack/polyhedral.h.
#ifndef UPTACK_COULOMB_POLYGONS_POLYHEDRAL_H
#define UPTACK_COULOMB_POLYGONS_POLYHEDRAL_H

#include <uptack/polyhedral.h>

#include "coulomb/internal.h"

/// A problem while it is written.
typedef struct LcpWriter {
    const utCoulomb* problem;
    const utPolyhedralDef* def;
    utCoulomb local; // the problem with dense W and q
    const double* M; // FULL: dof x dof
    const double* J; // FULL: N x dof
    int n;           // unknowns, before any elimination
    int free_count;
    double* A;  // n x n
    double* q;  // n
    int* stick; // as in utPolyhedral, like the next three
    int* first;
    double* direction;
    double* rho;
    utPolyhedralUnknown* unknown; // n
    utPolyhedral out;
} LcpWriter;

/// Entry (i, j) of the matrix.
static inline double* ut_writer_entry(const LcpWriter* w, int i, int j)
{
    return w->A + (size_t)i * (size_t)w->n + (size_t)j;
}

/// |(a, b)| without overflow, with the same bits on every machine.
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

/// The number of directions (or lines) of a section in a model, and direction j.
int ut_polyhedral_directions(utPolyhedralModel model, const utSection* section);
void ut_polyhedral_direction(utPolyhedralModel model, const utSection* section, int j, double* d);

// ---- the acceleration model ---------------------------------------------------------------------

/// The number of lines of a section.
int ut_acceleration_lines(const utSection* section);

/// Line number j of a section.
void ut_acceleration_line(const utSection* section, int j, double* e);

/// Fill `rho` as given, or by the default rule.
void ut_acceleration_inertias(LcpWriter* w);

/// The blocks E, mu and rho.
void ut_acceleration_fill(LcpWriter* w);

// ---- the solver ---------------------------------------------------------------------------------

/// Solve a friction problem as an LCP: by up to six attempts, as def->lcp allows.
/// @param answered the attempt that answered: 1 the model that suits the sections, 2 the other one,
///                 both by Lemke's method; 3 and 4 by Newton's, 5 and 6 by `auto`; 0: none
utStatus ut_coulomb_lcp_attempts(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                                 double* r, utCoulombInfo* info, int* answered);

/// The same as ut_coulomb_solve calls it.
CoulombSolve ut_coulomb_lcp;

#endif
