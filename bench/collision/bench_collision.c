// SPDX-License-Identifier: Apache-2.0
// Our collision detection beside that of Bullet and ODE, in one run: whole scenes, and pairs of
// shapes.
//
//   bench_collision [--quick] [--max N] [--pairs] [--csv FILE]      (--pairs: no scenes)
//
// Every figure goes to a CSV file beside the program (results/collision.csv); standard output gets
// the tables.
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "support/bench.h"

enum { SIZES = 3, CONTENDERS = 4, STEPS_MAX = 64, PAIRS = 1000, ROUNDS = 21 };

static const int sizes[SIZES] = {1000, 10000, 50000};

#define PAIR_OVERLAP 1e-3 // m
#define PAIR_APART 0.05   // m

typedef struct Options {
    bool quick;
    int n_max;
    char csv[PATH_MAX];
} Options;

/// One contender in one scene of one size.
typedef struct Line {
    double seconds, broad; // medians of a step; 0 when it did not run
    int pairs, contacts;
} Line;

static const Contender* contender(int who)
{
    return who == 0   ? contender_ours()
           : who == 1 ? contender_bullet()
           : who == 2 ? contender_ode_hash()
                      : contender_ode_sweep();
}

// ---- scenes -------------------------------------------------------------------------------------

typedef struct SceneRun {
    const Contender* who;
    SceneKind kind;
    int n;
    bool quick;
    Line* line; // shared with the process that runs it
} SceneRun;

// Time steps until there are enough of them or the time is up; the first two are not counted, since
// worlds are filled and memory is taken in them.
static void run_scene(void* context)
{
    const SceneRun* run = context;
    const int n = run->n;
    const int wanted = run->quick ? 5 : n > 20000 ? 15 : n > 5000 ? 31 : 63;
    const double budget = run->quick ? 3.0 : 12.0;
    double seconds[STEPS_MAX], broad[STEPS_MAX], spent = 0.0;
    Body* body = calloc((size_t)n, sizeof *body);
    scene_make(run->kind, n, 0.0, body);
    void* world = run->who->open(n, body);
    Found found = {0};
    int count = 0;
    for (int step = 0; count < wanted && (spent < budget || count < 3); step++) {
        if (run->kind == SCENE_MOVING) {
            scene_make(run->kind, n, 0.01 * step, body);
        }
        const double start = bench_now();
        run->who->detect(world, body, &found);
        const double took = bench_now() - start;
        spent += took;
        if (step >= 2) {
            seconds[count] = took;
            broad[count++] = found.broad;
        }
    }
    free(body);
    *run->line = (Line){bench_median(seconds, count), bench_median(broad, count), found.pairs,
                        found.contacts};
}

// In a process of its own. @return false when it did not end
static bool time_scene(const Contender* who, SceneKind kind, int n, bool quick, Line* line)
{
    Line* shared = bench_shared(sizeof *shared);
    SceneRun run = {who, kind, n, quick, shared};
    const bool ended = bench_apart(run_scene, &run, 120.0);
    *line = *shared;
    bench_unshared(shared, sizeof *shared);
    return ended && line->seconds > 0.0;
}

// slope of log time over log n, by least squares
static double exponent(Line line[SIZES][CONTENDERS], int count, int who, bool broad)
{
    double x[SIZES], y[SIZES], x_mean = 0.0, y_mean = 0.0, xx = 0.0, xy = 0.0;
    int ran = 0;
    for (int s = 0; s < count; s++) {
        const double seconds = broad ? line[s][who].broad : line[s][who].seconds;
        if (seconds > 0.0) {
            x[ran] = log(sizes[s]);
            y[ran] = log(seconds);
            x_mean += x[ran];
            y_mean += y[ran++];
        }
    }
    for (int s = 0; s < ran; s++) {
        xx += (x[s] - x_mean / ran) * (x[s] - x_mean / ran);
        xy += (x[s] - x_mean / ran) * (y[s] - y_mean / ran);
    }
    return xy / xx;
}

static void print_growth(Line line[SIZES][CONTENDERS], int count)
{
    printf("\n  time ~ n^e:");
    for (int who = 0; who < CONTENDERS && count > 1; who++) {
        if (contender(who) != NULL) {
            printf("  %s %.2f", contender(who)->name, exponent(line, count, who, false));
            if (line[0][who].broad > 0.0) {
                printf(" (broad phase %.2f)", exponent(line, count, who, true));
            }
        }
    }
    printf("\n");
}

