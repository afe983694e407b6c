// SPDX-License-Identifier: Apache-2.0
// Events: the hybrid scheme of Son, Trinkle and Amato, and Mirtich's collisions alone.
//
// A step alternates instants and sub-steps. In an instant contacts that touch and close fast enough
// bounce. In a sub-step bodies move with the steady contacts as rows, until the next contact closes
// or the step ends.
#include <float.h>
#include <string.h>

#include "sim/events/parts.h"
#include "sim/tolerances.h"

enum {
    MAX_SECANT_STEPS = 8, // tries of a sub-step that ends at an event
    MAX_INSTANTS = 2000,  // at the same time
    MAX_PARTS = 4000,     // of a step; no further event is located after them
    MAX_BLOCKED = 16,     // resting contacts at the same time that cannot rebound
};

// ---- instants -----------------------------------------------------------------------------------

// Resting contacts of a formulation in which contacts always bounce. They are pressed when a sub-step
// without them would close them.
typedef struct Resting {
    const double* v;                // nv: velocity after that sub-step; NULL: no contact is pressed
    int blocked;                    // number of pressed contacts that others keep from rebounding
    utContact contact[MAX_BLOCKED]; // these
} Resting;

static bool is_blocked(const Resting* resting, const utContact* c)
{
    bool found = false;
    for (int k = 0; k < resting->blocked; k++) {
        const utContact* b = &resting->contact[k];
        found = found || (b->geom1 == c->geom1 && b->geom2 == c->geom2 && b->feature == c->feature);
    }
    return found;
}

double ut_step_min_rebound(const Step* step)
{
    const utSim* sim = step->sim;
    if (!sim->settings.traits->collisions_only) {
        return 0.0;
    }
    // with detection once per step collisions repeat every step and need no minimum rebound
    const bool located = sim->model->options.detection == UT_DETECTION_LOCATED;
    const double g = located ? ut_vec3_norm(sim->model->options.gravity) : 0.0;
    // without restitution and gravity the least number above 0 still marks a collision
    return fmax(0.5 * step->step_h * g, DBL_MIN);
}

// The velocity of a contact's rebound, m/s; 0: it does not bounce.
static double find_rebound(const Step* step, const utContact* c, double e, double before,
                           const Resting* resting)
{
    const utSim* sim = step->sim;
    const double law = before < 0.0 ? -e * before : 0.0;
    if (!sim->settings.traits->collisions_only) {
        return law > ut_mode_threshold(sim, c) ? law : 0.0;
    }
    const double least = ut_step_min_rebound(step);
    // a resting contact that would close gets the minimum rebound, where there is one
    const bool pressed = resting->v != NULL && least > DBL_MIN && before <= MIN_CLOSING_SPEED &&
                         !is_blocked(resting, c) &&
                         ut_step_normal_velocity(step, c, resting->v) < 0.0;
    if (!(before < -MIN_CLOSING_SPEED) && !pressed) {
        return 0.0;
    }
    return law > least ? law : least;
}

// Set the rebound of every contact. @return how many bounce
static int mark_bouncing(Step* step, const Resting* resting)
{
    const utSim* sim = step->sim;
    int count = 0;
    for (int i = 0; i < step->active.contacts; i++) {
        utContact* c = &step->active.contact[i];
        const double e = ut_model_restitution(sim->model, c->geom1, c->geom2);
        const double before = ut_step_normal_velocity(step, c, step->v);
        const double rebound =
            c->gap <= TOUCH_GAP ? find_rebound(step, c, e, before, resting) : 0.0;
        // Poisson: every compressed contact bounces, also one that was at rest
        const bool compressed = sim->settings.simultaneous == UT_SIMULTANEOUS_POISSON;
        c->restitution = rebound > 0.0 || compressed ? e : 0.0;
        c->u_n_before = rebound > 0.0 || compressed ? before : 0.0;
        c->rebound = rebound;
        count += rebound > 0.0;
    }
    return count;
}

