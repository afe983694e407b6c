// SPDX-License-Identifier: Apache-2.0
// A basis of the system w - M z - d z0 = q, factored.
//
// Variables are numbered: w_i is i, z_i is n + i, the artificial z0 is 2 n. A basic variable sits
// at a position 0 ... n-1. Columns of w are unit vectors, so only the kernel has to be factored:
// the rows without a basic w against the basic z (and z0). Pivots since the last factorization are
// kept in product form, one eta vector each.
#ifndef UPTACK_LCP_SOLVERS_BASIS_H
#define UPTACK_LCP_SOLVERS_BASIS_H

#include <uptack/base.h>

typedef struct Basis {
    int n;
    const double* C;  ///< n columns of M, each contiguous
    const int* begin; ///< first row of column j that is not zero
    const int* end;   ///< one past the last
    const double* d;  ///< column of z0 (as it stands in w = M z + q + d z0)
    int* basic;       ///< n: variable at each position
    int* position;    ///< 2 n + 1: where a variable sits, -1 when it is not basic
    int kernel;       ///< order of the kernel
    int* rows;        ///< its rows
    int* vars;        ///< its variables; vars[i] sits at position rows[i]
    double* LU;       ///< its factors
    int* perm;
    int updates; ///< pivots since the factorization
    int max_updates;
    int limit;           ///< updates after which factoring afresh is cheaper than going on
    double* eta;         ///< max_updates x n
    int* eta_position;   ///< pivot position of each eta
    double* eta_inverse; ///< 1 / pivot of each
    double* rhs;         ///< n, work
    double* y;           ///< n, work
    int factorizations;
} Basis;

/// Take the arrays of a basis. @return UT_ERR_CAPACITY
utStatus ut_basis_create(int n, utArena* arena, Basis* basis);

/// Make z_i basic where active[i], w_i elsewhere. Not factored yet.
void ut_basis_set(Basis* basis, const unsigned char* active);

/// Factor the kernel afresh. Positions are dealt out anew: w_i at i, the rest in the other rows.
/// @return false when the basis is singular to working precision
bool ut_basis_factor(Basis* basis);

/// Write the column of a variable.
void ut_basis_column(const Basis* basis, int variable, double* a);

/// a = B^-1 a, entry p belonging to the variable at position p
void ut_basis_solve(Basis* basis, double* a);

/// Replace the variable at position p by `entering`, y being its column after ut_basis_solve.
void ut_basis_replace(Basis* basis, int p, int entering, const double* y);

/// True when it is time to factor afresh.
bool ut_basis_is_long(const Basis* basis);

#endif
