// SPDX-License-Identifier: Apache-2.0
// The system of the second-order solvers: one interface for the global form (system_bodies.c) and
// the local one (system_local.c), where W takes the place of J M^-1 J'.
#include <string.h>

#include "coulomb/tolerances.h"
#include "la/dense/kernel.h"
#include "system.h"

// ---- preparing a problem ------------------------------------------------------------------------

static int node_count(const utCoulomb* problem, const Bodies* bodies)
{
    if (problem->W == NULL) {
        return bodies->blocks.nodes;
    }
    return problem->W_start == NULL ? 1 : problem->contacts + problem->bilaterals;
}

// The nodes of H and the pairs that are coupled. @param bodies of the global form
static utStatus make_pattern(const utCoulomb* problem, const Bodies* bodies, utArena* scratch,
                             SparsePattern* pattern)
{
    const bool local = problem->W != NULL;
    const int nodes = node_count(problem, bodies);
    const int pairs =
        local ? ut_local_pairs(problem, NULL) : ut_bodies_pairs(problem, bodies, NULL);
    int* size = UT_PUSH(scratch, int, nodes);
    int* pair = ut_arena_push(scratch, (size_t)pairs, 2 * sizeof *pair);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int k = 0; k < nodes; k++) {
        size[k] = !local                     ? bodies->blocks.start[k + 1] - bodies->blocks.start[k]
                  : problem->W_start == NULL ? ut_coulomb_rows(problem)
                                             : ut_group_rows(problem, k);
    }
    if (local) {
        ut_local_pairs(problem, pair);
    } else {
        ut_bodies_pairs(problem, bodies, pair);
    }
    *pattern = (SparsePattern){nodes, size, pairs, pair};
    return UT_OK;
}

static int unknown_count(const utCoulomb* problem)
{
    return problem->W != NULL ? ut_coulomb_rows(problem) : problem->dof;
}

// Take all vectors from `scratch`.
static utStatus push(System* system, utArena* scratch)
{
    if (system->local && system->problem->W_start != NULL) {
        system->row = UT_PUSH(scratch, double*, system->problem->W_start[system->N]);
    }
    if (system->local && system->problem->W_start == NULL) {
        system->column = ut_coulomb_push(scratch, 1, system->N);
    }
    system->v = ut_coulomb_push(scratch, 1, system->dof);
    system->x = ut_coulomb_push(scratch, 1, system->dof);
    system->z = ut_coulomb_push(scratch, 1, system->dof);
    system->q = ut_coulomb_push(scratch, 1, system->N);
    system->u = ut_coulomb_push(scratch, 1, system->N);
    system->m = ut_coulomb_push(scratch, 1, system->nc);
    system->mb = ut_coulomb_push(scratch, 1, system->nb);
    system->moves = UT_PUSH(scratch, bool, system->nc);
    return ut_arena_failed(scratch) ? UT_ERR_CAPACITY : UT_OK;
}

// The trace of A_gg of a group of rows.
static double find_trace(const System* system, int g)
{
    const utCoulomb* problem = system->problem;
    if (!system->local) {
        return ut_bodies_trace(problem, &system->bodies, g, system->x);
    }
    double trace = 0.0;
    const int row = ut_group_row(problem, g);
    for (int k = 0; k < ut_group_rows(problem, g); k++) {
        if (g >= problem->contacts || ut_coulomb_row_acts(problem, g, k)) {
            trace += ut_coulomb_diagonal(problem, row + k);
        }
    }
    return trace;
}

// Components of one vector take the least mass among them. Where they depend on each other their
// errors agree but for rounding. Equal weights keep that rounding small; with masses of their own the
// lightest row would take all of it, magnified by its small share of the direction.
static void equalize_masses(System* system)
{
    const int* vector = system->problem->vector;
    for (int j = 0, end; vector != NULL && j < system->nb; j = end) {
        double least = system->mb[j];
        for (end = j + 1; end < system->nb && vector[end] == vector[j]; end++) {
            least = fmin(least, system->mb[end]);
        }
        for (int k = j; k < end; k++) {
            system->mb[k] = least;
        }
    }
}

