// SPDX-License-Identifier: Apache-2.0
// Rows of joints: limits and dry friction; and actuators with a limited force or with terms.
//
// Angular rows are multiplied by the joint's reach, so that their velocities are in m/s like those
// of contacts and one velocity scale serves all.
#include "contact/contact.h"

// Update and return the fastest speed of a joint seen in this step; of a ball its angular speed.
static double fastest(const ContactScene* scene, int j)
{
    const utModelJoint* joint = &scene->model->joint[j];
    const double* const velocities[] = {scene->v, scene->v_free, scene->v_next};
    double* speed = &scene->bounds.joint_speed[j];
    for (int k = 0; k < (scene->v_next != NULL ? 3 : 2); k++) {
        const double* v = velocities[k] + joint->v;
        const bool ball = joint->kind == UT_JOINT_BALL;
        *speed = fmax(*speed, ball ? ut_vec3_norm(ut_vec3(v[0], v[1], v[2])) : fabs(v[0]));
    }
    return *speed;
}

// May the gap of a limit close within the step?
static bool may_close(const ContactScene* scene, int j, double gap, double length)
{
    return !(gap * length > 2.0 * scene->h * fastest(scene, j) * length + UT_CONTACT_SLACK);
}

static double gap_velocity(const ContactScene* scene, double gap)
{
    const double counted = gap > 0.0 || scene->formulation->gap == UT_GAP_SIGNED ? gap : 0.0;
    return scene->h > 0.0 ? counted / scene->h : 0.0;
}

static utRow limit_row(const ContactScene* scene, utRowKind kind, int j, double gap)
{
    const utModelJoint* joint = &scene->model->joint[j];
    const double length = ut_dof_length(scene->model, joint->v);
    return (utRow){
        .kind = kind,
        .joint = j,
        .actuator = -1,
        .dof = joint->v,
        .dofs = 1,
        .direction = {kind == UT_ROW_LOWER ? 1.0 : -1.0},
        .length = length,
        .island = -1,
        .gap = gap,
        .b = length * gap_velocity(scene, gap),
        .low = 0.0,
        .high = HUGE_VAL,
    };
}

static int scalar_limits(const ContactScene* scene, const double* q, int j, utRow* row)
{
    const utModelJoint* joint = &scene->model->joint[j];
    const double gaps[2] = {q[joint->q] - joint->range[0], joint->range[1] - q[joint->q]};
    int count = 0;
    for (int side = 0; side < 2; side++) {
        if (may_close(scene, j, gaps[side], ut_dof_length(scene->model, joint->v))) {
            row[count++] = limit_row(scene, side == 0 ? UT_ROW_LOWER : UT_ROW_UPPER, j, gaps[side]);
        }
    }
    return count;
}

// The limit of the rotation angle from the modelled pose. The rate of this angle is axis . w with
// the axis of the rotation.
static int ball_limit(const ContactScene* scene, const double* q, int j, utRow* row)
{
    const utModelJoint* joint = &scene->model->joint[j];
    const double* quat = q + joint->q;
    const utVec3 turn = ut_quat_log(ut_quat(quat[0], quat[1], quat[2], quat[3]));
    const double angle = ut_vec3_norm(turn);
    const double gap = joint->range[1] - angle;
    // at the modelled pose the angle grows in every direction: take the axis of the velocity
    const double* w = (scene->v_next != NULL ? scene->v_next : scene->v_free) + joint->v;
    const utVec3 axis = angle > 0.0 ? turn : ut_vec3(w[0], w[1], w[2]);
    const double size = ut_vec3_norm(axis);
    if (!(size > 0.0) || !may_close(scene, j, gap, joint->reach)) {
        return 0;
    }
    *row = limit_row(scene, UT_ROW_BALL, j, gap);
    row->dofs = 3;
    row->direction[0] = -axis.x / size;
    row->direction[1] = -axis.y / size;
    row->direction[2] = -axis.z / size;
    return 1;
}

static int friction_rows(const ContactScene* scene, int j, utRow* row)
{
    const utModelJoint* joint = &scene->model->joint[j];
    const bool one = joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE;
    const int dofs = joint->kind == UT_JOINT_BALL ? 3 : one ? 1 : 0; // free joints have no friction
    for (int k = 0; k < dofs; k++) {
        const double length = ut_dof_length(scene->model, joint->v);
        row[k] = (utRow){
            .kind = UT_ROW_FRICTION,
            .joint = j,
            .actuator = -1,
            .dof = joint->v + k,
            .dofs = 1,
            .direction = {1.0},
            .length = length,
            .island = -1,
            .low = -scene->h * joint->frictionloss / length,
            .high = scene->h * joint->frictionloss / length,
        };
    }
    return dofs;
}

// The row's velocity x'+ + compliance r + b is 0 within the bounds of r, with b = -x' - h compliance
// force.
static utRow actuator_row(const ContactScene* scene, const ActuatorRow* a)
{
    const utModelActuator* actuator = &scene->model->actuator[a->actuator];
    const bool joint = a->terms == 0;
    const double length = joint ? ut_dof_length(scene->model, actuator->dof)
                                : ut_terms_length(scene->model, a->terms, a->index, a->coefficient);
    const double rate = joint ? scene->v[actuator->dof] : a->rate;
    return (utRow){
        .kind = UT_ROW_ACTUATOR,
        .joint = actuator->joint,
        .actuator = a->actuator,
        .dof = actuator->dof,
        .dofs = joint ? 1 : 0,
        .direction = {joint ? 1.0 : 0.0},
        .length = length,
        .terms = a->terms,
        .index = a->index,
        .coefficient = a->coefficient,
        .compliance = a->compliance * length * length,
        .island = -1,
        .b = -length * (rate + scene->h * a->compliance * a->force),
        .low = scene->h * a->low / length,
        .high = scene->h * a->high / length,
    };
}

int ut_contact_joint_rows(const ContactScene* scene, const double* q, const ActuatorRow* actuator,
                          int actuators, utRow* row)
{
    const utModel* model = scene->model;
    int count = 0;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (joint->limited && joint->kind == UT_JOINT_BALL) {
            count += ball_limit(scene, q, j, row + count);
        } else if (joint->limited && joint->kind != UT_JOINT_FREE) {
            count += scalar_limits(scene, q, j, row + count);
        }
        if (joint->frictionloss > 0.0) {
            count += friction_rows(scene, j, row + count);
        }
    }
    for (int k = 0; k < actuators; k++) {
        row[count++] = actuator_row(scene, &actuator[k]);
    }
    return count;
}
