// SPDX-License-Identifier: Apache-2.0
// Bodies with their joints, geoms and sites.
#include "writer.h"

#include <string.h>

// ---- joints -------------------------------------------------------------------------------------

static void write_joint(Writer* w, int i)
{
    const utJointDef* j = &w->parts->joint[i];
    const utJointDef standard = ut_joint_def(j->body, j->kind);
    ut_write_open(w, "joint");
    ut_write_own_name(w, "joint", j->name, i, w->referenced.joint);
    ut_write_text(w, "type", ut_joint_kind_name(j->kind));
    ut_write_vec3_unless_zero(w, "pos", j->pos);
    const utVec3 other = ut_vec3_sub(j->axis, standard.axis);
    if (j->kind == UT_JOINT_HINGE || j->kind == UT_JOINT_SLIDE || ut_vec3_norm(other) > 0.0) {
        ut_write_vec3(w, "axis", j->axis);
    }
    if (j->limited || j->range[0] != 0.0 || j->range[1] != 0.0) {
        ut_write_bool(w, "limited", j->limited);
        ut_write_numbers(w, "range", 2, j->range);
    }
    ut_write_number_unless(w, "ref", j->ref, standard.ref);
    ut_write_polynomial(w, "stiffness", j->stiffness, j->stiffness_poly);
    ut_write_number_unless(w, "springref", j->springref, standard.springref);
    ut_write_polynomial(w, "damping", j->damping, j->damping_poly);
    if (j->springdamper[0] != 0.0 || j->springdamper[1] != 0.0) {
        ut_write_numbers(w, "springdamper", 2, j->springdamper);
    }
    ut_write_number_unless(w, "armature", j->armature, standard.armature);
    ut_write_number_unless(w, "frictionloss", j->frictionloss, standard.frictionloss);
    const double* range = j->actuator_force_range;
    if (j->actuator_force_limited || range[0] != 0.0 || range[1] != 0.0) {
        ut_write_bool(w, "actuatorfrclimited", j->actuator_force_limited);
        ut_write_numbers(w, "actuatorfrcrange", 2, range);
    }
    if (j->actuator_gravcomp) {
        ut_write_bool(w, "actuatorgravcomp", true);
    }
    ut_write_close(w);
}

// ---- geoms --------------------------------------------------------------------------------------

static const char* geom_type(utShapeKind kind)
{
    switch (kind) {
    case UT_SHAPE_HULL:
    case UT_SHAPE_MESH:
        return "mesh";
    case UT_SHAPE_HEIGHTS:
        return "hfield";
    default:
        return ut_shape_kind_name(kind);
    }
}

// The numbers of `size` that a shape uses, and further ones that the description has.
static void write_size(Writer* w, const utShape* shape)
{
    static const int counts[UT_SHAPE_KIND_COUNT] = {
        [UT_SHAPE_PLANE] = 3, [UT_SHAPE_SPHERE] = 1,   [UT_SHAPE_CAPSULE] = 2,
        [UT_SHAPE_BOX] = 3,   [UT_SHAPE_CYLINDER] = 2, [UT_SHAPE_ELLIPSOID] = 3,
    };
    const double size[3] = {shape->size.x, shape->size.y, shape->size.z};
    int count = 3;
    while (count > 0 && count > counts[shape->kind] && size[count - 1] == 0.0) {
        count--;
    }
    if (count > 0) {
        ut_write_numbers(w, "size", count, size);
    }
}

// A mesh that collides as the surface it is; MuJoCo collides its hull.
static void write_exact(Writer* w)
{
    if (w->how->plain) {
        ut_write_leave_out(w, "ut:mesh", "MJCF's meshes collide as their convex hulls");
    } else {
        ut_write_text(w, "ut:mesh", "exact");
    }
}

