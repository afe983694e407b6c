// SPDX-License-Identifier: Apache-2.0
// The frame of a body does not matter: the same body described in frames at several places moves the
// same way, up to rounding.
#include <stdio.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/sim.h>

#include "support/model_text.h"
#include "test.h"

enum { TEXT = 2048 };

// From the frame's origin to the centre of mass. The first is the reference.
static const utVec3 OFFSETS[] = {{0, 0, 0}, {0.5, 0, 0}, {0, -0.2, 0.7}, {0.3, 2.0, -0.4}};
enum { FRAMES = sizeof OFFSETS / sizeof *OFFSETS };

// The end of a run.
typedef struct End {
    utVec3 com, u, w;
    double energy;
    int steps; // certified ones
} End;

typedef struct Run {
    utFormulation formulation;
    utIntegrator integrator; // zero: EULER
    bool maximal;
    double h;
    int steps;
} Run;

static utModel* read_model(const char* text, bool maximal)
{
    utModel *model = test_model(text), *other = NULL;
    utError err = {0};
    if (maximal) {
        if (!CHECK_INT(ut_model_maximal(model, NULL, &other, &err), UT_OK)) {
            test_note("%s", err.message);
        }
        ut_model_destroy(model);
    }
    return maximal ? other : model;
}

static End make_run(const char* text, const Run* run)
{
    utModel* model = read_model(text, run->maximal);
    utSim* sim = NULL;
    utError err = {0};
    utSimDef def = ut_sim_def();
    def.dt = run->h;
    def.formulation = run->formulation;
    def.integrator = run->formulation == UT_FORMULATION_HYBRID ? -1 : (int)run->integrator;
    CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_OK);
    CHECK_INT(ut_sim_reset(sim, 0, &err), UT_OK);
    End end = {0};
    for (int i = 0; i < run->steps; i++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK);
        end.steps += result.outcome == UT_STEP_CERTIFIED;
    }
    const utBodyState body = ut_sim_body(sim, 1);
    end.com = body.com;
    end.u = body.velocity;
    end.w = body.angular;
    end.energy = ut_sim_energy(sim);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    return end;
}

static void check_same(const End* one, const End* two, double tolerance)
{
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(one->com, two->com)), 0.0, tolerance);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(one->u, two->u)), 0.0, tolerance);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(one->w, two->w)), 0.0, tolerance);
}

// ---- flight -------------------------------------------------------------------------------------

// A body that tumbles, and one with a second body on a hinge, thrown from the origin.
static void thrown(utVec3 c, bool tree, char* text)
{
    const utVec3 u = ut_vec3(1, 2, 3), w = ut_vec3(3, 5, 1);
    const utVec3 v = ut_vec3_sub(u, ut_vec3_cross(w, c));
    char child[512] = "";
    if (tree) {
        snprintf(child, sizeof child,
                 "<body pos='%.17g %.17g %.17g'><joint type='hinge' axis='0 1 0'/>"
                 "<inertial pos='0.1 0 0.2' mass='0.5' diaginertia='.01 .02 .015'/></body>",
                 c.x + 0.1, c.y, c.z - 0.2);
    }
    snprintf(text, TEXT,
             "<mujoco><option gravity='0 0 -9.81'/><worldbody>"
             "<body pos='%.17g %.17g %.17g'><freejoint/>"
             "<inertial pos='%.17g %.17g %.17g' mass='2' diaginertia='.1 .2 .25'/>%s</body>"
             "</worldbody><keyframe><key qpos='%.17g %.17g %.17g 1 0 0 0%s' "
             "qvel='%.17g %.17g %.17g 3 5 1%s'/></keyframe></mujoco>",
             -c.x, -c.y, -c.z, c.x, c.y, c.z, child, -c.x, -c.y, -c.z, tree ? " 0.3" : "", v.x, v.y,
             v.z, tree ? " -2" : "");
}

// A step rounds positions of some metres, frame and arm, in some ten operations: 10 eps 20 m. Errors
// of velocities grow to that times the number of steps.
TEST(a_frame_off_the_centre_of_mass_flies_the_same_way)
{
    for (int k = 0; k < 2 * UT_INTEGRATOR_COUNT; k++) {
        const bool tree = k >= UT_INTEGRATOR_COUNT;
        const Run run = {.formulation = UT_FORMULATION_COULOMB,
                         .integrator = (utIntegrator)(k % UT_INTEGRATOR_COUNT),
                         .h = 0.005,
                         .steps = 200};
        const double rounding = 10 * DBL_EPSILON * 20 * run.steps;
        char text[TEXT];
        End end[FRAMES];
        for (int i = 0; i < FRAMES; i++) {
            thrown(OFFSETS[i], tree, text);
            end[i] = make_run(text, &run);
            CHECK_INT(end[i].steps, run.steps);
            check_same(&end[i], &end[0], rounding);
        }
        test_note("%-8s %s: off by %.1e m", ut_integrator_name(run.integrator),
                  tree ? "a tree" : "one body", ut_vec3_norm(ut_vec3_sub(end[3].com, end[0].com)));
    }
}

