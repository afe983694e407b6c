// SPDX-License-Identifier: Apache-2.0
// Calls in a process of their own, and what goes to the screen and to files.
#define _DEFAULT_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- memory that is shared ----------------------------------------------------------------------

void* bench_shared(size_t size)
{
    void* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        exit(1);
    }
    return memory;
}

void bench_unshared(void* memory, size_t size)
{
    munmap(memory, size);
}

// ---- processes ----------------------------------------------------------------------------------

static void to_nowhere(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
}

bool bench_apart(BenchCall* call, void* context, double seconds)
{
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(1);
    }
    if (child == 0) {
        const rlim_t limit = (rlim_t)ceil(seconds) + 1;
        setrlimit(RLIMIT_CPU, &(struct rlimit){limit, limit + 1});
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        to_nowhere();
        call(context);
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void bench_one_thread(char** argv)
{
    // OpenBLAS looks at it when it is loaded: start again
    if (getenv("OPENBLAS_NUM_THREADS") == NULL) {
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        execv("/proc/self/exe", argv); // when it cannot, go on as we are
    }
}

// ---- the screen and files -----------------------------------------------------------------------

void bench_progress(const char* format, ...)
{
    if (isatty(STDERR_FILENO)) {
        char line[80];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(line, sizeof line, format, arguments);
        va_end(arguments);
        fprintf(stderr, "\r%-79s", line);
        fflush(stderr);
    }
}

void bench_progress_end(void)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%-79s\r", "");
    }
}

void bench_results_path(const char* program, const char* name, char* path, size_t size)
{
    const char* slash = strrchr(program, '/');
    int length = slash != NULL ? (int)(slash - program) : 1;
    const char* folder = slash != NULL ? program : ".";
    snprintf(path, size, "%.*s/results", length, folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        perror(path);
    }
    snprintf(path, size, "%.*s/results/%s", length, folder, name);
}
