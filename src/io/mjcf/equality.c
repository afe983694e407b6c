// SPDX-License-Identifier: Apache-2.0
// Equality constraints: connect and weld between bodies.
#include "io/internal.h"

#include <string.h>

// @param body unchanged when the attribute is absent
static utStatus find_body(Mjcf* m, const XmlNode* node, const char* attribute, int* body)
{
    XmlAttribute* name = ut_xml_attribute(node, attribute);
    if (name == NULL) {
        return UT_OK;
    }
    *body = ut_names_find(&m->names.body, name->value);
    return *body >= 0 ? UT_OK
                      : ut_mjcf_unknown_name(m, (MjcfFound){node, name}, "body", &m->names.body);
}

// Read a weld's relpose: the position of its point in body1 and the orientation of body2 there. A
// zero quaternion stands for the modelled pose.
static utStatus read_relpose(const MjcfPlace* p, utEqualityDef* def)
{
    double x[7] = {0.0};
    UT_TRY(ut_mjcf_get(p, "relpose", 7, x));
    def->pos = ut_vec3(x[0], x[1], x[2]);
    def->quat = ut_quat(x[3], x[4], x[5], x[6]);
    return UT_OK;
}

static utStatus read_equality(Mjcf* m, const XmlNode* node)
{
    const bool weld = strcmp(node->name, "weld") == 0;
    if (!weld && strcmp(node->name, "connect") != 0) {
        return UT_OK; // schema.c has noted it
    }
    XmlAttribute* site = ut_xml_attribute(node, "site1");
    if (site != NULL || ut_xml_attribute(node, "site2") != NULL) {
        return ut_mjcf_note_missing(m, node, site, node->name,
                                    "not supported between sites; give body1, body2 and an anchor");
    }
    utEqualityDef* def = &m->parts.equality[m->parts.equalities];
    *def = ut_equality_def(weld ? UT_EQUALITY_WELD : UT_EQUALITY_CONNECT, -1, 0);
    def->origin = ut_mjcf_origin(node);
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "equality", &p));
    UT_TRY(ut_mjcf_get_name(&p, &m->names.equality, m->parts.equalities, &def->name));
    UT_TRY(find_body(m, node, "body1", &def->body1));
    UT_TRY(find_body(m, node, "body2", &def->body2));
    if (def->body1 < 0) {
        return ut_mjcf_fail(m, node, "%s needs the attribute body1", node->name);
    }
    if (!weld && ut_xml_attribute(node, "anchor") == NULL) {
        return ut_mjcf_fail(m, node, "connect needs the attribute anchor, a point of body1");
    }
    UT_TRY(ut_mjcf_get_bool(&p, "active", &def->active));
    UT_TRY(ut_mjcf_get_vec3(&p, "anchor", &def->anchor));
    if (weld) {
        UT_TRY(read_relpose(&p, def));
    }
    m->parts.equalities++;
    return UT_OK;
}

utStatus ut_mjcf_equalities(Mjcf* m)
{
    int count = 0;
    for (XmlNode* n = ut_mjcf_first_of(m, "equality"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        count++;
    }
    m->parts.equality = UT_PUSH(&m->memory, utEqualityDef, count);
    if (m->parts.equality == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (XmlNode* n = ut_mjcf_first_of(m, "equality"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        UT_TRY(read_equality(m, n));
    }
    return UT_OK;
}
