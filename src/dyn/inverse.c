// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics by Newton-Euler: accelerations outward, wrenches inward.
#include "internal.h"

size_t ut_dyn_scratch(const utModel* model)
{
    const size_t nbody = (size_t)model->nbody;
    const size_t inverse =
        ut_dyn_plus(ut_arena_need(nbody, sizeof(utForce)), ut_arena_need(nbody, sizeof(utMotion)));
    const size_t forward = ut_dyn_forward_size(model);
    return inverse > forward ? inverse : forward;
}

// f = m (a_com - g) - F,    n = I alpha + w x I w - N, both about the centre of mass
utForce ut_dyn_needed(const utKinematics* kin, int body, utMotion A, utVec3 gravity,
                      const utForce* applied)
{
    const utInertia I = kin->inertia[body];
    const utMotion V = kin->velocity[body];
    const utVec3 v_com = ut_dyn_shift(V, I.com).linear;
    const utVec3 a_com =
        ut_vec3_add(ut_dyn_shift(A, I.com).linear, ut_vec3_cross(V.angular, v_com));
    const utVec3 spin = ut_mat3_mul_vec(I.inertia, V.angular);
    utForce f = ut_force(
        ut_vec3_scale(ut_vec3_sub(a_com, gravity), I.mass),
        ut_vec3_add(ut_mat3_mul_vec(I.inertia, A.angular), ut_vec3_cross(V.angular, spin)));
    return applied != NULL ? ut_force_sub(f, applied[body]) : f;
}

void ut_dyn_inverse_tree(const utKinematics* kin, const double* a, utVec3 gravity,
                         const utForce* applied, utForce* work, utMotion* moved, double* tau,
                         int tree)
{
    const utModel* model = kin->model;
    const utModelTree* t = model->tree + tree;
    const utMotion still = {0};

    // outward: J a, and what each body needs by itself
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utModelBody* body = model->body + b;
        utMotion A = ut_dyn_inner(model, b) ? moved[body->parent] : still;
        for (int k = body->dof; a != NULL && k < body->dof + body->dofs; k++) {
            A = ut_motion_add(A, ut_motion_scale(kin->axis[k], a[k]));
        }
        moved[b] = A;
        const utForce f = ut_dyn_needed(kin, b, ut_motion_add(A, kin->bias[b]), gravity, applied);
        work[b] = ut_dyn_shift_force(f, kin->inertia[b].com);
    }

    // inward: a joint carries its body and everything behind it
    for (int b = t->body + t->bodies - 1; b >= t->body; b--) {
        const utModelBody* body = model->body + b;
        for (int k = body->dof; k < body->dof + body->dofs; k++) {
            tau[k] = ut_force_power(work[b], kin->axis[k]);
        }
        if (ut_dyn_inner(model, b)) {
            work[body->parent] = ut_force_add(work[body->parent], work[b]);
        }
    }
}

utStatus ut_dyn_inverse(const utKinematics* kin, const double* a, utVec3 gravity,
                        const utForce* applied, utArena scratch, double* tau)
{
    utForce* work = UT_PUSH(&scratch, utForce, kin->model->nbody);
    utMotion* moved = UT_PUSH(&scratch, utMotion, kin->model->nbody);
    if (work == NULL || moved == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int t = 0; t < kin->model->ntree; t++) {
        ut_dyn_inverse_tree(kin, a, gravity, applied, work, moved, tau, t);
    }
    return UT_OK;
}
