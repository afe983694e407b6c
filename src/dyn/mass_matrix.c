// SPDX-License-Identifier: Apache-2.0
// The mass matrix by composite bodies and its factor M = L' D L.
//
// Entry (i, j), j <= i, is nonzero only if j is i or an ancestor of i. So row i has the columns i,
// parent of i, and so on up to the root. Elimination from the leaves to the root causes no fill
// (Featherstone, Int. J. Robotics Research 24, 2005). The columns of an ancestor's row are the last
// ones of row i.
#include <string.h>

#include "internal.h"

// Row i has one entry per ancestor of dof i, and one for i itself.
size_t ut_dyn_mass_entries(const utModel* model)
{
    size_t total = 0;
    for (int i = 0; i < model->nv; i++) {
        for (int j = i; j >= 0; j = model->dof_parent[j]) {
            total++;
        }
    }
    return total;
}

utStatus ut_mass_create(const utModel* model, utArena* keep, utMass* mass)
{
    const size_t entries = ut_dyn_mass_entries(model);
    utArena arena = *keep;
    utMass created = {
        .model = model,
        .start = UT_PUSH(&arena, int, model->nv + 1),
        .column = UT_PUSH(&arena, int, entries),
        .M = UT_PUSH(&arena, double, entries),
        .L = UT_PUSH(&arena, double, entries),
        .composite = UT_PUSH(&arena, utInertia, model->nbody),
    };
    if (entries > INT32_MAX || ut_arena_failed(&arena)) {
        return UT_ERR_CAPACITY;
    }
    int at = 0;
    for (int i = 0; i < model->nv; i++) {
        created.start[i] = at;
        for (int j = i; j >= 0; j = model->dof_parent[j]) {
            created.column[at++] = j;
        }
    }
    created.start[model->nv] = at;
    *keep = arena;
    *mass = created;
    return UT_OK;
}

// ---- M ------------------------------------------------------------------------------------------

// A single free body with the velocity v of its frame's origin (world) and the angular velocity w
// (in the body's frame). With the centre of mass at c in the body its velocity is v - R [c]x w, so
// that
//
//     M = ( m 1          - m R [c]x        )
//         ( m [c]x R'    I_c + m (c'c - cc') )
static void find_free(utMass* mass, const utKinematics* kin, const utModelTree* tree)
{
    const utModelBody* body = kin->model->body + tree->body;
    const utMat3 cross =
        ut_mat3_scale(ut_mat3_mul(kin->body[tree->body].R, ut_mat3_skew(body->com)), -body->mass);
    const utMat3 turn = ut_mat3_add(body->inertia, ut_mat3_point_inertia(body->mass, body->com));
    double* M = mass->M + mass->start[tree->dof];
    for (int i = 0; i < 6; i++) {
        for (int j = i; j >= 0; j--) {
            double entry = i == j ? body->mass : 0.0;
            if (i >= 3) {
                entry = j >= 3 ? turn.m[i - 3][j - 3] : cross.m[j][i - 3];
            }
            *M++ = entry;
        }
    }
}

static void find_articulated(utMass* mass, const utKinematics* kin, const utModelTree* tree)
{
    const utModel* model = mass->model;
    const int end = tree->body + tree->bodies;
    for (int b = tree->body; b < end; b++) {
        mass->composite[b] = kin->inertia[b];
    }
    for (int b = end - 1; b > tree->body; b--) {
        const int parent = model->body[b].parent;
        mass->composite[parent] = ut_inertia_add(mass->composite[parent], mass->composite[b]);
    }
    for (int i = tree->dof; i < tree->dof + tree->dofs; i++) {
        const utForce f = ut_inertia_mul(mass->composite[model->dof_body[i]], kin->axis[i]);
        for (int e = mass->start[i]; e < mass->start[i + 1]; e++) {
            mass->M[e] = ut_force_power(f, kin->axis[mass->column[e]]);
        }
    }
}

