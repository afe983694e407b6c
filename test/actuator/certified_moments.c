// SPDX-License-Identifier: Apache-2.0
// Steps are certified where moments are 0 but for rounding, and where velocities of a transmission
// cancel.
#include "lab.h"

static void run(const char* inside, const double* q, const double* v, const double* ctrl)
{
    Lab lab = lab_open(inside, UT_INTEGRATOR_EULER);
    CHECK_INT(ut_sim_set(lab.sim, 0.0, q, v, NULL), UT_OK);
    lab_steps(&lab, 100, ctrl);
    lab_close(&lab);
}

// Both ends of the rod move with the body, so that nothing changes the length.
TEST(a_slider_crank_on_one_body_acts_on_nothing)
{
    static const char text[] =
        "<worldbody><body euler='10 20 30'><joint axis='1 2 3' pos='.3 .2 .1'/><joint type='slide' "
        "axis='1 1 0'/><geom size='.1' pos='.2 .1 .3' mass='1'/><site name='c' pos='.5 .3 .7'/>"
        "<site name='s' pos='.1 .2 .9' euler='33 44 55'/></body></worldbody><actuator>"
        "<position cranksite='c' slidersite='s' cranklength='1.3' kp='20' kv='3'/></actuator>";
    const double q[2] = {0.7, 0.3}, v[2] = {1.1, -0.6}, ctrl = 2.0;
    run(text, q, v, &ctrl);
    Lab lab = lab_open(text, UT_INTEGRATOR_EULER);
    CHECK_INT(ut_sim_set(lab.sim, 0.0, q, v, NULL), UT_OK);
    lab_steps(&lab, 1, &ctrl);
    CHECK_INT(lab.result.report.rows, 0);
    lab_close(&lab);
}

// Forces along the axis of a hinge, in frames that do not fit the digits: no moment is left, and no row.
TEST(a_servo_at_a_site_that_no_joint_moves_along_its_gear_acts_on_nothing)
{
    Lab lab = lab_open(
        "<worldbody><site name='o' euler='11 22 33'/><body euler='11 22 33' pos='.1 .7 .3'>"
        "<joint name='j' axis='0 0 1'/><geom size='.1' pos='.2 .1 .3' mass='1'/><site name='s' "
        "pos='.3 .4 .5'/></body></worldbody><actuator>"
        "<position site='s' refsite='o' gear='0 0 1 0 0 0' kp='20' kv='3'/>"
        "<velocity site='s' gear='0 0 1 0 0 0' kv='3' forcerange='-1 1'/></actuator>",
        UT_INTEGRATOR_EULER);
    const double q = 0.7, v = 1.1, ctrl[2] = {2.0, 0.5};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, &q, &v, NULL), UT_OK);
    for (int i = 0; i < 100; i++) {
        lab_steps(&lab, 1, ctrl);
        CHECK_INT(lab.result.report.rows, 0);
    }
    CHECK_NEAR(ut_sim_v(lab.sim)[0], v, 1e-12);
    lab_close(&lab);
}

// An equality holds the tendon, so that its rate is a sum of velocities that cancel.
TEST(a_servo_on_a_tendon_whose_velocities_cancel_is_certified)
{
    static const char text[] =
        "<worldbody><body><joint name='x' type='slide' axis='1 0 0'/><geom size='.1' mass='1.7'/>"
        "</body><body><joint name='y' type='slide' axis='1 0 0'/><geom size='.1' "
        "mass='2.3'/></body>"
        "<body><joint name='z' type='slide' axis='1 0 0'/><geom size='.1' mass='0.9'/></body>"
        "</worldbody><tendon><fixed name='t'><joint joint='x' coef='.7313'/><joint joint='y' "
        "coef='-2.1177'/><joint joint='z' coef='1.3371'/></fixed></tendon><equality><tendon "
        "tendon1='t'/></equality><actuator><velocity tendon='t' kv='3'/><motor joint='x'/>"
        "<motor joint='z'/></actuator>";
    const double q[3] = {0.0, 0.0, 0.0}, v[3] = {0.0, 0.0, 0.0}, ctrl[3] = {0.0, 3.1, 1.7};
    run(text, q, v, ctrl);
}
