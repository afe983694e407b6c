// SPDX-License-Identifier: Apache-2.0
// What actuators of a file become: kinds, classes, parts that are not supported, errors.
#include "lab.h"

#define SLIDE                                                                                      \
    "<worldbody><body name='b'><joint name='j' type='slide' range='-1 3'/><geom size='.1'/><site " \
    "name='s'/></body></worldbody>"
#define DRIVE(ACTUATORS) SLIDE "<actuator>" ACTUATORS "</actuator>"

static void check_law(const utModelActuator* a, utActuatorKind kind, const double gain[3],
                      const double bias[3])
{
    CHECK_INT(a->kind, kind);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(a->gain[k], gain[k], 0.0);
        CHECK_NEAR(a->bias[k], bias[k], 0.0);
    }
}

#define LAW(I, KIND, G0, G1, G2, B0, B1, B2)                                               \
    check_law(&model->actuator[I], UT_ACTUATOR_##KIND, (const double[]){(G0), (G1), (G2)}, \
              (const double[]){(B0), (B1), (B2)})

// All kinds share one default element, which MuJoCo keeps in general form.
TEST(an_element_of_a_class_changes_all_kinds)
{
    utModel* model = lab_model(
        "<default><position kp='7' kv='2'/><default class='v'><velocity kv='3'/></default>"
        "<default class='g'><general biasprm='5' dyntype='filter' "
        "dynprm='.3'/></default></default>" DRIVE(
            "<general joint='j'/><position joint='j' kv='1'/><general class='v' joint='j'/>"
            "<position class='g' joint='j'/><motor class='g' joint='j'/>"
            "<velocity joint='j'/><damper joint='j' kv='4' ctrlrange='0 1'/>"),
        0);
    if (model != NULL) {
        LAW(0, GENERAL, 7, 0, 0, 0, -7, -2);
        LAW(1, POSITION, 7, 0, 0, 0, -7, -1);
        LAW(2, GENERAL, 3, 0, 0, 0, 0, -3);
        LAW(3, GENERAL, 7, 0, 0, 5, -7, -2); // a position actuator has no constant bias
        CHECK_INT(model->actuator[3].dynamics, UT_DYNAMICS_FILTER);
        CHECK_NEAR(model->actuator[3].time_constant, 0.3, 0.0);
        LAW(4, MOTOR, 1, 0, 0, 0, 0, 0);
        CHECK_INT(model->actuator[4].act, -1);
        LAW(5, VELOCITY, 7, 0, 0, 0, 0, -7); // kv is the gain of the class
        LAW(6, DAMPER, 0, 0, -4, 0, 0, 0);
        CHECK_INT(model->na, 1);
    }
    ut_model_destroy(model);
}

TEST(ranges_come_from_the_joint_where_the_file_says_so)
{
    utModel* model = lab_model(DRIVE("<position joint='j' inheritrange='.5'/>"
                                     "<intvelocity joint='j' inheritrange='1'/>"),
                               0);
    if (model != NULL) {
        CHECK(model->actuator[0].ctrl_limited && model->actuator[1].act_limited);
        CHECK_NEAR(model->actuator[0].ctrl_range[0], 0.0, 0.0);
        CHECK_NEAR(model->actuator[0].ctrl_range[1], 2.0, 0.0);
        CHECK_NEAR(model->actuator[1].act_range[0], -1.0, 0.0);
        CHECK_NEAR(model->actuator[1].act_range[1], 3.0, 0.0);
        CHECK(!model->actuator[1].ctrl_limited);
    }
    ut_model_destroy(model);
}

// What is not supported is noted by name, and its control and activation go from the keyframe.
TEST(unsupported_actuators_are_named_and_their_numbers_leave_the_keyframe)
{
    static const char text[] = "<mujoco>" DRIVE(
        "<muscle joint='j'/><motor joint='j'/><general joint='j' gaintype='user'/>"
        "<general name='a' joint='j' dyntype='filter'/><general joint='j' dyntype='user' "
        "actdim='2'/><general body='b'/><adhesion body='b' ctrlrange='0 1'/>"
        "<intvelocity joint='j' actrange='-1 1'/>") "<keyframe><key ctrl='1 2 3 4 5 6 7 8' act='.1 "
                                                    ".2 .3 .4 .5'/></keyframe></mujoco>";
    static const char* const expected[] = {
        "actuator/muscle: not supported", "actuator/general: not supported: its gaintype",
        "actuator/general: not supported: its dyntype",
        "actuator/general: not supported: it drives a body (adhesion)",
        "actuator/adhesion: not supported"};
    utModelDef* def = NULL;
    utModel* model = NULL;
    utNotes notes = {0};
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_mjcf_read((utText){text, strlen(text)}, "t", NULL, def, &notes, &err), UT_OK);
    CHECK_TEXT(err.message, "");
    CHECK_INT(notes.count, 5);
    for (int i = 0; i < 5 && i < notes.count; i++) {
        char got[200];
        snprintf(got, sizeof got, "%s: %s", notes.note[i].what, notes.note[i].why);
        CHECK_TEXT(got, expected[i]);
    }
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK);
    if (model != NULL) {
        CHECK_INT(model->missing, 5);
        CHECK_INT(model->nu, 3);
        CHECK_INT(model->na, 2);
        CHECK_NEAR(model->keyframe[0].ctrl[1], 4.0, 0.0);
        CHECK_NEAR(model->keyframe[0].act[0], 0.2, 0.0);
        CHECK_NEAR(model->keyframe[0].act[1], 0.5, 0.0);
    }
    ut_notes_destroy(&notes);
    ut_model_def_destroy(def);
    ut_model_destroy(model);
}

