// SPDX-License-Identifier: Apache-2.0
// Height fields: the same as the mesh of their triangles, and exact where a shape hovers above.
#include "surface_forms.h"

enum { SIDE = 9 };

typedef struct Terrain {
    double height[SIDE * SIDE];
    utVec3 size;
    utVec3 vertex[SIDE * SIDE];
    int triangle[6 * (SIDE - 1) * (SIDE - 1)];
} Terrain;

// Bumps of a few times `rough`, over |x| <= 2, |y| <= 1.5.
static void make_terrain(Terrain* t, double rough, utRng* rng)
{
    t->size = ut_vec3(2.0, 1.5, 1.0);
    for (int i = 0; i < SIDE * SIDE; i++) {
        t->height[i] = ut_rng_range(rng, -rough, rough);
        t->vertex[i] = ut_vec3(-2.0 + 4.0 * (i % SIDE) / (SIDE - 1),
                               -1.5 + 3.0 * (i / SIDE) / (SIDE - 1), t->height[i]);
    }
    int* out = t->triangle;
    for (int j = 0; j + 1 < SIDE; j++) {
        for (int i = 0; i + 1 < SIDE; i++) {
            // cut from the lower left to the upper right corner
            const int a = j * SIDE + i, b = a + 1, c = b + SIDE, d = a + SIDE;
            const int corner[6] = {a, b, c, a, c, d};
            memcpy(out, corner, sizeof corner);
            out += 6;
        }
    }
}

static utShape any_shape(utShapeKind kind, double size, utRng* rng, utHull* hull, utArena* arena)
{
    if (kind == UT_SHAPE_HULL) {
        *hull = random_hull(10, size, rng, arena);
        return hull_shape(hull);
    }
    return ut_shape(kind,
                    ut_vec3(size * ut_rng_range(rng, 0.3, 1.0), size * ut_rng_range(rng, 0.3, 1.0),
                            size * ut_rng_range(rng, 0.3, 1.0)));
}

static const utShapeKind kinds[] = {UT_SHAPE_SPHERE,   UT_SHAPE_CAPSULE,   UT_SHAPE_BOX,
                                    UT_SHAPE_CYLINDER, UT_SHAPE_ELLIPSOID, UT_SHAPE_HULL};

TEST(a_height_field_is_the_mesh_of_its_triangles)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(5, 5);
    int met = 0;
    for (int run = 0; run < 1200; run++) {
        utArena here = arena;
        Terrain* t = UT_PUSH(&here, Terrain, 1);
        make_terrain(t, run % 3 == 0 ? 0.0 : 0.2, &rng);
        utHeights field;
        utError err;
        CHECK(ut_heights_build(SIDE, SIDE, t->height, &field, &err) == UT_OK);
        const utMesh mesh =
            make_mesh(SIDE * SIDE, t->vertex, 2 * (SIDE - 1) * (SIDE - 1), t->triangle, &here);
        const utShape a = heights_shape(&field, t->size), b = mesh_shape(&mesh);
        utHull hull;
        const utShape shape = any_shape(kinds[run % 6], 0.3, &rng, &hull, &here);
        const utFrame M = random_turn(&rng, ut_vec3(1.0, 0.0, 2.0));
        const utVec3 p = ut_vec3(ut_rng_range(&rng, -2.2, 2.2), ut_rng_range(&rng, -1.7, 1.7),
                                 ut_rng_range(&rng, 0.0, 0.5));
        const utFrame S = ut_frame_mul(M, random_turn(&rng, p));
        utTouch of_field[UT_TOUCH_MAX], of_mesh[UT_TOUCH_MAX];
        const int n = ut_collide(&shape, S, &a, M, 0.05, of_field);
        const int m = ut_collide(&shape, S, &b, M, 0.05, of_mesh);
        met += n > 0 ? 1 : 0;
        // numbers of size 5, some 50 roundings
        if (!CHECK_INT(n, m) ||
            !CHECK_NEAR(manifold_difference(n, of_field, of_mesh), 0.0, 1e-12)) {
            test_note("run %d kind %d", run, (int)shape.kind);
            print_touches(n, of_field);
            print_touches(m, of_mesh);
        }
    }
    CHECK(met > 300);
}

// ---- distances ----------------------------------------------------------------------------------

// min over the shape of n.x - max over a triangle
static double apart(const utShape* shape, utFrame at, const utVec3 v[3], utVec3 n)
{
    const utVec3 d = ut_mat3_tmul_vec(at.R, ut_vec3_negate(n));
    const double low = ut_vec3_dot(n, ut_frame_point(at, ut_shape_support(shape, d)));
    return low - fmax(ut_vec3_dot(n, v[0]), fmax(ut_vec3_dot(n, v[1]), ut_vec3_dot(n, v[2])));
}

// Is a shape at least `gap` from a triangle? Shown by one direction that parts them so far: one of
// those given, or one found by climbing from the best of them.
static bool is_as_far(const utShape* shape, utFrame at, const utVec3 v[3], double gap, int count,
                      const utVec3* direction, utRng* rng)
{
    utVec3 here = direction[0];
    double best = -HUGE_VAL, step = 0.0;
    for (int i = 0; i < count; i++) {
        const double mine = apart(shape, at, v, direction[i]);
        here = mine > best ? direction[i] : here;
        best = fmax(best, mine);
    }
    for (int i = 0; i < 20000 && best < gap; i++) {
        // begin anew now and then
        step = i % 2000 == 0 ? 0.3 : step;
        utVec3 n;
        const utVec3 d = ut_vec3(ut_rng_normal(rng), ut_rng_normal(rng), ut_rng_normal(rng));
        ut_vec3_normalize(ut_vec3_add_scaled(here, step, d), &n);
        const double mine = apart(shape, at, v, n);
        here = mine > best ? n : here;
        step *= mine > best ? 1.0 : 0.99;
        best = fmax(best, mine);
    }
    return best >= gap;
}

