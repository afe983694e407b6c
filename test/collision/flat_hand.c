// SPDX-License-Identifier: Apache-2.0
// Figures of the plane that can be worked out by hand, resting pairs, and the figures by
// themselves.
#include "flat_forms.h"

// coordinates below 10 pass some 20 operations: 20 x 10 x 1.1e-16, rounded up
static const double rounding = 1e-13;

static uint64_t features(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

static utFlatShape rectangle(double x, double y)
{
    return ut_flat_shape(UT_FLAT_RECTANGLE, x, y);
}

static utFlatShape capsule(double radius, double half)
{
    return ut_flat_shape(UT_FLAT_CAPSULE, radius, half);
}

static utFlatShape circle(double radius)
{
    return ut_flat_shape(UT_FLAT_CIRCLE, radius, 0.0);
}

static void check_touch(utFlatTouch t, double x, double y, double nx, double ny, double gap,
                        uint64_t feature)
{
    CHECK_NEAR(t.point.x, x, rounding);
    CHECK_NEAR(t.point.y, y, rounding);
    CHECK_NEAR(t.normal.x, nx, rounding);
    CHECK_NEAR(t.normal.y, ny, rounding);
    CHECK_NEAR(t.gap, gap, rounding);
    CHECK(t.feature == feature);
}

// ---- pairs --------------------------------------------------------------------------------------

TEST(flat_box_stands_on_its_two_lower_corners)
{
    const utFlatShape ground = ut_flat_shape(UT_FLAT_HALFPLANE, 0.0, 0.0), box = rectangle(1, 0.5);
    utFlatTouch t[2];
    CHECK_INT(ut_flat_collide(&ground, ut_flat_frame(7, 0), &box, ut_flat_frame(0, 0.4), 0.0, t),
              2);
    check_touch(t[0], -1.0, -0.05, 0.0, 1.0, -0.1, features(2, 1));
    check_touch(t[1], 1.0, -0.05, 0.0, 1.0, -0.1, features(2, 3));
    CHECK_INT(ut_flat_collide(&box, ut_flat_frame(0, 0.4), &ground, ut_flat_frame(7, 0), 0.0, t),
              2);
    check_touch(t[0], -1.0, -0.05, 0.0, -1.0, -0.1, features(1, 2));
    CHECK_INT(ut_flat_collide(&ground, ut_flat_frame(0, 0), &box, ut_flat_frame(0, 1), 0.4, t), 0);
    CHECK_INT(ut_flat_collide(&ground, ut_flat_frame(0, 0), &ground, ut_flat_frame(0, 1), 9, t), 0);
}

// The upper box reaches from x = -0.5 over the end of the lower one at x = 1.
TEST(flat_facing_sides_touch_at_the_ends_of_what_they_share)
{
    const utFlatShape box = rectangle(1, 0.5);
    utFlatTouch t[2];
    for (int k = 0; k < 2; k++) {
        const double gap = k == 0 ? 0.1 : -0.1;
        const utFlatFrame B = ut_flat_frame(0.5, 1.0 + gap);
        CHECK_INT(ut_flat_collide(&box, ut_flat_frame(0, 0), &box, B, 0.2, t), 2);
        check_touch(t[0], 1.0, 0.5 + 0.5 * gap, 0.0, 1.0, gap, features(5, 2));
        check_touch(t[1], -0.5, 0.5 + 0.5 * gap, 0.0, 1.0, gap, features(6, 1));
    }
}

// A cross of two bars of which the corners of neither lie over the other.
TEST(flat_cross_touches_at_sides_though_all_corners_lie_beside)
{
    const utFlatShape wide = rectangle(2, 0.25), high = rectangle(0.5, 3);
    utFlatTouch t[2];
    CHECK_INT(ut_flat_collide(&wide, ut_flat_frame(0, 0), &high, ut_flat_frame(1, 0), 0.0, t), 2);
    // out by 1.5 to the right: the left side of the high bar and the right one of the wide bar
    CHECK_NEAR(t[0].gap, -1.5, rounding);
    CHECK_NEAR(t[1].gap, -1.5, rounding);
    CHECK_NEAR(t[0].normal.x, 1.0, rounding);
    CHECK_NEAR(fabs(t[0].point.y), 0.25, rounding);
    CHECK_NEAR(t[0].point.y + t[1].point.y, 0.0, rounding);
}

TEST(flat_corner_over_a_side_is_one_point)
{
    const utFlatShape slab = rectangle(5, 1), box = rectangle(1, 1);
    const double r = sqrt(0.5);
    utFlatTouch t[2];
    CHECK_INT(
        ut_flat_collide(&slab, ut_flat_frame(0, 0), &box, (utFlatFrame){{0.0, 3.0}, r, r}, 0.6, t),
        1);
    // turned by 45 degrees its lower left corner points down
    const double gap = 2.0 - sqrt(2.0);
    check_touch(t[0], 0.0, 1.0 + 0.5 * gap, 0.0, 1.0, gap, features(6, 1));
}

// 3, 4, 5
TEST(flat_corners_have_the_normal_between_them)
{
    const utFlatShape box = rectangle(0.5, 0.5);
    utFlatTouch t[2];
    CHECK_INT(ut_flat_collide(&box, ut_flat_frame(0, 0), &box, ut_flat_frame(4, 5), 6.0, t), 1);
    check_touch(t[0], 2.0, 2.5, 0.6, 0.8, 5.0, features(5, 1));
}

// A plank tilted by a 7-24-25 angle over the two upper corners of a box: the left one 0.1 below the
// plank or within, the right one 2 x 0.28 further down.
TEST(flat_ends_within_the_margin_have_the_normal_of_the_side_they_face)
{
    const utFlatShape box = rectangle(1, 1), plank = rectangle(2, 0.5);
    utFlatFrame B = {{-0.208, 1.856}, 0.96, 0.28};
    utFlatTouch t[2];
    CHECK_INT(ut_flat_collide(&box, ut_flat_frame(0, 0), &plank, B, 1.0, t), 2);
    check_touch(t[0], 1.0 - 0.28 * 0.33, 1.0 + 0.96 * 0.33, -0.28, 0.96, 0.66, features(5, 2));
    check_touch(t[1], -1.0 - 0.28 * 0.05, 1.0 + 0.96 * 0.05, -0.28, 0.96, 0.1, features(7, 2));
    CHECK_INT(ut_flat_collide(&box, ut_flat_frame(0, 0), &plank, B, 0.5, t), 1);
    B.position = ut_vec2(-0.152, 1.664);
    CHECK_INT(ut_flat_collide(&box, ut_flat_frame(0, 0), &plank, B, 1.0, t), 2);
    CHECK_NEAR(t[0].gap, 0.46, rounding);
    CHECK_NEAR(t[1].gap, -0.1, rounding);
}

// The plank's lower left corner 0.2 deep in the top of the box, at x = 0.5; from there it rises by
// 7/24, so that the box's corner at x = 1 is 0.2 - 3.5/24 deep.
TEST(flat_overlap_has_one_normal)
{
    const utFlatShape box = rectangle(1, 1), plank = rectangle(2, 0.5);
    const utFlatFrame B = {{2.28, 1.84}, 0.96, 0.28};
    const double gap = 3.5 / 24.0 - 0.2;
    utFlatTouch t[2];
    CHECK_INT(ut_flat_collide(&box, ut_flat_frame(0, 0), &plank, B, 1.0, t), 2);
    check_touch(t[0], 1.0, 1.0 + 0.5 * gap, 0.0, 1.0, gap, features(5, 2));
    check_touch(t[1], 0.5, 0.9, 0.0, 1.0, -0.2, features(6, 1));
}

// From one side of the capsule to the other the farthest corner goes half way round the disc, which
// has a flat side above and below that is shorter than the capsule.
TEST(flat_disc_of_many_corners_lies_on_a_capsule)
{
    const utFlatShape pill = capsule(0.5, 2);
    utVec2 corner[24];
    utFlatTouch t[2];
    for (int i = 0; i < 6; i++) {
        const double angle = 3.14159265358979 * (i + 0.5) / 12.0, x = cos(angle), y = sin(angle);
        corner[i] = ut_vec2(x, y);
        corner[11 - i] = ut_vec2(-x, y);
        corner[12 + i] = ut_vec2(-x, -y);
        corner[23 - i] = ut_vec2(x, -y);
    }
    const utFlatShape disc = ut_flat_polygon(24, corner);
    for (int k = 0; k < 2; k++) {
        const double height = k == 0 ? 2.0 : -2.0;
        CHECK_INT(
            ut_flat_collide(&pill, ut_flat_frame(0, 0), &disc, ut_flat_frame(0, height), 1, t), 2);
        CHECK_NEAR(t[0].gap, 2.0 - 0.5 - corner[5].y, rounding);
        CHECK_NEAR(t[1].gap, 2.0 - 0.5 - corner[5].y, rounding);
        CHECK_NEAR(fabs(t[0].point.x), corner[5].x, rounding);
    }
}

TEST(flat_circle_leaves_a_rectangle_by_the_nearest_side)
{
    const utFlatShape slab = rectangle(2, 1), ball = circle(0.5);
    utFlatTouch t[2];
    CHECK_INT(ut_flat_collide(&slab, ut_flat_frame(0, 0), &ball, ut_flat_frame(1.5, 0.2), 0, t), 1);
    check_touch(t[0], 1.5, 0.2, 1.0, 0.0, -1.0, features(4, 1));
    // beside a corner, 3-4-5
    CHECK_INT(ut_flat_collide(&slab, ut_flat_frame(0, 0), &ball, ut_flat_frame(5, 5), 9, t), 1);
    check_touch(t[0], 2.0 + 0.6 * 2.25, 1.0 + 0.8 * 2.25, 0.6, 0.8, 4.5, features(5, 1));
}

TEST(flat_capsules_on_one_line_stand_apart_or_leave_sideways)
{
    const utFlatShape pill = capsule(0.25, 1);
    utFlatTouch t[2];
    CHECK_INT(ut_flat_collide(&pill, ut_flat_frame(0, 0), &pill, ut_flat_frame(3, 0), 1, t), 1);
    check_touch(t[0], 1.5, 0.0, 1.0, 0.0, 0.5, features(3, 1));
    // their axes share x = 0 ... 1
    CHECK_INT(ut_flat_collide(&pill, ut_flat_frame(0, 0), &pill, ut_flat_frame(1, 0), 1, t), 2);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(t[i].gap, -0.5, rounding);
        CHECK_NEAR(fabs(t[i].normal.y), 1.0, rounding);
    }
    CHECK_NEAR(t[0].point.x + t[1].point.x, 1.0, rounding);
    // crossed at the middle: out by half an axis and both radii
    const utFlatFrame up = {{0.0, 0.0}, 0.0, 1.0};
    const int count = ut_flat_collide(&pill, ut_flat_frame(0, 0), &pill, up, 0, t);
    CHECK(count > 0);
    CHECK_NEAR(t[least_gap(t, count)].gap, -1.5, rounding);
    // side by side
    CHECK_INT(ut_flat_collide(&pill, ut_flat_frame(0, 0), &pill, ut_flat_frame(1, 1), 1, t), 2);
    check_touch(t[0], 1.0, 0.5, 0.0, 1.0, 0.5, features(3, 2));
    check_touch(t[1], 0.0, 0.5, 0.0, 1.0, 0.5, features(4, 1));
}

