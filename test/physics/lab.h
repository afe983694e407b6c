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
    ut_model_destroy(lab->model, NULL);
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

// A force on one body's centre of mass, held.
static inline void lab_run(Lab* lab, int steps, int pushed, utVec3 force)
{
    utArena arena = test_arena();
    utForce* applied = UT_PUSH(&arena, utForce, lab->model->nbody);
    memset(applied, 0, (size_t)lab->model->nbody * sizeof *applied);
    if (pushed > 0) {
        applied[pushed].force = force;
    }
    const utInput input = {.applied = applied};
    for (int k = 0; k < steps; k++) {
        lab_step(lab, &input, NULL);
    }
}

// Every step must have been certified.
static inline void lab_certified(const Lab* lab)
{
    CHECK_INT(lab->certified, lab->steps);
    CHECK(lab->worst <= 1e-8);
}

#endif
