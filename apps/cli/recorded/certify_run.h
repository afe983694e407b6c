// SPDX-License-Identifier: Apache-2.0
// Does the report of a step belong to its recording: is it a step of that run, with the recorded input?
#ifndef UPTACK_CLI_CERTIFY_RUN_H
#define UPTACK_CLI_CERTIFY_RUN_H

#include "recorded/recorded_start.h"

/// @param input the recorded input of the step
/// @return NULL, or the reason why the report does not belong to the run
const char* cli_foreign_report(const CliRecordedRun* run, const utRecordInput* input,
                               const utStepReport* report);

#endif
