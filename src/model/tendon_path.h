// SPDX-License-Identifier: Apache-2.0
// The path of a spatial tendon: straight segments between points of bodies, and arcs on geoms.
#ifndef UPTACK_MODEL_TENDON_PATH_H
#define UPTACK_MODEL_TENDON_PATH_H

#include <uptack/model.h>

/// A straight segment between points of two bodies.
typedef struct TendonSegment {
    int body[2];
    utVec3 point[2]; ///< world
} TendonSegment;

/// The path from one site to the next: one segment, or two with an arc on a geom between them.
typedef struct TendonPiece {
    int segments;
    TendonSegment segment[2];
    int geom;       ///< of the arc, -1: none
    double arc;     ///< length of the arc, m
    double divisor; ///< of its branch
} TendonPiece;

/// A walk along a path; begin with {.divisor = 1}.
typedef struct TendonWalk {
    int at; ///< the element from which the next piece begins
    double divisor;
} TendonWalk;

/// The next piece of the path. @param body nbody: body to world @return false at the end
bool ut_tendon_next_piece(const utModel* model, const utModelTendon* tendon, const utFrame* body,
                          TendonWalk* walk, TendonPiece* piece);

/// The length of a spatial tendon.
double ut_tendon_path_length(const utModel* model, const utModelTendon* tendon,
                             const utFrame* body);

// ---- wrapping (tendon_wrap.c) -------------------------------------------------------------------

/// The shortest path from p0 to p1 around a sphere or an infinite cylinder about z.
typedef struct TendonWrap {
    utVec3 point[2]; ///< where it touches and leaves
    double arc;      ///< length between these points on the surface, m
} TendonWrap;

/// All points are in the geom's frame. @param side a point on the side where the path goes; a point
/// within `radius` of the origin makes the path touch the geom from its inside; NULL: the shorter
/// side
/// @return false: the straight line is the path
bool ut_tendon_wrap(bool cylinder, double radius, const utVec3 p[2], const utVec3* side,
                    TendonWrap* wrap);

#endif
