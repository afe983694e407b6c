// SPDX-License-Identifier: Apache-2.0
// The elements body and inertial, in document order, which a description has too.
#include "io/internal.h"

#include <string.h>

static bool is(const XmlNode* node, const char* name)
{
    return strcmp(node->name, name) == 0;
}

// ---- inertial -----------------------------------------------------------------------------------

static utStatus require(Mjcf* m, const XmlNode* node, const char* name)
{
    if (ut_xml_attribute(node, name) == NULL) {
        return ut_mjcf_fail(m, node, "%s needs the attribute %s", node->name, name);
    }
    return UT_OK;
}

static utMat3 turned(utQuat quat, utMat3 A)
{
    const utMat3 R = ut_quat_to_mat3(quat);
    return ut_mjcf_symmetric(ut_mat3_mul(ut_mat3_mul(R, A), ut_mat3_transpose(R)));
}

static utStatus read_full_inertia(const MjcfPlace* p, MjcfFound full, utBodyDef* b)
{
    if (ut_xml_attribute(p->node, "diaginertia") != NULL) {
        return ut_mjcf_fail_at(p->m, full, 0, "fullinertia beside diaginertia; give one of them");
    }
    for (int i = 0; i < p->node->attributes; i++) {
        if (ut_word_in("quat axisangle xyaxes zaxis euler", p->node->attribute[i].name)) {
            return ut_mjcf_fail_at(
                p->m, full, 0, "fullinertia beside %s; fullinertia is given along the body's axes",
                p->node->attribute[i].name);
        }
    }
    double x[6]; // xx yy zz xy xz yz
    UT_TRY(ut_mjcf_numbers(p->m, full, 6, 6, x, NULL));
    b->inertia = (utMat3){{{x[0], x[3], x[4]}, {x[3], x[1], x[5]}, {x[4], x[5], x[2]}}};
    return UT_OK;
}

static utStatus read_inertial(Mjcf* m, const XmlNode* node, MjcfBody* body)
{
    utBodyDef* b = &body->def;
    MjcfPlace p;
    if (b->inertial) {
        return ut_mjcf_fail(m, node, "a second 'inertial' in one 'body'");
    }
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    UT_TRY(require(m, node, "pos"));
    UT_TRY(require(m, node, "mass"));
    UT_TRY(ut_mjcf_get_vec3(&p, "pos", &b->com));
    UT_TRY(ut_mjcf_get_not_negative(&p, "mass", &b->mass));
    b->inertial = true;
    const MjcfFound full = ut_mjcf_find(&p, "fullinertia");
    if (full.attribute != NULL) {
        return read_full_inertia(&p, full, b);
    }
    utVec3 diagonal = ut_vec3_zero();
    utQuat axes = ut_quat_identity();
    UT_TRY(ut_mjcf_get_vec3(&p, "diaginertia", &diagonal));
    UT_TRY(ut_mjcf_orientation(&p, &axes));
    b->inertia = turned(axes, ut_mat3_diagonal(diagonal));
    return ut_mjcf_set_axes(m, body, axes);
}

// ---- frames -------------------------------------------------------------------------------------

static void inertial_to_body(const XmlNode* node, MjcfBody* body)
{
    utQuat quat = ut_quat_identity();
    if (node->parent->pose != NULL) {
        ut_mjcf_to_body(node, &body->def.com, &quat);
        body->def.inertia = turned(quat, body->def.inertia);
        if (body->axes != NULL) {
            *body->axes = ut_quat_mul(quat, *body->axes);
        }
    }
}

static void joint_to_body(const XmlNode* node, utJointDef* j)
{
    utQuat quat = ut_quat_identity();
    if (node->parent->pose != NULL && j->kind != UT_JOINT_FREE) {
        ut_mjcf_to_body(node, &j->pos, &quat);
        j->axis = ut_quat_rotate(quat, j->axis);
    }
}

// ---- bodies -------------------------------------------------------------------------------------

static utStatus begin_body(Mjcf* m, XmlNode* node)
{
    const int index = m->parts.bodies;
    if (index > m->def->limits.bodies) {
        return ut_mjcf_fail(m, node, "more than %d bodies; utLimits.bodies sets the limit",
                            m->def->limits.bodies);
    }
    MjcfBody* body = &m->parts.body[index];
    *body = (MjcfBody){.def = ut_body_def(), .node = node};
    utBodyDef* b = &body->def;
    b->origin = ut_mjcf_origin(node);
    b->parent = node->parent->index;
    node->index = index;
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    UT_TRY(ut_mjcf_get_name(&p, &m->names.body, index, &b->name));
    UT_TRY(ut_mjcf_get_vec3(&p, "pos", &b->pos));
    UT_TRY(ut_mjcf_orientation(&p, &b->quat));
    ut_mjcf_to_body(node, &b->pos, &b->quat);
    UT_TRY(ut_mjcf_get_bool(&p, "mocap", &b->mocap));
    UT_TRY(ut_mjcf_get(&p, "gravcomp", 1, &b->gravcomp));
    b->gravcomp = m->flags.passive ? b->gravcomp : 0.0;
    UT_TRY(ut_mjcf_get_bool(&p, "ut:fast", &b->fast));
    if (b->mocap && b->parent != 0) {
        return ut_mjcf_fail(m, node, "a mocap body must be a child of the world");
    }
    m->parts.bodies++;
    return UT_OK;
}

