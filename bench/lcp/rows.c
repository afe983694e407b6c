// SPDX-License-Identifier: Apache-2.0
// Results for the table of `make bench`: each size of each family, and the worst by ranges of sizes.
#include <math.h>

#include "bench_lcp.h"

// The goal: our time by that of their fastest solver.
static const double GOAL = 1.0;

// One size of one family: geometric means over the instances that both solve.
typedef struct Cell {
    int instances, solved, theirs, both;
    double ours, peer;
    int fastest; // the peer that is fastest most often
    double residual, peer_residual;
} Cell;

static int fastest_of(const Run runs[CONTENDERS])
{
    int best = -1;
    for (int who = PEERS_BEGIN; who < CONTENDERS; who++) {
        if (run_solved(&runs[who]) && (best < 0 || runs[who].seconds < runs[best].seconds)) {
            best = who;
        }
    }
    return best;
}

static Cell cell_of(const Results* results, int s)
{
    Cell cell = {.instances = results->instances[s], .fastest = -1};
    int wins[CONTENDERS] = {0};
    for (int k = 0; k < cell.instances; k++) {
        const Run* runs = results->runs[s][k];
        const int peer = fastest_of(runs);
        const bool solved = run_solved(&runs[OURS_AUTO]);
        cell.solved += solved;
        cell.theirs += peer >= 0;
        if (!solved || peer < 0) {
            continue;
        }
        cell.both++;
        cell.ours += log(runs[OURS_AUTO].seconds);
        cell.peer += log(runs[peer].seconds);
        cell.residual = fmax(cell.residual, runs[OURS_AUTO].residual);
        cell.peer_residual = fmax(cell.peer_residual, runs[peer].residual);
        wins[peer]++;
        if (cell.fastest < 0 || wins[peer] > wins[cell.fastest]) {
            cell.fastest = peer;
        }
    }
    cell.ours = cell.both > 0 ? exp(cell.ours / cell.both) : (double)NAN;
    cell.peer = cell.both > 0 ? exp(cell.peer / cell.both) : (double)NAN;
    return cell;
}

static void add_cell(Rows* rows, const char* kind, const char* scene, const Cell* cell)
{
    row_begin(rows, kind, "lcp");
    row_text(rows, "scene", scene);
    row_number(rows, "exact", cell->ours);
    row_text(rows, "peer", cell->fastest >= 0 ? contender_name((Contender)cell->fastest) : "");
    row_number(rows, "peer_seconds", cell->peer);
    row_text(rows, "error_name", "residual");
    row_number(rows, "error", cell->residual);
    row_number(rows, "peer_error", cell->peer_residual);
    row_number(rows, "ratio", cell->ours / cell->peer);
    row_integer(rows, "instances", cell->instances);
    row_integer(rows, "solved", cell->solved);
    row_integer(rows, "peer_solved", cell->theirs);
}

void rows_family(Rows* rows, const Family* family, const Results* results)
{
    for (int s = 0; s < results->size_count; s++) {
        if (s > 0 && results->unknowns[s] == results->unknowns[s - 1]) {
            continue; // both are as many whole contacts
        }
        char scene[64];
        const Cell cell = cell_of(results, s);
        snprintf(scene, sizeof scene, "LCP %s, %d unknowns", family->name, results->unknowns[s]);
        add_cell(rows, "problem", scene, &cell);
        row_end(rows);
    }
}

// ---- lines --------------------------------------------------------------------------------------

static void add_line(Rows* rows, const char* name, int from, int to, const Results* results)
{
    Cell worst = {.fastest = -1, .ours = (double)NAN, .peer = (double)NAN};
    const Family* where = NULL;
    int unknowns = 0;
    for (int f = 0; f < FAMILIES; f++) {
        for (int s = 0; s < results[f].size_count; s++) {
            const Cell cell = cell_of(&results[f], s);
            const int n = results[f].unknowns[s];
            if (n < from || n > to || cell.both == 0) {
                continue;
            }
            if (where == NULL || cell.ours / cell.peer > worst.ours / worst.peer) {
                worst = cell;
                where = &families[f];
                unknowns = n;
            }
        }
    }
    char note[96] = "";
    if (where != NULL) {
        snprintf(note, sizeof note, "worst: %s, %d unknowns", where->name, unknowns);
    }
    const bool met = worst.ours <= GOAL * worst.peer;
    add_cell(rows, "line", name, &worst);
    row_text(rows, "goal", "1.0");
    row_number(rows, "goal_ratio", GOAL);
    row_text(rows, "verdict", where == NULL ? "no usable peer" : met ? "met" : "missed");
    row_text(rows, "why", note);
    row_end(rows);
}

void rows_lines(Rows* rows, const Results* results)
{
    add_line(rows, "LCP, below 16 unknowns", 0, 15, results);
    add_line(rows, "LCP, 16 to 64 unknowns", 16, 70, results);
    add_line(rows, "LCP, 128 to 512 unknowns", 71, 600, results);
}
