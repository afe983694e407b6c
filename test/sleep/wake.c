// SPDX-License-Identifier: Apache-2.0
// What wakes sleeping bodies, and that they then move as if they had never slept.
#include <math.h>
#include <string.h>

#include "lab.h"

// ---- a falling ball -----------------------------------------------------------------------------

// Three boxes of 0.2 m, a ball of radius 0.1 m whose lowest point is 2 m above them, and a box far away.
static const char tower_text[] =
    "<mujoco><option timestep='0.01'/><worldbody>"
    "<geom name='floor' type='plane' size='9 9 0.1'/>"
    "<body name='a' pos='0 0 0.1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "<body name='b' pos='0 0 0.3'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "<body name='c' pos='0 0 0.5'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "<body name='far' pos='4 0 0.1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "<body name='ball' pos='0 0 2.7'><freejoint/>"
    "<geom name='ball' type='sphere' size='0.1' mass='1'/></body>"
    "</worldbody></mujoco>";

static bool touches_ball(const Lab* lab)
{
    bool found = false;
    for (int i = 0; i < lab->last.report.contacts; i++) {
        const utContact* c = &lab->last.report.contact[i];
        const int ball = ut_model_find_geom(lab->model, "ball");
        found = found || c->geom1 == ball || c->geom2 == ball;
    }
    return found;
}

// The ball falls by g h^2 n (n + 1) / 2 in n steps: 1.98 m in 63 steps and 2.04 m in 64. So step 64 is the
// first one that brings it to the tower, 2 m below.
//
// Until then both runs are at rest to the error e <= 1e-8 h g of certified velocities, 1e-9 m/s, and a
// tower of three multiplies it by less than ten. So after 2 s all bodies agree to 2e-8 m.
TEST(a_ball_wakes_a_tower_in_the_step_of_contact_and_the_motion_is_that_without_sleeping)
{
    Lab lab = lab_of_text(tower_text, 0.01, true);
    Lab other = lab_of_text(tower_text, 0.01, false);
    int woken = 0;
    for (int k = 1; k <= 200; k++) {
        const bool slept = lab_sleeps(&lab, "a");
        lab_run(&lab, NULL, 1);
        lab_run(&other, NULL, 1);
        if (touches_ball(&lab)) {
            CHECK(!lab_sleeps(&lab, "a") || woken + 10 < k);
        }
        if (slept && !lab_sleeps(&lab, "a")) {
            CHECK(woken == 0 && touches_ball(&lab));
            CHECK_INT(k, 64);
            CHECK(!lab_sleeps(&lab, "b") && !lab_sleeps(&lab, "c"));
            woken = k;
        }
        CHECK(lab.last.max_penetration <= 1e-9);
        CHECK(k < 20 || lab_sleeps(&lab, "far"));
    }
    CHECK(woken > 0);
    static const char* const names[] = {"a", "b", "c", "far", "ball"};
    for (int i = 0; i < 5; i++) {
        const utVec3 apart =
            ut_vec3_sub(lab_body(&lab, names[i]).com, lab_body(&other, names[i]).com);
        CHECK_NEAR(ut_vec3_norm(apart), 0.0, 2e-8);
    }
    CHECK_INT(ut_sim_sleeping(lab.sim), 5);
    lab_end(&lab);
    lab_end(&other);
}

// ---- a row of balls -----------------------------------------------------------------------------

