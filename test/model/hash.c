// SPDX-License-Identifier: Apache-2.0
// The hash of a model: equal for equal descriptions, different after each change.
#include "build.h"

// Everything that a description can hold, so that each field can be changed alone.
typedef struct Parts {
    utBodyDef body, arm, mocap;
    utJointDef joint, slide;
    utGeomDef geom;
    utActuatorDef actuator;
    utKeyframeDef key;
    double q[8], v[7], ctrl[1], mocap_pos[3], mocap_quat[4];
    utOptions options;
    const char* name;
    int exclude;
} Parts;

static Parts parts(void)
{
    Parts p = {
        .body = ut_body_def(),
        .arm = ut_body_def(),
        .mocap = ut_body_def(),
        .joint = ut_joint_def(1, UT_JOINT_FREE),
        .slide = ut_joint_def(2, UT_JOINT_SLIDE),
        .geom = ut_geom_def(1, UT_SHAPE_BOX, ut_vec3(0.1, 0.2, 0.3)),
        .actuator = ut_actuator_def(1, UT_ACTUATOR_POSITION),
        .key = {.name = "k"},
        .q = {0, 0, 0, 1, 0, 0, 0, 0},
        .mocap_quat = {1, 0, 0, 0},
        .options = ut_options(),
        .name = "m",
        .exclude = 2,
    };
    p.arm.parent = 1;
    p.arm.inertial = true;
    p.arm.mass = 1.0;
    p.arm.inertia = ut_mat3_identity();
    p.mocap.mocap = true;
    return p;
}

static uint64_t hash_of(const Parts* p)
{
    utModelDef* def = new_def();
    ut_model_def_name(def, p->name);
    ut_model_def_options(def, &p->options);
    ut_model_def_body(def, &p->body);
    ut_model_def_body(def, &p->arm);
    ut_model_def_body(def, &p->mocap);
    ut_model_def_joint(def, &p->joint);
    ut_model_def_joint(def, &p->slide);
    ut_model_def_geom(def, &p->geom);
    ut_model_def_actuator(def, &p->actuator);
    ut_model_def_exclude(def, 1, p->exclude, (utOrigin){0});
    utKeyframeDef key = p->key;
    key.nq = 8;
    key.nv = 7;
    key.nu = key.mocaps = 1;
    key.q = p->q;
    key.v = p->v;
    key.ctrl = p->ctrl;
    key.mocap_pos = p->mocap_pos;
    key.mocap_quat = p->mocap_quat;
    ut_model_def_keyframe(def, &key);
    utModel* model = compile(def);
    const uint64_t hash = model != NULL ? model->hash : 0;
    ut_model_destroy(model);
    return hash;
}

TEST(equal_descriptions_have_equal_hashes)
{
    Parts p = parts();
    const uint64_t hash = hash_of(&p);
    CHECK(hash_of(&p) == hash);
    // names at other addresses, a scaled quaternion, other origins and -0 change nothing
    char name[] = "m";
    p.name = name;
    p.body.quat = ut_quat(4, 0, 0, 0);
    p.body.origin = (utOrigin){"a.xml", 3};
    p.geom.pos.x = -0.0;
    p.exclude = 2;
    CHECK(hash_of(&p) == hash);
}

