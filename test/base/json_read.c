// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/json.h>

static utText text_of(const char* text)
{
    return (utText){text, strlen(text)};
}

// The tree of a text; NULL and a failed check when it cannot be read.
static const utJson* tree_of(const char* text)
{
    static utArena keep;
    keep = test_arena();
    const utJson* root = NULL;
    utError err = {0};
    if (!CHECK(ut_json_read(text_of(text), "t.json", &keep, &root, &err) == UT_OK)) {
        test_note("%d:%d: %s in %s", err.line, err.column, err.message, text);
    }
    return root;
}

// "line:col: error: message" of a text that must not be read.
static const char* complaint(utText text)
{
    static char line[600];
    utArena keep = test_arena();
    const utArena before = keep;
    const utJson* root = NULL;
    utError err = {0};
    CHECK(ut_json_read(text, NULL, &keep, &root, &err) == UT_ERR_FORMAT);
    CHECK(err.status == UT_ERR_FORMAT);
    CHECK(root == NULL && keep.next == before.next);
    ut_error_format(&err, line, sizeof line);
    return line;
}

static const char* complaint_about(const char* text)
{
    return complaint(text_of(text));
}

static bool is_string(const utJson* v, const char* want)
{
    return v != NULL && v->type == UT_JSON_STRING && v->string.size == strlen(want) &&
           memcmp(v->string.data, want, v->string.size + 1) == 0;
}

// ---- what is read -------------------------------------------------------------------------------

TEST(each_type_of_value_is_read)
{
    const utJson* v = tree_of("null");
    CHECK(v->type == UT_JSON_NULL);
    v = tree_of("true");
    CHECK(v->type == UT_JSON_BOOL && v->boolean);
    v = tree_of("false");
    CHECK(v->type == UT_JSON_BOOL && !v->boolean);
    v = tree_of("-12.5e-1");
    CHECK(v->type == UT_JSON_NUMBER);
    CHECK_NEAR(v->number, -1.25, 0.0);
    v = tree_of("\"hello\"");
    CHECK(is_string(v, "hello"));
    v = tree_of("[]");
    CHECK(v->type == UT_JSON_ARRAY && v->count == 0 && v->first == NULL);
    v = tree_of(" { \t\r\n } ");
    CHECK(v->type == UT_JSON_OBJECT && v->count == 0 && v->first == NULL);
}

TEST(members_hang_in_file_order)
{
    const utJson* v = tree_of("[1, [2, 3], {\"a\": 4}, 5]");
    CHECK_INT(v->count, 4);
    const utJson* one = v->first;
    CHECK_NEAR(one->number, 1.0, 0.0);
    const utJson* pair = one->next;
    CHECK(pair->type == UT_JSON_ARRAY && pair->count == 2);
    CHECK_NEAR(pair->first->number, 2.0, 0.0);
    CHECK_NEAR(pair->first->next->number, 3.0, 0.0);
    CHECK(pair->first->next->next == NULL);
    const utJson* object = pair->next;
    CHECK(object->type == UT_JSON_OBJECT && object->count == 1);
    CHECK_NEAR(object->next->number, 5.0, 0.0);
    CHECK(object->next->next == NULL);
}

TEST(members_are_found_by_their_key)
{
    const utJson* v = tree_of("{\"a\": 1, \"\": 2, \"a\\u0000b\": 3, \"\xc3\xa9\": 4, \"ab\": 5}");
    CHECK_INT(v->count, 5);
    CHECK_NEAR(ut_json_member(v, "a")->number, 1.0, 0.0);
    CHECK_NEAR(ut_json_member(v, "")->number, 2.0, 0.0);
    CHECK_NEAR(ut_json_member(v, "\xc3\xa9")->number, 4.0, 0.0);
    CHECK_NEAR(ut_json_member(v, "ab")->number, 5.0, 0.0);
    CHECK(ut_json_member(v, "b") == NULL);
    CHECK(ut_json_member(v->first, "a") == NULL);
    CHECK(ut_json_member(NULL, "a") == NULL);
    CHECK_TEXT(v->first->key.data, "a");
}

