// SPDX-License-Identifier: Apache-2.0
// Descriptions of equalities: checks, files, names; and conversion to maximal coordinates.
#include "contact/contact.h"
#include "lab.h"

#include <stdio.h>

// ---- what cannot be -----------------------------------------------------------------------------

static int add_body(utModelDef* def, const char* name, int parent, utJointKind kind)
{
    utBodyDef body = ut_body_def();
    body.name = name;
    body.parent = parent;
    body.pos = ut_vec3(0.0, 0.0, 1.0);
    const int b = ut_model_def_body(def, &body);
    const utGeomDef geom = ut_geom_def(b, UT_SHAPE_BOX, ut_vec3(0.1, 0.1, 0.1));
    ut_model_def_geom(def, &geom);
    if (kind < UT_JOINT_KIND_COUNT) {
        const utJointDef joint = ut_joint_def(b, kind);
        ut_model_def_joint(def, &joint);
    }
    return b;
}

static void refuse(utEqualityDef equality, const char* message)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    add_body(def, "a", 0, UT_JOINT_FREE);
    add_body(def, "b", 1, UT_JOINT_KIND_COUNT);
    add_body(def, "c", 0, UT_JOINT_KIND_COUNT);
    equality.name = "e";
    ut_model_def_equality(def, &equality);
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, message);
    ut_model_def_destroy(def);
}

// An inactive one has no rows, so it does not matter that its bodies cannot move.
TEST(an_inactive_equality_may_join_bodies_that_do_not_move)
{
    utModelDef* def;
    utModel* model = NULL;
    utSim* sim = NULL;
    utStepResult result = {0};
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    add_body(def, "a", 0, UT_JOINT_FREE);
    add_body(def, "b", 1, UT_JOINT_KIND_COUNT);
    utEqualityDef equality = ut_equality_def(UT_EQUALITY_WELD, 1, 2);
    equality.active = false;
    ut_model_def_equality(def, &equality);
    if (CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK) &&
        CHECK_INT(ut_sim_create(model, NULL, &sim, &err), UT_OK)) {
        CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK);
        CHECK_INT(result.report.rows, 0);
        CHECK(result.outcome == UT_STEP_CERTIFIED);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}

TEST(invalid_equalities_are_rejected)
{
    const utEqualityDef good = ut_equality_def(UT_EQUALITY_HINGE, 0, 1);
    utEqualityDef e = good;
    e.kind = UT_EQUALITY_KIND_COUNT;
    refuse(e, "equality 'e' is of kind 7, which does not exist; there are 0 to 6");
    e = good;
    e.body2 = 4;
    refuse(e, "equality 'e' names body 4, which does not exist; there are 0 to 3");
    e.body1 = 1;
    e.body2 = 2;
    refuse(e, "equality 'e' is between body 'a' and body 'b', which no joint moves against each "
              "other; name two bodies that move");
    e.body1 = 0;
    e.body2 = 3;
    refuse(e, "equality 'e' is between body 'world' and body 'c', which no joint moves against "
              "each other; name two bodies that move");
    e = good;
    e.axis = ut_vec3_zero();
    refuse(e, "axis of equality 'e' is zero; give a direction, for example 0 0 1");
    e = good;
    e.anchor.y = (double)NAN;
    refuse(e, "anchor of equality 'e' is nan; it must be finite");
    e = good;
    e.limited = true;
    e.range[0] = -4.0;
    e.range[1] = 1.0;
    refuse(e, "range of equality 'e' is -4 to 1; the range of a hinge between bodies must lie "
              "within half a turn of 0");
    e.kind = UT_EQUALITY_WELD;
    refuse(e, "equality 'e' is limited; only a hinge, a slide and a ball have a range");
    e.kind = UT_EQUALITY_BALL;
    refuse(e, "range of equality 'e' begins at -4; that of a ball begins at 0");
}

// ---- files --------------------------------------------------------------------------------------

