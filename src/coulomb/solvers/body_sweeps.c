// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel over contacts of free bodies, for many sweeps at a low cost: the data of a contact are
// contiguous and have fixed sizes, and open contacts cost one row.
//
// A visit solves one contact for its own impulse, p being its velocity without that impulse:
//
//     open    p_n >= 0              r = 0
//     stick   -A^-1 p in K          r = -A^-1 p
//     slip    r = r_n (1, mu t)     r_n = -p_n / (A_nn + mu A_nt.t), t by the iteration
//                                   t <- w / |w|, w = r_t - turn u_t
//
// The iteration of t ends at the first step for balls, where A_tt is a multiple of 1 and A_nt = 0, and is
// not finished elsewhere: the next sweep continues it. Where the formula of r_n has no positive
// denominator the exact local solve (one_contact.c) takes over.
#include "body_sweeps.h"

#include <string.h>

#include "la/dense/dense.h"

enum { TURNS = 3 }; // steps of the slip direction per visit

static const double SAME_DIRECTION = 1e-3; // change of t below which its iteration ends
static const double ZERO_PIVOT = 1e-12;    // det A over its diagonal's product: A is singular
static const double THIN = 1e-3;           // of A_nn: a smaller denominator of r_n is not used

// ---- which problems -----------------------------------------------------------------------------

bool ut_body_sweeps_apply(const System* system)
{
    const utCoulomb* problem = system->problem;
    if (system->local || system->convex || system->d != 3 || system->nb > 0 || system->nc == 0 ||
        ut_coulomb_polygonal(problem)) {
        return false;
    }
    const utCoulombBlocks* blocks = &system->bodies.blocks;
    for (int k = 0; k < blocks->nodes; k++) {
        if (ut_node_dof(blocks, k) > SWEEP_DOF) {
            return false;
        }
    }
    for (int i = 0; i < system->nc; i++) {
        if (blocks->first[i + 1] - blocks->first[i] > 2) {
            return false;
        }
    }
    return true;
}

// ---- preparation --------------------------------------------------------------------------------

// row <- L^-1 row
static void divide_by_factor(int n, const double* L, double* row)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            row[i] -= L[i * n + k] * row[k];
        }
        row[i] /= L[i * n + i];
    }
}

// The inverse of a symmetric A, by cofactors.
static void invert(SweepContact* c)
{
    double(*A)[3] = c->A;
    double C[3][3];
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            C[i][j] = A[i1][j1] * A[i2][j2] - A[i1][j2] * A[i2][j1];
        }
    }
    const double det = A[0][0] * C[0][0] + A[0][1] * C[0][1] + A[0][2] * C[0][2];
    const bool regular = det > ZERO_PIVOT * A[0][0] * A[1][1] * A[2][2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c->inverse[i][j] = regular ? C[j][i] / det : 0.0;
        }
    }
}

static void fill_A(SweepContact* c)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int side = 0; side < 2; side++) {
                for (int k = 0; k < SWEEP_DOF; k++) {
                    sum += c->J[side][i][k] * c->J[side][j][k];
                }
            }
            c->A[i][j] = sum;
        }
    }
    ut_sweep_contact_prepare(c);
}

void ut_sweep_contact_prepare(SweepContact* c)
{
    invert(c);
    const double first = fabs(c->A[1][1]) + fabs(c->A[1][2]);
    const double second = fabs(c->A[2][1]) + fabs(c->A[2][2]);
    const double most = first > second ? first : second;
    c->turn = most > 0.0 ? 1.0 / most : 0.0;
}

