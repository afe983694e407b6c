// SPDX-License-Identifier: Apache-2.0
// Manifolds with cylinders, ellipsoids and hulls by hand: what rests, what is steady, what is
// further away but within the margin, and what is degenerate.
#include "collision/manifold/manifold.h"
#include "oracle.h"

#ifdef NDEBUG
enum { SHAKES = 10000 };
#else
enum { SHAKES = 300 }; // unoptimised, maybe under sanitizers
#endif

static const double quarter = 1.57079632679489662; // of a turn
static const utVec3 ex = {1.0, 0.0, 0.0}, ey = {0.0, 1.0, 0.0}, ez = {0.0, 0.0, 1.0};

static utShape cylinder(double r, double h)
{
    return ut_shape(UT_SHAPE_CYLINDER, ut_vec3(r, h, 0.0));
}

static utShape ellipsoid(double x, double y, double z)
{
    return ut_shape(UT_SHAPE_ELLIPSOID, ut_vec3(x, y, z));
}

/// A box as a hull of its corners; everything is taken from the arena.
static utShape hull_box(double x, double y, double z, utArena* arena)
{
    utVec3 point[8];
    for (int i = 0; i < 8; i++) {
        point[i] = ut_vec3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    }
    utHull* hull = UT_PUSH(arena, utHull, 1);
    utArena scratch;
    utError err;
    CHECK(ut_arena_create(0, NULL, &scratch) == UT_OK);
    CHECK(ut_hull_build(8, point, arena, scratch, hull, &err) == UT_OK);
    ut_arena_destroy(&scratch);
    return (utShape){.kind = UT_SHAPE_HULL, .hull = hull};
}

static bool is_vec(utVec3 a, double x, double y, double z, double tolerance)
{
    return fabs(a.x - x) <= tolerance && fabs(a.y - y) <= tolerance && fabs(a.z - z) <= tolerance;
}

static const utTouch* find_point(const utTouch* touch, int count, double x, double y, double z)
{
    for (int i = 0; i < count; i++) {
        if (is_vec(touch[i].point, x, y, z, 1e-12)) {
            return &touch[i];
        }
    }
    return NULL;
}

typedef struct Want {
    int count;
    double x[8][2]; // of the points; z is that of the surface
} Want;

// b above a: normals upward, one gap, these points and no others
static void check_rest(utShape a, utFrame A, utShape b, utFrame B, double z, double gap, Want want)
{
    utTouch touch[UT_TOUCH_MAX];
    const int count = ut_collide(&a, A, &b, B, gap + 0.01, touch);
    CHECK_INT(count, want.count);
    for (int i = 0; i < count && i < want.count; i++) {
        CHECK(find_point(touch, count, want.x[i][0], want.x[i][1], z + 0.5 * gap) != NULL);
        CHECK_NEAR(touch[i].gap, gap, 1e-14);
        CHECK(is_vec(touch[i].normal, 0, 0, 1, 1e-14));
    }
    CHECK(features_ascend(touch, count));
}

// ---- cylinders ----------------------------------------------------------------------------------

TEST(an_upright_cylinder_stands_on_eight_points_of_its_rim)
{
    const double d = 0.5 * sqrt(0.5);
    const Want want = {
        8, {{0.5, 0}, {0, 0.5}, {-0.5, 0}, {0, -0.5}, {d, d}, {-d, d}, {-d, -d}, {d, -d}}};
    utArena arena = test_arena();
    const utShape can = cylinder(0.5, 0.25), table = box(2, 2, 0.5);
    check_rest(plane(), at(0, 0, 0), can, at(0, 0, 0.25), 0.0, 0.0, want);
    check_rest(table, at(0, 0, -0.5), can, at(0, 0, 0.25), 0.0, 0.0, want);
    check_rest(table, at(0, 0, -0.5), can, at(0, 0, 0.375), 0.0, 0.125, want);
    check_rest(hull_box(2, 2, 0.5, &arena), at(0, 0, -0.5), can, at(0, 0, 0.25), 0.0, 0.0, want);
    check_rest(can, at(0, 0, -0.25), can, at(0, 0, 0.25), 0.0, 0.0, want);
    check_rest(cylinder(1.0, 0.5), at(0, 0, -0.5), can, at(0, 0, 0.25), 0.0, 0.0, want);
}

