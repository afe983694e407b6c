// SPDX-License-Identifier: Apache-2.0
/// @file ncp.h
/// Nonlinear complementarity problems: given g, find z with
///
///     z >= 0,  g(z) >= 0,  z'g(z) = 0        (free unknowns, if any, stand in front: g_i(z) = 0)
///
/// as a sequence of linear ones (Josephy and Newton): with J the derivative of g at z_k,
///
///     z_k+1 solves the LCP of M = J, q = g(z_k) - J z_k
///
/// and a step that does not bring the residual down is halved until it does. Near a solution where
/// the LCPs are regular it converges as Newton's method does. Whatever a solve ends with is an
/// outcome as LCPs have them; a ray says that a linearized problem was not solved, and UT_LCP_NONE
/// is never claimed.
#ifndef UPTACK_NCP_H
#define UPTACK_NCP_H

#include <uptack/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

/// g and its derivative at z. @param z n entries, possibly with a few below 0 by rounding
/// @param g n entries  @param J n x n, row-major: J_ij = dg_i / dz_j; all of it is to be written
/// @return anything but UT_OK ends the solve with that status
typedef utStatus utNcpFunction(const double* z, double* g, double* J, void* context);

typedef struct utNcp {
    int n;
    int free_count;          ///< the first free_count unknowns are free, default 0
    utNcpFunction* function; ///< called with `context`
    void* context;
} utNcp;

typedef struct utNcpDef {
    double tolerance;   ///< solved at this residual, default 1e-10
    int max_iterations; ///< LCPs, default 50
    utLcpSolver solver; ///< that answers them, default UT_LCP_AUTO
    bool warm_start;    ///< begin from the z passed in, default false: from 0
    double* history;    ///< max_iterations + 1 entries: residuals as they fell; default NULL
    uint32_t cookie;    ///< set by ut_ncp_def()
} utNcpDef;

UT_API utNcpDef ut_ncp_def(void);

typedef struct utNcpInfo {
    utLcpOutcome outcome; ///< UT_LCP_SOLVED, UT_LCP_ITERATIONS or UT_LCP_RAY; z is the best iterate
    int iterations;       ///< LCPs solved
    double residual;      ///< ut_lcp_residual of z in the problem linearized there
} utNcpInfo;

/// @param z n entries; the start where a warm start is asked for, the answer on return
/// @return UT_OK whenever z and info are filled; UT_ERR_DEF, UT_ERR_CAPACITY, UT_ERR_ARGUMENT when
/// g
///         or J are not finite where the solve begins, or what the function said
UT_API utStatus ut_ncp_solve(const utNcp* ncp, const utNcpDef* def, utArena scratch, double* z,
                             utNcpInfo* info);

#ifdef __cplusplus
}
#endif

#endif
