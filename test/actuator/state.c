// SPDX-License-Identifier: Apache-2.0
// Activations are part of the state: keyframes, snapshots, copies, hashes, adaptive steps and
// recordings.
#include "lab.h"

static const char filters[] =
    "<worldbody><body><joint name='j' type='slide'/><geom size='.1' mass='2'/></body></worldbody>"
    "<actuator><motor joint='j'/>"
    "<general name='fast' joint='j' dyntype='filterexact' dynprm='.1'/>"
    "<intvelocity name='slow' joint='j' kp='3' actrange='-1 1'/></actuator>"
    "<keyframe><key name='k' act='.5 -.25' ctrl='1 2 3'/></keyframe>";

static const double ctrl[] = {0.3, 2.0, 0.4};

TEST(a_keyframe_sets_activations_and_the_modelled_pose_has_none)
{
    Lab lab = lab_open(filters, UT_INTEGRATOR_EULER);
    CHECK_INT(lab.model->na, 2);
    CHECK_NEAR(ut_sim_act(lab.sim)[0], 0.0, 0.0);
    CHECK_INT(ut_sim_reset(lab.sim, 0, NULL), UT_OK);
    CHECK_NEAR(ut_sim_act(lab.sim)[0], 0.5, 0.0);
    CHECK_NEAR(ut_sim_act(lab.sim)[1], -0.25, 0.0);
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, NULL, NULL), UT_OK); // keeps them
    CHECK_NEAR(ut_sim_act(lab.sim)[1], -0.25, 0.0);
    utError err = {0};
    const double bad[] = {0.0, (double)NAN};
    CHECK_INT(ut_sim_set_act(lab.sim, bad, &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, "act[1] is not a finite number");
    CHECK_NEAR(ut_sim_act(lab.sim)[0], 0.5, 0.0);
    lab_close(&lab);
}

TEST(the_hash_of_a_state_contains_its_activations)
{
    Lab lab = lab_open(filters, UT_INTEGRATOR_EULER);
    const uint64_t before = ut_sim_hash(lab.sim);
    const double act[] = {0.0, 1e-3};
    CHECK_INT(ut_sim_set_act(lab.sim, act, NULL), UT_OK);
    CHECK(ut_sim_hash(lab.sim) != before);
    lab_close(&lab);
}

// A sim that goes on from a snapshot, or from a copy, ends with the same bits.
TEST(snapshots_and_copies_hold_activations)
{
    Lab one = lab_open(filters, UT_INTEGRATOR_EULER);
    Lab two = lab_open(filters, UT_INTEGRATOR_EULER);
    Lab three = lab_open(filters, UT_INTEGRATOR_EULER);
    static char bytes[4096];
    lab_steps(&one, 20, ctrl);
    const size_t size = ut_sim_snapshot_size(one.sim);
    if (CHECK(size <= sizeof bytes)) {
        CHECK_INT(ut_sim_save(one.sim, bytes, size), UT_OK);
        CHECK_INT(ut_sim_load(two.sim, bytes, size, NULL), UT_OK);
    }
    CHECK_INT(ut_sim_copy(one.sim, three.sim, NULL), UT_OK);
    lab_steps(&one, 20, ctrl);
    lab_steps(&two, 20, ctrl);
    lab_steps(&three, 20, ctrl);
    CHECK(ut_sim_hash(one.sim) == ut_sim_hash(two.sim));
    CHECK(ut_sim_hash(one.sim) == ut_sim_hash(three.sim));
    lab_close(&one);
    lab_close(&two);
    lab_close(&three);
}

// A snapshot whose activation is not finite is rejected: its hash is right, its number is not.
TEST(a_snapshot_with_an_infinite_activation_is_rejected)
{
    Lab lab = lab_open(filters, UT_INTEGRATOR_EULER);
    static char bytes[4096];
    const size_t size = ut_sim_snapshot_size(lab.sim);
    const double marked[] = {0.125, HUGE_VAL}, mark = 0.8125;
    CHECK_INT(ut_sim_set_act(lab.sim, (const double[]){0.125, 0.8125}, NULL), UT_OK);
    CHECK_INT(ut_sim_save(lab.sim, bytes, size), UT_OK);
    for (size_t at = 0; at + sizeof mark <= size - sizeof(uint64_t); at += sizeof mark) {
        if (memcmp(bytes + at, &mark, sizeof mark) == 0) {
            memcpy(bytes + at, &marked[1], sizeof mark);
        }
    }
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, bytes, size - sizeof hash);
    memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
    utError err = {0};
    CHECK_INT(ut_sim_load(lab.sim, bytes, size, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "is not finite") != NULL);
    lab_close(&lab);
}

