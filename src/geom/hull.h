// SPDX-License-Identifier: Apache-2.0
// Construction of a convex hull: the points are sorted and rounded to a grid (hull_points.c),
// wrapped in triangles by exact orientation tests (hull_wrap.c), and the triangles of one plane are
// merged into faces (hull_faces.c).
//
// All steps use the sorted order, which depends on the positions of the points and not on their
// numbers. So the hull does not depend on their numbers either.
#ifndef UPTACK_GEOM_HULL_H
#define UPTACK_GEOM_HULL_H

#include "internal.h"

enum { HULL_GRID_BITS = 40 };

/// Larger hulls take too much memory and, for thousands of corners of one face, time. Heights of points
/// above triangles are most of the time: n points in general position need about 10 n log2 n of them.
enum { HULL_MAX_CORNERS = 50000, HULL_MAX_HEIGHTS = 100000000 };

/// Distinct points in sorted order.
typedef struct HullPoints {
    int count;
    int* index;    ///< in the input
    utVec3* x;     ///< relative to the low corner of their bounding box, m
    utVec3* grid;  ///< the same in grid cells: integers from 0 to 2^40
    utVec3 low;    ///< low corner of the bounding box, m
    double size;   ///< largest extent along an axis, m
    double flat;   ///< a point closer to a plane than this is on it, m
    bool thin;     ///< all points are so close to a plane that the hull needs extra checks
    int corner[4]; ///< four points far apart that span a volume
} HullPoints;

/// A closed convex surface of triangles, counter-clockwise from outside.
typedef struct HullMesh {
    int triangles;
    int* corner;   ///< 3 per triangle
    int* adjacent; ///< 3 per triangle: the triangle across the edge from corner k to the next
} HullMesh;

/// Polygonal faces. A slot is a corner of a face together with the edge that leaves it.
typedef struct HullFaces {
    int faces, slots, corners;
    int* start;     ///< faces + 1 entries: the slots of face f
    int* vertex;    ///< per slot: index of the corner among the points
    int* twin;      ///< per slot: the slot of the same edge in the adjacent face
    utVec3* normal; ///< per face: outward, unit
    double* low;    ///< per face: least and largest normal . x over the corners
    double* high;
} HullFaces;

/// Sort indices by a total order. @param spare as long as item
void ut_geom_sort(int count, int* item, int* spare,
                  bool (*before)(const void* context, int a, int b), const void* context);

/// Twice the vector area of a triangle: normal to it, counter-clockwise.
static inline utVec3 ut_triangle_cross(utVec3 a, utVec3 b, utVec3 c)
{
    return ut_vec3_cross(ut_vec3_sub(b, a), ut_vec3_sub(c, a));
}

__extension__ typedef __int128 Wide;

/// The same for corners on the grid, computed exactly and rounded once.
static inline utVec3 ut_grid_cross(utVec3 a, utVec3 b, utVec3 c)
{
    const utVec3 u = ut_vec3_sub(b, a), v = ut_vec3_sub(c, a);
    const Wide ux = (Wide)u.x, uy = (Wide)u.y, uz = (Wide)u.z;
    const Wide vx = (Wide)v.x, vy = (Wide)v.y, vz = (Wide)v.z;
    return ut_vec3((double)(uy * vz - uz * vy), (double)(uz * vx - ux * vz),
                   (double)(ux * vy - uy * vx));
}

/// Check, sort and round the points. @param scratch holds the result
utStatus ut_hull_points(int count, const utVec3* point, utArena* scratch, HullPoints* points,
                        utError* err);

/// Wrap the points in triangles. @param scratch holds the result
utStatus ut_hull_wrap(const HullPoints* points, utArena* scratch, HullMesh* mesh, utError* err);

/// Merge the triangles into faces. @param scratch holds the result
utStatus ut_hull_faces(const HullPoints* points, const HullMesh* mesh, utArena* scratch,
                       HullFaces* faces);

#endif
