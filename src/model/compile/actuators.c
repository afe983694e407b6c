// SPDX-License-Identifier: Apache-2.0
// Actuators: every kind becomes gain, bias and dynamics.
#include "model/internal.h"

#include <string.h>

// ---- fill ---------------------------------------------------------------------------------------

static void set3(double to[3], double a, double b, double c)
{
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

utActuatorDynamics ut_model_actuator_dynamics(const utActuatorDef* def)
{
    switch (def->kind) {
    case UT_ACTUATOR_POSITION:
        return def->time_constant > 0.0 ? UT_DYNAMICS_FILTER_EXACT : UT_DYNAMICS_NONE;
    case UT_ACTUATOR_INTVELOCITY:
        return UT_DYNAMICS_INTEGRATOR;
    case UT_ACTUATOR_CYLINDER:
        return UT_DYNAMICS_FILTER;
    case UT_ACTUATOR_GENERAL:
        return def->dynamics;
    case UT_ACTUATOR_MOTOR:
    case UT_ACTUATOR_VELOCITY:
    case UT_ACTUATOR_DAMPER:
    case UT_ACTUATOR_KIND_COUNT:
        break;
    }
    return UT_DYNAMICS_NONE;
}

// Gain and bias of the kind.
static void fill_law(const utActuatorDef* def, utModelActuator* a)
{
    set3(a->gain, 1.0, 0.0, 0.0);
    set3(a->bias, 0.0, 0.0, 0.0);
    switch (def->kind) {
    case UT_ACTUATOR_POSITION:
    case UT_ACTUATOR_INTVELOCITY:
        set3(a->gain, def->kp, 0.0, 0.0);
        set3(a->bias, 0.0, -def->kp, -def->kv);
        break;
    case UT_ACTUATOR_VELOCITY:
        set3(a->gain, def->kv, 0.0, 0.0);
        set3(a->bias, 0.0, 0.0, -def->kv);
        break;
    case UT_ACTUATOR_DAMPER:
        set3(a->gain, 0.0, 0.0, -def->kv);
        break;
    case UT_ACTUATOR_CYLINDER:
        set3(a->gain, def->gain[0], 0.0, 0.0);
        memcpy(a->bias, def->bias, sizeof a->bias);
        break;
    case UT_ACTUATOR_GENERAL:
        memcpy(a->gain, def->gain, sizeof a->gain);
        memcpy(a->bias, def->bias, sizeof a->bias);
        break;
    case UT_ACTUATOR_MOTOR:
    case UT_ACTUATOR_KIND_COUNT:
        break;
    }
}

// The length of one turn of a servo that follows a rotation, 0 for other actuators.
static double turn_of(const Work* work, const utModelActuator* a)
{
    static const double TURN = 2.0 * 3.14159265358979323846;
    const bool ball = a->joint >= 0 && work->array.joint[a->joint].kind == UT_JOINT_BALL;
    const bool site =
        a->ref_site >= 0 && a->gear[0] == 0.0 && a->gear[1] == 0.0 && a->gear[2] == 0.0;
    const bool servo =
        a->gain[0] == -a->bias[1] && a->gain[0] != 0.0 && a->gain[1] == 0.0 && a->gain[2] == 0.0;
    const double* axis = a->gear + (site ? 3 : 0);
    return (ball || site) && servo ? TURN * ut_vec3_norm(ut_vec3(axis[0], axis[1], axis[2])) : 0.0;
}

// The joint, tendon, site or equality that it drives.
static void fill_driven(const Work* work, const utActuatorDef* def, utModelActuator* a)
{
    const utTransmission way = ut_model_transmission(def);
    const bool site = way == UT_TRANSMISSION_SITE, crank = way == UT_TRANSMISSION_SLIDER_CRANK;
    a->transmission = way;
    a->joint = way == UT_TRANSMISSION_JOINT ? work->scratch.joint_of_described[def->joint] : -1;
    a->in_parent = a->joint >= 0 && def->in_parent;
    a->equality = way == UT_TRANSMISSION_EQUALITY ? def->equality : -1;
    a->tendon = way == UT_TRANSMISSION_TENDON ? def->tendon : -1;
    a->site = site ? def->site : -1;
    a->ref_site = site ? def->ref_site : -1;
    a->crank_site = crank ? def->crank_site : -1;
    a->slider_site = crank ? def->slider_site : -1;
    a->crank_length = crank ? def->crank_length : 0.0;
    a->dof = -1;
    if (a->joint >= 0) {
        const utModelJoint* joint = &work->array.joint[a->joint];
        const bool one = joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE;
        a->dof = one ? joint->v : -1;
    }
    a->gear[0] = def->gear;
    memcpy(a->gear + 1, def->more_gear, sizeof def->more_gear);
}

// The force range of a tendon's only actuator: the tendon's range, clamped by the actuator's own, which
// wins when the ranges do not meet.
static void share_tendon(const Work* work, utModelActuator* a)
{
    const utModelTendon* tendon = &work->array.tendon[a->tendon];
    const double* range = tendon->actuator_force_range;
    double both[2];
    int actuators = 0;
    for (int i = 0; i < work->def->actuator.count; i++) {
        const utActuatorDef* other = ut_model_actuator_def(work->def, i);
        actuators +=
            ut_model_transmission(other) == UT_TRANSMISSION_TENDON && other->tendon == a->tendon;
    }
    a->shares_tendon = tendon->actuator_force_limited && actuators > 1;
    if (!tendon->actuator_force_limited || actuators > 1) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        const double* own = a->force_range;
        both[k] = a->force_limited ? fmin(fmax(range[k], own[0]), own[1]) : range[k];
    }
    memcpy(a->force_range, both, sizeof both);
    a->force_limited = true;
}