// Without gravity ball a flies with 10 m/s, 0.1 m per step, to ball b, which is 2.27 m away: it arrives
// in step 23. Only the impulse of that step brings ball b near ball c, 5 mm behind it: with the gap of
// 0.07 m that is left, ball a may come on with 7 m/s relative to b, so that b gets 1.5 m/s, 15 mm per
// step. So b and c wake in the same step, and all bits are those of a run without sleeping.
TEST(an_impulse_wakes_the_next_sleeping_ball_in_the_same_step)
{
    static const char text[] =
        "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>"
        "<body name='a' pos='-2.47 0 0'><freejoint/><geom type='sphere' size='.1' mass='1'/></body>"
        "<body name='b' pos='0 0 0'><freejoint/><geom type='sphere' size='.1' mass='1'/></body>"
        "<body name='c' pos='.205 0 0'><freejoint/><geom type='sphere' size='.1' mass='1'/></body>"
        "<body name='d' pos='0 2 0'><freejoint/><geom type='sphere' size='.1' mass='1'/></body>"
        "</worldbody></mujoco>";
    Lab lab = lab_of_text(text, 0.01, true), other = lab_of_text(text, 0.01, false);
    const double v[24] = {10.0};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, v, NULL), UT_OK);
    CHECK_INT(ut_sim_set(other.sim, 0.0, NULL, v, NULL), UT_OK);
    lab_run(&lab, NULL, 22);
    CHECK(lab_sleeps(&lab, "b") && lab_sleeps(&lab, "c") && lab_sleeps(&lab, "d"));
    lab_run(&lab, NULL, 1);
    CHECK(!lab_sleeps(&lab, "b") && !lab_sleeps(&lab, "c") && lab_sleeps(&lab, "d"));
    lab_run(&other, NULL, 23);
    CHECK(ut_sim_hash(lab.sim) == ut_sim_hash(other.sim));
    lab_run(&lab, NULL, 20);
    lab_run(&other, NULL, 20);
    CHECK(ut_sim_hash(lab.sim) == ut_sim_hash(other.sim));
    lab_end(&lab);
    lab_end(&other);
}

// ---- supports that move -------------------------------------------------------------------------

static const char plate_text[] =
    "<mujoco><option timestep='0.01'/><worldbody>"
    "<body name='plate' mocap='true' pos='0 0 1'><geom type='box' size='1 1 0.1'/></body>"
    "<body name='pusher' mocap='true' pos='5 0 1.2'><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='box' pos='0 0 1.2'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "</worldbody></mujoco>";

// The plate drops out of reach within one step, so that the box falls: v = -g h after it.
TEST(a_support_that_is_pulled_away_wakes_its_box)
{
    Lab lab = lab_of_text(plate_text, 0.01, true);
    const double away[6] = {0.0, 0.0, -2.0, 5.0, 0.0, 1.2};
    const utInput input = {.mocap_pos = away};
    lab_run(&lab, NULL, 40);
    CHECK_INT(lab.last.sleeping, 1);
    lab_run(&lab, &input, 1);
    CHECK_INT(lab.last.sleeping, 0);
    CHECK_NEAR(lab_body(&lab, "box").velocity.z, -GRAVITY * 0.01, 1e-12);
    lab_end(&lab);
}

// A plate that sinks by 1e-9 m per step carries its box along.
TEST(a_support_that_creeps_wakes_its_box_and_carries_it)
{
    Lab lab = lab_of_text(plate_text, 0.01, true);
    double pos[6] = {0.0, 0.0, 1.0, 5.0, 0.0, 1.2};
    const utInput input = {.mocap_pos = pos};
    lab_run(&lab, NULL, 40);
    CHECK_INT(lab.last.sleeping, 1);
    for (int k = 0; k < 100; k++) {
        pos[2] -= 1e-9;
        lab_run(&lab, &input, 1);
        CHECK_INT(lab.last.sleeping, 0);
    }
    CHECK_NEAR(lab_body(&lab, "box").com.z, 1.2 - 100e-9, 1e-10);
    lab_end(&lab);
}

// A pusher at 1 m/s, 0.05 m away from the box: it wakes the box and moves it with its own speed.
TEST(a_mocap_body_that_arrives_wakes_a_box)
{
    const double h = 0.01;
    Lab lab = lab_of_text(plate_text, h, true);
    double pos[6] = {0.0, 0.0, 1.0, 0.25, 0.0, 1.2 + 1e-3};
    const utInput near = {.mocap_pos = pos};
    lab_run(&lab, &near, 1);
    lab_run(&lab, NULL, 40);
    CHECK_INT(lab.last.sleeping, 1);
    for (int k = 0; k < 3; k++) {
        pos[3] -= h;
        lab_run(&lab, &near, 1);
        CHECK_INT(lab.last.sleeping, 1); // the pusher is still 0.02 m away
    }
    for (int k = 0; k < 20; k++) {
        pos[3] -= h;
        lab_run(&lab, &near, 1);
    }
    CHECK_INT(lab.last.sleeping, 0);
    CHECK_NEAR(lab_body(&lab, "box").velocity.x, -1.0, 1e-8);
    CHECK_NEAR(lab_body(&lab, "box").com.x, pos[3] - 0.2, 1e-8);
    lab_end(&lab);
}

