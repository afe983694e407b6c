// SPDX-License-Identifier: Apache-2.0
// Slip whose direction turns, integrated by Taylor series.
//
// With dp = v dx / scale the equations lose their singularity at v = 0 and become polynomial:
//
//     s' = h(s) t     v' = v g(s)     u_n' = v f(s)     p' = v     r_t' = -mu v s
//     W' = v u_n      F' = -mu v^2
//
// where t is perpendicular to s. All right-hand sides are divided by `scale`, so that |g| and |h|
// are at most 1. The direction s moves towards a root of h independently of v. v decays or grows
// exponentially, and rest lies at x = infinity. So slip that almost stops and then leaves in
// another direction is as smooth as any other. Each step is a Taylor series whose coefficients
// follow from products of series. Events are located on the series.
#include "internal.h"

enum { ORDER = 28, TERMS = ORDER + 1 };

// The Taylor coefficients of one step; those of q, f, g and h go up to ORDER - 1.
typedef struct Series {
    double s[2][TERMS];
    double q[2][TERMS]; ///< a - mu k s
    double f[TERMS], g[TERMS], h[TERMS];
    double v[TERMS], u_n[TERMS], p[TERMS], r_t[2][TERMS], W[TERMS], F[TERMS];
} Series;

// ---- coefficients -------------------------------------------------------------------------------

// coefficient n of the product of two series
static double product(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i <= n; i++) {
        sum += a[i] * b[n - i];
    }
    return sum;
}

// Coefficients n of q, f, g and h, from those of s.
static void set_rates(const ScaledContact* c, double scale, int n, Series* y)
{
    const double one = n == 0 ? 1.0 : 0.0, mu = c->mu;
    const double s0 = y->s[0][n], s1 = y->s[1][n];
    y->q[0][n] = (one * c->a[0] - mu * (c->k[0] * s0 + c->k[1] * s1)) / scale;
    y->q[1][n] = (one * c->a[1] - mu * (c->k[1] * s0 + c->k[2] * s1)) / scale;
    y->f[n] = (one - mu * (c->a[0] * s0 + c->a[1] * s1)) / scale;
    y->g[n] = product(y->s[0], y->q[0], n) + product(y->s[1], y->q[1], n);
    y->h[n] = product(y->s[0], y->q[1], n) - product(y->s[1], y->q[0], n);
}

static void expand(const ScaledContact* c, double scale, const Progress* at, Series* y)
{
    y->s[0][0] = at->s[0];
    y->s[1][0] = at->s[1];
    y->v[0] = at->v;
    y->u_n[0] = at->u_n;
    y->p[0] = at->p;
    y->r_t[0][0] = at->r_t[0];
    y->r_t[1][0] = at->r_t[1];
    y->W[0] = at->W;
    y->F[0] = at->F;
    for (int n = 0; n < ORDER; n++) {
        set_rates(c, scale, n, y);
        const double next = 1.0 / (n + 1), scaled = next / scale;
        y->s[0][n + 1] = -next * product(y->h, y->s[1], n);
        y->s[1][n + 1] = next * product(y->h, y->s[0], n);
        y->v[n + 1] = next * product(y->v, y->g, n);
        y->u_n[n + 1] = next * product(y->v, y->f, n);
        y->p[n + 1] = scaled * y->v[n];
        y->r_t[0][n + 1] = -c->mu * scaled * product(y->v, y->s[0], n);
        y->r_t[1][n + 1] = -c->mu * scaled * product(y->v, y->s[1], n);
        y->W[n + 1] = scaled * product(y->v, y->u_n, n);
        y->F[n + 1] = -c->mu * scaled * product(y->v, y->v, n);
    }
}

// The largest k with |coefficient| 2^(k n) <= 2^-64 size. 2^-64 is smaller than rounding, because
// coefficients grow in products of series.
static int step_exponent(double coefficient, double size, int n)
{
    int exponent;
    const double relative = fabs(coefficient) / size;
    if (!(relative > 0x1p-400)) {
        return 2;
    }
    frexp(relative, &exponent);
    const int room = -64 - exponent;
    return room >= 0 ? room / n : -((-room + n - 1) / n);
}

// The length of the next step: a power of two, which needs no root, and at most 4, because the
// series allows any length once the direction is almost constant. Several coefficients are tested,
// because one of them may be small by chance.
static double choose_step(const Series* y)
{
    int best = 2;
    for (int n = ORDER - 3; n <= ORDER; n++) {
        const int k[3] = {step_exponent(y->s[0][n], 1.0, n), step_exponent(y->s[1][n], 1.0, n),
                          step_exponent(y->v[n], y->v[0], n)};
        for (int i = 0; i < 3; i++) {
            best = k[i] < best ? k[i] : best;
        }
    }
    return ldexp(1.0, best);
}

// ---- values -------------------------------------------------------------------------------------

static double value(const double* series, int terms, double x)
{
    double sum = 0.0;
    for (int i = terms - 1; i >= 0; i--) {
        sum = sum * x + series[i];
    }
    return sum;
}

static Progress point_at(const Series* y, double x)
{
    const double s0 = value(y->s[0], TERMS, x), s1 = value(y->s[1], TERMS, x);
    const double length = sqrt(s0 * s0 + s1 * s1);
    return (Progress){
        .u_n = value(y->u_n, TERMS, x),
        .v = value(y->v, TERMS, x),
        .s = {s0 / length, s1 / length},
        .p = value(y->p, TERMS, x),
        .r_t = {value(y->r_t[0], TERMS, x), value(y->r_t[1], TERMS, x)},
        .W = value(y->W, TERMS, x),
        .F = value(y->F, TERMS, x),
    };
}

