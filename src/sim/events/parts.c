// SPDX-License-Identifier: Apache-2.0
// A step that is made of parts: what each did is kept, the sim goes along, and goes back when the
// step is not taken.
#include <string.h>

#include "sim/internal.h"

enum { PARTS = 8 }; // room to begin with

// ---- begin and undo -----------------------------------------------------------------------------

static double* copy(utArena* arena, const double* from, int n)
{
    double* to = UT_PUSH(arena, double, n);
    if (to != NULL && n > 0) {
        memcpy(to, from, (size_t)n * sizeof *to);
    }
    return to;
}

static utStatus keep_state(Parts* parts)
{
    const utSim* sim = parts->sim;
    const utModel* model = sim->model;
    parts->q = copy(&parts->keep, sim->q, model->nq);
    parts->v = copy(&parts->keep, sim->v, model->nv);
    parts->mocap_pos = copy(&parts->keep, sim->mocap_pos, 3 * model->nmocap);
    parts->mocap_quat = copy(&parts->keep, sim->mocap_quat, 4 * model->nmocap);
    parts->warm = UT_PUSH(&parts->keep, WarmImpulse, sim->warm_count);
    parts->mode = UT_PUSH(&parts->keep, ModeEntry, sim->modes);
    if (parts->q == NULL || parts->v == NULL || parts->mocap_pos == NULL ||
        parts->mocap_quat == NULL || parts->warm == NULL || parts->mode == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(parts->warm, sim->warm, (size_t)sim->warm_count * sizeof *parts->warm);
    if (sim->modes > 0) {
        memcpy(parts->mode, sim->mode, (size_t)sim->modes * sizeof *parts->mode);
    }
    parts->warm_count = sim->warm_count;
    parts->warm_h = sim->warm_h;
    parts->modes = sim->modes;
    parts->time = sim->time;
    parts->start = sim->start;
    parts->h_next = sim->h_next;
    parts->steps = sim->steps;
    return UT_OK;
}

// What acts, and where moved bodies end and how they move: as a whole step would have it.
static utStatus see_input(Parts* parts, const utInput* input, utError* err)
{
    utSim* sim = parts->sim;
    const utModel* model = sim->model;
    Step whole;
    UT_TRY(ut_step_begin(sim, input, &whole, err));
    parts->target_pos = copy(&parts->keep, whole.mocap_pos_next, 3 * model->nmocap);
    parts->target_quat = copy(&parts->keep, whole.mocap_quat_next, 4 * model->nmocap);
    parts->moving = UT_PUSH(&parts->keep, utMotion, model->nmocap);
    if (parts->target_pos == NULL || parts->target_quat == NULL || parts->moving == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(parts->moving, whole.mocap_velocity, (size_t)model->nmocap * sizeof *parts->moving);
    parts->ctrl = copy(&parts->keep, whole.ctrl, model->nu);
    parts->applied = UT_PUSH(&parts->keep, utForce, model->nbody);
    if (parts->ctrl == NULL || parts->applied == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(parts->applied, whole.applied, (size_t)model->nbody * sizeof *parts->applied);
    return UT_OK;
}

// When a step ends; a chosen one that goes up to where the sim is to stop, just there.
static double end_of(const utSim* sim, double dt)
{
    if (!(sim->adaptive > 0.0)) {
        return sim->start + (double)(sim->steps + 1) * dt;
    }
    const double left = sim->stop - sim->time;
    return left > 0.0 && left <= dt ? sim->stop : sim->time + dt;
}

utStatus ut_parts_begin(utSim* sim, const utInput* input, double dt, Parts* parts, utError* err)
{
    *parts = (Parts){.sim = sim,
                     .input = input,
                     .keep = sim->keep,
                     .h = dt,
                     .due = HUGE_VAL,
                     .pressed = -HUGE_VAL};
    sim->h = dt;
    sim->whole = dt;
    sim->end = end_of(sim, dt);
    parts->end = sim->end;
    parts->until = sim->end;
    UT_TRY(keep_state(parts));
    parts->part = UT_PUSH(&parts->keep, utStepReport, PARTS);
    parts->transition = UT_PUSH(&parts->keep, utTransition, PARTS);
    if (parts->part == NULL || parts->transition == NULL) {
        return UT_ERR_CAPACITY;
    }
    parts->part_capacity = PARTS;
    parts->transition_capacity = PARTS;
    return see_input(parts, input, err);
}

void ut_parts_undo(Parts* parts)
{
    utSim* sim = parts->sim;
    const utModel* model = sim->model;
    memcpy(sim->q, parts->q, (size_t)model->nq * sizeof *sim->q);
    memcpy(sim->v, parts->v, (size_t)model->nv * sizeof *sim->v);
    memcpy(sim->mocap_pos, parts->mocap_pos, (size_t)(3 * model->nmocap) * sizeof(double));
    memcpy(sim->mocap_quat, parts->mocap_quat, (size_t)(4 * model->nmocap) * sizeof(double));
    memcpy(sim->warm, parts->warm, (size_t)parts->warm_count * sizeof *sim->warm);
    if (parts->modes > 0) {
        memcpy(sim->mode, parts->mode, (size_t)parts->modes * sizeof *sim->mode);
    }
    sim->warm_count = parts->warm_count;
    sim->warm_h = parts->warm_h;
    sim->modes = parts->modes;
    sim->time = parts->time;
    sim->start = parts->start;
    sim->h_next = parts->h_next;
    sim->steps = parts->steps;
    ut_sim_place(sim);
}

// ---- parts --------------------------------------------------------------------------------------

// Moved bodies at a share of what is left of their ways.
static utStatus aim(Parts* parts, double h, utInput* input, utArena* arena)
{
    const utSim* sim = parts->sim;
    const int n = sim->model->nmocap;
    const bool whole = !(sim->time + h < parts->until);
    double* pos = copy(arena, whole ? parts->target_pos : sim->mocap_pos, 3 * n);
    double* quat = copy(arena, whole ? parts->target_quat : sim->mocap_quat, 4 * n);
    if (pos == NULL || quat == NULL) {
        return UT_ERR_CAPACITY;
    }
    const Step here = {.mocap_pos = sim->mocap_pos,
                       .mocap_quat = sim->mocap_quat,
                       .mocap_velocity = parts->moving};
    for (int m = 0; !whole && m < n; m++) {
        ut_step_move_mocap(&here, m, h, pos + (size_t)3 * (size_t)m, quat + (size_t)4 * (size_t)m);
    }
    input->mocap_pos = pos;
    input->mocap_quat = quat;
    return UT_OK;
}

utStatus ut_parts_go_on(Parts* parts, double until, utError* err)
{
    utSim* sim = parts->sim;
    if (sim->model->nmocap == 0) {
        parts->until = until;
        return UT_OK;
    }
    utInput input = parts->input != NULL ? *parts->input : (utInput){0};
    if (until < parts->end) {
        UT_TRY(aim(parts, until - sim->time, &input, &parts->keep));
    }
    sim->h = until - sim->time;
    sim->end = until;
    parts->until = until;
    return see_input(parts, &input, err);
}

utStatus ut_parts_span(Parts* parts, double h, Step* step, utError* err)
{
    utSim* sim = parts->sim;
    utInput input = parts->input != NULL ? *parts->input : (utInput){0};
    utArena scratch = parts->keep; // read before anything else is kept
    UT_TRY(aim(parts, h, &input, &scratch));
    sim->h = h;
    sim->end = sim->time + h < parts->until ? sim->time + h : parts->until;
    return ut_step_make(sim, &input, step, err);
}

utStatus ut_parts_instant(Parts* parts, Step* step)
{
    utSim* sim = parts->sim;
    const utModel* model = sim->model;
    const int n = model->nmocap;
    *step = (Step){.sim = sim, .arena = sim->step, .instant = true};
    sim->h = 0.0;
    sim->end = sim->time;
    utArena* arena = &step->arena;
    step->q = copy(arena, sim->q, model->nq);
    step->q_start = copy(arena, sim->q, model->nq);
    step->v = copy(arena, sim->v, model->nv);
    step->v_start = copy(arena, sim->v, model->nv);
    step->mocap_pos = copy(arena, sim->mocap_pos, 3 * n);
    step->mocap_quat = copy(arena, sim->mocap_quat, 4 * n);
    step->mocap_pos_next = copy(arena, sim->mocap_pos, 3 * n);
    step->mocap_quat_next = copy(arena, sim->mocap_quat, 4 * n);
    step->ctrl = copy(arena, parts->ctrl, model->nu);
    step->force = UT_PUSH(arena, double, model->nv);
    step->more = UT_PUSH(arena, double, model->nv);
    step->applied = UT_PUSH(arena, utForce, model->nbody);
    step->mocap_velocity = UT_PUSH(arena, utMotion, n);
    if (step->q == NULL || step->q_start == NULL || step->v == NULL || step->v_start == NULL ||
        step->mocap_pos == NULL || step->mocap_quat == NULL || step->mocap_pos_next == NULL ||
        step->mocap_quat_next == NULL || step->ctrl == NULL || step->force == NULL ||
        step->more == NULL || step->applied == NULL || step->mocap_velocity == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(step->force, 0, (size_t)model->nv * sizeof *step->force);
    memset(step->more, 0, (size_t)model->nv * sizeof *step->more);
    memcpy(step->applied, parts->applied, (size_t)model->nbody * sizeof *step->applied);
    memcpy(step->mocap_velocity, parts->moving, (size_t)n * sizeof *step->mocap_velocity);
    return ut_step_look(step);
}

// ---- what is kept -------------------------------------------------------------------------------

// @param from may be NULL; a copy of nothing is nothing
static bool keep(utArena* arena, const void* from, size_t count, size_t size, const void** to)
{
    if (from == NULL) {
        *to = NULL;
        return true;
    }
    void* memory = ut_arena_push(arena, count, size);
    if (memory != NULL && count > 0) {
        memcpy(memory, from, count * size);
    }
    *to = memory;
    return memory != NULL;
}

#define KEEP(FIELD, COUNT) \
    (good = good && keep(arena, r.FIELD, (size_t)(COUNT), sizeof *r.FIELD, &to), r.FIELD = to)

// A copy of a report with everything that it points to.
static utStatus keep_report(utArena* arena, const utStepReport* report, utStepReport* kept)
{
    utStepReport r = *report;
    const utModel* model = r.model;
    const int n = model->nmocap;
    const void* to = NULL;
    bool good = true;
    KEEP(q, model->nq);
    KEEP(v, model->nv);
    KEEP(ctrl, model->nu);
    KEEP(caller_force, model->nv);
    KEEP(force, model->nv);
    KEEP(actuator_diagonal, model->nv);
    KEEP(stiffness, model->nv);
    KEEP(damping, model->nv);
    KEEP(applied, model->nbody);
    KEEP(mocap_pos, 3 * n);
    KEEP(mocap_quat, 4 * n);
    KEEP(mocap_velocity, n);
    KEEP(mocap_pos_next, 3 * n);
    KEEP(mocap_quat_next, 4 * n);
    KEEP(contact, r.contacts);
    KEEP(row, r.rows);
    KEEP(island, r.islands);
    KEEP(v_ahead, model->nv);
    KEEP(mocap_ahead, n);
    KEEP(v_free, model->nv);
    KEEP(q_free, model->nq);
    KEEP(v_next, model->nv);
    KEEP(q_next, model->nq);
    KEEP(projection, model->nv);
    *kept = r;
    return good ? UT_OK : UT_ERR_CAPACITY;
}

#undef KEEP

// Room for one more in a list of the kept. @return NULL when memory is short
static void* extend(utArena* arena, void* list, int count, int* capacity, size_t size)
{
    if (count < *capacity) {
        return list;
    }
    void* larger = ut_arena_push(arena, 2 * (size_t)*capacity, size);
    if (larger != NULL) {
        memcpy(larger, list, (size_t)count * size);
        *capacity *= 2;
    }
    return larger;
}

utStatus ut_parts_transition(Parts* parts, const utTransition* transition)
{
    utTransition* list = extend(&parts->keep, parts->transition, parts->transitions,
                                &parts->transition_capacity, sizeof *list);
    if (list == NULL) {
        return UT_ERR_CAPACITY;
    }
    parts->transition = list;
    list[parts->transitions++] = *transition;
    return UT_OK;
}

// Impulses of a span are where the next one starts from; those of instants are of another kind.
static utStatus keep_warm(utSim* sim, const Step* step)
{
    if (step->instant) {
        return UT_OK;
    }
    UT_TRY(ut_sim_reserve_warm(sim, step->contacts + step->rows));
    sim->warm_count =
        ut_warm_store(step->contacts, step->contact, step->rows, step->row, sim->warm);
    sim->warm_h = sim->h;
    return UT_OK;
}

utStatus ut_parts_take(Parts* parts, const Step* step, double time)
{
    utSim* sim = parts->sim;
    const utModel* model = sim->model;
    utStepReport* list =
        extend(&parts->keep, parts->part, parts->parts, &parts->part_capacity, sizeof *list);
    if (list == NULL) {
        return UT_ERR_CAPACITY;
    }
    parts->part = list;
    utStepReport report = ut_step_report(step);
    UT_TRY(keep_report(&parts->keep, &report, &report));
    UT_TRY(keep_warm(sim, step));
    if (sim->adaptive > 0.0) {
        ut_parts_watch_impacts(parts, step);
    }
    memcpy(sim->q, step->q_next, (size_t)model->nq * sizeof *sim->q);
    memcpy(sim->v, step->v_end, (size_t)model->nv * sizeof *sim->v);
    memmove(sim->mocap_pos, step->mocap_pos_next, (size_t)(3 * model->nmocap) * sizeof(double));
    memmove(sim->mocap_quat, step->mocap_quat_next, (size_t)(4 * model->nmocap) * sizeof(double));
    sim->time = time;
    ut_sim_place(sim);
    report.energy_next = ut_sim_energy(sim);
    report.kinetic_next = ut_dyn_kinetic(&sim->kin, sim->v);
    report.drift = ut_contact_drift(model, &sim->kin, &report.drift_equality);
    list[parts->parts++] = report;
    parts->iterations += step->iterations;
    if (step->max_penetration > parts->max_penetration) {
        parts->max_penetration = step->max_penetration;
        parts->deepest[0] = step->deepest[0];
        parts->deepest[1] = step->deepest[1];
    }
    parts->flagged = parts->flagged || step->through;
    return UT_OK;
}

// ---- together -----------------------------------------------------------------------------------

utStatus ut_parts_report(Parts* parts, utStepReport* report)
{
    int contacts = 0, rows = 0, islands = 0;
    for (int k = 0; k < parts->parts; k++) {
        contacts += parts->part[k].contacts;
        rows += parts->part[k].rows;
        islands += parts->part[k].islands;
    }
    utContact* contact = UT_PUSH(&parts->keep, utContact, contacts);
    utRow* row = UT_PUSH(&parts->keep, utRow, rows);
    utIsland* island = UT_PUSH(&parts->keep, utIsland, islands);
    if (contact == NULL || row == NULL || island == NULL) {
        return UT_ERR_CAPACITY;
    }
    int c = 0, r = 0, before = 0;
    for (int k = 0; k < parts->parts; k++) {
        const utStepReport* part = &parts->part[k];
        for (int i = 0; i < part->contacts; i++) {
            contact[c] = part->contact[i];
            contact[c++].island += before;
        }
        for (int j = 0; j < part->rows; j++) {
            row[r] = part->row[j];
            row[r++].island += before;
        }
        for (int i = 0; i < part->islands; i++) {
            island[before + i] = part->island[i];
        }
        before += part->islands;
    }
    const utStepReport *first = &parts->part[0], *last = &parts->part[parts->parts - 1];
    *report = *last;
    report->time = first->time;
    report->h = parts->h;
    report->instant = false;
    report->q = first->q;
    report->v = first->v;
    report->mocap_pos = first->mocap_pos;
    report->mocap_quat = first->mocap_quat;
    report->projection = NULL;
    report->energy = first->energy;
    report->contacts = contacts;
    report->contact = contact;
    report->rows = rows;
    report->row = row;
    report->islands = islands;
    report->island = island;
    report->transitions = parts->transitions;
    report->transition = parts->transition;
    report->parts = parts->parts;
    report->part = parts->part;
    return UT_OK;
}
