// SPDX-License-Identifier: Apache-2.0
// The element geom: shape, size, pose, mass and friction.
#include "io/internal.h"

#include <float.h>
#include <string.h>

static const char types[] = "plane sphere capsule box ellipsoid cylinder mesh hfield sdf";

enum { PRIMITIVES = MJCF_GEOM_MESH }; // the first ones of `types`

// Two points of fromto that are closer than this, m, give no direction. MuJoCo has the same limit.
static const double MIN_FROMTO_LENGTH = 1e-15;

// ---- shapes -------------------------------------------------------------------------------------

// fromto gives position and orientation: reject another position, note another orientation.
static utStatus check_fromto_alone(const MjcfPlace* p, MjcfFound fromto, utVec3 pos)
{
    if (pos.x != 0.0 || pos.y != 0.0 || pos.z != 0.0) {
        return ut_mjcf_fail_at(p->m, fromto, 0, "fromto beside pos; fromto gives the position");
    }
    const char* rest = "quat axisangle xyaxes zaxis euler";
    utText word;
    while (ut_word_next(&rest, &word)) {
        char what[32] = "geom.";
        memcpy(what + 5, word.data, word.size);
        const MjcfFound found = ut_mjcf_find(p, what + 5);
        if (found.attribute != NULL) {
            UT_TRY(ut_mjcf_note(p->m, found.node, found.attribute, false, what,
                                "fromto gives the orientation"));
        }
    }
    return UT_OK;
}

// Read fromto. The two points are the ends of the axis of a capsule or cylinder. They are the middles
// of opposite faces of a box and the poles of an ellipsoid, whose other two sizes are equal.
static utStatus read_fromto(const MjcfPlace* p, utGeomDef* g, bool* given)
{
    const MjcfFound found = ut_mjcf_find(p, "fromto");
    *given = found.attribute != NULL;
    if (!*given) {
        return UT_OK;
    }
    double x[6];
    UT_TRY(ut_mjcf_numbers(p->m, found, 6, 6, x, NULL));
    const utShapeKind kind = g->shape.kind;
    const bool round = kind == UT_SHAPE_CAPSULE || kind == UT_SHAPE_CYLINDER;
    if (!round && kind != UT_SHAPE_BOX && kind != UT_SHAPE_ELLIPSOID) {
        return ut_mjcf_fail_at(
            p->m, found, 0, "fromto is for capsules, cylinders, boxes and ellipsoids, not for a %s",
            ut_shape_kind_name(kind));
    }
    UT_TRY(check_fromto_alone(p, found, g->pos));
    const utVec3 from = ut_vec3(x[0], x[1], x[2]);
    const utVec3 to = ut_vec3(x[3], x[4], x[5]);
    const utVec3 axis = ut_vec3_sub(from, to);
    const double length = ut_vec3_norm(axis);
    if (!(length > MIN_FROMTO_LENGTH && length <= DBL_MAX)) {
        return ut_mjcf_fail_at(p->m, found, 0, "the two points of fromto are the same");
    }
    g->pos = ut_vec3_scale(ut_vec3_add(from, to), 0.5);
    g->quat = ut_mjcf_turn_z_to(axis);
    if (round) {
        g->shape.size.y = 0.5 * length;
    } else {
        g->shape.size.y = g->shape.size.x;
        g->shape.size.z = 0.5 * length;
    }
    return UT_OK;
}

static utStatus check_size(const MjcfPlace* p, const utGeomDef* g)
{
    utError why = {0};
    if (g->shape.kind == UT_SHAPE_PLANE || ut_shape_check(&g->shape, &why) == UT_OK) {
        return UT_OK;
    }
    const MjcfFound found = ut_mjcf_find(p, "size");
    if (found.attribute == NULL) {
        return ut_mjcf_fail(p->m, p->node, "a %s needs the attribute size",
                            ut_shape_kind_name(g->shape.kind));
    }
    return ut_mjcf_fail_at(p->m, found, 0, "%s", why.message);
}

// Read the size and the pose. A number that is missing is 0; MJCF rejects a capsule of length 0.
static utStatus read_shape(const MjcfPlace* p, utGeomDef* g)
{
    double size[3] = {0.0, 0.0, 0.0};
    UT_TRY(ut_mjcf_get_some(p, "size", 3, size, NULL));
    g->shape.size = ut_vec3(size[0], size[1], size[2]);
    UT_TRY(ut_mjcf_get_vec3(p, "pos", &g->pos));
    UT_TRY(ut_mjcf_orientation(p, &g->quat));
    if (g->mesh >= 0 || g->heights >= 0) {
        return UT_OK; // which give the size
    }
    bool fromto;
    UT_TRY(read_fromto(p, g, &fromto));
    if (g->shape.kind == UT_SHAPE_CAPSULE && !(g->shape.size.y > 0.0)) {
        const MjcfFound found = ut_mjcf_find(p, "size");
        return found.attribute != NULL
                   ? ut_mjcf_fail_at(
                         p->m, found, 0,
                         "size of a capsule is its radius and half length, both positive")
                   : ut_mjcf_fail(p->m, p->node, "a capsule needs the attribute size");
    }
    return check_size(p, g);
}

