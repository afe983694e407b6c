// SPDX-License-Identifier: Apache-2.0
// Actuators: what they drive, their ranges and their laws. Unsupported actuators are noted, and
// counted until the controls and activations of keyframes have been read.
#include "io/internal.h"

#include <stdio.h>
#include <string.h>

// ---- ranges -------------------------------------------------------------------------------------

// `inheritrange`: the range of the joint or tendon, scaled about its middle, is the range of the control, or of
// the activation of an integrator.
static utStatus inherit_range(const MjcfPlace* p, const MjcfActuatorLaw* law, utActuatorDef* a)
{
    const bool integrates = law->dynamics == UT_DYNAMICS_INTEGRATOR;
    const char* range_name = integrates ? "actrange" : "ctrlrange";
    const MjcfFound found = ut_mjcf_find(p, "inheritrange");
    const bool follows = law->gain_type == MJCF_GAIN_FIXED && law->bias_type == MJCF_BIAS_AFFINE &&
                         law->gain[0] == -law->bias[1];
    if (!(law->inherit_range > 0.0) || !follows || found.attribute == NULL) {
        return UT_OK;
    }
    double* to = integrates ? a->act_range : a->ctrl_range;
    if (to[0] != 0.0 || to[1] != 0.0) { // a range "0 0" counts as not given
        return ut_mjcf_fail_at(p->m, found, 0, "inheritrange beside %s; give one of them",
                               range_name);
    }
    const double* range = a->joint >= 0    ? p->m->parts.joint[a->joint].def.range
                          : a->tendon >= 0 ? p->m->parts.tendon[a->tendon].range
                                           : NULL;
    if (range == NULL || !(range[0] < range[1])) {
        return ut_mjcf_fail_at(p->m, found, 0, "inheritrange needs a joint with a range");
    }
    const double mean = 0.5 * (range[1] + range[0]);
    const double half = 0.5 * (range[1] - range[0]) * law->inherit_range;
    *(integrates ? &a->act_limited : &a->ctrl_limited) = true;
    to[0] = mean - half;
    to[1] = mean + half;
    return UT_OK;
}

static utStatus read_ranges(const MjcfPlace* p, const MjcfActuatorLaw* law, utActuatorDef* a)
{
    UT_TRY(ut_mjcf_limits(p, "ctrllimited", "ctrlrange", &a->ctrl_limited, a->ctrl_range));
    UT_TRY(ut_mjcf_limits(p, "forcelimited", "forcerange", &a->force_limited, a->force_range));
    UT_TRY(ut_mjcf_limits(p, "actlimited", "actrange", &a->act_limited, a->act_range));
    UT_TRY(inherit_range(p, law, a));
    if (law->limits_ctrl && !a->ctrl_limited) {
        return ut_mjcf_fail(p->m, p->node, "%s needs the attribute ctrlrange", p->node->name);
    }
    if (law->limits_ctrl && a->ctrl_range[0] < 0.0) {
        return ut_mjcf_fail_at(p->m, ut_mjcf_find(p, "ctrlrange"), 0,
                               "ctrlrange of a damper must not be negative");
    }
    return UT_OK;
}

// ---- transmissions ------------------------------------------------------------------------------

// Find the element that an attribute of the actuator names. @param index unchanged without attribute
static utStatus find_named(const MjcfPlace* p, const char* attribute, const char* kind,
                           const Names* names, int* index)
{
    return ut_xml_attribute(p->node, attribute) != NULL
               ? ut_mjcf_get_reference(p, attribute, kind, names, index)
               : UT_OK;
}

// Reject an attribute of a transmission that the actuator does not have.
static utStatus check_belongs(const MjcfPlace* p, const char* attribute, const char* transmission)
{
    XmlAttribute* found = ut_xml_attribute(p->node, attribute);
    if (found == NULL || ut_xml_attribute(p->node, transmission) != NULL) {
        return UT_OK;
    }
    return ut_mjcf_fail_at(p->m, (MjcfFound){p->node, found}, 0, "%s without %s", attribute,
                           transmission);
}

// Reject no transmission and several of them.
static utStatus check_transmission(const MjcfPlace* p)
{
    const XmlNode* node = p->node;
    int count = 0;
    for (int i = 0; i < node->attributes; i++) {
        count +=
            ut_word_in("joint jointinparent tendon site cranksite body", node->attribute[i].name);
        if (count > 1) {
            return ut_mjcf_fail_at(p->m, (MjcfFound){node, &node->attribute[i]}, 0,
                                   "%s beside another transmission; an actuator has one",
                                   node->attribute[i].name);
        }
    }
    return count == 1 ? UT_OK
                      : ut_mjcf_fail(p->m, node, "%s needs the attribute joint", node->name);
}

static utStatus find_crank(const MjcfPlace* p, utActuatorDef* a)
{
    const Names* sites = &p->m->names.site;
    UT_TRY(find_named(p, "cranksite", "site", sites, &a->crank_site));
    if (a->crank_site < 0) {
        return UT_OK;
    }
    UT_TRY(ut_mjcf_get_reference(p, "slidersite", "site", sites, &a->slider_site));
    UT_TRY(ut_mjcf_get_positive(p, "cranklength", &a->crank_length));
    return a->crank_length > 0.0
               ? UT_OK
               : ut_mjcf_fail(p->m, p->node, "%s needs the attribute cranklength", p->node->name);
}

