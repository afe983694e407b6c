// uptack run: simulate a model, record it, tell how well every step was solved.
#include "run.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <scenes.h>
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
    OPTION_TRANSITIONS,
    OPTION_COLUMNS,
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
    {"json", no_argument, NULL, OPTION_JSON},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"coordinates", required_argument, NULL, OPTION_COORDINATES},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"impact", required_argument, NULL, OPTION_IMPACT},
    {"simultaneous", required_argument, NULL, OPTION_SIMULTANEOUS},
    {"adaptive", required_argument, NULL, OPTION_ADAPTIVE},
    {"budget", no_argument, NULL, OPTION_BUDGET},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int not_yet(const char* what, const char* value)
{
    return cli_usage(&cli_run, "%s%s%s is not there yet", what, value != NULL ? " " : "",
                     value != NULL ? value : "");
}

static bool is_among(const char* word, const char* const* words)
{
    for (; *words != NULL; words++) {
        if (strcmp(word, *words) == 0) {
            return true;
        }
    }
    return false;
}

static int set_formulation(const char* name, RunOptions* o)
{
    static const char* const known[] = {"coulomb",
                                        "stewart-trinkle",
                                        "stewart-trinkle-velocity",
                                        "anitescu-potra",
                                        "peiret",
                                        "peiret-acceleration",
                                        "convex",
                                        "mirtich",
                                        "hybrid",
                                        NULL};
    o->sim.formulation = name;
    return is_among(name, known) ? CLI_OK
                                 : cli_usage(&cli_run, "there is no formulation '%s'", name);
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

// A choice that is a change of the model, so that recordings tell it.
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

// Words between commas.
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

// Options of the contract that wait for what they choose.
static int set_later(int option)
{
    int threads;
    switch (option) {
    case OPTION_THREADS:
        return !cli_parse_int(optarg, 1, INT_MAX, &threads)
                   ? cli_usage(&cli_run, "--threads needs a whole number above 0, not '%s'", optarg)
               : threads == 1 ? CLI_OK
                              : not_yet("--threads", optarg);
    default: // OPTION_BUDGET
        return not_yet("--budget", NULL);
    }
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
    default:
        return set_later(option);
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

const char* run_formulation(const RunOptions* o, const utModel* model)
{
    return o->sim.formulation != NULL ? o->sim.formulation : model->options.formulation;
}

const char* run_solver(const RunOptions* o, const utModel* model)
{
    return o->sim.solver != NULL ? o->sim.solver : model->options.solver;
}

// ---- the start ----------------------------------------------------------------------------------

// @return UT_OK with the keyframe's number, or -1 for the modelled pose
static utStatus find_keyframe(const RunOptions* o, const CliModel* loaded, int* keyframe,
                              utError* err)
{
    const utModel* model = loaded->model;
    *keyframe = -1;
    if (o->key == NULL || o->key[0] == '\0') {
        // a model may begin with a motion
        *keyframe = o->key == NULL ? ut_model_find_keyframe(model, loaded->start) : -1;
        return UT_OK;
    }
    *keyframe = ut_model_find_keyframe(model, o->key);
    if (*keyframe >= 0) {
        return UT_OK;
    }
    char names[128] = "";
    CliName room;
    for (int k = 0; k < model->nkeyframe && strlen(names) < sizeof names - 1; k++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "",
                 cli_name(model->keyframe[k].name, "key", k, &room));
    }
    return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(o->file), 0, 0,
                       model->nkeyframe > 0 ? "there is no keyframe '%s'; there are: %s"
                                            : "there is no keyframe '%s'; the model has none%s",
                       o->key, names);
}

// A solver that the file asks for gives way to a formulation that the command line asks for.
static utStatus create(RunOptions* o, const utModel* model, utSim** sim, utError* err)
{
    const utStatus status = ut_sim_create(model, &o->sim, sim, err);
    const bool free = o->sim.formulation != NULL && o->sim.solver == NULL;
    if (status != UT_ERR_ARGUMENT || !free || strcmp(model->options.solver, "auto") == 0) {
        return status;
    }
    utSimDef def = o->sim;
    utError unused;
    def.solver = "auto";
    if (ut_sim_create(model, &def, sim, &unused) != UT_OK) {
        return status;
    }
    o->sim.solver = def.solver;
    snprintf(o->warning, sizeof o->warning,
             "the file's solver %.40s is none for %.40s: solver auto takes its place",
             model->options.solver, o->sim.formulation);
    fprintf(stderr, "%s: ", cli_file_name(o->file));
    cli_print_word(stderr, CLI_YELLOW, "warning:");
    fprintf(stderr, " %s\n", o->warning);
    return UT_OK;
}

static utStatus start(RunOptions* o, const CliModel* loaded, int* keyframe, utSim** sim,
                      utError* err)
{
    UT_TRY(find_keyframe(o, loaded, keyframe, err));
    utStatus status = create(o, loaded->model, sim, err);
    if (status == UT_OK) {
        status = ut_sim_reset(*sim, *keyframe, err);
    }
    if (status != UT_OK && err->file[0] == '\0') {
        const utError bare = *err;
        ut_error_at(err, status, cli_file_name(o->file), 0, 0, "%s", bare.message);
    }
    return status;
}

// ---- the verb -----------------------------------------------------------------------------------

static int exit_code(const RunTally* tally)
{
    return tally->signal != 0     ? CLI_SIGNAL + tally->signal
           : tally->unsolved != 0 ? CLI_UNSOLVED
                                  : CLI_OK;
}

