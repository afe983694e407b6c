// SPDX-License-Identifier: Apache-2.0
// Changing attributes by name.
#include "build.h"

#include <uptack/impact.h>

// body 'box' (given inertia) with joint 'hip' and geoms 'box' and 'a.b'; body 'plain' with a ball
static utModelDef* sample(void)
{
    utModelDef* def = new_def();
    utBodyDef body = ut_body_def();
    body.name = "box";
    body.inertial = true;
    body.mass = 1.0;
    body.inertia = ut_mat3_identity();
    int box = ut_model_def_body(def, &body);
    add_joint(def, box, UT_JOINT_HINGE, "hip");
    utGeomDef geom = ut_geom_def(box, UT_SHAPE_BOX, ut_vec3(1, 2, 3));
    geom.name = "box";
    ut_model_def_geom(def, &geom);
    int plain = add_body(def, 0, "plain", ut_vec3_zero());
    add_ball(def, plain, "a.b");
    utActuatorDef motor = ut_actuator_def(0, UT_ACTUATOR_POSITION);
    motor.name = "motor";
    ut_model_def_actuator(def, &motor);
    return def;
}

static void set(utModelDef* def, const char* path, const char* value)
{
    utError err = {0};
    if (ut_model_def_set(def, path, value, &err) != UT_OK) {
        CHECK_TEXT(err.message, "");
    }
}

