// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on r in the local form, by LU: for W of any symmetry.
//
// For the circle and the segment the equations are Alart and Curnier's, with the step m_i and
// x = r - m u,
//
//     F_n = r_n - max(0, x_n),    F_t = r_t - P(x_t) on the disc of radius mu max(0, x_n)
//
// and for a product of them the same with each factor and its coefficient.
// For other sections, and where these equations stall, they are those of the natural map
// r - P_K(r - m û). With dF = A dr + B du the step solves (A + B W) dr = -F. Rows are divided and
// columns multiplied by m, so that F and dr / m are velocities. Redundant contacts make the matrix
// singular, so a small number is added to its diagonal.
#include <string.h>

#include "coulomb/forms/delassus.h"
#include "la/dense/kernel.h"
#include "second_order.h"

enum {
    MAX_STEPS = 100,   // Newton steps
    MAX_HALVINGS = 10, // of a step
    PATIENCE = 15,     // steps within which |F| must halve, as a rule
};

// Added to the diagonal of a matrix whose entries are of order 1: large enough for redundant
// contacts, small enough that a step still gains eight digits.
static const double REGULARIZATION = 1e-8;
static const double ARMIJO = 1e-4; // a step must lower |F|^2 by this fraction
static const double HALVED = 0.25; // |F|^2 when |F| has halved

typedef struct State {
    System* system;
    bool natural;  // solve the natural map
    double* r;     // N: impulses
    double* trial; // N: impulses after a step; also the right-hand side -F
    double* u;     // N: velocities
    double* F;     // N: the equations, divided by m
    double* dr;    // N: the step, divided by m
    double* A;     // nc d x d: dF / dr
    double* B;     // nc d x d: dF / du, divided by m
    double* best;  // N: the best impulses so far
    bool* held;    // nb: the row is at a bound
} State;

// ---- one contact --------------------------------------------------------------------------------

// The rows of one factor of the section, a disc or a segment.
static void alart_curnier_factor(const utLaw* law, int factor, double m, double x_n,
                                 const double* r, const double* u, double* F, double* A, double* B)
{
    const int d = law->section->dimension;
    const double mu = ut_law_coefficient(law, factor);
    const int begin = factor == 0 ? 1 : law->section->factor_end[factor - 1];
    const int end = law->section->factor_end[factor];
    const double radius = mu * fmax(0.0, x_n);
    double x[2] = {0.0};
    double square = 0.0;
    for (int k = begin; k < end; k++) {
        x[k - begin] = r[k] - m * u[k];
        square += x[k - begin] * x[k - begin];
    }
    const double length = sqrt(square);
    for (int k = begin; k < end; k++) {
        const bool inside = length <= radius && radius > 0.0;
        const double along = length > 0.0 ? x[k - begin] / length : 0.0;
        F[k] = inside ? m * u[k] : r[k] - radius * along;
        for (int l = begin; l < end; l++) {
            // P: the derivative of the projection on the disc
            const double cross = length > 0.0 ? along * x[l - begin] / length : 0.0;
            const double turn = radius > 0.0 ? radius / length * ((k == l) - cross) : 0.0;
            const double P = inside ? (double)(k == l) : turn;
            A[d * k + l] = (k == l) - P;
            B[d * k + l] = m * P;
        }
        if (!inside && x_n > 0.0) {
            A[d * k] = -mu * along;
            B[d * k] = m * mu * along;
        }
    }
}

void ut_alart_curnier(const utLaw* law, double m, const double* r, const double* u, double* F,
                      double* A, double* B)
{
    const int d = law->section->dimension;
    const double x_n = r[0] - m * u[0];
    memset(A, 0, (size_t)(d * d) * sizeof *A);
    memset(B, 0, (size_t)(d * d) * sizeof *B);
    F[0] = x_n > 0.0 ? m * u[0] : r[0];
    A[0] = x_n > 0.0 ? 0.0 : 1.0;
    B[0] = x_n > 0.0 ? m : 0.0;
    for (int k = 0; k < law->section->factors; k++) {
        alart_curnier_factor(law, k, m, x_n, r, u, F, A, B);
    }
}

