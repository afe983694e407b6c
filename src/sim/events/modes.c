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
// A contact that is at rest needs twice the speed to bounce again, so that one at the threshold
// does not flicker. What a contact was is part of the state: it decides what the next step does
// with it.
#include <string.h>

#include "sim/internal.h"

static const double HYSTERESIS = 2.0;
static const double TOUCH = 1e-9;   // m: as near as contacts of an instant are
static const double LOWEST = 1e-12; // m: what bounces no higher does not bounce
enum { LANDINGS = 16 };             // of a step that end a span
static const double LEAVES = 1e-6;  // m/s: slower is not leaving

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

// The first entry that is not below a contact's.
static int find(const utSim* sim, const utContact* c)
{
    int low = 0, high = sim->modes;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare(&sim->mode[middle], c) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

utContactMode ut_mode_of(const utSim* sim, const utContact* c)
{
    const int at = find(sim, c);
    return at < sim->modes && compare(&sim->mode[at], c) == 0 ? sim->mode[at].mode : UT_MODE_OPEN;
}

double ut_mode_threshold(const utSim* sim, const utContact* c)
{
    const double least = sqrt(2.0 * ut_vec3_norm(sim->model->options.gravity) * LOWEST);
    const double bounce = fmax(sim->model->options.bounce, least);
    return ut_mode_of(sim, c) == UT_MODE_STEADY ? HYSTERESIS * bounce : bounce;
}

// ---- which contacts are rows --------------------------------------------------------------------

// The speed at which a contact closes, now or when it gets there: by v now and v* at the end of the
// step its acceleration is known. 0: it does not.
static double arrival(const Step* step, const utContact* c)
{
    const double u = ut_step_closing(step, c, step->v);
    const double h = step->sim->h;
    const double a = (u - ut_step_closing(step, c, step->v_free)) / h; // closing
    if (c->gap <= TOUCH && u <= 0.0) {
        return -u;
    }
    const double gap = c->gap > 0.0 ? c->gap : 0.0;
    const double square = u * u + 2.0 * a * gap;
    return square > 0.0 && (u < 0.0 || a > 0.0) ? sqrt(square) : 0.0;
}

// Does the pair of a contact rest on another one?
static bool pair_is_steady(const utSim* sim, const utContact* c)
{
    utContact first = *c;
    first.feature = 0;
    for (int k = find(sim, &first); k < sim->modes; k++) {
        const ModeEntry* m = &sim->mode[k];
        if (m->geom1 != c->geom1 || m->geom2 != c->geom2) {
            break;
        }
        if (m->mode == UT_MODE_STEADY) {
            return true;
        }
    }
    return false;
}

// What comes down for the first time is met where it touches, and may be steady from there:
// friction has its arm then. A body that settles on more and more corners would be met too often
// so.
static bool is_landing(const Step* step, const utContact* c, double speed)
{
    const utSim* sim = step->sim;
    return sim->model->options.detection == UT_DETECTION_LOCATED && c->gap > TOUCH && speed > 0.0 &&
           sim->landings < LANDINGS && !pair_is_steady(sim, c);
}

static bool is_watched(const Step* step, const utContact* c)
{
    const utSim* sim = step->sim;
    if (sim->formulation->collisions_only) {
        return true;
    }
    const double e = ut_model_restitution(sim->model, c->geom1, c->geom2);
    const double speed = arrival(step, c);
    return e > 0.0 && (e * speed > ut_mode_threshold(sim, c) || is_landing(step, c, speed));
}

void ut_step_watch(Step* step)
{
    step->watched = 0;
    if (!step->sim->formulation->events || step->instant) {
        return;
    }
    int kept = 0;
    for (int i = 0; i < step->contacts; i++) {
        const utContact c = step->contact[i];
        if (is_watched(step, &c)) {
            step->watched++;
            continue;
        }
        // those that are watched follow in their order: turn the stretch between
        memmove(step->contact + kept + 1, step->contact + kept,
                (size_t)step->watched * sizeof *step->contact);
        step->contact[kept++] = c;
    }
    step->contacts = kept;
}

// ---- transitions --------------------------------------------------------------------------------

utStatus ut_sim_reserve_modes(utSim* sim, int count)
{
    if (count <= sim->mode_capacity) {
        return UT_OK;
    }
    utArena larger;
    UT_TRY(ut_arena_create(ut_arena_need((size_t)(2 * count), sizeof *sim->mode), sim->allocator,
                           &larger));
    utArena rest = larger;
    ModeEntry* mode = UT_PUSH(&rest, ModeEntry, 2 * count);
    if (sim->modes > 0) {
        memcpy(mode, sim->mode, (size_t)sim->modes * sizeof *mode);
    }
    ut_arena_destroy(&sim->mode_memory);
    sim->mode_memory = larger;
    sim->mode = mode;
    sim->mode_capacity = 2 * count;
    return UT_OK;
}

static utStatus set_mode(Parts* parts, double time, const utContact* c, utContactMode to,
                         double speed)
{
    utSim* sim = parts->sim;
    int at = find(sim, c);
    const bool known = at < sim->modes && compare(&sim->mode[at], c) == 0;
    const utContactMode from = known ? sim->mode[at].mode : UT_MODE_OPEN;
    if (!known) {
        UT_TRY(ut_sim_reserve_modes(sim, sim->modes + 1));
        memmove(sim->mode + at + 1, sim->mode + at, (size_t)(sim->modes - at) * sizeof *sim->mode);
        sim->modes++;
        sim->mode[at] = (ModeEntry){.geom1 = c->geom1, .geom2 = c->geom2, .feature = c->feature};
    }
    sim->mode[at].mode = to;
    sim->mode[at].seen = true;
    return from == to ? UT_OK
                      : ut_parts_transition(parts, &(utTransition){.time = time,
                                                                   .geom1 = c->geom1,
                                                                   .geom2 = c->geom2,
                                                                   .feature = c->feature,
                                                                   .from = from,
                                                                   .to = to,
                                                                   .speed = speed});
}

// Entries that are not within reach any more are open; so are those that left.
static utStatus forget_unseen(Parts* parts, double time)
{
    utSim* sim = parts->sim;
    int kept = 0;
    for (int k = 0; k < sim->modes; k++) {
        const ModeEntry* m = &sim->mode[k];
        if (m->seen && m->mode != UT_MODE_OPEN) {
            sim->mode[kept++] = *m;
            continue;
        }
        if (m->mode != UT_MODE_OPEN) {
            UT_TRY(ut_parts_transition(parts, &(utTransition){.time = time,
                                                              .geom1 = m->geom1,
                                                              .geom2 = m->geom2,
                                                              .feature = m->feature,
                                                              .from = m->mode,
                                                              .to = UT_MODE_OPEN}));
        }
    }
    sim->modes = kept;
    return UT_OK;
}

utStatus ut_modes_after_impact(Parts* parts, const Step* step)
{
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        if (c->rebound > 0.0 && c->r[0] > 0.0) {
            UT_TRY(set_mode(parts, parts->sim->time, c, UT_MODE_BOUNCING,
                            c->u_n_before < 0.0 ? -c->u_n_before : 0.0));
        }
    }
    return UT_OK;
}

utStatus ut_modes_after_span(Parts* parts, const Step* step)
{
    utSim* sim = parts->sim;
    const double start = sim->time;
    for (int k = 0; k < sim->modes; k++) {
        sim->mode[k].seen = false;
    }
    for (int i = 0; i < step->contacts + step->watched; i++) {
        const utContact* c = &step->contact[i];
        const utContactMode mode = ut_mode_of(sim, c);
        const double u = ut_step_closing(step, c, step->v);
        if (i < step->contacts && c->r[0] > 0.0) {
            UT_TRY(set_mode(parts, start, c, UT_MODE_STEADY, u < 0.0 ? -u : 0.0));
        } else if (mode == UT_MODE_STEADY && ut_step_closing(step, c, step->v_next) > LEAVES) {
            UT_TRY(set_mode(parts, start, c, UT_MODE_OPEN, 0.0));
        } else if (mode != UT_MODE_OPEN) {
            UT_TRY(set_mode(parts, start, c, mode, 0.0));
        }
    }
    return forget_unseen(parts, start);
}