TEST(every_attribute_can_be_set)
{
    utModelDef* def = sample();
    set(def, "box.pos", "1 2 3");
    set(def, "box.quat", " 0\t0\n0 2 ");
    set(def, "box.mass", "2.5");
    set(def, "box.com", "0.1 0 0");
    set(def, "box.inertia", "3 4 5 0.1 0.2 0.3");
    set(def, "hip.pos", "0 0 1");
    set(def, "hip.axis", "0 2 0");
    set(def, "hip.range", "-1 1.5");
    set(def, "hip.ref", "0.5");
    set(def, "hip.stiffness", "1");
    set(def, "hip.springref", "2");
    set(def, "hip.damping", "3");
    set(def, "hip.armature", "4");
    set(def, "hip.frictionloss", "5");
    set(def, "a.b.size", "0.5");
    set(def, "a.b.pos", "1 0 0");
    set(def, "a.b.quat", "0 1 0 0");
    set(def, "a.b.mass", "7");
    set(def, "a.b.density", "3");
    set(def, "box.friction", ".25"); // the geom's: bodies have no friction
    set(def, "box.size", "4 5");     // the third stays
    set(def, "a.b.margin", "1e-3");
    set(def, "a.b.priority", "-2");
    set(def, "a.b.contype", "6");
    set(def, "a.b.conaffinity", "12");
    set(def, "a.b.group", "3");
    set(def, "a.b.restitution", "0.75");
    set(def, "motor.gear", "10");
    set(def, "motor.kp", "20");
    set(def, "motor.kv", "30");
    set(def, "motor.ctrl_range", "-1 1");
    set(def, "motor.forcerange", "-2 2"); // MJCF's name
    set(def, "plain.mocap", "true");
    set(def, "box.fast", "true");
    set(def, "option.dt", "0.01");
    set(def, "option.gravity", "0 -9.81 0");
    set(def, "option.integrator", "rk4");
    set(def, "option.time", "3");
    set(def, "option.tolerance", "1e-10");
    set(def, "option.formulation", "stewart-trinkle");
    set(def, "option.solver", " lemke ");
    set(def, "option.directions", "16");
    set(def, "option.relinearize", "2");
    set(def, "option.bounce", "0.25");
    set(def, "option.impact", "poisson");
    set(def, "option.simultaneous", "propagate");
    set(def, "option.detection", "step");
    utModel* model = compile(def);

    const utModelBody* box = &model->body[1];
    CHECK(box->fast && !model->body[2].fast);
    check_vec3(box->in_parent.p, 1, 2, 3, 0.0);
    CHECK_NEAR(box->quat.z, 1.0, 0.0);
    CHECK_NEAR(box->mass, 2.5, 0.0);
    CHECK_NEAR(box->com.x, 0.1, 0.0);
    CHECK_NEAR(box->inertia.m[1][1], 4.0, 0.0);
    CHECK_NEAR(box->inertia.m[1][0], 0.1, 0.0);
    CHECK_NEAR(box->inertia.m[0][2], 0.2, 0.0);
    CHECK_NEAR(box->inertia.m[2][1], 0.3, 0.0);
    const utModelJoint* hip = &model->joint[0];
    CHECK_NEAR(hip->pos.z, 1.0, 0.0);
    CHECK_NEAR(hip->axis.y, 1.0, 0.0);
    CHECK(hip->limited && hip->range[0] == -1.0 && hip->range[1] == 1.5);
    CHECK_NEAR(hip->ref, 0.5, 0.0);
    CHECK_NEAR(hip->stiffness, 1.0, 0.0);
    CHECK_NEAR(hip->springref, 2.0, 0.0);
    CHECK_NEAR(hip->damping, 3.0, 0.0);
    CHECK_NEAR(model->dof_armature[0], 4.0, 0.0);
    CHECK_NEAR(hip->frictionloss, 5.0, 0.0);
    check_vec3(model->geom[0].shape.size, 4, 5, 3, 0.0);
    CHECK_NEAR(model->geom[0].friction, 0.25, 0.0);
    const utModelGeom* ball = &model->geom[1];
    CHECK_NEAR(ball->radius, 0.5, 0.0);
    CHECK_NEAR(ball->in_body.p.x, 1.0, 0.0);
    CHECK_NEAR(ball->quat.x, 1.0, 0.0);
    CHECK_NEAR(model->body[2].mass, 7.0, 0.0);
    CHECK_NEAR(ball->margin, 1e-3, 0.0);
    CHECK_INT(ball->priority, -2);
    CHECK_INT(ball->contype, 6);
    CHECK_INT(ball->conaffinity, 12);
    CHECK_INT(ball->group, 3);
    CHECK_NEAR(ball->restitution, 0.75, 0.0);
    const utModelActuator* motor = &model->actuator[0];
    CHECK(motor->gear[0] == 10.0 && motor->gain[0] == 20.0 && motor->bias[2] == -30.0);
    CHECK(motor->ctrl_limited && motor->ctrl_range[0] == -1.0);
    CHECK(motor->force_limited && motor->force_range[1] == 2.0);
    CHECK_INT(model->nmocap, 1);
    CHECK_NEAR(model->options.dt, 0.01, 0.0);
    check_vec3(model->options.gravity, 0, -9.81, 0, 0.0);
    CHECK_INT(model->options.integrator, UT_INTEGRATOR_RK4);
    CHECK_NEAR(model->options.time, 3.0, 0.0);
    CHECK_NEAR(model->options.tolerance, 1e-10, 0.0);
    CHECK_TEXT(ut_formulation_name((utFormulation)model->options.formulation), "stewart-trinkle");
    CHECK_TEXT(model->options.solver, "lemke");
    CHECK_INT(model->options.directions, 16);
    CHECK_INT(model->options.relinearize, 2);
    CHECK_NEAR(model->options.bounce, 0.25, 0.0);
    CHECK_INT(model->options.impact, UT_IMPACT_POISSON);
    CHECK_INT(model->options.simultaneous, UT_SIMULTANEOUS_PROPAGATE);
    CHECK_INT(model->options.detection, UT_DETECTION_STEP);
    ut_model_destroy(model);
}

