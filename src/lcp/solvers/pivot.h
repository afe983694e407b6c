// SPDX-License-Identifier: Apache-2.0
// Principal pivoting: what its two methods share.
//
// Unknowns rest at a bound or lie between their bounds; for the latter w = 0 is solved, the block
// of M that belongs to them being factored (LDL^T when M is symmetric, LU when not).
#ifndef UPTACK_LCP_SOLVERS_PIVOT_H
#define UPTACK_LCP_SOLVERS_PIVOT_H

#include "lcp/internal.h"

/// A problem with fixed bounds, scaled by rows and columns.
typedef struct Boxed {
    int n;
    bool symmetric;
    double* A;  ///< n x n, row-major
    int* begin; ///< first entry of row i that is not zero
    int* end;   ///< one past the last
    double* q;  ///< largest entry about 1
    double* lo; ///< -HUGE_VAL for none
    double* hi; ///< HUGE_VAL for none
} Boxed;

typedef enum Place { PLACE_LO, PLACE_HI, PLACE_BETWEEN } Place;

/// The factored block of the unknowns between their bounds.
typedef struct Block {
    const Boxed* boxed;
    int count;
    int* order;   ///< n: which unknown each row belongs to
    double* F;    ///< n x n
    double* d;    ///< n, of LDL^T
    int* perm;    ///< n, of LU
    double* work; ///< n
    int factorizations;
} Block;

/// Factor the block of all unknowns with PLACE_BETWEEN. @return false when it is singular, or
/// symmetric and not positive definite; the block is then empty
bool ut_block_factor(Block* block, const unsigned char* place);

/// Symmetric only: take unknown i in. @return false, and nothing changed, when its row depends on
/// those present (or M is not positive semidefinite: see ut_block_schur)
bool ut_block_add(Block* block, int i);

/// Symmetric only: take the unknown in row r out.
void ut_block_drop(Block* block, int r);

/// x = (block)^-1 x, in the block's order
void ut_block_solve(Block* block, double* x);

/// w = A z + q
void ut_boxed_slack(const Boxed* boxed, const double* z, double* w);

/// The bound that belongs to a place; 0 for an unknown that has none.
double ut_boxed_rest(const Boxed* boxed, int i, unsigned char place);

typedef enum PivotEnd {
    PIVOT_DONE,
    PIVOT_LIMIT,    ///< out of pivots, or going round in circles
    PIVOT_RAY,      ///< a direction along which nothing blocks; symmetric only
    PIVOT_SINGULAR, ///< a block without factorization, or a matrix that is not semidefinite
} PivotEnd;

/// Memory of both methods.
typedef struct PivotWork {
    unsigned char* place; ///< n: the start, and the end
    double* z;            ///< n
    double* w;            ///< n
    double* x;            ///< n
    double* ray;          ///< n: of PIVOT_RAY
    int pivots;
    int limit;
} PivotWork;

/// Swap every unknown that is on the wrong side at once (Kostreva; Judice and Pires), one by one as
/// soon as that stops helping. Finite for P-matrices.
PivotEnd ut_pivot_blocks(const Boxed* boxed, Block* block, PivotWork* work);

/// Minimise ½ z'Az + q'z between the bounds, one unknown in or out at a time. For symmetric
/// positive semidefinite A, singular or not.
PivotEnd ut_pivot_active_set(const Boxed* boxed, Block* block, PivotWork* work);

#endif
