// SPDX-License-Identifier: Apache-2.0
// What a run counts about impacts: how many, between what, and how contacts went from bouncing to
// steady.
#ifndef UPTACK_CLI_RUN_IMPACTS_H
#define UPTACK_CLI_RUN_IMPACTS_H

#include "cli.h"

#include <uptack/report.h>

/// How many are remembered one by one; all are counted.
enum { RUN_KEPT_TRANSITIONS = 256, RUN_KEPT_PAIRS = 64 };

/// What happened between two geoms.
typedef struct RunPair {
    int geom1, geom2;
    long long impacts;
    double last_impact; ///< s
    bool steady;        ///< it is now
    double since;       ///< s: steady or not
} RunPair;

typedef struct RunImpacts {
    long long impacts;  ///< contacts at which restitution acted
    double last_impact; ///< s
    long long transitions;
    long long count[UT_MODE_COUNT][UT_MODE_COUNT]; ///< of them, from one mode to another
    utTransition first[RUN_KEPT_TRANSITIONS];      ///< the first of them
    int pairs;                                     ///< that are remembered
    RunPair pair[RUN_KEPT_PAIRS];                  ///< in the order in which they came
} RunImpacts;

/// Take in a step.
void run_impacts_count(const utStepReport* report, RunImpacts* impacts);

/// Lines for the summary; none where nothing bounced.
void run_impacts_print(const utModel* model, const RunImpacts* impacts);

/// Members for the summary: impacts, last_impact, transition_count, transitions.
void run_impacts_json(utJsonWriter* w, const utModel* model, const RunImpacts* impacts);

#endif