TEST(a_lying_cylinder_touches_with_the_ends_of_a_line)
{
    const Want want = {2, {{0.25, 0}, {-0.25, 0}}};
    utArena arena = test_arena();
    const utShape can = cylinder(0.5, 0.25);
    const utFrame lying = turned(ey, quarter, ut_vec3(0, 0, 0.5));
    check_rest(plane(), at(0, 0, 0), can, lying, 0.0, 0.0, want);
    check_rest(box(2, 2, 0.5), at(0, 0, -0.5), can, lying, 0.0, 0.0, want);
    check_rest(hull_box(2, 2, 0.5, &arena), at(0, 0, -0.5), can, lying, 0.0, 0.0, want);
    // over a table narrower than it is long: where the line leaves it
    const Want narrow = {2, {{0.125, 0}, {-0.125, 0}}};
    check_rest(box(0.125, 2, 0.5), at(0, 0, -0.5), can, lying, 0.0, 0.0, narrow);
    check_rest(hull_box(0.125, 2, 0.5, &arena), at(0, 0, -0.5), can, lying, 0.0, 0.0, narrow);
}

TEST(a_cap_over_corners_touches_at_the_corners)
{
    const Want want = {4, {{0.25, 0.25}, {-0.25, 0.25}, {-0.25, -0.25}, {0.25, -0.25}}};
    utArena arena = test_arena();
    const utShape can = cylinder(0.5, 0.25);
    check_rest(box(0.25, 0.25, 1), at(0, 0, -1), can, at(0, 0, 0.25), 0.0, 0.0, want);
    check_rest(hull_box(0.25, 0.25, 1, &arena), at(0, 0, -1), can, at(0, 0, 0.25), 0.0, 0.0, want);
}

// rims of radius 0.5, 0.6 apart: they cross at x = 0.3, y = 0.4; each has three points in the other
TEST(two_caps_share_a_lens)
{
    const double d = 0.5 * sqrt(0.5);
    const Want want = {8,
                       {{0.1, 0},
                        {0.5, 0},
                        {0.3, 0.4},
                        {0.3, -0.4},
                        {d, d},
                        {d, -d},
                        {0.6 - d, d},
                        {0.6 - d, -d}}};
    const utShape can = cylinder(0.5, 0.25);
    check_rest(can, at(0, 0, -0.25), can, at(0.6, 0, 0.25), 0.0, 0.0, want);
}

// a tilted cylinder: h cos t + r sin t down from its centre
TEST(a_tilted_cylinder_touches_with_the_lowest_point_of_its_rim)
{
    const double t = 0.3, r = 0.5, h = 0.25, z = h * cos(t) + r * sin(t);
    const utShape can = cylinder(r, h), shapes[2] = {plane(), box(2, 2, 0.5)};
    for (int k = 0; k < 2; k++) {
        utTouch touch[UT_TOUCH_MAX];
        const utFrame A = at(0, 0, k == 0 ? 0.0 : -0.5);
        const int count =
            ut_collide(&shapes[k], A, &can, turned(ey, t, ut_vec3(0, 0, z)), 0.01, touch);
        CHECK_INT(count, 1);
        CHECK_NEAR(touch[0].gap, 0.0, 1e-15);
        // R (r, 0, -h)
        CHECK(is_vec(touch[0].point, r * cos(t) - h * sin(t), 0, 0, 1e-14));
        CHECK(is_vec(touch[0].normal, 0, 0, 1, 1e-14));
    }
}

// ---- hulls --------------------------------------------------------------------------------------

