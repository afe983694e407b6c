// SPDX-License-Identifier: Apache-2.0
// An engine, its model and its state: loading, steps, controls, snapshots.
#include "engine.h"

#include <stdlib.h>
#include <string.h>

// ---- errors and texts -----------------------------------------------------------------------------

int engine_status(Engine* e, utStatus status)
{
    if (status == UT_OK) {
        return 0;
    }
    if (e->err.message[0] == '\0') {
        ut_error_set(&e->err, status, "%s", ut_status_text(status));
    }
    ut_error_format(&e->err, e->error, sizeof e->error);
    e->err = (utError){0};
    return 1;
}

/// The reason of the last failure: "file:line:col: error: ...".
EXPORT const char* engine_error(const Engine* e)
{
    return e->error;
}

bool engine_append(void* context, const char* bytes, size_t size)
{
    Bytes* b = context;
    if (b->size + size + 1 > b->capacity) {
        const size_t capacity = 2 * (b->size + size) + 1024;
        char* larger = realloc(b->data, capacity);
        if (larger == NULL) {
            b->failed = true;
            return false;
        }
        b->data = larger;
        b->capacity = capacity;
    }
    memcpy(b->data + b->size, bytes, size);
    b->size += size;
    b->data[b->size] = '\0';
    return true;
}

void engine_bytes_free(Bytes* bytes)
{
    free(bytes->data);
    *bytes = (Bytes){0};
}

// ---- life -----------------------------------------------------------------------------------------

/// @return NULL when there is no memory
EXPORT Engine* engine_create(void)
{
    Engine* e = calloc(1, sizeof *e);
    if (e == NULL || engine_settings_create(&e->next) != UT_OK) {
        free(e);
        return NULL;
    }
    return e;
}

static void close_model(Engine* e)
{
    engine_record_close(e);
    engine_playback_close(&e->playback);
    ut_sim_destroy(e->sim);
    ut_model_destroy(e->model);
    ut_notes_destroy(&e->notes);
    ut_arena_destroy(&e->sources.memory);
    ut_arena_destroy(&e->settings.memory);
    ut_arena_destroy(&e->memory);
    free(e->frame);
    free(e->tendon_point);
    e->frame = NULL;
    e->tendon_point = NULL;
    e->tendon_points = 0;
    e->frame_capacity = 0;
}

EXPORT void engine_destroy(Engine* e)
{
    if (e != NULL) {
        close_model(e);
        engine_playback_close(&e->opening);
        ut_arena_destroy(&e->next.memory);
        engine_bytes_free(&e->text);
        free(e->snapshot);
        free(e);
    }
}

// ---- files ----------------------------------------------------------------------------------------

// The worker's files. The function is in imports.js.
// @return bytes of malloc, which the caller frees; NULL: there is no such file
extern char* engine_js_read(const char* path, size_t* size);

enum { STORED_FILE_BYTES = 256 * 1024 }; // recordings hold the model and files up to this size

static const utRecordFile* find_file(const Sources* sources, const char* path)
{
    for (int k = 0; k < sources->count; k++) {
        const utRecordFile* file = &sources->file[k];
        if (file->path.size == strlen(path) &&
            memcmp(file->path.data, path, file->path.size) == 0) {
            return file;
        }
    }
    return NULL;
}

static bool make_room(Sources* sources)
{
    if (sources->count < sources->capacity) {
        return true;
    }
    const int capacity = 2 * sources->capacity + 16;
    utRecordFile* larger = UT_PUSH(&sources->memory, utRecordFile, capacity);
    if (larger == NULL) {
        return false;
    }
    if (sources->count > 0) {
        memcpy(larger, sources->file, (size_t)sources->count * sizeof *larger);
    }
    sources->file = larger;
    sources->capacity = capacity;
    return true;
}

// Keep a file for recordings, as the command line does.
static utStatus keep_file(Sources* sources, const char* path, utText text)
{
    if (find_file(sources, path) != NULL) {
        return UT_OK;
    }
    const bool stored = sources->count == 0 || text.size <= STORED_FILE_BYTES;
    char* name = UT_PUSH(&sources->memory, char, strlen(path) + 1);
    char* copy = stored ? UT_PUSH(&sources->memory, char, text.size + 1) : NULL;
    if (!make_room(sources) || ut_arena_failed(&sources->memory)) {
        return UT_ERR_MEMORY;
    }
    memcpy(name, path, strlen(path) + 1);
    if (stored) {
        memcpy(copy, text.data, text.size);
    }
    sources->file[sources->count++] = (utRecordFile){
        .path = {name, strlen(path)},
        .text = {copy, stored ? text.size : 0},
        .size = text.size,
        .hash = ut_hash_bytes(UT_HASH_START, text.data, text.size),
    };
    return UT_OK;
}

