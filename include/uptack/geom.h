// SPDX-License-Identifier: Apache-2.0
/// @file geom.h
/// Solid shapes: checks, volumes, mass properties, support maps and bounds; convex hulls, triangle
/// meshes and height fields.
///
/// A shape is given in its own frame. Position, body and friction belong to other modules.
///
/// Functions may be called from several threads at once as long as they do not share objects that
/// they write to. Hulls and meshes do not change after they are built, so threads may share them.
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
    UT_SHAPE_PLANE,     ///< the half space z <= 0 with the normal +z; size is not used
    UT_SHAPE_SPHERE,    ///< size.x: radius
    UT_SHAPE_CAPSULE,   ///< size.x: radius; size.y: half the length of its axis, which is z
    UT_SHAPE_BOX,       ///< size: half extents
    UT_SHAPE_CYLINDER,  ///< size.x: radius; size.y: half the length of its axis, which is z
    UT_SHAPE_ELLIPSOID, ///< size: semi-axes
    UT_SHAPE_HULL,      ///< a convex polyhedron
    UT_SHAPE_MESH,      ///< a surface of triangles on a fixed body, solid on the inner side
    UT_SHAPE_HEIGHTS,   ///< a height field on a fixed body, solid below
    UT_SHAPE_KIND_COUNT
} utShapeKind;

typedef struct utHull utHull;
typedef struct utMesh utMesh;
typedef struct utHeights utHeights;

typedef struct utShape {
    utShapeKind kind;
    utVec3 size;              ///< m
    const utHull* hull;       ///< UT_SHAPE_HULL; owned by the caller, like the next two
    const utMesh* mesh;       ///< UT_SHAPE_MESH
    const utHeights* heights; ///< UT_SHAPE_HEIGHTS
} utShape;

/// A shape that is completely described by its size.
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

/// Is a shape of this kind convex and bounded? All kinds are, except planes, meshes and height
/// fields. Such shapes have a support map and may move.
UT_API bool ut_shape_is_convex(utShapeKind kind);

/// @return "plane", "sphere", "capsule", "box", "cylinder", "ellipsoid", "hull", "mesh" or
///         "heights"; never NULL
UT_API const char* ut_shape_kind_name(utShapeKind kind);

/// Check a shape.
/// @return UT_ERR_ARGUMENT, with the reason in err, for a size that the kind uses and that is not
///         positive and finite (a capsule's half length may be 0), or for missing data
UT_API utStatus ut_shape_check(const utShape* shape, utError* err);

/// Volume, m^3; 0 for planes, meshes and height fields.
UT_API double ut_shape_volume(const utShape* shape);

/// Mass, centre of mass and moments of inertia for a uniform density (kg/m^3), in the shape's
/// frame; 0 for planes, meshes and height fields.
UT_API utInertia ut_shape_inertia(const utShape* shape, double density);

/// The same for a mass that is spread evenly over the surface, with a density per area (kg/m^2). The
/// surface of an ellipsoid is approximated, within 1.1 per cent.
UT_API utInertia ut_shape_shell_inertia(const utShape* shape, double density);

/// Radius of the least ball about the origin that contains the shape, m; INFINITY for a plane.
UT_API double ut_shape_radius(const utShape* shape);

/// Support map: the point of a convex shape farthest along a direction, in the shape's frame. If
/// there are several, the choice is deterministic. @param direction any length but 0
UT_API utVec3 ut_shape_support(const utShape* shape, utVec3 direction);

/// The bounding box of a shape in the frame `at` (shape to world); for a mesh or height field the
/// bounds of its box. Those of a plane are infinite, except on the side of a normal that is along
/// an axis.
UT_API utBounds ut_shape_bounds(const utShape* shape, utFrame at);

// ---- convex polyhedra ---------------------------------------------------------------------------

/// A convex polyhedron with its vertices, edges and faces, built by ut_hull_build. Faces are
/// maximal: a point within 1e-9 of the hull's size of a face's plane belongs to the face.
struct utHull {
    int vertices, edges, faces;
    const utVec3* vertex;
    const int* vertex_start; ///< vertices + 1 entries; the neighbours of vertex v are
    const int* neighbour;    ///< neighbour[vertex_start[v]] ... neighbour[vertex_start[v + 1] - 1]
    const utVec3* normal;    ///< per face: outward, unit
    const double* offset;    ///< per face: normal . x of its points
    const int* face_start;   ///< faces + 1 entries; the corners of face f, counter-clockwise, are
    const int* face_vertex;  ///< face_vertex[face_start[f]] ... face_vertex[face_start[f + 1] - 1]
    const int* face_edge;    ///< for each entry of face_vertex the edge to the next corner
    const int* edge_vertex;  ///< 2 per edge: tail and head
    const int* edge_face;    ///< 2 per edge: the faces left and right of tail -> head, from outside
    utVec3 center;           ///< centre of volume, m
    double size;             ///< largest extent along an axis, m
    double volume;           ///< m^3
};

/// Build the convex hull of points in space. Vertices are in the order of the points; points that
/// are not corners are left out. Apart from that order the result depends on the set of points
/// alone.
/// @param keep, scratch different arenas; `keep` holds the hull
/// @return UT_ERR_ARGUMENT, with the reason in err: fewer than four points, a point that is not
///         finite (with its index), or all points on one plane, line or point up to 1e-9 of their
///         extent, more than 50,000 corners, or too much work; UT_ERR_CAPACITY without memory
UT_API utStatus ut_hull_build(int points, const utVec3* point, utArena* keep, utArena scratch,
                              utHull* hull, utError* err);

// ---- fixed surfaces -----------------------------------------------------------------------------

/// Triangles, counter-clockwise from outside, built by ut_mesh_build.
struct utMesh {
    int vertices, triangles;
    const utVec3* vertex;
    const int* triangle; ///< 3 per triangle: its vertices
    const int*
        adjacent; ///< 3 per triangle: the triangle across the edge from corner k to the next;
                  ///< -1: none
    const uint8_t*
        convex; ///< 3 per triangle: 1 if the edge is convex (or a border), so that it may be
                ///< touched; internal edges are 0
    const utVec3* normal;          ///< per triangle: unit
    const struct utMeshNode* node; ///< bounding-volume tree, node[0] is the root
    int nodes;
    utBounds bounds;
};

/// Build a mesh. Vertices with equal coordinates are merged; triangles without area are left out.
/// @param keep, scratch different arenas; `keep` holds the mesh
/// @return UT_ERR_ARGUMENT, with the reason in err, for an index out of range or a vertex that is
///         not finite; UT_ERR_CAPACITY without memory
UT_API utStatus ut_mesh_build(int vertices, const utVec3* vertex, int triangles,
                              const int* triangle, utArena* keep, utArena scratch, utMesh* mesh,
                              utError* err);

/// Heights over a grid, row by row: x increases within a row, y with the rows. Each cell consists
/// of two triangles, divided from the lower left to the upper right corner. In its own frame the
/// field covers |x| <= size.x, |y| <= size.y (size of the utShape), and is solid from -size.z up to
/// the surface.
struct utHeights {
    int columns, rows;    ///< points along x and y, each at least 2
    const double* height; ///< rows x columns, m; owned by the caller
    double low, high;     ///< least and largest height, m
};

/// Build a height field. @param height is not copied
/// @return UT_ERR_ARGUMENT, with the reason in err, for a count below 2 or a height that is not
///         finite
UT_API utStatus ut_heights_build(int columns, int rows, const double* height, utHeights* heights,
                                 utError* err);

#ifdef __cplusplus
}
#endif

#endif