TEST(hulls_meet_in_the_corners_of_their_common_face)
{
    const Want corners = {4, {{0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}}};
    const Want shifted = {4, {{-0.25, 0}, {0.5, 0}, {-0.25, 0.5}, {0.5, 0.5}}};
    utArena arena = test_arena();
    const utShape cube = box(0.5, 0.5, 0.5), hull = hull_box(0.5, 0.5, 0.5, &arena);
    const utShape shapes[2] = {cube, hull};
    check_rest(plane(), at(0, 0, 0), hull, at(0, 0, 0.5), 0.0, 0.0, corners);
    // named by their vertices, of which the lower ones were given first
    const utShape ground = plane();
    utTouch touch[UT_TOUCH_MAX];
    CHECK_INT(ut_collide(&ground, at(0, 0, 0), &hull, at(0, 0, 0.5), 0.01, touch), 4);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(touch[i].feature & 0xffffffffu, 3 * i + 1);
    }
    for (int k = 0; k < 2; k++) {
        check_rest(shapes[k], at(0, 0, -0.5), hull, at(0, 0, 0.5), 0.0, 0.0, corners);
        check_rest(shapes[k], at(0, 0, -0.5), hull, at(0.25, 0.5, 0.625), 0.0, 0.125, shifted);
    }
}

// A capsule longer than the cube it lies on: where it leaves; and beside its edge, as in hand.c.
TEST(a_capsule_on_a_hull_touches_where_it_leaves_the_face)
{
    const Want want = {2, {{0.5, 0.25}, {-0.5, 0.25}}};
    utArena arena = test_arena();
    const utShape hull = hull_box(0.5, 0.5, 0.5, &arena), rod = capsule(0.1, 1.0);
    utTouch touch[UT_TOUCH_MAX];
    const utFrame B = turned(ey, quarter, ut_vec3(0, 0.25, 0.6));
    CHECK_INT(ut_collide(&hull, at(0, 0, 0), &rod, B, 0.01, touch), 2);
    for (int i = 0; i < 2; i++) {
        CHECK(find_point(touch, 2, want.x[i][0], want.x[i][1], 0.5) != NULL);
        CHECK_NEAR(touch[i].gap, 0.0, 1e-14);
    }
}

// side by side, 0.65 between the axes: 0.05 between the surfaces, along the common stretch
TEST(a_capsule_along_a_cylinder_touches_at_the_ends_of_the_common_stretch)
{
    const utShape can = cylinder(0.5, 0.5), rod = capsule(0.1, 0.5);
    utTouch touch[UT_TOUCH_MAX];
    const int count = ut_collide(&rod, at(0.65, 0, 0.2), &can, at(0, 0, 0), 0.06, touch);
    CHECK_INT(count, 2);
    CHECK(find_point(touch, count, 0.525, 0, -0.3) && find_point(touch, count, 0.525, 0, 0.5));
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(touch[i].gap, 0.05, 1e-14);
        CHECK(is_vec(touch[i].normal, -1, 0, 0, 1e-14));
    }
}

TEST(spheres_and_ellipsoids_touch_in_one_point)
{
    utArena arena = test_arena();
    const utShape hull = hull_box(0.5, 0.5, 0.5, &arena), egg = ellipsoid(0.3, 0.2, 0.1);
    const utShape ball = sphere(0.1), can = cylinder(0.5, 0.5);
    utTouch touch[UT_TOUCH_MAX];
    // 0.7 = |(0.2, 0.3, 0.6)| from the corner
    CHECK_INT(ut_collide(&ball, at(0.7, 0.8, 1.1), &hull, at(0, 0, 0), 1.0, touch), 1);
    CHECK_NEAR(touch[0].gap, 0.6, 1e-14);
    CHECK(is_vec(touch[0].normal, -2.0 / 7.0, -3.0 / 7.0, -6.0 / 7.0, 1e-14));
    CHECK_INT(ut_collide(&egg, at(0.2, 0, 0.65), &hull, at(0, 0, 0), 0.1, touch), 1);
    CHECK_NEAR(touch[0].gap, 0.05, 1e-14);
    // the gap is stationary there: its place is known to the root of its rounding
    CHECK(is_vec(touch[0].point, 0.2, 0, 0.525, 2e-8));
    CHECK_INT(ut_collide(&can, at(0, 0, 0), &egg, at(0.85, 0, 0.1), 0.1, touch), 1);
    CHECK_NEAR(touch[0].gap, 0.05, 1e-14);
    const utShape ground = plane();
    CHECK_INT(ut_collide(&ground, at(0, 0, 0), &egg, at(0, 0, 0.25), 1.0, touch), 1);
    CHECK_NEAR(touch[0].gap, 0.15, 1e-15);
}

