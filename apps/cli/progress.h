// SPDX-License-Identifier: Apache-2.0
// A line of progress on stderr for long work, on a terminal only.
#ifndef UPTACK_CLI_PROGRESS_H
#define UPTACK_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct CliProgress {
    const char* done; ///< "replayed"
    bool enabled;     ///< stderr is a terminal
    bool drawn;
    double start, next; ///< s
} CliProgress;

/// Begin. The first line appears after one second.
CliProgress cli_progress(const char* done);

/// Show that a part of the work is done.
void cli_progress_show(CliProgress* progress, double part, double whole);

/// Erase the line.
void cli_progress_end(const CliProgress* progress);

#endif
