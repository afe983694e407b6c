// SPDX-License-Identifier: Apache-2.0
// A solved problem prepared for questions on its uniqueness: the effects of its impulses, its
// statuses and faces (uptack/uniqueness.h has the definitions).
#include <string.h>

#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "unique.h"

static const double IMMOVABLE = 1e-14; // of the largest trace: what nothing can move
static const double GLOBAL_RANK = 1e-9;
static const double LOCAL_RANK = 1e-11;
static const double DIRECTIONS = 10.0;    // times the error of slip directions, but
static const double ROUGHEST_RANK = 1e-5; // at most this
static const double SYMMETRY = 1e-12;     // of scaled entries of W

// ---- matrices -----------------------------------------------------------------------------------

// W dense, from any local form
static void spread_W(const utCoulomb* problem, int N, double* W)
{
    const size_t order = (size_t)N;
    if (problem->W_start == NULL) {
        memcpy(W, problem->W, order * order * sizeof *W);
        return;
    }
    memset(W, 0, order * order * sizeof *W);
    for (size_t k = 0; k < order; k++) {
        for (int e = problem->W_start[k]; e < problem->W_start[k + 1]; e++) {
            W[k * order + (size_t)problem->W_column[e]] += problem->W[e];
        }
    }
}

// J and M dense, from any global form
static void spread_masses(const utCoulomb* problem, int N, double* J, double* M)
{
    const size_t dof = (size_t)problem->dof;
    const utCoulombBlocks* blocks = problem->blocks;
    if (blocks == NULL) {
        memcpy(J, problem->J, (size_t)N * dof * sizeof *J);
        memcpy(M, problem->M, dof * dof * sizeof *M);
        return;
    }
    memset(J, 0, (size_t)N * dof * sizeof *J);
    memset(M, 0, dof * dof * sizeof *M);
    const double* entry = blocks->M;
    for (int k = 0; k < blocks->nodes; k++) {
        for (int i = blocks->start[k]; i < blocks->start[k + 1]; i++) {
            for (int j = blocks->start[k]; j < blocks->start[k + 1]; j++) {
                M[(size_t)i * dof + (size_t)j] = *entry++;
            }
        }
    }
    entry = blocks->J;
    int row = 0;
    for (int g = 0; g < problem->contacts + problem->bilaterals; g++) {
        const int rows = g < problem->contacts ? problem->dimension : 1;
        for (int e = blocks->first[g]; e < blocks->first[g + 1]; e++) {
            const int node = blocks->node[e];
            for (int k = row; k < row + rows; k++) {
                for (int j = blocks->start[node]; j < blocks->start[node + 1]; j++) {
                    J[(size_t)k * dof + (size_t)j] = *entry++;
                }
            }
        }
        row += rows;
    }
}

// s of each row from the diagonal of W: sqrt(d / trace) in a contact, where it can be moved
static void find_scales(Effect* effect, const double* diagonal)
{
    const int groups = effect->nc + effect->nb;
    double largest[2] = {0.0, 0.0}; // of contacts and of bilateral rows
    for (int pass = 0; pass < 2; pass++) {
        for (int g = 0; g < groups; g++) {
            const bool contact = g < effect->nc;
            const int rows = contact ? effect->d : 1;
            const int row = contact ? effect->d * g : effect->d * effect->nc + g - effect->nc;
            double trace = 0.0;
            for (int k = row; k < row + rows; k++) {
                trace += diagonal[k];
            }
            double* most = &largest[contact ? 0 : 1];
            if (pass == 0) {
                *most = trace > *most ? trace : *most;
                continue;
            }
            trace = trace > IMMOVABLE * *most ? trace : *most;
            for (int k = row; k < row + rows; k++) {
                effect->s[k] = trace > 0.0 ? sqrt(rows / trace) : 1.0;
            }
        }
    }
}

