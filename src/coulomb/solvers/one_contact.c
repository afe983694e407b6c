// SPDX-License-Identifier: Apache-2.0
// One contact, exactly: the cases of the law one after the other.
//
//     open    r = 0                       valid when p_n >= 0
//     stick   u = 0, r = -A^-1 p          valid when r is in K
//     slip    u_n = 0, r_n > 0, and r_t on the side of mu r_n P that faces -u_t
//
// Each case gives impulses by a formula. These are projected on K and their error in the law decides,
// not the conditions above, because rounding may put a valid case on the wrong side of its border.
// The impulse with the least error is returned.
//
// Slip on the circle in the direction t = (cos a, sin a): r = r_n (1, mu t) with
// r_n = -p_n / D, D = A_nn + mu A_nt.t > 0, and u_t = -lambda t requires that D u_t has no part across
// t. That part is a trigonometric polynomial of degree 2 in a, with at most four roots. On an edge of
// a polygon there are two linear equations for two unknowns, on a vertex there is one for one.
#include <string.h>
#include <uptack/vec.h>

#include "coulomb/internal.h"

enum {
    DEGREE = 4,       // of the polynomial whose roots are directions of slip
    REFINEMENTS = 80, // steps towards a root, at most
    NEWTON_STEPS = 12,
    RELAXATIONS = 400, // of the fixed-point iteration when no case is valid
};

static const double ROUNDING = 1e-14;   // of |p|: an error that is rounding
static const double VALID = 1e-10;      // of |p|: a case with this error is valid
static const double ZERO_PIVOT = 1e-14; // of the largest entry: smaller pivots are rounding
static const double FAR_ROOT = 0.5;     // rad: a longer Newton step has left its root
static const double SAME_ANGLE = 1e-15; // rad: a shorter Newton step is rounding
static const double SAME_ROOT = 1e-17;  // a bracket of a root that is shorter is rounding
static const double EDGE_END = 1e-9; // relative: an impulse beyond the end of an edge by rounding

// The best of the impulses tried so far.
typedef struct Search {
    const utLaw* law;
    const double* A;
    const double* p;
    int d;
    double m;
    double done; // stop at this error
    double error;
    double r[3];
} Search;

// Project r on K and keep it where its error is the least. @return true when that is small enough
static bool try_impulse(Search* s, const double* r)
{
    double x[3], u[3];
    if (ut_law_project(s->law, r, x) == UT_LAW_INVALID) {
        return false;
    }
    for (int i = 0; i < s->d; i++) {
        u[i] = s->p[i];
        for (int j = 0; j < s->d; j++) {
            u[i] += s->A[i * s->d + j] * x[j];
        }
    }
    const double error = ut_law_error(s->law, s->m, x, u);
    if (error < s->error) {
        s->error = error;
        memcpy(s->r, x, sizeof x);
    }
    return s->error <= s->done;
}

// ---- stick --------------------------------------------------------------------------------------

static void swap(double* a, double* b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

// Bring the largest entry of the rest of T (d x d+1) to place (k, k).
static double bring_pivot(int d, double T[3][4], int k, int* order)
{
    int row = k;
    int col = k;
    for (int i = k; i < d; i++) {
        for (int j = k; j < d; j++) {
            if (fabs(T[i][j]) > fabs(T[row][col])) {
                row = i;
                col = j;
            }
        }
    }
    for (int j = 0; j <= d; j++) {
        swap(&T[k][j], &T[row][j]);
    }
    for (int i = 0; i < d; i++) {
        swap(&T[i][k], &T[i][col]);
    }
    const int kept = order[k];
    order[k] = order[col];
    order[col] = kept;
    return T[k][k];
}

// x = -A^-1 p by Gauss with complete pivoting; unknowns without a pivot are 0.
static void solve_stick(int d, const double* A, const double* p, double x[3])
{
    double T[3][4];
    int order[3] = {0, 1, 2};
    double largest = 0.0;
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            T[i][j] = A[i * d + j];
            largest = fabs(T[i][j]) > largest ? fabs(T[i][j]) : largest;
        }
        T[i][d] = -p[i];
    }
    int rank = 0;
    while (rank < d && fabs(bring_pivot(d, T, rank, order)) > ZERO_PIVOT * largest) {
        for (int i = rank + 1; i < d; i++) {
            const double factor = T[i][rank] / T[rank][rank];
            for (int j = rank; j <= d; j++) {
                T[i][j] -= factor * T[rank][j];
            }
        }
        rank++;
    }
    double y[3] = {0.0, 0.0, 0.0};
    for (int i = rank - 1; i >= 0; i--) {
        double sum = T[i][d];
        for (int j = i + 1; j < rank; j++) {
            sum -= T[i][j] * y[j];
        }
        y[i] = sum / T[i][i];
    }
    for (int i = 0; i < d; i++) {
        x[order[i]] = y[i];
    }
}

