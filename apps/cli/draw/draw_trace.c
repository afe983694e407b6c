// SPDX-License-Identifier: Apache-2.0
// The moments of a picture, by simulating a model or from a recording.
//
// The contacts of a moment are those of the step that begins there, because their points and gaps
// belong to the step's start. The last state of a recording has those of the step before it.
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/record.h>

enum { MAX_PATH_NUMBERS = 4000000 }; // of all paths together

static const double NEVER = -1.0;

// ---- moments ------------------------------------------------------------------------------------

// The friction cones of a formulation.
static void set_cone(DrawTrace* trace, utFormulation formulation, int directions)
{
    const utSectionKind section = ut_formulation_traits(formulation)->section;
    trace->circumscribed = section == UT_SECTION_CIRCUMSCRIBED;
    trace->directions = trace->circumscribed || section == UT_SECTION_INSCRIBED ? directions : 0;
}

static utStatus begin(DrawTrace* trace, const DrawTimes* times, const char* name, utError* err)
{
    const utModel* model = trace->model;
    trace->moment = UT_PUSH(&trace->memory, DrawMoment, times->count);
    if (ut_arena_failed(&trace->memory)) {
        return cli_no_memory(name, err);
    }
    memset(trace->moment, 0, (size_t)times->count * sizeof *trace->moment);
    set_cone(trace, (utFormulation)model->options.formulation, model->options.directions);
    return UT_OK;
}

static const double* keep(utArena* memory, const double* from, int count)
{
    double* to = UT_PUSH(memory, double, count + 1);
    if (to != NULL && from != NULL) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
    return from != NULL ? to : NULL;
}

static utStatus keep_moment(DrawTrace* trace, const utRecordState* state, const char* name,
                            utError* err)
{
    const utModel* model = trace->model;
    DrawMoment* m = &trace->moment[trace->moments++];
    utMotion* velocity = UT_PUSH(&trace->memory, utMotion, model->nmocap + 1);
    *m = (DrawMoment){
        .time = state->time,
        .q = keep(&trace->memory, state->q, model->nq),
        .v = keep(&trace->memory, state->v, model->nv),
        .mocap_pos = keep(&trace->memory, state->mocap_pos, 3 * model->nmocap),
        .mocap_quat = keep(&trace->memory, state->mocap_quat, 4 * model->nmocap),
    };
    if (velocity != NULL && state->mocap_velocity != NULL) {
        memcpy(velocity, state->mocap_velocity, (size_t)model->nmocap * sizeof *velocity);
        m->mocap_velocity = velocity;
    }
    return ut_arena_failed(&trace->memory) ? cli_no_memory(name, err) : UT_OK;
}

// ---- paths --------------------------------------------------------------------------------------

// The centres of mass over time. When there are too many, every second one is dropped.
typedef struct Paths {
    utKinematics kin;
    int room, stride, next;
} Paths;

static utStatus begin_paths(DrawTrace* trace, Paths* paths, const char* name, utError* err)
{
    const int nbody = trace->model->nbody;
    paths->room = MAX_PATH_NUMBERS / nbody / 3;
    paths->room = paths->room < 64 ? 64 : paths->room > 20000 ? 20000 : paths->room;
    paths->stride = 1;
    trace->position = UT_PUSH(&trace->memory, utVec3, paths->room * nbody);
    trace->time = UT_PUSH(&trace->memory, double, paths->room);
    const utStatus status = ut_kinematics_create(trace->model, &trace->memory, &paths->kin);
    return status != UT_OK || ut_arena_failed(&trace->memory) ? cli_no_memory(name, err) : UT_OK;
}

static void halve(DrawTrace* trace, Paths* paths)
{
    const int nbody = trace->model->nbody;
    for (int k = 0; 2 * k < trace->points; k++) {
        trace->time[k] = trace->time[2 * k];
        memmove(trace->position + (size_t)k * (size_t)nbody,
                trace->position + (size_t)(2 * k) * (size_t)nbody,
                (size_t)nbody * sizeof *trace->position);
    }
    trace->points = (trace->points + 1) / 2;
    paths->stride *= 2;
}

static void add_point(DrawTrace* trace, Paths* paths, const utRecordState* state)
{
    if (paths->next++ % paths->stride != 0) {
        return;
    }
    if (trace->points == paths->room) {
        halve(trace, paths);
    }
    const int nbody = trace->model->nbody;
    ut_kinematics_place(&paths->kin, state->q, state->mocap_pos, state->mocap_quat);
    trace->time[trace->points] = state->time;
    memcpy(trace->position + (size_t)trace->points++ * (size_t)nbody, paths->kin.com,
           (size_t)nbody * sizeof *trace->position);
}

