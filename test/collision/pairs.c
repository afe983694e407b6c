// SPDX-License-Identifier: Apache-2.0
// Random pairs of every kind against the judge of oracle.h, exchanged, and moved as a whole.
#include "oracle.h"

enum { PAIRS = 20000 };

static utShape random_shape(utRng* rng, utShapeKind kind)
{
    const double a = ut_rng_range(rng, 0.1, 1.0), b = ut_rng_range(rng, 0.1, 1.0);
    const double c = ut_rng_range(rng, 0.1, 1.0);
    return (utShape){.kind = kind, .size = {a, b, c}};
}

// a third of all rotations are quarter turns, a third eighths about one axis, so that faces and
// edges become parallel
static utMat3 random_rotation(utRng* rng)
{
    const int kind = ut_rng_below(rng, 3);
    if (kind == 0) {
        static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const double* e = axis[ut_rng_below(rng, 3)];
        const double angle = 0.785398163397448310 * ut_rng_below(rng, 8);
        return ut_quat_to_mat3(ut_quat_from_axis_angle(ut_vec3(e[0], e[1], e[2]), angle));
    }
    if (kind == 1) {
        return ut_mat3_identity();
    }
    const utVec3 axis = random_unit(rng);
    return ut_quat_to_mat3(ut_quat_from_axis_angle(axis, ut_rng_range(rng, 0.0, 3.2)));
}

typedef struct SurfacePair {
    utShape a, b;
    utFrame A, B;
} SurfacePair;

static SurfacePair random_pair(utRng* rng, utShapeKind a, utShapeKind b)
{
    SurfacePair p;
    p.a = random_shape(rng, a);
    p.b = random_shape(rng, b);
    p.A.R = random_rotation(rng);
    p.A.p = random_unit(rng);
    p.B = ut_frame(random_rotation(rng), p.A.p);
    const utVec3 n = random_unit(rng);
    // somewhere between deep inside and well apart along n
    const double touching = -apart(&p.a, &p.A, &p.b, &p.B, n);
    p.B.p = ut_vec3_add_scaled(p.A.p, touching * ut_rng_range(rng, 0.1, 1.4), n);
    return p;
}

typedef struct Tally {
    int wrong_bound, wrong_points, wrong_depth, wrong_order, missing;
    int overlapping, points, nearly_parallel;
    double worst;
    uint64_t hash;
} Tally;

static uint64_t hash_manifold(uint64_t hash, const utTouch* touch, int count)
{
    for (int i = 0; i < count; i++) {
        const utTouch* t = &touch[i];
        const double x[] = {t->point.x,  t->point.y,  t->point.z,         t->normal.x,
                            t->normal.y, t->normal.z, (double)t->feature, t->gap};
        hash = ut_hash_doubles(hash, x, 8);
    }
    return hash;
}

static void judge(const SurfacePair* p, Tally* tally)
{
    utTouch touch[UT_MANIFOLD_MAX];
    const int count = ut_collide(&p->a, p->A, &p->b, p->B, 100.0, touch);
    tally->points += count;
    tally->hash = hash_manifold(tally->hash, touch, count);
    tally->missing += count == 0;
    if (count == 0) {
        return;
    }
    const utTouch* t = &touch[deepest(touch, count)];
    double error = fabs(apart(&p->a, &p->A, &p->b, &p->B, t->normal) - t->gap);
    if (error > rounding && error < 1e-5) {
        // a face within 1e-5 of parallel stands for the true direction beside it: the gap differs
        // by the square of that
        const double best = climb(&p->a, &p->A, &p->b, &p->B, t->normal, 1e-5, 1e-12);
        error = fmax(fabs(best - t->gap) - 1e-10, 0.0);
        tally->nearly_parallel++;
    }
    tally->worst = fmax(tally->worst, error);
    tally->wrong_bound += !(error <= rounding);
    tally->wrong_points += !points_are_on_both(&p->a, &p->A, &p->b, &p->B, touch, count, rounding);
    tally->wrong_order += !features_ascend(touch, count);
    if (t->gap < 0.0) {
        tally->overlapping++;
        tally->wrong_depth += !(search_apart(&p->a, &p->A, &p->b, &p->B) <= t->gap + rounding);
    }
}

