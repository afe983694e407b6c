// SPDX-License-Identifier: Apache-2.0
// The search over a mesh tests only the triangles near a point and finds the same as a full search.
#include "certificate/contacts/surface.h"

#include <string.h>

#include "test.h"

enum { MOST = 1200, SIDE_MOST = 100 };

// ---- meshes -------------------------------------------------------------------------------------

static utVec3 random_point(utRng* rng, double size)
{
    return ut_vec3(ut_rng_range(rng, -size, size), ut_rng_range(rng, -size, size),
                   ut_rng_range(rng, -size, size));
}

static void build(int vertices, const utVec3* vertex, int triangles, const int* triangle,
                  utArena* keep, utMesh* mesh)
{
    static double memory[1 << 20];
    CHECK_INT(ut_mesh_build(vertices, vertex, triangles, triangle, keep,
                            ut_arena_on(memory, sizeof memory), mesh, NULL),
              UT_OK);
}

// Random triangles of all sizes, with and without common corners.
static void make_soup(utRng* rng, utArena* keep, utMesh* mesh)
{
    static utVec3 vertex[MOST];
    static int triangle[3 * MOST];
    const int vertices = 3 + ut_rng_below(rng, 200);
    const int triangles = 1 + ut_rng_below(rng, 400);
    for (int i = 0; i < vertices; i++) {
        vertex[i] = random_point(rng, ut_rng_below(rng, 4) == 0 ? 1.0 : 0.1);
    }
    for (int i = 0; i < 3 * triangles; i++) {
        triangle[i] = ut_rng_below(rng, vertices);
    }
    build(vertices, vertex, triangles, triangle, keep, mesh);
}

// A grid of squares of side 1 / side, with hills or flat.
static void make_landscape(utRng* rng, int side, double hills, utArena* keep, utMesh* mesh)
{
    static utVec3 vertex[(SIDE_MOST + 1) * (SIDE_MOST + 1)];
    static int triangle[6 * SIDE_MOST * SIDE_MOST];
    int triangles = 0;
    for (int row = 0; row <= side; row++) {
        for (int column = 0; column <= side; column++) {
            const int i = row * (side + 1) + column;
            vertex[i] = ut_vec3((double)column / side, (double)row / side,
                                hills * ut_rng_range(rng, 0, 1) / side);
            if (row < side && column < side) {
                const int cut[6] = {i, i + 1, i + side + 1, i + 1, i + side + 2, i + side + 1};
                memcpy(triangle + 3 * (size_t)triangles, cut, sizeof cut);
                triangles += 2;
            }
        }
    }
    build((side + 1) * (side + 1), vertex, triangles, triangle, keep, mesh);
}

// ---- the full walk ------------------------------------------------------------------------------

// The full search: each triangle is a mesh of its own, whose tree is one leaf.
static SurfacePoint walk_all(const utMesh* mesh, utVec3 x, utVec3 n)
{
    SurfacePoint all = {.x = x, .n = n, .distance = HUGE_VAL, .normal_error = HUGE_VAL};
    for (int i = 0; i < mesh->triangles; i++) {
        const struct utMeshNode leaf = {.bounds = mesh->bounds, .triangle = 0};
        utMesh one = *mesh;
        one.triangles = one.nodes = 1;
        one.triangle = mesh->triangle + (size_t)3 * (size_t)i;
        one.normal = mesh->normal + i;
        one.node = &leaf;
        const utShape shape = {.kind = UT_SHAPE_MESH, .mesh = &one};
        const SurfacePoint spot = ut_certify_surface_point(&shape, x, n);
        all.distance = fmin(all.distance, spot.distance);
        all.normal_error = fmin(all.normal_error, spot.normal_error);
        all.excess = fmax(all.excess, spot.excess);
        all.outward = all.outward || spot.outward;
        all.triangles += spot.triangles;
    }
    return all;
}

// A random point in space, or on or near a triangle, an edge or a vertex.
static utVec3 pick_point(utRng* rng, const utMesh* mesh)
{
    const int pick = ut_rng_below(rng, 5);
    if (pick == 0) {
        return random_point(rng, 1.5);
    }
    const int* corner = mesh->triangle + (size_t)3 * (size_t)ut_rng_below(rng, mesh->triangles);
    double share[3] = {ut_rng_range(rng, 0, 1), ut_rng_range(rng, 0, 1), ut_rng_range(rng, 0, 1)};
    share[1] = pick == 2 ? 0.0 : share[1];
    share[2] = pick <= 2 ? 0.0 : share[2];
    const double sum = share[0] + share[1] + share[2];
    utVec3 x = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        x = ut_vec3_add_scaled(x, share[k] / sum, mesh->vertex[corner[k]]);
    }
    static const double off[] = {0.0, 0.0, 1e-12, 1e-8, 1e-7, 1e-6, 1e-2};
    return ut_vec3_add(x, random_point(rng, off[ut_rng_below(rng, 7)]));
}

