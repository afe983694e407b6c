// SPDX-License-Identifier: Apache-2.0
// Ridges, valleys, corners and borders whose touches are known by hand.
#include "surface_forms.h"

static const double root2 = 1.4142135623730951;
static const double half_pi = 1.5707963267948966;

static utShape sphere_of(double r)
{
    return ut_shape(UT_SHAPE_SPHERE, ut_vec3(r, 0.0, 0.0));
}

static utShape capsule_of(double r, double h)
{
    return ut_shape(UT_SHAPE_CAPSULE, ut_vec3(r, h, 0.0));
}

static utShape cylinder_of(double r, double h)
{
    return ut_shape(UT_SHAPE_CYLINDER, ut_vec3(r, h, 0.0));
}

static utShape box_of(double x, double y, double z)
{
    return ut_shape(UT_SHAPE_BOX, ut_vec3(x, y, z));
}

// Two slopes of 45 degrees that meet along y, at height 0: a roof (up = -1) or a valley (up = 1).
static utMesh make_slopes(double up, utArena* arena)
{
    const utVec3 vertex[6] = {{-3.0, -2.0, 3.0 * up}, {0.0, -2.0, 0.0}, {3.0, -2.0, 3.0 * up},
                              {-3.0, 2.0, 3.0 * up},  {0.0, 2.0, 0.0},  {3.0, 2.0, 3.0 * up}};
    const int triangle[12] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
    return make_mesh(6, vertex, 4, triangle, arena);
}

static utFrame along_y(utVec3 p)
{
    // z to y
    return ut_frame(ut_quat_to_mat3(ut_quat_from_axis_angle(ut_vec3(-1.0, 0.0, 0.0), half_pi)), p);
}

static utFrame along_x(utVec3 p)
{
    return ut_frame(ut_quat_to_mat3(ut_quat_from_axis_angle(ut_vec3(0.0, 1.0, 0.0), half_pi)), p);
}

// Does a touch with this point, gap and normal (from the surface) exist?
static bool has(int count, const utTouch* touch, utVec3 point, utVec3 normal, double gap)
{
    for (int i = 0; i < count; i++) {
        if (ut_vec3_norm(ut_vec3_sub(touch[i].point, point)) < 1e-9 &&
            ut_vec3_norm(ut_vec3_sub(touch[i].normal, normal)) < 1e-9 &&
            fabs(touch[i].gap - gap) < 1e-12) {
            return true;
        }
    }
    return false;
}

static int touches(const utMesh* mesh, const utShape* shape, utFrame at, double margin,
                   utTouch* touch)
{
    const utShape surface = mesh_shape(mesh);
    const int count = ut_collide(&surface, ut_frame_identity(), shape, at, margin, touch);
    // the other way round it is the same, turned
    utTouch back[UT_TOUCH_MAX];
    CHECK_INT(ut_collide(shape, at, &surface, ut_frame_identity(), margin, back), count);
    for (int i = 0; i < count; i++) {
        const uint64_t f = touch[i].feature, swapped = f << 32 | f >> 32;
        bool found = false;
        for (int j = 0; j < count; j++) {
            found = found || (back[j].feature == swapped && back[j].gap == touch[i].gap &&
                              back[j].normal.x == -touch[i].normal.x);
        }
        CHECK(found);
    }
    return count;
}

static const utVec3 up = {0.0, 0.0, 1.0};

// ---- a ridge ------------------------------------------------------------------------------------

TEST(a_box_on_a_ridge_stands_on_two_points)
{
    utArena arena = test_arena();
    const utMesh roof = make_slopes(-1.0, &arena);
    utTouch t[UT_TOUCH_MAX];
    static const double gaps[3] = {0.01, 0.0, -0.001};
    for (int i = 0; i < 3; i++) {
        const utShape box = box_of(0.5, 0.4, 0.3);
        const int n = touches(&roof, &box, moved(0.1, 0.2, 0.3 + gaps[i]), 0.02, t);
        CHECK_INT(n, 2);
        CHECK(has(n, t, ut_vec3(0.0, -0.2, 0.5 * gaps[i]), up, gaps[i]));
        CHECK(has(n, t, ut_vec3(0.0, 0.6, 0.5 * gaps[i]), up, gaps[i]));
    }
}

