// SPDX-License-Identifier: Apache-2.0
// A problem prepared for the second-order solvers, and the linear system that they share. Letters
// as in uptack/coulomb.h; D is block diagonal, dimension x dimension for each contact, and w a
// weight for each bilateral row.
//
// The unknowns x are the velocities v in the global form, and u itself in the local form, where
// J M^-1 times everything stands in the place of everything:
//
//              x     x*           "M (x - x*)"   "J'r"    H
//     global   v     M^-1 f       M (v - v*)     J'r      M + J_c' D J_c + J_b' diag(w) J_b
//     local    u     q            u - q          W r      1 + W diag(D, w)
//
// so that the solvers read the same for both.
#ifndef UPTACK_COULOMB_SOLVERS_SYSTEM_H
#define UPTACK_COULOMB_SOLVERS_SYSTEM_H

#include "coulomb/internal.h"
#include "la/sparse/sparse.h"

// ---- groups of rows: a contact or one bilateral row, contacts first -----------------------------

static inline int ut_group_count(const utCoulomb* problem)
{
    return problem->contacts + problem->bilaterals;
}

/// How many rows a group has.
static inline int ut_group_rows(const utCoulomb* problem, int g)
{
    return g < problem->contacts ? problem->dimension : 1;
}

/// The first row of a group.
static inline int ut_group_row(const utCoulomb* problem, int g)
{
    const int nc = problem->contacts;
    return g < nc ? problem->dimension * g : problem->dimension * nc + g - nc;
}

/// The group of a row.
static inline int ut_group_of(const utCoulomb* problem, int row)
{
    const int n = problem->dimension * problem->contacts;
    return row < n ? row / problem->dimension : problem->contacts + row - n;
}

// ---- the system ---------------------------------------------------------------------------------

/// The global form by bodies: masses, Jacobians and where their blocks of H lie.
typedef struct Bodies {
    utCoulombBlocks at; // as given, or made from M and J
    size_t* mass;       // nodes + 1: where a node's matrix begins in at.M and in L
    size_t* entry;      // groups + 1: where a group's blocks begin in at.J
    double* L;          // Cholesky factors of the nodes' masses
    size_t* first;      // groups + 1: where a group's blocks of H begin
    double** H;         // k x k blocks of H for each group of k nodes
    double** diagonal;  // nodes: the diagonal blocks of H
    double* T;          // one node only, else NULL: -J', dof x N
    double* DJ;         // one node only: N x dof, work
} Bodies;

typedef struct System {
    const utCoulomb* problem;
    bool local;    // u is the unknown
    bool convex;   // no shift
    int d;         // rows of a contact
    int nc;        // contacts
    int nb;        // bilateral rows
    int n;         // rows of all contacts, d nc
    int N;         // n + nb
    int dof;       // unknowns
    Bodies bodies; // global form
    double** row;  // local form, W in rows: where each entry's row of its block of H begins
    double* v;     // dof: x*
    double* q;     // N: velocities without any impulse
    double* m;     // nc: effective masses
    double* mb;    // nb: 1 / A_jj
    bool* moves;   // nc: false for contacts that nothing can move
    double* x;     // dof, work
    double* z;     // dof, work of ut_system_error
    double* u;     // N, work of ut_system_error
    Sparse H;
} System;

/// @return UT_ERR_CAPACITY, or UT_ERR_ARGUMENT for an M that is not positive definite
utStatus ut_system_create(const utCoulomb* problem, bool convex, utArena* scratch, System* system);

/// x = x* + M^-1 J'r
void ut_system_velocity(const System* system, const double* r, double* x);

/// u = J x + b, or J x. @param x dof @param u N
void ut_system_rows(const System* system, bool shifted, const double* x, double* u);

/// g += J'y. @param y N @param g dof
void ut_system_add_transposed(const System* system, const double* y, double* g);

/// g = M (x - x*)
void ut_system_momentum(const System* system, const double* x, double* g);

