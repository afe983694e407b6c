// SPDX-License-Identifier: Apache-2.0
// Long work: its clock, one line of progress on a terminal, and Ctrl-C.
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- Ctrl-C -------------------------------------------------------------------------------------

static volatile sig_atomic_t caught; // the signal that ends the work; 0 for none

static void catch_signal(int signal)
{
    caught = signal;
}

void cli_catch_signals(void)
{
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = catch_signal;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

int cli_caught_signal(void)
{
    return (int)caught;
}

// ---- progress -----------------------------------------------------------------------------------

enum { LINE_WIDTH = 79 };

static const double FIRST_LINE_AFTER = 1.0; // s: shorter work shows no progress
static const double LINE_INTERVAL = 0.2;    // s

CliProgress cli_progress_begin(void)
{
    const double start = cli_now();
    return (CliProgress){
        .enabled = isatty(STDERR_FILENO) == 1, .start = start, .next = start + FIRST_LINE_AFTER};
}

double cli_progress_elapsed(const CliProgress* p)
{
    return cli_now() - p->start;
}

bool cli_progress_due(const CliProgress* p)
{
    return p->enabled && cli_now() >= p->next;
}

void cli_progress_show(CliProgress* p, const char* format, ...)
{
    char line[LINE_WIDTH + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\r%-*s", LINE_WIDTH, line);
    p->drawn = true;
    p->next = cli_now() + LINE_INTERVAL;
}

void cli_progress_share(CliProgress* p, const char* done, double part, double whole)
{
    if (part > 0.0 && cli_progress_due(p)) {
        cli_progress_show(p, "%s %.0f %%, %.0f s left", done, 100.0 * part / whole,
                          cli_progress_elapsed(p) * (whole - part) / part);
    }
}

void cli_progress_end(const CliProgress* p)
{
    if (p->drawn) {
        fprintf(stderr, "\r%*s\r", LINE_WIDTH, "");
    }
}
