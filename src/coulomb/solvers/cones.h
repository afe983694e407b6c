// SPDX-License-Identifier: Apache-2.0
// Second-order cones {x_0 >= |x_1|} of d = 2 or 3 entries and their Nesterov-Todd scaling: w and beta are
// point and size of the scaling (docs/coulomb.md).
#ifndef UPTACK_COULOMB_SOLVERS_CONES_H
#define UPTACK_COULOMB_SOLVERS_CONES_H

#include <math.h>

static inline double tail(int d, const double* x)
{
    return d == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : fabs(x[1]);
}

static inline double det(int d, const double* x)
{
    const double t = tail(d, x);
    return (x[0] - t) * (x[0] + t);
}

static inline double tail_dot(int d, const double* a, const double* b)
{
    return d == 3 ? a[1] * b[1] + a[2] * b[2] : a[1] * b[1];
}

// y = beta [w_0, w_1'; w_1, 1 + w_1 w_1' / (1 + w_0)] x, with sign = -1 its inverse
static inline void scale(int d, const double* w, double beta, double sign, const double* x,
                         double* y)
{
    const double factor = sign > 0.0 ? beta : 1.0 / beta;
    const double dot = sign * tail_dot(d, w, x);
    const double along = sign * (x[0] + dot / (1.0 + w[0]));
    const double x0 = x[0];
    for (int k = 1; k < d; k++) {
        y[k] = factor * (x[k] + along * w[k]);
    }
    y[0] = factor * (w[0] * x0 + dot);
}

// y = W^-2 x = beta^-2 (2 (Qw)(Qw)' - Q) x
static inline void scale_twice(int d, const double* w, double beta, const double* x, double* y)
{
    const double dot = 2.0 * (w[0] * x[0] - tail_dot(d, w, x));
    const double x0 = x[0];
    for (int k = 1; k < d; k++) {
        y[k] = (x[k] - dot * w[k]) / (beta * beta);
    }
    y[0] = (dot * w[0] - x0) / (beta * beta);
}

// The longest step from x along dx that stays in the cone.
static inline double longest(int d, const double* x, const double* dx)
{
    const double a = det(d, dx);
    const double b = x[0] * dx[0] - tail_dot(d, x, dx);
    const double c = det(d, x);
    const double disc = b * b - a * c;
    double step = HUGE_VAL;
    if (disc >= 0.0) {
        const double q = b >= 0.0 ? -(b + sqrt(disc)) : -(b - sqrt(disc));
        const double roots[] = {q / a, c / q};
        for (int k = 0; k < 2; k++) {
            step = isfinite(roots[k]) && roots[k] > 0.0 ? fmin(step, roots[k]) : step;
        }
    }
    return dx[0] < 0.0 ? fmin(step, -x[0] / dx[0]) : step;
}

#endif
