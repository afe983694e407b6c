// SPDX-License-Identifier: Apache-2.0
// One island as a friction problem by bodies: a node for each tree, with its
// block of M̂, and one of a single velocity for each row with compliance: with a
// mass of 1 / compliance it gives way by compliance times the impulse, which is
// just what the row asks for.
#include <string.h>

#include "contact.h"
#include "la/wide_force.h"

// What is being put together.
typedef struct Writing {
    const ContactScene* scene;
    const utMass* mass;
    int island;
    int contacts, rows; // in the whole step
    const utContact* contact;
    const utRow* row;
    int d;          // rows of a contact
    int nc, nr;     // in the island
    int soft;       // rows with compliance
    int touches;    // nodes that groups touch
    size_t masses;  // entries of M
    size_t entries; // entries of J
    int dof;
    int* node_of; // ntree: the node of a tree, -1 for none
    int* start;
    int* first;
    int* node;
    double* M;
    double* J;
    double* f;
    double* b;
    double* mu;
    double* low;
    double* high;
    int* vector;
} Writing;

// ---- sizes --------------------------------------------------------------------------------------

static void count_tree(Writing* w, int tree, int rows)
{
    const utModel* model = w->scene->model;
    if (tree < 0) {
        return;
    }
    if (w->node_of[tree] < 0) {
        const size_t dofs = (size_t)model->tree[tree].dofs;
        w->node_of[tree] = 0;
        w->masses += dofs * dofs;
        w->dof += model->tree[tree].dofs;
    }
    w->touches++;
    w->entries += (size_t)rows * (size_t)model->tree[tree].dofs;
}

static void count_all(Writing* w)
{
    const utModel* model = w->scene->model;
    int tree[2];
    for (int t = 0; t < model->ntree; t++) {
        w->node_of[t] = -1;
    }
    for (int i = 0; i < w->contacts; i++) {
        const utContact* c = &w->contact[i];
        if (c->island == w->island) {
            ut_contact_trees(model, c, tree);
            count_tree(w, tree[0], w->d);
            count_tree(w, tree[1] != tree[0] ? tree[1] : -1, w->d);
            w->nc++;
        }
    }
    for (int j = 0; j < w->rows; j++) {
        const utRow* row = &w->row[j];
        if (row->island == w->island) {
            ut_row_trees(model, row, tree);
            count_tree(w, tree[0], 1);
            count_tree(w, tree[1] != tree[0] ? tree[1] : -1, 1);
            w->nr++;
            if (row->compliance > 0.0) {
                w->soft++;
                w->touches++;
                w->entries++;
                w->masses++;
                w->dof++;
            }
        }
    }
}

static bool push(Writing* w, utArena* arena, IslandProblem* problem)
{
    const utModel* model = w->scene->model;
    int trees = 0;
    for (int t = 0; t < model->ntree; t++) {
        trees += w->node_of[t] >= 0;
    }
    const int groups = w->nc + w->nr;
    const int N = w->d * w->nc + w->nr;
    problem->trees = trees;
    problem->contact = UT_PUSH(arena, int, w->nc);
    problem->row = UT_PUSH(arena, int, w->nr);
    problem->tree = UT_PUSH(arena, int, trees);
    w->start = UT_PUSH(arena, int, trees + w->soft + 1);
    w->first = UT_PUSH(arena, int, groups + 1);
    w->node = UT_PUSH(arena, int, w->touches);
    w->M = UT_PUSH(arena, double, w->masses);
    w->J = UT_PUSH(arena, double, w->entries);
    w->f = UT_PUSH(arena, double, w->dof);
    w->b = UT_PUSH(arena, double, N);
    w->mu = UT_PUSH(arena, double, w->nc);
    w->low = UT_PUSH(arena, double, w->nr);
    w->high = UT_PUSH(arena, double, w->nr);
    w->vector = UT_PUSH(arena, int, w->nr);
    return problem->contact != NULL && problem->row != NULL && problem->tree != NULL &&
           w->start != NULL && w->first != NULL && w->node != NULL && w->M != NULL &&
           w->J != NULL && w->f != NULL && w->b != NULL && w->mu != NULL && w->low != NULL &&
           w->high != NULL && w->vector != NULL;
}

// ---- nodes --------------------------------------------------------------------------------------

// y = M x for one block
static void multiply(int n, const double* M, const double* x, double* y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += M[(size_t)i * (size_t)n + (size_t)j] * x[j];
        }
        y[i] = sum;
    }
}

// Trees in ascending order, then the soft rows. @return nodes
static int write_nodes(Writing* w, IslandProblem* problem)
{
    const utModel* model = w->scene->model;
    double* M = w->M;
    int nodes = 0;
    int dof = 0;
    w->start[0] = 0;
    for (int t = 0; t < model->ntree; t++) {
        if (w->node_of[t] < 0) {
            continue;
        }
        const int n = model->tree[t].dofs;
        w->node_of[t] = nodes;
        problem->tree[nodes] = t;
        ut_mass_block(w->mass, t, M);
        multiply(n, M, w->scene->v_free + model->tree[t].dof, w->f + dof);
        M += (size_t)n * (size_t)n;
        dof += n;
        w->start[++nodes] = dof;
    }
    for (int j = 0; j < w->rows; j++) {
        if (w->row[j].island == w->island && w->row[j].compliance > 0.0) {
            *M++ = 1.0 / w->row[j].compliance;
            w->f[dof++] = 0.0;
            w->start[++nodes] = dof;
        }
    }
    return nodes;
}

