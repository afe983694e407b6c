// SPDX-License-Identifier: Apache-2.0
// The block of 4.3 by its equations of motion, flat on the floor: it slides against friction mu_1
// N_1 + mu_2 N_2 or does not move. Unknown at every moment are five numbers,
//
//     x'' or the friction F,  A'', B'',  N_1, N_2
//
// from the momenta of everything along x, of the angles (as in berard_pendulum.h) and along y, and
// from the block that does not turn. An independent method: RK4, with changes of mode located by
// bisection.
#ifndef UPTACK_TEST_SEEDS_BERARD_SLIDING_H
#define UPTACK_TEST_SEEDS_BERARD_SLIDING_H

#include <math.h>
#include <string.h>

#include "support/berard_recipe.h"

typedef struct Sliding {
    const Recipe* k;
    int way;     // 1, -1: slides along or against x; 0: stuck
    double s[6]; // x, A, B and their rates
} Sliding;

typedef struct Moment {
    double a[3]; // x'', A'', B''
    double F, N1, N2;
} Moment;

// x = A^-1 b of five unknowns by elimination with row exchanges
static inline void sliding_solve(double A[5][6])
{
    for (int i = 0; i < 5; i++) {
        int best = i;
        for (int r = i + 1; r < 5; r++) {
            best = fabs(A[r][i]) > fabs(A[best][i]) ? r : best;
        }
        for (int c = 0; c < 6; c++) {
            const double swap = A[i][c];
            A[i][c] = A[best][c];
            A[best][c] = swap;
        }
        for (int r = 0; r < 5; r++) {
            const double f = r == i ? 0.0 : A[r][i] / A[i][i];
            for (int c = 0; c < 6; c++) {
                A[r][c] -= f * A[i][c];
            }
        }
    }
    for (int i = 0; i < 5; i++) {
        A[i][5] /= A[i][i];
    }
}

static inline Moment sliding_moment(const Sliding* p, const double* s)
{
    const Recipe* k = p->k;
    const double g = 9.81, A = s[1], B = s[2], wA = s[4] * s[4], wB = s[5] * s[5];
    const double first = (0.5 * k->mA + k->mB) * k->LA, second = 0.5 * k->mB * k->LB;
    const double both = second * k->LA, rods = k->mA + k->mB;
    const double slides = p->way, sticks = p->way == 0 ? 1.0 : 0.0, free = 1.0 - sticks;
    // columns: x'' or F, A'', B'', N1, N2, right side; F = -way (mu1 N1 + mu2 N2) while it slides
    double E[5][6] = {
        {free * (k->mC + rods) - sticks, first * cos(A), second * cos(B), slides * k->mu[0],
         slides * k->mu[1], first * sin(A) * wA + second * sin(B) * wB},
        {free * first * cos(A), (k->mA / 3.0 + k->mB) * k->LA * k->LA, both * cos(A - B), 0, 0,
         -first * g * sin(A) - both * sin(A - B) * wB},
        {free * second * cos(B), both * cos(A - B), k->mB * k->LB * k->LB / 3.0, 0, 0,
         -second * g * sin(B) + both * sin(A - B) * wA},
        {0, -first * sin(A), -second * sin(B), 1, 1,
         (k->mC + rods) * g + first * cos(A) * wA + second * cos(B) * wB},
        // o_x Y - o_y X + w/2 F + l/2 (N2 - N1) = 0 with the rods' pull on the pivot
        // X = -(rods x'' + first (A'' cos A - ...) + ...), Y = -(rods g + first (A'' sin A + ...)
        // ...)
        {free * k->pivot[1] * rods + sticks * 0.5 * k->wC,
         first * (k->pivot[1] * cos(A) - k->pivot[0] * sin(A)),
         second * (k->pivot[1] * cos(B) - k->pivot[0] * sin(B)),
         -0.5 * k->lC - 0.5 * k->wC * slides * k->mu[0],
         0.5 * k->lC - 0.5 * k->wC * slides * k->mu[1],
         k->pivot[0] * (rods * g + first * cos(A) * wA + second * cos(B) * wB) +
             k->pivot[1] * (first * sin(A) * wA + second * sin(B) * wB)},
    };
    sliding_solve(E);
    Moment m = {{free * E[0][5], E[1][5], E[2][5]}, sticks * E[0][5], E[3][5], E[4][5]};
    m.F = p->way == 0 ? m.F : -slides * (k->mu[0] * m.N1 + k->mu[1] * m.N2);
    return m;
}

static inline void sliding_rk4(const Sliding* p, double h, double* s)
{
    static const double share[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    double d[6] = {0}, sum[6] = {0};
    for (int n = 0; n < 4; n++) {
        double at[6];
        for (int i = 0; i < 6; i++) {
            at[i] = p->s[i] + share[n] * h * d[i];
        }
        const Moment m = sliding_moment(p, at);
        for (int i = 0; i < 3; i++) {
            d[i] = at[i + 3];
            d[i + 3] = m.a[i];
        }
        for (int i = 0; i < 6; i++) {
            sum[i] += weight[n] * d[i] / 6.0;
        }
    }
    for (int i = 0; i < 6; i++) {
        s[i] = p->s[i] + h * sum[i];
    }
}

// How far the mode is from its end: of sliding the speed, of sticking the friction that is left.
static inline double sliding_left(const Sliding* p, const double* s)
{
    if (p->way != 0) {
        return p->way * s[3];
    }
    const Moment m = sliding_moment(p, s);
    return p->k->mu[0] * m.N1 + p->k->mu[1] * m.N2 - fabs(m.F);
}

// What comes next when a mode has ended at s: sliding goes over into sticking, or turns around
// where friction cannot hold it.
static inline void sliding_change(Sliding* p)
{
    const int was = p->way;
    p->way = 0;
    p->s[3] = 0.0;
    const Moment m = sliding_moment(p, p->s);
    const double left = sliding_left(p, p->s);
    if (was == 0 || left < 0.0) {
        p->way = m.F > 0.0 ? -1 : 1; // against the friction that would be needed
    }
}

// @return the changes of mode; the least normal force goes to *least
static inline int sliding_run(Sliding* p, double h, double time, double* least)
{
    int changes = 0;
    double t = 0.0;
    while (t < time - 1e-13) {
        double s[6], step = fmin(h, time - t);
        sliding_rk4(p, step, s);
        const bool over = sliding_left(p, s) < 0.0;
        if (over) {
            double low = 0.0, high = step;
            for (int k = 0; k < 60; k++) {
                step = 0.5 * (low + high);
                sliding_rk4(p, step, s);
                *(sliding_left(p, s) < 0.0 ? &high : &low) = step;
            }
        }
        memcpy(p->s, s, sizeof s);
        t += step;
        if (over) {
            sliding_change(p);
            changes++;
        }
        const Moment m = sliding_moment(p, p->s);
        *least = fmin(*least, fmin(m.N1, m.N2));
    }
    return changes;
}

#endif
