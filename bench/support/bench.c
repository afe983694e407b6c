// SPDX-License-Identifier: Apache-2.0
// Clocks, repeats and memory.
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- time ---------------------------------------------------------------------------------------

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_calls(BenchCall* call, void* context, int count)
{
    double start = bench_now();
    for (int k = 0; k < count; k++) {
        call(context);
    }
    return (bench_now() - start) / count;
}

double bench_best(BenchCall* call, void* context, double first, bool quick)
{
    const double slice = quick ? 2e-4 : 1e-3;
    const int rounds = first > 0.02 ? 0 : quick ? 3 : 5;
    double best = first;
    for (int r = 0; r < rounds; r++) {
        int count = (int)(slice / fmax(best, 1e-7));
        double seconds = bench_calls(call, context, count < 1 ? 1 : count > 500 ? 500 : count);
        best = fmin(best, seconds);
    }
    return best;
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a;
    double y = *(const double*)b;
    return (x > y) - (x < y);
}

double bench_median(double* values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count % 2 == 1 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

const char* bench_time_text(double seconds, char text[32])
{
    if (seconds < 1e-3) {
        snprintf(text, 32, "%.2f us", 1e6 * seconds);
    } else if (seconds < 1.0) {
        snprintf(text, 32, "%.2f ms", 1e3 * seconds);
    } else {
        snprintf(text, 32, "%.2f s", seconds);
    }
    return text;
}

// ---- memory -------------------------------------------------------------------------------------

utArena bench_arena(BenchMemory* memory, size_t size)
{
    if (size > memory->size) {
        ut_arena_destroy(&memory->arena);
        if (ut_arena_create(size, NULL, &memory->arena) != UT_OK) {
            fprintf(stderr, "no memory for %zu bytes\n", size);
            exit(1);
        }
        memory->size = size;
        memset(memory->arena.next, 1, size);
    }
    return memory->arena;
}
