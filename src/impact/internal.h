// SPDX-License-Identifier: Apache-2.0
// What the files of impact share among themselves.
//
// Everything is scaled by the closing speed and K_nn: velocities are over |u_n before|, impulses
// over |u_n before| / K_nn, works over u_n^2 / K_nn. So K_nn = 1 and u_n starts at -1. Letters:
//
//     p  normal impulse so far      s  unit direction of slip      v  its speed, u_t = v s
//     a  = K_tn                     k  = K_tt, 2 x 2
//     f  = du_n/dp                  g  = dv/dp                     h  = v dphi/dp, phi the angle
//                                                                  of s
#ifndef UPTACK_IMPACT_INTERNAL_H
#define UPTACK_IMPACT_INTERNAL_H

#include <float.h>
#include <math.h>
#include <uptack/impact.h>

/// The contact, scaled.
typedef struct Contact {
    double a[2];
    double k[3]; ///< k11, k12, k22
    double mu;
} Contact;

/// How far the impact has come.
typedef struct Point {
    double u_n;
    double v;
    double s[2]; ///< unit; anything where v = 0
    double p;
    double r_t[2];
    double W; ///< work of the normal impulse
    double F; ///< work of friction
} Point;

/// Rates with respect to p that stay as they are.
typedef struct Rates {
    double f;
    double g;
    double r_t[2]; ///< dr_t/dp
} Rates;

/// What happens next.
typedef enum Event {
    EVENT_NONE,
    EVENT_STOPPED,    ///< slip has come to rest
    EVENT_COMPRESSED, ///< u_n has risen to 0
    EVENT_CLOSING,    ///< u_n has fallen to 0: compression again
    EVENT_DONE,       ///< the law's end
    EVENT_LOCKED,     ///< nothing ever happens
} Event;

/// Where the impact stands between compression and the law's end.
typedef struct Phase {
    utImpactLaw law;
    double e;
    bool closing;
    int compressions;
    double p_begin, W_begin; ///< at the begin of the present stretch
    double p_c, W_c;         ///< of all finished stretches of compression
    double p_r, W_r;         ///< and of restitution
    Point compressed;        ///< the last end of compression
    bool jamb;
} Phase;

// ---- slip.c -------------------------------------------------------------------------------------

/// a - mu k s, the rate of u_t
static inline void impact_pull(const Contact* c, const double s[2], double q[2])
{
    q[0] = c->a[0] - c->mu * (c->k[0] * s[0] + c->k[1] * s[1]);
    q[1] = c->a[1] - c->mu * (c->k[1] * s[0] + c->k[2] * s[1]);
}

/// f, g and dr_t/dp of slip along s
Rates ut_impact_slip_rates(const Contact* c, const double s[2]);

/// |a| + mu |k|: what bounds h and g
double ut_impact_rate_scale(const Contact* c);

/// h at s, and its derivative with respect to the angle of s
void ut_impact_turning(const Contact* c, const double s[2], double* h, double* slope);

/// Whether friction can keep a contact at rest. @param rates filled when it can
bool ut_impact_holds(const Contact* c, Rates* rates);

/// The direction along which a contact leaves rest that friction cannot hold: the one s with
/// a - mu k s = g s, g > 0.
void ut_impact_leave(const Contact* c, double s[2]);

/// Eigenvalues of a symmetric 2 x 2 matrix (k11, k12, k22), the larger one first, and the unit
/// vector x of the first; that of the second is (-x[1], x[0]).
void ut_impact_eigen(const double k[3], double value[2], double x[2]);

// ---- phase.c ------------------------------------------------------------------------------------

Phase ut_impact_phase(utImpactLaw law, double e);

/// What is still missing at a point of restitution: of u_n, p or W as the law counts. <= 0 at the
/// end.
double ut_impact_missing(const Phase* phase, const Point* at);

/// Go over to the next stretch. @return EVENT_DONE when the law's end is reached with it
Event ut_impact_pass(Phase* phase, Event event, Point* at);

// ---- straight.c ---------------------------------------------------------------------------------

/// Go on with constant rates to the law's end or to rest.
/// @return EVENT_DONE, EVENT_STOPPED or EVENT_LOCKED
Event ut_impact_straight(const Contact* c, const Rates* rates, Phase* phase, Point* at);

// ---- turn.c -------------------------------------------------------------------------------------

/// Go on while slip turns, to the law's end or until the direction stands or slip is all but gone.
/// @param steps counts @return EVENT_DONE, EVENT_STOPPED where slip is too slow to matter, or
/// EVENT_NONE where s is to be kept from here on
Event ut_impact_turn(const Contact* c, Phase* phase, Point* at, int* steps);

enum { IMPACT_MAX_STEPS = 4000 };

#endif