// ---- contacts -----------------------------------------------------------------------------------

static utVec3 in_world(const utVec3 frame[3], const double r[3], double scale)
{
    utVec3 sum = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        sum = ut_vec3_add_scaled(sum, scale * r[k], frame[k]);
    }
    return sum;
}

// Add a contact. Sub-steps repeat contacts: those of equal features are summed.
static void add_contact(DrawMoment* m, DrawContact* room, const DrawContact* c)
{
    for (int k = 0; k < m->contacts; k++) {
        DrawContact* old = &room[k];
        if (old->geom1 == c->geom1 && old->geom2 == c->geom2 && old->feature == c->feature &&
            old->impact == c->impact) {
            const utVec3 sum = ut_vec3_add(old->force, c->force);
            *old = *c;
            old->force = sum;
            return;
        }
    }
    room[m->contacts++] = *c;
}

static void take_contacts(DrawTrace* trace, DrawMoment* m, const utStepReport* report)
{
    DrawContact* room = UT_PUSH(&trace->memory, DrawContact, report->contacts + 1);
    if (room == NULL) {
        return;
    }
    m->contact = room;
    for (int k = 0; k < report->contacts; k++) {
        const utContact* c = &report->contact[k];
        const bool impact = c->state == UT_CONTACT_IMPACT || !(report->h > 0.0);
        DrawContact to = {
            .geom1 = c->geom1,
            .geom2 = c->geom2,
            .feature = c->feature,
            .point = c->point,
            .frame = {c->frame[0], c->frame[1], c->frame[2]},
            .mu = c->mu,
            .gap = c->gap,
            .force = in_world(c->frame, c->r, impact ? 1.0 : 1.0 / report->h),
            .impact = impact,
            .state = c->state,
        };
        add_contact(m, room, &to);
    }
}

static void take_recorded(DrawTrace* trace, DrawMoment* m, const utRecordFrame* frame, double h)
{
    DrawContact* room = UT_PUSH(&trace->memory, DrawContact, m->contacts + frame->contacts + 1);
    if (room == NULL) {
        return;
    }
    if (m->contacts > 0) {
        memcpy(room, m->contact, (size_t)m->contacts * sizeof *room);
    }
    m->contact = room;
    for (int k = 0; k < frame->contacts; k++) {
        const utRecordedContact* c = &frame->contact[k];
        const bool impact = c->state == UT_CONTACT_IMPACT;
        DrawContact to = {
            .geom1 = c->geom1,
            .geom2 = c->geom2,
            .feature = c->feature,
            .point = c->point,
            .frame = {c->frame[0], c->frame[1], c->frame[2]},
            .mu = c->mu,
            .gap = c->gap,
            .force = in_world(c->frame, c->r, impact ? 1.0 : 1.0 / h),
            .impact = impact,
            .state = (utContactState)c->state,
        };
        add_contact(m, room, &to);
    }
}

// The forces of joints that are constraints, on both of their bodies.
static void take_reactions(DrawTrace* trace, DrawMoment* m, const utStepReport* report)
{
    if (report->parts > 0 || !(report->h > 0.0)) {
        return;
    }
    DrawReaction* room = UT_PUSH(&trace->memory, DrawReaction, 2 * trace->model->nequality + 1);
    m->reaction = room;
    int last = -1;
    for (int k = 0; room != NULL && k < report->rows; k++) {
        const utRow* row = &report->row[k];
        if (row->kind != UT_ROW_EQUALITY || !(ut_vec3_norm(row->linear) > 0.0)) {
            continue;
        }
        if (row->equality != last) {
            room[m->reactions++] = (DrawReaction){row->body2, row->point2, ut_vec3_zero()};
            room[m->reactions++] = (DrawReaction){row->body1, row->point1, ut_vec3_zero()};
            last = row->equality;
        }
        DrawReaction* on2 = &room[m->reactions - 2];
        DrawReaction* on1 = &room[m->reactions - 1];
        on2->force = ut_vec3_add_scaled(on2->force, row->r / report->h, row->linear);
        on1->force = ut_vec3_negate(on2->force);
    }
}

// ---- simulating ---------------------------------------------------------------------------------

static double time_of(const DrawTimes* times, double end, int k)
{
    return times->at != NULL ? times->at[k]
                             : end * (times->count > 1 ? (double)k / (times->count - 1) : 1.0);
}

static utRecordState state_of(const utSim* sim)
{
    return (utRecordState){
        .time = ut_sim_time(sim),
        .q = ut_sim_q(sim),
        .v = ut_sim_v(sim),
        .mocap_pos = ut_sim_mocap_pos(sim),
        .mocap_quat = ut_sim_mocap_quat(sim),
        .mocap_velocity = ut_sim_mocap_velocity(sim),
    };
}

