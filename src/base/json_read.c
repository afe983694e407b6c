// SPDX-License-Identifier: Apache-2.0
// Reads JSON text (RFC 8259) into a tree by recursive descent.
//
// Nodes and strings are packed closely into the arena. So are the key tables of large objects, which
// the next large object uses again.
#include "internal.h"

#include <uptack/json.h>

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_SEARCHED_KEYS = 16, // in smaller objects comparing all keys is quicker than a table
    NAME_SIZE = 60          // bytes of a key or word that a message repeats
};

// Hash table of the keys of an object: open addressing, a power of two of slots, at most half of
// them full. An object with at most MAX_SEARCHED_KEYS keys has no table.
typedef struct Keys {
    const utJson** slots;
    size_t slot_count;
} Keys;

typedef struct Reader {
    const char* p;          // next character
    const char* end;        // one past the last
    const char* line_begin; // first character of the line that p is in
    int line;
    int depth; // number of open arrays and objects
    const char* file;
    utArena arena;
    Keys spare; // table of an earlier object, for the next large one
    utError* err;
} Reader;

// ---- messages -----------------------------------------------------------------------------------

static int column_of(const Reader* r, const char* p)
{
    return (int)(p - r->line_begin) + 1;
}

// Report an error at `p`, which is on the current line.
UT_PRINTF(3, 4) static utStatus fail(const Reader* r, const char* p, const char* format, ...)
{
    char message[sizeof r->err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return ut_error_at(r->err, UT_ERR_FORMAT, r->file, r->line, column_of(r, p), "%s", message);
}

static utStatus fail_full(const Reader* r)
{
    return ut_error_at(r->err, UT_ERR_CAPACITY, r->file, r->line, column_of(r, r->p),
                       "no memory left for the rest of the file; give a larger arena");
}

// Report "expected WHAT; found CHARACTER" at the next character.
static utStatus fail_expected(const Reader* r, const char* what)
{
    const size_t size = ut_utf8_size(r->p, r->end);
    const unsigned char byte = r->p < r->end ? (unsigned char)*r->p : 0;
    if (r->p == r->end) {
        return fail(r, r->p, "expected %s; found end of file", what);
    }
    if (size == 0 || byte < 0x20 || byte == 0x7f) {
        return fail(r, r->p, "expected %s; found byte 0x%02X", what, byte);
    }
    return fail(r, r->p, "expected %s; found '%.*s'", what, (int)size, r->p);
}

// Bytes of a name that a message repeats.
static int name_size(utText name)
{
    return (int)ut_utf8_fit(name.data, name.size, NAME_SIZE);
}

// ---- memory -------------------------------------------------------------------------------------

// A node for the value at the next character, otherwise all zero. @return NULL without memory
static utJson* take_node(Reader* r)
{
    utJson* node = ut_arena_pack(&r->arena, sizeof *node, _Alignof(utJson));
    if (node != NULL) {
        *node = (utJson){.line = r->line, .column = column_of(r, r->p)};
    }
    return node;
}

// A table of empty slots: the spare one if it is large enough. @return false without memory
static bool take_table(Reader* r, size_t slot_count, Keys* table)
{
    if (r->spare.slot_count >= slot_count) {
        *table = r->spare;
        r->spare = (Keys){NULL, 0};
    } else {
        const size_t size = slot_count * sizeof(utJson*);
        *table = (Keys){ut_arena_pack(&r->arena, size, _Alignof(utJson*)), slot_count};
    }
    for (size_t i = 0; table->slots != NULL && i < table->slot_count; i++) {
        table->slots[i] = NULL;
    }
    return table->slots != NULL;
}

// Keep a table for the next large object.
static void return_table(Reader* r, Keys table)
{
    if (table.slot_count > r->spare.slot_count) {
        r->spare = table;
    }
}

// ---- strings ------------------------------------------------------------------------------------

static bool is_plain(char c)
{
    const unsigned char byte = (unsigned char)c;
    return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

// A string while its escapes are replaced. Its memory suffices for the whole string.
typedef struct String {
    char* data;
    size_t size; // bytes written so far
} String;

static void append_code_point(String* to, uint32_t code)
{
    char* bytes = to->data;
    size_t size = to->size;
    if (code < 0x80) {
        bytes[size++] = (char)code;
    } else if (code < 0x800) {
        bytes[size++] = (char)(0xc0 | code >> 6);
    } else if (code < 0x10000) {
        bytes[size++] = (char)(0xe0 | code >> 12);
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3f));
    } else {
        bytes[size++] = (char)(0xf0 | code >> 18);
        bytes[size++] = (char)(0x80 | (code >> 12 & 0x3f));
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3f));
    }
    if (code >= 0x80) {
        bytes[size++] = (char)(0x80 | (code & 0x3f));
    }
    to->size = size;
}

