// Trees that touch, gathered: a union-find over trees, joined by contacts. A
// fixed body joins nothing.
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

static int tree_of_geom(const utModel* model, int geom)
{
    return model->body[model->geom[geom].body].tree;
}

static int tree_of_row(const utModel* model, const utRow* row)
{
    return model->body[model->dof_body[row->dof]].tree;
}

// The tree that stands for a contact: either's.
static int tree_of_contact(const utModel* model, const utContact* contact)
{
    const int tree = tree_of_geom(model, contact->geom1);
    return tree >= 0 ? tree : tree_of_geom(model, contact->geom2);
}

int ut_contact_islands(const utModel* model, int contacts, utContact* contact, int rows, utRow* row,
                       int* root)
{
    for (int t = 0; t < model->ntree; t++) {
        root[t] = t;
    }
    for (int i = 0; i < contacts; i++) {
        join(root, tree_of_geom(model, contact[i].geom1), tree_of_geom(model, contact[i].geom2));
    }
    for (int t = 0; t < model->ntree; t++) {
        root[t] = find_root(root, t);
    }
    int count = 0;
    int* name = root + model->ntree; // of each root, -1 for none yet
    for (int t = 0; t < model->ntree; t++) {
        name[t] = -1;
    }
    for (int k = 0; k < contacts + rows; k++) {
        const int tree = k < contacts ? tree_of_contact(model, &contact[k])
                                      : tree_of_row(model, &row[k - contacts]);
        int* island = &name[root[tree]];
        if (*island < 0) {
            *island = count++;
        }
        *(k < contacts ? &contact[k].island : &row[k - contacts].island) = *island;
    }
    return count;
}