static void write_shape(Writer* w, const utGeomDef* g, const utGeomDef* standard)
{
    if (g->mesh >= 0) {
        const WriterName name = ut_write_reference("mesh", w->parts->mesh[g->mesh].name, g->mesh);
        ut_write_text(w, "mesh", ut_writer_name(&name));
        ut_write_vec3_unless_zero(w, "size", g->shape.size); // not used, but part of the model
    } else if (g->shape.hull != NULL || g->shape.mesh != NULL || g->shape.heights != NULL) {
        ut_write_leave_out(w, "geom", "a hull, mesh or height field that is no asset");
    } else {
        write_size(w, &g->shape);
    }
    if (g->heights >= 0) {
        const WriterName name =
            ut_write_reference("hfield", w->parts->heights[g->heights].name, g->heights);
        ut_write_text(w, "hfield", ut_writer_name(&name));
    }
    ut_write_number_unless(w, "fitscale", g->fit_scale, standard->fit_scale);
    if (g->shell) {
        ut_write_bool(w, "shellinertia", true);
    }
    if (g->mesh >= 0 && g->shape.kind == UT_SHAPE_MESH) {
        write_exact(w);
    }
}

// An expression that is missing is 0.
static void write_surface_expressions(Writer* w, const char* const expression[3])
{
    const char* text[3];
    bool given = false;
    for (int k = 0; k < 3; k++) {
        given = given || expression[k] != NULL;
        text[k] = expression[k] != NULL ? expression[k] : "0";
    }
    if (given && w->how->plain) {
        ut_write_leave_out(w, "ut:surfacevel", "MJCF has no expressions in time");
    } else if (given) {
        ut_write_list(w, "ut:surfacevel", 3, text, "; ");
    }
}

static void write_surface(Writer* w, const utGeomDef* g)
{
    const utVec3 v = g->surface_velocity, s = g->surface_spin;
    const double x[6] = {v.x, v.y, v.z, s.x, s.y, s.z};
    bool moves = false;
    for (int i = 0; i < 6; i++) {
        moves = moves || x[i] != 0.0;
    }
    if (moves) {
        ut_write_numbers(w, "surfacevel", 6, x);
    }
    write_surface_expressions(w, g->surface_expression);
}

bool ut_write_geom_is_own(const utGeomDef* geom)
{
    const utGeomDef standard = ut_geom_def(0, geom->shape.kind, ut_vec3_zero());
    return geom->kinetic != standard.kinetic || geom->restitution != standard.restitution;
}

bool ut_write_body_is_own(const utBodyDef* body)
{
    return body->fast;
}

static void write_own(Writer* w, int i, const utGeomDef* standard)
{
    const utGeomDef* g = &w->parts->geom[i];
    const WriterName name = ut_write_reference("geom", g->name, i);
    if (g->kinetic != standard->kinetic) {
        ut_write_own_number(w, ut_writer_name(&name), "kinetic", g->kinetic);
    }
    if (g->restitution != standard->restitution) {
        ut_write_own_number(w, ut_writer_name(&name), "restitution", g->restitution);
    }
}

static void write_contact(Writer* w, const utGeomDef* g, const utGeomDef* standard)
{
    const double friction[3] = {g->friction, g->torsional, g->rolling};
    const int numbers = g->rolling != standard->rolling       ? 3
                        : g->torsional != standard->torsional ? 2
                                                              : 1;
    ut_write_int_unless(w, "condim", g->condim, standard->condim);
    ut_write_numbers(w, "friction", numbers, friction);
    ut_write_number_unless(w, "margin", g->margin, standard->margin);
    ut_write_int_unless(w, "priority", g->priority, standard->priority);
    ut_write_int_unless(w, "contype", g->contype, standard->contype);
    ut_write_int_unless(w, "conaffinity", g->conaffinity, standard->conaffinity);
    ut_write_int_unless(w, "group", g->group, standard->group);
    write_surface(w, g);
}

static void write_colour(Writer* w, const double* rgba, const double* standard)
{
    if (memcmp(rgba, standard, 4 * sizeof *rgba) != 0) {
        ut_write_numbers(w, "rgba", 4, rgba);
    }
}

