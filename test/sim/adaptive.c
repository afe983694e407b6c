// SPDX-License-Identifier: Apache-2.0
// Adaptive steps: their length is chosen by their error.
#include "physics/lab.h"
#include "sim/all_inputs.h"

static const double G = 9.81;

static utSim* chosen(const utModel* model, double dt, double tolerance, int integrator)
{
    utSim* sim = NULL;
    utError err = {0};
    utSimDef def = ut_sim_def();
    def.dt = dt;
    def.adaptive = tolerance;
    def.integrator = integrator;
    if (!CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    return sim;
}

static utStepResult step_certified(utSim* sim)
{
    utStepResult result = {0};
    utError err = {0};
    if (!CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    return result;
}

// A ball above a floor with a restitution.
static Lab drop(double height, double e)
{
    Lab lab = lab_open(0.1);
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.restitution = e;
    ut_model_def_geom(lab.def, &floor);
    lab_ball(&lab, ut_vec3(0, 0, 0.1 + height), 0.1, 1.0, 0.5);
    lab_start(&lab);
    return lab;
}

// ---- where steps end ----------------------------------------------------------------------------

// The last two steps before the stop time share the time that is left, so that the last one is not
// tiny. Steps after the stop are not shorter for it. In free flight MIDPOINT is exact, so that nothing
// else shortens steps.
TEST(steps_end_where_the_sim_stops_and_none_is_a_sliver)
{
    static const double stops[] = {0.1 + 0.2, 0.777, 0.8001, 1.0 / 3.0 + 1.0, 2.0000001};
    Lab lab = drop(100.0, 0.0);
    utSim* sim = chosen(lab.model, 0.1, 1e-6, UT_INTEGRATOR_MIDPOINT);
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        const double start = ut_sim_time(sim), way = stops[k] - start;
        int steps = 0;
        ut_sim_stop_at(sim, stops[k]);
        while (ut_sim_time(sim) < stops[k] && steps < 1000) {
            const utStepResult result = step_certified(sim);
            CHECK(result.report.h >= fmin(0.499 * 0.1, 0.999 * way));
            CHECK(result.report.h <= 0.1 * (1.0 + 1e-12));
            CHECK_INT(result.tries, 1);
            steps++;
        }
        CHECK(ut_sim_time(sim) == stops[k]);
        CHECK_INT(steps,
                  (int)ceil(way / 0.1 - 1e-9) + (way > 0.1 && fmod(way, 0.1) < 1e-9 ? 1 : 0));
    }
    // the sim goes on after the stop
    const utStepResult result = step_certified(sim);
    CHECK_NEAR(result.report.h, 0.1, 1e-12);
    ut_sim_destroy(sim);
    lab_close(&lab);
}

// In floating point time + (stop - time) is not always stop, where the step is more than half of it.
TEST(steps_end_where_the_sim_stops_whatever_rounding_does)
{
    Lab lab = drop(100.0, 0.0);
    utSim* sim = chosen(lab.model, 0.1, 1e-6, UT_INTEGRATOR_MIDPOINT);
    int rounded = 0;
    for (int k = 1; k <= 200; k++) {
        const double time = 0.03 * sqrt(k / 201.0), stop = time + 0.05 + 0.02 * cos(k);
        rounded += time + (stop - time) != stop;
        CHECK_INT(ut_sim_reset(sim, -1, NULL), UT_OK);
        CHECK_INT(ut_sim_set(sim, time, NULL, NULL, NULL), UT_OK);
        ut_sim_stop_at(sim, stop);
        step_certified(sim);
        CHECK(ut_sim_time(sim) == stop);
    }
    CHECK(rounded > 0);
    ut_sim_destroy(sim);
    lab_close(&lab);
}

TEST(parts_of_a_chosen_step_are_two_halves)
{
    Lab lab = drop(1.0, 0.0);
    utSim* sim = chosen(lab.model, 0.01, 1e-3, UT_INTEGRATOR_EULER);
    const utStepResult result = step_certified(sim);
    CHECK_INT(result.report.parts, 2);
    CHECK_NEAR(result.report.part[0].h, 0.5 * result.report.h, 1e-17);
    CHECK_NEAR(result.report.part[1].h, 0.5 * result.report.h, 1e-17);
    CHECK_NEAR(ut_sim_time(sim), result.report.h, 0.0);
    ut_sim_destroy(sim);
    lab_close(&lab);
}

// ---- the error ----------------------------------------------------------------------------------

// Euler in free fall from rest: one step falls by g H^2, two halves by 3/4 g H^2, which differ by
// g H^2 / 4. The first length is accepted where this is within the tolerance. Else the next length is
// 0.9 H sqrt(TOL / error), at least a fifth and at most a half of H.
TEST(lengths_follow_from_the_error_of_free_fall)
{
    Lab lab = drop(100.0, 0.0);
    const double dt = 0.1, error = 0.25 * G * dt * dt;
    utSim* sim = chosen(lab.model, dt, 1.01 * error, UT_INTEGRATOR_EULER);
    utStepResult result = step_certified(sim);
    CHECK_NEAR(result.report.h, dt, 1e-15);
    CHECK_INT(result.tries, 1);
    ut_sim_destroy(sim);

    sim = chosen(lab.model, dt, 0.1 * error, UT_INTEGRATOR_EULER);
    result = step_certified(sim);
    CHECK_NEAR(result.report.h, 0.9 * sqrt(0.1) * dt, 1e-9);
    CHECK_INT(result.tries, 2);
    ut_sim_destroy(sim);

    sim = chosen(lab.model, dt, 0.99 * error, UT_INTEGRATOR_EULER);
    result = step_certified(sim);
    CHECK_NEAR(result.report.h, 0.5 * dt, 1e-9);
    ut_sim_destroy(sim);
    lab_close(&lab);
}

// ---- impacts ------------------------------------------------------------------------------------

// An impact that stops velocity k of a body is early by gap / speed. The position error, this time
// multiplied by the jump of the velocity, stays below the tolerance.
static void check_early(const utStepReport* report, int k, double tolerance, int* impacts)
{
    for (int p = 0; p < report->parts; p++) {
        const utStepReport* part = &report->part[p];
        const bool contact = part->contacts > 0 && part->contact[0].r[0] > 0.0;
        const bool limit = part->rows > 0 && part->row[0].r > 0.0;
        if ((contact || limit) && part->v[k] < 0.0) {
            const double gap = contact ? part->contact[0].gap : part->row[0].gap;
            const double jump = part->v_next[k] - part->v[k];
            CHECK(jump * fmin(part->h, gap / -part->v[k]) <= tolerance);
            *impacts += 1;
        }
    }
}

TEST(impacts_act_where_they_are_due_and_take_few_steps)
{
    for (int k = 0; k < 3; k++) {
        Lab lab = drop(0.5, k == 0 ? 0.0 : 0.7);
        const double tolerance = k == 2 ? 1e-7 : 1e-4;
        utSim* sim = chosen(lab.model, 0.1, tolerance, UT_INTEGRATOR_MIDPOINT);
        int steps = 0, impacts = 0;
        ut_sim_stop_at(sim, 0.7);
        while (ut_sim_time(sim) < 0.7 && steps < 1000) {
            const utStepResult result = step_certified(sim);
            check_early(&result.report, 2, tolerance, &impacts);
            steps++;
        }
        CHECK(impacts > 0 && steps < 50);
        ut_sim_destroy(sim);
        lab_close(&lab);
    }
}

TEST(limits_of_joints_are_met_where_they_are_due)
{
    Lab lab = lab_open(0.1);
    const int body = lab_body(&lab, "sled", ut_vec3(0, 0, 1));
    utJointDef slide = ut_joint_def(body, UT_JOINT_SLIDE);
    slide.limited = true;
    slide.range[0] = -0.5;
    slide.range[1] = 1.0;
    ut_model_def_joint(lab.def, &slide);
    lab_geom(&lab, body, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0), 1.0, 0.5);
    lab_start(&lab);
    utSim* sim = chosen(lab.model, 0.1, 1e-5, UT_INTEGRATOR_MIDPOINT);
    int impacts = 0, steps = 0;
    ut_sim_stop_at(sim, 0.6);
    while (ut_sim_time(sim) < 0.6 && steps++ < 1000) {
        const utStepResult result = step_certified(sim);
        check_early(&result.report, 0, 1e-5, &impacts);
    }
    CHECK(impacts > 0 && steps < 40);
    CHECK_NEAR(ut_sim_q(sim)[0], -0.5, 1e-9);
    ut_sim_destroy(sim);
    lab_close(&lab);
}

