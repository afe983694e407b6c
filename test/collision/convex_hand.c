// SPDX-License-Identifier: Apache-2.0
// Signed gaps that can be calculated by hand, exchanged pairs, and input that is nearly nothing.
#include <stdlib.h>
#include <string.h>

#include "collision/convex/convex.h"
#include "convex_cases.h"

// Coordinates are below 8 and pass some 100 operations: 100 x 8 x 1.1e-16, rounded up.
static const double tiny = 1e-13;

static utShape shape_of(utShapeKind kind, double x, double y, double z)
{
    return ut_shape(kind, ut_vec3(x, y, z));
}

static utFrame place_at(double x, double y, double z)
{
    return ut_frame(ut_mat3_identity(), ut_vec3(x, y, z));
}

static utFrame turned_at(utVec3 axis, double angle, double x, double y, double z)
{
    const utMat3 R = ut_quat_to_mat3(ut_quat_from_axis_angle(axis, angle));
    return ut_frame(R, ut_vec3(x, y, z));
}

static const utVec3 ex = {1, 0, 0}, ey = {0, 1, 0}, ez = {0, 0, 1};

static utGap gap_of(utShape a, utFrame A, utShape b, utFrame B)
{
    utGap gap = {.gap = (double)NAN};
    CHECK(ut_gap(&a, A, &b, B, &gap) == UT_OK);
    CHECK(gap.error >= 0.0);
    CHECK_NEAR(ut_vec3_norm(gap.normal), 1.0, 1e-14);
    const utVec3 reached = ut_vec3_add_scaled(gap.on_a, gap.gap, gap.normal);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(reached, gap.on_b)), 0.0, tiny);
    return gap;
}

static void check_vector(utVec3 got, utVec3 want, double tolerance)
{
    CHECK_NEAR(got.x, want.x, tolerance);
    CHECK_NEAR(got.y, want.y, tolerance);
    CHECK_NEAR(got.z, want.z, tolerance);
}

// ---- by hand ------------------------------------------------------------------------------------

TEST(spheres_are_their_centres_distance_less_their_radii_apart)
{
    const utShape a = shape_of(UT_SHAPE_SPHERE, 1, 0, 0), b = shape_of(UT_SHAPE_SPHERE, 2, 0, 0);
    const utGap gap = gap_of(a, place_at(1, 0, 0), b, place_at(1, 3, 4));
    CHECK_NEAR(gap.gap, 2.0, tiny);
    check_vector(gap.normal, ut_vec3(0, 0.6, 0.8), tiny);
    check_vector(gap.on_a, ut_vec3(1, 0.6, 0.8), tiny);
    check_vector(gap.on_b, ut_vec3(1, 1.8, 2.4), tiny);
}

TEST(a_box_upon_a_box_overlaps_by_what_it_has_sunk)
{
    const utShape a = shape_of(UT_SHAPE_BOX, 1, 1, 1), b = shape_of(UT_SHAPE_BOX, 0.5, 0.5, 0.5);
    const utGap gap = gap_of(a, place_at(0, 0, 0), b, place_at(0.3, 0.2, 1.499));
    CHECK_NEAR(gap.gap, -0.001, tiny);
    check_vector(gap.normal, ez, tiny);
    CHECK_NEAR(gap.on_a.z, 1.0, tiny);
    CHECK_NEAR(gap.on_b.z, 0.999, tiny);
    // both points are on the common square
    CHECK(gap.on_a.x >= -0.2 - tiny && gap.on_a.x <= 0.8 + tiny);
    CHECK(gap.on_a.y >= -0.3 - tiny && gap.on_a.y <= 0.7 + tiny);
}

TEST(boxes_that_touch_have_the_normal_of_their_faces)
{
    const utShape a = shape_of(UT_SHAPE_BOX, 1, 1, 1);
    const utGap gap = gap_of(a, place_at(0, 0, 0), a, place_at(0.25, 0.5, 2));
    CHECK_NEAR(gap.gap, 0.0, tiny);
    CHECK_NEAR(fabs(gap.normal.z), 1.0, tiny);
}

