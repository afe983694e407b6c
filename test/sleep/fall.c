// SPDX-License-Identifier: Apache-2.0
// What falls asleep, what stays awake, and what the steps of sleeping bodies are.
#include <math.h>
#include <string.h>
#include <uptack/dyn.h>

#include "lab.h"

// ---- at rest ------------------------------------------------------------------------------------

TEST(a_stack_of_ten_falls_asleep_and_then_needs_no_solve)
{
    Lab lab = lab_of_scene("stack:10", 1.0 / 60.0, true);
    double q[7 * 10];
    lab_run(&lab, NULL, 60);
    CHECK_INT(ut_sim_sleeping(lab.sim), 10);
    memcpy(q, ut_sim_q(lab.sim), sizeof q);
    lab_run(&lab, NULL, 600);
    CHECK_INT(lab.last.sleeping, 10);
    CHECK_INT(lab.last.certificate.sleeping, 10);
    CHECK_INT(lab.last.iterations, 0);
    CHECK_INT(lab.last.report.contacts, 0);
    CHECK_INT(lab.last.report.islands, 0);
    CHECK(lab.last.report.asleep_E <= 1e-8);
    CHECK(memcmp(q, ut_sim_q(lab.sim), sizeof q) == 0);
    for (int i = 0; i < lab.model->nv; i++) {
        CHECK(ut_sim_v(lab.sim)[i] == 0.0);
    }
    lab_end(&lab);
}

// The step in which the stack falls asleep holds it: v = 0 before and after, with impulses that carry
// the weight of all ten boxes, n m g h, to the floor.
TEST(the_step_in_which_a_stack_falls_asleep_is_certified_with_its_impulses)
{
    const double h = 1.0 / 60.0;
    Lab lab = lab_of_scene("stack:10", h, true);
    double mass = 0.0, carried = 0.0;
    while (ut_sim_time(lab.sim) < 2.0 && ut_sim_sleeping(lab.sim) == 0) {
        lab_run(&lab, NULL, 1);
    }
    CHECK(lab.last.certificate.passed && lab.last.report.asleep == NULL);
    for (int b = 1; b < lab.model->nbody; b++) {
        mass += lab.model->body[b].mass;
    }
    for (int i = 0; i < lab.last.report.contacts; i++) {
        const utContact* c = &lab.last.report.contact[i];
        const bool floor = lab.model->body[lab.model->geom[c->geom1].body].tree < 0;
        carried += floor ? c->r[0] : 0.0;
    }
    CHECK_NEAR(carried, mass * GRAVITY * h, 1e-9 * mass * GRAVITY * h);
    for (int i = 0; i < lab.model->nv; i++) {
        CHECK(lab.last.report.v[i] == 0.0 && lab.last.report.v_next[i] == 0.0);
    }
    lab_end(&lab);
}

TEST(without_the_setting_nothing_sleeps)
{
    Lab lab = lab_of_scene("stack:10", 1.0 / 60.0, false);
    lab_run(&lab, NULL, 60);
    CHECK_INT(lab.last.sleeping, 0);
    CHECK_INT(lab.last.report.contacts, 40);
    CHECK(!ut_sim_sleeps(lab.sim, 1));
    lab_end(&lab);
}

// ---- slopes -------------------------------------------------------------------------------------

// Gravity is tilted 2 % below the friction angle atan(mu): the box stays, and sleeps.
TEST(a_box_below_the_friction_angle_sleeps)
{
    Lab lab = lab_of_scene("incline:30:-2", 0.002, true);
    lab_run(&lab, NULL, 100);
    CHECK_INT(lab.last.sleeping, 1);
    lab_end(&lab);
}

// 2 % above it the box slides from the first step on, with the bits of a run without sleeping.
TEST(a_box_above_the_friction_angle_stays_awake)
{
    Lab lab = lab_of_scene("incline:30:2", 0.002, true);
    Lab other = lab_of_scene("incline:30:2", 0.002, false);
    lab_run(&lab, NULL, 500);
    lab_run(&other, NULL, 500);
    CHECK_INT(lab.last.sleeping, 0);
    CHECK(ut_sim_hash(lab.sim) == ut_sim_hash(other.sim));
    lab_end(&lab);
    lab_end(&other);
}

