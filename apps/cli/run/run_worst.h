// SPDX-License-Identifier: Apache-2.0
// The largest values of a run's error measures, with place and time.
#ifndef UPTACK_CLI_RUN_WORST_H
#define UPTACK_CLI_RUN_WORST_H

#include "model.h"

#include <uptack/sim.h>

enum { RUN_WHERE = 600 };

typedef struct RunWorst {
    double value;          ///< the largest so far, at least 0
    long long step;        ///< number of that step, from 1; 0 for none
    double time;           ///< s
    char where[RUN_WHERE]; ///< "floor and box", "the joint hip (lower limit)"; "" for no place
} RunWorst;

/// The error measures that have a place.
typedef struct RunWorsts {
    RunWorst residual;    ///< E; time of the step's start
    RunWorst penetration; ///< m; time of the step's start
    RunWorst drift;       ///< m; time of the step's end
    RunWorst model_gap;   ///< E with the circular cone; time of the step's start
} RunWorsts;

/// Update all measures with a step. @param step its number, from 1
void run_worst_count(const utStepResult* result, long long step, RunWorsts* worst);

/// " at the contact of floor and box (0, 0, 0)" for the place that a certificate names, else "".
void run_worst_place(const utStepResult* result, char* text, size_t size);

/// Print " (floor and box, step 12, t = 0.024 s)" after a value; nothing if the value is 0.
void run_worst_print(const RunWorst* worst);

/// The member KEY: {"step", "time", "where"}, or null if the value is 0.
void run_worst_json(utJsonWriter* w, const char* key, const RunWorst* worst);

#endif
