// SPDX-License-Identifier: Apache-2.0
// A small recording for the tests: a model, a sink that keeps bytes, and a reader by hand that
// follows docs/recordings.md.
#ifndef UPTACK_TEST_MADE_H
#define UPTACK_TEST_MADE_H

#include <uptack/record.h>

enum { MADE_ROOM = 1 << 18, MADE_RECORDS = 32 };

/// A sink: it takes bytes up to a limit.
typedef struct File {
    _Alignas(8) char bytes[MADE_ROOM];
    size_t size;
    size_t limit;
} File;

/// A utRecordSink. @param context the File
bool keep_bytes(void* context, const char* bytes, size_t size);
void empty(File* file);

/// An arm with a motor on a hinge, its mass 1 m out; a hand that is moved; a ball on a ball joint
/// and a floor. nq 5, nv 4, nu 1, nmocap 1, nbody 4, ngeom 2. For ut_model_destroy.
utModel* make_model(void);

/// What is recorded.
extern const double made_ctrl[1];
extern const utForce made_applied[4];
extern const double made_mocap_pos[3];
extern const double made_mocap_quat[4];
extern const utMotion made_mocap_velocity[1];
extern const double made_q[2][5];
extern const double made_v[2][4];
extern const utContact made_contact;
extern const utTransition made_transition;
utRecordState made_state(int k); ///< 0 or 1
utRecordDef made_def(void);

/// Head, state, input, contacts, input, state, transitions, end: eight records.
/// @return whether all was written
bool make_recording(const utModel* model, File* file);

/// Numbers as they are in a file.
uint64_t number_at(const char* at, int bytes);
void number_to(char* at, int bytes, uint64_t value);

/// Write a record's check and checksum anew. @param at where it begins; 8 bytes before it count too
void seal(char* bytes, size_t at, uint64_t size);

/// Where the records begin, and where the last one ends. @return how many there are
int find_records(const File* file, size_t at[MADE_RECORDS]);

#endif
