// SPDX-License-Identifier: Apache-2.0
// Small functions of bounding boxes.
#ifndef UPTACK_GEOM_BOUNDS_H
#define UPTACK_GEOM_BOUNDS_H

#include <uptack/geom.h>

/// The bounds of no points: low is above high.
static inline utBounds ut_bounds_empty(void)
{
    return (utBounds){ut_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL),
                      ut_vec3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
}

/// Extend the bounds to a point. Compares by hand, because fmin and fmax are calls and hulls have
/// thousands of vertices.
static inline void ut_bounds_include(utBounds* bounds, utVec3 x)
{
    bounds->low.x = x.x < bounds->low.x ? x.x : bounds->low.x;
    bounds->low.y = x.y < bounds->low.y ? x.y : bounds->low.y;
    bounds->low.z = x.z < bounds->low.z ? x.z : bounds->low.z;
    bounds->high.x = x.x > bounds->high.x ? x.x : bounds->high.x;
    bounds->high.y = x.y > bounds->high.y ? x.y : bounds->high.y;
    bounds->high.z = x.z > bounds->high.z ? x.z : bounds->high.z;
}

/// Do two boxes have a point in common?
static inline bool ut_bounds_meet(const utBounds* a, const utBounds* b)
{
    // without branches, because the failing comparison is not predictable
    return (a->low.x <= b->high.x) & (b->low.x <= a->high.x) & (a->low.y <= b->high.y) &
           (b->low.y <= a->high.y) & (a->low.z <= b->high.z) & (b->low.z <= a->high.z);
}

/// Is b inside a?
static inline bool ut_bounds_hold(const utBounds* a, const utBounds* b)
{
    return a->low.x <= b->low.x && a->low.y <= b->low.y && a->low.z <= b->low.z &&
           b->high.x <= a->high.x && b->high.y <= a->high.y && b->high.z <= a->high.z;
}

/// The least box around two boxes.
static inline utBounds ut_bounds_join(const utBounds* a, const utBounds* b)
{
    utBounds c = *a;
    c.low.x = b->low.x < c.low.x ? b->low.x : c.low.x;
    c.low.y = b->low.y < c.low.y ? b->low.y : c.low.y;
    c.low.z = b->low.z < c.low.z ? b->low.z : c.low.z;
    c.high.x = b->high.x > c.high.x ? b->high.x : c.high.x;
    c.high.y = b->high.y > c.high.y ? b->high.y : c.high.y;
    c.high.z = b->high.z > c.high.z ? b->high.z : c.high.z;
    return c;
}

#endif
