// SPDX-License-Identifier: Apache-2.0
// Manifolds by hand: stacks, edges, corners, what is degenerate, and what is not finite.
#include "collision/internal.h"
#include "oracle.h"

static const double eighth = 0.785398163397448310; // of a turn
static const utVec3 ex = {1.0, 0.0, 0.0}, ey = {0.0, 1.0, 0.0}, ez = {0.0, 0.0, 1.0};

static bool is_vec(utVec3 a, double x, double y, double z, double tolerance)
{
    return fabs(a.x - x) <= tolerance && fabs(a.y - y) <= tolerance && fabs(a.z - z) <= tolerance;
}

static bool has_point(const utTouch* touch, int count, double x, double y, double z)
{
    for (int i = 0; i < count; i++) {
        if (is_vec(touch[i].point, x, y, z, 1e-15)) {
            return true;
        }
    }
    return false;
}

// ---- boxes that rest ----------------------------------------------------------------------------

TEST(cubes_that_touch_have_four_points_with_gap_zero)
{
    const utShape cube = box(0.5, 0.5, 0.5);
    utTouch touch[UT_MANIFOLD_MAX];
    for (int level = 0; level < 100; level++) {
        const int count =
            ut_collide(&cube, at(0, 0, 0.5 + level), &cube, at(0, 0, 1.5 + level), 0.0, touch);
        CHECK_INT(count, 4);
        for (int i = 0; i < count; i++) {
            CHECK_NEAR(touch[i].gap, 0.0, 0.0);
            CHECK(is_vec(touch[i].normal, 0, 0, 1, 0.0));
            CHECK(has_point(touch, count, i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 1.0 + level));
        }
    }
}

TEST(every_pair_of_faces_of_touching_cubes_gives_the_same)
{
    const utShape cube = box(0.3, 0.3, 0.3);
    const double direction[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                    {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    for (int k = 0; k < 6; k++) {
        utTouch touch[UT_MANIFOLD_MAX];
        const double* d = direction[k];
        const utFrame B = at(0.6 * d[0], 0.6 * d[1], 0.6 * d[2]);
        CHECK_INT(ut_collide(&cube, at(0, 0, 0), &cube, B, 0.0, touch), 4);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(touch[i].gap, 0.0, 1e-15);
            CHECK(is_vec(touch[i].normal, d[0], d[1], d[2], 0.0));
        }
    }
}

// unit cubes shifted by (0.25, 0.5): the common face is [-0.25, 0.5] x [0, 0.5]
TEST(shifted_cubes_meet_in_the_corners_of_the_common_face)
{
    const utShape cube = box(0.5, 0.5, 0.5);
    utTouch touch[UT_MANIFOLD_MAX];
    const int count = ut_collide(&cube, at(0, 0, 0), &cube, at(0.25, 0.5, 1.125), 0.2, touch);
    CHECK_INT(count, 4);
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(touch[i].gap, 0.125, 0.0);
        CHECK(has_point(touch, count, i & 1 ? 0.5 : -0.25, i & 2 ? 0.5 : 0.0, 0.5625));
    }
}

// a cube turned by an eighth on a cube: the common face is an octagon, of which four corners that
// are a quarter turn apart hold the most
TEST(an_octagon_is_reduced_to_a_square)
{
    const utShape cube = box(0.5, 0.5, 0.5);
    utTouch touch[UT_MANIFOLD_MAX];
    const utFrame B = turned(ez, eighth, ut_vec3(0, 0, 1));
    CHECK_INT(ut_collide(&cube, at(0, 0, 0), &cube, B, 0.01, touch), 4);
    utVec3 sum = ut_vec3_zero();
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(touch[i].gap, 0.0, 1e-15);
        // a corner is where |x| = 1/2 and |x| + |y| = 1/sqrt 2, or the same with y
        CHECK_NEAR(hypot(touch[i].point.x, touch[i].point.y), 0.541196100146197, 1e-14);
        sum = ut_vec3_add(sum, touch[i].point);
    }
    CHECK(is_vec(sum, 0, 0, 2, 1e-14));
}

static double noise(utRng* rng)
{
    return ut_rng_range(rng, -1e-9, 1e-9);
}

