// SPDX-License-Identifier: Apache-2.0
// Tolerances that several files of the coulomb module share. Tolerances of one algorithm are at the
// top of its file. V is the problem's velocity scale, m_i the effective mass of contact i
// (judge/judge.c).
#ifndef UPTACK_COULOMB_TOLERANCES_H
#define UPTACK_COULOMB_TOLERANCES_H

#include <math.h>
#include <stdbool.h>

// ---- conditions of an answer (docs/certificate.md) ----------------------------------------------

/// Largest cone excess over mu r_n + m_i V: a projection leaves a few roundings of r, no more.
static const double UT_CONE_TOLERANCE = 1e-12;

/// Bilateral rows without bounds must reach a tenth of the tolerance: they hold joints together, and
/// solvers get there without further cost.
static const double UT_BILATERAL_SHARE = 0.1;
static const double UT_BILATERAL_WEIGHT = 10.0; ///< its inverse

/// Do E and the velocity of the bilateral rows over V pass at this tolerance?
static inline bool ut_coulomb_passes(double E, double bilateral, double tolerance)
{
    return E <= tolerance && bilateral <= UT_BILATERAL_SHARE * tolerance;
}

/// A number to compare iterates by: E, or the bilateral rows scaled to the same tolerance where
/// they do not pass. Such an iterate is no answer, so its score is above the tolerance and loses to
/// every answer.
static inline double ut_coulomb_score(double E, double bilateral, double tolerance)
{
    const bool rows_pass = bilateral <= UT_BILATERAL_SHARE * tolerance;
    const double score = rows_pass ? E : fmax(E, UT_BILATERAL_WEIGHT * bilateral);
    return isfinite(E) && isfinite(bilateral) ? score : HUGE_VAL;
}

// ---- scales -------------------------------------------------------------------------------------

/// V in m/s where nothing moves without impulses: any positive number that is no speed of practice.
static const double UT_LEAST_SPEED = 1e-9;

/// A contact or row whose trace of A is below this fraction of the largest one cannot be moved: the
/// trace consists of rounding errors of larger terms.
static const double UT_IMMOVABLE = 1e-14;

#endif