TEST(flat_circles_in_one_place_have_some_normal)
{
    const utFlatShape ball = circle(0.5);
    utFlatTouch t[2];
    CHECK_INT(ut_flat_collide(&ball, ut_flat_frame(1, 2), &ball, ut_flat_frame(1, 2), 0, t), 1);
    CHECK_NEAR(t[0].gap, -1.0, 0.0);
    CHECK_NEAR(hypot(t[0].normal.x, t[0].normal.y), 1.0, 1e-15);
    CHECK_NEAR(t[0].point.x, 1.0, 0.0);
}

TEST(flat_tangent_is_the_normal_turned_clockwise)
{
    const utVec2 t = ut_flat_tangent(ut_vec2(0.0, 1.0));
    CHECK_NEAR(t.x, 1.0, 0.0);
    CHECK_NEAR(t.y, 0.0, 0.0);
}

// ---- rest ---------------------------------------------------------------------------------------

static utFlatFrame disturbed(utRng* rng, utFlatFrame at)
{
    const double angle = 1e-9 * ut_rng_range(rng, -1, 1), c = at.cosine, s = at.sine;
    at.cosine = c - angle * s;
    at.sine = s + angle * c;
    at.position.x += 1e-9 * ut_rng_range(rng, -1, 1);
    at.position.y += 1e-9 * ut_rng_range(rng, -1, 1);
    return at;
}

