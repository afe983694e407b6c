// SPDX-License-Identifier: Apache-2.0
// Compiled models against hand calculations.
#include "build.h"

static const double pi = 3.14159265358979323846;

TEST(the_example_of_the_header_compiles)
{
    utModelDef* def = new_def();
    utBodyDef body = ut_body_def();
    body.name = "box";
    body.pos = ut_vec3(0, 0, 1);
    int box = ut_model_def_body(def, &body);
    utJointDef joint = ut_joint_def(box, UT_JOINT_FREE);
    CHECK_INT(ut_model_def_joint(def, &joint), 0);
    utGeomDef geom = ut_geom_def(box, UT_SHAPE_BOX, ut_vec3(0.1, 0.1, 0.1));
    CHECK_INT(ut_model_def_geom(def, &geom), 0);
    utModel* model = compile(def);
    CHECK_INT(box, 1);
    CHECK_INT(model->nbody, 2);
    CHECK_INT(model->nq, 7);
    CHECK_INT(model->nv, 6);
    CHECK_TEXT(model->body[0].name, "world");
    CHECK_TEXT(model->body[1].name, "box");
    CHECK_TEXT(model->joint[0].name, "");
    CHECK_TEXT(ut_formulation_name((utFormulation)model->options.formulation), "coulomb");
    CHECK_TEXT(model->options.solver, "auto");
    // a cube of 0.2 m and 1000 kg/m^3
    CHECK_NEAR(model->mass, 8.0, 1e-14);
    CHECK(model->tree[0].free);
    ut_model_destroy(model);
}

TEST(a_model_without_anything_is_a_world)
{
    utModel* model = compile(new_def());
    CHECK_INT(model->nbody, 1);
    CHECK_INT(model->nv + model->nq + model->nu + model->ntree + model->ngeom, 0);
    CHECK_INT(model->body[0].parent, -1);
    CHECK_INT(model->body[0].tree, -1);
    CHECK_INT(model->body[0].weld, 0);
    CHECK_INT(model->body[0].last_dof, -1);
    CHECK_INT(ut_model_find_body(model, "world"), 0);
    CHECK_INT(ut_model_find_joint(model, "world"), -1);
    ut_model_integrate(model, NULL, NULL, 1.0, NULL);
    ut_model_destroy(model);
}

// ---- mass ---------------------------------------------------------------------------------------

// A dumbbell: balls of 1 kg and 3 kg, radius 0.1, at x = 0 and x = 1. Centre 3/4; about it
// yy = zz = 2 parts 0.4 m r^2 and m1 m2 / (m1 + m2) d^2 = 3/4; xx = 0.4 * 4 * 0.01.
TEST(geoms_compose_by_parallel_axes)
{
    utModelDef* def = new_def();
    int body = add_body(def, 0, "dumbbell", ut_vec3_zero());
    add_joint(def, body, UT_JOINT_FREE, NULL);
    add_ball(def, body, NULL);
    utGeomDef geom = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(0.1, 0.0, 0.0));
    geom.mass = 3.0;
    geom.pos = ut_vec3(1.0, 0.0, 0.0);
    geom.contype = geom.conaffinity = 0; // does not collide, but has mass
    ut_model_def_geom(def, &geom);
    utModel* model = compile(def);
    const utModelBody* b = &model->body[1];
    CHECK_NEAR(b->mass, 4.0, 1e-15);
    check_vec3(b->com, 0.75, 0.0, 0.0, 1e-15);
    const double own = 0.4 * 4.0 * 0.01;
    CHECK_NEAR(b->inertia.m[0][0], own, 1e-15);
    CHECK_NEAR(b->inertia.m[1][1], own + 0.75, 1e-15);
    CHECK_NEAR(b->inertia.m[2][2], own + 0.75, 1e-15);
    CHECK_NEAR(b->inertia.m[0][1], 0.0, 1e-16);
    ut_model_destroy(model);
}

