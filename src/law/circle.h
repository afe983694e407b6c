// SPDX-License-Identifier: Apache-2.0
// The circle in space with numbers whose squares neither overflow nor underflow: what nearly every
// contact of every step has. All functions have the bits of the general ones, or return NaN or false,
// which leaves the work to these.
#ifndef UPTACK_LAW_CIRCLE_H
#define UPTACK_LAW_CIRCLE_H

#include "internal.h"

/// Squares within these bounds belong to vectors that scale_exponent leaves as they are.
static const double LEAST_SQUARE = 0x1p-798;
static const double LARGEST_SQUARE = 0x1p798;

static inline bool law_is_circle(const utLaw* law)
{
    return law_usable(law) && law->section->kind == UT_SECTION_CIRCLE;
}

/// sqrt(square), NaN where the squares of a and b or c need scaling.
static inline double moderate_root(double square, bool zero)
{
    return (square > LEAST_SQUARE && square < LARGEST_SQUARE) || zero ? sqrt(square) : (double)NAN;
}

static inline double circle_length2(const double x[2])
{
    return moderate_root(x[0] * x[0] + x[1] * x[1], x[0] == 0.0 && x[1] == 0.0);
}

static inline double circle_length3(const double x[3])
{
    return moderate_root(x[0] * x[0] + x[1] * x[1] + x[2] * x[2],
                         x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0);
}

/// c = 1 / sqrt(1 + slope^2), s = slope c, without overflow for a large slope
static inline void unit_slope(double slope, double* c, double* s)
{
    if (slope <= 1.0) {
        *c = 1.0 / sqrt(1.0 + slope * slope);
        *s = slope * *c;
    } else {
        const double inverse = 1.0 / slope;
        *s = 1.0 / sqrt(1.0 + inverse * inverse);
        *c = inverse * *s;
    }
}

/// P_K(r). @return UT_LAW_INVALID: not known
static inline utLawRegion circle_project(double mu, const double r[3], double p[3])
{
    const double size = circle_length2(r + 1);
    if (!(size >= 0.0) || !(circle_length3(r) >= 0.0)) {
        return UT_LAW_INVALID;
    }
    if (r[0] >= 0.0 && size <= mu * r[0]) {
        p[0] = r[0];
        p[1] = r[1];
        p[2] = r[2];
        return UT_LAW_INSIDE;
    }
    double c, s;
    unit_slope(mu, &c, &s);
    const double w = c * r[0] + s * size;
    if (mu * size <= -r[0] || !(w > 0.0)) {
        p[0] = p[1] = p[2] = 0.0;
        return UT_LAW_OPEN;
    }
    const double t[2] = {r[1] / size, r[2] / size};
    p[0] = w * c;
    p[1] = w * s * t[0] - 0.0 * t[1]; // as set_point has it: a zero keeps its sign
    p[2] = w * s * t[1] + 0.0 * t[0];
    return UT_LAW_FACE;
}

/// The error of r and u (ut_law_error). @return NaN: not known
static inline double circle_error(const utLaw* law, double m, const double r[3], const double u[3])
{
    const double shift = law->convex ? 0.0 : law->mu * circle_length2(u + 1);
    const double u_hat[3] = {u[0] + shift, u[1], u[2]};
    const double x[3] = {r[0] - m * u_hat[0], r[1] - m * u_hat[1], r[2] - m * u_hat[2]};
    double p[3];
    const utLawRegion region = circle_project(law->mu, x, p);
    if (region == UT_LAW_INVALID || !isfinite(shift)) {
        return (double)NAN;
    }
    const double change[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    return region == UT_LAW_INSIDE ? circle_length3(u_hat) : circle_length3(change) / m;
}

#endif