static bool try_stick(Search* s)
{
    double r[3] = {0.0, 0.0, 0.0};
    solve_stick(s->d, s->A, s->p, r);
    return try_impulse(s, r);
}

// ---- slip in a given direction ------------------------------------------------------------------

// r = r_n (1, mu t) with u_n = 0. @param t a point of P
static bool try_direction(Search* s, const double t[2])
{
    const double mu = s->law->mu;
    double D = s->A[0] + mu * s->A[1] * t[0];
    D += s->d == 3 ? mu * s->A[2] * t[1] : 0.0;
    const double r_n = -s->p[0] / D;
    if (!(D > 0.0) || !isfinite(r_n)) {
        return false;
    }
    const double r[3] = {r_n, mu * r_n * t[0], mu * r_n * t[1]};
    return try_impulse(s, r);
}

static bool try_segment(Search* s)
{
    return try_direction(s, (double[]){1.0, 0.0}) || try_direction(s, (double[]){-1.0, 0.0});
}

// ---- slip on the circle -------------------------------------------------------------------------

// g(a) = k0 + c1 cos a + s1 sin a + c2 cos 2a + s2 sin 2a, the part of D u_t across t
typedef struct Across {
    double k0, c1, s1, c2, s2;
} Across;

static Across find_across(const Search* s)
{
    const double* A = s->A;
    const double* p = s->p;
    const double half = 0.5 * s->law->mu;
    return (Across){
        .k0 = half * (p[0] * (A[5] - A[7]) + A[1] * p[2] - A[2] * p[1]),
        .c1 = A[0] * p[2] - p[0] * A[6],
        .s1 = p[0] * A[3] - A[0] * p[1],
        .c2 = half * (A[1] * p[2] + A[2] * p[1] - p[0] * (A[5] + A[7])),
        .s2 = half * (A[2] * p[2] - A[1] * p[1] - p[0] * (A[8] - A[4])),
    };
}

// g and its derivative at t = (c, s).
static void evaluate_across(const Across* g, double c, double s, double value[2])
{
    const double c2 = (c - s) * (c + s);
    const double s2 = 2.0 * c * s;
    value[0] = g->k0 + g->c1 * c + g->s1 * s + g->c2 * c2 + g->s2 * s2;
    value[1] = g->s1 * c - g->c1 * s + 2.0 * (g->s2 * c2 - g->c2 * s2);
}

static double polynomial(int n, const double* k, double x)
{
    double value = k[n];
    for (int i = n - 1; i >= 0; i--) {
        value = value * x + k[i];
    }
    return value;
}

// The root between lo and hi, where the signs differ: Newton with the derivative d, and a bisection
// where Newton leaves the bracket and in every fourth step.
static double find_root(int n, const double* k, const double* d, double lo, double hi)
{
    const bool rises = polynomial(n, k, lo) < 0.0;
    double x = 0.5 * (lo + hi);
    for (int step = 0; step < REFINEMENTS; step++) {
        const double value = polynomial(n, k, x);
        *((value < 0.0) == rises ? &lo : &hi) = x;
        const double newton = x - value / polynomial(n - 1, d, x);
        const double next = newton > lo && newton < hi && step % 4 != 3 ? newton : 0.5 * (lo + hi);
        if (next == x || !(hi - lo > SAME_ROOT)) {
            return next;
        }
        x = next;
    }
    return x;
}

