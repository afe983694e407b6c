// SPDX-License-Identifier: Apache-2.0
// Divided steps: what a step does instead of failing.
#include <math.h>
#include <uptack/formulation.h>
#include <uptack/load.h>

#include "sim/events/parts.h"
#include "sim/tolerances.h"
#include "support/make_sim.h"
#include "support/model_text.h"

// A ball falls on a tilted box that slides, and a motor turns an arm: contacts, friction and controls.
static const char text[] =
    "<mujoco><option timestep='0.01'/><worldbody>"
    "<geom name='floor' type='plane' size='5 5 0.1' friction='0.5'/>"
    "<body name='box' pos='0 0 0.12' euler='10 5 0'><freejoint/><geom type='box' size='0.1 0.1 "
    "0.1' mass='2'/></body>"
    "<body name='ball' pos='0.02 0.01 0.35'><freejoint/><geom type='sphere' size='0.05' "
    "mass='1'/></body>"
    "<body name='arm' pos='0 1 1'><joint name='hinge' type='hinge' axis='0 1 0'/>"
    "<geom type='capsule' fromto='0 0 0 0.4 0 0' size='0.03' mass='1'/></body>"
    "</worldbody><actuator><motor joint='hinge'/></actuator></mujoco>";

static const double ctrl[] = {0.7};
static const utInput input = {.ctrl = ctrl};

static void steps(utSim* sim, int count)
{
    for (int k = 0; k < count; k++) {
        CHECK_INT(ut_sim_step(sim, &input, NULL, NULL), UT_OK);
    }
}

// The pieces are the steps of a sim with half the dt, and the clock counts one step. The length of a piece is a
// difference of times, which rounding changes; both answers are right to E = 1e-8 of speeds below 1 m/s.
TEST(a_divided_step_is_two_steps_of_half_its_length)
{
    utModel* model = test_model(text);
    utSimDef def = ut_sim_def();
    utSim* whole = make_sim(model, &def);
    utSim* other = make_sim(model, &def);
    def.dt = 0.005;
    utSim* halves = make_sim(model, &def);
    Parts parts;
    bool divided = false;

    steps(whole, 20); // the ball has landed
    steps(other, 20);
    CHECK_INT(ut_sim_copy(whole, halves, NULL), UT_OK);
    const double start = ut_sim_time(whole);
    CHECK_INT(ut_step_divide(whole, &input, &parts, &divided, NULL), UT_OK);
    steps(halves, 2);
    steps(other, 1);

    CHECK(divided);
    CHECK_INT(parts.record.parts, 2);
    CHECK(parts.record.part[0].contacts > 0);
    CHECK(ut_sim_time(whole) == ut_sim_time(other));
    CHECK(ut_sim_time(whole) > start);
    for (int i = 0; i < model->nq; i++) {
        CHECK_NEAR(ut_sim_q(whole)[i], ut_sim_q(halves)[i], 1e-10);
    }
    bool differs = false;
    for (int i = 0; i < model->nv; i++) {
        CHECK_NEAR(ut_sim_v(whole)[i], ut_sim_v(halves)[i], 1e-8);
        differs = differs || fabs(ut_sim_v(whole)[i] - ut_sim_v(other)[i]) > 1e-5;
    }
    CHECK(differs); // one step of the whole length has another result
    steps(whole, 3);
    steps(other, 3);
    CHECK(ut_sim_time(whole) == ut_sim_time(other));

    ut_sim_destroy(halves);
    ut_sim_destroy(other);
    ut_sim_destroy(whole);
    ut_model_destroy(model);
}

