// SPDX-License-Identifier: Apache-2.0
/// @file polyhedral.h
/// Friction problems whose sections are polygons as linear complementarity problems, with the unknowns
/// in the order of the papers, and the impulses that belong to their solutions.
///
/// There are two models of one law (uptack/law.h). Let P be the section of a contact: the convex hull
/// of its vertices d_j, and also {x : |e_j.x| <= c} for the unit normals e_j of its edges, c its
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
/// Both are equivalent to K ∋ r ⟂ u + mu h_P(-u_t) e_n ∈ K*.
///
/// Force: the third line gives r in K and the second lambda >= h_P(-u_t). The products of both lines
/// give r_t.u_t = -mu r_n lambda, while r_t in mu r_n P gives r_t.u_t >= -mu r_n h_P(-u_t). So lambda
/// = h_P(-u_t) wherever mu r_n > 0.
///
/// Acceleration: positive kappa_j+ and kappa_j- would require e_j.r_t = c mu r_n + rho kappa_j+ and
/// e_j.r_t = -c mu r_n - rho kappa_j-. So one of them is 0 (where rho or mu r_n is positive) and rho
/// drops out. The remaining conditions are r_t in mu r_n P and -u_t in the normal cone of mu r_n P at
/// r_t, that is -u_t.r_t = mu r_n h_P(-u_t). Conversely, r and u that satisfy the law give such
/// unknowns.
///
/// The gap term b_n (gap/h with either sign, or none) distinguishes the schemes of Stewart and Trinkle
/// and of Anitescu and Potra. It is data of the utCoulomb, and so is the level: with f = M v0 + h f_a
/// u is a velocity and r an impulse; with f = f_a - c and b = (dJ/dt) v, u is an acceleration and r a
/// force. Papers whose unknowns are forces have h in the matrix where this one has 1.
///
/// Several threads may call the functions at once as long as each has its own arenas and outputs.
#ifndef UPTACK_POLYHEDRAL_H
#define UPTACK_POLYHEDRAL_H

#include <uptack/coulomb.h>
#include <uptack/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- settings -----------------------------------------------------------------------------------

typedef enum utPolyhedralModel {
    UT_POLYHEDRAL_FORCE,        ///< the directions are the vertices d_j, in the plane +1 and -1
    UT_POLYHEDRAL_ACCELERATION, ///< the lines are e_j = normal[j], j < edges/2, in the plane +1
} utPolyhedralModel;

/// Which unknowns are kept. Free unknowns come first; they are the free ones of the utLcp.
typedef enum utPolyhedralLevel {
    UT_POLYHEDRAL_FULL,    ///< all, with velocities; needs the problem's M and J
    UT_POLYHEDRAL_MIXED,   ///< all but the velocities, by W = J M^-1 J'
    UT_POLYHEDRAL_REDUCED, ///< the nonnegative ones, by the Schur complement of the free ones. It
                           ///< does not exist where rows of joints, or tangents of the acceleration
                           ///< model, are redundant: use MIXED then
} utPolyhedralLevel;

/// How to write a problem. The order of the unknowns and of the rows, each over all contacts, is
///
///     force          (v, r_b, r_n, beta, lambda)   or with directions_first (v, r_b, beta, r_n, lambda)
///     acceleration   (v, r_b, r_t, r_n, kappa+, kappa-)
///
/// with v in FULL only, and without r_b (bilateral rows) and r_t in REDUCED.
typedef struct utPolyhedralDef {
    utPolyhedralModel model; ///< default UT_POLYHEDRAL_FORCE
    utPolyhedralLevel level; ///< default UT_POLYHEDRAL_MIXED
    bool directions_first;   ///< force: beta before r_n, default false
    bool convex;             ///< force: the law without shift, u_n - mu lambda in place of u_n,
                             ///< default false
    /// acceleration: phantom inertia of each contact, >= 0; 0: none; default NULL: 1 / sum_j |A_ij|_2
    /// over the tangent blocks A_ij of W, which makes the matrix regular unless rows are redundant
    const double* rho;
    /// contacts x (dimension - 1): tangential velocities at the start of the step, default NULL: all
    /// 0. A contact with another slip slides: it has r_t = -mu_k r_n slip/|slip| and enters with its
    /// normal alone
    const double* slip;
    const double* mu_kinetic; ///< mu_k of each contact, default NULL: the problem's mu
    /// times W_nn is added to the diagonal of each normal row, default 0. Makes redundant normal
    /// impulses unique; inexact: u_n = -relaxation W_nn r_n in contact
    double relaxation;
    double regularization; ///< multiplies the diagonal of all rows that are not free by 1 + this,
                           ///< default 0; inexact
    double scale;          ///< force: multiplies both blocks E and mu, default 1. Impulses do not
                           ///< change; the unknown is lambda over this
    uint32_t cookie;       ///< set by ut_polyhedral_def()
} utPolyhedralDef;

