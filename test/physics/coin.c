// SPDX-License-Identifier: Apache-2.0
// Wheels and coins that roll on their rim: upright, in a circle, and as Euler's disk.
//
// Moments A across and C along the axis e, spin n = w . e (precession included).
#include "solids.h"

static const double M = 0.5;

// ---- upright ------------------------------------------------------------------------------------

// A flat spheroid, a across and c along its axis, rolls upright along x at v = a S. Its axis is
// (e_x, 1, e_z) and its angular velocity (w_x, S, w_z); the point of contact lies at (0, q e_z, -a)
// from the centre with q = a - c^2 / a. As far as e_x, e_z are small, z = e_z + i e_x and
// w = w_z + i w_x,
//
//     z' = i S z - i w                                    the axis turns
//     u_y = -a w_x                                        it rolls
//     A w_x' + (C - A) S e_x' = q m g e_z + a m u_y'      moments of the weight and of friction
//     A w_z' + (C - A) S e_z' = 0
//
// so that e_z'' = (q m g - S^2 C (C + m a^2) / A) / (A + m a^2) e_z + const: it stays upright while
// S^2 > q m g A / (C (C + m a^2)), which for a thin disc is v^2 > g a / 3.
typedef struct Wheel {
    double a, c, A, C, q, S;
} Wheel;

static Wheel wheel_of(double a, double c)
{
    Wheel b = {.a = a, .c = c, .A = M * (a * a + c * c) / 5.0, .C = 0.4 * M * a * a};
    b.q = a - c * c / a;
    b.S = sqrt(b.q * M * G * b.A / (b.C * (b.C + M * a * a)));
    return b;
}

// The same by steps: the gyroscopic part by the midpoint rule in the wheel's frame, then weight and
// friction, then the axis goes around by S h about where w / S points.
static double complex lean_after(const Wheel* b, double complex z, double h, int steps)
{
    const double complex i = complex_of(0.0, 1.0);
    const double turn = 0.5 * h * b->S * (b->A - b->C) / b->A;
    const double complex free = (1.0 - i * turn) / (1.0 + i * turn);
    // w = W exp(i S t) + S z; it begins with a spin about its own axis, and rolls
    double complex W = 0.0;
    double u = -b->a * b->S * cimag(z);
    for (int k = 0; k < steps; k++) {
        const double complex frame = cexp(i * b->S * h * k);
        const double complex w_free = frame * free * W + b->S * z;
        // A (w_x - w_x free) = q m g h e_z + a m (u_next - u),  u_next = -a w_x
        const double push = b->q * M * G * h * creal(z) - b->a * M * u;
        const double w_x = (b->A * cimag(w_free) + push) / (b->A + M * b->a * b->a);
        const double complex w = complex_of(creal(w_free), w_x);
        u = -b->a * w_x;
        W = (w - b->S * z) / frame;
        z = w / b->S + (z - w / b->S) * cexp(i * b->S * h);
    }
    return z;
}

CLOSED_FORM(a_wheel_rolls_upright_while_it_is_fast_enough, OFF_LENGTH)
{
    enum { STEPS = 1500 };
    const double h = 1e-3, a = 0.2, c = 0.04, lean = 1e-5;
    double size[2];
    for (int fast = 0; fast < 2; fast++) {
        Wheel b = wheel_of(a, c);
        b.S *= fast ? 1.2 : 0.8;
        const double r = a * t->length;
        // e = (0, 1, lean): the upright one turned about x
        const utQuat quat = ut_quat_mul(turned(ut_vec3(1, 0, 0), lean), lying());
        Lab lab = lab_open(h);
        lab_floor(&lab, 1.0);
        const int body =
            lab_form(&lab, UT_SHAPE_ELLIPSOID, ut_vec3(r, r, c), ut_vec3(0, 0, r), quat, M, 1.0);
        lab_start(&lab);
        lab_twist(&lab, body, 0, ut_vec3(a * b.S, 0, 0), ut_vec3(0, b.S, b.S * lean));
        lab_steps(&lab, STEPS, NULL, NULL);
        const utVec3 e = ut_quat_rotate(ut_sim_body(lab.sim, body).quat, ut_vec3(0, 0, 1));
        const double complex want = lean_after(&b, lean, h, STEPS);
        size[fast] = fabs(creal(want));
        // what is not linear is a few z^2 of it
        const double bound = 4.0 * pow(cabs(want), 3) + left_by(&lab, h * G) / a * h * STEPS;
        EXPECT(t, e.z, creal(want), bound);
        EXPECT(t, e.x, cimag(want), bound);
        lab_end(&lab);
    }
    CHECK(size[0] > 20.0 * lean && size[1] < 10.0 * lean);
}

// ---- in a circle --------------------------------------------------------------------------------

// A coin of radius r and half thickness d leans: its axis is (sin al, 0, cos al), the lowest point
// of its rim at (X, 0, -Z) from its centre,
//
//     X = r cos al - d sin al,    Z = r sin al + d cos al
//
// It rolls around the vertical at W, its centre on a circle of radius p towards +x of the axis of
// that circle, so that n = -W (p - d sin al) / r. The moment of the weight and of friction turns
// the angular momentum with it:
//
//     W^2 (A sin al cos al + C sin al (p - d sin al) / r + m Z p) = m g X
//
// With p = 0 and d = 0 this is Euler's disk: W^2 sin al = 4 g / r.
typedef struct Coin {
    double r, d, lean, p; // m, m, rad, m
} Coin;

