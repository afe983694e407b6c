// SPDX-License-Identifier: Apache-2.0
// The tables.
#include "bench_coulomb.h"

#include <math.h>

// times faster than the fastest peer: the goal
static const double GOAL = 2.0;

void report_header(FILE* out, double budget, bool quick)
{
    fprintf(out,
            "Frictional contact in space: uptack%s\n"
            "  One thread; CPU time of one call from r = 0, W and q formed beforehand for all.\n"
            "  Best of several calls when they are short%s.\n"
            "  E: of the answer, by ut_coulomb_judge. It counts at E <= %.0e. relative: Siconos'\n"
            "  own error of it, |r - P(r - u^)| by the largest of |q|, |r|, |u|.\n"
            "  Theirs get the tolerance 1e-8 and then ever smaller ones, by half decades to\n"
            "  1e-12, until the answer counts; only the call that gets there is timed. Where a\n"
            "  peer has several settings, the best one on each problem stands for it.\n"
            "  own: only relative <= 1e-8 was reached; the time is that of the first such call.\n"
            "  A call of theirs may take %.3g s; sweeps end at 100,000, Newton steps at 1000.\n",
            peer_available() ? " beside Siconos" : " (Siconos not installed)",
            quick ? " (quick: fewer)" : "", BENCH_SOLVED, budget);
}

void report_csv(FILE* out, const Result* result)
{
    for (int who = 0; who < CONTENDERS; who++) {
        const Run* run = &result->runs[who];
        if (run->ran) {
            fprintf(out, "%s,%d,%d,\"%s\",\"%s\",%.9e,%.9e,%d,%.0e,%.3e,%.3e,%d,%d,%d\n",
                    result->source->name, result->source->group, result->contacts,
                    contender_name((Contender)who), run->setting, run->seconds, run->own_seconds,
                    run->iterations, run->tolerance, run->E, run->relative, run->claimed,
                    run_solved(run), run->broke);
        }
    }
}

// ---- one group ----------------------------------------------------------------------------------

// Seconds until the answer counted, by E or, when asked for, by the peers' own measure; HUGE_VAL
// when it never did.
static double seconds_of(const Run* run, bool own)
{
    if (run_solved(run) && !(own && run->own_seconds > 0.0)) {
        return run->seconds;
    }
    return own && run->ran && run->own_seconds > 0.0 ? run->own_seconds : HUGE_VAL;
}

static void print_ratio(FILE* out, const Run* peer, const Run* ours)
{
    double seconds = seconds_of(peer, !run_solved(peer));
    if (seconds < HUGE_VAL && run_solved(ours)) {
        fprintf(out, " %9.2f", seconds / ours->seconds);
    } else {
        fprintf(out, " %9s", "-");
    }
}

static void print_line(FILE* out, const Result* result, Contender who)
{
    const Run* run = &result->runs[who];
    const bool own = !run_solved(run) && run->own_seconds > 0.0;
    char text[32], name[48];
    bool set = run->setting[0] != '\0';
    snprintf(name, sizeof name, "%s%s%s%s", contender_name(who), set ? " (" : "", run->setting,
             set ? ")" : "");
    fprintf(out, "    %-32s", name);
    if (run->broke) {
        fprintf(out, " broke off or had to be stopped\n");
        return;
    }
    if (run_solved(run) || own) {
        fprintf(out, " %14s", bench_time_text(own ? run->own_seconds : run->seconds, text));
    } else {
        char not_in[48];
        snprintf(not_in, sizeof not_in, "not in %s", bench_time_text(run->seconds, text));
        fprintf(out, " %14s", not_in);
    }
    fprintf(out, " %7d %9.1e %9.1e %-4s", run->iterations, run->E, run->relative, own ? "own" : "");
    if (who >= PEERS_BEGIN) {
        print_ratio(out, run, &result->runs[OURS_BODIES]);
        print_ratio(out, run, &result->runs[OURS_AUTO]);
    }
    fprintf(out, "\n");
}