// ---- slow, but not at rest ----------------------------------------------------------------------

static const char pendulum_text[] =
    "<mujoco><option timestep='0.01'/><worldbody><body pos='0 0 2'>"
    "<joint name='hinge' type='hinge' axis='0 1 0' pos='0 0 0'/>"
    "<geom type='sphere' size='0.05' pos='0 0 -1' mass='1'/></body></worldbody>"
    "<actuator><motor name='motor' joint='hinge'/></actuator></mujoco>";

// An amplitude A of 2e-5 rad has speeds of at most A sqrt(g L) = 6e-5 m/s, below the 1e-3 h g = 1e-4 m/s
// of a body at rest. From v = 0 a step ends with h g A > 0, so that the pendulum never sleeps.
TEST(a_pendulum_that_swings_slowly_stays_awake)
{
    Lab lab = lab_of_text(pendulum_text, 0.01, true);
    Lab other = lab_of_text(pendulum_text, 0.01, false);
    const double angle = 2e-5;
    CHECK_INT(ut_sim_set(lab.sim, 0.0, &angle, NULL, NULL), UT_OK);
    CHECK_INT(ut_sim_set(other.sim, 0.0, &angle, NULL, NULL), UT_OK);
    for (int k = 0; k < 700; k++) {
        lab_run(&lab, NULL, 1);
        lab_run(&other, NULL, 1);
        CHECK_INT(lab.last.sleeping, 0);
        CHECK(ut_sim_hash(lab.sim) == ut_sim_hash(other.sim));
    }
    lab_end(&lab);
    lab_end(&other);
}

TEST(a_pendulum_that_hangs_still_sleeps)
{
    Lab lab = lab_of_text(pendulum_text, 0.01, true);
    lab_run(&lab, NULL, 30);
    CHECK_INT(lab.last.sleeping, 1);
    lab_end(&lab);
}

// A conveyor belt of 1e-5 m/s carries its box on: x = v t, less than one step of sticking.
TEST(a_box_on_a_belt_that_creeps_stays_awake)
{
    const double h = 0.01, speed = 1e-5;
    Lab lab = lab_of_text("<mujoco><option timestep='0.01'/><worldbody>"
                          "<geom type='box' size='2 2 0.1' pos='0 0 -0.1' friction='0.5'"
                          " surfacevel='1e-5 0 0 0 0 0'/>"
                          "<body name='box' pos='0 0 0.1'><freejoint/>"
                          "<geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
                          "</worldbody></mujoco>",
                          h, true);
    lab_run(&lab, NULL, 300);
    CHECK_INT(lab.last.sleeping, 0);
    CHECK_NEAR(lab_body(&lab, "box").com.x, speed * 300.0 * h, speed * h);
    lab_end(&lab);
}

// Without gravity a body that drifts is not at rest at any speed, and a body at rest is.
TEST(without_gravity_only_bodies_that_do_not_move_sleep)
{
    Lab lab = lab_of_text("<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>"
                          "<body name='one'><freejoint/><geom type='sphere' size='0.1'/></body>"
                          "<body name='two' pos='1 0 0'><freejoint/>"
                          "<geom type='sphere' size='0.1'/></body></worldbody></mujoco>",
                          0.01, true);
    const double v[12] = {[6] = 1e-12};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, v, NULL), UT_OK);
    lab_run(&lab, NULL, 100);
    CHECK(lab_sleeps(&lab, "one"));
    CHECK(!lab_sleeps(&lab, "two"));
    CHECK_NEAR(ut_sim_v(lab.sim)[6], 1e-12, 0.0);
    lab_end(&lab);
}

