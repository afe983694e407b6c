// SPDX-License-Identifier: Apache-2.0
// Distance to triangles, and the surface of a mesh or height field near a point.
#ifndef UPTACK_CERTIFICATE_CONTACTS_SURFACE_H
#define UPTACK_CERTIFICATE_CONTACTS_SURFACE_H

#include "geom/mesh_tree.h"
#include "certificate/internal.h"

/// Distance of x from a triangle. Reads v and normal only.
double ut_certify_triangle_distance(const Triangle* triangle, utVec3 x);

/// A surface near a point x with the direction n, both in the frame of the surface.
typedef struct SurfacePoint {
    utVec3 x, n;
    double distance;     ///< from x to the nearest triangle, m
    double normal_error; ///< smallest |n - normal| times size, over the triangles that contain x, m
    double excess;       ///< largest distance of a vertex of these triangles beyond x along n, m
    bool outward;        ///< n points out of one of these triangles
    int triangles;       ///< number of triangles tested
} SurfacePoint;

SurfacePoint ut_certify_surface_point(const utShape* shape, utVec3 x, utVec3 n);

/// Distance of n from the normals that a contact at x may have, m: the normal of a triangle at x,
/// or, at an edge or vertex, a direction along which no triangle around x extends further.
double ut_certify_surface_slant(const SurfacePoint* point);

#endif
