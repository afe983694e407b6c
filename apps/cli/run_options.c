// SPDX-License-Identifier: Apache-2.0
// The command line of uptack run.
#include "run.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/record.h>

// ---- options ------------------------------------------------------------------------------------

enum {
    OPTION_DT = 256,
    OPTION_FORMULATION,
    OPTION_SOLVER,
    OPTION_DIRECTIONS,
    OPTION_INTEGRATOR,
    OPTION_KEEP_GOING,
    OPTION_SET,
    OPTION_RECORD,
    OPTION_CONTACTS,
    OPTION_EVERY,
    OPTION_KEY,
    OPTION_JSON,
    OPTION_STRICT,
    OPTION_COORDINATES,
    OPTION_THREADS,
    OPTION_IMPACT,
    OPTION_SIMULTANEOUS,
    OPTION_ADAPTIVE,
    OPTION_BUDGET,
    OPTION_SLEEP,
    OPTION_TRANSITIONS,
    OPTION_COLUMNS,
    OPTION_CTRL,
    OPTION_CTRL_LINEAR,
};

static const struct option long_options[] = {
    {"time", required_argument, NULL, 't'},
    {"dt", required_argument, NULL, OPTION_DT},
    {"formulation", required_argument, NULL, OPTION_FORMULATION},
    {"solver", required_argument, NULL, OPTION_SOLVER},
    {"directions", required_argument, NULL, OPTION_DIRECTIONS},
    {"integrator", required_argument, NULL, OPTION_INTEGRATOR},
    {"keep-going", no_argument, NULL, OPTION_KEEP_GOING},
    {"set", required_argument, NULL, OPTION_SET},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"contacts", required_argument, NULL, OPTION_CONTACTS},
    {"transitions", required_argument, NULL, OPTION_TRANSITIONS},
    {"every", required_argument, NULL, OPTION_EVERY},
    {"columns", required_argument, NULL, OPTION_COLUMNS},
    {"key", required_argument, NULL, OPTION_KEY},
    {"ctrl", required_argument, NULL, OPTION_CTRL},
    {"ctrl-linear", no_argument, NULL, OPTION_CTRL_LINEAR},
    {"json", no_argument, NULL, OPTION_JSON},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"coordinates", required_argument, NULL, OPTION_COORDINATES},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"impact", required_argument, NULL, OPTION_IMPACT},
    {"simultaneous", required_argument, NULL, OPTION_SIMULTANEOUS},
    {"adaptive", required_argument, NULL, OPTION_ADAPTIVE},
    {"budget", optional_argument, NULL, OPTION_BUDGET},
    {"sleep", no_argument, NULL, OPTION_SLEEP},
    CLI_URDF_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_formulation(const char* name, RunOptions* o)
{
    utFormulation formulation;
    if (!ut_formulation_find(name, &formulation)) {
        return cli_usage(&cli_run, "there is no formulation '%s'", name);
    }
    o->sim.formulation = (int)formulation;
    return CLI_OK;
}

static int set_solver(const char* name, RunOptions* o)
{
    utCoulombSolver cone;
    utLcpSolver lcp;
    o->sim.solver = name;
    return ut_coulomb_solver_find(name, &cone) || ut_lcp_solver_find(name, &lcp)
               ? CLI_OK
               : cli_usage(&cli_run, "there is no solver '%s'", name);
}

static int set_integrator(const char* name, RunOptions* o)
{
    for (int k = 0; k < UT_INTEGRATOR_COUNT; k++) {
        if (strcmp(name, ut_integrator_name((utIntegrator)k)) == 0) {
            o->sim.integrator = k;
            return CLI_OK;
        }
    }
    return cli_usage(&cli_run,
                     "there is no integrator '%s'; there are Euler, RK4, implicit, midpoint", name);
}

// A value of an option and the --set that it stands for, so that recordings list the choice.
typedef struct Choice {
    const char* name;
    const char* set;
} Choice;

static int set_choice(const char* option, const char* name, const Choice* choices, int count,
                      RunOptions* o)
{
    char names[64] = "";
    for (int k = 0; k < count; k++) {
        if (strcmp(name, choices[k].name) == 0) {
            return cli_add_set(&cli_run, choices[k].set, &o->sets);
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s",
                 k == 0           ? ""
                 : k + 1 == count ? " or "
                                  : ", ",
                 choices[k].name);
    }
    return cli_usage(&cli_run, "%s needs %s, not '%s'", option, names, name);
}

