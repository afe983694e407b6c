// SPDX-License-Identifier: Apache-2.0
// Direct solution of A x = b, where A consists of small dense blocks and most blocks are zero.
//
// Every unknown belongs to a node (a body, a contact). Two nodes are neighbours when A has a block
// for them. ut_sparse_plan looks at the pattern only: it orders the nodes by minimum degree, groups
// them into dense fronts and allocates all memory. Then a caller can fill the blocks, factor and
// solve any number of times without allocation. A small system is one front: a dense matrix.
//
// The same pattern and numbers give the same bits on every machine and with every compiler.
#ifndef UPTACK_LA_SPARSE_SPARSE_H
#define UPTACK_LA_SPARSE_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <uptack/base.h>

/// Nodes with their sizes, and the pairs of neighbours. The unknowns of node k follow those of k-1.
typedef struct SparsePattern {
    int nodes;
    const int* size; ///< unknowns of each node, at least 1
    int pairs;
    const int* pair; ///< 2 pairs: two different nodes each, in any order; repetitions are fine
} SparsePattern;

/// A dense piece of the factorization: `pivots` unknowns are eliminated together and change `below`
/// later unknowns. Row-major; widths are rounded up to whole vectors.
typedef struct SparseFront {
    int at;        ///< its first unknown in the order of elimination
    int pivots;    ///< unknowns that it eliminates
    int below;     ///< later unknowns that it changes
    int node;      ///< its first node in `order`; the range ends at the next front's
    int row;       ///< its first node in `row`; the range ends at the next front's
    int pair;      ///< its first block in `couple`; the range ends at the next front's
    int run, runs; ///< range of `runs`: the position of `below` in the parent
    int child;     ///< its first child, -1 for none
    int sibling;   ///< the next child of its parent, -1 for none
    size_t U, G;   ///< first entry in `factor` of its rows of U, and of L^T
    size_t C;      ///< first entry in `update` of its Schur complement
} SparseFront;

/// An off-diagonal block A(earlier, later) and its place in its front.
typedef struct SparseCouple {
    int earlier, later; ///< nodes, in the order of elimination
    int row, column;    ///< first row of `earlier` and column of `later` in the front
    size_t upper;       ///< A(earlier, later) in `block`
    size_t lower;       ///< A(later, earlier) in `block`
} SparseCouple;

/// `length` unknowns that begin at `from` below a front and at `to` in its parent.
typedef struct SparseRun {
    int from, to, length;
} SparseRun;

/// The order of elimination and the fronts.
typedef struct SparsePlan {
    int* order;    ///< nodes in the order of elimination
    int* position; ///< nodes: the place of each one's first unknown in the order of elimination
    int fronts;
    int couples;
    SparseFront* front; ///< fronts + 1, children before parents
    int* row;           ///< nodes below each front, in the order of elimination
    SparseRun* runs;
    SparseCouple* couple;
    size_t nonzeros;     ///< of L without zeros that fronts add, diagonal included
    size_t factor_count; ///< doubles in `factor`
    size_t update_count; ///< doubles in `update`
    int widest;          ///< doubles in a row of the widest front
} SparsePlan;

/// Plan, matrix and factors. Made by ut_sparse_plan; plain data on the arena `keep`.
typedef struct Sparse {
    // the matrix as the caller sees it
    int n; ///< unknowns
    int nodes;
    int* offset;        ///< nodes + 1: the first unknown of each node
    int* first;         ///< nodes + 1: range of `neighbour` of each node
    int* neighbour;     ///< in ascending order
    size_t* diagonal;   ///< nodes: A(k, k) in `block`
    size_t* beside;     ///< for each neighbour: A(k, neighbour) in `block`
    double* block;      ///< all blocks
    size_t block_count; ///< doubles in `block`

    SparsePlan plan;

    // the factors, of T A T with a unit diagonal
    double* factor;
    double* update;  ///< Schur complements, which fronts pass to their parents
    double* scale;   ///< n: the diagonal of T
    double* inverse; ///< n: 1 / pivot, in the order of elimination
    int* swap;       ///< n: the row that each pivot was exchanged with, within its front
    double* work;    ///< 2 n + widest
    bool symmetric;  ///< argument of ut_sparse_factor
    double shift;    ///< added to the unit diagonal to make T A T positive definite, or 0
    double growth;   ///< LU: the largest entry of the factors over that of T A T. Above about 1e6
                     ///< pivoting within fronts was not enough, and x is not reliable
    double least_pivot; ///< of T A T, in LU relative to the largest entry of its front's rows.
                        ///< Below about n 1e-15 A is singular within rounding
} Sparse;

/// Order the nodes and allocate the matrix, which is not set, and its factors. Arrays that only the plan
/// needs stay in `keep` too.
/// @return UT_ERR_ARGUMENT for a wrong size or node in the pattern, UT_ERR_CAPACITY without memory;
///         `keep` and `sparse` are then unchanged
utStatus ut_sparse_plan(const SparsePattern* pattern, utArena* keep, Sparse* sparse);

/// A = 0
void ut_sparse_clear(Sparse* sparse);

/// The block A(a, b): row-major and contiguous, one row for each unknown of a. It does not move.
/// @return NULL when a and b are neither equal nor neighbours
double* ut_sparse_block(const Sparse* sparse, int a, int b);

/// Factor A by Cholesky (`symmetric`) or by LU with row exchanges within fronts. A is not changed.
/// With `symmetric`, blocks A(a, b) with a > b are not read, and A(a, a) must be filled completely.
/// If rounding made A indefinite, up to 1e-11 of the diagonal is added (`shift`).
/// @return false when A is not finite, not positive definite or a pivot is below 1e-14 of its front
bool ut_sparse_factor(Sparse* sparse, bool symmetric);

/// The sign of the determinant of A after a successful LU factorization. @return 1 or -1
int ut_sparse_sign(const Sparse* sparse);

/// y = A x; x and y do not overlap. A counts as symmetric if the last ut_sparse_factor was called
/// so, even if it failed; before the first one A is not symmetric.
void ut_sparse_multiply(const Sparse* sparse, const double* x, double* y);

/// x = A^-1 b by the factors and one step of iterative refinement; b and x do not overlap. Uses
/// `work`: one solve at a time.
void ut_sparse_solve(const Sparse* sparse, const double* b, double* x);

/// The same without refinement, at half the cost, for callers that correct the error of x themselves.
void ut_sparse_solve_once(const Sparse* sparse, const double* b, double* x);

#endif
