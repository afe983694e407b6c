// SPDX-License-Identifier: Apache-2.0
// The signed gap of convex pairs against the judge of convex_oracle.h and convex_proof.h: the gap,
// its normal, its points and its own estimate of the error, in all pairs of kinds.
//
// Pairs that stand apart prove themselves: the separation along the normal is a lower bound, the
// distance of the two points, which are shown to be in their shapes, an upper one. Of overlapping
// polytopes all normals are tried; of overlapping smooth shapes it is proved, triangle by triangle,
// that no direction is better by more than 9e-10 L.
//
// For a longer run the environment has
//   UPTACK_CONVEX_CASES=N  cases a pair of kinds
//   UPTACK_CONVEX_SEED=S   other ones
//   UPTACK_CONVEX_SHARE=N  of the overlaps of smooth shapes every Nth is proved (all: 1)
//   UPTACK_CONVEX_CELLS=N  triangles that such a proof may take
//   UPTACK_CONVEX_SHOW=1   tell every case that misses a bound, with its number
//   UPTACK_CONVEX_ONLY=I   judge the case of this number alone
#include <stdio.h>
#include <stdlib.h>

#include "collision/convex/convex.h"
#include "convex_cases.h"
#include "convex_proof.h"

#ifdef NDEBUG
enum { CASES = 10000, SHARE = 1, CELLS = 100000 };
#else
enum { CASES = 40, SHARE = 1, CELLS = 100000 }; // unoptimised, maybe under sanitizers
#endif

static long environment_number(const char* name, long otherwise)
{
    const char* text = getenv(name);
    return text != NULL ? strtol(text, NULL, 10) : otherwise;
}

// What was seen in one case, and the worst of all. Lengths are relative to L, the larger extent
// plus the distance.
typedef struct Seen {
    double core;    // the gap of the cores
    double gap;     // |gap - true gap|, as far as the bounds on both sides tell
    double claim;   // the library's own error
    double excess;  // how far |gap - true gap| is over that error
    double normal;  // angle to the best direction, where that is to be known
    double surface; // distance of the points from the surfaces
} Seen;

typedef struct Tally {
    Seen worst;
    long overlapping; // cores
    long searched;    // by the judge over all directions
    long unsettled;   // of these, it took too many triangles
    long normals;     // judged
    long equal;       // normals that are not unique up to rounding
    long bad;         // beyond the limits
} Tally;

typedef struct Judge {
    const Case* c;
    utGap gap;
    Body a, b;
    utShape point_a, point_b; // balls by another name
    Features fa, fb;
    V3 n;
    Real L;
    Real core;  // gap of the cores, as claimed
    Real lower; // of the true one, proved by n
} Judge;

static bool is_smooth(utShapeKind kind)
{
    return kind == UT_SHAPE_CYLINDER || kind == UT_SHAPE_ELLIPSOID;
}

static double extent(const utShape* shape)
{
    return ut_convex(shape, ut_frame_identity()).size;
}

static void begin_judge(const Case* c, Judge* j)
{
    j->c = c;
    j->a = body_of(&c->a.shape, c->A, c->A.p);
    j->b = body_of(&c->b.shape, c->B, c->A.p);
    find_balls(&j->a, &j->point_a);
    find_balls(&j->b, &j->point_b);
    find_features(&j->a, &j->fa);
    find_features(&j->b, &j->fb);
    j->n = v3_unit(v3_of(j->gap.normal));
    j->L = (Real)(fmax(extent(&c->a.shape), extent(&c->b.shape)) + fmax(j->gap.gap, 0.0));
    j->core = (Real)j->gap.gap + j->a.radius + j->b.radius;
    j->lower = apart_value(&j->a, &j->b, j->n);
}

// ---- gaps ---------------------------------------------------------------------------------------

