// SPDX-License-Identifier: Apache-2.0
/// @file lcp.h
/// Linear complementarity problems: plain, mixed and boxed, with or without a friction index.
///
/// Every solver has the same signature, every answer is judged by the same residual, computed from
/// z alone, and a hard problem ends in an outcome, never in an error. Problems are borrowed for the
/// call, results go where the caller says, and all working memory comes from an arena:
///
///     double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, z[2];
///     utLcp lcp = {.n = 2, .M = M, .q = q};
///     utLcpDef def = ut_lcp_def();
///     utLcpInfo info;
///     utArena scratch;
///     ut_arena_create(0, NULL, &scratch);
///     ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, scratch, z, &info);   // z = (4/3, 7/3)
///     ut_arena_destroy(&scratch);
#ifndef UPTACK_LCP_H
#define UPTACK_LCP_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- problems -----------------------------------------------------------------------------------

/// Find z with w = M z + q such that, for every i, one of these holds:
///
///     plain    z_i >= 0,  w_i >= 0,  z_i w_i = 0
///     free     i < free_count:  w_i = 0
///     boxed    lo_i <= z_i <= hi_i;  w_i >= 0 at lo_i, w_i <= 0 at hi_i, w_i = 0 in between
///
/// With findex[i] = k >= 0 finite bounds of i are multiplied by z_k: |z_i| <= mu z_k is lo = -mu,
/// hi = mu. An index k must not have a friction index itself, and its own lower bound must be >= 0.
typedef struct utLcp {
    int n;             ///< number of unknowns
    const double* M;   ///< n x n, row-major, finite
    const double* q;   ///< n entries, finite
    int free_count;    ///< the first free_count unknowns are free (an MLCP), default 0
    const double* lo;  ///< n lower bounds, -INFINITY for none; NULL: 0 each
    const double* hi;  ///< n upper bounds, INFINITY for none; NULL: INFINITY each
    const int* findex; ///< n entries, -1 for none; NULL: none
} utLcp;

/// Look at a whole problem once. @param err names the first entry that cannot be used
/// @return UT_OK or UT_ERR_ARGUMENT
UT_API utStatus ut_lcp_check(const utLcp* lcp, utError* err);

/// w = M z + q, accumulated in double-double and rounded once.
UT_API void ut_lcp_slack(const utLcp* lcp, const double* z, double* w);

/// The scaled residual that decides: the worst row, each in its own scale. With T_i the sum of
/// |M_ij z_j| over j and P the largest |q_k| of the rows that entries of M connect with row i,
///
///     S_i = max(|q_i|, min(T_i, P), 1e-5 T_i, 1e-6 P)     (P = 0: T_i)
///     C_i = max over k of |M_ki| / S_k
///
/// it is the largest over i of |min(C_i z_i, w_i / S_i)|; of free rows |w_i| / S_i; of boxed rows
/// the distance to the nearest admissible case, scaled alike. INFINITY as soon as anything is not
/// finite. Why so stands in docs/lcp.md.
UT_API double ut_lcp_residual(const utLcp* lcp, const double* z);

// ---- outcomes -----------------------------------------------------------------------------------

/// How a solve ended. Each of these is an answer; none of them is an error.
typedef enum utLcpOutcome {
    UT_LCP_SOLVED,     ///< residual <= tolerance
    UT_LCP_RAY,        ///< pivoting ended on a ray: not found, which proves nothing by itself
    UT_LCP_ITERATIONS, ///< stopped before the tolerance was met; z holds the best iterate
    UT_LCP_NONE,       ///< it is proved that no solution exists
} utLcpOutcome;

/// The solvers. `auto` looks at structure and size, tries one after the other, and the info says
/// whose answer it returned.
typedef enum utLcpSolver {
    UT_LCP_AUTO,
    UT_LCP_LEMKE,     ///< lexicographic complementary pivoting on a factored basis
    UT_LCP_PIVOT,     ///< principal pivoting, by active set when M is symmetric, by blocks when not
    UT_LCP_PGS,       ///< projected Gauss-Seidel with relaxation
    UT_LCP_NEWTON,    ///< semismooth Newton on the natural residual, with a line search
    UT_LCP_ENUMERATE, ///< every case in turn; at most 16 unknowns
    UT_LCP_SOLVER_COUNT
} utLcpSolver;

