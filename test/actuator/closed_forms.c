// SPDX-License-Identifier: Apache-2.0
// Actuators whose motion has a closed form. Steps are linearly implicit: a speed that decays at the
// rate a is multiplied by 1 / (1 + a h) in each step, which the tests expect exactly. Tolerances are
// roundings of so many steps unless a comment says more.
#include "lab.h"

static const double H = 0.002; // MuJoCo's default step

#define SLIDE \
    "<worldbody><body><joint name='j' type='slide'/><geom size='.1' mass='2'/></body></worldbody>"
#define DRIVE(ACTUATORS) SLIDE "<actuator>" ACTUATORS "</actuator>"

// A velocity servo on a mass m has the time constant m / kv.
TEST(a_velocity_servo_approaches_its_speed_with_its_time_constant)
{
    Lab lab = lab_open(DRIVE("<velocity joint='j' kv='4'/>"), UT_INTEGRATOR_EULER);
    const double ctrl = 3.0, rate = 4.0 / 2.0;
    lab_steps(&lab, 250, &ctrl);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], ctrl * (1.0 - pow(1.0 + rate * H, -250)), 1e-12);
    // the exact solution, to the first order of h
    CHECK_NEAR(ut_sim_v(lab.sim)[0], ctrl * (1.0 - exp(-rate * 0.5)), ctrl * rate * rate * H * 0.5);
    lab_close(&lab);
}

TEST(with_stages_it_follows_the_exact_solution)
{
    const double ctrl = 3.0, rate = 4.0 / 2.0, exact = ctrl * (1.0 - exp(-rate * 0.5));
    Lab rk4 = lab_open(DRIVE("<velocity joint='j' kv='4'/>"), UT_INTEGRATOR_RK4);
    lab_steps(&rk4, 250, &ctrl);
    // the error per step is (rate h)^5 / 120
    CHECK_NEAR(ut_sim_v(rk4.sim)[0], exact, ctrl * 250.0 * pow(rate * H, 5) / 100.0);
    lab_close(&rk4);
    Lab midpoint = lab_open(DRIVE("<velocity joint='j' kv='4'/>"), UT_INTEGRATOR_MIDPOINT);
    lab_steps(&midpoint, 250, &ctrl);
    CHECK_NEAR(ut_sim_v(midpoint.sim)[0], exact, ctrl * 250.0 * pow(rate * H, 3) / 10.0);
    lab_close(&midpoint);
}

// A force that pulls forward in proportion to the speed is explicit: v grows by 1 + h k / m.
TEST(negative_damping_is_explicit)
{
    Lab lab = lab_open(DRIVE("<general joint='j' biastype='affine' biasprm='0 0 .5'/>"),
                       UT_INTEGRATOR_EULER);
    const double v = 1.0;
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, &v, NULL), UT_OK);
    lab_steps(&lab, 100, NULL);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], pow(1.0 + H * 0.5 / 2.0, 100), 1e-12);
    lab_close(&lab);
}

// dampratio 1 is critical damping: m x'' = kp (ctrl - x) - kv x' has the double root w = sqrt(kp / m),
// and the implicit step the double root 1 / (1 + w h). So y = ctrl - x obeys
//     (1 + w h)^2 y_n+1 - 2 (1 + w h) y_n + y_n-1 = 0,    y_0 = 1,    y_1 = 1 - (w h)^2 / (1 + w h)^2
TEST(a_damping_ratio_of_one_is_critical_damping)
{
    Lab lab = lab_open(DRIVE("<position joint='j' kp='50' dampratio='1'/>"), UT_INTEGRATOR_EULER);
    const double ctrl = 1.0, wh = 5.0 * H;
    lab_steps(&lab, 200, &ctrl);
    double before = 1.0, y = 1.0 - wh * wh / ((1.0 + wh) * (1.0 + wh));
    for (int n = 1; n < 200; n++) {
        const double next = (2.0 * (1.0 + wh) * y - before) / ((1.0 + wh) * (1.0 + wh));
        before = y;
        y = next;
    }
    CHECK_NEAR(ctrl - ut_sim_q(lab.sim)[0], y, 1e-11);
    CHECK_NEAR(y, (1.0 + 5.0 * 0.4) * exp(-5.0 * 0.4), 0.02); // the exact motion, to order h
    CHECK(ut_sim_q(lab.sim)[0] < ctrl);
    lab_close(&lab);
}

