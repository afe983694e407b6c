// SPDX-License-Identifier: Apache-2.0
// Warm solves on the same matrix: q moves to and fro so that a few indices change sides.
#include "bench_lcp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = 4, ROUNDS = 5 };

static const struct {
    const char* family;
    utLcpSolver solver;
} cases[] = {
    {"spd", UT_LCP_PIVOT},
    {"frictionless", UT_LCP_PIVOT},
    {"random-p", UT_LCP_LEMKE},
    {"contact-4", UT_LCP_LEMKE},
};

static const int sizes[] = {64, 128, 256, 512, 1000, 2000};

typedef struct Outcome {
    double cold, warm; // seconds
    int changed, iterations;
    double residual; // the worst of the warm answers
} Outcome;

// Index i changes sides in the planted solution: from z_i = 0 to 0.5, or from z_i to 0 with
// w_i = 0.5.
static void move_planted(const Instance* instance, size_t i, double* q)
{
    const utLcp* lcp = &instance->lcp;
    const size_t n = (size_t)lcp->n;
    const double* z = instance->z;
    double step = z[i] > 0.0 ? -z[i] : 0.5;
    double w = lcp->q[i];
    for (size_t j = 0; j < n; j++) {
        w += lcp->M[i * n + j] * z[j];
        q[j] -= lcp->M[j * n + i] * step;
    }
    q[i] += z[i] > 0.0 ? 0.5 : -w;
}

// Another right-hand side: with a planted solution, one in which CHANGES indices change sides; else
// two contacts that carry an impulse open.
static void move_q(const Instance* instance, const double* z, double* q)
{
    const size_t n = (size_t)instance->lcp.n;
    utRng rng = ut_rng(n, 0);
    memcpy(q, instance->lcp.q, n * sizeof *q);
    for (int k = 0; k < CHANGES && instance->z != NULL; k++) {
        move_planted(instance, (size_t)ut_rng_below(&rng, (int)n), q);
    }
    int first = instance->contacts > 0 ? ut_rng_below(&rng, instance->contacts) : 0;
    for (int c = 0, left = CHANGES / 2; c < instance->contacts && left > 0; c++) {
        size_t i = (size_t)((first + c) % instance->contacts);
        if (z[i] > 0.0) {
            q[i] += 2.0 * instance->lcp.M[i * n + i] * z[i];
            left--;
        }
    }
}

static Outcome run_case(const Instance* instance, utLcpSolver solver, utArena scratch)
{
    const utLcp* lcp = &instance->lcp;
    const size_t n = (size_t)lcp->n;
    Outcome outcome = {.warm = HUGE_VAL};
    utLcpWarm warm;
    utLcpDef def = ut_lcp_def();
    double* z = UT_PUSH(&scratch, double, n);
    double* moved = UT_PUSH(&scratch, double, n);
    unsigned char* active = UT_PUSH(&scratch, unsigned char, n);
    if (z == NULL || moved == NULL || active == NULL ||
        ut_lcp_warm_create(lcp->n, &scratch, &warm) != UT_OK) {
        return outcome;
    }
    def.warm = &warm;
    utLcpInfo info;
    double start = bench_now();
    if (ut_lcp_solve(lcp, solver, &def, scratch, z, &info) != UT_OK) {
        return outcome;
    }
    outcome.cold = bench_now() - start;
    memcpy(active, warm.active, n);
    move_q(instance, z, moved);

    def.same_matrix = true;
    utLcp other = *lcp;
    other.q = moved;
    for (int r = 0; r < ROUNDS; r++) {
        double seconds = 0.0;
        for (int back = 0; back < 2; back++) {
            const utLcp* now = back == 1 ? lcp : &other;
            start = bench_now();
            ut_lcp_solve(now, solver, &def, scratch, z, &info);
            seconds += 0.5 * (bench_now() - start);
            outcome.residual = fmax(outcome.residual, ut_lcp_residual(now, z));
            if (r == 0 && back == 0) {
                outcome.iterations = info.iterations;
                for (size_t i = 0; i < n; i++) {
                    outcome.changed += active[i] != warm.active[i];
                }
            }
        }
        outcome.warm = fmin(outcome.warm, seconds);
    }
    return outcome;
}

static void report_case(FILE* out, const Family* family, utLcpSolver solver, int n_max)
{
    double last = 0.0, before = 0.0;
    int last_n = 0, before_n = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] && sizes[s] <= n_max; s++) {
        const int n = sizes[s];
        Instance instance;
        utArena keep, rest;
        // room for the matrices of instance, warm start and solver, written to: no fresh pages
        const size_t size = 12 * ((size_t)n + 10) * ((size_t)n + 10) * sizeof(double);
        if (ut_arena_create(size, NULL, &keep) != UT_OK) {
            return;
        }
        memset(keep.next, 1, size);
        rest = keep;
        if (instance_create(family, n, 7, &rest, &instance) == UT_OK) {
            Outcome outcome = run_case(&instance, solver, rest);
            if (outcome.warm < HUGE_VAL) {
                fprintf(out, "  %-14s %-8s %6d %8d %8d %12.1f %12.1f %10.1e\n", family->name,
                        ut_lcp_solver_name(solver), instance.lcp.n, outcome.changed,
                        outcome.iterations, 1e6 * outcome.cold, 1e6 * outcome.warm,
                        outcome.residual);
                before = last;
                before_n = last_n;
                last = outcome.warm;
                last_n = instance.lcp.n;
            }
        }
        ut_arena_destroy(&keep);
    }
    if (before > 0.0) {
        fprintf(out, "  %-14s %-8s grows as n^%.2f from %d to %d\n", family->name,
                ut_lcp_solver_name(solver), log(last / before) / log((double)last_n / before_n),
                before_n, last_n);
    }
}

void report_warm(FILE* out, int n_max)
{
    fprintf(out, "\n== warm solves: the same matrix, a few indices change\n\n");
    fprintf(out, "  %-14s %-8s %6s %8s %8s %12s %12s %10s\n", "family", "solver", "n", "changed",
            "pivots", "cold us", "warm us", "residual");
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (int f = 0; f < FAMILIES; f++) {
            if (strcmp(families[f].name, cases[c].family) == 0) {
                report_case(out, &families[f], cases[c].solver, n_max);
            }
        }
    }
}
