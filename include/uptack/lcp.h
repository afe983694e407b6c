// SPDX-License-Identifier: Apache-2.0
/// @file lcp.h
/// Linear complementarity problems: plain, mixed and boxed, with or without a friction index.
///
/// One function computes the residual of every answer from z alone, so all solvers are measured in the
/// same way. A problem that a solver cannot solve gives an outcome, not an error. The caller owns the
/// problem and the result; working memory comes from an arena:
///
///     double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, z[2];
///     utLcp lcp = {.n = 2, .M = M, .q = q};
///     utLcpDef def = ut_lcp_def();
///     utLcpInfo info;
///     utArena scratch;
///     ut_arena_create(0, NULL, &scratch);
///     ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, scratch, z, &info);   // z = (4/3, 7/3)
///     ut_arena_destroy(&scratch);
///
/// Functions may be called from several threads at once when the threads do not share arenas, warm
/// starts or results. Problems may be shared.
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
/// A friction index findex[i] = k >= 0 multiplies the finite bounds of i by z_k: lo = -mu and hi = mu
/// mean |z_i| <= mu z_k. Unknown k must not have a friction index, and its lower bound must be >= 0.
typedef struct utLcp {
    int n;             ///< number of unknowns
    const double* M;   ///< n x n, row-major, finite
    const double* q;   ///< n entries, finite
    int free_count;    ///< the first free_count unknowns are free (an MLCP), default 0
    const double* lo;  ///< n lower bounds, -INFINITY for none; NULL: 0 each
    const double* hi;  ///< n upper bounds, INFINITY for none; NULL: INFINITY each
    const int* findex; ///< n entries, -1 for none; NULL: none
} utLcp;

/// Check a problem. @param err names the first invalid entry
/// @return UT_OK or UT_ERR_ARGUMENT
UT_API utStatus ut_lcp_check(const utLcp* lcp, utError* err);

/// w = M z + q, accumulated in double-double and rounded once.
UT_API void ut_lcp_slack(const utLcp* lcp, const double* z, double* w);

/// The scaled residual, which decides about UT_LCP_SOLVED: the largest error of a row, each in its own
/// scale. Let T_i be the sum of |M_ij z_j| over j, and P the largest |q_k| of the rows that nonzero
/// entries of M connect with row i, directly or through other rows. With
///
///     S_i = max(|q_i|, min(T_i, P), 1e-5 T_i, 1e-6 P)     (P = 0: T_i)
///     C_i = max over k of |M_ki| / S_k
///
/// the error of a plain row is |min(C_i z_i, w_i / S_i)|, of a free row |w_i| / S_i, and of a boxed row
/// the distance to the nearest admissible case with the same scales. INFINITY when z, M or q is not
/// finite. docs/lcp.md explains the scales.
UT_API double ut_lcp_residual(const utLcp* lcp, const double* z);

// ---- outcomes -----------------------------------------------------------------------------------

/// How a solve ended. None of these is an error.
typedef enum utLcpOutcome {
    UT_LCP_SOLVED,     ///< residual <= tolerance
    UT_LCP_RAY,        ///< pivoting ended on a ray: no solution was found, but one may exist
    UT_LCP_ITERATIONS, ///< stopped before the tolerance was met; z holds the best iterate
    UT_LCP_NONE,       ///< it is proved that no solution exists
} utLcpOutcome;

/// The solvers. `auto` tries several, depending on structure and size; utLcpInfo.solver names the one
/// that found the answer.
typedef enum utLcpSolver {
    UT_LCP_AUTO,
    UT_LCP_LEMKE,     ///< lexicographic complementary pivoting on a factored basis
    UT_LCP_PIVOT,     ///< principal pivoting: active set for symmetric M, else block pivoting
    UT_LCP_PGS,       ///< projected Gauss-Seidel with relaxation
    UT_LCP_NEWTON,    ///< semismooth Newton on the natural residual, with a line search
    UT_LCP_ENUMERATE, ///< all cases; at most 16 unknowns
    UT_LCP_SOLVER_COUNT
} utLcpSolver;

/// @return "solved", "ray", "iterations" or "none"
UT_API const char* ut_lcp_outcome_name(utLcpOutcome outcome);

/// @return "auto", "lemke", "pivot", "pgs", "newton" or "enumerate"
UT_API const char* ut_lcp_solver_name(utLcpSolver solver);

