// SPDX-License-Identifier: Apache-2.0
// From the pattern to the fronts: order the nodes, find the elimination tree, group columns with
// equal patterns, and merge children into their parents where one larger front is cheaper than two.
#include "la/internal.h"
#include "symbolic.h"

#include <limits.h>
#include <string.h>

enum { NONE = -1 };

// Cost of a front in multiplications, measured on chains, walls and piles of nodes of 6 unknowns.
static const double COST_PER_FRONT = 800.0;
static const double COST_PER_PASSED_ENTRY = 4.0; // entry of a Schur complement

enum {
    MAX_UNKNOWNS = 1 << 24,  // so that 64 rows of the widest front have fewer than 2^31 entries
    MAX_DENSE_UNKNOWNS = 36, // up to here one dense front is faster
};

// ---- neighbours ---------------------------------------------------------------------------------

static bool usable(const SparsePattern* pattern)
{
    if (pattern->nodes < 0 || pattern->pairs < 0 || pattern->pairs > INT_MAX / 8) {
        return false;
    }
    long long n = 0;
    for (int k = 0; k < pattern->nodes; k++) {
        n += pattern->size[k];
        if (pattern->size[k] < 1 || n > MAX_UNKNOWNS) {
            return false;
        }
    }
    for (int k = 0; k < 2 * pattern->pairs; k++) {
        if (pattern->pair[k] < 0 || pattern->pair[k] >= pattern->nodes ||
            pattern->pair[k] == pattern->pair[k ^ 1]) {
            return false;
        }
    }
    return true;
}

// Turn the lengths of lists, first[k], into ranges: list k goes from first[k] to first[k + 1].
// @param next where the next entry of each list goes: its beginning
static void ranges(int lists, int* first, int* next)
{
    int total = 0;
    for (int k = 0; k < lists; k++) {
        const int count = first[k];
        first[k] = total;
        next[k] = total;
        total += count;
    }
    first[lists] = total;
}

// List the neighbours of each node, sorted: the lists are transposed, node after node adds itself to
// the lists of its neighbours.
static bool find_neighbours(const SparsePattern* pattern, utArena* scratch, Adjacency* graph)
{
    const int nodes = pattern->nodes;
    graph->nodes = nodes;
    graph->first = UT_PUSH(scratch, int, nodes + 1);
    graph->neighbour = UT_PUSH(scratch, int, 2 * pattern->pairs);
    utArena mine = *scratch;
    int* next = UT_PUSH(&mine, int, nodes);
    int* unsorted = UT_PUSH(&mine, int, 2 * pattern->pairs);
    if (ut_arena_failed(&mine)) {
        return false;
    }
    memset(graph->first, 0, ((size_t)nodes + 1) * sizeof(int));
    for (int k = 0; k < 2 * pattern->pairs; k++) {
        graph->first[pattern->pair[k]]++;
    }
    ranges(nodes, graph->first, next);
    for (int k = 0; k < 2 * pattern->pairs; k++) {
        unsorted[next[pattern->pair[k]]++] = pattern->pair[k ^ 1];
    }
    memcpy(next, graph->first, (size_t)nodes * sizeof(int));
    for (int a = 0; a < nodes; a++) {
        for (int k = graph->first[a]; k < graph->first[a + 1]; k++) {
            graph->neighbour[next[unsorted[k]]++] = a;
        }
    }
    // each neighbour once
    int count = 0;
    int begin = 0;
    for (int a = 0; a < nodes; a++) {
        const int end = graph->first[a + 1];
        graph->first[a] = count;
        for (int k = begin; k < end; k++) {
            if (count == graph->first[a] || graph->neighbour[count - 1] != graph->neighbour[k]) {
                graph->neighbour[count++] = graph->neighbour[k];
            }
        }
        begin = end;
    }
    graph->first[nodes] = count;
    return true;
}

// ---- the elimination tree -----------------------------------------------------------------------

typedef struct Tree {
    int* parent;   // of each place in the order, or NONE
    int* ancestor; // path compression: an ancestor, or NONE
    int* child;    // the first child
    int* sibling;  // the next child of the parent
    int* moved;    // the new position of each place
    int* pivots;   // unknowns of a front that begins here, else 0
    int* below;    // unknowns below the column
    int* count;    // nodes below the column
    int* top;      // the last place of the front that this place belongs to
    int* next;     // the next place of its front; NONE at the top
    int* bottom;   // of a top: the first place of its front
    int* copy;
} Tree;

static void invert(int count, const int* order, int* place)
{
    for (int k = 0; k < count; k++) {
        place[order[k]] = k;
    }
}

