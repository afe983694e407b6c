// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields as surfaces: the bounding-volume tree, and triangles by their number.
//
// A surface is a set of numbered triangles, counter-clockwise from outside, with numbered vertices.
// Edge k of a triangle goes from corner k to the next. The functions hide the kind of surface, so
// collision handles both kinds alike.
#ifndef UPTACK_GEOM_MESH_TREE_H
#define UPTACK_GEOM_MESH_TREE_H

#include <uptack/geom.h>

/// A node of the tree. Nodes are in depth-first order: the left child of node i is i + 1. Each leaf
/// is one triangle.
struct utMeshNode {
    utBounds bounds;
    int right;    ///< index of the right child; 0 for a leaf
    int triangle; ///< index of a leaf's triangle; -1 for an inner node
};

/// Largest depth of the tree. Each node halves its triangles, so 2^31 of them are at most 32 deep.
enum { MESH_DEPTH = 40 };

/// Build the tree of a mesh. @param order the triangles in any order; it is changed
/// @param node 2 triangles entries @return number of nodes
int ut_mesh_tree_build(const utMesh* mesh, int* order, struct utMeshNode* node);

/// A mesh or a height field.
typedef struct Surface {
    const utMesh* mesh;       ///< NULL for a height field
    const utHeights* heights; ///< NULL for a mesh
    utVec3 size;              ///< half extents of a height field, m
    double dx, dy;            ///< size of a height field's cells, m
    double extent;            ///< largest extent, m
} Surface;

typedef struct Triangle {
    int id;        ///< number of the triangle
    int corner[3]; ///< indices of its vertices
    utVec3 v[3];
    utVec3 normal; ///< unit
} Triangle;

Surface ut_surface_of_mesh(const utMesh* mesh);
Surface ut_surface_of_heights(const utHeights* heights, utVec3 size);

void ut_surface_triangle(const Surface* surface, int id, Triangle* triangle);

/// The triangle across edge k; -1: none.
int ut_surface_adjacent(const Surface* surface, int id, int k);

/// Has edge k its own range of contact normals? Borders and convex edges have; internal (flat or
/// concave) edges have none.
bool ut_surface_edge_is_convex(const Surface* surface, const Triangle* triangle, int k);

/// Is edge k of triangle a, shared with triangle b, convex? Measured from the triangle that extends
/// farther from the edge, so that exchanging a and b gives the same result.
/// @param extent of the surface: heights below its rounding count as 0
bool ut_edge_is_convex(const Triangle* a, int k, const Triangle* b, double extent);

/// Index of the vertex `corner` in the triangle; -1: none.
static inline int ut_triangle_find(const Triangle* triangle, int corner)
{
    return triangle->corner[0] == corner   ? 0
           : triangle->corner[1] == corner ? 1
           : triangle->corner[2] == corner ? 2
                                           : -1;
}

/// The cells of a height field that meet a box in its frame: columns x0 ... x1 - 1 and rows
/// y0 ... y1 - 1. No cells: x0 >= x1 or y0 >= y1.
typedef struct Cells {
    int x0, x1, y0, y1;
} Cells;

Cells ut_heights_cells(const Surface* surface, const utBounds* box);

#endif
