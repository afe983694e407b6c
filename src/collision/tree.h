// A dynamic tree of boxes: leaves are added and removed one by one, and rotations keep it good
// without ever building it anew (Catto, Dynamic bounding volume hierarchies, 2019).
#ifndef UPTACK_COLLISION_TREE_H
#define UPTACK_COLLISION_TREE_H

#include <uptack/geom.h>

enum { NO_NODE = -1 };

typedef struct Node {
    utBounds bounds;
    int parent;   ///< NO_NODE for a root; the next free node in the list of those
    int child[2]; ///< NO_NODE, NO_NODE for a leaf
    int id;       ///< of a leaf
} Node;

/// Nodes for several trees: n leaves in all need at most 2 n.
typedef struct Nodes {
    Node* node;
    int free; ///< head of a list
} Nodes;

static inline bool ut_bounds_meet(const utBounds* a, const utBounds* b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static inline bool ut_bounds_hold(const utBounds* a, const utBounds* b)
{
    return a->low.x <= b->low.x && a->low.y <= b->low.y && a->low.z <= b->low.z &&
           b->high.x <= a->high.x && b->high.y <= a->high.y && b->high.z <= a->high.z;
}

void ut_nodes_clear(Nodes* nodes, int count);

/// @param root of the tree, changed when need be @return the new leaf
int ut_tree_insert(Nodes* nodes, int* root, utBounds bounds, int id);
void ut_tree_remove(Nodes* nodes, int* root, int leaf);

/// The ids of all leaves whose boxes meet `bounds`, in no particular order.
/// @param stack as many entries as there are leaves, and one more
/// @param found as many entries as there are leaves
/// @return how many
int ut_tree_query(const Nodes* nodes, int root, const utBounds* bounds, int* stack, int* found);

#endif
