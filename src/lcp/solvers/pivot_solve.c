// SPDX-License-Identifier: Apache-2.0
// Principal pivoting: scale the problem, choose the method, write the answer.
#include "pivot.h"

#include "la/dense/dense.h"
#include "la/scalar.h"
#include "lcp/equilibrate.h"
#include "lcp/plain_form.h"

#include <string.h>

typedef struct Setup {
    Boxed boxed;
    Block block;
    PivotWork work;
    double* row;
    double* col;
    double q_scale;
} Setup;

static bool is_symmetric(const utLcp* lcp)
{
    const int n = lcp->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double a = lcp->M[(size_t)i * (size_t)n + (size_t)j];
            double b = lcp->M[(size_t)j * (size_t)n + (size_t)i];
            double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
            if (!(fabs(a - b) <= UT_LCP_SYMMETRY * size)) {
                return false;
            }
        }
    }
    return true;
}

// With a warm start its own arrays hold the factor, so that the next solve can use it.
static utStatus make_setup(const utLcp* lcp, const utLcpDef* def, utArena* arena, Setup* s)
{
    const int n = lcp->n;
    utLcpWarm* warm = def->warm;
    s->boxed = (Boxed){
        .n = n,
        .A = ut_matrix_push(arena, n, n),
        .begin = UT_PUSH(arena, int, n),
        .end = UT_PUSH(arena, int, n),
        .q = UT_PUSH(arena, double, n),
        .lo = UT_PUSH(arena, double, n),
        .hi = UT_PUSH(arena, double, n),
    };
    s->block = (Block){
        .boxed = &s->boxed,
        .order = warm != NULL ? warm->order : UT_PUSH(arena, int, n),
        .F = warm != NULL ? warm->F : ut_matrix_push(arena, n, n),
        .d = warm != NULL ? warm->d : UT_PUSH(arena, double, n),
        .perm = UT_PUSH(arena, int, n),
        .work = UT_PUSH(arena, double, n),
    };
    s->work = (PivotWork){
        .place = UT_PUSH(arena, unsigned char, n),
        .z = UT_PUSH(arena, double, n),
        .w = UT_PUSH(arena, double, n),
        .x = UT_PUSH(arena, double, n),
        .ray = UT_PUSH(arena, double, n),
        .limit = def->max_iterations > 0 ? def->max_iterations : ut_lcp_max_pivots(n),
    };
    s->row = UT_PUSH(arena, double, n);
    s->col = UT_PUSH(arena, double, n);
    return ut_arena_failed(arena) ? UT_ERR_CAPACITY : UT_OK;
}

static void choose_scaling(const utLcp* lcp, const utLcpDef* def, Setup* s)
{
    const int n = lcp->n;
    const utLcpWarm* kept = ut_lcp_kept_factor(def, UT_LCP_FACTOR_LDL);
    if (kept != NULL) {
        memcpy(s->row, kept->row, (size_t)n * sizeof(double));
        memcpy(s->col, s->row, (size_t)n * sizeof(double));
    } else if (s->boxed.symmetric) {
        // also without equilibration, because dependence is tested against a unit diagonal
        ut_scale_find_symmetric(n, lcp->M, s->row);
        memcpy(s->col, s->row, (size_t)n * sizeof(double));
    } else if (def->equilibrate) {
        ut_scale_find(n, lcp->M, s->row, s->col, s->work.w);
    } else {
        for (int i = 0; i < n; i++) {
            s->row[i] = 1.0;
            s->col[i] = 1.0;
        }
    }
}

static void scale_problem(const utLcp* lcp, Setup* s)
{
    const int n = lcp->n;
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double size = fabs(s->row[i] * lcp->q[i]);
        largest = size > largest ? size : largest;
    }
    int exponent;
    frexp(largest, &exponent);
    s->q_scale = largest > 0.0 ? ldexp(1.0, -exponent) : 1.0;
    for (int i = 0; i < n; i++) {
        const double* from = ut_lcp_row(lcp, i);
        double* to = s->boxed.A + (size_t)i * (size_t)n;
        for (int j = 0; j < n; j++) {
            to[j] = s->row[i] * from[j] * s->col[j];
        }
        int begin = 0;
        int end = n;
        while (begin < n && to[begin] == 0.0) {
            begin++;
        }
        while (end > begin && to[end - 1] == 0.0) {
            end--;
        }
        s->boxed.begin[i] = begin;
        s->boxed.end[i] = end;
        double lo, hi;
        ut_lcp_bounds(lcp, i, s->work.z, &lo, &hi);
        s->boxed.q[i] = s->row[i] * lcp->q[i] * s->q_scale;
        s->boxed.lo[i] = lo / s->col[i] * s->q_scale;
        s->boxed.hi[i] = hi / s->col[i] * s->q_scale;
    }
}

