// SPDX-License-Identifier: Apache-2.0
// Runs the tests that the other files of the executable registered, in file and line order.
#include "test.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TestCase* first_case;
static int failures;
static bool skipped;

enum { ARENA_SIZE = 256 << 20 };

static int case_order(const TestCase* a, const TestCase* b)
{
    int by_file = strcmp(a->file, b->file);
    return by_file != 0 ? by_file : a->line - b->line;
}

void test_register(TestCase* test)
{
    TestCase** place = &first_case;
    while (*place != NULL && case_order(*place, test) < 0) {
        place = &(*place)->next;
    }
    test->next = *place;
    *place = test;
}

static bool verdict(bool ok)
{
    failures += !ok;
    return ok;
}

bool test_check(bool ok, const char* file, int line, const char* text)
{
    if (!ok) {
        printf("%s:%d: failed: %s\n", file, line, text);
    }
    return verdict(ok);
}

bool test_near(double got, double want, double tolerance, const char* file, int line,
               const char* text)
{
    // equal infinities are near each other; a NaN is near nothing
    bool ok = got == want || fabs(got - want) <= tolerance;
    if (!ok) {
        printf("%s:%d: failed: %s is %.17g, expected %.17g within %.3g\n", file, line, text, got,
               want, tolerance);
    }
    return verdict(ok);
}

bool test_equal_int(long long got, long long want, const char* file, int line, const char* text)
{
    bool ok = got == want;
    if (!ok) {
        printf("%s:%d: failed: %s is %lld, expected %lld\n", file, line, text, got, want);
    }
    return verdict(ok);
}

bool test_equal_text(const char* got, const char* want, const char* file, int line,
                     const char* text)
{
    bool ok = got != NULL && strcmp(got, want) == 0;
    if (!ok) {
        printf("%s:%d: failed: %s is\n  \"%s\", expected\n  \"%s\"\n", file, line, text,
               got != NULL ? got : "(null)", want);
    }
    return verdict(ok);
}

void test_skip(const char* format, ...)
{
    va_list args;
    va_start(args, format);
    printf("skipped: ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
    skipped = true;
}

void test_note(const char* format, ...)
{
    va_list args;
    va_start(args, format);
    printf("note: ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

utArena test_arena(void)
{
    static unsigned char* memory;
    if (memory == NULL) {
        memory = malloc(ARENA_SIZE);
        if (memory == NULL) {
            abort();
        }
    }
    return ut_arena_on(memory, ARENA_SIZE);
}

static bool wanted(const TestCase* test, int word_count, char** words)
{
    bool hit = word_count == 0;
    for (int i = 0; i < word_count; i++) {
        hit = hit || strstr(test->name, words[i]) != NULL;
    }
    return hit;
}

int main(int argc, char** argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1 && strcmp(argv[1], "--list") == 0) {
        for (const TestCase* test = first_case; test != NULL; test = test->next) {
            printf("%s\n", test->name);
        }
        return 0;
    }

    int passed = 0;
    int failed = 0;
    int skips = 0;
    for (const TestCase* test = first_case; test != NULL; test = test->next) {
        if (!wanted(test, argc - 1, argv + 1)) {
            continue;
        }
        failures = 0;
        skipped = false;
        test->run();
        if (failures > 0) {
            printf("FAIL %s\n", test->name);
            failed++;
        } else if (skipped) {
            printf("skip %s\n", test->name);
            skips++;
        } else {
            printf("ok   %s\n", test->name);
            passed++;
        }
    }
    if (skips > 0) {
        printf("%d passed, %d failed, %d skipped\n", passed, failed, skips);
    } else {
        printf("%d passed, %d failed\n", passed, failed);
    }
    // a run in which nothing was tried is not a success
    return failed > 0 || passed + skips == 0;
}
