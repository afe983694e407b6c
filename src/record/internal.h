// SPDX-License-Identifier: Apache-2.0
// Declarations that the files of the record module share.
#ifndef UPTACK_RECORD_INTERNAL_H
#define UPTACK_RECORD_INTERNAL_H

#include <uptack/record.h>

// ---- the buffer ---------------------------------------------------------------------------------

enum { BUFFER_CAPACITY = 1 << 16 }; // bytes

/// @return false when `keep` is full
bool ut_buffer_create(utRecordSink sink, void* context, utArena* keep, utRecordBuffer* buffer);
void ut_buffer_put(utRecordBuffer* buffer, const void* bytes, size_t size);
bool ut_buffer_flush(utRecordBuffer* buffer);

// ---- columns of states --------------------------------------------------------------------------
//
// The numbers of a state: time, q, v, 13 per mocap body (all positions, then all quaternions, then
// all velocities), 13 per body but the world, q and v of each joint that is an equality, the values
// of the sensors, then the activations of actuators.

enum { BODY_CELLS = 13, MOCAP_VALUES = 13 };

typedef struct Column {
    const char* name;   ///< of the body, joint or sensor
    const char* ending; ///< ".x", ".q[0]"
    size_t value;       ///< index of its number in a state
} Column;

typedef void (*VisitColumn)(void* context, const Column* column);

/// Call `visit` for every column from left to right.
void ut_record_columns(const utModel* model, VisitColumn visit, void* context);

/// The cells of a body: centre of mass, quaternion, velocity of the centre, angular velocity.
void ut_record_body(const utKinematics* kin, int body, double cells[BODY_CELLS]);

/// The equality that replaces the joint of a free body (maximal coordinates); the table shows the
/// equality's coordinates in place of the joint's. -1: there is none.
/// @param next equality at which the search begins; 0 for the first joint, then as it was left
int ut_record_equality(const utModel* model, int joint, int* next);

/// Positions and velocities of such an equality.
int ut_record_equality_positions(utEqualityKind kind);
int ut_record_equality_velocities(utEqualityKind kind);

/// Numbers of a state behind those of the bodies: positions and velocities of all such equalities,
/// values of sensors, and activations.
uint64_t ut_record_extras(const utModel* model);

enum { LABEL_SIZE = 32 };

/// The name of a body, joint or sensor, or its kind and index when it has no name.
/// @param buffer receives the latter
const char* ut_record_label(const char* name, const char* kind, int index, char buffer[LABEL_SIZE]);

/// A contact in the layout of the file.
utRecordedContact ut_record_contact(const utContact* contact);

/// Contacts of a step with the same time: the contacts of one instant, or all other contacts, whose
/// time is the step's end.
typedef struct ContactGroup {
    int part;    ///< index of the instant in report->part; report->parts: the other contacts
    double time; ///< s
    int count;
} ContactGroup;

#define NO_GROUP ((ContactGroup){.part = -1})

/// The next group of a step, instants first.
/// @param time  the step's end, s
/// @param group NO_GROUP before the first call
/// @return false when there is no further group
bool ut_record_group(const utStepReport* report, double time, ContactGroup* group);

/// Contact i of a group. @param i 0 ... count - 1
/// @param gap_time receives the time at which its gap was measured, s
const utContact* ut_record_group_contact(const utStepReport* report, const ContactGroup* group,
                                         int i, double* gap_time);

// ---- tables -------------------------------------------------------------------------------------

/// Append bytes without quoting.
void ut_csv_put(utCsv* csv, const char* text, size_t size);

/// Append a text without quoting.
void ut_csv_text(utCsv* csv, const char* text);

/// Append a number.
void ut_csv_number(utCsv* csv, double value);

/// Append numbers, each after a comma.
void ut_csv_numbers(utCsv* csv, const double* x, int count);

/// Append a name and its ending, quoted when the name contains a comma, quote or line break.
void ut_csv_name(utCsv* csv, utText name, const char* ending);

/// A row of contacts.
typedef struct ContactRow {
    double time;
    double h;                      ///< the step's length, for forces
    double gap_time;               ///< s, the time at which the gap was measured
    utText geom1, geom2;           ///< names
    const char *ending1, *ending2; ///< suffixes of the names
    const utRecordedContact* contact;
    const utContact* angular; ///< the contact with its angular impulse; NULL: from a recording
    utContactLaw law;         ///< not from a recording
} ContactRow;
void ut_csv_contact(utCsv* csv, const ContactRow* row);

