// SPDX-License-Identifier: Apache-2.0
/// @file impact.h
/// One impact at one contact, followed from closing to opening while the normal impulse grows.
///
/// Vectors are (n, t1, t2) in space and (n, t) in the plane: u the relative velocity (m/s), r the
/// impulse (N s). K is the contact's inverse inertia (1/kg): an impulse r changes u by K r, for
/// free bodies as for articulated ones. Positions do not change; friction is Coulomb's with mu.
/// With s the direction of slip,
///
///     slip   du/dr_n = K (1, -mu s)
///     stick  du_t/dr_n = 0, if friction can provide the impulse for it
///
/// When slip has stopped and the contact does not stick, slip starts again along the only direction
/// that stays constant (reversal). Compression ends at u_n = 0; restitution ends at
///
///     Newton   u_n = -e u_n before
///     Poisson  impulse of restitution = e impulse of compression
///     Stronge  work of restitution = -e^2 work of compression
///
///     utImpact ball = {.dimension = 2, .K = {1.0, 0.0, 0.0, 3.5}, .u = {-2.0, 1.0},
///                      .mu = 0.3, .e = 0.5, .law = UT_IMPACT_STRONGE};
///     utImpactResult result;
///     ut_impact_solve(&ball, &result, NULL);      // result.u[0] = 1, it sticks: result.u[1] = 0
///
/// The functions allocate no memory and keep no state, so any number of threads may call them at
/// once. The same input gives the same bits on every machine.
#ifndef UPTACK_IMPACT_H
#define UPTACK_IMPACT_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The law that defines the coefficient of restitution.
typedef enum utImpactLaw {
    UT_IMPACT_NEWTON,  ///< ratio of velocities; may gain energy with friction
    UT_IMPACT_POISSON, ///< ratio of impulses
    UT_IMPACT_STRONGE, ///< ratio of works of the normal impulse; never gains energy
    UT_IMPACT_LAW_COUNT
} utImpactLaw;

/// @return "newton", "poisson" or "stronge"; "" for anything else
UT_API const char* ut_impact_law_name(utImpactLaw law);

/// One contact that closes.
typedef struct utImpact {
    int dimension;   ///< 2 in the plane, 3 in space
    double K[9];     ///< dimension x dimension, row-major, symmetric, positive semidefinite; 1/kg
    double u[3];     ///< dimension entries: velocity before, m/s; the contact closes if u[0] < 0
    double mu;       ///< coefficient of friction, finite, >= 0
    double e;        ///< coefficient of restitution, 0 ... 1
    utImpactLaw law; ///< definition of e
} utImpact;

/// How an impact ended. Each outcome is an answer, not an error.
typedef enum utImpactOutcome {
    UT_IMPACT_DONE,       ///< restitution is complete
    UT_IMPACT_SEPARATING, ///< u_n was not negative: no impulse
    UT_IMPACT_LOCKED,     ///< no impulse within the friction cone can stop the closing (singular K)
    UT_IMPACT_STEPS,      ///< turning slip took too many steps; its last direction was kept
    UT_IMPACT_OUTCOME_COUNT
} utImpactOutcome;

/// @return the outcome in words; "" for anything else
UT_API const char* ut_impact_outcome_text(utImpactOutcome outcome);

/// State of the contact during a span of the impact.
typedef enum utImpactState {
    UT_IMPACT_SLIP,    ///< slip in one direction
    UT_IMPACT_TURN,    ///< slip whose direction changes
    UT_IMPACT_STICK,   ///< no slip
    UT_IMPACT_REVERSE, ///< slip that started from rest, along a constant direction
    UT_IMPACT_STATE_COUNT
} utImpactState;

/// @return "slip", "turn", "stick" or "reverse"; "" for anything else
UT_API const char* ut_impact_state_name(utImpactState state);

/// A part of the impact during which the state is the same.
typedef struct utImpactSpan {
    utImpactState state;
    double r_n;     ///< normal impulse at the beginning, N s
    double from[2]; ///< unit direction of slip at the beginning, (t1, t2); 0 for stick
    double to[2];   ///< unit direction of slip at the end
} utImpactSpan;

/// Slip stops at most once, and one span of stick or reversal follows.
enum { UT_IMPACT_MAX_SPANS = 2 };

/// The result of an impact. Vectors in the plane have 0 as their third entry.
typedef struct utImpactResult {
    utImpactOutcome outcome;
    double r[3]; ///< total impulse, N s
    double u[3]; ///< velocity after, m/s

    int spans; ///< entries of `span` in use: 1 or 2; 0 without an impulse
    utImpactSpan span[UT_IMPACT_MAX_SPANS];
    bool straight;    ///< slip stayed on the line of its first direction
    bool jam;         ///< friction kept the contact closing for a while (du_n/dr_n < 0)
    int compressions; ///< 1; more if friction closed the contact again during restitution

    double r_compression[3]; ///< impulse at the last end of compression, N s
    double u_compression[3]; ///< velocity at that moment, m/s
    double work_compression; ///< W_c, work of the normal impulse while closing, J, <= 0
    double work_restitution; ///< W_r, work of the normal impulse while opening, J, >= 0
    double work_friction;    ///< work of friction, J, <= 0
    double energy;           ///< change of the kinetic energy, J: the sum of the works
    double restitution[UT_IMPACT_LAW_COUNT]; ///< e by each law's definition; 0 without an impulse
    int steps; ///< of the integrator; 0 where a closed form was enough
} utImpactResult;

/// Follow an impact to its end.
///
/// Slip in a constant direction, stick and reversal have closed forms. Slip that turns is
/// integrated by Taylor series to rounding. Slip faster than 1e30 times the closing speed is taken
/// to be that fast. A failure leaves the result unchanged.
/// @param err may be NULL; names the invalid value
/// @return UT_ERR_ARGUMENT when the dimension, K, u, mu, e or the law cannot be used
UT_API utStatus ut_impact_solve(const utImpact* impact, utImpactResult* result, utError* err);

#ifdef __cplusplus
}
#endif

#endif
