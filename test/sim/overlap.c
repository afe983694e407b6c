// SPDX-License-Identifier: Apache-2.0
// Bodies that turn by a large fraction of a radian per step do not end the step with an overlap.
#include "physics/lab.h"
#include "support/model_text.h"

// A capsule on a floor without friction, spinning by 0.9 rad per step. Contacts without friction and
// restitution take energy, and the overlap with the floor is at most the allowed one: 1e-3 of the
// smaller size, here the radius about the rod's centre.
TEST(a_spinning_capsule_stays_out_of_the_floor_and_gains_no_energy)
{
    const double r = 0.1, half = 0.4, h = 0.01;
    Lab lab = lab_open(h);
    lab_floor(&lab, 0.0);
    const int body = lab_body(&lab, NULL, ut_vec3(0, 0, 1.5));
    lab_free(&lab, body);
    lab_geom(&lab, body, UT_SHAPE_CAPSULE, ut_vec3(r, half, 0), 1.0, 0.0);
    lab_start(&lab);
    lab_velocity(&lab, 2, -1.0);
    lab_velocity(&lab, 3, 52.7);
    lab_velocity(&lab, 4, 8.8);
    lab_velocity(&lab, 5, -68.2);
    double energy = ut_sim_energy(lab.sim), overlap = 0.0, gained = 0.0;
    for (int k = 0; k < 1000; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        overlap = fmax(overlap, result.max_penetration);
        gained = fmax(gained, ut_sim_energy(lab.sim) - energy);
    }
    CHECK(overlap <= 1e-3 * (r + half));
    // the projection lifts the rod by the overlap at most
    CHECK(ut_sim_energy(lab.sim) <= energy);
    CHECK(gained <= 1e-3 * energy);
    lab_end(&lab);
}

// Plates, rods and boxes tumble on a floor, several of them at once: a step that creates an overlap
// of more than 1e-2 of the smaller size is flagged.
TEST(tumbling_bodies_end_no_step_deep_in_each_other)
{
    static const struct {
        utShapeKind kind;
        utVec3 size;
    } forms[] = {
        {UT_SHAPE_BOX, {0.2, 0.2, 0.005}},       {UT_SHAPE_CAPSULE, {0.05, 0.15, 0}},
        {UT_SHAPE_BOX, {0.1, 0.05, 0.08}},       {UT_SHAPE_CYLINDER, {0.1, 0.01, 0}},
        {UT_SHAPE_ELLIPSOID, {0.1, 0.06, 0.03}},
    };
    enum { FORMS = 5, RUNS = 12, STEPS = 60 };
    const double largest = 0.2; // size of the smaller one of a pair: the capsule's radius
    utRng rng = ut_rng(5, 1);
    int flagged = 0, deep = 0;
    for (int run = 0; run < RUNS; run++) {
        Lab lab = lab_open(0.01);
        lab_floor(&lab, 0.5);
        for (int i = 0; i < FORMS; i++) {
            const int body = lab_body(&lab, NULL, ut_vec3(0, 0, 0.3 + 0.45 * i));
            lab_free(&lab, body);
            lab_geom(&lab, body, forms[i].kind, forms[i].size, 1.0, 0.5);
        }
        lab_start(&lab);
        double v[6 * FORMS];
        for (int k = 0; k < 6 * FORMS; k++) {
            v[k] = k % 6 < 3 ? ut_rng_range(&rng, -2, 2) : ut_rng_range(&rng, -30, 30);
        }
        lab_state(&lab, NULL, v);
        bool known = false; // an overlap that was flagged, until it is undone
        for (int n = 0; n < STEPS; n++) {
            utStepResult result;
            lab_step(&lab, NULL, &result);
            CHECK(result.certificate.passed);
            // the overlap at a step's start is the one that the step before created
            const bool is_deep = result.max_penetration > 1e-2 * largest;
            deep += is_deep && !known;
            known = result.outcome == UT_STEP_FLAGGED || (is_deep && known);
            flagged += result.outcome == UT_STEP_FLAGGED;
        }
        lab_close(&lab);
    }
    CHECK_INT(deep, 0);
    CHECK(flagged <= RUNS * STEPS / 100);
    test_note("%d of %d steps flagged", flagged, RUNS * STEPS);
}

// ---- edges between fixed geoms ------------------------------------------------------------------

// A weight slides down a ramp that ends within the floor. Before the edge between ramp and floor, the
// floor below the weight is inside the ramp. In the step that crosses the edge the floor must stop the
// weight all the same: without that, 0.6 mm of overlap remain at this speed and step.
TEST(a_box_that_slides_off_a_ramp_meets_the_floor_in_that_step)
{
    static const char text[] =
        "<mujoco><compiler angle='radian'/><default><geom friction='0.2'/></default><worldbody>"
        "<geom type='plane' size='5 5 .05'/>"
        "<geom type='box' size='.4 .2 .03' pos='0 0 .1' euler='0 0.3490658503988659 0'/>"
        "<body pos='.1 0 .2'><freejoint/><geom type='box' size='.015 .015 .015' mass='.03'/></body>"
        "</worldbody></mujoco>";
    utModel* model = test_model(text);
    utSim* sim = NULL;
    utError err = {0};
    CHECK_INT(ut_sim_create(model, NULL, &sim, &err), UT_OK);
    double deepest = 0.0, furthest = 0.0;
    for (int k = 0; k < 500; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK);
        CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
        deepest = fmax(deepest, result.max_penetration);
        furthest = fmax(furthest, ut_sim_body(sim, 1).com.x);
    }
    // over the edge at x = 0.367, on the floor; the certificate allows these overlaps
    test_note("deepest %.1e m, furthest %.3f m", deepest, furthest);
    CHECK(furthest > 0.4);
    CHECK(deepest <= 1e-3 * 0.015 * sqrt(3.0));
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
