// SPDX-License-Identifier: Apache-2.0
// The solver "auto": tries the solvers one after the other until the residual is small enough.
//
// Symmetric problems go to `pivot` first, all others to `lemke`. If that fails, the order is:
// Newton's method (from the best z so far if it is close, then from 0), block pivoting, Lemke with
// other covering vectors, Lemke with its full pivot limit, and for small problems enumeration, which
// can also prove that there is no solution. A ray that is a Farkas vector ends the search.
#include "lcp/internal.h"

#include <string.h>

enum { OTHER_COVERS = 4 }; // covering vectors after the one of ones

// residual of a start from which Newton's method usually converges
static const double CLOSE = 1e-3;

// The search so far: the best answer, and a ray.
typedef struct Search {
    const utLcp* lcp;
    const utLcpDef* def;
    utArena scratch;
    double* z;     // the best answer
    double* tried; // answer of the current attempt
    double* cover;
    double* ray;
    utLcpInfo best;
    bool found_ray;
    bool ended;
} Search;

// Run one solver and keep its answer if it is the best so far.
static utStatus attempt(Search* s, utLcpSolver solver, const utLcpDef* def)
{
    utLcpInfo info;
    utLcpDef mine = *def;
    mine.ray = s->ray;
    for (int i = 0; i < s->lcp->n; i++) {
        s->tried[i] = def->warm_start ? s->z[i] : 0.0;
    }
    utStatus status = ut_lcp_run(s->lcp, solver, &mine, s->scratch, s->tried, &info);
    if (status == UT_ERR_ARGUMENT) {
        return UT_OK; // the solver does not support this problem
    }
    UT_TRY(status);

    const size_t size = (size_t)s->lcp->n * sizeof *s->z;
    if (info.outcome == UT_LCP_RAY) {
        s->found_ray = true;
        if (ut_lcp_proves_none(s->lcp, s->ray)) {
            info.outcome = UT_LCP_NONE;
        }
        if (s->def->ray != NULL) {
            memcpy(s->def->ray, s->ray, size);
        }
    }
    if (info.residual < s->best.residual || info.outcome == UT_LCP_NONE) {
        s->best = info;
        memcpy(s->z, s->tried, size);
    }
    s->ended = info.outcome == UT_LCP_SOLVED || info.outcome == UT_LCP_NONE;
    return UT_OK;
}

// `pivot` is fast when M is symmetric with a positive diagonal, because it then uses LDL^T. A mixed
// problem of the form [M -W; W' 0] is not.
static bool suits_pivot(const utLcp* lcp)
{
    const int n = lcp->n;
    if (lcp->findex != NULL) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        const double* row = ut_lcp_row(lcp, i);
        if (!(row[i] > 0.0)) {
            return false;
        }
        for (int j = 0; j < i; j++) {
            double other = ut_lcp_row(lcp, j)[i];
            if (!(fabs(row[j] - other) <= UT_LCP_SYMMETRY * (fabs(row[j]) + fabs(other)))) {
                return false;
            }
        }
    }
    return true;
}

// Lemke with random covering vectors: entries in [1, 2), [1, 8), [1, 32) and [1, 128).
static utStatus attempt_covers(Search* s, const utLcpDef* def)
{
    for (int c = 0; c < OTHER_COVERS && !s->ended; c++) {
        utRng rng = ut_rng(0x636f7665u, (uint64_t)c);
        for (int i = 0; i < s->lcp->n; i++) {
            s->cover[i] = ut_rng_range(&rng, 1.0, (double)(2 << (2 * c)));
        }
        utLcpDef mine = *def;
        mine.cover = s->cover;
        mine.equilibrate = c % 2 == 0;
        UT_TRY(attempt(s, UT_LCP_LEMKE, &mine));
    }
    return UT_OK;
}

static utStatus search(Search* s)
{
    const int n = s->lcp->n;
    utLcpDef first = *s->def;
    if (suits_pivot(s->lcp)) {
        UT_TRY(attempt(s, UT_LCP_PIVOT, &first));
    }
    if (!s->ended) {
        // enough for all problems that were not built to defeat pivoting
        first.max_iterations = s->def->max_iterations > 0 ? s->def->max_iterations : 10 * n + 200;
        UT_TRY(attempt(s, UT_LCP_LEMKE, &first));
    }

    utLcpDef cold = *s->def;
    cold.warm = NULL;
    cold.warm_start = false;
    if (!s->ended && s->best.residual < CLOSE) {
        utLcpDef near = cold;
        near.warm_start = true;
        UT_TRY(attempt(s, UT_LCP_NEWTON, &near));
    }
    if (!s->ended) {
        UT_TRY(attempt(s, UT_LCP_NEWTON, &cold));
    }
    if (!s->ended) {
        UT_TRY(attempt(s, UT_LCP_PIVOT, &cold));
    }
    if (!s->ended) {
        UT_TRY(attempt_covers(s, &cold));
    }
    if (!s->ended) {
        UT_TRY(attempt(s, UT_LCP_LEMKE, &cold));
    }
    if (!s->ended) {
        UT_TRY(attempt(s, UT_LCP_ENUMERATE, &cold));
    }
    return UT_OK;
}

utStatus ut_lcp_auto(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                     utLcpInfo* info)
{
    const int n = lcp->n;
    Search s = {
        .lcp = lcp,
        .def = def,
        .z = z,
        .tried = UT_PUSH(&scratch, double, n),
        .cover = UT_PUSH(&scratch, double, n),
        .ray = UT_PUSH(&scratch, double, n),
        .best = {.outcome = UT_LCP_ITERATIONS, .solver = UT_LCP_LEMKE, .residual = HUGE_VAL},
    };
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    s.scratch = scratch;
    UT_TRY(search(&s));
    if (!s.ended && s.found_ray) {
        s.best.outcome = UT_LCP_RAY;
    }
    *info = s.best;
    return UT_OK;
}