static void judge_kinds(utShapeKind a, utShapeKind b)
{
    utRng rng = ut_rng(1, (uint64_t)a * 8 + (uint64_t)b);
    Tally tally = {.hash = UT_HASH_START};
    for (int k = 0; k < PAIRS; k++) {
        const SurfacePair p = random_pair(&rng, a, b);
        judge(&p, &tally);
    }
    test_note("%s-%s: %d overlap, %.2f points each, worst error %.1e, hash %016llx",
              ut_shape_kind_name(a), ut_shape_kind_name(b), tally.overlapping,
              (double)tally.points / PAIRS, tally.worst, (unsigned long long)tally.hash);
    CHECK_INT(tally.missing, 0);
    CHECK_INT(tally.wrong_bound, 0);
    CHECK_INT(tally.wrong_points, 0);
    CHECK_INT(tally.wrong_depth, 0);
    CHECK_INT(tally.wrong_order, 0);
    CHECK(tally.nearly_parallel <= 5);
    CHECK(tally.overlapping > PAIRS / 4 && tally.overlapping < PAIRS * 9 / 10);
}

TEST(sphere_sphere_gaps_are_the_signed_distance)
{
    judge_kinds(UT_SHAPE_SPHERE, UT_SHAPE_SPHERE);
}

TEST(sphere_capsule_gaps_are_the_signed_distance)
{
    judge_kinds(UT_SHAPE_SPHERE, UT_SHAPE_CAPSULE);
}

TEST(sphere_box_gaps_are_the_signed_distance)
{
    judge_kinds(UT_SHAPE_SPHERE, UT_SHAPE_BOX);
}

TEST(capsule_capsule_gaps_are_the_signed_distance)
{
    judge_kinds(UT_SHAPE_CAPSULE, UT_SHAPE_CAPSULE);
}

TEST(capsule_box_gaps_are_the_signed_distance)
{
    judge_kinds(UT_SHAPE_CAPSULE, UT_SHAPE_BOX);
}

TEST(box_box_gaps_are_the_signed_distance)
{
    judge_kinds(UT_SHAPE_BOX, UT_SHAPE_BOX);
}

// ---- nearly parallel ----------------------------------------------------------------------------

static double spread(utRng* rng, double low, double high)
{
    return pow(10.0, ut_rng_range(rng, low, high));
}

// b turned by quarters or eighths and a tilt of 1e-15 to 0.1, nearly touching, its sides nearly in
// line with those of a
static SurfacePair nearly_parallel_pair(utRng* rng, utShapeKind a, utShapeKind b, bool equal)
{
    SurfacePair p = random_pair(rng, a, b);
    if (equal) {
        p.b = p.a;
    }
    const double angle = spread(rng, -15.0, -1.0);
    const utVec3 tilt = ut_vec3_scale(random_unit(rng), angle);
    utVec3 turn = ut_vec3_zero();
    turn.z = ut_rng_below(rng, 7) == 0 ? 0.785398163397448310 : 1.57079632679489662;
    turn.z *= ut_rng_below(rng, 4);
    const utQuat q = ut_quat_mul(ut_quat_exp(tilt), ut_quat_exp(turn));
    p.B.R = ut_mat3_mul(p.A.R, ut_quat_to_mat3(q));
    p.B.p = p.A.p;
    const int axis = ut_rng_below(rng, 3);
    const utVec3 n = ut_mat3_column(p.A.R, axis);
    const utVec3 side = ut_mat3_column(p.A.R, (axis + 1 + ut_rng_below(rng, 2)) % 3);
    const double touching = -apart(&p.a, &p.A, &p.b, &p.B, n);
    const double sign = ut_rng_below(rng, 2) == 0 ? 1.0 : -1.0;
    const double off = ut_rng_below(rng, 3) == 0 ? 0.0 : sign * spread(rng, -14.0, -1.0);
    const int how = ut_rng_below(rng, 3);
    double aside = how == 2 ? ut_rng_range(rng, -1.5, 1.5) : 0.0;
    if (how == 1) {
        aside = -apart(&p.a, &p.A, &p.b, &p.B, side) + sign * spread(rng, -14.0, -2.0);
    }
    p.B.p = ut_vec3_add_scaled(p.A.p, touching + off, n);
    p.B.p = ut_vec3_add_scaled(p.B.p, aside, side);
    return p;
}

