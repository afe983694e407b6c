// SPDX-License-Identifier: Apache-2.0
// Lemke's method: the state of a run, between lemke.c, which pivots, and lemke_solve.c, which
// prepares problems for it and writes answers back.
#ifndef UPTACK_LCP_SOLVERS_LEMKE_H
#define UPTACK_LCP_SOLVERS_LEMKE_H

#include "basis.h"

/// The system is w - M z - d z0 = q with everything >= 0, scaled so that M and q are of order one.
/// Free z excepted: they take any sign, and their w stay out of the basis for good.
///
///     x = B^-1 q    values of the basic variables
///     p = B^-1 P    the same for a perturbation of q by a generic positive vector
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
    double* cover;  ///< how far z0 lifts the variable at each position of the starting basis
    double* d;      ///< column of z0
    double* best;   ///< the best z of all rounds
    int* start;     ///< the variable of the starting basis at each position
    int* candidate; ///< work: positions that tie
    double size;    ///< z0 at its start: what rounding is measured against
    double y_size;  ///< largest |y|
    int entering;   ///< the variable that entered last, or grows along the ray
    int pivots;
    int limit;
} Lemke;

typedef enum LemkeEnd {
    LEMKE_DONE,     ///< z0 left, or was not needed
    LEMKE_RAY,      ///< nothing blocks
    LEMKE_LIMIT,    ///< out of pivots
    LEMKE_SINGULAR, ///< the basis lost its rank to rounding
} LemkeEnd;

/// Pivot from the factored complementary basis to a solution or a ray.
LemkeEnd ut_lemke_run(Lemke* s);

/// Factor the basis afresh, and x and p with it. @return false when it is singular
bool ut_lemke_refresh(Lemke* s);

/// The direction of a ray in z: the entering variable grows by one, basic ones by -y.
void ut_lemke_ray(const Lemke* s, double* ray);

#endif
