// SPDX-License-Identifier: Apache-2.0
// Records of logs as bytes (sweep_log.h), shared by their writer and reader.
#ifndef UPTACK_CLI_SWEEP_RECORD_H
#define UPTACK_CLI_SWEEP_RECORD_H

#include "sweeps/sweep_log.h"

enum { SWEEP_PATH = 4096, SWEEP_MARK_BYTES = 24 };

/// The largest size of a record, bytes.
size_t sweep_record_room(int columns);

/// Write a record. @return its size
size_t sweep_put_head(const Sweep* sweep, uint64_t model_hash, unsigned char* to);
size_t sweep_put_result(const SweepResult* result, int columns, unsigned char* to);

/// STARTED, CRASHED or ABANDONED. It may be called in a handler of signals.
size_t sweep_put_mark(SweepRecordKind kind, long long job, unsigned char* to);

/// FOLDER/NAME
utStatus sweep_path(const char* folder, const char* name, char path[SWEEP_PATH], utError* err);

/// Read a log. @param visit NULL: none
/// @param end receives the bytes of complete records; NULL: read the head only
/// @return UT_ERR_ARGUMENT for a log of another specification or model
utStatus sweep_scan_log(const char* path, const Sweep* sweep, uint64_t model_hash,
                        SweepVisit* visit, void* context, long long* end, utError* err);

/// The descriptor of a log, for handlers of signals.
int sweep_log_file(const SweepLog* log);

#endif
