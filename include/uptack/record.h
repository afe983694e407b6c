// SPDX-License-Identifier: Apache-2.0
/// @file record.h
/// Recordings of a run: as CSV, a table of states and a table of contacts for spreadsheets, scripts
/// and `uptack plot`; as .utr, all of it in one binary file that can be replayed.
///
///     utCsv csv;
///     ut_csv_create(model, write_to_my_file, my_file, &keep, &csv);
///     ut_csv_states_head(&csv);
///     ut_csv_states_row(&csv, &(utRecordState){.time = t, .q = q, .v = v});
///     bool complete = ut_csv_flush(&csv);
///
/// The library opens no files: bytes go to a sink in pieces of tens of kilobytes and are read from
/// memory. Numbers of CSV are printed with 15, 16 or 17 digits, as many as it takes to read back
/// the same bits, the same in every locale. Lines end with "\n", cells that hold a comma, a quote
/// or a line break are quoted.
#ifndef UPTACK_RECORD_H
#define UPTACK_RECORD_H

#include <uptack/dyn.h>
#include <uptack/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where the bytes go. @return false when they could not be written
typedef bool (*utRecordSink)(void* context, const char* text, size_t size);

/// Bytes on their way to a sink. It remembers the first failure: nothing is written after it.
typedef struct utRecordBuffer {
    utRecordSink sink;
    void* context;
    char* bytes;
    size_t room;
    size_t used; ///< of them not yet given to the sink
    bool failed;
} utRecordBuffer;

/// Columns that a table has only when they are asked for, behind all others.
enum {
    UT_CSV_FRAMES = 1,    ///< states: NAME.ox .oy .oz, the origin of each body's frame, world, m
    UT_CSV_ENERGY = 2,    ///< states: energy, J
    UT_CSV_CONTACTS = 4,  ///< states: contacts, how many the step had
    UT_CSV_E = 8,         ///< states: E, the residual of its certificate
    UT_CSV_FORCE = 16,    ///< contacts: fn, fx, fy, fz, impulses over the step's length, N; nan for
                          ///< impacts, which take no time
    UT_CSV_GAP_TIME = 32, ///< contacts: gap_time, when the gap was taken: at the step's start, or
                          ///< where re-linearisation led, s
};

/// A table being written. One utCsv writes one table, states or contacts.
typedef struct utCsv {
    const utModel* model; ///< NULL: of a recording
    unsigned columns;     ///< UT_CSV_..., 0 by ut_csv_create; to be set before the head is written
    utRecordBuffer out;
    utKinematics kin; ///< where the bodies of a row are
} utCsv;

/// Bytes that a utCsv takes from its arena. @param model NULL: as below
UT_API size_t ut_csv_size(const utModel* model);

/// @param model NULL: only for ut_csv_recorded_...
/// @param keep holds buffers and the placed bodies; must outlive the table
/// @return UT_ERR_CAPACITY when `keep` is too small
UT_API utStatus ut_csv_create(const utModel* model, utRecordSink sink, void* context, utArena* keep,
                              utCsv* csv);

/// Hand the rest to the sink. @return true when everything so far has reached it
UT_API bool ut_csv_flush(utCsv* csv);

// ---- states -------------------------------------------------------------------------------------

/// What a row of states is made of. Pointers to mocap poses may be NULL: as modelled, at rest.
typedef struct utRecordState {
    double time;                    ///< s
    const double* q;                ///< nq, quaternions normalized
    const double* v;                ///< nv
    const double* mocap_pos;        ///< 3 nmocap
    const double* mocap_quat;       ///< 4 nmocap
    const utMotion* mocap_velocity; ///< nmocap
    double energy;                  ///< J, for UT_CSV_ENERGY
    double contacts;                ///< for UT_CSV_CONTACTS; NAN where no step led here
    double E;                       ///< for UT_CSV_E; NAN likewise
} utRecordState;

/// The head: `time`, then for each body but the world NAME.x .y .z (centre of mass, world), .qw .qx
/// .qy .qz (body frame), .vx .vy .vz (of the centre of mass), .wx .wy .wz (world), then for each
/// joint NAME.q and NAME.qd, with [0], [1], ... behind them where a joint has several. What has no
/// name is called body3, joint0: by its index.
/// @return false once anything has failed, here and below
UT_API bool ut_csv_states_head(utCsv* csv);
UT_API bool ut_csv_states_row(utCsv* csv, const utRecordState* state);

