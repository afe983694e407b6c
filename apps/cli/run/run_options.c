// SPDX-License-Identifier: Apache-2.0
// The command line of uptack run.
#include "columns.h"
#include "run/run.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>
#include <uptack/record.h>
#include <uptack/threads.h>

// ---- options ------------------------------------------------------------------------------------

enum {
    OPTION_KEEP_GOING = 256,
    OPTION_RECORD,
    OPTION_CONTACTS,
    OPTION_EVERY,
    OPTION_JSON,
    OPTION_STRICT,
    OPTION_THREADS,
    OPTION_ADAPTIVE,
    OPTION_TRANSITIONS,
    OPTION_COLUMNS,
    OPTION_CTRL,
    OPTION_CTRL_LINEAR,
    OPTION_NO_REPORTS,
};

static const struct option long_options[] = {
    {"time", required_argument, NULL, 't'},
    {"keep-going", no_argument, NULL, OPTION_KEEP_GOING},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"contacts", required_argument, NULL, OPTION_CONTACTS},
    {"transitions", required_argument, NULL, OPTION_TRANSITIONS},
    {"no-reports", no_argument, NULL, OPTION_NO_REPORTS},
    {"every", required_argument, NULL, OPTION_EVERY},
    {"columns", required_argument, NULL, OPTION_COLUMNS},
    {"ctrl", required_argument, NULL, OPTION_CTRL},
    {"ctrl-linear", no_argument, NULL, OPTION_CTRL_LINEAR},
    {"json", no_argument, NULL, OPTION_JSON},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"adaptive", required_argument, NULL, OPTION_ADAPTIVE},
    CLI_START_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

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

static int set_option(int option, void* context)
{
    RunOptions* o = context;
    switch (option) {
    case 't':
        return cli_set_seconds(&cli_run, "-t", optarg, &o->time);
    case OPTION_KEEP_GOING:
        o->start.sim.keep_going = true;
        return CLI_OK;
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
        return cli_set_columns(&cli_run, optarg, &o->columns);
    case OPTION_CTRL:
        return add_ctrl(optarg, o);
    case OPTION_CTRL_LINEAR:
        o->ctrl_linear = true;
        return CLI_OK;
    case OPTION_NO_REPORTS:
        o->no_reports = true;
        return CLI_OK;
    case OPTION_JSON:
        o->json = true;
        return CLI_OK;
    case OPTION_STRICT:
        o->strict = true;
        return CLI_OK;
    case OPTION_ADAPTIVE:
        return cli_parse_number(optarg, &o->start.sim.adaptive) && o->start.sim.adaptive > 0.0
                   ? CLI_OK
                   : cli_usage(&cli_run, "--adaptive needs a tolerance above 0, not '%s'", optarg);
    case OPTION_THREADS:
        return cli_parse_int(optarg, 1, UT_MAX_THREADS, &o->start.sim.threads)
                   ? CLI_OK
                   : cli_usage(&cli_run, "--threads needs a whole number from 1 to %d, not '%s'",
                               UT_MAX_THREADS, optarg);
    default:
        return cli_set_start(&cli_run, option, optarg, &o->start);
    }
}

static int check_options(const RunOptions* o)
{
    enum { FILES = 3 };
    static const char* const option[FILES] = {"--record", "--contacts", "--transitions"};
    const char* const file[FILES] = {o->record, o->contacts, o->transitions};
    for (int i = 0; i < FILES; i++) {
        if (file[i] != NULL && strcmp(file[i], o->start.file) == 0) {
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
    if (((o->columns & (unsigned)CLI_STATE_COLUMNS) != 0 && !states) ||
        ((o->columns & ~(unsigned)CLI_STATE_COLUMNS) != 0 && o->contacts == NULL)) {
        return cli_usage(&cli_run, "--columns needs its table: --record FILE.csv for frames, "
                                   "energy, contacts, E, model_gap, reactions; --contacts FILE.csv "
                                   "for force, gap_time, mu, lambda, cone");
    }
    return CLI_OK;
}

int run_read_options(int argc, char** argv, RunOptions* o)
{
    const int code = cli_parse(&cli_run, argc, argv, long_options, set_option, o, &o->start.file);
    o->reactions = (o->columns & (unsigned)CLI_COLUMN_REACTIONS) != 0;
    return code == CLI_OK && o->start.file != NULL ? check_options(o) : code;
}