static void print_line(const char* name, const Line* line, double ours)
{
    char whole[32], broad[32] = "-";
    if (line->broad > 0.0) {
        bench_time_text(line->broad, broad);
    }
    printf("  %-12s %12s %12s %10d %10d %9.2f\n", name, bench_time_text(line->seconds, whole),
           broad, line->pairs, line->contacts, line->seconds / ours);
}

static void bench_scene(SceneKind kind, const Options* options, FILE* csv)
{
    Line line[SIZES][CONTENDERS] = {{{0}}};
    int count = 0;
    printf("\n== %s: %s\n", scene_name(kind), scene_what(kind));
    for (int s = 0; s < SIZES && sizes[s] <= options->n_max; s++, count++) {
        printf("\n  %-12s %12s %12s %10s %10s %9s\n", "", "whole", "broad phase", "pairs",
               "contacts", "times us");
        printf("  n = %d\n", sizes[s]);
        for (int who = 0; who < CONTENDERS; who++) {
            if (contender(who) == NULL) {
                continue;
            }
            bench_progress("%s, %d bodies, %s", scene_name(kind), sizes[s], contender(who)->name);
            Line* l = &line[s][who];
            const bool ran = time_scene(contender(who), kind, sizes[s], options->quick, l);
            bench_progress_end();
            if (!ran) {
                printf("  %-12s did not end within two minutes\n", contender(who)->name);
                continue;
            }
            print_line(contender(who)->name, l, line[s][0].seconds);
            fprintf(csv, "%s,%d,%s,%.9e,%.9e,%d,%d,,,\n", scene_name(kind), sizes[s],
                    contender(who)->name, l->seconds, l->broad, l->pairs, l->contacts);
        }
        fflush(stdout);
    }
    print_growth(line, count);
}

// ---- pairs --------------------------------------------------------------------------------------

static const char* kind_name(int kind)
{
    static const char* const names[BODY_KINDS] = {"plane",    "sphere",    "capsule", "box",
                                                  "cylinder", "ellipsoid", "hull"};
    return names[kind];
}

// One contender with one kind of pair.
typedef struct PairLine {
    double seconds; // a pair
    double points;  // of a pair
    double error;   // the worst of the least gap found, m
    int missed;     // pairs that overlap without a point
} PairLine;

static double worst_error(const Contender* who, void* pairs, const double* gap, int* missed)
{
    double worst = 0.0;
    *missed = 0;
    for (int i = 0; i < PAIRS; i++) {
        const double found = who->least_gap(pairs, i);
        if (found == HUGE_VAL) {
            ++*missed;
        } else {
            worst = fmax(worst, fabs(found - gap[i]));
        }
    }
    return worst;
}

// @return false when it does not take such shapes
static bool run_pairs(const Contender* who, const Body* body, const double* gap, PairLine* line)
{
    void* pairs = who->open_pairs(PAIRS, body);
    if (pairs == NULL) {
        return false;
    }
    double round[ROUNDS];
    int contacts = who->collide_pairs(pairs);
    for (int r = 0; r < ROUNDS; r++) {
        const double start = bench_now();
        contacts = who->collide_pairs(pairs);
        round[r] = (bench_now() - start) / PAIRS;
    }
    line->seconds = bench_median(round, ROUNDS);
    line->points = (double)contacts / PAIRS;
    line->error = worst_error(who, pairs, gap, &line->missed);
    who->close_pairs(pairs);
    return true;
}

