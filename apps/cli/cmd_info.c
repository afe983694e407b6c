// SPDX-License-Identifier: Apache-2.0
// uptack info: print the tree, sizes, masses and frames of a model.
#include "cli.h"
#include "model.h"

#include <getopt.h>
#include <math.h>

typedef struct Options {
    const char* file;
    bool json;
    CliSets sets;
} Options;

enum { OPTION_SET = 256, OPTION_JSON };

static const struct option long_options[] = {
    {"set", required_argument, NULL, OPTION_SET},
    {"json", no_argument, NULL, OPTION_JSON},
    CLI_URDF_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_option(int option, void* context)
{
    Options* o = context;
    if (option == OPTION_SET) {
        return cli_add_set(&cli_info, optarg, &o->sets);
    }
    if (option == OPTION_JSON) {
        o->json = true;
        return CLI_OK;
    }
    return cli_set_urdf(&cli_info, option, optarg, &o->sets);
}

// ---- numbers ------------------------------------------------------------------------------------

enum { INERTIA = 6 }; // entries of a symmetric matrix

// xx yy zz xy xz yz
static void inertia_of(const utModelBody* body, double I[INERTIA])
{
    const double(*m)[3] = body->inertia.m;
    const double all[INERTIA] = {m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]};
    for (int k = 0; k < INERTIA; k++) {
        I[k] = all[k];
    }
}

// The number of entries of `size` that a shape uses.
static int sizes_of(utShapeKind kind)
{
    switch (kind) {
    case UT_SHAPE_SPHERE:
        return 1;
    case UT_SHAPE_CAPSULE:
    case UT_SHAPE_CYLINDER:
        return 2;
    case UT_SHAPE_BOX:
    case UT_SHAPE_ELLIPSOID:
    case UT_SHAPE_HEIGHTS:
        return 3;
    case UT_SHAPE_PLANE:
    case UT_SHAPE_HULL:
    case UT_SHAPE_MESH:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return 0;
}

enum { COUNTS = 2 };

// The numbers of vertices, faces and so on of a shape. @return number of entries filled
static int counts_of(const utShape* shape, const char* name[COUNTS], int count[COUNTS])
{
    switch (shape->kind) {
    case UT_SHAPE_HULL:
        name[0] = "vertices";
        name[1] = "faces";
        count[0] = shape->hull->vertices;
        count[1] = shape->hull->faces;
        return 2;
    case UT_SHAPE_MESH:
        name[0] = "vertices";
        name[1] = "triangles";
        count[0] = shape->mesh->vertices;
        count[1] = shape->mesh->triangles;
        return 2;
    case UT_SHAPE_HEIGHTS:
        name[0] = "columns";
        name[1] = "rows";
        count[0] = shape->heights->columns;
        count[1] = shape->heights->rows;
        return 2;
    default:
        return 0;
    }
}

static bool has_axis(utJointKind kind)
{
    return kind == UT_JOINT_HINGE || kind == UT_JOINT_SLIDE;
}

// ---- text ---------------------------------------------------------------------------------------

static void print_numbers(const char* what, const double* x, int count)
{
    printf(", %s", what);
    for (int k = 0; k < count; k++) {
        printf(" %.6g", x[k]);
    }
}

static void print_vec3(const char* what, utVec3 a)
{
    const double x[] = {a.x, a.y, a.z};
    print_numbers(what, x, 3);
}

// Print a pose, without the parts that are zero.
static void print_pose(utVec3 pos, utQuat quat)
{
    if (pos.x != 0.0 || pos.y != 0.0 || pos.z != 0.0) {
        print_vec3("pos", pos);
    }
    if (quat.x != 0.0 || quat.y != 0.0 || quat.z != 0.0) {
        const double x[] = {quat.w, quat.x, quat.y, quat.z};
        print_numbers("quat", x, 4);
    }
}

static void print_joint(const utModel* model, int j, int depth)
{
    const utModelJoint* joint = &model->joint[j];
    CliName room;
    printf("%*sjoint %s: %s, q[%d], v[%d]", 2 * depth, "", cli_name(joint->name, "joint", j, &room),
           ut_joint_kind_name(joint->kind), joint->q, joint->v);
    if (has_axis(joint->kind)) {
        print_vec3("axis", joint->axis);
    }
    if (joint->kind != UT_JOINT_FREE) {
        print_pose(joint->pos, ut_quat_identity());
    }
    if (joint->limited) {
        print_numbers("range", joint->range, 2);
    }
    const struct {
        const char* name;
        double value;
    } more[] = {
        {"ref", joint->ref},
        {"stiffness", joint->stiffness},
        {"springref", joint->springref},
        {"damping", joint->damping},
        {"armature", model->dof_armature[joint->v]},
        {"frictionloss", joint->frictionloss},
    };
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        if (more[k].value != 0.0) {
            print_numbers(more[k].name, &more[k].value, 1);
        }
    }
    if (joint->stiffness_poly[0] != 0.0 || joint->stiffness_poly[1] != 0.0) {
        print_numbers("stiffness_poly", joint->stiffness_poly, 2);
    }
    if (joint->damping_poly[0] != 0.0 || joint->damping_poly[1] != 0.0) {
        print_numbers("damping_poly", joint->damping_poly, 2);
    }
    putchar('\n');
}

