// SPDX-License-Identifier: Apache-2.0
// The tables.
#include "bench_lcp.h"

#include <math.h>
#include <string.h>

// differences below this share are noise
static const double NOISE = 0.15;

void report_header(FILE* out, bool quick)
{
    fprintf(
        out,
        "Linear complementarity problems: uptack%s\n"
        "  One thread; CPU time of the call alone. Ours checks the problem, solves in an arena "
        "made\n"
        "  beforehand and measures the residual of its answer; theirs allocates its own work "
        "space.\n"
        "  Tolerance 1e-10 for both; pivots up to 5 n + 1000, sweeps 1000, Newton steps 100.\n"
        "  solved: ut_lcp_residual <= %.0e, whoever answered. false: claimed, but not solved "
        "(theirs\n"
        "  claim by info and lcp_compute_error, as their driver does; not timed). residual: the "
        "worst\n"
        "  of those claimed.\n"
        "  Median over all instances run%s. Times: best of several calls when they are "
        "short.\n",
        peer_available() ? " beside Siconos" : " (Siconos not installed)", BENCH_SOLVED,
        quick ? " (quick: few and small)" : "");
}

void report_csv(FILE* out, const Family* family, const Results* results)
{
    for (int s = 0; s < results->size_count; s++) {
        for (int k = 0; k < results->instances[s]; k++) {
            for (int who = 0; who < CONTENDERS; who++) {
                const Run* run = &results->runs[s][k][who];
                if (run->ran) {
                    fprintf(out, "%s,%d,%d,%s,%.9e,%d,%.3e,%d,%d,%d\n", family->name,
                            results->unknowns[s], k, contender_name((Contender)who), run->seconds,
                            run->iterations, run->residual, run->claimed, run_solved(run),
                            run->refused);
                }
            }
        }
    }
}

// ---- one family ---------------------------------------------------------------------------------

// One contender at one size.
typedef struct Line {
    int ran, refused, solved, claimed, wrong;
    double seconds, iterations; // medians
    double residual;            // the worst that was claimed
} Line;

static Line line_of(const Results* results, int s, int who)
{
    Line line = {0};
    double seconds[INSTANCES_MAX], iterations[INSTANCES_MAX];
    for (int k = 0; k < results->instances[s]; k++) {
        const Run* run = &results->runs[s][k][who];
        if (!run->ran) {
            continue;
        }
        seconds[line.ran] = run->seconds;
        iterations[line.ran] = run->iterations;
        line.ran++;
        line.refused += run->refused;
        line.solved += run_solved(run);
        line.claimed += run->claimed;
        line.wrong += run->claimed && !run_solved(run);
        if (run->claimed && !(run->residual <= line.residual)) {
            line.residual = run->residual;
        }
    }
    line.seconds = line.ran > 0 ? bench_median(seconds, line.ran) : 0.0;
    line.iterations = line.ran > 0 ? bench_median(iterations, line.ran) : 0.0;
    return line;
}

// A contender that did not run would have overdrawn its time: say what it took before.
static void print_why_not(FILE* out, const Results* results, int s, int who)
{
    for (int t = s - 1; t >= 0; t--) {
        double longest = 0.0;
        for (int k = 0; k < results->instances[t]; k++) {
            const Run* run = &results->runs[t][k][who];
            longest = run->ran ? fmax(longest, run->seconds) : longest;
        }
        if (longest > 0.0) {
            char text[32];
            fprintf(out, " not run: up to %s at n = %d\n", bench_time_text(longest, text),
                    results->unknowns[t]);
            return;
        }
    }
    fprintf(out, " not run\n");
}

static void print_line(FILE* out, const Results* results, int s, int who)
{
    Line line = line_of(results, s, who);
    char text[32];
    fprintf(out, "  %-20s", contender_name((Contender)who));
    if (line.ran == 0) {
        print_why_not(out, results, s, who);
    } else if (line.refused == line.ran) {
        fprintf(out, " takes no such problems\n");
    } else {
        fprintf(out, " %10s %10.0f %8d/%-3d", bench_time_text(line.seconds, text), line.iterations,
                line.solved, line.ran);
        if (line.claimed > 0) {
            fprintf(out, " %10.1e", line.residual);
        } else {
            fprintf(out, " %10s", "-");
        }
        fprintf(out, line.wrong > 0 ? " %5d\n" : "\n", line.wrong);
    }
}

// ---- ratios -------------------------------------------------------------------------------------

typedef struct Ratio {
    double factor; // geometric mean of theirs / ours
    int count;     // instances that both solve
} Ratio;

enum { FASTEST = -1 };

// Time of a peer on an instance, INFINITY when it does not solve it. FASTEST: the best of all.
static double peer_seconds(const Run runs[CONTENDERS], int peer)
{
    double best = HUGE_VAL;
    for (int who = PEERS_BEGIN; who < CONTENDERS; who++) {
        if ((who == peer || peer == FASTEST) && run_solved(&runs[who])) {
            best = fmin(best, runs[who].seconds);
        }
    }
    return best;
}

static Ratio ratio_of(const Results* results, int s, Contender ours, int peer)
{
    Ratio ratio = {1.0, 0};
    double sum = 0.0;
    for (int k = 0; k < results->instances[s]; k++) {
        const Run* runs = results->runs[s][k];
        double theirs = peer_seconds(runs, peer);
        if (run_solved(&runs[ours]) && theirs < HUGE_VAL) {
            sum += log(theirs / runs[ours].seconds);
            ratio.count++;
        }
    }
    ratio.factor = ratio.count > 0 ? exp(sum / ratio.count) : 0.0;
    return ratio;
}

