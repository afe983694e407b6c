// SPDX-License-Identifier: Apache-2.0
// uptack dump: one step's system as a paper prints it.
#include "dump/dump.h"

#include <getopt.h>
#include <string.h>

// ---- options ------------------------------------------------------------------------------------

enum { MAX_STEP = 100000000 };

enum {
    OPTION_EQ = 256,
    OPTION_STEP,
    OPTION_RHO,
    OPTION_RANK,
    OPTION_FORMAT,
    OPTION_LCP,
    OPTION_JSON
};

static const struct option long_options[] = {
    {"eq", required_argument, NULL, OPTION_EQ},
    {"step", required_argument, NULL, OPTION_STEP},
    {"rho", required_argument, NULL, OPTION_RHO},
    {"rank", no_argument, NULL, OPTION_RANK},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"lcp", required_argument, NULL, OPTION_LCP},
    CLI_START_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_notation(const char* name, DumpOptions* o)
{
    o->notation = dump_find_notation(name);
    return o->notation != NULL
               ? CLI_OK
               : cli_usage(&cli_dump,
                           "there is no notation '%s'; there are berard, dart, dart-full, igms, "
                           "pfrommer, peiret, peiret-lcp",
                           name);
}

static int set_format(const char* name, DumpOptions* o)
{
    static const char* const names[] = {"text", "json", "tex"};
    for (int k = 0; k < 3; k++) {
        if (strcmp(name, names[k]) == 0) {
            o->format = (DumpFormat)k;
            return CLI_OK;
        }
    }
    return cli_usage(&cli_dump, "--format is text, json or tex, not '%s'", name);
}

static int set_lcp(const char* path, DumpOptions* o)
{
    o->lcp = path;
    return strcmp(path, "-") != 0 ? CLI_OK
                                  : cli_usage(&cli_dump, "--lcp needs a file, not standard output");
}

static int set_option(int option, void* context)
{
    DumpOptions* o = context;
    switch (option) {
    case OPTION_EQ:
        return set_notation(optarg, o);
    case OPTION_STEP:
        return cli_parse_int(optarg, 1, MAX_STEP, &o->step)
                   ? CLI_OK
                   : cli_usage(&cli_dump, "--step needs a whole number above 0, not '%s'", optarg);
    case OPTION_RHO:
        return cli_parse_number(optarg, &o->rho) && o->rho >= 0.0 && o->rho < 1e300
                   ? CLI_OK
                   : cli_usage(&cli_dump, "--rho needs a number of kg, 0 or more, not '%s'",
                               optarg);
    case OPTION_RANK:
        o->rank = true;
        return CLI_OK;
    case OPTION_FORMAT:
        return set_format(optarg, o);
    case OPTION_JSON:
        o->format = DUMP_JSON;
        return CLI_OK;
    case OPTION_LCP:
        return set_lcp(optarg, o);
    default:
        return cli_set_start(&cli_dump, option, optarg, &o->start);
    }
}

// The paper's coordinates, unless the command line chooses them.
static int set_coordinates(DumpOptions* o)
{
    for (int k = 0; k < o->start.sets.count; k++) {
        if (strncmp(o->start.sets.text[k], "option.coordinates=", strlen("option.coordinates=")) ==
            0) {
            return CLI_OK;
        }
    }
    return o->notation->coordinates == NULL ? CLI_OK
                                            : cli_set_start(&cli_dump, CLI_OPTION_COORDINATES,
                                                            o->notation->coordinates, &o->start);
}

static int read_options(int argc, char** argv, DumpOptions* o)
{
    int code = cli_parse(&cli_dump, argc, argv, long_options, set_option, o, &o->start.file);
    if (code != CLI_OK || o->start.file == NULL) {
        return code;
    }
    if (o->notation == NULL) {
        return cli_usage(
            &cli_dump, "--eq is missing; it is berard, dart, dart-full, igms, pfrommer, peiret or "
                       "peiret-lcp");
    }
    if (o->rho >= 0.0 && o->notation->notation != UT_NOTATION_PEIRET) {
        return cli_usage(&cli_dump, "--rho is for peiret and peiret-lcp, not %s",
                         o->notation->name);
    }
    return set_coordinates(o);
}