// Two cubes of side 2, each standing on an edge: its height over the centre is sqrt(2).
TEST(crossed_edges_meet_at_one_point)
{
    const utShape a = shape_of(UT_SHAPE_BOX, 1, 1, 1);
    const double s = sqrt(0.5);
    // the first has its upper edge along x, the second its lower edge along y
    const utFrame A = turned_at(ex, 0.78539816339744831, 0, 0, 0);
    const utFrame B = turned_at(ey, 0.78539816339744831, 0.3, 0.4, 2.0 / s + 0.125);
    const utGap gap = gap_of(a, A, a, B);
    CHECK_NEAR(gap.gap, 0.125, tiny);
    check_vector(gap.normal, ez, tiny);
    check_vector(gap.on_a, ut_vec3(0.3, 0, 1.0 / s), 1e-12);
}

TEST(crossed_capsules_keep_the_normal_of_their_axes)
{
    const utShape a = shape_of(UT_SHAPE_CAPSULE, 0.25, 1, 0);
    const utFrame A = place_at(0, 0, 0), B = turned_at(ex, 0.8, 0, 0, 0.25);
    const utGap gap = gap_of(a, A, a, B);
    CHECK_NEAR(gap.gap, -0.5, tiny);
    CHECK_NEAR(fabs(gap.normal.x), 1.0, tiny);
}

// Seen along z from its centre the point of an ellipsoid is semi-axis c away.
TEST(ellipsoids_end_to_end)
{
    const utShape a = shape_of(UT_SHAPE_ELLIPSOID, 1, 2, 3);
    const utShape b = shape_of(UT_SHAPE_ELLIPSOID, 3, 0.5, 1);
    utGap gap = gap_of(a, place_at(0, 0, 0), b, place_at(0, 0, 4.5));
    CHECK_NEAR(gap.gap, 0.5, tiny);
    check_vector(gap.normal, ez, 1e-12);
    check_vector(gap.on_a, ut_vec3(0, 0, 3), 1e-12);
    gap = gap_of(a, place_at(0, 0, 0), b, place_at(0, 0, 3.9));
    CHECK_NEAR(gap.gap, -0.1, tiny);
    check_vector(gap.normal, ez, 1e-12);
}

TEST(ellipsoids_about_one_centre_part_along_their_shortest_axes)
{
    const utShape a = shape_of(UT_SHAPE_ELLIPSOID, 1, 2, 3);
    const utGap gap = gap_of(a, place_at(0, 0, 0), a, place_at(0, 0, 0));
    CHECK_NEAR(gap.gap, -2.0, 1e-9);
    CHECK_NEAR(fabs(gap.normal.x), 1.0, 1e-9);
}

// A sphere within a cylinder leaves by the nearer of lid and wall.
TEST(a_sphere_inside_a_cylinder)
{
    const utShape ball = shape_of(UT_SHAPE_SPHERE, 0.25, 0, 0);
    const utShape can = shape_of(UT_SHAPE_CYLINDER, 1, 2, 0);
    CHECK_NEAR(gap_of(ball, place_at(0.5, 0, 0), can, place_at(0, 0, 0)).gap, -0.75, 1e-9);
    CHECK_NEAR(gap_of(ball, place_at(0, 0, 0), can, place_at(0, 0, 0)).gap, -1.25, 1e-9);
    CHECK_NEAR(gap_of(ball, place_at(0, 0.1, 1.75), can, place_at(0, 0, 0)).gap, -0.5, 1e-9);
}