static utFrame shaken(utRng* rng, utFrame F)
{
    utVec3 turn = ut_vec3_zero();
    F.p.x += noise(rng);
    F.p.y += noise(rng);
    F.p.z += noise(rng);
    turn.x = noise(rng);
    turn.y = noise(rng);
    turn.z = noise(rng);
    F.R = ut_mat3_mul(ut_quat_to_mat3(ut_quat_exp(turn)), F.R);
    return F;
}

static void check_steady(utShape a, utFrame A, utShape b, utFrame B, int want)
{
    utRng rng = ut_rng(5, 0);
    utTouch rest[UT_MANIFOLD_MAX], touch[UT_MANIFOLD_MAX];
    CHECK_INT(ut_collide(&a, A, &b, B, 0.01, rest), want);
    int changed = 0;
    for (int k = 0; k < 1000; k++) {
        const utFrame A1 = shaken(&rng, A), B1 = shaken(&rng, B);
        bool same = ut_collide(&a, A1, &b, B1, 0.01, touch) == want;
        for (int i = 0; same && i < want; i++) {
            same = touch[i].feature == rest[i].feature &&
                   ut_vec3_norm(ut_vec3_sub(touch[i].point, rest[i].point)) <= 1e-7 &&
                   ut_vec3_norm(ut_vec3_sub(touch[i].normal, rest[i].normal)) <= 5e-8 &&
                   fabs(touch[i].gap - rest[i].gap) <= 1e-8;
        }
        changed += !same;
    }
    CHECK_INT(changed, 0);
}

TEST(noise_of_a_nanometre_does_not_change_a_resting_manifold)
{
    const utShape cube = box(0.5, 0.5, 0.5), plank = box(2.0, 0.5, 0.1), rod = capsule(0.1, 0.5);
    check_steady(cube, at(0, 0, 0), cube, at(0, 0, 1), 4);
    check_steady(cube, at(0, 0, 0), cube, at(0.3, -0.2, 1), 4);
    check_steady(cube, at(0, 0, 0), cube, turned(ez, eighth, ut_vec3(0, 0, 1)), 4);
    check_steady(cube, at(0, 0, 0), cube, turned(ez, 0.3, ut_vec3(0.2, 0.1, 1)), 4);
    check_steady(cube, at(0, 0, 0), plank, at(0.4, 0, 0.6), 4);
    check_steady(plank, at(0, 0, 0), cube, at(1.7, 0, 0.6), 4);
    // on its edge, crosswise and to the very sides
    check_steady(cube, at(0, 0, 0), cube, turned(ex, eighth, ut_vec3(0, 0, 0.5 + sqrt(0.5))), 2);
    check_steady(cube, at(0, 0, 0), rod, turned(ey, 2.0 * eighth, ut_vec3(0.3, 0, 0.6)), 2);
    check_steady(cube, at(0, 0, 0), rod, turned(ey, 2.0 * eighth, ut_vec3(0, 0, 0.6)), 2);
    check_steady(plane(), at(0, 0, 0), cube, at(0.2, 0.1, 0.5), 4);
    check_steady(rod, at(0, 0, 0), rod, at(0.2, 0, 0), 2);
    check_steady(rod, at(0, 0, 0), rod, at(0.2, 0, 0.3), 2);
}

// ---- tilted box over a plane --------------------------------------------------------------------

TEST(corner_gaps_over_a_plane_are_corner_heights)
{
    const utShape ground = plane(), brick = box(0.3, 0.2, 0.1);
    const utQuat q =
        ut_quat_mul(ut_quat_from_axis_angle(ex, 0.2), ut_quat_from_axis_angle(ey, 0.1));
    const utFrame B = ut_frame(ut_quat_to_mat3(q), ut_vec3(1, 2, 0.15));
    utTouch touch[UT_MANIFOLD_MAX];
    const int count = ut_collide(&ground, at(0, 0, 0), &brick, B, 1.0, touch);
    CHECK_INT(count, 4);
    // the lower face: z = -0.1, in the order of the corners' numbers
    for (int i = 0; i < count; i++) {
        const utVec3 c = ut_frame_point(B, ut_vec3(i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, -0.1));
        CHECK_NEAR(touch[i].gap, c.z, 1e-16);
        CHECK(is_vec(touch[i].point, c.x, c.y, 0.5 * c.z, 1e-15));
        CHECK(is_vec(touch[i].normal, 0, 0, 1, 0.0));
    }
    // with margin 0 only corners below the plane stay
    int below = 0;
    for (int i = 0; i < count; i++) {
        below += touch[i].gap <= 0.0;
    }
    CHECK(below > 0 && below < 4);
    CHECK_INT(ut_collide(&ground, at(0, 0, 0), &brick, B, 0.0, touch), below);
}

