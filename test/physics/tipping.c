// SPDX-License-Identifier: Apache-2.0
// A block of half extents (a, a, c) on a plane: it tips about its lower edge or slides, whichever
// comes first. Pushed at its centre by F it tips when F c > m g a, and slides when F > mu m g.
// Compared after one step from rest, which is exact.
#include "closed_form.h"

static const double H = 0.001;
static const double A = 0.1;
static const double C = 0.3;
static const double M = 2.0;

// The length that may be off is the height.
static Lab block(const Trial* t, double mu, utVec3 gravity, int* body)
{
    const double c = C * t->length;
    Lab lab = lab_open(H);
    lab.options.gravity = gravity;
    lab_floor(&lab, mu * t->mu);
    *body = lab_box(&lab, ut_vec3(0, 0, c), ut_vec3(A, A, c), M * t->mass, mu * t->mu);
    lab_start(&lab);
    return lab;
}

// moment of inertia about a lower edge: 1/3 of the half extents' squares about the centre
static double about_edge(void)
{
    return 4.0 / 3.0 * M * (A * A + C * C);
}

static double about(int over)
{
    return over ? 1.005 : 0.995;
}

// About the edge at (a, 0, -c) from the centre at a rate w: v = w x r.
static void expect_tipping(Trial* t, const Lab* lab, int body, double w)
{
    const utBodyState s = ut_sim_body(lab->sim, body);
    const double bound = left_of(H * G, 1);
    EXPECT(t, s.angular.y, w, bound / A);
    EXPECT(t, s.velocity.x, w * C, bound);
    EXPECT(t, s.velocity.z, w * A, bound);
}

// w = h (F c - m g a) / I above the limit
CLOSED_FORM(a_push_tips_a_block_above_its_limit_only, OFF_MASS | OFF_LENGTH)
{
    for (int over = 0; over < 2; over++) {
        int body;
        Lab lab = block(t, 0.5, ut_vec3(0, 0, -G), &body);
        const double F = about(over) * M * G * A / C;
        lab_push(&lab, 1, body, ut_vec3(F, 0, 0), NULL);
        expect_tipping(t, &lab, body, over ? H * (F * C - M * G * A) / about_edge() : 0.0);
        lab_end(&lab);
    }
}

// At d above the centre the limit is m g a / (c + d).
CLOSED_FORM(a_push_near_the_top_tips_with_less, OFF_MASS | OFF_LENGTH)
{
    const double d = 0.25;
    for (int over = 0; over < 2; over++) {
        int body;
        Lab lab = block(t, 0.5, ut_vec3(0, 0, -G), &body);
        const double F = about(over) * M * G * A / (C + d);
        utForce applied[2] = {0};
        applied[body].force = ut_vec3(F, 0, 0);
        applied[body].torque = ut_vec3(0, F * d, 0);
        lab_steps(&lab, 1, applied, NULL);
        const double w = H * (F * (C + d) - M * G * A) / about_edge();
        expect_tipping(t, &lab, body, over ? w : 0.0);
        lab_end(&lab);
    }
}

// Pushed askew it tips about the edge ahead, when the part across that edge is enough.
CLOSED_FORM(a_push_askew_tips_about_the_edge_ahead, OFF_MASS | OFF_LENGTH)
{
    const double heading = 0.4;
    for (int over = 0; over < 2; over++) {
        int body;
        Lab lab = block(t, 1.5, ut_vec3(0, 0, -G), &body);
        const double across = about(over) * M * G * A / C;
        lab_push(&lab, 1, body, ut_vec3(across, across * tan(heading), 0), NULL);
        expect_tipping(t, &lab, body, over ? H * (across * C - M * G * A) / about_edge() : 0.0);
        lab_end(&lab);
    }
}

// F = m g / 4 is below m g a / c and above mu m g: it slides upright.
CLOSED_FORM(a_smooth_floor_lets_it_slide_first, OFF_MU | OFF_MASS)
{
    int body;
    Lab lab = block(t, 0.2, ut_vec3(0, 0, -G), &body);
    lab_push(&lab, 60, body, ut_vec3(0.25 * M * G, 0, 0), NULL);
    const utBodyState s = ut_sim_body(lab.sim, body);
    EXPECT(t, s.velocity.x, 0.05 * G * 60 * H, left_of(0.03, 60));
    EXPECT(t, s.angular.y, 0.0, left_of(0.03, 60) / A);
    lab_end(&lab);
}

// On a slope: tan < a / c stands, above it tips with w' = g (sin c - cos a) m / I.
CLOSED_FORM(a_slope_tips_a_tall_block, OFF_LENGTH)
{
    for (int over = 0; over < 2; over++) {
        const double tangent = about(over) * A / C;
        const double c = 1.0 / sqrt(1.0 + tangent * tangent);
        int body;
        Lab lab = block(t, 1.0, ut_vec3(G * tangent * c, 0, -G * c), &body);
        lab_steps(&lab, 1, NULL, NULL);
        const double w = H * M * G * c * (tangent * C - A) / about_edge();
        expect_tipping(t, &lab, body, over ? w : 0.0);
        lab_end(&lab);
    }
}

// A block that slides at speed is tipped by its own friction when mu c > a. The edge ahead bears
// the impulse N and mu N against the motion, and stays on the floor, v_z = w a:
//
//     I w = N (mu c - a),    m w a = N - m g h
CLOSED_FORM(a_sliding_block_trips_over_its_friction, OFF_MU | OFF_LENGTH)
{
    for (int over = 0; over < 2; over++) {
        const double mu = about(over) * A / C;
        const double I = M * (A * A + C * C) / 3.0;
        int body;
        Lab lab = block(t, mu, ut_vec3(0, 0, -G), &body);
        const double v[6] = {1.0};
        lab_state(&lab, NULL, v);
        lab_steps(&lab, 1, NULL, NULL);
        const double moment = over ? mu * C - A : 0.0;
        const double N = M * G * H / (1.0 - M * A * moment / I);
        const utBodyState s = ut_sim_body(lab.sim, body);
        EXPECT(t, s.angular.y, N * moment / I, left_of(1.0, 1) / A);
        EXPECT(t, s.velocity.x, 1.0 - mu * N / M, left_of(1.0, 1));
        EXPECT(t, s.velocity.z, N * moment / I * A, left_of(1.0, 1));
        lab_end(&lab);
    }
}