static void check_features_stay(const utFlatShape* a, utFlatFrame A, const utFlatShape* b,
                                utFlatFrame B, double margin, int points)
{
    utRng rng = ut_rng(43, 0);
    utFlatTouch first[2], now[2];
    int changed = 0;
    CHECK_INT(ut_flat_collide(a, A, b, B, margin, first), points);
    for (int k = 0; k < 10000; k++) {
        const utFlatFrame A_now = disturbed(&rng, A), B_now = disturbed(&rng, B);
        const int count = ut_flat_collide(a, A_now, b, B_now, margin, now);
        bool same = count == points;
        for (int i = 0; i < points && same; i++) {
            same = now[i].feature == first[i].feature && fabs(now[i].gap - first[i].gap) <= 1e-8;
        }
        changed += !same;
    }
    CHECK_INT(changed, 0);
}

TEST(flat_resting_pairs_keep_their_features)
{
    static const utVec2 hexagon[6] = {{1, 0}, {2, 0}, {3, 1}, {2, 2}, {1, 2}, {0, 1}};
    const utFlatShape ground = ut_flat_shape(UT_FLAT_HALFPLANE, 0, 0), box = rectangle(1, 0.5);
    const utFlatShape small = rectangle(0.5, 0.5), pill = capsule(0.5, 1), ball = circle(0.5);
    const utFlatShape nut = ut_flat_polygon(6, hexagon);
    for (int k = -1; k <= 1; k++) {
        const double gap = 1e-4 * k;
        const utFlatFrame A = ut_flat_frame(0, 0), level = ut_flat_frame(0, 1 + gap);
        check_features_stay(&ground, A, &box, ut_flat_frame(0, 0.5 + gap), 0.01, 2);
        check_features_stay(&ground, A, &pill, ut_flat_frame(0, 0.5 + gap), 0.01, 2);
        check_features_stay(&ground, A, &nut, ut_flat_frame(0, gap), 0.01, 2);
        // ends level with each other, one beside, both within
        check_features_stay(&box, A, &box, level, 0.01, 2);
        check_features_stay(&box, A, &box, ut_flat_frame(0.5, 1 + gap), 0.01, 2);
        check_features_stay(&box, A, &small, level, 0.01, 2);
        check_features_stay(&box, A, &small, ut_flat_frame(0.5, 1 + gap), 0.01, 2);
        check_features_stay(&pill, A, &box, level, 0.01, 2);
        check_features_stay(&pill, A, &pill, level, 0.01, 2);
        check_features_stay(&box, A, &nut, ut_flat_frame(-1.5, 0.5 + gap), 0.01, 2);
        check_features_stay(&nut, A, &nut, ut_flat_frame(0, 2 + gap), 0.01, 2);
        check_features_stay(&ball, A, &box, level, 0.01, 1);
        // on its corner, both sides alike
        const double r = sqrt(0.5);
        const utFlatFrame balanced = {{0, 0.5 + r + gap}, r, r};
        check_features_stay(&box, A, &small, balanced, 0.01, 1);
        check_features_stay(&box, A, &small, balanced, 1.0, 2);
    }
}

