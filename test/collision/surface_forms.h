// SPDX-License-Identifier: Apache-2.0
// Surfaces for the tests: planes cut in many ways, boxes, roofs; and how to look at touches.
#ifndef TEST_COLLISION_SURFACE_FORMS_H
#define TEST_COLLISION_SURFACE_FORMS_H

#include <math.h>
#include <string.h>
#include <uptack/collision.h>

#include "test.h"

// ---- meshes -------------------------------------------------------------------------------------

/// Build a mesh in the arena; a failure is a failed check.
static inline utMesh make_mesh(int vertices, const utVec3* vertex, int triangles,
                               const int* triangle, utArena* arena)
{
    utMesh mesh;
    utError err = {0};
    memset(&mesh, 0, sizeof mesh);
    utArena scratch;
    CHECK(ut_arena_create(0, NULL, &scratch) == UT_OK);
    CHECK(ut_mesh_build(vertices, vertex, triangles, triangle, arena, scratch, &mesh, &err) ==
          UT_OK);
    ut_arena_destroy(&scratch);
    return mesh;
}

/// A grid of nx x ny cells over |x|, |y| <= size in the frame `at`: the plane z = 0 of that frame.
/// @param jitter moves inner points, in cells, and cuts cells either way
static inline utMesh make_plane(int nx, int ny, double size, double jitter, utFrame at, utRng* rng,
                                utArena* arena)
{
    const int side = nx + 1;
    utVec3* vertex = UT_PUSH(arena, utVec3, side * (ny + 1));
    int* triangle = UT_PUSH(arena, int, 6 * nx * ny);
    for (int j = 0; j <= ny; j++) {
        for (int i = 0; i < side; i++) {
            const bool inner = i > 0 && j > 0 && i < nx && j < ny;
            const double u = i + (inner ? ut_rng_range(rng, -jitter, jitter) : 0.0);
            const double v = j + (inner ? ut_rng_range(rng, -jitter, jitter) : 0.0);
            vertex[j * side + i] = ut_frame_point(
                at, ut_vec3(size * (2.0 * u / nx - 1.0), size * (2.0 * v / ny - 1.0), 0.0));
        }
    }
    int* t = triangle;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            const int a = j * side + i, b = a + 1, c = b + side, d = a + side;
            const bool other = jitter > 0.0 && ut_rng_below(rng, 2) == 0;
            const int cut[2][6] = {{a, b, c, a, c, d}, {a, b, d, b, c, d}};
            for (int k = 0; k < 6; k++) {
                *t++ = cut[other ? 1 : 0][k];
            }
        }
    }
    return make_mesh(side * (ny + 1), vertex, 2 * nx * ny, triangle, arena);
}

/// A box of half extents h, 12 triangles.
static inline utMesh make_box_mesh(utVec3 h, utArena* arena)
{
    utVec3* vertex = UT_PUSH(arena, utVec3, 8);
    for (int i = 0; i < 8; i++) {
        vertex[i] = ut_vec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    }
    static const int quad[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    int* triangle = UT_PUSH(arena, int, 36);
    for (int f = 0; f < 6; f++) {
        const int cut[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < 6; k++) {
            triangle[6 * f + k] = quad[f][cut[k]];
        }
    }
    return make_mesh(8, vertex, 12, triangle, arena);
}

static inline utShape mesh_shape(const utMesh* mesh)
{
    return (utShape){.kind = UT_SHAPE_MESH, .mesh = mesh};
}

static inline utShape heights_shape(const utHeights* heights, utVec3 size)
{
    return (utShape){.kind = UT_SHAPE_HEIGHTS, .size = size, .heights = heights};
}

static inline utShape hull_shape(const utHull* hull)
{
    return (utShape){.kind = UT_SHAPE_HULL, .hull = hull};
}

/// The hull of some points, built in the arena.
static inline utHull make_hull(int points, const utVec3* point, utArena* arena)
{
    utHull hull;
    utError err = {0};
    memset(&hull, 0, sizeof hull);
    utArena scratch;
    CHECK(ut_arena_create(0, NULL, &scratch) == UT_OK);
    CHECK(ut_hull_build(points, point, arena, scratch, &hull, &err) == UT_OK);
    ut_arena_destroy(&scratch);
    return hull;
}

/// A random hull of about `points` corners within a size.
static inline utHull random_hull(int points, double size, utRng* rng, utArena* arena)
{
    utVec3* point = UT_PUSH(arena, utVec3, points);
    for (int i = 0; i < points; i++) {
        point[i] = ut_vec3(ut_rng_range(rng, -size, size), ut_rng_range(rng, -size, size),
                           ut_rng_range(rng, -size, size));
    }
    return make_hull(points, point, arena);
}

// ---- frames -------------------------------------------------------------------------------------

static inline utFrame random_turn(utRng* rng, utVec3 p)
{
    utQuat q;
    ut_quat_normalize(
        ut_quat(ut_rng_normal(rng), ut_rng_normal(rng), ut_rng_normal(rng), ut_rng_normal(rng)),
        &q);
    return ut_frame(ut_quat_to_mat3(q), p);
}

static inline utFrame moved(double x, double y, double z)
{
    return ut_frame(ut_mat3_identity(), ut_vec3(x, y, z));
}

// ---- touches ------------------------------------------------------------------------------------

static inline double deepest_gap(int count, const utTouch* touch)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        least = fmin(least, touch[i].gap);
    }
    return least;
}

/// Largest difference of two manifolds when each touch is paired with the nearest one.
static inline double manifold_difference(int count, const utTouch* a, const utTouch* b)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        double least = HUGE_VAL;
        for (int j = 0; j < count; j++) {
            const double d = ut_vec3_norm(ut_vec3_sub(a[i].point, b[j].point));
            least = fmin(least, fmax(d, fabs(a[i].gap - b[j].gap)));
        }
        most = fmax(most, least);
    }
    return most;
}

static inline void print_touches(int count, const utTouch* t)
{
    for (int i = 0; i < count; i++) {
        test_note("touch (%.9g %.9g %.9g) n (%.9g %.9g %.9g) gap %.9g %016llx", t[i].point.x,
                  t[i].point.y, t[i].point.z, t[i].normal.x, t[i].normal.y, t[i].normal.z, t[i].gap,
                  (unsigned long long)t[i].feature);
    }
}

#endif