static void print_geom(const utModel* model, int g, int depth)
{
    const utModelGeom* geom = &model->geom[g];
    const double size[] = {geom->shape.size.x, geom->shape.size.y, geom->shape.size.z};
    CliName room;
    printf("%*sgeom %s: %s", 2 * depth, "", cli_name(geom->name, "geom", g, &room),
           ut_shape_kind_name(geom->shape.kind));
    if (sizes_of(geom->shape.kind) > 0) {
        print_numbers("size", size, sizes_of(geom->shape.kind));
    }
    const char* name[COUNTS];
    int count[COUNTS];
    const int counts = counts_of(&geom->shape, name, count);
    for (int k = 0; k < counts; k++) {
        printf(", %d %s", count[k], name[k]);
    }
    print_pose(geom->in_body.p, geom->quat);
    printf(", friction %.6g\n", geom->friction);
}

static void print_body(const utModel* model, int i, int depth)
{
    const utModelBody* body = &model->body[i];
    CliName room;
    printf("%*sbody %s", 2 * depth, "", cli_name(body->name, "body", i, &room));
    if (i > 0) {
        double I[INERTIA];
        const char* kind = body->mocap >= 0 ? "mocap, " : "";
        inertia_of(body, I);
        printf(": %s%smass %.6g kg", kind, body->fast ? "fast, " : "", body->mass);
        print_pose(body->in_parent.p, body->quat);
        if (body->mass > 0.0) {
            print_vec3("com", body->com);
            print_numbers("inertia", I, I[3] != 0.0 || I[4] != 0.0 || I[5] != 0.0 ? INERTIA : 3);
        }
        if (body->gravcomp != 0.0) {
            print_numbers("gravcomp", &body->gravcomp, 1);
        }
    }
    putchar('\n');
    for (int j = 0; j < body->joints; j++) {
        print_joint(model, body->joint + j, depth + 1);
    }
    for (int g = 0; g < body->geoms; g++) {
        print_geom(model, body->geom + g, depth + 1);
    }
}

static int depth_of(const utModel* model, int body)
{
    int depth = 0;
    for (int i = body; model->body[i].parent >= 0; i = model->body[i].parent) {
        depth++;
    }
    return depth;
}

static void print_head(const Options* o, const utModel* model)
{
    const utOptions* options = &model->options;
    const char* name = model->name != NULL ? model->name : "";
    printf("%s: model%s%s\n", cli_file_name(o->file), name[0] != '\0' ? " " : "", name);
    printf("bodies      %d, %d joints, %d geoms, %d actuators, %d keyframes, %d trees, %d mocap\n",
           model->nbody - 1, model->njoint, model->ngeom, model->nactuator, model->nkeyframe,
           model->ntree, model->nmocap);
    printf("sizes       nq %d, nv %d, nu %d\n", model->nq, model->nv, model->nu);
    printf("moving mass %.6g kg\n", model->mass);
    printf("gravity     %.6g %.6g %.6g m/s^2\n", options->gravity.x, options->gravity.y,
           options->gravity.z);
    if (options->planar != UT_PLANAR_NONE) {
        printf("planar      %s\n", ut_planar_name(options->planar));
    }
    printf("run         %.6g s, dt %.6g s, %s\n", options->time, options->dt,
           ut_integrator_name(options->integrator));
    printf("contact     %s, solver %s, tolerance %.3g, %d directions\n\n",
           ut_formulation_name((utFormulation)options->formulation), options->solver,
           options->tolerance, options->directions);
}