// ---- figures by themselves ----------------------------------------------------------------------

static void check_refused(const utFlatShape* shape, const char* word)
{
    utError err = {0};
    CHECK(ut_flat_check(shape, &err) == UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, word) != NULL);
}

static void check_corners_refused(int corners, const utVec2* corner, const char* word)
{
    const utFlatShape shape = ut_flat_polygon(corners, corner);
    check_refused(&shape, word);
}

TEST(flat_check_names_what_is_wrong)
{
    static const utVec2 good[4] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}};
    static const utVec2 clockwise[4] = {{0, 0}, {0, 1}, {2, 1}, {2, 0}};
    static const utVec2 dented[4] = {{0, 0}, {2, 0}, {0.1, 0.1}, {0, 2}};
    static const utVec2 straight[4] = {{0, 0}, {1, 0}, {2, 0}, {0, 2}};
    static const utVec2 repeated[4] = {{0, 0}, {2, 0}, {2, 0}, {0, 2}};
    static const utVec2 closed[4] = {{0, 0}, {2, 0}, {0, 2}, {0, 0}};
    static const utVec2 flat[3] = {{0, 0}, {2, 0}, {1, 0}};
    utVec2 star[5], strange[3] = {{0, 0}, {1, 0}, {0, (double)NAN}};
    for (int i = 0; i < 5; i++) {
        star[i] = ut_vec2(cos(4 * 3.14159265358979 * i / 5), sin(4 * 3.14159265358979 * i / 5));
    }
    utFlatShape shape = ut_flat_polygon(4, good);
    utError err = {0};
    CHECK(ut_flat_check(&shape, &err) == UT_OK);
    check_corners_refused(2, good, "3");
    check_corners_refused(4, NULL, "3");
    check_corners_refused(4, clockwise, "clockwise");
    check_corners_refused(4, dented, "corner 2");
    check_corners_refused(4, straight, "corner 1");
    check_corners_refused(4, repeated, "equals the one before");
    check_corners_refused(4, closed, "equals the one before");
    check_corners_refused(3, flat, "not convex");
    check_corners_refused(5, star, "2 times");
    check_corners_refused(3, strange, "finite");
    check_refused(&(utFlatShape){.kind = UT_FLAT_KIND_COUNT}, "kind");
    shape = capsule(0.5, 0.0);
    CHECK(ut_flat_check(&shape, &err) == UT_OK);
    shape = circle(0.0);
    check_refused(&shape, "radius");
    shape = rectangle(1.0, (double)NAN);
    check_refused(&shape, "along y");
}

