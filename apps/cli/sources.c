// SPDX-License-Identifier: Apache-2.0
// The files from which a model is read: kept for a recording, or read again from a recording.
#define _POSIX_C_SOURCE 200809L
#include "sources.h"

#include <string.h>
#include <sys/stat.h>

// ---- keeping ------------------------------------------------------------------------------------

static utStatus make_memory(CliSources* sources)
{
    if (!sources->has_memory) {
        UT_TRY(ut_arena_create(0, NULL, &sources->memory));
        sources->has_memory = true;
    }
    return UT_OK;
}

static utStatus add(CliSources* sources, const utRecordFile* file)
{
    UT_TRY(make_memory(sources));
    if (sources->count == sources->capacity) {
        const int capacity = sources->capacity > 0 ? 2 * sources->capacity : 16;
        utRecordFile* larger = UT_PUSH(&sources->memory, utRecordFile, capacity);
        if (larger == NULL) {
            return UT_ERR_MEMORY;
        }
        if (sources->count > 0) {
            memcpy(larger, sources->file, (size_t)sources->count * sizeof *larger);
        }
        sources->file = larger;
        sources->capacity = capacity;
    }
    sources->file[sources->count++] = *file;
    return UT_OK;
}

static const utRecordFile* find(const CliSources* sources, const char* path)
{
    for (int k = 0; k < sources->count; k++) {
        const utText p = sources->file[k].path;
        if (p.size == strlen(path) && memcmp(p.data, path, p.size) == 0) {
            return &sources->file[k];
        }
    }
    return NULL;
}

// A copy of a text in the memory of the sources. @return data NULL when memory is short
static utText copy(CliSources* sources, utText text)
{
    char* bytes = UT_PUSH(&sources->memory, char, text.size + 1);
    if (bytes != NULL) {
        memcpy(bytes, text.data, text.size);
    }
    return (utText){bytes, text.size};
}

static utStatus keep_file(CliSources* sources, const char* path, utText text)
{
    if (find(sources, path) != NULL) {
        return UT_OK;
    }
    UT_TRY(make_memory(sources));
    const bool stored = sources->count == 0 || text.size <= CLI_STORED_FILE_BYTES;
    const utRecordFile file = {
        .path = copy(sources, (utText){path, strlen(path)}),
        .text = stored ? copy(sources, text) : (utText){NULL, 0},
        .size = text.size,
        .hash = ut_hash_bytes(UT_HASH_START, text.data, text.size),
    };
    return file.path.data == NULL || (stored && file.text.data == NULL) ? UT_ERR_MEMORY
                                                                        : add(sources, &file);
}

// Included files and meshes must be files: a pipe would be empty at the next attempt to read it.
static bool is_stream(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static utStatus read_and_keep(CliSources* sources, const char* path, utArena* keep, utText* text,
                              utError* err)
{
    if (sources->count > 0 && is_stream(path)) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0,
                           "is not a regular file; copy its bytes to a file");
    }
    UT_TRY(ut_mjcf_def().read(NULL, path, keep, text, err));
    return keep_file(sources, path, *text) == UT_OK ? UT_OK : cli_no_memory(path, err);
}

// ---- reading again ------------------------------------------------------------------------------

static utStatus read_again(const CliSources* sources, const char* path, utArena* keep, utText* text,
                           utError* err)
{
    const utRecordFile* file = find(sources, path);
    if (file == NULL) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "was not read by the recorded run");
    }
    if (file->text.data != NULL) {
        *text = file->text;
        return UT_OK;
    }
    UT_TRY(ut_mjcf_def().read(NULL, path, keep, text, err));
    return file->size == text->size &&
                   file->hash == ut_hash_bytes(UT_HASH_START, text->data, text->size)
               ? UT_OK
               : ut_error_at(err, UT_ERR_FORMAT, path, 0, 0,
                             "has changed since the recorded run, and the recording holds only "
                             "its hash; restore the file");
}

utStatus cli_read_source(void* context, const char* path, utArena* keep, utText* text, utError* err)
{
    CliSources* sources = context;
    return sources->recorded ? read_again(sources, path, keep, text, err)
                             : read_and_keep(sources, path, keep, text, err);
}

utStatus cli_recorded_sources(const utRecording* recording, CliSources* sources, utError* err)
{
    size_t at = 0;
    utRecordFile file;
    sources->recorded = true;
    while (ut_recording_file(recording, &at, &file)) {
        if (add(sources, &file) != UT_OK) {
            return cli_no_memory(recording->name, err);
        }
    }
    return UT_OK;
}

// Does a file still have the content that the run read? A file that is gone counts as unchanged.
static bool is_unchanged(const utRecordFile* file, const char* path)
{
    utArena memory;
    utText text;
    utError unused;
    if (is_stream(path) || ut_arena_create(0, NULL, &memory) != UT_OK) {
        return true;
    }
    const bool read = ut_text_read(path, SIZE_MAX, &memory, &text, &unused) == UT_OK;
    const bool same = !read || (text.size == file->size &&
                                ut_hash_bytes(UT_HASH_START, text.data, text.size) == file->hash);
    ut_arena_destroy(&memory);
    return same;
}

void cli_warn_changed_sources(const CliSources* sources)
{
    for (int k = 0; k < sources->count; k++) {
        const utRecordFile* file = &sources->file[k];
        char path[4096];
        snprintf(path, sizeof path, "%.*s", (int)file->path.size, file->path.data);
        if (file->text.data != NULL && strcmp(path, "-") != 0 && !is_unchanged(file, path)) {
            fprintf(stderr, "%s: ", path);
            cli_print_word(stderr, CLI_YELLOW, "warning:");
            fprintf(stderr, " has changed since the recorded run; the recorded text is used\n");
        }
    }
}

void cli_free_sources(CliSources* sources)
{
    if (sources->has_memory) {
        ut_arena_destroy(&sources->memory);
    }
    *sources = (CliSources){0};
}
