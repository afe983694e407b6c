// SPDX-License-Identifier: Apache-2.0
// Patterns of block-sparse matrices to test with.
#ifndef UPTACK_TEST_LA_GRAPH_H
#define UPTACK_TEST_LA_GRAPH_H

#include "la/sparse/sparse.h"
#include "test.h"

/// A pattern to which pairs are added.
typedef struct Graph {
    int nodes;
    int* size;
    int pairs;
    int* pair;
} Graph;

enum { MOST_PAIRS = 20000 };

static inline Graph new_graph(utArena* arena, int nodes, int size)
{
    Graph g = {nodes, UT_PUSH(arena, int, nodes), 0, UT_PUSH(arena, int, 2 * MOST_PAIRS)};
    for (int k = 0; k < nodes; k++) {
        g.size[k] = size;
    }
    return g;
}

static inline void meet(Graph* g, int a, int b)
{
    g->pair[2 * g->pairs] = a;
    g->pair[2 * g->pairs + 1] = b;
    g->pairs++;
}

static inline SparsePattern pattern_of(const Graph* g)
{
    return (SparsePattern){g->nodes, g->size, g->pairs, g->pair};
}

static inline void mix_sizes(Graph* g, utRng* rng, int most)
{
    for (int k = 0; k < g->nodes; k++) {
        g->size[k] = 1 + ut_rng_below(rng, most);
    }
}

static inline Graph chain(utArena* arena, int nodes, int size)
{
    Graph g = new_graph(arena, nodes, size);
    for (int k = 0; k + 1 < nodes; k++) {
        meet(&g, k, k + 1);
    }
    return g;
}

static inline Graph ring(utArena* arena, int nodes, int size)
{
    Graph g = chain(arena, nodes, size);
    meet(&g, nodes - 1, 0);
    return g;
}

static inline Graph star(utArena* arena, int leaves, int size)
{
    Graph g = new_graph(arena, leaves + 1, size);
    for (int k = 1; k <= leaves; k++) {
        meet(&g, k, 0);
    }
    return g;
}

static inline Graph grid(utArena* arena, int width, int height, int size)
{
    Graph g = new_graph(arena, width * height, size);
    for (int k = 0; k < width * height; k++) {
        if (k % width + 1 < width) {
            meet(&g, k, k + 1);
        }
        if (k / width + 1 < height) {
            meet(&g, k + width, k);
        }
    }
    return g;
}

static inline Graph complete(utArena* arena, int nodes, int size)
{
    Graph g = new_graph(arena, nodes, size);
    for (int a = 0; a < nodes; a++) {
        for (int b = 0; b < a; b++) {
            meet(&g, a, b);
        }
    }
    return g;
}

/// Some nodes meet nobody, some pairs come twice and both ways round.
static inline Graph random_graph(utArena* arena, utRng* rng, int nodes, int pairs, int most)
{
    Graph g = new_graph(arena, nodes, 1);
    mix_sizes(&g, rng, most);
    for (int k = 0; k < pairs && nodes > 1; k++) {
        const int a = ut_rng_below(rng, nodes);
        const int b = (a + 1 + ut_rng_below(rng, nodes - 1)) % nodes;
        meet(&g, a, b);
        if (k % 5 == 0) {
            meet(&g, b, a);
            meet(&g, a, b);
        }
    }
    return g;
}

enum { FAMILIES = 12 };

static inline Graph family(utArena* arena, utRng* rng, int which)
{
    Graph g;
    switch (which) {
    case 0:
        return new_graph(arena, 1, 5);
    case 1:
        return chain(arena, 30, 6);
    case 2:
        g = chain(arena, 40, 1);
        mix_sizes(&g, rng, 12);
        return g;
    case 3:
        return ring(arena, 25, 6);
    case 4:
        g = star(arena, 30, 1);
        mix_sizes(&g, rng, 6);
        return g;
    case 5:
        return grid(arena, 8, 8, 6);
    case 6:
        g = grid(arena, 9, 11, 1);
        mix_sizes(&g, rng, 4);
        return g;
    case 7:
        return complete(arena, 23, 6); // more pivots than are taken at once
    case 8:
        return random_graph(arena, rng, 40, 20, 12); // in many parts
    case 9:
        return random_graph(arena, rng, 60, 120, 7);
    case 10:
        return random_graph(arena, rng, 50, 500, 3);
    default:
        return new_graph(arena, 20, 3); // nobody meets anybody
    }
}

static inline Sparse plan(const Graph* g, utArena* arena)
{
    Sparse s = {0};
    const SparsePattern pattern = pattern_of(g);
    CHECK(ut_sparse_plan(&pattern, arena, &s) == UT_OK);
    ut_sparse_clear(&s);
    return s;
}

#endif
