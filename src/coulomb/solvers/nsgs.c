// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel over contacts with exact local solves (nonsmooth Gauss-Seidel).
//
// Problems by bodies and with W in rows are swept as they are (nsgs_sparse.c). For the others a dense
// W is formed: N^2 numbers, and N^2 products per sweep. Bilateral rows are eliminated before the
// first sweep, with B = W_bb + epsilon 1,
//
//     S = W_cc - W_cb B^-1 W_bc,    s = q_c - W_cb B^-1 q_b,    u_c = S r_c + s
//
// where a tiny epsilon makes B regular although redundant rows make W_bb singular. A few corrections
// with W_bb itself remove the velocity u_b that epsilon leaves.
#include "nsgs.h"

#include <string.h>

#include "coulomb/forms/delassus.h"
#include "coulomb/tolerances.h"
#include "la/accurate.h"
#include "la/dense/dense.h"
#include "la/dense/kernel.h"

enum {
    DEFAULT_SWEEPS = 10000,
    JUDGE_INTERVAL = 10, // sweeps between two calls of the judge, at most
    CORRECTIONS = 3,     // of the bilateral impulses
};

// Of the largest diagonal entry of W_bb: above rounding, and small enough for three corrections.
static const double EPSILON = 1e-12;

// The trace of a contact in S over that in W: below it joints hold the contact and the rest is
// rounding.
static const double LOCKED = 1e-10;

typedef struct Nsgs {
    utCoulomb local; // the problem with dense W and q
    int d;           // rows of a contact
    int n;           // rows of all contacts
    int nb;          // bilateral rows
    const double* S; // n x n, row-major with leading dimension ld
    const double* s; // n: velocities at r_c = 0
    int ld;
    double* m; // contacts: effective mass in S, 0 for immovable contacts
    double* B; // nb x nb, factored
    int* perm; // nb: row exchanges of B
    double* x; // nb, work
    double* y; // nb, work
} Nsgs;

// ---- bilateral rows -----------------------------------------------------------------------------

// Factor B = W_bb + epsilon 1. Immovable rows get a pivot of the common size, and so do all rows of
// a matrix that cannot be factored: the judge then rejects their impulses.
static void factor_bilaterals(Nsgs* g)
{
    const int N = g->n + g->nb;
    double largest = 0.0;
    for (int i = 0; i < g->nb; i++) {
        const double* row = g->local.W + (size_t)(g->n + i) * (size_t)N + (size_t)g->n;
        memcpy(g->B + (size_t)i * (size_t)g->nb, row, (size_t)g->nb * sizeof *row);
        largest = row[i] > largest ? row[i] : largest;
    }
    const double pivot = largest > 0.0 ? largest : 1.0;
    for (int i = 0; i < g->nb; i++) {
        double* diagonal = g->B + (size_t)i * (size_t)g->nb + (size_t)i;
        *diagonal += *diagonal == 0.0 ? pivot : EPSILON * largest;
    }
    if (ut_lu_factor(g->nb, g->B, g->nb, g->perm, 0.0) != g->nb) {
        memset(g->B, 0, (size_t)g->nb * (size_t)g->nb * sizeof *g->B);
        for (int i = 0; i < g->nb; i++) {
            g->B[(size_t)i * (size_t)g->nb + (size_t)i] = pivot;
            g->perm[i] = i;
        }
    }
}

// Compute S and s column by column. @param S n x n  @param s n
static void eliminate(Nsgs* g, double* S, double* s)
{
    const int N = g->n + g->nb;
    const double* W = g->local.W;
    for (int j = 0; j <= g->n; j++) {
        for (int k = 0; k < g->nb; k++) {
            g->x[k] =
                j < g->n ? W[(size_t)(g->n + k) * (size_t)N + (size_t)j] : g->local.q[g->n + k];
        }
        ut_lu_solve(g->nb, g->B, g->nb, g->perm, g->x, g->y);
        for (int i = 0; i < g->n; i++) {
            const double* row = W + (size_t)i * (size_t)N;
            const double part = ut_dot(g->nb, row + g->n, g->y);
            if (j < g->n) {
                S[(size_t)i * (size_t)g->n + (size_t)j] = row[j] - part;
            } else {
                s[i] = g->local.q[i] - part;
            }
        }
    }
}

