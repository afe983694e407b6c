// SPDX-License-Identifier: Apache-2.0
// The active-set method for symmetric positive semidefinite problems.
//
// z minimises f(z) = ½ z'Az + q'z between the bounds exactly when w = Az + q is complementary to z.
// Inner loop: go to the minimum over the unknowns of the block, and fix each unknown that reaches a
// bound on the way. Outer loop: release the unknown with the worst slack into the block. f decreases
// with every step, so no active set repeats.
#include "pivot.h"

#include "la/dense/kernel.h"

#include <string.h>

// in the scaled problem, whose diagonal and q are of order one
static const double SLACK_ROUNDING = 1e-13;     // times the largest |z|: a smaller slack is zero
static const double NEGATIVE_CURVATURE = -1e-9; // A is not semidefinite below this

// The longest step t <= most along x that keeps the unknowns of the block between their bounds.
// @param blocked the row of the unknown that limits the step, or -1
static double longest_step(const Boxed* boxed, const Block* block, const PivotWork* work,
                           double most, int* blocked)
{
    double t = most;
    *blocked = -1;
    for (int r = 0; r < block->count; r++) {
        int i = block->order[r];
        double dx = work->x[r];
        double room = dx < 0.0 ? work->z[i] - boxed->lo[i] : boxed->hi[i] - work->z[i];
        double size = fabs(dx);
        if (size > 0.0 && room < t * size) {
            t = room > 0.0 ? room / size : 0.0;
            *blocked = r;
        }
    }
    return t;
}

static void move_block(const Block* block, PivotWork* work, double t)
{
    for (int r = 0; r < block->count; r++) {
        work->z[block->order[r]] += t * work->x[r];
    }
}

// Fix the unknown of row r at the bound that it reached.
static void fix_row(const Boxed* boxed, Block* block, PivotWork* work, int r)
{
    int i = block->order[r];
    work->place[i] = work->x[r] < 0.0 ? PLACE_LO : PLACE_HI;
    work->z[i] = ut_boxed_bound(boxed, i, work->place[i]);
    ut_block_drop(block, r);
    work->pivots++;
}

// Minimise over the unknowns of the block. w is valid for them on entry, and for all on return.
static void minimise(const Boxed* boxed, Block* block, PivotWork* work)
{
    while (block->count > 0) {
        for (int r = 0; r < block->count; r++) {
            work->x[r] = -work->w[block->order[r]];
        }
        ut_block_solve(block, work->x);
        int blocked;
        double t = longest_step(boxed, block, work, 1.0, &blocked);
        move_block(block, work, t);
        for (int r = 0; r < block->count; r++) {
            work->w[block->order[r]] *= 1.0 - t;
        }
        if (blocked < 0) {
            break;
        }
        fix_row(boxed, block, work, blocked);
    }
    ut_boxed_slack(boxed, work->z, work->w);
}

// The unknown at a bound with the worst slack, or -1 when all slacks have the right sign.
static int find_worst(const Boxed* boxed, const PivotWork* work)
{
    double size = 1.0;
    for (int i = 0; i < boxed->n; i++) {
        size = fabs(work->z[i]) > size ? fabs(work->z[i]) : size;
    }
    double worst = SLACK_ROUNDING * size;
    int found = -1;
    for (int i = 0; i < boxed->n; i++) {
        double excess = work->place[i] == PLACE_LO   ? -work->w[i]
                        : work->place[i] == PLACE_HI ? work->w[i]
                                                     : 0.0;
        if (excess > worst) {
            worst = excess;
            found = i;
        }
    }
    return found;
}

// Release unknown i into the block. While its row depends on the rows of the block, f is linear
// along the direction that moves i and keeps w = 0 in the block: move until an unknown reaches a
// bound.
static PivotEnd release(const Boxed* boxed, Block* block, PivotWork* work, int i)
{
    const double* row = boxed->A + (size_t)i * (size_t)boxed->n;
    const double sign = work->place[i] == PLACE_LO ? 1.0 : -1.0;
    while (!ut_block_add(block, i)) {
        for (int r = 0; r < block->count; r++) {
            work->x[r] = -sign * row[block->order[r]];
        }
        ut_block_solve(block, work->x);
        double curvature = row[i];
        for (int r = 0; r < block->count; r++) {
            curvature += sign * row[block->order[r]] * work->x[r];
        }
        if (!(curvature > NEGATIVE_CURVATURE)) {
            return PIVOT_SINGULAR; // not semidefinite
        }

        double own = sign > 0.0 ? boxed->hi[i] - work->z[i] : work->z[i] - boxed->lo[i];
        int blocked;
        double t = longest_step(boxed, block, work, own, &blocked);
        if (!(t < HUGE_VAL)) {
            memset(work->ray, 0, (size_t)boxed->n * sizeof *work->ray);
            work->ray[i] = sign;
            for (int r = 0; r < block->count; r++) {
                work->ray[block->order[r]] = work->x[r];
            }
            return PIVOT_RAY;
        }
        move_block(block, work, t);
        work->z[i] += sign * t;
        if (blocked < 0) {
            work->place[i] = sign > 0.0 ? PLACE_HI : PLACE_LO;
            work->z[i] = ut_boxed_bound(boxed, i, work->place[i]);
            return PIVOT_DONE;
        }
        fix_row(boxed, block, work, blocked);
    }
    work->place[i] = PLACE_BETWEEN;
    work->pivots++;
    return PIVOT_DONE;
}

// Start: all unknowns at a bound, except those marked PLACE_BETWEEN with independent rows.
// @return false when the row of a free unknown depends on the others
static bool start(const Boxed* boxed, Block* block, PivotWork* work)
{
    block->count = 0;
    for (int i = 0; i < boxed->n; i++) {
        bool is_free = !isfinite(boxed->lo[i]) && !isfinite(boxed->hi[i]);
        unsigned char rest = (unsigned char)(isfinite(boxed->lo[i]) ? PLACE_LO : PLACE_HI);
        if (work->place[i] == PLACE_BETWEEN && !ut_block_add(block, i)) {
            if (is_free) {
                return false;
            }
            work->place[i] = rest;
        }
        work->z[i] =
            ut_boxed_bound(boxed, i, work->place[i] == PLACE_BETWEEN ? rest : work->place[i]);
    }
    ut_boxed_slack(boxed, work->z, work->w);
    return true;
}

PivotEnd ut_pivot_active_set(const Boxed* boxed, Block* block, PivotWork* work)
{
    if (!start(boxed, block, work)) {
        return PIVOT_SINGULAR;
    }
    for (;;) {
        minimise(boxed, block, work);
        int i = find_worst(boxed, work);
        if (i < 0) {
            return PIVOT_DONE;
        }
        if (work->pivots >= work->limit) {
            return PIVOT_LIMIT;
        }
        PivotEnd end = release(boxed, block, work, i);
        if (end != PIVOT_DONE) {
            return end;
        }
    }
}
