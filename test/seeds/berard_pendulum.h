// SPDX-License-Identifier: Apache-2.0
// The double pendulum by its equations of motion in the two angles (from hanging, both against the
// fixed frame), pivoted on a block that glides along the floor or does not move: an independent
// method, by RK4 or by one semi-implicit Euler step after the other.
#ifndef UPTACK_TEST_SEEDS_BERARD_PENDULUM_H
#define UPTACK_TEST_SEEDS_BERARD_PENDULUM_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/berard_recipe.h"

typedef struct Pendulum {
    double mA, LA, mB, LB, mC;
    bool glides;
    double q[3], v[3]; // x of the block, angles of A and B
} Pendulum;

static inline Pendulum pendulum(const Recipe* k, double angle_A, double angle_B, bool glides)
{
    return (Pendulum){k->mA,          k->LA, k->mB, k->LB, k->mC, glides, {0.0, angle_A, angle_B},
                      {0.0, 0.0, 0.0}};
}

// x = A^-1 b of three unknowns by elimination; A is symmetric and positive definite
static inline void pendulum_solve(double A[3][3], double b[3])
{
    for (int i = 0; i < 3; i++) {
        for (int r = i + 1; r < 3; r++) {
            const double f = A[r][i] / A[i][i];
            for (int c = i; c < 3; c++) {
                A[r][c] -= f * A[i][c];
            }
            b[r] -= f * b[i];
        }
    }
    for (int i = 2; i >= 0; i--) {
        for (int c = i + 1; c < 3; c++) {
            b[i] -= A[i][c] * b[c];
        }
        b[i] /= A[i][i];
    }
}

// Lagrange's equations with T of two slender rods: each m/2 |v of its middle|^2 + m L^2 w^2 / 24
static inline void pendulum_acceleration(const Pendulum* p, const double* q, const double* v,
                                         double* a)
{
    const double g = 9.81, A = q[1], B = q[2];
    const double first = (0.5 * p->mA + p->mB) * p->LA, second = 0.5 * p->mB * p->LB;
    const double both = second * p->LA;
    double M[3][3] = {{p->mC + p->mA + p->mB, first * cos(A), second * cos(B)},
                      {first * cos(A), (p->mA / 3.0 + p->mB) * p->LA * p->LA, both * cos(A - B)},
                      {second * cos(B), both * cos(A - B), p->mB * p->LB * p->LB / 3.0}};
    a[0] = first * sin(A) * v[1] * v[1] + second * sin(B) * v[2] * v[2];
    a[1] = -first * g * sin(A) - both * sin(A - B) * v[2] * v[2];
    a[2] = -second * g * sin(B) + both * sin(A - B) * v[1] * v[1];
    if (!p->glides) {
        M[0][1] = M[0][2] = M[1][0] = M[2][0] = a[0] = 0.0;
    }
    pendulum_solve(M, a);
}

static inline void pendulum_rk4(Pendulum* p, double h, int steps)
{
    static const double share[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    for (int n = 0; n < steps; n++) {
        double dq[3] = {0}, dv[3] = {0}, sum_q[3] = {0}, sum_v[3] = {0};
        for (int s = 0; s < 4; s++) {
            double q[3], v[3];
            for (int i = 0; i < 3; i++) {
                q[i] = p->q[i] + share[s] * h * dq[i];
                v[i] = p->v[i] + share[s] * h * dv[i];
            }
            pendulum_acceleration(p, q, v, dv);
            for (int i = 0; i < 3; i++) {
                dq[i] = v[i];
                sum_q[i] += weight[s] * dq[i] / 6.0;
                sum_v[i] += weight[s] * dv[i] / 6.0;
            }
        }
        for (int i = 0; i < 3; i++) {
            p->q[i] += h * sum_q[i];
            p->v[i] += h * sum_v[i];
        }
    }
}

// v' = v + h M^-1 (forces at q, v), q' = q + h v'
static inline void pendulum_euler(Pendulum* p, double h)
{
    double a[3];
    pendulum_acceleration(p, p->q, p->v, a);
    for (int i = 0; i < 3; i++) {
        p->v[i] += h * a[i];
        p->q[i] += h * p->v[i];
    }
}

#endif
