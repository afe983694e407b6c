// SPDX-License-Identifier: Apache-2.0
// Equalities between joints, tendons and sites.
#include "lab.h"

// Two wheels of 0.2 and 0.05 kg m^2 in two trees, q2 = -3 q1, and a motor of 1 N m on the first:
// a1 = 1 / (0.2 + 9 * 0.05).
TEST(gears_keep_their_ratio_and_add_their_inertias)
{
    utModel* model = test_model(
        "<mujoco><option gravity='0 0 0'/><worldbody>"
        "<body><joint name='one' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
        ".2'/>"
        "</body><body pos='1 0 0'><joint name='two' axis='0 0 1'/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 .05'/></body></worldbody>"
        "<equality><joint name='gears' joint1='two' joint2='one' polycoef='0 -3'/></equality>"
        "<actuator><motor joint='one'/></actuator></mujoco>");
    utSim* sim = sim_with(model, 0.001, -1);
    const double ctrl = 1.0;
    const utInput input = {.ctrl = &ctrl};
    run_certified(sim, &input, 1000, NULL, NULL);
    const double* q = ut_sim_q(sim);
    CHECK_NEAR(ut_sim_v(sim)[0], 1.0 / 0.65, 1e-10);
    CHECK_NEAR(q[1] + 3.0 * q[0], 0.0, 1e-12);
    CHECK(fabs(q[0]) > 0.5);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A step on the curve leaves an error of |p''| (h x')^2 / 2, here with |p''| < 3 for |x| < 2, which
// the next step removes down to 1e-9.
static void check_drift(const utStepResult* result, void* context)
{
    double* largest = context;
    const double moved = result->report.h * result->report.v_next[0];
    *largest = fmax(*largest, result->report.drift);
    CHECK(result->report.drift <= 1.5 * moved * moved + 2e-9);
}

// y = 0.1 + 0.5 x - 0.3 x^2 + 0.2 x^3, counted from ref.
TEST(a_polynomial_couples_a_slide_to_a_hinge)
{
    utModel* model =
        test_model("<mujoco><compiler angle='radian'/><option timestep='.002'/><worldbody>"
                   "<body pos='0 0 1'><joint name='x' axis='0 1 0' ref='.2'/>"
                   "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.03'/></body>"
                   "<body pos='1 0 1'><joint name='y' type='slide' axis='0 0 1' ref='-1'/>"
                   "<geom size='.1' mass='.3'/></body></worldbody><equality>"
                   "<joint joint1='y' joint2='x' polycoef='.1 .5 -.3 .2'/></equality>"
                   "<keyframe><key name='start' qpos='.2 -.9'/></keyframe></mujoco>");
    utSim* sim = sim_with(model, 0.002, -1);
    utError err = {0};
    double drift = 0.0;
    CHECK_INT(ut_sim_reset(sim, 0, &err), UT_OK);
    run_certified(sim, NULL, 500, check_drift, &drift);
    test_note("drift %.3g m", drift);
    CHECK(drift > 0.0 && drift < 1e-4);
    const double x = ut_sim_q(sim)[0] - 0.2;
    CHECK_NEAR(ut_sim_q(sim)[1] + 1.0, 0.1 + x * (0.5 + x * (-0.3 + x * 0.2)), 1e-4);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A coupling without a second joint holds the first one at ref + p0. It is violated at the start by
// 0.1, which the projection removes.
TEST(a_coupling_of_one_joint_holds_it)
{
    utModel* model =
        test_model("<mujoco><worldbody><body><joint name='j' type='slide' axis='0 0 1' ref='2'/>"
                   "<geom size='.1'/></body></worldbody>"
                   "<equality><joint joint1='j' polycoef='.1'/></equality></mujoco>");
    utSim* sim = sim_with(model, 0.002, -1);
    run_certified(sim, NULL, 100, NULL, NULL);
    CHECK_NEAR(ut_sim_q(sim)[0], 2.1, 1e-12);
    CHECK_NEAR(ut_sim_v(sim)[0], 0.0, 1e-10);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A gripper whose left finger follows the right one: a position servo on one finger closes both on a
// box, which hangs between the pads by friction.
TEST(a_mimic_gripper_holds_a_box)
{
    utModel* model = test_model(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
        "<body name='palm' pos='0 0 .3'>"
        "<body name='r'><joint name='r' type='slide' axis='-1 0 0' range='0 .1'/>"
        "<geom type='box' size='.01 .03 .1' pos='.1 0 0' mass='.1'/></body>"
        "<body name='l'><joint name='l' type='slide' axis='1 0 0' range='0 .1'/>"
        "<geom type='box' size='.01 .03 .1' pos='-.1 0 0' mass='.1'/></body></body>"
        "<body name='box' pos='0 0 .3'><freejoint/><geom type='box' size='.04 .04 .04' mass='.2'/>"
        "</body></worldbody><equality><joint joint1='l' joint2='r'/></equality>"
        "<actuator><position joint='r' kp='1000' kv='20'/></actuator>"
        "<keyframe><key name='start' qpos='.04999 .04999 0 0 .3 1 0 0 0'/></keyframe></mujoco>");
    utSim* sim = sim_with(model, 0.002, -1);
    const double ctrl = 0.07;
    const utInput input = {.ctrl = &ctrl};
    utError err = {0};
    CHECK_INT(ut_sim_reset(sim, 0, &err), UT_OK);
    run_certified(sim, &input, 500, NULL, NULL);
    const double* q = ut_sim_q(sim);
    CHECK_NEAR(q[0], q[1], 1e-12);
    // 1000 (0.07 - 0.05) = 20 N, of which each pad gets half; friction 1 holds up to 20 N, the box has
    // 1.96 N
    CHECK_NEAR(q[4], 0.3, 1e-4);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Two tendons of equal change: two masses on ropes from the ceiling with L1 = L2 fall together or not
// at all; the spring of the first one holds both.
TEST(an_equality_couples_the_lengths_of_two_tendons)
{
    utModel* model = test_model(
        "<mujoco><worldbody><site name='p' pos='0 0 2'/><site name='q' pos='1 0 3'/>"
        "<body pos='0 0 1'><joint type='slide' axis='0 0 1'/><geom size='.05' mass='1'/>"
        "<site name='a'/></body><body pos='1 0 1'><joint type='slide' axis='0 0 1'/>"
        "<geom size='.05' mass='2'/><site name='b'/></body></worldbody><tendon>"
        "<spatial name='t' stiffness='100' damping='60'><site site='p'/><site site='a'/></spatial>"
        "<spatial name='u'><site site='q'/><site site='b'/></spatial></tendon>"
        "<equality><tendon tendon1='u' tendon2='t' polycoef='0 2'/></equality></mujoco>");
    utSim* sim = sim_with(model, 0.005, -1);
    run_certified(sim, NULL, 2000, NULL, NULL);
    // at rest the virtual work of 9.81 (1 + 2 * 2) N on x balances 100 x
    CHECK_NEAR(ut_sim_q(sim)[0], -9.81 * 5.0 / 100.0, 1e-9);
    CHECK_NEAR(ut_sim_q(sim)[1], 2.0 * ut_sim_q(sim)[0], 1e-12);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

static double distance_of_sites(const utSim* sim, int one, int two)
{
    const utModel* model = ut_sim_model(sim);
    utArena arena = test_arena();
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, ut_sim_q(sim), NULL, NULL);
    return ut_vec3_norm(ut_vec3_sub(ut_site_position(&kin, one), ut_site_position(&kin, two)));
}

// A connect and a weld between sites: the sites, which the model places 0.01 apart, meet.
TEST(a_connect_and_a_weld_join_sites)
{
    for (int weld = 0; weld < 2; weld++) {
        char text[768];
        snprintf(text, sizeof text,
                 "<mujoco><default><geom contype='0'/></default><worldbody><body pos='0 0 1'>"
                 "<joint axis='0 1 0'/>"
                 "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.03'/>"
                 "<site name='a' pos='.5 0 0' euler='0 0 90'/></body>"
                 "<body pos='.51 0 1'><freejoint/><geom type='box' size='.05 .05 .05'/>"
                 "<site name='b' euler='0 0 90'/></body></worldbody>"
                 "<equality><%s site1='a' site2='b'/></equality></mujoco>",
                 weld ? "weld" : "connect");
        utModel* model = test_model(text);
        utSim* sim = sim_with(model, 0.001, -1);
        run_certified(sim, NULL, 300, NULL, NULL);
        // a step leaves an error of the order h^2 times the squared speed
        CHECK_NEAR(distance_of_sites(sim, 0, 1), 0.0, 1e-4);
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}

TEST(an_inactive_coupling_does_nothing)
{
    utModel* model =
        test_model("<mujoco><default><equality active='false'/></default><worldbody><body>"
                   "<joint name='j' type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody>"
                   "<equality><joint joint1='j'/></equality></mujoco>");
    utSim* sim = sim_with(model, 0.01, -1);
    run_certified(sim, NULL, 10, NULL, NULL);
    CHECK_NEAR(ut_sim_v(sim)[0], -0.981, 1e-12);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