// Near thresholds a gap may be off by what is held for the same: 1e-8 of the size, which is at most
// 2 m here; and a point that far aside along each of two sides.
static void judge_nearly_parallel(utShapeKind a, utShapeKind b, bool equal)
{
    const double tolerance = 2e-8 + rounding, aside = 1.5 * tolerance;
    utRng rng = ut_rng(7, (uint64_t)a * 8 + (uint64_t)b + (equal ? 64 : 0));
    int wrong_gap = 0, wrong_points = 0, wrong_order = 0;
    double worst = 0.0;
    for (int k = 0; k < PAIRS / 5; k++) {
        const SurfacePair p = nearly_parallel_pair(&rng, a, b, equal);
        utTouch touch[UT_MANIFOLD_MAX] = {0};
        const int count = ut_collide(&p.a, p.A, &p.b, p.B, 100.0, touch);
        wrong_order += !(count > 0 && features_ascend(touch, count));
        wrong_points += !points_are_on_both(&p.a, &p.A, &p.b, &p.B, touch, count, aside);
        const utTouch* t = &touch[deepest(touch, count)];
        const double bound =
            fmax(axes_apart(&p.a, &p.A, &p.b, &p.B), apart(&p.a, &p.A, &p.b, &p.B, t->normal));
        const double error = fabs(bound - t->gap);
        worst = fmax(worst, error);
        wrong_gap += !(error <= tolerance);
    }
    test_note("%s-%s: worst error %.1e", ut_shape_kind_name(a), ut_shape_kind_name(b), worst);
    CHECK_INT(wrong_gap, 0);
    CHECK_INT(wrong_points, 0);
    CHECK_INT(wrong_order, 0);
}

TEST(nearly_parallel_shapes_keep_their_distance)
{
    judge_nearly_parallel(UT_SHAPE_BOX, UT_SHAPE_BOX, false);
    judge_nearly_parallel(UT_SHAPE_BOX, UT_SHAPE_BOX, true);
    judge_nearly_parallel(UT_SHAPE_CAPSULE, UT_SHAPE_BOX, false);
    judge_nearly_parallel(UT_SHAPE_CAPSULE, UT_SHAPE_CAPSULE, false);
}

// ---- planes -------------------------------------------------------------------------------------

// A half space: only its own normal counts.
TEST(gaps_over_a_plane_are_heights)
{
    utRng rng = ut_rng(2, 0);
    int wrong = 0;
    for (int k = 0; k < 3 * PAIRS; k++) {
        const utShapeKind kind = (utShapeKind)(UT_SHAPE_SPHERE + k % 3);
        const SurfacePair p = random_pair(&rng, UT_SHAPE_PLANE, kind);
        const utShape ground = p.a, b = p.b;
        const utFrame A = p.A, B = p.B;
        const utVec3 n = ut_mat3_column(A.R, 2);
        utTouch touch[UT_MANIFOLD_MAX];
        const int count = ut_collide(&ground, A, &b, B, 100.0, touch);
        const int want = kind == UT_SHAPE_SPHERE ? 1 : kind == UT_SHAPE_CAPSULE ? 2 : 4;
        bool ok = count == want;
        if (ok) {
            const double height = -reach(&b, &B, ut_vec3_negate(n)) - ut_vec3_dot(n, A.p);
            ok = fabs(touch[deepest(touch, count)].gap - height) <= rounding &&
                 points_are_on_both(&ground, &A, &b, &B, touch, count, rounding) &&
                 features_ascend(touch, count);
        }
        wrong += !ok;
    }
    CHECK_INT(wrong, 0);
}

