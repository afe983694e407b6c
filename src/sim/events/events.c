// SPDX-License-Identifier: Apache-2.0
// Bouncing and steady contacts: the hybrid scheme of Son, Trinkle and Amato, and Mirtich's
// collisions alone.
//
// A step is a chain of spans and instants. In an instant contacts that touch and close fast enough
// bounce; in a span bodies move with the steady contacts as rows, up to the moment at which another
// contact is met, or to the end of the step.
#include <float.h>
#include <string.h>

#include "sim/internal.h"

static const double TOUCH = 1e-9;  // m
static const double FINE = 1e-13;  // m: as near as a moment is found, but for rounding
static const double CLOSES = 1e-9; // m/s: slower is not closing
enum {
    TRIES = 8,     // of spans that end at a moment
    ROUNDS = 2000, // instants of one moment
    PARTS = 4000,  // parts of a step, after which no further moment is looked for
    JAMMED = 16,   // contacts at rest of one moment that cannot hop
};

// ---- instants -----------------------------------------------------------------------------------

// What is known of contacts that rest: velocities that a span without them leads to, and which of
// them are held by something else, so that they cannot hop.
typedef struct Press {
    const double* v; // nv; NULL: nothing
    int jammed;
    utContact jam[JAMMED];
} Press;

static bool is_jammed(const Press* press, const utContact* c)
{
    bool found = false;
    for (int k = 0; k < press->jammed; k++) {
        const utContact* jam = &press->jam[k];
        found = found ||
                (jam->geom1 == c->geom1 && jam->geom2 == c->geom2 && jam->feature == c->feature);
    }
    return found;
}

// What a contact comes back with, 0: it does not bounce.
static double find_rebound(const Step* step, const utContact* c, double e, double before,
                           const Press* press)
{
    const utSim* sim = step->sim;
    const bool all = sim->formulation->collisions_only;
    const double law = before < 0.0 ? -e * before : 0.0;
    if (!all) {
        return law > ut_mode_threshold(sim, c) ? law : 0.0;
    }
    const double hop = ut_sim_hop(sim);
    // without a minimum rebound there is nothing to press a contact at rest for
    const bool pressed = press->v != NULL && hop > DBL_MIN && before <= CLOSES &&
                         !is_jammed(press, c) && ut_step_closing(step, c, press->v) < 0.0;
    if (!(before < -CLOSES) && !pressed) {
        return 0.0;
    }
    return law > hop ? law : hop;
}

// @return how many bounce
static int mark(Step* step, const Press* press)
{
    const utSim* sim = step->sim;
    int count = 0;
    for (int i = 0; i < step->contacts; i++) {
        utContact* c = &step->contact[i];
        const double e = ut_model_restitution(sim->model, c->geom1, c->geom2);
        const double before = ut_step_closing(step, c, step->v);
        // a contact whose shapes are apart by less than rounding touches
        const double rebound = c->gap <= TOUCH ? find_rebound(step, c, e, before, press) : 0.0;
        // Poisson: whatever is compressed comes back, also what was at rest
        const bool compressed = sim->simultaneous == UT_SIMULTANEOUS_POISSON;
        c->restitution = rebound > 0.0 || compressed ? e : 0.0;
        c->u_n_before = rebound > 0.0 || compressed ? before : 0.0;
        c->rebound = rebound;
        count += rebound > 0.0;
    }
    return count;
}

// Contacts at a distance are none; explicit ones are found all the same.
static void drop_apart(Step* step)
{
    int kept = 0;
    for (int i = 0; i < step->contacts; i++) {
        if (step->contact[i].gap <= TOUCH) {
            step->contact[kept++] = step->contact[i];
        }
    }
    step->contacts = kept;
}

// One after the other: the contact that closes fastest, by itself.
static void keep_fastest(Step* step)
{
    int fastest = 0;
    for (int i = 1; i < step->contacts; i++) {
        const utContact *c = &step->contact[i], *best = &step->contact[fastest];
        const bool bounces = c->rebound > 0.0, was = best->rebound > 0.0;
        if (bounces > was || (bounces == was && c->u_n_before < best->u_n_before)) {
            fastest = i;
        }
    }
    step->contact[0] = step->contact[fastest];
    step->contacts = 1;
}

