// SPDX-License-Identifier: Apache-2.0
// contact/pair: two geoms that collide in any case, with a material of their own. Unlike in a contact
// that the masks allow, attributes that are missing have fixed defaults: the geoms give nothing.
#include "io/internal.h"

#include <string.h>

static utStatus find_geom(const MjcfPlace* p, const char* attribute, int* geom)
{
    Mjcf* m = p->m;
    UT_TRY(ut_mjcf_get_reference(p, attribute, "geom", &m->names.geom, geom));
    const MjcfFound found = ut_mjcf_find(p, attribute);
    // the name of a geom that was left out leads to the next geom
    const char* name = *geom < m->parts.geoms ? m->parts.geom[*geom].def.name : NULL;
    if (name == NULL || strcmp(name, found.attribute->value) != 0) {
        return ut_mjcf_fail_at(m, found, 0,
                               "the pair needs geom '%.60s', whose type is not supported; use a "
                               "plane, sphere, capsule, box, cylinder or ellipsoid",
                               found.attribute->value);
    }
    return UT_OK;
}

// Friction is isotropic here, so that two directions with different numbers are noted.
static utStatus read_friction(const MjcfPlace* p, utPairDef* pair)
{
    double* mu = pair->friction;
    UT_TRY(ut_mjcf_get_some(p, "friction", 5, mu, NULL));
    const MjcfFound found = ut_mjcf_find(p, "friction");
    for (int i = 0; i < 5; i++) {
        if (!(mu[i] >= 0.0)) {
            return ut_mjcf_fail_at(p->m, found, 0,
                                   "friction of the pair is %.40s; it must not be negative",
                                   found.attribute->value);
        }
    }
    if ((mu[0] != mu[1] && pair->condim > 1) || (mu[3] != mu[4] && pair->condim == 6)) {
        return ut_mjcf_note_missing(
            p->m, found.node, found.attribute, "pair.friction",
            "one number per direction is not supported: the larger one counts; "
            "friction=\"0.5 0.5\" is the same in all directions");
    }
    return UT_OK;
}

static utStatus read_condim(const MjcfPlace* p, int* condim)
{
    UT_TRY(ut_mjcf_get_int(p, "condim", condim));
    const MjcfFound found = ut_mjcf_find(p, "condim");
    if (*condim != 1 && *condim != 3 && *condim != 4 && *condim != 6) {
        return ut_mjcf_fail_at(p->m, found, 0, "condim is %.20s; it must be 1, 3, 4 or 6",
                               found.attribute->value);
    }
    if (*condim > 3 && p->m->options.planar != UT_PLANAR_NONE) {
        return ut_mjcf_note_missing(p->m, found.node, found.attribute,
                                    *condim == 4 ? "pair.condim 4" : "pair.condim 6",
                                    "treated as 3 in a planar world");
    }
    return UT_OK;
}

static utStatus read_pair(Mjcf* m, const XmlNode* node)
{
    utPairDef* pair = &m->parts.pair[m->parts.pairs];
    *pair = ut_pair_def(-1, -1);
    pair->origin = ut_mjcf_origin(node);
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "pair", &p));
    UT_TRY(ut_mjcf_get_name(&p, &m->names.pair, m->parts.pairs, &pair->name));
    UT_TRY(find_geom(&p, "geom1", &pair->geom1));
    UT_TRY(find_geom(&p, "geom2", &pair->geom2));
    if (pair->geom1 == pair->geom2) {
        return ut_mjcf_fail(m, node, "geom1 and geom2 of the pair are the same geom");
    }
    UT_TRY(read_condim(&p, &pair->condim));
    UT_TRY(read_friction(&p, pair));
    UT_TRY(ut_mjcf_get_not_negative(&p, "ut:kinetic", &pair->kinetic));
    UT_TRY(ut_mjcf_get_fraction(&p, "ut:restitution", &pair->restitution));
    UT_TRY(ut_mjcf_get_margin(&p, &pair->margin, &pair->gap));
    m->parts.pairs +=
        m->flags.contact ? 1 : 0; // the flag `contact` of option switches pairs off, too
    return UT_OK;
}

utStatus ut_mjcf_pairs(Mjcf* m)
{
    int count = 0;
    for (XmlNode* n = ut_mjcf_first_of(m, "contact"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        count++;
    }
    m->parts.pair = UT_PUSH(&m->memory, utPairDef, count);
    if (m->parts.pair == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (XmlNode* n = ut_mjcf_first_of(m, "contact"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        if (strcmp(n->name, "pair") == 0) {
            UT_TRY(read_pair(m, n));
        }
    }
    return UT_OK;
}
