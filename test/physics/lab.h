// SPDX-License-Identifier: Apache-2.0
// A small laboratory: bodies by code, a sim, and a look at what every step certified.
#ifndef UPTACK_TEST_PHYSICS_LAB_H
#define UPTACK_TEST_PHYSICS_LAB_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/sim.h>

#include "test.h"

typedef struct Lab {
    utModelDef* def;
    utModel* model;
    utSim* sim;
    utOptions options;
    int steps;
    int certified;
    double worst; // E
} Lab;

static inline Lab lab_open(double h)
{
    Lab lab = {.options = ut_options()};
    lab.options.dt = h;
    CHECK_INT(ut_model_def_create(NULL, &lab.def), UT_OK);
    return lab;
}

static inline void lab_close(Lab* lab)
{
    ut_sim_destroy(lab->sim);
    ut_model_destroy(lab->model);
    ut_model_def_destroy(lab->def);
}

// The floor, or any other plane.
static inline int lab_plane(Lab* lab, utVec3 pos, utVec3 normal, double mu)
{
    utGeomDef geom = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    utVec3 t1, t2;
    ut_tangent_basis(normal, &t1, &t2);
    geom.pos = pos;
    geom.quat = ut_quat_from_mat3(ut_mat3_from_columns(t1, t2, normal));
    geom.friction = mu;
    return ut_model_def_geom(lab->def, &geom);
}

static inline int lab_floor(Lab* lab, double mu)
{
    return lab_plane(lab, ut_vec3_zero(), ut_vec3(0, 0, 1), mu);
}

static inline int lab_body(Lab* lab, const char* name, utVec3 pos)
{
    utBodyDef body = ut_body_def();
    body.name = name;
    body.pos = pos;
    return ut_model_def_body(lab->def, &body);
}

static inline void lab_geom(Lab* lab, int body, utShapeKind kind, utVec3 size, double mass,
                            double mu)
{
    utGeomDef geom = ut_geom_def(body, kind, size);
    geom.mass = mass;
    geom.friction = mu;
    CHECK(ut_model_def_geom(lab->def, &geom) >= 0);
}

// A mesh that lies in `keep`, as a shape.
static inline utShape lab_mesh(utArena* keep, int points, const utVec3* vertex, int triangles,
                               const int* triangle)
{
    utMesh* mesh = UT_PUSH(keep, utMesh, 1);
    utError err = {0};
    utArena scratch;
    CHECK_INT(ut_arena_create(0, NULL, &scratch), UT_OK);
    if (!CHECK_INT(ut_mesh_build(points, vertex, triangles, triangle, keep, scratch, mesh, &err),
                   UT_OK)) {
        test_note("%s", err.message);
    }
    ut_arena_destroy(&scratch);
    return (utShape){.kind = UT_SHAPE_MESH, .mesh = mesh};
}

static inline int lab_free(Lab* lab, int body)
{
    utJointDef joint = ut_joint_def(body, UT_JOINT_FREE);
    return ut_model_def_joint(lab->def, &joint);
}

// A free box, ball or capsule in one go. @return the body
static inline int lab_box(Lab* lab, utVec3 pos, utVec3 half, double mass, double mu)
{
    const int body = lab_body(lab, NULL, pos);
    lab_free(lab, body);
    lab_geom(lab, body, UT_SHAPE_BOX, half, mass, mu);
    return body;
}

static inline int lab_ball(Lab* lab, utVec3 pos, double radius, double mass, double mu)
{
    const int body = lab_body(lab, NULL, pos);
    lab_free(lab, body);
    lab_geom(lab, body, UT_SHAPE_SPHERE, ut_vec3(radius, 0, 0), mass, mu);
    return body;
}

// A body whose mass, centre of mass and principal moments about it are given; joints are to come.
static inline int lab_solid(Lab* lab, utVec3 pos, utQuat quat, double mass, utVec3 com,
                            utVec3 moments)
{
    utBodyDef body = ut_body_def();
    body.pos = pos;
    body.quat = quat;
    body.inertial = true;
    body.mass = mass;
    body.com = com;
    body.inertia = ut_mat3_diagonal(moments);
    return ut_model_def_body(lab->def, &body);
}

