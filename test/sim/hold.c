// SPDX-License-Identifier: Apache-2.0
// The spring with which a user drags bodies: closed forms of its force, and of the motion that it gives.
#include "support/make_sim.h"
#include "support/model_text.h"

static utForce hold(const utSim* sim, utHold how)
{
    utForce wrench = {ut_vec3(1, 2, 3), ut_vec3(4, 5, 6)};
    CHECK_INT(ut_sim_hold(sim, &how, test_arena(), &wrench), UT_OK);
    return wrench;
}

// A free ball of 2 kg, held at its centre: f = m (rate^2 d - 2 rate v), without a torque.
TEST(a_free_body_at_its_centre_is_pulled_by_its_mass)
{
    utModel* model =
        test_model("<mujoco><worldbody><body pos='1 0 0'><freejoint/><geom size='0.1' mass='2'/>"
                   "</body></worldbody></mujoco>");
    utSim* sim = make_sim(model, NULL);
    const double v[6] = {0, 0.5, 0, 3, 2, 1};
    CHECK_INT(ut_sim_set(sim, 0.0, NULL, v, NULL), UT_OK);
    const utForce wrench = hold(sim, (utHold){1, {0, 0, 0}, {1, 0, 0.3}, 10.0});
    CHECK_NEAR(wrench.force.x, 0.0, 1e-12);
    CHECK_NEAR(wrench.force.y, 2.0 * -20.0 * 0.5, 1e-12);
    CHECK_NEAR(wrench.force.z, 2.0 * 100.0 * 0.3, 1e-12);
    CHECK_NEAR(ut_vec3_norm(wrench.torque), 0.0, 1e-12);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A cube of side s held at the middle of a face: across the face normal the mobility is
// 1/m + (s/2)^2 / (m s^2 / 6) = 2.5 / m, along it 1/m. The torque is the lever arm times the force.
TEST(away_from_the_centre_the_mobility_of_the_point_counts)
{
    utModel* model = test_model(
        "<mujoco><worldbody><body><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='3'/>"
        "</body></worldbody></mujoco>");
    utSim* sim = make_sim(model, NULL);
    const utForce wrench = hold(sim, (utHold){1, {0.1, 0, 0}, {0.2, 0.3, 0}, 2.0});
    CHECK_NEAR(wrench.force.x, 3.0 * 4.0 * 0.1, 1e-12);
    CHECK_NEAR(wrench.force.y, 3.0 / 2.5 * 4.0 * 0.3, 1e-12);
    CHECK_NEAR(wrench.force.z, 0.0, 1e-12);
    CHECK_NEAR(wrench.torque.z, 0.1 * wrench.force.y, 1e-12);
    CHECK_NEAR(wrench.torque.x, 0.0, 1e-12);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A pendulum, a point mass m on a massless rod of length L: across the rod it is pulled by m, and along the rod,
// where it cannot move, not at all. A point on the rod at L/2 has a quarter of the mobility.
TEST(a_joint_takes_the_force_along_axes_in_which_the_point_cannot_move)
{
    utModel* model = test_model(
        "<mujoco><worldbody><body name='arm'><joint type='hinge' axis='0 1 0'/>"
        "<inertial pos='0 0 -1' mass='5' diaginertia='1e-9 1e-9 1e-9'/></body></worldbody>"
        "</mujoco>");
    utSim* sim = make_sim(model, NULL);
    const utForce tip = hold(sim, (utHold){1, {0, 0, -1}, {0.1, 0.2, -2}, 3.0});
    CHECK_NEAR(tip.force.x, 5.0 * 9.0 * 0.1, 1e-6);
    CHECK_NEAR(tip.force.y, 0.0, 1e-12);
    CHECK_NEAR(tip.force.z, 0.0, 1e-6);
    const utForce half = hold(sim, (utHold){1, {0, 0, -0.5}, {0.1, 0, -0.5}, 3.0});
    CHECK_NEAR(half.force.x, 4.0 * 5.0 * 9.0 * 0.1, 1e-6);
    // about the centre of mass, which is 0.5 below the point
    CHECK_NEAR(half.torque.y, 0.5 * half.force.x, 1e-6);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Without gravity the point moves by x'' = -rate^2 x - 2 rate x': x(t) = x0 (1 + rate t) e^(-rate t). The force is
// that of the step's start, so that the error is of first order in dt.
TEST(a_held_point_returns_as_a_critically_damped_oscillator)
{
    utModel* model = test_model(
        "<mujoco><option gravity='0 0 0' timestep='0.0001'/><worldbody><body><freejoint/>"
        "<geom size='0.1' mass='0.7'/></body></worldbody></mujoco>");
    utSim* sim = make_sim(model, NULL);
    utForce applied[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    const utInput input = {.applied = applied};
    double highest = -1.0;
    for (int k = 0; k < 4000; k++) {
        applied[1] = hold(sim, (utHold){1, {0, 0, 0}, {1, 0, 0}, UT_HOLD_RATE});
        CHECK_INT(ut_sim_step(sim, &input, NULL, NULL), UT_OK);
        highest = fmax(highest, ut_sim_q(sim)[0]);
    }
    const double s = UT_HOLD_RATE * 0.4;
    CHECK_NEAR(1.0 - ut_sim_q(sim)[0], (1.0 + s) * exp(-s), 2e-4);
    CHECK(highest <= 1.0); // and never beyond its target
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(a_hold_rejects_what_is_no_body_and_no_number)
{
    utModel* model = test_model(
        "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>");
    utSim* sim = make_sim(model, NULL);
    const double bad = (double)NAN;
    const utHold wrong[] = {
        {-1, {0, 0, 0}, {0, 0, 0}, 1.0},  {2, {0, 0, 0}, {0, 0, 0}, 1.0},
        {1, {0, bad, 0}, {0, 0, 0}, 1.0}, {1, {0, 0, 0}, {0, 0, bad}, 1.0},
        {1, {0, 0, 0}, {0, 0, 0}, -1.0},  {1, {0, 0, 0}, {0, 0, 0}, bad},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        utForce wrench = {ut_vec3(1, 2, 3), ut_vec3(4, 5, 6)};
        CHECK_INT(ut_sim_hold(sim, &wrong[k], test_arena(), &wrench), UT_ERR_ARGUMENT);
        CHECK_NEAR(wrench.force.y, 2.0, 0.0);
    }
    // the world does not move
    const utForce still = hold(sim, (utHold){0, {0, 0, 0}, {1, 1, 1}, 1.0});
    CHECK_NEAR(ut_vec3_norm(still.force) + ut_vec3_norm(still.torque), 0.0, 0.0);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