// A box of half extents a, b, c and mass m has m/3 (b^2 + c^2) about x. Turned by 45 degrees about
// z, xx and yy become their mean and xy = (xx - yy)/2 (rotation of a tensor).
TEST(a_turned_box_has_a_product_of_inertia)
{
    utModelDef* def = new_def();
    int body = add_body(def, 0, NULL, ut_vec3_zero());
    add_joint(def, body, UT_JOINT_FREE, NULL);
    utGeomDef geom = ut_geom_def(body, UT_SHAPE_BOX, ut_vec3(0.1, 0.2, 0.3));
    geom.mass = 3.0;
    geom.quat = ut_quat(2.0 * cos(pi / 8), 0.0, 0.0, 2.0 * sin(pi / 8)); // twice a unit
    ut_model_def_geom(def, &geom);
    utModel* model = compile(def);
    const utMat3 I = model->body[1].inertia;
    const double xx = 0.04 + 0.09, yy = 0.01 + 0.09, zz = 0.01 + 0.04;
    CHECK_NEAR(I.m[0][0], 0.5 * (xx + yy), 1e-15);
    CHECK_NEAR(I.m[1][1], 0.5 * (xx + yy), 1e-15);
    CHECK_NEAR(I.m[2][2], zz, 1e-15);
    CHECK_NEAR(I.m[0][1], 0.5 * (xx - yy), 1e-15);
    CHECK(I.m[0][1] == I.m[1][0] && I.m[0][2] == I.m[2][0] && I.m[1][2] == I.m[2][1]);
    ut_model_destroy(model);
}

// MuJoCo's figure for a capsule with size 0.1 0.5: 35.6047 kg (1000 pi r^2 (4 r/3 + 2 l)).
TEST(mass_comes_from_density)
{
    utModelDef* def = new_def();
    int body = add_body(def, 0, NULL, ut_vec3_zero());
    add_joint(def, body, UT_JOINT_FREE, NULL);
    utGeomDef geom = ut_geom_def(body, UT_SHAPE_CAPSULE, ut_vec3(0.1, 0.5, 0.0));
    ut_model_def_geom(def, &geom);
    utModel* model = compile(def);
    CHECK_NEAR(model->mass, 1000.0 * pi * 0.01 * (0.4 / 3.0 + 1.0), 1e-12);
    CHECK_NEAR(model->mass, 35.6047, 5e-5);
    ut_model_destroy(model);
}

TEST(a_given_inertial_puts_the_geoms_aside)
{
    utModelDef* def = new_def();
    utBodyDef body = ut_body_def();
    body.inertial = true;
    body.mass = 2.0;
    body.com = ut_vec3(0.0, 0.5, 0.0);
    body.inertia = ut_mat3_diagonal(ut_vec3(0.3, 0.2, 0.1)); // a flat body: A = B + C
    int b = ut_model_def_body(def, &body);
    add_joint(def, b, UT_JOINT_FREE, NULL);
    add_ball(def, b, NULL);
    utModel* model = compile(def);
    CHECK_NEAR(model->mass, 2.0, 0.0);
    check_vec3(model->body[1].com, 0.0, 0.5, 0.0, 0.0);
    CHECK_NEAR(model->body[1].inertia.m[0][0], 0.3, 0.0);
    ut_model_destroy(model);
}

TEST(mass_of_what_is_welded_below_counts_for_a_moving_body)
{
    utModelDef* def = new_def();
    int arm = add_body(def, 0, "arm", ut_vec3_zero());
    add_joint(def, arm, UT_JOINT_HINGE, NULL);
    int hand = add_body(def, arm, "hand", ut_vec3(1, 0, 0));
    int finger = add_body(def, hand, "finger", ut_vec3(0, 1, 0));
    add_ball(def, finger, NULL);
    utModel* model = compile(def);
    CHECK_NEAR(model->mass, 1.0, 0.0);
    CHECK_INT(model->body[finger].weld, arm);
    CHECK_INT(model->body[hand].last_dof, 0);
    // anchor at the origin, ball of 0.1 m at (1, 1, 0)
    CHECK_NEAR(model->joint[0].reach, sqrt(2.0) + 0.1, 1e-15);
    ut_model_destroy(model);
}

