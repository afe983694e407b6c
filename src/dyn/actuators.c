// SPDX-License-Identifier: Apache-2.0
// Actuators: length and moment of their transmissions, activations, and forces at a state.
//
// The moment is the row of coefficients with l' = moment . v. For a site with a reference site it is
// the difference of the two sites' velocities along the axes of the reference site, without the
// velocities that move both of them, which is MuJoCo's rule. Nor do velocities that move both sites of a
// slider-crank change its length.
#include <string.h>

#include "internal.h"
#include "la/power.h"
#include "la/scalar.h"

// ---- moments ------------------------------------------------------------------------------------

#define ROUNDING 4e-15 // of a moment, over the size of its terms

// Add the row of force . (velocity of the body's point) + torque . (angular velocity of the body).
// A moment that is a rounding error becomes 0, because a row is scaled by its largest moment.
// @param stop the last velocity that does not count; -1: none
static void add_wrench(const utKinematics* kin, int body, utVec3 point, utVec3 force, utVec3 torque,
                       int stop, double* row)
{
    const utModel* model = kin->model;
    if (model->body[body].tree < 0) {
        return;
    }
    const utVec3 arm = ut_vec3_sub(point, kin->origin[model->body[body].tree]);
    for (int k = model->body[body].last_dof; k > stop; k = model->dof_parent[k]) {
        const utMotion axis = kin->axis[k];
        const utVec3 at = ut_vec3_add(axis.linear, ut_vec3_cross(axis.angular, arm));
        const double moment = ut_vec3_dot(force, at) + ut_vec3_dot(torque, axis.angular);
        const double size = ut_vec3_norm(force) * (ut_vec3_norm(axis.linear) +
                                                   ut_vec3_norm(axis.angular) * ut_vec3_norm(arm)) +
                            ut_vec3_norm(torque) * ut_vec3_norm(axis.angular);
        row[k] += fabs(moment) > ROUNDING * size ? moment : 0.0;
    }
}

// The last velocity that moves both bodies, -1 for none.
static int shared_velocity(const utModel* model, int body1, int body2)
{
    int one = model->body[body1].last_dof, two = model->body[body2].last_dof;
    while (one != two) {
        if (one > two) {
            one = model->dof_parent[one];
        } else {
            two = model->dof_parent[two];
        }
    }
    return one;
}

static utMat3 site_axes(const utKinematics* kin, int site)
{
    const utModelSite* s = &kin->model->site[site];
    return ut_mat3_mul(kin->body[s->body].R, s->in_body.R);
}

static utQuat site_quat(const utKinematics* kin, int site)
{
    const utModelSite* s = &kin->model->site[site];
    return ut_quat_mul(kin->quat[s->body], s->quat);
}

static double length_of_site(const utKinematics* kin, const utModelActuator* a, double* row)
{
    const utVec3 at = ut_site_position(kin, a->site);
    const int frame = a->ref_site >= 0 ? a->ref_site : a->site;
    const utMat3 R = site_axes(kin, frame);
    const utVec3 force = ut_dyn_vec3(a->gear), torque = ut_dyn_vec3(a->gear + 3);
    const utVec3 f = ut_mat3_mul_vec(R, force), t = ut_mat3_mul_vec(R, torque);
    const int body = kin->model->site[a->site].body;
    if (a->ref_site < 0) {
        add_wrench(kin, body, at, f, t, -1, row);
        return 0.0;
    }
    const int ref = kin->model->site[a->ref_site].body;
    const utVec3 from = ut_site_position(kin, a->ref_site);
    const int shared = shared_velocity(kin->model, body, ref);
    add_wrench(kin, body, at, f, t, shared, row);
    add_wrench(kin, ref, from, ut_vec3_negate(f), ut_vec3_negate(t), shared, row);
    const utVec3 turn = ut_quat_log(
        ut_quat_mul(ut_quat_conjugate(site_quat(kin, a->ref_site)), site_quat(kin, a->site)));
    return ut_vec3_dot(f, ut_vec3_sub(at, from)) + ut_vec3_dot(torque, turn);
}

