// SPDX-License-Identifier: Apache-2.0
// One impact at one contact, integrated without the impact module: compression and restitution as
// the normal impulse p grows. The slip is u_t = w s with the unit direction s; a = K_tn, k = K_tt.
//
//     dw/dp = s.(a - mu k s)     w ds/dp = t t.(a - mu k s), t ⟂ s     du_n/dp = 1 - mu a.s
//
// Slip in a constant direction, stick, and the start of slip from stick are linear in p, so closed
// forms lead from event to event. While the direction turns, the substitution dp = w dT keeps the
// equations smooth down to w = 0; the extrapolated modified midpoint rule integrates them over T.
// All quantities are scaled by the closing speed and K_nn.
#include "follow.h"

#include <string.h>

// entries of the state y: u_n, w, s, p, r_t and the normal work
enum { U, W, S1, S2, P, R1, R2, WORK, SIZE };

enum {
    EXTRAPOLATION_ROWS = 6, // order 12
    MAX_STEPS = 20000,      // an impact that needs more steps counts as endless
    MAX_PHASES = 8,         // within one linear piece; with more the impact counts as endless
    MAX_ROOT_STEPS = 100,
    MAX_BISECTIONS = 2000, // doubles end after about 2100 halvings
};

// Relative to the rates: a slower change of the slip direction is rounding, so the
// direction is constant.
static const double CONSTANT_DIRECTION = 1e-13;

// Relative to the closing speed: a slower slip is rounding, so the contact sticks.
static const double NO_SLIP = 1e-15;

// Times the inverse of the rates: the step of T. The direction turns by at most a
// quarter of a radian.
static const double T_STEP = 0.25;

typedef struct Course {
    double a[2], k[3]; // k11, k12, k22
    double mu, e;
    FollowLaw law;
    double y[SIZE];
    bool closing;               // the phase is compression, else restitution
    double begin_p, begin_work; // p and work at the start of the phase
    double p_c, work_c;         // sums over the finished phases of compression
    double p_r, work_r;         // sums over the finished phases of restitution
    double compression[3];      // impulse at the last end of compression
} Course;

// ---- the law ------------------------------------------------------------------------------------

// Distance from the end of the phase, in the quantity of the law: <= 0 once the phase has ended.
static double remaining(const Course* c, const double* y)
{
    if (c->closing) {
        return -y[U];
    }
    if (c->law == FOLLOW_NEWTON) {
        return c->e - y[U];
    }
    if (c->law == FOLLOW_POISSON) {
        return c->e * c->p_c - c->p_r - (y[P] - c->begin_p);
    }
    return -c->e * c->e * c->work_c - c->work_r - (y[WORK] - c->begin_work);
}

// End the phase at the present state. @param by_law the law ended it, not a new compression
// @return true when the impact has ended
static bool end_phase(Course* c, bool by_law)
{
    const double p = c->y[P] - c->begin_p, work = c->y[WORK] - c->begin_work;
    *(c->closing ? &c->p_c : &c->p_r) += p;
    *(c->closing ? &c->work_c : &c->work_r) += work;
    c->begin_p = c->y[P];
    c->begin_work = c->y[WORK];
    if (!c->closing && !by_law) {
        c->y[U] = 0.0;
        c->closing = true;
        return false;
    }
    if (!c->closing) {
        return true;
    }
    c->y[U] = 0.0;
    c->closing = false;
    memcpy(c->compression, (double[3]){c->y[P], c->y[R1], c->y[R2]}, sizeof c->compression);
    return remaining(c, c->y) <= 0.0;
}

// ---- linear pieces ------------------------------------------------------------------------------

typedef struct Rates {
    double f;    // du_n/dp
    double g;    // dw/dp
    double r[2]; // dr_t/dp
} Rates;