// A range for the sum of a joint's actuators counts tendons and sites that move the joint.
TEST(a_range_knows_the_transmissions_that_drive_its_joint)
{
    static const char world[] =
        "<worldbody><body><joint name='j' type='slide' actuatorfrcrange='-1 1'/><geom size='.1'/>"
        "<site name='s'/><site name='r'/></body><body><joint name='k' type='slide' "
        "actuatorfrcrange='-1 1'/><geom size='.1'/></body></worldbody><tendon><fixed name='t'>"
        "<joint joint='j' coef='1'/></fixed></tendon><actuator><motor joint='k'/>%s</actuator>";
    static const char* const others[] = {"", "<motor tendon='t'/>", "<motor site='s'/>",
                                         "<motor site='s' refsite='r'/>",
                                         "<motor cranksite='s' slidersite='r' cranklength='1'/>"};
    for (int i = 0; i < 5; i++) {
        char text[2048];
        snprintf(text, sizeof text, world, others[i]);
        utModel* model = lab_model(text, 0);
        CHECK_INT(model->joint[0].driven_by_others, i == 1 || i == 2);
        CHECK_INT(model->joint[1].driven_by_others, false);
        ut_model_destroy(model);
    }
}

// MuJoCo compensates nothing where actuators should and there are none.
TEST(gravity_compensation_by_actuators_needs_actuators)
{
    static const char world[] =
        "<worldbody><body gravcomp='1'><joint name='j' type='%s' actuatorgravcomp='true'/>"
        "<geom size='.1'/></body></worldbody>%s";
    static const char motor[] = "<actuator><motor joint='j'/></actuator>";
    for (int i = 0; i < 4; i++) {
        char text[2048];
        snprintf(text, sizeof text, world, i < 2 ? "hinge" : "ball", i % 2 == 0 ? motor : "");
        ut_model_destroy(lab_model(text, i % 2));
    }
}

static void check_error(const char* inside, const char* expected)
{
    char text[4096];
    utModelDef* def = NULL;
    utError err = {0};
    snprintf(text, sizeof text, "<mujoco>%s</mujoco>", inside);
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK(ut_mjcf_read((utText){text, strlen(text)}, "t", NULL, def, NULL, &err) != UT_OK);
    CHECK_TEXT(err.message, expected);
    ut_model_def_destroy(def);
}

TEST(actuators_that_make_no_sense_are_refused)
{
    check_error(DRIVE("<position joint='j' kv='1' dampratio='1'/>"),
                "dampratio beside kv; give one of them");
    check_error(DRIVE("<motor joint='j' site='s'/>"),
                "site beside another transmission; an actuator has one");
    check_error(DRIVE("<motor site='t'/>"), "there is no site 't'");
    check_error(DRIVE("<motor cranksite='s' slidersite='s'/>"),
                "motor needs the attribute cranklength");
    check_error(DRIVE("<motor cranksite='s' cranklength='1'/>"),
                "motor needs the attribute slidersite");
    check_error(DRIVE("<motor joint='j' refsite='s'/>"), "refsite without site");
    check_error(DRIVE("<motor joint='j' cranklength='1'/>"), "cranklength without cranksite");
    check_error(DRIVE("<damper joint='j'/>"), "damper needs the attribute ctrlrange");
    check_error(DRIVE("<damper joint='j' ctrlrange='-1 1'/>"),
                "ctrlrange of a damper must not be negative");
    check_error(DRIVE("<general joint='j' gaintype='fix'/>"),
                "gaintype of general cannot be 'fix'; it is one of fixed affine muscle user "
                "dcmotor so3 pid");
    check_error(DRIVE("<velocity joint='j' kv='-1'/>"),
                "kv of velocity is -1; it must not be negative");
    check_error(DRIVE("<motor tendon='t'/>"), "there is no tendon 't'");
    check_error(DRIVE("<motor joint='j'/>") "<keyframe><key act='1'/></keyframe>",
                "act of key has 1 numbers; this model has 0");
}

