// SPDX-License-Identifier: Apache-2.0
// Supports, bounds and mass of what is not a sphere, capsule or box.
#include <math.h>

#include "check_hull.h"
#include "clouds.h"
#include "geom/internal.h"
#include "test.h"

// ---- hulls --------------------------------------------------------------------------------------

static int first_farthest(const utHull* hull, utVec3 d)
{
    int best = 0;
    for (int i = 1; i < hull->vertices; i++) {
        if (ut_vec3_dot(d, hull->vertex[i]) > ut_vec3_dot(d, hull->vertex[best])) {
            best = i;
        }
    }
    return best;
}

// directions of all kinds: any, along axes, normal to faces and across edges, tiny and huge
static utVec3 some_direction(utRng* rng, const utHull* hull, int k)
{
    const int e = ut_rng_below(rng, hull->edges);
    const utVec3 tail = hull->vertex[hull->edge_vertex[2 * e]];
    const utVec3 head = hull->vertex[hull->edge_vertex[2 * e + 1]];
    switch (k % 6) {
    case 0:
        return hull->normal[ut_rng_below(rng, hull->faces)];
    case 1:
        return ut_vec3_add(hull->normal[hull->edge_face[2 * e]],
                           hull->normal[hull->edge_face[2 * e + 1]]);
    case 2:
        return ut_vec3_cross(ut_vec3_sub(head, tail), random_unit(rng));
    case 3:
        return ut_vec3(ut_rng_below(rng, 3) - 1, ut_rng_below(rng, 3) - 1, 1.0);
    case 4:
        return ut_vec3_scale(random_unit(rng), pow(10.0, ut_rng_range(rng, -20.0, 20.0)));
    default:
        return random_unit(rng);
    }
}

static void compare_supports(utRng* rng, const utHull* hull, int directions)
{
    for (int k = 0; k < directions; k++) {
        const utVec3 d = some_direction(rng, hull, k);
        CHECK_INT(ut_hull_support(hull, d), first_farthest(hull, d));
    }
}

TEST(a_walk_finds_the_first_farthest_vertex)
{
    static utVec3 point[3000];
    utRng rng = ut_rng(30, 0);
    int large = 0;
    for (int k = 0; k < 60; k++) {
        const CloudKind kinds[] = {CLOUD_SPHERE, CLOUD_LENS, CLOUD_SPHERE, CLOUD_BALL, CLOUD_FAR};
        const int count = 300 + ut_rng_below(&rng, 2700);
        fill_cloud(kinds[k % 5], &rng, count, point);
        for (int i = 0; i < count; i++) {
            point[i].z *= k % 5 == 2 ? 1e-3 : 1.0; // a coin of an ellipsoid
        }
        utArena arena = test_arena();
        utHull hull;
        CHECK(build_hull(count, point, &arena, &hull, NULL));
        large += hull.vertices > 300 ? 1 : 0;
        compare_supports(&rng, &hull, 300);
    }
    CHECK(large > 20);
}

// whole faces and rows of vertices equally far
TEST(of_vertices_equally_far_the_first_is_taken)
{
    static utVec3 point[2000];
    utRng rng = ut_rng(31, 0);
    for (int sides = 10; sides <= 1000; sides *= 10) {
        for (int i = 0; i < sides; i++) {
            const double angle = 2.0 * 3.14159265358979323846 * i / sides;
            point[i] = ut_vec3(cos(angle), sin(angle), 1.0);
            point[2 * sides - 1 - i] = ut_vec3(cos(angle), sin(angle), -1.0);
        }
        utArena arena = test_arena();
        utHull hull;
        CHECK(build_hull(2 * sides, point, &arena, &hull, NULL));
        CHECK_INT(hull.vertices, 2 * sides);
        CHECK_INT(ut_hull_support(&hull, ut_vec3(0.0, 0.0, 1.0)), 0);
        CHECK_INT(ut_hull_support(&hull, ut_vec3(0.0, 0.0, -2.0)), sides);
        CHECK_INT(ut_hull_support(&hull, ut_vec3(1.0, 0.0, 0.0)), 0);
        compare_supports(&rng, &hull, 2000);
    }
}

