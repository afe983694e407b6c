// SPDX-License-Identifier: Apache-2.0
// Groups outside of packs, one after the other: contacts of larger trees, contacts with torsional and
// rolling friction, scalar rows.
#include <math.h>
#include <string.h>

#include "sweep.h"

// Change r_k and the velocities of the group by it.
static void change_row(const SweepGroup* g, int k, double r, double* u)
{
    const double change = r - g->r[k];
    g->r[k] = r;
    for (int i = 0; i < g->rows; i++) {
        u[i] += g->A[i * g->rows + k] * change;
    }
}

// Two rows from k on: a gradient step, projected onto the circle of radius `limit`.
static void change_circle(const SweepGroup* g, int k, double step, double limit, double* u)
{
    const double x = g->r[k] - step * u[k];
    const double y = g->r[k + 1] - step * u[k + 1];
    const double length = sqrt(x * x + y * y);
    const double scale = length > limit ? limit / length : 1.0;
    change_row(g, k, scale * x, u);
    change_row(g, k + 1, scale * y, u);
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// One row: r - u / A within bounds.
static void change_bounded(const SweepGroup* g, int k, double low, double high, double* u)
{
    const double A = g->A[k * g->rows + k];
    if (A > 0.0) {
        change_row(g, k, clamp(g->r[k] - u[k] / A, low, high), u);
    }
}

static void change_contact(const utCoulomb* c, const SweepGroup* g, double* u)
{
    const int i = g->group;
    change_bounded(g, 0, 0.0, HUGE_VAL, u);
    const double limit = c->mu[i] * g->r[0];
    if (g->rows == 2) {
        change_bounded(g, 1, -limit, limit, u);
        return;
    }
    change_circle(g, 1, g->step[0], limit, u);
    if (g->rows > 3) {
        const double torsional = (c->torsional != NULL ? c->torsional[i] : 0.0) * g->r[0];
        change_bounded(g, 3, -torsional, torsional, u);
    }
    if (g->rows == 6) {
        const double rolling = (c->rolling != NULL ? c->rolling[i] : 0.0) * g->r[0];
        change_circle(g, 4, g->step[1], rolling, u);
    }
}

static void find_velocity(const SweepProblem* p, const SweepGroup* g, double* u)
{
    const utCoulombBlocks* blocks = p->coulomb->blocks;
    const double* J = p->J + p->J_of[g->group];
    memcpy(u, g->b, (size_t)g->rows * sizeof *u);
    for (int e = blocks->first[g->group]; e < blocks->first[g->group + 1]; e++) {
        const SweepNode* node = &p->node[blocks->node[e]];
        const double* x = p->x + node->at;
        for (int k = 0; k < g->rows; k++) {
            double sum = 0.0;
            for (int j = 0; j < node->dofs; j++) {
                sum += J[j] * x[j];
            }
            u[k] += sum;
            J += node->dofs;
        }
    }
}

// x += Ĵ' change
static void push(SweepProblem* p, const SweepGroup* g, const double* change)
{
    const utCoulombBlocks* blocks = p->coulomb->blocks;
    const double* J = p->J + p->J_of[g->group];
    for (int e = blocks->first[g->group]; e < blocks->first[g->group + 1]; e++) {
        const SweepNode* node = &p->node[blocks->node[e]];
        double* x = p->x + node->at;
        for (int k = 0; k < g->rows; k++) {
            for (int j = 0; j < node->dofs; j++) {
                x[j] += J[j] * change[k];
            }
            J += node->dofs;
        }
    }
}

void ut_sweep_push_group(SweepProblem* p, const SweepGroup* g, const double* change)
{
    push(p, g, change);
}

void ut_sweep_groups(SweepProblem* p, const double* low, const double* high)
{
    const utCoulomb* c = p->coulomb;
    for (int n = 0; n < p->groups; n++) {
        const SweepGroup* g = &p->group[n];
        double u[UT_LAW_MAX_DIMENSION], change[UT_LAW_MAX_DIMENSION];
        if (g->still) {
            continue;
        }
        find_velocity(p, g, u);
        memcpy(change, g->r, (size_t)g->rows * sizeof *change);
        if (g->group < c->contacts) {
            change_contact(c, g, u);
        } else {
            const int j = g->group - c->contacts;
            change_bounded(g, 0, low != NULL ? low[j] : -HUGE_VAL,
                           high != NULL ? high[j] : HUGE_VAL, u);
        }
        for (int k = 0; k < g->rows; k++) {
            change[k] = g->r[k] - change[k];
        }
        push(p, g, change);
    }
}

void ut_sweep_group_normals(SweepProblem* p, const double* low, const double* high)
{
    const utCoulomb* c = p->coulomb;
    for (int n = 0; n < p->groups; n++) {
        const SweepGroup* g = &p->group[n];
        double u[UT_LAW_MAX_DIMENSION];
        double change[UT_LAW_MAX_DIMENSION] = {0.0};
        const double old = g->r[0];
        const bool contact = g->group < c->contacts;
        const int j = g->group - c->contacts;
        if (g->still || !isfinite(g->b[0])) {
            continue;
        }
        find_velocity(p, g, u);
        change_bounded(g, 0, contact ? 0.0 : low[j], contact ? HUGE_VAL : high[j], u);
        change[0] = g->r[0] - old;
        push(p, g, change);
    }
}