// All roots between -1 and 1: between two roots of its derivative a polynomial has at most one.
// @param k     n + 1 coefficients, the constant first
// @param turn  receives -1, the roots of the derivative in between, and 1
// @param root  receives the roots
// @return how many roots, at most n
static int find_roots(int n, const double* k, double turn[DEGREE + 1], int* turns,
                      double root[DEGREE])
{
    double d[DEGREE], deeper[DEGREE + 1];
    int deeper_turns;
    for (int i = 0; i < n; i++) {
        d[i] = (i + 1) * k[i + 1];
    }
    turn[0] = -1.0;
    *turns = 1 + (n > 1 ? find_roots(n - 1, d, deeper, &deeper_turns, turn + 1) : 0);
    turn[(*turns)++] = 1.0;

    int roots = 0;
    for (int i = 0; i + 1 < *turns; i++) {
        const bool below = polynomial(n, k, turn[i]) < 0.0;
        if (below != (polynomial(n, k, turn[i + 1]) < 0.0)) {
            root[roots++] = find_root(n, k, d, turn[i], turn[i + 1]);
        }
    }
    return roots;
}

static bool try_angle(Search* s, double a)
{
    double t[2];
    ut_sincos(a, &t[1], &t[0]);
    return try_direction(s, t);
}

// The direction at x = tan(a/2), or the opposite one.
static bool try_tangent(Search* s, double sign, double x)
{
    const double size = sign / (1.0 + x * x);
    const double t[2] = {(1.0 - x) * (1.0 + x) * size, 2.0 * x * size};
    return try_direction(s, t);
}

// Newton from the direction of the impulse r of the previous sweep: the root is near as a rule.
static bool try_near(Search* s, const Across* g, const double* r)
{
    if (r[1] == 0.0 && r[2] == 0.0) {
        return false;
    }
    double a = ut_atan2(r[2], r[1]);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        double sine, cosine, value[2];
        ut_sincos(a, &sine, &cosine);
        evaluate_across(g, cosine, sine, value);
        const double step = value[0] / value[1];
        if (!(fabs(step) <= FAR_ROOT)) {
            return false;
        }
        a -= step;
        if (fabs(step) < SAME_ANGLE) {
            break;
        }
    }
    return try_angle(s, a);
}

// All roots with a in [-pi/2, pi/2], where g times (1 + x^2)^2 is a polynomial in x = tan(a/2), or
// those in the opposite half. Extrema are tried too, because g may touch 0 there.
static bool try_half(Search* s, const Across* g, double sign)
{
    const double c1 = sign * g->c1;
    const double s1 = sign * g->s1;
    const double k[DEGREE + 1] = {
        g->k0 + c1 + g->c2,     2.0 * s1 + 4.0 * g->s2, 2.0 * g->k0 - 6.0 * g->c2,
        2.0 * s1 - 4.0 * g->s2, g->k0 - c1 + g->c2,
    };
    double turn[DEGREE + 1], root[DEGREE];
    int turns;
    const int roots = find_roots(DEGREE, k, turn, &turns, root);
    for (int i = 0; i < roots; i++) {
        if (try_tangent(s, sign, root[i])) {
            return true;
        }
    }
    for (int i = 0; i < turns; i++) {
        if (try_tangent(s, sign, turn[i])) {
            return true;
        }
    }
    return false;
}

static bool try_circle(Search* s, const double* r)
{
    const Across g = find_across(s);
    return try_near(s, &g, r) || try_half(s, &g, 1.0) || try_half(s, &g, -1.0);
}

// ---- slip on a polygon --------------------------------------------------------------------------

