// SPDX-License-Identifier: Apache-2.0
// Bodies that slide or roll down a fixed ball or a lying cylinder leave it where nothing presses
// any more: v^2 / L = g cos(theta), L being the distance of the centres. From theta_0 with the
// angular velocity w_0 about the fixed centre, the energy gives
//
//     sliding without friction    cos(theta) = (2 cos(theta_0) + w_0^2 L / g) / 3
//     a ball that rolls           cos(theta) = (10 cos(theta_0) + 7 w_0^2 L / g) / 17
//
// Contacts end with a step, which is w h of the angle, w^2 = g cos(theta) / L; what first order
// adds is allowed as much again. A contact that comes and goes leaves late by sqrt(h), which is ten
// steps and more.
#include "lab.h"

static const double G = 9.81;
static const double R = 1.0, r = 0.1;

typedef struct Slope {
    utShapeKind kind; // of what is fixed
    bool rolls;
    double angle, w; // at the start
} Slope;

static Lab open_slope(const Slope* s, double h)
{
    const double L = R + r;
    const double mu =
        s->rolls ? 1000.0 : 0.0; // a ball slips before it leaves, by as little as this
    Lab lab = lab_open(h);
    utGeomDef fixed = ut_geom_def(0, s->kind, ut_vec3(R, 2.0, 0.0));
    fixed.quat = ut_quat(sqrt(0.5), sqrt(0.5), 0.0, 0.0); // a cylinder along y
    fixed.friction = mu;
    CHECK(ut_model_def_geom(lab.def, &fixed) >= 0);
    lab_ball(&lab, ut_vec3(L * sin(s->angle), 0.0, L * cos(s->angle)), r, 1.0, mu);
    lab_start(&lab);
    const double v = s->w * L;
    const double start[6] = {v * cos(s->angle), 0.0, -v * sin(s->angle), 0.0,
                             s->rolls ? v / r : 0.0};
    lab_state(&lab, NULL, start);
    return lab;
}

// The angle where the last step with a force ends.
static double leaves_at(const Slope* s, double h)
{
    Lab lab = open_slope(s, h);
    double left = 0.0;
    for (int k = 0; k < (int)(2.0 / h); k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        const double* q = ut_sim_q(lab.sim);
        for (int i = 0; i < result.report.contacts; i++) {
            // 1e-6 of the weight: rounding is no force
            left = result.report.contact[i].r[0] > 1e-6 * G * h ? atan2(q[0], q[2]) : left;
        }
        if (q[2] < 0.0) {
            break;
        }
    }
    lab_end(&lab);
    return left;
}

static void check_slope(const Slope* s)
{
    const double L = R + r;
    const double fast = s->w * s->w * L / G;
    const double cosine =
        s->rolls ? (10.0 * cos(s->angle) + 7.0 * fast) / 17.0 : (2.0 * cos(s->angle) + fast) / 3.0;
    const double steps[] = {8e-3, 4e-3, 2e-3, 1e-3};
    for (int k = 0; k < 4; k++) {
        const double h = steps[k];
        CHECK_NEAR(leaves_at(s, h), acos(cosine), 2.0 * h * sqrt(G * cosine / L));
    }
}

TEST(what_slides_off_a_ball_or_a_cylinder_leaves_where_nothing_presses)
{
    const Slope slopes[] = {
        {UT_SHAPE_SPHERE, false, 0.05, 0.3},  {UT_SHAPE_SPHERE, false, 0.1, 0.5},
        {UT_SHAPE_SPHERE, false, 0.3, 1.5},   {UT_SHAPE_CYLINDER, false, 0.05, 0.3},
        {UT_SHAPE_CYLINDER, false, 0.3, 1.5},
    };
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
        check_slope(&slopes[i]);
    }
}

TEST(a_ball_that_rolls_off_a_ball_or_a_cylinder_leaves_where_nothing_presses)
{
    const Slope slopes[] = {
        {UT_SHAPE_SPHERE, true, 0.05, 0.3},
        {UT_SHAPE_SPHERE, true, 0.1, 0.5},
        {UT_SHAPE_SPHERE, true, 0.3, 1.5},
        {UT_SHAPE_CYLINDER, true, 0.3, 1.5},
    };
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
        check_slope(&slopes[i]);
    }
}