// A prism along the axis of a cylinder, its base a regular polygon of inner radius d about c. By
// hand: it leaves through the wall, across the edge that is nearest to the axis, after r + the
// least of d + c.u over the outward normals u of the edges. No tilt helps: of the corners farthest
// across one is at either end, so tilted by phi it is cos phi (r + d + c.u) + sin phi (h + half),
// no less than the smaller of the two brackets.
static void check_prism(double r, double d, utVec3 c, double angle)
{
    enum { SIDES = 24 };
    const double h = 1.5, half = 0.01, step = 2.0 * 3.14159265358979324 / SIDES;
    utVec3 vertex[2 * SIDES];
    double least = HUGE_VAL;
    for (int i = 0; i < SIDES; i++) {
        const double at = angle + step * i, R = d / cos(0.5 * step), middle = at + 0.5 * step;
        const utVec3 corner = ut_vec3(c.x + R * cos(at), c.y + R * sin(at), 0.0);
        vertex[2 * i] = ut_vec3_add_scaled(corner, half, ez);
        vertex[2 * i + 1] = ut_vec3_add_scaled(corner, -half, ez);
        least = fmin(least, d + c.x * cos(middle) + c.y * sin(middle));
    }
    const utHull hull = {
        .vertices = 2 * SIDES, .vertex = vertex, .size = 4.0 * (d + half), .volume = d * d * half};
    const utShape prism = {.kind = UT_SHAPE_HULL, .hull = &hull};
    const utFrame at = turned_at(ut_vec3(0.48, 0.6, 0.64), 1.0, 0.3, -0.2, 0.1);
    const utGap gap = gap_of(shape_of(UT_SHAPE_CYLINDER, r, h, 0), at, prism, at);
    CHECK_NEAR(gap.gap, -(r + least), tiny);
}

TEST(a_prism_about_a_cylinders_axis_leaves_across_its_nearest_edge)
{
    for (int i = 0; i < 40; i++) {
        const double d = 1e-5 * pow(10.0, 0.1 * i), angle = 0.7 * i, off = 0.3 * d;
        check_prism(1.0, d, ut_vec3(off * cos(1.9 * i), off * sin(1.9 * i), 0.0), angle);
    }
}

TEST(cylinders_on_one_axis_and_side_by_side)
{
    const utShape can = shape_of(UT_SHAPE_CYLINDER, 1, 2, 0);
    utGap gap = gap_of(can, place_at(0, 0, 0), can, place_at(0, 0, 3.5));
    CHECK_NEAR(gap.gap, -0.5, 1e-12);
    check_vector(gap.normal, ez, 1e-12);
    CHECK(hypot(gap.on_a.x, gap.on_a.y) <= 1.0 + tiny);
    gap = gap_of(can, place_at(0, 0, 0), can, place_at(0, 0, 4.5));
    CHECK_NEAR(gap.gap, 0.5, 1e-12);
    gap = gap_of(can, place_at(0, 0, 0), can, place_at(0, 2.5, 1));
    CHECK_NEAR(gap.gap, 0.5, 1e-12);
    check_vector(gap.normal, ey, 1e-12);
    CHECK(gap.on_a.z >= -1.0 - tiny && gap.on_a.z <= 2.0 + tiny);
    gap = gap_of(can, place_at(0, 0, 0), can, place_at(0, 1.75, 1));
    CHECK_NEAR(gap.gap, -0.25, 1e-9);
    check_vector(gap.normal, ey, 1e-7);
}

// A lying cylinder on a box: a line of contact, the normal that of the face.
TEST(a_cylinder_lying_on_a_box)
{
    const utShape can = shape_of(UT_SHAPE_CYLINDER, 0.5, 2, 0);
    const utShape table = shape_of(UT_SHAPE_BOX, 3, 3, 1);
    for (int i = 0; i < 3; i++) {
        static const double height[3] = {0.01, 0.0, -0.01};
        const utFrame at = turned_at(ex, 1.57079632679489662, 0.1, 0.2, 1.5 + height[i]);
        const utGap gap = gap_of(table, place_at(0, 0, 0), can, at);
        CHECK_NEAR(gap.gap, height[i], 1e-12);
        check_vector(gap.normal, ez, 1e-12);
        // where on the round side: r (1 - cos) is rounding up to an angle of 1e-7 or so
        CHECK_NEAR(gap.on_a.x, 0.1, 1e-6);
    }
}