// A body in the air at the top of its flight has no velocity, too.
TEST(a_body_at_the_top_of_its_flight_stays_awake)
{
    const double h = 0.01;
    Lab lab = lab_of_text("<mujoco><option timestep='0.01'/><worldbody>"
                          "<body name='ball'><freejoint/><geom type='sphere' size='0.1'/></body>"
                          "</worldbody></mujoco>",
                          h, true);
    lab_run(&lab, NULL, 100);
    CHECK_INT(lab.last.sleeping, 0);
    CHECK_NEAR(lab_body(&lab, "ball").velocity.z, -100.0 * h * GRAVITY, 1e-9);
    lab_end(&lab);
}

// ---- joints -------------------------------------------------------------------------------------

// A slide on its lower limit, and a hinge that dry friction of 2 N m holds against 1 N m.
static const char joints_text[] =
    "<mujoco><option timestep='0.01'/><worldbody>"
    "<body name='lift'><joint name='slide' type='slide' axis='0 0 1' limited='true' range='0 1'/>"
    "<geom type='sphere' size='0.1' mass='1'/></body>"
    "<body name='arm' pos='3 0 0'><joint name='hinge' type='hinge' axis='0 1 0' frictionloss='2'/>"
    "<geom type='sphere' size='0.05' pos='0.1 0 0' mass='1'/></body></worldbody></mujoco>";

TEST(limits_and_dry_friction_hold_bodies_that_sleep)
{
    Lab lab = lab_of_text(joints_text, 0.01, true);
    lab_run(&lab, NULL, 30);
    CHECK_INT(lab.last.sleeping, 2);
    CHECK_INT(lab.last.report.rows, 0);
    CHECK_INT(lab.last.certificate.sleeping, 2);
    // an upward force of 3 g on the lift alone: it accelerates with 2 g
    const double force[2] = {3.0 * GRAVITY, 0.0};
    const utInput input = {.force = force};
    lab_run(&lab, &input, 1);
    CHECK(!lab_sleeps(&lab, "lift") && lab_sleeps(&lab, "arm"));
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 2.0 * GRAVITY * 0.01, 1e-12);
    lab_end(&lab);
}

// ---- other laws and worlds ----------------------------------------------------------------------

// A ball with restitution 0.5 bounces, comes to rest on the floor, and sleeps at the height of its radius.
TEST(a_ball_that_has_bounced_sleeps_on_the_floor)
{
    Lab lab = lab_of_text("<mujoco xmlns:ut='urn:uptack'><option timestep='0.005'/><worldbody>"
                          "<geom type='plane' size='5 5 0.1' ut:restitution='0.5'/>"
                          "<body name='ball' pos='0 0 0.6'><freejoint/>"
                          "<geom type='sphere' size='0.1' mass='1' ut:restitution='0.5'/></body>"
                          "</worldbody></mujoco>",
                          0.005, true);
    lab_run(&lab, NULL, 60);
    CHECK_INT(lab.last.sleeping, 0);
    lab_run(&lab, NULL, 600);
    CHECK_INT(lab.last.sleeping, 1);
    CHECK_NEAR(lab_body(&lab, "ball").com.z, 0.1, 1e-9);
    lab_end(&lab);
}

// The sweeps of the tier budget bring a stack to rest within the tolerance; only then it sleeps.
TEST(a_stack_of_the_tier_budget_sleeps_once_it_is_certified)
{
    utModel* model = NULL;
    CHECK_INT(ut_load("stack:5", &model, NULL), UT_OK);
    utSimDef def = ut_sim_def();
    def.sleep = true;
    def.tier = UT_TIER_BUDGET;
    def.dt = 1.0 / 60.0;
    Lab lab = {.model = model, .sim = make_sim(model, &def)};
    for (int k = 0; k < 600 && ut_sim_sleeping(lab.sim) == 0; k++) {
        CHECK_INT(ut_sim_step(lab.sim, NULL, &lab.last, NULL), UT_OK);
    }
    CHECK_INT(ut_sim_sleeping(lab.sim), 5);
    CHECK(lab.last.outcome == UT_STEP_CERTIFIED && lab.last.certificate.E <= 1e-8);
    lab_run(&lab, NULL, 10);
    CHECK_INT(lab.last.sleeping, 5);
    lab_end(&lab);
}

