// SPDX-License-Identifier: Apache-2.0
// A recording that is shown: its states, with the contacts and the certificate of the steps that led to them.
#include "engine.h"

#include <string.h>

// ---- opening --------------------------------------------------------------------------------------

void engine_playback_close(Playback* playback)
{
    ut_arena_destroy(&playback->memory);
    ut_arena_destroy(&playback->shown);
    *playback = (Playback){0};
}

static utStatus add_state(Playback* p, RecordedState state)
{
    if (p->states == p->capacity) {
        const int capacity = 2 * p->capacity + 256;
        RecordedState* larger = UT_PUSH(&p->memory, RecordedState, capacity);
        if (larger == NULL) {
            return UT_ERR_MEMORY;
        }
        if (p->states > 0) {
            memcpy(larger, p->state, (size_t)p->states * sizeof *larger);
        }
        p->state = larger;
        p->capacity = capacity;
    }
    p->state[p->states++] = state;
    return UT_OK;
}

// Find all states. A recording that was cut off has those before the cut.
static utStatus find_states(Playback* p, utError* err)
{
    utRecording ahead = p->recording;
    utRecordFrame frame = {.kind = UT_RECORD_STATE};
    size_t offset = ahead.at;
    while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT) {
        UT_TRY(ut_recording_next(&ahead, &frame, err));
        if (frame.kind == UT_RECORD_STATE) {
            UT_TRY(add_state(p, (RecordedState){offset, frame.time}));
            offset = ahead.at;
        }
    }
    return p->states > 0
               ? UT_OK
               : ut_error_at(err, UT_ERR_FORMAT, p->recording.name, 0, 0, "holds no state");
}

static utStatus open_bytes(Playback* p, const char* name, const void* bytes, size_t size,
                           utError* err)
{
    UT_TRY(ut_arena_create(0, NULL, &p->memory));
    UT_TRY(ut_arena_create(0, NULL, &p->shown));
    char* kept = UT_PUSH(&p->memory, char, strlen(name) + 1);
    p->bytes = UT_PUSH(&p->memory, double, size / sizeof(double) + 1); // aligned for its arrays
    if (kept == NULL || p->bytes == NULL) {
        return UT_ERR_MEMORY;
    }
    memcpy(kept, name, strlen(name) + 1);
    memcpy(p->bytes, bytes, size);
    UT_TRY(ut_recording_open(p->bytes, size, kept, &p->recording, err));
    return find_states(p, err);
}

// ---- how the run was started ----------------------------------------------------------------------

// A text that is not 0-terminated. @param scratch holds it for a moment
static void text(utJsonWriter* w, const char* key, utText value, utArena scratch)
{
    char* copy = UT_PUSH(&scratch, char, value.size + 1);
    if (key != NULL) {
        ut_json_key(w, key);
    }
    if (copy != NULL && value.data != NULL) {
        memcpy(copy, value.data, value.size);
        copy[value.size] = '\0';
    }
    ut_json_string(w, copy != NULL && value.data != NULL ? copy : NULL);
}

static void texts(utJsonWriter* w, const char* key, int count,
                  utText (*get)(const utRecording*, int), const Playback* p)
{
    ut_json_key(w, key);
    ut_json_array_begin(w);
    for (int k = 0; k < count; k++) {
        text(w, NULL, get(&p->recording, k), p->memory);
    }
    ut_json_array_end(w);
}

