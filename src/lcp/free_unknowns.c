// SPDX-License-Identifier: Apache-2.0
// Free unknowns: eliminated by a Schur complement, or split into two nonnegative parts.
#include "plain_form.h"

#include "internal.h"
#include "la/dense/dense.h"

#include <string.h>

// relative to the largest entry of the free block: a smaller pivot is rounding
static const double SINGULAR = 1e-14;

// of a matrix with entries of order one: a pivot, or the determinant of a pair, must be larger
static const double MIN_PIVOT = 1e-9;

// a pair is chosen when the square of the single pivot is below this share of its determinant,
// because a pair may bring in an unknown that is not free
static const double PAIR_IS_BETTER = 0.01;

// Factor the leading block, that of the free unknowns. @return false when it is singular
static bool factor_free(const utLcp* lcp, double* LU, int* perm)
{
    const int f = lcp->free_count;
    double largest = 0.0;
    for (int i = 0; i < f; i++) {
        memcpy(LU + (size_t)i * (size_t)f, ut_lcp_row(lcp, i), (size_t)f * sizeof *LU);
        for (int j = 0; j < f; j++) {
            double size = fabs(ut_lcp_row(lcp, i)[j]);
            largest = size > largest ? size : largest;
        }
    }
    return ut_lu_factor(f, LU, f, perm, SINGULAR * largest) == f;
}

utStatus ut_eliminate_free(const utLcp* lcp, utArena* arena, Eliminated* out, bool* singular)
{
    const int f = lcp->free_count;
    const int c = lcp->n - f;
    double* LU = ut_matrix_push(arena, f, f);
    int* perm = UT_PUSH(arena, int, f);
    double* right = UT_PUSH(arena, double, f);
    double* solved = UT_PUSH(arena, double, f);
    double* x = UT_PUSH(arena, double, f);
    double* X = ut_matrix_push(arena, f, c);
    double* M = ut_matrix_push(arena, c, c);
    double* q = UT_PUSH(arena, double, c);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    *singular = !factor_free(lcp, LU, perm);
    if (*singular) {
        return UT_OK;
    }

    // X = M_ff^-1 M_fc, x = M_ff^-1 q_f
    for (int j = 0; j < c; j++) {
        for (int i = 0; i < f; i++) {
            right[i] = ut_lcp_row(lcp, i)[f + j];
        }
        ut_lu_solve(f, LU, f, perm, right, solved);
        for (int i = 0; i < f; i++) {
            X[(size_t)i * (size_t)c + (size_t)j] = solved[i];
        }
    }
    ut_lu_solve(f, LU, f, perm, lcp->q, x);

    // M_cc - M_cf X and q_c - M_cf x
    for (int i = 0; i < c; i++) {
        const double* from = ut_lcp_row(lcp, f + i);
        double* to = M + (size_t)i * (size_t)c;
        memcpy(to, from + f, (size_t)c * sizeof *to);
        q[i] = lcp->q[f + i];
        for (int k = 0; k < f; k++) {
            for (int j = 0; j < c; j++) {
                to[j] -= from[k] * X[(size_t)k * (size_t)c + (size_t)j];
            }
            q[i] -= from[k] * x[k];
        }
    }
    *out = (Eliminated){.lcp = {.n = c, .M = M, .q = q}, .free_count = f, .X = X, .x = x};
    return UT_OK;
}

void ut_eliminated_back(const Eliminated* from, const double* z_c, bool homogeneous, double* z)
{
    const int f = from->free_count;
    const int c = from->lcp.n;
    for (int i = 0; i < f; i++) {
        double sum = homogeneous ? 0.0 : from->x[i];
        for (int j = 0; j < c; j++) {
            sum += from->X[(size_t)i * (size_t)c + (size_t)j] * z_c[j];
        }
        z[i] = -sum;
    }
    memcpy(z + f, z_c, (size_t)c * sizeof *z);
}

// ---- partners -----------------------------------------------------------------------------------