// Islands without a contact that bounces have no part in it.
static utStatus drop_quiet(Step* step)
{
    const utModel* model = step->sim->model;
    int* root = UT_PUSH(&step->arena, int, 2 * model->ntree);
    bool* loud = UT_PUSH(&step->arena, bool, model->ntree + 1);
    if (root == NULL || loud == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(loud, 0, ((size_t)model->ntree + 1) * sizeof *loud);
    ut_contact_islands(model, step->contacts, step->contact, step->rows, step->row, root);
    for (int i = 0; i < step->contacts; i++) {
        if (step->contact[i].rebound > 0.0) {
            loud[step->contact[i].island] = true;
        }
    }
    int kept = 0;
    for (int i = 0; i < step->contacts; i++) {
        if (loud[step->contact[i].island]) {
            step->contact[kept++] = step->contact[i];
        }
    }
    step->contacts = kept;
    kept = 0;
    for (int j = 0; j < step->rows; j++) {
        const bool equality = step->row[j].dof < 0; // all of its rows belong together
        if (equality || loud[step->row[j].island]) {
            step->row[kept++] = step->row[j];
        }
    }
    step->rows = kept;
    return UT_OK;
}

// One after the other: a contact at rest that got no rebound is not asked again.
static void note_jam(const Step* step, Press* press)
{
    const utContact* c = &step->contact[0];
    const utIsland* island = &step->island[c->island];
    if (!(c->u_n_before <= -CLOSES) && island->bounce == UT_BOUNCE_MOREAU &&
        island->restitution_scale == 0.0) {
        if (press->jammed == JAMMED) {
            press->v = NULL;
            return;
        }
        press->jam[press->jammed++] = *c;
    }
}

// Name the islands whose impacts may not have ended.
static void flag_islands(Step* step)
{
    for (int k = 0; k < step->islands; k++) {
        step->island[k].fallback = true;
        step->island[k].outcome = UT_ISLAND_IMPACTS;
    }
}

// All impacts of this moment. @param v see Press
static utStatus make_instants(Parts* parts, const double* v)
{
    utSim* sim = parts->sim;
    const bool propagate = sim->simultaneous == UT_SIMULTANEOUS_PROPAGATE;
    Press now = {.v = v};
    for (int round = 0; round < ROUNDS; round++) {
        Step step;
        UT_TRY(ut_parts_instant(parts, &step));
        drop_apart(&step);
        if (mark(&step, &now) == 0) {
            return UT_OK;
        }
        if (propagate) {
            keep_fastest(&step);
        }
        UT_TRY(drop_quiet(&step));
        UT_TRY(ut_step_solve(&step));
        if (round == ROUNDS - 1 || parts->parts >= PARTS) {
            flag_islands(&step);
            parts->flagged = true;
            parts->endless = true;
        }
        UT_TRY(ut_modes_after_impact(parts, &step));
        UT_TRY(ut_parts_take(parts, &step, sim->time));
        if (propagate) {
            note_jam(&step, &now);
        } else {
            now.v = NULL; // resting contacts got their minimum rebound: do not press them again
        }
    }
    return UT_OK;
}

// ---- spans --------------------------------------------------------------------------------------

// A span that ends when a contact is met. @param step one up to the end of the step, and then it
// @param h  its length @param at share of it at which the contact is met
static utStatus stop_at(Parts* parts, const utContact* met, double at, Step* step, double* h,
                        utError* err)
{
    const double whole = *h;
    const utContact contact = *met;
    double length = at * whole;
    for (int k = 0; k < TRIES; k++) {
        double gap;
        UT_TRY(ut_parts_span(parts, length, step, err));
        UT_TRY(ut_step_gap_after(step, &contact, &gap));
        const double u = ut_step_closing(step, &contact, step->v_next);
        *h = length;
        if (fabs(gap) <= FINE || !(u < 0.0) || !isfinite(gap)) {
            break;
        }
        const double next = length - gap / u;
        if (!(next > 0.0) || !(next < whole) || next == length) {
            break;
        }
        length = next;
    }
    return UT_OK;
}

static utStatus take_span(Parts* parts, Step* step, double end)
{
    UT_TRY(ut_modes_after_span(parts, step));
    return ut_parts_take(parts, step, end);
}

// @param left of the step
static utStatus make_span(Parts* parts, double left, utError* err)
{
    utSim* sim = parts->sim;
    const bool located = sim->model->options.detection == UT_DETECTION_LOCATED;
    Step step;
    double at, h = left;
    int which;
    bool pressed;
    UT_TRY(ut_parts_span(parts, left, &step, err));
    if (!located || parts->endless || parts->parts >= PARTS) {
        parts->flagged = parts->flagged || located; // too many impacts
        return take_span(parts, &step, parts->until);
    }
    UT_TRY(ut_step_locate(&step, &at, &which, &pressed));
    if (pressed && sim->formulation->collisions_only && sim->time != parts->pressed) {
        parts->pressed = sim->time; // once: what is jammed does not move
        // what rests collides first
        double* v = ut_arena_push(&parts->keep, (size_t)sim->model->nv, sizeof *v);
        if (v == NULL) {
            return UT_ERR_CAPACITY;
        }
        memcpy(v, step.v_free, (size_t)sim->model->nv * sizeof *v);
        const int before = parts->parts;
        UT_TRY(make_instants(parts, v));
        if (parts->parts > before) {
            return UT_OK;
        }
        UT_TRY(ut_parts_span(parts, left, &step, err));
        UT_TRY(ut_step_locate(&step, &at, &which, &pressed));
    }
    if (at < 1.0 && at * left > 0.0) {
        UT_TRY(stop_at(parts, &step.contact[which], at, &step, &h, err));
        return take_span(parts, &step, sim->end);
    }
    return take_span(parts, &step, parts->until);
}

// ---- the step -----------------------------------------------------------------------------------

utStatus ut_step_events(Parts* parts, utError* err)
{
    utSim* sim = parts->sim;
    bool first = true;
    sim->landings = 0;
    while (first || sim->time < parts->until) {
        const int before = parts->parts;
        UT_TRY(make_instants(parts, NULL));
        sim->landings += !first && parts->parts == before;
        first = false;
        const double left = parts->until - sim->time;
        UT_TRY(make_span(parts, left, err));
    }
    return UT_OK;
}
