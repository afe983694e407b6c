// SPDX-License-Identifier: Apache-2.0
// Robots: a quadruped, and grippers that hold a box.
#include "build.h"

// ---- quadruped ----------------------------------------------------------------------------------

static const double quad_mu = 0.8;
static const double segment = 0.25; // length of thigh and shank, m
static const double foot = 0.02;    // radius of the shank's round end, m
enum { LEGS = 4, LEG_JOINTS = 3, QUAD_Q = 7 + LEGS * LEG_JOINTS };

// The robot's geoms collide with the floor and other objects, but not with each other.
static void add_part(Builder* b, int body, const char* name, utShape shape, utVec3 pos, double mass)
{
    utGeomDef geom = ut_geom_def(body, shape.kind, shape.size);
    geom.name = name;
    geom.pos = pos;
    geom.mass = mass;
    geom.friction = quad_mu;
    geom.contype = 0;
    ut_scene_add_geom(b, &geom);
}

static void add_servo(Builder* b, int joint, const char* name)
{
    utActuatorDef servo = ut_actuator_def(joint, UT_ACTUATOR_POSITION);
    servo.name = name;
    servo.kp = 80.0;
    servo.kv = 1.0;
    ut_scene_add_actuator(b, &servo);
}

// Add a leg that points straight down at q = 0. The hip turns about x, thigh and shank about y.
// Positive angles swing the foot back.
static void add_leg(Builder* b, int torso, const char* leg, double front, double left)
{
    const utVec3 x = ut_vec3(1.0, 0.0, 0.0), y = ut_vec3(0.0, 1.0, 0.0);
    const utVec3 middle = ut_vec3(0.0, 0.0, -0.5 * segment);
    const utShape block = {.kind = UT_SHAPE_BOX, .size = ut_vec3(0.04, 0.04, 0.04)};
    const utShape upper = {.kind = UT_SHAPE_CAPSULE, .size = ut_vec3(0.025, 0.5 * segment, 0.0)};
    const utShape lower = {.kind = UT_SHAPE_CAPSULE, .size = ut_vec3(foot, 0.5 * segment, 0.0)};
    const Name hip_name = ut_scene_name("%s_hip", leg);
    const Name thigh_name = ut_scene_name("%s_thigh", leg);
    const Name shank_name = ut_scene_name("%s_shank", leg);

    const int hip = ut_scene_body(b, hip_name.text, torso, ut_vec3(0.25 * front, 0.12 * left, 0.0));
    const int hip_joint = ut_scene_joint(b, hip, hip_name.text, UT_JOINT_HINGE, x);
    add_part(b, hip, hip_name.text, block, ut_vec3_zero(), 0.7);

    const int thigh = ut_scene_body(b, thigh_name.text, hip, ut_vec3(0.0, 0.06 * left, 0.0));
    const int thigh_joint = ut_scene_joint(b, thigh, thigh_name.text, UT_JOINT_HINGE, y);
    add_part(b, thigh, thigh_name.text, upper, middle, 1.0);

    const int shank = ut_scene_body(b, shank_name.text, thigh, ut_vec3(0.0, 0.0, -segment));
    const int shank_joint = ut_scene_joint(b, shank, shank_name.text, UT_JOINT_HINGE, y);
    add_part(b, shank, shank_name.text, lower, middle, 0.3);

    add_servo(b, hip_joint, hip_name.text);
    add_servo(b, thigh_joint, thigh_name.text);
    add_servo(b, shank_joint, shank_name.text);
}

// Add a keyframe with the torso at a height and the legs bent; the controls hold these angles.
static void add_quad_key(Builder* b, const char* name, double height)
{
    static const double bent[LEG_JOINTS] = {0.0, 0.7, -1.4};
    double q[QUAD_Q] = {0.0, 0.0, height, 1.0};
    for (int i = 0; i < LEGS * LEG_JOINTS; i++) {
        q[7 + i] = bent[i % LEG_JOINTS];
    }
    const utKeyframeDef key = {
        .name = name,
        .nq = QUAD_Q,
        .q = q,
        .nu = LEGS * LEG_JOINTS,
        .ctrl = q + 7,
    };
    ut_scene_keyframe(b, &key);
}

