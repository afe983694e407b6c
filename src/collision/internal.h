// SPDX-License-Identifier: Apache-2.0
// What the files of the collision module share.
//
// Box features are numbers of three digits in base 3, one an axis: 0 between the two faces, 1 on
// the lower one, 2 on the upper one. A face has one digit set, an edge two, a vertex three.
#ifndef UPTACK_COLLISION_INTERNAL_H
#define UPTACK_COLLISION_INTERNAL_H

#include <uptack/collision.h>

// ---- thresholds, relative to the size of the pair -----------------------------------------------

#define UT_NEAR_PARALLEL 1e-5 ///< sine of an angle below which directions count as the same
#define UT_SKIP_PARALLEL 1e-7 ///< sine below which the common normal of two edges is not formed
#define UT_GAP_BIAS 1e-10     ///< gaps closer than this count as equal when an axis is chosen
#define UT_SLOP 1e-8          ///< a point this far beyond a face's side still counts as on it

/// Points that hold the extent of what is flat. A cap that lies flat has UT_MANIFOLD_MAX: of its
/// rim, on the axes and between them. With n points it tips at r cos(pi / n), and short of that
/// does not rock from one to the next.
enum { UT_MANIFOLD_FEW = 4 };

// ---- before anything else -----------------------------------------------------------------------

/// Is everything that the shape's kind reads there, finite and not negative, and the frame finite?
bool ut_shape_usable(const utShape* shape, const utFrame* at);

/// Both of a pair.
bool ut_pair_usable(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B);

/// Does b come before a? Every pair is computed in one order only, so that (b, a) has the bits of
/// (a, b): the lower kind first, of equals the larger one, of these the lower one, "low" being
/// along a direction that is perpendicular to nothing in particular, so that small motions do not
/// change the order of a stack.
bool ut_pair_reversed(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B);

// ---- manifolds under construction ---------------------------------------------------------------

typedef struct Manifold {
    double margin;
    int count;
    utTouch* touch; ///< UT_MANIFOLD_MAX entries
    bool complete;  ///< it is known that nothing else is within the margin
} Manifold;

/// Append a point unless its gap is over the margin. @param fa, fb  features of a and b, >= 1
static inline void ut_manifold_add(Manifold* m, utVec3 point, utVec3 normal, double gap, int fa,
                                   int fb)
{
    if (gap <= m->margin && m->count < UT_MANIFOLD_MAX) {
        const uint64_t feature = (uint64_t)(uint32_t)fa << 32 | (uint32_t)fb;
        m->touch[m->count++] = (utTouch){point, normal, gap, feature};
    }
}

/// One kind of pair; a's kind is not above b's, and everything is finite.
typedef void PairCollide(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                         Manifold* m);

PairCollide ut_collide_plane_sphere, ut_collide_plane_capsule, ut_collide_plane_box;
PairCollide ut_collide_plane_cylinder, ut_collide_plane_ellipsoid, ut_collide_plane_hull;
PairCollide ut_collide_sphere_sphere, ut_collide_sphere_capsule, ut_collide_sphere_box;
PairCollide ut_collide_sphere_cylinder, ut_collide_capsule_cylinder;
PairCollide ut_collide_capsule_capsule, ut_collide_capsule_box, ut_collide_box_box;

/// Features of round shapes.
enum { ROUND_FEATURE = 1, END_LOW = 1, END_HIGH = 2, SHAFT = 3 };

static inline double ut_clamp(double x, double limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

/// The larger of two numbers that are none of them NaN: an instruction, where fmax is a call.
static inline double ut_larger(double x, double y)
{
    return x > y ? x : y;
}

/// n = v / |v|; n is left alone when v vanishes. @return |v|
static inline double ut_split(utVec3 v, utVec3* n)
{
    const double length = ut_vec3_norm(v);
    if (length > 1e-140 && length < 1e140) {
        *n = ut_vec3(v.x / length, v.y / length, v.z / length);
        return length;
    }
    utVec3 unit;
    *n = ut_vec3_normalize(v, &unit) ? unit : *n;
    return length;
}

// ---- two bricks ---------------------------------------------------------------------------------

/// Two boxes seen from the first one's frame. The core of a capsule is a box without width.
typedef struct Bricks {
    double a[3];    ///< half extents of the first
    double b[3];    ///< of the second
    double C[3][3]; ///< its columns are the axes of the second
    double t[3];    ///< the centre of the second
    double size;    ///< what thresholds are relative to, m
} Bricks;

/// A point where the surfaces of two bricks are measured.
typedef struct Spot {
    double point[3]; ///< on the first brick, in its frame
    double gap;      ///< from there along the normal to the second
    int fa, fb;
} Spot;

/// Several spots with one normal, from the first brick to the second.
typedef struct Spots {
    double normal[3]; ///< in the first one's frame
    int count;
    Spot spot[8];
} Spots;

Bricks ut_bricks(utVec3 half_a, const utFrame* A, utVec3 half_b, const utFrame* B);

/// The same with first and second exchanged.
Bricks ut_bricks_swap(const Bricks* pair);

/// The exact closest points of two bricks that stand apart; several when they are parallel there.
/// @param n     the direction to take when they all but touch
/// @param spots what was found along n so far; left alone when nothing is closer
/// @return whether it was replaced
bool ut_spots_closest(const Bricks* pair, const double n[3], Spots* spots);

/// Keep four spots: one of the deepest, and with it the largest area seen along `axis`.
void ut_spots_reduce(Spots* spots, int axis, double size);

static inline int ut_digit(int axis, double sign)
{
    static const int power[3] = {1, 3, 9};
    return (sign < 0.0 ? 1 : 2) * power[axis];
}

static inline double ut_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline utVec3 ut_of(const double a[3])
{
    return ut_vec3(a[0], a[1], a[2]);
}

static inline bool ut_same_direction(const double a[3], const double b[3])
{
    return ut_vec3_norm(ut_vec3_cross(ut_of(a), ut_of(b))) < UT_NEAR_PARALLEL;
}

/// No spots yet.
static inline void ut_spots_begin(Spots* spots, const double normal[3])
{
    spots->count = 0;
    for (int i = 0; i < 3; i++) {
        spots->normal[i] = normal[i];
    }
}

static inline double ut_spots_least(const Spots* spots)
{
    double least = HUGE_VAL;
    for (int i = 0; i < spots->count; i++) {
        least = spots->spot[i].gap < least ? spots->spot[i].gap : least;
    }
    return least;
}

#endif
