// SPDX-License-Identifier: Apache-2.0
// Copies of descriptions: they compile to the same model and are independent of the original.
#include "build.h"

// One of everything that a description can hold.
static utModelDef* describe_everything(void)
{
    utModelDef* def = new_def();
    ut_model_def_name(def, "everything");
    ut_model_def_missing(def, &(utMissing){"wind", 1, "a.xml", 3, 4});
    ut_model_def_missing(def, &(utMissing){"tendon", 1, NULL, 0, 0});
    ut_model_def_missing(def, &(utMissing){"wind", 1, "a.xml", 9, 9});
    utOptions options = ut_options();
    options.dt = 0.005;
    options.formulation = UT_FORMULATION_HYBRID;
    ut_model_def_options(def, &options);

    const int arm = add_link(def, 0, "arm", UT_JOINT_HINGE);
    const int hand = add_link(def, arm, "hand", UT_JOINT_SLIDE);
    const int box = add_link(def, 0, "box", UT_JOINT_FREE);
    const int lift = add_body(def, 0, "lift", ut_vec3(2.0, 0.0, 0.0));
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3_zero());
    floor.name = "floor";
    floor.surface_expression[0] = "0.1*sin(t)";
    const int plane = ut_model_def_geom(def, &floor);

    utSiteDef site = ut_site_def(hand);
    site.name = "tip";
    const int tip = ut_model_def_site(def, &site);
    site.body = box;
    site.name = "hook";
    const int hook = ut_model_def_site(def, &site);
    const utPointDef point = ut_point_def(tip, plane, UT_FACE_PLANE);
    ut_model_def_point(def, &point);
    utSpringDef spring = ut_spring_def(tip, hook);
    spring.name = "rope";
    spring.stiffness = 10.0;
    ut_model_def_spring(def, &spring);
    utMotionDef motion = ut_motion_def(lift);
    motion.expression[2] = "0.5*t";
    ut_model_def_motion(def, &motion);
    utActuatorDef motor = ut_actuator_def(0, UT_ACTUATOR_MOTOR);
    motor.name = "shoulder";
    ut_model_def_actuator(def, &motor);
    utEqualityDef equality = ut_equality_def(UT_EQUALITY_CONNECT, hand, box);
    equality.name = "grip";
    ut_model_def_equality(def, &equality);
    utPairDef pair = ut_pair_def(0, plane);
    pair.name = "arm on floor";
    pair.friction[0] = 0.3;
    ut_model_def_pair(def, &pair);
    const double ctrl[1] = {0.25};
    ut_model_def_keyframe(def, &(utKeyframeDef){.name = "start", .nu = 1, .ctrl = ctrl});
    ut_model_def_exclude(def, arm, box, (utOrigin){"pairs.xml", 7});
    return def;
}

static utModelDef* copy_of(const utModelDef* def)
{
    utModelDef* copy = NULL;
    CHECK(ut_model_def_copy(def, NULL, &copy) == UT_OK);
    return copy;
}

static utModel* compile_copy(const utModelDef* def)
{
    return compile(copy_of(def));
}

TEST(a_copied_description_compiles_to_the_same_model)
{
    utModelDef* def = describe_everything();
    utModelDef* copy = copy_of(def);
    utModel* original = compile(def); // destroys the original, which the copy does not need
    utModel* copied = compile(copy);
    CHECK(copied->hash == original->hash);
    CHECK_INT(copied->missing, 3);
    CHECK_INT(copied->missing_parts, 2);
    CHECK_TEXT(copied->missing_part[0].what, "wind");
    CHECK_INT(copied->missing_part[0].count, 2);
    CHECK_TEXT(copied->missing_part[0].file, "a.xml");
    CHECK_INT(copied->missing_part[0].line, 3);
    CHECK_INT(copied->missing_part[0].column, 4);
    CHECK_TEXT(copied->missing_part[1].file, "");
    CHECK_TEXT(copied->name, "everything");
    CHECK_TEXT(copied->motion[0].text[2], "0.5*t");
    CHECK_INT(copied->nexclude, 1);
    CHECK_INT(ut_model_find_site(copied, "tip"), 0);
    CHECK_INT(ut_model_find_site(copied, "hook"), 1);
    CHECK_INT(ut_model_find_site(copied, "nowhere"), -1);
    ut_model_destroy(original);
    ut_model_destroy(copied);
}

TEST(changing_a_copy_leaves_the_original_alone)
{
    utModelDef* def = describe_everything();
    utModel* before = compile_copy(def);
    utModelDef* copy = copy_of(def);
    CHECK(ut_model_def_set(copy, "box.pos", "0 0 5", NULL) == UT_OK);
    CHECK(ut_model_def_set(copy, "option.solver", "newton", NULL) == UT_OK);
    add_link(copy, 0, "another", UT_JOINT_FREE);
    utModel* changed = compile(copy);
    utModel* after = compile(def);
    CHECK_INT(changed->nbody, before->nbody + 1);
    CHECK(changed->hash != before->hash);
    CHECK(after->hash == before->hash);
    ut_model_destroy(before);
    ut_model_destroy(changed);
    ut_model_destroy(after);
}

TEST(changing_the_original_leaves_a_copy_alone)
{
    utModelDef* def = describe_everything();
    utModelDef* copy = copy_of(def);
    CHECK(ut_model_def_set(def, "option.dt", "0.001", NULL) == UT_OK);
    utModel* copied = compile(copy);
    CHECK_NEAR(copied->options.dt, 0.005, 0.0);
    ut_model_destroy(copied);
    ut_model_def_destroy(def);
}

TEST(a_copy_keeps_what_the_compiler_rejects)
{
    utModelDef* def = new_def();
    const utBodyDef no_cookie = {.name = "loose"};
    ut_model_def_body(def, &no_cookie);
    utModelDef* copy = copy_of(def);
    utModel* model = NULL;
    utError original, copied;
    CHECK(ut_model_compile(def, NULL, &model, &original) == UT_ERR_DEF);
    CHECK(ut_model_compile(copy, NULL, &model, &copied) == UT_ERR_DEF);
    CHECK_TEXT(copied.message, original.message);
    ut_model_def_destroy(def);
    ut_model_def_destroy(copy);
}

TEST(origins_are_copied_so_that_messages_name_their_line)
{
    utModelDef* def = new_def();
    utBodyDef body = ut_body_def();
    char file[] = "arm.xml";
    body.parent = 7;
    body.origin = (utOrigin){file, 12};
    ut_model_def_body(def, &body);
    utModelDef* copy = copy_of(def);
    ut_model_def_destroy(def);
    file[0] = 'X';
    utModel* model = NULL;
    utError err;
    CHECK(ut_model_compile(copy, NULL, &model, &err) == UT_ERR_ARGUMENT);
    CHECK_TEXT(err.file, "arm.xml");
    CHECK_INT(err.line, 12);
    ut_model_def_destroy(copy);
}

TEST(nothing_cannot_be_copied)
{
    utModelDef* def = new_def();
    utModelDef* copy = NULL;
    CHECK(ut_model_def_copy(NULL, NULL, &copy) == UT_ERR_ARGUMENT);
    CHECK(ut_model_def_copy(def, NULL, NULL) == UT_ERR_ARGUMENT);
    CHECK(copy == NULL);
    ut_model_def_destroy(def);
}
