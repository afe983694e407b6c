// SPDX-License-Identifier: Apache-2.0
// Tendons with their paths.
#include "writer.h"

static void write_wrap(Writer* w, const utWrap* wrap)
{
    switch (wrap->kind) {
    case UT_WRAP_JOINT:
        ut_write_open(w, "joint");
        ut_write_joint(w, "joint", wrap->object);
        ut_write_number(w, "coef", wrap->value);
        break;
    case UT_WRAP_SITE:
        ut_write_open(w, "site");
        ut_write_site(w, "site", wrap->object);
        break;
    case UT_WRAP_GEOM:
        ut_write_open(w, "geom");
        ut_write_geom(w, "geom", wrap->object);
        if (wrap->side >= 0) {
            ut_write_site(w, "sidesite", wrap->side);
        }
        break;
    default:
        ut_write_open(w, "pulley");
        ut_write_number(w, "divisor", wrap->value);
        break;
    }
    ut_write_close(w);
}

static void write_tendon(Writer* w, int i)
{
    const utTendonDef* t = &w->parts->tendon[i];
    const utTendonDef standard = ut_tendon_def(t->kind);
    const char* element = ut_tendon_kind_name(t->kind);
    ut_write_open(w, element);
    ut_write_own_name(w, "tendon", t->name, i, w->referenced.tendon);
    if (t->limited || t->range[0] != 0.0 || t->range[1] != 0.0) {
        ut_write_bool(w, "limited", t->limited);
        ut_write_numbers(w, "range", 2, t->range);
    }
    ut_write_number_unless(w, "margin", t->margin, standard.margin);
    ut_write_number_unless(w, "frictionloss", t->frictionloss, standard.frictionloss);
    ut_write_polynomial(w, "stiffness", t->stiffness, t->stiffness_poly);
    ut_write_polynomial(w, "damping", t->damping, t->damping_poly);
    ut_write_number_unless(w, "armature", t->armature, standard.armature);
    if (t->spring_length[0] != standard.spring_length[0] ||
        t->spring_length[1] != standard.spring_length[1]) {
        ut_write_numbers(w, "springlength", 2, t->spring_length);
    }
    const double* range = t->actuator_force_range;
    if (t->actuator_force_limited || range[0] != 0.0 || range[1] != 0.0) {
        ut_write_bool(w, "actuatorfrclimited", t->actuator_force_limited);
        ut_write_numbers(w, "actuatorfrcrange", 2, range);
    }
    ut_write_begin(w);
    for (int k = 0; k < t->wraps; k++) {
        write_wrap(w, &t->wrap[k]);
    }
    ut_write_end(w, element);
}

void ut_write_tendons(Writer* w)
{
    if (w->parts->tendons == 0) {
        return;
    }
    ut_write_open(w, "tendon");
    ut_write_begin(w);
    for (int i = 0; i < w->parts->tendons; i++) {
        write_tendon(w, i);
    }
    ut_write_end(w, "tendon");
}
