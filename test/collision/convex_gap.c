// The signed gap of convex pairs against the judge of convex_oracle.h: its bound, its normal, its
// points and its own estimate of the error, in all pairs of kinds.
//
// UPTACK_CONVEX_CASES=N in the environment runs N cases a pair of kinds, UPTACK_CONVEX_SEED=S other
// ones; every case costs some 10 us, and the overlaps of smooth shapes, of which the judge has to
// search all directions, some ms: of these the share 1 / UPTACK_CONVEX_SHARE is judged.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collision/convex.h"
#include "convex_cases.h"

#ifdef NDEBUG
enum { CASES = 400 };
#else
enum { CASES = 40 }; // unoptimised, maybe under sanitizers
#endif

static long environment_number(const char* name, long otherwise)
{
    const char* text = getenv(name);
    return text != NULL ? strtol(text, NULL, 10) : otherwise;
}

typedef struct Worst {
    double gap;      // |gap - true gap| / L
    double claim;    // the library's own error / L
    double excess;   // how far |gap - true gap| is over that error, / L
    double normal;   // angle to the best direction, where that is to be known
    double surface;  // distance of the points from the surfaces / L
    int overlapping; // cores
    int searched;    // by the judge over all directions
    int unsettled;   // of these, the judge could not prove 1e-9 L
    int normals;     // judged
    int bad;         // beyond the limits
} Worst;

typedef struct Judge {
    Body a, b;
    V3 n;
    Real L;       // larger extent plus distance
    Real gap;     // of the cores, as claimed
    Real lower;   // proved by n
    Real upper;   // proved otherwise
    bool settled; // upper is proved
} Judge;

static bool is_smooth(utShapeKind kind)
{
    return kind == UT_SHAPE_CYLINDER || kind == UT_SHAPE_ELLIPSOID;
}

static double extent(const utShape* shape)
{
    return ut_convex(shape, ut_frame_identity()).size;
}

// the two points, moved back to the cores, are within them up to `outside`
static void judge_apart(const utGap* gap, utVec3 origin, Judge* j, Worst* worst)
{
    const V3 o = v3_of(origin);
    const V3 a = v3_add(v3_add(v3_of(gap->on_a), -1.0L, o), -j->a.radius, j->n);
    const V3 b = v3_add(v3_add(v3_of(gap->on_b), -1.0L, o), j->b.radius, j->n);
    const Real out_a = core_surface(&j->a, a), out_b = core_surface(&j->b, b);
    worst->surface = fmax(worst->surface, (double)(fmaxl(fabsl(out_a), fabsl(out_b)) / j->L));
    j->upper = v3_norm(v3_add(b, -1.0L, a)) + fmaxl(out_a, 0.0L) + fmaxl(out_b, 0.0L);
    j->settled = true;
}

static void judge_overlap(const Case* c, bool search, Search* room, Judge* j, Worst* worst)
{
    worst->overlapping++;
    j->upper = j->lower;
    if (!is_smooth(c->a.shape.kind) && !is_smooth(c->b.shape.kind)) {
        j->upper = fmaxl(overlap_of_polytopes(&j->a, &j->b), j->lower);
        j->settled = true;
    } else if (search) {
        worst->searched++;
        const Real enough = 2e-10L * j->L;
        j->upper = largest_apart(&j->a, &j->b, j->n, enough, room);
        j->settled = j->upper - room->lower <= 1.01L * enough;
        // what was found elsewhere counts as well
        j->upper = j->settled ? j->upper : room->lower;
        worst->unsettled += !j->settled;
    }
}

// points of overlapping shapes: on the surfaces, too
static void judge_points(const utGap* gap, utVec3 origin, Judge* j, Worst* worst)
{
    const V3 o = v3_of(origin);
    const V3 a = v3_add(v3_add(v3_of(gap->on_a), -1.0L, o), -j->a.radius, j->n);
    const V3 b = v3_add(v3_add(v3_of(gap->on_b), -1.0L, o), j->b.radius, j->n);
    const Real off = fmaxl(fabsl(core_surface(&j->a, a)), fabsl(core_surface(&j->b, b)));
    worst->surface = fmax(worst->surface, (double)(off / j->L));
}

// The angle to the best direction nearby; 0 where g(n) is the same up to the rounding of n, for
// then several directions are as good. Where corners, edges or rims just touch that is always so.
// Of polytopes apart g falls by gap angle^2 / 2 only where n is free, which is seen from the angle
// sqrt(4e-16 L / gap) on.
static double judge_normal(const Judge* j, Search* room)
{
    const V3 best = best_direction_near(&j->a, &j->b, j->n, 1e-3L, 1e-17L * j->L, room);
    const double angle = (double)v3_norm(v3_cross(best, j->n));
    const bool round = is_smooth(j->a.shape->kind) || is_smooth(j->b.shape->kind);
    const bool egg =
        j->a.shape->kind == UT_SHAPE_ELLIPSOID || j->b.shape->kind == UT_SHAPE_ELLIPSOID;
    const Real equal = (egg || fabsl(j->gap) > 1e-6L * j->L ? 1e-16L : 1e-14L) * j->L;
    const double seen = round || j->gap < 0.0L ? 0.0 : (double)sqrtl(4e-16L * j->L / j->gap);
    return room->lower - j->lower <= equal || angle < seen ? 0.0 : angle;
}

