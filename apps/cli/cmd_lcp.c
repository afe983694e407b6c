// SPDX-License-Identifier: Apache-2.0
// uptack lcp: read a problem, solve it, print the solution with its residual.
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <uptack/lcp.h>
#include <uptack/problem_files.h>

enum { MAX_PRINTED = 20 }; // rows, and solutions, of the text output

typedef enum Type {
    TYPE_ANY,
    TYPE_LCP,
    TYPE_MIXED,
} Type;

typedef struct Options {
    const char* file;
    utLcpSolver solver;
    bool all;
    bool json;
    Type type;
    utLcpDef def;
} Options;

// The result to print.
typedef struct Answer {
    utLcp lcp;
    utLcpInfo info;
    double* z;
    double* w;
    double* ray;
    bool has_ray;
    int count; // number of solutions
    double* Z; // count x n
} Answer;

// ---- options ------------------------------------------------------------------------------------

enum { OPTION_SOLVER = 256, OPTION_ALL, OPTION_TYPE, OPTION_TOL, OPTION_MAX, OPTION_JSON };

static const struct option long_options[] = {
    {"solver", required_argument, NULL, OPTION_SOLVER},
    {"all", no_argument, NULL, OPTION_ALL},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"tol", required_argument, NULL, OPTION_TOL},
    {"max-iterations", required_argument, NULL, OPTION_MAX},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_type(const char* word, Options* o)
{
    if (strcmp(word, "lcp") == 0) {
        o->type = TYPE_LCP;
    } else if (strcmp(word, "mlcp") == 0) {
        o->type = TYPE_MIXED;
    } else {
        return cli_usage(&cli_lcp, "--type is lcp or mlcp, not '%s'", word);
    }
    return CLI_OK;
}

static int set_option(int option, void* context)
{
    Options* o = context;
    switch (option) {
    case OPTION_SOLVER:
        return ut_lcp_solver_find(optarg, &o->solver)
                   ? CLI_OK
                   : cli_usage(&cli_lcp, "there is no solver '%s'", optarg);
    case OPTION_ALL:
        o->all = true;
        return CLI_OK;
    case OPTION_TYPE:
        return set_type(optarg, o);
    case OPTION_TOL:
        return cli_parse_number(optarg, &o->def.tolerance) && o->def.tolerance > 0.0
                   ? CLI_OK
                   : cli_usage(&cli_lcp, "--tol needs a number above 0, not '%s'", optarg);
    case OPTION_MAX:
        return cli_parse_int(optarg, 1, INT_MAX, &o->def.max_iterations)
                   ? CLI_OK
                   : cli_usage(&cli_lcp, "--max-iterations needs a whole number above 0, not '%s'",
                               optarg);
    default: // OPTION_JSON
        o->json = true;
        return CLI_OK;
    }
}

// ---- reading ------------------------------------------------------------------------------------

static bool is_json(utText text)
{
    size_t i = text.size >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < text.size && strchr(" \t\r\n", text.data[i]) != NULL && text.data[i] != 0) {
        i++;
    }
    return i < text.size && text.data[i] == '{';
}

// Other formats name their type themselves, so --type counts for .dat files and standard input only.
static utLcpFormat choose_format(const Options* o, utText text)
{
    const size_t size = strlen(o->file);
    const bool dat =
        (size >= 4 && strcmp(o->file + size - 4, ".dat") == 0) || strcmp(o->file, "-") == 0;
    if (o->type == TYPE_ANY || !dat || is_json(text)) {
        return UT_LCP_FORMAT_AUTO;
    }
    return o->type == TYPE_MIXED ? UT_LCP_FORMAT_DAT_MIXED : UT_LCP_FORMAT_DAT;
}

static utStatus read_problem(const Options* o, utArena* keep, utLcp* lcp, utError* err)
{
    utText text;
    UT_TRY(cli_read_file(o->file, keep, &text, err));
    const utStatus status =
        ut_lcp_read(text, cli_file_name(o->file), choose_format(o, text), keep, lcp, err);
    return status == UT_ERR_CAPACITY ? cli_no_memory(o->file, err) : status;
}

static utStatus check_type(const Options* o, const utLcp* lcp, utError* err)
{
    if (o->type == TYPE_LCP && lcp->free_count > 0) {
        return ut_error_at(err, UT_ERR_FORMAT, cli_file_name(o->file), 0, 0,
                           "this is a mixed LCP, %d of its %d unknowns are free; use --type mlcp",
                           lcp->free_count, lcp->n);
    }
    return UT_OK;
}

// ---- solving ------------------------------------------------------------------------------------

