// SPDX-License-Identifier: Apache-2.0
// What the files of `uptack run` share: what was asked for, what came out, how it is printed.
#ifndef UPTACK_CLI_RUN_H
#define UPTACK_CLI_RUN_H

#include "cli.h"
#include "model.h"
#include "overlap.h"
#include "run_impacts.h"
#include "run_worst.h"

#include <uptack/sim.h>

typedef struct RunOptions {
    const char* file;
    const char* record;      ///< NULL: none
    const char* contacts;    ///< NULL: none
    const char* transitions; ///< NULL: none
    const char* key;         ///< NULL: none
    double time;             ///< s; negative: the model's
    int every;
    unsigned columns;  ///< UT_CSV_..., of both tables
    char warning[200]; ///< besides the loader's; "" for none
    bool json;
    bool strict;
    CliSets sets;
    utSimDef sim;
} RunOptions;

enum { RUN_MAX_RUNGS = 32 };

/// In how many steps a rung answered.
typedef struct RunRung {
    const char* name;
    long long steps;
} RunRung;

typedef struct RunRungs {
    int count;
    RunRung rung[RUN_MAX_RUNGS];
} RunRungs;

/// What a run was like.
typedef struct RunTally {
    long long planned; ///< steps asked for; 0 when they are adaptive
    double until;      ///< s: when it ends
    long long steps;   ///< steps taken
    long long judged;  ///< steps taken or refused
    int max_contacts;
    RunWorsts worst;
    double sum_residual;
    double since;            ///< E at most since the last row of the table of states
    int contacts;            ///< of the last step
    double max_residual_mps; ///< m/s
    double max_cone;
    long long flagged;        ///< steps that are certified and flagged
    long long unsolved;       ///< steps that are not certified
    long long first_unsolved; ///< which was the first, from 1; 0 for none
    const char* reason;       ///< why, NULL for none
    double unsolved_time;     ///< s: when it began
    double unsolved_value;    ///< that decided,
    double unsolved_limit;    ///< and what it had to be below; 0: no number decided
    char unsolved_place[RUN_WHERE];
    CliOverlaps overlaps; ///< at the start
    const char* keyframe; ///< that it begins with, NULL: the modelled pose
    RunImpacts impacts;
    double shortest, longest; ///< step, s
    double spent;             ///< s: all steps together
    RunRungs rungs;           ///< all
    RunRungs fallbacks;       ///< flagged ones
    double energy_start, energy_end;
    utEnergyLedger ledger;
    double wall; ///< s
    bool stopped;
    int signal; ///< that ended the run early; 0 for none
} RunTally;

/// Read the command line. @return how the program ends when that is not CLI_OK or o->file is NULL
int run_read_options(int argc, char** argv, RunOptions* o);

/// Simulate and record.
utStatus run_simulate(const RunOptions* o, utSim* sim, int keyframe, RunTally* tally, utError* err);

void run_print_json(const RunOptions* o, const CliModel* loaded, const utSim* sim,
                    const RunTally* tally);
void run_print_text(const RunOptions* o, const CliModel* loaded, const utSim* sim,
                    const RunTally* tally);

/// Warn of energy that nothing put in, and say what would help.
void run_warn_energy(const RunOptions* o, const utSim* sim, const RunTally* tally);

/// The names that a run goes by: as asked for, or the model's.
const char* run_formulation(const RunOptions* o, const utModel* model);
const char* run_solver(const RunOptions* o, const utModel* model);

#endif
