// SPDX-License-Identifier: Apache-2.0
// A dynamic tree of boxes: leaves are added, moved and removed one by one, rotations keep it good
// (Catto, Dynamic bounding volume hierarchies, 2019), and after as many changes as it has leaves it
// is worth building anew.
#ifndef UPTACK_COLLISION_BROAD_TREE_H
#define UPTACK_COLLISION_BROAD_TREE_H

#include <uptack/geom.h>

enum { NO_NODE = -1 };

/// One cache line. Leaf i is node i; the others come after the leaves.
typedef struct Node {
    utBounds bounds;
    int parent;     ///< NO_NODE for a root; the next free node in the list of those
    int child[2];   ///< without meaning for a leaf
    uint32_t stamp; ///< the last change of a box below it, or its own
} Node;

/// Nodes for several trees that share the leaves 0 ... leaves - 1.
typedef struct Nodes {
    Node* node; ///< 2 leaves
    int leaves;
    int free; ///< head of a list
} Nodes;

typedef struct Tree {
    int root;    ///< NO_NODE when empty
    int leaves;  ///< how many it holds
    int changes; ///< leaves added, moved or removed since it was built
} Tree;

static inline bool ut_bounds_meet(const utBounds* a, const utBounds* b)
{
    // all six at once: which of them fails cannot be foretold
    return (a->low.x <= b->high.x) & (b->low.x <= a->high.x) & (a->low.y <= b->high.y) &
           (b->low.y <= a->high.y) & (a->low.z <= b->high.z) & (b->low.z <= a->high.z);
}

static inline bool ut_bounds_hold(const utBounds* a, const utBounds* b)
{
    return a->low.x <= b->low.x && a->low.y <= b->low.y && a->low.z <= b->low.z &&
           b->high.x <= a->high.x && b->high.y <= a->high.y && b->high.z <= a->high.z;
}

static inline utBounds ut_bounds_join(const utBounds* a, const utBounds* b)
{
    utBounds c = *a;
    c.low.x = b->low.x < c.low.x ? b->low.x : c.low.x;
    c.low.y = b->low.y < c.low.y ? b->low.y : c.low.y;
    c.low.z = b->low.z < c.low.z ? b->low.z : c.low.z;
    c.high.x = b->high.x > c.high.x ? b->high.x : c.high.x;
    c.high.y = b->high.y > c.high.y ? b->high.y : c.high.y;
    c.high.z = b->high.z > c.high.z ? b->high.z : c.high.z;
    return c;
}

static inline bool ut_node_is_leaf(const Nodes* nodes, int i)
{
    return i < nodes->leaves;
}

void ut_nodes_clear(Nodes* nodes);

/// A free node. There is one for every leaf but the first of a tree.
int ut_nodes_take(Nodes* nodes);
void ut_nodes_give_back(Nodes* nodes, int i);

/// The box and the stamp of a node from those of its children.
void ut_node_fit(Nodes* nodes, int i);

void ut_tree_insert(Nodes* nodes, Tree* tree, int leaf, utBounds bounds, uint32_t stamp);
void ut_tree_remove(Nodes* nodes, Tree* tree, int leaf);

/// Give a leaf another box where it is: those above it grow. For short ways.
void ut_tree_move(Nodes* nodes, Tree* tree, int leaf, utBounds bounds, uint32_t stamp);

/// Build it anew from its leaves, by halves of space. @param scratch for a tree of all leaves,
/// aligned as a double
void ut_tree_build(Nodes* nodes, Tree* tree, void* scratch);
size_t ut_tree_build_scratch(int leaves);

// ---- looking into it ----------------------------------------------------------------------------

/// The node after i, depth first. @param into go on below it @return NO_NODE at the end
static inline int ut_tree_next(const Nodes* nodes, int i, bool into)
{
    const Node* node = nodes->node;
    if (into && !ut_node_is_leaf(nodes, i)) {
        return node[i].child[0];
    }
    int above = node[i].parent;
    while (above != NO_NODE && node[above].child[1] == i) {
        i = above;
        above = node[i].parent;
    }
    return above == NO_NODE ? NO_NODE : node[above].child[1];
}

typedef struct IdPair {
    int low, high;
} IdPair;

/// Where pairs go.
typedef struct PairList {
    int count, room;
    IdPair* pair;
} PairList;

/// Append all pairs of leaves whose boxes meet and of which one at least is stamped `since` or
/// later: of one tree, or of two.
/// @param a, b  roots, the same or different ones; NO_NODE: nothing to do
/// @param stack, depth  room to work in, as long as it is deep enough
/// @return false when the pairs did not fit, or the stack
bool ut_tree_pairs(const Nodes* nodes, int a, int b, uint32_t since, IdPair* stack, int depth,
                   PairList* list);

#endif
