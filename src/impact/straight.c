// SPDX-License-Identifier: Apache-2.0
// Spans with constant rates: slip in one direction, stick, reversal. u_n and v are linear in p, the
// works quadratic.
#include "internal.h"

static void move(const Contact* c, const Rates* rates, double dp, Point* at)
{
    at->W += dp * (at->u_n + 0.5 * rates->f * dp);
    at->F -= c->mu * dp * (at->v + 0.5 * rates->g * dp);
    at->u_n += rates->f * dp;
    at->v += rates->g * dp;
    at->p += dp;
    at->r_t[0] += rates->r_t[0] * dp;
    at->r_t[1] += rates->r_t[1] * dp;
}

// How far it is to the law's end; HUGE_VAL when it is never reached with these rates.
static double way_to_end(const Phase* phase, const Rates* rates, const Point* at)
{
    const double missing = ut_impact_missing(phase, at);
    if (missing <= 0.0) {
        return 0.0;
    }
    if (phase->law == UT_IMPACT_POISSON) {
        return missing;
    }
    if (phase->law == UT_IMPACT_NEWTON) {
        return rates->f > 0.0 ? missing / rates->f : HUGE_VAL;
    }
    // W = u_n dp + f dp^2 / 2; the form of the root that does not cancel
    const double square = at->u_n * at->u_n + 2.0 * rates->f * missing;
    const double sum = at->u_n + sqrt(square > 0.0 ? square : 0.0);
    return square >= 0.0 && sum > 0.0 ? 2.0 * missing / sum : HUGE_VAL;
}

// The next event and how far it is; of several at one place that of the law first.
static Event next_event(const Phase* phase, const Rates* rates, const Point* at, double* way)
{
    const double f = rates->f;
    Event event = EVENT_LOCKED;
    *way = HUGE_VAL;
    if (!phase->closing) {
        *way = way_to_end(phase, rates, at);
        event = *way < HUGE_VAL ? EVENT_DONE : event;
    }
    const bool to_zero = phase->closing ? f > 0.0 : f < 0.0;
    if (to_zero && -at->u_n / f < *way) {
        *way = -at->u_n / f;
        event = phase->closing ? EVENT_COMPRESSED : EVENT_CLOSING;
    }
    // slip that ended with compression, to rounding, is at its end
    const double stop = at->v > 0.0 ? -at->v / rates->g : 0.0;
    if (rates->g < 0.0 && stop < *way) {
        *way = stop;
        event = EVENT_STOPPED;
    }
    return event;
}

Event ut_impact_straight(const Contact* c, const Rates* rates, Phase* phase, Point* at)
{
    for (;;) {
        double way;
        const Event event = next_event(phase, rates, at, &way);
        if (event == EVENT_LOCKED) {
            return EVENT_LOCKED;
        }
        phase->jamb = phase->jamb || (phase->closing && rates->f < 0.0);
        move(c, rates, way, at);
        if (event == EVENT_STOPPED) {
            at->v = 0.0;
            return EVENT_STOPPED;
        }
        if (ut_impact_pass(phase, event, at) == EVENT_DONE) {
            return EVENT_DONE;
        }
    }
}
