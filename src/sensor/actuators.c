// SPDX-License-Identifier: Apache-2.0
// Sensors of actuators and tendons: lengths, rates, forces and limits.
#include "internal.h"

#include "la/scalar.h"

// ---- actuators ----------------------------------------------------------------------------------

static double transmission_rate(const SensorView* view, int actuator)
{
    const utSensorState* state = view->state;
    const utModelActuator* a = &view->model->actuator[actuator];
    if (a->transmission == UT_TRANSMISSION_TENDON) {
        return a->gear[0] * ut_tendon_rate(state->kin, state->v, a->tendon);
    }
    int terms = 0;
    double rate = 0.0;
    (void)ut_actuator_length(state->kin, state->q, actuator, &terms, view->sensors->index,
                             view->sensors->work);
    for (int k = 0; k < terms; k++) {
        rate += view->sensors->work[k] * state->v[view->sensors->index[k]];
    }
    return rate;
}

static double transmission_length(const SensorView* view, int actuator)
{
    int terms = 0;
    return ut_actuator_length(view->state->kin, view->state->q, actuator, &terms,
                              view->sensors->index, view->sensors->work);
}

// The mean force of an actuator. Forces do nothing in the instants of a step with parts. Equalities
// take the actuators of their joints as part of their rows.
static double force_of(const SensorView* view, int actuator)
{
    const utStepReport* step = view->step;
    double sum = 0.0;
    if (view->model->actuator[actuator].equality >= 0) {
        return (double)NAN;
    }
    for (int k = 0; k < step->parts; k++) {
        const utStepReport* part = &step->part[k];
        sum += part->instant ? 0.0 : part->h * part->actuator_force[actuator];
    }
    return step->parts > 0 ? sum / step->h : step->actuator_force[actuator];
}

// The force of all actuators on the velocity of a joint: the sum of moment times force, and gravity
// compensation where it counts as such a force, within the joint's range.
static double joint_force(const SensorView* view, const utModelSensor* s)
{
    const utModel* model = view->model;
    const utSensors* sensors = view->sensors;
    if (s->object != UT_OBJECT_JOINT) {
        return (double)NAN;
    }
    const utModelJoint* joint = &model->joint[s->index];
    double sum = 0.0;
    for (int i = 0; i < model->nu; i++) {
        int terms = 0;
        (void)ut_actuator_length(&sensors->kin, sensors->q, i, &terms, sensors->index,
                                 sensors->work);
        for (int k = 0; k < terms; k++) {
            sum += sensors->index[k] == joint->v ? sensors->work[k] * force_of(view, i) : 0.0;
        }
    }
    ut_actuator_compensation(&sensors->kin, sensors->work);
    sum += sensors->work[joint->v];
    return joint->actuator_force_limited
               ? ut_clamp(sum, joint->actuator_force_range[0], joint->actuator_force_range[1])
               : sum;
}

void ut_sensor_read_actuator(const SensorView* view, const utModelSensor* s, double* x)
{
    switch (s->kind) {
    case UT_SENSOR_ACTUATOR_POSITION:
        x[0] = transmission_length(view, s->index);
        break;
    case UT_SENSOR_ACTUATOR_VELOCITY:
        x[0] = transmission_rate(view, s->index);
        break;
    case UT_SENSOR_ACTUATOR_FORCE:
        x[0] = force_of(view, s->index);
        break;
    default: // UT_SENSOR_JOINT_ACTUATOR_FORCE
        x[0] = joint_force(view, s);
        break;
    }
}

// ---- tendons ------------------------------------------------------------------------------------

// The side of the limit that a tendon has passed: 1 for the shortest length, -1 for the longest one,
// 0 for none.
static double passed_limit(const utModelTendon* tendon, double length)
{
    return !tendon->limited            ? 0.0
           : length < tendon->range[0] ? 1.0
           : length > tendon->range[1] ? -1.0
                                       : 0.0;
}

static double limit_force(const SensorView* view, int tendon)
{
    double sum = 0.0;
    for (int i = 0; i < view->step->rows; i++) {
        const utRow* row = &view->step->row[i];
        if ((row->kind == UT_ROW_TENDON_LOWER || row->kind == UT_ROW_TENDON_UPPER) &&
            row->equality == tendon) {
            sum += row->length * row->r / view->step->h;
        }
    }
    return sum;
}

static double actuator_sum(const SensorView* view, int tendon)
{
    double sum = 0.0;
    for (int i = 0; i < view->model->nu; i++) {
        const utModelActuator* a = &view->model->actuator[i];
        const bool pulls = a->transmission == UT_TRANSMISSION_TENDON && a->tendon == tendon;
        sum += pulls ? force_of(view, i) : 0.0;
    }
    const utModelTendon* t = &view->model->tendon[tendon];
    return t->actuator_force_limited
               ? ut_clamp(sum, t->actuator_force_range[0], t->actuator_force_range[1])
               : sum;
}

void ut_sensor_read_tendon(const SensorView* view, const utModelSensor* s, double* x)
{
    const utSensorState* state = view->state;
    const utModelTendon* tendon = &view->model->tendon[s->index];
    const double length = ut_tendon_length(state->kin, state->q, s->index, NULL, NULL, NULL);
    const double side = passed_limit(tendon, length);
    switch (s->kind) {
    case UT_SENSOR_TENDON_POSITION:
        x[0] = length;
        break;
    case UT_SENSOR_TENDON_VELOCITY:
        x[0] = ut_tendon_rate(state->kin, state->v, s->index);
        break;
    case UT_SENSOR_TENDON_ACTUATOR_FORCE:
        x[0] = actuator_sum(view, s->index);
        break;
    case UT_SENSOR_TENDON_LIMIT_POSITION:
        x[0] = side == 0.0 ? 0.0 : side * (length - tendon->range[side > 0.0 ? 0 : 1]);
        break;
    case UT_SENSOR_TENDON_LIMIT_VELOCITY:
        x[0] = side == 0.0 ? 0.0 : side * ut_tendon_rate(state->kin, state->v, s->index);
        break;
    default: // UT_SENSOR_TENDON_LIMIT_FORCE
        x[0] = limit_force(view, s->index);
        break;
    }
}
