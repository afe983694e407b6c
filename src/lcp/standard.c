#include "standard.h"

#include "internal.h"

#include <string.h>

typedef enum Kind { KIND_FREE, KIND_UP, KIND_DOWN, KIND_BOTH } Kind;

static Kind kind_of(const utLcp* lcp, int i)
{
    bool lower = i >= lcp->free_count && (lcp->lo == NULL || isfinite(lcp->lo[i]));
    bool upper = i >= lcp->free_count && lcp->hi != NULL && isfinite(lcp->hi[i]);
    return lower ? upper ? KIND_BOTH : KIND_UP : upper ? KIND_DOWN : KIND_FREE;
}

static double lower_bound(const utLcp* lcp, int i)
{
    return lcp->lo != NULL ? lcp->lo[i] : 0.0;
}

int ut_standard_count(const utLcp* lcp)
{
    int count = lcp->n;
    for (int i = 0; i < lcp->n; i++) {
        count += kind_of(lcp, i) == KIND_BOTH;
    }
    return count;
}

size_t ut_standard_size(const utLcp* lcp)
{
    const size_t n = (size_t)lcp->n;
    const size_t N = (size_t)ut_standard_count(lcp);
    return 2 * ut_arena_need(n, sizeof(int)) + 2 * ut_arena_need(n, sizeof(double)) +
           ut_arena_need(N * N, sizeof(double)) + ut_arena_need(N, sizeof(double));
}

// free unknowns first, then the others in order
static void deal_places(const utLcp* lcp, Standard* s)
{
    int next = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < lcp->n; i++) {
            Kind kind = kind_of(lcp, i);
            if ((kind == KIND_FREE) != (pass == 0)) {
                continue;
            }
            s->place[i] = next++;
            s->sign[i] = kind == KIND_DOWN ? -1.0 : 1.0;
            s->offset[i] = kind == KIND_FREE   ? 0.0
                           : kind == KIND_DOWN ? lcp->hi[i]
                                               : lower_bound(lcp, i);
            s->base[i] = lcp->findex != NULL ? lcp->findex[i] : -1;
        }
        if (pass == 0) {
            s->lcp.free_count = next;
        }
    }
}

// Add `factor` times unknown j to a row of the plain problem.
static void add_unknown(const Standard* s, double factor, int j, double* row, double* constant)
{
    row[s->place[j]] += factor * s->sign[j];
    int k = s->base[j];
    if (k >= 0) {
        row[s->place[k]] += factor * s->offset[j] * s->sign[k];
        *constant += factor * s->offset[j] * s->offset[k];
    } else {
        *constant += factor * s->offset[j];
    }
}

utStatus ut_standard_make(const utLcp* lcp, utArena* arena, Standard* s)
{
    const int n = lcp->n;
    const int N = ut_standard_count(lcp);
    double* M = UT_PUSH(arena, double, (size_t)N*(size_t)N);
    double* q = UT_PUSH(arena, double, N);
    *s = (Standard){
        .lcp = {.n = N, .M = M, .q = q},
        .n = n,
        .place = UT_PUSH(arena, int, n),
        .sign = UT_PUSH(arena, double, n),
        .offset = UT_PUSH(arena, double, n),
        .base = UT_PUSH(arena, int, n),
    };
    if (M == NULL || q == NULL || s->offset == NULL || s->base == NULL) {
        return UT_ERR_CAPACITY;
    }
    deal_places(lcp, s);

    memset(M, 0, (size_t)N * (size_t)N * sizeof *M);
    int second = n;
    for (int i = 0; i < n; i++) {
        double* row = M + (size_t)s->place[i] * (size_t)N;
        double constant = s->sign[i] * lcp->q[i];
        for (int j = 0; j < n; j++) {
            add_unknown(s, s->sign[i] * ut_lcp_row(lcp, i)[j], j, row, &constant);
        }
        q[s->place[i]] = constant;
        if (kind_of(lcp, i) != KIND_BOTH) {
            continue;
        }

        // t takes what the upper bound pushes back: its slack is (hi - lo) s_i - x_p
        double range = lcp->hi[i] - lower_bound(lcp, i);
        double* bound = M + (size_t)second * (size_t)N;
        row[second] = 1.0;
        bound[s->place[i]] = -1.0;
        q[second] = range;
        if (s->base[i] >= 0) {
            q[second] = 0.0;
            add_unknown(s, range, s->base[i], bound, &q[second]);
        }
        second++;
    }
    return UT_OK;
}

void ut_standard_back(const Standard* s, const double* x, bool homogeneous, double* z)
{
    // unknowns that others' bounds hang on come first: they have no base themselves
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->n; i++) {
            int k = s->base[i];
            if ((k >= 0) == (pass == 1)) {
                double unit = k >= 0 ? z[k] : homogeneous ? 0.0 : 1.0;
                z[i] = s->offset[i] * unit + s->sign[i] * x[s->place[i]];
            }
        }
    }
}
