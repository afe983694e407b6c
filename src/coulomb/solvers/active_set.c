// SPDX-License-Identifier: Apache-2.0
// Newton on the active set of impulses that are nearly an answer, with one factorization, by bodies.
//
// The impulses r decide once which contacts are open, stick or slip. With x = r - m u, the equations of
// Alart and Curnier (newton.c) are then
//
//     open   r = 0
//     stick  m u = 0
//     slip   m u_n = 0,    r_t = mu x_n x_t / |x_t|
//
// and with dF = A dr + B du a step solves, as in newton_bodies.c,
//
//     (M + J'D J) dv = -J'C F,    dr = -C (F + B J dv),    C = (A + e)^-1,    D = C B
//
// H = M + J'D J is factored once and serves for all steps. Velocities are those of the impulses after every
// step, so that the error of a step is relative to the rest that is left: steps need no refinement, and
// they converge to rounding. Where no contact slips, H is symmetric.
//
// Steps go on while E falls fast. Where the set changes on the way, it is taken once more.
#include <string.h>

#include "la/dense/kernel.h"
#include "second_order.h"

enum {
    MAX_SETS = 2,  // factorizations
    MAX_STEPS = 8, // with one factor
    DIMENSION = 3, // of a contact
    BLOCK = 9,     // entries of a matrix of a contact
};

static const double REGULARIZATION = 1e-6; // e: an answer is left with e times the change of r
static const double BILATERAL_E = 0.1;     // e of bilateral rows over that of contacts
static const double FAST = 0.1;            // a step must lower E to this fraction

typedef enum Mode {
    OPEN,
    STICK,
    SLIP,
} Mode;

typedef struct State {
    System* system;
    Mode* mode;    // nc
    bool* held;    // nb: the row is at a bound
    double* r;     // N: impulses
    double* trial; // N: impulses after a step
    double* dr;    // N: the step
    double* Jdv;   // N: change of the rows' velocities
    double* C;     // nc 3 x 3, of contacts that slip
    double* D;     // nc 3 x 3
    double* w;     // nb: weights of bilateral rows
    double* dv;    // dof
    double* g;     // dof: right-hand side
    bool current;  // system->u are the velocities of r
} State;

static bool push(State* state, utArena* scratch)
{
    const System* system = state->system;
    double** const rows[] = {&state->r, &state->trial, &state->dr, &state->Jdv};
    state->mode = UT_PUSH(scratch, Mode, system->nc);
    state->held = UT_PUSH(scratch, bool, system->nb);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        *rows[k] = ut_coulomb_push(scratch, 1, system->N);
    }
    state->C = ut_coulomb_push(scratch, system->nc, BLOCK);
    state->D = ut_coulomb_push(scratch, system->nc, BLOCK);
    state->w = ut_coulomb_push(scratch, 1, system->nb);
    state->dv = ut_coulomb_push(scratch, 1, system->dof);
    state->g = ut_coulomb_push(scratch, 1, system->dof);
    return !ut_arena_failed(scratch);
}

// ---- the active set -----------------------------------------------------------------------------

static Mode find_mode(double mu, double m, const double* r, const double* u)
{
    const double x[DIMENSION] = {r[0] - m * u[0], r[1] - m * u[1], r[2] - m * u[2]};
    if (!(x[0] > 0.0)) {
        return OPEN;
    }
    return sqrt(x[1] * x[1] + x[2] * x[2]) <= mu * x[0] ? STICK : SLIP;
}

// Take the active set of r. @param u N: velocities that belong to r @return has it changed?
static bool take_set(State* state, const double* u)
{
    const System* system = state->system;
    bool changed = false;
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)DIMENSION * (size_t)i;
        const Mode mode = find_mode(system->problem->mu[i], system->m[i], state->r + row, u + row);
        changed = changed || mode != state->mode[i];
        state->mode[i] = mode;
    }
    for (int j = 0; j < system->nb; j++) {
        const int row = system->n + j;
        const double x = state->r[row] - system->mb[j] * u[row];
        const bool held = ut_coulomb_clamp(system->problem, j, x) != x;
        changed = changed || held != state->held[j];
        state->held[j] = held;
    }
    return changed;
}

// C and D of a contact that slips.
static void find_slip(const State* state, int i, const double* r, const double* u)
{
    const utLaw law = ut_system_law(state->system, i);
    double* C = state->C + (size_t)BLOCK * (size_t)i;
    double* D = state->D + (size_t)BLOCK * (size_t)i;
    double F[DIMENSION], A[BLOCK], B[BLOCK];
    ut_alart_curnier(&law, state->system->m[i], r, u, F, A, B);
    ut_invert_regularized(A, REGULARIZATION, C);
    for (int k = 0; k < BLOCK; k++) {
        const double* row = C + (k - k % 3);
        D[k] = row[0] * B[k % 3] + row[1] * B[3 + k % 3] + row[2] * B[6 + k % 3];
    }
}

// Form H for the active set and factor it. @return false when this fails
static bool factor(State* state, const double* u)
{
    const System* system = state->system;
    bool slips = false;
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)DIMENSION * (size_t)i;
        const double weight = state->mode[i] == STICK ? system->m[i] / REGULARIZATION : 0.0;
        if (state->mode[i] == SLIP) {
            find_slip(state, i, state->r + row, u + row);
            slips = true;
            continue;
        }
        for (int k = 0; k < BLOCK; k++) {
            state->D[DIMENSION * row + (size_t)k] = k % 4 == 0 ? weight : 0.0;
        }
    }
    for (int j = 0; j < system->nb; j++) {
        state->w[j] = state->held[j] ? 0.0 : system->mb[j] / (BILATERAL_E * REGULARIZATION);
    }
    return ut_system_factor(state->system, !slips, state->D, state->w);
}

