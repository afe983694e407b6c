// SPDX-License-Identifier: Apache-2.0
// What is found from the pattern of a block-sparse matrix alone (sparse.h).
#ifndef UPTACK_LA_SPARSE_SYMBOLIC_H
#define UPTACK_LA_SPARSE_SYMBOLIC_H

#include "base/size.h"
#include "sparse.h"

/// Who meets whom, both ways.
typedef struct Adjacency {
    int nodes;
    int* first;     ///< nodes + 1
    int* neighbour; ///< ascending for each node, without repetition
} Adjacency;

/// Order the nodes by approximate minimum degree, counted in unknowns; of equals the lowest index
/// goes first. Nodes that meet very many others go last.
/// @param order nodes entries @return false when `scratch` is too small
bool ut_order_minimum_degree(const Adjacency* graph, const int* size, utArena scratch, int* order);

/// Bytes of scratch that ut_order_minimum_degree takes at most; SIZE_MAX on overflow.
size_t ut_order_scratch(int nodes, int pairs);

/// n unknowns in whole vectors: the next multiple of four
static inline int padded(int n)
{
    return (n + 3) & ~3;
}

/// The fronts of a factorization; all arrays live on scratch.
typedef struct Symbolic {
    Adjacency graph;
    int n;      ///< unknowns
    int* order; ///< nodes in the order of elimination
    int* place; ///< nodes: the inverse of `order`
    int fronts;
    int* front_of;   ///< the front of each node
    int* node;       ///< fronts + 1: the first node of each front in `order`
    int* parent;     ///< fronts: a later front, or -1
    int* pivots;     ///< fronts: unknowns
    int* below;      ///< fronts: unknowns
    int* row;        ///< fronts + 1: the first node below each front in a list of all
    int* mark;       ///< fronts, for the walks of ut_symbolic_rows
    size_t nonzeros; ///< of L, without zeros that fronts add
} Symbolic;

/// @return UT_ERR_ARGUMENT for a pattern that is none, UT_ERR_CAPACITY when `scratch` is too small
utStatus ut_symbolic(const SparsePattern* pattern, utArena* scratch, Symbolic* symbolic);

/// List the nodes below each front in the order of elimination: row[symbolic->row[f]] ...
/// @param next fronts entries of scratch
void ut_symbolic_rows(const Symbolic* symbolic, int* next, int* row);

/// x = A^-1 b by the factors alone, without refinement; b and x may be the same
void ut_front_solve(const Sparse* sparse, const double* b, double* x);

/// Bytes of scratch that ut_symbolic takes at most; SIZE_MAX on overflow.
size_t ut_symbolic_scratch(int nodes, int pairs);

#endif
