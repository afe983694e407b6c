// SPDX-License-Identifier: Apache-2.0
// Nonlinear complementarity problems as a sequence of linear ones.
#include <uptack/ncp.h>

#include <math.h>
#include <string.h>

#include "la/dense/dense.h"
#include "la/dense/kernel.h"

enum { MAX_HALVINGS = 30 };

// Armijo rule: a step of length t must reduce the residual by this share of t
static const double ARMIJO = 1e-4;

// an LCP whose residual is below this still gives a useful direction
static const double USEFUL_RESIDUAL = 1e-6;

// LCPs are solved more accurately than the NCP, but not below their rounding
static const double LCP_SHARE = 0.01, LEAST_LCP_TOLERANCE = 1e-13;

utNcpDef ut_ncp_def(void)
{
    return (utNcpDef){
        .tolerance = 1e-10,
        .max_iterations = 50,
        .solver = UT_LCP_AUTO,
        .cookie = UT_NCP_DEF_COOKIE,
    };
}

// An iterate z and the LCP that linearizes g at z.
typedef struct Point {
    double* z;
    double* g;
    double* M; // the derivative
    double* q; // g - M z
    double residual;
} Point;

static void push(int n, utArena* scratch, Point* point)
{
    point->z = UT_PUSH(scratch, double, n);
    point->g = UT_PUSH(scratch, double, n);
    point->q = UT_PUSH(scratch, double, n);
    point->M = ut_matrix_push(scratch, n, n);
}

static utLcp linearized(const utNcp* ncp, const Point* point)
{
    return (utLcp){.n = ncp->n, .M = point->M, .q = point->q, .free_count = ncp->free_count};
}

// Evaluate g, its derivative and the residual, which is INFINITY if either is not finite.
static utStatus evaluate(const utNcp* ncp, Point* point)
{
    const int n = ncp->n;
    UT_TRY(ncp->function(point->z, point->g, point->M, ncp->context));
    point->residual = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        const double* row = point->M + (size_t)i * (size_t)n;
        if (!isfinite(point->g[i]) || !isfinite(ut_max_abs(n, row))) {
            return UT_OK;
        }
        point->q[i] = point->g[i] - ut_dot(n, row, point->z);
    }
    const utLcp lcp = linearized(ncp, point);
    point->residual = ut_lcp_residual(&lcp, point->z);
    return UT_OK;
}

static void note(const utNcpDef* def, int iteration, double residual)
{
    if (def->history != NULL) {
        def->history[iteration] = residual;
    }
}

// Line search toward the answer of the LCP, halving the step until the residual falls enough. If it
// never does, `next` is the shortest step.
static utStatus search(const utNcp* ncp, const Point* at, const double* answer, Point* next)
{
    double t = 1.0;
    for (int halving = 0; halving <= MAX_HALVINGS; halving++, t *= 0.5) {
        for (int i = 0; i < ncp->n; i++) {
            next->z[i] = halving == 0 ? answer[i] : at->z[i] + t * (answer[i] - at->z[i]);
        }
        UT_TRY(evaluate(ncp, next));
        if (next->residual <= (1.0 - ARMIJO * t) * at->residual) {
            return UT_OK;
        }
    }
    return UT_OK;
}

static utStatus iterate(const utNcp* ncp, const utNcpDef* def, utArena scratch, double* answer,
                        Point* at, Point* next, utNcpInfo* info)
{
    utLcpDef settings = ut_lcp_def();
    utLcpInfo lcp_info;
    const double wanted = LCP_SHARE * def->tolerance;
    settings.tolerance = wanted < LEAST_LCP_TOLERANCE ? LEAST_LCP_TOLERANCE : wanted;
    while (!(at->residual <= def->tolerance) && info->iterations < def->max_iterations) {
        const utLcp lcp = linearized(ncp, at);
        UT_TRY(ut_lcp_solve(&lcp, def->solver, &settings, scratch, answer, &lcp_info));
        info->iterations++;
        const bool usable = lcp_info.residual <= USEFUL_RESIDUAL;
        if (lcp_info.outcome != UT_LCP_SOLVED && !usable) {
            info->outcome = UT_LCP_RAY;
            return UT_OK;
        }
        UT_TRY(search(ncp, at, answer, next));
        note(def, info->iterations, next->residual);
        if (!(next->residual < at->residual)) {
            return UT_OK; // the line search failed
        }
        const Point swap = *at;
        *at = *next;
        *next = swap;
    }
    return UT_OK;
}

utStatus ut_ncp_solve(const utNcp* ncp, const utNcpDef* def, utArena scratch, double* z,
                      utNcpInfo* info)
{
    if (def == NULL || def->cookie != UT_NCP_DEF_COOKIE || !(def->tolerance > 0.0) ||
        def->max_iterations < 0) {
        return UT_ERR_DEF;
    }
    if (ncp == NULL || ncp->n <= 0 || ncp->function == NULL || ncp->free_count < 0 ||
        ncp->free_count > ncp->n || z == NULL || info == NULL) {
        return UT_ERR_ARGUMENT;
    }
    Point at, next;
    double* answer = UT_PUSH(&scratch, double, ncp->n);
    push(ncp->n, &scratch, &at);
    push(ncp->n, &scratch, &next);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < ncp->n; i++) {
        at.z[i] = def->warm_start ? z[i] : 0.0;
    }
    UT_TRY(evaluate(ncp, &at));
    if (!(at.residual < HUGE_VAL)) {
        return UT_ERR_ARGUMENT;
    }
    note(def, 0, at.residual);
    utNcpInfo found = {.outcome = UT_LCP_ITERATIONS};
    UT_TRY(iterate(ncp, def, scratch, answer, &at, &next, &found));
    found.residual = at.residual;
    found.outcome = at.residual <= def->tolerance ? UT_LCP_SOLVED : found.outcome;
    memcpy(z, at.z, (size_t)ncp->n * sizeof *z);
    *info = found;
    return UT_OK;
}
