// SPDX-License-Identifier: Apache-2.0
// Gain, bias and dynamics of an actuator. All kinds of actuators share one default element per class,
// in the general form: `position` in a class changes a later `general`. So the elements of the
// class, of its parents and the actuator itself are applied one after the other, the outermost class
// first.
#include "io/internal.h"

#include <string.h>

// ---- attributes of one element ------------------------------------------------------------------

// Read an attribute of this element alone, without defaults.
static utStatus get_own(Mjcf* m, const XmlNode* node, const char* name, int most, double* x,
                        bool* given)
{
    const MjcfFound found = {node, ut_xml_attribute(node, name)};
    if (given != NULL) {
        *given = found.attribute != NULL;
    }
    return found.attribute != NULL ? ut_mjcf_numbers(m, found, 1, most, x, NULL) : UT_OK;
}

static utStatus get_not_negative(Mjcf* m, const XmlNode* node, const char* name, double* x,
                                 bool* given)
{
    bool here;
    UT_TRY(get_own(m, node, name, 1, x, &here));
    if (given != NULL) {
        *given = here;
    }
    if (here && !(*x >= 0.0)) {
        const MjcfFound found = {node, ut_xml_attribute(node, name)};
        return ut_mjcf_fail_at(m, found, 0, "%s of %s is %.20s; it must not be negative", name,
                               node->name, found.attribute->value);
    }
    return UT_OK;
}

static utStatus get_word(Mjcf* m, const XmlNode* node, const char* name, const char* words, int* x)
{
    const MjcfPlace own = {.m = m, .node = node};
    return ut_mjcf_get_word(&own, name, words, x);
}

// Up to 10 numbers, of which the laws that are supported use the first three.
static utStatus get_parameters(Mjcf* m, const XmlNode* node, const char* name, double x[3])
{
    double all[10] = {x[0], x[1], x[2]};
    UT_TRY(get_own(m, node, name, 10, all, NULL));
    memcpy(x, all, 3 * sizeof *x);
    return UT_OK;
}

// ---- kinds --------------------------------------------------------------------------------------

static utStatus apply_general(Mjcf* m, const XmlNode* node, MjcfActuatorLaw* law)
{
    double prm[3] = {law->time_constant, 0.0, 0.0};
    UT_TRY(get_word(m, node, "gaintype", MJCF_GAIN_TYPES, &law->gain_type));
    UT_TRY(get_word(m, node, "biastype", MJCF_BIAS_TYPES, &law->bias_type));
    UT_TRY(get_word(m, node, "dyntype", MJCF_DYNAMICS, &law->dynamics));
    UT_TRY(get_parameters(m, node, "gainprm", law->gain));
    UT_TRY(get_parameters(m, node, "biasprm", law->bias));
    UT_TRY(get_parameters(m, node, "dynprm", prm));
    law->time_constant = prm[0];
    const MjcfPlace own = {.m = m, .node = node};
    UT_TRY(ut_mjcf_get_int(&own, "actdim", &law->actdim));
    return ut_mjcf_get_bool(&own, "actearly", &law->early);
}

static void set_types(MjcfActuatorLaw* law, int gain, int bias)
{
    law->gain_type = gain;
    law->bias_type = bias;
}

// MuJoCo keeps a damping ratio as a positive bias[2], a damping as a negative one.
static utStatus apply_position(Mjcf* m, const XmlNode* node, bool integrates, MjcfActuatorLaw* law)
{
    double kp = law->gain[0], kv = 0.0, ratio = 0.0, filter = 0.0;
    bool has_kv, has_ratio, has_filter;
    UT_TRY(get_not_negative(m, node, "kp", &kp, NULL));
    UT_TRY(get_not_negative(m, node, "kv", &kv, &has_kv));
    UT_TRY(get_not_negative(m, node, "dampratio", &ratio, &has_ratio));
    UT_TRY(get_not_negative(m, node, "timeconst", &filter, &has_filter));
    UT_TRY(get_not_negative(m, node, "inheritrange", &law->inherit_range, NULL));
    if (has_kv && has_ratio) {
        return ut_mjcf_fail_at(m, (MjcfFound){node, ut_xml_attribute(node, "dampratio")}, 0,
                               "dampratio beside kv; give one of them");
    }
    law->gain[0] = kp;
    law->bias[1] = -kp;
    law->bias[2] = has_kv ? -kv : has_ratio ? ratio : law->bias[2];
    if (has_filter) {
        law->time_constant = filter;
        law->dynamics = filter > 0.0 ? UT_DYNAMICS_FILTER_EXACT : UT_DYNAMICS_NONE;
    }
    if (integrates) {
        law->dynamics = UT_DYNAMICS_INTEGRATOR;
    }
    set_types(law, MJCF_GAIN_FIXED, MJCF_BIAS_AFFINE);
    return UT_OK;
}

