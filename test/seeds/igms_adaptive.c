// SPDX-License-Identifier: Apache-2.0
// Row G35: steps whose length adapts, without numerical failure.
#include "cases.h"

#include <glob.h>
#include <uptack/io.h>
#include <uptack/scenes.h>

static const double PI_HERE = 3.14159265358979323846;

// ---- runs ---------------------------------------------------------------------------------------

typedef struct How {
    int formulation; // utFormulation, or -1
    int integrator;
    double dt;
    double tolerance; // 0: steps are dt long
} How;

typedef struct Ran {
    double q[4];
    int steps;
    int failed; // not certified, or flagged
} Ran;

static Ran run(const utModel* model, const How* how, double end)
{
    Ran ran = {0};
    utSim* sim = NULL;
    utError err = {0};
    utSimDef def = ut_sim_def();
    def.formulation = how->formulation;
    def.integrator = how->integrator;
    def.dt = how->dt;
    def.adaptive = how->tolerance;
    def.keep_going = true;
    if (!CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    const int key = ut_model_find_keyframe(model, UT_KEYFRAME_START);
    CHECK_INT(ut_sim_reset(sim, key, &err), UT_OK);
    const utInput input = {.ctrl = key >= 0 ? model->keyframe[key].ctrl : NULL};
    ut_sim_stop_at(sim, end);
    while (ut_sim_time(sim) < end * (1.0 - 1e-12) && ran.steps < 1000000) {
        utStepResult result;
        if (!CHECK_INT(ut_sim_step(sim, &input, &result, &err), UT_OK)) {
            test_note("%s", err.message);
            break;
        }
        ran.steps++;
        ran.failed += result.outcome != UT_STEP_CERTIFIED;
    }
    CHECK(how->tolerance == 0.0 || ut_sim_time(sim) == end);
    memcpy(ran.q, ut_sim_q(sim), (size_t)(model->nq < 4 ? model->nq : 4) * sizeof *ran.q);
    ut_sim_destroy(sim);
    return ran;
}

// ---- closed forms -------------------------------------------------------------------------------

static const double RESTITUTION = 0.7;

// A ball on a slide against a wall, x from it; a spring may pull it there.
static utModel* ball_at_wall(double stiffness, double x, double gravity)
{
    Lab lab = lab_open(0.1);
    lab.options.gravity = ut_vec3(0, 0, -gravity);
    lab.options.bounce = 1e-3;
    utGeomDef wall = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    wall.restitution = RESTITUTION;
    wall.friction = 0.0;
    ut_model_def_geom(lab.def, &wall);
    const int body = lab_body(&lab, "ball", ut_vec3(0, 0, 0.1 + x));
    utJointDef slide = ut_joint_def(body, UT_JOINT_SLIDE);
    slide.stiffness = stiffness;
    slide.springref = -x;
    ut_model_def_joint(lab.def, &slide);
    lab_geom(&lab, body, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0), 1.0, 0.0);
    lab_start(&lab);
    utModel* model = lab.model;
    ut_sim_destroy(lab.sim);
    ut_model_def_destroy(lab.def);
    return model;
}

// Dropped from x0: parabolas between impacts.
static double dropped(double x0, double t)
{
    double u = sqrt(2.0 * GRAVITY * x0), at = u / GRAVITY;
    for (u *= RESTITUTION; at + 2.0 * u / GRAVITY < t; u *= RESTITUTION) {
        at += 2.0 * u / GRAVITY;
    }
    return u * (t - at) - 0.5 * GRAVITY * (t - at) * (t - at);
}

// Pulled into the wall by a spring of frequency w: A e^k |cos(w t)| after k impacts.
static double pulled(double A, double w, double t)
{
    double size = A;
    for (double at = 0.5 * PI_HERE / w; at < t; at += PI_HERE / w) {
        size *= RESTITUTION;
    }
    return size * fabs(cos(w * t));
}

// ---- error per tolerance ------------------------------------------------------------------------

// Free flight by MIDPOINT is exact, so that all error is of the four impacts before 1.3 s: each is
// early by the tolerance at most, and leaves a velocity that is off by TOL / dt, which leads to
// TOL (1.3 s - t) / dt at the end. With the impacts that follow being off in turn, n-fold: less
// than 4 (1 + 13) TOL.
TEST(G35_the_error_of_a_bouncing_ball_falls_with_the_tolerance)
{
    utModel* model = ball_at_wall(0.0, 0.5, GRAVITY);
    const double want = dropped(0.5, 1.3) - 0.5;
    double before = HUGE_VAL;
    int steps = 0;
    for (double tolerance = 1e-2; tolerance > 0.5e-7; tolerance *= 0.1) {
        const How how = {UT_FORMULATION_COULOMB, UT_INTEGRATOR_MIDPOINT, 0.1, tolerance};
        const Ran ran = run(model, &how, 1.3);
        const double error = fabs(ran.q[0] - want);
        CHECK_INT(ran.failed, 0);
        CHECK(error < before && error <= 56.0 * tolerance);
        before = error;
        steps = ran.steps;
    }
    CHECK(steps < 200); // of which fixed ones of that error would be millions
    // with impacts located, and flight exact, there is nothing left to adapt
    const How located = {UT_FORMULATION_HYBRID, UT_INTEGRATOR_MIDPOINT, 0.1, 1e-4};
    const Ran ran = run(model, &located, 1.3);
    CHECK_INT(ran.failed, 0);
    CHECK_NEAR(ran.q[0], want, 1e-12);
    CHECK(ran.steps <= 14);
    ut_model_destroy(model);
}

