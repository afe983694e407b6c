// SPDX-License-Identifier: Apache-2.0
// The state machine of contacts: open, bouncing, steady.
//
//                 it closes with e |u_n| > bounce
//        open --------------------------------------> bouncing
//         |  ^                                         |    ^
//         |  '------------ it is out of reach ---------'    |
//         |                                            |    | e |u_n| > 2 bounce
//         | e |u_n| <= bounce            e |u_n| <= bounce  |
//         |                                            v    |
//         '--------------------------------------->   steady
//                                      (and back to open when it leaves)
//
// A steady contact needs twice the speed to bounce again, so that a contact at the threshold does not
// alternate. Modes are part of the state, because the next step depends on them.
#include <string.h>

#include "sim/events/parts.h"
#include "sim/tolerances.h"

static const double HYSTERESIS = 2.0;
enum { MAX_LANDINGS = 16 }; // per step

static int compare(const ModeEntry* x, const utContact* c)
{
    if (x->geom1 != c->geom1) {
        return x->geom1 < c->geom1 ? -1 : 1;
    }
    if (x->geom2 != c->geom2) {
        return x->geom2 < c->geom2 ? -1 : 1;
    }
    return (x->feature > c->feature) - (x->feature < c->feature);
}

// The first entry that is not less than the contact's.
static int find(const ContactModes* modes, const utContact* c)
{
    int low = 0, high = modes->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare(&modes->entry[middle], c) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

utContactMode ut_mode_of(const utSim* sim, const utContact* c)
{
    const ContactModes* modes = &sim->state.modes;
    const int at = find(modes, c);
    const bool known = at < modes->count && compare(&modes->entry[at], c) == 0;
    return known ? modes->entry[at].mode : UT_MODE_OPEN;
}

double ut_mode_threshold(const utSim* sim, const utContact* c)
{
    const double least = sqrt(2.0 * ut_vec3_norm(sim->model->options.gravity) * MIN_BOUNCE_HEIGHT);
    const double bounce = fmax(sim->model->options.bounce, least);
    return ut_mode_of(sim, c) == UT_MODE_STEADY ? HYSTERESIS * bounce : bounce;
}

// ---- which contacts are rows --------------------------------------------------------------------

// The speed at which a contact closes, now or when its gap is closed, m/s; 0: it does not close. Its
// acceleration follows from v at the start and v* at the end.
static double find_arrival_speed(const Step* step, const utContact* c)
{
    const double u = ut_step_normal_velocity(step, c, step->v);
    const double h = step->h;
    const double a = (u - ut_step_normal_velocity(step, c, step->free.v)) / h; // > 0: closing
    if (c->gap <= TOUCH_GAP && u <= 0.0) {
        return -u;
    }
    const double gap = c->gap > 0.0 ? c->gap : 0.0;
    const double square = u * u + 2.0 * a * gap;
    return square > 0.0 && (u < 0.0 || a > 0.0) ? sqrt(square) : 0.0;
}

// Does the pair of a contact have a steady contact?
static bool pair_is_steady(const utSim* sim, const utContact* c)
{
    const ContactModes* modes = &sim->state.modes;
    utContact first = *c;
    first.feature = 0;
    for (int k = find(modes, &first); k < modes->count; k++) {
        const ModeEntry* m = &modes->entry[k];
        if (m->geom1 != c->geom1 || m->geom2 != c->geom2) {
            break;
        }
        if (m->mode == UT_MODE_STEADY) {
            return true;
        }
    }
    return false;
}

// Does a contact of a new pair land without a bounce? Then an event ends the sub-step where it
// touches, so that friction acts with the right lever arm. A body that lands on one corner after the
// other would end too many sub-steps: the number per step is limited.
static bool is_landing(const Step* step, const utContact* c, double speed)
{
    const utSim* sim = step->sim;
    return sim->model->options.detection == UT_DETECTION_LOCATED && c->gap > TOUCH_GAP &&
           speed > 0.0 && step->landings < MAX_LANDINGS && !pair_is_steady(sim, c);
}

// Is a contact left out of the rows, because its closing is an event?
static bool is_event_contact(const Step* step, const utContact* c)
{
    const utSim* sim = step->sim;
    if (sim->settings.traits->collisions_only) {
        return true;
    }
    const double e = ut_model_restitution(sim->model, c->geom1, c->geom2);
    const double speed = find_arrival_speed(step, c);
    return e > 0.0 && (e * speed > ut_mode_threshold(sim, c) || is_landing(step, c, speed));
}

void ut_step_split_contacts(Step* step)
{
    step->active.event_contacts = 0;
    if (!step->sim->settings.traits->events || step->instant) {
        return;
    }
    int kept = 0;
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact c = step->active.contact[i];
        if (is_event_contact(step, &c)) {
            step->active.event_contacts++;
            continue;
        }
        // shift the event contacts before this one, which keeps both orders
        memmove(step->active.contact + kept + 1, step->active.contact + kept,
                (size_t)step->active.event_contacts * sizeof *step->active.contact);
        step->active.contact[kept++] = c;
    }
    step->active.contacts = kept;
}

