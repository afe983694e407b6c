// SPDX-License-Identifier: Apache-2.0
// frame, replicate and attach: names, poses, masses and the elements that refer to bodies are those of
// MuJoCo 3.14.0. All models are loaded from tables of texts, without a file system.
#include "load.h"

#include <math.h>
#include <string.h>
#include <uptack/load.h>

// MuJoCo's numbers have 12 digits, and compositions of rotations round differently.
static const double DIGITS = 1e-11;

static void check_vec3(utVec3 got, double x, double y, double z)
{
    CHECK_NEAR(got.x, x, DIGITS);
    CHECK_NEAR(got.y, y, DIGITS);
    CHECK_NEAR(got.z, z, DIGITS);
}

// A quaternion and its opposite are the same rotation.
static void check_quat(utQuat got, double w, double x, double y, double z)
{
    const double sign = got.w * w + got.x * x + got.y * y + got.z * z < 0.0 ? -1.0 : 1.0;
    CHECK_NEAR(sign * got.w, w, DIGITS);
    CHECK_NEAR(sign * got.x, x, DIGITS);
    CHECK_NEAR(sign * got.y, y, DIGITS);
    CHECK_NEAR(sign * got.z, z, DIGITS);
}

static utModel* load_text(const char* text, utNotes* notes)
{
    const TextFile files[] = {{"main.xml", text}, {NULL, NULL}};
    return load_table(files, notes);
}

static void check_error(const TextFile* files, const char* want)
{
    char got[700];
    table_error(files, got, sizeof got);
    CHECK_TEXT(got, want);
}

static void check_text_error(const char* text, const char* want)
{
    const TextFile files[] = {{"main.xml", text}, {NULL, NULL}};
    check_error(files, want);
}

// ---- frame --------------------------------------------------------------------------------------

static const char frames[] =
    "<mujoco><default><default class='c'><geom friction='0.3'/></default></default><worldbody>"
    "<body name='o' pos='1 2 3' euler='0 0 90'><joint name='oj'/>"
    "<frame name='f' pos='0.1 0 0' euler='0 90 0'>"
    "<inertial pos='1 2 3' mass='2' diaginertia='1 2 2.5'/>"
    "<joint name='j2' pos='0 0.5 1' axis='1 0 0'/>"
    "<geom name='og' size='.1 0.3' type='capsule'/>"
    "<geom name='ft' size='.1' type='capsule' fromto='0 0 0 1 1 1'/>"
    "<site name='os' pos='0 1 0'/>"
    "<frame pos='0 0 1' quat='1 1 0 0'><body name='in' pos='0 0 1'><geom size='0.1'/></body>"
    "<site name='os2' size='.1' type='capsule' fromto='0 0 0 0 2 0'/></frame></frame></body>"
    "<frame childclass='c' pos='0 0 5'><frame euler='10 20 30'>"
    "<body name='free' pos='1 0 0'><freejoint/><geom name='cg' size='0.1'/></body></frame></frame>"
    "</worldbody></mujoco>";

