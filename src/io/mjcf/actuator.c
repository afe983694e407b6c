// SPDX-License-Identifier: Apache-2.0
// The actuators motor and position. Other actuators are noted, and counted until the controls of
// keyframes have been read.
#include "io/internal.h"

#include <string.h>

static const char all_kinds[] =
    "general motor position velocity intvelocity orientation pid damper "
    "cylinder muscle adhesion dcmotor";

// `inheritrange`: the control range is the joint's range, scaled about its middle.
static utStatus inherit_range(const MjcfPlace* p, const utJointDef* joint, utActuatorDef* a)
{
    double factor = 0.0;
    UT_TRY(ut_mjcf_get_not_negative(p, "inheritrange", &factor));
    const MjcfFound found = ut_mjcf_find(p, "inheritrange");
    if (factor == 0.0) {
        return UT_OK;
    }
    if (ut_mjcf_find(p, "ctrlrange").attribute != NULL) {
        return ut_mjcf_fail_at(p->m, found, 0, "inheritrange beside ctrlrange; give one of them");
    }
    if (!(joint->range[0] < joint->range[1])) {
        return ut_mjcf_fail_at(p->m, found, 0, "inheritrange needs a joint with a range");
    }
    const double mean = 0.5 * (joint->range[1] + joint->range[0]);
    const double half = 0.5 * (joint->range[1] - joint->range[0]) * factor;
    a->ctrl_limited = true;
    a->ctrl_range[0] = mean - half;
    a->ctrl_range[1] = mean + half;
    return UT_OK;
}

static utStatus read_gains(Mjcf* m, const XmlNode* node, utActuatorDef* a)
{
    if (a->kind != UT_ACTUATOR_POSITION) {
        return UT_OK;
    }
    MjcfPlace p; // of position alone, because kp and kv of other actuators mean something else
    UT_TRY(ut_mjcf_place(m, node, "position", &p));
    UT_TRY(ut_mjcf_get_not_negative(&p, "kp", &a->kp));
    UT_TRY(ut_mjcf_get_not_negative(&p, "kv", &a->kv));
    return inherit_range(&p, &m->parts.joint[a->joint].def, a);
}

static utStatus read_attributes(const MjcfPlace* p, utActuatorDef* a)
{
    double gear[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    UT_TRY(ut_mjcf_get_some(p, "gear", 6, gear, NULL));
    a->gear = gear[0];
    UT_TRY(ut_mjcf_limits(p, "ctrllimited", "ctrlrange", &a->ctrl_limited, a->ctrl_range));
    UT_TRY(ut_mjcf_limits(p, "forcelimited", "forcerange", &a->force_limited, a->force_range));
    return read_gains(p->m, p->node, a);
}

// Find the joint of an actuator. @param joint -1: it does not act on a hinge or slide
static utStatus find_joint(Mjcf* m, const XmlNode* node, int* joint)
{
    XmlAttribute* name = ut_xml_attribute(node, "joint");
    *joint = -1;
    if (name == NULL) {
        for (int i = 0; i < node->attributes; i++) {
            if (ut_word_in("jointinparent tendon slidersite site", node->attribute[i].name)) {
                return UT_OK;
            }
        }
        return ut_mjcf_fail(m, node, "%s needs the attribute joint", node->name);
    }
    *joint = ut_names_find(&m->names.joint, name->value);
    if (*joint < 0) {
        return ut_mjcf_unknown_name(m, (MjcfFound){node, name}, "joint", &m->names.joint);
    }
    const utJointKind kind = m->parts.joint[*joint].def.kind;
    if (kind != UT_JOINT_HINGE && kind != UT_JOINT_SLIDE) {
        *joint = -1;
    }
    return UT_OK;
}

static utStatus read_actuator(Mjcf* m, const XmlNode* node)
{
    MjcfActuator* made = &m->parts.actuator[m->parts.actuators];
    const bool motor = strcmp(node->name, "motor") == 0;
    *made = (MjcfActuator){.unsupported = true};
    if (!motor && strcmp(node->name, "position") != 0) {
        m->parts.actuators++;
        return UT_OK;
    }
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, all_kinds, &p));
    int joint;
    UT_TRY(find_joint(m, node, &joint));
    const char* name = NULL;
    UT_TRY(ut_mjcf_get_name(&p, &m->names.actuator, m->parts.actuators, &name));
    m->parts.actuators++;
    if (joint < 0) {
        return ut_mjcf_note_missing(m, node, NULL, motor ? "actuator/motor" : "actuator/position",
                                    "not supported: it does not act on a hinge or slide joint");
    }
    made->unsupported = false;
    made->def = ut_actuator_def(joint, motor ? UT_ACTUATOR_MOTOR : UT_ACTUATOR_POSITION);
    made->def.name = name;
    made->def.origin = ut_mjcf_origin(node);
    return read_attributes(&p, &made->def);
}

utStatus ut_mjcf_actuators(Mjcf* m)
{
    int count = 0;
    for (XmlNode* n = ut_mjcf_first_of(m, "actuator"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        count++;
    }
    m->parts.actuator = UT_PUSH(&m->memory, MjcfActuator, count);
    if (m->parts.actuator == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (XmlNode* n = ut_mjcf_first_of(m, "actuator"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        UT_TRY(read_actuator(m, n));
    }
    return UT_OK;
}
