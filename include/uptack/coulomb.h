// SPDX-License-Identifier: Apache-2.0
/// @file coulomb.h
/// The frictional contact problem by itself: given masses, Jacobians, free velocities and
/// coefficients of friction, find the impulses r (N s) and velocities u (m/s) with
///
///     M v = f + J'r,    u = J v + b
///     K ∋ r_i  ⟂  u_i + s_i e_n ∈ K*     for each contact i, s_i = mu_i h_P(-u_t) (uptack/law.h)
///     u_j = 0                            for each bilateral row j
///
/// Rows are ordered contact by contact, in each the normal and then the tangents; bilateral rows come
/// after all contacts. Contacts with torsional or rolling friction have rows of angular velocity
/// besides, each multiplied by a length of the contact, so that all rows are in m/s.
///
/// Functions keep no state. Several threads may call them at once as long as each has its own arenas
/// and outputs.
#ifndef UPTACK_COULOMB_H
#define UPTACK_COULOMB_H

#include <uptack/law.h>
#include <uptack/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- problems -----------------------------------------------------------------------------------

/// Masses and Jacobians by bodies, for problems where a contact touches few of many velocities. A
/// node is a set of velocities with a mass matrix of its own: a free body or a tree of joints. A
/// group of rows is a contact or one bilateral row, contacts first.
typedef struct utCoulombBlocks {
    int nodes;
    const int* start; ///< nodes + 1: node k has the velocities start[k] ... start[k + 1] - 1
    const double* M;  ///< the nodes' mass matrices one after the other, each row-major
    const int* first; ///< contacts + bilaterals + 1: group g touches the nodes node[first[g]] ...
                      ///< node[first[g + 1] - 1], each once
    const int* node;  ///< first[contacts + bilaterals] entries
    const double* J; ///< one block for each entry of `node`, in the same order: the group's rows by
                     ///< the node's velocities, row-major
} utCoulombBlocks;

/// A problem in one of three forms. All arrays are borrowed for the call.
///
///     local    W and q: u = W r + q; W may be unsymmetric, dense or in rows
///     global   M, f, J and b: W = J M^-1 J', q = J M^-1 f + b
///     blocks   the global form by bodies: blocks, f and b
typedef struct utCoulomb {
    int dimension;      ///< rows of a contact: 3 in space (n, t1, t2), 2 in the plane (n, t); in
                        ///< space 4 with the spin about n and 6 with those about t1 and t2 too
    int contacts;       ///< number of contacts, possibly 0
    int bilaterals;     ///< number of scalar rows after the contacts: u = 0 by an impulse of any
                        ///< sign, or by an impulse within bounds
    const double* low;  ///< bilaterals entries: the least impulse, at which u >= 0 is allowed;
                        ///< -INFINITY: no bound; NULL: no row has one
    const double* high; ///< bilaterals entries: the largest impulse, at which u <= 0 is allowed;
                        ///< INFINITY: no bound; NULL: no row has one
    const int* vector;  ///< bilaterals entries: successive rows with the same number are
                        ///< components of one vector, which solvers scale alike; NULL: no rows are
    const double* mu;   ///< contacts entries, >= 0
    const double* torsional;  ///< dimension 4 and 6: contacts entries, >= 0, the coefficient of
                              ///< torsional friction over the length of the contact; 0: the row of
                              ///< the spin has no impulse and does not count. NULL: all 0
    const double* rolling;    ///< dimension 6: the same for rolling friction
    const utSection* section; ///< friction sections of the problem's dimension
    const int* section_of;    ///< contacts entries: contact i has section[section_of[i]]; NULL: all
                              ///< contacts have section[0]
    double speed; ///< the least velocity scale V of the verdict, m/s; default 0: V comes
                  ///< from the velocities of the problem alone

    const double* W;    ///< local form: N x N, row-major, N = dimension contacts + bilaterals; with
                        ///< W_start the entries of its rows one after the other
    const int* W_start; ///< N + 1: row k has the entries W_start[k] ... W_start[k + 1] - 1 of W
    const int* W_column; ///< the column of each entry, ascending in each row
    const double* q;     ///< local form: N

    int dof;                       ///< global form, blocks: number of velocities
    const double* M;               ///< global form: dof x dof, symmetric positive definite
    const double* J;               ///< global form: N x dof, row-major
    const utCoulombBlocks* blocks; ///< blocks: in place of M and J
    const double* f;               ///< dof; M^-1 f is the free velocity
    const double* b;               ///< N: velocities of the rows at v = 0
} utCoulomb;

