// SPDX-License-Identifier: Apache-2.0
// The impulses of least norm among those with the same effect and velocities:
//
//     min |r|^2 / 2    with r_i in F_i, G'r = p
//
// Its dual is the minimum over x of f(x) = |P_F(A x)|^2 / 2 - p.x, A being G in an orthonormal
// basis of the effects that the faces F_i can have, and r = P_F(A x). f is convex with the
// derivative A'P_F(A x) - p. Each Newton step uses A'D A, D an element of the derivative of P_F, and
// a small multiple of the identity, because A'D A may be singular. The first step replaces the faces
// by their linear hulls: where the result lies in the faces it is the answer.
#include <string.h>

#include "coulomb/tolerances.h"
#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "row_basis.h"
#include "solved_problem.h"

enum {
    MAX_STEPS = 200,   // Newton steps
    MAX_HALVINGS = 40, // of a step
    PATIENCE = 15,     // steps within which |A'r - p| must halve
};

static const double DONE = 1e-14; // |A'r - p| over |p|: rounding of p

// The multiple of the identity that is added to A'D A, over its mean diagonal entry: PROXIMAL times
// |A'r - p| / |p|, so that it vanishes at the solution, but at least LEAST_PROXIMAL, because A'D A
// may be singular there.
static const double PROXIMAL = 1e-6;
static const double LEAST_PROXIMAL = 1e-15;

static const double ARMIJO = 1e-4;        // a step must lower f by this fraction of its slope,
static const double LOWER_GRADIENT = 0.9; // or |g| to this fraction where rounding hides f
static const double SAME_NORM = 1e-9;     // relative: |r| may grow by rounding

typedef struct Dual {
    const SolvedProblem* solved;
    int k;         // number of unknowns
    double* A;     // N x k
    double* p;     // k: the effect of the given impulses
    double* x;     // k: the unknowns
    double* dx;    // k: the Newton step
    double* trial; // k: x + t dx
    double* g;     // k: the derivative A'r - p
    double* H;     // k x k: A'D A
    double* a;     // N: A x
    double* r;     // N: P_F(A x)
    double* best;  // N: the r with the least |g| so far
    double* D;     // d x d per contact: derivative of P_F
    double* DA;    // d x k, work
} Dual;

// ---- the faces ----------------------------------------------------------------------------------

// p = (g.x)+ g, D = g g' where g.x > 0
static void project_ray(int d, const double* g, const double* x, double* p, double* D)
{
    const double along = ut_dot(d, g, x);
    for (int k = 0; k < d; k++) {
        p[k] = along > 0.0 ? along * g[k] : 0.0;
        for (int l = 0; l < d; l++) {
            D[d * k + l] = along > 0.0 ? g[k] * g[l] : 0.0;
        }
    }
}

// Project on the plane of two unit generators. A projection outside their wedge is replaced by that
// on the nearer ray. @param hull project on the plane in any case
static void project_wedge(const Face* face, bool hull, const double* x, double* p, double* D)
{
    const double* g = face->g[0];
    const double* h = face->g[1];
    const double cosine = ut_dot(3, g, h);
    const double scale = 1.0 / (1.0 - cosine * cosine);
    const double a = ut_dot(3, g, x), b = ut_dot(3, h, x);
    const double y = scale * (a - cosine * b), z = scale * (b - cosine * a);
    if (!hull && !(y >= 0.0 && z >= 0.0)) {
        project_ray(3, a > b ? g : h, x, p, D);
        return;
    }
    for (int k = 0; k < 3; k++) {
        p[k] = y * g[k] + z * h[k];
        for (int l = 0; l < 3; l++) {
            D[3 * k + l] = scale * (g[k] * (g[l] - cosine * h[l]) + h[k] * (h[l] - cosine * g[l]));
        }
    }
}