TEST(every_value_knows_its_line_and_column)
{
    const utJson* v = tree_of("\n {\"a\":\n\t[10,\r\n20 ], \"b\": \"\xc3\xa9\", \"c\": null}");
    CHECK_INT(v->line, 2);
    CHECK_INT(v->column, 2);
    const utJson* a = ut_json_member(v, "a");
    CHECK_INT(a->line, 3);
    CHECK_INT(a->column, 2);
    CHECK_INT(a->first->line, 3);
    CHECK_INT(a->first->column, 3);
    CHECK_INT(a->first->next->line, 4);
    CHECK_INT(a->first->next->column, 1);
    // columns count bytes: 20 ], "b": "..", "c": null
    CHECK_INT(ut_json_member(v, "b")->column, 12);
    CHECK_INT(ut_json_member(v, "c")->column, 23);
}

TEST(escapes_stand_for_their_characters)
{
    CHECK(is_string(tree_of("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "\"\\/\b\f\n\r\t"));
    CHECK(is_string(tree_of("\"\\u0041\\u00e9\\u20AC\""), "A\xc3\xa9\xe2\x82\xac"));
    CHECK(is_string(tree_of("\"\\u007f\\u0080\\u07ff\\u0800\\uffff\""),
                    "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"));
    // U+1F600 is d83d de00, U+10000 the first pair and U+10FFFF the last
    CHECK(is_string(tree_of("\"x\\ud83d\\ude00y\""), "x\xf0\x9f\x98\x80y"));
    CHECK(
        is_string(tree_of("\"\\uD800\\uDC00\\uDBFF\\uDFFF\""), "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"));
    CHECK(is_string(tree_of("\"\xf0\x9f\x98\x80\""), "\xf0\x9f\x98\x80"));

    const utJson* zero = tree_of("\"a\\u0000b\"");
    CHECK_INT(zero->string.size, 3);
    CHECK(memcmp(zero->string.data, "a\0b", 4) == 0);
}

TEST(numbers_are_read_to_the_last_bit)
{
    CHECK_NEAR(tree_of("0.1")->number, 0.1, 0.0);
    CHECK_NEAR(tree_of("9007199254740993")->number, 9007199254740992.0, 0.0);
    CHECK_NEAR(tree_of("1E+2")->number, 100.0, 0.0);
    CHECK_NEAR(tree_of("0e5")->number, 0.0, 0.0);
    CHECK(signbit(tree_of("-0")->number) != 0);
    CHECK_NEAR(tree_of("1e-999")->number, 0.0, 0.0);
}

TEST(a_tree_borrows_nothing_from_its_text)
{
    char text[] = "{\"key\": \"value\"}";
    utArena keep = test_arena();
    const utJson* root;
    CHECK(ut_json_read(text_of(text), NULL, &keep, &root, NULL) == UT_OK);
    memset(text, '#', sizeof text - 1);
    CHECK(is_string(ut_json_member(root, "key"), "value"));
}

// ---- what is refused ----------------------------------------------------------------------------

TEST(a_missing_comma_or_bracket_is_pointed_at)
{
    CHECK_TEXT(complaint_about("[1, 2"), "1:6: error: expected ',' or ']'; found end of file");
    CHECK_TEXT(complaint_about("[1 2]"), "1:4: error: expected ',' or ']'; found '2'");
    CHECK_TEXT(complaint_about("[1,\n 2}"), "2:3: error: expected ',' or ']'; found '}'");
    CHECK_TEXT(complaint_about("{\"a\": 1"), "1:8: error: expected ',' or '}'; found end of file");
    CHECK_TEXT(complaint_about("{\"a\" 1}"), "1:6: error: expected ':' behind the key; found '1'");
    CHECK_TEXT(complaint_about("[1,]"), "1:4: error: expected a value; found ']'");
    CHECK_TEXT(complaint_about("["), "1:2: error: expected a value; found end of file");
    CHECK_TEXT(complaint_about("[\x01"), "1:2: error: expected a value; found byte 0x01");
    CHECK_TEXT(complaint_about("[\xff"), "1:2: error: expected a value; found byte 0xFF");
    CHECK_TEXT(complaint_about("['a']"), "1:2: error: expected a value; found '''");
    CHECK_TEXT(complaint_about("[\xc3\xa9]"), "1:2: error: expected a value; found '\xc3\xa9'");
}

TEST(a_key_must_be_a_string)
{
    CHECK_TEXT(complaint_about("{a: 1}"),
               "1:2: error: expected a key in double quotes or '}'; found 'a'");
    CHECK_TEXT(complaint_about("{\"a\": 1,}"),
               "1:9: error: expected a key in double quotes; found '}'");
    CHECK_TEXT(complaint_about("{"),
               "1:2: error: expected a key in double quotes or '}'; found end of file");
    CHECK_TEXT(complaint_about("{\"a\":}"), "1:6: error: expected a value; found '}'");
}

TEST(an_empty_file_says_so)
{
    CHECK_TEXT(complaint_about(""), "1:1: error: empty file; expected a JSON value");
    CHECK_TEXT(complaint((utText){NULL, 0}), "1:1: error: empty file; expected a JSON value");
    CHECK_TEXT(complaint_about(" \n\t"), "2:2: error: empty file; expected a JSON value");
}

TEST(only_white_space_may_follow_the_value)
{
    CHECK_TEXT(complaint_about("1 2"),
               "1:3: error: expected end of file behind the value; found '2'");
    CHECK_TEXT(complaint_about("{}\n}"),
               "2:1: error: expected end of file behind the value; found '}'");
    CHECK_TEXT(complaint((utText){"1\0", 2}),
               "1:2: error: expected end of file behind the value; found byte 0x00");
    CHECK_TEXT(complaint_about("\xef\xbb\xbf[]"),
               "1:1: error: begins with a byte order mark; save the file without it");
}

TEST(a_duplicate_key_is_named_with_the_line_of_the_first)
{
    CHECK_TEXT(complaint_about("{\"b\": 1,\n \"a\": 2,\n \"b\": 3}"),
               "3:2: error: duplicate key \"b\"; its first value is on line 1");
    // the same character, once escaped
    CHECK_TEXT(complaint_about("{\"\\u0062\": 1, \"b\": 3}"),
               "1:15: error: duplicate key \"b\"; its first value is on line 1");
    // in another object it is another key
    tree_of("{\"a\": {\"a\": [{\"a\": 1}, {\"a\": 2}]}}");
}

TEST(a_long_key_is_cut_in_the_message)
{
    char key[200] = "";
    for (int i = 0; i < 50; i++) {
        strcat(key, "\xe2\x82\xac");
    }
    char text[500];
    snprintf(text, sizeof text, "{\"%s\": 1, \"%s\": 2}", key, key);
    const char* message = complaint_about(text);
    CHECK(strstr(message, "duplicate key \"\xe2\x82\xac") != NULL);
    CHECK(strstr(message, "\xe2\x82\xac\"; its first value is on line 1") != NULL);
}

// Keys "0", "1", ... and one of them again at the end.
TEST(duplicate_keys_are_found_in_large_objects_too)
{
    enum { COUNT = 100000 };
    static char text[COUNT * 24];
    for (int twin = 0; twin < COUNT; twin += COUNT / 7) {
        size_t used = (size_t)sprintf(text, "{\n");
        for (int i = 0; i < COUNT; i++) {
            used += (size_t)sprintf(text + used, "\"%d\":{\"x\":[%d]},\n", i, i);
        }
        sprintf(text + used, "\"%d\":0}", twin);
        char want[100];
        snprintf(want, sizeof want,
                 "%d:1: error: duplicate key \"%d\"; its first value is on line %d", COUNT + 2,
                 twin, twin + 2);
        CHECK_TEXT(complaint_about(text), want);
    }

    // and without the twin nothing is wrong
    strcpy(strrchr(text, '\n'), "\"x\":0}");
    const utJson* v = tree_of(text);
    CHECK_INT(v->count, COUNT + 1);
    CHECK_NEAR(ut_json_member(v, "77777")->first->first->number, 77777.0, 0.0);
}

TEST(numbers_follow_the_grammar_of_json)
{
    CHECK_TEXT(complaint_about("01"), "1:1: error: number with a leading zero; leave the zero out");
    CHECK_TEXT(complaint_about("-01"),
               "1:1: error: number with a leading zero; leave the zero out");
    CHECK_TEXT(complaint_about("+1"), "1:1: error: expected a value; found '+'");
    CHECK_TEXT(complaint_about(".5"), "1:1: error: expected a value; found '.'");
    CHECK_TEXT(complaint_about("5."), "1:3: error: expected a digit; found end of file");
    CHECK_TEXT(complaint_about("-"), "1:2: error: expected a digit; found end of file");
    CHECK_TEXT(complaint_about("-x"), "1:2: error: expected a digit; found 'x'");
    CHECK_TEXT(complaint_about("[1e]"), "1:4: error: expected a digit; found ']'");
    CHECK_TEXT(complaint_about("[1e+-1]"), "1:5: error: expected a digit; found '-'");
    CHECK_TEXT(complaint_about("[0x1]"), "1:3: error: expected ',' or ']'; found 'x'");
    CHECK_TEXT(complaint_about("[1, -1e309]"),
               "1:5: error: number too large for a double; they end at 1.8e308");
}

TEST(words_that_json_does_not_have_are_named)
{
    CHECK_TEXT(complaint_about("[NaN]"),
               "1:2: error: unknown word 'NaN'; the words of JSON are true, false and null");
    CHECK_TEXT(complaint_about("nul"),
               "1:1: error: unknown word 'nul'; the words of JSON are true, false and null");
    CHECK_TEXT(complaint_about("truex"),
               "1:1: error: unknown word 'truex'; the words of JSON are true, false and null");
    CHECK_TEXT(complaint_about("-Infinity"), "1:2: error: expected a digit; found 'I'");
}

TEST(strings_hold_no_control_characters)
{
    CHECK_TEXT(complaint_about("\"a\nb\""),
               "1:3: error: control character 0x0A in a string; write it as \\u000a");
    CHECK_TEXT(complaint((utText){"\"a\0b\"", 5}),
               "1:3: error: control character 0x00 in a string; write it as \\u0000");
    CHECK(is_string(tree_of("\"\x7f\""), "\x7f")); // this one is allowed
}

TEST(strings_hold_only_utf8)
{
    CHECK_TEXT(complaint_about("\"a\x80\""),
               "1:3: error: byte 0x80 is not UTF-8; save the file as UTF-8");
    CHECK_TEXT(complaint_about("\"\xe9t\xe9\""),
               "1:2: error: byte 0xE9 is not UTF-8; save the file as UTF-8");
    CHECK_TEXT(complaint_about("\"\xc0\xaf\""),
               "1:2: error: byte 0xC0 is not UTF-8; save the file as UTF-8");
    CHECK_TEXT(complaint_about("\"\xed\xa0\x80\""),
               "1:2: error: byte 0xED is not UTF-8; save the file as UTF-8");
    CHECK_TEXT(complaint_about("\"\xe2\x82"),
               "1:2: error: byte 0xE2 is not UTF-8; save the file as UTF-8");
}

TEST(a_string_that_does_not_close_is_pointed_at_where_it_opens)
{
    CHECK_TEXT(complaint_about("[\"abc"),
               "1:2: error: string without closing '\"'; found end of file");
    CHECK_TEXT(complaint_about("\"a\\\""),
               "1:1: error: string without closing '\"'; found end of file");
}

TEST(escapes_that_json_does_not_have_are_refused)
{
    CHECK_TEXT(complaint_about("\"a\\x41\""), "1:3: error: unknown escape in a string; a "
                                              "backslash itself is written '\\\\'");
    CHECK_TEXT(complaint_about("\"a\\"), "1:3: error: unknown escape in a string; a "
                                         "backslash itself is written '\\\\'");
    CHECK_TEXT(complaint_about("\"\\u12g4\""), "1:2: error: '\\u' without four hexadecimal "
                                               "digits; write it like \\u00e9");
    CHECK_TEXT(complaint_about("\"\\u12"), "1:2: error: '\\u' without four hexadecimal "
                                           "digits; write it like \\u00e9");
}

TEST(a_surrogate_needs_its_other_half)
{
    static const char* const lone[] = {"\"\\ud83d\"",        "\"\\ud83dx\"",
                                       "\"\\ud83d\\n\"",     "\"\\ud83d\\u0041\"",
                                       "\"\\ud83d\\ud83d\"", "\"\\ud83d\\u12\""};
    for (size_t i = 0; i < sizeof lone / sizeof lone[0]; i++) {
        CHECK(strstr(complaint_about(lone[i]), "1:2: error: lone surrogate \\ud83d;") != NULL);
    }
    CHECK(strstr(complaint_about("\"\\ude00\\ud83d\""), "lone surrogate \\ude00;") != NULL);
}

static char* nested(int depth, char* text)
{
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    text[2 * depth] = 0;
    return text;
}

TEST(nesting_goes_64_deep_and_no_deeper)
{
    char text[500];
    const utJson* v = tree_of(nested(64, text));
    int depth = 0;
    for (; v != NULL; v = v->first) {
        depth++;
    }
    CHECK_INT(depth, 64);
    CHECK_TEXT(complaint_about(nested(65, text)),
               "1:65: error: nested deeper than 64; flatten the file");

    // one behind the other they are not nested
    strcpy(text, "[");
    for (int i = 0; i < 100; i++) {
        strcat(text, "[],");
    }
    strcat(text, "1]");
    CHECK_INT(tree_of(text)->count, 101);
}

// ---- memory -------------------------------------------------------------------------------------

TEST(an_arena_that_is_too_small_is_a_status_at_every_size)
{
    const char* text = "{\"a\": [1, \"two\", {\"three\": null}], \"b\\n\": \"\\u20ac\","
                       "\"c1\":1,\"c2\":1,\"c3\":1,\"c4\":1,\"c5\":1,\"c6\":1,\"c7\":1,\"c8\":1,"
                       "\"d1\":1,\"d2\":1,\"d3\":1,\"d4\":1,\"d5\":1,\"d6\":1,\"d7\":1,\"d8\":1}";
    size_t size = 0;
    utStatus status = UT_ERR_CAPACITY;
    for (; status != UT_OK && size < 10000; size++) {
        // memory of its own, so that a sanitizer sees a step beyond
        unsigned char* memory = malloc(size + 1);
        utArena keep = ut_arena_on(memory, size);
        const utJson* root = NULL;
        utError err = {0};
        status = ut_json_read(text_of(text), "t.json", &keep, &root, &err);
        CHECK(status == UT_OK || status == UT_ERR_CAPACITY);
        CHECK(status == UT_OK || (keep.next == memory && root == NULL && err.line == 1));
        CHECK(keep.end == memory + size);
        free(memory);
    }
    // 24 values of 80 bytes, 60 bytes of strings, a table of 64 pointers
    CHECK(size > 1000 && size < 3000);
}

// Objects of 1, 2, ... 100 members, whose key tables grow and are used again.
TEST(a_tree_of_any_size_grows_out_of_a_small_arena)
{
    enum { OBJECTS = 100 };
    utArena memory, keep;
    CHECK(ut_arena_create((size_t)1 << 20, NULL, &memory) == UT_OK);
    char* text = ut_arena_push(&memory, (size_t)1 << 19, 1);
    size_t size = (size_t)sprintf(text, "[");
    for (int n = 1; n <= OBJECTS; n++) {
        for (int k = 0; k < n; k++) {
            size += (size_t)sprintf(text + size, "%c\"key\\u00e9%d\":[\"\\u20ac%d\",%d]",
                                    k == 0 ? '{' : ',', k, n, k);
        }
        size += (size_t)sprintf(text + size, "}%c", n < OBJECTS ? ',' : ']');
    }

    CHECK(ut_arena_create(64, NULL, &keep) == UT_OK);
    const utJson* root = NULL;
    CHECK(ut_json_read((utText){text, size}, NULL, &keep, &root, NULL) == UT_OK);
    CHECK_INT(root->count, OBJECTS);
    int n = 0;
    for (const utJson* object = root->first; object != NULL; object = object->next) {
        n++;
        CHECK_INT(object->count, n);
        for (int k = 0; k < n; k++) {
            char key[32], string[32];
            sprintf(key, "key\xc3\xa9%d", k);
            sprintf(string, "\xe2\x82\xac%d", n);
            const utJson* member = ut_json_member(object, key);
            if (CHECK(member != NULL)) {
                CHECK_TEXT(member->first->string.data, string);
                CHECK_NEAR(member->first->next->number, k, 0.0);
            }
        }
    }
    // the tree and strings, about as much again in blocks that doubled, and few tables
    CHECK(ut_arena_peak(&keep) < 4 * (5050 * 3 + 101) * sizeof(utJson));
    ut_arena_destroy(&keep);
    ut_arena_destroy(&memory);
}

TEST(a_million_numbers_take_a_million_nodes_and_no_more)
{
    enum { COUNT = 1000000 };
    utArena keep = test_arena();
    char* text = ut_arena_push(&keep, COUNT, 12);
    size_t used = (size_t)sprintf(text, "[");
    for (int i = 0; i < COUNT; i++) {
        used += (size_t)sprintf(text + used, "%d.25,", i);
    }
    text[used - 1] = ']';

    const utArena before = keep;
    const utJson* v = NULL;
    CHECK(ut_json_read((utText){text, used}, NULL, &keep, &v, NULL) == UT_OK);
    CHECK_INT(v->count, COUNT);
    CHECK((size_t)(keep.next - before.next) <= (COUNT + 2) * sizeof(utJson));
    double sum = 0.0;
    for (const utJson* m = v->first; m != NULL; m = m->next) {
        sum += m->number;
    }
    // 0 + 1 + ... + 999999 and a million quarters
    CHECK_NEAR(sum, 499999500000.0 + 250000.0, 0.0);
}
