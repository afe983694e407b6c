// SPDX-License-Identifier: Apache-2.0
// A problem prepared for the second-order solvers, and the linear system that they share. Letters
// as in uptack/coulomb.h; D is block diagonal, dimension x dimension for each contact, and w a
// weight for each bilateral row.
//
// The unknowns x are the velocities v in the global form and u itself in the local form, where every
// equation is multiplied by J M^-1:
//
//              x     x*           "M (x - x*)"   "J'r"    H
//     global   v     M^-1 f       M (v - v*)     J'r      M + J_c' D J_c + J_b' diag(w) J_b
//     local    u     q            u - q          W r      1 + W diag(D, w)
//
// With these unknowns the solvers read the same for both forms.
#ifndef UPTACK_COULOMB_SOLVERS_SYSTEM_H
#define UPTACK_COULOMB_SOLVERS_SYSTEM_H

#include "coulomb/internal.h"
#include "coulomb/plan.h"
#include "la/sparse/sparse.h"

// ---- the system ---------------------------------------------------------------------------------

/// The global form by nodes: masses, Jacobians and their blocks of H.
typedef struct Bodies {
    utCoulombBlocks blocks; // as given, or cut from M and J
    size_t* mass;           // nodes + 1: where a node's matrix begins in blocks.M and in L
    size_t* entry;          // groups + 1: where a group's blocks begin in blocks.J
    double* L;              // Cholesky factors of the nodes' masses
    size_t* first;          // groups + 1: where a group's blocks of H begin
    double** H;             // k x k blocks of H for each group of k nodes
    double** diagonal;      // nodes: the diagonal blocks of H
    double* T;              // -J', dof x N, where all groups touch one large node; else NULL
    double* DJ;             // N x dof, work; with T
} Bodies;

typedef struct System {
    const utCoulomb* problem;
    bool local;     // u is the unknown
    bool convex;    // no shift
    int d;          // rows of a contact
    int nc;         // contacts
    int nb;         // bilateral rows
    int n;          // rows of all contacts, d nc
    int N;          // n + nb
    int dof;        // unknowns
    Bodies bodies;  // global form
    double** row;   // local form, W in rows: for each entry, its row in the block of H
    double* v;      // dof: x*
    double* q;      // N: velocities without any impulse
    double* m;      // nc: effective masses
    double* mb;     // nb: 1 / A_jj
    bool* moves;    // nc: false for immovable contacts
    double* column; // local form, dense W: N, masses of the columns
    double* x;      // dof, work
    double* z;      // dof, work of ut_system_error
    double* u;      // N, work of ut_system_error
    Sparse H;
} System;

/// Prepare a problem: masses, free velocities, and the pattern of H.
/// @return UT_ERR_CAPACITY, or UT_ERR_ARGUMENT for an M that is not positive definite
utStatus ut_system_create(const utCoulomb* problem, bool convex, utArena* scratch, System* system);

/// The same with known traces of A_gg. @param trace contacts, then bilateral rows; NULL: not known
/// @param kept a plan of an earlier system, which this one takes or replaces; NULL: none
utStatus ut_system_create_with(const utCoulomb* problem, bool convex, const double* trace,
                               utCoulombPlan* kept, utArena* scratch, System* system);

/// x = x* + M^-1 J'r
void ut_system_velocity(const System* system, const double* r, double* x);

/// x = M^-1 J'r
void ut_system_change(const System* system, const double* r, double* x);

/// u = J x + b, or J x. @param x dof @param u N
void ut_system_rows(const System* system, bool shifted, const double* x, double* u);

/// g += J'y. @param y N @param g dof
void ut_system_add_transposed(const System* system, const double* y, double* g);

/// g = M (x - x*)
void ut_system_momentum(const System* system, const double* x, double* g);

/// The square of |g| in the norm of M^-1; in the local form weighted with effective masses instead.
/// @param y dof: receives M^-1 g
double ut_system_norm(const System* system, const double* g, double* y);

