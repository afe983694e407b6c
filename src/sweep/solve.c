// SPDX-License-Identifier: Apache-2.0
// Sweeps with acceleration: a nonlinear conjugate gradient method whose gradient is the change of one
// Gauss-Seidel sweep (Silcowitz-Hansen, Niebe and Erleben 2010). Between two sweeps the impulses move on
// along the last direction by beta, the ratio of the squared changes. A change that grows restarts.
// Each part has a beta of its own, so that islands do not influence each other. No step follows the last
// sweep, so that its impulses lie in their cones.
#include <math.h>
#include <string.h>

#include "la/internal.h"
#include "sweep.h"

static const SweepLoops* choose_loops(void)
{
#ifdef UT_AVX2
    return ut_has_avx2() ? &ut_sweep_loops_avx2 : &ut_sweep_loops_base;
#else
    return &ut_sweep_loops_base;
#endif
}

// ---- impulses in and out ------------------------------------------------------------------------

static int first_row(const utCoulomb* c, int group)
{
    return group < c->contacts ? c->dimension * group
                               : c->dimension * c->contacts + (group - c->contacts);
}

static void push_pack(const SweepPack* pack, double* x)
{
    for (int side = 0; side < 2; side++) {
        for (int lane = 0; lane < SWEEP_LANES; lane++) {
            double* at = x + pack->at[side][lane];
            for (int j = 0; j < SWEEP_DOFS; j++) {
                for (int k = 0; k < 3; k++) {
                    at[j] += pack->J[side][k][j][lane] * pack->r[k][lane];
                }
            }
        }
    }
}

static void push_block(const SweepBlock* block, double* x)
{
    for (int side = 0; side < 2; side++) {
        double* at = x + block->at[side];
        for (int j = 0; j < SWEEP_DOFS; j++) {
            for (int k = 0; k < 3; k++) {
                for (int l = 0; l < SWEEP_LANES; l++) {
                    at[j] += block->J[side * SWEEP_DOFS + j][k][l] * block->r[k][l];
                }
            }
        }
    }
}

// Copy the impulses of four contacts. @param group -1: none
static void load_lanes(const utCoulomb* c, const int* group, const double* r,
                       double lanes[3][SWEEP_LANES])
{
    for (int l = 0; l < SWEEP_LANES; l++) {
        for (int k = 0; group[l] >= 0 && k < c->dimension; k++) {
            lanes[k][l] = r[c->dimension * group[l] + k];
        }
    }
}

static void store_lanes(const utCoulomb* c, const int* group, double lanes[3][SWEEP_LANES],
                        double* r)
{
    for (int l = 0; l < SWEEP_LANES; l++) {
        for (int k = 0; group[l] >= 0 && k < c->dimension; k++) {
            r[c->dimension * group[l] + k] = lanes[k][l];
        }
    }
}

// Set the impulses, and x to the velocities that they cause.
static void load(SweepProblem* p, const double* r)
{
    const utCoulomb* c = p->coulomb;
    memcpy(p->x, p->x_free, (size_t)p->size * sizeof *p->x);
    for (int n = 0; n < p->blocks; n++) {
        memset(p->block[n].way, 0, sizeof p->block[n].way);
        load_lanes(c, p->block[n].group, r, p->block[n].r);
        push_block(&p->block[n], p->x);
    }
    for (int n = 0; n < p->packs; n++) {
        memset(p->pack[n].way, 0, sizeof p->pack[n].way);
        load_lanes(c, p->pack[n].group, r, p->pack[n].r);
        push_pack(&p->pack[n], p->x);
    }
    for (int n = 0; n < p->groups; n++) {
        SweepGroup* g = &p->group[n];
        memset(g->way, 0, (size_t)g->rows * sizeof *g->way);
        memcpy(g->r, r + first_row(c, g->group), (size_t)g->rows * sizeof *g->r);
        ut_sweep_push_group(p, g, g->r);
    }
    memset(p->x_way, 0, (size_t)p->size * sizeof *p->x_way);
    memset(p->change, 0, (size_t)p->parts * sizeof *p->change);
    memset(p->last_change, 0, (size_t)p->parts * sizeof *p->last_change);
}

