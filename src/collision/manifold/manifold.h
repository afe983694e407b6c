// SPDX-License-Identifier: Apache-2.0
// Manifolds of convex shapes in general, and what is further away but within the margin.
//
// The signed gap of the pair (convex.h) gives the direction. Where a face lies across it, the
// other shape's face, line or points are laid over that face and every point has its gap along the
// face's normal; where two lines lie along each other, the ends of what they share; else the
// nearest points alone.
//
// Everything is in the frame of the pair, that of the first shape. Features of hulls are those of
// surface.h, of cylinders those of surface/smooth.c:
#ifndef UPTACK_COLLISION_MANIFOLD_MANIFOLD_H
#define UPTACK_COLLISION_MANIFOLD_MANIFOLD_H

#include "collision/convex/convex.h"
#include "collision/surface/internal.h"

/// Features of a cylinder.
enum {
    CYLINDER_CAP = 1,           ///< + 1: upper
    CYLINDER_SIDE = 3,          ///<
    CYLINDER_RIM_LOWEST = 4,    ///< + 1: upper
    CYLINDER_RIM_THIRD = 6,     ///< + 0, 1; + 2: upper
    CYLINDER_RIM_AXIS = 10,     ///< + 0 ... 3; + 4: upper
    CYLINDER_RIM = 18,          ///< + 1: upper
    CYLINDER_RIM_CROSSING = 20, ///< + 0, 1; + 2: upper
    CYLINDER_RIM_BETWEEN = 24   ///< + 0 ... 3; + 4: upper
};

/// Points of a cylinder that face a direction, in its own frame.
typedef struct RimPoints {
    bool upright; ///< eight points of one cap, fixed to the cylinder, those on its axes first; else
                  ///< the first two are the ends of its side's line, two more of the first's rim
    int cap;      ///< 0: lower
    int count;
    utVec3 x[8];
    int feature[8];
} RimPoints;

/// @param d unit, in the cylinder's frame
RimPoints ut_rim_points(const utShape* cylinder, utVec3 d);

// ---- the two shapes -----------------------------------------------------------------------------

typedef struct Solid {
    const utShape* shape;
    utFrame at;    ///< in the frame of the pair
    Core core;     ///< corners and faces of boxes and hulls, ends of capsules
    Convex convex; ///< what the search for the gap reads
} Solid;

typedef struct Solids {
    Solid a, b;
    double margin;
    double size; ///< what thresholds are relative to, m
    double slop; ///< UT_SLOP of their half extents
} Solids;

void ut_solids(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
               double margin, Solids* pair);

/// Largest d.x over the shape, radius included.
double ut_solid_reach(const Solid* solid, utVec3 d);

/// Features of corner, edge and face i of a box or hull, and the ends of a capsule.
int ut_solid_corner(const Solid* solid, int i);
int ut_solid_edge(const Solid* solid, int i);
int ut_solid_face(const Solid* solid, int i);

/// The feature that holds a point of the surface.
int ut_solid_feature(const Solid* solid, utVec3 x, double slop);

/// Is x, in the solid's own frame, seen along the normal of face f, on it?
bool ut_solid_face_holds(const Solid* solid, int f, utVec3 x, double slop);

// ---- candidates ---------------------------------------------------------------------------------

typedef struct Candidate {
    utVec3 point;  ///< halfway
    utVec3 normal; ///< from a to b
    double gap;
    int fa, fb;
} Candidate;

enum { CANDIDATES_MAX = 48 };

typedef struct Candidates {
    double slop;
    int most; ///< that are to be kept
    int count;
    Candidate item[CANDIDATES_MAX];
} Candidates;

/// Append one unless its place is taken by an earlier one.
void ut_candidates_add(Candidates* list, const Candidate* candidate);

/// Keep the deepest and those that hold the extent.
void ut_candidates_reduce(Candidates* list, int want);

// ---- facets -------------------------------------------------------------------------------------

enum { FACET_MAX = 48 };

/// What a shape turns towards a direction: corners, edges between them, a disc.
typedef struct Facet {
    utVec3 normal; ///< outward, unit: that of the face, or the direction asked for
    bool face;     ///< it is flat: a polygon of all corners, or a disc
    int feature;   ///< the face's
    double radius; ///< the surface is that far off the corners and edges
    int corners;
    utVec3 x[FACET_MAX];
    int corner[FACET_MAX]; ///< features
    int edges;             ///< edge i goes from corner i to the next: all around a polygon, 1: one
                           ///< line from corner 0 to 1
    int edge[FACET_MAX];   ///< features
    bool disc;             ///< a cap, that the corners are points of
    int cap;
    utVec3 centre;
    double rim; ///< its radius
} Facet;

/// The face that looks along d most, of those that reach farthest. @return false: there is none
bool ut_facet_face(const Solid* solid, utVec3 d, double slop, Facet* facet);

/// The facet that is laid over a face when d is against the face's normal.
void ut_facet_facing(const Solid* solid, utVec3 d, double slop, Facet* facet);

/// The line along which the shape touches a plane with the normal d, when it does so.
bool ut_facet_line(const Solid* solid, utVec3 d, double slop, Facet* facet);

/// Where `over` lies above the face `on`. @param turned the face is one of shape b
void ut_facets_meet(const Facet* on, const Facet* over, bool turned, Candidates* list);

/// The ends of what two parallel lines share, seen along n, from a to b.
void ut_lines_meet(const Facet* a, const Facet* b, utVec3 n, Candidates* list);

/// Edges that pass each other within the margin, apart, inside both.
/// @param n   of the manifold  @param top, low how far a reaches along n, and where b begins
void ut_edges_meet(const Solids* pair, utVec3 n, double top, double low, Candidates* list);

// ---- manifolds ----------------------------------------------------------------------------------

/// Any pair of convex shapes.
PairCollide ut_collide_convex;

/// Sine of the slope at which a shape may go on from a corner, end, rim or edge down towards the
/// other: if it is steeper, something else of it comes first.
#define UT_STEEPEST 0.5

/// Add what is further away but within the margin: ends of capsules, corners and rims over faces,
/// edges that pass each other.
/// m holds at least one point.
PairCollide ut_manifold_extend;

/// The same for two boxes, none of them without extent. @param A frame of the first brick
void ut_manifold_extend_boxes(const Bricks* pair, const utFrame* A, Manifold* m);

/// Is there a point with this feature of the first (or second) shape?
static inline bool ut_manifold_knows(const Manifold* m, bool second, int feature)
{
    for (int i = 0; i < m->count; i++) {
        const uint64_t known = m->touch[i].feature;
        if ((second ? known & 0xffffffffu : known >> 32) == (uint32_t)feature) {
            return true;
        }
    }
    return false;
}

/// Append a candidate, in the world, unless m has its features or a point that near already.
void ut_extension_add(const Manifold* m, const Candidate* candidate, double near, Candidates* list);

/// Move those that lie farthest from what m has to m, until it has four.
void ut_extension_spread(Candidates* list, Manifold* m);

#endif