// ---- transitions --------------------------------------------------------------------------------

static utStatus set_mode(Parts* parts, double time, const utContact* c, utContactMode to,
                         double speed)
{
    SimState* state = &parts->sim->state;
    ContactModes* modes = &state->modes;
    const int at = find(modes, c);
    const bool known = at < modes->count && compare(&modes->entry[at], c) == 0;
    const utContactMode from = known ? modes->entry[at].mode : UT_MODE_OPEN;
    if (!known) {
        UT_TRY(ut_state_reserve(state, state->warm.count, modes->count + 1));
        memmove(modes->entry + at + 1, modes->entry + at,
                (size_t)(modes->count - at) * sizeof *modes->entry);
        modes->count++;
        modes->entry[at] = (ModeEntry){.geom1 = c->geom1, .geom2 = c->geom2, .feature = c->feature};
    }
    modes->entry[at].mode = to;
    modes->entry[at].seen = true;
    return from == to ? UT_OK
                      : ut_parts_add_transition(parts, &(utTransition){.time = time,
                                                                       .geom1 = c->geom1,
                                                                       .geom2 = c->geom2,
                                                                       .feature = c->feature,
                                                                       .from = from,
                                                                       .to = to,
                                                                       .speed = speed});
}

// Drop entries of contacts that are out of reach or open.
static utStatus drop_open(Parts* parts, double time)
{
    ContactModes* modes = &parts->sim->state.modes;
    int kept = 0;
    for (int k = 0; k < modes->count; k++) {
        const ModeEntry* m = &modes->entry[k];
        if (m->seen && m->mode != UT_MODE_OPEN) {
            modes->entry[kept++] = *m;
            continue;
        }
        if (m->mode != UT_MODE_OPEN) {
            UT_TRY(ut_parts_add_transition(parts, &(utTransition){.time = time,
                                                                  .geom1 = m->geom1,
                                                                  .geom2 = m->geom2,
                                                                  .feature = m->feature,
                                                                  .from = m->mode,
                                                                  .to = UT_MODE_OPEN}));
        }
    }
    modes->count = kept;
    return UT_OK;
}

utStatus ut_modes_after_impact(Parts* parts, const Step* step)
{
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        if (c->rebound > 0.0 && c->r[0] > 0.0) {
            UT_TRY(set_mode(parts, parts->sim->state.time, c, UT_MODE_BOUNCING,
                            c->u_n_before < 0.0 ? -c->u_n_before : 0.0));
        }
    }
    return UT_OK;
}

utStatus ut_modes_after_substep(Parts* parts, const Step* step)
{
    const utSim* sim = parts->sim;
    ContactModes* modes = &parts->sim->state.modes;
    const double start = sim->state.time;
    for (int k = 0; k < modes->count; k++) {
        modes->entry[k].seen = false;
    }
    for (int i = 0; i < step->active.contacts + step->active.event_contacts; i++) {
        const utContact* c = &step->active.contact[i];
        const utContactMode mode = ut_mode_of(sim, c);
        const double u = ut_step_normal_velocity(step, c, step->v);
        if (i < step->active.contacts && c->r[0] > 0.0) {
            UT_TRY(set_mode(parts, start, c, UT_MODE_STEADY, u < 0.0 ? -u : 0.0));
        } else if (mode == UT_MODE_STEADY &&
                   ut_step_normal_velocity(step, c, step->v_next) > LEAVING_SPEED) {
            UT_TRY(set_mode(parts, start, c, UT_MODE_OPEN, 0.0));
        } else if (mode != UT_MODE_OPEN) {
            UT_TRY(set_mode(parts, start, c, mode, 0.0));
        }
    }
    return drop_open(parts, start);
}