static void store(const SweepProblem* p, double* r)
{
    const utCoulomb* c = p->coulomb;
    for (int n = 0; n < p->blocks; n++) {
        store_lanes(c, p->block[n].group, p->block[n].r, r);
    }
    for (int n = 0; n < p->packs; n++) {
        store_lanes(c, p->pack[n].group, p->pack[n].r, r);
    }
    for (int n = 0; n < p->groups; n++) {
        const SweepGroup* g = &p->group[n];
        memcpy(r + first_row(c, g->group), g->r, (size_t)g->rows * sizeof *r);
    }
}

// ---- acceleration -------------------------------------------------------------------------------

static void remember(SweepProblem* p)
{
    memcpy(p->x_before, p->x, (size_t)p->size * sizeof *p->x);
    for (int n = 0; n < p->blocks; n++) {
        memcpy(p->block[n].before, p->block[n].r, sizeof p->block[n].r);
    }
    for (int n = 0; n < p->packs; n++) {
        memcpy(p->pack[n].before, p->pack[n].r, sizeof p->pack[n].r);
    }
    for (int n = 0; n < p->groups; n++) {
        memcpy(p->group[n].before, p->group[n].r, (size_t)p->group[n].rows * sizeof(double));
    }
}

// The squared changes of four contacts.
static inline void measure_lanes(double r[3][SWEEP_LANES], double before[3][SWEEP_LANES],
                                 double weight[2][SWEEP_LANES], double square[SWEEP_LANES])
{
    for (int l = 0; l < SWEEP_LANES; l++) {
        const double a = r[0][l] - before[0][l];
        const double b = r[1][l] - before[1][l];
        const double c = r[2][l] - before[2][l];
        square[l] = weight[0][l] * (a * a) + weight[1][l] * (b * b + c * c);
    }
}

// The squared change of each part by the last sweep, in the metric of A.
static void measure(SweepProblem* p)
{
    double square[SWEEP_LANES];
    memset(p->change, 0, (size_t)p->parts * sizeof *p->change);
    for (int n = 0; n < p->blocks; n++) {
        SweepBlock* block = &p->block[n];
        measure_lanes(block->r, block->before, block->weight, square);
        p->change[block->part] += (square[0] + square[2]) + (square[1] + square[3]);
    }
    for (int n = 0; n < p->packs; n++) {
        SweepPack* pack = &p->pack[n];
        measure_lanes(pack->r, pack->before, pack->weight, square);
        for (int lane = 0; lane < SWEEP_LANES; lane++) {
            p->change[pack->part[lane]] += square[lane];
        }
    }
    for (int n = 0; n < p->groups; n++) {
        const SweepGroup* g = &p->group[n];
        for (int k = 0; k < g->rows; k++) {
            const double a = g->r[k] - g->before[k];
            p->change[g->part] += g->weight * (a * a);
        }
    }
}

static void find_beta(SweepProblem* p)
{
    for (int k = 0; k < p->parts; k++) {
        const bool moves_on = p->last_change[k] > 0.0 && p->change[k] <= p->last_change[k];
        p->beta[k] = moves_on ? p->change[k] / p->last_change[k] : 0.0;
        p->last_change[k] = p->change[k];
    }
}

// value += beta way; way = beta way + (value - before); the new value is the next one before a sweep
static inline void move_on(int count, double beta, double* restrict before, double* restrict value,
                           double* restrict way)
{
    for (int k = 0; k < count; k++) {
        const double ahead = beta * way[k];
        way[k] = ahead + (value[k] - before[k]);
        value[k] += ahead;
        before[k] = value[k];
    }
}

