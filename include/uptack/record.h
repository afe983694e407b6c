// SPDX-License-Identifier: Apache-2.0
/// @file record.h
/// Recordings of a run. CSV: tables of states, contacts and transitions for spreadsheets, scripts
/// and `uptack plot`. UTR: one binary file with all of these and the inputs, which can be replayed.
///
///     utCsv csv;
///     ut_csv_create(model, write_to_my_file, my_file, &keep, &csv);
///     ut_csv_states_head(&csv);
///     ut_csv_states_row(&csv, &(utRecordState){.time = t, .q = q, .v = v});
///     bool complete = ut_csv_flush(&csv);
///
/// The library opens no files: it passes bytes to a sink in pieces of up to 64 KiB and reads
/// recordings from memory. CSV numbers have 15, 16 or 17 digits, as many as reading back the same
/// bits takes, in every locale alike. Lines end with "\n"; cells with a comma, a quote or a line
/// break are quoted.
///
/// Functions may run on several threads at once as long as the threads share no utCsv, utRecorder
/// or utRecording.
#ifndef UPTACK_RECORD_H
#define UPTACK_RECORD_H

#include <uptack/dyn.h>
#include <uptack/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A function that writes bytes. @return false when writing failed
typedef bool (*utRecordSink)(void* context, const char* text, size_t size);

/// Bytes not yet passed to the sink. After the first failure of the sink nothing more is written.
typedef struct utRecordBuffer {
    utRecordSink sink;
    void* context;
    char* bytes;
    size_t capacity; ///< bytes
    size_t used;     ///< bytes not yet passed to the sink
    bool failed;     ///< the sink has returned false
} utRecordBuffer;

/// Optional columns. They follow the columns that a table always has.
enum {
    UT_CSV_FRAMES = 1,    ///< states: NAME.ox .oy .oz, the origin of each body's frame, world, m
    UT_CSV_ENERGY = 2,    ///< states: energy, J
    UT_CSV_CONTACTS = 4,  ///< states: contacts, their number in the step
    UT_CSV_E = 8,         ///< states: E of the step's certificate
    UT_CSV_FORCE = 16,    ///< contacts: fn, fx, fy, fz, impulses over the step's length, N; nan for
                          ///< impacts, because an impact has no duration
    UT_CSV_GAP_TIME = 32, ///< contacts: gap_time, s, the time at which the gap was measured: the
                          ///< step's start, or its end when the step was re-linearised
    UT_CSV_MU = 64,       ///< contacts: mu, the coefficient in force: static or kinetic
    UT_CSV_LAMBDA = 128,  ///< contacts: lambda, m/s, the slip multiplier (utContactLaw)
    UT_CSV_CONE = 256,    ///< contacts: cone, N s, the excess over the cone (utContactLaw)
    UT_CSV_MODEL_GAP = 512, ///< states: model_gap, E of the step under the circular law
};

/// A writer of one table: states, contacts or transitions.
typedef struct utCsv {
    const utModel* model;     ///< NULL: the rows come from a recording
    unsigned columns;         ///< UT_CSV_... flags, 0 after ut_csv_create; set them before the head
    int extras;               ///< states: further columns of the caller, 0 after ut_csv_create
    const char* const* extra; ///< their names
    utRecordBuffer out;
    utKinematics kin; ///< poses and twists of the bodies of the current row
} utCsv;

/// Begin a table.
/// @param model NULL: the table is written by the functions ut_csv_recorded_... only
/// @param keep  holds the buffers; must outlive the table
/// @return UT_ERR_CAPACITY when `keep` is full
UT_API utStatus ut_csv_create(const utModel* model, utRecordSink sink, void* context, utArena* keep,
                              utCsv* csv);

/// Pass all buffered bytes to the sink. @return true when the sink took every byte so far
UT_API bool ut_csv_flush(utCsv* csv);

// ---- states -------------------------------------------------------------------------------------

/// The data of one row of states. The mocap pointers may be NULL: modelled poses, at rest.
typedef struct utRecordState {
    double time;                    ///< s
    const double* q;                ///< nq, quaternions normalized
    const double* v;                ///< nv
    const double* act;              ///< na: activations of actuators; NULL: 0
    const double* mocap_pos;        ///< 3 nmocap
    const double* mocap_quat;       ///< 4 nmocap
    const utMotion* mocap_velocity; ///< nmocap
    const double* sensor;           ///< nsensordata values of sensors; NULL: NAN
    double energy;                  ///< J, for UT_CSV_ENERGY
    double contacts;                ///< for UT_CSV_CONTACTS; NAN before the first step
    double E;                       ///< for UT_CSV_E; NAN before the first step
    double model_gap;               ///< for UT_CSV_MODEL_GAP; NAN before the first step
    const double* extra;            ///< utCsv.extras values of the caller's columns
} utRecordState;