static void write_geom(Writer* w, int i)
{
    const utGeomDef* g = &w->parts->geom[i];
    const utGeomDef standard = ut_geom_def(g->body, g->shape.kind, ut_vec3_zero());
    ut_write_open(w, "geom");
    ut_write_own_name(w, "geom", g->name, i, w->referenced.geom);
    ut_write_text(w, "type", geom_type(g->shape.kind));
    write_shape(w, g, &standard);
    ut_write_vec3_unless_zero(w, "pos", g->pos);
    ut_write_turn(w, g->quat);
    if (g->mass >= 0.0) {
        ut_write_number(w, "mass", g->mass);
    }
    ut_write_number_unless(w, "density", g->density, standard.density);
    write_contact(w, g, &standard);
    write_colour(w, g->rgba, standard.rgba);
    write_own(w, i, &standard);
    ut_write_close(w);
}

// ---- bodies -------------------------------------------------------------------------------------

static void write_inertial(Writer* w, const utBodyDef* b)
{
    const utMat3* I = &b->inertia;
    const double full[6] = {I->m[0][0], I->m[1][1], I->m[2][2], I->m[0][1], I->m[0][2], I->m[1][2]};
    ut_write_open(w, "inertial");
    ut_write_vec3(w, "pos", b->com);
    ut_write_number(w, "mass", b->mass);
    // MuJoCo accepts moments of 0 only in diaginertia
    const bool diagonal = full[3] == 0.0 && full[4] == 0.0 && full[5] == 0.0;
    ut_write_numbers(w, diagonal ? "diaginertia" : "fullinertia", diagonal ? 3 : 6, full);
    ut_write_close(w);
}

static void write_site(Writer* w, int i)
{
    const utSiteDef* s = &w->parts->site[i];
    ut_write_open(w, "site");
    ut_write_own_name(w, "site", s->name, i, w->referenced.site);
    ut_write_vec3_unless_zero(w, "pos", s->pos);
    ut_write_turn(w, s->quat);
    const utShape standard = ut_site_def(0).shape;
    const utVec3 other = ut_vec3_sub(s->shape.size, standard.size);
    if (s->shape.kind != standard.kind || ut_vec3_norm(other) > 0.0) {
        ut_write_text(w, "type", ut_shape_kind_name(s->shape.kind));
        ut_write_vec3(w, "size", s->shape.size);
    }
    const utSiteDef plain = ut_site_def(0);
    write_colour(w, s->rgba, plain.rgba);
    ut_write_close(w);
}

static void write_parts(Writer* w, int body)
{
    if (w->parts->body[body].inertial && body > 0) {
        write_inertial(w, &w->parts->body[body]);
    }
    for (int i = w->joints.first[body]; i >= 0; i = w->joints.next[i]) {
        write_joint(w, i);
    }
    for (int i = w->geoms.first[body]; i >= 0; i = w->geoms.next[i]) {
        write_geom(w, i);
    }
    for (int i = w->sites.first[body]; i >= 0; i = w->sites.next[i]) {
        write_site(w, i);
    }
}

static void open_body(Writer* w, int i)
{
    const utBodyDef* b = &w->parts->body[i];
    ut_write_open(w, "body");
    ut_write_own_name(w, "body", b->name, i, w->referenced.body);
    ut_write_vec3_unless_zero(w, "pos", b->pos);
    ut_write_turn(w, b->quat);
    if (b->mocap) {
        ut_write_bool(w, "mocap", true);
    }
    ut_write_number_unless(w, "gravcomp", b->gravcomp, 0.0);
    if (b->fast) {
        const WriterName name = ut_write_reference("body", b->name, i);
        ut_write_own(w, ut_writer_name(&name), "fast", "fast", "true");
    }
    ut_write_begin(w);
    write_parts(w, i);
}

// Bodies follow each other depth-first, so a body ends where the next one is not below it.
void ut_write_world(Writer* w)
{
    ut_write_open(w, "worldbody");
    ut_write_begin(w);
    write_parts(w, 0);
    int open = 0;
    for (int i = 1; i < w->parts->bodies; i++) {
        for (; open > w->parts->body[i].parent; open = w->parts->body[open].parent) {
            ut_write_end(w, "body");
        }
        open_body(w, i);
        open = i;
    }
    for (; open > 0; open = w->parts->body[open].parent) {
        ut_write_end(w, "body");
    }
    ut_write_end(w, "worldbody");
}
