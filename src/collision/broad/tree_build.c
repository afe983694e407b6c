// SPDX-License-Identifier: Apache-2.0
// A tree of boxes from scratch: the middle of the leaves' centres along the axis on which they are
// spread most parts them in two, and so on. n log n on anything that is not made to be hard; where
// halves of space do not part the leaves, halves of their list do.
#include "tree.h"

#include <string.h>

enum {
    SPACE_DEPTH = 64, // below this the list is halved: at most 31 levels more
    STACK = SPACE_DEPTH + 40,
};

typedef struct Leaf {
    double center[3]; // twice that, in truth
    int node;
} Leaf;

// how far centres are spread
typedef struct Spread {
    double low[3], high[3];
} Spread;

// leaves begin ... end - 1 of the list, to become child `side` of a node
typedef struct Part {
    int begin, end, parent, side, depth;
    Spread spread;
} Part;

static const Spread nothing = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static inline void widen(Spread* spread, const Leaf* leaf)
{
    for (int k = 0; k < 3; k++) {
        const double c = leaf->center[k];
        spread->low[k] = c < spread->low[k] ? c : spread->low[k];
        spread->high[k] = c > spread->high[k] ? c : spread->high[k];
    }
}

static int widest_axis(const Spread* spread)
{
    int axis = 0;
    double most = spread->high[0] - spread->low[0];
    for (int k = 1; k < 3; k++) {
        const double width = spread->high[k] - spread->low[k];
        axis = width > most ? k : axis;
        most = width > most ? width : most;
    }
    return axis;
}

// Bring what is below the middle to the front: below and above it, ready to be parted in turn.
static void part_in_space(Leaf* leaf, const Part* part, Part* below, Part* above)
{
    const int axis = widest_axis(&part->spread);
    const double cut = 0.5 * part->spread.low[axis] + 0.5 * part->spread.high[axis];
    int i = part->begin, j = part->end;
    below->spread = above->spread = nothing;
    while (i < j) {
        if (leaf[i].center[axis] < cut) {
            widen(&below->spread, &leaf[i++]);
        } else {
            const Leaf moving = leaf[i];
            leaf[i] = leaf[--j];
            leaf[j] = moving;
            widen(&above->spread, &moving);
        }
    }
    below->end = above->begin = i;
}

static void part_in_list(const Leaf* leaf, const Part* part, Part* below, Part* above)
{
    const int middle = part->begin + (part->end - part->begin) / 2;
    below->spread = above->spread = nothing;
    for (int i = part->begin; i < part->end; i++) {
        widen(i < middle ? &below->spread : &above->spread, &leaf[i]);
    }
    below->end = above->begin = middle;
}

// The two parts of a part that becomes node i.
static void split(Leaf* leaf, const Part* part, int i, Part* below, Part* above)
{
    *below = (Part){part->begin, part->end, i, 0, part->depth + 1, part->spread};
    *above = (Part){part->begin, part->end, i, 1, part->depth + 1, part->spread};
    if (part->depth < SPACE_DEPTH) {
        part_in_space(leaf, part, below, above);
    }
    if (below->end == part->begin || above->begin == part->end || part->depth >= SPACE_DEPTH) {
        part_in_list(leaf, part, below, above);
    }
}

// The leaves of a tree, in their order in it, and its other nodes in ascending order, so that what
// is near in the tree will be near in memory. @param used nodes->leaves entries
static int collect(const Nodes* nodes, int root, bool* used, Leaf* leaf, int* inner)
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
            inner[inners++] = nodes->leaves + i;
        }
    }
    return leaves;
}

static void attach(Nodes* nodes, Tree* tree, const Part* part, int i)
{
    nodes->node[i].parent = part->parent;
    if (part->parent == NO_NODE) {
        tree->root = i;
    } else {
        nodes->node[part->parent].child[part->side] = i;
    }
}

size_t ut_tree_build_scratch(int leaves)
{
    return (size_t)leaves * (sizeof(Leaf) + sizeof(int) + sizeof(bool));
}

void ut_tree_build(Nodes* nodes, Tree* tree, void* scratch)
{
    Leaf* leaf = scratch;
    int* inner = (int*)(void*)(leaf + tree->leaves);
    bool* used = (bool*)(void*)(inner + tree->leaves);
    Part stack[STACK];
    const int leaves = collect(nodes, tree->root, used, leaf, inner);
    int depth = 0, inners = 0;
    tree->changes = 0;
    if (leaves > 0) {
        Part* all = &stack[depth++];
        *all = (Part){0, leaves, NO_NODE, 0, 0, nothing};
        for (int i = 0; i < leaves; i++) {
            widen(&all->spread, &leaf[i]);
        }
    }
    while (depth > 0) {
        const Part part = stack[--depth];
        if (part.end - part.begin == 1) {
            attach(nodes, tree, &part, leaf[part.begin].node);
        } else {
            const int i = inner[inners++];
            attach(nodes, tree, &part, i);
            split(leaf, &part, i, &stack[depth + 1], &stack[depth]);
            depth += 2;
        }
    }

    // parents were made before their children
    for (int k = inners - 1; k >= 0; k--) {
        ut_node_fit(nodes, inner[k]);
    }
}
