// SPDX-License-Identifier: Apache-2.0
// Row B47: the quadratic law of friction (Eq. 19 to 21) on a surface that moves.
#include "berard.h"

static const double MU = 0.3, GRAVITY = 9.81, STEP = 0.01;

// The impulse in a step of a point of 1 kg at rest on a belt that moves at (0.3, 0.17) m/s.
static void impulse_on_a_belt(const char* formulation, int directions, double* p)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01'/><ut:contact formulation='%s' "
             "directions='%d'/><worldbody><geom name='floor' type='plane' size='0 0 1' contype='0' "
             "surfacevel='0.3 0.17 0'/><body name='b'><joint type='slide' axis='1 0 0'/><joint "
             "type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/><inertial pos='0 0 0' "
             "mass='1' diaginertia='1 1 1'/><site name='s'/></body></worldbody><ut:point site='s' "
             "geom='floor' friction='0.3'/></mujoco>",
             formulation, directions);
    utModel* model = scene_read(text, false);
    utSim* sim = scene_sim(model, 0.0);
    scene_step(sim);
    const double* v = ut_sim_v(sim);
    p[0] = v[0];
    p[1] = v[1];
    p[2] = v[2] + GRAVITY * STEP;
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// mu N along the belt, relative to which the point slips. A polygon with d vertices is off by an angle of
// at most pi/d, and its friction is too small by at most 1 - cos(pi/d).
TEST(B47_friction_on_a_belt_is_the_limit_of_polygons)
{
    const double N = GRAVITY * STEP, V = hypot(0.3, 0.17);
    double round[3];
    impulse_on_a_belt("coulomb", 8, round);
    CHECK_NEAR(round[0], MU * N * 0.3 / V, 1e-12);
    CHECK_NEAR(round[1], MU * N * 0.17 / V, 1e-12);
    CHECK_NEAR(round[2], N, 1e-12);
    for (int d = 4; d <= 64; d *= 2) {
        double p[3];
        impulse_on_a_belt("stewart-trinkle", d, p);
        const double off = hypot(p[0] - round[0], p[1] - round[1]) / (MU * N);
        CHECK_NEAR(p[2], N, 1e-12);
        CHECK(off <= 2.0 * sin(0.5 * 3.14159265358979323846 / d) + 1e-12);
        test_note("%2d directions: off by %.4f of mu N", d, off);
    }
}
