// SPDX-License-Identifier: Apache-2.0
// How a verb starts a sim: the options that choose the formulation, the step, the tier and the first state, and the
// sim that they make.
#ifndef UPTACK_CLI_START_H
#define UPTACK_CLI_START_H

#include "cli.h"
#include "model.h"

#include <uptack/sim.h>

enum { CLI_MAX_SWEEPS = 100000, CLI_MAX_GIVEN = CLI_MAX_SETS + 64 };

/// An option as it was given.
typedef struct CliGiven {
    int option;
    const char* value; ///< NULL: none
} CliGiven;

typedef struct CliStart {
    const char* file;
    const char*
        key; ///< keyframe by name or number; NULL: "start" if the model has it; "": the modelled pose
    char budget[32];   ///< "budget:N" with N sweeps; "": tier exact
    char warning[200]; ///< about the solver; "" for none
    bool quiet;        ///< do not print the warning
    CliSets sets;
    utSimDef sim; ///< begin with ut_sim_def()
    int given;    ///< number of options, for recordings
    CliGiven given_option[CLI_MAX_GIVEN];
} CliStart;

/// The options of a start, for the list of a verb's options. They include those of URDF files.
enum {
    CLI_OPTION_DT = 3000,
    CLI_OPTION_FORMULATION,
    CLI_OPTION_SOLVER,
    CLI_OPTION_DIRECTIONS,
    CLI_OPTION_INTEGRATOR,
    CLI_OPTION_COORDINATES,
    CLI_OPTION_IMPACT,
    CLI_OPTION_SIMULTANEOUS,
    CLI_OPTION_BUDGET,
    CLI_OPTION_SLEEP,
    CLI_OPTION_SET,
    CLI_OPTION_KEY
};
// clang-format off
#define CLI_START_OPTIONS                                               \
    {"dt", required_argument, NULL, CLI_OPTION_DT},                     \
    {"formulation", required_argument, NULL, CLI_OPTION_FORMULATION},   \
    {"solver", required_argument, NULL, CLI_OPTION_SOLVER},             \
    {"directions", required_argument, NULL, CLI_OPTION_DIRECTIONS},     \
    {"integrator", required_argument, NULL, CLI_OPTION_INTEGRATOR},     \
    {"coordinates", required_argument, NULL, CLI_OPTION_COORDINATES},   \
    {"impact", required_argument, NULL, CLI_OPTION_IMPACT},             \
    {"simultaneous", required_argument, NULL, CLI_OPTION_SIMULTANEOUS}, \
    {"budget", optional_argument, NULL, CLI_OPTION_BUDGET},             \
    {"sleep", no_argument, NULL, CLI_OPTION_SLEEP},                     \
    {"set", required_argument, NULL, CLI_OPTION_SET},                   \
    {"key", required_argument, NULL, CLI_OPTION_KEY},                   \
    CLI_URDF_OPTIONS
// clang-format on

/// Set one of these options. @param option CLI_OPTION_... @return CLI_OK or CLI_USAGE
int cli_set_start(const CliVerb* verb, int option, const char* value, CliStart* start);

/// Read a time in seconds above 0. @return CLI_OK or CLI_USAGE
int cli_set_seconds(const CliVerb* verb, const char* option, const char* text, double* value);

/// Create the sim in its first state. If the command line's formulation cannot use the file's
/// solver, the sim uses auto, and a warning is printed.
/// @param keyframe receives the index of the first state's keyframe, -1 for the modelled pose
utStatus cli_start(CliStart* start, const CliModel* loaded, int* keyframe, utSim** sim,
                   utError* err);

/// Is it the tier budget?
static inline bool cli_is_budget(const CliStart* start)
{
    return start->sim.tier == UT_TIER_BUDGET;
}

/// The formulation and the solver: the command line's, else the model's. In the tier budget the solver is "budget:N".
const char* cli_formulation(const CliStart* start, const utModel* model);
const char* cli_solver(const CliStart* start, const utModel* model);

#endif
