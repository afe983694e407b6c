// SPDX-License-Identifier: Apache-2.0
// The factored block, and block principal pivoting.
#include "pivot.h"

#include "la/dense/dense.h"
#include "la/dense/kernel.h"

#include <string.h>

// in the scaled problem, whose diagonal and q are of order one
static const double DEPENDENT = 1e-11; // LDL^T: a smaller pivot means that rows are dependent
static const double SINGULAR = 1e-13;  // LU: a smaller pivot is rounding
static const double ROUNDING = 1e-13;  // of z and w: a smaller violation is none

static const double* row_of(const Boxed* boxed, int i)
{
    return boxed->A + (size_t)i * (size_t)boxed->n;
}

bool ut_block_factor(Block* block, const unsigned char* place)
{
    const Boxed* boxed = block->boxed;
    const int n = boxed->n;
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (place[i] == PLACE_BETWEEN) {
            block->order[count++] = i;
        }
    }
    for (int r = 0; r < count; r++) {
        const double* from = row_of(boxed, block->order[r]);
        double* to = block->F + (size_t)r * (size_t)n;
        int columns = boxed->symmetric ? r + 1 : count;
        for (int c = 0; c < columns; c++) {
            to[c] = from[block->order[c]];
        }
    }
    block->factorizations++;
    block->count = 0;
    if (!boxed->symmetric) {
        bool regular = ut_lu_factor(count, block->F, n, block->perm, SINGULAR) == count;
        block->count = regular ? count : 0;
        return regular;
    }
    if (ut_ldl_factor(count, block->F, n, block->d, DEPENDENT) != count) {
        return false;
    }
    for (int r = 0; r < count; r++) {
        if (!(block->d[r] > 0.0)) {
            return false;
        }
    }
    block->count = count;
    return true;
}

bool ut_block_add(Block* block, int i)
{
    const Boxed* boxed = block->boxed;
    const double* row = row_of(boxed, i);
    const int r = block->count;
    for (int c = 0; c < r; c++) {
        block->work[c] = row[block->order[c]];
    }
    if (!ut_ldl_append(r, block->F, boxed->n, block->d, block->work, row[i], DEPENDENT) ||
        !(block->d[r] > 0.0)) {
        return false;
    }
    block->order[r] = i;
    block->count++;
    return true;
}

void ut_block_drop(Block* block, int r)
{
    const int n = block->boxed->n;
    // the remaining block stays positive definite, because the update adds d x x' with d > 0
    ut_ldl_remove(block->count, r, block->F, n, block->d, block->work, 0.0);
    block->count--;
    memmove(block->order + r, block->order + r + 1, (size_t)(block->count - r) * sizeof(int));
}

void ut_block_solve(Block* block, double* x)
{
    const int n = block->boxed->n;
    if (block->boxed->symmetric) {
        ut_ldl_solve(block->count, block->F, n, block->d, x);
        return;
    }
    memcpy(block->work, x, (size_t)block->count * sizeof *x);
    ut_lu_solve(block->count, block->F, n, block->perm, block->work, x);
}

void ut_boxed_slack(const Boxed* boxed, const double* z, double* w)
{
    const int n = boxed->n;
    if (!boxed->symmetric) {
        for (int i = 0; i < n; i++) {
            w[i] = boxed->q[i] + ut_dot(n, row_of(boxed, i), z);
        }
        return;
    }

    // rows of a symmetric matrix are its columns, and columns with z = 0 add nothing
    memcpy(w, boxed->q, (size_t)n * sizeof *w);
    const double* x[4];
    double f[4];
    int held = 0;
    for (int j = 0; j < n; j++) {
        if (z[j] == 0.0) {
            continue;
        }
        int first = boxed->begin[j];
        if (boxed->end[j] - first < n / 2) {
            ut_axpy(boxed->end[j] - first, z[j], row_of(boxed, j) + first, w + first);
            continue;
        }
        x[held] = row_of(boxed, j);
        f[held++] = z[j];
        if (held == 4) {
            ut_axpy4(n, f, x[0], x[1], x[2], x[3], w);
            held = 0;
        }
    }
    for (int h = 0; h < held; h++) {
        ut_axpy(n, f[h], x[h], w);
    }
}

double ut_boxed_bound(const Boxed* boxed, int i, unsigned char place)
{
    double bound = place == PLACE_HI ? boxed->hi[i] : boxed->lo[i];
    return isfinite(bound) ? bound : 0.0;
}

