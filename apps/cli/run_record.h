// SPDX-License-Identifier: Apache-2.0
// What a run writes: tables, or a recording.
#ifndef UPTACK_CLI_RUN_RECORD_H
#define UPTACK_CLI_RUN_RECORD_H

#include "output.h"
#include "run.h"

#include <time.h>

typedef struct RunFiles {
    CliTable states;
    CliTable contacts;
    CliTable transitions;
    CliOutput recording;
    utRecorder recorder;
    utArena memory; ///< of the recorder
    time_t flushed; ///< when its file was last brought up to date
} RunFiles;

/// @param files to be given to run_files_close, also after a failure; stays where it is till then
utStatus run_files_open(const RunOptions* o, const utSim* sim, RunFiles* files, utError* err);

/// What a row of states says of the steps before it.
typedef struct RunRow {
    long long step;  ///< how many were taken
    double contacts; ///< of the last one, NAN: there was none
    double E;        ///< at most since the row before
} RunRow;

/// The state that a sim is in.
utStatus run_files_state(RunFiles* files, const utSim* sim, const RunRow* row, utError* err);

/// What acts in the next step.
utStatus run_files_input(RunFiles* files, const utInput* input, long long step, utError* err);

/// The contacts and transitions of a step that was taken.
utStatus run_files_report(RunFiles* files, const utSim* sim, const utStepReport* report,
                          long long step, utError* err);

/// Close all, whatever happened before. @return `status`, or UT_ERR_IO
utStatus run_files_close(RunFiles* files, long long steps, utStatus status, utError* err);

#endif
