// SPDX-License-Identifier: Apache-2.0
// uptack coulomb: read a friction problem, solve it, print the impulses and their error.
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <uptack/coulomb.h>
#include <uptack/problem_files.h>
#include <uptack/uniqueness.h>

enum { MAX_PRINTED_CONTACTS = 20 };

// With --unique or --least the problem is first solved to this fraction of the tolerance, because
// classifying the contacts needs accurate impulses.
static const double STUDY_TOLERANCE = 1e-3;

typedef enum Formulation { COULOMB, STEWART_TRINKLE, PEIRET, CONVEX, FORMULATIONS } Formulation;

static const char* const formulations[FORMULATIONS] = {
    "coulomb",
    "stewart-trinkle",
    "peiret",
    "convex",
};

typedef struct Options {
    const char* file;
    const char* solver_name;
    utCoulombSolver solver;
    Formulation formulation;
    int directions;
    bool json;
    bool unique; // report which impulses and velocities are unique
    bool least;  // take the impulses of least norm
    utCoulombDef def;
} Options;

// The result to print.
typedef struct Answer {
    utCoulomb problem;
    utSection section; // the friction polygon of a polygonal formulation
    utCoulombInfo info;
    double wall; // seconds
    double* r;
    double* u;
    bool has_unique;
    utUniqueness unique;
    utLeastInfo least;
} Answer;

// ---- options ------------------------------------------------------------------------------------

enum {
    OPTION_SOLVER = 256,
    OPTION_FORMULATION,
    OPTION_DIRECTIONS,
    OPTION_TOL,
    OPTION_MAX,
    OPTION_UNIQUE,
    OPTION_LEAST,
    OPTION_JSON
};

static const struct option long_options[] = {
    {"solver", required_argument, NULL, OPTION_SOLVER},
    {"formulation", required_argument, NULL, OPTION_FORMULATION},
    {"directions", required_argument, NULL, OPTION_DIRECTIONS},
    {"tol", required_argument, NULL, OPTION_TOL},
    {"max-iterations", required_argument, NULL, OPTION_MAX},
    {"unique", no_argument, NULL, OPTION_UNIQUE},
    {"least", no_argument, NULL, OPTION_LEAST},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_formulation(const char* name, Options* o)
{
    for (int k = 0; k < FORMULATIONS; k++) {
        if (strcmp(name, formulations[k]) == 0) {
            o->formulation = (Formulation)k;
            o->def.convex = k == CONVEX;
            return CLI_OK;
        }
    }
    return cli_usage(&cli_coulomb, "there is no formulation '%s'", name);
}

static int set_option(int option, void* context)
{
    Options* o = context;
    switch (option) {
    case OPTION_SOLVER:
        o->solver_name = optarg;
        return CLI_OK;
    case OPTION_FORMULATION:
        return set_formulation(optarg, o);
    case OPTION_DIRECTIONS:
        return cli_parse_int(optarg, 4, UT_SECTION_MAX_EDGES, &o->directions) &&
                       o->directions % 2 == 0
                   ? CLI_OK
                   : cli_usage(&cli_coulomb,
                               "--directions needs an even number from 4 to %d, not '%s'",
                               UT_SECTION_MAX_EDGES, optarg);
    case OPTION_TOL:
        return cli_parse_number(optarg, &o->def.tolerance) && o->def.tolerance > 0.0
                   ? CLI_OK
                   : cli_usage(&cli_coulomb, "--tol needs a number above 0, not '%s'", optarg);
    case OPTION_MAX:
        return cli_parse_int(optarg, 1, INT_MAX, &o->def.max_iterations)
                   ? CLI_OK
                   : cli_usage(&cli_coulomb,
                               "--max-iterations needs a whole number above 0, not '%s'", optarg);
    case OPTION_UNIQUE:
        o->unique = true;
        return CLI_OK;
    case OPTION_LEAST:
        o->least = true;
        return CLI_OK;
    default: // OPTION_JSON
        o->json = true;
        return CLI_OK;
    }
}

static bool is_polygonal(const Options* o)
{
    return o->formulation == STEWART_TRINKLE || o->formulation == PEIRET;
}

// Polygonal formulations are LCPs, so the names of LCP solvers are allowed for them.
static int set_solver(Options* o)
{
    if (o->solver_name == NULL) {
        return CLI_OK;
    }
    if (is_polygonal(o) && strcmp(o->solver_name, "auto") != 0 &&
        ut_lcp_solver_find(o->solver_name, &o->def.lcp)) {
        o->solver = UT_COULOMB_LCP;
        return CLI_OK;
    }
    if (!ut_coulomb_solver_find(o->solver_name, &o->solver)) {
        return cli_usage(&cli_coulomb, "there is no solver '%s' for %s", o->solver_name,
                         formulations[o->formulation]);
    }
    if (o->solver == (is_polygonal(o) ? UT_COULOMB_IPM : UT_COULOMB_LCP)) {
        return cli_usage(&cli_coulomb, "%s does not solve the formulation %s", o->solver_name,
                         formulations[o->formulation]);
    }
    if (o->solver == UT_COULOMB_NSGS && o->formulation == CONVEX) {
        return cli_usage(&cli_coulomb, "nsgs does not solve the formulation convex");
    }
    return CLI_OK;
}

// ---- reading ------------------------------------------------------------------------------------

static bool is_named_hdf5(const Options* o)
{
    return cli_ends_in(o->file, ".hdf5") || cli_ends_in(o->file, ".h5");
}

// Files are recognised by name, and data from a pipe by the signature of HDF5.
static bool is_hdf5(const Options* o, utText bytes)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    const size_t size = sizeof signature - 1;
    return is_named_hdf5(o) || (bytes.size >= size && memcmp(bytes.data, signature, size) == 0);
}