static void advance(Course* c, const Rates* rates, double p)
{
    c->y[WORK] += (c->y[U] + 0.5 * rates->f * p) * p;
    c->y[U] += rates->f * p;
    c->y[W] += rates->g * p;
    c->y[P] += p;
    c->y[R1] += rates->r[0] * p;
    c->y[R2] += rates->r[1] * p;
}

// Impulse p until the law ends the phase; HUGE_VAL: the law never ends it.
static double impulse_to_end(const Course* c, const Rates* rates)
{
    const double left = remaining(c, c->y), f = rates->f, u = c->y[U];
    double p = HUGE_VAL;
    if (c->closing || c->law == FOLLOW_NEWTON) {
        p = f > 0.0 ? left / f : HUGE_VAL;
    } else if (c->law == FOLLOW_POISSON) {
        p = left;
    } else {
        // u p + f p^2 / 2 = left
        const double square = u * u + 2.0 * f * left;
        p = square >= 0.0 && u + sqrt(square) > 0.0 ? 2.0 * left / (u + sqrt(square)) : HUGE_VAL;
    }
    return p > 0.0 ? p : 0.0;
}

// Advance until slip stops or the impact ends. @param done the impact has ended
// @return false when neither happens
static bool advance_linear(Course* c, const Rates* rates, bool* done)
{
    *done = false;
    for (int phase = 0; phase < MAX_PHASES; phase++) {
        const double end = impulse_to_end(c, rates);
        const double stop = rates->g < 0.0 ? c->y[W] / -rates->g : HUGE_VAL;
        const double close = !c->closing && rates->f < 0.0 ? c->y[U] / -rates->f : HUGE_VAL;
        const double p = fmin(end, fmin(stop, close));
        if (!(p < HUGE_VAL)) {
            return false;
        }
        advance(c, rates, p);
        if (p == end || p == close) {
            *done = end_phase(c, p == end);
        }
        if (*done || p == stop) {
            c->y[W] = p == stop ? 0.0 : c->y[W];
            return true;
        }
    }
    return false;
}

// ---- turning slip -------------------------------------------------------------------------------

// q = a - mu k s, the rate of u_t
static void tangential_rate(const Course* c, const double* s, double q[2])
{
    q[0] = c->a[0] - c->mu * (c->k[0] * s[0] + c->k[1] * s[1]);
    q[1] = c->a[1] - c->mu * (c->k[1] * s[0] + c->k[2] * s[1]);
}

static double turning_rate(const Course* c, const double* s)
{
    double q[2];
    tangential_rate(c, s, q);
    return s[0] * q[1] - s[1] * q[0];
}

// d = dy/dT
static void derive(const Course* c, const double* y, double* d)
{
    const double* s = y + S1;
    double q[2];
    tangential_rate(c, s, q);
    const double turn = s[0] * q[1] - s[1] * q[0];
    d[U] = y[W] * (1.0 - c->mu * (c->a[0] * s[0] + c->a[1] * s[1]));
    d[W] = y[W] * (s[0] * q[0] + s[1] * q[1]);
    d[S1] = -s[1] * turn;
    d[S2] = s[0] * turn;
    d[P] = y[W];
    d[R1] = -c->mu * s[0] * y[W];
    d[R2] = -c->mu * s[1] * y[W];
    d[WORK] = y[U] * y[W];
}

static void midpoint(const Course* c, double T, int count, double* out)
{
    double before[SIZE], at[SIZE], d[SIZE];
    const double h = T / (double)count;
    memcpy(before, c->y, sizeof before);
    derive(c, before, d);
    for (int i = 0; i < SIZE; i++) {
        at[i] = before[i] + h * d[i];
    }
    for (int n = 1; n < count; n++) {
        derive(c, at, d);
        for (int i = 0; i < SIZE; i++) {
            const double next = before[i] + 2.0 * h * d[i];
            before[i] = at[i];
            at[i] = next;
        }
    }
    derive(c, at, d);
    for (int i = 0; i < SIZE; i++) {
        out[i] = 0.5 * (at[i] + before[i] + h * d[i]);
    }
}

