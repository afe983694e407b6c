// SPDX-License-Identifier: Apache-2.0
// Cylinders, pipes and ellipsoids that roll. Down a slope and while they slip all accelerations are
// constant and steps of any length are exact; a slope is a floor under gravity that leans.
#include "solids.h"

static const double H = 0.002;
static const double R = 0.1;
static const double M = 3.0;

static utVec3 leaning(double tangent)
{
    const double c = 1.0 / sqrt(1.0 + tangent * tangent);
    return ut_vec3(G * tangent * c, 0, -G * c);
}

// ---- slopes -------------------------------------------------------------------------------------

// I = k m r^2: a = g sin / (1 + k), friction m g sin k / (1 + k).
static void expect_rolls_down(Trial* t, Lab* lab, int body, double k, utVec3 g)
{
    enum { STEPS = 100 };
    utStepResult result;
    lab_steps(lab, STEPS, NULL, &result);
    const double a = g.x / (1.0 + k);
    const utBodyState s = ut_sim_body(lab->sim, body);
    EXPECT(t, s.com.x, covered(a, H, STEPS), way_left_of(H * G, H, STEPS));
    EXPECT(t, s.com.y, 0.0, way_left_of(H * G, H, STEPS));
    EXPECT(t, s.angular.y, a * STEPS * H / R, left_of(H * G, STEPS) / R);
    const utVec3 r = lab_between(lab, &result.report, 0, body);
    EXPECT(t, r.z, -M * g.z * H, M * left_of(H * G, 1));
    EXPECT(t, r.x, -k * M * a * H, M * left_of(H * G, 1));
    lab_end(lab);
}

CLOSED_FORM(a_cylinder_rolls_down_a_slope_at_two_thirds, OFF_MASS | OFF_LENGTH)
{
    const utVec3 g = leaning(0.5);
    const double r = R * t->length;
    Lab lab = lab_open(H);
    lab.options.gravity = g;
    lab_floor(&lab, 0.3);
    const int body = lab_form(&lab, UT_SHAPE_CYLINDER, ut_vec3(r, 0.2, 0), ut_vec3(0, 0, r),
                              lying(), M * t->mass, 0.3);
    lab_start(&lab);
    expect_rolls_down(t, &lab, body, 0.5, g);
}

// all mass at the rim, k = 1
CLOSED_FORM(a_pipe_rolls_down_a_slope_at_one_half, OFF_MASS | OFF_LENGTH)
{
    const utVec3 g = leaning(0.5);
    const double r = R * t->length, m = M * t->mass, along = m * r * r;
    Lab lab = lab_open(H);
    lab.options.gravity = g;
    lab_floor(&lab, 0.3);
    const int body = lab_solid(&lab, ut_vec3(0, 0, r), lying(), m, ut_vec3_zero(),
                               ut_vec3(0.6 * along, 0.6 * along, along));
    lab_free(&lab, body);
    lab_geom(&lab, body, UT_SHAPE_CYLINDER, ut_vec3(r, 0.2, 0), 1.0, 0.3);
    lab_start(&lab);
    expect_rolls_down(t, &lab, body, 1.0, g);
}

// On its equator, long or flat, a spheroid rolls as a ball does: its moment is 2/5 m r^2.
CLOSED_FORM(spheroids_roll_down_a_slope_at_five_sevenths, OFF_MASS | OFF_LENGTH)
{
    static const double along[2] = {2.0, 0.4};
    for (int k = 0; k < 2; k++) {
        const utVec3 g = leaning(0.5);
        const double r = R * t->length;
        Lab lab = lab_open(H);
        lab.options.gravity = g;
        lab_floor(&lab, 0.3);
        const int body = lab_form(&lab, UT_SHAPE_ELLIPSOID, ut_vec3(r, r, along[k] * R),
                                  ut_vec3(0, 0, r), lying(), M * t->mass, 0.3);
        lab_start(&lab);
        expect_rolls_down(t, &lab, body, 0.4, g);
    }
}

// ---- from slipping to rolling -------------------------------------------------------------------

