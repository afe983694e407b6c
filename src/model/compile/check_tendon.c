// SPDX-License-Identifier: Apache-2.0
// Checks of tendons and their paths.
#include "model/internal.h"

// Is there an element of this kind at a place of the path, which may be outside?
static bool is_at(const utTendonDef* tendon, int k, utWrapKind kind)
{
    return k >= 0 && k < tendon->wraps && tendon->wrap[k].kind == kind;
}

static utStatus check_joint(const utModelDef* def, const utTendonDef* tendon, int k, Label label,
                            utError* err)
{
    const int j = tendon->wrap[k].object;
    if (tendon->wrap[k].kind != UT_WRAP_JOINT || j < 0 || j >= def->joint.count) {
        return UT_MODEL_FAIL(err, tendon->origin,
                             "element %d of %s is not one of the %d joints, of which a fixed "
                             "tendon consists",
                             k, label.text, def->joint.count);
    }
    const utJointKind kind = ut_model_joint_def(def, j)->kind;
    if (kind != UT_JOINT_HINGE && kind != UT_JOINT_SLIDE) {
        return UT_MODEL_FAIL(err, tendon->origin, "%s uses %s, which is %s; use a hinge or a slide",
                             label.text, ut_model_joint_label(def, j).text,
                             ut_joint_kind_name(kind));
    }
    return isfinite(tendon->wrap[k].value)
               ? UT_OK
               : UT_MODEL_FAIL(err, tendon->origin, "a coefficient of %s is not finite",
                               label.text);
}

static utStatus check_geom(const utModelDef* def, const utTendonDef* tendon, int k, Label label,
                           utError* err)
{
    const utWrap* wrap = &tendon->wrap[k];
    if (wrap->object < 0 || wrap->object >= def->geom.count || wrap->side < -1 ||
        wrap->side >= def->site.count) {
        return UT_MODEL_FAIL(err, tendon->origin,
                             "element %d of %s names a geom or side site that does not exist", k,
                             label.text);
    }
    const utShapeKind shape = ut_model_geom_def(def, wrap->object)->shape.kind;
    if (shape != UT_SHAPE_SPHERE && shape != UT_SHAPE_CYLINDER) {
        return UT_MODEL_FAIL(err, tendon->origin,
                             "%s wraps around %s, which is neither a sphere nor a cylinder",
                             label.text, ut_model_geom_label(def, wrap->object).text);
    }
    if (!is_at(tendon, k - 1, UT_WRAP_SITE) || !is_at(tendon, k + 1, UT_WRAP_SITE)) {
        return UT_MODEL_FAIL(err, tendon->origin,
                             "%s wraps around %s, which must stand between two sites", label.text,
                             ut_model_geom_label(def, wrap->object).text);
    }
    return UT_OK;
}

static utStatus check_site(const utModelDef* def, const utTendonDef* tendon, int k, Label label,
                           utError* err)
{
    const utWrap* wrap = &tendon->wrap[k];
    if (wrap->object < 0 || wrap->object >= def->site.count) {
        return UT_MODEL_FAIL(err, tendon->origin,
                             "element %d of %s names site %d, which does not exist", k, label.text,
                             wrap->object);
    }
    const bool begins = k == 0 || is_at(tendon, k - 1, UT_WRAP_PULLEY);
    const bool ends = k == tendon->wraps - 1 || is_at(tendon, k + 1, UT_WRAP_PULLEY);
    if (begins && ends) {
        return UT_MODEL_FAIL(err, tendon->origin, "a branch of %s has %s alone; it needs two sites",
                             label.text, ut_model_site_label(def, wrap->object).text);
    }
    if (is_at(tendon, k + 1, UT_WRAP_SITE) && wrap[1].object == wrap->object) {
        return UT_MODEL_FAIL(err, tendon->origin, "%s has %s twice in a row", label.text,
                             ut_model_site_label(def, wrap->object).text);
    }
    return UT_OK;
}