TEST(a_hulls_bounds_and_radius_are_those_of_its_vertices)
{
    static utVec3 point[100];
    utRng rng = ut_rng(32, 0);
    for (int k = 0; k < 50; k++) {
        fill_cloud((CloudKind)(k % CLOUD_KINDS), &rng, 100, point);
        utArena arena = test_arena();
        utHull hull;
        CHECK(build_hull(100, point, &arena, &hull, NULL));
        const utShape shape = {.kind = UT_SHAPE_HULL, .hull = &hull};
        const utFrame at = ut_frame(ut_quat_to_mat3(random_turn(&rng)), random_unit(&rng));
        const utBounds bounds = ut_shape_bounds(&shape, at);
        const double low[3] = {bounds.low.x, bounds.low.y, bounds.low.z};
        const double high[3] = {bounds.high.x, bounds.high.y, bounds.high.z};
        const double p[3] = {at.p.x, at.p.y, at.p.z};
        double radius = 0.0;
        for (int i = 0; i < 100; i++) {
            radius = fmax(radius, ut_vec3_norm(point[i]));
        }
        // points that are left out are within 1e-9 of the size
        CHECK_NEAR(ut_shape_radius(&shape), radius, 1e-9 * hull.size);
        for (int i = 0; i < 3; i++) {
            const utVec3 d = ut_mat3_row(at.R, i);
            const utVec3 most = ut_shape_support(&shape, d);
            const utVec3 least = ut_shape_support(&shape, ut_vec3_negate(d));
            const double tolerance = 1e-15 * (4.0 + 4.0 * radius);
            CHECK_NEAR(high[i], p[i] + ut_vec3_dot(d, most), tolerance);
            CHECK_NEAR(low[i], p[i] + ut_vec3_dot(d, least), tolerance);
        }
    }
}

// ---- cylinders and ellipsoids -------------------------------------------------------------------

static double value(utVec3 p, utVec3 d)
{
    return ut_vec3_dot(p, d);
}

// A cylinder's support is h |d_z| + r |d_xy|, an ellipsoid's |S d| with its semi-axes S; the points
// are on the surface.
TEST(supports_of_cylinders_and_ellipsoids_by_formula)
{
    utRng rng = ut_rng(33, 0);
    for (int k = 0; k < 3000; k++) {
        const utVec3 s = ut_vec3(pow(10.0, ut_rng_range(&rng, -4.0, 3.0)),
                                 pow(10.0, ut_rng_range(&rng, -4.0, 3.0)),
                                 pow(10.0, ut_rng_range(&rng, -4.0, 3.0)));
        utVec3 d = random_unit(&rng);
        d = k % 7 == 0 ? ut_vec3(0.0, 0.0, d.z) : (k % 7 == 1 ? ut_vec3(d.x, 0.0, 0.0) : d);
        const double scale = pow(10.0, ut_rng_range(&rng, -30.0, 30.0));
        d = ut_vec3_scale(d, k % 11 == 0 ? 1e-200 : scale);
        const utShape cylinder = ut_shape(UT_SHAPE_CYLINDER, s);
        const utVec3 c = ut_shape_support(&cylinder, d);
        const double across = hypot(d.x, d.y), want = s.y * fabs(d.z) + s.x * across;
        CHECK_NEAR(value(c, d), want, 1e-15 * want);
        CHECK(fabs(c.z) == s.y && hypot(c.x, c.y) <= s.x * (1.0 + 1e-15));
        const utShape ellipsoid = ut_shape(UT_SHAPE_ELLIPSOID, s);
        const utVec3 e = ut_shape_support(&ellipsoid, d);
        const double reach = hypot(hypot(s.x * d.x, s.y * d.y), s.z * d.z);
        CHECK_NEAR(value(e, d), reach, 2e-15 * reach);
        CHECK_NEAR(pow(e.x / s.x, 2.0) + pow(e.y / s.y, 2.0) + pow(e.z / s.z, 2.0), 1.0, 2e-15);
    }
}

