// SPDX-License-Identifier: Apache-2.0
/// @file uniqueness.h
/// Is the answer of a friction problem the only one? Which impulses are redundant, whether another
/// velocity is possible, and the choice of least norm among all impulses with the same effect.
///
/// **Status.** With tau = tolerance V, the velocity below which the certificate sees none, and m_i
/// tau the impulse that belongs to it, contact i is one of
///
///     open    û well inside K*, r = 0         û_n - mu h_P(-u_t) = u_n > tau
///     slip    û and r both on the mantle      u_n = 0, |û| > tau, |r| > m tau
///     stick   û = 0, r well inside K          |û| <= tau
///
/// or on the border between two of them (degenerate), open then if it carries nothing.
/// Without friction a closed contact always counts as one that slips.
///
/// **Impulses.** All impulses that obey the law with the same velocities are
///
///     S = {r' : J'(r' - r) = 0, r'_i in F_i},      F_i = {x in K : x . û_i = 0}
///
/// and the face F_i is the apex for u_n > tau, K itself for û = 0, and between the two the ray (1,
/// -mu d) with d = u_t/|u_t| (for a polygon the ray over one vertex, or the face over an edge that
/// u_t is normal to). Velocity decides the face alone: a contact that touches without an impulse
/// could have one. The differences span at most
///
///     L = {dr : J'dr = 0, dr_i in the linear hull of F_i}
///
/// (W dr = 0 in the local form), and L is what the report describes: `columns` unknowns, `rank` of
/// their effects, `redundant` directions. `unique` says that no direction of L changes an impulse,
/// and that is then proved, as far as ranks are a matter of numbers. Where it is false L allows
/// another impulse; when `interior` is set r lies inside the faces of all contacts that L moves, so
/// that S has the dimension of L and a small step along any direction obeys the law. Otherwise S
/// may be smaller: a table whose load stands right above one of its legs has a direction, and
/// cannot go either way.
///
/// Ranks come from an orthogonalization with pivoting. The effect of a row is its velocity in the
/// norm of the masses, times sqrt(m_i): numbers of order 1, whatever the units. A row whose part
/// outside the others is <= 1e-9 depends on them (1e-11 in the local form, where W has the squares
/// of J's singular values; ten times the error of slip directions, E V / |u_t|, where that is
/// more); `kept` and `dropped` tell how clear that was. An impulse changes in a direction when its
/// share, over sqrt(m_i), is more than 1e-6 of the largest one. Work and memory are those of dense
/// matrices, also for problems given by bodies or in rows.
///
/// **Velocity.** Of two solutions (r, u) and (r', u') the law makes (r - r').(û - û') <= 0. With dr
/// and du their differences, T the tangents of rough contacts, and the bilateral rows eliminated,
///
///     dr'W dr = dr_n'S dr_n + du_T'W_TT^-1 du_T <= sum mu_i |dr_n,i| |du_T,i|
///     S = W_nn - W_nT W_TT^-1 W_Tn
///
/// With rho_i = 1 / sum_j |W_TT,ij| (Gershgorin: W_TT^-1 >= diag rho) this forces du = 0 as soon as
///
///     S - diag(mu_i^2 / (4 rho_i)) is positive definite among the rough contacts,
///
/// and without friction always (mu times the circumradius for polygons; W symmetric). One contact
/// in the plane has one velocity when W_nn > mu |W_nt| and det W > 0, W symmetric or
/// not. These are the global proofs; four contacts of a face have a singular S and are beyond them.
///
/// Nearby, dr'W dr = sum dr.du settles it when each contact is open, smooth, sticks inside K, or is
/// at rest without an impulse (r = 0, u = 0): then no term of the sum is positive, and dv = 0 (a
/// symmetric W is taken for semidefinite here).
/// Otherwise the law is linearized at the statuses:
///
///     open    dr = 0
///     stick   du = 0
///     slip    du_n = 0, dr = a (1, -mu d) - (mu r_n / |u_t|) (1 - dd') du_t
///
/// (at a degenerate contact, for each of the statuses it stands between, up to 64 combinations).
/// When no dv != 0 satisfies that, there is no other velocity near this one with impulses near r.
/// When one does, the velocity is called not unique if the judge also passes impulses along it, or
/// if no contact is degenerate and the linearized equations have full rank, which makes it the
/// tangent of a smooth family of solutions. This is common: the four corners of a face that slides
/// and spins slip in different directions, how they share the load is not determined, and their
/// friction depends on it. A velocity far away, as in Painleve's rod, is not looked for: `locally
/// unique` does not exclude it.
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
    UT_VELOCITY_LOCALLY_UNIQUE, ///< no other one nearby
    UT_VELOCITY_NOT_UNIQUE,     ///< there are other solutions nearby with other velocities
    UT_VELOCITY_UNDECIDED,      ///< degenerate, or a direction that may not lead anywhere
} utVelocityClaim;

