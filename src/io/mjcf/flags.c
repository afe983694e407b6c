// SPDX-License-Identifier: Apache-2.0
// The flags of option that switch parts of the physics off. They act on the descriptions, when all
// elements are read, so that the readers of elements do not ask for them.
#include "io/internal.h"

#include <math.h>
#include <string.h>

#include "model/internal.h"

enum { MAX_GROUP = 30 }; // of actuators in actuatorgroupdisable

MjcfFlags ut_mjcf_flags(void)
{
    return (MjcfFlags){.gravity = true,
                       .contact = true,
                       .constraint = true,
                       .equality = true,
                       .frictionloss = true,
                       .limit = true,
                       .spring = true,
                       .damper = true,
                       .passive = true,
                       .clampctrl = true,
                       .actuation = true,
                       .filterparent = true};
}

utStatus ut_mjcf_read_flags(Mjcf* m, const XmlNode* node)
{
    MjcfFlags* f = &m->flags;
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    const struct {
        const char* name;
        bool* on;
    } flags[] = {
        {"gravity", &f->gravity},
        {"contact", &f->contact},
        {"constraint", &f->constraint},
        {"equality", &f->equality},
        {"frictionloss", &f->frictionloss},
        {"limit", &f->limit},
        {"spring", &f->spring},
        {"damper", &f->damper},
        {"passive", &f->passive},
        {"clampctrl", &f->clampctrl},
        {"actuation", &f->actuation},
        {"filterparent", &f->filterparent},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        int on = *flags[i].on;
        UT_TRY(ut_mjcf_get_word(&p, flags[i].name, "disable enable", &on));
        *flags[i].on = on == 1;
    }
    return UT_OK;
}

// Flags that stand for several others.
void ut_mjcf_finish_flags(Mjcf* m)
{
    MjcfFlags* f = &m->flags;
    f->contact = f->contact && f->constraint;
    f->equality = f->equality && f->constraint;
    f->frictionloss = f->frictionloss && f->constraint;
    f->limit = f->limit && f->constraint;
    f->spring = f->spring && f->passive;
    f->damper = f->damper && f->passive;
    f->passive = f->spring || f->damper; // without both there is no gravity compensation either
    if (!f->gravity) {
        m->options.gravity = ut_vec3_zero();
    }
    m->options.parents_collide = !f->filterparent;
}

// A springdamper gives stiffness and damping together.
static utStatus apply_to_spring_damper(Mjcf* m, MjcfJoint* joint)
{
    const MjcfFlags* f = &m->flags;
    if (joint->def.springdamper[0] > 0.0 && f->spring != f->damper) {
        return ut_mjcf_fail(m, joint->node,
                            "springdamper beside the flag %s=\"disable\" is not supported; give "
                            "stiffness and damping",
                            f->spring ? "damper" : "spring");
    }
    if (!f->spring) {
        memset(joint->def.springdamper, 0, sizeof joint->def.springdamper);
    }
    return UT_OK;
}

static void apply_to_joint(const MjcfFlags* f, utJointDef* j)
{
    if (!f->frictionloss) {
        j->frictionloss = 0.0;
    }
    if (!f->spring) {
        j->stiffness = 0.0;
        memset(j->stiffness_poly, 0, sizeof j->stiffness_poly);
    }
    if (!f->damper) {
        j->damping = 0.0;
        memset(j->damping_poly, 0, sizeof j->damping_poly);
    }
}

static void apply_to_tendon(const MjcfFlags* f, utTendonDef* t)
{
    if (!f->frictionloss) {
        t->frictionloss = 0.0;
    }
    if (!f->spring) {
        t->stiffness = 0.0;
        memset(t->stiffness_poly, 0, sizeof t->stiffness_poly);
    }
    if (!f->damper) {
        t->damping = 0.0;
        memset(t->damping_poly, 0, sizeof t->damping_poly);
    }
}

// An actuator without force. It keeps its control and its activation.
static void disable(utActuatorDef* a)
{
    a->dynamics = ut_model_actuator_dynamics(a);
    a->time_constant = a->time_constant > 0.0 ? a->time_constant : 1.0;
    a->kind = UT_ACTUATOR_GENERAL;
    a->dampratio = 0.0;
    a->force_limited = false;
    memset(a->gain, 0, sizeof a->gain);
    memset(a->bias, 0, sizeof a->bias);
}

static utStatus apply_to_actuators(Mjcf* m)
{
    const MjcfFlags* f = &m->flags;
    int i = 0;
    for (XmlNode* n = ut_mjcf_first_of(m, "actuator"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        MjcfActuator* actuator = &m->parts.actuator[i++];
        MjcfPlace p;
        int group = 0;
        if (actuator->unsupported) {
            continue;
        }
        UT_TRY(ut_mjcf_place(m, n, MJCF_ACTUATORS, &p));
        UT_TRY(ut_mjcf_get_int(&p, "group", &group));
        const bool listed = group >= 0 && group <= MAX_GROUP;
        if (!f->actuation || (listed && (f->disabled_groups >> group & 1u) != 0)) {
            disable(&actuator->def);
        }
        actuator->def.ctrl_limited = actuator->def.ctrl_limited && f->clampctrl;
    }
    return UT_OK;
}

utStatus ut_mjcf_read_disabled_groups(const MjcfPlace* p)
{
    const MjcfFound found = ut_mjcf_find(p, "actuatorgroupdisable");
    double x[MAX_GROUP + 1];
    int count = 0;
    if (found.attribute != NULL) {
        UT_TRY(ut_mjcf_numbers(p->m, found, 0, MAX_GROUP + 1, x, &count));
    }
    for (int i = 0; i < count; i++) {
        if (!(x[i] >= 0.0 && x[i] <= MAX_GROUP && floor(x[i]) == x[i])) {
            return ut_mjcf_fail_at(
                p->m, found, 0, "actuatorgroupdisable needs whole numbers from 0 to %d", MAX_GROUP);
        }
        p->m->flags.disabled_groups |= 1u << (int)x[i];
    }
    return UT_OK;
}

utStatus ut_mjcf_apply_flags(Mjcf* m)
{
    const MjcfFlags* f = &m->flags;
    for (int i = 0; i < m->parts.joints; i++) {
        UT_TRY(apply_to_spring_damper(m, &m->parts.joint[i]));
        apply_to_joint(f, &m->parts.joint[i].def);
    }
    for (int i = 0; i < m->parts.tendons; i++) {
        apply_to_tendon(f, &m->parts.tendon[i]);
    }
    for (int i = 0; i < m->parts.equalities && !f->equality; i++) {
        m->parts.equality[i].active = false;
    }
    return apply_to_actuators(m);
}