static utStatus check_pulley(const utTendonDef* tendon, int k, Label label, utError* err)
{
    if (!is_at(tendon, k + 1, UT_WRAP_SITE)) {
        return UT_MODEL_FAIL(err, tendon->origin, "a pulley of %s must be followed by a site",
                             label.text);
    }
    return isfinite(tendon->wrap[k].value) && tendon->wrap[k].value > 0.0
               ? UT_OK
               : UT_MODEL_FAIL(err, tendon->origin,
                               "the divisor of a pulley of %s is %s; it must be above 0",
                               label.text, ut_model_number(tendon->wrap[k].value).text);
}

static utStatus check_element(const utModelDef* def, const utTendonDef* tendon, int k, Label label,
                              utError* err)
{
    if (tendon->kind == UT_TENDON_FIXED) {
        return check_joint(def, tendon, k, label, err);
    }
    switch (tendon->wrap[k].kind) {
    case UT_WRAP_SITE:
        return check_site(def, tendon, k, label, err);
    case UT_WRAP_GEOM:
        return check_geom(def, tendon, k, label, err);
    case UT_WRAP_PULLEY:
        return check_pulley(tendon, k, label, err);
    case UT_WRAP_JOINT:
    case UT_WRAP_KIND_COUNT:
        break;
    }
    return UT_MODEL_FAIL(err, tendon->origin,
                         "element %d of %s is no site, geom or pulley, of which a spatial tendon "
                         "consists",
                         k, label.text);
}

static utStatus check_tendon(const utModelDef* def, int i, utError* err)
{
    const utTendonDef* tendon = ut_model_tendon_def(def, i);
    const Label label = ut_model_tendon_label(def, i);
    UT_TRY(
        ut_model_check_cookie(tendon->cookie, UT_TENDON_DEF_COOKIE, label, "ut_tendon_def", err));
    if ((unsigned)tendon->kind >= UT_TENDON_KIND_COUNT) {
        return UT_MODEL_FAIL(err, tendon->origin,
                             "%s is of kind %d, which does not exist; there are 0 to %d",
                             label.text, (int)tendon->kind, UT_TENDON_KIND_COUNT - 1);
    }
    if (tendon->wraps <= 0) {
        return UT_MODEL_FAIL(err, tendon->origin, "%s has no path; give it %s", label.text,
                             tendon->kind == UT_TENDON_FIXED ? "a joint" : "two sites");
    }
    UT_TRY(ut_model_check_attributes(ELEMENT_TENDON, tendon, label, tendon->origin, err));
    for (int k = 0; k < tendon->wraps; k++) {
        UT_TRY(check_element(def, tendon, k, label, err));
    }
    for (int k = 0; k < tendon->wraps && tendon->armature > 0.0; k++) {
        if (tendon->wrap[k].kind == UT_WRAP_GEOM) {
            return UT_MODEL_FAIL(err, tendon->origin,
                                 "%s has armature and wraps around a geom; only straight paths can "
                                 "have armature",
                                 label.text);
        }
    }
    if (tendon->spring_length[0] > tendon->spring_length[1]) {
        return UT_MODEL_FAIL(err, tendon->origin, "spring_length of %s descends from %s to %s",
                             label.text, ut_model_number(tendon->spring_length[0]).text,
                             ut_model_number(tendon->spring_length[1]).text);
    }
    if (tendon->actuator_force_limited) {
        UT_TRY(ut_model_check_range(tendon->actuator_force_range, "actuator_force_range", label,
                                    tendon->origin, err));
    }
    return tendon->limited
               ? ut_model_check_range(tendon->range, "range", label, tendon->origin, err)
               : UT_OK;
}

utStatus ut_model_check_tendons(const utModelDef* def, utError* err)
{
    for (int i = 0; i < def->tendon.count; i++) {
        UT_TRY(check_tendon(def, i, err));
    }
    return UT_OK;
}