UT_API const char* ut_coulomb_status_name(utCoulombStatus status);
UT_API const char* ut_velocity_claim_name(utVelocityClaim claim);

typedef struct utUniqueness {
    const utCoulombStatus* status; ///< contacts entries
    const bool* degenerate;        ///< contacts entries: on the border between two
    int open;                      ///< how many are open,
    int slip;                      ///< slip,
    int stick;                     ///< stick,
    int degenerates;               ///< and how many of all these are degenerate

    int columns;        ///< unknowns that the faces leave: 1 a ray, d a cone, 1 a bilateral row
    int rank;           ///< of their effects
    int redundant;      ///< columns - rank, the dimension of L
    const double* null; ///< redundant x N: a basis of L, each vector of length 1 (N s)
    const bool* unique; ///< contacts + bilaterals entries: no direction of L changes it
    bool interior;      ///< r is inside the faces that L moves: false flags are proved too
    double kept;        ///< the least part outside the others of a row that counted, 0 for none
    double dropped;     ///< the largest one of a row that did not
    utVelocityClaim velocity;
} utUniqueness;

/// Report on impulses that solve a problem.
/// @param r         N entries; the certificate has to pass them
/// @param tolerance what it passes them at (E, and the velocity of bilateral rows over V), > 0
/// @param keep      holds the arrays of the report; an arena of its own, not `scratch`
/// @param err       may be NULL
/// @return UT_ERR_ARGUMENT when r does not solve the problem or something cannot be used,
///         UT_ERR_CAPACITY; `keep` and `report` are then unchanged
UT_API utStatus ut_coulomb_unique(const utCoulomb* problem, const double* r, double tolerance,
                                  utArena* keep, utArena scratch, utUniqueness* report,
                                  utError* err);

/// How the search for the least norm went.
typedef struct utLeastInfo {
    bool found;     ///< r is now the least one, and the certificate passes it; else r is unchanged
    int iterations; ///< factorizations
    double before;  ///< |r| of the impulses given, N s
    double after;   ///< |r| of those returned
    utCoulombVerdict verdict; ///< of those returned
} utLeastInfo;

/// Replace r by the impulses of least |r|_2, bilateral rows included, that have the same effect and
/// obey the law with the same velocities: the one point of S nearest to 0. Four equal feet under
/// the middle of a table each carry a quarter.
///
/// With p = J'r it is r = P_F(J x) for the x that makes J'P_F(J x) = p, the minimum of the convex
/// |P_F(J x)|^2/2 - p.x, found by semismooth Newton steps with a small proximal term.
/// @param r N entries that the certificate passes at `tolerance`
/// @return UT_OK whenever info is filled; else as ut_coulomb_unique, with r unchanged
UT_API utStatus ut_coulomb_least(const utCoulomb* problem, double tolerance, utArena scratch,
                                 double* r, utLeastInfo* info, utError* err);

#ifdef __cplusplus
}
#endif

#endif
