// SPDX-License-Identifier: Apache-2.0
// Boxes that are pushed and pulled: alone, in rows and on top of each other. Constant
// accelerations, so that steps are exact.
#include "closed_form.h"

static const double H = 0.002;
static const utVec3 HALF = {0.2, 0.2, 0.1};

static double about(int over)
{
    return over ? 1.005 : 0.995;
}

// ---- one box ------------------------------------------------------------------------------------

// Pulled at an angle above the floor (below it: pushed), F holds as long as
// F cos <= mu (m g - F sin), so up to mu m g / (cos + mu sin). Above that it goes with the rest.
static void sled(Trial* t, double angle)
{
    const double mu = 0.4, m = 3.0, c = cos(angle), s = sin(angle);
    for (int over = 0; over < 2; over++) {
        const double F = about(over) * mu * m * G / (c + mu * s);
        Lab lab = lab_open(H);
        lab_floor(&lab, mu * t->mu);
        const int box = lab_box(&lab, ut_vec3(0, 0, HALF.z), HALF, m * t->mass, mu * t->mu);
        lab_start(&lab);
        utStepResult result;
        lab_push(&lab, 50, box, ut_vec3(F * c, 0, F * s), &result);
        const double a = over ? F * (c + mu * s) / m - mu * G : 0.0;
        EXPECT(t, ut_sim_body(lab.sim, box).velocity.x, a * 50 * H, left_of(H * G, 50));
        EXPECT(t, lab_between(&lab, &result.report, 0, box).z, (m * G - F * s) * H,
               m * left_of(H * G, 1));
        lab_end(&lab);
    }
}

CLOSED_FORM(a_sled_pulled_upwards_starts_with_less, OFF_MU | OFF_MASS)
{
    sled(t, 0.5);
}

CLOSED_FORM(a_sled_pushed_downwards_starts_with_more, OFF_MU | OFF_MASS)
{
    sled(t, -0.5);
}

// Pressed against a wall by F it stays while mu F >= m g, and slides down with g - mu F / m.
CLOSED_FORM(a_box_pressed_against_a_wall_stays, OFF_MU | OFF_MASS)
{
    const double mu = 0.6, m = 2.0;
    for (int over = 0; over < 2; over++) {
        const double F = m * G / (mu * about(over));
        Lab lab = lab_open(H);
        lab_plane(&lab, ut_vec3_zero(), ut_vec3(1, 0, 0), mu * t->mu);
        const int box = lab_box(&lab, ut_vec3(0.1, 0, 0), ut_vec3(0.1, 0.2, 0.2), m * t->mass, 0.0);
        lab_start(&lab);
        lab_push(&lab, 50, box, ut_vec3(-F, 0, 0), NULL);
        const double a = over ? G - mu * F / m : 0.0;
        // F h / m is the largest velocity that the wall takes
        const double V = H * F / m;
        EXPECT(t, ut_sim_body(lab.sim, box).velocity.z, -a * 50 * H, left_of(V, 50));
        lab_end(&lab);
    }
}

// Pushed beside its centre on ice it goes with F / m and turns with F d / I, I = m (a^2 + b^2) / 3.
CLOSED_FORM(a_push_beside_the_centre_turns_a_box, OFF_MASS | OFF_LENGTH)
{
    const double m = 2.0, F = 3.0, d = 0.15, f = t->length;
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.0);
    const int box =
        lab_box(&lab, ut_vec3(0, 0, HALF.z), ut_vec3(0.3 * f, 0.2 * f, HALF.z), m * t->mass, 0.0);
    lab_start(&lab);
    utForce applied[2] = {0};
    applied[box].force = ut_vec3(F, 0, 0);
    applied[box].torque = ut_vec3(0, 0, F * d);
    lab_steps(&lab, 50, applied, NULL);
    const utBodyState s = ut_sim_body(lab.sim, box);
    const double I = m * (0.09 + 0.04) / 3.0;
    EXPECT(t, s.velocity.x, F / m * 50 * H, left_of(H * G, 50));
    EXPECT(t, s.angular.z, F * d / I * 50 * H, left_of(H * G, 50) / HALF.y);
    lab_end(&lab);
}

// ---- several boxes ------------------------------------------------------------------------------