void report_group(FILE* out, int group, const Result* results, int count)
{
    bool first = true;
    for (int k = 0; k < count; k++) {
        if (results[k].source->group != group) {
            continue;
        }
        if (first) {
            fprintf(out, "\n== %s\n\n    %-32s %14s %7s %9s %9s %-4s %9s %9s\n", group_name(group),
                    "solver", "time", "iter.", "E", "relative", "", "/bodies", "/auto, W");
            first = false;
        }
        fprintf(out, "\n  %s: %d contacts\n", results[k].source->name, results[k].contacts);
        for (int who = 0; who < CONTENDERS; who++) {
            if (results[k].runs[who].ran) {
                print_line(out, &results[k], (Contender)who);
            }
        }
    }
}

// ---- goals --------------------------------------------------------------------------------------

static double fastest_peer(const Result* result, bool own)
{
    double best = HUGE_VAL;
    for (int who = PEERS_BEGIN; who < CONTENDERS; who++) {
        best = fmin(best, seconds_of(&result->runs[who], own));
    }
    return best;
}

// How a group of instances compares: theirs / ours, where both get there.
typedef struct Summary {
    int count;    // instances that we were given
    int alone;    // that only we solve
    int lost;     // that only a peer solves
    int neither;  // that nobody solves
    int compared; // that both solve
    int reached;  // of those, at the goal
    double ratio[INSTANCES_MAX];
    double worst;
    const char* where;
} Summary;

static Summary summary_of(int group, const Result* results, int count, Contender ours, bool own)
{
    Summary sum = {.worst = HUGE_VAL, .where = ""};
    for (int k = 0; k < count; k++) {
        const Run* run = &results[k].runs[ours];
        if (results[k].source->group != group || !run->ran) {
            continue;
        }
        const double peer = fastest_peer(&results[k], own);
        const bool solved = run_solved(run);
        sum.count++;
        if (!solved || !(peer < HUGE_VAL)) {
            sum.alone += solved;
            sum.lost += !solved && peer < HUGE_VAL;
            sum.neither += !solved && !(peer < HUGE_VAL);
            continue;
        }
        const double ratio = peer / run->seconds;
        sum.ratio[sum.compared++] = ratio;
        sum.reached += ratio >= GOAL;
        if (ratio < sum.worst) {
            sum.worst = ratio;
            sum.where = results[k].source->name;
        }
    }
    return sum;
}

static void print_summary(FILE* out, int group, Summary* sum)
{
    fprintf(out, "    %-34s", group_name(group));
    if (sum->compared == 0) {
        fprintf(out, " nothing to compare;");
    } else {
        const double median = bench_median(sum->ratio, sum->compared);
        fprintf(out, " %s: median %.3g, worst %.3g (%s), %d of %d at %.0f or more;",
                median >= GOAL ? "met" : "missed", median, sum->worst, sum->where, sum->reached,
                sum->compared, GOAL);
    }
    fprintf(out, " no peer %d, only a peer %d, nobody %d\n", sum->alone, sum->lost, sum->neither);
}

void report_goals(FILE* out, const Result* results, int count)
{
    static const Contender ours[] = {OURS_BODIES, OURS_AUTO};
    fprintf(out,
            "\n== how many times faster than the fastest peer that gets there; "
            "the goal is %.0f in "
            "the median\n",
            GOAL);
    for (int own = 0; own < 2; own++) {
        for (int o = 0; o < 2; o++) {
            fprintf(out, "\n  %s, to E <= %.0e; theirs to %s\n", contender_name(ours[o]),
                    BENCH_SOLVED, own ? "1e-8 by either measure" : "the same");
            for (int group = 0; group < GROUPS; group++) {
                Summary sum = summary_of(group, results, count, ours[o], own == 1);
                if (sum.count > 0) {
                    print_summary(out, group, &sum);
                }
            }
        }
    }
}