/// @return "solved", "ray", "iterations" or "none"
UT_API const char* ut_lcp_outcome_name(utLcpOutcome outcome);

/// @return "auto", "lemke", "pivot", "pgs", "newton" or "enumerate"
UT_API const char* ut_lcp_solver_name(utLcpSolver solver);

/// @return false when there is no solver of that name; `solver` is then unchanged
UT_API bool ut_lcp_solver_find(const char* name, utLcpSolver* solver);

/// What a solve did.
typedef struct utLcpInfo {
    utLcpOutcome outcome;
    utLcpSolver solver; ///< whose answer this is; never UT_LCP_AUTO
    int iterations;     ///< pivots, sweeps, Newton steps or cases, of that solver
    int factorizations; ///< of a matrix, afresh
    double residual;    ///< ut_lcp_residual of the returned z
} utLcpInfo;

// ---- warm starts --------------------------------------------------------------------------------

/// What a pivoting solve leaves for the next one on a problem of the same size and kind: which
/// unknowns were between their bounds, and the factor of their block.
///
/// A hint, never a promise: a start that does not help costs a few pivots or one factorization, and
/// a start whose block is singular is dropped.
typedef struct utLcpWarm {
    int n;
    bool valid;            ///< `active` holds something; set it after filling `active` by hand
    unsigned char* active; ///< n entries, 1 where w_i = 0 was solved for z_i
    // the rest belongs to the solvers
    int factor;  ///< what kind of factor is kept, 0 for none
    int count;   ///< order of the kept factor
    int* order;  ///< n: which unknown each row of it belongs to
    int* perm;   ///< n
    double* F;   ///< n x n
    double* d;   ///< n
    double* row; ///< n: row and column scaling under which it was made
    double* col; ///< n
} utLcpWarm;

/// Make an empty warm start for problems of n unknowns (of 2 n inside, when they are boxed, which
/// `lemke` and `enumerate` do not warm start).
/// @return UT_ERR_CAPACITY when there is no memory
UT_API utStatus ut_lcp_warm_create(int n, utArena* keep, utLcpWarm* warm);

// ---- solving ------------------------------------------------------------------------------------

/// Settings of all solvers; each reads the ones that concern it.
typedef struct utLcpDef {
    double tolerance;   ///< solved at this scaled residual, default 1e-10
    int max_iterations; ///< default 0: each solver's own limit (pivots 50 n + 1000, sweeps 1000,
                        ///< Newton steps 100)
    double relaxation;  ///< pgs: in (0, 2), default 1
    bool warm_start;    ///< pgs, newton: begin from the z passed in, default false
    bool equilibrate; ///< lemke, pivot: scale rows and columns by powers of two first, default true
    bool eliminate_free; ///< lemke: remove free unknowns by a Schur complement instead of keeping
                         ///< them in the basis, default false
    const double* cover; ///< lemke: n positive entries, default NULL: 1 each
    utLcpWarm* warm;     ///< lemke, pivot: read when valid, and rewritten by a solve; default NULL
    bool same_matrix; ///< M and the bounds are those of the last solve with `warm`: its factor may
                      ///< be used as it is, default false
    double* ray;      ///< n entries; receives the direction (largest entry 1) when the outcome is
                      ///< UT_LCP_RAY, or the proof when a single vector proves UT_LCP_NONE; else
                      ///< untouched. Default NULL
    uint32_t cookie;  ///< set by ut_lcp_def()
} utLcpDef;

UT_API utLcpDef ut_lcp_def(void);

/// Solve with the named solver. The problem is checked first.
/// @param z    n entries; the start where a warm start is asked for, the answer on return
/// @param info how the solve went
/// @return UT_OK whenever z and info are filled; else UT_ERR_* and neither is touched
UT_API utStatus ut_lcp_solve(const utLcp* lcp, utLcpSolver solver, const utLcpDef* def,
                             utArena scratch, double* z, utLcpInfo* info);

/// All basic solutions (n <= 16), in the order of their case numbers: isolated solutions, and the
/// corners of those that form a continuum (one point of a whole line, which has no corner).
/// @param room  how many solutions fit into Z
/// @param Z     room x n entries
/// @param count how many there are; those beyond `room` are counted and not stored
UT_API utStatus ut_lcp_all(const utLcp* lcp, const utLcpDef* def, utArena scratch, int room,
                           double* Z, int* count);

#ifdef __cplusplus
}
#endif

#endif
