// SPDX-License-Identifier: Apache-2.0
// Bodies, joints, velocities, trees and geoms of the model.
//
// Joints are ordered by body and keep their order within one body; positions and velocities have the
// order of the joints. Bodies are in depth-first order, so that the bodies of a subtree, and their
// velocities, follow each other without gaps.
#include "model/internal.h"

#include <string.h>

// Order `count` elements by body with a stable counting sort. `body_of` gives the body of an element.
static void order_by_body(Work* work, int count, int (*body_of)(const utModelDef*, int), int* order)
{
    int* first = work->scratch.first;
    const int bodies = work->model->nbody;
    for (int b = 0; b < bodies; b++) {
        first[b] = 0;
    }
    for (int i = 0; i < count; i++) {
        first[body_of(work->def, i)]++;
    }
    for (int b = 0, at = 0; b < bodies; b++) {
        const int here = first[b];
        first[b] = at;
        at += here;
    }
    for (int i = 0; i < count; i++) {
        order[first[body_of(work->def, i)]++] = i;
    }
}

static int joint_body(const utModelDef* def, int i)
{
    return ut_model_joint_def(def, i)->body;
}

static int geom_body(const utModelDef* def, int i)
{
    return ut_model_geom_def(def, i)->body;
}

// ---- joints -------------------------------------------------------------------------------------

// Positions at the modelled pose.
static void fill_q0(Work* work, const utModelJoint* joint)
{
    double* q = work->array.q0 + joint->q;
    const utModelBody* body = &work->array.body[joint->body];
    switch (joint->kind) {
    case UT_JOINT_FREE:
        // the body is a child of the world, so in_parent is its pose in the world
        ut_model_store_vec3(body->in_parent.p, q);
        ut_model_store_quat(body->quat, q + 3);
        break;
    case UT_JOINT_PLANAR:
    case UT_JOINT_PARTICLE: {
        const utPlanar planar = work->def->options.planar;
        const utPlane plane = ut_plane(planar);
        const utVec2 at = ut_plane_in(&plane, body->in_parent.p);
        q[0] = at.x;
        q[1] = at.y;
        if (joint->kind == UT_JOINT_PLANAR) {
            q[2] = ut_model_flat_angle(planar, body->quat);
        }
        break;
    }
    case UT_JOINT_BALL:
        ut_model_store_quat(ut_quat_identity(), q);
        break;
    case UT_JOINT_HINGE:
    case UT_JOINT_SLIDE:
    case UT_JOINT_KIND_COUNT:
        q[0] = joint->ref;
        break;
    }
}

// Fill joint `at` of the model, which moves body `b`. @param q, v its first position and velocity
static void fill_joint(Work* work, int at, int b, int q, int v)
{
    const utJointDef* def = ut_model_joint_def(work->def, work->scratch.described_joint[at]);
    utModelJoint* joint = &work->array.joint[at];
    work->scratch.joint_of_described[work->scratch.described_joint[at]] = at;
    *joint = (utModelJoint){
        .name = ut_model_keep_text(work, def->name),
        .kind = ut_model_joint_kind(work->def, work->scratch.described_joint[at]),
        .body = b,
        .q = q,
        .v = v,
        .pos = def->kind == UT_JOINT_FREE ? ut_vec3_zero() : def->pos,
        .limited = def->limited,
        .range = {def->range[0], def->range[1]},
        .actuator_force_limited = def->actuator_force_limited,
        .actuator_force_range = {def->actuator_force_range[0], def->actuator_force_range[1]},
        .actuator_gravcomp = def->actuator_gravcomp,
        .ref = def->ref,
        .stiffness = def->stiffness,
        .springref = def->springref,
        .damping = def->damping,
        .frictionloss = def->frictionloss,
        .stiffness_poly = {def->stiffness_poly[0], def->stiffness_poly[1]},
        .damping_poly = {def->damping_poly[0], def->damping_poly[1]},
        .reach = 1.0,
    };
    if (!ut_vec3_normalize(def->axis, &joint->axis)) {
        joint->axis = ut_vec3(0.0, 0.0, 1.0); // balls and free joints have no axis
    }
    joint->axis = ut_model_flat_axis(work->def->options.planar, joint->kind, joint->axis);
    fill_q0(work, joint);
    for (int k = v; k < v + ut_joint_velocities(joint->kind); k++) {
        work->array.dof_joint[k] = at;
        work->array.dof_body[k] = b;
        work->array.dof_armature[k] = def->armature;
        work->array.dof_damping[k] = def->damping;
    }
}

// ---- bodies -------------------------------------------------------------------------------------