static void accelerate(SweepProblem* p, const SweepLoops* loops)
{
    find_beta(p);
    loops->accelerate_blocks(p->blocks, p->block, p->beta);
    loops->accelerate_packs(p->packs, p->pack, p->beta);
    for (int n = 0; n < p->groups; n++) {
        const SweepGroup* g = &p->group[n];
        move_on(g->rows, p->beta[g->part], g->before, g->r, g->way);
    }
    for (int n = 0; n < p->nodes; n++) {
        const SweepNode* node = &p->node[n];
        const int count = node->dofs > SWEEP_DOFS ? node->dofs : SWEEP_DOFS;
        move_on(count, p->beta[node->part], p->x_before + node->at, p->x + node->at,
                p->x_way + node->at);
    }
}

// ---- velocities ---------------------------------------------------------------------------------

void ut_sweep_solve(SweepProblem* p, int sweeps, double* r)
{
    const SweepLoops* loops = choose_loops();
    load(p, r);
    remember(p);
    for (int k = 0; k < sweeps; k++) {
        const bool last = k + 1 == sweeps;
        loops->blocks(p->blocks, p->block, p->x);
        loops->packs(p->packs, p->pack, p->x);
        ut_sweep_groups(p, p->coulomb->low, p->coulomb->high);
        if (!last) {
            measure(p);
            accelerate(p, loops);
        }
    }
    store(p, r);
}

// ---- displacements ------------------------------------------------------------------------------

static void load_gaps(SweepProblem* p, const double* c)
{
    memset(p->x, 0, (size_t)p->size * sizeof *p->x);
    memset(p->x_way, 0, (size_t)p->size * sizeof *p->x_way);
    memset(p->last_change, 0, (size_t)p->parts * sizeof *p->last_change);
    for (int n = 0; n < p->blocks; n++) {
        SweepBlock* block = &p->block[n];
        memset(block->way, 0, sizeof block->way);
        memset(block->r, 0, sizeof block->r);
        for (int l = 0; l < SWEEP_LANES; l++) {
            block->b[0][l] = block->group[l] >= 0 ? c[block->group[l]] : 0.0;
        }
    }
    for (int n = 0; n < p->packs; n++) {
        SweepPack* pack = &p->pack[n];
        memset(pack->way, 0, sizeof pack->way);
        memset(pack->r, 0, sizeof pack->r);
        for (int lane = 0; lane < SWEEP_LANES; lane++) {
            pack->b[0][lane] = pack->group[lane] >= 0 ? c[pack->group[lane]] : 0.0;
        }
    }
    for (int n = 0; n < p->groups; n++) {
        SweepGroup* g = &p->group[n];
        memset(g->way, 0, (size_t)g->rows * sizeof *g->way);
        memset(g->r, 0, (size_t)g->rows * sizeof *g->r);
        g->b[0] = c[g->group];
    }
}

// dq = L^-T x
static void store_displacement(const SweepProblem* p, double* dq)
{
    for (int k = 0; k < p->nodes; k++) {
        const SweepNode* node = &p->node[k];
        double* at = dq + p->coulomb->blocks->start[k];
        memcpy(at, p->x + node->at, (size_t)node->dofs * sizeof *at);
        ut_lower_solve_transposed(node->dofs, node->L, node->dofs, false, at);
    }
}

void ut_sweep_displace(SweepProblem* p, int sweeps, const double* c, const double* low,
                       const double* high, double* dq)
{
    const SweepLoops* loops = choose_loops();
    load_gaps(p, c);
    remember(p);
    for (int k = 0; k < sweeps; k++) {
        const bool last = k + 1 == sweeps;
        loops->block_normals(p->blocks, p->block, p->x);
        loops->pack_normals(p->packs, p->pack, p->x);
        ut_sweep_group_normals(p, low, high);
        if (!last) {
            measure(p);
            accelerate(p, loops);
        }
    }
    store_displacement(p, dq);
}
