// SPDX-License-Identifier: Apache-2.0
// Chooses by structure and size, and goes on until the judge is content.
//
// Symmetric problems go to `pivot` first, all others to `lemke`. What resists is tried, in this
// order, by Newton's method (from a nearly right answer if there is one, then from nothing), by
// block pivoting, by Lemke from other covering vectors, by Lemke with patience, and, when small, by
// enumeration, which can also prove that there is nothing to be found. A ray that carries a Farkas
// vector ends the search at once.
#include "lcp/internal.h"

#include <string.h>

enum { OTHER_COVERS = 4 };
static const double NEARLY = 1e-3; // a residual from which Newton's method may just have to finish

// The search so far: the best answer, and the ray if one was met.
typedef struct Search {
    const utLcp* lcp;
    const utLcpDef* def;
    utArena scratch;
    double* z;     // of the best answer
    double* tried; // of the attempt under way
    double* cover;
    double* ray;
    utLcpInfo best;
    bool met_ray;
    bool ended;
} Search;

// Run one solver; remember its answer when it is the best so far.
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
        return UT_OK; // not a problem for this solver
    }
    UT_TRY(status);

    const size_t size = (size_t)s->lcp->n * sizeof *s->z;
    if (info.outcome == UT_LCP_RAY) {
        s->met_ray = true;
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

// `pivot` is at its best where LDL^T applies; a mixed problem in the form [M -W; W' 0] is not such
// a one, so a zero or negative diagonal counts against it.
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
            if (!(fabs(row[j] - other) <= 1e-13 * (fabs(row[j]) + fabs(other)))) {
                return false;
            }
        }
    }
    return true;
}

// Lemke from covering vectors drawn between 1 and 2^k, wider each time.
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
        // enough for everything but the families built to defeat pivoting
        first.max_iterations = s->def->max_iterations > 0 ? s->def->max_iterations : 10 * n + 200;
        UT_TRY(attempt(s, UT_LCP_LEMKE, &first));
    }

    utLcpDef cold = *s->def;
    cold.warm = NULL;
    cold.warm_start = false;
    if (!s->ended && s->best.residual < NEARLY) {
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
    if (!s.ended && s.met_ray) {
        s.best.outcome = UT_LCP_RAY;
    }
    *info = s.best;
    return UT_OK;
}
