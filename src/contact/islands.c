// SPDX-License-Identifier: Apache-2.0
// Islands: a union-find over trees, joined by contacts and by rows. A body that no joint moves joins
// nothing.
#include <string.h>

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

// ---- index --------------------------------------------------------------------------------------

// From the number of entries of island k in first[k + 1] to the place of its first entry in first[k].
static void add_up(int islands, int* first)
{
    for (int k = 0; k < islands; k++) {
        first[k + 1] += first[k];
    }
}

// After every entry was placed at first[k]++: first[k] again.
static void move_back(int islands, int* first)
{
    for (int k = islands; k > 0; k--) {
        first[k] = first[k - 1];
    }
    first[0] = 0;
}

static utStatus push_index(const utModel* model, int islands, int contacts, int rows,
                           utArena* arena, IslandIndex* index)
{
    *index = (IslandIndex){
        .islands = islands,
        .first_contact = UT_PUSH(arena, int, islands + 1),
        .contact = UT_PUSH(arena, int, contacts),
        .first_row = UT_PUSH(arena, int, islands + 1),
        .row = UT_PUSH(arena, int, rows),
        .first_tree = UT_PUSH(arena, int, islands + 1),
        .tree = UT_PUSH(arena, int, model->ntree),
        .node_of_tree = UT_PUSH(arena, int, model->ntree),
    };
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    memset(index->first_contact, 0, (size_t)(islands + 1) * sizeof(int));
    memset(index->first_row, 0, (size_t)(islands + 1) * sizeof(int));
    memset(index->first_tree, 0, (size_t)(islands + 1) * sizeof(int));
    for (int t = 0; t < model->ntree; t++) {
        const int dofs = model->tree[t].dofs;
        index->largest_tree = dofs > index->largest_tree ? dofs : index->largest_tree;
    }
    return UT_OK;
}

utStatus ut_contact_index(const utModel* model, int islands, int contacts, const utContact* contact,
                          int rows, const utRow* row, const int* root, utArena* arena,
                          IslandIndex* index)
{
    const int* island_of_root = root + model->ntree;
    UT_TRY(push_index(model, islands, contacts, rows, arena, index));
    for (int i = 0; i < contacts; i++) {
        index->first_contact[contact[i].island + 1]++;
    }
    for (int j = 0; j < rows; j++) {
        index->first_row[row[j].island + 1]++;
    }
    for (int t = 0; t < model->ntree; t++) {
        const int island = island_of_root[root[t]];
        if (island >= 0) {
            index->first_tree[island + 1]++;
        }
    }
    add_up(islands, index->first_contact);
    add_up(islands, index->first_row);
    add_up(islands, index->first_tree);
    for (int i = 0; i < contacts; i++) {
        index->contact[index->first_contact[contact[i].island]++] = i;
    }
    for (int j = 0; j < rows; j++) {
        index->row[index->first_row[row[j].island]++] = j;
    }
    for (int t = 0; t < model->ntree; t++) {
        const int island = island_of_root[root[t]];
        if (island >= 0) {
            index->tree[index->first_tree[island]++] = t;
        }
    }
    move_back(islands, index->first_contact);
    move_back(islands, index->first_row);
    move_back(islands, index->first_tree);
    return UT_OK;
}

utStatus ut_contact_index_all(const utModel* model, int contacts, const utContact* contact,
                              int rows, const utRow* row, utArena* arena, IslandIndex* index)
{
    UT_TRY(push_index(model, 1, contacts, rows, arena, index));
    int* found = index->node_of_tree; // 1: a contact or row acts on the tree
    int tree[2];
    memset(found, 0, (size_t)model->ntree * sizeof *found);
    for (int i = 0; i < contacts; i++) {
        index->contact[i] = i;
        ut_contact_trees(model, &contact[i], tree);
        for (int side = 0; side < 2; side++) {
            if (tree[side] >= 0) {
                found[tree[side]] = 1;
            }
        }
    }
    for (int j = 0; j < rows; j++) {
        int cursor = 0;
        index->row[j] = j;
        for (int t = ut_row_next_tree(model, &row[j], &cursor); t >= 0;
             t = ut_row_next_tree(model, &row[j], &cursor)) {
            found[t] = 1;
        }
    }
    int trees = 0;
    for (int t = 0; t < model->ntree; t++) {
        if (found[t] == 1) {
            index->tree[trees++] = t;
        }
    }
    index->first_contact[1] = contacts;
    index->first_row[1] = rows;
    index->first_tree[1] = trees;
    return UT_OK;
}
