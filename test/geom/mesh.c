// SPDX-License-Identifier: Apache-2.0
// Meshes: neighbours, convex edges, normals and the tree, by hand and by counting.
#include "geom/mesh_tree.h"

#include <math.h>
#include <string.h>

#include "test.h"

static const utVec3 cube_vertex[8] = {{-1.0, -1.0, -1.0}, {1.0, -1.0, -1.0}, {-1.0, 1.0, -1.0},
                                      {1.0, 1.0, -1.0},   {-1.0, -1.0, 1.0}, {1.0, -1.0, 1.0},
                                      {-1.0, 1.0, 1.0},   {1.0, 1.0, 1.0}};
static const int cube_triangle[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static utStatus build(int vertices, const utVec3* vertex, int triangles, const int* triangle,
                      utArena* arena, utMesh* mesh, utError* err)
{
    utArena scratch;
    CHECK(ut_arena_create(0, NULL, &scratch) == UT_OK);
    const utStatus status =
        ut_mesh_build(vertices, vertex, triangles, triangle, arena, scratch, mesh, err);
    ut_arena_destroy(&scratch);
    return status;
}

TEST(a_cube_has_neighbours_everywhere_and_twelve_convex_edges)
{
    utArena arena = test_arena();
    utMesh mesh;
    utError err;
    CHECK(build(8, cube_vertex, 12, cube_triangle, &arena, &mesh, &err) == UT_OK);
    CHECK_INT(mesh.triangles, 12);
    int convex = 0;
    for (int e = 0; e < 36; e++) {
        const int other = mesh.adjacent[e];
        CHECK(other >= 0 && other != e / 3);
        // the same two ends in the opposite sense
        const int a = mesh.triangle[e], b = mesh.triangle[e - e % 3 + (e + 1) % 3];
        bool back = false;
        for (int k = 0; k < 3; k++) {
            back = back || (mesh.triangle[3 * other + k] == b &&
                            mesh.triangle[3 * other + (k + 1) % 3] == a);
        }
        CHECK(back);
        convex += mesh.convex[e];
        // a diagonal of a face is longer than its sides
        const double length = ut_vec3_norm(ut_vec3_sub(mesh.vertex[a], mesh.vertex[b]));
        CHECK_INT(mesh.convex[e], length < 2.5 ? 1 : 0);
    }
    CHECK_INT(convex, 24);
    CHECK_NEAR(mesh.bounds.low.x, -1.0, 0.0);
    CHECK_NEAR(mesh.bounds.high.z, 1.0, 0.0);
    for (int t = 0; t < 12; t++) {
        // outward
        CHECK_NEAR(ut_vec3_dot(mesh.normal[t], mesh.vertex[mesh.triangle[3 * t]]), 1.0, 1e-15);
    }
}

TEST(a_room_is_a_cube_turned_inside_out_and_has_no_convex_edge)
{
    utArena arena = test_arena();
    utMesh mesh;
    utError err;
    int turned[36];
    for (int t = 0; t < 12; t++) {
        turned[3 * t] = cube_triangle[3 * t];
        turned[3 * t + 1] = cube_triangle[3 * t + 2];
        turned[3 * t + 2] = cube_triangle[3 * t + 1];
    }
    CHECK(build(8, cube_vertex, 12, turned, &arena, &mesh, &err) == UT_OK);
    for (int e = 0; e < 36; e++) {
        CHECK_INT(mesh.convex[e], 0);
    }
}

// Every triangle with vertices of its own, as many files have it.
TEST(vertices_at_one_place_are_one)
{
    utArena arena = test_arena();
    utMesh mesh, soup;
    utError err;
    utVec3 vertex[36];
    int triangle[36];
    for (int i = 0; i < 36; i++) {
        vertex[i] = cube_vertex[cube_triangle[i]];
        triangle[i] = i;
    }
    CHECK(build(8, cube_vertex, 12, cube_triangle, &arena, &mesh, &err) == UT_OK);
    CHECK(build(36, vertex, 12, triangle, &arena, &soup, &err) == UT_OK);
    for (int e = 0; e < 36; e++) {
        CHECK_INT(soup.adjacent[e], mesh.adjacent[e]);
        CHECK_INT(soup.convex[e], mesh.convex[e]);
    }
}

TEST(signed_zeros_are_one_place)
{
    utArena arena = test_arena();
    utMesh mesh;
    utError err;
    const utVec3 vertex[6] = {{0.0, 0.0, 0.0},  {1.0, 0.0, 0.0},  {0.0, 1.0, 0.0},
                              {-0.0, 0.0, 0.0}, {0.0, 1.0, -0.0}, {-1.0, 0.0, 0.0}};
    const int triangle[6] = {0, 1, 2, 3, 4, 5};
    CHECK(build(6, vertex, 2, triangle, &arena, &mesh, &err) == UT_OK);
    CHECK_INT(mesh.adjacent[2], 1);
    CHECK_INT(mesh.adjacent[3], 0);
    CHECK_INT(mesh.convex[2], 0);
}

// Three triangles at one edge, or two in the same sense: no neighbours there.
TEST(an_edge_of_three_triangles_has_no_neighbours)
{
    utArena arena = test_arena();
    utMesh mesh;
    utError err;
    const utVec3 vertex[5] = {
        {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.5, 1.0, 0.0}, {0.5, -1.0, 0.0}, {0.5, 0.0, 1.0}};
    const int three[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    CHECK(build(5, vertex, 3, three, &arena, &mesh, &err) == UT_OK);
    for (int e = 0; e < 9; e++) {
        CHECK_INT(mesh.adjacent[e], -1);
        CHECK_INT(mesh.convex[e], 1);
    }
    const int same_sense[6] = {0, 1, 2, 0, 1, 3};
    CHECK(build(5, vertex, 2, same_sense, &arena, &mesh, &err) == UT_OK);
    CHECK_INT(mesh.adjacent[0], -1);
    CHECK_INT(mesh.adjacent[3], -1);
}

TEST(triangles_without_area_are_left_out)
{
    utArena arena = test_arena();
    utMesh mesh;
    utError err;
    const utVec3 vertex[5] = {
        {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {2.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    // a point, a line, a line of merged vertices, a triangle
    const int triangle[12] = {0, 0, 0, 0, 1, 3, 1, 2, 4, 0, 1, 2};
    CHECK(build(5, vertex, 4, triangle, &arena, &mesh, &err) == UT_OK);
    CHECK_INT(mesh.triangles, 1);
    CHECK_INT(mesh.nodes, 1);
    CHECK_NEAR(mesh.normal[0].z, 1.0, 0.0);
    CHECK_NEAR(mesh.bounds.high.x, 1.0, 0.0);
}

TEST(what_cannot_be_a_mesh_is_named)
{
    utArena arena = test_arena();
    utMesh mesh;
    utError err = {0};
    const int far[6] = {0, 1, 2, 3, 8, 1};
    CHECK(build(8, cube_vertex, 2, far, &arena, &mesh, &err) == UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "triangle 1") != NULL && strstr(err.message, "vertex 8") != NULL);
    const int negative[3] = {0, -1, 2};
    CHECK(build(8, cube_vertex, 1, negative, &arena, &mesh, &err) == UT_ERR_ARGUMENT);
    utVec3 vertex[8];
    memcpy(vertex, cube_vertex, sizeof vertex);
    vertex[5].y = (double)NAN;
    CHECK(build(8, vertex, 12, cube_triangle, &arena, &mesh, &err) == UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "vertex 5") != NULL);
    vertex[5].y = HUGE_VAL;
    CHECK(build(8, vertex, 12, cube_triangle, &arena, &mesh, &err) == UT_ERR_ARGUMENT);
    CHECK(build(-1, vertex, 0, cube_triangle, &arena, &mesh, &err) == UT_ERR_ARGUMENT);
    utArena none = ut_arena_on(vertex, 0);
    CHECK(ut_mesh_build(8, cube_vertex, 12, cube_triangle, &none, arena, &mesh, &err) ==
          UT_ERR_CAPACITY);
    CHECK(ut_mesh_build(8, cube_vertex, 12, cube_triangle, &arena, none, &mesh, &err) ==
          UT_ERR_CAPACITY);
}

TEST(a_mesh_of_nothing_is_a_mesh)
{
    utArena arena = test_arena();
    utMesh mesh;
    utError err;
    CHECK(build(0, NULL, 0, NULL, &arena, &mesh, &err) == UT_OK);
    CHECK_INT(mesh.triangles, 0);
    CHECK_INT(mesh.nodes, 0);
}

// Slivers of a plane that stands askew: their own normals would be rounding.
TEST(slivers_share_the_normal_of_their_plane)
{
    utArena arena = test_arena();
    utMesh mesh;
    utError err;
    utVec3 n, t1, t2;
    ut_vec3_normalize(ut_vec3(0.3, -0.5, 0.8), &n);
    ut_tangent_basis(n, &t1, &t2);
    enum { COUNT = 200 };
    utVec3 vertex[2 * COUNT + 2];
    int triangle[6 * COUNT];
    for (int i = 0; i <= COUNT; i++) {
        // strips of 1e-7 m between wide ones
        const double x = 0.01 * (i / 2) + 1e-7 * (i % 2);
        for (int k = 0; k < 2; k++) {
            vertex[2 * i + k] = ut_vec3_add_scaled(ut_vec3_scale(t1, x), k, t2);
        }
    }
    for (int i = 0; i < COUNT; i++) {
        const int a = 2 * i, corner[6] = {a, a + 2, a + 3, a, a + 3, a + 1};
        memcpy(triangle + 6 * i, corner, sizeof corner);
    }
    CHECK(build(2 * COUNT + 2, vertex, 2 * COUNT, triangle, &arena, &mesh, &err) == UT_OK);
    CHECK_INT(mesh.triangles, 2 * COUNT);
    for (int t = 0; t < mesh.triangles; t++) {
        // rounding of 1e-16 over the 0.01 of a wide one
        CHECK(ut_vec3_norm(ut_vec3_sub(mesh.normal[t], n)) < 1e-13);
        for (int k = 0; k < 3; k++) {
            CHECK_INT(mesh.convex[3 * t + k], mesh.adjacent[3 * t + k] < 0 ? 1 : 0);
        }
    }
}

static bool holds(const utBounds* a, utVec3 x)
{
    return a->low.x <= x.x && x.x <= a->high.x && a->low.y <= x.y && x.y <= a->high.y &&
           a->low.z <= x.z && x.z <= a->high.z;
}

// @return how many leaves there are below node i; their triangles are counted
static int check_tree(const utMesh* mesh, int i, int depth, int* seen)
{
    const struct utMeshNode* node = &mesh->node[i];
    CHECK(depth <= 20);
    if (node->right == 0) {
        seen[node->triangle]++;
        for (int k = 0; k < 3; k++) {
            CHECK(holds(&node->bounds, mesh->vertex[mesh->triangle[3 * node->triangle + k]]));
        }
        return 1;
    }
    const struct utMeshNode* child[2] = {&mesh->node[i + 1], &mesh->node[node->right]};
    for (int k = 0; k < 2; k++) {
        CHECK(holds(&node->bounds, child[k]->bounds.low));
        CHECK(holds(&node->bounds, child[k]->bounds.high));
    }
    return check_tree(mesh, i + 1, depth + 1, seen) +
           check_tree(mesh, node->right, depth + 1, seen);
}

TEST(each_triangle_is_one_leaf_of_the_tree)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(9, 9);
    utMesh mesh;
    utError err;
    enum { COUNT = 5000 };
    utVec3* vertex = UT_PUSH(&arena, utVec3, 3 * COUNT);
    int* triangle = UT_PUSH(&arena, int, 3 * COUNT);
    int* seen = UT_PUSH(&arena, int, COUNT);
    memset(seen, 0, COUNT * sizeof *seen);
    for (int i = 0; i < 3 * COUNT; i++) {
        // many with the same centre coordinates
        vertex[i] = ut_vec3(ut_rng_below(&rng, 20), ut_rng_below(&rng, 20), ut_rng_uniform(&rng));
        triangle[i] = i;
    }
    CHECK(build(3 * COUNT, vertex, COUNT, triangle, &arena, &mesh, &err) == UT_OK);
    CHECK_INT(mesh.nodes, 2 * mesh.triangles - 1);
    CHECK_INT(check_tree(&mesh, 0, 0, seen), mesh.triangles);
    for (int t = 0; t < mesh.triangles; t++) {
        CHECK_INT(seen[t], 1);
    }
}
