// SPDX-License-Identifier: Apache-2.0
// Row G38: "the ball eventually comes to a stop" (Son, Trinkle and Amato, section 5). With Coulomb friction alone
// a ball that rolls has no slip, and rolls on at 5/7 of its speed. Rolling friction stops it.
//
// A solid ball is thrown along the floor without spin. With g per mass, mu, and rho = rolling/R it
//
//     slides   v = v0 - mu g t,  R w = 5/2 (mu - rho) g t     until v = R w, t1 = v0 / ((7/2 mu - 5/2 rho) g)
//     rolls    v = v1 - 5/7 rho g t                           over v1^2 / (2 5/7 rho g)
//
// Steps move at the velocity of their end: over a motion from v0 to rest this is h v0 / 2 less.
#include "cases.h"

static const double H = 0.002, R = 0.1, SPEED = 3.0, FRICTION = 0.3;

static Lab thrown_ball(double rolling, int* ball)
{
    Lab lab = lab_open(H);
    lab_floor(&lab, FRICTION);
    *ball = lab_body(&lab, "ball", ut_vec3(0, 0, R));
    lab_free(&lab, *ball);
    utGeomDef geom = ut_geom_def(*ball, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0));
    geom.friction = FRICTION;
    geom.condim = rolling > 0.0 ? 6 : 3;
    geom.torsional = 0.0;
    geom.rolling = rolling;
    CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    lab_start(&lab);
    lab_velocity(&lab, 0, SPEED);
    return lab;
}

TEST(G38_a_ball_rolls_on_for_ever_with_coulomb_friction_alone)
{
    int ball;
    Lab lab = thrown_ball(0.0, &ball);
    utStepResult result;
    for (int k = 0; k < 5000; k++) {
        lab_step(&lab, NULL, &result);
    }
    CHECK_NEAR(ut_sim_body(lab.sim, ball).velocity.x, 5.0 / 7.0 * SPEED, 1e-6);
    lab_end(&lab);
}

TEST(G38_rolling_friction_stops_the_ball_at_the_closed_forms_distance)
{
    static const double rolling[] = {0.004, 0.01};
    for (int k = 0; k < 2; k++) {
        const double rho = rolling[k] / R;
        const double t1 = SPEED / ((3.5 * FRICTION - 2.5 * rho) * GRAVITY);
        const double v1 = SPEED - FRICTION * GRAVITY * t1, a = 5.0 / 7.0 * rho * GRAVITY;
        const double want = 0.5 * (SPEED + v1) * t1 + v1 * v1 / (2.0 * a) - 0.5 * H * SPEED;
        const double time = t1 + v1 / a;
        int ball;
        Lab lab = thrown_ball(rolling[k], &ball);
        utStepResult result;
        while (ut_sim_time(lab.sim) < time + 0.1) {
            lab_step(&lab, NULL, &result);
        }
        const utBodyState state = ut_sim_body(lab.sim, ball);
        // the ends of sliding and rolling lie within a step
        CHECK_NEAR(state.com.x, want, FRICTION * GRAVITY * H * H);
        CHECK_NEAR(ut_vec3_norm(state.velocity), 0.0, 1e-9);
        CHECK_NEAR(ut_vec3_norm(state.angular), 0.0, 1e-8);
        test_note("rolling friction %g m: stops after %.4f s at %.6f m, %.6f m by the closed form",
                  rolling[k], time, state.com.x, want);
        lab_end(&lab);
    }
}
