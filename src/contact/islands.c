// SPDX-License-Identifier: Apache-2.0
// Islands: a union-find over trees, joined by contacts and by rows between bodies. A body that no
// joint moves joins nothing.
#include "contact.h"

static int find_root(int* root, int tree)
{
    while (root[tree] != tree) {
        root[tree] = root[root[tree]];
        tree = root[tree];
    }
    return tree;
}

static void join(int* root, int a, int b)
{
    if (a < 0 || b < 0) {
        return;
    }
    a = find_root(root, a);
    b = find_root(root, b);
    if (a != b) {
        root[a > b ? a : b] = a > b ? b : a;
    }
}

// One of the trees of a contact or row: both belong to the same island.
static int any_tree(const int tree[2])
{
    return tree[0] >= 0 ? tree[0] : tree[1];
}

int ut_contact_islands(const utModel* model, int contacts, utContact* contact, int rows, utRow* row,
                       int* root)
{
    for (int t = 0; t < model->ntree; t++) {
        root[t] = t;
    }
    int tree[2];
    for (int i = 0; i < contacts; i++) {
        ut_contact_trees(model, &contact[i], tree);
        join(root, tree[0], tree[1]);
    }
    for (int j = 0; j < rows; j++) {
        ut_row_trees(model, &row[j], tree);
        join(root, tree[0], tree[1]);
    }
    for (int t = 0; t < model->ntree; t++) {
        root[t] = find_root(root, t);
    }
    int count = 0;
    int* island_of_root = root + model->ntree; // -1: not numbered yet
    for (int t = 0; t < model->ntree; t++) {
        island_of_root[t] = -1;
    }
    for (int k = 0; k < contacts + rows; k++) {
        if (k < contacts) {
            ut_contact_trees(model, &contact[k], tree);
        } else {
            ut_row_trees(model, &row[k - contacts], tree);
        }
        int* island = &island_of_root[root[any_tree(tree)]];
        if (*island < 0) {
            *island = count++;
        }
        *(k < contacts ? &contact[k].island : &row[k - contacts].island) = *island;
    }
    return count;
}