static inline void lab_start(Lab* lab)
{
    utError err;
    ut_model_def_options(lab->def, &lab->options);
    if (ut_model_compile(lab->def, NULL, &lab->model, &err) != UT_OK ||
        ut_sim_create(lab->model, NULL, &lab->sim, &err) != UT_OK) {
        test_note("%s", err.message);
        CHECK(false);
        exit(1);
    }
}

// State before the first step: nq positions, nv velocities, NULL: as modelled and at rest.
static inline void lab_state(Lab* lab, const double* q, const double* v)
{
    CHECK_INT(ut_sim_set(lab->sim, 0.0, q, v, NULL), UT_OK);
}

// Give the k-th velocity a value before the first step.
static inline void lab_velocity(Lab* lab, int k, double value)
{
    utArena arena = test_arena();
    double* v = UT_PUSH(&arena, double, lab->model->nv);
    memcpy(v, ut_sim_v(lab->sim), (size_t)lab->model->nv * sizeof *v);
    v[k] = value;
    CHECK_INT(ut_sim_set(lab->sim, 0.0, NULL, v, NULL), UT_OK);
}

static inline void lab_step(Lab* lab, const utInput* input, utStepResult* result)
{
    utStepResult local;
    utError err;
    result = result != NULL ? result : &local;
    if (!CHECK_INT(ut_sim_step(lab->sim, input, result, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    lab->steps++;
    lab->certified += result->outcome == UT_STEP_CERTIFIED;
    lab->worst = fmax(lab->worst, result->certificate.E);
}

// The same forces for some steps. @param applied one a body, NULL: none @param result of the last
// step; may be NULL
static inline void lab_steps(Lab* lab, int steps, const utForce* applied, utStepResult* result)
{
    const utInput input = {.applied = applied};
    for (int k = 0; k < steps; k++) {
        lab_step(lab, &input, result);
    }
}

// A force on one body's centre of mass, held; pushed 0: none.
static inline void lab_push(Lab* lab, int steps, int pushed, utVec3 force, utStepResult* result)
{
    utArena arena = test_arena();
    utForce* applied = UT_PUSH(&arena, utForce, lab->model->nbody);
    memset(applied, 0, (size_t)lab->model->nbody * sizeof *applied);
    if (pushed > 0) {
        applied[pushed].force = force;
    }
    lab_steps(lab, steps, applied, result);
}

static inline void lab_run(Lab* lab, int steps, int pushed, utVec3 force)
{
    lab_push(lab, steps, pushed, force, NULL);
}

// Impulse on body `on` by all its contacts with `by`, world.
static inline utVec3 lab_between(const Lab* lab, const utStepReport* report, int by, int on)
{
    utVec3 sum = ut_vec3_zero();
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        const int b1 = lab->model->geom[c->geom1].body;
        const int b2 = lab->model->geom[c->geom2].body;
        const double sign = b1 == by && b2 == on ? 1.0 : b2 == by && b1 == on ? -1.0 : 0.0;
        for (int k = 0; k < 3; k++) {
            sum = ut_vec3_add_scaled(sum, sign * c->r[k], c->frame[k]);
        }
    }
    return sum;
}

// Impulse of one geom of the world on whatever it touches, world.
static inline utVec3 lab_from(const utStepReport* report, int geom)
{
    utVec3 sum = ut_vec3_zero();
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        const double sign = c->geom1 == geom ? 1.0 : c->geom2 == geom ? -1.0 : 0.0;
        for (int k = 0; k < 3; k++) {
            sum = ut_vec3_add_scaled(sum, sign * c->r[k], c->frame[k]);
        }
    }
    return sum;
}

// Every step must have been certified.
static inline void lab_certified(const Lab* lab)
{
    CHECK_INT(lab->certified, lab->steps);
    CHECK(lab->worst <= 1e-8);
}

// The end of a scene: nothing is left, and every step was certified.
static inline void lab_end(Lab* lab)
{
    lab_certified(lab);
    lab_close(lab);
}

#endif
