// SPDX-License-Identifier: Apache-2.0
// Positions: moving them along velocities, the velocities between two positions, and normalizing
// quaternions.
//
// The centre of mass of a free body moves straight. With c from the frame's origin to the centre of
// mass (in the body's frame) and u = v + R (w x c), the velocity of the centre of mass,
//
//     R+ = R exp(h w),    p+ + R+ c = p + R c + h u
//
// so that the choice of the body's frame changes nothing but rounding. Planar bodies move likewise.
#include "internal.h"

// Index of a joint's quaternion among its positions, -1 for none.
static int quat_offset(utJointKind kind)
{
    switch (kind) {
    case UT_JOINT_FREE:
        return 3;
    case UT_JOINT_BALL:
        return 0;
    case UT_JOINT_HINGE:
    case UT_JOINT_SLIDE:
    case UT_JOINT_PLANAR:
    case UT_JOINT_PARTICLE:
    case UT_JOINT_KIND_COUNT:
        break;
    }
    return -1;
}

// The number of positions of a joint that are integrated entry by entry.
static int plain_positions(utJointKind kind)
{
    const int quat = quat_offset(kind);
    return quat >= 0 ? quat : ut_joint_positions(kind);
}

bool ut_model_unit(utQuat q, utQuat* unit)
{
    *unit = ut_quat_identity();
    double largest = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
    if (!(largest > 0.0 && largest <= DBL_MAX) || isnan(q.w + q.x + q.y + q.z)) {
        return false;
    }
    // dividing a unit quaternion by its norm once more would only change its rounding
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (fabs(square - 1.0) <= UNIT_SQUARE_TOLERANCE) {
        *unit = q;
        return true;
    }
    return ut_quat_normalize(ut_quat(q.w / largest, q.x / largest, q.y / largest, q.z / largest),
                             unit);
}

// ---- centres of mass ----------------------------------------------------------------------------

// Is the frame of a free or planar body away from its centre of mass?
static bool is_offset(const utModel* model, const utModelJoint* joint)
{
    if (joint->kind != UT_JOINT_FREE && joint->kind != UT_JOINT_PLANAR) {
        return false;
    }
    const utVec3 c = model->body[joint->body].com;
    return c.x != 0.0 || c.y != 0.0 || c.z != 0.0;
}

// R c. @param x positions of the joint
static utVec3 arm_of(const utModel* model, const utModelJoint* joint, const double* x)
{
    const utQuat quat = joint->kind == UT_JOINT_FREE
                            ? ut_model_load_quat(x + 3)
                            : ut_quat_from_axis_angle(ut_plane(model->options.planar).normal, x[2]);
    return ut_quat_rotate(quat, model->body[joint->body].com);
}

// R (w x c). @param rate velocities of the joint
static utVec3 lead_of(const utModel* model, const utModelJoint* joint, const double* x,
                      const double* rate)
{
    if (joint->kind == UT_JOINT_FREE) {
        const utVec3 w = ut_model_load_vec3(rate + 3);
        return ut_quat_rotate(ut_model_load_quat(x + 3),
                              ut_vec3_cross(w, model->body[joint->body].com));
    }
    const utVec3 w = ut_vec3_scale(ut_plane(model->options.planar).normal, rate[2]);
    return ut_vec3_cross(w, arm_of(model, joint, x));
}

// Add a vector to the linear entries of a joint's positions or velocities.
static void add_linear(const utModel* model, const utModelJoint* joint, utVec3 d, double* x)
{
    if (joint->kind == UT_JOINT_FREE) {
        ut_model_store_vec3(ut_vec3_add(ut_model_load_vec3(x), d), x);
        return;
    }
    const utPlane plane = ut_plane(model->options.planar);
    const utVec2 flat = ut_plane_in(&plane, d);
    x[0] += flat.x;
    x[1] += flat.y;
}

void ut_model_to_com(const utModel* model, const double* q, double* v)
{
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (is_offset(model, joint)) {
            double* rate = v + joint->v;
            add_linear(model, joint, lead_of(model, joint, q + joint->q, rate), rate);
        }
    }
}