// What has no extent along a side has one corner there: a sheet four, a rod two, each once.
TEST(a_sheet_over_a_plane_has_its_corners_and_a_rod_its_ends)
{
    const utShape plane = ut_shape(UT_SHAPE_PLANE, ut_vec3(0, 0, 0));
    static const double margins[2] = {1.0, HUGE_VAL};
    for (int none = 0; none < 16; none++) {
        const utVec3 half =
            ut_vec3(none & 1 ? 0.0 : 0.1, none & 2 ? 0.0 : 0.2, none & 4 ? 0.0 : 0.3);
        const utShape thin = box(half.x, half.y, half.z);
        const int corners = (none & 1 ? 1 : 2) * (none & 2 ? 1 : 2) * (none & 4 ? 1 : 2);
        const utFrame B = ut_frame(ut_quat_to_mat3(ut_quat(0.9, 0.3, -0.2, 0.1)), ut_vec3_zero());
        utTouch touch[UT_MANIFOLD_MAX];
        const int count =
            ut_collide(&plane, at(0, 0, 0), &thin, B, margins[none & 8 ? 1 : 0], touch);
        CHECK_INT(count, corners < 4 ? corners : 4);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < i; j++) {
                CHECK(touch[i].feature != touch[j].feature);
                CHECK(ut_vec3_norm(ut_vec3_sub(touch[i].point, touch[j].point)) > 0.01);
            }
        }
    }
}

// ---- boxes apart --------------------------------------------------------------------------------

// unit cubes, centres (2, 3, 7) / 7 x d apart from corner to corner: the corners are the closest
TEST(corner_to_corner_the_normal_is_the_connection)
{
    const utShape cube = box(0.5, 0.5, 0.5);
    utTouch touch[UT_MANIFOLD_MAX];
    const utFrame B = at(1.0 + 0.02, 1.0 + 0.03, 1.0 + 0.06);
    CHECK_INT(ut_collide(&cube, at(0, 0, 0), &cube, B, 0.1, touch), 1);
    CHECK_NEAR(touch[0].gap, 0.07, 1e-15);
    CHECK(is_vec(touch[0].normal, 2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0, 1e-14));
    CHECK(is_vec(touch[0].point, 0.51, 0.515, 0.53, 1e-15));
    CHECK_INT(ut_collide(&cube, at(0, 0, 0), &cube, B, 0.0699, touch), 0);
}

// parallel edges, (0.03, 0.04) apart: both ends of the common stretch
TEST(parallel_edges_meet_at_the_ends_of_their_common_stretch)
{
    const utShape cube = box(0.5, 0.5, 0.5);
    utTouch touch[UT_MANIFOLD_MAX];
    const int count = ut_collide(&cube, at(0, 0, 0), &cube, at(1.03, 0.25, 1.04), 0.1, touch);
    CHECK_INT(count, 2);
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(touch[i].gap, 0.05, 1e-15);
        CHECK(is_vec(touch[i].normal, 0.6, 0.0, 0.8, 1e-14));
        CHECK(has_point(touch, count, 0.515, i == 0 ? 0.5 : -0.25, 0.52));
    }
}

