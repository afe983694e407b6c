// SPDX-License-Identifier: Apache-2.0
// Bodies that spin: heavy tops on a pivot, gyroscopes, and bodies that nothing turns.
//
// A symmetric top has moments A across and C along its axis, about the pivot, spins at s about its
// axis (precession included) and is pulled over by a moment `pull` times the sine of its tilt. It
// precesses at W without nodding when A cos(tilt) W^2 - C s W + pull = 0: slowly or fast.
#include "closed_form.h"

// ---- in gimbals ---------------------------------------------------------------------------------

// A body on three hinges, about z, then y, then z of the body: precession, tilt, spin. In these
// coordinates a steady precession has constant velocities, so steps of any length keep it exactly.
static Lab gimbals(double h, double mass, double com, double across, double along)
{
    Lab lab = lab_open(h);
    const int top = lab_solid(&lab, ut_vec3_zero(), ut_quat_identity(), mass, ut_vec3(0, 0, com),
                              ut_vec3(across, across, along));
    for (int k = 0; k < 3; k++) {
        utJointDef hinge = ut_joint_def(top, UT_JOINT_HINGE);
        hinge.axis = k == 1 ? ut_vec3(0, 1, 0) : ut_vec3(0, 0, 1);
        ut_model_def_joint(lab.def, &hinge);
    }
    lab_start(&lab);
    return lab;
}

// After some steps it has the same tilt and velocities and has gone around by W t. Rounding only:
// a step leaves 1e-16 of the terms in the balance, C s W / A, and grows with nodding, whose
// frequency Z = C s / A an explicit step amplifies by exp(Z^2 h t / 2) < 2. Together below 1e-9.
static void expect_steady(Trial* t, Lab* lab, double tilt, double W, double spin)
{
    enum { STEPS = 500 };
    const double h = ut_sim_dt(lab->sim);
    const double q[3] = {0, tilt, 0}, v[3] = {W, 0, spin - W * cos(tilt)};
    lab_state(lab, q, v);
    lab_steps(lab, STEPS, NULL, NULL);
    EXPECT(t, ut_sim_q(lab->sim)[0], W * STEPS * h, 1e-9);
    EXPECT(t, ut_sim_q(lab->sim)[1], tilt, 1e-9);
    EXPECT(t, ut_sim_v(lab->sim)[2], v[2], 1e-9 * fabs(v[2]));
    lab_end(lab);
}

// A disc of 1 kg, 0.1 m above the pivot: C s = 0.25, A = 0.0125, pull = 0.981.
static void heavy_top(Trial* t, double which)
{
    const double m = 1.0, l = 0.1, across = 0.0025, C = 0.005, spin = 50.0, tilt = 0.5;
    const double A = across + m * l * l, pull = m * G * l;
    const double root = sqrt(C * C * spin * spin - 4.0 * A * cos(tilt) * pull);
    const double W = (C * spin + which * root) / (2.0 * A * cos(tilt));
    Lab lab = gimbals(5e-4, m * t->mass, l * t->length, across, C);
    expect_steady(t, &lab, tilt, W, spin);
}

CLOSED_FORM(a_top_precesses_slowly, OFF_MASS | OFF_LENGTH)
{
    heavy_top(t, -1.0);
}

CLOSED_FORM(a_top_precesses_fast, OFF_MASS | OFF_LENGTH)
{
    heavy_top(t, 1.0);
}

// A level axle: C s W = pull, whatever A. The rotor is 2 kg at 0.2 m on one side, a counterweight
// of 3 kg at 0.1 m on the other, which leaves (0.4 - 0.3) g. The counterweight may be off.
CLOSED_FORM(a_gyroscope_on_a_level_axle_precesses_by_its_moment, OFF_MASS | OFF_LENGTH)
{
    const double rotor = 2.0, out = 0.2, C = 0.01, spin = 80.0;
    const double weight = 3.0 * t->mass, back = 0.1 * t->length;
    const double com = (rotor * out - weight * back) / (rotor + weight);
    const double across =
        0.5 * C + rotor * (out - com) * (out - com) + weight * (back + com) * (back + com);
    Lab lab = gimbals(5e-4, rotor + weight, com, across, C);
    const double pull = (2.0 * 0.2 - 3.0 * 0.1) * G;
    expect_steady(t, &lab, PI / 2.0, pull / (C * spin), spin);
}

// ---- on its point -------------------------------------------------------------------------------

