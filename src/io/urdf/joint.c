// SPDX-License-Identifier: Apache-2.0
// Joints. Their frame is that of the child link, so that anchors are 0 and axes are those of the file.
#include "urdf.h"

#include <stdio.h>
#include <string.h>

static utStatus note_limit(Urdf* u, const XmlNode* node, const char* why)
{
    return ut_mjcf_note(u->m, node, NULL, true, "joint/limit", why);
}

// ---- attributes ---------------------------------------------------------------------------------

static utStatus read_axis(Urdf* u, const UrdfJoint* joint, utVec3* axis)
{
    const XmlNode* node = ut_urdf_child(joint->node, "axis");
    *axis = ut_vec3(1.0, 0.0, 0.0);
    if (node == NULL) {
        return UT_OK;
    }
    const MjcfPlace p = ut_urdf_place(u, node);
    const MjcfFound found = ut_mjcf_find(&p, "xyz");
    utVec3 unit;
    if (found.attribute == NULL) {
        return ut_mjcf_fail(u->m, node, "axis needs the attribute xyz");
    }
    UT_TRY(ut_mjcf_get_vec3(&p, "xyz", axis));
    if (!ut_vec3_normalize(*axis, &unit)) {
        return ut_mjcf_fail_at(u->m, found, 0, "the axis of joint '%.60s' is zero", joint->name);
    }
    return UT_OK;
}

// Read a range. A number that is missing is 0, as the format says. A range of no extent, or one whose
// lower end is the upper one, stands for none: files write it so, and other programs read it so.
static utStatus read_range(Urdf* u, const UrdfJoint* joint, const XmlNode* limit, utJointDef* j)
{
    const MjcfPlace p = ut_urdf_place(u, limit);
    UT_TRY(ut_mjcf_get(&p, "lower", 1, &j->range[0]));
    UT_TRY(ut_mjcf_get(&p, "upper", 1, &j->range[1]));
    const bool any =
        ut_xml_attribute(limit, "lower") != NULL || ut_xml_attribute(limit, "upper") != NULL;
    if (joint->kind == URDF_CONTINUOUS || joint->kind == URDF_PLANAR) {
        return any && j->range[0] < j->range[1]
                   ? note_limit(u, limit,
                                "lower and upper are ignored: this type of joint has no range")
                   : UT_OK;
    }
    j->limited = j->range[0] < j->range[1];
    return j->range[0] < j->range[1]
               ? UT_OK
               : note_limit(u, limit, "lower is not below upper; the joint has no limits");
}

// The effort limits the sum of the forces of actuators; 0 stands for none, because many files have it.
static utStatus read_effort(Urdf* u, const XmlNode* limit, utJointDef* j)
{
    const MjcfPlace p = ut_urdf_place(u, limit);
    double effort = 0.0;
    UT_TRY(ut_mjcf_get_not_negative(&p, "effort", &effort));
    j->actuator_force_limited = effort > 0.0;
    j->actuator_force_range[0] = -effort;
    j->actuator_force_range[1] = effort;
    return UT_OK;
}

static utStatus read_limit(Urdf* u, const UrdfJoint* joint, utJointDef* j)
{
    const XmlNode* limit = ut_urdf_child(joint->node, "limit");
    if (limit != NULL) {
        UT_TRY(read_effort(u, limit, j));
        return read_range(u, joint, limit, j);
    }
    if (joint->kind == URDF_REVOLUTE || joint->kind == URDF_PRISMATIC) {
        return note_limit(
            u, joint->node,
            "missing, although revolute and prismatic joints need it; the joint has no "
            "limits");
    }
    return UT_OK;
}

static utStatus read_dynamics(Urdf* u, const UrdfJoint* joint, utJointDef* j)
{
    const XmlNode* node = ut_urdf_child(joint->node, "dynamics");
    if (node == NULL) {
        return UT_OK;
    }
    const MjcfPlace p = ut_urdf_place(u, node);
    UT_TRY(ut_mjcf_get_not_negative(&p, "damping", &j->damping));
    return ut_mjcf_get_not_negative(&p, "friction", &j->frictionloss);
}