// @param lacks receives the reason why the transmission is not supported
static utStatus find_transmission(const MjcfPlace* p, utActuatorDef* a, const char** lacks)
{
    const Mjcf* m = p->m;
    UT_TRY(check_transmission(p));
    UT_TRY(check_belongs(p, "refsite", "site"));
    UT_TRY(check_belongs(p, "slidersite", "cranksite"));
    UT_TRY(check_belongs(p, "cranklength", "cranksite"));
    a->joint = -1;
    UT_TRY(find_named(p, "joint", "joint", &m->names.joint, &a->joint));
    UT_TRY(find_named(p, "jointinparent", "joint", &m->names.joint, &a->joint));
    a->in_parent = ut_xml_attribute(p->node, "jointinparent") != NULL;
    UT_TRY(find_named(p, "site", "site", &m->names.site, &a->site));
    UT_TRY(find_named(p, "refsite", "site", &m->names.site, &a->ref_site));
    UT_TRY(find_crank(p, a));
    UT_TRY(find_named(p, "tendon", "tendon", &m->names.tendon, &a->tendon));
    *lacks = ut_xml_attribute(p->node, "body") != NULL
                 ? "not supported: it drives a body (adhesion)"
                 : NULL;
    return UT_OK;
}

// ---- one actuator -------------------------------------------------------------------------------

// The reason why a law is not supported; NULL: it is.
static const char* lacks_of_law(const MjcfActuatorLaw* law)
{
    return law->gain_type > MJCF_GAIN_AFFINE    ? "not supported: its gaintype"
           : law->bias_type > MJCF_BIAS_AFFINE  ? "not supported: its biastype"
           : law->dynamics >= UT_DYNAMICS_COUNT ? "not supported: its dyntype"
           : law->actdim > 1                    ? "not supported: its actdim"
                                                : NULL;
}

static int activations_of(const MjcfActuatorLaw* law)
{
    return law->dynamics == UT_DYNAMICS_NONE ? 0 : law->actdim > 0 ? law->actdim : 1;
}

// A damping ratio needs the inertia that the actuator feels. A free joint of a planar world is another
// joint.
static utStatus drop_ratio(const MjcfPlace* p, utActuatorDef* a)
{
    const Mjcf* m = p->m;
    const bool free = a->joint >= 0 && m->parts.joint[a->joint].def.kind == UT_JOINT_FREE;
    if (a->dampratio == 0.0 || !free || m->options.planar == UT_PLANAR_NONE) {
        return UT_OK;
    }
    const MjcfFound found = ut_mjcf_find(p, "dampratio");
    a->dampratio = 0.0;
    return ut_mjcf_note_missing(p->m, found.attribute != NULL ? found.node : p->node,
                                found.attribute, "position.dampratio",
                                "not supported for this transmission: taken as 0; give kv");
}

static utStatus read_supported(const MjcfPlace* p, MjcfActuator* made)
{
    Mjcf* m = p->m;
    utActuatorDef* a = &made->def;
    MjcfActuatorLaw law;
    const char* lacks = NULL;
    double gear[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    *a = ut_actuator_def(-1, UT_ACTUATOR_GENERAL);
    a->origin = ut_mjcf_origin(p->node);
    UT_TRY(find_transmission(p, a, &lacks));
    UT_TRY(ut_mjcf_get_name(p, &m->names.actuator, m->parts.actuators, &a->name));
    UT_TRY(ut_mjcf_actuator_law(p, &law));
    made->activations = activations_of(&law);
    lacks = lacks != NULL ? lacks : lacks_of_law(&law);
    if (lacks != NULL) {
        char what[2 * WORD_SIZE];
        snprintf(what, sizeof what, "actuator/%.40s", p->node->name);
        return ut_mjcf_note_missing(m, p->node, NULL, what, lacks);
    }
    made->unsupported = false;
    UT_TRY(ut_mjcf_get_some(p, "gear", 6, gear, NULL));
    a->gear = gear[0];
    memcpy(a->more_gear, gear + 1, sizeof a->more_gear);
    ut_mjcf_describe_law(&law, p->node->name, a);
    UT_TRY(drop_ratio(p, a));
    return read_ranges(p, &law, a);
}

static utStatus read_actuator(Mjcf* m, const XmlNode* node)
{
    MjcfActuator* made = &m->parts.actuator[m->parts.actuators];
    // a muscle has one activation, an adhesion none; those of others are unknown
    *made = (MjcfActuator){.unsupported = true,
                           .activations = strcmp(node->name, "muscle") == 0     ? 1
                                          : strcmp(node->name, "adhesion") == 0 ? 0
                                                                                : -1};
    if (ut_word_in("general motor position velocity intvelocity damper cylinder", node->name)) {
        MjcfPlace p;
        UT_TRY(ut_mjcf_place(m, node, MJCF_ACTUATORS, &p));
        UT_TRY(read_supported(&p, made));
    }
    m->parts.actuators++;
    return UT_OK;
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
