// SPDX-License-Identifier: Apache-2.0
// Robots of $UPTACK_DATA without contact, as arms or in free flight: uptack and MuJoCo integrate the
// same equations of motion; without dry friction, because MuJoCo's is soft. free_motion.txt has MuJoCo's
// positions after some time steps h, and after as long with steps h / 16; it is made by
// tools/mujoco-robots.mjs.
//
// Both integrators are of first order: q(h) = x + c h + O(h^2) with x the exact motion, so that
// q(h / 16) - x = (q(h) - q(h / 16)) / 15 + O(h^2). With U of uptack and M of MuJoCo
//
//     |U(h / 16) - M(h / 16)| <= (|U(h) - U(h / 16)| + |M(h) - M(h / 16)|) / 15
//
// in the largest norm, to first order. Twice that covers the second order.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robot.h"
#include "test.h"

enum { MAX_POSITIONS = 80, STEPS = 25, FINER = 16 };

// m/s and rad/s: velocities at the start, with alternating signs, as in tools/mujoco-robots.mjs.
static const double SWING = 0.5;

// MuJoCo's file has 15 digits, and rounding adds up over 400 steps.
static const double ROUNDING = 1e-12;

static bool read_positions(FILE* file, int count, double* q)
{
    bool ok = count <= MAX_POSITIONS;
    for (int i = 0; i < count && ok; i++) {
        ok = fscanf(file, "%lf", &q[i]) == 1;
    }
    return ok;
}

// Lift the base of a robot by 1 m if asked, and let all joints move.
static void start_moving(const Robot* robot, const RobotSim* opened)
{
    double q[MAX_POSITIONS], v[MAX_POSITIONS];
    memcpy(q, ut_sim_q(opened->sim), (size_t)opened->model->nq * sizeof *q);
    if (strcmp(robot->free, "lifted") == 0) {
        q[2] += 1.0;
    }
    for (int i = 0; i < opened->model->nv; i++) {
        v[i] = i % 2 == 0 ? SWING : -SWING;
    }
    CHECK_INT(ut_sim_set(opened->sim, 0.0, q, v, NULL), UT_OK);
}

// Positions after STEPS steps of the model, made of `finer` steps each. @param q receives nq
static bool move(const Robot* robot, int finer, double* q)
{
    RobotSim opened;
    utStepResult result;
    if (!robot_open_frictionless(robot, finer, &opened)) {
        return false;
    }
    start_moving(robot, &opened);
    bool ok = true;
    for (int i = 0; i < STEPS * finer && ok; i++) {
        ok = CHECK_INT(ut_sim_step(opened.sim, &opened.input, &result, NULL), UT_OK) &&
             CHECK_INT(result.report.contacts, 0);
    }
    memcpy(q, ut_sim_q(opened.sim), (size_t)opened.model->nq * sizeof *q);
    robot_close(&opened);
    return ok;
}

static double largest_difference(int count, const double* a, const double* b)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(a[i] - b[i]));
    }
    return largest;
}

static void compare(FILE* file, const Robot* robot)
{
    double U[2][MAX_POSITIONS], M[2][MAX_POSITIONS];
    RobotSim opened;
    if (!robot_open(robot, &opened)) {
        return;
    }
    const int nq = opened.model->nq;
    robot_close(&opened);
    if (!CHECK(read_positions(file, nq, M[0]) && read_positions(file, nq, M[1])) ||
        !move(robot, 1, U[0]) || !move(robot, FINER, U[1])) {
        return;
    }
    const double error_U = largest_difference(nq, U[0], U[1]);
    const double error_M = largest_difference(nq, M[0], M[1]);
    const double bound = 2.0 * (error_U + error_M) / (FINER - 1) + ROUNDING;
    CHECK(largest_difference(nq, U[1], M[1]) <= bound);
    test_note("%-55s h: %.1e apart; h / 16: %.1e apart, bound %.1e; first order of h: uptack %.1e, "
              "MuJoCo %.1e",
              robot->file, largest_difference(nq, U[0], M[0]), largest_difference(nq, U[1], M[1]),
              bound, error_U, error_M);
}

TEST(robots_without_contact_move_as_in_MuJoCo)
{
    Robot robot;
    int count = 0;
    if (getenv("UPTACK_DATA") == NULL) {
        test_skip("UPTACK_DATA is not set: no robots");
        return;
    }
    FILE* file = fopen("test/robots/free_motion.txt", "r");
    if (!CHECK(file != NULL)) {
        return;
    }
    // the header has lines that begin with #
    char line[300];
    long at = 0;
    while (fgets(line, sizeof line, file) != NULL && line[0] == '#') {
        at = ftell(file);
    }
    (void)fseek(file, at, SEEK_SET);
    while (fscanf(file, "%159s %31s %31s", robot.file, robot.key, robot.free) == 3) {
        compare(file, &robot);
        count++;
    }
    (void)fclose(file);
    CHECK(count >= 5);
}
