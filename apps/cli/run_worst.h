// SPDX-License-Identifier: Apache-2.0
// Where and when a figure of a run was at its worst.
#ifndef UPTACK_CLI_RUN_WORST_H
#define UPTACK_CLI_RUN_WORST_H

#include "model.h"

#include <uptack/sim.h>

enum { RUN_WHERE = 600 };

typedef struct RunWorst {
    double value;          ///< the largest so far, at least 0
    long long step;        ///< which had it, from 1; 0 for none
    double time;           ///< s
    char where[RUN_WHERE]; ///< "floor and box", "the joint hip (lower limit)"; "" for no one place
} RunWorst;

/// The figures of a run that have a place.
typedef struct RunWorsts {
    RunWorst residual;    ///< E; time of the step's start
    RunWorst penetration; ///< m; time of the step's start
    RunWorst drift;       ///< m; time of the step's end
    RunWorst model_gap;   ///< E under the circular law; time of the step's start
} RunWorsts;

/// Take in a step. @param step its number, from 1
void run_worst_count(const utStepResult* result, long long step, RunWorsts* worst);

/// " at the contact of floor and box (0, 0, 0)" for the place that a certificate names, else "".
void run_worst_place(const utStepResult* result, char* text, size_t size);

/// What stands behind a figure: " (floor and box, step 12, t = 0.024 s)"; nothing where it is 0.
void run_worst_print(const RunWorst* worst);

/// The member KEY: {"step", "time", "where"}, or null where the figure is 0.
void run_worst_json(utJsonWriter* w, const char* key, const RunWorst* worst);

#endif
