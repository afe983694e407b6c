// SPDX-License-Identifier: Apache-2.0
// The hash of a model: its contents field by field, never the bytes of structs, because their
// padding is undefined. Integers are hashed as doubles, which have the same bytes everywhere.
// Fields added later are hashed only where they differ from their default, so that recordings of
// older models keep their hash.
#include "internal.h"

#include <string.h>

static void add_doubles(uint64_t* hash, const double* values, int count)
{
    *hash = ut_hash_doubles(*hash, values, (size_t)count);
}

static void add_double(uint64_t* hash, double value)
{
    add_doubles(hash, &value, 1);
}

static void add_int(uint64_t* hash, int value)
{
    add_double(hash, value);
}

static void add_ints(uint64_t* hash, const int* values, int count)
{
    for (int i = 0; i < count; i++) {
        add_int(hash, values[i]);
    }
}

// Hash the final 0 too, so that "ab" "c" and "a" "bc" differ.
static void add_text(uint64_t* hash, const char* text)
{
    *hash = ut_hash_bytes(*hash, text, strlen(text) + 1);
}

static void add_vec3(uint64_t* hash, utVec3 v)
{
    add_doubles(hash, (const double[]){v.x, v.y, v.z}, 3);
}

static void add_quat(uint64_t* hash, utQuat q)
{
    add_doubles(hash, (const double[]){q.w, q.x, q.y, q.z}, 4);
}

static void add_impacts(uint64_t* hash, const utOptions* options)
{
    const utOptions defaults = ut_options();
    if (options->bounce != defaults.bounce || options->impact != defaults.impact ||
        options->simultaneous != defaults.simultaneous ||
        options->detection != defaults.detection) {
        add_double(hash, options->bounce);
        add_ints(hash,
                 (const int[]){options->impact, options->simultaneous, (int)options->detection}, 3);
    }
}

static void add_options(uint64_t* hash, const utOptions* options)
{
    add_double(hash, options->dt);
    add_vec3(hash, options->gravity);
    add_int(hash, (int)options->integrator);
    add_double(hash, options->time);
    add_double(hash, options->tolerance);
    add_text(hash, ut_formulation_name((utFormulation)options->formulation));
    add_text(hash, options->solver);
    add_int(hash, options->directions);
    add_int(hash, options->relinearize);
    add_double(hash, options->regularization);
    add_double(hash, options->relaxation);
    add_double(hash, options->rho);
    add_ints(hash,
             (const int[]){options->scale_dt, options->mixed, options->minnorm, options->midpoint},
             4);
    if (options->coordinates != UT_COORDINATES_GENERALIZED) {
        add_int(hash, (int)options->coordinates);
    }
    if (options->planar != UT_PLANAR_NONE) {
        add_int(hash, (int)options->planar); // determines the figures of geoms
    }
    if (options->parents_collide) {
        add_text(hash, "parents_collide");
    }
    add_impacts(hash, options);
    const utVec3 magnetic = ut_options().magnetic;
    if (ut_vec3_norm(ut_vec3_sub(options->magnetic, magnetic)) != 0.0) {
        add_vec3(hash, options->magnetic);
    }
}

// Quaternions determine the rotation matrices.
static void add_body(uint64_t* hash, const utModelBody* body)
{
    add_text(hash, body->name);
    add_int(hash, body->parent);
    add_vec3(hash, body->in_parent.p);
    add_quat(hash, body->quat);
    add_double(hash, body->mass);
    add_vec3(hash, body->com);
    add_doubles(hash, body->inertia.m[0], 3);
    add_doubles(hash, body->inertia.m[1], 3);
    add_doubles(hash, body->inertia.m[2], 3);
    add_ints(hash, (const int[]){body->joint, body->joints, body->dof, body->dofs}, 4);
    add_ints(hash, (const int[]){body->last_dof, body->tree, body->weld, body->mocap}, 4);
    add_ints(hash, (const int[]){body->geom, body->geoms}, 2);
    if (body->fast) {
        add_int(hash, 1);
    }
    if (body->gravcomp != 0.0) {
        add_text(hash, "gravcomp"); // so that it differs from `fast`
        add_double(hash, body->gravcomp);
    }
}

