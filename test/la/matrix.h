// SPDX-License-Identifier: Apache-2.0
// Matrices to test with, row-major with a leading dimension, and bounds for what rounding may do.
#ifndef UPTACK_TEST_LA_MATRIX_H
#define UPTACK_TEST_LA_MATRIX_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "test.h"

static inline ptrdiff_t at(int ld, int i, int j)
{
    return (ptrdiff_t)i * ld + j;
}

static inline double* new_doubles(utArena* arena, int rows, int ld)
{
    return UT_PUSH(arena, double, (size_t)rows*(size_t)ld);
}

static inline double* copy_doubles(utArena* arena, const double* A, int rows, int ld)
{
    double* B = new_doubles(arena, rows, ld);
    memcpy(B, A, (size_t)rows * (size_t)ld * sizeof *B);
    return B;
}

/// Entries uniform in [-1/2, 1/2).
static inline double* random_doubles(utArena* arena, utRng* rng, int rows, int ld)
{
    double* A = new_doubles(arena, rows, ld);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)rows * ld; i++) {
        A[i] = ut_rng_uniform(rng) - 0.5;
    }
    return A;
}

/// Symmetric with entries in [-1/2, 1/2) beside the diagonal and `diagonal` on it. With n for the
/// diagonal Gershgorin's discs lie in [n/2, 3n/2]: positive definite with a condition below 3.
static inline double* random_symmetric(utArena* arena, utRng* rng, int n, int ld, double diagonal)
{
    double* A = random_doubles(arena, rng, n, ld);
    for (int i = 0; i < n; i++) {
        A[at(ld, i, i)] = diagonal;
        for (int j = 0; j < i; j++) {
            A[at(ld, j, i)] = A[at(ld, i, j)];
        }
    }
    return A;
}

/// H_ij = 1 / (i + j + 1)
static inline double* hilbert(utArena* arena, int n)
{
    double* A = new_doubles(arena, n, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[at(n, i, j)] = 1.0 / (i + j + 1);
        }
    }
    return A;
}

/// gamma_k = k u / (1 - k u) with the unit roundoff u: a sum of k products, in any order, has an
/// error of at most gamma_k times the sum of their sizes (Higham, Accuracy and Stability, 3.1).
static inline double rounding_bound(int k)
{
    return k * (0.5 * DBL_EPSILON) / (1.0 - k * (0.5 * DBL_EPSILON));
}

static inline double largest_difference(int rows, int columns, const double* A, int lda,
                                        const double* B, int ldb)
{
    double largest = 0.0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            double size = fabs(A[at(lda, i, j)] - B[at(ldb, i, j)]);
            if (!(size <= largest)) {
                largest = size;
            }
        }
    }
    return largest;
}

#endif
