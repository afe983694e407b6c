// SPDX-License-Identifier: Apache-2.0
// uptack beside the engines that Debian and npm have, on the same scenes, in one run.
//
//   bench_engines [--quick] [--scene NAME] [--contender NAME] [--budget SECONDS]
//
// Every result goes at once to results/engines.jsonl beside the program; bench_table makes the table.
#define _POSIX_C_SOURCE 200809L
#include "bench_engines.h"

#include <stdlib.h>
#include <string.h>

typedef struct Options {
    bool quick, help, check;
    const char* scene; // NULL for all
    const char* contender;
    double budget;
} Options;

static const char usage[] =
    "usage: bench_engines [--quick] [--scene NAME] [--contender NAME] [--budget SECONDS]\n";

static const char help[] =
    "\n"
    "  --quick            short runs, a budget of 2 s each\n"
    "  --scene NAME       only this scene, or those whose names begin so: stack:30, quad, chain\n"
    "  --contender NAME   only the contenders whose names begin so: uptack, bullet\n"
    "  --budget SECONDS   CPU time that a run may take, default 5; more for our own large ones\n"
    "  --check-judge      only the judge, against hand calculation\n"
    "\n"
    "Results go to results/engines.jsonl beside the program; bench_table makes the table of them.\n"
    "docs/engines.md says what is compared and how to read the table.\n";

static bool parse(int argc, char** argv, Options* options)
{
    *options = (Options){0};
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
        } else {
            return false;
        }
    }
    if (options->budget == 0.0) {
        options->budget = options->quick ? 2.0 : 5.0;
    }
    return options->budget > 0.0;
}

static bool begins(const char* name, const char* with)
{
    return with == NULL || strncmp(name, with, strlen(with)) == 0;
}

static void run_scene(const Plan* plan, const Options* options, Rows* rows)
{
    static Run runs[CONTENDERS_MAX];
    World world;
    char name[64];
    memset(runs, 0, sizeof runs);
    world_create(plan->scene, plan->dt, &world);
    plan_name(plan, &world, name);
    for (int i = 0; i < contender_count(); i++) {
        const Contender* who = contender_at(i);
        if (contender_takes(who, plan, &world) && begins(who->name, options->contender)) {
            const RunDef def = {
                .time = options->quick && plan->quick_time > 0.0 ? plan->quick_time : plan->time,
                .budget = options->budget * (who->role == ROLE_EXACT ? plan->patience : 1.0),
                .quick = options->quick,
            };
            bench_progress("%s: %s", name, who->name);
            runs[i] = contender_run(who, plan, &world, &def);
            report_run(rows, plan, &world, who, &runs[i]);
        }
    }
    bench_progress_end();
    report_lines(rows, plan, &world, runs);
    fprintf(stderr, "bench_engines: %s done\n", name);
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
        const bool judge = check_judge(), residual = check_residual();
        return judge && residual ? 0 : 1;
    }
    Rows rows = rows_open(argv[0], "engines");
    report_missing(&rows);
    int scenes = 0;
    for (int i = 0; i < plan_count(); i++) {
        const bool left_out =
            options.quick && plan_at(i)->quick_time == 0.0 && options.scene == NULL;
        if (is_wanted(plan_at(i), options.scene) && !left_out) {
            run_scene(plan_at(i), &options, &rows);
            scenes++;
        }
    }
    rows_close(&rows);
    if (scenes == 0) {
        fprintf(stderr, "bench_engines: no scene begins with '%s'\n", options.scene);
        return 2;
    }
    return 0;
}
