// SPDX-License-Identifier: Apache-2.0
// The input of a step: controls and applied forces. Values that are not finite are rejected here.
#include <string.h>

#include "la/scalar.h"
#include "sim/step.h"
#include "sim/tolerances.h"

// ---- checks -------------------------------------------------------------------------------------

static utStatus check_wrenches(const utModel* model, const utForce* applied, utError* err)
{
    for (int i = 0; applied != NULL && i < model->nbody; i++) {
        const utForce* f = &applied[i];
        const double all[] = {f->force.x,  f->force.y,  f->force.z,
                              f->torque.x, f->torque.y, f->torque.z};
        if (!ut_all_finite(6, all)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "applied[%d] is not finite", i);
        }
    }
    return UT_OK;
}

// In a planar world bodies turn about the plane's normal only.
static bool stays_in_plane(const utModel* model, const double* q)
{
    if (model->options.planar == UT_PLANAR_NONE) {
        return true;
    }
    const utVec3 turn = ut_vec3(q[1], q[2], q[3]);
    const utVec3 tilt = ut_vec3_cross(ut_plane(model->options.planar).normal, turn);
    return ut_vec3_norm(tilt) <= PLANE_TOLERANCE * sqrt(q[0] * q[0] + ut_vec3_dot(turn, turn));
}

static utStatus check_all(const utModel* model, const utInput* input, utError* err)
{
    UT_TRY(ut_sim_check_finite("ctrl", model->nu, input->ctrl, err));
    UT_TRY(ut_sim_check_finite("force", model->nv, input->force, err));
    UT_TRY(ut_sim_check_finite("mocap_pos", 3 * model->nmocap, input->mocap_pos, err));
    UT_TRY(ut_sim_check_finite("mocap_quat", 4 * model->nmocap, input->mocap_quat, err));
    for (int m = 0; input->mocap_quat != NULL && m < model->nmocap; m++) {
        const double* q = input->mocap_quat + (size_t)4 * (size_t)m;
        if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "mocap_quat of body %d is zero", m);
        }
        if (!stays_in_plane(model, q)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "mocap_quat of body %d turns out of the plane %s", m,
                                ut_planar_name(model->options.planar));
        }
    }
    return check_wrenches(model, input->applied, err);
}

// ---- controls -----------------------------------------------------------------------------------

static void set_controls(Step* step, const double* ctrl)
{
    const utModel* model = step->sim->model;
    for (int a = 0; a < model->nu; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        step->input.ctrl[a] = ctrl != NULL ? ctrl[a] : 0.0;
        if (actuator->ctrl_limited) {
            step->input.ctrl[a] =
                ut_clamp(step->input.ctrl[a], actuator->ctrl_range[0], actuator->ctrl_range[1]);
        }
    }
}

// ---- the input -----------------------------------------------------------------------------------

utStatus ut_step_push_input(Step* step)
{
    const utModel* model = step->sim->model;
    StepInput* in = &step->input;
    in->ctrl = UT_PUSH(&step->arena, double, model->nu);
    in->input = UT_PUSH(&step->arena, double, model->nu);
    in->force = UT_PUSH(&step->arena, double, model->nv);
    in->actuator_diagonal = UT_PUSH(&step->arena, double, model->nv);
    in->actuation = UT_PUSH(&step->arena, Actuation, model->nu);
    in->actuator_force = UT_PUSH(&step->arena, double, model->nu);
    in->compensation = UT_PUSH(&step->arena, double, model->nv);
    in->saturated = UT_PUSH(&step->arena, int, model->nv);
    in->limited = UT_PUSH(&step->arena, ActuatorRow, model->nu);
    in->mocap_velocity = UT_PUSH(&step->arena, utMotion, model->nmocap);
    return ut_arena_failed(&step->arena) ? UT_ERR_CAPACITY : UT_OK;
}

utStatus ut_step_input(Step* step, const utInput* input, utError* err)
{
    const utModel* model = step->sim->model;
    const utInput nothing = {0};
    StepInput* in = &step->input;
    input = input != NULL ? input : &nothing;
    UT_TRY(check_all(model, input, err));
    UT_TRY(ut_step_push_input(step));
    if (ut_sim_has_stages(step->sim)) {
        in->stiffness = UT_PUSH(&step->arena, double, model->nv);
        in->damping = UT_PUSH(&step->arena, double, model->nv);
    }
    double* given = input->force != NULL ? UT_PUSH(&step->arena, double, model->nv) : NULL;
    utForce* wrench = input->applied != NULL ? UT_PUSH(&step->arena, utForce, model->nbody) : NULL;
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    if (given != NULL) {
        memcpy(given, input->force, (size_t)model->nv * sizeof *given);
        in->caller_force = given;
    }
    if (wrench != NULL) {
        memcpy(wrench, input->applied, (size_t)model->nbody * sizeof *wrench);
        in->wrench = wrench;
    }
    set_controls(step, input->ctrl);
    UT_TRY(ut_step_activate(step));
    return ut_step_prescribe(step, input, err);
}
