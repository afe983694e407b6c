// SPDX-License-Identifier: Apache-2.0
// Random pairs of all kinds of figures against the judge of flat_forms.h, and exchanged.
//
// UPTACK_FLAT_PAIRS=N in the environment makes N pairs of each two kinds.
#include <stdlib.h>

#include "flat_forms.h"

enum { PAIRS = 10000, CORNERS = 12 };

typedef struct SurfacePair {
    utFlatShape a, b;
    utFlatFrame A, B;
    utVec2 corner[2][CORNERS];
    double L; // reach of both and distance
} SurfacePair;

static double random_scale(utRng* rng)
{
    static const double scale[6] = {1.0, 1.0, 1.0, 1.0, 1e-4, 1e3};
    return scale[ut_rng_below(rng, 6)];
}

static utFlatShape random_figure(utRng* rng, utFlatKind kind, double scale, utVec2* corner)
{
    double x = scale * ut_rng_range(rng, 0.1, 1.0), y = scale * ut_rng_range(rng, 0.1, 1.0);
    const int thin = ut_rng_below(rng, 6);
    x *= thin == 0 ? 1e-3 : 1.0;
    y *= thin == 1 ? 1e-3 : 1.0;
    if (kind == UT_FLAT_POLYGON) {
        return random_polygon(rng, 3 + ut_rng_below(rng, CORNERS - 2), x, y, corner);
    }
    return ut_flat_shape(kind, x, y);
}