TEST(frames_place_everything_that_a_body_has)
{
    utModel* model = load_text(frames, NULL);
    if (model == NULL) {
        return;
    }
    // MuJoCo 3.14.0 gives
    const utModelBody* body = &model->body[ut_model_find_body(model, "in")];
    CHECK_INT(body->parent, ut_model_find_body(model, "o"));
    check_vec3(body->in_parent.p, 1.1, -1.0, 0.0);
    check_quat(body->quat, 0.5, 0.5, 0.5, -0.5);
    body = &model->body[ut_model_find_body(model, "free")];
    check_vec3(body->in_parent.p, 0.813797681349, 0.543838142482, 4.7951258713);
    check_quat(body->quat, 0.943714364147, 0.127679440696, 0.144878125417, 0.268535822752);
    const utModelJoint* joint = &model->joint[ut_model_find_joint(model, "j2")];
    check_vec3(joint->pos, 1.1, 0.5, 0.0);
    check_vec3(joint->axis, 0.0, 0.0, -1.0);
    const utModelGeom* geom = &model->geom[ut_model_find_geom(model, "og")];
    check_vec3(geom->in_body.p, 0.1, 0.0, 0.0);
    check_quat(geom->quat, 0.707106781187, 0.0, 0.707106781187, 0.0);
    geom = &model->geom[ut_model_find_geom(model, "ft")];
    check_vec3(geom->in_body.p, 0.6, 0.5, -0.5);
    check_quat(geom->quat, 0.76909450066, 0.444036916989, -0.118979333317, -0.444036916989);
    CHECK_NEAR(model->geom[ut_model_find_geom(model, "cg")].friction, 0.3, 0.0);
    const utModelSite* site = &model->site[ut_model_find_site(model, "os")];
    check_vec3(site->in_body.p, 0.1, 1.0, 0.0);
    site = &model->site[ut_model_find_site(model, "os2")];
    check_vec3(site->in_body.p, 2.1, 0.0, 0.0);
    check_quat(site->quat, 0.0, 0.707106781187, 0.0, -0.707106781187);
    // 90 degrees about y: the frame's z is the body's x, the frame's x is the body's -z
    body = &model->body[ut_model_find_body(model, "o")];
    check_vec3(body->com, 3.1, 2.0, -1.0);
    CHECK_NEAR(body->inertia.m[0][0], 2.5, DIGITS);
    CHECK_NEAR(body->inertia.m[1][1], 2.0, DIGITS);
    CHECK_NEAR(body->inertia.m[2][2], 1.0, DIGITS);
    ut_model_destroy(model);
}

TEST(a_frame_may_hold_what_its_body_may)
{
    check_text_error("<mujoco><worldbody>\n<frame><joint/></frame></worldbody></mujoco>",
                     "main.xml:2:8: error: 'joint' is not allowed inside 'worldbody'");
    check_text_error("<mujoco><worldbody>\n<frame><motor/></frame></worldbody></mujoco>",
                     "main.xml:2:8: error: 'motor' is not allowed inside 'worldbody'");
    check_text_error("<mujoco><worldbody><body><frame><inertial pos='0 0 0' mass='1'/></frame>\n"
                     "<inertial pos='0 0 0' mass='1'/></body></worldbody></mujoco>",
                     "main.xml:2:1: error: a second 'inertial' in one 'body'");
    check_text_error("<mujoco><worldbody><frame\n childclass='x'/></worldbody></mujoco>",
                     "main.xml:2:14: error: there is no class 'x'; a 'default' must define it");
    check_text_error(
        "<mujoco><worldbody><frame quat='1 0 0 0'\n euler='1 2 3'/></worldbody></mujoco>",
        "main.xml:2:9: error: euler beside quat; give the orientation in one way");
}

// ---- replicate ----------------------------------------------------------------------------------

static const char copies[] =
    "<mujoco><worldbody><site name='fix'/>"
    "<replicate count='2' sep='-' offset='1 0 0' euler='0 0 30'>"
    "<body name='b' pos='1 0 0'><joint name='j'/><geom name='g' size='0.1'/><site name='s'/>"
    "<replicate count='11' offset='0 1 0'><geom name='h' size='0.1'/></replicate></body>"
    "<geom name='w' size='0.2'/></replicate>"
    "<body name='z'><joint name='zj'/><geom size='1'/></body></worldbody>"
    "<actuator><motor name='m' joint='j' gear='3'/><motor name='last' joint='zj'/></actuator>"
    "<contact><exclude name='e' body1='b' body2='world'/></contact>"
    "<equality><connect name='q' body1='b' anchor='0 0 0'/></equality>"
    "<keyframe><key name='k' qpos='1 2 3' ctrl='4 5 6'/></keyframe></mujoco>";

