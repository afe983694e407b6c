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

#ifdef __cplusplus
extern "C" {
#endif

// ---- problems -----------------------------------------------------------------------------------

/// A problem in one of two forms. Local: W and q are given, u = W r + q; W may be unsymmetric.
/// Global: M, f, J and b are given, and W = J M^-1 J', q = J M^-1 f + b. Everything is borrowed for
/// the call.
typedef struct utCoulomb {
    int dimension;            ///< rows of a contact: 3 in space (n, t1, t2), 2 in the plane (n, t)
    int contacts;             ///< how many, possibly 0
    int bilaterals;           ///< rows with u = 0 and an impulse of any sign
    const double* mu;         ///< contacts entries, >= 0
    const utSection* section; ///< the friction section P of all contacts: dimension must agree

    const double*
        W; ///< local form: N x N, row-major, N = dimension contacts + bilaterals; else NULL
    const double* q; ///< local form: N

    int dof;         ///< global form: number of velocities
    const double* M; ///< global form: dof x dof, symmetric positive definite
    const double* f; ///< global form: dof, so that v = M^-1 f without any impulse
    const double* J; ///< global form: N x dof, row-major
    const double* b; ///< global form: N
} utCoulomb;

/// N = dimension contacts + bilaterals.
UT_API int ut_coulomb_rows(const utCoulomb* problem);

/// Look at a whole problem once. @param err names the first entry that cannot be used
UT_API utStatus ut_coulomb_check(const utCoulomb* problem, utError* err);

// ---- the judge ----------------------------------------------------------------------------------

/// What the certificate says of r, computed from r alone.
typedef struct utCoulombVerdict {
    double E;         ///< complementarity: the largest contact error over V; decides
    double e;         ///< the same in m/s
    int contact;      ///< whose error it is, -1 when there is no contact
    double V;         ///< the problem's velocity scale, m/s
    double bilateral; ///< the largest |u_j| of a bilateral row over V; decides
    double cone;      ///< the largest cone excess over mu r_n + m_i V
    double model_gap; ///< E under the circular law, when the section is a polygon
} utCoulombVerdict;

/// Judge impulses: u is recomputed from r (accumulated in twice the working precision in the local
/// form), the law is the section's, or the convex one.
/// @param u      N entries, receives the velocities; may be NULL
/// @return UT_OK, or UT_ERR_CAPACITY; anything not finite gives an infinite E
UT_API utStatus ut_coulomb_judge(const utCoulomb* problem, bool convex, const double* r,
                                 utArena scratch, double* u, utCoulombVerdict* verdict);

// ---- solving ------------------------------------------------------------------------------------

/// How a solve ended. Each of these is an answer; none of them is an error.
typedef enum utCoulombOutcome {
    UT_COULOMB_SOLVED, ///< E <= tolerance and bilateral rows <= a tenth of it, by the law asked for
    UT_COULOMB_ITERATIONS, ///< stopped before that; r holds the best iterate
} utCoulombOutcome;

/// `ipm` and `proximal` take the global form with a round section (circle or segment), and refuse
/// others with UT_ERR_ARGUMENT; `nsgs` takes everything. `auto` climbs from one to the next where
/// it can and is `nsgs` where it cannot.
typedef enum utCoulombSolver {
    UT_COULOMB_AUTO,
    UT_COULOMB_IPM,      ///< interior point, the shift differentiated; it has its own start
    UT_COULOMB_PROXIMAL, ///< proximal Newton, from the r it is given
    UT_COULOMB_NSGS,     ///< Gauss-Seidel over contacts with exact local solves
    UT_COULOMB_SOLVER_COUNT
} utCoulombSolver;

UT_API const char* ut_coulomb_outcome_name(utCoulombOutcome outcome);
UT_API const char* ut_coulomb_solver_name(utCoulombSolver solver);
UT_API bool ut_coulomb_solver_find(const char* name, utCoulombSolver* solver);

typedef struct utCoulombInfo {
    utCoulombOutcome outcome;
    utCoulombSolver solver;   ///< whose answer this is; never UT_COULOMB_AUTO
    int rung;                 ///< of `auto`: which rung answered (docs/coulomb.md), 0 when none did
    int iterations;           ///< sweeps of nsgs; factorizations of the others
    utCoulombVerdict verdict; ///< of the returned r
} utCoulombInfo;

typedef struct utCoulombDef {
    double tolerance;   ///< solved at this E, default 1e-8
    int max_iterations; ///< default 0: the solver's own limit (nsgs 10,000 sweeps, ipm 60
                        ///< factorizations, proximal 100); the ladder of auto keeps its own
    bool warm_start;    ///< nsgs, proximal: begin from the r passed in, default false
    uint32_t cookie;    ///< set by ut_coulomb_def()
} utCoulombDef;

UT_API utCoulombDef ut_coulomb_def(void);
UT_API size_t ut_coulomb_scratch(const utCoulomb* problem, utCoulombSolver solver);

/// @param r N entries; the start where a warm start is asked for, the answer on return
/// @return UT_OK whenever r and info are filled; else UT_ERR_* and neither is touched
UT_API utStatus ut_coulomb_solve(const utCoulomb* problem, utCoulombSolver solver,
                                 const utCoulombDef* def, utArena scratch, double* r,
                                 utCoulombInfo* info);

// ---- files --------------------------------------------------------------------------------------

/// Read the text form (.fc): `fc d nc nnz`, then nnz lines `i j value` of W (0-based), q, mu.
/// Everything lies in `keep`. @param err file:line:col and what is wrong
UT_API utStatus ut_coulomb_read(utText text, const char* file, utArena* keep, utCoulomb* problem,
                                utError* err);

#ifdef __cplusplus
}
#endif

#endif
