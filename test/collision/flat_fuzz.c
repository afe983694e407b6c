// SPDX-License-Identifier: Apache-2.0
// Figures and frames of any kind: a defined answer, never a crash or an endless loop.
#include "flat_forms.h"

// now and then something that should not be there, and often equal
static double odd(utRng* rng, bool wild)
{
    static const double strange[8] = {0.0, -0.0, 1e-200, 1e-30, 1e30, 1e99, 1e101, 1e300};
    const int kind = ut_rng_below(rng, 24);
    if (wild && kind == 0) {
        return ut_rng_below(rng, 2) == 0 ? (double)NAN : -HUGE_VAL;
    }
    if (wild && kind < 6) {
        return strange[ut_rng_below(rng, 8)];
    }
    return 0.25 * ut_rng_below(rng, 9) - 1.0 + (kind % 2 == 0 ? 0.0 : 1e-9 * ut_rng_normal(rng));
}

static utVec2 odd_point(utRng* rng, bool wild)
{
    const double x = odd(rng, wild);
    return ut_vec2(x, odd(rng, wild));
}

static utFlatShape odd_figure(utRng* rng, bool wild, utVec2* corner)
{
    utFlatShape shape = {.kind =
                             (utFlatKind)ut_rng_below(rng, UT_FLAT_KIND_COUNT + (wild ? 1 : 0))};
    shape.size = odd_point(rng, wild);
    shape.corners = ut_rng_below(rng, 24) - 1;
    shape.corner = ut_rng_below(rng, 50) == 0 ? NULL : corner;
    for (int i = 0; i < shape.corners; i++) {
        corner[i] = odd_point(rng, wild);
    }
    return shape;
}

static utFlatFrame odd_frame(utRng* rng, bool wild)
{
    const utVec2 x = odd_point(rng, wild);
    utFlatFrame at = turned(x.x, x.y, 0.785398163397448 * odd(rng, false));
    if (wild && ut_rng_below(rng, 4) == 0) {
        at.cosine = odd(rng, true);
    }
    return at;
}

static bool is_sound(const utFlatTouch* t, int count)
{
    bool sound = count >= 0 && count <= UT_FLAT_TOUCH_MAX;
    for (int i = 0; sound && i < count; i++) {
        sound = fabs(t[i].point.x) <= DBL_MAX && fabs(t[i].point.y) <= DBL_MAX &&
                fabs(hypot(t[i].normal.x, t[i].normal.y) - 1.0) <= 1e-5 && t[i].gap <= DBL_MAX &&
                (i == 0 || t[0].feature < t[1].feature);
    }
    return sound;
}

TEST(no_flat_figure_however_odd_crashes)
{
    int unsound = 0, touching = 0, unequal = 0, accepted = 0;
    const int runs = 100000;
    for (int run = 0; run < runs; run++) {
        utRng rng = ut_rng(44, (uint64_t)run);
        utVec2 corner[2][24];
        utFlatTouch t[UT_FLAT_TOUCH_MAX], u[UT_FLAT_TOUCH_MAX];
        const bool wild = ut_rng_below(&rng, 2) == 0;
        const utFlatShape a = odd_figure(&rng, wild, corner[0]);
        const utFlatShape b = odd_figure(&rng, wild, corner[1]);
        const utFlatFrame A = odd_frame(&rng, wild), B = odd_frame(&rng, wild);
        const double margin = wild ? odd(&rng, true) : 1.0;
        const int count = ut_flat_collide(&a, A, &b, B, margin, t);
        unsound += !is_sound(t, count);
        touching += count > 0;
        const bool alike = memcmp(&A.position, &B.position, sizeof A.position) == 0;
        const int back = ut_flat_collide(&b, B, &a, A, margin, u);
        unequal += !alike && !same_exchanged(t, count, u, back);
        utError err = {0};
        const utStatus status = ut_flat_check(&a, &err);
        accepted += status == UT_OK;
        unsound += status != UT_OK && err.message[0] == 0;
        (void)ut_flat_mass(&a, 1.0);
        (void)ut_flat_bounds(&a, A);
        (void)ut_flat_support(&a, odd_point(&rng, wild));
    }
    CHECK_INT(unsound, 0);
    CHECK_INT(unequal, 0);
    CHECK(touching > runs / 10);
    CHECK(accepted > runs / 10);
}
