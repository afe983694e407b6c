// SPDX-License-Identifier: Apache-2.0
// Joints with a range for the sum of their actuators that tendons or sites drive, too. A joint whose
// sum at the start of the step exceeds the range is saturated: it gets the range's end as a constant
// force, and actuators of other transmissions act on the remaining velocities.
#include <string.h>

#include "certificate/internal.h"

// The generalized forces of gravity compensation, by Newton-Euler: a force against the weight at each
// centre of mass. Velocities of joints where it does not count as a force of actuators have 0.
static utStatus find_compensation(Judge* judge, utArena scratch)
{
    const utModel* model = judge->model;
    bool any = false;
    memset(judge->compensation, 0, (size_t)model->nv * sizeof *judge->compensation);
    for (int j = 0; j < model->njoint; j++) {
        any = any || model->joint[j].actuator_gravcomp;
    }
    if (!any) {
        return UT_OK;
    }
    utForce* wrench = UT_PUSH(&scratch, utForce, model->nbody);
    if (wrench == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int b = 0; b < model->nbody; b++) {
        const double factor = -model->body[b].gravcomp * model->body[b].mass;
        wrench[b] = ut_force(ut_vec3_scale(model->options.gravity, factor), ut_vec3_zero());
    }
    UT_TRY(ut_dyn_joint_forces(&judge->kin_start, wrench, scratch, judge->compensation));
    for (int k = 0; k < model->nv; k++) {
        const bool counts = model->joint[model->dof_joint[k]].actuator_gravcomp;
        judge->compensation[k] = counts ? judge->compensation[k] : 0.0;
    }
    return UT_OK;
}

static double moment_on(const Judge* judge, int i, int dof)
{
    const utModelActuator* a = &judge->model->actuator[i];
    const double* moment = judge->actuator[i].moment;
    return a->dof == dof ? a->gear[0] : moment != NULL ? moment[dof] : 0.0;
}

static int side_of_range(const Judge* judge, const utModelJoint* joint)
{
    const double low = joint->actuator_force_range[0], high = joint->actuator_force_range[1];
    double sum = judge->compensation[joint->v];
    for (int i = 0; i < judge->model->nactuator; i++) {
        sum += moment_on(judge, i, joint->v) * ut_certify_force_at_start(judge, i);
    }
    const double slack = UT_SATURATION_SLACK * (high - low);
    return sum > high + slack ? 1 : sum < low - slack ? -1 : 0;
}

// The joint keeps its velocity as far as an actuator's force is concerned.
static void hold_joint(const Judge* judge, int dof, ActuatorCheck* x)
{
    if (x->moment != NULL) {
        x->rate_saturated += x->moment[dof] * judge->v[dof];
        x->rate_next -= x->moment[dof] * (judge->v_next[dof] - judge->v[dof]);
        x->moment[dof] = 0.0;
    }
}

utStatus ut_certify_saturation(Judge* judge, utArena scratch)
{
    const utModel* model = judge->model;
    memset(judge->saturated, 0, (size_t)model->nv * sizeof *judge->saturated);
    UT_TRY(find_compensation(judge, scratch));
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (joint->driven_by_others) {
            judge->saturated[joint->v] = side_of_range(judge, joint);
        }
    }
    for (int k = 0; k < model->nv; k++) {
        for (int i = 0; judge->saturated[k] != 0 && i < model->nactuator; i++) {
            hold_joint(judge, k, &judge->actuator[i]);
        }
    }
    return UT_OK;
}
