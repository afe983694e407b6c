// SPDX-License-Identifier: Apache-2.0
// Hulls of random clouds, checked by definition, and what they do not depend on.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_hull.h"
#include "clouds.h"
#include "test.h"

// A hull of a cloud that has one: its fault.
static const char* cloud_fault(int count, const utVec3* point, bool maximal)
{
    utArena arena = test_arena();
    utHull hull;
    utError err = {0};
    if (!build_hull(count, point, &arena, &hull, &err)) {
        return "no hull";
    }
    return hull_fault(&hull, count, point, maximal);
}

TEST(random_clouds_have_valid_hulls)
{
    static utVec3 point[400];
    for (CloudKind kind = 0; kind < CLOUD_KINDS; kind++) {
        utRng rng = ut_rng(10, (uint64_t)kind);
        for (int k = 0; k < 80; k++) {
            const int count = 12 + 4 * k;
            fill_cloud(kind, &rng, count, point);
            const char* fault = cloud_fault(count, point, kind != CLOUD_LENS);
            if (!CHECK(fault == NULL)) {
                test_note("%s, cloud %d: %s", cloud_name(kind), k, fault);
            }
        }
    }
}

TEST(ten_thousand_points_have_a_valid_hull)
{
    static utVec3 point[10000];
    static const CloudKind kinds[] = {CLOUD_BALL, CLOUD_FACETS, CLOUD_REPEATS};
    for (int k = 0; k < 3; k++) {
        utRng rng = ut_rng(11, (uint64_t)k);
        fill_cloud(kinds[k], &rng, 10000, point);
        CHECK(cloud_fault(10000, point, true) == NULL);
    }
    // all of them corners, and so all faces triangles: 2 V - 4 of them
    utRng rng = ut_rng(11, 3);
    fill_cloud(CLOUD_SPHERE, &rng, 10000, point);
    utArena arena = test_arena();
    utHull hull;
    CHECK(build_hull(10000, point, &arena, &hull, NULL));
    CHECK_INT(hull.vertices, 10000);
    CHECK_INT(hull.faces, 19996);
    CHECK(hull_fault(&hull, 10000, point, true) == NULL);
}

// A face as its corners' coordinates from the lexically least on.
static void face_corners(const utHull* hull, int f, utVec3* corner)
{
    const int begin = hull->face_start[f], n = hull->face_start[f + 1] - begin;
    int first = 0;
    for (int i = 1; i < n; i++) {
        const utVec3 a = hull->vertex[hull->face_vertex[begin + i]];
        const utVec3 b = hull->vertex[hull->face_vertex[begin + first]];
        if (a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)))) {
            first = i;
        }
    }
    for (int i = 0; i < n; i++) {
        corner[i] = hull->vertex[hull->face_vertex[begin + (first + i) % n]];
        corner[i] = ut_vec3_add(corner[i], ut_vec3_zero()); // -0 is 0
    }
}

// Every face of a, with all its numbers, is one of b.
static bool same_faces(const utHull* a, const utHull* b)
{
    static utVec3 corner_a[400], corner_b[400];
    for (int f = 0; f < a->faces; f++) {
        const int n = a->face_start[f + 1] - a->face_start[f];
        face_corners(a, f, corner_a);
        bool found = false;
        for (int g = 0; g < b->faces && !found; g++) {
            if (b->face_start[g + 1] - b->face_start[g] == n && b->offset[g] == a->offset[f]) {
                face_corners(b, g, corner_b);
                found = memcmp(corner_a, corner_b, (size_t)n * sizeof *corner_a) == 0 &&
                        memcmp(&a->normal[f], &b->normal[g], sizeof *a->normal) == 0;
            }
        }
        if (!found) {
            return false;
        }
    }
    return a->faces == b->faces && a->vertices == b->vertices && a->edges == b->edges;
}

static void shuffle(utRng* rng, int count, utVec3* point)
{
    for (int i = count - 1; i > 0; i--) {
        const int j = ut_rng_below(rng, i + 1);
        const utVec3 swap = point[i];
        point[i] = point[j];
        point[j] = swap;
    }
}

// Also of those that are scattered about planes by what counts as flat.
TEST(the_order_of_the_points_does_not_matter)
{
    static utVec3 point[200], shuffled[200];
    utRng rng = ut_rng(12, 0);
    int compared = 0;
    for (int k = 0; k < 2000; k++) {
        const int count = 12 + ut_rng_below(&rng, 150);
        if (k % 2 == 0) {
            fill_cloud((CloudKind)(k / 2 % CLOUD_KINDS), &rng, count, point);
        } else {
            fill_degenerate(&rng, count, point);
        }
        memcpy(shuffled, point, sizeof point);
        shuffle(&rng, count, shuffled);
        utArena arena = test_arena();
        utHull a, b;
        const bool has_a = build_hull(count, point, &arena, &a, NULL);
        const bool has_b = build_hull(count, shuffled, &arena, &b, NULL);
        CHECK(has_a == has_b);
        if (has_a && has_b) {
            if (!CHECK(same_faces(&a, &b))) {
                test_note("cloud %d", k);
            }
            compared++;
        }
    }
    CHECK(compared > 1500);
}

// ---- whatever comes -----------------------------------------------------------------------------

static bool is_named(const utError* err)
{
    static const char* const words[] = {"points;",  "must be finite", "one plane",
                                        "one line", "coincide;",      "must be between"};
    for (int i = 0; i < 6; i++) {
        if (err->status == UT_ERR_ARGUMENT && strstr(err->message, words[i]) != NULL) {
            return true;
        }
    }
    return false;
}

TEST(degenerate_clouds_have_a_valid_hull_or_a_named_error)
{
    static utVec3 point[64];
    utRng rng = ut_rng(13, 0);
    const char* runs = getenv("UPTACK_HULL_FUZZ"); // a longer run by hand
    const int clouds = runs != NULL ? atoi(runs) : 100000;
    int hulls = 0, errors = 0, faults = 0, split = 0;
    for (int k = 0; k < clouds; k++) {
        const int count = ut_rng_below(&rng, k % 16 == 0 ? 64 : 20);
        fill_degenerate(&rng, count, point);
        utArena arena = test_arena();
        utHull hull;
        utError err = {0};
        if (!build_hull(count, point, &arena, &hull, &err)) {
            errors += is_named(&err) ? 1 : 0;
            continue;
        }
        const char* fault = hull_fault(&hull, count, point, true);
        if (fault != NULL && strstr(fault, "one plane") != NULL) {
            split++;
            fault = hull_fault(&hull, count, point, false);
        }
        hulls += fault == NULL ? 1 : 0;
        if (fault != NULL && faults++ < 10) {
            test_note("cloud %d of %d points: %s", k, count, fault);
        }
    }
    test_note("%d hulls, %d of them with two faces in one plane; %d named errors", hulls, split,
              errors);
    CHECK_INT(hulls + errors, clouds);
    CHECK(hulls > clouds / 4 && errors > clouds / 20);
}