// Find the effective masses. Immovable contacts and rows take the least one.
// @param trace_of groups: traces where they are known, or NULL
static void find_masses(System* system, const double* trace_of)
{
    double largest = 0.0;
    for (int i = 0; i < system->nc; i++) {
        system->m[i] = trace_of != NULL ? trace_of[i] : find_trace(system, i);
        largest = fmax(largest, system->m[i]);
    }
    for (int i = 0; i < system->nc; i++) {
        system->moves[i] = system->m[i] > UT_IMMOVABLE * largest;
        const double trace = system->moves[i] ? system->m[i] : largest;
        system->m[i] = trace > 0.0 ? ut_coulomb_acting_rows(system->problem, i) / trace : 1.0;
    }
    largest = 0.0;
    for (int j = 0; j < system->nb; j++) {
        const int g = system->nc + j;
        system->mb[j] = trace_of != NULL ? trace_of[g] : find_trace(system, g);
        largest = fmax(largest, system->mb[j]);
    }
    for (int j = 0; j < system->nb; j++) {
        const double trace = system->mb[j] > UT_IMMOVABLE * largest ? system->mb[j] : largest;
        system->mb[j] = trace > 0.0 ? 1.0 / trace : 1.0;
    }
    equalize_masses(system);
}

// @param kept the plan of an earlier system; NULL: none
static utStatus plan(System* system, utCoulombPlan* kept, utArena* scratch)
{
    SparsePattern pattern;
    UT_TRY(make_pattern(system->problem, &system->bodies, scratch, &pattern));
    return kept != NULL ? ut_coulomb_plan_find(kept, &pattern, &system->H)
                        : ut_sparse_plan(&pattern, scratch, &system->H);
}

utStatus ut_system_create(const utCoulomb* problem, bool convex, utArena* scratch, System* system)
{
    return ut_system_create_with(problem, convex, NULL, NULL, scratch, system);
}

utStatus ut_system_create_with(const utCoulomb* problem, bool convex, const double* trace,
                               utCoulombPlan* kept, utArena* scratch, System* system)
{
    *system = (System){
        .problem = problem,
        .local = problem->W != NULL,
        .convex = convex,
        .d = problem->dimension,
        .nc = problem->contacts,
        .nb = problem->bilaterals,
        .n = problem->dimension * problem->contacts,
        .N = ut_coulomb_rows(problem),
        .dof = unknown_count(problem),
    };
    if (!system->local) {
        UT_TRY(ut_bodies_create(problem, scratch, &system->bodies));
    }
    UT_TRY(push(system, scratch));
    UT_TRY(plan(system, kept, scratch));
    if (!system->local) {
        ut_bodies_place(problem, &system->H, &system->bodies);
        memcpy(system->v, problem->f, (size_t)system->dof * sizeof *system->v);
        ut_bodies_divide(&system->bodies, system->v);
    } else {
        memcpy(system->v, problem->q, (size_t)system->dof * sizeof *system->v);
    }
    if (system->row != NULL) {
        ut_local_place(system);
    }
    ut_system_rows(system, true, system->v, system->q);
    find_masses(system, trace);
    return UT_OK;
}

// ---- velocities and their error -----------------------------------------------------------------

void ut_system_rows(const System* system, bool shifted, const double* x, double* u)
{
    if (system->local) {
        memcpy(u, x, (size_t)system->N * sizeof *u);
        return;
    }
    ut_bodies_rows(system->problem, &system->bodies.blocks, x, u);
    for (int k = 0; shifted && k < system->N; k++) {
        u[k] += system->problem->b[k];
    }
}

void ut_system_add_transposed(const System* system, const double* y, double* g)
{
    if (system->local) {
        ut_local_add(system->problem, y, g);
    } else {
        ut_bodies_add_transposed(system->problem, &system->bodies, y, g);
    }
}

void ut_system_velocity(const System* system, const double* r, double* x)
{
    const double* from = system->local ? system->problem->q : system->problem->f;
    memcpy(x, from, (size_t)system->dof * sizeof *x);
    ut_system_add_transposed(system, r, x);
    if (!system->local) {
        ut_bodies_divide(&system->bodies, x);
    }
}

void ut_system_change(const System* system, const double* r, double* x)
{
    memset(x, 0, (size_t)system->dof * sizeof *x);
    ut_system_add_transposed(system, r, x);
    if (!system->local) {
        ut_bodies_divide(&system->bodies, x);
    }
}

void ut_system_momentum(const System* system, const double* x, double* g)
{
    double* difference = system->local ? g : system->x;
    for (int k = 0; k < system->dof; k++) {
        difference[k] = x[k] - system->v[k];
    }
    if (!system->local) {
        ut_bodies_multiply(&system->bodies, system->x, g);
    }
}

