// SPDX-License-Identifier: Apache-2.0
// A block-sparse matrix: its plan and memory, its blocks, products and solutions.
#include "la/internal.h"
#include "la/dense/kernel.h"
#include "sparse.h"
#include "symbolic.h"

#include <math.h>
#include <string.h>

enum { NONE = -1 };

// ---- sizes --------------------------------------------------------------------------------------

// Lengths of the arrays.
typedef struct Sizes {
    size_t nodes, unknowns, fronts;
    size_t ends;    // neighbours of all nodes
    size_t rows;    // nodes below all fronts
    size_t couples; // pairs of neighbours
    size_t block, factor, update, work;
    int widest;
} Sizes;

// Two stacks hold the Schur complements, one for fronts of even depth and one for odd: when a front
// is complete, those of its children are on top of the other stack. @return doubles of both stacks
static size_t lay_updates(const Symbolic* s, SparseFront* front, bool* odd, size_t* stacked)
{
    size_t top[2] = {0, 0};
    size_t most[2] = {0, 0};
    for (int f = s->fronts - 1; f >= 0; f--) {
        odd[f] = s->parent[f] != NONE && !odd[s->parent[f]];
        stacked[f] = 0; // doubles that its children have on their stack
    }
    for (int f = 0; f < s->fronts; f++) {
        const size_t size = (size_t)s->below[f] * (size_t)padded(s->below[f]);
        const int own = odd[f];
        if (front != NULL) {
            front[f].C = top[own];
        }
        top[own] += size;
        most[own] = top[own] > most[own] ? top[own] : most[own];
        top[1 - own] -= stacked[f];
        if (s->parent[f] != NONE) {
            stacked[s->parent[f]] += size;
        }
    }
    for (int f = 0; front != NULL && f < s->fronts; f++) {
        front[f].C += odd[f] ? most[0] : 0;
    }
    return most[0] + most[1];
}

static Sizes find_sizes(const SparsePattern* pattern, const Symbolic* s, bool* odd, size_t* stacked)
{
    const Adjacency* graph = &s->graph;
    Sizes sizes = {
        .nodes = (size_t)pattern->nodes,
        .unknowns = (size_t)s->n,
        .fronts = (size_t)s->fronts,
        .ends = (size_t)graph->first[graph->nodes],
        .rows = (size_t)s->row[s->fronts],
        .couples = (size_t)graph->first[graph->nodes] / 2,
    };
    for (int a = 0; a < graph->nodes; a++) {
        const size_t size = (size_t)pattern->size[a];
        sizes.block += size * size;
        for (int k = graph->first[a]; k < graph->first[a + 1]; k++) {
            sizes.block += size * (size_t)pattern->size[graph->neighbour[k]];
        }
    }
    for (int f = 0; f < s->fronts; f++) {
        const int ldc = padded(s->below[f]);
        const int ld = padded(s->pivots[f]) + ldc;
        sizes.factor += (size_t)s->pivots[f] * ((size_t)ld + (size_t)ldc);
        sizes.widest = ld > sizes.widest ? ld : sizes.widest;
    }
    sizes.update = lay_updates(s, NULL, odd, stacked);
    sizes.work = 2 * sizes.unknowns + (size_t)sizes.widest;
    return sizes;
}

static bool push(Sparse* s, const Sizes* z, utArena* keep)
{
    s->offset = UT_PUSH(keep, int, z->nodes + 1);
    s->first = UT_PUSH(keep, int, z->nodes + 1);
    s->neighbour = UT_PUSH(keep, int, z->ends);
    s->diagonal = UT_PUSH(keep, size_t, z->nodes);
    s->beside = UT_PUSH(keep, size_t, z->ends);
    s->block = UT_PUSH(keep, double, z->block);
    s->plan.order = UT_PUSH(keep, int, z->nodes);
    s->plan.position = UT_PUSH(keep, int, z->nodes);
    s->plan.front = UT_PUSH(keep, SparseFront, z->fronts + 1);
    s->plan.row = UT_PUSH(keep, int, z->rows);
    s->plan.runs = UT_PUSH(keep, SparseRun, z->rows);
    s->plan.couple = UT_PUSH(keep, SparseCouple, z->couples);
    s->factor = UT_PUSH(keep, double, z->factor);
    s->update = UT_PUSH(keep, double, z->update);
    s->scale = UT_PUSH(keep, double, z->unknowns);
    s->inverse = UT_PUSH(keep, double, z->unknowns);
    s->swap = UT_PUSH(keep, int, z->unknowns);
    s->work = UT_PUSH(keep, double, z->work);
    return !ut_arena_failed(keep);
}

// ---- the layout ---------------------------------------------------------------------------------

