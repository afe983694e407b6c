// SPDX-License-Identifier: Apache-2.0
// Parts that are solved: a sweep changes their impulses by no more than rounding, so that more sweeps would
// change nothing. At rest this holds for the impulses of the last step. A part stops by itself, so that
// islands do not influence each other. Changes and impulses are compared in the metric of A.
#include <string.h>

#include "sweep.h"

// The change of a sweep over the impulses of a part that counts as rounding.
static const double ROUNDING = 0x1p-52;

static double square_of_lanes(double r[3][SWEEP_LANES], double weight[2][SWEEP_LANES], int l)
{
    return weight[0][l] * (r[0][l] * r[0][l]) +
           weight[1][l] * (r[1][l] * r[1][l] + r[2][l] * r[2][l]);
}

void ut_sweep_begin(SweepProblem* p)
{
    memset(p->still, 0, (size_t)p->parts * sizeof *p->still);
    memset(p->load, 0, (size_t)p->parts * sizeof *p->load);
    for (int n = 0; n < p->blocks; n++) {
        SweepBlock* block = &p->block[n];
        for (int l = 0; l < SWEEP_LANES; l++) {
            p->load[block->part] += square_of_lanes(block->r, block->weight, l);
        }
    }
    for (int n = 0; n < p->packs; n++) {
        SweepPack* pack = &p->pack[n];
        for (int l = 0; l < SWEEP_LANES; l++) {
            p->load[pack->part[l]] += square_of_lanes(pack->r, pack->weight, l);
        }
    }
    for (int n = 0; n < p->groups; n++) {
        const SweepGroup* g = &p->group[n];
        for (int k = 0; k < g->rows; k++) {
            p->load[g->part] += g->weight * (g->r[k] * g->r[k]);
        }
    }
    ut_sweep_mark_still(p);
}

void ut_sweep_mark_still(SweepProblem* p)
{
    for (int n = 0; n < p->blocks; n++) {
        p->block[n].still = p->still[p->block[n].part];
    }
    for (int n = 0; n < p->packs; n++) {
        SweepPack* pack = &p->pack[n];
        int moving = 0, lanes = 0;
        for (int l = 0; l < SWEEP_LANES; l++) {
            const bool moves = pack->group[l] >= 0 && !p->still[pack->part[l]];
            pack->moving[l] = moves ? -1 : 0;
            moving += moves;
            lanes += pack->group[l] >= 0;
        }
        pack->still = moving == 0;
        pack->mixed = moving < lanes;
    }
    for (int n = 0; n < p->groups; n++) {
        p->group[n].still = p->still[p->group[n].part];
    }
    for (int n = 0; n < p->nodes; n++) {
        p->node[n].still = p->still[p->node[n].part];
    }
}

bool ut_sweep_find_still(SweepProblem* p)
{
    bool found = false, moves = false;
    for (int k = 0; k < p->parts; k++) {
        if (p->still[k]) {
            continue;
        }
        p->still[k] = p->change[k] <= ROUNDING * ROUNDING * p->load[k];
        p->load[k] = p->load[k] > 0.0 ? p->load[k] : p->change[k];
        found = found || p->still[k];
        moves = moves || !p->still[k];
    }
    if (found && moves) {
        ut_sweep_mark_still(p);
    }
    return moves;
}
