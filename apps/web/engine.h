// SPDX-License-Identifier: Apache-2.0
// The engine of the page: a model, a sim and what a viewer shows of them, behind flat functions for WebAssembly.
// Numbers and texts go in, numbers and texts come out; a text is UTF-8 in the engine's memory. Everything here goes
// through the public headers of the library. docs/page.md is the contract with the page.
#ifndef UPTACK_WEB_ENGINE_H
#define UPTACK_WEB_ENGINE_H

#include <uptack/dyn.h>
#include <uptack/json.h>
#include <uptack/uptack.h>

/// Exported functions are called by the worker. Functions that can fail return 0 on success, and engine_error tells
/// the reason otherwise.
#ifdef __EMSCRIPTEN__
#define EXPORT __attribute__((used, visibility("default")))
#else
#define EXPORT
#endif

enum { MAX_CHANGES = 256, MAX_OPTIONS = MAX_CHANGES + 64 };

/// How the model is loaded and the sim is made.
typedef struct Settings {
    utArena memory;
    const char* name; ///< a file or a scene
    int changes;
    const char* change[MAX_CHANGES]; ///< "NAME.ATTR=VALUE"
    int options;
    const char* option[MAX_OPTIONS]; ///< as on the command line: "--dt=0.001"
    const char*
        key; ///< keyframe by name or number; NULL: "start" if the model has it; "": the modelled pose
    char solver[32]; ///< for recordings: the solver asked for, or "budget:N"; "": the model's
    utSimDef sim;
    bool floating, friction, no_self_collision; ///< as in utUrdfDef
} Settings;

/// The files that a model was read from.
typedef struct Sources {
    utArena memory;
    int count, capacity;
    utRecordFile* file;
} Sources;

/// Bytes that grow: texts for the worker, and recordings.
typedef struct Bytes {
    char* data;
    size_t size, capacity;
    bool failed; ///< memory was short
} Bytes;

/// A recording in the making.
typedef struct Recorder {
    bool active;
    utArena memory;
    utRecorder utr;
    double* sensor; ///< nsensordata
    long long steps;
    Bytes bytes; ///< the recording
    Bytes table; ///< the same as a table of states
} Recorder;

/// A recorded state: where the records of the steps that led to it begin.
typedef struct RecordedState {
    size_t offset; ///< in the bytes
    double time;   ///< s
} RecordedState;

/// A recording that is shown.
typedef struct Playback {
    bool active;
    void* bytes;    ///< in `memory`
    utArena memory; ///< of the states
    utArena shown;  ///< of the report of the state that is shown
    utRecording recording;
    int states, capacity;
    RecordedState* state;
    utRecordFrame now; ///< the state that is shown; its arrays lie in the bytes
} Playback;

typedef struct Engine {
    utError err;
    char error[640];
    Bytes text;        ///< the last text for the worker
    Settings next;     ///< settings of the next load
    Settings settings; ///< of the loaded model
    Sources sources;
    utNotes notes;
    utModel* model; ///< NULL before the first load
    utSim* sim;
    int keyframe;

    utArena memory; ///< of the arrays below
    utKinematics kin;
    double* ctrl;     ///< nu
    utForce* applied; ///< nbody
    double* sensor;   ///< nsensordata
    double* frame;
    size_t frame_capacity;       ///< numbers
    utTendonPoint* tendon_point; ///< of one path
    int tendon_points;           ///< room there

    bool holding;
    utHold hold;
    bool has_result; ///< `result` is of the step that led to the present state
    bool tried;      ///< `result` is of a step that was not taken
    utStepResult result;
    long long steps; ///< taken since the load or the last reset
    unsigned char* snapshot;
    size_t snapshot_capacity;

    Recorder recorder;
    Playback opening; ///< waits for its model to be loaded
    Playback playback;
} Engine;

// ---- shared by the files of this folder -----------------------------------------------------------

/// @return 0 when the status is UT_OK, else 1
int engine_status(Engine* e, utStatus status);

/// Append bytes; a utJsonSink and a utRecordSink. @param context a Bytes
bool engine_append(void* context, const char* bytes, size_t size);
void engine_bytes_free(Bytes* bytes);

/// Settings: an empty list, and their end.
utStatus engine_settings_create(Settings* settings);

/// Write the state after a step to the recording. @return UT_ERR_MEMORY
utStatus engine_record_step(Engine* e);
utStatus engine_record_input(Engine* e, const utInput* input);
void engine_record_close(Engine* e);

/// Take over the recording that was opened, if its model is the loaded one.
utStatus engine_playback_adopt(Playback* opening, Engine* made, utError* err);
void engine_playback_close(Playback* playback);

/// Forget the last step, because the state was replaced.
void engine_forget_step(Engine* e);

/// How to load the model of these settings. @param sources keeps the files that are read
utLoadDef engine_load_def(const Settings* settings, Sources* sources);

// ---- exported: each is explained where it is defined ----------------------------------------------

// engine.c
const char* engine_error(const Engine* e);
Engine* engine_create(void);
void engine_destroy(Engine* e);
int engine_load(Engine* e, int go_on);
int engine_reset(Engine* e, int keyframe);
double engine_time(const Engine* e);
double engine_dt(const Engine* e);
double engine_steps(const Engine* e);
uint32_t engine_hash(const Engine* e, int half);
double* engine_ctrl(Engine* e);
double* engine_sensors(Engine* e);
int engine_sensor_count(const Engine* e);
int engine_ctrl_count(const Engine* e);
int engine_step(Engine* e);
int engine_hold(Engine* e, int body, const double* point, const double* target);
void engine_release(Engine* e);
int engine_pick(const Engine* e, const double* from, const double* direction, double* out);
size_t engine_save(Engine* e);
unsigned char* engine_snapshot(Engine* e);
int engine_restore(Engine* e, const void* bytes, size_t size, double steps);

// settings.c
int engine_begin(Engine* e, const char* name);
int engine_change(Engine* e, const char* change);
int engine_option(Engine* e, const char* name, const char* value);

// describe.c
const char* engine_verdict(Engine* e);
const char* engine_describe(Engine* e);
const char* engine_scenes(Engine* e);

// equations.c
const char* engine_system(Engine* e, const char* notation, const void* bytes, size_t size);

// frame.c
size_t engine_frame(Engine* e);
double* engine_frame_data(Engine* e);

// record.c
int engine_record_start(Engine* e);
int engine_record_stop(Engine* e, int csv);
const char* engine_record_bytes(const Engine* e, int csv);
size_t engine_record_size(const Engine* e, int csv);

// playback.c
const char* engine_playback_open(Engine* e, const char* name, const void* bytes, size_t size);
int engine_playback_count(const Engine* e);
double engine_playback_time(const Engine* e, int state);
int engine_playback_show(Engine* e, int state);

#endif
