// SPDX-License-Identifier: Apache-2.0
// Reactions of the joints of a run: columns of the table of states, and the last ones as JSON.
#ifndef UPTACK_CLI_RUN_REACTIONS_H
#define UPTACK_CLI_RUN_REACTIONS_H

#include "cli.h"

#include <uptack/sensor.h>

enum { RUN_REACTION_CELLS = 6 }; ///< NAME.px .py .pz .tx .ty .tz

typedef struct RunReactions {
    const utModel* model; ///< NULL: not opened
    int count;
    bool known;           ///< of a step
    utReaction* reaction; ///< count
    const char** name;    ///< 6 count: names of columns
    double* value;        ///< 6 count: NAN before the first step
    utSensors sensors;
    utArena memory; ///< holds everything above
} RunReactions;

utStatus run_reactions_open(const utModel* model, RunReactions* reactions);
void run_reactions_close(RunReactions* reactions);

/// Compute the reactions of a step that was taken.
void run_reactions_find(RunReactions* reactions, const utStepReport* report);

/// The member "reactions": [{"name", "body", "point", "impulse", "torque"} ...] of the last step.
void run_reactions_json(utJsonWriter* w, const RunReactions* reactions);

#endif
