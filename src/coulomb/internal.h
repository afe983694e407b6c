// SPDX-License-Identifier: Apache-2.0
// What the files of the coulomb module share. Letters as in uptack/coulomb.h: u = W r + q, a
// contact's block of W is A, its velocity without its own impulse p.
#ifndef UPTACK_COULOMB_INTERNAL_H
#define UPTACK_COULOMB_INTERNAL_H

#include <math.h>
#include <uptack/coulomb.h>

// ---- the law ------------------------------------------------------------------------------------

/// Which section contact i has.
static inline const utSection* ut_coulomb_section(const utCoulomb* problem, int i)
{
    return problem->section + (problem->section_of != NULL ? problem->section_of[i] : 0);
}

/// The law of contact i.
static inline utLaw ut_coulomb_law(const utCoulomb* problem, int i, bool convex)
{
    return (utLaw){ut_coulomb_section(problem, i), problem->mu[i], convex};
}

/// Has any contact a polygon for its section?
static inline bool ut_coulomb_polygonal(const utCoulomb* problem)
{
    for (int i = 0; i < problem->contacts; i++) {
        if (ut_coulomb_section(problem, i)->edges > 0) {
            return true;
        }
    }
    return false;
}

// ---- scalar rows --------------------------------------------------------------------------------

static inline double ut_coulomb_low(const utCoulomb* problem, int j)
{
    return problem->low != NULL ? problem->low[j] : -HUGE_VAL;
}

static inline double ut_coulomb_high(const utCoulomb* problem, int j)
{
    return problem->high != NULL ? problem->high[j] : HUGE_VAL;
}

/// Has scalar row j a bound?
static inline bool ut_coulomb_bounded(const utCoulomb* problem, int j)
{
    return ut_coulomb_low(problem, j) > -HUGE_VAL || ut_coulomb_high(problem, j) < HUGE_VAL;
}

/// Has any?
static inline bool ut_coulomb_has_bounds(const utCoulomb* problem)
{
    for (int j = 0; j < problem->bilaterals; j++) {
        if (ut_coulomb_bounded(problem, j)) {
            return true;
        }
    }
    return false;
}

/// r within the bounds of row j; a NaN stays one.
static inline double ut_coulomb_clamp(const utCoulomb* problem, int j, double r)
{
    const double low = ut_coulomb_low(problem, j);
    const double high = ut_coulomb_high(problem, j);
    return r < low ? low : r > high ? high : r;
}

/// Does row j count for the velocity scale: free, or with an impulse now or if nothing else acted?
/// @param m 1 / A_jj  @param q its velocity without impulses
static inline bool ut_coulomb_row_counts(const utCoulomb* problem, int j, double m, double q,
                                         double r)
{
    return !ut_coulomb_bounded(problem, j) || r != 0.0 ||
           ut_coulomb_clamp(problem, j, -m * q) != 0.0;
}

// ---- solvers ------------------------------------------------------------------------------------

/// One solver. The problem has been checked and the def is valid. It starts from r, fills r with
/// the best impulses it found, each contact's in K, and counts info->iterations; ut_coulomb_solve
/// judges r afterwards, so that no solver's word counts.
/// @return UT_OK, UT_ERR_CAPACITY, or UT_ERR_ARGUMENT when M is not positive definite
typedef utStatus CoulombSolve(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                              double* r, utCoulombInfo* info);

CoulombSolve ut_coulomb_nsgs;

// ---- one contact --------------------------------------------------------------------------------

/// Solve one contact: r in K with r . û = 0 and û in K*, for u = A r + p.
/// @param law  not convex
/// @param A    dimension x dimension, row-major, of any symmetry and rank
/// @param m    effective mass that errors are measured with, > 0
/// @param r    in: where to look first; out: the best impulse that was found, in K
/// @return ut_law_error of r, m/s
double ut_coulomb_local(const utLaw* law, const double* A, const double* p, double m, double* r);

// ---- memory -------------------------------------------------------------------------------------

/// rows x cols doubles. @return NULL when they do not fit or the product overflows
static inline double* ut_coulomb_push(utArena* arena, int rows, int cols)
{
    return ut_arena_push(arena, (size_t)rows, (size_t)cols * sizeof(double));
}

#endif
