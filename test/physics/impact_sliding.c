// SPDX-License-Identifier: Apache-2.0
// From sliding to rolling where nothing bounces: a ball that lies on the floor and slips.
//
// Friction mu m g changes v by mu g a second and the slip u = v - R w by 7/2 of that, so that it
// rolls after 2 |u|/(7 mu g), at v - 2/7 u = (5 v + 2 R w)/7. Accelerations are constant and the
// step in which slip ends takes what is left of it: steps make no error. Along a vertex of the
// friction polygon, the first of which is x, the polygon is as wide as the circle.
#include "impact_lab.h"

static const double R = 0.1;
static const double STEP = 0.002;

static void slide(Trial* t, utFormulation formulation, double e, double v0, double w0)
{
    const double mu = 0.3, slip = fabs(v0 - R * w0);
    const double until = 2.0 * slip / (7.0 * mu * G), rolls = (5.0 * v0 + 2.0 * R * w0) / 7.0;
    Lab lab = impact_open(formulation, STEP, 0.1);
    lab_floor(&lab, mu * t->mu);
    const double radius = R * t->length;
    const int ball = impact_ball(&lab, ut_vec3(0, 0, radius), radius, 3.0, mu * t->mu, e);
    lab_start(&lab);
    const double v[6] = {v0, 0, 0, 0, w0, 0};
    lab_state(&lab, NULL, v);

    int steps = 0;
    utBodyState s;
    do {
        lab_steps(&lab, 1, NULL, NULL);
        steps++;
        s = ut_sim_body(lab.sim, ball);
    } while (fabs(s.velocity.x - radius * s.angular.y) > 1e-9 && steps < 1000);
    EXPECT(t, steps * STEP, until + 0.5 * STEP, 0.5 * STEP);
    lab_steps(&lab, 50, NULL, NULL);
    s = ut_sim_body(lab.sim, ball);
    EXPECT(t, s.velocity.x, rolls, EXACT);
    EXPECT(t, s.angular.y * R, rolls, EXACT);
    EXPECT(t, s.com.z, R, EXACT);
    lab_end(&lab);
}

static const utFormulation STEADY[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_COULOMB};

// One that could bounce and does not close behaves as one that cannot.
CLOSED_FORM(sliding_ends_at_five_sevenths_in_the_step_that_has_its_moment, OFF_MU | OFF_LENGTH)
{
    for (int k = 0; k < 4; k++) {
        slide(t, STEADY[k % 2], k < 2 ? 0.0 : 0.8, 2.0, 0.0);
    }
}

// (5 v0 - 2 R w0)/7 = -3/7 m/s
CLOSED_FORM(strong_backspin_returns_a_sliding_ball, OFF_MU | OFF_LENGTH)
{
    for (int k = 0; k < 4; k++) {
        slide(t, STEADY[k % 2], k < 2 ? 0.0 : 0.8, 1.0, -4.0 / R);
    }
}

// and topspin of 3 m/s on 1 m/s speeds it up to 11/7
CLOSED_FORM(topspin_speeds_a_ball_up, OFF_MU | OFF_LENGTH)
{
    for (int k = 0; k < 2; k++) {
        slide(t, STEADY[k], 0.0, 1.0, 3.0 / R);
    }
}
