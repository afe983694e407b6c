// SPDX-License-Identifier: Apache-2.0
// Rates of slip in a given direction, of stick, and of slip that starts from rest.
#include "internal.h"

// relative to its terms: a sum this small is the rounding error of a sum that is 0
static const double ROUNDING = 1e-14;

// Set rounding errors to 0: with a singular K both f and g may vanish, and an impulse must not grow
// to 1e15 by dividing by their rounding errors. @param size of the terms whose sum x is
static double without_noise(double x, double size)
{
    return fabs(x) <= ROUNDING * size ? 0.0 : x;
}

Rates ut_impact_slip_rates(const ScaledContact* c, const double s[2])
{
    double q[2];
    ut_impact_tangential_rate(c, s, q);
    const double f = 1.0 - c->mu * (c->a[0] * s[0] + c->a[1] * s[1]);
    const double g = q[0] * s[0] + q[1] * s[1];
    return (Rates){
        .f = without_noise(f, 1.0 + c->mu * (fabs(c->a[0]) + fabs(c->a[1]))),
        .g = without_noise(g, ut_impact_rate_scale(c)),
        .r_t = {-c->mu * s[0], -c->mu * s[1]},
    };
}

double ut_impact_rate_scale(const ScaledContact* c)
{
    return fabs(c->a[0]) + fabs(c->a[1]) +
           c->mu * (fabs(c->k[0]) + 2.0 * fabs(c->k[1]) + fabs(c->k[2]));
}

// With t = ds/dphi: h = t.(a - mu k s), dh/dphi = -s.(a - mu k s) - mu t.k t.
void ut_impact_turn_rate(const ScaledContact* c, const double s[2], double* h, double* slope)
{
    double q[2];
    ut_impact_tangential_rate(c, s, q);
    *h = s[0] * q[1] - s[1] * q[0];
    const double across =
        c->k[0] * s[1] * s[1] - 2.0 * c->k[1] * s[0] * s[1] + c->k[2] * s[0] * s[0];
    *slope = -(s[0] * q[0] + s[1] * q[1]) - c->mu * across;
}

// One Jacobi rotation: the tangent t of its angle is the smaller root of t^2 + 2 w t - 1 = 0.
void ut_impact_eigen(const double k[3], double value[2], double x[2])
{
    double t = 0.0;
    if (k[1] != 0.0) {
        const double w = (k[2] - k[0]) / (2.0 * k[1]);
        // |w| may be too large to be squared
        const double root = fabs(w) < 1e100 ? sqrt(1.0 + w * w) : fabs(w);
        t = (w >= 0.0 ? 1.0 : -1.0) / (fabs(w) + root);
    }
    const double cosine = 1.0 / sqrt(1.0 + t * t), sine = t * cosine;
    const double first = k[0] - t * k[1], second = k[2] + t * k[1];
    const bool in_order = first >= second;
    value[0] = in_order ? first : second;
    value[1] = in_order ? second : first;
    x[0] = in_order ? cosine : sine;
    x[1] = in_order ? -sine : cosine;
}

// a along the eigenvectors of k. In a direction that no impulse can move, rounding errors become 0.
static void in_eigenvectors(const ScaledContact* c, double value[2], double x[2], double along[2])
{
    ut_impact_eigen(c->k, value, x);
    along[0] = c->a[0] * x[0] + c->a[1] * x[1];
    along[1] = -c->a[0] * x[1] + c->a[1] * x[0];
    const double noise = ROUNDING * (1.0 + value[0]);
    for (int i = 0; i < 2; i++) {
        if (value[i] <= noise) {
            value[i] = 0.0;
            along[i] = fabs(along[i]) <= noise ? 0.0 : along[i];
        }
    }
}

// Stick needs a + k dr_t/dp = 0 with |dr_t/dp| <= mu.
bool ut_impact_sticks(const ScaledContact* c, Rates* rates)
{
    double value[2], x[2], along[2], need[2];
    in_eigenvectors(c, value, x, along);
    for (int i = 0; i < 2; i++) {
        if (value[i] == 0.0 && along[i] != 0.0) {
            return false;
        }
        need[i] = along[i] == 0.0 ? 0.0 : -along[i] / value[i];
    }
    if (!(sqrt(need[0] * need[0] + need[1] * need[1]) <= c->mu)) {
        return false;
    }
    *rates = (Rates){
        .f = without_noise(1.0 + along[0] * need[0] + along[1] * need[1], 1.0),
        .g = 0.0,
        .r_t = {x[0] * need[0] - x[1] * need[1], x[1] * need[0] + x[0] * need[1]},
    };
    return true;
}

// |y| for y = (mu k + g)^-1 a in eigenvectors, and its derivative with respect to g
static double length_of_s(const double stiff[2], const double along[2], double g, double y[2],
                          double* slope)
{
    double square = 0.0, fall = 0.0;
    for (int i = 0; i < 2; i++) {
        const double d = stiff[i] + g;
        y[i] = along[i] == 0.0 ? 0.0 : along[i] / d;
        square += y[i] * y[i];
        fall -= y[i] == 0.0 ? 0.0 : y[i] * y[i] / d;
    }
    const double size = sqrt(square);
    *slope = size > 0.0 ? fall / size : 0.0;
    return size;
}

// Find g such that s = (mu k + g)^-1 a has length 1. The length falls with g and is above 1 at g =
// 0, because friction cannot hold the contact, so there is one root. 1/|s| - 1 is nearly linear in
// g: Newton's method finds the root, safeguarded by bisection.
void ut_impact_reversal(const ScaledContact* c, double s[2])
{
    double value[2], x[2], along[2], y[2], slope;
    in_eigenvectors(c, value, x, along);
    const double stiff[2] = {c->mu * value[0], c->mu * value[1]};
    const double size = sqrt(along[0] * along[0] + along[1] * along[1]);
    double lo = size > stiff[0] ? size - stiff[0] : 0.0;
    double hi = size - stiff[1] > lo ? size - stiff[1] : lo;
    double g = lo > 0.0 ? lo : 0.5 * hi;
    for (int i = 0; i < 200 && lo < hi; i++) {
        const double length = length_of_s(stiff, along, g, y, &slope);
        if (length > 1.0) {
            lo = g;
        } else {
            hi = g;
        }
        const double next = g + (1.0 - length) * length / slope;
        const double inside = next > lo && next < hi ? next : 0.5 * (lo + hi);
        if (!(fabs(inside - g) > 0x1p-53 * g)) {
            break;
        }
        g = inside;
    }
    const double length = length_of_s(stiff, along, g > 0.0 ? g : DBL_MIN, y, &slope);
    s[0] = (x[0] * y[0] - x[1] * y[1]) / length;
    s[1] = (x[1] * y[0] + x[0] * y[1]) / length;
}