static double turns_at(const Coin* k)
{
    const double s = sin(k->lean), c = cos(k->lean);
    const double X = k->r * c - k->d * s, Z = k->r * s + k->d * c;
    const double C = 0.5 * k->r * k->r, A = 0.5 * C + k->d * k->d / 3.0;
    return sqrt(G * X / (A * s * c + C * s * (k->p - k->d * s) / k->r + Z * k->p));
}

typedef struct Rolled {
    double lean, phase, away, energy; // rad; rad ahead of W t; m from the axis; J gained
} Rolled;

// Around by `turns` in steps of that many a turn, built off by a factor in its radius.
static Rolled roll(const Trial* t, const Coin* k, int steps_a_turn, double turns)
{
    const double W = turns_at(k), h = 2.0 * PI / (W * steps_a_turn);
    const double s = sin(k->lean), c = cos(k->lean), r = k->r * t->length;
    const double n = -W * (k->p - k->d * s) / k->r;
    const int steps = (int)(turns * steps_a_turn + 0.5);
    Lab lab = lab_open(h);
    lab_floor(&lab, 1.0);
    const int body =
        lab_form(&lab, UT_SHAPE_CYLINDER, ut_vec3(r, k->d, 0), ut_vec3(k->p, 0, r * s + k->d * c),
                 turned(ut_vec3(0, 1, 0), k->lean), M, 1.0);
    lab_start(&lab);
    lab_twist(&lab, body, 0, ut_vec3(0, W * k->p, 0),
              ut_vec3(-W * s * c + n * s, 0, W * s * s + n * c));
    const double before = ut_sim_energy(lab.sim);
    lab_steps(&lab, steps, NULL, NULL);
    const utBodyState b = ut_sim_body(lab.sim, body);
    const utVec3 e = ut_quat_rotate(b.quat, ut_vec3(0, 0, 1));
    Rolled end = {.lean = atan2(hypot(e.x, e.y), e.z), .away = hypot(b.com.x, b.com.y)};
    end.phase = remainder(atan2(e.y, e.x) - W * h * steps, 2.0 * PI);
    end.energy = ut_sim_energy(lab.sim) - before;
    lab_end(&lab);
    return end;
}

// What turns at the rate v is off by (v h)^2 / 2 of itself after a step of Euler's, so by
// e = v^2 h T / 2 after the time T, as long as nothing makes it grow. W goes with 1 / sqrt(lean)
// where the lean is small, so that a lean which is off by e t / T of itself puts the phase off by
// e W T / 4. Twice as many steps halve all this, and twice their result less the first is off by
// the square of e only.
//
// Impulses at the step's start make it lose h / 2 (m a^2 + M^2 / A) of power, a the centre's
// acceleration and M the moment of the contact about it: as a fall in such steps, which loses
// h / 2 m g^2. The way out of overlaps gives back a part.
static void expect_steady(Trial* t, const Coin* k, double rate, int steps_a_turn, double turns)
{
    if (left_out(t)) {
        return;
    }
    const double W = turns_at(k), T = 2.0 * PI * turns / W, h = 2.0 * PI / (W * steps_a_turn);
    const double s = sin(k->lean), n = -W * (k->p - k->d * s) / k->r, e = 0.5 * rate * rate * h * T;
    const double C = 0.5 * M * k->r * k->r, A = 0.5 * C + M * k->d * k->d / 3.0;
    const double moment = W * s * (C * n - A * W * cos(k->lean)), a = W * W * k->p;
    const double power = 0.5 * h * (M * a * a + moment * moment / A);
    const Rolled one = roll(t, k, steps_a_turn, turns), two = roll(t, k, 2 * steps_a_turn, turns);
    const double far = fmax(k->p, k->r), ahead = fmax(1.0, 0.25 * W * T);
    EXPECT(t, one.lean, k->lean, e * k->lean);
    EXPECT(t, one.phase, 0.0, e * ahead);
    EXPECT(t, one.away, k->p, e * far);
    EXPECT(t, one.energy + 0.5 * power * T, 0.0, 0.5 * power * T);
    EXPECT(t, 2.0 * two.lean - one.lean, k->lean, e * e * k->lean);
    EXPECT(t, 2.0 * two.phase - one.phase, 0.0, e * e * ahead);
    EXPECT(t, 2.0 * two.away - one.away, k->p, e * e * far);
}

// at 46 degrees on a circle of five times its radius; its spin is the fastest
CLOSED_FORM(a_coin_rolls_in_a_circle, OFF_LENGTH)
{
    const Coin coin = {0.1, 0.01, 0.8, 0.5};
    expect_steady(t, &coin, turns_at(&coin) * coin.p / coin.r, 3000, 0.25);
}

// n is next to nothing: the disk hardly turns while its point of contact goes around
CLOSED_FORM(eulers_disk_goes_around, OFF_LENGTH)
{
    const Coin disk = {1.0, 0.01, 0.5, 0.0};
    const double W = turns_at(&disk);
    CHECK_NEAR(W * W * sin(disk.lean) * disk.r / (4.0 * G), 1.0, 0.02); // by its thickness
    expect_steady(t, &disk, W, 600, 2.0);
}

// near the end, where it rattles: 6 degrees
CLOSED_FORM(eulers_disk_goes_around_faster_when_it_lies_flatter, OFF_LENGTH)
{
    const Coin disk = {0.04, 0.0002, 0.1, 0.0};
    expect_steady(t, &disk, turns_at(&disk), 800, 2.0);
}
