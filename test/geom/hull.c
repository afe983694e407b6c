// SPDX-License-Identifier: Apache-2.0
// Hulls of solids whose corners, faces and volumes are known.
#include <math.h>
#include <string.h>

#include "check_hull.h"
#include "test.h"

static const double pi = 3.14159265358979323846;

// ---- solids -------------------------------------------------------------------------------------

static int cube(utVec3* p)
{
    for (int i = 0; i < 8; i++) {
        p[i] = ut_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    }
    return 8;
}

static int octahedron(utVec3* p)
{
    for (int i = 0; i < 6; i++) {
        const double s = i & 1 ? -1.0 : 1.0;
        p[i] = ut_vec3(i / 2 == 0 ? s : 0.0, i / 2 == 1 ? s : 0.0, i / 2 == 2 ? s : 0.0);
    }
    return 6;
}

// (0, +-1, +-phi) and its turns: edge 2
static int icosahedron(utVec3* p)
{
    const double phi = 0.5 * (1.0 + sqrt(5.0));
    for (int i = 0; i < 4; i++) {
        const double a = i & 1 ? -1.0 : 1.0, b = i & 2 ? -phi : phi;
        p[3 * i] = ut_vec3(0.0, a, b);
        p[3 * i + 1] = ut_vec3(a, b, 0.0);
        p[3 * i + 2] = ut_vec3(b, 0.0, a);
    }
    return 12;
}

