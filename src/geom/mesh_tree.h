// SPDX-License-Identifier: Apache-2.0
// What stands behind a mesh and a height field: the tree of boxes, and triangles by their number.
//
// A surface is a set of numbered triangles, counter-clockwise seen from outside, with numbered
// vertices; triangle t's edge k goes from its corner k to the next. Both kinds are seen through the
// same functions, so that whoever collides with one collides with the other.
#ifndef UPTACK_GEOM_MESH_TREE_H
#define UPTACK_GEOM_MESH_TREE_H

#include <uptack/geom.h>

/// A node of the tree, in the order of a walk that goes left first: the left child of node i is
/// i + 1. Each leaf is one triangle.
struct utMeshNode {
    utBounds bounds;
    int right;    ///< the right child; 0 for a leaf
    int triangle; ///< of a leaf; -1 otherwise
};

/// The tree halves its triangles at every node: 2^31 of them are 32 deep at most.
enum { MESH_DEPTH = 40 };

/// Edges that bend less than this (a sine) are flat.
#define UT_MESH_FLAT 1e-7

/// Either kind of surface.
typedef struct Surface {
    const utMesh* mesh;       ///< NULL for a height field
    const utHeights* heights; ///< NULL for a mesh
    utVec3 size;              ///< of a height field
    double dx, dy;            ///< its cells
    double extent;            ///< largest extent, m
} Surface;

typedef struct Triangle {
    int id;
    int corner[3]; ///< numbers of its vertices
    utVec3 v[3];
    utVec3 normal; ///< unit
} Triangle;

Surface ut_surface_of_mesh(const utMesh* mesh);
Surface ut_surface_of_heights(const utHeights* heights, utVec3 size);

void ut_surface_triangle(const Surface* surface, int id, Triangle* triangle);

/// The triangle across edge k; -1: none.
int ut_surface_adjacent(const Surface* surface, int id, int k);

/// May edge k touch with normals of its own? Borders may, flat and concave edges may not.
bool ut_surface_edge_is_convex(const Surface* surface, const Triangle* triangle, int k);

/// Does the surface bend down across edge k of a to b, the triangle behind it? Judged from the one
/// that reaches farther from the edge, so that it does not matter which is called a.
/// @param extent of the surface: heights below its rounding are none
bool ut_edge_bends_down(const Triangle* a, int k, const Triangle* b, double extent);

/// Which corner of the triangle is vertex `corner`; -1: none.
static inline int ut_triangle_find(const Triangle* triangle, int corner)
{
    return triangle->corner[0] == corner   ? 0
           : triangle->corner[1] == corner ? 1
           : triangle->corner[2] == corner ? 2
                                           : -1;
}

/// A height field's cells that meet a box of its frame, columns x0 ... x1 - 1 and rows y0 ...
/// y1 - 1; empty ones have x0 >= x1 or y0 >= y1.
typedef struct Cells {
    int x0, x1, y0, y1;
} Cells;

Cells ut_heights_cells(const Surface* surface, const utBounds* box);

#endif