TEST(replicate_numbers_names_and_moves_copies)
{
    utModel* model = load_text(copies, NULL);
    if (model == NULL) {
        return;
    }
    // MuJoCo 3.14.0 gives these names and poses; inner copies come first in a name
    CHECK_INT(model->nbody, 4);
    CHECK_TEXT(model->body[1].name, "b-0");
    CHECK_TEXT(model->body[2].name, "b-1");
    CHECK_TEXT(model->body[3].name, "z");
    check_vec3(model->body[2].in_parent.p, 1.86602540378, 0.5, 0.0);
    check_quat(model->body[2].quat, 0.965925826289, 0.0, 0.0, 0.258819045103);
    CHECK_NEAR(model->body[2].mass, 50.26548245743671, 1e-12);
    check_vec3(model->body[2].com, 0.0, 4.58333333333, 0.0);
    CHECK_NEAR(model->body[2].inertia.m[0][0], 556.961093316, 1e-8);
    CHECK_INT(model->ngeom, 27);
    const utModelGeom* geom = &model->geom[ut_model_find_geom(model, "h10-1")];
    CHECK_INT(geom->body, 2);
    check_vec3(geom->in_body.p, 0.0, 10.0, 0.0);
    geom = &model->geom[ut_model_find_geom(model, "w-1")];
    CHECK_INT(geom->body, 0);
    check_vec3(geom->in_body.p, 1.0, 0.0, 0.0);
    CHECK(ut_model_find_geom(model, "h0-0") < 0);
    CHECK(ut_model_find_geom(model, "h00-0") >= 0);
    CHECK(ut_model_find_site(model, "s-1") >= 0);
    CHECK(ut_model_find_site(model, "fix") >= 0);
    ut_model_destroy(model);
}

TEST(elements_that_name_copied_bodies_are_copied_and_come_last)
{
    utModel* model = load_text(copies, NULL);
    if (model == NULL) {
        return;
    }
    CHECK_INT(model->nu, 3);
    CHECK_INT(ut_model_find_actuator(model, "last"), 0);
    CHECK_INT(ut_model_find_actuator(model, "m-0"), 1);
    CHECK_INT(ut_model_find_actuator(model, "m-1"), 2);
    CHECK_INT(model->actuator[2].joint, ut_model_find_joint(model, "j-1"));
    CHECK_INT(model->nexclude, 2);
    CHECK_INT(model->exclude[2], 0);
    CHECK_INT(model->exclude[3], 2);
    CHECK_INT(ut_model_find_equality(model, "q-0"), 0);
    CHECK_INT(ut_model_find_equality(model, "q-1"), 1);
    // keyframes speak of the complete model
    CHECK_NEAR(model->keyframe[0].q[2], 3.0, 0.0);
    CHECK_NEAR(model->keyframe[0].ctrl[0], 4.0, 0.0);
    ut_model_destroy(model);
}

TEST(an_error_in_a_copy_is_reported_at_its_place_in_the_file)
{
    check_text_error("<mujoco><worldbody><replicate count='3'>\n <body>\n  <geom size='x'/></body>"
                     "</replicate></worldbody></mujoco>",
                     "main.xml:3:15: error: size of geom: 'x' is not a number");
    check_text_error("<mujoco><worldbody><replicate count='2'><body name='b'/></replicate>\n"
                     "<body name='b1'/></worldbody></mujoco>",
                     "main.xml:2:13: error: a second body with the name 'b1'; names must differ");
    // b1 becomes b10 and b10 becomes b100: names that are the same only in between
    utModel* model = load_text("<mujoco><worldbody>"
                               "<replicate count='1'><body name='b1'/></replicate>"
                               "<replicate count='1'><body name='b10'/></replicate></worldbody>"
                               "<contact><exclude body1='world' body2='b1'/></contact></mujoco>",
                               NULL);
    if (model != NULL) {
        CHECK_INT(model->nexclude, 1);
        CHECK_INT(model->exclude[1], ut_model_find_body(model, "b10"));
    }
    ut_model_destroy(model);
    check_text_error("<mujoco><worldbody>\n<replicate/></worldbody></mujoco>",
                     "main.xml:2:1: error: replicate needs the attribute count");
    check_text_error("<mujoco><worldbody>\n<replicate count='-1'/></worldbody></mujoco>",
                     "main.xml:2:19: error: count of replicate is -1; it must not be negative");
    check_text_error("<mujoco><worldbody>\n<replicate count='1.5'/></worldbody></mujoco>",
                     "main.xml:2:19: error: count of replicate is 1.5; it must be a whole number");
    check_text_error("<mujoco><worldbody><replicate count='2'><body name='a'/></replicate>"
                     "<replicate count='2'><body name='b'/></replicate></worldbody>"
                     "<contact>\n<exclude body1='a' body2='b'/></contact></mujoco>",
                     "main.xml:2:1: error: 'exclude' names parts of two 'replicate'; write it for "
                     "each pair");
}