TEST(a_long_box_on_a_ridge_ends_where_the_ridge_does)
{
    utArena arena = test_arena();
    const utMesh roof = make_slopes(-1.0, &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape box = box_of(0.5, 5.0, 0.3);
    const int n = touches(&roof, &box, moved(0.1, 0.2, 0.301), 0.02, t);
    CHECK_INT(n, 2);
    CHECK(has(n, t, ut_vec3(0.0, -2.0, 0.0005), up, 0.001));
    CHECK(has(n, t, ut_vec3(0.0, 2.0, 0.0005), up, 0.001));
}

TEST(round_shapes_on_a_ridge)
{
    utArena arena = test_arena();
    const utMesh roof = make_slopes(-1.0, &arena);
    utTouch t[UT_TOUCH_MAX];
    // above the ridge, leaning by less than the slopes
    const utShape ball = sphere_of(0.5);
    const utVec3 lean = ut_vec3(0.6, 0.0, 0.8);
    int n = touches(&roof, &ball, ut_frame(ut_mat3_identity(), ut_vec3(0.306, 0.3, 0.408)), 0.1, t);
    CHECK_INT(n, 1);
    CHECK(has(n, t, ut_vec3(0.003, 0.3, 0.004), lean, 0.01));
    // beyond: the slope's own normal. At (1, 0.3, -1) + 0.51 n
    const utVec3 slope = ut_vec3(1.0 / root2, 0.0, 1.0 / root2);
    const utVec3 c = ut_vec3_add_scaled(ut_vec3(1.0, 0.3, -1.0), 0.51, slope);
    n = touches(&roof, &ball, ut_frame(ut_mat3_identity(), c), 0.1, t);
    CHECK_INT(n, 1);
    CHECK(has(n, t, ut_vec3_add_scaled(ut_vec3(1.0, 0.3, -1.0), 0.005, slope), slope, 0.01));
    // lying along it: both ends; across it: one point
    const utShape capsule = capsule_of(0.2, 0.5), cylinder = cylinder_of(0.2, 0.5);
    const utShape* lying[2] = {&capsule, &cylinder};
    for (int i = 0; i < 2; i++) {
        n = touches(&roof, lying[i], along_y(ut_vec3(0.0, 0.3, 0.21)), 0.05, t);
        CHECK_INT(n, 2);
        CHECK(has(n, t, ut_vec3(0.0, -0.2, 0.005), up, 0.01));
        CHECK(has(n, t, ut_vec3(0.0, 0.8, 0.005), up, 0.01));
        n = touches(&roof, lying[i], along_x(ut_vec3(0.1, 0.3, 0.199)), 0.05, t);
        CHECK_INT(n, 1);
        CHECK(has(n, t, ut_vec3(0.0, 0.3, -0.0005), up, -0.001));
    }
}

// A capsule lies down a slope of the roof and over its ridge, all but parallel to the slope: turned by
// 1e-6. At the ridge its surface has the normal of its shaft, not that of the slope, and the touch is
// 1e-6 of its radius beside the place where a capsule along the slope would touch.
TEST(a_capsule_almost_along_a_slope_touches_the_ridge_where_its_surface_is)
{
    utArena arena = test_arena();
    const utMesh roof = make_slopes(-1.0, &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape capsule = capsule_of(0.2, 0.5);
    static const double turned[3] = {1e-7, 1e-6, 5e-6};
    for (int i = 0; i < 3; i++) {
        const double angle = 0.5 * half_pi - turned[i]; // of the normal from up, towards +x
        const utVec3 normal = ut_vec3(sin(angle), 0.0, cos(angle));
        const utVec3 down = ut_vec3(cos(angle), 0.0, -sin(angle));
        const utVec3 ridge = ut_vec3(0.0, 0.3, 0.0);
        const utQuat turn = ut_quat_from_axis_angle(ut_vec3(0.0, 1.0, 0.0), half_pi + angle);
        const utVec3 p = ut_vec3_add_scaled(ut_vec3_add_scaled(ridge, 0.2001, normal), 0.1, down);
        const int n = touches(&roof, &capsule, ut_frame(ut_quat_to_mat3(turn), p), 0.05, t);
        CHECK(has(n, t, ut_vec3_add_scaled(ridge, 0.00005, normal), normal, 0.0001));
    }
}

TEST(a_cylinder_stands_on_a_ridge_with_the_ends_of_a_chord)
{
    utArena arena = test_arena();
    const utMesh roof = make_slopes(-1.0, &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape cylinder = cylinder_of(0.5, 0.2);
    // the ridge is 0.3 beside its centre: half a chord is 0.4
    const int n = touches(&roof, &cylinder, moved(0.3, 0.1, 0.199), 0.05, t);
    CHECK_INT(n, 2);
    CHECK(has(n, t, ut_vec3(0.0, -0.3, -0.0005), up, -0.001));
    CHECK(has(n, t, ut_vec3(0.0, 0.5, -0.0005), up, -0.001));
}

// ---- a valley -----------------------------------------------------------------------------------

TEST(a_ball_in_a_valley_touches_both_sides)
{
    utArena arena = test_arena();
    const utMesh valley = make_slopes(1.0, &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape ball = sphere_of(1.0);
    static const double lower[3] = {-0.01, 0.0, 0.3};
    for (int i = 0; i < 3; i++) {
        // c = root2 - lower above the bottom: from the slopes by c / root2
        const double gap = -lower[i] / root2;
        const int n = touches(&valley, &ball, moved(0.0, 0.5, root2 - lower[i]), 0.02, t);
        CHECK_INT(n, 2);
        for (int side = -1; side <= 1; side += 2) {
            const utVec3 normal = ut_vec3(-side / root2, 0.0, 1.0 / root2);
            const double at = (1.0 + 0.5 * gap) / root2;
            const utVec3 point = ut_vec3(side * at, 0.5, root2 - lower[i] - at);
            CHECK(has(n, t, point, normal, gap));
        }
    }
}

TEST(a_capsule_in_a_valley_touches_both_sides_with_both_ends)
{
    utArena arena = test_arena();
    const utMesh valley = make_slopes(1.0, &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape capsule = capsule_of(1.0, 0.5);
    const int n = touches(&valley, &capsule, along_y(ut_vec3(0.0, 0.3, root2 - 0.01)), 0.02, t);
    CHECK_INT(n, 4);
    CHECK_NEAR(deepest_gap(n, t), -0.01 / root2, 1e-12);
}

// A bar across a valley lies on it with its lower edges' ends.
TEST(a_box_across_a_valley_rests_on_four_corners)
{
    utArena arena = test_arena();
    const utMesh valley = make_slopes(1.0, &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape box = box_of(1.0, 0.4, 0.2);
    // its lower corners are at x = +-1, z = 1 - 0.01
    const int n = touches(&valley, &box, moved(0.0, 0.1, 1.19), 0.02, t);
    CHECK_INT(n, 4);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(t[i].gap, -0.01 / root2, 1e-12);
        CHECK_NEAR(t[i].normal.z, 1.0 / root2, 1e-12);
        CHECK(t[i].normal.x * t[i].point.x < 0.0);
    }
}

// ---- a box of triangles -------------------------------------------------------------------------

TEST(a_box_over_the_border_of_another_rests_on_the_common_rectangle)
{
    utArena arena = test_arena();
    const utMesh solid = make_box_mesh(ut_vec3(1.0, 1.0, 1.0), &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape box = box_of(0.5, 0.5, 0.5);
    static const double gaps[4] = {0.005, 0.0, -1e-6, -1e-3};
    for (int i = 0; i < 4; i++) {
        // over one border
        int n = touches(&solid, &box, moved(1.2, 0.1, 1.5 + gaps[i]), 0.02, t);
        const double z = 1.0 + 0.5 * gaps[i];
        CHECK_INT(n, 4);
        CHECK(has(n, t, ut_vec3(0.7, -0.4, z), up, gaps[i]));
        CHECK(has(n, t, ut_vec3(0.7, 0.6, z), up, gaps[i]));
        CHECK(has(n, t, ut_vec3(1.0, -0.4, z), up, gaps[i]));
        CHECK(has(n, t, ut_vec3(1.0, 0.6, z), up, gaps[i]));
        // over a corner
        n = touches(&solid, &box, moved(1.2, -1.3, 1.5 + gaps[i]), 0.02, t);
        CHECK_INT(n, 4);
        CHECK(has(n, t, ut_vec3(0.7, -1.0, z), up, gaps[i]));
        CHECK(has(n, t, ut_vec3(0.7, -0.8, z), up, gaps[i]));
        CHECK(has(n, t, ut_vec3(1.0, -1.0, z), up, gaps[i]));
        CHECK(has(n, t, ut_vec3(1.0, -0.8, z), up, gaps[i]));
        // larger than the solid: its four corners
        const utShape lid = box_of(2.0, 3.0, 0.5);
        n = touches(&solid, &lid, moved(0.3, 0.2, 1.5 + gaps[i]), 0.02, t);
        CHECK_INT(n, 4);
        CHECK(has(n, t, ut_vec3(1.0, 1.0, z), up, gaps[i]));
        CHECK(has(n, t, ut_vec3(-1.0, -1.0, z), up, gaps[i]));
    }
}

// A plate of 1 mm: neither its far side nor its rim pushes.
TEST(a_box_near_the_border_of_a_thin_plate_is_pushed_up_alone)
{
    utArena arena = test_arena();
    const utMesh plate = make_box_mesh(ut_vec3(1.0, 1.0, 5e-4), &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape box = box_of(0.2, 0.2, 0.2);
    for (int i = 0; i < 20; i++) {
        const double x = 0.7 + 0.025 * i;
        const int n = touches(&plate, &box, moved(x, 0.1, 0.2 + 5e-4 - 1e-4), 0.01, t);
        CHECK_INT(n, 4);
        for (int k = 0; k < n; k++) {
            CHECK_NEAR(t[k].normal.z, 1.0, 1e-12);
            CHECK_NEAR(t[k].gap, -1e-4, 1e-12);
        }
    }
}

TEST(a_ball_at_a_corner_sees_the_corner)
{
    utArena arena = test_arena();
    const utMesh solid = make_box_mesh(ut_vec3(1.0, 1.0, 1.0), &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape ball = sphere_of(0.25);
    // from the corner by (0.2, 0.2, 0.1): 0.3
    const int n = touches(&solid, &ball, moved(1.2, 1.2, 1.1), 0.1, t);
    const utVec3 d = ut_vec3(2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0);
    CHECK_INT(n, 1);
    CHECK(has(n, t, ut_vec3_add_scaled(ut_vec3(1.0, 1.0, 1.0), 0.025, d), d, 0.05));
}

// Inside, the nearest side is the way out.
TEST(a_ball_within_a_box_leaves_by_the_nearest_side)
{
    utArena arena = test_arena();
    const utMesh solid = make_box_mesh(ut_vec3(1.0, 1.0, 1.0), &arena);
    utTouch t[UT_TOUCH_MAX];
    const utShape ball = sphere_of(0.4);
    const int n = touches(&solid, &ball, moved(0.8, 0.75, 0.9), 0.1, t);
    CHECK_INT(n, 1);
    CHECK(has(n, t, ut_vec3(0.8, 0.75, 0.75), up, -0.5));
}

// ---- sliding ------------------------------------------------------------------------------------

TEST(a_box_that_slides_over_tiles_keeps_its_features)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(3, 3);
    const utMesh plane = make_plane(20, 20, 5.0, 0.2, ut_frame_identity(), &rng, &arena);
    const utShape box = box_of(0.5, 0.4, 0.3);
    uint64_t feature[4] = {0};
    for (int step = 0; step <= 1000; step++) {
        utTouch t[UT_TOUCH_MAX];
        const double s = 1e-3 * step;
        const utFrame at =
            ut_frame(ut_quat_to_mat3(ut_quat_exp(ut_vec3(1e-10 * (step % 7 - 3), 0.0, 2.0 * s))),
                     ut_vec3(-4.0 + 8.0 * s, -3.0 + 6.0 * s, 0.3 + 1e-10 * (step % 5 - 2)));
        CHECK_INT(touches(&plane, &box, at, 0.01, t), 4);
        for (int i = 0; i < 4; i++) {
            CHECK(step == 0 || t[i].feature == feature[i]);
            CHECK(fabs(t[i].normal.x) + fabs(t[i].normal.y) <= 1e-9);
            feature[i] = t[i].feature;
        }
    }
}

TEST(a_box_that_slides_over_a_sloping_height_field_keeps_its_features)
{
    enum { SIDE = 33 };
    static double height[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        height[i] = 0.1 * (i % SIDE) - 0.07 * (i / SIDE);
    }
    utHeights field;
    utError err;
    CHECK(ut_heights_build(SIDE, SIDE, height, &field, &err) == UT_OK);
    const utShape ground = heights_shape(&field, ut_vec3(8.0, 8.0, 1.0));
    // heights rise by 0.1 a cell of 0.5: z = 0.2 x - 0.14 y + 0.48
    utVec3 n, t1, t2;
    ut_vec3_normalize(ut_vec3(-0.2, 0.14, 1.0), &n);
    ut_tangent_basis(n, &t1, &t2);
    const utShape box = box_of(0.7, 0.4, 0.3);
    uint64_t feature[4] = {0};
    for (int step = 0; step <= 500; step++) {
        utTouch t[UT_TOUCH_MAX];
        const double s = 2e-3 * step;
        utVec3 p = ut_vec3(-6.0 + 12.0 * s, 5.0 - 9.0 * s, 0.0);
        p.z = 0.2 * p.x - 0.14 * p.y + 0.48;
        const utFrame at =
            ut_frame(ut_mat3_from_columns(t1, t2, n), ut_vec3_add_scaled(p, 0.3 - 1e-6, n));
        CHECK_INT(ut_collide(&ground, ut_frame_identity(), &box, at, 0.01, t), 4);
        for (int i = 0; i < 4; i++) {
            CHECK(step == 0 || t[i].feature == feature[i]);
            CHECK(ut_vec3_norm(ut_vec3_sub(t[i].normal, n)) <= 1e-9);
            CHECK_NEAR(t[i].gap, -1e-6, 1e-12 * 16.0);
            feature[i] = t[i].feature;
        }
    }
}
