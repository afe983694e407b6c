// SPDX-License-Identifier: Apache-2.0
// The friction problem of one island in the form by blocks. Each tree is a node with its block of
// M̂. Each compliant row has a node of its own with a single velocity and the mass 1 / compliance:
// the impulse r gives it the velocity compliance r, which is the term that the row adds to u.
#include <string.h>

#include "contact.h"

enum {
    FREE_DOFS = 6,  // velocities of a free body
    POINT_ROWS = 3, // rows of a contact point in space
};

// Sizes of an island's problem.
typedef struct ProblemSizes {
    int compliant;  // rows with compliance
    int dof;        // velocities of all nodes
    int references; // nodes that groups of rows touch, with repetition
    size_t M_entries;
    size_t J_entries;
} ProblemSizes;

typedef struct Assembly {
    const ContactScene* scene;
    const utMass* mass;
    int contacts, rows, trees; // of the island
    const int* of_contact;     // contacts: indices of the island's contacts in `contact`
    const int* of_row;         // rows
    const int* of_tree;        // trees
    const utContact* contact;
    const utRow* row;
    int d;    // rows of a contact
    int axes; // 0, or rows of angular velocity of a contact: 1 or 3
    ProblemSizes size;
    int* node_of_tree; // ntree: of the island's trees
    // arrays of utCoulombBlocks and utCoulomb
    int* start;
    int* first;
    int* node;
    double* M;
    double* J;
    double* f;
    double* b;
    double* mu;
    double* torsional; // with axes
    double* rolling;   // with 3 axes
    double* low;
    double* high;
    int* vector;
} Assembly;

// ---- sizes --------------------------------------------------------------------------------------

// Count a reference of `rows` rows to a tree. @param tree -1: none
static void count_tree(Assembly* w, int tree, int rows)
{
    if (tree < 0) {
        return;
    }
    w->size.references++;
    w->size.J_entries += (size_t)rows * (size_t)w->scene->model->tree[tree].dofs;
}

static void count_trees(Assembly* w, const int tree[2], int rows)
{
    count_tree(w, tree[0], rows);
    count_tree(w, tree[1] != tree[0] ? tree[1] : -1, rows);
}

static void count_all(Assembly* w)
{
    const utModel* model = w->scene->model;
    int tree[2];
    for (int k = 0; k < w->trees; k++) {
        const int dofs = model->tree[w->of_tree[k]].dofs;
        w->size.M_entries += (size_t)dofs * (size_t)dofs;
        w->size.dof += dofs;
    }
    for (int i = 0; i < w->contacts; i++) {
        ut_contact_trees(model, &w->contact[w->of_contact[i]], tree);
        count_trees(w, tree, w->d);
    }
    for (int j = 0; j < w->rows; j++) {
        const utRow* row = &w->row[w->of_row[j]];
        int cursor = 0;
        for (int t = 0; t >= 0;) {
            t = ut_row_next_tree(model, row, &cursor);
            count_tree(w, t, 1);
        }
        if (row->compliance > 0.0) {
            w->size.compliant++;
            w->size.references++;
            w->size.J_entries++;
            w->size.M_entries++;
            w->size.dof++;
        }
    }
}

static utStatus push_arrays(Assembly* w, utArena* arena, IslandProblem* problem)
{
    const ProblemSizes* size = &w->size;
    const int groups = w->contacts + w->rows;
    problem->trees = w->trees;
    problem->contact = UT_PUSH(arena, int, w->contacts);
    problem->row = UT_PUSH(arena, int, w->rows);
    problem->tree = UT_PUSH(arena, int, w->trees);
    w->start = UT_PUSH(arena, int, w->trees + size->compliant + 1);
    w->first = UT_PUSH(arena, int, groups + 1);
    w->node = UT_PUSH(arena, int, size->references);
    w->M = UT_PUSH(arena, double, size->M_entries);
    w->J = UT_PUSH(arena, double, size->J_entries);
    w->f = UT_PUSH(arena, double, size->dof);
    w->b = UT_PUSH(arena, double, w->d * w->contacts + w->rows);
    w->mu = UT_PUSH(arena, double, w->contacts);
    if (w->axes > 0) {
        problem->length = UT_PUSH(arena, double, w->contacts);
        w->torsional = UT_PUSH(arena, double, w->contacts);
        w->rolling = UT_PUSH(arena, double, w->contacts);
    }
    w->low = UT_PUSH(arena, double, w->rows);
    w->high = UT_PUSH(arena, double, w->rows);
    w->vector = UT_PUSH(arena, int, w->rows);
    return ut_arena_failed(arena) ? UT_ERR_CAPACITY : UT_OK;
}

// ---- nodes --------------------------------------------------------------------------------------

