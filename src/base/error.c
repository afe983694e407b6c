// SPDX-License-Identifier: Apache-2.0
// Error messages with file, line and column.
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Copy as much as fits, with a final 0 and without cutting a character.
static void copy_cut(char* to, size_t room, const char* from)
{
    const size_t size = ut_utf8_fit(from, strlen(from), room - 1);
    memcpy(to, from, size);
    to[size] = 0;
}

// `err` is written last, because the arguments may point into it: ("while reading: %s", err->message).
static void fill(utError* err, utStatus status, const char* file, int line, int column,
                 const char* format, va_list args)
{
    char message[2 * sizeof err->message];
    if (vsnprintf(message, sizeof message, format, args) < 0) {
        message[0] = 0;
    }

    utError filled = {.status = status, .line = line, .column = column};
    copy_cut(filled.file, sizeof filled.file, file != NULL ? file : "");
    copy_cut(filled.message, sizeof filled.message, message);
    *err = filled;
}

utStatus ut_error_set(utError* err, utStatus status, const char* format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        fill(err, status, NULL, 0, 0, format, args);
        va_end(args);
    }
    return status;
}

utStatus ut_error_at(utError* err, utStatus status, const char* file, int line, int column,
                     const char* format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        fill(err, status, file, line, column, format, args);
        va_end(args);
    }
    return status;
}

void ut_error_format(const utError* err, char* text, size_t size)
{
    if (size == 0) {
        return;
    }

    // "file:", "line:" and "column:", each if it is known; a column needs a line
    char place[sizeof err->file + 32] = "";
    size_t used = 0;
    if (err->file[0] != 0) {
        used += (size_t)snprintf(place, sizeof place, "%s:", err->file);
    }
    if (err->line > 0) {
        used += (size_t)snprintf(place + used, sizeof place - used, "%d:", err->line);
    }
    if (err->line > 0 && err->column > 0) {
        used += (size_t)snprintf(place + used, sizeof place - used, "%d:", err->column);
    }

    char full[sizeof place + sizeof err->message + 16];
    snprintf(full, sizeof full, "%s%serror: %s", place, used > 0 ? " " : "", err->message);
    copy_cut(text, size, full);
}
