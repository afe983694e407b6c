// SPDX-License-Identifier: Apache-2.0
// The equations of a step with M at q ⊕ h v and forces at q ⊕ h v / 2, by Newton-Euler:
//
//     stage_residual = M(q ⊕ h v) (v* - v - h b) - h (force + passive - c)(q ⊕ h v / 2, v)
//
// Springs between sites are applied forces at q; b is the term of ut_dyn_centripetal.
#include <string.h>

#include "certificate/internal.h"

// tau = (force + passive - c)(q ⊕ h v / 2, v); motion.q_next is a temporary.
static utStatus find_forces(Judge* judge, utArena scratch, double* tau)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    utKinematics half;
    UT_TRY(ut_kinematics_create(model, &scratch, &half));
    ut_model_integrate(model, judge->q, judge->v, 0.5 * report->h, judge->motion.q_next);
    ut_kinematics_place(&half, judge->motion.q_next, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&half, judge->v, NULL);
    ut_dyn_passive(model, judge->motion.q_next, judge->v, tau);
    UT_TRY(ut_dyn_inverse(&half, judge->zero, report->gravity, judge->motion.body_force, scratch,
                          judge->temp));
    for (int i = 0; i < model->nv; i++) {
        tau[i] += judge->motion.force[i] - judge->temp[i];
    }
    return UT_OK;
}

utStatus ut_certify_midpoint(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    double* tau = judge->temp2;
    ut_kinematics_move(&judge->kin_start, judge->v, report->mocap_velocity);
    ut_certify_body_forces(judge);
    UT_TRY(find_forces(judge, scratch, tau));
    ut_model_integrate(model, judge->q, judge->v, report->h, judge->motion.q_next);
    ut_kinematics_place(&judge->kin_mass, judge->motion.q_next, report->mocap_pos,
                        report->mocap_quat);
    ut_dyn_centripetal(&judge->kin_start, judge->v, judge->motion.residual);
    for (int i = 0; i < model->nv; i++) {
        judge->motion.diagonal[i] = entry_or_zero(report->actuator_diagonal, i);
        judge->temp[i] = report->v_free[i] - judge->v[i] - report->h * judge->motion.residual[i];
    }
    UT_TRY(ut_certify_factor(judge));
    UT_TRY(ut_certify_apply_mass(judge, judge->temp, scratch, judge->motion.stage_residual));
    ut_certify_apply_inverse_mass(judge, tau, judge->motion.v_free_recomputed);
    for (int i = 0; i < model->nv; i++) {
        judge->motion.stage_residual[i] -= report->h * tau[i];
        judge->motion.v_free_recomputed[i] =
            judge->v[i] +
            report->h * (judge->motion.v_free_recomputed[i] + judge->motion.residual[i]);
    }
    ut_model_integrate(model, judge->q, judge->v_next, report->h, judge->motion.q_next);
    ut_certify_apply_inverse_mass(judge, judge->motion.stage_residual, judge->motion.stage_error);
    return ut_certify_impulse_residual(judge, scratch);
}
