// SPDX-License-Identifier: Apache-2.0
// A small recording for the tests: a model, a sink that stores bytes, and an independent reader
// that follows docs/recordings.md.
#ifndef UPTACK_TEST_MADE_H
#define UPTACK_TEST_MADE_H

#include <uptack/record.h>

enum { MADE_ROOM = 1 << 18, MADE_RECORDS = 32 };

/// A sink that stores bytes up to a limit.
typedef struct File {
    _Alignas(8) char bytes[MADE_ROOM];
    size_t size;
    size_t limit;
} File;

/// A utRecordSink. @param context the File
bool keep_bytes(void* context, const char* bytes, size_t size);
void empty(File* file);

/// An arm with a motor on a hinge, its mass at 1 m; a mocap hand; a ball on a ball joint and a
/// floor. nq 5, nv 4, nu 1, nmocap 1, nbody 4, ngeom 2. The caller destroys the model.
utModel* make_model(void);

/// The data that the recording contains.
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
/// @return true when all bytes were written
bool make_recording(const utModel* model, File* file);

/// Numbers at a byte of the file.
uint64_t number_at(const char* at, int bytes);
void number_to(char* at, int bytes, uint64_t value);

/// Recompute a record's check and checksum. @param at its first byte; the 8
/// bytes before it enter too
void seal(char* bytes, size_t at, uint64_t size);

/// Offsets of the records, and the end of the last one. @return the number of records
int find_records(const File* file, size_t at[MADE_RECORDS]);

#endif
