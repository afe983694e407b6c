// SPDX-License-Identifier: Apache-2.0
// Reading all sensors: each kind by the file of its subject, then the cutoff.
#include "internal.h"

#include "la/scalar.h"

utStatus ut_sensors_create(const utModel* model, utArena* keep, utSensors* sensors)
{
    utSensors made = {
        .model = model,
        .q = UT_PUSH(keep, double, model->nq),
        .v = UT_PUSH(keep, double, model->nv),
        .a = UT_PUSH(keep, double, model->nv),
        .work = UT_PUSH(keep, double, model->nv),
        .index = UT_PUSH(keep, int, model->nv),
        .acceleration = UT_PUSH(keep, utMotion, model->nbody),
        .wrench = UT_PUSH(keep, utForce, model->nbody),
    };
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, keep, &made.kin));
    *sensors = made;
    return UT_OK;
}

// ---- energies -----------------------------------------------------------------------------------

// The weight of fixed bodies counts too.
static double potential_energy(const SensorView* view)
{
    const utModel* model = view->model;
    const utKinematics* kin = view->state->kin;
    const utVec3 gravity = model->options.gravity;
    double energy = ut_dyn_potential(kin, view->state->q, gravity);
    for (int b = 1; b < model->nbody; b++) {
        if (model->body[b].tree < 0) {
            energy -= model->body[b].mass * ut_vec3_dot(gravity, kin->com[b]);
        }
    }
    return energy;
}

// ---- reading ------------------------------------------------------------------------------------

static void read_sensor(const SensorView* view, const utModelSensor* s, double* x)
{
    switch (s->kind) {
    case UT_SENSOR_ACCELEROMETER:
    case UT_SENSOR_VELOCIMETER:
    case UT_SENSOR_GYRO:
    case UT_SENSOR_MAGNETOMETER:
        ut_sensor_read_site(view, s, x);
        break;
    case UT_SENSOR_TOUCH:
    case UT_SENSOR_FORCE:
    case UT_SENSOR_TORQUE:
        ut_sensor_read_force(view, s, x);
        break;
    case UT_SENSOR_JOINT_POSITION:
    case UT_SENSOR_JOINT_VELOCITY:
    case UT_SENSOR_BALL_QUATERNION:
    case UT_SENSOR_BALL_VELOCITY:
    case UT_SENSOR_JOINT_LIMIT_POSITION:
    case UT_SENSOR_JOINT_LIMIT_VELOCITY:
    case UT_SENSOR_JOINT_LIMIT_FORCE:
        ut_sensor_read_joint(view, s, x);
        break;
    case UT_SENSOR_ACTUATOR_POSITION:
    case UT_SENSOR_ACTUATOR_VELOCITY:
    case UT_SENSOR_ACTUATOR_FORCE:
    case UT_SENSOR_JOINT_ACTUATOR_FORCE:
        ut_sensor_read_actuator(view, s, x);
        break;
    case UT_SENSOR_TENDON_POSITION:
    case UT_SENSOR_TENDON_VELOCITY:
    case UT_SENSOR_TENDON_ACTUATOR_FORCE:
    case UT_SENSOR_TENDON_LIMIT_POSITION:
    case UT_SENSOR_TENDON_LIMIT_VELOCITY:
    case UT_SENSOR_TENDON_LIMIT_FORCE:
        ut_sensor_read_tendon(view, s, x);
        break;
    case UT_SENSOR_SUBTREE_COM:
    case UT_SENSOR_SUBTREE_LINEAR_VELOCITY:
    case UT_SENSOR_SUBTREE_ANGULAR_MOMENTUM:
        ut_sensor_read_subtree(view, s, x);
        break;
    case UT_SENSOR_RANGEFINDER:
    case UT_SENSOR_INSIDE_SITE:
    case UT_SENSOR_DISTANCE:
    case UT_SENSOR_NORMAL:
    case UT_SENSOR_FROM_TO:
        ut_sensor_read_distance(view, s, x);
        break;
    case UT_SENSOR_POTENTIAL_ENERGY:
        x[0] = potential_energy(view);
        break;
    case UT_SENSOR_KINETIC_ENERGY:
        x[0] = ut_dyn_kinetic(view->state->kin, view->state->v);
        break;
    case UT_SENSOR_CLOCK:
        x[0] = view->state->time;
        break;
    default:
        ut_sensor_read_frame(view, s, x);
        break;
    }
}

static void clamp_values(const utModelSensor* s, utSensorTraits traits, double* x)
{
    const double low = traits.positive ? -HUGE_VAL : -s->cutoff;
    for (int k = 0; k < s->dim && traits.cutoff && s->cutoff > 0.0; k++) {
        x[k] = ut_clamp(x[k], low, s->cutoff);
    }
}

static bool needs_step(const utModel* model)
{
    bool found = false;
    for (int i = 0; i < model->nsensor && !found; i++) {
        found = ut_sensor_traits(model->sensor[i].kind).stage == UT_SENSOR_ACCELERATION;
    }
    return found;
}

void ut_sensors_read(utSensors* sensors, const utSensorState* state, const utStepReport* step,
                     double* data)
{
    const utModel* model = sensors->model;
    step = step != NULL && step->h > 0.0 ? step : NULL; // an instant has no accelerations
    if (step != NULL && needs_step(model)) {
        ut_sensor_find_step(sensors, step);
    }
    const SensorView view = {model, state, step, sensors};
    for (int i = 0; i < model->nsensor; i++) {
        const utModelSensor* s = &model->sensor[i];
        const utSensorTraits traits = ut_sensor_traits(s->kind);
        double* x = data + s->start;
        if (traits.stage == UT_SENSOR_ACCELERATION && step == NULL) {
            for (int k = 0; k < s->dim; k++) {
                x[k] = (double)NAN;
            }
            continue;
        }
        read_sensor(&view, s, x);
        clamp_values(s, traits, x);
    }
}