static int run_model(RunOptions* o, const CliModel* loaded)
{
    utSim* sim = NULL;
    RunTally tally = {0};
    utError err = {0};
    int keyframe;
    if (o->strict && loaded->warnings > 0) {
        return cli_fail_strict(o->file, loaded);
    }
    cli_print_notes(stderr, loaded, false);
    utStatus status = start(o, loaded, &keyframe, &sim, &err);
    if (status == UT_OK) {
        status = run_simulate(o, sim, keyframe, &tally, &err);
    }
    if (status == UT_OK && o->json) {
        run_print_json(o, loaded, sim, &tally);
    } else if (status == UT_OK) {
        run_print_text(o, loaded, sim, &tally);
    }
    ut_sim_destroy(sim);
    return status == UT_OK ? exit_code(&tally) : cli_fail(&err);
}

static int run(int argc, char** argv)
{
    RunOptions o = {.time = -1.0, .every = 1, .sim = ut_sim_def()};
    int code = cli_parse(&cli_run, argc, argv, long_options, set_option, &o, &o.file);
    if (code != CLI_OK || o.file == NULL) {
        return code;
    }
    code = check_options(&o);
    if (code != CLI_OK) {
        return code;
    }
    CliModel loaded;
    utError err;
    code = cli_load_model(o.file, &o.sets, &loaded, &err) == UT_OK ? run_model(&o, &loaded)
                                                                   : cli_fail(&err);
    cli_free_model(&loaded);
    return code;
}

static void print_scenes(void)
{
    printf("\nScenes, the numbers being those taken when left out:\n\n");
    for (int i = 0; i < ut_scene_count(); i++) {
        const utSceneInfo info = ut_scene_info(i);
        printf("  %-26s %s\n", info.usage, info.text);
    }
}

const CliVerb cli_run = {
    .name = "run",
    .summary = "simulate a model and certify every step",
    .usage = "uptack run MODEL [-t S] [--dt H] [--formulation F] [--solver S] [--record FILE] "
             "[--contacts FILE.csv] [--json] ...",
    .help =
        "MODEL is an MJCF file, - for standard input or a scene such as stack:30; scenes are "
        "listed "
        "below.\n"
        "\n"
        "  -t S                  simulated time in seconds; default: the model's, 1\n"
        "  --dt H                time step in seconds; default: the model's\n"
        "  --formulation F       coulomb (default), stewart-trinkle, stewart-trinkle-velocity,\n"
        "                        anitescu-potra, peiret, peiret-acceleration or convex; with\n"
        "                        impacts when they happen: hybrid, or mirtich (nothing else)\n"
        "  --solver S            auto (default), ipm, proximal, newton or nsgs; for polygons also\n"
        "                        lemke, pivot, pgs, newton or enumerate on their LCP\n"
        "  --directions K        edges of the polygon, even, default 8\n"
        "  --integrator I        Euler, RK4, implicit, midpoint\n"
        "  --coordinates C       generalized (default), or maximal: every body is free and joints\n"
        "                        are constraints\n"
        "  --impact LAW          how restitution is read: newton (velocities), poisson (impulses)\n"
        "                        or stronge (works); default stronge in hybrid and mirtich, else\n"
        "                        newton with a guard against gaining energy\n"
        "  --simultaneous S      several impacts at once: moreau (default), poisson or propagate\n"
        "  --adaptive TOL        choose steps so that positions are off by TOL metres at most\n"
        "                        after each; dt is the longest one\n"
        "  --keep-going          take steps that are not certified too; they are counted\n"
        "  --set NAME.ATTR=VALUE change an attribute first: box.mass=2, option.tolerance=1e-10;\n"
        "                        may be given again\n"
        "  --key NAME            begin with this keyframe and hold its controls; default: the one\n"
        "                        called start, if there is one; '' is the pose as modelled\n"
        "  --record FILE         states at the start, at every N-th step and at the last;\n"
        "                        FILE.csv: a table; FILE.utr: binary, with what acted and the\n"
        "                        contacts of every step, for uptack convert. x y z of a body are\n"
        "                        its centre of mass\n"
        "  --every N             default 1\n"
        "  --contacts FILE.csv   contacts: a row for each one of each step; gaps are those of\n"
        "                        the step's start, impulses those up to the row's time\n"
        "  --columns LIST        more columns, names between commas. Of states: frames (origins\n"
        "                        of body frames as NAME.ox .oy .oz), energy (J), contacts, E (at\n"
        "                        most since the row before). Of contacts: force (fn fx fy fz, N),\n"
        "                        gap_time\n"
        "  --transitions FILE.csv contacts that begin to bounce, to be steady or to be open\n"
        "  --strict              what of the file changes the physics and is not honoured is an "
        "error\n"
        "  --json                print the summary as JSON\n"
        "  --help, --version\n"
        "\n"
        "A step that is not certified ends the run: it is not taken, its contact is named and its\n"
        "friction problem is written to MODEL-step-N.fc beside the recording, for uptack coulomb.\n"
        "Ctrl-C ends a run early: files are closed and whole, the summary is printed.\n"
        "\n"
        "Exit code 0: every step is certified; 1: the model cannot be used or a file not written;\n"
        "2: usage; 3: a step is not certified; 130: ended by Ctrl-C.\n",
    .run = run,
    .operand = "MODEL",
    .letters = ":ht:",
    .more_help = print_scenes,
};
