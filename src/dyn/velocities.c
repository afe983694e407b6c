// SPDX-License-Identifier: Apache-2.0
// Velocities of bodies, rates of joint axes, and accelerations for a = 0.
//
// An axis S that is fixed in a frame with the twist V changes at the rate V x S. The axis of a
// hinge or slide is fixed in the frame before the joint. The axes of the angular velocities of
// balls and free joints are fixed in the frame behind the joint. The translations of free and
// planar joints are fixed in the world. Accelerations are A = J a + bias, where bias is the sum of
// rate v over all joints from the root to the body.
#include "internal.h"

// ---- velocities alone ---------------------------------------------------------------------------

static utVec3 from_parent_origin(const utKinematics* kin, int b)
{
    return ut_vec3_sub(ut_dyn_origin(kin, b), ut_dyn_origin(kin, kin->model->body[b].parent));
}

// Is the body a tree of its own that floats in the world?
static bool floats(const utModel* model, int b)
{
    const int tree = model->body[b].tree;
    return tree >= 0 && model->tree[tree].free && model->body[b].parent == 0;
}

// The twist of such a body: the world's axes times its translations, and three rotations.
// @param axis, v six of the free joint
static utMotion floating_twist(const utMotion* axis, const double* v)
{
    utMotion twist = ut_motion(ut_dyn_vec3(v), ut_vec3_zero());
    for (int k = 3; k < 6; k++) {
        twist = ut_motion_add(twist, ut_motion_scale(axis[k], v[k]));
    }
    return twist;
}

static void set_velocity(utKinematics* kin, const double* v, int b)
{
    const utModelBody* body = kin->model->body + b;
    if (floats(kin->model, b)) {
        kin->velocity[b] = floating_twist(kin->axis + body->dof, v + body->dof);
        return;
    }
    utMotion velocity = kin->velocity[body->parent];
    if (!ut_dyn_parent_in_tree(kin->model, b)) {
        velocity = ut_dyn_shift(velocity, from_parent_origin(kin, b));
    }
    for (int k = body->dof; k < body->dof + body->dofs; k++) {
        velocity = ut_motion_add(velocity, ut_motion_scale(kin->axis[k], v[k]));
    }
    kin->velocity[b] = velocity;
}

void ut_kinematics_set_velocities(utKinematics* kin, const double* v,
                                  const utMotion* mocap_velocity)
{
    const utModel* model = kin->model;
    const utMotion still = {0};
    kin->velocity[0] = still;
    for (int b = 1; b < model->nbody; b++) {
        const int mocap = model->body[b].mocap;
        if (kin->still != NULL && model->body[b].tree >= 0 && kin->still[model->body[b].tree]) {
            continue;
        }
        if (mocap < 0) {
            set_velocity(kin, v, b);
        } else {
            kin->velocity[b] = ut_dyn_shift(mocap_velocity != NULL ? mocap_velocity[mocap] : still,
                                            ut_vec3_negate(kin->body[b].p));
        }
    }
}

// ---- velocities, rates and accelerations --------------------------------------------------------

// Set the velocity and bias of a body to those of its parent, before its own joints add to them.
static void start_from_parent(utKinematics* kin, int b)
{
    const int parent = kin->model->body[b].parent;
    if (ut_dyn_parent_in_tree(kin->model, b)) { // both have the same reference point
        kin->velocity[b] = kin->velocity[parent];
        kin->bias[b] = kin->bias[parent];
        return;
    }
    const utVec3 r = from_parent_origin(kin, b);
    kin->velocity[b] = ut_dyn_shift(kin->velocity[parent], r);
    kin->bias[b] = ut_dyn_shift(kin->bias[parent], r);
}

