// SPDX-License-Identifier: Apache-2.0
// Net wrenches in double-double for machines with AVX2, without FMA: x, y and z are three lanes of a
// vector. Every lane has the operations of wide_force.h in their order, so the bits are the same.
#include "la/internal.h"

#ifdef UT_AVX2

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#include "wide_force.h"

typedef __m256d Lanes;

// A number hi + lo in each lane.
typedef struct WideLanes {
    Lanes hi, lo;
} WideLanes;

static inline Lanes lanes_of(utVec3 a)
{
    return (Lanes){a.x, a.y, a.z, 0.0};
}

static inline WideLanes lanes_sum(Lanes a, Lanes b)
{
    const Lanes s = a + b;
    const Lanes from_b = s - a;
    return (WideLanes){s, (a - (s - from_b)) + (b - from_b)};
}

static inline WideLanes lanes_halves(Lanes a)
{
    const Lanes t = 134217729.0 * a; // 2^27 + 1
    const Lanes hi = t - (t - a);
    return (WideLanes){hi, a - hi};
}

static inline WideLanes lanes_product(Lanes a, WideLanes x, Lanes b, WideLanes y)
{
    const Lanes p = a * b;
    return (WideLanes){p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

static inline void lanes_add(WideLanes* sum, Lanes hi, Lanes lo)
{
    const WideLanes s = lanes_sum(sum->hi, hi);
    sum->hi = s.hi;
    sum->lo += s.lo;
    sum->lo += lo;
}

static inline WideLanes lanes_load(const WideVec* x)
{
    return (WideLanes){_mm256_loadu_pd(x->hi), _mm256_loadu_pd(x->lo)};
}

static inline void lanes_store(WideVec* x, WideLanes value)
{
    _mm256_storeu_pd(x->hi, value.hi);
    _mm256_storeu_pd(x->lo, value.lo);
}

// (x, y, z) -> (y, z, x), and twice: (z, x, y)
static inline Lanes turn(Lanes a)
{
    return _mm256_permute4x64_pd(a, 1 | 2 << 2 | 0 << 4 | 3 << 6);
}

static inline WideLanes turn_once(WideLanes a)
{
    return (WideLanes){turn(a.hi), turn(a.lo)};
}

static inline WideLanes turn_twice(WideLanes a)
{
    enum { TWICE = 2 | 0 << 2 | 1 << 4 | 3 << 6 };
    return (WideLanes){_mm256_permute4x64_pd(a.hi, TWICE), _mm256_permute4x64_pd(a.lo, TWICE)};
}

// The impulse, and its components in the order in which levers need them.
typedef struct ImpulseLanes {
    WideLanes f;
    WideLanes once, half_once, twice, half_twice;
} ImpulseLanes;

static inline ImpulseLanes impulse_along(const double r[3], const utVec3 d[3])
{
    WideLanes f = {_mm256_setzero_pd(), _mm256_setzero_pd()};
    for (int k = 0; k < 3; k++) {
        const Lanes a = _mm256_set1_pd(r[k]);
        const Lanes b = lanes_of(d[k]);
        const WideLanes p = lanes_product(a, lanes_halves(a), b, lanes_halves(b));
        if (k == 0) {
            f = p;
        } else {
            lanes_add(&f, p.hi, p.lo);
        }
    }
    const WideLanes half = lanes_halves(f.hi);
    return (ImpulseLanes){f, turn_once(f), turn_once(half), turn_twice(f), turn_twice(half)};
}

// torque += (to - from) x f
static inline void add_torque(WideVec* torque, const ImpulseLanes* f, Lanes from, Lanes to)
{
    const WideLanes lever = lanes_sum(to, -from);
    const WideLanes half = lanes_halves(lever.hi);
    const WideLanes a = turn_once(lever), b = turn_twice(lever);
    const WideLanes p = lanes_product(a.hi, turn_once(half), f->twice.hi, f->half_twice);
    const WideLanes m = lanes_product(b.hi, turn_twice(half), f->once.hi, f->half_once);
    WideLanes sum = lanes_load(torque);
    lanes_add(&sum, p.hi, p.lo);
    lanes_add(&sum, -m.hi, -m.lo);
    sum.lo += (a.hi * f->twice.lo + a.lo * f->twice.hi) - (b.hi * f->once.lo + b.lo * f->once.hi);
    lanes_store(torque, sum);
}

void ut_wide_add_contact_avx2(const double r[3], const utVec3 d[3], utVec3 point,
                              const WideSide side[2])
{
    const ImpulseLanes f = impulse_along(r, d);
    const Lanes at = lanes_of(point);
    for (int k = 0; k < 2; k++) {
        if (side[k].sum == NULL) {
            continue;
        }
        const Lanes about = lanes_of(side[k].about);
        WideLanes force = lanes_load(&side[k].sum->force);
        if (k == 0) {
            lanes_add(&force, -f.f.hi, -f.f.lo);
            add_torque(&side[k].sum->torque, &f, at, about);
        } else {
            lanes_add(&force, f.f.hi, f.f.lo);
            add_torque(&side[k].sum->torque, &f, about, at);
        }
        lanes_store(&side[k].sum->force, force);
    }
}

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
