// SPDX-License-Identifier: Apache-2.0
// Belts, springs between sites, prescribed motions, explicit contacts, kinetic friction: closed
// forms, and certificates that detect wrong reports.
#include <stdio.h>
#include <string.h>
#include <uptack/sim.h>

#include "support/model_text.h"
#include "test.h"

static const double G = 9.81;

typedef struct World {
    utModel* model;
    utSim* sim;
} World;

static World open_world(const char* text, utFormulation formulation, double dt)
{
    World w = {0};
    utError err = {0};
    w.model = test_model(text);
    utSimDef how = ut_sim_def();
    how.formulation = formulation;
    how.dt = dt;
    CHECK_INT(ut_sim_create(w.model, &how, &w.sim, &err), UT_OK);
    return w;
}

static void close_world(World* w)
{
    ut_sim_destroy(w->sim);
    ut_model_destroy(w->model);
}

static utStepResult step(World* w)
{
    utStepResult result;
    utError err = {0};
    if (!CHECK_INT(ut_sim_step(w->sim, NULL, &result, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    if (!CHECK_INT(result.outcome, UT_STEP_CERTIFIED)) {
        test_note("%s at t = %g", ut_certificate_reason_name(result.certificate.reason),
                  ut_sim_time(w->sim));
    }
    return result;
}

static void run(World* w, double until)
{
    while (ut_sim_time(w->sim) < until - 1e-9) {
        step(w);
    }
}

// Certify a report again.
static bool certified(const utStepReport* report)
{
    utArena arena;
    utCertificate certificate = {0};
    CHECK_INT(ut_arena_create(0, NULL, &arena), UT_OK);
    CHECK_INT(ut_certify(report, 1e-8, arena, &certificate), UT_OK);
    ut_arena_destroy(&arena);
    return certificate.passed;
}

// ---- belts --------------------------------------------------------------------------------------

static const char belt[] =
    "<mujoco xmlns:ut='urn:uptack'><worldbody>"
    "<geom name='floor' type='plane' size='0 0 1' friction='0.2' surfacevel='0.5 0 0'/>"
    "<body name='box' pos='0 0 0.1'><freejoint/>"
    "<geom name='b' type='box' size='0.4 0.4 0.1' friction='0.2'/></body>"
    "</worldbody></mujoco>";

// The box slips at a = mu g until it has the belt's speed V at t = V / (mu g), and has lagged by
// V^2 / (2 mu g) then. The position error of symplectic Euler is at most h V. Afterwards the box is
// at rest on the belt.
TEST(a_belt_takes_a_box_along)
{
    static const utFormulation formulations[] = {
        UT_FORMULATION_COULOMB, UT_FORMULATION_STEWART_TRINKLE, UT_FORMULATION_ANITESCU_POTRA};
    const double V = 0.5, mu = 0.2, h = 0.001;
    for (size_t k = 0; k < sizeof formulations / sizeof *formulations; k++) {
        World w = open_world(belt, formulations[k], h);
        const int box = ut_model_find_body(w.model, "box");
        run(&w, 0.1);
        CHECK_NEAR(ut_sim_body(w.sim, box).velocity.x, mu * G * 0.1, 1e-8);
        run(&w, 0.6);
        const utBodyState state = ut_sim_body(w.sim, box);
        CHECK_NEAR(state.velocity.x, V, 1e-8);
        CHECK_NEAR(state.com.x, V * 0.6 - V * V / (2.0 * mu * G), h * V);
        close_world(&w);
    }
}

// A turning surface drags a ball at its contact: the velocity of the field there is w x r.
TEST(a_turning_belt_is_seen_where_the_contact_is)
{
    static const char text[] =
        "<mujoco xmlns:ut='urn:uptack'><worldbody>"
        "<geom name='floor' type='plane' size='0 0 1' pos='1 0 0' surfacevel='0 0 0 0 0 2' "
        "ut:surfacevel='t; 0; 0'/>"
        "<body name='ball' pos='1 0.5 0.1'><freejoint/>"
        "<geom type='sphere' size='0.1'/></body></worldbody></mujoco>";
    World w = open_world(text, UT_FORMULATION_COULOMB, 0.01);
    utStepResult result = step(&w);
    CHECK_INT(result.report.contacts, 1);
    // t = 0: the field is 2 z x (0, 0.5, 0) = (-1, 0, 0), and the contact slips the opposite way
    const utContact* c = result.report.contact;
    CHECK_NEAR(c->b[1] * c->frame[1].x + c->b[2] * c->frame[2].x, 1.0, 1e-14);
    CHECK_NEAR(c->b[1] * c->frame[1].y + c->b[2] * c->frame[2].y, 0.0, 1e-14);
    result = step(&w);
    c = result.report.contact;
    // t = 0.01: 0.01 more along x, and the ball has moved a little
    const double x = 1.0 - 0.01, moved = 2.0 * (c->point.y - 0.5);
    CHECK_NEAR(c->b[1] * c->frame[1].x + c->b[2] * c->frame[2].x, x + moved, 1e-12);
    utContact wrong = *c;
    wrong.b[1] += 1e-6;
    utStepReport report = result.report;
    report.contact = &wrong;
    CHECK(!certified(&report));
    close_world(&w);
}

// ---- springs ------------------------------------------------------------------------------------

static const char hanging[] =
    "<mujoco xmlns:ut='urn:uptack'><worldbody><site name='top' pos='0 0 2'/>"
    "<body name='ball' pos='0 0 1.4'><joint type='slide' axis='0 0 1'/>"
    "<geom type='sphere' size='0.05' mass='0.5'/><site name='c'/></body></worldbody>"
    "<ut:spring name='s' site1='top' site2='c' stiffness='50' length='0.5' damping='4'/></mujoco>";

// L = L0 + m g / K at rest; the damping, 0.4 of the critical 10, leaves exp(-4 t) of the start.
TEST(a_hanging_spring_comes_to_rest_where_it_should)
{
    static const utFormulation formulations[] = {UT_FORMULATION_COULOMB,
                                                 UT_FORMULATION_STEWART_TRINKLE};
    for (int k = 0; k < 2; k++) {
        World w = open_world(hanging, formulations[k], 0.002);
        run(&w, 8.0);
        const double z = ut_sim_body(w.sim, ut_model_find_body(w.model, "ball")).com.z;
        CHECK_NEAR(2.0 - z, 0.5 + 0.5 * G / 50.0, 1e-9);
        close_world(&w);
    }
}

static const char pair[] =
    "<mujoco xmlns:ut='urn:uptack'><option gravity='0 0 0'/><worldbody>"
    "<body name='a' pos='0 0 0'><freejoint/><geom type='sphere' size='0.05' mass='1'/>"
    "<site name='sa' pos='0.02 0 0'/></body>"
    "<body name='b' pos='1 0.2 0'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='2'/>"
    "<site name='sb' pos='-0.05 0.05 0.02'/></body></worldbody>"
    "<ut:spring name='s' site1='sa' site2='sb' stiffness='30' length='0.6' damping='%s' "
    "mode='%s'/><keyframe><key qvel='0 1 0 0 0 3 0 0 0.5 0 0 0'/></keyframe></mujoco>";

// Forces between two bodies do not change their total momentum, up to rounding: some 1e-16 of 1 N s
// in each of 500 steps.
TEST(a_spring_keeps_momentum)
{
    static const utFormulation formulations[] = {UT_FORMULATION_COULOMB,
                                                 UT_FORMULATION_STEWART_TRINKLE};
    char text[1024];
    for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, pair, k % 2 == 0 ? "0" : "1.5", k % 2 == 0 ? "axial" : "full");
        World w = open_world(text, formulations[k / 2], 0.002);
        CHECK_INT(ut_sim_reset(w.sim, 0, NULL), UT_OK);
        run(&w, 1.0);
        const utBodyState a = ut_sim_body(w.sim, 1), b = ut_sim_body(w.sim, 2);
        CHECK_NEAR(a.velocity.x + 2.0 * b.velocity.x, 0.0, 1e-11);
        CHECK_NEAR(a.velocity.y + 2.0 * b.velocity.y, 1.0, 1e-11);
        CHECK_NEAR(a.velocity.z + 2.0 * b.velocity.z, 1.0, 1e-11);
        close_world(&w);
    }
}

// A full damper takes - C |dv|^2, an axial one - C (n . dv)^2: the energy that one short explicit
// step loses, of which second-order terms are h^2 (C dv)^2 / (2 m) and the like, below 2e-7 J here.
TEST(dampers_take_the_power_they_should)
{
    for (int full = 0; full < 2; full++) {
        char text[1024];
        snprintf(text, sizeof text, pair, "1.5", full ? "full" : "axial");
        const double h = 1e-5;
        World w = open_world(text, UT_FORMULATION_STEWART_TRINKLE, h);
        CHECK_INT(ut_sim_reset(w.sim, 0, NULL), UT_OK);
        // ends and their velocities: a turns at 3 rad/s about z, so that its end has 0.06 m/s more
        const double along[3] = {1.0 - 0.05 - 0.02, 0.2 + 0.05, 0.02};
        const double dv[3] = {0.0, -1.06, 0.5};
        double dot = 0.0, square = 0.0, length = 0.0;
        for (int k = 0; k < 3; k++) {
            dot += along[k] * dv[k];
            square += dv[k] * dv[k];
            length += along[k] * along[k];
        }
        const double power = -1.5 * (full ? square : dot * dot / length);
        const double before = ut_sim_energy(w.sim);
        step(&w);
        CHECK_NEAR((ut_sim_energy(w.sim) - before) / h, power, 2e-3);
        close_world(&w);
    }
}

TEST(a_spring_told_wrong_is_not_certified)
{
    World w = open_world(hanging, UT_FORMULATION_COULOMB, 0.002);
    step(&w);
    utStepResult result = step(&w);
    utStepReport report = result.report;
    CHECK(certified(&report));
    CHECK_INT(report.rows, 1);
    utRow row = report.row[0];
    report.row = &row;
    row.b += 1e-3;
    CHECK(!certified(&report));
    row = result.report.row[0];
    row.compliance *= 1.01;
    CHECK(!certified(&report));
    row = result.report.row[0];
    row.linear.z = -row.linear.z;
    CHECK(!certified(&report));
    report.rows = 0; // the rows are missing
    CHECK(!certified(&report));
    close_world(&w);
}

TEST(an_explicit_spring_is_part_of_the_momentum)
{
    World w = open_world(hanging, UT_FORMULATION_STEWART_TRINKLE, 0.002);
    step(&w);
    utStepResult result = step(&w);
    utStepReport report = result.report;
    CHECK(certified(&report));
    CHECK_INT(report.rows, 0);
    // as if the spring had not pulled
    double v_free = report.v[0] - 0.002 * G;
    double q_next = report.q[0] + 0.002 * v_free;
    report.v_free = report.v_next = &v_free;
    report.q_next = &q_next;
    CHECK(!certified(&report));
    close_world(&w);
}

// ---- motions ------------------------------------------------------------------------------------

static const char pushed[] =
    "<mujoco xmlns:ut='urn:uptack'><worldbody>"
    "<geom name='floor' type='plane' size='0 0 1' friction='0.2'/>"
    "<body name='box' pos='0 0 0.25'><freejoint/>"
    "<geom name='b' type='box' size='0.5 0.1 0.25' friction='0.2' mass='2'/></body>"
    "<body name='pusher' pos='-0.55 0 0.3'><site name='p'/></body></worldbody>"
    "<ut:motion body='pusher' x='-0.55 + 0.25*(1 - cos(2*t))' rz='t^2'/>"
    "<ut:point site='p' geom='b' face='-x' friction='0.3'/></mujoco>";

// The pusher follows f(t), whatever it meets. While they touch, the pushed face has its velocity:
// f'(t_l) with the scheme of the papers, the mean over the step with the default one.
TEST(a_motion_is_followed_and_pushes)
{
    static const utFormulation formulations[] = {UT_FORMULATION_COULOMB,
                                                 UT_FORMULATION_STEWART_TRINKLE};
    const double h = 0.01;
    for (int k = 0; k < 2; k++) {
        World w = open_world(pushed, formulations[k], h);
        const int pusher = ut_model_find_body(w.model, "pusher");
        const int box = ut_model_find_body(w.model, "box");
        bool touched = false;
        for (int i = 0; i < 75; i++) {
            const double t = ut_sim_time(w.sim);
            const utStepResult result = step(&w);
            const double next = ut_sim_time(w.sim);
            CHECK_NEAR(ut_sim_body(w.sim, pusher).frame.p.x, -0.55 + 0.25 * (1.0 - cos(2.0 * next)),
                       1e-15);
            CHECK_NEAR(ut_sim_body(w.sim, pusher).frame.R.m[1][0], sin(next * next), 1e-14);
            CHECK_NEAR(ut_sim_body(w.sim, pusher).velocity.x, 0.5 * sin(2.0 * next), 1e-14);
            CHECK_NEAR(ut_sim_mocap_velocity(w.sim)[0].angular.z, 2.0 * next, 1e-13);
            CHECK_NEAR(ut_sim_mocap_pos(w.sim)[0], -0.55 + 0.25 * (1.0 - cos(2.0 * next)), 1e-15);
            const utContact* c = &result.report.contact[result.report.contacts - 1];
            CHECK_INT(c->geom2, w.model->ngeom);
            CHECK_NEAR(c->frame[0].x, -1.0, 1e-9);
            CHECK(c->gap < 0.01 || c->state == UT_CONTACT_OPEN);
            if (touched && c->r[0] > 0.0) {
                const double rate =
                    k == 0 ? 0.25 * (cos(2.0 * t) - cos(2.0 * next)) / h : 0.5 * sin(2.0 * t);
                // a gap that the step before left is closed at once
                CHECK_NEAR(ut_sim_body(w.sim, box).velocity.x, rate - c->gap / h, 1e-7);
            }
            touched = touched || c->r[0] > 0.0;
        }
        CHECK(touched);
        close_world(&w);
    }
}

TEST(a_motion_told_wrong_is_not_certified)
{
    World w = open_world(pushed, UT_FORMULATION_STEWART_TRINKLE, 0.01);
    for (int i = 0; i < 40; i++) {
        step(&w);
    }
    utStepResult result = step(&w);
    utStepReport report = result.report;
    CHECK(certified(&report));
    utMotion twist = report.mocap_velocity[0];
    report.mocap_velocity = &twist;
    twist.linear.x += 1e-4;
    CHECK(!certified(&report));
    report = result.report;
    double next[3] = {report.mocap_pos_next[0] + 1e-6, report.mocap_pos_next[1],
                      report.mocap_pos_next[2]};
    report.mocap_pos_next = next;
    CHECK(!certified(&report));
    report = result.report;
    report.contacts--; // the explicit contact comes last
    CHECK(!certified(&report));
    close_world(&w);
}

// A motion without a finite value stops the run with a message that names it; the state stays.
TEST(a_motion_that_is_not_finite_is_named)
{
    World w = open_world("<mujoco xmlns:ut='urn:uptack'><worldbody><body name='m'/></worldbody>"
                         "<ut:motion body='m' x='log(0.05 - t)'/></mujoco>",
                         UT_FORMULATION_COULOMB, 0.02);
    utError err = {0};
    run(&w, 0.04);
    const uint64_t hash = ut_sim_hash(w.sim);
    CHECK_INT(ut_sim_step(w.sim, NULL, NULL, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "motion of body 'm'") != NULL);
    CHECK(ut_sim_hash(w.sim) == hash);
    close_world(&w);
}

// ---- kinetic friction ---------------------------------------------------------------------------

static const char slope[] =
    "<mujoco xmlns:ut='urn:uptack'><option gravity='%.17g 0 %.17g'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='0.5' ut:kinetic='0.3'/>"
    "<body name='box' pos='0 0 0.1'><freejoint/>"
    "<geom type='box' size='0.3 0.3 0.1' friction='0'/></body></worldbody>"
    "<keyframe><key qvel='0.2 0 0 0 0 0'/></keyframe></mujoco>";

// tan a = 0.4 lies between kinetic and static friction: a box at rest stays, and a box that slips
// accelerates by g (sin a - 0.3 cos a).
TEST(what_slips_has_kinetic_friction)
{
    const double a = atan(0.4), h = 0.005;
    char text[1024];
    snprintf(text, sizeof text, slope, G * sin(a), -G * cos(a));
    World w = open_world(text, UT_FORMULATION_COULOMB, h);
    run(&w, 0.5);
    CHECK_NEAR(ut_sim_v(w.sim)[0], 0.0, 1e-9);
    CHECK_INT(ut_sim_reset(w.sim, 0, NULL), UT_OK);
    run(&w, 0.5);
    CHECK_NEAR(ut_sim_v(w.sim)[0], 0.2 + 0.5 * G * (sin(a) - 0.3 * cos(a)), 1e-7);

    utStepResult result = step(&w);
    utContact contact[8];
    utStepReport report = result.report;
    CHECK(report.contacts > 0 && report.contacts <= 8);
    memcpy(contact, report.contact, (size_t)report.contacts * sizeof *contact);
    report.contact = contact;
    CHECK(certified(&report));
    contact[0].mu = 0.5;
    CHECK(!certified(&report));
    close_world(&w);
}
