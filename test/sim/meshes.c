// SPDX-License-Identifier: Apache-2.0
// Bodies and grounds of meshes and height fields of a file: closed forms of rest and sliding.
#include <math.h>
#include <stdio.h>
#include <uptack/sim.h>

#include "support/make_sim.h"
#include "support/model_text.h"

#define CUBE                                                                                   \
    "<asset><mesh name='cube' vertex='-.1 -.1 -.1 .1 -.1 -.1 .1 .1 -.1 -.1 .1 -.1 -.1 -.1 .1 " \
    ".1 -.1 .1 .1 .1 .1 -.1 .1 .1'/></asset>"

// Take steps that must all be certified.
static void run(utSim* sim, int steps)
{
    utError err = {0};
    for (int k = 0; k < steps; k++) {
        if (!CHECK_INT(ut_sim_step(sim, NULL, NULL, &err), UT_OK)) {
            test_note("%s", err.message);
            return;
        }
    }
}

// On a slope of angle a, tan a = 3/4, with mu = 0.5: acceleration g (sin a - mu cos a) = 0.2 g. The
// cube starts in contact. Symplectic Euler gives v = n h 0.2 g exactly; coordinates of 0.1 are those
// of single precision, within 2e-9 of it, and E of a certified step is at most 1e-8.
TEST(a_cube_of_a_mesh_slides_down_a_slope)
{
    utModel* model = test_model(
        "<mujoco>" CUBE "<option timestep='0.002' gravity='5.886 0 -7.848'/><worldbody>"
        "<geom type='plane' size='1 1 1' friction='0.5'/><body pos='0 0 0.1'><freejoint/>"
        "<geom type='mesh' mesh='cube' friction='0.5'/></body></worldbody></mujoco>");
    if (model == NULL) {
        return;
    }
    const utSimDef def = ut_sim_def();
    utSim* sim = make_sim(model, &def);
    run(sim, 250);
    CHECK_NEAR(ut_sim_v(sim)[0], 0.5 * 0.2 * 9.81, 1e-6);
    CHECK_NEAR(ut_sim_q(sim)[2], 0.1, 1e-7);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A trough with sides of 45 degrees, not convex: a ball of radius 0.1 rests between the sides, its
// centre 0.1 sqrt(2) above the bottom. The hull of the trough is filled, so that the ball would lie
// 0.1 above its rim at 0.5.
static double height_of_ball(const char* kind)
{
    char text[1500];
    snprintf(text, sizeof text,
             "<mujoco xmlns:ut='urn:uptack'><asset><mesh name='v' inertia='shell' "
             "vertex='-.5 -1 .5 0 -1 0 .5 -1 .5 -.5 1 .5 0 1 0 .5 1 .5 0 0 -1' "
             "face='0 1 4 0 4 3 1 2 5 1 5 4'/></asset><worldbody>"
             "<geom type='mesh' mesh='v' %s/><body pos='0 0.1 0.75'><joint type='slide' "
             "axis='0 0 1'/><joint type='slide' axis='1 0 0'/><geom size='0.1'/></body>"
             "</worldbody></mujoco>",
             kind);
    utModel* model = test_model(text);
    if (model == NULL) {
        return 0.0;
    }
    const utSimDef def = ut_sim_def();
    utSim* sim = make_sim(model, &def);
    run(sim, 2000);
    const double z = 0.75 + ut_sim_q(sim)[0];
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    return z;
}

TEST(an_exact_mesh_may_be_a_trough)
{
    // resting contacts may sink by 1e-6 m
    CHECK_NEAR(height_of_ball("ut:mesh='exact'"), 0.1 * sqrt(2.0), 1e-5);
    CHECK_NEAR(height_of_ball(""), 0.6, 1e-5);
}

// The field rises with x from 0 to 0.5 m over 4 m. A ball at x = 1, y = 0.3 of radius r touches the
// slope with its centre r sqrt(1 + 1/64) above it.
TEST(a_ball_falls_on_a_height_field)
{
    utModel* model =
        test_model("<mujoco><option gravity='0 0 -9.81'/><asset><hfield name='h' nrow='2' ncol='2' "
                   "size='2 1 0.5 0.1' elevation='0 1 0 1'/></asset><worldbody>"
                   "<geom type='hfield' hfield='h'/><body pos='1 0.3 0.6'><joint type='slide' "
                   "axis='0 0 1'/><geom size='0.1'/></body></worldbody></mujoco>");
    if (model == NULL) {
        return;
    }
    const utSimDef def = ut_sim_def();
    utSim* sim = make_sim(model, &def);
    run(sim, 300);
    CHECK_NEAR(0.6 + ut_sim_q(sim)[0], 0.375 + 0.1 * sqrt(1.0 + 1.0 / 64.0), 1e-6);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
