// SPDX-License-Identifier: Apache-2.0
// What runs, how it is run, and what is told of it.
#ifndef UPTACK_BENCH_ENGINES_RUN_H
#define UPTACK_BENCH_ENGINES_RUN_H

#include <stdio.h>

#include "engines.h"
#include "support/bench.h"

// ---- scenes and contenders ----------------------------------------------------------------------

typedef struct Plan {
    const char* scene;
    double dt;         ///< 0: the scene's own
    double time;       ///< s that are simulated
    double quick_time; ///< with --quick
    SceneKind kind;
} Plan;

int plan_count(void);
const Plan* plan_at(int index);

/// "stack:10" or, with a step of its own, "stack:10 at 1/60 s".
const char* plan_name(const Plan* plan, char name[64]);

enum { CONTENDERS_MAX = 16 };

typedef struct Contender {
    const char* name;
    const Driver* (*driver)(void);
    int variant;
    int least_bodies, most_bodies; ///< of the scenes that it takes: a dense method takes no large
                                   ///< ones, one that is meant for these no small ones
    bool chain_only;               ///< for an integrator that matters nowhere else
    const char* engine;
    const char* package; ///< Debian's name, told when it is missing
} Contender;

int contender_count(void);
const Contender* contender_at(int index);
bool contender_takes(const Contender* who, const Plan* plan, const World* world);

// ---- runs ---------------------------------------------------------------------------------------

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
} Run;

typedef struct RunDef {
    double time;   ///< s to simulate
    double budget; ///< CPU s that the judged run may take
    bool quick;    ///< fewer repeats
} RunDef;

/// One contender on one scene, in a process of its own.
Run contender_run(const Contender* who, const Plan* plan, const World* world, const RunDef* def);

/// The judge against hand calculation; prints what is wrong. @return nothing is
bool check_judge(void);

// ---- tables -------------------------------------------------------------------------------------

void report_header(FILE* out, double budget, bool quick);
void report_scene(FILE* out, const Plan* plan, const World* world, double time, const Run* runs);
void report_csv_header(FILE* out);
void report_csv(FILE* out, const Plan* plan, const World* world, const Run* runs);

#endif