/// Write the head: `time`, then for each body but the world NAME.x .y .z (centre of mass, world),
/// .qw .qx .qy .qz (body frame), .vx .vy .vz (of the centre of mass), .wx .wy .wz (world), then for
/// each joint NAME.q and NAME.qd, followed by [0], [1], ... when a joint has several coordinates, then
/// for each sensor NAME, or NAME[0], NAME[1], ... when it has several values, then NAME.act for each
/// actuator with an activation. Elements without a name are called by their index: body3, joint0,
/// sensor2, actuator1.
/// @return false once the sink has failed, here and below
UT_API bool ut_csv_states_head(utCsv* csv);

/// Write one row.
UT_API bool ut_csv_states_row(utCsv* csv, const utRecordState* state);

// ---- contacts -----------------------------------------------------------------------------------

/// Write the head: time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state. Models with condim 4 or
/// 6 have the columns tx,ty,tz,spin,roll at the end: the angular impulse on geom2 (world, N m s), and the
/// relative angular velocities about the normal and across it (rad/s). Recordings do not have them.
UT_API bool ut_csv_contacts_head(utCsv* csv);

/// Write a row per contact of a step's active set: the normal from geom1 to geom2, the gap that
/// the step used, the normal impulse (pn) and the impulse vector on geom2 (px, py, pz; world, N s),
/// the slip speed after the step, and the state open, stick, slip or impact. ut_model_side_label
/// gives the names of geoms without a name. Contacts of an instant (utStepReport.instant) come
/// first and have the time of that instant; all other contacts have the time of the step's end.
/// @param time the step's end, s
UT_API bool ut_csv_contacts_rows(utCsv* csv, const utStepReport* report, double time);

// ---- transitions --------------------------------------------------------------------------------

/// Write the head: time,geom1,geom2,feature,from,to,speed
UT_API bool ut_csv_transitions_head(utCsv* csv);

/// Write a row per transition of a step: time, geoms, the modes before and after (open, bouncing,
/// steady), and the closing speed of the contact, m/s.
UT_API bool ut_csv_transitions_rows(utCsv* csv, const utStepReport* report);

// ---- binary recordings: writing -----------------------------------------------------------------
//
// docs/recordings.md defines the format. A recording holds the first state, then the inputs,
// contacts, transitions and states of the steps:
//
//     ut_recorder_create(model, &def, write_to_my_file, my_file, &keep, &recorder);
//     ut_recorder_state(&recorder, 0, &state);
//     for (step = 1; step <= n; step++) {
//         ut_recorder_input(&recorder, step, &input);      // written only when it changed
//         ... take the step ...
//         ut_recorder_report(&recorder, step, &report);    // optional: what certificates read
//         ut_recorder_contacts(&recorder, step, time, &report);
//         ut_recorder_transitions(&recorder, step, &report);
//         ut_recorder_state(&recorder, step, &state);      // or only every tenth
//     }
//     bool complete = ut_recorder_end(&recorder, n);

/// A file from which the model was read.
typedef struct utRecordFile {
    utText path;   ///< as it was opened
    utText text;   ///< its content; data NULL: the recording holds the hash alone
    uint64_t size; ///< bytes of the file
    uint64_t hash; ///< ut_hash_bytes of its content
} utRecordFile;

/// The settings of the run, from which a replay repeats it. The recording holds
/// copies of the texts.
typedef struct utRecordDef {
    const char* source;        ///< path or scene name of the model as the user wrote it, default ""
    int changes;               ///< default 0
    const char* const* change; ///< attributes changed before compiling: "NAME.ATTR=VALUE" each
    const char* formulation;   ///< as in utSimDef, default "", here and for the next two
    const char* solver;
    const char* integrator;
    double dt; ///< s, default 0
    double tolerance;
    int directions;
    bool keep_going;
    double adaptive;           ///< utSimDef.adaptive, default 0; with > 0 dt is the longest step
    double stop_at;            ///< ut_sim_stop_at, default HUGE_VAL
    int options;               ///< default 0
    const char* const* option; ///< how the run was started: "--key=start", "--sleep"
    int files;                 ///< default 0
    const utRecordFile* file;  ///< files of the model, the first one is the model itself
    uint32_t cookie;           ///< set by ut_record_def()
} utRecordDef;