void ut_dyn_mass_tree(utMass* mass, const utKinematics* kin, const double* added_diagonal, int t)
{
    const utModelTree* tree = mass->model->tree + t;
    if (tree->free) {
        find_free(mass, kin, tree);
    } else {
        find_articulated(mass, kin, tree);
    }
    for (int i = tree->dof; i < tree->dof + tree->dofs; i++) {
        mass->M[mass->start[i]] +=
            mass->model->dof_armature[i] + (added_diagonal != NULL ? added_diagonal[i] : 0.0);
    }
}

void ut_mass_find(utMass* mass, const utKinematics* kin, const double* added_diagonal)
{
    for (int t = 0; t < mass->model->ntree; t++) {
        if (!ut_dyn_skips(kin, t, NULL)) {
            ut_dyn_mass_tree(mass, kin, added_diagonal, t);
        }
    }
}

void ut_mass_multiply(const utMass* mass, const double* x, double* y)
{
    for (int i = 0; i < mass->model->nv; i++) {
        const int diagonal = mass->start[i];
        double sum = mass->M[diagonal] * x[i];
        for (int e = diagonal + 1; e < mass->start[i + 1]; e++) {
            sum += mass->M[e] * x[mass->column[e]];
            y[mass->column[e]] += mass->M[e] * x[i];
        }
        y[i] = sum;
    }
}

void ut_mass_block(const utMass* mass, int tree, double* block)
{
    const utModelTree* t = mass->model->tree + tree;
    const size_t n = (size_t)t->dofs;
    memset(block, 0, n * n * sizeof *block);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        for (int e = mass->start[i]; e < mass->start[i + 1]; e++) {
            const size_t row = (size_t)(i - t->dof), column = (size_t)(mass->column[e] - t->dof);
            block[row * n + column] = block[column * n + row] = mass->M[e];
        }
    }
}

// ---- the factor ---------------------------------------------------------------------------------

bool ut_dyn_factor_tree(utMass* mass, int tree)
{
    const utModelTree* t = mass->model->tree + tree;
    const int first = mass->start[t->dof], end_of_tree = mass->start[t->dof + t->dofs];
    double* L = mass->L;
    memcpy(L + first, mass->M + first, (size_t)(end_of_tree - first) * sizeof *L);
    bool definite = true;
    for (int k = t->dof + t->dofs - 1; k >= t->dof; k--) {
        const int row = mass->start[k], end = mass->start[k + 1];
        const double pivot = L[row];
        definite = definite && pivot > 0.0;
        L[row] = 1.0 / pivot;
        for (int e = row + 1; e < end; e++) {
            // the row of this ancestor has the columns of the entries e ... end - 1
            double* above = L + mass->start[mass->column[e]];
            const double factor = L[e] * L[row];
            for (int f = e; f < end; f++) {
                above[f - e] -= factor * L[f];
            }
        }
        for (int e = row + 1; e < end; e++) {
            L[e] *= L[row];
        }
    }
    return definite;
}

bool ut_mass_factor(utMass* mass)
{
    bool definite = true;
    for (int t = 0; t < mass->model->ntree; t++) {
        definite = ut_dyn_factor_tree(mass, t) && definite;
    }
    return definite;
}

void ut_dyn_solve_tree(const utMass* mass, double* x, int tree)
{
    const utModelTree* t = mass->model->tree + tree;
    for (int i = t->dof + t->dofs - 1; i >= t->dof; i--) {
        for (int e = mass->start[i] + 1; e < mass->start[i + 1]; e++) {
            x[mass->column[e]] -= mass->L[e] * x[i];
        }
    }
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        double sum = x[i] * mass->L[mass->start[i]];
        for (int e = mass->start[i] + 1; e < mass->start[i + 1]; e++) {
            sum -= mass->L[e] * x[mass->column[e]];
        }
        x[i] = sum;
    }
}

void ut_mass_solve(const utMass* mass, double* x)
{
    for (int t = 0; t < mass->model->ntree; t++) {
        ut_dyn_solve_tree(mass, x, t);
    }
}
