// A dynamic tree of boxes. The cost of a tree is the surface of all its inner boxes, because that
// is how often a query looks into them.
#include "collision/tree.h"

static utBounds join(const utBounds* a, const utBounds* b)
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

// half the surface
static double surface(const utBounds* a)
{
    const utVec3 d = ut_vec3_sub(a->high, a->low);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static double joint_surface(const utBounds* a, const utBounds* b)
{
    const utBounds c = join(a, b);
    return surface(&c);
}

// ---- nodes --------------------------------------------------------------------------------------

void ut_nodes_clear(Nodes* nodes, int count)
{
    for (int i = 0; i < count; i++) {
        nodes->node[i].parent = i + 1 < count ? i + 1 : NO_NODE;
    }
    nodes->free = count > 0 ? 0 : NO_NODE;
}

static int take(Nodes* nodes)
{
    const int i = nodes->free;
    nodes->free = nodes->node[i].parent;
    return i;
}

static void give_back(Nodes* nodes, int i)
{
    nodes->node[i].parent = nodes->free;
    nodes->free = i;
}

static bool is_leaf(const Node* node)
{
    return node->child[0] == NO_NODE;
}

// ---- rotations ----------------------------------------------------------------------------------

// Let an uncle change places with its nephew: child `side` of node i and child `grand` of the other
// child.
static void exchange(Nodes* nodes, int i, int side, int grand)
{
    Node* node = nodes->node;
    const int uncle = node[i].child[side], parent = node[i].child[1 - side];
    const int nephew = node[parent].child[grand];
    node[i].child[side] = nephew;
    node[nephew].parent = i;
    node[parent].child[grand] = uncle;
    node[uncle].parent = parent;
    node[parent].bounds = join(&node[uncle].bounds, &node[node[parent].child[1 - grand]].bounds);
}

// Of the four exchanges below node i do the one that saves most surface, if any.
static void rotate(Nodes* nodes, int i)
{
    const Node* node = nodes->node;
    double most = 0.0;
    int best = -1;
    for (int k = 0; k < 4; k++) {
        const int side = k / 2, grand = k % 2;
        const Node* uncle = &node[node[i].child[side]];
        const Node* parent = &node[node[i].child[1 - side]];
        if (!is_leaf(parent)) {
            const Node* stays = &node[parent->child[1 - grand]];
            const double saved =
                surface(&parent->bounds) - joint_surface(&uncle->bounds, &stays->bounds);
            if (saved > most) {
                most = saved;
                best = k;
            }
        }
    }
    if (best >= 0) {
        exchange(nodes, i, best / 2, best % 2);
    }
}

// from node i up to the root: fit the boxes and turn what can be better
static void repair(Nodes* nodes, int i)
{
    Node* node = nodes->node;
    while (i != NO_NODE) {
        const Node* a = &node[node[i].child[0]];
        const Node* b = &node[node[i].child[1]];
        node[i].bounds = join(&a->bounds, &b->bounds);
        rotate(nodes, i);
        i = node[i].parent;
    }
}

// ---- leaves -------------------------------------------------------------------------------------

// What it costs below a node to go on into it: the surface that it grows by, and for a leaf the
// surface of the new parent.
static double cost_below(const Node* node, const utBounds* bounds)
{
    const double joined = joint_surface(&node->bounds, bounds);
    return is_leaf(node) ? joined : joined - surface(&node->bounds);
}

// The node that a new leaf becomes the sibling of: go down as long as that is cheaper than to stop.
static int find_sibling(const Nodes* nodes, int root, const utBounds* bounds)
{
    const Node* node = nodes->node;
    int i = root;
    while (!is_leaf(&node[i])) {
        const double joined = joint_surface(&node[i].bounds, bounds);
        const double inherited = joined - surface(&node[i].bounds);
        const double a = inherited + cost_below(&node[node[i].child[0]], bounds);
        const double b = inherited + cost_below(&node[node[i].child[1]], bounds);
        if (joined < a && joined < b) {
            break;
        }
        i = node[i].child[a <= b ? 0 : 1];
    }
    return i;
}

static void replace_child(Nodes* nodes, int* root, int parent, int old, int new)
{
    if (parent == NO_NODE) {
        *root = new;
    } else {
        int* child = nodes->node[parent].child;
        child[child[0] == old ? 0 : 1] = new;
    }
    nodes->node[new].parent = parent;
}

int ut_tree_insert(Nodes* nodes, int* root, utBounds bounds, int id)
{
    const int leaf = take(nodes);
    nodes->node[leaf] = (Node){bounds, NO_NODE, {NO_NODE, NO_NODE}, id};
    if (*root == NO_NODE) {
        *root = leaf;
        return leaf;
    }
    const int sibling = find_sibling(nodes, *root, &bounds);
    const int parent = take(nodes);
    replace_child(nodes, root, nodes->node[sibling].parent, sibling, parent);
    nodes->node[parent].child[0] = sibling;
    nodes->node[parent].child[1] = leaf;
    nodes->node[parent].id = -1;
    nodes->node[sibling].parent = parent;
    nodes->node[leaf].parent = parent;
    repair(nodes, parent);
    return leaf;
}

void ut_tree_remove(Nodes* nodes, int* root, int leaf)
{
    const int parent = nodes->node[leaf].parent;
    if (parent == NO_NODE) {
        *root = NO_NODE;
    } else {
        const int* child = nodes->node[parent].child;
        const int sibling = child[child[0] == leaf ? 1 : 0];
        const int above = nodes->node[parent].parent;
        replace_child(nodes, root, above, parent, sibling);
        give_back(nodes, parent);
        repair(nodes, above);
    }
    give_back(nodes, leaf);
}

int ut_tree_query(const Nodes* nodes, int root, const utBounds* bounds, int* stack, int* found)
{
    int depth = 0, count = 0;
    if (root != NO_NODE) {
        stack[depth++] = root;
    }
    while (depth > 0) {
        const Node* node = &nodes->node[stack[--depth]];
        if (!ut_bounds_meet(&node->bounds, bounds)) {
            continue;
        }
        if (is_leaf(node)) {
            found[count++] = node->id;
        } else {
            stack[depth++] = node->child[1];
            stack[depth++] = node->child[0];
        }
    }
    return count;
}