// Every integrator, on a motion without contacts; against RK4 with 4,000 steps, whose own error is
// 16 times less than that of 2,000.
TEST(G35_the_error_of_a_double_pendulum_falls_with_the_tolerance)
{
    static const int integrators[] = {UT_INTEGRATOR_EULER, UT_INTEGRATOR_MIDPOINT,
                                      UT_INTEGRATOR_RK4};
    utModelDef* def = NULL;
    utModel* model = NULL;
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_scene_build("pendulum2:90:0", def, NULL), UT_OK);
    CHECK_INT(ut_model_compile(def, NULL, &model, NULL), UT_OK);
    ut_model_def_destroy(def);
    const How fine = {UT_FORMULATION_COULOMB, UT_INTEGRATOR_RK4, 1.0 / 4000, 0.0};
    const Ran truth = run(model, &fine, 1.0);
    for (int k = 0; k < 3; k++) {
        double before = HUGE_VAL, first = 0.0;
        for (double tolerance = 1e-2; tolerance > 0.5e-7; tolerance *= 0.1) {
            const How how = {UT_FORMULATION_COULOMB, integrators[k], 0.1, tolerance};
            const Ran ran = run(model, &how, 1.0);
            const double error = fmax(fabs(ran.q[0] - truth.q[0]), fabs(ran.q[1] - truth.q[1]));
            CHECK_INT(ran.failed, 0);
            CHECK(error <= before);
            first = before == HUGE_VAL ? error : first;
            before = error;
        }
        // global errors of order p go with TOL^(p / (p + 1)): 1e5^(1/2) of EULER is the least of
        // them; RK4 begins with steps of dt that have less error than is allowed
        CHECK(before <= first / 100.0);
    }
    ut_model_destroy(model);
}

// ---- orders -------------------------------------------------------------------------------------

// The slope of log error over log dt, from the first to the last halving.
static double order_of(const utModel* model, How how, double want, int halvings)
{
    double first = 0.0, last = 0.0;
    for (int k = 0; k <= halvings; k++, how.dt *= 0.5) {
        const Ran ran = run(model, &how, 1.0);
        CHECK_INT(ran.failed, 0);
        last = fabs(ran.q[0] - want);
        first = k == 0 ? last : first;
    }
    return log2(first / last) / halvings;
}

// Across the two impacts before 1 s fixed steps have order 1, however good the integrator is, for a
// step has its impact where it begins; with located impacts they have the integrator's.
TEST(G35_fixed_steps_across_impacts_have_order_one_and_located_ones_the_integrators)
{
    const double A = 0.5, w = 6.0;
    utModel* model = ball_at_wall(w * w, A, 0.0);
    const double want = pulled(A, w, 1.0) - A;
    const double one =
        order_of(model, (How){UT_FORMULATION_COULOMB, UT_INTEGRATOR_EULER, 0.02, 0.0}, want, 7);
    const double still =
        order_of(model, (How){UT_FORMULATION_COULOMB, UT_INTEGRATOR_MIDPOINT, 0.02, 0.0}, want, 7);
    const double two =
        order_of(model, (How){UT_FORMULATION_HYBRID, UT_INTEGRATOR_MIDPOINT, 0.02, 0.0}, want, 5);
    const double four =
        order_of(model, (How){UT_FORMULATION_HYBRID, UT_INTEGRATOR_RK4, 0.02, 0.0}, want, 4);
    test_note("order across impacts: Euler %.2f, midpoint %.2f; located: midpoint %.2f, RK4 %.2f",
              one, still, two, four);
    // errors jump with where in a step the impact falls, by a factor of 4 or so over 7 halvings
    CHECK_NEAR(one, 1.0, 0.3);
    CHECK_NEAR(still, 1.0, 0.5);
    CHECK_NEAR(two, 2.0, 0.05);
    CHECK_NEAR(four, 4.0, 0.2);
    ut_model_destroy(model);
}

// ---- no failed step -----------------------------------------------------------------------------

// The paper's own scenes; `every_scene adaptive` goes through all others.
TEST(G35_no_step_of_the_papers_scenes_fails)
{
    glob_t files;
    CHECK_INT(glob("scenes/seeds/igms-*.xml", 0, NULL, &files), 0);
    for (size_t k = 0; k < files.gl_pathc; k++) {
        const utMjcfDef how = ut_mjcf_def();
        utModelDef* def = NULL;
        utModel* model = NULL;
        CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
        CHECK_INT(ut_mjcf_load(files.gl_pathv[k], &how, def, NULL, NULL), UT_OK);
        CHECK_INT(ut_model_compile(def, NULL, &model, NULL), UT_OK);
        ut_model_def_destroy(def);
        for (double tolerance = 1e-4; tolerance > 0.5e-6; tolerance *= 0.01) {
            const Ran ran = run(model, &(How){-1, -1, 0.0, tolerance}, 0.5);
            if (!CHECK_INT(ran.failed, 0)) {
                test_note("%s", files.gl_pathv[k]);
            }
        }
        ut_model_destroy(model);
    }
    globfree(&files);
}
