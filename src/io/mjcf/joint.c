// SPDX-License-Identifier: Apache-2.0
// The elements joint and freejoint.
#include "io/internal.h"

#include <string.h>

static const utJointKind kinds[] = {UT_JOINT_FREE, UT_JOINT_BALL, UT_JOINT_SLIDE, UT_JOINT_HINGE};

// Read a stiffness or damping: one number, or the three coefficients of a polynomial, which balls and
// free joints do not support. A damping polynomial must not drive the joint.
static utStatus get_poly(const MjcfPlace* p, const char* name, const utJointDef* j, double* x,
                         double poly[2])
{
    const bool damping = strcmp(name, "damping") == 0;
    double read[3] = {*x, 0.0, 0.0};
    UT_TRY(ut_mjcf_get_some(p, name, 3, read, NULL));
    const MjcfFound found = ut_mjcf_find(p, name);
    if (!(read[0] >= 0.0) || (damping && !(read[1] >= 0.0 && read[2] >= 0.0))) {
        return ut_mjcf_fail_at(p->m, found, 0, "%s of %s is %.20s; it must not be negative", name,
                               found.node->name, found.attribute->value);
    }
    *x = read[0];
    if (j->kind == UT_JOINT_HINGE || j->kind == UT_JOINT_SLIDE) {
        poly[0] = read[1];
        poly[1] = read[2];
    } else if (read[1] != 0.0 || read[2] != 0.0) {
        return ut_mjcf_note_missing(p->m, found.node, found.attribute,
                                    damping ? "joint.damping" : "joint.stiffness",
                                    "only the first number is supported for balls and free joints");
    }
    return UT_OK;
}

// Read springdamper, which replaces stiffness and damping.
static utStatus read_spring_damper(const MjcfPlace* p, utJointDef* j)
{
    double x[2] = {0.0, 0.0};
    UT_TRY(ut_mjcf_get(p, "springdamper", 2, x));
    if (x[0] == 0.0 && x[1] == 0.0) {
        return UT_OK;
    }
    if (!(x[0] > 0.0 && x[1] > 0.0)) {
        const MjcfFound found = ut_mjcf_find(p, "springdamper");
        return ut_mjcf_fail_at(p->m, found, 0,
                               "springdamper is %.40s; it needs two positive numbers, the time "
                               "constant and the damping ratio",
                               found.attribute->value);
    }
    memcpy(j->springdamper, x, sizeof x);
    return UT_OK;
}

// Gravity compensation by actuators. MuJoCo's compensates nothing when there is no actuator.
static utStatus read_actuator_gravcomp(const MjcfPlace* p, utJointDef* j)
{
    UT_TRY(ut_mjcf_get_bool(p, "actuatorgravcomp", &j->actuator_gravcomp));
    const MjcfFound found = ut_mjcf_find(p, "actuatorgravcomp");
    if (!j->actuator_gravcomp || found.attribute == NULL ||
        (p->m->flags.actuation && ut_mjcf_first_of(p->m, "actuator") != NULL)) {
        return UT_OK;
    }
    return ut_mjcf_note_missing(p->m, found.node, found.attribute, "joint.actuatorgravcomp",
                                "gravity compensation acts although no actuator does");
}

// The range for the sum of the forces of the joint's actuators.
static utStatus read_actuator_range(const MjcfPlace* p, utJointDef* j)
{
    UT_TRY(ut_mjcf_limits(p, "actuatorfrclimited", "actuatorfrcrange", &j->actuator_force_limited,
                          j->actuator_force_range));
    if (j->kind != UT_JOINT_HINGE && j->kind != UT_JOINT_SLIDE) {
        j->actuator_force_limited = false; // MuJoCo ignores the ranges of balls and free joints
    }
    return UT_OK;
}

static utStatus read_range(const MjcfPlace* p, utJointDef* j)
{
    Mjcf* m = p->m;
    if (j->kind == UT_JOINT_FREE) {
        return UT_OK;
    }
    UT_TRY(ut_mjcf_limits(p, "limited", "range", &j->limited, j->range));
    if (j->limited && j->kind == UT_JOINT_BALL && j->range[0] != 0.0) {
        return ut_mjcf_fail_at(m, ut_mjcf_find(p, "range"), 0,
                               "range of a ball joint must be 0 and the largest angle");
    }
    if (j->kind != UT_JOINT_SLIDE) {
        j->range[0] = ut_mjcf_angle(m, j->range[0]);
        j->range[1] = ut_mjcf_angle(m, j->range[1]);
    }
    j->limited = j->limited && m->flags.limit;
    return UT_OK;
}

