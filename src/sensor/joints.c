// SPDX-License-Identifier: Apache-2.0
// Sensors of joints: coordinates and limits.
#include "internal.h"

#include <string.h>

// ---- coordinates --------------------------------------------------------------------------------

// Coordinates of a joint, or of the equality that replaces it in maximal coordinates.
static void read_coordinates(const SensorView* view, const utModelSensor* s, double q[4],
                             double v[3])
{
    const utSensorState* state = view->state;
    if (s->object == UT_OBJECT_EQUALITY) {
        ut_equality_coordinates(state->kin, s->index, q, v);
        return;
    }
    const utModelJoint* joint = &view->model->joint[s->index];
    memcpy(q, state->q + joint->q, (size_t)ut_joint_positions(joint->kind) * sizeof *q);
    memcpy(v, state->v + joint->v, (size_t)ut_joint_velocities(joint->kind) * sizeof *v);
}

// ---- limits -------------------------------------------------------------------------------------

// The limit that a joint has reached: the distance from it, and its rate.
typedef struct Reached {
    double distance, rate; // both 0: none is reached
} Reached;

static Reached reached_limit(const double range[2], bool ball, const double q[4], const double v[3])
{
    if (ball) {
        const utVec3 turn = ut_quat_log(ut_quat(q[0], q[1], q[2], q[3]));
        const double angle = ut_vec3_norm(turn);
        const double rate =
            angle > 0.0 ? ut_vec3_dot(turn, ut_vec3(v[0], v[1], v[2])) / angle : 0.0;
        return angle > range[1] ? (Reached){range[1] - angle, -rate} : (Reached){0};
    }
    if (q[0] < range[0]) {
        return (Reached){q[0] - range[0], v[0]};
    }
    return q[0] > range[1] ? (Reached){range[1] - q[0], -v[0]} : (Reached){0};
}

static Reached find_limit(const SensorView* view, const utModelSensor* s)
{
    const utModel* model = view->model;
    double q[4], v[3];
    read_coordinates(view, s, q, v);
    if (s->object == UT_OBJECT_EQUALITY) {
        const utModelEquality* e = &model->equality[s->index];
        return e->limited ? reached_limit(e->range, e->kind == UT_EQUALITY_BALL, q, v)
                          : (Reached){0};
    }
    const utModelJoint* joint = &model->joint[s->index];
    return joint->limited ? reached_limit(joint->range, joint->kind == UT_JOINT_BALL, q, v)
                          : (Reached){0};
}

static double limit_force(const SensorView* view, const utModelSensor* s)
{
    double sum = 0.0;
    for (int i = 0; i < view->step->rows; i++) {
        const utRow* row = &view->step->row[i];
        const bool limit =
            row->kind == UT_ROW_LOWER || row->kind == UT_ROW_UPPER || row->kind == UT_ROW_BALL;
        if (limit && row->dof >= 0 && row->joint == s->index) {
            sum += row->length * row->r / view->step->h;
        }
    }
    return sum;
}

// ---- sensors ------------------------------------------------------------------------------------

void ut_sensor_read_joint(const SensorView* view, const utModelSensor* s, double* x)
{
    double q[4], v[3];
    read_coordinates(view, s, q, v);
    switch (s->kind) {
    case UT_SENSOR_JOINT_POSITION:
        x[0] = q[0];
        break;
    case UT_SENSOR_JOINT_VELOCITY:
        x[0] = v[0];
        break;
    case UT_SENSOR_BALL_QUATERNION:
        memcpy(x, q, sizeof q);
        break;
    case UT_SENSOR_BALL_VELOCITY:
        memcpy(x, v, sizeof v);
        break;
    case UT_SENSOR_JOINT_LIMIT_POSITION:
        x[0] = find_limit(view, s).distance;
        break;
    case UT_SENSOR_JOINT_LIMIT_VELOCITY:
        x[0] = find_limit(view, s).rate;
        break;
    default: // UT_SENSOR_JOINT_LIMIT_FORCE; the limits of equalities are rows between bodies
        x[0] = s->object == UT_OBJECT_JOINT ? limit_force(view, s) : (double)NAN;
        break;
    }
}
