// Balls on planes. A solid ball has I = 2/5 m r^2; all accelerations are constant, so that discrete
// and continuous motion differ by O(h) in position only, as in friction.c.
#include "lab.h"

static const double G = 9.81;
static const double H = 0.002;

static double covered(double a, int n)
{
    return a * H * H * n * (n + 1) / 2.0;
}

static Lab incline(double mu, double tangent, utShapeKind kind, int* body)
{
    const double c = 1.0 / sqrt(1.0 + tangent * tangent);
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3(G * tangent * c, 0, -G * c);
    lab_floor(&lab, mu);
    if (kind == UT_SHAPE_SPHERE) {
        *body = lab_ball(&lab, ut_vec3(0, 0, 0.1), 0.1, 3.0, mu);
    } else {
        // lies along y: z of the shape turned onto y
        utBodyDef def = ut_body_def();
        def.pos = ut_vec3(0, 0, 0.1);
        def.quat = ut_quat_from_axis_angle(ut_vec3(1, 0, 0), 3.14159265358979323846 / 2.0);
        *body = ut_model_def_body(lab.def, &def);
        lab_free(&lab, *body);
        lab_geom(&lab, *body, UT_SHAPE_CAPSULE, ut_vec3(0.1, 0.3, 0), 3.0, mu);
    }
    lab_start(&lab);
    return lab;
}

// a = 5/7 g sin, for mu above 2/7 tan
TEST(a_ball_rolls_down_an_incline)
{
    int ball;
    Lab lab = incline(0.3, 0.5, UT_SHAPE_SPHERE, &ball);
    lab_run(&lab, 500, 0, ut_vec3_zero());
    const double sine = 0.5 / sqrt(1.25);
    const utBodyState s = ut_sim_body(lab.sim, ball);
    CHECK_NEAR(s.com.x, covered(5.0 / 7.0 * G * sine, 500), 1e-6);
    CHECK_NEAR(s.angular.y * 0.1, s.velocity.x, 1e-7);
    lab_certified(&lab);
    lab_close(&lab);
}

// below that it slips: a = g (sin - mu cos), r alpha = 5/2 mu g cos
TEST(a_ball_slips_down_a_smooth_incline)
{
    int ball;
    Lab lab = incline(0.1, 0.5, UT_SHAPE_SPHERE, &ball);
    lab_run(&lab, 500, 0, ut_vec3_zero());
    const double c = 1.0 / sqrt(1.25);
    const utBodyState s = ut_sim_body(lab.sim, ball);
    CHECK_NEAR(s.com.x, covered(G * c * (0.5 - 0.1), 500), 1e-6);
    CHECK_NEAR(s.angular.y * 0.1, 2.5 * 0.1 * G * c * 500 * H, 1e-6);
    lab_certified(&lab);
    lab_close(&lab);
}

// I about the axis: cylinder m_c r^2 / 2 and two half balls 2/5 m_s r^2, by volume
TEST(a_capsule_rolls_down_an_incline)
{
    int capsule;
    Lab lab = incline(0.5, 0.4, UT_SHAPE_CAPSULE, &capsule);
    lab_run(&lab, 400, 0, ut_vec3_zero());
    const double cylinder = 0.6;          // 2 half lengths, over pi r^2
    const double balls = 4.0 / 3.0 * 0.1; // 4/3 r
    const double I = (0.5 * cylinder + 0.4 * balls) / (cylinder + balls);
    const double sine = 0.4 / sqrt(1.16);
    CHECK_NEAR(ut_sim_body(lab.sim, capsule).com.x, covered(G * sine / (1.0 + I), 400), 1e-6);
    lab_certified(&lab);
    lab_close(&lab);
}

// thrown without spin at v0 it rolls at 5/7 v0 from t = 2 v0 / (7 mu g) on
TEST(a_sliding_ball_ends_up_rolling_at_five_sevenths)
{
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.3);
    const int ball = lab_ball(&lab, ut_vec3(0, 0, 0.1), 0.1, 1.0, 0.3);
    lab_start(&lab);
    lab_velocity(&lab, 0, 2.0);
    const double until = 2.0 * 2.0 / (7.0 * 0.3 * G);
    const int before = (int)(0.95 * until / H);
    lab_run(&lab, before, 0, ut_vec3_zero());
    utBodyState s = ut_sim_body(lab.sim, ball);
    CHECK_NEAR(s.velocity.x, 2.0 - 0.3 * G * before * H, 1e-7);
    lab_run(&lab, (int)(0.1 * until / H) + 20, 0, ut_vec3_zero());
    s = ut_sim_body(lab.sim, ball);
    CHECK_NEAR(s.velocity.x, 10.0 / 7.0, 1e-7);
    CHECK_NEAR(s.angular.y * 0.1, 10.0 / 7.0, 1e-7);
    lab_certified(&lab);
    lab_close(&lab);
}