// With the vector x from the slider to the crank's end, the slider's axis n and the rod's length c:
//
//     l = n.x - s,    s = sqrt((n.x)^2 + c^2 - x.x),    or n.x when the rod is too short
static double length_of_crank(const utKinematics* kin, const utModelActuator* a, double* row)
{
    const utVec3 crank = ut_site_position(kin, a->crank_site);
    const utVec3 slider = ut_site_position(kin, a->slider_site);
    const utVec3 n = ut_mat3_column(site_axes(kin, a->slider_site), 2);
    const utVec3 x = ut_vec3_sub(crank, slider);
    const double along = ut_vec3_dot(n, x);
    const double square = along * along + a->crank_length * a->crank_length - ut_vec3_dot(x, x);
    const bool reaches = square > 0.0;
    const double s = reaches ? sqrt(square) : 0.0;
    const double factor = reaches ? 1.0 - along / s : 1.0;
    const utVec3 by_x =
        ut_vec3_add_scaled(ut_vec3_scale(n, factor), reaches ? 1.0 / s : 0.0, x); // dl/dx
    const utVec3 by_n = ut_vec3_scale(x, factor);                                 // dl/dn
    const double g = a->gear[0];
    const int crank_body = kin->model->site[a->crank_site].body;
    const int slider_body = kin->model->site[a->slider_site].body;
    const int shared = shared_velocity(kin->model, crank_body, slider_body);
    add_wrench(kin, crank_body, crank, ut_vec3_scale(by_x, g), ut_vec3_zero(), shared, row);
    add_wrench(kin, slider_body, slider, ut_vec3_scale(by_x, -g),
               ut_vec3_scale(ut_vec3_cross(n, by_n), g), shared, row);
    return g * (along - s);
}

static double length_of_equality(const utKinematics* kin, const utModelActuator* a, double* row)
{
    const utModelEquality* e = &kin->model->equality[a->equality];
    const utCoordinate x = ut_equality_coordinate(kin, a->equality, 0);
    const double g = a->gear[0];
    add_wrench(kin, e->body2, x.point, ut_vec3_scale(x.linear, g), ut_vec3_scale(x.angular, g), -1,
               row);
    add_wrench(kin, e->body1, x.point, ut_vec3_scale(x.linear, -g), ut_vec3_scale(x.angular, -g),
               -1, row);
    return g * x.q;
}

// Of a ball, a free joint, or what a free joint is in a planar world.
static double length_of_joint(const utKinematics* kin, const utModelActuator* a, const double* q,
                              double* row)
{
    const utModelJoint* joint = &kin->model->joint[a->joint];
    const bool ball = joint->kind == UT_JOINT_BALL, free = joint->kind == UT_JOINT_FREE;
    const double* at = q + joint->q + (free ? 3 : 0);
    const utVec3 force = ut_dyn_vec3(a->gear);
    utVec3 torque = ut_dyn_vec3(a->gear + (ball ? 0 : 3));
    if (!ball && !free) {
        const utPlane plane = ut_plane(kin->model->options.planar);
        const utVec2 flat = ut_plane_in(&plane, force);
        row[joint->v] = flat.x;
        row[joint->v + 1] = flat.y;
        if (joint->kind == UT_JOINT_PLANAR) {
            row[joint->v + 2] = ut_vec3_dot(plane.normal, torque);
        }
        return 0.0;
    }
    const utQuat turn = ut_quat(at[0], at[1], at[2], at[3]);
    torque = a->in_parent ? ut_quat_rotate(ut_quat_conjugate(turn), torque) : torque;
    ut_dyn_store(torque, row + joint->v + (free ? 3 : 0));
    if (free) {
        ut_dyn_store(force, row + joint->v);
    }
    return ball ? ut_vec3_dot(ut_quat_log(turn), torque) : 0.0;
}

double ut_actuator_length(const utKinematics* kin, const double* q, int actuator, int* terms,
                          int* index, double* coefficient)
{
    const utModel* model = kin->model;
    const utModelActuator* a = &model->actuator[actuator];
    double length = 0.0;
    if (a->dof >= 0) {
        *terms = 1;
        index[0] = a->dof;
        coefficient[0] = a->gear[0];
        return a->gear[0] * q[model->joint[a->joint].q];
    }
    if (a->tendon >= 0) {
        length = a->gear[0] * ut_tendon_length(kin, q, a->tendon, terms, index, coefficient);
        for (int k = 0; k < *terms; k++) {
            coefficient[k] *= a->gear[0];
        }
        return length;
    }
    memset(coefficient, 0, (size_t)model->nv * sizeof *coefficient);
    switch (a->transmission) {
    case UT_TRANSMISSION_JOINT:
        length = length_of_joint(kin, a, q, coefficient);
        break;
    case UT_TRANSMISSION_EQUALITY:
        length = length_of_equality(kin, a, coefficient);
        break;
    case UT_TRANSMISSION_SITE:
        length = length_of_site(kin, a, coefficient);
        break;
    case UT_TRANSMISSION_SLIDER_CRANK:
        length = length_of_crank(kin, a, coefficient);
        break;
    case UT_TRANSMISSION_TENDON:
    case UT_TRANSMISSION_COUNT:
        break;
    }
    *terms = 0;
    for (int k = 0; k < model->nv; k++) {
        if (coefficient[k] != 0.0) {
            index[*terms] = k;
            coefficient[(*terms)++] = coefficient[k];
        }
    }
    return length;
}

// ---- activations and forces ---------------------------------------------------------------------