// ---- input --------------------------------------------------------------------------------------

// A point-like mass of 1 kg at 1 m below a hinge: the moment of inertia is m L^2 + 2/5 m r^2.
static const char arm_text[] =
    "<mujoco><option timestep='0.01'/><worldbody><body name='arm' pos='0 0 2'>"
    "<joint name='hinge' type='hinge' axis='0 1 0'/>"
    "<geom type='sphere' size='0.05' pos='0 0 -1' mass='1'/></body></worldbody>"
    "<actuator><motor name='motor' joint='hinge' gear='3'/></actuator></mujoco>";

TEST(a_control_wakes_a_joint_and_a_constant_one_lets_it_sleep)
{
    const double h = 0.01, inertia = 1.0 + 0.4 * 0.05 * 0.05, ctrl = 0.5;
    Lab lab = lab_of_text(arm_text, h, true);
    const utInput input = {.ctrl = &ctrl};
    lab_run(&lab, NULL, 30);
    CHECK_INT(lab.last.sleeping, 1);
    lab_run(&lab, &input, 1);
    CHECK_INT(lab.last.sleeping, 0);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], h * 3.0 * ctrl / inertia, 1e-12);
    lab_end(&lab);

    // at sin(angle) = gear ctrl / (m g L) the same control holds the arm, which may sleep there
    Lab held = lab_of_text(arm_text, h, true);
    const double angle = asin(3.0 * ctrl / GRAVITY);
    CHECK_INT(ut_sim_set(held.sim, 0.0, &angle, NULL, NULL), UT_OK);
    lab_run(&held, &input, 30);
    CHECK_INT(held.last.sleeping, 1);
    CHECK_NEAR(held.last.report.actuator_force[0], ctrl, 0.0);
    lab_run(&held, NULL, 1); // without the control the arm falls
    CHECK_INT(held.last.sleeping, 0);
    CHECK_NEAR(ut_sim_v(held.sim)[0], -h * 3.0 * ctrl / inertia, 1e-12);
    lab_end(&held);
}

TEST(a_force_on_one_box_wakes_all_boxes_that_sleep_with_it)
{
    Lab lab = lab_of_text(tower_text, 0.01, true);
    lab_run(&lab, NULL, 40);
    CHECK(lab_sleeps(&lab, "a") && lab_sleeps(&lab, "c") && lab_sleeps(&lab, "far"));
    utForce* applied = calloc((size_t)lab.model->nbody, sizeof *applied);
    applied[ut_model_find_body(lab.model, "a")].force = ut_vec3(1e-3, 0.0, 0.0);
    const utInput input = {.applied = applied};
    lab_run(&lab, &input, 1);
    CHECK(!lab_sleeps(&lab, "a") && !lab_sleeps(&lab, "b") && !lab_sleeps(&lab, "c"));
    CHECK(lab_sleeps(&lab, "far"));
    free(applied);
    lab_end(&lab);
}

TEST(a_new_state_and_new_activations_wake_everything)
{
    Lab lab = lab_of_text(tower_text, 0.01, true);
    lab_run(&lab, NULL, 15); // the ball is in the air all the time
    CHECK_INT(ut_sim_sleeping(lab.sim), 4);
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, NULL, NULL), UT_OK);
    CHECK_INT(ut_sim_sleeping(lab.sim), 0);
    lab_run(&lab, NULL, 15);
    CHECK_INT(ut_sim_sleeping(lab.sim), 4);
    CHECK_INT(ut_sim_set_act(lab.sim, NULL, NULL), UT_OK);
    CHECK_INT(ut_sim_sleeping(lab.sim), 0);
    lab_run(&lab, NULL, 15);
    CHECK_INT(ut_sim_sleeping(lab.sim), 4);
    CHECK_INT(ut_sim_reset(lab.sim, -1, NULL), UT_OK);
    CHECK_INT(ut_sim_sleeping(lab.sim), 0);
    lab_end(&lab);
}