static void print_tendon(const utModel* model, int i)
{
    const utModelTendon* t = &model->tendon[i];
    CliName room;
    printf("tendon %s: %s, length %.6g", cli_name(t->name, "tendon", i, &room),
           ut_tendon_kind_name(t->kind), t->length0);
    if (t->limited) {
        print_numbers("range", t->range, 2);
    }
    if (t->stiffness != 0.0) {
        print_numbers("stiffness", &t->stiffness, 1);
    }
    if (t->damping != 0.0) {
        print_numbers("damping", &t->damping, 1);
    }
    if (t->frictionloss != 0.0) {
        print_numbers("frictionloss", &t->frictionloss, 1);
    }
    putchar('\n');
}

// The name of a coupling's first or second joint or tendon; "none" for an absent one.
static const char* element_name(const utModel* model, const utModelEquality* e, int element,
                                CliName* room)
{
    const bool tendon = e->kind == UT_EQUALITY_TENDON;
    return element < 0 ? "none"
           : tendon    ? cli_name(model->tendon[element].name, "tendon", element, room)
                       : cli_name(model->joint[element].name, "joint", element, room);
}

static void print_coupling(const utModel* model, int i)
{
    const utModelEquality* e = &model->equality[i];
    CliName room, one, two;
    printf("equality %s: %s %s with %s", cli_name(e->name, "equality", i, &room),
           ut_equality_kind_name(e->kind), element_name(model, e, e->element1, &one),
           element_name(model, e, e->element2, &two));
    print_numbers("polycoef", e->polycoef, 5);
    printf("%s\n", e->active ? "" : ", not active");
}

// The name of what an actuator drives.
static const char* driven_by(const utModel* model, const utModelActuator* a, CliName* room)
{
    if (a->equality >= 0) {
        return cli_name(model->equality[a->equality].name, "joint", a->equality, room);
    }
    if (a->tendon >= 0) {
        return cli_name(model->tendon[a->tendon].name, "tendon", a->tendon, room);
    }
    const int site = a->site >= 0 ? a->site : a->crank_site;
    return site >= 0 ? cli_name(model->site[site].name, "site", site, room)
                     : cli_name(model->joint[a->joint].name, "joint", a->joint, room);
}

static void print_rest(const utModel* model)
{
    CliName room;
    for (int i = 0; i < model->ntendon; i++) {
        print_tendon(model, i);
    }
    for (int a = 0; a < model->nactuator; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        CliName driven;
        printf("actuator %s: %s on %s, gear %.6g\n", cli_name(actuator->name, "actuator", a, &room),
               ut_actuator_kind_name(actuator->kind), driven_by(model, actuator, &driven),
               actuator->gear[0]);
    }
    for (int i = 0; i < model->nequality; i++) {
        const utModelEquality* equality = &model->equality[i];
        CliName one, two;
        if (ut_equality_is_coupling(equality->kind)) {
            print_coupling(model, i);
            continue;
        }
        printf("equality %s: %s of %s and %s",
               cli_name(equality->name, equality->joint ? "joint" : "equality", i, &room),
               ut_equality_kind_name(equality->kind),
               cli_name(model->body[equality->body1].name, "body", equality->body1, &one),
               cli_name(model->body[equality->body2].name, "body", equality->body2, &two));
        print_pose(equality->in1.p, equality->quat1);
        if (equality->limited) {
            print_numbers("range", equality->range, 2);
        }
        printf("%s\n", equality->active ? "" : ", not active");
    }
    for (int i = 0; i < model->npair; i++) {
        const utModelPair* pair = &model->pair[i];
        CliName one, two;
        printf("pair %s: %s and %s, condim %d", cli_name(pair->name, "pair", i, &room),
               cli_side_name(model, pair->geom1, &one), cli_side_name(model, pair->geom2, &two),
               pair->condim);
        print_numbers("friction", pair->friction, 5);
        putchar('\n');
    }
    for (int k = 0; k < model->nkeyframe; k++) {
        printf("keyframe %s: time %.6g s\n", cli_name(model->keyframe[k].name, "key", k, &room),
               model->keyframe[k].time);
    }
}

