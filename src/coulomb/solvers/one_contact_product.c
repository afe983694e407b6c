// SPDX-License-Identifier: Apache-2.0
// One contact with torsional or rolling friction: u = A r + p, K a product of circles and segments.
//
// Newton's method on Alart and Curnier's equations solves nearly every contact in a few steps. Where
// it fails, r_n is found by bisection. With x the entries of r behind r_n, the law says that x makes
//
//     x'A_tt x / 2 + x.(p_t + A_tn r_n)    least    over |x_k| <= c_k r_n,
//
// a convex problem with one answer x(r_n), and that u_n = p_n + A_nn r_n + A_nt x(r_n) is 0, or
// positive at r_n = 0. For p_n < 0 a root exists, because u_n / r_n of a large r_n is that of the
// problem without p, where u_n = r'A r / r_n + sum c_k |u_k| > 0.
#include <string.h>

#include "coulomb/internal.h"
#include "la/dense/dense.h"

enum {
    D_MAX = UT_LAW_MAX_DIMENSION,
    NEWTON_STEPS = 15,
    HALVINGS = 6,       // of a Newton step
    SWEEPS = 60,        // over the factors, for x(r_n)
    SECULAR_STEPS = 40, // towards the multiplier of a disc
    DOUBLINGS = 60,     // of r_n, until u_n > 0
    BISECTIONS = 60,
};

static const double ROUNDING = 1e-14; // of |p|: an error that is rounding
static const double VALID = 1e-10;    // of |p|: an error that is good enough
static const double SAME_X = 1e-15;   // a relative change of x that is rounding
static const double SINGULAR = 1e-14; // pivots below this fraction of the largest are rounding
static const double EXPANSION = 2.0;  // factor of r_n while u_n < 0

typedef struct Search {
    const utLaw* law;
    const double* A;
    const double* p;
    int d;
    double m;
    double done;  // stop at this error
    double error; // of the best impulse so far
    double r[D_MAX];
} Search;

static void velocity(const Search* s, const double* r, double* u)
{
    for (int i = 0; i < s->d; i++) {
        u[i] = s->p[i];
        for (int j = 0; j < s->d; j++) {
            u[i] += s->A[i * s->d + j] * r[j];
        }
    }
}

// Project r on K and keep it where its error is the least. @return true when that is small enough
static bool try_impulse(Search* s, const double* r)
{
    double x[D_MAX], u[D_MAX];
    if (ut_law_project(s->law, r, x) == UT_LAW_INVALID) {
        return false;
    }
    velocity(s, x, u);
    const double error = ut_law_error(s->law, s->m, x, u);
    if (error < s->error) {
        s->error = error;
        memcpy(s->r, x, (size_t)s->d * sizeof *x);
    }
    return s->error <= s->done;
}

// ---- Newton -------------------------------------------------------------------------------------

// F and its derivative H = A_F + B_F A at r. @return |F|^2
static double evaluate(const Search* s, const double* r, double* F, double* H)
{
    double u[D_MAX] = {0.0}, A_F[D_MAX * D_MAX], B_F[D_MAX * D_MAX];
    const int d = s->d;
    double square = 0.0;
    velocity(s, r, u);
    ut_alart_curnier(s->law, s->m, r, u, F, A_F, B_F);
    for (int i = 0; i < d; i++) {
        square += F[i] * F[i];
        for (int j = 0; j < d; j++) {
            H[i * d + j] = A_F[i * d + j];
            for (int k = 0; k < d; k++) {
                H[i * d + j] += B_F[i * d + k] * s->A[k * d + j];
            }
        }
    }
    return square;
}

// @return true when the best impulse is an answer
static bool try_newton(Search* s, const double* start)
{
    const int d = s->d;
    double r[D_MAX], trial[D_MAX], F[D_MAX], dr[D_MAX], H[D_MAX * D_MAX];
    int perm[D_MAX];
    memcpy(r, start, (size_t)d * sizeof *r);
    double square = evaluate(s, r, F, H);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        if (ut_lu_factor(d, H, d, perm, SINGULAR) != d) {
            return false;
        }
        ut_lu_solve(d, H, d, perm, F, dr);
        double step = 1.0;
        double after = HUGE_VAL;
        for (int half = 0; half <= HALVINGS && !(after < square); half++, step *= 0.5) {
            for (int i = 0; i < d; i++) {
                trial[i] = r[i] - step * dr[i];
            }
            after = evaluate(s, trial, F, H);
        }
        memcpy(r, trial, (size_t)d * sizeof *r);
        if (try_impulse(s, r)) {
            return true;
        }
        if (!(after < square)) {
            return false;
        }
        square = after;
    }
    return false;
}

// ---- bisection ----------------------------------------------------------------------------------

