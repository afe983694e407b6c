// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel over groups of rows (a contact, or one bilateral row) of sparse problems. Memory and
// work per sweep are proportional to the number of entries.
//
//     W in rows   p_g = q_g + the row's entries times r, without r_g
//     by bodies   v = M^-1 (f + J'r) is updated: u_g = J_g v + b_g, p_g = u_g - A_g r_g, and a change
//                 d of r_g changes v by X_g' d, where X_g = J_g M^-1 touches the nodes of J_g
//
// A_g = W_gg. A scalar row is solved for its own impulse: u_g = 0, or at a bound.
#include <string.h>

#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "nsgs.h"

typedef struct SparseSweeps {
    const utCoulomb* problem;
    int d;
    double* A; // contacts x d x d, then bilaterals
    double* m; // groups: effective mass, 0 for immovable ones

    // by bodies
    size_t* factor; // nodes: where the node's factor begins in L
    double* L;      // M = L L', node by node
    size_t* block;  // where each block begins in J and X
    double* X;      // J M^-1, laid out as J
    double* v;      // dof: velocities
} SparseSweeps;

// A group of rows.
typedef struct Group {
    int row;  // first row
    int rows; // number of rows, d or 1
    double* A;
} Group;

static Group group_of(const SparseSweeps* s, int g)
{
    const size_t contact = (size_t)s->d * (size_t)s->d;
    const int extra = g - s->problem->contacts;
    return (Group){
        .row = ut_group_row(s->problem, g),
        .rows = ut_group_rows(s->problem, g),
        .A = extra < 0 ? s->A + (size_t)g * contact
                       : s->A + (size_t)s->problem->contacts * contact + (size_t)extra,
    };
}

// ---- W in rows ----------------------------------------------------------------------------------

// A_g from the rows of W.
static void diagonal_of_rows(const utCoulomb* problem, Group group)
{
    memset(group.A, 0, (size_t)(group.rows * group.rows) * sizeof *group.A);
    for (int k = 0; k < group.rows; k++) {
        const int row = group.row + k;
        for (int entry = problem->W_start[row]; entry < problem->W_start[row + 1]; entry++) {
            const int column = problem->W_column[entry] - group.row;
            if (column >= 0 && column < group.rows) {
                group.A[k * group.rows + column] = problem->W[entry];
            }
        }
    }
}

// u_g
static void velocity_of_rows(const utCoulomb* problem, Group group, const double* r, double* u)
{
    for (int k = 0; k < group.rows; k++) {
        const int row = group.row + k;
        u[k] = problem->q[row];
        for (int entry = problem->W_start[row]; entry < problem->W_start[row + 1]; entry++) {
            u[k] += problem->W[entry] * r[problem->W_column[entry]];
        }
    }
}

// ---- by bodies ----------------------------------------------------------------------------------

// M = L L'. @return false when M is not positive definite
static bool factor_nodes(SparseSweeps* s)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    size_t entry = 0;
    for (int k = 0; k < blocks->nodes; k++) {
        const int n = ut_node_dof(blocks, k);
        const size_t size = (size_t)n * (size_t)n;
        memcpy(s->L + entry, blocks->M + entry, size * sizeof *s->L);
        if (ut_chol_factor(n, s->L + entry, n, 0.0) != n) {
            return false;
        }
        s->factor[k] = entry;
        entry += size;
    }
    return true;
}

// Compute X_g and A_g = J_g X_g'. @param at where the blocks of the group begin; moves on
static void fill_group(SparseSweeps* s, int g, size_t* entry)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    const Group group = group_of(s, g);
    memset(group.A, 0, (size_t)(group.rows * group.rows) * sizeof *group.A);
    for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
        const int node = blocks->node[t];
        const int n = ut_node_dof(blocks, node);
        const double* J = blocks->J + *entry;
        double* X = s->X + *entry;
        s->block[t] = *entry;
        *entry += (size_t)group.rows * (size_t)n;
        memcpy(X, J, (size_t)group.rows * (size_t)n * sizeof *X);
        for (int k = 0; k < group.rows; k++) {
            ut_chol_solve(n, s->L + s->factor[node], n, X + (size_t)k * (size_t)n);
        }
        for (int i = 0; i < group.rows; i++) {
            for (int j = 0; j <= i; j++) {
                const double part = ut_dot(n, J + (size_t)i * (size_t)n, X + (size_t)j * (size_t)n);
                group.A[i * group.rows + j] += part;
                group.A[j * group.rows + i] += i != j ? part : 0.0;
            }
        }
    }
}

// u_g
static void velocity_of_bodies(const SparseSweeps* s, int g, Group group, double* u)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    memcpy(u, s->problem->b + group.row, (size_t)group.rows * sizeof *u);
    for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
        const int node = blocks->node[t];
        const int n = ut_node_dof(blocks, node);
        for (int k = 0; k < group.rows; k++) {
            u[k] += ut_dot(n, blocks->J + s->block[t] + (size_t)k * (size_t)n,
                           s->v + blocks->start[node]);
        }
    }
}

// v += X_g' change
static void change_bodies(const SparseSweeps* s, int g, Group group, const double* change)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
        const int node = blocks->node[t];
        const int n = ut_node_dof(blocks, node);
        for (int k = 0; k < group.rows; k++) {
            ut_axpy(n, change[k], s->X + s->block[t] + (size_t)k * (size_t)n,
                    s->v + blocks->start[node]);
        }
    }
}

