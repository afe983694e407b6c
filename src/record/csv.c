// Cells and lines of a table, gathered in a buffer.
#include <stdio.h>
#include <string.h>

#include "internal.h"

enum { ROOM = 1 << 16 };

// ---- memory -------------------------------------------------------------------------------------

size_t ut_csv_size(const utModel* model)
{
    return ut_arena_need(ROOM, 1) + ut_kinematics_size(model);
}

utStatus ut_csv_create(const utModel* model, utRecordSink sink, void* context, utArena* keep,
                       utCsv* csv)
{
    utArena rest = *keep;
    utCsv made = {.model = model, .sink = sink, .context = context, .room = ROOM};
    made.buffer = UT_PUSH(&rest, char, ROOM);
    if (made.buffer == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, &rest, &made.kin));
    *keep = rest;
    *csv = made;
    return UT_OK;
}

// ---- the buffer ---------------------------------------------------------------------------------

bool ut_csv_flush(utCsv* csv)
{
    if (!csv->failed && csv->used > 0) {
        csv->failed = !csv->sink(csv->context, csv->buffer, csv->used);
    }
    csv->used = 0;
    return !csv->failed;
}

void ut_csv_put(utCsv* csv, const char* text, size_t size)
{
    while (size > 0 && !csv->failed) {
        const size_t left = csv->room - csv->used;
        const size_t part = size < left ? size : left;
        memcpy(csv->buffer + csv->used, text, part);
        csv->used += part;
        text += part;
        size -= part;
        if (csv->used == csv->room) {
            (void)ut_csv_flush(csv);
        }
    }
}

// ---- cells --------------------------------------------------------------------------------------

void ut_csv_number(utCsv* csv, double value)
{
    char text[UT_NUMBER_SIZE];
    ut_csv_put(csv, text, (size_t)ut_number_write(value, text));
}

// A quote within quotes is written twice.
static void put_escaped(utCsv* csv, const char* text)
{
    for (; *text != '\0'; text++) {
        ut_csv_put(csv, text, 1);
        if (*text == '"') {
            ut_csv_put(csv, text, 1);
        }
    }
}

void ut_csv_name(utCsv* csv, const char* name, const char* kind, int number, const char* ending,
                 int index)
{
    char made[64];
    if (name == NULL || name[0] == '\0') {
        (void)snprintf(made, sizeof made, "%s%d", kind, number);
        name = made;
    }
    const bool quoted = strpbrk(name, ",\"\r\n") != NULL;
    if (quoted) {
        ut_csv_put(csv, "\"", 1);
        put_escaped(csv, name);
    } else {
        ut_csv_put(csv, name, strlen(name));
    }
    ut_csv_put(csv, ending, strlen(ending));
    if (index >= 0) {
        char text[16];
        const int size = snprintf(text, sizeof text, "[%d]", index);
        ut_csv_put(csv, text, (size_t)size);
    }
    if (quoted) {
        ut_csv_put(csv, "\"", 1);
    }
}