// y = M x for one block. Inlined with the constant size of a free body.
static inline void multiply(int n, const double* M, const double* x, double* y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += M[(size_t)i * (size_t)n + (size_t)j] * x[j];
        }
        y[i] = sum;
    }
}

// Write the trees in ascending order, then the compliant rows. @return the number of nodes
static int write_nodes(Assembly* w, IslandProblem* problem)
{
    const utModel* model = w->scene->model;
    double* M = w->M;
    int nodes = 0;
    int dof = 0;
    w->start[0] = 0;
    for (int k = 0; k < w->trees; k++) {
        const int t = w->of_tree[k];
        const int n = model->tree[t].dofs;
        w->node_of_tree[t] = nodes;
        problem->tree[nodes] = t;
        ut_mass_block(w->mass, t, M);
        const double* v = w->scene->v_free + model->tree[t].dof;
        if (n == FREE_DOFS) {
            multiply(FREE_DOFS, M, v, w->f + dof);
        } else {
            multiply(n, M, v, w->f + dof);
        }
        M += (size_t)n * (size_t)n;
        dof += n;
        w->start[++nodes] = dof;
    }
    for (int j = 0; j < w->rows; j++) {
        const utRow* row = &w->row[w->of_row[j]];
        if (row->compliance > 0.0) {
            *M++ = 1.0 / row->compliance;
            w->f[dof++] = 0.0;
            w->start[++nodes] = dof;
        }
    }
    return nodes;
}

// ---- groups of rows -----------------------------------------------------------------------------

// Position of the next entries to write.
typedef struct Cursor {
    int references;
    double* J;
} Cursor;

// Begin the block of one side. Both sides of a contact or row within one tree share a block.
// @return where the side adds its entries
static double* begin_block(Assembly* w, const int trees[2], int side, int rows, Cursor* at)
{
    const int tree = trees[side];
    const size_t entries = (size_t)rows * (size_t)w->scene->model->tree[tree].dofs;
    if (side == 1 && trees[1] == trees[0]) {
        return at->J - entries;
    }
    double* block = at->J;
    memset(block, 0, entries * sizeof *block);
    w->node[at->references++] = w->node_of_tree[tree];
    at->J += entries;
    return block;
}

// Is there friction about axis k of a contact?
static bool has_axis(const utContact* c, int k)
{
    return k == 0 ? c->torsional > 0.0 : c->rolling > 0.0;
}

// Add L times the rows of angular velocity of one side; rows without friction stay 0.
// @param block rows x dofs, after the rows of the contact point
static void add_turns(const Assembly* w, const utContact* c, int side, int dofs, double length,
                      double* work, double* block)
{
    const int body = ut_model_side_body(w->scene->model, side == 0 ? c->geom1 : c->geom2);
    const double scale = side == 1 ? length : -length;
    ut_angular_jacobian(w->scene->kin, body, w->axes, c->frame, work);
    for (int k = 0; k < w->axes; k++) {
        for (int j = 0; has_axis(c, k) && j < dofs; j++) {
            block[k * dofs + j] += scale * work[k * dofs + j];
        }
    }
}

// Is a tree a free body, and has the contact a point's rows only?
static bool is_free_side(const Assembly* w, const int trees[2], int side)
{
    return w->d == POINT_ROWS && w->scene->model->tree[trees[side]].free && trees[0] != trees[1];
}

// The rows of a contact point on a free body: its velocities are those along the axes of the world, and
// rotations.
static void write_free_side(const Assembly* w, const utContact* c, int tree, double sign, double* J)
{
    const utKinematics* kin = w->scene->kin;
    const utMotion* turn = kin->axis + w->scene->model->tree[tree].dof + 3;
    const utVec3 arm = ut_vec3_sub(c->point, kin->origin[tree]);
    utVec3 unit[3];
    for (int k = 0; k < 3; k++) {
        unit[k] = ut_vec3_add(turn[k].linear, ut_vec3_cross(turn[k].angular, arm));
    }
    for (int i = 0; i < POINT_ROWS; i++, J += FREE_DOFS) {
        const utVec3 along = ut_vec3_scale(c->frame[i], sign);
        J[0] = along.x;
        J[1] = along.y;
        J[2] = along.z;
        for (int k = 0; k < 3; k++) {
            J[3 + k] = ut_vec3_dot(along, unit[k]);
        }
    }
}