// The two points, moved back to the cores: how far from their surfaces, and what they prove.
static Real judge_points(const Judge* j, Seen* seen)
{
    const V3 origin = v3_of(j->c->A.p);
    const V3 a = v3_add(v3_add(v3_of(j->gap.on_a), -1.0L, origin), -j->a.radius, j->n);
    const V3 b = v3_add(v3_add(v3_of(j->gap.on_b), -1.0L, origin), j->b.radius, j->n);
    const Real out_a = core_surface(&j->a, &j->fa, a), out_b = core_surface(&j->b, &j->fb, b);
    seen->surface = (double)(fmaxl(fabsl(out_a), fabsl(out_b)) / j->L);
    return v3_norm(v3_add(b, -1.0L, a)) + fmaxl(out_a, 0.0L) + fmaxl(out_b, 0.0L);
}

// where the triangles of the search begin: along the axes of what has the most kinks
static const V3* search_frame(const Judge* j)
{
    const utShapeKind a = j->a.shape->kind, b = j->b.shape->kind;
    const bool second =
        (b == UT_SHAPE_CYLINDER && a != UT_SHAPE_CYLINDER) || (b == UT_SHAPE_BOX && !is_smooth(a));
    return second ? j->b.axis : j->a.axis;
}

// @return an upper bound of the gap of overlapping cores, less what the judge may be wrong by
static Real judge_overlap(const Judge* j, bool search, Tally* tally)
{
    tally->overlapping++;
    if (!is_smooth(j->a.shape->kind) && !is_smooth(j->b.shape->kind)) {
        return overlap_of_polytopes(&j->a, &j->fa, &j->b, &j->fb, j->L).best;
    }
    Real unsure;
    const Real rods = overlap_of_rods(&j->a, &j->b, &unsure);
    if (rods < 0.0L && unsure <= 1e-10L * j->L) {
        return rods - unsure;
    }
    if (!search) {
        return j->lower;
    }
    tally->searched++;
    const long cells = environment_number("UPTACK_CONVEX_CELLS", CELLS);
    const double limit = (double)(j->core + 9e-10L * j->L);
    Search s;
    const Verdict verdict = prove_below(&j->a, &j->b, j->n, limit, (int)cells, search_frame(j), &s);
    tally->unsettled += verdict == UNSETTLED;
    return verdict == REFUTED ? (Real)s.most : j->lower;
}

// Apart, points that are off the surfaces, if only by rounding, prove less than there is: the
// largest separation is the distance.
static Real largest_apart(const Judge* j)
{
    const V3 best = best_direction_near(&j->a, &j->b, j->n, 1e-6L, 1e-17L, j->L);
    return fmaxl(apart_value(&j->a, &j->b, best), j->lower);
}

// ---- normals ------------------------------------------------------------------------------------

// Of cores that overlap, or touch up to rounding, is n as good as the best up to what rounding may
// move b by? Of round cores that is an angle of 1e-7 or less.
static bool is_as_good(const Judge* j, V3 best)
{
    return j->core <= 1e-12L * j->L && apart_value(&j->a, &j->b, best) - j->lower <= 5e-15L * j->L;
}

// Would moving b by what rounding may move it anyway, towards the best direction or away from it,
// make n the best one?
static bool is_best_nearby(const Judge* j, V3 away)
{
    const V3 u = v3_unit(away);
    const Real radius = fminl(10.0L * v3_norm(away), 0.7L);
    for (int i = 0; i < 2; i++) {
        Body moved = j->b;
        moved.p = v3_add(moved.p, (i == 0 ? 1e-15L : -1e-15L) * j->L, u);
        const V3 best = best_direction_near(&j->a, &moved, j->n, radius, 3e-9L, j->L);
        if (v3_dot(v3_add(best, -1.0L, j->n), u) <= 5e-8L) {
            return true;
        }
    }
    return false;
}

// Has the surface of the body a normal of its own where it is touched along n? Of a cylinder it
// has, when the point of the other one that is farthest against n is over its lid or side, not over
// its rim. @param sign 1: the body is the first
static bool is_smooth_along(const Judge* j, const Body* body, const Body* other, V3 n, Real sign)
{
    if (body->shape->kind != UT_SHAPE_CYLINDER) {
        return body->shape->kind == UT_SHAPE_ELLIPSOID;
    }
    const Real edge = 1e-9L * j->L, along = fabsl(v3_dot(n, body->axis[2]));
    const V3 there = body_support(other, sign > 0.0L ? v3_negate(n) : n);
    const V3 y = direction_to_local(body, v3_add(there, -1.0L, body->p));
    const bool lid = sqrtl(y.x * y.x + y.y * y.y) < (Real)body->shape->size.x - edge;
    const bool side = fabsl(y.z) < (Real)body->shape->size.y - edge;
    return (along > 1.0L - 1e-12L && lid) || (along < 1e-6L && side);
}

