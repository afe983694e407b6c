// SPDX-License-Identifier: Apache-2.0
// Recordings that are cut off, damaged or forged: every frame before the damage is read, and the
// error names the damaged byte.
#include "made.h"
#include "test.h"

#include "support/damage.h"

#include <stdlib.h>
#include <string.h>

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

// ---- cut off and damaged ------------------------------------------------------------------------

// The result of reading a file.
typedef struct Fate {
    bool opened;
    int frames; // without END and CUT
    bool ended, cut, damaged;
} Fate;

static double touched; // what was read has to be readable

static void touch(const utRecording* r, const utRecordFrame* frame)
{
    if (frame->kind == UT_RECORD_STATE) {
        for (size_t i = 0; i < r->values; i++) {
            touched += frame->value[i];
        }
    } else if (frame->kind == UT_RECORD_INPUT) {
        touched += frame->input.ctrl != NULL && r->nu > 0 ? frame->input.ctrl[r->nu - 1] : 0.0;
        touched += frame->input.force != NULL && r->nv > 0 ? frame->input.force[r->nv - 1] : 0.0;
        touched += frame->input.applied != NULL ? frame->input.applied[r->nbody - 1].torque.z : 0.0;
        touched += frame->input.mocap_quat != NULL && r->nmocap > 0
                       ? frame->input.mocap_quat[4 * r->nmocap - 1]
                       : 0.0;
    }
}

// Read all records and write the tables.
static Fate read_all(const char* bytes, size_t size)
{
    Fate fate = {0};
    utRecording r;
    utRecordFrame frame;
    utError err = {0};
    utArena keep = test_arena();
    utCsv csv;
    if (ut_recording_open(bytes, size, "f", &r, &err) != UT_OK) {
        CHECK(strncmp(err.message, "byte ", 5) == 0);
        fate.damaged = true;
        return fate;
    }
    fate.opened = true;
    empty(&table);
    CHECK(ut_csv_create(NULL, keep_bytes, &table, &keep, &csv) == UT_OK);
    (void)ut_csv_recorded_states_head(&csv, &r);
    for (;;) {
        if (ut_recording_next(&r, &frame, &err) != UT_OK) {
            CHECK(strncmp(err.message, "byte ", 5) == 0);
            CHECK(ut_recording_next(&r, &frame, &err) == UT_ERR_FORMAT);
            fate.damaged = true;
            return fate;
        }
        fate.ended = frame.kind == UT_RECORD_END;
        fate.cut = frame.kind == UT_RECORD_CUT;
        if (fate.ended || fate.cut) {
            CHECK(frame.offset <= size);
            return fate;
        }
        fate.frames++;
        touch(&r, &frame);
        if (frame.kind == UT_RECORD_STATE) {
            (void)ut_csv_recorded_states_row(&csv, &r, &frame);
        } else if (frame.kind == UT_RECORD_CONTACTS) {
            (void)ut_csv_recorded_contacts_rows(&csv, &r, &frame);
        }
    }
}

static Fate read_copy(const char* bytes, size_t size)
{
    Fate fate = {0};
    char* copy = exact_copy(bytes, size);
    if (CHECK(copy != NULL)) {
        fate = read_all(copy, size);
        free(copy);
    }
    return fate;
}

TEST(a_file_cut_off_at_any_byte_has_all_frames_before_the_cut)
{
    utModel* model = begin();
    size_t at[MADE_RECORDS];
    const int records = find_records(&file, at);
    for (size_t size = 0; size < file.size; size++) {
        int whole = 0;
        while (whole < records && at[whole + 1] <= size) {
            whole++;
        }
        const Fate fate = read_copy(file.bytes, size);
        CHECK(fate.opened == (whole > 0) && !fate.ended);
        CHECK(whole == 0 ? fate.damaged : fate.cut && fate.frames == whole - 1);
    }
    const Fate fate = read_copy(file.bytes, file.size);
    CHECK(fate.ended && fate.frames == records - 2);
    end(model);
}

// A file system may lengthen a file before it writes the bytes, and leaves zeros after a crash.
TEST(zeros_at_the_end_are_a_cut)
{
    utModel* model = begin();
    size_t at[MADE_RECORDS];
    const int records = find_records(&file, at);
    char* copy = exact_copy(file.bytes, file.size);
    for (size_t size = file.size - 8; size >= at[1]; size -= 8) {
        int whole = 0;
        while (whole < records && at[whole + 1] <= size) {
            whole++;
        }
        memset(copy + size, 0, 8);
        const Fate fate = read_all(copy, file.size);
        CHECK(fate.cut && fate.frames == whole - 1);
    }
    free(copy);
    end(model);
}

