// SPDX-License-Identifier: Apache-2.0
// Meshes and poses of any kind: a defined answer or an error, never a crash or an endless loop.
#include "collision/queries/ray.h"
#include "surface_forms.h"

// now and then something that should not be there
static double odd(utRng* rng)
{
    switch (ut_rng_below(rng, 40)) {
    case 0:
        return (double)NAN;
    case 1:
        return HUGE_VAL;
    case 2:
        return 1e200;
    case 3:
        return 1e-200;
    case 4:
        return -1e30;
    case 5:
    case 6:
        return 0.0;
    default:
        // often equal
        return 0.25 * ut_rng_below(rng, 9) - 1.0 +
               (ut_rng_below(rng, 2) == 0 ? 0.0 : 1e-9 * ut_rng_normal(rng));
    }
}

static double tame(utRng* rng, bool wild)
{
    const double x = odd(rng);
    return wild || fabs(x) <= 2.0 ? x : 0.5;
}

static utVec3 odd_point(utRng* rng, bool wild)
{
    const double x = tame(rng, wild), y = tame(rng, wild);
    return ut_vec3(x, y, tame(rng, wild));
}

static bool is_finite(utVec3 x)
{
    return fabs(x.x) <= DBL_MAX && fabs(x.y) <= DBL_MAX && fabs(x.z) <= DBL_MAX;
}

static void check_touches(int count, const utTouch* touch)
{
    CHECK(count >= 0 && count <= UT_TOUCH_MAX);
    for (int i = 0; i < count; i++) {
        CHECK(is_finite(touch[i].point));
        CHECK_NEAR(ut_vec3_norm(touch[i].normal), 1.0, 1e-12);
        CHECK(i == 0 || touch[i - 1].feature < touch[i].feature);
    }
}

static void try_shapes(const utShape* surface, utRng* rng, utArena arena)
{
    static const utShapeKind kinds[6] = {UT_SHAPE_SPHERE,   UT_SHAPE_CAPSULE,   UT_SHAPE_BOX,
                                         UT_SHAPE_CYLINDER, UT_SHAPE_ELLIPSOID, UT_SHAPE_HULL};
    utHull hull = random_hull(8, 0.5, rng, &arena);
    for (int i = 0; i < 6; i++) {
        utShape shape =
            ut_shape(kinds[i], ut_vec3(ut_rng_range(rng, 0.01, 1.0), ut_rng_range(rng, 0.01, 1.0),
                                       ut_rng_range(rng, 0.01, 1.0)));
        if (kinds[i] == UT_SHAPE_HULL) {
            shape = hull_shape(&hull);
        }
        const bool turned = ut_rng_below(rng, 2) == 0;
        const utFrame at =
            turned ? random_turn(rng, odd_point(rng, ut_rng_below(rng, 10) == 0))
                   : ut_frame(ut_mat3_identity(), odd_point(rng, ut_rng_below(rng, 10) == 0));
        const double margin = ut_rng_below(rng, 4) == 0 ? 0.0 : 0.2 * ut_rng_uniform(rng);
        utTouch touch[UT_TOUCH_MAX];
        check_touches(ut_collide(&shape, at, surface, ut_frame_identity(), margin, touch), touch);
    }
}

static void try_ray(const utShape* surface, utRng* rng)
{
    utRayHit hit = {.normal = ut_vec3(0.0, 0.0, 1.0)};
    const utVec3 from = odd_point(rng, false);
    utVec3 d;
    if (!ut_vec3_normalize(odd_point(rng, false), &d)) {
        d = ut_vec3(0.0, 0.0, -1.0);
    }
    const double far = ut_rng_below(rng, 3) == 0 ? HUGE_VAL : 2.0;
    const bool met = surface->kind == UT_SHAPE_MESH ? ut_ray_mesh(surface, from, d, far, &hit)
                                                    : ut_ray_heights(surface, from, d, far, &hit);
    if (met) {
        CHECK(hit.distance >= 0.0 && hit.distance <= far);
    }
}

TEST(no_mesh_however_odd_crashes)
{
    utArena arena = test_arena();
    int built = 0, runs = 3000;
    for (int run = 0; run < runs; run++) {
        utRng rng = ut_rng(31, (uint64_t)run);
        utArena here = arena;
        utVec3 vertex[12];
        int triangle[3 * 30];
        const int vertices = ut_rng_below(&rng, 13), triangles = ut_rng_below(&rng, 31);
        const bool wild = ut_rng_below(&rng, 8) == 0, astray = ut_rng_below(&rng, 8) == 0;
        for (int i = 0; i < vertices; i++) {
            vertex[i] = odd_point(&rng, wild);
        }
        for (int i = 0; i < 3 * triangles; i++) {
            triangle[i] = vertices > 0 ? ut_rng_below(&rng, vertices) : 0;
            triangle[i] += astray && ut_rng_below(&rng, 20) == 0 ? 7 : 0;
        }
        utMesh mesh;
        utError err = {0};
        utArena scratch;
        CHECK(ut_arena_create(0, NULL, &scratch) == UT_OK);
        const utStatus status =
            ut_mesh_build(vertices, vertex, triangles, triangle, &here, scratch, &mesh, &err);
        ut_arena_destroy(&scratch);
        CHECK(status == UT_OK || (status == UT_ERR_ARGUMENT && err.message[0] != 0));
        if (status == UT_OK) {
            const utShape surface = mesh_shape(&mesh);
            built++;
            try_shapes(&surface, &rng, here);
            for (int i = 0; i < 5; i++) {
                try_ray(&surface, &rng);
            }
        }
    }
    CHECK(built > runs / 2);
}

TEST(no_height_field_however_odd_crashes)
{
    utArena arena = test_arena();
    int built = 0, runs = 1500;
    for (int run = 0; run < runs; run++) {
        utRng rng = ut_rng(32, (uint64_t)run);
        double height[36];
        const int columns = ut_rng_below(&rng, 7), rows = ut_rng_below(&rng, 7);
        const bool wild = ut_rng_below(&rng, 8) == 0;
        for (int i = 0; i < 36; i++) {
            height[i] = tame(&rng, wild);
        }
        utHeights field;
        utError err = {0};
        const utStatus status = ut_heights_build(columns, rows, height, &field, &err);
        CHECK(status == UT_OK || (status == UT_ERR_ARGUMENT && err.message[0] != 0));
        if (status == UT_OK) {
            const utShape surface = heights_shape(&field, ut_vec3(1.0, 1.0, 0.5));
            built++;
            try_shapes(&surface, &rng, arena);
            for (int i = 0; i < 5; i++) {
                try_ray(&surface, &rng);
            }
        }
    }
    CHECK(built > runs / 4);
}