double ut_actuator_activate(const utModelActuator* a, double act, double ctrl, double h)
{
    const double tau = fmax(a->time_constant, 1e-15); // MuJoCo's smallest time constant
    double next = act;
    switch (a->dynamics) {
    case UT_DYNAMICS_INTEGRATOR:
        next = act + h * ctrl;
        break;
    case UT_DYNAMICS_FILTER:
        next = act + h * ((ctrl - act) / tau);
        break;
    case UT_DYNAMICS_FILTER_EXACT:
        next = act + (ctrl - act) * (1.0 - ut_exp(-h / tau));
        break;
    case UT_DYNAMICS_NONE:
    case UT_DYNAMICS_COUNT:
        break;
    }
    return a->act_limited ? ut_clamp(next, a->act_range[0], a->act_range[1]) : next;
}

double ut_actuator_nearest(const utModelActuator* a, double input, double l)
{
    return a->turn > 0.0 ? input - a->turn * floor((input - l) / a->turn + 0.5) : input;
}

utActuatorLaw ut_actuator_law(const utModelActuator* a, double input)
{
    return (utActuatorLaw){
        .constant = a->gain[0] * input + a->bias[0],
        .stiffness = -(a->gain[1] * input + a->bias[1]),
        .damping = -(a->gain[2] * input + a->bias[2]),
    };
}

double ut_actuator_share(const utModel* model, int tendon, const double* force)
{
    const double* range = model->tendon[tendon].actuator_force_range;
    double sum = 0.0;
    for (int i = 0; i < model->nactuator; i++) {
        sum += model->actuator[i].tendon == tendon ? force[i] : 0.0;
    }
    const double clamped = ut_clamp(sum, range[0], range[1]);
    return clamped == sum ? 1.0 : clamped / sum;
}

// Scale the forces of actuators that share a tendon.
static void share_tendons(const utModel* model, double* force)
{
    for (int t = 0; t < model->ntendon; t++) {
        double share = -1.0;
        for (int i = 0; i < model->nactuator; i++) {
            if (model->actuator[i].shares_tendon && model->actuator[i].tendon == t) {
                share = share < 0.0 ? ut_actuator_share(model, t, force) : share;
                force[i] *= share;
            }
        }
    }
}

void ut_actuator_compensation(const utKinematics* kin, double* tau)
{
    const utModel* model = kin->model;
    bool any = false;
    for (int j = 0; j < model->njoint; j++) {
        any = any || model->joint[j].actuator_gravcomp;
    }
    if (!any) {
        memset(tau, 0, (size_t)model->nv * sizeof *tau);
        return;
    }
    ut_dyn_gravity_compensation(kin, model->options.gravity, tau);
    for (int k = 0; k < model->nv; k++) {
        tau[k] = model->joint[model->dof_joint[k]].actuator_gravcomp ? tau[k] : 0.0;
    }
}

// Clamp the sums of joints. Gravity compensation counts, but is not part of the result.
static void clamp_joints(const utModel* model, const double* compensation, double* tau)
{
    for (int j = 0; model->nactuator > 0 && j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const double* range = joint->actuator_force_range;
        if (joint->actuator_force_limited) {
            tau[joint->v] = ut_clamp(tau[joint->v], range[0] - compensation[joint->v],
                                     range[1] - compensation[joint->v]);
        }
    }
}

utStatus ut_actuator_forces(const utKinematics* kin, const double* q, const double* v,
                            const double* input, utArena scratch, double* force, double* tau)
{
    const utModel* model = kin->model;
    int* index = UT_PUSH(&scratch, int, model->nv);
    double* moment = UT_PUSH(&scratch, double, model->nv);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(tau, 0, (size_t)model->nv * sizeof *tau);
    for (int i = 0; i < model->nactuator; i++) {
        const utModelActuator* a = &model->actuator[i];
        int terms;
        const double l = ut_actuator_length(kin, q, i, &terms, index, moment);
        const utActuatorLaw law = ut_actuator_law(a, ut_actuator_nearest(a, input[i], l));
        double rate = 0.0;
        for (int k = 0; k < terms; k++) {
            rate += moment[k] * v[index[k]];
        }
        force[i] = law.constant - law.stiffness * l - law.damping * rate;
    }
    share_tendons(model, force);
    for (int i = 0; i < model->nactuator; i++) {
        const utModelActuator* a = &model->actuator[i];
        int terms;
        force[i] =
            a->force_limited ? ut_clamp(force[i], a->force_range[0], a->force_range[1]) : force[i];
        (void)ut_actuator_length(kin, q, i, &terms, index, moment);
        for (int k = 0; k < terms; k++) {
            tau[index[k]] += moment[k] * force[i];
        }
    }
    ut_actuator_compensation(kin, moment);
    clamp_joints(model, moment, tau);
    return UT_OK;
}
