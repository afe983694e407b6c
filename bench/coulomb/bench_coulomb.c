// SPDX-License-Identifier: Apache-2.0
// Our friction solvers beside those of Siconos, on the same problems, in one run.
//
//   bench_coulomb [--quick] [--table] [--problem NAME] [--max CONTACTS] [--budget SECONDS] [--csv FILE]
//
// NAME picks the problems whose names begin so. Files are read from $UPTACK_DATA/friction. Every
// run goes to a CSV file beside the program (results/coulomb.csv); standard output gets the tables.
// --table is for `make bench`: rows in results/coulomb.jsonl, and no tables here.
#define _POSIX_C_SOURCE 200809L
#include "bench_coulomb.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOURCES_MAX = 2 * INSTANCES_MAX,
    TABLE_CONTACTS = 150, // most of a quick table
};

typedef struct Options {
    bool quick, table;
    const char* problem; // NULL for all
    int contacts_max;
    double budget;
    char csv[PATH_MAX];
} Options;

static const char usage[] =
    "usage: bench_coulomb [--quick] [--table] [--problem NAME] [--max CONTACTS] "
    "[--budget SECONDS] [--csv FILE]\n";

static bool parse(int argc, char** argv, Options* options)
{
    *options = (Options){.contacts_max = INT_MAX};
    bench_results_path(argv[0], "coulomb.csv", options->csv, sizeof options->csv);
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0) {
            options->quick = true;
        } else if (strcmp(argv[i], "--table") == 0) {
            options->table = true;
        } else if (strcmp(argv[i], "--problem") == 0 && more) {
            options->problem = argv[++i];
        } else if (strcmp(argv[i], "--max") == 0 && more) {
            options->contacts_max = (int)strtol(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--budget") == 0 && more) {
            options->budget = strtod(argv[++i], NULL);
        } else if (strcmp(argv[i], "--csv") == 0 && more) {
            snprintf(options->csv, sizeof options->csv, "%s", argv[++i]);
        } else {
            return false;
        }
    }
    if (options->budget == 0.0) {
        options->budget = options->quick ? 1.0 : 10.0;
        options->budget *= options->table ? 0.03 : 1.0; // there are many problems
    }
    if (options->table && options->quick && options->contacts_max > TABLE_CONTACTS) {
        options->contacts_max = TABLE_CONTACTS;
    }
    return options->contacts_max > 0 && options->budget > 0.0;
}

static bool wanted(const Source* source, const Options* options)
{
    const char* name = options->problem;
    return source->contacts <= options->contacts_max &&
           (name == NULL || strncmp(source->name, name, strlen(name)) == 0);
}

static Result run_source(const Source* source, const Options* options)
{
    static BenchMemory memory;
    Instance instance;
    instance_create(source, &memory, &instance);
    Result result = {.source = source, .contacts = instance.local.contacts};
    for (int who = 0; who < CONTENDERS; who++) {
        const bool alone = who == OURS_NSGS || who == OURS_NEWTON;
        if (options->table && alone) {
            continue; // the table has our automatic choice
        }
        bench_progress("%s, %d contacts: %s", source->name, result.contacts,
                       contender_name((Contender)who));
        result.runs[who] =
            contender_run((Contender)who, &instance, options->budget, options->quick);
    }
    bench_progress_end();
    return result;
}

static void run_all(const Source* sources, int count, const Options* options, FILE* csv, Rows* rows)
{
    static Result results[SOURCES_MAX];
    int done = 0;
    for (int group = 0; group < GROUPS; group++) {
        for (int k = 0; k < count; k++) {
            if (sources[k].group == group && wanted(&sources[k], options)) {
                results[done] = run_source(&sources[k], options);
                report_csv(csv, &results[done]);
                fflush(csv);
                if (rows != NULL) {
                    rows_problem(rows, &results[done]);
                }
                done++;
            }
        }
        if (rows != NULL) {
            rows_line(rows, group, results, done);
            fprintf(stderr, "bench_coulomb: %s done\n", group_name(group));
        } else {
            report_group(stdout, group, results, done);
            fflush(stdout);
        }
    }
    if (rows == NULL) {
        report_goals(stdout, results, done);
    }
}

static void print_sources(const char* data, const char* folder, int files, int plane)
{
    if (data == NULL) {
        printf("  UPTACK_DATA is not set: no files.\n");
    } else {
        printf("  %d files from %s; %d in the plane are left out.\n", files, folder, plane);
    }
}

int main(int argc, char** argv)
{
    static Source sources[SOURCES_MAX];
    Options options;
    bench_one_thread(argv);
    if (!parse(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    FILE* csv = fopen(options.csv, "w");
    if (csv == NULL) {
        perror(options.csv);
        return 1;
    }

    const char* data = getenv("UPTACK_DATA");
    char folder[PATH_MAX];
    int plane;
    snprintf(folder, sizeof folder, "%s/friction", data != NULL ? data : "");

    const int scenes = sources_find(NULL, sources, SOURCES_MAX, &plane);
    const int count = sources_find(data != NULL ? folder : NULL, sources, SOURCES_MAX, &plane);
    fprintf(csv, "problem,group,contacts,solver,setting,seconds,own_seconds,"
                 "iterations,tolerance,E,"
                 "relative,claimed,solved,broke\n");
    if (options.table) {
        Rows rows = rows_open(argv[0], "coulomb");
        run_all(sources, count, &options, csv, &rows);
        rows_close(&rows);
    } else {
        report_header(stdout, options.budget, options.quick);
        print_sources(data, folder, count - scenes, plane);
        run_all(sources, count, &options, csv, NULL);
        printf("\nevery run: %s\n", options.csv);
    }
    if (fclose(csv) != 0) {
        perror(options.csv);
        return 1;
    }
    return 0;
}
