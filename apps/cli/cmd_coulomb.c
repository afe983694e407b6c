// uptack coulomb: read a friction problem, solve it, print the impulses with their certificate.
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <uptack/coulomb.h>

enum { SHOWN = 20 }; // contacts that the report prints

typedef struct Options {
    const char* file;
    utCoulombSolver solver;
    bool json;
    utCoulombDef def;
} Options;

// What there is to print.
typedef struct Answer {
    utCoulomb problem;
    utCoulombInfo info;
    double wall; // seconds
    double* r;
    double* u;
} Answer;

// ---- options ------------------------------------------------------------------------------------

enum { OPTION_SOLVER = 256, OPTION_TOL, OPTION_MAX, OPTION_JSON };

static const struct option long_options[] = {
    {"solver", required_argument, NULL, OPTION_SOLVER},
    {"tol", required_argument, NULL, OPTION_TOL},
    {"max-iterations", required_argument, NULL, OPTION_MAX},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_option(int option, void* context)
{
    Options* o = context;
    switch (option) {
    case OPTION_SOLVER:
        return ut_coulomb_solver_find(optarg, &o->solver)
                   ? CLI_OK
                   : cli_usage(&cli_coulomb, "there is no solver '%s'", optarg);
    case OPTION_TOL:
        return cli_parse_number(optarg, &o->def.tolerance) && o->def.tolerance > 0.0
                   ? CLI_OK
                   : cli_usage(&cli_coulomb, "--tol needs a number above 0, not '%s'", optarg);
    case OPTION_MAX:
        return cli_parse_int(optarg, 1, INT_MAX, &o->def.max_iterations)
                   ? CLI_OK
                   : cli_usage(&cli_coulomb,
                               "--max-iterations needs a whole number above 0, not '%s'", optarg);
    default: // OPTION_JSON
        o->json = true;
        return CLI_OK;
    }
}

// ---- reading ------------------------------------------------------------------------------------

static utStatus refuse_hdf5(const Options* o, utError* err)
{
    const size_t size = strlen(o->file);
    if (size >= 5 && strcmp(o->file + size - 5, ".hdf5") == 0) {
        return ut_error_at(err, UT_ERR_FORMAT, o->file, 0, 0,
                           "this build cannot read HDF5; give the problem as text (.fc)");
    }
    return UT_OK;
}

typedef struct Reading {
    const Options* options;
    utCoulomb* problem;
} Reading;

static utStatus read_problem(utText text, utArena* keep, void* context, utError* err)
{
    const Reading* reading = context;
    return ut_coulomb_read(text, cli_file_name(reading->options->file), keep, reading->problem,
                           err);
}

// ---- solving ------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static utStatus solve_with(const Options* o, utArena scratch, Answer* a)
{
    utCoulombVerdict verdict;
    const double start = now();
    UT_TRY(ut_coulomb_solve(&a->problem, o->solver, &o->def, scratch, a->r, &a->info));
    a->wall = now() - start;
    return ut_coulomb_judge(&a->problem, false, a->r, scratch, a->u, &verdict);
}

// @param keep receives the arena of r and u
static utStatus solve(const Options* o, utArena* keep, Answer* a)
{
    const size_t N = (size_t)ut_coulomb_rows(&a->problem);
    UT_TRY(ut_arena_create(2 * ut_arena_need(N, sizeof(double)), NULL, keep));
    utArena rest = *keep;
    a->r = UT_PUSH(&rest, double, N);
    a->u = UT_PUSH(&rest, double, N);

    utArena scratch;
    UT_TRY(ut_arena_create(ut_coulomb_scratch(&a->problem, o->solver), NULL, &scratch));
    const utStatus status = solve_with(o, scratch, a);
    ut_arena_destroy(&scratch, NULL);
    return status;
}

// ---- printing -----------------------------------------------------------------------------------

static void print_json(const Answer* a)
{
    const int N = ut_coulomb_rows(&a->problem);
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    ut_json_key(&w, "outcome");
    ut_json_string(&w, ut_coulomb_outcome_name(a->info.outcome));
    ut_json_key(&w, "solver");
    ut_json_string(&w, ut_coulomb_solver_name(a->info.solver));
    ut_json_key(&w, "residual");
    ut_json_number(&w, a->info.verdict.E);
    ut_json_key(&w, "iterations");
    ut_json_integer(&w, a->info.iterations);
    ut_json_key(&w, "wall_s");
    ut_json_number(&w, a->wall);
    ut_json_key(&w, "r");
    ut_json_doubles(&w, a->r, N);
    ut_json_key(&w, "u");
    ut_json_doubles(&w, a->u, N);
    ut_json_object_end(&w);
    putchar('\n');
}

static void print_problem(const Options* o, const utCoulomb* problem)
{
    const int n = problem->contacts;
    double least = HUGE_VAL;
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        least = problem->mu[i] < least ? problem->mu[i] : least;
        most = problem->mu[i] > most ? problem->mu[i] : most;
    }
    printf("%s: friction problem %s with %d contact%s, %d rows, mu ", cli_file_name(o->file),
           problem->dimension == 3 ? "in space" : "in the plane", n, n == 1 ? "" : "s",
           ut_coulomb_rows(problem));
    least < most ? printf("%g to %g\n\n", least, most) : printf("%g\n\n", least);
}

