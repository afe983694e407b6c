// SPDX-License-Identifier: Apache-2.0
// The residual of a small plain problem (letters and scales as in residual.c).
//
// Four rows go side by side through the columns with z != 0, and the parts of the problem are found with
// sets of one word. Rows at z = 0 with w >= 0 have no error and need no scale. The general code has to
// answer where an unknown is negative or so small that its distance from the bound might be the error, and
// where the terms of a row are so much larger than q that they give it its scale.
#include "internal.h"

#include "la/scalar.h"

enum { ROWS = 4 }; // rows side by side

// Four doubles at any address of a double, and their bits.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t FourBits __attribute__((vector_size(32), aligned(8), may_alias));

static const double SPLITTER = 134217729.0; // 2^27 + 1, after Veltkamp and Dekker

// Terms above this many times the largest q: an answer along a direction in which M vanishes.
static const double LARGE_TERMS = 1e4;

// The nonzero entries of z, and the halves of each, whose products with halves are exact.
typedef struct Terms {
    int count;
    int column[UT_LCP_SMALL_MAX];
    double z[UT_LCP_SMALL_MAX];
    double high[UT_LCP_SMALL_MAX];
    double low[UT_LCP_SMALL_MAX];
} Terms;

static void find_terms(int n, const double* z, Terms* terms)
{
    int count = 0;
    for (int j = 0; j < n; j++) {
        const double t = SPLITTER * z[j];
        terms->column[count] = j;
        terms->z[count] = z[j];
        terms->high[count] = t - (t - z[j]);
        terms->low[count] = z[j] - terms->high[count];
        count += z[j] != 0.0;
    }
    terms->count = count;
}

// w and T of four rows: w = q + the sum of the terms in double-double, lane by lane as in la/accurate.c,
// and rounded once.
static void sum_rows(const double* const row[ROWS], const Terms* terms, const Four* q, Four* w,
                     Four* T)
{
    Four high = *q;
    Four low = {0.0};
    Four size = {0.0};
    for (int lane = 0; lane < 4 && lane < terms->count; lane++) {
        Four sum = {0.0};
        Four rest = {0.0};
        for (int k = lane; k < terms->count; k += 4) {
            const int j = terms->column[k];
            const Four a = {row[0][j], row[1][j], row[2][j], row[3][j]};
            // a z = product + error
            const Four product = a * terms->z[k];
            const Four t = SPLITTER * a;
            const Four a_high = t - (t - a);
            const Four a_low = a - a_high;
            const Four error = ((a_high * terms->high[k] - product) + a_high * terms->low[k] +
                                a_low * terms->high[k]) +
                               a_low * terms->low[k];
            // sum + product = next + lost
            const Four next = sum + product;
            const Four part = next - sum;
            const Four lost = (sum - (next - part)) + (product - part);
            sum = next;
            rest += lost + error;
            size += (Four)((FourBits)product & INT64_MAX); // the absolute value
        }
        const Four next = high + sum;
        const Four part = next - high;
        low += (high - (next - part)) + (sum - part) + rest;
        high = next;
    }
    *w = high + low;
    *T = size;
}

// w and T of all rows. The arrays have room for a multiple of four rows.
static void find_rows(const utLcp* lcp, const double* z, double* w, double* T)
{
    const int n = lcp->n;
    Terms terms;
    find_terms(n, z, &terms);
    for (int i = 0; i < n; i += ROWS) {
        const double* row[ROWS];
        Four q;
        for (int a = 0; a < ROWS; a++) {
            const int k = i + a < n ? i + a : n - 1; // the last row again where there are no more
            row[a] = ut_lcp_row(lcp, k);
            q[a] = lcp->q[k];
        }
        sum_rows(row, &terms, &q, (Four*)(w + i), (Four*)(T + i));
    }
}

// The columns in which row i of M has an entry, and i.
static uint64_t neighbours(const utLcp* lcp, int i)
{
    const double* row = ut_lcp_row(lcp, i);
    uint64_t set = (uint64_t)1 << i;
    for (int j = 0; j < lcp->n; j++) {
        set |= (uint64_t)(row[j] != 0.0) << j;
    }
    return set;
}

// P of every row: the largest |q| in its part.
static void find_P(const utLcp* lcp, double* P)
{
    const int n = lcp->n;
    const uint64_t all = ~(uint64_t)0 >> (64 - n);
    uint64_t parts[UT_LCP_SMALL_MAX]; // disjoint sets of rows
    int count = 0;
    for (int i = 0; i < n && !(count == 1 && parts[0] == all); i++) {
        // join all parts that row i touches
        uint64_t joined = neighbours(lcp, i);
        int kept = 0;
        for (int p = 0; p < count; p++) {
            if ((parts[p] & joined) != 0) {
                joined |= parts[p];
            } else {
                parts[kept++] = parts[p];
            }
        }
        parts[kept] = joined;
        count = kept + 1;
    }
    for (int p = 0; p < count; p++) {
        double largest = 0.0;
        for (int i = 0; i < n; i++) {
            const double size = (parts[p] >> i & 1) != 0 ? fabs(lcp->q[i]) : 0.0;
            largest = size > largest ? size : largest;
        }
        for (int i = 0; i < n; i++) {
            P[i] = (parts[p] >> i & 1) != 0 ? largest : P[i];
        }
    }
}

bool ut_lcp_small_residual(const utLcp* lcp, const double* z, double* residual)
{
    const int n = lcp->n;
    double w[UT_LCP_SMALL_MAX], T[UT_LCP_SMALL_MAX], P[UT_LCP_SMALL_MAX];
    double worst = 0.0;
    bool found_P = false;
    find_rows(lcp, z, w, T);
    for (int i = 0; i < n; i++) {
        if (!(fabs(w[i]) + T[i] + fabs(z[i]) < HUGE_VAL) || z[i] < 0.0) {
            return false;
        }
        if (w[i] == 0.0 || (z[i] == 0.0 && w[i] > 0.0)) {
            continue;
        }
        // |w_i| / S_i is the error if it is below C_i z_i, and C_i is at least |M_ii| / S_i
        if (z[i] > 0.0 && !(2.0 * fabs(w[i]) <= z[i] * fabs(ut_lcp_row(lcp, i)[i]))) {
            return false;
        }
        if (!found_P) {
            find_P(lcp, P);
            found_P = true;
        }
        if (!(T[i] <= LARGE_TERMS * P[i])) {
            return false;
        }
        const double e = fabs(w[i]) / ut_lcp_scale(lcp->q[i], T[i], P[i]);
        worst = e <= worst ? worst : e;
    }
    *residual = worst;
    return worst < HUGE_VAL;
}
