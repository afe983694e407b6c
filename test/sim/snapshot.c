// SPDX-License-Identifier: Apache-2.0
// Snapshots: loading one restores everything; anything else is rejected and changes nothing.
#include "all_inputs.h"

// Mocap bodies in motion, other controls: all of that a snapshot has to hold.
static void move_on(utSim* sim, int steps)
{
    const utModel* model = ut_sim_model(sim);
    double pos[6], quat[8];
    const double ctrl[2] = {-0.1, 0.4};
    memcpy(pos, model->mocap_pos, sizeof pos);
    memcpy(quat, model->mocap_quat, sizeof quat);
    for (int k = 0; k < steps; k++) {
        pos[0] += 1e-3;
        quat[1] += 1e-3;
        const utInput input = {.ctrl = ctrl, .mocap_pos = pos, .mocap_quat = quat};
        CHECK_INT(ut_sim_step(sim, &input, NULL, NULL), UT_OK);
    }
}

TEST(a_snapshot_brings_everything_back)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    utSim* other = inputs_sim(model);
    inputs_run(sim, 30);
    move_on(sim, 10);
    Picture saved = take_picture(sim);
    inputs_run(other, 3);
    CHECK(!looks_the_same(other, &saved));
    CHECK_INT(ut_sim_load(other, saved.bytes, saved.size, NULL), UT_OK);
    CHECK(looks_the_same(other, &saved));

    // without inputs, mocap bodies stay at the poses of the snapshot
    inputs_run(sim, 60);
    inputs_run(other, 60);
    Picture later = take_picture(sim);
    CHECK(looks_the_same(other, &later));
    free_picture(&later);
    free_picture(&saved);
    ut_sim_destroy(other);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(a_snapshot_that_is_cut_off_is_refused_at_every_length)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 40);
    Picture saved = take_picture(sim);
    inputs_run(sim, 5);
    Picture before = take_picture(sim);
    for (size_t size = 0; size < saved.size; size++) {
        // memory of exactly that size, for the sanitizers
        void* part = malloc(size > 0 ? size : 1);
        utError err = {0};
        memcpy(part, saved.bytes, size);
        CHECK_INT(ut_sim_load(sim, part, size, &err), UT_ERR_ARGUMENT);
        CHECK(err.message[0] != '\0' && looks_the_same(sim, &before));
        CHECK_INT(ut_sim_save(sim, part, size), UT_ERR_CAPACITY);
        free(part);
    }
    CHECK_INT(ut_sim_load(sim, NULL, saved.size, NULL), UT_ERR_ARGUMENT);
    CHECK(looks_the_same(sim, &before));
    free_picture(&before);
    free_picture(&saved);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Behind the header come the numbers of the state, then the impulses. So damage before the impulses
// is either detected or changes a number of the state that is still finite.
TEST(numbers_of_the_state_that_are_not_finite_are_refused)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 40);
    Picture saved = take_picture(sim);
    const double* q = ut_sim_q(sim);
    const double nan_value = (double)NAN;
    int found = 0;
    // q is at the place of its bytes
    for (size_t at = 0; at + (size_t)model->nq * sizeof *q <= saved.size; at += sizeof *q) {
        if (memcmp(saved.bytes + at, q, (size_t)model->nq * sizeof *q) != 0) {
            continue;
        }
        const int numbers = model->nq + model->nv + 7 * model->nmocap;
        for (int k = 0; k < numbers; k++) {
            unsigned char* bytes = malloc(saved.size);
            utError err = {0};
            char wanted[32];
            memcpy(bytes, saved.bytes, saved.size);
            memcpy(bytes + at + (size_t)k * sizeof *q, &nan_value, sizeof nan_value);
            sign_snapshot(bytes, saved.size);
            CHECK_INT(ut_sim_load(sim, bytes, saved.size, &err), UT_ERR_ARGUMENT);
            snprintf(wanted, sizeof wanted, "number %d ", k);
            CHECK(strncmp(err.message, wanted, strlen(wanted)) == 0);
            CHECK(looks_the_same(sim, &saved));
            free(bytes);
            found++;
        }
    }
    CHECK_INT(found, model->nq + model->nv + 7 * model->nmocap);
    free_picture(&saved);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(a_snapshot_of_another_model_is_refused)
{
    utModel* model = inputs_model();
    utModelDef* def = NULL;
    utModel* other_model = NULL;
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    const int body = inputs_body(def, 0, ut_vec3(0.0, 0.0, 1.0), false);
    inputs_joint(def, body, UT_JOINT_FREE, ut_vec3(0.0, 1.0, 0.0));
    CHECK_INT(ut_model_compile(def, NULL, &other_model, NULL), UT_OK);
    ut_model_def_destroy(def);
    utSim* sim = inputs_sim(model);
    utSim* other = inputs_sim(other_model);
    Picture saved = take_picture(other);
    Picture before = take_picture(sim);
    utError err;
    CHECK_INT(ut_sim_load(sim, saved.bytes, saved.size, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "another model") != NULL);
    CHECK(looks_the_same(sim, &before));
    free_picture(&before);
    free_picture(&saved);
    ut_sim_destroy(other);
    ut_sim_destroy(sim);
    ut_model_destroy(other_model);
    ut_model_destroy(model);
}

// ---- snapshots made by somebody who knows the form
// ------------------------------------------------

// Offsets of the header.
enum {
    STEPS_AT = 24,
    START_AT = 32,
    TIME_AT = 40,
    DT_AT = 48,
    WARM_H_AT = 56,
    H_NEXT_AT = 64,
    COUNT_AT = 72,
    NUMBERS_AT = 96
};