// Eliminate index p: S -= S_:p S_pp^-1 S_p: in the rows that are not taken.
static void eliminate_one(int n, double* S, const unsigned char* taken, int p)
{
    const double* pivot_row = S + (size_t)p * (size_t)n;
    for (int i = 0; i < n; i++) {
        double* row = S + (size_t)i * (size_t)n;
        double factor = row[p] / pivot_row[p];
        for (int j = 0; !taken[i] && factor != 0.0 && i != p && j < n; j++) {
            row[j] -= factor * pivot_row[j];
        }
    }
}

// Eliminate two indices at once; their 2 x 2 block may have zeros on its diagonal.
static void eliminate_two(int n, double* S, const unsigned char* taken, int p, int r)
{
    const double* row_p = S + (size_t)p * (size_t)n;
    const double* row_r = S + (size_t)r * (size_t)n;
    const double det = row_p[p] * row_r[r] - row_p[r] * row_r[p];
    for (int i = 0; i < n; i++) {
        if (taken[i] || i == p || i == r) {
            continue;
        }
        double* row = S + (size_t)i * (size_t)n;
        double fp = (row[p] * row_r[r] - row[r] * row_r[p]) / det;
        double fr = (row[r] * row_p[p] - row[p] * row_p[r]) / det;
        for (int j = 0; j < n; j++) {
            row[j] -= fp * row_p[j] + fr * row_r[j];
        }
    }
}

bool ut_free_partners(int n, int free_count, double* S, unsigned char* active)
{
    memset(active, 0, (size_t)n);
    for (int left = free_count; left > 0;) {
        // the largest diagonal entry among the free unknowns, and the largest 2 x 2 determinant
        double best_one = MIN_PIVOT;
        double best_two = MIN_PIVOT;
        int one = -1;
        int two = -1;
        int partner = -1;
        for (int f = 0; f < free_count; f++) {
            const double* row = S + (size_t)f * (size_t)n;
            for (int g = 0; !active[f] && g < n; g++) {
                const double* other = S + (size_t)g * (size_t)n;
                double size = fabs(row[f] * other[g] - row[g] * other[f]);
                if (!active[g] && g != f && size > best_two) {
                    best_two = size;
                    two = f;
                    partner = g;
                }
            }
            if (!active[f] && fabs(row[f]) > best_one) {
                best_one = fabs(row[f]);
                one = f;
            }
        }
        if (one < 0 && two < 0) {
            return false;
        }

        if (one >= 0 && (two < 0 || best_one * best_one >= PAIR_IS_BETTER * best_two)) {
            eliminate_one(n, S, active, one);
            active[one] = 1;
            left--;
        } else {
            eliminate_two(n, S, active, two, partner);
            active[two] = 1;
            active[partner] = 1;
            left -= partner < free_count ? 2 : 1;
        }
    }
    return true;
}

// ---- splitting ----------------------------------------------------------------------------------

utStatus ut_split_free(const utLcp* lcp, utArena* arena, utLcp* out)
{
    const int f = lcp->free_count;
    const int N = lcp->n + f;
    double* M = ut_matrix_push(arena, N, N);
    double* q = UT_PUSH(arena, double, N);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int r = 0; r < N; r++) {
        // rows 0..f-1 and f..2f-1 are the two signs of a free row
        int i = r < f ? r : r - f;
        double row_sign = r >= f && r < 2 * f ? -1.0 : 1.0;
        double* row = M + (size_t)r * (size_t)N;
        for (int j = 0; j < lcp->n; j++) {
            double m = row_sign * ut_lcp_row(lcp, i)[j];
            if (j < f) {
                row[j] = m;
                row[f + j] = -m;
            } else {
                row[f + j] = m;
            }
        }
        q[r] = row_sign * lcp->q[i];
    }
    *out = (utLcp){.n = N, .M = M, .q = q};
    return UT_OK;
}

void ut_split_back(const utLcp* lcp, const double* x, double* z)
{
    const int f = lcp->free_count;
    for (int i = 0; i < lcp->n; i++) {
        z[i] = i < f ? x[i] - x[f + i] : x[f + i];
    }
}
