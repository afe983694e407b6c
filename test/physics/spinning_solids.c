// SPDX-License-Identifier: Apache-2.0
// Solids that spin about the vertical: on a face or on two points, where friction slows them down,
// and on their tip, where they stand while they spin fast enough.
#include "solids.h"

static const double M = 2.0;

// ---- slowed down by friction --------------------------------------------------------------------

// All points of contact at the distance r from the axis: together they bear m g, wherever, and the
// moment of their friction is mu m g r. A step's friction is against the velocity at its end along
// the rim, which does not turn as seen from the points, so steps of any length are exact.
static void expect_slows_down(Trial* t, Lab* lab, int body, double start, double rate)
{
    enum { BEFORE = 200, AFTER = 100 };
    const double h = ut_sim_dt(lab->sim), V = 1.5 * start;
    lab_twist(lab, body, 0, ut_vec3_zero(), ut_vec3(0, 0, start));
    lab_steps(lab, BEFORE, NULL, NULL);
    utBodyState s = ut_sim_body(lab->sim, body);
    EXPECT(t, s.angular.z, start - rate * BEFORE * h, left_of(V, BEFORE));
    EXPECT(t, ut_vec3_norm(s.velocity), 0.0, left_of(V, BEFORE));
    // and then it stands
    lab_steps(lab, AFTER, NULL, NULL);
    s = ut_sim_body(lab->sim, body);
    EXPECT(t, s.angular.z, 0.0, left_of(V, BEFORE + AFTER));
    EXPECT(t, ut_vec3_norm(s.velocity), 0.0, left_of(V, BEFORE + AFTER));
    lab_end(lab);
}

// On its face a cylinder stands on its rim: w' = mu m g r / (m r^2 / 2) = 2 mu g / r.
CLOSED_FORM(a_cylinder_that_spins_on_its_face_slows_down, OFF_MU | OFF_LENGTH)
{
    const double h = 0.002, r = 0.2, mu = 0.1, rate = 2.0 * mu * G / r;
    Lab lab = lab_open(h);
    lab_floor(&lab, mu * t->mu);
    const int body = lab_form(&lab, UT_SHAPE_CYLINDER, ut_vec3(r * t->length, 0.1, 0),
                              ut_vec3(0, 0, 0.1), ut_quat_identity(), M, mu * t->mu);
    lab_start(&lab);
    expect_slows_down(t, &lab, body, rate * 250 * h, rate);
}

// Lying, a capsule stands on a point below either end of its axis: w' = mu m g l / I, with
// I = m_c (r^2 / 4 + l^2 / 3) + m_s (2/5 r^2 + l^2 + 3/4 r l), the masses by volume (l and 4/3 r).
CLOSED_FORM(a_lying_capsule_that_spins_slows_down, OFF_MU | OFF_LENGTH)
{
    const double h = 0.002, r = 0.05, l = 0.2, mu = 0.1;
    const double shaft = 2.0 * l, ends = 4.0 / 3.0 * r;
    const double I =
        (shaft * (r * r / 4.0 + l * l / 3.0) + ends * (0.4 * r * r + l * l + 0.75 * r * l)) /
        (shaft + ends);
    const double rate = mu * G * l / I;
    Lab lab = lab_open(h);
    lab_floor(&lab, mu * t->mu);
    const int body = lab_form(&lab, UT_SHAPE_CAPSULE, ut_vec3(r, l * t->length, 0),
                              ut_vec3(0, 0, r), lying(), M, mu * t->mu);
    lab_start(&lab);
    expect_slows_down(t, &lab, body, rate * 250 * h, rate);
}

// A coin that spins on its edge touches at both ends of the line below, d from its middle:
// w' = mu m g d / (m r^2 / 4 + m d^2 / 3).
CLOSED_FORM(a_thick_coin_that_spins_on_its_edge_slows_down, OFF_MU | OFF_LENGTH)
{
    const double h = 0.002, r = 0.1, d = 0.02, mu = 0.2;
    const double rate = mu * G * d / (r * r / 4.0 + d * d / 3.0);
    Lab lab = lab_open(h);
    lab_floor(&lab, mu * t->mu);
    const int body = lab_form(&lab, UT_SHAPE_CYLINDER, ut_vec3(r, d * t->length, 0),
                              ut_vec3(0, 0, r), lying(), M, mu * t->mu);
    lab_start(&lab);
    expect_slows_down(t, &lab, body, rate * 250 * h, rate);
}

