// SPDX-License-Identifier: Apache-2.0
// Any form of a problem as a dense local one: W = J M^-1 J', q = J M^-1 f + b.
//
// Each entry of W is computed once and copied to the other triangle, so W is symmetric to the bit.
#include "delassus.h"

#include <string.h>

#include "la/accurate.h"
#include "la/dense/dense.h"
#include "la/dense/kernel.h"

// ---- from M and J -------------------------------------------------------------------------------

static utStatus from_dense(const utCoulomb* problem, utArena scratch, double* W, double* q)
{
    const int N = ut_coulomb_rows(problem);
    const int dof = problem->dof;
    const size_t bytes = (size_t)dof * sizeof(double);
    double* L = ut_coulomb_push(&scratch, dof, dof);
    double* x = ut_coulomb_push(&scratch, 1, dof);
    double* Y = ut_coulomb_push(&scratch, N, dof); // (L^-1 J')'
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memcpy(L, problem->M, (size_t)dof * bytes);
    if (ut_chol_factor(dof, L, dof, 0.0) != dof) {
        return UT_ERR_ARGUMENT;
    }
    memcpy(Y, problem->J, (size_t)N * bytes);
    for (int k = 0; k < N; k++) {
        const double* y = Y + (size_t)k * (size_t)dof;
        ut_chol_half_solve(dof, L, dof, Y + (size_t)k * (size_t)dof);
        for (int i = 0; i <= k; i++) {
            const double entry = ut_dot(dof, Y + (size_t)i * (size_t)dof, y);
            W[(size_t)i * (size_t)N + (size_t)k] = entry;
            W[(size_t)k * (size_t)N + (size_t)i] = entry;
        }
    }
    memcpy(x, problem->f, bytes);
    ut_chol_solve(dof, L, dof, x);
    ut_rows_accurate(N, dof, problem->J, dof, x, problem->b, q);
    return UT_OK;
}

// ---- from blocks --------------------------------------------------------------------------------

// One block of J: `rows` rows of the problem from `row` on, by the velocities of a node.
typedef struct Touch {
    const double* J;
    int row;
    int rows;
    int next; // the previous block of the same node, -1 for none
} Touch;

// List every block of J. @param last receives the last block of each node
static void list_touches(const utCoulomb* problem, Touch* touch, int* last)
{
    const utCoulombBlocks* blocks = problem->blocks;
    const double* J = blocks->J;
    int row = 0;
    for (int k = 0; k < blocks->nodes; k++) {
        last[k] = -1;
    }
    for (int g = 0; g < ut_group_count(problem); g++) {
        const int rows = ut_group_rows(problem, g);
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            const int node = blocks->node[t];
            touch[t] = (Touch){J, row, rows, last[node]};
            last[node] = t;
            J += (size_t)rows * (size_t)ut_node_dof(blocks, node);
        }
        row += rows;
    }
}

// Add the part of one node to the lower triangle of W: with Y = L^-1 J' it is Y'Y.
// @param L n x n, factored  @param Y n entries for each row of the problem, work
static void add_node(int N, int n, const double* L, const Touch* touch, int last, double* Y,
                     double* W)
{
    const size_t width = (size_t)n;
    for (int t = last; t >= 0; t = touch[t].next) {
        double* y = Y + (size_t)touch[t].row * width;
        memcpy(y, touch[t].J, (size_t)touch[t].rows * width * sizeof *y);
        for (int k = 0; k < touch[t].rows; k++) {
            ut_chol_half_solve(n, L, n, y + (size_t)k * width);
        }
    }
    for (int t = last; t >= 0; t = touch[t].next) {
        for (int i = touch[t].row; i < touch[t].row + touch[t].rows; i++) {
            for (int s = t; s >= 0; s = touch[s].next) {
                for (int j = touch[s].row; j < touch[s].row + touch[s].rows && j <= i; j++) {
                    W[(size_t)i * (size_t)N + (size_t)j] +=
                        ut_dot(n, Y + (size_t)i * width, Y + (size_t)j * width);
                }
            }
        }
    }
}

// q += J v for one node.
static void add_velocity(int n, const Touch* touch, int last, const double* v, double* q)
{
    for (int t = last; t >= 0; t = touch[t].next) {
        double sum[UT_LAW_MAX_DIMENSION];
        ut_rows_accurate(touch[t].rows, n, touch[t].J, n, v, q + touch[t].row, sum);
        memcpy(q + touch[t].row, sum, (size_t)touch[t].rows * sizeof *q);
    }
}

// Copy the lower triangle of W to the upper one.
static void mirror(int N, double* W)
{
    for (size_t i = 0; i < (size_t)N; i++) {
        for (size_t j = 0; j < i; j++) {
            W[j * (size_t)N + i] = W[i * (size_t)N + j];
        }
    }
}

static int largest_node(const utCoulombBlocks* blocks)
{
    int most = 0;
    for (int k = 0; k < blocks->nodes; k++) {
        const int n = ut_node_dof(blocks, k);
        most = n > most ? n : most;
    }
    return most;
}

