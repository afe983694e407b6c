// SPDX-License-Identifier: Apache-2.0
// Shared by the files of `uptack run`: options, counters and the summary.
#ifndef UPTACK_CLI_RUN_H
#define UPTACK_CLI_RUN_H

#include "check/overlap.h"
#include "run/run_impacts.h"
#include "run/run_reactions.h"
#include "run/run_worst.h"
#include "start.h"

enum { RUN_MAX_CTRLS = 256 };

typedef struct RunOptions {
    CliStart start;
    const char* record;              ///< file of states, .csv or .utr; NULL: none
    const char* contacts;            ///< file of contacts; NULL: none
    const char* transitions;         ///< file of transitions; NULL: none
    int ctrls;                       ///< number of --ctrl
    const char* ctrl[RUN_MAX_CTRLS]; ///< "FILE.csv" or "NAME=EXPRESSION"
    bool ctrl_linear;                ///< interpolate between the rows of FILE.csv
    double time;                     ///< simulated time, s; negative: the model's
    int every;                       ///< record every N-th state
    bool no_reports;                 ///< leave reports of steps out of the recording
    bool reactions;                  ///< columns of reactions in the table of states
    unsigned columns;                ///< UT_CSV_... flags of both tables
    bool json;
    bool strict;
} RunOptions;

enum { RUN_MAX_RUNGS = 32 };

/// The number of steps in which a rung solved at least one island.
typedef struct RunRung {
    const char* name;
    long long steps;
} RunRung;

typedef struct RunRungs {
    int count;
    RunRung rung[RUN_MAX_RUNGS];
} RunRungs;

/// Numbers of steps.
typedef struct RunSteps {
    long long planned;  ///< 0 for adaptive steps, whose number is not known in advance
    long long taken;    ///< the state advanced
    long long judged;   ///< taken or rejected
    long long flagged;  ///< certified, but solved by a fallback rung
    long long over;     ///< tier budget: taken with an E above the tolerance
    long long unsolved; ///< not certified
} RunSteps;

/// Lengths of the steps taken, s.
typedef struct RunLengths {
    double shortest, longest;
    double sum;
} RunLengths;

/// Errors of the steps judged.
typedef struct RunErrors {
    RunWorsts worst;
    double sum_E;
    double row_max_E;         ///< the largest E since the last row of the table of states
    double row_max_model_gap; ///< the same of the model gap
    double max_e;             ///< largest contact error, m/s
    double max_cone;          ///< largest cone violation
} RunErrors;

/// The first step that is not certified.
typedef struct RunFailure {
    long long step;        ///< its number, from 1; 0: every step is certified
    double time;           ///< start of the step, s
    const char* reason;    ///< why it is not certified; NULL: every step is certified
    double value;          ///< the number that exceeded its limit
    double limit;          ///< 0: the reason has no number
    char place[RUN_WHERE]; ///< " at the contact of floor and box (0, 0, 0)"; "" for none
} RunFailure;

typedef struct RunEnergy {
    double start, end; ///< J
    utEnergyLedger ledger;
} RunEnergy;

/// Counters of a run.
typedef struct RunTally {
    RunSteps steps;
    RunLengths lengths;
    RunErrors errors;
    RunFailure failure;
    RunEnergy energy;
    RunImpacts impacts;
    RunReactions reactions; ///< of the last step, with --columns reactions or --json
    RunRungs rungs;         ///< all rungs that answered
    RunRungs fallbacks;     ///< the flagged ones of them
    CliOverlaps overlaps;   ///< at the start
    const char* keyframe;   ///< name of the first state's keyframe; NULL: the modelled pose
    int contacts;           ///< in the last step taken
    int max_contacts;
    int sleeping;    ///< bodies that sleep at the end
    double end_time; ///< simulated time at which the run ends, s
    double wall;     ///< elapsed time, s
    bool stopped;    ///< a step was rejected
    int signal;      ///< number of the signal that ended the run early; 0 for none
} RunTally;

/// Read the command line.
/// @return the exit code. The run goes on only if it is CLI_OK and o->file is not NULL.
int run_read_options(int argc, char** argv, RunOptions* o);

/// Simulate and record. @param keyframe index of the first state; -1: the modelled pose
utStatus run_simulate(const RunOptions* o, utSim* sim, int keyframe, RunTally* tally, utError* err);

void run_print_json(const RunOptions* o, const CliModel* loaded, const utSim* sim,
                    const RunTally* tally);
void run_print_text(const RunOptions* o, const CliModel* loaded, const utSim* sim,
                    const RunTally* tally);

/// Warn if the run gained energy that no force put in, and suggest a remedy.
void run_warn_energy(const RunOptions* o, const utSim* sim, const RunTally* tally);

#endif
