// SPDX-License-Identifier: Apache-2.0
// Private parts of the collision module that several of its folders use.
#ifndef UPTACK_COLLISION_INTERNAL_H
#define UPTACK_COLLISION_INTERNAL_H

#include <uptack/collision.h>

#include "la/scalar.h"
#include "tolerances.h"

// ---- validity and order of a pair ---------------------------------------------------------------

/// Number of entries of utShape.size that a kind uses.
int ut_shape_size_count(utShapeKind kind);

/// Are all data that the shape's kind uses present, finite and not negative, and is the frame
/// finite?
bool ut_shape_usable(const utShape* shape, const utFrame* at);

/// The same for both shapes of a pair.
bool ut_pair_usable(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B);

/// Does b come before a? Every pair is computed in one order only, so that (b, a) gives the same
/// bits as (a, b): the lower kind first; of equal kinds the larger shape; of equal shapes the lower
/// one. "Low" is along a direction that is perpendicular to no usual direction, so small motions do
/// not change the order of a stack.
bool ut_pair_reversed(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B);

/// -1, 0, 1 as x is above, equal to or below y: sorts in descending order.
static inline int ut_larger_first(double x, double y)
{
    return x > y ? -1 : x < y ? 1 : 0;
}

// ---- reduction of contact points ----------------------------------------------------------------

/// The gain of a further contact point x over those that are kept: its distance from the first, the
/// area with the first two, the area outside of the triangle of three, and then the distance from the
/// nearest kept point.
/// @param normal of the first kept point  @param kept count >= 1 points
double ut_spread_gain(utVec3 normal, int count, const utVec3* kept, utVec3 x);

// ---- feature numbers ----------------------------------------------------------------------------

/// Features of round shapes.
enum { ROUND_FEATURE = 1, CAPSULE_END_LOW = 1, CAPSULE_END_HIGH = 2, CAPSULE_SHAFT = 3 };

/// Features of a cylinder. "Upper" is the side of +z.
enum {
    CYLINDER_CAP = 1,           ///< + 1: upper
    CYLINDER_SIDE = 3,          ///< the curved side
    CYLINDER_RIM_LOWEST = 4,    ///< lowest point of a rim; + 1: upper
    CYLINDER_RIM_THIRD = 6,     ///< + 0, 1: a third of a turn from the lowest point; + 2: upper
    CYLINDER_RIM_AXIS = 10,     ///< + 0 ... 3: on the axes, if upright; + 4: upper
    CYLINDER_RIM = 18,          ///< any other point of a rim; + 1: upper
    CYLINDER_RIM_CROSSING = 20, ///< + 0, 1: crossings of a rim and an edge; + 2: upper
    CYLINDER_RIM_BETWEEN = 24   ///< + 0 ... 3: between the axes, if upright; + 4: upper
};

/// The feature that holds the point x of a cylinder's surface, in the cylinder's frame.
int ut_cylinder_feature(const utShape* cylinder, utVec3 x, double slop);

/// The feature of a box is a number of three digits in base 3, one per axis: 0 between the two
/// faces, 1 on the lower face, 2 on the upper face. A face has one nonzero digit, an edge two, a
/// vertex three.
/// @return the digit of one side of an axis, in its place
static inline int ut_box_digit(int axis, double sign)
{
    static const int power[3] = {1, 3, 9};
    return (sign < 0.0 ? 1 : 2) * power[axis];
}

/// The feature of a box's vertex; bit i of `corner` selects the upper side of axis i.
static inline int ut_box_corner_feature(int corner)
{
    return (corner & 1 ? 2 : 1) + (corner & 2 ? 6 : 3) + (corner & 4 ? 18 : 9);
}

// ---- manifolds under construction ---------------------------------------------------------------

/// Points that a flat contact is reduced to: four span its extent. A cylinder's cap that lies flat
/// keeps UT_MANIFOLD_MAX points of its rim: on n points it tips at r cos(pi / n), and until then it
/// does not rock from one point to the next.
enum { UT_MANIFOLD_REDUCED = 4 };

typedef struct Manifold {
    double margin;
    int count;
    utTouch* touch; ///< UT_MANIFOLD_MAX entries
    bool complete;  ///< no other point is within the margin
} Manifold;

/// Append a point unless its gap exceeds the margin. @param feature_a, feature_b >= 1
static inline void ut_manifold_add(Manifold* m, utVec3 point, utVec3 normal, double gap,
                                   int feature_a, int feature_b)
{
    if (gap <= m->margin && m->count < UT_MANIFOLD_MAX) {
        const uint64_t feature = (uint64_t)(uint32_t)feature_a << 32 | (uint32_t)feature_b;
        m->touch[m->count++] = (utTouch){point, normal, gap, feature};
    }
}

