// SPDX-License-Identifier: Apache-2.0
// The description of a model as JSON (docs/page.md). Arrays of numbers stay in the engine's memory: the JSON holds
// {"f64": ADDRESS, "count": N} or {"i32": ...}, which the worker replaces by typed arrays of their own.
#include "engine.h"

#include <stdio.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/impact.h>
#include <uptack/lcp.h>

// ---- pieces ---------------------------------------------------------------------------------------

static void text(utJsonWriter* w, const char* key, const char* value)
{
    ut_json_key(w, key);
    ut_json_string(w, value != NULL ? value : "");
}

static void number(utJsonWriter* w, const char* key, double value)
{
    ut_json_key(w, key);
    ut_json_number(w, value);
}

static void integer(utJsonWriter* w, const char* key, int64_t value)
{
    ut_json_key(w, key);
    ut_json_integer(w, value);
}

static void boolean(utJsonWriter* w, const char* key, bool value)
{
    ut_json_key(w, key);
    ut_json_bool(w, value);
}

static void vector(utJsonWriter* w, const char* key, utVec3 a)
{
    ut_json_key(w, key);
    ut_json_doubles(w, (const double[]){a.x, a.y, a.z}, 3);
}

static void pair(utJsonWriter* w, const char* key, const double a[2])
{
    ut_json_key(w, key);
    ut_json_doubles(w, a, 2);
}

static void quaternion(utJsonWriter* w, const char* key, utQuat q)
{
    ut_json_key(w, key);
    ut_json_doubles(w, (const double[]){q.w, q.x, q.y, q.z}, 4);
}

static void address(utJsonWriter* w, const char* key, const char* type, const void* data,
                    size_t count)
{
    ut_json_key(w, key);
    ut_json_object_begin(w);
    integer(w, type, (int64_t)(uintptr_t)data);
    integer(w, "count", (int64_t)count);
    ut_json_object_end(w);
}

static void begin(utJsonWriter* w, const char* key)
{
    ut_json_key(w, key);
    ut_json_array_begin(w);
}

static void element(utJsonWriter* w, const char* name)
{
    ut_json_object_begin(w);
    text(w, "name", name);
}

// ---- meshes ---------------------------------------------------------------------------------------

// The triangles of a hull, each face as a fan. @return 3 indices per triangle; NULL: no memory
static int* hull_triangles(const utHull* hull, utArena* keep, size_t* count)
{
    const int corners = hull->face_start[hull->faces];
    *count = 3 * (size_t)(corners - 2 * hull->faces);
    int* triangle = UT_PUSH(keep, int, *count);
    for (int f = 0, at = 0; triangle != NULL && f < hull->faces; f++) {
        const int* corner = &hull->face_vertex[hull->face_start[f]];
        const int n = hull->face_start[f + 1] - hull->face_start[f];
        for (int k = 2; k < n; k++) {
            triangle[at++] = corner[0];
            triangle[at++] = corner[k - 1];
            triangle[at++] = corner[k];
        }
    }
    return triangle;
}

static void hull(utJsonWriter* w, const utHull* hull, utArena* keep)
{
    size_t count;
    const int* triangle = hull_triangles(hull, keep, &count);
    address(w, "vertices", "f64", hull->vertex, 3 * (size_t)hull->vertices);
    address(w, "triangles", "i32", triangle, triangle != NULL ? count : 0);
}

// The first geom with this geom's hull, mesh or height field: it stands for all of them.
static int first_with(const utModel* model, int geom)
{
    const utShape* shape = &model->geom[geom].shape;
    for (int g = 0; g < geom; g++) {
        const utShape* other = &model->geom[g].shape;
        if (other->hull == shape->hull && other->mesh == shape->mesh &&
            other->heights == shape->heights) {
            return g;
        }
    }
    return geom;
}

static bool has_mesh(const utShape* shape)
{
    return shape->hull != NULL || shape->mesh != NULL;
}