// Two boxes and a ramp of a planar world.
TEST(bodies_of_a_planar_world_sleep)
{
    Lab lab = lab_of_text("<mujoco xmlns:ut='urn:uptack'><option timestep='0.01' ut:planar='xz'/>"
                          "<worldbody><geom type='box' size='5 1 0.1' pos='0 0 -0.1'/>"
                          "<body name='a' pos='0 0 0.1'><joint type='slide' axis='1 0 0'/>"
                          "<joint type='slide' axis='0 0 1'/><joint type='hinge' axis='0 1 0'/>"
                          "<geom type='box' size='.1 .1 .1' mass='1'/></body>"
                          "</worldbody></mujoco>",
                          0.01, true);
    lab_run(&lab, NULL, 40);
    CHECK_INT(lab.last.sleeping, 1);
    lab_end(&lab);
}

// A sensor of forces needs the contacts of its body in every step.
TEST(a_body_with_a_sensor_of_forces_stays_awake)
{
    Lab lab = lab_of_text("<mujoco><option timestep='0.01'/><worldbody>"
                          "<geom type='plane' size='5 5 0.1'/>"
                          "<body name='one' pos='0 0 0.1'><freejoint/>"
                          "<geom type='box' size='.1 .1 .1' mass='2'/>"
                          "<site name='sole' type='box' size='.12 .12 .12'/></body>"
                          "<body name='two' pos='1 0 0.1'><freejoint/>"
                          "<geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody>"
                          "<sensor><touch site='sole'/></sensor></mujoco>",
                          0.01, true);
    double force;
    lab_run(&lab, NULL, 60);
    CHECK(!lab_sleeps(&lab, "one") && lab_sleeps(&lab, "two"));
    ut_sim_sensors(lab.sim, &force);
    CHECK_NEAR(force, 2.0 * GRAVITY, 1e-6);
    lab_end(&lab);
}

// Joints of maximal coordinates are equalities, so that the pendulum stays awake.
TEST(bodies_with_equalities_stay_awake)
{
    utModel *model = test_model(pendulum_text), *maximal = NULL;
    CHECK_INT(ut_model_maximal(model, NULL, &maximal, NULL), UT_OK);
    Lab lab = lab_of(maximal, 0.01, true);
    lab_run(&lab, NULL, 60);
    CHECK_INT(lab.last.sleeping, 0);
    lab_end(&lab);
    ut_model_destroy(model);
}

// ---- the certificate ----------------------------------------------------------------------------

TEST(the_certificate_rejects_sleeping_bodies_that_move_or_are_touched)
{
    Lab lab = lab_of_scene("islands:2", 0.01, true);
    lab_run(&lab, NULL, 40);
    CHECK_INT(lab.last.sleeping, lab.model->nbody - 1);
    const size_t nq = (size_t)lab.model->nq, nv = (size_t)lab.model->nv;
    double* q = malloc(nq * sizeof *q);
    double* v = malloc(nv * sizeof *v);
    memcpy(q, lab.last.report.q_next, nq * sizeof *q);
    memcpy(v, lab.last.report.v_next, nv * sizeof *v);
    const utContact touch = {.geom1 = 0, .geom2 = 1, .island = -1};
    utArena scratch;
    utCertificate c;
    CHECK_INT(ut_arena_create(0, NULL, &scratch), UT_OK);
    CHECK(ut_certify(&lab.last.report, 1e-8, scratch, &c) == UT_OK && c.passed);
    for (int k = 0; k < 3; k++) {
        utStepReport report = lab.last.report;
        q[0] += k == 0 ? 1e-15 : 0.0;
        v[2] = k == 1 ? 1e-300 : 0.0;
        report.q_next = k == 0 ? q : report.q_next;
        report.v_next = k == 1 ? v : report.v_next;
        report.contact = k == 2 ? &touch : report.contact;
        report.contacts = k == 2 ? 1 : 0;
        CHECK_INT(ut_certify(&report, 1e-8, scratch, &c), UT_OK);
        CHECK(!c.passed);
        CHECK_INT(c.reason, UT_REASON_REPORT);
    }
    ut_arena_destroy(&scratch);
    free(q);
    free(v);
    lab_end(&lab);
}