// A utReadFile. When `keep` is full, the library calls again with more memory.
static utStatus read_file(void* context, const char* path, utArena* keep, utText* text,
                          utError* err)
{
    size_t size = 0;
    char* bytes = engine_js_read(path, &size);
    if (bytes == NULL) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "there is no such file");
    }
    char* copy = UT_PUSH(keep, char, size + 1);
    if (copy != NULL) {
        memcpy(copy, bytes, size);
        copy[size] = '\0';
    }
    free(bytes);
    if (copy == NULL) {
        return UT_ERR_CAPACITY;
    }
    *text = (utText){copy, size};
    return keep_file(context, path, *text);
}

// ---- loading --------------------------------------------------------------------------------------

utLoadDef engine_load_def(const Settings* settings, Sources* sources)
{
    utLoadDef def = ut_load_def();
    def.set = settings->change;
    def.set_count = settings->changes;
    def.read = read_file;
    def.read_context = sources;
    def.floating = settings->floating;
    def.friction = settings->friction;
    def.self_collision = !settings->no_self_collision;
    return def;
}

// A key is a name or a number. Without one the keyframe "start" is taken if the model has one.
static utStatus find_keyframe(const Settings* settings, const utModel* model, int* keyframe,
                              utError* err)
{
    const char* key = settings->key;
    if (key == NULL || key[0] == '\0') {
        *keyframe = key == NULL ? ut_model_start_key(model) : -1;
        return UT_OK;
    }
    *keyframe = ut_model_find_keyframe(model, key);
    char* end;
    const long number = strtol(key, &end, 10);
    if (*keyframe < 0 && *end == '\0' && number >= 0 && number < model->nkeyframe) {
        *keyframe = (int)number;
    }
    return *keyframe >= 0 ? UT_OK
                          : ut_error_at(err, UT_ERR_ARGUMENT, settings->name, 0, 0,
                                        "there is no keyframe '%.80s'", key);
}

// If the formulation asked for cannot use the file's solver, use auto, as the command line does.
static utStatus create_sim(Settings* settings, const utModel* model, utSim** sim, utError* err)
{
    utSimDef* def = &settings->sim;
    const utStatus status = ut_sim_create(model, def, sim, err);
    if (status != UT_ERR_ARGUMENT || def->formulation < 0 || def->solver != NULL ||
        strcmp(model->options.solver, "auto") == 0) {
        return status;
    }
    def->solver = "auto";
    utError unused;
    if (ut_sim_create(model, def, sim, &unused) != UT_OK) {
        def->solver = NULL;
        return status;
    }
    return UT_OK;
}

// What a sim needs besides: arrays of inputs, bodies as they are drawn, and the start's controls.
static utStatus prepare(Engine* e)
{
    UT_TRY(ut_arena_create(0, NULL, &e->memory));
    const utModel* model = e->model;
    e->ctrl = UT_PUSH(&e->memory, double, model->nu);
    e->applied = UT_PUSH(&e->memory, utForce, model->nbody);
    e->sensor = UT_PUSH(&e->memory, double, model->nsensordata);
    UT_TRY(ut_kinematics_create(model, &e->memory, &e->kin));
    if (ut_arena_failed(&e->memory)) {
        return UT_ERR_MEMORY;
    }
    memset(e->applied, 0, (size_t)model->nbody * sizeof *e->applied);
    return UT_OK;
}

static utStatus load(Settings* settings, Engine* made, utError* err)
{
    UT_TRY(ut_arena_create(0, NULL, &made->sources.memory));
    const utLoadDef def = engine_load_def(settings, &made->sources);
    UT_TRY(ut_load_with(settings->name, &def, &made->model, &made->notes, err));
    utStatus status = find_keyframe(settings, made->model, &made->keyframe, err);
    if (status == UT_OK) {
        status = create_sim(settings, made->model, &made->sim, err);
    }
    if (status == UT_OK) {
        status = ut_sim_reset(made->sim, made->keyframe, err);
    }
    if (status != UT_OK && err->file[0] == '\0' && err->message[0] != '\0') {
        const utError bare = *err;
        ut_error_at(err, status, settings->name, 0, 0, "%s", bare.message);
    }
    return status == UT_OK ? prepare(made) : status;
}