// Turn a status of the library into a message about the file.
static utStatus explain(utStatus status, const Options* o, const utLcp* lcp, utError* err)
{
    switch (status) {
    case UT_OK:
        return UT_OK;
    case UT_ERR_CAPACITY:
        return cli_no_memory(o->file, err);
    case UT_ERR_ARGUMENT: // only enumeration has a limit of size
        return ut_error_at(err, status, cli_file_name(o->file), 0, 0,
                           "%d unknowns have too many cases to enumerate; %s takes at most 16, "
                           "fewer when they are boxed",
                           lcp->n, o->all ? "--all" : ut_lcp_solver_name(o->solver));
    default:
        return ut_error_at(err, status, cli_file_name(o->file), 0, 0, "%s", ut_status_text(status));
    }
}

static bool any_entry(const double* x, int n)
{
    for (int i = 0; i < n; i++) {
        if (x[i] != 0.0) {
            return true;
        }
    }
    return false;
}

// @param keep holds z, w and the ray
static utStatus solve_one(const Options* o, utArena* keep, Answer* a)
{
    const int n = a->lcp.n;
    a->z = UT_PUSH(keep, double, n);
    a->w = UT_PUSH(keep, double, n);
    a->ray = UT_PUSH(keep, double, n);
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    utLcpDef def = o->def;
    def.ray = a->ray;
    memset(a->ray, 0, (size_t)n * sizeof *a->ray);
    UT_TRY(ut_lcp_solve(&a->lcp, o->solver, &def, *keep, a->z, &a->info));
    ut_lcp_slack(&a->lcp, a->z, a->w);

    // the largest entry of a ray is 1, so a ray of zeros was not written by the solver
    a->has_ray = a->info.outcome == UT_LCP_RAY && any_entry(a->ray, n);
    return UT_OK;
}

// Count the solutions, then list them. @param keep holds them
static utStatus solve_all(const Options* o, utArena* keep, Answer* a)
{
    UT_TRY(ut_lcp_all(&a->lcp, &o->def, *keep, 0, NULL, &a->count));
    a->Z = UT_PUSH(keep, double, (size_t)a->count*(size_t)a->lcp.n);
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    return ut_lcp_all(&a->lcp, &o->def, *keep, a->count, a->Z, &a->count);
}

// ---- printing -----------------------------------------------------------------------------------

static void print_json(const Options* o, const Answer* a)
{
    const int n = a->lcp.n;
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    ut_json_key(&w, "outcome");
    ut_json_string(&w, ut_lcp_outcome_name(a->info.outcome));
    ut_json_key(&w, "solver");
    ut_json_string(&w, ut_lcp_solver_name(a->info.solver));
    ut_json_key(&w, "z");
    ut_json_doubles(&w, a->z, n);
    ut_json_key(&w, "w");
    ut_json_doubles(&w, a->w, n);
    ut_json_key(&w, "residual");
    ut_json_number(&w, a->info.residual);
    ut_json_key(&w, "iterations");
    ut_json_integer(&w, a->info.iterations);
    if (o->all) {
        ut_json_key(&w, "solutions");
        ut_json_array_begin(&w);
        for (int s = 0; s < a->count; s++) {
            ut_json_doubles(&w, a->Z + (size_t)s * (size_t)n, n);
        }
        ut_json_array_end(&w);
    }
    if (a->has_ray) {
        ut_json_key(&w, "ray");
        ut_json_doubles(&w, a->ray, n);
    }
    ut_json_object_end(&w);
    putchar('\n');
}

static void print_problem(const Options* o, const utLcp* lcp)
{
    int bounded = 0;
    int indexed = 0;
    for (int i = lcp->free_count; i < lcp->n; i++) {
        bounded +=
            (lcp->lo != NULL && lcp->lo[i] != 0.0) || (lcp->hi != NULL && isfinite(lcp->hi[i]));
        indexed += lcp->findex != NULL && lcp->findex[i] >= 0;
    }
    printf("%s: %s%s with %d unknown%s", cli_file_name(o->file), bounded > 0 ? "boxed " : "",
           lcp->free_count > 0 ? "mixed LCP" : "LCP", lcp->n, lcp->n == 1 ? "" : "s");
    if (lcp->free_count > 0) {
        printf(", %d free", lcp->free_count);
    }
    if (bounded > 0) {
        printf(", %d with bounds", bounded);
    }
    if (indexed > 0) {
        printf(", %d with a friction index", indexed);
    }
    printf("\n\n");
}

static void print_outcome(const Options* o, const Answer* a)
{
    static const CliColor colors[] = {
        [UT_LCP_SOLVED] = CLI_GREEN,
        [UT_LCP_RAY] = CLI_YELLOW,
        [UT_LCP_ITERATIONS] = CLI_YELLOW,
        [UT_LCP_NONE] = CLI_RED,
    };
    static const char* const meanings[] = {
        [UT_LCP_SOLVED] = "",
        [UT_LCP_RAY] = ": pivoting ended on a ray; a solution may still exist",
        [UT_LCP_ITERATIONS] = ": stopped before the tolerance was met",
        [UT_LCP_NONE] = ": it is proved that there is no solution",
    };
    const utLcpInfo* info = &a->info;
    printf("outcome          ");
    cli_print_word(stdout, colors[info->outcome], ut_lcp_outcome_name(info->outcome));
    printf("%s\n", meanings[info->outcome]);
    printf("solver           %s%s\n", ut_lcp_solver_name(info->solver),
           o->solver == UT_LCP_AUTO ? ", chosen by auto" : "");
    printf("iterations       %d\n", info->iterations);
    printf("scaled residual  %.3g, tolerance %.3g\n", info->residual, o->def.tolerance);
}