// Find the bilateral impulses that belong to the impulses of the contacts.
static void recover_bilaterals(void* self, double* r)
{
    const Nsgs* g = self;
    const int N = g->n + g->nb;
    for (int k = 0; g->nb > 0 && k < CORRECTIONS; k++) {
        ut_rows_accurate(g->nb, N, g->local.W + (size_t)g->n * (size_t)N, N, r, g->local.q + g->n,
                         g->x);
        ut_lu_solve(g->nb, g->B, g->nb, g->perm, g->x, g->y);
        for (int i = 0; i < g->nb; i++) {
            r[g->n + i] -= g->y[i];
        }
    }
}

// ---- sweeps -------------------------------------------------------------------------------------

static void find_masses(Nsgs* g)
{
    const int N = g->n + g->nb;
    for (int i = 0; i < g->local.contacts; i++) {
        double trace = 0.0;
        double full_trace = 0.0;
        for (int j = 0; j < g->d; j++) {
            const int k = g->d * i + j;
            if (ut_coulomb_row_acts(&g->local, i, j)) {
                trace += g->S[(size_t)k * (size_t)g->ld + (size_t)k];
                full_trace += g->local.W[(size_t)k * (size_t)N + (size_t)k];
            }
        }
        const double m = ut_coulomb_acting_rows(&g->local, i) / trace;
        g->m[i] = trace > LOCKED * full_trace && m > 0.0 && isfinite(m) ? m : 0.0;
    }
}

static void sweep(void* self, double* r)
{
    const Nsgs* g = self;
    for (int i = 0; i < g->local.contacts; i++) {
        if (g->m[i] == 0.0) {
            continue;
        }
        const int d = g->d;
        double* r_i = r + (size_t)i * (size_t)d;
        double A[UT_LAW_MAX_DIMENSION * UT_LAW_MAX_DIMENSION];
        double p[UT_LAW_MAX_DIMENSION], next[UT_LAW_MAX_DIMENSION];
        memcpy(next, r_i, (size_t)d * sizeof *r);
        memset(r_i, 0, (size_t)d * sizeof *r);
        for (int k = 0; k < d; k++) {
            const double* row = g->S + (size_t)(d * i + k) * (size_t)g->ld;
            memcpy(A + k * d, row + (size_t)d * (size_t)i, (size_t)d * sizeof *row);
            p[k] = g->s[d * i + k] + ut_dot(g->n, row, r);
        }
        const utLaw law = ut_coulomb_law(&g->local, i, false);
        ut_coulomb_local(&law, A, p, g->m[i], next);
        memcpy(r_i, next, (size_t)d * sizeof *r);
    }
}

// Project r on K; immovable contacts get 0.
static void project(const Nsgs* g, double* r)
{
    for (int i = 0; i < g->local.contacts; i++) {
        const utLaw law = ut_coulomb_law(&g->local, i, false);
        double* r_i = r + (size_t)i * (size_t)g->d;
        if (g->m[i] == 0.0) {
            memset(r_i, 0, (size_t)g->d * sizeof *r);
        } else {
            ut_law_project(&law, r_i, r_i);
        }
    }
}

// ---- the loop -----------------------------------------------------------------------------------

