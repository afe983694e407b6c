// SPDX-License-Identifier: Apache-2.0
// How a convex hull is made: points are ordered and laid on a grid (hull_points.c), wrapped in
// triangles whose orientation is decided exactly (hull_wrap.c), and the triangles of one plane are
// joined to faces (hull_faces.c).
//
// Everything between works on points in an order of their own, which depends on where they are and
// not on how they were numbered: so does the result.
#ifndef UPTACK_GEOM_HULL_H
#define UPTACK_GEOM_HULL_H

#include "internal.h"

/// Distinct points in their own order.
typedef struct HullPoints {
    int count;
    int* index;    ///< as given
    utVec3* x;     ///< from the low corner of their box, m
    utVec3* grid;  ///< the same in cells: whole numbers from 0 to 2^40
    utVec3 low;    ///< that corner
    double size;   ///< largest extent along an axis
    double flat;   ///< 1e-9 of it: what is closer to a plane belongs to it
    bool thin;     ///< some plane is so close to all points that all must be looked at twice
    int corner[4]; ///< four of them that span a volume, far apart
} HullPoints;

/// A closed convex surface of triangles, counter-clockwise from outside.
typedef struct HullMesh {
    int triangles;
    int* corner;   ///< 3 each
    int* adjacent; ///< 3 each: across the edge from corner k to the next
} HullMesh;

/// Its faces: polygons in triangles' place.
typedef struct HullFaces {
    int faces, slots, corners;
    int* start;     ///< faces + 1: slots of face f
    int* vertex;    ///< slots: a corner of the face, by its place among the points
    int* twin;      ///< slots: the slot of the same edge in the face on its other side
    utVec3* normal; ///< faces: outward, unit
    double* low;    ///< faces: range of normal . x over its corners
    double* high;
} HullFaces;

/// Sort items into an order that is total. @param spare as long as item
void ut_geom_sort(int count, int* item, int* spare,
                  bool (*before)(const void* context, int a, int b), const void* context);

/// Twice the vector area of a triangle: normal to it, counter-clockwise.
static inline utVec3 ut_triangle_cross(utVec3 a, utVec3 b, utVec3 c)
{
    return ut_vec3_cross(ut_vec3_sub(b, a), ut_vec3_sub(c, a));
}

__extension__ typedef __int128 Wide;

/// The same for corners on the grid, right to the last digit however thin the triangle.
static inline utVec3 ut_grid_cross(utVec3 a, utVec3 b, utVec3 c)
{
    const utVec3 u = ut_vec3_sub(b, a), v = ut_vec3_sub(c, a);
    const Wide ux = (Wide)u.x, uy = (Wide)u.y, uz = (Wide)u.z;
    const Wide vx = (Wide)v.x, vy = (Wide)v.y, vz = (Wide)v.z;
    return ut_vec3((double)(uy * vz - uz * vy), (double)(uz * vx - ux * vz),
                   (double)(ux * vy - uy * vx));
}

size_t ut_hull_points_size(int points);
utStatus ut_hull_points(int count, const utVec3* point, utArena* scratch, HullPoints* points,
                        utError* err);

size_t ut_hull_wrap_size(int points);
utStatus ut_hull_wrap(const HullPoints* points, utArena* scratch, HullMesh* mesh, utError* err);

size_t ut_hull_faces_size(int points);
utStatus ut_hull_faces(const HullPoints* points, const HullMesh* mesh, utArena* scratch,
                       HullFaces* faces);

#endif