static void print_vectors(const Answer* a)
{
    const int n = a->lcp.n;
    printf("\n%6s %20s %20s%s\n", "i", "z", "w", a->has_ray ? "                  ray" : "");
    for (int i = 0; i < n && i < MAX_PRINTED; i++) {
        printf("%6d %20.12g %20.12g", i, a->z[i], a->w[i]);
        if (a->has_ray) {
            printf(" %20.12g", a->ray[i]);
        }
        printf("\n");
    }
    if (n > MAX_PRINTED) {
        printf("   ... %d more; use --json for all\n", n - MAX_PRINTED);
    }
}

static void print_solutions(const Answer* a)
{
    const int n = a->lcp.n;
    printf("\n%d solution%s\n", a->count, a->count == 1 ? "" : "s");
    for (int s = 0; s < a->count && s < MAX_PRINTED; s++) {
        printf("%6d ", s);
        for (int i = 0; i < n; i++) {
            printf(" %.10g", a->Z[(size_t)s * (size_t)n + (size_t)i]);
        }
        printf("\n");
    }
    if (a->count > MAX_PRINTED) {
        printf("   ... %d more; use --json for all\n", a->count - MAX_PRINTED);
    }
}

static void print_report(const Options* o, const Answer* a)
{
    print_problem(o, &a->lcp);
    print_outcome(o, a);
    print_vectors(a);
    if (o->all) {
        print_solutions(a);
    }
}

// ---- the verb -----------------------------------------------------------------------------------

// Print only after all work has succeeded, so that a failure leaves stdout empty.
static utStatus answer(const Options* o, utArena* keep, Answer* a, utError* err)
{
    UT_TRY(read_problem(o, keep, &a->lcp, err));
    UT_TRY(check_type(o, &a->lcp, err));
    UT_TRY(explain(solve_one(o, keep, a), o, &a->lcp, err));
    if (o->all) {
        UT_TRY(explain(solve_all(o, keep, a), o, &a->lcp, err));
    }
    o->json ? print_json(o, a) : print_report(o, a);
    return UT_OK;
}

static int run(int argc, char** argv)
{
    Options o = {.solver = UT_LCP_AUTO, .def = ut_lcp_def()};
    const int code = cli_parse(&cli_lcp, argc, argv, long_options, set_option, &o, &o.file);
    if (code != CLI_OK || o.file == NULL) {
        return code;
    }

    Answer a = {0};
    utError err;
    utArena memory = {0};
    utStatus status = ut_arena_create(0, NULL, &memory) == UT_OK ? answer(&o, &memory, &a, &err)
                                                                 : cli_no_memory(o.file, &err);
    ut_arena_destroy(&memory);
    if (status != UT_OK) {
        return cli_fail(&err);
    }
    return a.info.outcome == UT_LCP_SOLVED ? CLI_OK : CLI_UNSOLVED;
}

const CliVerb cli_lcp = {
    .name = "lcp",
    .summary = "solve a linear complementarity problem: plain, mixed or boxed",
    .usage = "uptack lcp FILE [--solver S] [--all] [--type lcp|mlcp] [--tol E]\n"
             "                  [--max-iterations N] [--json]",
    .help =
        "Finds z with w = M z + q, z >= 0, w >= 0 and z.w = 0. Free unknowns have w = 0 instead,\n"
        "boxed ones lo <= z <= hi. FILE is one of\n"
        "  text     # comments, n, n rows of M, q\n"
        "  JSON     {\"M\":[[..]],\"q\":[..],\"free\":k,\"lo\":[..],\"hi\":[..],\"findex\":[..]}\n"
        "  .dat     a file of Siconos\n"
        "  -        standard input\n"
        "\n"
        "  --solver S          auto (default), lemke, pivot, pgs, newton or enumerate\n"
        "  --all               also list all solutions; at most 16 unknowns\n"
        "  --type lcp|mlcp     type of a .dat file, also on standard input; without this option\n"
        "                      it is guessed from the content\n"
        "  --tol E             accept a solution with this scaled residual, default 1e-10\n"
        "  --max-iterations N  limit of pivots, sweeps or steps; default: the solver's own\n"
        "  --json              print outcome, solver, z, w, residual, iterations as JSON; with\n"
        "                      --all also solutions, and ray if pivoting ended on one\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: solved; 1: the file cannot be used; 2: usage; 3: not solved (outcome ray,\n"
        "iterations or none), but the last iterate is printed.\n",
    .run = run,
};
