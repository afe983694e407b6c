// SPDX-License-Identifier: Apache-2.0
/// @file geom_flat.h
/// Figures of the plane as plain data: what a model keeps of the shapes of a planar world. flat.h
/// has what can be asked of them.
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

/// The tangent that belongs to a unit normal: n turned by -90 degrees.
static inline utVec2 ut_flat_tangent(utVec2 n)
{
    return ut_vec2(n.y, -n.x);
}

/// Where a figure is in the world. The angle is given by its cosine and sine, so that none is
/// computed here; cosine^2 + sine^2 is 1 up to rounding.
typedef struct utFlatFrame {
    utVec2 position; ///< of the figure's origin, m
    double cosine;
    double sine;
} utFlatFrame;

/// A frame that stands upright.
static inline utFlatFrame ut_flat_frame(double x, double y)
{
    const utFlatFrame at = {{x, y}, 1.0, 0.0};
    return at;
}

// ---- figures ------------------------------------------------------------------------------------

typedef enum utFlatKind {
    UT_FLAT_HALFPLANE, ///< all of y <= 0, its normal +y; size is without meaning
    UT_FLAT_CIRCLE,    ///< size.x: radius
    UT_FLAT_CAPSULE,   ///< size.x: radius; size.y: half the length of its axis, which is x
    UT_FLAT_RECTANGLE, ///< size: half extents
    UT_FLAT_POLYGON,   ///< convex, by its corners
    UT_FLAT_KIND_COUNT
} utFlatKind;

typedef struct utFlatShape {
    utFlatKind kind;
    utVec2 size;          ///< m
    int corners;          ///< UT_FLAT_POLYGON: how many, at least 3
    const utVec2* corner; ///< UT_FLAT_POLYGON: counter-clockwise; borrowed, outlives the shape
} utFlatShape;

/// A figure that its size says everything of.
static inline utFlatShape ut_flat_shape(utFlatKind kind, double x, double y)
{
    const utFlatShape shape = {kind, {x, y}, 0, NULL};
    return shape;
}

static inline utFlatShape ut_flat_polygon(int corners, const utVec2* corner)
{
    const utFlatShape shape = {UT_FLAT_POLYGON, {0.0, 0.0}, corners, corner};
    return shape;
}

#ifdef __cplusplus
}
#endif

#endif