static void lay_blocks(Sparse* s, const SparsePattern* pattern, const Symbolic* symbolic)
{
    const Adjacency* graph = &symbolic->graph;
    memcpy(s->first, graph->first, ((size_t)s->nodes + 1) * sizeof(int));
    memcpy(s->neighbour, graph->neighbour, (size_t)graph->first[s->nodes] * sizeof(int));
    size_t at = 0;
    s->offset[0] = 0;
    for (int a = 0; a < s->nodes; a++) {
        const size_t size = (size_t)pattern->size[a];
        s->offset[a + 1] = s->offset[a] + pattern->size[a];
        s->diagonal[a] = at;
        at += size * size;
        for (int k = s->first[a]; k < s->first[a + 1]; k++) {
            s->beside[k] = at;
            at += size * (size_t)pattern->size[s->neighbour[k]];
        }
    }
    s->block_count = at;
}

static void lay_fronts(Sparse* s, const Symbolic* symbolic)
{
    int at = 0;
    size_t factor = 0;
    for (int f = 0; f <= s->plan.fronts; f++) {
        s->plan.front[f] = (SparseFront){
            .at = at,
            .node = symbolic->node[f],
            .row = symbolic->row[f],
            .child = NONE,
            .sibling = NONE,
        };
        if (f == s->plan.fronts) {
            break;
        }
        SparseFront* front = &s->plan.front[f];
        front->pivots = symbolic->pivots[f];
        front->below = symbolic->below[f];
        const size_t ldc = (size_t)padded(front->below);
        front->U = factor;
        factor += (size_t)front->pivots * ((size_t)padded(front->pivots) + ldc);
        front->G = factor;
        factor += (size_t)front->pivots * ldc;
        at += front->pivots;
    }
    for (int f = s->plan.fronts - 1; f >= 0; f--) {
        const int parent = symbolic->parent[f];
        if (parent != NONE) {
            s->plan.front[f].sibling = s->plan.front[parent].child;
            s->plan.front[parent].child = f;
        }
    }
    s->plan.factor_count = factor;
}

static void lay_order(Sparse* s, const Symbolic* symbolic)
{
    memcpy(s->plan.order, symbolic->order, (size_t)s->nodes * sizeof(int));
    int at = 0;
    for (int k = 0; k < s->nodes; k++) {
        const int a = s->plan.order[k];
        s->plan.position[a] = at;
        at += s->offset[a + 1] - s->offset[a];
    }
}

// The columns in a front of its pivots and of the nodes below it.
static void find_columns(const Sparse* s, const SparseFront* front, int* column)
{
    for (int k = front[0].node; k < front[1].node; k++) {
        column[s->plan.order[k]] = s->plan.position[s->plan.order[k]] - front->at;
    }
    int at = padded(front->pivots);
    for (int k = front[0].row; k < front[1].row; k++) {
        const int a = s->plan.row[k];
        column[a] = at;
        at += s->offset[a + 1] - s->offset[a];
    }
}

// The off-diagonal blocks of a front: its nodes with all their later neighbours.
static int lay_couples(Sparse* s, const SparseFront* front, const int* column, int count)
{
    for (int k = front[0].node; k < front[1].node; k++) {
        const int a = s->plan.order[k];
        for (int l = s->first[a]; l < s->first[a + 1]; l++) {
            const int b = s->neighbour[l];
            if (s->plan.position[b] > s->plan.position[a]) {
                s->plan.couple[count++] = (SparseCouple){
                    .earlier = a,
                    .later = b,
                    .row = column[a],
                    .column = column[b],
                    .upper = s->beside[l],
                    .lower = (size_t)(ut_sparse_block(s, b, a) - s->block),
                };
            }
        }
    }
    return count;
}

// Runs of unknowns below a child that are contiguous in its parent, too. A run never holds both
// pivots of the parent and unknowns below it. @param column the parent's columns
static int lay_runs(Sparse* s, SparseFront* child, int wide, const int* column, int count)
{
    child->run = count;
    int from = 0;
    for (int k = child[0].row; k < child[1].row; k++) {
        const int a = s->plan.row[k];
        const int size = s->offset[a + 1] - s->offset[a];
        const int to = column[a];
        SparseRun* last = count > child->run ? &s->plan.runs[count - 1] : NULL;
        if (last != NULL && last->to + last->length == to && to != wide) {
            last->length += size;
        } else {
            s->plan.runs[count++] = (SparseRun){from, to, size};
        }
        from += size;
    }
    child->runs = count - child->run;
    return count;
}

static void lay_lists(Sparse* s, int* column)
{
    int couples = 0;
    int runs = 0;
    for (int f = 0; f < s->plan.fronts; f++) {
        SparseFront* front = &s->plan.front[f];
        find_columns(s, front, column);
        front->pair = couples;
        couples = lay_couples(s, front, column, couples);
        for (int c = front->child; c != NONE; c = s->plan.front[c].sibling) {
            runs = lay_runs(s, &s->plan.front[c], padded(front->pivots), column, runs);
        }
    }
    s->plan.front[s->plan.fronts].pair = couples;
    s->plan.couples = couples;
}

// ---- the plan -----------------------------------------------------------------------------------

// Arrays that only the plan needs.
typedef struct Helpers {
    bool* odd;
    size_t* stacked;
    int* column;
} Helpers;

