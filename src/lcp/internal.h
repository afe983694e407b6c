// SPDX-License-Identifier: Apache-2.0
// What the files of the lcp module share. Letters as in uptack/lcp.h: w = M z + q.
#ifndef UPTACK_LCP_INTERNAL_H
#define UPTACK_LCP_INTERNAL_H

#include <math.h>
#include <uptack/lcp.h>

enum { UT_LCP_ENUMERATE_MAX = 16 }; ///< unknowns that `enumerate` takes

// ---- solvers ------------------------------------------------------------------------------------

/// One solver. The problem has been checked and the def is valid. It fills z, and of info the
/// outcome it believes in, iterations and factorizations; ut_lcp_solve judges z afterwards, so a
/// wrong "solved" never gets out.
/// @return UT_OK, UT_ERR_CAPACITY, or UT_ERR_ARGUMENT when the solver cannot take such a problem
typedef utStatus LcpSolve(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                          utLcpInfo* info);

LcpSolve ut_lcp_auto, ut_lcp_lemke, ut_lcp_pivot, ut_lcp_pgs, ut_lcp_newton, ut_lcp_enumerate;

/// Run a solver of the table and judge its z: fills info->solver, residual and the final outcome.
utStatus ut_lcp_run(const utLcp* lcp, utLcpSolver solver, const utLcpDef* def, utArena scratch,
                    double* z, utLcpInfo* info);

// ---- problems -----------------------------------------------------------------------------------

/// The bounds of unknown i as they stand at z: a friction index multiplies finite ones by
/// max(z_k, 0).
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

/// A cheap way to know that the judge will be content: the residual in plain double plus a bound of
/// its own rounding is within the tolerance. False proves nothing.
bool ut_lcp_surely_solved(const utLcp* lcp, const double* z, double tolerance);

/// Which factor a utLcpWarm keeps.
enum { UT_LCP_FACTOR_NONE, UT_LCP_FACTOR_LU, UT_LCP_FACTOR_LDL };

/// The warm start whose factor, of that kind, may be used as it is; NULL when there is none.
const utLcpWarm* ut_lcp_kept_factor(const utLcpDef* def, int factor);

/// Multiply a ray by a positive diagonal (NULL: by 1) and make its largest entry 1.
void ut_lcp_ray_scale(int n, const double* diagonal, double* ray);

/// True when y proves that a plain problem has no solution (a vector of Farkas).
bool ut_lcp_proves_none(const utLcp* lcp, const double* y);

/// The largest |M_ij|; NaN when an entry is not finite.
double ut_lcp_largest(const utLcp* lcp);

/// True when every unknown is free or plain (z >= 0): no bounds other than 0 and infinity.
bool ut_lcp_is_plain(const utLcp* lcp);

#endif