// The angle to the best direction nearby; where that is not unique up to the rounding of the
// shapes' places, or they all but touch in edges, 0.
static double judge_normal(const Judge* j, Tally* tally)
{
    static const Real radius[3] = {1e-6L, 1e-3L, 0.7L};
    V3 best = j->n, away = best;
    int i = 0;
    do {
        best = best_direction_near(&j->a, &j->b, j->n, radius[i], 3e-9L, j->L);
        away = v3_add(best, -1.0L, j->n);
    } while (v3_norm(away) > 0.1L * radius[i] && ++i < (j->core > 0.0L ? 3 : 2));
    if (fabsl(j->core) <= 1e-6L * j->L && !is_smooth_along(j, &j->a, &j->b, best, 1.0L) &&
        !is_smooth_along(j, &j->b, &j->a, best, -1.0L)) {
        return 0.0;
    }
    tally->normals++;
    if (v3_norm(away) > 1e-7L && (is_as_good(j, best) || is_best_nearby(j, away))) {
        tally->equal++;
        return 0.0;
    }
    return (double)v3_norm(away);
}

// ---- all cases of a pair ------------------------------------------------------------------------

static Seen judge_case(const Case* c, bool search, Tally* tally)
{
    Judge j;
    Seen seen = {.gap = HUGE_VAL};
    if (!CHECK(ut_gap(&c->a.shape, c->A, &c->b.shape, c->B, &j.gap) == UT_OK)) {
        return seen;
    }
    begin_judge(c, &j);
    Real upper = judge_points(&j, &seen);
    if (!(j.core > 0.0L)) {
        upper = judge_overlap(&j, search, tally);
    } else if (upper - j.core > (Real)j.gap.error) {
        upper = largest_apart(&j);
    }
    const Real wrong = fmaxl(fabsl(j.core - j.lower), upper - j.core);
    seen.core = (double)(j.core / j.L);
    seen.gap = (double)(wrong / j.L);
    seen.claim = j.gap.error / (double)j.L;
    seen.excess = seen.gap - seen.claim;
    seen.normal = judge_normal(&j, tally);
    return seen;
}

static bool is_bad(const Seen* s)
{
    return !(s->gap <= 1e-9) || !(s->excess <= 0.0) || !(s->normal <= 1e-7) ||
           !(s->surface <= 1e-9);
}

static void count_case(const Seen* seen, Tally* tally)
{
    Seen* worst = &tally->worst;
    worst->gap = fmax(worst->gap, seen->gap);
    worst->claim = fmax(worst->claim, seen->claim);
    worst->excess = fmax(worst->excess, seen->excess);
    worst->normal = fmax(worst->normal, seen->normal);
    worst->surface = fmax(worst->surface, seen->surface);
    tally->bad += is_bad(seen);
}

static void show_case(long number, const Case* c, const Seen* s)
{
    const utVec3 a = c->a.shape.size, b = c->b.shape.size;
    printf("case %ld placed %d core %.2e: gap %.2e claim %.2e excess %.2e normal %.2e surface "
           "%.2e, sizes "
           "%g %g %g and %g %g %g\n",
           number, c->placed, s->core, s->gap, s->claim, s->excess, s->normal, s->surface, a.x, a.y,
           a.z, b.x, b.y, b.z);
}

// a stream of its own, so that a case can be had again alone
static void make_case(utShapeKind a, utShapeKind b, uint64_t seed, long number, Case* c)
{
    utRng rng = ut_rng(seed, (uint64_t)(a * UT_SHAPE_KIND_COUNT + b) << 40 | (uint64_t)number);
    random_case(&rng, a, b, c);
}