static int set_coordinates(const char* name, RunOptions* o)
{
    static const Choice choices[] = {{"generalized", "option.coordinates=generalized"},
                                     {"maximal", "option.coordinates=maximal"}};
    return set_choice("--coordinates", name, choices, 2, o);
}

static int set_impact(const char* name, RunOptions* o)
{
    static const Choice choices[] = {{"newton", "option.impact=newton"},
                                     {"poisson", "option.impact=poisson"},
                                     {"stronge", "option.impact=stronge"}};
    return set_choice("--impact", name, choices, 3, o);
}

static int set_simultaneous(const char* name, RunOptions* o)
{
    static const Choice choices[] = {{"moreau", "option.simultaneous=moreau"},
                                     {"poisson", "option.simultaneous=poisson"},
                                     {"propagate", "option.simultaneous=propagate"}};
    return set_choice("--simultaneous", name, choices, 3, o);
}

static int set_record(const char* file, RunOptions* o)
{
    o->record = file;
    return cli_ends_in(file, ".csv") || cli_ends_in(file, ".utr")
               ? CLI_OK
               : cli_usage(&cli_run, "--record needs a name that ends in .csv or .utr, not '%s'",
                           file);
}

static int add_ctrl(const char* text, RunOptions* o)
{
    const char* equals = strchr(text, '=');
    if (!cli_ends_in(text, ".csv") && (equals == NULL || equals == text)) {
        return cli_usage(&cli_run, "--ctrl needs FILE.csv or NAME=EXPRESSION, not '%s'", text);
    }
    if (o->ctrls == RUN_MAX_CTRLS) {
        return cli_usage(&cli_run, "there are more than %d --ctrl", RUN_MAX_CTRLS);
    }
    o->ctrl[o->ctrls++] = text;
    return CLI_OK;
}

// @param list names of columns, separated by commas
static int set_columns(const char* list, RunOptions* o)
{
    static const struct {
        const char* name;
        unsigned column;
    } known[] = {{"frames", UT_CSV_FRAMES},     {"energy", UT_CSV_ENERGY},
                 {"contacts", UT_CSV_CONTACTS}, {"E", UT_CSV_E},
                 {"force", UT_CSV_FORCE},       {"gap_time", UT_CSV_GAP_TIME}};
    for (;;) {
        const size_t size = strcspn(list, ",");
        unsigned column = 0;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (strlen(known[k].name) == size && strncmp(known[k].name, list, size) == 0) {
                column = known[k].column;
            }
        }
        if (column == 0) {
            return cli_usage(&cli_run,
                             "there is no column '%.*s'; there are frames, energy, contacts, E for "
                             "states and force, gap_time for contacts",
                             (int)size, list);
        }
        o->columns |= column;
        if (list[size] == '\0') {
            return CLI_OK;
        }
        list += size + 1;
    }
}

static int set_number(const char* option, const char* text, double* value)
{
    return cli_parse_number(text, value) && *value > 0.0
               ? CLI_OK
               : cli_usage(&cli_run, "%s needs a number of seconds above 0, not '%s'", option,
                           text);
}

// @param sweeps their number; NULL: the default
static int set_budget(const char* sweeps, RunOptions* o)
{
    int count = UT_DEFAULT_SWEEPS;
    const bool valid = sweeps == NULL || cli_parse_int(sweeps, 1, RUN_MAX_SWEEPS, &count);
    o->sim.tier = UT_TIER_BUDGET;
    o->sim.sweeps = count;
    snprintf(o->budget, sizeof o->budget, "budget:%d", count);
    return valid ? CLI_OK
                 : cli_usage(&cli_run, "--budget=N needs a whole number from 1 to %d, not '%s'",
                             RUN_MAX_SWEEPS, sweeps);
}

// Reserved for several threads to come.
static int set_threads(const char* number)
{
    int threads;
    if (!cli_parse_int(number, 1, INT_MAX, &threads)) {
        return cli_usage(&cli_run, "--threads needs a whole number above 0, not '%s'", number);
    }
    return threads == 1 ? CLI_OK
                        : cli_usage(&cli_run, "--threads %s is not implemented yet", number);
}

