// SPDX-License-Identifier: Apache-2.0
// Binary recordings: the bytes against an independent reader, reading back, and
// failures of writing.
#include "made.h"
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/sim.h>

static File file;
static File table;

static utModel* begin(void)
{
    utModel* model = make_model();
    empty(&file);
    empty(&table);
    CHECK(make_recording(model, &file));
    return model;
}

static void end(utModel* model)
{
    ut_model_destroy(model);
}

// ---- bytes --------------------------------------------------------------------------------------

static double double_at(size_t at)
{
    const uint64_t bits = number_at(file.bytes + at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

TEST(the_bytes_are_as_documented)
{
    utModel* model = begin();
    size_t at[MADE_RECORDS];
    CHECK(memcmp(file.bytes, "\x89UTR\r\n\x1a\n", 8) == 0);
    static const uint64_t kinds[] = {1, 2, 3, 4, 3, 2, 6, 5};
    // a state: 16 + 8 (1 + 5 + 4 + 13 + 3 * 13); inputs: 16 + 8 and 16 + 8 (24 + 3)
    static const uint64_t sizes[] = {0, 512, 24, 24 + 2 * 216, 232, 512, 16 + 2 * 40, 8};
    if (CHECK_INT(find_records(&file, at), 8)) {
        CHECK_INT(at[8], file.size);
        for (int k = 0; k < 8; k++) {
            CHECK_INT(number_at(file.bytes + at[k], 4), kinds[k]);
            CHECK(k == 0 || number_at(file.bytes + at[k] + 8, 8) == sizes[k]);
            // recomputing right checksums changes nothing
            char copy[1 << 12];
            const size_t size = at[k + 1] - at[k] + 8;
            CHECK(size <= sizeof copy);
            memcpy(copy, file.bytes + at[k] - 8, size);
            seal(copy, 8, size - 32);
            CHECK(memcmp(copy, file.bytes + at[k] - 8, size) == 0);
        }
        // the head: version, nq, nv, nu, nmocap, nbody, ngeom, columns, changes, texts, directions
        static const uint64_t head[] = {1, 5, 4, 1, 1, 4, 2, 49, 2, 58, 8, 1};
        for (size_t k = 0; k < 12; k++) {
            CHECK_INT(number_at(file.bytes + at[0] + 16 + 4 * k, 4), head[k]);
        }
        CHECK(number_at(file.bytes + at[0] + 64, 8) == model->hash);
        CHECK_NEAR(double_at(at[0] + 72), 0.1, 0);
        // the second state: step, hash, time, q, ...; the arm's mass moves by 0.1 m/s along y
        CHECK_INT(number_at(file.bytes + at[5] + 16, 8), 3);
        CHECK_NEAR(double_at(at[5] + 32), 0.1, 0);
        CHECK_NEAR(double_at(at[5] + 32 + 8 * 2), 0.0, 0);
        CHECK_NEAR(double_at(at[5] + 32 + 8 * 3), 1.0, 0);
        CHECK_NEAR(double_at(at[5] + 32 + 8 * (1 + 5 + 4 + 13 + 8)), 0.1, 0);
        // the second contact: geoms, feature, island, state, then numbers up to e
        const size_t c = at[3] + 16 + 24 + 216;
        CHECK(number_at(file.bytes + c + 8, 8) == UINT64_C(0xfedcba9876543210));
        CHECK_INT(number_at(file.bytes + c + 20, 4), 2);
        CHECK_NEAR(double_at(c + 24), 1.0, 0);
        CHECK_NEAR(double_at(c + 208), 1e-9, 0);
        // the second transition: time, geoms, feature, from, to, speed
        const size_t t = at[6] + 16 + 16 + 40;
        CHECK_INT(number_at(file.bytes + at[6] + 16, 8), 3);
        CHECK_INT(number_at(file.bytes + at[6] + 24, 8), 2);
        CHECK_NEAR(double_at(t), 0.0625, 0);
        CHECK_INT(number_at(file.bytes + t + 12, 4), 1);
        CHECK(number_at(file.bytes + t + 16, 8) == UINT64_C(0xfedcba9876543210));
        CHECK_INT(number_at(file.bytes + t + 24, 4), 1);
        CHECK_INT(number_at(file.bytes + t + 28, 4), 2);
        CHECK_NEAR(double_at(t + 32), 0.75, 0);
    }
    end(model);
}

// ---- reading back -------------------------------------------------------------------------------

static bool is_text(utText text, const char* want)
{
    return text.size == strlen(want) && memcmp(text.data, want, text.size) == 0;
}

static bool same_doubles(const void* a, const void* b, size_t count)
{
    return memcmp(a, b, count * sizeof(double)) == 0;
}

TEST(the_head_comes_back)
{
    utModel* model = begin();
    utRecording r;
    utError err = {0};
    if (CHECK(ut_recording_open(file.bytes, file.size, "f", &r, &err) == UT_OK)) {
        CHECK_INT(r.nq, 5);
        CHECK_INT(r.nv, 4);
        CHECK_INT(r.nu, 1);
        CHECK_INT(r.nmocap, 1);
        CHECK_INT(r.nbody, 4);
        CHECK_INT(r.ngeom, 2);
        CHECK(r.model_hash == model->hash);
        CHECK(is_text(r.source, "three.xml"));
        CHECK(is_text(r.model_name, "three"));
        CHECK(is_text(r.formulation, "coulomb"));
        CHECK(is_text(r.solver, "auto"));
        CHECK(is_text(r.integrator, "Euler"));
        CHECK(r.dt == 0.1 && r.tolerance == 1e-8 && r.directions == 8 && r.keep_going);
        CHECK(r.changes == 2 && is_text(ut_recording_change(&r, 1), "option.dt=0.5"));
        CHECK(is_text(ut_recording_geom(&r, 0), "the \"floor\""));
        CHECK(is_text(ut_recording_geom(&r, 1), "a,b.geom1"));
        // time, three bodies, a hinge and a ball joint
        CHECK_INT(r.columns, 1 + 3 * 13 + 2 + 7);
        CHECK(is_text(ut_recording_column(&r, 0), "time"));
        CHECK(is_text(ut_recording_column(&r, 1 + 13), "body2.x"));
        CHECK(is_text(ut_recording_column(&r, 1 + 39 + 2), "turn.q[0]"));
        CHECK_INT(ut_recording_value(&r, 1 + 39 + 2), 1 + 1);
    }
    end(model);
}

static void check_state(const utRecordFrame* frame, int k)
{
    uint64_t hash = ut_hash_doubles(UT_HASH_START, &(double){0.1 * k}, 1);
    hash = ut_hash_doubles(ut_hash_doubles(hash, made_q[k], 5), made_v[k], 4);
    CHECK(frame->kind == UT_RECORD_STATE && frame->hash == hash && frame->time == 0.1 * k);
    CHECK(same_doubles(frame->state.q, made_q[k], 5) && same_doubles(frame->state.v, made_v[k], 4));
    static const double modelled[] = {7, 8, 9, 1, 0, 0, 0};
    static const utMotion rest[1];
    CHECK(same_doubles(frame->state.mocap_pos, k == 0 ? modelled : made_mocap_pos, 3));
    CHECK(same_doubles(frame->state.mocap_quat, k == 0 ? modelled + 3 : made_mocap_quat, 4));
    CHECK(same_doubles(frame->state.mocap_velocity, k == 0 ? rest : made_mocap_velocity, 6));
}

static void check_contact(const utRecordedContact* c)
{
    CHECK(c->geom1 == 0 && c->geom2 == 1 && c->feature == 0xfedcba9876543210 && c->island == 3);
    CHECK(c->state == UT_CONTACT_SLIP && c->gap == -0.5 && c->mu == 0.75 && c->e == 1e-9);
    CHECK(same_doubles(&c->point, &made_contact.point, 3));
    CHECK(same_doubles(c->frame, made_contact.frame, 9));
    CHECK(same_doubles(c->b, made_contact.b, 3) && same_doubles(c->r, made_contact.r, 3) &&
          same_doubles(c->u, made_contact.u, 3));
}

TEST(frames_come_back_to_the_bit)
{
    utModel* model = begin();
    utRecording r;
    utError err = {0};
    utRecordFrame f[7];
    if (CHECK(ut_recording_open(file.bytes, file.size, "f", &r, &err) == UT_OK)) {
        for (int k = 0; k < 7; k++) {
            CHECK(ut_recording_next(&r, &f[k], &err) == UT_OK);
        }
        check_state(&f[0], 0);
        CHECK(f[1].kind == UT_RECORD_INPUT && f[1].step == 1);
        CHECK(f[1].input.ctrl != NULL && f[1].input.ctrl[0] == 0.25);
        CHECK(f[1].input.force == NULL && f[1].input.applied == NULL);
        CHECK(f[2].kind == UT_RECORD_CONTACTS && f[2].step == 1 && f[2].time == 0.05);
        if (CHECK_INT(f[2].contacts, 2)) {
            check_contact(&f[2].contact[0]);
            check_contact(&f[2].contact[1]);
        }
        CHECK(f[3].kind == UT_RECORD_INPUT && f[3].step == 3 && f[3].input.ctrl == NULL);
        CHECK(f[3].input.applied != NULL && same_doubles(f[3].input.applied, made_applied, 24));
        CHECK(f[3].input.mocap_pos != NULL &&
              same_doubles(f[3].input.mocap_pos, made_mocap_pos, 3));
        check_state(&f[4], 1);
        CHECK(f[4].step == 3);
        CHECK(f[5].kind == UT_RECORD_TRANSITIONS && f[5].step == 3);
        if (CHECK_INT(f[5].transitions, 2)) {
            CHECK(memcmp(&f[5].transition[0], &made_transition, sizeof made_transition) == 0);
            CHECK(memcmp(&f[5].transition[1], &made_transition, sizeof made_transition) == 0);
        }
        CHECK(f[6].kind == UT_RECORD_END && f[6].step == 3);
        CHECK(ut_recording_next(&r, &f[0], &err) == UT_OK && f[0].kind == UT_RECORD_END);
    }
    end(model);
}

// Both tables, written directly and from the recording.
TEST(tables_from_a_recording_are_the_same_bytes)
{
    utModel* model = begin();
    static File direct;
    empty(&direct);
    utArena keep = test_arena();
    utCsv csv;
    CHECK(ut_csv_create(model, keep_bytes, &direct, &keep, &csv) == UT_OK);
    const utContact contacts[] = {made_contact, made_contact};
    const utStepReport report = {.model = model, .contacts = 2, .contact = contacts};
    const utRecordState first = made_state(0);
    const utRecordState second = made_state(1);
    CHECK(ut_csv_states_head(&csv) && ut_csv_states_row(&csv, &first));
    const utStepReport steady = {.model = model, .transitions = 1, .transition = &made_transition};
    CHECK(ut_csv_contacts_rows(&csv, &report, 0.05) && ut_csv_states_row(&csv, &second));
    CHECK(ut_csv_transitions_rows(&csv, &steady) && ut_csv_transitions_rows(&csv, &steady));
    CHECK(ut_csv_flush(&csv));

    utRecording r;
    utRecordFrame frame;
    utError err = {0};
    CHECK(ut_csv_create(NULL, keep_bytes, &table, &keep, &csv) == UT_OK);
    CHECK(ut_recording_open(file.bytes, file.size, "f", &r, &err) == UT_OK);
    CHECK(ut_csv_recorded_states_head(&csv, &r));
    for (int k = 0; k < 7 && CHECK(ut_recording_next(&r, &frame, &err) == UT_OK); k++) {
        if (frame.kind == UT_RECORD_STATE) {
            CHECK(ut_csv_recorded_states_row(&csv, &r, &frame));
        } else if (frame.kind == UT_RECORD_CONTACTS) {
            CHECK(ut_csv_recorded_contacts_rows(&csv, &r, &frame));
        } else if (frame.kind == UT_RECORD_TRANSITIONS) {
            CHECK(ut_csv_recorded_transitions_rows(&csv, &r, &frame));
        }
    }
    CHECK(ut_csv_flush(&csv));
    CHECK_INT(direct.size, table.size);
    CHECK(memcmp(direct.bytes, table.bytes, direct.size) == 0);
    end(model);
}

TEST(the_tolerance_of_adaptive_steps_comes_back)
{
    utModel* model = make_model();
    utRecordDef def = made_def();
    utArena keep = test_arena();
    utRecorder recorder;
    utRecording r;
    utRecordFrame frame;
    utError err = {0};
    for (int k = 0; k < 2; k++) {
        def.adaptive = k == 0 ? 0.0 : 1e-6;
        empty(&file);
        utArena rest = keep;
        CHECK(ut_recorder_create(model, &def, keep_bytes, &file, &rest, &recorder) == UT_OK);
        CHECK(ut_recorder_end(&recorder, 0));
        CHECK(ut_recording_open(file.bytes, file.size, "f", &r, &err) == UT_OK);
        CHECK_NEAR(r.adaptive, def.adaptive, 0.0);
        CHECK(ut_recording_next(&r, &frame, &err) == UT_OK && frame.kind == UT_RECORD_END);
    }
    end(model);
}

// ---- replay -------------------------------------------------------------------------------------

// Controls that change with every third step. @return the sim's hash after `steps`
static void drive(utSim* sim, utRecorder* recorder, int steps)
{
    utError err = {0};
    for (int k = 0; k <= steps; k++) {
        const utRecordState state = {
            .time = ut_sim_time(sim), .q = ut_sim_q(sim), .v = ut_sim_v(sim)};
        if (k % 2 == 0) {
            CHECK(ut_recorder_state(recorder, (uint64_t)k, &state));
        }
        const double control[] = {1.0 + k / 3};
        CHECK(ut_recorder_input(recorder, (uint64_t)k + 1, &(utRecordInput){.ctrl = control}));
        CHECK(ut_sim_step(sim, &(utInput){.ctrl = control}, NULL, &err) == UT_OK);
    }
    CHECK(ut_recorder_end(recorder, (uint64_t)steps));
}

// Take steps with the last input until the frame's step is reached.
static void follow(utSim* sim, const utRecordFrame* frame, utInput* input, uint64_t* step)
{
    utError err = {0};
    // an input acts from its step on, so the steps before it are taken first
    const uint64_t reach = frame->kind == UT_RECORD_INPUT ? frame->step - 1 : frame->step;
    for (; *step < reach; *step += 1) {
        CHECK(ut_sim_step(sim, input, NULL, &err) == UT_OK);
    }
    if (frame->kind == UT_RECORD_INPUT) {
        *input = (utInput){.ctrl = frame->input.ctrl};
    } else if (frame->kind == UT_RECORD_STATE) {
        CHECK(ut_sim_hash(sim) == frame->hash);
        CHECK(same_doubles(ut_sim_q(sim), frame->state.q, 5));
        CHECK(same_doubles(ut_sim_v(sim), frame->state.v, 4));
    }
}

TEST(a_recording_is_enough_to_repeat_the_run)
{
    utModel* model = make_model();
    utSim* sim = NULL;
    utError err = {0};
    const utRecordDef def = made_def();
    utArena keep = test_arena();
    utRecorder recorder;
    empty(&file);
    CHECK(ut_sim_create(model, NULL, &sim, &err) == UT_OK);
    CHECK(ut_recorder_create(model, &def, keep_bytes, &file, &keep, &recorder) == UT_OK);
    drive(sim, &recorder, 20);
    ut_sim_destroy(sim);

    utRecording r;
    utRecordFrame frame;
    utInput input = {0};
    uint64_t step = 0;
    CHECK(ut_sim_create(model, NULL, &sim, &err) == UT_OK);
    CHECK(ut_recording_open(file.bytes, file.size, "f", &r, &err) == UT_OK);
    do {
        if (!CHECK(ut_recording_next(&r, &frame, &err) == UT_OK)) {
            break;
        }
        follow(sim, &frame, &input, &step);
    } while (frame.kind != UT_RECORD_END);
    CHECK_INT(step, 20);
    CHECK(fabs(ut_sim_v(sim)[0]) > 1e-3); // the motor has done something
    ut_sim_destroy(sim);
    end(model);
}

// ---- failures of writing ------------------------------------------------------------------------

TEST(a_full_disk_is_reported_at_any_byte)
{
    utModel* model = begin();
    const size_t whole = file.size;
    for (size_t limit = 0; limit < whole + 8; limit += 97) {
        empty(&file);
        file.limit = limit;
        CHECK(make_recording(model, &file) == (limit >= whole));
    }
    end(model);
}

// 1000 contacts are 216 kB, the buffer has 64 KiB.
TEST(large_records_pass_through_the_small_buffer)
{
    enum { CONTACTS = 1000 };
    utModel* model = make_model();
    static utContact contacts[CONTACTS];
    for (int k = 0; k < CONTACTS; k++) {
        contacts[k] = made_contact;
        contacts[k].gap = k;
    }
    const utStepReport report = {.model = model, .contacts = CONTACTS, .contact = contacts};
    const utRecordDef def = made_def();
    utArena keep = test_arena();
    utRecorder recorder;
    utRecording r;
    utRecordFrame frame;
    utError err = {0};
    empty(&file);
    CHECK(ut_recorder_create(model, &def, keep_bytes, &file, &keep, &recorder) == UT_OK);
    CHECK(ut_recorder_contacts(&recorder, 1, 0.5, &report) && ut_recorder_end(&recorder, 1));
    CHECK(ut_recording_open(file.bytes, file.size, "f", &r, &err) == UT_OK);
    CHECK(ut_recording_next(&r, &frame, &err) == UT_OK);
    if (CHECK_INT(frame.contacts, CONTACTS)) {
        for (int k = 0; k < CONTACTS; k++) {
            CHECK(frame.contact[k].gap == k);
        }
    }
    CHECK(ut_recording_next(&r, &frame, &err) == UT_OK && frame.kind == UT_RECORD_END);
    end(model);
}

TEST(a_recorder_reports_a_small_arena_and_an_invalid_def)
{
    utModel* model = make_model();
    utRecorder recorder;
    utRecordDef def = made_def();
    utArena enough = test_arena();
    utArena small = ut_arena_on(enough.next, 1000);
    const unsigned char* next = small.next;
    empty(&file);
    CHECK(ut_recorder_create(model, &def, keep_bytes, &file, &small, &recorder) == UT_ERR_CAPACITY);
    CHECK(small.next == next);
    CHECK(ut_recorder_create(model, &def, keep_bytes, &file, &enough, &recorder) == UT_OK);
    def.cookie = UT_SIM_DEF_COOKIE;
    enough = test_arena();
    CHECK(ut_recorder_create(model, &def, keep_bytes, &file, &enough, &recorder) == UT_ERR_DEF);
    end(model);
}