// ---- further away but within the margin ---------------------------------------------------------

// A capsule rests across the upper edge of a cube, tilted by t; along its axis it reaches `over`
// beyond the edge, over the face: there it is r cos t + over sin t - r high.
static void check_across_edge(utShape cube)
{
    const double t = 0.2, r = 0.05, h = 0.06, middle = 0.005, over = middle + h;
    const utVec3 u = ut_vec3(-cos(t), 0, sin(t)), n = ut_vec3(sin(t), 0, cos(t));
    const utVec3 edge = ut_vec3(0.5, 0.1, 0.5);
    const utVec3 p = ut_vec3_add_scaled(ut_vec3_add_scaled(edge, r, n), middle, u);
    const utShape rod = capsule(r, h);
    const double high = r * cos(t) + over * sin(t) - r;
    utTouch touch[UT_TOUCH_MAX];
    const int count = ut_collide(&rod, turned(ey, t - quarter, p), &cube, at(0, 0, 0), 0.02, touch);
    CHECK_INT(count, 2);
    const int first = deepest(touch, count), other = 1 - first;
    CHECK_NEAR(touch[first].gap, 0.0, 1e-14);
    CHECK(is_vec(touch[first].normal, -n.x, 0, -n.z, 1e-12));
    CHECK(is_vec(touch[first].point, 0.5, 0.1, 0.5, 1e-12));
    CHECK_NEAR(touch[other].gap, high, 1e-14);
    CHECK(is_vec(touch[other].normal, 0, 0, -1, 1e-12));
    const double x = 0.5 + r * sin(t) - over * cos(t);
    CHECK(is_vec(touch[other].point, x, 0.1, 0.5 + 0.5 * high, 1e-12));
    CHECK(features_ascend(touch, count));
}

TEST(a_capsule_across_an_edge_reports_its_end_over_the_face)
{
    utArena arena = test_arena();
    check_across_edge(box(0.5, 0.5, 0.5));
    check_across_edge(hull_box(0.5, 0.5, 0.5, &arena));
}

// A plank over the edge of a cube, tilted by t: it touches along the edge, with its face's normal,
// along which its two corners over the cube are `over` tan t away.
static void check_plank(utShape cube, utShape plank)
{
    const double t = 0.1, middle = 0.02, over = middle + 0.1;
    const utVec3 u = ut_vec3(-cos(t), 0, sin(t)), n = ut_vec3(sin(t), 0, cos(t));
    const utVec3 edge = ut_vec3(0.5, 0, 0.5);
    const utVec3 p = ut_vec3_add_scaled(ut_vec3_add_scaled(edge, 0.02, n), middle, u);
    utTouch touch[UT_TOUCH_MAX];
    const int count = ut_collide(&cube, at(0, 0, 0), &plank, turned(ey, t, p), 0.02, touch);
    CHECK_INT(count, 4);
    for (int i = 0; i < 2; i++) {
        const double y = i == 0 ? -0.05 : 0.05, high = over * tan(t);
        const utVec3 x = ut_vec3_add_scaled(ut_vec3_add_scaled(edge, over, u), -0.5 * high, n);
        const utTouch* low = find_point(touch, count, 0.5, y, 0.5);
        const utTouch* end = find_point(touch, count, x.x, y, x.z);
        CHECK(low != NULL && end != NULL);
        if (low != NULL && end != NULL) {
            CHECK_NEAR(low->gap, 0.0, 1e-14);
            CHECK_NEAR(end->gap, high, 1e-14);
            CHECK(is_vec(low->normal, n.x, 0, n.z, 1e-12) &&
                  is_vec(end->normal, n.x, 0, n.z, 1e-12));
        }
    }
}