TEST(what_is_fixed_may_be_without_mass_and_does_not_weigh)
{
    utModelDef* def = new_def();
    int post = add_body(def, 0, "post", ut_vec3_zero());
    add_ball(def, post, NULL);
    add_body(def, post, "nothing", ut_vec3_zero());
    utModel* model = compile(def);
    CHECK_NEAR(model->mass, 0.0, 0.0);
    CHECK_NEAR(model->body[post].mass, 1.0, 0.0);
    CHECK_INT(model->ntree, 0);
    CHECK_INT(model->body[post].tree, -1);
    ut_model_destroy(model);
}

// ---- trees --------------------------------------------------------------------------------------

// world - fixed - trunk (slide, hinge) - left (ball) - tip (none)
//                                      - right (hinge)
//       - loose (free)
//       - hand (mocap) - flag (hinge)
TEST(velocities_chain_across_bodies_and_joints)
{
    utModelDef* def = new_def();
    int fixed = add_body(def, 0, "fixed", ut_vec3_zero());
    int trunk = add_body(def, fixed, "trunk", ut_vec3(0, 0, 1));
    int left = add_body(def, trunk, "left", ut_vec3(1, 0, 0));
    int tip = add_body(def, left, "tip", ut_vec3(1, 0, 0));
    int right = add_body(def, trunk, "right", ut_vec3(-1, 0, 0));
    int loose = add_body(def, 0, "loose", ut_vec3(5, 0, 0));
    utBodyDef mocap = ut_body_def();
    mocap.name = "hand";
    mocap.mocap = true;
    mocap.pos = ut_vec3(7, 8, 9);
    mocap.quat = ut_quat(0, 0, 3, 0);
    int hand = ut_model_def_body(def, &mocap);
    int flag = add_body(def, hand, "flag", ut_vec3_zero());
    // added in another order than that of the bodies; the trunk has its slide before its hinge
    add_joint(def, flag, UT_JOINT_HINGE, "wave");
    add_joint(def, right, UT_JOINT_HINGE, "elbow");
    add_joint(def, trunk, UT_JOINT_SLIDE, "lift");
    add_joint(def, loose, UT_JOINT_FREE, "float");
    add_joint(def, trunk, UT_JOINT_HINGE, "turn");
    add_joint(def, left, UT_JOINT_BALL, "shoulder");
    utActuatorDef motor = ut_actuator_def(1, UT_ACTUATOR_MOTOR);
    motor.name = "elbow_motor";
    ut_model_def_actuator(def, &motor);
    const int with_ball[] = {tip, flag, right, loose, left, trunk};
    for (int i = 0; i < 6; i++) {
        add_ball(def, with_ball[i], NULL);
    }
    utModel* model = compile(def);

    // lift 0, turn 1, shoulder 2 3 4, elbow 5, float 6 ... 11, wave 12
    static const int parent[] = {-1, 0, 1, 2, 3, 1, -1, 6, 7, 8, 9, 10, -1};
    static const int joint[] = {0, 1, 2, 2, 2, 3, 4, 4, 4, 4, 4, 4, 5};
    static const int body[] = {2, 2, 3, 3, 3, 5, 6, 6, 6, 6, 6, 6, 8};
    CHECK_INT(model->nv, 13);
    CHECK_INT(model->nq, 2 + 4 + 1 + 7 + 1);
    for (int i = 0; i < 13; i++) {
        CHECK_INT(model->dof_parent[i], parent[i]);
        CHECK_INT(model->dof_joint[i], joint[i]);
        CHECK_INT(model->dof_body[i], body[i]);
    }
    CHECK_INT(ut_model_find_joint(model, "elbow"), 3);
    CHECK_INT(model->actuator[0].joint, 3);
    CHECK_INT(model->actuator[0].dof, 5);
    CHECK_INT(model->joint[4].q, 7);
    CHECK_INT(model->joint[4].v, 6);

    static const int last[] = {-1, -1, 1, 4, 4, 5, 11, -1, 12};
    static const int weld[] = {0, 0, 2, 3, 3, 5, 6, 0, 8};
    static const int tree[] = {-1, -1, 0, 0, 0, 0, 1, -1, 2};
    for (int b = 0; b < 9; b++) {
        CHECK_INT(model->body[b].last_dof, last[b]);
        CHECK_INT(model->body[b].weld, weld[b]);
        CHECK_INT(model->body[b].tree, tree[b]);
        CHECK_INT(model->body[b].mocap, b == hand ? 0 : -1);
    }
    CHECK_INT(model->body[tip].joint, -1);
    CHECK_INT(model->body[tip].dof, 5);
    CHECK_INT(model->body[trunk].joints, 2);

    CHECK_INT(model->ntree, 3);
    CHECK_INT(model->tree[0].body, trunk);
    CHECK_INT(model->tree[0].bodies, 4);
    CHECK_INT(model->tree[0].dof, 0);
    CHECK_INT(model->tree[0].dofs, 6);
    CHECK(!model->tree[0].free && model->tree[1].free && !model->tree[2].free);
    CHECK_INT(model->tree[2].dof, 12);

    CHECK_INT(model->nmocap, 1);
    CHECK_NEAR(model->mocap_pos[2], 9.0, 0.0);
    CHECK_NEAR(model->mocap_quat[2], 1.0, 0.0);

    // geoms are ordered by body
    CHECK_INT(model->body[trunk].geom, 0);
    CHECK_INT(model->geom[0].body, trunk);
    CHECK_INT(model->geom[1].body, left);
    CHECK_INT(model->geom[2].body, tip);
    CHECK_INT(model->geom[5].body, flag);
    CHECK_INT(model->body[hand].geoms, 0);
    ut_model_destroy(model);
}