static utStatus read_axis(const MjcfPlace* p, utJointDef* j)
{
    UT_TRY(ut_mjcf_get_vec3(p, "axis", &j->axis));
    utVec3 unit;
    if ((j->kind == UT_JOINT_HINGE || j->kind == UT_JOINT_SLIDE) &&
        !ut_vec3_normalize(j->axis, &unit)) {
        return ut_mjcf_fail_at(p->m, ut_mjcf_find(p, "axis"), 0, "the axis of the joint is zero");
    }
    return UT_OK;
}

static utStatus check_free(Mjcf* m, int body, const XmlNode* node)
{
    if (m->parts.body[body].def.parent != 0) {
        return ut_mjcf_fail(m, node, "a free joint is allowed only for children of the world");
    }
    if (m->parts.body[body].joints > 0) {
        return ut_mjcf_fail(m, node, "a free joint must be the only joint of its body");
    }
    return UT_OK;
}

static utStatus read_joint(const MjcfPlace* p, utJointDef* j)
{
    UT_TRY(ut_mjcf_get_vec3(p, "pos", &j->pos));
    UT_TRY(read_axis(p, j));
    UT_TRY(read_range(p, j));
    UT_TRY(ut_mjcf_get(p, "ref", 1, &j->ref));
    UT_TRY(ut_mjcf_get(p, "springref", 1, &j->springref));
    if (j->kind == UT_JOINT_HINGE) {
        j->ref = ut_mjcf_angle(p->m, j->ref);
        j->springref = ut_mjcf_angle(p->m, j->springref);
    }
    double margin = 0.0; // limits enter a step when it could reach them, whatever the margin is
    UT_TRY(ut_mjcf_get_margin(p, &margin, NULL));
    UT_TRY(get_poly(p, "stiffness", j, &j->stiffness, j->stiffness_poly));
    UT_TRY(get_poly(p, "damping", j, &j->damping, j->damping_poly));
    UT_TRY(read_spring_damper(p, j));
    UT_TRY(read_actuator_gravcomp(p, j));
    UT_TRY(read_actuator_range(p, j));
    UT_TRY(ut_mjcf_get_not_negative(p, "armature", &j->armature));
    return ut_mjcf_get_not_negative(p, "frictionloss", &j->frictionloss);
}

// `auto`, also the value of a joint of type free, means `alignfree` of the compiler.
static utStatus read_align(const MjcfPlace* p, bool freejoint, bool* align)
{
    int word = 2;
    if (freejoint) {
        UT_TRY(ut_mjcf_get_word(p, "align", "false true auto", &word));
    }
    *align = word == 2 ? p->m->compiler.alignfree : word == 1;
    return UT_OK;
}

utStatus ut_mjcf_joint(Mjcf* m, int body, const XmlNode* node)
{
    const bool free = strcmp(node->name, "freejoint") == 0; // has no defaults
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, free ? NULL : "joint", &p));
    int kind = free ? 0 : 3;
    if (!free) {
        UT_TRY(ut_mjcf_get_word(&p, "type", "free ball slide hinge", &kind));
    }
    MjcfJoint* joint = &m->parts.joint[m->parts.joints];
    *joint = (MjcfJoint){.def = ut_joint_def(body, kinds[kind]), .node = node};
    utJointDef* j = &joint->def;
    j->origin = ut_mjcf_origin(node);
    UT_TRY(ut_mjcf_get_name(&p, &m->names.joint, m->parts.joints, &j->name));
    if (j->kind == UT_JOINT_FREE) {
        UT_TRY(check_free(m, body, node));
    } else if (m->parts.body[body].joints > 0 &&
               m->parts.joint[m->parts.joints - 1].def.kind == UT_JOINT_FREE) {
        return ut_mjcf_fail(m, node, "a free joint must be the only joint of its body");
    }
    if (m->parts.body[body].def.mocap) {
        return ut_mjcf_fail(m, node,
                            "a mocap body cannot have joints, because the caller sets its pose");
    }
    if (j->kind == UT_JOINT_FREE) {
        UT_TRY(read_align(&p, free, &m->parts.body[body].align));
    }
    if (!free) {
        UT_TRY(read_joint(&p, j));
    }
    m->parts.joints++;
    m->parts.body[body].joints++;
    return UT_OK;
}
