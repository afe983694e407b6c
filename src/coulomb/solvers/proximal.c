// SPDX-License-Identifier: Apache-2.0
// Proximal Newton, for every section: the impulses r are improved by outer steps
//
//     r <- P_K(r - (u + s e_n) / epsilon),    lambda_b <- lambda_b - u_b / epsilon_b
//
// where v are the velocities at which these impulses balance the momentum, G = 0:
//
//     G = M (v - v*) - J_c' P_K(r - (u + s e_n) / epsilon) - J_b' (lambda_b - u_b / epsilon_b)
//     H = M + J_c' (D / epsilon) N J_c + J_b' J_b / epsilon_b,    epsilon_i = e / m_i
//
// by Newton steps on v, D the derivative of the projection. Frozen: s is constant within an outer
// step and N = 1, so the inner problem is convex. Live: s = mu h_P(-u_t) and N = 1 - mu e_n p', p
// the point of P that supports -u_t. Vectors of N entries hold the contacts first and then the
// bilateral rows; v are the unknowns of the system (system.h), in the local form u itself.
#include <string.h>

#include "la/dense/kernel.h"
#include "second_order.h"

enum {
    MAX_HALVINGS = 12,   // of a live step
    MAX_BISECTIONS = 25, // of a frozen step
    MAX_OUTER_STEPS = 200,
};

static const double LEAST_E = 1e-8;    // e: below it H loses half of its digits
static const double LARGEST_E = 10.0;  // e: above it an outer step changes next to nothing
static const double RAISE_E = 5.0;     // factor of e after an outer step that is undone
static const double BILATERAL_E = 0.1; // epsilon_b m_b over e: bilateral rows converge faster

static const double INNER_SHARE = 0.1;    // of the tolerance, at which the inner problem is solved
static const double ROUNDING = 1e-14;     // of V: no velocity is more accurate
static const double UNSOLVED_INNER = 0.1; // of E: an inner problem that is worse was not solved
static const double NEAR = 1e-3;          // E: above it only the safeguarded method converges

static const double ARMIJO = 1e-4;         // a live step must lower the merit by this fraction
static const double NO_DECREASE = 1e-12;   // a relative decrease of the merit that is rounding
static const double SLOPE_ENOUGH = 0.05;   // of the first slope: a full frozen step is taken,
static const double SLOPE_BISECTED = 0.02; // or a bisection ends
static const double LONGEST_STEP = 1e6;    // of a frozen step

// A factor serves again after a live step that lowered the merit to this fraction, and in the next
// outer step after one that lowered E to that fraction: the step shows that H has hardly
// changed.
static const double SAME_FACTOR_MERIT = 0.1;
static const double SAME_FACTOR_E = 1e-2;

typedef struct State {
    System* system;
    Proximal settings;
    double e;
    double V;
    bool factored;  // the last factor of H serves for the next step, too
    double* v;      // dof: velocities
    double* trial;  // dof: velocities after a step
    double* dv;     // dof: the Newton step
    double* G;      // dof: residual of the momentum
    double* MG;     // dof: M^-1 G; also the right-hand side -G
    double* r;      // N: impulses of the last outer step
    double* u;      // N: velocities of the rows
    double* x;      // N: r - (u + s e_n) / epsilon
    double* p;      // N: its projection
    double* best;   // N: the best impulses so far
    double* s;      // nc: frozen shift
    double* weight; // nc + nb: 1 / epsilon
    double* w;      // nb: the same, 0 for rows at a bound
    double* D;      // nc d x d: D N / epsilon
} State;

Proximal ut_proximal_frozen(void)
{
    return (Proximal){.start = 1e-3, .factor = 0.1, .inner = 20, .limit = 8};
}

Proximal ut_proximal_live(void)
{
    return (Proximal){.live = true, .start = 1e-4, .factor = 0.1, .inner = 20, .limit = 8};
}

Proximal ut_proximal_safe(void)
{
    return (Proximal){
        .live = true,
        .safeguarded = true,
        .start = 0.1,
        .factor = 0.3,
        .inner = 10,
        .limit = 100,
    };
}

// ---- memory -------------------------------------------------------------------------------------

