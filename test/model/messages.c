// SPDX-License-Identifier: Apache-2.0
// Every error of a description, with its exact message.
#include "build.h"

#include <stdio.h>
#include <uptack/law.h>

#define not_a_number ((double)NAN)
#define infinite ((double)INFINITY)

// Each case changes this description: body 1 'box' with free joint 0 'float' and geom 0 'ball', and body 2
// 'arm' with hinge 1 'hip' and geom 1 'bone', driven by actuator 0 'motor'. The arm comes from
// robot.xml, line 7, the hip from line 8.
typedef struct Parts {
    utBodyDef box, arm;
    utJointDef floating, hip;
    utGeomDef ball, bone;
    utActuatorDef motor;
    utKeyframeDef key;
    utOptions options;
    bool use_key;
    void (*add)(utModelDef* def); // called last, may be NULL
} Parts;

static Parts good_parts(void)
{
    Parts p = {
        .box = ut_body_def(),
        .arm = ut_body_def(),
        .floating = ut_joint_def(1, UT_JOINT_FREE),
        .hip = ut_joint_def(2, UT_JOINT_HINGE),
        .ball = ut_geom_def(1, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0)),
        .bone = ut_geom_def(2, UT_SHAPE_CAPSULE, ut_vec3(0.1, 0.3, 0)),
        .motor = ut_actuator_def(1, UT_ACTUATOR_MOTOR),
        .key = {.name = "home"},
        .options = ut_options(),
    };
    p.box.name = "box";
    p.arm.name = "arm";
    p.arm.origin = (utOrigin){"robot.xml", 7};
    p.floating.name = "float";
    p.hip.name = "hip";
    p.hip.origin = (utOrigin){"robot.xml", 8};
    p.ball.name = "ball";
    p.bone.name = "bone";
    p.motor.name = "motor";
    return p;
}

static utModelDef* build(const Parts* p)
{
    utModelDef* def = new_def();
    ut_model_def_options(def, &p->options);
    ut_model_def_body(def, &p->box);
    ut_model_def_body(def, &p->arm);
    ut_model_def_joint(def, &p->floating);
    ut_model_def_joint(def, &p->hip);
    ut_model_def_geom(def, &p->ball);
    ut_model_def_geom(def, &p->bone);
    ut_model_def_actuator(def, &p->motor);
    if (p->use_key) {
        ut_model_def_keyframe(def, &p->key);
    }
    if (p->add != NULL) {
        p->add(def);
    }
    return def;
}

// The error of a description as a user sees it; "" when it compiles.
static const char* complaint(const Parts* p, utStatus want)
{
    static char text[600];
    utModelDef* def = build(p);
    utModel* model = NULL;
    utError err = {0};
    const utStatus status = ut_model_compile(def, NULL, &model, &err);
    text[0] = 0;
    if (status != UT_OK) {
        CHECK_INT(status, want);
        CHECK_INT(err.status, want);
        CHECK(model == NULL);
        ut_error_format(&err, text, sizeof text);
        // messages are optional
        CHECK_INT(ut_model_compile(def, NULL, &model, NULL), want);
    }
    ut_model_destroy(model);
    ut_model_def_destroy(def);
    return text;
}

TEST(the_good_parts_compile)
{
    Parts p = good_parts();
    CHECK_TEXT(complaint(&p, UT_OK), "");
    p.use_key = true;
    CHECK_TEXT(complaint(&p, UT_OK), "");
}

// Change one field of the valid parts and compare the message.
#define SAYS_STATUS(status, text, ...)           \
    do {                                         \
        Parts p = good_parts();                  \
        __VA_ARGS__;                             \
        CHECK_TEXT(complaint(&p, status), text); \
    } while (0)
#define SAYS(text, ...) SAYS_STATUS(UT_ERR_ARGUMENT, text, __VA_ARGS__)

TEST(bodies_in_a_wrong_order_are_refused)
{
    SAYS("robot.xml:7: error: body 'arm' has parent 2, which was not added before it; add parents "
         "before children",
         p.arm.parent = 2);
    SAYS("error: body 'box' has parent -1, which was not added before it; add parents before "
         "children",
         p.box.parent = -1);
}

static void third_body_below_box(utModelDef* def)
{
    add_body(def, 1, "late", ut_vec3_zero());
}