// @param length L of the rows of angular velocity
// @param work 3 x (dofs of the largest tree)
static void write_contact(Assembly* w, const utContact* c, double length, Cursor* at, double* work)
{
    const utModel* model = w->scene->model;
    const int geoms[2] = {c->geom1, c->geom2};
    int trees[2];
    ut_contact_trees(model, c, trees);
    for (int side = 0; side < 2; side++) {
        if (trees[side] < 0) {
            continue;
        }
        const double sign = side == 1 ? 1.0 : -1.0;
        if (is_free_side(w, trees, side)) {
            w->node[at->references++] = w->node_of_tree[trees[side]];
            write_free_side(w, c, trees[side], sign, at->J);
            at->J += (ptrdiff_t)POINT_ROWS * FREE_DOFS;
            continue;
        }
        double* block = begin_block(w, trees, side, w->d, at);
        const int body = ut_model_side_body(model, geoms[side]);
        const int dofs = model->tree[trees[side]].dofs;
        const int rows = w->d - w->axes;
        ut_point_jacobian(w->scene->kin, body, c->point, rows, c->frame, work);
        for (int k = 0; k < rows * dofs; k++) {
            block[k] += sign * work[k];
        }
        if (w->axes > 0) {
            add_turns(w, c, side, dofs, length, work, block + (size_t)rows * (size_t)dofs);
        }
    }
}

// Coefficients and b of the rows of angular velocity of contact n of the problem.
static void write_spins(Assembly* w, const utContact* c, int n, double length)
{
    w->torsional[n] = c->torsional / length;
    w->rolling[n] = c->rolling / length;
    for (int k = 0; k < w->axes; k++) {
        w->b[w->d * n + w->d - w->axes + k] = has_axis(c, k) ? length * c->spin_b[k] : 0.0;
    }
}

static void write_contacts(Assembly* w, IslandProblem* problem, Cursor* at, double* work)
{
    for (int n = 0; n < w->contacts; n++) {
        const utContact* c = &w->contact[w->of_contact[n]];
        w->first[n] = at->references;
        w->mu[n] = c->mu;
        for (int k = 0; k < w->d - w->axes; k++) {
            w->b[(ptrdiff_t)w->d * n + k] = c->b[k];
        }
        const double length =
            w->axes > 0 ? ut_model_contact_length(w->scene->model, c->geom1, c->geom2) : 1.0;
        write_contact(w, c, length, at, work);
        if (w->axes > 0) {
            problem->length[n] = length;
            write_spins(w, c, n, length);
        }
        problem->contact[n] = w->of_contact[n];
    }
}

static void write_joint_row(Assembly* w, const utRow* row, Cursor* at)
{
    const utModel* model = w->scene->model;
    const int trees[2] = {model->body[model->dof_body[row->dof]].tree, -1};
    double* block = begin_block(w, trees, 0, 1, at);
    for (int k = 0; k < row->dofs; k++) {
        block[row->dof + k - model->tree[trees[0]].dof] = row->length * row->direction[k];
    }
}

// A row over several velocities has one block per tree.
static void write_terms(Assembly* w, const utRow* row, Cursor* at)
{
    const utModel* model = w->scene->model;
    int next = 0;
    for (int k = 0; k < row->terms; k = next) {
        const int trees[2] = {ut_row_terms_tree(model, row, &next), -1};
        double* block = begin_block(w, trees, 0, 1, at);
        for (int i = k; i < next; i++) {
            block[row->index[i] - model->tree[trees[0]].dof] = row->length * row->coefficient[i];
        }
    }
}

static void write_body_row(Assembly* w, const utRow* row, Cursor* at)
{
    const utModel* model = w->scene->model;
    const int trees[2] = {model->body[row->body1].tree, model->body[row->body2].tree};
    for (int side = 0; side < 2; side++) {
        if (trees[side] < 0) {
            continue;
        }
        double* block = begin_block(w, trees, side, 1, at);
        const utForce wrench = ut_row_wrench(w->scene->kin, row, side);
        const int body = side == 0 ? row->body1 : row->body2;
        for (int dof = model->body[body].last_dof; dof >= 0; dof = model->dof_parent[dof]) {
            block[dof - model->tree[trees[side]].dof] +=
                ut_force_power(wrench, w->scene->kin->axis[dof]);
        }
    }
}

static void write_rows(Assembly* w, IslandProblem* problem, Cursor* at)
{
    const int contacts = w->contacts;
    int compliant_node = problem->trees;
    for (int n = 0; n < w->rows; n++) {
        const utRow* row = &w->row[w->of_row[n]];
        w->first[contacts + n] = at->references;
        if (row->terms > 0) {
            write_terms(w, row, at);
        } else if (row->dof >= 0) {
            write_joint_row(w, row, at);
        } else {
            write_body_row(w, row, at);
        }
        if (row->compliance > 0.0) {
            w->node[at->references++] = compliant_node++;
            *at->J++ = 1.0;
        }
        w->b[w->d * contacts + n] = row->b;
        w->low[n] = row->low;
        w->high[n] = row->high;
        // the rows of one equality are components of a vector
        const utRow* before = n > 0 ? &w->row[problem->row[n - 1]] : row;
        const bool same = row->kind == UT_ROW_EQUALITY && before->kind == UT_ROW_EQUALITY &&
                          row->equality == before->equality;
        w->vector[n] = same && n > 0 ? w->vector[n - 1] : n;
        problem->row[n] = w->of_row[n];
    }
    w->first[contacts + w->rows] = at->references;
}

