// SPDX-License-Identifier: Apache-2.0
// Round bodies on planes. A solid ball has I = 2/5 m r^2. While it rolls or slips all accelerations
// are constant, so that steps of any length are exact; a slope is a floor under gravity that leans.
#include "closed_form.h"

static const double H = 0.002;
static const double R = 0.1;
static const double M = 3.0;

static Lab ball_on_slope(const Trial* t, double mu, double tangent, int* ball)
{
    const double c = 1.0 / sqrt(1.0 + tangent * tangent);
    const double r = R * t->length;
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3(G * tangent * c, 0, -G * c);
    lab_floor(&lab, mu * t->mu);
    *ball = lab_ball(&lab, ut_vec3(0, 0, r), r, M * t->mass, mu * t->mu);
    lab_start(&lab);
    return lab;
}

// ---- slopes -------------------------------------------------------------------------------------

// a = 5/7 g sin for mu above 2/7 tan, with 2/7 m g sin of friction
CLOSED_FORM(a_ball_rolls_down_a_slope_at_five_sevenths, OFF_MASS | OFF_LENGTH)
{
    int ball;
    Lab lab = ball_on_slope(t, 0.3, 0.5, &ball);
    utStepResult result;
    lab_steps(&lab, 100, NULL, &result);
    const double c = 1.0 / sqrt(1.25), s = 0.5 * c;
    const double a = 5.0 / 7.0 * G * s;
    const utBodyState state = ut_sim_body(lab.sim, ball);
    EXPECT(t, state.com.x, covered(a, H, 100), way_left_of(H * G, H, 100));
    EXPECT(t, state.angular.y, a * 100 * H / R, left_of(H * G, 100) / R);
    const utVec3 r = lab_between(&lab, &result.report, 0, ball);
    EXPECT(t, r.z, M * G * c * H, M * left_of(H * G, 1));
    EXPECT(t, r.x, -2.0 / 7.0 * M * G * s * H, M * left_of(H * G, 1));
    lab_end(&lab);
}

// below that it slips: a = g (sin - mu cos), r alpha = 5/2 mu g cos. It ends with 0.3 m/s of slip.
CLOSED_FORM(a_ball_slips_down_a_smooth_slope, OFF_MU | OFF_LENGTH)
{
    int ball;
    Lab lab = ball_on_slope(t, 0.1, 0.5, &ball);
    lab_steps(&lab, 100, NULL, NULL);
    const double c = 1.0 / sqrt(1.25);
    const utBodyState s = ut_sim_body(lab.sim, ball);
    EXPECT(t, s.com.x, covered(G * c * (0.5 - 0.1), H, 100), way_left_of(0.3, H, 100));
    EXPECT(t, s.angular.y, 2.5 * 0.1 * G * c * 100 * H / R, left_of(0.3, 100) / R);
    lab_end(&lab);
}

// tan = 7/2 mu parts rolling from slipping: the slip is 0, or g cos (tan - 7/2 mu) t
CLOSED_FORM(a_ball_slips_from_seven_halves_of_its_friction_on, OFF_MU)
{
    const double mu = 0.2;
    for (int over = 0; over < 2; over++) {
        const double tangent = (over ? 1.005 : 0.995) * 3.5 * mu;
        const double c = 1.0 / sqrt(1.0 + tangent * tangent);
        int ball;
        Lab lab = ball_on_slope(t, mu, tangent, &ball);
        lab_steps(&lab, 100, NULL, NULL);
        const utBodyState s = ut_sim_body(lab.sim, ball);
        const double slip = over ? G * c * (tangent - 3.5 * mu) * 100 * H : 0.0;
        EXPECT(t, s.velocity.x - R * s.angular.y, slip, left_of(H * G, 100));
        lab_end(&lab);
    }
}