static void add_joint(uint64_t* hash, const utModelJoint* joint)
{
    add_text(hash, joint->name);
    add_ints(hash, (const int[]){(int)joint->kind, joint->body, joint->q, joint->v}, 4);
    add_vec3(hash, joint->pos);
    add_vec3(hash, joint->axis);
    add_int(hash, joint->limited);
    add_doubles(hash, joint->range, 2);
    add_double(hash, joint->ref);
    add_double(hash, joint->stiffness);
    add_double(hash, joint->springref);
    add_double(hash, joint->damping);
    add_double(hash, joint->frictionloss);
    add_double(hash, joint->reach);
    if (joint->actuator_force_limited) {
        add_doubles(hash, joint->actuator_force_range, 2);
    }
    if (joint->actuator_gravcomp) {
        add_text(hash, "actuator_gravcomp");
    }
    const double* k = joint->stiffness_poly;
    const double* d = joint->damping_poly;
    if (k[0] != 0.0 || k[1] != 0.0 || d[0] != 0.0 || d[1] != 0.0) {
        add_doubles(hash, k, 2);
        add_doubles(hash, d, 2);
    }
}

static void add_points(uint64_t* hash, const utVec3* point, int count)
{
    add_int(hash, count);
    for (int i = 0; i < count; i++) {
        add_vec3(hash, point[i]);
    }
}

// Hash the points, triangles or heights, which determine the other fields.
static void add_shape(uint64_t* hash, const utShape* shape)
{
    add_int(hash, (int)shape->kind);
    add_vec3(hash, shape->size);
    if (shape->kind == UT_SHAPE_HULL) {
        add_points(hash, shape->hull->vertex, shape->hull->vertices);
    } else if (shape->kind == UT_SHAPE_MESH) {
        add_points(hash, shape->mesh->vertex, shape->mesh->vertices);
        add_int(hash, shape->mesh->triangles);
        add_ints(hash, shape->mesh->triangle, 3 * shape->mesh->triangles);
    } else if (shape->kind == UT_SHAPE_HEIGHTS) {
        const utHeights* heights = shape->heights;
        add_ints(hash, (const int[]){heights->columns, heights->rows}, 2);
        add_doubles(hash, heights->height, heights->columns * heights->rows);
    }
}

static void add_geom(uint64_t* hash, const utModelGeom* geom)
{
    add_text(hash, geom->name);
    add_shape(hash, &geom->shape);
    add_int(hash, geom->body);
    add_vec3(hash, geom->in_body.p);
    add_quat(hash, geom->quat);
    add_double(hash, geom->friction);
    add_double(hash, geom->kinetic);
    add_vec3(hash, geom->surface_velocity);
    add_vec3(hash, geom->surface_spin);
    for (int k = 0; k < 3; k++) {
        *hash = ut_expression_hash(*hash, &geom->surface[k]);
    }
    add_double(hash, geom->margin);
    add_ints(hash, (const int[]){geom->priority, geom->contype, geom->conaffinity, geom->group}, 4);
    add_double(hash, geom->radius);
    if (geom->restitution != 0.0) {
        add_double(hash, geom->restitution);
    }
    if (geom->condim != 3) {
        add_int(hash, geom->condim);
    }
    // they count when the other geom of a pair has a larger condim, too
    if (geom->torsional != UT_DEFAULT_TORSIONAL || geom->rolling != UT_DEFAULT_ROLLING) {
        add_doubles(hash, (const double[]){geom->torsional, geom->rolling}, 2);
    }
}

static void add_site(uint64_t* hash, const utModelSite* site)
{
    add_text(hash, site->name);
    add_int(hash, site->body);
    add_vec3(hash, site->in_body.p);
    add_quat(hash, site->quat);
}

static void add_point(uint64_t* hash, const utModelPoint* point)
{
    add_ints(hash, (const int[]){point->site, point->geom}, 2);
    add_vec3(hash, point->normal);
    add_doubles(hash, (const double[]){point->offset, point->friction, point->kinetic}, 3);
}

static void add_motion(uint64_t* hash, const utModelMotion* motion)
{
    add_int(hash, motion->body);
    for (int k = 0; k < 6; k++) {
        add_int(hash, motion->given[k]);
        *hash = ut_expression_hash(*hash, &motion->at[k]);
    }
    add_text(hash, motion->sequence);
}

static void add_spring(uint64_t* hash, const utModelSpring* spring)
{
    add_text(hash, spring->name);
    add_ints(hash, (const int[]){spring->site1, spring->site2, spring->full}, 3);
    add_doubles(hash, (const double[]){spring->stiffness, spring->length, spring->damping}, 3);
}

