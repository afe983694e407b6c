// SPDX-License-Identifier: Apache-2.0
// Energy gained without work: runs without any, and runs that report it.
#include <stdio.h>
#include <string.h>
#include <uptack/sim.h>

#include "support/model_text.h"
#include "test.h"

typedef struct Outcome {
    double start, end; // J
    int steps;         // taken
    utEnergyLedger ledger;
} Outcome;

static Outcome run(const char* text, int integrator, double h, double time)
{
    utModel* model = test_model(text);
    utSim* sim = NULL;
    utError err = {0};
    utSimDef settings = ut_sim_def();
    settings.dt = h;
    settings.integrator = integrator;
    CHECK_INT(ut_sim_create(model, &settings, &sim, &err), UT_OK);
    CHECK_INT(ut_sim_reset(sim, model->nkeyframe > 0 ? 0 : -1, &err), UT_OK);
    Outcome o = {.start = ut_sim_energy(sim)};
    const utInput input = {.ctrl = model->nkeyframe > 0 ? model->keyframe[0].ctrl : NULL};
    utStatus status = UT_OK;
    while (status == UT_OK && ut_sim_time(sim) < time - 0.5 * h) {
        utStepResult result;
        status = ut_sim_step(sim, &input, &result, &err);
        if (status == UT_OK) {
            ut_energy_ledger_add(&o.ledger, &result);
            o.steps++;
        }
    }
    o.end = ut_sim_energy(sim);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    return o;
}

// ---- spin ---------------------------------------------------------------------------------------

// The midpoint rule keeps w.I w exactly: 9.02 J = (0.01 1 + 0.02 900 + 0.03 1)/2 J to rounding, 1
// eps in each of 5000 steps and as much again in the sum.
TEST(a_body_on_a_ball_joint_spins_without_gaining_energy)
{
    static const char text[] =
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='ball'/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='.01 .02 .03'/></body></worldbody>"
        "<keyframe><key qpos='1 0 0 0' qvel='1 30 1'/></keyframe></mujoco>";
    const Outcome o = run(text, UT_INTEGRATOR_EULER, 0.002, 10.0);
    CHECK_INT(o.steps, 5000);
    CHECK_NEAR(o.start, 9.02, 1e-13);
    CHECK_NEAR(o.end, 9.02, 2 * 5000 * DBL_EPSILON * 9.02);
    CHECK(!ut_energy_ledger_gained(&o.ledger));
}

// Euler takes the torque at the start of a step although it turns within the step. The error is
// h T w / 2 at most, here 0.5 ms of 1 kg 9.81 0.1 m at 200 rad/s.
TEST(a_heavy_top_keeps_its_energy)
{
    static const char text[] =
        "<mujoco><option gravity='0 0 -9.81'/><worldbody><body euler='0 30 0'><joint type='ball'/>"
        "<inertial pos='0 0 .1' mass='1' diaginertia='.002 .002 .001'/></body></worldbody>"
        "<keyframe><key qpos='0.9659258262890683 0 0.25881904510252074 0' qvel='0 0 200'/>"
        "</keyframe></mujoco>";
    for (int k = 0; k < 2; k++) {
        const Outcome o =
            run(text, k == 0 ? UT_INTEGRATOR_EULER : UT_INTEGRATOR_IMPLICIT, 0.001, 10.0);
        CHECK_INT(o.steps, 10000);
        CHECK_NEAR(o.end, o.start, 0.5 * 0.001 * 9.81 * 0.1 * 200);
        CHECK(!ut_energy_ledger_gained(&o.ledger));
    }
}

// A wheel that spins on a ball joint at the end of an arm, and a floating body with a wheel on a
// hinge: an explicit gyroscopic term would gain the fraction (h w)^2 of the spin per step, 4e-2 here.
TEST(a_spinning_body_in_a_tree_does_not_blow_up)
{
    static const char* const texts[] = {
        "<mujoco><option gravity='0 0 -9.81'/><worldbody><body><joint type='hinge' axis='0 1 0'/>"
        "<inertial pos='0 0 -.5' mass='2' diaginertia='.1 .1 .1'/><body pos='0 0 -1'>"
        "<joint type='ball'/><inertial pos='0 0 -.1' mass='1' diaginertia='.002 .003 .004'/>"
        "</body></body></worldbody>"
        "<keyframe><key qpos='.5 1 0 0 0' qvel='0 10 2 100'/></keyframe></mujoco>",
        "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>"
        "<inertial pos='0 0 0' mass='2' diaginertia='.1 .2 .25'/><body pos='.1 0 0'>"
        "<joint type='hinge' axis='0 0 1'/><inertial pos='0 0 .1' mass='.1' "
        "diaginertia='1e-3 1e-3 2e-3'/></body></body></worldbody>"
        "<keyframe><key qpos='0 0 0 1 0 0 0 0' qvel='0 0 0 1 100 2 3'/></keyframe></mujoco>"};
    for (int k = 0; k < 2; k++) {
        const Outcome o = run(texts[k], UT_INTEGRATOR_EULER, 0.002, 5.0);
        test_note("%.6g -> %.6g J, gained %.3g J", o.start, o.end, o.ledger.gain);
        CHECK_INT(o.steps, 2500);
        CHECK(!ut_energy_ledger_gained(&o.ledger));
    }
}

