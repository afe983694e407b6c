// SPDX-License-Identifier: Apache-2.0
// Tendons: fixed and spatial.
#include "io/internal.h"

#include <string.h>

// ---- paths --------------------------------------------------------------------------------------

static utStatus read_geom(const MjcfPlace* p, utWrap* wrap)
{
    wrap->kind = UT_WRAP_GEOM;
    UT_TRY(ut_mjcf_get_reference(p, "geom", "geom", &p->m->names.geom, &wrap->object));
    return ut_xml_attribute(p->node, "sidesite") != NULL
               ? ut_mjcf_get_reference(p, "sidesite", "site", &p->m->names.site, &wrap->side)
               : UT_OK;
}

// One element of a path.
static utStatus read_wrap(Mjcf* m, const XmlNode* node, utWrap* wrap)
{
    *wrap = (utWrap){.object = -1, .side = -1};
    const MjcfPlace p = {.m = m, .node = node};
    if (strcmp(node->name, "joint") == 0) {
        wrap->kind = UT_WRAP_JOINT;
        UT_TRY(ut_mjcf_get_reference(&p, "joint", "joint", &m->names.joint, &wrap->object));
        if (ut_xml_attribute(node, "coef") == NULL) {
            return ut_mjcf_fail(m, node, "a joint of a tendon needs the attribute coef");
        }
        return ut_mjcf_get(&p, "coef", 1, &wrap->value);
    }
    if (strcmp(node->name, "site") == 0) {
        wrap->kind = UT_WRAP_SITE;
        return ut_mjcf_get_reference(&p, "site", "site", &m->names.site, &wrap->object);
    }
    if (strcmp(node->name, "geom") == 0) {
        return read_geom(&p, wrap);
    }
    wrap->kind = UT_WRAP_PULLEY;
    if (ut_xml_attribute(node, "divisor") == NULL) {
        return ut_mjcf_fail(m, node, "a pulley needs the attribute divisor");
    }
    return ut_mjcf_get_positive(&p, "divisor", &wrap->value);
}

static utStatus read_path(Mjcf* m, const XmlNode* node, utTendonDef* def)
{
    int count = 0;
    for (const XmlNode* n = node->first; n != NULL; n = n->next) {
        count++;
    }
    utWrap* wrap = UT_PUSH(&m->memory, utWrap, count);
    if (wrap == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (const XmlNode* n = node->first; n != NULL; n = n->next) {
        UT_TRY(read_wrap(m, n, &wrap[def->wraps++]));
    }
    def->wrap = wrap;
    return UT_OK;
}

// ---- attributes ---------------------------------------------------------------------------------

// The coefficients of a stiffness or damping: linear, quadratic, cubic.
static utStatus read_polynomial(const MjcfPlace* p, const char* name, double* linear,
                                double poly[2])
{
    double read[3] = {0.0};
    UT_TRY(ut_mjcf_get_some(p, name, 3, read, NULL));
    if (!(read[0] >= 0.0)) {
        const MjcfFound found = ut_mjcf_find(p, name);
        return ut_mjcf_fail_at(p->m, found, 0, "%s of %s is %.20s; it must not be negative", name,
                               found.node->name, found.attribute->value);
    }
    *linear = read[0];
    poly[0] = read[1];
    poly[1] = read[2];
    return UT_OK;
}

// One number is the length at rest; two are the slack lengths.
static utStatus read_spring_length(const MjcfPlace* p, utTendonDef* def)
{
    const MjcfFound found = ut_mjcf_find(p, "springlength");
    double* x = def->spring_length;
    int given = 0;
    if (found.attribute == NULL) {
        return UT_OK;
    }
    UT_TRY(ut_mjcf_numbers(p->m, found, 1, 2, x, &given));
    x[1] = given == 1 ? x[0] : x[1];
    return x[0] <= x[1] ? UT_OK : ut_mjcf_fail_at(p->m, found, 0, "springlength must not descend");
}

// The rate of an arc's length changes in ways that armature would need.
static utStatus drop_wrapped_armature(const MjcfPlace* p, utTendonDef* def)
{
    bool wrapped = false;
    for (int k = 0; k < def->wraps; k++) {
        wrapped = wrapped || def->wrap[k].kind == UT_WRAP_GEOM;
    }
    if (!wrapped || def->armature == 0.0) {
        return UT_OK;
    }
    def->armature = 0.0;
    const MjcfFound found = ut_mjcf_find(p, "armature");
    return ut_mjcf_note_missing(p->m, found.node, found.attribute, "spatial.armature",
                                "not supported for tendons that wrap around geoms");
}

static utStatus read_tendon(Mjcf* m, const XmlNode* node)
{
    const bool fixed = strcmp(node->name, "fixed") == 0;
    utTendonDef* def = &m->parts.tendon[m->parts.tendons];
    *def = ut_tendon_def(fixed ? UT_TENDON_FIXED : UT_TENDON_SPATIAL);
    def->origin = ut_mjcf_origin(node);
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "tendon", &p));
    UT_TRY(ut_mjcf_get_name(&p, &m->names.tendon, m->parts.tendons, &def->name));
    UT_TRY(read_path(m, node, def));
    UT_TRY(ut_mjcf_limits(&p, "limited", "range", &def->limited, def->range));
    UT_TRY(ut_mjcf_limits(&p, "actuatorfrclimited", "actuatorfrcrange",
                          &def->actuator_force_limited, def->actuator_force_range));
    def->limited = def->limited && m->flags.limit;
    UT_TRY(ut_mjcf_get_margin(&p, &def->margin, NULL));
    UT_TRY(ut_mjcf_get_not_negative(&p, "frictionloss", &def->frictionloss));
    UT_TRY(read_polynomial(&p, "stiffness", &def->stiffness, def->stiffness_poly));
    UT_TRY(read_polynomial(&p, "damping", &def->damping, def->damping_poly));
    UT_TRY(ut_mjcf_get_not_negative(&p, "armature", &def->armature));
    UT_TRY(read_spring_length(&p, def));
    m->parts.tendons++;
    return drop_wrapped_armature(&p, def);
}

utStatus ut_mjcf_tendons(Mjcf* m)
{
    int count = 0;
    for (XmlNode* n = ut_mjcf_first_of(m, "tendon"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        count++;
    }
    m->parts.tendon = UT_PUSH(&m->memory, utTendonDef, count);
    if (m->parts.tendon == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (XmlNode* n = ut_mjcf_first_of(m, "tendon"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        UT_TRY(read_tendon(m, n));
    }
    return UT_OK;
}
