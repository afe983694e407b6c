// SPDX-License-Identifier: Apache-2.0
// Small gaps that are closed before a step: what a step of a large pile does instead of failing.
#include <math.h>

#include "sim/step.h"
#include "sim/tolerances.h"
#include "support/make_sim.h"
#include "support/model_text.h"

// A ball of 1 kg 1e-7 m above a floor and one of 2 kg 2e-7 m above it; far from them balls of 1 and 2 kg side by side,
// 3e-7 m apart; and a ball 1e-4 m above the floor.
static const char text[] =
    "<mujoco><option timestep='0.01'/><worldbody>"
    "<geom name='floor' type='plane' size='5 5 0.1'/>"
    "<body pos='0 0 0.1000001'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>"
    "<body pos='0 0 0.3000003'><freejoint/><geom type='sphere' size='0.1' mass='2'/></body>"
    "<body pos='2 0 1'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>"
    "<body pos='2.2000003 0 1'><freejoint/><geom type='sphere' size='0.1' mass='2'/></body>"
    "<body pos='-2 0 0.1001'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>"
    "</worldbody></mujoco>";

enum { LOWER, UPPER, LEFT, RIGHT, HIGH, BALLS };

// A step that has found its contacts. The balls side by side approach each other.
static void set_up(utSim* sim, Step* step)
{
    double v[6 * BALLS] = {0.0};
    v[6 * LEFT] = 0.01;
    CHECK_INT(ut_sim_set(sim, 0.0, ut_sim_q(sim), v, NULL), UT_OK);
    CHECK_INT(ut_step_start(sim, 0.01, 0.01, 0.01, step), UT_OK);
    CHECK_INT(ut_step_input(step, NULL, NULL), UT_OK);
    CHECK_INT(ut_step_set_up(step), UT_OK);
}

// How far a ball moves along an axis.
static double moved(const Step* step, int ball, int axis)
{
    return step->q[7 * ball + axis] - step->start.q[7 * ball + axis];
}

// By hand: the floor does not move, so that the lower ball falls by its gap and the upper one by the sum of both. Of
// two free balls the displacement is shared in the inverse ratio of their masses. Each contact overlaps by the depth d.
// Positions of about 1 m are rounded to 1e-16 m, gaps are solved to 1e-6 of the largest one.
TEST(small_gaps_close_by_the_least_displacement)
{
    utModel* model = test_model(text);
    const utSimDef def = ut_sim_def();
    utSim* sim = make_sim(model, &def);
    Step step;
    set_up(sim, &step);
    const double most = 1e-6;
    const double d = CLOSING_DEPTH * most;
    const double rounding = 1e-6 * 3e-7 + 1e-15;
    CHECK(step.projection == NULL);
    step.closing = most;
    CHECK_INT(ut_step_close_gaps(&step), UT_OK);

    CHECK(step.projection != NULL);
    CHECK_NEAR(moved(&step, LOWER, 2), -(1e-7 + d), rounding);
    CHECK_NEAR(moved(&step, UPPER, 2), -(3e-7 + 2.0 * d), 2.0 * rounding);
    CHECK_NEAR(moved(&step, LEFT, 0), (3e-7 + d) * 2.0 / 3.0, rounding);
    CHECK_NEAR(moved(&step, RIGHT, 0), -(3e-7 + d) / 3.0, rounding);
    for (int axis = 0; axis < 3; axis++) {
        CHECK_NEAR(moved(&step, HIGH, axis), 0.0, 0.0); // its gap is not small
    }
    for (int i = 0; i < step.active.contacts; i++) {
        const double gap = step.active.contact[i].gap;
        CHECK(gap > 5e-5 || (gap <= 0.0 && gap > -2.0 * d));
    }
    CHECK(step.active.contacts >= 3);

    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(without_small_gaps_nothing_moves)
{
    utModel* model = test_model(text);
    const utSimDef def = ut_sim_def();
    utSim* sim = make_sim(model, &def);
    Step step;
    set_up(sim, &step);
    step.closing = 5e-8;
    CHECK_INT(ut_step_close_gaps(&step), UT_OK);
    CHECK(step.projection == NULL);
    for (int i = 0; i < model->nq; i++) {
        CHECK(step.q[i] == step.start.q[i]);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