// The model does not tell how it was written: the hash covers names, poses and masses.
TEST(copies_make_the_same_model_as_elements_written_out)
{
    utModel* copied =
        load_text("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                  "<replicate count='3' sep='-' offset='0.25 0 0'>"
                  "<frame pos='0 0 0.5'><body name='d' pos='1 0 0'><freejoint name='f'/>"
                  "<geom name='g' type='box' size='.02 .05 .1'/></body></frame>"
                  "</replicate></worldbody></mujoco>",
                  NULL);
    utModel* written =
        load_text("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                  "<body name='d-0' pos='1 0 0.5'><freejoint name='f-0'/>"
                  "<geom name='g-0' type='box' size='.02 .05 .1'/></body>"
                  "<body name='d-1' pos='1.25 0 0.5'><freejoint name='f-1'/>"
                  "<geom name='g-1' type='box' size='.02 .05 .1'/></body>"
                  "<body name='d-2' pos='1.5 0 0.5'><freejoint name='f-2'/>"
                  "<geom name='g-2' type='box' size='.02 .05 .1'/></body></worldbody></mujoco>",
                  NULL);
    if (copied != NULL && written != NULL) {
        CHECK(copied->hash == written->hash);
    }
    ut_model_destroy(copied);
    ut_model_destroy(written);
}

// ---- attach -------------------------------------------------------------------------------------

static const TextFile arms[] = {
    {"top/main.xml",
     "<mujoco model='top'><compiler angle='radian'/><option timestep='0.01'/>"
     "<asset><model name='arm' file='sub/arm.xml'/></asset>"
     "<default><geom friction='0.7'/><default class='c'><geom friction='0.1'/></default></default>"
     "<worldbody><geom name='floor' type='plane' size='1 1 1'/>"
     "<body name='first'><joint name='fj'/><geom name='f' size='0.3'/></body>"
     "<frame pos='0 0 1' euler='0 0 1.57079632679' childclass='c'>"
     "<attach model='arm' prefix='L_'/></frame>"
     "<body name='base' pos='3 0 0'><geom size='0.2'/>"
     "<attach model='arm' prefix='R_' body='a2'/></body>"
     "<body name='lastb'><joint name='lj' ref='0.5'/><geom size='0.3'/></body></worldbody>"
     "<actuator><motor name='top' joint='fj'/></actuator>"
     "<keyframe><key name='k0' qpos='1 2 3 4 5'/></keyframe></mujoco>"},
    {"top/sub/arm.xml",
     "<mujoco model='armmodel'><compiler angle='degree' eulerseq='zyx'/>"
     "<option timestep='0.005' gravity='0 0 -1'/><include file='defs.xml'/>"
     "<worldbody><geom name='pad' size='0.4' class='k' pos='0 0 2'/>"
     "<body name='a1' euler='30 20 10' pos='1 0 0'><joint name='j1' range='-90 90'/>"
     "<geom name='g1' size='0.1'/><site name='s1'/>"
     "<body name='a2' pos='0 0 1' childclass='k'><joint name='j2' axis='0 1 0'/>"
     "<geom name='g2' size='0.1' euler='0 0 45'/><site name='s2'/></body></body>"
     "<body name='mo' mocap='true' pos='5 5 5'/></worldbody>"
     "<actuator><motor name='m1' joint='j1'/><position name='m2' joint='j2' class='k'/></actuator>"
     "<contact><exclude body1='a1' body2='a2'/><exclude body1='world' body2='a2'/></contact>"
     "<equality><weld name='wl' body1='a2'/></equality>"
     "<keyframe><key name='home' qpos='0.1 0.2' qvel='0.3 0.4' ctrl='7 8' mpos='1 1 1'/>"
     "</keyframe></mujoco>"},
    {"top/sub/defs.xml", "<mujoco><default><geom density='500'/><default class='k'>"
                         "<geom friction='0.5'/><position kp='33'/></default></default></mujoco>"},
    {NULL, NULL}};

