// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel over groups of rows (a contact, or one bilateral row) of sparse problems: O(entries)
// memory, and as much work a sweep.
//
//     W in rows   p_g = q_g + the row's entries times r, without r_g
//     by bodies   v = M^-1 (f + J'r) is kept: u_g = J_g v + b_g, p_g = u_g - A_g r_g, and a change
//                 d of r_g changes v by X_g' d, where X_g = J_g M^-1 has the nodes that J_g has
//
// A_g = W_gg. A scalar row is solved for its own impulse, u_g = 0 or at a bound, as a contact is.
#include <string.h>

#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "nsgs.h"

typedef struct Sparse {
    const utCoulomb* problem;
    int d;
    double* A; // contacts x d x d, then bilaterals
    double* m; // groups: effective mass, 0 for those that nothing can move

    // by bodies
    size_t* factor; // nodes: where the node's factor begins in L
    double* L;      // M = L L', node by node
    size_t* block;  // touches: where a block begins in J and X
    double* X;      // as J
    double* v;      // dof
} Sparse;

// One group.
typedef struct Group {
    int row;  // its first
    int rows; // d or 1
    double* A;
} Group;

static int group_count(const utCoulomb* problem)
{
    return problem->contacts + problem->bilaterals;
}

static Group group_of(const Sparse* s, int g)
{
    const int contacts = s->problem->contacts;
    const int d = s->d;
    if (g < contacts) {
        return (Group){d * g, d, s->A + (size_t)g * (size_t)(d * d)};
    }
    const int extra = g - contacts;
    return (Group){d * contacts + extra, 1, s->A + (size_t)contacts * (size_t)(d * d) + extra};
}

static int node_size(const utCoulombBlocks* blocks, int node)
{
    return blocks->start[node + 1] - blocks->start[node];
}

// ---- W in rows ----------------------------------------------------------------------------------

// A_g out of the rows of W
static void diagonal_of_rows(const utCoulomb* problem, Group group)
{
    memset(group.A, 0, (size_t)(group.rows * group.rows) * sizeof *group.A);
    for (int k = 0; k < group.rows; k++) {
        const int row = group.row + k;
        for (int at = problem->W_start[row]; at < problem->W_start[row + 1]; at++) {
            const int column = problem->W_column[at] - group.row;
            if (column >= 0 && column < group.rows) {
                group.A[k * group.rows + column] = problem->W[at];
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
        for (int at = problem->W_start[row]; at < problem->W_start[row + 1]; at++) {
            u[k] += problem->W[at] * r[problem->W_column[at]];
        }
    }
}

// ---- by bodies ----------------------------------------------------------------------------------

// M = L L'. @return false when M is not positive definite
static bool factor_nodes(Sparse* s)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    size_t at = 0;
    for (int k = 0; k < blocks->nodes; k++) {
        const int n = node_size(blocks, k);
        const size_t size = (size_t)n * (size_t)n;
        memcpy(s->L + at, blocks->M + at, size * sizeof *s->L);
        if (ut_chol_factor(n, s->L + at, n, 0.0) != n) {
            return false;
        }
        s->factor[k] = at;
        at += size;
    }
    return true;
}

// X_g and A_g = J_g X_g'
static void reach_of_group(Sparse* s, int g, size_t* at)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    const Group group = group_of(s, g);
    memset(group.A, 0, (size_t)(group.rows * group.rows) * sizeof *group.A);
    for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
        const int node = blocks->node[t];
        const int n = node_size(blocks, node);
        const double* J = blocks->J + *at;
        double* X = s->X + *at;
        s->block[t] = *at;
        *at += (size_t)group.rows * (size_t)n;
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
static void velocity_of_bodies(const Sparse* s, int g, Group group, double* u)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    memcpy(u, s->problem->b + group.row, (size_t)group.rows * sizeof *u);
    for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
        const int node = blocks->node[t];
        const int n = node_size(blocks, node);
        for (int k = 0; k < group.rows; k++) {
            u[k] += ut_dot(n, blocks->J + s->block[t] + (size_t)k * (size_t)n,
                           s->v + blocks->start[node]);
        }
    }
}

// v += X_g' change
static void change_bodies(const Sparse* s, int g, Group group, const double* change)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
        const int node = blocks->node[t];
        const int n = node_size(blocks, node);
        for (int k = 0; k < group.rows; k++) {
            ut_axpy(n, change[k], s->X + s->block[t] + (size_t)k * (size_t)n,
                    s->v + blocks->start[node]);
        }
    }
}