// Liu's algorithm: column k is the parent of each root that its row reaches.
static void find_parents(const Symbolic* s, Tree* tree)
{
    for (int k = 0; k < s->graph.nodes; k++) {
        const int a = s->order[k];
        tree->parent[k] = NONE;
        tree->ancestor[k] = NONE;
        for (int l = s->graph.first[a]; l < s->graph.first[a + 1]; l++) {
            int at = s->place[s->graph.neighbour[l]];
            while (at < k && at != NONE) {
                const int up = tree->ancestor[at];
                tree->ancestor[at] = k;
                if (up == NONE) {
                    tree->parent[at] = k;
                }
                at = up;
            }
        }
    }
}

// Number a forest so that each subtree is a range that ends with its root. Parents have higher
// numbers than children before too.
static void postorder(int count, const int* parent, int* child, int* sibling, int* moved)
{
    int roots = NONE;
    for (int k = 0; k < count; k++) {
        child[k] = NONE;
    }
    for (int k = count - 1; k >= 0; k--) {
        int* list = parent[k] == NONE ? &roots : &child[parent[k]];
        sibling[k] = *list;
        *list = k;
    }
    int number = 0;
    for (int at = roots; at != NONE;) {
        if (child[at] != NONE) {
            // down; the child's list is used up, so the way back does not come here again
            const int down = child[at];
            child[at] = NONE;
            at = down;
            continue;
        }
        moved[at] = number++;
        at = sibling[at] != NONE ? sibling[at] : parent[at];
    }
}

// order[moved[k]] = the old order[k]
static void reorder(Symbolic* s, const int* moved, int* copy)
{
    memcpy(copy, s->order, (size_t)s->graph.nodes * sizeof(int));
    for (int k = 0; k < s->graph.nodes; k++) {
        s->order[moved[k]] = copy[k];
    }
    invert(s->graph.nodes, s->order, s->place);
}

// Count the entries below each column: row k has entries on the paths from its neighbours up to k.
static void count_columns(Symbolic* s, const int* size, Tree* tree)
{
    int* mark = tree->ancestor;
    s->nonzeros = 0;
    for (int k = 0; k < s->graph.nodes; k++) {
        const int a = s->order[k];
        mark[k] = k;
        tree->below[k] = 0;
        tree->count[k] = 0;
        s->nonzeros += (size_t)size[a] * ((size_t)size[a] + 1) / 2;
        for (int l = s->graph.first[a]; l < s->graph.first[a + 1]; l++) {
            int at = s->place[s->graph.neighbour[l]];
            for (; at < k && mark[at] != k; at = tree->parent[at]) {
                mark[at] = k;
                tree->below[at] += size[a];
                tree->count[at]++;
                s->nonzeros += (size_t)size[a] * (size_t)size[s->order[at]];
            }
        }
    }
}

// ---- fronts -------------------------------------------------------------------------------------

// Cost of a front that eliminates p of w unknowns: the sum of (w - k)^2 / 2 for k < p, and overhead.
static double cost(double p, double below)
{
    const double w = p + below;
    const double rest = w - p;
    return COST_PER_FRONT + (w * w * w - rest * rest * rest) / 6.0 +
           COST_PER_PASSED_ENTRY * below * below;
}

// Successive columns with the same pattern form a front.
static void group_equal_columns(const Symbolic* s, const int* size, Tree* tree)
{
    int bottom = 0;
    for (int k = 0; k < s->graph.nodes; k++) {
        tree->pivots[k] = 0;
        tree->next[k] = NONE;
        const bool joins =
            k > bottom && tree->parent[k - 1] == k && tree->count[k - 1] == tree->count[k] + 1;
        if (joins) {
            tree->next[k - 1] = k;
            tree->pivots[k] = tree->pivots[k - 1];
        } else {
            bottom = k;
        }
        tree->pivots[k] += size[s->order[k]];
        tree->bottom[k] = bottom;
    }
}

// Find the top of each front by following `next`; a top refers to itself.
static void find_tops(int count, Tree* tree)
{
    for (int k = count - 1; k >= 0; k--) {
        tree->top[k] = tree->next[k] == NONE ? k : tree->top[tree->next[k]];
    }
}

// Merge each front with the children that make it cheaper, descendants first.
static void merge_children(int count, Tree* tree)
{
    for (int k = 0; k < count; k++) {
        tree->child[k] = NONE;
    }
    for (int p = 0; p < count; p++) {
        if (tree->top[p] != p) {
            continue;
        }
        for (int c = tree->child[p]; c != NONE; c = tree->sibling[c]) {
            const int joined = tree->pivots[p] + tree->pivots[c];
            const double apart =
                cost(tree->pivots[p], tree->below[p]) + cost(tree->pivots[c], tree->below[c]);
            if (cost(joined, tree->below[p]) <= apart) {
                tree->next[c] = tree->bottom[p];
                tree->bottom[p] = tree->bottom[c];
                tree->pivots[p] = joined;
            }
        }
        // p becomes a child of the front above it
        if (tree->parent[p] != NONE) {
            const int above = tree->top[tree->parent[p]];
            tree->sibling[p] = tree->child[above];
            tree->child[above] = p;
        }
    }
}

