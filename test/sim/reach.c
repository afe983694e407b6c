// SPDX-License-Identifier: Apache-2.0
// Contacts and joint limits that impulses bring within reach join the active set of the same step.
#include <uptack/dyn.h>

#include "physics/lab.h"

static const double H = 0.01;

// ---- rows of balls ------------------------------------------------------------------------------

enum { BALLS = 12 };
static const double RADIUS = 0.05;

// Balls in a row 1 mm apart, the first one 0.5 m before them and fast; without gravity or friction.
static Lab open_row(double speed)
{
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3_zero();
    for (int i = 0; i < BALLS; i++) {
        const double x = i == 0 ? -0.5 : (2.0 * RADIUS + 0.001) * i;
        lab_ball(&lab, ut_vec3(x, 0, 0), RADIUS, 1.0, 0.0);
    }
    lab_start(&lab);
    lab_velocity(&lab, 0, speed);
    return lab;
}

// The deepest overlap of neighbours, m.
static double overlap_of_row(const Lab* lab)
{
    const double* q = ut_sim_q(lab->sim);
    double most = 0.0;
    for (int i = 1; i < BALLS; i++) {
        const size_t at = (size_t)7 * (size_t)i;
        most = fmax(most, 2.0 * RADIUS - (q[at] - q[at - 7]));
    }
    return most;
}

// A fast ball reaches all others within one step, because each pushed ball reaches the next one.
// Impacts without restitution leave all balls with the common speed of their momentum.
TEST(a_push_goes_down_a_row_of_balls_within_one_step)
{
    const double speeds[] = {20.0, 100.0, 300.0};
    for (int k = 0; k < 3; k++) {
        Lab lab = open_row(speeds[k]);
        double most = 0.0;
        for (int n = 0; n < 20; n++) {
            lab_step(&lab, NULL, NULL);
            most = fmax(most, overlap_of_row(&lab));
        }
        // E of 1e-8 allows u_n = -1e-8 V in each step
        CHECK(most <= 20.0 * 1e-8 * H * speeds[k]);
        for (int i = 0; i < BALLS && k > 0; i++) {
            CHECK_NEAR(ut_sim_v(lab.sim)[6 * i], speeds[k] / BALLS, 1e-7 * speeds[k]);
        }
        lab_end(&lab);
    }
}

// Touching bodies that fly together have relative velocities of rounding size, which must not be the
// velocity scale of their problem.
TEST(a_row_of_balls_that_flies_along_costs_next_to_nothing)
{
    Lab lab = open_row(100.0);
    lab_steps(&lab, 10, NULL, NULL);
    int iterations = 0;
    for (int n = 0; n < 50; n++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        iterations += result.iterations;
    }
    CHECK(iterations <= 50);
    lab_end(&lab);
}

// A box falls beside a table, 1 mm away, and far from both a row of balls extends the active set again
// and again. The plane of the table's edge must not catch the box because of that.
TEST(a_crowd_elsewhere_does_not_catch_what_flies_past_an_edge)
{
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3_zero();
    utGeomDef table = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.5, 0.5, 0.5));
    table.pos = ut_vec3(0, 20, -0.5);
    CHECK(ut_model_def_geom(lab.def, &table) >= 0);
    for (int i = 0; i < BALLS; i++) {
        const double x = i == 0 ? -0.5 : (2.0 * RADIUS + 0.001) * i;
        lab_ball(&lab, ut_vec3(x, 0, 0), RADIUS, 1.0, 0.0);
    }
    lab_box(&lab, ut_vec3(0.601, 20, 0.15), ut_vec3(0.1, 0.1, 0.1), 1.0, 0.5);
    lab_start(&lab);
    lab_velocity(&lab, 0, 100.0);
    lab_velocity(&lab, 6 * BALLS + 2, -8.0);
    for (int n = 0; n < 5; n++) {
        lab_step(&lab, NULL, NULL);
        CHECK_NEAR(ut_sim_v(lab.sim)[6 * BALLS + 2], -8.0, 0.0);
    }
    lab_end(&lab);
}

// ---- limits -------------------------------------------------------------------------------------

// A block at rest on a joint with a range of 1 mm or 1 mrad, hit by a ball of ten times its mass.
static double angle_of(const double* q)
{
    return 2.0 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), fabs(q[0]));
}

// Every body free, joints as equalities.
static void make_maximal(Lab* lab)
{
    utModel* maximal;
    utError err;
    ut_sim_destroy(lab->sim);
    CHECK_INT(ut_model_maximal(lab->model, NULL, &maximal, &err), UT_OK);
    ut_model_destroy(lab->model);
    lab->model = maximal;
    CHECK_INT(ut_sim_create(lab->model, NULL, &lab->sim, &err), UT_OK);
}

static void hit_a_block(utJointKind kind, bool maximal)
{
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3_zero();
    const int block = lab_body(&lab, "block", ut_vec3_zero());
    utJointDef joint = ut_joint_def(block, kind);
    joint.axis = kind == UT_JOINT_SLIDE ? ut_vec3(1, 0, 0) : ut_vec3(0, 0, 1);
    joint.limited = true;
    joint.range[0] = kind == UT_JOINT_BALL ? 0.0 : -0.001;
    joint.range[1] = 0.001;
    CHECK(ut_model_def_joint(lab.def, &joint) >= 0);
    lab_geom(&lab, block, UT_SHAPE_BOX, ut_vec3(0.1, 0.3, 0.1), 1.0, 0.5);
    lab_ball(&lab, ut_vec3(-0.5, 0.2, 0), 0.1, 10.0, 0.5);
    lab_start(&lab);
    if (maximal) {
        make_maximal(&lab);
    }
    lab_velocity(&lab, lab.model->nv - 6, 10.0);
    for (int n = 0; n < 10; n++) {
        lab_step(&lab, NULL, NULL);
        const double* q = ut_sim_q(lab.sim);
        double at = fabs(q[0]);
        if (maximal) {
            at = kind == UT_JOINT_SLIDE ? fabs(q[0]) : angle_of(q + 3);
        } else if (kind == UT_JOINT_BALL) {
            at = angle_of(q);
        }
        // a turning body leaves the tangent of its limit by h^2 w^2 / 2, w <= 0.1 rad/s here
        CHECK(at <= 0.001 + 1e-6);
    }
    lab_end(&lab);
}

TEST(an_impulse_does_not_drive_a_joint_past_its_limit)
{
    hit_a_block(UT_JOINT_SLIDE, false);
    hit_a_block(UT_JOINT_HINGE, false);
    hit_a_block(UT_JOINT_BALL, false);
}

TEST(an_impulse_does_not_drive_a_joint_past_its_limit_in_maximal_coordinates)
{
    hit_a_block(UT_JOINT_SLIDE, true);
    hit_a_block(UT_JOINT_HINGE, true);
}
