// SPDX-License-Identifier: Apache-2.0
// The residual of a small plain problem (letters and scales as in residual.c).
//
// Two rows go side by side through the columns with z != 0, and the parts of the problem are found with
// sets of one word. Rows at z = 0 with w >= 0 have no error and need no scale. The general code has to
// answer where an unknown is negative, and where the terms of a row are much larger than q.
#include <string.h>
#include "internal.h"

enum { ROWS = 2 }; // rows side by side

// Two doubles at any address of a double, and their bits.
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t TwoBits __attribute__((vector_size(16), aligned(8), may_alias));

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

UT_LCP_INLINE void find_terms(int n, const double* z, Terms* terms)
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

// w and T of two rows: w = q + the sum of the terms in double-double, lane by lane as in la/accurate.c,
// and rounded once.
UT_LCP_INLINE void sum_rows(const double* const row[ROWS], const Terms* terms, Two q, Two* w,
                            Two* T)
{
    Two high = q;
    Two low = {0.0};
    Two size = {0.0};
    for (int lane = 0; lane < 4 && lane < terms->count; lane++) {
        Two sum = {0.0};
        Two rest = {0.0};
        for (int k = lane; k < terms->count; k += 4) {
            const int j = terms->column[k];
            const Two a = {row[0][j], row[1][j]};
            // a z = product + error
            const Two product = a * terms->z[k];
            const Two t = SPLITTER * a;
            const Two a_high = t - (t - a);
            const Two a_low = a - a_high;
            const Two error = ((a_high * terms->high[k] - product) + a_high * terms->low[k] +
                               a_low * terms->high[k]) +
                              a_low * terms->low[k];
            // sum + product = next + lost
            const Two next = sum + product;
            const Two part = next - sum;
            const Two lost = (sum - (next - part)) + (product - part);
            sum = next;
            rest += lost + error;
            size += (Two)((TwoBits)product & INT64_MAX); // the absolute value
        }
        const Two next = high + sum;
        const Two part = next - high;
        low += (high - (next - part)) + (sum - part) + rest;
        high = next;
    }
    *w = high + low;
    *T = size;
}

// w and T of all rows. The arrays have room for an even number of rows.
UT_LCP_INLINE void find_rows(const utLcp* lcp, int n, const double* z, double* w, double* T)
{
    Terms terms; // without an initializer, because that would clear entries that are not used
#ifdef __clang_analyzer__
    memset(&terms, 0,
           sizeof terms); // the analyser does not see that the first `count` entries are set
#endif
    find_terms(n, z, &terms);
    for (int i = 0; i < n; i += ROWS) {
        const int next = i + 1 < n ? i + 1 : i; // the last row again where there are no more
        const double* const row[ROWS] = {lcp->M + i * n, lcp->M + next * n};
        const Two q = {lcp->q[i], lcp->q[next]};
        sum_rows(row, &terms, q, (Two*)(w + i), (Two*)(T + i));
    }
}

// The columns in which row i of M has an entry, and i.
UT_LCP_INLINE uint64_t neighbours(const utLcp* lcp, int n, int i)
{
    const double* row = lcp->M + i * n;
    uint64_t set = (uint64_t)1 << i;
    for (int j = 0; j < n; j++) {
        set |= (uint64_t)(row[j] != 0.0) << j;
    }
    return set;
}

// P of every row: the largest |q| in its part.
UT_LCP_INLINE void find_P(const utLcp* lcp, int n, double* P)
{
    const uint64_t all = ~(uint64_t)0 >> (64 - n);
    uint64_t parts[UT_LCP_SMALL_MAX]; // disjoint sets of rows
    int count = 0;
    for (int i = 0; i < n && !(count == 1 && parts[0] == all); i++) {
        // join all parts that row i touches
        uint64_t joined = neighbours(lcp, n, i);
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
            const double earlier = p > 0 ? P[i] : 0.0;
            P[i] = (parts[p] >> i & 1) != 0 ? largest : earlier;
        }
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// S of a row, as ut_lcp_scale has it for finite numbers.
static double scale(double q, double T, double P)
{
    const double limited = P > 0.0 && P < T ? P : T;
    return larger(larger(q, limited), larger(1e-5 * T, 1e-6 * P));
}

// The scales S of all rows. @return false where the terms are so large that they give a row its scale
UT_LCP_INLINE bool find_scales(const utLcp* lcp, int n, const double* T, double* S)
{
    double P[UT_LCP_SMALL_MAX];
    bool moderate = true;
    find_P(lcp, n, P);
    for (int i = 0; i < n; i++) {
        S[i] = scale(fabs(lcp->q[i]), T[i], P[i]);
        moderate = moderate && T[i] <= LARGE_TERMS * P[i];
    }
    return moderate;
}

// The error of row i with z >= 0: |w| / S where w < 0, else the smaller of w / S and C z.
static double row_error(const utLcp* lcp, int i, double z, double w, const double* S)
{
    // C_i is at least |M_ii| / S_i
    const double slack = fabs(w) / S[i];
    if (w < 0.0 || 2.0 * w <= z * fabs(ut_lcp_row(lcp, i)[i])) {
        return slack;
    }
    double C = 0.0;
    for (int k = 0; k < lcp->n; k++) {
        const double entry = fabs(ut_lcp_row(lcp, k)[i]);
        const double effect = entry == 0.0 ? 0.0 : entry / S[k];
        C = effect > C ? effect : C;
    }
    // if no row contains the unknown, its distance from the bound is relative
    const double distance = C > 0.0 ? C * z : 1.0;
    return distance < slack ? distance : slack;
}

// ut_lcp_small_residual of n unknowns. Inlined, because a constant n makes its loops short.
UT_LCP_INLINE bool find_residual(const utLcp* lcp, int n, const double* z, double* residual)
{
    double w[UT_LCP_SMALL_MAX], T[UT_LCP_SMALL_MAX], S[UT_LCP_SMALL_MAX];
    double worst = 0.0;
    bool found_scales = false;
    find_rows(lcp, n, z, w, T);
    for (int i = 0; i < n; i++) {
        if (!(fabs(w[i]) + T[i] + fabs(z[i]) < HUGE_VAL) || z[i] < 0.0) {
            return false;
        }
        if (w[i] == 0.0 || (z[i] == 0.0 && w[i] > 0.0)) {
            continue;
        }
        if (!found_scales && !find_scales(lcp, n, T, S)) {
            return false;
        }
        found_scales = true;
        const double e = row_error(lcp, i, z[i], w[i], S);
        worst = e <= worst ? worst : e;
    }
    *residual = worst;
    return worst < HUGE_VAL;
}

bool ut_lcp_small_residual(const utLcp* lcp, const double* z, double* residual)
{
    return lcp->n == 4 ? find_residual(lcp, 4, z, residual)
                       : find_residual(lcp, lcp->n, z, residual);
}
