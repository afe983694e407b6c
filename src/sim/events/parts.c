// SPDX-License-Identifier: Apache-2.0
// Steps with several parts: make a part, accept it, roll all of them back.
#include "sim/events/parts.h"

#include <string.h>

static double* copy(utArena* arena, const double* from, int n)
{
    double* to = UT_PUSH(arena, double, n);
    if (to != NULL && n > 0) {
        memcpy(to, from, (size_t)n * sizeof *to);
    }
    return to;
}

// ---- begin and roll back ------------------------------------------------------------------------

// Read the input as one step of length h would: mocap targets and twists, controls and wrenches.
static utStatus hold_input(Parts* parts, const utInput* input, double h, utError* err)
{
    utSim* sim = parts->sim;
    const utModel* model = sim->model;
    HeldInput* held = &parts->held;
    Step step;
    UT_TRY(ut_step_start(sim, h, parts->until, parts->h, &step));
    UT_TRY(ut_step_input(&step, input, err));
    held->ctrl = copy(&parts->keep, step.input.ctrl, model->nu);
    utForce* wrench =
        step.input.wrench != NULL ? UT_PUSH(&parts->keep, utForce, model->nbody) : NULL;
    held->mocap_pos = copy(&parts->keep, step.next.mocap_pos, 3 * model->nmocap);
    held->mocap_quat = copy(&parts->keep, step.next.mocap_quat, 4 * model->nmocap);
    held->mocap_velocity = UT_PUSH(&parts->keep, utMotion, model->nmocap);
    if (ut_arena_failed(&parts->keep)) {
        return UT_ERR_CAPACITY;
    }
    held->wrench = wrench;
    if (wrench != NULL) {
        memcpy(wrench, step.input.wrench, (size_t)model->nbody * sizeof *wrench);
    }
    memcpy(held->mocap_velocity, step.input.mocap_velocity,
           (size_t)model->nmocap * sizeof *held->mocap_velocity);
    return UT_OK;
}

// The end of a step. An adaptive step that reaches the stop time ends exactly there.
static double find_end(const utSim* sim, double h)
{
    if (!(sim->settings.position_error > 0.0)) {
        return ut_state_next_time(&sim->state, h);
    }
    const double left = sim->settings.stop - sim->state.time;
    return left > 0.0 && left <= h ? sim->settings.stop : sim->state.time + h;
}

utStatus ut_parts_begin(utSim* sim, const utInput* input, double h, utArena keep, Parts* parts,
                        utError* err)
{
    const double end = find_end(sim, h);
    *parts = (Parts){.sim = sim,
                     .input = input,
                     .keep = keep,
                     .h = h,
                     .end = end,
                     .until = end,
                     .events.press_time = -HUGE_VAL,
                     .error.cut = HUGE_VAL};
    UT_TRY(ut_state_push(sim->model, &sim->state, &parts->keep, &parts->start));
    return hold_input(parts, input, h, err);
}

void ut_parts_roll_back(Parts* parts)
{
    // the sim's lists have had this many entries before, so that no memory is needed
    (void)ut_state_copy(parts->sim->model, &parts->start, &parts->sim->state);
    ut_sim_place(parts->sim);
}

// ---- mocap bodies -------------------------------------------------------------------------------

// Let the input move mocap bodies for a time h: to their held poses at parts->until, else by their
// held twists.
static utStatus set_mocap_targets(const Parts* parts, double h, utInput* input, utArena* arena)
{
    const SimState* state = &parts->sim->state;
    const HeldInput* held = &parts->held;
    const int n = parts->sim->model->nmocap;
    const bool reaches_end = !(state->time + h < parts->until);
    double* pos = copy(arena, reaches_end ? held->mocap_pos : state->mocap_pos, 3 * n);
    double* quat = copy(arena, reaches_end ? held->mocap_quat : state->mocap_quat, 4 * n);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int m = 0; !reaches_end && m < n; m++) {
        ut_mocap_move(state->mocap_pos, state->mocap_quat, held->mocap_velocity, m, h,
                      pos + (size_t)3 * (size_t)m, quat + (size_t)4 * (size_t)m);
    }
    input->mocap_pos = pos;
    input->mocap_quat = quat;
    return UT_OK;
}

