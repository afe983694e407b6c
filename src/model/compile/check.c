// SPDX-License-Identifier: Apache-2.0
// Checks of a description, element by element: numbers by the table of attributes, references and
// kinds here.
#include "model/internal.h"

// ---- any element --------------------------------------------------------------------------------

utStatus ut_model_check_cookie(uint32_t cookie, uint32_t expected, Label label,
                               const char* function, utError* err)
{
    if (cookie == expected) {
        return UT_OK;
    }
    return ut_error_set(err, UT_ERR_DEF, "%s did not come from %s(); begin with that", label.text,
                        function);
}

// The number of doubles in an attribute, 0 for other types.
static int doubles_of(const Attribute* attribute)
{
    switch (attribute->kind) {
    case ATTRIBUTE_NUMBERS:
        return attribute->max_count;
    case ATTRIBUTE_INERTIA:
        return 9;
    case ATTRIBUTE_INTEGER:
    case ATTRIBUTE_FLAG:
    case ATTRIBUTE_WORD:
    case ATTRIBUTE_CHOICE:
        break;
    }
    return 0;
}

static utStatus check_bound(const Attribute* attribute, const double* value, int count, Label label,
                            utOrigin origin, utError* err)
{
    bool zero = true;
    for (int i = 0; i < count; i++) {
        const double x = value[i];
        zero = zero && x == 0.0;
        if (!isfinite(x)) {
            return UT_MODEL_FAIL(err, origin, "%s of %s is %s; it must be finite", attribute->name,
                                 label.text, ut_model_number(x).text);
        }
        if (attribute->bound == BOUND_NOT_NEGATIVE && !(x >= 0.0)) {
            return UT_MODEL_FAIL(err, origin, "%s of %s is %s; it cannot be negative",
                                 attribute->name, label.text, ut_model_number(x).text);
        }
        if (attribute->bound == BOUND_POSITIVE && !(x > 0.0)) {
            return UT_MODEL_FAIL(err, origin, "%s of %s is %s; it must be positive",
                                 attribute->name, label.text, ut_model_number(x).text);
        }
        if (attribute->bound == BOUND_FRACTION && !(x >= 0.0 && x <= 1.0)) {
            return UT_MODEL_FAIL(err, origin, "%s of %s is %s; it must lie between 0 and 1",
                                 attribute->name, label.text, ut_model_number(x).text);
        }
    }
    if (attribute->bound == BOUND_NOT_ZERO && zero) {
        return UT_MODEL_FAIL(err, origin, "%s of %s is zero; no rotation is 1 0 0 0",
                             attribute->name, label.text);
    }
    return UT_OK;
}

utStatus ut_model_check_attributes(ElementKind element, const void* item, Label label,
                                   utOrigin origin, utError* err)
{
    for (const Attribute* a = ut_model_attributes(element); a->name != NULL; a++) {
        const double* value = (const void*)((const char*)item + a->offset);
        const int count = doubles_of(a);
        if (count > 0) {
            UT_TRY(check_bound(a, value, count, label, origin, err));
        }
    }
    return UT_OK;
}

utStatus ut_model_check_range(const double range[2], const char* name, Label label, utOrigin origin,
                              utError* err)
{
    if (range[0] < range[1]) {
        return UT_OK;
    }
    return UT_MODEL_FAIL(err, origin, "%s of %s is %s to %s; the first number must be the smaller",
                         name, label.text, ut_model_number(range[0]).text,
                         ut_model_number(range[1]).text);
}

// ---- options ------------------------------------------------------------------------------------

static utStatus check_impacts(const utOptions* options, utOrigin nowhere, utError* err)
{
    if (options->impact < -1 || options->impact >= IMPACT_LAWS) {
        return UT_MODEL_FAIL(err, nowhere, "impact of the options is %d; there are 0 to %d",
                             options->impact, IMPACT_LAWS - 1);
    }
    if (options->simultaneous < -1 || options->simultaneous >= UT_SIMULTANEOUS_COUNT) {
        return UT_MODEL_FAIL(err, nowhere, "simultaneous of the options is %d; there are 0 to %d",
                             options->simultaneous, UT_SIMULTANEOUS_COUNT - 1);
    }
    if ((int)options->detection < 0 || options->detection >= UT_DETECTION_COUNT) {
        return UT_MODEL_FAIL(err, nowhere, "detection of the options is %d; there are 0 to %d",
                             (int)options->detection, UT_DETECTION_COUNT - 1);
    }
    return UT_OK;
}

