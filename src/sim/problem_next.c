// SPDX-License-Identifier: Apache-2.0
// ut_sim_coulomb: the friction problem of the next step, all islands together.
#include <string.h>
#include <uptack/sim_coulomb.h>

#include "sim/step.h"

// Set up the next step and its problem, with all contacts and rows in one island.
static utStatus set_up(utSim* sim, const utInput* input, Step* step, IslandProblem* all,
                       utError* err)
{
    const double dt = sim->settings.dt;
    ActiveSet* active = &step->active;
    UT_TRY(ut_step_start(sim, dt, ut_state_next_time(&sim->state, dt), dt, step));
    UT_TRY(ut_step_input(step, input, err));
    UT_TRY(ut_step_set_up(step));
    UT_TRY(ut_step_project(step));
    for (int i = 0; i < active->contacts; i++) {
        active->contact[i].island = 0;
    }
    for (int j = 0; j < active->rows; j++) {
        active->row[j].island = 0;
    }
    ut_step_find_mass(step);
    return ut_contact_problem(&step->scene, &sim->work.mass, 0, active->contacts, active->contact,
                              active->rows, active->row, &sim->settings.section, &step->arena, all);
}

// ---- dense --------------------------------------------------------------------------------------

// The arrays of the problem.
typedef struct Dense {
    int dof, N;
    double *M, *J, *f, *b, *mu, *torsional, *rolling, *low, *high;
    utSection* section;
} Dense;

static bool push(const utCoulomb* c, Dense* d, utArena* keep)
{
    const size_t dof = (size_t)d->dof, N = (size_t)d->N;
    d->M = UT_PUSH(keep, double, dof* dof);
    d->J = UT_PUSH(keep, double, N* dof);
    d->f = UT_PUSH(keep, double, dof);
    d->b = UT_PUSH(keep, double, N);
    d->mu = UT_PUSH(keep, double, c->contacts);
    d->torsional = c->torsional != NULL ? UT_PUSH(keep, double, c->contacts) : NULL;
    d->rolling = c->rolling != NULL ? UT_PUSH(keep, double, c->contacts) : NULL;
    d->low = UT_PUSH(keep, double, c->bilaterals);
    d->high = UT_PUSH(keep, double, c->bilaterals);
    d->section = UT_PUSH(keep, utSection, 1);
    return !ut_arena_failed(keep);
}

// M̂ of all trees, and f = M̂ v*.
static void put_trees(const Step* step, const Dense* d, double* block)
{
    const utModel* model = step->sim->model;
    for (int t = 0; t < model->ntree; t++) {
        const int n = model->tree[t].dofs, at = model->tree[t].dof;
        ut_mass_block(&step->sim->work.mass, t, block);
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) {
                d->M[(size_t)(at + i) * (size_t)d->dof + (size_t)(at + j)] = block[i * n + j];
                sum += block[i * n + j] * step->free.v[at + j];
            }
            d->f[at + i] = sum;
        }
    }
}

// The first velocity of a node: a tree, or a compliant row.
static int first_dof(const Step* step, const IslandProblem* all, int node)
{
    const utModel* model = step->sim->model;
    return node < all->trees ? model->tree[all->tree[node]].dof : model->nv + node - all->trees;
}

// Masses of compliant rows, and the rows of J.
static void put_groups(const Step* step, const IslandProblem* all, const Dense* d)
{
    const utCoulomb* c = &all->coulomb;
    const utCoulombBlocks* b = &all->blocks;
    const double* M = b->M;
    for (int k = 0; k < b->nodes; k++) {
        const size_t width = (size_t)(b->start[k + 1] - b->start[k]);
        if (k >= all->trees) {
            const size_t at = (size_t)first_dof(step, all, k);
            d->M[at * (size_t)d->dof + at] = *M;
        }
        M += width * width;
    }
    const double* J = b->J;
    int row = 0;
    for (int g = 0; g < c->contacts + c->bilaterals; g++) {
        const int rows = g < c->contacts ? c->dimension : 1;
        for (int e = b->first[g]; e < b->first[g + 1]; e++) {
            const int node = b->node[e];
            const size_t width = (size_t)(b->start[node + 1] - b->start[node]);
            const size_t at = (size_t)first_dof(step, all, node);
            for (int i = 0; i < rows; i++, J += width) {
                memcpy(d->J + (size_t)(row + i) * (size_t)d->dof + at, J, width * sizeof *J);
            }
        }
        row += rows;
    }
}

// @param full receives true when `keep` is too small
static utStatus write_dense(Step* step, const IslandProblem* all, utArena* keep, utCoulomb* problem,
                            bool* full)
{
    const utCoulomb* c = &all->coulomb;
    const int nv = step->sim->model->nv;
    Dense d = {.dof = nv + all->blocks.nodes - all->trees, .N = ut_coulomb_rows(c)};
    double* block = ut_arena_push(&step->arena, (size_t)nv, (size_t)nv * sizeof *block);
    utArena rest = *keep;
    *full = block != NULL && !push(c, &d, &rest);
    if (block == NULL || *full) {
        return UT_ERR_CAPACITY;
    }
    memset(d.M, 0, (size_t)d.dof * (size_t)d.dof * sizeof *d.M);
    memset(d.J, 0, (size_t)d.N * (size_t)d.dof * sizeof *d.J);
    memset(d.f, 0, (size_t)d.dof * sizeof *d.f);
    put_trees(step, &d, block);
    put_groups(step, all, &d);
    memcpy(d.b, c->b, (size_t)d.N * sizeof *d.b);
    memcpy(d.mu, c->mu, (size_t)c->contacts * sizeof *d.mu);
    if (d.torsional != NULL) {
        memcpy(d.torsional, c->torsional, (size_t)c->contacts * sizeof *d.mu);
    }
    if (d.rolling != NULL) {
        memcpy(d.rolling, c->rolling, (size_t)c->contacts * sizeof *d.mu);
    }
    memcpy(d.low, c->low, (size_t)c->bilaterals * sizeof *d.low);
    memcpy(d.high, c->high, (size_t)c->bilaterals * sizeof *d.high);
    *d.section = *c->section;
    *keep = rest;
    *problem = (utCoulomb){
        .dimension = c->dimension,
        .contacts = c->contacts,
        .bilaterals = c->bilaterals,
        .low = d.low,
        .high = d.high,
        .mu = d.mu,
        .torsional = d.torsional,
        .rolling = d.rolling,
        .section = d.section,
        .dof = d.dof,
        .M = d.M,
        .J = d.J,
        .f = d.f,
        .b = d.b,
    };
    return UT_OK;
}

utStatus ut_sim_coulomb(utSim* sim, const utInput* input, utArena* keep, utCoulomb* problem,
                        utError* err)
{
    Step step;
    IslandProblem all;
    bool full = false;
    sim->last.valid = false;
    sim->last.taken = false;
    if (err != NULL) {
        err->message[0] = '\0';
    }
    utStatus status = set_up(sim, input, &step, &all, err);
    if (status == UT_OK) {
        status = write_dense(&step, &all, keep, problem, &full);
    }
    if (status == UT_ERR_CAPACITY && !full) {
        status = UT_ERR_MEMORY; // `keep` has room, so that the allocator failed
    }
    ut_sim_place(sim);
    if (status != UT_OK && err != NULL && err->message[0] == '\0') {
        return ut_error_set(err, status, "%s", ut_status_text(status));
    }
    return status;
}