// The activation of intvelocity is the distance that its control asks for, within its range; a stiff
// servo follows it.
TEST(an_integrated_velocity_moves_at_its_control_and_stops_at_its_range)
{
    Lab lab = lab_open(DRIVE("<intvelocity joint='j' kp='1e6' kv='1e4' actrange='-1 .5'/>"),
                       UT_INTEGRATOR_EULER);
    const double ctrl = 0.8;
    lab_steps(&lab, 250, &ctrl);
    CHECK_NEAR(ut_sim_act(lab.sim)[0], 0.4, 1e-12);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 0.8, 1e-3);
    // it lags by a step and kv / kp times the speed
    CHECK_NEAR(ut_sim_q(lab.sim)[0], 0.4 - 0.8 * (1e4 / 1e6 + H), 1e-3);
    lab_steps(&lab, 250, &ctrl);
    CHECK_NEAR(ut_sim_act(lab.sim)[0], 0.5, 0.0);
    CHECK_NEAR(ut_sim_q(lab.sim)[0], 0.5, 1e-3);
    lab_close(&lab);
}

TEST(an_exact_filter_follows_the_exponential_and_a_plain_one_euler)
{
    Lab lab = lab_open(DRIVE("<general joint='j' dyntype='filterexact' dynprm='.1'/>"
                             "<general joint='j' dyntype='filter' dynprm='.1'/>"),
                       UT_INTEGRATOR_EULER);
    const double ctrl[] = {2.0, 2.0};
    lab_steps(&lab, 100, ctrl);
    CHECK_NEAR(ut_sim_act(lab.sim)[0], 2.0 * (1.0 - exp(-0.2 / 0.1)), 1e-13);
    CHECK_NEAR(ut_sim_act(lab.sim)[1], 2.0 * (1.0 - pow(1.0 - H / 0.1, 100)), 1e-13);
    lab_close(&lab);
}

// p = -kv l' ctrl
TEST(a_damper_brakes_in_proportion_to_its_control)
{
    Lab lab = lab_open(DRIVE("<damper joint='j' kv='4' ctrlrange='0 1'/>"), UT_INTEGRATOR_EULER);
    const double v = 1.0, half = 0.5, over = 9.0;
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, &v, NULL), UT_OK);
    lab_steps(&lab, 100, &half);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], pow(1.0 + H * 0.5 * 4.0 / 2.0, -100), 1e-13);
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, &v, NULL), UT_OK);
    lab_steps(&lab, 100, &over);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], pow(1.0 + H * 4.0 / 2.0, -100), 1e-13);
    lab_close(&lab);
}

// A ball and a pair of sites are where they are after any number of turns, so that controls that differ
// by turns cause the same motion: 2 pi for an axis of length 1. Rounding of the controls is 1e-15.
TEST(a_servo_of_a_rotation_goes_to_the_nearest_turn)
{
    static const char model[] =
        "<worldbody><site name='r'/><body><joint name='b' type='ball'/><geom size='.1' mass='2'/>"
        "<site name='s'/></body></worldbody>"
        "<actuator><position joint='b' kp='3' kv='.1' gear='.6 .8 0'/>"
        "<position site='s' refsite='r' kp='2' gear='0 0 0 0 0 1'/></actuator>";
    const double turn = 2.0 * 3.14159265358979323846;
    const double near[] = {0.5, -0.3}, far[] = {0.5 + 2.0 * turn, -0.3 - turn};
    Lab one = lab_open(model, UT_INTEGRATOR_EULER), two = lab_open(model, UT_INTEGRATOR_EULER);
    CHECK_NEAR(one.model->actuator[0].turn, turn, 1e-15);
    lab_steps(&one, 100, near);
    lab_steps(&two, 100, far);
    CHECK(fabs(ut_sim_q(one.sim)[1]) > 0.01); // it moves
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(ut_sim_q(two.sim)[i], ut_sim_q(one.sim)[i], 1e-12);
    }
    lab_close(&one);
    lab_close(&two);
}

// A cylinder pushes with its area times the pressure, which is the activation.
TEST(a_cylinder_pushes_with_its_area_times_its_pressure)
{
    Lab lab = lab_open(DRIVE("<cylinder joint='j' diameter='.02' timeconst='.1' bias='3 0 0'/>"),
                       UT_INTEGRATOR_EULER);
    const double area = 3.14159265358979323846 * 0.01 * 0.01, pressure = 1e5;
    CHECK_INT(ut_sim_set_act(lab.sim, &pressure, NULL), UT_OK);
    lab_steps(&lab, 1, &pressure);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], H * (area * pressure + 3.0) / 2.0, 1e-14);
    CHECK_NEAR(lab.result.report.actuator_force[0], area * pressure + 3.0, 1e-12);
    lab_close(&lab);
}