// ---- mass and friction --------------------------------------------------------------------------

static utStatus read_mass(const MjcfPlace* p, utGeomDef* g)
{
    UT_TRY(ut_mjcf_get_not_negative(p, "mass", &g->mass));
    UT_TRY(ut_mjcf_get_not_negative(p, "density", &g->density));
    if (g->mesh >= 0) {
        return UT_OK; // the compiler checks it
    }
    const utInertia solid = ut_shape_inertia(&g->shape, 1.0);
    const double mass = g->mass >= 0.0 ? g->mass : g->density * solid.mass;
    const double spin = solid.inertia.m[0][0] + solid.inertia.m[1][1] + solid.inertia.m[2][2];
    if (!(mass <= DBL_MAX && spin <= DBL_MAX)) {
        return ut_mjcf_fail(p->m, p->node, "the mass of the geom is not finite; check its size");
    }
    return UT_OK;
}

// In a planar world contacts have one tangent and no axes to spin about.
static utStatus read_condim(const MjcfPlace* p, utGeomDef* g)
{
    UT_TRY(ut_mjcf_get_int(p, "condim", &g->condim));
    const MjcfFound found = ut_mjcf_find(p, "condim");
    if (g->condim != 1 && g->condim != 3 && g->condim != 4 && g->condim != 6) {
        return ut_mjcf_fail_at(p->m, found, 0, "condim is %.20s; it must be 1, 3, 4 or 6",
                               found.attribute->value);
    }
    if (g->condim > 3 && p->m->options.planar != UT_PLANAR_NONE) {
        return ut_mjcf_note_missing(p->m, found.node, found.attribute,
                                    g->condim == 4 ? "geom.condim 4" : "geom.condim 6",
                                    "treated as 3 in a planar world");
    }
    return UT_OK;
}

static utStatus read_friction(const MjcfPlace* p, utGeomDef* g)
{
    double mu[3] = {g->friction, g->torsional, g->rolling};
    UT_TRY(ut_mjcf_get_some(p, "friction", 3, mu, NULL));
    const MjcfFound found = ut_mjcf_find(p, "friction");
    for (int i = 0; i < 3; i++) {
        if (!(mu[i] >= 0.0)) {
            return ut_mjcf_fail_at(p->m, found, 0,
                                   "friction of %s is %.40s; it must not be negative",
                                   found.node->name, found.attribute->value);
        }
    }
    g->friction = mu[0];
    g->torsional = mu[1];
    g->rolling = mu[2];
    return read_condim(p, g);
}

static utStatus read_contact(const MjcfPlace* p, utGeomDef* g)
{
    Mjcf* m = p->m;
    double gap = 0.0; // widens MuJoCo's list of contacts, which has no counterpart here
    UT_TRY(ut_mjcf_get_margin(p, &g->margin, &gap));
    UT_TRY(ut_mjcf_get_int(p, "priority", &g->priority));
    UT_TRY(ut_mjcf_get_int(p, "group", &g->group));
    UT_TRY(ut_mjcf_get_int(p, "contype", &g->contype));
    UT_TRY(ut_mjcf_get_int(p, "conaffinity", &g->conaffinity));
    if (!m->flags.contact) {
        g->contype = 0;
        g->conaffinity = 0;
    }
    return UT_OK;
}

// ---- all ----------------------------------------------------------------------------------------

utStatus ut_mjcf_geom(Mjcf* m, int body, const XmlNode* node, bool massless)
{
    static const utShapeKind kinds[PRIMITIVES] = {UT_SHAPE_PLANE,     UT_SHAPE_SPHERE,
                                                  UT_SHAPE_CAPSULE,   UT_SHAPE_BOX,
                                                  UT_SHAPE_ELLIPSOID, UT_SHAPE_CYLINDER};
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "geom", &p));
    int type = 1;
    UT_TRY(ut_mjcf_get_word(&p, "type", types, &type));
    MjcfGeom* geom = &m->parts.geom[m->parts.geoms];
    *geom = (MjcfGeom){.node = node};
    utGeomDef* g = &geom->def;
    *g = ut_geom_def(body, type < PRIMITIVES ? kinds[type] : UT_SHAPE_SPHERE, ut_vec3_zero());
    g->origin = ut_mjcf_origin(node);
    UT_TRY(read_contact(&p, g));
    UT_TRY(ut_mjcf_get_bool(&p, "shellinertia", &g->shell));
    bool viewers;
    UT_TRY(ut_mjcf_geom_asset(&p, g, (MjcfGeomType)type, massless, &viewers));
    if (viewers) {
        return UT_OK;
    }
    UT_TRY(ut_mjcf_get_name(&p, &m->names.geom, m->parts.geoms, &g->name));
    UT_TRY(read_shape(&p, g));
    UT_TRY(read_mass(&p, g));
    UT_TRY(read_friction(&p, g));
    UT_TRY(ut_mjcf_surface(&p, g));
    UT_TRY(ut_mjcf_colour(&p, g->rgba));
    m->parts.geoms++;
    m->parts.body[body].geoms++;
    return UT_OK;
}