// (+-1, +-1, +-1), (0, +-1/phi, +-phi) and turns: edge 2 / phi, pentagons
static int dodecahedron(utVec3* p)
{
    const double phi = 0.5 * (1.0 + sqrt(5.0));
    for (int i = 0; i < 8; i++) {
        p[i] = ut_vec3(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
    }
    for (int i = 0; i < 4; i++) {
        const double a = i & 1 ? -1.0 / phi : 1.0 / phi, b = i & 2 ? -phi : phi;
        p[8 + 3 * i] = ut_vec3(0.0, a, b);
        p[9 + 3 * i] = ut_vec3(a, b, 0.0);
        p[10 + 3 * i] = ut_vec3(b, 0.0, a);
    }
    return 20;
}

// a regular prism of n sides, radius 1, height 2
static int prism(int n, utVec3* p)
{
    for (int i = 0; i < n; i++) {
        const double angle = 2.0 * pi * i / n;
        p[2 * i] = ut_vec3(cos(angle), sin(angle), -1.0);
        p[2 * i + 1] = ut_vec3(cos(angle), sin(angle), 1.0);
    }
    return 2 * n;
}

static void turn_all(utRng* rng, int count, utVec3* p, double scale, utVec3 shift)
{
    utQuat q;
    ut_quat_normalize(
        ut_quat(ut_rng_normal(rng), ut_rng_normal(rng), ut_rng_normal(rng), ut_rng_normal(rng)),
        &q);
    for (int i = 0; i < count; i++) {
        p[i] = ut_vec3_add_scaled(shift, scale, ut_quat_rotate(q, p[i]));
    }
}

static void expect(int count, const utVec3* p, int vertices, int edges, int faces, double volume,
                   double tolerance)
{
    utArena arena = test_arena();
    utHull hull;
    utError err = {0};
    if (!CHECK(build_hull(count, p, &arena, &hull, &err))) {
        test_note("%s", err.message);
        return;
    }
    CHECK_TEXT(hull_fault(&hull, count, p, true) == NULL ? "fine"
                                                         : hull_fault(&hull, count, p, true),
               "fine");
    CHECK_INT(hull.vertices, vertices);
    CHECK_INT(hull.edges, edges);
    CHECK_INT(hull.faces, faces);
    CHECK_NEAR(hull.volume, volume, tolerance * volume);
}

// ---- by hand ------------------------------------------------------------------------------------

TEST(a_cube_has_six_square_faces_along_the_axes)
{
    utVec3 p[8];
    utArena arena = test_arena();
    utHull hull;
    CHECK(build_hull(cube(p), p, &arena, &hull, NULL));
    CHECK(hull.vertices == 8 && hull.edges == 12 && hull.faces == 6);
    CHECK_NEAR(hull.volume, 1.0, 1e-15);
    CHECK_NEAR(hull.size, 1.0, 0.0);
    for (int f = 0; f < hull.faces; f++) {
        const utVec3 n = hull.normal[f];
        CHECK_NEAR(fabs(n.x) + fabs(n.y) + fabs(n.z), 1.0, 0.0);
        CHECK_NEAR(hull.offset[f], 0.5, 0.0);
        CHECK_INT(hull.face_start[f + 1] - hull.face_start[f], 4);
    }
    CHECK(memcmp(hull.vertex, p, sizeof p) == 0);
}

// volumes of the regular solids of edge a: octahedron sqrt(2)/3 a^3, icosahedron 5 (3 + sqrt 5)/12
// a^3, dodecahedron (15 + 7 sqrt 5)/4 a^3; a prism n sin(2 pi / n), times half its height and the
// square of its radius
TEST(regular_solids_keep_their_features_wherever_they_stand)
{
    utVec3 p[128];
    utRng rng = ut_rng(1, 0);
    const double five = sqrt(5.0), edge = 4.0 / (1.0 + five);
    static const double scales[] = {1.0, 1e-4, 1e3, 1.0};
    for (int k = 0; k < 60; k++) {
        const double s = scales[k % 4], cubed = s * s * s;
        const utVec3 at = k % 4 == 3 ? ut_vec3(1e3, -2e3, 3e3) : ut_vec3(s, 0.3 * s, 0.0);
        // coordinates of 1e3 are wrong by 1e-13, of a size of 1
        const double tolerance = k % 4 == 3 ? 1e-11 : 1e-14;
        int n = cube(p);
        turn_all(&rng, n, p, s, at);
        expect(n, p, 8, 12, 6, cubed, tolerance);
        n = octahedron(p);
        turn_all(&rng, n, p, s, at);
        expect(n, p, 6, 12, 8, 4.0 / 3.0 * cubed, tolerance);
        n = icosahedron(p);
        turn_all(&rng, n, p, s, at);
        expect(n, p, 12, 30, 20, 8.0 * 5.0 * (3.0 + five) / 12.0 * cubed, tolerance);
        n = dodecahedron(p);
        turn_all(&rng, n, p, s, at);
        expect(n, p, 20, 30, 12, edge * edge * edge * (15.0 + 7.0 * five) / 4.0 * cubed, tolerance);
        const int sides = 3 + k;
        n = prism(sides, p);
        turn_all(&rng, n, p, s, at);
        expect(n, p, n, 3 * sides, sides + 2, sides * sin(2.0 * pi / sides) * cubed, tolerance);
    }
}

TEST(cylinders_of_many_sides_have_two_round_faces)
{
    static utVec3 p[8000];
    for (int sides = 64; sides <= 4000; sides *= 5) {
        const int n = prism(sides, p);
        expect(n, p, n, 3 * sides, sides + 2, sides * sin(2.0 * pi / sides), 1e-13);
    }
}

// all k^3 points of a lattice in a turned cube: most on its faces and edges, none of them a corner
TEST(points_in_faces_and_edges_are_no_corners)
{
    static utVec3 p[2 * 20 * 20 * 20];
    utRng rng = ut_rng(2, 0);
    for (int k = 2; k <= 20; k += 3) {
        int n = 0;
        for (int i = 0; i < k * k * k; i++) {
            p[n++] = ut_vec3(i % k, i / k % k, i / k / k);
        }
        const double side = k - 1;
        expect(n, p, 8, 12, 6, side * side * side, 1e-14);
        turn_all(&rng, n, p, 1.0, ut_vec3(10.0, 20.0, -30.0));
        expect(n, p, 8, 12, 6, side * side * side, 1e-12);
        // each twice
        memcpy(p + n, p, (size_t)n * sizeof *p);
        expect(2 * n, p, 8, 12, 6, side * side * side, 1e-12);
    }
}

// A unit cube with a ridge along the middle of its top: higher than 1e-9 of the size it parts the
// top in two and is a corner of the sides, lower it belongs to the top.
TEST(a_ridge_counts_from_a_billionth_of_the_size)
{
    utVec3 p[10];
    utRng rng = ut_rng(4, 0);
    static const double heights[] = {5e-9, 1e-6, 1e-3, 4e-10, 1e-11, 1e-13, 0.0};
    for (int k = 0; k < 70; k++) {
        const double height = heights[k % 7];
        cube(p);
        p[8] = ut_vec3(0.5, 0.0, 0.5 + height);
        p[9] = ut_vec3(-0.5, 0.0, 0.5 + height);
        if (k >= 7) {
            turn_all(&rng, 10, p, 1.0, ut_vec3_zero());
        }
        if (k % 7 < 3) {
            expect(10, p, 10, 15, 7, 1.0 + 0.5 * height, 1e-14);
        } else {
            expect(10, p, 8, 12, 6, 1.0, 4e-10);
        }
    }
}

TEST(the_first_of_equal_points_is_the_corner)
{
    // 0, 1, 2, 3 and again in another order: vertices come in the order of the first
    utVec3 p[9] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0},       {0, 0, 1}, {0, 1, 0},
                   {0, 1, 0}, {0, 0, 0}, {0.1, 0.1, 0.1}, {0, 0, 1}};
    utArena arena = test_arena();
    utHull hull;
    CHECK(build_hull(9, p, &arena, &hull, NULL));
    CHECK_INT(hull.vertices, 4);
    CHECK(hull.vertex[1].x == 1.0 && hull.vertex[2].z == 1.0 && hull.vertex[3].y == 1.0);
    CHECK_NEAR(hull.volume, 1.0 / 6.0, 1e-16);
    // V/4 of the corners' sum
    CHECK_NEAR(hull.center.x, 0.25, 1e-16);
    CHECK_NEAR(hull.center.y, 0.25, 1e-16);
    CHECK_NEAR(hull.center.z, 0.25, 1e-16);
}

