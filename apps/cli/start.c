// SPDX-License-Identifier: Apache-2.0
// The options of a start, and the sim that they make.
#include "start.h"

#include <string.h>
#include <uptack/coulomb.h>

// ---- options ------------------------------------------------------------------------------------

static int set_formulation(const CliVerb* verb, const char* name, CliStart* start)
{
    utFormulation formulation;
    if (!ut_formulation_find(name, &formulation)) {
        return cli_usage(verb, "there is no formulation '%s'", name);
    }
    start->sim.formulation = (int)formulation;
    return CLI_OK;
}

static int set_solver(const CliVerb* verb, const char* name, CliStart* start)
{
    utCoulombSolver cone;
    utLcpSolver lcp;
    start->sim.solver = name;
    return ut_coulomb_solver_find(name, &cone) || ut_lcp_solver_find(name, &lcp)
               ? CLI_OK
               : cli_usage(verb, "there is no solver '%s'", name);
}

static int set_integrator(const CliVerb* verb, const char* name, CliStart* start)
{
    for (int k = 0; k < UT_INTEGRATOR_COUNT; k++) {
        if (strcmp(name, ut_integrator_name((utIntegrator)k)) == 0) {
            start->sim.integrator = k;
            return CLI_OK;
        }
    }
    return cli_usage(verb, "there is no integrator '%s'; there are Euler, RK4, implicit, midpoint",
                     name);
}

// A value of an option and the --set that it stands for, so that recordings list the choice.
typedef struct Choice {
    const char* name;
    const char* set;
} Choice;

static int set_choice(const CliVerb* verb, const char* option, const char* name,
                      const Choice* choices, int count, CliStart* start)
{
    char names[64] = "";
    for (int k = 0; k < count; k++) {
        if (strcmp(name, choices[k].name) == 0) {
            return cli_add_set(verb, choices[k].set, &start->sets);
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s",
                 k == 0           ? ""
                 : k + 1 == count ? " or "
                                  : ", ",
                 choices[k].name);
    }
    return cli_usage(verb, "%s needs %s, not '%s'", option, names, name);
}

static int set_coordinates(const CliVerb* verb, const char* name, CliStart* start)
{
    static const Choice choices[] = {{"generalized", "option.coordinates=generalized"},
                                     {"maximal", "option.coordinates=maximal"}};
    return set_choice(verb, "--coordinates", name, choices, 2, start);
}

static int set_impact(const CliVerb* verb, const char* name, CliStart* start)
{
    static const Choice choices[] = {{"newton", "option.impact=newton"},
                                     {"poisson", "option.impact=poisson"},
                                     {"stronge", "option.impact=stronge"}};
    return set_choice(verb, "--impact", name, choices, 3, start);
}

static int set_simultaneous(const CliVerb* verb, const char* name, CliStart* start)
{
    static const Choice choices[] = {{"moreau", "option.simultaneous=moreau"},
                                     {"poisson", "option.simultaneous=poisson"},
                                     {"propagate", "option.simultaneous=propagate"}};
    return set_choice(verb, "--simultaneous", name, choices, 3, start);
}

int cli_set_seconds(const CliVerb* verb, const char* option, const char* text, double* value)
{
    return cli_parse_number(text, value) && *value > 0.0
               ? CLI_OK
               : cli_usage(verb, "%s needs a number of seconds above 0, not '%s'", option, text);
}

// @param sweeps their number; NULL: the default
static int set_budget(const CliVerb* verb, const char* sweeps, CliStart* start)
{
    int count = UT_DEFAULT_SWEEPS;
    const bool valid = sweeps == NULL || cli_parse_int(sweeps, 1, CLI_MAX_SWEEPS, &count);
    start->sim.tier = UT_TIER_BUDGET;
    start->sim.sweeps = count;
    snprintf(start->budget, sizeof start->budget, "budget:%d", count);
    return valid ? CLI_OK
                 : cli_usage(verb, "--budget=N needs a whole number from 1 to %d, not '%s'",
                             CLI_MAX_SWEEPS, sweeps);
}