static void judge_kinds(utShapeKind a, utShapeKind b)
{
    const long cases = environment_number("UPTACK_CONVEX_CASES", CASES);
    const long share = environment_number("UPTACK_CONVEX_SHARE", SHARE);
    const long only = environment_number("UPTACK_CONVEX_ONLY", -1);
    const uint64_t seed = (uint64_t)environment_number("UPTACK_CONVEX_SEED", 1);
    const bool show = getenv("UPTACK_CONVEX_SHOW") != NULL;
    Tally tally = {.worst = {.excess = -1.0}};
    for (long i = only >= 0 ? only : 0; i < (only >= 0 ? only + 1 : cases); i++) {
        Case c;
        make_case(a, b, seed, i, &c);
        const Seen seen = judge_case(&c, i % share == 0, &tally);
        count_case(&seen, &tally);
        if (show && is_bad(&seen)) {
            show_case(i, &c, &seen);
        }
    }
    test_note("%-9s %-9s | %8ld cases | %7ld overlap, %7ld searched, %6ld unsettled | gap %.1e L, "
              "claimed %.1e L | normal %.1e of %8ld, %6ld not unique | points %.1e L | %ld bad",
              ut_shape_kind_name(a), ut_shape_kind_name(b), cases, tally.overlapping,
              tally.searched, tally.unsettled, tally.worst.gap, tally.worst.claim,
              tally.worst.normal, tally.normals, tally.equal, tally.worst.surface, tally.bad);
    CHECK_INT(tally.bad, 0);
}

#define TEST_PAIR(a_, A_, b_, B_)                  \
    TEST(the_gap_of_##a_##_and_##b_##_is_proved)   \
    {                                              \
        judge_kinds(UT_SHAPE_##A_, UT_SHAPE_##B_); \
    }

TEST_PAIR(sphere, SPHERE, sphere, SPHERE)
TEST_PAIR(sphere, SPHERE, capsule, CAPSULE)
TEST_PAIR(sphere, SPHERE, box, BOX)
TEST_PAIR(sphere, SPHERE, cylinder, CYLINDER)
TEST_PAIR(sphere, SPHERE, ellipsoid, ELLIPSOID)
TEST_PAIR(sphere, SPHERE, hull, HULL)
TEST_PAIR(capsule, CAPSULE, capsule, CAPSULE)
TEST_PAIR(capsule, CAPSULE, box, BOX)
TEST_PAIR(capsule, CAPSULE, cylinder, CYLINDER)
TEST_PAIR(capsule, CAPSULE, ellipsoid, ELLIPSOID)
TEST_PAIR(capsule, CAPSULE, hull, HULL)
TEST_PAIR(box, BOX, box, BOX)
TEST_PAIR(box, BOX, cylinder, CYLINDER)
TEST_PAIR(box, BOX, ellipsoid, ELLIPSOID)
TEST_PAIR(box, BOX, hull, HULL)
TEST_PAIR(cylinder, CYLINDER, cylinder, CYLINDER)
TEST_PAIR(cylinder, CYLINDER, ellipsoid, ELLIPSOID)
TEST_PAIR(cylinder, CYLINDER, hull, HULL)
TEST_PAIR(ellipsoid, ELLIPSOID, ellipsoid, ELLIPSOID)
TEST_PAIR(ellipsoid, ELLIPSOID, hull, HULL)
TEST_PAIR(hull, HULL, hull, HULL)

// Hulls in the middle of a cylinder whose wall is as near on all sides, up to 1e-4 ... 1e-3 of it:
// out of a million these are the ones that a polytope of limited size cannot tell the best
// direction of, nor a search from its faces.
TEST(hulls_in_the_middle_of_a_cylinder_are_proved)
{
    static const long number[5] = {430043, 509397, 733854, 762065, 965935};
    for (int i = 0; i < 5; i++) {
        Case c;
        make_case(UT_SHAPE_CYLINDER, UT_SHAPE_HULL, 77, number[i], &c);
        Tally tally = {.worst = {.excess = -1.0}};
        const Seen seen = judge_case(&c, true, &tally);
        if (!CHECK(!is_bad(&seen)) || !CHECK_INT(tally.searched - tally.unsettled, 1)) {
            show_case(number[i], &c, &seen);
        }
    }
}