static void judge_case(const Case* c, bool search, bool normal, Search* room, Worst* worst)
{
    utGap gap;
    if (!CHECK(ut_gap(&c->a.shape, c->A, &c->b.shape, c->B, &gap) == UT_OK)) {
        worst->bad++;
        return;
    }
    const Worst before = *worst;
    Judge j = {.a = body_of(&c->a.shape, c->A, c->A.p), .b = body_of(&c->b.shape, c->B, c->A.p)};
    j.n = v3_unit(v3_of(gap.normal));
    j.L = (Real)(fmax(extent(&c->a.shape), extent(&c->b.shape)) + fmax(gap.gap, 0.0));
    j.gap = (Real)gap.gap + j.a.radius + j.b.radius;
    j.lower = apart_value(&j.a, &j.b, j.n);
    if (j.gap > 0.0L) {
        judge_apart(&gap, c->A.p, &j, worst);
    } else {
        judge_overlap(c, search, room, &j, worst);
        judge_points(&gap, c->A.p, &j, worst);
    }
    const double claim = gap.error / (double)j.L;
    // points off the surface prove less than there is: search for the proof
    double unsure = j.gap > 0.0L ? 0.0 : 2.1e-10;
    if (j.gap > 0.0L && (double)((j.upper - j.gap) / j.L) > fmin(claim, 1e-9)) {
        const Real enough = fmaxl(0.1L * (Real)gap.error, 1e-16L * j.L);
        unsure = (double)(enough / j.L);
        j.upper = fminl(j.upper, largest_apart(&j.a, &j.b, j.n, enough, room));
        j.settled = j.upper - room->lower <= 1.01L * enough;
    }
    const double wrong = (double)(fmaxl(fabsl(j.gap - j.lower), fabsl(j.upper - j.gap)) / j.L);
    worst->gap = fmax(worst->gap, wrong);
    worst->claim = fmax(worst->claim, claim);
    // the judge's own uncertainty is not the library's
    if (j.settled) {
        worst->excess = fmax(worst->excess, wrong - claim - unsure);
    }
    const bool smooth = is_smooth(c->a.shape.kind) || is_smooth(c->b.shape.kind);
    if (normal && (smooth || fabsl(j.gap) > 1e-6L * j.L)) {
        worst->normals++;
        worst->normal = fmax(worst->normal, judge_normal(&j, room));
    }
    const bool bad = !(wrong <= 1e-9) || worst->normal > fmax(1e-7, before.normal) ||
                     worst->surface > fmax(1e-9, before.surface) ||
                     worst->excess > fmax(0.0, before.excess);
    worst->bad += bad;
    if (bad && getenv("UPTACK_CONVEX_SHOW") != NULL) {
        printf("placed %d gap/L %.3e wrong %.2e claim %.2e normal %.2e surface %.2e excess %.2e"
               " settled %d size a %g %g %g b %g %g %g\n",
               c->placed, (double)(j.gap / j.L), wrong, claim, worst->normal, worst->surface,
               worst->excess, j.settled, c->a.shape.size.x, c->a.shape.size.y, c->a.shape.size.z,
               c->b.shape.size.x, c->b.shape.size.y, c->b.shape.size.z);
    }
}

static void judge_kinds(utShapeKind a, utShapeKind b)
{
    utArena arena = test_arena();
    Search* room = UT_PUSH(&arena, Search, 1);
    const long cases = environment_number("UPTACK_CONVEX_CASES", CASES);
    const long share = environment_number("UPTACK_CONVEX_SHARE", 1);
    const uint64_t seed = (uint64_t)environment_number("UPTACK_CONVEX_SEED", 1);
    utRng rng = ut_rng(seed, (uint64_t)(a * UT_SHAPE_KIND_COUNT + b));
    Worst worst = {.excess = -1.0};
    for (long i = 0; i < cases; i++) {
        Case c;
        random_case(&rng, a, b, &c);
        judge_case(&c, i % share == 0, i % (16 * share) == 0, room, &worst);
    }
    test_note("%s-%s: %ld cases, %d overlap (%d searched, %d unsettled); worst gap %.1e L, "
              "claimed %.1e L, normal %.1e of %d, surface %.1e L",
              ut_shape_kind_name(a), ut_shape_kind_name(b), cases, worst.overlapping,
              worst.searched, worst.unsettled, worst.gap, worst.claim, worst.normal, worst.normals,
              worst.surface);
    CHECK_INT(worst.bad, 0);
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
