// SPDX-License-Identifier: Apache-2.0
// A model with every kind of input, in motion and in contact, for tests of inputs that a sim rejects.
#ifndef UPTACK_TEST_SIM_ALL_INPUTS_H
#define UPTACK_TEST_SIM_ALL_INPUTS_H

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/sim.h>

static inline int inputs_body(utModelDef* def, int parent, utVec3 pos, bool mocap)
{
    utBodyDef body = ut_body_def();
    body.parent = parent;
    body.pos = pos;
    body.mocap = mocap;
    const int index = ut_model_def_body(def, &body);
    utGeomDef geom = ut_geom_def(index, UT_SHAPE_BOX, ut_vec3(0.1, 0.1, 0.1));
    geom.mass = mocap ? 0.0 : 1.0;
    CHECK(ut_model_def_geom(def, &geom) >= 0);
    return index;
}

static inline int inputs_joint(utModelDef* def, int body, utJointKind kind, utVec3 axis)
{
    utJointDef joint = ut_joint_def(body, kind);
    joint.axis = axis;
    joint.pos = ut_vec3(0.0, 0.0, kind == UT_JOINT_FREE ? 0.0 : 0.3);
    return ut_model_def_joint(def, &joint);
}

// A box that falls on the floor, a ball joint with a hinge below it, a slide, two mocap boxes, a
// motor and a position actuator: nq 7 + 4 + 1 + 1, nv 6 + 3 + 1 + 1, nu 2, nmocap 2.
static inline utModel* inputs_model(void)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    const utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1.0, 1.0, 1.0));
    CHECK(ut_model_def_geom(def, &floor) >= 0);
    const utVec3 y = ut_vec3(0.0, 1.0, 0.0);
    const int box = inputs_body(def, 0, ut_vec3(0.0, 0.0, 0.105), false);
    inputs_joint(def, box, UT_JOINT_FREE, y);
    const int upper = inputs_body(def, 0, ut_vec3(2.0, 0.0, 2.0), false);
    inputs_joint(def, upper, UT_JOINT_BALL, y);
    const int lower = inputs_body(def, upper, ut_vec3(0.0, 0.0, -0.5), false);
    const int hinge = inputs_joint(def, lower, UT_JOINT_HINGE, y);
    const int sled = inputs_body(def, 0, ut_vec3(-2.0, 0.0, 1.0), false);
    const int slide = inputs_joint(def, sled, UT_JOINT_SLIDE, y);
    inputs_body(def, 0, ut_vec3(0.0, 3.0, 1.0), true);
    inputs_body(def, 0, ut_vec3(0.0, -3.0, 1.0), true);
    const utActuatorDef motor = ut_actuator_def(hinge, UT_ACTUATOR_MOTOR);
    const utActuatorDef servo = ut_actuator_def(slide, UT_ACTUATOR_POSITION);
    CHECK(ut_model_def_actuator(def, &motor) >= 0 && ut_model_def_actuator(def, &servo) >= 0);
    if (!CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    ut_model_def_destroy(def);
    return model;
}

static inline utSim* inputs_sim(const utModel* model)
{
    utSim* sim = NULL;
    utError err = {0};
    if (!CHECK_INT(ut_sim_create(model, NULL, &sim, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    return sim;
}

static inline void inputs_run(utSim* sim, int steps)
{
    static const double ctrl[2] = {0.3, -0.2};
    const utInput input = {.ctrl = ctrl};
    for (int k = 0; k < steps; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, &input, &result, NULL), UT_OK);
        CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    }
}

// ---- nothing changed ----------------------------------------------------------------------------

// Everything that a caller can see of a sim: its hash, the bytes of its snapshot, its bodies.
typedef struct Picture {
    uint64_t hash;
    double time, energy;
    size_t size;
    unsigned char* bytes;
    int bodies;
    utBodyState* body;
} Picture;

static inline Picture take_picture(const utSim* sim)
{
    Picture p = {.hash = ut_sim_hash(sim),
                 .time = ut_sim_time(sim),
                 .energy = ut_sim_energy(sim),
                 .size = ut_sim_snapshot_size(sim),
                 .bodies = ut_sim_model(sim)->nbody};
    p.bytes = malloc(p.size);
    p.body = calloc((size_t)p.bodies, sizeof *p.body);
    CHECK_INT(ut_sim_save(sim, p.bytes, p.size), UT_OK);
    for (int i = 0; i < p.bodies; i++) {
        p.body[i] = ut_sim_body(sim, i);
    }
    return p;
}

// Give a changed snapshot a valid hash: its last bytes are a hash of those before.
static inline void sign_snapshot(unsigned char* bytes, size_t size)
{
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, bytes, size - sizeof hash);
    memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
}

static inline void free_picture(Picture* p)
{
    free(p->bytes);
    free(p->body);
}

static inline bool looks_the_same(const utSim* sim, const Picture* before)
{
    Picture now = take_picture(sim);
    const bool same = now.hash == before->hash && now.time == before->time &&
                      now.energy == before->energy && now.size == before->size &&
                      memcmp(now.bytes, before->bytes, now.size) == 0 &&
                      memcmp(now.body, before->body, (size_t)now.bodies * sizeof *now.body) == 0;
    free_picture(&now);
    return same;
}

#endif
