// SPDX-License-Identifier: Apache-2.0
// Planar worlds: checks that a description fits its plane, and the kinds of joints there.
//
// Because every frame is turned about the normal N only, a direction has the same component along N
// in a body's frame as in the world, so that each body can be checked by itself. Deviations up to
// PLANE_TOLERANCE are set to 0, larger ones are rejected.
#include "model/internal.h"

bool ut_model_flat_quat(utPlanar planar, utQuat quat, utQuat* flat)
{
    *flat = quat;
    if (planar == UT_PLANAR_NONE) {
        return true;
    }
    const utVec3 normal = ut_plane(planar).normal;
    const utVec3 turn = ut_vec3(quat.x, quat.y, quat.z);
    const double about = ut_vec3_dot(normal, turn);
    const utVec3 out_of_plane = ut_vec3_add_scaled(turn, -about, normal);
    if (!(ut_vec3_norm(out_of_plane) <= PLANE_TOLERANCE)) {
        return false;
    }
    // a quaternion about the normal keeps its bits
    const utQuat kept = ut_quat(quat.w, about * normal.x, about * normal.y, about * normal.z);
    return ut_model_unit(kept, flat);
}

double ut_model_flat_angle(utPlanar planar, utQuat quat)
{
    const utVec3 normal = ut_plane(planar).normal;
    const double about = ut_vec3_dot(normal, ut_vec3(quat.x, quat.y, quat.z));
    const double sign = quat.w < 0.0 ? -1.0 : 1.0;
    return 2.0 * ut_atan2(sign * about, sign * quat.w);
}

utVec3 ut_model_flat_axis(utPlanar planar, utJointKind kind, utVec3 axis)
{
    if (planar == UT_PLANAR_NONE) {
        return axis;
    }
    const utVec3 normal = ut_plane(planar).normal;
    const double along = ut_vec3_dot(normal, axis);
    if (kind == UT_JOINT_HINGE) {
        // subtracting from 0 leaves no entry -0
        return along < 0.0 ? ut_vec3_sub(ut_vec3_zero(), normal) : normal;
    }
    utVec3 flat = axis;
    if (along != 0.0) {
        ut_vec3_normalize(ut_vec3_add_scaled(axis, -along, normal), &flat);
    }
    return flat;
}

utVec3 ut_model_flat_gravity(utPlanar planar, utVec3 gravity)
{
    if (planar == UT_PLANAR_NONE) {
        return gravity;
    }
    const utPlane plane = ut_plane(planar);
    return ut_plane_out(&plane, ut_plane_in(&plane, gravity));
}

// ---- kinds of joints ----------------------------------------------------------------------------

// Does a body have mass of its own?
static bool has_mass(const utModelDef* def, int b)
{
    const utBodyDef* body = ut_model_body_def(def, b);
    if (body->inertial) {
        return body->mass > 0.0;
    }
    for (int i = 0; i < def->geom.count; i++) {
        const utGeomDef* geom = ut_model_geom_def(def, i);
        const double weight = geom->mass >= 0.0 ? geom->mass : geom->density;
        if (geom->body == b && weight > 0.0 && ut_shape_volume(&geom->shape) > 0.0) {
            return true;
        }
    }
    return false;
}

static bool has_joint(const utModelDef* def, int b)
{
    for (int i = 0; i < def->joint.count; i++) {
        if (ut_model_joint_def(def, i)->body == b) {
            return true;
        }
    }
    return false;
}

// Is a body with mass welded to this one?
static bool carries_mass(const utModelDef* def, int b)
{
    // bodies of the subtree follow its root
    for (int child = b + 1; child < def->body.count && ut_model_body_def(def, child)->parent >= b;
         child++) {
        int above = child;
        while (above > b && !has_joint(def, above)) {
            above = ut_model_body_def(def, above)->parent;
        }
        if (above == b && has_mass(def, child)) {
            return true;
        }
    }
    return false;
}

// Is a body a point mass, which has no rotation?
static bool is_particle(const utModelDef* def, int b)
{
    const utBodyDef* body = ut_model_body_def(def, b);
    const utVec3 normal = ut_plane(def->options.planar).normal;
    return body->inertial && body->mass > 0.0 &&
           ut_vec3_dot(normal, ut_mat3_mul_vec(body->inertia, normal)) == 0.0 &&
           !carries_mass(def, b);
}

utJointKind ut_model_joint_kind(const utModelDef* def, int i)
{
    const utJointDef* joint = ut_model_joint_def(def, i);
    if (def->options.planar == UT_PLANAR_NONE || joint->kind != UT_JOINT_FREE) {
        return joint->kind;
    }
    return is_particle(def, joint->body) ? UT_JOINT_PARTICLE : UT_JOINT_PLANAR;
}

// ---- checks -------------------------------------------------------------------------------------

