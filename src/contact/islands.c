// SPDX-License-Identifier: Apache-2.0
// Islands: a union-find over trees, joined by contacts and by rows. A body that no joint moves joins
// nothing.
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

// One of the trees of a contact or row: all of them belong to the same island.
static int contact_tree(const utModel* model, const utContact* contact)
{
    int tree[2];
    ut_contact_trees(model, contact, tree);
    return tree[0] >= 0 ? tree[0] : tree[1];
}

static int row_tree(const utModel* model, const utRow* row)
{
    int cursor = 0;
    return ut_row_next_tree(model, row, &cursor);
}

static void join_row(const utModel* model, const utRow* row, int* root)
{
    int cursor = 0;
    const int first = ut_row_next_tree(model, row, &cursor);
    for (int tree = first; tree >= 0; tree = ut_row_next_tree(model, row, &cursor)) {
        join(root, first, tree);
    }
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
        join_row(model, &row[j], root);
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
        const int first =
            k < contacts ? contact_tree(model, &contact[k]) : row_tree(model, &row[k - contacts]);
        int* island = &island_of_root[root[first]];
        if (*island < 0) {
            *island = count++;
        }
        *(k < contacts ? &contact[k].island : &row[k - contacts].island) = *island;
    }
    return count;
}
