// SPDX-License-Identifier: Apache-2.0
// Our solvers beside those of Siconos, on the same instances, in one run.
//
//   bench_lcp [--quick] [--table] [--family NAME] [--max N] [--csv FILE]
//
// Every run goes to a CSV file beside the program (results/lcp.csv); standard output gets the
// tables. --table is for `make bench`: fewer instances up to 512 unknowns, rows in results/lcp.jsonl and
// no tables here.
#define _POSIX_C_SOURCE 200809L
#include "bench_lcp.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
    bool quick, table;
    const char* family; // NULL for all
    int n_max;
    char csv[PATH_MAX];
} Options;

static const struct {
    int n;
    int instances, quick_instances;
} sizes[SIZES_MAX] = {{4, 24, 8},   {10, 24, 8},  {16, 24, 8},  {32, 24, 8},  {64, 20, 6},
                      {128, 12, 4}, {256, 12, 2}, {512, 10, 0}, {1000, 8, 0}, {2000, 3, 0}};

// for --table
enum { TABLE_INSTANCES = 8, TABLE_UNKNOWNS = 512 };

// ---- how long a contender may go on -------------------------------------------------------------

// Seconds that a contender may spend on one family; those that the goals speak of get more.
static double budget_of(Contender who, const Options* options)
{
    bool key = who == OURS_AUTO || who == OURS_LEMKE || who == PEER_LEXICO_LEMKE;
    if (options->quick) {
        return key ? 2.0 : 0.5;
    }
    if (options->table) {
        return key ? 5.0 : 2.0;
    }
    return key ? 45.0 : 4.0;
}

// The table has our automatic choice and all of theirs.
static bool takes_part(Contender who, const Options* options)
{
    const bool theirs = who >= PEERS_BEGIN;
    return theirs ? peer_available() : !options->table || who == OURS_AUTO;
}

static int instances_of(int s, const Options* options)
{
    const int count = options->quick ? sizes[s].quick_instances : sizes[s].instances;
    if (!options->table) {
        return count;
    }
    if (sizes[s].n > TABLE_UNKNOWNS) {
        return 0;
    }
    return count > TABLE_INSTANCES ? TABLE_INSTANCES : count;
}

typedef struct Clock {
    double spent;
    double seconds; // of the calls at the last size that ran
    int calls;
    int n;
} Clock;

// Is there time for one more call, by cubic growth from the last size?
static bool has_time(const Clock* clock, double budget, int n)
{
    if (clock->calls == 0) {
        return true;
    }
    double expected = clock->seconds / clock->calls * pow((double)n / clock->n, 3.0);
    return clock->spent + expected <= budget;
}

// ---- the run ------------------------------------------------------------------------------------

// All contenders on one instance.
static void run_instance(const Instance* instance, utArena scratch, const Options* options,
                         const Clock before[CONTENDERS], Clock clocks[CONTENDERS],
                         Run runs[CONTENDERS])
{
    const int n = instance->lcp.n;
    for (int who = 0; who < CONTENDERS; who++) {
        Clock now = before[who];
        now.spent = clocks[who].spent;
        if (!takes_part((Contender)who, options) ||
            !has_time(&now, budget_of((Contender)who, options), n)) {
            continue;
        }
        double start = bench_now();
        runs[who] = contender_run((Contender)who, instance, scratch, options->quick);
        if (clocks[who].n != n) {
            clocks[who] = (Clock){.spent = clocks[who].spent, .n = n};
        }
        clocks[who].spent += bench_now() - start;
        clocks[who].seconds += runs[who].seconds;
        clocks[who].calls++;
    }
}

// Bytes of `count` matrices of n unknowns, rounded up to whole contacts.
static size_t matrices(int n, int count)
{
    const size_t rows = (size_t)n + 10;
    return (size_t)count * rows * rows * sizeof(double);
}