// Files as addresses in the bytes, because a mesh is no text.
static void files(utJsonWriter* w, const Playback* p)
{
    size_t at = 0;
    utRecordFile file;
    ut_json_key(w, "files");
    ut_json_array_begin(w);
    while (ut_recording_file(&p->recording, &at, &file)) {
        ut_json_object_begin(w);
        text(w, "path", file.path, p->memory);
        ut_json_key(w, "at");
        ut_json_integer(w, (int64_t)(uintptr_t)file.text.data);
        ut_json_key(w, "size");
        ut_json_integer(w, (int64_t)file.text.size);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void head(utJsonWriter* w, const Playback* p)
{
    const utRecording* r = &p->recording;
    ut_json_object_begin(w);
    text(w, "source", r->source, p->memory);
    text(w, "formulation", r->formulation, p->memory);
    text(w, "solver", r->solver, p->memory);
    text(w, "integrator", r->integrator, p->memory);
    ut_json_key(w, "dt");
    ut_json_number(w, r->dt);
    ut_json_key(w, "keepGoing");
    ut_json_bool(w, r->keep_going);
    ut_json_key(w, "started");
    ut_json_bool(w, r->started);
    texts(w, "changes", r->changes, ut_recording_change, p);
    texts(w, "options", r->options, ut_recording_option, p);
    files(w, p);
    ut_json_object_end(w);
}

/// Open a recording; the next engine_load loads its model. @param bytes copied
/// @return how the run was started, as JSON; NULL: an error
EXPORT const char* engine_playback_open(Engine* e, const char* name, const void* bytes, size_t size)
{
    Playback made = {.active = true};
    const utStatus status = open_bytes(&made, name, bytes, size, &e->err);
    if (status != UT_OK) {
        engine_playback_close(&made);
        (void)engine_status(e, status);
        return NULL;
    }
    engine_playback_close(&e->opening);
    e->opening = made;
    e->text.size = 0;
    utJsonWriter w = ut_json_writer(engine_append, &e->text);
    head(&w, &e->opening);
    return ut_json_ok(&w) ? e->text.data : NULL;
}

utStatus engine_playback_adopt(Playback* opening, Engine* made, utError* err)
{
    if (opening->recording.model_hash != made->model->hash) {
        return ut_error_at(err, UT_ERR_FORMAT, opening->recording.name, 0, 0,
                           "the model '%.100s' is not the one of the run",
                           made->settings.name != NULL ? made->settings.name : made->next.name);
    }
    made->playback = *opening;
    *opening = (Playback){0};
    return UT_OK;
}

// ---- showing --------------------------------------------------------------------------------------

/// The number of states of the recording that is shown; 0: none is shown.
EXPORT int engine_playback_count(const Engine* e)
{
    return e->playback.states;
}

EXPORT double engine_playback_time(const Engine* e, int state)
{
    return e->playback.state[state].time;
}

// Contacts of a recording without reports.
static utStatus copy_contacts(const utModel* model, const utRecordFrame* frame, utArena* keep,
                              utStepReport* report)
{
    utContact* contact = UT_PUSH(keep, utContact, frame->contacts);
    if (contact == NULL) {
        return UT_ERR_MEMORY;
    }
    for (int k = 0; k < frame->contacts; k++) {
        const utRecordedContact* c = &frame->contact[k];
        contact[k] = (utContact){
            .geom1 = c->geom1,
            .geom2 = c->geom2,
            .point = c->point,
            .frame = {c->frame[0], c->frame[1], c->frame[2]},
            .gap = c->gap,
            .mu = c->mu,
            .r = {c->r[0], c->r[1], c->r[2]},
            .u = {c->u[0], c->u[1], c->u[2]},
            .state = (utContactState)c->state,
            .condim = ut_model_condim(model, c->geom1, c->geom2),
        };
    }
    *report = (utStepReport){.model = model, .contacts = frame->contacts, .contact = contact};
    return UT_OK;
}

static double deepest(const utStepReport* report)
{
    double depth = 0.0;
    for (int k = 0; k < report->contacts; k++) {
        depth = fmax(depth, -report->contact[k].gap);
    }
    return depth;
}

// The report of a recorded step, and its certificate, computed again.
static utStatus read_report(Engine* e, const utRecordFrame* frame, utArena* keep)
{
    Playback* p = &e->playback;
    utStepResult* result = &e->result;
    bool cut = false;
    UT_TRY(
        ut_recording_report(&p->recording, frame, e->model, keep, &result->report, &cut, &e->err));
    if (cut) {
        return UT_OK;
    }
    UT_TRY(ut_certify(&result->report, p->recording.tolerance, *keep, &result->certificate));
    result->outcome = result->certificate.passed ? UT_STEP_CERTIFIED : UT_STEP_UNCERTIFIED;
    e->has_result = true;
    if (result->report.ctrl != NULL && e->model->nu > 0) {
        memcpy(e->ctrl, result->report.ctrl, (size_t)e->model->nu * sizeof *e->ctrl);
    }
    return UT_OK;
}

// Read the records up to a state. Of several steps the last one counts.
static utStatus read_state(Engine* e, int state)
{
    Playback* p = &e->playback;
    utArena keep = p->shown;
    utRecording ahead = p->recording;
    utRecordFrame frame = {.kind = UT_RECORD_END};
    bool reported = false;
    ahead.at = p->state[state].offset;
    engine_forget_step(e);
    e->result = (utStepResult){.tries = 1, .pieces = 1};
    while (frame.kind != UT_RECORD_STATE) {
        UT_TRY(ut_recording_next(&ahead, &frame, &e->err));
        if (frame.kind == UT_RECORD_REPORT) {
            UT_TRY(read_report(e, &frame, &keep));
            reported = true;
        } else if (frame.kind == UT_RECORD_CONTACTS && !reported) {
            UT_TRY(copy_contacts(e->model, &frame, &keep, &e->result.report));
            e->has_result = true;
        }
    }
    e->result.max_penetration = deepest(&e->result.report);
    p->now = frame;
    return UT_OK;
}

/// Show a recorded state. @param state 0 ... engine_playback_count - 1
EXPORT int engine_playback_show(Engine* e, int state)
{
    utStatus status = read_state(e, state);
    const utRecordState* s = &e->playback.now.state;
    if (status == UT_OK) {
        status = ut_sim_set(e->sim, s->time, s->q, s->v, &e->err);
    }
    if (status == UT_OK && e->model->na > 0 && s->act != NULL) {
        status = ut_sim_set_act(e->sim, s->act, &e->err);
    }
    e->steps = (long long)e->playback.now.step;
    return engine_status(e, status);
}