static int set_start(const CliVerb* verb, int option, const char* value, CliStart* start)
{
    switch (option) {
    case CLI_OPTION_DT:
        return cli_set_seconds(verb, "--dt", value, &start->sim.dt);
    case CLI_OPTION_FORMULATION:
        return set_formulation(verb, value, start);
    case CLI_OPTION_SOLVER:
        return set_solver(verb, value, start);
    case CLI_OPTION_DIRECTIONS:
        return cli_parse_int(value, 4, UT_SECTION_MAX_EDGES, &start->sim.directions) &&
                       start->sim.directions % 2 == 0
                   ? CLI_OK
                   : cli_usage(verb, "--directions needs an even number from 4 to %d, not '%s'",
                               UT_SECTION_MAX_EDGES, value);
    case CLI_OPTION_INTEGRATOR:
        return set_integrator(verb, value, start);
    case CLI_OPTION_COORDINATES:
        return set_coordinates(verb, value, start);
    case CLI_OPTION_IMPACT:
        return set_impact(verb, value, start);
    case CLI_OPTION_SIMULTANEOUS:
        return set_simultaneous(verb, value, start);
    case CLI_OPTION_BUDGET:
        return set_budget(verb, value, start);
    case CLI_OPTION_SLEEP:
        start->sim.sleep = true;
        return CLI_OK;
    case CLI_OPTION_SET:
        return cli_add_set(verb, value, &start->sets);
    case CLI_OPTION_KEY:
        start->key = value;
        return CLI_OK;
    default:
        return cli_set_urdf(verb, option, value, &start->sets);
    }
}

int cli_set_start(const CliVerb* verb, int option, const char* value, CliStart* start)
{
    if (start->given == CLI_MAX_GIVEN) {
        return cli_usage(verb, "there are more than %d options", CLI_MAX_GIVEN);
    }
    start->given_option[start->given++] = (CliGiven){option, value};
    return set_start(verb, option, value, start);
}

const char* cli_formulation(const CliStart* start, const utModel* model)
{
    return ut_formulation_name((utFormulation)(start->sim.formulation >= 0
                                                   ? start->sim.formulation
                                                   : model->options.formulation));
}

const char* cli_solver(const CliStart* start, const utModel* model)
{
    return cli_is_budget(start)        ? start->budget
           : start->sim.solver != NULL ? start->sim.solver
                                       : model->options.solver;
}

// ---- the start ----------------------------------------------------------------------------------

// @param keyframe receives the index of the first state's keyframe, -1 for the modelled pose
static utStatus find_keyframe(const CliStart* start, const CliModel* loaded, int* keyframe,
                              utError* err)
{
    const utModel* model = loaded->model;
    *keyframe = -1;
    if (start->key == NULL || start->key[0] == '\0') {
        // without --key the keyframe "start" is taken if the model has one
        *keyframe = start->key == NULL ? ut_model_start_key(model) : -1;
        return UT_OK;
    }
    *keyframe = ut_model_find_keyframe(model, start->key);
    if (*keyframe >= 0 || cli_parse_int(start->key, 0, model->nkeyframe - 1, keyframe)) {
        return UT_OK;
    }
    char names[128] = "";
    CliName room;
    for (int k = 0; k < model->nkeyframe && strlen(names) < sizeof names - 1; k++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "",
                 cli_name(model->keyframe[k].name, "key", k, &room));
    }
    return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(start->file), 0, 0,
                       model->nkeyframe > 0 ? "there is no keyframe '%s'; there are: %s"
                                            : "there is no keyframe '%s'; the model has none%s",
                       start->key, names);
}

// Create the sim. If the command line's formulation cannot use the file's solver, use auto and warn.
static utStatus create(CliStart* start, const utModel* model, utSim** sim, utError* err)
{
    const utStatus status = ut_sim_create(model, &start->sim, sim, err);
    const bool solver_of_file = start->sim.formulation >= 0 && start->sim.solver == NULL;
    if (status != UT_ERR_ARGUMENT || !solver_of_file ||
        strcmp(model->options.solver, "auto") == 0) {
        return status;
    }
    utSimDef def = start->sim;
    utError unused;
    def.solver = "auto";
    if (ut_sim_create(model, &def, sim, &unused) != UT_OK) {
        return status;
    }
    start->sim.solver = def.solver;
    snprintf(start->warning, sizeof start->warning,
             "the file's solver %.40s does not solve %.40s; solver auto is used instead",
             model->options.solver, cli_formulation(start, model));
    if (!start->quiet) {
        fprintf(stderr, "%s: ", cli_file_name(start->file));
        cli_print_word(stderr, CLI_YELLOW, "warning:");
        fprintf(stderr, " %s\n", start->warning);
    }
    return UT_OK;
}

utStatus cli_start(CliStart* start, const CliModel* loaded, int* keyframe, utSim** sim,
                   utError* err)
{
    UT_TRY(find_keyframe(start, loaded, keyframe, err));
    utStatus status = create(start, loaded->model, sim, err);
    if (status == UT_OK) {
        status = ut_sim_reset(*sim, *keyframe, err);
    }
    if (status != UT_OK && err->file[0] == '\0') {
        const utError bare = *err;
        ut_error_at(err, status, cli_file_name(start->file), 0, 0, "%s", bare.message);
    }
    return status;
}