static void run_family(const Family* family, const Options* options, Results* results)
{
    static BenchMemory memory, scratch_memory;
    Clock clocks[CONTENDERS] = {{0}};
    memset(results, 0, sizeof *results);
    for (int s = 0; s < SIZES_MAX; s++) {
        int n = sizes[s].n;
        int count = instances_of(s, options);
        if (n > options->n_max || count == 0) {
            break;
        }
        Clock before[CONTENDERS];
        memcpy(before, clocks, sizeof before);
        results->n[s] = n;
        results->instances[s] = count;
        results->size_count = s + 1;
        for (int k = 0; k < count; k++) {
            bench_progress("%-14s n = %-5d instance %-3d", family->name, n, k + 1);
            Instance instance;
            utArena keep = bench_arena(&memory, matrices(n, 3));
            if (instance_create(family, n, (uint64_t)(1000 * n + k), &keep, &instance) != UT_OK) {
                fprintf(stderr, "bench_lcp: instance %d of %s, n = %d, cannot be made\n", k,
                        family->name, n);
                exit(1);
            }
            results->unknowns[s] = instance.lcp.n;
            utArena scratch = bench_arena(&scratch_memory, matrices(n, 8));
            run_instance(&instance, scratch, options, before, clocks, results->runs[s][k]);
        }
    }
    bench_progress_end();
}

// ---- the command line ---------------------------------------------------------------------------

static const char usage[] =
    "usage: bench_lcp [--quick] [--table] [--family NAME] [--max N] [--csv FILE]\n";

static bool parse(int argc, char** argv, Options* options)
{
    *options = (Options){.n_max = INT_MAX};
    bench_results_path(argv[0], "lcp.csv", options->csv, sizeof options->csv);
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0) {
            options->quick = true;
        } else if (strcmp(argv[i], "--table") == 0) {
            options->table = true;
        } else if (strcmp(argv[i], "--family") == 0 && more) {
            options->family = argv[++i];
        } else if (strcmp(argv[i], "--max") == 0 && more) {
            options->n_max = (int)strtol(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--csv") == 0 && more) {
            snprintf(options->csv, sizeof options->csv, "%s", argv[++i]);
        } else {
            return false;
        }
    }
    bool known = options->family == NULL;
    for (int f = 0; f < FAMILIES && !known; f++) {
        known = strcmp(options->family, families[f].name) == 0;
    }
    return known && options->n_max >= sizes[0].n;
}

static bool is_wanted(const Family* family, const Options* options)
{
    return options->family == NULL || strcmp(options->family, family->name) == 0;
}

static void run_table(const char* program, const Options* options, Results* results)
{
    Rows rows = rows_open(program, "lcp");
    if (!peer_available()) {
        row_note(&rows, "lcp", "Siconos is not installed here (Debian: libsiconos-numerics-dev).");
    }
    for (int f = 0; f < FAMILIES; f++) {
        if (is_wanted(&families[f], options)) {
            run_family(&families[f], options, &results[f]);
            rows_family(&rows, &families[f], &results[f]);
            fprintf(stderr, "bench_lcp: %s done\n", families[f].name);
        }
    }
    rows_lines(&rows, results);
    rows_close(&rows);
}

int main(int argc, char** argv)
{
    static Results results[FAMILIES];
    Options options;
    bench_one_thread(argv);
    if (!parse(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    if (options.table) {
        run_table(argv[0], &options, results);
        return 0;
    }
    FILE* csv = fopen(options.csv, "w");
    if (csv == NULL) {
        perror(options.csv);
        return 1;
    }

    report_header(stdout, options.quick);
    fprintf(csv, "family,n,instance,solver,seconds,iterations,residual,claimed,solved,refused\n");
    for (int f = 0; f < FAMILIES; f++) {
        if (is_wanted(&families[f], &options)) {
            run_family(&families[f], &options, &results[f]);
            report_csv(csv, &families[f], &results[f]);
            report_family(stdout, &families[f], &results[f]);
            fflush(stdout);
        }
    }
    report_growth(stdout, results);
    if (options.family == NULL) {
        report_warm(stdout, options.quick && options.n_max > 256 ? 256 : options.n_max);
    }
    report_goals(stdout, results);
    if (fclose(csv) != 0) {
        perror(options.csv);
        return 1;
    }
    printf("\nevery run: %s\n", options.csv);
    return 0;
}
