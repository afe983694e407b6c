// SPDX-License-Identifier: Apache-2.0
// Writing the logs of a sweep.
#define _DEFAULT_SOURCE // flock
#include "sweeps/sweep_log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"
#include "sweeps/sweep_record.h"

static const double SYNC_SECONDS = 2.0;

struct SweepLog {
    pthread_mutex_t mutex; // guards everything below
    char path[SWEEP_PATH];
    int file;
    off_t size; // bytes of complete records
    int columns;
    unsigned char* buffer;
    double synced; // time of the last fsync, s
    bool dirty;
};

static utStatus failed(const char* path, const char* what, utError* err)
{
    return ut_error_at(err, UT_ERR_IO, path, 0, 0, "cannot be %s: %s", what, strerror(errno));
}

// ---- the folder ---------------------------------------------------------------------------------

utStatus sweep_path(const char* folder, const char* name, char path[SWEEP_PATH], utError* err)
{
    const int size = snprintf(path, SWEEP_PATH, "%s/%s", folder, name);
    return size < SWEEP_PATH
               ? UT_OK
               : ut_error_set(err, UT_ERR_ARGUMENT, "the path of the folder is too long");
}

static bool write_all(int file, const void* bytes, size_t size)
{
    const char* at = bytes;
    while (size > 0) {
        const ssize_t written = write(file, at, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        at += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

// Several processes may do this at once: each writes a file of its own, and renaming is atomic.
static utStatus write_spec(const char* folder, const char* path, const Sweep* sweep, utError* err)
{
    char name[64], own[SWEEP_PATH];
    snprintf(name, sizeof name, ".spec-%ld", (long)getpid());
    UT_TRY(sweep_path(folder, name, own, err));
    const int file = open(own, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) {
        return failed(own, "written", err);
    }
    const bool written = write_all(file, sweep->text.data, sweep->text.size) && fsync(file) == 0;
    if (close(file) != 0 || !written || rename(own, path) != 0) {
        const utStatus status = failed(path, "written", err);
        unlink(own);
        return status;
    }
    return UT_OK;
}

utStatus sweep_folder_open(const char* folder, const Sweep* sweep, utError* err)
{
    char path[SWEEP_PATH];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return failed(folder, "made", err);
    }
    UT_TRY(sweep_path(folder, "spec.json", path, err));
    if (access(path, F_OK) != 0) {
        return write_spec(folder, path, sweep, err);
    }
    utArena memory;
    utText text;
    if (ut_arena_create(0, NULL, &memory) != UT_OK) {
        return cli_no_memory(path, err);
    }
    utStatus status = ut_text_read(path, 0, &memory, &text, err);
    if (status == UT_OK &&
        (text.size != sweep->text.size || memcmp(text.data, sweep->text.data, text.size) != 0)) {
        status =
            ut_error_at(err, UT_ERR_ARGUMENT, sweep->path, 0, 0,
                        "the specification differs from the one whose results are in %.80s; use "
                        "another folder for it",
                        folder);
    }
    ut_arena_destroy(&memory);
    return status;
}

// ---- open and close -----------------------------------------------------------------------------

// Cut off what is not a complete record, and write the head of a new log.
static utStatus begin(SweepLog* log, const Sweep* sweep, uint64_t model_hash, utError* err)
{
    long long end = 0;
    UT_TRY(sweep_scan_log(log->path, sweep, model_hash, NULL, NULL, &end, err));
    struct stat before;
    if (fstat(log->file, &before) != 0 || ftruncate(log->file, (off_t)end) != 0) {
        return failed(log->path, "repaired", err);
    }
    log->size = (off_t)end;
    if (end > 0 && before.st_size == log->size) {
        return UT_OK; // nothing to repair
    }
    if (end == 0) {
        const size_t size = sweep_put_head(sweep, model_hash, log->buffer);
        if (!write_all(log->file, log->buffer, size)) {
            return failed(log->path, "written", err);
        }
        log->size = (off_t)size;
    }
    return fsync(log->file) == 0 ? UT_OK : failed(log->path, "written", err);
}

utStatus sweep_log_open(const char* folder, const char* name, const Sweep* sweep,
                        uint64_t model_hash, SweepLog** out, utError* err)
{
    SweepLog* log = calloc(1, sizeof *log);
    if (log != NULL) {
        log->buffer = malloc(2 * sweep_record_room(sweep->columns));
    }
    if (log == NULL || log->buffer == NULL) {
        free(log);
        return cli_no_memory(folder, err);
    }
    char file[128];
    snprintf(file, sizeof file, "%.100s.log", name);
    pthread_mutex_init(&log->mutex, NULL);
    log->columns = sweep->columns;
    log->synced = cli_now();
    log->file = -1;
    utStatus status = sweep_path(folder, file, log->path, err);
    if (status == UT_OK) {
        log->file = open(log->path, O_RDWR | O_CREAT | O_APPEND, 0666);
        status = log->file >= 0 ? UT_OK : failed(log->path, "opened", err);
    }
    if (status == UT_OK && flock(log->file, LOCK_EX | LOCK_NB) != 0) {
        status =
            ut_error_at(err, UT_ERR_IO, log->path, 0, 0,
                        "another process writes to it; wait for its end, or give each process a "
                        "--shard of its own");
    }
    if (status == UT_OK) {
        status = begin(log, sweep, model_hash, err);
    }
    if (status != UT_OK) {
        utError unused;
        (void)sweep_log_close(log, UT_OK, &unused);
        return status;
    }
    *out = log;
    return UT_OK;
}

utStatus sweep_log_close(SweepLog* log, utStatus status, utError* err)
{
    if (log == NULL) {
        return status;
    }
    bool complete = log->file < 0 || !log->dirty || fsync(log->file) == 0;
    complete = (log->file < 0 || close(log->file) == 0) && complete;
    if (status == UT_OK && !complete) {
        status = failed(log->path, "written", err);
    }
    pthread_mutex_destroy(&log->mutex);
    free(log->buffer);
    free(log);
    return status;
}

// ---- write --------------------------------------------------------------------------------------

// Append the bytes of the buffer. A part of a record does not stay.
static utStatus append(SweepLog* log, size_t size, utError* err)
{
    if (!write_all(log->file, log->buffer, size)) {
        const utStatus status = failed(log->path, "written", err);
        if (ftruncate(log->file, log->size) != 0) {
            return status; // the next process repairs it
        }
        return status;
    }
    log->size += (off_t)size;
    log->dirty = true;
    const double now = cli_now();
    if (now - log->synced >= SYNC_SECONDS) {
        log->synced = now;
        log->dirty = false;
        return fsync(log->file) == 0 ? UT_OK : failed(log->path, "written", err);
    }
    return UT_OK;
}

utStatus sweep_log_write(SweepLog* log, const SweepResult* result, long long next, utError* err)
{
    pthread_mutex_lock(&log->mutex);
    size_t size = result != NULL ? sweep_put_result(result, log->columns, log->buffer) : 0;
    size += next >= 0 ? sweep_put_mark(SWEEP_RECORD_STARTED, next, log->buffer + size) : 0;
    const utStatus status = append(log, size, err);
    pthread_mutex_unlock(&log->mutex);
    return status;
}

utStatus sweep_log_abandon(SweepLog* log, long long job, utError* err)
{
    pthread_mutex_lock(&log->mutex);
    const size_t size = sweep_put_mark(SWEEP_RECORD_ABANDONED, job, log->buffer);
    const utStatus status = append(log, size, err);
    pthread_mutex_unlock(&log->mutex);
    return status;
}

int sweep_log_file(const SweepLog* log)
{
    return log->file;
}
