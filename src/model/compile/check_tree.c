// SPDX-License-Identifier: Apache-2.0
// Checks of bodies and joints: the order of the tree and the inertias of rigid bodies.
#include "model/internal.h"

// ---- bodies -------------------------------------------------------------------------------------

// Check depth-first order: the parent is the previous body or one of its ancestors. Each step up
// leaves a body that can have no further children, so all bodies together take one step per body.
static utStatus check_order(const utModelDef* def, int i, utError* err)
{
    const utBodyDef* body = ut_model_body_def(def, i);
    const Label label = ut_model_body_label(def, i);
    if (body->parent < 0 || body->parent >= i) {
        return UT_MODEL_FAIL(err, body->origin,
                             "%s has parent %d, which was not added before it; add parents before "
                             "children",
                             label.text, body->parent);
    }
    int above = i - 1;
    while (above > body->parent) {
        above = ut_model_body_def(def, above)->parent;
    }
    if (above != body->parent) {
        return UT_MODEL_FAIL(err, body->origin,
                             "%s comes after bodies that are not below its parent, %s; add "
                             "children depth-first",
                             label.text, ut_model_body_label(def, body->parent).text);
    }
    return UT_OK;
}

// A - bound is positive definite when its three pivots are positive.
bool ut_model_definite(utMat3 A, double bound)
{
    const double a = A.m[0][0] - bound;
    if (!(a > 0.0)) {
        return false;
    }
    const double l1 = A.m[1][0] / a, l2 = A.m[2][0] / a;
    const double b = A.m[1][1] - bound - l1 * A.m[1][0];
    if (!(b > 0.0)) {
        return false;
    }
    const double e = A.m[2][1] - l1 * A.m[2][0];
    const double c = A.m[2][2] - bound - l2 * A.m[2][0] - e / b * e;
    return c > 0.0;
}

// A given inertia I must be symmetric and belong to a distribution of mass. The latter means that its
// principal moments A, B, C satisfy A + B >= C in each order, or that the second moments
// S = tr(I)/2 - I have no negative eigenvalue.
static utStatus check_inertia(const utBodyDef* body, Label label, utError* err)
{
    const utMat3 I = body->inertia;
    const double trace = I.m[0][0] + I.m[1][1] + I.m[2][2];
    double largest = 0.0;
    double skew = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            largest = fmax(largest, fabs(I.m[i][j]));
            skew = fmax(skew, fabs(I.m[i][j] - I.m[j][i]));
        }
    }
    if (largest == 0.0) {
        return UT_OK;
    }
    if (!(skew <= INERTIA_TOLERANCE * largest)) {
        return UT_MODEL_FAIL(err, body->origin, "inertia of %s is not symmetric", label.text);
    }
    const double tolerance = INERTIA_TOLERANCE * trace;
    if (!ut_model_definite(I, -tolerance)) {
        return UT_MODEL_FAIL(err, body->origin,
                             "inertia of %s is not positive definite; give it about the centre of "
                             "mass",
                             label.text);
    }
    const utMat3 half = ut_mat3_diagonal(ut_vec3(0.5 * trace, 0.5 * trace, 0.5 * trace));
    if (!ut_model_definite(ut_mat3_sub(half, I), -tolerance)) {
        return UT_MODEL_FAIL(err, body->origin,
                             "inertia of %s belongs to no solid: its principal moments must "
                             "satisfy A + B >= C; check units and the order of entries",
                             label.text);
    }
    return UT_OK;
}

utStatus ut_model_check_bodies(const utModelDef* def, utError* err)
{
    for (int i = 1; i < def->body.count; i++) {
        const utBodyDef* body = ut_model_body_def(def, i);
        const Label label = ut_model_body_label(def, i);
        UT_TRY(ut_model_check_cookie(body->cookie, UT_BODY_DEF_COOKIE, label, "ut_body_def", err));
        UT_TRY(check_order(def, i, err));
        UT_TRY(ut_model_check_attributes(ELEMENT_BODY, body, label, body->origin, err));
        if (body->inertial) {
            UT_TRY(check_inertia(body, label, err));
        }
        if (ut_model_def_mocap(def, i) && body->parent != 0) {
            return UT_MODEL_FAIL(err, body->origin,
                                 "mocap %s is a child of %s; it must be a child of the world",
                                 label.text, ut_model_body_label(def, body->parent).text);
        }
    }
    return UT_OK;
}