TEST(an_attached_model_keeps_its_compiler_and_classes)
{
    utNotes notes = {0};
    utModel* model = load_table(arms, &notes);
    if (model == NULL) {
        return;
    }
    // MuJoCo 3.14.0 gives these numbers
    CHECK_NEAR(model->options.dt, 0.01, 0.0);
    CHECK_NEAR(model->options.gravity.z, -9.81, 0.0);
    static const char* const bodies[] = {"L_a1", "L_a2", "L_mo", "base", "R_a2", "lastb"};
    static const double masses[] = {2.0943951023931957, 2.0943951023931957, 0.0,
                                    33.51032163829113,  2.0943951023931957, 113.09733552923255};
    static const int parents[] = {0, 2, 0, 0, 5, 0};
    CHECK_INT(model->nbody, 8);
    for (int i = 0; i < 6; i++) {
        CHECK_TEXT(model->body[i + 2].name, bodies[i]);
        CHECK_NEAR(model->body[i + 2].mass, masses[i], 1e-13 * masses[i]);
        CHECK_INT(model->body[i + 2].parent, parents[i]);
    }
    check_vec3(model->body[2].in_parent.p, 4.89658313896e-12, 1.0, 1.0);
    check_quat(model->body[2].quat, 0.50363693706, -0.106895652084, 0.160826087331, 0.842055891748);
    check_vec3(model->body[6].in_parent.p, 0.0, 0.0, 1.0);
    CHECK_NEAR(model->joint[ut_model_find_joint(model, "L_j1")].range[1], 1.57079632679, DIGITS);
    static const char* const geoms[] = {"floor", "L_pad", "f", "L_g1", "L_g2", "R_g2"};
    static const double frictions[] = {0.7, 0.5, 0.7, 1.0, 0.5, 0.5};
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(model->geom[ut_model_find_geom(model, geoms[i])].friction, frictions[i], 0.0);
    }
    const utModelGeom* geom = &model->geom[ut_model_find_geom(model, "R_g2")];
    check_quat(geom->quat, 0.923879532511, 0.382683432365, 0.0, 0.0);
    geom = &model->geom[ut_model_find_geom(model, "L_pad")];
    CHECK_INT(geom->body, 0);
    check_vec3(geom->in_body.p, 0.0, 0.0, 3.0);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

TEST(elements_of_an_attached_model_come_with_it)
{
    utNotes notes = {0};
    utModel* model = load_table(arms, &notes);
    if (model == NULL) {
        return;
    }
    // MuJoCo 3.14.0 gives these orders
    static const char* const actuators[] = {"top", "L_m1", "L_m2", "R_m2"};
    CHECK_INT(model->nu, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(ut_model_find_actuator(model, actuators[i]), i);
    }
    CHECK_INT(model->nequality, 2);
    CHECK_INT(ut_model_find_equality(model, "L_wl"), 0);
    CHECK_INT(ut_model_find_equality(model, "R_wl"), 1);
    CHECK_INT(model->nexclude, 3);
    // the elements that the attached body does not bring, and the options that do not count
    char text[2000];
    ut_notes_print(&notes, text, sizeof text);
    CHECK_TEXT(text,
               "top/sub/arm.xml:1:67: note: option: of an attached model: the options of the "
               "main model count\n"
               "top/sub/arm.xml:1:533: note: motor: not attached: it names elements outside of the "
               "attached body\n"
               "top/sub/arm.xml:1:624: note: exclude: not attached: it names elements outside of "
               "the attached body\n");
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

static void check_row(const double* got, int count, const double* want)
{
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(got[i], want[i], DIGITS);
    }
}

TEST(keyframes_of_an_attached_model_set_its_joints_only)
{
    utModel* model = load_table(arms, NULL);
    if (model == NULL) {
        return;
    }
    // MuJoCo 3.14.0 gives these rows; the joint lj is at its reference 0.5
    CHECK_INT(model->nkeyframe, 3);
    const utModelKeyframe* key = model->keyframe;
    CHECK_TEXT(key[0].name, "k0");
    CHECK_TEXT(key[1].name, "L_home");
    CHECK_TEXT(key[2].name, "R_home");
    check_row(key[1].q, 5, (const double[]){0.0, 0.1, 0.2, 0.0, 0.5});
    check_row(key[1].v, 5, (const double[]){0.0, 0.3, 0.4, 0.0, 0.0});
    check_row(key[1].ctrl, 4, (const double[]){0.0, 7.0, 8.0, 0.0});
    check_row(key[1].mocap_pos, 3, (const double[]){1.0, 1.0, 1.0});
    check_row(key[2].q, 5, (const double[]){0.0, 0.0, 0.0, 0.2, 0.5});
    check_row(key[2].v, 5, (const double[]){0.0, 0.0, 0.0, 0.4, 0.0});
    check_row(key[2].ctrl, 4, (const double[]){0.0, 0.0, 0.0, 8.0});
    check_row(key[2].mocap_pos, 3, (const double[]){-4.99999999998, 5.00000000002, 6.0});
    ut_model_destroy(model);
}