#define WEIGHT "<option gravity='0 0 -9.81'/>"

// A thrust along a site's z lifts a body that is turned by 30 degrees: F cos 30 - m g upward.
TEST(thrust_at_a_site_lifts_a_body)
{
    Lab lab =
        lab_open(WEIGHT "<worldbody><body euler='30 0 0'><freejoint/><geom size='.1' mass='2'/>"
                        "<site name='s'/></body></worldbody><actuator><motor site='s' "
                        "gear='0 0 1 0 0 0'/></actuator>",
                 UT_INTEGRATOR_EULER);
    const double thrust = 40.0, third = 3.14159265358979323846 / 6.0;
    lab_steps(&lab, 100, &thrust);
    CHECK_NEAR(ut_sim_v(lab.sim)[2], 0.2 * (thrust * cos(third) / 2.0 - 9.81), 1e-12);
    CHECK_NEAR(ut_sim_v(lab.sim)[1], -0.2 * thrust * sin(third) / 2.0, 1e-12);
    lab_close(&lab);
}

// Four rotors, each with a quarter of the weight and a moment of its turning: they hover, and more
// of the left turning ones yaw the body by the sum of the moments over its inertia.
TEST(a_quadrotor_hovers_and_yaws)
{
    Lab lab = lab_open(
        WEIGHT
        "<worldbody><body pos='0 0 1'><freejoint/><inertial pos='0 0 0' mass='1.2' "
        "diaginertia='.01 .01 .02'/><site name='a' pos='.2 .2 0'/><site name='b' pos='-.2 .2 0'/>"
        "<site name='c' pos='-.2 -.2 0'/><site name='d' pos='.2 -.2 0'/></body></worldbody>"
        "<actuator><motor site='a' gear='0 0 1 0 0 .02'/><motor site='b' gear='0 0 1 0 0 -.02'/>"
        "<motor site='c' gear='0 0 1 0 0 .02'/><motor site='d' gear='0 0 1 0 0 -.02'/></actuator>",
        UT_INTEGRATOR_EULER);
    const double quarter = 1.2 * 9.81 / 4.0;
    const double hover[] = {quarter, quarter, quarter, quarter};
    const double yaw[] = {quarter + 0.1, quarter - 0.1, quarter + 0.1, quarter - 0.1};
    lab_steps(&lab, 500, hover);
    CHECK_NEAR(ut_sim_q(lab.sim)[2], 1.0, 1e-12);
    lab_steps(&lab, 100, yaw);
    CHECK_NEAR(ut_sim_v(lab.sim)[5], 0.2 * (4.0 * 0.1 * 0.02) / 0.02, 1e-12);
    CHECK_NEAR(ut_sim_q(lab.sim)[2], 1.0, 1e-12);
    lab_close(&lab);
}

// A motor on a fixed tendon 2 x - y of two slides pushes them with 2 p and -p.
TEST(a_motor_on_a_tendon_pushes_both_joints)
{
    Lab lab =
        lab_open("<worldbody><body><joint name='x' type='slide'/><geom size='.1' mass='2'/></body>"
                 "<body><joint name='y' type='slide'/><geom size='.1' mass='5'/></body></worldbody>"
                 "<tendon><fixed name='t'><joint joint='x' coef='2'/><joint joint='y' "
                 "coef='-1'/></fixed></tendon><actuator><motor tendon='t' gear='3'/></actuator>",
                 UT_INTEGRATOR_EULER);
    const double ctrl = 0.7;
    lab_steps(&lab, 50, &ctrl);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 0.1 * 2.0 * 3.0 * 0.7 / 2.0, 1e-13);
    CHECK_NEAR(ut_sim_v(lab.sim)[1], -0.1 * 3.0 * 0.7 / 5.0, 1e-13);
    lab_close(&lab);
}