/// The number of rows, N = dimension contacts + bilaterals.
UT_API int ut_coulomb_rows(const utCoulomb* problem);

/// Check every entry of a problem. @param err names the first entry that cannot be used
/// @return UT_OK or UT_ERR_ARGUMENT
UT_API utStatus ut_coulomb_check(const utCoulomb* problem, utError* err);

// ---- the judge ----------------------------------------------------------------------------------

/// The errors of impulses r, computed from r alone. E, `bilateral` and `cone` decide whether r is an
/// answer; the others are reported only.
typedef struct utCoulombVerdict {
    double E;         ///< the largest complementarity error of a contact or bounded row, over V
    double e;         ///< the same in m/s
    int contact;      ///< the contact with that error, contacts + j for the bounded row j, or -1
    double V;         ///< the problem's velocity scale, m/s
    double bilateral; ///< the largest |u_j| of a row without bounds, over V
    double cone;      ///< the largest cone excess, over mu r_n + m_i V
    double model_gap; ///< E by the circular law, when the section is a polygon
    double relative; ///< the residual of the public collections, which adds impulses to velocities:
                     ///< sqrt(sum |r_i - P_K(r_i - û_i)|^2) / |q|, with 1 for |q| = 0
} utCoulombVerdict;

/// Judge impulses. u is recomputed from r, with sums in twice the working precision unless a bound on
/// their rounding shows that E is right to 1e-12 in working precision.
/// @param convex use the convex law (uptack/law.h), else that of the sections
/// @param u      N entries, receives the velocities; may be NULL
/// @return UT_OK, or UT_ERR_CAPACITY; a number that is not finite gives an infinite E
UT_API utStatus ut_coulomb_judge(const utCoulomb* problem, bool convex, const double* r,
                                 utArena scratch, double* u, utCoulombVerdict* verdict);

/// Compare stored velocities with those that belong to the impulses r: the certificate's line "stored
/// velocity".
/// @param u_stored N entries
/// @param mismatch the largest |u_stored - u(r)| of a row over V; INFINITY when a number is not finite
/// @return UT_OK, or UT_ERR_CAPACITY
UT_API utStatus ut_coulomb_judge_velocity(const utCoulomb* problem, const double* r,
                                          const double* u_stored, utArena scratch,
                                          double* mismatch);

// ---- solving ------------------------------------------------------------------------------------

/// How a solve ended. Each of these is an answer; none of them is an error.
typedef enum utCoulombOutcome {
    UT_COULOMB_SOLVED,     ///< E <= tolerance, bilateral <= a tenth of it, cone <= 1e-12
    UT_COULOMB_ITERATIONS, ///< the solver stopped before that; r holds the best iterate
    UT_COULOMB_CONVEX,     ///< the best iterate was far from an answer: r solves the convex form
    UT_COULOMB_NONE, ///< it is proved that there are no such impulses; r is the proof: it lies
                     ///< in K, changes no velocity (J'r = 0), and r . b < 0
} utCoulombOutcome;

/// Each solver takes every form of the problem. `ipm` and `lcp` return UT_ERR_ARGUMENT for problems
/// that they cannot solve.
typedef enum utCoulombSolver {
    UT_COULOMB_AUTO,     ///< tries the others in turn (docs/coulomb.md)
    UT_COULOMB_IPM,      ///< interior point, no polygons; it has its own start
    UT_COULOMB_PROXIMAL, ///< proximal Newton
    UT_COULOMB_NEWTON,   ///< semismooth Newton on Alart and Curnier's function, by LU
    UT_COULOMB_NSGS,     ///< Gauss-Seidel over contacts with exact local solves
    UT_COULOMB_LCP,      ///< an LCP solver (uptack/polyhedral.h); polygons only, without bounds
    UT_COULOMB_SOLVER_COUNT
} utCoulombSolver;