static bool push(State* state, utArena* scratch)
{
    const System* system = state->system;
    double** const vectors_N[] = {&state->r, &state->u, &state->x, &state->p, &state->best};
    double** const vectors_dof[] = {&state->v, &state->trial, &state->dv, &state->G, &state->MG};
    for (size_t k = 0; k < 5; k++) {
        *vectors_N[k] = ut_coulomb_push(scratch, 1, system->N);
        *vectors_dof[k] = ut_coulomb_push(scratch, 1, system->dof);
    }
    state->s = ut_coulomb_push(scratch, 1, system->nc);
    state->weight = ut_coulomb_push(scratch, 1, system->nc + system->nb);
    state->w = ut_coulomb_push(scratch, 1, system->nb);
    state->D = ut_coulomb_push(scratch, system->nc, system->d * system->d);
    return !ut_arena_failed(scratch);
}

// ---- the inner problem --------------------------------------------------------------------------

// Find u, x, p and G at v.
static void evaluate(State* state, const double* v)
{
    const System* system = state->system;
    const int d = system->d;
    ut_system_rows(system, true, v, state->u);
    for (int i = 0; i < system->nc; i++) {
        const int row = d * i;
        const utLaw law = ut_system_law(system, i);
        const double s = state->settings.live ? ut_law_shift(&law, state->u + row) : state->s[i];
        for (int k = row; k < row + d; k++) {
            const double shifted = k == row ? state->u[k] + s : state->u[k];
            state->x[k] = state->r[k] - shifted * state->weight[i];
        }
        ut_law_project(&law, state->x + row, state->p + row);
    }
    for (int j = system->n; j < system->N; j++) {
        const int row = j - system->n;
        state->x[j] = state->r[j] - state->u[j] * state->weight[system->nc + row];
        state->p[j] = ut_coulomb_clamp(system->problem, row, state->x[j]);
    }

    // G -= J'p, by a function that adds
    ut_system_momentum(system, v, state->G);
    for (int k = 0; k < system->N; k++) {
        state->p[k] = -state->p[k];
    }
    ut_system_add_transposed(system, state->p, state->G);
    for (int k = 0; k < system->N; k++) {
        state->p[k] = -state->p[k];
    }
}

// G'M^-1 G; leaves M^-1 G in MG.
static double merit(State* state)
{
    return ut_system_norm(state->system, state->G, state->MG);
}

// The error of the inner problem: the largest |J M^-1 G| of a contact row over V. Overwrites u.
static double inner_error(State* state)
{
    merit(state);
    ut_system_rows(state->system, false, state->MG, state->u);
    return ut_max_abs(state->system->n, state->u) / state->V;
}

// D N / epsilon of contact i.
static void find_block(State* state, int i, double* D)
{
    const int d = state->system->d;
    const utLaw law = ut_system_law(state->system, i);
    const double* u = state->u + (size_t)d * (size_t)i;
    double p[UT_LAW_MAX_DIMENSION];
    ut_law_derivative(&law, state->x + (size_t)d * (size_t)i, p, D);
    for (int k = 0; k < d * d; k++) {
        D[k] *= state->weight[i];
    }
    double opposite[UT_LAW_MAX_DIMENSION];
    double most = 0.0; // the largest coefficient of friction
    for (int l = 1; l < d; l++) {
        opposite[l - 1] = -u[l];
        most = fmax(most, ut_law_entry_coefficient(&law, l));
    }
    const double s = ut_law_shift(&law, u);
    if (!state->settings.live || !(s > ROUNDING * most * state->V)) {
        return;
    }
    ut_section_support_point(law.section, opposite, p);
    for (int l = 1; l < d; l++) {
        const double mu = ut_law_entry_coefficient(&law, l);
        for (int k = 0; k < d; k++) {
            D[d * k + l] -= D[d * k] * mu * p[l - 1];
        }
    }
}

// Form H at state->v and factor it. @return false when this fails
static bool factor(State* state)
{
    System* system = state->system;
    const size_t block = (size_t)system->d * (size_t)system->d;
    ut_system_rows(system, true, state->v, state->u);
    for (int i = 0; i < system->nc; i++) {
        find_block(state, i, state->D + block * (size_t)i);
    }
    for (int j = 0; j < system->nb; j++) {
        const bool held = state->p[system->n + j] != state->x[system->n + j];
        state->w[j] = held ? 0.0 : state->weight[system->nc + j];
    }
    return ut_system_factor(system, !state->settings.live, state->D, state->w);
}

