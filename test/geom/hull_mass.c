// SPDX-License-Identifier: Apache-2.0
// Volume, centre and moments of hulls against closed forms and another way of summing.
#include <math.h>

#include "check_hull.h"
#include "clouds.h"
#include "test.h"

static double largest_entry(utMat3 A)
{
    double most = 0.0;
    for (int i = 0; i < 9; i++) {
        most = fmax(most, fabs(A.m[i / 3][i % 3]));
    }
    return most;
}

static void check_matrix(utMat3 got, utMat3 want, double tolerance)
{
    CHECK_NEAR(largest_entry(ut_mat3_sub(got, want)), 0.0, tolerance * largest_entry(want));
}

// a body's inertia where its frame is turned by R
static utMat3 turned(utMat3 I, utMat3 R)
{
    return ut_mat3_mul(ut_mat3_mul(R, I), ut_mat3_transpose(R));
}

static utInertia hull_inertia(int count, const utVec3* p, double density)
{
    utArena arena = test_arena();
    utHull hull;
    CHECK(build_hull(count, p, &arena, &hull, NULL));
    const utShape shape = {.kind = UT_SHAPE_HULL, .hull = &hull};
    CHECK(ut_shape_check(&shape, NULL) == UT_OK);
    CHECK_NEAR(ut_shape_volume(&shape), hull.volume, 0.0);
    return ut_shape_inertia(&shape, density);
}

// mass (b^2 + c^2) / 12 about each axis; far away coordinates of d m are wrong by 1e-16 d
TEST(a_box_as_a_hull_weighs_what_a_box_weighs)
{
    utRng rng = ut_rng(20, 0);
    for (int k = 0; k < 200; k++) {
        const utVec3 half = ut_vec3(ut_rng_range(&rng, 0.01, 1.0), ut_rng_range(&rng, 0.01, 1.0),
                                    ut_rng_range(&rng, 0.01, 1.0));
        const utMat3 R = ut_quat_to_mat3(random_turn(&rng));
        const double away = k % 2 == 0 ? 1.0 : 1e3;
        const utVec3 at = ut_vec3_scale(random_unit(&rng), away);
        utVec3 p[8];
        for (int i = 0; i < 8; i++) {
            p[i] = ut_frame_point(ut_frame(R, at),
                                  ut_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                          i & 4 ? half.z : -half.z));
        }
        const utShape box = ut_shape(UT_SHAPE_BOX, half);
        const utInertia want = ut_shape_inertia(&box, 700.0), got = hull_inertia(8, p, 700.0);
        // an error of 1e-16 of the distance in sides of at least 0.02 m
        const double tolerance = 1e-13 * away;
        CHECK_NEAR(got.mass, want.mass, tolerance * want.mass);
        CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(got.com, at)), 0.0, 1e-15 * away + 1e-15);
        check_matrix(got.inertia, turned(want.inertia, R), tolerance);
    }
}

// The simplex 0, e_x, e_y, e_z: volume 1/6, centre 1/4; the integrals of x^2 and x y over it are
// 1/60 and 1/120, about the centre 1/60 - 1/96 = 1/160 and 1/120 - 1/96 = -1/480.
TEST(a_simplex_by_hand)
{
    const utVec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const utInertia I = hull_inertia(4, p, 6.0);
    CHECK_NEAR(I.mass, 1.0, 1e-15);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(I.inertia.m[i][j], i == j ? 6.0 * 2.0 / 160.0 : 6.0 / 480.0, 1e-16);
        }
    }
}

// A solid whose symmetry leaves one moment: of the regular octahedron with corners at distance a,
// mass a^2 / 5 about every axis.
TEST(an_octahedron_by_hand)
{
    utVec3 p[6];
    const double a = 0.3;
    for (int i = 0; i < 6; i++) {
        const double s = i & 1 ? -a : a;
        p[i] = ut_vec3(i / 2 == 0 ? s : 0.0, i / 2 == 1 ? s : 0.0, i / 2 == 2 ? s : 0.0);
    }
    const utInertia I = hull_inertia(6, p, 2.0);
    const double mass = 2.0 * 4.0 / 3.0 * a * a * a;
    CHECK_NEAR(I.mass, mass, 1e-15 * mass);
    const double each = 0.2 * mass * a * a;
    check_matrix(I.inertia, ut_mat3_diagonal(ut_vec3(each, each, each)), 1e-15);
}

// Another way: each tetrahedron from a corner of the hull to a triangle of a face by itself, by
// four points of quadrature (exact to degree 2: weights 1/4 at barycentric (b, a, a, a) with a = (5
// - sqrt 5) / 20, b = 1 - 3 a), and moments about the centre by the parallel axes.
static utInertia by_quadrature(const utHull* hull, double density)
{
    const double a = (5.0 - sqrt(5.0)) / 20.0;
    utInertia sum = ut_inertia(0.0, ut_vec3_zero(), ut_mat3_zero());
    for (int f = 0; f < hull->faces; f++) {
        for (int k = hull->face_start[f] + 1; k + 1 < hull->face_start[f + 1]; k++) {
            const utVec3 v[4] = {
                hull->vertex[0], hull->vertex[hull->face_vertex[hull->face_start[f]]],
                hull->vertex[hull->face_vertex[k]], hull->vertex[hull->face_vertex[k + 1]]};
            const utMat3 edges = ut_mat3_from_columns(
                ut_vec3_sub(v[1], v[0]), ut_vec3_sub(v[2], v[0]), ut_vec3_sub(v[3], v[0]));
            const double mass = density * ut_mat3_determinant(edges) / 6.0;
            for (int q = 0; q < 4; q++) {
                utVec3 x = ut_vec3_zero();
                for (int i = 0; i < 4; i++) {
                    x = ut_vec3_add_scaled(x, i == q ? 1.0 - 3.0 * a : a, v[i]);
                }
                sum = ut_inertia_add(sum, ut_inertia(0.25 * mass, x, ut_mat3_zero()));
            }
        }
    }
    return sum;
}

TEST(moments_of_random_hulls_are_those_of_their_tetrahedra)
{
    static utVec3 point[200];
    utRng rng = ut_rng(21, 0);
    for (int k = 0; k < 300; k++) {
        const CloudKind kind = (CloudKind)(k % CLOUD_KINDS);
        const int count = 12 + ut_rng_below(&rng, 180);
        fill_cloud(kind, &rng, count, point);
        utArena arena = test_arena();
        utHull hull;
        if (!CHECK(build_hull(count, point, &arena, &hull, NULL))) {
            continue;
        }
        const utShape shape = {.kind = UT_SHAPE_HULL, .hull = &hull};
        const utInertia got = ut_shape_inertia(&shape, 3.0), want = by_quadrature(&hull, 3.0);
        // 1000 roundings; of thin hulls 1e-3 and far ones 1e3 of the size magnify them
        CHECK_NEAR(got.mass, want.mass, 1e-9 * want.mass);
        CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(got.com, want.com)), 0.0, 1e-9 * hull.size);
        check_matrix(got.inertia, want.inertia, 1e-9);
        CHECK_NEAR(got.mass, 3.0 * hull.volume, 0.0);
    }
}
