// SPDX-License-Identifier: Apache-2.0
// Top-down construction: split the leaves at the middle of their centres along the axis of the
// largest spread, and repeat. Takes n log n for usual inputs. Where a split in space fails to
// separate the leaves, the list is halved instead.
#include "tree.h"

#include <string.h>

enum {
    MAX_SPACE_DEPTH = 64, // below this depth the list is halved, which adds at most 31 levels
    STACK_SIZE = MAX_SPACE_DEPTH + 40,
};

typedef struct Leaf {
    double center[3]; // twice the centre of the box
    int node;
} Leaf;

// bounds of the centres
typedef struct CentreBounds {
    double low[3], high[3];
} CentreBounds;

// Leaves begin ... end - 1 of the list; they become child `side` of node `parent`.
typedef struct LeafRange {
    int begin, end, parent, side, depth;
    CentreBounds centres;
} LeafRange;

static const CentreBounds no_centres = {{HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                        {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static inline void include_centre(CentreBounds* centres, const Leaf* leaf)
{
    for (int k = 0; k < 3; k++) {
        const double c = leaf->center[k];
        centres->low[k] = c < centres->low[k] ? c : centres->low[k];
        centres->high[k] = c > centres->high[k] ? c : centres->high[k];
    }
}

static int widest_axis(const CentreBounds* centres)
{
    int axis = 0;
    double most = centres->high[0] - centres->low[0];
    for (int k = 1; k < 3; k++) {
        const double width = centres->high[k] - centres->low[k];
        axis = width > most ? k : axis;
        most = width > most ? width : most;
    }
    return axis;
}

// Reorder the leaves so that those below the middle come first.
static void split_in_space(Leaf* leaf, const LeafRange* range, LeafRange* below, LeafRange* above)
{
    const int axis = widest_axis(&range->centres);
    const double cut = 0.5 * range->centres.low[axis] + 0.5 * range->centres.high[axis];
    int i = range->begin, j = range->end;
    below->centres = above->centres = no_centres;
    while (i < j) {
        if (leaf[i].center[axis] < cut) {
            include_centre(&below->centres, &leaf[i++]);
        } else {
            const Leaf moving = leaf[i];
            leaf[i] = leaf[--j];
            leaf[j] = moving;
            include_centre(&above->centres, &moving);
        }
    }
    below->end = above->begin = i;
}

static void split_in_list(const Leaf* leaf, const LeafRange* range, LeafRange* below,
                          LeafRange* above)
{
    const int middle = range->begin + (range->end - range->begin) / 2;
    below->centres = above->centres = no_centres;
    for (int i = range->begin; i < range->end; i++) {
        include_centre(i < middle ? &below->centres : &above->centres, &leaf[i]);
    }
    below->end = above->begin = middle;
}

// Split a range, which becomes node i, into two ranges.
static void split_range(Leaf* leaf, const LeafRange* range, int i, LeafRange* below,
                        LeafRange* above)
{
    *below = (LeafRange){range->begin, range->end, i, 0, range->depth + 1, range->centres};
    *above = (LeafRange){range->begin, range->end, i, 1, range->depth + 1, range->centres};
    if (range->depth < MAX_SPACE_DEPTH) {
        split_in_space(leaf, range, below, above);
    }
    if (below->end == range->begin || above->begin == range->end ||
        range->depth >= MAX_SPACE_DEPTH) {
        split_in_list(leaf, range, below, above);
    }
}

// List the leaves of a tree in tree order and its inner nodes in ascending order, so that nodes
// close in the tree are close in memory. @param used nodes->leaves entries of scratch
static int collect_nodes(const Nodes* nodes, int root, bool* used, Leaf* leaf, int* inner_node)
{
    int leaves = 0, inners = 0;
    memset(used, 0, (size_t)nodes->leaves * sizeof *used);
    for (int i = root; i != NO_NODE; i = ut_tree_next(nodes, i, true)) {
        if (ut_node_is_leaf(nodes, i)) {
            const utVec3 c = ut_vec3_add(nodes->node[i].bounds.low, nodes->node[i].bounds.high);
            leaf[leaves++] = (Leaf){{c.x, c.y, c.z}, i};
        } else {
            used[i - nodes->leaves] = true;
        }
    }
    for (int i = 0; i < nodes->leaves; i++) {
        if (used[i]) {
            inner_node[inners++] = nodes->leaves + i;
        }
    }
    return leaves;
}

static void attach(Nodes* nodes, Tree* tree, const LeafRange* range, int i)
{
    nodes->node[i].parent = range->parent;
    if (range->parent == NO_NODE) {
        tree->root = i;
    } else {
        nodes->node[range->parent].child[range->side] = i;
    }
}

void ut_tree_build(Nodes* nodes, Tree* tree, void* scratch)
{
    Leaf* leaf = scratch;
    int* inner_node = (int*)(void*)(leaf + tree->leaves);
    bool* used = (bool*)(void*)(inner_node + tree->leaves);
    LeafRange stack[STACK_SIZE];
    const int leaves = collect_nodes(nodes, tree->root, used, leaf, inner_node);
    int depth = 0, inners = 0;
    tree->changes = 0;
    if (leaves > 0) {
        LeafRange* all = &stack[depth++];
        *all = (LeafRange){0, leaves, NO_NODE, 0, 0, no_centres};
        for (int i = 0; i < leaves; i++) {
            include_centre(&all->centres, &leaf[i]);
        }
    }
    while (depth > 0) {
        const LeafRange range = stack[--depth];
        if (range.end - range.begin == 1) {
            attach(nodes, tree, &range, leaf[range.begin].node);
        } else {
            const int i = inner_node[inners++];
            attach(nodes, tree, &range, i);
            split_range(leaf, &range, i, &stack[depth + 1], &stack[depth]);
            depth += 2;
        }
    }

    // children have higher positions than their parents, so refit from the back
    for (int k = inners - 1; k >= 0; k--) {
        ut_node_refit(nodes, inner_node[k]);
    }
}