static utStatus apply_velocity(Mjcf* m, const XmlNode* node, MjcfActuatorLaw* law)
{
    double kv = law->gain[0];
    UT_TRY(get_not_negative(m, node, "kv", &kv, NULL));
    law->gain[0] = kv;
    law->bias[0] = law->bias[1] = 0.0;
    law->bias[2] = -kv;
    law->dynamics = UT_DYNAMICS_NONE;
    set_types(law, MJCF_GAIN_FIXED, MJCF_BIAS_AFFINE);
    return UT_OK;
}

static utStatus apply_damper(Mjcf* m, const XmlNode* node, MjcfActuatorLaw* law)
{
    double kv = law->gain_type == MJCF_GAIN_AFFINE ? -law->gain[2] : 0.0;
    UT_TRY(get_not_negative(m, node, "kv", &kv, NULL));
    law->gain[0] = law->gain[1] = 0.0;
    law->gain[2] = 0.0 - kv;
    law->dynamics = UT_DYNAMICS_NONE;
    law->limits_ctrl = true;
    set_types(law, MJCF_GAIN_AFFINE, MJCF_BIAS_NONE);
    return UT_OK;
}

static utStatus apply_cylinder(Mjcf* m, const XmlNode* node, MjcfActuatorLaw* law)
{
    static const double quarter_pi = 0.78539816339744830962;
    double diameter = 0.0;
    bool round;
    UT_TRY(get_not_negative(m, node, "timeconst", &law->time_constant, NULL));
    UT_TRY(get_own(m, node, "bias", 3, law->bias, NULL));
    UT_TRY(get_own(m, node, "area", 1, &law->gain[0], NULL));
    UT_TRY(get_own(m, node, "diameter", 1, &diameter, &round));
    if (round && diameter >= 0.0) {
        law->gain[0] = quarter_pi * diameter * diameter;
    }
    law->dynamics = UT_DYNAMICS_FILTER;
    set_types(law, MJCF_GAIN_FIXED, MJCF_BIAS_AFFINE);
    return UT_OK;
}

static utStatus apply(Mjcf* m, const XmlNode* node, MjcfActuatorLaw* law)
{
    law->limits_ctrl = false; // that of a damper in the class does not count for another kind
    if (strcmp(node->name, "general") == 0) {
        return apply_general(m, node, law);
    }
    if (strcmp(node->name, "position") == 0 || strcmp(node->name, "intvelocity") == 0) {
        return apply_position(m, node, node->name[0] == 'i', law);
    }
    if (strcmp(node->name, "velocity") == 0) {
        return apply_velocity(m, node, law);
    }
    if (strcmp(node->name, "damper") == 0) {
        return apply_damper(m, node, law);
    }
    if (strcmp(node->name, "cylinder") == 0) {
        return apply_cylinder(m, node, law);
    }
    if (strcmp(node->name, "motor") == 0) {
        law->gain[0] = 1.0;
        law->dynamics = UT_DYNAMICS_NONE;
        set_types(law, MJCF_GAIN_FIXED, MJCF_BIAS_NONE);
    } else {
        law->gain_type = MJCF_GAIN_OTHER; // muscle, adhesion and others: noted where they are
    }
    return UT_OK;
}

// ---- classes ------------------------------------------------------------------------------------

static utStatus apply_parts(Mjcf* m, const MjcfClass* of, MjcfActuatorLaw* law)
{
    for (const MjcfClassPart* part = of->first; part != NULL; part = part->next) {
        for (const XmlNode* n = part->node->first; n != NULL; n = n->next) {
            if (ut_word_in(MJCF_ACTUATORS, n->name)) {
                UT_TRY(apply(m, n, law));
            }
        }
    }
    return UT_OK;
}

