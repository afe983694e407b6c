// SPDX-License-Identifier: Apache-2.0
// A symmetric W as J J', so that a local problem becomes a global one with unit masses:
//
//     v = J'r,    u = J v + q
//
// with as many velocities as W has rank. Contacts are redundant more often than not, so this problem
// is smaller and its H better conditioned.
#include <string.h>

#include "factored.h"
#include "la/dense/kernel.h"

static const double SYMMETRIC = 1e-13; // of sqrt(W_ii W_jj): larger differences are no rounding
static const double ROUNDING = 1e-14;  // of W_ii: a smaller remainder of row i is rounding

static double W_entry(const utCoulomb* problem, int i, int j)
{
    return problem->W[(size_t)i * (size_t)ut_coulomb_rows(problem) + (size_t)j];
}

bool ut_coulomb_factorable(const utCoulomb* problem)
{
    const int N = ut_coulomb_rows(problem);
    if (problem->W == NULL || problem->W_start != NULL) {
        return false;
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++) {
            const double size = sqrt(W_entry(problem, i, i) * W_entry(problem, j, j));
            if (!(fabs(W_entry(problem, i, j) - W_entry(problem, j, i)) <= SYMMETRIC * size)) {
                return false;
            }
        }
    }
    return true;
}

// ---- Cholesky with full pivoting ----------------------------------------------------------------

typedef struct Factor {
    const utCoulomb* problem;
    int N;
    double* L; // N x N: column k of W's factor is row k
    double*
        remainder; // N: remainder of the diagonal of W; -1 for rows that are eliminated or dependent
} Factor;

// The row with the largest remainder relative to its diagonal entry. @return -1 when all is rounding
static int next_pivot(const Factor* factor)
{
    double most = ROUNDING;
    int pivot = -1;
    for (int i = 0; i < factor->N; i++) {
        const double share = factor->remainder[i] / W_entry(factor->problem, i, i);
        if (share > most) {
            most = share;
            pivot = i;
        }
    }
    return pivot;
}

// Compute column k of the factor by eliminating row `pivot`.
static void eliminate(Factor* factor, int k, int pivot)
{
    const size_t N = (size_t)factor->N;
    double* column = factor->L + (size_t)k * N;
    const double root = sqrt(factor->remainder[pivot]);
    memcpy(column, factor->problem->W + (size_t)pivot * N, N * sizeof *column);
    for (int l = 0; l < k; l++) {
        const double* earlier = factor->L + (size_t)l * N;
        ut_axpy(factor->N, -earlier[pivot], earlier, column);
    }
    for (int i = 0; i < factor->N; i++) {
        column[i] = factor->remainder[i] < 0.0 ? 0.0 : column[i] / root;
        factor->remainder[i] -= factor->remainder[i] < 0.0 ? 0.0 : column[i] * column[i];
    }
    column[pivot] = root;
    factor->remainder[pivot] = -1.0;
}

// Eliminate rows until all remainders are rounding. @return the rank
static int factorize(Factor* factor)
{
    for (int i = 0; i < factor->N; i++) {
        const double diagonal = W_entry(factor->problem, i, i);
        factor->remainder[i] = diagonal > 0.0 ? diagonal : -1.0;
    }
    int rank = 0;
    for (int pivot = next_pivot(factor); pivot >= 0 && rank < factor->N; rank++) {
        eliminate(factor, rank, pivot);
        for (int i = 0; i < factor->N; i++) {
            // a negative remainder is rounding: the row depends on the others
            factor->remainder[i] = factor->remainder[i] > 0.0 ? factor->remainder[i] : -1.0;
        }
        pivot = next_pivot(factor);
    }
    return rank;
}

// ---- the problem --------------------------------------------------------------------------------

// One node that every group of rows touches.
static utCoulombBlocks* make_blocks(const utCoulomb* problem, int rank, const double* L,
                                    utArena* arena)
{
    const int N = ut_coulomb_rows(problem);
    const int groups = problem->contacts + problem->bilaterals;
    utCoulombBlocks* blocks = UT_PUSH(arena, utCoulombBlocks, 1);
    int* start = UT_PUSH(arena, int, 2);
    int* first = UT_PUSH(arena, int, groups + 1);
    int* node = UT_PUSH(arena, int, groups);
    double* M = ut_coulomb_push(arena, rank, rank);
    double* J = ut_coulomb_push(arena, N, rank);
    if (ut_arena_failed(arena)) {
        return NULL;
    }
    start[0] = 0;
    start[1] = rank;
    for (int g = 0; g < groups; g++) {
        first[g] = g;
        node[g] = 0;
    }
    first[groups] = groups;
    memset(M, 0, (size_t)rank * (size_t)rank * sizeof *M);
    for (int k = 0; k < rank; k++) {
        M[(size_t)k * (size_t)rank + (size_t)k] = 1.0;
        for (int i = 0; i < N; i++) {
            J[(size_t)i * (size_t)rank + (size_t)k] = L[(size_t)k * (size_t)N + (size_t)i];
        }
    }
    *blocks = (utCoulombBlocks){1, start, M, first, node, J};
    return blocks;
}

utStatus ut_coulomb_factored(const utCoulomb* problem, utArena* arena, utCoulomb* global)
{
    const int N = ut_coulomb_rows(problem);
    Factor factor = {
        .problem = problem,
        .N = N,
        .L = ut_coulomb_push(arena, N, N),
        .remainder = ut_coulomb_push(arena, 1, N),
    };
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    int rank = factorize(&factor);
    if (rank == 0) {
        // nothing can move, but a problem needs one velocity: one that moves nothing
        memset(factor.L, 0, (size_t)N * sizeof *factor.L);
        rank = 1;
    }
    double* f = ut_coulomb_push(arena, 1, rank);
    const utCoulombBlocks* blocks = make_blocks(problem, rank, factor.L, arena);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    memset(f, 0, (size_t)rank * sizeof *f);
    *global = ut_coulomb_without_form(problem);
    global->dof = rank;
    global->blocks = blocks;
    global->f = f;
    global->b = problem->q;
    return UT_OK;
}
