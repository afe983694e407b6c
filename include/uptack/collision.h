// SPDX-License-Identifier: Apache-2.0
/// @file collision.h
/// Which shapes are near each other, and where they touch: signed gaps, normals, manifolds with ids
/// that last from step to step.
#ifndef UPTACK_COLLISION_H
#define UPTACK_COLLISION_H

#include <uptack/geom.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- narrow phase -------------------------------------------------------------------------------

enum {
    UT_MANIFOLD_MAX = 8, ///< points of two convex shapes, or of one and a plane
    UT_TOUCH_MAX = 16,   ///< points of one convex shape and a mesh or height field
};

/// One point of contact between shapes a and b.
typedef struct utTouch {
    utVec3 point;     ///< world: halfway between the two surfaces
    utVec3 normal;    ///< world, unit, from a to b
    double gap;       ///< m, signed: negative where they overlap; exact for the true shapes
    uint64_t feature; ///< which features of a and b meet here, a's in the upper half: the same for
                      ///< as long as they do
} utTouch;

/// All points where two shapes are closer than `margin`: those that carry, the deepest among them.
/// Where two faces meet these are the corners of their common polygon (reduced to four that hold
/// its extent; of a cylinder's cap that lies flat to eight, so that it stands like its disc), where
/// an edge meets a face its ends, otherwise one point; and besides, corners, ends and rims that are
/// further away but within the margin, each with the normal of the feature below it, as long as
/// that feature's normal region holds the point. Between convex shapes at most UT_MANIFOLD_MAX,
/// else UT_TOUCH_MAX. Planes, meshes and height fields never touch each other. The result for (b,
/// a) is that for (a, b) with the normals turned and the features swapped (their halves exchanged),
/// bit for bit.
///
/// So that a resting pair keeps its manifold, what differs by less than 1e-8 of the shapes' size
/// counts as equal: a corner that far beside a face is on it, and of corners that deep alike the
/// one with the first features is the deepest.
/// @param A, B  frames of the shapes in the world
/// @param touch UT_TOUCH_MAX entries, ascending in their features
/// @return how many; 0 when the shapes are further apart or anything is not finite
UT_API int ut_collide(const utShape* a, utFrame A, const utShape* b, utFrame B, double margin,
                      utTouch* touch);

/// The signed gap of two shapes and where it is taken.
typedef struct utGap {
    double gap;    ///< m: the distance, or minus the least translation that parts them
    utVec3 normal; ///< world, unit, from a to b: along it b would be moved to change the gap
    utVec3 on_a;   ///< world: nearest (or deepest) points of the two surfaces,
    utVec3 on_b;   ///< on_b = on_a + gap normal
    double error;  ///< |gap| is right to this, m: its own bound
} utGap;

/// @return UT_ERR_ARGUMENT for a pair of shapes without a convex one, or numbers that are not
/// finite
UT_API utStatus ut_gap(const utShape* a, utFrame A, const utShape* b, utFrame B, utGap* gap);

// ---- rays and motion ----------------------------------------------------------------------------

typedef struct utRayHit {
    double distance; ///< along the ray, m; 0 when it starts within
    utVec3 point;    ///< world
    utVec3 normal;   ///< world, unit, outward; against the ray when it starts within
} utRayHit;

/// Where a ray meets a shape first. @param direction unit @param far no further than this, m
/// @return false when it does not, or anything is not finite
UT_API bool ut_ray(const utShape* shape, utFrame at, utVec3 from, utVec3 direction, double far,
                   utRayHit* hit);

/// When two convex shapes, or a convex shape and any other, that move with constant twists first
/// come as near as `target`: by conservative advancement, never too late.
/// @param A, B frames at time 0  @param a_motion, b_motion twists of the frames' origins, world
/// @param h    look no further, s  @param target gap, m, > 0
/// @param time receives when: within [0, h]; 0 when they are that near at once
/// @return false when they are not within h
UT_API bool ut_time_of_impact(const utShape* a, utFrame A, utMotion a_motion, const utShape* b,
                              utFrame B, utMotion b_motion, double h, double target, double* time);

// ---- broad phase --------------------------------------------------------------------------------

/// Boxes that move, and pairs of them that meet: two dynamic trees, one for what moves and one for
/// what does not. Results are in ascending order of ids and do not depend on history.
typedef struct utBroad utBroad;

/// @param capacity proxies at most  @param keep holds everything
UT_API utStatus ut_broad_create(int capacity, utArena* keep, utBroad** broad);
UT_API size_t ut_broad_size(int capacity);

/// Add or move the proxy `id`, 0 ... capacity - 1. The tree is touched only when the box has left
/// the enlarged one that was stored. @param fixed it will hardly ever move: pairs of fixed ones are
/// not reported
UT_API void ut_broad_set(utBroad* broad, int id, utBounds bounds, bool fixed);
UT_API void ut_broad_remove(utBroad* broad, int id);

/// All pairs of proxies whose boxes, as set, meet and that `filter` lets pass.
/// @param filter NULL: all pass
/// @param pair   2 max entries: the lower id first, ascending
/// @param count  how many there are; more than max: UT_ERR_CAPACITY, and the first max were written
UT_API utStatus ut_broad_pairs(utBroad* broad, bool (*filter)(int id1, int id2, void* context),
                               void* context, int max, int* pair, int* count);

/// All proxies whose boxes, as set, meet one. @param id max entries, ascending
/// @return how many there are; the first max were written
UT_API int ut_broad_query(const utBroad* broad, utBounds bounds, int max, int* id);

/// All proxies whose boxes a ray meets within `far`, ascending in id.
UT_API int ut_broad_ray(const utBroad* broad, utVec3 from, utVec3 direction, double far, int max,
                        int* id);

#ifdef __cplusplus
}
#endif

#endif
