// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/json.h>

// A sink that keeps what it is given, as long as it has room.
typedef struct Buffer {
    char text[4096];
    size_t size;
    size_t room;
} Buffer;

static bool buffer_sink(void* context, const char* text, size_t size)
{
    Buffer* buffer = context;
    if (size > buffer->room - buffer->size) {
        return false;
    }
    memcpy(buffer->text + buffer->size, text, size);
    buffer->size += size;
    buffer->text[buffer->size] = 0;
    return true;
}

static utJsonWriter writer_on(Buffer* buffer)
{
    *buffer = (Buffer){.room = sizeof buffer->text - 1};
    return ut_json_writer(buffer_sink, buffer);
}

TEST(a_document_is_written_with_its_commas_and_quotes)
{
    Buffer out;
    utJsonWriter w = writer_on(&out);
    ut_json_object_begin(&w);
    ut_json_key(&w, "model");
    ut_json_string(&w, "ball.xml");
    ut_json_key(&w, "steps");
    ut_json_integer(&w, 100);
    ut_json_key(&w, "dt");
    ut_json_number(&w, 0.001);
    ut_json_key(&w, "ok");
    ut_json_bool(&w, true);
    ut_json_key(&w, "note");
    ut_json_null(&w);
    ut_json_key(&w, "rungs");
    ut_json_object_begin(&w);
    ut_json_object_end(&w);
    ut_json_key(&w, "z");
    ut_json_array_begin(&w);
    ut_json_bool(&w, false);
    ut_json_doubles(&w, (const double[]){1, 2.5, -3}, 3);
    ut_json_doubles(&w, NULL, 0);
    ut_json_array_end(&w);
    CHECK(!ut_json_ok(&w));
    ut_json_object_end(&w);
    CHECK(ut_json_ok(&w));
    CHECK_TEXT(out.text, "{\"model\":\"ball.xml\",\"steps\":100,\"dt\":0.001,\"ok\":true,"
                         "\"note\":null,\"rungs\":{},\"z\":[false,[1,2.5,-3],[]]}");
}

TEST(strings_are_escaped)
{
    Buffer out;
    utJsonWriter w = writer_on(&out);
    ut_json_string(&w, "a\"b\\c/\n\t\r\x01\x1f\x7f\xc3\xa9\xf0\x9f\x98\x80");
    CHECK(ut_json_ok(&w));
    CHECK_TEXT(out.text, "\"a\\\"b\\\\c/\\n\\t\\u000d\\u0001\\u001f\x7f\xc3\xa9\xf0\x9f\x98\x80\"");
}

TEST(bytes_that_are_not_utf8_become_replacement_characters)
{
    Buffer out;
    utJsonWriter w = writer_on(&out);
    ut_json_string(&w, "a\xff"
                       "b\xe2\x82");
    CHECK(ut_json_ok(&w));
    CHECK_TEXT(out.text, "\"a\xef\xbf\xbd"
                         "b\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(a_string_that_is_not_there_is_null)
{
    Buffer out;
    utJsonWriter w = writer_on(&out);
    ut_json_string(&w, NULL);
    CHECK(ut_json_ok(&w));
    CHECK_TEXT(out.text, "null");
}

TEST(numbers_are_written_short_and_integers_exactly)
{
    Buffer out;
    utJsonWriter w = writer_on(&out);
    ut_json_array_begin(&w);
    ut_json_number(&w, 5.0);
    ut_json_number(&w, 0.1);
    ut_json_number(&w, -0.0);
    ut_json_number(&w, 1e300);
    ut_json_number(&w, (double)NAN);
    ut_json_number(&w, HUGE_VAL);
    ut_json_number(&w, -HUGE_VAL);
    ut_json_integer(&w, INT64_MIN);
    ut_json_integer(&w, INT64_MAX);
    ut_json_array_end(&w);
    CHECK(ut_json_ok(&w));
    CHECK_TEXT(out.text, "[5,0.1,-0,1e+300,null,null,null,-9223372036854775808,"
                         "9223372036854775807]");
}

TEST(a_sink_that_fails_is_remembered_and_left_alone)
{
    Buffer out;
    utJsonWriter w = writer_on(&out);
    out.room = 5;
    ut_json_array_begin(&w);
    ut_json_integer(&w, 12);
    ut_json_integer(&w, 3456);
    ut_json_integer(&w, 7); // would fit
    ut_json_array_end(&w);
    CHECK(!ut_json_ok(&w));
    CHECK_TEXT(out.text, "[12,");
}

TEST(nesting_goes_64_deep_and_fails_beyond)
{
    Buffer out;
    utJsonWriter w = writer_on(&out);
    for (int i = 0; i < 64; i++) {
        ut_json_array_begin(&w);
    }
    CHECK(!w.failed);
    for (int i = 0; i < 64; i++) {
        ut_json_array_end(&w);
    }
    CHECK(ut_json_ok(&w));
    CHECK_INT(out.size, 128);

    w = writer_on(&out);
    for (int i = 0; i < 1000; i++) {
        ut_json_array_begin(&w);
    }
    for (int i = 0; i < 1000; i++) {
        ut_json_array_end(&w);
    }
    CHECK(!ut_json_ok(&w));
}

// One letter a call: { } [ ] as they are, k a key, v a value.
static bool writes(const char* calls)
{
    Buffer out;
    utJsonWriter w = writer_on(&out);
    for (const char* c = calls; *c != 0; c++) {
        switch (*c) {
        case '{':
            ut_json_object_begin(&w);
            break;
        case '}':
            ut_json_object_end(&w);
            break;
        case '[':
            ut_json_array_begin(&w);
            break;
        case ']':
            ut_json_array_end(&w);
            break;
        case 'k':
            ut_json_key(&w, "k");
            break;
        default:
            ut_json_integer(&w, 1);
            break;
        }
    }
    return ut_json_ok(&w);
}

TEST(calls_that_make_no_json_are_not_ok)
{
    CHECK(writes("v"));
    CHECK(writes("[vv]"));
    CHECK(writes("{kvk[]k{}}"));
    static const char* const wrong[] = {"",      "[",   "{",    "]",   "}",     "[}",  "{]",
                                        "k",     "vv",  "[]v",  "[k]", "{v}",   "{k}", "{kk}",
                                        "{kvv}", "[]]", "[][]", "k[]", "{k[}]", "[v"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (!CHECK(!writes(wrong[i]))) {
            test_note("%s", wrong[i]);
        }
    }
    Buffer out;
    utJsonWriter w = writer_on(&out);
    ut_json_object_begin(&w);
    ut_json_key(&w, NULL);
    CHECK(w.failed);
}
