// SPDX-License-Identifier: Apache-2.0
// All pairs of leaves whose boxes meet: a simultaneous descent of two trees, or of one tree and
// itself.
#include "tree.h"

// A stack of node pairs to visit. A pair of equal nodes stands for the pairs below that node.
typedef struct PairWalk {
    const Nodes* nodes;
    uint32_t since;
    IdPair* stack;
    int depth;
} PairWalk;

enum { MAX_PUSHES = 4 }; // per visited pair

static inline bool is_stamped(const PairWalk* walk, int i)
{
    return walk->nodes->node[i].stamp >= walk->since;
}

// Push a pair if it is wanted. The write is unconditional, because the branch is not predictable.
static inline void push_pair_if(PairWalk* walk, bool wanted, int a, int b)
{
    walk->stack[walk->depth] = (IdPair){a, b};
    walk->depth += wanted;
}

static inline void visit_pair(PairWalk* walk, int a, int b)
{
    const Node* node = walk->nodes->node;
    const bool a_stamped = is_stamped(walk, a), b_stamped = is_stamped(walk, b);
    const bool meet = ut_bounds_meet(&node[a].bounds, &node[b].bounds);
    const bool wanted = (a_stamped | b_stamped) & meet;
    push_pair_if(walk, wanted, a, b);
}

static inline void visit_self(PairWalk* walk, int i)
{
    push_pair_if(walk, is_stamped(walk, i) && !ut_node_is_leaf(walk->nodes, i), i, i);
}

// Push the pairs below one node.
static inline void split_self(PairWalk* walk, int i)
{
    const int* child = walk->nodes->node[i].child;
    visit_self(walk, child[1]);
    visit_self(walk, child[0]);
    visit_pair(walk, child[0], child[1]);
}

// Push the pairs below two nodes; node a is not a leaf.
static inline void split_two(PairWalk* walk, int a, int b)
{
    const int* child = walk->nodes->node[a].child;
    if (ut_node_is_leaf(walk->nodes, b)) {
        visit_pair(walk, child[0], b);
        visit_pair(walk, child[1], b);
        return;
    }
    const int* other = walk->nodes->node[b].child;
    visit_pair(walk, child[0], other[0]);
    visit_pair(walk, child[0], other[1]);
    visit_pair(walk, child[1], other[0]);
    visit_pair(walk, child[1], other[1]);
}

bool ut_tree_pairs(const Nodes* nodes, int a, int b, uint32_t since, IdPair* stack, int depth,
                   PairList* list)
{
    PairWalk walk = {nodes, since, stack, 0};
    if (a == NO_NODE || b == NO_NODE || depth < 1) {
        return a == NO_NODE || b == NO_NODE;
    }
    if (a != b) {
        visit_pair(&walk, a, b);
    } else {
        visit_self(&walk, a);
    }
    while (walk.depth > 0) {
        const IdPair pair = walk.stack[--walk.depth];
        const int lower = pair.low < pair.high ? pair.low : pair.high;
        const int higher = pair.low < pair.high ? pair.high : pair.low;
        if (lower == higher) {
            split_self(&walk, lower);
        } else if (!ut_node_is_leaf(nodes, higher)) {
            split_two(&walk, higher, lower);
        } else if (list->count < list->capacity) {
            list->pair[list->count++] = (IdPair){lower, higher};
        } else {
            return false;
        }
        if (walk.depth > depth - MAX_PUSHES) {
            return false;
        }
    }
    return true;
}
