// SPDX-License-Identifier: Apache-2.0
// Cells and lines of a table.
#include <string.h>

#include "internal.h"

// ---- memory -------------------------------------------------------------------------------------

utStatus ut_csv_create(const utModel* model, utRecordSink sink, void* context, utArena* keep,
                       utCsv* csv)
{
    utArena arena = *keep;
    utCsv created = {.model = model};
    if (!ut_buffer_create(sink, context, &arena, &created.out)) {
        return UT_ERR_CAPACITY;
    }
    if (model != NULL) {
        UT_TRY(ut_kinematics_create(model, &arena, &created.kin));
    }
    *keep = arena;
    *csv = created;
    return UT_OK;
}

bool ut_csv_flush(utCsv* csv)
{
    return ut_buffer_flush(&csv->out);
}

void ut_csv_put(utCsv* csv, const char* text, size_t size)
{
    ut_buffer_put(&csv->out, text, size);
}

void ut_csv_text(utCsv* csv, const char* text)
{
    ut_csv_put(csv, text, strlen(text));
}

// ---- cells --------------------------------------------------------------------------------------

void ut_csv_number(utCsv* csv, double value)
{
    char text[UT_NUMBER_SIZE];
    ut_csv_put(csv, text, (size_t)ut_number_write_short(value, text));
}

void ut_csv_numbers(utCsv* csv, const double* x, int count)
{
    for (int k = 0; k < count; k++) {
        ut_csv_put(csv, ",", 1);
        ut_csv_number(csv, x[k]);
    }
}

static bool needs_quotes(utText text)
{
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if (c == ',' || c == '"' || c == '\r' || c == '\n') {
            return true;
        }
    }
    return false;
}

// CSV doubles a quote within quotes.
static void put_escaped(utCsv* csv, utText text)
{
    for (size_t i = 0; i < text.size; i++) {
        ut_csv_put(csv, text.data + i, 1);
        if (text.data[i] == '"') {
            ut_csv_put(csv, "\"", 1);
        }
    }
}

void ut_csv_name(utCsv* csv, utText name, const char* ending)
{
    const bool quoted = needs_quotes(name);
    if (quoted) {
        ut_csv_put(csv, "\"", 1);
        put_escaped(csv, name);
    } else {
        ut_csv_put(csv, name.data, name.size);
    }
    ut_csv_put(csv, ending, strlen(ending));
    if (quoted) {
        ut_csv_put(csv, "\"", 1);
    }
}