static void find_local(Effect* effect, double* W, double* diagonal)
{
    const size_t N = (size_t)effect->N;
    spread_W(effect->problem, effect->N, W);
    for (size_t k = 0; k < N; k++) {
        diagonal[k] = W[k * N + k];
    }
    find_scales(effect, diagonal);
    effect->symmetric = true;
    for (size_t j = 0; j < N; j++) {
        for (size_t k = 0; k < N; k++) {
            effect->G[j * N + k] = W[k * N + j] * effect->s[k];
            const double skew = (W[k * N + j] - W[j * N + k]) * effect->s[k] * effect->s[j];
            effect->symmetric = effect->symmetric && fabs(skew) <= SYMMETRY;
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

// @return false when M is not positive definite
static bool find_global(Effect* effect, double* L, double* diagonal)
{
    const int dof = effect->n;
    spread_masses(effect->problem, effect->N, effect->G, L);
    if (ut_chol_factor(dof, L, dof, 0.0) != dof) {
        return false;
    }
    for (int k = 0; k < effect->N; k++) {
        double* row = effect->G + (size_t)k * (size_t)dof;
        solve_lower(dof, L, row);
        diagonal[k] = ut_dot(dof, row, row);
    }
    find_scales(effect, diagonal);
    effect->symmetric = true;
    return true;
}

void ut_effect_add(const Effect* effect, int row, int count, const double* x, double* g)
{
    for (int k = 0; k < count; k++) {
        ut_axpy(effect->n, x[k], effect->G + (size_t)(row + k) * (size_t)effect->n, g);
    }
}

void ut_effect_velocity(const Effect* effect, int row, int count, const double* x, double* e)
{
    if (!effect->local) {
        ut_effect_add(effect, row, count, x, e);
        return;
    }
    for (int k = 0; k < count; k++) {
        e[row + k] += x[k] / effect->s[row + k];
    }
}

// ---- statuses and faces -------------------------------------------------------------------------

static double length(int n, const double* x)
{
    double square = 0.0;
    for (int k = 0; k < n; k++) {
        square += x[k] * x[k];
    }
    return sqrt(square);
}

// g = (1, slope t) over its length. @param count entries of t
static void point_ray(int count, double slope, const double* t, double* g)
{
    g[0] = 1.0;
    for (int k = 0; k < count; k++) {
        g[1 + k] = slope * t[k];
    }
    const double size = length(1 + count, g);
    for (int k = 0; k < 1 + count; k++) {
        g[k] /= size;
    }
}

// The ray (1, -mu d): its direction from impulse or velocity, whichever is better determined.
static void find_ray(const Effect* effect, int i, double m, Face* face)
{
    const int row = effect->d * i;
    const int count = effect->d - 1;
    const double* r_t = effect->r + row + 1;
    const double* u_t = effect->u + row + 1;
    const double friction = length(count, r_t);
    const double speed = length(count, u_t);
    double t[2] = {0.0, 0.0};
    for (int k = 0; k < count; k++) {
        const double along = friction > m * speed ? r_t[k] / friction : -u_t[k] / speed;
        t[k] = speed > 0.0 || friction > 0.0 ? along : 0.0;
    }
    face->kind = FACE_RAY;
    point_ray(count, effect->problem->mu[i], t, face->g[0]);
    face->inner = length(effect->d, effect->r + row) > m * effect->tau;
}

// The rays over the vertices of a polygon that u_t is farthest against, one or two.
static void find_vertices(const Effect* effect, int i, double m, Face* face)
{
    const int row = effect->d * i;
    const utSection* P = ut_coulomb_section(effect->problem, i);
    const double mu = effect->problem->mu[i];
    const double slope = mu * P->circumradius;
    const double back[2] = {-effect->u[row + 1], -effect->u[row + 2]};
    const double most = mu * ut_section_support(P, back);
    int found[2] = {0, 0};
    int count = 0;
    for (int j = 0; j < P->edges; j++) {
        const double along = slope * (P->vertex[j][0] * back[0] + P->vertex[j][1] * back[1]);
        if (along >= most - effect->tau && count < 2) {
            found[count++] = j;
        }
    }
    for (int k = 0; k < count; k++) {
        point_ray(2, slope, P->vertex[found[k]], face->g[k]);
    }
    face->kind = count == 2 ? FACE_WEDGE : FACE_RAY;

    // r = a g0 + b g1, by least squares
    const double* r = effect->r + row;
    const double cosine = count == 2 ? ut_dot(3, face->g[0], face->g[1]) : 0.0;
    const double x = ut_dot(3, face->g[0], r);
    const double y = count == 2 ? ut_dot(3, face->g[1], r) : 0.0;
    const double least = m * effect->tau * (1.0 - cosine * cosine);
    face->inner = x - cosine * y > least && (count == 1 || y - cosine * x > least);
}

// Does r stand off the mantle of K?
static bool inside_cone(const utLaw* law, double m, double tau, const double* r)
{
    return law->mu * r[0] - ut_section_gauge(law->section, r + 1) > m * tau;
}

static void find_face(const Effect* effect, int i, double m, Face* face)
{
    const int row = effect->d * i;
    const utLaw law = ut_coulomb_law(effect->problem, i, false);
    double u_hat[3];
    ut_law_shifted(&law, effect->u + row, u_hat);
    *face = (Face){.kind = FACE_APEX, .inner = true};
    if (effect->u[row] > effect->tau) {
        return;
    }
    if (law.mu == 0.0) {
        face->kind = FACE_RAY;
        face->g[0][0] = 1.0;
        face->inner = effect->r[row] > m * effect->tau;
    } else if (length(effect->d, u_hat) <= effect->tau) {
        face->kind = FACE_CONE;
        face->inner = inside_cone(&law, m, effect->tau, effect->r + row);
    } else if (law.section->edges > 0) {
        find_vertices(effect, i, m, face);
    } else {
        find_ray(effect, i, m, face);
    }
}

// The face tells the status. One that r does not fill leaves two possible: without an impulse the
// contact then counts as open.
static void find_statuses(Effect* effect)
{
    static const utCoulombStatus told[] = {
        [FACE_APEX] = UT_COULOMB_OPEN,
        [FACE_RAY] = UT_COULOMB_SLIP,
        [FACE_WEDGE] = UT_COULOMB_SLIP,
        [FACE_CONE] = UT_COULOMB_STICK,
    };
    for (int i = 0; i < effect->nc; i++) {
        const double s = effect->s[effect->d * i];
        Face* face = &effect->face[i];
        find_face(effect, i, s * s, face);
        effect->degenerate[i] = !face->inner;
        const bool none = length(effect->d, effect->r + effect->d * i) <= s * s * effect->tau;
        effect->status[i] = !face->inner && none ? UT_COULOMB_OPEN : told[face->kind];
    }
}

// Slip directions are known as well as the velocities are, or the impulses: ranks cannot ask for
// more. @return a bound on their errors
static double find_noise(const Effect* effect)
{
    const double residual = effect->verdict.E * effect->verdict.V;
    double noise = 0.0;
    for (int i = 0; i < effect->nc; i++) {
        const int row = effect->d * i;
        const double s = effect->s[row];
        const double speed = fmax(length(effect->d - 1, effect->u + row + 1),
                                  length(effect->d - 1, effect->r + row + 1) / (s * s));
        const bool slips = effect->face[i].kind == FACE_RAY && effect->problem->mu[i] > 0.0;
        noise = slips && effect->d == 3 ? fmax(noise, residual / speed) : noise;
    }
    return noise;
}

// ---- the whole ----------------------------------------------------------------------------------

static utStatus check_answer(const Effect* effect, utError* err)
{
    const utCoulombVerdict* verdict = &effect->verdict;
    if (!(verdict->E <= effect->tolerance && verdict->bilateral <= effect->tolerance)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "the impulses leave E = %.3g and bilateral rows at %.3g; they have to "
                            "solve the problem to %.3g",
                            verdict->E, verdict->bilateral, effect->tolerance);
    }
    return UT_OK;
}

utStatus ut_effect_create(const utCoulomb* problem, const double* r, double tolerance,
                          utArena* scratch, Effect* effect, utError* err)
{
    UT_TRY(ut_coulomb_check(problem, err));
    if (r == NULL || !(tolerance > 0.0 && tolerance < 1.0)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "impulses and a tolerance between 0 and 1 are needed");
    }
    if (ut_coulomb_has_bounds(problem)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "rows with bounds are not supported yet");
    }
    const int N = ut_coulomb_rows(problem);
    const bool local = problem->W != NULL;
    const int n = local ? N : problem->dof;
    *effect = (Effect){
        .problem = problem,
        .d = problem->dimension,
        .nc = problem->contacts,
        .nb = problem->bilaterals,
        .N = N,
        .n = n,
        .local = local,
        .r = r,
        .tolerance = tolerance,
        .rank_tolerance = local ? LOCAL_RANK : GLOBAL_RANK,
        .G = ut_coulomb_push(scratch, N, n),
        .s = ut_coulomb_push(scratch, 1, N),
        .u = ut_coulomb_push(scratch, 1, N),
        .face = UT_PUSH(scratch, Face, problem->contacts),
        .status = UT_PUSH(scratch, utCoulombStatus, problem->contacts),
        .degenerate = UT_PUSH(scratch, bool, problem->contacts),
    };
    double* diagonal = ut_coulomb_push(scratch, 1, N);
    utArena rest = *scratch;
    double* work = ut_coulomb_push(&rest, n, n);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_coulomb_judge(problem, false, r, *scratch, effect->u, &effect->verdict));
    UT_TRY(check_answer(effect, err));
    effect->tau = tolerance * effect->verdict.V;
    if (local) {
        find_local(effect, work, diagonal);
    } else if (!find_global(effect, work, diagonal)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "M is not positive definite");
    }
    find_statuses(effect);
    const double noise = fmin(DIRECTIONS * find_noise(effect), ROUGHEST_RANK);
    effect->rank_tolerance = fmax(effect->rank_tolerance, noise);
    return UT_OK;
}
