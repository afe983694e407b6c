// SPDX-License-Identifier: Apache-2.0
// The content of a recording as named arrays.
#include "convert/arrays.h"

#include <string.h>

// ---- frames -------------------------------------------------------------------------------------

// All frames of one kind, and the rows that they have together.
typedef struct Frames {
    int count, capacity;
    utRecordFrame* frame;
    size_t rows;
} Frames;

typedef struct Source {
    const utRecording* recording;
    utArena memory;
    Frames states, inputs, contacts, transitions;
    CliArraySink* sink;
    void* context;
} Source;

static utStatus add(Source* s, Frames* frames, const utRecordFrame* frame, size_t rows)
{
    if (frames->count == frames->capacity) {
        const int capacity = frames->capacity > 0 ? 2 * frames->capacity : 64;
        utRecordFrame* larger = UT_PUSH(&s->memory, utRecordFrame, capacity);
        if (larger == NULL) {
            return UT_ERR_MEMORY;
        }
        if (frames->count > 0) {
            memcpy(larger, frames->frame, (size_t)frames->count * sizeof *larger);
        }
        frames->frame = larger;
        frames->capacity = capacity;
    }
    frames->frame[frames->count++] = *frame;
    frames->rows += rows;
    return UT_OK;
}

static utStatus add_frame(Source* s, const utRecordFrame* frame)
{
    switch (frame->kind) {
    case UT_RECORD_STATE:
        return add(s, &s->states, frame, 1);
    case UT_RECORD_INPUT:
        return add(s, &s->inputs, frame, 1);
    case UT_RECORD_CONTACTS:
        return add(s, &s->contacts, frame, (size_t)frame->contacts);
    case UT_RECORD_TRANSITIONS:
        return add(s, &s->transitions, frame, (size_t)frame->transitions);
    default:
        return UT_OK;
    }
}

static utStatus collect(Source* s, CliArrayCounts* counts, utError* err)
{
    utRecording ahead = *s->recording;
    utRecordFrame frame;
    do {
        UT_TRY(ut_recording_next(&ahead, &frame, err));
        if (add_frame(s, &frame) != UT_OK) {
            return cli_no_memory(s->recording->name, err);
        }
    } while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT);
    *counts = (CliArrayCounts){
        .states = (long long)s->states.rows,
        .contacts = (long long)s->contacts.rows,
        .transitions = (long long)s->transitions.rows,
        .complete = frame.kind == UT_RECORD_END,
        .read = frame.offset,
    };
    return UT_OK;
}

// ---- rows ---------------------------------------------------------------------------------------

// Copies the entries of row `row` of a frame. @param entries bytes of them
typedef void CopyRow(const utRecording* r, const utRecordFrame* frame, size_t row, size_t offset,
                     size_t entries, void* to);

static void copy_double(const double* from, size_t first, size_t bytes, void* to)
{
    memcpy(to, from + first, bytes);
}

// Numbers of a state from index `offset` on.
static void copy_value(const utRecording* r, const utRecordFrame* frame, size_t row, size_t offset,
                       size_t bytes, void* to)
{
    (void)r;
    (void)row;
    copy_double(frame->value, offset, bytes, to);
}

static void copy_table(const utRecording* r, const utRecordFrame* frame, size_t row, size_t offset,
                       size_t bytes, void* to)
{
    double* cell = to;
    (void)row;
    (void)offset;
    (void)bytes;
    for (int k = 0; k < r->columns; k++) {
        cell[k] = frame->value[ut_recording_value(r, k)];
    }
}

// A field of the frame itself, at a byte offset.
static void copy_frame(const utRecording* r, const utRecordFrame* frame, size_t row, size_t offset,
                       size_t bytes, void* to)
{
    (void)r;
    (void)row;
    memcpy(to, (const char*)frame + offset, bytes);
}

static void copy_contact(const utRecording* r, const utRecordFrame* frame, size_t row,
                         size_t offset, size_t bytes, void* to)
{
    (void)r;
    memcpy(to, (const char*)&frame->contact[row] + offset, bytes);
}