TEST(bounds_of_cylinders_and_ellipsoids_are_their_supports)
{
    utRng rng = ut_rng(34, 0);
    for (int k = 0; k < 600; k++) {
        const utVec3 s = ut_vec3(ut_rng_range(&rng, 0.1, 1.0), ut_rng_range(&rng, 0.1, 1.0),
                                 ut_rng_range(&rng, 0.1, 1.0));
        const utShape shape = ut_shape(k % 2 == 0 ? UT_SHAPE_CYLINDER : UT_SHAPE_ELLIPSOID, s);
        const utFrame at = ut_frame(ut_quat_to_mat3(random_turn(&rng)), random_unit(&rng));
        const utBounds bounds = ut_shape_bounds(&shape, at);
        const double low[3] = {bounds.low.x, bounds.low.y, bounds.low.z};
        const double high[3] = {bounds.high.x, bounds.high.y, bounds.high.z};
        const double p[3] = {at.p.x, at.p.y, at.p.z};
        for (int i = 0; i < 3; i++) {
            const utVec3 d = ut_mat3_row(at.R, i);
            CHECK_NEAR(high[i], p[i] + value(ut_shape_support(&shape, d), d), 4e-15);
            CHECK_NEAR(low[i], p[i] - value(ut_shape_support(&shape, d), d), 4e-15);
        }
    }
    const utShape can = ut_shape(UT_SHAPE_CYLINDER, ut_vec3(3.0, 4.0, 0.0));
    const utShape egg = ut_shape(UT_SHAPE_ELLIPSOID, ut_vec3(3.0, 4.0, 2.0));
    CHECK_NEAR(ut_shape_radius(&can), 5.0, 0.0);
    CHECK_NEAR(ut_shape_radius(&egg), 4.0, 0.0);
}

// A cylinder of radius 2 and height 6: 24 pi m^3, mass (3 r^2 + height^2) / 12 across and mass r^2
// / 2 along. An ellipsoid 1, 2, 3: 8 pi m^3, mass (b^2 + c^2) / 5.
TEST(mass_of_cylinders_and_ellipsoids_by_hand)
{
    const double pi = 3.14159265358979323846;
    const utShape can = ut_shape(UT_SHAPE_CYLINDER, ut_vec3(2.0, 3.0, 0.0));
    const utShape egg = ut_shape(UT_SHAPE_ELLIPSOID, ut_vec3(1.0, 2.0, 3.0));
    const utInertia c = ut_shape_inertia(&can, 10.0), e = ut_shape_inertia(&egg, 10.0);
    CHECK_NEAR(ut_shape_volume(&can), 24.0 * pi, 1e-13);
    CHECK_NEAR(c.mass, 240.0 * pi, 1e-12);
    CHECK_NEAR(c.inertia.m[0][0], 240.0 * pi * 4.0, 1e-11);
    CHECK_NEAR(c.inertia.m[1][1], 240.0 * pi * 4.0, 1e-11);
    CHECK_NEAR(c.inertia.m[2][2], 240.0 * pi * 2.0, 1e-11);
    CHECK_NEAR(ut_shape_volume(&egg), 8.0 * pi, 1e-14);
    CHECK_NEAR(e.mass, 80.0 * pi, 1e-12);
    CHECK_NEAR(e.inertia.m[0][0], 80.0 * pi * 13.0 / 5.0, 1e-12);
    CHECK_NEAR(e.inertia.m[1][1], 80.0 * pi * 2.0, 1e-12);
    CHECK_NEAR(e.inertia.m[2][2], 80.0 * pi, 1e-12);
}

TEST(sizes_of_cylinders_and_ellipsoids_are_checked)
{
    const utShape good[] = {ut_shape(UT_SHAPE_CYLINDER, ut_vec3(1.0, 1e-3, -1.0)),
                            ut_shape(UT_SHAPE_ELLIPSOID, ut_vec3(1.0, 1e-3, 1e3))};
    const utShape bad[] = {ut_shape(UT_SHAPE_CYLINDER, ut_vec3(1.0, 0.0, 1.0)),
                           ut_shape(UT_SHAPE_CYLINDER, ut_vec3((double)NAN, 1.0, 1.0)),
                           ut_shape(UT_SHAPE_ELLIPSOID, ut_vec3(1.0, 1.0, 0.0)),
                           ut_shape(UT_SHAPE_ELLIPSOID, ut_vec3(1.0, HUGE_VAL, 1.0)),
                           ut_shape(UT_SHAPE_HULL, ut_vec3(1.0, 1.0, 1.0))};
    for (int i = 0; i < 2; i++) {
        CHECK(ut_shape_check(&good[i], NULL) == UT_OK);
    }
    for (int i = 0; i < 5; i++) {
        utError err = {0};
        CHECK(ut_shape_check(&bad[i], &err) == UT_ERR_ARGUMENT);
        CHECK(err.message[0] != 0);
    }
}