// The exact filter does not depend on the lengths of the steps.
TEST(adaptive_steps_carry_activations)
{
    Lab lab = {.model = lab_model(filters, 0)};
    utSimDef def = ut_sim_def();
    def.adaptive = 1e-6;
    def.dt = 0.05;
    CHECK_INT(ut_sim_create(lab.model, &def, &lab.sim, NULL), UT_OK);
    ut_sim_stop_at(lab.sim, 0.3);
    while (ut_sim_time(lab.sim) < 0.3 && lab_steps(&lab, 1, ctrl)) {
    }
    CHECK_NEAR(ut_sim_act(lab.sim)[0], 2.0 * (1.0 - exp(-3.0)), 1e-13);
    CHECK_NEAR(ut_sim_act(lab.sim)[1], 0.3 * 0.4, 1e-13);
    lab_close(&lab);
}

// ---- recordings ---------------------------------------------------------------------------------

typedef struct File {
    _Alignas(8) char bytes[1 << 16];
    size_t size;
} File;

static bool keep_bytes(void* context, const char* bytes, size_t size)
{
    File* file = context;
    const bool fits = file->size + size <= sizeof file->bytes;
    if (fits) {
        memcpy(file->bytes + file->size, bytes, size);
        file->size += size;
    }
    return fits;
}

static utRecordState state_of(const utSim* sim)
{
    return (utRecordState){
        .time = ut_sim_time(sim), .q = ut_sim_q(sim), .v = ut_sim_v(sim), .act = ut_sim_act(sim)};
}

TEST(a_recording_holds_activations)
{
    static File file;
    Lab lab = lab_open(filters, UT_INTEGRATOR_EULER);
    utArena arena = test_arena();
    utRecorder recorder;
    utRecordDef def = ut_record_def();
    def.adaptive = 0.5; // a record before that of the activations
    CHECK_INT(ut_recorder_create(lab.model, &def, keep_bytes, &file, &arena, &recorder), UT_OK);
    lab_steps(&lab, 7, ctrl);
    const utRecordState state = state_of(lab.sim);
    CHECK(ut_recorder_state(&recorder, 7, &state));
    CHECK(ut_recorder_end(&recorder, 7));
    utRecording recording;
    utRecordFrame frame;
    CHECK_INT(ut_recording_open(file.bytes, file.size, "x.utr", &recording, NULL), UT_OK);
    CHECK_INT(recording.na, 2);
    CHECK_NEAR(recording.adaptive, 0.5, 0.0);
    CHECK_INT(ut_recording_next(&recording, &frame, NULL), UT_OK);
    CHECK_INT(frame.kind, UT_RECORD_STATE);
    CHECK(frame.hash == ut_sim_hash(lab.sim));
    CHECK_NEAR(frame.state.act[0], ut_sim_act(lab.sim)[0], 0.0);
    CHECK_NEAR(frame.state.act[1], ut_sim_act(lab.sim)[1], 0.0);
    const int last = recording.columns - 1;
    const utText name = ut_recording_column(&recording, last);
    CHECK(name.size == 8 && memcmp(name.data, "slow.act", 8) == 0);
    CHECK_NEAR(frame.value[ut_recording_value(&recording, last)], ut_sim_act(lab.sim)[1], 0.0);
    lab_close(&lab);
}

TEST(the_table_of_states_has_a_column_per_activation)
{
    static File file;
    Lab lab = lab_open(filters, UT_INTEGRATOR_EULER);
    utArena arena = test_arena();
    utCsv csv;
    CHECK_INT(ut_sim_set_act(lab.sim, (const double[]){0.5, -0.25}, NULL), UT_OK);
    CHECK_INT(ut_csv_create(lab.model, keep_bytes, &file, &arena, &csv), UT_OK);
    CHECK(ut_csv_states_head(&csv));
    const utRecordState state = state_of(lab.sim);
    CHECK(ut_csv_states_row(&csv, &state) && ut_csv_flush(&csv));
    file.bytes[file.size] = 0;
    CHECK(strstr(file.bytes, ",j.q,j.qd,fast.act,slow.act\n") != NULL);
    CHECK(strstr(file.bytes, ",0.5,-0.25\n") != NULL);
    lab_close(&lab);
}