// The rows of angular velocity of the island's contacts.
static int count_axes(const Assembly* w)
{
    int axes = 0;
    for (int i = 0; i < w->contacts; i++) {
        const utContact* c = &w->contact[w->of_contact[i]];
        if (ut_contact_spins(c)) {
            axes = c->rolling > 0.0 ? 3 : axes > 1 ? axes : 1;
        }
    }
    return axes;
}

void ut_contact_load(const IslandProblem* problem, int i, const utContact* c, double* r)
{
    const int d = problem->coulomb.dimension;
    memcpy(r, c->r, (size_t)(d < 3 ? d : 3) * sizeof *r);
    for (int k = 3; k < d; k++) {
        r[k] = c->torque[k - 3] / problem->length[i];
    }
}

void ut_contact_store(const IslandProblem* problem, int i, const double* r, utContact* c)
{
    const int d = problem->coulomb.dimension;
    memcpy(c->r, r, (size_t)(d < 3 ? d : 3) * sizeof *r);
    for (int k = 0; d > 3 && k < 3; k++) {
        c->torque[k] = has_axis(c, k) ? r[3 + k] * problem->length[i] : 0.0;
    }
}

// Index one island by a search over all contacts and rows, for callers without an index.
static utStatus index_island(const utModel* model, int island, int contacts,
                             const utContact* contact, int rows, const utRow* row, utArena* arena,
                             IslandIndex* index)
{
    utContact* own_contact = UT_PUSH(arena, utContact, contacts);
    utRow* own_row = UT_PUSH(arena, utRow, rows);
    int* number = UT_PUSH(arena, int, contacts + rows);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    int n = 0, m = 0;
    for (int i = 0; i < contacts; i++) {
        if (contact[i].island == island) {
            number[n] = i;
            own_contact[n++] = contact[i];
        }
    }
    for (int j = 0; j < rows; j++) {
        if (row[j].island == island) {
            number[n + m] = j;
            own_row[m++] = row[j];
        }
    }
    UT_TRY(ut_contact_index_all(model, n, own_contact, m, own_row, arena, index));
    memcpy(index->contact, number, (size_t)n * sizeof *number);
    memcpy(index->row, number + n, (size_t)m * sizeof *number);
    return UT_OK;
}

utStatus ut_contact_problem(const ContactScene* scene, const utMass* mass, int island, int contacts,
                            const utContact* contact, int rows, const utRow* row,
                            const utSection* section, utArena* arena, IslandProblem* problem)
{
    IslandIndex one;
    const IslandIndex* index = scene->index;
    int k = island;
    if (index == NULL) {
        UT_TRY(index_island(scene->model, island, contacts, contact, rows, row, arena, &one));
        index = &one;
        k = 0;
    }
    Assembly w = {
        .scene = scene,
        .mass = mass,
        .contacts = index->first_contact[k + 1] - index->first_contact[k],
        .rows = index->first_row[k + 1] - index->first_row[k],
        .trees = index->first_tree[k + 1] - index->first_tree[k],
        .of_contact = index->contact + index->first_contact[k],
        .of_row = index->row + index->first_row[k],
        .of_tree = index->tree + index->first_tree[k],
        .d = ut_contact_dimension(scene->model),
        .contact = contact,
        .row = row,
        .node_of_tree = index->node_of_tree,
    };
    double* work = ut_arena_push(arena, 3, (size_t)index->largest_tree * sizeof *work);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    w.axes = count_axes(&w);
    w.d += w.axes;
    *problem = (IslandProblem){0};
    if (w.axes > 0) {
        utSection* product = UT_PUSH(arena, utSection, 1);
        if (product == NULL) {
            return UT_ERR_CAPACITY;
        }
        *product = w.axes == 3 ? ut_section_rolling() : ut_section_torsional();
        section = product;
    }
    count_all(&w);
    UT_TRY(push_arrays(&w, arena, problem));
    const int nodes = write_nodes(&w, problem);
    Cursor at = {0, w.J};
    write_contacts(&w, problem, &at, work);
    write_rows(&w, problem, &at);
    problem->b = w.b;
    problem->blocks = (utCoulombBlocks){nodes, w.start, w.M, w.first, w.node, w.J};
    problem->coulomb = (utCoulomb){
        .dimension = w.d,
        .contacts = w.contacts,
        .bilaterals = w.rows,
        .low = w.low,
        .high = w.high,
        .vector = w.vector,
        .mu = w.mu,
        .torsional = w.torsional,
        .rolling = w.axes == 3 ? w.rolling : NULL,
        .section = section,
        .dof = w.size.dof,
        .blocks = &problem->blocks,
        .f = w.f,
        .b = w.b,
    };
    return UT_OK;
}