// ---- block principal pivoting -------------------------------------------------------------------

// changes of all places without fewer wrong unknowns, after which places change one by one
enum { MAX_IDLE_CHANGES = 10 };

// Solve w = 0 for the unknowns between their bounds, the others at their bounds; then all slacks.
static void solve_places(const Boxed* boxed, Block* block, PivotWork* work)
{
    const int n = boxed->n;
    bool at_zero = true;
    for (int i = 0; i < n; i++) {
        work->z[i] =
            work->place[i] == PLACE_BETWEEN ? 0.0 : ut_boxed_bound(boxed, i, work->place[i]);
        at_zero = at_zero && work->z[i] == 0.0;
    }
    if (at_zero) {
        memcpy(work->w, boxed->q, (size_t)n * sizeof *work->w);
    } else {
        ut_boxed_slack(boxed, work->z, work->w);
    }
    for (int r = 0; r < block->count; r++) {
        work->x[r] = -work->w[block->order[r]];
    }
    ut_block_solve(block, work->x);
    for (int r = 0; r < block->count; r++) {
        work->z[block->order[r]] = work->x[r];
    }
    ut_boxed_slack(boxed, work->z, work->w);
}

// The place of unknown i that z and w demand.
static unsigned char better_place(const Boxed* boxed, const PivotWork* work, int i)
{
    const double z = work->z[i];
    const double w = work->w[i];
    switch (work->place[i]) {
    case PLACE_BETWEEN:
        if (z < boxed->lo[i] - ROUNDING * (1.0 + fabs(boxed->lo[i]))) {
            return PLACE_LO;
        }
        return z > boxed->hi[i] + ROUNDING * (1.0 + fabs(boxed->hi[i])) ? PLACE_HI : PLACE_BETWEEN;
    case PLACE_LO:
        return w < -ROUNDING ? PLACE_BETWEEN : PLACE_LO;
    default:
        return w > ROUNDING ? PLACE_BETWEEN : PLACE_HI;
    }
}

// Update the block after a change of places: by updates if few unknowns changed, else by a new
// factorization.
static bool follow_places(Block* block, const unsigned char* place, int changes)
{
    if (!block->boxed->symmetric || changes > 2 + block->count / 8 || block->count == 0) {
        return ut_block_factor(block, place);
    }
    for (int r = block->count - 1; r >= 0; r--) {
        if (place[block->order[r]] != PLACE_BETWEEN) {
            ut_block_drop(block, r);
        }
    }
    // mark the unknowns that are present, then add the others
    const int n = block->boxed->n;
    memset(block->perm, 0, (size_t)n * sizeof(int));
    for (int r = 0; r < block->count; r++) {
        block->perm[block->order[r]] = 1;
    }
    for (int i = 0; i < n; i++) {
        if (place[i] == PLACE_BETWEEN && !block->perm[i] && !ut_block_add(block, i)) {
            return false;
        }
    }
    return true;
}

// Count the unknowns at a wrong place. @param last the last of them
static int count_wrong(const Boxed* boxed, const PivotWork* work, int* last)
{
    int wrong = 0;
    for (int i = 0; i < boxed->n; i++) {
        if (better_place(boxed, work, i) != work->place[i]) {
            wrong++;
            *last = i;
        }
    }
    return wrong;
}

PivotEnd ut_pivot_blocks(const Boxed* boxed, Block* block, PivotWork* work)
{
    int fewest = boxed->n + 1;
    int patience = MAX_IDLE_CHANGES;
    for (;;) {
        solve_places(boxed, block, work);
        int last = -1;
        int wrong = count_wrong(boxed, work, &last);
        if (wrong == 0) {
            return PIVOT_DONE;
        }
        if (work->pivots >= work->limit || (boxed->symmetric && patience == 0)) {
            return PIVOT_LIMIT;
        }

        // change all of them, or only the last one when that stopped helping: Murty's rule, which
        // ends for every P-matrix (symmetric problems continue with the active set instead)
        bool all = wrong < fewest || patience > 0;
        patience = wrong < fewest ? MAX_IDLE_CHANGES : patience > 0 ? patience - 1 : 0;
        fewest = wrong < fewest ? wrong : fewest;
        for (int i = all ? 0 : last; i <= last; i++) {
            work->place[i] = better_place(boxed, work, i);
        }
        work->pivots += all ? wrong : 1;
        if (!follow_places(block, work->place, all ? wrong : 1)) {
            return PIVOT_SINGULAR;
        }
    }
}