static void add_tendon(uint64_t* hash, const utModelTendon* tendon)
{
    add_text(hash, tendon->name);
    add_ints(hash, (const int[]){(int)tendon->kind, tendon->wraps, tendon->limited}, 3);
    for (int k = 0; k < tendon->wraps; k++) {
        const utWrap* wrap = &tendon->wrap[k];
        add_ints(hash, (const int[]){(int)wrap->kind, wrap->object, wrap->side}, 3);
        add_double(hash, wrap->value);
    }
    add_doubles(hash, tendon->range, 2);
    add_doubles(hash, (const double[]){tendon->margin, tendon->frictionloss, tendon->armature}, 3);
    add_double(hash, tendon->stiffness);
    add_doubles(hash, tendon->stiffness_poly, 2);
    add_double(hash, tendon->damping);
    add_doubles(hash, tendon->damping_poly, 2);
    add_doubles(hash, tendon->spring_length, 2);
    if (tendon->actuator_force_limited) {
        add_doubles(hash, tendon->actuator_force_range, 2);
    }
}

// All but motors and position actuators of hinges, slides and equalities, which came first.
static void add_more_of_actuator(uint64_t* hash, const utModelActuator* a)
{
    const bool scalar = a->dof >= 0 || a->equality >= 0;
    if (scalar && a->kind <= UT_ACTUATOR_POSITION && a->dynamics == UT_DYNAMICS_NONE) {
        return;
    }
    add_ints(hash,
             (const int[]){(int)a->transmission, a->in_parent, a->tendon, a->site, a->ref_site,
                           a->crank_site, a->slider_site, (int)a->dynamics, a->act_early,
                           a->act_limited},
             10);
    add_double(hash, a->crank_length);
    add_doubles(hash, a->gear + 1, 5);
    add_doubles(hash, a->gain, 3);
    add_doubles(hash, a->bias, 3);
    add_double(hash, a->time_constant);
    add_doubles(hash, a->act_range, 2);
}

static void add_actuator(uint64_t* hash, const utModelActuator* actuator)
{
    const bool motor = actuator->kind == UT_ACTUATOR_MOTOR;
    add_text(hash, actuator->name);
    add_ints(hash, (const int[]){(int)actuator->kind, actuator->joint, actuator->dof}, 3);
    add_double(hash, actuator->gear[0]);
    add_double(hash, motor ? 1.0 : actuator->gain[0]);  // kp
    add_double(hash, motor ? 0.0 : -actuator->bias[2]); // kv
    if (actuator->equality >= 0) {
        add_int(hash, actuator->equality);
    }
    add_int(hash, actuator->ctrl_limited);
    add_int(hash, actuator->force_limited);
    add_doubles(hash, actuator->ctrl_range, 2);
    add_doubles(hash, actuator->force_range, 2);
    add_more_of_actuator(hash, actuator);
}

static void add_equality(uint64_t* hash, const utModelEquality* equality)
{
    add_text(hash, equality->name);
    add_ints(hash, (const int[]){(int)equality->kind, equality->body1, equality->body2}, 3);
    add_vec3(hash, equality->in1.p);
    add_vec3(hash, equality->in2.p);
    add_quat(hash, equality->quat1);
    add_quat(hash, equality->quat2);
    add_ints(hash, (const int[]){equality->active, equality->joint, equality->limited}, 3);
    add_double(hash, equality->ref);
    add_doubles(hash, equality->range, 2);
    add_double(hash, equality->frictionloss);
    add_double(hash, equality->stiffness);
    add_double(hash, equality->springref);
    add_double(hash, equality->damping);
    add_double(hash, equality->armature);
    add_double(hash, equality->reach);
    if (ut_equality_is_coupling(equality->kind)) {
        add_ints(hash, (const int[]){equality->element1, equality->element2}, 2);
        add_doubles(hash, equality->polycoef, 5);
    }
}

static void add_pair(uint64_t* hash, const utModelPair* pair)
{
    add_text(hash, pair->name);
    add_ints(hash, (const int[]){pair->geom1, pair->geom2, pair->condim}, 3);
    add_doubles(hash, pair->friction, 5);
    add_doubles(hash, (const double[]){pair->kinetic, pair->restitution, pair->margin, pair->gap},
                4);
}

