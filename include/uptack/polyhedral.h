// SPDX-License-Identifier: Apache-2.0
/// @file polyhedral.h
/// Friction problems whose sections are polygons, written as linear complementarity problems in the
/// order of the papers they come from, and their answers written back as impulses.
///
/// Two models of one law (uptack/law.h). Let P be a contact's section, a polygon: the hull of its
/// vertices d_j, and also {x : |e_j.x| <= c} for the k unit normals e_j of its edges, c its
/// inradius.
///
///     force          r_t = sum_j beta_j d_j with                      (Stewart and Trinkle,
///                    0 <= r_n     ⟂  u_n                       >= 0    Anitescu and Potra)
///                    0 <= beta_j  ⟂  d_j.u_t + lambda          >= 0
///                    0 <= lambda  ⟂  mu r_n - sum_j beta_j     >= 0
///
///     acceleration   u_t = sum_j (kappa_j+ - kappa_j-) e_j with       (Glocker; Peiret, Kövecses
///                    0 <= r_n      ⟂  u_n                        >= 0  and Font-Llagunes)
///                    0 <= kappa_j- ⟂  c mu r_n - e_j.r_t + rho kappa_j+ = sigma_j+ >= 0
///                    0 <= kappa_j+ ⟂  c mu r_n + e_j.r_t + rho kappa_j- = sigma_j- >= 0
///
/// Both say K ∋ r ⟂ u + mu h_P(-u_t) e_n ∈ K*. Force: r is in K by the last line; the second one
/// gives lambda >= h_P(-u_t), and its products together with those of the third r_t.u_t = -mu r_n
/// lambda, while r_t in mu r_n P gives r_t.u_t >= -mu r_n h_P(-u_t): so lambda = h_P(-u_t) wherever
/// mu r_n > 0. Acceleration: kappa_j+ and kappa_j- both positive would ask for e_j.r_t = c mu r_n +
/// rho kappa_j+ and for e_j.r_t = -c mu r_n - rho kappa_j-, so one of them is 0 (where rho or mu
/// r_n is positive) and rho drops out; what is left says r_t in mu r_n P and -u_t in the normal
/// cone of mu r_n P at r_t, that is -u_t.r_t = mu r_n h_P(-u_t). Read backwards, each r and u that
/// obey the law give such unknowns.
///
/// Which gap term b_n a problem has (gap/h with either sign, or none) makes the difference between
/// Stewart and Trinkle's scheme and Anitescu and Potra's; it is data of the utCoulomb. So is the
/// level: with f = M v0 + h f_a and impulses u is a velocity, with f = f_a - c and b = J' v (J' the
/// rate of J) v and u are accelerations and r forces. Unknowns are impulses: the note that keeps
/// forces and multiplies by the time step has h in its matrix where this one has 1.
#ifndef UPTACK_POLYHEDRAL_H
#define UPTACK_POLYHEDRAL_H

#include <uptack/coulomb.h>
#include <uptack/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- what to write ------------------------------------------------------------------------------

typedef enum utPolyhedralModel {
    UT_POLYHEDRAL_FORCE,        ///< the directions are the vertices d_j, in the plane +1 and -1
    UT_POLYHEDRAL_ACCELERATION, ///< the lines are e_j = normal[j], j < edges/2, in the plane +1
} utPolyhedralModel;

/// Which unknowns are kept. Free ones stand in front, and are free in the utLcp too.
typedef enum utPolyhedralLevel {
    UT_POLYHEDRAL_FULL,    ///< all, velocities included; needs the problem's M and J
    UT_POLYHEDRAL_MIXED,   ///< without velocities, by W = J M^-1 J'
    UT_POLYHEDRAL_REDUCED, ///< nonnegative ones only, by Schur complement of the free ones. It does
                           ///< not exist where rows of joints, or tangents of the acceleration
                           ///< model, are redundant: take MIXED then, which inverts nothing
} utPolyhedralLevel;