// The law of a class is kept, because thousands of actuators may begin with it.
static utStatus apply_class(Mjcf* m, const MjcfClass* of, MjcfActuatorLaw* law)
{
    if (of == NULL) {
        return UT_OK;
    }
    if (of->law != NULL) {
        *law = *of->law;
        return UT_OK;
    }
    UT_TRY(apply_class(m, of->parent, law));
    UT_TRY(apply_parts(m, of, law));
    MjcfActuatorLaw* kept = UT_PUSH(&m->memory, MjcfActuatorLaw, 1);
    if (kept == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *kept = *law;
    m->classes.at[of->index]->law = kept;
    return UT_OK;
}

utStatus ut_mjcf_actuator_law(const MjcfPlace* p, MjcfActuatorLaw* law)
{
    *law = (MjcfActuatorLaw){.gain = {1.0}, .time_constant = 1.0, .actdim = -1};
    UT_TRY(apply_class(p->m, p->of, law));
    return apply(p->m, p->node, law);
}

// ---- as a description ---------------------------------------------------------------------------

static bool is_position_like(const MjcfActuatorLaw* law)
{
    return law->gain_type == MJCF_GAIN_FIXED && law->bias_type == MJCF_BIAS_AFFINE &&
           law->gain[0] == -law->bias[1];
}

// The kind that the element's name says, when it can express the law; else general.
static utActuatorKind kind_of(const MjcfActuatorLaw* law, const utActuatorDef* a, const char* name)
{
    const bool plain = law->dynamics == UT_DYNAMICS_NONE;
    const bool position =
        is_position_like(law) && a->gain[0] >= 0.0 && a->bias[0] == 0.0 && a->bias[2] <= 0.0;
    if (strcmp(name, "motor") == 0) {
        return UT_ACTUATOR_MOTOR;
    }
    if (strcmp(name, "position") == 0 && position &&
        (plain || law->dynamics == UT_DYNAMICS_FILTER_EXACT)) {
        return UT_ACTUATOR_POSITION;
    }
    if (strcmp(name, "intvelocity") == 0 && position) {
        return UT_ACTUATOR_INTVELOCITY;
    }
    const bool velocity = strcmp(name, "velocity") == 0 && a->gain[0] >= 0.0;
    const bool damper = strcmp(name, "damper") == 0 && a->gain[2] <= 0.0;
    const bool cylinder = strcmp(name, "cylinder") == 0 && a->dampratio == 0.0;
    return velocity   ? UT_ACTUATOR_VELOCITY
           : damper   ? UT_ACTUATOR_DAMPER
           : cylinder ? UT_ACTUATOR_CYLINDER
                      : UT_ACTUATOR_GENERAL;
}

void ut_mjcf_describe_law(const MjcfActuatorLaw* law, const char* name, utActuatorDef* a)
{
    const bool affine = law->gain_type == MJCF_GAIN_AFFINE;
    for (int k = 0; k < 3; k++) {
        a->gain[k] = k == 0 || affine ? law->gain[k] : 0.0;
        a->bias[k] = law->bias_type == MJCF_BIAS_AFFINE ? law->bias[k] : 0.0;
    }
    if (is_position_like(law) && law->bias[2] > 0.0) {
        a->dampratio = law->bias[2];
        a->bias[2] = 0.0;
    }
    const bool filters =
        law->dynamics == UT_DYNAMICS_FILTER || law->dynamics == UT_DYNAMICS_FILTER_EXACT;
    a->kind = kind_of(law, a, name);
    a->dynamics = (utActuatorDynamics)law->dynamics;
    a->time_constant = filters ? law->time_constant : 0.0;
    a->act_early = law->early;
    if (a->kind == UT_ACTUATOR_POSITION || a->kind == UT_ACTUATOR_INTVELOCITY) {
        a->kp = a->gain[0];
        a->kv = 0.0 - a->bias[2]; // 0 and not -0, which writers would show
    } else {
        a->kv = a->kind == UT_ACTUATOR_VELOCITY ? a->gain[0]
                : a->kind == UT_ACTUATOR_DAMPER ? 0.0 - a->gain[2]
                                                : 0.0;
    }
}
