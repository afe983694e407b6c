// SPDX-License-Identifier: Apache-2.0
// Boxed problems rewritten as plain ones.
#include "plain_form.h"

#include "internal.h"
#include "la/dense/dense.h"

#include <string.h>

typedef enum Kind { KIND_FREE, KIND_UP, KIND_DOWN, KIND_BOTH, KIND_FRICTION } Kind;

static double lower_bound(const utLcp* lcp, int i)
{
    return lcp->lo != NULL ? lcp->lo[i] : 0.0;
}

static Kind kind_of(const utLcp* lcp, int i)
{
    bool lower = i >= lcp->free_count && isfinite(lower_bound(lcp, i));
    bool upper = i >= lcp->free_count && lcp->hi != NULL && isfinite(lcp->hi[i]);
    if (lower && upper) {
        bool indexed = lcp->findex != NULL && lcp->findex[i] >= 0;
        return indexed && lower_bound(lcp, i) == -lcp->hi[i] ? KIND_FRICTION : KIND_BOTH;
    }
    return lower ? KIND_UP : upper ? KIND_DOWN : KIND_FREE;
}

static int extra_unknowns(Kind kind)
{
    return kind == KIND_FRICTION ? 2 : kind == KIND_BOTH ? 1 : 0;
}

int ut_standard_count(const utLcp* lcp)
{
    int count = lcp->n;
    for (int i = 0; i < lcp->n; i++) {
        count += extra_unknowns(kind_of(lcp, i));
    }
    return count;
}

// Number the unknowns: free ones first, then the others in order, then the second unknowns.
static void number_unknowns(const utLcp* lcp, Standard* s)
{
    int next = 0;
    int extra = lcp->n;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < lcp->n; i++) {
            Kind kind = kind_of(lcp, i);
            if ((kind == KIND_FREE) != (pass == 0)) {
                continue;
            }
            bool bounded = kind == KIND_UP || kind == KIND_BOTH;
            s->friction[i] = kind == KIND_FRICTION;
            s->place[i] = next++;
            s->second[i] = extra_unknowns(kind) > 0 ? extra : -1;
            s->sign[i] = kind == KIND_DOWN ? -1.0 : 1.0;
            s->offset[i] = kind == KIND_DOWN ? lcp->hi[i] : bounded ? lower_bound(lcp, i) : 0.0;
            s->base[i] = lcp->findex != NULL && kind != KIND_FRICTION ? lcp->findex[i] : -1;
            extra += extra_unknowns(kind);
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
    if (s->friction[j]) {
        row[s->second[j]] -= factor;
    } else if (k >= 0) {
        row[s->place[k]] += factor * s->offset[j] * s->sign[k];
        *constant += factor * s->offset[j] * s->offset[k];
    } else {
        *constant += factor * s->offset[j];
    }
}

// Write sign w_i as a row of the plain problem.
static void write_slack(const utLcp* lcp, const Standard* s, int i, double sign, double* row,
                        double* constant)
{
    *constant = sign * lcp->q[i];
    for (int j = 0; j < lcp->n; j++) {
        add_unknown(s, sign * ut_lcp_row(lcp, i)[j], j, row, constant);
    }
}

// Write the row of t, the multiplier of the upper bound: its slack is (hi - lo) s_i - x_p.
static void write_upper_bound(const utLcp* lcp, const Standard* s, int i, double* M, double* q)
{
    const size_t N = (size_t)s->lcp.n;
    const int t = s->second[i];
    double range = lcp->hi[i] - lower_bound(lcp, i);
    double* bound = M + (size_t)t * N;
    M[(size_t)s->place[i] * N + (size_t)t] = 1.0;
    bound[s->place[i]] = -1.0;
    q[t] = s->base[i] >= 0 ? 0.0 : range;
    if (s->base[i] >= 0) {
        add_unknown(s, range, s->base[i], bound, &q[t]);
    }
}

// Write the rows of b and t.
static void write_friction(const utLcp* lcp, const Standard* s, int i, double* M, double* q)
{
    const size_t N = (size_t)s->lcp.n;
    const int a = s->place[i];
    const int b = s->second[i];
    const int t = b + 1;
    write_slack(lcp, s, i, -1.0, M + (size_t)b * N, &q[b]);
    M[(size_t)a * N + (size_t)t] = 1.0;
    M[(size_t)b * N + (size_t)t] = 1.0;
    double* cone = M + (size_t)t * N;
    q[t] = 0.0;
    add_unknown(s, lcp->hi[i], lcp->findex[i], cone, &q[t]);
    cone[a] -= 1.0;
    cone[b] -= 1.0;
}

utStatus ut_standard_make(const utLcp* lcp, utArena* arena, Standard* s)
{
    const int n = lcp->n;
    const int N = ut_standard_count(lcp);
    double* M = ut_matrix_push(arena, N, N);
    double* q = UT_PUSH(arena, double, N);
    *s = (Standard){
        .lcp = {.n = N, .M = M, .q = q},
        .n = n,
        .place = UT_PUSH(arena, int, n),
        .second = UT_PUSH(arena, int, n),
        .sign = UT_PUSH(arena, double, n),
        .offset = UT_PUSH(arena, double, n),
        .base = UT_PUSH(arena, int, n),
        .friction = UT_PUSH(arena, bool, n),
    };
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    number_unknowns(lcp, s);

    memset(M, 0, (size_t)N * (size_t)N * sizeof *M);
    for (int i = 0; i < n; i++) {
        const int p = s->place[i];
        write_slack(lcp, s, i, s->sign[i], M + (size_t)p * (size_t)N, &q[p]);
        if (s->friction[i]) {
            write_friction(lcp, s, i, M, q);
        } else if (s->second[i] >= 0) {
            write_upper_bound(lcp, s, i, M, q);
        }
    }
    return UT_OK;
}

void ut_standard_back(const Standard* s, const double* x, bool homogeneous, double* z)
{
    // first the unknowns without a base, because the others need their values
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->n; i++) {
            int k = s->base[i];
            if ((k >= 0) == (pass == 1)) {
                double unit = k >= 0 ? z[k] : homogeneous ? 0.0 : 1.0;
                z[i] = s->offset[i] * unit + s->sign[i] * x[s->place[i]];
                z[i] -= s->friction[i] ? x[s->second[i]] : 0.0;
            }
        }
    }
}