// Over edge j of P: r_t = mu r_n inradius normal + y along, u_n = 0 and no slip along the edge.
static bool try_edge(Search* s, int j)
{
    const utSection* P = s->law->section;
    const double* A = s->A;
    const double* p = s->p;
    const double* normal = P->normal[j];
    const double along[2] = {-normal[1], normal[0]};
    const double reach = s->law->mu * P->inradius;
    const double g[3] = {1.0, reach * normal[0], reach * normal[1]};

    // (n, g) (n, along) (along, g) (along, along): two equations for r_n and y
    double B[2][2];
    B[0][0] = A[0] * g[0] + A[1] * g[1] + A[2] * g[2];
    B[0][1] = A[1] * along[0] + A[2] * along[1];
    B[1][0] = 0.0;
    B[1][1] = 0.0;
    for (int i = 0; i < 2; i++) {
        const double* row = A + 3 * (i + 1);
        B[1][0] += along[i] * (row[0] * g[0] + row[1] * g[1] + row[2] * g[2]);
        B[1][1] += along[i] * (row[1] * along[0] + row[2] * along[1]);
    }
    const double p_along = along[0] * p[1] + along[1] * p[2];
    const double det = B[0][0] * B[1][1] - B[0][1] * B[1][0];
    const double r_n = (B[0][1] * p_along - B[1][1] * p[0]) / det;
    const double y = (B[1][0] * p[0] - B[0][0] * p_along) / det;
    if (!isfinite(r_n) || !isfinite(y) || !(r_n > 0.0)) {
        return false;
    }
    const double r[3] = {r_n, r_n * g[1] + y * along[0], r_n * g[2] + y * along[1]};

    // impulses beyond the ends of the edge belong to the case of a vertex
    const double reach_along = P->slant * reach * r_n;
    return fabs(y) <= reach_along * (1.0 + EDGE_END) && try_impulse(s, r);
}

static bool try_polygon(Search* s)
{
    const utSection* P = s->law->section;
    for (int j = 0; j < P->edges; j++) {
        const double t[2] = {P->circumradius * P->vertex[j][0], P->circumradius * P->vertex[j][1]};
        if (try_direction(s, t) || try_edge(s, j)) {
            return true;
        }
    }
    return false;
}

// ---- when no case is valid ----------------------------------------------------------------------

// r <- (r + P_K(r - rho û)) / 2, from the best impulse so far.
static void relax(Search* s)
{
    double norm = 0.0;
    for (int i = 0; i < s->d * s->d; i++) {
        norm += s->A[i] * s->A[i];
    }
    const double rho = 1.0 / sqrt(norm);
    double r[3];
    memcpy(r, s->r, sizeof r);
    for (int k = 0; isfinite(rho) && k < RELAXATIONS; k++) {
        double u[3], x[3];
        for (int i = 0; i < s->d; i++) {
            u[i] = s->p[i];
            for (int j = 0; j < s->d; j++) {
                u[i] += s->A[i * s->d + j] * r[j];
            }
        }
        ut_law_shifted(s->law, u, u);
        for (int i = 0; i < s->d; i++) {
            x[i] = r[i] - rho * u[i];
        }
        ut_law_project(s->law, x, x);
        for (int i = 0; i < s->d; i++) {
            r[i] = 0.5 * (r[i] + x[i]);
        }
        if (try_impulse(s, r)) {
            return;
        }
    }
}

static bool try_slip(Search* s, const double* r)
{
    if (s->law->mu == 0.0 && try_direction(s, (double[]){0.0, 0.0})) {
        return true;
    }
    if (s->law->section->edges > 0) {
        return try_polygon(s);
    }
    return s->d == 2 ? try_segment(s) : try_circle(s, r);
}

double ut_coulomb_local(const utLaw* law, const double* A, const double* p, double m, double* r)
{
    if (law->section->kind == UT_SECTION_PRODUCT) {
        return ut_coulomb_local_product(law, A, p, m, r);
    }
    const int d = law->section->dimension;
    double size = 0.0;
    for (int i = 0; i < d; i++) {
        size = fabs(p[i]) > size ? fabs(p[i]) : size;
    }
    Search s = {.law = law, .A = A, .p = p, .d = d, .m = m, .done = ROUNDING * size};
    s.error = HUGE_VAL;
    const double start[3] = {r[0], r[1], d == 3 ? r[2] : 0.0};
    const double none[3] = {0.0, 0.0, 0.0};
    if (!try_impulse(&s, none) && !try_stick(&s) && !try_slip(&s, start)) {
        if (!(s.error <= VALID * size)) {
            try_impulse(&s, start);
            relax(&s);
        }
    }
    memcpy(r, s.r, (size_t)d * sizeof *r);
    return s.error;
}
