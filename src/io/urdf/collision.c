// SPDX-License-Identifier: Apache-2.0
// Collision shapes become geoms. Their mass does not count: URDF gives masses in `inertial`. Shapes
// without extent, which some files have as points of contact, are noted and left out.
#include "urdf.h"

#include <string.h>

// ---- shapes -------------------------------------------------------------------------------------

static utStatus get_size(Urdf* u, const XmlNode* node, const char* name, int count, double* x)
{
    const MjcfPlace p = ut_urdf_place(u, node);
    const MjcfFound found = ut_mjcf_find(&p, name);
    if (found.attribute == NULL) {
        return ut_mjcf_fail(u->m, node, "%s needs the attribute %s", node->name, name);
    }
    UT_TRY(ut_mjcf_get(&p, name, count, x));
    for (int i = 0; i < count; i++) {
        if (!(x[i] >= 0.0)) {
            return ut_mjcf_fail_at(u->m, found, 0, "%s of %s must be positive", name, node->name);
        }
    }
    return UT_OK;
}

// Lengths of URDF are whole, sizes of geoms are halves; the axis is z in both.
static utStatus read_shape(Urdf* u, const XmlNode* shape, utGeomDef* g)
{
    double size[3] = {0.0, 0.0, 0.0};
    if (strcmp(shape->name, "mesh") == 0) {
        return ut_urdf_mesh(u, shape, g);
    }
    if (strcmp(shape->name, "box") == 0) {
        g->shape.kind = UT_SHAPE_BOX;
        UT_TRY(get_size(u, shape, "size", 3, size));
        g->shape.size = ut_vec3(0.5 * size[0], 0.5 * size[1], 0.5 * size[2]);
        return UT_OK;
    }
    UT_TRY(get_size(u, shape, "radius", 1, &size[0]));
    g->shape.kind = UT_SHAPE_SPHERE;
    if (strcmp(shape->name, "sphere") != 0) {
        const bool capsule = strcmp(shape->name, "capsule") == 0;
        g->shape.kind = capsule ? UT_SHAPE_CAPSULE : UT_SHAPE_CYLINDER;
        UT_TRY(get_size(u, shape, "length", 1, &size[1]));
    }
    g->shape.size = ut_vec3(size[0], 0.5 * size[1], 0.0);
    return UT_OK;
}

static bool has_extent(const utGeomDef* g)
{
    const utVec3 size = g->shape.size;
    switch (g->shape.kind) {
    case UT_SHAPE_BOX:
        return size.x > 0.0 && size.y > 0.0 && size.z > 0.0;
    case UT_SHAPE_CYLINDER:
    case UT_SHAPE_CAPSULE:
        return size.x > 0.0 && size.y > 0.0;
    default:
        return g->mesh >= 0 || size.x > 0.0;
    }
}

// ---- geoms --------------------------------------------------------------------------------------

// Names of collisions need not differ: a geom whose name is taken has none.
static utStatus get_name(Urdf* u, const XmlNode* node, utGeomDef* g)
{
    XmlAttribute* a = ut_xml_attribute(node, "name");
    Mjcf* m = u->m;
    if (a == NULL || a->value[0] == 0) {
        return UT_OK;
    }
    if (ut_names_find(&m->names.geom, a->value) >= 0) {
        return ut_mjcf_note(m, node, a, false, "collision.name",
                            "taken by another collision, so the geom has no name");
    }
    g->name = a->value;
    return ut_names_add(&m->names.geom, a->value, m->parts.geoms) ? UT_OK : ut_mjcf_no_memory(m);
}

static utStatus add_geom(Urdf* u, const UrdfLink* link, const XmlNode* node)
{
    Mjcf* m = u->m;
    const XmlNode* geometry = ut_urdf_child(node, "geometry");
    const XmlNode* shape = geometry != NULL ? geometry->first : NULL;
    if (shape == NULL) {
        return ut_mjcf_fail(m, geometry != NULL ? geometry : node, "%s needs %s",
                            geometry != NULL ? "geometry" : "collision",
                            geometry != NULL ? "a shape" : "the element geometry");
    }
    utGeomDef g = ut_geom_def(link->body, UT_SHAPE_SPHERE, ut_vec3_zero());
    g.origin = ut_mjcf_origin(node);
    // two geoms without conaffinity collide with others, not with each other
    g.conaffinity = u->def->self_collision || link->body == 0 ? 1 : 0;
    UT_TRY(ut_urdf_origin(u, node, &g.pos, &g.quat));
    UT_TRY(read_shape(u, shape, &g));
    if (!has_extent(&g)) {
        return ut_mjcf_note_missing(m, node, NULL, "collision", "a shape without extent, left out");
    }
    UT_TRY(get_name(u, node, &g));
    m->parts.geom[m->parts.geoms++] = (MjcfGeom){.def = g, .node = node};
    m->parts.body[link->body].geoms++;
    return UT_OK;
}

utStatus ut_urdf_collisions(Urdf* u)
{
    Mjcf* m = u->m;
    int count = 0;
    for (int i = 0; i < u->links; i++) {
        const XmlNode* node = u->link[i].node;
        for (const XmlNode* n = node != NULL ? node->first : NULL; n != NULL; n = n->next) {
            count += strcmp(n->name, "collision") == 0;
        }
    }
    m->parts.geom = UT_PUSH(&m->memory, MjcfGeom, count + 1);
    m->parts.mesh = UT_PUSH(&m->memory, MjcfMesh, count + 1);
    m->parts.used_mesh = UT_PUSH(&m->memory, MjcfMesh*, count + 1);
    if (ut_arena_failed(&m->memory)) {
        return ut_mjcf_no_memory(m);
    }
    for (int i = 0; i < u->links; i++) {
        const UrdfLink* link = &u->link[u->order[i]];
        m->parts.body[link->body].geom = m->parts.geoms;
        for (const XmlNode* n = link->node != NULL ? link->node->first : NULL; n != NULL;
             n = n->next) {
            if (strcmp(n->name, "collision") == 0) {
                UT_TRY(add_geom(u, link, n));
            }
        }
    }
    return UT_OK;
}