// ---- groups -------------------------------------------------------------------------------------

// Rows of one side of a contact, added to `J` with a sign. @param J d x dofs
static void add_side(const Writing* w, const utContact* c, int geom, double sign, double* J,
                     double* work)
{
    const utModel* model = w->scene->model;
    const int body = ut_model_side_body(model, geom);
    const int n = model->tree[model->body[body].tree].dofs;
    ut_point_jacobian(w->scene->kin, body, c->point, w->d, c->frame, work);
    for (int k = 0; k < w->d * n; k++) {
        J[k] += sign * work[k];
    }
}

// @param J where its blocks begin @param work d x the largest tree
static double* write_contact(Writing* w, const utContact* c, int* touches, double* J, double* work)
{
    const utModel* model = w->scene->model;
    const int geoms[2] = {c->geom1, c->geom2};
    int trees[2];
    ut_contact_trees(model, c, trees);
    const bool same = trees[0] == trees[1];
    for (int side = 0; side < 2; side++) {
        if (trees[side] < 0) {
            continue;
        }
        const int n = model->tree[trees[side]].dofs;
        const bool again = same && side == 1;
        if (again) {
            J -= (size_t)w->d * (size_t)n;
        } else {
            memset(J, 0, (size_t)w->d * (size_t)n * sizeof *J);
            w->node[(*touches)++] = w->node_of[trees[side]];
        }
        add_side(w, c, geoms[side], side == 1 ? 1.0 : -1.0, J, work);
        J += (size_t)w->d * (size_t)n;
    }
    return J;
}

static void write_contacts(Writing* w, IslandProblem* problem, int* touches, double** J,
                           double* work)
{
    int n = 0;
    for (int i = 0; i < w->contacts; i++) {
        const utContact* c = &w->contact[i];
        if (c->island != w->island) {
            continue;
        }
        w->first[n] = *touches;
        *J = write_contact(w, c, touches, *J, work);
        w->mu[n] = c->mu;
        memcpy(w->b + (size_t)w->d * (size_t)n, c->b, (size_t)w->d * sizeof *c->b);
        problem->contact[n++] = i;
    }
}

// The one block of a row of a joint.
static double* write_joint_row(Writing* w, const utRow* row, int tree, int* touches, double* J)
{
    const utModelTree* t = &w->scene->model->tree[tree];
    w->node[(*touches)++] = w->node_of[tree];
    memset(J, 0, (size_t)t->dofs * sizeof *J);
    for (int k = 0; k < row->dofs; k++) {
        J[row->dof + k - t->dof] = row->length * row->direction[k];
    }
    return J + t->dofs;
}

// The one or two blocks of a row between bodies.
static double* write_body_row(Writing* w, const utRow* row, const int trees[2], int* touches,
                              double* J)
{
    const utModel* model = w->scene->model;
    for (int side = 0; side < 2; side++) {
        if (trees[side] < 0) {
            continue;
        }
        const utModelTree* tree = &model->tree[trees[side]];
        if (side == 1 && trees[1] == trees[0]) {
            J -= tree->dofs;
        } else {
            memset(J, 0, (size_t)tree->dofs * sizeof *J);
            w->node[(*touches)++] = w->node_of[trees[side]];
        }
        const utForce wrench = ut_row_wrench(w->scene->kin, row, side);
        const int body = side == 0 ? row->body1 : row->body2;
        for (int dof = model->body[body].last_dof; dof >= 0; dof = model->dof_parent[dof]) {
            J[dof - tree->dof] += ut_force_power(wrench, w->scene->kin->axis[dof]);
        }
        J += tree->dofs;
    }
    return J;
}

static void write_rows(Writing* w, IslandProblem* problem, int* touches, double* J)
{
    int n = 0;
    int soft = problem->trees;
    for (int j = 0; j < w->rows; j++) {
        const utRow* row = &w->row[j];
        if (row->island != w->island) {
            continue;
        }
        int trees[2];
        ut_row_trees(w->scene->model, row, trees);
        w->first[w->nc + n] = *touches;
        J = row->dof >= 0 ? write_joint_row(w, row, trees[0], touches, J)
                          : write_body_row(w, row, trees, touches, J);
        if (row->compliance > 0.0) {
            w->node[(*touches)++] = soft++;
            *J++ = 1.0;
        }
        w->b[w->d * w->nc + n] = row->b;
        w->low[n] = row->low;
        w->high[n] = row->high;
        // an equality asks for a vector, in some axes
        const utRow* before = n > 0 ? &w->row[problem->row[n - 1]] : row;
        const bool same = row->kind == UT_ROW_EQUALITY && before->kind == UT_ROW_EQUALITY &&
                          row->equality == before->equality;
        w->vector[n] = same && n > 0 ? w->vector[n - 1] : n;
        problem->row[n++] = j;
    }
    w->first[w->nc + n] = *touches;
}

