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

// sum += sign (a d - b c)
static inline void wide_add_minor(Wide* sum, double sign, Wide a, Wide d, Wide b, Wide c)
{
    wide_add_product(sum, sign * a.hi, d.hi);
    wide_add_product(sum, -sign * b.hi, c.hi);
    sum->lo += sign * ((a.hi * d.lo + a.lo * d.hi) - (b.hi * c.lo + b.lo * c.hi));
}

/// Add sign f at a point. @param sign 1 or -1  @param about reference point of the torque
static inline void wide_push(WideForce* to, double sign, const Wide f[3], utVec3 point,
                             utVec3 about)
{
    const Wide x = wide_sum(point.x, -about.x);
    const Wide y = wide_sum(point.y, -about.y);
    const Wide z = wide_sum(point.z, -about.z);
    for (int k = 0; k < 3; k++) {
        wide_add(&to->force[k], sign * f[k].hi);
        to->force[k].lo += sign * f[k].lo;
    }
    wide_add_minor(&to->torque[0], sign, y, f[2], z, f[1]);
    wide_add_minor(&to->torque[1], sign, z, f[0], x, f[2]);
    wide_add_minor(&to->torque[2], sign, x, f[1], y, f[0]);
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
