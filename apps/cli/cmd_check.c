// SPDX-License-Identifier: Apache-2.0
// uptack check: read a model and list its unsupported parts.
#include "cli.h"
#include "model.h"
#include "overlap.h"

#include <getopt.h>

typedef struct Options {
    const char* file;
    bool strict;
    bool json;
    CliSets sets;
} Options;

enum { OPTION_STRICT = 256, OPTION_SET, OPTION_JSON };

static const struct option long_options[] = {
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"set", required_argument, NULL, OPTION_SET},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_option(int option, void* context)
{
    Options* o = context;
    switch (option) {
    case OPTION_STRICT:
        o->strict = true;
        return CLI_OK;
    case OPTION_SET:
        return cli_add_set(&cli_check, optarg, &o->sets);
    default: // OPTION_JSON
        o->json = true;
        return CLI_OK;
    }
}

// ---- printing -----------------------------------------------------------------------------------

static void print_json(const Options* o, const CliModel* loaded, const CliOverlaps* overlaps)
{
    const utModel* model = loaded->model;
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    ut_json_key(&w, "model");
    ut_json_string(&w, o->file);
    ut_json_key(&w, "bodies");
    ut_json_integer(&w, model->nbody - 1);
    ut_json_key(&w, "dof");
    ut_json_integer(&w, model->nv);
    ut_json_key(&w, "warnings");
    ut_json_integer(&w, loaded->warnings);
    ut_json_key(&w, "notes");
    ut_json_array_begin(&w);
    for (int i = 0; i < loaded->notes.count; i++) {
        cli_json_note(&w, &loaded->notes.note[i]);
    }
    ut_json_array_end(&w);
    ut_json_key(&w, "missing_physics");
    ut_json_integer(&w, model->missing);
    cli_json_overlaps(&w, model, overlaps);
    ut_json_object_end(&w);
    putchar('\n');
}

static const char* plural(int count)
{
    return count == 1 ? "" : "s";
}

static void print_report(const Options* o, const CliModel* loaded, const CliOverlaps* overlaps)
{
    const utModel* model = loaded->model;
    const int others = loaded->notes.count - loaded->warnings;
    const int bodies = model->nbody - 1;
    cli_print_notes(stdout, loaded, true);
    cli_print_overlaps(stdout, model, overlaps);
    printf("%s: ", cli_file_name(o->file));
    cli_print_word(stdout, loaded->warnings == 0 ? CLI_GREEN : CLI_YELLOW, "ok");
    printf(", %d bod%s, %d joint%s, %d geom%s, %d degree%s of freedom; ", bodies,
           bodies == 1 ? "y" : "ies", model->njoint, plural(model->njoint), model->ngeom,
           plural(model->ngeom), model->nv, plural(model->nv));
    if (loaded->notes.count == 0) {
        printf("everything is supported\n");
    } else {
        printf("%d warning%s, %d note%s", loaded->warnings, plural(loaded->warnings), others,
               plural(others));
        if (model->missing > 0) {
            printf("; physics that the model lacks: %d", model->missing);
        }
        putchar('\n');
    }
}

// ---- the verb -----------------------------------------------------------------------------------

static int check(const Options* o, const CliModel* loaded)
{
    if (o->strict && loaded->warnings > 0) {
        return cli_fail_strict(o->file, loaded);
    }
    CliOverlaps overlaps;
    const CliPose pose = cli_start_pose(loaded);
    if (cli_find_overlaps(loaded->model, &pose, &overlaps) != UT_OK) {
        utError err;
        (void)cli_no_memory(o->file, &err);
        return cli_fail(&err);
    }
    o->json ? print_json(o, loaded, &overlaps) : print_report(o, loaded, &overlaps);
    return CLI_OK;
}

static int run(int argc, char** argv)
{
    Options o = {0};
    int code = cli_parse(&cli_check, argc, argv, long_options, set_option, &o, &o.file);
    if (code != CLI_OK || o.file == NULL) {
        return code;
    }
    CliModel loaded;
    utError err;
    code = cli_load_model(o.file, &o.sets, &loaded, &err) == UT_OK ? check(&o, &loaded)
                                                                   : cli_fail(&err);
    cli_free_model(&loaded);
    return code;
}

const CliVerb cli_check = {
    .name = "check",
    .summary = "validate a model and list its unsupported parts",
    .usage = "uptack check MODEL [--strict] [--set NAME.ATTR=VALUE]... [--json]",
    .help =
        "MODEL is an MJCF file, - for standard input, or a scene such as stack:30. uptack check\n"
        "reads and compiles it and prints one line per unsupported part of the file: a warning if\n"
        "ignoring the part changes the simulation, otherwise a note. It also lists the geoms that\n"
        "overlap at the start of a run, with their depth.\n"
        "\n"
        "  --strict              treat warnings as errors\n"
        "  --set NAME.ATTR=VALUE first change an attribute: box.mass=2, option.dt=1e-3;\n"
        "                        repeatable\n"
        "  --json                print model, bodies, dof, warnings, notes, missing_physics,\n"
        "                        overlap_count, overlaps as JSON\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: usable; 1: not usable, or warnings with --strict; 2: usage.\n",
    .run = run,
    .operand = "MODEL",
};