// ---- what does not change -----------------------------------------------------------------------

TEST(a_chosen_step_that_fails_changes_nothing)
{
    utModel* model = inputs_model();
    utSim* sim = chosen(model, 0.0, 1e-5, -1);
    for (int k = 0; k < 20; k++) {
        step_certified(sim);
    }
    Picture before = take_picture(sim);
    const double bad[2] = {0.0, (double)NAN};
    utError err = {0};
    CHECK_INT(ut_sim_step(sim, &(utInput){.ctrl = bad}, NULL, &err), UT_ERR_ARGUMENT);
    CHECK(err.message[0] != '\0' && looks_the_same(sim, &before));
    free_picture(&before);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// No solution meets this tolerance: no length helps, and the step is not taken.
TEST(a_chosen_step_that_is_not_certified_changes_nothing)
{
    utModel* model = inputs_model();
    utSim* sim = NULL;
    utSimDef def = ut_sim_def();
    def.adaptive = 1e-5;
    def.tolerance = 1e-30;
    CHECK_INT(ut_sim_create(model, &def, &sim, NULL), UT_OK);
    utStepResult result = {0};
    for (int k = 0; k < 100 && result.outcome != UT_STEP_UNCERTIFIED; k++) {
        Picture before = take_picture(sim);
        const utStatus status = ut_sim_step(sim, NULL, &result, NULL);
        CHECK((result.outcome == UT_STEP_UNCERTIFIED) == (status == UT_ERR_NOT_TAKEN));
        CHECK((result.outcome == UT_STEP_UNCERTIFIED) == looks_the_same(sim, &before));
        free_picture(&before);
    }
    CHECK_INT(result.outcome, UT_STEP_UNCERTIFIED);
    CHECK(result.tries > 10);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- moved bodies -------------------------------------------------------------------------------

static double plate_at(double t)
{
    return 0.01 * sin(10 * t);
}

// A plate that follows a function of the time, with a body above it.
static Lab plate(double restitution)
{
    Lab lab = lab_open(0.02);
    utBodyDef body = ut_body_def();
    body.mocap = true;
    const int moved = ut_model_def_body(lab.def, &body);
    utGeomDef geom = ut_geom_def(moved, UT_SHAPE_BOX, ut_vec3(1, 1, 0.1));
    geom.restitution = restitution;
    ut_model_def_geom(lab.def, &geom);
    utMotionDef motion = ut_motion_def(moved);
    motion.expression[2] = "0.01*sin(10*t)";
    ut_model_def_motion(lab.def, &motion);
    lab_ball(&lab, ut_vec3(0, 0, 0.3), 0.1, 1.0, 0.5);
    lab.options.formulation = restitution > 0.0 ? UT_FORMULATION_HYBRID : UT_FORMULATION_COULOMB;
    lab_start(&lab);
    return lab;
}

// At every half the plate is where its function says.
TEST(moved_bodies_are_where_they_should_be_at_every_half)
{
    Lab lab = plate(0.0);
    utSim* sim = chosen(lab.model, 0.02, 1e-5, UT_INTEGRATOR_EULER);
    for (int k = 0; k < 50; k++) {
        const utStepResult result = step_certified(sim);
        for (int p = 0; p < result.report.parts; p++) {
            const utStepReport* part = &result.report.part[p];
            CHECK_NEAR(part->mocap_pos_next[2], plate_at(part->time + part->h), 1e-15);
        }
    }
    ut_sim_destroy(sim);
    lab_close(&lab);
}

// At an impact the plate has its mean velocity over the half with the impact, not over the whole
// step, so that the difference of both estimates this error. Positions of 0.01 m are rounded to
// 1e-18 m.
TEST(impacts_see_moved_bodies_as_they_move_in_their_half)
{
    Lab lab = plate(0.8);
    utSim* sim = chosen(lab.model, 0.02, 1e-5, UT_INTEGRATOR_MIDPOINT);
    int instants = 0;
    for (int k = 0; k < 50; k++) {
        const utStepResult result = step_certified(sim);
        const double start = result.report.time, half = 0.5 * result.report.h;
        for (int p = 0; p < result.report.parts; p++) {
            const utStepReport* part = &result.report.part[p];
            const double from = part->time < start + half ? start : start + half;
            if (part->instant) {
                CHECK_NEAR(part->mocap_velocity[0].linear.z,
                           (plate_at(from + half) - plate_at(from)) / half, 1e-16 / half);
                instants++;
            }
        }
    }
    CHECK(instants > 0);
    ut_sim_destroy(sim);
    lab_close(&lab);
}