// The same rolled about its length, so that an edge rests on the edge: the corner at the end of it
// is `over` sin t above the face.
static void check_rolled_plank(utShape cube, utShape plank)
{
    const double t = 0.1, roll = 0.2, middle = 0.02, over = middle + 0.1;
    const utVec3 edge = ut_vec3(0.5, 0, 0.5);
    const utQuat q = ut_quat_mul(ut_quat_from_axis_angle(ey, t), ut_quat_from_axis_angle(ex, roll));
    utFrame B = ut_frame(ut_quat_to_mat3(q), ut_vec3_zero());
    B.p = ut_vec3_sub(edge, ut_frame_point(B, ut_vec3(middle, -0.05, -0.02)));
    utTouch touch[UT_TOUCH_MAX];
    const int count = ut_collide(&cube, at(0, 0, 0), &plank, B, 0.015, touch);
    CHECK_INT(count, 2);
    const double high = over * sin(t);
    const utTouch* low = find_point(touch, count, 0.5, 0, 0.5);
    const utTouch* end = find_point(touch, count, 0.5 - over * cos(t), 0, 0.5 + 0.5 * high);
    CHECK(low != NULL && end != NULL);
    if (low != NULL && end != NULL) {
        CHECK_NEAR(low->gap, 0.0, 1e-14);
        CHECK(is_vec(low->normal, sin(t), 0, cos(t), 1e-12));
        CHECK_NEAR(end->gap, high, 1e-14);
        CHECK(is_vec(end->normal, 0, 0, 1, 1e-12));
    }

    // the other lower edge, 0.1 from this one, passes the same edge at 0.1 sin roll
    const double away = 0.1 * sin(roll);
    CHECK_INT(ut_collide(&cube, at(0, 0, 0), &plank, B, 1.02 * away, touch), 3);
    const utTouch* third =
        find_point(touch, 3, 0.5 + 0.5 * away * sin(t), 0.1 * cos(roll), 0.5 + 0.5 * away * cos(t));
    CHECK(third != NULL);
    if (third != NULL) {
        CHECK_NEAR(third->gap, away, 1e-14);
        CHECK(is_vec(third->normal, sin(t), 0, cos(t), 1e-12));
    }
}

TEST(a_plank_across_an_edge_reports_its_corners_over_the_face)
{
    utArena arena = test_arena();
    const utShape cube[2] = {box(0.5, 0.5, 0.5), hull_box(0.5, 0.5, 0.5, &arena)};
    const utShape plank[2] = {box(0.1, 0.05, 0.02), hull_box(0.1, 0.05, 0.02, &arena)};
    for (int k = 0; k < 4; k++) {
        check_plank(cube[k / 2], plank[k % 2]);
        check_rolled_plank(cube[k / 2], plank[k % 2]);
    }
}

// crossed at 0.2 rad in a plane: at the crossing 0.01 apart, the ends of each beside the other
TEST(crossed_capsules_report_ends_within_the_margin)
{
    const utShape rod = capsule(0.1, 0.2);
    utTouch touch[UT_TOUCH_MAX];
    const utFrame B = turned(ex, 0.2, ut_vec3(0.21, 0, 0));
    const int count = ut_collide(&rod, at(0, 0, 0), &rod, B, 0.02, touch);
    CHECK_INT(count, 4);
    const int first = deepest(touch, count);
    CHECK_NEAR(touch[first].gap, 0.01, 1e-15);
    for (int i = 0; i < count; i++) {
        // an end is 0.2 sin 0.2 beside the other axis and 0.21 away
        const double end = hypot(0.21, 0.2 * sin(0.2)) - 0.2;
        CHECK_NEAR(touch[i].gap, i == first ? 0.01 : end, 1e-14);
    }
}

// ---- steady -------------------------------------------------------------------------------------

static utFrame shaken(utRng* rng, utFrame F)
{
    double x[6];
    for (int i = 0; i < 6; i++) {
        x[i] = ut_rng_range(rng, -1e-9, 1e-9);
    }
    F.p = ut_vec3_add(F.p, ut_vec3(x[0], x[1], x[2]));
    F.R = ut_mat3_mul(ut_quat_to_mat3(ut_quat_exp(ut_vec3(x[3], x[4], x[5]))), F.R);
    return F;
}