// A hinge or slide: its axis is fixed in the frame before the joint.
// @param parent the body whose motion b has before this joint: its parent, or b itself
static inline void add_scalar_joint(utKinematics* kin, int b, int parent, int dof, double v)
{
    const utMotion carrier = kin->velocity[parent];
    const utMotion axis = kin->axis[dof];
    const utMotion rate = ut_motion_cross(carrier, axis);
    kin->rate[dof] = rate;
    kin->velocity[b] = ut_motion_add(carrier, ut_motion_scale(axis, v));
    kin->bias[b] = ut_motion_add(kin->bias[parent], ut_motion_scale(rate, v));
}

static void add_joint(utKinematics* kin, int b, const utModelJoint* joint, const double* v)
{
    const utMotion still = {0};
    if (joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE) {
        add_scalar_joint(kin, b, b, joint->v, v[joint->v]);
        return;
    }
    const int count = ut_joint_velocities(joint->kind);
    const int translations = ut_dyn_translations(joint->kind);

    utMotion velocity = kin->velocity[b];
    for (int k = joint->v; k < joint->v + count; k++) {
        velocity = ut_motion_add(velocity, ut_motion_scale(kin->axis[k], v[k]));
    }
    kin->velocity[b] = velocity;
    for (int k = joint->v; k < joint->v + count; k++) {
        const bool constant = k < joint->v + translations;
        kin->rate[k] = constant ? still : ut_motion_cross(velocity, kin->axis[k]);
        kin->bias[b] = ut_motion_add(kin->bias[b], ut_motion_scale(kin->rate[k], v[k]));
    }
}

// A body that floats in the world: the axes of its translations are constant, and those of its
// rotations turn with it.
static void move_floating(utKinematics* kin, const double* v, int b)
{
    const int dof = kin->model->body[b].dof;
    const utMotion still = {0};
    const utMotion velocity = floating_twist(kin->axis + dof, v + dof);
    utMotion bias = still;
    for (int k = dof; k < dof + 3; k++) {
        kin->rate[k] = still;
    }
    for (int k = dof + 3; k < dof + 6; k++) {
        kin->rate[k] = ut_motion_cross(velocity, kin->axis[k]);
        bias = ut_motion_add(bias, ut_motion_scale(kin->rate[k], v[k]));
    }
    kin->velocity[b] = velocity;
    kin->bias[b] = bias;
}

void ut_dyn_move_tree(utKinematics* kin, const double* v, int tree)
{
    const utModel* model = kin->model;
    const utModelTree* t = model->tree + tree;
    if (floats(model, t->body)) {
        move_floating(kin, v, t->body);
        return;
    }
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utModelBody* body = model->body + b;
        if (b != t->body && body->joints == 1 && body->dofs == 1) {
            add_scalar_joint(kin, b, body->parent, body->dof, v[body->dof]);
            continue;
        }
        start_from_parent(kin, b);
        for (int j = body->joint; j < body->joint + body->joints; j++) {
            add_joint(kin, b, model->joint + j, v);
        }
    }
}

// A mocap body has a constant twist: the origin of its frame has no acceleration, and its spatial
// acceleration is -w x v.
static void move_mocap(utKinematics* kin, int b, utMotion twist)
{
    const utVec3 to_origin = ut_vec3_negate(kin->body[b].p);
    const utVec3 spatial = ut_vec3_cross(twist.linear, twist.angular);
    kin->velocity[b] = ut_dyn_shift(twist, to_origin);
    kin->bias[b] = ut_motion(spatial, ut_vec3_zero());
}

void ut_dyn_move_fixed(utKinematics* kin, const utMotion* mocap_velocity)
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
}

void ut_kinematics_move(utKinematics* kin, const double* v, const utMotion* mocap_velocity)
{
    ut_dyn_move_fixed(kin, mocap_velocity);
    for (int t = 0; t < kin->model->ntree; t++) {
        if (!ut_dyn_skips(kin, t, NULL)) {
            ut_dyn_move_tree(kin, v, t);
        }
    }
}

void ut_kinematics_renew_tree(utKinematics* kin, const double* q, const double* v, int tree)
{
    ut_dyn_place_tree(kin, q, tree);
    ut_dyn_move_tree(kin, v, tree);
}