// The starting places: those of the warm start; else between the bounds where the slack at the bound
// has the wrong sign.
static void choose_places(Setup* s, const utLcpWarm* warm)
{
    const Boxed* b = &s->boxed;
    bool at_zero = true;
    for (int i = 0; i < b->n; i++) {
        s->work.place[i] = (unsigned char)(isfinite(b->lo[i]) ? PLACE_LO : PLACE_HI);
        s->work.z[i] = ut_boxed_bound(b, i, s->work.place[i]);
        at_zero = at_zero && s->work.z[i] == 0.0;
    }
    const double* w = b->q;
    if (!at_zero) {
        ut_boxed_slack(b, s->work.z, s->work.w);
        w = s->work.w;
    }
    for (int i = 0; i < b->n; i++) {
        bool is_free = !isfinite(b->lo[i]) && !isfinite(b->hi[i]);
        bool wrong = s->work.place[i] == PLACE_LO ? w[i] < 0.0 : w[i] > 0.0;
        bool between = warm != NULL && warm->valid ? warm->active[i] != 0 : wrong;
        if (is_free || between) {
            s->work.place[i] = PLACE_BETWEEN;
        }
    }
}

// Use the factor of the warm start if it belongs to these places, else factor.
static bool start_block(Setup* s, const utLcpDef* def)
{
    const utLcpWarm* kept = ut_lcp_kept_factor(def, UT_LCP_FACTOR_LDL);
    if (kept != NULL) {
        int between = 0;
        for (int i = 0; i < s->boxed.n; i++) {
            between += s->work.place[i] == PLACE_BETWEEN;
        }
        bool same = between == kept->count;
        for (int r = 0; same && r < kept->count; r++) {
            same = s->work.place[kept->order[r]] == PLACE_BETWEEN;
        }
        if (same) {
            s->block.count = kept->count;
            return true;
        }
    }
    return ut_block_factor(&s->block, s->work.place);
}

// Write z, and refine it with accurate slacks until its residual is small enough, at most twice.
static void write_answer(const utLcp* lcp, Setup* s, double tolerance, double* z)
{
    const int n = lcp->n;
    for (int attempt = 0;; attempt++) {
        for (int i = 0; i < n; i++) {
            const double value = ut_clamp(s->work.z[i], s->boxed.lo[i], s->boxed.hi[i]);
            z[i] = value * s->col[i] / s->q_scale;
        }
        if (attempt == 2 || ut_lcp_surely_solved(lcp, z, UT_LCP_SAFE_SHARE * tolerance) ||
            ut_lcp_residual(lcp, z) <= UT_LCP_SAFE_SHARE * tolerance) {
            return;
        }
        ut_lcp_slack(lcp, z, s->work.w);
        for (int r = 0; r < s->block.count; r++) {
            int i = s->block.order[r];
            s->work.x[r] = -s->work.w[i] * s->row[i] * s->q_scale;
        }
        ut_block_solve(&s->block, s->work.x);
        for (int r = 0; r < s->block.count; r++) {
            s->work.z[s->block.order[r]] += s->work.x[r];
        }
    }
}

static void keep_block(Setup* s, bool solved, utLcpWarm* warm)
{
    warm->valid = solved;
    warm->factor = solved && s->boxed.symmetric ? UT_LCP_FACTOR_LDL : UT_LCP_FACTOR_NONE;
    warm->count = s->block.count;
    for (int i = 0; i < s->boxed.n; i++) {
        warm->active[i] = s->work.place[i] == PLACE_BETWEEN;
        warm->row[i] = s->row[i];
    }
}

static utStatus solve_boxed(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                            utLcpInfo* info)
{
    Setup s;
    UT_TRY(make_setup(lcp, def, &scratch, &s));
    s.boxed.symmetric = ut_lcp_kept_factor(def, UT_LCP_FACTOR_LDL) != NULL || is_symmetric(lcp);
    choose_scaling(lcp, def, &s);
    scale_problem(lcp, &s);
    choose_places(&s, def->warm);

    PivotEnd end = PIVOT_SINGULAR;
    if (start_block(&s, def)) {
        end = ut_pivot_blocks(&s.boxed, &s.block, &s.work);
    }
    if (end != PIVOT_DONE && s.boxed.symmetric) {
        end = ut_pivot_active_set(&s.boxed, &s.block, &s.work);
    }
    if (end == PIVOT_RAY && def->ray != NULL) {
        memcpy(def->ray, s.work.ray, (size_t)lcp->n * sizeof *z);
        ut_lcp_ray_scale(lcp->n, s.col, def->ray);
    }
    write_answer(lcp, &s, end == PIVOT_DONE ? def->tolerance : HUGE_VAL, z);
    if (def->warm != NULL) {
        keep_block(&s, end == PIVOT_DONE, def->warm);
    }
    info->iterations = s.work.pivots;
    info->factorizations = s.block.factorizations;
    info->outcome = end == PIVOT_DONE  ? UT_LCP_SOLVED
                    : end == PIVOT_RAY ? UT_LCP_RAY
                                       : UT_LCP_ITERATIONS;
    return UT_OK;
}

utStatus ut_lcp_pivot(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                      utLcpInfo* info)
{
    if (lcp->findex == NULL) {
        return solve_boxed(lcp, def, scratch, z, info);
    }

    // bounds that depend on another unknown: rewrite the problem as a plain one
    Standard standard;
    UT_TRY(ut_standard_make(lcp, &scratch, &standard));
    double* x = UT_PUSH(&scratch, double, standard.lcp.n);
    if (x == NULL) {
        return UT_ERR_CAPACITY;
    }
    utLcpDef inner = *def;
    inner.warm = NULL;
    inner.ray = NULL;
    UT_TRY(solve_boxed(&standard.lcp, &inner, scratch, x, info));
    ut_standard_back(&standard, x, false, z);
    return UT_OK;
}
