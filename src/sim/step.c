// SPDX-License-Identifier: Apache-2.0
// A step: kinematics, collision, contact, complementarity solve, integration; then a report, its
// certificate, and only then the sim's state changes.
#include "sim/step.h"

#include <string.h>

#include "sim/events/parts.h"
#include "sim/sleep/sleep.h"

// ---- make a step --------------------------------------------------------------------------------

utStatus ut_step_start(utSim* sim, double h, double end, double step_h, Step* step)
{
    const utModel* model = sim->model;
    *step = (Step){.sim = sim, .arena = sim->work.step, .h = h, .end = end, .step_h = step_h};
    UT_TRY(ut_state_push(model, &sim->state, &step->arena, &step->start));
    step->q = UT_PUSH(&step->arena, double, model->nq);
    step->v = UT_PUSH(&step->arena, double, model->nv);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    memcpy(step->q, step->start.q, (size_t)model->nq * sizeof *step->q);
    memcpy(step->v, step->start.v, (size_t)model->nv * sizeof *step->v);
    step->next = step->start; // shares its arrays until a stage replaces them
    step->warm = step->start.warm;
    step->warm_scale = step->warm.h > 0.0 ? h / step->warm.h : 0.0;
    return UT_OK;
}

void ut_step_place_bodies(Step* step)
{
    ut_model_carry(step->sim->model, step->start.q, step->start.v, step->q, step->v);
    ut_sim_place_at(step->sim, step->q, step->v, step->start.mocap_pos, step->start.mocap_quat,
                    step->input.mocap_velocity);
}

static utStatus set_scene(Step* step)
{
    const utSim* sim = step->sim;
    const utFormulationTraits* traits = sim->settings.traits;
    step->scene = (ContactScene){
        .model = sim->model,
        .kin = &sim->work.kin,
        .time = step->start.time,
        .h = step->h,
        .v = step->v,
        .v_free = step->free.v,
        .mocap_velocity = step->input.mocap_velocity,
        .input = step->input.input,
        .formulation = traits,
        .reach = step->instant ? UT_REACH_TOUCHING : traits->reach,
        .continuous = ut_sim_sweeps(sim),
        .asleep = step->asleep,
    };
    return ut_motion_bounds_create(sim->model, &step->arena, &step->scene.bounds);
}

static void note_penetration(Step* step)
{
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        if (-c->gap > step->summary.max_penetration) {
            step->summary.max_penetration = -c->gap;
            step->summary.deepest[0] = c->geom1;
            step->summary.deepest[1] = c->geom2;
        }
    }
}

utStatus ut_step_set_up(Step* step)
{
    ut_step_place_bodies(step);
    UT_TRY(ut_step_free_motion(step));
    ut_sleep_stop(step, step->free.v);
    UT_TRY(set_scene(step));
    UT_TRY(ut_step_find_contacts(step));
    UT_TRY(ut_step_find_rows(step));
    note_penetration(step);
    return UT_OK;
}

utStatus ut_step_solve(Step* step)
{
    const utModel* model = step->sim->model;
    step->v_next = UT_PUSH(&step->arena, double, model->nv);
    step->next.q = UT_PUSH(&step->arena, double, model->nq);
    step->next.v = UT_PUSH(&step->arena, double, model->nv);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_step_find_impulses(step));
    UT_TRY(ut_step_advance(step));
    if (step->sim->settings.traits->events && !step->instant) {
        UT_TRY(ut_step_drop_rounding(step));
    }
    UT_TRY(ut_step_restitution(step));
    return ut_step_name_states(step);
}

// Contacts and limits that impulses bring within reach join and never leave, so that this ends.
static utStatus extend(Step* step)
{
    bool extended = true;
    while (extended) {
        UT_TRY(ut_step_extend_active_set(step, &extended));
        if (extended) {
            UT_TRY(ut_step_solve(step));
        }
    }
    return UT_OK;
}

// Re-linearise as often as the model asks for, where the formulation has gaps.
static utStatus relinearize(Step* step)
{
    const utSim* sim = step->sim;
    const int passes =
        sim->settings.traits->gap == UT_GAP_NONE ? 0 : sim->model->options.relinearize;
    bool changed = true;
    for (int pass = 0; pass < passes && changed; pass++) {
        const Step before = *step;
        UT_TRY(ut_step_relinearize(step, &changed));
        if (!changed) {
            break;
        }
        UT_TRY(ut_step_solve(step));
        if (!ut_step_all_solved(step)) {
            // bodies that overlapped at the start cannot always separate within one step
            const utArena used = step->arena;
            *step = before;
            step->arena = used;
            break;
        }
    }
    return UT_OK;
}

