// SPDX-License-Identifier: Apache-2.0
// Positions: poses of bodies, axes of joints and inertias, from q.
//
// The joints of one body act in order. Each turns or shifts the frame that the joint before it
// left. For a joint with anchor a = p + R pos and axis s = R axis, a frame (p, R) is
//
//     slide     shifted to p + s (q - ref)
//     hinge     turned about s through a by q - ref
//     ball      turned about a by its quaternion, multiplied from the right
//     free      replaced by the joint's own position and quaternion
//     planar    replaced by the position in the plane, with the depth of p, and by the angle about
//               the plane's normal
//     particle  replaced by the position in the plane; the orientation stays
#include <string.h>

#include "internal.h"

utStatus ut_kinematics_create(const utModel* model, utArena* keep, utKinematics* kin)
{
    utArena arena = *keep;
    utKinematics created = {
        .model = model,
        .body = UT_PUSH(&arena, utFrame, model->nbody),
        .quat = UT_PUSH(&arena, utQuat, model->nbody),
        .com = UT_PUSH(&arena, utVec3, model->nbody),
        .origin = UT_PUSH(&arena, utVec3, model->ntree + 1),
        .inertia = UT_PUSH(&arena, utInertia, model->nbody),
        .axis = UT_PUSH(&arena, utMotion, model->nv),
        .anchor = UT_PUSH(&arena, utVec3, model->njoint),
        .velocity = UT_PUSH(&arena, utMotion, model->nbody),
        .rate = UT_PUSH(&arena, utMotion, model->nv),
        .bias = UT_PUSH(&arena, utMotion, model->nbody),
    };
    if (ut_arena_failed(&arena)) {
        return UT_ERR_CAPACITY;
    }
    *keep = arena;
    *kin = created;
    return UT_OK;
}

static void copy(void* to, const void* from, int count, size_t size)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
}

void ut_kinematics_copy_placement(const utKinematics* from, utKinematics* to)
{
    const utModel* model = from->model;
    copy(to->body, from->body, model->nbody, sizeof *to->body);
    copy(to->quat, from->quat, model->nbody, sizeof *to->quat);
    copy(to->com, from->com, model->nbody, sizeof *to->com);
    copy(to->origin, from->origin, model->ntree + 1, sizeof *to->origin);
    copy(to->inertia, from->inertia, model->nbody, sizeof *to->inertia);
    copy(to->axis, from->axis, model->nv, sizeof *to->axis);
    copy(to->anchor, from->anchor, model->njoint, sizeof *to->anchor);
}

// ---- poses --------------------------------------------------------------------------------------

// The frame of a body after some of its joints.
typedef struct Pose {
    utVec3 p;
    utQuat quat;
} Pose;

// Store the directions of a joint's angular velocities in its axes. finish_axes turns them into
// twists once the reference point is known.
static void store_columns(utMotion* axis, utQuat quat)
{
    const utMat3 R = ut_quat_to_mat3(quat);
    for (int k = 0; k < 3; k++) {
        axis[k].angular = ut_mat3_column(R, k);
    }
}

static inline bool is_zero(utVec3 a)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z) == 0.0;
}

// A point of the body's frame, turned. Most joints are at the origin.
static utVec3 turn_point(utQuat quat, utVec3 point)
{
    return is_zero(point) ? ut_vec3_zero() : ut_quat_rotate(quat, point);
}

static Pose apply_planar_joint(utKinematics* kin, int j, const double* x, Pose at)
{
    const utModelJoint* joint = kin->model->joint + j;
    const utPlane plane = ut_plane(kin->model->options.planar);
    const double depth = ut_vec3_dot(plane.normal, at.p);
    at.p = ut_vec3_add_scaled(ut_plane_out(&plane, ut_vec2(x[0], x[1])), depth, plane.normal);
    if (joint->kind == UT_JOINT_PLANAR) {
        at.quat = ut_quat_from_axis_angle(plane.normal, x[2]);
    }
    kin->anchor[j] = at.p;
    return at;
}

