// SPDX-License-Identifier: Apache-2.0
// Direct solution of A x = b where A is made of small dense blocks, few of them not zero.
//
// An unknown belongs to a node (a body, a contact); nodes that meet have a block of A in common.
// Planning looks at the pattern alone: it orders the nodes by minimum degree, gathers them into
// dense fronts and lays out all memory. Then numbers come and go: fill the blocks, factor, solve,
// as often as needed without any allocation. A small system is one front, that is a dense matrix.
//
// Same pattern and numbers, same bits: on every machine, with every compiler.
#ifndef UPTACK_LA_SPARSE_SPARSE_H
#define UPTACK_LA_SPARSE_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <uptack/base.h>

/// Nodes with their sizes, and which of them meet. The unknowns of node k follow those of k-1.
typedef struct SparsePattern {
    int nodes;
    const int* size; ///< unknowns of each node, at least 1
    int pairs;
    const int* pair; ///< two different nodes for each pair, either first, repeated at will
} SparsePattern;

/// A dense piece of the factorization: `pivots` unknowns that are eliminated together and the
/// `below` later ones that they change. Row-major; widths are rounded up to whole vectors.
typedef struct SparseFront {
    int at;        ///< its first unknown in the order of elimination
    int pivots;    ///< unknowns eliminated here
    int below;     ///< unknowns changed
    int node;      ///< its first node in `order`; nodes run up to the next front's first
    int row;       ///< its first node in `row`; these run up to the next front's first
    int pair;      ///< its first block in `couple`; these run up to the next front's first
    int run, runs; ///< how `below` lies in the parent: a range of `runs`
    int child;     ///< its first child, -1 for none
    int sibling;   ///< the next child of its parent, -1 for none
    size_t U, G,
        C; ///< where in `factor` its rows of U and of L^T begin, where in `update` the rest
} SparseFront;

/// A block A(earlier, later) beside the diagonal and where it goes in its front.
typedef struct SparseCouple {
    int earlier, later; ///< nodes, in the order of elimination
    int row, column;    ///< first row of `earlier` and column of `later` in the front
    size_t upper;       ///< A(earlier, later) in `block`
    size_t lower;       ///< A(later, earlier) in `block`
} SparseCouple;

/// `length` unknowns at `from` among those below a front are those at `to` in its parent.
typedef struct SparseRun {
    int from, to, length;
} SparseRun;

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

    // the plan
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

    // the factors, of T A T with a unit diagonal
    double* factor;
    double* update;  ///< what fronts hand to their parents
    double* scale;   ///< n: the diagonal of T
    double* inverse; ///< n: 1 / pivot, in the order of elimination
    int* swap;       ///< n: the row that each pivot was exchanged with, within its front
    double* work;    ///< 2 n + widest
    bool symmetric;  ///< as told to ut_sparse_factor
    double more;     ///< what was added to the unit diagonal to make it positive definite, or 0
    double growth;   ///< LU: the largest entry of the factors over that of T A T. Large, say > 1e6,
                     ///< means that exchanges within fronts did not do: distrust x
    double least_pivot; ///< of T A T, in LU over the largest entry of its front's rows. Small, say
                        ///< < n 1e-15, means that A may as well be singular
} Sparse;

/// Bytes of scratch that ut_sparse_plan and ut_sparse_size take at most; SIZE_MAX on overflow.
size_t ut_sparse_plan_scratch(int nodes, int pairs);

/// Find the bytes that ut_sparse_plan takes from `keep` at most for this pattern.
/// @return UT_ERR_ARGUMENT for a pattern that is none, UT_ERR_CAPACITY when `scratch` is too small
utStatus ut_sparse_size(const SparsePattern* pattern, utArena scratch, size_t* size);

/// Order the nodes and lay out everything for the numbers, with A = 0.
/// @return UT_ERR_ARGUMENT for a pattern that is none, UT_ERR_CAPACITY when an arena is too small;
/// `keep` and `sparse` are then unchanged
utStatus ut_sparse_plan(const SparsePattern* pattern, utArena* keep, utArena scratch,
                        Sparse* sparse);

/// A = 0
void ut_sparse_clear(Sparse* sparse);

/// Where the block A(a, b) lies, row-major with one row for each unknown of a and nothing between
/// the rows; it stays there. @return NULL when a and b do not meet; a meets itself
double* ut_sparse_block(const Sparse* sparse, int a, int b);

/// Factor A, which is kept, by Cholesky or else by LU with rows exchanged within fronts. With
/// `symmetric` blocks A(a, b) with a > b are never read and, of A(a, a), all must be filled. What
/// rounding took from positive definiteness is given back, up to 1e-11 of the diagonal (`more`).
/// @return false when A is not finite, not positive definite or a pivot is below 1e-14 of its front
bool ut_sparse_factor(Sparse* sparse, bool symmetric);

/// y = A x, symmetric as told to the last ut_sparse_factor, which need not have succeeded (before
/// the first one: not symmetric); x and y do not overlap
void ut_sparse_multiply(const Sparse* sparse, const double* x, double* y);

/// x = A^-1 b by the factors and one step of iterative refinement; b and x do not overlap. Uses
/// `work`: one solve at a time.
void ut_sparse_solve(const Sparse* sparse, const double* b, double* x);

/// @return the largest entry of |b - A x| over that of |b|, or of |b - A x| for b = 0; NaN when
/// something is not finite. Uses `work`
double ut_sparse_residual(const Sparse* sparse, const double* b, const double* x);

#endif