utStatus ut_step_make_awake(Step* step)
{
    UT_TRY(ut_step_set_up(step));
    if (step->sim->settings.tier == UT_TIER_BUDGET) {
        return ut_budget_make(step);
    }
    if (step->attempt.closing > 0.0) {
        UT_TRY(ut_step_close_gaps(step));
    }
    UT_TRY(ut_step_project(step));
    UT_TRY(ut_step_check_projection(step));
    UT_TRY(ut_step_solve(step));
    UT_TRY(extend(step));
    UT_TRY(relinearize(step));
    UT_TRY(ut_step_remove_overlaps(step));
    return ut_step_sweep(step);
}

utStatus ut_step_make(Step* step, const utInput* input, utError* err)
{
    UT_TRY(ut_step_input(step, input, err));
    return step->start.sleep.trees > 0 ? ut_sleep_make(step) : ut_step_make_awake(step);
}

// ---- report and accept --------------------------------------------------------------------------

// Energy at the start of a step. As a rule the report of the step before knows it.
static double energy_at_start(const Step* step)
{
    const utSim* sim = step->sim;
    if (sim->work.placed.energy_known && step->projection == NULL) {
        return sim->work.placed.energy;
    }
    return ut_dyn_kinetic(&sim->work.kin, step->start.v) +
           ut_dyn_potential(&sim->work.kin, step->q, sim->model->options.gravity);
}

utStepReport ut_step_report(Step* step)
{
    ut_step_actuator_forces(step);
    const utSim* sim = step->sim;
    const SimSettings* settings = &sim->settings;
    return (utStepReport){
        .model = sim->model,
        .time = step->start.time,
        .h = step->h,
        .integrator = settings->integrator,
        .formulation = settings->formulation,
        .tier = settings->tier,
        .midpoint = sim->model->options.midpoint,
        .directions = settings->traits->section == UT_SECTION_CIRCLE ? 0
                      : settings->section.kind == UT_SECTION_SEGMENT ? 2
                                                                     : settings->directions,
        .gravity = sim->model->options.gravity,
        .q = step->start.q,
        .v = step->start.v,
        .ctrl = step->input.ctrl,
        .act = step->start.act,
        .act_next = step->next.act,
        .actuator_force = step->input.actuator_force,
        .caller_force = step->input.caller_force,
        .force = step->input.force,
        .actuator_diagonal = step->input.actuator_diagonal,
        .stiffness = step->input.stiffness,
        .damping = step->input.damping,
        .applied = step->input.wrench,
        .mocap_pos = step->start.mocap_pos,
        .mocap_quat = step->start.mocap_quat,
        .mocap_velocity = step->input.mocap_velocity,
        .mocap_pos_next = step->next.mocap_pos,
        .mocap_quat_next = step->next.mocap_quat,
        .contacts = step->active.contacts,
        .rows = step->active.rows,
        .islands = step->active.islands,
        .contact = step->active.contact,
        .row = step->active.row,
        .island = step->active.island,
        .relinearizations = step->ahead.passes,
        .v_ahead = step->ahead.v,
        .mocap_ahead = step->ahead.mocap_fraction,
        .v_free = step->free.v,
        .q_free = step->free.q,
        .v_next = step->next.v,
        .q_next = step->next.q,
        .projection = step->projection,
        .correction = step->correction,
        .drift_equality = -1,
        .energy = energy_at_start(step),
        .instant = step->instant,
        .minimum_rebound = step->instant ? ut_step_min_rebound(step) : 0.0,
        .asleep = step->asleep,
        .asleep_E = step->asleep_E,
    };
}

void ut_sim_report_next(utSim* sim, utStepReport* report)
{
    const utVec3 gravity = sim->model->options.gravity;
    const CertificatePlacements* certified = &sim->work.certified;
    if (ut_certificate_placed_at(certified, sim->state.q, NULL, NULL) &&
        ut_certificate_knows_energy(certified, sim->state.v, gravity)) {
        report->kinetic_next = certified->kinetic; // of the same bodies at the same state
        report->energy_next = certified->energy;
    } else {
        report->kinetic_next = ut_dyn_kinetic(&sim->work.kin, sim->state.v);
        report->energy_next =
            report->kinetic_next + ut_dyn_potential(&sim->work.kin, sim->state.q, gravity);
    }
    sim->work.placed.energy = report->energy_next;
    sim->work.placed.energy_known = true;
    report->drift =
        ut_contact_drift(sim->model, &sim->work.kin, sim->state.q, &report->drift_equality);
}

