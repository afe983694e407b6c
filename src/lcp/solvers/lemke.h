// SPDX-License-Identifier: Apache-2.0
// Lemke's method: the state that lemke.c, which pivots, shares with lemke_solve.c, which prepares
// problems and writes answers.
#ifndef UPTACK_LCP_SOLVERS_LEMKE_H
#define UPTACK_LCP_SOLVERS_LEMKE_H

#include "basis.h"

/// The system is w - M z - d z0 = q, scaled so that M and q are of order one. All variables are
/// >= 0 except free z, which take any sign and whose w never enter the basis.
///
///     x = B^-1 q    values of the basic variables
///     p = B^-1 P    change of x when q is perturbed by P, which breaks ties
///     y = B^-1 a    column of the entering variable
typedef struct Lemke {
    int n;
    int free_count;
    Basis basis;
    double* q;
    double* P;
    double* x;
    double* p;
    double* y;
    double* lex;    ///< work: a column of the lexicographic matrix
    double* cover;  ///< entries of B^-1 d for the starting basis: how fast z0 raises each x
    double* d;      ///< column of z0
    double* best;   ///< z of the round with the least residual
    int* start;     ///< the variable of the starting basis at each position
    int* candidate; ///< work: positions that tie
    double size;    ///< first value of z0: the scale of rounding errors in x
    double y_size;  ///< largest |y|
    int entering;   ///< the last variable that entered, or the one that grows along the ray
    int pivots;
    int limit;
} Lemke;

typedef enum LemkeEnd {
    LEMKE_DONE,     ///< z0 left, or was not needed
    LEMKE_RAY,      ///< no basic variable limits the entering one
    LEMKE_LIMIT,    ///< out of pivots
    LEMKE_SINGULAR, ///< the basis is singular within rounding
} LemkeEnd;

/// Pivot from the factored complementary basis to a solution or a ray.
LemkeEnd ut_lemke_run(Lemke* s);

/// Factor the basis and recompute x and p. @return false when it is singular
bool ut_lemke_refresh(Lemke* s);

/// The direction of a ray in z: the entering variable grows by 1, the basic ones change by -y.
void ut_lemke_ray(const Lemke* s, double* ray);

#endif
