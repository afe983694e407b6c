// SPDX-License-Identifier: Apache-2.0
// The residual of z in (M, q), computed row by row from z alone.
//
// No solver shares this code. Slacks are accumulated in twice the working precision, because the
// rounding of a sum must not decide about "solved". A NaN or an infinity anywhere gives INFINITY.
// docs/lcp.md explains the scales:
//
//     S_i = max(|q_i|, min(T_i, P), 1e-5 T_i, 1e-6 P)     of a slack w_i
//     C_i = max over k of |M_ki| / S_k                    of an unknown's distance from a bound
//
// T_i is the sum of |M_ij z_j| over j. P is the largest |q_k| in the part of the problem that the
// nonzero entries of M connect with row i.
#include "internal.h"

#include <string.h>

#include "la/accurate.h"
#include "la/dense/kernel.h"
#include "la/scalar.h"

enum {
    STRIP = 256,             // rows that are evaluated together
    MAX_PART_ROWS = 1 << 16, // a problem with more rows counts as one part
};

void ut_lcp_slack(const utLcp* lcp, const double* z, double* w)
{
    ut_rows_accurate(lcp->n, lcp->n, lcp->M, lcp->n, z, lcp->q, w);
}

static double above_zero(double x)
{
    return x > 0.0 ? x : 0.0;
}

static double ratio(double a, double b)
{
    return a == 0.0 ? 0.0 : a / b;
}

// ---- parts --------------------------------------------------------------------------------------

typedef struct Set {
    uint64_t bits[MAX_PART_ROWS / 64];
} Set;

static void clear(Set* set, int n)
{
    memset(set->bits, 0,
           ((size_t)(n < MAX_PART_ROWS ? n : MAX_PART_ROWS) + 63) / 64 * sizeof *set->bits);
}

static bool has(const Set* set, int i)
{
    return (set->bits[i / 64] >> (i % 64) & 1) != 0;
}

static void add(Set* set, int i)
{
    set->bits[i / 64] |= (uint64_t)1 << (i % 64);
}

// Rows that are connected by entries of M, and the largest |q| among them.
typedef struct Part {
    int first; // its first row
    int count;
    double P;
    Set rows;
} Part;

static bool is_in(const Part* part, int n, int i)
{
    return part->count == n || has(&part->rows, i);
}

static void join(const utLcp* lcp, Part* part, Set* todo, int i)
{
    add(&part->rows, i);
    add(todo, i);
    part->count++;
    part->P = ut_larger(part->P, fabs(lcp->q[i]));
}

// Add the neighbours of row k.
static void join_neighbours(const utLcp* lcp, Part* part, Set* todo, int k)
{
    const double* row = ut_lcp_row(lcp, k);
    const double* column = lcp->M + k;
    for (int j = 0; j < lcp->n; j++) {
        if ((row[j] != 0.0 || column[(size_t)j * (size_t)lcp->n] != 0.0) && !has(&part->rows, j)) {
            join(lcp, part, todo, j);
        }
    }
}

// The part that row `first` belongs to.
static void find_part(const utLcp* lcp, int first, Part* part)
{
    const int n = lcp->n;
    const int words = (n + 63) / 64;
    part->first = first;
    if (n > MAX_PART_ROWS) {
        part->count = n;
        part->P = ut_max_abs(n, lcp->q);
        return;
    }
    Set todo;
    part->count = 0;
    part->P = 0.0;
    clear(&todo, n);
    clear(&part->rows, n);
    join(lcp, part, &todo, first);
    for (int word = first / 64; word < words && part->count < n;) {
        // a neighbour may be in an earlier word: start again after every row
        if (todo.bits[word] == 0) {
            word++;
            continue;
        }
        int bit = 0;
        while ((todo.bits[word] >> bit & 1) == 0) {
            bit++;
        }
        todo.bits[word] &= ~((uint64_t)1 << bit);
        join_neighbours(lcp, part, &todo, 64 * word + bit);
        word = first / 64;
    }
}

// ---- scales -------------------------------------------------------------------------------------