/// @return false when there is no solver of that name; `solver` is then unchanged
UT_API bool ut_lcp_solver_find(const char* name, utLcpSolver* solver);

/// Statistics of a solve.
typedef struct utLcpInfo {
    utLcpOutcome outcome;
    utLcpSolver solver; ///< the solver that found the answer; never UT_LCP_AUTO
    int iterations;     ///< pivots, sweeps, Newton steps or cases, of that solver
    int factorizations; ///< of a matrix, without updates
    double residual;    ///< ut_lcp_residual of the returned z
} utLcpInfo;

// ---- warm starts --------------------------------------------------------------------------------

/// The final state of a pivoting solve, for the next solve of a problem of the same size and kind: the
/// unknowns between their bounds, and the factor of their block.
///
/// A warm start is a hint. A bad one costs a few pivots or one factorization, and a start with a singular
/// block is dropped.
typedef struct utLcpWarm {
    int n;
    bool valid;            ///< `active` is filled; set it if you filled `active` yourself
    unsigned char* active; ///< n entries, 1 where w_i = 0 was solved for z_i
    // private to the solvers
    int factor;  ///< kind of the factor, 0: none
    int count;   ///< order of the factor
    int* order;  ///< n: the unknown of each row of the factor
    int* perm;   ///< n
    double* F;   ///< n x n
    double* d;   ///< n
    double* row; ///< n: row scaling of the factored matrix
    double* col; ///< n: column scaling
} utLcpWarm;

/// Create an empty warm start for problems of n unknowns. `lemke` uses it for plain and mixed problems,
/// `pivot` for problems without friction index.
/// @return UT_ERR_CAPACITY when there is no memory
UT_API utStatus ut_lcp_warm_create(int n, utArena* keep, utLcpWarm* warm);

// ---- solving ------------------------------------------------------------------------------------

/// Settings of all solvers. The comments name the solvers that use a field.
typedef struct utLcpDef {
    double tolerance;   ///< largest scaled residual of a solution, default 1e-10
    int max_iterations; ///< default 0: each solver's own limit (pivots 50 n + 1000, sweeps 1000,
                        ///< Newton steps 100)
    double relaxation;  ///< pgs: in (0, 2), default 1
    bool warm_start;    ///< pgs, newton: start from the z passed in, default false
    bool equilibrate; ///< lemke, pivot: scale rows and columns by powers of two first, default true
    bool
        eliminate_free; ///< lemke: eliminate free unknowns by a Schur complement instead of keeping
                        ///< them in the basis, default false
    const double* cover; ///< lemke: covering vector, n positive entries, default NULL: 1 each
    utLcpWarm* warm;     ///< lemke, pivot: read when valid, and rewritten by a solve; default NULL
    bool same_matrix;    ///< M and the bounds are the same as in the last solve with `warm`, so its
                         ///< factor is still valid; default false
    double* ray;     ///< n entries: receives the direction of UT_LCP_RAY (largest entry 1), or the
                     ///< Farkas vector that proves UT_LCP_NONE; otherwise unchanged. Default NULL
    uint32_t cookie; ///< set by ut_lcp_def()
} utLcpDef;

#define UT_LCP_DEF_COOKIE UT_COOKIE(5, 1) ///< value of utLcpDef.cookie

UT_API utLcpDef ut_lcp_def(void);

/// Solve with the named solver. The problem is checked first.
/// @param z    n entries; the start if def->warm_start is set, the answer on return
/// @return UT_OK when z and info are filled; else UT_ERR_*, and both are unchanged
UT_API utStatus ut_lcp_solve(const utLcp* lcp, utLcpSolver solver, const utLcpDef* def,
                             utArena scratch, double* z, utLcpInfo* info);

/// All basic solutions of a problem with n <= 16, in the order of their case numbers: isolated
/// solutions, and the corners of sets of solutions (of a line without corners one point).
/// @param room  capacity of Z in solutions
/// @param Z     room x n entries
/// @param count number of solutions; those beyond `room` are counted but not stored
UT_API utStatus ut_lcp_all(const utLcp* lcp, const utLcpDef* def, utArena scratch, int room,
                           double* Z, int* count);

#ifdef __cplusplus
}
#endif

#endif