// The value of "\uXXXX" at `p`. @return false when `p` does not point to such an escape
static bool hex_escape(const char* p, const char* end, uint32_t* code)
{
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u') {
        return false;
    }
    uint32_t value = 0;
    for (int i = 2; i < 6; i++) {
        const char c = p[i];
        uint32_t digit = 0;
        if (c >= '0' && c <= '9') {
            digit = (uint32_t)(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            digit = (uint32_t)(c - 'a') + 10;
        } else if (c >= 'A' && c <= 'F') {
            digit = (uint32_t)(c - 'A') + 10;
        } else {
            return false;
        }
        value = value << 4 | digit;
    }
    *code = value;
    return true;
}

// Read "\uXXXX", or two of them that are a surrogate pair.
static utStatus read_unicode_escape(Reader* r, String* to)
{
    uint32_t code;
    if (!hex_escape(r->p, r->end, &code)) {
        return fail(r, r->p, "'\\u' without four hexadecimal digits; write it like \\u00e9");
    }
    size_t size = 6;
    if (code >= 0xd800 && code <= 0xdfff) {
        uint32_t low;
        if (code >= 0xdc00 || !hex_escape(r->p + 6, r->end, &low) || low < 0xdc00 || low > 0xdfff) {
            return fail(r, r->p,
                        "lone surrogate \\u%04x; a character above U+ffff takes a high and a low "
                        "one, like \\ud83d\\ude00",
                        (unsigned)code);
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        size = 12;
    }
    r->p += size;
    append_code_point(to, code);
    return UT_OK;
}

static utStatus read_escape(Reader* r, String* to)
{
    static const char names[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    const char c = r->end - r->p > 1 ? r->p[1] : 0;
    if (c == 'u') {
        return read_unicode_escape(r, to);
    }
    const char* name = c != 0 ? strchr(names, c) : NULL;
    if (name == NULL) {
        return fail(r, r->p, "unknown escape in a string; a backslash itself is written '\\\\'");
    }
    r->p += 2;
    to->data[to->size++] = meanings[name - names];
    return UT_OK;
}

// Read a run of plain characters of a string, or one other character.
static utStatus read_characters(Reader* r, String* to)
{
    const char* begin = r->p;
    while (r->p < r->end && is_plain(*r->p)) {
        r->p++;
    }
    if (r->p == begin && *r->p == '\\') {
        return read_escape(r, to);
    }
    if (r->p == begin && (unsigned char)*r->p < 0x20) {
        return fail(r, r->p, "control character 0x%02X in a string; write it as \\u%04x",
                    (unsigned)(unsigned char)*r->p, (unsigned)(unsigned char)*r->p);
    }
    if (r->p == begin) {
        const size_t size = ut_utf8_size(r->p, r->end);
        if (size == 0) {
            return fail(r, r->p, "byte 0x%02X is not UTF-8; save the file as UTF-8",
                        (unsigned)(unsigned char)*r->p);
        }
        r->p += size;
    }
    memcpy(to->data + to->size, begin, (size_t)(r->p - begin));
    to->size += (size_t)(r->p - begin);
    return UT_OK;
}

// Bytes of the string that begins at `p`, with its escapes. Unescaped it is never longer. A control
// character ends the count, because read_characters rejects it.
static size_t escaped_size(const char* p, const char* end)
{
    const char* begin = p;
    while (p < end && *p != '"' && (unsigned char)*p >= 0x20) {
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    }
    return (size_t)(p - begin);
}

static utStatus read_string(Reader* r, utText* string)
{
    const char* quote = r->p;
    r->p++;
    String to = {ut_arena_pack(&r->arena, escaped_size(r->p, r->end) + 1, 1), 0};
    if (to.data == NULL) {
        return fail_full(r);
    }
    while (r->p < r->end && *r->p != '"') {
        UT_TRY(read_characters(r, &to));
    }
    if (r->p == r->end) {
        return fail(r, quote, "string without closing '\"'; found end of file");
    }
    r->p++;

    // give back the bytes that the escapes saved
    to.data[to.size] = 0;
    r->arena.next = (unsigned char*)to.data + to.size + 1;
    *string = (utText){to.data, to.size};
    return UT_OK;
}

// ---- numbers and words --------------------------------------------------------------------------

static bool at_digit(const Reader* r)
{
    return r->p < r->end && *r->p >= '0' && *r->p <= '9';
}

static bool skip(Reader* r, char c)
{
    const bool there = r->p < r->end && *r->p == c;
    r->p += there;
    return there;
}

static utStatus skip_digits(Reader* r)
{
    if (!at_digit(r)) {
        return fail_expected(r, "a digit");
    }
    while (at_digit(r)) {
        r->p++;
    }
    return UT_OK;
}

// JSON allows fewer forms than ut_number_read, so its grammar is checked first.
static utStatus read_number(Reader* r, utJson* v)
{
    const char* begin = r->p;
    skip(r, '-');
    if (skip(r, '0')) {
        if (at_digit(r)) {
            return fail(r, begin, "number with a leading zero; leave the zero out");
        }
    } else {
        UT_TRY(skip_digits(r));
    }
    if (skip(r, '.')) {
        UT_TRY(skip_digits(r));
    }
    if (skip(r, 'e') || skip(r, 'E')) {
        if (!skip(r, '-')) {
            skip(r, '+');
        }
        UT_TRY(skip_digits(r));
    }

    v->type = UT_JSON_NUMBER;
    if (ut_number_read(begin, r->p, &v->number) != r->p) {
        return fail(r, begin, "number too large for a double; they end at 1.8e308");
    }
    return UT_OK;
}

static bool same(utText a, utText b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static utStatus read_word(Reader* r, utJson* v)
{
    utText word = {r->p, 0};
    while (word.data + word.size < r->end && is_letter(word.data[word.size])) {
        word.size++;
    }
    if (same(word, (utText){"null", 4})) {
        v->type = UT_JSON_NULL;
    } else if (same(word, (utText){"true", 4})) {
        v->type = UT_JSON_BOOL;
        v->boolean = true;
    } else if (same(word, (utText){"false", 5})) {
        v->type = UT_JSON_BOOL;
    } else {
        return fail(r, r->p, "unknown word '%.*s'; the words of JSON are true, false and null",
                    name_size(word), word.data);
    }
    r->p += word.size;
    return UT_OK;
}

// ---- keys ---------------------------------------------------------------------------------------

// The slot of `key` in the table, or the empty slot where it would go.
static const utJson** key_slot(const Keys* keys, utText key)
{
    const size_t mask = keys->slot_count - 1;
    size_t i = (size_t)ut_hash_bytes(UT_HASH_START, key.data, key.size) & mask;
    while (keys->slots[i] != NULL && !same(keys->slots[i]->key, key)) {
        i = (i + 1) & mask;
    }
    return &keys->slots[i];
}

// @return the member called `key`, or NULL
static const utJson* find_key(const utJson* object, const Keys* keys, utText key)
{
    if (keys->slots != NULL) {
        return *key_slot(keys, key);
    }
    const utJson* member = object->first;
    while (member != NULL && !same(member->key, key)) {
        member = member->next;
    }
    return member;
}

// Put the last member of the object into the table, which doubles when half full.
static utStatus remember_key(Reader* r, const utJson* object, const utJson* member, Keys* keys)
{
    const size_t count = (size_t)object->count;
    if (count <= MAX_SEARCHED_KEYS) {
        return UT_OK;
    }
    if (keys->slots != NULL && 2 * count <= keys->slot_count) {
        *key_slot(keys, member->key) = member;
        return UT_OK;
    }
    Keys table;
    const size_t slot_count = keys->slots == NULL ? 4 * MAX_SEARCHED_KEYS : 2 * keys->slot_count;
    if (!take_table(r, slot_count, &table)) {
        return fail_full(r);
    }
    return_table(r, *keys);
    *keys = table;
    for (const utJson* m = object->first; m != NULL; m = m->next) {
        *key_slot(keys, m->key) = m;
    }
    return UT_OK;
}

// ---- values -------------------------------------------------------------------------------------

static utStatus read_value(Reader* r, utJson* v);

static void skip_space(Reader* r)
{
    for (; r->p < r->end; r->p++) {
        if (*r->p == '\n') {
            r->line++;
            r->line_begin = r->p + 1;
        } else if (*r->p != ' ' && *r->p != '\t' && *r->p != '\r') {
            return;
        }
    }
}

// Append `member` to the list of its parent. @param last the last member so far, or NULL
static void link_member(utJson* parent, utJson* last, const utJson* member)
{
    if (last == NULL) {
        parent->first = member;
    } else {
        last->next = member;
    }
    parent->count++;
}

static utStatus read_array(Reader* r, utJson* v)
{
    v->type = UT_JSON_ARRAY;
    r->p++;
    skip_space(r);
    if (skip(r, ']')) {
        return UT_OK;
    }
    utJson* last = NULL;
    do {
        skip_space(r);
        utJson* member = take_node(r);
        if (member == NULL) {
            return fail_full(r);
        }
        UT_TRY(read_value(r, member));
        link_member(v, last, member);
        last = member;
        skip_space(r);
    } while (skip(r, ','));
    return skip(r, ']') ? UT_OK : fail_expected(r, "',' or ']'");
}

// Read a key and its colon.
static utStatus read_key(Reader* r, const utJson* object, const Keys* keys, utText* key)
{
    const char* begin = r->p;
    if (r->p == r->end || *r->p != '"') {
        return fail_expected(r, object->count > 0 ? "a key in double quotes"
                                                  : "a key in double quotes or '}'");
    }
    UT_TRY(read_string(r, key));
    const utJson* first = find_key(object, keys, *key);
    if (first != NULL) {
        return fail(r, begin, "duplicate key \"%.*s\"; its first value is on line %d",
                    name_size(*key), key->data, first->line);
    }
    skip_space(r);
    return skip(r, ':') ? UT_OK : fail_expected(r, "':' behind the key");
}

static utStatus read_members(Reader* r, utJson* v)
{
    Keys keys = {NULL, 0};
    utJson* last = NULL;
    do {
        skip_space(r);
        utText key;
        UT_TRY(read_key(r, v, &keys, &key));
        skip_space(r);
        utJson* member = take_node(r);
        if (member == NULL) {
            return fail_full(r);
        }
        member->key = key;
        UT_TRY(read_value(r, member));
        link_member(v, last, member);
        UT_TRY(remember_key(r, v, member, &keys));
        last = member;
        skip_space(r);
    } while (skip(r, ','));
    return_table(r, keys);
    return skip(r, '}') ? UT_OK : fail_expected(r, "',' or '}'");
}

static utStatus read_object(Reader* r, utJson* v)
{
    v->type = UT_JSON_OBJECT;
    r->p++;
    skip_space(r);
    if (skip(r, '}')) {
        return UT_OK;
    }
    return read_members(r, v);
}

static utStatus read_nested(Reader* r, utJson* v)
{
    if (r->depth == UT_JSON_DEPTH) {
        return fail(r, r->p, "nested deeper than %d; flatten the file", UT_JSON_DEPTH);
    }
    r->depth++;
    UT_TRY(*r->p == '[' ? read_array(r, v) : read_object(r, v));
    r->depth--;
    return UT_OK;
}

static utStatus read_value(Reader* r, utJson* v)
{
    const char c = r->p < r->end ? *r->p : 0;
    if (c == '[' || c == '{') {
        return read_nested(r, v);
    }
    if (c == '"') {
        v->type = UT_JSON_STRING;
        return read_string(r, &v->string);
    }
    if (c == '-' || at_digit(r)) {
        return read_number(r, v);
    }
    if (is_letter(c)) {
        return read_word(r, v);
    }
    return fail_expected(r, "a value");
}

static utStatus read_root(Reader* r, const utJson** root)
{
    if (r->end - r->p >= 3 && memcmp(r->p, "\xef\xbb\xbf", 3) == 0) {
        return fail(r, r->p, "begins with a byte order mark; save the file without it");
    }
    skip_space(r);
    if (r->p == r->end) {
        return fail(r, r->p, "empty file; expected a JSON value");
    }
    utJson* node = take_node(r);
    if (node == NULL) {
        return fail_full(r);
    }
    UT_TRY(read_value(r, node));
    skip_space(r);
    if (r->p < r->end) {
        return fail_expected(r, "end of file behind the value");
    }
    *root = node;
    return UT_OK;
}

utStatus ut_json_read(utText text, const char* file, utArena* keep, const utJson** root,
                      utError* err)
{
    // lines, columns and counts are ints
    if (text.size >= INT_MAX) {
        return ut_error_at(err, UT_ERR_FORMAT, file, 0, 0,
                           "longer than 2 GiB; split the file into smaller ones");
    }
    const char* begin = text.size > 0 ? text.data : "";
    Reader r = {
        .p = begin,
        .end = begin + text.size,
        .line_begin = begin,
        .line = 1,
        .file = file,
        .arena = *keep,
        .err = err,
    };
    const utJson* tree = NULL;
    UT_TRY(read_root(&r, &tree));

    // outputs change only when the tree is complete
    *keep = r.arena;
    *root = tree;
    return UT_OK;
}

const utJson* ut_json_member(const utJson* object, const char* key)
{
    if (object == NULL || object->type != UT_JSON_OBJECT) {
        return NULL;
    }
    return find_key(object, &(Keys){NULL, 0}, (utText){key, strlen(key)});
}
