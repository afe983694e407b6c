// SPDX-License-Identifier: Apache-2.0
// A few contacts with a dense W: the Newton of newton.c in plain loops on the stack.
//
// Alart and Curnier's equations for circles divided by m, F = 0, with dF = (A dr) / m + B du and
// u = W r + q. A step solves
//
//     (A + B W m) y = -F,    r <- r + m y
//
// by Gauss with row exchanges. Nothing is planned, and the judge sees only the last impulses. Where the
// steps do not converge the ladder begins as if this had not been tried.
#include "few_contacts.h"

#include <string.h>

#include "coulomb/judge/judge.h"
#include "coulomb/tolerances.h"

enum {
    MAX_CONTACTS = 6,
    MAX_ROWS = 3 * MAX_CONTACTS,
    MAX_STEPS = 12,
    MAX_HALVINGS = 6,    // of a step
    MAX_REFINEMENTS = 2, // steps with the factors of the last one
};

static const double REGULARIZATION =
    1e-8;                           // as in newton.c: redundant contacts make the matrix singular
static const double ARMIJO = 1e-4;  // a step must lower |F|^2 by this fraction
static const double REFINED = 0.01; // of the tolerance: answers are improved to this error,
static const double FINE = 1e-4;    // and if two cheap steps suffice to this one
static const double NEAR_SHARE = 1e-6; // of V: |F| from which such steps may suffice

// Two doubles at any address of a double.
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

typedef struct Few {
    const utCoulomb* problem;
    int nc;
    int N;
    double V;                      // velocity scale
    double m[MAX_CONTACTS];        // effective masses
    double r[MAX_ROWS];            // impulses
    double u[MAX_ROWS];            // velocities
    double F[MAX_ROWS];            // the equations over m
    double A[MAX_CONTACTS][3][3];  // dF / dr over m, times m
    double B[MAX_CONTACTS][3][3];  // dF / du over m
    int stride;                    // of rows of K: even
    double K[MAX_ROWS * MAX_ROWS]; // the matrix, then its factors
    int from[MAX_ROWS];            // row that was exchanged with row k
} Few;

static bool applies(const utCoulomb* problem, const utCoulombDef* def)
{
    return problem->W != NULL && problem->W_start == NULL && problem->dimension == 3 &&
           problem->bilaterals == 0 && problem->contacts > 0 && problem->contacts <= MAX_CONTACTS &&
           !ut_coulomb_polygonal(problem) && !def->warm_start && !def->convex &&
           def->max_iterations == 0;
}

// Masses and V. @return false where a contact cannot be moved
static bool begin(const utCoulomb* problem, Few* few)
{
    double most = 0.0, least = HUGE_VAL;
    few->problem = problem;
    few->nc = problem->contacts;
    few->N = 3 * few->nc;
    few->stride = (few->N + 1) & ~1;
    few->V = problem->speed;
    for (int i = 0; i < few->nc; i++) {
        const double* q = problem->q + 3 * i;
        const double* W = problem->W + 3 * i * few->N + 3 * i;
        const double trace = W[0] + W[few->N + 1] + W[2 * few->N + 2];
        few->m[i] = 3.0 / trace;
        most = trace > most ? trace : most;
        least = trace < least ? trace : least;
        few->V = q[0] < 0.0 ? ut_larger(few->V, ut_coulomb_length(3, q)) : few->V;
    }
    few->V = few->V == 0.0 ? UT_LEAST_SPEED : few->V;
    return least > UT_IMMOVABLE * most && isfinite(most);
}

static void find_velocities(Few* few, const double* r)
{
    for (int k = 0; k < few->N; k++) {
        const double* row = few->problem->W + k * few->N;
        double sum[3] = {few->problem->q[k], 0.0, 0.0};
        for (int j = 0; j < few->N; j += 3) {
            sum[0] += row[j] * r[j];
            sum[1] += row[j + 1] * r[j + 1];
            sum[2] += row[j + 2] * r[j + 2];
        }
        few->u[k] = sum[0] + (sum[1] + sum[2]);
    }
}

