// SPDX-License-Identifier: Apache-2.0
// An independent solver: Runge-Kutta steps in the normal impulse, in Cartesian velocities and long
// double.
#include "cases.h"

typedef long double Real;

typedef struct RungeKutta {
    Real K[3][3], mu;
    Real stick[2]; // dr_t/dp that stick needs
    bool holds;
    bool resting;
} RungeKutta;

enum { SIZE = 7 }; // u, r_t, works of the normal impulse: closing, opening

static void rates(const RungeKutta* b, const Real y[SIZE], Real d[SIZE])
{
    Real force[3] = {1, b->stick[0], b->stick[1]};
    if (!b->resting) {
        const Real v = sqrtl(y[1] * y[1] + y[2] * y[2]);
        force[1] = -b->mu * y[1] / v;
        force[2] = -b->mu * y[2] / v;
    }
    for (int i = 0; i < 3; i++) {
        d[i] = b->K[i][0] * force[0] + b->K[i][1] * force[1] + b->K[i][2] * force[2];
    }
    if (b->resting) {
        d[1] = d[2] = 0;
    }
    d[3] = force[1];
    d[4] = force[2];
    d[5] = y[0] < 0 ? y[0] : 0;
    d[6] = y[0] > 0 ? y[0] : 0;
}

static void step(const RungeKutta* b, Real h, const Real y[SIZE], Real out[SIZE])
{
    Real k[4][SIZE], at[SIZE];
    const Real part[4] = {0, h / 2, h / 2, h};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < SIZE; i++) {
            at[i] = y[i] + (s > 0 ? part[s] * k[s - 1][i] : 0);
        }
        rates(b, at, k[s]);
    }
    for (int i = 0; i < SIZE; i++) {
        out[i] = y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static RungeKutta prepare(const utImpact* impact)
{
    RungeKutta b = {.mu = (Real)impact->mu};
    for (int i = 0; i < 9; i++) {
        b.K[i / 3][i % 3] = (Real)impact->K[i];
    }
    const Real det = b.K[1][1] * b.K[2][2] - b.K[1][2] * b.K[2][1];
    b.stick[0] = -(b.K[2][2] * b.K[1][0] - b.K[1][2] * b.K[2][0]) / det;
    b.stick[1] = -(b.K[1][1] * b.K[2][0] - b.K[2][1] * b.K[1][0]) / det;
    b.holds = sqrtl(b.stick[0] * b.stick[0] + b.stick[1] * b.stick[1]) <= b.mu;
    return b;
}

// The length of the step from y: at most h, and a small fraction of the impulse up to v = 0, so
// that slip that almost stops is resolved as well as any other.
static Real step_length(const RungeKutta* b, Real h, const Real y[SIZE])
{
    if (b->resting) {
        return h;
    }
    Real d[SIZE];
    rates(b, y, d);
    const Real v = sqrtl(y[1] * y[1] + y[2] * y[2]), rate = sqrtl(d[1] * d[1] + d[2] * d[2]);
    return h * rate > 0.002L * v ? 0.002L * v / rate : h;
}

// Slip has stopped: stick, or start slip again with an approximate direction, which converges to
// the right one by itself.
static void continue_from_rest(RungeKutta* b, Real least, Real y[SIZE])
{
    const Real size = sqrtl(b->K[1][0] * b->K[1][0] + b->K[2][0] * b->K[2][0]);
    b->resting = b->holds;
    y[1] = b->holds ? 0 : 2 * least * b->K[1][0] / size;
    y[2] = b->holds ? 0 : 2 * least * b->K[2][0] / size;
}

// A value >= 0 when the end of compression, or then the end of restitution, is reached.
static Real beyond(const utImpact* impact, bool closing, Real p, Real r_c, const Real y[SIZE])
{
    const Real e = (Real)impact->e;
    if (closing) {
        return y[0];
    }
    if (impact->law == UT_IMPACT_NEWTON) {
        return y[0] + e * (Real)impact->u[0];
    }
    return impact->law == UT_IMPACT_POISSON ? p - (1 + e) * r_c : y[6] + e * e * y[5];
}

RungeKuttaResult impact_runge_kutta(const utImpact* impact, double size)
{
    RungeKutta b = prepare(impact);
    Real y[SIZE] = {(Real)impact->u[0], (Real)impact->u[1], (Real)impact->u[2]}, next[SIZE];
    Real p = 0, r_c = 0;
    const Real least = 1e-17L * sqrtl(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    bool closing = true;
    for (long n = 0; n < 100000000; n++) {
        Real h = step_length(&b, (Real)size, y);
        step(&b, h, y, next);
        const bool event = beyond(impact, closing, p + h, r_c, next) >= 0;
        if (event) {
            // bisect the step for the event
            Real lo = 0, hi = h;
            for (int i = 0; i < 80; i++) {
                h = (lo + hi) / 2;
                step(&b, h, y, next);
                *(beyond(impact, closing, p + h, r_c, next) >= 0 ? &hi : &lo) = h;
            }
        }
        p += h;
        for (int i = 0; i < SIZE; i++) {
            y[i] = next[i];
        }
        if (event && !closing) {
            break;
        }
        if (event) {
            closing = false;
            r_c = p;
        }
        if (!b.resting && sqrtl(y[1] * y[1] + y[2] * y[2]) < least) {
            continue_from_rest(&b, least, y);
        }
    }
    return (RungeKuttaResult){
        .r = {(double)p, (double)y[3], (double)y[4]},
        .u = {(double)y[0], (double)y[1], (double)y[2]},
        .r_c = (double)r_c,
        .W_c = (double)y[5],
        .W_r = (double)y[6],
        .rested = b.resting,
    };
}
