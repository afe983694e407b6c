// SPDX-License-Identifier: Apache-2.0
// Triangles, and what a mesh or a height field is like near a point.
#ifndef UPTACK_CERTIFICATE_CONTACTS_SURFACE_H
#define UPTACK_CERTIFICATE_CONTACTS_SURFACE_H

#include "geom/mesh_tree.h"
#include "certificate/internal.h"

/// Of v and the normal alone.
double ut_certify_triangle_distance(const Triangle* triangle, utVec3 x);

/// A surface near a point, as far as it is known.
typedef struct SurfaceSpot {
    utVec3 x, n;     ///< in the frame of the surface
    double distance; ///< to the nearest triangle
    double face;     ///< how far n is from the normal of a triangle that x is on, times its size
    double around;   ///< how far any of the triangles that x is on reaches beyond x along n
    bool outward;    ///< n points out of one of them
    int triangles;   ///< that were looked at
} SurfaceSpot;

SurfaceSpot ut_certify_spot(const utShape* shape, utVec3 x, utVec3 n);

/// How far n is from what may touch at x: the normal of a triangle there, or, at an edge or a
/// vertex, a direction along which none of the triangles around it reaches further.
double ut_certify_spot_slant(const SurfaceSpot* spot);

#endif
