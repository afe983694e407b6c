// SPDX-License-Identifier: Apache-2.0
// uptack dump: one step's system as a paper prints it.
#include "cli.h"
#include "model.h"
#include "output.h"
#include "start.h"

#include <getopt.h>
#include <string.h>
#include <uptack/equations.h>

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

typedef struct DumpOptions {
    CliStart start;
    utEquationsDef system;
    utEquationsFormat format;
    const char* lcp; ///< file; NULL: none
} DumpOptions;

static int set_notation(const char* name, DumpOptions* o)
{
    for (int k = 0; ut_equations_notation(k) != NULL; k++) {
        if (strcmp(name, ut_equations_notation(k)) == 0) {
            o->system.notation = name;
            return CLI_OK;
        }
    }
    return cli_usage(&cli_dump,
                     "there is no notation '%s'; there are berard, dart, dart-full, igms, "
                     "pfrommer, peiret, peiret-lcp",
                     name);
}

static int set_format(const char* name, DumpOptions* o)
{
    static const char* const names[] = {
        [UT_EQUATIONS_TEXT] = "text", [UT_EQUATIONS_JSON] = "json", [UT_EQUATIONS_TEX] = "tex"};
    for (int k = 0; k < 3; k++) {
        if (strcmp(name, names[k]) == 0) {
            o->format = (utEquationsFormat)k;
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
        return cli_parse_int(optarg, 1, MAX_STEP, &o->system.step)
                   ? CLI_OK
                   : cli_usage(&cli_dump, "--step needs a whole number above 0, not '%s'", optarg);
    case OPTION_RHO:
        return cli_parse_number(optarg, &o->system.rho) && o->system.rho >= 0.0 &&
                       o->system.rho < 1e300
                   ? CLI_OK
                   : cli_usage(&cli_dump, "--rho needs a number of kg, 0 or more, not '%s'",
                               optarg);
    case OPTION_RANK:
        o->system.ranks = true;
        return CLI_OK;
    case OPTION_FORMAT:
        return set_format(optarg, o);
    case OPTION_JSON:
        o->format = UT_EQUATIONS_JSON;
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
    const int coordinates = ut_equations_coordinates(o->system.notation);
    return coordinates < 0
               ? CLI_OK
               : cli_set_start(&cli_dump, CLI_OPTION_COORDINATES,
                               ut_coordinates_name((utCoordinates)coordinates), &o->start);
}

static int read_options(int argc, char** argv, DumpOptions* o)
{
    int code = cli_parse(&cli_dump, argc, argv, long_options, set_option, o, &o->start.file);
    if (code != CLI_OK || o->start.file == NULL) {
        return code;
    }
    if (o->system.notation == NULL) {
        return cli_usage(
            &cli_dump, "--eq is missing; it is berard, dart, dart-full, igms, pfrommer, peiret or "
                       "peiret-lcp");
    }
    if (o->system.rho >= 0.0 && strncmp(o->system.notation, "peiret", strlen("peiret")) != 0) {
        return cli_usage(&cli_dump, "--rho is for peiret and peiret-lcp, not %s",
                         o->system.notation);
    }
    return set_coordinates(o);
}

// ---- errors -------------------------------------------------------------------------------------

// The message with the command line's options instead of the library's words, and with the file.
static utStatus name_options(const DumpOptions* o, utStatus status, utError* err)
{
    static const char* const words[][2] = {
        {" a later step may ", " a later --step may "},
        {" a run with formulation ", " a run with --formulation "},
        {" this system keeps them: ", " this system keeps them: --eq "},
        {"choose an earlier step", "choose an earlier --step"}};
    const utError bare = *err;
    const char* rest = bare.message[0] != '\0' ? bare.message : ut_status_text(status);
    const size_t notation = strlen(o->system.notation);
    char message[2 * sizeof bare.message] = "";
    if (bare.file[0] != '\0') {
        return status;
    }
    if (strncmp(rest, o->system.notation, notation) == 0 &&
        strncmp(rest + notation, " does not apply", strlen(" does not apply")) == 0) {
        strcat(message, "--eq ");
    }
    for (size_t used = strlen(message); *rest != '\0'; used = strlen(message)) {
        size_t k = 0;
        while (k < sizeof words / sizeof *words &&
               strncmp(rest, words[k][0], strlen(words[k][0])) != 0) {
            k++;
        }
        const bool found = k < sizeof words / sizeof *words;
        snprintf(message + used, sizeof message - used, "%.*s", found ? 64 : 1,
                 found ? words[k][1] : rest);
        rest += found ? strlen(words[k][0]) : 1;
    }
    return ut_error_at(err, status, cli_file_name(o->start.file), 0, 0, "%s", message);
}

// ---- the verb -----------------------------------------------------------------------------------

static utStatus run_before(const DumpOptions* o, const utInput* input, utSim* sim, utError* err)
{
    for (int k = 1; k < o->system.step; k++) {
        utStepResult result;
        const utStatus status = ut_sim_step(sim, input, &result, err);
        if (status == UT_ERR_NOT_TAKEN) {
            return ut_error_set(err, status,
                                "the run ends at step %d, which is not certified: %s; choose an "
                                "earlier step",
                                k, ut_certificate_reason_name(result.certificate.reason));
        }
        UT_TRY(status);
    }
    return UT_OK;
}

// Simulate the steps before, and write the system of the step.
static utStatus make_system(DumpOptions* o, const CliModel* loaded, utEquations** system,
                            utError* err)
{
    int keyframe;
    utInput input = {0};
    utSim* sim = NULL;
    UT_TRY(cli_start(&o->start, loaded, &keyframe, &sim, err));
    if (keyframe >= 0) {
        input.ctrl = loaded->model->keyframe[keyframe].ctrl;
    }
    o->system.sim = o->start.sim;
    o->system.model = cli_file_name(o->start.file);
    utStatus status = run_before(o, &input, sim, err);
    if (status == UT_OK) {
        status = ut_equations_create(sim, &input, &o->system, system, err);
    }
    ut_sim_destroy(sim);
    return status == UT_OK ? UT_OK : name_options(o, status, err);
}

static utStatus write_lcp(const DumpOptions* o, const utEquations* system, utArena* keep,
                          utError* err)
{
    utText text;
    CliOutput output;
    UT_TRY(ut_equations_write(system, UT_EQUATIONS_LCP, keep, &text));
    UT_TRY(cli_output_open(o->lcp, &output, err));
    return cli_output_close(&output, cli_output_write(&output, text.data, text.size), UT_OK, err);
}

static utStatus print(const DumpOptions* o, const utEquations* system, utError* err)
{
    utText text;
    utArena keep = {0};
    utStatus status = ut_arena_create(0, NULL, &keep);
    if (status == UT_OK && o->lcp != NULL) {
        status = write_lcp(o, system, &keep, err);
    }
    if (status == UT_OK) {
        status = ut_equations_write(system, o->format, &keep, &text);
    }
    if (status == UT_OK) {
        fwrite(text.data, 1, text.size, stdout);
    }
    ut_arena_destroy(&keep);
    return status == UT_ERR_CAPACITY || status == UT_ERR_MEMORY ? cli_no_memory(o->start.file, err)
                                                                : status;
}

static int dump_model(DumpOptions* o, const CliModel* loaded)
{
    utEquations* system = NULL;
    utError err = {0};
    cli_print_warnings(stderr, loaded);
    utStatus status = make_system(o, loaded, &system, &err);
    if (status == UT_OK) {
        status = print(o, system, &err);
    }
    const int code = status != UT_OK               ? cli_fail(&err)
                     : ut_equations_solved(system) ? CLI_OK
                                                   : CLI_UNSOLVED;
    ut_equations_destroy(system);
    return code;
}

static int run(int argc, char** argv)
{
    DumpOptions o = {.start.sim = ut_sim_def(), .system = ut_equations_def(NULL)};
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
