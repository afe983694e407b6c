// SPDX-License-Identifier: Apache-2.0
// Principal pivoting: functions that its two methods share.
//
// An unknown is at a bound or between its bounds. The unknowns between their bounds are solved from
// w = 0 with a factor of their block of M: LDL^T when M is symmetric, LU otherwise.
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

/// The block of the unknowns between their bounds, factored.
typedef struct Block {
    const Boxed* boxed;
    int count;
    int* order;   ///< n: the unknown of each row
    double* F;    ///< n x n
    double* d;    ///< n, of LDL^T
    int* perm;    ///< n, of LU
    double* work; ///< n
    int factorizations;
} Block;

/// Factor the block of all unknowns with PLACE_BETWEEN. @return false when it is singular, or
/// symmetric and not positive definite; the block is then empty
bool ut_block_factor(Block* block, const unsigned char* place);

/// Symmetric M only: add unknown i. @return false without any change when its row depends on the
/// others, or M is not positive semidefinite
bool ut_block_add(Block* block, int i);

/// Symmetric M only: remove the unknown of row r.
void ut_block_drop(Block* block, int r);

/// Solve block x = x in place. @param x in the order of the block
void ut_block_solve(Block* block, double* x);

/// w = A z + q
void ut_boxed_slack(const Boxed* boxed, const double* z, double* w);

/// The bound of unknown i at a place; 0 if it is infinite.
double ut_boxed_bound(const Boxed* boxed, int i, unsigned char place);

typedef enum PivotEnd {
    PIVOT_DONE,
    PIVOT_LIMIT,    ///< out of pivots, or in a cycle
    PIVOT_RAY,      ///< a direction without end; symmetric M only
    PIVOT_SINGULAR, ///< a singular block, or a matrix that is not semidefinite
} PivotEnd;

/// Arrays of both methods.
typedef struct PivotWork {
    unsigned char* place; ///< n: a Place each; the start on entry, the result on return
    double* z;            ///< n
    double* w;            ///< n
    double* x;            ///< n
    double* ray;          ///< n: of PIVOT_RAY
    int pivots;
    int limit;
} PivotWork;

/// Change the places of all wrong unknowns at once (Kostreva; Judice and Pires), and one by one when
/// that stops helping. Finite for P-matrices.
PivotEnd ut_pivot_blocks(const Boxed* boxed, Block* block, PivotWork* work);

/// Minimise ½ z'Az + q'z between the bounds; one unknown enters or leaves the block at a time. A is
/// symmetric positive semidefinite and may be singular.
PivotEnd ut_pivot_active_set(const Boxed* boxed, Block* block, PivotWork* work);

#endif