static void fill_contact(const System* system, int i, int rest, SweepContact* c)
{
    const Bodies* bodies = &system->bodies;
    const utCoulombBlocks* blocks = &bodies->blocks;
    const double* J = blocks->J + bodies->entry[i];
    memset(c, 0, sizeof *c);
    c->body[0] = c->body[1] = rest;
    for (int t = blocks->first[i]; t < blocks->first[i + 1]; t++) {
        const int side = t - blocks->first[i];
        const int node = blocks->node[t];
        const int n = ut_node_dof(blocks, node);
        c->body[side] = SWEEP_DOF * node;
        for (int k = 0; k < 3; k++, J += n) {
            memcpy(c->J[side][k], J, (size_t)n * sizeof *J);
            divide_by_factor(n, bodies->L + bodies->mass[node], c->J[side][k]);
        }
    }
    memcpy(c->b, system->problem->b + (size_t)3 * (size_t)i, sizeof c->b);
    c->mu = system->problem->mu[i];
    c->m = system->m[i];
    fill_A(c);
    c->moves = system->moves[i] && c->A[0][0] > 0.0;
}

utStatus ut_body_sweeps_create(const System* system, utArena* scratch, BodySweeps* sweeps)
{
    const int bodies = system->bodies.blocks.nodes;
    *sweeps = (BodySweeps){
        .system = system,
        .bodies = bodies,
        .contacts = system->nc,
        .contact = UT_PUSH(scratch, SweepContact, system->nc),
        .y = ut_coulomb_push(scratch, bodies + 1, SWEEP_DOF),
    };
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < system->nc; i++) {
        fill_contact(system, i, SWEEP_DOF * bodies, &sweeps->contact[i]);
    }
    return UT_OK;
}

void ut_body_sweeps_start(BodySweeps* sweeps, const double* r)
{
    const Bodies* bodies = &sweeps->system->bodies;
    const utCoulombBlocks* blocks = &bodies->blocks;
    memset(sweeps->y, 0, (size_t)(sweeps->bodies + 1) * SWEEP_DOF * sizeof *sweeps->y);
    for (int k = 0; k < sweeps->bodies; k++) {
        const int n = ut_node_dof(blocks, k);
        double* y = sweeps->y + (size_t)SWEEP_DOF * (size_t)k;
        memcpy(y, sweeps->system->problem->f + blocks->start[k], (size_t)n * sizeof *y);
        divide_by_factor(n, bodies->L + bodies->mass[k], y);
    }
    for (int i = 0; i < sweeps->contacts; i++) {
        SweepContact* c = &sweeps->contact[i];
        for (int k = 0; k < 3; k++) {
            c->r[k] = c->moves ? r[3 * i + k] : 0.0;
            for (int side = 0; side < 2; side++) {
                double* y = sweeps->y + c->body[side];
                for (int l = 0; l < SWEEP_DOF; l++) {
                    y[l] += c->J[side][k][l] * c->r[k];
                }
            }
        }
    }
}

// ---- a visit ------------------------------------------------------------------------------------

// Row k of u.
static inline double row_velocity(const SweepContact* c, int k, const double* y0, const double* y1)
{
    const double* J0 = c->J[0][k];
    const double* J1 = c->J[1][k];
    const double even = (J0[0] * y0[0] + J0[2] * y0[2]) + J0[4] * y0[4];
    const double odd = (J0[1] * y0[1] + J0[3] * y0[3]) + J0[5] * y0[5];
    const double even1 = (J1[0] * y1[0] + J1[2] * y1[2]) + J1[4] * y1[4];
    const double odd1 = (J1[1] * y1[1] + J1[3] * y1[3]) + J1[5] * y1[5];
    return c->b[k] + ((even + even1) + (odd + odd1));
}

