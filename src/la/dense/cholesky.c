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
    STRIP = 8,  // columns that a rank-one change processes together
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

int ut_chol_factor(int n, double* A, int ld, double tiny)
{
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
    ut_lower_solve(n, L, ld, false, x);
    ut_lower_solve_transposed(n, L, ld, false, x);
}

// sqrt(a^2 + b^2) for a > 0, without overflow of the squares
static double length(double a, double b)
{
    b = fabs(b);
    const double large = a > b ? a : b;
    const double ratio = a > b ? b / a : a / b;
    return large * sqrt(1.0 + ratio * ratio);
}

// Apply the plane rotations (c, s) of a strip of columns and x to one row of L. @param x the row's
// entry of x @return its new value, for the next columns
static double rotate_row(int count, const double* c, const double* s, double* l, double x)
{
    for (int k = 0; k < count; k++) {
        const double old = l[k];
        l[k] = c[k] * old + s[k] * x;
        x = c[k] * x - s[k] * old;
    }
    return x;
}

void ut_chol_update(int n, double* L, int ld, double* x)
{
    for (int begin = 0; begin < n; begin += STRIP) {
        const int end = least(begin + STRIP, n);
        double c[STRIP];
        double s[STRIP];
        for (int k = begin; k < end; k++) {
            double* row = L + entry(ld, k, 0);
            x[k] = rotate_row(k - begin, c, s, row + begin, x[k]);
            const double root = length(row[k], x[k]);
            c[k - begin] = row[k] / root;
            s[k - begin] = x[k] / root;
            row[k] = root;
        }
        for (int i = end; i < n; i++) {
            x[i] = rotate_row(end - begin, c, s, L + entry(ld, i, begin), x[i]);
        }
    }
}

// Hyperbolic rotations in the mixed form, in which x uses the new entry of L (Bojanczyk,
// Brent, Van Dooren and de Hoog, SIAM J. Sci. Stat. Comput. 8, 1987).
static double unrotate_row(int count, const double* c, const double* s, double* l, double x)
{
    for (int k = 0; k < count; k++) {
        l[k] = (l[k] - s[k] * x) / c[k];
        x = c[k] * x - s[k] * l[k];
    }
    return x;
}

bool ut_chol_downdate(int n, double* L, int ld, double* x)
{
    for (int begin = 0; begin < n; begin += STRIP) {
        const int end = least(begin + STRIP, n);
        double c[STRIP];
        double s[STRIP];
        for (int k = begin; k < end; k++) {
            double* row = L + entry(ld, k, 0);
            x[k] = unrotate_row(k - begin, c, s, row + begin, x[k]);
            s[k - begin] = x[k] / row[k];
            const double square = (1.0 - s[k - begin]) * (1.0 + s[k - begin]);
            if (!(square > 0.0)) {
                return false;
            }
            c[k - begin] = sqrt(square);
            row[k] *= c[k - begin];
        }
        for (int i = end; i < n; i++) {
            x[i] = unrotate_row(end - begin, c, s, L + entry(ld, i, begin), x[i]);
        }
    }
    return true;
}