static void another_arm(utModelDef* def)
{
    utBodyDef body = ut_body_def();
    body.name = "arm";
    body.origin = (utOrigin){"robot.xml", 20};
    ut_model_def_body(def, &body);
}

static void another_world(utModelDef* def)
{
    add_body(def, 0, "world", ut_vec3_zero());
}

static void another_box(utModelDef* def)
{
    add_body(def, 0, "box", ut_vec3_zero());
}

static void another_hip(utModelDef* def)
{
    utJointDef joint = ut_joint_def(2, UT_JOINT_SLIDE);
    joint.name = "hip";
    joint.origin = (utOrigin){"robot.xml", 21};
    ut_model_def_joint(def, &joint);
}

static void another_ball(utModelDef* def)
{
    add_ball(def, 0, "ball");
}

static void another_motor(utModelDef* def)
{
    utActuatorDef motor = ut_actuator_def(1, UT_ACTUATOR_MOTOR);
    motor.name = "motor";
    ut_model_def_actuator(def, &motor);
}

static void two_keys(utModelDef* def)
{
    ut_model_def_keyframe(def, &(utKeyframeDef){.name = "home"});
    ut_model_def_keyframe(def, &(utKeyframeDef){.name = "home"});
}

TEST(bodies_not_depth_first_are_refused)
{
    SAYS("error: body 'late' comes after bodies that are not below its parent, body 'box'; add "
         "children depth-first",
         p.add = third_body_below_box);
}

TEST(names_that_come_twice_are_refused)
{
    SAYS("robot.xml:20: error: body 'arm' exists already, from line 7; give it another name",
         p.add = another_arm);
    SAYS("error: body 'world' has the name of body 0, the world; give it another name",
         p.add = another_world);
    SAYS("error: body 'box' exists already; give it another name", p.add = another_box);
    SAYS("robot.xml:21: error: joint 'hip' exists already, from line 8; give it another name",
         p.add = another_hip);
    SAYS("error: geom 'ball' exists already; give it another name", p.add = another_ball);
    SAYS("error: actuator 'motor' exists already; give it another name", p.add = another_motor);
    SAYS("error: keyframe 'home' exists already; give it another name", p.add = two_keys);
    // elements of different kinds may share a name, and any number may have none
    SAYS("", p.bone.name = "box");
    SAYS("", p.box.name = p.arm.name = "");
}

TEST(numbers_that_are_not_finite_are_refused_by_name)
{
    SAYS("error: pos of body 'box' is nan; it must be finite", p.box.pos.y = not_a_number);
    SAYS("error: quat of body 'box' is inf; it must be finite", p.box.quat.z = infinite);
    SAYS("error: mass of body 'box' is nan; it must be finite", p.box.mass = not_a_number);
    SAYS("error: com of body 'box' is -inf; it must be finite", p.box.com.z = -infinite);
    SAYS("error: inertia of body 'box' is nan; it must be finite",
         p.box.inertia.m[2][2] = not_a_number);
    SAYS("robot.xml:8: error: pos of joint 'hip' is nan; it must be finite",
         p.hip.pos.x = not_a_number);
    SAYS("robot.xml:8: error: axis of joint 'hip' is nan; it must be finite",
         p.hip.axis.z = not_a_number);
    SAYS("robot.xml:8: error: range of joint 'hip' is nan; it must be finite",
         p.hip.range[1] = not_a_number);
    SAYS("robot.xml:8: error: ref of joint 'hip' is nan; it must be finite",
         p.hip.ref = not_a_number);
    SAYS("robot.xml:8: error: stiffness of joint 'hip' is nan; it must be finite",
         p.hip.stiffness = not_a_number);
    SAYS("robot.xml:8: error: springref of joint 'hip' is nan; it must be finite",
         p.hip.springref = not_a_number);
    SAYS("robot.xml:8: error: damping of joint 'hip' is inf; it must be finite",
         p.hip.damping = infinite);
    SAYS("robot.xml:8: error: armature of joint 'hip' is nan; it must be finite",
         p.hip.armature = not_a_number);
    SAYS("robot.xml:8: error: frictionloss of joint 'hip' is nan; it must be finite",
         p.hip.frictionloss = not_a_number);
    SAYS("error: size of geom 'ball' is nan; it must be finite",
         p.ball.shape.size.x = not_a_number);
    SAYS("error: pos of geom 'ball' is nan; it must be finite", p.ball.pos.x = not_a_number);
    SAYS("error: quat of geom 'ball' is nan; it must be finite", p.ball.quat.w = not_a_number);
    SAYS("error: mass of geom 'ball' is nan; it must be finite", p.ball.mass = not_a_number);
    SAYS("error: density of geom 'ball' is inf; it must be finite", p.ball.density = infinite);
    SAYS("error: friction of geom 'ball' is nan; it must be finite",
         p.ball.friction = not_a_number);
    SAYS("error: margin of geom 'ball' is nan; it must be finite", p.ball.margin = not_a_number);
    SAYS("error: gear of actuator 'motor' is nan; it must be finite", p.motor.gear = not_a_number);
    SAYS("error: kp of actuator 'motor' is nan; it must be finite", p.motor.kp = not_a_number);
    SAYS("error: kv of actuator 'motor' is nan; it must be finite", p.motor.kv = not_a_number);
    SAYS("error: ctrl_range of actuator 'motor' is nan; it must be finite",
         p.motor.ctrl_range[0] = not_a_number);
    SAYS("error: force_range of actuator 'motor' is nan; it must be finite",
         p.motor.force_range[1] = not_a_number);
}