static void fill_frame(Work* work, int b)
{
    const utBodyDef* def = ut_model_body_def(work->def, b);
    utModelBody* body = &work->array.body[b];
    ut_model_unit(def->quat, &body->quat);
    (void)ut_model_flat_quat(work->def->options.planar, body->quat, &body->quat);
    body->in_parent = ut_frame(ut_quat_to_mat3(body->quat), def->pos);
    work->scratch.in_world[b] =
        b > 0 ? ut_frame_mul(work->scratch.in_world[def->parent], body->in_parent)
              : body->in_parent;
}

static void fill_mocap(Work* work, int b)
{
    utModelBody* body = &work->array.body[b];
    body->mocap = -1;
    if (ut_model_def_mocap(work->def, b)) {
        body->mocap = work->model->nmocap++;
        ut_model_store_vec3(body->in_parent.p, work->array.mocap_pos + 3 * body->mocap);
        ut_model_store_quat(body->quat, work->array.mocap_quat + 4 * body->mocap);
    }
}

// Fill the velocities, the tree and the group of body b from its joints and its parent.
static void fill_motion(Work* work, int b)
{
    utModelBody* body = &work->array.body[b];
    if (b == 0) {
        body->last_dof = -1;
        body->tree = -1;
        body->weld = 0;
        return;
    }
    const utModelBody* parent = &work->array.body[body->parent];
    for (int k = 0; k < body->dofs; k++) {
        work->array.dof_parent[body->dof + k] = k > 0 ? body->dof + k - 1 : parent->last_dof;
    }
    body->last_dof = body->dofs > 0 ? body->dof + body->dofs - 1 : parent->last_dof;
    body->weld = body->joints > 0 ? b : parent->weld;
    body->tree = parent->tree;
    if (body->joints > 0 && parent->tree < 0) {
        body->tree = work->model->ntree++;
        work->array.tree[body->tree] = (utModelTree){.body = b, .dof = body->dof};
    }
    if (body->tree >= 0) {
        work->array.tree[body->tree].bodies++;
        work->array.tree[body->tree].dofs += body->dofs;
    }
}

static void fill_bodies(Work* work)
{
    utModel* model = work->model;
    int joint = 0, q = 0, v = 0;
    for (int b = 0; b < model->nbody; b++) {
        const utBodyDef* def = ut_model_body_def(work->def, b);
        utModelBody* body = &work->array.body[b];
        *body = (utModelBody){
            .name = ut_model_keep_text(work, def->name),
            .parent = b > 0 ? def->parent : -1,
            .fast = def->fast,
            .gravcomp = def->gravcomp,
            .joint = joint,
            .dof = v,
        };
        fill_frame(work, b);
        fill_mocap(work, b);
        for (; joint < model->njoint &&
               joint_body(work->def, work->scratch.described_joint[joint]) == b;
             joint++) {
            fill_joint(work, joint, b, q, v);
            q += ut_joint_positions(work->array.joint[joint].kind);
            v += ut_joint_velocities(work->array.joint[joint].kind);
        }
        body->joints = joint - body->joint;
        body->dofs = v - body->dof;
        body->joint = body->joints > 0 ? body->joint : -1;
        fill_motion(work, b);
    }
}

// The end of a subtree is the largest end of its children.
static void fill_subtree_ends(Work* work)
{
    for (int b = work->model->nbody - 1; b >= 0; b--) {
        work->scratch.subtree_end[b] = b + 1;
    }
    for (int b = work->model->nbody - 1; b > 0; b--) {
        int* above = &work->scratch.subtree_end[work->array.body[b].parent];
        *above = work->scratch.subtree_end[b] > *above ? work->scratch.subtree_end[b] : *above;
    }
}

void ut_model_fill_tree(Work* work)
{
    order_by_body(work, work->model->njoint, joint_body, work->scratch.described_joint);
    fill_bodies(work);
    for (int t = 0; t < work->model->ntree; t++) {
        utModelTree* tree = &work->array.tree[t];
        const utModelBody* root = &work->array.body[tree->body];
        tree->free = tree->bodies == 1 && work->array.joint[root->joint].kind == UT_JOINT_FREE;
        tree->planar = tree->bodies == 1 && work->array.joint[root->joint].kind == UT_JOINT_PLANAR;
    }
    for (int j = 0; j < work->model->njoint; j++) {
        const utModelJoint* joint = &work->array.joint[j];
        utModelTree* tree = &work->array.tree[work->array.body[joint->body].tree];
        const bool all_axes = joint->kind == UT_JOINT_BALL || joint->kind == UT_JOINT_FREE;
        tree->turns = tree->turns || (all_axes && !tree->free);
    }
    fill_subtree_ends(work);
}

// ---- geoms --------------------------------------------------------------------------------------