double ut_system_norm(const System* system, const double* g, double* y)
{
    memcpy(y, g, (size_t)system->dof * sizeof *y);
    if (!system->local) {
        ut_bodies_divide(&system->bodies, y);
        return ut_dot(system->dof, g, y);
    }
    double sum = 0.0;
    for (int k = 0; k < system->N; k++) {
        sum += g[k] * g[k] * (k < system->n ? system->m[k / system->d] : system->mb[k - system->n]);
    }
    return sum;
}

double ut_system_load(const System* system, const double* r)
{
    const int d = system->d;
    double square = 0.0;
    for (int i = 0; i < system->nc; i++) {
        const double* q = system->q + (size_t)d * (size_t)i;
        const double* r_i = r + (size_t)d * (size_t)i;
        if (q[0] < 0.0 || ut_coulomb_loaded(d, r_i)) {
            square = fmax(square, ut_dot(d, q, q));
        }
    }
    for (int j = 0; j < system->nb; j++) {
        const int row = system->n + j;
        if (ut_coulomb_row_counts(system->problem, j, system->mb[j], system->q[row], r[row])) {
            square = fmax(square, system->q[row] * system->q[row]);
        }
    }
    return sqrt(square);
}

double ut_system_scale(const System* system, const double* r)
{
    const double V = fmax(system->problem->speed, ut_system_load(system, r));
    return V > 0.0 ? V : UT_LEAST_SPEED;
}

double ut_system_error(const System* system, const double* r, double* bilateral)
{
    ut_system_velocity(system, r, system->z);
    ut_system_rows(system, true, system->z, system->u);
    const double V = ut_system_scale(system, r);
    double E = 0.0;
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = ut_system_law(system, i);
        const double* u = system->u + (size_t)system->d * (size_t)i;
        const double* r_i = r + (size_t)system->d * (size_t)i;
        const double e = system->moves[i] ? ut_law_error(&law, system->m[i], r_i, u)
                                          : ut_law_error_degenerate(&law, u);
        E = e <= E ? E : e; // a NaN is the largest
    }
    double fastest = 0.0; // of rows without bounds
    for (int j = 0; j < system->nb; j++) {
        const int row = system->n + j;
        const double low = ut_coulomb_low(system->problem, j);
        const double high = ut_coulomb_high(system->problem, j);
        const bool bounded = ut_coulomb_bounded(system->problem, j);
        const double e = ut_law_row_error(system->mb[j], low, high, r[row], system->u[row]);
        double* to = bounded ? &E : &fastest;
        *to = e <= *to ? *to : e;
    }
    *bilateral = fastest / V;
    return E / V;
}

void ut_system_release(const System* system, double* r)
{
    const int d = system->d;
    ut_system_velocity(system, r, system->z);
    ut_system_rows(system, true, system->z, system->u);
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = ut_system_law(system, i);
        double* r_i = r + (size_t)d * (size_t)i;
        double x[UT_LAW_MAX_DIMENSION];
        ut_law_shifted(&law, system->u + (size_t)d * (size_t)i, x);
        for (int k = 0; k < d; k++) {
            x[k] = r_i[k] - system->m[i] * x[k];
        }
        if (ut_law_project(&law, x, x) == UT_LAW_OPEN) {
            memset(r_i, 0, (size_t)d * sizeof *r_i);
        }
    }
    for (int j = 0; j < system->nb; j++) {
        const double x = r[system->n + j] - system->mb[j] * system->u[system->n + j];
        const double p = ut_coulomb_clamp(system->problem, j, x);
        r[system->n + j] = p != x ? p : r[system->n + j];
    }
}

// ---- H ------------------------------------------------------------------------------------------

bool ut_system_factor(System* system, bool symmetric, const double* D, const double* w)
{
    ut_sparse_clear(&system->H);
    if (system->local) {
        ut_local_assemble(system, D, w);
    } else {
        ut_bodies_assemble(system->problem, &system->bodies, symmetric, D, w);
    }
    return ut_sparse_factor(&system->H, symmetric && !system->local);
}

bool ut_system_factor_rows(System* system, const double* A, const double* B, const bool* held,
                           double regularization)
{
    ut_sparse_clear(&system->H);
    ut_local_assemble_rows(system, A, B, held, regularization);
    return ut_sparse_factor(&system->H, false);
}

void ut_system_solve(const System* system, const double* g, double* y)
{
    ut_sparse_solve(&system->H, g, y);
}

void ut_system_solve_once(const System* system, const double* g, double* y)
{
    ut_sparse_solve_once(&system->H, g, y);
}
