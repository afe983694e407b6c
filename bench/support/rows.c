// SPDX-License-Identifier: Apache-2.0
// Results as they come, one JSON object per line.
#define _POSIX_C_SOURCE 200809L
#include "rows.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

#include "bench.h"

static bool to_file(void* context, const char* text, size_t size)
{
    return fwrite(text, 1, size, (FILE*)context) == size;
}

Rows rows_open(const char* program, const char* name)
{
    char path[PATH_MAX], file[64];
    snprintf(file, sizeof file, "%s.jsonl", name);
    bench_results_path(program, file, path, sizeof path);
    Rows rows = {.file = fopen(path, "w")};
    if (rows.file == NULL) {
        perror(path);
        exit(1);
    }
    return rows;
}

void rows_close(Rows* rows)
{
    if (fclose(rows->file) != 0) {
        perror("results");
        exit(1);
    }
}

void row_begin(Rows* rows, const char* kind, const char* part)
{
    rows->writer = ut_json_writer(to_file, rows->file);
    ut_json_object_begin(&rows->writer);
    row_text(rows, "kind", kind);
    row_text(rows, "part", part);
}

void row_text(Rows* rows, const char* key, const char* value)
{
    ut_json_key(&rows->writer, key);
    ut_json_string(&rows->writer, value);
}

void row_number(Rows* rows, const char* key, double value)
{
    ut_json_key(&rows->writer, key);
    ut_json_number(&rows->writer, value);
}

void row_integer(Rows* rows, const char* key, long value)
{
    ut_json_key(&rows->writer, key);
    ut_json_integer(&rows->writer, value);
}

void row_truth(Rows* rows, const char* key, bool value)
{
    ut_json_key(&rows->writer, key);
    ut_json_bool(&rows->writer, value);
}

void row_end(Rows* rows)
{
    ut_json_object_end(&rows->writer);
    fputc('\n', rows->file);
    fflush(rows->file);
}

void row_note(Rows* rows, const char* part, const char* format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    row_begin(rows, "note", part);
    row_text(rows, "text", text);
    row_end(rows);
}
