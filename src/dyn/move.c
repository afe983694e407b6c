// SPDX-License-Identifier: Apache-2.0
// How the bodies move: velocities, the rates of the joints' axes, accelerations for a = 0.
//
// An axis S that is fixed in a frame moving with V changes at the rate V x S. A hinge's or slide's
// axis is fixed in the frame that the joint finds, the axes of angular velocities of balls and free
// joints in the frame that they leave, and the translations of a free joint, or one of a planar
// world, in the world.
// Accelerations are A = J a + bias with bias = the sum of rate v along the way to the root.
#include "internal.h"

// The body's velocity and bias before its joints: those of its parent.
static void start_from_parent(utKinematics* kin, int b)
{
    const int parent = kin->model->body[b].parent;
    const utVec3 r = ut_vec3_sub(ut_dyn_origin(kin, b), ut_dyn_origin(kin, parent));
    kin->velocity[b] = ut_dyn_shift(kin->velocity[parent], r);
    kin->bias[b] = ut_dyn_shift(kin->bias[parent], r);
}

static void pass_joint(utKinematics* kin, int b, const utModelJoint* joint, const double* v)
{
    const utMotion still = {0};
    const bool one = joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE;
    const int count = ut_joint_velocities(joint->kind);
    const int translations = ut_dyn_translations(joint->kind);

    utMotion velocity = kin->velocity[b];
    for (int k = joint->v; k < joint->v + count; k++) {
        velocity = ut_motion_add(velocity, ut_motion_scale(kin->axis[k], v[k]));
    }
    const utMotion carrier = one ? kin->velocity[b] : velocity;
    kin->velocity[b] = velocity;
    for (int k = joint->v; k < joint->v + count; k++) {
        const bool constant = k < joint->v + translations;
        kin->rate[k] = constant ? still : ut_motion_cross(carrier, kin->axis[k]);
        kin->bias[b] = ut_motion_add(kin->bias[b], ut_motion_scale(kin->rate[k], v[k]));
    }
}

void ut_dyn_move_tree(utKinematics* kin, const double* v, int tree)
{
    const utModel* model = kin->model;
    const utModelTree* t = model->tree + tree;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utModelBody* body = model->body + b;
        start_from_parent(kin, b);
        for (int j = body->joint; j < body->joint + body->joints; j++) {
            pass_joint(kin, b, model->joint + j, v);
        }
    }
}

// A body moved from outside with a constant twist: its frame's origin has no acceleration, and the
// spatial one is that less w x v.
static void move_mocap(utKinematics* kin, int b, utMotion twist)
{
    const utVec3 to_origin = ut_vec3_negate(kin->body[b].p);
    const utVec3 spatial = ut_vec3_cross(twist.linear, twist.angular);
    kin->velocity[b] = ut_dyn_shift(twist, to_origin);
    kin->bias[b] = ut_motion(spatial, ut_vec3_zero());
}

void ut_kinematics_move(utKinematics* kin, const double* v, const utMotion* mocap_velocity)
{
    const utModel* model = kin->model;
    const utMotion still = {0};
    for (int b = 0; b < model->nbody; b++) {
        const utModelBody* body = model->body + b;
        if (body->tree >= 0) {
            continue;
        }
        if (b == 0) {
            kin->velocity[b] = kin->bias[b] = still;
        } else if (body->mocap >= 0) {
            move_mocap(kin, b, mocap_velocity != NULL ? mocap_velocity[body->mocap] : still);
        } else {
            start_from_parent(kin, b);
        }
    }
    for (int t = 0; t < model->ntree; t++) {
        ut_dyn_move_tree(kin, v, t);
    }
}