TEST(each_change_alone_changes_the_hash)
{
    enum { MOST = 128 };
    static uint64_t seen[MOST];
    Parts p = parts();
    int count = 0;
    seen[count++] = hash_of(&p);

// change a field, compare with all hashes so far, change it back
#define CHANGED(...)                       \
    do {                                   \
        p = parts();                       \
        __VA_ARGS__;                       \
        const uint64_t hash = hash_of(&p); \
        for (int i = 0; i < count; i++) {  \
            CHECK(seen[i] != hash);        \
        }                                  \
        seen[count++] = hash;              \
    } while (0)

    CHANGED(p.name = "n");
    CHANGED(p.options.dt = 0.001);
    CHANGED(p.options.gravity.x = 1);
    CHANGED(p.options.gravity.z = 1);
    CHANGED(p.options.integrator = UT_INTEGRATOR_RK4);
    CHANGED(p.options.time = 2);
    CHANGED(p.options.tolerance = 1e-9);
    CHANGED(p.options.formulation = UT_FORMULATION_PEIRET);
    CHANGED(p.options.solver = "ipm");
    CHANGED(p.options.directions = 4);
    CHANGED(p.options.relinearize = 1);
    CHANGED(p.options.bounce = 0.2);
    CHANGED(p.options.impact = 0);
    CHANGED(p.options.simultaneous = UT_SIMULTANEOUS_MOREAU);
    CHANGED(p.options.detection = UT_DETECTION_STEP);

    CHANGED(p.body.name = "b");
    CHANGED(p.body.pos.x = 1);
    CHANGED(p.body.pos.y = 1);
    CHANGED(p.body.pos.z = 1);
    CHANGED(p.body.quat.x = 1);
    CHANGED(p.body.quat.y = 1);
    CHANGED(p.body.quat.z = 1);
    CHANGED(p.body.fast = true);
    CHANGED(p.arm.fast = true);
    CHANGED(p.arm.parent = 0);
    CHANGED(p.arm.mass = 2);
    CHANGED(p.arm.com.y = 0.01);
    CHANGED(p.arm.inertia.m[0][0] = 1.1);
    CHANGED(p.arm.inertia.m[1][1] = 1.1);
    CHANGED(p.arm.inertia.m[2][2] = 1.1);
    CHANGED(p.arm.inertia.m[0][1] = p.arm.inertia.m[1][0] = 0.1);
    CHANGED(p.arm.inertia.m[2][1] = p.arm.inertia.m[1][2] = 0.1);
    CHANGED(p.mocap.pos.x = 3);
    CHANGED(p.mocap.quat.x = 3);

    CHANGED(p.slide.name = "s");
    CHANGED(p.slide.kind = UT_JOINT_HINGE);
    CHANGED(p.slide.pos.y = 0.01);
    CHANGED(p.slide.axis.x = 1);
    CHANGED(p.slide.range[1] = 1);
    CHANGED(p.slide.range[1] = 1; p.slide.limited = true);
    CHANGED(p.slide.range[1] = 1; p.slide.range[0] = -1);
    CHANGED(p.slide.ref = 1);
    CHANGED(p.slide.stiffness = 1);
    CHANGED(p.slide.springref = 1);
    CHANGED(p.slide.damping = 1);
    CHANGED(p.slide.armature = 1);
    CHANGED(p.slide.frictionloss = 1);
    CHANGED(p.slide.stiffness_poly[0] = 1);
    CHANGED(p.slide.stiffness_poly[1] = 1);
    CHANGED(p.slide.damping_poly[0] = 1);
    CHANGED(p.slide.damping_poly[1] = 1);
    CHANGED(p.body.gravcomp = 1);
    CHANGED(p.joint.damping = 1);
    CHANGED(p.joint.armature = 1);

    CHANGED(p.geom.name = "g");
    CHANGED(p.geom.shape.kind = UT_SHAPE_SPHERE);
    CHANGED(p.geom.shape.size.x = 0.11);
    CHANGED(p.geom.shape.size.y = 0.21);
    CHANGED(p.geom.shape.size.z = 0.31);
    CHANGED(p.geom.pos.x = 1);
    CHANGED(p.geom.quat.x = 1);
    CHANGED(p.geom.mass = 1);
    CHANGED(p.geom.density = 1);
    CHANGED(p.geom.friction = 0.5);
    CHANGED(p.geom.restitution = 0.5);
    CHANGED(p.geom.margin = 0.5);
    CHANGED(p.geom.priority = 2);
    CHANGED(p.geom.contype = 2);
    CHANGED(p.geom.conaffinity = 2);
    CHANGED(p.geom.group = 2);

    CHANGED(p.actuator.name = "a");
    CHANGED(p.actuator.kind = UT_ACTUATOR_MOTOR);
    CHANGED(p.actuator.gear = 2);
    CHANGED(p.actuator.kp = 2);
    CHANGED(p.actuator.kv = 2);
    CHANGED(p.actuator.ctrl_range[1] = 1);
    CHANGED(p.actuator.ctrl_range[1] = 1; p.actuator.ctrl_limited = true);
    CHANGED(p.actuator.force_range[1] = 1);
    CHANGED(p.actuator.kind = UT_ACTUATOR_VELOCITY);
    CHANGED(p.actuator.kind = UT_ACTUATOR_INTVELOCITY);
    CHANGED(p.actuator.kind = UT_ACTUATOR_GENERAL; p.actuator.gain[2] = 1);
    CHANGED(p.actuator.kind = UT_ACTUATOR_GENERAL; p.actuator.bias[0] = 1);
    CHANGED(p.actuator.kind = UT_ACTUATOR_GENERAL; p.actuator.dynamics = UT_DYNAMICS_FILTER);
    CHANGED(p.actuator.time_constant = 1);
    CHANGED(p.actuator.time_constant = 2);
    CHANGED(p.actuator.time_constant = 2; p.actuator.act_early = true);
    CHANGED(p.actuator.time_constant = 2; p.actuator.act_range[1] = 1;
            p.actuator.act_limited = true);
    CHANGED(p.actuator.force_range[1] = 1; p.actuator.force_limited = true);

    CHANGED(p.exclude = 0);
    CHANGED(p.key.name = "l");
    CHANGED(p.key.time = 1);
    CHANGED(p.q[7] = 1);
    CHANGED(p.q[4] = 1);
    CHANGED(p.v[6] = 1);
    CHANGED(p.ctrl[0] = 1);
    CHANGED(p.mocap_pos[1] = 1);
    CHANGED(p.mocap_quat[1] = 1);
    test_note("%d models, %d hashes", count, count);
    CHECK(count < MOST);
#undef CHANGED
}
