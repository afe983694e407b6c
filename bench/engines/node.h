// SPDX-License-Identifier: Apache-2.0
// Engines of npm: a process of Node runs the scene and leaves its states in a file.
#ifndef UPTACK_BENCH_ENGINES_NODE_H
#define UPTACK_BENCH_ENGINES_NODE_H

#include "engines.h"

/// A run, as node/peers.mjs reads it.
typedef struct Job {
    const char* engine;  ///< "jolt", "mujoco" or "rapier"
    const char* setting; ///< one of the engine's, see its driver
    int steps;
    int stride;     ///< steps between two looks of the judge
    int pair_every; ///< with every so many looks comes the state one step earlier
    int repeats;    ///< whole runs that are only timed
    double budget;  ///< CPU seconds after which the run is cut
    double warm_up; ///< CPU seconds of steps before it that do not count
} Job;

bool job_write(const Job* job, const World* world, const char* path);

/// Is the package of an engine installed, with Node itself? @param engine as in Job
bool node_has(const char* engine);

/// A running reader of the states that a process left.
typedef struct NodeStates NodeStates;

typedef struct NodeOutcome {
    bool ended;   ///< it came to its end and said how it went
    bool gave_up; ///< numbers were not finite, or `why` it could not begin
    char why[ENGINE_TEXT];
    double repeat[8]; ///< CPU seconds of the runs that were only timed
    int repeats;
} NodeOutcome;

/// Run a job to its end; the states can then be read. NULL: there are none.
/// @param seconds of CPU time after which the process is stopped
NodeStates* node_run(const Job* job, const World* world, double seconds, NodeOutcome* outcome);

typedef struct NodeLook {
    int steps;
    double seconds; ///< CPU time of all steps so far
    bool pair;      ///< `before` holds the state one step earlier
} NodeLook;

/// The next look. @return false when there is none
bool node_next(NodeStates* states, NodeLook* look, BodyState* before, BodyState* after);
void node_close(NodeStates* states);

#endif