// v from r anew, without what rounding left of all the changes
static void settle(void* self, double* r)
{
    const Sparse* s = self;
    const utCoulombBlocks* blocks = s->problem->blocks;
    if (blocks == NULL) {
        return;
    }
    memcpy(s->v, s->problem->f, (size_t)s->problem->dof * sizeof *s->v);
    for (int g = 0; g < group_count(s->problem); g++) {
        const Group group = group_of(s, g);
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            const int node = blocks->node[t];
            const int n = node_size(blocks, node);
            for (int k = 0; k < group.rows; k++) {
                ut_axpy(n, r[group.row + k], blocks->J + s->block[t] + (size_t)k * (size_t)n,
                        s->v + blocks->start[node]);
            }
        }
    }
    for (int k = 0; k < blocks->nodes; k++) {
        const int n = node_size(blocks, k);
        ut_chol_solve(n, s->L + s->factor[k], n, s->v + blocks->start[k]);
    }
}

// ---- sweeps -------------------------------------------------------------------------------------

static void find_masses(Sparse* s)
{
    for (int g = 0; g < group_count(s->problem); g++) {
        const Group group = group_of(s, g);
        double trace = 0.0;
        for (int k = 0; k < group.rows; k++) {
            trace += group.A[k * group.rows + k];
        }
        const double m = group.rows / trace;
        s->m[g] = m > 0.0 && isfinite(m) ? m : 0.0;
    }
}

// Solve group g for its own impulse.
static void visit(const Sparse* s, int g, double* r)
{
    const Group group = group_of(s, g);
    const int rows = group.rows;
    const bool bodies = s->problem->blocks != NULL;
    double* r_g = r + group.row;
    double p[3], next[3];
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
        double change[3];
        for (int k = 0; k < rows; k++) {
            change[k] = next[k] - r_g[k];
        }
        change_bodies(s, g, group, change);
    }
    memcpy(r_g, next, (size_t)rows * sizeof *r);
}

static void sweep(void* self, double* r)
{
    const Sparse* s = self;
    for (int g = 0; g < group_count(s->problem); g++) {
        if (s->m[g] != 0.0) {
            visit(s, g, r);
        }
    }
}

// Into K, and 0 where nothing moves.
static void project(const Sparse* s, double* r)
{
    for (int g = 0; g < group_count(s->problem); g++) {
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

// How many doubles masses and Jacobians are.
static void count_entries(const utCoulomb* problem, size_t* masses, size_t* jacobians)
{
    const utCoulombBlocks* blocks = problem->blocks;
    *masses = 0;
    *jacobians = 0;
    for (int k = 0; k < blocks->nodes; k++) {
        *masses += (size_t)node_size(blocks, k) * (size_t)node_size(blocks, k);
    }
    for (int g = 0; g < group_count(problem); g++) {
        const int rows = g < problem->contacts ? problem->dimension : 1;
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            *jacobians += (size_t)rows * (size_t)node_size(blocks, blocks->node[t]);
        }
    }
}

// Doubles of all A_g.
static size_t diagonal_size(const utCoulomb* problem)
{
    const size_t d = (size_t)problem->dimension;
    return (size_t)problem->contacts * d * d + (size_t)problem->bilaterals;
}

static utStatus prepare_bodies(Sparse* s, utArena* scratch)
{
    const utCoulombBlocks* blocks = s->problem->blocks;
    const int groups = group_count(s->problem);
    size_t masses, jacobians;
    count_entries(s->problem, &masses, &jacobians);
    s->L = UT_PUSH(scratch, double, masses);
    s->X = UT_PUSH(scratch, double, jacobians);
    s->factor = UT_PUSH(scratch, size_t, blocks->nodes);
    s->block = UT_PUSH(scratch, size_t, blocks->first[groups]);
    s->v = UT_PUSH(scratch, double, s->problem->dof);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    if (!factor_nodes(s)) {
        return UT_ERR_ARGUMENT;
    }
    size_t at = 0;
    for (int g = 0; g < groups; g++) {
        reach_of_group(s, g, &at);
    }
    return UT_OK;
}

utStatus ut_nsgs_sparse(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                        double* r, utCoulombInfo* info)
{
    const int groups = group_count(problem);
    Sparse s = {.problem = problem, .d = problem->dimension};
    s.A = UT_PUSH(&scratch, double, diagonal_size(problem));
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
    const Sweeps sweeps = {.problem = problem, .self = &s, .sweep = sweep, .settle = settle};
    return ut_nsgs_iterate(&sweeps, def, scratch, r, &info->iterations);
}
