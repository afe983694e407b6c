// SPDX-License-Identifier: Apache-2.0
/// @file ncp.h
/// Nonlinear complementarity problems: given g, find z with
///
///     z >= 0,  g(z) >= 0,  z'g(z) = 0        (the first free_count unknowns are free: g_i(z) = 0)
///
/// The method of Josephy and Newton solves a sequence of linear problems: with J the derivative of g at
/// z_k,
///
///     z_k+1 solves the LCP of M = J, q = g(z_k) - J z_k
///
/// and a step is halved until the residual decreases. Near a solution with regular LCPs the convergence
/// is that of Newton's method. A solve ends with an outcome of LCPs: UT_LCP_RAY means that a linearized
/// problem was not solved, and UT_LCP_NONE is never returned.
///
/// Functions may be called from several threads at once when the threads do not share arenas or results
/// and the function of the problem allows it.
#ifndef UPTACK_NCP_H
#define UPTACK_NCP_H

#include <uptack/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Computes g and its derivative at z. @param z n entries; rounding may make some slightly negative
/// @param g n entries  @param J n x n, row-major: J_ij = dg_i / dz_j; write all entries
/// @return UT_OK; any other status ends the solve and is returned
typedef utStatus utNcpFunction(const double* z, double* g, double* J, void* context);

typedef struct utNcp {
    int n;
    int free_count;          ///< the first free_count unknowns are free, default 0
    utNcpFunction* function; ///< called with `context`
    void* context;
} utNcp;

typedef struct utNcpDef {
    double tolerance;   ///< largest residual of a solution, default 1e-10
    int max_iterations; ///< LCPs, default 50
    utLcpSolver solver; ///< of the LCPs, default UT_LCP_AUTO
    bool warm_start;    ///< start from the z passed in, default false: from 0
    double* history;    ///< max_iterations + 1 entries: residual of each iterate; default NULL
    uint32_t cookie;    ///< set by ut_ncp_def()
} utNcpDef;

#define UT_NCP_DEF_COOKIE UT_COOKIE(6, 1) ///< value of utNcpDef.cookie

UT_API utNcpDef ut_ncp_def(void);

typedef struct utNcpInfo {
    utLcpOutcome outcome; ///< UT_LCP_SOLVED, UT_LCP_ITERATIONS or UT_LCP_RAY; z is the best iterate
    int iterations;       ///< LCPs solved
    double residual;      ///< ut_lcp_residual of z in the problem linearized at z
} utNcpInfo;

/// Solve the problem.
/// @param z n entries; the start if def->warm_start is set, the answer on return
/// @return UT_OK when z and info are filled; UT_ERR_DEF; UT_ERR_CAPACITY; UT_ERR_ARGUMENT when g or J is
///         not finite at the start; or the status of the function
UT_API utStatus ut_ncp_solve(const utNcp* ncp, const utNcpDef* def, utArena scratch, double* z,
                             utNcpInfo* info);

#ifdef __cplusplus
}
#endif

#endif