/// Computes one kind of pair; a's kind is not above b's, and everything is finite.
typedef void PairCollide(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                         Manifold* m);

PairCollide ut_collide_plane_sphere, ut_collide_plane_capsule, ut_collide_plane_box;
PairCollide ut_collide_plane_cylinder, ut_collide_plane_ellipsoid, ut_collide_plane_hull;
PairCollide ut_collide_sphere_sphere, ut_collide_sphere_capsule, ut_collide_sphere_box;
PairCollide ut_collide_sphere_cylinder, ut_collide_capsule_cylinder;
PairCollide ut_collide_capsule_capsule, ut_collide_capsule_box, ut_collide_box_box;

// ---- small vector functions ---------------------------------------------------------------------

/// x moved into [-limit, limit]
static inline double ut_clamp_abs(double x, double limit)
{
    return ut_clamp(x, -limit, limit);
}

/// n = v / |v|; n is unchanged when v vanishes. @return |v|
static inline double ut_norm_and_unit(utVec3 v, utVec3* n)
{
    // outside of these limits the squares overflow or lose digits
    const double length = ut_vec3_norm(v);
    if (length > 1e-140 && length < 1e140) {
        *n = ut_vec3(v.x / length, v.y / length, v.z / length);
        return length;
    }
    utVec3 unit;
    *n = ut_vec3_normalize(v, &unit) ? unit : *n;
    return length;
}

static inline double ut_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline utVec3 ut_vec3_from(const double a[3])
{
    return ut_vec3(a[0], a[1], a[2]);
}

/// Are two unit vectors parallel up to UT_PARALLEL_SINE?
static inline bool ut_same_direction(const double a[3], const double b[3])
{
    return ut_vec3_norm(ut_vec3_cross(ut_vec3_from(a), ut_vec3_from(b))) < UT_PARALLEL_SINE;
}

/// Append a point x of the box, which is shape b. Normal and gap are in the box's frame; the normal
/// there points from the box to shape a, opposite to the manifold's.
static inline void ut_manifold_add_on_box(const utFrame* box, const double x[3], const double n[3],
                                          double gap, int feature_a, int feature_b, Manifold* m)
{
    const utVec3 normal = ut_mat3_mul_vec(box->R, ut_vec3_from(n));
    const utVec3 on_box = ut_frame_point(*box, ut_vec3_from(x));
    ut_manifold_add(m, ut_vec3_add_scaled(on_box, 0.5 * gap, normal), ut_vec3_negate(normal), gap,
                    feature_a, feature_b);
}

// ---- two boxes ----------------------------------------------------------------------------------

/// Two boxes in the frame of the first. The axis of a capsule is a box without width.
typedef struct BoxPair {
    double a[3];    ///< half extents of the first
    double b[3];    ///< half extents of the second
    double C[3][3]; ///< columns: the axes of the second
    double t[3];    ///< centre of the second
    double size;    ///< tolerances are relative to this size, m
} BoxPair;

/// A contact point of two boxes.
typedef struct BoxPoint {
    double x[3]; ///< on the first box, in its frame
    double gap;  ///< from x along the normal to the second box
    int feature_a, feature_b;
} BoxPoint;

/// Contact points with one normal, from the first box to the second.
typedef struct BoxPoints {
    double normal[3]; ///< in the frame of the first box
    int count;
    BoxPoint item[8];
} BoxPoints;

BoxPair ut_box_pair(utVec3 half_a, const utFrame* A, utVec3 half_b, const utFrame* B);

/// The same pair with first and second exchanged.
BoxPair ut_box_pair_swap(const BoxPair* pair);

/// The exact closest points of two boxes that stand apart; several when features are parallel.
/// @param n      normal to use when the boxes nearly touch
/// @param points the points found along n so far; unchanged when the boxes are not closer elsewhere
/// @return were they replaced?
bool ut_box_points_closest(const BoxPair* pair, const double n[3], BoxPoints* points);

/// Keep four points: the deepest, and with it those that span the largest area seen along `axis`.
void ut_box_points_reduce(BoxPoints* points, int axis, double size);

/// Empty the list and set its normal.
static inline void ut_box_points_begin(BoxPoints* points, const double normal[3])
{
    points->count = 0;
    for (int i = 0; i < 3; i++) {
        points->normal[i] = normal[i];
    }
}

static inline double ut_box_points_least_gap(const BoxPoints* points)
{
    double least = HUGE_VAL;
    for (int i = 0; i < points->count; i++) {
        least = points->item[i].gap < least ? points->item[i].gap : least;
    }
    return least;
}

#endif