// Drop contacts with a gap: explicit points are reported at any distance.
static void drop_distant(Step* step)
{
    int kept = 0;
    for (int i = 0; i < step->active.contacts; i++) {
        if (step->active.contact[i].gap <= TOUCH_GAP) {
            step->active.contact[kept++] = step->active.contact[i];
        }
    }
    step->active.contacts = kept;
}

// Simultaneous impacts one after the other: keep the contact that closes fastest.
static void keep_fastest(Step* step)
{
    int fastest = 0;
    for (int i = 1; i < step->active.contacts; i++) {
        const utContact *c = &step->active.contact[i], *best = &step->active.contact[fastest];
        const bool bounces = c->rebound > 0.0, was = best->rebound > 0.0;
        if (bounces > was || (bounces == was && c->u_n_before < best->u_n_before)) {
            fastest = i;
        }
    }
    step->active.contact[0] = step->active.contact[fastest];
    step->active.contacts = 1;
}

// Drop islands without bouncing contacts.
static utStatus drop_resting_islands(Step* step)
{
    const utModel* model = step->sim->model;
    int* root = UT_PUSH(&step->arena, int, 2 * model->ntree);
    bool* bounces = UT_PUSH(&step->arena, bool, model->ntree + 1);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    memset(bounces, 0, ((size_t)model->ntree + 1) * sizeof *bounces);
    ut_contact_islands(model, step->active.contacts, step->active.contact, step->active.rows,
                       step->active.row, root);
    for (int i = 0; i < step->active.contacts; i++) {
        if (step->active.contact[i].rebound > 0.0) {
            bounces[step->active.contact[i].island] = true;
        }
    }
    int kept = 0;
    for (int i = 0; i < step->active.contacts; i++) {
        if (bounces[step->active.contact[i].island]) {
            step->active.contact[kept++] = step->active.contact[i];
        }
    }
    step->active.contacts = kept;
    kept = 0;
    for (int j = 0; j < step->active.rows; j++) {
        const utRow* row = &step->active.row[j];
        // rows of an equality belong together: keep all
        const bool equality = ut_row_has_bodies(row) || ut_row_is_equality(row);
        if (equality || bounces[row->island]) {
            step->active.row[kept++] = *row;
        }
    }
    step->active.rows = kept;
    return UT_OK;
}

// Simultaneous impacts one after the other: do not press a resting contact again that got no rebound.
static void note_blocked(const Step* step, Resting* resting)
{
    const utContact* c = &step->active.contact[0];
    const utIsland* island = &step->active.island[c->island];
    if (!(c->u_n_before <= -MIN_CLOSING_SPEED) && island->bounce == UT_BOUNCE_MOREAU &&
        island->restitution_scale == 0.0) {
        if (resting->blocked == MAX_BLOCKED) {
            resting->v = NULL;
            return;
        }
        resting->contact[resting->blocked++] = *c;
    }
}

// Flag islands whose impacts did not settle.
static void flag_islands(Step* step)
{
    for (int k = 0; k < step->active.islands; k++) {
        step->active.island[k].fallback = true;
        step->active.island[k].outcome = UT_ISLAND_IMPACTS;
    }
}

// Make instants until no contact bounces. @param v see Resting
static utStatus make_instants(Parts* parts, const double* v)
{
    utSim* sim = parts->sim;
    const bool propagate = sim->settings.simultaneous == UT_SIMULTANEOUS_PROPAGATE;
    Resting resting = {.v = v};
    for (int instant = 0; instant < MAX_INSTANTS; instant++) {
        Step step;
        UT_TRY(ut_parts_instant(parts, &step));
        drop_distant(&step);
        if (mark_bouncing(&step, &resting) == 0) {
            return UT_OK;
        }
        if (propagate) {
            keep_fastest(&step);
        }
        UT_TRY(drop_resting_islands(&step));
        UT_TRY(ut_step_solve(&step));
        if (instant == MAX_INSTANTS - 1 || parts->record.parts >= MAX_PARTS) {
            flag_islands(&step);
            parts->summary.flagged = true;
            parts->events.unsettled = true;
        }
        UT_TRY(ut_modes_after_impact(parts, &step));
        UT_TRY(ut_parts_accept(parts, &step, sim->state.time));
        if (propagate) {
            note_blocked(&step, &resting);
        } else {
            resting.v = NULL; // they got their minimum rebound: do not press them again
        }
    }
    return UT_OK;
}

