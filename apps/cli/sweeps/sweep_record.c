// SPDX-License-Identifier: Apache-2.0
// Records of logs as bytes, and reading logs.
#define _POSIX_C_SOURCE 200809L
#include "sweeps/sweep_record.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 16, HASH_BYTES = 8, RESULT_BYTES = 16, HEAD_BYTES = 40 };
static const char magic[8] = {'u', 't', 's', 'w', 'e', 'e', 'p', '1'};

// ---- write --------------------------------------------------------------------------------------

static unsigned char* put(unsigned char* at, const void* value, size_t size)
{
    memcpy(at, value, size);
    return at + size;
}

static unsigned char* begin(SweepRecordKind kind, long long job, size_t size, unsigned char* to)
{
    const uint32_t first[2] = {(uint32_t)size, (uint32_t)kind};
    const int64_t number = job;
    return put(put(to, first, sizeof first), &number, sizeof number);
}

static size_t end(unsigned char* to, size_t size)
{
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, to, size - HASH_BYTES);
    memcpy(to + size - HASH_BYTES, &hash, HASH_BYTES);
    return size;
}

size_t sweep_record_room(int columns)
{
    return FIRST_BYTES + RESULT_BYTES + (size_t)columns * sizeof(double) + SWEEP_MESSAGE + 8 +
           HASH_BYTES + HEAD_BYTES;
}

size_t sweep_put_head(const Sweep* sweep, uint64_t model_hash, unsigned char* to)
{
    const size_t size = FIRST_BYTES + HEAD_BYTES + HASH_BYTES;
    const int64_t counts[2] = {sweep->jobs, sweep->columns};
    unsigned char* at = begin(SWEEP_RECORD_HEAD, -1, size, to);
    at = put(at, magic, sizeof magic);
    at = put(at, &sweep->hash, sizeof sweep->hash);
    at = put(at, &model_hash, sizeof model_hash);
    put(at, counts, sizeof counts);
    return end(to, size);
}

size_t sweep_put_result(const SweepResult* result, int columns, unsigned char* to)
{
    const size_t message = strlen(result->message);
    const size_t padded = (message + 7) / 8 * 8;
    const size_t numbers = (size_t)columns * sizeof(double);
    const size_t size = FIRST_BYTES + RESULT_BYTES + numbers + padded + HASH_BYTES;
    const int32_t status = result->status;
    const uint32_t bytes = (uint32_t)message;
    unsigned char* at = begin(SWEEP_RECORD_RESULT, result->job, size, to);
    at = put(at, &status, sizeof status);
    at = put(at, &bytes, sizeof bytes);
    at = put(at, &result->hash, sizeof result->hash);
    at = put(at, result->number, numbers);
    memset(at, 0, padded);
    put(at, result->message, message);
    return end(to, size);
}

size_t sweep_put_mark(SweepRecordKind kind, long long job, unsigned char* to)
{
    begin(kind, job, SWEEP_MARK_BYTES, to);
    return end(to, SWEEP_MARK_BYTES);
}

// ---- read ---------------------------------------------------------------------------------------

// A log being read.
typedef struct Reader {
    const char* path;
    FILE* file;
    const Sweep* sweep;
    unsigned char* buffer; // room for the largest record
    size_t size;           // of the record in it
    SweepResult result;
} Reader;

// Read the next record. @return false at the end, and for a record that is not complete
static bool next(Reader* r)
{
    uint32_t size;
    if (fread(r->buffer, 1, FIRST_BYTES, r->file) != FIRST_BYTES) {
        return false;
    }
    memcpy(&size, r->buffer, sizeof size);
    if (size < SWEEP_MARK_BYTES || size > sweep_record_room(r->sweep->columns) || size % 8 != 0 ||
        fread(r->buffer + FIRST_BYTES, 1, size - FIRST_BYTES, r->file) != size - FIRST_BYTES) {
        return false;
    }
    uint64_t hash;
    memcpy(&hash, r->buffer + size - HASH_BYTES, sizeof hash);
    r->size = size;
    return hash == ut_hash_bytes(UT_HASH_START, r->buffer, size - HASH_BYTES);
}

static utStatus check_head(const Reader* r, uint64_t model_hash, utError* err)
{
    uint32_t kind;
    uint64_t hashes[2];
    int64_t counts[2];
    const unsigned char* at = r->buffer + FIRST_BYTES;
    memcpy(&kind, r->buffer + 4, sizeof kind);
    if (kind != SWEEP_RECORD_HEAD || r->size != FIRST_BYTES + HEAD_BYTES + HASH_BYTES ||
        memcmp(at, magic, sizeof magic) != 0) {
        return ut_error_at(err, UT_ERR_FORMAT, r->path, 0, 0, "this is not the log of a sweep");
    }
    memcpy(hashes, at + 8, sizeof hashes);
    memcpy(counts, at + 24, sizeof counts);
    if (hashes[0] != r->sweep->hash || counts[0] != r->sweep->jobs ||
        counts[1] != r->sweep->columns) {
        return ut_error_at(err, UT_ERR_ARGUMENT, r->path, 0, 0,
                           "holds results of another specification; use another folder");
    }
    if (model_hash != 0 && hashes[1] != model_hash) {
        return ut_error_at(
            err, UT_ERR_ARGUMENT, r->path, 0, 0,
            "holds results of another model or another version of uptack; use another "
            "folder, or bring back the model '%.60s'",
            r->sweep->model);
    }
    return UT_OK;
}