static utStatus simulate(DrawTrace* trace, utSim* sim, const utInput* input, const DrawTimes* times,
                         const char* name, utError* err)
{
    const double begins = ut_sim_time(sim);
    const double end = times->end >= 0.0 ? times->end : trace->model->options.time;
    Paths paths = {0};
    UT_TRY(begin_paths(trace, &paths, name, err));
    while (trace->moments < times->count && !trace->uncertified) {
        const utRecordState state = state_of(sim);
        const double reached = ut_sim_time(sim) - begins + 0.5 * ut_sim_dt(sim);
        add_point(trace, &paths, &state);
        const int first = trace->moments;
        while (trace->moments < times->count && time_of(times, end, trace->moments) < reached) {
            UT_TRY(keep_moment(trace, &state, name, err));
        }
        utStepResult result;
        const utStatus status = ut_sim_step(sim, input, &result, err);
        if (status != UT_OK && status != UT_ERR_NOT_TAKEN) {
            return status;
        }
        trace->uncertified = status == UT_ERR_NOT_TAKEN && trace->moments < times->count;
        for (int k = first; k < trace->moments && status == UT_OK; k++) {
            take_contacts(trace, &trace->moment[k], &result.report);
            take_reactions(trace, &trace->moment[k], &result.report);
        }
        if (trace->uncertified) {
            return ut_error_at(err, UT_ERR_NOT_TAKEN, cli_file_name(name), 0, 0,
                               "the step at t = %.9g s is not certified: %s; --keep-going draws "
                               "what follows",
                               ut_sim_time(sim),
                               ut_certificate_reason_name(result.certificate.reason));
        }
    }
    return ut_arena_failed(&trace->memory) ? cli_no_memory(name, err) : UT_OK;
}

utStatus draw_trace_run(CliStart* start, const DrawTimes* times, DrawTrace* trace, utError* err)
{
    *trace = (DrawTrace){0};
    UT_TRY(cli_load_model(start->file, &start->sets, &trace->loaded, err));
    trace->model = trace->loaded.model;
    cli_print_warnings(stderr, &trace->loaded);
    if (ut_arena_create(0, NULL, &trace->memory) != UT_OK) {
        return cli_no_memory(start->file, err);
    }
    utSim* sim = NULL;
    int key;
    utStatus status = cli_start(start, &trace->loaded, &key, &sim, err);
    if (status == UT_OK) {
        status = begin(trace, times, start->file, err);
    }
    if (status == UT_OK) {
        utInput input = {0};
        input.ctrl = key >= 0 ? trace->model->keyframe[key].ctrl : NULL;
        const utOptions* options = &trace->model->options;
        const int formulation = start->sim.formulation;
        const int directions = start->sim.directions;
        set_cone(trace, (utFormulation)(formulation >= 0 ? formulation : options->formulation),
                 directions > 0 ? directions : options->directions);
        status = simulate(trace, sim, &input, times, start->file, err);
    }
    ut_sim_destroy(sim);
    return status;
}

// ---- reading ------------------------------------------------------------------------------------

// The moments at the recorded states that are nearest to the wanted times.
typedef struct Reading {
    DrawTrace* trace;
    const DrawTimes* times;
    const char* name;
    double first, end;
    utRecordFrame state, before; // the last two states
    bool has_before;
    double filled; // the time of the state whose contacts were taken
    Paths paths;
} Reading;

// The times of the first and the last state.
static utStatus find_range(utRecording recording, double* first, double* last, int* states,
                           utError* err)
{
    utRecordFrame frame;
    *states = 0;
    do {
        UT_TRY(ut_recording_next(&recording, &frame, err));
        if (frame.kind == UT_RECORD_STATE) {
            *first = (*states)++ == 0 ? frame.time : *first;
            *last = frame.time;
        }
    } while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT);
    return *states > 0 ? UT_OK
                       : ut_error_at(err, UT_ERR_FORMAT, recording.name, 0, 0,
                                     "the recording has no state; run again");
}

static double wanted(const Reading* r)
{
    return r->times->at != NULL
               ? r->times->at[r->trace->moments]
               : r->first + time_of(r->times, r->end - r->first, r->trace->moments);
}

// Is the state before nearer to the next wanted time than this one?
static utStatus take_state(Reading* r, const utRecordFrame* frame, bool last, utError* err)
{
    add_point(r->trace, &r->paths, &frame->state);
    while (r->trace->moments < r->times->count && r->has_before &&
           wanted(r) < 0.5 * (r->before.time + frame->time)) {
        UT_TRY(keep_moment(r->trace, &r->before.state, r->name, err));
    }
    while (last && r->trace->moments < r->times->count) {
        UT_TRY(keep_moment(r->trace, &frame->state, r->name, err));
    }
    r->before = *frame;
    r->has_before = true;
    return UT_OK;
}