utStatus ut_sim_accept(Step* step, double time)
{
    SimState* next = &step->next;
    next->time = time;
    next->modes = step->sim->state.modes; // events update them before they accept a part
    if (!step->instant) {
        // impulses of an instant do not scale with h: keep the warm start of the last sub-step
        UT_TRY(ut_step_keep_impulses(step, &next->warm));
        UT_TRY(ut_sleep_keep_impulses(step, &next->warm));
    }
    return ut_sim_set_state(step->sim, next);
}

// ---- certificate --------------------------------------------------------------------------------

static utStatus certify(utSim* sim, utArena scratch, utStepResult* result)
{
    for (int k = 0; k < result->report.islands; k++) {
        if (result->report.island[k].fallback) {
            result->outcome = UT_STEP_FLAGGED;
        }
    }
    if (!sim->settings.no_certificate) {
        UT_TRY(ut_certify_with(&result->report, sim->settings.tolerance, &sim->work.certified,
                               scratch, &result->certificate));
        if (!result->certificate.passed) {
            result->outcome = ut_certificate_within_budget(&result->report, &result->certificate)
                                  ? UT_STEP_BUDGET
                                  : UT_STEP_UNCERTIFIED;
        }
    }
    return UT_OK;
}

static bool is_accepted(const utSim* sim, const utStepResult* result)
{
    return result->outcome != UT_STEP_UNCERTIFIED || sim->settings.keep_going;
}

static utStepResult make_result(const StepSummary* summary, int tries)
{
    return (utStepResult){
        .outcome = summary->flagged ? UT_STEP_FLAGGED : UT_STEP_CERTIFIED,
        .max_penetration = summary->max_penetration,
        .deepest = {summary->deepest[0], summary->deepest[1]},
        .iterations = summary->iterations,
        .tries = tries,
        .pieces = 1,
    };
}

// ---- take a step --------------------------------------------------------------------------------

// Make a step in one piece, report and certify it.
static utStatus make_whole(utSim* sim, const utInput* input, StepAttempt attempt, Step* step,
                           utStepResult* result, utError* err)
{
    const double dt = sim->settings.dt;
    bool held = false;
    if (sim->settings.sleep) {
        UT_TRY(ut_sleep_try(sim, input, step, &held, err));
    }
    if (!held) {
        UT_TRY(ut_step_start(sim, dt, ut_state_next_time(&sim->state, dt), dt, step));
        step->attempt = attempt;
        UT_TRY(ut_step_make(step, input, err));
    }
    *result = make_result(&step->summary, 1);
    result->report = ut_step_report(step);
    UT_TRY(certify(sim, step->arena, result));
    ut_sim_record_step(sim, result, step->q);
    return UT_OK;
}

// Report and certify a step with several parts. The sim is at its end.
static utStatus finish_parts(Parts* parts, int tries, utStepResult* result)
{
    *result = make_result(&parts->summary, tries);
    UT_TRY(ut_parts_report(parts, &result->report));
    return certify(parts->sim, parts->sim->work.step, result);
}

// A step that is not certified is divided. @param result of a divided step that is certified; else unchanged
static utStatus divide(utSim* sim, const utInput* input, utStepResult* result, utError* err)
{
    Parts parts;
    bool certified = false;
    UT_TRY(ut_step_divide(sim, input, &parts, &certified, err));
    if (err != NULL) {
        err->message[0] = '\0'; // of pieces that were not accepted
    }
    if (!certified) {
        return UT_OK;
    }
    utStepResult divided;
    utStatus status = finish_parts(&parts, 1, &divided);
    if (status != UT_OK || divided.outcome == UT_STEP_UNCERTIFIED) {
        ut_parts_roll_back(&parts);
        return status;
    }
    divided.outcome = UT_STEP_FLAGGED;
    divided.pieces = divided.report.parts;
    divided.closed = parts.closed;
    *result = divided;
    return ut_sim_record_part(sim, result);
}