// A result in the buffer. @return false when its sizes are wrong
static bool get_result(Reader* r, long long job)
{
    int32_t status;
    uint32_t message;
    const unsigned char* at = r->buffer + FIRST_BYTES;
    const size_t numbers = (size_t)r->sweep->columns * sizeof(double);
    memcpy(&status, at, sizeof status);
    memcpy(&message, at + 4, sizeof message);
    if (message >= SWEEP_MESSAGE ||
        r->size != FIRST_BYTES + RESULT_BYTES + numbers + (message + 7) / 8 * 8 + HASH_BYTES) {
        return false;
    }
    r->result.job = job;
    r->result.status = status;
    memcpy(&r->result.hash, at + 8, sizeof r->result.hash);
    memcpy(r->result.number, at + RESULT_BYTES, numbers);
    memcpy(r->result.message, at + RESULT_BYTES + numbers, message);
    r->result.message[message] = '\0';
    return true;
}

static utStatus read_records(Reader* r, SweepVisit* visit, void* context, long long* end_at,
                             utError* err)
{
    while (next(r)) {
        uint32_t kind;
        int64_t job;
        memcpy(&kind, r->buffer + 4, sizeof kind);
        memcpy(&job, r->buffer + 8, sizeof job);
        const bool is_result = kind == SWEEP_RECORD_RESULT;
        if (job < 0 || job >= r->sweep->jobs || (is_result && !get_result(r, job))) {
            return UT_OK; // as a record that was cut off
        }
        if (visit != NULL) {
            UT_TRY(visit(context, (SweepRecordKind)kind, job, is_result ? &r->result : NULL, err));
        }
        *end_at += (long long)r->size;
    }
    return UT_OK;
}

// Read an open log, from its head on. @param heads_only leave out the records behind it
static utStatus read_log(Reader* r, uint64_t model_hash, bool heads_only, SweepVisit* visit,
                         void* context, long long* end_at, utError* err)
{
    if (next(r)) {
        UT_TRY(check_head(r, model_hash, err));
        *end_at = (long long)r->size;
        return heads_only ? UT_OK : read_records(r, visit, context, end_at, err);
    }
    // a log that ends within its head was cut off when it was made
    if (fseek(r->file, 0, SEEK_END) == 0 &&
        ftell(r->file) >= FIRST_BYTES + HEAD_BYTES + HASH_BYTES) {
        return ut_error_at(err, UT_ERR_FORMAT, r->path, 0, 0,
                           "this is not the log of a sweep, or its head is damaged; move it away");
    }
    return UT_OK;
}

utStatus sweep_scan_log(const char* path, const Sweep* sweep, uint64_t model_hash,
                        SweepVisit* visit, void* context, long long* end_at, utError* err)
{
    long long unused;
    const bool heads_only = end_at == NULL;
    end_at = heads_only ? &unused : end_at;
    *end_at = 0;
    Reader r = {.path = path, .file = fopen(path, "rb"), .sweep = sweep};
    if (r.file == NULL) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "cannot be opened: %s", strerror(errno));
    }
    r.buffer = malloc(sweep_record_room(sweep->columns));
    r.result.number = malloc((size_t)sweep->columns * sizeof(double));
    const bool has_memory = r.buffer != NULL && r.result.number != NULL;
    const utStatus status = has_memory
                                ? read_log(&r, model_hash, heads_only, visit, context, end_at, err)
                                : cli_no_memory(path, err);
    fclose(r.file);
    free(r.buffer);
    free(r.result.number);
    return status;
}

// ---- all logs -----------------------------------------------------------------------------------

static int is_log(const struct dirent* entry)
{
    return cli_ends_in(entry->d_name, ".log") && entry->d_name[0] != '.';
}

static int compare_names(const struct dirent** x, const struct dirent** y)
{
    return strcmp((*x)->d_name, (*y)->d_name);
}

utStatus sweep_scan(const char* folder, const Sweep* sweep, uint64_t model_hash, SweepVisit* visit,
                    void* context, utError* err)
{
    struct dirent** entries = NULL;
    const int count = scandir(folder, &entries, is_log, compare_names);
    if (count < 0) {
        return ut_error_at(err, UT_ERR_IO, folder, 0, 0, "cannot be read: %s", strerror(errno));
    }
    utStatus status = UT_OK;
    for (int i = 0; i < count; i++) {
        char path[SWEEP_PATH];
        long long end_at;
        if (status == UT_OK) {
            status = sweep_path(folder, entries[i]->d_name, path, err);
        }
        if (status == UT_OK) {
            status = sweep_scan_log(path, sweep, model_hash, visit, context,
                                    visit != NULL ? &end_at : NULL, err);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}
