// SPDX-License-Identifier: Apache-2.0
// Functions that the sources of la share: index arithmetic, triangular solves, tables of loops.
#ifndef UPTACK_LA_INTERNAL_H
#define UPTACK_LA_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/// Index of entry (i, j) in a row-major matrix with leading dimension ld.
static inline ptrdiff_t entry(int ld, int i, int j)
{
    return (ptrdiff_t)i * ld + j;
}

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

// Triangular solves in place. Only the named triangle is read. With `unit` its diagonal counts as ones
// and is not read.

/// x = L^-1 x
void ut_lower_solve(int n, const double* L, int ld, bool unit, double* x);

/// x = L^-T x
void ut_lower_solve_transposed(int n, const double* L, int ld, bool unit, double* x);

/// x = U^-1 x
void ut_upper_solve(int n, const double* U, int ld, double* x);

// The loops of kernel.h and the solves above are compiled from loops.inc for every machine and, on
// x86-64, a second time for machines with AVX2. The operations are the same in longer vectors, so the
// bits are the same. kernel.c chooses a table per call, and the call uses no other table.

typedef struct utLoops {
    double (*dot)(int n, const double* a, const double* b);
    /// out[r] = dot(n, ar, x) for four rows at once, with the same bits
    void (*dot4)(int n, const double* a0, const double* a1, const double* a2, const double* a3,
                 const double* x, double out[4]);
    double (*max_abs)(int n, const double* x);
    double (*max_scaled)(int n, const double* x, const double* scale, double factor, double* seen);
    void (*axpy)(int n, double a, const double* x, double* y);
    void (*axpy4)(int n, const double a[4], const double* x0, const double* x1, const double* x2,
                  const double* x3, double* y);
    void (*gemm_sub)(int m, int n, int k, const double* A, int lda, const double* B, int ldb,
                     double* C, int ldc);
    void (*syrk_sub)(int m, int n, int k, const double* L, int ldl, const double* d, double* C,
                     int ldc);
    void (*lower_solve)(int n, const double* L, int ld, bool unit, double* x);
    void (*lower_solve_transposed)(int n, const double* L, int ld, bool unit, double* x);
    void (*upper_solve)(int n, const double* U, int ld, double* x);

    // Dense fronts (sparse.h): the first p unknowns of a matrix are eliminated,
    //   [F11 F12; F21 F22] = [L11 0; L21 1] [U11 U12; 0 C],
    // with [U11 U12] in p rows of width ld, U12 in the last ldc columns, G = L21^T in p rows of
    // width ldc and C in `below` rows of width ldc. Widths are p and `below` rounded up to
    // multiples of four, and the added entries must be zero. inverse[j] = 1 / U11_jj.

    /// Cholesky: U11^T U11 = F11, U12 = U11^-T F12, C = F22 - U12^T U12. Reads the entries on and
    /// above the diagonals and overwrites those below. @return false when F11 is not positive
    /// definite or not finite
    bool (*front_cholesky)(int p, int below, double* U, int ld, double* inverse, double* C,
                           int ldc);

    /// LU with row exchanges: row j was exchanged with row swap[j] of the first p. L11 is stored below
    /// the diagonal of U11, and G replaces F21^T. @return false when no pivot of a column exceeds tiny
    bool (*front_lu)(int p, int below, double* U, int ld, double* G, double* inverse, int* swap,
                     double tiny, double* C, int ldc);

    /// x1 = U11^-T x1, x2 -= U12^T x1, for x of width ld
    void (*front_forward)(int p, const double* U, int ld, const double* inverse, double* x);

    /// x1 = L11^-1 x1 after the exchanges, x2 -= L21 x1
    void (*front_forward_lu)(int p, const double* U, int ld, const double* G, int ldg,
                             const int* swap, double* x);

    /// x1 = U11^-1 (x1 - U12 x2)
    void (*front_backward)(int p, const double* U, int ld, const double* inverse, double* x);
} utLoops;

extern const utLoops ut_loops_base;

#if defined(__x86_64__) && defined(__GNUC__)
#define UT_AVX2
extern const utLoops ut_loops_avx2;
#endif

/// Can this machine use AVX2, and was the library compiled for it?
static inline bool ut_has_avx2(void)
{
#ifdef UT_AVX2
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/// The loops with the longest vectors that this machine can run.
static inline const utLoops* ut_loops_widest(void)
{
#ifdef UT_AVX2
    return ut_has_avx2() ? &ut_loops_avx2 : &ut_loops_base;
#else
    return &ut_loops_base;
#endif
}

#endif