// Without the HDF5 library, fail before reading the file. The error says what to install.
static utStatus check_hdf5(const Options* o, utError* err)
{
    if (is_named_hdf5(o) && !ut_coulomb_has_fclib()) {
        return ut_coulomb_read_fclib_bytes((utText){NULL, 0}, o->file, NULL, NULL, err);
    }
    return UT_OK;
}

// @param keep holds the file's bytes and the problem
static utStatus read_problem(const Options* o, utArena* keep, utCoulomb* problem, utError* err)
{
    const char* file = cli_file_name(o->file);
    utText text;
    UT_TRY(check_hdf5(o, err));
    UT_TRY(cli_read_file(o->file, keep, &text, err));
    const utStatus status = is_hdf5(o, text)
                                ? ut_coulomb_read_fclib_bytes(text, file, keep, problem, err)
                                : ut_coulomb_read(text, file, keep, problem, err);
    return status == UT_ERR_CAPACITY ? cli_no_memory(o->file, err) : status;
}

// ---- solving ------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Set the friction polygon. In the plane all sections are the same interval.
static void set_section(const Options* o, Answer* a)
{
    if (is_polygonal(o) && a->problem.dimension == 3) {
        const utSectionKind kind =
            o->formulation == PEIRET ? UT_SECTION_CIRCUMSCRIBED : UT_SECTION_INSCRIBED;
        (void)ut_section_polygon(kind, o->directions, 0.0, &a->section, NULL);
        a->problem.section = &a->section;
        a->problem.section_of = NULL;
    }
}

// For a solved problem compute the impulses of least norm and the uniqueness, if requested.
static utStatus study(const Options* o, utArena* keep, utArena scratch, Answer* a, utError* err)
{
    const bool solved = a->info.outcome == UT_COULOMB_SOLVED && !o->def.convex;
    if (o->least && solved) {
        UT_TRY(ut_coulomb_least(&a->problem, o->def.tolerance, scratch, a->r, &a->least, err));
        if (a->least.found) {
            a->info.verdict = a->least.verdict;
        }
    }
    if (o->unique && solved) {
        UT_TRY(
            ut_coulomb_unique(&a->problem, a->r, o->def.tolerance, keep, scratch, &a->unique, err));
        a->has_unique = true;
    }
    return UT_OK;
}

static utStatus solve_with(const Options* o, utArena* keep, utArena scratch, Answer* a,
                           utError* err)
{
    utCoulombVerdict verdict;
    const double start = now();
    utCoulombDef def = o->def;
    def.tolerance *= o->least || o->unique ? STUDY_TOLERANCE : 1.0;
    UT_TRY(ut_coulomb_solve(&a->problem, o->solver, &def, scratch, a->r, &a->info));
    if (a->info.outcome != UT_COULOMB_SOLVED && def.tolerance < o->def.tolerance) {
        UT_TRY(ut_coulomb_solve(&a->problem, o->solver, &o->def, scratch, a->r, &a->info));
    }
    a->wall = now() - start;
    UT_TRY(study(o, keep, scratch, a, err));
    return ut_coulomb_judge(&a->problem, o->def.convex, a->r, scratch, a->u, &verdict);
}

// @param keep receives an arena that holds r, u and the report on uniqueness
static utStatus solve(const Options* o, utArena* keep, Answer* a, utError* err)
{
    const size_t N = (size_t)ut_coulomb_rows(&a->problem);
    UT_TRY(ut_arena_create(0, NULL, keep));
    utArena rest = *keep;
    a->r = UT_PUSH(&rest, double, N);
    a->u = UT_PUSH(&rest, double, N);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_MEMORY;
    }

    utArena scratch;
    UT_TRY(ut_arena_create(0, NULL, &scratch));
    const utStatus status = solve_with(o, &rest, scratch, a, err);
    ut_arena_destroy(&scratch);
    return status;
}

