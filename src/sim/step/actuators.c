// SPDX-License-Identifier: Apache-2.0
// Actuators of a step: activations, transmissions, and forces, which are linearly implicit.
//
// For its input the force of an actuator is p = c - K l - D l'. With the moment m of its transmission
// and the positive parts of K and D, the force over the step is
//
//     p = p(l, l') - h K l' - (h K + D) (l'+ - l'),    l' = m.v
//
// A hinge or slide has one entry in m, so that h D + h^2 K goes onto the diagonal of M. Other
// transmissions and limited forces become compliant rows, the latter with bounds. Negative parts are
// explicit: p(l, l') contains them and nothing else does.
#include <string.h>

#include "la/scalar.h"
#include "sim/step.h"
#include "sim/step/actuators.h"

// ---- activations and transmissions --------------------------------------------------------------

utStatus ut_step_activate(Step* step)
{
    const utModel* model = step->sim->model;
    double* next = UT_PUSH(&step->arena, double, model->na);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < model->nu; i++) {
        const utModelActuator* a = &model->actuator[i];
        if (a->act >= 0) {
            next[a->act] =
                ut_actuator_activate(a, step->start.act[a->act], step->input.ctrl[i], step->h);
        }
    }
    step->next.act = next;
    for (int i = 0; i < model->nu; i++) {
        const utModelActuator* a = &model->actuator[i];
        const double* act = a->act_early ? next : step->start.act;
        step->input.input[i] = a->act >= 0 ? act[a->act] : step->input.ctrl[i];
    }
    return UT_OK;
}

// Length, moment and input of an actuator. The workspace's bodies are at step->q.
static utStatus transmit(Step* step, int i, Actuation* x)
{
    const utModel* model = step->sim->model;
    const utModelActuator* a = &model->actuator[i];
    *x = (Actuation){0};
    if (a->dof >= 0) {
        x->terms = 1;
        x->index = &a->dof;
        x->coefficient = a->gear;
        x->length = a->gear[0] * step->q[model->joint[a->joint].q];
    } else {
        int* index = UT_PUSH(&step->arena, int, model->nv);
        double* coefficient = UT_PUSH(&step->arena, double, model->nv);
        if (ut_arena_failed(&step->arena)) {
            return UT_ERR_CAPACITY;
        }
        x->length =
            ut_actuator_length(&step->sim->work.kin, step->q, i, &x->terms, index, coefficient);
        x->index = index;
        x->coefficient = coefficient;
    }
    x->law = ut_actuator_law(a, ut_actuator_nearest(a, step->input.input[i], x->length));
    for (int k = 0; k < x->terms; k++) {
        x->rate += x->coefficient[k] * step->v[x->index[k]];
    }
    x->rate_of_terms = x->rate;
    if (a->equality >= 0) {
        double q[4], v[3]; // mocap bodies move it too
        ut_equality_coordinates(&step->sim->work.kin, a->equality, q, v);
        x->rate = a->gear[0] * v[0];
    }
    return UT_OK;
}

// ---- forces -------------------------------------------------------------------------------------

static double clamp_force(const utModelActuator* a, double p)
{
    return a->force_limited ? ut_clamp(p, a->force_range[0], a->force_range[1]) : p;
}

// The forces at the start of the step. Actuators that share a tendon are scaled together before their
// own ranges count.
static void find_start_forces(Step* step)
{
    const utModel* model = step->sim->model;
    double* force = step->input.actuator_force; // a temporary until the step is solved
    for (int i = 0; i < model->nu; i++) {
        const Actuation* x = &step->input.actuation[i];
        force[i] = x->law.constant - x->law.stiffness * x->length - x->law.damping * x->rate;
    }
    for (int i = 0; i < model->nu; i++) {
        const utModelActuator* a = &model->actuator[i];
        const double share = a->shares_tendon ? ut_actuator_share(model, a->tendon, force) : 1.0;
        step->input.actuation[i].start = clamp_force(a, share * force[i]);
    }
}

static void add_explicit(Step* step, int i)
{
    Actuation* x = &step->input.actuation[i];
    x->held = true;
    for (int k = 0; k < x->terms; k++) {
        step->input.force[x->index[k]] += x->coefficient[k] * x->start;
    }
}

static Linearized linearize(double h, double constant, double K, double D, double x, double rate)
{
    const double Kp = fmax(K, 0.0), Dp = fmax(D, 0.0);
    return (Linearized){
        .constant = constant,
        .K = K,
        .D = D,
        .force = constant - K * x - D * rate - h * Kp * rate,
        .implicit = h * Dp + h * h * Kp,
    };
}

// Along the coordinate of a hinge or slide.
Linearized ut_step_linearize_joint(const Step* step, int i)
{
    const utModelActuator* a = &step->sim->model->actuator[i];
    const utActuatorLaw law = step->input.actuation[i].law;
    const double g = a->gear[0];
    return linearize(step->h, g * law.constant, law.stiffness * g * g, law.damping * g * g,
                     step->q[step->sim->model->joint[a->joint].q], step->v[a->dof]);
}

void ut_step_add_actuator_row(Step* step, ActuatorRow row)
{
    step->input.limited[step->input.limited_count++] = row;
}