void ut_model_from_com(const utModel* model, const double* q, double* v)
{
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (is_offset(model, joint)) {
            double* rate = v + joint->v;
            const utVec3 lead = lead_of(model, joint, q + joint->q, rate);
            add_linear(model, joint, ut_vec3_negate(lead), rate);
        }
    }
}

void ut_model_carry(const utModel* model, const double* q, const double* v, const double* q_next,
                    double* v_next)
{
    for (int i = 0; i < model->nv; i++) {
        v_next[i] = v[i];
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (is_offset(model, joint)) {
            double* rate = v_next + joint->v;
            const utVec3 before = lead_of(model, joint, q + joint->q, rate);
            const utVec3 after = lead_of(model, joint, q_next + joint->q, rate);
            add_linear(model, joint, ut_vec3_sub(before, after), rate);
        }
    }
}

// ---- moving -------------------------------------------------------------------------------------

void ut_model_integrate(const utModel* model, const double* q, const double* v, double h,
                        double* q_next)
{
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const double* from = q + joint->q;
        const double* rate = v + joint->v;
        double* to = q_next + joint->q;
        if (joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE) {
            *to = *from + h * *rate;
            continue;
        }
        const int plain = plain_positions(joint->kind);
        const bool offset = is_offset(model, joint);
        utVec3 shift = ut_vec3_zero(); // of the frame's origin, in addition to h v
        if (offset) {
            shift = ut_vec3_scale(lead_of(model, joint, from, rate), h);
            shift = ut_vec3_add(shift, arm_of(model, joint, from));
        }
        for (int k = 0; k < plain; k++) {
            to[k] = from[k] + h * rate[k];
        }
        const int at = quat_offset(joint->kind);
        if (at >= 0) {
            ut_model_store_quat(ut_quat_integrate_body(ut_model_load_quat(from + at),
                                                       ut_model_load_vec3(rate + plain), h),
                                to + at);
        }
        if (offset) {
            add_linear(model, joint, ut_vec3_sub(shift, arm_of(model, joint, to)), to);
        }
    }
}

void ut_model_difference(const utModel* model, const double* from, const double* to, double* v)
{
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const double* a = from + joint->q;
        const double* b = to + joint->q;
        double* rate = v + joint->v;
        const int plain = plain_positions(joint->kind);
        for (int k = 0; k < plain; k++) {
            rate[k] = b[k] - a[k];
        }
        const int at = quat_offset(joint->kind);
        if (at >= 0) {
            // exp(w) = a* b, both units
            const utQuat turn = ut_quat_mul(ut_quat_conjugate(ut_model_load_quat(a + at)),
                                            ut_model_load_quat(b + at));
            ut_model_store_vec3(ut_quat_log(turn), rate + plain);
        }
        if (is_offset(model, joint)) {
            const utVec3 turned = ut_vec3_sub(arm_of(model, joint, b), arm_of(model, joint, a));
            add_linear(model, joint, ut_vec3_sub(turned, lead_of(model, joint, a, rate)), rate);
        }
    }
}

// The first invalid entry of q, -1 for none.
static int first_invalid(const utModel* model, const double* q)
{
    for (int i = 0; i < model->nq; i++) {
        if (!isfinite(q[i])) {
            return i;
        }
    }
    for (int j = 0; j < model->njoint; j++) {
        const int at = quat_offset(model->joint[j].kind);
        utQuat unit;
        if (at >= 0 && !ut_model_unit(ut_model_load_quat(q + model->joint[j].q + at), &unit)) {
            return model->joint[j].q + at;
        }
    }
    return -1;
}

bool ut_model_normalize(const utModel* model, double* q, int* at)
{
    const int invalid = first_invalid(model, q);
    if (invalid >= 0) {
        if (at != NULL) {
            *at = invalid;
        }
        return false;
    }
    for (int j = 0; j < model->njoint; j++) {
        const int offset = quat_offset(model->joint[j].kind);
        if (offset >= 0) {
            double* quat = q + model->joint[j].q + offset;
            utQuat unit;
            ut_model_unit(ut_model_load_quat(quat), &unit);
            ut_model_store_quat(unit, quat);
        }
    }
    return true;
}