/// Names; "unknown" for a number that is no outcome or solver.
UT_API const char* ut_coulomb_outcome_name(utCoulombOutcome outcome);
UT_API const char* ut_coulomb_solver_name(utCoulombSolver solver);
UT_API bool ut_coulomb_solver_find(const char* name, utCoulombSolver* solver);

typedef struct utCoulombInfo {
    utCoulombOutcome outcome;
    utCoulombSolver solver;   ///< the solver that found r; never UT_COULOMB_AUTO
    utRung rung;              ///< the rung of `auto` that answered
    int iterations;           ///< sweeps of nsgs, pivots of lcp, factorizations of the others
    utCoulombVerdict verdict; ///< of the returned r
} utCoulombInfo;

/// A plan of the engine (utCoulombDef.plan).
typedef struct utCoulombPlan utCoulombPlan;

typedef struct utCoulombDef {
    double tolerance;   ///< of E, default 1e-8
    int max_iterations; ///< default 0: the solver's own limit (nsgs 10,000 sweeps, ipm 60
                        ///< factorizations, proximal 100, newton 100, each rung of auto its own);
                        ///< for auto the limit of all rungs together
    bool warm_start;    ///< start from the r passed in, default false; ipm ignores it
    const double*
        v_start;      ///< dof velocities before the step, default NULL: not known. auto keeps a
                      ///< warm start that leaves bodies at rest as they are up to the tolerance
    bool convex;      ///< solve the convex form (no shift) and judge by it, default false; nsgs
                      ///< ignores it
    bool no_fallback; ///< do not solve the convex form when all else fails, default false
    bool trusted;     ///< the caller vouches for sizes, indices and the symmetry of masses: of a
                      ///< problem by bodies only the numbers are checked, and auto leaves
                      ///< verdict.relative 0; default false
    utCoulombPlan*
        plan;        ///< auto: the order of elimination of the last problem, for one with the same
                     ///< graph; default NULL: none. Only the engine has one
    utLcpSolver lcp; ///< the solver of a polygon's LCP, default UT_LCP_AUTO
    bool mixed;      ///< lcp: keep velocities as unknowns where the problem has M and J, default
                     ///< false
    double rho;      ///< lcp: phantom inertia of all contacts, default 0: by the rule of
                     ///< utPolyhedralDef
    double scale;    ///< lcp: of the cone's rows and columns (utPolyhedralDef), default 1
    double regularization; ///< lcp: as in utPolyhedralDef, default 0. Inexact: r solves the changed
                           ///< LCP, and the verdict states its error in the law
    double relaxation;     ///< lcp: the same
    uint32_t cookie;       ///< set by ut_coulomb_def()
} utCoulombDef;

#define UT_COULOMB_DEF_COOKIE UT_COOKIE(7, 2) ///< value of utCoulombDef.cookie

UT_API utCoulombDef ut_coulomb_def(void);

/// Solve a problem.
/// @param scratch takes a few times the size of the problem; the rung UT_RUNG_POLYGONS takes up to 1
///                GB or so, and is skipped when there is no memory
/// @param r       N entries; the start where def->warm_start is set, the answer on return
/// @return UT_OK whenever r and info are filled; else UT_ERR_* and both are unchanged
UT_API utStatus ut_coulomb_solve(const utCoulomb* problem, utCoulombSolver solver,
                                 const utCoulombDef* def, utArena scratch, double* r,
                                 utCoulombInfo* info);

// ---- files --------------------------------------------------------------------------------------

/// Write a problem as text of version 2, or 3 with torsional or rolling friction, which
/// ut_coulomb_read reads with the same bits. The global form is written by bodies, as one node.
/// @param r    N impulses to write with the problem; NULL: none
/// @param text receives the text, without a final 0, when `size` is enough; may be NULL when `size`
///             is 0
/// @return length of the text in bytes; 0 when the format does not support the problem, because it
///         has several sections or a rotated polygon
UT_API size_t ut_coulomb_print(const utCoulomb* problem, const double* r, char* text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