// ---- printing -----------------------------------------------------------------------------------

static void print_json_unique(const Answer* a, utJsonWriter* w)
{
    const utUniqueness* unique = &a->unique;
    ut_json_key(w, "velocity");
    ut_json_string(w, ut_velocity_claim_name(unique->velocity));
    ut_json_key(w, "redundant");
    ut_json_integer(w, unique->redundant);
    ut_json_key(w, "unique");
    ut_json_array_begin(w);
    for (int g = 0; g < a->problem.contacts + a->problem.bilaterals; g++) {
        ut_json_bool(w, unique->unique[g]);
    }
    ut_json_array_end(w);
}

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
    ut_json_key(&w, "rung");
    ut_json_string(&w, ut_rung_name(a->info.rung));
    ut_json_key(&w, "relative");
    ut_json_number(&w, a->info.verdict.relative);
    if (a->has_unique) {
        print_json_unique(a, &w);
    }
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
    printf("%s: friction problem %s with %d contact%s, %d rows", cli_file_name(o->file),
           problem->dimension >= 3 ? "in space" : "in the plane", n, n == 1 ? "" : "s",
           ut_coulomb_rows(problem));
    if (n > 0) {
        printf(", mu %g", least);
    }
    if (least < most) {
        printf(" to %g", most);
    }
    printf("\n\n");
}

// Explain an outcome other than solved.
static const char* meaning(utCoulombOutcome outcome)
{
    switch (outcome) {
    case UT_COULOMB_SOLVED:
        return "";
    case UT_COULOMB_CONVEX:
        return ": no impulses were found that obey the law; these solve its convex approximation";
    case UT_COULOMB_NONE:
        return ": it is proved that no impulses obey the law";
    default:
        return ": stopped before the tolerance was met";
    }
}

static void print_unique(const Answer* a)
{
    const utUniqueness* unique = &a->unique;
    const int groups = a->problem.contacts + a->problem.bilaterals;
    int determined = 0;
    for (int g = 0; g < groups; g++) {
        determined += unique->unique[g];
    }
    printf("contacts    %d open, %d slip, %d stick", unique->open, unique->slip, unique->stick);
    printf(unique->degenerates > 0 ? ", %d of them between two states\n" : "\n",
           unique->degenerates);
    printf("velocity    %s\n", ut_velocity_claim_name(unique->velocity));
    printf("impulses    ");
    if (determined == groups) {
        printf("unique\n");
    } else {
        printf("unique in %d of %d contacts and rows, rank %d of %d\n", determined, groups,
               unique->rank, unique->columns);
    }
}

static void print_outcome(const Options* o, const Answer* a)
{
    const utCoulombVerdict* verdict = &a->info.verdict;
    const bool solved = a->info.outcome == UT_COULOMB_SOLVED;
    printf("outcome     ");
    cli_print_word(stdout, solved ? CLI_GREEN : CLI_YELLOW,
                   ut_coulomb_outcome_name(a->info.outcome));
    printf("%s\n", meaning(a->info.outcome));
    printf("solver      %s", ut_coulomb_solver_name(a->info.solver));
    if (a->info.rung != UT_RUNG_NONE) {
        printf(", rung %s", ut_rung_name(a->info.rung));
    }
    putchar('\n');
    printf("iterations  %d\n", a->info.iterations);
    printf("E           %.3g, tolerance %.3g; %.3g m/s at contact %d, V = %.3g m/s\n", verdict->E,
           o->def.tolerance, verdict->e, verdict->contact, verdict->V);
    if (is_polygonal(o)) {
        printf("model gap   %.3g\n", verdict->model_gap);
    }
    printf("relative    %.3g\n", verdict->relative);
    printf("bilateral   %.3g\n", verdict->bilateral);
    printf("cone        %.3g\n", verdict->cone);
    if (a->has_unique) {
        print_unique(a);
    }
    if (o->least && a->least.found) {
        printf("least norm  %.9g N s; the solver's impulses have %.9g\n", a->least.after,
               a->least.before);
    } else if (o->least) {
        printf("least norm  not found\n");
    }
}

