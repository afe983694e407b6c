// SPDX-License-Identifier: Apache-2.0
// The start of a run in a recording: the options that were given, and the same start again.
#ifndef UPTACK_CLI_RECORDED_START_H
#define UPTACK_CLI_RECORDED_START_H

#include "sources.h"
#include "start.h"

/// The options of a start as texts: "--dt=0.001", "--sleep".
/// @param keep holds them  @param count receives their number  @return NULL when memory is short
const char* const* cli_start_texts(const CliStart* start, utArena* keep, int* count);

/// The model and the sim of a recorded run.
typedef struct CliRecordedRun {
    utArena memory;
    utText bytes;
    utRecording recording;
    CliSources sources;
    CliStart start;
    CliModel loaded;
    utSim* sim; ///< NULL until cli_recorded_sim
} CliRecordedRun;

/// Read a recording and the model of its run.
/// @param run pass it to cli_recorded_close, also after a failure
utStatus cli_recorded_open(const CliVerb* verb, const char* path, CliRecordedRun* run,
                           utError* err);

/// Does the recording hold reports of steps? @return UT_ERR_FORMAT when it does not
utStatus cli_recorded_has_reports(const CliRecordedRun* run, utError* err);

/// Create the sim of the run in its first state.
utStatus cli_recorded_sim(CliRecordedRun* run, utError* err);

void cli_recorded_close(CliRecordedRun* run);

/// A text of the recording as a C string. @param keep holds it; NULL on lack of memory
const char* cli_recorded_text(utText text, utArena* keep);

#endif