// Friction p / m changes the velocity of the line of contact by 3 p / m: a cylinder whose line
// slips at u0 rolls from t = |u0| / (3 mu g) on, at v0 - u0 / 3. Compared at 0.9 and 1.1 of that.
static void cylinder_is_thrown(Trial* t, double v0, double w0)
{
    const double mu = 0.25, r = R * t->length;
    const double u0 = v0 - R * w0, sign = u0 > 0.0 ? 1.0 : -1.0;
    const double until = fabs(u0) / (3.0 * mu * G);
    const int before = (int)(0.9 * until / H), after = (int)(1.1 * until / H);
    Lab lab = lab_open(H);
    lab_floor(&lab, mu * t->mu);
    const int body = lab_form(&lab, UT_SHAPE_CYLINDER, ut_vec3(r, 0.15, 0), ut_vec3(0, 0, r),
                              lying(), M, mu * t->mu);
    lab_start(&lab);
    lab_twist(&lab, body, 0, ut_vec3(v0, 0, 0), ut_vec3(0, w0, 0));
    lab_steps(&lab, before, NULL, NULL);
    utBodyState s = ut_sim_body(lab.sim, body);
    const double dv = -sign * mu * G * before * H;
    EXPECT(t, s.velocity.x, v0 + dv, left_of(fabs(u0), before));
    EXPECT(t, s.angular.y * R, w0 * R - 2.0 * dv, left_of(fabs(u0), before));

    lab_steps(&lab, after - before, NULL, NULL);
    s = ut_sim_body(lab.sim, body);
    EXPECT(t, s.velocity.x, v0 - u0 / 3.0, left_of(fabs(u0), after));
    EXPECT(t, s.angular.y * R, v0 - u0 / 3.0, left_of(fabs(u0), after));
    EXPECT(t, s.velocity.y, 0.0, left_of(fabs(u0), after));
    lab_end(&lab);
}

CLOSED_FORM(a_cylinder_thrown_without_spin_rolls_at_two_thirds, OFF_MU | OFF_LENGTH)
{
    cylinder_is_thrown(t, 2.0, 0.0);
}

// (2 v0 + r w0) / 3 = -2/3 m/s
CLOSED_FORM(a_cylinder_with_backspin_comes_back, OFF_MU | OFF_LENGTH)
{
    cylinder_is_thrown(t, 1.0, -4.0 / R);
}

// ---- rocking ------------------------------------------------------------------------------------

// A wheel whose mass lies d below its axle: turned by x it is lifted by d (1 - cos x), and rolls
// about a point r - d below the centre of mass:
//
//     s^2 = m g d / (I + m (r - d)^2)
//
// What is not linear is x^2 of it: within n swings less than n x^2 of a radian of phase.
CLOSED_FORM(a_loaded_wheel_rocks, OFF_MASS | OFF_LENGTH)
{
    enum { STEPS = 1200 };
    const double h = 1e-3, r = 0.2, d = 0.05, I = 0.04, x0 = 1e-3;
    Lab lab = lab_open(h);
    lab_floor(&lab, 1.0);
    // body axes are those of the cylinder: its centre of mass lies beside the axle
    utQuat quat = ut_quat_mul(turned(ut_vec3(0, 1, 0), x0), lying());
    const utVec3 down = ut_quat_rotate_inverse(lying(), ut_vec3(0, 0, -d * t->length));
    const int body =
        lab_solid(&lab, ut_vec3(0, 0, r), quat, 2.0 * t->mass, down, ut_vec3(0.03, 0.03, I));
    lab_free(&lab, body);
    lab_geom(&lab, body, UT_SHAPE_CYLINDER, ut_vec3(r, 0.1, 0), 1.0, 1.0);
    lab_start(&lab);
    lab_steps(&lab, STEPS, NULL, NULL);
    const double s = sqrt(2.0 * G * d / (I + 2.0 * (r - d) * (r - d)));
    const double want = swung(x0, s, h, STEPS);
    const double phase = s * h * STEPS;
    const double bound = x0 * x0 * x0 * phase + left_by(&lab, h * G) / r * h * STEPS;
    // up in the body's frame was (0, 0, 1) turned by the lying one alone
    const utVec3 up = ut_quat_rotate(ut_sim_body(lab.sim, body).quat,
                                     ut_quat_rotate_inverse(lying(), ut_vec3(0, 0, 1)));
    EXPECT(t, up.x, want, bound);
    EXPECT(t, ut_sim_body(lab.sim, body).frame.p.x, r * (want - x0), r * bound);
    lab_end(&lab);
}

