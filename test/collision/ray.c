// SPDX-License-Identifier: Apache-2.0
// Rays against hand calculation, and against closed forms and sampling for each shape.
#include "oracle.h"

static utShape shape_of(utShapeKind kind, double x, double y, double z)
{
    return ut_shape(kind, ut_vec3(x, y, z));
}

// An octahedron |x| + |y| + |z| <= 1: its eight faces are all that a ray looks at.
static const double slant = 0.57735026918962576451;
static utVec3 octahedron_normal[8];
static double octahedron_offset[8];
static utHull octahedron_hull;

static utShape octahedron(void)
{
    for (int f = 0; f < 8; f++) {
        octahedron_normal[f] =
            ut_vec3(f & 1 ? slant : -slant, f & 2 ? slant : -slant, f & 4 ? slant : -slant);
        octahedron_offset[f] = slant;
    }
    octahedron_hull.faces = 8;
    octahedron_hull.normal = octahedron_normal;
    octahedron_hull.offset = octahedron_offset;
    utShape shape = shape_of(UT_SHAPE_HULL, 0, 0, 0);
    shape.hull = &octahedron_hull;
    return shape;
}

static bool shoot(utShape shape, utVec3 from, utVec3 direction, utRayHit* hit)
{
    return ut_ray(&shape, ut_frame_identity(), from, direction, 100.0, hit);
}

static void expect(utShape shape, utVec3 from, utVec3 direction, double distance, utVec3 normal)
{
    utRayHit hit = {0};
    CHECK(shoot(shape, from, direction, &hit));
    CHECK_NEAR(hit.distance, distance, 1e-14 * (1.0 + distance));
    CHECK(ut_vec3_norm(ut_vec3_sub(hit.normal, normal)) < 1e-14);
    const utVec3 point = ut_vec3_add_scaled(from, hit.distance, direction);
    CHECK(ut_vec3_norm(ut_vec3_sub(hit.point, point)) == 0.0);
}

static void expect_miss(utShape shape, utVec3 from, utVec3 direction)
{
    utRayHit hit;
    CHECK(!shoot(shape, from, direction, &hit));
}

static utVec3 vec(double x, double y, double z)
{
    return ut_vec3(x, y, z);
}

// ---- by hand ------------------------------------------------------------------------------------

TEST(a_ray_meets_a_plane_at_its_height_over_the_slope)
{
    const utShape p = plane();
    expect(p, vec(1, 2, 3), vec(0, 0, -1), 3.0, vec(0, 0, 1));
    expect(p, vec(0, 0, 3), vec(0.6, 0, -0.8), 3.75, vec(0, 0, 1));
    expect_miss(p, vec(0, 0, 3), vec(1, 0, 0));
    expect_miss(p, vec(0, 0, 3), vec(0, 0, 1));
    // within, and on the surface
    expect(p, vec(0, 0, -3), vec(0, 0, 1), 0.0, vec(0, 0, -1));
    expect(p, vec(0, 0, 0), vec(0, 0.6, 0.8), 0.0, vec(0, -0.6, -0.8));
}

// 3-4-5: at height 0.6 of the unit sphere its surface is 0.8 off the axis
TEST(a_ray_meets_a_sphere_before_the_half_chord)
{
    const utShape s = sphere(1.0);
    expect(s, vec(-5, 0.6, 0), vec(1, 0, 0), 4.2, vec(-0.8, 0.6, 0));
    expect(s, vec(-5, 0, 1), vec(1, 0, 0), 5.0, vec(0, 0, 1)); // tangential
    expect_miss(s, vec(-5, 0, 1.0000001), vec(1, 0, 0));
    expect_miss(s, vec(5, 0.6, 0), vec(1, 0, 0)); // behind
    expect(s, vec(0.5, 0, 0), vec(1, 0, 0), 0.0, vec(-1, 0, 0));
}