// A servo on the same tendon: with a = 4 / m1 + 1 / m2 the implicit rate is that of one mass 1 / a.
TEST(a_velocity_servo_on_a_tendon_has_the_tendons_mass)
{
    Lab lab =
        lab_open("<worldbody><body><joint name='x' type='slide'/><geom size='.1' mass='2'/></body>"
                 "<body><joint name='y' type='slide'/><geom size='.1' mass='5'/></body></worldbody>"
                 "<tendon><fixed name='t'><joint joint='x' coef='2'/><joint joint='y' "
                 "coef='-1'/></fixed></tendon><actuator><velocity tendon='t' kv='3'/></actuator>",
                 UT_INTEGRATOR_EULER);
    const double ctrl = 0.7, a = 4.0 / 2.0 + 1.0 / 5.0;
    lab_steps(&lab, 50, &ctrl);
    const double* v = ut_sim_v(lab.sim);
    CHECK_NEAR(2.0 * v[0] - v[1], ctrl * (1.0 - pow(1.0 + H * 3.0 * a, -50)), 1e-12);
    CHECK_NEAR(2.0 * v[0] + 2.0 * 5.0 * v[1] * 2.0 / 2.0, 0.0, 1e-12); // momenta are as 2 : -1
    lab_close(&lab);
}

// Three servos pull with more than the joint allows: the sum is clamped to 10 N.
TEST(the_sum_of_the_actuators_of_a_joint_is_limited)
{
    Lab lab =
        lab_open("<worldbody><body><joint name='j' type='slide' actuatorfrcrange='-4 10'/>"
                 "<geom size='.1' mass='2'/></body></worldbody><actuator><motor joint='j'/>"
                 "<position joint='j' kp='300' kv='5'/><velocity joint='j' kv='7'/></actuator>",
                 UT_INTEGRATOR_EULER);
    const double ahead[] = {3.0, 1.0, 1.0}, back[] = {3.0, -1.0, 1.0};
    lab_steps(&lab, 10, ahead);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 10.0 * H * 10.0 / 2.0, 1e-12);
    lab_steps(&lab, 10, back);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 10.0 * H * (10.0 - 4.0) / 2.0, 1e-12);
    lab_close(&lab);
}

// A single implicit actuator with a range of its own beside a motor: clamp(clamp(x) + 3) in 10.
TEST(ranges_of_an_actuator_and_of_its_joint_combine)
{
    Lab lab = lab_open("<worldbody><body><joint name='j' type='slide' actuatorfrcrange='-4 10'/>"
                       "<geom size='.1' mass='2'/></body></worldbody><actuator><motor joint='j'/>"
                       "<position joint='j' kp='300' forcerange='-6 5' gear='-1'/></actuator>",
                       UT_INTEGRATOR_EULER);
    // p = 300 (1 + q) is clamped to 5 and acts with -5, or p = -300 is clamped to -6: +6
    const double back[] = {3.0, 1.0}, ahead[] = {3.0, -1.0}, far[] = {7.0, -1.0};
    lab_steps(&lab, 1, back);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], H * (3.0 - 5.0) / 2.0, 1e-14);
    CHECK_NEAR(lab.result.report.actuator_force[1], 5.0, 1e-12);
    CHECK_INT(ut_sim_reset(lab.sim, -1, NULL), UT_OK);
    lab_steps(&lab, 1, ahead);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], H * (3.0 + 6.0) / 2.0, 1e-14);
    CHECK_INT(ut_sim_reset(lab.sim, -1, NULL), UT_OK);
    lab_steps(&lab, 1, far);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], H * 10.0 / 2.0, 1e-14);
    lab_close(&lab);
}

// A tendon pulls at two masses with 6 N and -12 N; the range of the first joint leaves 1 N of them.
TEST(the_range_of_a_joint_limits_a_tendon_on_this_joint_alone)
{
    Lab lab = lab_open("<worldbody><body><joint name='x' type='slide' actuatorfrcrange='-1 1'/>"
                       "<geom size='.1' mass='2'/></body><body><joint name='y' type='slide'/>"
                       "<geom size='.1' mass='3'/></body></worldbody><tendon><fixed name='t'>"
                       "<joint joint='x' coef='1'/><joint joint='y' coef='-2'/></fixed></tendon>"
                       "<actuator><motor tendon='t'/></actuator>",
                       UT_INTEGRATOR_EULER);
    const double strong = 6.0, weak = 0.8, edge = 1.0;
    lab_steps(&lab, 10, &strong);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 10.0 * H * 1.0 / 2.0, 1e-14);
    CHECK_NEAR(ut_sim_v(lab.sim)[1], 10.0 * H * -12.0 / 3.0, 1e-13);
    CHECK_NEAR(lab.result.report.actuator_force[0], 6.0, 0.0);
    lab_steps(&lab, 10, &weak);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 10.0 * H * 1.8 / 2.0, 1e-14);
    lab_steps(&lab, 10, &edge);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 10.0 * H * 2.8 / 2.0, 1e-14);
    lab_close(&lab);
}

