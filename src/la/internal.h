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

#endif