// ---- the verb -----------------------------------------------------------------------------------

static void print(const DumpSystem* system)
{
    static void (*const printers[])(const DumpSystem*) = {
        [DUMP_TEXT] = dump_print_text, [DUMP_JSON] = dump_print_json, [DUMP_TEX] = dump_print_tex};
    printers[system->options->format](system);
}

static int dump_model(DumpOptions* o, const CliModel* loaded)
{
    DumpStep step = {0};
    DumpSystem system;
    utError err = {0};
    utArena keep = {0};
    cli_print_warnings(stderr, loaded);
    utStatus status = ut_arena_create(0, NULL, &keep);
    if (status == UT_OK) {
        status = dump_take_step(o, loaded, &keep, &step, &err);
    } else {
        status = cli_no_memory(o->start.file, &err);
    }
    if (status == UT_OK) {
        status = dump_build(o, loaded, &step, &keep, &system, &err);
    }
    if (status == UT_OK && o->lcp != NULL) {
        status = dump_write_lcp(&system, &err);
    }
    int code = CLI_OK;
    if (status == UT_OK) {
        print(&system);
        code = dump_is_solved(&system) ? CLI_OK : CLI_UNSOLVED;
    }
    dump_free_step(&step);
    ut_arena_destroy(&keep);
    return status == UT_OK ? code : cli_fail(&err);
}

static int run(int argc, char** argv)
{
    DumpOptions o = {.step = 1, .rho = -1.0, .start.sim = ut_sim_def()};
    int code = read_options(argc, argv, &o);
    if (code != CLI_OK || o.start.file == NULL) {
        return code;
    }
    CliModel loaded;
    utError err;
    code = cli_load_model(o.start.file, &o.start.sets, &loaded, &err) == UT_OK
               ? dump_model(&o, &loaded)
               : cli_fail(&err);
    cli_free_model(&loaded);
    return code;
}

const CliVerb cli_dump = {
    .name = "dump",
    .summary = "print one step's equations as a paper prints them",
    .usage = "uptack dump MODEL --eq berard|dart|dart-full|igms|pfrommer|peiret|peiret-lcp\n"
             "                   [--step N] [--format text|json|tex] [--rank] [--lcp FILE] ...",
    .help =
        "Prints the system of one step in a paper's order, letters, signs and units, with names "
        "on\n"
        "every row, the step's own solution, forces beside impulses, rank and condition, and how\n"
        "the print is read where it is in doubt (docs/equations.md).\n"
        "\n"
        "  --eq berard      Berard's mixed problem, Eq. 34, and its examples, Eq. 46 to 88\n"
        "  --eq dart        Tan, Siu and Liu: the standard LCP, Eq. 14; dart-full: Eq. 12\n"
        "  --eq igms        Son, Trinkle and Amato: the LCP block of section 3.3\n"
        "  --eq pfrommer    Pfrommer: falling, forward or bidirectional, whichever applies; the "
        "case\n"
        "                   is named by pfrommer-falling, -forward or -bidirectional\n"
        "  --eq peiret      Peiret, Kovecses and Font-Llagunes: Eq. 8; peiret-lcp: without vdot "
        "and\n"
        "                   lambda_t\n"
        "\n"
        "  --step N         the N-th step, default 1. The steps before are those of uptack run; "
        "the\n"
        "                   step itself has the paper's formulation\n"
        "  --rho R          peiret: phantom inertia in kg; 0: Glocker's model; default: by rule\n"
        "  --rank           also the ranks of all blocks, and of systems above 200 unknowns\n"
        "  --format F       text (default), json or tex\n"
        "  --json           the same as --format json\n"
        "  --lcp FILE       write the LCP for uptack lcp, as JSON\n"
        "  --key NAME       begin with this keyframe, as in uptack run; so do --dt, --directions,\n"
        "                   --set, --formulation and the other options of the start\n"
        "  --coordinates C  generalized or maximal; default: the paper's, which are maximal for\n"
        "                   berard, the file's for pfrommer, else generalized\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: done; 1: the model cannot be used, or the notation does not apply to it; 2:\n"
        "usage; 3: the system has no solution that was found, but it is printed.\n",
    .run = run,
    .operand = "MODEL",
    .print_appendix = cli_print_urdf_help,
};