static void add_keyframe(uint64_t* hash, const utModel* model, const utModelKeyframe* key)
{
    add_text(hash, key->name);
    add_double(hash, key->time);
    add_doubles(hash, key->q, model->nq);
    add_doubles(hash, key->v, model->nv);
    add_doubles(hash, key->ctrl, model->nu);
    add_doubles(hash, key->act, model->na);
    add_doubles(hash, key->mocap_pos, 3 * model->nmocap);
    add_doubles(hash, key->mocap_quat, 4 * model->nmocap);
}

// The volume of a site counts where a sensor uses it.
static void add_sensor(uint64_t* hash, const utModel* model, const utModelSensor* sensor)
{
    add_text(hash, sensor->name);
    add_ints(hash, (const int[]){(int)sensor->kind, (int)sensor->object, sensor->index}, 3);
    add_ints(hash, (const int[]){(int)sensor->reference, sensor->reference_index}, 2);
    add_double(hash, sensor->cutoff);
    const int site = sensor->kind == UT_SENSOR_TOUCH         ? sensor->index
                     : sensor->kind == UT_SENSOR_INSIDE_SITE ? sensor->reference_index
                                                             : -1;
    if (site >= 0) {
        add_shape(hash, &model->site[site].shape);
    }
}

static void add_arrays(uint64_t* hash, const utModel* model)
{
    for (int i = 0; i < model->ntree; i++) {
        const utModelTree* tree = &model->tree[i];
        add_ints(hash, (const int[]){tree->body, tree->bodies, tree->dof, tree->dofs}, 4);
        add_int(hash, tree->free);
    }
    add_ints(hash, model->dof_parent, model->nv);
    add_ints(hash, model->dof_joint, model->nv);
    add_ints(hash, model->dof_body, model->nv);
    add_doubles(hash, model->dof_armature, model->nv);
    add_doubles(hash, model->dof_damping, model->nv);
    add_doubles(hash, model->q0, model->nq);
    add_doubles(hash, model->mocap_pos, 3 * model->nmocap);
    add_doubles(hash, model->mocap_quat, 4 * model->nmocap);
    add_ints(hash, model->exclude, 2 * model->nexclude);
}

uint64_t ut_model_hash(const utModel* model)
{
    uint64_t hash = UT_HASH_START;
    add_text(&hash, model->name);
    add_options(&hash, &model->options);
    add_ints(&hash, (const int[]){model->nbody, model->njoint, model->ngeom, model->nactuator}, 4);
    add_ints(&hash, (const int[]){model->nkeyframe, model->ntree, model->nmocap}, 3);
    add_ints(&hash, (const int[]){model->nq, model->nv, model->nu, model->nexclude}, 4);
    for (int i = 0; i < model->nbody; i++) {
        add_body(&hash, &model->body[i]);
    }
    for (int i = 0; i < model->njoint; i++) {
        add_joint(&hash, &model->joint[i]);
    }
    for (int i = 0; i < model->ngeom; i++) {
        add_geom(&hash, &model->geom[i]);
    }
    for (int i = 0; i < model->nsite; i++) {
        add_site(&hash, &model->site[i]);
    }
    for (int i = 0; i < model->npoint; i++) {
        add_point(&hash, &model->point[i]);
    }
    for (int i = 0; i < model->nmotion; i++) {
        add_motion(&hash, &model->motion[i]);
    }
    for (int i = 0; i < model->nspring; i++) {
        add_spring(&hash, &model->spring[i]);
    }
    for (int i = 0; i < model->ntendon; i++) {
        add_tendon(&hash, &model->tendon[i]);
    }
    for (int i = 0; i < model->nactuator; i++) {
        add_actuator(&hash, &model->actuator[i]);
    }
    for (int i = 0; i < model->nequality; i++) {
        add_equality(&hash, &model->equality[i]);
    }
    for (int i = 0; i < model->npair; i++) {
        add_pair(&hash, &model->pair[i]);
    }
    for (int i = 0; i < model->nkeyframe; i++) {
        add_keyframe(&hash, model, &model->keyframe[i]);
    }
    for (int i = 0; i < model->nsensor; i++) {
        add_sensor(&hash, model, &model->sensor[i]);
    }
    add_arrays(&hash, model);
    add_double(&hash, model->mass);
    return hash;
}
