// SPDX-License-Identifier: Apache-2.0
// uptack run: simulate a model, record it, report how well every step was solved.
#include "run/run.h"

#include "sources.h"

#include <string.h>
#include <uptack/scenes.h>

// ---- the verb -----------------------------------------------------------------------------------

static int exit_code(const RunTally* tally)
{
    return tally->signal != 0           ? CLI_SIGNAL + tally->signal
           : tally->steps.unsolved != 0 ? CLI_UNSOLVED
                                        : CLI_OK;
}

static int run_model(RunOptions* o, const CliModel* loaded)
{
    utSim* sim = NULL;
    RunTally tally = {0};
    utError err = {0};
    int keyframe;
    if (o->strict && loaded->warnings > 0) {
        return cli_fail_strict(loaded);
    }
    cli_print_warnings(stderr, loaded);
    utStatus status = cli_start(&o->start, loaded, &keyframe, &sim, &err);
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
    run_reactions_close(&tally.reactions);
    ut_sim_destroy(sim);
    return status == UT_OK ? exit_code(&tally) : cli_fail(&err);
}

static int run(int argc, char** argv)
{
    RunOptions o = {.time = -1.0, .every = 1, .start.sim = ut_sim_def()};
    int code = run_read_options(argc, argv, &o);
    if (code != CLI_OK || o.start.file == NULL) {
        return code;
    }
    CliSources sources = {0};
    CliModel loaded;
    utError err;
    if (o.record != NULL && cli_ends_in(o.record, ".utr")) {
        o.start.sets.sources = &sources;
    }
    code = cli_load_model(o.start.file, &o.start.sets, &loaded, &err) == UT_OK
               ? run_model(&o, &loaded)
               : cli_fail(&err);
    cli_free_model(&loaded);
    cli_free_sources(&sources);
    return code;
}

static void print_rest(void)
{
    printf(
        "\n"
        "The first step that is not certified ends the run without being taken. The error names\n"
        "the contact, and the friction problem of the step is written to MODEL-step-N.fc beside\n"
        "the recording, for uptack coulomb. Ctrl-C ends a run early: files are closed properly "
        "and\n"
        "the summary is printed.\n"
        "\n"
        "Exit code 0: every step is certified; 1: the model cannot be used or a file cannot be\n"
        "written; 2: usage; 3: a step is not certified; 130: ended by Ctrl-C.\n");
    cli_print_urdf_help();
    printf("\nScenes, with the default values of their numbers (stack:30 is stack with n=30):\n\n");
    for (int i = 0; i < ut_scene_count(); i++) {
        const utSceneInfo info = ut_scene_info(i);
        printf("  %-26s %s\n", info.usage, info.text);
    }
}

const CliVerb cli_run = {
    .name = "run",
    .summary = "simulate a model and certify every step",
    .usage = "uptack run MODEL [-t S] [--dt H] [--formulation F] [--solver S] [--record FILE]\n"
             "                  [--contacts FILE.csv] [--json] ...",
    .help =
        "MODEL is an MJCF or URDF file, - for standard input, or a scene such as stack:30; the\n"
        "scenes are listed below. A separate checker recomputes every step from its contact "
        "impulses. The\n"
        "step is certified if its error E is within the tolerance: E is the largest violation of\n"
        "the contact law in m/s, divided by the velocity scale of the step.\n"
        "\n"
        "time\n"
        "  -t S                  simulated time in seconds; default: the model's, else 1\n"
        "  --dt H                time step in seconds; default: the model's\n"
        "  --adaptive TOL        choose the steps so that each one adds an error of at most TOL\n"
        "                        metres to positions; --dt is the longest step\n"
        "  --integrator I        Euler, RK4, implicit or midpoint; default: the model's\n"
        "\n"
        "contact\n"
        "  --formulation F       coulomb (default), stewart-trinkle, stewart-trinkle-velocity,\n"
        "                        anitescu-potra, peiret, peiret-acceleration or convex; hybrid\n"
        "                        also locates impacts in time; mirtich uses impacts only\n"
        "  --solver S            auto (default), ipm, proximal, newton or nsgs; formulations with\n"
        "                        a polygonal friction cone also lemke, pivot, pgs, newton or\n"
        "                        enumerate on their LCP\n"
        "  --directions K        edges of the polygon, an even number, default 8\n"
        "  --coordinates C       generalized (default), or maximal: every body is free and joints\n"
        "                        are constraints\n"
        "  --impact LAW          definition of restitution: newton (velocities), poisson\n"
        "                        (impulses) or stronge (work). Default: stronge with hybrid and\n"
        "                        mirtich, otherwise newton with an energy limit\n"
        "  --simultaneous S      several impacts at once: moreau (default), poisson or propagate\n"
        "  --budget[=N]          N sweeps per step, default 20; the summary reports the error\n"
        "  --sleep               let islands at rest sleep until something moves them\n"
        "  --keep-going          also take steps that are not certified, and count them\n"
        "  --threads N           threads that solve the islands of a step, default 1; the bits are "
        "the\n"
        "                        same for all numbers\n"
        "\n"
        "model\n"
        "  --set NAME.ATTR=VALUE first change an attribute: box.mass=2, option.tolerance=1e-10;\n"
        "                        repeatable\n"
        "  --key NAME            begin with this keyframe, by name or number, and hold its\n"
        "                        controls; default: the keyframe start if the model has one; ''\n"
        "                        is the modelled pose\n"
        "  --ctrl NAME=EXPR      control an actuator over time: 'hip=0.3*sin(2*pi*t)'; repeatable\n"
        "  --ctrl FILE.csv       the same by a table: t,NAME,... and rows that hold until the "
        "next\n"
        "  --ctrl-linear         interpolate between the rows of tables\n"
        "  --strict              reject files with unsupported physics\n"
        "\n"
        "output\n"
        "  --record FILE         record the states. FILE.csv: a table; FILE.utr: binary, with the\n"
        "                        inputs and the contacts of every step, for uptack convert and\n"
        "                        uptack plot. x y z of a body are its centre of mass\n"
        "  --no-reports          leave out of FILE.utr what uptack certify needs\n"
        "  --every N             record the first, every N-th and the last state, default 1\n"
        "  --contacts FILE.csv   write the contacts: one row per contact and step. The gap is "
        "that\n"
        "                        at the start of the step, the impulse acts until the row's time\n"
        "  --transitions FILE.csv write the changes of contacts between open, bouncing and steady\n"
        "  --columns LIST        extra columns, separated by commas. Table of states: frames\n"
        "                        (origins of body frames, NAME.ox .oy .oz), energy (J), contacts\n"
        "                        (their number), E and model_gap (the largest since the previous\n"
        "                        row), reactions (JOINT.px .py .pz .tx .ty .tz, N s, N m s). "
        "Table\n"
        "                        of contacts: force (fn fx fy fz, N), gap_time, mu, lambda (slip\n"
        "                        multiplier), cone (excess over the cone, N s)\n"
        "  --json                print the summary as JSON\n"
        "  --help, --version\n",
    .run = run,
    .operand = "MODEL",
    .letters = ":ht:",
    .print_appendix = print_rest,
};
