// SPDX-License-Identifier: Apache-2.0
/// @file uniqueness.h
/// Is the answer of a friction problem the only one? The report states which impulses are redundant
/// and whether another velocity is possible. Another function selects the impulses of least norm.
///
/// **Status.** Let tau = tolerance V be the speed that the certificate takes for 0, and m_i tau the
/// impulse that belongs to it. Contact i is one of
///
///     open    û inside K*, r = 0            û_n - mu h_P(-u_t) = u_n > tau
///     slip    û and r both on the mantle    u_n = 0, |û| > tau, |r| > m tau
///     stick   û = 0, r inside K             |û| <= tau
///
/// or degenerate, on the border between two of them; without an impulse it then counts as open. A
/// closed contact without friction counts as slipping.
///
/// **Impulses.** All impulses that satisfy the law with the same velocities are
///
///     S = {r' : J'(r' - r) = 0, r'_i in F_i},      F_i = {x in K : x . û_i = 0}
///
/// The face F_i is the apex for u_n > tau and K itself for û = 0. Otherwise it is the ray (1, -mu d)
/// with d = u_t/|u_t|; for a polygon the ray over one vertex, or the face over an edge that is normal
/// to u_t. The velocity alone decides the face, because a contact that touches without an impulse
/// could have one. The differences of elements of S lie in
///
///     L = {dr : J'dr = 0, dr_i in the linear hull of F_i}
///
/// (W dr = 0 in the local form). The report describes L: `columns` unknowns, the `rank` of their
/// effects, and `redundant` directions. An impulse that no direction of L changes is `unique`; this is
/// a proof, up to the tolerance of the rank. Other impulses may change. When `interior` is set r lies
/// inside the faces of all contacts that L changes, so S has the dimension of L and a small step along
/// any direction satisfies the law. Otherwise S may be smaller: a table whose load stands right above
/// one of its legs has a direction in L, but cannot move along it.
///
/// Ranks come from an orthogonalization with pivoting. The effect of a row is its velocity in the norm
/// of the masses times sqrt(m_i), a number of order 1 in any units. A row whose part outside the
/// others is <= 1e-9 depends on them. The limit is 1e-11 in the local form, because W has the squares
/// of J's singular values, and at least ten times the error of slip directions, E V / |u_t|. `kept`
/// and `dropped` show how clear the decision was. A direction changes an impulse when its entry there,
/// over sqrt(m_i), is more than 1e-6 of its largest entry. Work and memory are those of dense matrices
/// in every form.
///
/// **Velocity.** Two solutions (r, u) and (r', u') satisfy (r - r').(û - û') <= 0 by the law. With dr
/// and du their differences, T the tangents of rough contacts, and the bilateral rows eliminated,
///
///     dr'W dr = dr_n'S dr_n + du_T'W_TT^-1 du_T <= sum mu_i |dr_n,i| |du_T,i|
///     S = W_nn - W_nT W_TT^-1 W_Tn
///
/// With rho_i = 1 / sum_j |W_TT,ij| (Gershgorin: W_TT^-1 >= diag rho) this implies du = 0 when
///
///     S - diag(mu_i^2 / (4 rho_i)) is positive definite among the rough contacts,
///
/// and always without friction. W has to be symmetric; for polygons mu is multiplied by the
/// circumradius. One contact in the plane has one velocity when W_nn > mu |W_nt| and det W > 0, for any
/// W. These are the global proofs. They do not cover four contacts of one face, whose S is singular.
///
/// Nearby solutions have the same velocity when each contact is open, frictionless, sticks inside K,
/// or is at rest without an impulse (r = 0, u = 0): then no term of dr'W dr = sum dr.du is positive,
/// and dv = 0 (a symmetric W is assumed to be semidefinite). Otherwise the law is linearized at the
/// statuses:
///
///     open    dr = 0
///     stick   du = 0
///     slip    du_n = 0, dr = a (1, -mu d) - (mu r_n / |u_t|) (1 - dd') du_t
///
/// A degenerate contact is linearized at each status that it borders on, for up to 64 combinations.
/// When no dv != 0 satisfies the linearized law, no other velocity is near this one with impulses near
/// r. When some dv does, the velocity is called not unique if the judge passes impulses along it, or
/// if no contact is degenerate and the linearized equations have full rank: dv is then the tangent of
/// a smooth family of solutions. This is common: the four corners of a face that slides and spins slip
/// in different directions, their shares of the load are not determined, and friction depends on them.
/// There is no search for a velocity far away, as of Painlevé's rod: `locally unique` does not exclude
/// it.
///
/// Several threads may call the functions at once as long as each has its own arenas and outputs.
#ifndef UPTACK_UNIQUENESS_H
#define UPTACK_UNIQUENESS_H