// edges up and down, crossing at a right angle: half the diagonals, and 0.1 between
TEST(crossed_edges_meet_in_one_point)
{
    const utShape cube = box(0.5, 0.5, 0.5);
    const utFrame A = turned(ex, eighth, ut_vec3_zero());
    const utFrame B = turned(ey, eighth, ut_vec3(0.1, 0.2, 2.0 * sqrt(0.5) + 0.1));
    utTouch touch[UT_MANIFOLD_MAX];
    CHECK_INT(ut_collide(&cube, A, &cube, B, 0.2, touch), 1);
    CHECK_NEAR(touch[0].gap, 0.1, 1e-15);
    CHECK(is_vec(touch[0].normal, 0, 0, 1, 1e-15));
    CHECK(is_vec(touch[0].point, 0.1, 0.0, sqrt(0.5) + 0.05, 1e-15));
}

// The same edges, asked for where the closest points are found without a direction to start from.
TEST(the_search_for_the_closest_points_sees_crossed_edges)
{
    const utVec3 half = ut_vec3(0.5, 0.5, 0.5);
    const utFrame A = turned(ex, eighth, ut_vec3_zero());
    const utFrame B = turned(ey, eighth, ut_vec3(0.1, 0.2, 2.0 * sqrt(0.5) + 0.1));
    const BoxPair pair = ut_box_pair(half, &A, half, &B);
    BoxPoints points = {.count = 0};
    CHECK(ut_box_points_closest(&pair, (double[3]){1.0, 0.0, 0.0}, &points));
    CHECK_INT(points.count, 1);
    CHECK_NEAR(points.item[0].gap, 0.1, 1e-15);
    const utVec3 point = ut_frame_point(A, ut_vec3_from(points.item[0].x));
    CHECK(is_vec(point, 0.1, 0.0, sqrt(0.5), 1e-15));
    CHECK(is_vec(ut_mat3_mul_vec(A.R, ut_vec3_from(points.normal)), 0, 0, 1, 1e-14));
}

// a corner that looks down, beside the face: the face's points may not reach out to it
TEST(nothing_is_reported_beside_a_face)
{
    const utShape cube = box(0.5, 0.5, 0.5), slab = box(0.5, 0.5, 0.05);
    utTouch touch[UT_MANIFOLD_MAX];
    const utFrame B = turned(ey, 0.3, ut_vec3(0.8, 0, 0.75));
    const int count = ut_collide(&cube, at(0, 0, 0), &slab, B, 1.0, touch);
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
        CHECK(fabs(touch[i].point.x) <= 0.51 + 0.5 * fabs(touch[i].gap) &&
              fabs(touch[i].point.y) <= 0.51);
    }
}

TEST(a_box_in_a_box_leaves_by_the_nearest_face)
{
    const utShape big = box(1, 1, 1), small = box(0.1, 0.1, 0.1);
    utTouch touch[UT_MANIFOLD_MAX];
    CHECK_INT(ut_collide(&big, at(0, 0, 0), &small, at(0.2, -0.5, 0.3), 0.0, touch), 4);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(touch[i].gap, -0.6, 1e-15);
        CHECK(is_vec(touch[i].normal, 0, -1, 0, 0.0));
    }
    // one in the other, all the same: some face, to the same depth
    CHECK_INT(ut_collide(&big, at(0, 0, 0), &big, at(0, 0, 0), 0.0, touch), 4);
    CHECK_NEAR(touch[0].gap, -2.0, 0.0);
}

// ---- round shapes -------------------------------------------------------------------------------

// one point is all within 0.1
static utTouch one(utShape a, utFrame A, utShape b, utFrame B)
{
    utTouch touch[UT_MANIFOLD_MAX] = {0};
    CHECK_INT(ut_collide(&a, A, &b, B, 0.1, touch), 1);
    return touch[0];
}

TEST(a_sphere_leaves_a_box_by_the_nearest_face)
{
    const utTouch t = one(sphere(0.1), at(0.1, 0.3, -0.2), box(0.5, 0.5, 0.5), at(0, 0, 0));
    CHECK_NEAR(t.gap, -0.3, 1e-15);
    CHECK(is_vec(t.normal, 0, -1, 0, 0.0));
    CHECK(is_vec(t.point, 0.1, 0.35, -0.2, 1e-15));
}

TEST(spheres_in_one_place_part_along_an_axis_of_the_first)
{
    const utTouch t = one(sphere(0.2), at(1, 2, 3), sphere(0.1), at(1, 2, 3));
    CHECK_NEAR(t.gap, -0.3, 1e-16);
    CHECK(is_vec(t.normal, 0, 0, 1, 0.0));
}

