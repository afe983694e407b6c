// SPDX-License-Identifier: Apache-2.0
// Springs and dampers of joints.
//
//     hinge, slide   - k (q - springref)
//     ball           - k log(q0^-1 q), the rotation vector from the modelled pose: it has the same
//                    components before and behind the joint, and its potential is
//                    k |log(q0^-1 q)|^2 / 2
//     free           - k (x - x0), and the torque of a ball
//     planar         - k (q - q0) for all three coordinates; a particle has two
//     each velocity  - d v
#include "internal.h"

utVec3 ut_dyn_rotation_from_rest(const utModel* model, int q_index, const double* q)
{
    const utQuat rest = ut_dyn_quat(model->q0 + q_index);
    return ut_quat_log(ut_quat_mul(ut_quat_conjugate(rest), ut_dyn_quat(q + q_index)));
}

void ut_dyn_add_joint_spring(const utModel* model, int j, const double* q, double* tau)
{
    const utModelJoint* joint = model->joint + j;
    const double k = joint->stiffness;
    if (k == 0.0) {
        return;
    }
    if (joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE) {
        tau[joint->v] -= k * (q[joint->q] - joint->springref);
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

// The number of velocities that a joint's spring acts on.
static int spring_dofs(const utModelJoint* joint)
{
    return joint->stiffness != 0.0 ? ut_joint_velocities(joint->kind) : 0;
}

void ut_dyn_passive_linearized(const utModel* model, const double* q, const double* v, double h,
                               double* tau)
{
    for (int i = 0; i < model->nv; i++) {
        tau[i] = -model->dof_damping[i] * v[i];
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = model->joint + j;
        const int dofs = spring_dofs(joint);
        ut_dyn_add_joint_spring(model, j, q, tau);
        for (int i = joint->v; i < joint->v + dofs; i++) {
            tau[i] -= h * joint->stiffness * v[i];
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

void ut_dyn_passive_diagonal(const utModel* model, double h, double* diagonal)
{
    for (int i = 0; i < model->nv; i++) {
        diagonal[i] = h * model->dof_damping[i];
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = model->joint + j;
        const int dofs = spring_dofs(joint);
        for (int i = joint->v; i < joint->v + dofs; i++) {
            diagonal[i] += h * h * joint->stiffness;
        }
    }
}