// The same by the natural map r - P_K(r - m û): A = 1 - D, B = m D N with N = 1 - mu e_n p'.
static void natural_map(const utLaw* law, double m, const double* r, const double* u, double* F,
                        double* A, double* B)
{
    const int d = law->section->dimension;
    double x[UT_LAW_MAX_DIMENSION];
    double p[UT_LAW_MAX_DIMENSION];
    double D[UT_LAW_MAX_DIMENSION * UT_LAW_MAX_DIMENSION];
    ut_law_shifted(law, u, x);
    for (int k = 0; k < d; k++) {
        x[k] = r[k] - m * x[k];
    }
    ut_law_derivative(law, x, p, D);
    double opposite[UT_LAW_MAX_DIMENSION];
    double support[UT_LAW_MAX_DIMENSION] = {0.0};
    for (int k = 1; k < d; k++) {
        opposite[k - 1] = -u[k];
    }
    if (!law->convex) {
        ut_section_support_point(law->section, opposite, support);
    }
    for (int k = 0; k < d; k++) {
        F[k] = r[k] - p[k];
        for (int l = 0; l < d; l++) {
            const double shift = l > 0 ? ut_law_entry_coefficient(law, l) * support[l - 1] : 0.0;
            A[d * k + l] = (k == l) - D[d * k + l];
            B[d * k + l] = m * (D[d * k + l] - D[d * k] * shift);
        }
    }
}

// ---- all contacts -------------------------------------------------------------------------------

// Find u, F, A and B at r. @return |F|^2
static double evaluate(State* state, const double* r)
{
    const System* system = state->system;
    const int d = system->d;
    ut_system_velocity(system, r, state->u);
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        const utLaw law = ut_system_law(system, i);
        const bool disc = !state->natural && law.section->edges == 0 && !law.convex;
        double* B = state->B + row * (size_t)d;
        (disc ? ut_alart_curnier : natural_map)(&law, system->m[i], r + row, state->u + row,
                                                state->F + row, state->A + row * (size_t)d, B);
        for (int k = 0; k < d; k++) {
            state->F[row + (size_t)k] /= system->m[i];
        }
        for (int k = 0; k < d * d; k++) {
            B[k] /= system->m[i];
        }
    }
    for (int j = 0; j < system->nb; j++) {
        const int row = system->n + j;
        const double x = r[row] - system->mb[j] * state->u[row];
        const double p = ut_coulomb_clamp(system->problem, j, x);
        state->held[j] = p != x;
        state->F[row] = p != x ? (r[row] - p) / system->mb[j] : state->u[row];
    }
    return ut_dot(system->N, state->F, state->F);
}

// The mass of row k.
static double mass(const System* system, int k)
{
    return k < system->n ? system->m[k / system->d] : system->mb[k - system->n];
}

// dr = -(A + B W)^-1 F. @return false when the matrix cannot be factored
static bool find_step(State* state)
{
    System* system = state->system;
    if (!ut_system_factor_rows(system, state->A, state->B, state->held, REGULARIZATION)) {
        return false;
    }
    for (int k = 0; k < system->N; k++) {
        state->trial[k] = -state->F[k];
    }
    ut_system_solve(system, state->trial, state->dr);
    return isfinite(ut_max_abs(system->N, state->dr));
}

// Halve the step until |F| falls, and take the last one in any case. @return |F|^2
static double search(State* state, double before)
{
    const System* system = state->system;
    double step = 1.0;
    double after = HUGE_VAL;
    for (int k = 0; k < MAX_HALVINGS && !(after < (1.0 - ARMIJO * step) * before); k++) {
        step = k > 0 ? 0.5 * step : step;
        for (int j = 0; j < system->N; j++) {
            state->trial[j] = state->r[j] + step * mass(system, j) * state->dr[j];
        }
        after = evaluate(state, state->trial);
    }
    memcpy(state->r, state->trial, (size_t)system->N * sizeof *state->r);
    return after;
}

// ---- the iteration ------------------------------------------------------------------------------

