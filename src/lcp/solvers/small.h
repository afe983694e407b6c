// SPDX-License-Identifier: Apache-2.0
// Small plain problems on the stack: two quick methods whose answers are checked by the residual.
#ifndef UPTACK_LCP_SMALL_H
#define UPTACK_LCP_SMALL_H

#include "lcp/internal.h"

/// An answer and the way to it.
typedef struct SmallAnswer {
    double z[UT_LCP_SMALL_MAX];
    double residual;
    int pivots;
    int factorizations;
} SmallAnswer;

/// Block principal pivoting without scaling. @param M has a positive diagonal
/// @return true when the answer's residual is far below the tolerance
bool ut_small_blocks(const utLcp* lcp, double tolerance, SmallAnswer* answer);

/// Lemke's method on a tableau without scaling and without a rule against cycles.
/// @return true when the answer's residual is far below the tolerance
bool ut_small_lemke(const utLcp* lcp, double tolerance, SmallAnswer* answer);

/// Compute the residual of answer->z. @return true when it is below a share of the tolerance
static inline bool ut_small_accepts(const utLcp* lcp, double limit, SmallAnswer* answer)
{
    return ut_lcp_small_residual(lcp, answer->z, &answer->residual) && answer->residual <= limit;
}

/// An answer at this share of the tolerance needs no refinement: the next digits are rounding of the
/// sums.
#define UT_SMALL_FINE_SHARE 1e-3

#endif