TEST(a_sphere_on_the_axis_of_a_capsule_leaves_across_it)
{
    const utTouch t = one(sphere(0.2), at(0, 0, 0.3), capsule(0.1, 0.5), at(0, 0, 0));
    CHECK_NEAR(t.gap, -0.3, 1e-16);
    CHECK_NEAR(t.normal.z, 0.0, 0.0);
}

TEST(crossing_capsules_part_along_their_common_normal)
{
    const utShape rod = capsule(0.1, 0.5);
    const utTouch t = one(rod, at(0, 0, 0), rod, turned(ex, 2.0 * eighth, ut_vec3(0, 0, 0.2)));
    CHECK_NEAR(t.gap, -0.2, 1e-15);
    CHECK_NEAR(fabs(t.normal.x), 1.0, 1e-15);
}

TEST(capsules_one_behind_the_other_meet_with_their_caps)
{
    const utShape rod = capsule(0.1, 0.5);
    const utTouch t = one(rod, at(0, 0, 0), rod, at(0, 0, 1.25));
    CHECK_NEAR(t.gap, 0.05, 1e-15);
    CHECK(is_vec(t.normal, 0, 0, 1, 1e-15));
    CHECK(is_vec(t.point, 0, 0, 0.625, 1e-15));
}

TEST(coaxial_capsules_that_overlap_part_across_their_axis)
{
    const utShape rod = capsule(0.1, 0.5);
    utTouch touch[UT_MANIFOLD_MAX];
    CHECK_INT(ut_collide(&rod, at(0, 0, 0), &rod, at(0, 0, 0.5), 0.0, touch), 2);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(touch[i].gap, -0.2, 1e-16);
        CHECK(is_vec(touch[i].normal, touch[0].normal.x, touch[0].normal.y, 0, 0.0));
    }
}

TEST(parallel_capsules_meet_at_the_ends_of_their_common_stretch)
{
    const utShape rod = capsule(0.1, 0.5);
    utTouch touch[UT_MANIFOLD_MAX];
    const int count = ut_collide(&rod, at(0, 0, 0), &rod, at(0.25, 0, 0.3), 0.1, touch);
    CHECK_INT(count, 2);
    CHECK(has_point(touch, count, 0.125, 0, -0.2) && has_point(touch, count, 0.125, 0, 0.5));
    CHECK_NEAR(touch[0].gap, 0.05, 1e-15);
    CHECK_NEAR(touch[1].gap, 0.05, 1e-15);
}

TEST(a_capsule_of_no_length_is_a_sphere)
{
    const utShape others[] = {plane(), sphere(0.3), capsule(0.2, 0.4), box(0.2, 0.3, 0.4)};
    utRng rng = ut_rng(6, 0);
    int wrong = 0;
    for (int k = 0; k < 4000; k++) {
        const utShape ball = sphere(0.15), pill = capsule(0.15, 0.0);
        utTouch t[UT_MANIFOLD_MAX], s[UT_MANIFOLD_MAX];
        const double angle = ut_rng_range(&rng, 0.0, 3.0);
        const utFrame A = turned(random_unit(&rng), angle, ut_vec3_zero());
        utFrame B = turned(random_unit(&rng), angle, ut_vec3_zero());
        const double distance = ut_rng_range(&rng, 0.05, 1.0);
        B.p = ut_vec3_scale(random_unit(&rng), distance);
        const utShape* a = &others[k % 4];
        const int count = ut_collide(a, A, &ball, B, 5.0, t);
        bool ok = count >= 1 && ut_collide(a, A, &pill, B, 5.0, s) == count;
        for (int i = 0; ok && i < count; i++) {
            ok = fabs(t[i].gap - s[i].gap) <= rounding &&
                 ut_vec3_norm(ut_vec3_sub(t[i].normal, s[i].normal)) <= 1e-10;
        }
        wrong += !ok;
    }
    CHECK_INT(wrong, 0);
}

