// SPDX-License-Identifier: Apache-2.0
// Private parts of surface collision. Everything is in the frame of the convex shape.
#ifndef UPTACK_COLLISION_SURFACE_INTERNAL_H
#define UPTACK_COLLISION_SURFACE_INTERNAL_H

#include "surface.h"
#include "geom/mesh_tree.h"

// ---- contact points -----------------------------------------------------------------------------

/// One contact point of shape and surface.
typedef struct SurfacePoint {
    utVec3 on_surface; ///< on the surface
    utVec3 normal;     ///< unit, from the surface to the shape
    double gap;
    uint32_t feature_a, feature_b; ///< of the shape and of the surface
    bool not_deepest;              ///< other points of the shape are deeper along the normal
} SurfacePoint;

enum { CLUSTER_CAPACITY = 24, MAX_CLUSTERS = 16 };

/// Contact points with one normal.
typedef struct Cluster {
    int count;
    SurfacePoint point[CLUSTER_CAPACITY];
} Cluster;

typedef struct Clusters {
    double slop;
    double radius; ///< rounding radius of the shape, as ut_surface_pair_radius
    bool cylinder; ///< the shape is a cylinder, so it has caps
    int count;
    Cluster cluster[MAX_CLUSTERS];
} Clusters;

void ut_clusters_add(Clusters* clusters, const SurfacePoint* meeting);

/// Reduce to at most four points per cluster (eight for a cap that lies flat) and UT_TOUCH_MAX in
/// all, the deepest points of each cluster first. @return number of points
int ut_clusters_reduce(Clusters* clusters, SurfacePoint found[UT_TOUCH_MAX]);

// ---- one triangle -------------------------------------------------------------------------------

/// A triangle with its neighbourhood.
typedef struct Patch {
    Triangle t;          ///< in the frame of the shape
    Triangle in_surface; ///< in the frame of the surface
    utVec3 along[3];     ///< unit, along edge k
    double length[3];
    utVec3 outward[3]; ///< unit, in the plane of the triangle, outwards across edge k
    bool convex[3];    ///< edge k has its own normals, between t.normal and neighbour_normal[k]
    utVec3 neighbour_normal[3]; ///< normal of the triangle across edge k; outward[k] at a border
    bool owns_edge[3];          ///< edge k is handled with this triangle, not with its neighbour
} Patch;

/// The triangles around a vertex.
enum { MAX_FAN_TRIANGLES = 96 };
typedef struct Fan {
    utVec3 at;
    uint32_t id;
    bool owned; ///< the vertex is handled with this patch
    int edges;
    utVec3 edge[MAX_FAN_TRIANGLES + 1]; ///< unit, along the edges that leave the vertex
    int faces;
    utVec3 normal[MAX_FAN_TRIANGLES]; ///< of the triangles
} Fan;

// ---- the pair -----------------------------------------------------------------------------------

/// A plane of the surface that the shape penetrates.
typedef struct PenetratedPlane {
    utVec3 normal;
    double offset;
    double depth;             ///< > 0
    bool neighbour_is_nearer; ///< the shape is less deep below a neighbour across a convex edge
    utVec3 neighbour_normal;  ///< normal of that neighbour
    double neighbour_offset;
    double neighbour_height; ///< height of the shape's lowest point over that neighbour
} PenetratedPlane;

enum { MAX_PENETRATED = 32 };

/// A convex shape as corners, edges and faces, grown by a radius. The core of a sphere is a point,
/// the core of a capsule a segment. Boxes and hulls have radius 0.
typedef struct Core {
    utHull hull;
    double radius;
    utVec3 vertex[8];
    double offset[6];
} Core;

