// SPDX-License-Identifier: Apache-2.0
// Types and functions that the files of impact share.
//
// All quantities are scaled by the closing speed U = |u_n before| and by K_nn: velocities are
// divided by U, impulses by U / K_nn, works by U^2 / K_nn. So K_nn = 1 and u_n starts at -1.
// Letters:
//
//     p  normal impulse so far
//     s  unit direction of slip, phi its angle, v the speed of slip: u_t = v s
//     a  = K_tn,  k = K_tt, 2 x 2
//     f  = du_n/dp,  g = dv/dp,  h = v dphi/dp
#ifndef UPTACK_IMPACT_INTERNAL_H
#define UPTACK_IMPACT_INTERNAL_H

#include <float.h>
#include <math.h>
#include <uptack/impact.h>

/// A contact in scaled quantities.
typedef struct ScaledContact {
    double a[2];
    double k[3]; ///< k11, k12, k22
    double mu;
} ScaledContact;

/// The state of the impact at the normal impulse p.
typedef struct Progress {
    double u_n;
    double v;
    double s[2]; ///< unit; undefined where v = 0
    double p;
    double r_t[2]; ///< tangential impulse so far
    double W;      ///< work of the normal impulse
    double F;      ///< work of friction
} Progress;

/// Constant rates with respect to p.
typedef struct Rates {
    double f;
    double g;
    double r_t[2]; ///< dr_t/dp
} Rates;

/// Events in the course of an impact.
typedef enum Event {
    EVENT_NONE,
    EVENT_SLIP_STOPS,       ///< slip has come to rest
    EVENT_COMPRESSION_ENDS, ///< u_n has risen to 0
    EVENT_CLOSES_AGAIN,     ///< u_n has fallen to 0: a further compression begins
    EVENT_DONE,             ///< restitution is complete
    EVENT_LOCKED,           ///< no event follows: the contact never opens
} Event;

/// Progress through the phases of compression and restitution. Friction may close the contact
/// again, so there may be several phases of each.
typedef struct Phase {
    utImpactLaw law;
    double e;
    bool closing;
    int compressions;
    double p_begin, W_begin; ///< at the beginning of the present phase
    double p_c, W_c;         ///< sums over all finished phases of compression
    double p_r, W_r;         ///< sums over all finished phases of restitution
    Progress compressed;     ///< at the last end of compression
    bool jam;                ///< as in utImpactResult
} Phase;

// ---- slip.c -------------------------------------------------------------------------------------

/// q = a - mu k s, the rate of u_t under slip along s
static inline void ut_impact_tangential_rate(const ScaledContact* c, const double s[2], double q[2])
{
    q[0] = c->a[0] - c->mu * (c->k[0] * s[0] + c->k[1] * s[1]);
    q[1] = c->a[1] - c->mu * (c->k[1] * s[0] + c->k[2] * s[1]);
}

/// f, g and dr_t/dp of slip along s
Rates ut_impact_slip_rates(const ScaledContact* c, const double s[2]);

/// |a| + mu |k|, an upper bound of h and g
double ut_impact_rate_scale(const ScaledContact* c);

/// h at s, and its derivative with respect to the angle of s
void ut_impact_turn_rate(const ScaledContact* c, const double s[2], double* h, double* slope);

/// Can friction keep a contact at rest? @param rates filled when it can
bool ut_impact_sticks(const ScaledContact* c, Rates* rates);

/// The direction in which slip starts from rest when friction cannot hold the contact: the only s
/// with a - mu k s = g s, g > 0.
void ut_impact_reversal(const ScaledContact* c, double s[2]);

/// Eigenvalues of a symmetric 2 x 2 matrix (k11, k12, k22), the larger one first, and the unit
/// vector x of the first; that of the second is (-x[1], x[0]).
void ut_impact_eigen(const double k[3], double value[2], double x[2]);

// ---- phase.c ------------------------------------------------------------------------------------

/// The first phase: compression.
Phase ut_impact_phase(utImpactLaw law, double e);

/// What remains until the law ends restitution, in the quantity that the law counts: u_n, p or W.
/// @return <= 0 at the end
double ut_impact_remaining(const Phase* phase, const Progress* at);

/// End the present phase by an event and begin the next. @return EVENT_DONE when restitution is
/// complete
Event ut_impact_handle(Phase* phase, Event event, Progress* at);

// ---- constant_rates.c
// ----------------------------------------------------------------------------

/// Advance with constant rates until restitution is complete or slip stops.
/// @return EVENT_DONE, EVENT_SLIP_STOPS or EVENT_LOCKED
Event ut_impact_constant_rates(const ScaledContact* c, const Rates* rates, Phase* phase,
                               Progress* at);

// ---- turning_slip.c
// ------------------------------------------------------------------------------

/// Advance while the direction of slip turns.
/// @param steps incremented per integration step
/// @return EVENT_DONE; EVENT_SLIP_STOPS when slip is too slow to matter; EVENT_NONE when the
///         direction s stays constant from here on, or after IMPACT_MAX_STEPS
Event ut_impact_turning_slip(const ScaledContact* c, Phase* phase, Progress* at, int* steps);

enum { IMPACT_MAX_STEPS = 4000 };

#endif
