// SPDX-License-Identifier: Apache-2.0
// Geoms of meshes and height fields, and geoms for viewers, which are left out.
#include "io/internal.h"

#include <string.h>

// ---- geoms for viewers --------------------------------------------------------------------------

// Does an element outside the bodies (a pair, a sensor, a tendon) name the geom?
static bool is_referenced(const Mjcf* m, const char* name)
{
    for (const XmlNode* s = m->root->first; s != NULL; s = s->next) {
        if (!ut_word_in("contact sensor tendon ut:point", s->name)) {
            continue;
        }
        for (const XmlNode* n = s; n != NULL; n = ut_xml_next(n, s)) {
            for (int i = 0; i < n->attributes; i++) {
                if (ut_word_in("geom geom1 geom2 objname refname", n->attribute[i].name) &&
                    strcmp(n->attribute[i].value, name) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

// Does a geom neither collide, nor have mass, nor serve another element?
static utStatus is_for_viewers(const MjcfPlace* p, const utGeomDef* g, bool massless, bool* viewers)
{
    double mass = 1.0, density = 1.0;
    UT_TRY(ut_mjcf_get(p, "mass", 1, &mass));
    UT_TRY(ut_mjcf_get(p, "density", 1, &density));
    const int* groups = p->m->compiler.group;
    const bool counts = !massless && g->group >= groups[0] && g->group <= groups[1];
    const bool weightless = !counts || mass == 0.0 || (density == 0.0 && mass == 1.0);
    const XmlAttribute* name = ut_xml_attribute(p->node, "name");
    *viewers = g->contype == 0 && g->conaffinity == 0 && weightless &&
               (name == NULL || !is_referenced(p->m, name->value));
    return UT_OK;
}

static utStatus note_for_viewers(const MjcfPlace* p, const char* type)
{
    char what[32] = "geom type ";
    memcpy(what + strlen(what), type, strlen(type) + 1);
    return ut_mjcf_note(p->m, p->node, NULL, false, what, "for viewers");
}

// ---- references ---------------------------------------------------------------------------------

// Find the asset that an attribute, perhaps one of the class, names. @param index -1: not given
static utStatus find_asset(const MjcfPlace* p, const char* attribute, const char* kind,
                           const Names* names, int* index)
{
    const MjcfFound found = ut_mjcf_find(p, attribute);
    *index = -1;
    if (found.attribute == NULL) {
        return UT_OK;
    }
    *index = ut_names_find(names, found.attribute->value);
    return *index >= 0 ? UT_OK : ut_mjcf_unknown_name(p->m, found, kind, names);
}

static utStatus read_mesh(const MjcfPlace* p, int mesh, utGeomDef* g)
{
    Mjcf* m = p->m;
    int exact = 0;
    UT_TRY(ut_mjcf_get_word(p, "ut:mesh", "hull exact", &exact));
    if (exact != 0 && g->shape.kind != UT_SHAPE_HULL) {
        return ut_mjcf_fail_at(m, ut_mjcf_find(p, "ut:mesh"), 0,
                               "ut:mesh is for geoms of type mesh");
    }
    const MjcfFound fromto = ut_mjcf_find(p, "fromto");
    if (fromto.attribute != NULL) {
        return ut_mjcf_fail_at(m, fromto, 0, "fromto beside mesh; the mesh gives the size");
    }
    if (g->shell && g->shape.kind == UT_SHAPE_HULL) {
        return ut_mjcf_fail_at(m, ut_mjcf_find(p, "shellinertia"), 0,
                               "shellinertia of a mesh; write inertia=\"shell\" in the mesh");
    }
    if (g->shape.kind == UT_SHAPE_PLANE) {
        return ut_mjcf_fail_at(m, ut_mjcf_find(p, "mesh"), 0,
                               "a plane cannot be fitted to a mesh; use a box");
    }
    g->shape.kind = exact != 0 ? UT_SHAPE_MESH : g->shape.kind;
    UT_TRY(ut_mjcf_get_positive(p, "fitscale", &g->fit_scale));
    g->fit_bounds = m->main.compiler.fitaabb; // also for geoms of attached models
    return ut_mjcf_use_mesh(m, mesh, &g->mesh);
}

static utStatus require(const MjcfPlace* p, const char* type)
{
    return ut_mjcf_fail(p->m, p->node, "a geom of type %s needs the attribute %s", type, type);
}

utStatus ut_mjcf_geom_asset(const MjcfPlace* p, utGeomDef* g, MjcfGeomType type, bool massless,
                            bool* viewers)
{
    Mjcf* m = p->m;
    int mesh = -1, heights = -1;
    *viewers = false;
    UT_TRY(find_asset(p, "mesh", "mesh", &m->names.mesh, &mesh));
    UT_TRY(find_asset(p, "hfield", "hfield", &m->names.heights, &heights));
    if (type < MJCF_GEOM_MESH && mesh < 0 && heights < 0) {
        return UT_OK;
    }
    static const char* const names[] = {"mesh", "hfield", "sdf"};
    const char* name = names[type < MJCF_GEOM_MESH ? 0 : type - MJCF_GEOM_MESH];
    UT_TRY(is_for_viewers(p, g, massless, viewers));
    if (*viewers) {
        return note_for_viewers(p, name);
    }
    if (type == MJCF_GEOM_SDF) {
        return ut_mjcf_fail(m, p->node, "geom type sdf is not supported; use type mesh");
    }
    if ((heights >= 0) != (type == MJCF_GEOM_HFIELD)) {
        return heights < 0 ? require(p, "hfield")
                           : ut_mjcf_fail_at(m, ut_mjcf_find(p, "hfield"), 0,
                                             "hfield is for geoms of type hfield");
    }
    if (type == MJCF_GEOM_HFIELD) {
        g->shape.kind = UT_SHAPE_HEIGHTS;
        return ut_mjcf_use_heights(m, heights, &g->heights);
    }
    if (mesh < 0) {
        return require(p, "mesh");
    }
    g->shape.kind = type == MJCF_GEOM_MESH ? UT_SHAPE_HULL : g->shape.kind;
    return read_mesh(p, mesh, g);
}
