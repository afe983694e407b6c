// SPDX-License-Identifier: Apache-2.0
// One impact at one contact once more, apart from the module that made it: compression and
// restitution as the normal impulse p grows, with u_t = w s the slip, a = K_tn and k = K_tt.
//
//     dw/dp = s.(a - mu k s)     w ds/dp = t t.(a - mu k s), t across s     du_n/dp = 1 - mu a.s
//
// Slip whose direction stands, rest, and what leaves rest are straight in p and go by closed forms
// from event to event. While it turns, dp = w dT makes the equations smooth down to w = 0; they are
// taken in steps of T by the modified midpoint rule, extrapolated. Everything is scaled by the
// speed of closing and K_nn.
#include "follow.h"

#include <string.h>

enum { U, W, S1, S2, P, R1, R2, WORK, SIZE };
enum { COLUMNS = 6, MOST_STEPS = 20000 };

static const double STRAIGHT = 1e-13; // of the rates: a direction that stands
static const double REST = 1e-15;     // of the speed of closing: no slip
static const double STRIDE = 0.25;    // over the rates: a step of T

typedef struct Course {
    double a[2], k[3]; // k11, k12, k22
    double mu, e;
    FollowLaw law;
    double y[SIZE];
    bool closing;
    double begin_p, begin_work; // of the present stretch
    double p_c, work_c;         // of all stretches of compression that are over
    double p_r, work_r;         // and of restitution
    double compressed[3];
} Course;

// ---- the law ------------------------------------------------------------------------------------

// How far from the end of the stretch, as the law counts: <= 0 when it is reached.
static double missing(const Course* c, const double* y)
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

// A stretch ends where c stands. @return true when the impact does
static bool turn_over(Course* c, bool opens)
{
    const double p = c->y[P] - c->begin_p, work = c->y[WORK] - c->begin_work;
    *(c->closing ? &c->p_c : &c->p_r) += p;
    *(c->closing ? &c->work_c : &c->work_r) += work;
    c->begin_p = c->y[P];
    c->begin_work = c->y[WORK];
    if (!c->closing && !opens) {
        c->y[U] = 0.0;
        c->closing = true;
        return false;
    }
    if (!c->closing) {
        return true;
    }
    c->y[U] = 0.0;
    c->closing = false;
    memcpy(c->compressed, (double[3]){c->y[P], c->y[R1], c->y[R2]}, sizeof c->compressed);
    return missing(c, c->y) <= 0.0;
}

// ---- straight -----------------------------------------------------------------------------------

typedef struct Rates {
    double f;    // du_n/dp
    double g;    // dw/dp
    double r[2]; // dr_t/dp
} Rates;

static void go(Course* c, const Rates* rates, double p)
{
    c->y[WORK] += (c->y[U] + 0.5 * rates->f * p) * p;
    c->y[U] += rates->f * p;
    c->y[W] += rates->g * p;
    c->y[P] += p;
    c->y[R1] += rates->r[0] * p;
    c->y[R2] += rates->r[1] * p;
}

