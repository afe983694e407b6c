// SPDX-License-Identifier: Apache-2.0
// Slip whose direction changes.
//
// With dp = v dx / scale the equations lose their singularity at v = 0 and become polynomial:
//
//     s' = h(s) t     v' = v g(s)     u_n' = v f(s)     p' = v     r_t' = -mu v s
//     W' = v u_n      F' = -mu v^2
//
// (t across s; all but p' stand for their share of `scale`, which makes h and g at most 1). The
// direction goes its own way to where h = 0, v decays or grows exponentially, and rest lies at
// infinite x, so that a slip that all but stops and leaves in another direction is as smooth as any
// other. Each step is a Taylor series whose coefficients follow from products of series; the series
// itself is what events are located on.
#include "internal.h"

enum { ORDER = 28, TERMS = ORDER + 1 };

/// Coefficients over one step; those of f and g go up to ORDER - 1.
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

// what s alone gives at order n: f, g, h
static void set_rates(const Contact* c, double scale, int n, Series* y)
{
    const double one = n == 0 ? 1.0 : 0.0, mu = c->mu;
    const double s0 = y->s[0][n], s1 = y->s[1][n];
    y->q[0][n] = (one * c->a[0] - mu * (c->k[0] * s0 + c->k[1] * s1)) / scale;
    y->q[1][n] = (one * c->a[1] - mu * (c->k[1] * s0 + c->k[2] * s1)) / scale;
    y->f[n] = (one - mu * (c->a[0] * s0 + c->a[1] * s1)) / scale;
    y->g[n] = product(y->s[0], y->q[0], n) + product(y->s[1], y->q[1], n);
    y->h[n] = product(y->s[0], y->q[1], n) - product(y->s[1], y->q[0], n);
}

static void expand(const Contact* c, double scale, const Point* at, Series* y)
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
        const double next = 1.0 / (n + 1), share = next / scale;
        y->s[0][n + 1] = -next * product(y->h, y->s[1], n);
        y->s[1][n + 1] = next * product(y->h, y->s[0], n);
        y->v[n + 1] = next * product(y->v, y->g, n);
        y->u_n[n + 1] = next * product(y->v, y->f, n);
        y->p[n + 1] = share * y->v[n];
        y->r_t[0][n + 1] = -c->mu * share * product(y->v, y->s[0], n);
        y->r_t[1][n + 1] = -c->mu * share * product(y->v, y->s[1], n);
        y->W[n + 1] = share * product(y->v, y->u_n, n);
        y->F[n + 1] = -c->mu * share * product(y->v, y->v, n);
    }
}

// The largest k with |coefficient| 2^(k n) <= 2^-64 size: rounding, less what products of series
// add to their coefficients.
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

// A power of two, so that no root is taken; at most 4, where a direction that has all but come to
// stand would allow more. One coefficient may be small by chance, so several are looked at.
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

static Point point_at(const Series* y, double x)
{
    const double s0 = value(y->s[0], TERMS, x), s1 = value(y->s[1], TERMS, x);
    const double length = sqrt(s0 * s0 + s1 * s1);
    return (Point){
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

// Where a series that is monotone between lo and hi passes through `level`: bisection and Newton's
// method, whichever stays inside, until the bounds are neighbours or the step is rounding.
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

// Where the law's end lies between lo and hi, in a stretch of restitution where u_n, when it
// counts, is monotone. @param missing at lo
static double end_between(const Series* y, const Phase* phase, double missing, const Point* from,
                          double lo, double hi)
{
    switch (phase->law) {
    case UT_IMPACT_NEWTON:
        return crossing(y->u_n, TERMS, from->u_n + missing, lo, hi);
    case UT_IMPACT_POISSON:
        return crossing(y->p, TERMS, from->p + missing, lo, hi);
    case UT_IMPACT_STRONGE:
    case UT_IMPACT_LAW_COUNT:
        break;
    }
    return crossing(y->W, TERMS, from->W + missing, lo, hi);
}

// The first event in (lo, hi], where f keeps its sign. @param x its place
static Event event_between(const Series* y, const Phase* phase, const Point* from, double lo,
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
        return EVENT_COMPRESSED;
    }
    const bool falls = !rising && u_end <= 0.0;
    if (falls) {
        *x = crossing(y->u_n, TERMS, 0.0, lo, hi);
    }
    const double missing = ut_impact_missing(phase, from);
    const Point end = point_at(y, *x);
    if (ut_impact_missing(phase, &end) <= 0.0) {
        *x = end_between(y, phase, missing, from, lo, *x);
        return EVENT_DONE;
    }
    return falls ? EVENT_CLOSING : EVENT_NONE;
}

// Go from lo to hi within a step. @return EVENT_DONE when the law's end lies between
static Event run_piece(const Series* y, Phase* phase, double lo, double hi, Point* at)
{
    phase->jamb = phase->jamb || (phase->closing && value(y->f, ORDER, 0.5 * (lo + hi)) < 0.0);
    while (lo < hi) {
        double x;
        const Event event = event_between(y, phase, at, lo, hi, &x);
        *at = point_at(y, x);
        if (event == EVENT_NONE) {
            break;
        }
        if (ut_impact_pass(phase, event, at) == EVENT_DONE) {
            return EVENT_DONE;
        }
        lo = x;
    }
    return EVENT_NONE;
}

// The direction turns one way and f is a cosine of its angle, so f changes sign at most once over a
// step (unless it only touches 0): on either side u_n is monotone.
static Event run_step(const Series* y, double step, Phase* phase, Point* at)
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

// ---- the way ------------------------------------------------------------------------------------

// Newton's method would move an attracting direction by less than rounding, or h is rounding itself
static bool direction_stands(const Contact* c, double scale, const double s[2])
{
    double h, slope;
    ut_impact_turning(c, s, &h, &slope);
    const double noise = 0x1p-53 * scale, small = -0x1p-51 * slope;
    return slope < 0.0 && fabs(h) <= (small > noise ? small : noise);
}

Event ut_impact_turn(const Contact* c, Phase* phase, Point* at, int* steps)
{
    Series y;
    const double scale = ut_impact_rate_scale(c);
    // below this slip has no effect that could be seen beside the closing speed or its own start
    const double least = 0x1p-60 * (at->v > 1.0 ? at->v : 1.0);
    while (!direction_stands(c, scale, at->s)) {
        if (!(at->v > least)) {
            return EVENT_STOPPED;
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
