// SPDX-License-Identifier: Apache-2.0
// Net wrenches in double-double. If a light body is held between heavy ones, the impulses on it are
// millions of times larger than their sum, and their rounding would exceed the accuracy that the sum
// J'r needs.
#ifndef UPTACK_LA_WIDE_FORCE_H
#define UPTACK_LA_WIDE_FORCE_H

#include <uptack/vec.h>

#include "wide.h"

/// A wrench about some point: each component is the sum of two numbers.
typedef struct WideForce {
    Wide force[3], torque[3];
} WideForce;

static inline void wide_add(Wide* sum, double x)
{
    const Wide s = wide_sum(sum->hi, x);
    sum->hi = s.hi;
    sum->lo += s.lo;
}

static inline void wide_add_product(Wide* sum, double a, double b)
{
    const Wide p = wide_product(a, b);
    wide_add(sum, p.hi);
    sum->lo += p.lo;
}

/// f += r d
static inline void wide_add_scaled(Wide f[3], double r, utVec3 d)
{
    wide_add_product(&f[0], r, d.x);
    wide_add_product(&f[1], r, d.y);
    wide_add_product(&f[2], r, d.z);
}

/// A force in double-double that is pushed on two bodies. The halves of its leading parts serve all
/// products with levers.
typedef struct WideImpulse {
    Wide f[3];
    Wide half[3]; ///< f.hi as a sum of two numbers of 26 bits
} WideImpulse;

static inline WideImpulse wide_impulse(const Wide f[3])
{
    return (WideImpulse){
        .f = {f[0], f[1], f[2]},
        .half = {wide_halves(f[0].hi), wide_halves(f[1].hi), wide_halves(f[2].hi)}};
}

/// r[0] d[0] + r[1] d[1] + r[2] d[2]
static inline WideImpulse wide_impulse_along(const double r[3], const utVec3 d[3])
{
    Wide f[3] = {wide_product(r[0], d[0].x), wide_product(r[0], d[0].y),
                 wide_product(r[0], d[0].z)};
    wide_add_scaled(f, r[1], d[1]);
    wide_add_scaled(f, r[2], d[2]);
    return wide_impulse(f);
}

// a b exactly, with the halves of both.
static inline Wide wide_product_of_halves(double a, Wide x, double b, Wide y)
{
    const double p = a * b;
    return (Wide){p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

// One component of a torque: sum += a d - b c, with levers a, b and components c, d of the impulse.
static inline void wide_add_minor(Wide* sum, Wide a, Wide half_a, Wide b, Wide half_b,
                                  const WideImpulse* f, int d, int c)
{
    const Wide p = wide_product_of_halves(a.hi, half_a, f->f[d].hi, f->half[d]);
    const Wide m = wide_product_of_halves(b.hi, half_b, f->f[c].hi, f->half[c]);
    wide_add(sum, p.hi);
    sum->lo += p.lo;
    wide_add(sum, -m.hi);
    sum->lo -= m.lo;
    sum->lo += (a.hi * f->f[d].lo + a.lo * f->f[d].hi) - (b.hi * f->f[c].lo + b.lo * f->f[c].hi);
}

// torque += (to - from) x f
static inline void wide_add_torque(Wide torque[3], const WideImpulse* f, utVec3 from, utVec3 to)
{
    const Wide x = wide_sum(to.x, -from.x);
    const Wide y = wide_sum(to.y, -from.y);
    const Wide z = wide_sum(to.z, -from.z);
    const Wide hx = wide_halves(x.hi), hy = wide_halves(y.hi), hz = wide_halves(z.hi);
    wide_add_minor(&torque[0], y, hy, z, hz, f, 2, 1);
    wide_add_minor(&torque[1], z, hz, x, hx, f, 0, 2);
    wide_add_minor(&torque[2], x, hx, y, hy, f, 1, 0);
}

/// Add f at a point. @param about reference point of the torque
static inline void wide_push(WideForce* to, const WideImpulse* f, utVec3 point, utVec3 about)
{
    for (int k = 0; k < 3; k++) {
        wide_add(&to->force[k], f->f[k].hi);
        to->force[k].lo += f->f[k].lo;
    }
    wide_add_torque(to->torque, f, about, point);
}

/// Add -f at a point: the opposite lever gives the opposite torque.
static inline void wide_pull(WideForce* to, const WideImpulse* f, utVec3 point, utVec3 about)
{
    for (int k = 0; k < 3; k++) {
        wide_add(&to->force[k], -f->f[k].hi);
        to->force[k].lo -= f->f[k].lo;
    }
    wide_add_torque(to->torque, f, point, about);
}

/// sum += x, both about the same point.
static inline void wide_force_add(WideForce* sum, const WideForce* x)
{
    for (int k = 0; k < 3; k++) {
        wide_add(&sum->force[k], x->force[k].hi);
        sum->force[k].lo += x->force[k].lo;
        wide_add(&sum->torque[k], x->torque[k].hi);
        sum->torque[k].lo += x->torque[k].lo;
    }
}

static inline utForce wide_force_round(const WideForce* x)
{
    const Wide* f = x->force;
    const Wide* t = x->torque;
    return ut_force(ut_vec3(f[0].hi + f[0].lo, f[1].hi + f[1].lo, f[2].hi + f[2].lo),
                    ut_vec3(t[0].hi + t[0].lo, t[1].hi + t[1].lo, t[2].hi + t[2].lo));
}

#endif
