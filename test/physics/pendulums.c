// SPDX-License-Identifier: Apache-2.0
// Pendulums and hanging chains. Symplectic Euler has a closed form of its own for x'' = -w^2 x:
// from rest, x_n = x_0 cos((n + 1/2) a) / cos(a / 2) with sin(a / 2) = w h / 2. Small swings of
// anything that hangs are such motions, mode by mode.
#include "closed_form.h"

static double swing(double w, double h, int n)
{
    const double a = 2.0 * asin(0.5 * w * h);
    return cos((n + 0.5) * a) / cos(0.5 * a);
}

// A body that hangs from its parent on a hinge about y, its centre of mass `com` below.
static int hang(Lab* lab, int parent, double below, double mass, double com, double moment)
{
    utBodyDef body = ut_body_def();
    body.parent = parent;
    body.pos = ut_vec3(0, 0, -below);
    body.inertial = true;
    body.mass = mass;
    body.com = ut_vec3(0, 0, -com);
    body.inertia = ut_mat3_diagonal(ut_vec3(moment, moment, moment));
    const int index = ut_model_def_body(lab->def, &body);
    utJointDef hinge = ut_joint_def(index, UT_JOINT_HINGE);
    hinge.axis = ut_vec3(0, 1, 0);
    ut_model_def_joint(lab->def, &hinge);
    return index;
}

// A thin rod of length L that hangs from its end: I = m L^2 / 3.
static int hang_rod(Lab* lab, int parent, double below, double mass, double L)
{
    return hang(lab, parent, below, mass, 0.5 * L, mass * L * L / 12.0);
}

// ---- one ----------------------------------------------------------------------------------------

// w^2 = 3 g / (2 L). sin x = x - x^3/6 leaves x0^2 / 16 of the phase: below x0^3 w t.
CLOSED_FORM(a_pendulum_has_its_period, OFF_LENGTH)
{
    enum { STEPS = 500 };
    const double L = 1.0, x0 = 1e-3, h = 0.01, w = sqrt(1.5 * G / L);
    Lab lab = lab_open(h);
    hang_rod(&lab, 0, 0.0, 1.0, L * t->length);
    lab_start(&lab);
    lab_state(&lab, &x0, NULL);
    lab_steps(&lab, STEPS, NULL, NULL);
    EXPECT(t, ut_sim_q(lab.sim)[0], x0 * swing(w, h, STEPS), x0 * x0 * x0 * w * h * STEPS);
    lab_end(&lab);
}