static void check_steady(utShape a, utFrame A, utShape b, utFrame B, int want)
{
    utRng rng = ut_rng(15, 0);
    utTouch rest[UT_TOUCH_MAX], touch[UT_TOUCH_MAX];
    CHECK_INT(ut_collide(&a, A, &b, B, 0.01, rest), want);
    int changed = 0;
    for (int k = 0; k < SHAKES; k++) {
        const utFrame A1 = shaken(&rng, A), B1 = shaken(&rng, B);
        bool same = ut_collide(&a, A1, &b, B1, 0.01, touch) == want;
        for (int i = 0; same && i < want; i++) {
            same = touch[i].feature == rest[i].feature &&
                   ut_vec3_norm(ut_vec3_sub(touch[i].point, rest[i].point)) <= 1e-7 &&
                   ut_vec3_norm(ut_vec3_sub(touch[i].normal, rest[i].normal)) <= 1e-7 &&
                   fabs(touch[i].gap - rest[i].gap) <= 1e-8;
        }
        changed += !same;
    }
    CHECK_INT(changed, 0);
}

TEST(noise_does_not_change_resting_cylinders)
{
    utArena arena = test_arena();
    const utShape can = cylinder(0.5, 0.25), table = box(2, 2, 0.5), rod = capsule(0.1, 0.3);
    const utShape bench = hull_box(2, 2, 0.5, &arena);
    const utFrame lying = turned(ey, quarter, ut_vec3(0, 0, 0.5)), low = at(0, 0, -0.5);
    check_steady(plane(), at(0, 0, 0), can, at(0, 0, 0.25), 8);
    check_steady(table, low, can, at(0, 0, 0.25), 8);
    check_steady(bench, low, can, at(0, 0, 0.25), 8);
    check_steady(plane(), at(0, 0, 0), can, lying, 2);
    check_steady(table, low, can, lying, 2);
    check_steady(bench, low, can, lying, 2);
    check_steady(can, at(0, 0, -0.25), can, at(0, 0, 0.25), 8);
    check_steady(can, at(0, 0, -0.25), can, at(0.6, 0, 0.25), 8);
    // sixteen points, of which eight are kept
    check_steady(can, at(0, 0, -0.25), can, turned(ez, 0.2, ut_vec3(0, 0, 0.25)), 8);
    // over the edge of the table: five points of the rim, and where it crosses
    check_steady(table, low, can, at(1.8, 0.3, 0.25), 7);
    check_steady(can, at(0, 0, 0), rod, at(0.6, 0, 0.1), 2);
}

TEST(noise_does_not_change_resting_hulls)
{
    utArena arena = test_arena();
    const utShape cube = box(0.5, 0.5, 0.5), hull = hull_box(0.5, 0.5, 0.5, &arena);
    const utShape rod = capsule(0.1, 0.5), long_rod = capsule(0.1, 1.0);
    const utFrame along = turned(ey, quarter, ut_vec3(0.1, 0.2, 0.6));
    check_steady(plane(), at(0, 0, 0), hull, at(0, 0, 0.5), 4);
    check_steady(hull, at(0, 0, 0), hull, at(0, 0, 1), 4);
    check_steady(hull, at(0, 0, 0), hull, at(0.3, -0.2, 1), 4);
    check_steady(cube, at(0, 0, 0), hull, at(0, 0, 1), 4);
    check_steady(cube, at(0, 0, 0), hull, turned(ez, 0.5 * quarter, ut_vec3(0, 0, 1)), 4);
    check_steady(cube, at(0, 0, 0), hull, turned(ez, 0.3, ut_vec3(0.2, 0.1, 1)), 4);
    check_steady(hull, at(0, 0, 0), hull, turned(ex, 0.5 * quarter, ut_vec3(0, 0, 0.5 + sqrt(0.5))),
                 2);
    check_steady(hull, at(0, 0, 0), rod, along, 2);
    // across an edge, its end 0.0099 over the face
    const utShape short_rod = capsule(0.05, 0.05);
    const utVec3 over = ut_vec3(0.5 + 0.05 * sin(0.2), 0.1, 0.5 + 0.05 * cos(0.2));
    const utFrame tilted = turned(ey, 0.2 - quarter, over);
    check_steady(cube, at(0, 0, 0), short_rod, tilted, 2);
    check_steady(hull, at(0, 0, 0), short_rod, tilted, 2);
    check_steady(hull, at(0, 0, 0), long_rod, along, 2);
}