#include <uptack/coulomb.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum utCoulombStatus {
    UT_COULOMB_OPEN,
    UT_COULOMB_SLIP,
    UT_COULOMB_STICK,
} utCoulombStatus;

typedef enum utVelocityClaim {
    UT_VELOCITY_UNIQUE,         ///< proved: every solution has these velocities
    UT_VELOCITY_LOCALLY_UNIQUE, ///< no solution nearby has other velocities
    UT_VELOCITY_NOT_UNIQUE,     ///< solutions nearby have other velocities
    UT_VELOCITY_UNDECIDED, ///< a contact is degenerate, or a direction may not lead to solutions
} utVelocityClaim;

UT_API const char* ut_coulomb_status_name(utCoulombStatus status);
UT_API const char* ut_velocity_claim_name(utVelocityClaim claim);

typedef struct utUniqueness {
    const utCoulombStatus* status; ///< contacts entries
    const bool* degenerate;        ///< contacts entries: on the border between two statuses
    int open;                      ///< number of open contacts
    int slip;                      ///< number of slipping contacts
    int stick;                     ///< number of sticking contacts
    int degenerates;               ///< number of degenerate contacts among all these

    int columns;        ///< unknowns of the faces: 1 per ray, d per cone, 1 per bilateral row
    int rank;           ///< of their effects
    int redundant;      ///< columns - rank, the dimension of L
    const double* null; ///< redundant x N: a basis of L, each vector of length 1 (N s)
    const bool* unique; ///< contacts + bilaterals entries: no direction of L changes the impulse
    bool interior;      ///< r is inside the faces that L changes: where `unique` is false, this is
                        ///< proved too
    double kept;        ///< the smallest part outside the others of an independent row, 0 for none
    double dropped;     ///< the largest such part of a dependent row
    utVelocityClaim velocity;
} utUniqueness;

/// Report on impulses that solve a problem.
/// @param r         N entries that the certificate passes at `tolerance`
/// @param tolerance of E and of the velocity of bilateral rows over V, > 0
/// @param keep      holds the arrays of the report; an arena of its own, not `scratch`
/// @param err       may be NULL
/// @return UT_OK; UT_ERR_ARGUMENT when r does not solve the problem or an argument cannot be used;
///         UT_ERR_CAPACITY. `keep` and `report` are unchanged on errors
UT_API utStatus ut_coulomb_unique(const utCoulomb* problem, const double* r, double tolerance,
                                  utArena* keep, utArena scratch, utUniqueness* report,
                                  utError* err);

/// The result of ut_coulomb_least.
typedef struct utLeastInfo {
    bool found;     ///< r was replaced, and the certificate passes it; else r is unchanged
    int iterations; ///< factorizations
    double before;  ///< |r| of the given impulses, N s
    double after;   ///< |r| of the returned impulses, N s
    utCoulombVerdict verdict; ///< of the returned impulses
} utLeastInfo;

/// Replace r by the impulses of S with the least |r|_2, bilateral rows included: they have the same
/// effect and satisfy the law with the same velocities. Four equal feet under the middle of a table
/// each carry a quarter.
///
/// With p = J'r the answer is r = P_F(J x), where x is the minimum of the convex function
/// |P_F(J x)|^2/2 - p.x. Semismooth Newton steps with a small proximal term find it.
/// @param r N entries that the certificate passes at `tolerance`
/// @return UT_OK whenever info is filled; else as ut_coulomb_unique, with r unchanged
UT_API utStatus ut_coulomb_least(const utCoulomb* problem, double tolerance, utArena scratch,
                                 double* r, utLeastInfo* info, utError* err);

#ifdef __cplusplus
}
#endif

#endif