static utVec3 pick_normal(utRng* rng, const utMesh* mesh)
{
    utVec3 n = mesh->normal[ut_rng_below(rng, mesh->triangles)];
    if (ut_rng_below(rng, 2) == 0) {
        ut_vec3_normalize(random_point(rng, 1.0), &n);
    }
    return n;
}

// Both searches give the same bits, because they take extrema of the same numbers.
static void compare(utRng* rng, const utMesh* mesh, int points)
{
    const utShape shape = {.kind = UT_SHAPE_MESH, .mesh = mesh};
    for (int k = 0; k < points; k++) {
        const utVec3 x = pick_point(rng, mesh), n = pick_normal(rng, mesh);
        const SurfacePoint all = walk_all(mesh, x, n),
                           near = ut_certify_surface_point(&shape, x, n);
        CHECK(near.distance == all.distance);
        CHECK(near.normal_error == all.normal_error);
        CHECK(near.excess == all.excess);
        CHECK(near.outward == all.outward);
        CHECK(ut_certify_surface_slant(&near) == ut_certify_surface_slant(&all));
        CHECK_INT(all.triangles, mesh->triangles);
        CHECK(near.triangles >= 1 && near.triangles <= mesh->triangles);
    }
}

static double memory_of_meshes[1 << 21];

TEST(the_search_near_a_point_agrees_with_a_full_search)
{
    for (int k = 0; k < 200; k++) {
        utArena keep = ut_arena_on(memory_of_meshes, sizeof memory_of_meshes);
        utRng rng = ut_rng(17, (uint64_t)k);
        utMesh mesh;
        if (k % 2 == 0) {
            make_soup(&rng, &keep, &mesh);
        } else {
            make_landscape(&rng, 1 + k % 12, k % 4 == 1 ? 0.0 : 1.0, &keep, &mesh);
        }
        if (mesh.triangles > 0) {
            compare(&rng, &mesh, 50);
        }
    }
}

// A point of a square grid is on one triangle, on two at an edge, or on six at a vertex. The box of
// a triangle that halves a square is the square, so up to four squares with eight triangles contain
// the point. A slope changes nothing, because boxes stay above their squares. The limit is twice
// that, which allows for triangles that the search meets first.
TEST(the_number_of_tested_triangles_does_not_grow_with_the_mesh)
{
    int most[2] = {0, 0};
    static const int sides[2] = {10, SIDE_MOST};
    for (int size = 0; size < 2; size++) {
        utArena keep = ut_arena_on(memory_of_meshes, sizeof memory_of_meshes);
        utRng rng = ut_rng(3, 0);
        utMesh mesh;
        make_landscape(&rng, sides[size], 1.0, &keep, &mesh);
        CHECK_INT(mesh.triangles, 2 * sides[size] * sides[size]);
        const utShape shape = {.kind = UT_SHAPE_MESH, .mesh = &mesh};
        for (int k = 0; k < 1000; k++) {
            const int t = ut_rng_below(&rng, mesh.triangles);
            const int* corner = mesh.triangle + (size_t)3 * (size_t)t;
            const utVec3 a = mesh.vertex[corner[0]], b = mesh.vertex[corner[1]];
            const utVec3 x = k % 2 == 0 ? a : ut_vec3_scale(ut_vec3_add(a, b), 0.5);
            const SurfacePoint spot = ut_certify_surface_point(&shape, x, mesh.normal[t]);
            CHECK(spot.distance <= 1e-15);
            most[size] = spot.triangles > most[size] ? spot.triangles : most[size];
        }
    }
    test_note("at most %d of 200 triangles, %d of 20000", most[0], most[1]);
    CHECK(most[0] <= 16 && most[1] <= 16);
}

TEST(a_point_that_is_not_finite_is_on_no_mesh)
{
    utArena keep = ut_arena_on(memory_of_meshes, sizeof memory_of_meshes);
    utRng rng = ut_rng(3, 1);
    utMesh mesh;
    make_landscape(&rng, 3, 1.0, &keep, &mesh);
    const utShape shape = {.kind = UT_SHAPE_MESH, .mesh = &mesh};
    const utVec3 n = ut_vec3(0, 0, 1);
    CHECK(ut_certify_surface_point(&shape, ut_vec3((double)NAN, 0, 0), n).distance == HUGE_VAL);
    CHECK(ut_certify_surface_point(&shape, ut_vec3(0, 0, -HUGE_VAL), n).distance == HUGE_VAL);
    mesh.triangles = mesh.nodes = 0;
    CHECK(ut_certify_surface_point(&shape, ut_vec3_zero(), n).distance == HUGE_VAL);
}