// A contender without a single point where everything overlaps does not know the pair.
static void bench_pair(BodyKind a, BodyKind b, FILE* csv)
{
    static Body near[2 * PAIRS], apart[2 * PAIRS];
    static double gap[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        scene_pair(a, b, (uint64_t)i, -PAIR_OVERLAP, &near[2 * i]);
        scene_pair(a, b, (uint64_t)i, PAIR_APART, &apart[2 * i]);
        gap[i] = true_gap(&near[2 * i]);
    }
    printf("  %-9s %-9s", kind_name(a), kind_name(b));
    for (int who = 0; who < CONTENDERS - 1; who++) { // ODE's pairs are the same in both spaces
        PairLine line, far;
        if (contender(who) == NULL) {
            continue;
        }
        if (run_pairs(contender(who), near, gap, &line) && line.points > 0.0) {
            run_pairs(contender(who), apart, gap, &far);
            printf("  %6.2f %6.2f %4.2f %7.1e %3d", 1e-6 / line.seconds, 1e-6 / far.seconds,
                   line.points, line.error, line.missed);
            fprintf(csv, "%s-%s,%d,%s,%.9e,,%d,%d,%.3e,%d,%.9e\n", kind_name(a), kind_name(b),
                    2 * PAIRS, contender(who)->name, line.seconds, PAIRS,
                    (int)(line.points * PAIRS + 0.5), line.error, line.missed, far.seconds);
        } else {
            printf("  %6s %6s %4s %7s %3s", "-", "-", "-", "-", "-");
        }
    }
    printf("\n");
    fflush(stdout);
}

static void bench_pairs(FILE* csv)
{
    printf(
        "\n== pairs: %d of each kind, half of them at rest on each other, half turned at random\n"
        "  M/s: millions a second where they overlap by %g mm; apart: the same where they stand\n"
        "  %g mm apart, beyond the margin; pts: contact points of a pair, up to 4; error: of the\n"
        "  deepest point's gap against ut_gap, the worst, m; no: pairs that got no point\n\n  "
        "%-19s",
        PAIRS, 1e3 * PAIR_OVERLAP, 1e3 * PAIR_APART, "");
    for (int who = 0; who < CONTENDERS - 1; who++) {
        if (contender(who) != NULL) {
            printf("  %-30s", who < 2 ? contender(who)->name : "ODE");
        }
    }
    printf("\n  %-19s", "");
    for (int who = 0; who < CONTENDERS - 1; who++) {
        if (contender(who) != NULL) {
            printf("  %6s %6s %4s %7s %3s", "M/s", "apart", "pts", "error", "no");
        }
    }
    printf("\n");
    for (int a = 0; a < BODY_KINDS; a++) {
        for (int b = a > 0 ? a : 1; b < BODY_KINDS; b++) {
            bench_pair((BodyKind)a, (BodyKind)b, csv);
        }
    }
}

// ---- the command line ---------------------------------------------------------------------------

static bool parse(int argc, char** argv, Options* options)
{
    *options = (Options){.n_max = INT_MAX};
    bench_results_path(argv[0], "collision.csv", options->csv, sizeof options->csv);
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0) {
            options->quick = true;
        } else if (strcmp(argv[i], "--pairs") == 0) {
            options->n_max = 0;
        } else if (strcmp(argv[i], "--max") == 0 && more) {
            options->n_max = (int)strtol(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--csv") == 0 && more) {
            snprintf(options->csv, sizeof options->csv, "%s", argv[++i]);
        } else {
            return false;
        }
    }
    return true;
}

int main(int argc, char** argv)
{
    Options options;
    if (!parse(argc, argv, &options)) {
        fputs("usage: bench_collision [--quick] [--max N] [--pairs] [--csv FILE]\n", stderr);
        return 2;
    }
    FILE* csv = fopen(options.csv, "w");
    if (csv == NULL) {
        perror(options.csv);
        return 1;
    }
    printf(
        "Collision detection: uptack%s%s\n"
        "  One thread; CPU time, medians. Every step all poses are handed over anew and "
        "everything is\n"
        "  detected. Ours (double) finds points within %g m, Bullet (%s) as well, ODE (double) "
        "those\n"
        "  that overlap. broad phase: boxes and pairs; ours are those that meet, in order, Bullet "
        "keeps\n"
        "  those whose enlarged boxes do and tells them apart later.\n",
        contender_bullet() != NULL ? " beside Bullet" : " (Bullet not installed)",
        contender_ode_hash() != NULL ? ", ODE" : " (ODE not installed)", BENCH_MARGIN, "float");
    fprintf(csv, "what,n,who,seconds,broad,pairs,contacts,error,missed,seconds_apart\n");
    for (int kind = 0; kind < SCENES && options.n_max >= sizes[0]; kind++) {
        bench_scene((SceneKind)kind, &options, csv);
    }
    bench_pairs(csv);
    if (fclose(csv) != 0) {
        perror(options.csv);
        return 1;
    }
    printf("\nevery figure: %s\n", options.csv);
    return 0;
}