// A servo on a tendon x + y is implicit for y while x is saturated: with S = h D + h^2 K,
//     (m + S) y'+ = m y' + S y' + h (K (ctrl - l) - D l' - h K l')
// and x gets the end of its range.
TEST(a_servo_is_implicit_for_the_joints_that_are_not_saturated)
{
    Lab lab = lab_open("<worldbody><body><joint name='x' type='slide' actuatorfrcrange='-1 1'/>"
                       "<geom size='.1' mass='2'/></body><body><joint name='y' type='slide'/>"
                       "<geom size='.1' mass='3'/></body></worldbody><tendon><fixed name='t'>"
                       "<joint joint='x' coef='1'/><joint joint='y' coef='1'/></fixed></tendon>"
                       "<actuator><position tendon='t' kp='5000' kv='40'/><motor joint='x'/>"
                       "</actuator>",
                       UT_INTEGRATOR_EULER);
    const double K = 5000.0, D = 40.0, S = H * D + H * H * K, ctrl[2] = {1.0, 0.3};
    const double q[2] = {0.2, 0.1}, v[2] = {0.5, -0.4};
    const double l = q[0] + q[1], rate = v[0] + v[1];
    CHECK_INT(ut_sim_set(lab.sim, 0.0, q, v, NULL), UT_OK);
    lab_steps(&lab, 1, ctrl);
    const double p = K * (ctrl[0] - l) - D * rate;
    CHECK_NEAR(ut_sim_v(lab.sim)[0], v[0] + H * 1.0 / 2.0, 1e-14);
    const double y = (3.0 * v[1] + S * v[1] + H * (p - H * K * rate)) / (3.0 + S);
    CHECK_NEAR(ut_sim_v(lab.sim)[1], y, 1e-12);
    CHECK_NEAR(lab.result.report.actuator_force[0], 3.0 * (y - v[1]) / H, 1e-8);
    CHECK_NEAR(lab.result.report.actuator_force[1], 0.3, 0.0);
    lab_close(&lab);
}

// Gravity compensation by actuators holds what the range allows: of 2 kg at 10 m/s^2 12 N, so that the
// mass falls with 4 m/s^2; a servo that pulls down is added before.
TEST(the_range_of_a_joint_limits_gravity_compensation_by_actuators)
{
    static const char* const drives[] = {"<motor joint='j'/>", "<motor site='s' gear='0 0 1'/>",
                                         "<velocity joint='j' kv='1000'/>"};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<option gravity='0 0 -10'/><worldbody><body gravcomp='1'>"
                 "<joint name='j' type='slide' axis='0 0 1' actuatorfrcrange='-12 12' "
                 "actuatorgravcomp='true'/><geom size='.1' mass='2'/><site name='s'/></body>"
                 "</worldbody><actuator>%s</actuator>"
                 "<sensor><jointactuatorfrc joint='j'/></sensor>",
                 drives[i]);
        Lab lab = lab_open(text, UT_INTEGRATOR_EULER);
        double ctrl = 0.0, sensor = 0.0;
        lab_steps(&lab, 10, &ctrl);
        CHECK_NEAR(ut_sim_v(lab.sim)[0], -10.0 * H * 4.0, 1e-13);
        ut_sim_sensors(lab.sim, &sensor);
        CHECK_NEAR(sensor, 12.0, 1e-9);
        ctrl = -11.0; // motors: 20 - 11 = 9 N are left; the velocity servo pulls down with 12 N
        lab_steps(&lab, 10, &ctrl);
        const double force = i < 2 ? 9.0 : -12.0;
        CHECK_NEAR(ut_sim_v(lab.sim)[0], -10.0 * H * (4.0 + 10.0 - force / 2.0), 1e-12);
        lab_close(&lab);
    }
}

// actearly: the force of the first step has the activation after it.
TEST(an_early_activation_acts_a_step_sooner)
{
    Lab lab = lab_open(DRIVE("<general joint='j' dyntype='integrator'/>"
                             "<general joint='j' dyntype='integrator' actearly='true' gear='10'/>"),
                       UT_INTEGRATOR_EULER);
    const double ctrl[] = {5.0, 5.0};
    lab_steps(&lab, 1, ctrl);
    CHECK_NEAR(lab.result.report.actuator_force[0], 0.0, 0.0);
    CHECK_NEAR(lab.result.report.actuator_force[1], 5.0 * H, 1e-17);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], H * 10.0 * 5.0 * H / 2.0, 1e-17);
    lab_close(&lab);
}
