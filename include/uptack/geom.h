/// @file geom.h
/// Solid shapes by themselves: sizes, volumes, mass properties, bounds.
///
/// A shape stands in a frame of its own, centred at the origin; where it is in the world, what it
/// belongs to and how it rubs is the business of others.
#ifndef UPTACK_GEOM_H
#define UPTACK_GEOM_H

#include <uptack/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum utShapeKind {
    UT_SHAPE_PLANE,   ///< the half space z <= 0, its normal +z; size is without meaning
    UT_SHAPE_SPHERE,  ///< size.x: radius
    UT_SHAPE_CAPSULE, ///< size.x: radius; size.y: half the length of its axis, which is z
    UT_SHAPE_BOX,     ///< size: half extents
    UT_SHAPE_KIND_COUNT
} utShapeKind;

typedef struct utShape {
    utShapeKind kind;
    utVec3 size; ///< m
} utShape;

/// @return "plane", "sphere", "capsule" or "box"; never NULL
UT_API const char* ut_shape_kind_name(utShapeKind kind);

/// @return UT_ERR_ARGUMENT for a size that is not positive and finite where the kind reads it (a
///         capsule's half length may be 0), naming it in err
UT_API utStatus ut_shape_check(const utShape* shape, utError* err);

/// Volume, m^3; 0 for a plane.
UT_API double ut_shape_volume(const utShape* shape);

/// Mass, centre and moment of inertia of a solid of uniform density (kg/m^3) in the shape's frame;
/// all 0 for a plane.
UT_API utInertia ut_shape_inertia(const utShape* shape, double density);

/// Radius of the least ball about the origin that holds the shape; INFINITY for a plane.
UT_API double ut_shape_radius(const utShape* shape);

/// An axis-aligned box in the world.
typedef struct utBounds {
    utVec3 low;
    utVec3 high;
} utBounds;

/// The least such box around a shape in the frame `at` (shape to world). A plane's reaches to
/// infinity except against a normal that is along an axis.
UT_API utBounds ut_shape_bounds(const utShape* shape, utFrame at);

#ifdef __cplusplus
}
#endif

#endif
