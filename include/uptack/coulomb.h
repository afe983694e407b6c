// SPDX-License-Identifier: Apache-2.0
/// @file coulomb.h
/// The frictional contact problem on its own, without bodies: given masses, Jacobians, free
/// velocities and coefficients of friction, find the impulses.
///
///     M v = f + J'r,    u = J v + b
///     K ∋ r_i  ⟂  u_i + s_i e_n ∈ K*        for each contact i, s_i = mu_i h_P(-u_t)
///     (uptack/law.h) u_j = 0                               for each bilateral row j
///
/// Rows come contact by contact, normal first, then the tangents; bilateral rows stand behind them.
/// r are impulses (N s), u velocities (m/s).
#ifndef UPTACK_COULOMB_H
#define UPTACK_COULOMB_H

#include <uptack/law.h>
#include <uptack/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- problems -----------------------------------------------------------------------------------

/// Masses and Jacobians by bodies, for problems where a contact touches few of many velocities. A
/// node is a group of velocities with a mass matrix of its own: a free body or a whole tree of
/// joints. A group of rows is a contact or one bilateral row, contacts first.
typedef struct utCoulombBlocks {
    int nodes;
    const int* start; ///< nodes + 1: node k has the velocities start[k] ... start[k + 1] - 1
    const double* M;  ///< the nodes' mass matrices one behind the other, each row-major
    const int* first; ///< contacts + bilaterals + 1: group g touches node[first[g]] ... up to
                      ///< node[first[g + 1] - 1], each node once
    const int* node;
    const double* J; ///< for each group and each node that it touches, in this order, a block of
                     ///< the group's rows by the node's velocities, row-major
} utCoulombBlocks;

/// A problem in one of three forms. Everything is borrowed for the call.
///
///     local    W and q are given, u = W r + q; W may be unsymmetric, dense or in rows
///     global   M, f, J and b are given; W = J M^-1 J', q = J M^-1 f + b
///     blocks   the same by bodies: blocks, f and b
typedef struct utCoulomb {
    int dimension;      ///< rows of a contact: 3 in space (n, t1, t2), 2 in the plane (n, t)
    int contacts;       ///< how many, possibly 0
    int bilaterals;     ///< scalar rows behind the contacts: u = 0 by an impulse of any sign,
                        ///< or by one within bounds
    const double* low;  ///< bilaterals entries: the least impulse, where u >= 0 is allowed;
                        ///< -INFINITY for none; NULL: none at all
    const double* high; ///< the largest one, where u <= 0 is allowed; INFINITY for none
    const int* vector;  ///< bilaterals entries: successive rows with the same number are
                        ///< components of one vector, which solvers scale alike; NULL: none are
    const double* mu;   ///< contacts entries, >= 0
    const utSection* section; ///< the friction section P: dimension must agree
    const int* section_of;    ///< contacts entries: which section[] is contact i's; NULL: all 0
    double speed;             ///< the least velocity that errors are measured by, m/s; default 0:
                              ///< the velocities of the problem alone

    const double* W;     ///< local form: N x N, row-major, N = dimension contacts + bilaterals; or
                         ///< the entries of its rows one behind the other, when W_start is given
    const int* W_start;  ///< N + 1: row k has the entries W_start[k] ... W_start[k + 1] - 1 of W
    const int* W_column; ///< their columns, ascending in each row
    const double* q;     ///< local form: N

    int dof;                       ///< global form, blocks: number of velocities
    const double* M;               ///< global form: dof x dof, symmetric positive definite
    const double* J;               ///< global form: N x dof, row-major
    const utCoulombBlocks* blocks; ///< in place of M and J
    const double* f;               ///< dof, so that v = M^-1 f without any impulse
    const double* b;               ///< N
} utCoulomb;

/// N = dimension contacts + bilaterals.
UT_API int ut_coulomb_rows(const utCoulomb* problem);

/// Look at a whole problem once. @param err names the first entry that cannot be used
UT_API utStatus ut_coulomb_check(const utCoulomb* problem, utError* err);

// ---- the judge ----------------------------------------------------------------------------------

/// What the certificate says of r, computed from r alone.
typedef struct utCoulombVerdict {
    double E;         ///< complementarity: the largest error of a contact or a bounded row over V;
                      ///< decides
    double e;         ///< the same in m/s
    int contact;      ///< whose error it is: a contact, contacts + j for the bounded row j, or -1
    double V;         ///< the problem's velocity scale, m/s
    double bilateral; ///< the largest |u_j| of a row without bounds over V; decides
    double cone;      ///< the largest cone excess over mu r_n + m_i V
    double model_gap; ///< E under the circular law, when the section is a polygon
    double relative; ///< the residual of the public collections, which adds impulses to velocities:
                     ///< sqrt(sum |r_i - P_K(r_i - û_i)|^2) / |q|, |q| read as 1 where it is 0;
                     ///< reported only
} utCoulombVerdict;

/// Judge impulses: u is recomputed from r (accumulated in twice the working precision in the local
/// form), the law is the section's, or the convex one.
/// @param u      N entries, receives the velocities; may be NULL
/// @return UT_OK, or UT_ERR_CAPACITY; anything not finite gives an infinite E
UT_API utStatus ut_coulomb_judge(const utCoulomb* problem, bool convex, const double* r,
                                 utArena scratch, double* u, utCoulombVerdict* verdict);

