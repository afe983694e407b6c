// SPDX-License-Identifier: Apache-2.0
// A line of progress on stderr for long work, on a terminal only.
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double FIRST_LINE_AFTER = 1.0; // s
static const double LINE_INTERVAL = 0.2;    // s
enum { LINE_WIDTH = 60 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

CliProgress cli_progress(const char* done)
{
    const double start = now();
    return (CliProgress){.done = done,
                         .enabled = isatty(STDERR_FILENO) == 1,
                         .start = start,
                         .next = start + FIRST_LINE_AFTER};
}

void cli_progress_show(CliProgress* progress, double part, double whole)
{
    if (!progress->enabled || now() < progress->next || !(part > 0.0)) {
        return;
    }
    char line[LINE_WIDTH + 1];
    snprintf(line, sizeof line, "%s %.0f %%, %.0f s left", progress->done, 100.0 * part / whole,
             (now() - progress->start) * (whole - part) / part);
    fprintf(stderr, "\r%-*s", LINE_WIDTH, line);
    progress->drawn = true;
    progress->next = now() + LINE_INTERVAL;
}

void cli_progress_end(const CliProgress* progress)
{
    if (progress->drawn) {
        fprintf(stderr, "\r%*s\r", LINE_WIDTH, "");
    }
}
