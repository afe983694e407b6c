// SPDX-License-Identifier: Apache-2.0
// A solved problem prepared for questions on its uniqueness: effects of impulses, statuses and
// faces (uptack/uniqueness.h has the definitions).
#include "solved_problem.h"

#include <string.h>

#include "coulomb/forms/delassus.h"
#include "coulomb/tolerances.h"
#include "la/dense/dense.h"
#include "la/dense/kernel.h"

// A row of length 1 depends on the others when its part outside them is at most this. The bound is
// lower for W than for J, because W has the squares of J's singular values.
static const double GLOBAL_RANK = 1e-9;
static const double LOCAL_RANK = 1e-11;

// Slip directions are only as accurate as the solution, so the bound is at least this many times
// their error. It is at most MAX_RANK, because longer parts are clearly independent.
static const double DIRECTION_ERRORS = 10.0;
static const double MAX_RANK = 1e-5;

static const double SYMMETRY = 1e-12; // of W_ij sqrt(m_i m_j): larger differences are no rounding

// ---- effects ------------------------------------------------------------------------------------

static double sum_of(int count, const double* x)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += x[k];
    }
    return sum;
}

// s of each row from the diagonal of W: sqrt(rows / trace). Immovable ones take the largest trace
// of their kind.
static void find_scales(SolvedProblem* solved, const double* diagonal)
{
    const int groups = solved->nc + solved->nb;
    double largest[2] = {0.0, 0.0}; // of contacts and of bilateral rows
    for (int g = 0; g < groups; g++) {
        const int rows = ut_group_rows(solved->problem, g);
        const int row = ut_group_row(solved->problem, g);
        const double trace = sum_of(rows, diagonal + row);
        double* most = &largest[g < solved->nc ? 0 : 1];
        *most = trace > *most ? trace : *most;
    }
    for (int g = 0; g < groups; g++) {
        const int rows = ut_group_rows(solved->problem, g);
        const int row = ut_group_row(solved->problem, g);
        const double most = largest[g < solved->nc ? 0 : 1];
        const double own = sum_of(rows, diagonal + row);
        const double trace = own > UT_IMMOVABLE * most ? own : most;
        for (int k = row; k < row + rows; k++) {
            solved->s[k] = trace > 0.0 ? sqrt(rows / trace) : 1.0;
        }
    }
}

// G of the local form. @param W N x N, work  @param diagonal N, work
static void find_local(SolvedProblem* solved, double* W, double* diagonal)
{
    const size_t N = (size_t)solved->N;
    ut_coulomb_spread_W(solved->problem, W);
    for (size_t k = 0; k < N; k++) {
        diagonal[k] = W[k * N + k];
    }
    find_scales(solved, diagonal);
    solved->symmetric = true;
    for (size_t j = 0; j < N; j++) {
        for (size_t k = 0; k < N; k++) {
            solved->G[j * N + k] = W[k * N + j] * solved->s[k];
            const double skew = (W[k * N + j] - W[j * N + k]) * solved->s[k] * solved->s[j];
            solved->symmetric = solved->symmetric && fabs(skew) <= SYMMETRY;
        }
    }
}

// x = L^-1 x
static void solve_lower(int n, const double* L, double* x)
{
    for (int k = 0; k < n; k++) {
        const double* row = L + (size_t)k * (size_t)n;
        x[k] = (x[k] - ut_dot(k, row, x)) / row[k];
    }
}

// G of the global form. @param L dof x dof, work  @param diagonal N, work
// @return false when M is not positive definite
static bool find_global(SolvedProblem* solved, double* L, double* diagonal)
{
    const utCoulomb* problem = solved->problem;
    const int dof = solved->n;
    if (problem->blocks != NULL) {
        ut_coulomb_spread_blocks(problem, L, solved->G);
    } else {
        memcpy(solved->G, problem->J, (size_t)solved->N * (size_t)dof * sizeof *solved->G);
        memcpy(L, problem->M, (size_t)dof * (size_t)dof * sizeof *L);
    }
    if (ut_chol_factor(dof, L, dof, 0.0) != dof) {
        return false;
    }
    for (int k = 0; k < solved->N; k++) {
        double* row = solved->G + (size_t)k * (size_t)dof;
        solve_lower(dof, L, row);
        diagonal[k] = ut_dot(dof, row, row);
    }
    find_scales(solved, diagonal);
    solved->symmetric = true;
    return true;
}

void ut_solved_add_effect(const SolvedProblem* solved, int row, int count, const double* x,
                          double* w)
{
    for (int k = 0; k < count; k++) {
        ut_axpy(solved->n, x[k], solved->G + (size_t)(row + k) * (size_t)solved->n, w);
    }
}