// y after T, extrapolated to steps of length 0; the error of n steps is an even series in 1/n.
static void integrate(const Course* c, double T, double* out)
{
    double table[EXTRAPOLATION_ROWS][SIZE];
    for (int row = 0; row < EXTRAPOLATION_ROWS; row++) {
        midpoint(c, T, 2 * (row + 1), table[row]);
        for (int k = row - 1; k >= 0; k--) {
            const double ratio = (double)(row + 1) / (double)(k + 1);
            for (int i = 0; i < SIZE; i++) {
                table[k][i] =
                    table[k + 1][i] + (table[k + 1][i] - table[k][i]) / (ratio * ratio - 1.0);
            }
        }
    }
    memcpy(out, table[0], SIZE * sizeof *out);
    const double length = sqrt(out[S1] * out[S1] + out[S2] * out[S2]);
    out[S1] /= length;
    out[S2] /= length;
}

// The function whose sign change is the event: <= 0 once it has happened.
static double event(const Course* c, bool by_law, const double* y)
{
    return by_law ? remaining(c, y) : y[U];
}

// Advance to the event within the next T, by the Illinois variant of false position.
static void advance_to_event(Course* c, bool by_law, double T)
{
    double lo = 0.0, hi = T, out[SIZE];
    double at_lo = event(c, by_law, c->y);
    integrate(c, hi, out);
    double at_hi = event(c, by_law, out);
    int last = 0;
    for (int n = 0; n < MAX_ROOT_STEPS && hi - lo > 4.0 * DBL_EPSILON * hi && at_hi != 0.0; n++) {
        double mid = hi - at_hi * (hi - lo) / (at_hi - at_lo);
        mid = mid > lo && mid < hi ? mid : 0.5 * (lo + hi);
        integrate(c, mid, out);
        const double value = event(c, by_law, out);
        if (value > 0.0) {
            lo = mid;
            at_lo = value;
            at_hi = last == 1 ? 0.5 * at_hi : at_hi;
            last = 1;
        } else {
            hi = mid;
            at_hi = value;
            at_lo = last == -1 ? 0.5 * at_lo : at_lo;
            last = -1;
        }
    }
    integrate(c, hi, out);
    memcpy(c->y, out, sizeof out);
}

// Advance by T, or to an event before. @return true when the impact has ended
static bool advance_turning(Course* c, double T)
{
    double out[SIZE];
    integrate(c, T, out);
    const bool by_law = remaining(c, out) <= 0.0;
    const bool closes = !c->closing && out[U] < 0.0;
    if (!by_law && !closes) {
        memcpy(c->y, out, sizeof out);
        return false;
    }
    advance_to_event(c, by_law, T);
    return end_phase(c, by_law);
}

// ---- from stick ---------------------------------------------------------------------------------

// x = (k + shift)^-1 a
static void solve(const double* k, double shift, const double* a, double x[2])
{
    const double k11 = k[0] + shift, k22 = k[2] + shift;
    const double det = k11 * k22 - k[1] * k[1];
    x[0] = (k22 * a[0] - k[1] * a[1]) / det;
    x[1] = (k11 * a[1] - k[1] * a[0]) / det;
}

// Its square is a normal number.
static const double LEAST_SHIFT = 0x1p-500;