// The index of a geom's mesh or height field among those that the description lists, -1 for none.
static int asset_index(const utModel* model, int geom, bool heights)
{
    const utShape* shape = &model->geom[geom].shape;
    if (heights ? shape->heights == NULL : !has_mesh(shape)) {
        return -1;
    }
    const int first = first_with(model, geom);
    int index = 0;
    for (int g = 0; g < first; g++) {
        const utShape* other = &model->geom[g].shape;
        const bool counts = heights ? other->heights != NULL : has_mesh(other);
        index += counts && first_with(model, g) == g ? 1 : 0;
    }
    return index;
}

static void meshes(utJsonWriter* w, const utModel* model, utArena* keep)
{
    begin(w, "meshes");
    for (int g = 0; g < model->ngeom; g++) {
        const utShape* shape = &model->geom[g].shape;
        if (!has_mesh(shape) || first_with(model, g) != g) {
            continue;
        }
        element(w, model->geom[g].name);
        if (shape->mesh != NULL) {
            address(w, "vertices", "f64", shape->mesh->vertex, 3 * (size_t)shape->mesh->vertices);
            address(w, "triangles", "i32", shape->mesh->triangle,
                    3 * (size_t)shape->mesh->triangles);
        } else {
            hull(w, shape->hull, keep);
        }
        if (shape->hull != NULL) {
            ut_json_key(w, "hull");
            ut_json_object_begin(w);
            hull(w, shape->hull, keep);
            ut_json_object_end(w);
        }
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void height_fields(utJsonWriter* w, const utModel* model)
{
    begin(w, "heights");
    for (int g = 0; g < model->ngeom; g++) {
        const utShape* shape = &model->geom[g].shape;
        if (shape->heights == NULL || first_with(model, g) != g) {
            continue;
        }
        element(w, model->geom[g].name);
        integer(w, "columns", shape->heights->columns);
        integer(w, "rows", shape->heights->rows);
        vector(w, "size", shape->size);
        address(w, "data", "f64", shape->heights->height,
                (size_t)shape->heights->columns * (size_t)shape->heights->rows);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

// ---- elements -------------------------------------------------------------------------------------

static void bodies(utJsonWriter* w, const utModel* model)
{
    begin(w, "bodies");
    for (int b = 0; b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        utVec3 half;
        utQuat quat;
        (void)ut_model_inertia_box(body, &half, &quat);
        element(w, body->name);
        integer(w, "parent", body->parent);
        number(w, "mass", body->mass);
        vector(w, "com", body->com);
        ut_json_key(w, "inertia");
        ut_json_object_begin(w);
        vector(w, "half", half);
        quaternion(w, "quat", quat);
        ut_json_object_end(w);
        boolean(w, "mocap", body->mocap >= 0);
        boolean(w, "fixed", body->tree < 0);
        integer(w, "joint", body->joint);
        integer(w, "joints", body->joints);
        integer(w, "geom", body->geom);
        integer(w, "geoms", body->geoms);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void joints(utJsonWriter* w, const utModel* model)
{
    begin(w, "joints");
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        element(w, joint->name);
        text(w, "kind", ut_joint_kind_name(joint->kind));
        integer(w, "body", joint->body);
        integer(w, "q", joint->q);
        integer(w, "v", joint->v);
        vector(w, "axis", joint->axis);
        boolean(w, "limited", joint->limited);
        pair(w, "range", joint->range);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void geoms(utJsonWriter* w, const utModel* model)
{
    begin(w, "geoms");
    for (int g = 0; g < model->ngeom; g++) {
        const utModelGeom* geom = &model->geom[g];
        element(w, geom->name);
        integer(w, "body", geom->body);
        text(w, "kind", ut_shape_kind_name(geom->shape.kind));
        vector(w, "size", geom->shape.size);
        ut_json_key(w, "rgba");
        ut_json_doubles(w, geom->rgba, 4);
        integer(w, "group", geom->group);
        integer(w, "mesh", asset_index(model, g, false));
        integer(w, "heights", asset_index(model, g, true));
        boolean(w, "collides", geom->collides);
        number(w, "friction", geom->friction);
        if (geom->belt) {
            vector(w, "belt", geom->surface_velocity);
        }
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void sites(utJsonWriter* w, const utModel* model)
{
    begin(w, "sites");
    for (int s = 0; s < model->nsite; s++) {
        const utModelSite* site = &model->site[s];
        element(w, site->name);
        integer(w, "body", site->body);
        vector(w, "pos", site->in_body.p);
        vector(w, "size", site->shape.size);
        ut_json_key(w, "rgba");
        ut_json_doubles(w, site->rgba, 4);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

// Joints that are constraints, in maximal coordinates: where they are in both bodies.
static void pins(utJsonWriter* w, const utModel* model)
{
    begin(w, "pins");
    for (int e = 0; e < model->nequality; e++) {
        const utModelEquality* pin = &model->equality[e];
        if (!pin->joint) {
            continue;
        }
        element(w, pin->name);
        text(w, "kind",
             pin->kind == UT_EQUALITY_HINGE   ? "hinge"
             : pin->kind == UT_EQUALITY_SLIDE ? "slide"
                                              : "ball");
        integer(w, "body1", pin->body1);
        integer(w, "body2", pin->body2);
        vector(w, "point1", pin->in1.p);
        vector(w, "point2", pin->in2.p);
        vector(w, "axis", ut_mat3_column(pin->in1.R, 2));
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void springs_and_tendons(utJsonWriter* w, const utModel* model)
{
    begin(w, "springs");
    for (int s = 0; s < model->nspring; s++) {
        element(w, model->spring[s].name);
        integer(w, "site1", model->spring[s].site1);
        integer(w, "site2", model->spring[s].site2);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
    begin(w, "tendons");
    for (int t = 0; t < model->ntendon; t++) {
        element(w, model->tendon[t].name);
        text(w, "kind", ut_tendon_kind_name(model->tendon[t].kind));
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void actuators_and_sensors(utJsonWriter* w, const utModel* model)
{
    begin(w, "actuators");
    for (int a = 0; a < model->nactuator; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        element(w, actuator->name);
        text(w, "kind", ut_actuator_kind_name(actuator->kind));
        boolean(w, "ctrllimited", actuator->ctrl_limited);
        pair(w, "range", actuator->ctrl_range);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
    begin(w, "sensors");
    for (int s = 0; s < model->nsensor; s++) {
        element(w, model->sensor[s].name);
        text(w, "kind", ut_sensor_traits(model->sensor[s].kind).name);
        integer(w, "start", model->sensor[s].start);
        integer(w, "size", model->sensor[s].dim);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

// ---- attributes -----------------------------------------------------------------------------------

// An attribute is offered when the description takes it: the value of a number that sliders can change.
static void attribute(utJsonWriter* w, utModelDef* def, const char* name, const char* attr,
                      double value)
{
    char path[160], digits[UT_NUMBER_SIZE];
    utError unused;
    if (name == NULL || name[0] == '\0') {
        return;
    }
    snprintf(path, sizeof path, "%s.%s", name, attr);
    ut_number_write(value, digits);
    if (ut_model_def_set(def, path, digits, &unused) != UT_OK) {
        return;
    }
    ut_json_object_begin(w);
    text(w, "path", path);
    number(w, "value", value);
    text(w, "label", path);
    ut_json_object_end(w);
}

static void attributes(utJsonWriter* w, utModelDef* def)
{
    const utModelParts parts = ut_model_def_parts(def);
    begin(w, "attributes");
    attribute(w, def, "option", "dt", parts.options->dt);
    for (int g = 0; g < parts.geoms; g++) {
        const utGeomDef geom = parts.geom[g];
        attribute(w, def, geom.name, "friction", geom.friction);
        attribute(w, def, geom.name, "restitution", geom.restitution);
        if (geom.mass >= 0.0) {
            attribute(w, def, geom.name, "mass", geom.mass);
        } else {
            attribute(w, def, geom.name, "density", geom.density);
        }
    }
    for (int b = 1; b < parts.bodies; b++) {
        const utBodyDef body = parts.body[b];
        if (body.inertial) {
            attribute(w, def, body.name, "mass", body.mass);
        }
    }
    for (int j = 0; j < parts.joints; j++) {
        const utJointDef joint = parts.joint[j];
        if (joint.kind == UT_JOINT_HINGE || joint.kind == UT_JOINT_SLIDE) {
            attribute(w, def, joint.name, "damping", joint.damping);
            attribute(w, def, joint.name, "stiffness", joint.stiffness);
            attribute(w, def, joint.name, "frictionloss", joint.frictionloss);
        }
    }
    for (int s = 0; s < parts.springs; s++) {
        const utSpringDef spring = parts.spring[s];
        attribute(w, def, spring.name, "stiffness", spring.stiffness);
        attribute(w, def, spring.name, "length", spring.length);
        attribute(w, def, spring.name, "damping", spring.damping);
    }
    for (int a = 0; a < parts.actuators; a++) {
        const utActuatorDef actuator = parts.actuator[a];
        attribute(w, def, actuator.name, "kp", actuator.kp);
        attribute(w, def, actuator.name, "kv", actuator.kv);
    }
    ut_json_array_end(w);
}

// ---- the model as a whole -------------------------------------------------------------------------

static void names(utJsonWriter* w, const char* key, int count, const char* (*name)(int))
{
    begin(w, key);
    for (int k = 0; k < count; k++) {
        ut_json_string(w, name(k));
    }
    ut_json_array_end(w);
}

static const char* formulation_name(int k)
{
    return ut_formulation_name((utFormulation)k);
}

static const char* reason_name(int k)
{
    return ut_certificate_reason_name((utCertificateReason)k);
}

// All solvers that the formulation can use: "auto" first.
static void solvers(utJsonWriter* w, const utModel* model, utSimDef def)
{
    begin(w, "solvers");
    for (int k = 0; k < UT_COULOMB_SOLVER_COUNT + UT_LCP_SOLVER_COUNT; k++) {
        const int lcp = k - UT_COULOMB_SOLVER_COUNT;
        utCoulombSolver known;
        def.solver = lcp < 0 ? ut_coulomb_solver_name((utCoulombSolver)k)
                             : ut_lcp_solver_name((utLcpSolver)lcp);
        utSim* sim = NULL;
        utError unused;
        if ((lcp < 0 || !ut_coulomb_solver_find(def.solver, &known)) &&
            ut_sim_create(model, &def, &sim, &unused) == UT_OK) {
            ut_json_string(w, def.solver);
        }
        ut_sim_destroy(sim);
    }
    ut_json_array_end(w);
}

static void settings(utJsonWriter* w, const Engine* e)
{
    const utModel* model = e->model;
    const utSimDef* def = &e->settings.sim;
    const int formulation = def->formulation >= 0 ? def->formulation : model->options.formulation;
    const int impact = def->impact >= 0 ? def->impact : model->options.impact;
    const utPlane plane = ut_plane(model->options.planar);
    text(w, "name", e->settings.name);
    number(w, "dt", ut_sim_dt(e->sim));
    number(w, "time", model->options.time);
    vector(w, "gravity", model->options.gravity);
    text(w, "planar", ut_planar_name(model->options.planar));
    ut_json_key(w, "plane");
    ut_json_object_begin(w);
    vector(w, "x", plane.x);
    vector(w, "y", plane.y);
    vector(w, "normal", plane.normal);
    ut_json_object_end(w);
    text(w, "formulation", ut_formulation_name((utFormulation)formulation));
    names(w, "formulations", UT_FORMULATION_COUNT, formulation_name);
    names(w, "reasons", UT_REASON_COUNT, reason_name);
    text(w, "solver", def->solver != NULL ? def->solver : model->options.solver);
    solvers(w, model, *def);
    integer(w, "directions", def->directions > 0 ? def->directions : model->options.directions);
    text(w, "impact", impact >= 0 ? ut_impact_law_name((utImpactLaw)impact) : "");
    number(w, "tolerance", def->tolerance > 0.0 ? def->tolerance : model->options.tolerance);
    integer(w, "nq", model->nq);
    integer(w, "nv", model->nv);
    integer(w, "nu", model->nu);
    integer(w, "na", model->na);
}

static void messages(utJsonWriter* w, const Engine* e)
{
    begin(w, "missing");
    for (int k = 0; k < e->model->missing_parts; k++) {
        const utMissing* part = &e->model->missing_part[k];
        ut_json_object_begin(w);
        text(w, "what", part->what);
        integer(w, "count", part->count);
        text(w, "file", part->file);
        integer(w, "line", part->line);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
    begin(w, "notes");
    for (int k = 0; k < e->notes.count; k++) {
        const utNotes one = {.count = 1, .note = &e->notes.note[k]};
        char line[512];
        const size_t size = ut_notes_print(&one, line, sizeof line);
        if (size > 0 && size < sizeof line && line[size - 1] == '\n') {
            line[size - 1] = '\0';
        }
        ut_json_string(w, line);
    }
    ut_json_array_end(w);
    begin(w, "keyframes");
    for (int k = 0; k < e->model->nkeyframe; k++) {
        ut_json_string(w, e->model->keyframe[k].name);
    }
    ut_json_array_end(w);
    integer(w, "keyframe", e->keyframe);
}

/// The description of the loaded model. @return its text, valid until the next text; NULL: an error
EXPORT const char* engine_describe(Engine* e)
{
    utModelDef* def = NULL;
    const utLoadDef how = engine_load_def(&e->settings, &e->sources);
    utStatus status = ut_model_def_create(NULL, &def);
    if (status == UT_OK) {
        status = ut_describe(e->settings.name, &how, def, NULL, &e->err);
    }
    if (status != UT_OK) {
        ut_model_def_destroy(def);
        (void)engine_status(e, status);
        return NULL;
    }
    e->text.size = 0;
    utArena scratch = e->memory; // addresses are read before it is used again
    utJsonWriter writer = ut_json_writer(engine_append, &e->text);
    utJsonWriter* w = &writer;
    ut_json_object_begin(w);
    settings(w, e);
    messages(w, e);
    bodies(w, e->model);
    joints(w, e->model);
    geoms(w, e->model);
    meshes(w, e->model, &scratch);
    height_fields(w, e->model);
    sites(w, e->model);
    pins(w, e->model);
    springs_and_tendons(w, e->model);
    actuators_and_sensors(w, e->model);
    attributes(w, def);
    ut_json_object_end(w);
    ut_model_def_destroy(def);
    if (!ut_json_ok(w)) {
        (void)engine_status(e, UT_ERR_MEMORY);
        return NULL;
    }
    return e->text.data;
}

/// The scenes by name: [{name, usage, text}].
EXPORT const char* engine_scenes(Engine* e)
{
    e->text.size = 0;
    utJsonWriter writer = ut_json_writer(engine_append, &e->text);
    ut_json_array_begin(&writer);
    for (int k = 0; k < ut_scene_count(); k++) {
        const utSceneInfo info = ut_scene_info(k);
        element(&writer, info.name);
        text(&writer, "usage", info.usage);
        text(&writer, "text", info.text);
        ut_json_object_end(&writer);
    }
    ut_json_array_end(&writer);
    return ut_json_ok(&writer) ? e->text.data : NULL;
}

/// Why the last step was not taken: {reason, value, limit, E, time, message}.
EXPORT const char* engine_verdict(Engine* e)
{
    const utCertificate* c = &e->result.certificate;
    char message[256];
    int used = snprintf(message, sizeof message, "the step at t = %.9g s is not certified: %s",
                        ut_sim_time(e->sim), ut_certificate_reason_name(c->reason));
    if (c->limit > 0.0 && used > 0 && (size_t)used < sizeof message) {
        snprintf(message + used, sizeof message - (size_t)used, " %.3g is more than %.0e", c->value,
                 c->limit);
    }
    e->text.size = 0;
    utJsonWriter w = ut_json_writer(engine_append, &e->text);
    ut_json_object_begin(&w);
    text(&w, "reason", ut_certificate_reason_name(c->reason));
    number(&w, "value", c->value);
    number(&w, "limit", c->limit);
    number(&w, "E", c->E);
    number(&w, "time", ut_sim_time(e->sim));
    text(&w, "message", message);
    ut_json_object_end(&w);
    return ut_json_ok(&w) ? e->text.data : NULL;
}
