// SPDX-License-Identifier: Apache-2.0
// The velocity scale V of an island: h |g|, or 1e-5 of the largest speed of a contact or joint where that
// is larger.
#include "physics/lab.h"

static const double RADIUS = 0.5;
static const double G = 10.0;

// Two touching balls fly along and turn together about their contact, so that relative velocities are 0
// and V is its lower bound. @return V of their island
static double scale_of(double h, double g, double v, double w)
{
    Lab lab = lab_open(h);
    lab.options.gravity = ut_vec3(0, 0, -g);
    lab_ball(&lab, ut_vec3(0, 0, 0), RADIUS, 1.0, 0.5);
    lab_ball(&lab, ut_vec3(2.0 * RADIUS, 0, 0), RADIUS, 1.0, 0.5);
    lab_start(&lab);
    for (int ball = 0; ball < 2; ball++) {
        lab_velocity(&lab, 6 * ball + 1, v + (ball == 0 ? -w * RADIUS : w * RADIUS));
        lab_velocity(&lab, 6 * ball + 5, w);
    }
    utStepResult result;
    lab_step(&lab, NULL, &result);
    const double V = CHECK_INT(result.report.islands, 1) ? result.report.island[0].V : 0.0;
    CHECK(result.certificate.passed);
    lab_end(&lab);
    return V;
}

TEST(V_of_bodies_that_fly_together_is_by_gravity_or_by_their_speed)
{
    const struct {
        double h, v, w;
    } cases[] = {
        {1e-3, 0.0, 0.0},   // h g = 1e-2
        {1e-3, 100.0, 0.0}, // 1e-5 v = 1e-3
        {1e-3, 490.0, 0.0}, // up to a speed of 1000 m/s h g counts
        {1e-3, 999.0, 0.0}, {1e-3, 1001.0, 0.0}, {1e-3, 3000.0, 0.0}, {1e-6, 2.0, 0.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double fall = cases[k].h * G;
        const double speed = hypot(cases[k].v, fall);
        const double V = scale_of(cases[k].h, G, cases[k].v, cases[k].w);
        CHECK_NEAR(V, fmax(fall, 1e-5 * speed), 1e-12 * V);
    }
    CHECK_NEAR(scale_of(1e-3, 0.0, 0.0, 0.0), 1e-9, 0.0);
}

// Without translation the fastest points are the centres: the anchors of the free joints. Their joints turn
// at w, times a reach of one radius.
TEST(V_counts_rotation)
{
    const double w = 2.0;
    const double V = scale_of(1e-9, 0.0, 0.0, w);
    CHECK_NEAR(V, 1e-5 * w * RADIUS, 1e-9 * V);
}
