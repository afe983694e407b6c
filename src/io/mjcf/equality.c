// SPDX-License-Identifier: Apache-2.0
// Equality constraints: connect and weld between bodies or sites, couplings of joints and of tendons.
#include "io/internal.h"

#include <stdio.h>
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

// Two sites in place of bodies and anchors.
static utStatus read_sites(const MjcfPlace* p, utEqualityDef* def)
{
    static const char* const others[] = {"body1", "body2", "anchor", "relpose"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (ut_xml_attribute(p->node, others[k]) != NULL) {
            return ut_mjcf_fail(p->m, p->node, "%s has %s beside sites; give one of them",
                                p->node->name, others[k]);
        }
    }
    UT_TRY(ut_mjcf_get_reference(p, "site1", "site", &p->m->names.site, &def->site1));
    return ut_mjcf_get_reference(p, "site2", "site", &p->m->names.site, &def->site2);
}

// The bodies of a connect or weld and the point where they meet, or two sites.
static utStatus read_bodies(const MjcfPlace* p, utEqualityDef* def)
{
    Mjcf* m = p->m;
    const bool weld = def->kind == UT_EQUALITY_WELD;
    if (ut_xml_attribute(p->node, "site1") != NULL || ut_xml_attribute(p->node, "site2") != NULL) {
        return read_sites(p, def);
    }
    UT_TRY(find_body(m, p->node, "body1", &def->body1));
    UT_TRY(find_body(m, p->node, "body2", &def->body2));
    if (def->body1 < 0) {
        return ut_mjcf_fail(m, p->node, "%s needs the attribute body1", p->node->name);
    }
    if (!weld && ut_xml_attribute(p->node, "anchor") == NULL) {
        return ut_mjcf_fail(m, p->node, "connect needs the attribute anchor, a point of body1");
    }
    UT_TRY(ut_mjcf_get_vec3(p, "anchor", &def->anchor));
    return weld ? read_relpose(p, def) : UT_OK;
}

// The two joints or tendons of a coupling and its polynomial.
static utStatus read_coupling(const MjcfPlace* p, utEqualityDef* def)
{
    const bool tendon = def->kind == UT_EQUALITY_TENDON;
    const char* kind = tendon ? "tendon" : "joint";
    const char* second = tendon ? "tendon2" : "joint2";
    const Names* names = tendon ? &p->m->names.tendon : &p->m->names.joint;
    UT_TRY(ut_mjcf_get_reference(p, tendon ? "tendon1" : "joint1", kind, names, &def->element1));
    if (ut_xml_attribute(p->node, second) != NULL) {
        UT_TRY(ut_mjcf_get_reference(p, second, kind, names, &def->element2));
    }
    return ut_mjcf_get_some(p, "polycoef", 5, def->polycoef, NULL);
}

// @return false for kinds that schema.c has noted
static bool find_kind(const XmlNode* node, utEqualityKind* kind)
{
    static const utEqualityKind kinds[] = {UT_EQUALITY_CONNECT, UT_EQUALITY_WELD, UT_EQUALITY_JOINT,
                                           UT_EQUALITY_TENDON};
    bool found = false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !found; k++) {
        found = strcmp(node->name, ut_equality_kind_name(kinds[k])) == 0;
        *kind = kinds[k];
    }
    return found;
}

// The body whose joints move this body; 0 for the world.
static int moved_with(const Mjcf* m, int body)
{
    while (body > 0 && m->parts.body[body].joints == 0) {
        body = m->parts.body[body].def.parent;
    }
    return body;
}

// Deactivate a constraint between two bodies that no joint moves against each other: nothing can
// violate it or satisfy it. A body named twice is an error of the description.
static utStatus check_moving(const MjcfPlace* p, utEqualityDef* def)
{
    const bool sites = def->site1 >= 0;
    const int body1 = sites ? p->m->parts.site[def->site1].body : def->body1;
    const int body2 = sites ? p->m->parts.site[def->site2].body : def->body2;
    const bool same = sites ? def->site1 == def->site2 : body1 == body2;
    if (!def->active || same || moved_with(p->m, body1) != moved_with(p->m, body2)) {
        return UT_OK;
    }
    def->active = false;
    char what[32];
    snprintf(what, sizeof what, "equality/%s", p->node->name);
    return ut_mjcf_note(p->m, p->node, NULL, false, what,
                        "between bodies that do not move against each other: has no effect");
}

static utStatus read_equality(Mjcf* m, const XmlNode* node)
{
    utEqualityKind kind;
    if (!find_kind(node, &kind)) {
        return UT_OK;
    }
    utEqualityDef* def = &m->parts.equality[m->parts.equalities];
    *def = ut_equality_def(kind, ut_equality_is_coupling(kind) ? 0 : -1, 0);
    def->origin = ut_mjcf_origin(node);
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "equality", &p));
    UT_TRY(ut_mjcf_get_name(&p, &m->names.equality, m->parts.equalities, &def->name));
    UT_TRY(ut_equality_is_coupling(kind) ? read_coupling(&p, def) : read_bodies(&p, def));
    UT_TRY(ut_mjcf_get_bool(&p, "active", &def->active));
    m->parts.equalities++;
    return ut_equality_is_coupling(kind) ? UT_OK : check_moving(&p, def);
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