// ---- rolling ------------------------------------------------------------------------------------

static void rolling(utVec3 c, bool flat, char* text)
{
    // the ball's centre is at (0, 0, 0.1) with velocity (1, 0, 0), and it turns by 10 rad/s about y
    const utVec3 v = ut_vec3(1 - 10 * c.z, 0, 10 * c.x);
    char key[512];
    if (flat) {
        snprintf(key, sizeof key, "qpos='%.17g %.17g 0' qvel='%.17g %.17g -10'", -c.x, 0.1 - c.z,
                 v.x, v.z);
    } else {
        snprintf(key, sizeof key, "qpos='%.17g %.17g %.17g 1 0 0 0' qvel='%.17g 0 %.17g 0 10 0'",
                 -c.x, -c.y, 0.1 - c.z, v.x, v.z);
    }
    snprintf(text, TEXT,
             "<mujoco xmlns:ut='urn:uptack'><option gravity='0 0 -9.81'%s/><worldbody>"
             "<geom type='plane' size='0 0 1' friction='.5'/>"
             "<body pos='%.17g %.17g %.17g'><freejoint/><geom type='sphere' size='.1' "
             "pos='%.17g %.17g %.17g' mass='1' friction='.5'/></body></worldbody>"
             "<keyframe><key %s/></keyframe></mujoco>",
             flat ? " ut:planar='xz'" : "", -c.x, -c.y, 0.1 - c.z, c.x, c.y, c.z, key);
}

// 1 m in 1 s whatever the frame. A step is solved to E = 1e-8 of V = h g, 200 of them to 1e-7 m/s.
TEST(a_ball_rolls_on_whatever_its_frame)
{
    static const utFormulation formulations[] = {UT_FORMULATION_COULOMB,
                                                 UT_FORMULATION_STEWART_TRINKLE,
                                                 UT_FORMULATION_STEWART_TRINKLE_VELOCITY,
                                                 UT_FORMULATION_ANITESCU_POTRA,
                                                 UT_FORMULATION_PEIRET,
                                                 UT_FORMULATION_PEIRET_ACCELERATION,
                                                 UT_FORMULATION_HYBRID};
    for (size_t k = 0; k < sizeof formulations / sizeof *formulations; k++) {
        for (int i = 0; i < 2 * FRAMES; i++) {
            const Run run = {.formulation = formulations[k], .h = 0.005, .steps = 200};
            char text[TEXT];
            rolling(OFFSETS[i / 2], i % 2 == 1, text);
            const End end = make_run(text, &run);
            CHECK_INT(end.steps, run.steps);
            CHECK_NEAR(end.u.x, 1.0, 1e-7);
            CHECK_NEAR(end.com.x, 1.0, 1e-7);
            CHECK_NEAR(end.com.z, 0.1, 1e-7);
            CHECK_NEAR(end.w.y, 10.0, 1e-6);
        }
    }
}

// ---- a pendulum in maximal coordinates ----------------------------------------------------------

static void pendulum(utVec3 c, char* text)
{
    // the centre of mass hangs 1 m below the hinge at the origin
    snprintf(text, TEXT,
             "<mujoco><option gravity='0 0 -9.81'/><worldbody><body pos='%.17g %.17g %.17g'>"
             "<joint type='hinge' axis='0 1 0' pos='%.17g %.17g %.17g'/>"
             "<inertial pos='%.17g %.17g %.17g' mass='1' diaginertia='1e-3 1e-3 1e-3'/></body>"
             "</worldbody><keyframe><key qpos='2' qvel='0'/></keyframe></mujoco>",
             -c.x, -c.y, -1 - c.z, c.x, c.y, c.z + 1, c.x, c.y, c.z);
}

// Frames at the centre of mass, at the hinge and elsewhere. Rows hold to 1e-9 of V <= 10 m/s in
// each of the steps. Symplectic Euler in maximal coordinates loses energy and never gains any.
TEST(a_pendulum_in_maximal_coordinates_swings_the_same_way_in_every_frame)
{
    static const utVec3 places[] = {{0, 0, 0}, {0, 0, -1}, {0, 0, 0.5}, {0.3, 0.2, -0.4}};
    for (int k = 0; k < 2; k++) {
        const Run run = {.formulation =
                             k == 0 ? UT_FORMULATION_COULOMB : UT_FORMULATION_STEWART_TRINKLE,
                         .maximal = true,
                         .h = 0.01,
                         .steps = 970};
        End end[4];
        for (int i = 0; i < 4; i++) {
            char text[TEXT];
            pendulum(places[i], text);
            end[i] = make_run(text, &run);
            CHECK_INT(end[i].steps, run.steps);
            check_same(&end[i], &end[0], 1e-9 * 10 * run.steps);
            CHECK(end[i].energy <= -9.81 * cos(2.0) + 1e-9);
        }
        test_note("%s: %.6f J, off by %.1e m", ut_formulation_name(run.formulation), end[0].energy,
                  ut_vec3_norm(ut_vec3_sub(end[3].com, end[0].com)));
    }
}
