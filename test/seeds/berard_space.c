// SPDX-License-Identifier: Apache-2.0
// The recipes in space: block, pendulum, belt, spring and pusher.
#include "berard.h"

// How far the bodies of two runs are apart, in places and velocities, and how far out of the plane.
static double apart(const utSim* space, const utSim* plane, double* out)
{
    static const char* const names[] = {"C", "A", "B"};
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        const Pose a = scene_pose(space, names[k]), b = scene_pose(plane, names[k]);
        const utBodyState s = ut_sim_body(space, ut_model_find_body(ut_sim_model(space), names[k]));
        *out = fmax(*out, fmax(fabs(s.com.z), fabs(s.velocity.z)));
        *out = fmax(*out, fmax(fabs(s.angular.x), fabs(s.angular.y)));
        for (int i = 0; i < 3; i++) {
            if (i < 2 || strcmp(names[k], "B") != 0 || ut_sim_model(plane)->nspring == 0) {
                most = fmax(most, fabs(a.q[i] - b.q[i])); // a particle has no angle
            }
            most = fmax(most, i < 2 ? fabs(a.v[i] - b.v[i]) : 0.0);
        }
    }
    return most;
}

// By how much two neighbouring motions of a planar scene come apart in 2 s.
static double growth(const utModel* model)
{
    const double nudge = 1e-7;
    utSim* one = scene_sim(model, 0.0);
    utSim* two = scene_sim(model, 0.0);
    double v[RECIPE_NU] = {nudge, 0}, most = 0.0, out = 0.0;
    CHECK_INT(ut_sim_set(two, 0.0, NULL, v, NULL), UT_OK);
    for (int k = 0; k < 200; k++) {
        scene_step(one);
        scene_step(two);
        most = fmax(most, apart(one, two, &out));
    }
    ut_sim_destroy(one);
    ut_sim_destroy(two);
    return most / nudge;
}

// Both runs have the same scheme, and by symmetry the same solution: the feet on both sides of the
// plane carry the same, and slip along x is slip along one of the eight directions. So only
// rounding tells them apart: 1e-12 m/s a step, as the certificates allow for E = 1e-11 and V = g h,
// times how neighbouring motions come apart.
static void check_plane(const char* name, const char* flat, bool maximal)
{
    utModel* model = scene_load(name, maximal);
    utModel* plane_model = scene_load(flat, maximal);
    utSim* space = scene_sim(model, 0.0);
    utSim* plane = scene_sim(plane_model, 0.0);
    const double bound = 200.0 * 1e-12 * fmax(growth(plane_model), 1.0);
    double most = 0.0, out = 0.0, drift = 0.0;
    for (int k = 0; k < 200; k++) {
        drift = fmax(drift, scene_step(space).report.drift);
        scene_step(plane);
        most = fmax(most, apart(space, plane, &out));
    }
    CHECK(bound <= 2e-8);
    CHECK(most <= bound);
    CHECK(out <= bound);
    CHECK(drift <= 15.0 * 1e-4);
    test_note(
        "%s, %s: within %.1e of the plane's run (%.1e allowed), out of it by %.1e, drift %.2f h^2",
        name, maximal ? "maximal" : "generalized", most, bound, out, drift / 1e-4);
    ut_sim_destroy(space);
    ut_sim_destroy(plane);
    ut_model_destroy(model);
    ut_model_destroy(plane_model);
}

TEST(B43_in_a_plane_space_moves_as_the_plane)
{
    for (int maximal = 0; maximal < 2; maximal++) {
        check_plane("3d-4.5", "4.5", maximal == 1);
        check_plane("3d-4.6", "4.6", maximal == 1);
    }
}

typedef struct Turned {
    double at[3][3]; // places of C and of both rods
    double drift, gap, excess, aside;
} Turned;

static Turned turned(bool maximal, double h, double time)
{
    static const char* const names[] = {"C", "pivot", "elbow"};
    Turned run = {0};
    utModel* model = scene_load("3d-turned", maximal);
    utSim* sim = scene_sim(model, h);
    for (int k = 0; k < (int)lround(time / h); k++) {
        const utStepResult result = scene_step(sim);
        run.drift = fmax(run.drift, result.report.drift);
        for (int i = 0; i < result.report.contacts; i++) {
            const utContact* c = &result.report.contact[i];
            run.gap = fmin(run.gap, c->gap);
            run.excess = fmax(run.excess, hypot(c->r[1], c->r[2]) - c->mu * c->r[0]);
        }
    }
    for (int k = 0; k < 3; k++) {
        const utVec3 com = ut_sim_body(sim, ut_model_find_body(model, names[k])).com;
        memcpy(run.at[k], (double[]){com.x, com.y, com.z}, sizeof run.at[k]);
        run.aside = fmax(run.aside, fabs(com.z));
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    return run;
}

// Everything out of the plane: every step is certified (scene_step), within the bounds of the
// plane.
TEST(B43_out_of_the_plane_steps_are_certified)
{
    for (int maximal = 0; maximal < 2; maximal++) {
        const Turned run = turned(maximal == 1, 0.01, 2.0);
        CHECK(run.excess <= 1e-12);
        CHECK(run.gap >= -0.5 * 1e-4);
        CHECK(run.drift <= 15.0 * 1e-4);
        CHECK(run.aside > 0.05);
        test_note("%s: cone excess %.0e N s, gap %.2f h^2, drift %.2f h^2, %.2f m aside",
                  maximal == 1 ? "maximal" : "generalized", run.excess, run.gap / 1e-4,
                  run.drift / 1e-4, run.aside);
    }
}

// With three velocities of the pendulum more than in the plane both coordinates still tend to the
// same places: what tells them apart halves with h.
TEST(B43_out_of_the_plane_both_coordinates_agree)
{
    double last = 0.0;
    for (int level = 0; level < 4; level++) {
        const double h = 0.01 / (1 << level);
        const Turned a = turned(false, h, 0.5), b = turned(true, h, 0.5);
        double most = 0.0;
        for (int k = 0; k < 9; k++) {
            most = fmax(most, fabs(a.at[k / 3][k % 3] - b.at[k / 3][k % 3]));
        }
        test_note("h = %g: %.2e m apart", h, most);
        CHECK(level == 0 || fabs(last / most - 2.0) <= 0.3);
        last = most;
    }
}
