// SPDX-License-Identifier: Apache-2.0
// Rays against meshes and height fields.
#include "collision/queries/ray.h"
#include "surface_forms.h"

TEST(a_ray_meets_a_box_of_triangles_where_it_meets_the_box)
{
    utArena arena = test_arena();
    const utMesh mesh = make_box_mesh(ut_vec3(1.0, 2.0, 3.0), &arena);
    const utShape solid = mesh_shape(&mesh);
    utRayHit hit;
    CHECK(ut_ray_mesh(&solid, ut_vec3(5.0, 0.3, 0.4), ut_vec3(-1.0, 0.0, 0.0), 10.0, &hit));
    CHECK_NEAR(hit.distance, 4.0, 1e-14);
    CHECK_NEAR(hit.normal.x, 1.0, 0.0);
    CHECK(!ut_ray_mesh(&solid, ut_vec3(5.0, 0.3, 0.4), ut_vec3(-1.0, 0.0, 0.0), 3.9, &hit));
    CHECK(!ut_ray_mesh(&solid, ut_vec3(5.0, 0.3, 0.4), ut_vec3(1.0, 0.0, 0.0), 10.0, &hit));
    CHECK(!ut_ray_mesh(&solid, ut_vec3(5.0, 2.1, 0.4), ut_vec3(-1.0, 0.0, 0.0), 10.0, &hit));
    // from the diagonal: (5, 5, 5) - s (1, 1, 1) / root 3 enters y = 2 at z = 2, x = 2: not yet x =
    // 1
    utVec3 d;
    ut_vec3_normalize(ut_vec3(-1.0, -1.0, -1.0), &d);
    CHECK(ut_ray_mesh(&solid, ut_vec3(5.0, 5.0, 5.0), d, HUGE_VAL, &hit));
    CHECK_NEAR(hit.distance, 4.0 * sqrt(3.0), 1e-13);
    CHECK_NEAR(hit.normal.x, 1.0, 0.0);
    // from within
    CHECK(ut_ray_mesh(&solid, ut_vec3(0.1, 0.2, 0.3), d, HUGE_VAL, &hit));
    CHECK_NEAR(hit.distance, 0.0, 0.0);
}

// Rays aimed at edges and vertices of a closed mesh never slip through.
TEST(no_ray_slips_between_triangles)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(1, 2);
    const utMesh mesh = make_box_mesh(ut_vec3(1.0, 0.7, 0.9), &arena);
    const utShape solid = mesh_shape(&mesh);
    int missed = 0;
    for (int run = 0; run < 20000; run++) {
        const int t = ut_rng_below(&rng, mesh.triangles), k = ut_rng_below(&rng, 3);
        const utVec3 a = mesh.vertex[mesh.triangle[3 * t + k]];
        const utVec3 b = mesh.vertex[mesh.triangle[3 * t + (k + 1) % 3]];
        const double share = ut_rng_below(&rng, 4) == 0 ? 0.0 : ut_rng_uniform(&rng);
        const utVec3 from = ut_mat3_mul_vec(random_turn(&rng, ut_vec3_zero()).R,
                                            ut_vec3(3.0 + ut_rng_uniform(&rng), 0.0, 0.0));
        // a hair inwards, so that the ray does enter
        utVec3 aim = ut_vec3_scale(ut_vec3_add_scaled(a, share, ut_vec3_sub(b, a)), 1.0 - 1e-12);
        utVec3 d;
        ut_vec3_normalize(ut_vec3_sub(aim, from), &d);
        utRayHit hit;
        missed += ut_ray_mesh(&solid, from, d, HUGE_VAL, &hit) ? 0 : 1;
    }
    CHECK_INT(missed, 0);
}

enum { COLUMNS = 12, ROWS = 9 };