// The next element of a body, also inside its frames, but not inside its child bodies.
static XmlNode* next_part(const XmlNode* node, const XmlNode* body)
{
    const bool child = is(node, "body") && node != body;
    return child ? ut_xml_skip(node, body) : ut_xml_next(node, body);
}

static bool has_inertial(const XmlNode* node)
{
    for (const XmlNode* n = next_part(node, node); n != NULL; n = next_part(n, node)) {
        if (is(n, "inertial")) {
            return true;
        }
    }
    return false;
}

// Are the geoms of a body without influence on its mass?
static bool geoms_are_massless(const Mjcf* m, int body, const XmlNode* node)
{
    switch (m->compiler.inertiafromgeom) {
    case MJCF_FROM_GEOM_FALSE:
        return true;
    case MJCF_FROM_GEOM_TRUE:
        return body == 0;
    default:
        return body == 0 || has_inertial(node);
    }
}

static utStatus read_part(Mjcf* m, int body, XmlNode* node, bool massless)
{
    MjcfParts* parts = &m->parts;
    const int geoms = parts->geoms, sites = parts->sites;
    if (ut_mjcf_is_frame(node)) {
        return ut_mjcf_frame(m, node);
    }
    if (is(node, "joint") || is(node, "freejoint")) {
        node->index = parts->joints;
        UT_TRY(ut_mjcf_joint(m, body, node));
        joint_to_body(node, &parts->joint[node->index].def);
    } else if (is(node, "inertial")) {
        UT_TRY(read_inertial(m, node, &parts->body[body]));
        inertial_to_body(node, &parts->body[body]);
    } else if (is(node, "geom")) {
        UT_TRY(ut_mjcf_geom(m, body, node, massless));
        if (parts->geoms > geoms) {
            ut_mjcf_to_body(node, &parts->geom[geoms].def.pos, &parts->geom[geoms].def.quat);
        }
    } else if (is(node, "site")) {
        UT_TRY(ut_mjcf_site(m, body, node));
        ut_mjcf_to_body(node, &parts->site[sites].pos, &parts->site[sites].quat);
    }
    return UT_OK;
}

// Read the joints, geoms, sites and frames of a body; its child bodies come later.
static utStatus read_body_parts(Mjcf* m, int body, const XmlNode* node)
{
    m->compiler = node->file->model->compiler;
    const bool massless = geoms_are_massless(m, body, node);
    for (XmlNode* n = next_part(node, node); n != NULL; n = next_part(n, node)) {
        UT_TRY(read_part(m, body, n, massless));
    }
    return UT_OK;
}

static utStatus make_room(Mjcf* m)
{
    int bodies = 1, joints = 0, geoms = 0, sites = 0;
    for (const XmlNode* n = m->root; n != NULL; n = ut_xml_next(n, m->root)) {
        bodies += is(n, "body");
        joints += is(n, "joint") || is(n, "freejoint");
        geoms += is(n, "geom");
        sites += is(n, "site");
    }
    m->parts.body = UT_PUSH(&m->memory, MjcfBody, bodies);
    m->parts.joint = UT_PUSH(&m->memory, MjcfJoint, joints + 1);
    m->parts.geom = UT_PUSH(&m->memory, MjcfGeom, geoms + 1);
    m->parts.site = UT_PUSH(&m->memory, utSiteDef, sites + 1);
    if (ut_arena_failed(&m->memory)) {
        return ut_mjcf_no_memory(m);
    }
    m->parts.body[0] = (MjcfBody){.def = ut_body_def()};
    m->parts.bodies = 1;
    return ut_names_add(&m->names.body, "world", 0) ? UT_OK : ut_mjcf_no_memory(m);
}

// A file may have several worldbody sections.
utStatus ut_mjcf_bodies(Mjcf* m)
{
    UT_TRY(make_room(m));
    for (XmlNode* s = m->root->first; s != NULL; s = s->next) {
        if (!is(s, "worldbody")) {
            continue;
        }
        s->scope = m->classes.main;
        s->index = 0;
        for (XmlNode* n = s; n != NULL; n = ut_xml_next(n, s)) {
            if (is(n, "body")) {
                UT_TRY(ut_mjcf_scope(m, n));
                UT_TRY(begin_body(m, n));
            }
            if (is(n, "body") || n == s) {
                m->parts.body[n->index].geom = m->parts.geoms;
                UT_TRY(read_body_parts(m, n->index, n));
            }
        }
    }
    return ut_mjcf_sort_sites(m);
}