// ---- planes -------------------------------------------------------------------------------------

// The lowest points by hand: a sphere's 1 below, a cylinder's tilted by 30 degrees r sin + h cos.
TEST(shapes_over_a_plane)
{
    const utShape floor = shape_of(UT_SHAPE_PLANE, 0, 0, 0);
    const utFrame level = place_at(5, 5, 1);
    const utShape ball = shape_of(UT_SHAPE_SPHERE, 1, 0, 0);
    utGap gap = gap_of(floor, level, ball, place_at(0, 0, 2.5));
    CHECK_NEAR(gap.gap, 0.5, tiny);
    check_vector(gap.on_b, ut_vec3(0, 0, 1.5), tiny);
    check_vector(gap.on_a, ut_vec3(0, 0, 1), tiny);
    const utShape can = shape_of(UT_SHAPE_CYLINDER, 1, 2, 0);
    gap = gap_of(can, turned_at(ex, 0.52359877559829887, 0, 0, 3), floor, level);
    CHECK_NEAR(gap.gap, 2.0 - (0.5 + 2.0 * sqrt(0.75)), tiny);
    check_vector(gap.normal, ut_vec3(0, 0, -1), tiny);
    const utShape egg = shape_of(UT_SHAPE_ELLIPSOID, 3, 4, 5);
    // turned by an angle with sine 3/5 about x: sqrt((4 3/5)^2 + (5 4/5)^2) reaches down
    gap = gap_of(floor, level, egg, turned_at(ex, asin(0.6), 0, 0, 1));
    CHECK_NEAR(gap.gap, -sqrt(2.4 * 2.4 + 16.0), 1e-12);
}

TEST(planes_and_surfaces_have_no_gap_of_their_own)
{
    const utShape floor = shape_of(UT_SHAPE_PLANE, 0, 0, 0);
    const utShape ball = shape_of(UT_SHAPE_SPHERE, 1, 0, 0);
    const utShape mesh = {.kind = UT_SHAPE_MESH};
    utGap gap;
    CHECK(ut_gap(&floor, place_at(0, 0, 0), &floor, place_at(0, 0, 1), &gap) == UT_ERR_ARGUMENT);
    CHECK(ut_gap(&mesh, place_at(0, 0, 0), &floor, place_at(0, 0, 1), &gap) == UT_ERR_ARGUMENT);
    CHECK(ut_gap(&ball, place_at((double)NAN, 0, 0), &ball, place_at(0, 0, 1), &gap) ==
          UT_ERR_ARGUMENT);
    CHECK(ut_gap(&ball, place_at(0, 0, 0), &ball, place_at(HUGE_VAL, 0, 1), &gap) ==
          UT_ERR_ARGUMENT);
    const utShape bad = shape_of(UT_SHAPE_SPHERE, (double)NAN, 0, 0);
    CHECK(ut_gap(&bad, place_at(0, 0, 0), &ball, place_at(0, 0, 1), &gap) == UT_ERR_ARGUMENT);
}

// Random shapes over random planes against the support function of the judge.
TEST(gaps_over_planes_are_those_of_the_judge)
{
    const utShape floor = shape_of(UT_SHAPE_PLANE, 0, 0, 0);
    const char* text = getenv("UPTACK_CONVEX_CASES"); // as in convex_gap.c
    const long cases = text != NULL ? strtol(text, NULL, 10) : 10000;
    for (int kind = UT_SHAPE_SPHERE; kind < UT_SHAPE_MESH; kind++) {
        double worst = 0.0;
        utRng rng = ut_rng(7, (uint64_t)kind);
        for (long i = 0; i < cases; i++) {
            Case c;
            random_case(&rng, (utShapeKind)kind, (utShapeKind)kind, &c);
            utGap gap;
            CHECK(ut_gap(&floor, c.B, &c.a.shape, c.A, &gap) == UT_OK);
            const Body body = body_of(&c.a.shape, c.A, c.B.p);
            const V3 n = v3_of(ut_mat3_column(c.B.R, 2));
            const Real want = v3_dot(n, body_support(&body, v3(-n.x, -n.y, -n.z))) - body.radius;
            const double L =
                2.0 * ut_shape_radius(&c.a.shape) + ut_vec3_norm(ut_vec3_sub(c.A.p, c.B.p));
            worst = fmax(worst, (double)fabsl((Real)gap.gap - want) / L);
            worst = gap.normal.x == (double)n.x && gap.normal.y == (double)n.y &&
                            gap.normal.z == (double)n.z
                        ? worst
                        : HUGE_VAL;
        }
        test_note("plane-%s: %ld cases, worst gap %.1e L, normals equal",
                  ut_shape_kind_name((utShapeKind)kind), cases, worst);
        CHECK(worst <= 1e-15);
    }
}

