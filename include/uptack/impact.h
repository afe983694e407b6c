// SPDX-License-Identifier: Apache-2.0
/// @file impact.h
/// One impact at one contact: what happens between closing and leaving, as the normal impulse
/// grows.
///
/// Vectors are (n, t1, t2) in space and (n, t) in the plane: u the relative velocity (m/s), r the
/// impulse (N s). K is the contact's inverse inertia (1/kg): an impulse r changes u by K r, for
/// free bodies as for articulated ones. Positions stay; friction is Coulomb's with mu. With s the
/// direction of slip,
///
///     slip   du/dr_n = K (1, -mu s)
///     stick  du_t/dr_n = 0, while the impulse that this needs is within mu
///
/// and where neither the slip goes on nor the contact sticks, it leaves rest along the one
/// direction that friction cannot turn. Compression ends at u_n = 0; restitution ends at
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
/// Nothing here allocates or keeps state; the same input gives the same bits everywhere.
#ifndef UPTACK_IMPACT_H
#define UPTACK_IMPACT_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What says how much comes back.
typedef enum utImpactLaw {
    UT_IMPACT_NEWTON,  ///< velocities; may gain energy with friction
    UT_IMPACT_POISSON, ///< impulses
    UT_IMPACT_STRONGE, ///< works of the normal impulse; never gains energy
    UT_IMPACT_LAW_COUNT
} utImpactLaw;

/// @return "newton", "poisson" or "stronge"; "" for anything else
UT_API const char* ut_impact_law_name(utImpactLaw law);

/// One contact that closes.
typedef struct utImpact {
    int dimension;   ///< 2 in the plane, 3 in space
    double K[9];     ///< dimension x dimension, row-major, symmetric, positive semidefinite; 1/kg
    double u[3];     ///< dimension entries: before, m/s; it closes while u[0] < 0
    double mu;       ///< coefficient of friction, finite, >= 0
    double e;        ///< coefficient of restitution, 0 ... 1
    utImpactLaw law; ///< how e is read
} utImpact;

/// How an impact went. Each of these is an answer.
typedef enum utImpactOutcome {
    UT_IMPACT_DONE,       ///< the law's end was reached
    UT_IMPACT_SEPARATING, ///< u_n was not negative: no impulse
    UT_IMPACT_LOCKED,     ///< no impulse within friction's bounds can end the closing (singular K)
    UT_IMPACT_STEPS,      ///< the turning slip took too many steps; its last direction was kept
    UT_IMPACT_OUTCOME_COUNT
} utImpactOutcome;

/// @return the outcome in words; "" for anything else
UT_API const char* ut_impact_outcome_text(utImpactOutcome outcome);

/// What the contact does during a span of the impact.
typedef enum utImpactState {
    UT_IMPACT_SLIP,    ///< slip in one direction
    UT_IMPACT_TURN,    ///< slip whose direction changes
    UT_IMPACT_STICK,   ///< no slip
    UT_IMPACT_REVERSE, ///< slip from rest, along the direction that friction cannot turn
    UT_IMPACT_STATE_COUNT
} utImpactState;

/// @return "slip", "turn", "stick" or "reverse"; "" for anything else
UT_API const char* ut_impact_state_name(utImpactState state);

/// A stretch of the impact in one state.
typedef struct utImpactSpan {
    utImpactState state;
    double r_n;     ///< the normal impulse at its begin, N s
    double from[2]; ///< unit direction of slip at its begin, (t1, t2); 0 for stick
    double to[2];   ///< and at its end
} utImpactSpan;

/// A contact slips until it rests at most once, and goes on from there in one way.
enum { UT_IMPACT_MAX_SPANS = 2 };

/// What came of it. Vectors in the plane have 0 as their third entry.
typedef struct utImpactResult {
    utImpactOutcome outcome;
    double r[3]; ///< the whole impulse, N s
    double u[3]; ///< after, m/s

    int spans; ///< entries of `span` that are used: 1 or 2; 0 without an impulse
    utImpactSpan span[UT_IMPACT_MAX_SPANS];
    bool constant;    ///< slip never left the line of its first direction
    bool jamb;        ///< friction drove the closing on for a while (du_n/dr_n < 0)
    int compressions; ///< 1; more where friction closed the contact again before the law's end

    double r_compression[3]; ///< impulse at the (last) end of compression, N s
    double u_compression[3]; ///< velocity there, m/s
    double work_compression; ///< W_c, J, <= 0: of the normal impulse while closing
    double work_restitution; ///< W_r, J, >= 0: of the normal impulse while opening
    double work_friction;    ///< J, <= 0
    double energy;           ///< what the kinetic energy gained, J: the sum of the works
    double restitution[UT_IMPACT_LAW_COUNT]; ///< e as each law would measure it; 0 with no impulse
    int steps;                               ///< of the integrator; 0 where the closed form did
} utImpactResult;

/// Follow an impact to its end.
///
/// Slip in a constant direction, stick and reversal are in closed form; slip that turns is
/// integrated by Taylor series to rounding. Slip beyond 1e30 times the closing speed is taken to
/// be that fast. Outputs are written last.
/// @param err may be NULL; says which value is wrong
/// @return UT_ERR_ARGUMENT when the dimension, K, u, mu, e or the law cannot be used
UT_API utStatus ut_impact_solve(const utImpact* impact, utImpactResult* result, utError* err);

#ifdef __cplusplus
}
#endif

#endif
