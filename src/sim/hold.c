// SPDX-License-Identifier: Apache-2.0
// The force of a spring with which a user drags a body.
//
//     f = sum_i e_i (e_i . a) / max(w_i, w_1 / 20),    W = J M^-1 J' = sum_i w_i e_i e_i',  w_1 >= w_2 >= w_3
#include "sim/internal.h"

static const double LEAST_MOBILITY = 0.05; // of the largest one: limits forces along stiff axes
static const double NO_MOBILITY = 1e-9;    // of the largest one: rounding

static bool is_finite(const utHold* hold)
{
    const utVec3 p = hold->point, t = hold->target;
    return isfinite(p.x + p.y + p.z) && isfinite(t.x + t.y + t.z) && hold->rate > 0.0 &&
           isfinite(hold->rate * hold->rate);
}

// The mobility W of a point x of a body.
static utStatus find_mobility(const utKinematics* kin, int body, utVec3 x, utArena scratch,
                              utMat3* W)
{
    static const utVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const utModel* model = kin->model;
    const utModelTree* tree = &model->tree[model->body[body].tree];
    double* J = UT_PUSH(&scratch, double, 3 * tree->dofs);
    double* tau = UT_PUSH(&scratch, double, model->nv);
    double* a = UT_PUSH(&scratch, double, model->nv);
    bool* acts = UT_PUSH(&scratch, bool, model->ntree);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int t = 0; t < model->ntree; t++) {
        acts[t] = t == model->body[body].tree;
    }
    ut_point_jacobian(kin, body, x, 3, axes, J);
    for (int column = 0; column < 3; column++) {
        for (int i = 0; i < model->nv; i++) {
            const int k = i - tree->dof;
            tau[i] = k >= 0 && k < tree->dofs ? J[column * tree->dofs + k] : 0.0;
        }
        UT_TRY(ut_dyn_respond(kin, tau, NULL, acts, scratch, a));
        for (int row = 0; row < 3; row++) {
            W->m[row][column] = 0.0;
            for (int k = 0; k < tree->dofs; k++) {
                W->m[row][column] += J[row * tree->dofs + k] * a[tree->dof + k];
            }
        }
    }
    return UT_OK;
}

// The force that accelerates a point of mobility W by `a`, or less along stiff axes.
static utVec3 force_for(utMat3 W, utVec3 a)
{
    utVec3 moments;
    utQuat quat;
    ut_principal_axes(W, &moments, &quat);
    const utMat3 R = ut_quat_to_mat3(quat);
    const double w[3] = {moments.x, moments.y, moments.z};
    utVec3 f = ut_vec3_zero();
    for (int i = 0; i < 3; i++) {
        const utVec3 axis = ut_vec3(R.m[0][i], R.m[1][i], R.m[2][i]);
        if (w[i] > NO_MOBILITY * w[0]) {
            f = ut_vec3_add_scaled(f, ut_vec3_dot(axis, a) / fmax(w[i], LEAST_MOBILITY * w[0]),
                                   axis);
        }
    }
    return f;
}

utStatus ut_sim_hold(const utSim* sim, const utHold* hold, utArena scratch, utForce* wrench)
{
    const utKinematics* kin = &sim->work.kin;
    const utModel* model = sim->model;
    if (hold->body < 0 || hold->body >= model->nbody || !is_finite(hold)) {
        return UT_ERR_ARGUMENT;
    }
    utForce held = {ut_vec3_zero(), ut_vec3_zero()};
    if (model->body[hold->body].tree >= 0) {
        const utVec3 x = ut_frame_point(kin->body[hold->body], hold->point);
        const utVec3 velocity = ut_point_velocity(kin, hold->body, x);
        const utVec3 stretch = ut_vec3_sub(hold->target, x);
        const utVec3 a = ut_vec3_add_scaled(ut_vec3_scale(stretch, hold->rate * hold->rate),
                                            -2.0 * hold->rate, velocity);
        utMat3 W;
        UT_TRY(find_mobility(kin, hold->body, x, scratch, &W));
        held.force = force_for(W, a);
        held.torque = ut_vec3_cross(ut_vec3_sub(x, kin->com[hold->body]), held.force);
    }
    *wrench = held;
    return UT_OK;
}