static Pose apply_joint(utKinematics* kin, int j, const double* q, Pose at)
{
    const utModelJoint* joint = kin->model->joint + j;
    utMotion* axis = kin->axis + joint->v;
    const double* x = q + joint->q;
    if (joint->kind == UT_JOINT_FREE) {
        at = (Pose){ut_dyn_vec3(x), ut_dyn_quat(x + 3)};
        kin->anchor[j] = at.p;
        store_columns(axis + 3, at.quat);
        return at;
    }
    if (joint->kind == UT_JOINT_PLANAR || joint->kind == UT_JOINT_PARTICLE) {
        return apply_planar_joint(kin, j, x, at);
    }
    const utVec3 anchor = ut_vec3_add(at.p, turn_point(at.quat, joint->pos));
    kin->anchor[j] = anchor;
    if (joint->kind == UT_JOINT_BALL) {
        at.quat = ut_quat_mul(at.quat, ut_dyn_quat(x));
        store_columns(axis, at.quat);
    } else {
        axis->angular = ut_quat_rotate(at.quat, joint->axis);
        if (joint->kind == UT_JOINT_SLIDE) {
            at.p = ut_vec3_add_scaled(at.p, x[0] - joint->ref, axis->angular);
            return at;
        }
        at.quat = ut_quat_mul(at.quat, ut_quat_from_axis_angle(joint->axis, x[0] - joint->ref));
    }
    at.p = ut_vec3_sub(anchor, turn_point(at.quat, joint->pos));
    return at;
}

static inline void set_pose(utKinematics* kin, int b, Pose at)
{
    // products of quaternions drift from unit length
    utQuat quat;
    ut_quat_normalize(at.quat, &quat);
    const utFrame frame = ut_frame(ut_quat_to_mat3(quat), at.p);
    kin->quat[b] = quat;
    kin->body[b] = frame;
    kin->com[b] = ut_frame_point(frame, kin->model->body[b].com);
}

static inline Pose modelled_pose(const utKinematics* kin, int b)
{
    const utModelBody* body = kin->model->body + b;
    const utQuat parent = kin->quat[body->parent];
    const bool turned =
        body->quat.w != 1.0 || !is_zero(ut_vec3(body->quat.x, body->quat.y, body->quat.z));
    return (Pose){ut_frame_point(kin->body[body->parent], body->in_parent.p),
                  turned ? ut_quat_mul(parent, body->quat) : parent};
}

static void place_body(utKinematics* kin, int b, const double* q)
{
    const utModelBody* body = kin->model->body + b;
    const bool floats = body->joints > 0 && kin->model->joint[body->joint].kind == UT_JOINT_FREE;
    Pose at = floats ? (Pose){ut_vec3_zero(), ut_quat_identity()} : modelled_pose(kin, b);
    for (int j = body->joint; j < body->joint + body->joints; j++) {
        at = apply_joint(kin, j, q, at);
    }
    set_pose(kin, b, at);
}

// ---- twists and inertias about the reference point
// -----------------------------------------------

// The twist about `origin` of a rotation about an axis through `anchor`.
static utMotion rotation_twist(utVec3 direction, utVec3 anchor, utVec3 origin)
{
    return ut_motion(ut_vec3_cross(direction, ut_vec3_sub(origin, anchor)), direction);
}

static void finish_planar(utKinematics* kin, int j, utVec3 origin)
{
    const utModelJoint* joint = kin->model->joint + j;
    const utPlane plane = ut_plane(kin->model->options.planar);
    utMotion* axis = kin->axis + joint->v;
    axis[0] = ut_motion(plane.x, ut_vec3_zero());
    axis[1] = ut_motion(plane.y, ut_vec3_zero());
    if (joint->kind == UT_JOINT_PLANAR) {
        axis[2] = rotation_twist(plane.normal, kin->anchor[j], origin);
    }
}

static void finish_axes(utKinematics* kin, int j, utVec3 origin)
{
    const utModelJoint* joint = kin->model->joint + j;
    utMotion* axis = kin->axis + joint->v;
    if (joint->kind == UT_JOINT_PLANAR || joint->kind == UT_JOINT_PARTICLE) {
        finish_planar(kin, j, origin);
        return;
    }
    if (joint->kind == UT_JOINT_SLIDE) {
        axis[0] = ut_motion(axis[0].angular, ut_vec3_zero());
        return;
    }
    int turns = 1;
    if (joint->kind != UT_JOINT_HINGE) {
        turns = 3;
    }
    if (joint->kind == UT_JOINT_FREE) {
        axis[0] = ut_motion(ut_vec3(1.0, 0.0, 0.0), ut_vec3_zero());
        axis[1] = ut_motion(ut_vec3(0.0, 1.0, 0.0), ut_vec3_zero());
        axis[2] = ut_motion(ut_vec3(0.0, 0.0, 1.0), ut_vec3_zero());
        axis += 3;
    }
    for (int k = 0; k < turns; k++) {
        axis[k] = rotation_twist(axis[k].angular, kin->anchor[j], origin);
    }
}

