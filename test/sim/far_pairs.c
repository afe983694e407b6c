// SPDX-License-Identifier: Apache-2.0
// Pairs whose boxes meet although the geoms are apart: contacts must not change.
#include <math.h>
#include <stdio.h>
#include <uptack/sim.h>

#include "support/model_text.h"

// Two balls of radius 0.1 m with their centres on the diagonal of a cube, d apart along each axis: the gap
// is sqrt(3) d - 0.2. They approach at 1 m/s, so that they travel 0.01 m in a step of 0.01 s. The free fall
// is off. A contact is found as soon as the gap is at most the sum of the travels.
static int contacts_at(double d)
{
    char text[512];
    snprintf(text, sizeof text,
             "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>"
             "<body name='a'><freejoint/><geom type='sphere' size='.1' mass='1'/></body>"
             "<body name='b' pos='%.17g %.17g %.17g'><freejoint/>"
             "<geom type='sphere' size='.1' mass='1'/></body></worldbody></mujoco>",
             d, d, d);
    utModel* model = test_model(text);
    utSim* sim = NULL;
    utError err;
    utSimDef def = ut_sim_def();
    utStepResult step = {0};
    const double v = 1.0 / sqrt(3.0);
    const double velocity[12] = {0, 0, 0, 0, 0, 0, -v, -v, -v, 0, 0, 0};
    CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_OK);
    CHECK_INT(ut_sim_set(sim, 0.0, NULL, velocity, NULL), UT_OK);
    CHECK_INT(ut_sim_step(sim, NULL, &step, &err), UT_OK);
    const int contacts = step.report.contacts;
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    return contacts;
}

TEST(balls_have_a_contact_exactly_when_their_travels_may_close_the_gap)
{
    CHECK_INT(contacts_at((0.2 + 0.0099) / sqrt(3.0)), 1);
    CHECK_INT(contacts_at((0.2 + 0.0102) / sqrt(3.0)), 0);
    CHECK_INT(contacts_at(0.19), 0); // boxes meet at most 0.02 m apart, the gap is 0.129 m
}
