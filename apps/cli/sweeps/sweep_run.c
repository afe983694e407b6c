// SPDX-License-Identifier: Apache-2.0
// Running jobs of a sweep on threads: each takes the next job, and appends its result to the log.
#include "sweeps/sweep_run.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "sweeps/sweep_crash.h"
#include "sweeps/sweep_spec.h"

// ---- what is done -------------------------------------------------------------------------------

enum { HAS_RESULT = 1, CRASH = 2, MANY_CRASHES = 7 * CRASH, START = 16, MANY_STARTS = 15 * START };

static utStatus count_record(void* context, SweepRecordKind kind, long long job,
                             const SweepResult* result, utError* err)
{
    SweepDone* done = context;
    unsigned char* flags = &done->job[job];
    (void)err;
    if (result != NULL && (*flags & HAS_RESULT) == 0) {
        *flags |= HAS_RESULT;
        done->results++;
        if (result->status >= 0 && result->status < SWEEP_STATUSES) {
            done->count[result->status]++;
        }
    } else if (kind == SWEEP_RECORD_CRASHED && (*flags & MANY_CRASHES) < MANY_CRASHES) {
        *flags = (unsigned char)(*flags + CRASH);
    } else if (kind == SWEEP_RECORD_STARTED && (*flags & MANY_STARTS) < MANY_STARTS) {
        *flags = (unsigned char)(*flags + START);
    } else if (kind == SWEEP_RECORD_ABANDONED && *flags >= START) {
        *flags = (unsigned char)(*flags - START);
    }
    return UT_OK;
}

utStatus sweep_read_done(const char* folder, const Sweep* sweep, uint64_t model_hash,
                         SweepDone* done, utError* err)
{
    *done = (SweepDone){.job = calloc((size_t)sweep->jobs + 1, 1)};
    return done->job == NULL ? sweep_memory_error(sweep, err)
                             : sweep_scan(folder, sweep, model_hash, count_record, done, err);
}

void sweep_free_done(SweepDone* done)
{
    free(done->job);
    done->job = NULL;
}

SweepNeed sweep_need(const SweepDone* done, long long job)
{
    const int flags = done->job[job];
    const int crashes = (flags & MANY_CRASHES) / CRASH, starts = (flags & MANY_STARTS) / START;
    return (flags & HAS_RESULT) != 0                            ? SWEEP_HAS_RESULT
           : crashes >= SWEEP_CRASHES || starts >= SWEEP_STARTS ? SWEEP_GIVE_UP
           : crashes > 0 || starts > 1                          ? SWEEP_RUN_ALONE
                                                                : SWEEP_RUN;
}

// ---- sessions -----------------------------------------------------------------------------------

static utStatus create_workers(SweepSession* s, int threads, utError* err)
{
    const Sweep* sweep = &s->sweep;
    if (ut_pool_create(threads, NULL, &s->pool) != UT_OK) {
        return sweep_memory_error(sweep, err);
    }
    s->threads = ut_pool_threads(s->pool);
    s->worker = calloc((size_t)s->threads, sizeof(SweepWorker*));
    s->result = calloc((size_t)s->threads, sizeof *s->result);
    if (s->worker == NULL || s->result == NULL) {
        return sweep_memory_error(sweep, err);
    }
    for (int t = 0; t < s->threads; t++) {
        UT_TRY(sweep_worker_create(sweep, &s->model, &s->worker[t], err));
        s->result[t].number = malloc((size_t)sweep->columns * sizeof(double));
        if (s->result[t].number == NULL) {
            return sweep_memory_error(sweep, err);
        }
    }
    return UT_OK;
}

utStatus sweep_session_open(const char* spec, int threads, SweepSession* session, utError* err)
{
    *session = (SweepSession){0};
    UT_TRY(sweep_open(spec, &session->sweep, err));
    UT_TRY(sweep_load_model(&session->sweep, &session->model, err));
    UT_TRY(create_workers(session, threads, err));
    return sweep_check(session->worker[0], err);
}