// The second pass: contacts of the steps that begin at the moments' states.
static utStatus read_contacts(DrawTrace* trace, utRecording recording, utError* err)
{
    utRecordFrame frame;
    double begins = NEVER;
    uint64_t step = 0;
    uint64_t taken = 0;
    do {
        UT_TRY(ut_recording_next(&recording, &frame, err));
        if (frame.kind == UT_RECORD_STATE) {
            begins = frame.time;
            step = frame.step;
            taken = 0;
        }
        if (frame.kind != UT_RECORD_CONTACTS || (taken != 0 && frame.step != taken) ||
            frame.step != step + 1) {
            continue;
        }
        taken = frame.step;
        const double h =
            recording.adaptive > 0.0 && frame.time > begins ? frame.time - begins : recording.dt;
        for (int k = 0; k < trace->moments; k++) {
            if (trace->moment[k].time == begins) {
                take_recorded(trace, &trace->moment[k], &frame, h);
            }
        }
    } while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT);
    return UT_OK;
}

static utStatus read_states(Reading* r, utRecording recording, int states, utError* err)
{
    utRecordFrame frame;
    int seen = 0;
    UT_TRY(begin_paths(r->trace, &r->paths, r->name, err));
    do {
        UT_TRY(ut_recording_next(&recording, &frame, err));
        if (frame.kind == UT_RECORD_STATE && r->trace->moments < r->times->count) {
            UT_TRY(take_state(r, &frame, ++seen == states, err));
        }
    } while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT);
    return UT_OK;
}

// Load the model that a recording names, with its changes.
static utStatus load_model(const utRecording* recording, const char* model, DrawTrace* trace,
                           const char* name, utError* err)
{
    CliSets sets = {0};
    const size_t size = recording->source.size;
    char* source = UT_PUSH(&trace->memory, char, size + 1);
    for (int k = 0; k < recording->changes && k < CLI_MAX_SETS && source != NULL; k++) {
        const utText change = ut_recording_change(recording, k);
        char* text = UT_PUSH(&trace->memory, char, change.size + 1);
        if (text != NULL) {
            memcpy(text, change.data, change.size);
            text[change.size] = '\0';
            sets.text[sets.count++] = text;
        }
    }
    if (ut_arena_failed(&trace->memory)) {
        return cli_no_memory(name, err);
    }
    memcpy(source, recording->source.data, size);
    source[size] = '\0';
    if (model == NULL && (size == 0 || strcmp(source, "-") == 0)) {
        return ut_error_at(err, UT_ERR_ARGUMENT, name, 0, 0,
                           "the recording does not name the file of its model; --model FILE does");
    }
    UT_TRY(cli_load_model(model != NULL ? model : source, &sets, &trace->loaded, err));
    trace->model = trace->loaded.model;
    return trace->model->hash == recording->model_hash
               ? UT_OK
               : ut_error_at(err, UT_ERR_ARGUMENT, name, 0, 0,
                             "%s is not the model of this recording any more; --model FILE names "
                             "another file, or run again",
                             model != NULL ? model : source);
}

utStatus draw_trace_read(const char* path, const char* model, const DrawTimes* times,
                         DrawTrace* trace, utError* err)
{
    *trace = (DrawTrace){0};
    const char* name = cli_file_name(path);
    utText bytes;
    utRecording recording;
    if (ut_arena_create(0, NULL, &trace->memory) != UT_OK) {
        return cli_no_memory(path, err);
    }
    UT_TRY(cli_read_file(path, &trace->memory, &bytes, err));
    UT_TRY(ut_recording_open(bytes.data, bytes.size, name, &recording, err));
    UT_TRY(load_model(&recording, model, trace, name, err));
    UT_TRY(begin(trace, times, name, err));
    utFormulation formulation;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)recording.formulation.size,
             recording.formulation.data);
    if (ut_formulation_find(word, &formulation)) {
        set_cone(trace, formulation, recording.directions);
    }
    Reading r = {.trace = trace, .times = times, .name = name};
    int states;
    UT_TRY(find_range(recording, &r.first, &r.end, &states, err));
    r.end = times->end >= 0.0 ? times->end : r.end;
    UT_TRY(read_states(&r, recording, states, err));
    UT_TRY(read_contacts(trace, recording, err));
    return ut_arena_failed(&trace->memory) ? cli_no_memory(name, err) : UT_OK;
}

void draw_trace_close(DrawTrace* trace)
{
    ut_arena_destroy(&trace->memory);
    cli_free_model(&trace->loaded);
    *trace = (DrawTrace){0};
}
