// SPDX-License-Identifier: Apache-2.0
// Net wrenches in double-double. If a light body is held between heavy ones, the impulses on it are
// millions of times larger than their sum, and their rounding would exceed the accuracy that the sum
// J'r needs.
#ifndef UPTACK_LA_WIDE_FORCE_H
#define UPTACK_LA_WIDE_FORCE_H

#include <uptack/vec.h>

#include "wide.h"

/// A vector whose components are sums of two numbers. The fourth ones are 0: they fill a vector register.
typedef struct WideVec {
    double hi[4], lo[4];
} WideVec;

/// A wrench about some point.
typedef struct WideForce {
    WideVec force, torque;
} WideForce;

static inline void wide_add(WideVec* sum, int k, double x)
{
    const Wide s = wide_sum(sum->hi[k], x);
    sum->hi[k] = s.hi;
    sum->lo[k] += s.lo;
}

static inline void wide_add_product(WideVec* sum, int k, double a, double b)
{
    const Wide p = wide_product(a, b);
    wide_add(sum, k, p.hi);
    sum->lo[k] += p.lo;
}

/// f += r d
static inline void wide_add_scaled(WideVec* f, double r, utVec3 d)
{
    wide_add_product(f, 0, r, d.x);
    wide_add_product(f, 1, r, d.y);
    wide_add_product(f, 2, r, d.z);
}

/// A force in double-double that is pushed on two bodies. The halves of its leading parts serve all
/// products with levers.
typedef struct WideImpulse {
    WideVec f;
    Wide half[3]; ///< f.hi as a sum of two numbers of 26 bits
} WideImpulse;

static inline WideImpulse wide_impulse(const WideVec* f)
{
    return (WideImpulse){
        .f = *f, .half = {wide_halves(f->hi[0]), wide_halves(f->hi[1]), wide_halves(f->hi[2])}};
}

/// r[0] d[0] + r[1] d[1] + r[2] d[2]
static inline WideImpulse wide_impulse_along(const double r[3], const utVec3 d[3])
{
    const Wide x = wide_product(r[0], d[0].x);
    const Wide y = wide_product(r[0], d[0].y);
    const Wide z = wide_product(r[0], d[0].z);
    WideVec f = {.hi = {x.hi, y.hi, z.hi}, .lo = {x.lo, y.lo, z.lo}};
    wide_add_scaled(&f, r[1], d[1]);
    wide_add_scaled(&f, r[2], d[2]);
    return wide_impulse(&f);
}

// a b exactly, with the halves of both.
static inline Wide wide_product_of_halves(double a, Wide x, double b, Wide y)
{
    const double p = a * b;
    return (Wide){p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

// Component k of a torque: sum += a d - b c, with levers a, b and components c, d of the impulse.
static inline void wide_add_minor(WideVec* sum, int k, Wide a, Wide half_a, Wide b, Wide half_b,
                                  const WideImpulse* f, int d, int c)
{
    const double* hi = f->f.hi;
    const double* lo = f->f.lo;
    const Wide p = wide_product_of_halves(a.hi, half_a, hi[d], f->half[d]);
    const Wide m = wide_product_of_halves(b.hi, half_b, hi[c], f->half[c]);
    wide_add(sum, k, p.hi);
    sum->lo[k] += p.lo;
    wide_add(sum, k, -m.hi);
    sum->lo[k] -= m.lo;
    sum->lo[k] += (a.hi * lo[d] + a.lo * hi[d]) - (b.hi * lo[c] + b.lo * hi[c]);
}

// torque += (to - from) x f
static inline void wide_add_torque(WideVec* torque, const WideImpulse* f, utVec3 from, utVec3 to)
{
    const Wide x = wide_sum(to.x, -from.x);
    const Wide y = wide_sum(to.y, -from.y);
    const Wide z = wide_sum(to.z, -from.z);
    const Wide hx = wide_halves(x.hi), hy = wide_halves(y.hi), hz = wide_halves(z.hi);
    wide_add_minor(torque, 0, y, hy, z, hz, f, 2, 1);
    wide_add_minor(torque, 1, z, hz, x, hx, f, 0, 2);
    wide_add_minor(torque, 2, x, hx, y, hy, f, 1, 0);
}

/// Add f at a point. @param about reference point of the torque
static inline void wide_push(WideForce* to, const WideImpulse* f, utVec3 point, utVec3 about)
{
    for (int k = 0; k < 3; k++) {
        wide_add(&to->force, k, f->f.hi[k]);
        to->force.lo[k] += f->f.lo[k];
    }
    wide_add_torque(&to->torque, f, about, point);
}

/// Add -f at a point: the opposite lever gives the opposite torque.
static inline void wide_pull(WideForce* to, const WideImpulse* f, utVec3 point, utVec3 about)
{
    for (int k = 0; k < 3; k++) {
        wide_add(&to->force, k, -f->f.hi[k]);
        to->force.lo[k] -= f->f.lo[k];
    }
    wide_add_torque(&to->torque, f, point, about);
}

/// A body on which an impulse acts.
typedef struct WideSide {
    WideForce* sum; ///< NULL: nothing moves the body
    utVec3 about;   ///< reference point of its torque
} WideSide;

/// Push side 1 by r[0] d[0] + r[1] d[1] + r[2] d[2] at a point, and pull side 0 by the same. On machines
/// with AVX2 the components are processed together, with the same bits as wide_push and wide_pull.
void ut_wide_add_contact(const double r[3], const utVec3 d[3], utVec3 point,
                         const WideSide side[2]);

/// The same for every machine, and for machines with AVX2 (la/internal.h).
void ut_wide_add_contact_base(const double r[3], const utVec3 d[3], utVec3 point,
                              const WideSide side[2]);
void ut_wide_add_contact_avx2(const double r[3], const utVec3 d[3], utVec3 point,
                              const WideSide side[2]);

/// sum += x, both about the same point.
static inline void wide_force_add(WideForce* sum, const WideForce* x)
{
    for (int k = 0; k < 3; k++) {
        wide_add(&sum->force, k, x->force.hi[k]);
        sum->force.lo[k] += x->force.lo[k];
        wide_add(&sum->torque, k, x->torque.hi[k]);
        sum->torque.lo[k] += x->torque.lo[k];
    }
}

static inline utVec3 wide_vec_round(const WideVec* x)
{
    return ut_vec3(x->hi[0] + x->lo[0], x->hi[1] + x->lo[1], x->hi[2] + x->lo[2]);
}

static inline utForce wide_force_round(const WideForce* x)
{
    return ut_force(wide_vec_round(&x->force), wide_vec_round(&x->torque));
}

#endif
