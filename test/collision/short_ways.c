// SPDX-License-Identifier: Apache-2.0
// Pairs that are computed by short ways of their own touch where the general way finds them to: a
// box is the hull of its corners, and what is further away but within the margin is not forgotten.
#include <uptack/collision.h>

#include "../test.h"

#ifdef NDEBUG
enum { CASES = 4000 };
#else
enum { CASES = 200 }; // unoptimised, maybe under sanitizers
#endif

// ---- a box as a hull ----------------------------------------------------------------------------

static utShape hull_of_box(utVec3 half, utHull* hull, utArena* arena)
{
    utVec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] =
            ut_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    utArena scratch;
    utError err;
    CHECK(ut_arena_create(0, NULL, &scratch) == UT_OK);
    CHECK(ut_hull_build(8, corner, arena, scratch, hull, &err) == UT_OK);
    ut_arena_destroy(&scratch);
    utShape shape = ut_shape(UT_SHAPE_HULL, ut_vec3_zero());
    shape.hull = hull;
    return shape;
}

static utVec3 random_size(utRng* rng)
{
    return ut_vec3(ut_rng_range(rng, 0.2, 0.6), ut_rng_range(rng, 0.2, 0.6),
                   ut_rng_range(rng, 0.2, 0.6));
}

static utVec3 random_unit(utRng* rng)
{
    utVec3 unit;
    do {
        unit = ut_vec3(ut_rng_range(rng, -1.0, 1.0), ut_rng_range(rng, -1.0, 1.0),
                       ut_rng_range(rng, -1.0, 1.0));
    } while (!(ut_vec3_dot(unit, unit) <= 1.0) || !ut_vec3_normalize(unit, &unit));
    return unit;
}

static utMat3 random_turn(utRng* rng, double most)
{
    const utVec3 axis = random_unit(rng);
    return ut_quat_to_mat3(ut_quat_from_axis_angle(axis, ut_rng_range(rng, 0.0, most)));
}

// Moved along n until they are `gap` apart along it.
static utVec3 place(const utShape* a, const utFrame* A, const utShape* b, utMat3 R, utVec3 n,
                    double gap)
{
    const utVec3 on_a = ut_shape_support(a, ut_mat3_tmul_vec(A->R, n));
    const utVec3 on_b = ut_shape_support(b, ut_mat3_tmul_vec(R, ut_vec3_negate(n)));
    const utVec3 apart = ut_vec3_sub(ut_mat3_mul_vec(A->R, on_a), ut_mat3_mul_vec(R, on_b));
    return ut_vec3_add_scaled(ut_vec3_add(A->p, apart), gap, n);
}

static double least_of(const utTouch* touch, int count)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        least = fmin(least, touch[i].gap);
    }
    return least;
}

static bool is_among(const utTouch* one, const utTouch* touch, int count, double tolerance)
{
    for (int i = 0; i < count; i++) {
        if (ut_vec3_norm(ut_vec3_sub(one->point, touch[i].point)) <= tolerance &&
            ut_vec3_norm(ut_vec3_sub(one->normal, touch[i].normal)) <= 1e-7 &&
            fabs(one->gap - touch[i].gap) <= tolerance) {
            return true;
        }
    }
    return false;
}

// Two ways agree in the deepest gap always, and in all points as long as none had to be left out.
// Gaps are right to 1e-9 of the extent and the distance, 4 m at most here, and a point of two lines
// moves by that over the sine of their angle.
static bool agree(const utTouch* s, int m, const utTouch* t, int n)
{
    if ((m == 0) != (n == 0) || (m > 0 && fabs(least_of(s, m) - least_of(t, n)) > 4e-9)) {
        return false;
    }
    if (m == UT_MANIFOLD_MAX || n == UT_MANIFOLD_MAX) {
        return true;
    }
    bool all = m == n;
    for (int i = 0; i < m && all; i++) {
        all = is_among(&s[i], t, n, 1e-6);
    }
    return all;
}

static void box_and_hull(utShapeKind kind, uint64_t seed, double most_turn, int* points,
                         int* different)
{
    utRng rng = ut_rng(31, seed);
    utArena arena = test_arena();
    utHull hull;
    const utShape a = ut_shape(kind, random_size(&rng));
    const utShape box = ut_shape(UT_SHAPE_BOX, random_size(&rng));
    const utShape same = hull_of_box(box.size, &hull, &arena);
    const utFrame A = ut_frame(random_turn(&rng, 3.0), random_unit(&rng));
    utFrame B = ut_frame(ut_mat3_mul(random_turn(&rng, most_turn), A.R), ut_vec3_zero());
    const utVec3 n = random_unit(&rng);
    B.p = place(&a, &A, &box, B.R, n, ut_rng_range(&rng, -0.01, 0.02));
    utTouch s[UT_TOUCH_MAX], t[UT_TOUCH_MAX];
    const int count = ut_collide(&a, A, &box, B, 0.03, s);
    *points += count;
    *different += agree(s, count, t, ut_collide(&a, A, &same, B, 0.03, t)) ? 0 : 1;
}

// Beside rounding the ways differ where two directions separate alike: seen in none of these.
static void check_box_and_hull(utShapeKind kind)
{
    int points = 0, different = 0;
    for (int i = 0; i < CASES; i++) {
        box_and_hull(kind, (uint64_t)i, i % 2 == 0 ? 3.0 : 0.05, &points, &different);
    }
    CHECK(points > CASES);
    CHECK_INT(different, 0);
}

TEST(a_box_and_a_box_touch_as_a_box_and_a_hull_do)
{
    check_box_and_hull(UT_SHAPE_BOX);
}

