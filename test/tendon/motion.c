// SPDX-License-Identifier: Apache-2.0
// Motion with tendons against closed forms.
#include "lab.h"

static const double G = 9.81;

// Two masses on a rope over two fixed sites: a = g (m2 - m1) / (m1 + m2). The velocity of Euler's
// method is exact under a constant acceleration.
TEST(a_rope_with_an_upper_limit_is_atwoods_machine)
{
    utModel* model = test_model(
        "<mujoco><worldbody><site name='p' pos='0 0 2'/><site name='q' pos='1 0 2'/>"
        "<body pos='0 0 1'><joint type='slide' axis='0 0 1'/><geom size='.05' mass='1'/>"
        "<site name='a'/></body><body pos='1 0 1'><joint type='slide' axis='0 0 1'/>"
        "<geom size='.05' mass='3'/><site name='b'/></body></worldbody>"
        "<tendon><spatial name='rope' range='0 3'><site site='a'/><site site='p'/><site site='q'/>"
        "<site site='b'/></spatial></tendon></mujoco>");
    CHECK_INT(model->tendon[0].limited, 1);
    utSim* sim = sim_with(model, 0.001, -1);
    utStepResult result;
    utError err = {0};
    CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK);
    CHECK_INT(result.report.rows, 1);
    CHECK_INT(result.report.row[0].kind, UT_ROW_TENDON_UPPER);
    CHECK_NEAR(result.report.row[0].r, 0.001 * 2.0 * 3.0 * G / 4.0, 1e-14); // h times the tension
    run_certified(sim, NULL, 299, NULL, NULL);
    CHECK_NEAR(ut_sim_v(sim)[0], 0.3 * G / 2.0, 1e-11);
    CHECK_NEAR(ut_sim_v(sim)[1], -0.3 * G / 2.0, 1e-11);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A mass that moves across a straight rope does not change its length at first, but by the square of