TEST(restitution_lies_between_0_and_1)
{
    SAYS("error: restitution of geom 'ball' is nan; it must be finite",
         p.ball.restitution = not_a_number);
    SAYS("error: restitution of geom 'ball' is -0.1; it must lie between 0 and 1",
         p.ball.restitution = -0.1);
    SAYS("error: restitution of geom 'ball' is 1.5; it must lie between 0 and 1",
         p.ball.restitution = 1.5);
}

TEST(numbers_below_zero_are_refused_where_they_make_no_sense)
{
    SAYS("error: mass of body 'box' is -2; it cannot be negative", p.box.mass = -2.0);
    SAYS("robot.xml:8: error: stiffness of joint 'hip' is -1; it cannot be negative",
         p.hip.stiffness = -1.0);
    SAYS("robot.xml:8: error: damping of joint 'hip' is -0.1; it cannot be negative",
         p.hip.damping = -0.1);
    SAYS("robot.xml:8: error: armature of joint 'hip' is -1; it cannot be negative",
         p.hip.armature = -1.0);
    SAYS("robot.xml:8: error: frictionloss of joint 'hip' is -1; it cannot be negative",
         p.hip.frictionloss = -1.0);
    SAYS("error: density of geom 'ball' is -1; it cannot be negative", p.ball.density = -1.0);
    SAYS("error: friction of geom 'ball' is -1; it cannot be negative", p.ball.friction = -1.0);
    SAYS("error: margin of geom 'ball' is -0.01; it cannot be negative", p.ball.margin = -0.01);
    SAYS("error: kp of actuator 'motor' is -1; it cannot be negative", p.motor.kp = -1.0);
    SAYS("error: kv of actuator 'motor' is -1; it cannot be negative", p.motor.kv = -1.0);
}

TEST(zero_directions_and_rotations_are_refused)
{
    SAYS("error: quat of body 'box' is zero; no rotation is 1 0 0 0",
         p.box.quat = ut_quat(0, 0, 0, 0));
    SAYS("error: quat of geom 'ball' is zero; no rotation is 1 0 0 0",
         p.ball.quat = ut_quat(0, 0, 0, 0));
    SAYS("robot.xml:8: error: axis of joint 'hip' is zero; give a direction, for example 0 0 1",
         p.hip.axis = ut_vec3_zero());
    // quaternions of the smallest and largest doubles can be normalized
    SAYS("", p.box.quat = ut_quat(0, 1e-300, 0, 0));
    SAYS("", p.box.quat = ut_quat(0, 1e300, 0, 1e300));
    SAYS("", p.hip.axis = ut_vec3(1e-310, 0, 0));
}

