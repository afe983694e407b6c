// SPDX-License-Identifier: Apache-2.0
// uptack check: read a model, list its unsupported parts and what is odd about its start.
#include "cli.h"
#include "model.h"
#include "check/overlap.h"
#include "check/start_check.h"

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
    CLI_URDF_OPTIONS,
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
    case OPTION_JSON:
        o->json = true;
        return CLI_OK;
    default:
        return cli_set_urdf(&cli_check, option, optarg, &o->sets);
    }
}

// ---- printing -----------------------------------------------------------------------------------

// The start of a run.
typedef struct Start {
    CliOverlaps overlaps;
    CliFindings findings;
} Start;

static void print_json(const Options* o, const CliModel* loaded, const Start* start)
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
    cli_json_missing(&w, model);
    cli_json_overlaps(&w, model, &start->overlaps);
    cli_json_findings(&w, &start->findings);
    ut_json_object_end(&w);
    putchar('\n');
}

static const char* plural(int count)
{
    return count == 1 ? "" : "s";
}

static void print_groups(const CliModel* loaded)
{
    static const char* const titles[CLI_GROUPS] = {
        [CLI_GROUP_MISSING] = "changes the motion, not supported:",
        [CLI_GROUP_LAW] =
            "changes the motion, treated in another way (softness, repaired or ignored values):",
        [CLI_GROUP_NONE] = "no effect on the motion:",
    };
    for (int group = 0; group < CLI_GROUPS; group++) {
        int count = 0;
        for (int i = 0; i < loaded->notes.count; i++) {
            const utNote* note = &loaded->notes.note[i];
            if (cli_group(note) == (CliGroup)group) {
                if (count++ == 0) {
                    printf("%s\n", titles[group]);
                }
                cli_print_note(stdout, note);
            }
        }
    }
}

static void print_start(const Options* o, const CliModel* loaded, const Start* start)
{
    if (start->overlaps.count > 0 || !start->overlaps.complete || start->findings.count > 0) {
        printf("at the start:\n");
        cli_print_overlaps(stdout, loaded->model, &start->overlaps);
        cli_print_findings(stdout, cli_file_name(o->file), &start->findings);
    }
}

static void print_report(const Options* o, const CliModel* loaded, const Start* start)
{
    const utModel* model = loaded->model;
    const int others = loaded->notes.count - loaded->warnings;
    const int bodies = model->nbody - 1;
    print_groups(loaded);
    print_start(o, loaded, start);
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
            printf("; the model lacks: ");
            cli_print_missing(stdout, model);
        }
        putchar('\n');
    }
}

// ---- the verb -----------------------------------------------------------------------------------

static int check(const Options* o, const CliModel* loaded)
{
    if (o->strict && loaded->warnings > 0) {
        return cli_fail_strict(loaded);
    }
    Start start;
    const CliPose pose = cli_start_pose(loaded);
    if (cli_find_overlaps(loaded->model, &pose, &start.overlaps) != UT_OK ||
        cli_find_start(loaded, &start.findings) != UT_OK) {
        utError err;
        (void)cli_no_memory(o->file, &err);
        return cli_fail(&err);
    }
    o->json ? print_json(o, loaded, &start) : print_report(o, loaded, &start);
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
        "MODEL is an MJCF or URDF file, - for standard input, or a scene such as stack:30. uptack\n"
        "check reads and compiles it and prints one line per unsupported part of the file, in "
        "three\n"
        "groups: physics that the model lacks, physics that is treated in another way, and\n"
        "parts that do not change the motion. It also lists oddities of the start of a run: geoms\n"
        "that overlap, joints and keyframes beyond their limits, free bodies without a floor "
        "below\n"
        "them, and models in which nothing moves.\n"
        "\n"
        "  --strict              treat warnings as errors\n"
        "  --set NAME.ATTR=VALUE first change an attribute: box.mass=2, option.dt=1e-3;\n"
        "                        repeatable\n"
        "  --json                print model, bodies, dof, warnings, notes, missing_physics,\n"
        "                        missing, overlap_count, overlap_search_complete, overlaps,\n"
        "                        finding_count, findings as JSON\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: usable; 1: not usable, or warnings with --strict; 2: usage.\n",
    .run = run,
    .operand = "MODEL",
    .print_appendix = cli_print_urdf_help,
};
