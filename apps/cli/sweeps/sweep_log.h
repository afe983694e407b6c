// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep: `spec.json`, a copy of the specification, and a log per writing process.
//
// A log is only appended to. It begins with a head; then come records, all numbers little-endian:
//
//     u32 size of the record in bytes, a multiple of 8    u32 kind    i64 job
//     of a head      "utsweep1", u64 hash of the specification, u64 hash of the model, i64 jobs,
//                    i64 columns
//     of a result    i32 status, u32 bytes of the message, u64 hash of the last state, a f64 per
//                    column, the message, filled with 0
//     u64 FNV-1a of everything before in this record
//
// A record that was cut off fails its hash; the next process that writes to this log removes it.
// Results of one job are equal, so that a job with two of them is no harm.
#ifndef UPTACK_CLI_SWEEP_LOG_H
#define UPTACK_CLI_SWEEP_LOG_H

#include "sweeps/sweep.h"

typedef enum SweepRecordKind {
    SWEEP_RECORD_HEAD = 1,
    SWEEP_RECORD_STARTED,
    SWEEP_RECORD_RESULT,
    SWEEP_RECORD_CRASHED,   ///< written by the handler of a fatal signal
    SWEEP_RECORD_ABANDONED, ///< the job was started and ended by Ctrl-C
} SweepRecordKind;

/// A log being written. Threads share it.
typedef struct SweepLog SweepLog;

/// Make the folder with its copy of the specification, or check that it holds this one.
utStatus sweep_folder_open(const char* folder, const Sweep* sweep, utError* err);

/// Open a log for appending, repair its end, and lock it.
/// @param name of the file without its ending, such as "shard-0-of-1"
utStatus sweep_log_open(const char* folder, const char* name, const Sweep* sweep,
                        uint64_t model_hash, SweepLog** log, utError* err);

/// Write a result or, with NULL, none, and the start of the next job, -1: none, in one piece.
/// Everything is on the disk at most SWEEP_SYNC_SECONDS later.
utStatus sweep_log_write(SweepLog* log, const SweepResult* result, long long next, utError* err);
utStatus sweep_log_abandon(SweepLog* log, long long job, utError* err);

/// Put everything on the disk and close. @return `status`, or UT_ERR_IO
utStatus sweep_log_close(SweepLog* log, utStatus status, utError* err);

/// The log to which a fatal signal reports, and the job of the calling thread. -1: none
void sweep_watch_crashes(const SweepLog* log);
void sweep_watch_job(long long job);

/// What is called for each complete record. @param result of a result, else NULL; valid for the call
typedef utStatus SweepVisit(void* context, SweepRecordKind kind, long long job,
                            const SweepResult* result, utError* err);

/// Read all logs of a folder, sorted by name. @param visit NULL: check the heads only
/// @param model_hash 0: of any model
utStatus sweep_scan(const char* folder, const Sweep* sweep, uint64_t model_hash, SweepVisit* visit,
                    void* context, utError* err);

#endif
