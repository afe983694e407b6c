// SPDX-License-Identifier: Apache-2.0
// Every kind of sensor against the official engine's numbers (expected.h).
#include "expected.h"
#include "support/make_sim.h"

#include <math.h>
#include <uptack/load.h>
#include <uptack/sensor.h>

#define ARM "test/sensor/models/arm.xml"
#define TENDONS "test/sensor/models/tendons.xml"

enum { MAX_VALUES = 300, MAX_DOFS = 32 };

// Values are of order 1 to 60 and come from some hundred operations on numbers of that size.
static const double ROUNDING = 1e-12;

static utModel* load(const char* path)
{
    utModel* model = NULL;
    utError err = {0};
    if (!CHECK_INT(ut_load(path, &model, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    return model;
}

static void check_all(const utModel* model, const double* data, const Expected* expected, int count)
{
    for (int i = 0; i < count; i++) {
        const int sensor = ut_model_find_sensor(model, expected[i].name);
        if (!CHECK(sensor >= 0) || !CHECK_INT(model->sensor[sensor].dim, expected[i].dim)) {
            test_note("%s", expected[i].name);
            continue;
        }
        for (int k = 0; k < expected[i].dim; k++) {
            const double got = data[model->sensor[sensor].start + k];
            if (!CHECK_NEAR(got, expected[i].value[k], ROUNDING)) {
                test_note("%s[%d]", expected[i].name, k);
            }
        }
    }
}

TEST(sensors_of_positions_and_velocities_read_what_mujoco_reads)
{
    utModel* model = load(ARM);
    utSim* sim = make_sim(model, NULL);
    double data[MAX_VALUES];
    CHECK(model->nsensordata <= MAX_VALUES);
    CHECK_INT(ut_sim_reset(sim, 0, NULL), UT_OK);
    ut_sim_sensors(sim, data);
    check_all(model, data, expected_at_state,
              (int)(sizeof expected_at_state / sizeof *expected_at_state));
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A report with the accelerations of mj_forward: with h = 1 and q+ = q they are v+ - v - b, where b of
// ut_dyn_centripetal is the part of v+ - v that belongs to the frames of free bodies.
TEST(sensors_of_accelerations_and_forces_read_what_mujoco_reads)
{
    utModel* model = load(ARM);
    utArena arena = test_arena();
    utSensors sensors;
    utKinematics kin;
    double data[MAX_VALUES], v_next[MAX_DOFS], b[MAX_DOFS];
    CHECK_INT(ut_sensors_create(model, &arena, &sensors), UT_OK);
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    const utModelKeyframe* key = &model->keyframe[0];
    ut_kinematics_place(&kin, key->q, NULL, NULL);
    ut_kinematics_move(&kin, key->v, NULL);
    ut_dyn_centripetal(&kin, key->v, b);
    CHECK_INT(model->nv, sizeof arm_qacc / sizeof *arm_qacc);
    for (int i = 0; i < model->nv; i++) {
        v_next[i] = key->v[i] + arm_qacc[i] + b[i];
    }
    const utStepReport step = {
        .model = model,
        .h = 1.0,
        .gravity = model->options.gravity,
        .q = key->q,
        .v = key->v,
        .ctrl = key->ctrl,
        .actuator_force = key->ctrl, // of motors
        .q_next = key->q,
        .v_next = v_next,
    };
    const utSensorState state = {key->time, key->q, key->v, &kin};
    ut_sensors_read(&sensors, &state, &step, data);
    check_all(model, data, expected_of_step,
              (int)(sizeof expected_of_step / sizeof *expected_of_step));
    ut_model_destroy(model);
}

// The accelerations of a step of EULER are those of mj_forward but for the gyroscopic terms of the
// ball, which EULER takes at the mean angular velocity of the step: less than h times the rates of
// these terms, which are below |w| |alpha| = 3 * 200 rad^2/s^3 times arms and masses of order 1.
TEST(a_short_step_accelerates_as_mujoco_does)
{
    utModel* model = load(ARM);
    utSimDef def = ut_sim_def();
    def.dt = 1e-6;
    utSim* sim = make_sim(model, &def);
    double data[MAX_VALUES];
    CHECK_INT(ut_sim_reset(sim, 0, NULL), UT_OK);
    const utInput input = {.ctrl = model->keyframe[0].ctrl};
    CHECK_INT(ut_sim_step(sim, &input, NULL, NULL), UT_OK);
    ut_sim_sensors(sim, data);
    double worst = 0.0;
    for (size_t i = 0; i < sizeof expected_of_step / sizeof *expected_of_step; i++) {
        const Expected* e = &expected_of_step[i];
        const utModelSensor* s = &model->sensor[ut_model_find_sensor(model, e->name)];
        for (int k = 0; k < e->dim; k++) {
            worst = fmax(worst, fabs(data[s->start + k] - e->value[k]));
        }
    }
    test_note("largest difference %.2g", worst);
    CHECK(worst < 600.0 * def.dt);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Lengths and rates at the state, and forces of motors and of an actuator without springs, which do
// not depend on the length of the step. The keyframe violates limits of tendons. A step begins with the
// projection out of such violations, and moments there differ, so that the report is read without it.
TEST(sensors_of_tendons_and_transmissions_read_what_mujoco_reads)
{
    utModel* model = load(TENDONS);
    utArena arena = test_arena();
    utSim* sim = make_sim(model, NULL);
    utSensors sensors;
    utKinematics kin;
    utStepResult result = {0};
    double data[MAX_VALUES];
    CHECK_INT(ut_sim_reset(sim, 0, NULL), UT_OK);
    ut_sim_sensors(sim, data);
    check_all(model, data, expected_of_tendons,
              (int)(sizeof expected_of_tendons / sizeof *expected_of_tendons));
    const utInput input = {.ctrl = model->keyframe[0].ctrl};
    CHECK_INT(ut_sim_step(sim, &input, &result, NULL), UT_OK);
    CHECK(result.report.projection != NULL);
    result.report.projection = NULL;
    CHECK_INT(ut_sensors_create(model, &arena, &sensors), UT_OK);
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, result.report.q, NULL, NULL);
    ut_kinematics_move(&kin, result.report.v, NULL);
    const utSensorState state = {0.0, result.report.q, result.report.v, &kin};
    ut_sensors_read(&sensors, &state, &result.report, data);
    check_all(model, data, expected_tendon_forces,
              (int)(sizeof expected_tendon_forces / sizeof *expected_tendon_forces));
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