// A snapshot with other bytes at `at` and a valid hash is rejected with these words; the sim stays.
static void check_refused(utSim* sim, const Picture* saved, size_t at, const void* with,
                          size_t size, const char* words)
{
    Picture before = take_picture(sim);
    unsigned char* bytes = malloc(saved->size);
    utError err = {0};
    memcpy(bytes, saved->bytes, saved->size);
    memcpy(bytes + at, with, size);
    sign_snapshot(bytes, saved->size);
    CHECK_INT(ut_sim_load(sim, bytes, saved->size, &err), UT_ERR_ARGUMENT);
    if (!CHECK(strstr(err.message, words) != NULL)) {
        test_note("byte %zu: '%s', not '%s'", at, err.message, words);
    }
    CHECK(looks_the_same(sim, &before));
    free(bytes);
    free_picture(&before);
}

static void check_number_refused(utSim* sim, const Picture* saved, size_t at, double x,
                                 const char* words)
{
    check_refused(sim, saved, at, &x, sizeof x, words);
}

TEST(a_snapshot_with_values_that_no_sim_has_is_refused_by_name)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 40);
    Picture saved = take_picture(sim);
    inputs_run(sim, 5);
    check_refused(sim, &saved, 0, "utsnap02", 8, "another version");
    check_refused(sim, &saved, 0, "record03", 8, "not a snapshot");
    check_number_refused(sim, &saved, TIME_AT, 0.125, "the clock");
    check_number_refused(sim, &saved, START_AT, -1e300, "the clock");
    check_number_refused(sim, &saved, DT_AT, 0.0, "not finite");
    check_number_refused(sim, &saved, DT_AT, 0.5 * ut_sim_dt(sim), "the clock");
    check_number_refused(sim, &saved, WARM_H_AT, -1.0, "not a positive time");
    check_number_refused(sim, &saved, WARM_H_AT, 5e-324, "impulse 0 of the snapshot is not finite");
    check_number_refused(sim, &saved, H_NEXT_AT, HUGE_VAL, "not a positive time");
    const uint64_t many = UINT64_MAX;
    check_refused(sim, &saved, STEPS_AT, &many, sizeof many, "the clock");
    const int32_t counts[] = {-1, INT32_MAX, 1 << 30};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        check_refused(sim, &saved, COUNT_AT, &counts[k], sizeof counts[k], "cut off or damaged");
        check_refused(sim, &saved, COUNT_AT + 4, &counts[k], sizeof counts[k],
                      "cut off or damaged");
    }
    free_picture(&saved);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// One changed bit anywhere is detected.
TEST(a_snapshot_with_one_bit_changed_is_refused)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 40);
    Picture saved = take_picture(sim);
    unsigned char* bytes = malloc(saved.size);
    int taken = 0;
    for (size_t at = 0; at < saved.size; at++) {
        memcpy(bytes, saved.bytes, saved.size);
        bytes[at] ^= (unsigned char)(1 << at % 8);
        taken += ut_sim_load(sim, bytes, saved.size, NULL) == UT_OK;
    }
    CHECK_INT(taken, 0);
    free(bytes);
    free_picture(&saved);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A time that a step does not change is rejected: -1e300 s + dt is -1e300 s, and a loop up to a later
// time would not end.
TEST(a_snapshot_whose_time_swallows_steps_is_refused)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    Picture saved = take_picture(sim);
    const double far = -1e300;
    memcpy(saved.bytes + START_AT, &far, sizeof far);
    check_number_refused(sim, &saved, TIME_AT, far, "lost in its last digits");
    utError err = {0};
    CHECK_INT(ut_sim_set(sim, far, NULL, NULL, &err), UT_ERR_ARGUMENT);
    CHECK_INT(ut_sim_set(sim, 1e9, NULL, NULL, &err), UT_OK);
    free_picture(&saved);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Double each entry of q: only quaternions are rejected for their length.
TEST(a_snapshot_whose_quaternions_are_not_of_unit_length_is_refused)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    Picture saved = take_picture(sim);
    for (int m = 0; m < model->nmocap; m++) {
        const size_t numbers = (size_t)(model->nq + model->nv + 3 * model->nmocap + 4 * m);
        check_number_refused(sim, &saved, NUMBERS_AT + 8 * numbers, 2.0, "quaternion");
    }
    int quats = 0;
    for (int j = 0; j < model->njoint; j++) {
        const utJointKind kind = model->joint[j].kind;
        if (kind == UT_JOINT_FREE || kind == UT_JOINT_BALL) {
            const int q = model->joint[j].q + (kind == UT_JOINT_FREE ? 3 : 0);
            check_number_refused(sim, &saved, NUMBERS_AT + 8 * (size_t)q, 2.0, "quaternion");
            quats++;
        }
    }
    CHECK(quats > 0 && model->nmocap > 0);
    free_picture(&saved);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// The clock of a sim with another dt goes on from the snapshot's time and counts its own dt.
TEST(a_snapshot_goes_on_under_another_dt)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 40);
    Picture saved = take_picture(sim);
    const double dts[] = {2.0 * ut_sim_dt(sim), 0.25 * ut_sim_dt(sim)};
    for (int k = 0; k < 2; k++) {
        utSimDef def = ut_sim_def();
        def.dt = dts[k];
        utSim* other = NULL;
        CHECK_INT(ut_sim_create(model, &def, &other, NULL), UT_OK);
        inputs_run(other, 7);
        CHECK_INT(ut_sim_load(other, saved.bytes, saved.size, NULL), UT_OK);
        CHECK_NEAR(ut_sim_time(other), saved.time, 0.0);
        inputs_run(other, 3);
        CHECK_NEAR(ut_sim_time(other), saved.time + 3.0 * dts[k], 0.0);
        ut_sim_destroy(other);
    }
    free_picture(&saved);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
