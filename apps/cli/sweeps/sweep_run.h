// SPDX-License-Identifier: Apache-2.0
// Running jobs of a sweep on threads, shared by `uptack sweep` and `uptack-mpi sweep`.
#ifndef UPTACK_CLI_SWEEP_RUN_H
#define UPTACK_CLI_SWEEP_RUN_H

#include <uptack/threads.h>

#include "sweeps/sweep_log.h"

/// How often a job was tried.
enum {
    SWEEP_CRASHES = 2, ///< a job that crashed so often is recorded as crashed,
    SWEEP_STARTS = 5   ///< and so is one that was started so often without a result
};

/// What the logs say of each job, one byte per job.
typedef struct SweepDone {
    unsigned char* job; ///< bit 0: it has a result; bits 1-3: crashes; bits 4-7: starts
    long long count[SWEEP_STATUSES]; ///< results by status
    long long results;
} SweepDone;

/// Read all logs. @param done pass it to sweep_free_done, also after a failure
utStatus sweep_read_done(const char* folder, const Sweep* sweep, uint64_t model_hash,
                         SweepDone* done, utError* err);
void sweep_free_done(SweepDone* done);

/// What a job without a result needs.
typedef enum SweepNeed {
    SWEEP_RUN,       ///< run it
    SWEEP_RUN_ALONE, ///< run it last and alone: it may have ended its process
    SWEEP_GIVE_UP,   ///< record it as crashed
    SWEEP_HAS_RESULT
} SweepNeed;
SweepNeed sweep_need(const SweepDone* done, long long job);

/// A process that runs jobs.
typedef struct SweepSession {
    Sweep sweep;
    SweepModel model;
    SweepLog* log;
    utPool* pool;
    SweepWorker** worker; ///< per thread
    SweepResult* result;  ///< per thread
    int threads;
} SweepSession;

/// Read the specification and the model, and check the first job. Nothing is written.
/// @param session pass it to sweep_session_close, also after a failure
utStatus sweep_session_open(const char* spec, int threads, SweepSession* session, utError* err);

/// Open the folder, and the log that this process writes.
utStatus sweep_session_log(SweepSession* session, const char* folder, const char* log,
                           utError* err);
utStatus sweep_session_close(SweepSession* session, utStatus status, utError* err);

/// Called after each job, by the thread that called sweep_session_run. @param done jobs of this call
typedef void SweepShow(void* context, long long done);

/// Run jobs on all threads and write their results. A signal ends it early.
/// @param show may be NULL
utStatus sweep_session_run(SweepSession* session, const int64_t* job, int count, SweepShow* show,
                           void* context, utError* err);

/// Record a job as crashed.
utStatus sweep_session_give_up(SweepSession* session, long long job, utError* err);

#endif
