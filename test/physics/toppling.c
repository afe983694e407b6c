// SPDX-License-Identifier: Apache-2.0
// Solids that fall over: cylinders about their rim, capsules on their round end.
//
// A cylinder of radius r and half height c tips about the point of its rim that lies ahead when a
// push F at its centre has F c > m g r. About that point I = m (r^2 / 4 + c^2 / 3) + m (r^2 + c^2).
#include "solids.h"

static const double R = 0.1;
static const double C = 0.3;
static const double M = 2.0;

static double about_rim(void)
{
    return M * (R * R / 4.0 + C * C / 3.0 + R * R + C * C);
}

static double about(int over)
{
    return over ? 1.005 : 0.995;
}

// The length that may be off is the height.
static Lab upright(const Trial* t, double h, utVec3 gravity, utQuat quat, utVec3 pos, int* body)
{
    Lab lab = lab_open(h);
    lab.options.gravity = gravity;
    lab_floor(&lab, 1.0);
    *body = lab_form(&lab, UT_SHAPE_CYLINDER, ut_vec3(R, C * t->length, 0), pos, quat, M * t->mass,
                     1.0);
    lab_start(&lab);
    return lab;
}

static utVec3 standing(const Trial* t)
{
    return ut_vec3(0, 0, C * t->length);
}

// ---- where it begins ----------------------------------------------------------------------------

// After one step from rest, w = h (F c - m g r) / I above the limit, and nothing below. A face
// stands on eight points of its rim; the cylinder is turned so that one of them lies ahead.
static void expect_tipping(Trial* t, const Lab* lab, int body, double heading, double w, double h)
{
    const utBodyState s = ut_sim_body(lab->sim, body);
    const double bound = left_of(h * G, 1), x = cos(heading), y = sin(heading);
    EXPECT(t, s.angular.x, -w * y, bound / R);
    EXPECT(t, s.angular.y, w * x, bound / R);
    EXPECT(t, s.velocity.x, w * C * x, bound);
    EXPECT(t, s.velocity.y, w * C * y, bound);
    EXPECT(t, s.velocity.z, w * R, bound);
}

CLOSED_FORM(a_push_tips_a_cylinder_above_its_limit_only, OFF_MASS | OFF_LENGTH)
{
    const double h = 0.001, heading = 0.4;
    for (int over = 0; over < 2; over++) {
        const double F = about(over) * M * G * R / C;
        int body;
        Lab lab =
            upright(t, h, ut_vec3(0, 0, -G), turned(ut_vec3(0, 0, 1), heading), standing(t), &body);
        lab_push(&lab, 1, body, ut_vec3(F * cos(heading), F * sin(heading), 0), NULL);
        const double w = over ? h * (F * C - M * G * R) / about_rim() : 0.0;
        expect_tipping(t, &lab, body, heading, w, h);
        lab_end(&lab);
    }
}

// On a slope: it stands below tan = r / c.
CLOSED_FORM(a_slope_tips_a_cylinder, OFF_LENGTH)
{
    for (int over = 0; over < 2; over++) {
        const double h = 0.001, tangent = about(over) * R / C;
        const double c = 1.0 / sqrt(1.0 + tangent * tangent);
        int body;
        Lab lab = upright(t, h, ut_vec3(G * tangent * c, 0, -G * c), ut_quat_identity(),
                          standing(t), &body);
        lab_steps(&lab, 1, NULL, NULL);
        const double w = over ? h * M * G * c * (tangent * C - R) / about_rim() : 0.0;
        expect_tipping(t, &lab, body, 0.0, w, h);
        lab_end(&lab);
    }
}

// Between two of the eight points the limit is r cos(pi / 8) = 0.924 r. Below that it stands in any
// direction, and neither rocks nor creeps.
static void expect_standing(int ground, double heading)
{
    enum { STEPS = 500 };
    const double h = 0.001, F = 0.92 * M * G * R / C;
    Lab lab = lab_open(h);
    if (ground == 0) {
        lab_floor(&lab, 1.0);
    } else {
        const int table = lab_body(&lab, NULL, ut_vec3(0, 0, -0.1));
        lab_geom(&lab, table, ground == 1 ? UT_SHAPE_BOX : UT_SHAPE_CYLINDER,
                 ground == 1 ? ut_vec3(1, 1, 0.1) : ut_vec3(1, 0.1, 0), 1.0, 1.0);
    }
    const int body = lab_form(&lab, UT_SHAPE_CYLINDER, ut_vec3(R, C, 0), ut_vec3(0, 0, C),
                              ut_quat_identity(), M, 1.0);
    lab_start(&lab);
    lab_push(&lab, STEPS, body, ut_vec3(F * cos(heading), F * sin(heading), 0), NULL);
    const utBodyState s = ut_sim_body(lab.sim, body);
    const utVec3 up = ut_quat_rotate(s.quat, ut_vec3(0, 0, 1));
    const double bound = way_left_of(h * G, h, STEPS);
    CHECK_NEAR(hypot(up.x, up.y), 0.0, bound / R);
    CHECK_NEAR(hypot(s.com.x, s.com.y), 0.0, bound);
    lab_end(&lab);
}