// ---- exchanged, and with hints ------------------------------------------------------------------

TEST(an_exchanged_pair_has_the_same_bits)
{
    int wrong = 0;
    for (int k = 0; k < 36; k++) {
        const utShapeKind a = (utShapeKind)(1 + k / 6), b = (utShapeKind)(1 + k % 6);
        utRng rng = ut_rng(11, (uint64_t)k);
        for (int i = 0; i < 100; i++) {
            Case c;
            random_case(&rng, a, b, &c);
            utGap ab, ba;
            CHECK(ut_gap(&c.a.shape, c.A, &c.b.shape, c.B, &ab) == UT_OK);
            CHECK(ut_gap(&c.b.shape, c.B, &c.a.shape, c.A, &ba) == UT_OK);
            const utGap back = {ba.gap, ut_vec3_negate(ba.normal), ba.on_b, ba.on_a, ba.error};
            wrong += memcmp(&ab, &back, sizeof ab) != 0;
        }
    }
    CHECK_INT(wrong, 0);
}

TEST(hints_change_nothing_and_far_pairs_end_early_on_the_safe_side)
{
    int wrong = 0, ended = 0;
    for (int k = 0; k < 36; k++) {
        const utShapeKind a = (utShapeKind)(1 + k / 6), b = (utShapeKind)(1 + k % 6);
        utRng rng = ut_rng(12, (uint64_t)k);
        for (int i = 0; i < 50; i++) {
            Case c;
            random_case(&rng, a, b, &c);
            const Convex x = ut_convex(&c.a.shape, c.A), y = ut_convex(&c.b.shape, c.B);
            const ConvexGap plain = ut_convex_gap(&x, &y, ut_vec3_zero(), HUGE_VAL);
            const ConvexGap hinted = ut_convex_gap(&x, &y, random_direction(&rng), HUGE_VAL);
            wrong += !(fabs(plain.gap - hinted.gap) <= plain.error + hinted.error);
            const double far = 0.5 * plain.gap;
            const ConvexGap ends = ut_convex_gap(&x, &y, ut_vec3_zero(), far);
            wrong += !(ends.gap <= plain.gap + plain.error + 1e-12 * (x.size + y.size));
            ended += ends.error == HUGE_VAL;
            wrong += ends.error == HUGE_VAL && !(ends.gap > far);
        }
    }
    CHECK_INT(wrong, 0);
    CHECK(ended > 500);
}

// ---- nearly nothing -----------------------------------------------------------------------------