// An ellipsoid on its flat side rocks about both other axes, each by itself: with c its height and
// R = a^2 / c the radius of curvature below,
//
//     s^2 = g (R - c) / ((a^2 + c^2) / 5 + c^2)
CLOSED_FORM(an_ellipsoid_rocks_both_ways, OFF_LENGTH)
{
    enum { STEPS = 2000 };
    const double h = 1e-3, a = 0.25, b = 0.2, c = 0.1, x0 = 1e-3, y0 = 8e-4;
    Lab lab = lab_open(h);
    lab_floor(&lab, 1.0);
    const utVec3 by = ut_vec3(y0, x0, 0); // a turn about y tilts along a
    const utQuat quat = turned(ut_vec3_scale(by, 1.0 / ut_vec3_norm(by)), ut_vec3_norm(by));
    const int body = lab_form(&lab, UT_SHAPE_ELLIPSOID, ut_vec3(a, b, c * t->length),
                              ut_vec3(0, 0, c * t->length), quat, 2.0, 1.0);
    lab_start(&lab);
    lab_steps(&lab, STEPS, NULL, NULL);
    const double along = sqrt(G * (a * a / c - c) / ((a * a + c * c) / 5.0 + c * c));
    const double across = sqrt(G * (b * b / c - c) / ((b * b + c * c) / 5.0 + c * c));
    const utVec3 up = ut_quat_rotate(ut_sim_body(lab.sim, body).quat, ut_vec3(0, 0, 1));
    const double size = x0 * x0 + y0 * y0, ratio = a * a / (c * c);
    const double bound =
        x0 * size * ratio * along * h * STEPS + left_by(&lab, h * G) / c * h * STEPS;
    EXPECT(t, up.x, swung(x0, along, h, STEPS), bound);
    EXPECT(t, up.y, -swung(y0, across, h, STEPS), bound);
    lab_end(&lab);
}

// ---- end over end -------------------------------------------------------------------------------

// An ellipsoid that rolls end over end has its centre at y(f)^2 = c^2 cos^2 f + a^2 sin^2 f above
// the floor, y'(f) ahead of the point of contact. It keeps its energy:
//
//     (I + m (y^2 + y'^2)) w^2 / 2 + m g y = const,    the centre moves by y df
typedef struct Tumble {
    double a, c, w0;
} Tumble;

static double height(const Tumble* b, double f)
{
    return hypot(b->c * cos(f), b->a * sin(f));
}

static double rate_at(const Tumble* b, double f)
{
    const double y = height(b, f);
    const double slope = (b->a * b->a - b->c * b->c) * sin(f) * cos(f) / y;
    const double I = (b->a * b->a + b->c * b->c) / 5.0;
    const double twice = (I + b->c * b->c) * b->w0 * b->w0 + 2.0 * G * (b->c - y);
    return sqrt(twice / (I + y * y + slope * slope));
}

// Time and way of half a turn, by Simpson's rule.
static void half_a_turn(const Tumble* b, double* time, double* way)
{
    enum { PARTS = 1000 };
    *time = *way = 0.0;
    for (int k = 0; k <= PARTS; k++) {
        const double weight = (k == 0 || k == PARTS ? 1.0 : k % 2 ? 4.0 : 2.0) * PI / PARTS / 3.0;
        const double f = PI * k / PARTS;
        *time += weight / rate_at(b, f);
        *way += weight * height(b, f);
    }
}

typedef struct Tumbled {
    double angle, x, rate;
} Tumbled;

static Tumbled tumble(const Trial* t, const Tumble* b, double h, int steps)
{
    const double c = b->c * t->length;
    Lab lab = lab_open(h);
    lab_floor(&lab, 2.0);
    const int body = lab_form(&lab, UT_SHAPE_ELLIPSOID, ut_vec3(b->a, 0.25, c), ut_vec3(0, 0, c),
                              ut_quat_identity(), M, 2.0);
    lab_start(&lab);
    lab_twist(&lab, body, 0, ut_vec3(b->w0 * b->c, 0, 0), ut_vec3(0, b->w0, 0));
    lab_steps(&lab, steps, NULL, NULL);
    const utBodyState s = ut_sim_body(lab.sim, body);
    const utVec3 down = ut_quat_rotate(s.quat, ut_vec3(0, 0, -1));
    lab_end(&lab);
    return (Tumbled){PI + atan2(down.x, down.z), s.com.x, s.angular.y};
}

// A step is off by (w h)^2 / 2 of a motion at the rate w, so by e = w^2 h T / 2 in all; twice the
// result of halved steps less the first by e^2.
CLOSED_FORM(an_ellipsoid_rolls_end_over_end, OFF_LENGTH)
{
    enum { STEPS = 1000 };
    const Tumble b = {0.2, 0.12, 12.0};
    double T, way;
    half_a_turn(&b, &T, &way);
    const double h = T / STEPS, e = 0.5 * b.w0 * b.w0 * h * T;
    const Tumbled one = tumble(t, &b, h, STEPS), two = tumble(t, &b, 0.5 * h, 2 * STEPS);
    EXPECT(t, one.angle, PI, e * PI);
    EXPECT(t, one.x, way, e * way);
    EXPECT(t, one.rate, b.w0, e * b.w0);
    EXPECT(t, 2.0 * two.angle - one.angle, PI, e * e * PI);
    EXPECT(t, 2.0 * two.x - one.x, way, e * e * way);
    EXPECT(t, 2.0 * two.rate - one.rate, b.w0, e * e * b.w0);
}
