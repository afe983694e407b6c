// SPDX-License-Identifier: Apache-2.0
// The velocity without contacts where M is evaluated ahead and forces halfway (Son, Trinkle and
// Amato):
//
//     M(q ⊕ h v) a = k(q ⊕ h v / 2, v),    v* = v + h (a + b)
//
// with the springs and dampers of joints in k and b of ut_dyn_centripetal. Contacts keep n and D of
// q.
#include <string.h>

#include "internal.h"

// Place and move a kinematics at q ⊕ t v.
static utStatus place_at(Step* step, double t, const double* v, utKinematics* kin, double* q)
{
    const utSim* sim = step->sim;
    UT_TRY(ut_kinematics_create(sim->model, &step->arena, kin));
    ut_model_integrate(sim->model, step->q, step->v, t, q);
    ut_kinematics_place(kin, q, sim->mocap_pos, sim->mocap_quat);
    ut_kinematics_move(kin, v, NULL);
    return UT_OK;
}

utStatus ut_step_free_midpoint(Step* step, const utSmooth* smooth)
{
    const utSim* sim = step->sim;
    const int nv = sim->model->nv;
    utKinematics half;
    utKinematics* end = UT_PUSH(&step->arena, utKinematics, 1);
    double* q = UT_PUSH(&step->arena, double, sim->model->nq);
    double* tau = UT_PUSH(&step->arena, double, nv);
    double* bias = UT_PUSH(&step->arena, double, nv);
    if (end == NULL || q == NULL || tau == NULL || bias == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(place_at(step, 0.5 * sim->h, step->v, &half, q));
    ut_dyn_passive(sim->model, q, step->v, tau);
    UT_TRY(ut_dyn_inverse(&half, NULL, smooth->gravity, smooth->applied, step->arena, bias));
    memcpy(step->diagonal, step->more, (size_t)nv * sizeof *step->diagonal);
    for (int i = 0; i < nv; i++) {
        tau[i] += smooth->tau[i] - bias[i];
    }
    UT_TRY(place_at(step, sim->h, step->v, end, q));
    UT_TRY(ut_dyn_respond(end, tau, step->diagonal, NULL, step->arena, step->v_free));
    ut_dyn_centripetal(&sim->kin, step->v, bias);
    for (int i = 0; i < nv; i++) {
        step->v_free[i] = step->v[i] + sim->h * step->v_free[i] + sim->h * bias[i];
    }
    step->heavy = end;
    return UT_OK;
}
