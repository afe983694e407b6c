// SPDX-License-Identifier: Apache-2.0
// Symbolic factorization of a block-sparse matrix (sparse.h): everything that the pattern decides.
#ifndef UPTACK_LA_SPARSE_SYMBOLIC_H
#define UPTACK_LA_SPARSE_SYMBOLIC_H

#include "sparse.h"

/// The neighbours of every node, listed for both nodes of a pair.
typedef struct Adjacency {
    int nodes;
    int* first;     ///< nodes + 1
    int* neighbour; ///< ascending for each node, without repetition
} Adjacency;

/// Order the nodes by approximate minimum degree, counted in unknowns; among equals the lowest index
/// goes first. Nodes with very many neighbours go last.
/// @param order nodes entries @return false when there is no memory
bool ut_order_minimum_degree(const Adjacency* graph, const int* size, utArena scratch, int* order);

/// n unknowns in whole vectors: the next multiple of four
static inline int padded(int n)
{
    return (n + 3) & ~3;
}

/// The fronts of a factorization. All arrays are on the arena of ut_symbolic.
typedef struct Symbolic {
    Adjacency graph;
    int n;      ///< unknowns
    int* order; ///< nodes in the order of elimination
    int* place; ///< nodes: the inverse of `order`
    int fronts;
    int* front_of;   ///< the front of each node
    int* node;       ///< fronts + 1: the first node of each front in `order`
    int* parent;     ///< fronts: a later front, or -1
    int* pivots;     ///< fronts: number of unknowns that each eliminates
    int* below;      ///< fronts: number of later unknowns that each changes
    int* row;        ///< fronts + 1: the first node below each front in a list of all
    int* mark;       ///< fronts: work of ut_symbolic_rows
    size_t nonzeros; ///< of L, without the zeros that fronts add
} Symbolic;

/// @return UT_ERR_ARGUMENT for a wrong size or node in the pattern, UT_ERR_CAPACITY without memory
utStatus ut_symbolic(const SparsePattern* pattern, utArena* scratch, Symbolic* symbolic);

/// List the nodes below each front in the order of elimination: row[symbolic->row[f]] ...
/// @param next fronts entries of scratch
void ut_symbolic_rows(const Symbolic* symbolic, int* next, int* row);

/// x = A^-1 b by the factors alone, without refinement; b and x may be the same
void ut_front_solve(const Sparse* sparse, const double* b, double* x);

#endif
