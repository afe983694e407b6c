// SPDX-License-Identifier: Apache-2.0
// Forces of joints and bodies that MJCF describes: nonlinear springs and dampers, springdamper, gravity
// compensation. The numbers are those of MuJoCo 3.14.0 for the same text.
#include "load.h"

#include <stdio.h>
#include <uptack/dyn.h>

static const char* const ARM =
    "<worldbody><body pos='0 0 1' gravcomp='1'>"
    "<joint axis='0 1 0' stiffness='2 3 5' damping='.1 .2 .3'/>"
    "<geom size='.1' pos='.3 0 0' mass='1'/>"
    "<body pos='.6 0 0' gravcomp='.5'><joint axis='0 1 0' springdamper='0.1 0.7'/>"
    "<geom type='box' size='.1 .1 .2' pos='.3 .1 0' mass='2'/></body></body></worldbody>";

// MuJoCo 3.14.0 gives jnt_stiffness 2 5.145255355098933, dof_damping 0.1 0.5042350247996955 and, at
// q = (0.3, -0.4), v = (0.5, -0.7), qacc_smooth -21.06137484806785 78.98942238978685. Both programs use
// doubles and the condition of M is about 50, so that 1e-12 covers the rounding.
TEST(springs_dampers_and_gravity_compensation_accelerate_as_in_mujoco)
{
    utNotes notes = {0};
    utModel* model = read_model(ARM, &notes);
    if (!CHECK(model != NULL)) {
        return;
    }
    CHECK_INT(notes.count, 0);
    CHECK_NEAR(model->joint[0].stiffness, 2.0, 0.0);
    CHECK_NEAR(model->joint[0].stiffness_poly[0], 3.0, 0.0);
    CHECK_NEAR(model->joint[0].stiffness_poly[1], 5.0, 0.0);
    CHECK_NEAR(model->joint[0].damping_poly[0], 0.2, 0.0);
    CHECK_NEAR(model->joint[0].damping_poly[1], 0.3, 0.0);
    CHECK_NEAR(model->joint[1].stiffness, 5.145255355098933, 1e-12);
    CHECK_NEAR(model->dof_damping[1], 0.5042350247996955, 1e-12);

    utArena arena = test_arena();
    const double q[] = {0.3, -0.4}, v[] = {0.5, -0.7};
    double tau[2], a[2];
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, q, NULL, NULL);
    ut_kinematics_move(&kin, v, NULL);
    ut_dyn_passive(model, q, v, tau);
    CHECK_INT(ut_dyn_forward(&kin, tau, NULL, model->options.gravity, NULL, arena, a), UT_OK);
    CHECK_NEAR(a[0], -21.06137484806785, 1e-11);
    CHECK_NEAR(a[1], 78.98942238978685, 1e-11);

    // MuJoCo 3.14.0 gives qfrc_gravcomp -11.362963120903203 -2.9282972584132287 and qfrc_passive
    // -12.505463120903203 -0.5172305990138688, the sum
    double compensation[2];
    ut_dyn_gravity_compensation(&kin, model->options.gravity, compensation);
    CHECK_NEAR(compensation[0], -11.362963120903203, 1e-13);
    CHECK_NEAR(compensation[1], -2.9282972584132287, 1e-13);
    CHECK_NEAR(compensation[0] + tau[0], -12.505463120903203, 1e-13);
    CHECK_NEAR(compensation[1] + tau[1], -0.5172305990138688, 1e-13);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

// MuJoCo 3.14.0 gives qfrc_passive -2.375, 0.875 and -2.375, 2.375.
TEST(a_spring_may_be_lopsided_and_a_damper_is_not)
{
    const struct {
        const char* attribute;
        double q, v, force;
    } cases[] = {
        {"stiffness='2 3 5'", 0.5, 0.0, -2.375}, {"stiffness='2 3 5'", -0.5, 0.0, 0.875},
        {"stiffness='0 3 0'", -0.5, 0.0, -0.75}, {"damping='2 3 5'", 0.0, 0.5, -2.375},
        {"damping='2 3 5'", 0.0, -0.5, 2.375},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "<worldbody><body><joint axis='0 1 0' %s/><geom size='.1' pos='.3 0 0'/></body>"
                 "</worldbody>",
                 cases[i].attribute);
        utModel* model = read_model(text, NULL);
        double tau = 0.0;
        if (CHECK(model != NULL)) {
            ut_dyn_passive(model, &cases[i].q, &cases[i].v, &tau);
            CHECK_NEAR(tau, cases[i].force, 0.0);
        }
        ut_model_destroy(model);
    }
}

// All kinds of joints in one tree. MuJoCo 3.14.0 gives these stiffnesses and dampings; it inverts the
// same mass matrix, whose condition is about 1e3.
TEST(springdamper_works_with_the_inertia_that_mujoco_sees)
{
    utModel* model = read_model(
        "<worldbody><body pos='0 0 1' euler='30 20 10'><joint type='free' springdamper='0.3 1.5'/>"
        "<inertial pos='.05 .02 -.01' mass='2' diaginertia='.02 .03 .04'/>"
        "<body pos='.3 .1 0' euler='0 40 0'><joint type='ball' pos='-.1 0 0' "
        "springdamper='0.2 0.5'/><inertial pos='.1 0 .02' mass='1' "
        "fullinertia='.01 .012 .014 .001 -.002 .0005'/><body pos='.2 0 0'>"
        "<joint type='hinge' axis='1 2 3' springdamper='0.1 0.7' armature='.01'/>"
        "<joint type='slide' axis='0 1 1' springdamper='0.4 1'/>"
        "<inertial pos='0 .1 0' mass='.5' diaginertia='.001 .002 .0015'/></body></body></body>"
        "</worldbody>",
        NULL);
    if (!CHECK(model != NULL)) {
        return;
    }
    const double stiffness[] = {0.3497147004630717, 1.2574436473400548, 2.809365955627292,
                                1.4139179374336266};
    const double damping[] = {0.47211484562514683, 0.1257443647340055, 0.27531786365147465,
                              1.1311343499469013};
    for (int j = 0; j < 4; j++) {
        CHECK_NEAR(model->joint[j].stiffness, stiffness[j], 1e-12 * stiffness[j]);
        CHECK_NEAR(model->joint[j].damping, damping[j], 1e-12 * damping[j]);
        CHECK_NEAR(model->dof_damping[model->joint[j].v], damping[j], 1e-12 * damping[j]);
    }
    ut_model_destroy(model);
}

static void check_notes(const char* joint, int count, bool missing)
{
    char text[400];
    utNotes notes = {0};
    snprintf(text, sizeof text,
             "<worldbody><body gravcomp='1'><joint %s/><geom size='.1' pos='.3 0 0'/></body>"
             "</worldbody>",
             joint);
    utModel* model = read_model(text, &notes);
    CHECK_INT(notes.count, count);
    CHECK(count == 0 || notes.note[0].missing == missing);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

TEST(attributes_of_joints_that_do_not_act_are_noted)
{
    check_notes("stiffness='1 2 3' springdamper='0 0' margin='0'", 0, false);
    check_notes("type='ball' damping='1 2 3'", 1, true);
    check_notes("type='ball' stiffness='1 0 3'", 1, true);
    check_notes("range='0 1' margin='0.1'", 1, false);
    check_notes("actuatorgravcomp='false'", 0, false);
    check_notes("actuatorgravcomp='true'", 1, true); // there is no actuator
}