/// The orders of the unknowns, each over all contacts:
///
///     force          (v, r_b, r_n, beta, lambda)               or (v, r_b, beta, r_n, lambda)
///     acceleration   (v, r_b, r_t, r_n, kappa+, kappa-)
///
/// and the rows stand in the same order. v belongs to FULL alone; r_b, of the bilateral rows, and
/// r_t are missing in REDUCED.
typedef struct utPolyhedralDef {
    utPolyhedralModel model; ///< default UT_POLYHEDRAL_FORCE
    utPolyhedralLevel level; ///< default UT_POLYHEDRAL_MIXED
    bool directions_first;   ///< force: beta before r_n, default false
    bool convex;             ///< force: the law without shift, u_n - mu lambda in place of u_n,
                             ///< default false
    const double* rho;       ///< acceleration: phantom inertia of each contact, >= 0 (0: without);
        ///< default NULL: 1 / sum_j |A_ij|_2 over the tangent blocks A_ij of W,
        ///< with which the matrix is regular unless rows are redundant
    const double* slip; ///< contacts x (dimension - 1): tangential velocities at the start of the
                        ///< step. A contact that slides then has r_t = -mu_k r_n slip/|slip| and
                        ///< enters with its normal alone; 0: it does not slide. Default NULL: none
    const double* mu_kinetic; ///< mu_k of each contact, default NULL: the problem's mu
    double relaxation;        ///< adds this times W_nn to the diagonal of each normal row, so that
        ///< redundant normal impulses are unique; inexact: u_n = -relaxation W_nn
        ///< r_n where there is contact. Default 0
    double regularization; ///< multiplies the diagonal of all rows that are not free by 1 + this;
                           ///< inexact too. Default 0
    double scale;          ///< force: multiplies E in both its places and mu; impulses stay as they
                           ///< are, and the unknown is lambda over this. Default 1
    uint32_t cookie;       ///< set by ut_polyhedral_def()
} utPolyhedralDef;

UT_API utPolyhedralDef ut_polyhedral_def(void);

// ---- what comes of it ---------------------------------------------------------------------------

/// What an unknown does: z_k of it is the impulse z_k `impulse` on the rows of its contact, and its
/// equation is w_k = `row` . u of that contact, plus what the model adds.
typedef struct utPolyhedralUnknown {
    int contact; ///< contacts + j for bilateral row j; -1 for velocities, lambda and kappa
    double impulse[3];
    double row[3]; ///< differs from `impulse` for the normal of a contact that slides
} utPolyhedralUnknown;

/// The problem written out. Everything lies in the arena it was made in, but for M, J and the like
/// of the utCoulomb, which are not needed any more.
typedef struct utPolyhedral {
    utLcp lcp;
    utPolyhedralModel model;
    int dimension;
    int contacts;
    int bilaterals;

    // where each kind of unknown begins in z; -1: not among the unknowns
    int velocity;    ///< dof entries
    int bilateral;   ///< one a bilateral row
    int tangent;     ///< r_t: dimension - 1 for each contact that does not slide
    int normal;      ///< r_n: one a contact
    int beta;        ///< one a direction
    int lambda;      ///< one a contact that does not slide; scale lambda = h_P(-u_t) where mu r_n
                     ///< is positive
    int kappa_plus;  ///< one a line; w there is sigma_-
    int kappa_minus; ///< one a line; w there is sigma_+

    int sticks;       ///< contacts that do not slide
    const int* stick; ///< contacts entries: which of them contact i is, -1: it slides
    const int* first; ///< contacts + 1: contact i has the directions or lines number first[i]
                      ///< ... first[i + 1] - 1
    const double* direction; ///< first[contacts] x (dimension - 1): d_j or e_j
    const double* rho;       ///< contacts entries; 0 for the force model and where it slides

    // for the way back
    const utPolyhedralUnknown* unknown; ///< eliminated + lcp.n entries, eliminated ones first
    int eliminated;                     ///< free unknowns of MIXED that REDUCED is without: they
    const double* X;                    ///< are -(X z + x); eliminated x lcp.n
    const double* x;                    ///< eliminated
} utPolyhedral;

/// Write a problem out.
/// @param keep holds the matrices
/// @param err  may be NULL
/// @return UT_ERR_DEF; UT_ERR_ARGUMENT for a round section, FULL without M and J, REDUCED where
///         rows are redundant, or an M that is not positive definite; UT_ERR_CAPACITY. `out` is
///         then unchanged
UT_API utStatus ut_polyhedral_create(const utCoulomb* problem, const utPolyhedralDef* def,
                                     utArena* keep, utPolyhedral* out, utError* err);

/// r from z: N entries, contact by contact (n, t1, t2), bilateral rows behind.
UT_API void ut_polyhedral_impulses(const utPolyhedral* form, const double* z, double* r);

// ---- solving ------------------------------------------------------------------------------------

// UT_COULOMB_LCP of ut_coulomb_solve does it all. Problems whose sections are all circumscribed are
// written in the acceleration model, if it has a reduced form, others in the force model, reduced
// where that exists; where this does not lead to an answer within the tolerance, in the other model
// on the same polygons. With UT_LCP_AUTO both are tried by Lemke's method and by Newton's first.
// Contacts with mu = 0 enter with their normals alone. utCoulombDef.convex is solved by the force
// model. Iterations are those of ut_lcp_solve, of all attempts together. Where that proves that
// there is no solution (UT_COULOMB_NONE), r is the proof that uptack/coulomb.h names; where only
// the list of all cases of a small LCP proves it, r is 0. A method asked for by name that cannot
// take the LCP (`pgs` wants a positive diagonal, `enumerate` at most 16 unknowns) makes it
// UT_ERR_ARGUMENT.

#ifdef __cplusplus
}
#endif

#endif