// Make a step in one piece, in other ways until it is certified.
// @param result of the first attempt that is certified, or of the last one
static utStatus attempt_whole(utSim* sim, const utInput* input, Step* step, utStepResult* result,
                              utError* err)
{
    const int attempts = ut_step_attempts(sim);
    for (int k = 0;; k++) {
        const StepAttempt attempt = ut_step_attempt(sim, k, sim->settings.dt);
        UT_TRY(make_whole(sim, input, attempt, step, result, err));
        if (result->outcome != UT_STEP_UNCERTIFIED) {
            result->outcome = attempt.closing > 0.0 ? UT_STEP_FLAGGED : result->outcome;
            result->closed = attempt.closing;
            return UT_OK;
        }
        if (k + 1 == attempts || !ut_step_is_worth_another(&result->report)) {
            return UT_OK;
        }
    }
}

static utStatus take_step(utSim* sim, const utInput* input, utStepResult* result, utError* err)
{
    Step step;
    UT_TRY(attempt_whole(sim, input, &step, result, err));
    if (result->outcome == UT_STEP_UNCERTIFIED && ut_step_may_try_again(sim) &&
        ut_step_is_worth_another(&result->report)) {
        UT_TRY(divide(sim, input, result, err));
        if (result->pieces > 1) {
            return UT_OK;
        }
        UT_TRY(make_whole(sim, input, (StepAttempt){0}, &step, result,
                          err)); // for its report, which the pieces have overwritten
    }
    if (!is_accepted(sim, result)) {
        return UT_OK;
    }
    step.next.steps++;
    ut_sleep_note(&step, &result->certificate);
    UT_TRY(ut_sim_accept(&step, step.end));
    result->sleeping = ut_sim_sleeping(sim);
    ut_sim_report_next(sim, &result->report);
    return UT_OK;
}

static utStatus take_parts(utSim* sim, const utInput* input, utStepResult* result, utError* err)
{
    const bool adaptive = sim->settings.position_error > 0.0;
    Parts parts;
    utStatus status = UT_OK;
    if (adaptive) {
        UT_TRY(ut_step_adaptive(sim, input, &parts, err));
    } else {
        UT_TRY(ut_parts_begin(sim, input, sim->settings.dt, sim->work.kept, &parts, err));
        status = ut_parts_make_events(&parts, err);
        sim->state.steps++;
    }
    if (status == UT_OK) {
        status = finish_parts(&parts, adaptive ? parts.tries : 1, result);
    }
    if (status != UT_OK || !is_accepted(sim, result)) {
        ut_parts_roll_back(&parts);
    }
    UT_TRY(status);
    return ut_sim_record_part(sim, result);
}

// Complete the message of a step that could not be made.
static utStatus explain(const utSim* sim, utStatus status, utError* err)
{
    if (status == UT_ERR_CAPACITY) {
        status = UT_ERR_MEMORY; // the sim's own memory grows, so that only the allocator can fail
    }
    if (err != NULL && err->message[0] != '\0') {
        return status;
    }
    if (status == UT_ERR_ARGUMENT) {
        return ut_error_set(err, status,
                            "the step of %s from t = %g s has no finite result; take a smaller dt",
                            ut_integrator_name(sim->settings.integrator), sim->state.time);
    }
    return ut_error_set(err, status, "%s", ut_status_text(status));
}

utStatus ut_sim_step(utSim* sim, const utInput* input, utStepResult* result, utError* err)
{
    utStepResult local;
    sim->last.valid = false;
    sim->last.taken = false;
    if (err != NULL) {
        err->message[0] = '\0';
    }
    const utStatus status = ut_sim_has_parts(sim) ? take_parts(sim, input, &local, err)
                                                  : take_step(sim, input, &local, err);
    if (status != UT_OK || !is_accepted(sim, &local)) {
        ut_sim_place(sim); // because the step has moved the workspace's bodies
    }
    if (status != UT_OK) {
        return explain(sim, status, err);
    }
    sim->last.valid = true;
    sim->last.taken = is_accepted(sim, &local);
    if (sim->model->nsensor > 0) {
        sim->last.whole = local.report;
    }
    if (result != NULL) {
        *result = local;
    }
    if (!is_accepted(sim, &local)) {
        return ut_error_set(err, UT_ERR_NOT_TAKEN,
                            "the step from t = %g s is not certified (%s) and was not taken",
                            sim->state.time, ut_certificate_reason_name(local.certificate.reason));
    }
    return UT_OK;
}
