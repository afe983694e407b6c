// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel on a dense W from r = 0, given up as soon as its rate is poor.
//
// Loose piles converge in some forty sweeps, each of which costs N^2 products; one factorization costs
// N^3 / 3 of them, and other rungs need dozens. The change of a sweep,
//
//     c = max over i of |r_i - its last value| / m_i      in m/s,
//
// falls by a factor that is nearly constant. From this factor follows how many sweeps are left, and when
// they are too many the try ends.
#include "dense_sweeps.h"

#include <string.h>

#include "body_sweeps.h"
#include "coulomb/tolerances.h"
#include "la/dense/kernel.h"

enum {
    MAX_SWEEPS = 80,  // that are worth less than the rungs that follow
    INTERVAL = 5,     // sweeps between two estimates of the rate
    FIRST_CHECK = 25, // piles shift for some twenty sweeps until their contacts are the right ones
};

// Of the tolerance times V: the change at which sweeps end. With the rate at which sweeps are given up the
// changes that would follow add up to a few times this one.
static const double CONVERGED = 0.01;

// Of the change of a visit: a larger error is solved exactly.
static const double LOCAL_SHARE = 0.1;

typedef struct DenseSweeps {
    const utCoulomb* problem;
    int N;
    SweepContact* contact;
    double* r; // N
} DenseSweeps;

bool ut_dense_sweeps_apply(const utCoulomb* problem)
{
    return problem->W != NULL && problem->W_start == NULL && problem->dimension == 3 &&
           problem->bilaterals == 0 && problem->contacts > 0 && !ut_coulomb_polygonal(problem);
}

static const double* row_of(const DenseSweeps* s, int k)
{
    return s->problem->W + (size_t)k * (size_t)s->N;
}

static void fill_contact(const DenseSweeps* s, int i, SweepContact* c)
{
    double trace = 0.0;
    memset(c, 0, sizeof *c);
    for (int k = 0; k < 3; k++) {
        memcpy(c->A[k], row_of(s, 3 * i + k) + (size_t)3 * (size_t)i, sizeof c->A[k]);
        trace += c->A[k][k];
    }
    c->mu = s->problem->mu[i];
    c->m = 3.0 / trace;
    c->moves = c->m > 0.0 && isfinite(c->m) && c->A[0][0] > 0.0;
    ut_sweep_contact_prepare(c);
}

static double largest_change(const SweepContact* c, const double* x)
{
    double change = 0.0;
    for (int k = 0; k < 3; k++) {
        change = ut_larger(change, fabs(x[k] - c->r[k]));
    }
    return change / c->m;
}

// Is the error of x a small part of the change that it makes? The direction of slip may go round in circles
// where A_nt is large.
static bool is_nearly_solved(const DenseSweeps* s, int i, const double* p, const double* x)
{
    const SweepContact* c = &s->contact[i];
    const utLaw law = ut_coulomb_law(s->problem, i, false);
    double u[3];
    for (int k = 0; k < 3; k++) {
        u[k] = p[k] + (c->A[k][0] * x[0] + c->A[k][1] * x[1] + c->A[k][2] * x[2]);
    }
    return ut_law_error(&law, c->m, x, u) <= LOCAL_SHARE * largest_change(c, x);
}

// Visit contact i. @return the change of its impulse over its mass
static double visit(DenseSweeps* s, int i)
{
    SweepContact* c = &s->contact[i];
    double* r = s->r + (size_t)3 * (size_t)i;
    const double* q = s->problem->q + (size_t)3 * (size_t)i;
    double u[3], p[3], x[3];
    u[0] = q[0] + ut_dot(s->N, row_of(s, 3 * i), s->r);
    if (!c->moves || (r[0] == 0.0 && u[0] >= 0.0)) {
        return 0.0;
    }
    u[1] = q[1] + ut_dot(s->N, row_of(s, 3 * i + 1), s->r);
    u[2] = q[2] + ut_dot(s->N, row_of(s, 3 * i + 2), s->r);
    for (int k = 0; k < 3; k++) {
        p[k] = u[k] - (c->A[k][0] * c->r[0] + c->A[k][1] * c->r[1] + c->A[k][2] * c->r[2]);
    }
    ut_sweep_contact_solve(c, p, x);
    if (!is_nearly_solved(s, i, p, x)) {
        const utLaw law = ut_coulomb_law(s->problem, i, false);
        memcpy(x, c->r, sizeof c->r);
        ut_coulomb_local(&law, &c->A[0][0], p, c->m, x);
    }
    const double change = largest_change(c, x);
    memcpy(c->r, x, sizeof c->r);
    memcpy(r, x, sizeof c->r);
    return change;
}

static double sweep(DenseSweeps* s)
{
    double change = 0.0;
    for (int i = 0; i < s->problem->contacts; i++) {
        change = ut_larger(change, visit(s, i));
    }
    return change;
}

// The scale V of contacts that would close, as the judge has it for r = 0.
static double find_scale(const utCoulomb* problem)
{
    double V = problem->speed;
    for (int i = 0; i < problem->contacts; i++) {
        const double* q = problem->q + (size_t)3 * (size_t)i;
        V = q[0] < 0.0 ? ut_larger(V, ut_coulomb_length(3, q)) : V;
    }
    return V == 0.0 ? UT_LEAST_SPEED : V;
}

// Will the change become as small as `end` within so many sweeps, if every INTERVAL of them lower it as the
// last one did?
static bool is_near(double before, double now, double end, int sweeps)
{
    const double factor = now / before;
    for (int k = 0; k < sweeps && now > end; k += INTERVAL) {
        now *= factor;
    }
    return now <= end;
}

// @return true when the changes have become as small as `end`
static bool iterate(DenseSweeps* s, double end)
{
    double before = HUGE_VAL;
    for (int k = 1; k <= MAX_SWEEPS; k++) {
        const double change = sweep(s);
        if (change <= end) {
            return true;
        }
        if (k % INTERVAL == 0) {
            if (k >= FIRST_CHECK && !is_near(before, change, end, MAX_SWEEPS - k)) {
                return false;
            }
            before = change;
        }
    }
    return false;
}

utStatus ut_dense_sweeps_run(const utCoulomb* problem, double tolerance, utArena scratch, double* r,
                             bool* converged)
{
    const int N = ut_coulomb_rows(problem);
    DenseSweeps s = {
        .problem = problem,
        .N = N,
        .contact = UT_PUSH(&scratch, SweepContact, problem->contacts),
        .r = ut_coulomb_push(&scratch, 1, N),
    };
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < problem->contacts; i++) {
        fill_contact(&s, i, &s.contact[i]);
    }
    memset(s.r, 0, (size_t)N * sizeof *s.r);
    *converged = iterate(&s, CONVERGED * tolerance * find_scale(problem));
    for (int i = 0; *converged && i < problem->contacts; i++) {
        const utLaw law = ut_coulomb_law(problem, i, false);
        ut_law_project(&law, s.contact[i].r, r + (size_t)3 * (size_t)i);
    }
    return UT_OK;
}