static bool push_helpers(Helpers* h, int nodes, utArena* scratch)
{
    h->odd = UT_PUSH(scratch, bool, nodes);
    h->stacked = UT_PUSH(scratch, size_t, nodes);
    h->column = UT_PUSH(scratch, int, nodes);
    return !ut_arena_failed(scratch);
}

utStatus ut_sparse_plan(const SparsePattern* pattern, utArena* keep, Sparse* sparse)
{
    Symbolic symbolic;
    Helpers helpers;
    utArena rest = *keep;
    UT_TRY(ut_symbolic(pattern, &rest, &symbolic));
    if (!push_helpers(&helpers, pattern->nodes, &rest)) {
        return UT_ERR_CAPACITY;
    }
    const Sizes sizes = find_sizes(pattern, &symbolic, helpers.odd, helpers.stacked);
    Sparse s = {
        .n = symbolic.n,
        .nodes = pattern->nodes,
        .plan.fronts = symbolic.fronts,
        .plan.nonzeros = symbolic.nonzeros,
        .plan.update_count = sizes.update,
        .plan.widest = sizes.widest,
    };
    if (!push(&s, &sizes, &rest)) {
        return UT_ERR_CAPACITY;
    }
    lay_blocks(&s, pattern, &symbolic);
    lay_fronts(&s, &symbolic);
    lay_order(&s, &symbolic);
    lay_updates(&symbolic, s.plan.front, helpers.odd, helpers.stacked);
    ut_symbolic_rows(&symbolic, helpers.column, s.plan.row);
    lay_lists(&s, helpers.column);
    *keep = rest;
    *sparse = s;
    return UT_OK;
}

// ---- blocks -------------------------------------------------------------------------------------

void ut_sparse_clear(Sparse* sparse)
{
    memset(sparse->block, 0, sparse->block_count * sizeof *sparse->block);
}

double* ut_sparse_block(const Sparse* sparse, int a, int b)
{
    if (a == b) {
        return sparse->block + sparse->diagonal[a];
    }
    int low = sparse->first[a];
    int high = sparse->first[a + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (sparse->neighbour[middle] < b) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < sparse->first[a + 1] && sparse->neighbour[low] == b;
    return found ? sparse->block + sparse->beside[low] : NULL;
}

// ---- products and solutions ---------------------------------------------------------------------

// y += B x
static inline void add_product(int rows, int columns, const double* B, const double* x, double* y)
{
    for (int i = 0; i < rows; i++, B += columns) {
        double sum = 0.0;
        for (int j = 0; j < columns; j++) {
            sum += B[j] * x[j];
        }
        y[i] += sum;
    }
}

// y += B^T x
static inline void add_transposed_product(int rows, int columns, const double* B, const double* x,
                                          double* y)
{
    for (int i = 0; i < rows; i++, B += columns) {
        for (int j = 0; j < columns; j++) {
            y[j] += B[j] * x[i];
        }
    }
}

// Bodies have six unknowns: loops of known length are faster.
static void add_block(int rows, int columns, const double* B, const double* x, double* y)
{
    if (rows == 6 && columns == 6) {
        add_product(6, 6, B, x, y);
    } else {
        add_product(rows, columns, B, x, y);
    }
}

static void add_block_transposed(int rows, int columns, const double* B, const double* x, double* y)
{
    if (rows == 6 && columns == 6) {
        add_transposed_product(6, 6, B, x, y);
    } else {
        add_transposed_product(rows, columns, B, x, y);
    }
}

void ut_sparse_multiply(const Sparse* sparse, const double* x, double* y)
{
    const int* at = sparse->offset;
    memset(y, 0, (size_t)sparse->n * sizeof *y);
    for (int a = 0; a < sparse->nodes; a++) {
        const int rows = at[a + 1] - at[a];
        add_block(rows, rows, sparse->block + sparse->diagonal[a], x + at[a], y + at[a]);
        for (int k = sparse->first[a]; k < sparse->first[a + 1]; k++) {
            const int b = sparse->neighbour[k];
            const int columns = at[b + 1] - at[b];
            const double* B = sparse->block + sparse->beside[k];
            if (sparse->symmetric && b < a) {
                continue;
            }
            add_block(rows, columns, B, x + at[b], y + at[a]);
            if (sparse->symmetric) {
                add_block_transposed(rows, columns, B, x + at[a], y + at[b]);
            }
        }
    }
}

// r = b - A x
static void find_rest(const Sparse* sparse, const double* b, const double* x, double* r)
{
    ut_sparse_multiply(sparse, x, r);
    for (int i = 0; i < sparse->n; i++) {
        r[i] = b[i] - r[i];
    }
}

void ut_sparse_solve(const Sparse* sparse, const double* b, double* x)
{
    double* r = sparse->work + sparse->n + sparse->plan.widest;
    ut_front_solve(sparse, b, x);
    find_rest(sparse, b, x, r);
    ut_front_solve(sparse, r, r);
    for (int i = 0; i < sparse->n; i++) {
        x[i] += r[i];
    }
}

void ut_sparse_solve_once(const Sparse* sparse, const double* b, double* x)
{
    ut_front_solve(sparse, b, x);
}
