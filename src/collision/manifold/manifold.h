// SPDX-License-Identifier: Apache-2.0
// Contact manifolds of convex shapes, and extra points that are farther away but within the margin.
//
// The signed gap of the pair (convex.h) gives the normal. If a face of one shape is perpendicular
// to it, the facing facet of the other shape is laid over that face, and every point has its gap
// along the face's normal. If two edges are parallel, the manifold is the ends of their common
// stretch. Otherwise it is the pair of nearest points.
//
// Everything is in the frame of the pair, which is the frame of the first shape. Feature numbers of
// hulls are explained in surface.h, those of cylinders in collision/internal.h.
#ifndef UPTACK_COLLISION_MANIFOLD_MANIFOLD_H
#define UPTACK_COLLISION_MANIFOLD_MANIFOLD_H

#include "collision/convex/convex.h"
#include "collision/surface/internal.h"

/// Points of a cylinder that face a direction, in its own frame.
typedef struct RimPoints {
    bool upright; ///< true: eight fixed points of one cap, those on the axes first; false: the ends
                  ///< of a line of the side, then two more points of the nearer rim
    int cap;      ///< 0: lower
    int count;
    utVec3 x[8];
    int feature[8];
} RimPoints;

/// @param d unit, in the cylinder's frame
RimPoints ut_rim_points(const utShape* cylinder, utVec3 d);

// ---- the two shapes -----------------------------------------------------------------------------

/// One shape of a pair.
typedef struct Solid {
    const utShape* shape;
    utFrame at;    ///< in the frame of the pair
    Core core;     ///< corners and faces of boxes and hulls, ends of capsules
    Convex convex; ///< input of the gap search
} Solid;

typedef struct SolidPair {
    Solid a, b;
    double margin;
    double size; ///< tolerances are relative to this size, m
    double slop; ///< UT_FEATURE_SLOP of half the extents of both shapes, m
} SolidPair;

void ut_solid_pair(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                   double margin, SolidPair* pair);

/// Largest d.x over the shape, with the radius.
double ut_solid_reach(const Solid* solid, utVec3 d);

/// Feature numbers of corner, edge and face i of a box or hull, and of the ends of a capsule.
int ut_solid_corner(const Solid* solid, int i);
int ut_solid_edge(const Solid* solid, int i);
int ut_solid_face(const Solid* solid, int i);

/// The feature that holds a point of the surface.
int ut_solid_feature(const Solid* solid, utVec3 x, double slop);

/// Does face f hold x, in the solid's own frame, projected along the normal of the face?
bool ut_solid_face_holds(const Solid* solid, int f, utVec3 x, double slop);

// ---- candidates ---------------------------------------------------------------------------------

/// A possible contact point.
typedef struct Candidate {
    utVec3 point;  ///< halfway between the surfaces
    utVec3 normal; ///< unit, from a to b
    double gap;
    int feature_a, feature_b;
} Candidate;

enum { MAX_CANDIDATES = 48 };

typedef struct Candidates {
    double slop;
    int most; ///< number of points to keep
    int count;
    Candidate item[MAX_CANDIDATES];
} Candidates;

/// Append a candidate unless an earlier one has the same features or the same place.
void ut_candidates_add(Candidates* list, const Candidate* candidate);

/// Keep the deepest candidate and those that span the largest area.
void ut_candidates_reduce(Candidates* list, int want);

// ---- facets -------------------------------------------------------------------------------------

enum { MAX_FACET_CORNERS = 48 };

/// The part of a shape that faces a direction: corners, edges between them, or a disc.
typedef struct Facet {
    utVec3 normal; ///< outward, unit: the normal of the face, or the given direction
    bool face;     ///< flat: a polygon of all corners, or a disc
    int feature;   ///< of the face
    double radius; ///< distance of the surface from the corners and edges
    int corners;
    utVec3 x[MAX_FACET_CORNERS];
    int corner[MAX_FACET_CORNERS]; ///< features of the corners
    int edges; ///< edge i goes from corner i to the next; 1: a single edge from corner 0 to 1
    int edge[MAX_FACET_CORNERS]; ///< features of the edges
    bool disc;                   ///< cap of a cylinder; the corners are points of it
    int cap;
    utVec3 centre;
    double rim; ///< radius of the disc
} Facet;

/// The face with the normal closest to d, of those that reach farthest.
/// @return false: there is none
bool ut_facet_face(const Solid* solid, utVec3 d, double slop, Facet* facet);

/// The facet that lies over a face, when d is opposite to the normal of the face.
void ut_facet_facing(const Solid* solid, utVec3 d, double slop, Facet* facet);

/// The line along which the shape touches a plane of normal d. @return false: there is none
bool ut_facet_line(const Solid* solid, utVec3 d, double slop, Facet* facet);

/// Add the points where `over` lies above the face `on`. @param swapped the face belongs to shape b
void ut_facets_overlay(const Facet* on, const Facet* over, bool swapped, Candidates* list);

/// Add the ends of the common stretch of two parallel lines, seen along n, from a to b.
void ut_lines_overlap(const Facet* a, const Facet* b, utVec3 n, Candidates* list);

/// Add the pairs of edges that cross within the margin, apart, at interior points.
/// @param n of the manifold  @param top, low largest position of a and least position of b along n
void ut_edges_cross(const SolidPair* pair, utVec3 n, double top, double low, Candidates* list);

// ---- manifolds ----------------------------------------------------------------------------------

/// The manifold of any two convex shapes.
PairCollide ut_collide_convex;

/// Add points that are farther away but within the margin: ends of capsules, corners and rims over
/// faces, and pairs of edges. `m` holds at least one point.
PairCollide ut_manifold_add_extra;

/// The same for two boxes with extent along all axes. @param A frame of the first box
void ut_manifold_add_extra_of_boxes(const BoxPair* pair, const utFrame* A, Manifold* m);

/// Has a point of the manifold this feature of the first (or second) shape?
static inline bool ut_manifold_has_feature(const Manifold* m, bool second, int feature)
{
    for (int i = 0; i < m->count; i++) {
        const uint64_t known = m->touch[i].feature;
        if ((second ? known & 0xffffffffu : known >> 32) == (uint32_t)feature) {
            return true;
        }
    }
    return false;
}

/// Append a world-frame candidate unless m has its features or a point within the distance `near`.
void ut_extra_candidates_add(const Manifold* m, const Candidate* candidate, double near,
                             Candidates* list);

/// Move the candidates that are farthest from the points of m to m, until m has four points.
void ut_extra_candidates_spread(Candidates* list, Manifold* m);

#endif
