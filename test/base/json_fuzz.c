// SPDX-License-Identifier: Apache-2.0
// Random documents: written and read back, and damaged in every way.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/json.h>

enum { ROOM = 1 << 16 };

typedef struct Buffer {
    char text[ROOM];
    size_t size;
} Buffer;

static bool buffer_sink(void* context, const char* text, size_t size)
{
    Buffer* buffer = context;
    if (size > sizeof buffer->text - buffer->size) {
        return false;
    }
    memcpy(buffer->text + buffer->size, text, size);
    buffer->size += size;
    return true;
}

// ---- random documents ---------------------------------------------------------------------------

// A few characters of one to four bytes, control characters and quotes among them.
static void random_string(utRng* rng, char* text)
{
    static const char* const pieces[] = {"a",
                                         "Z",
                                         "0",
                                         " ",
                                         "\"",
                                         "\\",
                                         "/",
                                         "\n",
                                         "\x01",
                                         "\x7f",
                                         "\xc3\xa9",
                                         "\xe2\x82\xac",
                                         "\xf0\x9f\x98\x80"};
    text[0] = 0;
    for (int i = ut_rng_below(rng, 9); i > 0; i--) {
        strcat(text, pieces[ut_rng_below(rng, 13)]);
    }
}

static double random_number(utRng* rng)
{
    if (ut_rng_below(rng, 2)) {
        return ut_rng_below(rng, 2001) - 1000;
    }
    const uint64_t bits = ut_rng_u64(rng);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0.5;
}

static void write_value(utJsonWriter* w, utRng* rng, int depth);

static void write_members(utJsonWriter* w, utRng* rng, int depth, bool is_object)
{
    const int count = ut_rng_below(rng, depth == 0 ? 40 : 5);
    for (int i = 0; i < count; i++) {
        if (is_object) {
            // the number in front makes it unlike the others
            char key[64];
            key[0] = (char)('A' + i);
            random_string(rng, key + 1);
            ut_json_key(w, key);
        }
        write_value(w, rng, depth + 1);
    }
}

static void write_value(utJsonWriter* w, utRng* rng, int depth)
{
    char string[64];
    switch (depth == 0 ? ut_rng_below(rng, 2) : ut_rng_below(rng, depth < 4 ? 8 : 6)) {
    case 0:
    case 6:
        if (depth < 5) {
            ut_json_array_begin(w);
            write_members(w, rng, depth, false);
            ut_json_array_end(w);
            return;
        }
        ut_json_null(w);
        return;
    case 1:
    case 7:
        if (depth < 5) {
            ut_json_object_begin(w);
            write_members(w, rng, depth, true);
            ut_json_object_end(w);
            return;
        }
        ut_json_bool(w, true);
        return;
    case 2:
        random_string(rng, string);
        ut_json_string(w, string);
        return;
    case 3:
        ut_json_bool(w, ut_rng_below(rng, 2) == 0);
        return;
    case 4:
        ut_json_integer(w, ut_rng_below(rng, 100) - 50);
        return;
    default:
        ut_json_number(w, random_number(rng));
        return;
    }
}

static bool random_document(utRng* rng, Buffer* out)
{
    out->size = 0;
    utJsonWriter w = ut_json_writer(buffer_sink, out);
    write_value(&w, rng, 0);
    return ut_json_ok(&w);
}

// ---- round trip ---------------------------------------------------------------------------------

static void write_tree(utJsonWriter* w, const utJson* v, bool has_key)
{
    if (has_key) {
        ut_json_key(w, v->key.data);
    }
    const bool is_object = v->type == UT_JSON_OBJECT;
    switch (v->type) {
    case UT_JSON_NULL:
        ut_json_null(w);
        return;
    case UT_JSON_BOOL:
        ut_json_bool(w, v->boolean);
        return;
    case UT_JSON_NUMBER:
        ut_json_number(w, v->number);
        return;
    case UT_JSON_STRING:
        ut_json_string(w, v->string.data);
        return;
    default:
        break;
    }
    if (is_object) {
        ut_json_object_begin(w);
    } else {
        ut_json_array_begin(w);
    }
    int count = 0;
    for (const utJson* m = v->first; m != NULL; m = m->next) {
        write_tree(w, m, is_object);
        count++;
    }
    CHECK_INT(count, v->count);
    if (is_object) {
        ut_json_object_end(w);
    } else {
        ut_json_array_end(w);
    }
}

