// SPDX-License-Identifier: Apache-2.0
// From our compiled model to the neutral description that every driver builds from.
#include "engines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/scenes.h>
#include <uptack/sim.h>

static void refuse(const char* scene, const char* what)
{
    fprintf(stderr, "%s: %s\n", scene, what);
    exit(1);
}

static void* zeroed(size_t count, size_t size)
{
    void* memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        refuse("world", "no memory");
    }
    return memory;
}

// ---- places -------------------------------------------------------------------------------------

utVec3 world_local_point(utVec3 pos, utQuat quat, utVec3 point)
{
    return ut_quat_rotate_inverse(quat, ut_vec3_sub(point, pos));
}

utVec3 world_local_axis(utQuat quat, utVec3 axis)
{
    return ut_quat_rotate_inverse(quat, axis);
}

// ---- bodies and hinges --------------------------------------------------------------------------

static bool is_diagonal(utMat3 A)
{
    const double scale = 1e-12 * (A.m[0][0] + A.m[1][1] + A.m[2][2]);
    return fabs(A.m[0][1]) <= scale && fabs(A.m[0][2]) <= scale && fabs(A.m[1][2]) <= scale;
}

// One free joint, or three slides and a ball, which move alike.
static bool moves_freely(const utModel* model, const utModelBody* body)
{
    const utModelJoint* joint = &model->joint[body->joint];
    if (body->joints == 1) {
        return joint[0].kind == UT_JOINT_FREE;
    }
    return body->joints == 4 && joint[0].kind == UT_JOINT_SLIDE &&
           joint[1].kind == UT_JOINT_SLIDE && joint[2].kind == UT_JOINT_SLIDE &&
           joint[3].kind == UT_JOINT_BALL;
}

static void describe_body(const char* scene, const utSim* sim, int index, WorldBody* out)
{
    const utModel* model = ut_sim_model(sim);
    const utModelBody* body = &model->body[index];
    const utBodyState at = ut_sim_body(sim, index);
    if (body->joints == 0 || !is_diagonal(body->inertia)) {
        refuse(scene, "a body is fixed, or its inertia is not along its axes");
    }
    *out = (WorldBody){
        .name = body->name,
        .mass = body->mass,
        .inertia = ut_vec3(body->inertia.m[0][0], body->inertia.m[1][1], body->inertia.m[2][2]),
        .pos = at.com,
        .quat = at.quat,
        .velocity = at.velocity,
        .angular = at.angular,
        .parent = -1,
    };
    const utModelJoint* joint = &model->joint[body->joint];
    if (body->joints == 1 && joint->kind == UT_JOINT_HINGE) {
        out->hinged = true;
        out->parent = body->parent - 1;
        out->anchor = ut_frame_point(at.frame, joint->pos);
        out->axis = ut_mat3_mul_vec(at.frame.R, joint->axis);
        if (ut_sim_v(sim)[joint->v] != 0.0 || joint->limited || joint->damping != 0.0 ||
            joint->stiffness != 0.0 || model->dof_armature[joint->v] != 0.0) {
            refuse(scene, "a hinge moves at the start or has more than a servo");
        }
    } else if (!moves_freely(model, body)) {
        refuse(scene, "a joint is neither free nor a hinge");
    }
}

// Servos of hinges, and motors of slides as constant forces.
static void describe_actuator(const char* scene, const utSim* sim, const double* ctrl, int index,
                              WorldBody* bodies)
{
    const utModel* model = ut_sim_model(sim);
    const utModelActuator* actuator = &model->actuator[index];
    const utModelJoint* joint = &model->joint[actuator->joint];
    WorldBody* body = &bodies[joint->body - 1];
    if (actuator->gear[0] != 1.0 || actuator->force_limited || actuator->ctrl_limited) {
        refuse(scene, "an actuator has a gear or limits");
    }
    if (actuator->kind == UT_ACTUATOR_POSITION && body->hinged) {
        body->servo = true;
        body->kp = actuator->gain[0];
        body->kd = -actuator->bias[2];
        body->target = ctrl[index] - ut_sim_q(sim)[joint->q];
    } else if (actuator->kind == UT_ACTUATOR_MOTOR && joint->kind == UT_JOINT_SLIDE) {
        body->push = ut_vec3_add_scaled(body->push, ctrl[index], joint->axis);
    } else {
        refuse(scene, "an actuator is neither a hinge's servo nor a slide's motor");
    }
}

