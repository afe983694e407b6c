// SPDX-License-Identifier: Apache-2.0
// Equalities that cannot all hold, because a file has only so many digits: the linkage moves, and
// every step is certified.
#include "lab.h"

// A bar that hangs on three parallel cranks of 0.4 m and moves on a circle without turning;
// it has six rows where three would do; the middle crank is longer by 4e-8 m, so that the three ends are not in line.
static const char three_cranks[] =
    "<mujoco><default><joint axis='0 -1 0'/></default><worldbody>"
    "<body name='one'><joint name='one'/>"
    "<inertial pos='0 0 -.2' mass='.3' diaginertia='.004 .004 .0001'/>"
    "<body name='bar' pos='0 0 -.4'><joint name='bar'/>"
    "<inertial pos='.5 0 0' mass='1' diaginertia='.001 .08 .08'/>"
    "<site name='b2' pos='.5 0 0'/><site name='b3' pos='1 0 0'/></body></body>"
    "<body name='two' pos='.5 0 0'><joint name='two'/>"
    "<inertial pos='0 0 -.2' mass='.3' diaginertia='.004 .004 .0001'/>"
    "<site name='c2' pos='0 0 -.40000004'/></body>"
    "<body name='three' pos='1 0 0'><joint name='three'/>"
    "<inertial pos='0 0 -.2' mass='.3' diaginertia='.004 .004 .0001'/>"
    "<site name='c3' pos='0 0 -.4'/></body></worldbody>"
    "<equality><connect site1='c2' site2='b2'/><connect site1='c3' site2='b3'/></equality>"
    "<keyframe><key qpos='.1 -.1 .1 .1'/></keyframe></mujoco>";

static const double H = 0.001;

// The cranks turn together as one pendulum: with the moments of inertia .004 + .3 .2^2 = .016 of a
// crank about its pivot and 1 .4^2 of the bar, I = .208 kg m^2; the weight has the moment
// (3 .3 .2 + 1 .4) g sin(angle) = .58 g sin(angle). From rest at a = .1 the angle is a cos(w t) with
// w^2 = .58 g / I, less by 1 + a^2 / 16 of its length for the amplitude.
TEST(a_linkage_with_one_crank_too_many_swings)
{
    utModel* model = test_model(three_cranks);
    utSim* sim = NULL;
    const double time = 0.3, a = 0.1;
    const LabRun run = lab_run(model, UT_FORMULATION_COULOMB, H, time, &sim);
    const double w = sqrt(0.58 * 9.81 / 0.208) / (1.0 + a * a / 16.0);
    CHECK_INT(run.certified, run.steps);
    // one step of the fastest motion, because the steps are of first order
    CHECK_NEAR(ut_sim_q(sim)[0], a * cos(w * time), H * w * a);
    CHECK_NEAR(ut_sim_q(sim)[3], ut_sim_q(sim)[0], 1e-6);
    // the crank is too long by 4e-8 m
    CHECK(run.drift > 1e-9 && run.drift <= 4e-8);
    test_note("angle %.6f, by the formula %.6f; drift %.1e m, bilateral %.1e", ut_sim_q(sim)[0],
              a * cos(w * time), run.drift, run.bilateral);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// The certificate allows a compliance of 1e-7 of the mobility, and not twice as much.
TEST(equalities_that_give_way_too_much_fail)
{
    utModel* model = test_model(three_cranks);
    utSim* sim = NULL;
    utStepResult result;
    utCertificate certificate;
    utRow row[32];
    CHECK_INT(ut_sim_create(model, NULL, &sim, NULL), UT_OK);
    CHECK_INT(ut_sim_reset(sim, 0, NULL), UT_OK);
    CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
    if (CHECK(result.report.rows > 0 && result.report.rows <= 32)) {
        const int rows = result.report.rows;
        memcpy(row, result.report.row, (size_t)rows * sizeof *row);
        result.report.row = row;
        CHECK_INT(ut_certify(&result.report, 1e-8, test_arena(), &certificate), UT_OK);
        CHECK(certificate.passed);
        for (int j = 0; j < rows; j++) {
            CHECK(row[j].compliance > 0.0);
            row[j].compliance *= 2.0;
            CHECK_INT(ut_certify(&result.report, 1e-8, test_arena(), &certificate), UT_OK);
            CHECK_INT(certificate.reason, UT_REASON_BILATERAL);
            row[j].compliance *= 0.5;
        }
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