TEST(every_choice_has_its_name)
{
    static const struct {
        const char *path, *value;
        int chosen;
    } cases[] = {
        {"option.impact", "newton", UT_IMPACT_NEWTON},
        {"option.impact", "stronge", UT_IMPACT_STRONGE},
        {"option.impact", "poisson", UT_IMPACT_POISSON},
        {"option.simultaneous", "moreau", UT_SIMULTANEOUS_MOREAU},
        {"option.simultaneous", "poisson", UT_SIMULTANEOUS_POISSON},
        {"option.simultaneous", "propagate", UT_SIMULTANEOUS_PROPAGATE},
        {"option.detection", "step", UT_DETECTION_STEP},
        {"option.detection", "located", UT_DETECTION_LOCATED},
        {"option.coordinates", "maximal", UT_COORDINATES_MAXIMAL},
        {"option.coordinates", "generalized", UT_COORDINATES_GENERALIZED},
        {"option.integrator", "midpoint", UT_INTEGRATOR_MIDPOINT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        utModelDef* def = sample();
        set(def, cases[i].path, cases[i].value);
        utModel* model = compile(def);
        const utOptions* o = &model->options;
        const char* name = strchr(cases[i].path, '.') + 1;
        CHECK_INT(strcmp(name, "impact") == 0         ? o->impact
                  : strcmp(name, "simultaneous") == 0 ? o->simultaneous
                  : strcmp(name, "detection") == 0    ? (int)o->detection
                  : strcmp(name, "coordinates") == 0  ? (int)o->coordinates
                                                      : (int)o->integrator,
                  cases[i].chosen);
        ut_model_destroy(model);
    }
}

// Values of the right type that are out of range are rejected when the model is compiled.
TEST(restitution_and_bounce_outside_their_range_are_refused)
{
    static const struct {
        const char *path, *value, *message;
    } cases[] = {
        {"a.b.restitution", "-0.1",
         "restitution of geom 'a.b' is -0.1; it must lie between 0 and 1"},
        {"a.b.restitution", "1.01",
         "restitution of geom 'a.b' is 1.01; it must lie between 0 and 1"},
        {"option.bounce", "-1", "bounce of the options is -1; it cannot be negative"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        utModelDef* def = sample();
        utModel* model = NULL;
        utError err = {0};
        set(def, cases[i].path, cases[i].value);
        CHECK(ut_model_compile(def, NULL, &model, &err) == UT_ERR_ARGUMENT);
        CHECK_TEXT(err.message, cases[i].message);
        ut_model_def_destroy(def);
    }
}

TEST(a_limit_can_be_switched_off_again)
{
    utModelDef* def = sample();
    set(def, "hip.range", "-1 1");
    set(def, "hip.limited", "false");
    set(def, "box.inertia", "1 1 1");
    utModel* model = compile(def);
    CHECK(!model->joint[0].limited);
    CHECK_NEAR(model->body[1].inertia.m[0][1], 0.0, 0.0);
    ut_model_destroy(model);
}

TEST(what_cannot_be_set_is_said_with_what_there_is)
{
    static const struct {
        const char *path, *value, *message;
    } cases[] = {
        {"nose.pos", "0 0 0",
         "nothing is named 'nose'; there are option box plain hip box a.b motor"},
        {"world.pos", "0 0 0",
         "nothing is named 'world'; there are option box plain hip box a.b motor"},
        {"pos", "0 0 0", "'pos' is not NAME.ATTRIBUTE; for example box.pos or option.dt"},
        {".pos", "0 0 0", "'.pos' is not NAME.ATTRIBUTE; for example box.pos or option.dt"},
        {"box.", "0 0 0", "'box.' is not NAME.ATTRIBUTE; for example box.pos or option.dt"},
        {"hip.mass", "1",
         "'hip' has no 'mass'; joint: pos axis limited range ref stiffness springref damping "
         "armature frictionloss actuator_force_limited actuator_force_range actuator_gravcomp "
         "stiffness_poly "
         "damping_poly springdamper"},
        {"box.colour", "1",
         "'box' has no 'colour'; body: pos quat mass com inertia mocap fast gravcomp; geom: size "
         "pos quat "
         "mass density condim friction torsional rolling kinetic restitution surface_velocity "
         "surface_spin margin priority "
         "contype conaffinity group"},
        {"plain.mass", "1", "'plain' has no 'mass'; body: pos quat mocap fast gravcomp"},
        {"motor.damping", "1",
         "'motor' has no 'damping'; actuator: gear kp kv dampratio gain bias dynamics "
         "time_constant "
         "crank_length act_early act_limited act_range ctrl_limited ctrl_range force_limited "
         "force_range"},
        {"option.speed", "1",
         "'option' has no 'speed'; option: dt gravity integrator time tolerance formulation solver "
         "directions relinearize coordinates planar parents_collide regularization relaxation "
         "scale_dt mixed rho "
         "minnorm midpoint bounce impact simultaneous ..."},
        {"box.pos", "1 2", "box.pos takes 3 numbers; got \"1 2\""},
        {"box.pos", "1 2 3 4", "box.pos takes 3 numbers; got \"1 2 3 4\""},
        {"box.pos", "1,2,3", "box.pos takes 3 numbers; got \"1,2,3\""},
        {"box.pos", "1-2-3", "box.pos takes 3 numbers; got \"1-2-3\""},
        {"box.pos", "1 2 nan", "box.pos takes 3 numbers; got \"1 2 nan\""},
        {"hip.damping", "", "hip.damping takes 1 number; got \"\""},
        {"hip.damping", " 1x", "hip.damping takes 1 number; got \"1x\""},
        {"box.size", "", "box.size takes 1 to 3 numbers; got \"\""},
        {"a.b.group", "1.5", "a.b.group takes 1 integer; got \"1.5\""},
        {"a.b.group", "1e10", "a.b.group takes 1 integer; got \"1e10\""},
        {"hip.limited", "yes", "hip.limited takes true or false; got \"yes\""},
        {"box.inertia", "1 2",
         "box.inertia takes 3 numbers (xx yy zz) or 6 (xx yy zz xy xz yz); "
         "got \"1 2\""},
        {"option.integrator", "magic",
         "option.integrator takes Euler, RK4, implicit or midpoint; got \"magic\""},
        {"option.impact", "hertz", "option.impact takes newton, poisson or stronge; got \"hertz\""},
        {"option.simultaneous", "newton",
         "option.simultaneous takes moreau, poisson or propagate; got \"newton\""},
        {"option.detection", "", "option.detection takes located or step; got \"\""},
        {"option.bounce", "nan", "option.bounce takes 1 number; got \"nan\""},
        {"a.b.restitution", "nan", "a.b.restitution takes 1 number; got \"nan\""},
        {"option.solver", " ", "option.solver takes a word; got \"\""},
    };
    utModelDef* def = sample();
    utModel* before = NULL;
    CHECK(ut_model_compile(def, NULL, &before, NULL) == UT_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        utError err = {0};
        CHECK(ut_model_def_set(def, cases[i].path, cases[i].value, &err) == UT_ERR_ARGUMENT);
        CHECK_TEXT(err.message, cases[i].message);
        CHECK(ut_model_def_set(def, cases[i].path, cases[i].value, NULL) == UT_ERR_ARGUMENT);
    }
    // the description is unchanged
    utModel* after = compile(def);
    CHECK(before->hash == after->hash);
    ut_model_destroy(before);
    ut_model_destroy(after);
}

TEST(a_long_list_of_names_is_cut)
{
    utModelDef* def = new_def();
    for (int i = 0; i < 100; i++) {
        char name[] = "body_000";
        name[6] = (char)('0' + i / 10);
        name[7] = (char)('0' + i % 10);
        add_body(def, 0, name, ut_vec3_zero());
    }
    utError err = {0};
    CHECK(ut_model_def_set(def, "x.pos", "0 0 0", &err) == UT_ERR_ARGUMENT);
    const size_t size = strlen(err.message);
    CHECK(size > 150 && strcmp(err.message + size - 12, "body_021 ...") == 0);
    ut_model_def_destroy(def);
}
