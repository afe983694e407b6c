// SPDX-License-Identifier: Apache-2.0
// What the files of the record module share.
#ifndef UPTACK_RECORD_INTERNAL_H
#define UPTACK_RECORD_INTERNAL_H

#include <uptack/record.h>

// ---- the buffer ---------------------------------------------------------------------------------

enum { BUFFER_ROOM = 1 << 16 };

/// @return false when `keep` is too small
bool ut_buffer_create(utRecordSink sink, void* context, utArena* keep, utRecordBuffer* buffer);
void ut_buffer_put(utRecordBuffer* buffer, const void* bytes, size_t size);
bool ut_buffer_flush(utRecordBuffer* buffer);

// ---- columns of states --------------------------------------------------------------------------
//
// The numbers of a state: time, q, v, 13 for each mocap body (all positions, all quaternions, all
// velocities), 13 for each body but the world, q and v of each joint that is an equality.

enum { BODY_CELLS = 13, MOCAP_VALUES = 13 };

typedef struct Column {
    const char* name;   ///< of the body or joint
    const char* ending; ///< ".x", ".q[0]"
    size_t value;       ///< which number of a state it shows
} Column;

typedef void (*VisitColumn)(void* context, const Column* column);

/// All columns from left to right.
void ut_record_columns(const utModel* model, VisitColumn visit, void* context);

/// The cells of a body: centre of mass, quaternion, velocity of the centre, angular velocity.
void ut_record_body(const utKinematics* kin, int body, double cells[BODY_CELLS]);

/// The equality that stands for the joint of a free body, whose q and v are shown instead; -1:
/// none.
/// @param next where to look; 0 for the first joint
int ut_record_equality(const utModel* model, int joint, int* next);

/// How many positions and velocities such an equality has.
int ut_record_equality_positions(utEqualityKind kind);
int ut_record_equality_velocities(utEqualityKind kind);

/// How many numbers of all such equalities a state has.
uint64_t ut_record_coordinates(const utModel* model);

int ut_record_positions(utJointKind kind);
int ut_record_velocities(utJointKind kind);

enum { LABEL_ROOM = 32 };

/// The name of a thing, or its kind and number when it has none.
const char* ut_record_label(const char* name, const char* kind, int number, char room[LABEL_ROOM]);

/// A contact as recordings have it.
utRecordedContact ut_record_contact(const utContact* contact);

/// Contacts of a step that act at one time: those of an instant at that instant, all others at the
/// step's end.
typedef struct ContactGroup {
    int part;    ///< of the report: the instant; its number of parts: all others
    double time; ///< s
    int count;
} ContactGroup;

#define NO_GROUP ((ContactGroup){.part = -1})

/// The next group of a step, instants first. @param group NO_GROUP for the first
/// @param time of the step's end
/// @return false: there are no more
bool ut_record_group(const utStepReport* report, double time, ContactGroup* group);

/// @param i 0 ... count - 1 @param gap_time receives when its gap was taken, s
const utContact* ut_record_group_contact(const utStepReport* report, const ContactGroup* group,
                                         int i, double* gap_time);

// ---- tables -------------------------------------------------------------------------------------

/// Append bytes as they are.
void ut_csv_put(utCsv* csv, const char* text, size_t size);

/// A cell that is a number.
void ut_csv_number(utCsv* csv, double value);

/// A cell made of a name and an ending; quoted when the name makes it necessary.
void ut_csv_name(utCsv* csv, utText name, const char* ending);

/// A row of contacts.
typedef struct ContactRow {
    double time;
    double h;                      ///< the step's length, for forces
    double gap_time;               ///< when the gap was taken
    utText geom1, geom2;           ///< names
    const char *ending1, *ending2; ///< what follows the names
    const utRecordedContact* contact;
} ContactRow;
void ut_csv_contact(utCsv* csv, const ContactRow* row);

// ---- the bytes of a recording -------------------------------------------------------------------

#define RECORDING_MAGIC "\x89UTR\r\n\x1a\n"

enum {
    MAGIC_SIZE = 8,
    RECORD_HEAD = 16, ///< u32 kind, u32 check, u64 size
    RECORD_TAIL = 8,  ///< u64 checksum
    RECORDING_VERSION = 1,
    HEAD_FIXED = 72, ///< bytes before its lists
    HEAD_TEXTS = 5,  ///< source, name of the model, formulation, solver, integrator
    FLAG_KEEP_GOING = 1,
    FLAG_COORDINATES = 8, ///< from this bit on: numbers of joints that are equalities
    STATE_FIXED = 16,     ///< u64 step, u64 hash
    INPUT_FIXED = 16,     ///< u64 step, u64 parts
    CONTACTS_FIXED = 24,  ///< u64 step, f64 time, u64 count
    CONTACT_SIZE = 216,
    END_SIZE = 8,           ///< u64 step
    TRANSITIONS_FIXED = 16, ///< u64 step, u64 count
    TRANSITION_SIZE = 40,
    ADAPTIVE_SIZE = 8, ///< f64 tolerance
};

/// What a record is. Readers pass over kinds that they do not know.
enum {
    KIND_HEAD = 1,
    KIND_STATE,
    KIND_INPUT,
    KIND_CONTACTS,
    KIND_END,
    KIND_TRANSITIONS,
    KIND_ADAPTIVE ///< behind the head, when steps are adaptive
};

/// Parts of an input, in their order.
enum { PART_CTRL, PART_FORCE, PART_APPLIED, PART_MOCAP_POS, PART_MOCAP_QUAT, PARTS };

/// Numbers of each part.
void ut_record_parts(int nv, int nu, int nbody, int nmocap, uint64_t count[PARTS]);

/// The check of a record's head: the lower half of the hash of kind and size.
uint32_t ut_record_check(uint32_t kind, uint64_t size);

/// Lowest byte first.
void ut_record_u32(uint32_t value, unsigned char bytes[4]);
void ut_record_u64(uint64_t value, unsigned char bytes[8]);

/// Write the head.
utStatus ut_recorder_head(utRecorder* recorder, const utRecordDef* def);

/// Write a record: begin, put as many bytes as were announced, end.
void ut_recorder_begin(utRecorder* recorder, uint32_t kind, uint64_t size);
void ut_recorder_put(utRecorder* recorder, const void* bytes, size_t size);
void ut_recorder_put_u32(utRecorder* recorder, uint32_t value);
void ut_recorder_put_u64(utRecorder* recorder, uint64_t value);
void ut_recorder_put_double(utRecorder* recorder, double value);
void ut_recorder_finish(utRecorder* recorder);

/// The head of a recording that is being opened, all but where it is.
/// @param at where the payload begins
utStatus ut_recording_head(utRecording* r, size_t at, uint64_t size, utError* err);
uint32_t ut_recording_u32(const unsigned char* at);
uint64_t ut_recording_u64(const unsigned char* at);

/// An error at a byte. @return UT_ERR_FORMAT
utStatus ut_recording_damaged(const utRecording* r, size_t at, utError* err, const char* format,
                              ...) UT_PRINTF(4, 5);

#endif