utStatus sweep_session_log(SweepSession* session, const char* folder, const char* log, utError* err)
{
    UT_TRY(sweep_folder_open(folder, &session->sweep, err));
    // a log of another model must be found before one of this model is made
    UT_TRY(sweep_scan(folder, &session->sweep, session->model.hash, NULL, NULL, err));
    UT_TRY(sweep_log_open(folder, log, &session->sweep, session->model.hash, &session->log, err));
    sweep_watch_crashes(session->log);
    return UT_OK;
}

utStatus sweep_session_close(SweepSession* s, utStatus status, utError* err)
{
    status = sweep_log_close(s->log, status, err);
    ut_pool_destroy(s->pool);
    for (int t = 0; t < s->threads; t++) {
        if (s->worker != NULL) {
            sweep_worker_destroy(s->worker[t]);
        }
        if (s->result != NULL) {
            free(s->result[t].number);
        }
    }
    free(s->worker);
    free(s->result);
    sweep_free_model(&s->model);
    sweep_close(&s->sweep);
    *s = (SweepSession){0};
    return status;
}

// ---- running ------------------------------------------------------------------------------------

typedef struct Batch {
    SweepSession* session;
    const int64_t* job;
    int count;
    atomic_int next, done;
    atomic_bool failed;
    utError* err; // of the first thread that failed
    SweepShow* show;
    void* context;
} Batch;

static long long take_job(Batch* b)
{
    if (cli_caught_signal() != 0 || atomic_load(&b->failed)) {
        return -1;
    }
    const int k = atomic_fetch_add(&b->next, 1);
    return k < b->count ? b->job[k] : -1;
}

// A job that ends the process, for the tests of crashes: UPTACK_SWEEP_CRASH holds its number.
static void crash_for_test(long long job)
{
    const char* number = getenv("UPTACK_SWEEP_CRASH");
    if (number != NULL && strtoll(number, NULL, 10) == job) {
        abort();
    }
}

static utStatus run_jobs(Batch* b, int thread, utError* err)
{
    SweepSession* s = b->session;
    SweepResult* result = &s->result[thread];
    long long job = take_job(b);
    if (job >= 0) {
        UT_TRY(sweep_log_write(s->log, NULL, job, err));
    }
    while (job >= 0) {
        sweep_watch_job(job);
        crash_for_test(job);
        const bool complete = sweep_job(s->worker[thread], job, result);
        sweep_watch_job(-1);
        if (!complete) {
            return sweep_log_abandon(s->log, job, err);
        }
        job = take_job(b);
        UT_TRY(sweep_log_write(s->log, result, job, err));
        const int done = atomic_fetch_add(&b->done, 1) + 1;
        if (thread == 0 && b->show != NULL) {
            b->show(b->context, done);
        }
    }
    return UT_OK;
}

static void work(void* context, int item, int thread)
{
    Batch* b = context;
    utError err = {0};
    (void)item;
    const utStatus status = run_jobs(b, thread, &err);
    sweep_unwatch_thread();
    if (status != UT_OK && !atomic_exchange(&b->failed, true)) {
        *b->err = err;
        b->err->status = status;
    }
}

utStatus sweep_session_run(SweepSession* session, const int64_t* job, int count, SweepShow* show,
                           void* context, utError* err)
{
    utError why = {0};
    Batch b = {.session = session,
               .job = job,
               .count = count,
               .err = &why,
               .show = show,
               .context = context};
    atomic_init(&b.next, 0);
    atomic_init(&b.done, 0);
    atomic_init(&b.failed, false);
    // one item per thread; a thread that comes late finds no job left
    ut_pool_run(session->pool, session->threads < count ? session->threads : count, work, &b);
    if (why.status != UT_OK) {
        *err = why;
    }
    return why.status;
}

utStatus sweep_session_give_up(SweepSession* session, long long job, utError* err)
{
    SweepResult* result = &session->result[0];
    result->job = job;
    result->status = SWEEP_CRASHED;
    result->hash = 0;
    snprintf(result->message, sizeof result->message, "the process died in this job");
    for (int k = 0; k < session->sweep.columns; k++) {
        result->number[k] = (double)NAN;
    }
    return sweep_log_write(session->log, result, -1, err);
}
