// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics by Newton-Euler: accelerations outward, wrenches inward.
#include "internal.h"

// A joint transmits the wrenches of its body and of all bodies behind it. @param wrench about the
// reference point of the tree; overwritten
static void transmit_inward(const utKinematics* kin, utForce* wrench, double* tau, int tree)
{
    const utModel* model = kin->model;
    const utModelTree* t = model->tree + tree;
    for (int b = t->body + t->bodies - 1; b >= t->body; b--) {
        const utModelBody* body = model->body + b;
        for (int k = body->dof; k < body->dof + body->dofs; k++) {
            tau[k] = ut_force_power(wrench[b], kin->axis[k]);
        }
        if (b != t->body) {
            wrench[body->parent] = ut_force_add(wrench[body->parent], wrench[b]);
        }
    }
}

void ut_dyn_inverse_tree(const utKinematics* kin, const double* a, utVec3 gravity,
                         const utForce* applied, utForce* wrench, utMotion* J_a, utForce* required,
                         double* tau, int tree)
{
    const utModel* model = kin->model;
    const utModelTree* t = model->tree + tree;
    const utMotion still = {0};

    // outward: J a, and the wrench that each body requires
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utModelBody* body = model->body + b;
        utMotion A = b != t->body ? J_a[body->parent] : still;
        for (int k = body->dof; a != NULL && k < body->dof + body->dofs; k++) {
            A = ut_motion_add(A, ut_motion_scale(kin->axis[k], a[k]));
        }
        J_a[b] = A;
        const utMotion bias = kin->bias[b];
        const utForce f = ut_dyn_required_wrench(kin, b, ut_motion_add(A, bias), gravity, applied);
        if (required != NULL) {
            required[b] = ut_dyn_required_wrench(kin, b, bias, gravity, applied);
        }
        wrench[b] = ut_dyn_shift_force(f, kin->inertia[b].com);
    }

    transmit_inward(kin, wrench, tau, tree);
}

utStatus ut_dyn_inverse(const utKinematics* kin, const double* a, utVec3 gravity,
                        const utForce* applied, utArena scratch, double* tau)
{
    utForce* wrench = UT_PUSH(&scratch, utForce, kin->model->nbody);
    utMotion* J_a = UT_PUSH(&scratch, utMotion, kin->model->nbody);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int t = 0; t < kin->model->ntree; t++) {
        if (!ut_dyn_skips(kin, t, tau)) {
            ut_dyn_inverse_tree(kin, a, gravity, applied, wrench, J_a, NULL, tau, t);
        }
    }
    return UT_OK;
}

utStatus ut_dyn_mass_times(const utKinematics* kin, const double* x, utArena scratch, double* y)
{
    const utModel* model = kin->model;
    utForce* wrench = UT_PUSH(&scratch, utForce, model->nbody);
    utMotion* J_x = UT_PUSH(&scratch, utMotion, model->nbody);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    const utMotion still = {0};
    for (int t = 0; t < model->ntree; t++) {
        const utModelTree* tree = model->tree + t;
        if (ut_dyn_skips(kin, t, y)) {
            continue;
        }
        for (int b = tree->body; b < tree->body + tree->bodies; b++) {
            const utModelBody* body = model->body + b;
            const utInertia* I = kin->inertia + b;
            utMotion A = b != tree->body ? J_x[body->parent] : still;
            for (int k = body->dof; k < body->dof + body->dofs; k++) {
                A = ut_motion_add(A, ut_motion_scale(kin->axis[k], x[k]));
            }
            J_x[b] = A;
            const utForce f = ut_force(ut_vec3_scale(ut_dyn_shift(A, I->com).linear, I->mass),
                                       ut_mat3_mul_vec(I->inertia, A.angular));
            wrench[b] = ut_dyn_shift_force(f, I->com);
        }
        transmit_inward(kin, wrench, y, t);
    }
    return UT_OK;
}

utStatus ut_dyn_joint_forces(const utKinematics* kin, const utForce* wrench, utArena scratch,
                             double* tau)
{
    const utModel* model = kin->model;
    utForce* about_origin = UT_PUSH(&scratch, utForce, model->nbody);
    if (about_origin == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int t = 0; t < model->ntree; t++) {
        const utModelTree* tree = model->tree + t;
        if (ut_dyn_skips(kin, t, tau)) {
            continue;
        }
        for (int b = tree->body; b < tree->body + tree->bodies; b++) {
            about_origin[b] = ut_dyn_shift_force(wrench[b], kin->inertia[b].com);
        }
        transmit_inward(kin, about_origin, tau, t);
    }
    return UT_OK;
}

void ut_dyn_gravity_compensation(const utKinematics* kin, utVec3 gravity, double* tau)
{
    const utModel* model = kin->model;
    for (int i = 0; i < model->nv; i++) {
        tau[i] = 0.0;
    }
    for (int b = 0; b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        if (body->gravcomp == 0.0 || body->tree < 0) {
            continue;
        }
        const utVec3 force = ut_vec3_scale(gravity, -body->gravcomp * body->mass);
        for (int k = body->last_dof; k >= 0; k = model->dof_parent[k]) {
            const utVec3 unit = ut_dyn_shift(kin->axis[k], kin->inertia[b].com).linear;
            tau[k] += ut_vec3_dot(unit, force);
        }
    }
}