// quarter turns, one angle for all, none and any
static utFlatFrame random_frame(utRng* rng, double x, double y)
{
    static const double quarter[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const int kind = ut_rng_below(rng, 4);
    const double* q = quarter[ut_rng_below(rng, 4)];
    if (kind == 0) {
        return (utFlatFrame){{x, y}, q[0], q[1]};
    }
    return turned(x, y, kind == 1 ? 0.7 : kind == 2 ? 0.0 : ut_rng_range(rng, -3.2, 3.2));
}

// deep, overlapping, grazing, near or far
static double random_gap(utRng* rng)
{
    switch (ut_rng_below(rng, 8)) {
    case 0:
        return 0.0;
    case 1:
        return 1e-9 * ut_rng_range(rng, -1.0, 1.0);
    case 2:
        return 1e-14 * ut_rng_range(rng, -1.0, 1.0);
    case 3:
        return 1e-4 * ut_rng_range(rng, -1.0, 1.0);
    case 4:
        return ut_rng_range(rng, 0.0, 1.0);
    default:
        return ut_rng_range(rng, -1.0, 0.0);
    }
}

static void random_pair(utRng* rng, utFlatKind a, utFlatKind b, SurfacePair* p)
{
    const double scale = random_scale(rng);
    const bool uneven = ut_rng_below(rng, 8) == 0;
    p->a = random_figure(rng, a, scale, p->corner[0]);
    p->b = random_figure(rng, b, uneven ? random_scale(rng) : scale, p->corner[1]);
    const double size = fmax(flat_reach(&p->a), flat_reach(&p->b));
    const double x = size * ut_rng_range(rng, -3, 3), y = size * ut_rng_range(rng, -3, 3);
    p->A = random_frame(rng, x, y);
    p->B = random_frame(rng, p->A.position.x, p->A.position.y);
    // beside each other along an axis of a or any direction, by the wanted gap along it
    const utFlatFrame way = ut_rng_below(rng, 2) == 0 ? p->A : random_frame(rng, 0.0, 0.0);
    const double smaller = fmin(flat_reach(&p->a), flat_reach(&p->b));
    const double want = random_gap(rng) * (a == UT_FLAT_HALFPLANE ? size : smaller);
    static Outline oa, ob;
    outline(&p->b, p->B, &ob);
    oa = (Outline){.count = 1, .corner = {long2(p->A.position.x, p->A.position.y)}};
    if (a != UT_FLAT_HALFPLANE) {
        outline(&p->a, p->A, &oa);
    }
    const Long2 n = long2(-way.sine, way.cosine);
    const double step = want + (double)(oa.radius + ob.radius - apart(&oa, &ob, n));
    const double aside = ut_rng_below(rng, 3) == 0 ? smaller * ut_rng_range(rng, -1, 1) : 0.0;
    p->B.position.x += step * (double)n.x + aside * (double)n.y;
    p->B.position.y += step * (double)n.y - aside * (double)n.x;
    p->L = flat_reach(&p->a) + flat_reach(&p->b) +
           hypot(p->B.position.x - p->A.position.x, p->B.position.y - p->A.position.y);
}

typedef struct Tally {
    int missing, wrong_gap, wrong_normal, off_outline, not_least, not_swapped, not_ascending;
    int not_culled, overlapping, points;
    double worst;
} Tally;

// With the reported normal the figures are `gap` apart. The normal between corners a distance d
// apart is right to rounding / d, and a corner at the edge of its normal region lets this grow by
// L: for d > 1e-3 L below 1e3 x 10 x 1.1e-16 L.
static bool normal_is_right(const SurfacePair* p, const utFlatTouch* t)
{
    static Outline oa, ob;
    outline(&p->b, p->B, &ob);
    if (p->a.kind == UT_FLAT_HALFPLANE) {
        return fabs(t->normal.x + p->A.sine) <= 1e-15 && fabs(t->normal.y - p->A.cosine) <= 1e-15;
    }
    outline(&p->a, p->A, &oa);
    const double radii = (double)(oa.radius + ob.radius);
    const bool near = fabs(t->gap + radii) <= 1e-3 * p->L;
    const double here = (double)apart(&oa, &ob, long2(t->normal.x, t->normal.y)) - radii;
    return fabs(hypot(t->normal.x, t->normal.y) - 1.0) <= 1e-14 &&
           (near || fabs(here - t->gap) <= 2e-12 * p->L);
}

// The two points `gap` apart are on the outlines: of the least gap always, of another where the
// figures have corners; the end of a round one is a ball, whose foot may lie within the figure.
// World coordinates are below 6 L and rounded once more; a corner up to 1e-8 of the smaller reach
// beside a side's end counts as over the side, but not where the gap is the least.
static bool points_are_on_outlines(const SurfacePair* p, const utFlatTouch* t, bool least)
{
    const double beside = 1e-8 * fmin(flat_reach(&p->a), flat_reach(&p->b));
    const double tolerance = 2e-12 * p->L + (least ? 0.0 : beside), half = 0.5 * t->gap;
    const utVec2 on_a = {t->point.x - half * t->normal.x, t->point.y - half * t->normal.y};
    const utVec2 on_b = {t->point.x + half * t->normal.x, t->point.y + half * t->normal.y};
    const double off_a = off_figure(&p->a, p->A, on_a), off_b = off_figure(&p->b, p->B, on_b);
    const bool edged = p->a.kind != UT_FLAT_CAPSULE && p->b.kind != UT_FLAT_CAPSULE;
    const double least_off = least || edged ? -tolerance : -HUGE_VAL;
    return off_a <= tolerance && off_b <= tolerance && off_a >= least_off && off_b >= least_off;
}

static void judge(const SurfacePair* p, Tally* tally)
{
    utFlatTouch touch[UT_FLAT_TOUCH_MAX], other[UT_FLAT_TOUCH_MAX];
    const int count = ut_flat_collide(&p->a, p->A, &p->b, p->B, 1e6, touch);
    tally->points += count;
    tally->missing += count == 0;
    if (count == 0) {
        return;
    }
    const int least = least_gap(touch, count);
    const double want = judged_gap(&p->a, p->A, &p->b, p->B);
    const double error = fabs(touch[least].gap - want) / p->L;
    tally->worst = fmax(tally->worst, error);
    tally->wrong_gap += !(error <= 1e-12);
    tally->overlapping += want < 0.0;
    tally->wrong_normal += !normal_is_right(p, &touch[least]);
    for (int i = 0; i < count; i++) {
        tally->off_outline += !points_are_on_outlines(p, &touch[i], i == least);
    }
    tally->not_ascending += count == 2 && !(touch[0].feature < touch[1].feature);
    const int other_count = ut_flat_collide(&p->b, p->B, &p->a, p->A, 1e6, other);
    tally->not_swapped += !same_exchanged(touch, count, other, other_count);
    // a margin on either side of the gap
    tally->not_culled +=
        ut_flat_collide(&p->a, p->A, &p->b, p->B, want - 2e-12 * p->L, other) != 0 ||
        ut_flat_collide(&p->a, p->A, &p->b, p->B, want + 2e-12 * p->L, other) == 0;
}

static void judge_kinds(utFlatKind a, utFlatKind b)
{
    const char* text = getenv("UPTACK_FLAT_PAIRS");
    const long pairs = text != NULL ? strtol(text, NULL, 10) : PAIRS;
    utRng rng = ut_rng(41, (uint64_t)a * 8 + (uint64_t)b);
    Tally tally = {0};
    for (long k = 0; k < pairs; k++) {
        SurfacePair p;
        random_pair(&rng, a, b, &p);
        p.a.corner = p.corner[0];
        p.b.corner = p.corner[1];
        judge(&p, &tally);
    }
    test_note("%s-%s: %ld pairs, %d overlap, %.2f points each, worst error %.1e L",
              ut_flat_kind_name(a), ut_flat_kind_name(b), pairs, tally.overlapping,
              (double)tally.points / (double)pairs, tally.worst);
    CHECK_INT(tally.missing, 0);
    CHECK_INT(tally.wrong_gap, 0);
    CHECK_INT(tally.wrong_normal, 0);
    CHECK_INT(tally.off_outline, 0);
    CHECK_INT(tally.not_swapped, 0);
    CHECK_INT(tally.not_ascending, 0);
    CHECK_INT(tally.not_culled, 0);
    CHECK(tally.overlapping > pairs / 5 && tally.overlapping < pairs * 9 / 10);
}

TEST(flat_half_planes_measure_heights)
{
    for (int b = UT_FLAT_CIRCLE; b < UT_FLAT_KIND_COUNT; b++) {
        judge_kinds(UT_FLAT_HALFPLANE, (utFlatKind)b);
    }
}

TEST(flat_circles_have_the_signed_distance)
{
    for (int b = UT_FLAT_CIRCLE; b < UT_FLAT_KIND_COUNT; b++) {
        judge_kinds(UT_FLAT_CIRCLE, (utFlatKind)b);
    }
}

TEST(flat_capsules_have_the_signed_distance)
{
    for (int b = UT_FLAT_CAPSULE; b < UT_FLAT_KIND_COUNT; b++) {
        judge_kinds(UT_FLAT_CAPSULE, (utFlatKind)b);
    }
}

TEST(flat_polygons_have_the_signed_distance)
{
    judge_kinds(UT_FLAT_RECTANGLE, UT_FLAT_RECTANGLE);
    judge_kinds(UT_FLAT_RECTANGLE, UT_FLAT_POLYGON);
    judge_kinds(UT_FLAT_POLYGON, UT_FLAT_POLYGON);
}

// Hundreds of corners, where the farthest corner is followed round instead of searched for.
TEST(flat_polygons_of_many_corners_have_the_signed_distance)
{
    static utVec2 corner[2][JUDGE_MAX];
    utRng rng = ut_rng(42, 0);
    int wrong = 0;
    for (int k = 0; k < 40; k++) {
        const double thin = k % 4 == 0 ? 1e-2 : 1.0;
        const utFlatShape a =
            random_polygon(&rng, 17 + ut_rng_below(&rng, JUDGE_MAX - 16), 1.0, thin, corner[0]);
        const utFlatShape b =
            random_polygon(&rng, 3 + ut_rng_below(&rng, JUDGE_MAX - 2), 0.7, 1.0, corner[1]);
        const utFlatFrame A = turned(0.3, 0.1, ut_rng_range(&rng, 0.0, 6.3));
        const double x = ut_rng_range(&rng, -2, 2), y = ut_rng_range(&rng, -2, 2);
        const utFlatFrame B = turned(x, y, 1.0);
        utFlatTouch touch[UT_FLAT_TOUCH_MAX];
        const int count = ut_flat_collide(&a, A, &b, B, 10.0, touch);
        const double want = judged_gap(&a, A, &b, B);
        wrong += count == 0 || !(fabs(touch[least_gap(touch, count)].gap - want) <= 1e-12);
    }
    CHECK_INT(wrong, 0);
}