// A top that stands upright sleeps while C^2 s^2 > 4 A pull, and falls below that. In the body's
// frame, with the sideways rates (w1, w2) and (z1, z2) of the world's up,
//
//     A w1' = (A - C) s w2 + pull z2,    A w2' = -(A - C) s w1 - pull z1
//     z1' = s z2 - w2,                   z2' = -s z1 + w1
//
// as far as they are small. A step takes the gyroscopic terms at the mean of the rates before and
// after it, and the pull where it begins; then it turns the frame: z goes around by s h, and around
// the new rates by (1 - cos) / s and sin / s of them. Tilted by 1e-5, which grows
// by less than 100: what is not linear, of the order tilt^2 a radian, stays below 1e-6 * 50 of it.
typedef struct Tilt {
    double z1, z2;
} Tilt;

static Tilt upright(double A, double C, double pull, double s, double h, int steps, double tilt)
{
    const double cosine = cos(s * h), sine = sin(s * h);
    double z1 = -tilt, z2 = 0.0, w1 = 0.0, w2 = 0.0;
    for (int k = 0; k < steps; k++) {
        // w1+ - half w2+ = right1, w2+ + half w1+ = right2
        const double half = 0.5 * h * (A - C) * s / A;
        const double right1 = w1 + half * w2 + h * pull * z2 / A;
        const double right2 = w2 - half * w1 - h * pull * z1 / A;
        w1 = (right1 + half * right2) / (1.0 + half * half);
        w2 = (right2 - half * right1) / (1.0 + half * half);
        const double y1 = cosine * z1 + sine * z2 + ((1.0 - cosine) * w1 - sine * w2) / s;
        z2 = -sine * z1 + cosine * z2 + (sine * w1 + (1.0 - cosine) * w2) / s;
        z1 = y1;
    }
    return (Tilt){z1, z2};
}

CLOSED_FORM(a_top_sleeps_while_it_spins_fast_enough, OFF_MASS | OFF_LENGTH)
{
    enum { STEPS = 1200 };
    const double m = 1.0, l = 0.1, across = 0.0025, C = 0.005, tilt = 1e-5, h = 1e-3;
    const double A = across + m * l * l, pull = m * G * l;
    double size[2];
    for (int fast = 0; fast < 2; fast++) {
        const double s = (fast ? 1.04 : 0.96) * sqrt(4.0 * A * pull) / C;
        Lab lab = lab_open(h);
        const utQuat quat = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), tilt);
        const int top = lab_solid(&lab, ut_vec3_zero(), quat, m * t->mass,
                                  ut_vec3(0, 0, l * t->length), ut_vec3(across, across, C));
        utJointDef ball = ut_joint_def(top, UT_JOINT_BALL);
        ut_model_def_joint(lab.def, &ball);
        lab_start(&lab);
        const double v[3] = {0, 0, s};
        lab_state(&lab, NULL, v);
        lab_steps(&lab, STEPS, NULL, NULL);
        const utVec3 up = ut_quat_rotate_inverse(ut_sim_body(lab.sim, top).quat, ut_vec3(0, 0, 1));
        const Tilt want = upright(A, C, pull, s, h, STEPS, tilt);
        size[fast] = hypot(want.z1, want.z2);
        EXPECT(t, up.x, want.z1, 5e-5 * size[fast]);
        EXPECT(t, up.y, want.z2, 5e-5 * size[fast]);
        lab_end(&lab);
    }
    // and that is the difference between falling and sleeping
    CHECK(size[0] > 20.0 * tilt && size[1] < 10.0 * tilt);
}

// ---- free ---------------------------------------------------------------------------------------

static Lab free_box(double h, utVec3 half, utVec3 w)
{
    Lab lab = lab_open(h);
    lab.options.gravity = ut_vec3_zero();
    lab_box(&lab, ut_vec3_zero(), half, 2.0, 0.0);
    lab_start(&lab);
    const double v[6] = {0, 0, 0, w.x, w.y, w.z};
    lab_state(&lab, NULL, v);
    return lab;
}

// A column, moments over m / 3: A = a^2 + c^2 across, C = 2 a^2 along.
static const double WIDE = 0.1;
static const double TALL = 0.25;

