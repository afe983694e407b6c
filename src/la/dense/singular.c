// SPDX-License-Identifier: Apache-2.0
// Singular values by one-sided Jacobi rotations (Hestenes). Pairs of rows of a matrix with at least
// as many columns as rows are rotated until all rows are orthogonal. Their lengths are then the
// singular values.
#include <uptack/matrix.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "dense.h"
#include "kernel.h"
#include "la/internal.h"

enum { MAX_SWEEPS = 60 }; // far more than needed: a guard against a cycle of roundings

// two rows with a smaller cosine are orthogonal: the dot product rounds by about as much
static const double ORTHOGONAL = 4.0 * DBL_EPSILON;

// singular values below so many roundings times max(rows, cols) of the largest count as zero,
// because the rotations leave about that much
static const double RANK_ROUNDINGS = 64.0;

static int largest(int a, int b)
{
    return a > b ? a : b;
}

// B = A / scale or its transpose, whichever has no more rows than columns.
static void copy_wide(int rows, int cols, const double* A, double scale, double* B)
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

// Rotate two rows so that they become orthogonal. @return false when they are already
static bool rotate(int n, double* x, double* y)
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
    const int k = least(rows, cols), n = largest(rows, cols);
    double* B = ut_matrix_push(&scratch, k, n);
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
    copy_wide(rows, cols, A, scale, B);
    bool rotated = true;
    for (int sweep = 0; sweep < MAX_SWEEPS && rotated; sweep++) {
        rotated = false;
        for (int i = 0; i < k; i++) {
            for (int j = i + 1; j < k; j++) {
                rotated =
                    rotate(n, B + (size_t)i * (size_t)n, B + (size_t)j * (size_t)n) || rotated;
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
    const double noise =
        tolerance > 0.0 ? tolerance : RANK_ROUNDINGS * DBL_EPSILON * largest(rows, cols);
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