// ---- the ledger ---------------------------------------------------------------------------------

static void chain(int links, char* text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "<mujoco><worldbody>");
    for (int i = 0; i < links; i++) {
        n += (size_t)snprintf(text + n, size - n,
                              "<body pos='%s 0 0'><joint type='hinge' axis='0 1 0'/>"
                              "<geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' mass='1' "
                              "contype='0' conaffinity='0'/>",
                              i == 0 ? "0" : ".1");
    }
    for (int i = 0; i < links; i++) {
        n += (size_t)snprintf(text + n, size - n, "</body>");
    }
    snprintf(text + n, size - n, "</worldbody></mujoco>");
}

// The whip of a chain of 30 links turns axes by radians per step, and explicit Coriolis terms gain
// more energy than the chain ever had. The midpoint rule conserves it and gives no warning.
TEST(a_chain_that_gains_energy_says_so)
{
    static char text[16384];
    chain(30, text, sizeof text);
    const Outcome euler = run(text, UT_INTEGRATOR_EULER, 0.001, 20.0);
    const Outcome midpoint = run(text, UT_INTEGRATOR_MIDPOINT, 0.001, 4.0);
    test_note("Euler %.3g J, gained %.3g of %.3g J; midpoint %.3g J, gained %.3g J", euler.end,
              euler.ledger.gain, euler.ledger.scale, midpoint.end, midpoint.ledger.gain);
    CHECK(ut_energy_ledger_gained(&euler.ledger));
    CHECK(euler.ledger.gain >= euler.end - euler.start - 1e-9 * euler.ledger.scale);
    CHECK(!ut_energy_ledger_gained(&midpoint.ledger));
}

// Work of motors, belts and mocap bodies is no gain, and neither are first-order errors that come and
// go.
TEST(runs_that_are_as_they_should_be_gain_nothing)
{
    static const char* const texts[] = {
        // a pendulum, and one with a motor that turns it over and over
        "<mujoco><worldbody><body><joint type='hinge' axis='0 1 0'/><geom type='sphere' "
        "pos='0 0 -1' size='.1' mass='1'/></body></worldbody><keyframe><key qpos='2'/></keyframe>"
        "</mujoco>",
        "<mujoco><worldbody><body><joint name='j' type='hinge' axis='0 1 0'/><geom type='sphere' "
        "pos='0 0 -1' size='.1' mass='1'/></body></worldbody><actuator><motor joint='j'/>"
        "</actuator><keyframe><key qpos='0' ctrl='12'/></keyframe></mujoco>",
        // a box on a belt, a box pushed by a mocap body, a box that falls
        "<mujoco xmlns:ut='urn:uptack'><worldbody><geom type='plane' size='0 0 1' "
        "ut:surfacevel='1;0;0'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' "
        "mass='1'/></body></worldbody></mujoco>",
        "<mujoco xmlns:ut='urn:uptack'><worldbody><geom type='plane' size='0 0 1'/>"
        "<body name='m' mocap='true' pos='-.4 0 .1'><geom type='box' size='.1 .1 .1'/></body>"
        "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
        "</worldbody><ut:motion body='m' x='t-.4'/></mujoco>",
        "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body pos='0 0 1' euler='10 20 30'>"
        "<freejoint/><geom type='box' size='.1 .15 .2' mass='1'/></body></worldbody></mujoco>",
        // at rest from the start
        "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body pos='0 0 .1'><freejoint/>"
        "<geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody></mujoco>"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const Outcome o = run(texts[k], -1, 0.002, 2.0);
        test_note("%.6g -> %.6g J, gained %.3g of %.3g J", o.start, o.end, o.ledger.gain,
                  o.ledger.scale);
        CHECK_INT(o.steps, 1000);
        CHECK(!ut_energy_ledger_gained(&o.ledger));
    }
}

// ---- steps that are not taken -------------------------------------------------------------------

// A loop on the time that checks the status ends when a step is not taken.
TEST(a_step_that_is_not_taken_has_a_status_of_its_own)
{
    static const char text[] =
        "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body pos='0 0 .3' euler='10 20 30'>"
        "<freejoint/><geom type='box' size='.1 .15 .2' mass='1'/></body></worldbody></mujoco>";
    utModel* model = test_model(text);
    utSim* sim = NULL;
    utError err = {0};
    for (int k = 0; k < 2; k++) {
        utSimDef settings = ut_sim_def();
        settings.tolerance = 1e-30; // no step meets it
        settings.keep_going = k == 1;
        CHECK_INT(ut_sim_create(model, &settings, &sim, &err), UT_OK);
        utStatus status = UT_OK;
        int steps = 0;
        while (status == UT_OK && ut_sim_time(sim) < 0.999) {
            const double time = ut_sim_time(sim);
            status = ut_sim_step(sim, NULL, NULL, &err);
            CHECK((ut_sim_time(sim) > time) == (status == UT_OK));
            steps++;
        }
        CHECK_INT(status, k == 1 ? UT_OK : UT_ERR_NOT_TAKEN);
        CHECK((steps == 500) == (k == 1));
        CHECK(k == 1 || strstr(err.message, "not taken") != NULL);
        ut_sim_destroy(sim);
    }
    ut_model_destroy(model);
}