// Go on from the state of another sim, whose model has the same numbers of coordinates.
static bool carry_state(const Engine* from, Engine* to)
{
    const utModel *a = from->model, *b = to->model;
    utError unused;
    if (a == NULL || a->nq != b->nq || a->nv != b->nv || a->na != b->na || a->nu != b->nu ||
        ut_sim_set(to->sim, ut_sim_time(from->sim), ut_sim_q(from->sim), ut_sim_v(from->sim),
                   &unused) != UT_OK) {
        return false;
    }
    (void)ut_sim_set_act(to->sim, ut_sim_act(from->sim), &unused);
    if (b->nu > 0) {
        memcpy(to->ctrl, from->ctrl, (size_t)b->nu * sizeof *to->ctrl);
    }
    to->steps = from->steps;
    if (from->holding && from->hold.body < b->nbody) {
        to->holding = true;
        to->hold = from->hold;
    }
    return true;
}

static void start_controls(Engine* e)
{
    const double* ctrl = e->keyframe >= 0 ? e->model->keyframe[e->keyframe].ctrl : NULL;
    for (int i = 0; i < e->model->nu; i++) {
        e->ctrl[i] = ctrl != NULL ? ctrl[i] : 0.0;
    }
}

/// Load the model with the settings given since engine_begin. On failure the loaded model stays as it is.
/// @param go_on 1: from the present state, if the model has the same sizes
/// @return 0, 1, or 2: loaded, and the state is the start's although the caller wanted to go on
EXPORT int engine_load(Engine* e, int go_on)
{
    Engine made = {.next = e->next};
    utError err = {0};
    utStatus status = load(&made.next, &made, &err);
    if (status == UT_OK && e->opening.active) {
        status = engine_playback_adopt(&e->opening, &made, &err);
    }
    engine_playback_close(&e->opening);
    if (status != UT_OK) {
        close_model(&made);
        e->err = err;
        return engine_status(e, status);
    }
    start_controls(&made);
    const bool carried = go_on != 0 && carry_state(e, &made);
    made.text = e->text;
    made.snapshot = e->snapshot;
    made.snapshot_capacity = e->snapshot_capacity;
    made.settings = made.next;
    close_model(e);
    *e = made;
    if (engine_settings_create(&e->next) != UT_OK) {
        e->next = (Settings){0};
        return engine_status(e, UT_ERR_MEMORY);
    }
    return go_on != 0 && !carried ? 2 : 0;
}

// ---- state ----------------------------------------------------------------------------------------

void engine_forget_step(Engine* e)
{
    e->has_result = false;
    e->tried = false;
}

/// Set a keyframe with its controls. @param keyframe -1: the modelled pose; -2: where runs begin
EXPORT int engine_reset(Engine* e, int keyframe)
{
    const int key = keyframe == -2 ? e->keyframe : keyframe;
    if (key < -1 || key >= e->model->nkeyframe) {
        return engine_status(
            e, ut_error_set(&e->err, UT_ERR_ARGUMENT, "there is no keyframe %d", key));
    }
    if (ut_sim_reset(e->sim, key, &e->err) != UT_OK) {
        return engine_status(e, UT_ERR_ARGUMENT);
    }
    const int started = e->keyframe;
    e->keyframe = key;
    start_controls(e);
    e->keyframe = keyframe == -2 ? started : key;
    e->steps = 0;
    engine_forget_step(e);
    return 0;
}

EXPORT double engine_time(const Engine* e)
{
    return ut_sim_time(e->sim);
}

EXPORT double engine_dt(const Engine* e)
{
    return ut_sim_dt(e->sim);
}

EXPORT double engine_steps(const Engine* e)
{
    return (double)e->steps;
}

/// Half of the state hash: 0 the upper 32 bits, 1 the lower.
EXPORT uint32_t engine_hash(const Engine* e, int half)
{
    const uint64_t hash = ut_sim_hash(e->sim);
    return half == 0 ? (uint32_t)(hash >> 32) : (uint32_t)hash;
}

/// The controls, which the worker writes. @return nu numbers
EXPORT double* engine_ctrl(Engine* e)
{
    return e->ctrl;
}

/// The values of the sensors. @return nsensordata numbers
EXPORT double* engine_sensors(Engine* e)
{
    if (!e->playback.active) {
        ut_sim_sensors(e->sim, e->sensor);
    } else if (e->playback.now.state.sensor != NULL) {
        memcpy(e->sensor, e->playback.now.state.sensor,
               (size_t)e->model->nsensordata * sizeof *e->sensor);
    }
    return e->sensor;
}

