// SPDX-License-Identifier: Apache-2.0
// Boxed and mixed problems rewritten as plain ones, and the way back from their solutions.
#ifndef UPTACK_LCP_PLAIN_FORM_H
#define UPTACK_LCP_PLAIN_FORM_H

#include <uptack/lcp.h>

/// A boxed problem as a plain one with free unknowns first.
///
/// An unknown is measured from a finite bound, z_i = offset_i s_i + sign_i x_p, where s_i is 1, or
/// z_k for a friction index k. An unknown with two finite bounds has a second unknown t:
///
///     0 <= x_p  ⟂  w_i + t >= 0,      0 <= t  ⟂  (hi_i - lo_i) s_i - x_p >= 0
///
/// Friction, |z_i| <= mu z_k, is the difference of two unknowns, z_i = a - b, with a slip speed t,
/// as Stewart and Trinkle write it, because the matrix then stays copositive when M is positive
/// semidefinite.
///
///     0 <= a  ⟂  w_i + t >= 0,   0 <= b  ⟂  -w_i + t >= 0,   0 <= t  ⟂  mu z_k - a - b >= 0
typedef struct Standard {
    utLcp lcp;      ///< the plain problem
    int n;          ///< unknowns of the boxed one
    int* place;     ///< index p of each unknown; for friction the index of a
    int* second;    ///< index of t; for friction the index of b, and t follows b; -1: none
    double* sign;   ///< -1 where x_p is measured down from the upper bound
    double* offset; ///< this bound; 0 for free unknowns and friction
    int* base;      ///< k; -1 without friction index, and for friction, where z_i = a - b
    bool* friction; ///< z_i = a - b
} Standard;

/// The number of unknowns of the plain problem.
int ut_standard_count(const utLcp* lcp);

/// @return UT_ERR_CAPACITY when there is no memory
utStatus ut_standard_make(const utLcp* lcp, utArena* arena, Standard* standard);

/// z from x. @param homogeneous without the constant bounds: x is a direction
void ut_standard_back(const Standard* standard, const double* x, bool homogeneous, double* z);

/// A mixed problem after elimination of its free unknowns, z_f = -(X z_c + x). The remaining matrix
/// is the Schur complement of their block.
typedef struct Eliminated {
    utLcp lcp;
    int free_count;
    double* X; ///< free_count x lcp.n
    double* x; ///< free_count
} Eliminated;

/// @param singular set when the free block is singular; `out` is then not filled
utStatus ut_eliminate_free(const utLcp* lcp, utArena* arena, Eliminated* out, bool* singular);

/// z from the remaining unknowns z_c. @param homogeneous as in ut_standard_back
void ut_eliminated_back(const Eliminated* from, const double* z_c, bool homogeneous, double* z);

/// Find unknowns that form a regular block together with all free unknowns. The block of the free
/// unknowns alone may be singular (a multiplier without a diagonal, a floating node of a circuit).
/// Each free unknown is eliminated alone, or in a pair with the partner of largest determinant.
/// @param S      n x n, a scaled copy of M or of its transpose; destroyed
/// @param active n entries, 1 for the free unknowns and their partners on return
/// @return false when the row of a free unknown depends on the others
bool ut_free_partners(int n, int free_count, double* S, unsigned char* active);

/// Write every free unknown as the difference of two nonnegative ones and its equation as two
/// inequalities. The matrix stays semidefinite, and the free block may be singular. The unknowns are
/// (positive parts, negative parts, the others).
utStatus ut_split_free(const utLcp* lcp, utArena* arena, utLcp* out);

/// z from the unknowns of ut_split_free.
void ut_split_back(const utLcp* lcp, const double* x, double* z);

#endif