// A description in C, without a file: a servo with a filter.
TEST(an_actuator_can_be_described_in_c)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    utBodyDef body = ut_body_def();
    utJointDef joint = ut_joint_def(ut_model_def_body(def, &body), UT_JOINT_SLIDE);
    utGeomDef geom = ut_geom_def(joint.body, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0));
    ut_model_def_geom(def, &geom);
    utActuatorDef servo = ut_actuator_def(ut_model_def_joint(def, &joint), UT_ACTUATOR_POSITION);
    servo.name = "servo";
    servo.kp = 10.0;
    servo.gear = 2.0;
    servo.time_constant = 0.1;
    ut_model_def_actuator(def, &servo);
    CHECK_INT(ut_model_def_set(def, "servo.kv", "3", &err), UT_OK);
    CHECK_INT(ut_model_def_set(def, "servo.actrange", "-1 2", &err), UT_OK);
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK);
    if (model != NULL) {
        LAW(0, POSITION, 10, 0, 0, 0, -10, -3);
        CHECK_INT(model->actuator[0].dynamics, UT_DYNAMICS_FILTER_EXACT);
        CHECK_NEAR(model->actuator[0].gear[0], 2.0, 0.0);
        CHECK(model->actuator[0].act_limited && model->actuator[0].act_range[1] == 2.0);
        CHECK_INT(model->na, 1);
    }
    ut_model_def_destroy(def);
    ut_model_destroy(model);
}

// ---- writing ------------------------------------------------------------------------------------

static uint64_t hash_of(const utModelDef* def)
{
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK);
    CHECK_TEXT(err.message, "");
    const uint64_t hash = model != NULL ? model->hash : 0;
    ut_model_destroy(model);
    return hash;
}

// All kinds, transmissions and ranges.
TEST(actuators_are_the_same_after_writing)
{
    static const char text[] =
        "<mujoco><worldbody><body name='a'><joint name='j' type='slide'/><geom size='.1'/>"
        "<site name='s'/><body><joint name='k' type='ball'/><geom size='.1'/><site name='r' "
        "pos='.1 0 0'/></body></body><body><joint name='z' type='slide' actuatorfrcrange='-3 3'/>"
        "<geom size='.1'/></body></worldbody><tendon><fixed name='t' actuatorfrcrange='-1 2'>"
        "<joint joint='j' coef='2'/></fixed></tendon><actuator><motor joint='j'/>"
        "<position joint='j' kp='3' dampratio='.5' timeconst='.1'/><velocity joint='z' kv='2'/>"
        "<intvelocity joint='k' gear='0 1 2' kp='3' actrange='-1 1'/><damper joint='z' kv='1' "
        "ctrlrange='0 1'/><cylinder joint='z' area='2' bias='1 2 3'/><general joint='z' "
        "gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='1 -2 -3' dyntype='filter' "
        "dynprm='.3' actearly='true' actrange='-1 2'/><motor tendon='t' gear='3'/><motor site='s' "
        "refsite='r' gear='1 2 3 4 5 6' forcerange='-1 1'/><motor cranksite='s' slidersite='r' "
        "cranklength='2'/><position jointinparent='k' gear='1 0 0'/></actuator><keyframe>"
        "<key act='.1 .2 .3 .4' ctrl='1 2 3 4 5 6 7 8 9 10 11'/></keyframe></mujoco>";
    utModelDef *def = NULL, *again = NULL;
    utArena memory;
    utText written = {"", 0};
    utNotes notes = {0};
    utError err = {0};
    const utMjcfWriteDef how = ut_mjcf_write_def();
    CHECK_INT(ut_arena_create(0, NULL, &memory), UT_OK);
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_model_def_create(NULL, &again), UT_OK);
    CHECK_INT(ut_mjcf_read((utText){text, strlen(text)}, "t", NULL, def, NULL, &err), UT_OK);
    CHECK_INT(ut_mjcf_write(def, &how, &memory, &written, &notes, &err), UT_OK);
    CHECK_INT(ut_mjcf_read(written, "again", NULL, again, NULL, &err), UT_OK);
    CHECK_TEXT(err.message, "");
    CHECK_INT(notes.count, 0);
    CHECK(hash_of(def) == hash_of(again));
    ut_notes_destroy(&notes);
    ut_model_def_destroy(def);
    ut_model_def_destroy(again);
    ut_arena_destroy(&memory);
}