// ---- on its tip ---------------------------------------------------------------------------------

// A body of revolution, moments A across and C along, stands on its tip and spins at s. With a the
// height of its centre, R the radius of curvature below and l = a - R, tilted by z (the horizontal
// part of its axis, x + i y) and turned by w besides,
//
//     z' = i s z - i w                                     the axis turns
//     u = -i a w + i s l z                                 it rolls: velocity of the centre
//     (A w + (C - A) s z)' = i m g l z - i a m u'          moments of the weight and of friction
//
// as far as z is small. So z'' - i s (C + m a R) / B z' - m g l / B z = 0 with B = A + m a^2: it
// stands while s^2 (C + m a R)^2 > 4 m g l B.
typedef struct Tip {
    double m, A, C, a, R, s;
} Tip;

static Tip tip_of(double m, double across, double along)
{
    Tip tip = {.m = m, .a = along, .R = across * across / along};
    tip.A = m * (across * across + along * along) / 5.0;
    tip.C = 0.4 * m * across * across;
    const double B = tip.A + m * along * along;
    tip.s = sqrt(4.0 * m * G * (along - tip.R) * B) / (tip.C + m * along * tip.R);
    return tip;
}

// The same by steps: the gyroscopic part by the midpoint rule in the body's frame, turned by p so
// far; then weight and friction; then the axis goes around by s h about where w / s points.
static double complex tilt_after(const Tip* b, double complex z, double h, int steps)
{
    const double complex i = complex_of(0.0, 1.0);
    const double l = b->a - b->R, turn = 0.5 * h * b->s * (b->A - b->C) / b->A;
    const double complex free = (1.0 - i * turn) / (1.0 + i * turn);
    double complex W = -b->s * z, u = i * b->s * l * z; // w = W exp(i p) + s z begins with 0
    for (int k = 0; k < steps; k++) {
        const double complex frame = cexp(i * b->s * h * k);
        const double complex w_free = frame * free * W + b->s * z;
        // A (w - w_free) = i m g h l z - i a p,  p = m (u_next - u),  u_next = -i a w + i s l z
        const double complex push =
            i * b->m * G * h * l * z - i * b->a * b->m * (i * b->s * l * z - u);
        const double complex w = (b->A * w_free + push) / (b->A + b->m * b->a * b->a);
        u = -i * b->a * w + i * b->s * l * z;
        W = (w - b->s * z) / frame;
        z = w / b->s + (z - w / b->s) * cexp(i * b->s * h);
    }
    return z;
}

// What is not linear is a few z^2 of it.
CLOSED_FORM(a_spheroid_stands_on_its_tip_while_it_spins_fast_enough, OFF_LENGTH)
{
    enum { STEPS = 1500 };
    const double across = 0.1, along = 0.13, tilt = 1e-5, h = 1e-3;
    double size[2];
    for (int fast = 0; fast < 2; fast++) {
        Tip tip = tip_of(M, across, along);
        tip.s *= fast ? 1.2 : 0.8;
        Lab lab = lab_open(h);
        lab_floor(&lab, 1.0);
        const double c = along * t->length;
        const int body = lab_form(&lab, UT_SHAPE_ELLIPSOID, ut_vec3(across, across, c),
                                  ut_vec3(0, 0, c), turned(ut_vec3(0, 1, 0), tilt), M, 1.0);
        lab_start(&lab);
        // it rolls from the start: the centre moves by i s l z
        const double u = tip.s * (tip.a - tip.R) * tilt;
        lab_twist(&lab, body, 0, ut_vec3(0, u, 0), ut_vec3(0, 0, tip.s));
        lab_steps(&lab, STEPS, NULL, NULL);
        const utVec3 up = ut_quat_rotate(ut_sim_body(lab.sim, body).quat, ut_vec3(0, 0, 1));
        const double complex want = tilt_after(&tip, tilt, h, STEPS);
        size[fast] = cabs(want);
        const double bound = 4.0 * pow(size[fast], 3) + left_by(&lab, h * G) / c * h * STEPS;
        EXPECT(t, up.x, creal(want), bound);
        EXPECT(t, up.y, cimag(want), bound);
        lab_end(&lab);
    }
    CHECK(size[0] > 20.0 * tilt && size[1] < 10.0 * tilt);
}
