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

const SweepLoops* ut_sweep_loops(void)
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
    ut_sweep_begin(p);
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

// The squared change of each part by the last sweep, in the metric of A.
static void measure(SweepProblem* p, const SweepLoops* loops)
{
    memset(p->change, 0, (size_t)p->parts * sizeof *p->change);
    loops->measure_blocks(p->blocks, p->block, p->change);
    loops->measure_packs(p->packs, p->pack, p->change);
    for (int n = 0; n < p->groups; n++) {
        const SweepGroup* g = &p->group[n];
        for (int k = 0; !g->still && k < g->rows; k++) {
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
        move_on(g->still ? 0 : g->rows, p->beta[g->part], g->before, g->r, g->way);
    }
    loops->accelerate_nodes(p->nodes, p->node, p->beta, p->x_before, p->x, p->x_way);
}

// ---- velocities ---------------------------------------------------------------------------------

int ut_sweep_solve(SweepProblem* p, int sweeps, double* r)
{
    const SweepLoops* loops = ut_sweep_loops();
    load(p, r);
    remember(p);
    int done = 0;
    for (bool moves = true; moves && done < sweeps;) {
        loops->blocks(p->blocks, p->block, p->x);
        loops->packs(p->packs, p->pack, p->x);
        ut_sweep_groups(p, p->coulomb->low, p->coulomb->high);
        if (++done < sweeps) {
            measure(p, loops);
            moves = ut_sweep_find_still(p);
        }
        if (moves && done < sweeps) {
            accelerate(p, loops);
        }
    }
    store(p, r);
    return done;
}

// ---- displacements ------------------------------------------------------------------------------

// A part without an overlap is not displaced: its gaps are kept by no impulse at all.
static void leave_parts_without_overlaps(SweepProblem* p, const double* c)
{
    const int contacts = p->coulomb->contacts;
    memset(p->still, 1, (size_t)p->parts * sizeof *p->still);
    for (int n = 0; n < p->blocks; n++) {
        for (int l = 0; l < SWEEP_LANES && p->block[n].group[l] >= 0; l++) {
            p->still[p->block[n].part] &= c[p->block[n].group[l]] >= 0.0;
        }
    }
    for (int n = 0; n < p->packs; n++) {
        for (int l = 0; l < SWEEP_LANES; l++) {
            const int g = p->pack[n].group[l];
            p->still[p->pack[n].part[l]] &= g < 0 || c[g] >= 0.0;
        }
    }
    for (int n = 0; n < p->groups; n++) {
        const int g = p->group[n].group;
        p->still[p->group[n].part] &= g < contacts ? c[g] >= 0.0 : !isfinite(c[g]);
    }
    ut_sweep_mark_still(p);
}

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
    ut_sweep_begin(p);
    leave_parts_without_overlaps(p, c);
}

static bool all_still(const SweepProblem* p)
{
    bool still = true;
    for (int k = 0; k < p->parts; k++) {
        still = still && p->still[k];
    }
    return still;
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
    const SweepLoops* loops = ut_sweep_loops();
    load_gaps(p, c);
    remember(p);
    bool moves = !all_still(p);
    for (int k = 0; moves && k < sweeps; k++) {
        loops->block_normals(p->blocks, p->block, p->x);
        loops->pack_normals(p->packs, p->pack, p->x);
        ut_sweep_group_normals(p, low, high);
        if (k + 1 < sweeps) {
            measure(p, loops);
            moves = ut_sweep_find_still(p);
        }
        if (moves && k + 1 < sweeps) {
            accelerate(p, loops);
        }
    }
    store_displacement(p, dq);
}