// MJCF's rules: the anchor of a connect is in body1, and the point of body2 that coincides with it
// in the reference pose is its partner. The anchor of a weld is in body2; its relpose gives the
// anchor's position and body2's orientation in body1, and a relpose of zeros means the reference
// pose.
static const char three[] =
    "<mujoco><default><equality active='false'/></default><worldbody>"
    "<body name='a' pos='0 0 1'><freejoint/><geom size='.1'/></body>"
    "<body name='b' pos='1 0 0' euler='0 0 90'><freejoint/><geom size='.1'/></body>"
    "</worldbody><equality>"
    "<connect name='c' body1='a' anchor='0 0 .5' active='true'/>"
    "<weld name='w' body1='a' body2='b' anchor='.1 .2 .3' active='true'/>"
    "<weld name='x' body1='a' body2='b' relpose='1 2 3 0 0 0 2' anchor='1 0 0' active='true'/>"
    "<weld name='off' body1='a' body2='b'/></equality></mujoco>";

TEST(files_describe_connects_and_welds)
{
    utModel* model = test_model(three);
    if (model == NULL) {
        return;
    }
    CHECK_INT(model->nequality, 4);
    CHECK_INT(ut_model_find_equality(model, "w"), 1);
    CHECK_INT(ut_model_find_equality(model, "y"), -1);
    CHECK(!model->equality[3].active);
    const utModelEquality* c = &model->equality[0];
    CHECK(c->active && c->kind == UT_EQUALITY_CONNECT && c->body1 == 1 && c->body2 == 0);
    CHECK_NEAR(c->in1.p.z, 0.5, 0.0);
    CHECK_NEAR(c->in2.p.z, 1.5, 1e-15);

    // b's (.1, .2, .3) is at (1 - .2, .1, .3) in the world, 1 lower in a
    const utModelEquality* w = &model->equality[1];
    CHECK(w->active && w->kind == UT_EQUALITY_WELD);
    CHECK_NEAR(w->in1.p.x, 0.8, 1e-15);
    CHECK_NEAR(w->in1.p.y, 0.1, 1e-15);
    CHECK_NEAR(w->in1.p.z, -0.7, 1e-15);
    CHECK_NEAR(w->in1.R.m[1][0], 1.0, 1e-15);

    const utModelEquality* x = &model->equality[2];
    CHECK_NEAR(x->in1.p.x, 1.0, 0.0);
    CHECK_NEAR(x->in2.p.x, 1.0, 0.0);
    CHECK_NEAR(x->in1.R.m[0][0], -1.0, 1e-15);
    ut_model_destroy(model);
}

// Position errors and their rates in some pose as MuJoCo 3.14.0 computes them, efc_pos and efc_vel,
// which point from body2 to body1. MuJoCo's rotational rows are different and not compared.
TEST(position_errors_of_equalities_agree_with_mujoco)
{
    static const double pos[3][3] = {
        {-0.057894736842105304, 0.0421052631578947, 0.24736842105263168},
        {-0.690693400167084, 1.0178780284043445, 0.460668337510443},
        {-3.224644945697577, 1.489640768588137, 4.882790309106099},
    };
    static const double vel[3][3] = {
        {-0.15947368421052638, -0.08947368421052643, -0.42315789473684223},
        {0.4840334168755216, 0.31431913116123644, 0.6344979114452807},
        {-2.563993316624896, -3.321136173767754, -0.5335004177109438},
    };
    double q[14] = {0.1, 0.2, 1.3, 0.9, 0.1, -0.2, 0.3, 1.2, -0.1, 0.4, 0.7, 0.2, 0.3, -0.1};
    double v[12];
    for (int k = 0; k < 12; k++) {
        v[k] = 0.1 * (k + 1) * (k % 2 == 1 ? 1.0 : -1.0);
    }
    utModel* model = test_model(three);
    utArena arena = test_arena();
    utKinematics kin;
    utRow row[4 * MAX_ROWS_PER_EQUALITY];
    CHECK(ut_model_normalize(model, q, NULL));
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, q, NULL, NULL);
    ut_kinematics_move(&kin, v, NULL);
    const ContactScene scene = {
        .model = model,
        .kin = &kin,
        .h = 1.0,
        .v = v,
        .v_free = v,
        .formulation = ut_formulation_traits(UT_FORMULATION_COULOMB),
    };
    const int rows = ut_contact_equality_rows(&scene, row);
    CHECK_INT(rows, 3 + 6 + 6);
    ut_contact_velocities(&scene, v, 0, NULL, rows, row);
    for (int j = 0; j < rows; j++) {
        const int k = row[j].component;
        if (k < 3) {
            // a few roundings of numbers below 8
            CHECK_NEAR(row[j].gap, -pos[row[j].equality][k], 1e-14);
            CHECK_NEAR(row[j].u, -vel[row[j].equality][k], 1e-14);
        }
    }
    ut_model_destroy(model);
}

