// SPDX-License-Identifier: Apache-2.0
// Energies and momenta of all bodies that joints move.
#include "internal.h"

double ut_dyn_kinetic(const utKinematics* kin, const double* v)
{
    const utModel* model = kin->model;
    double energy = 0.0;
    for (int b = 0; b < model->nbody; b++) {
        const int tree = model->body[b].tree;
        if (tree >= 0 && (kin->still == NULL || !kin->still[tree])) {
            energy += ut_inertia_energy(kin->inertia[b], kin->velocity[b]);
        }
    }
    for (int i = 0; i < model->nv; i++) {
        energy += 0.5 * model->dof_armature[i] * v[i] * v[i];
    }
    return energy + ut_dyn_equality_energy(kin, true) + ut_dyn_tendon_kinetic(kin, v);
}

static double spring_energy(const utModel* model, int j, const double* q)
{
    const utModelJoint* joint = model->joint + j;
    double square = 0.0, higher = 0.0;
    if (joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE) {
        const double x = q[joint->q] - joint->springref;
        square = x * x;
        higher = square * x * (joint->stiffness_poly[0] / 3.0 + joint->stiffness_poly[1] / 4.0 * x);
    } else {
        const bool turns = joint->kind == UT_JOINT_FREE || joint->kind == UT_JOINT_BALL;
        const int linear =
            turns ? ut_dyn_translations(joint->kind) : ut_joint_velocities(joint->kind);
        for (int i = 0; i < linear; i++) {
            const double x = q[joint->q + i] - model->q0[joint->q + i];
            square += x * x;
        }
        if (turns) {
            const utVec3 rotation = ut_dyn_rotation_from_rest(model, joint->q + linear, q);
            square += ut_vec3_dot(rotation, rotation);
        }
    }
    return 0.5 * joint->stiffness * square + higher;
}

double ut_dyn_potential_tree(const utKinematics* kin, const double* q, utVec3 gravity, int tree)
{
    const utModel* model = kin->model;
    const utModelTree* t = model->tree + tree;
    double energy = 0.0;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utModelBody* body = model->body + b;
        energy -= body->mass * ut_vec3_dot(ut_dyn_body_gravity(body, gravity), kin->com[b]);
        for (int j = body->joint; j < body->joint + body->joints; j++) {
            if (ut_dyn_has_spring(&model->joint[j])) {
                energy += spring_energy(model, j, q);
            }
        }
    }
    return energy;
}

double ut_dyn_potential(const utKinematics* kin, const double* q, utVec3 gravity)
{
    double energy = 0.0;
    for (int t = 0; t < kin->model->ntree; t++) {
        energy += ut_dyn_potential_tree(kin, q, gravity, t);
    }
    return energy + ut_dyn_site_spring_energy(kin) + ut_dyn_equality_energy(kin, false) +
           ut_dyn_tendon_energy(kin, q);
}

utForce ut_dyn_momentum(const utKinematics* kin, utVec3 point)
{
    const utModel* model = kin->model;
    utForce total = {0};
    for (int b = 0; b < model->nbody; b++) {
        if (model->body[b].tree >= 0) {
            const utForce momentum = ut_inertia_mul(kin->inertia[b], kin->velocity[b]);
            const utVec3 r = ut_vec3_sub(ut_dyn_origin(kin, b), point);
            total = ut_force_add(total, ut_dyn_shift_force(momentum, r));
        }
    }
    return total;
}