// Number the fronts by their tops, children before parents, and the nodes by their fronts.
static void number_fronts(Symbolic* s, const Tree* tree, int* copy)
{
    const int nodes = s->graph.nodes;
    memcpy(copy, s->order, (size_t)nodes * sizeof(int));
    int count = 0;
    s->fronts = 0;
    for (int top = 0; top < nodes; top++) {
        if (tree->next[top] != NONE) {
            continue;
        }
        s->node[s->fronts] = count;
        s->pivots[s->fronts] = tree->pivots[top];
        s->below[s->fronts] = tree->below[top];
        for (int k = tree->bottom[top]; k != NONE; k = tree->next[k]) {
            s->front_of[copy[k]] = s->fronts;
            s->order[count++] = copy[k];
        }
        s->fronts++;
    }
    s->node[s->fronts] = count;
    for (int top = 0, f = 0; top < nodes; top++) {
        if (tree->next[top] == NONE) {
            const int up = tree->parent[top];
            s->parent[f++] = up == NONE ? NONE : s->front_of[copy[up]];
        }
    }
    invert(nodes, s->order, s->place);
}

// One front with all nodes.
static void make_one_front(Symbolic* s)
{
    s->fronts = 1;
    s->node[0] = 0;
    s->node[1] = s->graph.nodes;
    s->parent[0] = NONE;
    s->pivots[0] = s->n;
    s->below[0] = 0;
    memset(s->front_of, 0, (size_t)s->graph.nodes * sizeof(int));
}

// Walk the rows of L: node `a` is below the fronts on the paths from its neighbours up to its own.
static void walk_rows(const Symbolic* s, int* count, int* row)
{
    for (int f = 0; f < s->fronts; f++) {
        s->mark[f] = NONE;
    }
    for (int k = 0; k < s->graph.nodes; k++) {
        const int a = s->order[k];
        const int own = s->front_of[a];
        for (int l = s->graph.first[a]; l < s->graph.first[a + 1]; l++) {
            int f = s->front_of[s->graph.neighbour[l]];
            for (; f < own && s->mark[f] != k; f = s->parent[f]) {
                s->mark[f] = k;
                if (row != NULL) {
                    row[count[f]] = a;
                }
                count[f]++;
            }
        }
    }
}

void ut_symbolic_rows(const Symbolic* symbolic, int* next, int* row)
{
    memcpy(next, symbolic->row, (size_t)symbolic->fronts * sizeof(int));
    walk_rows(symbolic, next, row);
}

// ---- the whole ----------------------------------------------------------------------------------

static bool push(Symbolic* s, utArena* scratch)
{
    int** array[] = {&s->order,  &s->place, &s->front_of, &s->node, &s->parent,
                     &s->pivots, &s->below, &s->row,      &s->mark};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
        *array[k] = UT_PUSH(scratch, int, (size_t)s->graph.nodes + 2);
    }
    return !ut_arena_failed(scratch);
}

static bool push_tree(Tree* tree, int nodes, utArena* scratch)
{
    int** array[] = {&tree->parent, &tree->ancestor, &tree->child,  &tree->sibling,
                     &tree->moved,  &tree->pivots,   &tree->below,  &tree->count,
                     &tree->top,    &tree->next,     &tree->bottom, &tree->copy};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
        *array[k] = UT_PUSH(scratch, int, nodes);
    }
    return !ut_arena_failed(scratch);
}

static bool find_fronts(Symbolic* s, const int* size, utArena scratch)
{
    const int nodes = s->graph.nodes;
    Tree tree;
    if (!ut_order_minimum_degree(&s->graph, size, scratch, s->order) ||
        !push_tree(&tree, nodes, &scratch)) {
        return false;
    }
    invert(nodes, s->order, s->place);
    find_parents(s, &tree);
    postorder(nodes, tree.parent, tree.child, tree.sibling, tree.moved);
    reorder(s, tree.moved, tree.copy);
    find_parents(s, &tree);
    count_columns(s, size, &tree);
    if (s->n <= MAX_DENSE_UNKNOWNS) {
        make_one_front(s);
        return true;
    }
    group_equal_columns(s, size, &tree);
    find_tops(nodes, &tree);
    merge_children(nodes, &tree);
    number_fronts(s, &tree, tree.copy);
    return true;
}

utStatus ut_symbolic(const SparsePattern* pattern, utArena* scratch, Symbolic* symbolic)
{
    if (!usable(pattern)) {
        return UT_ERR_ARGUMENT;
    }
    Symbolic s = {.graph.nodes = pattern->nodes};
    if (!find_neighbours(pattern, scratch, &s.graph) || !push(&s, scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int k = 0; k < pattern->nodes; k++) {
        s.n += pattern->size[k];
    }
    if (!find_fronts(&s, pattern->size, *scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(s.row, 0, (size_t)s.fronts * sizeof(int));
    walk_rows(&s, s.row, NULL);
    ranges(s.fronts, s.row, s.mark);
    *symbolic = s;
    return UT_OK;
}