// p = P_F(x) of contact i and its derivative D. @param hull D is that of the linear hull of F
static void project(const SolvedProblem* solved, int i, bool hull, const double* x, double* p,
                    double* D)
{
    const int d = solved->d;
    const Face* face = &solved->face[i];
    const utLaw law = ut_coulomb_law(solved->problem, i, false);
    memset(D, 0, (size_t)(d * d) * sizeof *D);
    switch (face->kind) {
    case FACE_APEX:
        memset(p, 0, (size_t)d * sizeof *p);
        break;
    case FACE_RAY:
        project_ray(d, face->g[0], x, p, D);
        for (int k = 0; hull && k < d * d; k++) {
            D[k] = face->g[0][k / d] * face->g[0][k % d];
        }
        break;
    case FACE_WEDGE:
        project_wedge(face, hull, x, p, D);
        break;
    case FACE_CONE:
        ut_law_derivative(&law, x, p, D);
        for (int k = 0; hull && k < d * d; k++) {
            D[k] = k / d == k % d ? 1.0 : 0.0;
        }
        break;
    }
}

// to = P_F(from) for all contacts; bilateral rows keep their impulses
static void project_all(const Dual* dual, bool hull, const double* from, double* to)
{
    const SolvedProblem* solved = dual->solved;
    const int d = solved->d;
    for (int i = 0; i < solved->nc; i++) {
        project(solved, i, hull, from + (size_t)d * (size_t)i, to + (size_t)d * (size_t)i,
                dual->D + (size_t)(d * d) * (size_t)i);
    }
    for (int j = d * solved->nc; j < solved->N; j++) {
        to[j] = from[j];
    }
}

// ---- the dual -----------------------------------------------------------------------------------

// Find r, D and g = A'r - p at x. @return f(x)
static double evaluate(Dual* dual, const double* x)
{
    const int N = dual->solved->N;
    const int k = dual->k;
    for (int i = 0; i < N; i++) {
        dual->a[i] = ut_dot(k, dual->A + (size_t)i * (size_t)k, x);
    }
    project_all(dual, false, dual->a, dual->r);
    for (int c = 0; c < k; c++) {
        dual->g[c] = -dual->p[c];
    }
    for (int i = 0; i < N; i++) {
        ut_axpy(k, dual->r[i], dual->A + (size_t)i * (size_t)k, dual->g);
    }
    return 0.5 * ut_dot(N, dual->r, dual->r) - ut_dot(k, dual->p, x);
}

static double size_of(int n, const double* x)
{
    return sqrt(ut_dot(n, x, x));
}

// H = A'D A, lower triangle
static void find_hessian(Dual* dual)
{
    const SolvedProblem* solved = dual->solved;
    const int d = solved->d;
    const int k = dual->k;
    memset(dual->H, 0, (size_t)k * (size_t)k * sizeof *dual->H);
    for (int i = 0; i < solved->nc; i++) {
        const double* A = dual->A + (size_t)(d * i) * (size_t)k;
        const double* D = dual->D + (size_t)(d * d) * (size_t)i;
        memset(dual->DA, 0, (size_t)d * (size_t)k * sizeof *dual->DA);
        for (int e = 0; e < d * d; e++) {
            ut_axpy(k, D[e], A + (size_t)(e % d) * (size_t)k,
                    dual->DA + (size_t)(e / d) * (size_t)k);
        }
        for (int e = 0; e < d; e++) {
            for (int c = 0; c < k; c++) {
                ut_axpy(c + 1, A[(size_t)e * (size_t)k + (size_t)c],
                        dual->DA + (size_t)e * (size_t)k, dual->H + (size_t)c * (size_t)k);
            }
        }
    }
    for (int j = d * solved->nc; j < solved->N; j++) {
        const double* A = dual->A + (size_t)j * (size_t)k;
        for (int c = 0; c < k; c++) {
            ut_axpy(c + 1, A[c], A, dual->H + (size_t)c * (size_t)k);
        }
    }
}