// p until the stretch ends by the law; HUGE_VAL: never
static double way_to_end(const Course* c, const Rates* rates)
{
    const double left = missing(c, c->y), f = rates->f, u = c->y[U];
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

// Go on until slip ends or the impact does. @return false when neither ever happens; done: it ended
static bool go_straight(Course* c, const Rates* rates, bool* done)
{
    *done = false;
    for (int stretch = 0; stretch < 8; stretch++) {
        const double end = way_to_end(c, rates);
        const double rest = rates->g < 0.0 ? c->y[W] / -rates->g : HUGE_VAL;
        const double close = !c->closing && rates->f < 0.0 ? c->y[U] / -rates->f : HUGE_VAL;
        const double p = fmin(end, fmin(rest, close));
        if (!(p < HUGE_VAL)) {
            return false;
        }
        go(c, rates, p);
        if (p == end || p == close) {
            *done = turn_over(c, p == end);
        }
        if (*done || p == rest) {
            c->y[W] = p == rest ? 0.0 : c->y[W];
            return true;
        }
    }
    return false;
}

// ---- while it turns -----------------------------------------------------------------------------

static void pull(const Course* c, const double* s, double q[2])
{
    q[0] = c->a[0] - c->mu * (c->k[0] * s[0] + c->k[1] * s[1]);
    q[1] = c->a[1] - c->mu * (c->k[1] * s[0] + c->k[2] * s[1]);
}

static double rate_of_turn(const Course* c, const double* s)
{
    double q[2];
    pull(c, s, q);
    return s[0] * q[1] - s[1] * q[0];
}

// with respect to T
static void derive(const Course* c, const double* y, double* d)
{
    const double* s = y + S1;
    double q[2];
    pull(c, s, q);
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

// y after T, extrapolated to steps of no length: the error of count steps is even in 1/count
static void stride(const Course* c, double T, double* out)
{
    double table[COLUMNS][SIZE];
    for (int row = 0; row < COLUMNS; row++) {
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

// What an event is found by: <= 0 once it has happened.
static double event(const Course* c, bool opens, const double* y)
{
    return opens ? missing(c, y) : y[U];
}

// Go to the event within the next T, by false position that halves what stays.
static void go_to(Course* c, bool opens, double T)
{
    double lo = 0.0, hi = T, out[SIZE];
    double at_lo = event(c, opens, c->y);
    stride(c, hi, out);
    double at_hi = event(c, opens, out);
    int last = 0;
    for (int n = 0; n < 100 && hi - lo > 4.0 * DBL_EPSILON * hi && at_hi != 0.0; n++) {
        double mid = hi - at_hi * (hi - lo) / (at_hi - at_lo);
        mid = mid > lo && mid < hi ? mid : 0.5 * (lo + hi);
        stride(c, mid, out);
        const double value = event(c, opens, out);
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
    stride(c, hi, out);
    memcpy(c->y, out, sizeof out);
}

// One step of T, or less to an event. @return true when the impact ended
static bool go_around(Course* c, double T)
{
    double out[SIZE];
    stride(c, T, out);
    const bool opens = missing(c, out) <= 0.0;
    const bool closes = !c->closing && out[U] < 0.0;
    if (!opens && !closes) {
        memcpy(c->y, out, sizeof out);
        return false;
    }
    go_to(c, opens, T);
    return turn_over(c, opens);
}

// ---- from rest ----------------------------------------------------------------------------------

// x = (k + shift)^-1 a
static void solve(const double* k, double shift, const double* a, double x[2])
{
    const double k11 = k[0] + shift, k22 = k[2] + shift;
    const double det = k11 * k22 - k[1] * k[1];
    x[0] = (k22 * a[0] - k[1] * a[1]) / det;
    x[1] = (k11 * a[1] - k[1] * a[0]) / det;
}

static double length_of(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

// a - mu k s = g s with |s| = 1: |(mu k + g)^-1 a| falls with g and is 1 at one g.
static void find_way_out(const Course* c, double s[2])
{
    const double stiff[3] = {c->mu * c->k[0], c->mu * c->k[1], c->mu * c->k[2]};
    double lo = 0.0, hi = 2.0 * length_of(c->a);
    for (int n = 0; n < 2000 && hi - lo > DBL_EPSILON * hi; n++) {
        const double g = 0.5 * (lo + hi);
        solve(stiff, g, c->a, s);
        *(length_of(s) > 1.0 ? &lo : &hi) = g;
    }
    solve(stiff, hi, c->a, s);
    const double length = length_of(s);
    s[0] /= length;
    s[1] /= length;
}

static Rates slip_rates(const Course* c, const double* s)
{
    double q[2];
    pull(c, s, q);
    return (Rates){.f = 1.0 - c->mu * (c->a[0] * s[0] + c->a[1] * s[1]),
                   .g = s[0] * q[0] + s[1] * q[1],
                   .r = {-c->mu * s[0], -c->mu * s[1]}};
}

static Rates rates_from_rest(Course* c)
{
    double need[2];
    // a little more than nothing, for a direction in which nothing moves
    solve(c->k, DBL_EPSILON * (c->k[0] + c->k[2]) + DBL_MIN, c->a, need);
    if (length_of(need) <= c->mu) {
        return (Rates){.f = 1.0 - c->a[0] * need[0] - c->a[1] * need[1], .r = {-need[0], -need[1]}};
    }
    find_way_out(c, c->y + S1);
    Rates rates = slip_rates(c, c->y + S1);
    rates.g = rates.g > 0.0 ? rates.g : 0.0;
    return rates;
}

// ---- all of it ----------------------------------------------------------------------------------

static bool follow(Course* c)
{
    const double rates = fabs(c->a[0]) + fabs(c->a[1]) +
                         c->mu * (fabs(c->k[0]) + 2.0 * fabs(c->k[1]) + fabs(c->k[2]));
    bool done = false;
    for (int n = 0; n < MOST_STEPS && !done; n++) {
        const bool slips = c->y[W] > REST;
        if (slips && c->mu > 0.0 && fabs(rate_of_turn(c, c->y + S1)) > STRAIGHT * rates) {
            done = go_around(c, STRIDE / rates);
            continue;
        }
        // without friction slip changes nothing
        Rates straight = {.f = 1.0};
        if (c->mu > 0.0) {
            straight = slips ? slip_rates(c, c->y + S1) : rates_from_rest(c);
        }
        if (!go_straight(c, &straight, &done)) {
            return false;
        }
    }
    return done;
}

bool ut_certify_follow(const FollowCase* of, double r[3], double compression[3])
{
    const double speed = -of->u[0], unit = speed / of->K[0][0];
    const double slip = sqrt(of->u[1] * of->u[1] + of->u[2] * of->u[2]);
    double sum = of->mu + of->e;
    for (int i = 0; i < 9; i++) {
        sum += of->K[i / 3][i % 3] + of->u[i % 3];
    }
    if (!(speed > 0.0) || !(of->K[0][0] > 0.0) || !isfinite(sum)) {
        return false;
    }
    Course c = {.mu = of->mu, .e = of->e, .law = of->law, .closing = true};
    for (int i = 0; i < 2; i++) {
        c.a[i] = 0.5 * (of->K[0][i + 1] + of->K[i + 1][0]) / of->K[0][0];
        c.y[S1 + i] = slip > 0.0 ? of->u[1 + i] / slip : 0.0;
    }
    c.k[0] = of->K[1][1] / of->K[0][0];
    c.k[1] = 0.5 * (of->K[1][2] + of->K[2][1]) / of->K[0][0];
    c.k[2] = of->K[2][2] / of->K[0][0];
    c.y[U] = -1.0;
    c.y[W] = slip / speed;
    if (!follow(&c)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        r[i] = unit * c.y[i == 0 ? P : R1 + i - 1];
        compression[i] = unit * c.compressed[i];
    }
    return true;
}