// From x0 = 2.5 rad a quarter of the period is pi / (2 w agm(1, cos(x0 / 2))). Symplectic Euler
// from rest is the leapfrog rule half a step later, which is off by (w h)^2 / 24 of a phase for
// small swings; six times that, times the largest rate 2 w, bounds where it is at the quarter.
CLOSED_FORM(a_wide_swing_takes_longer, OFF_LENGTH)
{
    enum { STEPS = 500 };
    const double L = 1.0, x0 = 2.5, w = sqrt(1.5 * G / L);
    double a = 1.0, b = cos(0.5 * x0);
    for (int k = 0; k < 40; k++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    const double quarter = PI / (2.0 * w * a), h = quarter / (STEPS + 0.5);
    Lab lab = lab_open(h);
    hang_rod(&lab, 0, 0.0, 1.0, L * t->length);
    lab_start(&lab);
    lab_state(&lab, &x0, NULL);
    lab_steps(&lab, STEPS, NULL, NULL);
    EXPECT(t, ut_sim_q(lab.sim)[0], 0.0, 2.0 * w * quarter * w * h * w * h / 4.0);
    lab_end(&lab);
}

// The first step from rest turns by h times the moment over I, exactly: 3 g / (2 L) when level.
CLOSED_FORM(a_level_rod_falls_by_its_moment, OFF_LENGTH)
{
    const double L = 1.0, h = 0.001, level = PI / 2.0;
    Lab lab = lab_open(h);
    hang_rod(&lab, 0, 0.0, 1.0, L * t->length);
    lab_start(&lab);
    lab_state(&lab, &level, NULL);
    lab_steps(&lab, 1, NULL, NULL);
    EXPECT(t, ut_sim_v(lab.sim)[0], -h * 1.5 * G / L, 1e-15);
    lab_end(&lab);
}

// Around a cone: hinges about z and y, a ball of 1 kg on 0.7 m, tilted by 0.6 rad. The rate has
// W^2 = g / (l cos) whatever the ball's own moment. Both velocities are constant, so that only
// rounding is left.
CLOSED_FORM(a_conical_pendulum_goes_around, OFF_LENGTH)
{
    enum { STEPS = 500 };
    const double l = 0.7, h = 0.001, tilt = 0.6, W = sqrt(G / (l * cos(tilt)));
    Lab lab = lab_open(h);
    const int bob = lab_solid(&lab, ut_vec3_zero(), ut_quat_identity(), 1.0,
                              ut_vec3(0, 0, -l * t->length), ut_vec3(0.01, 0.01, 0.01));
    for (int k = 0; k < 2; k++) {
        utJointDef hinge = ut_joint_def(bob, UT_JOINT_HINGE);
        hinge.axis = ut_vec3(0, k, 1 - k);
        ut_model_def_joint(lab.def, &hinge);
    }
    lab_start(&lab);
    const double q[2] = {0, tilt}, v[2] = {W, 0};
    lab_state(&lab, q, v);
    lab_steps(&lab, STEPS, NULL, NULL);
    EXPECT(t, ut_sim_q(lab.sim)[0], W * h * STEPS, 1e-9);
    EXPECT(t, ut_sim_q(lab.sim)[1], tilt, 1e-9);
    lab_end(&lab);
}

// ---- chains -------------------------------------------------------------------------------------

// Let go in a mode, every hinge swings alike. What is not linear: cubes of angles, which add up
// along the chain, to less than 10 x0 here.
static void expect_mode(Trial* t, Lab* lab, int n, const double* mode, double w)
{
    enum { STEPS = 250 };
    const double x0 = 1e-4, h = ut_sim_dt(lab->sim);
    double q[4] = {0}, largest = 0.0;
    for (int k = 0; k < n; k++) {
        largest = fmax(largest, fabs(mode[k]));
    }
    for (int k = 0; k < n; k++) {
        q[k] = x0 * mode[k] / largest;
    }
    lab_state(lab, q, NULL);
    lab_steps(lab, STEPS, NULL, NULL);
    for (int k = 0; k < n; k++) {
        EXPECT(t, ut_sim_q(lab->sim)[k], q[k] * swing(w, h, STEPS),
               1000.0 * x0 * x0 * x0 * (1.0 + w * h * STEPS));
    }
    lab_end(lab);
}

// Two equal rods: w^2 = x g / L with x^2 - 6 x + 27/7 = 0, and angles as x / 2 : 3/2 - 4/3 x, from
// (3/2 - 4/3 x) th1 = x/2 th2. The mass that may be off is the lower one's.
CLOSED_FORM(two_rods_swing_in_their_modes, OFF_MASS | OFF_LENGTH)
{
    const double L = 0.8, f = t->length;
    for (int k = 0; k < 2; k++) {
        const double x = 3.0 + (k == 0 ? -6.0 : 6.0) / sqrt(7.0);
        const double lower = (1.5 - 4.0 / 3.0 * x) / (0.5 * x);
        const double mode[2] = {1.0, lower - 1.0};
        Lab lab = lab_open(0.004);
        const int upper = hang_rod(&lab, 0, 0.0, 1.5, L * f);
        hang_rod(&lab, upper, L * f, 1.5 * t->mass, L * f);
        lab_start(&lab);
        expect_mode(t, &lab, 2, mode, sqrt(x * G / L));
    }
}

// n equal bobs on n equal threads: w^2 = x g / l where x is a zero of Laguerre's polynomial of
// degree n, and bob k from below is aside by the polynomial of degree k at x. Bobs are points: with
// a moment of 1e-9 m l^2 each.
static void bobs(Trial* t, int n, double x)
{
    const double l = 0.5, m = 2.0;
    double L[5] = {1.0, 1.0 - x}; // at x, of degrees 0 ... n
    for (int k = 1; k < n; k++) {
        L[k + 1] = ((2.0 * k + 1.0 - x) * L[k] - k * L[k - 1]) / (k + 1.0);
    }
    CHECK_NEAR(L[n], 0.0, 1e-12);
    Lab lab = lab_open(0.004);
    double mode[4], last = 0.0;
    int parent = 0;
    for (int k = 0; k < n; k++) {
        const double length = l * t->length, mass = m * (k == n - 1 ? t->mass : 1.0);
        parent = hang(&lab, parent, k == 0 ? 0.0 : length, mass, length, 1e-9 * m * l * l);
        const double angle = L[n - 1 - k] - L[n - k]; // thread k goes from there to here
        mode[k] = angle - last;
        last = angle;
    }
    lab_start(&lab);
    expect_mode(t, &lab, n, mode, sqrt(x * G / l));
}

CLOSED_FORM(two_bobs_swing_in_their_modes, OFF_MASS | OFF_LENGTH)
{
    bobs(t, 2, 2.0 - sqrt(2.0));
    bobs(t, 2, 2.0 + sqrt(2.0));
}

// x^3 - 9 x^2 + 18 x - 6 = 0: with x = 3 + y, y^3 - 9 y - 6 = 0, three real roots by the cosine
CLOSED_FORM(three_bobs_swing_in_their_modes, OFF_MASS | OFF_LENGTH)
{
    for (int k = 0; k < 3; k++) {
        const double angle = (acos(1.0 / sqrt(3.0)) - 2.0 * PI * k) / 3.0;
        bobs(t, 3, 3.0 + 2.0 * sqrt(3.0) * cos(angle));
    }
}