// ---- order and motion ---------------------------------------------------------------------------

static bool is_swapped(const utTouch* t, const utTouch* s)
{
    const utVec3 n = ut_vec3_negate(s->normal);
    return memcmp(&t->point, &s->point, sizeof t->point) == 0 &&
           ut_vec3_norm(ut_vec3_sub(t->normal, n)) == 0.0 && t->gap == s->gap &&
           t->feature == (s->feature << 32 | s->feature >> 32);
}

TEST(exchanging_the_shapes_turns_normals_and_features_and_nothing_else)
{
    utRng rng = ut_rng(3, 0);
    int wrong = 0;
    for (int k = 0; k < PAIRS; k++) {
        const utShapeKind kind_a = (utShapeKind)ut_rng_below(&rng, 4);
        const utShapeKind kind_b = (utShapeKind)(1 + ut_rng_below(&rng, 3));
        SurfacePair p = random_pair(&rng, kind_a, kind_b);
        if (k % 4 == 0 && kind_a == kind_b) {
            p.b.size = p.a.size;
        }
        const double margin = ut_rng_range(&rng, 0.0, 0.5);
        utTouch t[UT_MANIFOLD_MAX], s[UT_MANIFOLD_MAX];
        const int count = ut_collide(&p.a, p.A, &p.b, p.B, margin, t);
        bool ok = ut_collide(&p.b, p.B, &p.a, p.A, margin, s) == count;
        for (int i = 0; ok && i < count; i++) {
            bool found = false;
            for (int j = 0; j < count; j++) {
                found = found || is_swapped(&t[i], &s[j]);
            }
            ok = found;
        }
        wrong += !ok;
    }
    CHECK_INT(wrong, 0);
}

// Gaps move by rounding; points and normals turn along, except that where the shapes nearly meet a
// direction carries the rounding over the distance: that far the normal is not compared.
TEST(moving_everything_moves_the_manifold_along)
{
    utRng rng = ut_rng(4, 0);
    int wrong = 0, compared = 0;
    for (int k = 0; k < PAIRS; k++) {
        const utShapeKind kind_a = (utShapeKind)ut_rng_below(&rng, 4);
        const utShapeKind kind_b = (utShapeKind)(1 + ut_rng_below(&rng, 3));
        SurfacePair p = random_pair(&rng, kind_a, kind_b);
        // general position: ties may fall either way
        p.A.R = ut_quat_to_mat3(ut_quat_from_axis_angle(random_unit(&rng), 1.0));
        p.B.R = ut_quat_to_mat3(ut_quat_from_axis_angle(random_unit(&rng), 2.0));
        utFrame M = {.R = random_rotation(&rng)};
        M.p = random_unit(&rng);
        utTouch t[UT_MANIFOLD_MAX], s[UT_MANIFOLD_MAX];
        const int count = ut_collide(&p.a, p.A, &p.b, p.B, 0.3, t);
        const utFrame A = ut_frame_mul(M, p.A), B = ut_frame_mul(M, p.B);
        bool ok = ut_collide(&p.a, A, &p.b, B, 0.3, s) == count;
        for (int i = 0; ok && i < count; i++) {
            const utVec3 n = ut_mat3_mul_vec(M.R, t[i].normal);
            const utVec3 x = ut_frame_point(M, t[i].point);
            ok = t[i].feature == s[i].feature && fabs(t[i].gap - s[i].gap) <= rounding &&
                 ut_vec3_norm(ut_vec3_sub(n, s[i].normal)) <= 1e-10 &&
                 ut_vec3_norm(ut_vec3_sub(x, s[i].point)) <= 1e-10;
            compared++;
        }
        wrong += !ok;
    }
    CHECK_INT(wrong, 0);
    CHECK(compared > PAIRS / 2);
}
