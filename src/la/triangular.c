// Triangular solves, four rows of the triangle at a time: along the rows by dot products, or
// against them (transposed) by adding multiples of rows.
#include "internal.h"
#include "kernel.h"

// s[r] = row r of A times x for up to four rows of n entries
static void rows_times(int rows, int n, const double* A, int ld, const double* x, double s[4])
{
    if (rows == 4) {
        ut_dot4(n, A, A + entry(ld, 1, 0), A + entry(ld, 2, 0), A + entry(ld, 3, 0), x, s);
        return;
    }
    for (int r = 0; r < rows; r++) {
        s[r] = ut_dot(n, A + entry(ld, r, 0), x);
    }
}

// y -= sum of a[r] times row r of A for up to four rows of n entries
static void take_rows(int rows, int n, const double* A, int ld, const double* a, double* y)
{
    if (rows == 4) {
        ut_axpy4(n, (double[4]){-a[0], -a[1], -a[2], -a[3]}, A, A + entry(ld, 1, 0),
                 A + entry(ld, 2, 0), A + entry(ld, 3, 0), y);
        return;
    }
    for (int r = 0; r < rows; r++) {
        ut_axpy(n, -a[r], A + entry(ld, r, 0), y);
    }
}

void ut_lower_solve(int n, const double* L, int ld, bool unit, double* x)
{
    for (int i = 0; i < n; i += 4) {
        const int rows = least(4, n - i);
        const double* T = L + entry(ld, i, i);
        double s[4];
        rows_times(rows, i, L + entry(ld, i, 0), ld, x, s);
        for (int r = 0; r < rows; r++) {
            double value = x[i + r] - s[r];
            for (int c = 0; c < r; c++) {
                value -= T[entry(ld, r, c)] * x[i + c];
            }
            x[i + r] = unit ? value : value / T[entry(ld, r, r)];
        }
    }
}

void ut_lower_solve_transposed(int n, const double* L, int ld, bool unit, double* x)
{
    for (int end = n; end > 0; end -= 4) {
        const int rows = least(4, end);
        const int i = end - rows;
        const double* T = L + entry(ld, i, i);
        for (int r = rows - 1; r >= 0; r--) {
            double value = x[i + r];
            for (int c = rows - 1; c > r; c--) {
                value -= T[entry(ld, c, r)] * x[i + c];
            }
            x[i + r] = unit ? value : value / T[entry(ld, r, r)];
        }
        take_rows(rows, i, L + entry(ld, i, 0), ld, x + i, x);
    }
}

void ut_upper_solve(int n, const double* U, int ld, double* x)
{
    for (int end = n; end > 0; end -= 4) {
        const int rows = least(4, end);
        const int i = end - rows;
        const double* T = U + entry(ld, i, i);
        double s[4];
        rows_times(rows, n - end, U + entry(ld, i, end), ld, x + end, s);
        for (int r = rows - 1; r >= 0; r--) {
            double value = x[i + r] - s[r];
            for (int c = rows - 1; c > r; c--) {
                value -= T[entry(ld, r, c)] * x[i + c];
            }
            x[i + r] = value / T[entry(ld, r, r)];
        }
    }
}

void ut_upper_solve_transposed(int n, const double* U, int ld, double* x)
{
    for (int i = 0; i < n; i += 4) {
        const int rows = least(4, n - i);
        const int end = i + rows;
        const double* T = U + entry(ld, i, i);
        for (int r = 0; r < rows; r++) {
            double value = x[i + r];
            for (int c = 0; c < r; c++) {
                value -= T[entry(ld, c, r)] * x[i + c];
            }
            x[i + r] = value / T[entry(ld, r, r)];
        }
        take_rows(rows, n - end, U + entry(ld, i, end), ld, x + i, x + end);
    }
}
