// SPDX-License-Identifier: Apache-2.0
// Row D26: Eq. 7 and 8 with an articulated system. An arm of two hinges (system 1, 2 velocities) touches
// a box (system 2, 6 velocities) from above with its tip; the box stands on a fixed floor.
#include "cases.h"

// Hinges about y at (-0.8, 0, 0.6) and (-0.4, 0, 0.5); the tip is a ball of 5 cm over (0.1, 0.02).
static const utVec3 anchor[2] = {{-0.8, 0.0, 0.6}, {-0.4, 0.0, 0.5}};
static const utVec3 tip = {0.1, 0.02, 0.25}, centre = {0.0, 0.0, 0.1};
static const double RADIUS = 0.05;

static Lab arm_and_box(void)
{
    Lab lab = lab_open(0.01);
    lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE_VELOCITY;
    lab.options.directions = 8;
    lab_floor(&lab, 0.5);
    int parent = 0;
    for (int k = 0; k < 2; k++) {
        utBodyDef body = ut_body_def();
        body.parent = parent;
        body.pos = k == 0 ? anchor[0] : ut_vec3_sub(anchor[1], anchor[0]);
        parent = ut_model_def_body(lab.def, &body);
        utJointDef hinge = ut_joint_def(parent, UT_JOINT_HINGE);
        hinge.axis = ut_vec3(0, 1, 0);
        CHECK(ut_model_def_joint(lab.def, &hinge) >= 0);
        utGeomDef ball = ut_geom_def(parent, UT_SHAPE_SPHERE, ut_vec3(RADIUS, 0, 0));
        ball.pos = k == 0 ? ut_vec3_zero() : ut_vec3_sub(tip, anchor[1]);
        ball.mass = 1.0;
        ball.friction = 0.5;
        CHECK(ut_model_def_geom(lab.def, &ball) >= 0);
    }
    lab_box(&lab, centre, ut_vec3(0.2, 0.2, 0.1), 1.0, 0.5);
    lab_start(&lab);
    return lab;
}

// J'd of a direction d at a point, by hand, for what presses the box: the arm from above, or the box itself
// on the floor. A hinge moves the point along axis x (p - a), the box moves it along e_k and e_k x (p - c).
static void column_by_hand(utVec3 p, utVec3 d, bool arm, double* J)
{
    const utVec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 2; k++) {
        const utVec3 way = ut_vec3_cross(unit[1], ut_vec3_sub(p, anchor[k]));
        J[k] = arm ? ut_vec3_dot(way, d) : 0.0;
    }
    for (int k = 0; k < 3; k++) {
        const utVec3 way = ut_vec3_cross(unit[k], ut_vec3_sub(p, centre));
        J[2 + k] = (arm ? -1.0 : 1.0) * ut_vec3_dot(unit[k], d);
        J[5 + k] = (arm ? -1.0 : 1.0) * ut_vec3_dot(way, d);
    }
}

static void check_column(const double* W, int cols, int at, const double* want, double sign)
{
    for (int k = 0; k < 8; k++) {
        CHECK_NEAR(W[k * cols + at], sign * want[k], 1e-15);
    }
}

// Normals point to the box: n = z from the floor, n = -z from the tip. The tangents are x and n x x, the
// eight directions begin at x, and velocities are those of the box less those of the other side.
static void check_contact(const utBlocks* b, int i, utVec3 p, bool arm)
{
    const double sign = arm ? -1.0 : 1.0;
    double want[8];
    column_by_hand(p, ut_vec3(0, 0, 1), arm, want);
    check_column(b->W_n, b->contacts, i, want, 1.0);
    CHECK_INT(b->first[i + 1] - b->first[i], 8);
    for (int j = 0; j < 8; j++) {
        const double angle = 0.25 * PI * j;
        column_by_hand(p, ut_vec3(cos(angle), sign * sin(angle), 0.0), arm, want);
        check_column(b->W_f, b->directions, b->first[i] + j, want, sign);
    }
}

TEST(D26_an_arm_a_box_and_an_obstacle_entry_by_entry)
{
    Lab lab = arm_and_box();
    utArena arena = test_arena();
    const utCoulomb problem = next_problem(&lab, NULL, &arena);
    utBlocks b;
    CHECK_INT(ut_blocks_create(&problem, false, &arena, &b, NULL), UT_OK);
    CHECK_INT(b.velocities, 8);
    CHECK_INT(b.contacts, 5);
    CHECK_INT(b.directions, 40);
    utStepResult result;
    lab_step(&lab, NULL, &result);
    int corners = 0, tips = 0;
    for (int i = 0; i < b.contacts && i < result.report.contacts; i++) {
        const utContact* c = &result.report.contact[i];
        const bool arm = c->point.z > 0.1;
        CHECK_NEAR(fabs(c->point.x), arm ? tip.x : 0.2, 1e-15);
        CHECK_NEAR(fabs(c->point.y), arm ? tip.y : 0.2, 1e-15);
        CHECK_NEAR(c->point.z, arm ? 0.2 : 0.0, 1e-15);
        check_contact(&b, i, c->point, arm);
        *(arm ? &tips : &corners) += 1;
    }
    CHECK_INT(corners, 4);
    CHECK_INT(tips, 1);
    lab_end(&lab);
}
