// SPDX-License-Identifier: Apache-2.0
// Reads a recording. Every number is checked before use; frames point into the recording's bytes.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

_Static_assert(sizeof(utRecordedContact) == CONTACT_SIZE, "layout of a contact in the file");
_Static_assert(offsetof(utRecordedContact, point) == 24, "layout of a contact in the file");
_Static_assert(offsetof(utRecordedContact, e) == CONTACT_SIZE - 8,
               "layout of a contact in the file");
_Static_assert(sizeof(utTransition) == TRANSITION_SIZE, "layout of a transition in the file");
_Static_assert(offsetof(utTransition, feature) == 16, "layout of a transition in the file");
_Static_assert(offsetof(utTransition, speed) == 32, "layout of a transition in the file");

// ---- bytes --------------------------------------------------------------------------------------

uint32_t ut_recording_u32(const unsigned char* at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t ut_recording_u64(const unsigned char* at)
{
    return ut_recording_u32(at) | (uint64_t)ut_recording_u32(at + 4) << 32;
}

double ut_recording_double(const unsigned char* at)
{
    const uint64_t bits = ut_recording_u64(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Numbers in place: the bytes are aligned and the machine is little-endian.
static const double* doubles(const unsigned char* at)
{
    return (const double*)(const void*)at;
}

static bool is_little_endian(void)
{
    const uint32_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static bool is_zero(const unsigned char* from, const unsigned char* end)
{
    while (from < end && *from == 0) {
        from++;
    }
    return from == end;
}

utStatus ut_recording_damaged(const utRecording* r, size_t at, utError* err, const char* format,
                              ...)
{
    char what[160];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return ut_error_at(err, UT_ERR_FORMAT, r->name, 0, 0, "byte %zu: %s", at, what);
}

// ---- records ------------------------------------------------------------------------------------

typedef struct Record {
    uint32_t kind;
    size_t offset;
    size_t payload; // offset of the payload, bytes
    uint64_t size;
    bool cut; // the record is incomplete
} Record;

// Find the record at r->at. A crash leaves a cut record: bytes are missing, or they are zeros
// because the file system reserved more than it wrote.
static utStatus find_record(const utRecording* r, Record* record, utError* err)
{
    const unsigned char* end = r->bytes + r->size;
    const unsigned char* at = r->bytes + r->at;
    *record = (Record){.offset = r->at, .payload = r->at + RECORD_HEAD};
    if (r->size - r->at < RECORD_HEAD) {
        record->cut = true;
        return UT_OK;
    }
    record->kind = ut_recording_u32(at);
    record->size = ut_recording_u64(at + 8);
    if (ut_recording_u32(at + 4) != ut_record_check(record->kind, record->size) ||
        record->size % 8 != 0) {
        record->cut = is_zero(at + 8, end);
        return record->cut ? UT_OK
                           : ut_recording_damaged(r, r->at, err,
                                                  "no record begins here; the file is damaged");
    }
    const uint64_t left = r->size - record->payload;
    if (left < RECORD_TAIL || left - RECORD_TAIL < record->size) {
        record->cut = true;
        return UT_OK;
    }
    const unsigned char* tail = at + RECORD_HEAD + (size_t)record->size;
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, at - 8, (size_t)(tail - at) + 8);
    if (hash != ut_recording_u64(tail)) {
        record->cut = is_zero(tail, end);
        return record->cut ? UT_OK
                           : ut_recording_damaged(r, r->at, err,
                                                  "the record that begins here does not match its "
                                                  "checksum; the file is damaged");
    }
    return UT_OK;
}

// ---- opening ------------------------------------------------------------------------------------

bool ut_recording_is(const void* bytes, size_t size)
{
    return size >= MAGIC_SIZE && memcmp(bytes, RECORDING_MAGIC, MAGIC_SIZE) == 0;
}

// Read one record about the run, behind the head. @return false when it is of another kind
static bool read_option(utRecording* r, const Record* record, utStatus* status, utError* err)
{
    const size_t at = record->payload;
    const uint64_t extras = r->extras;
    uint64_t na;
    switch (record->kind) {
    case KIND_ADAPTIVE:
        r->adaptive = record->size >= ADAPTIVE_SIZE ? ut_recording_double(r->bytes + at) : 0.0;
        return true;
    case KIND_ACTIVATIONS:
        na = record->size >= ACTIVATIONS_SIZE ? ut_recording_u64(r->bytes + at) : 0;
        r->na = na <= extras ? (int)na : 0;
        return true;
    case KIND_START:
        *status = ut_recording_start(r, at, record->size, err);
        return true;
    case KIND_FILE:
        *status = ut_recording_count_file(r, record->offset, record->size, err);
        return true;
    default:
        return false;
    }
}

// The records after the head. Other errors in these records are left for ut_recording_next to report.
static utStatus read_options(utRecording* r, utError* err)
{
    utRecording next = *r;
    Record record;
    utStatus status = UT_OK;
    while (status == UT_OK && find_record(&next, &record, NULL) == UT_OK && !record.cut &&
           read_option(r, &record, &status, err)) {
        next.at = record.payload + (size_t)record.size + RECORD_TAIL;
    }
    return status;
}

utStatus ut_recording_open(const void* bytes, size_t size, const char* name, utRecording* recording,
                           utError* err)
{
    utRecording r = {.bytes = bytes, .size = size, .name = name, .at = MAGIC_SIZE};
    if (!is_little_endian()) {
        return ut_error_at(err, UT_ERR_ARGUMENT, name, 0, 0,
                           "recordings cannot be read on a big-endian machine");
    }
    if ((uintptr_t)bytes % 8 != 0) {
        return ut_error_at(err, UT_ERR_ARGUMENT, name, 0, 0,
                           "the address of a recording must be a multiple of 8");
    }
    if (!ut_recording_is(bytes, size)) {
        return ut_recording_damaged(&r, 0, err, "this is not a recording of uptack (.utr)");
    }
    Record head;
    UT_TRY(find_record(&r, &head, err));
    if (head.cut) {
        return ut_recording_damaged(&r, head.offset, err,
                                    "the head is cut off; nothing can be read");
    }
    if (head.kind != KIND_HEAD) {
        return ut_recording_damaged(&r, head.offset, err, "the first record is not the head");
    }
    UT_TRY(ut_recording_head(&r, head.payload, head.size, err));
    r.at = head.payload + (size_t)head.size + RECORD_TAIL;
    UT_TRY(read_options(&r, err));
    *recording = r;
    return UT_OK;
}

// ---- frames -------------------------------------------------------------------------------------

static utStatus wrong_size(const utRecording* r, const Record* record, utError* err)
{
    return ut_recording_damaged(r, record->offset, err,
                                "a record of kind %u cannot have %llu bytes", record->kind,
                                (unsigned long long)record->size);
}

static utStatus read_state(const utRecording* r, const Record* record, utRecordFrame* frame,
                           utError* err)
{
    const unsigned char* at = r->bytes + record->payload;
    if (record->size < STATE_FIXED || (record->size - STATE_FIXED) / 8 != r->values) {
        return wrong_size(r, record, err);
    }
    const double* value = doubles(at + STATE_FIXED);
    const size_t n = (size_t)r->nmocap;
    frame->kind = UT_RECORD_STATE;
    frame->step = ut_recording_u64(at);
    frame->hash = ut_recording_u64(at + 8);
    frame->value = value;
    frame->time = value[0];
    frame->state.time = value[0];
    frame->state.q = value + 1;
    frame->state.v = frame->state.q + r->nq;
    frame->state.mocap_pos = frame->state.v + r->nv;
    frame->state.mocap_quat = frame->state.mocap_pos + 3 * n;
    frame->state.mocap_velocity = (const utMotion*)(const void*)(frame->state.mocap_quat + 4 * n);
    frame->state.act = r->na > 0 ? value + (r->values - (size_t)r->na) : NULL;
    return UT_OK;
}

static utStatus read_input(const utRecording* r, const Record* record, utRecordFrame* frame,
                           utError* err)
{
    const unsigned char* at = r->bytes + record->payload;
    const double* part[PARTS] = {NULL};
    uint64_t count[PARTS];
    if (record->size < INPUT_FIXED) {
        return wrong_size(r, record, err);
    }
    const uint64_t present = ut_recording_u64(at + 8);
    if (present >> PARTS != 0) {
        return ut_recording_damaged(r, record->payload + 8, err, "an input has unknown parts");
    }
    uint64_t values = 0;
    ut_record_parts(r->nv, r->nu, r->nbody, r->nmocap, count);
    for (int k = 0; k < PARTS; k++) {
        values += (present >> k & 1) * count[k];
    }
    if (values != (record->size - INPUT_FIXED) / 8) {
        return wrong_size(r, record, err);
    }
    const double* next = doubles(at + INPUT_FIXED);
    for (int k = 0; k < PARTS; k++) {
        if ((present >> k & 1) != 0) {
            part[k] = next;
            next += count[k];
        }
    }
    frame->kind = UT_RECORD_INPUT;
    frame->step = ut_recording_u64(at);
    frame->input.ctrl = part[PART_CTRL];
    frame->input.force = part[PART_FORCE];
    frame->input.applied = (const utForce*)(const void*)part[PART_APPLIED];
    frame->input.mocap_pos = part[PART_MOCAP_POS];
    frame->input.mocap_quat = part[PART_MOCAP_QUAT];
    return UT_OK;
}

static bool is_contact(const utRecording* r, const utRecordedContact* c)
{
    return c->geom1 >= 0 && c->geom1 < r->ngeom && c->geom2 >= 0 && c->geom2 < r->ngeom &&
           c->state >= 0 && c->state < UT_CONTACT_STATE_COUNT;
}

static utStatus read_contacts(const utRecording* r, const Record* record, utRecordFrame* frame,
                              utError* err)
{
    const unsigned char* at = r->bytes + record->payload;
    if (record->size < CONTACTS_FIXED) {
        return wrong_size(r, record, err);
    }
    const uint64_t count = ut_recording_u64(at + 16);
    const uint64_t size = record->size - CONTACTS_FIXED;
    if (size % CONTACT_SIZE != 0 || size / CONTACT_SIZE != count || count > INT32_MAX) {
        return wrong_size(r, record, err);
    }
    const utRecordedContact* contact = (const void*)(at + CONTACTS_FIXED);
    for (uint64_t i = 0; i < count; i++) {
        if (!is_contact(r, &contact[i])) {
            return ut_recording_damaged(r,
                                        record->payload + CONTACTS_FIXED + CONTACT_SIZE * (size_t)i,
                                        err, "a contact has an unknown geom or state");
        }
    }
    frame->kind = UT_RECORD_CONTACTS;
    frame->step = ut_recording_u64(at);
    frame->time = ut_recording_double(at + 8);
    frame->contacts = (int)count;
    frame->contact = contact;
    return UT_OK;
}

static bool is_mode(utContactMode mode)
{
    return (unsigned)mode < UT_MODE_COUNT;
}

static utStatus read_transitions(const utRecording* r, const Record* record, utRecordFrame* frame,
                                 utError* err)
{
    const unsigned char* at = r->bytes + record->payload;
    if (record->size < TRANSITIONS_FIXED) {
        return wrong_size(r, record, err);
    }
    const uint64_t count = ut_recording_u64(at + 8);
    const uint64_t size = record->size - TRANSITIONS_FIXED;
    if (size % TRANSITION_SIZE != 0 || size / TRANSITION_SIZE != count || count > INT32_MAX) {
        return wrong_size(r, record, err);
    }
    const utTransition* transition = (const void*)(at + TRANSITIONS_FIXED);
    for (uint64_t i = 0; i < count; i++) {
        const utTransition* t = &transition[i];
        if (t->geom1 < 0 || t->geom1 >= r->ngeom || t->geom2 < 0 || t->geom2 >= r->ngeom ||
            !is_mode(t->from) || !is_mode(t->to)) {
            return ut_recording_damaged(
                r, record->payload + TRANSITIONS_FIXED + TRANSITION_SIZE * (size_t)i, err,
                "a transition has an unknown geom or mode");
        }
    }
    frame->kind = UT_RECORD_TRANSITIONS;
    frame->step = ut_recording_u64(at);
    frame->transitions = (int)count;
    frame->transition = transition;
    return UT_OK;
}

static utStatus read_end(const utRecording* r, const Record* record, utRecordFrame* frame,
                         utError* err)
{
    if (record->size != END_SIZE) {
        return wrong_size(r, record, err);
    }
    const size_t after = record->payload + END_SIZE + RECORD_TAIL;
    if (after != r->size) {
        return ut_recording_damaged(r, after, err, "something follows the end of the recording");
    }
    frame->kind = UT_RECORD_END;
    frame->step = ut_recording_u64(r->bytes + record->payload);
    return UT_OK;
}

static utStatus read_report(const utRecording* r, const Record* record, utRecordFrame* frame,
                            utError* err)
{
    if (record->size < REPORT_FIXED) {
        return wrong_size(r, record, err);
    }
    frame->kind = UT_RECORD_REPORT;
    frame->step = ut_recording_u64(r->bytes + record->payload);
    return UT_OK;
}

static bool is_frame(uint32_t kind)
{
    return (kind >= KIND_HEAD && kind < KIND_ADAPTIVE) || kind == KIND_REPORT;
}

static utStatus read_frame(const utRecording* r, const Record* record, utRecordFrame* frame,
                           utError* err)
{
    switch (record->kind) {
    case KIND_STATE:
        return read_state(r, record, frame, err);
    case KIND_INPUT:
        return read_input(r, record, frame, err);
    case KIND_CONTACTS:
        return read_contacts(r, record, frame, err);
    case KIND_TRANSITIONS:
        return read_transitions(r, record, frame, err);
    case KIND_END:
        return read_end(r, record, frame, err);
    case KIND_REPORT:
        return read_report(r, record, frame, err);
    default:
        return ut_recording_damaged(r, record->offset, err, "there is a second head");
    }
}

utStatus ut_recording_next(utRecording* recording, utRecordFrame* frame, utError* err)
{
    utRecording* r = recording;
    Record record;
    UT_TRY(find_record(r, &record, err));

    // skip kinds that a later version may add, and the records that were read with the head
    while (!record.cut && !is_frame(record.kind)) {
        r->at = record.payload + (size_t)record.size + RECORD_TAIL;
        UT_TRY(find_record(r, &record, err));
    }
    utRecordFrame read = {.kind = UT_RECORD_CUT, .offset = record.offset};
    if (!record.cut) {
        UT_TRY(read_frame(r, &record, &read, err));
    }
    if (read.kind != UT_RECORD_END && read.kind != UT_RECORD_CUT) {
        r->at = record.payload + (size_t)record.size + RECORD_TAIL;
    }
    *frame = read;
    return UT_OK;
}
