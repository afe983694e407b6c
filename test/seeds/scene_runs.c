// SPDX-License-Identifier: Apache-2.0
// The scenes of Tan, Siu and Liu, of Pfrommer, and of Peiret, Kövecses and Font-Llagunes as they stand in
// scenes/seeds, with the numbers of their papers' rows or by hand.
#include "igms_impacts.h"

static const double STEP = 0.01; // of all these scenes, s

// A scene with some of its settings changed, in its first keyframe if it has one.
static Lab scene(const char* name, const char* settings)
{
    char path[96];
    snprintf(path, sizeof path, "scenes/seeds/%s.xml", name);
    return igms_file(path, settings);
}

static utStepResult step(Lab* lab)
{
    utStepResult result;
    lab_step(lab, NULL, &result);
    return result;
}

// ---- Pfrommer -----------------------------------------------------------------------------------

TEST(F1_the_scene_of_the_falling_block)
{
    Lab lab = scene("pfrommer-falling", "");
    for (int k = 1; k <= 50; k++) {
        const utStepResult result = step(&lab);
        const double force = result.report.contact[0].r[0] / STEP;
        const double want = k < 45 ? 0.0 : k == 45 ? 153.35 : k == 46 ? 297.91 : GRAVITY;
        CHECK_NEAR(force, want, k < 47 ? 5e-3 : 1e-9);
        if (k == 45) {
            CHECK_NEAR(ut_sim_v(lab.sim)[0], -2.881, 5e-4);
        }
    }
    lab_end(&lab);
}

TEST(F4_the_scene_of_the_sliding_block)
{
    Lab lab = scene("pfrommer-sliding", "");
    double friction = 0.0;
    for (int k = 1; k <= 21; k++) {
        CHECK(k == 1 || ut_sim_v(lab.sim)[0] > 0.0);
        friction = -step(&lab).report.contact[0].r[1] / STEP;
    }
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 0.0, 1e-12);
    CHECK_NEAR(ut_sim_q(lab.sim)[0], 0.096995, 5e-7);
    CHECK_NEAR(fabs(friction), 1.9, 1e-9); // of the last step, which takes what is left
    lab_end(&lab);
}

// From rest u = 4 is less than mu g = 4.905, and u = 6 is more.
TEST(F6_the_scene_of_the_sliding_block_sticks_and_slides)
{
    for (int k = 0; k < 2; k++) {
        Lab lab = scene("pfrommer-sliding",
                        k == 0 ? "option.gravity=4 0 -9.81" : "option.gravity=6 0 -9.81");
        CHECK_INT(ut_sim_reset(lab.sim, -1, NULL), UT_OK);
        step(&lab);
        CHECK_NEAR(ut_sim_v(lab.sim)[0], k == 0 ? 0.0 : 0.01095, 1e-12);
        lab_end(&lab);
    }
}

TEST(F8_the_scene_of_the_block_that_slides_both_ways)
{
    for (int key = 0; key < 2; key++) {
        Lab lab = scene("pfrommer-bidirectional", "");
        CHECK_INT(ut_sim_reset(lab.sim, key, NULL), UT_OK);
        step(&lab);
        CHECK_NEAR(ut_sim_v(lab.sim)[0], key == 0 ? 0.95095 : -0.95095, 1e-12);
        lab_end(&lab);
    }
}

// ---- Peiret, Kövecses, Font-Llagunes ------------------------------------------------------------

// The load (6, 0) leaves 6 - 4.905, and (4, 4) with four lines 4 - 4.905/sqrt(2) on each axis.
TEST(P7_the_scene_of_the_loaded_block)
{
    for (int k = 0; k < 2; k++) {
        Lab lab = scene("peiret-block", k == 0 ? "" : "option.gravity=4 4 -9.81");
        step(&lab);
        const double* v = ut_sim_v(lab.sim);
        const double along = 4.0 - 0.5 * GRAVITY * sqrt(0.5);
        CHECK_NEAR(v[0] / STEP, k == 0 ? 6.0 - 0.5 * GRAVITY : along, 1e-10);
        CHECK_NEAR(v[1] / STEP, k == 0 ? 0.0 : along, 1e-10);
        CHECK_NEAR(v[2], 0.0, 1e-13);
        lab_end(&lab);
    }
}

// Each end carries half of 2 kg.
TEST(P19_the_scene_of_the_rod_on_its_ends)
{
    Lab lab = scene("peiret-rod", "");
    for (int k = 0; k < 10; k++) {
        const utStepResult result = step(&lab);
        CHECK_INT(result.report.contacts, 2);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(result.report.contact[i].r[0] / STEP, GRAVITY, 1e-9);
        }
    }
    lab_end(&lab);
}

// ---- Tan, Siu, Liu ------------------------------------------------------------------------------

// The four corners carry the weight. Slip along (1, 0.3) is nearest to the first of eight directions, along
// which the friction 0.5 g acts; the speed along y stays.
TEST(D9_the_scene_of_the_sliding_box)
{
    Lab lab = scene("dart-box", "");
    for (int k = 1; k <= 5; k++) {
        const utStepResult result = step(&lab);
        double sum = 0.0;
        for (int i = 0; i < result.report.contacts; i++) {
            sum += result.report.contact[i].r[0] / STEP;
        }
        CHECK_NEAR(sum, GRAVITY, 1e-9);
        CHECK_NEAR(ut_sim_v(lab.sim)[0], 1.0 - 0.5 * GRAVITY * STEP * k, 1e-9);
        CHECK_NEAR(ut_sim_v(lab.sim)[1], 0.3, 1e-9);
    }
    lab_end(&lab);
}

// 1 kg at (0, 0, -1) and 0.5 kg at (0.3, -0.7, -0.2) m/s fall on the slab of 5 kg.
TEST(D6_the_scene_of_three_systems_keeps_its_momentum)
{
    Lab lab = scene("dart-three-systems", "");
    static const double mass[3] = {5.0, 1.0, 0.5}, momentum[3] = {0.15, -0.35, -1.1};
    const utStepResult first = step(&lab);
    CHECK_INT(first.report.contacts, 4);
    for (int k = 0; k < 50; k++) {
        for (int axis = 0; axis < 3; axis++) {
            double sum = 0.0;
            for (int body = 0; body < 3; body++) {
                sum += mass[body] * ut_sim_v(lab.sim)[6 * body + axis];
            }
            CHECK_NEAR(sum, momentum[axis], 1e-12);
        }
        step(&lab);
    }
    lab_end(&lab);
}

// Without a gap term the tip leaves the ground or enters it by h^2 v^2 / (2 l) per step, which is 1.4e-5 m
// for v = 0.5 rad/s 0.87 m and links of l = 0.7 m together: below 1e-3 m in 50 steps.
TEST(D25_the_scene_of_the_arm_drags_its_tip_over_the_ground)
{
    Lab lab = scene("dart-arm", "");
    for (int k = 0; k < 50; k++) {
        const utStepResult result = step(&lab);
        CHECK(result.report.contacts <= 1);
        if (k == 0 && CHECK_INT(result.report.contacts, 1)) {
            CHECK(result.report.contact[0].r[0] > 0.0);
            CHECK_NEAR(result.report.contact[0].u[0], 0.0, 1e-12);
        }
        CHECK(result.max_penetration < 1e-3);
    }
    lab_end(&lab);
}