static bool push(State* state, utArena* scratch)
{
    const System* system = state->system;
    double** const all[] = {&state->r, &state->trial, &state->u,
                            &state->F, &state->dr,    &state->best};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *all[k] = ut_coulomb_push(scratch, 1, system->N);
    }
    state->A = ut_coulomb_push(scratch, system->nc, system->d * system->d);
    state->B = ut_coulomb_push(scratch, system->nc, system->d * system->d);
    state->held = UT_PUSH(scratch, bool, system->nb);
    return !ut_arena_failed(scratch);
}

// Project a copy of r on K, compute its error and keep it where it is the best.
// @param answered the best is an answer, which only a better answer may replace
// @return true when the copy is an answer
static bool assess(State* state, double tolerance, bool answered, double* best)
{
    const System* system = state->system;
    double bilateral = 0.0;
    memcpy(state->trial, state->r, (size_t)system->N * sizeof *state->r);
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = ut_system_law(system, i);
        double* r = state->trial + (size_t)system->d * (size_t)i;
        ut_law_project(&law, r, r);
    }
    for (int j = 0; j < system->nb; j++) {
        double* r = state->trial + system->n + j;
        *r = ut_coulomb_clamp(system->problem, j, *r);
    }
    const double E = ut_system_error(system, state->trial, &bilateral);
    const double score = ut_coulomb_score(E, bilateral, tolerance);
    const bool done = ut_coulomb_passes(E, bilateral, tolerance);
    if (score < *best && (done || !answered)) {
        *best = score;
        memcpy(state->best, state->trial, (size_t)system->N * sizeof *state->best);
    }
    return done;
}

// One more step from an answer with the last factorization, kept where it is better. F is that at r.
static void refine_answer(State* state, double tolerance, double* best)
{
    const System* system = state->system;
    for (int k = 0; k < system->N; k++) {
        state->trial[k] = -state->F[k];
    }
    ut_system_solve(state->system, state->trial, state->dr);
    for (int k = 0; k < system->N; k++) {
        state->r[k] += mass(system, k) * state->dr[k];
    }
    assess(state, tolerance, true, best);
}

utStatus ut_newton_run(System* system, bool natural, NewtonSteps steps, double tolerance,
                       utArena scratch, double* r, int* count)
{
    State state = {.system = system, .natural = natural};
    if (!push(&state, &scratch)) {
        return UT_ERR_CAPACITY;
    }
    const int patience = steps.patience > 0 ? steps.patience : PATIENCE;
    double best = HUGE_VAL;
    memcpy(state.r, r, (size_t)system->N * sizeof *r);
    memcpy(state.best, r, (size_t)system->N * sizeof *r);
    bool done = assess(&state, tolerance, false, &best);
    double F = evaluate(&state, state.r);
    double halved = F;
    int since = 0;
    for (int k = 0; k < steps.limit && !done && since < patience && F < HUGE_VAL; k++) {
        ++*count;
        if (!find_step(&state)) {
            break;
        }
        F = search(&state, F);
        done = assess(&state, tolerance, false, &best);
        since = F < HALVED * halved ? 0 : since + 1;
        halved = F < HALVED * halved ? F : halved;
        if (done) {
            refine_answer(&state, tolerance, &best);
        }
    }
    memcpy(r, state.best, (size_t)system->N * sizeof *r);
    return UT_OK;
}

utStatus ut_coulomb_newton(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                           double* r, utCoulombInfo* info)
{
    utCoulomb local = *problem;
    if (problem->W == NULL) {
        UT_TRY(ut_coulomb_delassus(problem, &scratch, &local));
    }
    System system;
    UT_TRY(ut_system_create(&local, def->convex, &scratch, &system));
    const int limit = def->max_iterations > 0 ? def->max_iterations : MAX_STEPS;
    double bilateral = 0.0;
    info->iterations = 0;
    for (int natural = 0; natural < 2 && info->iterations < limit; natural++) {
        UT_TRY(ut_newton_run(&system, natural == 1,
                             (NewtonSteps){.limit = limit - info->iterations}, def->tolerance,
                             scratch, r, &info->iterations));
        if (ut_coulomb_passes(ut_system_error(&system, r, &bilateral), bilateral, def->tolerance)) {
            break;
        }
    }
    return UT_OK;
}