TEST(a_capsule_and_a_box_touch_as_a_capsule_and_a_hull_do)
{
    check_box_and_hull(UT_SHAPE_CAPSULE);
}

// ---- ends within the margin ---------------------------------------------------------------------

static utFrame at(double x, double y, double z)
{
    return ut_frame(ut_mat3_identity(), ut_vec3(x, y, z));
}

// Radii 0.5 and 0.5, a capsule's axis from z = -1 to 1, the sphere 1.005 beside it. Its end is
// |(1.005, 0.05)| - 1 = 0.00624 away when the sphere is at z = 0.95, and 0.12 at z = 0.5.
TEST(the_end_of_a_capsule_beside_a_sphere_counts_within_the_margin)
{
    const utShape sphere = ut_shape(UT_SHAPE_SPHERE, ut_vec3(0.5, 0.0, 0.0));
    const utShape capsule = ut_shape(UT_SHAPE_CAPSULE, ut_vec3(0.5, 1.0, 0.0));
    utTouch touch[UT_TOUCH_MAX];
    CHECK_INT(ut_collide(&sphere, at(1.005, 0, 0.95), &capsule, at(0, 0, 0), 0.02, touch), 2);
    CHECK_NEAR(touch[0].gap, sqrt(1.005 * 1.005 + 0.05 * 0.05) - 1.0, 1e-14);
    CHECK_NEAR(touch[1].gap, 0.005, 1e-14);
    CHECK_INT(ut_collide(&sphere, at(1.005, 0, 0.5), &capsule, at(0, 0, 0), 0.02, touch), 1);
}

// Two such capsules that cross at their middles, 1.005 apart, at an angle v: an end of one is
// |(1.005, sin v)| - 1 from the other: 0.00995 at v = 0.1, 0.113 at v = 0.5.
TEST(the_ends_of_crossing_capsules_count_within_the_margin)
{
    const utShape capsule = ut_shape(UT_SHAPE_CAPSULE, ut_vec3(0.5, 1.0, 0.0));
    utTouch touch[UT_TOUCH_MAX];
    for (int i = 0; i < 2; i++) {
        const utQuat q = ut_quat_from_axis_angle(ut_vec3(1.0, 0.0, 0.0), i == 0 ? 0.1 : 0.5);
        const utFrame B = ut_frame(ut_quat_to_mat3(q), ut_vec3(1.005, 0.0, 0.0));
        CHECK_INT(ut_collide(&capsule, at(0, 0, 0), &capsule, B, 0.02, touch), i == 0 ? 4 : 1);
        CHECK_NEAR(least_of(touch, 1 + 3 * (1 - i)), 0.005, 1e-14);
    }
}

// ---- round shapes and a cylinder ----------------------------------------------------------------

// A cylinder of radius 1 and half length 2, a ball of radius 0.5: over the cap, beside the side,
// over the rim by 0.6 out along (3, 4) / 5 and 0.45 up; inside, where the side is 0.8 away and a
// cap 1.5, and where a cap is 0.1 away.
TEST(a_sphere_and_a_cylinder_by_hand)
{
    const utShape sphere = ut_shape(UT_SHAPE_SPHERE, ut_vec3(0.5, 0.0, 0.0));
    const utShape cylinder = ut_shape(UT_SHAPE_CYLINDER, ut_vec3(1.0, 2.0, 0.0));
    const utVec3 centre[5] = {
        {0.3, 0.4, 2.4}, {0.0, -1.4, 1.0}, {0.96, 1.28, 2.45}, {0.2, 0.0, 0.5}, {0.2, 0.0, -1.9}};
    const double gap[5] = {-0.1, -0.1, 0.25, -1.3, -0.6};
    const utVec3 normal[5] = {
        {0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {-0.48, -0.64, -0.6}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    utTouch touch[UT_TOUCH_MAX];
    for (int i = 0; i < 5; i++) {
        const utFrame A = ut_frame(ut_mat3_identity(), centre[i]);
        if (CHECK_INT(ut_collide(&sphere, A, &cylinder, at(0, 0, 0), 0.3, touch), 1)) {
            CHECK_NEAR(touch[0].gap, gap[i], 1e-14);
            CHECK(ut_vec3_norm(ut_vec3_sub(touch[0].normal, normal[i])) < 1e-14);
        }
    }
}

// A capsule of radius 0.5 stands on the cap with its lower end, 0.01 over it; lying down along x it
// has both ends there, or the crossing of its shaft with the rim.
TEST(a_capsule_and_a_cylinder_by_hand)
{
    const utShape capsule = ut_shape(UT_SHAPE_CAPSULE, ut_vec3(0.5, 0.4, 0.0));
    const utShape cylinder = ut_shape(UT_SHAPE_CYLINDER, ut_vec3(1.0, 2.0, 0.0));
    utTouch touch[UT_TOUCH_MAX];
    CHECK_INT(ut_collide(&capsule, at(0.2, 0, 2.91), &cylinder, at(0, 0, 0), 0.02, touch), 1);
    CHECK_NEAR(touch[0].gap, 0.01, 1e-14);
    CHECK_NEAR(touch[0].point.z, 2.005, 1e-14);
    CHECK_INT(touch[0].feature >> 32, 1);
    const utQuat q = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), 1.57079632679489662);
    const utFrame lying = ut_frame(ut_quat_to_mat3(q), ut_vec3(0.2, 0.0, 2.51));
    CHECK_INT(ut_collide(&capsule, lying, &cylinder, at(0, 0, 0), 0.02, touch), 2);
    CHECK_NEAR(touch[0].gap, 0.01, 1e-12);
    CHECK_NEAR(touch[1].gap, 0.01, 1e-12);
}
