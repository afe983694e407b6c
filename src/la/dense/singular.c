// SPDX-License-Identifier: Apache-2.0
// Singular values by one-sided Jacobi rotations (Hestenes): rows of a matrix with at least as many
// columns as rows are turned against each other, two at a time, until all are orthogonal; their
// lengths are the singular values.
#include <uptack/matrix.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel.h"

enum { SWEEPS = 60 };

static const double ORTHOGONAL = 4.0 * DBL_EPSILON; // cosine of two rows

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

size_t ut_matrix_scratch(int rows, int cols)
{
    const size_t k = (size_t)least(rows, cols), n = (size_t)most(rows, cols);
    if (k > 0 && n > SIZE_MAX / sizeof(double) / (k + 2)) {
        return SIZE_MAX;
    }
    return ut_arena_need(k * n, sizeof(double)) + ut_arena_need(k, sizeof(double));
}

// B = A or its transpose, over its largest entry: k <= n rows of length n.
static void take(int rows, int cols, const double* A, double scale, double* B)
{
    const bool wide = rows <= cols;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            const size_t at =
                wide ? (size_t)i * (size_t)cols + (size_t)j : (size_t)j * (size_t)rows + (size_t)i;
            B[at] = A[(size_t)i * (size_t)cols + (size_t)j] / scale;
        }
    }
}

// Turn two rows so that they are orthogonal. @return false when they are
static bool turn(int n, double* x, double* y)
{
    const double a = ut_dot(n, x, x), b = ut_dot(n, y, y), c = ut_dot(n, x, y);
    if (!(fabs(c) > ORTHOGONAL * sqrt(a) * sqrt(b))) {
        return false;
    }
    const double zeta = (b - a) / (2.0 * c);
    const double t = (zeta >= 0.0 ? 1.0 : -1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    const double cosine = 1.0 / sqrt(1.0 + t * t);
    const double sine = t * cosine;
    for (int k = 0; k < n; k++) {
        const double u = x[k], v = y[k];
        x[k] = cosine * u - sine * v;
        y[k] = sine * u + cosine * v;
    }
    return true;
}

static void sort_descending(int k, double* s)
{
    for (int i = 1; i < k; i++) {
        const double value = s[i];
        int j = i;
        for (; j > 0 && s[j - 1] < value; j--) {
            s[j] = s[j - 1];
        }
        s[j] = value;
    }
}

utStatus ut_matrix_singular(int rows, int cols, const double* A, utArena scratch, double* s)
{
    if (rows < 0 || cols < 0 || (rows > 0 && cols > 0 && (A == NULL || s == NULL))) {
        return UT_ERR_ARGUMENT;
    }
    const int k = least(rows, cols), n = most(rows, cols);
    double* B = ut_arena_push(&scratch, (size_t)k * (size_t)n, sizeof *B);
    if (B == NULL) {
        return UT_ERR_CAPACITY;
    }
    double scale = 0.0;
    for (int i = 0; i < rows; i++) {
        const double row = ut_max_abs(cols, A + (size_t)i * (size_t)cols);
        if (!(row <= DBL_MAX)) {
            return UT_ERR_ARGUMENT;
        }
        scale = row > scale ? row : scale;
    }
    memset(s, 0, (size_t)k * sizeof *s);
    if (scale == 0.0) {
        return UT_OK;
    }
    take(rows, cols, A, scale, B);
    bool turned = true;
    for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
        turned = false;
        for (int i = 0; i < k; i++) {
            for (int j = i + 1; j < k; j++) {
                turned = turn(n, B + (size_t)i * (size_t)n, B + (size_t)j * (size_t)n) || turned;
            }
        }
    }
    for (int i = 0; i < k; i++) {
        const double* row = B + (size_t)i * (size_t)n;
        s[i] = scale * sqrt(ut_dot(n, row, row));
    }
    sort_descending(k, s);
    return UT_OK;
}

utStatus ut_matrix_rank(int rows, int cols, const double* A, double tolerance, utArena scratch,
                        int* rank)
{
    const int k = least(rows, cols);
    double* s = UT_PUSH(&scratch, double, k > 0 ? k : 0);
    if (s == NULL || !(tolerance >= 0.0)) {
        return s == NULL ? UT_ERR_CAPACITY : UT_ERR_ARGUMENT;
    }
    UT_TRY(ut_matrix_singular(rows, cols, A, scratch, s));
    const double noise = tolerance > 0.0 ? tolerance : 64.0 * DBL_EPSILON * most(rows, cols);
    int count = 0;
    while (count < k && s[count] > noise * s[0]) {
        count++;
    }
    *rank = count;
    return UT_OK;
}

utStatus ut_matrix_condition(int rows, int cols, const double* A, utArena scratch,
                             double* condition)
{
    const int k = least(rows, cols);
    double* s = UT_PUSH(&scratch, double, k > 0 ? k : 0);
    if (s == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_matrix_singular(rows, cols, A, scratch, s));
    *condition = k == 0 ? 1.0 : s[k - 1] > 0.0 ? s[0] / s[k - 1] : HUGE_VAL;
    return UT_OK;
}