// A capsule across the slope: its moment about the axis is that of a cylinder, m_c r^2 / 2, and of
// two half balls, 2/5 m_s r^2, the masses by volume. The length that is off is the cylinder's.
CLOSED_FORM(a_capsule_rolls_by_its_own_moment, OFF_LENGTH)
{
    const double tangent = 0.4, c = 1.0 / sqrt(1.16), half = 0.3;
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3(G * tangent * c, 0, -G * c);
    lab_floor(&lab, 0.5);
    utBodyDef def = ut_body_def();
    def.pos = ut_vec3(0, 0, R);
    def.quat = ut_quat_from_axis_angle(ut_vec3(1, 0, 0), PI / 2.0); // z of the shape onto y
    const int capsule = ut_model_def_body(lab.def, &def);
    lab_free(&lab, capsule);
    lab_geom(&lab, capsule, UT_SHAPE_CAPSULE, ut_vec3(R, half * t->length, 0), M, 0.5);
    lab_start(&lab);
    lab_steps(&lab, 100, NULL, NULL);
    const double cylinder = 2.0 * half, balls = 4.0 / 3.0 * R; // volumes over pi r^2
    const double I = (0.5 * cylinder + 0.4 * balls) / (cylinder + balls);
    const double a = G * tangent * c / (1.0 + I);
    const utBodyState s = ut_sim_body(lab.sim, capsule);
    EXPECT(t, s.com.x, covered(a, H, 100), way_left_of(H * G, H, 100));
    EXPECT(t, s.angular.y, a * 100 * H / R, left_of(H * G, 100) / R);
    lab_end(&lab);
}

// ---- level ground -------------------------------------------------------------------------------

// Friction p / m changes v by p / m and the velocity of the point of contact by 7/2 p / m, so a
// ball whose point slips at u0 rolls in the end at v0 - 2/7 u0, from t = 2 |u0| / (7 mu g) on. The
// direction of slip never changes, and the step in which it ends takes what is left: all exact.
// Compared at 0.9 and at 1.1 of that time.
static void ball_is_thrown(Trial* t, utVec3 v0, utVec3 w0)
{
    const double mu = 0.3;
    const utVec3 u0 = ut_vec3_add(v0, ut_vec3_cross(w0, ut_vec3(0, 0, -R)));
    const double slip = ut_vec3_norm(u0);
    const double until = 2.0 * slip / (7.0 * mu * G);
    const int before = (int)(0.9 * until / H), after = (int)(1.1 * until / H);
    int ball;
    Lab lab = ball_on_slope(t, mu, 0.0, &ball);
    const double v[6] = {v0.x, v0.y, 0, w0.x, w0.y, w0.z};
    lab_state(&lab, NULL, v);

    lab_steps(&lab, before, NULL, NULL);
    utVec3 got = ut_sim_body(lab.sim, ball).velocity;
    utVec3 want = ut_vec3_add_scaled(v0, -mu * G * before * H / slip, u0);
    EXPECT(t, got.x, want.x, left_of(slip, before));
    EXPECT(t, got.y, want.y, left_of(slip, before));

    lab_steps(&lab, after - before, NULL, NULL);
    const utBodyState s = ut_sim_body(lab.sim, ball);
    want = ut_vec3_add_scaled(v0, -2.0 / 7.0, u0);
    EXPECT(t, s.velocity.x, want.x, left_of(slip, after));
    EXPECT(t, s.velocity.y, want.y, left_of(slip, after));
    EXPECT(t, s.angular.y * R, want.x, left_of(slip, after));
    EXPECT(t, s.angular.x * R, -want.y, left_of(slip, after));
    lab_end(&lab);
}

CLOSED_FORM(a_ball_thrown_without_spin_rolls_at_five_sevenths, OFF_MU | OFF_LENGTH)
{
    ball_is_thrown(t, ut_vec3(2, 0, 0), ut_vec3_zero());
}

// (5 v0 - 2 r w0) / 7 = -3/7 m/s: it comes back
CLOSED_FORM(a_ball_with_backspin_comes_back, OFF_MU | OFF_LENGTH)
{
    ball_is_thrown(t, ut_vec3(1, 0, 0), ut_vec3(0, -4.0 / R, 0));
}

CLOSED_FORM(a_ball_with_side_spin_turns_aside, OFF_MU | OFF_LENGTH)
{
    ball_is_thrown(t, ut_vec3(1.5, 0.2, 0), ut_vec3(-20.0, 5.0, 0));
}