// ---- joints that several transmissions drive ----------------------------------------------------

// Does a velocity move one of two sites and not the other? @param other may be -1
static bool moves_site(const Work* work, int dof, int site, int other)
{
    const bool one = site >= 0 && ut_model_moves(work, dof, work->array.site[site].body);
    const bool two = other >= 0 && ut_model_moves(work, dof, work->array.site[other].body);
    return one != two;
}

static bool moves_tendon(const Work* work, int dof, int tendon)
{
    bool found = false;
    for (int k = 0; tendon >= 0 && k < work->array.tendon[tendon].terms; k++) {
        found = found || work->array.tendon[tendon].index[k] == dof;
    }
    return found;
}

// Find joints with a range for the sum of their actuators that tendons or sites drive, too.
static void find_other_drives(Work* work)
{
    for (int i = 0; i < work->model->nactuator; i++) {
        const utModelActuator* a = &work->array.actuator[i];
        for (int j = 0; j < work->model->njoint; j++) {
            utModelJoint* joint = &work->array.joint[j];
            const bool moved = moves_tendon(work, joint->v, a->tendon) ||
                               moves_site(work, joint->v, a->site, a->ref_site) ||
                               moves_site(work, joint->v, a->crank_site, a->slider_site);
            joint->driven_by_others =
                joint->driven_by_others || (joint->actuator_force_limited && moved);
        }
    }
}

void ut_model_fill_actuators(Work* work)
{
    work->model->na = 0;
    for (int i = 0; i < work->model->nactuator; i++) {
        const utActuatorDef* def = ut_model_actuator_def(work->def, i);
        utModelActuator* a = &work->array.actuator[i];
        *a = (utModelActuator){
            .name = ut_model_keep_text(work, def->name),
            .kind = def->kind,
            .dynamics = ut_model_actuator_dynamics(def),
            .act = -1,
            .ctrl_limited = def->ctrl_limited,
            .force_limited = def->force_limited,
            .ctrl_range = {def->ctrl_range[0], def->ctrl_range[1]},
            .force_range = {def->force_range[0], def->force_range[1]},
        };
        fill_driven(work, def, a);
        fill_law(def, a);
        a->turn = turn_of(work, a);
        if (a->tendon >= 0) {
            share_tendon(work, a);
        }
        if (def->dampratio > 0.0) {
            a->bias[2] = -ut_model_damping_of_ratio(work, a, a->gain[0], def->dampratio);
        }
        if (a->dynamics != UT_DYNAMICS_NONE) {
            a->act = work->model->na++;
            a->time_constant = a->dynamics == UT_DYNAMICS_INTEGRATOR ? 0.0 : def->time_constant;
            a->act_early = def->act_early;
            a->act_limited = def->act_limited;
            a->act_range[0] = def->act_range[0];
            a->act_range[1] = def->act_range[1];
        }
    }
    find_other_drives(work);
}