// @param factors of the nodes' masses, one after the other; NULL: not known
static utStatus from_blocks(const utCoulomb* problem, const double* factors, utArena scratch,
                            double* W, double* q)
{
    const utCoulombBlocks* blocks = problem->blocks;
    const int N = ut_coulomb_rows(problem);
    const int most = largest_node(blocks);
    const double* M = blocks->M;
    double* own = ut_coulomb_push(&scratch, most, most);
    double* x = ut_coulomb_push(&scratch, 1, most);
    double* Y = ut_coulomb_push(&scratch, N, most);
    int* last = UT_PUSH(&scratch, int, blocks->nodes);
    Touch* touch = UT_PUSH(&scratch, Touch, blocks->first[ut_group_count(problem)]);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    list_touches(problem, touch, last);
    memset(W, 0, (size_t)N * (size_t)N * sizeof *W);
    memcpy(q, problem->b, (size_t)N * sizeof *q);
    for (int k = 0; k < blocks->nodes; k++) {
        const int n = ut_node_dof(blocks, k);
        const size_t size = (size_t)n * (size_t)n;
        const double* L = factors != NULL ? factors + (M - blocks->M) : own;
        if (factors == NULL) {
            memcpy(own, M, size * sizeof *own);
            if (ut_chol_factor(n, own, n, 0.0) != n) {
                return UT_ERR_ARGUMENT;
            }
        }
        M += size;
        add_node(N, n, L, touch, last[k], Y, W);
        memcpy(x, problem->f + blocks->start[k], (size_t)n * sizeof *x);
        ut_chol_solve(n, L, n, x);
        add_velocity(n, touch, last[k], x, q);
    }
    mirror(N, W);
    return UT_OK;
}

// ---- dense masses and Jacobians -----------------------------------------------------------------

void ut_coulomb_spread_blocks(const utCoulomb* problem, double* M, double* J)
{
    const utCoulombBlocks* b = problem->blocks;
    const size_t dof = (size_t)problem->dof;
    memset(M, 0, dof * dof * sizeof *M);
    memset(J, 0, (size_t)ut_coulomb_rows(problem) * dof * sizeof *J);
    const double* from = b->M;
    for (int k = 0; k < b->nodes; k++) {
        const size_t at = (size_t)b->start[k];
        const size_t width = (size_t)b->start[k + 1] - at;
        for (size_t i = 0; i < width; i++, from += width) {
            memcpy(M + (at + i) * dof + at, from, width * sizeof *M);
        }
    }
    from = b->J;
    int row = 0;
    for (int g = 0; g < ut_group_count(problem); g++) {
        const int rows = ut_group_rows(problem, g);
        for (int e = b->first[g]; e < b->first[g + 1]; e++) {
            const size_t at = (size_t)b->start[b->node[e]];
            const size_t width = (size_t)b->start[b->node[e] + 1] - at;
            for (int i = 0; i < rows; i++, from += width) {
                memcpy(J + (size_t)(row + i) * dof + at, from, width * sizeof *J);
            }
        }
        row += rows;
    }
}

// ---- from W in rows -----------------------------------------------------------------------------

void ut_coulomb_spread_W(const utCoulomb* problem, double* W)
{
    const size_t N = (size_t)ut_coulomb_rows(problem);
    if (problem->W_start == NULL) {
        memcpy(W, problem->W, N * N * sizeof *W);
        return;
    }
    memset(W, 0, N * N * sizeof *W);
    for (size_t i = 0; i < N; i++) {
        for (int k = problem->W_start[i]; k < problem->W_start[i + 1]; k++) {
            W[i * N + (size_t)problem->W_column[k]] = problem->W[k];
        }
    }
}

// ---- any form -----------------------------------------------------------------------------------

static bool is_dense_local(const utCoulomb* problem)
{
    return problem->W != NULL && problem->W_start == NULL;
}

utStatus ut_coulomb_delassus(const utCoulomb* problem, utArena* arena, utCoulomb* local)
{
    return ut_coulomb_delassus_with(problem, NULL, arena, local);
}

utStatus ut_coulomb_delassus_with(const utCoulomb* problem, const double* factors, utArena* arena,
                                  utCoulomb* local)
{
    if (is_dense_local(problem)) {
        *local = *problem;
        return UT_OK;
    }
    const int N = ut_coulomb_rows(problem);
    utArena rest = *arena;
    double* W = ut_coulomb_push(&rest, N, N);
    double* q = ut_coulomb_push(&rest, 1, N);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }
    if (problem->W != NULL) {
        ut_coulomb_spread_W(problem, W);
        memcpy(q, problem->q, (size_t)N * sizeof *q);
    } else if (problem->blocks != NULL) {
        UT_TRY(from_blocks(problem, factors, rest, W, q));
    } else {
        UT_TRY(from_dense(problem, rest, W, q));
    }
    *local = ut_coulomb_without_form(problem);
    local->W = W;
    local->q = q;
    *arena = rest;
    return UT_OK;
}

// ---- by rows ------------------------------------------------------------------------------------

static size_t count_entries(const utCoulomb* problem)
{
    const size_t N = (size_t)ut_coulomb_rows(problem);
    size_t count = 0;
    for (size_t k = 0; k < N * N; k++) {
        count += problem->W[k] != 0.0;
    }
    return count;
}

double ut_coulomb_filled_fraction(const utCoulomb* problem)
{
    const double N = ut_coulomb_rows(problem);
    return (double)count_entries(problem) / (N * N);
}

utStatus ut_coulomb_by_rows(const utCoulomb* problem, utArena* arena, utCoulomb* rows)
{
    const int N = ut_coulomb_rows(problem);
    const size_t count = count_entries(problem);
    int* start = UT_PUSH(arena, int, N + 1);
    int* column = UT_PUSH(arena, int, count);
    double* W = UT_PUSH(arena, double, count);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    int at = 0;
    for (int i = 0; i < N; i++) {
        const double* row = problem->W + (size_t)i * (size_t)N;
        start[i] = at;
        for (int j = 0; j < N; j++) {
            if (row[j] != 0.0) {
                column[at] = j;
                W[at++] = row[j];
            }
        }
    }
    start[N] = at;
    *rows = *problem;
    rows->W = W;
    rows->W_start = start;
    rows->W_column = column;
    return UT_OK;
}