// Three in a row on ice, pushed by F: what is passed on is F times the share of the mass ahead.
CLOSED_FORM(a_push_goes_through_a_row_of_boxes, OFF_MASS)
{
    static const double mass[] = {2.0, 3.0, 5.0};
    const double F = 10.0;
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.0);
    for (int k = 0; k < 3; k++) {
        const double made = mass[k] * (k == 1 ? t->mass : 1.0);
        lab_box(&lab, ut_vec3(0.2 * k, 0, 0.1), ut_vec3(0.1, 0.1, 0.1), made, 0.0);
    }
    lab_start(&lab);
    utStepResult result;
    lab_push(&lab, 1, 1, ut_vec3(F, 0, 0), &result);
    const double bound = 10.0 * left_of(H * G, 1);
    EXPECT(t, lab_between(&lab, &result.report, 1, 2).x, F * H * 0.8, bound);
    EXPECT(t, lab_between(&lab, &result.report, 2, 3).x, F * H * 0.5, bound);
    EXPECT(t, ut_sim_body(lab.sim, 3).velocity.x, F * H / 10.0, left_of(H * G, 1));
    lab_end(&lab);
}

// Two on a rough floor, smooth towards each other: the floor alone says how rough it is. Friction
// takes mu m g of each, and what is passed on is F m2 / (m1 + m2) all the same.
CLOSED_FORM(a_push_goes_through_boxes_on_a_rough_floor, OFF_MU | OFF_MASS)
{
    const double mu = 0.3, m1 = 2.0, m2 = 3.0, F = 20.0;
    Lab lab = lab_open(H);
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.friction = mu * t->mu;
    CHECK(ut_model_def_geom(lab.def, &floor) >= 0);
    const int one = lab_box(&lab, ut_vec3(0, 0, HALF.z), HALF, m1, 0.0);
    const int two = lab_box(&lab, ut_vec3(0.4, 0, HALF.z), HALF, m2 * t->mass, 0.0);
    lab_start(&lab);
    utStepResult result;
    lab_push(&lab, 50, one, ut_vec3(F, 0, 0), &result);
    const double v = (F / (m1 + m2) - mu * G) * 50 * H;
    EXPECT(t, ut_sim_body(lab.sim, one).velocity.x, v, left_of(0.3, 50));
    EXPECT(t, ut_sim_body(lab.sim, two).velocity.x, v, left_of(0.3, 50));
    EXPECT(t, lab_between(&lab, &result.report, one, two).x, F * H * m2 / (m1 + m2),
           (m1 + m2) * left_of(0.3, 1));
    lab_end(&lab);
}

// ---- two storeys --------------------------------------------------------------------------------

// A box of m2 on a box of m1, nu between them and mu at the floor.
static const double MU = 0.2;
static const double NU = 0.6;
static const double M1 = 3.0;
static const double M2 = 2.0;

// @param pulled 0: the lower one, 1: the upper one
static void two_storeys(Trial* t, int pulled, double F, double lower_a, double upper_a)
{
    Lab lab = lab_open(H);
    lab_floor(&lab, MU);
    const int lower = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.6, 0.4, 0.1), M1, 0.0);
    const int upper =
        lab_box(&lab, ut_vec3(0, 0, 0.25), ut_vec3(0.2, 0.2, 0.05), M2 * t->mass, NU * t->mu);
    lab_start(&lab);
    lab_push(&lab, 50, pulled == 0 ? lower : upper, ut_vec3(F, 0, 0), NULL);
    const double time = 50 * H;
    const double V = fmax(lower_a, upper_a) * time;
    EXPECT(t, ut_sim_body(lab.sim, lower).velocity.x, lower_a * time, left_of(V, 50));
    EXPECT(t, ut_sim_body(lab.sim, upper).velocity.x, upper_a * time, left_of(V, 50));
    lab_end(&lab);
}

// They stay together up to F = (m1 + m2) (mu + nu) g. Above, nu g is all that the upper one gets.
CLOSED_FORM(a_box_is_pulled_from_under_another, OFF_MU | OFF_MASS)
{
    const double both = M1 + M2;
    for (int over = 0; over < 2; over++) {
        const double F = about(over) * both * (MU + NU) * G;
        const double together = F / both - MU * G;
        const double apart = (F - (NU * M2 + MU * both) * G) / M1;
        two_storeys(t, 0, F, over ? apart : together, over ? NU * G : together);
    }
}

// The upper one slides, and takes the lower one along with nu m2 g - mu (m1 + m2) g.
CLOSED_FORM(a_box_pulled_along_another_takes_it_along, OFF_MU | OFF_MASS)
{
    const double F = 20.0;
    two_storeys(t, 1, F, (NU * M2 - MU * (M1 + M2)) * G / M1, F / M2 - NU * G);
}
