// SPDX-License-Identifier: Apache-2.0
// What the files of surface collision share. Everything is in the frame of the convex shape.
#ifndef UPTACK_COLLISION_SURFACE_INTERNAL_H
#define UPTACK_COLLISION_SURFACE_INTERNAL_H

#include "surface.h"
#include "geom/mesh_tree.h"

// ---- what was found -----------------------------------------------------------------------------

/// One point where shape and surface meet.
typedef struct Meeting {
    utVec3 foot;   ///< on the surface
    utVec3 normal; ///< from the surface to the shape
    double gap;
    uint32_t fa, fb; ///< features of the shape and of the surface
    bool beside;     ///< along the normal other points of the shape are deeper
} Meeting;

enum { CLUSTER_ROOM = 24, CLUSTER_MAX = 16 };

/// Meetings with one normal.
typedef struct Cluster {
    int count;
    Meeting meeting[CLUSTER_ROOM];
} Cluster;

typedef struct Clusters {
    double slop;
    double radius; ///< of the shape, as ut_pair_radius
    bool cylinder; ///< the shape has caps
    int count;
    Cluster cluster[CLUSTER_MAX];
} Clusters;

void ut_clusters_add(Clusters* clusters, const Meeting* meeting);

/// At most four of each cluster, eight of a cap that lies flat, at most UT_TOUCH_MAX in all, the
/// deepest of each cluster first.
int ut_clusters_reduce(Clusters* clusters, Meeting found[UT_TOUCH_MAX]);

// ---- one triangle -------------------------------------------------------------------------------

/// A triangle with what lies around it.
typedef struct Patch {
    Triangle t;
    Triangle own;    ///< the same in the surface's frame
    utVec3 along[3]; ///< unit, along edge k
    double length[3];
    utVec3 out[3];    ///< unit, in the plane, straight out across edge k
    bool convex[3];   ///< edge k has normals of its own: from t.normal to
    utVec3 beyond[3]; ///< the neighbour's normal; out[k] at a border
    bool owned[3];    ///< of the two triangles at edge k this one speaks for it
} Patch;

/// The triangles around a vertex.
enum { FAN_MAX = 96 };
typedef struct Fan {
    utVec3 at;
    uint32_t id;
    bool owned; ///< the patch it was asked for speaks for the vertex
    int rims;
    utVec3 rim[FAN_MAX + 1]; ///< unit, along the edges that leave the vertex
    int faces;
    utVec3 normal[FAN_MAX]; ///< of the triangles
} Fan;

// ---- the pair -----------------------------------------------------------------------------------

/// A plane that the shape reaches below.
typedef struct Below {
    utVec3 normal;
    double offset;
    double depth; ///< > 0
    bool yields;  ///< the shape is less deep below a neighbour behind a convex edge:
    utVec3 other; ///< that one's normal,
    double other_offset;
    double other_height; ///< and how high over it the lowest point is
} Below;

enum { BELOW_MAX = 32 };

/// A shape of corners, edges and faces, grown by a radius: a sphere is a point, a capsule a
/// segment. Boxes are hulls with tables of their own.
typedef struct Core {
    utHull hull;
    double radius;
    utVec3 vertex[8];
    double offset[6];
} Core;

typedef struct Pair {
    const utShape* shape;
    Surface surface;
    utFrame at; ///< the surface in the shape's frame
    double margin;
    double slop;   ///< UT_SLOP of the shape's size, m
    utVec3 reach;  ///< half extents of a box around the shape and the margin
    utVec3 middle; ///< its centre
    bool smooth;
    Core core;
    int below_count;
    Below below[BELOW_MAX];
    Clusters clusters;
} Pair;

/// Least n.x of the core: the shape without its radius.
double ut_pair_lowest(const Pair* pair, utVec3 n);

/// The shape's radius where it is a core that was grown by one.
static inline double ut_pair_radius(const Pair* pair)
{
    return pair->smooth ? 0.0 : pair->core.radius;
}

/// Does the shape's point x, `height` < 0 over a triangle, leave the surface there? Not where the
/// shape would rather leave by a neighbour, and x is less deep below that too.
bool ut_pair_leaves_by(const Pair* pair, const Patch* patch, utVec3 x, double height);

/// Note the triangle's plane when the shape reaches below it there, and where it would rather
/// leave.
void ut_pair_note_below(Pair* pair, int triangle);

/// Height of the core's lowest point over the plane of a triangle.
double ut_pair_height(const Pair* pair, const Patch* patch);

/// Does the box around the shape and the margin meet the box around some points?
bool ut_pair_reaches(const Pair* pair, int count, const utVec3* x);

/// Fill a patch: its corners, then what its sides are, then what lies across them.
/// @return of the last: whether an edge is convex
void ut_patch_corners(const Pair* pair, int id, Patch* patch);
void ut_patch_sides(Patch* patch);
bool ut_patch_edges(const Pair* pair, Patch* patch);

/// Is the normal one of edge k's own, or of its ends?
bool ut_patch_arc_holds(const Patch* patch, int k, utVec3 n, double slack);

/// Is x, seen along the normal, on the triangle?
bool ut_patch_holds(const Patch* patch, utVec3 x, double slop);

void ut_patch_fan(const Pair* pair, const Patch* patch, int corner, Fan* fan);
bool ut_fan_holds(const Fan* fan, utVec3 n, double slack);

/// n, or the normal of a triangle of the fan that is all but the same.
utVec3 ut_fan_snap(const Fan* fan, utVec3 n);

/// Least depth of the shape below the triangles of a fan, as a gap.
double ut_fan_gap(const Pair* pair, const Fan* fan);

uint32_t ut_feature_plane(const Patch* patch);
uint32_t ut_feature_edge(const Patch* patch, int k);
uint32_t ut_feature_vertex(int vertex);

static inline bool ut_same_normal(utVec3 a, utVec3 b, double slack)
{
    return ut_vec3_norm(ut_vec3_sub(a, b)) <= slack;
}

// ---- kinds of shapes ----------------------------------------------------------------------------

void ut_core_of(const utShape* shape, Core* core);

/// The triangle itself, its convex edges and vertices, against a core, and against smooth shapes.
void ut_core_meets_face(Pair* pair, const Patch* patch);
void ut_core_meets_edge(Pair* pair, const Patch* patch, int k);
void ut_core_meets_vertex(Pair* pair, const Fan* fan);
void ut_smooth_meets_face(Pair* pair, const Patch* patch);
void ut_smooth_meets_edge(Pair* pair, const Patch* patch, int k);
void ut_smooth_meets_vertex(Pair* pair, const Fan* fan);

// ---- walking ------------------------------------------------------------------------------------

typedef void TriangleVisit(void* context, int triangle);

/// All triangles whose boxes meet one, always in the same order.
void ut_surface_walk(const Surface* surface, const utBounds* box, TriangleVisit* visit,
                     void* context);

#endif
