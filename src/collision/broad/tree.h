// SPDX-License-Identifier: Apache-2.0
// A dynamic bounding-volume tree. Leaves are inserted, moved and removed one by one; rotations keep
// the tree balanced (Catto, Dynamic bounding volume hierarchies, 2019). After as many changes as it
// has leaves the tree is worth rebuilding.
#ifndef UPTACK_COLLISION_BROAD_TREE_H
#define UPTACK_COLLISION_BROAD_TREE_H

#include "geom/bounds.h"

enum { NO_NODE = -1 };

/// One cache line. Node i < leaves is leaf i; inner nodes follow the leaves.
typedef struct Node {
    utBounds bounds;
    int parent;     ///< NO_NODE for a root; in the list of free nodes the next one
    int child[2];   ///< undefined for a leaf
    uint32_t stamp; ///< latest change of the box or of a box below
} Node;

/// Nodes shared by several trees whose leaves are 0 ... leaves - 1.
typedef struct Nodes {
    Node* node; ///< 2 leaves entries
    int leaves;
    int free; ///< head of the list of free nodes
} Nodes;

typedef struct Tree {
    int root;    ///< NO_NODE when empty
    int leaves;  ///< number of leaves
    int changes; ///< insertions, moves and removals since the last rebuild
} Tree;

static inline bool ut_node_is_leaf(const Nodes* nodes, int i)
{
    return i < nodes->leaves;
}

/// Make all inner nodes free.
void ut_nodes_clear(Nodes* nodes);

/// Compute the box and the stamp of an inner node from its children.
void ut_node_refit(Nodes* nodes, int i);

void ut_tree_insert(Nodes* nodes, Tree* tree, int leaf, utBounds bounds, uint32_t stamp);
void ut_tree_remove(Nodes* nodes, Tree* tree, int leaf);

/// Replace the box of a leaf without moving the leaf; boxes above it grow. Meant for short motions.
void ut_tree_move(Nodes* nodes, Tree* tree, int leaf, utBounds bounds, uint32_t stamp);

/// Rebuild the tree top-down from its leaves. @param scratch 37 bytes per leaf, aligned for double
void ut_tree_build(Nodes* nodes, Tree* tree, void* scratch);

// ---- traversal ----------------------------------------------------------------------------------

/// The next node after i in depth-first order. @param into visit the children of i
/// @return NO_NODE at the end
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

/// Output list of pairs.
typedef struct PairList {
    int count, capacity;
    IdPair* pair;
} PairList;

/// Append all pairs of leaves whose boxes meet and of which at least one is stamped `since` or
/// later.
/// @param a, b   roots: equal for the pairs within one tree, different for pairs between two trees;
///               NO_NODE: no pairs
/// @param stack, depth  scratch memory and its size
/// @return false when the list or the stack is too small
bool ut_tree_pairs(const Nodes* nodes, int a, int b, uint32_t since, IdPair* stack, int depth,
                   PairList* list);

#endif
