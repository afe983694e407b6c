// SPDX-License-Identifier: Apache-2.0
// The loops for every machine, and the choice between them and longer vectors for each call.
#include "kernel.h"
#include "la/internal.h"

#include <math.h>
#include <stdint.h>

#define LOOPS ut_loops_base
enum { VECTOR = 2 }; // doubles in a vector
#include "loops.inc"

enum { MIN_WIDE_ENTRIES = 8 }; // with fewer columns or entries longer vectors are not faster

static inline const utLoops* loops(int n)
{
    return n < MIN_WIDE_ENTRIES ? &ut_loops_base : ut_loops_widest();
}

double ut_dot(int n, const double* a, const double* b)
{
    return loops(n)->dot(n, a, b);
}

double ut_max_abs(int n, const double* x)
{
    return loops(n)->max_abs(n, x);
}

double ut_max_scaled(int n, const double* x, const double* scale, double factor, double* seen)
{
    return loops(n)->max_scaled(n, x, scale, factor, seen);
}

void ut_axpy(int n, double a, const double* x, double* y)
{
    loops(n)->axpy(n, a, x, y);
}

void ut_axpy4(int n, const double a[4], const double* x0, const double* x1, const double* x2,
              const double* x3, double* y)
{
    loops(n)->axpy4(n, a, x0, x1, x2, x3, y);
}

void ut_gemm_sub(int m, int n, int k, const double* A, int lda, const double* B, int ldb, double* C,
                 int ldc)
{
    loops(n)->gemm_sub(m, n, k, A, lda, B, ldb, C, ldc);
}

void ut_syrk_sub(int m, int n, int k, const double* L, int ldl, const double* d, double* C, int ldc)
{
    loops(n)->syrk_sub(m, n, k, L, ldl, d, C, ldc);
}

void ut_lower_solve(int n, const double* L, int ld, bool unit, double* x)
{
    loops(n)->lower_solve(n, L, ld, unit, x);
}

void ut_lower_solve_transposed(int n, const double* L, int ld, bool unit, double* x)
{
    loops(n)->lower_solve_transposed(n, L, ld, unit, x);
}

void ut_upper_solve(int n, const double* U, int ld, double* x)
{
    loops(n)->upper_solve(n, U, ld, x);
}
