// SPDX-License-Identifier: Apache-2.0
// Robots of $UPTACK_DATA on their floors, 5 s from a keyframe with its controls held: every step is
// certified, none by a last resort, feet stay within 1e-6 m of the floor and bases do not creep.
// docs/robots.md has the figures beside those of MuJoCo.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exceptions.h"
#include "robot.h"
#include "test.h"

// Depths count after SETTLED, when the overlaps of the keyframe are gone; creep over the WINDOW at
// the end, when those robots that fall have come to rest.
static const double SETTLED = 0.1, WINDOW = 1.0, DURATION = 5.0; // s

// Contacts are hard: what remains is the second order of one step of a turning foot, of which the
// next step's projection leaves 1e-9 m.
static const double MAX_DEPTH = 1e-6; // m

// Velocities of a robot at rest are errors of the solver: E <= 1e-8 of the scale V, which is at
// least h |g| and here below 0.1 m/s. An error in each of the dozen joints on the way to a base adds up.
static const double MAX_CREEP = 1e-8; // m/s

typedef struct Figures {
    long long steps;
    double E;                            // the largest
    double depth, mean_depth, end_depth; // m: after SETTLED the largest and the mean; the last one
    double creep;                        // m/s: mean speed of the base over the WINDOW
    double speed;                        // m/s: the largest speed of the base there
    double height;                       // m: of the base, at the end
    double seconds;                      // of CPU
} Figures;

// The first body is the base of a floating robot.
static utVec3 base_of(const utSim* sim)
{
    return ut_sim_body(sim, 1).frame.p;
}

static void note_step(const utSim* sim, const utStepResult* result, long long* settled, Figures* f)
{
    f->steps++;
    f->E = fmax(f->E, result->certificate.E);
    f->end_depth = result->max_penetration;
    if (ut_sim_time(sim) > SETTLED) {
        ++*settled;
        f->depth = fmax(f->depth, result->max_penetration);
        f->mean_depth += (result->max_penetration - f->mean_depth) / (double)*settled;
    }
    if (ut_sim_time(sim) > DURATION - WINDOW) {
        f->speed = fmax(f->speed, ut_vec3_norm(ut_sim_body(sim, 1).velocity));
    }
}

// Run to the end, or to the first step that is not certified.
static bool run(utSim* sim, const utInput* input, Figures* f)
{
    const clock_t start = clock();
    utVec3 from = base_of(sim);
    long long settled = 0;
    while (ut_sim_time(sim) < DURATION - 1e-9) {
        utError err = {0};
        utStepResult result = {0};
        if (ut_sim_time(sim) < DURATION - WINDOW + 1e-9) {
            from = base_of(sim);
        }
        if (!CHECK_INT(ut_sim_step(sim, input, &result, &err), UT_OK) ||
            !CHECK_INT(result.outcome, UT_STEP_CERTIFIED)) {
            test_note("%s %s at t = %g s", err.message,
                      ut_certificate_reason_name(result.certificate.reason), ut_sim_time(sim));
            return false;
        }
        note_step(sim, &result, &settled, f);
    }
    f->height = base_of(sim).z;
    f->creep = ut_vec3_norm(ut_vec3_sub(base_of(sim), from)) / WINDOW;
    f->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return true;
}

// @return seconds of CPU
static double check_robot(const Robot* robot)
{
    RobotSim opened;
    Figures f = {0};
    if (!robot_open(robot, &opened)) {
        return 0.0;
    }
    if (run(opened.sim, &opened.input, &f)) {
        CHECK(f.mean_depth <= MAX_DEPTH);
        CHECK(f.end_depth <= MAX_DEPTH);
        CHECK(f.creep <= MAX_CREEP);
    }
    test_note("%-55s E %.1e depth %.1e mean %.1e end %.1e m creep %.1e speed %.1e mm/s height "
              "%.4f m CPU %.2f s",
              robot->file, f.E, f.depth, f.mean_depth, f.end_depth, 1000.0 * f.creep,
              1000.0 * f.speed, f.height, f.seconds);
    robot_close(&opened);
    return f.seconds;
}

TEST(robots_on_their_floors_run_five_seconds_certified)
{
    static Robot robots[ROBOTS_MAX];
    double seconds = 0.0;
    if (getenv("UPTACK_DATA") == NULL) {
        test_skip("UPTACK_DATA is not set: no robots");
        return;
    }
    if (model_runs_are_short()) {
        test_skip("UPTACK_MODEL_SECONDS is set: `make test` runs the robots for 5 s");
        return;
    }
    const int count = robots_read(robots);
    CHECK(count >= 10);
    for (int i = 0; i < count; i++) {
        seconds += check_robot(&robots[i]);
    }
    test_note("%d robots, %.1f s of CPU", count, seconds);
}
