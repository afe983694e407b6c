// SPDX-License-Identifier: Apache-2.0
// All pairs of leaves whose boxes meet, by going down two trees, or one tree beside itself, at the
// same time.
#include "tree.h"

// Pairs of nodes still to be looked into: different ones that meet, or one twice, for the pairs
// below it.
typedef struct Walk {
    const Nodes* nodes;
    uint32_t since;
    IdPair* stack;
    int depth;
} Walk;

enum { MOST_PUSHED = 4 }; // at a time

static inline bool is_stamped(const Walk* walk, int i)
{
    return walk->nodes->node[i].stamp >= walk->since;
}

// Push a pair when it is wanted: written in any case, since whether it counts cannot be foretold.
static inline void push_if(Walk* walk, bool wanted, int a, int b)
{
    walk->stack[walk->depth] = (IdPair){a, b};
    walk->depth += wanted;
}

static inline void visit(Walk* walk, int a, int b)
{
    const Node* node = walk->nodes->node;
    const bool a_stamped = is_stamped(walk, a), b_stamped = is_stamped(walk, b);
    const bool meet = ut_bounds_meet(&node[a].bounds, &node[b].bounds);
    const bool wanted = (a_stamped | b_stamped) & meet;
    push_if(walk, wanted, a, b);
}

static inline void visit_self(Walk* walk, int i)
{
    push_if(walk, is_stamped(walk, i) && !ut_node_is_leaf(walk->nodes, i), i, i);
}

// pairs below one node
static inline void split(Walk* walk, int i)
{
    const int* child = walk->nodes->node[i].child;
    visit_self(walk, child[1]);
    visit_self(walk, child[0]);
    visit(walk, child[0], child[1]);
}

// pairs below two nodes of which the first at least is no leaf
static inline void split_two(Walk* walk, int a, int b)
{
    const int* child = walk->nodes->node[a].child;
    if (ut_node_is_leaf(walk->nodes, b)) {
        visit(walk, child[0], b);
        visit(walk, child[1], b);
        return;
    }
    const int* other = walk->nodes->node[b].child;
    visit(walk, child[0], other[0]);
    visit(walk, child[0], other[1]);
    visit(walk, child[1], other[0]);
    visit(walk, child[1], other[1]);
}

bool ut_tree_pairs(const Nodes* nodes, int a, int b, uint32_t since, IdPair* stack, int depth,
                   PairList* list)
{
    Walk walk = {nodes, since, stack, 0};
    if (a == NO_NODE || b == NO_NODE || depth < 1) {
        return a == NO_NODE || b == NO_NODE;
    }
    if (a != b) {
        visit(&walk, a, b);
    } else {
        visit_self(&walk, a);
    }
    while (walk.depth > 0) {
        const IdPair pair = walk.stack[--walk.depth];
        const int lower = pair.low < pair.high ? pair.low : pair.high;
        const int higher = pair.low < pair.high ? pair.high : pair.low;
        if (lower == higher) {
            split(&walk, lower);
        } else if (!ut_node_is_leaf(nodes, higher)) {
            split_two(&walk, higher, lower);
        } else if (list->count < list->room) {
            list->pair[list->count++] = (IdPair){lower, higher};
        } else {
            return false;
        }
        if (walk.depth > depth - MOST_PUSHED) {
            return false;
        }
    }
    return true;
}