typedef struct SurfacePair {
    const utShape* shape;
    Surface surface;
    utFrame at; ///< the surface in the frame of the shape
    double margin;
    double slop;   ///< UT_FEATURE_SLOP of the shape's size, m
    utVec3 reach;  ///< half extents of a box around the shape and the margin
    utVec3 middle; ///< centre of that box
    bool smooth;
    Core core;
    int penetrated_count;
    PenetratedPlane penetrated[MAX_PENETRATED];
    Clusters clusters;
} SurfacePair;

/// Least n.x over the core, the shape without its radius.
double ut_surface_pair_lowest(const SurfacePair* pair, utVec3 n);

/// The rounding radius of the shape; 0 for smooth shapes.
static inline double ut_surface_pair_radius(const SurfacePair* pair)
{
    return pair->smooth ? 0.0 : pair->core.radius;
}

/// Is a triangle the shortest exit for the point x of the shape at `height` < 0 over it? It is not
/// when a neighbour gives a shorter exit for the shape and x is less deep below that neighbour too.
bool ut_surface_pair_exits_by(const SurfacePair* pair, const Patch* patch, utVec3 x, double height);

/// Note the plane of a triangle that the shape penetrates, and whether a neighbour gives a shorter
/// exit.
void ut_surface_pair_note_penetrated(SurfacePair* pair, int triangle);

/// Height of the lowest point of the core over the plane of a triangle.
double ut_surface_pair_height(const SurfacePair* pair, const Patch* patch);

/// Does the box around the shape and the margin meet the bounding box of some points?
bool ut_surface_pair_reaches(const SurfacePair* pair, int count, const utVec3* x);

/// Fill a patch in three steps: corners, sides, and neighbours across the edges.
/// @return of ut_patch_edges: is an edge convex?
void ut_patch_corners(const SurfacePair* pair, int id, Patch* patch);
void ut_patch_sides(Patch* patch);
bool ut_patch_edges(const SurfacePair* pair, Patch* patch);

/// Is n within the range of normals of edge k, ends included?
bool ut_patch_arc_holds(const Patch* patch, int k, utVec3 n, double slack);

/// Does the triangle hold x, projected along its normal?
bool ut_patch_holds(const Patch* patch, utVec3 x, double slop);

void ut_patch_vertex_fan(const SurfacePair* pair, const Patch* patch, int corner, Fan* fan);
bool ut_fan_holds(const Fan* fan, utVec3 n, double slack);

/// Replace n by the normal of a triangle of the fan if the two are parallel.
utVec3 ut_fan_snap(const Fan* fan, utVec3 n);

/// Least penetration of the shape below the triangles of a fan, as a gap.
double ut_fan_gap(const SurfacePair* pair, const Fan* fan);

uint32_t ut_feature_plane(const Patch* patch);
uint32_t ut_feature_edge(const Patch* patch, int k);
uint32_t ut_feature_vertex(int vertex);

static inline bool ut_same_normal(utVec3 a, utVec3 b, double slack)
{
    return ut_vec3_norm(ut_vec3_sub(a, b)) <= slack;
}

// ---- kinds of shapes ----------------------------------------------------------------------------

void ut_core_of_shape(const utShape* shape, Core* core);

/// Add the contact points of a triangle, a convex edge or a vertex with a core or with a smooth
/// shape.
void ut_core_collide_face(SurfacePair* pair, const Patch* patch);
void ut_core_collide_edge(SurfacePair* pair, const Patch* patch, int k);
void ut_core_collide_vertex(SurfacePair* pair, const Fan* fan);
void ut_smooth_collide_face(SurfacePair* pair, const Patch* patch);
void ut_smooth_collide_edge(SurfacePair* pair, const Patch* patch, int k);
void ut_smooth_collide_vertex(SurfacePair* pair, const Fan* fan);

// ---- traversal ----------------------------------------------------------------------------------

typedef void TriangleVisit(void* context, int triangle);

/// Visit all triangles whose bounding boxes meet `box`, always in the same order.
void ut_surface_visit(const Surface* surface, const utBounds* box, TriangleVisit* visit,
                      void* context);

#endif