// The state of a contact. It slips if its slip speed exceeds the tolerance.
static const char* state_of(const Options* o, const Answer* a, int contact)
{
    const int d = a->problem.dimension;
    const double* r = a->r + (size_t)contact * (size_t)d;
    const double* u = a->u + (size_t)contact * (size_t)d;
    const double slip = d >= 3 ? hypot(u[1], u[2]) : fabs(u[1]);
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
    if (n > MAX_PRINTED_CONTACTS) {
        printf("\n%d contacts; use --json for their impulses\n", n);
        return;
    }
    // the last three: angular impulses over, and angular velocities times, the length of the contact
    static const char* const heads[] = {"r_n", "r_t1", "r_t2", "t_n", "t_t1", "t_t2",
                                        "u_n", "u_t1", "u_t2", "w_n", "w_t1", "w_t2"};
    printf("\n%4s", "i");
    for (int k = 0; k < 12; k++) {
        if (k % 6 < d) {
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

// Turn a status of the library into a message about the file.
static utStatus explain(utStatus status, const Options* o, utError* err)
{
    switch (status) {
    case UT_OK:
        return UT_OK;
    case UT_ERR_MEMORY:
    case UT_ERR_CAPACITY:
        return cli_no_memory(o->file, err);
    case UT_ERR_ARGUMENT: // the file is valid, so the solver rejected the problem
        return ut_error_at(err, status, cli_file_name(o->file), 0, 0, "%s",
                           err->message[0] != '\0' ? err->message : "M is not positive definite");
    default:
        return ut_error_at(err, status, cli_file_name(o->file), 0, 0, "%s", ut_status_text(status));
    }
}

// Print only after all work has succeeded, so that a failure leaves stdout empty.
static utStatus answer(const Options* o, utArena arenas[2], Answer* a, utError* err)
{
    UT_TRY(read_problem(o, &arenas[0], &a->problem, err));
    set_section(o, a);
    UT_TRY(explain(solve(o, &arenas[1], a, err), o, err));
    o->json ? print_json(a) : print_report(o, a);
    return UT_OK;
}

static int run(int argc, char** argv)
{
    Options o = {.solver = UT_COULOMB_AUTO, .directions = 8, .def = ut_coulomb_def()};
    int code = cli_parse(&cli_coulomb, argc, argv, long_options, set_option, &o, &o.file);
    if (code != CLI_OK || o.file == NULL) {
        return code;
    }
    code = set_solver(&o);
    if (code != CLI_OK) {
        return code;
    }

    utArena arenas[2] = {{0}};
    Answer a = {0};
    utError err;
    utStatus status = ut_arena_create(0, NULL, &arenas[0]) == UT_OK ? answer(&o, arenas, &a, &err)
                                                                    : cli_no_memory(o.file, &err);
    for (int i = 0; i < 2; i++) {
        ut_arena_destroy(&arenas[i]);
    }
    if (status != UT_OK) {
        return cli_fail(&err);
    }
    return a.info.outcome == UT_COULOMB_SOLVED ? CLI_OK : CLI_UNSOLVED;
}

const CliVerb cli_coulomb = {
    .name = "coulomb",
    .summary = "solve a frictional contact problem with Coulomb's law",
    .usage = "uptack coulomb FILE [--solver S] [--formulation F] [--directions K] [--tol E]\n"
             "                      [--unique] [--least] [--json]",
    .help =
        "Finds contact impulses r that obey Coulomb's law with the velocities u = W r + q. An\n"
        "open contact has no impulse, a sticking one an impulse inside its friction cone, and a\n"
        "slipping one an impulse on the cone, opposed to the slip. FILE is text (# comments;\n"
        "fc d nc nnz; nnz entries i j value of W, counted from 0; q; mu), HDF5 in the FCLIB "
        "format\n"
        "(.hdf5, .h5), or - for standard input. Rows are ordered by contact, the normal first.\n"
        "\n"
        "  --solver S          auto (default), ipm, proximal, newton or nsgs; formulations with a\n"
        "                      polygon also lemke, pivot, pgs, newton or enumerate on their LCP\n"
        "  --formulation F     coulomb (default), stewart-trinkle (inscribed polygon), peiret\n"
        "                      (circumscribed polygon) or convex\n"
        "  --directions K      edges of the polygon, an even number, default 8\n"
        "  --tol E             accept a solution with this E, the largest contact error divided\n"
        "                      by the velocity scale V; default 1e-8\n"
        "  --max-iterations N  limit of sweeps (nsgs) or factorizations (other solvers)\n"
        "  --unique            report whether the velocities and which impulses are unique\n"
        "  --least             choose the impulses of least norm among those with equal effect\n"
        "  --json              print outcome, solver, residual (E), iterations, wall_s, r, u,\n"
        "                      rung, relative as JSON\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: solved; 1: the file cannot be used; 2: usage; 3: not solved, but the last\n"
        "iterate is printed.\n",
    .run = run,
};
