// SPDX-License-Identifier: Apache-2.0
// Jobs that end their process (sweep_watch_crashes, sweep_watch_job), and the process that goes on.
#ifndef UPTACK_CLI_SWEEP_CRASH_H
#define UPTACK_CLI_SWEEP_CRASH_H

#include "sweeps/sweep_log.h"

enum { SWEEP_EXIT_CRASHED = 99 }; ///< exit code of a child whose record could not be written

/// Release what sweep_watch_job took for the calling thread.
void sweep_unwatch_thread(void);

/// Do the work in a child process, and again in a new one when a fatal signal ended it.
/// @return the exit code of the last child
int sweep_supervise(int retries, int (*work)(void* context), void* context);

#endif