TEST(flat_mass_is_that_of_the_closed_forms)
{
    static const utVec2 triangle[3] = {{5, 1}, {8, 1}, {5, 4}};
    static const utVec2 box[4] = {{-1, -2}, {1, -2}, {1, 2}, {-1, 2}};
    const double pi = 3.14159265358979323846;
    // legs of 3: area 4.5, b h^3 / 36 about each axis
    utFlatShape shape = ut_flat_polygon(3, triangle);
    utFlatMass m = ut_flat_mass(&shape, 2.0);
    CHECK_NEAR(ut_flat_area(&shape), 4.5, rounding);
    CHECK_NEAR(m.mass, 9.0, rounding);
    CHECK_NEAR(m.center.x, 6.0, rounding);
    CHECK_NEAR(m.center.y, 2.0, rounding);
    CHECK_NEAR(m.moment, 9.0, rounding);
    // 2 x 4: m (2^2 + 4^2) / 12
    shape = ut_flat_polygon(4, box);
    CHECK_NEAR(ut_flat_mass(&shape, 3.0).moment, 24.0 * 20.0 / 12.0, 1e-12);
    shape = rectangle(1, 2);
    CHECK_NEAR(ut_flat_mass(&shape, 3.0).moment, 24.0 * 20.0 / 12.0, 1e-12);
    CHECK_NEAR(ut_flat_mass(&shape, 3.0).mass, 24.0, rounding);
    shape = circle(2);
    CHECK_NEAR(ut_flat_mass(&shape, 1.0).moment, 0.5 * pi * 16.0, 1e-12);
    shape = ut_flat_shape(UT_FLAT_HALFPLANE, 1, 1);
    CHECK_NEAR(ut_flat_mass(&shape, 1.0).mass, 0.0, 0.0);
}