void ut_solved_add_velocity(const SolvedProblem* solved, int row, int count, const double* x,
                            double* e)
{
    if (!solved->local) {
        ut_solved_add_effect(solved, row, count, x, e);
        return;
    }
    for (int k = 0; k < count; k++) {
        e[row + k] += x[k] / solved->s[row + k];
    }
}

// ---- faces --------------------------------------------------------------------------------------

int ut_face_dimension(const Face* face, int d)
{
    static const int dimensions[] = {[FACE_APEX] = 0, [FACE_RAY] = 1, [FACE_WEDGE] = 2};
    return face->kind == FACE_CONE ? d : dimensions[face->kind];
}

void ut_face_direction(const Face* face, int d, int k, double* c)
{
    for (int l = 0; l < d; l++) {
        c[l] = face->kind == FACE_CONE ? (k == l ? 1.0 : 0.0) : face->g[k][l];
    }
}

// g = (1, slope t) over its length. @param count entries of t
static void set_ray(int count, double slope, const double* t, double* g)
{
    g[0] = 1.0;
    for (int k = 0; k < count; k++) {
        g[1 + k] = slope * t[k];
    }
    const double size = ut_coulomb_length(1 + count, g);
    for (int k = 0; k < 1 + count; k++) {
        g[k] /= size;
    }
}

// The ray (1, -mu d) of a slipping contact. Its direction comes from the friction impulse or from
// the slip velocity, whichever is larger and so more accurate.
static void find_ray(const SolvedProblem* solved, int i, double m, Face* face)
{
    const int row = solved->d * i;
    const int count = solved->d - 1;
    const double* r_t = solved->r + row + 1;
    const double* u_t = solved->u + row + 1;
    const double friction = ut_coulomb_length(count, r_t);
    const double speed = ut_coulomb_length(count, u_t);
    double t[2] = {0.0, 0.0};
    for (int k = 0; k < count; k++) {
        const double along = friction > m * speed ? r_t[k] / friction : -u_t[k] / speed;
        t[k] = speed > 0.0 || friction > 0.0 ? along : 0.0;
    }
    face->kind = FACE_RAY;
    set_ray(count, solved->problem->mu[i], t, face->g[0]);
    face->inside = ut_coulomb_length(solved->d, solved->r + row) > m * solved->tau;
}

// The rays over the one or two vertices of a polygon that lie farthest against u_t.
static void find_vertices(const SolvedProblem* solved, int i, double m, Face* face)
{
    const int row = solved->d * i;
    const utSection* P = ut_coulomb_section(solved->problem, i);
    const double mu = solved->problem->mu[i];
    const double slope = mu * P->circumradius;
    const double opposite[2] = {-solved->u[row + 1], -solved->u[row + 2]};
    const double farthest = mu * ut_section_support(P, opposite);
    int found[2] = {0, 0};
    int count = 0;
    for (int j = 0; j < P->edges; j++) {
        const double along =
            slope * (P->vertex[j][0] * opposite[0] + P->vertex[j][1] * opposite[1]);
        if (along >= farthest - solved->tau && count < 2) {
            found[count++] = j;
        }
    }
    for (int k = 0; k < count; k++) {
        set_ray(2, slope, P->vertex[found[k]], face->g[k]);
    }
    face->kind = count == 2 ? FACE_WEDGE : FACE_RAY;

    // r = a g0 + b g1 by least squares: inside where a and b are positive
    const double* r = solved->r + row;
    const double cosine = count == 2 ? ut_dot(3, face->g[0], face->g[1]) : 0.0;
    const double x = ut_dot(3, face->g[0], r);
    const double y = count == 2 ? ut_dot(3, face->g[1], r) : 0.0;
    const double least = m * solved->tau * (1.0 - cosine * cosine);
    face->inside = x - cosine * y > least && (count == 1 || y - cosine * x > least);
}

// Does r lie inside K, by more than the certificate's tolerance?
static bool inside_cone(const utLaw* law, double m, double tau, const double* r)
{
    return law->mu * r[0] - ut_section_gauge(law->section, r + 1) > m * tau;
}

static void find_face(const SolvedProblem* solved, int i, double m, Face* face)
{
    const int row = solved->d * i;
    const utLaw law = ut_coulomb_law(solved->problem, i, false);
    double u_hat[3];
    ut_law_shifted(&law, solved->u + row, u_hat);
    *face = (Face){.kind = FACE_APEX, .inside = true};
    if (solved->u[row] > solved->tau) {
        return;
    }
    if (law.mu == 0.0) {
        face->kind = FACE_RAY;
        face->g[0][0] = 1.0;
        face->inside = solved->r[row] > m * solved->tau;
    } else if (ut_coulomb_length(solved->d, u_hat) <= solved->tau) {
        face->kind = FACE_CONE;
        face->inside = inside_cone(&law, m, solved->tau, solved->r + row);
    } else if (law.section->edges > 0) {
        find_vertices(solved, i, m, face);
    } else {
        find_ray(solved, i, m, face);
    }
}

