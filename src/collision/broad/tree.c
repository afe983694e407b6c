// SPDX-License-Identifier: Apache-2.0
// A dynamic tree of boxes. The cost of a tree is the surface area of all inner boxes, because the
// area is proportional to the probability that a query visits the box.
#include "tree.h"

// half the surface area
static double half_area(const utBounds* a)
{
    const utVec3 d = ut_vec3_sub(a->high, a->low);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static double joint_half_area(const utBounds* a, const utBounds* b)
{
    const utBounds c = ut_bounds_join(a, b);
    return half_area(&c);
}

// ---- nodes --------------------------------------------------------------------------------------

void ut_nodes_clear(Nodes* nodes)
{
    const int end = 2 * nodes->leaves;
    for (int i = 0; i < end; i++) {
        nodes->node[i].parent = i + 1 < end ? i + 1 : NO_NODE;
        nodes->node[i].stamp = 0;
    }
    nodes->free = nodes->leaves > 0 ? nodes->leaves : NO_NODE;
}

// There are always enough free nodes: a tree has one inner node fewer than leaves.
static int allocate_node(Nodes* nodes)
{
    const int i = nodes->free;
    nodes->free = nodes->node[i].parent;
    return i;
}

static void release_node(Nodes* nodes, int i)
{
    nodes->node[i].parent = nodes->free;
    nodes->free = i;
}

void ut_node_refit(Nodes* nodes, int i)
{
    Node* node = nodes->node;
    const Node* a = &node[node[i].child[0]];
    const Node* b = &node[node[i].child[1]];
    node[i].bounds = ut_bounds_join(&a->bounds, &b->bounds);
    node[i].stamp = a->stamp > b->stamp ? a->stamp : b->stamp;
}

// ---- rotations ----------------------------------------------------------------------------------

// Swap child `side` of node i with its nephew, child `grand` of the other child.
static void exchange(Nodes* nodes, int i, int side, int grand)
{
    Node* node = nodes->node;
    const int uncle = node[i].child[side], parent = node[i].child[1 - side];
    const int nephew = node[parent].child[grand];
    node[i].child[side] = nephew;
    node[nephew].parent = i;
    node[parent].child[grand] = uncle;
    node[uncle].parent = parent;
    ut_node_refit(nodes, parent);
}

// Of the four possible swaps below node i apply the one that saves most surface area, if any.
static void rotate(Nodes* nodes, int i)
{
    const Node* node = nodes->node;
    double most = 0.0;
    int best = -1;
    for (int side = 0; side < 2; side++) {
        const int below = node[i].child[1 - side];
        if (ut_node_is_leaf(nodes, below)) {
            continue;
        }
        const Node* uncle = &node[node[i].child[side]];
        const double before = half_area(&node[below].bounds);
        for (int grand = 0; grand < 2; grand++) {
            const Node* stays = &node[node[below].child[1 - grand]];
            const double saved = before - joint_half_area(&uncle->bounds, &stays->bounds);
            if (saved > most) {
                most = saved;
                best = 2 * side + grand;
            }
        }
    }
    if (best >= 0) {
        exchange(nodes, i, best / 2, best % 2);
    }
}

// Refit the boxes from node i up to the root and apply rotations that save area.
static void refit_upward(Nodes* nodes, int i)
{
    while (i != NO_NODE) {
        ut_node_refit(nodes, i);
        rotate(nodes, i);
        i = nodes->node[i].parent;
    }
}

// ---- leaves -------------------------------------------------------------------------------------

// Area added below node i when a new leaf goes there: the growth of the box, and for a leaf the
// area of the new parent.
static double descent_cost(const Nodes* nodes, int i, const utBounds* bounds)
{
    const utBounds* here = &nodes->node[i].bounds;
    const double joined = joint_half_area(here, bounds);
    return ut_node_is_leaf(nodes, i) ? joined : joined - half_area(here);
}

// Choose the sibling of a new leaf: descend while that is cheaper than stopping. Where the new box
// holds the whole node, no place below is cheaper: the new parent is nowhere smaller than the new box.
// Without this stop, equal boxes would make a tree as deep as it has leaves and descend all of it.
static int find_sibling(const Nodes* nodes, int root, const utBounds* bounds)
{
    const Node* node = nodes->node;
    const double least = half_area(bounds);
    int i = root;
    while (!ut_node_is_leaf(nodes, i)) {
        const double joined = joint_half_area(&node[i].bounds, bounds);
        const double inherited = joined - half_area(&node[i].bounds);
        const double a = inherited + descent_cost(nodes, node[i].child[0], bounds);
        const double b = inherited + descent_cost(nodes, node[i].child[1], bounds);
        if (!(joined > least) || (joined < a && joined < b)) {
            break;
        }
        i = node[i].child[a <= b ? 0 : 1];
    }
    return i;
}

static void replace_child(Nodes* nodes, Tree* tree, int parent, int old, int new)
{
    if (parent == NO_NODE) {
        tree->root = new;
    } else {
        int* child = nodes->node[parent].child;
        child[child[0] == old ? 0 : 1] = new;
    }
    nodes->node[new].parent = parent;
}

void ut_tree_insert(Nodes* nodes, Tree* tree, int leaf, utBounds bounds, uint32_t stamp)
{
    nodes->node[leaf] = (Node){bounds, NO_NODE, {NO_NODE, NO_NODE}, stamp};
    tree->leaves++;
    tree->changes++;
    if (tree->root == NO_NODE) {
        tree->root = leaf;
        return;
    }
    const int sibling = find_sibling(nodes, tree->root, &bounds);
    const int parent = allocate_node(nodes);
    replace_child(nodes, tree, nodes->node[sibling].parent, sibling, parent);
    nodes->node[parent].child[0] = sibling;
    nodes->node[parent].child[1] = leaf;
    nodes->node[sibling].parent = parent;
    nodes->node[leaf].parent = parent;
    refit_upward(nodes, parent);
}

void ut_tree_remove(Nodes* nodes, Tree* tree, int leaf)
{
    const int parent = nodes->node[leaf].parent;
    tree->leaves--;
    tree->changes++;
    if (parent == NO_NODE) {
        tree->root = NO_NODE;
        return;
    }
    const int* child = nodes->node[parent].child;
    const int sibling = child[child[0] == leaf ? 1 : 0];
    const int above = nodes->node[parent].parent;
    replace_child(nodes, tree, above, parent, sibling);
    release_node(nodes, parent);
    refit_upward(nodes, above);
}

void ut_tree_move(Nodes* nodes, Tree* tree, int leaf, utBounds bounds, uint32_t stamp)
{
    Node* node = nodes->node;
    node[leaf].bounds = bounds;
    node[leaf].stamp = stamp;
    tree->changes++;
    for (int i = node[leaf].parent; i != NO_NODE; i = node[i].parent) {
        const bool holds = ut_bounds_hold(&node[i].bounds, &bounds);
        if (holds && node[i].stamp == stamp) {
            break; // all boxes above hold it too, because they hold this one
        }
        if (!holds) {
            node[i].bounds = ut_bounds_join(&node[i].bounds, &bounds);
        }
        node[i].stamp = stamp;
    }
}