// The equations of a contact over m, and A and B / m, by its case: open, stick or slip.
static double contact_equations(double mu, double m, const double* r, const double* u, double* F,
                                double A[3][3], double B[3][3])
{
    const double x[3] = {r[0] - m * u[0], r[1] - m * u[1], r[2] - m * u[2]};
    const double radius = mu * x[0];
    const double length = sqrt(x[1] * x[1] + x[2] * x[2]);
    const bool open = !(x[0] > 0.0);
    const bool stick = !open && length <= radius && radius > 0.0;
    for (int k = 0; k < 3; k++) {
        F[k] = open ? r[k] / m : u[k];
        for (int l = 0; l < 3; l++) {
            A[k][l] = open && k == l ? 1.0 : 0.0;
            B[k][l] = !open && k == l ? 1.0 : 0.0;
        }
    }
    if (!open && !stick) {
        // length > 0 where radius > 0
        const double ratio = radius > 0.0 ? radius / length : 0.0;
        const double inverse = length > 0.0 ? 1.0 / length : 0.0;
        const double t[3] = {0.0, x[1] * inverse, x[2] * inverse};
        for (int k = 1; k < 3; k++) {
            F[k] = (r[k] - radius * t[k]) / m;
            A[k][0] = -mu * t[k];
            B[k][0] = mu * t[k];
            for (int l = 1; l < 3; l++) {
                B[k][l] = ratio * ((k == l) - t[k] * t[l]);
                A[k][l] = (k == l) - B[k][l];
            }
        }
    }
    return F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
}

// Find u, F, A and B at r. @return |F|^2
static double evaluate(Few* few, const double* r)
{
    double square = 0.0;
    find_velocities(few, r);
    for (int i = 0; i < few->nc; i++) {
        square += contact_equations(few->problem->mu[i], few->m[i], r + 3 * i, few->u + 3 * i,
                                    few->F + 3 * i, few->A[i], few->B[i]);
    }
    return square;
}

// Project impulses on K. @return E, by velocities in plain double precision
static double find_error(Few* few, double* r)
{
    double E = 0.0;
    for (int i = 0; i < few->nc; i++) {
        const utLaw law = ut_coulomb_law(few->problem, i, false);
        ut_law_project(&law, r + 3 * i, r + 3 * i);
    }
    find_velocities(few, r);
    for (int i = 0; i < few->nc; i++) {
        const utLaw law = ut_coulomb_law(few->problem, i, false);
        E = ut_larger(E, ut_law_error(&law, few->m[i], r + 3 * i, few->u + 3 * i));
    }
    return E / few->V;
}

// ---- a step -------------------------------------------------------------------------------------

static double* row_of(Few* few, int k)
{
    return few->K + k * few->stride;
}

// K = A + B W m + a small number on the diagonal.
static void assemble(Few* few)
{
    const int N = few->N;
    for (int i = 0; i < few->nc; i++) {
        const double* W = few->problem->W + 3 * i * N;
        for (int k = 0; k < 3; k++) {
            const double* B = few->B[i][k];
            double* row = row_of(few, 3 * i + k);
            for (int j = 0; j < few->nc; j++) {
                for (int l = 3 * j; l < 3 * j + 3; l++) {
                    row[l] = (B[0] * W[l] + B[1] * W[N + l] + B[2] * W[2 * N + l]) * few->m[j];
                }
            }
            for (int l = 0; l < 3; l++) {
                row[3 * i + l] += few->A[i][k][l];
            }
            row[3 * i + k] += REGULARIZATION;
            row[few->stride - 1] = N < few->stride ? 0.0 : row[few->stride - 1];
        }
    }
}

// Bring the largest entry of column c to the diagonal.
static void exchange(Few* few, int c)
{
    int best = c;
    for (int i = c + 1; i < few->N; i++) {
        best = fabs(row_of(few, i)[c]) > fabs(row_of(few, best)[c]) ? i : best;
    }
    few->from[c] = best;
    double* a = row_of(few, c);
    double* b = row_of(few, best);
    for (int j = 0; best != c && j < few->stride; j += 2) {
        const Two kept = *(Two*)(a + j);
        *(Two*)(a + j) = *(Two*)(b + j);
        *(Two*)(b + j) = kept;
    }
}

// K = L U, with the inverse of each pivot in its place. @return false where it is singular
static bool factor(Few* few)
{
    for (int c = 0; c < few->N; c++) {
        exchange(few, c);
        double* pivot = row_of(few, c);
        if (!(fabs(pivot[c]) > 0.0)) {
            return false;
        }
        const double inverse = 1.0 / pivot[c];
        for (int i = c + 1; i < few->N; i++) {
            double* row = row_of(few, i);
            const double f = row[c] * inverse;
            if (f != 0.0) {
                for (int j = (c + 1) & ~1; j < few->stride; j += 2) {
                    *(Two*)(row + j) -= f * *(Two*)(pivot + j);
                }
                row[c] = f;
            }
        }
        pivot[c] = inverse;
    }
    return true;
}