// The least value of x'B x / 2 + g.x over |x| <= radius. @param B n x n, symmetric  @param n 1 or 2
static void solve_disc(int n, double B[2][2], const double* g, double radius, double* x)
{
    // eigenvalues of B and the parts of g along its eigenvectors (c, s) and (-s, c)
    double value[2] = {B[0][0], 0.0};
    double c = 1.0, s = 0.0;
    double part[2] = {g[0], n == 2 ? g[1] : 0.0};
    if (n == 2) {
        const double mean = 0.5 * (B[0][0] + B[1][1]);
        const double half = 0.5 * (B[0][0] - B[1][1]);
        const double root = sqrt(half * half + B[0][1] * B[0][1]);
        value[0] = mean + root;
        value[1] = mean - root;
        // the longer one of two expressions for the first eigenvector
        c = half >= 0.0 ? root + half : B[0][1];
        s = half >= 0.0 ? B[0][1] : root - half;
        const double size = sqrt(c * c + s * s);
        c = size > 0.0 ? c / size : 1.0;
        s = size > 0.0 ? s / size : 0.0;
        part[0] = c * g[0] + s * g[1];
        part[1] = c * g[1] - s * g[0];
    }
    // |x(lambda)| falls with the multiplier lambda >= 0, which is 0 inside; Newton on 1 / |x|
    double lambda = 0.0;
    double y[2] = {0.0, 0.0};
    for (int k = 0; k < SECULAR_STEPS; k++) {
        double square = 0.0, slope = 0.0;
        for (int i = 0; i < n; i++) {
            const double stiffness = value[i] + lambda;
            y[i] = part[i] != 0.0 ? -part[i] / stiffness : 0.0;
            square += y[i] * y[i];
            slope += part[i] != 0.0 ? y[i] * y[i] / stiffness : 0.0;
        }
        const double size = sqrt(square);
        if (size <= radius * (1.0 + SAME_X) || !(slope > 0.0)) {
            break;
        }
        if (!isfinite(size)) {
            lambda = value[0] > 0.0 ? SINGULAR * value[0] : 1.0;
            continue;
        }
        lambda += (size / radius - 1.0) * square / slope;
    }
    x[0] = c * y[0] - s * y[1];
    if (n == 2) {
        x[1] = s * y[0] + c * y[1];
    }
}

// x(r_n) by Gauss-Seidel over the factors, from the x in r. @return u_n
static double tangential(const Search* s, double r_n, double* r)
{
    const utSection* P = s->law->section;
    const int d = s->d;
    r[0] = r_n;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0.0, largest = 0.0;
        for (int k = 0; k < P->factors; k++) {
            const int begin = k == 0 ? 1 : P->factor_end[k - 1];
            const int n = P->factor_end[k] - begin;
            const double radius = ut_law_coefficient(s->law, k) * r_n;
            double before[2], B[2][2] = {{0.0}}, g[2] = {0.0};
            memcpy(before, r + begin, (size_t)n * sizeof *before);
            memset(r + begin, 0, (size_t)n * sizeof *r);
            for (int i = 0; i < n; i++) {
                g[i] = s->p[begin + i];
                for (int j = 0; j < d; j++) {
                    g[i] += s->A[(begin + i) * d + j] * r[j];
                }
                for (int j = 0; j < n; j++) {
                    B[i][j] = 0.5 * (s->A[(begin + i) * d + begin + j] +
                                     s->A[(begin + j) * d + begin + i]);
                }
            }
            if (radius > 0.0) {
                solve_disc(n, B, g, radius, r + begin);
            }
            for (int i = 0; i < n; i++) {
                change = fmax(change, fabs(r[begin + i] - before[i]));
                largest = fmax(largest, fabs(r[begin + i]));
            }
        }
        if (!(change > SAME_X * largest)) {
            break;
        }
    }
    double u_n = s->p[0];
    for (int j = 0; j < d; j++) {
        u_n += s->A[j] * r[j];
    }
    return u_n;
}

static void bisect(Search* s)
{
    double r[D_MAX] = {0.0};
    double low = 0.0;
    double high = s->A[0] > 0.0 ? -s->p[0] / s->A[0] : 0.0;
    if (!(high > 0.0) || !isfinite(high)) {
        return;
    }
    for (int k = 0; k < DOUBLINGS && tangential(s, high, r) < 0.0; k++) {
        low = high;
        high *= EXPANSION;
    }
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (low + high);
        const bool below = tangential(s, middle, r) < 0.0;
        low = below ? middle : low;
        high = below ? high : middle;
        if (try_impulse(s, r)) {
            return;
        }
    }
    double best[D_MAX];
    memcpy(best, s->r, sizeof best);
    try_newton(s, best);
}

double ut_coulomb_local_product(const utLaw* law, const double* A, const double* p, double m,
                                double* r)
{
    const int d = law->section->dimension;
    double size = 0.0;
    for (int i = 0; i < d; i++) {
        size = fmax(size, fabs(p[i]));
    }
    Search s = {.law = law, .A = A, .p = p, .d = d, .m = m, .done = ROUNDING * size};
    s.error = HUGE_VAL;
    const double none[D_MAX] = {0.0};
    double start[D_MAX];
    memcpy(start, r, (size_t)d * sizeof *r);
    if (!try_impulse(&s, none) && !try_newton(&s, start) && !(s.error <= VALID * size)) {
        try_impulse(&s, start);
        bisect(&s);
    }
    memcpy(r, s.r, (size_t)d * sizeof *r);
    return s.error;
}