static void print_sensors(const utModel* model)
{
    CliName room;
    for (int i = 0; i < model->nsensor; i++) {
        const utModelSensor* sensor = &model->sensor[i];
        printf("sensor %s: %s, %d value%s", cli_name(sensor->name, "sensor", i, &room),
               ut_sensor_traits(sensor->kind).name, sensor->dim, sensor->dim > 1 ? "s" : "");
        if (sensor->cutoff > 0.0) {
            print_numbers("cutoff", &sensor->cutoff, 1);
        }
        putchar('\n');
    }
}

static void print_text(const Options* o, const utModel* model)
{
    print_head(o, model);
    for (int i = 0; i < model->nbody; i++) {
        print_body(model, i, depth_of(model, i));
    }
    print_rest(model);
    print_sensors(model);
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_integer(utJsonWriter* w, const char* key, int value)
{
    ut_json_key(w, key);
    ut_json_integer(w, value);
}

static void json_number(utJsonWriter* w, const char* key, double value)
{
    ut_json_key(w, key);
    ut_json_number(w, value);
}

static void json_text(utJsonWriter* w, const char* key, const char* value)
{
    ut_json_key(w, key);
    ut_json_string(w, value);
}

static void json_doubles(utJsonWriter* w, const char* key, const double* x, int count)
{
    ut_json_key(w, key);
    ut_json_doubles(w, x, count);
}

static void json_vec3(utJsonWriter* w, const char* key, utVec3 a)
{
    const double x[] = {a.x, a.y, a.z};
    json_doubles(w, key, x, 3);
}

static void json_pose(utJsonWriter* w, utVec3 pos, utQuat quat)
{
    const double x[] = {quat.w, quat.x, quat.y, quat.z};
    json_vec3(w, "pos", pos);
    json_doubles(w, "quat", x, 4);
}

static void json_head(const Options* o, const utModel* model, utJsonWriter* w)
{
    const utOptions* options = &model->options;
    json_text(w, "model", o->file);
    json_text(w, "name", model->name != NULL ? model->name : "");
    json_integer(w, "nq", model->nq);
    json_integer(w, "nv", model->nv);
    json_integer(w, "nu", model->nu);
    json_integer(w, "trees", model->ntree);
    json_integer(w, "mocaps", model->nmocap);
    json_number(w, "mass", model->mass);
    json_vec3(w, "gravity", options->gravity);
    json_number(w, "time", options->time);
    json_number(w, "dt", options->dt);
    json_text(w, "integrator", ut_integrator_name(options->integrator));
    json_text(w, "planar", ut_planar_name(options->planar));
    json_text(w, "formulation", ut_formulation_name((utFormulation)options->formulation));
    json_text(w, "solver", options->solver);
    json_number(w, "tolerance", options->tolerance);
    json_integer(w, "directions", options->directions);
}

static void json_body(const utModel* model, int i, utJsonWriter* w)
{
    const utModelBody* body = &model->body[i];
    double I[INERTIA];
    CliName room;
    inertia_of(body, I);
    ut_json_object_begin(w);
    json_text(w, "name", cli_name(body->name, "body", i, &room));
    json_integer(w, "parent", body->parent);
    json_pose(w, body->in_parent.p, body->quat);
    json_number(w, "mass", body->mass);
    json_vec3(w, "com", body->com);
    json_doubles(w, "inertia", I, INERTIA);
    ut_json_key(w, "mocap");
    ut_json_bool(w, body->mocap >= 0);
    ut_json_key(w, "fast");
    ut_json_bool(w, body->fast);
    json_number(w, "gravcomp", body->gravcomp);
    ut_json_object_end(w);
}

static void json_joint(const utModel* model, int j, utJsonWriter* w)
{
    const utModelJoint* joint = &model->joint[j];
    CliName room;
    ut_json_object_begin(w);
    json_text(w, "name", cli_name(joint->name, "joint", j, &room));
    json_text(w, "kind", ut_joint_kind_name(joint->kind));
    json_integer(w, "body", joint->body);
    json_integer(w, "q", joint->q);
    json_integer(w, "v", joint->v);
    json_vec3(w, "pos", joint->pos);
    json_vec3(w, "axis", joint->axis);
    ut_json_key(w, "range");
    if (joint->limited) {
        ut_json_doubles(w, joint->range, 2);
    } else {
        ut_json_null(w);
    }
    json_number(w, "ref", joint->ref);
    json_number(w, "stiffness", joint->stiffness);
    json_number(w, "springref", joint->springref);
    json_number(w, "damping", joint->damping);
    json_number(w, "armature", model->dof_armature[joint->v]);
    json_number(w, "frictionloss", joint->frictionloss);
    json_doubles(w, "stiffness_poly", joint->stiffness_poly, 2);
    json_doubles(w, "damping_poly", joint->damping_poly, 2);
    ut_json_object_end(w);
}

static void json_geom(const utModel* model, int g, utJsonWriter* w)
{
    const utModelGeom* geom = &model->geom[g];
    const double size[] = {geom->shape.size.x, geom->shape.size.y, geom->shape.size.z};
    CliName room;
    ut_json_object_begin(w);
    json_text(w, "name", cli_name(geom->name, "geom", g, &room));
    json_text(w, "shape", ut_shape_kind_name(geom->shape.kind));
    json_integer(w, "body", geom->body);
    json_doubles(w, "size", size, sizes_of(geom->shape.kind));
    const char* name[COUNTS];
    int count[COUNTS];
    const int counts = counts_of(&geom->shape, name, count);
    for (int k = 0; k < counts; k++) {
        json_integer(w, name[k], count[k]);
    }
    json_pose(w, geom->in_body.p, geom->quat);
    json_number(w, "friction", geom->friction);
    json_number(w, "margin", geom->margin);
    ut_json_object_end(w);
}

static void json_sensor(const utModel* model, int i, utJsonWriter* w)
{
    const utModelSensor* sensor = &model->sensor[i];
    CliName room;
    ut_json_object_begin(w);
    json_text(w, "name", cli_name(sensor->name, "sensor", i, &room));
    json_text(w, "kind", ut_sensor_traits(sensor->kind).name);
    json_integer(w, "start", sensor->start);
    json_integer(w, "dim", sensor->dim);
    json_number(w, "cutoff", sensor->cutoff);
    ut_json_object_end(w);
}

static void json_actuator(const utModel* model, int a, utJsonWriter* w)
{
    const utModelActuator* actuator = &model->actuator[a];
    CliName room;
    ut_json_object_begin(w);
    json_text(w, "name", cli_name(actuator->name, "actuator", a, &room));
    json_text(w, "kind", ut_actuator_kind_name(actuator->kind));
    json_integer(w, "joint", actuator->joint);
    json_text(w, "drives", driven_by(model, actuator, &room));
    json_number(w, "gear", actuator->gear[0]);
    json_number(w, "kp", actuator->gain[0]);
    json_number(w, "kv", -actuator->bias[2]);
    json_doubles(w, "gain", actuator->gain, 3);
    json_doubles(w, "bias", actuator->bias, 3);
    json_text(w, "dynamics", ut_actuator_dynamics_name(actuator->dynamics));
    json_number(w, "time_constant", actuator->time_constant);
    ut_json_object_end(w);
}

static void json_equality(const utModel* model, int i, utJsonWriter* w)
{
    const utModelEquality* equality = &model->equality[i];
    CliName room;
    ut_json_object_begin(w);
    json_text(w, "name",
              cli_name(equality->name, equality->joint ? "joint" : "equality", i, &room));
    json_text(w, "kind", ut_equality_kind_name(equality->kind));
    if (ut_equality_is_coupling(equality->kind)) {
        json_integer(w, "element1", equality->element1);
        json_integer(w, "element2", equality->element2);
        json_doubles(w, "polycoef", equality->polycoef, 5);
    } else {
        json_integer(w, "body1", equality->body1);
        json_integer(w, "body2", equality->body2);
        json_vec3(w, "point1", equality->in1.p);
        json_vec3(w, "point2", equality->in2.p);
    }
    ut_json_key(w, "active");
    ut_json_bool(w, equality->active);
    ut_json_key(w, "joint");
    ut_json_bool(w, equality->joint);
    ut_json_object_end(w);
}

static void json_pair(const utModel* model, int i, utJsonWriter* w)
{
    const utModelPair* pair = &model->pair[i];
    CliName room;
    ut_json_object_begin(w);
    json_text(w, "name", cli_name(pair->name, "pair", i, &room));
    json_integer(w, "geom1", pair->geom1);
    json_integer(w, "geom2", pair->geom2);
    json_integer(w, "condim", pair->condim);
    json_doubles(w, "friction", pair->friction, 5);
    json_number(w, "margin", pair->margin);
    json_number(w, "gap", pair->gap);
    ut_json_object_end(w);
}

static void json_keyframe(const utModel* model, int k, utJsonWriter* w)
{
    CliName room;
    ut_json_object_begin(w);
    json_text(w, "name", cli_name(model->keyframe[k].name, "key", k, &room));
    json_number(w, "time", model->keyframe[k].time);
    ut_json_object_end(w);
}

static void json_tendon(const utModel* model, int i, utJsonWriter* w)
{
    const utModelTendon* t = &model->tendon[i];
    CliName room;
    ut_json_object_begin(w);
    json_text(w, "name", cli_name(t->name, "tendon", i, &room));
    json_text(w, "kind", ut_tendon_kind_name(t->kind));
    json_number(w, "length", t->length0);
    json_integer(w, "velocities", t->terms);
    if (t->limited) {
        json_doubles(w, "range", t->range, 2);
    }
    json_number(w, "stiffness", t->stiffness);
    json_number(w, "damping", t->damping);
    json_number(w, "frictionloss", t->frictionloss);
    ut_json_object_end(w);
}

static void json_list(const utModel* model, const char* key, int count,
                      void (*print)(const utModel* model, int index, utJsonWriter* w),
                      utJsonWriter* w)
{
    ut_json_key(w, key);
    ut_json_array_begin(w);
    for (int i = 0; i < count; i++) {
        print(model, i, w);
    }
    ut_json_array_end(w);
}

static void print_json(const Options* o, const utModel* model)
{
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    json_head(o, model, &w);
    json_list(model, "bodies", model->nbody, json_body, &w);
    json_list(model, "joints", model->njoint, json_joint, &w);
    json_list(model, "geoms", model->ngeom, json_geom, &w);
    if (model->ntendon > 0) {
        json_list(model, "tendons", model->ntendon, json_tendon, &w);
    }
    json_list(model, "actuators", model->nactuator, json_actuator, &w);
    json_list(model, "equalities", model->nequality, json_equality, &w);
    json_list(model, "pairs", model->npair, json_pair, &w);
    json_list(model, "keyframes", model->nkeyframe, json_keyframe, &w);
    json_list(model, "sensors", model->nsensor, json_sensor, &w);
    ut_json_object_end(&w);
    putchar('\n');
}

// ---- the verb -----------------------------------------------------------------------------------

static int run(int argc, char** argv)
{
    Options o = {0};
    int code = cli_parse(&cli_info, argc, argv, long_options, set_option, &o, &o.file);
    if (code != CLI_OK || o.file == NULL) {
        return code;
    }
    CliModel loaded;
    utError err;
    if (cli_load_model(o.file, &o.sets, &loaded, &err) != UT_OK) {
        code = cli_fail(&err);
    } else if (o.json) {
        print_json(&o, loaded.model);
    } else {
        print_text(&o, loaded.model);
    }
    cli_free_model(&loaded);
    return code;
}

const CliVerb cli_info = {
    .name = "info",
    .summary = "print a model's tree, sizes, masses, inertias and frames",
    .usage = "uptack info MODEL [--set NAME.ATTR=VALUE]... [--json]",
    .help =
        "MODEL is an MJCF or URDF file, - for standard input, or a scene such as stack:30. Bodies\n"
        "are printed as a tree with their joints and geoms. pos and quat are given in the "
        "parent's\n"
        "frame, com (centre of mass) and inertia in the body's own frame. inertia is about com:\n"
        "xx yy zz, followed by xy xz yz if these are not 0.\n"
        "\n"
        "  --set NAME.ATTR=VALUE first change an attribute: box.mass=2, option.dt=1e-3;\n"
        "                        repeatable\n"
        "  --json                print the same as JSON; bodies[0] is the world\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: printed; 1: the model cannot be used; 2: usage.\n",
    .run = run,
    .operand = "MODEL",
    .print_appendix = cli_print_urdf_help,
};
