// SPDX-License-Identifier: Apache-2.0
// Manifolds of random pairs of all convex kinds: the deepest point is the signed gap, every point
// lies between points of both shapes along a normal of one of them, and the order of the shapes
// changes nothing.
#include <string.h>

#include "convex_cases.h"

#ifdef NDEBUG
enum { CASES = 1000 };
#else
enum { CASES = 60 }; // unoptimised, maybe under sanitizers
#endif

enum { KINDS = UT_SHAPE_HULL - UT_SHAPE_SPHERE + 1 };

// ---- the judge ----------------------------------------------------------------------------------

// How far x is outside, by the definition of the shape; of hulls and ellipsoids a lower bound that
// is exact to first order near the surface.
static double shape_outside(const utShape* shape, const utFrame* at, utVec3 x)
{
    const utVec3 y = ut_frame_point_inverse(*at, x), s = shape->size;
    const double across = hypot(y.x, y.y);
    double most = -HUGE_VAL;
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return ut_vec3_norm(y) - s.x;
    case UT_SHAPE_CAPSULE:
        return hypot(across, fmax(fabs(y.z) - s.y, 0.0)) - s.x;
    case UT_SHAPE_BOX:
        return fmax(fabs(y.x) - s.x, fmax(fabs(y.y) - s.y, fabs(y.z) - s.z));
    case UT_SHAPE_CYLINDER:
        return fmax(across - s.x, fabs(y.z) - s.y);
    case UT_SHAPE_ELLIPSOID: {
        const utVec3 u = ut_vec3(y.x / s.x, y.y / s.y, y.z / s.z);
        const double f = ut_vec3_norm(u);
        const utVec3 g = ut_vec3(u.x / s.x, u.y / s.y, u.z / s.z);
        return f > 0.0 ? (f - 1.0) * f / ut_vec3_norm(g) : -s.x;
    }
    default:
        for (int f = 0; f < shape->hull->faces; f++) {
            most = fmax(most, ut_vec3_dot(shape->hull->normal[f], y) - shape->hull->offset[f]);
        }
        return most;
    }
}

static double apart_along(const Case* c, utVec3 n)
{
    const utVec3 a = world_support(&c->a.shape, &c->A, n);
    const utVec3 b = world_support(&c->b.shape, &c->B, ut_vec3_negate(n));
    return ut_vec3_dot(n, ut_vec3_sub(b, a));
}

static double length_of(const Case* c)
{
    const double a = 2.0 * ut_shape_radius(&c->a.shape), b = 2.0 * ut_shape_radius(&c->b.shape);
    return fmax(a, b) + ut_vec3_norm(ut_vec3_sub(c->B.p, c->A.p));
}

// a hull with its faces, of the points that the case made
static bool finish_hull(OwnShape* own, utArena* arena)
{
    if (own->shape.kind != UT_SHAPE_HULL) {
        return true;
    }
    utVec3 point[HULL_VERTICES];
    utError err;
    const int points = own->hull.vertices;
    memcpy(point, own->vertex, (size_t)points * sizeof *point);
    utHull hull;
    utArena scratch;
    CHECK(ut_arena_create(0, NULL, &scratch) == UT_OK);
    const utStatus status = ut_hull_build(points, point, arena, scratch, &hull, &err);
    ut_arena_destroy(&scratch);
    if (status != UT_OK) {
        return false;
    }
    own->hull = hull;
    return true;
}

static bool make_case(utRng* rng, utShapeKind a, utShapeKind b, utArena* arena, Case* c)
{
    random_case(rng, a, b, c);
    if (!finish_hull(&c->a, arena) || !finish_hull(&c->b, arena)) {
        return false;
    }
    // the case was moved: hulls point into it
    c->a.shape.hull = a == UT_SHAPE_HULL ? &c->a.hull : NULL;
    c->b.shape.hull = b == UT_SHAPE_HULL ? &c->b.hull : NULL;
    return true;
}

// ---- gaps ---------------------------------------------------------------------------------------

typedef struct Tally {
    int cases, missing, wrong_gap, wrong_point, wrong_bound, wrong_normal, wrong_order, points,
        ties;
    double worst;
} Tally;

