// SPDX-License-Identifier: Apache-2.0
// uptack run: simulate a model, record it, tell how well every step was solved.
#include "run.h"

#include <string.h>
#include <uptack/scenes.h>

// ---- what was asked for -------------------------------------------------------------------------

const char* run_formulation(const RunOptions* o, const utModel* model)
{
    return ut_formulation_name(
        (utFormulation)(o->sim.formulation >= 0 ? o->sim.formulation : model->options.formulation));
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
        *keyframe = o->key == NULL ? ut_model_start_key(model) : -1;
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
    const bool free = o->sim.formulation >= 0 && o->sim.solver == NULL;
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
             model->options.solver, run_formulation(o, model));
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
    if (status == UT_OK) {
        run_warn_energy(o, sim, &tally);
    }
    ut_sim_destroy(sim);
    return status == UT_OK ? exit_code(&tally) : cli_fail(&err);
}

static int run(int argc, char** argv)
{
    RunOptions o = {.time = -1.0, .every = 1, .sim = ut_sim_def()};
    int code = run_read_options(argc, argv, &o);
    if (code != CLI_OK || o.file == NULL) {
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
        "  --strict              reject files with unsupported physics\n"
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
