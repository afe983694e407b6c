// A block of half extents (a, a, c) on a plane: it tips about its lower edge or slides, whichever
// comes first. Pushed at its centre by F it tips when F c > m g a, and slides when F > mu m g.
#include "lab.h"

static const double G = 9.81;
static const double H = 0.001;
static const double A = 0.1;
static const double C = 0.3;
static const double M = 2.0;

static Lab block(double mu, utVec3 gravity, int* body)
{
    Lab lab = lab_open(H);
    lab.options.gravity = gravity;
    lab_floor(&lab, mu);
    *body = lab_box(&lab, ut_vec3(0, 0, C), ut_vec3(A, A, C), M, mu);
    lab_start(&lab);
    return lab;
}

// moment of inertia about a lower edge
static double about_edge(void)
{
    return M * (A * A + C * C) / 3.0 + M * (A * A + C * C);
}

TEST(a_push_below_both_limits_moves_nothing)
{
    int body;
    Lab lab = block(0.5, ut_vec3(0, 0, -G), &body);
    lab_run(&lab, 500, body, ut_vec3(0.98 * M * G * A / C, 0, 0));
    const utBodyState s = ut_sim_body(lab.sim, body);
    CHECK(ut_vec3_norm(s.velocity) <= 1e-9 && ut_vec3_norm(s.angular) <= 1e-9);
    lab_certified(&lab);
    lab_close(&lab);
}

// One step after the limit: w = h (F c - m g a) / I of the edge, while the edge sticks.
TEST(a_push_above_the_first_limit_tips)
{
    int body;
    Lab lab = block(0.5, ut_vec3(0, 0, -G), &body);
    const double F = 1.05 * M * G * A / C;
    lab_run(&lab, 1, body, ut_vec3(F, 0, 0));
    const utBodyState s = ut_sim_body(lab.sim, body);
    CHECK_NEAR(s.angular.y, H * (F * C - M * G * A) / about_edge(), 1e-8);
    // about the edge at (A, -C) from the centre: v = w x r
    CHECK_NEAR(s.velocity.x, s.angular.y * C, 1e-8);
    CHECK_NEAR(s.velocity.z, s.angular.y * A, 1e-8);
    lab_certified(&lab);
    lab_close(&lab);
}

TEST(a_smooth_floor_lets_it_slide_first)
{
    int body;
    Lab lab = block(0.2, ut_vec3(0, 0, -G), &body);
    lab_run(&lab, 300, body, ut_vec3(0.25 * M * G, 0, 0));
    const utBodyState s = ut_sim_body(lab.sim, body);
    CHECK_NEAR(s.velocity.x, 0.05 * G * 0.3, 1e-7);
    CHECK(ut_vec3_norm(s.angular) <= 1e-8);
    lab_certified(&lab);
    lab_close(&lab);
}

// On a slope: tan < a / c stands, above it tips with w' = g (sin c - cos a) m / I.
TEST(a_slope_tips_a_tall_block)
{
    for (int over = 0; over < 2; over++) {
        const double tangent = (over ? 1.05 : 0.95) * A / C;
        const double c = 1.0 / sqrt(1.0 + tangent * tangent);
        int body;
        Lab lab = block(1.0, ut_vec3(G * tangent * c, 0, -G * c), &body);
        lab_run(&lab, 1, 0, ut_vec3_zero());
        const double w = over ? H * M * G * c * (tangent * C - A) / about_edge() : 0.0;
        CHECK_NEAR(ut_sim_body(lab.sim, body).angular.y, w, 1e-8);
        lab_certified(&lab);
        lab_close(&lab);
    }
}