/// The law of contact i.
static inline utLaw ut_system_law(const System* system, int i)
{
    return ut_coulomb_law(system->problem, i, system->convex);
}

/// The largest velocity without impulses of the contacts and rows that count for the velocity scale
/// with impulses r: the change of velocity that impulses have to make.
double ut_system_load(const System* system, const double* r);

/// The certificate's velocity scale V with impulses r: the same, at least problem->speed.
double ut_system_scale(const System* system, const double* r);

/// The certificate's E of r. @param bilateral the largest velocity of a bilateral row over V
double ut_system_error(const System* system, const double* r, double* bilateral);

/// Set the impulse of open contacts, P_K(r_i - m_i û_i) = 0, to 0, and move rows that press on a
/// bound to it. An interior iterate has a small impulse in each open contact, which the certificate
/// would take for a loaded one.
void ut_system_release(const System* system, double* r);

/// Form H and factor it, by Cholesky when D is symmetric and the form global.
/// @param D nc blocks d x d, row-major  @param w nb entries
/// @return false when the factorization fails
bool ut_system_factor(System* system, bool symmetric, const double* D, const double* w);

/// The same for H = diag(A, 0) + diag(B, 1) W, in the local form only. Column k is multiplied by the
/// mass of its group. Rows held at a bound are rows of the identity.
/// @param A, B nc blocks d x d, row-major @param held nb entries
/// @param regularization added to the diagonal
bool ut_system_factor_rows(System* system, const double* A, const double* B, const bool* held,
                           double regularization);

/// y = H^-1 g, with one step of refinement. @param y dof; not g
void ut_system_solve(const System* system, const double* g, double* y);

/// The same without refinement.
void ut_system_solve_once(const System* system, const double* g, double* y);

// ---- system_bodies.c ----------------------------------------------------------------------------

/// Take the blocks, or cut M and J into blocks, and factor the masses. ut_bodies_place comes later.
utStatus ut_bodies_create(const utCoulomb* problem, utArena* scratch, Bodies* bodies);

/// Pairs of nodes that a group of rows couples. @param pair 2 ut_bodies_pairs() entries, or NULL
/// @return how many
int ut_bodies_pairs(const utCoulomb* problem, const Bodies* bodies, int* pair);

/// Find the blocks of H in memory.
void ut_bodies_place(const utCoulomb* problem, const Sparse* H, Bodies* bodies);

/// y = M^-1 y
void ut_bodies_divide(const Bodies* bodies, double* y);

/// g = M y
void ut_bodies_multiply(const Bodies* bodies, const double* y, double* g);

/// The trace of A_gg of a group of rows. @param y dof, work
double ut_bodies_trace(const utCoulomb* problem, const Bodies* bodies, int g, double* y);

/// u = J v
void ut_bodies_rows(const utCoulomb* problem, const utCoulombBlocks* blocks, const double* v,
                    double* u);

/// g += J'y
void ut_bodies_add_transposed(const utCoulomb* problem, const Bodies* bodies, const double* y,
                              double* g);

/// H = M + J_c' D J_c + J_b' diag(w) J_b
/// @param symmetric fill at least the blocks that a Cholesky factorization reads
void ut_bodies_assemble(const utCoulomb* problem, const Bodies* bodies, bool symmetric,
                        const double* D, const double* w);

// ---- system_local.c -----------------------------------------------------------------------------

/// y += W r
void ut_local_add(const utCoulomb* problem, const double* r, double* y);

/// Pairs of groups that W in rows couples. A dense W is one node. @param pair as of ut_bodies_pairs
int ut_local_pairs(const utCoulomb* problem, int* pair);

/// Find the places in H of the entries of W in rows.
void ut_local_place(System* system);

/// H = 1 + W diag(D, w)
void ut_local_assemble(const System* system, const double* D, const double* w);

/// H of ut_system_factor_rows.
void ut_local_assemble_rows(const System* system, const double* A, const double* B,
                            const bool* held, double regularization);

#endif