TEST(a_ray_meets_a_box_on_the_face_it_reaches_last)
{
    const utShape b = box(1, 2, 3);
    expect(b, vec(-5, 1, 1), vec(1, 0, 0), 4.0, vec(-1, 0, 0));
    expect(b, vec(0.5, 7, -2), vec(0, -1, 0), 5.0, vec(0, 1, 0));
    // reaches x = -1 after 5 and z = -3 after 2.5: enters through x
    expect(b, vec(-5, 0, -5), vec(0.8, 0, 0.6), 5.0, vec(-1, 0, 0));
    expect(b, vec(-5, 2, 0), vec(1, 0, 0), 4.0, vec(-1, 0, 0)); // along a face
    expect_miss(b, vec(-5, 2.0000001, 0), vec(1, 0, 0));
    expect_miss(b, vec(-5, 0, 0), vec(-1, 0, 0));
    expect(b, vec(0, 0, 2.5), vec(0, 0, 1), 0.0, vec(0, 0, -1));
}

// radius 1, caps at z = +-2
TEST(a_ray_meets_a_capsule_on_its_shaft_or_a_cap)
{
    const utShape c = capsule(1.0, 2.0);
    expect(c, vec(-5, 0.6, 1.5), vec(1, 0, 0), 4.2, vec(-0.8, 0.6, 0));
    expect(c, vec(-5, 0, 2.6), vec(1, 0, 0), 4.2, vec(-0.8, 0, 0.6));
    expect(c, vec(-5, 0, -2.6), vec(1, 0, 0), 4.2, vec(-0.8, 0, -0.6));
    expect(c, vec(0, 0, 10), vec(0, 0, -1), 7.0, vec(0, 0, 1));
    expect(c, vec(0.6, 0, -10), vec(0, 0, 1), 7.2, vec(0.6, 0, -0.8));
    expect_miss(c, vec(-5, 0, 3.0000001), vec(1, 0, 0));
    expect_miss(c, vec(1.0000001, 0, 10), vec(0, 0, -1));
    expect(c, vec(0, 0, 2.5), vec(0, 0, 1), 0.0, vec(0, 0, -1));
    expect(c, vec(0, 0.9, -1.9), vec(0, 0, 1), 0.0, vec(0, 0, -1));
}

// radius 1, ends at z = +-2
TEST(a_ray_meets_a_cylinder_on_its_side_or_an_end)
{
    const utShape c = shape_of(UT_SHAPE_CYLINDER, 1, 2, 0);
    expect(c, vec(-5, 0.6, 1.5), vec(1, 0, 0), 4.2, vec(-0.8, 0.6, 0));
    expect(c, vec(0.9, 0, 10), vec(0, 0, -1), 8.0, vec(0, 0, 1));
    // through the lower end at x = 0.5 after 5, after the tube's wall at x = -1 (3.125)
    expect(c, vec(-3.5, 0, -5), vec(0.8, 0, 0.6), 5.0, vec(0, 0, -1));
    expect_miss(c, vec(-5, 0, 2.0000001), vec(1, 0, 0));
    expect_miss(c, vec(1.0000001, 0, 10), vec(0, 0, -1));
    expect(c, vec(0.5, 0.5, 1.9), vec(0, 0, 1), 0.0, vec(0, 0, -1));
}

// semi-axes 1, 2, 3: at y = 1.2 it is 0.8 wide, the normal there along (0.8 / 1, 0.6 / 2)
TEST(a_ray_meets_an_ellipsoid_as_it_would_a_stretched_sphere)
{
    const utShape e = shape_of(UT_SHAPE_ELLIPSOID, 1, 2, 3);
    const double norm = sqrt(0.64 + 0.09);
    expect(e, vec(-5, 1.2, 0), vec(1, 0, 0), 4.2, vec(-0.8 / norm, 0.3 / norm, 0));
    expect(e, vec(0, 0, 10), vec(0, 0, -1), 7.0, vec(0, 0, 1));
    expect_miss(e, vec(-5, 2.0000001, 0), vec(1, 0, 0));
    expect(e, vec(0, 0, 2.9), vec(0, 1, 0), 0.0, vec(0, -1, 0));
}

// x + y + z = 1 along (1, 1, 1) from the other side of the diagonal
TEST(a_ray_meets_a_hull_on_the_face_it_reaches_last)
{
    const utShape o = octahedron();
    expect(o, vec(-5, 0.25, 0.25), vec(1, 0, 0), 4.5, vec(-slant, slant, slant));
    expect(o, vec(1, 1, 1), vec(-slant, -slant, -slant), 2.0 / 3.0 / slant,
           vec(slant, slant, slant));
    expect_miss(o, vec(-5, 0.6, 0.41), vec(1, 0, 0));
    expect_miss(o, vec(5, 0, 0), vec(1, 0, 0));
    expect(o, vec(0.1, 0.1, 0.1), vec(0, 0, 1), 0.0, vec(0, 0, -1));
}

