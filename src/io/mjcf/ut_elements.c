// SPDX-License-Identifier: Apache-2.0
// Elements and attributes of the namespace ut: explicit contact points, prescribed motions, springs
// between sites, and attributes of moving surfaces.
#include "io/internal.h"

#include <string.h>

static bool is(const XmlNode* node, const char* name)
{
    return strcmp(node->name, name) == 0;
}

// ---- expressions --------------------------------------------------------------------------------

// Read an expression, so that an error gets its column. @param offset of the text in the attribute
static utStatus check_expression(Mjcf* m, MjcfFound found, size_t offset, utText text)
{
    utArena scratch = m->memory;
    utExpression read;
    utError why;
    const utStatus status = ut_expression_read(text, &scratch, &read, &why);
    if (status == UT_ERR_FORMAT) {
        return ut_mjcf_fail_at(m, found, offset + (size_t)(why.column > 0 ? why.column - 1 : 0),
                               "%s", why.message);
    }
    return status == UT_OK ? UT_OK : ut_mjcf_no_memory(m);
}

static utStatus get_expression(const MjcfPlace* p, const char* name, const char** text)
{
    XmlAttribute* a = ut_xml_attribute(p->node, name);
    if (a == NULL) {
        return UT_OK;
    }
    *text = a->value;
    return check_expression(p->m, (MjcfFound){p->node, a}, 0, (utText){a->value, strlen(a->value)});
}

// ---- surfaces -----------------------------------------------------------------------------------

// Read three expressions separated by semicolons.
static utStatus read_surface_expressions(const MjcfPlace* p, MjcfFound found, utGeomDef* g)
{
    const char* value = found.attribute->value;
    const char* at = value;
    for (int k = 0; k < 3; k++) {
        const char* end = strchr(at, ';');
        const size_t size = end != NULL ? (size_t)(end - at) : strlen(at);
        if ((end != NULL) != (k < 2)) {
            return ut_mjcf_fail_at(p->m, found, (size_t)(at - value),
                                   "needs three expressions separated by ;");
        }
        UT_TRY(check_expression(p->m, found, (size_t)(at - value), (utText){at, size}));
        g->surface_expression[k] = ut_io_keep_text(&p->m->memory, at, size);
        if (g->surface_expression[k] == NULL) {
            return ut_mjcf_no_memory(p->m);
        }
        at = end != NULL ? end + 1 : at + size;
    }
    return UT_OK;
}

utStatus ut_mjcf_surface(const MjcfPlace* p, utGeomDef* g)
{
    double x[6] = {0.0};
    UT_TRY(ut_mjcf_get_some(p, "surfacevel", 6, x, NULL));
    g->surface_velocity = ut_vec3(x[0], x[1], x[2]);
    g->surface_spin = ut_vec3(x[3], x[4], x[5]);
    if (ut_mjcf_find(p, "ut:kinetic").attribute != NULL) {
        UT_TRY(ut_mjcf_get_not_negative(p, "ut:kinetic", &g->kinetic));
    }
    UT_TRY(ut_mjcf_get_fraction(p, "ut:restitution", &g->restitution));
    const MjcfFound found = ut_mjcf_find(p, "ut:surfacevel");
    return found.attribute != NULL ? read_surface_expressions(p, found, g) : UT_OK;
}

// ---- points, motions, springs -------------------------------------------------------------------

static utStatus read_point(Mjcf* m, const XmlNode* node)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    int site = 0, geom = 0, face = -1;
    UT_TRY(ut_mjcf_get_reference(&p, "site", "site", &m->names.site, &site));
    UT_TRY(ut_mjcf_get_reference(&p, "geom", "geom", &m->names.geom, &geom));
    UT_TRY(ut_mjcf_get_word(&p, "face", "-x +x -y +y -z +z", &face));
    if (m->parts.geom[geom].def.shape.kind == UT_SHAPE_BOX && face < 0) {
        return ut_mjcf_fail(m, node, "a ut:point against a box needs the attribute face");
    }
    utPointDef* point = &m->parts.point[m->parts.points++];
    *point = ut_point_def(site, geom, (utFace)(face + 1));
    point->origin = ut_mjcf_origin(node);
    return ut_xml_attribute(node, "friction") != NULL
               ? ut_mjcf_get_not_negative(&p, "friction", &point->friction)
               : UT_OK;
}

static utStatus read_motion(Mjcf* m, const XmlNode* node)
{
    static const char* const names[6] = {"x", "y", "z", "rx", "ry", "rz"};
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    utMotionDef* motion = &m->parts.motion[m->parts.motions++];
    *motion = ut_motion_def(0);
    motion->origin = ut_mjcf_origin(node);
    memcpy(motion->sequence, m->compiler.eulerseq, sizeof motion->sequence);
    UT_TRY(ut_mjcf_get_reference(&p, "body", "body", &m->names.body, &motion->body));
    for (int k = 0; k < 6; k++) {
        UT_TRY(get_expression(&p, names[k], &motion->expression[k]));
    }
    return UT_OK;
}

static utStatus read_spring(Mjcf* m, const XmlNode* node)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    int mode = 0;
    utSpringDef* spring = &m->parts.spring[m->parts.springs];
    *spring = ut_spring_def(0, 0);
    spring->origin = ut_mjcf_origin(node);
    UT_TRY(ut_mjcf_get_name(&p, &m->names.spring, m->parts.springs, &spring->name));
    UT_TRY(ut_mjcf_get_reference(&p, "site1", "site", &m->names.site, &spring->site1));
    UT_TRY(ut_mjcf_get_reference(&p, "site2", "site", &m->names.site, &spring->site2));
    UT_TRY(ut_mjcf_get_not_negative(&p, "stiffness", &spring->stiffness));
    UT_TRY(ut_mjcf_get_not_negative(&p, "length", &spring->length));
    UT_TRY(ut_mjcf_get_not_negative(&p, "damping", &spring->damping));
    UT_TRY(ut_mjcf_get_word(&p, "mode", "axial full", &mode));
    spring->full = mode == 1;
    m->parts.springs++;
    return UT_OK;
}

utStatus ut_mjcf_points_motions_springs(Mjcf* m)
{
    int points = 0, motions = 0, springs = 0;
    for (const XmlNode* n = m->root->first; n != NULL; n = n->next) {
        points += is(n, "ut:point");
        motions += is(n, "ut:motion");
        springs += is(n, "ut:spring");
    }
    m->parts.point = UT_PUSH(&m->memory, utPointDef, points + 1);
    m->parts.motion = UT_PUSH(&m->memory, utMotionDef, motions + 1);
    m->parts.spring = UT_PUSH(&m->memory, utSpringDef, springs + 1);
    if (ut_arena_failed(&m->memory)) {
        return ut_mjcf_no_memory(m);
    }
    for (const XmlNode* n = m->root->first; n != NULL; n = n->next) {
        if (is(n, "ut:point")) {
            UT_TRY(read_point(m, n));
        } else if (is(n, "ut:motion")) {
            UT_TRY(read_motion(m, n));
        } else if (is(n, "ut:spring")) {
            UT_TRY(read_spring(m, n));
        }
    }
    return UT_OK;
}
