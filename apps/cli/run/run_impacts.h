// SPDX-License-Identifier: Apache-2.0
// Counters of impacts, per run and per pair of geoms, and of transitions between contact modes.
#ifndef UPTACK_CLI_RUN_IMPACTS_H
#define UPTACK_CLI_RUN_IMPACTS_H

#include "cli.h"

#include <uptack/report.h>

/// Limits of the lists below. The counters have no limit.
enum { RUN_KEPT_TRANSITIONS = 256, RUN_KEPT_PAIRS = 64, RUN_KEPT_IMPACTS = 256 };

/// One impact.
typedef struct RunImpact {
    double time; ///< exact for located impacts, else the end of the step, s
    int geom1, geom2;
    double impulse; ///< normal, N s
} RunImpact;

/// Impacts and mode of a pair of geoms.
typedef struct RunPair {
    int geom1, geom2;
    long long impacts;
    double last_impact; ///< s
    bool steady;        ///< a contact of the pair is steady now
    double since;       ///< time of the last transition, s
} RunPair;

typedef struct RunImpacts {
    long long impacts;                        ///< contacts at which restitution acted
    double last_impact;                       ///< s
    RunImpact first_impact[RUN_KEPT_IMPACTS]; ///< the first impacts
    long long transitions;
    long long count[UT_MODE_COUNT][UT_MODE_COUNT]; ///< number of transitions by [from][to]
    utTransition first[RUN_KEPT_TRANSITIONS];      ///< the first transitions
    int pairs;                                     ///< number of entries of `pair`
    RunPair pair[RUN_KEPT_PAIRS];                  ///< in order of their first event
} RunImpacts;

/// Count the impacts and transitions of a step.
void run_impacts_count(const utStepReport* report, RunImpacts* impacts);

/// Print lines for the summary; nothing if there were no impacts and no transitions.
void run_impacts_print(const utModel* model, const RunImpacts* impacts);

/// Members for the summary: impacts, last_impact, transition_count, transitions.
void run_impacts_json(utJsonWriter* w, const utModel* model, const RunImpacts* impacts);

/// The member "first_impacts": [{"time", "geom1", "geom2", "impulse"} ...].
void run_impacts_first_json(utJsonWriter* w, const utModel* model, const RunImpacts* impacts);

#endif