// Recompute v from r, which removes the rounding errors of all changes.
static void recompute_velocity(void* self, double* r)
{
    const SparseSweeps* s = self;
    const utCoulombBlocks* blocks = s->problem->blocks;
    if (blocks == NULL) {
        return;
    }
    memcpy(s->v, s->problem->f, (size_t)s->problem->dof * sizeof *s->v);
    for (int g = 0; g < ut_group_count(s->problem); g++) {
        const Group group = group_of(s, g);
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            const int node = blocks->node[t];
            const int n = ut_node_dof(blocks, node);
            for (int k = 0; k < group.rows; k++) {
                ut_axpy(n, r[group.row + k], blocks->J + s->block[t] + (size_t)k * (size_t)n,
                        s->v + blocks->start[node]);
            }
        }
    }
    for (int k = 0; k < blocks->nodes; k++) {
        const int n = ut_node_dof(blocks, k);
        ut_chol_solve(n, s->L + s->factor[k], n, s->v + blocks->start[k]);
    }
}

// ---- sweeps -------------------------------------------------------------------------------------

static void find_masses(SparseSweeps* s)
{
    for (int g = 0; g < ut_group_count(s->problem); g++) {
        const Group group = group_of(s, g);
        const bool contact = g < s->problem->contacts;
        double trace = 0.0;
        for (int k = 0; k < group.rows; k++) {
            if (!contact || ut_coulomb_row_acts(s->problem, g, k)) {
                trace += group.A[k * group.rows + k];
            }
        }
        const double m = (contact ? ut_coulomb_acting_rows(s->problem, g) : 1) / trace;
        s->m[g] = m > 0.0 && isfinite(m) ? m : 0.0;
    }
}

// Solve group g for its own impulse.
static void visit(const SparseSweeps* s, int g, double* r)
{
    const Group group = group_of(s, g);
    const int rows = group.rows;
    const bool bodies = s->problem->blocks != NULL;
    double* r_g = r + group.row;
    double p[UT_LAW_MAX_DIMENSION], next[UT_LAW_MAX_DIMENSION];
    if (bodies) {
        velocity_of_bodies(s, g, group, p);
    } else {
        velocity_of_rows(s->problem, group, r, p);
    }
    for (int k = 0; k < rows; k++) {
        next[k] = r_g[k];
        for (int j = 0; j < rows; j++) {
            p[k] -= group.A[k * rows + j] * r_g[j];
        }
    }
    if (g < s->problem->contacts) {
        const utLaw law = ut_coulomb_law(s->problem, g, false);
        ut_coulomb_local(&law, group.A, p, s->m[g], next);
    } else {
        next[0] = ut_coulomb_clamp(s->problem, g - s->problem->contacts, -p[0] / group.A[0]);
    }
    if (bodies) {
        double change[UT_LAW_MAX_DIMENSION];
        for (int k = 0; k < rows; k++) {
            change[k] = next[k] - r_g[k];
        }
        change_bodies(s, g, group, change);
    }
    memcpy(r_g, next, (size_t)rows * sizeof *r);
}

static void sweep(void* self, double* r)
{
    const SparseSweeps* s = self;
    for (int g = 0; g < ut_group_count(s->problem); g++) {
        if (s->m[g] != 0.0) {
            visit(s, g, r);
        }
    }
}

// Project r on K and the bounds; immovable groups get 0.
static void project(const SparseSweeps* s, double* r)
{
    for (int g = 0; g < ut_group_count(s->problem); g++) {
        const Group group = group_of(s, g);
        if (s->m[g] == 0.0) {
            memset(r + group.row, 0, (size_t)group.rows * sizeof *r);
        } else if (g < s->problem->contacts) {
            const utLaw law = ut_coulomb_law(s->problem, g, false);
            ut_law_project(&law, r + group.row, r + group.row);
        } else {
            r[group.row] = ut_coulomb_clamp(s->problem, g - s->problem->contacts, r[group.row]);
        }
    }
}

// ---- the solver ---------------------------------------------------------------------------------

// Entries of all A_g.
static size_t diagonal_entries(const utCoulomb* problem)
{
    const size_t d = (size_t)problem->dimension;
    return (size_t)problem->contacts * d * d + (size_t)problem->bilaterals;
}

static utStatus prepare_bodies(SparseSweeps* s, utArena* scratch)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    const int groups = ut_group_count(s->problem);
    s->L = UT_PUSH(scratch, double, ut_mass_entries(blocks));
    s->X = UT_PUSH(scratch, double, ut_jacobian_entries(s->problem));
    s->factor = UT_PUSH(scratch, size_t, blocks->nodes);
    s->block = UT_PUSH(scratch, size_t, blocks->first[groups]);
    s->v = UT_PUSH(scratch, double, s->problem->dof);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    if (!factor_nodes(s)) {
        return UT_ERR_ARGUMENT;
    }
    size_t entry = 0;
    for (int g = 0; g < groups; g++) {
        fill_group(s, g, &entry);
    }
    return UT_OK;
}

utStatus ut_nsgs_sparse(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                        double* r, utCoulombInfo* info)
{
    const int groups = ut_group_count(problem);
    SparseSweeps s = {.problem = problem, .d = problem->dimension};
    s.A = UT_PUSH(&scratch, double, diagonal_entries(problem));
    s.m = UT_PUSH(&scratch, double, groups);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    if (problem->blocks != NULL) {
        UT_TRY(prepare_bodies(&s, &scratch));
    }
    for (int g = 0; problem->blocks == NULL && g < groups; g++) {
        diagonal_of_rows(problem, group_of(&s, g));
    }
    find_masses(&s);
    project(&s, r);
    const Sweeps sweeps = {
        .problem = problem, .self = &s, .sweep = sweep, .complete = recompute_velocity};
    return ut_nsgs_iterate(&sweeps, def, scratch, r, &info->iterations);
}
