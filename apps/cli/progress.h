// SPDX-License-Identifier: Apache-2.0
// Long work: its clock, one line of progress on a terminal, and Ctrl-C.
#ifndef UPTACK_CLI_PROGRESS_H
#define UPTACK_CLI_PROGRESS_H

#include "cli.h"

/// A clock that never goes backwards, s.
double cli_now(void);

/// From now on Ctrl-C and SIGTERM do not end the program; the work asks cli_caught_signal.
void cli_catch_signals(void);

/// The number of the signal that shall end the work, 0 for none.
int cli_caught_signal(void);

/// One line on stderr, if that is a terminal. Work shorter than a second shows none.
typedef struct CliProgress {
    bool enabled; ///< stderr is a terminal
    bool drawn;
    double start; ///< s
    double next;  ///< time of the next line, s
} CliProgress;

CliProgress cli_progress_begin(void);

/// Seconds since the beginning.
double cli_progress_elapsed(const CliProgress* p);

/// Is it time for another line?
bool cli_progress_due(const CliProgress* p);

/// Replace the line.
void cli_progress_show(CliProgress* p, const char* format, ...) UT_PRINTF(2, 3);

/// Show "DONE 40 %, 12 s left" for a part of the whole work, if it is time for another line.
void cli_progress_share(CliProgress* p, const char* done, double part, double whole);

/// Remove the line.
void cli_progress_end(const CliProgress* p);

#endif