static const TextFile nested[] = {
    {"main.xml", "<mujoco><asset><model name='mid' file='mid.xml'/></asset><worldbody>"
                 "<body name='first'><joint name='fj'/><geom size='0.3'/></body>"
                 "<attach model='mid' prefix='A_'/>"
                 "<replicate count='2' offset='0 0 1'><frame pos='1 0 0'>"
                 "<attach model='mid' body='fb' prefix='B_'/></frame></replicate>"
                 "<attach model='mid' frame='ff' prefix='C_'/></worldbody></mujoco>"},
    {"mid.xml",
     "<mujoco><asset><model file='leaf.xml'/></asset>"
     "<default><geom friction='0.25'/><default class='q'><geom "
     "friction='0.35'/></default></default>"
     "<worldbody><geom name='wg' size='0.1'/><frame name='ff' pos='0 0 7' childclass='q'>"
     "<body name='fb' pos='0 1 0'><joint name='mj'/><geom name='fg' size='0.2'/>"
     "<geom name='fg2' class='main' size='0.2'/></body></frame>"
     "<body name='m2'><joint name='mj2'/><geom size='0.2' class='main'/>"
     "<attach model='leaf' prefix='l_'/></body></worldbody>"
     "<actuator><motor name='am' joint='mj'/></actuator>"
     "<keyframe><key name='mk' qpos='1 2 3' ctrl='4 5'/></keyframe></mujoco>"},
    {"leaf.xml", "<mujoco model='leaf'><default><geom friction='0.15'/></default>"
                 "<worldbody><body name='lb'><joint name='lj'/><geom name='lg' size='0.3'/></body>"
                 "</worldbody><actuator><motor name='lm' joint='lj'/></actuator>"
                 "<keyframe><key name='lk' qpos='9' ctrl='8'/></keyframe></mujoco>"},
    {NULL, NULL}};

TEST(attached_models_may_attach_models_and_be_replicated)
{
    utModel* model = load_table(nested, NULL);
    if (model == NULL) {
        return;
    }
    // MuJoCo 3.14.0 gives these numbers
    static const char* const bodies[] = {"first", "A_fb",  "A_m2", "A_l_lb",
                                         "B_fb0", "B_fb1", "C_fb"};
    static const double positions[][3] = {{0, 0, 0}, {0, 1, 7}, {0, 0, 0}, {0, 0, 0},
                                          {1, 1, 0}, {1, 1, 1}, {0, 1, 7}};
    CHECK_INT(model->nbody, 8);
    for (int i = 0; i < 7; i++) {
        CHECK_TEXT(model->body[i + 1].name, bodies[i]);
        check_vec3(model->body[i + 1].in_parent.p, positions[i][0], positions[i][1],
                   positions[i][2]);
    }
    static const char* const geoms[] = {"A_wg",  "A_fg",   "A_fg2", "A_l_lg",
                                        "B_fg0", "B_fg21", "C_fg"};
    static const double frictions[] = {0.25, 0.35, 0.25, 0.15, 0.35, 0.25, 0.35};
    for (int i = 0; i < 7; i++) {
        CHECK_NEAR(model->geom[ut_model_find_geom(model, geoms[i])].friction, frictions[i], 0.0);
    }
    static const char* const actuators[] = {"A_am", "A_l_lm", "B_am0", "B_am1", "C_am"};
    CHECK_INT(model->nu, 5);
    for (int i = 0; i < 5; i++) {
        CHECK_INT(ut_model_find_actuator(model, actuators[i]), i);
    }
    // the whole model, its own part, the first copy of a part, and a part
    CHECK_INT(model->nkeyframe, 4);
    const utModelKeyframe* key = &model->keyframe[ut_model_find_keyframe(model, "A_mk")];
    check_row(key->q, 7, (const double[]){0, 1, 2, 3, 0, 0, 0});
    check_row(key->ctrl, 5, (const double[]){4, 5, 0, 0, 0});
    key = &model->keyframe[ut_model_find_keyframe(model, "A_l_lk")];
    check_row(key->q, 7, (const double[]){0, 0, 0, 9, 0, 0, 0});
    check_row(key->ctrl, 5, (const double[]){0, 8, 0, 0, 0});
    key = &model->keyframe[ut_model_find_keyframe(model, "B_mk")];
    check_row(key->q, 7, (const double[]){0, 0, 0, 0, 1, 0, 0});
    key = &model->keyframe[ut_model_find_keyframe(model, "C_mk")];
    check_row(key->q, 7, (const double[]){0, 0, 0, 0, 0, 0, 1});
    check_row(key->ctrl, 5, (const double[]){0, 0, 0, 0, 4});
    ut_model_destroy(model);
}