#define UT_POLYHEDRAL_DEF_COOKIE UT_COOKIE(8, 1) ///< value of utPolyhedralDef.cookie

UT_API utPolyhedralDef ut_polyhedral_def(void);

// ---- the LCP ------------------------------------------------------------------------------------

/// An unknown z_k: the impulse z_k `impulse` on the rows of its contact. Its equation is w_k = `row` .
/// u of that contact, plus terms of the model.
typedef struct utPolyhedralUnknown {
    int contact; ///< contacts + j for bilateral row j; -1 for velocities, lambda and kappa
    double impulse[3];
    double row[3]; ///< differs from `impulse` for the normal of a contact that slides
} utPolyhedralUnknown;

/// A problem as an LCP. Its arrays lie in the arena `keep` of ut_polyhedral_create; the utCoulomb is
/// not needed any more.
typedef struct utPolyhedral {
    utLcp lcp;
    utPolyhedralModel model;
    int dimension;
    int contacts;
    int bilaterals;

    // the first unknown of each kind in z; -1: not among the unknowns
    int velocity;    ///< dof entries
    int bilateral;   ///< one per bilateral row
    int tangent;     ///< r_t: dimension - 1 per contact that does not slide
    int normal;      ///< r_n: one per contact
    int beta;        ///< one per direction
    int lambda;      ///< one per contact that does not slide; scale lambda = h_P(-u_t) where mu r_n
                     ///< is positive
    int kappa_plus;  ///< one per line; its w is sigma_-
    int kappa_minus; ///< one per line; its w is sigma_+

    int sticks;       ///< contacts that do not slide
    const int* stick; ///< contacts entries: the number of contact i among them, -1: it slides
    const int* first; ///< contacts + 1: contact i has the directions or lines number first[i]
                      ///< ... first[i + 1] - 1
    const double* direction; ///< first[contacts] x (dimension - 1): d_j or e_j
    const double* rho;       ///< contacts entries; 0 for the force model and where it slides

    // for ut_polyhedral_impulses
    const utPolyhedralUnknown* unknown; ///< eliminated + lcp.n entries, eliminated ones first
    int eliminated;                     ///< free unknowns that REDUCED eliminates: -(X z + x)
    const double* X;                    ///< eliminated x lcp.n
    const double* x;                    ///< eliminated
} utPolyhedral;

/// Write a problem as an LCP.
/// @param keep holds the matrices
/// @param err  may be NULL
/// @return UT_OK; UT_ERR_DEF; UT_ERR_ARGUMENT for a round section, FULL without M and J, REDUCED where
///         rows are redundant, or an M that is not positive definite; UT_ERR_CAPACITY. `keep` and
///         `out` are unchanged on errors
UT_API utStatus ut_polyhedral_create(const utCoulomb* problem, const utPolyhedralDef* def,
                                     utArena* keep, utPolyhedral* out, utError* err);

/// The impulses r of a solution z: N entries in the order of the rows.
UT_API void ut_polyhedral_impulses(const utPolyhedral* form, const double* z, double* r);

// ---- solving ------------------------------------------------------------------------------------

// The solver UT_COULOMB_LCP of ut_coulomb_solve writes a problem, solves the LCP and returns the
// impulses. It uses the acceleration model where all sections are circumscribed and the reduced form
// exists, else the force model, and after that the other model on the same polygons. With
// UT_LCP_AUTO, Lemke's and Newton's methods come first for both. Contacts with mu = 0 enter with their
// normals alone. utCoulombDef.convex is solved by the force model. Iterations are those of
// ut_lcp_solve, summed over all attempts. For UT_COULOMB_NONE r is the proof that uptack/coulomb.h
// describes; where only an enumeration of all cases of a small LCP proves it, r is 0. A method asked
// for by name that cannot take the LCP (`pgs` needs a positive diagonal, `enumerate` at most 16
// unknowns) returns UT_ERR_ARGUMENT.

#ifdef __cplusplus
}
#endif

#endif