// y = -K^-1 F
static void solve(Few* few, double* y)
{
    const int N = few->N;
    for (int k = 0; k < N; k++) {
        y[k] = -few->F[k];
    }
    for (int k = 0; k < N; k++) {
        const double kept = y[k];
        y[k] = y[few->from[k]];
        y[few->from[k]] = kept;
    }
    for (int i = 0; i < N; i++) {
        const double* row = row_of(few, i);
        double sum[2] = {y[i], 0.0};
        for (int j = 0; j < i; j++) {
            sum[j & 1] -= row[j] * y[j];
        }
        y[i] = sum[0] + sum[1];
    }
    for (int i = N - 1; i >= 0; i--) {
        const double* row = row_of(few, i);
        double sum[2] = {y[i], 0.0};
        for (int j = i + 1; j < N; j++) {
            sum[j & 1] -= row[j] * y[j];
        }
        y[i] = (sum[0] + sum[1]) * row[i];
    }
}

// Move r by a step, halved until |F| falls; the last one is taken in any case. @return |F|^2
static double move(Few* few, const double* y, double before)
{
    double trial[MAX_ROWS] = {0.0};
    double step = 1.0;
    double after = HUGE_VAL;
    for (int k = 0; k < MAX_HALVINGS && !(after < (1.0 - ARMIJO * step) * before); k++) {
        step = k > 0 ? 0.5 * step : step;
        for (int j = 0; j < few->N; j++) {
            trial[j] = few->r[j] + step * few->m[j / 3] * y[j];
        }
        after = evaluate(few, trial);
    }
    memcpy(few->r, trial, sizeof trial);
    return after;
}

// ---- the iteration ------------------------------------------------------------------------------

// One more step with the last factors. @param few F is that of its r
static void step_again(Few* few)
{
    double y[MAX_ROWS] = {0.0};
    solve(few, y);
    for (int j = 0; j < few->N; j++) {
        few->r[j] += few->m[j / 3] * y[j];
    }
}

// Take more steps with the last factors while E is above rounding.
// @param square |F|^2 of r  @return E of the answer
static double refine(Few* few, double square, double tolerance, double* answer)
{
    const size_t bytes = (size_t)few->N * sizeof *answer;
    const double fine = FINE * tolerance * few->V;
    double trial[MAX_ROWS];
    double E = HUGE_VAL;
    for (int k = 0; k < MAX_REFINEMENTS && !(E <= FINE * tolerance); k++) {
        square = k > 0 ? evaluate(few, few->r) : square;
        if (square > fine * fine) {
            step_again(few);
        }
        memcpy(trial, few->r, bytes);
        const double error = find_error(few, trial);
        if (error < E) {
            E = error;
            memcpy(answer, trial, bytes);
        }
    }
    return E;
}

// @param answer receives impulses, each in its cone  @return false where the steps do not converge
static bool iterate(Few* few, double tolerance, double* answer, int* steps)
{
    const double small = NEAR_SHARE * few->V;
    double y[MAX_ROWS] = {0.0};
    memset(few->r, 0, (size_t)few->N * sizeof *few->r);
    double square = evaluate(few, few->r);
    for (*steps = 1; *steps <= MAX_STEPS && square < HUGE_VAL; ++*steps) {
        assemble(few);
        if (!factor(few)) {
            return false;
        }
        solve(few, y);
        square = move(few, y, square);
        if (square <= small * small) {
            if (refine(few, square, tolerance, answer) <= REFINED * tolerance) {
                return true;
            }
            square = evaluate(few, few->r);
        }
    }
    return false;
}

utStatus ut_few_contacts(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                         double* r, utCoulombInfo* info, bool* solved)
{
    Few few; // without an initializer, because that would clear the matrix
    double answer[MAX_ROWS];
    utCoulombVerdict verdict;
    int steps;
#ifdef __clang_analyzer__
    memset(&few, 0, sizeof few); // the analyser does not see that N is 3 nc
#endif
    *solved = false;
    if (!applies(problem, def) || !begin(problem, &few) ||
        !iterate(&few, def->tolerance, answer, &steps)) {
        return UT_OK;
    }
    UT_TRY(ut_coulomb_judge(problem, false, answer, scratch, NULL, &verdict));
    *solved = ut_coulomb_passes(verdict.E, verdict.bilateral, REFINED * def->tolerance) &&
              verdict.cone <= UT_CONE_TOLERANCE;
    if (*solved) {
        memcpy(r, answer, (size_t)few.N * sizeof *r);
        info->iterations = steps;
        info->rung = UT_RUNG_NEWTON;
        info->solver = UT_COULOMB_NEWTON;
        info->verdict = verdict;
    }
    return UT_OK;
}