TEST(a_free_body_with_something_welded_to_it_is_no_free_tree)
{
    utModelDef* def = new_def();
    int body = add_link(def, 0, "a", UT_JOINT_FREE);
    add_body(def, body, "b", ut_vec3_zero());
    utModel* model = compile(def);
    CHECK_INT(model->tree[0].bodies, 2);
    CHECK(!model->tree[0].free);
    ut_model_destroy(model);
}

TEST(q0_is_the_modelled_pose)
{
    utModelDef* def = new_def();
    utBodyDef body = ut_body_def();
    body.pos = ut_vec3(1, 2, 3);
    body.quat = ut_quat(0, 0, 0, -2);
    int loose = ut_model_def_body(def, &body);
    add_joint(def, loose, UT_JOINT_FREE, NULL);
    add_ball(def, loose, NULL);
    int arm = add_body(def, loose, NULL, ut_vec3_zero());
    utJointDef joint = ut_joint_def(arm, UT_JOINT_HINGE);
    joint.ref = 0.7;
    joint.axis = ut_vec3(0, 3e-200, 4e-200);
    ut_model_def_joint(def, &joint);
    joint = ut_joint_def(arm, UT_JOINT_BALL);
    joint.axis = ut_vec3_zero(); // a ball has no axis
    ut_model_def_joint(def, &joint);
    add_ball(def, arm, NULL);
    utModel* model = compile(def);
    static const double q0[] = {1, 2, 3, 0, 0, 0, -1, 0.7, 1, 0, 0, 0};
    CHECK_INT(model->nq, 12);
    for (int i = 0; i < 12; i++) {
        CHECK_NEAR(model->q0[i], q0[i], 0.0);
    }
    check_vec3(model->joint[1].axis, 0.0, 0.6, 0.8, 1e-16);
    ut_model_destroy(model);
}