// ---- events -------------------------------------------------------------------------------------

// The x at which a series that is monotone between lo and hi takes the value `level`: Newton's
// method safeguarded by bisection, to rounding.
static double crossing(const double* series, int terms, double level, double lo, double hi)
{
    const bool rising = value(series, terms, lo) < value(series, terms, hi);
    double x = 0.5 * (lo + hi);
    for (int i = 0; i < 200; i++) {
        double y = 0.0, slope = 0.0;
        for (int j = terms - 1; j >= 0; j--) {
            slope = slope * x + y;
            y = y * x + series[j];
        }
        const bool beyond = rising ? y >= level : y <= level;
        if (beyond) {
            hi = x;
        } else {
            lo = x;
        }
        const double newton = x - (y - level) / slope;
        if (fabs(newton - x) <= 0x1p-52 * x) {
            return newton > lo && newton < hi ? newton : x;
        }
        const double next = newton > lo && newton < hi ? newton : 0.5 * (lo + hi);
        if (next == x || !(lo < hi)) {
            break;
        }
        x = next;
    }
    return x;
}

// The x between lo and hi at which restitution is complete. u_n is monotone there.
// @param remaining at lo
static double end_between(const Series* y, const Phase* phase, double remaining,
                          const Progress* from, double lo, double hi)
{
    switch (phase->law) {
    case UT_IMPACT_NEWTON:
        return crossing(y->u_n, TERMS, from->u_n + remaining, lo, hi);
    case UT_IMPACT_POISSON:
        return crossing(y->p, TERMS, from->p + remaining, lo, hi);
    case UT_IMPACT_STRONGE:
    case UT_IMPACT_LAW_COUNT:
        break;
    }
    return crossing(y->W, TERMS, from->W + remaining, lo, hi);
}

// The first event in (lo, hi], where f keeps its sign. @param x receives its place, or hi
static Event event_between(const Series* y, const Phase* phase, const Progress* from, double lo,
                           double hi, double* x)
{
    const bool rising = value(y->f, ORDER, 0.5 * (lo + hi)) > 0.0;
    const double u_end = value(y->u_n, TERMS, hi);
    *x = hi;
    if (phase->closing) {
        if (!rising || !(u_end >= 0.0)) {
            return EVENT_NONE;
        }
        *x = crossing(y->u_n, TERMS, 0.0, lo, hi);
        return EVENT_COMPRESSION_ENDS;
    }
    const bool falls = !rising && u_end <= 0.0;
    if (falls) {
        *x = crossing(y->u_n, TERMS, 0.0, lo, hi);
    }
    const double remaining = ut_impact_remaining(phase, from);
    const Progress end = point_at(y, *x);
    if (ut_impact_remaining(phase, &end) <= 0.0) {
        *x = end_between(y, phase, remaining, from, lo, *x);
        return EVENT_DONE;
    }
    return falls ? EVENT_CLOSES_AGAIN : EVENT_NONE;
}

// Advance from lo to hi within a step. @return EVENT_DONE when restitution is complete before hi
static Event run_piece(const Series* y, Phase* phase, double lo, double hi, Progress* at)
{
    phase->jam = phase->jam || (phase->closing && value(y->f, ORDER, 0.5 * (lo + hi)) < 0.0);
    while (lo < hi) {
        double x;
        const Event event = event_between(y, phase, at, lo, hi, &x);
        *at = point_at(y, x);
        if (event == EVENT_NONE) {
            break;
        }
        if (ut_impact_handle(phase, event, at) == EVENT_DONE) {
            return EVENT_DONE;
        }
        lo = x;
    }
    return EVENT_NONE;
}

// The direction turns one way and f is a cosine of its angle, so f changes sign at most once per
// step, unless it only touches 0. u_n is monotone on either side.
static Event run_step(const Series* y, double step, Phase* phase, Progress* at)
{
    const double first = y->f[0], last = value(y->f, ORDER, step);
    double lo = 0.0;
    if ((first < 0.0 && last > 0.0) || (first > 0.0 && last < 0.0)) {
        const double turn = crossing(y->f, ORDER, 0.0, 0.0, step);
        if (run_piece(y, phase, lo, turn, at) == EVENT_DONE) {
            return EVENT_DONE;
        }
        lo = turn;
    }
    return run_piece(y, phase, lo, step, at);
}

// ---- all steps ----------------------------------------------------------------------------------

// Has an attracting direction been reached? It has when Newton's method would move s by less than
// rounding, or when h itself is rounding.
static bool direction_is_constant(const ScaledContact* c, double scale, const double s[2])
{
    double h, slope;
    ut_impact_turn_rate(c, s, &h, &slope);
    const double noise = 0x1p-53 * scale, small = -0x1p-51 * slope;
    return slope < 0.0 && fabs(h) <= (small > noise ? small : noise);
}

Event ut_impact_turning_slip(const ScaledContact* c, Phase* phase, Progress* at, int* steps)
{
    Series y;
    const double scale = ut_impact_rate_scale(c);
    // slower slip has no visible effect next to the closing speed or to the initial slip
    const double least = 0x1p-60 * (at->v > 1.0 ? at->v : 1.0);
    while (!direction_is_constant(c, scale, at->s)) {
        if (!(at->v > least)) {
            return EVENT_SLIP_STOPS;
        }
        if (*steps == IMPACT_MAX_STEPS) {
            break;
        }
        expand(c, scale, at, &y);
        ++*steps;
        if (run_step(&y, choose_step(&y), phase, at) == EVENT_DONE) {
            return EVENT_DONE;
        }
    }
    return EVENT_NONE;
}
