// SPDX-License-Identifier: Apache-2.0
// The equations of a step that takes M at q ⊕ h v and forces at q ⊕ h v / 2, by Newton-Euler:
//
//     stage = M(q ⊕ h v) (v* - v - h b) - h (force + passive - c)(q ⊕ h v / 2, v)
//
// where springs between sites count among the applied forces, at q, and b is that of
// ut_dyn_centripetal.
#include <string.h>

#include "certificate/internal.h"

static double entry(const double* x, int i)
{
    return x != NULL ? x[i] : 0.0;
}

// tau = (force + passive - c)(q ⊕ h v / 2, v); position is work
static utStatus find_forces(Judge* judge, utArena scratch, double* tau)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    utKinematics half;
    UT_TRY(ut_kinematics_create(model, &scratch, &half));
    ut_model_integrate(model, judge->q, judge->v, 0.5 * report->h, judge->position);
    ut_kinematics_place(&half, judge->position, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&half, judge->v, NULL);
    ut_dyn_passive(model, judge->position, judge->v, tau);
    UT_TRY(
        ut_dyn_inverse(&half, judge->zero, report->gravity, judge->acting, scratch, judge->work));
    for (int i = 0; i < model->nv; i++) {
        tau[i] += entry(report->force, i) - judge->work[i];
    }
    return UT_OK;
}

utStatus ut_certify_midpoint(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    double* tau = judge->more_work;
    ut_kinematics_move(&judge->kin, judge->v, report->mocap_velocity);
    ut_certify_acting(judge);
    UT_TRY(find_forces(judge, scratch, tau));
    ut_model_integrate(model, judge->q, judge->v, report->h, judge->position);
    ut_kinematics_place(&judge->heavy, judge->position, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&judge->heavy, judge->zero, NULL);
    ut_dyn_centripetal(&judge->kin, judge->v, judge->residual);
    for (int i = 0; i < model->nv; i++) {
        judge->extra[i] = entry(report->actuator_diagonal, i);
        judge->work[i] = report->v_free[i] - judge->v[i] - report->h * judge->residual[i];
    }
    UT_TRY(ut_certify_mass(judge, judge->work, scratch, judge->stage));
    UT_TRY(ut_dyn_forward(&judge->heavy, tau, judge->extra, ut_vec3_zero(), NULL, scratch,
                          judge->again));
    for (int i = 0; i < model->nv; i++) {
        judge->stage[i] -= report->h * tau[i];
        judge->again[i] = judge->v[i] + report->h * (judge->again[i] + judge->residual[i]);
    }
    ut_model_integrate(model, judge->q, judge->v_next, report->h, judge->position);
    return ut_certify_impulses(judge, scratch);
}
