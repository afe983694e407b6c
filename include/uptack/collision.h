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

enum { UT_MANIFOLD_MAX = 4 };

/// One point of contact between shapes a and b.
typedef struct utTouch {
    utVec3 point;     ///< world: halfway between the two surfaces
    utVec3 normal;    ///< world, unit, from a to b
    double gap;       ///< m, signed: negative where they overlap; exact for the true shapes
    uint32_t feature; ///< which features of a and b meet here: the same for as long as they do
} utTouch;

/// All points where two shapes are closer than `margin`, at most four: those that carry, the
/// deepest among them. Where two faces meet these are the corners of their common polygon (reduced
/// to four that hold its extent), where an edge meets a face its ends, otherwise one point. Two
/// planes never touch. The result for (b, a) is that for (a, b) with the normals turned and the
/// features swapped (their halves exchanged), bit for bit.
///
/// So that a resting pair keeps its manifold, what differs by less than 1e-8 of the shapes' size
/// counts as equal: a corner that far beside a face is on it, and of corners that deep alike the
/// one with the first features is the deepest.
/// @param A, B  frames of the shapes in the world
/// @param touch UT_MANIFOLD_MAX entries, ascending in their features
/// @return how many; 0 when the shapes are further apart or anything is not finite
UT_API int ut_collide(const utShape* a, utFrame A, const utShape* b, utFrame B, double margin,
                      utTouch* touch);

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

#ifdef __cplusplus
}
#endif

#endif