TEST(shapes_without_size_are_points_segments_and_plates)
{
    utRng rng = ut_rng(14, 1);
    int wrong = 0;
    for (int i = 0; i < 20000; i++) {
        Case c;
        const utShapeKind a = (utShapeKind)(1 + ut_rng_below(&rng, 5));
        const utShapeKind b = (utShapeKind)(1 + ut_rng_below(&rng, 5));
        random_case(&rng, a, b, &c);
        double* size[6] = {&c.a.shape.size.x, &c.a.shape.size.y, &c.a.shape.size.z,
                           &c.b.shape.size.x, &c.b.shape.size.y, &c.b.shape.size.z};
        for (int k = 0; k < 6; k++) {
            *size[k] = ut_rng_below(&rng, 2) == 0 ? 0.0 : *size[k];
        }
        if (ut_rng_below(&rng, 3) == 0) {
            c.B.p = c.A.p;
        }
        utGap gap;
        const bool ok = ut_gap(&c.a.shape, c.A, &c.b.shape, c.B, &gap) == UT_OK;
        const double norm = ut_vec3_norm(gap.normal);
        wrong += !ok || !(fabs(norm - 1.0) <= 1e-12) || !(fabs(gap.gap) <= DBL_MAX);
    }
    CHECK_INT(wrong, 0);
}

// An ellipsoid that is all but a needle, 1e-12 and 0 thick, about the centre of a ball. Across the
// needle its core reaches nowhere over 1e-12, along the axis without extent not at all: there the
// gap is -r exactly. A normal that leans towards the needle by t would lose 1.57 t of that. With
// this turn of the ball the polytope meets a face whose three corners are on one line.
TEST(a_ball_about_a_needle_has_a_normal_across_it)
{
    const double r = 0.54012931636309736;
    const utShape needle = shape_of(UT_SHAPE_ELLIPSOID, 0, 1e-12, 1.5662951489614307);
    const utShape ball = shape_of(UT_SHAPE_SPHERE, r, 0, 0);
    const utMat3 turn = {{{0.56784475919710775, -0.09656196834273556, 0.8174522100539916},
                          {0.75091213395381717, 0.46755673222323269, -0.46639218393285364},
                          {-0.33716953678128037, 0.87867314083367132, 0.33800919372731264}}};
    const utGap gap = gap_of(needle, place_at(0, 0, 0), ball, ut_frame(turn, ut_vec3_zero()));
    CHECK_NEAR(gap.gap, -r, tiny);
    CHECK(fabs(gap.gap + r) <= gap.error);
    CHECK_NEAR(gap.normal.z, 0.0, tiny);
}

// The search itself, before anything is said about sizes: of shapes that are points, segments or
// nothing at all the answer is finite, and of points it is their distance.
TEST(the_search_has_an_answer_for_shapes_without_size)
{
    const utShape nothing = shape_of(UT_SHAPE_ELLIPSOID, 0, 0, 0);
    const utShape needle = shape_of(UT_SHAPE_ELLIPSOID, 0, 0, 1);
    int wrong = 0;
    for (int i = 0; i < 5000; i++) {
        utRng rng = ut_rng(77, (uint64_t)i);
        Case c;
        random_case(&rng, UT_SHAPE_ELLIPSOID, (utShapeKind)(1 + i % 6), &c);
        c.a.shape.size = ut_rng_below(&rng, 2) == 0 ? nothing.size : needle.size;
        c.B.p = ut_rng_below(&rng, 2) == 0 ? c.A.p : c.B.p;
        const Convex a = ut_convex(&c.a.shape, c.A), b = ut_convex(&c.b.shape, c.B);
        const ConvexGap gap = ut_convex_gap(&a, &b, ut_vec3_zero(), HUGE_VAL);
        wrong += !(fabs(ut_vec3_norm(gap.normal) - 1.0) <= 1e-12) || !(gap.error <= 1e7) ||
                 !(ut_vec3_norm(gap.on_a) <= 1e7) || !(ut_vec3_norm(gap.on_b) <= 1e7);
    }
    CHECK_INT(wrong, 0);
    CHECK_NEAR(gap_of(nothing, place_at(0, 0, 0), nothing, place_at(3, 0, 4)).gap, 5.0, tiny);
    CHECK_NEAR(gap_of(nothing, place_at(0, 0, 0), needle, place_at(0, 0, 3)).gap, 2.0, tiny);
    // crossed needles meet
    CHECK_NEAR(gap_of(needle, place_at(0, 0, 0), needle, turned_at(ex, 1.0, 0, 0, 0)).gap, 0, tiny);
}
