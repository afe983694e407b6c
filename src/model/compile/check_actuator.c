// SPDX-License-Identifier: Apache-2.0
// Checks of actuators and of what they drive.
#include "model/internal.h"

utTransmission ut_model_transmission(const utActuatorDef* a)
{
    return a->equality >= 0     ? UT_TRANSMISSION_EQUALITY
           : a->tendon >= 0     ? UT_TRANSMISSION_TENDON
           : a->site >= 0       ? UT_TRANSMISSION_SITE
           : a->crank_site >= 0 ? UT_TRANSMISSION_SLIDER_CRANK
                                : UT_TRANSMISSION_JOINT;
}

static utStatus check_site_of(const utModelDef* def, int i, int site, utError* err)
{
    if (site >= 0 && site < def->site.count) {
        return UT_OK;
    }
    return UT_MODEL_FAIL(err, ut_model_actuator_def(def, i)->origin,
                         "%s names site %d, which does not exist; there are %d sites",
                         ut_model_actuator_label(def, i).text, site, def->site.count);
}

static utStatus check_equality_of(const utModelDef* def, int i, utError* err)
{
    const utActuatorDef* a = ut_model_actuator_def(def, i);
    const utEqualityKind kind = a->equality < def->equality.count
                                    ? ut_model_equality_def(def, a->equality)->kind
                                    : UT_EQUALITY_KIND_COUNT;
    if (kind == UT_EQUALITY_HINGE || kind == UT_EQUALITY_SLIDE) {
        return UT_OK;
    }
    return UT_MODEL_FAIL(err, a->origin, "%s drives equality %d, which is not a hinge or a slide",
                         ut_model_actuator_label(def, i).text, a->equality);
}

static utStatus check_driven(const utModelDef* def, int i, utError* err)
{
    const utActuatorDef* a = ut_model_actuator_def(def, i);
    const Label label = ut_model_actuator_label(def, i);
    switch (ut_model_transmission(a)) {
    case UT_TRANSMISSION_EQUALITY:
        return check_equality_of(def, i, err);
    case UT_TRANSMISSION_TENDON:
        return a->tendon < def->tendon.count
                   ? UT_OK
                   : UT_MODEL_FAIL(
                         err, a->origin,
                         "%s drives tendon %d, which does not exist; there are %d tendons",
                         label.text, a->tendon, def->tendon.count);
    case UT_TRANSMISSION_SITE:
        UT_TRY(check_site_of(def, i, a->site, err));
        return a->ref_site == -1 ? UT_OK : check_site_of(def, i, a->ref_site, err);
    case UT_TRANSMISSION_SLIDER_CRANK:
        if (!(a->crank_length > 0.0)) {
            return UT_MODEL_FAIL(err, a->origin, "%s has a crank without a positive crank_length",
                                 label.text);
        }
        UT_TRY(check_site_of(def, i, a->crank_site, err));
        return check_site_of(def, i, a->slider_site, err);
    case UT_TRANSMISSION_JOINT:
    case UT_TRANSMISSION_COUNT:
        break;
    }
    if (a->joint < 0 || a->joint >= def->joint.count) {
        return UT_MODEL_FAIL(err, a->origin,
                             "%s drives joint %d, which does not exist; there are %d "
                             "joints",
                             label.text, a->joint, def->joint.count);
    }
    return UT_OK;
}

static bool is_position_like(const utActuatorDef* a)
{
    return a->kind == UT_ACTUATOR_POSITION || a->kind == UT_ACTUATOR_INTVELOCITY ||
           (a->kind == UT_ACTUATOR_GENERAL && a->gain[0] == -a->bias[1]);
}

// A damping ratio needs the inertia that the actuator feels in the modelled pose.
static utStatus check_dampratio(const utModelDef* def, int i, utError* err)
{
    const utActuatorDef* a = ut_model_actuator_def(def, i);
    const Label label = ut_model_actuator_label(def, i);
    if (a->dampratio == 0.0) {
        return UT_OK;
    }
    if (!is_position_like(a)) {
        return UT_MODEL_FAIL(err, a->origin,
                             "%s has a dampratio, which is for position and intvelocity actuators",
                             label.text);
    }
    if (a->kv != 0.0 && a->kind != UT_ACTUATOR_GENERAL) {
        return UT_MODEL_FAIL(err, a->origin, "%s has kv and dampratio; give one of them",
                             label.text);
    }
    const utTransmission way = ut_model_transmission(a);
    const bool free =
        way == UT_TRANSMISSION_JOINT && ut_model_joint_def(def, a->joint)->kind == UT_JOINT_FREE;
    if (way == UT_TRANSMISSION_EQUALITY || (free && def->options.planar != UT_PLANAR_NONE)) {
        return UT_MODEL_FAIL(err, a->origin,
                             "%s has a dampratio, which is not for equalities and free joints of "
                             "planar worlds; give kv",
                             label.text);
    }
    return UT_OK;
}

static utStatus check_dynamics(const utModelDef* def, int i, utError* err)
{
    const utActuatorDef* a = ut_model_actuator_def(def, i);
    const Label label = ut_model_actuator_label(def, i);
    if ((int)a->dynamics < 0 || a->dynamics >= UT_DYNAMICS_COUNT) {
        return UT_MODEL_FAIL(err, a->origin,
                             "%s has dynamics %d, which do not exist; there are 0 to %d",
                             label.text, (int)a->dynamics, UT_DYNAMICS_COUNT - 1);
    }
    if (a->act_limited) {
        return ut_model_check_range(a->act_range, "act_range", label, a->origin, err);
    }
    return UT_OK;
}

static utStatus check_actuator(const utModelDef* def, int i, utError* err)
{
    const utActuatorDef* a = ut_model_actuator_def(def, i);
    const utOrigin origin = a->origin;
    const Label label = ut_model_actuator_label(def, i);
    UT_TRY(ut_model_check_cookie(a->cookie, UT_ACTUATOR_DEF_COOKIE, label, "ut_actuator_def", err));
    if ((int)a->kind < 0 || a->kind >= UT_ACTUATOR_KIND_COUNT) {
        return UT_MODEL_FAIL(err, origin,
                             "%s is of kind %d, which does not exist; there are 0 to "
                             "%d",
                             label.text, (int)a->kind, UT_ACTUATOR_KIND_COUNT - 1);
    }
    UT_TRY(check_driven(def, i, err));
    UT_TRY(ut_model_check_attributes(ELEMENT_ACTUATOR, a, label, origin, err));
    UT_TRY(check_dampratio(def, i, err));
    UT_TRY(check_dynamics(def, i, err));
    if (a->ctrl_limited) {
        UT_TRY(ut_model_check_range(a->ctrl_range, "ctrl_range", label, origin, err));
    }
    if (a->force_limited) {
        UT_TRY(ut_model_check_range(a->force_range, "force_range", label, origin, err));
    }
    return UT_OK;
}

utStatus ut_model_check_actuators(const utModelDef* def, utError* err)
{
    for (int i = 0; i < def->actuator.count; i++) {
        UT_TRY(check_actuator(def, i, err));
    }
    return UT_OK;
}
