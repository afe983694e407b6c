// The judge: how far r is from the law, computed from r alone (certificate.md).
//
// Strictly IEEE code that shares nothing with the solvers but the law. With A = W, or J M^-1 J',
//
//     m_i = dimension / tr(A_ii)                 effective mass of contact i
//     e_i = |r_i - P_K(r_i - m_i û_i)| / m_i     its error, dist(û_i, K*) where nothing can move
//     V   = the largest |q_i| of a contact that would close or carries an impulse and of a
//           bilateral row, at least 1e-9 m/s: q is the velocity without any impulse
#include <string.h>

#include "internal.h"
#include "la/accurate.h"
#include "la/dense.h"
#include "la/kernel.h"

static const double SLOWEST = 1e-9;    // m/s, the least V
static const double IMMOVABLE = 1e-14; // of the largest trace: a contact that nothing can move

// What the verdict is made of.
typedef struct Motion {
    double* u;     // N: velocities with the impulses
    double* q;     // N: without them
    double* trace; // contacts: tr(A_ii)
} Motion;

static double larger(double most, double x)
{
    return x <= most ? most : x; // a NaN is the largest
}

// ---- what is not finite -------------------------------------------------------------------------

// @param A may be NULL when it has no columns
static bool rows_finite(int rows, int cols, const double* A)
{
    for (int i = 0; cols > 0 && i < rows; i++) {
        if (!isfinite(ut_max_abs(cols, A + (size_t)i * (size_t)cols))) {
            return false;
        }
    }
    return true;
}

static bool all_finite(const utCoulomb* problem, const double* r)
{
    const int N = ut_coulomb_rows(problem);
    const int dof = problem->dof;
    if (!rows_finite(1, N, r) || !rows_finite(1, problem->contacts, problem->mu)) {
        return false;
    }
    if (problem->W != NULL) {
        return rows_finite(N, N, problem->W) && rows_finite(1, N, problem->q);
    }
    return rows_finite(dof, dof, problem->M) && rows_finite(1, dof, problem->f) &&
           rows_finite(N, dof, problem->J) && rows_finite(1, N, problem->b);
}

// The verdict on what is not finite.
static utCoulombVerdict condemn(const utCoulomb* problem, const double* r)
{
    int contact = -1;
    for (int i = problem->contacts - 1; i >= 0; i--) {
        const int d = problem->dimension;
        contact = rows_finite(1, d, r + (size_t)i * (size_t)d) ? contact : i;
    }
    return (utCoulombVerdict){HUGE_VAL, HUGE_VAL, contact, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
}

// ---- velocities ---------------------------------------------------------------------------------

static void move_local(const utCoulomb* problem, const double* r, Motion* motion)
{
    const int N = ut_coulomb_rows(problem);
    const int d = problem->dimension;
    ut_rows_accurate(N, N, problem->W, N, r, problem->q, motion->u);
    memcpy(motion->q, problem->q, (size_t)N * sizeof *motion->q);
    for (int i = 0; i < problem->contacts; i++) {
        motion->trace[i] = 0.0;
        for (int k = d * i; k < d * (i + 1); k++) {
            motion->trace[i] += problem->W[(size_t)k * (size_t)N + (size_t)k];
        }
    }
}

// @param L  dof x dof  @param v dof
// @return false when M is not positive definite
static bool move_global(const utCoulomb* problem, const double* r, double* L, double* v,
                        Motion* motion)
{
    const int N = ut_coulomb_rows(problem);
    const int dof = problem->dof;
    const int d = problem->dimension;
    const double* J = problem->J;
    const size_t bytes = (size_t)dof * sizeof *v;
    memcpy(L, problem->M, (size_t)dof * bytes);
    if (ut_chol_factor(dof, L, dof, 0.0) != dof) {
        return false;
    }

    // q = J M^-1 f + b
    memcpy(v, problem->f, bytes);
    ut_chol_solve(dof, L, dof, v);
    ut_rows_accurate(N, dof, J, dof, v, problem->b, motion->q);

    // tr(A_ii), A = J M^-1 J'
    for (int i = 0; i < problem->contacts; i++) {
        motion->trace[i] = 0.0;
        for (int k = d * i; k < d * (i + 1); k++) {
            const double* row = J + (size_t)k * (size_t)dof;
            memcpy(v, row, bytes);
            ut_chol_solve(dof, L, dof, v);
            motion->trace[i] += ut_dot(dof, row, v);
        }
    }

    // u = J M^-1 (f + J'r) + b
    memcpy(v, problem->f, bytes);
    for (int k = 0; k < N; k++) {
        ut_axpy(dof, r[k], J + (size_t)k * (size_t)dof, v);
    }
    ut_chol_solve(dof, L, dof, v);
    ut_rows_accurate(N, dof, J, dof, v, problem->b, motion->u);
    return true;
}

// ---- the verdict --------------------------------------------------------------------------------

static double length(int n, const double* x)
{
    double square = 0.0;
    for (int k = 0; k < n; k++) {
        square += x[k] * x[k];
    }
    return sqrt(square);
}

// the velocity scale V
static double find_scale(const utCoulomb* problem, const double* r, const double* q)
{
    const int d = problem->dimension;
    double V = SLOWEST;
    for (int i = 0; i < problem->contacts; i++) {
        const double* q_i = q + (size_t)i * (size_t)d;
        const double* r_i = r + (size_t)i * (size_t)d;
        const bool carries = r_i[0] != 0.0 || r_i[1] != 0.0 || (d == 3 && r_i[2] != 0.0);
        if (q_i[0] < 0.0 || carries) {
            V = larger(V, length(d, q_i));
        }
    }
    for (int j = d * problem->contacts; j < ut_coulomb_rows(problem); j++) {
        V = larger(V, fabs(q[j]));
    }
    return V;
}

// The largest trace, at least 0.
static double find_largest(int n, const double* trace)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = larger(largest, trace[i]);
    }
    return largest;
}

