// SPDX-License-Identifier: Apache-2.0
// Newton on Alart and Curnier's function (newton.c) with the velocities of the bodies as unknowns of the
// linear system, for large problems with contacts only. With dF = A dr + B du and a small e the step solves
//
//     (A + e) dr + B J dv = -F,    M dv = J'dr
//
// The first equation gives dr contact by contact, so that the second becomes
//
//     (M + J'D J) dv = -J'(A + e)^-1 F,    D = (A + e)^-1 B
//
// which has the sparsity of the other solvers by bodies. e is needed because contacts that stick have A = 0. It
// slows the convergence where impulses hardly move the bodies, and steadies it far from a solution.
#include <string.h>

#include "la/dense/kernel.h"
#include "second_order.h"

enum {
    MAX_STEPS = 25,    // Newton steps of a try
    MAX_HALVINGS = 10, // of a step
    PATIENCE = 8,      // steps within which |F| must halve
    SHORT_STEPS = 2,   // in a row: the try is not near a solution
    BLOCK = 9,         // entries of a matrix of a contact
};

static const double SHORT = 0.2;   // fraction of a step that is short
static const double ARMIJO = 1e-4; // a step must lower |F|^2 by this fraction
static const double HALVED = 0.25; // |F|^2 when |F| has halved

typedef struct State {
    System* system;
    double e;      // regularization
    double* r;     // N: impulses
    double* trial; // N: impulses after a step
    double* best;  // N: the best impulses so far, in their cones
    double* u;     // N: velocities of the contacts
    double* F;     // N: the equations
    double* dr;    // N: the step
    double* A;     // nc 3 x 3: dF / dr
    double* B;     // nc 3 x 3: dF / du
    double* D;     // nc 3 x 3: (A + e)^-1 B
    double* v;     // dof: velocities of the bodies
    double* g;     // dof: right-hand side
} State;

static bool push(State* state, utArena* scratch)
{
    const System* system = state->system;
    double** const rows[] = {&state->r, &state->trial, &state->best,
                             &state->u, &state->F,     &state->dr};
    double** const blocks[] = {&state->A, &state->B, &state->D};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        *rows[k] = ut_coulomb_push(scratch, 1, system->N);
    }
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        *blocks[k] = ut_coulomb_push(scratch, system->nc, BLOCK);
    }
    state->v = ut_coulomb_push(scratch, 1, system->dof);
    state->g = ut_coulomb_push(scratch, 1, system->dof);
    return !ut_arena_failed(scratch);
}

// Find u, F, A and B at r. @return |F / m|^2
static double evaluate(State* state, const double* r)
{
    const System* system = state->system;
    double sum = 0.0;
    ut_system_velocity(system, r, state->v);
    ut_system_rows(system, true, state->v, state->u);
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)3 * (size_t)i;
        const utLaw law = ut_system_law(system, i);
        double* F = state->F + row;
        ut_alart_curnier(&law, system->m[i], r + row, state->u + row, F, state->A + 3 * row,
                         state->B + 3 * row);
        sum += (F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) / (system->m[i] * system->m[i]);
    }
    return sum;
}

void ut_invert_regularized(const double* A, double e, double* C)
{
    double S[BLOCK], K[BLOCK];
    for (int k = 0; k < BLOCK; k++) {
        S[k] = A[k] + (k % 4 == 0 ? e : 0.0);
    }
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            K[3 * i + j] = S[3 * i1 + j1] * S[3 * i2 + j2] - S[3 * i1 + j2] * S[3 * i2 + j1];
        }
    }
    const double det = S[0] * K[0] + S[1] * K[1] + S[2] * K[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C[3 * i + j] = K[3 * j + i] / det;
        }
    }
}

// y -= C x of one contact
static void subtract_product(const double* C, const double* x, double* y)
{
    for (int k = 0; k < 3; k++) {
        y[k] -= C[3 * k] * x[0] + C[3 * k + 1] * x[1] + C[3 * k + 2] * x[2];
    }
}

// Find dr from F, A and B. Overwrites u and v. @return false when the matrix cannot be factored
static bool find_step(State* state)
{
    System* system = state->system;
    memset(state->dr, 0, (size_t)system->N * sizeof *state->dr);
    memset(state->g, 0, (size_t)system->dof * sizeof *state->g);
    for (int i = 0; i < system->nc; i++) {
        const size_t at = (size_t)BLOCK * (size_t)i;
        const double* B = state->B + at;
        double C[BLOCK];
        ut_invert_regularized(state->A + at, state->e, C);
        for (int k = 0; k < BLOCK; k++) {
            const double* row = C + (k - k % 3);
            state->D[at + (size_t)k] =
                row[0] * B[k % 3] + row[1] * B[3 + k % 3] + row[2] * B[6 + k % 3];
        }
        subtract_product(C, state->F + at / 3, state->dr + at / 3);
    }
    if (!ut_system_factor(system, false, state->D, NULL)) {
        return false;
    }
    ut_system_add_transposed(system, state->dr, state->g);
    ut_system_solve(system, state->g, state->v);
    ut_system_rows(system, false, state->v, state->u);
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)3 * (size_t)i;
        subtract_product(state->D + 3 * row, state->u + row, state->dr + row);
    }
    return isfinite(ut_max_abs(system->N, state->dr));
}

// Halve the step until |F| falls, and take the last one in any case. @param F in: |F|^2; out: the new one
// @return the fraction of the step that was taken
static double search(State* state, double* F)
{
    const System* system = state->system;
    const double before = *F;
    double step = 2.0;
    for (int k = 0; k < MAX_HALVINGS && (k == 0 || !(*F < (1.0 - ARMIJO * step) * before)); k++) {
        step *= 0.5;
        for (int j = 0; j < system->N; j++) {
            state->trial[j] = state->r[j] + step * state->dr[j];
        }
        *F = evaluate(state, state->trial);
    }
    memcpy(state->r, state->trial, (size_t)system->N * sizeof *state->r);
    return step;
}

// Project a copy of r on the cones, and keep it where its E is the least. @return the least E
static double assess(State* state, double least)
{
    const System* system = state->system;
    double bilateral = 0.0;
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)3 * (size_t)i;
        const utLaw law = ut_system_law(system, i);
        ut_law_project(&law, state->r + row, state->trial + row);
    }
    const double E = ut_system_error(system, state->trial, &bilateral);
    if (E < least) {
        memcpy(state->best, state->trial, (size_t)system->N * sizeof *state->best);
        return E;
    }
    return least;
}

utStatus ut_newton_bodies_run(System* system, double e, int limit, double tolerance,
                              utArena scratch, double* r, double* E, int* count)
{
    State state = {.system = system, .e = e};
    if (!push(&state, &scratch)) {
        return UT_ERR_CAPACITY;
    }
    const size_t bytes = (size_t)system->N * sizeof *r;
    memcpy(state.r, r, bytes);
    memcpy(state.best, r, bytes);
    double F = evaluate(&state, state.r);
    double halved = F;
    int since = 0, shorts = 0;
    limit = limit < MAX_STEPS ? limit : MAX_STEPS;
    for (int k = 0; k<limit&& * E> tolerance && F < HUGE_VAL; k++) {
        if (since == PATIENCE || shorts == SHORT_STEPS) {
            break;
        }
        ++*count;
        if (!find_step(&state)) {
            break;
        }
        shorts = search(&state, &F) < SHORT ? shorts + 1 : 0;
        *E = assess(&state, *E);
        since = F < HALVED * halved ? 0 : since + 1;
        halved = F < HALVED * halved ? F : halved;
    }
    memcpy(r, state.best, bytes);
    return UT_OK;
}
