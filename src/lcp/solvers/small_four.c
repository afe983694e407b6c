// SPDX-License-Identifier: Apache-2.0
// Up to four unknowns: principal pivots on the whole tableau, in loops of constant length.
//
// The rows read x_B = rhs + T x_N, at first w = q + M z; a principal pivot exchanges w_i and z_i. As in block
// pivoting all unknowns with a wrong sign are exchanged in every round. Missing unknowns have M = 1 and q = 1.
#include "small.h"

#include <string.h>

enum {
    FOUR = 4,
    RHS = FOUR, // column of the right-hand side
    MAX_ROUNDS = 5,
};

static const double DEPENDENT = 1e-11; // a smaller share of the diagonal is left of a dependent row
static const double ROUNDING = 1e-13;  // of the largest |q|: a smaller violation is none

typedef struct FourRows {
    double T[FOUR][FOUR + 1];
    double diagonal[FOUR]; // of M
    bool active[FOUR];     // z_i is basic
} FourRows;

// @return the largest |q|
static double begin(const utLcp* lcp, FourRows* t)
{
    const int n = lcp->n;
    double largest = 0.0;
    for (int i = 0; i < FOUR; i++) {
        for (int j = 0; j < FOUR; j++) {
            t->T[i][j] = i < n && j < n ? lcp->M[i * n + j] : (double)(i == j);
        }
        t->T[i][RHS] = i < n ? lcp->q[i] : 1.0;
        t->diagonal[i] = t->T[i][i];
        t->active[i] = false;
        const double size = i < n ? fabs(lcp->q[i]) : 0.0;
        largest = size > largest ? size : largest;
    }
    return largest;
}

// Exchange w_c and z_c. @return false where row c depends on the rows of the basic z
UT_LCP_INLINE bool exchange(FourRows* t, int c)
{
    double from[FOUR + 1];
    const double least = t->active[c] ? 0.0 : DEPENDENT * t->diagonal[c];
    if (!(t->T[c][c] > least)) {
        return false;
    }
    const double inverse = 1.0 / t->T[c][c];
    for (int j = 0; j <= RHS; j++) {
        from[j] = -inverse * t->T[c][j];
    }
    for (int i = 0; i < FOUR; i++) {
        const double f = t->T[i][c];
        for (int j = 0; j <= RHS; j++) {
            t->T[i][j] += f * from[j];
        }
        t->T[i][c] = f * inverse;
    }
    memcpy(t->T[c], from, sizeof from);
    t->T[c][c] = inverse;
    t->active[c] = !t->active[c];
    return true;
}

bool ut_small_four(const utLcp* lcp, double tolerance, SmallAnswer* answer)
{
    FourRows t;
    const double violation = ROUNDING * begin(lcp, &t);
    answer->pivots = 0;
    answer->factorizations = 0;
    bool wrong = true;
    for (int round = 0; round < MAX_ROUNDS && wrong; round++) {
        bool moves[FOUR];
        for (int i = 0; i < FOUR; i++) {
            const double value = t.active[i] ? t.T[i][RHS] * t.diagonal[i] : t.T[i][RHS];
            moves[i] = !(value >= -violation);
        }
        wrong = moves[0] || moves[1] || moves[2] || moves[3];
        answer->pivots += moves[0] + moves[1] + moves[2] + moves[3];
        // one by one, because a constant index is quicker
        if ((moves[0] && !exchange(&t, 0)) || (moves[1] && !exchange(&t, 1)) ||
            (moves[2] && !exchange(&t, 2)) || (moves[3] && !exchange(&t, 3))) {
            return false;
        }
    }
    for (int i = 0; i < FOUR; i++) {
        answer->z[i] = t.active[i] && t.T[i][RHS] > 0.0 ? t.T[i][RHS] : 0.0;
    }
    return !wrong && ut_small_accepts(lcp, UT_SMALL_FINE_SHARE * tolerance, answer);
}
