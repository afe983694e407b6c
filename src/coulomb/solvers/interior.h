// SPDX-License-Identifier: Apache-2.0
// The second-order solvers (docs/coulomb.md): interior point, proximal Newton, Newton on the local
// form, and the ladder that climbs from one to the next.
#ifndef UPTACK_COULOMB_SOLVERS_INTERIOR_H
#define UPTACK_COULOMB_SOLVERS_INTERIOR_H

#include "system.h"

// ---- the solvers as ut_coulomb_solve calls them -------------------------------------------------

/// The interior point alone. It has its own start: r is only written. info->iterations counts
/// factorizations, here and in the next two.
CoulombSolve ut_coulomb_ipm;

/// The proximal Newton alone, from r: frozen, then live, then safeguarded.
CoulombSolve ut_coulomb_proximal;

/// Newton on Alart and Curnier's function, then on the natural map, from r.
CoulombSolve ut_coulomb_newton;

/// The whole ladder; fills info->solver and info->rung.
CoulombSolve ut_coulomb_auto;

// ---- their parts, on a prepared problem ---------------------------------------------------------

/// How an interior point goes about it.
typedef struct Interior {
    int sigma;        // power of gap_aff / gap that gives the centring
    double damping;   // share of the longest step that is taken
    double y;         // start of y: this times sqrt(m_i)^(2 - share) sqrt(m_max)^share V
    int share;        // 0 ... 2, see y
    int weight;       // the barrier of contact i is weighted by sqrt(m_i)^weight, 0 ... 2
    double smoothing; // of the shift, over sqrt(tau / m_i); 0 for none
    bool lagged;      // never differentiate the shift
    double partial;   // share of its derivative that is left after a step that was too short
    int max_iterations;
} Interior;

/// Rung 1.
Interior ut_interior_settings(void);

/// @param tolerance stop at this E, with bilateral rows at a tenth of it
/// @param r         N entries: the best impulses, in K
/// @param count     factorizations, added to
/// @return UT_OK or UT_ERR_CAPACITY
utStatus ut_interior_run(System* system, const Interior* settings, double tolerance,
                         utArena scratch, double* r, int* count);

/// How a proximal Newton goes about it.
typedef struct Proximal {
    bool live;        // differentiate the shift; else it is frozen within an outer step
    bool safeguarded; // take back outer steps whose inner problem was not solved
    double start;     // of e, where epsilon_i = e / m_i
    double factor;    // e shrinks by this each outer step, to 1e-8
    int inner;        // Newton steps of an outer step
    int limit;        // factorizations in all
} Proximal;

Proximal ut_proximal_frozen(void); // rung 2, first half
Proximal ut_proximal_live(void);   // rung 2, second half
Proximal ut_proximal_safe(void);   // rung 3

/// As ut_interior_run, from r.
utStatus ut_proximal_run(System* system, const Proximal* settings, double tolerance,
                         utArena scratch, double* r, int* count);

/// As ut_proximal_run, in the local form. @param natural take the natural map
/// @param limit Newton steps
utStatus ut_newton_run(System* system, bool natural, int limit, double tolerance, utArena scratch,
                       double* r, int* count);

/// What iterates are compared by: E, and the bilateral rows where they are above a tenth of the
/// tolerance. Such an iterate is no answer, so its score is above the tolerance and loses to every
/// answer.
static inline double ut_interior_score(double E, double bilateral, double tolerance)
{
    const double score = bilateral <= 0.1 * tolerance ? E : fmax(E, 10.0 * bilateral);
    return isfinite(E) && isfinite(bilateral) ? score : HUGE_VAL;
}

/// Is that an answer?
static inline bool ut_interior_done(double E, double bilateral, double tolerance)
{
    return E <= tolerance && bilateral <= 0.1 * tolerance;
}

#endif
