// SPDX-License-Identifier: Apache-2.0
// The order of elimination and the fronts of block-sparse matrices.
#include "graph.h"
#include "matrix.h"

// Unknowns of L when the nodes are eliminated in an order, by marking all pairs.
static size_t fill_of_order(const Graph* g, utArena arena, const int* order)
{
    const int nodes = g->nodes;
    bool* meets = UT_PUSH(&arena, bool, (size_t)nodes*(size_t)nodes);
    memset(meets, 0, (size_t)nodes * (size_t)nodes);
    for (int k = 0; k < g->pairs; k++) {
        meets[at(nodes, g->pair[2 * k], g->pair[2 * k + 1])] = true;
        meets[at(nodes, g->pair[2 * k + 1], g->pair[2 * k])] = true;
    }
    size_t count = 0;
    for (int k = 0; k < nodes; k++) {
        const int p = order[k];
        count += (size_t)(g->size[p] * (g->size[p] + 1) / 2);
        for (int l = k + 1; l < nodes; l++) {
            const int a = order[l];
            if (!meets[at(nodes, p, a)]) {
                continue;
            }
            count += (size_t)(g->size[p] * g->size[a]);
            for (int m = k + 1; m < nodes; m++) {
                if (m != l && meets[at(nodes, p, order[m])]) {
                    meets[at(nodes, a, order[m])] = true;
                }
            }
        }
    }
    return count;
}

// Greedy by the exact degree, of equals the lowest index.
static void greedy_order(const Graph* g, utArena arena, int* order)
{
    const int nodes = g->nodes;
    bool* meets = UT_PUSH(&arena, bool, (size_t)nodes*(size_t)nodes);
    bool* gone = UT_PUSH(&arena, bool, nodes);
    memset(meets, 0, (size_t)nodes * (size_t)nodes);
    memset(gone, 0, (size_t)nodes);
    for (int k = 0; k < g->pairs; k++) {
        meets[at(nodes, g->pair[2 * k], g->pair[2 * k + 1])] = true;
        meets[at(nodes, g->pair[2 * k + 1], g->pair[2 * k])] = true;
    }
    for (int k = 0; k < nodes; k++) {
        int best = -1;
        int least_degree = 0;
        for (int a = 0; a < nodes; a++) {
            int degree = 0;
            for (int b = 0; b < nodes; b++) {
                degree += !gone[b] && b != a && meets[at(nodes, a, b)] ? g->size[b] : 0;
            }
            if (!gone[a] && (best < 0 || degree < least_degree)) {
                best = a;
                least_degree = degree;
            }
        }
        order[k] = best;
        gone[best] = true;
        for (int e = 0; e < nodes * nodes; e++) {
            const int a = e / nodes;
            const int b = e % nodes;
            if (a != b && meets[at(nodes, best, a)] && meets[at(nodes, best, b)]) {
                meets[e] = true;
            }
        }
    }
}

TEST(the_order_holds_each_node_once_and_nonzeros_are_counted_right)
{
    utRng rng = ut_rng(90, 0);
    for (int which = 0; which < FAMILIES + 20; which++) {
        utArena arena = test_arena();
        const Graph g = which < FAMILIES ? family(&arena, &rng, which)
                                         : random_graph(&arena, &rng, 80, 10 * which, 3);
        const Sparse s = plan(&g, &arena);
        int seen[200] = {0};
        for (int k = 0; k < g.nodes; k++) {
            seen[s.plan.order[k]]++;
        }
        for (int k = 0; k < g.nodes; k++) {
            CHECK_INT(seen[k], 1);
        }
        CHECK_INT(s.plan.nonzeros, fill_of_order(&g, arena, s.plan.order));
    }
}

TEST(trees_are_factored_without_fill)
{
    utArena arena = test_arena();
    const Graph line = chain(&arena, 50, 6);
    CHECK_INT(plan(&line, &arena).plan.nonzeros, 50 * 21 + 49 * 36);

    // a star, also one with very many leaves: at most one of them after the centre
    for (int leaves = 5; leaves <= 500; leaves *= 10) {
        const Graph g = star(&arena, leaves, 6);
        const Sparse s = plan(&g, &arena);
        CHECK_INT(s.plan.nonzeros, (leaves + 1) * 21 + leaves * 36);
        if (s.plan.fronts > 1) {
            CHECK(s.plan.position[0] >= 6 * (leaves - 1));
        }
    }

    utRng rng = ut_rng(91, 0);
    Graph tree = new_graph(&arena, 200, 1);
    int want = 0;
    mix_sizes(&tree, &rng, 5);
    for (int k = 0; k < 200; k++) {
        want += tree.size[k] * (tree.size[k] + 1) / 2;
        if (k > 0) {
            const int parent = ut_rng_below(&rng, k);
            meet(&tree, k, parent);
            want += tree.size[k] * tree.size[parent];
        }
    }
    // by degrees in unknowns a tree may see a little fill: a heavy leaf waits for its parent
    const size_t got = plan(&tree, &arena).plan.nonzeros;
    CHECK(got >= (size_t)want);
    CHECK((double)got <= 1.1 * want);
}

TEST(a_grid_has_far_less_fill_than_in_natural_order)
{
    utArena arena = test_arena();
    const Graph g = grid(&arena, 30, 30, 1);
    const Sparse s = plan(&g, &arena);
    int natural[900];
    for (int k = 0; k < 900; k++) {
        natural[k] = k;
    }
    const size_t banded = fill_of_order(&g, arena, natural);
    test_note("grid 30 x 30: %zu entries of L, %zu in natural order", s.plan.nonzeros, banded);
    CHECK(2 * s.plan.nonzeros < banded);
}

// The bound of the degree and nodes taken together may cost or save a little against the greedy
// order; over many graphs it must not lose more than a tenth.
TEST(the_order_is_about_as_good_as_exact_minimum_degree)
{
    utRng rng = ut_rng(92, 0);
    size_t ours = 0;
    size_t greedy = 0;
    for (int k = 0; k < 40; k++) {
        utArena arena = test_arena();
        const Graph g = random_graph(&arena, &rng, 20 + k, 20 + 3 * k, 1 + k % 6);
        int order[64];
        greedy_order(&g, arena, order);
        greedy += fill_of_order(&g, arena, order);
        ours += plan(&g, &arena).plan.nonzeros;
    }
    test_note("entries of L: %zu, by exact greedy degree %zu", ours, greedy);
    CHECK((double)ours <= 1.1 * (double)greedy);
}

// What a front of a chain hands on is 6 rows of width 8, and only one of them waits while the next
// is made.
TEST(a_long_chain_takes_little_memory_and_a_small_system_is_one_front)
{
    utArena arena = test_arena();
    const Graph line = chain(&arena, 300, 6);
    const Sparse s = plan(&line, &arena);
    CHECK_INT(s.plan.update_count, 2 * 6 * 8);
    CHECK(s.plan.fronts > 50);
    CHECK(s.plan.widest < 50);

    const Graph small = chain(&arena, 6, 6);
    const Sparse t = plan(&small, &arena);
    CHECK_INT(t.plan.fronts, 1);
    CHECK_INT(t.plan.front[0].pivots, 36);
    CHECK_INT(t.plan.update_count, 0);

    // parts that do not meet too
    const Graph apart = new_graph(&arena, 12, 3);
    CHECK_INT(plan(&apart, &arena).plan.fronts, 1);
}
