// SPDX-License-Identifier: Apache-2.0
// Results for the table of `make bench`: each problem, and the worst of each group.
#include <math.h>

#include "bench_coulomb.h"

// The goal: our time by that of the fastest peer.
static const double GOAL = 1.0;

// The fastest peer whose answer counts, -1 for none.
static int fastest_of(const Result* result)
{
    int best = -1;
    for (int who = PEERS_BEGIN; who < CONTENDERS; who++) {
        const Run* run = &result->runs[who];
        if (run_solved(run) && (best < 0 || run->seconds < result->runs[best].seconds)) {
            best = who;
        }
    }
    return best;
}

// Ours on the same matrix W that Siconos gets.
static double ratio_of(const Result* result)
{
    const int peer = fastest_of(result);
    return peer >= 0 && run_solved(&result->runs[OURS_AUTO])
               ? result->runs[OURS_AUTO].seconds / result->runs[peer].seconds
               : (double)NAN;
}

static void add_result(Rows* rows, const char* kind, const char* scene, const Result* result)
{
    const int peer = fastest_of(result);
    const Run* ours = &result->runs[OURS_AUTO];
    const Run* theirs = peer >= 0 ? &result->runs[peer] : NULL;
    const Run* bodies = &result->runs[OURS_BODIES];
    row_begin(rows, kind, "coulomb");
    row_text(rows, "scene", scene);
    row_number(rows, "exact", run_solved(ours) ? ours->seconds : (double)NAN);
    row_number(rows, "by_bodies", run_solved(bodies) ? bodies->seconds : (double)NAN);
    row_text(rows, "peer", peer >= 0 ? contender_name((Contender)peer) : "");
    row_number(rows, "peer_seconds", theirs != NULL ? theirs->seconds : (double)NAN);
    row_text(rows, "error_name", "E");
    row_number(rows, "error", ours->ran ? ours->E : (double)NAN);
    row_number(rows, "peer_error", theirs != NULL ? theirs->E : (double)NAN);
    row_number(rows, "ratio", ratio_of(result));
    row_integer(rows, "instances", 1);
    row_integer(rows, "solved", run_solved(ours));
    row_integer(rows, "peer_solved", theirs != NULL);
}

void rows_problem(Rows* rows, const Result* result)
{
    char scene[96];
    snprintf(scene, sizeof scene, "cone %s, %d contacts", result->source->name, result->contacts);
    add_result(rows, "problem", scene, result);
    row_end(rows);
}

void rows_line(Rows* rows, int group, const Result* results, int count)
{
    const Result* worst = NULL;
    int unsolved = 0, compared = 0;
    for (int k = 0; k < count; k++) {
        if (results[k].source->group != group) {
            continue;
        }
        const double ratio = ratio_of(&results[k]);
        unsolved += !run_solved(&results[k].runs[OURS_AUTO]);
        compared += !isnan(ratio);
        if (!isnan(ratio) && (worst == NULL || ratio > ratio_of(worst))) {
            worst = &results[k];
        }
    }
    if (worst == NULL) {
        return;
    }
    char scene[96], why[96];
    const bool met = ratio_of(worst) <= GOAL && unsolved == 0;
    snprintf(scene, sizeof scene, "cones, %s", group_name(group));
    snprintf(why, sizeof why, "worst of %d: %s%s", compared, worst->source->name,
             unsolved > 0 ? "; ours leaves some unsolved" : "");
    add_result(rows, "line", scene, worst);
    row_text(rows, "goal", "1.0");
    row_number(rows, "goal_ratio", GOAL);
    row_text(rows, "verdict", met ? "met" : "missed");
    row_text(rows, "why", why);
    row_end(rows);
}
