// SPDX-License-Identifier: Apache-2.0
// Tolerances and limits that several LCP solvers share. Those of one algorithm stand at the top of
// its file. Solvers work on a scaled copy of the problem, whose entries are of order one.
#ifndef UPTACK_LCP_TOLERANCES_H
#define UPTACK_LCP_TOLERANCES_H

/// Default tolerance of the scaled residual: well above rounding, also for badly conditioned problems.
#define UT_LCP_TOLERANCE 1e-10

/// M counts as symmetric when M_ij and M_ji differ by no more than this share of their size: the
/// rounding of products such as J W J' that are symmetric on paper.
#define UT_LCP_SYMMETRY 1e-13

/// A solver accepts its own answer at this share of the tolerance, so that ut_lcp_residual, which rounds
/// differently, accepts it, too.
#define UT_LCP_SAFE_SHARE 0.1

/// Default limit of pivots for n unknowns: more than any problem took that was not built to defeat
/// pivoting.
static inline int ut_lcp_max_pivots(int n)
{
    return 50 * n + 1000;
}

#endif