static int set_option(int option, void* context)
{
    RunOptions* o = context;
    switch (option) {
    case 't':
        return set_number("-t", optarg, &o->time);
    case OPTION_DT:
        return set_number("--dt", optarg, &o->sim.dt);
    case OPTION_FORMULATION:
        return set_formulation(optarg, o);
    case OPTION_SOLVER:
        return set_solver(optarg, o);
    case OPTION_DIRECTIONS:
        return cli_parse_int(optarg, 4, UT_SECTION_MAX_EDGES, &o->sim.directions) &&
                       o->sim.directions % 2 == 0
                   ? CLI_OK
                   : cli_usage(&cli_run, "--directions needs an even number from 4 to %d, not '%s'",
                               UT_SECTION_MAX_EDGES, optarg);
    case OPTION_INTEGRATOR:
        return set_integrator(optarg, o);
    case OPTION_KEEP_GOING:
        o->sim.keep_going = true;
        return CLI_OK;
    case OPTION_SET:
        return cli_add_set(&cli_run, optarg, &o->sets);
    case OPTION_RECORD:
        return set_record(optarg, o);
    case OPTION_CONTACTS:
        o->contacts = optarg;
        return CLI_OK;
    case OPTION_TRANSITIONS:
        o->transitions = optarg;
        return CLI_OK;
    case OPTION_EVERY:
        return cli_parse_int(optarg, 1, INT_MAX, &o->every)
                   ? CLI_OK
                   : cli_usage(&cli_run, "--every needs a whole number above 0, not '%s'", optarg);
    case OPTION_COLUMNS:
        return set_columns(optarg, o);
    case OPTION_KEY:
        o->key = optarg;
        return CLI_OK;
    case OPTION_CTRL:
        return add_ctrl(optarg, o);
    case OPTION_CTRL_LINEAR:
        o->ctrl_linear = true;
        return CLI_OK;
    case OPTION_JSON:
        o->json = true;
        return CLI_OK;
    case OPTION_STRICT:
        o->strict = true;
        return CLI_OK;
    case OPTION_COORDINATES:
        return set_coordinates(optarg, o);
    case OPTION_IMPACT:
        return set_impact(optarg, o);
    case OPTION_SIMULTANEOUS:
        return set_simultaneous(optarg, o);
    case OPTION_ADAPTIVE:
        return cli_parse_number(optarg, &o->sim.adaptive) && o->sim.adaptive > 0.0
                   ? CLI_OK
                   : cli_usage(&cli_run, "--adaptive needs a tolerance above 0, not '%s'", optarg);
    case OPTION_BUDGET:
        return set_budget(optarg, o);
    case OPTION_SLEEP:
        o->sim.sleep = true;
        return CLI_OK;
    case OPTION_THREADS:
        return set_threads(optarg);
    default:
        return cli_set_urdf(&cli_run, option, optarg, &o->sets);
    }
}

static int check_options(const RunOptions* o)
{
    const unsigned STATE_COLUMNS = UT_CSV_FRAMES | UT_CSV_ENERGY | UT_CSV_CONTACTS | UT_CSV_E;
    enum { FILES = 3 };
    static const char* const option[FILES] = {"--record", "--contacts", "--transitions"};
    const char* const file[FILES] = {o->record, o->contacts, o->transitions};
    for (int i = 0; i < FILES; i++) {
        if (file[i] != NULL && strcmp(file[i], o->file) == 0) {
            return cli_usage(&cli_run, "the model would be overwritten");
        }
        for (int k = 0; k < o->ctrls; k++) {
            if (file[i] != NULL && strcmp(file[i], o->ctrl[k]) == 0) {
                return cli_usage(&cli_run, "the table of controls would be overwritten");
            }
        }
        for (int k = 0; k < i; k++) {
            if (file[i] != NULL && file[k] != NULL && strcmp(file[i], file[k]) == 0) {
                return cli_usage(&cli_run, "%s and %s name the same file", option[k], option[i]);
            }
        }
    }
    const bool states = o->record != NULL && cli_ends_in(o->record, ".csv");
    if (((o->columns & STATE_COLUMNS) != 0 && !states) ||
        ((o->columns & ~STATE_COLUMNS) != 0 && o->contacts == NULL)) {
        return cli_usage(&cli_run, "--columns needs its table: --record FILE.csv for frames, "
                                   "energy, contacts, E, --contacts FILE.csv for force, gap_time");
    }
    return CLI_OK;
}

int run_read_options(int argc, char** argv, RunOptions* o)
{
    const int code = cli_parse(&cli_run, argc, argv, long_options, set_option, o, &o->file);
    return code == CLI_OK && o->file != NULL ? check_options(o) : code;
}
