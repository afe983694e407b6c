// SPDX-License-Identifier: Apache-2.0
// P A = L U with row pivoting, and solves.
//
// Columns are split into halves recursively: factor the left half, solve for the rows of U in the right
// half, subtract the product from the block below (which takes nearly all the time) and factor that
// block. Products are subtracted from every entry in the order of the textbook algorithm, so the result
// has the same bits.
#include "dense.h"
#include "la/internal.h"
#include "kernel.h"

#include <math.h>

enum {
    PANEL = 48, // columns factored before the rest of the matrix is updated
    NARROW = 4, // columns factored one by one
};

// The row of the largest entry of column j on or below the diagonal; -1 when an entry is NaN or no
// entry is larger than tiny.
static int find_pivot(int n, const double* A, int ld, int j, double tiny)
{
    double largest = tiny;
    int pivot = -1;
    for (int i = j; i < n; i++) {
        double size = fabs(A[entry(ld, i, j)]);
        if (!(size <= largest)) {
            if (isnan(size)) {
                return -1;
            }
            largest = size;
            pivot = i;
        }
    }
    return pivot;
}

static void swap_rows(int n, double* A, int ld, int* perm, int i, int j)
{
    double* restrict x = A + entry(ld, i, 0);
    double* restrict y = A + entry(ld, j, 0);
    for (int c = 0; c < n; c++) {
        double keep = x[c];
        x[c] = y[c];
        y[c] = keep;
    }
    int row = perm[i];
    perm[i] = perm[j];
    perm[j] = row;
}

// Factor columns begin ... end-1 one after the other.
static int factor_narrow(int n, double* A, int ld, int* perm, double tiny, int begin, int end)
{
    for (int j = begin; j < end; j++) {
        const int pivot = find_pivot(n, A, ld, j, tiny);
        if (pivot < 0) {
            return j;
        }
        if (pivot != j) {
            swap_rows(n, A, ld, perm, pivot, j);
        }
        const double* u = A + entry(ld, j, 0);
        for (int i = j + 1; i < n; i++) {
            double* row = A + entry(ld, i, 0);
            double l = row[j] / u[j];
            row[j] = l;
            for (int c = j + 1; c < end; c++) {
                row[c] -= l * u[c];
            }
        }
    }
    return end;
}

// B = L^-1 B for the unit lower triangle L of size m and B m x n
static void solve_unit_lower(int m, int n, const double* L, int ldl, double* B, int ldb)
{
    if (m <= NARROW) {
        for (int i = 1; i < m; i++) {
            ut_gemm_sub(1, n, i, L + entry(ldl, i, 0), ldl, B, ldb, B + entry(ldb, i, 0), ldb);
        }
        return;
    }
    const int half = (m / 2 + NARROW - 1) / NARROW * NARROW;
    double* below = B + entry(ldb, half, 0);
    solve_unit_lower(half, n, L, ldl, B, ldb);
    ut_gemm_sub(m - half, n, half, L + entry(ldl, half, 0), ldl, B, ldb, below, ldb);
    solve_unit_lower(m - half, n, L + entry(ldl, half, half), ldl, below, ldb);
}

// Update columns middle ... end-1 with the factored columns begin ... middle-1.
static void carry_right(int n, double* A, int ld, int begin, int middle, int end)
{
    const int done = middle - begin;
    const int width = end - middle;
    solve_unit_lower(done, width, A + entry(ld, begin, begin), ld, A + entry(ld, begin, middle),
                     ld);
    ut_gemm_sub(n - middle, width, done, A + entry(ld, middle, begin), ld,
                A + entry(ld, begin, middle), ld, A + entry(ld, middle, middle), ld);
}

// Factor columns begin ... end-1 by halves.
static int factor_panel(int n, double* A, int ld, int* perm, double tiny, int begin, int end)
{
    const int width = end - begin;
    if (width <= NARROW) {
        return factor_narrow(n, A, ld, perm, tiny, begin, end);
    }
    const int middle = begin + (width / 2 + NARROW - 1) / NARROW * NARROW;
    const int reached = factor_panel(n, A, ld, perm, tiny, begin, middle);
    if (reached < middle) {
        return reached;
    }
    carry_right(n, A, ld, begin, middle, end);
    return factor_panel(n, A, ld, perm, tiny, middle, end);
}

int ut_lu_factor(int n, double* A, int ld, int* perm, double tiny)
{
    for (int i = 0; i < n; i++) {
        perm[i] = i;
    }
    for (int begin = 0; begin < n; begin += PANEL) {
        const int end = least(begin + PANEL, n);
        const int reached = factor_panel(n, A, ld, perm, tiny, begin, end);
        if (reached < end) {
            return reached;
        }
        if (end < n) {
            carry_right(n, A, ld, begin, end, n);
        }
    }
    return n;
}

void ut_lu_solve(int n, const double* LU, int ld, const int* perm, const double* b, double* x)
{
    for (int i = 0; i < n; i++) {
        x[i] = b[perm[i]];
    }
    ut_lower_solve(n, LU, ld, true, x);
    ut_upper_solve(n, LU, ld, x);
}