static void print_outcome(const Options* o, const Answer* a)
{
    const utCoulombVerdict* verdict = &a->info.verdict;
    const bool solved = a->info.outcome == UT_COULOMB_SOLVED;
    printf("outcome     ");
    cli_print_word(stdout, solved ? CLI_GREEN : CLI_YELLOW,
                   ut_coulomb_outcome_name(a->info.outcome));
    printf("%s\n", solved ? "" : ": stopped before the tolerance was met");
    printf("solver      %s\n", ut_coulomb_solver_name(a->info.solver));
    printf("iterations  %d\n", a->info.iterations);
    printf("E           %.3g, tolerance %.3g; %.3g m/s at contact %d, V = %.3g m/s\n", verdict->E,
           o->def.tolerance, verdict->e, verdict->contact, verdict->V);
    printf("bilateral   %.3g\n", verdict->bilateral);
    printf("cone        %.3g\n", verdict->cone);
}

// What a contact does: no impulse, or one with slip that stands out of the error or without.
static const char* state_of(const Options* o, const Answer* a, int contact)
{
    const int d = a->problem.dimension;
    const double* r = a->r + (size_t)contact * (size_t)d;
    const double* u = a->u + (size_t)contact * (size_t)d;
    const double slip = d == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
    return !(r[0] > 0.0) ? "open" : slip > o->def.tolerance * a->info.verdict.V ? "slip" : "stick";
}

static void print_vector(int d, const double* x)
{
    for (int k = 0; k < d; k++) {
        printf(" %16.9g", x[k]);
    }
}

static void print_contacts(const Options* o, const Answer* a)
{
    const int d = a->problem.dimension;
    const int n = a->problem.contacts;
    if (n > SHOWN) {
        printf("\n%d contacts; use --json for their impulses\n", n);
        return;
    }
    static const char* const heads[] = {"r_n", "r_t1", "r_t2", "u_n", "u_t1", "u_t2"};
    printf("\n%4s", "i");
    for (int k = 0; k < 6; k++) {
        if (k % 3 < d) {
            printf(" %16s", heads[k]);
        }
    }
    printf("  state\n");
    for (int i = 0; i < n; i++) {
        printf("%4d", i);
        print_vector(d, a->r + (size_t)i * (size_t)d);
        print_vector(d, a->u + (size_t)i * (size_t)d);
        printf("  %s\n", state_of(o, a, i));
    }
}

static void print_report(const Options* o, const Answer* a)
{
    print_problem(o, &a->problem);
    print_outcome(o, a);
    print_contacts(o, a);
}

// ---- the verb -----------------------------------------------------------------------------------

// A failure of the library, in words that help here.
static utStatus explain(utStatus status, const Options* o, utError* err)
{
    switch (status) {
    case UT_OK:
        return UT_OK;
    case UT_ERR_MEMORY:
        return cli_no_memory(o->file, err);
    case UT_ERR_ARGUMENT: // the file was checked when it was read: it is the solver that refuses
        return ut_error_at(err, status, cli_file_name(o->file), 0, 0,
                           "%s does not take a problem in local form (W and q); use auto or nsgs",
                           ut_coulomb_solver_name(o->solver));
    default:
        return ut_error_at(err, status, cli_file_name(o->file), 0, 0, "%s", ut_status_text(status));
    }
}

// Nothing is printed before everything is known, so a failure leaves stdout empty.
static utStatus answer(const Options* o, utText text, utArena arenas[2], Answer* a, utError* err)
{
    Reading reading = {o, &a->problem};
    UT_TRY(cli_read_problem(o->file, text, read_problem, &reading, &arenas[0], err));
    UT_TRY(explain(solve(o, &arenas[1], a), o, err));
    o->json ? print_json(a) : print_report(o, a);
    return UT_OK;
}

static int run(int argc, char** argv)
{
    Options o = {.solver = UT_COULOMB_AUTO, .def = ut_coulomb_def()};
    const int code = cli_parse(&cli_coulomb, argc, argv, long_options, set_option, &o, &o.file);
    if (code != CLI_OK || o.file == NULL) {
        return code;
    }

    utText text = {NULL, 0};
    utArena arenas[2] = {{NULL, NULL}};
    Answer a = {0};
    utError err;
    utStatus status = refuse_hdf5(&o, &err);
    if (status == UT_OK) {
        status = cli_read_file(o.file, &text, &err);
    }
    if (status == UT_OK) {
        status = answer(&o, text, arenas, &a, &err);
    }
    for (int i = 0; i < 2; i++) {
        ut_arena_destroy(&arenas[i], NULL);
    }
    cli_free_text(&text);
    if (status != UT_OK) {
        return cli_fail(&err);
    }
    return a.info.outcome == UT_COULOMB_SOLVED ? CLI_OK : CLI_UNSOLVED;
}

const CliVerb cli_coulomb = {
    .name = "coulomb",
    .summary = "solve a frictional contact problem with Coulomb's law",
    .usage = "uptack coulomb FILE [--solver S] [--tol E] [--max-iterations N] [--json]",
    .help =
        "Finds the impulses r of contacts with u = W r + q: none where a contact opens, within "
        "the\n"
        "friction cone where it sticks, on it and against the slip where it slips. FILE is text\n"
        "(# comments; fc d nc nnz; nnz entries i j value of W, counted from 0; q; mu), rows "
        "contact\n"
        "by contact, normal first; - is standard input.\n"
        "\n"
        "  --solver S          auto (default), ipm, proximal or nsgs\n"
        "  --tol E             solved at this E, the largest contact error over the velocity "
        "scale\n"
        "                      V; default 1e-8\n"
        "  --max-iterations N  sweeps of nsgs; default 10,000\n"
        "  --json              print outcome, solver, residual (E), iterations, wall_s, r, u as "
        "JSON\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: solved; 1: the file cannot be used; 2: usage; 3: not solved, the answer is\n"
        "printed all the same.\n",
    .run = run,
};