// dv = -H^-1 G with the last factor. @return false when it is not finite
static bool find_step(State* state)
{
    const System* system = state->system;
    for (int k = 0; k < system->dof; k++) {
        state->MG[k] = -state->G[k];
    }
    ut_system_solve(system, state->MG, state->dv);
    return isfinite(ut_max_abs(system->dof, state->dv));
}

static void try_step(State* state, double step)
{
    for (int k = 0; k < state->system->dof; k++) {
        state->trial[k] = state->v[k] + step * state->dv[k];
    }
    evaluate(state, state->trial);
}

static void accept(State* state)
{
    memcpy(state->v, state->trial, (size_t)state->system->dof * sizeof *state->v);
}

// Halve the step until G'M^-1 G falls; take the last one.
// @return the merit after the step over that before it
static double search_live(State* state, double before)
{
    double step = 1.0;
    double after = HUGE_VAL;
    for (int k = 0; k < MAX_HALVINGS && !(after < (1.0 - ARMIJO * step) * before); k++) {
        step = k > 0 ? 0.5 * step : step;
        try_step(state, step);
        after = merit(state);
    }
    accept(state);
    return after / before;
}

// The whole step with a factor of earlier velocities, which is taken only where it makes fast
// progress. @return was it taken?
static bool step_again(State* state, double before)
{
    if (!find_step(state)) {
        return false;
    }
    try_step(state, 1.0);
    if (merit(state) < SAME_FACTOR_MERIT * before) {
        accept(state);
        return true;
    }
    evaluate(state, state->v);
    return false;
}

// Take the step where the derivative along dv vanishes. It grows along dv, because G is the gradient
// of a convex function in the global form; used there only.
static void search_frozen(State* state)
{
    const int dof = state->system->dof;
    const double slope = fabs(ut_dot(dof, state->G, state->dv));
    double low = 0.0;
    double high = 1.0;
    try_step(state, 1.0);
    double g = ut_dot(dof, state->G, state->dv);
    if (fabs(g) > SLOPE_ENOUGH * slope) {
        while (g < 0.0 && high < LONGEST_STEP) {
            low = high;
            high *= 2.0;
            try_step(state, high);
            g = ut_dot(dof, state->G, state->dv);
        }
        for (int k = 0; k < MAX_BISECTIONS && fabs(g) > SLOPE_BISECTED * slope; k++) {
            const double step = 0.5 * (low + high);
            try_step(state, step);
            g = ut_dot(dof, state->G, state->dv);
            low = g < 0.0 ? step : low;
            high = g < 0.0 ? high : step;
        }
    }
    accept(state);
}

// One Newton step on v. @param used factorizations @param falls false: the merit did not fall
// @return false when H cannot be factored
static bool step_inner(State* state, int* used, bool* falls)
{
    const bool live = state->settings.live || state->system->local;
    const double before = live ? merit(state) : 0.0;
    if (state->factored && step_again(state, before)) {
        return true;
    }
    ++*used;
    state->factored = false;
    if (!factor(state) || !find_step(state)) {
        return false;
    }
    if (!live) {
        search_frozen(state);
        return true;
    }
    const double gain = search_live(state, before);
    *falls = gain < 1.0 - NO_DECREASE;
    state->factored = gain < SAME_FACTOR_MERIT;
    return true;
}

// Solve G = 0 by Newton steps. @return false when H cannot be factored
static bool solve_inner(State* state, double tolerance, int* used)
{
    bool falls = true;
    evaluate(state, state->v);
    for (int k = 0; k < state->settings.inner && *used < state->settings.limit && falls; k++) {
        if (!step_inner(state, used, &falls)) {
            return false;
        }
        if (falls && inner_error(state) <= fmax(INNER_SHARE * tolerance, ROUNDING)) {
            return true;
        }
    }
    return true;
}

// ---- outer steps --------------------------------------------------------------------------------

// Set epsilon for this e, and the frozen shift.
static void begin_outer(State* state)
{
    const System* system = state->system;
    ut_system_rows(system, true, state->v, state->u);
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = ut_system_law(system, i);
        state->s[i] = ut_law_shift(&law, state->u + (size_t)system->d * (size_t)i);
        state->weight[i] = system->m[i] / state->e;
    }
    for (int j = 0; j < system->nb; j++) {
        state->weight[system->nc + j] = system->mb[j] / (BILATERAL_E * state->e);
    }
}