TEST(a_ray_goes_no_further_than_asked_and_nothing_unusable_is_hit)
{
    const utShape s = sphere(1.0);
    const utFrame here = ut_frame_identity();
    utRayHit hit;
    CHECK(ut_ray(&s, here, vec(-5, 0, 0), vec(1, 0, 0), 4.0, &hit));
    CHECK(!ut_ray(&s, here, vec(-5, 0, 0), vec(1, 0, 0), 3.9999999, &hit));
    CHECK(ut_ray(&s, here, vec(-5, 0, 0), vec(1, 0, 0), HUGE_VAL, &hit));
    CHECK(!ut_ray(&s, here, vec(-5, 0, 0), vec(1, 0, 0), -1.0, &hit));
    const double nan = (double)NAN;
    CHECK(!ut_ray(&s, here, vec(-5, 0, 0), vec(1, 0, 0), nan, &hit));
    for (int kind = 0; kind < UT_SHAPE_KIND_COUNT; kind++) {
        utShape shape = shape_of((utShapeKind)kind, 1, 1, 1);
        if (kind == UT_SHAPE_HULL) {
            shape = octahedron();
        } else if (kind == UT_SHAPE_MESH || kind == UT_SHAPE_HEIGHTS) {
            CHECK(!ut_ray(&shape, here, vec(0, 0, 5), vec(0, 0, -1), 10.0, &hit));
            continue;
        }
        CHECK(ut_ray(&shape, here, vec(0, 0, 5), vec(0, 0, -1), 10.0, &hit));
        CHECK(!ut_ray(&shape, here, vec(0, nan, 5), vec(0, 0, -1), 10.0, &hit));
        CHECK(!ut_ray(&shape, here, vec(0, 0, 5), vec(0, HUGE_VAL, -1), 10.0, &hit));
        CHECK(!ut_ray(&shape, at(nan, 0, 0), vec(0, 0, 5), vec(0, 0, -1), 10.0, &hit));
        CHECK(!ut_ray(&shape, here, vec(0, 0, 5), vec(0, 0, 0), 10.0, &hit));
        if (kind != UT_SHAPE_PLANE && kind != UT_SHAPE_HULL) {
            shape.size.x = nan;
            CHECK(!ut_ray(&shape, here, vec(0, 0, 5), vec(0, 0, -1), 10.0, &hit));
            shape.size.x = -1.0;
            CHECK(!ut_ray(&shape, here, vec(0, 0, 5), vec(0, 0, -1), 10.0, &hit));
        }
    }
    const utShape none = shape_of(UT_SHAPE_KIND_COUNT, 1, 1, 1);
    CHECK(!ut_ray(&none, here, vec(0, 0, 0), vec(1, 0, 0), 10.0, &hit));
}

// ---- by sampling --------------------------------------------------------------------------------

// Below 0 within, above 0 outside; of the shape by its definition, in its own frame.
static double level(const utShape* shape, utVec3 x)
{
    const utVec3 s = shape->size;
    switch (shape->kind) {
    case UT_SHAPE_CYLINDER:
        return fmax(sqrt(x.x * x.x + x.y * x.y) - s.x, fabs(x.z) - s.y);
    case UT_SHAPE_ELLIPSOID:
        return ut_vec3_norm(vec(x.x / s.x, x.y / s.y, x.z / s.z)) - 1.0;
    case UT_SHAPE_HULL:
        return fabs(x.x) + fabs(x.y) + fabs(x.z) - 1.0;
    case UT_SHAPE_PLANE:
        return x.z;
    case UT_SHAPE_BOX:
        return fmax(fmax(fabs(x.x) - s.x, fabs(x.y) - s.y), fabs(x.z) - s.z);
    case UT_SHAPE_SPHERE:
        return ut_vec3_norm(x) - s.x;
    default:
        return ut_vec3_norm(vec(x.x, x.y, x.z - fmin(fmax(x.z, -s.y), s.y))) - s.x;
    }
}

static double level_along(const utShape* shape, utFrame F, utVec3 from, utVec3 direction, double t)
{
    return level(shape, ut_frame_point_inverse(F, ut_vec3_add_scaled(from, t, direction)));
}

