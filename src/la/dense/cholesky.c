// SPDX-License-Identifier: Apache-2.0
// A = L L^T in the lower triangle. Columns are split into halves as in lu.c. The result has the bits
// of the textbook algorithm.
#include "dense.h"
#include "la/internal.h"
#include "kernel.h"

#include <math.h>

enum {
    PANEL = 48, // columns factored before the rest of the matrix is updated
    NARROW = 4, // columns factored one by one
    BODY = 6,   // velocities of a free body
};

// Factor columns begin ... end-1 one after the other, at most NARROW of them.
static int factor_narrow(int n, double* A, int ld, double tiny, int begin, int end)
{
    for (int j = begin; j < end; j++) {
        const double pivot = A[entry(ld, j, j)];
        if (!(pivot > tiny)) {
            return j;
        }
        const double root = sqrt(pivot);
        A[entry(ld, j, j)] = root;
        double column[NARROW];
        for (int i = j + 1; i < n; i++) {
            double* row = A + entry(ld, i, 0);
            const double l = row[j] / root;
            row[j] = l;
            if (i < end) {
                column[i - begin] = l;
            }
            for (int c = j + 1; c < end && c <= i; c++) {
                row[c] -= l * column[c - begin];
            }
        }
    }
    return end;
}

static int factor_panel(int n, double* A, int ld, double tiny, int begin, int end)
{
    const int width = end - begin;
    if (width <= NARROW) {
        return factor_narrow(n, A, ld, tiny, begin, end);
    }
    const int middle = begin + (width / 2 + NARROW - 1) / NARROW * NARROW;
    const int reached = factor_panel(n, A, ld, tiny, begin, middle);
    if (reached < middle) {
        return reached;
    }
    ut_syrk_sub(n - middle, end - middle, middle - begin, A + entry(ld, middle, begin), ld, NULL,
                A + entry(ld, middle, middle), ld);
    return factor_panel(n, A, ld, tiny, middle, end);
}

// ---- small matrices -----------------------------------------------------------------------------

// The textbook algorithm, for matrices such as the mass of a body. Inlined with a constant n.
static inline int factor_small(int n, double* A, int ld, double tiny)
{
    for (int i = 0; i < n; i++) {
        double* row = A + entry(ld, i, 0);
        for (int j = 0; j <= i; j++) {
            const double* other = A + entry(ld, j, 0);
            double value = row[j];
            for (int k = 0; k < j; k++) {
                value -= row[k] * other[k];
            }
            if (j < i) {
                row[j] = value / other[j];
            } else if (value > tiny) {
                row[j] = sqrt(value);
            } else {
                return i;
            }
        }
    }
    return n;
}

static inline void solve_small(int n, const double* L, int ld, double* x)
{
    for (int i = 0; i < n; i++) {
        double value = x[i];
        for (int k = 0; k < i; k++) {
            value -= L[entry(ld, i, k)] * x[k];
        }
        x[i] = value / L[entry(ld, i, i)];
    }
    for (int i = n - 1; i >= 0; i--) {
        double value = x[i];
        for (int k = n - 1; k > i; k--) {
            value -= L[entry(ld, k, i)] * x[k];
        }
        x[i] = value / L[entry(ld, i, i)];
    }
}

// ---- any size -----------------------------------------------------------------------------------

int ut_chol_factor(int n, double* A, int ld, double tiny)
{
    if (n == BODY && ld == BODY) {
        return factor_small(BODY, A, BODY, tiny);
    }
    for (int begin = 0; begin < n; begin += PANEL) {
        const int end = least(begin + PANEL, n);
        const int reached = factor_panel(n, A, ld, tiny, begin, end);
        if (reached < end) {
            return reached;
        }
        ut_syrk_sub(n - end, n - end, end - begin, A + entry(ld, end, begin), ld, NULL,
                    A + entry(ld, end, end), ld);
    }
    return n;
}

void ut_chol_solve(int n, const double* L, int ld, double* x)
{
    if (n == BODY && ld == BODY) {
        solve_small(BODY, L, BODY, x);
        return;
    }
    ut_lower_solve(n, L, ld, false, x);
    ut_lower_solve_transposed(n, L, ld, false, x);
}

void ut_chol_half_solve(int n, const double* L, int ld, double* x)
{
    ut_lower_solve(n, L, ld, false, x);
}