static void judge(const Case* c, double margin, Tally* tally)
{
    utTouch touch[UT_TOUCH_MAX];
    utGap gap;
    const double L = length_of(c);
    const int count = ut_collide(&c->a.shape, c->A, &c->b.shape, c->B, margin, touch);
    if (ut_gap(&c->a.shape, c->A, &c->b.shape, c->B, &gap) != UT_OK) {
        return;
    }
    tally->cases++;
    tally->points += count;
    tally->missing += gap.gap <= margin - 1e-9 * L && count == 0;
    tally->wrong_order += count > UT_MANIFOLD_MAX || (gap.gap > margin + 1e-9 * L && count > 0);
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        const utTouch* t = &touch[i];
        least = fmin(least, t->gap);
        // what counts as on a face or line: 1e-8 of the sizes, on each of two sides
        const double slop = 4e-8 * L;
        const utVec3 x = ut_vec3_add_scaled(t->point, -0.5 * t->gap, t->normal);
        const utVec3 y = ut_vec3_add_scaled(t->point, 0.5 * t->gap, t->normal);
        tally->wrong_point += !(shape_outside(&c->a.shape, &c->A, x) <= slop &&
                                shape_outside(&c->b.shape, &c->B, y) <= slop);
        tally->wrong_bound += !(apart_along(c, t->normal) <= t->gap + 2e-9 * L &&
                                fabs(ut_vec3_norm(t->normal) - 1.0) <= 1e-14);
        // and the normal is one of a or b there
        const utVec3 down = ut_vec3_negate(t->normal);
        const double beyond_a =
            ut_vec3_dot(t->normal, ut_vec3_sub(world_support(&c->a.shape, &c->A, t->normal), x));
        const double beyond_b =
            ut_vec3_dot(down, ut_vec3_sub(world_support(&c->b.shape, &c->B, down), y));
        tally->wrong_normal += !(fmin(beyond_a, beyond_b) <= slop);
        tally->wrong_order += i > 0 && !(touch[i - 1].feature < t->feature);
    }
    if (count > 0) {
        const double error = fabs(least - gap.gap) / L;
        tally->worst = fmax(tally->worst, error);
        // of more than four points that differ by less than 5e-9 of the sizes the first is kept
        tally->wrong_gap += !(error <= (count == UT_MANIFOLD_MAX ? 5e-9 : 1e-9));
        tally->ties += error > 1e-9;
    }
}

static void judge_kinds(utShapeKind a, utShapeKind b)
{
    utRng rng = ut_rng(11, (uint64_t)a * 16 + (uint64_t)b);
    Tally tally = {.cases = 0};
    for (int k = 0; k < CASES; k++) {
        Case c;
        utArena arena = test_arena();
        if (!make_case(&rng, a, b, &arena, &c)) {
            continue;
        }
        const double L = length_of(&c);
        judge(&c, k % 2 == 0 ? 2.0 * L : L * random_order(&rng, 1e-4, 1e-1), &tally);
    }
    test_note("%s-%s: %d cases, %.2f points each, deepest off by %.1e L", ut_shape_kind_name(a),
              ut_shape_kind_name(b), tally.cases, (double)tally.points / tally.cases, tally.worst);
    CHECK(tally.cases > CASES * 9 / 10);
    CHECK_INT(tally.missing, 0);
    CHECK_INT(tally.wrong_gap, 0);
    CHECK_INT(tally.wrong_point, 0);
    CHECK_INT(tally.wrong_bound, 0);
    CHECK_INT(tally.wrong_normal, 0);
    CHECK_INT(tally.wrong_order, 0);
    CHECK(tally.ties <= CASES / 100);
}

TEST(the_deepest_point_of_every_convex_pair_is_its_gap)
{
    for (int i = 0; i < KINDS; i++) {
        for (int j = i; j < KINDS; j++) {
            // boxes among themselves keep to 1e-8 where faces are nearly parallel: see pairs.c
            if (i != UT_SHAPE_BOX - 1 || j != UT_SHAPE_BOX - 1) {
                judge_kinds((utShapeKind)(UT_SHAPE_SPHERE + i), (utShapeKind)(UT_SHAPE_SPHERE + j));
            }
        }
    }
}

// ---- planes -------------------------------------------------------------------------------------