TEST(every_changed_byte_is_noticed)
{
    static const int masks[] = {0x01, 0x10, 0x80, 0xff};
    utModel* model = begin();
    size_t at[MADE_RECORDS];
    const int records = find_records(&file, at);
    char* copy = exact_copy(file.bytes, file.size);
    for (size_t k = 0; k < file.size; k++) {
        int before = 0; // records that are whole
        while (before < records && at[before + 1] <= k) {
            before++;
        }
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
            copy[k] = (char)(file.bytes[k] ^ masks[m]);
            const Fate fate = read_all(copy, file.size);
            CHECK(fate.damaged && fate.frames == (before > 0 ? before - 1 : 0));
        }
        copy[k] = file.bytes[k];
    }
    free(copy);
    end(model);
}

TEST(records_that_are_missing_doubled_or_swapped_are_noticed)
{
    utModel* model = begin();
    size_t at[MADE_RECORDS];
    if (CHECK_INT(find_records(&file, at), 8)) {
        static char copy[2 * MADE_ROOM];
        for (int k = 1; k < 6; k++) { // without record k
            const size_t rest = file.size - at[k + 1];
            memcpy(copy, file.bytes, at[k]);
            memcpy(copy + at[k], file.bytes + at[k + 1], rest);
            const Fate fate = read_copy(copy, at[k] + rest);
            CHECK(fate.damaged && fate.frames == k - 1);
        }
        for (int k = 1; k < 7; k++) { // record k twice
            const size_t rest = file.size - at[k];
            memcpy(copy, file.bytes, at[k + 1]);
            memcpy(copy + at[k + 1], file.bytes + at[k], rest);
            CHECK(read_copy(copy, at[k + 1] + rest).damaged);
        }
    }
    end(model);
}

// A record of an unknown kind between two records; the next checksum includes its checksum.
TEST(unknown_kinds_are_skipped)
{
    utModel* model = begin();
    size_t at[MADE_RECORDS];
    const int records = find_records(&file, at);
    static char copy[2 * MADE_ROOM];
    const size_t more = 16 + 32 + 8;
    memcpy(copy, file.bytes, at[2]);
    memset(copy + at[2], 7, more);
    number_to(copy + at[2], 4, 77);
    number_to(copy + at[2] + 8, 8, 32);
    seal(copy, at[2], 32);
    memcpy(copy + at[2] + more, file.bytes + at[2], file.size - at[2]);
    for (int k = 2; k < records; k++) {
        seal(copy, at[k] + more, at[k + 1] - at[k] - 24);
    }
    const Fate fate = read_copy(copy, file.size + more);
    CHECK(fate.ended && fate.frames == records - 2);
    end(model);
}

// ---- invalid numbers with right checksums -------------------------------------------------------

// A number put somewhere in a record.
typedef struct Forgery {
    int record;
    size_t offset; // behind its first 16 bytes
    int bytes;     // of the number
    uint64_t value;
} Forgery;

// Change a number and recompute the checksums. @return the result of reading the file
static Fate forge_all(const Forgery* forgery, int count)
{
    size_t at[MADE_RECORDS];
    const int records = find_records(&file, at);
    char* copy = exact_copy(file.bytes, file.size);
    for (int k = 0; k < count; k++) {
        const Forgery* f = &forgery[k];
        number_to(copy + at[f->record] + 16 + f->offset, f->bytes, f->value);
    }
    for (int k = 0; k < records; k++) {
        seal(copy, at[k], at[k + 1] - at[k] - 24);
    }
    const Fate fate = read_all(copy, file.size);
    free(copy);
    return fate;
}

static Fate forge(int record, size_t offset, int bytes, uint64_t value)
{
    return forge_all(&(Forgery){record, offset, bytes, value}, 1);
}

// The head claims more columns and texts than it contains, and states large
// enough for every column.
TEST(lists_that_do_not_fit_into_the_head_are_not_followed)
{
    static const Forgery forgeries[] = {
        {0, 4, 4, 0x7fffffff}, {0, 8, 4, 0x7fffffff}, {0, 20, 4, 0x7fffffff},
        {0, 28, 4, 1000000},   {0, 36, 4, 1000009},
    };
    utModel* model = begin();
    CHECK(!forge_all(forgeries, 5).opened);
    end(model);
}

