// SPDX-License-Identifier: Apache-2.0
// All rows as one JSON value.
#include "table.h"

static bool to_file(void* context, const char* text, size_t size)
{
    return fwrite(text, 1, size, (FILE*)context) == size;
}

static void copy(utJsonWriter* w, const utJson* value)
{
    switch (value->type) {
    case UT_JSON_BOOL:
        ut_json_bool(w, value->boolean);
        break;
    case UT_JSON_NUMBER:
        ut_json_number(w, value->number);
        break;
    case UT_JSON_STRING:
        ut_json_string(w, value->string.data);
        break;
    default:
        ut_json_null(w);
        break;
    }
}

void book_json(FILE* out, const Book* book)
{
    utJsonWriter w = ut_json_writer(to_file, out);
    ut_json_object_begin(&w);
    ut_json_key(&w, "machine");
    ut_json_string(&w, book->machine);
    ut_json_key(&w, "rows");
    ut_json_array_begin(&w);
    for (int i = 0; i < book->count; i++) {
        ut_json_object_begin(&w);
        for (const utJson* m = book->row[i]->first; m != NULL; m = m->next) {
            ut_json_key(&w, m->key.data);
            copy(&w, m);
        }
        ut_json_object_end(&w);
    }
    ut_json_array_end(&w);
    ut_json_object_end(&w);
    fputc('\n', out);
}