// T_i
static double row_terms(int n, const double* row, const double* z)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int j = 0;
    for (; j + 4 <= n; j += 4) {
        for (int lane = 0; lane < 4; lane++) {
            sum[lane] += fabs(row[j + lane] * z[j + lane]);
        }
    }
    for (; j < n; j++) {
        sum[0] += fabs(row[j] * z[j]);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// ---- rows ---------------------------------------------------------------------------------------

// Scaled distance of z from a bound. C is not used when z is at the bound. If no row contains the
// unknown, C = 0 and the distance is relative.
static double gap(double z, double bound, double C)
{
    const double distance = fabs(z - bound);
    if (distance == 0.0) {
        return 0.0;
    }
    return C > 0.0 ? distance * C : distance / ut_larger(fabs(z), fabs(bound));
}

// Distance to the nearest admissible case: between the bounds with w = 0, at lo with w >= 0, at hi
// with w <= 0. For z >= 0 it is |min(C z, w)|. @param w slack divided by its scale
static double row_distance(double z, double w, double lo, double hi, double C)
{
    const double outside = ut_larger(z < lo ? gap(z, lo, C) : 0.0, z > hi ? gap(z, hi, C) : 0.0);
    const double inside = ut_larger(fabs(w), outside);
    const double at_lo = isfinite(lo) ? ut_larger(gap(z, lo, C), above_zero(-w)) : HUGE_VAL;
    const double at_hi = isfinite(hi) ? ut_larger(gap(z, hi, C), above_zero(w)) : HUGE_VAL;
    double nearest = inside;
    nearest = at_lo < nearest ? at_lo : nearest;
    nearest = at_hi < nearest ? at_hi : nearest;
    return isfinite(nearest) ? nearest : HUGE_VAL;
}

// Error of row i. @param w its slack divided by its scale
static double row_error(const utLcp* lcp, const double* z, int i, double w, double C)
{
    if (!isfinite(w) || !isfinite(z[i])) {
        return HUGE_VAL;
    }
    double lo, hi;
    ut_lcp_bounds(lcp, i, z, &lo, &hi);
    return row_distance(z[i], w, lo, hi, C);
}

// C of the columns i0 .. i0 + count - 1.
static void find_columns(const utLcp* lcp, const double* z, const Part* part, int i0, int count,
                         double* C)
{
    for (int a = 0; a < count; a++) {
        C[a] = 0.0;
    }
    for (int k = part->first; k < lcp->n; k++) {
        if (is_in(part, lcp->n, k)) {
            const double* row = ut_lcp_row(lcp, k);
            const double scale = ut_lcp_scale(lcp->q[k], row_terms(lcp->n, row, z), part->P);
            for (int a = 0; a < count; a++) {
                C[a] = ut_larger(C[a], ratio(fabs(row[i0 + a]), scale));
            }
        }
    }
}

// The worst of the rows i0 .. i0 + count - 1 of the part, at least `worst`.
static double strip_error(const utLcp* lcp, const double* z, const Part* part, int i0, int count,
                          double worst)
{
    double w[STRIP], C[STRIP];
    bool below_worst = true;
    ut_rows_accurate(count, lcp->n, ut_lcp_row(lcp, i0), lcp->n, z, lcp->q + i0, w);
    for (int a = 0; a < count; a++) {
        const double terms = row_terms(lcp->n, ut_lcp_row(lcp, i0 + a), z);
        if (!isfinite(terms)) {
            return HUGE_VAL;
        }
        // most z are exactly at a bound or between the bounds: then C is not needed
        w[a] = ratio(w[a], ut_lcp_scale(lcp->q[i0 + a], terms, part->P));
        below_worst = below_worst && row_error(lcp, z, i0 + a, w[a], HUGE_VAL) <= worst;
    }
    if (below_worst) {
        return worst;
    }
    find_columns(lcp, z, part, i0, count, C);
    for (int a = 0; a < count; a++) {
        const double e = row_error(lcp, z, i0 + a, w[a], C[a]);
        worst = e <= worst ? worst : e;
    }
    return worst;
}

// The worst row of a part.
static double part_error(const utLcp* lcp, const double* z, const Part* part, double worst)
{
    for (int i = part->first; i < lcp->n;) {
        int end = i;
        while (end < lcp->n && end - i < STRIP && is_in(part, lcp->n, end)) {
            end++;
        }
        if (end > i) {
            worst = strip_error(lcp, z, part, i, end - i, worst);
        }
        i = end > i ? end : i + 1;
    }
    return worst;
}

// The residual of any problem.
static double general_residual(const utLcp* lcp, const double* z)
{
    Set seen;
    Part part; // without an initializer, because that would clear a set of all sizes
    double worst = 0.0;
    part.count = 0;
    clear(&seen, lcp->n);
    for (int i = 0; i < lcp->n && part.count < lcp->n; i++) {
        if (!has(&seen, i)) {
            find_part(lcp, i, &part);
            worst = part_error(lcp, z, &part, worst);
            for (int k = i; k < lcp->n && part.count < lcp->n; k++) {
                if (has(&part.rows, k)) {
                    add(&seen, k);
                }
            }
        }
    }
    return worst;
}

double ut_lcp_residual(const utLcp* lcp, const double* z)
{
    double residual;
    if (ut_lcp_is_small(lcp) && ut_lcp_is_finite(lcp) && ut_lcp_small_residual(lcp, z, &residual)) {
        return residual;
    }
    return general_residual(lcp, z);
}

bool ut_lcp_surely_solved(const utLcp* lcp, const double* z, double tolerance)
{
    const int n = lcp->n;
    for (int i = 0; i < n; i++) {
        // a sum of n + 1 terms has an error of at most (n + 2) eps times the sum of their sizes; S_i
        // is at least |q_i|
        const double* row = ut_lcp_row(lcp, i);
        const double terms = row_terms(n, row, z);
        const double rounding = (n + 2.0) * 0x1p-52 * (fabs(lcp->q[i]) + terms);
        const double scale = fabs(lcp->q[i]);
        const double w = lcp->q[i] + ut_dot(n, row, z);
        const double e = row_error(lcp, z, i, ratio(w, scale), HUGE_VAL);
        if (!(e + ratio(rounding, scale) <= tolerance)) {
            return false;
        }
    }
    return true;
}