TEST(invalid_numbers_are_rejected_although_the_checksum_is_right)
{
    utModel* model = begin();
    CHECK(forge(0, 8, 4, 4).ended);   // as it is
    CHECK(!forge(0, 0, 4, 2).opened); // the version
    for (size_t k = 1; k <= 9; k++) { // sizes
        if (k != 3) {                 // another nu makes another input, below
            const Fate fate = forge(0, 4 * k, 4, 0x7fffffff);
            CHECK(fate.damaged && fate.frames == 0);
        }
        const Fate fate = forge(0, 4 * k, 4, 0xffffffff);
        CHECK(fate.damaged && !fate.opened);
    }
    CHECK(!forge(0, 20, 4, 0).opened); // not even a world
    const Fate nq = forge(0, 4, 4, 6); // states are too small by a number
    CHECK(nq.opened && nq.damaged && nq.frames == 0);
    const Fate nu = forge(0, 12, 4, 0x7fffffff);
    CHECK(nu.damaged && nu.frames == 1);
    CHECK(!forge(0, 72, 4, 62).opened);            // a column behind the last number, 61
    CHECK(forge(0, 72, 4, 61).ended);              // the last
    CHECK(!forge(0, 72 + 4 * 49, 4, 9999).opened); // a text that ends outside
    CHECK(!forge(0, 72 + 4 * 50, 4, 8).opened);    // or before it begins
    CHECK(forge(2, 8, 8, 2).damaged);              // another part of the input than is there
    CHECK(forge(2, 8, 8, 0x20).damaged);           // a part that there is not
    CHECK(forge(2, 8, 8, 0x21).damaged);
    CHECK(forge(2, 8, 8, 0).damaged);  // none, and a number behind
    CHECK(forge(3, 16, 8, 1).damaged); // fewer contacts than bytes
    CHECK(forge(3, 16, 8, UINT64_MAX / 216).damaged);
    CHECK(forge(3, 24, 4, 2).damaged); // geom1
    CHECK(forge(3, 24 + 4, 4, 2).damaged);
    CHECK(forge(3, 24 + 4, 4, 0xffffffff).damaged); // geom2
    CHECK(forge(3, 24 + 20, 4, UT_CONTACT_STATE_COUNT).damaged);
    CHECK(forge(3, 24 + 216 + 20, 4, 0x80000000).damaged);
    CHECK(forge(6, 8, 8, 1).damaged); // fewer transitions than bytes
    CHECK(forge(6, 8, 8, UINT64_MAX / 40).damaged);
    CHECK(forge(6, 16 + 8, 4, 2).damaged); // geom1
    CHECK(forge(6, 16 + 12, 4, 0xffffffff).damaged);
    CHECK(forge(6, 16 + 40 + 24, 4, UT_MODE_COUNT).damaged); // from
    CHECK(forge(6, 16 + 40 + 28, 4, 0x80000000).damaged);    // to
    end(model);
}

TEST(other_files_are_rejected_with_the_reason)
{
    utModel* model = begin();
    utRecording r;
    utError err = {0};
    static _Alignas(8) char copy[MADE_ROOM + 8];
    CHECK(ut_recording_open("<mujoco", 7, "m.xml", &r, &err) != UT_OK);
    memcpy(copy, "<mujoco>", 8);
    CHECK(ut_recording_open(copy, 8, "m.xml", &r, &err) == UT_ERR_FORMAT);
    CHECK_TEXT(err.file, "m.xml");
    CHECK_TEXT(err.message, "byte 0: this is not a recording of uptack (.utr)");
    memcpy(copy + 4, file.bytes, file.size);
    CHECK(ut_recording_open(copy + 4, file.size, "f", &r, &err) == UT_ERR_ARGUMENT);
    CHECK(ut_recording_is(file.bytes, file.size) && !ut_recording_is(file.bytes, 7));
    end(model);
}

// Recompute the checksums of a damaged file as far as its records can be found.
static void reseal(char* bytes, size_t size)
{
    size_t at = 8;
    while (size >= at && size - at >= 24) {
        const uint64_t payload = number_at(bytes + at + 8, 8);
        if (payload > size - at - 24) {
            return;
        }
        seal(bytes, at, payload);
        at += 24 + (size_t)payload;
    }
}

TEST(twenty_thousand_damaged_files_do_no_harm)
{
    static const char likely[] = {0, 1, 2, 3, 4, 5, 8, 0x7f, (char)0x80, (char)0xff};
    utModel* model = begin();
    utRng rng = ut_rng(20, 1);
    static char text[MADE_ROOM + 64];
    int opened = 0;
    int frames = 0;
    for (int k = 0; k < 20000; k++) {
        size_t size = file.size;
        memcpy(text, file.bytes, size);
        for (int damages = 1 + ut_rng_below(&rng, 3); damages > 0; damages--) {
            if (k % 4 < 2 && size > 8) { // keep it whole, so that the damage lies deep
                text[8 + ut_rng_below(&rng, (int)size - 8)] = likely[ut_rng_below(&rng, 10)];
            } else {
                size = damage_text(&rng, (utText){likely, sizeof likely}, text, size, sizeof text);
            }
        }
        if (k % 2 == 0) {
            reseal(text, size);
        }
        const Fate fate = read_copy(text, size);
        opened += fate.opened;
        frames += fate.frames;
    }
    test_note("%d of 20000 opened, %d frames", opened, frames);
    CHECK(opened > 1000 && frames > 1000);
    end(model);
}