TEST(ranges_that_do_not_run_upward_are_refused)
{
    SAYS("robot.xml:8: error: range of joint 'hip' is 1 to -1; the first number must be the "
         "smaller",
         p.hip.limited = true;
         p.hip.range[0] = 1; p.hip.range[1] = -1);
    SAYS("robot.xml:8: error: range of joint 'hip' is 0 to 0; the first number must be the smaller",
         p.hip.limited = true);
    SAYS("error: ctrl_range of actuator 'motor' is 0 to 0; the first number must be the smaller",
         p.motor.ctrl_limited = true);
    SAYS("error: force_range of actuator 'motor' is 2 to 1.5; the first number must be the smaller",
         p.motor.force_limited = true;
         p.motor.force_range[0] = 2; p.motor.force_range[1] = 1.5);
    SAYS("robot.xml:8: error: range of joint 'hip' begins at -1; that of a ball begins at 0",
         p.motor.joint = 0;
         p.hip.kind = UT_JOINT_BALL; p.hip.limited = true; p.hip.range[0] = -1);
    SAYS("error: free joint 'float' is limited; a free joint has no range",
         p.floating.limited = true);
}

TEST(masses_that_cannot_be_are_refused)
{
    SAYS("robot.xml:7: error: body 'arm' moves but has no mass; give it an inertial or a geom with "
         "mass",
         p.bone.density = 0.0);
    SAYS("robot.xml:7: error: body 'arm' moves but has no mass; give it an inertial or a geom with "
         "mass",
         p.bone.mass = 0.0);
    SAYS("robot.xml:7: error: body 'arm' moves but has no mass; give it an inertial or a geom with "
         "mass",
         p.bone.body = 0);
    SAYS("robot.xml:7: error: body 'arm' moves but its inertia is not positive definite; a moving "
         "body needs inertia about every axis",
         p.arm.inertial = true;
         p.arm.mass = 1.0);
    SAYS("robot.xml:7: error: body 'arm' moves but its inertia is not positive definite; a moving "
         "body needs inertia about every axis",
         p.arm.inertial = true;
         p.arm.mass = 1.0; p.arm.inertia = ut_mat3_diagonal(ut_vec3(1, 1, 0)));
    SAYS("robot.xml:7: error: inertia of body 'arm' is not positive definite; give it about the "
         "centre of mass",
         p.arm.inertial = true;
         p.arm.mass = 1.0; p.arm.inertia = ut_mat3_diagonal(ut_vec3(1, 1, -0.5)));
    SAYS("robot.xml:7: error: inertia of body 'arm' is not positive definite; give it about the "
         "centre of mass",
         p.arm.inertial = true;
         p.arm.mass = 1.0; p.arm.inertia = ut_mat3_identity();
         p.arm.inertia.m[0][1] = p.arm.inertia.m[1][0] = 1.1);
    SAYS("robot.xml:7: error: inertia of body 'arm' belongs to no solid: its principal moments "
         "must satisfy A + B >= C; check units and the order of entries",
         p.arm.inertial = true;
         p.arm.mass = 1.0; p.arm.inertia = ut_mat3_diagonal(ut_vec3(1, 1, 2.1)));
    // the same turned by 45 degrees about y: A = 1, B = 1, C = 2.1 along x + z
    SAYS("robot.xml:7: error: inertia of body 'arm' belongs to no solid: its principal moments "
         "must satisfy A + B >= C; check units and the order of entries",
         p.arm.inertial = true;
         p.arm.mass = 1.0; p.arm.inertia = ut_mat3_diagonal(ut_vec3(1.55, 1, 1.55));
         p.arm.inertia.m[0][2] = p.arm.inertia.m[2][0] = 0.55);
    // a flat body, and one that is flat up to the rounding of a file
    SAYS("", p.arm.inertial = true; p.arm.mass = 1.0;
         p.arm.inertia = ut_mat3_diagonal(ut_vec3(1, 1, 2)));
    SAYS("", p.arm.inertial = true; p.arm.mass = 1.0;
         p.arm.inertia = ut_mat3_diagonal(ut_vec3(1, 1, 2.000001)));
    SAYS("robot.xml:7: error: inertia of body 'arm' is not symmetric", p.arm.inertial = true;
         p.arm.mass = 1.0; p.arm.inertia = ut_mat3_identity(); p.arm.inertia.m[1][2] = 0.1);
    SAYS("error: mass or inertia of body 'box' overflows; check the sizes, positions and "
         "densities of its geoms",
         p.ball.shape.size.x = 1e300);
}

TEST(places_out_of_all_numbers_are_refused)
{
    SAYS("error: distances from the world to body 'box' overflow; check its pos",
         p.box.pos.x = 1e300);
    SAYS("error: distances from the world to geom 'ball' overflow; check its pos",
         p.ball.pos.x = -1e200);
    SAYS("robot.xml:8: error: distances to bodies that joint 'hip' moves overflow; check "
         "positions and sizes",
         p.hip.pos.x = 1e200);
}

