// SPDX-License-Identifier: Apache-2.0
// Other kinds of problems written as plain ones, and their answers written back.
#ifndef UPTACK_LCP_STANDARD_H
#define UPTACK_LCP_STANDARD_H

#include <uptack/lcp.h>

/// A boxed problem as a plain one with free unknowns first.
///
/// An unknown is counted from a finite bound, z_i = offset_i s_i + sign_i x_p, s_i being 1 or z_k
/// for a friction index k. One with two finite bounds brings a second unknown t:
///
///     0 <= x_p  ⟂  w_i + t >= 0,      0 <= t  ⟂  (hi_i - lo_i) s_i - x_p >= 0
///
/// Friction, |z_i| <= mu z_k, is the difference of two, z_i = a - b, with a slip speed t, as
/// Stewart and Trinkle write it: that keeps the matrix copositive when M is positive semidefinite.
///
///     0 <= a  ⟂  w_i + t >= 0,   0 <= b  ⟂  -w_i + t >= 0,   0 <= t  ⟂  mu z_k - a - b >= 0
typedef struct Standard {
    utLcp lcp;      ///< the plain problem
    int n;          ///< unknowns of the boxed one
    int* place;     ///< p of each; of friction that of a
    int* second;    ///< t; of friction b, and t behind it; -1 for none
    double* sign;   ///< -1 where it is counted down from its upper bound
    double* offset; ///< that bound; 0 for a free unknown and for friction
    int* base;      ///< k, or -1; -1 for friction too, whose value does not hang on z_k
    bool* friction; ///< is a - b
} Standard;

/// How many unknowns the plain problem has.
int ut_standard_count(const utLcp* lcp);
utStatus ut_standard_make(const utLcp* lcp, utArena* arena, Standard* standard);

/// z from x; `homogeneous` leaves the constant bounds out, for a direction.
void ut_standard_back(const Standard* standard, const double* x, bool homogeneous, double* z);

/// A mixed problem without its free unknowns: z_f = -(X z_c + x), which leaves the Schur complement
/// of their block.
typedef struct Eliminated {
    utLcp lcp;
    int free_count;
    double* X; ///< free_count x lcp.n
    double* x; ///< free_count
} Eliminated;

/// @param singular set when the free block has no factorization; `out` is then not filled
utStatus ut_eliminate_free(const utLcp* lcp, utArena* arena, Eliminated* out, bool* singular);
void ut_eliminated_back(const Eliminated* from, const double* z_c, bool homogeneous, double* z);

/// Unknowns that make up a regular block together with all free ones, whose own block may be
/// singular (a multiplier without a diagonal, a floating node of a circuit): each free unknown is
/// eliminated by itself, or by a pair with whichever partner gives the largest determinant.
/// @param S      n x n, a scaled copy of M (or of its transpose), destroyed
/// @param active n entries, 1 for the free unknowns and their partners on return
/// @return false when some free unknown depends on all the others
bool ut_free_partners(int n, int free_count, double* S, unsigned char* active);

/// A mixed problem with every free unknown written as the difference of two nonnegative ones and
/// its equation as two inequalities. Keeps semidefiniteness, and needs no factor of the free block.
/// The unknowns are (positive parts, negative parts, the others).
utStatus ut_split_free(const utLcp* lcp, utArena* arena, utLcp* out);
void ut_split_back(const utLcp* lcp, const double* x, double* z);

#endif