// Of a convex shape the level along a line is a convex function: its least value by a search with
// two thirds, and the way in by bisection. @return HUGE_VAL when it does not get within
static double way_in(const utShape* shape, utFrame F, utVec3 from, utVec3 direction, double far)
{
    double low = 0.0, high = far;
    for (int i = 0; i < 200; i++) {
        const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        const bool left =
            level_along(shape, F, from, direction, a) <= level_along(shape, F, from, direction, b);
        *(left ? &high : &low) = left ? b : a;
    }
    const double least = 0.5 * (low + high);
    if (level_along(shape, F, from, direction, least) > 0.0) {
        return HUGE_VAL;
    }
    if (level_along(shape, F, from, direction, 0.0) <= 0.0) {
        return 0.0;
    }
    low = 0.0;
    high = least;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        *(level_along(shape, F, from, direction, middle) > 0.0 ? &low : &high) = middle;
    }
    return high;
}

// the outward direction of steepest level, by central differences
static utVec3 outward(const utShape* shape, utFrame F, utVec3 x)
{
    const double e = 1e-6;
    const utVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double g[3];
    for (int i = 0; i < 3; i++) {
        g[i] = level(shape, ut_frame_point_inverse(F, ut_vec3_add_scaled(x, e, axis[i]))) -
               level(shape, ut_frame_point_inverse(F, ut_vec3_add_scaled(x, -e, axis[i])));
    }
    utVec3 n = {0.0, 0.0, 0.0};
    ut_vec3_normalize(vec(g[0], g[1], g[2]), &n);
    return n;
}

static utShape random_shape(utRng* rng, int kind)
{
    if (kind == UT_SHAPE_HULL) {
        return octahedron();
    }
    const double x = ut_rng_range(rng, 0.2, 1.0), y = ut_rng_range(rng, 0.2, 1.0);
    return shape_of((utShapeKind)kind, x, y, ut_rng_range(rng, 0.2, 1.0));
}

// A level that falls with slope m along the ray is bisected to 1e-15 / m. Rays that meet the
// surface more flatly than m = 1e-3 are left to the cases by hand: 1e-12 then covers the rest. The
// difference quotient of the normal is right to 1e-6 / radius and 1e-9 of rounding, except within
// 1e-6 of an edge, where it is none of the two normals: at most one in a thousand.
TEST(rays_at_random_meet_shapes_where_they_get_within)
{
    utRng rng = ut_rng(41, 0);
    for (int kind = UT_SHAPE_PLANE; kind <= UT_SHAPE_HULL; kind++) {
        int hits = 0, inside = 0, wrong = 0, turned_away = 0;
        for (int i = 0; i < 1000; i++) {
            const utShape shape = random_shape(&rng, kind);
            const utFrame F = turned(random_unit(&rng), ut_rng_range(&rng, 0.0, 3.0),
                                     ut_vec3_scale(random_unit(&rng), 0.5));
            const utVec3 from = ut_vec3_scale(random_unit(&rng), ut_rng_range(&rng, 0.0, 4.0));
            const utVec3 aim = ut_vec3_scale(random_unit(&rng), 0.8);
            utVec3 direction = random_unit(&rng);
            ut_vec3_normalize(ut_vec3_sub(aim, from), &direction);
            const double far = 6.0, want = way_in(&shape, F, from, direction, far);
            utRayHit hit = {0};
            const bool got = ut_ray(&shape, F, from, direction, far, &hit);
            const double slope = fabs(level_along(&shape, F, from, direction, hit.distance + 1e-6) -
                                      level_along(&shape, F, from, direction, hit.distance)) /
                                 1e-6;
            if (got && hit.distance > 0.0 && slope < 1e-3) {
                continue;
            }
            wrong += got != (want < HUGE_VAL) || (got && fabs(hit.distance - want) > 1e-12);
            inside += got && want == 0.0;
            if (got && want > 0.0) {
                hits++;
                const utVec3 n = outward(&shape, F, hit.point);
                turned_away += !(ut_vec3_norm(ut_vec3_sub(hit.normal, n)) < 1e-4);
            }
        }
        CHECK(hits > 200 && inside > 20);
        CHECK_INT(wrong, 0);
        CHECK(turned_away <= 1);
    }
}