/// The certificate's line "stored velocity": how far velocities that somebody keeps are from those
/// that belong to the impulses r.
/// @param u_stored N entries
/// @param mismatch the largest |u_stored - u(r)| of a row over V; INFINITY when anything is not
///                 finite
/// @return UT_OK, or UT_ERR_CAPACITY
UT_API utStatus ut_coulomb_judge_velocity(const utCoulomb* problem, const double* r,
                                          const double* u_stored, utArena scratch,
                                          double* mismatch);

// ---- solving ------------------------------------------------------------------------------------

/// How a solve ended. Each of these is an answer; none of them is an error.
typedef enum utCoulombOutcome {
    UT_COULOMB_SOLVED, ///< E <= tolerance and bilateral rows <= a tenth of it, by the law asked for
    UT_COULOMB_ITERATIONS, ///< stopped before that; r holds the best iterate
    UT_COULOMB_CONVEX,     ///< not found, and what was found is far off: r solves the convex form
    UT_COULOMB_NONE,       ///< it is proved that no impulses do it; r is the proof: in K, without
                           ///< effect on any velocity (J'r = 0), and r . b < 0
} utCoulombOutcome;

/// `auto` climbs from one to the next. Each takes every form of the problem; what `ipm` and `lcp`
/// do not take they refuse with UT_ERR_ARGUMENT.
typedef enum utCoulombSolver {
    UT_COULOMB_AUTO,
    UT_COULOMB_IPM,      ///< interior point, round sections only; it has its own start
    UT_COULOMB_PROXIMAL, ///< proximal Newton
    UT_COULOMB_NEWTON,   ///< semismooth Newton on Alart and Curnier's function, by LU
    UT_COULOMB_NSGS,     ///< Gauss-Seidel over contacts with exact local solves
    UT_COULOMB_LCP,      ///< polygons only, without bounds: as an LCP (uptack/polyhedral.h)
    UT_COULOMB_SOLVER_COUNT
} utCoulombSolver;

/// Names; "unknown" for a number that is none.
UT_API const char* ut_coulomb_outcome_name(utCoulombOutcome outcome);
UT_API const char* ut_coulomb_solver_name(utCoulombSolver solver);
UT_API bool ut_coulomb_solver_find(const char* name, utCoulombSolver* solver);

typedef struct utCoulombInfo {
    utCoulombOutcome outcome;
    utCoulombSolver solver;   ///< whose answer this is; never UT_COULOMB_AUTO
    utRung rung;              ///< of `auto`: which rung answered
    int iterations;           ///< sweeps of nsgs; factorizations of the others
    utCoulombVerdict verdict; ///< of the returned r
} utCoulombInfo;

typedef struct utCoulombDef {
    double tolerance;   ///< solved at this E, default 1e-8
    int max_iterations; ///< default 0: the solver's own limit (nsgs 10,000 sweeps, ipm 60
                        ///< factorizations, proximal 100, newton 100, each rung of auto its own);
                        ///< for auto of all rungs together
    bool warm_start;    ///< begin from the r passed in, default false; ipm has its own start
    bool convex;        ///< solve the convex form (no shift) and judge by it, default false;
                        ///< nsgs does not know it
    bool no_fallback;   ///< do not solve the convex form when all else fails, default false
    utLcpSolver lcp;    ///< which solver answers the LCP of a polygon, default UT_LCP_AUTO
    bool mixed;         ///< lcp: keep velocities as unknowns where the problem has M and J, default
                        ///< false
    double rho;         ///< lcp: phantom inertia of all contacts, default 0: by rule
    double scale;       ///< lcp: of the cone's rows and columns (utPolyhedralDef), default 1
    double regularization; ///< lcp: inexact, as in utPolyhedralDef; r is then what the changed LCP
    double relaxation;     ///< says, and the verdict tells how far that is from the law. Default 0
    uint32_t cookie;       ///< set by ut_coulomb_def()
} utCoulombDef;

UT_API utCoulombDef ut_coulomb_def(void);

/// @param scratch holds everything that the solve needs; for most problems a few times the size of
///                the problem itself, for the rung UT_RUNG_POLYGONS up to 1 GB or so. Without
///                memory that rung is skipped
/// @param r N entries; the start where a warm start is asked for, the answer on return
/// @return UT_OK whenever r and info are filled; else UT_ERR_* and neither is touched
UT_API utStatus ut_coulomb_solve(const utCoulomb* problem, utCoulombSolver solver,
                                 const utCoulombDef* def, utArena scratch, double* r,
                                 utCoulombInfo* info);

// ---- files --------------------------------------------------------------------------------------

/// Write a problem as text of version 2, which ut_coulomb_read reads back with the same bits. The
/// global form is written by bodies, as one node.
/// @param r    N impulses that are written beside it; NULL: none
/// @param text receives the text when its `size` is enough, without a final 0; may be NULL for a
/// size
///             of 0
/// @return bytes that the text has; 0 when the form does not know the problem: it has several
///         sections, or a polygon that is turned
UT_API size_t ut_coulomb_print(const utCoulomb* problem, const double* r, char* text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