// The robot has a mass of 20 kg. A run begins in the air with bent legs. In the keyframe "stand" the
// feet are on the floor.
void ut_scene_quad(Builder* b, const double* arg)
{
    (void)arg;
    const utShape trunk = {.kind = UT_SHAPE_BOX, .size = ut_vec3(0.3, 0.15, 0.075)};
    const double height = 0.6;
    const utOptions options = ut_scene_options(5.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, quad_mu);
    const int torso = ut_scene_body(b, "torso", 0, ut_vec3(0.0, 0.0, height));
    ut_scene_joint(b, torso, "torso", UT_JOINT_FREE, ut_vec3(0.0, 0.0, 1.0));
    add_part(b, torso, "torso", trunk, ut_vec3_zero(), 12.0);
    add_leg(b, torso, "fl", 1.0, 1.0);
    add_leg(b, torso, "fr", 1.0, -1.0);
    add_leg(b, torso, "rl", -1.0, 1.0);
    add_leg(b, torso, "rr", -1.0, -1.0);
    add_quad_key(b, UT_KEYFRAME_START, height);
    // thigh and shank are inclined by 0.7 rad in opposite directions
    add_quad_key(b, "stand", 2.0 * segment * ut_cos(0.7) + foot);
}

// ---- grippers -----------------------------------------------------------------------------------

static const double box_half = 0.05;
static const double box_mass = 0.5;
static const double plate_half = 0.01;
static const double plate_mass = 0.2;

// Add a plate on a slide. It touches the box at q = 0 and moves toward it as q grows.
// @param side -1 left, 1 right
static void add_plate(Builder* b, int parent, const char* name, double side, double z, double mu)
{
    const int plate =
        ut_scene_body(b, name, parent, ut_vec3(side * (box_half + plate_half), 0.0, z));
    const int slide = ut_scene_joint(b, plate, name, UT_JOINT_SLIDE, ut_vec3(-side, 0.0, 0.0));
    ut_scene_geom(b, plate, name, UT_SHAPE_BOX, ut_vec3(plate_half, 0.04, 0.04), plate_mass, mu);
    ut_scene_motor(b, slide, name);
}

static void add_held_box(Builder* b, double z, double mu)
{
    ut_scene_free_box(b, "box", ut_vec3(0.0, 0.0, z), ut_vec3(box_half, box_half, box_half),
                      box_mass, mu);
}

// The plates hold the box if 2 mu force >= m g, that is from 4.905 N on.
void ut_scene_gripper(Builder* b, const double* arg)
{
    const double mu = 0.5, height = 0.5;
    const utOptions options = ut_scene_options(1.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    add_plate(b, 0, "left", -1.0, height, mu);
    add_plate(b, 0, "right", 1.0, height, mu);
    add_held_box(b, height, mu);
    const double ctrl[2] = {arg[0], arg[0]};
    ut_scene_start(b, 0, NULL, 0, NULL, 2, ctrl);
}

// The hand (1.4 kg with its plates) is lifted by 0.2 m with at most 40 N. The box accelerates by
// less than 11.3 m/s^2, so each plate needs (9.81 + 11.3) 0.5 / (2 mu) = 6.6 N.
void ut_scene_grasp(Builder* b, const double* arg)
{
    const double mu = 0.8, height = 0.2, lift_by = 0.2;
    const utOptions options = ut_scene_options(2.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    const int hand = ut_scene_body(b, "hand", 0, ut_vec3(0.0, 0.0, height));
    const int slide = ut_scene_joint(b, hand, "lift", UT_JOINT_SLIDE, ut_vec3(0.0, 0.0, 1.0));
    ut_scene_geom(b, hand, "hand", UT_SHAPE_BOX, ut_vec3(0.1, 0.04, 0.02), 1.0, mu);

    utActuatorDef lift = ut_actuator_def(slide, UT_ACTUATOR_POSITION);
    lift.name = "lift";
    lift.kp = 2000.0;
    lift.kv = 100.0;
    lift.force_limited = true;
    lift.force_range[0] = -40.0;
    lift.force_range[1] = 40.0;
    ut_scene_add_actuator(b, &lift);

    // 0.01 m above the floor
    const double plate_z = 0.04 + 0.01;
    add_plate(b, hand, "left", -1.0, plate_z - height, mu);
    add_plate(b, hand, "right", 1.0, plate_z - height, mu);
    add_held_box(b, box_half, mu);
    const double ctrl[3] = {lift_by, arg[0], arg[0]};
    ut_scene_start(b, 0, NULL, 0, NULL, 3, ctrl);
}
