// SPDX-License-Identifier: Apache-2.0
// Files that a run writes: tables and a recording.
#ifndef UPTACK_CLI_RUN_RECORD_H
#define UPTACK_CLI_RUN_RECORD_H

#include "output.h"
#include "run/run.h"

#include <time.h>

typedef struct RunFiles {
    CliTable states;
    CliTable contacts;
    CliTable transitions;
    CliOutput recording;
    utRecorder recorder;
    utArena memory;  ///< holds the recorder's buffers
    double* sensor;  ///< values of sensors; NULL: the model has none
    bool no_reports; ///< leave reports out of the recording
    time_t flushed;  ///< time of the recorder's last flush
} RunFiles;

/// @param tally has the end time, and the names of reactions
/// @param files pass it to run_files_close, also after a failure; do not move it before
utStatus run_files_open(const RunOptions* o, const utSim* sim, const RunTally* tally,
                        RunFiles* files, utError* err);

/// Data of a row of states besides the state.
typedef struct RunRow {
    long long step;   ///< number of steps taken
    double contacts;  ///< number of contacts in the last step; NAN before the first step
    double E;         ///< the largest since the previous row; NAN before the first step
    double model_gap; ///< the same
    const RunReactions* reactions;
} RunRow;

/// Record the state of a sim.
utStatus run_files_state(RunFiles* files, utSim* sim, const RunRow* row, utError* err);

/// Record the input of the next step. @param step its number
utStatus run_files_input(RunFiles* files, const utInput* input, long long step, utError* err);

/// Record the contacts and transitions of a step that was taken.
utStatus run_files_report(RunFiles* files, const utSim* sim, const utStepReport* report,
                          long long step, utError* err);

/// Close all files, also after a failure. @return `status`; UT_ERR_IO when that is UT_OK and closing failed
utStatus run_files_close(RunFiles* files, long long steps, utStatus status, utError* err);

#endif