TEST(joints_out_of_place_are_refused)
{
    SAYS("robot.xml:8: error: joint 'hip' is of kind 6, which does not exist; there are 0 to 3",
         p.hip.kind = UT_JOINT_KIND_COUNT);
    SAYS("robot.xml:8: error: joint 'hip' is on body 3, which does not exist; there are 0 to 2",
         p.hip.body = 3);
    SAYS("robot.xml:8: error: joint #1 is on body -1, which does not exist; there are 0 to 2",
         p.hip.name = NULL;
         p.hip.body = -1);
    SAYS("robot.xml:8: error: joint 'hip' is on the world, which cannot move; put it on another "
         "body",
         p.hip.body = 0);
    SAYS("robot.xml:8: error: free joint 'hip' is on body 'arm', a child of body 'box'; free "
         "joints are for children of the world",
         p.motor.joint = 0;
         p.arm.parent = 1; p.hip.kind = UT_JOINT_FREE);
    SAYS("error: free joint 'float' is not the only joint of body 'box'; a free joint must be the "
         "only one",
         p.hip.body = 1);
}

static void two_balls(utModelDef* def)
{
    add_joint(def, 2, UT_JOINT_BALL, NULL);
    add_joint(def, 2, UT_JOINT_BALL, NULL);
}

TEST(more_than_six_degrees_of_freedom_are_refused)
{
    SAYS("robot.xml:7: error: joints of body 'arm' have 7 degrees of freedom; a body has at most 6",
         p.add = two_balls);
}

TEST(mocap_bodies_out_of_place_are_refused)
{
    SAYS("robot.xml:8: error: joint 'hip' is on mocap body 'arm'; a body is moved by joints or by "
         "its mocap pose, not by both",
         p.arm.mocap = true);
    SAYS("robot.xml:7: error: mocap body 'arm' is a child of body 'box'; it must be a child of the "
         "world",
         p.arm.mocap = true;
         p.arm.parent = 1);
}

TEST(geoms_out_of_place_are_refused)
{
    SAYS("error: geom 'ball' is on body 3, which does not exist; there are 0 to 2",
         p.ball.body = 3);
    SAYS("error: geom 'ball' is a plane on body 'box', which moves; planes must be fixed to the "
         "world",
         p.ball.shape.kind = UT_SHAPE_PLANE);
    SAYS("", p.ball.shape.kind = UT_SHAPE_PLANE; p.ball.body = 0; p.bone.body = 1;
         p.floating.body = 2; p.hip.body = 1; p.arm.inertial = true; p.arm.mass = 1;
         p.arm.inertia = ut_mat3_identity());
}

