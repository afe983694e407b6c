// SPDX-License-Identifier: Apache-2.0
// Springs and dampers of joints.
//
//     hinge, slide   - (k + k1 x + k2 x^2) x,  x = q - springref; a step uses the slope
//                    k + 2 k1 x + 3 k2 x^2, at least 0
//     ball           - k log(q0^-1 q), the rotation vector from the modelled pose: it has the same
//                    components before and behind the joint, and its potential is
//                    k |log(q0^-1 q)|^2 / 2
//     free           - k (x - x0), and the torque of a ball
//     planar         - k (q - q0) for all three coordinates; a particle has two
//     each velocity  - (d + d1 |v| + d2 v^2) v, with the slope d + 2 d1 |v| + 3 d2 v^2
#include "internal.h"

utVec3 ut_dyn_rotation_from_rest(const utModel* model, int q_index, const double* q)
{
    const utQuat rest = ut_dyn_quat(model->q0 + q_index);
    return ut_quat_log(ut_quat_mul(ut_quat_conjugate(rest), ut_dyn_quat(q + q_index)));
}

// The slope of a joint's spring at q.
static double slope_of_spring(const utModelJoint* joint, const double* q)
{
    const double* k = joint->stiffness_poly;
    if (k[0] == 0.0 && k[1] == 0.0) {
        return joint->stiffness;
    }
    const double x = q[joint->q] - joint->springref;
    return fmax(0.0, joint->stiffness + 2.0 * k[0] * x + 3.0 * k[1] * x * x);
}

double ut_dyn_damping_force(const utModel* model, int i, double v)
{
    const double* d = model->joint[model->dof_joint[i]].damping_poly;
    return -(model->dof_damping[i] + (d[0] + d[1] * fabs(v)) * fabs(v)) * v;
}

static double slope_of_damping(const utModel* model, int i, double v)
{
    const double* d = model->joint[model->dof_joint[i]].damping_poly;
    return model->dof_damping[i] + (2.0 * d[0] + 3.0 * d[1] * fabs(v)) * fabs(v);
}

void ut_dyn_add_joint_spring(const utModel* model, int j, const double* q, double* tau)
{
    const utModelJoint* joint = model->joint + j;
    const double k = joint->stiffness;
    if (!ut_dyn_has_spring(joint)) {
        return;
    }
    if (joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE) {
        const double x = q[joint->q] - joint->springref;
        tau[joint->v] -= (k + (joint->stiffness_poly[0] + joint->stiffness_poly[1] * x) * x) * x;
        return;
    }
    const bool turns = joint->kind == UT_JOINT_FREE || joint->kind == UT_JOINT_BALL;
    const int linear = turns ? ut_dyn_translations(joint->kind) : ut_joint_velocities(joint->kind);
    for (int i = 0; i < linear; i++) {
        tau[joint->v + i] -= k * (q[joint->q + i] - model->q0[joint->q + i]);
    }
    if (!turns) {
        return;
    }
    double* torque = tau + joint->v + linear;
    ut_dyn_store(ut_vec3_add_scaled(ut_dyn_vec3(torque), -k,
                                    ut_dyn_rotation_from_rest(model, joint->q + linear, q)),
                 torque);
}

void ut_dyn_passive_linearized(const utModel* model, const double* q, const double* v, double h,
                               double* tau)
{
    for (int i = 0; i < model->nv; i++) {
        tau[i] = ut_dyn_damping_force(model, i, v[i]);
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = model->joint + j;
        if (!ut_dyn_has_spring(joint)) {
            continue;
        }
        const int dofs = ut_joint_velocities(joint->kind);
        ut_dyn_add_joint_spring(model, j, q, tau);
        for (int i = joint->v; i < joint->v + dofs; i++) {
            tau[i] -= h * slope_of_spring(joint, q) * v[i];
        }
    }
}

void ut_dyn_passive(const utModel* model, const double* q, const double* v, double* tau)
{
    ut_dyn_passive_linearized(model, q, v, 0.0, tau);
}

void ut_dyn_add_servos(const utSmooth* smooth, const double* q, const double* v, double* tau)
{
    const utModel* model = smooth->model;
    for (int i = 0; smooth->stiffness != NULL && i < model->nv; i++) {
        if (smooth->stiffness[i] != 0.0) {
            tau[i] -= smooth->stiffness[i] * q[model->joint[model->dof_joint[i]].q];
        }
    }
    for (int i = 0; smooth->damping != NULL && i < model->nv; i++) {
        tau[i] -= smooth->damping[i] * v[i];
    }
}

void ut_dyn_passive_diagonal(const utModel* model, const double* q, const double* v, double h,
                             double* diagonal)
{
    for (int i = 0; i < model->nv; i++) {
        diagonal[i] = h * slope_of_damping(model, i, v[i]);
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = model->joint + j;
        if (!ut_dyn_has_spring(joint)) {
            continue;
        }
        for (int i = joint->v; i < joint->v + ut_joint_velocities(joint->kind); i++) {
            diagonal[i] += h * h * slope_of_spring(joint, q);
        }
    }
}