// dx = -(H + proximal 1)^-1 g.
// @param mean the mean diagonal entry of H at the start  @param residual |g| over |p|
// @return false when the matrix cannot be factored
static bool find_step(Dual* dual, double mean, double residual)
{
    const int k = dual->k;
    find_hessian(dual);
    const double proximal = mean * fmax(LEAST_PROXIMAL, PROXIMAL * fmin(residual, 1.0));
    for (int c = 0; c < k; c++) {
        dual->H[(size_t)c * (size_t)k + (size_t)c] += proximal;
        dual->dx[c] = -dual->g[c];
    }
    if (ut_chol_factor(k, dual->H, k, 0.0) != k) {
        return false;
    }
    ut_chol_solve(k, dual->H, k, dual->dx);
    return true;
}

// Halve dx until f falls, or |g| where the rounding of f hides that. @return false when neither does
static bool search(Dual* dual, double* f)
{
    const int k = dual->k;
    const double slope = ut_dot(k, dual->g, dual->dx);
    const double size = size_of(k, dual->g);
    double t = 1.0;
    for (int half = 0; half < MAX_HALVINGS; half++, t *= 0.5) {
        for (int c = 0; c < k; c++) {
            dual->trial[c] = dual->x[c] + t * dual->dx[c];
        }
        const double next = evaluate(dual, dual->trial);
        if (next <= *f + ARMIJO * t * slope || size_of(k, dual->g) < LOWER_GRADIENT * size) {
            *f = next;
            memcpy(dual->x, dual->trial, (size_t)k * sizeof *dual->x);
            return true;
        }
    }
    return false;
}

// The start: x of least |A x| with A'A x = p on the linear hulls of the faces.
// @return the mean diagonal entry of that matrix; 0 when it cannot be factored
static double find_start(Dual* dual)
{
    const int k = dual->k;
    project_all(dual, true, dual->solved->r, dual->r);
    memset(dual->x, 0, (size_t)k * sizeof *dual->x);
    find_hessian(dual);
    double mean = 0.0;
    for (int c = 0; c < k; c++) {
        mean += dual->H[(size_t)c * (size_t)k + (size_t)c] / k;
        dual->g[c] = -dual->p[c];
    }
    if (!(mean > 0.0) || !find_step(dual, mean, 0.0)) {
        return 0.0;
    }
    memcpy(dual->x, dual->dx, (size_t)k * sizeof *dual->x);
    return mean;
}

// Minimize f; dual->best is the r with the least |A'r - p|. @return factorizations
static int minimize(Dual* dual)
{
    const size_t bytes = (size_t)dual->solved->N * sizeof *dual->best;
    const double size = size_of(dual->k, dual->p);
    const double mean = find_start(dual);
    int steps = 1;
    double f = evaluate(dual, dual->x);
    double least = size_of(dual->k, dual->g);
    memcpy(dual->best, dual->r, bytes);
    double goal = 0.5 * least; // to be reached within PATIENCE steps
    int patience = PATIENCE;
    while (mean > 0.0 && steps < MAX_STEPS && least > DONE * size && patience > 0) {
        if (!find_step(dual, mean, size_of(dual->k, dual->g) / size)) {
            break;
        }
        steps++;
        const bool fell = search(dual, &f);
        const double left = size_of(dual->k, dual->g);
        if (left < least) {
            least = left;
            memcpy(dual->best, dual->r, bytes);
        }
        if (!fell) {
            break;
        }
        patience = least <= goal ? PATIENCE : patience - 1;
        goal = least <= goal ? 0.5 * least : goal;
    }
    return steps;
}

// ---- the problem --------------------------------------------------------------------------------

static bool push(const SolvedProblem* solved, int k, utArena* scratch, Dual* dual)
{
    const int N = solved->N;
    *dual = (Dual){
        .solved = solved,
        .k = k,
        .A = ut_coulomb_push(scratch, N, k),
        .p = ut_coulomb_push(scratch, 1, k),
        .x = ut_coulomb_push(scratch, 1, k),
        .dx = ut_coulomb_push(scratch, 1, k),
        .trial = ut_coulomb_push(scratch, 1, k),
        .g = ut_coulomb_push(scratch, 1, k),
        .H = ut_coulomb_push(scratch, k, k),
        .a = ut_coulomb_push(scratch, 1, N),
        .r = ut_coulomb_push(scratch, 1, N),
        .best = ut_coulomb_push(scratch, 1, N),
        .D = ut_coulomb_push(scratch, solved->d, solved->d * solved->nc),
        .DA = ut_coulomb_push(scratch, solved->d, k),
    };
    return !ut_arena_failed(scratch);
}

