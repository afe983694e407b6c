// SPDX-License-Identifier: Apache-2.0
/// @file geom_flat.h
/// Plane figures as plain data: the shapes of a planar world. Functions of them are in flat.h.
///
/// The inline functions below write nothing, so any number of threads may call them at once.
#ifndef UPTACK_GEOM_FLAT_H
#define UPTACK_GEOM_FLAT_H

#include <uptack/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- vectors and frames -------------------------------------------------------------------------

typedef struct utVec2 {
    double x, y;
} utVec2;

static inline utVec2 ut_vec2(double x, double y)
{
    const utVec2 a = {x, y};
    return a;
}

/// The tangent of a contact with unit normal n: n turned by -90 degrees.
static inline utVec2 ut_flat_tangent(utVec2 n)
{
    return ut_vec2(n.y, -n.x);
}

/// Position and orientation of a figure in the world. The angle is given by its cosine and sine;
/// cosine^2 + sine^2 is 1 up to rounding.
typedef struct utFlatFrame {
    utVec2 position; ///< of the figure's origin, m
    double cosine;
    double sine;
} utFlatFrame;

/// A frame with the angle 0.
static inline utFlatFrame ut_flat_frame(double x, double y)
{
    const utFlatFrame at = {{x, y}, 1.0, 0.0};
    return at;
}

// ---- figures ------------------------------------------------------------------------------------

typedef enum utFlatKind {
    UT_FLAT_HALFPLANE, ///< y <= 0 with the normal +y; size is not used
    UT_FLAT_CIRCLE,    ///< size.x: radius
    UT_FLAT_CAPSULE,   ///< size.x: radius; size.y: half the length of its axis, which is x
    UT_FLAT_RECTANGLE, ///< size: half extents
    UT_FLAT_POLYGON,   ///< convex, given by its corners
    UT_FLAT_KIND_COUNT
} utFlatKind;

typedef struct utFlatShape {
    utFlatKind kind;
    utVec2 size;          ///< m
    int corners;          ///< UT_FLAT_POLYGON: number of corners, at least 3
    const utVec2* corner; ///< UT_FLAT_POLYGON: counter-clockwise; owned by the caller
} utFlatShape;

/// A figure that is completely described by its size.
static inline utFlatShape ut_flat_shape(utFlatKind kind, double x, double y)
{
    const utFlatShape shape = {kind, {x, y}, 0, NULL};
    return shape;
}

/// A convex polygon. @param corner counter-clockwise, not copied
static inline utFlatShape ut_flat_polygon(int corners, const utVec2* corner)
{
    const utFlatShape shape = {UT_FLAT_POLYGON, {0.0, 0.0}, corners, corner};
    return shape;
}

#ifdef __cplusplus
}
#endif

#endif