static void refuse_file(const char* equality, const char* message)
{
    char text[1024];
    utModelDef* def = NULL;
    utError err = {0};
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/></body></worldbody>\n"
             "<equality>%s</equality></mujoco>",
             equality);
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_mjcf_read((utText){text, strlen(text)}, "text", NULL, def, NULL, &err),
              UT_ERR_FORMAT);
    CHECK_TEXT(err.message, message);
    CHECK_INT(err.line, 2);
    ut_model_def_destroy(def);
}

TEST(files_with_invalid_equalities_are_rejected)
{
    refuse_file("<connect anchor='0 0 0'/>", "connect needs the attribute body1");
    refuse_file("<connect body1='a'/>", "connect needs the attribute anchor, a point of body1");
    refuse_file("<weld body1='b'/>", "there is no body 'b'");
    refuse_file("<weld body1='a' relpose='1 2 3'/>", "relpose of weld needs 7 numbers and has 3");
}

// ---- maximal models -----------------------------------------------------------------------------

// The tip is welded to the upper arm and comes after the lower one, so that its index changes.
static const char arm[] =
    "<mujoco model='arm'><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
    "<body name='upper' pos='0 0 1' euler='0 30 0'><joint name='shoulder' axis='0 1 0' ref='20' "
    "range='-60 60'/><geom name='upper' size='.1' pos='0 0 .2'/><site name='s' pos='0 0 .1'/>"
    "<body name='lower' pos='0 0 .4' euler='20 0 0'><joint name='elbow' type='ball'/>"
    "<geom name='lower' size='.1' pos='0 0 .2'/></body>"
    "<body name='tip' pos='.1 0 0'><geom name='tip' size='.05'/></body></body>"
    "<body name='hand' mocap='true' pos='3 0 0'><geom name='hand' size='.1'/></body>"
    "<body name='ball' pos='0 2 1'><freejoint name='ball'/><geom name='ball' size='.1'/></body>"
    "</worldbody><actuator><motor name='m' joint='shoulder'/></actuator>"
    "<contact><exclude body1='ball' body2='lower'/></contact>"
    "<keyframe><key name='k' time='3' qpos='.5 .9 .1 .2 .3 1 2 3 1 0 0 0' "
    "qvel='1 2 3 4 5 6 7 8 9 10' ctrl='.7' mpos='1 1 1' mquat='0 1 0 0'/></keyframe></mujoco>";

TEST(a_maximal_model_keeps_everything_that_is_not_a_joint)
{
    utModel* model = test_model(arm);
    utModel* maximal = lab_maximal(model);
    if (model == NULL || maximal == NULL) {
        return;
    }
    CHECK_TEXT(maximal->name, "arm");
    CHECK_INT(maximal->options.coordinates, UT_COORDINATES_MAXIMAL);
    CHECK_INT(maximal->nv, 18);
    CHECK_INT(maximal->nequality, 2);
    CHECK_NEAR(maximal->mass, model->mass, 1e-15 * model->mass);
    static const char* const names[] = {"world", "upper", "tip", "lower", "hand", "ball"};
    for (int b = 0; b < maximal->nbody; b++) {
        CHECK_TEXT(maximal->body[b].name, names[b]);
        const utModelBody* old = &model->body[ut_model_find_body(model, names[b])];
        CHECK(b == 0 || maximal->body[b].mass == old->mass);
    }
    CHECK_INT(maximal->body[2].parent, 1);
    CHECK_INT(maximal->body[4].mocap, 0);
    CHECK_INT(maximal->actuator[0].equality, 0);
    CHECK_INT(maximal->site[0].body, 1);

    // the same pairs collide
    for (int g = 0; g < model->ngeom; g++) {
        for (int k = 0; k < model->ngeom; k++) {
            const int a = ut_model_find_geom(maximal, model->geom[g].name);
            const int b = ut_model_find_geom(maximal, model->geom[k].name);
            CHECK(g == k || ut_model_collides(model, g, k) == ut_model_collides(maximal, a, b));
        }
    }
    ut_model_destroy(maximal);
    ut_model_destroy(model);
}

