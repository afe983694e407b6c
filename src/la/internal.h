// What the files of la share among themselves.
#ifndef UPTACK_LA_INTERNAL_H
#define UPTACK_LA_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/// Where entry (i, j) of a row-major matrix with leading dimension ld lies.
static inline ptrdiff_t entry(int ld, int i, int j)
{
    return (ptrdiff_t)i * ld + j;
}

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

// Triangular solves in place. Only the triangle named is read; with `unit` its diagonal is taken
// as ones and not read either.

/// x = L^-1 x
void ut_lower_solve(int n, const double* L, int ld, bool unit, double* x);

/// x = L^-T x
void ut_lower_solve_transposed(int n, const double* L, int ld, bool unit, double* x);

/// x = U^-1 x
void ut_upper_solve(int n, const double* U, int ld, double* x);

/// x = U^-T x
void ut_upper_solve_transposed(int n, const double* U, int ld, double* x);

// The loops of kernel.h and the solves above are compiled from loops.inc for every machine and, on
// x86-64, once more for machines with AVX2: the same operations in longer vectors, so the same
// bits. kernel.c chooses for each call; within one call everything stays in one table.

typedef struct utLoops {
    double (*dot)(int n, const double* a, const double* b);
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
    void (*upper_solve_transposed)(int n, const double* U, int ld, double* x);
} utLoops;

extern const utLoops ut_loops_base;

#if defined(__x86_64__) && defined(__GNUC__)
#define UT_AVX2
extern const utLoops ut_loops_avx2;
#endif

/// Has the library loops for AVX2, and this machine AVX2?
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
