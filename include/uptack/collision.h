// SPDX-License-Identifier: Apache-2.0
/// @file collision.h
/// Collision detection in space: contact manifolds with persistent feature numbers, signed gaps,
/// rays, time of impact, and a broad phase.
///
/// Functions may be called from several threads at once as long as they do not share objects that
/// they write to. Shapes, hulls and meshes are only read.
#ifndef UPTACK_COLLISION_H
#define UPTACK_COLLISION_H

#include <uptack/geom.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- narrow phase -------------------------------------------------------------------------------

enum {
    UT_MANIFOLD_MAX = 8, ///< most points of two convex shapes, or of one and a plane
    UT_TOUCH_MAX = 16,   ///< most points of a convex shape and a mesh or height field
};

/// A contact point between shapes a and b.
typedef struct utTouch {
    utVec3 point;  ///< world: halfway between the two surfaces
    utVec3 normal; ///< world, unit, from a to b
    double gap;    ///< m, negative where the shapes overlap; for the exact shapes
    uint64_t
        feature; ///< numbers of the two features in contact, a's in the upper 32 bits; constant
                 ///< while the same features are in contact
} utTouch;

/// The contact manifold of two shapes that are closer than `margin`. It contains the deepest point.
///
/// - Two faces: the corners of their common polygon, reduced to four that span its extent. A
///   cylinder's cap that lies flat keeps eight points.
/// - An edge and a face: the ends of the edge.
/// - Otherwise: the nearest points.
/// - In addition: corners, ends and rims that are farther away but within the margin. Each gets the
///   normal of the feature below it.
///
/// Planes, meshes and height fields have no contact with each other. The result for (b, a) is that
/// for (a, b) with opposite normals and exchanged halves of the features, bit for bit.
///
/// Lengths that differ by less than 1e-8 of the shapes' size count as equal, so that a resting pair
/// keeps its manifold. For example, a corner that far beside a face is on the face.
/// @param A, B   frames of the shapes in the world
/// @param margin m
/// @param touch  room for UT_TOUCH_MAX points (UT_MANIFOLD_MAX if none of the shapes is a mesh or
///               height field); sorted by feature
/// @return number of points; 0 when the shapes are farther apart or an input is not finite
UT_API int ut_collide(const utShape* a, utFrame A, const utShape* b, utFrame B, double margin,
                      utTouch* touch);

/// The signed gap of two shapes and the points that it is measured between.
typedef struct utGap {
    double gap;    ///< m: the distance, or minus the shortest translation that separates the shapes
    utVec3 normal; ///< world, unit, from a to b: direction of that distance or translation
    utVec3 on_a;   ///< world: nearest (or deepest) point of a
    utVec3 on_b;   ///< world: nearest (or deepest) point of b; on_b = on_a + gap normal
    double error;  ///< m: upper bound of the error of gap
} utGap;

/// Compute the signed gap of two convex shapes, or of a convex shape and a plane.
/// @return UT_ERR_ARGUMENT for other pairs, or for numbers that are not finite
UT_API utStatus ut_gap(const utShape* a, utFrame A, const utShape* b, utFrame B, utGap* gap);

/// The same for all pairs that ut_collide supports, as far as `limit`. The gap of a convex shape and
/// a mesh or height field is the least gap of their manifold.
/// @param limit m, >= 0. Where a mesh or height field is farther away, gap->gap is `limit`, a lower
///              bound, and the normal and both points are 0
UT_API utStatus ut_gap_within(const utShape* a, utFrame A, const utShape* b, utFrame B,
                              double limit, utGap* gap);

// ---- rays and motion ----------------------------------------------------------------------------

/// The point where a ray hits a shape.
typedef struct utRayHit {
    double distance; ///< along the ray, m; 0 when the ray starts inside the shape
    utVec3 point;    ///< world
    utVec3 normal;   ///< world, unit, outward; opposite to the ray when it starts inside
} utRayHit;

/// The first hit of a ray with a shape.
/// @param from      world, start of the ray
/// @param direction world, unit
/// @param far       length of the ray, m; may be INFINITY
/// @return false when there is no hit, or when an input is not finite
UT_API bool ut_ray(const utShape* shape, utFrame at, utVec3 from, utVec3 direction, double far,
                   utRayHit* hit);

/// Time of impact of two shapes that move with constant twists: the first time at which their gap
/// is `target`. Conservative advancement never returns a later time. Supports the pairs of
/// ut_gap_within.
/// @param A, B   frames at time 0
/// @param a_motion, b_motion  twists of the frames' origins, in world axes
/// @param h      end of the search, s
/// @param target gap, m, > 0
/// @param time   s, within [0, h]; 0 when the gap is at most `target` at the start
/// @return false when the gap stays above `target` until h, or when the pair is not supported
UT_API bool ut_time_of_impact(const utShape* a, utFrame A, utMotion a_motion, const utShape* b,
                              utFrame B, utMotion b_motion, double h, double target, double* time);

// ---- broad phase --------------------------------------------------------------------------------

/// A broad phase: a set of bounding boxes (proxies) that move, and a search for pairs that meet. It
/// uses two dynamic trees, one for moving and one for fixed boxes. Results are in ascending order
/// of ids and do not depend on earlier calls. Queries may run in several threads at once.
typedef struct utBroad utBroad;

/// Create an empty broad phase.
/// @param capacity largest number of proxies  @param keep memory of the broad phase
/// @return UT_ERR_ARGUMENT for a negative or huge capacity, UT_ERR_CAPACITY without memory
UT_API utStatus ut_broad_create(int capacity, utArena* keep, utBroad** broad);

/// Add or move the proxy `id`, 0 ... capacity - 1. The tree stores enlarged boxes and changes only
/// when a box leaves its enlarged box. @param fixed the proxy rarely moves; pairs of fixed proxies
/// are not reported
UT_API void ut_broad_set(utBroad* broad, int id, utBounds bounds, bool fixed);

/// Remove the proxy `id`; nothing happens if it was not added.
UT_API void ut_broad_remove(utBroad* broad, int id);

/// Find all pairs of proxies whose boxes, as set, meet and that `filter` accepts.
/// @param filter NULL: all pairs are accepted
/// @param max    room in `pair`, in pairs
/// @param pair   2 max entries: lower id, higher id; in ascending order
/// @param count  number of pairs found
/// @return UT_ERR_CAPACITY when more than max were found; the first max were written
UT_API utStatus ut_broad_pairs(utBroad* broad, bool (*filter)(int id1, int id2, void* context),
                               void* context, int max, int* pair, int* count);

/// Find all proxies whose boxes, as set, meet `bounds`. @param id max entries, ascending
/// @return number of proxies found; the first max were written
UT_API int ut_broad_query(const utBroad* broad, utBounds bounds, int max, int* id);

/// Find all proxies whose boxes, as set, a ray of length `far` meets.
/// @param id max entries, ascending
/// @return number of proxies found; the first max were written
UT_API int ut_broad_ray(const utBroad* broad, utVec3 from, utVec3 direction, double far, int max,
                        int* id);

#ifdef __cplusplus
}
#endif

#endif