static void copy_transition(const utRecording* r, const utRecordFrame* frame, size_t row,
                            size_t offset, size_t bytes, void* to)
{
    (void)r;
    memcpy(to, (const char*)&frame->transition[row] + offset, bytes);
}

// A part of an input; 0 when it is absent. @param offset of its pointer in utRecordInput
static void copy_input(const utRecording* r, const utRecordFrame* frame, size_t row, size_t offset,
                       size_t bytes, void* to)
{
    const void* from;
    (void)r;
    (void)row;
    memcpy(&from, (const char*)&frame->input + offset, sizeof from);
    if (from != NULL) {
        memcpy(to, from, bytes);
    } else {
        memset(to, 0, bytes);
    }
}

// ---- arrays -------------------------------------------------------------------------------------

// How an array is filled: a row per state, input, contact or transition.
typedef struct Plan {
    const char* name;
    CliNumber number;
    size_t columns[2]; // sizes of the axes behind the rows; 0: no such axis
    CopyRow* copy;
    size_t offset;
} Plan;

static size_t width_of(CliNumber number)
{
    return number == CLI_INT32 ? 4 : 8;
}

static int rows_of(const Frames* frames, int frame)
{
    const utRecordFrame* f = &frames->frame[frame];
    return f->kind == UT_RECORD_CONTACTS      ? f->contacts
           : f->kind == UT_RECORD_TRANSITIONS ? f->transitions
                                              : 1;
}

static utStatus emit(Source* s, CliArray* array, utError* err)
{
    array->bytes = array->width;
    for (int k = 0; k < array->axes; k++) {
        array->bytes *= array->size[k];
    }
    return s->sink(s->context, array, err);
}

static utStatus write_plan(Source* s, const Frames* frames, const Plan* plan, utError* err)
{
    CliArray array = {.name = plan->name, .number = plan->number, .axes = 1};
    array.width = width_of(plan->number);
    array.size[0] = frames->rows;
    size_t entries = 1;
    for (int k = 0; k < 2 && plan->columns[k] > 0; k++) {
        array.size[array.axes++] = plan->columns[k];
        entries *= plan->columns[k];
    }
    const size_t bytes = entries * array.width;
    utArena scratch = s->memory;
    char* data = ut_arena_push(&scratch, frames->rows * entries + 1, array.width);
    if (data == NULL) {
        return cli_no_memory(s->recording->name, err);
    }
    char* to = data;
    for (int f = 0; f < frames->count; f++) {
        for (int row = 0; row < rows_of(frames, f); row++) {
            plan->copy(s->recording, &frames->frame[f], (size_t)row, plan->offset, bytes, to);
            to += bytes;
        }
    }
    array.data = data;
    return emit(s, &array, err);
}

// Plans whose number of columns is 0 in the model are left out: a model without mocap bodies has no
// array of them. `scalar` plans have one number per row.
static utStatus write_plans(Source* s, const Frames* frames, const Plan* plan, size_t count,
                            size_t scalar, utError* err)
{
    for (size_t k = 0; k < count; k++) {
        if (k < scalar || plan[k].columns[0] > 0) {
            UT_TRY(write_plan(s, frames, &plan[k], err));
        }
    }
    return UT_OK;
}

static utStatus write_states(Source* s, utError* err)
{
    const utRecording* r = s->recording;
    const size_t nq = (size_t)r->nq, nv = (size_t)r->nv, nmocap = (size_t)r->nmocap;
    const size_t mocap = 1 + nq + nv;
    const Plan plans[] = {
        {"step", CLI_INT64, {0}, copy_frame, offsetof(utRecordFrame, step)},
        {"time", CLI_DOUBLE, {0}, copy_value, 0},
        {"state_hash", CLI_UINT64, {0}, copy_frame, offsetof(utRecordFrame, hash)},
        {"q", CLI_DOUBLE, {nq}, copy_value, 1},
        {"v", CLI_DOUBLE, {nv}, copy_value, 1 + nq},
        {"act", CLI_DOUBLE, {(size_t)r->na}, copy_value, r->values - (size_t)r->na},
        {"mocap_pos", CLI_DOUBLE, {nmocap, 3}, copy_value, mocap},
        {"mocap_quat", CLI_DOUBLE, {nmocap, 4}, copy_value, mocap + 3 * nmocap},
        {"table", CLI_DOUBLE, {(size_t)r->columns}, copy_table, 0},
    };
    return write_plans(s, &s->states, plans, sizeof plans / sizeof *plans, 3, err);
}

