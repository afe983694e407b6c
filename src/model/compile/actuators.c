// SPDX-License-Identifier: Apache-2.0
// Actuators: every kind becomes gain, bias and dynamics.
#include "model/internal.h"

#include <string.h>

// ---- damping ratio ------------------------------------------------------------------------------

// The diagonal entry of the mass matrix in the modelled pose.
static double inertia_of(const Work* work, int dof)
{
    const int first = work->array.dof_body[dof];
    double sum = work->array.dof_armature[dof];
    for (int b = first; b < work->scratch.subtree_end[first]; b++) {
        const utModelBody* body = &work->array.body[b];
        const utFrame at = work->scratch.in_world[b];
        const utMotion x = ut_model_unit_motion(work, dof, ut_frame_point(at, body->com));
        const utVec3 w = ut_mat3_tmul_vec(at.R, x.angular);
        sum += body->mass * ut_vec3_dot(x.linear, x.linear) +
               ut_vec3_dot(w, ut_mat3_mul_vec(body->inertia, w));
    }
    return sum;
}

static bool moves(const Work* work, int dof, int body)
{
    int k = work->array.body[body].last_dof;
    while (k > dof) {
        k = work->array.dof_parent[k];
    }
    return k == dof;
}

// The velocity along a site's gear, in the axes of a frame.
static double site_velocity(const Work* work, const utModelActuator* a, int site, utMat3 R, int dof)
{
    const utModelSite* s = &work->array.site[site];
    const utVec3 at = ut_frame_point(work->scratch.in_world[s->body], s->in_body.p);
    const utMotion x = ut_model_unit_motion(work, dof, at);
    const utVec3 force = ut_vec3(a->gear[0], a->gear[1], a->gear[2]);
    const utVec3 torque = ut_vec3(a->gear[3], a->gear[4], a->gear[5]);
    return ut_vec3_dot(ut_mat3_mul_vec(R, force), x.linear) +
           ut_vec3_dot(ut_mat3_mul_vec(R, torque), x.angular);
}

// The moment of a site in the modelled pose, as ut_actuator_length has it.
static double site_moment(const Work* work, const utModelActuator* a, int dof)
{
    const utModelSite* frame = &work->array.site[a->ref_site >= 0 ? a->ref_site : a->site];
    const utMat3 R = ut_mat3_mul(work->scratch.in_world[frame->body].R, frame->in_body.R);
    const bool one = moves(work, dof, work->array.site[a->site].body);
    const bool two = a->ref_site >= 0 && moves(work, dof, frame->body);
    return one == two ? 0.0
           : one      ? site_velocity(work, a, a->site, R, dof)
                      : -site_velocity(work, a, a->ref_site, R, dof);
}

// The same for all transmissions that can have a damping ratio.
static double moment_of(const Work* work, const utModelActuator* a, int dof)
{
    double sum = 0.0;
    if (a->site >= 0) {
        return site_moment(work, a, dof);
    }
    if (a->joint >= 0) {
        const utModelJoint* joint = &work->array.joint[a->joint];
        return work->array.dof_joint[dof] == a->joint ? a->gear[dof - joint->v] : 0.0;
    }
    const utModelTendon* tendon = &work->array.tendon[a->tendon];
    for (int k = 0; k < tendon->wraps; k++) {
        const bool here = work->array.dof_joint[dof] == tendon->wrap[k].object;
        sum += here ? a->gear[0] * tendon->wrap[k].value : 0.0;
    }
    return sum;
}

// The damping 2 ratio sqrt(kp m), with the sum m over the velocities of inertia over the square of
// the moment, which is MuJoCo's rule.
static double damping_of_ratio(const Work* work, const utModelActuator* a, double kp, double ratio)
{
    double mass = 0.0;
    for (int i = 0; i < work->model->nv; i++) {
        const double moment = moment_of(work, a, i);
        const double square = moment * moment;
        mass += square > 1e-15 ? inertia_of(work, i) / square : 0.0; // MuJoCo's smallest square
    }
    return 2.0 * ratio * sqrt(fabs(kp) * mass);
}

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

// The force range of a tendon's only actuator lies within the range of the tendon.
static void share_tendon(const Work* work, utModelActuator* a)
{
    const utModelTendon* tendon = &work->array.tendon[a->tendon];
    const double* range = tendon->actuator_force_range;
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
        a->force_range[k] =
            a->force_limited ? fmin(fmax(a->force_range[k], range[0]), range[1]) : range[k];
    }
    a->force_limited = true;
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
            a->bias[2] = -damping_of_ratio(work, a, a->gain[0], def->dampratio);
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
}
