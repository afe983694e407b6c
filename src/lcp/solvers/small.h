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

/// Principal pivoting on a tableau of up to four unknowns. @param M has a positive diagonal
/// @return true when the answer's residual is far below the tolerance
bool ut_small_four(const utLcp* lcp, double tolerance, SmallAnswer* answer);

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

// ---- rows of a matrix, padded with zeros to an even number of entries --------------------------

/// Two doubles at any address of a double.
typedef double SmallTwo __attribute__((vector_size(16), aligned(8), may_alias));

/// The length of a padded row.
static inline int ut_small_stride(int columns)
{
    return (columns + 1) & ~1;
}

/// y += f x, at least in the columns from `begin` on. The column before it may change, too.
static inline void ut_small_add_row(int begin, int stride, double f, const double* x, double* y)
{
    for (int j = begin & ~1; j < stride; j += 2) {
        *(SmallTwo*)(y + j) += f * *(const SmallTwo*)(x + j);
    }
}

/// x *= f.
static inline void ut_small_scale_row(int stride, double f, double* x)
{
    for (int j = 0; j < stride; j += 2) {
        *(SmallTwo*)(x + j) *= f;
    }
}

#endif