static utCoulombVerdict weigh(const utCoulomb* problem, bool convex, const double* r,
                              const Motion* motion)
{
    const int d = problem->dimension;
    const utSection circle = ut_section_circle();
    const bool polygon = problem->contacts > 0 && problem->section->edges > 0;
    const double largest = find_largest(problem->contacts, motion->trace);
    utCoulombVerdict verdict = {.contact = -1, .V = find_scale(problem, r, motion->q)};
    double gap = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        const utLaw law = {problem->section, problem->mu[i], convex};
        const utLaw round = {&circle, problem->mu[i], false};
        const double* r_i = r + (size_t)i * (size_t)d;
        const double* u_i = motion->u + (size_t)i * (size_t)d;

        // an immovable contact takes the least mass of the problem where it needs one
        const bool moves = motion->trace[i] > IMMOVABLE * largest;
        const double m = moves ? d / motion->trace[i] : largest > 0.0 ? d / largest : 1.0;
        const double e =
            moves ? ut_law_error(&law, m, r_i, u_i) : ut_law_error_degenerate(&law, u_i);
        if (verdict.contact < 0 || !(e <= verdict.e)) {
            verdict.e = e;
            verdict.contact = i;
        }
        verdict.cone = larger(verdict.cone, ut_law_violation(&law, m, verdict.V, r_i));
        if (polygon) {
            gap = larger(gap, moves ? ut_law_error(&round, m, r_i, u_i)
                                    : ut_law_error_degenerate(&round, u_i));
        }
    }
    for (int j = d * problem->contacts; j < ut_coulomb_rows(problem); j++) {
        verdict.bilateral = larger(verdict.bilateral, fabs(motion->u[j]) / verdict.V);
    }
    verdict.E = verdict.e / verdict.V;
    verdict.model_gap = gap / verdict.V;
    return verdict;
}

size_t ut_coulomb_judge_scratch(const utCoulomb* problem)
{
    const int N = ut_coulomb_rows(problem);
    size_t need = 2 * ut_coulomb_need(1, N);
    need = ut_coulomb_plus(need, ut_coulomb_need(1, problem->contacts));
    if (problem->W == NULL) {
        need = ut_coulomb_plus(need, ut_coulomb_need(problem->dof, problem->dof));
        need = ut_coulomb_plus(need, ut_coulomb_need(1, problem->dof));
    }
    return need;
}

utStatus ut_coulomb_judge(const utCoulomb* problem, bool convex, const double* r, utArena scratch,
                          double* u, utCoulombVerdict* verdict)
{
    const int N = ut_coulomb_rows(problem);
    const bool global = problem->W == NULL;
    Motion motion = {
        .u = ut_coulomb_push(&scratch, 1, N),
        .q = ut_coulomb_push(&scratch, 1, N),
        .trace = ut_coulomb_push(&scratch, 1, problem->contacts),
    };
    double* L = global ? ut_coulomb_push(&scratch, problem->dof, problem->dof) : NULL;
    double* v = global ? ut_coulomb_push(&scratch, 1, problem->dof) : NULL;
    if (motion.u == NULL || motion.q == NULL || motion.trace == NULL ||
        (global && (L == NULL || v == NULL))) {
        return UT_ERR_CAPACITY;
    }

    bool finite = all_finite(problem, r);
    if (finite && global) {
        finite = move_global(problem, r, L, v, &motion);
    } else if (finite) {
        move_local(problem, r, &motion);
    }
    finite = finite && rows_finite(1, N, motion.u) && rows_finite(1, N, motion.q) &&
             rows_finite(1, problem->contacts, motion.trace);
    if (finite) {
        *verdict = weigh(problem, convex, r, &motion);
    }
    if (!finite || !isfinite(verdict->V)) {
        *verdict = condemn(problem, r);
    }
    for (int k = 0; u != NULL && k < N; k++) {
        u[k] = finite ? motion.u[k] : (double)NAN;
    }
    return UT_OK;
}
