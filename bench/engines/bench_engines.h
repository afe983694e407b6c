// SPDX-License-Identifier: Apache-2.0
// What runs, how it is run, and what is reported of it.
#ifndef UPTACK_BENCH_ENGINES_RUN_H
#define UPTACK_BENCH_ENGINES_RUN_H

#include <stdio.h>

#include "engines.h"
#include "support/bench.h"
#include "support/rows.h"

// ---- scenes and goals ---------------------------------------------------------------------------

enum { LINES_MAX = 2 };

/// A line of the table: a part of a scene's run, and the goal for it. A goal of 0 is none.
typedef struct Line {
    const char* phase;     ///< "" for the whole run
    double from, to;       ///< s of simulated time; to = 0: the end
    double ratio;          ///< goal: our time by that of the fastest usable peer
    double seconds;        ///< goal: our time per step
    double budget_seconds; ///< goal: the same of the contender `uptack budget`
    bool stands;           ///< goal: ours is usable, whoever else is
} Line;

typedef struct Plan {
    const char* scene;
    double dt;         ///< 0: the scene's own
    double time;       ///< s that are simulated
    double quick_time; ///< with --quick; 0: not then, unless it is asked for by its name
    SceneKind kind;
    double patience; ///< factor on the CPU time that our own runs may take
    int lines;       ///< 0: a scene without a goal
    Line line[LINES_MAX];
} Plan;

int plan_count(void);
const Plan* plan_at(int index);

/// "stack:10, 1/60 s", with the length of a step.
const char* plan_name(const Plan* plan, const World* world, char name[64]);

// ---- contenders ---------------------------------------------------------------------------------

enum { CONTENDERS_MAX = 32 };

typedef enum Role { ROLE_PEER, ROLE_EXACT, ROLE_BUDGET, ROLE_OURS } Role;

typedef struct Contender {
    const char* name;
    const char* engine;
    Role role;
    const Driver* (*driver)(void); ///< NULL: an engine of npm
    int variant;
    const char* npm;     ///< of npm: the engine, see node.h
    const char* setting; ///< of npm: the setting
    int least_bodies;    ///< of the scenes that it takes: one that is meant for many takes no few,
    int most_bodies;     ///< and a dense method no many; 0: any number
    bool chain_only;     ///< for an integrator that matters nowhere else
} Contender;

/// "Debian: libode-dev": named when an engine is missing.
const char* engine_package(const char* engine);

int contender_count(void);
const Contender* contender_at(int index);

/// Is its engine installed?
bool contender_is_here(const Contender* who);
bool contender_takes(const Contender* who, const Plan* plan, const World* world);

// ---- runs ---------------------------------------------------------------------------------------

enum { LOOKS_MAX = 4096 };

typedef struct Run {
    bool ran;     ///< it takes this scene and is installed; the rest is meaningful only then
    bool broke;   ///< it ended the process or had to be stopped
    bool gave_up; ///< it said that it cannot go on, or `why` it cannot begin
    bool cut;     ///< the budget was spent before the end
    char why[ENGINE_TEXT];
    int steps;      ///< of the run that was judged
    double seconds; ///< CPU time of a step: median of whole runs, or of the judged one when long
    Figures figures;
    Certified certified;
    int looks, stride;       ///< looks of the judge, and steps between two of them
    double clock[LOOKS_MAX]; ///< CPU seconds of all steps up to each look
} Run;

typedef struct RunDef {
    double time;   ///< s to simulate
    double budget; ///< CPU s that the judged run may take
    bool quick;    ///< fewer repeats
} RunDef;

/// One contender on one scene, in a process of its own.
Run contender_run(const Contender* who, const Plan* plan, const World* world, const RunDef* def);

/// CPU seconds of a step between two moments of a run, by the clock of its looks; the figure of the
/// whole run when the moments are its ends. @return NAN when the run did not come there
double run_seconds(const Run* run, const World* world, double from, double to);

/// Is a run's answer one that a user could take? The rules of each kind of scene are in usable.c.
/// @param why ENGINE_TEXT bytes: what is wrong; "" when nothing is
bool run_usable(const Run* run, const Plan* plan, const World* world, char* why);

/// The judge against hand calculation; prints what is wrong. @return nothing is
bool check_judge(void);
bool check_residual(void);

// ---- results ------------------------------------------------------------------------------------

/// Which engines are missing.
void report_missing(Rows* rows);

/// One run, as soon as it is there.
void report_run(Rows* rows, const Plan* plan, const World* world, const Contender* who,
                const Run* run);

/// The lines of a scene in the table. @param runs a run per contender
void report_lines(Rows* rows, const Plan* plan, const World* world, const Run* runs);

#endif