// ---- the bytes of a recording -------------------------------------------------------------------

#define RECORDING_MAGIC "\x89UTR\r\n\x1a\n"

enum {
    MAGIC_SIZE = 8,
    RECORD_HEAD = 16, ///< u32 kind, u32 check, u64 size
    RECORD_TAIL = 8,  ///< u64 checksum
    RECORDING_VERSION = 1,
    HEAD_FIXED = 72, ///< bytes of the head before its lists
    HEAD_TEXTS = 5,  ///< source, name of the model, formulation, solver, integrator
    FLAG_KEEP_GOING = 1,
    FLAG_EXTRAS = 8,     ///< first bit of the number that ut_record_extras counts
    STATE_FIXED = 16,    ///< u64 step, u64 hash
    INPUT_FIXED = 16,    ///< u64 step, u64 parts
    CONTACTS_FIXED = 24, ///< u64 step, f64 time, u64 count
    CONTACT_SIZE = 216,
    END_SIZE = 8,           ///< u64 step
    TRANSITIONS_FIXED = 16, ///< u64 step, u64 count
    TRANSITION_SIZE = 40,
    ADAPTIVE_SIZE = 8,    ///< f64 tolerance
    ACTIVATIONS_SIZE = 8, ///< u64 number
    START_FIXED = 16,     ///< f64 stop time, u64 number of options
    FILE_FIXED = 32,      ///< u64 hash, u64 size, u64 path's size, u64 is the content stored?
    REPORT_FIXED = 16,    ///< u64 step, u64 parts
};

/// Kinds of records. Readers skip kinds that they do not know.
enum {
    KIND_HEAD = 1,
    KIND_STATE,
    KIND_INPUT,
    KIND_CONTACTS,
    KIND_END,
    KIND_TRANSITIONS,
    KIND_ADAPTIVE,    ///< follows the head when steps are adaptive
    KIND_ACTIVATIONS, ///< follows these when states have activations
    KIND_START,       ///< follows these: how the run was started
    KIND_FILE,        ///< follows these: a file of the model
    KIND_REPORT
};

/// Parts of an input, in their order in the file.
enum { PART_CTRL, PART_FORCE, PART_APPLIED, PART_MOCAP_POS, PART_MOCAP_QUAT, PARTS };

/// Count the numbers of each part.
void ut_record_parts(int nv, int nu, int nbody, int nmocap, uint64_t count[PARTS]);

/// The check of a record's head: the lower half of the hash of kind and size.
uint32_t ut_record_check(uint32_t kind, uint64_t size);

/// Convert to bytes, lowest byte first.
void ut_record_u32(uint32_t value, unsigned char bytes[4]);
void ut_record_u64(uint64_t value, unsigned char bytes[8]);

/// Write the head, and the records about the start of the run.
utStatus ut_recorder_head(utRecorder* recorder, const utRecordDef* def);
utStatus ut_recorder_start(utRecorder* recorder, const utRecordDef* def);

/// Write a record: begin with its size, put that many bytes, finish.
void ut_recorder_begin(utRecorder* recorder, uint32_t kind, uint64_t size);
void ut_recorder_put(utRecorder* recorder, const void* bytes, size_t size);
void ut_recorder_put_u32(utRecorder* recorder, uint32_t value);
void ut_recorder_put_u64(utRecorder* recorder, uint64_t value);
void ut_recorder_put_double(utRecorder* recorder, double value);
void ut_recorder_finish(utRecorder* recorder);

/// Fill the content of a record up to a multiple of 8 bytes. @return the number of bytes needed
uint64_t ut_recorder_padding(uint64_t size);
void ut_recorder_pad(utRecorder* recorder, uint64_t size);

/// Read the head into r. @param at offset of its payload
utStatus ut_recording_head(utRecording* r, size_t at, uint64_t size, utError* err);

/// Read how the run was started. @param at offset of the record's payload
utStatus ut_recording_start(utRecording* r, size_t at, uint64_t size, utError* err);

/// Check the record of a file and count it. @param offset of the record
utStatus ut_recording_count_file(utRecording* r, size_t offset, uint64_t size, utError* err);
uint32_t ut_recording_u32(const unsigned char* at);
uint64_t ut_recording_u64(const unsigned char* at);
double ut_recording_double(const unsigned char* at);

/// Report damage at a byte. @return UT_ERR_FORMAT
utStatus ut_recording_damaged(const utRecording* r, size_t at, utError* err, const char* format,
                              ...) UT_PRINTF(4, 5);

#endif