// ---- degenerate ---------------------------------------------------------------------------------

static bool is_sound(const utTouch* touch, int count)
{
    for (int i = 0; i < count; i++) {
        const utTouch* t = &touch[i];
        if (!(fabs(ut_vec3_norm(t->normal) - 1.0) <= 1e-14 && fabs(t->gap) < 100.0 &&
              ut_vec3_norm(t->point) < 100.0)) {
            return false;
        }
    }
    return count <= UT_MANIFOLD_MAX && features_ascend(touch, count);
}

TEST(shapes_without_size_or_in_one_place_have_a_defined_manifold)
{
    utArena arena = test_arena();
    const utShape shapes[] = {sphere(0.3),        capsule(0.2, 0.4),  box(0.2, 0.3, 0.4),
                              cylinder(0.2, 0.3), ellipsoid(1, 2, 3), hull_box(1, 1, 1, &arena),
                              sphere(0),          capsule(0, 0),      capsule(0, 0.4),
                              box(0, 0, 0),       box(0.2, 0.3, 0),   box(0.2, 0, 0),
                              cylinder(0, 0),     cylinder(0.2, 0),   cylinder(0, 0.3),
                              ellipsoid(0, 0, 0), ellipsoid(1, 2, 0), ellipsoid(1, 0, 0)};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    const utFrame frames[] = {at(0, 0, 0), at(0, 0, 0.1), at(0.2, 0, 0), turned(ex, quarter, ex),
                              turned(ey, 1e-9, ut_vec3(0, 0, 0.7))};
    int wrong = 0;
    for (int k = 0; k < SHAPES * SHAPES * 5; k++) {
        utTouch touch[UT_TOUCH_MAX];
        const utShape* a = &shapes[k % SHAPES];
        const utShape* b = &shapes[k / SHAPES % SHAPES];
        const int count = ut_collide(a, at(0, 0, 0), b, frames[k / (SHAPES * SHAPES)], 1.0, touch);
        wrong += !is_sound(touch, count);
    }
    CHECK_INT(wrong, 0);
}

TEST(what_is_not_finite_or_not_there_does_not_touch)
{
    utArena arena = test_arena();
    const utShape shapes[] = {cylinder(0.2, 0.3), ellipsoid(0.1, 0.2, 0.3),
                              hull_box(0.2, 0.2, 0.2, &arena), box(0.1, 0.1, 0.1)};
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    utTouch touch[UT_TOUCH_MAX];
    for (int k = 0; k < 48; k++) {
        const utShape *a = &shapes[k % 4], *b = &shapes[k / 4 % 4];
        const double x = bad[k / 16];
        utFrame F = at(0, 0, 0.1);
        CHECK(ut_collide(a, at(0, 0, 0), b, F, 1.0, touch) > 0);
        CHECK_INT(ut_collide(a, at(0, 0, 0), b, F, (double)NAN, touch), 0);
        CHECK_INT(ut_collide(a, at(0, x, 0), b, F, 1.0, touch), 0);
        F.R.m[k % 3][k / 3 % 3] = x;
        CHECK_INT(ut_collide(a, at(0, 0, 0), b, F, 1.0, touch), 0);
        utShape c = *b;
        c.size.y = x;
        if (c.kind != UT_SHAPE_HULL) {
            CHECK_INT(ut_collide(a, at(0, 0, 0), &c, at(0, 0, 0.1), 1.0, touch), 0);
        }
    }
    const utShapeKind empty[] = {UT_SHAPE_HULL, UT_SHAPE_MESH, UT_SHAPE_HEIGHTS};
    for (int k = 0; k < 3; k++) {
        const utShape none = {.kind = empty[k], .size = {1, 1, 1}};
        CHECK_INT(ut_collide(&none, at(0, 0, 0), &shapes[3], at(0, 0, 0), 1.0, touch), 0);
        CHECK_INT(ut_collide(&shapes[3], at(0, 0, 0), &none, at(0, 0, 0), 1.0, touch), 0);
    }
}
