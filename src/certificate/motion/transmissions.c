// SPDX-License-Identifier: Apache-2.0
// Actuators as the model, the input and the state define them: activations, length, rate and moment
// of their transmissions. The moment of forces on bodies is found by Newton-Euler.
#include <string.h>

#include "certificate/contacts/equality.h"
#include "certificate/internal.h"
#include "la/power.h"

// ---- activations --------------------------------------------------------------------------------

static double clamp_to(double x, const double range[2])
{
    return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

// act after the time h: the solution of act' = ctrl, or of T act' = ctrl - act by Euler or exactly.
static double expected_act(const utModelActuator* a, double act, double ctrl, double h)
{
    const double T = a->time_constant > 1e-15 ? a->time_constant : 1e-15;
    const double weight = a->dynamics == UT_DYNAMICS_FILTER ? h / T : 1.0 - ut_exp(-h / T);
    const double next = a->dynamics == UT_DYNAMICS_INTEGRATOR
                            ? act + h * ctrl
                            : (1.0 - weight) * act + weight * ctrl;
    return a->act_limited ? clamp_to(next, a->act_range) : next;
}

bool ut_certify_activations(const Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    bool good = model->na == 0 || (report->act != NULL && report->act_next != NULL);
    for (int i = 0; good && i < model->nactuator; i++) {
        const utModelActuator* a = &model->actuator[i];
        if (a->act < 0) {
            continue;
        }
        const double act = report->act[a->act], ctrl = entry_or_zero(report->ctrl, i);
        const double next = report->instant ? act : expected_act(a, act, ctrl, report->h);
        const double size = fabs(act) + fabs(ctrl) * (1.0 + report->h) + fabs(next);
        good = fabs(report->act_next[a->act] - next) <= SAME_TERMS * size;
    }
    return good;
}

static double input_of(const Judge* judge, int i)
{
    const utModelActuator* a = &judge->model->actuator[i];
    return a->act < 0
               ? entry_or_zero(judge->report->ctrl, i)
               : entry_or_zero(a->act_early ? judge->report->act_next : judge->report->act, a->act);
}

// ---- forces on bodies ---------------------------------------------------------------------------

// A site in the world.
typedef struct SitePose {
    int body;
    utVec3 at;
    utQuat quat;
    utMat3 R;
} SitePose;

static SitePose pose_of(const Judge* judge, int site)
{
    const utModelSite* s = &judge->model->site[site];
    const utFrame body = judge->kin_start.body[s->body];
    return (SitePose){
        .body = s->body,
        .at = ut_frame_point(body, s->in_body.p),
        .quat = ut_quat_mul(judge->kin_start.quat[s->body], s->quat),
        .R = ut_mat3_mul(body.R, s->in_body.R),
    };
}

static void act_on(const Judge* judge, int body, utVec3 point, utVec3 force, utVec3 torque,
                   utForce* wrench)
{
    const utVec3 arm = ut_vec3_sub(point, judge->kin_start.com[body]);
    wrench[body] =
        ut_force_add(wrench[body], ut_force(force, ut_vec3_add(torque, ut_vec3_cross(arm, force))));
}

static bool moves(const utModel* model, int dof, int body)
{
    int k = model->body[body].last_dof;
    while (k > dof) {
        k = model->dof_parent[k];
    }
    return k == dof;
}

// Forces of a unit p at a site, and at its reference site. @return l
static double site_forces(const Judge* judge, const utModelActuator* a, utForce* wrench)
{
    const SitePose site = pose_of(judge, a->site);
    const SitePose frame = pose_of(judge, a->ref_site >= 0 ? a->ref_site : a->site);
    const utVec3 force = ut_mat3_mul_vec(frame.R, load3(a->gear));
    const utVec3 torque = ut_mat3_mul_vec(frame.R, load3(a->gear + 3));
    act_on(judge, site.body, site.at, force, torque, wrench);
    if (a->ref_site < 0) {
        return 0.0;
    }
    act_on(judge, frame.body, frame.at, ut_vec3_negate(force), ut_vec3_negate(torque), wrench);
    const utVec3 turn = ut_quat_log(ut_quat_mul(ut_quat_conjugate(frame.quat), site.quat));
    const utVec3 shift = ut_mat3_tmul_vec(frame.R, ut_vec3_sub(site.at, frame.at));
    return ut_vec3_dot(load3(a->gear), shift) + ut_vec3_dot(load3(a->gear + 3), turn);
}

// A unit p along the slider presses along the rod with a force whose part along the slider is 1. The
// rod from the slider's end to the crank is k = x - n l with |k| = c, so that k.dk = 0 gives
// dl = k.(dx - l dn) / k.n; a rod that is too short follows the foot of the crank, dl = d(n.x).
static double crank_forces(const Judge* judge, const utModelActuator* a, utForce* wrench)
{
    const SitePose crank = pose_of(judge, a->crank_site);
    const SitePose slider = pose_of(judge, a->slider_site);
    const utVec3 n = ut_mat3_column(slider.R, 2);
    const utVec3 x = ut_vec3_sub(crank.at, slider.at);
    const double along = ut_vec3_dot(n, x);
    const double c = a->crank_length;
    const double square = along * along + c * c - ut_vec3_dot(x, x);
    const double l = square > 0.0 ? along - sqrt(square) : along;
    const utVec3 rod = ut_vec3_add_scaled(x, -l, n);
    const utVec3 by_x = square > 0.0 ? ut_vec3_scale(rod, 1.0 / ut_vec3_dot(rod, n)) : n;
    const utVec3 by_n = square > 0.0 ? ut_vec3_scale(by_x, -l) : x;
    const double g = a->gear[0];
    act_on(judge, crank.body, crank.at, ut_vec3_scale(by_x, g), ut_vec3_zero(), wrench);
    act_on(judge, slider.body, slider.at, ut_vec3_scale(by_x, -g),
           ut_vec3_scale(ut_vec3_cross(n, by_n), g), wrench);
    return g * l;
}

// The size of the terms of moments, which may cancel.
static double size_of_moments(const Judge* judge, const utForce* wrench)
{
    double size = 0.0;
    for (int b = 0; b < judge->model->nbody; b++) {
        const int tree = judge->model->body[b].tree;
        if (tree >= 0) {
            const utVec3 arm = ut_vec3_sub(judge->kin_start.com[b], judge->kin_start.origin[tree]);
            size += ut_vec3_norm(wrench[b].force) * (1.0 + ut_vec3_norm(arm)) +
                    ut_vec3_norm(wrench[b].torque);
        }
    }
    return size;
}

static utStatus transmit_bodies(Judge* judge, const utModelActuator* a, utArena scratch,
                                ActuatorCheck* x, double* moment)
{
    const utModel* model = judge->model;
    utForce* wrench = UT_PUSH(&scratch, utForce, model->nbody);
    if (wrench == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(wrench, 0, (size_t)model->nbody * sizeof *wrench);
    x->length = a->transmission == UT_TRANSMISSION_SITE ? site_forces(judge, a, wrench)
                                                        : crank_forces(judge, a, wrench);
    x->moment_size = size_of_moments(judge, wrench);
    UT_TRY(ut_dyn_joint_forces(&judge->kin_start, wrench, scratch, moment));
    const bool site = a->transmission == UT_TRANSMISSION_SITE;
    const int one = site ? a->site : a->crank_site, two = site ? a->ref_site : a->slider_site;
    for (int k = 0; k < model->nv; k++) {
        // velocities that move both sites do not change the pose of one in the other
        const bool shared = two >= 0 && moves(model, k, model->site[one].body) &&
                            moves(model, k, model->site[two].body);
        moment[k] = shared ? 0.0 : moment[k];
    }
    return UT_OK;
}

// ---- joints, tendons, equalities ----------------------------------------------------------------

// A ball, a free joint, or what a free joint is in a planar world. @return l
static double transmit_joint(const Judge* judge, const utModelActuator* a, double* moment)
{
    const utModelJoint* joint = &judge->model->joint[a->joint];
    const double* q = judge->q + joint->q + (joint->kind == UT_JOINT_FREE ? 3 : 0);
    double* m = moment + joint->v;
    const double* torque = a->gear + (joint->kind == UT_JOINT_BALL ? 0 : 3);
    if (joint->kind == UT_JOINT_PLANAR || joint->kind == UT_JOINT_PARTICLE) {
        const utPlane plane = ut_plane(judge->model->options.planar);
        m[0] = ut_vec3_dot(plane.x, load3(a->gear));
        m[1] = ut_vec3_dot(plane.y, load3(a->gear));
        if (joint->kind == UT_JOINT_PLANAR) {
            m[2] = ut_vec3_dot(plane.normal, load3(torque));
        }
        return 0.0;
    }
    const utQuat turn = ut_quat(q[0], q[1], q[2], q[3]);
    const utVec3 axis =
        a->in_parent ? ut_mat3_tmul_vec(ut_quat_to_mat3(turn), load3(torque)) : load3(torque);
    const double axes[3] = {axis.x, axis.y, axis.z};
    if (joint->kind == UT_JOINT_FREE) {
        memcpy(m, a->gear, 3 * sizeof *m);
        memcpy(m + 3, axes, sizeof axes);
        return 0.0;
    }
    memcpy(m, axes, sizeof axes);
    return ut_vec3_dot(axis, ut_quat_log(turn));
}

static double transmit_tendon(const Judge* judge, const utModelActuator* a, double* moment)
{
    const utModelTendon* tendon = &judge->model->tendon[a->tendon];
    const double length =
        ut_tendon_length(&judge->kin_start, judge->q, a->tendon, NULL, NULL, judge->temp);
    for (int k = 0; k < tendon->terms; k++) {
        moment[tendon->index[k]] = a->gear[0] * judge->temp[k];
    }
    return a->gear[0] * length;
}

// Rates of an equality's coordinate come from the bodies, mocap bodies included.
static void transmit_equality(const Judge* judge, const utModelActuator* a, ActuatorCheck* x)
{
    const EqualityFrames frames = ut_certify_equality_frames(judge, &judge->kin_start, a->equality);
    EqualityRow row = {.point1 = frames.one.p, .point2 = frames.two.p};
    const double g = a->gear[0], unit = length_of(frames.equality);
    x->length = g * ut_certify_equality_axis(&frames, 0, &row);
    x->rate = g * ut_certify_equality_velocity(judge, &frames, &row, judge->v) / unit;
    x->rate_next = g * ut_certify_equality_velocity(judge, &frames, &row, judge->v_next) / unit;
}

// ---- all ----------------------------------------------------------------------------------------

static utStatus transmit(Judge* judge, int i, utArena scratch, double* moment, ActuatorCheck* x)
{
    const utModel* model = judge->model;
    const utModelActuator* a = &model->actuator[i];
    switch (a->transmission) {
    case UT_TRANSMISSION_JOINT:
        x->length = transmit_joint(judge, a, moment);
        break;
    case UT_TRANSMISSION_SITE:
    case UT_TRANSMISSION_SLIDER_CRANK:
        UT_TRY(transmit_bodies(judge, a, scratch, x, moment));
        break;
    case UT_TRANSMISSION_TENDON:
        x->length = transmit_tendon(judge, a, moment);
        break;
    case UT_TRANSMISSION_EQUALITY:
    case UT_TRANSMISSION_COUNT:
        break;
    }
    x->moment = moment;
    for (int k = 0; k < model->nv; k++) {
        x->rate += moment[k] * judge->v[k];
        x->rate_next += moment[k] * judge->v_next[k];
        x->rate_size += fabs(moment[k]) * (fabs(judge->v[k]) + fabs(judge->v_next[k]));
        x->moment_size += fabs(moment[k]);
    }
    return UT_OK;
}

// A servo of a rotation follows the input that is less than half a turn away.
static double whole_turns(const utModelActuator* a, double input, double length)
{
    return a->turn > 0.0 ? a->turn * floor((input - length) / a->turn + 0.5) : 0.0;
}

utStatus ut_certify_transmissions(Judge* judge, utArena scratch)
{
    const utModel* model = judge->model;
    double* moment = judge->moments;
    for (int i = 0; i < model->nactuator; i++) {
        const utModelActuator* a = &model->actuator[i];
        const double input = input_of(judge, i);
        ActuatorCheck* x = &judge->actuator[i];
        *x = (ActuatorCheck){.c = a->gain[0] * input + a->bias[0],
                             .K = -a->gain[1] * input - a->bias[1],
                             .D = -a->gain[2] * input - a->bias[2]};
        if (a->dof >= 0) {
            x->length = a->gear[0] * judge->q[model->joint[a->joint].q];
            x->rate = a->gear[0] * judge->v[a->dof];
            x->rate_next = a->gear[0] * judge->v_next[a->dof];
            x->rate_size = fabs(x->rate) + fabs(x->rate_next);
        } else if (a->equality >= 0) {
            transmit_equality(judge, a, x);
            x->rate_size = fabs(x->rate) + fabs(x->rate_next);
        } else {
            memset(moment, 0, (size_t)model->nv * sizeof *moment);
            UT_TRY(transmit(judge, i, scratch, moment, x));
            x->c -= a->gain[0] * whole_turns(a, input, x->length);
            moment += model->nv;
        }
    }
    return UT_OK;
}