// the distance: sqrt(1 + (v h)^2) - 1 = 5e-3 m within the step. The rope must act, or the step must have
// its row.
TEST(a_motion_across_a_rope_finds_its_limit)
{
    utModel* model = test_model(
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='o'/><body pos='1 0 0'>"
        "<joint type='slide' axis='0 1 0'/><geom size='.05' mass='1'/><site name='a'/></body>"
        "</worldbody><tendon><spatial range='0 1.000001'><site site='o'/><site site='a'/></spatial>"
        "</tendon></mujoco>");
    const double q = 0.0, v = 10.0;
    utSim* sim = sim_with(model, 0.01, -1);
    CHECK_INT(ut_sim_set(sim, 0.0, &q, &v, NULL), UT_OK);
    run_certified(sim, NULL, 100, NULL, NULL);
    CHECK(fabs(ut_sim_q(sim)[0]) <= 0.1); // the rope turns it back after the first step
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A site on the far side of a cylinder has a path around it, sqrt(1 - 0.04) + 0.2 (pi - acos 0.2) = 1.33 m
// at the surface. As the site enters the cylinder the path becomes straight, 1.2 m, and so shorter than
// its limit.
TEST(a_path_that_jumps_beyond_its_limit_has_the_row_of_the_limit)
{
    utModel* model = test_model(
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='o' pos='-1 0 0'/>"
        "<geom name='g' type='cylinder' size='.2 1' contype='0' conaffinity='0'/>"
        "<body pos='.2 1e-3 0'><joint type='slide' axis='1 0 0'/><geom size='.05' mass='1'/>"
        "<site name='a'/></body></worldbody><tendon><spatial range='1.25 3'><site site='o'/>"
        "<geom geom='g'/><site site='a'/></spatial></tendon></mujoco>");
    const double before = 0.005, after = -0.005, v = -1.0;
    utSim* sim = sim_with(model, 0.01, -1);
    CHECK_NEAR(length_at(model, &before, 0, NULL), 1.334, 0.01);
    CHECK_NEAR(length_at(model, &after, 0, NULL), 1.195, 1e-5);
    CHECK_INT(ut_sim_set(sim, 0.0, &before, &v, NULL), UT_OK);
    run_certified(sim, NULL, 50, NULL, NULL);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A ball on a slack rope, thrown across it just before it is taut: the rate of the length is 0, and the
// step ends v^2 h^2 / (2 L) - 1e-5 = 5.2e-5 m beyond the limit. Then the ball circles with the speed
// that the rope does not take: it keeps v across the rope, and the limit is inelastic along it. The
// rope is turned by v h / L in a step, which is the slope of the first pull.
TEST(a_ball_thrown_across_a_rope_is_caught_and_circles)
{
    utModel* model = test_model(
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='a'/><body pos='.79999 0 0'>"
        "<freejoint/><geom size='.05' mass='1'/><site name='b'/></body></worldbody><tendon>"
        "<spatial range='0 .8'><site site='a'/><site site='b'/></spatial></tendon>"
        "<keyframe><key qvel='0 5 0 0 0 0'/></keyframe></mujoco>");
    utSim* sim = sim_with(model, 0.002, -1);
    utError err = {0};
    CHECK_INT(ut_sim_reset(sim, 0, &err), UT_OK);
    for (int k = 0; k < 500; k++) {
        run_certified(sim, NULL, 1, NULL, NULL);
        const double* q = ut_sim_q(sim);
        CHECK_NEAR(sqrt(q[0] * q[0] + q[1] * q[1]), 0.8, 25.0 * 4e-6 / (2.0 * 0.8));
    }
    const double* v = ut_sim_v(sim);
    // each pull removes at most the fraction (v h / L)^2 / 2 of the speed
    const double slope = 5.0 * 0.002 / 0.8;
    CHECK_NEAR(sqrt(v[0] * v[0] + v[1] * v[1]), 5.0, 5.0 * 500.0 * 0.5 * slope * slope);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A tackle: the second mass hangs on half the rope, L = z1 + z2 / 2. With the tension T,
// m1 a1 = T - m1 g, m2 a2 = T / 2 - m2 g and a1 + a2 / 2 = 0.
TEST(a_pulley_divides_the_tension)
{
    utModel* model = test_model(
        "<mujoco><worldbody><site name='p' pos='0 0 2'/><site name='q' pos='1 0 2'/>"
        "<body pos='0 0 1'><joint type='slide' axis='0 0 1'/><geom size='.05' mass='1'/>"
        "<site name='a'/></body><body pos='1 0 1'><joint type='slide' axis='0 0 1'/>"
        "<geom size='.05' mass='5'/><site name='b'/></body></worldbody>"
        "<tendon><spatial range='0 1.5'><site site='a'/><site site='p'/><pulley divisor='2'/>"
        "<site site='q'/><site site='b'/></spatial></tendon></mujoco>");
    const double T = G * 1.5 / (1.0 + 0.25 / 5.0);
    utSim* sim = sim_with(model, 0.001, -1);
    run_certified(sim, NULL, 200, NULL, NULL);
    CHECK_NEAR(ut_sim_v(sim)[0], 0.2 * (T - G), 1e-11);
    CHECK_NEAR(ut_sim_v(sim)[1], 0.2 * (0.1 * T - G), 1e-11);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Two rods that turn about the same axis without gravity, with q1 - q2 <= 0.1: the faster one catches
// up and both go on with the mean momentum, w = I1 w1 / (I1 + I2), in one inelastic impact.
TEST(a_fixed_tendon_couples_two_pendulums_at_its_limit)
{
    utModel* model = test_model(
        "<mujoco><option gravity='0 0 0'/><compiler angle='radian'/><worldbody>"
        "<body><joint name='one' axis='0 0 1' armature='.3'/><inertial pos='0 0 0' mass='1' "
        "diaginertia='.2 .2 .2'/></body>"
        "<body pos='0 0 1'><joint name='two' axis='0 0 1'/><inertial pos='0 0 0' mass='1' "
        "diaginertia='.25 .25 .25'/></body></worldbody>"
        "<tendon><fixed name='t' range='-1 .1'><joint joint='one' coef='1'/>"
        "<joint joint='two' coef='-1'/></fixed></tendon></mujoco>");
    utSim* sim = sim_with(model, 0.001, -1);
    const double start[2] = {2.0, 0.0};
    utError err = {0};
    CHECK_INT(ut_sim_set(sim, 0.0, ut_sim_q(sim), start, &err), UT_OK);
    run_certified(sim, NULL, 500, NULL, NULL);
    const double w = 0.5 * 2.0 / 0.75;
    CHECK_NEAR(ut_sim_v(sim)[0], w, 1e-12);
    CHECK_NEAR(ut_sim_v(sim)[1], w, 1e-12);
    CHECK_NEAR(ut_sim_q(sim)[0] - ut_sim_q(sim)[1], 0.1, 1e-12);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

static const char spring[] =
    "<mujoco><option gravity='0 0 0' integrator='%s'/><worldbody><site name='o' pos='-1 0 0'/>"
    "<body><joint type='slide' axis='1 0 0'/><geom size='.05' mass='2'/><site name='s'/></body>"
    "</worldbody><tendon><spatial stiffness='50' damping='%s'><site site='o'/><site site='s'/>"
    "</spatial></tendon></mujoco>";

static utModel* spring_model(const char* integrator, const char* damping)
{
    char text[sizeof spring + 32];
    snprintf(text, sizeof text, spring, integrator, damping);
    return test_model(text);
}

// Linearly implicit Euler: v+ = v - h (K (x + h v+) + D v+) / m, x+ = x + h v+.
TEST(a_spring_of_a_tendon_is_linearly_implicit)
{
    const double h = 0.01, m = 2.0, K = 50.0, D = 3.0;
    utModel* model = spring_model("Euler", "3");
    utSim* sim = sim_with(model, h, -1);
    double x = 0.1, v = 0.0;
    utError err = {0};
    CHECK_INT(ut_sim_set(sim, 0.0, &x, ut_sim_v(sim), &err), UT_OK);
    for (int k = 0; k < 300; k++) {
        v = (m * v - h * K * x) / (m + h * D + h * h * K);
        x += h * v;
        run_certified(sim, NULL, 1, NULL, NULL);
        CHECK_NEAR(ut_sim_q(sim)[0], x, 1e-13);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// RK4 evaluates the spring in its stages: after one period 2 pi sqrt(m / K) = 0.4 pi the mass is back
// within 1e-8 with 200 steps, whose phase error is 2 pi (w h)^4 / 120.
TEST(rk4_has_the_frequency_of_a_tendons_spring)
{
    const double period = 0.4 * 3.14159265358979323846;
    utModel* model = spring_model("RK4", "0");
    utSim* sim = sim_with(model, period / 200.0, -1);
    const double x = 0.1;
    utError err = {0};
    CHECK_INT(ut_sim_set(sim, 0.0, &x, ut_sim_v(sim), &err), UT_OK);
    const double energy = ut_sim_energy(sim);
    CHECK_NEAR(energy, 0.5 * 50.0 * 0.01, 1e-15);
    run_certified(sim, NULL, 200, NULL, NULL);
    CHECK_NEAR(ut_sim_q(sim)[0], 0.1, 1e-9);
    CHECK_NEAR(ut_sim_v(sim)[0], 0.0, 5.0 * 0.1 * 1e-7);
    CHECK_NEAR(ut_sim_energy(sim), energy, 1e-8);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A formulation with explicit forces: v+ = v - h (K x + D v) / m.
TEST(a_spring_of_a_tendon_is_explicit_where_the_formulation_asks_for_it)
{
    const double h = 0.01, m = 2.0, K = 50.0, D = 3.0;
    utModel* model = spring_model("Euler", "3");
    utSim* sim = sim_with(model, h, UT_FORMULATION_STEWART_TRINKLE);
    double x = 0.1, v = 0.0;
    utError err = {0};
    CHECK_INT(ut_sim_set(sim, 0.0, &x, ut_sim_v(sim), &err), UT_OK);
    for (int k = 0; k < 100; k++) {
        v -= h * (K * x + D * v) / m;
        x += h * v;
        run_certified(sim, NULL, 1, NULL, NULL);
        CHECK_NEAR(ut_sim_q(sim)[0], x, 1e-13);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A spring that is slack between 0.9 and 1.1: in there the mass moves freely.
TEST(a_slack_spring_does_nothing)
{
    utModel* model = test_model(
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='o' pos='-1 0 0'/><body>"
        "<joint type='slide' axis='1 0 0'/><geom size='.05'/><site name='s'/></body></worldbody>"
        "<tendon><spatial stiffness='50' springlength='.9 1.1'><site site='o'/><site site='s'/>"
        "</spatial></tendon></mujoco>");
    utSim* sim = sim_with(model, 0.01, -1);
    const double v = 0.1;
    utError err = {0};
    CHECK_INT(ut_sim_set(sim, 0.0, ut_sim_q(sim), &v, &err), UT_OK);
    run_certified(sim, NULL, 90, NULL, NULL);
    CHECK_NEAR(ut_sim_v(sim)[0], 0.1, 0.0);
    run_certified(sim, NULL, 60, NULL, NULL);
    CHECK(ut_sim_v(sim)[0] < 0.09);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Dry friction of 5 N holds a mass of 0.5 kg; a mass of 1 kg falls with g - 5.
TEST(dry_friction_of_a_tendon_holds_or_brakes)
{
    for (int heavy = 0; heavy < 2; heavy++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><site name='o' pos='0 0 1'/><body><joint type='slide' "
                 "axis='0 0 1'/><geom size='.05' mass='%s'/><site name='s'/></body></worldbody>"
                 "<tendon><spatial frictionloss='5'><site site='o'/><site site='s'/></spatial>"
                 "</tendon></mujoco>",
                 heavy ? "1" : ".5");
        utModel* model = test_model(text);
        utSim* sim = sim_with(model, 0.001, -1);
        run_certified(sim, NULL, 100, NULL, NULL);
        CHECK_NEAR(ut_sim_v(sim)[0], heavy ? -0.1 * (G - 5.0) : 0.0, 1e-12);
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}

// A mass of 1 kg that turns a flywheel through a tendon of coefficient 2 with the armature 0.5 kg has
// the inertia 1 + 4 / 2 = 3 kg.
TEST(armature_of_a_fixed_tendon_adds_to_the_mass)
{
    utModel* model =
        test_model("<mujoco><worldbody><body><joint name='j' type='slide' axis='0 0 1'/>"
                   "<geom size='.05' mass='1'/></body></worldbody><tendon><fixed armature='.5'>"
                   "<joint joint='j' coef='2'/></fixed></tendon></mujoco>");
    utSim* sim = sim_with(model, 0.001, -1);
    run_certified(sim, NULL, 100, NULL, NULL);
    CHECK_NEAR(ut_sim_v(sim)[0], -0.1 * G / 3.0, 1e-12);
    CHECK_NEAR(ut_sim_energy(sim), 0.5 * 3.0 * pow(0.1 * G / 3.0, 2.0) + G * ut_sim_q(sim)[0],
               1e-12);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A mass m that circles the origin at r0 with the speed r0 w, and a tendon with the armature A from
// the origin: (m + A) r'' = m r w^2 with constant r^2 w, so r^2 = r0^2 + k t^2 with
// k = r0^2 w^2 m / (m + A). The error of Euler's method is of the order h = 1e-4.
TEST(armature_of_a_spatial_tendon_resists_the_change_of_its_rate)
{
    utModel* model = test_model(
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='o'/><body pos='1 0 0'>"
        "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
        "<geom size='.05' mass='1'/><site name='s'/></body></worldbody><tendon>"
        "<spatial armature='3'><site site='o'/><site site='s'/></spatial></tendon></mujoco>");
    utSim* sim = sim_with(model, 1e-4, -1);
    const double v[2] = {0.0, 2.0};
    utError err = {0};
    CHECK_INT(ut_sim_set(sim, 0.0, ut_sim_q(sim), v, &err), UT_OK);
    run_certified(sim, NULL, 10000, NULL, NULL);
    const double x = 1.0 + ut_sim_q(sim)[0], y = ut_sim_q(sim)[1];
    CHECK_NEAR(x * x + y * y, 1.0 + 4.0 / 4.0, 1e-3);
    CHECK_NEAR(x * ut_sim_v(sim)[1] - y * ut_sim_v(sim)[0], 2.0, 1e-10); // a central force
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A rope lifts a mass with the speed of the mocap body that holds it.
TEST(a_mocap_body_lifts_a_mass_by_a_rope)
{
    utModel* model = test_model(
        "<mujoco><worldbody><body name='hand' mocap='true' pos='0 0 1'><site name='h'/></body>"
        "<body><joint type='slide' axis='0 0 1'/><geom size='.05' mass='2'/><site name='s'/></body>"
        "</worldbody><tendon><spatial range='0 1' damping='1'><site site='h'/><site site='s'/>"
        "</spatial></tendon></mujoco>");
    CHECK(model->tendon[0].mocap);
    utSim* sim = sim_with(model, 0.01, -1);
    for (int k = 1; k <= 50; k++) {
        const double pos[3] = {0.0, 0.0, 1.0 + 0.005 * k};
        const utInput input = {.mocap_pos = pos};
        run_certified(sim, &input, 1, NULL, NULL);
        CHECK_NEAR(ut_sim_v(sim)[0], 0.5, 1e-9);
    }
    CHECK_NEAR(ut_sim_q(sim)[0], 0.25, 1e-9);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A pendulum on a rope around a cylinder, dropped onto a table, with every formulation and in maximal
// coordinates: all steps are certified.
TEST(tendons_are_certified_in_every_formulation)
{
    static const char text[] =
        "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='3 3 1'/>"
        "<geom name='c' type='cylinder' size='.1 .3' euler='90 0 0' pos='0 0 1.2' contype='0' "
        "conaffinity='0'/><site name='o' pos='-.6 0 .9'/>"
        "<body pos='.5 0 .9'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/>"
        "<site name='s' pos='0 0 .1'/></body>"
        "<body pos='-.5 .5 .5'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' "
        "size='.05'/><site name='e' pos='.3 0 0'/></body></worldbody><tendon>"
        "<spatial range='0 1.45' stiffness='5' damping='.2' frictionloss='.1'><site site='o'/>"
        "<geom geom='c'/><site site='s'/></spatial>"
        "<spatial range='0 1.5' stiffness='20' springlength='.5'><site site='s'/><site site='e'/>"
        "</spatial></tendon></mujoco>";
    static const int formulations[] = {UT_FORMULATION_COULOMB, UT_FORMULATION_STEWART_TRINKLE,
                                       UT_FORMULATION_ANITESCU_POTRA, UT_FORMULATION_CONVEX,
                                       UT_FORMULATION_HYBRID};
    utModel* model = test_model(text);
    for (size_t k = 0; k < sizeof formulations / sizeof *formulations; k++) {
        utSim* sim = sim_with(model, 0.002, formulations[k]);
        run_certified(sim, NULL, 400, NULL, NULL);
        ut_sim_destroy(sim);
    }
    for (int k = UT_INTEGRATOR_RK4; k < UT_INTEGRATOR_COUNT; k++) {
        utSimDef def = ut_sim_def();
        def.integrator = k;
        utSim* sim = make_sim(model, &def);
        run_certified(sim, NULL, 400, NULL, NULL);
        ut_sim_destroy(sim);
    }
    utSimDef adaptive = ut_sim_def();
    adaptive.adaptive = 1e-4;
    utSim* sim = make_sim(model, &adaptive);
    run_certified(sim, NULL, 100, NULL, NULL);
    ut_sim_destroy(sim);
    utModel* maximal = NULL;
    utError err = {0};
    CHECK_INT(ut_model_maximal(model, NULL, &maximal, &err), UT_OK);
    sim = sim_with(maximal, 0.002, -1);
    run_certified(sim, NULL, 400, NULL, NULL);
    ut_sim_destroy(sim);
    ut_model_destroy(maximal);
    ut_model_destroy(model);
}

// In a planar world a rope swings a disc as in space.
TEST(a_rope_swings_a_disc_in_the_plane_as_in_space)
{
    double q[2][2];
    for (int planar = 0; planar < 2; planar++) {
        char text[640];
        snprintf(text, sizeof text,
                 "<mujoco xmlns:ut='urn:uptack'><option %s/><worldbody><site name='o' pos='0 0 1'/>"
                 "<body pos='.6 0 .2'>%s<geom size='.05' mass='1'/><site name='s' pos='0 0 .05'/>"
                 "</body></worldbody><tendon><spatial range='0 1'><site site='o'/><site site='s'/>"
                 "</spatial></tendon></mujoco>",
                 planar ? "ut:planar='xz'" : "", "<freejoint/>");
        utModel* model = test_model(text);
        utSim* sim = sim_with(model, 0.001, -1);
        run_certified(sim, NULL, 500, NULL, NULL);
        q[planar][0] = ut_sim_q(sim)[0];
        q[planar][1] = ut_sim_q(sim)[planar ? 1 : 2];
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
    CHECK_NEAR(q[0][0], q[1][0], 1e-9);
    CHECK_NEAR(q[0][1], q[1][1], 1e-9);
}