TEST(a_cylinder_stands_in_any_direction)
{
    for (int ground = 0; ground < 3; ground++) {
        for (int k = 0; k < 9; k++) {
            expect_standing(ground, k * PI / 20.0);
        }
    }
}

// ---- how it goes on -----------------------------------------------------------------------------

// Beside the tilt atan(r / c) at which the centre stands above the rim, the departure x grows:
// x'' = m g d / I x, d^2 = r^2 + c^2. What is not linear is a few x^2 of it.
CLOSED_FORM(a_tilted_cylinder_returns_or_falls, OFF_LENGTH)
{
    enum { STEPS = 300 };
    const double h = 1e-3, x0 = 2e-3, d = sqrt(R * R + C * C), critical = atan2(R, C);
    const double s = sqrt(M * G * d / about_rim());
    for (int falls = 0; falls < 2; falls++) {
        const double x = falls ? x0 : -x0, tilt = critical + x;
        const double c = C * t->length; // on the floor, whatever the height
        const utVec3 at = ut_vec3(0, 0, R * sin(tilt) + c * cos(tilt));
        int body;
        Lab lab = upright(t, h, ut_vec3(0, 0, -G), turned(ut_vec3(0, 1, 0), tilt), at, &body);
        lab_steps(&lab, STEPS, NULL, NULL);
        const utVec3 up = ut_quat_rotate(ut_sim_body(lab.sim, body).quat, ut_vec3(0, 0, 1));
        const double want = grown(x, s, h, STEPS);
        const double bound = 4.0 * pow(fabs(want), 3) + left_by(&lab, h * G) / d * h * STEPS;
        EXPECT(t, atan2(up.x, up.z) - critical, want, bound);
        EXPECT(t, up.y, 0.0, bound);
        lab_end(&lab);
    }
}

// A capsule on its end rolls on a ball of radius r below a centre l higher:
// x'' = m g l / (I + m (r + l)^2) x. Two tilts at once, each by itself.
CLOSED_FORM(a_standing_capsule_falls_at_its_rate, OFF_LENGTH)
{
    enum { STEPS = 600 };
    const double h = 1e-3, r = 0.05, l = 0.2, x0 = 1e-5, y0 = -6e-6;
    const double shaft = 2.0 * l, ends = 4.0 / 3.0 * r;
    const double I =
        (shaft * (r * r / 4.0 + l * l / 3.0) + ends * (0.4 * r * r + l * l + 0.75 * r * l)) /
        (shaft + ends);
    const double s = sqrt(G * l / (I + (r + l) * (r + l)));
    Lab lab = lab_open(h);
    lab_floor(&lab, 1.0);
    const utVec3 by = ut_vec3(-y0, x0, 0);
    const double half = l * t->length;
    const int body =
        lab_form(&lab, UT_SHAPE_CAPSULE, ut_vec3(r, half, 0), ut_vec3(0, 0, r + half),
                 turned(ut_vec3_scale(by, 1.0 / ut_vec3_norm(by)), ut_vec3_norm(by)), M, 1.0);
    lab_start(&lab);
    lab_steps(&lab, STEPS, NULL, NULL);
    const utVec3 up = ut_quat_rotate(ut_sim_body(lab.sim, body).quat, ut_vec3(0, 0, 1));
    const double x = grown(x0, s, h, STEPS), y = grown(y0, s, h, STEPS);
    const double bound = 4.0 * pow(x, 3) + left_by(&lab, h * G) / (r + l) * h * STEPS * x / x0;
    EXPECT(t, up.x, x, bound);
    EXPECT(t, up.y, y, bound);
    lab_end(&lab);
}
