// SPDX-License-Identifier: Apache-2.0
// A basis of the system w - M z - d z0 = q, factored.
//
// Variables are numbered: w_i is i, z_i is n + i, the artificial z0 is 2 n. A basic variable has a
// position 0 ... n-1. Columns of w are unit vectors, so only the kernel is factored: the columns of
// the basic z and z0 in the rows without a basic w. Pivots since the last factorization are kept in
// product form, one eta vector each.
#ifndef UPTACK_LCP_SOLVERS_BASIS_H
#define UPTACK_LCP_SOLVERS_BASIS_H

#include <uptack/base.h>

typedef struct Basis {
    int n;
    const double* C;  ///< n columns of M, each contiguous
    const int* begin; ///< n: first row of each column that is not zero
    const int* end;   ///< n: one past the last
    const double* d;  ///< column of z0 in w = M z + q + d z0
    int* basic;       ///< n: variable at each position
    int* position;    ///< 2 n + 1: position of each variable, -1 when it is not basic
    int kernel;       ///< order of the kernel
    int* rows;        ///< its rows
    int* vars;        ///< its variables; vars[i] has position rows[i]
    double* LU;       ///< its factors
    int* perm;
    int updates; ///< pivots since the factorization
    int max_updates;
    int limit;           ///< updates after which a new factorization is cheaper
    double* eta;         ///< max_updates x n
    int* eta_position;   ///< pivot position of each eta
    double* eta_inverse; ///< 1 / pivot of each
    double* rhs;         ///< n, work
    double* y;           ///< n, work
    int factorizations;
} Basis;

/// Push the arrays of a basis. @return UT_ERR_CAPACITY when there is no memory
utStatus ut_basis_create(int n, utArena* arena, Basis* basis);

/// Make z_i basic where active[i] is set, else w_i. Does not factor.
void ut_basis_set(Basis* basis, const unsigned char* active);

/// Factor the kernel. Positions change: w_i goes to position i, the others to the remaining ones.
/// @return false when the basis is singular to working precision
bool ut_basis_factor(Basis* basis);

/// a = the column of a variable
void ut_basis_column(const Basis* basis, int variable, double* a);

/// a = B^-1 a. Entry p of the result belongs to the variable at position p.
void ut_basis_solve(Basis* basis, double* a);

/// Replace the variable at position p by `entering`. @param y B^-1 times the column of `entering`
void ut_basis_replace(Basis* basis, int p, int entering, const double* y);

/// Is a new factorization cheaper than more updates?
bool ut_basis_is_long(const Basis* basis);

#endif
