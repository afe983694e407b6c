// SPDX-License-Identifier: Apache-2.0
// Writes JSON, one call per value. A wrong order of calls makes the writer fail, so ut_json_ok is
// true for valid JSON only.
#include "internal.h"

#include <uptack/json.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

utJsonWriter ut_json_writer(utJsonSink sink, void* context)
{
    return (utJsonWriter){.sink = sink, .context = context};
}

static void put(utJsonWriter* w, const char* text, size_t size)
{
    if (!w->failed && size > 0) {
        w->failed = !w->sink(w->context, text, size);
    }
}

static bool in_object(const utJsonWriter* w)
{
    return w->depth > 0 && w->is_object[w->depth - 1];
}

// Put a comma before every member but the first.
static void put_comma(utJsonWriter* w)
{
    bool* has_member = &w->has_member[w->depth - 1];
    if (*has_member) {
        put(w, ",", 1);
    }
    *has_member = true;
}

// Put the comma before a value that has no key, and fail where no value may follow.
static void value_begin(utJsonWriter* w)
{
    const bool misplaced = w->depth == 0 ? w->has_root : in_object(w) && !w->after_key;
    if (misplaced) {
        w->failed = true;
    }
    if (w->depth > 0 && !w->after_key) {
        put_comma(w);
    }
    w->has_root = true;
    w->after_key = false;
}

static void put_value(utJsonWriter* w, const char* text, size_t size)
{
    value_begin(w);
    put(w, text, size);
}

static void begin(utJsonWriter* w, bool is_object)
{
    put_value(w, is_object ? "{" : "[", 1);
    if (w->depth == UT_JSON_DEPTH) {
        w->failed = true;
    }
    // after a failure the depth does not change, so the arrays are never exceeded
    if (!w->failed) {
        w->is_object[w->depth] = is_object;
        w->has_member[w->depth] = false;
        w->depth++;
    }
}

static void end(utJsonWriter* w, bool is_object)
{
    if (w->depth == 0 || in_object(w) != is_object || w->after_key) {
        w->failed = true;
    }
    put(w, is_object ? "}" : "]", 1);
    if (!w->failed) {
        w->depth--;
    }
}

void ut_json_object_begin(utJsonWriter* w)
{
    begin(w, true);
}

void ut_json_object_end(utJsonWriter* w)
{
    end(w, true);
}

void ut_json_array_begin(utJsonWriter* w)
{
    begin(w, false);
}

void ut_json_array_end(utJsonWriter* w)
{
    end(w, false);
}

static bool is_plain(char c)
{
    const unsigned char byte = (unsigned char)c;
    return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

// Put a character that JSON requires to be escaped: a quote, a backslash or a control character.
static void put_escaped(utJsonWriter* w, char c)
{
    char text[8];
    int size;
    switch (c) {
    case '"':
    case '\\':
        size = snprintf(text, sizeof text, "\\%c", c);
        break;
    case '\n':
        size = snprintf(text, sizeof text, "\\n");
        break;
    case '\t':
        size = snprintf(text, sizeof text, "\\t");
        break;
    default:
        size = snprintf(text, sizeof text, "\\u%04x", (unsigned)(unsigned char)c);
        break;
    }
    put(w, text, (size_t)size);
}

static void put_string(utJsonWriter* w, const char* string)
{
    const char* last = string + strlen(string);
    put(w, "\"", 1);
    for (const char* p = string; p < last;) {
        const char* run = p;
        while (p < last && is_plain(*p)) {
            p++;
        }
        put(w, run, (size_t)(p - run));
        if (p == last) {
            break;
        }
        const size_t size = ut_utf8_size(p, last);
        if (size > 1) {
            put(w, p, size);
        } else if (size == 1) {
            put_escaped(w, *p);
        } else {
            put(w, "\xef\xbf\xbd", 3); // U+FFFD for bytes that are not UTF-8
        }
        p += size > 0 ? size : 1;
    }
    put(w, "\"", 1);
}

void ut_json_key(utJsonWriter* w, const char* key)
{
    if (!in_object(w) || w->after_key || key == NULL) {
        w->failed = true;
        return;
    }
    put_comma(w);
    put_string(w, key);
    put(w, ":", 1);
    w->after_key = true;
}

void ut_json_string(utJsonWriter* w, const char* string)
{
    if (string == NULL) {
        ut_json_null(w);
        return;
    }
    value_begin(w);
    put_string(w, string);
}

void ut_json_number(utJsonWriter* w, double value)
{
    if (!isfinite(value)) {
        ut_json_null(w);
        return;
    }
    char text[UT_NUMBER_SIZE];
    const int size = ut_number_write_short(value, text);
    put_value(w, text, (size_t)size);
}

void ut_json_integer(utJsonWriter* w, int64_t value)
{
    char text[UT_NUMBER_SIZE];
    const int size = snprintf(text, sizeof text, "%" PRId64, value);
    put_value(w, text, (size_t)size);
}

void ut_json_bool(utJsonWriter* w, bool value)
{
    put_value(w, value ? "true" : "false", value ? 4 : 5);
}

void ut_json_null(utJsonWriter* w)
{
    put_value(w, "null", 4);
}

void ut_json_doubles(utJsonWriter* w, const double* values, int count)
{
    ut_json_array_begin(w);
    for (int i = 0; i < count; i++) {
        ut_json_number(w, values[i]);
    }
    ut_json_array_end(w);
}

bool ut_json_ok(const utJsonWriter* w)
{
    return !w->failed && w->has_root && w->depth == 0;
}
