// SPDX-License-Identifier: Apache-2.0
// Spans with constant rates: slip in one direction, stick, reversal. u_n and v are linear in p, and
// the works are quadratic.
#include "internal.h"

static void advance(const ScaledContact* c, const Rates* rates, double dp, Progress* at)
{
    at->W += dp * (at->u_n + 0.5 * rates->f * dp);
    at->F -= c->mu * dp * (at->v + 0.5 * rates->g * dp);
    at->u_n += rates->f * dp;
    at->v += rates->g * dp;
    at->p += dp;
    at->r_t[0] += rates->r_t[0] * dp;
    at->r_t[1] += rates->r_t[1] * dp;
}

// The normal impulse up to the end of restitution; HUGE_VAL when these rates never reach it.
static double impulse_to_end(const Phase* phase, const Rates* rates, const Progress* at)
{
    const double remaining = ut_impact_remaining(phase, at);
    if (remaining <= 0.0) {
        return 0.0;
    }
    if (phase->law == UT_IMPACT_POISSON) {
        return remaining;
    }
    if (phase->law == UT_IMPACT_NEWTON) {
        return rates->f > 0.0 ? remaining / rates->f : HUGE_VAL;
    }
    // W = u_n dp + f dp^2 / 2: the form of the root without cancellation
    const double square = at->u_n * at->u_n + 2.0 * rates->f * remaining;
    const double sum = at->u_n + sqrt(square > 0.0 ? square : 0.0);
    return square >= 0.0 && sum > 0.0 ? 2.0 * remaining / sum : HUGE_VAL;
}

// The next event, and the normal impulse dp up to it. Of several events at once the one of the law
// comes first.
static Event next_event(const Phase* phase, const Rates* rates, const Progress* at, double* dp)
{
    const double f = rates->f;
    Event event = EVENT_LOCKED;
    *dp = HUGE_VAL;
    if (!phase->closing) {
        *dp = impulse_to_end(phase, rates, at);
        event = *dp < HUGE_VAL ? EVENT_DONE : event;
    }
    const bool to_zero = phase->closing ? f > 0.0 : f < 0.0;
    if (to_zero && -at->u_n / f < *dp) {
        *dp = -at->u_n / f;
        event = phase->closing ? EVENT_COMPRESSION_ENDS : EVENT_CLOSES_AGAIN;
    }
    // v may be 0 or less by rounding when slip and compression end together
    const double stop = at->v > 0.0 ? -at->v / rates->g : 0.0;
    if (rates->g < 0.0 && stop < *dp) {
        *dp = stop;
        event = EVENT_SLIP_STOPS;
    }
    return event;
}

Event ut_impact_constant_rates(const ScaledContact* c, const Rates* rates, Phase* phase,
                               Progress* at)
{
    for (;;) {
        double dp;
        const Event event = next_event(phase, rates, at, &dp);
        if (event == EVENT_LOCKED) {
            return EVENT_LOCKED;
        }
        phase->jam = phase->jam || (phase->closing && rates->f < 0.0);
        advance(c, rates, dp, at);
        if (event == EVENT_SLIP_STOPS) {
            at->v = 0.0;
            return EVENT_SLIP_STOPS;
        }
        if (ut_impact_handle(phase, event, at) == EVENT_DONE) {
            return EVENT_DONE;
        }
    }
}