// ---- refusals -----------------------------------------------------------------------------------

static void refuse(int count, const utVec3* p, const char* word)
{
    utArena arena = test_arena();
    utHull hull;
    utError err = {0};
    CHECK(!build_hull(count, p, &arena, &hull, &err));
    CHECK(err.status == UT_ERR_ARGUMENT);
    if (!CHECK(strstr(err.message, word) != NULL)) {
        test_note("'%s' is not in: %s", word, err.message);
    }
}

TEST(what_has_no_volume_is_refused_by_name)
{
    utVec3 p[8];
    cube(p);
    refuse(3, p, "3 points");
    refuse(0, p, "0 points");
    refuse(4, p, "plane");
    p[5].y = (double)NAN;
    refuse(8, p, "point 5");
    p[2].x = HUGE_VAL;
    refuse(8, p, "point 2");
    cube(p);
    for (int i = 0; i < 8; i++) {
        p[i] = ut_vec3(0.1 * i, 0.2 * i, 0.3 * i);
    }
    refuse(8, p, "line");
    for (int i = 0; i < 8; i++) {
        p[i] = ut_vec3(0.1, 0.2, 0.3);
    }
    refuse(8, p, "coincide");
    for (int i = 0; i < 8; i++) {
        p[i] = ut_vec3(i & 1 ? 1e300 : -1e300, i & 2 ? 1e300 : 0.0, i & 4 ? 1e300 : 0.0);
    }
    refuse(8, p, "between");
}

// 1e-9 of the size, from both sides, along an axis and aslant
TEST(flat_is_thinner_than_a_billionth_of_the_size)
{
    utVec3 p[8];
    utRng rng = ut_rng(3, 0);
    for (int k = 0; k < 100; k++) {
        const bool thin = k % 2 == 0;
        cube(p);
        for (int i = 0; i < 8; i++) {
            p[i].z *= thin ? 2e-10 : 1e-8;
        }
        if (k > 1) {
            turn_all(&rng, 8, p, 1.0, ut_vec3_zero());
        }
        if (thin) {
            refuse(8, p, "plane");
        } else {
            expect(8, p, 8, 12, 6, 1e-8, 1e-6);
        }
    }
}

TEST(too_little_room_is_an_error_that_changes_nothing)
{
    utVec3 p[8];
    cube(p);
    static unsigned char memory[1 << 16];
    const utArena all = ut_arena_on(memory, sizeof memory);
    utStatus status = UT_ERR_CAPACITY;
    size_t room = 0;
    for (; room < sizeof memory && status != UT_OK; room += 256) {
        utArena keep = test_arena(), before = keep;
        utHull hull = {.vertices = 77};
        status = ut_hull_build(8, p, &keep, ut_arena_on(all.next, room), &hull, NULL);
        CHECK(status == UT_OK ||
              (status == UT_ERR_CAPACITY && hull.vertices == 77 && keep.next == before.next));
    }
    CHECK(status == UT_OK && room > 256);
    status = UT_ERR_CAPACITY;
    for (room = 0; room < sizeof memory && status != UT_OK; room += 64) {
        utArena keep = ut_arena_on(memory, room), before = keep;
        utHull hull = {.vertices = 77};
        status = ut_hull_build(8, p, &keep, test_arena(), &hull, NULL);
        CHECK(status == UT_OK ||
              (status == UT_ERR_CAPACITY && hull.vertices == 77 && keep.next == before.next));
    }
    CHECK(status == UT_OK && room > 64);
}
