// SPDX-License-Identifier: Apache-2.0
// uptack compare: every formulation and solver on one model.
#include "compare/compare.h"
#include "plot/plot_file.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>
#include <uptack/law.h>

// ---- options ------------------------------------------------------------------------------------

enum {
    OPTION_AGAINST = 256,
    OPTION_SOLVERS,
    OPTION_ONE_STEP,
    OPTION_STEP,
    OPTION_HALVE,
    OPTION_BRACKET,
    OPTION_RHO,
    OPTION_APART,
    OPTION_KEEP_GOING,
    OPTION_CSV,
    OPTION_JSON,
};

static const struct option long_options[] = {
    {"time", required_argument, NULL, 't'},
    {"against", required_argument, NULL, OPTION_AGAINST},
    {"solvers", no_argument, NULL, OPTION_SOLVERS},
    {"one-step", no_argument, NULL, OPTION_ONE_STEP},
    {"step", required_argument, NULL, OPTION_STEP},
    {"halve", required_argument, NULL, OPTION_HALVE},
    {"bracket", optional_argument, NULL, OPTION_BRACKET},
    {"rho", required_argument, NULL, OPTION_RHO},
    {"apart", required_argument, NULL, OPTION_APART},
    {"keep-going", no_argument, NULL, OPTION_KEEP_GOING},
    {"csv", required_argument, NULL, OPTION_CSV},
    {"json", no_argument, NULL, OPTION_JSON},
    CLI_START_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

// The next word of a list separated by commas. @return false at its end
static bool next_word(const char** list, char* word, size_t size)
{
    if (**list == '\0') {
        return false;
    }
    const size_t length = strcspn(*list, ",");
    snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

static int set_formulations(CompareOptions* o, const char* list)
{
    char word[64];
    while (next_word(&list, word, sizeof word)) {
        utFormulation formulation;
        if (!ut_formulation_find(word, &formulation)) {
            return cli_usage(&cli_compare, "there is no formulation '%s'", word);
        }
        o->formulations |= 1U << formulation;
    }
    return o->formulations != 0 ? CLI_OK : cli_usage(&cli_compare, "--formulation needs a name");
}

// Read the values of a sweep. @param whole even numbers of edges, else numbers >= 0
static int set_sweep(CompareSweep* sweep, const char* option, const char* list, bool whole)
{
    char word[64];
    sweep->count = 0;
    while (next_word(&list, word, sizeof word)) {
        int edges = 0;
        double value = 0.0;
        const bool valid =
            whole ? cli_parse_int(word, 4, UT_SECTION_MAX_EDGES, &edges) && edges % 2 == 0
                  : cli_parse_number(word, &value) && value >= 0.0;
        if (!valid && whole) {
            return cli_usage(&cli_compare, "%s needs even numbers from 4 to %d, not '%s'", option,
                             UT_SECTION_MAX_EDGES, word);
        }
        if (!valid) {
            return cli_usage(&cli_compare, "%s needs numbers of at least 0, not '%s'", option,
                             word);
        }
        if (sweep->count == COMPARE_SWEEP) {
            return cli_usage(&cli_compare, "%s has more than %d values", option, COMPARE_SWEEP);
        }
        sweep->at[sweep->count++] = whole ? edges : value;
    }
    return sweep->count > 0 ? CLI_OK : cli_usage(&cli_compare, "%s needs numbers", option);
}

static int set_positive(const char* option, double* value)
{
    return cli_parse_number(optarg, value) && *value > 0.0
               ? CLI_OK
               : cli_usage(&cli_compare, "%s needs a number above 0, not '%s'", option, optarg);
}

static int set_count(const char* option, int lo, int hi, int* value)
{
    return cli_parse_int(optarg, lo, hi, value)
               ? CLI_OK
               : cli_usage(&cli_compare, "%s needs a whole number from %d to %d, not '%s'", option,
                           lo, hi, optarg);
}

static int set_output(CompareOptions* o, int option)
{
    switch (option) {
    case 'o':
        o->out = optarg;
        return cli_ends_in(optarg, ".svg")
                   ? CLI_OK
                   : cli_usage(&cli_compare, "-o needs a name that ends in .svg, not '%s'", optarg);
    case OPTION_CSV:
        o->csv = optarg;
        return cli_ends_in(optarg, ".csv")
                   ? CLI_OK
                   : cli_usage(&cli_compare, "--csv needs a name that ends in .csv, not '%s'",
                               optarg);
    default: // OPTION_JSON
        o->json = true;
        return CLI_OK;
    }
}

static int set_option(int option, void* context)
{
    enum { MOST_HALVINGS = 12 };
    CompareOptions* o = context;
    switch (option) {
    case 't':
        return cli_set_seconds(&cli_compare, "-t", optarg, &o->time);
    case OPTION_AGAINST:
        o->against = optarg;
        return CLI_OK;
    case OPTION_SOLVERS:
        o->solvers = true;
        return CLI_OK;
    case OPTION_ONE_STEP:
        o->one_step = true;
        return CLI_OK;
    case OPTION_STEP:
        return set_count("--step", 0, INT_MAX, &o->step);
    case OPTION_HALVE:
        return set_count("--halve", 1, MOST_HALVINGS, &o->halve);
    case OPTION_BRACKET:
        o->bracketed = true;
        return optarg != NULL ? set_positive("--bracket", &o->bracket) : CLI_OK;
    case OPTION_RHO:
        return set_sweep(&o->rho, "--rho", optarg, false);
    case OPTION_APART:
        return set_positive("--apart", &o->apart);
    case OPTION_KEEP_GOING:
        o->start.sim.keep_going = true;
        return CLI_OK;
    case 'o':
    case OPTION_CSV:
    case OPTION_JSON:
        return set_output(o, option);
    case CLI_OPTION_FORMULATION:
        return set_formulations(o, optarg);
    case CLI_OPTION_DIRECTIONS:
        return set_sweep(&o->directions, "--directions", optarg, true);
    default:
        return cli_set_start(&cli_compare, option, optarg, &o->start);
    }
}

static int check_options(const CompareOptions* o)
{
    utFormulation named;
    const bool recording = o->against != NULL && !ut_formulation_find(o->against, &named);
    if (o->step > 0 && !o->one_step) {
        return cli_usage(&cli_compare, "--step is the state before --one-step, which is missing");
    }
    if (o->one_step && recording) {
        return cli_usage(&cli_compare,
                         "--one-step needs a formulation as its reference, not '%s'; "
                         "recordings are compared with whole runs",
                         o->against);
    }
    if (o->halve > 0 && recording) {
        return cli_usage(&cli_compare, "--halve needs a formulation as its reference, not '%s'",
                         o->against);
    }
    if (o->bracketed && (o->against != NULL || o->halve > 0 || o->solvers || o->formulations != 0 ||
                         o->rho.count > 0)) {
        return cli_usage(&cli_compare, "--bracket compares stewart-trinkle, coulomb and peiret; "
                                       "leave out --against, --formulation, --halve, --solvers "
                                       "and --rho");
    }
    if (o->bracketed && o->csv != NULL) {
        return cli_usage(&cli_compare, "--bracket has no table; use --json");
    }
    if (o->solvers && o->start.sim.solver != NULL) {
        return cli_usage(&cli_compare, "--solvers tries all solvers; leave out --solver");
    }
    return CLI_OK;
}

// ---- the verb -----------------------------------------------------------------------------------

// Is every step of every case that was not refused certified?
static bool all_certified(const Compare* c)
{
    for (int k = 0; k < c->cases; k++) {
        if (c->item[k].unsolved > 0) {
            return false;
        }
    }
    return true;
}

static utStatus work(Compare* c, CompareBracket* bracket, utError* err)
{
    const CompareOptions* o = c->options;
    if (o->bracketed) {
        return compare_bracket(c, bracket, err);
    }
    UT_TRY(compare_add_all(c, err));
    return compare_run(c, "", err);
}

// Files first, so that a failure leaves stdout empty.
static utStatus write_files(const Compare* c, const CompareBracket* bracket, utError* err)
{
    const CompareOptions* o = c->options;
    if (o->csv != NULL) {
        UT_TRY(compare_write_csv(c, o->csv, err));
    }
    return o->out != NULL ? compare_draw(c, bracket, err) : UT_OK;
}

static int exit_code(const Compare* c, const CompareBracket* bracket)
{
    return c->signal != 0                         ? CLI_SIGNAL + c->signal
           : bracket != NULL && !bracket->agree   ? CLI_UNSOLVED
           : bracket == NULL && !all_certified(c) ? CLI_UNSOLVED
                                                  : CLI_OK;
}

static int run(int argc, char** argv)
{
    CompareOptions o = {.start.sim = ut_sim_def(), .time = -1.0, .apart = 1e-6, .bracket = 0.01};
    int code = cli_parse(&cli_compare, argc, argv, long_options, set_option, &o, &o.start.file);
    if (code != CLI_OK || o.start.file == NULL) {
        return code;
    }
    code = check_options(&o);
    if (code != CLI_OK) {
        return code;
    }
    static Compare c;
    static CompareBracket bracket;
    const CompareBracket* shown = o.bracketed ? &bracket : NULL;
    utError err = {0};
    utStatus status = compare_open(&o, &c, &err);
    if (status == UT_OK) {
        cli_print_warnings(stderr, &c.model[0]);
        status = work(&c, &bracket, &err);
    }
    if (status == UT_OK) {
        status = write_files(&c, shown, &err);
    }
    if (status == UT_OK && o.json) {
        compare_print_json(&c, shown);
    } else if (status == UT_OK) {
        compare_print_text(&c, shown);
    }
    code = status == UT_OK ? exit_code(&c, shown) : cli_fail(&err);
    compare_close(&c);
    return code;
}

const CliVerb cli_compare = {
    .name = "compare",
    .summary = "all formulations and solvers on one model",
    .usage = "uptack compare MODEL [--against F|RECORDING] [--one-step] [--solvers] [--halve N]\n"
             "                      [--bracket] [--json] [--csv FILE.csv] [-o F.svg] ...",
    .help =
        "MODEL is as in uptack run. All formulations step side by side, and after each step every\n"
        "one is compared with the reference. A formulation that rejects the model has a row with\n"
        "the reason.\n"
        "\n"
        "what is compared\n"
        "  --formulation F,...   these formulations only; default: all nine\n"
        "  --solvers             every solver of each formulation, instead of --solver S for all\n"
        "  --directions K,...    edges of the friction polygons: 4,8,16 compares all three\n"
        "  --rho R,...           phantom inertia of peiret, kg; 0: by the rule of its paper\n"
        "  --against F           the reference: a formulation, default coulomb (the formulation\n"
        "                        of the file if the model rejects coulomb)\n"
        "  --against RECORDING   or the states of a run: FILE.utr or FILE.csv of uptack run\n"
        "                        --record, also in other coordinates or from another program\n"
        "\n"
        "over which time\n"
        "  -t S                  simulated time in seconds; default: the model's, else 1\n"
        "  --dt H                time step in seconds; default: the model's\n"
        "  --one-step            one step from a state that all share, with every contact\n"
        "  --step N              number of steps of the reference before it, default 0\n"
        "  --halve N             also with steps h/2 ... h/2^N: distances to the run with half\n"
        "                        the step, and the observed order. The reference has h/2^N\n"
        "\n"
        "how much friction matters\n"
        "  --bracket[=TOL]       polygons inside (stewart-trinkle) and outside (peiret) of the\n"
        "                        circle with 4, 8, 16, 32, 64 edges, or those of --directions,\n"
        "                        until the motions of both differ by at most TOL, default 0.01,\n"
        "                        of the largest displacement\n"
        "\n"
        "the simulation, as in uptack run\n"
        "  --solver S, --integrator I, --coordinates C, --impact L, --simultaneous S,\n"
        "  --budget[=N], --sleep, --keep-going, --set NAME.ATTR=VALUE, --key NAME\n"
        "\n"
        "output\n"
        "  --apart D             bodies whose positions differ by more than D metres or whose\n"
        "                        velocities by more than D m/s are apart, default 1e-6\n"
        "  --json                print all numbers as JSON\n"
        "  --csv FILE.csv        write a table: one row per case and body\n"
        "  -o F.svg              draw the differences over time; with --one-step and --halve and\n"
        "                        --bracket the figures of that table\n"
        "  --help, --version\n"
        "\n"
        "Ctrl-C ends a comparison early; the tables of all steps so far are printed.\n"
        "\n"
        "Exit code 0: every case took all steps, or was refused; 1: the model cannot be used, the\n"
        "reference is refused or a file cannot be written; 2: usage; 3: a step is not certified,\n"
        "or both sides of the bracket do not agree; 130: ended by Ctrl-C.\n",
    .run = run,
    .operand = "MODEL",
    .letters = ":ht:o:",
};
