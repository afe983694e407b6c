// SPDX-License-Identifier: Apache-2.0
// The broad phase against trying all pairs, through random motions, removals and unbounded boxes.
#include <limits.h>
#include <time.h>

#include "oracle.h"

enum { BOXES = 500, STEPS = 200, MAX_PAIRS = 40000 };

typedef struct Model {
    bool present[BOXES], fixed[BOXES];
    utBounds bounds[BOXES];
} Model;

static bool overlap(double low1, double high1, double low2, double high2)
{
    return low1 <= high2 && low2 <= high1;
}

static bool boxes_meet(const utBounds* a, const utBounds* b)
{
    return overlap(a->low.x, a->high.x, b->low.x, b->high.x) &&
           overlap(a->low.y, a->high.y, b->low.y, b->high.y) &&
           overlap(a->low.z, a->high.z, b->low.z, b->high.z);
}

typedef bool Filter(int id1, int id2, void* context);

static int try_all(const Model* model, Filter* filter, int* pair)
{
    int count = 0;
    for (int i = 0; i < BOXES; i++) {
        for (int j = i + 1; j < BOXES; j++) {
            if (model->present[i] && model->present[j] && !(model->fixed[i] && model->fixed[j]) &&
                boxes_meet(&model->bounds[i], &model->bounds[j]) &&
                (filter == NULL || filter(i, j, NULL)) && count < MAX_PAIRS) {
                pair[2 * count] = i;
                pair[2 * count++ + 1] = j;
            }
        }
    }
    return count;
}

static utBounds random_bounds(utRng* rng)
{
    const double size = ut_rng_below(rng, 20) == 0 ? 2.0 : 0.2;
    utBounds b;
    b.low.x = ut_rng_range(rng, -3.0, 3.0);
    b.low.y = ut_rng_range(rng, -3.0, 3.0);
    b.low.z = ut_rng_range(rng, -1.0, 1.0);
    b.high.x = b.low.x + ut_rng_range(rng, 0.0, size);
    b.high.y = b.low.y + ut_rng_range(rng, 0.0, size);
    b.high.z = b.low.z + ut_rng_range(rng, 0.0, size);
    return b;
}

static utBounds half_space(utRng* rng)
{
    const double far = HUGE_VAL;
    return (utBounds){{-far, -far, -far}, {far, far, ut_rng_range(rng, -1.0, 0.0)}};
}

static void set(Model* model, utBroad* broad, int id, utBounds bounds, bool fixed)
{
    model->present[id] = true;
    model->fixed[id] = fixed;
    model->bounds[id] = bounds;
    ut_broad_set(broad, id, bounds, fixed);
}

static utBounds moved(utRng* rng, utBounds b)
{
    utVec3 by;
    by.x = ut_rng_range(rng, -0.03, 0.03);
    by.y = ut_rng_range(rng, -0.03, 0.03);
    by.z = ut_rng_range(rng, -0.03, 0.03);
    return (utBounds){ut_vec3_add(b.low, by), ut_vec3_add(b.high, by)};
}

static void change(Model* model, utBroad* broad, utRng* rng, int id)
{
    const int what = ut_rng_below(rng, 100);
    const bool fixed = ut_rng_below(rng, 4) == 0;
    if (!model->present[id] || what == 0) {
        set(model, broad, id, random_bounds(rng), fixed);
    } else if (what == 1) {
        model->present[id] = false;
        ut_broad_remove(broad, id);
    } else if (what == 2 && ut_rng_below(rng, 10) == 0) {
        set(model, broad, id, half_space(rng), fixed);
    } else if (!model->fixed[id]) {
        set(model, broad, id, moved(rng, model->bounds[id]), false);
    }
}

static bool odd_sum(int id1, int id2, void* context)
{
    (void)context;
    return (id1 + id2) % 2 == 1;
}

static utBroad* new_broad(utArena* arena, int capacity)
{
    utBroad* broad = NULL;
    CHECK(ut_broad_create(capacity, arena, &broad) == UT_OK);
    return broad;
}

TEST(pairs_are_those_of_trying_all)
{
    utArena arena = test_arena();
    utBroad* broad = new_broad(&arena, BOXES);
    Model* model = UT_PUSH(&arena, Model, 1);
    int* want = UT_PUSH(&arena, int, 2 * MAX_PAIRS);
    int* got = UT_PUSH(&arena, int, 2 * MAX_PAIRS);
    memset(model, 0, sizeof *model);
    utRng rng = ut_rng(1, 0);
    int wrong = 0;
    long long total = 0;
    for (int step = 0; step < STEPS; step++) {
        for (int id = 0; id < BOXES; id++) {
            change(model, broad, &rng, id);
        }
        Filter* filter = step % 2 == 0 ? NULL : odd_sum;
        const int count = try_all(model, filter, want);
        int found = -1;
        const utStatus status = ut_broad_pairs(broad, filter, NULL, MAX_PAIRS, got, &found);
        wrong += !(status == UT_OK && found == count &&
                   memcmp(want, got, 2 * (size_t)count * sizeof *got) == 0);
        total += count;
    }
    CHECK_INT(wrong, 0);
    CHECK(total > 1000LL * STEPS);
}