// Plates that close on a box have no solution at any length: the step is not divided, and the sim does not change.
TEST(a_step_without_a_solution_is_not_divided)
{
    utModel* model = test_model(
        "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>"
        "<body name='left' mocap='true' pos='-0.2 0 0'><geom type='box' size='0.1 1 1'/></body>"
        "<body name='right' mocap='true' pos='0.2 0 0'><geom type='box' size='0.1 1 1'/></body>"
        "<body name='box'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
        "</worldbody></mujoco>");
    utSimDef def = ut_sim_def();
    utSim* sim = make_sim(model, &def);
    const double pos[] = {-0.195, 0.0, 0.0, 0.195, 0.0, 0.0};
    const double quat[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    const utInput closing = {.mocap_pos = pos, .mocap_quat = quat};
    const uint64_t before = ut_sim_hash(sim);
    utStepResult result = {0};

    CHECK_INT(ut_sim_step(sim, &closing, &result, NULL), UT_ERR_NOT_TAKEN);
    CHECK_INT(result.outcome, UT_STEP_UNCERTIFIED);
    CHECK_INT(result.pieces, 1);
    CHECK(ut_step_may_try_again(sim));
    CHECK(!ut_step_is_worth_another(&result.report));
    CHECK(ut_sim_hash(sim) == before);

    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// E changes by at most the velocity of a gap that is ignored, so that both shares must fit into the tolerance.
TEST(what_the_solver_and_ignored_gaps_leave_is_within_the_tolerance)
{
    utModel* model = test_model(text);
    utSimDef def = ut_sim_def();
    utSim* sim = make_sim(model, &def);
    const double tolerance = sim->settings.tolerance;
    for (int contacts = 1; contacts <= 1000; contacts++) {
        const double gaps = ut_sim_rounding_gap(sim, contacts);
        CHECK(gaps > 0.0 && gaps + SOLVER_TOLERANCE * tolerance < tolerance);
        CHECK(contacts > 200 ||
              gaps <= 0.01 * tolerance); // small islands stay as exact as they are
    }
    CHECK(ut_sim_rounding_gap(sim, 201) > ut_sim_rounding_gap(sim, 200));
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Other formulations are the papers' own schemes, and their steps stay whole.
TEST(only_the_default_formulation_makes_other_attempts_at_a_step)
{
    utModel* model = test_model(text);
    for (int f = 0; f < UT_FORMULATION_COUNT; f++) {
        utSimDef def = ut_sim_def();
        def.formulation = f;
        utSim* sim = make_sim(model, &def);
        CHECK(ut_step_may_try_again(sim) == (f == UT_FORMULATION_COULOMB));
        CHECK((ut_step_attempts(sim) > 1) == (f == UT_FORMULATION_COULOMB));
        ut_sim_destroy(sim);
    }
    ut_model_destroy(model);
}

// Small problems that no solver answers have other reasons than gaps of loops, and proofs hold for every attempt.
TEST(large_piles_without_a_proof_are_worth_another_attempt)
{
    const utIsland unsolved = {.outcome = UT_ISLAND_ITERATIONS};
    const utIsland impossible = {.outcome = UT_ISLAND_NONE};
    utStepReport report = {.contacts = 201, .islands = 1, .island = &unsolved};
    CHECK(ut_step_is_worth_another(&report));
    report.island = &impossible;
    CHECK(!ut_step_is_worth_another(&report));
    report.island = &unsolved;
    report.contacts = 200;
    CHECK(!ut_step_is_worth_another(&report));
}

// The first attempt is the step as it is. Patience comes back before anything else is changed for good: each closed gap
// is tried with all patience, too.
static void check_attempts(utSim* sim, bool hasty)
{
    const int attempts = ut_step_attempts(sim);
    const double fall = 0.01 * 0.01 * 9.81;
    bool patient = false;
    CHECK(ut_step_attempt(sim, 0, 0.01).closing == 0.0);
    CHECK(ut_step_attempt(sim, 0, 0.01).hasty == hasty);
    for (int k = 0; k < attempts; k++) {
        const StepAttempt attempt = ut_step_attempt(sim, k, 0.01);
        CHECK(attempt.closing >= 0.0 && attempt.closing <= 0.1 * fall);
        CHECK_NEAR(ut_step_attempt(sim, k, 0.02).closing, 4.0 * attempt.closing, 1e-20);
        CHECK(!(patient && attempt.hasty)); // no haste after patience
        patient = patient || (!attempt.hasty && attempt.closing == 0.0);
    }
    CHECK(patient);
}

// Few bodies are solved with patience before any gap is closed, however many contacts they have.
TEST(only_piles_of_many_bodies_begin_with_hasty_attempts)
{
    const char* const scene[] = {"balls:4:4", "balls:5:5"}; // 384 and 750 velocities
    for (int k = 0; k < 2; k++) {
        utModel* model = NULL;
        utError err = {0};
        if (!CHECK(ut_load(scene[k], &model, &err) == UT_OK)) {
            return;
        }
        const utSimDef def = ut_sim_def();
        utSim* sim = make_sim(model, &def);
        check_attempts(sim, k == 1);
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}