// A shape above a terrain: its distance, and each touch by itself.
static void check_distance(const Terrain* t, const utShape* shape, utFrame S, int count,
                           const utTouch* touch, utRng* rng)
{
    const double gap = deepest_gap(count, touch);
    utVec3 direction[UT_TOUCH_MAX + 2];
    for (int i = 0; i < count; i++) {
        CHECK(touch[i].normal.z > 0.0);
        direction[i + 2] = touch[i].normal;
        // the shape has a point at half the gap above the touch, and no point lies lower there
        const utVec3 x = ut_vec3_add_scaled(touch[i].point, 0.5 * touch[i].gap, touch[i].normal);
        const utVec3 d = ut_mat3_tmul_vec(S.R, ut_vec3_negate(touch[i].normal));
        const utVec3 low = ut_frame_point(S, ut_shape_support(shape, d));
        CHECK(ut_vec3_dot(touch[i].normal, ut_vec3_sub(x, low)) >= -1e-9);
    }
    for (int k = 0; k < 2 * (SIDE - 1) * (SIDE - 1); k++) {
        const int* c = t->triangle + 3 * k;
        const utVec3 v[3] = {t->vertex[c[0]], t->vertex[c[1]], t->vertex[c[2]]};
        direction[0] = ut_vec3(0.0, 0.0, 1.0);
        ut_vec3_normalize(ut_vec3_cross(ut_vec3_sub(v[1], v[0]), ut_vec3_sub(v[2], v[0])),
                          &direction[1]);
        if (!CHECK(is_as_far(shape, S, v, gap - 1e-4, count + 2, direction, rng))) {
            test_note("kind %d triangle %d", (int)shape->kind, k);
            print_touches(count, touch);
        }
    }
}

// Pushed on until it overlaps by a little, no touch may be deeper than that: going back by as much
// parts shape and terrain again. Whatever is deeper is a way out that is none.
static void check_push(const utShape* surface, const utShape* shape, utFrame S, int count,
                       const utTouch* touch)
{
    static const double depth[3] = {1e-6, 1e-4, 1e-3};
    int nearest = 0;
    for (int i = 1; i < count; i++) {
        nearest = touch[i].gap < touch[nearest].gap ? i : nearest;
    }
    for (int k = 0; k < 3; k++) {
        utFrame at = S;
        const double push = touch[nearest].gap + depth[k];
        at.p = ut_vec3_add_scaled(S.p, -push, touch[nearest].normal);
        utTouch t[UT_TOUCH_MAX];
        const int n = ut_collide(surface, ut_frame_identity(), shape, at, 0.01, t);
        CHECK(n > 0);
        // a fifth more: the surface may turn below a corner that crosses an edge
        if (!CHECK(deepest_gap(n, t) >= -1.2 * depth[k] - 1e-12)) {
            test_note("kind %d depth %g", (int)shape->kind, depth[k]);
            print_touches(count, touch);
            print_touches(n, t);
        }
        // beside a sharp edge it may have passed by, and be outside by less than that
        CHECK(deepest_gap(n, t) <= depth[k]);
    }
}

TEST(the_nearest_point_of_a_terrain_is_found)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(8, 1);
    int met = 0;
    for (int run = 0; run < 800; run++) {
        utArena here = arena;
        Terrain* t = UT_PUSH(&here, Terrain, 1);
        static const double rough[3] = {0.02, 0.15, 0.5}, size[4] = {0.05, 0.2, 0.5, 0.8};
        make_terrain(t, rough[run % 3], &rng);
        utHeights field;
        utError err;
        CHECK(ut_heights_build(SIDE, SIDE, t->height, &field, &err) == UT_OK);
        const utShape surface = heights_shape(&field, t->size);
        utHull hull;
        const utShape shape = any_shape(kinds[run % 6], size[run / 6 % 4], &rng, &hull, &here);
        utFrame S = random_turn(
            &rng, ut_vec3(ut_rng_range(&rng, -1.2, 1.2), ut_rng_range(&rng, -0.8, 0.8), 2.0));
        utTouch touch[UT_TOUCH_MAX];
        // let it down until it is near: it can come no nearer than by what it is let down
        int count = ut_collide(&surface, ut_frame_identity(), &shape, S, 5.0, touch);
        for (int i = 0; i < 30 && count > 0 && deepest_gap(count, touch) > 0.05; i++) {
            S.p.z -= deepest_gap(count, touch) - 0.02;
            count = ut_collide(&surface, ut_frame_identity(), &shape, S, 0.1, touch);
            count = count > 0 ? count
                              : ut_collide(&surface, ut_frame_identity(), &shape, S, 5.0, touch);
        }
        CHECK(count > 0 && deepest_gap(count, touch) > 0.019);
        met += count > 1 ? 1 : 0;
        check_distance(t, &shape, S, count, touch, &rng);
        check_push(&surface, &shape, S, count, touch);
    }
    CHECK(met > 50);
}
