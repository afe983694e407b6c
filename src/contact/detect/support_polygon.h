// SPDX-License-Identifier: Apache-2.0
// The convex polygon around contacts of one plane, and the contacts that its corners make
// redundant.
#ifndef UPTACK_CONTACT_SUPPORT_POLYGON_H
#define UPTACK_CONTACT_SUPPORT_POLYGON_H

#include <uptack/vec.h>

/// A contact in the coordinates of its plane.
typedef struct PlanarContact {
    int contact;        ///< index in the step
    int pair;           ///< index of its pair of geoms
    utVec3 normal;      ///< from the first to the second body
    double x, y;        ///< position along the plane, m
    double height;      ///< position along the normal, m
    double gap;         ///< m
    double counted_gap; ///< h b_n: the gap, or 0 where overlaps do not count, m
    double mu;
} PlanarContact;

typedef struct SupportPolygon {
    int count;
    const PlanarContact* point;
    int corners;
    int* corner;             ///< room for count + 1 indices into `point`, counter-clockwise
    double length_tolerance; ///< m: positions that differ by less are equal
    double gap_tolerance;    ///< m: gaps that differ by less are equal
} SupportPolygon;

/// Find the corners. @param stack count + 2 entries of work
void ut_polygon_find_corners(SupportPolygon* polygon, int* stack);

/// Is point i a corner?
bool ut_polygon_is_corner(const SupportPolygon* polygon, int i);

/// Is p a convex combination of the corners with a gap no smaller than theirs? Then p never closes
/// before the corners do.
bool ut_polygon_is_redundant(const SupportPolygon* polygon, const PlanarContact* p);

#endif
