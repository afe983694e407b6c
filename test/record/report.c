// SPDX-License-Identifier: Apache-2.0
// Reports of steps in recordings: the report that is read is judged as the one of the run, with every
// bit of its certificate. A changed impulse is refused, and damaged files do no harm.
#include "made.h"

#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/load.h>
#include <uptack/sim.h>

enum { STEPS = 12, ROUNDS = 3000 };

typedef struct Case {
    const char* model;
    const char* set; // "" for none
    int formulation; // -1: the model's
    bool sleep;
} Case;

static const Case cases[] = {
    {"stack:3", "", -1, false},
    {"scenes/gripper.xml", "", -1, false},
    {"scenes/double-pendulum.xml", "option.coordinates=maximal", -1, false},
    {"scenes/thrown-box.xml", "", UT_FORMULATION_HYBRID, false},
    {"scenes/ball-throw.xml", "", UT_FORMULATION_MIRTICH, false},
    {"scenes/table.xml", "", UT_FORMULATION_PEIRET, false},
    {"scenes/quadruped.xml", "", -1, false},
    {"stack:2", "", UT_FORMULATION_STEWART_TRINKLE, true},
};

typedef struct Run {
    utModel* model;
    utCertificate certificate[STEPS];
    uint64_t steps;
} Run;

static File file;

// Take some steps and record the reports with their contacts.
static bool record_run(const Case* c, Run* run)
{
    utError err = {0};
    utLoadDef load = ut_load_def();
    load.set = &c->set;
    load.set_count = c->set[0] != '\0';
    *run = (Run){0};
    if (!CHECK_INT(ut_load_with(c->model, &load, &run->model, NULL, &err), UT_OK)) {
        return false;
    }
    utSimDef def = ut_sim_def();
    def.formulation = c->formulation;
    def.sleep = c->sleep;
    utSim* sim = NULL;
    CHECK_INT(ut_sim_create(run->model, &def, &sim, &err), UT_OK);
    CHECK_INT(ut_sim_reset(sim, ut_model_start_key(run->model), &err), UT_OK);
    utRecordDef head = ut_record_def();
    utArena keep = test_arena();
    utRecorder recorder;
    empty(&file);
    CHECK_INT(ut_recorder_create(run->model, &head, keep_bytes, &file, &keep, &recorder), UT_OK);
    for (int k = 0; k < STEPS; k++) {
        utStepResult result;
        if (!CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK)) {
            test_note("%s: %s", c->model, err.message);
            break;
        }
        run->certificate[k] = result.certificate;
        run->steps++;
        (void)ut_recorder_report(&recorder, run->steps, &result.report);
        (void)ut_recorder_contacts(&recorder, run->steps, ut_sim_time(sim), &result.report);
        (void)ut_recorder_transitions(&recorder, run->steps, &result.report);
    }
    ut_sim_destroy(sim);
    return CHECK(ut_recorder_end(&recorder, run->steps));
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// Read and judge the reports of the file. @return how many were read
static int judge_file(const utModel* model, utCertificate certificate[STEPS])
{
    static char scratch[1 << 25];
    utRecording recording;
    utRecordFrame frame;
    utError err;
    int count = 0;
    if (ut_recording_open(file.bytes, file.size, "x.utr", &recording, &err) != UT_OK) {
        return 0;
    }
    while (ut_recording_next(&recording, &frame, &err) == UT_OK && frame.kind != UT_RECORD_END &&
           frame.kind != UT_RECORD_CUT) {
        if (frame.kind != UT_RECORD_REPORT || count == STEPS) {
            continue;
        }
        utArena memory = ut_arena_on(scratch, sizeof scratch);
        utStepReport report;
        bool cut = false;
        if (ut_recording_report(&recording, &frame, model, &memory, &report, &cut, &err) == UT_OK &&
            !cut && ut_certify(&report, 1e-8, memory, &certificate[count]) == UT_OK) {
            count++;
        }
    }
    return count;
}