// Slip. @param t in: a direction; out: unspecified @return false when the formula does not apply
static bool slip(const SweepContact* c, const double* p, double* t, double* r)
{
    for (int turn = 0;; turn++) {
        const double D = c->A[0][0] + c->mu * (c->A[0][1] * t[0] + c->A[0][2] * t[1]);
        if (!(D > THIN * c->A[0][0])) {
            return false;
        }
        r[0] = -p[0] / D;
        r[1] = c->mu * r[0] * t[0];
        r[2] = c->mu * r[0] * t[1];
        if (turn == TURNS) {
            return true;
        }
        const double u1 = p[1] + c->A[1][0] * r[0] + c->A[1][1] * r[1] + c->A[1][2] * r[2];
        const double u2 = p[2] + c->A[2][0] * r[0] + c->A[2][1] * r[1] + c->A[2][2] * r[2];
        const double w1 = r[1] - c->turn * u1;
        const double w2 = r[2] - c->turn * u2;
        const double length = sqrt(w1 * w1 + w2 * w2);
        if (!(length > 0.0)) {
            return true;
        }
        const double t1 = w1 / length, t2 = w2 / length;
        const double change = fabs(t1 - t[0]) + fabs(t2 - t[1]);
        t[0] = t1;
        t[1] = t2;
        turn = change < SAME_DIRECTION && turn < TURNS - 1 ? TURNS - 1 : turn;
    }
}

void ut_sweep_contact_solve(const SweepContact* c, const double* p, double* x)
{
    x[0] = x[1] = x[2] = 0.0;
    if (p[0] >= 0.0) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        x[k] = -(c->inverse[k][0] * p[0] + c->inverse[k][1] * p[1] + c->inverse[k][2] * p[2]);
    }
    const double square = x[1] * x[1] + x[2] * x[2];
    if (x[0] > 0.0 && square <= c->mu * c->mu * x[0] * x[0]) {
        return;
    }
    // begin with the direction of the last impulse, else with that of the slip
    double t[2] = {c->r[1], c->r[2]};
    double length = sqrt(t[0] * t[0] + t[1] * t[1]);
    if (!(length > 0.0)) {
        t[0] = -p[1];
        t[1] = -p[2];
        length = sqrt(t[0] * t[0] + t[1] * t[1]);
    }
    t[0] = length > 0.0 ? t[0] / length : 0.0;
    t[1] = length > 0.0 ? t[1] / length : 0.0;
    if (!slip(c, p, t, x)) {
        const utSection circle = ut_section_circle();
        const utLaw law = {.section = &circle, .mu = c->mu};
        memcpy(x, c->r, sizeof c->r);
        ut_coulomb_local(&law, &c->A[0][0], p, c->m, x);
    }
}

static inline void visit(SweepContact* c, double* y)
{
    double* y0 = y + c->body[0];
    double* y1 = y + c->body[1];
    double u[3];
    u[0] = row_velocity(c, 0, y0, y1);
    if (c->r[0] == 0.0 && u[0] >= 0.0) {
        return; // stays open
    }
    u[1] = row_velocity(c, 1, y0, y1);
    u[2] = row_velocity(c, 2, y0, y1);
    double p[3], x[3];
    for (int k = 0; k < 3; k++) {
        p[k] = u[k] - (c->A[k][0] * c->r[0] + c->A[k][1] * c->r[1] + c->A[k][2] * c->r[2]);
    }
    ut_sweep_contact_solve(c, p, x);
    for (int k = 0; k < 3; k++) {
        const double change = x[k] - c->r[k];
        c->r[k] = x[k];
        for (int l = 0; l < SWEEP_DOF; l++) {
            y0[l] += c->J[0][k][l] * change;
        }
        for (int l = 0; l < SWEEP_DOF; l++) {
            y1[l] += c->J[1][k][l] * change;
        }
    }
}

void ut_body_sweeps_run(BodySweeps* sweeps)
{
    for (int k = 0; k < sweeps->contacts; k++) {
        SweepContact* c = &sweeps->contact[k];
        if (c->moves) {
            visit(c, sweeps->y);
        }
    }
}

void ut_body_sweeps_impulses(const BodySweeps* sweeps, double* r)
{
    for (int i = 0; i < sweeps->contacts; i++) {
        const utLaw law = ut_system_law(sweeps->system, i);
        ut_law_project(&law, sweeps->contact[i].r, r + (size_t)3 * (size_t)i);
    }
}