// Two links of 1 m along z, each with a ball of 0.1 m at its frame; the first anchor is 0.5 m below
// its frame.
TEST(reach_is_the_farthest_bound_that_a_joint_moves)
{
    utModelDef* def = new_def();
    int lower = add_body(def, 0, NULL, ut_vec3(4, 0, 1));
    utJointDef joint = ut_joint_def(lower, UT_JOINT_HINGE);
    joint.pos = ut_vec3(0, 0, -0.5);
    ut_model_def_joint(def, &joint);
    add_ball(def, lower, NULL);
    int upper = add_link(def, lower, NULL, UT_JOINT_HINGE);
    CHECK_INT(upper, 2);
    // a point mass at the anchor has no distance from it, so the reach is 1
    utBodyDef wheel = ut_body_def();
    wheel.inertial = true;
    wheel.mass = 1.0;
    wheel.inertia = ut_mat3_identity();
    int b = ut_model_def_body(def, &wheel);
    add_joint(def, b, UT_JOINT_HINGE, NULL);
    utModel* model = compile(def);
    CHECK_NEAR(model->joint[0].reach, 1.6, 1e-15);
    CHECK_NEAR(model->joint[1].reach, 0.1, 1e-15);
    CHECK_NEAR(model->joint[2].reach, 1.0, 0.0);
    ut_model_destroy(model);
}

TEST(armature_and_damping_stand_at_each_velocity)
{
    utModelDef* def = new_def();
    int a = add_body(def, 0, NULL, ut_vec3_zero());
    utJointDef joint = ut_joint_def(a, UT_JOINT_BALL);
    joint.armature = 0.25;
    joint.damping = 0.5;
    ut_model_def_joint(def, &joint);
    add_joint(def, a, UT_JOINT_SLIDE, NULL);
    add_ball(def, a, NULL);
    utModel* model = compile(def);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(model->dof_armature[i], i < 3 ? 0.25 : 0.0, 0.0);
        CHECK_NEAR(model->dof_damping[i], i < 3 ? 0.5 : 0.0, 0.0);
    }
    ut_model_destroy(model);
}

TEST(keyframes_are_completed_and_normalized)
{
    utModelDef* def = new_def();
    int a = add_body(def, 0, NULL, ut_vec3(1, 2, 3));
    add_joint(def, a, UT_JOINT_FREE, NULL);
    add_ball(def, a, NULL);
    utBodyDef mocap = ut_body_def();
    mocap.mocap = true;
    mocap.pos = ut_vec3(4, 5, 6);
    ut_model_def_body(def, &mocap);
    const double q[] = {7, 8, 9, 0, 0, 5, 0};
    const double quat[] = {0, 2, 0, 0};
    utKeyframeDef key = {.name = "up", .time = 1.5, .nq = 7, .q = q, .mocaps = 1};
    key.mocap_quat = quat;
    CHECK_INT(ut_model_def_keyframe(def, &key), 0);
    CHECK_INT(ut_model_def_keyframe(def, &(utKeyframeDef){.name = "as modelled"}), 1);
    utModel* model = compile(def);
    const utModelKeyframe* up = &model->keyframe[ut_model_find_keyframe(model, "up")];
    CHECK_NEAR(up->time, 1.5, 0.0);
    CHECK_NEAR(up->q[2], 9.0, 0.0);
    CHECK_NEAR(up->q[5], 1.0, 0.0);
    CHECK_NEAR(up->v[5], 0.0, 0.0);
    CHECK_NEAR(up->mocap_pos[1], 5.0, 0.0);
    CHECK_NEAR(up->mocap_quat[1], 1.0, 0.0);
    CHECK(memcmp(model->keyframe[1].q, model->q0, 7 * sizeof(double)) == 0);
    ut_model_destroy(model);
}