utStatus ut_nsgs_iterate(const Sweeps* sweeps, const utCoulombDef* def, utArena scratch, double* r,
                         int* count)
{
    const utCoulomb* problem = sweeps->problem;
    const int N = ut_coulomb_rows(problem);
    const size_t bytes = (size_t)N * sizeof *r;
    const int limit = sweeps->direct            ? 0
                      : def->max_iterations > 0 ? def->max_iterations
                                                : DEFAULT_SWEEPS;
    double least = HUGE_VAL;
    int judge_at = 0; // sweeps after which the judge is called next
    double* best = ut_coulomb_push(&scratch, 1, N);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memcpy(best, r, bytes);
    for (*count = 0;; ++*count) {
        if (*count == judge_at || *count == limit) {
            utCoulombVerdict verdict;
            sweeps->complete(sweeps->self, r);
            UT_TRY(ut_coulomb_judge(problem, false, r, scratch, NULL, &verdict));
            const double bilateral = UT_BILATERAL_WEIGHT * verdict.bilateral;
            const double error = verdict.E > bilateral ? verdict.E : bilateral;
            if (error < least) {
                least = error;
                memcpy(best, r, bytes);
            }
            judge_at += judge_at == 0 ? 1 : judge_at < JUDGE_INTERVAL ? judge_at : JUDGE_INTERVAL;
        }
        if (least <= 0.5 * def->tolerance || *count == limit) {
            break;
        }
        sweeps->sweep(sweeps->self, r);
    }
    memcpy(r, best, bytes);
    return UT_OK;
}

// ---- the solver ---------------------------------------------------------------------------------

static bool is_sparse(const utCoulomb* problem)
{
    return problem->blocks != NULL || problem->W_start != NULL;
}

// A dense problem with bounded rows is swept as one with W in rows, all entries present, because
// bounded rows cannot be eliminated.
static utStatus dense_by_rows(const utCoulomb* problem, utArena* scratch, utCoulomb* local)
{
    const int N = ut_coulomb_rows(problem);
    UT_TRY(ut_coulomb_delassus(problem, scratch, local));
    int* start = UT_PUSH(scratch, int, N + 1);
    int* column = ut_arena_push(scratch, (size_t)N, (size_t)N * sizeof *column);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i <= N; i++) {
        start[i] = i * N;
        for (int j = 0; i < N && j < N; j++) {
            column[(size_t)i * (size_t)N + (size_t)j] = j;
        }
    }
    local->W_start = start;
    local->W_column = column;
    return UT_OK;
}

static utStatus prepare(Nsgs* g, utArena* scratch)
{
    g->d = g->local.dimension;
    g->nb = g->local.bilaterals;
    g->n = g->d * g->local.contacts;
    g->S = g->local.W;
    g->s = g->local.q;
    g->ld = g->n + g->nb;
    g->m = ut_coulomb_push(scratch, 1, g->local.contacts);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    if (g->nb > 0) {
        double* S = ut_coulomb_push(scratch, g->n, g->n);
        double* s = ut_coulomb_push(scratch, 1, g->n);
        g->B = ut_coulomb_push(scratch, g->nb, g->nb);
        g->perm = UT_PUSH(scratch, int, g->nb);
        g->x = ut_coulomb_push(scratch, 1, g->nb);
        g->y = ut_coulomb_push(scratch, 1, g->nb);
        if (ut_arena_failed(scratch)) {
            return UT_ERR_CAPACITY;
        }
        factor_bilaterals(g);
        eliminate(g, S, s);
        g->S = S;
        g->s = s;
        g->ld = g->n;
    }
    find_masses(g);
    return UT_OK;
}

utStatus ut_coulomb_nsgs(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                         double* r, utCoulombInfo* info)
{
    if (is_sparse(problem)) {
        return ut_nsgs_sparse(problem, def, scratch, r, info);
    }
    if (ut_coulomb_has_bounds(problem)) {
        utCoulomb local;
        UT_TRY(dense_by_rows(problem, &scratch, &local));
        return ut_nsgs_sparse(&local, def, scratch, r, info);
    }
    Nsgs g = {0};
    UT_TRY(ut_coulomb_delassus(problem, &scratch, &g.local));
    UT_TRY(prepare(&g, &scratch));
    project(&g, r);
    const Sweeps sweeps = {
        .problem = &g.local,
        .direct = problem->contacts == 0,
        .self = &g,
        .sweep = sweep,
        .complete = recover_bilaterals,
    };
    return ut_nsgs_iterate(&sweeps, def, scratch, r, &info->iterations);
}
