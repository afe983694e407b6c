// SPDX-License-Identifier: Apache-2.0
// The phases of an impact, and the laws that end restitution.
#include "internal.h"

Phase ut_impact_phase(utImpactLaw law, double e)
{
    return (Phase){.law = law, .e = e, .closing = true};
}

double ut_impact_remaining(const Phase* phase, const Progress* at)
{
    switch (phase->law) {
    case UT_IMPACT_NEWTON:
        return phase->e - at->u_n;
    case UT_IMPACT_POISSON:
        return (phase->e * phase->p_c - phase->p_r) - (at->p - phase->p_begin);
    case UT_IMPACT_STRONGE:
    case UT_IMPACT_LAW_COUNT:
        break;
    }
    return (-phase->e * phase->e * phase->W_c - phase->W_r) - (at->W - phase->W_begin);
}

// Add the impulse and work of the phase that ends here.
static void end_phase(Phase* phase, const Progress* at)
{
    const double p = at->p - phase->p_begin, W = at->W - phase->W_begin;
    if (phase->closing) {
        phase->p_c += p;
        phase->W_c += W;
    } else {
        phase->p_r += p;
        phase->W_r += W;
    }
    phase->p_begin = at->p;
    phase->W_begin = at->W;
}

Event ut_impact_handle(Phase* phase, Event event, Progress* at)
{
    end_phase(phase, at);
    switch (event) {
    case EVENT_COMPRESSION_ENDS:
        at->u_n = 0.0;
        phase->closing = false;
        phase->compressions++;
        phase->compressed = *at;
        // with e = 0 there is no restitution
        return ut_impact_remaining(phase, at) <= 0.0 ? EVENT_DONE : EVENT_NONE;
    case EVENT_CLOSES_AGAIN:
        at->u_n = 0.0;
        phase->closing = true;
        return EVENT_NONE;
    case EVENT_DONE:
        at->u_n = phase->law == UT_IMPACT_NEWTON ? phase->e : at->u_n;
        return EVENT_DONE;
    case EVENT_NONE:
    case EVENT_SLIP_STOPS:
    case EVENT_LOCKED:
        break;
    }
    return event;
}