static utStatus write_inputs(Source* s, utError* err)
{
    const utRecording* r = s->recording;
    const size_t nmocap = (size_t)r->nmocap;
    const Plan plans[] = {
        {"input_step", CLI_INT64, {0}, copy_frame, offsetof(utRecordFrame, step)},
        {"ctrl", CLI_DOUBLE, {(size_t)r->nu}, copy_input, offsetof(utRecordInput, ctrl)},
        {"force", CLI_DOUBLE, {(size_t)r->nv}, copy_input, offsetof(utRecordInput, force)},
        {"applied",
         CLI_DOUBLE,
         {(size_t)r->nbody, 6},
         copy_input,
         offsetof(utRecordInput, applied)},
        {"target_pos", CLI_DOUBLE, {nmocap, 3}, copy_input, offsetof(utRecordInput, mocap_pos)},
        {"target_quat", CLI_DOUBLE, {nmocap, 4}, copy_input, offsetof(utRecordInput, mocap_quat)},
    };
    return write_plans(s, &s->inputs, plans, sizeof plans / sizeof *plans, 1, err);
}

#define OF_CONTACT(field) copy_contact, offsetof(utRecordedContact, field)
#define OF_TRANSITION(field) copy_transition, offsetof(utTransition, field)

static utStatus write_contacts(Source* s, utError* err)
{
    static const Plan plans[] = {
        {"contact_step", CLI_INT64, {0}, copy_frame, offsetof(utRecordFrame, step)},
        {"contact_time", CLI_DOUBLE, {0}, copy_frame, offsetof(utRecordFrame, time)},
        {"contact_geom1", CLI_INT32, {0}, OF_CONTACT(geom1)},
        {"contact_geom2", CLI_INT32, {0}, OF_CONTACT(geom2)},
        {"contact_feature", CLI_UINT64, {0}, OF_CONTACT(feature)},
        {"contact_island", CLI_INT32, {0}, OF_CONTACT(island)},
        {"contact_state", CLI_INT32, {0}, OF_CONTACT(state)},
        {"contact_gap", CLI_DOUBLE, {0}, OF_CONTACT(gap)},
        {"contact_mu", CLI_DOUBLE, {0}, OF_CONTACT(mu)},
        {"contact_point", CLI_DOUBLE, {3}, OF_CONTACT(point)},
        {"contact_frame", CLI_DOUBLE, {3, 3}, OF_CONTACT(frame)},
        {"contact_b", CLI_DOUBLE, {3}, OF_CONTACT(b)},
        {"contact_r", CLI_DOUBLE, {3}, OF_CONTACT(r)},
        {"contact_u", CLI_DOUBLE, {3}, OF_CONTACT(u)},
    };
    return write_plans(s, &s->contacts, plans, sizeof plans / sizeof *plans, 9, err);
}

static utStatus write_transitions(Source* s, utError* err)
{
    static const Plan plans[] = {
        {"transition_step", CLI_INT64, {0}, copy_frame, offsetof(utRecordFrame, step)},
        {"transition_time", CLI_DOUBLE, {0}, OF_TRANSITION(time)},
        {"transition_geom1", CLI_INT32, {0}, OF_TRANSITION(geom1)},
        {"transition_geom2", CLI_INT32, {0}, OF_TRANSITION(geom2)},
        {"transition_from", CLI_INT32, {0}, OF_TRANSITION(from)},
        {"transition_to", CLI_INT32, {0}, OF_TRANSITION(to)},
        {"transition_speed", CLI_DOUBLE, {0}, OF_TRANSITION(speed)},
    };
    return write_plans(s, &s->transitions, plans, sizeof plans / sizeof *plans, 7, err);
}