// In the body its rate goes around the axis at (A - C) / A w3, backwards; the implicit midpoint
// rule turns by 2 atan of half of that times h, exactly. Each step is solved to rounding.
CLOSED_FORM(a_column_wobbles_in_its_own_frame, OFF_LENGTH)
{
    enum { STEPS = 500 };
    const double h = 0.002, a2 = WIDE * WIDE, c2 = TALL * TALL;
    const utVec3 w = ut_vec3(1.5, 0.0, 4.0);
    Lab lab = free_box(h, ut_vec3(WIDE, WIDE, TALL * t->length), w);
    lab_steps(&lab, STEPS, NULL, NULL);
    const double rate = (c2 - a2) / (a2 + c2) * w.z;
    const double angle = STEPS * 2.0 * atan(0.5 * h * rate);
    EXPECT(t, ut_sim_v(lab.sim)[3], w.x * cos(angle), 1e-10);
    EXPECT(t, ut_sim_v(lab.sim)[4], -w.x * sin(angle), 1e-10);
    EXPECT(t, ut_sim_v(lab.sim)[5], w.z, 1e-10);
    lab_end(&lab);
}

// Seen from the world its axis goes around L at |L| / A. The frame is turned by w at the step's
// end, so by h w' / 2 too much, which adds up to h (w(t) - w(0)) / 2: by h |w| at most, and the
// rate itself is off by h^2.
CLOSED_FORM(a_column_precesses_about_its_momentum, OFF_LENGTH)
{
    enum { STEPS = 2000 };
    const double h = 5e-4, A = WIDE * WIDE + TALL * TALL, C = 2.0 * WIDE * WIDE;
    const utVec3 w = ut_vec3(1.5, 0.0, 4.0);
    Lab lab = free_box(h, ut_vec3(WIDE, WIDE, TALL * t->length), w);
    lab_steps(&lab, STEPS, NULL, NULL);
    const utVec3 L = ut_vec3(A * w.x, 0.0, C * w.z);
    utVec3 about;
    CHECK(ut_vec3_normalize(L, &about));
    const double angle = ut_vec3_norm(L) / A * STEPS * h;
    const utQuat turned = ut_quat_from_axis_angle(about, angle);
    const utVec3 want = ut_quat_rotate(turned, ut_vec3(0, 0, 1));
    const utVec3 got = ut_quat_rotate(ut_sim_body(lab.sim, 1).quat, ut_vec3(0, 0, 1));
    EXPECT(t, got.x, want.x, h * ut_vec3_norm(w));
    EXPECT(t, got.y, want.y, h * ut_vec3_norm(w));
    EXPECT(t, got.z, want.z, h * ut_vec3_norm(w));
    lab_end(&lab);
}

// complete elliptic integral of the first kind, K(k), by the arithmetic-geometric mean
static double elliptic_K(double k2)
{
    double a = 1.0, b = sqrt(1.0 - k2);
    for (int k = 0; k < 40; k++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return PI / (2.0 * a);
}

// About its middle axis a body turns over, for moments 1 < 2 < 3 and a rate w2 with a little w3:
// w2 = w2(0) sn(K + p t), p^2 = (I3 - I2) (L^2 - 2 E I1) / (I1 I2 I3) and
// k^2 = (I2 - I1) (2 E I3 - L^2) / ((I3 - I2) (L^2 - 2 E I1)). It passes 0 after K / p and is
// reversed after 2 K / p. The midpoint rule is off by (p h)^2 / 12 of a phase; four times that,
// times the largest w2' < p w2, bounds w2.
CLOSED_FORM(a_body_about_its_middle_axis_turns_over, OFF_LENGTH)
{
    enum { STEPS = 500 };
    const double a2 = 0.01, b2 = 0.04, c2 = 0.16; // squares of half extents
    const double I1 = a2 + b2, I2 = a2 + c2, I3 = b2 + c2, w2 = 5.0, w3 = 0.05;
    const double E = I2 * w2 * w2 + I3 * w3 * w3; // twice the energy
    const double L2 = I2 * I2 * w2 * w2 + I3 * I3 * w3 * w3;
    const double p = sqrt((I3 - I2) * (L2 - E * I1) / (I1 * I2 * I3));
    const double K = elliptic_K((I2 - I1) * (E * I3 - L2) / ((I3 - I2) * (L2 - E * I1)));
    const double h = 2.0 * K / p / STEPS;
    // half extents c, b, a along x, y, z have moments a2 + b2, a2 + c2, b2 + c2
    const utVec3 half = ut_vec3(0.4 * t->length, 0.2, 0.1);
    Lab lab = free_box(h, half, ut_vec3(0, w2, w3));
    const double bound = 4.0 * p * w2 * K / p * (p * h) * (p * h) / 12.0;
    lab_steps(&lab, STEPS / 2, NULL, NULL);
    EXPECT(t, ut_sim_v(lab.sim)[4], 0.0, bound);
    lab_steps(&lab, STEPS / 2, NULL, NULL);
    EXPECT(t, ut_sim_v(lab.sim)[4], -w2, bound);
    lab_end(&lab);
}
