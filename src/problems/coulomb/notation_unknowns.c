// SPDX-License-Identifier: Apache-2.0
// ut_printed_unknowns: the printed unknowns of a step's impulses.
//
// A friction impulse r_t has many combinations of directions d_j. The least one uses the two directions
// beside it. It solves the rows of the directions, because a sliding contact's r_t lies between the
// directions that oppose its slip most. In the same way the tangential acceleration of Peiret's system
// is combined of the two lines beside it.
#include <uptack/notation.h>

#include <string.h>

#include "coulomb/internal.h"
#include "la/dense/dense.h"

// An answer of a problem.
typedef struct Answer {
    const utPrinted* system;
    const utCoulomb* problem;
    const double* r; // N impulses
    double* v;       // dof
    double* u;       // N: J v + b
    double* z;       // of the form: before it is scaled
} Answer;

// M v = f + J'r
static utStatus find_velocities(const utCoulomb* problem, const double* r, utArena scratch,
                                double* v)
{
    const int n = problem->dof, N = ut_coulomb_rows(problem);
    double* L = ut_coulomb_push(&scratch, n, n);
    if (L == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(L, problem->M, (size_t)n * (size_t)n * sizeof *L);
    for (int i = 0; i < n; i++) {
        v[i] = problem->f[i];
        for (int k = 0; k < N; k++) {
            v[i] += problem->J[(size_t)k * (size_t)n + (size_t)i] * r[k];
        }
    }
    if (ut_chol_factor(n, L, n, 0.0) != n) {
        return UT_ERR_ARGUMENT;
    }
    ut_chol_solve(n, L, n, v);
    return UT_OK;
}

static void find_slip(const utCoulomb* problem, const double* v, double* u)
{
    const int n = problem->dof;
    for (int k = 0; k < ut_coulomb_rows(problem); k++) {
        u[k] = problem->b[k];
        for (int i = 0; i < n; i++) {
            u[k] += problem->J[(size_t)k * (size_t)n + (size_t)i] * v[i];
        }
    }
}

// ---- combinations of directions -----------------------------------------------------------------

// Component c of direction j of `count` directions, or of `count` lines and their opposites.
static double component(const double* d, int count, int width, int j, int c)
{
    return j < count ? d[j * width + c] : -d[(j - count) * width + c];
}

// Write x as a combination of the two directions beside it. They go once around, in order.
// @param lines the directions are `count` lines and then their opposites
// @param share receives one entry per direction, 2 count for lines
static void combine(const double* d, int count, bool lines, const double* x, double* share)
{
    const int all = lines ? 2 * count : count;
    double most = -HUGE_VAL;
    memset(share, 0, (size_t)all * sizeof *share);
    for (int j = 0; j < all; j++) {
        const int next = (j + 1) % all;
        const double a0 = component(d, count, 2, j, 0), a1 = component(d, count, 2, j, 1);
        const double b0 = component(d, count, 2, next, 0), b1 = component(d, count, 2, next, 1);
        const double area = a0 * b1 - a1 * b0;
        const double alpha = (x[0] * b1 - x[1] * b0) / area, beta = (a0 * x[1] - a1 * x[0]) / area;
        const double least = alpha < beta ? alpha : beta;
        // rounding leaves no pair with two shares >= 0 where x is along a direction
        if (least > most) {
            most = least;
            memset(share, 0, (size_t)all * sizeof *share);
            share[j] = alpha > 0.0 ? alpha : 0.0;
            share[next] = beta > 0.0 ? beta : 0.0;
        }
    }
}

// The same in the plane: the directions are +1 and -1, and the one line is +1.
static void combine_flat(double x, double* share)
{
    share[0] = x > 0.0 ? x : 0.0;
    share[1] = x < 0.0 ? -x : 0.0;
}

// ---- contacts -----------------------------------------------------------------------------------

// beta and lambda of contact i.
static void take_force(const Answer* a, int i, double* share)
{
    const utPolyhedral* form = &a->system->form;
    const int first = form->first[i], count = form->first[i + 1] - first, d = form->dimension;
    const double* direction = form->direction + (size_t)first * (size_t)(d - 1);
    const double* r_t = a->r + d * i + 1;
    const double* u_t = a->u + d * i + 1;
    double lambda = 0.0;
    if (d == 2) {
        combine_flat(r_t[0], share);
    } else {
        combine(direction, count, false, r_t, share);
    }
    for (int j = 0; j < count; j++) {
        double along = 0.0;
        for (int c = 0; c < d - 1; c++) {
            along += direction[j * (d - 1) + c] * u_t[c];
        }
        a->z[form->beta + first + j] = share[j];
        lambda = -along > lambda ? -along : lambda;
    }
    // scaled blocks E divide lambda (utPolyhedralDef.scale)
    const int row = form->beta + first, column = form->lambda + form->stick[i];
    const double scale = form->lcp.M[(size_t)row * (size_t)form->lcp.n + (size_t)column];
    a->z[column] = lambda / scale;
}

// lambda_t and kappa of contact i.
static void take_acceleration(const Answer* a, int i, double* share)
{
    const utPolyhedral* form = &a->system->form;
    const int first = form->first[i], count = form->first[i + 1] - first, d = form->dimension;
    const double* u_t = a->u + d * i + 1;
    for (int c = 0; form->tangent >= 0 && c < d - 1; c++) {
        a->z[form->tangent + form->stick[i] * (d - 1) + c] = a->r[d * i + 1 + c];
    }
    if (d == 2) {
        combine_flat(u_t[0], share);
    } else {
        combine(form->direction + (size_t)first * 2, count, true, u_t, share);
    }
    for (int j = 0; j < count; j++) {
        a->z[form->kappa_plus + first + j] = share[j];
        a->z[form->kappa_minus + first + j] = share[count + j];
    }
}

static void take_contacts(const Answer* a, double* share)
{
    const utPolyhedral* form = &a->system->form;
    for (int i = 0; i < form->contacts; i++) {
        a->z[form->normal + i] = a->r[form->dimension * i];
        if (form->stick[i] >= 0 && form->model == UT_POLYHEDRAL_FORCE) {
            take_force(a, i, share);
        } else if (form->stick[i] >= 0) {
            take_acceleration(a, i, share);
        }
    }
}

// ---- all unknowns -------------------------------------------------------------------------------

// x of a falling block is its gap after the step.
static void take_pfrommer(const Answer* a)
{
    const utPrinted* system = a->system;
    const int d = a->problem->dimension;
    if (strcmp(system->part[0].unknown, "x") == 0) {
        for (int i = 0; i < system->lcp.n; i++) {
            a->z[i] = system->h * a->u[d * i];
        }
        return;
    }
    double both[2];
    combine_flat(a->u[1], both);
    memcpy(a->z, both, (size_t)system->lcp.n * sizeof *a->z);
}

// Velocities as accelerations, and impulses as forces.
static void accelerate(const Answer* a, double* forces)
{
    const utPrinted* system = a->system;
    for (int k = 0; k < ut_coulomb_rows(a->problem); k++) {
        forces[k] = a->r[k] / system->impulse;
        a->u[k] /= system->v != NULL ? system->h : 1.0;
    }
    for (int i = 0; system->v != NULL && i < a->problem->dof; i++) {
        a->v[i] = (a->v[i] - system->v[i]) / system->h;
    }
}

utStatus ut_printed_unknowns(const utPrinted* system, const utCoulomb* problem, const double* r,
                             utArena scratch, double* z)
{
    if (problem->M == NULL) {
        return UT_ERR_ARGUMENT;
    }
    const int N = ut_coulomb_rows(problem), n = system->lcp.n;
    Answer a = {.system = system, .problem = problem, .r = r, .z = z};
    a.v = ut_coulomb_push(&scratch, 1, problem->dof);
    a.u = ut_coulomb_push(&scratch, 1, N);
    double* forces = ut_coulomb_push(&scratch, 1, N);
    double* share = ut_coulomb_push(&scratch, 2, n > 2 ? n : 2);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(find_velocities(problem, r, scratch, a.v));
    find_slip(problem, a.v, a.u);
    memset(z, 0, (size_t)n * sizeof *z);
    if (system->notation == UT_NOTATION_PFROMMER) {
        take_pfrommer(&a);
        return UT_OK;
    }
    const utPolyhedral* form = &system->form;
    accelerate(&a, forces);
    a.r = forces;
    if (form->velocity >= 0) {
        memcpy(z + form->velocity, a.v, (size_t)problem->dof * sizeof *z);
    }
    if (form->bilateral >= 0) {
        memcpy(z + form->bilateral, forces + form->dimension * form->contacts,
               (size_t)form->bilaterals * sizeof *z);
    }
    take_contacts(&a, share);
    for (int k = 0; k < n; k++) {
        z[k] = z[k] / system->scale[k] + 0.0; // no -0
    }
    return UT_OK;
}
