// SPDX-License-Identifier: Apache-2.0
// A step reads like this: what acts; where everything is and what it may touch;
// out of overlaps; impulses and the next state; a report; its certificate. Only
// then the state changes.
#include <string.h>

#include "internal.h"

utStatus ut_step_begin(utSim* sim, const utInput* input, Step* step, utError* err)
{
    *step = (Step){
        .sim = sim,
        .arena = sim->step,
        .warm = sim->warm,
        .warm_count = sim->warm_count,
        .warm_share = sim->warm_h > 0.0 ? sim->h / sim->warm_h : 0.0,
    };
    const utModel* model = sim->model;
    step->q = UT_PUSH(&step->arena, double, model->nq);
    step->q_start = UT_PUSH(&step->arena, double, model->nq);
    step->v = UT_PUSH(&step->arena, double, model->nv);
    step->v_start = UT_PUSH(&step->arena, double, model->nv);
    step->mocap_pos = UT_PUSH(&step->arena, double, 3 * model->nmocap);
    step->mocap_quat = UT_PUSH(&step->arena, double, 4 * model->nmocap);
    if (step->q == NULL || step->q_start == NULL || step->v == NULL || step->v_start == NULL ||
        step->mocap_pos == NULL || step->mocap_quat == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(step->q, sim->q, (size_t)model->nq * sizeof *step->q);
    memcpy(step->q_start, sim->q, (size_t)model->nq * sizeof *step->q);
    memcpy(step->v, sim->v, (size_t)model->nv * sizeof *step->v);
    memcpy(step->v_start, sim->v, (size_t)model->nv * sizeof *step->v);
    memcpy(step->mocap_pos, sim->mocap_pos, (size_t)(3 * model->nmocap) * sizeof(double));
    memcpy(step->mocap_quat, sim->mocap_quat, (size_t)(4 * model->nmocap) * sizeof(double));
    return ut_step_input(step, input, err);
}

static double energy(const utSim* sim, const double* q, const double* v)
{
    return ut_dyn_kinetic(&sim->kin, v) +
           ut_dyn_potential(&sim->kin, q, sim->model->options.gravity);
}

utStepReport ut_step_report(const Step* step)
{
    const utSim* sim = step->sim;
    return (utStepReport){
        .model = sim->model,
        .time = sim->time,
        .h = sim->h,
        .integrator = sim->integrator,
        .formulation = sim->which,
        .midpoint = sim->model->options.midpoint,
        .directions = sim->formulation->section == UT_SECTION_CIRCLE ? 0
                      : sim->section.kind == UT_SECTION_SEGMENT      ? 2
                                                                     : sim->directions,
        .gravity = sim->model->options.gravity,
        .q = step->q_start,
        .v = step->v_start,
        .ctrl = step->ctrl,
        .caller_force = step->given,
        .force = step->force,
        .actuator_diagonal = step->more,
        .stiffness = step->stiffness,
        .damping = step->damping,
        .applied = step->applied,
        .mocap_pos = step->mocap_pos,
        .mocap_quat = step->mocap_quat,
        .mocap_velocity = step->mocap_velocity,
        .mocap_pos_next = step->mocap_pos_next,
        .mocap_quat_next = step->mocap_quat_next,
        .contacts = step->contacts,
        .rows = step->rows,
        .islands = step->islands,
        .contact = step->contact,
        .row = step->row,
        .island = step->island,
        .relinearizations = step->passes,
        .v_ahead = step->v_ahead,
        .mocap_ahead = step->mocap_ahead,
        .v_free = step->v_free,
        .q_free = step->q_free,
        .v_next = step->v_end,
        .q_next = step->q_next,
        .projection = step->projection,
        .drift_equality = -1,
        .energy = energy(sim, step->q, sim->v),
        .instant = step->instant,
        .minimum_rebound = step->instant ? ut_sim_hop(sim) : 0.0,
    };
}

static bool all_solved(const Step* step)
{
    bool solved = true;
    for (int k = 0; k < step->islands; k++) {
        solved = solved && step->island[k].solved;
    }
    return solved;
}

// As often as the model asks for, where the formulation knows gaps.
static utStatus relinearize(Step* step)
{
    const utSim* sim = step->sim;
    const int passes = sim->formulation->gap == UT_GAP_NONE ? 0 : sim->model->options.relinearize;
    bool more = true;
    for (int pass = 0; pass < passes && more; pass++) {
        const Step before = *step;
        UT_TRY(ut_step_relinearize(step, &more));
        if (!more) {
            break;
        }
        UT_TRY(ut_step_solve(step));
        if (!all_solved(step)) {
            // bodies that overlapped at the start may have no way out within one step
            const utArena used = step->arena;
            *step = before;
            step->arena = used;
            break;
        }
    }
    return UT_OK;
}

utStatus ut_step_make(utSim* sim, const utInput* input, Step* step, utError* err)
{
    UT_TRY(ut_step_begin(sim, input, step, err));
    UT_TRY(ut_step_look(step));
    UT_TRY(ut_step_project(step));
    UT_TRY(ut_step_check_projection(step));
    UT_TRY(ut_step_solve(step));
    // contacts and limits that impulses brought within reach join and never leave, so this ends
    bool more = true;
    while (more) {
        UT_TRY(ut_step_look_again(step, &more));
        if (more) {
            UT_TRY(ut_step_solve(step));
        }
    }
    UT_TRY(relinearize(step));
    UT_TRY(ut_step_separate(step));
    return ut_step_sweep(step);
}

static utStatus judge(const utSim* sim, utArena scratch, utStepResult* result)
{
    for (int k = 0; k < result->report.islands; k++) {
        if (result->report.island[k].fallback) {
            result->outcome = UT_STEP_FLAGGED;
        }
    }
    if (!sim->no_certificate) {
        UT_TRY(ut_certify(&result->report, sim->tolerance, scratch, &result->certificate));
        if (!result->certificate.passed) {
            result->outcome = UT_STEP_UNCERTIFIED;
        }
    }
    return UT_OK;
}

// @return UT_ERR_CAPACITY when the step needs more memory
static utStatus try_step(utSim* sim, const utInput* input, Step* step, utStepResult* result,
                         utError* err)
{
    sim->h = sim->dt;
    sim->end = sim->start + (double)(sim->steps + 1) * sim->dt;
    UT_TRY(ut_step_make(sim, input, step, err));
    *result = (utStepResult){
        .outcome = step->through ? UT_STEP_FLAGGED : UT_STEP_CERTIFIED,
        .report = ut_step_report(step),
        .max_penetration = step->max_penetration,
        .deepest = {step->deepest[0], step->deepest[1]},
        .iterations = step->iterations,
        .tries = 1,
    };
    return judge(sim, step->arena, result);
}

// The same of a step that is made of parts: the sim is where it ends, unless it is not taken.
static utStatus try_parts(utSim* sim, const utInput* input, utStepResult* result, utError* err)
{
    Parts parts;
    utStatus status;
    if (sim->adaptive > 0.0) {
        UT_TRY(ut_step_adapt(sim, input, &parts, err));
        status = UT_OK;
    } else {
        UT_TRY(ut_parts_begin(sim, input, sim->dt, &parts, err));
        status = ut_step_events(&parts, err);
        sim->steps++;
    }
    if (status == UT_OK) {
        *result = (utStepResult){.outcome = UT_STEP_CERTIFIED};
        status = ut_parts_report(&parts, &result->report);
    }
    if (status == UT_OK) {
        result->max_penetration = parts.max_penetration;
        result->deepest[0] = parts.deepest[0];
        result->deepest[1] = parts.deepest[1];
        result->iterations = parts.iterations;
        result->tries = sim->adaptive > 0.0 ? parts.tries : 1;
        result->outcome = parts.flagged ? UT_STEP_FLAGGED : UT_STEP_CERTIFIED;
        status = judge(sim, sim->step, result);
    }
    const bool taken =
        status == UT_OK && (result->outcome != UT_STEP_UNCERTIFIED || sim->keep_going);
    sim->h = sim->dt;
    if (!taken) {
        ut_parts_undo(&parts);
    }
    return status;
}

// ---- memory -------------------------------------------------------------------------------------

// Room for twice as much.
utStatus ut_sim_grow(utSim* sim)
{
    utArena larger;
    const size_t size = 2 * sim->step_size;
    UT_TRY(ut_arena_create(size, sim->allocator, &larger));
    ut_arena_destroy(&sim->step);
    sim->step = larger;
    sim->step_size = size;
    if (!ut_sim_has_parts(sim)) {
        return UT_OK;
    }
    UT_TRY(ut_arena_create(size, sim->allocator, &larger));
    ut_arena_destroy(&sim->keep);
    sim->keep = larger;
    return UT_OK;
}

utStatus ut_sim_reserve_warm(utSim* sim, int count)
{
    if (count <= sim->warm_capacity) {
        return UT_OK;
    }
    utArena larger;
    UT_TRY(ut_arena_create(ut_arena_need((size_t)(2 * count), sizeof *sim->warm), sim->allocator,
                           &larger));
    utArena rest = larger;
    WarmImpulse* warm = UT_PUSH(&rest, WarmImpulse, 2 * count);
    memcpy(warm, sim->warm, (size_t)sim->warm_count * sizeof *warm);
    ut_arena_destroy(&sim->warm_memory);
    sim->warm_memory = larger;
    sim->warm = warm;
    sim->warm_capacity = 2 * count;
    return UT_OK;
}

// ---- the step -----------------------------------------------------------------------------------

static void accept(utSim* sim, const Step* step)
{
    const utModel* model = sim->model;
    sim->warm_count =
        ut_warm_store(step->contacts, step->contact, step->rows, step->row, sim->warm);
    sim->warm_h = sim->h;
    memcpy(sim->q, step->q_next, (size_t)model->nq * sizeof *sim->q);
    memcpy(sim->v, step->v_end, (size_t)model->nv * sizeof *sim->v);
    memmove(sim->mocap_pos, step->mocap_pos_next, (size_t)(3 * model->nmocap) * sizeof(double));
    memcpy(sim->mocap_quat, step->mocap_quat_next, (size_t)(4 * model->nmocap) * sizeof(double));
    sim->steps++;
    sim->time = sim->end;
    ut_sim_place(sim);
}

// A step that could not be made leaves a message, whoever noticed.
static utStatus say_why(const utSim* sim, utStatus status, utError* err)
{
    if (err != NULL && err->message[0] != '\0') {
        return status;
    }
    if (status == UT_ERR_ARGUMENT) {
        return ut_error_set(err, status,
                            "the step of %s from t = %g s has no finite result; take a smaller dt",
                            ut_integrator_name(sim->integrator), sim->time);
    }
    return ut_error_set(err, status, "%s", ut_status_text(status));
}

// One step by itself, again with more memory where it needs it.
static utStatus take_step(utSim* sim, const utInput* input, utStepResult* result, utError* err)
{
    Step step;
    utStatus status = try_step(sim, input, &step, result, err);
    while (status == UT_ERR_CAPACITY) {
        status = ut_sim_grow(sim);
        if (status == UT_OK) {
            status = try_step(sim, input, &step, result, err);
        }
    }
    if (status == UT_OK) {
        status = ut_sim_reserve_warm(sim, step.contacts + step.rows);
    }
    UT_TRY(status);
    if (result->outcome != UT_STEP_UNCERTIFIED || sim->keep_going) {
        accept(sim, &step);
        result->report.energy_next = ut_sim_energy(sim);
        result->report.kinetic_next = ut_dyn_kinetic(&sim->kin, sim->v);
        result->report.drift =
            ut_contact_drift(sim->model, &sim->kin, &result->report.drift_equality);
    }
    ut_sim_keep_step(sim, result, step.q);
    return UT_OK;
}

static utStatus take_parts(utSim* sim, const utInput* input, utStepResult* result, utError* err)
{
    utStatus status = try_parts(sim, input, result, err);
    while (status == UT_ERR_CAPACITY) {
        status = ut_sim_grow(sim);
        if (status == UT_OK) {
            status = try_parts(sim, input, result, err);
        }
    }
    UT_TRY(status);
    return ut_sim_keep_part(sim, result);
}

utStatus ut_sim_step(utSim* sim, const utInput* input, utStepResult* result, utError* err)
{
    utStepResult local;
    sim->has_last = false;
    if (err != NULL) {
        err->message[0] = '\0';
    }
    const utStatus status = ut_sim_has_parts(sim) ? take_parts(sim, input, &local, err)
                                                  : take_step(sim, input, &local, err);
    if (status != UT_OK) {
        return say_why(sim, status, err);
    }
    sim->has_last = true;
    if (result != NULL) {
        *result = local;
    }
    if (local.outcome == UT_STEP_UNCERTIFIED && !sim->keep_going) {
        return ut_error_set(err, UT_ERR_NOT_TAKEN,
                            "the step from t = %g s is not certified (%s) and was not taken",
                            sim->time, ut_certificate_reason_name(local.certificate.reason));
    }
    return UT_OK;
}