#define UT_RECORD_DEF_COOKIE UT_COOKIE(4, 2) ///< value of utRecordDef.cookie

UT_API utRecordDef ut_record_def(void);

/// The input of a step, see utInput. Every pointer may be NULL: no force, or an unchanged pose.
typedef struct utRecordInput {
    const double* ctrl;       ///< nu
    const double* force;      ///< nv
    const utForce* applied;   ///< nbody
    const double* mocap_pos;  ///< 3 nmocap
    const double* mocap_quat; ///< 4 nmocap
} utRecordInput;

/// A writer of a recording.
typedef struct utRecorder {
    const utModel* model;
    utRecordBuffer out;
    uint64_t hash;     ///< of the current record so far
    uint64_t checksum; ///< of the record before
    utKinematics kin;
    unsigned input_parts; ///< bit set: the parts that the last input had
    double* input;        ///< numbers of the last input
} utRecorder;

/// Begin a recording and write its head.
/// @param keep must outlive the recorder
/// @return UT_ERR_DEF; UT_ERR_ARGUMENT for names of more than 4 GiB; UT_ERR_CAPACITY
UT_API utStatus ut_recorder_create(const utModel* model, const utRecordDef* def, utRecordSink sink,
                                   void* context, utArena* keep, utRecorder* recorder);

/// Write a state. @param step number of steps taken so far
/// @return false once the sink has failed, here and below
UT_API bool ut_recorder_state(utRecorder* recorder, uint64_t step, const utRecordState* state);

/// Write the input that acts from this step on, unless it equals the input of the step before.
/// @param step number of the first step with this input, from 1
UT_API bool ut_recorder_input(utRecorder* recorder, uint64_t step, const utRecordInput* input);

/// Write the report of a step, without its contacts' common data: write the contacts and transitions
/// right after it. With both a reader can certify the step (ut_recording_report).
UT_API bool ut_recorder_report(utRecorder* recorder, uint64_t step, const utStepReport* report);

/// Write the contacts of a step: a record per instant of the step, and one for the other contacts.
/// @param time the step's end, s
UT_API bool ut_recorder_contacts(utRecorder* recorder, uint64_t step, double time,
                                 const utStepReport* report);

/// Write the transitions of a step, if there are any.
UT_API bool ut_recorder_transitions(utRecorder* recorder, uint64_t step,
                                    const utStepReport* report);

/// Pass all buffered bytes to the sink, so that a file cut off later keeps every record so far.
UT_API bool ut_recorder_flush(utRecorder* recorder);

/// Close the recording. @param step number of steps taken
/// @return true when the sink took every byte
UT_API bool ut_recorder_end(utRecorder* recorder, uint64_t step);

// ---- binary recordings: reading -----------------------------------------------------------------
//
//     utRecording recording;
//     ut_recording_open(bytes, size, "x.utr", &recording, &err);
//     do {
//         ut_recording_next(&recording, &frame, &err);     // err names the damaged byte
//     } while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT);
//
// Frames point into the bytes, which the caller owns; nothing is copied.

/// A contact in the layout of the file. Fields as in utContact.
typedef struct utRecordedContact {
    int32_t geom1, geom2;
    uint64_t feature;
    int32_t island;
    int32_t state; ///< a utContactState
    utVec3 point;
    utVec3 frame[3];
    double gap;
    double mu;
    double b[3];
    double r[3];
    double u[3];
    double e;
} utRecordedContact;

/// A reader of a recording.
typedef struct utRecording {
    const unsigned char* bytes;
    size_t size;
    const char* name; ///< for messages
    size_t at;        ///< offset of the next record, bytes

    // the head
    int nq, nv, nu, nmocap, nbody, ngeom;
    int columns;         ///< columns of the table of states
    size_t values;       ///< numbers per state
    uint32_t extras;     ///< of these behind the bodies: joints that are equalities, sensors, act
    int na;              ///< activations of actuators
    uint64_t model_hash; ///< utModel.hash
    utText source;       ///< fields of utRecordDef, here and below
    utText model_name;
    utText formulation;
    utText solver;
    utText integrator;
    double dt;
    double tolerance;
    int directions;
    bool keep_going;
    double adaptive;
    int changes;
    bool started;   ///< the recording says how the run was started: stop_at, options and files
    double stop_at; ///< s
    int options;
    int files;

    // lists of the head, and of the records behind it
    const unsigned char* options_at; ///< a u32 per option: its end in the bytes that follow
    size_t files_at, files_end;      ///< offsets of the records of files
    const unsigned char* columns_at; ///< a u32 per column: which number of a state it shows
    const unsigned char* ends_at;    ///< a u32 per text: its end in `texts`
    const char* texts;
} utRecording;

