// SPDX-License-Identifier: Apache-2.0
// Servos, dry friction and joint limits, as files of robots have them.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <uptack/sim.h>

#include "support/model_text.h"
#include "test.h"

typedef struct Robot {
    utModel* model;
    utSim* sim;
} Robot;

static Robot open_robot(const char* text, int formulation)
{
    Robot r = {0};
    utError err = {0};
    r.model = test_model(text);
    utSimDef how = ut_sim_def();
    how.formulation = formulation;
    CHECK_INT(ut_sim_create(r.model, &how, &r.sim, &err), UT_OK);
    return r;
}

static void close_robot(Robot* r)
{
    ut_sim_destroy(r->sim);
    ut_model_destroy(r->model);
}

static utStepResult step(Robot* r, const utInput* input)
{
    utStepResult result = {0};
    utError err = {0};
    if (!CHECK_INT(ut_sim_step(r->sim, input, &result, &err), UT_OK) ||
        !CHECK_INT(result.outcome, UT_STEP_CERTIFIED)) {
        test_note("%s %s at t = %g", err.message,
                  ut_certificate_reason_name(result.certificate.reason), ut_sim_time(r->sim));
    }
    return result;
}

// ---- a servo that starts beyond a limit or inside a wall ----------------------------------------

// The projection brings 2 kg from x = -0.05 m to x = 0 before the step. A servo to ctrl = 0.3 m
// pulls from there: (m + h D + h^2 K) v+ = h K (0.3 - 0), or m v+ = h F with its largest force F.
static void check_servo(const char* joint, const char* actuator, double expected)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>"
                   "<geom type='plane' size='0 0 1' zaxis='1 0 0' pos='-0.1 0 0'/>"
                   "<body><joint name='x' type='slide' axis='1 0 0' %s/>"
                   "<geom type='sphere' size='0.1' mass='2' %s/></body></worldbody>"
                   "<actuator><position joint='x' kp='50' kv='3' %s/></actuator></mujoco>",
                   joint, joint[0] != '\0' ? "contype='0' conaffinity='0'" : "", actuator);
    Robot r = open_robot(text, -1);
    const double q = -0.05, v = 0.0, ctrl = 0.3;
    utError err = {0};
    CHECK_INT(ut_sim_set(r.sim, 0.0, &q, &v, &err), UT_OK);
    const utStepResult result = step(&r, &(utInput){.ctrl = &ctrl});
    CHECK(result.report.projection != NULL);
    CHECK_NEAR(ut_sim_v(r.sim)[0], expected, 1e-8 * expected); // E, of V >= v+
    CHECK_NEAR(ut_sim_q(r.sim)[0], 0.01 * expected, 1e-9);     // of the projection, 1e-9 m
    close_robot(&r);
}

TEST(a_servo_acts_from_where_the_projection_leads)
{
    const double h = 0.01, K = 50.0, D = 3.0, m = 2.0;
    const double free = h * K * 0.3 / (m + h * D + h * h * K);
    const char* const begins[] = {"range='0 1' limited='true'", ""}; // a limit; the plane
    for (int k = 0; k < 2; k++) {
        check_servo(begins[k], "", free);
        check_servo(begins[k], "forcerange='-40 40' forcelimited='true'", free);
        check_servo(begins[k], "forcerange='-7 7' forcelimited='true'", h * 7.0 / m);
    }
}

// ---- dry friction in free fall ------------------------------------------------------------------

#define LEG(x, y)                                                                        \
    "<body pos='" x " " y " 0'><joint axis='0 1 0' frictionloss='0.1' armature='0.01'/>" \
    "<inertial pos='0.01 0.02 -0.12' mass='1.1' diaginertia='0.007 0.007 0.001'/>"       \
    "<body pos='0 0 -0.25'><joint axis='1 0.2 0' frictionloss='0.1' armature='0.01'/>"   \
    "<inertial pos='0 -0.01 -0.12' mass='0.4' diaginertia='0.004 0.004 0.0003'/></body></body>"

static const char quadruped[] =
    "<mujoco><option timestep='0.002'/><worldbody><body><freejoint/>"
    "<inertial pos='0.02 0 0.01' mass='9' diaginertia='0.07 0.2 0.25'/>" LEG("0.3", "0.2")
        LEG("0.3", "-0.2") LEG("-0.3", "0.2") LEG("-0.3", "-0.2") "</body></worldbody></mujoco>";

enum { DOF = 14 };
static const double HELD = 1e-8 * 9.81 * 0.002 / 0.12; // rad/s: E h g over the least reach of a leg

// @return the most iterations of a step
static int fall(Robot* r, int steps)
{
    int most = 0;
    for (int k = 0; k < steps; k++) {
        const int iterations = step(r, NULL).iterations;
        most = iterations > most ? iterations : most;
    }
    return most;
}

// Joint velocities of a robot that falls from rest are rounding, 1e-16 rad/s: no solver can reduce
// them to 1e-8 of themselves. So errors are relative to the velocity that gravity adds per step.
TEST(dry_friction_holds_the_joints_of_a_falling_robot)
{
    Robot r = open_robot(quadruped, -1);
    const int most = fall(&r, 250);
    CHECK(most <= 1);
    CHECK_NEAR(ut_sim_v(r.sim)[2], -9.81 * 0.5, 1e-12);
    for (int k = 3; k < DOF; k++) {
        CHECK_NEAR(ut_sim_v(r.sim)[k], 0.0, HELD);
    }
    close_robot(&r);
}

// The joints of a turning, kicking robot stop one after the other; then it falls as one body.
TEST(dry_friction_stops_the_joints_of_a_falling_robot_in_a_few_iterations)
{
    Robot r = open_robot(quadruped, -1);
    double v[DOF];
    for (int k = 0; k < DOF; k++) {
        v[k] = 0.3 * sin(1.0 + k);
    }
    CHECK_INT(ut_sim_set(r.sim, 0.0, ut_sim_q(r.sim), v, NULL), UT_OK);
    const int most = fall(&r, 500);
    if (!CHECK(most <= 20)) {
        test_note("%d iterations in a step", most);
    }
    for (int k = 6; k < DOF; k++) {
        CHECK_NEAR(ut_sim_v(r.sim)[k], 0.0, HELD);
    }
    close_robot(&r);
}