// One more outer step from an answer, with the last factorization; state->r becomes its result.
static void refine_answer(State* state)
{
    System* system = state->system;
    begin_outer(state);
    evaluate(state, state->v);
    for (int k = 0; k < system->dof; k++) {
        state->MG[k] = -state->G[k];
    }
    ut_system_solve(system, state->MG, state->dv);
    try_step(state, 1.0);
    memcpy(state->r, state->p, (size_t)system->N * sizeof *state->r);
}

// All outer steps, from state->r. @return factorizations
static int run_outer(State* state, double tolerance)
{
    System* system = state->system;
    const size_t bytes = (size_t)system->N * sizeof(double);
    double bilateral = 0.0;
    double E = ut_system_error(system, state->r, &bilateral);
    double best = ut_coulomb_score(E, bilateral, tolerance);
    int used = 0;
    ut_system_velocity(system, state->r, state->v);
    for (int outer = 0; outer < MAX_OUTER_STEPS && used < state->settings.limit; outer++) {
        if (ut_coulomb_passes(E, bilateral, tolerance)) {
            break;
        }
        begin_outer(state);
        if (!solve_inner(state, tolerance, &used)) {
            break;
        }

        // repeat an inner problem that was not solved with a larger epsilon
        const double error = inner_error(state);
        if (state->settings.safeguarded && state->e < LARGEST_E &&
            !(error <= fmax(UNSOLVED_INNER * E, INNER_SHARE * tolerance))) {
            state->e = fmin(RAISE_E * state->e, LARGEST_E);
            state->factored = false;
            ut_system_velocity(system, state->r, state->v);
            continue;
        }
        memcpy(state->r, state->p, bytes);
        const double E_before = E;
        E = ut_system_error(system, state->r, &bilateral);
        const double score = ut_coulomb_score(E, bilateral, tolerance);
        if (score < best) {
            best = score;
            memcpy(state->best, state->r, bytes);
        }
        if (score == HUGE_VAL) {
            break;
        }
        if (ut_coulomb_passes(E, bilateral, tolerance)) {
            refine_answer(state);
            E = ut_system_error(system, state->r, &bilateral);
            if (ut_coulomb_score(E, bilateral, tolerance) < best &&
                ut_coulomb_passes(E, bilateral, tolerance)) {
                memcpy(state->best, state->r, bytes);
            }
            break;
        }
        state->factored = state->factored && E < SAME_FACTOR_E * E_before;
        if (!state->factored) {
            state->e = fmax(state->e * state->settings.factor, LEAST_E);
        }
    }
    return used;
}

utStatus ut_proximal_run(System* system, const Proximal* settings, double tolerance,
                         utArena scratch, double* r, int* count)
{
    State state = {.system = system, .settings = *settings, .e = settings->start};
    if (!push(&state, &scratch)) {
        return UT_ERR_CAPACITY;
    }
    const size_t bytes = (size_t)system->N * sizeof *r;
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = ut_system_law(system, i);
        double* r_i = r + (size_t)system->d * (size_t)i;
        ut_law_project(&law, r_i, r_i);
    }
    for (int j = 0; j < system->nb; j++) {
        r[system->n + j] = ut_coulomb_clamp(system->problem, j, r[system->n + j]);
    }
    memcpy(state.r, r, bytes);
    memcpy(state.best, r, bytes);
    state.V = ut_system_scale(system, r);
    *count += run_outer(&state, tolerance);
    memcpy(r, state.best, bytes);
    return UT_OK;
}

utStatus ut_coulomb_proximal(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                             double* r, utCoulombInfo* info)
{
    System system;
    UT_TRY(ut_system_create(problem, def->convex, &scratch, &system));
    const Proximal settings[] = {ut_proximal_frozen(), ut_proximal_live(), ut_proximal_safe()};
    info->iterations = 0;
    double bilateral = 0.0;
    double E = ut_system_error(&system, r, &bilateral);
    for (int k = 0; k < 3 && !ut_coulomb_passes(E, bilateral, def->tolerance); k++) {
        // far from an answer only the safeguarded method converges
        if (k < 2 && !(E < NEAR)) {
            continue;
        }
        Proximal now = settings[k];
        if (k == 2 && def->max_iterations > 0) {
            now.limit = def->max_iterations;
        }
        UT_TRY(ut_proximal_run(&system, &now, def->tolerance, scratch, r, &info->iterations));
        E = ut_system_error(&system, r, &bilateral);
    }
    return UT_OK;
}
