// Joints: pendulums, springs, limits, dry friction, actuators.
#include "lab.h"

static const double G = 9.81;
static const double PI = 3.14159265358979323846;

// A rod of length 1 hanging from a hinge about y at its end.
static Lab pendulum(double h, utIntegrator integrator, utJointDef joint)
{
    Lab lab = lab_open(h);
    lab.options.integrator = integrator;
    const int rod = lab_body(&lab, "rod", ut_vec3_zero());
    joint.body = rod;
    joint.axis = ut_vec3(0, 1, 0);
    ut_model_def_joint(lab.def, &joint);
    utGeomDef geom = ut_geom_def(rod, UT_SHAPE_BOX, ut_vec3(0.01, 0.01, 0.5));
    geom.pos = ut_vec3(0, 0, -0.5);
    geom.mass = 1.0;
    geom.contype = 0;
    geom.conaffinity = 0;
    ut_model_def_geom(lab.def, &geom);
    lab_start(&lab);
    return lab;
}

static double about_pivot(void)
{
    return (1.0 + 0.0004) / 12.0 + 0.25;
}

static void turn(Lab* lab, double angle)
{
    CHECK_INT(ut_sim_set(lab->sim, 0.0, &angle, NULL, NULL), UT_OK);
}

// Small swings: period 2 pi sqrt(I / (m g l / 2)); a quarter of it later it hangs straight, up to
// amplitude^2 / 16 of a period and O(h).
TEST(a_pendulum_has_its_period)
{
    const double period = 2.0 * PI * sqrt(about_pivot() / (G * 0.5));
    const double h = period / 4000.0;
    Lab lab = pendulum(h, UT_INTEGRATOR_EULER, ut_joint_def(0, UT_JOINT_HINGE));
    turn(&lab, 0.01);
    lab_run(&lab, 1000, 0, ut_vec3_zero());
    CHECK_NEAR(ut_sim_q(lab.sim)[0], 0.0, 0.01 * 2.0 * PI * (1.0 / 4000.0 + 1e-4 / 16.0));
    lab_certified(&lab);
    lab_close(&lab);
}

// Symplectic Euler: the first step from rest turns by h^2 times the acceleration, exactly.
TEST(a_pendulum_falls_by_its_moment)
{
    Lab lab = pendulum(0.001, UT_INTEGRATOR_EULER, ut_joint_def(0, UT_JOINT_HINGE));
    turn(&lab, PI / 2.0);
    lab_run(&lab, 1, 0, ut_vec3_zero());
    const double a = -G * 0.5 / about_pivot();
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 0.001 * a, 1e-15);
    lab_certified(&lab);
    lab_close(&lab);
}

// It swings into a limit and stays there: inelastic, with the moment of gravity to hold it.
TEST(a_limit_stops_a_pendulum)
{
    utJointDef joint = ut_joint_def(0, UT_JOINT_HINGE);
    joint.limited = true;
    joint.range[0] = 0.3;
    joint.range[1] = 2.0;
    Lab lab = pendulum(0.002, UT_INTEGRATOR_EULER, joint);
    turn(&lab, 1.0);
    lab_run(&lab, 600, 0, ut_vec3_zero());
    utStepResult result;
    lab_step(&lab, NULL, &result);
    CHECK_NEAR(ut_sim_q(lab.sim)[0], 0.3, 1e-10);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 0.0, 1e-10);
    CHECK_INT(result.report.rows, 1);
    CHECK_INT(result.report.row[0].kind, UT_ROW_LOWER);
    const utRow* row = &result.report.row[0];
    CHECK_NEAR(row->length * row->r, 0.002 * G * 0.5 * sin(0.3), 1e-8);
    lab_certified(&lab);
    lab_close(&lab);
}

// Dry friction of 2 N m holds up to sin = 2 / (m g / 2), and brakes above.
TEST(dry_friction_holds_a_pendulum)
{
    utJointDef joint = ut_joint_def(0, UT_JOINT_HINGE);
    joint.frictionloss = 2.0;
    for (int over = 0; over < 2; over++) {
        Lab lab = pendulum(0.002, UT_INTEGRATOR_EULER, joint);
        const double sine = (over ? 1.02 : 0.98) * 2.0 / (G * 0.5);
        turn(&lab, ut_atan2(sine, sqrt(1.0 - sine * sine)));
        lab_run(&lab, 1, 0, ut_vec3_zero());
        const double left = over ? -0.02 * 2.0 : 0.0;
        CHECK_NEAR(ut_sim_v(lab.sim)[0], 0.002 * left / about_pivot(), 1e-10);
        lab_certified(&lab);
        lab_close(&lab);
    }
}

// A mass on a spring and a damper, implicit: (m + h d + h^2 k) v+ = m v + h (m g - k x).
TEST(a_spring_is_implicit)
{
    Lab lab = lab_open(0.01);
    const int body = lab_body(&lab, "mass", ut_vec3_zero());
    utJointDef joint = ut_joint_def(body, UT_JOINT_SLIDE);
    joint.stiffness = 1e6;
    joint.damping = 3.0;
    ut_model_def_joint(lab.def, &joint);
    lab_geom(&lab, body, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0), 2.0, 0.5);
    lab_start(&lab);
    double x = 0.0;
    double v = 0.0;
    for (int k = 0; k < 50; k++) {
        v = (2.0 * v + 0.01 * (-2.0 * G - 1e6 * x)) / (2.0 + 0.01 * 3.0 + 1e-4 * 1e6);
        x += 0.01 * v;
    }
    lab_run(&lab, 50, 0, ut_vec3_zero());
    CHECK_NEAR(ut_sim_q(lab.sim)[0], x, 1e-15);
    // and it rests where k x = m g
    lab_run(&lab, 3000, 0, ut_vec3_zero());
    CHECK_NEAR(ut_sim_q(lab.sim)[0], -2.0 * G / 1e6, 1e-12);
    lab_certified(&lab);
    lab_close(&lab);
}

// A position actuator with limits: it pulls with all it has, and holds when it can.
TEST(a_limited_actuator_pulls_with_all_it_has)
{
    Lab lab = lab_open(0.002);
    const int body = lab_body(&lab, "mass", ut_vec3_zero());
    utJointDef joint = ut_joint_def(body, UT_JOINT_SLIDE);
    joint.axis = ut_vec3(1, 0, 0);
    const int slide = ut_model_def_joint(lab.def, &joint);
    lab_geom(&lab, body, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0), 2.0, 0.5);
    utActuatorDef actuator = ut_actuator_def(slide, UT_ACTUATOR_POSITION);
    actuator.kp = 1000.0;
    actuator.kv = 80.0;
    actuator.force_limited = true;
    actuator.force_range[0] = -10.0;
    actuator.force_range[1] = 10.0;
    ut_model_def_actuator(lab.def, &actuator);
    lab_start(&lab);
    const double ctrl = 1.0;
    const utInput input = {.ctrl = &ctrl};
    utStepResult result;
    for (int k = 0; k < 10; k++) {
        lab_step(&lab, &input, &result);
    }
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 10 * 0.002 * 10.0 / 2.0, 1e-9);
    for (int k = 0; k < 3000; k++) {
        lab_step(&lab, &input, &result);
    }
    CHECK_NEAR(ut_sim_q(lab.sim)[0], 1.0, 1e-8);
    lab_certified(&lab);
    lab_close(&lab);
}