// By hand: the model has the activations of top, a_x and b_x, in this order.
TEST(activations_of_attached_keyframes_go_to_their_actuators)
{
    static const TextFile files[] = {
        {"main.xml", "<mujoco><asset><model name='s' file='s.xml'/></asset><worldbody>"
                     "<body><joint name='j'/><geom size='1'/></body>"
                     "<attach model='s' prefix='a_'/><attach model='s' prefix='b_'/></worldbody>"
                     "<actuator><general name='top' joint='j' dyntype='integrator'/></actuator>"
                     "</mujoco>"},
        {"s.xml", "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
                  "<actuator><motor name='m' joint='j'/>"
                  "<general name='x' joint='j' dyntype='filter'/></actuator>"
                  "<keyframe><key name='k' act='5' ctrl='6 7'/></keyframe></mujoco>"},
        {NULL, NULL}};
    utModel* model = load_table(files, NULL);
    if (model == NULL) {
        return;
    }
    CHECK_INT(model->na, 3);
    const utModelKeyframe* key = &model->keyframe[ut_model_find_keyframe(model, "b_k")];
    check_row(key->act, 3, (const double[]){0, 0, 5});
    check_row(key->ctrl, 5, (const double[]){0, 0, 0, 6, 7});
    ut_model_destroy(model);
}

TEST(a_body_of_the_same_model_may_be_attached_again)
{
    utModel* model =
        load_text("<mujoco><default><default class='c'><geom friction='0.4'/></default>"
                  "</default><worldbody><frame childclass='c' pos='9 9 9'>"
                  "<body name='b' pos='1 0 0'><joint name='j'/>"
                  "<geom name='g' size='1'/></body></frame>"
                  "<body name='p' pos='0 0 3'><attach body='b' prefix='x'/></body>"
                  "</worldbody><actuator><motor name='m' joint='j'/></actuator></mujoco>",
                  NULL);
    if (model == NULL) {
        return;
    }
    // by the rules: the pose of its frame stays behind, its class of defaults does not
    const utModelBody* body = &model->body[ut_model_find_body(model, "xb")];
    CHECK_INT(body->parent, ut_model_find_body(model, "p"));
    check_vec3(body->in_parent.p, 1.0, 0.0, 0.0);
    CHECK_NEAR(model->geom[ut_model_find_geom(model, "xg")].friction, 0.4, 0.0);
    CHECK_INT(model->actuator[ut_model_find_actuator(model, "xm")].joint,
              ut_model_find_joint(model, "xj"));
    CHECK_INT(model->nu, 2);
    ut_model_destroy(model);
}

