// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include "test.h"

utModelDef* build_start(void)
{
    utModelDef* def = NULL;
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    return def;
}

int build_body(utModelDef* def, int parent, utVec3 pos, double mass, utVec3 com, utMat3 inertia)
{
    utBodyDef body = ut_body_def();
    body.parent = parent;
    body.pos = pos;
    body.inertial = true;
    body.mass = mass;
    body.com = com;
    body.inertia = inertia;
    return ut_model_def_body(def, &body);
}

int build_joint(utModelDef* def, int body, utJointKind kind, utVec3 axis)
{
    utJointDef joint = ut_joint_def(body, kind);
    joint.axis = axis;
    return ut_model_def_joint(def, &joint);
}

utModel* build_finish(utModelDef* def)
{
    utModel* model = NULL;
    utError err = {0};
    if (!CHECK(ut_model_compile(def, NULL, &model, &err) == UT_OK)) {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(def);
    return model;
}

utModel* build_free(utVec3 com)
{
    utModelDef* def = build_start();
    const utMat3 inertia = ut_mat3_diagonal(ut_vec3(0.3, 0.5, 0.7));
    const int body = build_body(def, 0, ut_vec3(0.1, 0.2, 0.3), 2.0, com, inertia);
    build_joint(def, body, UT_JOINT_FREE, ut_vec3(0, 0, 1));
    return build_finish(def);
}

utModel* build_chain(int links)
{
    const double m = 0.1, a = 0.1, b = 0.02;
    const double thin = m / 12.0 * (b * b + b * b), wide = m / 12.0 * (a * a + b * b);
    const utMat3 inertia = ut_mat3_diagonal(ut_vec3(thin, wide, wide));
    utModelDef* def = build_start();
    int parent = 0;
    for (int i = 0; i < links; i++) {
        const utVec3 pos = ut_vec3(i > 0 ? a : 0.0, 0, 0);
        parent = build_body(def, parent, pos, m, ut_vec3(0.5 * a, 0, 0), inertia);
        build_joint(def, parent, UT_JOINT_HINGE, ut_vec3(0, 1, 0));
    }
    return build_finish(def);
}

utModel* build_double_pendulum(void)
{
    utModelDef* def = build_start();
    const utMat3 I1 = ut_mat3_diagonal(ut_vec3(0.05, 0.05, 0.01));
    const utMat3 I2 = ut_mat3_diagonal(ut_vec3(0.03, 0.03, 0.01));
    const int upper = build_body(def, 0, ut_vec3_zero(), 2.0, ut_vec3(0, 0, -0.3), I1);
    build_joint(def, upper, UT_JOINT_HINGE, ut_vec3(0, 1, 0));
    const int lower = build_body(def, upper, ut_vec3(0, 0, -0.5), 1.0, ut_vec3(0, 0, -0.25), I2);
    build_joint(def, lower, UT_JOINT_HINGE, ut_vec3(0, 1, 0));
    return build_finish(def);
}

// ---- random models ------------------------------------------------------------------------------

static utVec3 random_vec3(utRng* rng, double size)
{
    const double x = ut_rng_range(rng, -size, size), y = ut_rng_range(rng, -size, size);
    return ut_vec3(x, y, ut_rng_range(rng, -size, size));
}

static utQuat random_quat(utRng* rng)
{
    return ut_quat_exp(random_vec3(rng, 1.5));
}

// The inertia of three point masses: positive definite, and obeys the triangle inequality.
static utMat3 random_inertia(utRng* rng)
{
    utMat3 inertia = ut_mat3_diagonal(ut_vec3(0.01, 0.01, 0.01));
    for (int i = 0; i < 3; i++) {
        inertia = ut_mat3_add(inertia, ut_mat3_point_inertia(0.5, random_vec3(rng, 0.3)));
    }
    return inertia;
}

static void random_joint(utModelDef* def, utRng* rng, int body, utJointKind kind)
{
    utJointDef joint = ut_joint_def(body, kind);
    joint.pos = random_vec3(rng, 0.2);
    joint.axis = ut_vec3_add(random_vec3(rng, 0.5), ut_vec3(0, 0, 1));
    joint.armature = ut_rng_below(rng, 2) == 0 ? 0.0 : ut_rng_range(rng, 0.0, 0.2);
    if (kind == UT_JOINT_HINGE || kind == UT_JOINT_SLIDE) {
        joint.ref = ut_rng_range(rng, -0.5, 0.5);
    }
    ut_model_def_joint(def, &joint);
}

// No, one or several joints; a free joint only for children of the world.
static void random_joints(utModelDef* def, utRng* rng, int body, int parent)
{
    switch (ut_rng_below(rng, parent == 0 ? 6 : 5)) {
    case 0:
        break;
    case 1:
        random_joint(def, rng, body, UT_JOINT_SLIDE);
        random_joint(def, rng, body, UT_JOINT_BALL);
        break;
    case 2:
        random_joint(def, rng, body, UT_JOINT_SLIDE);
        random_joint(def, rng, body, UT_JOINT_HINGE);
        random_joint(def, rng, body, UT_JOINT_HINGE);
        break;
    case 3:
        random_joint(def, rng, body, UT_JOINT_HINGE);
        break;
    case 4:
        random_joint(def, rng, body, UT_JOINT_BALL);
        break;
    default:
        random_joint(def, rng, body, UT_JOINT_FREE);
        break;
    }
}

utModel* build_random(uint64_t seed, int bodies, bool chain)
{
    utRng rng = ut_rng(seed, 0);
    utModelDef* def = build_start();
    int path[256] = {0}, depth = 0; // from the world to the last body
    for (int i = 0; i < bodies; i++) {
        // the next body is a child of any body of the path, so that bodies are in depth-first order
        depth = chain ? i : ut_rng_below(&rng, depth + 1);
        utBodyDef body = ut_body_def();
        body.parent = path[depth];
        body.pos = random_vec3(&rng, 0.3);
        body.quat = random_quat(&rng);
        body.inertial = true;
        body.mass = ut_rng_range(&rng, 0.5, 2.0);
        body.com = random_vec3(&rng, 0.2);
        body.inertia = random_inertia(&rng);
        const int index = ut_model_def_body(def, &body);
        random_joints(def, &rng, index, body.parent);
        path[++depth] = index;
    }
    return build_finish(def);
}

void build_state(const utModel* model, uint64_t seed, double speed, double* q, double* v)
{
    utRng rng = ut_rng(seed, 1);
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = model->joint + j;
        double* x = q + joint->q;
        const bool free = joint->kind == UT_JOINT_FREE;
        for (int i = 0; i < (free ? 3 : 1); i++) {
            x[i] = ut_rng_range(&rng, -1.5, 1.5);
        }
        if (free || joint->kind == UT_JOINT_BALL) {
            const utQuat quat = random_quat(&rng);
            double* at = free ? x + 3 : x;
            at[0] = quat.w, at[1] = quat.x, at[2] = quat.y, at[3] = quat.z;
        }
    }
    for (int i = 0; i < model->nv; i++) {
        v[i] = ut_rng_range(&rng, -speed, speed);
    }
}

utKinematics build_kinematics(const utModel* model, const double* q, const double* v,
                              utArena* arena)
{
    utKinematics kin = {0};
    CHECK(ut_kinematics_create(model, arena, &kin) == UT_OK);
    ut_kinematics_place(&kin, q, NULL, NULL);
    ut_kinematics_move(&kin, v, NULL);
    return kin;
}

double build_energy(const utModel* model, const double* q, const double* v, utVec3 gravity,
                    utArena arena)
{
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    return ut_dyn_kinetic(&kin, v) + ut_dyn_potential(&kin, q, gravity);
}