// ---- contacts -----------------------------------------------------------------------------------

/// The head: time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state
UT_API bool ut_csv_contacts_head(utCsv* csv);

/// A row for each contact of a step's active set: the normal from geom1 to geom2, the gap that the
/// step used, the normal impulse and the whole one on geom2 (world, N s), the slip speed after the
/// step, open, stick, slip or impact. Geoms without a name are called by ut_model_side_label.
/// Contacts of an instant within the step (utStepReport.instant) come first, with the time of that
/// instant; all others have the time of the step's end. The gap is that of the step's start.
/// @param time of the step's end, s
UT_API bool ut_csv_contacts_rows(utCsv* csv, const utStepReport* report, double time);

// ---- transitions --------------------------------------------------------------------------------

/// The head: time,geom1,geom2,feature,from,to,speed
UT_API bool ut_csv_transitions_head(utCsv* csv);

/// A row for each transition of a step: when, between what, from which mode to which one (open,
/// bouncing, steady), and how fast the contact closed, m/s.
UT_API bool ut_csv_transitions_rows(utCsv* csv, const utStepReport* report);

// ---- binary recordings: writing -----------------------------------------------------------------
//
// The format is in docs/recordings.md. A recording is the state it starts with, then what acts and
// what came of it:
//
//     ut_recorder_create(model, &def, write_to_my_file, my_file, &keep, &recorder);
//     ut_recorder_state(&recorder, 0, &state);
//     for (step = 1; step <= n; step++) {
//         ut_recorder_input(&recorder, step, &input);      // written only when it changed
//         ... take the step ...
//         ut_recorder_contacts(&recorder, step, time, &report);
//         ut_recorder_transitions(&recorder, step, &report);
//         ut_recorder_state(&recorder, step, &state);      // or only every tenth
//     }
//     bool complete = ut_recorder_end(&recorder, n);

/// How the run was asked for: enough to do it again. Texts are copied into the recording.
typedef struct utRecordDef {
    const char* source; ///< where the model is from: a path or a scene as it was given, default ""
    int changes;        ///< default 0
    const char* const* change; ///< what was changed before compiling, "NAME.ATTR=VALUE" each
    const char* formulation;   ///< default "", here and below: see utSimDef
    const char* solver;
    const char* integrator;
    double dt; ///< s, default 0
    double tolerance;
    int directions;
    bool keep_going;
    double adaptive; ///< as utSimDef has it, default 0; steps are then dt long at most
    uint32_t cookie; ///< set by ut_record_def()
} utRecordDef;

UT_API utRecordDef ut_record_def(void);

/// What acts during a step, as utInput has it. Every pointer may be NULL: nothing, or as it was.
typedef struct utRecordInput {
    const double* ctrl;       ///< nu
    const double* force;      ///< nv
    const utForce* applied;   ///< nbody
    const double* mocap_pos;  ///< 3 nmocap
    const double* mocap_quat; ///< 4 nmocap
} utRecordInput;

/// A recording being written.
typedef struct utRecorder {
    const utModel* model;
    utRecordBuffer out;
    uint64_t hash;     ///< of the record being written
    uint64_t checksum; ///< of the last one
    utKinematics kin;
    unsigned given; ///< which parts of the last input there were
    double* input;  ///< its numbers
} utRecorder;

/// Bytes that a utRecorder takes from its arena.
UT_API size_t ut_recorder_size(const utModel* model);

/// Begin a recording; its head is on its way to the sink.
/// @param keep must outlive the recorder
/// @return UT_ERR_DEF, UT_ERR_ARGUMENT (names of more than 4 GiB), UT_ERR_CAPACITY
UT_API utStatus ut_recorder_create(const utModel* model, const utRecordDef* def, utRecordSink sink,
                                   void* context, utArena* keep, utRecorder* recorder);

/// A state. @param step how many steps led to it
/// @return false once anything has failed, here and below
UT_API bool ut_recorder_state(utRecorder* recorder, uint64_t step, const utRecordState* state);

/// What acts from this step on. Nothing is written when it is the same as for the step before.
/// @param step the first one it acts in, from 1
UT_API bool ut_recorder_input(utRecorder* recorder, uint64_t step, const utRecordInput* input);