// the same boxes after another history
TEST(pairs_do_not_depend_on_history)
{
    utArena arena = test_arena();
    utBroad* straight = new_broad(&arena, BOXES);
    utBroad* winding = new_broad(&arena, BOXES);
    int* one = UT_PUSH(&arena, int, 2 * MAX_PAIRS);
    int* two = UT_PUSH(&arena, int, 2 * MAX_PAIRS);
    utRng rng = ut_rng(2, 0);
    for (int id = 0; id < BOXES; id++) {
        ut_broad_set(winding, id, random_bounds(&rng), false);
    }
    for (int id = BOXES - 1; id >= 0; id--) {
        const utBounds b = random_bounds(&rng);
        ut_broad_set(straight, id, b, id % 3 == 0);
        if (id % 5 == 0) {
            ut_broad_remove(winding, id);
        }
        ut_broad_set(winding, id, b, id % 3 == 0);
    }
    int count1 = 0, count2 = 0;
    CHECK(ut_broad_pairs(straight, NULL, NULL, MAX_PAIRS, one, &count1) == UT_OK);
    CHECK(ut_broad_pairs(winding, NULL, NULL, MAX_PAIRS, two, &count2) == UT_OK);
    CHECK(count1 > 100);
    CHECK_INT(count1, count2);
    CHECK(memcmp(one, two, 2 * (size_t)count1 * sizeof *one) == 0);
}

TEST(boxes_that_just_touch_meet_and_fixed_ones_are_not_reported)
{
    utArena arena = test_arena();
    utBroad* broad = new_broad(&arena, 3);
    const utBounds a = {{0, 0, 0}, {1, 1, 1}}, b = {{1, 1, 1}, {2, 2, 2}};
    utBounds c = b;
    c.low.x = 1.0000000000000002;
    int pair[6], count = -1;
    ut_broad_set(broad, 0, a, false);
    ut_broad_set(broad, 2, b, false);
    CHECK(ut_broad_pairs(broad, NULL, NULL, 3, pair, &count) == UT_OK);
    CHECK(count == 1 && pair[0] == 0 && pair[1] == 2);
    ut_broad_set(broad, 2, c, false);
    CHECK(ut_broad_pairs(broad, NULL, NULL, 3, pair, &count) == UT_OK);
    CHECK_INT(count, 0);
    ut_broad_set(broad, 2, b, true);
    ut_broad_set(broad, 1, a, true);
    CHECK(ut_broad_pairs(broad, NULL, NULL, 3, pair, &count) == UT_OK);
    CHECK(count == 2 && pair[0] == 0 && pair[1] == 1 && pair[2] == 0 && pair[3] == 2);
}

TEST(too_little_room_gives_the_first_pairs_and_the_count)
{
    utArena arena = test_arena();
    utBroad* broad = new_broad(&arena, 10);
    const utBounds a = {{0, 0, 0}, {1, 1, 1}};
    for (int id = 0; id < 10; id++) {
        ut_broad_set(broad, id, a, false);
    }
    int pair[6] = {0}, count = -1;
    CHECK(ut_broad_pairs(broad, NULL, NULL, 2, pair, &count) == UT_ERR_CAPACITY);
    CHECK_INT(count, 45);
    CHECK(pair[0] == 0 && pair[1] == 1 && pair[2] == 0 && pair[3] == 2 && pair[5] == 0);
}

// A tree as deep as it has leaves would take n^2 / 2 = 2e9 visits to fill.
TEST(sixty_thousand_equal_boxes_are_set_and_searched_at_once)
{
    enum { EQUAL = 60000 };
    utArena arena = test_arena();
    utBroad* broad = new_broad(&arena, EQUAL + 1);
    const utBounds a = {{0, 0, 0}, {1, 1, 1}}, inside = {{0.4, 0.4, 0.4}, {0.5, 0.5, 0.5}};
    const clock_t begin = clock();
    for (int id = 0; id < EQUAL; id++) {
        ut_broad_set(broad, id, a, true);
    }
    ut_broad_set(broad, EQUAL, inside, false);
    int count = -1;
    CHECK(ut_broad_pairs(broad, NULL, NULL, 0, NULL, &count) == UT_ERR_CAPACITY);
    CHECK_INT(count, EQUAL);
    CHECK((double)(clock() - begin) < 2.0 * CLOCKS_PER_SEC);
}

TEST(a_box_with_a_nan_meets_nothing)
{
    utArena arena = test_arena();
    utBroad* broad = new_broad(&arena, 3);
    const utBounds a = {{0, 0, 0}, {1, 1, 1}};
    utBounds bad = a;
    bad.low.y = (double)NAN;
    int pair[6], count = -1;
    ut_broad_set(broad, 0, a, false);
    ut_broad_set(broad, 1, bad, false);
    ut_broad_set(broad, 2, a, false);
    CHECK(ut_broad_pairs(broad, NULL, NULL, 3, pair, &count) == UT_OK);
    CHECK(count == 1 && pair[0] == 0 && pair[1] == 2);
}

TEST(a_broad_phase_that_cannot_be_created_changes_nothing)
{
    utArena arena = test_arena();
    for (int capacity = 0; capacity < 40; capacity += 13) {
        utArena less = ut_arena_on(arena.next, 64), before = less;
        utBroad* broad = NULL;
        CHECK(ut_broad_create(capacity, &less, &broad) == UT_ERR_CAPACITY);
        CHECK(less.next == before.next && !ut_arena_failed(&less) && broad == NULL);
    }
    utBroad* broad = NULL;
    CHECK(ut_broad_create(-1, &arena, &broad) == UT_ERR_ARGUMENT);
    CHECK(ut_broad_create(INT_MAX, &arena, &broad) == UT_ERR_ARGUMENT);
}