/// |g| in the norm of M^-1, squared; the local form weighs with effective masses instead.
/// @param y dof: M^-1 g
double ut_system_norm(const System* system, const double* g, double* y);

/// The law of contact i.
static inline utLaw ut_system_law(const System* system, int i)
{
    return ut_coulomb_law(system->problem, i, system->convex);
}

/// The largest velocity without impulses of a contact or row that counts with these: the size of
/// what impulses have to change.
double ut_system_load(const System* system, const double* r);

/// The certificate's velocity scale with these impulses: the same, at least problem->speed.
double ut_system_scale(const System* system, const double* r);

/// The certificate's E of r. @param bilateral the largest velocity of a bilateral row over V
double ut_system_error(const System* system, const double* r, double* bilateral);

/// Take the impulse from contacts that are open, P_K(r_i - m_i û_i) = 0, as far as the velocities
/// with r tell: an interior iterate leaves a trace of one in each of them, by which the certificate
/// would count them among those that carry. Bounded rows at a bound are put on it alike.
void ut_system_release(const System* system, double* r);

/// Form H and factor it; by Cholesky where it is symmetric, when D is and the form is global.
/// @param D nc blocks d x d, row-major  @param w nb entries
/// @return false when that fails
bool ut_system_factor(System* system, bool symmetric, const double* D, const double* w);

/// The same for H = diag(A, 0) + diag(B, 1) W with column k multiplied by the mass of its group,
/// and a little `more` on the diagonal; rows held at a bound are those of 1. Local form only.
/// @param A, B nc blocks d x d, row-major @param held nb entries
bool ut_system_factor_rows(System* system, const double* A, const double* B, const bool* held,
                           double more);

/// y = H^-1 g, with one step of refinement. @param y dof; not g
void ut_system_solve(const System* system, const double* g, double* y);

// ---- system_bodies.c ----------------------------------------------------------------------------

/// Blocks as given or made from M and J, masses factored; H is still to be placed.
utStatus ut_bodies_create(const utCoulomb* problem, utArena* scratch, Bodies* bodies);

/// Which nodes meet in a group of rows, as pairs. @param pair 2 ut_bodies_pairs() entries, or NULL
/// @return how many
int ut_bodies_pairs(const utCoulomb* problem, const Bodies* bodies, int* pair);

/// Where the blocks of H lie.
void ut_bodies_place(const utCoulomb* problem, const Sparse* H, Bodies* bodies);

/// y = M^-1 y
void ut_bodies_divide(const Bodies* bodies, double* y);

/// g = M y
void ut_bodies_multiply(const Bodies* bodies, const double* y, double* g);

/// tr(A_gg) of a group of rows. @param y dof, work
double ut_bodies_trace(const utCoulomb* problem, const Bodies* bodies, int g, double* y);

void ut_bodies_rows(const utCoulomb* problem, const Bodies* bodies, const double* v, double* u);
void ut_bodies_add_transposed(const utCoulomb* problem, const Bodies* bodies, const double* y,
                              double* g);

/// H = M + J_c' D J_c + J_b' diag(w) J_b
void ut_bodies_assemble(const utCoulomb* problem, const Bodies* bodies, const double* D,
                        const double* w);

// ---- system_local.c -----------------------------------------------------------------------------

/// y += W r
void ut_local_add(const utCoulomb* problem, const double* r, double* y);

/// W_kk
double ut_local_diagonal(const utCoulomb* problem, int k);

/// Which groups meet in W in rows, as pairs. A dense W is one node. @param pair as above
int ut_local_pairs(const utCoulomb* problem, int* pair);

/// Where the entries of W in rows go in H.
void ut_local_place(System* system);

/// H = 1 + W diag(D, w)
void ut_local_assemble(const System* system, const double* D, const double* w);

/// H of ut_system_factor_rows.
void ut_local_assemble_rows(const System* system, const double* A, const double* B,
                            const bool* held, double more);

#endif