// ---- statuses -----------------------------------------------------------------------------------

bool ut_solved_unloaded(const SolvedProblem* solved, int i)
{
    const int row = solved->d * i;
    const double s = solved->s[row];
    return ut_coulomb_length(solved->d, solved->r + row) <= s * s * solved->tau;
}

// The face decides the status. An impulse on the border of its face leaves two statuses possible;
// without an impulse the contact then counts as open.
static void find_statuses(SolvedProblem* solved)
{
    static const utCoulombStatus status_of[] = {
        [FACE_APEX] = UT_COULOMB_OPEN,
        [FACE_RAY] = UT_COULOMB_SLIP,
        [FACE_WEDGE] = UT_COULOMB_SLIP,
        [FACE_CONE] = UT_COULOMB_STICK,
    };
    for (int i = 0; i < solved->nc; i++) {
        const double s = solved->s[solved->d * i];
        Face* face = &solved->face[i];
        find_face(solved, i, s * s, face);
        solved->degenerate[i] = !face->inside;
        solved->status[i] = !face->inside && ut_solved_unloaded(solved, i) ? UT_COULOMB_OPEN
                                                                           : status_of[face->kind];
    }
}

// A bound on the errors of slip directions: they are as accurate as the velocities or the impulses.
static double direction_error(const SolvedProblem* solved)
{
    const double residual = solved->verdict.E * solved->verdict.V;
    double error = 0.0;
    for (int i = 0; i < solved->nc; i++) {
        const int row = solved->d * i;
        const double s = solved->s[row];
        const double speed = fmax(ut_coulomb_length(solved->d - 1, solved->u + row + 1),
                                  ut_coulomb_length(solved->d - 1, solved->r + row + 1) / (s * s));
        const bool slips = solved->face[i].kind == FACE_RAY && solved->problem->mu[i] > 0.0;
        error = slips && solved->d == 3 ? fmax(error, residual / speed) : error;
    }
    return error;
}

// ---- preparing a problem ------------------------------------------------------------------------

static utStatus check_arguments(const utCoulomb* problem, const double* r, double tolerance,
                                utError* err)
{
    UT_TRY(ut_coulomb_check(problem, err));
    if (r == NULL || !(tolerance > 0.0 && tolerance < 1.0)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "impulses and a tolerance between 0 and 1 are needed");
    }
    if (ut_coulomb_has_bounds(problem)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "rows with bounds are not supported yet");
    }
    if (ut_coulomb_spins(problem)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "torsional and rolling friction are not supported yet");
    }
    return UT_OK;
}

static utStatus check_answer(const SolvedProblem* solved, utError* err)
{
    const utCoulombVerdict* verdict = &solved->verdict;
    if (!(verdict->E <= solved->tolerance && verdict->bilateral <= solved->tolerance)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "the impulses leave E = %.3g and bilateral rows at %.3g; they have to "
                            "solve the problem to %.3g",
                            verdict->E, verdict->bilateral, solved->tolerance);
    }
    return UT_OK;
}

utStatus ut_solved_create(const utCoulomb* problem, const double* r, double tolerance,
                          utArena* scratch, SolvedProblem* solved, utError* err)
{
    UT_TRY(check_arguments(problem, r, tolerance, err));
    const int N = ut_coulomb_rows(problem);
    const bool local = problem->W != NULL;
    const int n = local ? N : problem->dof;
    *solved = (SolvedProblem){
        .problem = problem,
        .d = problem->dimension,
        .nc = problem->contacts,
        .nb = problem->bilaterals,
        .N = N,
        .n = n,
        .local = local,
        .r = r,
        .tolerance = tolerance,
        .G = ut_coulomb_push(scratch, N, n),
        .s = ut_coulomb_push(scratch, 1, N),
        .u = ut_coulomb_push(scratch, 1, N),
        .face = UT_PUSH(scratch, Face, problem->contacts),
        .status = UT_PUSH(scratch, utCoulombStatus, problem->contacts),
        .degenerate = UT_PUSH(scratch, bool, problem->contacts),
    };
    utArena rest = *scratch;
    double* diagonal = ut_coulomb_push(&rest, 1, N);
    double* work = ut_coulomb_push(&rest, n, n);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_coulomb_judge(problem, false, r, *scratch, solved->u, &solved->verdict));
    UT_TRY(check_answer(solved, err));
    solved->tau = tolerance * solved->verdict.V;
    if (local) {
        find_local(solved, work, diagonal);
    } else if (!find_global(solved, work, diagonal)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "M is not positive definite");
    }
    find_statuses(solved);
    solved->rank_tolerance = fmax(local ? LOCAL_RANK : GLOBAL_RANK,
                                  fmin(DIRECTION_ERRORS * direction_error(solved), MAX_RANK));
    return UT_OK;
}