TEST(errors_of_attach_have_their_place)
{
    check_text_error("<mujoco><worldbody>\n<attach model='x' prefix='p'/></worldbody></mujoco>",
                     "main.xml:2:16: error: there is no model 'x' in 'asset'");
    check_text_error("<mujoco><worldbody>\n<attach model='x'/></worldbody></mujoco>",
                     "main.xml:2:1: error: attach needs the attribute prefix");
    check_text_error("<mujoco><worldbody>\n<attach prefix='x'/></worldbody></mujoco>",
                     "main.xml:2:1: error: attach needs the attribute model, body or frame");
    check_text_error("<mujoco><worldbody><body name='a'>\n<attach body='a' prefix='x'/></body>"
                     "</worldbody></mujoco>",
                     "main.xml:2:15: error: a body cannot attach itself");
    check_text_error("<mujoco><asset>\n<model name='x'/></asset></mujoco>",
                     "main.xml:2:1: error: model needs the attribute file");
    check_text_error("<mujoco><asset>\n<model file='no.xml'/></asset></mujoco>",
                     "main.xml:2:14: error: 'no.xml' cannot be read; looked for 'no.xml'");
    static const TextFile bad[] = {
        {"main.xml", "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody>\n"
                     "<attach model='amr' prefix='p'/></worldbody></mujoco>"},
        {"arm.xml", "<mujoco><worldbody>\n  <geom size='-1'/></worldbody></mujoco>"},
        {NULL, NULL}};
    check_error(bad,
                "main.xml:2:16: error: there is no model 'amr' in 'asset'; did you mean 'arm'?");
    static const TextFile inner[] = {
        {"main.xml", "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody>"
                     "<attach model='arm' prefix='p'/></worldbody></mujoco>"},
        {"arm.xml", "<mujoco><worldbody>\n  <geom size='-1'/></worldbody></mujoco>"},
        {NULL, NULL}};
    check_error(inner,
                "arm.xml:2:15: error: sphere: the radius is -1 m; it must be positive and finite");
    static const TextFile lost[] = {
        {"main.xml", "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody>\n"
                     "<attach model='arm' body='hand' prefix='p'/></worldbody></mujoco>"},
        {"arm.xml", "<mujoco/>"},
        {NULL, NULL}};
    check_error(lost, "main.xml:2:27: error: there is no body 'hand' in 'arm.xml'");
}

// ---- include ------------------------------------------------------------------------------------

static const TextFile included[] = {
    {"main.xml", "<mujoco><compiler angle='radian'/><option timestep='0.01' gravity='0 0 -1'/>"
                 "<include file='sub/one.xml'/><default><include file='sub/def.xml'/></default>"
                 "<worldbody><body name='b'><include file='sub/in.xml'/></body></worldbody>"
                 "<option gravity='0 0 -3'/>"
                 "<actuator><include file='sub/act.xml'/></actuator></mujoco>"},
    {"sub/one.xml", "<mujoco><compiler angle='degree'/><option timestep='0.02' gravity='0 0 -2'/>"
                    "<include file='sub/two.xml'/><worldbody><body name='first'>"
                    "<joint name='fj' range='-90 90'/><geom name='f' size='1'/></body></worldbody>"
                    "</mujoco>"},
    {"sub/two.xml", "<mujoco><option timestep='0.03'/><actuator><motor name='m0' joint='j'/>"
                    "</actuator></mujoco>"},
    {"sub/def.xml",
     "<x><geom friction='0.3'/><default class='k'><geom friction='0.2'/></default></x>"},
    {"sub/in.xml",
     "<x><joint name='j'/><geom name='g' size='1' class='k'/><geom name='h' size='1'/>"
     "</x>"},
    {"sub/act.xml", "<x><motor name='m1' joint='fj'/></x>"},
    {NULL, NULL}};

TEST(includes_in_any_section_merge_and_the_last_value_counts)
{
    utModel* model = load_table(included, NULL);
    if (model == NULL) {
        return;
    }
    // MuJoCo 3.14.0 gives these numbers
    CHECK_NEAR(model->options.dt, 0.03, 0.0);
    CHECK_NEAR(model->options.gravity.z, -3.0, 0.0);
    CHECK_NEAR(model->joint[ut_model_find_joint(model, "fj")].range[1], 1.57079632679, DIGITS);
    CHECK_NEAR(model->geom[ut_model_find_geom(model, "f")].friction, 0.3, 0.0);
    CHECK_NEAR(model->geom[ut_model_find_geom(model, "g")].friction, 0.2, 0.0);
    CHECK_NEAR(model->geom[ut_model_find_geom(model, "h")].friction, 0.3, 0.0);
    CHECK_INT(ut_model_find_actuator(model, "m0"), 0);
    CHECK_INT(ut_model_find_actuator(model, "m1"), 1);
    CHECK_INT(ut_model_find_body(model, "first"), 1);
    ut_model_destroy(model);
}
