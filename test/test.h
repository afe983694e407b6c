// SPDX-License-Identifier: Apache-2.0
// A small test harness: TEST(name) { CHECK(...); } anywhere in the files of one executable, and
// test_main.c runs them all. `prog NAME...` runs only tests whose name contains one of the words,
// `prog --list` lists them. The closing line reads "N passed, N failed" (", N skipped" when some
// were).
#ifndef UPTACK_TEST_H
#define UPTACK_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <uptack/base.h>

typedef struct TestCase {
    const char* name;
    const char* file;
    int line;
    void (*run)(void);
    struct TestCase* next;
} TestCase;

void test_register(TestCase* test);
bool test_check(bool ok, const char* file, int line, const char* text);
bool test_near(double got, double want, double tolerance, const char* file, int line,
               const char* text);
bool test_equal_int(long long got, long long want, const char* file, int line, const char* text);
bool test_equal_text(const char* got, const char* want, const char* file, int line,
                     const char* text);

/// Say why the running test cannot run here (data or a program is missing); it counts as skipped.
void test_skip(const char* format, ...) UT_PRINTF(1, 2);

/// Print a figure worth reading in the log.
void test_note(const char* format, ...) UT_PRINTF(1, 2);

/// A scratch arena of 256 MiB, shared by all tests of the executable and all free again in each.
utArena test_arena(void);

#define TEST(name_)                                                           \
    static void name_(void);                                                  \
    static TestCase name_##_case = {#name_, __FILE__, __LINE__, name_, NULL}; \
    __attribute__((constructor)) static void name_##_register(void)           \
    {                                                                         \
        test_register(&name_##_case);                                         \
    }                                                                         \
    static void name_(void)

/// Each of these counts a failure, prints where, and lets the test go on. They evaluate to the
/// verdict.
#define CHECK(condition) test_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_NEAR(got, want, tolerance) \
    test_near((got), (want), (tolerance), __FILE__, __LINE__, #got)
#define CHECK_INT(got, want) \
    test_equal_int((long long)(got), (long long)(want), __FILE__, __LINE__, #got)
#define CHECK_TEXT(got, want) test_equal_text((got), (want), __FILE__, __LINE__, #got)

#endif
