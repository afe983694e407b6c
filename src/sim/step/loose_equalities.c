// SPDX-License-Identifier: Apache-2.0
// Equalities that cannot all hold. A linkage with more equalities than it needs moves only because
// they depend on each other, and the digits of its file make them miss each other: a parallelogram
// whose rods are known to 1e-8 m closes no better than that. Solved exactly, such rows lock a joint
// that ought to move, by impulses that grow as the error falls, and no projection succeeds.
//
// With the rows J of connects and welds, W = J M^-1 J' and their errors Phi in m, solve
//
//     (W + s D) y = -Phi,    D: of each equality the largest diagonal entry of its rows in W
//
// The error s D y remains: next to nothing of Phi where rows are independent, all of it where they
// depend on each other. When it is more than rounding the equalities are loose: their rows get the
// compliance s D, in this projection and in this step. The certificate knows how much is allowed.
#include <string.h>

#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "sim/step.h"
#include "sim/tolerances.h"

enum { MAX_LOOSE_ROWS = 120 }; // more are not examined, because W is dense

typedef struct Rows {
    int count;
    utRow* row[MAX_LOOSE_ROWS]; // of connects, welds and the like
    double* G;                  // count x nv: J
    double* X;                  // count x nv: J M^-1
    double* D;                  // count
} Rows;

// @return false when there are none or too many
static bool gather_rows(Step* step, Rows* rows)
{
    rows->count = 0;
    for (int j = 0; j < step->active.rows; j++) {
        utRow* row = &step->active.row[j];
        if (row->kind == UT_ROW_EQUALITY && rows->count == MAX_LOOSE_ROWS) {
            return false;
        }
        if (row->kind == UT_ROW_EQUALITY) {
            rows->row[rows->count++] = row;
        }
    }
    return rows->count > 0;
}

// Fill G, X and D.
static utStatus find_responses(const Step* step, utArena* arena, Rows* rows)
{
    const size_t nv = (size_t)step->sim->model->nv;
    rows->G = ut_matrix_push(arena, rows->count, (int)nv);
    rows->X = ut_matrix_push(arena, rows->count, (int)nv);
    rows->D = UT_PUSH(arena, double, rows->count);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    memset(rows->G, 0, (size_t)rows->count * nv * sizeof *rows->G);
    for (int i = 0; i < rows->count; i++) {
        utRow unit = *rows->row[i];
        double *G = rows->G + (size_t)i * nv, *X = rows->X + (size_t)i * nv;
        unit.r = 1.0;
        UT_TRY(ut_contact_generalized_impulse(&step->scene, 0, NULL, 1, &unit, *arena, G));
        UT_TRY(ut_dyn_respond(&step->sim->work.kin, G, step->free.diagonal, NULL, *arena, X));
        rows->D[i] = ut_dot((int)nv, G, X);
    }
    // the rows of an equality follow each other
    for (int i = 1; i < rows->count; i++) {
        if (rows->row[i]->equality == rows->row[i - 1]->equality) {
            rows->D[i] = fmax(rows->D[i], rows->D[i - 1]);
        }
    }
    for (int i = rows->count - 2; i >= 0; i--) {
        if (rows->row[i]->equality == rows->row[i + 1]->equality) {
            rows->D[i] = rows->D[i + 1];
        }
    }
    return UT_OK;
}

// The largest errors of rows, m.
typedef struct Errors {
    double now;       // |Phi|
    double remainder; // |s D y|: what a projection leaves
    double removable; // |W y|: what it removes
} Errors;

static utStatus find_errors(const Step* step, const Rows* rows, utArena scratch, Errors* errors)
{
    const int n = rows->count, nv = step->sim->model->nv;
    double* W = ut_matrix_push(&scratch, n, n);
    double* y = UT_PUSH(&scratch, double, n);
    *errors = (Errors){0};
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < n; i++) {
        double* W_i = W + (size_t)i * (size_t)n;
        for (int j = 0; j <= i; j++) {
            W_i[j] = ut_dot(nv, rows->G + (size_t)i * (size_t)nv, rows->X + (size_t)j * (size_t)nv);
        }
        W_i[i] += LOOSE_COMPLIANCE * rows->D[i];
        y[i] = -rows->row[i]->gap;
    }
    // the rows of an equality between bodies that nothing moves have a pivot of 0
    if (ut_chol_factor(n, W, n, 0.0) < n) {
        return UT_OK;
    }
    ut_chol_solve(n, W, n, y);
    for (int i = 0; i < n; i++) {
        const double gap = rows->row[i]->gap, remainder = -LOOSE_COMPLIANCE * rows->D[i] * y[i];
        errors->now = fmax(errors->now, fabs(gap));
        errors->remainder = fmax(errors->remainder, fabs(remainder));
        errors->removable = fmax(errors->removable, fabs(gap - remainder));
    }
    return UT_OK;
}

utStatus ut_step_find_loose(Step* step, bool* removable)
{
    utArena arena = step->arena;
    Rows rows;
    Errors errors;
    *removable = true;
    if (!gather_rows(step, &rows)) {
        return UT_OK;
    }
    UT_TRY(find_responses(step, &arena, &rows));
    UT_TRY(find_errors(step, &rows, arena, &errors));
    step->loose =
        errors.remainder > PROJECTED_OVERLAP && errors.remainder > LOOSE_SHARE * errors.now;
    *removable = !step->loose || errors.removable > PROJECTED_OVERLAP;
    return ut_step_loosen(step);
}

utStatus ut_step_loosen(Step* step)
{
    utArena arena = step->arena;
    Rows rows;
    if (!step->loose || !ut_step_violates_equalities(step) || !gather_rows(step, &rows)) {
        return UT_OK;
    }
    UT_TRY(find_responses(step, &arena, &rows));
    for (int i = 0; i < rows.count; i++) {
        rows.row[i]->compliance = LOOSE_COMPLIANCE * rows.D[i];
    }
    return UT_OK;
}