TEST(over_a_plane_the_deepest_point_is_the_lowest)
{
    utRng rng = ut_rng(12, 0);
    const utShape plane = ut_shape(UT_SHAPE_PLANE, ut_vec3_zero());
    int wrong = 0;
    for (int k = 0; k < 3 * CASES; k++) {
        Case c;
        utArena arena = test_arena();
        if (!make_case(&rng, (utShapeKind)(UT_SHAPE_CYLINDER + k % 3), UT_SHAPE_SPHERE, &arena,
                       &c)) {
            continue;
        }
        const utVec3 n = ut_mat3_column(c.B.R, 2);
        const double L = length_of(&c);
        const utVec3 low = world_support(&c.a.shape, &c.A, ut_vec3_negate(n));
        const double height = ut_vec3_dot(n, ut_vec3_sub(low, c.B.p));
        utTouch touch[UT_TOUCH_MAX];
        const int count = ut_collide(&plane, c.B, &c.a.shape, c.A, 10.0 * L, touch);
        double least = HUGE_VAL;
        for (int i = 0; i < count; i++) {
            const utTouch* t = &touch[i];
            const utVec3 y = ut_vec3_add_scaled(t->point, 0.5 * t->gap, t->normal);
            least = fmin(least, t->gap);
            wrong += !(shape_outside(&c.a.shape, &c.A, y) <= 1e-12 * L &&
                       fabs(ut_vec3_dot(n, ut_vec3_sub(y, c.B.p)) - t->gap) <= 1e-12 * L &&
                       ut_vec3_norm(ut_vec3_sub(n, t->normal)) <= 1e-15);
            wrong += i > 0 && !(touch[i - 1].feature < t->feature);
        }
        const utVec3 axis = ut_mat3_column(c.A.R, 2);
        const bool flat = ut_vec3_norm(ut_vec3_cross(axis, n)) <= 5e-9;
        const int want = c.a.shape.kind == UT_SHAPE_ELLIPSOID          ? 1
                         : c.a.shape.kind == UT_SHAPE_CYLINDER && flat ? 8
                                                                       : 4;
        wrong += count != want || !(fabs(least - height) <= 1e-9 * L);
    }
    CHECK_INT(wrong, 0);
}

// ---- order --------------------------------------------------------------------------------------

static bool is_swapped(const utTouch* t, const utTouch* s)
{
    return memcmp(&t->point, &s->point, sizeof t->point) == 0 &&
           ut_vec3_norm(ut_vec3_add(t->normal, s->normal)) == 0.0 && t->gap == s->gap &&
           t->feature == (s->feature << 32 | s->feature >> 32);
}

TEST(exchanging_two_shapes_of_any_kind_exchanges_their_manifold)
{
    utRng rng = ut_rng(13, 0);
    int wrong = 0, points = 0;
    for (int k = 0; k < 20 * CASES; k++) {
        Case c;
        utArena arena = test_arena();
        const utShapeKind a = (utShapeKind)(UT_SHAPE_SPHERE + ut_rng_below(&rng, KINDS));
        const utShapeKind b = (utShapeKind)(UT_SHAPE_SPHERE + ut_rng_below(&rng, KINDS));
        if (!make_case(&rng, a, b, &arena, &c)) {
            continue;
        }
        // of equal shapes in one place none is the first
        if (k % 4 == 0 && a == b && ut_vec3_norm(ut_vec3_sub(c.A.p, c.B.p)) > 0.0) {
            c.b.shape = c.a.shape;
        }
        utTouch t[UT_TOUCH_MAX], s[UT_TOUCH_MAX];
        const double margin = length_of(&c) * random_order(&rng, 1e-3, 1.0);
        const int count = ut_collide(&c.a.shape, c.A, &c.b.shape, c.B, margin, t);
        bool ok = ut_collide(&c.b.shape, c.B, &c.a.shape, c.A, margin, s) == count;
        for (int i = 0; ok && i < count; i++) {
            bool found = false;
            for (int j = 0; j < count; j++) {
                found = found || is_swapped(&t[i], &s[j]);
            }
            ok = found;
            points++;
        }
        wrong += !ok;
    }
    CHECK_INT(wrong, 0);
    CHECK(points > 5 * CASES);
}