// ---- a step -------------------------------------------------------------------------------------

// y = -C F of a contact that slips.
static void start_slip(const State* state, int i, const double* u, double* y)
{
    const double m = state->system->m[i];
    const double* r = state->r + (size_t)DIMENSION * (size_t)i;
    const double* C = state->C + (size_t)BLOCK * (size_t)i;
    const double x[DIMENSION] = {r[0] - m * u[0], r[1] - m * u[1], r[2] - m * u[2]};
    const double radius = state->system->problem->mu[i] * x[0];
    const double length = sqrt(x[1] * x[1] + x[2] * x[2]);
    const double F[DIMENSION] = {m * u[0], r[1] - radius * (x[1] / length),
                                 r[2] - radius * (x[2] / length)};
    for (int k = 0; k < DIMENSION; k++) {
        y[k] = -(C[3 * k] * F[0] + C[3 * k + 1] * F[1] + C[3 * k + 2] * F[2]);
    }
}

// dr = -C F
static void start_step(State* state, const double* u)
{
    const System* system = state->system;
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)DIMENSION * (size_t)i;
        const double weight = state->D[DIMENSION * row];
        if (state->mode[i] == SLIP) {
            start_slip(state, i, u + row, state->dr + row);
            continue;
        }
        for (size_t k = row; k < row + DIMENSION; k++) {
            state->dr[k] = state->mode[i] == OPEN ? -state->r[k] : -weight * u[k];
        }
    }
    for (int j = 0; j < system->nb; j++) {
        const int row = system->n + j;
        const double x = state->r[row] - system->mb[j] * u[row];
        const double bound = ut_coulomb_clamp(system->problem, j, x);
        state->dr[row] = state->held[j] ? bound - state->r[row] : -state->w[j] * u[row];
    }
}

// dr -= D J dv
static void end_step(State* state)
{
    const System* system = state->system;
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)DIMENSION * (size_t)i;
        const double* D = state->D + DIMENSION * row;
        const double* du = state->Jdv + row;
        double* dr = state->dr + row;
        for (int k = 0; k < DIMENSION; k++) {
            dr[k] -= D[3 * k] * du[0] + D[3 * k + 1] * du[1] + D[3 * k + 2] * du[2];
        }
    }
    for (int j = 0; j < system->nb; j++) {
        state->dr[system->n + j] -= state->w[j] * state->Jdv[system->n + j];
    }
}

// One step with the factor: trial = P_K(r + dr). @param u N: velocities that belong to r
static void step(State* state, const double* u)
{
    const System* system = state->system;
    start_step(state, u);
    memset(state->g, 0, (size_t)system->dof * sizeof *state->g);
    ut_system_add_transposed(system, state->dr, state->g);
    ut_system_solve_once(system, state->g, state->dv);
    ut_system_rows(system, false, state->dv, state->Jdv);
    end_step(state);
    for (int k = 0; k < system->N; k++) {
        state->trial[k] = state->r[k] + state->dr[k];
    }
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = ut_system_law(system, i);
        double* trial = state->trial + (size_t)DIMENSION * (size_t)i;
        ut_law_project(&law, trial, trial);
    }
    for (int j = 0; j < system->nb; j++) {
        double* trial = state->trial + system->n + j;
        *trial = ut_coulomb_clamp(system->problem, j, *trial);
    }
}

// ---- the iteration ------------------------------------------------------------------------------

bool ut_active_set_applies(const System* system)
{
    bool round = !system->local && !system->convex && system->d == DIMENSION;
    for (int i = 0; round && i < system->nc; i++) {
        round = ut_system_law(system, i).section->kind == UT_SECTION_CIRCLE;
    }
    return round;
}

// Steps on one active set while E falls fast. @param score of state->r, which becomes better
// @return do the impulses pass?
static bool run_steps(State* state, double tolerance, double* score)
{
    const System* system = state->system;
    const size_t bytes = (size_t)system->N * sizeof *state->r;
    bool fast = true;
    bool done = false;
    for (int k = 0; k < MAX_STEPS && fast && !done; k++) {
        double bilateral = 0.0;
        step(state, system->u);
        const double E = ut_system_error(system, state->trial, &bilateral);
        const double next = ut_coulomb_score(E, bilateral, tolerance);
        fast = next < FAST * *score;
        done = ut_coulomb_passes(E, bilateral, tolerance);
        state->current = next < *score;
        if (state->current) {
            memcpy(state->r, state->trial, bytes);
            *score = next;
        }
    }
    return done;
}

utStatus ut_active_set_run(System* system, double tolerance, utArena scratch, double* r, int* count)
{
    State state = {.system = system, .current = true};
    if (!push(&state, &scratch)) {
        return UT_ERR_CAPACITY;
    }
    const size_t bytes = (size_t)system->N * sizeof *r;
    double bilateral = 0.0;
    memcpy(state.r, r, bytes);
    memset(state.mode, 0, (size_t)system->nc * sizeof *state.mode);
    memset(state.held, 0, (size_t)system->nb * sizeof *state.held);
    double score = ut_coulomb_score(ut_system_error(system, r, &bilateral), bilateral, tolerance);
    bool done = false;
    for (int k = 0; k < MAX_SETS && !done; k++) {
        if (!state.current) {
            ut_system_error(system, state.r, &bilateral); // for system->u
        }
        if (!take_set(&state, system->u) && k > 0) {
            break;
        }
        ++*count;
        if (!factor(&state, system->u)) {
            break;
        }
        done = run_steps(&state, tolerance, &score);
    }
    memcpy(r, state.r, bytes);
    return UT_OK;
}