/// The contacts of a step: a record for each instant within it, one for all others.
/// @param time of its end, s
UT_API bool ut_recorder_contacts(utRecorder* recorder, uint64_t step, double time,
                                 const utStepReport* report);

/// The transitions of a step. Nothing is written when there are none.
UT_API bool ut_recorder_transitions(utRecorder* recorder, uint64_t step,
                                    const utStepReport* report);

/// Hand what there is to the sink: a file cut off here has every record so far.
UT_API bool ut_recorder_flush(utRecorder* recorder);

/// Close the recording. @param step how many were taken
/// @return true when all of it has reached the sink
UT_API bool ut_recorder_end(utRecorder* recorder, uint64_t step);

// ---- binary recordings: reading -----------------------------------------------------------------
//
//     utRecording recording;
//     ut_recording_open(bytes, size, "x.utr", &recording, &err);
//     do {
//         ut_recording_next(&recording, &frame, &err);     // UT_OK, or the byte that is damaged
//     } while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT);
//
// Nothing is copied: frames point into the bytes, which stay the caller's.

/// A contact as it is in the file, see utContact.
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

/// A recording being read.
typedef struct utRecording {
    const unsigned char* bytes;
    size_t size;
    const char* name; ///< for messages
    size_t at;        ///< where the next record begins

    // the head
    int nq, nv, nu, nmocap, nbody, ngeom;
    int columns;         ///< of the CSV
    size_t values;       ///< numbers of a state
    uint64_t model_hash; ///< utModel's
    utText source;       ///< as utRecordDef has them, here and below
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

    // where its lists are
    const unsigned char* columns_at;
    const unsigned char* ends_at;
    const char* texts;
} utRecording;

typedef enum utRecordKind {
    UT_RECORD_STATE,
    UT_RECORD_INPUT,
    UT_RECORD_CONTACTS,
    UT_RECORD_TRANSITIONS,
    UT_RECORD_END, ///< the recording was closed; nothing follows
    UT_RECORD_CUT, ///< the file ends without that, perhaps within a record, which is lost
} utRecordKind;

/// One record.
typedef struct utRecordFrame {
    utRecordKind kind;
    size_t offset; ///< byte at which it begins; CUT: up to which everything was read
    uint64_t step; ///< STATE, CONTACTS, TRANSITIONS: steps taken; INPUT: the first it acts in; END:
                   ///< of the run
    double time;   ///< STATE, CONTACTS: s

    // STATE
    uint64_t hash;       ///< as ut_sim_hash has it
    const double* value; ///< time, q, v, mocap poses and velocities, then for each body but the
                         ///< world the 13 numbers of its columns
    utRecordState state; ///< the first of them

    // INPUT
    utRecordInput input;

    // CONTACTS
    int contacts;
    const utRecordedContact* contact;

    // TRANSITIONS
    int transitions;
    const utTransition* transition;
} utRecordFrame;

/// Do these bytes begin as a recording does?
UT_API bool ut_recording_is(const void* bytes, size_t size);

/// Read the head.
/// @param bytes borrowed, at a multiple of 8, as malloc and mmap give them
/// @param name  for messages, borrowed
/// @param err   names the byte: "byte 16: the version is 2, and this is ..."
/// @return UT_ERR_FORMAT; UT_ERR_ARGUMENT for bytes that are not aligned; `recording` is then
///         untouched
UT_API utStatus ut_recording_open(const void* bytes, size_t size, const char* name,
                                  utRecording* recording, utError* err);

/// Read the next record. After END or CUT, and after an error, it comes back with the same again.
/// @return UT_ERR_FORMAT with the byte where the damage is; the frame is then untouched
UT_API utStatus ut_recording_next(utRecording* recording, utRecordFrame* frame, utError* err);

/// Texts of the head by number: the changes, what geoms are called, the names of the CSV's columns.
UT_API utText ut_recording_change(const utRecording* recording, int change);
UT_API utText ut_recording_geom(const utRecording* recording, int geom);
UT_API utText ut_recording_column(const utRecording* recording, int column);

/// Where in a state's values this column is.
UT_API size_t ut_recording_value(const utRecording* recording, int column);

/// The tables that the run would have written itself, byte for byte.
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