static double length_of(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

// The direction in which slip starts: a - mu k s = g s with |s| = 1. |(mu k + g)^-1 a| falls with g
// and is 1 for exactly one g, which bisection finds.
static void find_slip_direction(const Course* c, double s[2])
{
    const double mu_k[3] = {c->mu * c->k[0], c->mu * c->k[1], c->mu * c->k[2]};
    double lo = 0.0, hi = 2.0 * length_of(c->a);
    for (int n = 0; n < MAX_BISECTIONS && hi - lo > DBL_EPSILON * hi; n++) {
        const double g = 0.5 * (lo + hi);
        solve(mu_k, g, c->a, s);
        *(length_of(s) > 1.0 ? &lo : &hi) = g;
    }
    solve(mu_k, hi, c->a, s);
    const double length = length_of(s);
    s[0] /= length;
    s[1] /= length;
}

static Rates slip_rates(const Course* c, const double* s)
{
    double q[2];
    tangential_rate(c, s, q);
    return (Rates){.f = 1.0 - c->mu * (c->a[0] * s[0] + c->a[1] * s[1]),
                   .g = s[0] * q[0] + s[1] * q[1],
                   .r = {-c->mu * s[0], -c->mu * s[1]}};
}

static Rates rates_from_stick(Course* c)
{
    double need[2]; // friction per normal impulse that keeps the contact sticking
    // the shift keeps k invertible when nothing can move in one direction, or in none
    solve(c->k, DBL_EPSILON * (c->k[0] + c->k[2]) + LEAST_SHIFT, c->a, need);
    if (length_of(need) <= c->mu) {
        return (Rates){.f = 1.0 - c->a[0] * need[0] - c->a[1] * need[1], .r = {-need[0], -need[1]}};
    }
    find_slip_direction(c, c->y + S1);
    Rates rates = slip_rates(c, c->y + S1);
    rates.g = rates.g > 0.0 ? rates.g : 0.0;
    return rates;
}

// ---- the impact ---------------------------------------------------------------------------------

static bool integrate_impact(Course* c)
{
    const double rates = fabs(c->a[0]) + fabs(c->a[1]) +
                         c->mu * (fabs(c->k[0]) + 2.0 * fabs(c->k[1]) + fabs(c->k[2]));
    bool done = false;
    for (int n = 0; n < MAX_STEPS && !done; n++) {
        const bool slips = c->y[W] > NO_SLIP;
        if (slips && c->mu > 0.0 && fabs(turning_rate(c, c->y + S1)) > CONSTANT_DIRECTION * rates) {
            done = advance_turning(c, T_STEP / rates);
            continue;
        }
        // without friction slip has no effect
        Rates linear = {.f = 1.0};
        if (c->mu > 0.0) {
            linear = slips ? slip_rates(c, c->y + S1) : rates_from_stick(c);
        }
        if (!advance_linear(c, &linear, &done)) {
            return false;
        }
    }
    return done;
}

bool ut_certify_follow(const FollowCase* impact, double r[3], double compression[3])
{
    const double speed = -impact->u[0], unit = speed / impact->K[0][0];
    const double slip = sqrt(impact->u[1] * impact->u[1] + impact->u[2] * impact->u[2]);
    double sum = impact->mu + impact->e;
    for (int i = 0; i < 9; i++) {
        sum += impact->K[i / 3][i % 3] + impact->u[i % 3];
    }
    if (!(speed > 0.0) || !(impact->K[0][0] > 0.0) || !isfinite(sum)) {
        return false;
    }
    Course c = {.mu = impact->mu, .e = impact->e, .law = impact->law, .closing = true};
    for (int i = 0; i < 2; i++) {
        c.a[i] = 0.5 * (impact->K[0][i + 1] + impact->K[i + 1][0]) / impact->K[0][0];
        c.y[S1 + i] = slip > 0.0 ? impact->u[1 + i] / slip : 0.0;
    }
    c.k[0] = impact->K[1][1] / impact->K[0][0];
    c.k[1] = 0.5 * (impact->K[1][2] + impact->K[2][1]) / impact->K[0][0];
    c.k[2] = impact->K[2][2] / impact->K[0][0];
    c.y[U] = -1.0;
    c.y[W] = slip / speed;
    if (!integrate_impact(&c)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        r[i] = unit * c.y[i == 0 ? P : R1 + i - 1];
        compression[i] = unit * c.compression[i];
    }
    return true;
}