// Strips across the axis, each with the half height y(x): area 2 y, moment 2 y x^2 + 2 y^3 / 3.
TEST(flat_capsule_mass_is_the_integral)
{
    const utFlatShape pill = capsule(0.7, 1.3);
    const int strips = 200000;
    const double step = 2.0 * 2.0 / strips;
    double area = 0.0, moment = 0.0;
    for (int i = 0; i < strips; i++) {
        const double x = -2.0 + (i + 0.5) * step, beyond = fmax(fabs(x) - 1.3, 0.0);
        const double y = sqrt(0.49 - beyond * beyond);
        area += 2.0 * y * step;
        moment += (2.0 * y * x * x + 2.0 * y * y * y / 3.0) * step;
    }
    // the midpoint rule near the vertical tangents of the caps is right to step^1.5
    CHECK_NEAR(ut_flat_mass(&pill, 1.0).mass, area, 1e-7);
    CHECK_NEAR(ut_flat_mass(&pill, 1.0).moment, moment, 1e-6);
}

TEST(flat_bounds_and_support_reach_as_far_as_the_figure)
{
    static const utVec2 triangle[3] = {{0, 0}, {4, 0}, {0, 3}};
    utFlatShape shape = ut_flat_polygon(3, triangle);
    // turned by 90 degrees: (0, 0), (0, 4), (-3, 0)
    utFlatBounds bounds = ut_flat_bounds(&shape, (utFlatFrame){{10, 20}, 0, 1});
    CHECK_NEAR(bounds.low.x, 7.0, rounding);
    CHECK_NEAR(bounds.high.x, 10.0, rounding);
    CHECK_NEAR(bounds.low.y, 20.0, rounding);
    CHECK_NEAR(bounds.high.y, 24.0, rounding);
    CHECK_NEAR(ut_flat_support(&shape, ut_vec2(1, 2)).y, 3.0, 0.0);
    shape = capsule(0.5, 2);
    bounds = ut_flat_bounds(&shape, (utFlatFrame){{0, 0}, 0.6, 0.8});
    CHECK_NEAR(bounds.high.x, 1.7, rounding);
    CHECK_NEAR(bounds.low.y, -2.1, rounding);
    const utVec2 x = ut_flat_support(&shape, ut_vec2(-3, 4));
    CHECK_NEAR(x.x, -2.3, rounding);
    CHECK_NEAR(x.y, 0.4, rounding);
    shape = ut_flat_shape(UT_FLAT_HALFPLANE, 0, 0);
    bounds = ut_flat_bounds(&shape, ut_flat_frame(1, 2));
    CHECK(bounds.high.y == 2.0 && bounds.low.y == -HUGE_VAL && bounds.high.x == HUGE_VAL);
    bounds = ut_flat_bounds(&shape, (utFlatFrame){{1, 2}, 0, 1});
    CHECK(bounds.low.x == 1.0 && bounds.high.y == HUGE_VAL);
}