TEST(a_recorded_report_has_the_certificate_of_the_run_to_the_bit)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Run run;
        utCertificate read[STEPS];
        if (!record_run(&cases[k], &run)) {
            continue;
        }
        CHECK_INT(judge_file(run.model, read), STEPS);
        for (int i = 0; i < STEPS; i++) {
            const utCertificate *a = &run.certificate[i], *b = &read[i];
            const bool equal = a->passed && b->passed && a->contact == b->contact &&
                               same(a->E, b->E) && same(a->V, b->V) &&
                               same(a->momentum, b->momentum) && same(a->cone, b->cone) &&
                               same(a->bilateral, b->bilateral) && same(a->impact, b->impact) &&
                               same(a->energy_gain, b->energy_gain);
            if (!CHECK(equal)) {
                test_note("%s, step %d: %s", cases[k].model, i + 1,
                          ut_certificate_reason_name(b->reason));
            }
        }
        ut_model_destroy(run.model);
    }
}

// ---- changed impulses ---------------------------------------------------------------------------

enum { CONTACTS_HEAD = 24, CONTACT_BYTES = 216, R_AT = 160 }; // docs/recordings.md

// Add to component k of the impulse of a contact in the first record of contacts.
static void change_impulse(int contact, int k, double by)
{
    size_t place = 8;
    while (number_at(file.bytes + place, 4) != 4) {
        place += 24 + (size_t)number_at(file.bytes + place + 8, 8);
    }
    char* r = file.bytes + place + 16 + CONTACTS_HEAD + CONTACT_BYTES * (size_t)contact + R_AT +
              8 * (size_t)k;
    double value;
    memcpy(&value, r, sizeof value);
    value += by;
    memcpy(r, &value, sizeof value);
    // every checksum includes the one before
    while (place < file.size) {
        const uint64_t size = number_at(file.bytes + place + 8, 8);
        seal(file.bytes, place, size);
        place += 24 + (size_t)size;
    }
}

// Contacts 0 to 3 of the stack carry the lowest box: each component of each is changed by 1e-6 N s. An
// impulse along a tangent and the same at the next corner on its line of action are one wrench, so
// that only the normal ones have to be told apart.
TEST(an_impulse_changed_by_a_millionth_is_refused_at_its_contact)
{
    for (int contact = 0; contact < 4; contact++) {
        for (int k = 0; k < 3; k++) {
            Run run;
            utCertificate read[STEPS];
            if (!record_run(&cases[0], &run)) {
                return;
            }
            change_impulse(contact, k, 1e-6);
            CHECK_INT(judge_file(run.model, read), STEPS);
            CHECK_INT(read[0].passed, false);
            CHECK_INT(read[0].reason, UT_REASON_MOMENTUM);
            CHECK(k == 0 ? read[0].momentum_contact == contact : read[0].momentum_contact >= 0);
            for (int i = 1; i < STEPS; i++) {
                CHECK(read[i].passed);
            }
            ut_model_destroy(run.model);
        }
    }
}

// ---- damage -------------------------------------------------------------------------------------

TEST(a_report_that_is_cut_off_is_said_to_be_cut)
{
    Run run;
    utCertificate read[STEPS];
    if (!record_run(&cases[0], &run)) {
        return;
    }
    const size_t size = file.size;
    int last = STEPS;
    for (file.size = size; file.size > 0; file.size -= file.size > 97 ? 97 : file.size) {
        const int count = judge_file(run.model, read);
        CHECK(count <= last);
        for (int i = 0; i < count; i++) {
            CHECK(read[i].passed);
        }
        last = count;
    }
    ut_model_destroy(run.model);
}

// Bytes of reports are changed and every checksum is made right again.
TEST(hostile_reports_do_no_harm)
{
    static char intact[MADE_ROOM];
    int judged = 0;
    uint64_t state = 1;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Run run;
        if (!record_run(&cases[c], &run)) {
            continue;
        }
        const size_t size = file.size;
        memcpy(intact, file.bytes, size);
        for (int round = 0; round < ROUNDS / 8; round++) {
            utCertificate read[STEPS];
            memcpy(file.bytes, intact, size);
            file.size = size;
            for (int change = 0; change < 3; change++) {
                state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
                const size_t at = 16 + (size_t)(state >> 33) % (size - 16);
                file.bytes[at] = (char)(unsigned char)(state >> 25 & 0xff);
            }
            // keep sizes, so that the records are still found
            for (size_t at = 8; at + 24 <= size;) {
                const uint64_t bytes = number_at(intact + at + 8, 8);
                memcpy(file.bytes + at, intact + at, 16);
                seal(file.bytes, at, bytes);
                at += 24 + (size_t)bytes;
            }
            judged += judge_file(run.model, read);
        }
        ut_model_destroy(run.model);
    }
    CHECK(judged > ROUNDS);
    test_note("%d reports judged", judged);
}