// ---- sub-steps ----------------------------------------------------------------------------------

// Make a sub-step that ends when a contact closes: a secant iteration on its length.
// @param met  the contact @param at fraction of the longer sub-step at which it closes
// @param step the longer sub-step, replaced by the shorter one @param h length of the longer one
static utStatus stop_at_event(Parts* parts, const utContact* met, double at, Step* step, double h,
                              utError* err)
{
    const utContact contact = *met;
    double length = at * h;
    for (int k = 0; k < MAX_SECANT_STEPS; k++) {
        double gap;
        UT_TRY(ut_parts_substep(parts, length, step, err));
        UT_TRY(ut_step_gap_at_end(step, &contact, &gap));
        const double u = ut_step_normal_velocity(step, &contact, step->v_next);
        if (fabs(gap) <= EVENT_GAP || !(u < 0.0) || !isfinite(gap)) {
            break;
        }
        const double next = length - gap / u;
        if (!(next > 0.0) || !(next < h) || next == length) {
            break;
        }
        length = next;
    }
    return UT_OK;
}

static utStatus accept_substep(Parts* parts, Step* step, double end)
{
    UT_TRY(ut_modes_after_substep(parts, step));
    return ut_parts_accept(parts, step, end);
}

// Give the minimum rebound to resting contacts that would close within the sub-step.
// @param rebounded receives false when none could rebound
static utStatus lift_resting_contacts(Parts* parts, const Step* step, bool* rebounded)
{
    const int nv = parts->sim->model->nv;
    const int before = parts->record.parts;
    double* v = UT_PUSH(&parts->keep, double, nv);
    if (v == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(v, step->free.v, (size_t)nv * sizeof *v);
    UT_TRY(make_instants(parts, v));
    *rebounded = parts->record.parts > before;
    return UT_OK;
}

// Make and accept one sub-step of length h, or less when an event ends it.
static utStatus make_substep(Parts* parts, double h, utError* err)
{
    const utSim* sim = parts->sim;
    const double now = sim->state.time;
    const bool located = sim->model->options.detection == UT_DETECTION_LOCATED;
    Step step;
    double at;
    int which;
    bool pressed;
    UT_TRY(ut_parts_substep(parts, h, &step, err));
    if (!located || parts->events.unsettled || parts->record.parts >= MAX_PARTS) {
        parts->summary.flagged = parts->summary.flagged || located; // too many impacts
        return accept_substep(parts, &step, parts->until);
    }
    UT_TRY(ut_step_find_event(&step, &at, &which, &pressed));
    // only once at the same time, because blocked contacts do not move
    if (pressed && sim->settings.traits->collisions_only && now != parts->events.press_time) {
        bool rebounded;
        parts->events.press_time = now;
        UT_TRY(lift_resting_contacts(parts, &step, &rebounded));
        if (rebounded) {
            return UT_OK;
        }
        UT_TRY(ut_parts_substep(parts, h, &step, err));
        UT_TRY(ut_step_find_event(&step, &at, &which, &pressed));
    }
    if (at < 1.0 && at * h > 0.0) {
        UT_TRY(stop_at_event(parts, &step.active.contact[which], at, &step, h, err));
        return accept_substep(parts, &step, step.end);
    }
    return accept_substep(parts, &step, parts->until);
}

utStatus ut_parts_make_events(Parts* parts, utError* err)
{
    const SimState* state = &parts->sim->state;
    bool first = true;
    parts->events.landings = 0;
    while (first || state->time < parts->until) {
        const int before = parts->record.parts;
        UT_TRY(make_instants(parts, NULL));
        parts->events.landings += !first && parts->record.parts == before;
        first = false;
        UT_TRY(make_substep(parts, parts->until - state->time, err));
    }
    return UT_OK;
}
