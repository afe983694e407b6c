// SPDX-License-Identifier: Apache-2.0
// A ball on a turntable. The table's surface moves by W z x x at x; the ball rolls on it. Friction
// p / m changes the velocity u of the ball's centre by p / m and that of its lowest point by
// 7/2 p / m for a solid ball, I = 2/5 m r^2, so with x, u as complex numbers of the plane
//
//     7/2 u' = i W u + 5/2 g_t
//
// for a slope g_t of the table's plane: on a level table the ball goes around a circle at 2/7 W,
// wherever it is; on one that leans it drifts across the slope at 5/2 g_t / W besides.
//
// A step makes the lowest point go with the table where the step begins, so that
//
//     u(n+1) = u(n) + 2/7 i W (x(n) - x(n-1)) + 5/7 g_t h,    x(n+1) = x(n) + h u(n+1)
//
// without an error besides those of the certificate and of the table, which the ball slows down.
#include "solids.h"

static const double H = 1e-3;
static const double R = 0.05;
static const double W = 10.0; // rad/s
enum { STEPS = 1000 };

// k = I / (m r^2); friction turns the ball's path by k / (1 + k) of the table's rate
typedef struct Ride {
    double k;
    double slope;            // m/s^2 along x
    double complex at, rate; // m, m/s
} Ride;

static Ride ride_after(const Ride* start, int steps)
{
    const double share = start->k / (1.0 + start->k);
    const double complex i = complex_of(0.0, 1.0);
    Ride ride = *start;
    double complex moved = 0.0; // it rolls already
    for (int n = 0; n < steps; n++) {
        ride.rate += share * i * W * moved + (1.0 - share) * start->slope * H;
        moved = H * ride.rate;
        ride.at += moved;
    }
    return ride;
}

// The table is a disc on a hinge, 1e6 kg m^2, the ball 1 kg; what it takes of the table's rate in a
// second is below 1e-7 of it.
static Lab table(const Trial* t, const Ride* start, int* ball)
{
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3(start->slope, 0, -G);
    const int disc = lab_solid(&lab, ut_vec3_zero(), ut_quat_identity(), 1e6, ut_vec3_zero(),
                               ut_vec3(1e6, 1e6, 1e6));
    utJointDef hinge = ut_joint_def(disc, UT_JOINT_HINGE);
    ut_model_def_joint(lab.def, &hinge);
    lab_geom(&lab, disc, UT_SHAPE_CYLINDER, ut_vec3(2.0, 0.1, 0), 1.0, 2.0);
    const double r = R * t->length, moment = start->k * R * R;
    const utVec3 at = ut_vec3(creal(start->at), cimag(start->at), 0.1 + r);
    *ball = lab_solid(&lab, at, ut_quat_identity(), t->mass, ut_vec3_zero(),
                      ut_vec3(moment, moment, moment));
    lab_free(&lab, *ball);
    lab_geom(&lab, *ball, UT_SHAPE_SPHERE, ut_vec3(r, 0, 0), 1.0, 2.0);
    lab_start(&lab);
    return lab;
}

// It rolls from the start: u + w x (0, 0, -r) = W z x x.
static void set_rolling(Lab* lab, const Ride* start)
{
    const double complex slip = complex_of(0.0, W) * start->at - start->rate;
    lab_velocity(lab, 0, W);
    lab_velocity(lab, 1, creal(start->rate));
    lab_velocity(lab, 2, cimag(start->rate));
    lab_velocity(lab, 4, cimag(slip) / R);
    lab_velocity(lab, 5, -creal(slip) / R);
}

// The circle itself, which drifts on a slope: with w = k / (1 + k) W and the drift d, i w d against
// the slope's pull, x = x0 + d t + (u0 - d) (exp(i w t) - 1) / (i w). A step does without its first
// turn, w h u0, goes on with the velocity of its end, and turns with an error of (w h)^2 / 2.
static void expect_circle(Trial* t, const Ride* start, double complex got)
{
    const double share = start->k / (1.0 + start->k), w = share * W, T = STEPS * H;
    const double complex iw = complex_of(0.0, w), drift = -(1.0 - share) * start->slope / iw;
    const double complex turning = (start->rate - drift) * (cexp(iw * T) - 1.0) / iw;
    const double complex want = start->at + drift * T + turning;
    const double circling = cabs(start->rate - drift) * (1.0 + 0.5 * w * T);
    const double bound = H * (2.0 * cabs(start->rate) + circling);
    EXPECT(t, creal(got), creal(want), bound);
    EXPECT(t, cimag(got), cimag(want), bound);
}

static void expect_ride(Trial* t, const Ride* start)
{
    int ball;
    Lab lab = table(t, start, &ball);
    set_rolling(&lab, start);
    lab_steps(&lab, STEPS, NULL, NULL);
    const Ride end = ride_after(start, STEPS);
    const utBodyState s = ut_sim_body(lab.sim, ball);
    const double far = 2.0; // m/s, the largest velocity
    const double bound = left_by(&lab, H * G) + 1e-7 * far;
    EXPECT(t, s.velocity.x, creal(end.rate), bound);
    EXPECT(t, s.velocity.y, cimag(end.rate), bound);
    EXPECT(t, s.com.x, creal(end.at), bound * H * STEPS);
    EXPECT(t, s.com.y, cimag(end.at), bound * H * STEPS);
    EXPECT(t, s.com.z, 0.1 + R, 1e-9);
    expect_circle(t, start, complex_of(s.com.x, s.com.y));
    lab_end(&lab);
}

CLOSED_FORM(a_ball_circles_on_a_turntable, OFF_MASS | OFF_LENGTH)
{
    const Ride start = {0.4, 0.0, complex_of(0.3, 0.0), complex_of(0.0, 0.5)};
    expect_ride(t, &start);
}

CLOSED_FORM(a_ball_drifts_across_a_leaning_turntable, OFF_MASS | OFF_LENGTH)
{
    const Ride start = {0.4, 0.5, complex_of(0.1, -0.2), complex_of(0.2, 0.1)};
    expect_ride(t, &start);
}

// k = 2/3: a hollow ball goes around at 2/5 W
CLOSED_FORM(a_hollow_ball_circles_faster, OFF_MASS | OFF_LENGTH)
{
    const Ride start = {2.0 / 3.0, 0.0, complex_of(0.0, 0.4), complex_of(0.3, 0.0)};
    expect_ride(t, &start);
}