// An orthonormal basis of the effects that impulses in the faces can have.
static utStatus find_basis(const SolvedProblem* solved, utArena* scratch, RowBasis* basis)
{
    const int d = solved->d;
    const size_t n = (size_t)solved->n;
    double* C = ut_coulomb_push(scratch, solved->N, solved->n);
    ut_row_basis_push(solved->N, solved->n, scratch, basis);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(C, 0, (size_t)solved->N * n * sizeof *C);
    for (int i = 0; i < solved->nc; i++) {
        const Face* face = &solved->face[i];
        for (int k = 0; k < ut_face_dimension(face, d); k++) {
            double x[3];
            ut_face_direction(face, d, k, x);
            for (int l = 0; l < d; l++) {
                x[l] = solved->s[d * i] * x[l];
            }
            ut_solved_add_effect(solved, d * i, d, x, C + (size_t)(d * i + k) * n);
        }
    }
    for (int j = d * solved->nc; j < solved->N; j++) {
        ut_solved_add_effect(solved, j, 1, &solved->s[j], C + (size_t)j * n);
    }
    ut_row_basis_find(solved->N, solved->n, C, solved->rank_tolerance, basis);
    return UT_OK;
}

// A = G Q', p = A'P_F(r)
static void pose(const RowBasis* basis, Dual* dual)
{
    const SolvedProblem* solved = dual->solved;
    const int k = dual->k;
    for (int i = 0; i < solved->N; i++) {
        for (int c = 0; c < k; c++) {
            dual->A[(size_t)i * (size_t)k + (size_t)c] =
                ut_dot(solved->n, solved->G + (size_t)i * (size_t)solved->n,
                       basis->Q + (size_t)c * (size_t)solved->n);
        }
    }
    project_all(dual, false, solved->r, dual->r);
    memset(dual->p, 0, (size_t)k * sizeof *dual->p);
    for (int i = 0; i < solved->N; i++) {
        ut_axpy(k, dual->r[i], dual->A + (size_t)i * (size_t)k, dual->p);
    }
}

utStatus ut_coulomb_least(const utCoulomb* problem, double tolerance, utArena scratch, double* r,
                          utLeastInfo* info, utError* err)
{
    if (info == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "an info is needed");
    }
    SolvedProblem solved;
    UT_TRY(ut_solved_create(problem, r, tolerance, &scratch, &solved, err));
    RowBasis basis;
    UT_TRY(find_basis(&solved, &scratch, &basis));
    Dual dual;
    if (!push(&solved, basis.rank, &scratch, &dual)) {
        return UT_ERR_CAPACITY;
    }
    pose(&basis, &dual);
    const int steps = minimize(&dual);

    // replace r only by impulses that the certificate passes and that are not longer
    utCoulombVerdict verdict;
    UT_TRY(ut_coulomb_judge(problem, false, dual.best, scratch, NULL, &verdict));
    const double before = size_of(solved.N, r);
    const double after = size_of(solved.N, dual.best);
    const bool found =
        verdict.E <= tolerance && verdict.cone <= UT_CONE_TOLERANCE &&
        verdict.bilateral <= fmax(UT_BILATERAL_SHARE * tolerance, solved.verdict.bilateral) &&
        after <= before * (1.0 + SAME_NORM);
    *info = (utLeastInfo){found, steps, before, found ? after : before,
                          found ? verdict : solved.verdict};
    if (found) {
        memcpy(r, dual.best, (size_t)solved.N * sizeof *r);
    }
    return UT_OK;
}
