// SPDX-License-Identifier: Apache-2.0
// Convex solids made of triangles against convex shapes: what is between two convex bodies can be
// proved right by itself.
//
// For a unit n let apart(n) = min over the shape of n.x - max over the solid of n.x: a lower bound
// of the signed gap, whatever n. A touch with gap = apart(normal) whose two points belong to the
// two bodies has the exact distance.
#include "surface_forms.h"

static double reach(const utShape* shape, utFrame at, utVec3 n)
{
    const utVec3 x = ut_shape_support(shape, ut_mat3_tmul_vec(at.R, n));
    return ut_vec3_dot(n, ut_frame_point(at, x));
}

static double apart(const utShape* a, utFrame A, const utShape* b, utFrame B, utVec3 n)
{
    return -reach(b, B, ut_vec3_negate(n)) - reach(a, A, n);
}

static const utTouch* deepest(int count, const utTouch* touch)
{
    const utTouch* best = &touch[0];
    for (int i = 1; i < count; i++) {
        best = touch[i].gap < best->gap ? &touch[i] : best;
    }
    return best;
}

static utShape shape_of(utShapeKind kind, utRng* rng, utHull* hull, utArena* arena)
{
    if (kind == UT_SHAPE_HULL) {
        *hull = random_hull(10, 0.5, rng, arena);
        return hull_shape(hull);
    }
    return ut_shape(kind, ut_vec3(ut_rng_range(rng, 0.1, 0.6), ut_rng_range(rng, 0.1, 0.6),
                                  ut_rng_range(rng, 0.1, 0.6)));
}

// The largest apart(n) by climbing: a lower bound close to the gap.
// @param at where to start, and where it ended
static double climb(const utShape* a, utFrame A, const utShape* b, utFrame B, utRng* rng,
                    utVec3* at)
{
    double best = apart(a, A, b, B, *at);
    double step = 0.5;
    for (int i = 0; i < 800; i++) {
        utVec3 n;
        const utVec3 d = ut_vec3(ut_rng_normal(rng), ut_rng_normal(rng), ut_rng_normal(rng));
        ut_vec3_normalize(ut_vec3_add_scaled(*at, step, d), &n);
        const double mine = apart(a, A, b, B, n);
        if (mine > best) {
            best = mine;
            *at = n;
        } else {
            step *= 0.98;
        }
    }
    return best;
}

// Shapes beside a box of triangles, at gaps from well within the margin to a little overlap.
static void try_beside(utShapeKind kind, int runs)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(77, (uint64_t)kind);
    const utVec3 half = ut_vec3(0.7, 0.5, 0.9);
    const utMesh mesh = make_box_mesh(half, &arena);
    const utShape solid = mesh_shape(&mesh), same = ut_shape(UT_SHAPE_BOX, half);
    const double margin = 0.2;
    int met = 0, missed = 0;
    for (int run = 0; run < runs; run++) {
        utArena here = arena;
        utHull hull;
        const utShape shape = shape_of(kind, &rng, &hull, &here);
        const utFrame M = random_turn(&rng, ut_vec3(0.3, -0.2, 0.1));
        utFrame S = random_turn(&rng, ut_vec3_zero());
        // moved along the direction that parts them most
        utVec3 d = ut_mat3_column(random_turn(&rng, ut_vec3_zero()).R, 0);
        S.p = ut_vec3_scale(d, 2.0 - apart(&same, M, &shape, S, d));
        const double far = climb(&same, M, &shape, S, &rng, &d);
        S.p = ut_vec3_add_scaled(S.p, ut_rng_range(&rng, -0.001, 0.15) - far, d);
        utTouch touch[UT_TOUCH_MAX];
        const int count = ut_collide(&solid, M, &shape, S, margin, touch);
        const double bound = climb(&same, M, &shape, S, &rng, &d);
        if (count == 0) {
            // further away than the margin, or missed
            missed += bound < margin - 0.01 ? 1 : 0;
            continue;
        }
        met++;
        const utTouch* t = deepest(count, touch);
        // gaps below 2 m of sums of a few numbers: 1e-14
        if (!CHECK_NEAR(t->gap, apart(&same, M, &shape, S, t->normal), 1e-12) ||
            !CHECK(t->gap >= bound - 1e-12)) {
            test_note("kind %d run %d bound %g", (int)kind, run, bound);
            print_touches(count, touch);
        }
        if (kind <= UT_SHAPE_BOX) {
            utTouch want[UT_TOUCH_MAX];
            const int n = ut_collide(&same, M, &shape, S, margin, want);
            CHECK(n > 0);
            CHECK_NEAR(t->gap, deepest_gap(n, want), 1e-12);
        }
    }
    CHECK_INT(missed, 0);
    CHECK(met > runs / 2);
}

TEST(balls_beside_a_box_of_triangles_have_the_exact_gap)
{
    try_beside(UT_SHAPE_SPHERE, 400);
}

TEST(capsules_beside_a_box_of_triangles_have_the_exact_gap)
{
    try_beside(UT_SHAPE_CAPSULE, 400);
}

TEST(boxes_beside_a_box_of_triangles_have_the_exact_gap)
{
    try_beside(UT_SHAPE_BOX, 400);
}

TEST(cylinders_beside_a_box_of_triangles_have_the_exact_gap)
{
    try_beside(UT_SHAPE_CYLINDER, 400);
}

TEST(ellipsoids_beside_a_box_of_triangles_have_the_exact_gap)
{
    try_beside(UT_SHAPE_ELLIPSOID, 400);
}

TEST(hulls_beside_a_box_of_triangles_have_the_exact_gap)
{
    try_beside(UT_SHAPE_HULL, 400);
}
