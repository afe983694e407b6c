// SPDX-License-Identifier: Apache-2.0
// Functions that the LCP solvers share.
#ifndef UPTACK_LCP_INTERNAL_H
#define UPTACK_LCP_INTERNAL_H

#include <math.h>
#include <uptack/lcp.h>

#include "la/scalar.h"
#include "tolerances.h"

enum {
    UT_LCP_ENUMERATE_MAX = 16, ///< unknowns that `enumerate` takes
    UT_LCP_SMALL_MAX = 32,     ///< unknowns of a problem that is solved on the stack; at most 64
};

/// For functions that must be inlined so that a constant argument makes their loops short.
#define UT_LCP_INLINE static inline __attribute__((always_inline))

// ---- solvers ------------------------------------------------------------------------------------

/// One solver. The problem has been checked and the def is valid. The solver fills z and, in info,
/// its own outcome, iterations and factorizations. ut_lcp_run computes the residual of z afterwards,
/// so a wrong UT_LCP_SOLVED is never returned.
/// @return UT_OK, UT_ERR_CAPACITY, or UT_ERR_ARGUMENT when the solver does not support the problem
typedef utStatus LcpSolve(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                          utLcpInfo* info);

LcpSolve ut_lcp_auto, ut_lcp_lemke, ut_lcp_pivot, ut_lcp_pgs, ut_lcp_newton, ut_lcp_enumerate;

/// Run one solver, compute the residual of its z, and fill info with the final outcome.
utStatus ut_lcp_run(const utLcp* lcp, utLcpSolver solver, const utLcpDef* def, utArena scratch,
                    double* z, utLcpInfo* info);

/// Try to solve a small plain problem on the stack (solvers/small.c). The problem has been checked and the
/// def is valid. @return false where that fails or the problem is of another kind; z and info are then
/// unchanged
bool ut_lcp_small(const utLcp* lcp, const utLcpDef* def, double* z, utLcpInfo* info);

// ---- problems -----------------------------------------------------------------------------------

/// The bounds of unknown i at z. A friction index k multiplies finite bounds by max(z_k, 0).
static inline void ut_lcp_bounds(const utLcp* lcp, int i, const double* z, double* lo, double* hi)
{
    if (i < lcp->free_count) {
        *lo = -HUGE_VAL;
        *hi = HUGE_VAL;
        return;
    }
    *lo = lcp->lo != NULL ? lcp->lo[i] : 0.0;
    *hi = lcp->hi != NULL ? lcp->hi[i] : HUGE_VAL;
    int k = lcp->findex != NULL ? lcp->findex[i] : -1;
    if (k >= 0) {
        double scale = z[k] > 0.0 ? z[k] : 0.0;
        *lo = isfinite(*lo) ? *lo * scale : *lo;
        *hi = isfinite(*hi) ? *hi * scale : *hi;
    }
}

/// Row i of M.
static inline const double* ut_lcp_row(const utLcp* lcp, int i)
{
    return lcp->M + (size_t)i * (size_t)lcp->n;
}

/// Has the problem plain unknowns only, and few of them?
static inline bool ut_lcp_is_small(const utLcp* lcp)
{
    return lcp->n <= UT_LCP_SMALL_MAX && lcp->free_count == 0 && lcp->lo == NULL &&
           lcp->hi == NULL && lcp->findex == NULL;
}

/// S_i, the scale of a slack (residual.c), from T_i and P. The least scales were chosen for the default
/// tolerance of 1e-10: 1e-15 T_i is several roundings of the terms, and 1e-16 P the rounding of P.
static inline double ut_lcp_scale(double q, double terms, double P)
{
    // where all q are zero only the terms have a size
    const double limited = P > 0.0 && P < terms ? P : terms;
    return ut_larger(ut_larger(fabs(q), limited), ut_larger(1e-5 * terms, 1e-6 * P));
}

/// Are all entries of M and q finite?
bool ut_lcp_is_finite(const utLcp* lcp);

/// ut_lcp_residual of a small problem whose M and q are finite.
/// @return false where only the general code can tell it
bool ut_lcp_small_residual(const utLcp* lcp, const double* z, double* residual);

/// A cheap sufficient test: true when the residual in plain double precision plus a bound of its
/// rounding is within the tolerance. False says nothing.
bool ut_lcp_surely_solved(const utLcp* lcp, const double* z, double tolerance);

/// Kind of the factor in a utLcpWarm.
enum { UT_LCP_FACTOR_NONE, UT_LCP_FACTOR_LU, UT_LCP_FACTOR_LDL };

/// The warm start if its factor is of this kind and belongs to the same matrix, else NULL.
const utLcpWarm* ut_lcp_kept_factor(const utLcpDef* def, int factor);

/// Multiply a ray by a positive diagonal (NULL: ones) and scale its largest entry to 1.
void ut_lcp_ray_scale(int n, const double* diagonal, double* ray);

/// Is y a Farkas vector, which proves that a plain problem has no solution?
bool ut_lcp_proves_none(const utLcp* lcp, const double* y);

/// The largest |M_ij|; NaN when an entry is not finite.
double ut_lcp_largest(const utLcp* lcp);

/// Is every unknown free or plain (z >= 0), without other bounds than 0 and infinity?
bool ut_lcp_is_plain(const utLcp* lcp);

/// Move every z_i into its bounds; unknowns with a friction index come last.
void ut_lcp_clamp(const utLcp* lcp, double* z);

#endif