TEST(a_description_can_go_away_and_be_compiled_again)
{
    utModelDef* def = new_def();
    char name[] = "first";
    utBodyDef body = ut_body_def();
    body.name = name;
    int a = ut_model_def_body(def, &body);
    add_joint(def, a, UT_JOINT_FREE, NULL);
    add_ball(def, a, NULL);
    name[0] = 'X'; // it was copied
    utModel* one = NULL;
    utModel* two = NULL;
    CHECK(ut_model_compile(def, NULL, &one, NULL) == UT_OK);
    add_link(def, 0, "second", UT_JOINT_FREE);
    CHECK(ut_model_compile(def, NULL, &two, NULL) == UT_OK);
    ut_model_def_destroy(def);
    CHECK_TEXT(one->body[1].name, "first");
    CHECK_INT(one->nbody, 2);
    CHECK_INT(two->nbody, 3);
    CHECK_INT(ut_model_find_body(two, "second"), 2);
    CHECK_INT(ut_model_find_body(one, "second"), -1);
    ut_model_destroy(one);
    ut_model_destroy(two);
}

TEST(a_chain_of_a_thousand_links_compiles)
{
    utModelDef* def = new_def();
    int body = 0;
    for (int i = 0; i < 1000; i++) {
        body = add_link(def, body, NULL, UT_JOINT_HINGE);
    }
    utModel* model = compile(def);
    CHECK_INT(model->nv, 1000);
    CHECK_INT(model->dof_parent[999], 998);
    // the last ball's centre is 999 m above the first anchor
    CHECK_NEAR(model->joint[0].reach, 999.1, 1e-9);
    ut_model_destroy(model);
}

TEST(things_are_found_by_name)
{
    utModelDef* def = new_def();
    add_link(def, 0, "a", UT_JOINT_HINGE);
    add_joint(def, add_link(def, 0, "b", UT_JOINT_SLIDE), UT_JOINT_HINGE, "b");
    utActuatorDef motor = ut_actuator_def(2, UT_ACTUATOR_MOTOR);
    motor.name = "a";
    ut_model_def_actuator(def, &motor);
    utModel* model = compile(def);
    CHECK_INT(ut_model_find_body(model, "b"), 2);
    CHECK_INT(ut_model_find_joint(model, "b"), 2);
    CHECK_INT(ut_model_find_joint(model, "a"), -1);
    CHECK_INT(ut_model_find_geom(model, "b"), 1);
    CHECK_INT(ut_model_find_actuator(model, "a"), 0);
    CHECK_INT(ut_model_find_actuator(model, "b"), -1);
    CHECK_INT(ut_model_find_keyframe(model, "a"), -1);
    // elements without a name are not found by an empty name
    CHECK_INT(ut_model_find_joint(model, ""), -1);
    CHECK_INT(ut_model_find_joint(model, NULL), -1);
    ut_model_destroy(model);
}

TEST(a_plane_may_be_carried_by_a_mocap_body)
{
    utModelDef* def = new_def();
    utBodyDef tray = ut_body_def();
    tray.mocap = true;
    utGeomDef plane = ut_geom_def(ut_model_def_body(def, &tray), UT_SHAPE_PLANE, ut_vec3_zero());
    ut_model_def_geom(def, &plane);
    utModel* model = compile(def);
    CHECK(model != NULL && isinf(model->geom[0].radius));
    ut_model_destroy(model);
}

TEST(kinds_have_names)
{
    CHECK_TEXT(ut_joint_kind_name(UT_JOINT_HINGE), "hinge");
    CHECK_TEXT(ut_actuator_kind_name(UT_ACTUATOR_MOTOR), "motor");
    CHECK_TEXT(ut_joint_kind_name(UT_JOINT_FREE), "free");
    CHECK_TEXT(ut_joint_kind_name(UT_JOINT_SLIDE), "slide");
    CHECK_TEXT(ut_joint_kind_name(UT_JOINT_KIND_COUNT), "unknown");
    CHECK_TEXT(ut_actuator_kind_name(UT_ACTUATOR_POSITION), "position");
    CHECK_TEXT(ut_actuator_kind_name(UT_ACTUATOR_KIND_COUNT), "unknown");
    CHECK_TEXT(ut_integrator_name(UT_INTEGRATOR_RK4), "RK4");
    CHECK_TEXT(ut_integrator_name(UT_INTEGRATOR_COUNT), "unknown");
}
