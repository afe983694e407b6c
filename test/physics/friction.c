// SPDX-License-Identifier: Apache-2.0
// Stick and slip of a box on a plane: exact, step by step, since all accelerations are constant.
#include "closed_form.h"

static const double H = 0.002;
static const double MU = 0.5;
static const double M = 2.0;

// A box on the floor under any gravity; a slope is a floor under gravity that leans.
static Lab box_on_floor(const Trial* t, utVec3 gravity, int* box)
{
    Lab lab = lab_open(H);
    lab.options.gravity = gravity;
    lab_floor(&lab, MU * t->mu);
    *box = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.2, 0.1), M * t->mass, MU * t->mu);
    lab_start(&lab);
    return lab;
}

// what half a per cent above and below the limit is, so that one per cent swaps them
static double about(int over)
{
    return over ? 1.005 : 0.995;
}

// Below mu m g nothing moves, above it the rest accelerates.
CLOSED_FORM(a_push_moves_a_box_above_its_limit_only, OFF_MU | OFF_MASS)
{
    for (int over = 0; over < 2; over++) {
        int box;
        Lab lab = box_on_floor(t, ut_vec3(0, 0, -G), &box);
        lab_push(&lab, 100, box, ut_vec3(about(over) * MU * M * G, 0, 0), NULL);
        const double a = over ? 0.005 * MU * G : 0.0;
        const utBodyState s = ut_sim_body(lab.sim, box);
        EXPECT(t, s.velocity.x, a * 100 * H, left_of(H * G, 100));
        EXPECT(t, s.com.x, covered(a, H, 100), way_left_of(H * G, H, 100));
        lab_end(&lab);
    }
}

// At any heading, with the impulses of the floor: m g h up and mu m g h against the motion. Slip
// ends at 0.5 m/s, which is V.
CLOSED_FORM(a_push_accelerates_by_what_friction_leaves, OFF_MU | OFF_MASS)
{
    int box;
    Lab lab = box_on_floor(t, ut_vec3(0, 0, -G), &box);
    const double F = 1.5 * MU * M * G, a = 0.5 * MU * G;
    utStepResult result;
    lab_push(&lab, 100, box, ut_vec3(F * cos(0.7), F * sin(0.7), 0), &result);
    const utVec3 x = ut_sim_body(lab.sim, box).com;
    EXPECT(t, x.x, covered(a, H, 100) * cos(0.7), way_left_of(0.5, H, 100));
    EXPECT(t, x.y, covered(a, H, 100) * sin(0.7), way_left_of(0.5, H, 100));
    const utVec3 r = lab_between(&lab, &result.report, 0, box);
    EXPECT(t, r.z, M * G * H, M * left_of(0.5, 1));
    EXPECT(t, r.x, -MU * M * G * H * cos(0.7), M * left_of(0.5, 1));
    EXPECT(t, r.y, -MU * M * G * H * sin(0.7), M * left_of(0.5, 1));
    lab_end(&lab);
}

// A slope holds while its tangent is below mu, and lets slide with g cos (tan - mu) above.
CLOSED_FORM(a_slope_holds_up_to_its_friction, OFF_MU)
{
    for (int over = 0; over < 2; over++) {
        const double tangent = about(over) * MU;
        const double c = 1.0 / sqrt(1.0 + tangent * tangent);
        int box;
        Lab lab = box_on_floor(t, ut_vec3(G * tangent * c, 0, -G * c), &box);
        lab_steps(&lab, 100, NULL, NULL);
        const double a = over ? G * c * (tangent - MU) : 0.0;
        const utBodyState s = ut_sim_body(lab.sim, box);
        EXPECT(t, s.velocity.x, a * 100 * H, left_of(H * G, 100));
        EXPECT(t, s.com.x, covered(a, H, 100), way_left_of(H * G, H, 100));
        lab_end(&lab);
    }
}

// A box that rests on a slope is easy to push aside: the floor holds mu m g cos in all, of which
// gravity takes m g sin downhill. It then goes along the sum of both.
CLOSED_FORM(a_slope_leaves_less_for_a_push_aside, OFF_MU | OFF_MASS)
{
    const double c = 1.0 / sqrt(1.0 + 0.09), s = 0.3 * c;
    for (int over = 0; over < 2; over++) {
        const double all = about(over) * MU * c; // over m g
        const double aside = sqrt(all * all - s * s);
        int box;
        Lab lab = box_on_floor(t, ut_vec3(G * s, 0, -G * c), &box);
        lab_push(&lab, 100, box, ut_vec3(0, M * G * aside, 0), NULL);
        const double v = over ? 0.005 * MU * c * G * 100 * H : 0.0;
        const utVec3 velocity = ut_sim_body(lab.sim, box).velocity;
        EXPECT(t, velocity.x, v * s / all, left_of(H * G, 100));
        EXPECT(t, velocity.y, v * aside / all, left_of(H * G, 100));
        lab_end(&lab);
    }
}

// v_k = v0 - k mu g h until it stops; the last step takes the rest. Any heading.
CLOSED_FORM(a_sliding_box_stops_where_it_should_at_every_heading, OFF_MU)
{
    double distance = 0.0;
    for (double speed = 1.0 - MU * G * H; speed > 0.0; speed -= MU * G * H) {
        distance += H * speed;
    }
    for (int degrees = 0; degrees <= 90; degrees += 15) {
        int box;
        Lab lab = box_on_floor(t, ut_vec3(0, 0, -G), &box);
        const double angle = degrees * PI / 180.0;
        const double v[6] = {cos(angle), sin(angle)};
        lab_state(&lab, NULL, v);
        lab_steps(&lab, 110, NULL, NULL);
        const utVec3 x = ut_sim_body(lab.sim, box).com;
        EXPECT(t, x.x, distance * cos(angle), way_left_of(1.0, H, 110));
        EXPECT(t, x.y, distance * sin(angle), way_left_of(1.0, H, 110));
        lab_end(&lab);
    }
}