static utStatus check_options(const utModelDef* def, utError* err)
{
    const utOptions* options = &def->options;
    const utOrigin nowhere = {0};
    const Label label = {"the options"};
    UT_TRY(ut_model_check_cookie(options->cookie, UT_OPTIONS_COOKIE, label, "ut_options", err));
    UT_TRY(ut_model_check_attributes(ELEMENT_OPTION, options, label, nowhere, err));
    if ((int)options->integrator < 0 || options->integrator >= UT_INTEGRATOR_COUNT) {
        return UT_MODEL_FAIL(err, nowhere, "integrator of the options is %d; there are 0 to %d",
                             (int)options->integrator, UT_INTEGRATOR_COUNT - 1);
    }
    if ((int)options->coordinates < 0 || options->coordinates >= UT_COORDINATES_COUNT) {
        return UT_MODEL_FAIL(err, nowhere, "coordinates of the options is %d; there are 0 to %d",
                             (int)options->coordinates, UT_COORDINATES_COUNT - 1);
    }
    if ((int)options->planar < 0 || options->planar >= UT_PLANAR_COUNT) {
        return UT_MODEL_FAIL(err, nowhere, "planar of the options is %d; there are 0 to %d",
                             (int)options->planar, UT_PLANAR_COUNT - 1);
    }
    if (options->directions < 2 || options->directions % 2 != 0) {
        return UT_MODEL_FAIL(err, nowhere,
                             "directions of the options is %d; it must be even, 2 or more",
                             options->directions);
    }
    if (options->relinearize < 0) {
        return UT_MODEL_FAIL(err, nowhere,
                             "relinearize of the options is %d; it cannot be "
                             "negative",
                             options->relinearize);
    }
    UT_TRY(check_impacts(options, nowhere, err));
    if (options->formulation < -1 || options->formulation >= UT_FORMULATION_COUNT) {
        return UT_MODEL_FAIL(err, nowhere,
                             "formulation of the options is %d; it lies between -1 and %d",
                             options->formulation, UT_FORMULATION_COUNT - 1);
    }
    if (options->solver[0] == 0) {
        return UT_MODEL_FAIL(err, nowhere,
                             "solver of the options is missing; the default is \"%s\"",
                             ut_options().solver);
    }
    return UT_OK;
}

// ---- geoms, sites, excludes ---------------------------------------------------------------------

static utStatus check_geom(const utModelDef* def, int i, utError* err)
{
    const utGeomDef* geom = ut_model_geom_def(def, i);
    const Label label = ut_model_geom_label(def, i);
    UT_TRY(ut_model_check_cookie(geom->cookie, UT_GEOM_DEF_COOKIE, label, "ut_geom_def", err));
    if (geom->body < 0 || geom->body >= def->body.count) {
        return UT_MODEL_FAIL(err, geom->origin,
                             "%s is on body %d, which does not exist; there are 0 to %d",
                             label.text, geom->body, def->body.count - 1);
    }
    UT_TRY(ut_model_check_attributes(ELEMENT_GEOM, geom, label, geom->origin, err));
    if (geom->condim != 1 && geom->condim != 3 && geom->condim != 4 && geom->condim != 6) {
        return UT_MODEL_FAIL(err, geom->origin, "condim of %s is %d; it must be 1, 3, 4 or 6",
                             label.text, geom->condim);
    }
    utError shape;
    if (ut_shape_check(&geom->shape, &shape) != UT_OK) {
        return UT_MODEL_FAIL(err, geom->origin, "%s: %s", label.text, shape.message);
    }
    return UT_OK;
}

static utStatus check_site(const utModelDef* def, int i, utError* err)
{
    const utSiteDef* site = ut_model_site_def(def, i);
    const Label label = ut_model_site_label(def, i);
    UT_TRY(ut_model_check_cookie(site->cookie, UT_SITE_DEF_COOKIE, label, "ut_site_def", err));
    if (site->body < 0 || site->body >= def->body.count) {
        return UT_MODEL_FAIL(err, site->origin,
                             "%s is on body %d, which does not exist; there are 0 to %d",
                             label.text, site->body, def->body.count - 1);
    }
    return ut_model_check_attributes(ELEMENT_SITE, site, label, site->origin, err);
}

static utStatus check_exclude(const utModelDef* def, int i, utError* err)
{
    const utExcludeDef* exclude = ut_model_exclude_def(def, i);
    const int bodies[2] = {exclude->body1, exclude->body2};
    for (int k = 0; k < 2; k++) {
        if (bodies[k] < 0 || bodies[k] >= def->body.count) {
            return UT_MODEL_FAIL(err, exclude->origin,
                                 "exclude #%d names body %d, which does not exist; there are 0 to "
                                 "%d",
                                 i, bodies[k], def->body.count - 1);
        }
    }
    return UT_OK;
}

// ---- all ----------------------------------------------------------------------------------------

utStatus ut_model_check(const utModelDef* def, utError* err)
{
    UT_TRY(check_options(def, err));
    UT_TRY(ut_model_check_bodies(def, err));
    UT_TRY(ut_model_check_joints(def, err));
    for (int i = 0; i < def->geom.count; i++) {
        UT_TRY(check_geom(def, i, err));
    }
    for (int i = 0; i < def->site.count; i++) {
        UT_TRY(check_site(def, i, err));
    }
    UT_TRY(ut_model_check_actuators(def, err));
    for (int i = 0; i < def->exclude.count; i++) {
        UT_TRY(check_exclude(def, i, err));
    }
    UT_TRY(ut_model_check_pairs(def, err));
    UT_TRY(ut_model_check_tendons(def, err));
    UT_TRY(ut_model_check_equalities(def, err));
    UT_TRY(ut_model_check_points_motions_springs(def, err));
    UT_TRY(ut_model_check_planar(def, err));
    UT_TRY(ut_model_check_keyframes(def, err));
    return ut_model_check_sensors(def, err);
}
