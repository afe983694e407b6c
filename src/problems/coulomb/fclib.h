// SPDX-License-Identifier: Apache-2.0
// A problem in the form of an FCLIB file, and its conversion to the forms of uptack/coulomb.h.
#ifndef UPTACK_PROBLEMS_COULOMB_FCLIB_H
#define UPTACK_PROBLEMS_COULOMB_FCLIB_H

#include <uptack/coulomb.h>

#include "sparse_rows.h"

/// All sizes agree, all indices are in range, all numbers are finite.
///
///     local    u = W r + V l + q,      V'r + R l + s = 0
///     global   M v = H r + G l + f,    u = H'v + w,    G'v + b = 0
///
/// l are the impulses of the bilateral rows. Without them V, R and G are empty.
typedef struct FclibProblem {
    bool global;
    int d;        ///< 2 or 3
    int contacts; ///< m / d
    int p;        ///< bilateral rows
    const double* mu;

    CoulombEntries W; ///< m x m
    CoulombEntries V; ///< m x p
    CoulombEntries R; ///< p x p
    const double* q;  ///< m
    const double* s;  ///< p

    CoulombEntries M; ///< n x n
    CoulombEntries H; ///< n x m
    CoulombEntries G; ///< n x p
    const double* f;  ///< n
    const double* w;  ///< m
    const double* b;  ///< p
} FclibProblem;

/// Turn a local or a global problem into one that does not borrow from `fclib`.
/// @param keep    receives the problem
/// @param scratch another arena than `keep`
/// @return UT_ERR_CAPACITY when there is no memory
utStatus ut_fclib_local(const FclibProblem* fclib, utArena* keep, utArena scratch,
                        utCoulomb* problem);
utStatus ut_fclib_global(const FclibProblem* fclib, utArena* keep, utArena scratch,
                         utCoulomb* problem);

#endif