// turned = R I R'. The axes of most bodies are principal ones.
static inline void turn_inertia(const utMat3* R, const utMat3* I, utMat3* turned)
{
    const double products = fabs(I->m[0][1]) + fabs(I->m[0][2]) + fabs(I->m[1][2]) +
                            fabs(I->m[1][0]) + fabs(I->m[2][0]) + fabs(I->m[2][1]);
    if (products != 0.0) {
        *turned = ut_mat3_mul(ut_mat3_mul(*R, *I), ut_mat3_transpose(*R));
        return;
    }
    const utVec3 moments = ut_vec3(I->m[0][0], I->m[1][1], I->m[2][2]);
    for (int i = 0; i < 3; i++) {
        const double x = R->m[i][0] * moments.x, y = R->m[i][1] * moments.y,
                     z = R->m[i][2] * moments.z;
        for (int j = 0; j < 3; j++) {
            turned->m[i][j] = x * R->m[j][0] + y * R->m[j][1] + z * R->m[j][2];
        }
    }
}

static inline void set_inertia(utKinematics* kin, int b, utVec3 origin)
{
    const utModelBody* body = kin->model->body + b;
    const utMat3 R = kin->body[b].R;
    utInertia* inertia = &kin->inertia[b];
    inertia->mass = body->mass;
    inertia->com = ut_vec3_sub(kin->com[b], origin);
    turn_inertia(&R, &body->inertia, &inertia->inertia);
}

void ut_kinematics_carry(utKinematics* kin, const double* q)
{
    const utModel* model = kin->model;
    const utPlane plane = ut_plane(model->options.planar);
    for (int t = 0; t < model->ntree; t++) {
        const int b = model->tree[t].body;
        const utModelJoint* joint = model->joint + model->body[b].joint;
        const int linear = ut_dyn_translations(joint->kind);
        const utVec3 c = model->body[b].com;
        const utVec3 r = ut_vec3_sub(kin->origin[t], kin->com[b]);
        const bool planar = joint->kind == UT_JOINT_PLANAR;
        if ((joint->kind != UT_JOINT_FREE && !planar) || ut_vec3_dot(c, c) == 0.0) {
            continue;
        }
        const utQuat quat = planar ? ut_quat_from_axis_angle(plane.normal, q[joint->q + 2])
                                   : ut_dyn_quat(q + joint->q + 3);
        const utMat3 R = ut_quat_to_mat3(quat);
        const utVec3 arm = ut_mat3_mul_vec(R, c);
        for (int k = joint->v + linear; k < joint->v + ut_joint_velocities(joint->kind); k++) {
            // the rotation moves the centre of mass as at q, and turns the body as at kin
            const utVec3 about = planar ? plane.normal : ut_mat3_column(R, k - joint->v - linear);
            kin->axis[k].linear =
                ut_vec3_add(ut_vec3_cross(about, arm), ut_vec3_cross(kin->axis[k].angular, r));
        }
    }
}

void ut_dyn_place_tree(utKinematics* kin, const double* q, int tree)
{
    const utModelTree* t = kin->model->tree + tree;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        place_body(kin, b, q);
    }
    const utVec3 origin = kin->body[t->body].p;
    kin->origin[tree] = origin;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utModelBody* body = kin->model->body + b;
        set_inertia(kin, b, origin);
        for (int j = body->joint; j < body->joint + body->joints; j++) {
            finish_axes(kin, j, origin);
        }
    }
}

void ut_dyn_place_fixed(utKinematics* kin, const double* mocap_pos, const double* mocap_quat)
{
    const utModel* model = kin->model;
    mocap_pos = mocap_pos != NULL ? mocap_pos : model->mocap_pos;
    mocap_quat = mocap_quat != NULL ? mocap_quat : model->mocap_quat;

    // bodies that no joint moves have the world's origin as their reference point
    kin->origin[model->ntree] = ut_vec3_zero();
    for (int b = 0; b < model->nbody; b++) {
        const utModelBody* body = model->body + b;
        if (body->tree >= 0) {
            continue;
        }
        if (b == 0) {
            set_pose(kin, b, (Pose){ut_vec3_zero(), ut_quat_identity()});
        } else if (body->mocap >= 0) {
            set_pose(kin, b,
                     (Pose){ut_dyn_vec3(mocap_pos + 3 * body->mocap),
                            ut_dyn_quat(mocap_quat + 4 * body->mocap)});
        } else {
            set_pose(kin, b, modelled_pose(kin, b));
        }
        set_inertia(kin, b, ut_vec3_zero());
    }
}

void ut_kinematics_place(utKinematics* kin, const double* q, const double* mocap_pos,
                         const double* mocap_quat)
{
    ut_dyn_place_fixed(kin, mocap_pos, mocap_quat);
    for (int t = 0; t < kin->model->ntree; t++) {
        ut_dyn_place_tree(kin, q, t);
    }
}
