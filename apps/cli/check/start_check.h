// SPDX-License-Identifier: Apache-2.0
// Findings about the start of a run that explain a surprising motion: joints beyond their limits, bodies
// that fall for lack of a floor, models in which nothing moves.
#ifndef UPTACK_CLI_START_CHECK_H
#define UPTACK_CLI_START_CHECK_H

#include "check/overlap.h"

typedef struct CliFinding {
    const char* kind; ///< "limit", "keyframe", "falls" or "still"
    char text[240];
} CliFinding;

enum { CLI_KEPT_FINDINGS = 16 };

typedef struct CliFindings {
    int count; ///< all findings
    int kept;  ///< number of findings in `finding`, the first ones
    CliFinding finding[CLI_KEPT_FINDINGS];
} CliFindings;

/// Add a finding; the first ones are kept. @param kind a constant
void cli_add_finding(CliFindings* findings, const char* kind, const char* format, ...)
    UT_PRINTF(3, 4);

/// Find free trees without anything that may hold them. @return UT_ERR_CAPACITY
utStatus cli_find_falls(const CliModel* loaded, utArena scratch, CliFindings* findings);

/// Check the pose in which a run begins, and all keyframes. @return UT_ERR_CAPACITY or UT_ERR_MEMORY
utStatus cli_find_start(const CliModel* loaded, CliFindings* findings);

/// Print one line per finding. @param file the model's name
void cli_print_findings(FILE* stream, const char* file, const CliFindings* findings);

/// The members "finding_count" and "findings": [{"kind", "text"} ...].
void cli_json_findings(utJsonWriter* w, const CliFindings* findings);

#endif