static utStatus check_frame(const utModelDef* def, int b, utError* err)
{
    const utBodyDef* body = ut_model_body_def(def, b);
    utQuat unit, flat;
    ut_model_unit(body->quat, &unit);
    if (ut_model_flat_quat(def->options.planar, unit, &flat)) {
        return UT_OK;
    }
    return UT_MODEL_FAIL(err, body->origin,
                         "%s is turned out of the plane %s; in a planar world bodies turn about "
                         "its normal only",
                         ut_model_body_label(def, b).text, ut_planar_name(def->options.planar));
}

static utStatus check_axis(const utModelDef* def, int i, utError* err)
{
    const utJointDef* joint = ut_model_joint_def(def, i);
    const Label label = ut_model_joint_label(def, i);
    const char* name = ut_planar_name(def->options.planar);
    const utVec3 normal = ut_plane(def->options.planar).normal;
    utVec3 axis = normal;
    if (joint->kind == UT_JOINT_FREE) {
        return UT_OK;
    }
    if (joint->kind == UT_JOINT_BALL) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "%s is a ball; in the plane %s use a hinge about its normal",
                             label.text, name);
    }
    ut_vec3_normalize(joint->axis, &axis);
    if (joint->kind == UT_JOINT_HINGE &&
        !(ut_vec3_norm(ut_vec3_cross(axis, normal)) <= PLANE_TOLERANCE)) {
        return UT_MODEL_FAIL(err, joint->origin,
                             "axis of hinge %s is not the normal of the plane %s; give it %g %g %g",
                             label.text, name, fabs(normal.x), fabs(normal.y), fabs(normal.z));
    }
    if (joint->kind == UT_JOINT_SLIDE && !(fabs(ut_vec3_dot(axis, normal)) <= PLANE_TOLERANCE)) {
        return UT_MODEL_FAIL(
            err, joint->origin,
            "axis of slide %s does not lie in the plane %s, in which all bodies move", label.text,
            name);
    }
    return UT_OK;
}

// Advice for a geom that has no figure in the plane.
static const char* figure_hint(utShapeKind kind)
{
    switch (kind) {
    case UT_SHAPE_PLANE:
        return "its normal must lie in the plane";
    case UT_SHAPE_BOX:
        return "one of its axes must be the plane's normal";
    case UT_SHAPE_CAPSULE:
    case UT_SHAPE_CYLINDER:
        return "its axis must lie in the plane or be its normal";
    case UT_SHAPE_SPHERE:
    case UT_SHAPE_HULL:
        return "it is too small or too flat";
    case UT_SHAPE_ELLIPSOID:
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return "use a box, a sphere, a capsule, a cylinder or a plane";
}

static bool in_pair(const utModelDef* def, int geom)
{
    bool found = false;
    for (int i = 0; i < def->pair.count && !found; i++) {
        const utPairDef* pair = ut_model_pair_def(def, i);
        found = pair->geom1 == geom || pair->geom2 == geom;
    }
    return found;
}

static utStatus check_figure(const utModelDef* def, int i, utError* err)
{
    const utGeomDef* geom = ut_model_geom_def(def, i);
    const bool collides = geom->contype != 0 || geom->conaffinity != 0 || in_pair(def, i);
    if (!collides || ut_model_has_figure(def->options.planar, geom)) {
        return UT_OK;
    }
    return UT_MODEL_FAIL(err, geom->origin,
                         "%s (%s) has no figure in the plane %s; %s (or set contype and "
                         "conaffinity to 0)",
                         ut_model_geom_label(def, i).text, ut_shape_kind_name(geom->shape.kind),
                         ut_planar_name(def->options.planar), figure_hint(geom->shape.kind));
}

static utStatus check_keyframe(const utModelDef* def, int i, utError* err)
{
    const utKeyframeDef* key = ut_model_keyframe_def(def, i);
    for (int m = 0; key->mocap_quat != NULL && m < key->mocaps; m++) {
        utQuat unit, flat;
        if (ut_model_unit(ut_model_load_quat(key->mocap_quat + (size_t)4 * (size_t)m), &unit) &&
            !ut_model_flat_quat(def->options.planar, unit, &flat)) {
            return UT_MODEL_FAIL(err, key->origin, "mocap_quat[%d] of %s turns out of the plane %s",
                                 4 * m, ut_model_keyframe_label(def, i).text,
                                 ut_planar_name(def->options.planar));
        }
    }
    return UT_OK;
}

utStatus ut_model_check_planar(const utModelDef* def, utError* err)
{
    if (def->options.planar == UT_PLANAR_NONE) {
        return UT_OK;
    }
    for (int b = 1; b < def->body.count; b++) {
        UT_TRY(check_frame(def, b, err));
    }
    for (int i = 0; i < def->joint.count; i++) {
        UT_TRY(check_axis(def, i, err));
    }
    for (int i = 0; i < def->geom.count; i++) {
        UT_TRY(check_figure(def, i, err));
    }
    for (int i = 0; i < def->keyframe.count; i++) {
        UT_TRY(check_keyframe(def, i, err));
    }
    return UT_OK;
}
