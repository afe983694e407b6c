// SPDX-License-Identifier: Apache-2.0
// A = L D L^T in the lower triangle, and updates for an added or deleted row. Columns are split into
// halves as in lu.c. The result has the bits of the textbook algorithm.
#include "dense.h"
#include "la/internal.h"
#include "kernel.h"

#include <math.h>
#include <string.h>

enum {
    PANEL = 48, // columns factored before the rest of the matrix is updated
    NARROW = 4, // columns factored one by one
    STRIP = 8,  // columns that a rank-one change processes together
};

// Factor columns begin ... end-1 one after the other, at most NARROW of them.
static int factor_narrow(int n, double* A, int ld, double* d, double tiny, int begin, int end)
{
    for (int j = begin; j < end; j++) {
        const double pivot = A[entry(ld, j, j)];
        if (!(fabs(pivot) > tiny)) {
            return j;
        }
        d[j] = pivot;
        double column[NARROW]; // of L D
        for (int i = j + 1; i < n; i++) {
            double* row = A + entry(ld, i, 0);
            const double l = row[j] / pivot;
            row[j] = l;
            if (i < end) {
                column[i - begin] = l * pivot;
            }
            for (int c = j + 1; c < end && c <= i; c++) {
                row[c] -= l * column[c - begin];
            }
        }
    }
    return end;
}

static int factor_panel(int n, double* A, int ld, double* d, double tiny, int begin, int end)
{
    const int width = end - begin;
    if (width <= NARROW) {
        return factor_narrow(n, A, ld, d, tiny, begin, end);
    }
    const int middle = begin + (width / 2 + NARROW - 1) / NARROW * NARROW;
    const int reached = factor_panel(n, A, ld, d, tiny, begin, middle);
    if (reached < middle) {
        return reached;
    }
    ut_syrk_sub(n - middle, end - middle, middle - begin, A + entry(ld, middle, begin), ld,
                d + begin, A + entry(ld, middle, middle), ld);
    return factor_panel(n, A, ld, d, tiny, middle, end);
}

int ut_ldl_factor(int n, double* A, int ld, double* d, double tiny)
{
    for (int begin = 0; begin < n; begin += PANEL) {
        const int end = least(begin + PANEL, n);
        const int reached = factor_panel(n, A, ld, d, tiny, begin, end);
        if (reached < end) {
            return reached;
        }
        ut_syrk_sub(n - end, n - end, end - begin, A + entry(ld, end, begin), ld, d + begin,
                    A + entry(ld, end, end), ld);
    }
    return n;
}

void ut_ldl_solve(int n, const double* L, int ld, const double* d, double* x)
{
    ut_lower_solve(n, L, ld, true, x);
    for (int i = 0; i < n; i++) {
        x[i] /= d[i];
    }
    ut_lower_solve_transposed(n, L, ld, true, x);
}

// Apply the change of a strip of columns to one row of L below them. @param x the row's entry of x
// @return its new value, for the next columns
static double update_row(int count, const double* pivot_x, const double* beta, double* l, double x)
{
    for (int c = 0; c < count; c++) {
        x -= pivot_x[c] * l[c];
        l[c] += beta[c] * x;
    }
    return x;
}

// At a pivot d with column l of L,
//   d' = d + alpha x0^2,  beta = alpha x0 / d',  x' = x - x0 l,  l' = l + beta x',
//   alpha' = alpha d / d'
// and the trailing factor remains with the change alpha' x' x'^T. alpha' is a quotient and never a
// difference, so rounding cannot change its sign (method C1 of Gill, Golub, Murray and Saunders, Math.
// Comp. 28, 1974).
bool ut_ldl_update(int n, double* L, int ld, double* d, double alpha, double* x, double tiny)
{
    for (int begin = 0; begin < n; begin += STRIP) {
        const int end = least(begin + STRIP, n);
        double beta[STRIP];
        for (int k = begin; k < end; k++) {
            x[k] = update_row(k - begin, x + begin, beta, L + entry(ld, k, begin), x[k]);
            const double step = alpha * x[k];
            const double next = d[k] + step * x[k];
            if (!(fabs(next) > tiny)) {
                return false;
            }
            beta[k - begin] = step / next;
            alpha *= d[k] / next;
            d[k] = next;
        }
        for (int i = end; i < n; i++) {
            x[i] = update_row(end - begin, x + begin, beta, L + entry(ld, i, begin), x[i]);
        }
    }
    return true;
}

bool ut_ldl_append(int n, double* L, int ld, double* d, const double* row, double diagonal,
                   double tiny)
{
    // the new row y of L D solves L y = row; the new pivot is diagonal - y D^-1 y
    double* l = L + entry(ld, n, 0);
    for (int j = 0; j < n; j++) {
        l[j] = row[j];
    }
    ut_lower_solve(n, L, ld, true, l);
    for (int j = 0; j < n; j++) {
        const double y = l[j];
        l[j] = y / d[j];
        diagonal -= l[j] * y;
    }
    if (!(fabs(diagonal) > tiny)) {
        return false;
    }
    d[n] = diagonal;
    return true;
}

bool ut_ldl_remove(int n, int k, double* L, int ld, double* d, double* work, double tiny)
{
    // rows below k move up and lose entry k; the terms of column k are added to the trailing block
    // as a rank-one change
    const double alpha = d[k];
    const int rest = n - 1 - k;
    for (int i = k + 1; i < n; i++) {
        const double* from = L + entry(ld, i, 0);
        double* to = L + entry(ld, i - 1, 0);
        work[i - 1 - k] = from[k];
        memcpy(to, from, (size_t)k * sizeof *to);
        memcpy(to + k, from + k + 1, (size_t)(i - 1 - k) * sizeof *to);
        d[i - 1] = d[i];
    }
    return ut_ldl_update(rest, L + entry(ld, k, k), ld, d + k, alpha, work, tiny);
}