static int largest_tree(const utModel* model)
{
    int most = 0;
    for (int t = 0; t < model->ntree; t++) {
        most = model->tree[t].dofs > most ? model->tree[t].dofs : most;
    }
    return most;
}

utStatus ut_contact_problem(const ContactScene* scene, const utMass* mass, int island, int contacts,
                            const utContact* contact, int rows, const utRow* row,
                            const utSection* section, utArena* arena, IslandProblem* problem)
{
    Writing w = {
        .scene = scene,
        .mass = mass,
        .island = island,
        .contacts = contacts,
        .rows = rows,
        .d = ut_contact_dimension(scene->model),
        .contact = contact,
        .row = row,
        .node_of = UT_PUSH(arena, int, scene->model->ntree),
    };
    double* work = ut_arena_push(arena, 3, (size_t)largest_tree(scene->model) * sizeof *work);
    if (w.node_of == NULL || work == NULL) {
        return UT_ERR_CAPACITY;
    }
    count_all(&w);
    if (!push(&w, arena, problem)) {
        return UT_ERR_CAPACITY;
    }
    const int nodes = write_nodes(&w, problem);
    double* J = w.J;
    int touches = 0;
    write_contacts(&w, problem, &touches, &J, work);
    write_rows(&w, problem, &touches, J);
    problem->blocks = (utCoulombBlocks){nodes, w.start, w.M, w.first, w.node, w.J};
    problem->coulomb = (utCoulomb){
        .dimension = w.d,
        .contacts = w.nc,
        .bilaterals = w.nr,
        .low = w.low,
        .high = w.high,
        .vector = w.vector,
        .mu = w.mu,
        .section = section,
        .dof = w.dof,
        .blocks = &problem->blocks,
        .f = w.f,
        .b = w.b,
    };
    return UT_OK;
}

// ---- what impulses do ---------------------------------------------------------------------------

// A force on one body; on nothing that is fixed or moved from outside.
static void push_side(const ContactScene* scene, int body, utVec3 point, double sign,
                      const Wide f[3], WideForce* wrench)
{
    const int tree = scene->model->body[body].tree;
    if (tree >= 0) {
        wide_push(&wrench[body], sign, f, point, scene->kin->origin[tree]);
    }
}

static void push_contact(const ContactScene* scene, const utContact* c, WideForce* wrench)
{
    Wide f[3] = {{0.0, 0.0}};
    for (int k = 0; k < 3; k++) {
        wide_add_scaled(f, c->r[k], c->frame[k]);
    }
    push_side(scene, ut_model_side_body(scene->model, c->geom1), c->point, -1.0, f, wrench);
    push_side(scene, ut_model_side_body(scene->model, c->geom2), c->point, 1.0, f, wrench);
}

static void push_row(const ContactScene* scene, const utRow* row, WideForce* wrench)
{
    Wide f[3] = {{0.0, 0.0}};
    wide_add_scaled(f, row->r, row->linear);
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        const double sign = side == 0 ? -1.0 : 1.0;
        push_side(scene, body, side == 0 ? row->point1 : row->point2, sign, f, wrench);
        wide_add_scaled(wrench[body].torque, sign * row->r, row->angular);
    }
}

// g += J'r of net wrenches on bodies, from the last to the first of each tree.
static void add_wrenches(const ContactScene* scene, WideForce* wrench, double* g)
{
    const utModel* model = scene->model;
    for (int b = model->nbody - 1; b > 0; b--) {
        const utModelBody* body = &model->body[b];
        if (body->tree < 0) {
            continue;
        }
        const utForce net = wide_force_round(&wrench[b]);
        for (int dof = body->dof; dof < body->dof + body->dofs; dof++) {
            g[dof] += ut_force_power(net, scene->kin->axis[dof]);
        }
        if (model->body[body->parent].tree == body->tree) {
            wide_force_add(&wrench[body->parent], &wrench[b]);
        }
    }
}

utStatus ut_contact_generalized_impulse(const ContactScene* scene, int contacts,
                                        const utContact* contact, int rows, const utRow* row,
                                        utArena scratch, double* g)
{
    WideForce* wrench = UT_PUSH(&scratch, WideForce, scene->model->nbody);
    if (wrench == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(wrench, 0, (size_t)scene->model->nbody * sizeof *wrench);
    for (int i = 0; i < contacts; i++) {
        push_contact(scene, &contact[i], wrench);
    }
    for (int j = 0; j < rows; j++) {
        if (row[j].dof < 0) {
            push_row(scene, &row[j], wrench);
        }
    }
    add_wrenches(scene, wrench, g);
    for (int j = 0; j < rows; j++) {
        for (int k = 0; row[j].dof >= 0 && k < row[j].dofs; k++) {
            g[row[j].dof + k] += row[j].length * row[j].direction[k] * row[j].r;
        }
    }
    return UT_OK;
}
