// SPDX-License-Identifier: Apache-2.0
// Small gaps that are closed before a step: what a step of a large pile does instead of failing.
#include <math.h>
#include <uptack/load.h>

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

// A step from the sim's state that has found its contacts.
static void find_contacts(utSim* sim, Step* step)
{
    const double h = 0.01;
    CHECK_INT(ut_step_start(sim, h, ut_sim_time(sim) + h, h, step), UT_OK);
    CHECK_INT(ut_step_input(step, NULL, NULL), UT_OK);
    CHECK_INT(ut_step_set_up(step), UT_OK);
}

// The same, while the balls side by side approach each other.
static void set_up(utSim* sim, Step* step)
{
    double v[6 * BALLS] = {0.0};
    v[6 * LEFT] = 0.01;
    CHECK_INT(ut_sim_set(sim, 0.0, ut_sim_q(sim), v, NULL), UT_OK);
    find_contacts(sim, step);
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
    step.attempt.closing = most;
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
    step.attempt.closing = 5e-8;
    CHECK_INT(ut_step_close_gaps(&step), UT_OK);
    CHECK(step.projection == NULL);
    for (int i = 0; i < model->nq; i++) {
        CHECK(step.q[i] == step.start.q[i]);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// The gap between two geoms, HUGE_VAL without a contact.
static double gap_of(const Step* step, int geom1, int geom2)
{
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        if (c->geom1 == geom1 && c->geom2 == geom2) {
            return c->gap;
        }
    }
    return HUGE_VAL;
}

// Close the gaps up to a length. Balls of radius R = 0.1 m move by a few such lengths d, also across their normals,
// which opens a gap again by d^2/2R: below 100 most^2 for d up to 4 most.
static void check_closing(utSim* sim, double most)
{
    Step step;
    utContact small[400];
    int count = 0;
    find_contacts(sim, &step);
    for (int i = 0; i < step.active.contacts && count < 400; i++) {
        const utContact* c = &step.active.contact[i];
        if (c->gap > 0.0 && c->gap <= most) {
            small[count++] = *c;
        }
    }
    CHECK(count > 10 && count < 400);
    step.attempt.closing = most;
    CHECK_INT(ut_step_close_gaps(&step), UT_OK);
    for (int i = 0; i < count; i++) {
        CHECK(gap_of(&step, small[i].geom1, small[i].geom2) <=
              CLOSING_DEPTH * most + 100.0 * most * most);
    }
    CHECK(step.projection != NULL);
}

// A bin of 96 balls has some 200 contacts in loops.
TEST(small_gaps_of_a_bin_of_balls_close)
{
    utModel* model = NULL;
    utError err;
    if (!CHECK_INT(ut_load("balls:4:6", &model, &err), UT_OK)) {
        return;
    }
    const double fall = 0.01 * 0.01 * 9.81;
    utSimDef def = ut_sim_def();
    def.dt = 0.01;
    utSim* sim = make_sim(model, &def);
    while (ut_sim_time(sim) < 1.2 && CHECK_INT(ut_sim_step(sim, NULL, NULL, &err), UT_OK)) {
    }
    check_closing(sim, 1e-4 * fall);
    check_closing(sim, 1e-3 * fall);
    check_closing(sim, 1e-2 * fall);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
