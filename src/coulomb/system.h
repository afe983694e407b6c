// The linear system that the second-order solvers of the global form share. Letters as in
// uptack/coulomb.h; D is block diagonal, dimension x dimension for each contact, and w a weight for
// each bilateral row:
//
//     H = M + J_c' D J_c + J_b' diag(w) J_b
#ifndef UPTACK_COULOMB_SYSTEM_H
#define UPTACK_COULOMB_SYSTEM_H

#include "internal.h"

/// A problem prepared: its factored masses, free velocities and the columns that each contact and
/// each bilateral row touches (a group of rows: contacts first).
typedef struct System {
    const utCoulomb* problem;
    int d;       // rows of a contact
    int nc;      // contacts
    int nb;      // bilateral rows
    int n;       // rows of all contacts, d nc
    int N;       // n + nb
    int dof;     // velocities
    int* first;  // nc + nb + 1: where a group's columns begin in `column`
    int* column; // columns that a group touches, ascending
    double* J;   // the groups' entries in these columns, row by row
    double* L;   // dof x dof: Cholesky factor of M
    double* v;   // dof: the velocities without any impulse, M^-1 f
    double* q;   // N: J M^-1 f + b
    double* m;   // nc: effective masses
    double* mb;  // nb: 1 / A_jj
    bool* moves; // nc: false for contacts that nothing can move
    double* H;   // dof x dof
    double* F;   // dof x dof: factors of H, scaled
    int* perm;   // dof
    double* t;   // dof: scale of H's rows and columns
    double* x;   // dof, work
    double* y;   // dof, work
    double* z;   // dof, work of ut_system_error
    double* u;   // N, work of ut_system_error
    bool symmetric;
} System;

size_t ut_system_scratch(const utCoulomb* problem);

/// @return UT_ERR_CAPACITY; UT_ERR_ARGUMENT for the local form, a polygonal section, or an M that
///         is not positive definite
utStatus ut_system_create(const utCoulomb* problem, utArena* scratch, System* system);

/// v = M^-1 (f + J'r)
void ut_system_velocity(const System* system, const double* r, double* v);

/// u = J v + b, or J v. @param v dof @param u N
void ut_system_rows(const System* system, bool shifted, const double* v, double* u);

/// g += J'x. @param x N @param g dof
void ut_system_add_transposed(const System* system, const double* x, double* g);

/// g = M (v - v*)
void ut_system_momentum(const System* system, const double* v, double* g);

/// The certificate's velocity scale with these impulses.
double ut_system_scale(const System* system, const double* r);

/// The certificate's E of r. @param bilateral the largest velocity of a bilateral row over V
double ut_system_error(const System* system, const double* r, double* bilateral);

/// Take the impulse from contacts that are open, P_K(r_i - m_i û_i) = 0, as far as the velocities
/// with r tell: an interior iterate leaves a trace of one in each of them, by which the certificate
/// would count them among those that carry.
void ut_system_release(const System* system, double* r);

/// Form H and factor it, by Cholesky or by LU.
/// @param D nc blocks d x d, row-major  @param w nb entries
/// @return false when that fails
bool ut_system_factor(System* system, bool symmetric, const double* D, const double* w);

/// x = H^-1 g, with one step of refinement. @param x dof; not g
void ut_system_solve(const System* system, const double* g, double* x);

#endif