utStatus ut_parts_aim(Parts* parts, double until, utError* err)
{
    const utSim* sim = parts->sim;
    const double h = until - sim->state.time;
    utInput input = parts->input != NULL ? *parts->input : (utInput){0};
    if (sim->model->nmocap > 0 && until < parts->end) {
        UT_TRY(set_mocap_targets(parts, h, &input, &parts->keep));
    }
    parts->until = until;
    return sim->model->nmocap > 0 ? hold_input(parts, &input, h, err) : UT_OK;
}

// ---- make and accept ----------------------------------------------------------------------------

utStatus ut_parts_substep(Parts* parts, double h, Step* step, utError* err)
{
    utSim* sim = parts->sim;
    const double end = sim->state.time + h < parts->until ? sim->state.time + h : parts->until;
    utInput input = parts->input != NULL ? *parts->input : (utInput){0};
    utArena scratch = parts->keep; // by value: the step reads the input before anything is recorded
    UT_TRY(set_mocap_targets(parts, h, &input, &scratch));
    UT_TRY(ut_step_start(sim, h, end, parts->h, step));
    step->landings = parts->events.landings;
    step->attempt = parts->attempt;
    return ut_step_make(step, &input, err);
}

utStatus ut_parts_instant(Parts* parts, Step* step)
{
    utSim* sim = parts->sim;
    const utModel* model = sim->model;
    UT_TRY(ut_step_start(sim, 0.0, sim->state.time, parts->h, step));
    step->instant = true;
    UT_TRY(ut_step_push_input(step));
    StepInput* input = &step->input;
    memcpy(input->ctrl, parts->held.ctrl, (size_t)model->nu * sizeof *input->ctrl);
    memset(input->input, 0, (size_t)model->nu * sizeof *input->input); // no forces act
    memset(input->force, 0, (size_t)model->nv * sizeof *input->force);
    memset(input->actuator_diagonal, 0, (size_t)model->nv * sizeof *input->actuator_diagonal);
    input->wrench = parts->held.wrench;
    memcpy(input->mocap_velocity, parts->held.mocap_velocity,
           (size_t)model->nmocap * sizeof *input->mocap_velocity);
    return ut_step_set_up(step);
}

// Add a part's figures to those of the step.
static void add_summary(StepSummary* all, const StepSummary* part)
{
    all->iterations += part->iterations;
    if (part->max_penetration > all->max_penetration) {
        all->max_penetration = part->max_penetration;
        all->deepest[0] = part->deepest[0];
        all->deepest[1] = part->deepest[1];
    }
    all->flagged = all->flagged || part->flagged;
}

utStatus ut_parts_accept(Parts* parts, Step* step, double time)
{
    utSim* sim = parts->sim;
    utStepReport report = ut_step_report(step);
    UT_TRY(ut_parts_copy_report(&parts->keep, &report, &report));
    if (sim->settings.position_error > 0.0) {
        ut_parts_add_impact_errors(parts, step);
    }
    UT_TRY(ut_sim_accept(step, time));
    ut_sim_report_next(sim, &report);
    add_summary(&parts->summary, &step->summary);
    return ut_parts_add_report(parts, &report);
}

utStatus ut_parts_advance(Parts* parts, double until, bool* finite, utError* err)
{
    utSim* sim = parts->sim;
    Step step;
    UT_TRY(ut_parts_aim(parts, until, err));
    utStatus status = UT_OK;
    if (sim->settings.traits->events) {
        status = ut_parts_make_events(parts, err);
    } else {
        status = ut_parts_substep(parts, until - sim->state.time, &step, err);
        if (status == UT_OK) {
            status = ut_parts_accept(parts, &step, until);
        }
    }
    *finite = status != UT_ERR_ARGUMENT;
    return *finite ? status : UT_OK;
}

utStatus ut_parts_certified(const Parts* parts, int first, bool* certified)
{
    const utSim* sim = parts->sim;
    const PartsRecord* record = &parts->record;
    bool good = !parts->summary.flagged;
    for (int k = first; k < record->parts && good; k++) {
        const utStepReport* part = &record->part[k];
        for (int i = 0; i < part->islands; i++) {
            good = good && part->island[i].solved;
        }
        if (good && !sim->settings.no_certificate) {
            utCertificate certificate;
            UT_TRY(ut_certify(part, sim->settings.tolerance, sim->work.step, &certificate));
            good = certificate.passed;
        }
    }
    *certified = good;
    return UT_OK;
}