TEST(rays_from_above_meet_a_height_field_as_its_mesh)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(4, 4);
    double height[COLUMNS * ROWS];
    utVec3 vertex[COLUMNS * ROWS];
    int triangle[6 * (COLUMNS - 1) * (ROWS - 1)], *out = triangle;
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        height[i] = ut_rng_range(&rng, -0.5, 0.5);
        vertex[i] = ut_vec3(-3.0 + 6.0 * (i % COLUMNS) / (COLUMNS - 1),
                            -2.0 + 4.0 * (i / COLUMNS) / (ROWS - 1), height[i]);
    }
    for (int j = 0; j + 1 < ROWS; j++) {
        for (int i = 0; i + 1 < COLUMNS; i++) {
            const int a = j * COLUMNS + i, b = a + 1, c = b + COLUMNS, d = a + COLUMNS;
            const int corner[6] = {a, b, c, a, c, d};
            memcpy(out, corner, sizeof corner);
            out += 6;
        }
    }
    const utMesh mesh =
        make_mesh(COLUMNS * ROWS, vertex, 2 * (COLUMNS - 1) * (ROWS - 1), triangle, &arena);
    utHeights field;
    utError err;
    CHECK(ut_heights_build(COLUMNS, ROWS, height, &field, &err) == UT_OK);
    const utShape a = heights_shape(&field, ut_vec3(3.0, 2.0, 1.0)), b = mesh_shape(&mesh);
    int met = 0;
    for (int run = 0; run < 5000; run++) {
        const utVec3 from = ut_vec3(ut_rng_range(&rng, -2.9, 2.9), ut_rng_range(&rng, -1.9, 1.9),
                                    ut_rng_range(&rng, 0.51, 2.0));
        utVec3 d = ut_mat3_column(random_turn(&rng, ut_vec3_zero()).R, 0);
        if (run % 10 == 0) {
            d = ut_vec3(0.0, 0.0, -1.0);
        }
        utRayHit of_field, of_mesh;
        const bool one = ut_ray_heights(&a, from, d, 20.0, &of_field);
        const bool two = ut_ray_mesh(&b, from, d, 20.0, &of_mesh);
        CHECK(one == two);
        if (one && two) {
            met++;
            CHECK_NEAR(of_field.distance, of_mesh.distance, 1e-11);
            CHECK(ut_vec3_norm(ut_vec3_sub(of_field.normal, of_mesh.normal)) < 1e-12);
        }
    }
    CHECK(met > 1500);
}

TEST(a_height_field_is_solid_below)
{
    static const double height[4] = {0.5, 0.5, 0.5, 0.5};
    utHeights field;
    utError err;
    utRayHit hit;
    CHECK(ut_heights_build(2, 2, height, &field, &err) == UT_OK);
    const utShape block = heights_shape(&field, ut_vec3(2.0, 1.0, 1.0));
    // down on it
    CHECK(ut_ray_heights(&block, ut_vec3(0.3, 0.2, 4.0), ut_vec3(0.0, 0.0, -1.0), 9.0, &hit));
    CHECK_NEAR(hit.distance, 3.5, 1e-15);
    CHECK_NEAR(hit.normal.z, 1.0, 0.0);
    // against its side, its bottom
    CHECK(ut_ray_heights(&block, ut_vec3(-5.0, 0.2, 0.1), ut_vec3(1.0, 0.0, 0.0), 9.0, &hit));
    CHECK_NEAR(hit.distance, 3.0, 1e-15);
    CHECK_NEAR(hit.normal.x, -1.0, 0.0);
    CHECK(ut_ray_heights(&block, ut_vec3(0.3, 0.2, -4.0), ut_vec3(0.0, 0.0, 1.0), 9.0, &hit));
    CHECK_NEAR(hit.distance, 3.0, 1e-15);
    CHECK_NEAR(hit.normal.z, -1.0, 0.0);
    // above it, short of it, from within
    CHECK(!ut_ray_heights(&block, ut_vec3(-5.0, 0.2, 0.6), ut_vec3(1.0, 0.0, 0.0), 9.0, &hit));
    CHECK(!ut_ray_heights(&block, ut_vec3(-5.0, 0.2, 0.1), ut_vec3(1.0, 0.0, 0.0), 2.9, &hit));
    CHECK(ut_ray_heights(&block, ut_vec3(0.3, 0.2, 0.1), ut_vec3(1.0, 0.0, 0.0), 9.0, &hit));
    CHECK_NEAR(hit.distance, 0.0, 0.0);
}