static void describe_geom(const utModel* model, int index, WorldGeom* out)
{
    const utModelGeom* geom = &model->geom[index];
    const utVec3 origin = geom->body > 0 ? model->body[geom->body].com : ut_vec3_zero();
    *out = (WorldGeom){
        .body = geom->body - 1,
        .shape = geom->shape,
        .pos = ut_vec3_sub(geom->in_body.p, origin),
        .quat = geom->quat,
        .mu = geom->friction,
        .contype = geom->contype,
        .conaffinity = geom->conaffinity,
    };
}

// ---- the scene ----------------------------------------------------------------------------------

static utModel* compile(const char* scene)
{
    utError err = {0};
    utModelDef* def = NULL;
    utModel* model = NULL;
    utStatus status = ut_model_def_create(NULL, &def);
    if (status == UT_OK) {
        status = ut_scene_build(scene, def, &err);
    }
    if (status == UT_OK) {
        status = ut_model_compile(def, NULL, &model, &err);
    }
    ut_model_def_destroy(def);
    if (status != UT_OK) {
        refuse(scene, err.message);
    }
    return model;
}

void world_create(const char* scene, double dt, World* world)
{
    utModel* model = compile(scene);
    utSim* sim = NULL;
    utError err = {0};
    const int keyframe = ut_model_find_keyframe(model, UT_KEYFRAME_START);
    if (ut_sim_create(model, NULL, &sim, &err) != UT_OK ||
        ut_sim_reset(sim, keyframe, &err) != UT_OK) {
        refuse(scene, err.message);
    }
    *world = (World){
        .model = model,
        .keyframe = keyframe,
        .dt = dt > 0.0 ? dt : model->options.dt,
        .gravity = model->options.gravity,
        .bodies = model->nbody - 1,
        .geoms = model->ngeom,
        .body = zeroed((size_t)model->nbody, sizeof(WorldBody)),
        .geom = zeroed((size_t)model->ngeom, sizeof(WorldGeom)),
    };
    for (int i = 0; i < world->bodies; i++) {
        describe_body(scene, sim, i + 1, &world->body[i]);
        world->hinged = world->hinged || world->body[i].hinged;
    }
    for (int i = 0; i < model->nactuator; i++) {
        describe_actuator(scene, sim, model->keyframe[keyframe].ctrl, i, world->body);
    }
    for (int i = 0; i < world->geoms; i++) {
        describe_geom(model, i, &world->geom[i]);
    }
    ut_sim_destroy(sim);
}

void world_destroy(World* world)
{
    free(world->body);
    free(world->geom);
    ut_model_destroy((utModel*)world->model);
    *world = (World){0};
}

// ---- pairs --------------------------------------------------------------------------------------

static bool are_linked(const World* world, int a, int b)
{
    return a >= 0 && b >= 0 &&
           ((world->body[a].hinged && world->body[a].parent == b) ||
            (world->body[b].hinged && world->body[b].parent == a));
}

bool world_collides(const World* world, int geom1, int geom2)
{
    const WorldGeom* a = &world->geom[geom1];
    const WorldGeom* b = &world->geom[geom2];
    if (a->body == b->body || are_linked(world, a->body, b->body)) {
        return false;
    }
    return (a->contype & b->conaffinity) != 0 || (b->contype & a->conaffinity) != 0;
}

double world_mu(const World* world, int geom1, int geom2)
{
    return fmax(world->geom[geom1].mu, world->geom[geom2].mu);
}

double world_largest_mu(const World* world, int geom)
{
    // what only lies on the world rubs as the world does there: fixed geoms keep their own
    if (world->geom[geom].body < 0) {
        return world->geom[geom].mu;
    }
    double mu = world->geom[geom].mu;
    for (int i = 0; i < world->geoms; i++) {
        if (i != geom && world_collides(world, i, geom)) {
            mu = fmax(mu, world->geom[i].mu);
        }
    }
    return mu;
}
