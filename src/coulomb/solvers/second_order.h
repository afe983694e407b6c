// SPDX-License-Identifier: Apache-2.0
// The second-order solvers (docs/coulomb.md): interior point, proximal Newton, Newton on the local
// form, and the ladder that tries one after the other.
#ifndef UPTACK_COULOMB_SOLVERS_SECOND_ORDER_H
#define UPTACK_COULOMB_SOLVERS_SECOND_ORDER_H

#include "coulomb/tolerances.h"
#include "system.h"

// ---- the solvers as ut_coulomb_solve calls them -------------------------------------------------

/// The interior point alone. It has its own start: r is only written. info->iterations counts
/// factorizations, here and in the next two.
CoulombSolve ut_coulomb_ipm;

/// The proximal Newton alone, from r: frozen, then live, then safeguarded.
CoulombSolve ut_coulomb_proximal;

/// Newton on Alart and Curnier's function, then on the natural map, from r.
CoulombSolve ut_coulomb_newton;

/// The whole ladder; fills info->solver and info->rung.
CoulombSolve ut_coulomb_auto;

// ---- their parts, on a prepared problem ---------------------------------------------------------

/// Settings of an interior point. Contact i starts with z = V and
/// y = y_start V sqrt(m_i)^(2 - common_mass) sqrt(m_max)^common_mass.
typedef struct Interior {
    int centring_power; // the centring is (gap after the predictor / gap)^this
    double damping;     // fraction of the longest step that is taken
    double y_start;
    int common_mass;         // 0: each contact by its own mass ... 2: all by the largest
    int weight_power;        // the barrier of contact i has the weight sqrt(m_i)^this, 0 ... 2
    double smoothing;        // of the shift, over sqrt(tau / m_i); 0 for none
    bool lagged;             // never differentiate the shift
    double short_step_shift; // fraction of the shift's derivative used after a step that was too
                             // short
    int max_iterations;
} Interior;

/// The settings of the rung UT_RUNG_IPM.
Interior ut_interior_settings(void);

/// Run an interior point.
/// @param tolerance stop at this E, with bilateral rows at a tenth of it
/// @param r         N entries: the best impulses, in K
/// @param count     factorizations, added to
/// @return UT_OK or UT_ERR_CAPACITY
utStatus ut_interior_run(System* system, const Interior* settings, double tolerance,
                         utArena scratch, double* r, int* count);

/// Settings of a proximal Newton.
typedef struct Proximal {
    bool live;        // differentiate the shift; else it is frozen within an outer step
    bool safeguarded; // undo outer steps whose inner problem was not solved
    double start;     // of e, where epsilon_i = e / m_i
    double factor;    // e is multiplied by this after each outer step, down to 1e-8
    int inner;        // Newton steps per outer step
    int limit;        // factorizations in all
} Proximal;

Proximal ut_proximal_frozen(void); ///< a polish begins with this one
Proximal ut_proximal_live(void);   ///< and ends with this one
Proximal ut_proximal_safe(void);   ///< from far away

/// Run a proximal Newton, from r; else as ut_interior_run.
utStatus ut_proximal_run(System* system, const Proximal* settings, double tolerance,
                         utArena scratch, double* r, int* count);

/// Limits of Newton on the local form.
typedef struct NewtonSteps {
    int limit;
    int patience; ///< steps within which |F| must halve; 0: 15
} NewtonSteps;

/// Run Newton on the local form, from r; else as ut_interior_run.
/// @param natural solve the natural map, else Alart and Curnier's function where a section is round
/// @param steps   limits
utStatus ut_newton_run(System* system, bool natural, NewtonSteps steps, double tolerance,
                       utArena scratch, double* r, int* count);

/// Try Newton on Alart and Curnier's function by bodies, from r (newton_bodies.c), on a problem that
/// ut_body_sweeps_apply accepts. The try ends early where it is far from a solution.
/// @param e     the regularization: 1e-6, or 1e-8 near a solution
/// @param limit at most this many factorizations, and never more than 25
/// @param E     in: that of r; out: that of the best impulses, which r becomes
utStatus ut_newton_bodies_run(System* system, double e, int limit, double tolerance,
                              utArena scratch, double* r, double* E, int* count);

/// C = (A + e)^-1 by cofactors. @param A, C 3 x 3
void ut_invert_regularized(const double* A, double e, double* C);

/// Can the next function run on the problem: bodies with contact points and circular friction?
bool ut_active_set_applies(const System* system);

/// Solve for the active set of r, which is nearly an answer, with one factorization or two
/// (active_set.c); else as ut_interior_run. r becomes the best impulses, with a smaller E than before
/// or unchanged.
utStatus ut_active_set_run(System* system, double tolerance, utArena scratch, double* r,
                           int* count);

/// Sweeps of Gauss-Seidel that take as long as a factorization, about.
double ut_alternating_gain(const System* system);

/// Gauss-Seidel and Newton in turn, from r (alternating.c), on a problem that ut_body_sweeps_apply
/// accepts; else as ut_interior_run. @param max_sweeps, limit at most this many sweeps, factorizations
utStatus ut_alternating_run(System* system, int max_sweeps, int limit, double tolerance,
                            utArena scratch, double* r, int* count);

/// Can the central path be followed? Contacts with circles that can move, and no scalar rows.
bool ut_central_path_applies(const System* system);

/// Follow the central path by its arc length (central_path.c); else as ut_interior_run.
/// @param limit factorizations
utStatus ut_central_path_run(System* system, int limit, double tolerance, utArena scratch,
                             double* r, int* count);

// ---- self-stress (self_stress.c) ----------------------------------------------------------------

/// The largest |r_i| V over m_i V^2 + |J'r|^2 in the norm of M^-1, which is twice the energy of the
/// velocities that the impulses add. It is about 1 where every impulse is needed, also when a light
/// body carries a heavy one. @param g, y dof, work
double ut_system_stress(const System* system, const double* r, double* g, double* y);

/// Replace large impulses by smaller ones with the same effect, as far as cones and bounds allow.
/// @param rounds at most this many factorizations  @param r N  @param count factorizations, added to
utStatus ut_system_relieve(System* system, int rounds, utArena scratch, double* r, int* count);

#endif