// ---- joints -------------------------------------------------------------------------------------

static utStatus check_limits(const utJointDef* joint, Label label, utError* err)
{
    if (!joint->limited) {
        return UT_OK;
    }
    if (joint->kind == UT_JOINT_FREE) {
        return UT_MODEL_FAIL(err, joint->origin, "free %s is limited; a free joint has no range",
                             label.text);
    }
    if (joint->kind == UT_JOINT_BALL && joint->range[0] != 0.0) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "range of %s begins at %s; that of a ball begins at 0", label.text,
                             ut_model_number(joint->range[0]).text);
    }
    return ut_model_check_range(joint->range, "range", label, joint->origin, err);
}

// Check the kind of a joint and the body that it moves.
static utStatus check_joint_body(const utModelDef* def, const utJointDef* joint, Label label,
                                 utError* err)
{
    // planar joints and particles exist in compiled models only
    if ((int)joint->kind < 0 || joint->kind > UT_JOINT_SLIDE) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "%s is of kind %d, which does not exist; there are 0 to %d",
                             label.text, (int)joint->kind, (int)UT_JOINT_SLIDE);
    }
    if (joint->body < 0 || joint->body >= def->body.count) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "%s is on body %d, which does not exist; there are 0 to %d",
                             label.text, joint->body, def->body.count - 1);
    }
    if (joint->body == 0) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "%s is on the world, which cannot move; put it on another body",
                             label.text);
    }
    const utBodyDef* body = ut_model_body_def(def, joint->body);
    if (ut_model_def_mocap(def, joint->body)) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "%s is on mocap %s; a body is moved by joints or by its mocap pose, "
                             "not by both",
                             label.text, ut_model_body_label(def, joint->body).text);
    }
    if (joint->kind == UT_JOINT_FREE && body->parent != 0) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "free %s is on %s, a child of %s; free joints are for children of "
                             "the world",
                             label.text, ut_model_body_label(def, joint->body).text,
                             ut_model_body_label(def, body->parent).text);
    }
    return UT_OK;
}

static utStatus check_springs(const utJointDef* joint, Label label, utError* err)
{
    const double* k = joint->stiffness_poly;
    const double* d = joint->damping_poly;
    const bool scalar = joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE;
    if (!scalar && (k[0] != 0.0 || k[1] != 0.0 || d[0] != 0.0 || d[1] != 0.0)) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "%s is %s; stiffness_poly and damping_poly are for hinges and slides",
                             label.text, ut_joint_kind_name(joint->kind));
    }
    if ((joint->springdamper[0] > 0.0) != (joint->springdamper[1] > 0.0)) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "springdamper of %s needs two positive numbers: time constant and "
                             "damping ratio",
                             label.text);
    }
    return UT_OK;
}

static utStatus check_joint(const utModelDef* def, int i, utError* err)
{
    const utJointDef* joint = ut_model_joint_def(def, i);
    const Label label = ut_model_joint_label(def, i);
    UT_TRY(ut_model_check_cookie(joint->cookie, UT_JOINT_DEF_COOKIE, label, "ut_joint_def", err));
    UT_TRY(check_joint_body(def, joint, label, err));
    UT_TRY(ut_model_check_attributes(ELEMENT_JOINT, joint, label, joint->origin, err));
    const bool has_axis = joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE;
    if (has_axis && joint->axis.x == 0.0 && joint->axis.y == 0.0 && joint->axis.z == 0.0) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "axis of %s is zero; give a direction, for example 0 0 1", label.text);
    }
    if (joint->actuator_force_limited && !has_axis) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "%s has an actuator_force_range, which is for hinges and slides",
                             label.text);
    }
    if (joint->actuator_force_limited) {
        UT_TRY(ut_model_check_range(joint->actuator_force_range, "actuator_force_range", label,
                                    joint->origin, err));
    }
    UT_TRY(check_springs(joint, label, err));
    return check_limits(joint, label, err);
}

utStatus ut_model_check_joints(const utModelDef* def, utError* err)
{
    for (int i = 0; i < def->joint.count; i++) {
        UT_TRY(check_joint(def, i, err));
    }
    return UT_OK;
}
