// SPDX-License-Identifier: Apache-2.0
// uptack beside the engines that Debian has, on the same scenes, in one run.
//
//   bench_engines [--quick] [--scene NAME] [--contender NAME] [--budget SECONDS] [--csv FILE]
//
// Every run goes to a CSV file beside the program (results/engines.csv); standard output gets the
// tables.
#define _POSIX_C_SOURCE 200809L
#include "bench_engines.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
    bool quick, help, check;
    const char* scene; // NULL for all
    const char* contender;
    double budget;
    char csv[PATH_MAX];
} Options;

static const char usage[] =
    "usage: bench_engines [--quick] [--scene NAME] [--contender NAME] [--budget SECONDS] "
    "[--csv FILE]\n";

static const char help[] =
    "\n"
    "  --quick            short runs, a budget of 2 s each\n"
    "  --scene NAME       only this scene, or those whose names begin so: stack:30, quad, chain\n"
    "  --contender NAME   only the contenders whose names begin so: uptack, bullet\n"
    "  --budget SECONDS   CPU time that a run may take, default 6\n"
    "  --check-judge      only the judge, against hand calculation\n"
    "  --csv FILE         every run; default results/engines.csv beside the program\n"
    "\n"
    "docs/engines.md says what is compared and how to read the tables.\n";

static bool parse(int argc, char** argv, Options* options)
{
    *options = (Options){0};
    bench_results_path(argv[0], "engines.csv", options->csv, sizeof options->csv);
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0) {
            options->quick = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            options->help = true;
        } else if (strcmp(argv[i], "--check-judge") == 0) {
            options->check = true;
        } else if (strcmp(argv[i], "--scene") == 0 && more) {
            options->scene = argv[++i];
        } else if (strcmp(argv[i], "--contender") == 0 && more) {
            options->contender = argv[++i];
        } else if (strcmp(argv[i], "--budget") == 0 && more) {
            options->budget = strtod(argv[++i], NULL);
        } else if (strcmp(argv[i], "--csv") == 0 && more) {
            snprintf(options->csv, sizeof options->csv, "%s", argv[++i]);
        } else {
            return false;
        }
    }
    if (options->budget == 0.0) {
        options->budget = options->quick ? 2.0 : 6.0;
    }
    return options->budget > 0.0;
}

static bool begins(const char* name, const char* with)
{
    return with == NULL || strncmp(name, with, strlen(with)) == 0;
}

static void run_scene(const Plan* plan, const Options* options, FILE* csv)
{
    Run runs[CONTENDERS_MAX] = {0};
    World world;
    char name[64];
    const RunDef def = {options->quick ? plan->quick_time : plan->time, options->budget,
                        options->quick};
    world_create(plan->scene, plan->dt, &world);
    for (int i = 0; i < contender_count(); i++) {
        const Contender* who = contender_at(i);
        if (contender_takes(who, plan, &world) && begins(who->name, options->contender)) {
            bench_progress("%s: %s", plan_name(plan, name), who->name);
            runs[i] = contender_run(who, plan, &world, &def);
        }
    }
    bench_progress_end();
    report_scene(stdout, plan, &world, def.time, runs);
    report_csv(csv, plan, &world, runs);
    fflush(stdout);
    world_destroy(&world);
}

// A scene's own name picks that scene alone: chain:10 is not chain:100.
static bool is_wanted(const Plan* plan, const char* name)
{
    bool known = false;
    for (int i = 0; i < plan_count() && name != NULL; i++) {
        known = known || strcmp(plan_at(i)->scene, name) == 0;
    }
    return known ? strcmp(plan->scene, name) == 0 : begins(plan->scene, name);
}

int main(int argc, char** argv)
{
    Options options;
    bench_one_thread(argv);
    if (!parse(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    if (options.help) {
        printf("%s%s", usage, help);
        return 0;
    }
    if (options.check) {
        return check_judge() ? 0 : 1;
    }
    FILE* csv = fopen(options.csv, "w");
    if (csv == NULL) {
        perror(options.csv);
        return 1;
    }
    report_header(stdout, options.budget, options.quick);
    report_csv_header(csv);
    int scenes = 0;
    for (int i = 0; i < plan_count(); i++) {
        if (is_wanted(plan_at(i), options.scene)) {
            run_scene(plan_at(i), &options, csv);
            scenes++;
        }
    }
    if (fclose(csv) != 0) {
        perror(options.csv);
        return 1;
    }
    if (scenes == 0) {
        fprintf(stderr, "bench_engines: no scene begins with '%s'\n", options.scene);
        return 2;
    }
    printf("\nevery run: %s\n", options.csv);
    return 0;
}