// The shape gives the reason; the model adds the geom's name.
TEST(bad_shapes_are_refused_with_the_name_of_their_geom)
{
    static const utShape bad[] = {
        {.kind = UT_SHAPE_SPHERE, .size = {-1, 0, 0}},
        {.kind = UT_SHAPE_BOX, .size = {1, 0, 1}},
        {.kind = UT_SHAPE_CAPSULE, .size = {1, -1, 0}},
        {.kind = UT_SHAPE_KIND_COUNT, .size = {1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        utError err = {0};
        char want[400];
        CHECK(ut_shape_check(&bad[i], &err) == UT_ERR_ARGUMENT);
        snprintf(want, sizeof want, "error: geom 'ball': %s", err.message);
        SAYS(want, p.ball.shape = bad[i]);
    }
}

TEST(actuators_out_of_place_are_refused)
{
    SAYS("error: actuator 'motor' is of kind 7, which does not exist; there are 0 to 6",
         p.motor.kind = UT_ACTUATOR_KIND_COUNT);
    SAYS("error: actuator 'motor' drives joint 2, which does not exist; there are 2 joints",
         p.motor.joint = 2);
    SAYS("error: actuator 'motor' names site 3, which does not exist; there are 0 sites",
         p.motor.site = 3);
    SAYS("error: actuator 'motor' has a crank without a positive crank_length",
         p.motor.crank_site = 0);
    SAYS("error: actuator 'motor' has dynamics 4, which do not exist; there are 0 to 3",
         p.motor.dynamics = UT_DYNAMICS_COUNT);
    SAYS("error: actuator 'motor' has a dampratio, which is for position and intvelocity actuators",
         p.motor.dampratio = 1.0);
    SAYS("error: actuator 'motor' has kv and dampratio; give one of them",
         p.motor.kind = UT_ACTUATOR_POSITION;
         p.motor.kv = p.motor.dampratio = 1.0);
    SAYS("error: actuator 'motor' has a dampratio, which is not for equalities and free joints of "
         "planar worlds; give kv",
         p.motor.kind = UT_ACTUATOR_POSITION;
         p.motor.dampratio = 1.0; p.motor.joint = 0; p.options.planar = UT_PLANAR_XZ);
    SAYS("error: act_range of actuator 'motor' is 2 to 1; the first number must be the smaller",
         p.motor.act_limited = true;
         p.motor.act_range[0] = 2.0; p.motor.act_range[1] = 1.0);
    SAYS("robot.xml:8: error: actuator_force_range of joint 'hip' is 2 to 1; the first number must "
         "be the smaller",
         p.hip.actuator_force_limited = true;
         p.hip.actuator_force_range[0] = 2.0; p.hip.actuator_force_range[1] = 1.0);
    SAYS("error: joint 'float' has an actuator_force_range, which is for hinges and slides",
         p.floating.actuator_force_limited = true);
}

static void exclude_nobody(utModelDef* def)
{
    ut_model_def_exclude(def, 1, 2, (utOrigin){0});
    ut_model_def_exclude(def, 2, 3, (utOrigin){"robot.xml", 30});
}

TEST(excludes_of_nobody_are_refused)
{
    SAYS("robot.xml:30: error: exclude #1 names body 3, which does not exist; there are 0 to 2",
         p.add = exclude_nobody);
}

TEST(keyframes_that_do_not_fit_are_refused)
{
    static const double ten[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const double bad[] = {0, 0, not_a_number, 1, 0, 0, 0, 0, 0, 0};
    SAYS("error: keyframe 'home' gives 7 entries of q; the model has 8", p.use_key = true;
         p.key.q = ten; p.key.nq = 7);
    SAYS("error: keyframe 'home' gives 8 entries of v; the model has 7", p.use_key = true;
         p.key.v = ten; p.key.nv = 8);
    SAYS("error: keyframe 'home' gives 0 entries of ctrl; the model has 1", p.use_key = true;
         p.key.ctrl = ten);
    SAYS("error: keyframe 'home' gives -3 entries of ctrl; the model has 1", p.use_key = true;
         p.key.ctrl = ten; p.key.nu = -3);
    SAYS("error: keyframe 'home' gives 1 entries of mocap_pos; the model has 0", p.use_key = true;
         p.key.mocap_pos = ten; p.key.mocaps = 1);
    SAYS("error: keyframe 'home' has no q but a count of 8; set the count to 0", p.use_key = true;
         p.key.nq = 8);
    SAYS("error: keyframe #0 has no mocap_quat but a count of 1; set the count to 0",
         p.use_key = true;
         p.key.name = NULL; p.key.mocaps = 1);
    SAYS("error: q[2] of keyframe 'home' is nan; it must be finite", p.use_key = true;
         p.key.q = bad; p.key.nq = 8);
    SAYS("error: q[3] of keyframe 'home' begins a zero quaternion; no rotation is 1 0 0 0",
         p.use_key = true;
         p.key.q = ten; p.key.nq = 8);
    SAYS("error: time of keyframe 'home' is nan; it must be finite", p.use_key = true;
         p.key.time = not_a_number);
    SAYS("error: mocap_quat[0] of keyframe 'home' begins a zero quaternion; no rotation is 1 0 0 0",
         p.use_key = true;
         p.key.mocap_quat = ten; p.key.mocaps = 1; p.arm.mocap = true; p.hip.body = 1;
         p.floating.body = 1; p.floating.kind = UT_JOINT_SLIDE);
}

TEST(options_that_cannot_be_are_refused)
{
    SAYS("error: dt of the options is 0; it must be positive", p.options.dt = 0);
    SAYS("error: dt of the options is -1; it must be positive", p.options.dt = -1);
    SAYS("error: dt of the options is nan; it must be finite", p.options.dt = not_a_number);
    SAYS("error: gravity of the options is inf; it must be finite", p.options.gravity.x = infinite);
    SAYS("error: time of the options is -1; it cannot be negative", p.options.time = -1);
    SAYS("error: tolerance of the options is 0; it must be positive", p.options.tolerance = 0);
    SAYS("error: integrator of the options is 4; there are 0 to 3",
         p.options.integrator = UT_INTEGRATOR_COUNT);
    SAYS("error: directions of the options is 7; it must be even, 2 or more",
         p.options.directions = 7);
    SAYS("error: directions of the options is 0; it must be even, 2 or more",
         p.options.directions = 0);
    SAYS("error: relinearize of the options is -1; it cannot be negative",
         p.options.relinearize = -1);
    SAYS("error: bounce of the options is -1; it cannot be negative", p.options.bounce = -1);
    SAYS("error: bounce of the options is nan; it must be finite", p.options.bounce = not_a_number);
    SAYS("error: impact of the options is 3; there are 0 to 2", p.options.impact = 3);
    SAYS("error: impact of the options is -2; there are 0 to 2", p.options.impact = -2);
    SAYS("error: simultaneous of the options is 3; there are 0 to 2",
         p.options.simultaneous = UT_SIMULTANEOUS_COUNT);
    SAYS("error: detection of the options is 2; there are 0 to 1",
         p.options.detection = UT_DETECTION_COUNT);
    SAYS("error: formulation of the options is 9; it lies between -1 and 8",
         p.options.formulation = UT_FORMULATION_COUNT);
    SAYS("error: solver of the options is missing; the default is \"auto\"", p.options.solver = "");
}

TEST(defs_that_skipped_their_function_are_refused)
{
    SAYS_STATUS(UT_ERR_DEF, "error: body #1 did not come from ut_body_def(); begin with that",
                p.box.cookie = 0);
    SAYS_STATUS(UT_ERR_DEF, "error: joint #0 did not come from ut_joint_def(); begin with that",
                p.floating.cookie = 1);
    SAYS_STATUS(UT_ERR_DEF, "error: geom #1 did not come from ut_geom_def(); begin with that",
                p.bone.cookie = 0);
    SAYS_STATUS(UT_ERR_DEF,
                "error: actuator #0 did not come from ut_actuator_def(); begin with that",
                p.motor.cookie = 0);
    SAYS_STATUS(UT_ERR_DEF, "error: the options did not come from ut_options(); begin with that",
                p.options.cookie = 0);
}

TEST(defs_with_the_cookie_of_another_kind_are_refused)
{
    static const uint32_t other[] = {UT_COOKIE(1, 1), UT_SECTION_COOKIE, UT_SITE_DEF_COOKIE,
                                     UT_EQUALITY_DEF_COOKIE, UT_COOKIE(11, 2)};
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        SAYS_STATUS(UT_ERR_DEF, "error: body #1 did not come from ut_body_def(); begin with that",
                    p.box.cookie = other[k]);
        SAYS_STATUS(UT_ERR_DEF, "error: joint #0 did not come from ut_joint_def(); begin with that",
                    p.floating.cookie = other[k]);
        SAYS_STATUS(UT_ERR_DEF,
                    "error: the options did not come from ut_options(); begin with that",
                    p.options.cookie = other[k]);
    }
}

TEST(a_long_name_is_cut_between_characters)
{
    char name[300] = "";
    for (int i = 0; i < 99; i++) {
        memcpy(name + 3 * i, "\xe2\x8a\xa5", 4); // the up tack, three bytes
    }
    Parts p = good_parts();
    p.box.name = name;
    p.box.pos.x = not_a_number;
    const char* text = complaint(&p, UT_ERR_ARGUMENT);
    // "pos of body '", 28 whole characters of three bytes, "...'"
    char want[300] = "error: pos of body '";
    for (int i = 0; i < 28; i++) {
        memcpy(want + 20 + 3 * i, "\xe2\x8a\xa5", 4);
    }
    memcpy(want + 20 + 84, "...' is nan; it must be finite", 31);
    CHECK_TEXT(text, want);
}

TEST(no_description_is_an_argument_error)
{
    utModel* model = NULL;
    utError err = {0};
    CHECK(ut_model_compile(NULL, NULL, &model, &err) == UT_ERR_ARGUMENT);
    CHECK(err.message[0] != 0);
    const utBodyDef body = ut_body_def();
    CHECK_INT(ut_model_def_body(NULL, &body), -1);
    ut_model_def_destroy(NULL);
    ut_model_destroy(NULL);
}