// ---- names and settings -------------------------------------------------------------------------

// Texts of the head, each filled with 0 to the length of the longest.
static utStatus write_texts(Source* s, const char* name, int count,
                            utText (*text)(const utRecording* recording, int index), utError* err)
{
    CliArray array = {.name = name, .number = CLI_BYTES, .width = 1, .axes = 1};
    array.size[0] = (size_t)count;
    for (int k = 0; k < count; k++) {
        const size_t size = text(s->recording, k).size;
        array.width = size > array.width ? size : array.width;
    }
    utArena scratch = s->memory;
    char* data = ut_arena_push(&scratch, (size_t)count + 1, array.width);
    if (data == NULL) {
        return cli_no_memory(s->recording->name, err);
    }
    memset(data, 0, (size_t)count * array.width);
    for (int k = 0; k < count; k++) {
        const utText t = text(s->recording, k);
        memcpy(data + (size_t)k * array.width, t.data, t.size);
    }
    array.data = data;
    return emit(s, &array, err);
}

static utText formulation_of(const utRecording* recording, int index)
{
    (void)index;
    return recording->formulation;
}

static utText source_of(const utRecording* recording, int index)
{
    (void)index;
    return recording->source;
}

static utStatus write_settings(Source* s, utError* err)
{
    const utRecording* r = s->recording;
    CliArray dt = {.name = "dt", .number = CLI_DOUBLE, .width = 8, .data = &r->dt};
    CliArray tolerance = {.name = "tolerance", .number = CLI_DOUBLE, .width = 8};
    tolerance.data = &r->tolerance;
    UT_TRY(emit(s, &dt, err));
    UT_TRY(emit(s, &tolerance, err));
    UT_TRY(write_texts(s, "model", 1, source_of, err));
    UT_TRY(write_texts(s, "formulation", 1, formulation_of, err));
    UT_TRY(write_texts(s, "columns", r->columns, ut_recording_column, err));
    return write_texts(s, "geoms", r->ngeom, ut_recording_geom, err);
}

utStatus cli_arrays(const utRecording* recording, CliArraySink* sink, void* context,
                    CliArrayCounts* counts, utError* err)
{
    Source s = {.recording = recording, .sink = sink, .context = context};
    if (ut_arena_create(0, NULL, &s.memory) != UT_OK) {
        return cli_no_memory(recording->name, err);
    }
    utStatus status = collect(&s, counts, err);
    status = status == UT_OK ? write_settings(&s, err) : status;
    status = status == UT_OK ? write_states(&s, err) : status;
    status = status == UT_OK ? write_inputs(&s, err) : status;
    status = status == UT_OK ? write_contacts(&s, err) : status;
    status = status == UT_OK ? write_transitions(&s, err) : status;
    ut_arena_destroy(&s.memory);
    return status;
}

// ---- files --------------------------------------------------------------------------------------

typedef struct Recorded {
    const utRecording* recording;
    CliArrayCounts* counts;
} Recorded;

static utStatus arrays_of(void* context, CliArraySink* sink, void* sink_context, utError* err)
{
    const Recorded* r = context;
    return cli_arrays(r->recording, sink, sink_context, r->counts, err);
}

utStatus cli_write_npz(const utRecording* recording, const char* path, CliArrayCounts* counts,
                       utError* err)
{
    Recorded recorded = {recording, counts};
    return cli_write_npz_of(arrays_of, &recorded, path, err);
}

utStatus cli_write_hdf5(const utRecording* recording, const char* path, CliArrayCounts* counts,
                        utError* err)
{
    Recorded recorded = {recording, counts};
    return cli_write_hdf5_of(arrays_of, &recorded, path, err);
}