utStatus ut_model_fill_geoms(Work* work)
{
    order_by_body(work, work->model->ngeom, geom_body, work->scratch.described_geom);
    for (int i = 0; i < work->model->ngeom; i++) {
        const utGeomDef* def = ut_model_geom_def(work->def, work->scratch.described_geom[i]);
        utModelGeom* geom = &work->array.geom[i];
        work->scratch.geom_of_described[work->scratch.described_geom[i]] = i;
        *geom = (utModelGeom){
            .name = ut_model_keep_text(work, def->name),
            .shape = def->shape,
            .body = def->body,
            .condim = def->condim,
            .friction = def->friction,
            .torsional = def->torsional,
            .rolling = def->rolling,
            .kinetic = def->kinetic >= 0.0 ? def->kinetic : def->friction,
            .restitution = def->restitution,
            .surface_velocity = def->surface_velocity,
            .surface_spin = def->surface_spin,
            .margin = def->margin,
            .widest_margin = def->margin,
            .priority = def->priority,
            .contype = def->contype,
            .conaffinity = def->conaffinity,
            .group = def->group,
            .radius = ut_shape_radius(&def->shape),
        };
        memcpy(geom->rgba, def->rgba, sizeof geom->rgba);
        ut_model_unit(def->quat, &geom->quat);
        geom->in_body = ut_frame(ut_quat_to_mat3(geom->quat), def->pos);
        ut_model_keep_shape(work, i);
        ut_model_fill_figure(work, i);
        work->array.body[geom->body].geoms++;
    }
    for (int b = 0, at = 0; b < work->model->nbody; b++) {
        work->array.body[b].geom = at;
        at += work->array.body[b].geoms;
    }
    return ut_arena_failed(&work->keep) ? UT_ERR_MEMORY : UT_OK;
}

// ---- checks -------------------------------------------------------------------------------------

static utStatus check_joints_of(Work* work, int b)
{
    const utModelDef* def = work->def;
    const utModelBody* body = &work->array.body[b];
    for (int j = body->joint; j < body->joint + body->joints; j++) {
        const int described = work->scratch.described_joint[j];
        if (ut_model_is_free(work->array.joint[j].kind) && body->joints > 1) {
            return UT_MODEL_FAIL(
                work->err, ut_model_joint_def(def, described)->origin,
                "free %s is not the only joint of %s; a free joint must be the only one",
                ut_model_joint_label(def, described).text, ut_model_body_label(def, b).text);
        }
    }
    const int max_dofs = def->options.planar != UT_PLANAR_NONE ? 3 : 6;
    if (body->dofs > max_dofs) {
        return UT_MODEL_FAIL(work->err, ut_model_body_def(def, b)->origin,
                             "joints of %s have %d degrees of freedom; a body has at most %d",
                             ut_model_body_label(def, b).text, body->dofs, max_dofs);
    }
    return UT_OK;
}

// Reject positions whose square overflows, because distances to them would be infinite.
static utStatus check_distance(const Work* work, utVec3 p, Label label, utOrigin origin)
{
    if (isfinite(ut_vec3_dot(p, p))) {
        return UT_OK;
    }
    return UT_MODEL_FAIL(work->err, origin,
                         "distances from the world to %s overflow; check its pos", label.text);
}

static utStatus check_geom(const Work* work, int i)
{
    const utModelGeom* geom = &work->array.geom[i];
    const int described = work->scratch.described_geom[i];
    const utOrigin origin = ut_model_geom_def(work->def, described)->origin;
    const Label label = ut_model_geom_label(work->def, described);
    if (!ut_shape_is_convex(geom->shape.kind) && work->array.body[geom->body].weld > 0) {
        const bool plane = geom->shape.kind == UT_SHAPE_PLANE;
        const bool mesh = geom->shape.kind == UT_SHAPE_MESH;
        const char* one = plane ? "plane" : mesh ? "mesh" : "height field";
        const char* all = plane ? "planes" : mesh ? "meshes" : "height fields";
        return UT_MODEL_FAIL(work->err, origin,
                             "%s is a %s on %s, which moves; %s must be fixed to the world",
                             label.text, one, ut_model_body_label(work->def, geom->body).text, all);
    }
    const utVec3 place = ut_frame_point(work->scratch.in_world[geom->body], geom->in_body.p);
    return check_distance(work, place, label, origin);
}

utStatus ut_model_check_moving(Work* work)
{
    for (int b = 1; b < work->model->nbody; b++) {
        UT_TRY(check_joints_of(work, b));
        UT_TRY(check_distance(work, work->scratch.in_world[b].p, ut_model_body_label(work->def, b),
                              ut_model_body_def(work->def, b)->origin));
    }
    for (int i = 0; i < work->model->ngeom; i++) {
        UT_TRY(check_geom(work, i));
    }
    return UT_OK;
}