// A keyframe in both models: all bodies have the same poses and velocities, the coordinates of
// joints are recovered, and no equality has a position error.
TEST(states_are_converted_to_maximal_models_and_back)
{
    utModel* model = test_model(arm);
    utModel* maximal = lab_maximal(model);
    utSim* one = NULL;
    utSim* two = NULL;
    utError err;
    if (ut_sim_create(model, NULL, &one, &err) != UT_OK ||
        ut_sim_create(maximal, NULL, &two, &err) != UT_OK) {
        CHECK(false);
        return;
    }
    CHECK_INT(ut_sim_reset(one, 0, &err), UT_OK);
    CHECK_INT(ut_sim_reset(two, 0, &err), UT_OK);
    CHECK_NEAR(ut_sim_time(two), 3.0, 0.0);
    CHECK_NEAR(maximal->keyframe[0].ctrl[0], 0.7, 0.0);
    CHECK_NEAR(lab_apart(one, two), 0.0, 1e-15);
    for (int b = 1; b < model->nbody; b++) {
        const utBodyState x = ut_sim_body(one, b);
        const utBodyState y = ut_sim_body(two, ut_model_find_body(maximal, model->body[b].name));
        CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(x.velocity, y.velocity)), 0.0, 1e-14);
        CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(x.angular, y.angular)), 0.0, 1e-14);
    }
    CHECK_NEAR(ut_sim_energy(two), ut_sim_energy(one), 1e-13 * ut_sim_energy(one));

    utArena arena = test_arena();
    utKinematics kin;
    double q[4], v[3];
    CHECK_INT(ut_kinematics_create(maximal, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, ut_sim_q(two), NULL, NULL);
    ut_kinematics_move(&kin, ut_sim_v(two), NULL);
    CHECK_INT(ut_equality_coordinates(&kin, 0, q, v), 1);
    CHECK_NEAR(q[0], 0.5, 1e-15);
    CHECK_NEAR(v[0], 1.0, 1e-14);
    CHECK_INT(ut_equality_coordinates(&kin, 1, q, v), 4);
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(q[k], ut_sim_q(one)[1 + k], 1e-15);
    }
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(v[k], 2.0 + k, 1e-14);
    }
    ut_sim_destroy(one);
    ut_sim_destroy(two);
    ut_model_destroy(maximal);
    ut_model_destroy(model);
}

static void reject_maximal(const char* body, const char* message)
{
    char text[1024];
    utModel* maximal = NULL;
    utError err = {0};
    snprintf(text, sizeof text, "<mujoco xmlns:ut='urn:uptack'>%s</mujoco>", body);
    utModel* model = test_model(text);
    if (model != NULL) {
        CHECK_INT(ut_model_maximal(model, NULL, &maximal, &err), UT_ERR_ARGUMENT);
        CHECK_TEXT(err.message, message);
    }
    ut_model_destroy(model);
}

TEST(features_that_maximal_coordinates_do_not_support_are_rejected_by_name)
{
    reject_maximal("<worldbody><body name='a'><joint axis='1 0 0'/><joint axis='0 1 0'/>"
                   "<geom size='.1'/></body></worldbody>",
                   "body 'a' has several joints, which maximal coordinates do not support; use "
                   "generalized coordinates");
    reject_maximal("<worldbody><body><joint name='j' type='ball' armature='1'/><geom size='.1'/>"
                   "</body></worldbody>",
                   "joint 'j' has armature, which maximal coordinates support only for hinges "
                   "and for slides on fixed bodies; use generalized coordinates");
    reject_maximal("<option ut:planar='xz'/><worldbody><body name='bob'><joint axis='0 1 0'/>"
                   "<inertial pos='0 0 -1' mass='1' diaginertia='0 0 0'/></body></worldbody>",
                   "body 'bob' has no inertia about the plane's normal, so it cannot be a free "
                   "body; use generalized coordinates");
}