TEST(a_capsule_along_an_edge_of_a_box_has_two_points)
{
    const utShape rod = capsule(0.1, 0.5), cube = box(0.5, 0.5, 0.5);
    utTouch touch[UT_MANIFOLD_MAX];
    const int count = ut_collide(&rod, at(0.59, 0.62, 0.25), &cube, at(0, 0, 0), 0.1, touch);
    CHECK_INT(count, 2);
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(touch[i].gap, 0.05, 1e-15);
        CHECK(is_vec(touch[i].normal, -0.6, -0.8, 0, 1e-14));
    }
    CHECK(has_point(touch, count, 0.515, 0.52, -0.25) && has_point(touch, count, 0.515, 0.52, 0.5));
}

TEST(a_capsule_through_a_box_leaves_by_the_shortest_way)
{
    const utShape rod = capsule(0.1, 2.0), cube = box(0.5, 0.5, 0.5);
    utTouch touch[UT_MANIFOLD_MAX];
    // lengthwise through the cube, 0.3 off the middle: 0.2 to the face and the radius
    const int count = ut_collide(&rod, at(0.3, 0.1, 0), &cube, at(0, 0, 0), 0.0, touch);
    CHECK_INT(count, 2);
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(touch[i].gap, -0.3, 1e-15);
        CHECK(is_vec(touch[i].normal, -1, 0, 0, 0.0));
        CHECK(has_point(touch, count, 0.35, 0.1, i == 0 ? 0.5 : -0.5));
    }
}

// ---- what cannot collide ------------------------------------------------------------------------

TEST(planes_do_not_touch)
{
    const utShape ground = plane();
    utTouch touch[UT_MANIFOLD_MAX];
    CHECK_INT(ut_collide(&ground, at(0, 0, 0), &ground, at(0, 0, -1), 1.0, touch), 0);
}

TEST(what_is_not_finite_does_not_touch)
{
    const utShape shapes[] = {plane(), sphere(0.3), capsule(0.2, 0.4), box(0.2, 0.3, 0.4)};
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    utTouch touch[UT_MANIFOLD_MAX];
    for (int k = 0; k < 48; k++) {
        const utShape* a = &shapes[k % 4];
        const utShape* b = &shapes[1 + k / 4 % 3];
        const double x = bad[k / 16];
        utFrame F = at(0, 0, 0.1);
        CHECK(ut_collide(a, at(0, 0, 0), b, F, 1.0, touch) > 0);
        CHECK_INT(ut_collide(a, at(0, 0, 0), b, F, (double)NAN, touch), 0);
        CHECK_INT(ut_collide(a, at(0, x, 0), b, F, 1.0, touch), 0);
        CHECK_INT(ut_collide(b, at(0, x, 0), a, F, 1.0, touch), 0);
        F.R.m[k % 3][k / 3 % 3] = x;
        CHECK_INT(ut_collide(a, at(0, 0, 0), b, F, 1.0, touch), 0);
        utShape c = *b;
        c.size.x = x;
        CHECK_INT(ut_collide(a, at(0, 0, 0), &c, at(0, 0, 0.1), 1.0, touch), 0);
    }
    const utShape unknown = {.kind = UT_SHAPE_KIND_COUNT, .size = {1, 1, 1}};
    CHECK_INT(ut_collide(&unknown, at(0, 0, 0), &shapes[1], at(0, 0, 0), 1.0, touch), 0);
}

// ---- the order of a pair ------------------------------------------------------------------------

// Two like boxes side by side, at right angles to the direction that decides who comes first: one
// of them does all the same, whichever is named first.
TEST(of_two_shapes_in_different_places_one_comes_first)
{
    const utShape cube = box(0.5, 0.5, 0.5);
    const utFrame A = at(0, 0, 0);
    const utFrame places[3] = {at(0.5772156649, -0.2360679775, 0),
                               at(0, 0.7818314825, -0.5772156649), at(0.1, 0.2, 0.3)};
    for (int k = 0; k < 3; k++) {
        CHECK(ut_pair_reversed(&cube, &A, &cube, &places[k]) !=
              ut_pair_reversed(&cube, &places[k], &cube, &A));
    }
    CHECK(!ut_pair_reversed(&cube, &A, &cube, &A));
}