TEST(what_is_written_reads_back_the_same)
{
    static Buffer first, second;
    utRng rng = ut_rng(21, 0);
    for (int i = 0; i < 2000; i++) {
        if (!random_document(&rng, &first)) {
            continue;
        }
        utArena keep = test_arena();
        const utJson* root = NULL;
        utError err;
        if (!CHECK(ut_json_read((utText){first.text, first.size}, NULL, &keep, &root, &err) ==
                   UT_OK)) {
            test_note("%d:%d: %s", err.line, err.column, err.message);
            continue;
        }
        second.size = 0;
        utJsonWriter w = ut_json_writer(buffer_sink, &second);
        write_tree(&w, root, false);
        CHECK(ut_json_ok(&w));
        CHECK(second.size == first.size && memcmp(second.text, first.text, first.size) == 0);
    }
}

// ---- damage -------------------------------------------------------------------------------------

static size_t change_byte(utRng* rng, char* text, size_t size, size_t at)
{
    static const char likely[] = "{}[]\",:\\ue+-.0159tfn \n\x80\xc3\xed\xf4";
    text[at] = ut_rng_below(rng, 3) == 0 ? (char)ut_rng_below(rng, 256)
                                         : likely[ut_rng_below(rng, (int)sizeof likely)];
    return size;
}

static size_t remove_bytes(utRng* rng, char* text, size_t size, size_t at)
{
    size_t count = 1 + (size_t)ut_rng_below(rng, 8);
    count = count < size - at ? count : size - at;
    memmove(text + at, text + at + count, size - at - count);
    return size - count;
}

static size_t repeat_bytes(utRng* rng, char* text, size_t size, size_t at)
{
    size_t count = 1 + (size_t)ut_rng_below(rng, 40);
    count = count < size - at ? count : size - at;
    if (size + count > ROOM) {
        return size;
    }
    memmove(text + at + count, text + at, size - at);
    return size + count;
}

static size_t damage(utRng* rng, char* text, size_t size)
{
    for (int i = 1 + ut_rng_below(rng, 4); i > 0 && size > 0; i--) {
        const size_t at = (size_t)ut_rng_below(rng, (int)size);
        switch (ut_rng_below(rng, 4)) {
        case 0:
            size = remove_bytes(rng, text, size, at);
            break;
        case 1:
            size = repeat_bytes(rng, text, size, at);
            break;
        case 2:
            size = ut_rng_below(rng, 4) == 0 ? at : size;
            break;
        default:
            size = change_byte(rng, text, size, at);
            break;
        }
    }
    return size;
}

// Whether line and column name a byte of the text or the place right behind it.
static bool is_inside(const char* text, size_t size, int line, int column)
{
    size_t at = 0;
    for (int i = 1; i < line; i++) {
        const char* newline = at < size ? memchr(text + at, '\n', size - at) : NULL;
        if (newline == NULL) {
            return false;
        }
        at = (size_t)(newline - text) + 1;
    }
    return line >= 1 && column >= 1 && at + (size_t)column - 1 <= size;
}

static void check_damaged(utText text, size_t room)
{
    utArena keep = test_arena();
    keep.end = room < (size_t)(keep.end - keep.next) ? keep.next + room : keep.end;
    const utArena before = keep;
    const utJson* root = NULL;
    utError err = {0};
    const utStatus status = ut_json_read(text, "damaged", &keep, &root, &err);
    if (status == UT_OK) {
        CHECK(root != NULL);
        return;
    }
    CHECK(status == UT_ERR_FORMAT || (status == UT_ERR_CAPACITY && room != SIZE_MAX));
    CHECK(err.status == status && err.message[0] != 0);
    CHECK(is_inside(text.data, text.size, err.line, err.column));
    CHECK(root == NULL && keep.next == before.next);
}

TEST(twenty_thousand_damaged_documents_are_read_or_refused_with_a_place)
{
    static Buffer document;
    utRng rng = ut_rng(22, 0);
    int refused = 0;
    for (int i = 0; i < 20000; i++) {
        if (i % 20 == 0) {
            while (!random_document(&rng, &document)) {
            }
        }
        // exactly as much memory as text, so that a sanitizer sees a look behind it
        char* copy = malloc(ROOM);
        memcpy(copy, document.text, document.size);
        const size_t size = damage(&rng, copy, document.size);
        copy = realloc(copy, size + (size == 0));
        const size_t room = ut_rng_below(&rng, 4) ? SIZE_MAX : (size_t)ut_rng_below(&rng, 20000);
        check_damaged((utText){copy, size}, room);

        utArena keep = test_arena();
        const utJson* root;
        refused += ut_json_read((utText){copy, size}, NULL, &keep, &root, NULL) != UT_OK;
        free(copy);
    }
    // damage that leaves valid JSON is the exception, but there must be some of both
    CHECK(refused > 10000 && refused < 20000);
    test_note("%d of 20000 refused", refused);
}