// Bounds of a force along a coordinate, from bounds of p.
void ut_step_bound_actuator(const utModelActuator* a, double gear, ActuatorRow* row)
{
    const double one = gear * a->force_range[0], two = gear * a->force_range[1];
    row->low = a->force_limited ? fmin(one, two) : -HUGE_VAL;
    row->high = a->force_limited ? fmax(one, two) : HUGE_VAL;
}

// An actuator of a hinge or slide.
static void drive_joint(Step* step, int i)
{
    StepInput* in = &step->input;
    const utModelActuator* a = &step->sim->model->actuator[i];
    const Linearized x = ut_step_linearize_joint(step, i);
    if (a->force_limited && x.implicit > 0.0) {
        ActuatorRow row = {.actuator = i, .force = x.force, .compliance = 1.0 / x.implicit};
        ut_step_bound_actuator(a, a->gear[0], &row);
        ut_step_add_actuator_row(step, row);
    } else if (a->force_limited) {
        add_explicit(step, i);
    } else if (in->stiffness != NULL) {
        in->force[a->dof] += x.constant;
        in->stiffness[a->dof] += x.K;
        in->damping[a->dof] += x.D;
    } else {
        in->force[a->dof] += x.force;
        in->actuator_diagonal[a->dof] += x.implicit;
    }
}

// An actuator of several velocities.
static void drive_terms(Step* step, int i)
{
    const Actuation* x = &step->input.actuation[i];
    const Linearized p =
        linearize(step->h, x->law.constant, x->law.stiffness, x->law.damping, x->length, x->rate);
    if (!(p.implicit > 0.0)) {
        add_explicit(step, i);
    } else if (x->terms > 0) {
        ActuatorRow row = {
            .actuator = i,
            .terms = x->terms,
            .index = x->index,
            .coefficient = x->coefficient,
            .rate = x->rate_of_terms,
            .force = p.force,
            .compliance = 1.0 / p.implicit,
        };
        ut_step_bound_actuator(&step->sim->model->actuator[i], 1.0, &row);
        ut_step_add_actuator_row(step, row);
    }
}

// ---- all ----------------------------------------------------------------------------------------

static void clear(int n, double* x)
{
    if (x != NULL) {
        memset(x, 0, (size_t)n * sizeof *x);
    }
}

static void drive(Step* step, int i)
{
    const utModel* model = step->sim->model;
    const utModelActuator* a = &model->actuator[i];
    step->input.actuation[i].held = step->sim->settings.traits->explicit_forces;
    if (a->equality >= 0) {
        return; // find_wrenches and rows of the equality
    }
    if (a->dof >= 0 && ut_step_limits_sum(step, &model->joint[a->joint])) {
        return; // ut_step_drive_limited_joint
    }
    if (a->shares_tendon || step->sim->settings.traits->explicit_forces) {
        add_explicit(step, i); // those that share a tendon with a range for their sum, too
    } else if (a->dof >= 0) {
        drive_joint(step, i);
    } else {
        drive_terms(step, i);
    }
}

utStatus ut_step_actuate(Step* step)
{
    StepInput* in = &step->input;
    const utModel* model = step->sim->model;
    clear(model->nv, in->force);
    clear(model->nv, in->actuator_diagonal);
    clear(model->nv, in->stiffness);
    clear(model->nv, in->damping);
    if (in->caller_force != NULL) {
        memcpy(in->force, in->caller_force, (size_t)model->nv * sizeof *in->force);
    }
    in->limited_count = 0;
    for (int i = 0; i < model->nu; i++) {
        UT_TRY(transmit(step, i, &in->actuation[i]));
    }
    find_start_forces(step);
    UT_TRY(ut_step_find_saturated(step));
    for (int i = 0; i < model->nu; i++) {
        drive(step, i);
    }
    for (int j = 0; model->nu > 0 && j < model->njoint; j++) {
        if (ut_step_limits_sum(step, &model->joint[j])) {
            ut_step_drive_limited_joint(step, j);
        }
    }
    return UT_OK;
}

// The force of an actuator over the step, from the velocities after it. Stages of an integrator
// evaluate the force along the way, so that the mean is taken there.
void ut_step_actuator_forces(Step* step)
{
    const utModel* model = step->sim->model;
    const double h = step->h;
    if (step->instant) {
        clear(model->nu, step->input.actuator_force); // finite forces do nothing in an instant
        return;
    }
    for (int i = 0; i < model->nu; i++) {
        const utModelActuator* a = &model->actuator[i];
        const Actuation* x = &step->input.actuation[i];
        double rate = x->rate;
        for (int k = 0; k < x->terms; k++) {
            rate += x->coefficient[k] * (step->v_next[x->index[k]] - step->v[x->index[k]]);
        }
        double p = x->law.constant - x->law.stiffness * x->length - x->law.damping * x->rate;
        const double K = x->law.stiffness, D = x->law.damping;
        const bool in_stages = step->input.stiffness != NULL && a->dof >= 0 && !a->force_limited &&
                               !ut_step_limits_sum(step, &model->joint[a->joint]);
        if (in_stages && !x->held) {
            p -= 0.5 * (h * K * 0.5 * (x->rate + rate) + D * (rate - x->rate));
        } else if (!x->held) {
            p -= h * fmax(K, 0.0) * rate + fmax(D, 0.0) * (rate - x->rate);
        }
        step->input.actuator_force[i] = a->shares_tendon ? x->start : clamp_force(a, p);
    }
}
