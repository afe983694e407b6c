// SPDX-License-Identifier: Apache-2.0
// How a run was started: options, the time at which it stops, and the files of its model.
#include <string.h>

#include "internal.h"

// ---- writing ------------------------------------------------------------------------------------

static utStatus put_options(utRecorder* recorder, const utRecordDef* def)
{
    uint64_t bytes = 0;
    for (int k = 0; k < def->options; k++) {
        bytes += strlen(def->option[k]);
    }
    if (def->options < 0 || bytes > UINT32_MAX) {
        return UT_ERR_ARGUMENT;
    }
    const uint64_t size = START_FIXED + 4 * (uint64_t)def->options + bytes;
    uint32_t end = 0;
    ut_recorder_begin(recorder, KIND_START, size + ut_recorder_padding(size));
    ut_recorder_put_double(recorder, def->stop_at);
    ut_recorder_put_u64(recorder, (uint64_t)def->options);
    for (int k = 0; k < def->options; k++) {
        end += (uint32_t)strlen(def->option[k]);
        ut_recorder_put_u32(recorder, end);
    }
    for (int k = 0; k < def->options; k++) {
        ut_recorder_put(recorder, def->option[k], strlen(def->option[k]));
    }
    ut_recorder_pad(recorder, size);
    ut_recorder_finish(recorder);
    return UT_OK;
}

static void put_file(utRecorder* recorder, const utRecordFile* file)
{
    const bool stored = file->text.data != NULL;
    const uint64_t size = FILE_FIXED + file->path.size + (stored ? file->text.size : 0);
    ut_recorder_begin(recorder, KIND_FILE, size + ut_recorder_padding(size));
    ut_recorder_put_u64(recorder, file->hash);
    ut_recorder_put_u64(recorder, file->size);
    ut_recorder_put_u64(recorder, file->path.size);
    ut_recorder_put_u64(recorder, stored);
    ut_recorder_put(recorder, file->path.data, file->path.size);
    if (stored) {
        ut_recorder_put(recorder, file->text.data, file->text.size);
    }
    ut_recorder_pad(recorder, size);
    ut_recorder_finish(recorder);
}

utStatus ut_recorder_start(utRecorder* recorder, const utRecordDef* def)
{
    if (def->options == 0 && def->files == 0) {
        return UT_OK;
    }
    UT_TRY(put_options(recorder, def));
    for (int k = 0; k < def->files; k++) {
        put_file(recorder, &def->file[k]);
    }
    return UT_OK;
}

// ---- reading ------------------------------------------------------------------------------------

utStatus ut_recording_start(utRecording* r, size_t at, uint64_t size, utError* err)
{
    if (size < START_FIXED || r->started) {
        return ut_recording_damaged(r, at, err, "the record of the start is not possible");
    }
    const uint64_t options = ut_recording_u64(r->bytes + at + 8);
    if (options > INT32_MAX || 4 * options > size - START_FIXED) {
        return ut_recording_damaged(r, at + 8, err, "the options do not fit into their record");
    }
    const unsigned char* ends = r->bytes + at + START_FIXED;
    const uint64_t room = size - START_FIXED - 4 * options;
    uint32_t last = 0;
    for (size_t k = 0; k < options; k++) {
        const uint32_t end = ut_recording_u32(ends + 4 * k);
        if (end < last || end > room) {
            return ut_recording_damaged(r, at + START_FIXED + 4 * k, err,
                                        "an option lies outside of its record");
        }
        last = end;
    }
    r->started = true;
    r->stop_at = ut_recording_double(r->bytes + at);
    r->options = (int)options;
    r->options_at = ends;
    return UT_OK;
}

utText ut_recording_option(const utRecording* recording, int option)
{
    const unsigned char* ends = recording->options_at;
    const char* texts = (const char*)(ends + 4 * (size_t)recording->options);
    const size_t begin = option > 0 ? ut_recording_u32(ends + 4 * (size_t)(option - 1)) : 0;
    const size_t end = ut_recording_u32(ends + 4 * (size_t)option);
    return (utText){texts + begin, end - begin};
}

utStatus ut_recording_count_file(utRecording* r, size_t offset, uint64_t size, utError* err)
{
    const unsigned char* at = r->bytes + offset + RECORD_HEAD;
    bool fits = size >= FILE_FIXED && r->files < INT32_MAX;
    if (fits) {
        const uint64_t path = ut_recording_u64(at + 16);
        const uint64_t stored = ut_recording_u64(at + 24);
        fits = path <= size - FILE_FIXED && stored <= 1 &&
               (stored == 0 || ut_recording_u64(at + 8) <= size - FILE_FIXED - path);
    }
    if (!fits) {
        return ut_recording_damaged(r, offset, err, "a file of the model does not fit");
    }
    if (r->files++ == 0) {
        r->files_at = offset;
    }
    r->files_end = offset + RECORD_HEAD + (size_t)size + RECORD_TAIL;
    return UT_OK;
}

// The records of files follow each other; they were checked when the recording was opened.
bool ut_recording_file(const utRecording* recording, size_t* at, utRecordFile* file)
{
    *at = *at == 0 ? recording->files_at : *at;
    if (*at >= recording->files_end || ut_recording_u32(recording->bytes + *at) != KIND_FILE) {
        return false;
    }
    const unsigned char* record = recording->bytes + *at;
    const unsigned char* content = record + RECORD_HEAD;
    const char* path = (const char*)content + FILE_FIXED;
    *file = (utRecordFile){
        .hash = ut_recording_u64(content),
        .size = ut_recording_u64(content + 8),
        .path = {path, (size_t)ut_recording_u64(content + 16)},
    };
    if (ut_recording_u64(content + 24) != 0) {
        file->text = (utText){path + file->path.size, (size_t)file->size};
    }
    *at += RECORD_HEAD + (size_t)ut_recording_u64(record + 8) + RECORD_TAIL;
    return true;
}
