// SPDX-License-Identifier: Apache-2.0
// What holds a joint: its limits, its dry friction, an actuator with limits of its own.
#include "closed_form.h"

static const double H = 0.002;
static const double L = 1.0;
static const double M = 1.0;
static const double THICK = 0.02;

// A rod that hangs from a hinge about y at its end.
static Lab pendulum(const Trial* t, utJointDef joint, double angle)
{
    const double half = 0.5 * L * t->length;
    Lab lab = lab_open(H);
    joint.body = lab_body(&lab, "rod", ut_vec3_zero());
    joint.axis = ut_vec3(0, 1, 0);
    ut_model_def_joint(lab.def, &joint);
    utGeomDef geom = ut_geom_def(joint.body, UT_SHAPE_BOX, ut_vec3(0.5 * THICK, 0.5 * THICK, half));
    geom.pos = ut_vec3(0, 0, -half);
    geom.mass = M * t->mass;
    geom.contype = 0;
    geom.conaffinity = 0;
    ut_model_def_geom(lab.def, &geom);
    lab_start(&lab);
    lab_state(&lab, &angle, NULL);
    return lab;
}

// It swings into a limit and stays there: inelastic, held by the moment of gravity, m g L/2 sin.
CLOSED_FORM(a_limit_stops_a_pendulum, OFF_MASS | OFF_LENGTH)
{
    utJointDef joint = ut_joint_def(0, UT_JOINT_HINGE);
    joint.limited = true;
    joint.range[0] = 0.3;
    joint.range[1] = 2.0;
    Lab lab = pendulum(t, joint, 1.0);
    utStepResult result;
    lab_steps(&lab, 500, NULL, &result);
    EXPECT(t, ut_sim_q(lab.sim)[0], 0.3, 1e-9);
    EXPECT(t, ut_sim_v(lab.sim)[0], 0.0, 1e-9);
    if (CHECK_INT(result.report.rows, 1)) {
        const utRow* row = &result.report.row[0];
        CHECK_INT(row->kind, UT_ROW_LOWER);
        EXPECT(t, row->length * row->r, H * M * G * 0.5 * L * sin(0.3), M * left_of(H * G, 1));
    }
    lab_end(&lab);
}

// Dry friction of 2 N m holds up to sin = 2 / (m g L/2), and brakes above: I is that of a box of
// some thickness about its end.
CLOSED_FORM(dry_friction_holds_a_pendulum, OFF_MASS | OFF_LENGTH)
{
    const double I = M * ((L * L + THICK * THICK) / 12.0 + 0.25 * L * L);
    utJointDef joint = ut_joint_def(0, UT_JOINT_HINGE);
    joint.frictionloss = 2.0;
    for (int over = 0; over < 2; over++) {
        Lab lab = pendulum(t, joint, asin((over ? 1.005 : 0.995) * 2.0 / (M * G * 0.5 * L)));
        lab_steps(&lab, 1, NULL, NULL);
        EXPECT(t, ut_sim_v(lab.sim)[0], over ? -H * 0.005 * 2.0 / I : 0.0, left_of(H * G, 1) / L);
        lab_end(&lab);
    }
}

// A position actuator with limits: it pulls with all it has, and holds when it can.
CLOSED_FORM(a_limited_actuator_pulls_with_all_it_has, OFF_MASS)
{
    Lab lab = lab_open(H);
    const int body = lab_body(&lab, "mass", ut_vec3_zero());
    utJointDef joint = ut_joint_def(body, UT_JOINT_SLIDE);
    joint.axis = ut_vec3(1, 0, 0);
    const int slide = ut_model_def_joint(lab.def, &joint);
    lab_geom(&lab, body, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0), 2.0 * t->mass, 0.5);
    utActuatorDef actuator = ut_actuator_def(slide, UT_ACTUATOR_POSITION);
    actuator.kp = 1000.0;
    actuator.kv = 80.0;
    actuator.force_limited = true;
    actuator.force_range[0] = -10.0;
    actuator.force_range[1] = 10.0;
    ut_model_def_actuator(lab.def, &actuator);
    lab_start(&lab);
    const double ctrl = 0.1;
    const utInput input = {.ctrl = &ctrl};
    for (int k = 0; k < 10; k++) {
        lab_step(&lab, &input, NULL);
    }
    // without its limit it would change the velocity by h kp ctrl / m = 0.1 m/s: that is V
    EXPECT(t, ut_sim_v(lab.sim)[0], 10 * H * 10.0 / 2.0, left_of(0.1, 10));
    for (int k = 0; k < 800; k++) {
        lab_step(&lab, &input, NULL);
    }
    EXPECT(t, ut_sim_q(lab.sim)[0], 0.1, 1e-8);
    lab_end(&lab);
}