EXPORT int engine_sensor_count(const Engine* e)
{
    return e->model->nsensordata;
}

EXPORT int engine_ctrl_count(const Engine* e)
{
    return e->model->nu;
}

// ---- steps ----------------------------------------------------------------------------------------

// @param input receives the controls and the force of a hold
static utStatus make_input(Engine* e, utInput* input)
{
    *input = (utInput){.ctrl = e->model->nu > 0 ? e->ctrl : NULL};
    if (e->holding) {
        UT_TRY(ut_sim_hold(e->sim, &e->hold, e->memory, &e->applied[e->hold.body]));
        input->applied = e->applied;
    }
    return UT_OK;
}

/// Take one step. @return 0: taken; 1: an error; 2: not certified and not taken
EXPORT int engine_step(Engine* e)
{
    utInput input;
    const utStatus made = make_input(e, &input);
    if (made != UT_OK) {
        return engine_status(e, made);
    }
    if (e->recorder.active && engine_record_input(e, &input) != UT_OK) {
        return engine_status(e, UT_ERR_MEMORY);
    }
    const utStatus status = ut_sim_step(e->sim, &input, &e->result, &e->err);
    if (status != UT_OK && status != UT_ERR_NOT_TAKEN) {
        return engine_status(e, status);
    }
    e->err = (utError){0};
    e->tried = status == UT_ERR_NOT_TAKEN;
    e->has_result = !e->tried;
    if (e->tried) {
        return 2;
    }
    e->steps++;
    return e->recorder.active ? engine_status(e, engine_record_step(e)) : 0;
}

/// Hold a point of a body with a spring. @param numbers 3 each
EXPORT int engine_hold(Engine* e, int body, const double* point, const double* target)
{
    const utHold hold = {body, ut_vec3(point[0], point[1], point[2]),
                         ut_vec3(target[0], target[1], target[2]), UT_HOLD_RATE};
    utForce wrench;
    if (ut_sim_hold(e->sim, &hold, e->memory, &wrench) != UT_OK) {
        return engine_status(e, ut_error_set(&e->err, UT_ERR_ARGUMENT,
                                             "hold needs one of %d bodies and finite numbers",
                                             e->model->nbody));
    }
    memset(e->applied, 0, (size_t)e->model->nbody * sizeof *e->applied);
    e->hold = hold;
    e->holding = true;
    return 0;
}

EXPORT void engine_release(Engine* e)
{
    e->holding = false;
}

/// The nearest geom on a ray. @param out geom, body, point 3, normal 3, distance
/// @return 0: none
EXPORT int engine_pick(const Engine* e, const double* from, const double* direction, double* out)
{
    utPick pick;
    if (!ut_sim_pick(e->sim, ut_vec3(from[0], from[1], from[2]),
                     ut_vec3(direction[0], direction[1], direction[2]), (double)INFINITY, &pick)) {
        return 0;
    }
    const utRayHit* hit = &pick.hit;
    const double numbers[] = {pick.geom,     e->model->geom[pick.geom].body,
                              hit->point.x,  hit->point.y,
                              hit->point.z,  hit->normal.x,
                              hit->normal.y, hit->normal.z,
                              hit->distance};
    memcpy(out, numbers, sizeof numbers);
    return 1;
}

// ---- snapshots ------------------------------------------------------------------------------------

/// Write a snapshot to memory of the engine. @return its bytes; 0: no memory
EXPORT size_t engine_save(Engine* e)
{
    const size_t size = ut_sim_snapshot_size(e->sim);
    if (size > e->snapshot_capacity) {
        unsigned char* larger = realloc(e->snapshot, 2 * size);
        if (larger == NULL) {
            return 0;
        }
        e->snapshot = larger;
        e->snapshot_capacity = 2 * size;
    }
    return ut_sim_save(e->sim, e->snapshot, size) == UT_OK ? size : 0;
}

EXPORT unsigned char* engine_snapshot(Engine* e)
{
    return e->snapshot;
}

/// Restore a snapshot. @param steps taken at that state
EXPORT int engine_restore(Engine* e, const void* bytes, size_t size, double steps)
{
    const utStatus status = ut_sim_load(e->sim, bytes, size, &e->err);
    if (status == UT_OK) {
        e->steps = (long long)steps;
        engine_forget_step(e);
    }
    return engine_status(e, status);
}