// ---- kinds --------------------------------------------------------------------------------------

// Add a joint like `j` to the body of the child link. @param ending of its name
static utStatus add(Urdf* u, const UrdfJoint* joint, utJointDef j, const char* ending)
{
    Mjcf* m = u->m;
    const size_t size = strlen(joint->name) + strlen(ending) + 1;
    char* name = UT_PUSH(&m->memory, char, size);
    if (name == NULL) {
        return ut_mjcf_no_memory(m);
    }
    snprintf(name, size, "%s%s", joint->name, ending);
    if (ut_names_find(&m->names.joint, name) >= 0) {
        return ut_mjcf_fail(m, joint->node,
                            "a second joint with the name '%.80s'; names must differ", name);
    }
    if (!ut_names_add(&m->names.joint, name, m->parts.joints)) {
        return ut_mjcf_no_memory(m);
    }
    j.name = name;
    m->parts.joint[m->parts.joints++] = (MjcfJoint){.def = j, .node = joint->node};
    m->parts.body[j.body].joints++;
    return UT_OK;
}

// A planar joint: two slides across the axis, then a hinge about it.
static utStatus add_planar(Urdf* u, const UrdfJoint* joint, utJointDef j)
{
    const utVec3 normal = j.axis;
    const utMat3 R = ut_quat_to_mat3(ut_mjcf_turn_z_to(normal));
    j.kind = UT_JOINT_SLIDE;
    j.axis = ut_mat3_column(R, 0);
    UT_TRY(add(u, joint, j, "_TX"));
    j.axis = ut_mat3_column(R, 1);
    UT_TRY(add(u, joint, j, "_TY"));
    j.kind = UT_JOINT_HINGE;
    j.axis = normal;
    return add(u, joint, j, "_RZ");
}

static utStatus read_joint(Urdf* u, UrdfJoint* joint)
{
    static const utJointKind kinds[] = {
        [URDF_REVOLUTE] = UT_JOINT_HINGE,  [URDF_CONTINUOUS] = UT_JOINT_HINGE,
        [URDF_PRISMATIC] = UT_JOINT_SLIDE, [URDF_FIXED] = UT_JOINT_KIND_COUNT,
        [URDF_FLOATING] = UT_JOINT_FREE,   [URDF_PLANAR] = UT_JOINT_SLIDE,
    };
    if (joint->kind == URDF_FIXED) {
        return UT_OK;
    }
    joint->joint = u->m->parts.joints;
    utJointDef j = ut_joint_def(u->link[joint->child].body, kinds[joint->kind]);
    j.origin = ut_mjcf_origin(joint->node);
    if (joint->kind == URDF_FLOATING) {
        return add(u, joint, j, "");
    }
    UT_TRY(read_axis(u, joint, &j.axis));
    UT_TRY(read_limit(u, joint, &j));
    UT_TRY(read_dynamics(u, joint, &j));
    return joint->kind == URDF_PLANAR ? add_planar(u, joint, j) : add(u, joint, j, "");
}

// ---- roots --------------------------------------------------------------------------------------

static utStatus add_root_joint(Urdf* u, const UrdfLink* link)
{
    Mjcf* m = u->m;
    utJointDef j = ut_joint_def(link->body, UT_JOINT_FREE);
    j.origin = ut_mjcf_origin(link->node);
    m->parts.joint[m->parts.joints++] = (MjcfJoint){.def = j, .node = link->node};
    m->parts.body[j.body].joints++;
    return UT_OK;
}

utStatus ut_urdf_joints(Urdf* u)
{
    Mjcf* m = u->m;
    // a planar joint becomes three, a root may get one
    m->parts.joint = UT_PUSH(&m->memory, MjcfJoint, 3 * u->joints + u->links);
    if (m->parts.joint == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (int i = 0; i < u->links; i++) {
        const UrdfLink* link = &u->link[u->order[i]];
        if (link->above >= 0) {
            UT_TRY(read_joint(u, &u->joint[link->above]));
        } else if (u->def->floating && link->body > 0) {
            UT_TRY(add_root_joint(u, link));
        }
    }
    return UT_OK;
}
