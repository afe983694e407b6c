// SPDX-License-Identifier: Apache-2.0
// What is refused, with which message and where; limits; and random bytes.
#include <uptack/expression.h>

#include "la/expression/operations.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

// ---- messages -----------------------------------------------------------------------------------

static void check_refused(utText text, int column, const char* message)
{
    utArena keep = test_arena();
    const utArena before = keep;
    utExpression e = {NULL, -7};
    utError err = {0};
    const bool ok = CHECK(ut_expression_read(text, &keep, &e, &err) == UT_ERR_FORMAT) &&
                    CHECK_INT(err.column, column) && CHECK_TEXT(err.message, message);
    if (!ok) {
        test_note("%.*s", (int)text.size, text.data);
    }
    CHECK(err.status == UT_ERR_FORMAT && err.line == 1);
    CHECK(keep.next == before.next && e.count == -7);
    // a message is not needed
    CHECK(ut_expression_read(text, &keep, &e, NULL) == UT_ERR_FORMAT);
}

static void refused(const char* text, int column, const char* message)
{
    check_refused((utText){text, strlen(text)}, column, message);
}

#define OPERAND "expected a number, t, pi, a function or '('; found "
#define KNOWN                                                                                    \
    " is not known; there are t, pi, sin, cos, tan, exp, log, sqrt, abs, min, max, clamp, step " \
    "and atan2"

TEST(an_operand_is_missing)
{
    refused("", 1, "the expression is empty; write 0 for nothing");
    refused("  \t ", 1, "the expression is empty; write 0 for nothing");
    check_refused((utText){NULL, 0}, 1, "the expression is empty; write 0 for nothing");
    refused("1 +", 4, OPERAND "the end");
    refused("1 + ", 5, OPERAND "the end");
    refused("2**3", 3, OPERAND "'*'");
    refused("*2", 1, OPERAND "'*'");
    refused("-", 2, OPERAND "the end");
    refused("()", 2, OPERAND "')'");
    refused("sin()", 5, OPERAND "')'");
    refused("min(,1)", 5, OPERAND "','");
    refused("2^", 3, OPERAND "the end");
    refused("$x", 1, OPERAND "'$'");
    refused("t + \xe2\x88\x92 1", 5, OPERAND "the byte \\xe2");
    refused("1 - \x7f", 5, OPERAND "the byte \\x7f");
    check_refused((utText){"1+\0t", 4}, 3, OPERAND "the byte \\x00");
}

TEST(an_operator_is_missing)
{
    refused("2t", 2, "expected an operator; found 't'; products are written with '*'");
    refused("2 sin(t)", 3, "expected an operator; found 'sin'; products are written with '*'");
    refused("2(t)", 2, "expected an operator; found '('; products are written with '*'");
    refused("1.2.3", 4, "expected an operator; found '.'; products are written with '*'");
    refused("t 1", 3, "expected an operator; found '1'; products are written with '*'");
    refused("2e", 2, "expected an operator; found 'e'; products are written with '*'");
    refused("pi(2)", 3, "expected an operator; found '('; products are written with '*'");
    refused("0,5*t", 2, "expected an operator; found ','; decimals are written with a point");
    refused("t ; 1", 3, "expected an operator; found ';'");
    check_refused((utText){"1\0", 2}, 2, "expected an operator; found the byte \\x00");
}

TEST(parentheses_and_arguments_do_not_fit)
{
    refused("t)", 2, "this ')' closes nothing");
    refused("(1 + t", 7, "expected an operator or the ')' for the '(' in column 1; found the end");
    refused("2*((t) + 1;", 11,
            "expected an operator or the ')' for the '(' in column 3; found ';'");
    refused("sin(t", 6, "expected an operator or the ')' for the '(' in column 4; found the end");
    refused("(2 t)", 4, "expected an operator or the ')' for the '(' in column 1; found 't'");
    refused("(1, 2)", 3, "expected an operator or the ')' for the '(' in column 1; found ','");
    refused("sin t", 1, "sin wants parentheses: sin(x)");
    refused("1 + clamp", 5, "clamp wants parentheses: clamp(x, lo, hi)");
    refused("sin^2(t)", 1, "sin wants parentheses: sin(x)");
    refused("sin(1, t)", 6, "too many arguments; it is sin(x)");
    refused("min(1)", 6, "too few arguments; it is min(x, y)");
    refused("max(1, 2, 3)", 9, "too many arguments; it is max(x, y)");
    refused("clamp(t, 1)", 11, "too few arguments; it is clamp(x, lo, hi)");
    refused("atan2(t; 1)", 8, "expected an operator or ',' in atan2(y, x); found ';'");
    refused("atan2(t", 8, "expected an operator or ',' in atan2(y, x); found the end");
}

TEST(names_and_numbers_that_cannot_be_used)
{
    refused("1 + x", 5, "'x'" KNOWN);
    refused("T", 1, "'T'" KNOWN);
    refused("t2", 1, "'t2'" KNOWN);
    refused("sinus(t)", 1, "'sinus'" KNOWN);
    refused("inf", 1, "'inf'" KNOWN);
    refused("a_name_that_does_not_find_an_end", 1, "'a_name_that_does_not_fin...'" KNOWN);
    refused("2*1e309", 3, "the number is too large for a double");
    refused("1 + .", 5, "'.' has no digits");
    refused(".e5", 1, "'.' has no digits");
    refused(".1e400", 1, "the number is too large for a double");
}

// ---- limits -------------------------------------------------------------------------------------

// `count` times `front`, then `middle`, then `count` times `back`.
static utText wrapped(char* text, int count, const char* front, const char* middle,
                      const char* back)
{
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        strcat(text, front);
    }
    strcat(text, middle);
    for (int i = 0; i < count; i++) {
        strcat(text, back);
    }
    return (utText){text, strlen(text)};
}