typedef enum utRecordKind {
    UT_RECORD_STATE,
    UT_RECORD_INPUT,
    UT_RECORD_CONTACTS,
    UT_RECORD_TRANSITIONS,
    UT_RECORD_END,    ///< the recording was closed; no record follows
    UT_RECORD_CUT,    ///< the file ends without UT_RECORD_END; a record that was cut off is lost
    UT_RECORD_REPORT, ///< the report of a step, before its contacts (ut_recording_report)
} utRecordKind;

/// One record.
typedef struct utRecordFrame {
    utRecordKind kind;
    size_t offset; ///< first byte of the record; CUT: end of the last complete record
    uint64_t
        step;    ///< STATE, REPORT, CONTACTS, TRANSITIONS, END: steps taken; INPUT: the first step
                 ///< with this input
    double time; ///< STATE, CONTACTS: s

    // STATE
    uint64_t hash;       ///< equals ut_sim_hash of this state
    const double* value; ///< time, q, v, mocap poses and velocities, then the 13 numbers of each
                         ///< body but the world, q and v of joints that are equalities, the
                         ///< values of sensors, and activations
    utRecordState state; ///< time, q, v, act and mocap data of `value`

    // INPUT
    utRecordInput input;

    // CONTACTS
    int contacts;
    const utRecordedContact* contact;

    // TRANSITIONS
    int transitions;
    const utTransition* transition;
} utRecordFrame;

/// @return true when the bytes begin with the signature of a recording
UT_API bool ut_recording_is(const void* bytes, size_t size);

/// Read the head.
/// @param bytes borrowed; the address is a multiple of 8, as malloc and mmap return it
/// @param name  for messages, borrowed
/// @param err   names the damaged byte: "byte 16: ..."
/// @return UT_ERR_FORMAT; UT_ERR_ARGUMENT for an unaligned address; `recording` is then unchanged
UT_API utStatus ut_recording_open(const void* bytes, size_t size, const char* name,
                                  utRecording* recording, utError* err);

/// Read the next record. After END, CUT or an error every further call returns the same.
/// @return UT_ERR_FORMAT, with the damaged byte in `err`; the frame is then unchanged
UT_API utStatus ut_recording_next(utRecording* recording, utRecordFrame* frame, utError* err);

/// Read the report of a step, with the contacts and transitions that follow it.
/// @param frame  a frame of kind UT_RECORD_REPORT, of this recording
/// @param model  the model of the run
/// @param keep   holds the arrays of the report
/// @param cut    receives true when the recording was cut off before the last contact of the step;
///               the report is then incomplete
/// @return UT_ERR_FORMAT with the damaged byte; UT_ERR_ARGUMENT for a model of other sizes;
///         UT_ERR_CAPACITY
UT_API utStatus ut_recording_report(const utRecording* recording, const utRecordFrame* frame,
                                    const utModel* model, utArena* keep, utStepReport* report,
                                    bool* cut, utError* err);

/// An option of the start by index.
UT_API utText ut_recording_option(const utRecording* recording, int option);

/// The files of the model, one after the other. @param at 0 before the first call
/// @return false when there is no further file
UT_API bool ut_recording_file(const utRecording* recording, size_t* at, utRecordFile* file);

/// Texts of the head by index: the changes, the names of geoms, the names of the state columns.
UT_API utText ut_recording_change(const utRecording* recording, int change);
UT_API utText ut_recording_geom(const utRecording* recording, int geom);
UT_API utText ut_recording_column(const utRecording* recording, int column);

/// Index into utRecordFrame.value of the number that a column shows.
UT_API size_t ut_recording_value(const utRecording* recording, int column);

/// Write the tables from a recording; they equal, byte for byte, the tables that the run writes.
UT_API bool ut_csv_recorded_states_head(utCsv* csv, const utRecording* recording);
UT_API bool ut_csv_recorded_states_row(utCsv* csv, const utRecording* recording,
                                       const utRecordFrame* frame);
UT_API bool ut_csv_recorded_contacts_rows(utCsv* csv, const utRecording* recording,
                                          const utRecordFrame* frame);
UT_API bool ut_csv_recorded_transitions_rows(utCsv* csv, const utRecording* recording,
                                             const utRecordFrame* frame);

#ifdef __cplusplus
}
#endif

#endif
