// SPDX-License-Identifier: Apache-2.0
// What all benchmarks share: clocks, repeats, memory that was touched, what goes to the screen.
#ifndef UPTACK_BENCH_H
#define UPTACK_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <uptack/base.h>

// ---- time ---------------------------------------------------------------------------------------

/// Time of this thread in seconds.
double bench_now(void);

/// What is called again and again.
typedef void BenchCall(void* context);

/// Seconds of one call, the mean of `count`.
double bench_calls(BenchCall* call, void* context, int count);

/// The best of several rounds: long calls are timed once, short ones again.
/// @param first seconds of a call made before  @param quick fewer and shorter rounds
double bench_best(BenchCall* call, void* context, double first, bool quick);

/// @param values sorted on return  @param count at least 1
double bench_median(double* values, int count);

/// For example "1.25 ms".
const char* bench_time_text(double seconds, char text[32]);

// ---- memory -------------------------------------------------------------------------------------

/// Memory of a benchmark, {0} at first. Its first block is written to, so that no call pays for
/// fresh pages.
typedef struct BenchMemory {
    utArena arena;
    size_t size; ///< of the first block
} BenchMemory;

/// An arena that begins with at least `size` bytes and grows. What was there before is lost. Ends
/// the program when there is no memory.
utArena bench_arena(BenchMemory* memory, size_t size);

/// Cleared memory that a child of bench_apart shares with us. Ends the program when there is none.
void* bench_shared(size_t size);
void bench_unshared(void* memory, size_t size);

// ---- processes ----------------------------------------------------------------------------------

/// Call once in a process of its own, whose output goes nowhere: what it prints, leaks or breaks
/// stays there. @param seconds of CPU time, rounded up, after which it is stopped
/// @return true when the call came back
bool bench_apart(BenchCall* call, void* context, double seconds);

/// A BLAS with threads would time its peers' cores, not their work: one thread for everybody. Call
/// it first thing in main.
void bench_one_thread(char** argv);

// ---- the screen and files -----------------------------------------------------------------------

/// One line on standard error, over the last one; nothing when that is no terminal.
void bench_progress(const char* format, ...) UT_PRINTF(1, 2);
void bench_progress_end(void);

/// results/<name> beside the program; the folder is made.
void bench_results_path(const char* program, const char* name, char* path, size_t size);

#endif