static void check_value(utText text, double t, double value)
{
    utArena keep;
    CHECK(ut_arena_create(16, NULL, &keep) == UT_OK); // it grows
    utExpression e = {NULL, 0};
    utError err = {0};
    if (!CHECK(ut_expression_read(text, &keep, &e, &err) == UT_OK)) {
        test_note("column %d: %s", err.column, err.message);
    }
    CHECK_NEAR(ut_expression_at(&e, t).value, value, 0.0);
    ut_arena_destroy(&keep);
}

TEST(nesting_length_and_stack_have_limits)
{
    static char text[3 * UT_EXPRESSION_LENGTH];
    const char* deep = "more than 64 parentheses, calls and exponents within each other";
    check_value(wrapped(text, 64, "(", "t", ")"), 3.0, 3.0);
    check_refused(wrapped(text, 65, "(", "t", ")"), 65, deep);
    check_value(wrapped(text, 64, "abs(", "t", ")"), -3.0, 3.0);
    check_refused(wrapped(text, 65, "abs(", "t", ")"), 65 * 4, deep);
    // 1^1^...^t keeps all bases until the end: 32 of them, one below the top
    const char* many = "more than 32 values wait for their operators; use fewer parentheses";
    check_value(wrapped(text, 31, "1^", "t", ""), 3.0, 1.0);
    check_refused(wrapped(text, 32, "1^", "t", ""), 65, many);
    check_value(wrapped(text, 31, "1+(", "t", ")"), 3.0, 34.0);
    check_refused(wrapped(text, 32, "1+(", "t", ")"), 97, many);

    // no limit for what is done from left to right
    check_value(wrapped(text, 2000, "1+", "t", ""), 3.0, 2003.0);
    check_value(wrapped(text, 200, "1^t+abs(t)+(t)+", "0", ""), 3.0, 1400.0);
    check_value(wrapped(text, 4095, "-", "t", ""), 3.0, -3.0);
    check_value(wrapped(text, 4095, "0", "7", ""), 3.0, 7.0);
    check_refused(wrapped(text, 4096, "-", "t", ""), 4097,
                  "the expression has 4097 characters; 4096 are the most");
}

TEST(an_expression_is_right_wherever_the_block_of_an_arena_ends)
{
    // the text takes more room while it is read than the program needs afterwards
    const char* words = "0000000000000000000000000000000000001 + t";
    const utText text = {words, strlen(words)};
    for (size_t first = 64; first <= 2048; first += 16) {
        utArena keep;
        CHECK(ut_arena_create(first, NULL, &keep) == UT_OK);
        utExpression e = {NULL, 0};
        CHECK(ut_expression_read(text, &keep, &e, NULL) == UT_OK);
        CHECK_NEAR(ut_expression_at(&e, 2.0).value, 3.0, 0.0);
        ut_arena_destroy(&keep);
    }
}

// ---- random bytes -------------------------------------------------------------------------------

// Read it, with a place in the text when it is refused, and run it when it is not.
static bool survives(const char* bytes, size_t size)
{
    // exactly as much memory as text, so that a sanitizer sees a look behind it
    char* copy = malloc(size + (size == 0));
    memcpy(copy, bytes, size);
    const utText text = {copy, size};
    // and one operation per character, wherever the first cache line begins
    const size_t room = size * sizeof(utExpressionOp) + UT_ARENA_ALIGNMENT;
    void* memory = malloc(room);
    utArena keep = ut_arena_on(memory, room);
    utExpression e = {NULL, 0};
    utError err = {0};
    const utStatus status = ut_expression_read(text, &keep, &e, &err);
    if (status == UT_OK) {
        CHECK(e.count >= 1 && (size_t)e.count <= size);
        const utJet jet = ut_expression_at(&e, 0.75);
        CHECK(!ut_expression_is_constant(&e) || jet.rate == 0.0 || jet.rate != jet.rate);
    } else {
        CHECK(status == UT_ERR_FORMAT && err.message[0] != 0);
        CHECK(err.column >= 1 && (size_t)err.column <= size + 1);
    }
    free(copy);
    free(memory);
    return status == UT_OK;
}

TEST(a_hundred_thousand_random_byte_strings_are_read_or_refused_with_a_place)
{
    utRng rng = ut_rng(64, 0);
    for (int i = 0; i < 100000; i++) {
        char bytes[64];
        const int size = ut_rng_below(&rng, (int)sizeof bytes + 1);
        for (int k = 0; k < size; k++) {
            bytes[k] = (char)ut_rng_below(&rng, 256);
        }
        survives(bytes, (size_t)size);
    }
}

TEST(a_hundred_thousand_strings_of_likely_pieces_are_read_or_refused_with_a_place)
{
    static const char* const pieces[] = {
        "t",    "pi",    "1",   "0.5",   "2e3",  "+",     "-",      "*",    "/", "^",  "(",
        ")",    "(",     ")",   ",",     "sin(", "cos(",  "tan(",   "exp(", " ", ")t", "log(",
        "abs(", "sqrt(", "min", "step(", "max(", "clamp", "atan2(", ".",    "x", "^2", "*t",
    };
    utRng rng = ut_rng(65, 0);
    int read = 0;
    for (int i = 0; i < 100000; i++) {
        char text[512] = "";
        for (int k = 1 + ut_rng_below(&rng, i % 10 == 0 ? 60 : 8); k > 0; k--) {
            strcat(text, pieces[ut_rng_below(&rng, (int)(sizeof pieces / sizeof *pieces))]);
        }
        read += survives(text, strlen(text));
    }
    // there must be some of both
    test_note("%d of 100000 read", read);
    CHECK(read > 1000 && read < 99000);
}
