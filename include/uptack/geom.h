// SPDX-License-Identifier: Apache-2.0
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

/// An axis-aligned box in the world.
typedef struct utBounds {
    utVec3 low;
    utVec3 high;
} utBounds;

typedef enum utShapeKind {
    UT_SHAPE_PLANE,     ///< the half space z <= 0, its normal +z; size is without meaning
    UT_SHAPE_SPHERE,    ///< size.x: radius
    UT_SHAPE_CAPSULE,   ///< size.x: radius; size.y: half the length of its axis, which is z
    UT_SHAPE_BOX,       ///< size: half extents
    UT_SHAPE_CYLINDER,  ///< size.x: radius; size.y: half the length of its axis, which is z
    UT_SHAPE_ELLIPSOID, ///< size: semi-axes
    UT_SHAPE_HULL,      ///< a convex polyhedron
    UT_SHAPE_MESH,      ///< triangles that do not move: a surface, solid on the inner side
    UT_SHAPE_HEIGHTS,   ///< a height field that does not move: solid below
    UT_SHAPE_KIND_COUNT
} utShapeKind;

typedef struct utHull utHull;
typedef struct utMesh utMesh;
typedef struct utHeights utHeights;

typedef struct utShape {
    utShapeKind kind;
    utVec3 size;              ///< m
    const utHull* hull;       ///< UT_SHAPE_HULL; not owned, as below
    const utMesh* mesh;       ///< UT_SHAPE_MESH
    const utHeights* heights; ///< UT_SHAPE_HEIGHTS
} utShape;

/// A shape that its size says everything of.
static inline utShape ut_shape(utShapeKind kind, utVec3 size)
{
    utShape shape;
    shape.kind = kind;
    shape.size = size;
    shape.hull = NULL;
    shape.mesh = NULL;
    shape.heights = NULL;
    return shape;
}

/// Has it a support function: may it move and meet everything else? All but planes, meshes and
/// height fields.
UT_API bool ut_shape_is_convex(utShapeKind kind);

/// @return "plane", "sphere", "capsule", "box", "cylinder", "ellipsoid", "hull", "mesh" or
///         "heights"; never NULL
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

/// The point of a convex shape that is farthest along a direction, in the shape's frame; of several
/// one of them, always the same. @param direction any length but 0
UT_API utVec3 ut_shape_support(const utShape* shape, utVec3 direction);

/// The least utBounds around a shape in the frame `at` (shape to world). A plane's reaches to
/// infinity except against a normal that is along an axis.
UT_API utBounds ut_shape_bounds(const utShape* shape, utFrame at);

// ---- convex polyhedra ---------------------------------------------------------------------------

/// A convex polyhedron with its features: immutable, made by ut_hull_build. Faces are as large as
/// they can be: points within 1e-9 of its size of a face's plane belong to it.
struct utHull {
    int vertices, edges, faces;
    const utVec3* vertex;
    const int* vertex_start; ///< vertices + 1: neighbours of vertex v are
    const int* neighbour;    ///< neighbour[vertex_start[v]] ... , 2 edges entries in all
    const utVec3* normal;    ///< faces: outward, unit
    const double* offset;    ///< faces: normal . x of its points
    const int* face_start;   ///< faces + 1: corners of face f are
    const int* face_vertex;  ///< face_vertex[face_start[f]] ..., counter-clockwise from outside;
    const int* face_edge;    ///< the edge from that corner to the next
    const int* edge_vertex;  ///< 2 edges: tail and head
    const int* edge_face;    ///< 2 edges: the face on the left of tail -> head from outside, the
                             ///< face on its right
    utVec3 center;           ///< of volume
    double size;             ///< largest extent along an axis, m
    double volume;
};

/// The convex hull of points in space. The result depends on the set of points only up to the order
/// of its vertices, which is that in which they were given; points that are no corners are left
/// out.
/// @return UT_ERR_ARGUMENT with a message: fewer than four points, one that is not finite (with its
///         index), or all on one plane, line or point to 1e-9 of their extent; UT_ERR_CAPACITY
UT_API utStatus ut_hull_build(int points, const utVec3* point, utArena* keep, utArena scratch,
                              utHull* hull, utError* err);

// ---- surfaces that do not move ------------------------------------------------------------------

/// Triangles, counter-clockwise seen from outside. Made by ut_mesh_build.
struct utMesh {
    int vertices, triangles;
    const utVec3* vertex;
    const int* triangle;   ///< 3 triangles
    const int* adjacent;   ///< 3 triangles: across the edge from corner k to the next; -1: none
    const uint8_t* convex; ///< 3 triangles: the edge is convex: its own normals may touch
    const utVec3* normal;  ///< triangles: unit
    const struct utMeshNode* node; ///< a tree of boxes, node[0] its root
    int nodes;
    utBounds bounds;
};

/// @return UT_ERR_ARGUMENT naming the first index out of range or vertex that is not finite;
///         triangles without area are left out
UT_API utStatus ut_mesh_build(int vertices, const utVec3* vertex, int triangles,
                              const int* triangle, utArena* keep, utArena scratch, utMesh* mesh,
                              utError* err);

/// Heights over a grid: row by row along x, y growing with the rows; between grid points two
/// triangles, cut from the lower left to the upper right corner. Seen in its own frame it covers
/// |x| <= size.x, |y| <= size.y, and is solid from -size.z up to the surface.
struct utHeights {
    int columns, rows;    ///< points along x and y, each at least 2
    const double* height; ///< rows x columns, m
    double low, high;     ///< the least and the largest
};

/// @param height stays the caller's @return UT_ERR_ARGUMENT naming a count below 2 or the first
///        height that is not finite
UT_API utStatus ut_heights_build(int columns, int rows, const double* height, utHeights* heights,
                                 utError* err);

#ifdef __cplusplus
}
#endif

#endif
