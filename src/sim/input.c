// SPDX-License-Identifier: Apache-2.0
// What acts in a step: controls, forces, prescribed motion. Nothing that is not
// finite gets past here.
#include <string.h>

#include "internal.h"

// ---- checks -------------------------------------------------------------------------------------

static utStatus check_wrenches(const utModel* model, const utForce* applied, utError* err)
{
    for (int i = 0; applied != NULL && i < model->nbody; i++) {
        const utForce* f = &applied[i];
        const double all[] = {f->force.x,  f->force.y,  f->force.z,
                              f->torque.x, f->torque.y, f->torque.z};
        for (int k = 0; k < 6; k++) {
            if (!isfinite(all[k])) {
                return ut_error_set(err, UT_ERR_ARGUMENT, "applied[%d] is not finite", i);
            }
        }
    }
    return UT_OK;
}

// In a planar world things turn about the normal alone, up to rounding.
static bool stays_in_plane(const utModel* model, const double* q)
{
    if (model->options.planar == UT_PLANAR_NONE) {
        return true;
    }
    const utVec3 turn = ut_vec3(q[1], q[2], q[3]);
    const utVec3 off = ut_vec3_cross(ut_plane(model->options.planar).normal, turn);
    return ut_vec3_norm(off) <= 1e-9 * sqrt(q[0] * q[0] + ut_vec3_dot(turn, turn));
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

// ---- actuators ----------------------------------------------------------------------------------

static double clamp(double x, const double range[2])
{
    return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

// A position actuator's force F = g (kp (ctrl - g q) - kv g v), linearized about step->q:
// F0 - h K v at first, with h D + h^2 K on the diagonal of M. Integrators with stages take it as it
// is, unless it is limited.
static void position_actuator(Step* step, int a)
{
    const utSim* sim = step->sim;
    const utModelActuator* actuator = &sim->model->actuator[a];
    const int dof = actuator->dof;
    const double g = actuator->gear;
    const double q = step->q[sim->model->joint[actuator->joint].q];
    const double v = step->v[dof];
    const double K = actuator->kp * g * g;
    const double D = actuator->kv * g * g;
    const double target = g * actuator->kp * step->ctrl[a];
    const double implicit = sim->h * D + sim->h * sim->h * K;
    const double force = target - K * q - D * v - sim->h * K * v;
    if (sim->formulation->explicit_forces) {
        const double now = target - K * q - D * v;
        step->force[dof] +=
            actuator->force_limited ? g * clamp(now / g, actuator->force_range) : now;
        return;
    }
    if (actuator->force_limited && implicit > 0.0) {
        step->law[step->laws++] = (ActuatorLaw){a, force, 1.0 / implicit};
    } else if (step->stiffness != NULL) {
        step->force[dof] += target;
        step->stiffness[dof] += K;
        step->damping[dof] += D;
    } else {
        step->force[dof] += force;
        step->more[dof] += implicit;
    }
}

static void motor(Step* step, int a)
{
    const utModelActuator* actuator = &step->sim->model->actuator[a];
    double force = step->ctrl[a];
    if (actuator->force_limited) {
        force = clamp(force, actuator->force_range);
    }
    step->force[actuator->dof] += actuator->gear * force;
}

static void set_controls(Step* step, const double* ctrl)
{
    const utModel* model = step->sim->model;
    for (int a = 0; a < model->nu; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        step->ctrl[a] = ctrl != NULL ? ctrl[a] : 0.0;
        if (actuator->ctrl_limited) {
            step->ctrl[a] = clamp(step->ctrl[a], actuator->ctrl_range);
        }
    }
}

static void clear(int n, double* x)
{
    if (x != NULL) {
        memset(x, 0, (size_t)n * sizeof *x);
    }
}

void ut_step_actuate(Step* step)
{
    const utModel* model = step->sim->model;
    clear(model->nv, step->force);
    clear(model->nv, step->more);
    clear(model->nv, step->stiffness);
    clear(model->nv, step->damping);
    if (step->given != NULL) {
        memcpy(step->force, step->given, (size_t)model->nv * sizeof *step->force);
    }
    step->laws = 0;
    for (int a = 0; a < model->nu; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        if (actuator->equality >= 0) {
            continue; // its force is found from the poses of its bodies
        }
        if (actuator->kind == UT_ACTUATOR_POSITION) {
            position_actuator(step, a);
        } else {
            motor(step, a);
        }
    }
}

// ---- prescribed motion --------------------------------------------------------------------------

// The twist that leads from the pose at hand to the one asked for in one step.
static utMotion mocap_twist(const Step* step, int m)
{
    const utSim* sim = step->sim;
    const double* p = sim->mocap_pos + (size_t)3 * (size_t)m;
    const double* q = sim->mocap_quat + (size_t)4 * (size_t)m;
    const double* p2 = step->mocap_pos_next + (size_t)3 * (size_t)m;
    const double* q2 = step->mocap_quat_next + (size_t)4 * (size_t)m;
    const utVec3 linear =
        ut_vec3((p2[0] - p[0]) / sim->h, (p2[1] - p[1]) / sim->h, (p2[2] - p[2]) / sim->h);
    const utQuat from = ut_quat(q[0], q[1], q[2], q[3]);
    const utQuat to = ut_quat(q2[0], q2[1], q2[2], q2[3]);
    const utVec3 turn = ut_quat_log(ut_quat_mul(to, ut_quat_conjugate(from)));
    return ut_motion(linear, ut_vec3_scale(turn, 1.0 / sim->h));
}

void ut_sim_follow(const utModel* model, double time, double* mocap_pos, double* mocap_quat,
                   utMotion* twist)
{
    for (int i = 0; i < model->nmotion; i++) {
        const size_t m = (size_t)model->body[model->motion[i].body].mocap;
        utVec3 pos;
        utQuat quat;
        utMotion moving;
        ut_model_motion(model, i, time, &pos, &quat, &moving);
        mocap_pos[3 * m] = pos.x;
        mocap_pos[3 * m + 1] = pos.y;
        mocap_pos[3 * m + 2] = pos.z;
        mocap_quat[4 * m] = quat.w;
        mocap_quat[4 * m + 1] = quat.x;
        mocap_quat[4 * m + 2] = quat.y;
        mocap_quat[4 * m + 3] = quat.z;
        if (twist != NULL) {
            twist[m] = moving;
        }
    }
}

// Functions of the time must be finite when they are asked for.
static utStatus check_motions(const Step* step, utError* err)
{
    const utModel* model = step->sim->model;
    for (int i = 0; i < model->nmotion; i++) {
        const size_t m = (size_t)model->body[model->motion[i].body].mocap;
        const utMotion* t = &step->mocap_velocity[m];
        const double all[] = {step->mocap_pos_next[3 * m],
                              step->mocap_pos_next[3 * m + 1],
                              step->mocap_pos_next[3 * m + 2],
                              t->linear.x,
                              t->linear.y,
                              t->linear.z,
                              t->angular.x,
                              t->angular.y,
                              t->angular.z};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            if (!isfinite(all[k])) {
                return ut_error_set(err, UT_ERR_ARGUMENT,
                                    "the motion of body '%s' is not finite from t = %g s on",
                                    model->body[model->motion[i].body].name, step->sim->time);
            }
        }
    }
    return UT_OK;
}

static utStatus prescribe(Step* step, const utInput* input, utError* err)
{
    const utSim* sim = step->sim;
    const utModel* model = sim->model;
    const int n = model->nmocap;
    step->mocap_pos_next = UT_PUSH(&step->arena, double, 3 * n);
    step->mocap_quat_next = UT_PUSH(&step->arena, double, 4 * n);
    if (step->mocap_pos_next == NULL || step->mocap_quat_next == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(step->mocap_pos_next, input->mocap_pos != NULL ? input->mocap_pos : sim->mocap_pos,
           (size_t)(3 * n) * sizeof *step->mocap_pos_next);
    memcpy(step->mocap_quat_next, input->mocap_quat != NULL ? input->mocap_quat : sim->mocap_quat,
           (size_t)(4 * n) * sizeof *step->mocap_quat_next);
    for (int m = 0; m < n; m++) {
        double* q = step->mocap_quat_next + (size_t)4 * (size_t)m;
        utQuat unit;
        (void)ut_quat_normalize(ut_quat(q[0], q[1], q[2], q[3]), &unit);
        q[0] = unit.w;
        q[1] = unit.x;
        q[2] = unit.y;
        q[3] = unit.z;
    }
    ut_sim_follow(model, sim->end, step->mocap_pos_next, step->mocap_quat_next, NULL);
    for (int m = 0; m < n; m++) {
        step->mocap_velocity[m] = mocap_twist(step, m);
    }
    if (sim->formulation->explicit_forces) {
        // as the seeds have it: the rate at the step's start
        ut_sim_follow(model, sim->time, sim->mocap_pos, sim->mocap_quat, step->mocap_velocity);
    }
    return check_motions(step, err);
}

utStatus ut_step_input(Step* step, const utInput* input, utError* err)
{
    const utModel* model = step->sim->model;
    const utInput nothing = {0};
    input = input != NULL ? input : &nothing;
    UT_TRY(check_all(model, input, err));
    step->ctrl = UT_PUSH(&step->arena, double, model->nu);
    step->force = UT_PUSH(&step->arena, double, model->nv);
    step->more = UT_PUSH(&step->arena, double, model->nv);
    step->applied = UT_PUSH(&step->arena, utForce, model->nbody);
    step->mocap_velocity = UT_PUSH(&step->arena, utMotion, model->nmocap);
    step->law = UT_PUSH(&step->arena, ActuatorLaw, model->nu);
    if (step->ctrl == NULL || step->force == NULL || step->more == NULL || step->applied == NULL ||
        step->mocap_velocity == NULL || step->law == NULL) {
        return UT_ERR_CAPACITY;
    }
    if (ut_sim_staged(step->sim)) {
        step->stiffness = UT_PUSH(&step->arena, double, model->nv);
        step->damping = UT_PUSH(&step->arena, double, model->nv);
        if (step->stiffness == NULL || step->damping == NULL) {
            return UT_ERR_CAPACITY;
        }
    }
    memset(step->applied, 0, (size_t)model->nbody * sizeof *step->applied);
    if (input->force != NULL) {
        double* given = UT_PUSH(&step->arena, double, model->nv);
        if (given == NULL) {
            return UT_ERR_CAPACITY;
        }
        memcpy(given, input->force, (size_t)model->nv * sizeof *given);
        step->given = given;
    }
    if (input->applied != NULL) {
        memcpy(step->applied, input->applied, (size_t)model->nbody * sizeof *step->applied);
    }
    set_controls(step, input->ctrl);
    return prescribe(step, input, err);
}