static const struct {
    const char* title;
    Contender ours;
    int peer;
} pairs[] = {
    {"lemke : lexicolemke", OURS_LEMKE, PEER_LEXICO_LEMKE},
    {"auto : lexicolemke", OURS_AUTO, PEER_LEXICO_LEMKE},
    {"auto : their fastest", OURS_AUTO, FASTEST},
    {"pgs : pgs", OURS_PGS, PEER_PGS},
};

static void print_ratios(FILE* out, const Results* results)
{
    const int count = (int)(sizeof pairs / sizeof pairs[0]);
    fprintf(out,
            "\n  How many times faster we are (geometric mean; instances that both solve)\n"
            "  %6s",
            "n");
    for (int p = 0; p < count; p++) {
        fprintf(out, " %22s", pairs[p].title);
    }
    fprintf(out, "\n");
    for (int s = 0; s < results->size_count; s++) {
        fprintf(out, "  %6d", results->unknowns[s]);
        for (int p = 0; p < count; p++) {
            Ratio ratio = ratio_of(results, s, pairs[p].ours, pairs[p].peer);
            if (ratio.count > 0) {
                fprintf(out, " %15.2f   (%2d)", ratio.factor, ratio.count);
            } else {
                fprintf(out, " %15s   (%2d)", "-", 0);
            }
        }
        fprintf(out, "\n");
    }
}

void report_family(FILE* out, const Family* family, const Results* results)
{
    fprintf(out, "\n== %s: %s\n\n  %-20s %10s %10s %12s %10s %5s\n", family->name, family->what,
            "solver", "time", "iterations", "solved", "residual", "false");
    for (int s = 0; s < results->size_count; s++) {
        fprintf(out, "\n  n = %d\n", results->unknowns[s]);
        for (int who = 0; who < CONTENDERS; who++) {
            if (who < PEERS_BEGIN || peer_available()) {
                print_line(out, results, s, who);
            }
        }
    }
    if (peer_available()) {
        print_ratios(out, results);
    }
}

// ---- growth -------------------------------------------------------------------------------------

// Geometric mean of the times at a size, 0 when the contender did not run.
static double mean_seconds(const Results* results, int s, Contender who)
{
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < results->instances[s]; k++) {
        const Run* run = &results->runs[s][k][who];
        if (run_solved(run)) {
            sum += log(run->seconds);
            count++;
        }
    }
    return count > 0 ? exp(sum / count) : 0.0;
}

// Slope of log time over log n between the two largest sizes, and where they were.
static bool exponent_of(const Results* results, Contender who, double* exponent, int* from, int* to)
{
    int last = results->size_count - 1;
    while (last >= 0 && mean_seconds(results, last, who) == 0.0) {
        last--;
    }
    if (last < 1 || mean_seconds(results, last - 1, who) == 0.0) {
        return false;
    }
    *from = results->unknowns[last - 1];
    *to = results->unknowns[last];
    *exponent = log(mean_seconds(results, last, who) / mean_seconds(results, last - 1, who)) /
                log((double)*to / *from);
    return true;
}

void report_growth(FILE* out, const Results* results)
{
    fprintf(out, "\n== growth of cold solves: time ~ n^e between the two largest sizes\n\n");
    fprintf(out, "  %-14s %8s %16s %8s\n", "family", "auto", "from .. to", "lemke");
    for (int f = 0; f < FAMILIES; f++) {
        double exponent;
        int from, to;
        if (exponent_of(&results[f], OURS_AUTO, &exponent, &from, &to)) {
            fprintf(out, "  %-14s %8.2f %8d .. %-5d", families[f].name, exponent, from, to);
            if (exponent_of(&results[f], OURS_LEMKE, &exponent, &from, &to)) {
                fprintf(out, " %7.2f", exponent);
            }
            fprintf(out, "\n");
        }
    }
}

// ---- goals --------------------------------------------------------------------------------------

// The worst ratio over sizes from n_min on, and where it was.
static void print_goal(FILE* out, const Results* results, const char* goal, Contender ours,
                       int peer, int n_min, bool contact_only, double want)
{
    double worst = HUGE_VAL;
    const char* where = "";
    int n = 0, missed = 0, looked = 0;
    for (int f = 0; f < FAMILIES; f++) {
        for (int s = 0; s < results[f].size_count; s++) {
            Ratio ratio = ratio_of(&results[f], s, ours, peer);
            if (results[f].n[s] < n_min || ratio.count == 0 ||
                (contact_only && !families[f].contact)) {
                continue;
            }
            looked++;
            missed += ratio.factor < want;
            if (ratio.factor < worst) {
                worst = ratio.factor;
                where = families[f].name;
                n = results[f].unknowns[s];
            }
        }
    }
    if (looked == 0) {
        fprintf(out, "  %-62s nothing to compare\n", goal);
    } else {
        fprintf(out, "  %-62s %s: %d of %d; worst %.2f (%s, n = %d)\n", goal,
                missed == 0 ? "met" : "missed", looked - missed, looked, worst, where, n);
    }
}

void report_goals(FILE* out, const Results* results)
{
    fprintf(out, "\n== goals\n\n");
    print_goal(out, results, "lemke >= 3 times faster than lexicolemke, n >= 32", OURS_LEMKE,
               PEER_LEXICO_LEMKE, 32, false, 3.0);
    print_goal(out, results, "auto >= 10 times faster than lexicolemke, contact, n >= 256",
               OURS_AUTO, PEER_LEXICO_LEMKE, 256, true, 10.0);
    print_goal(out, results, "auto not slower than their fastest, beyond noise", OURS_AUTO, FASTEST,
               0, false, 1.0 - NOISE);
    print_goal(out, results, "pgs not slower than theirs, beyond noise", OURS_PGS, PEER_PGS, 0,
               false, 1.0 - NOISE);
}
